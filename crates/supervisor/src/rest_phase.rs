//! Rest until the force that holds the ball changes.

use flight::FlightMethod;
use mechanics::{Mode, Press};
use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, Taylor, Trigger, Valued, first_event};
use rolling::{ContactMethod, ContactState, ContactSystem, RollingError};

use crate::motion::{Contact, StopIn, Transition};
use crate::run::Run;
use crate::stretch::{Course, resting};
use crate::{EventKind, Observer, Stop};

/// Stretches of time looked at before the search gives up: a force that oscillates a hundred thousand times is resolved.
const BUDGET: u32 = 1_000_000;

impl Contact {
    /// Rests until the force that holds it changes.
    pub fn rest<F, C>(&self, run: &mut Run<'_, F, C>, observer: &mut dyn Observer) -> Transition
    where
        F: FlightMethod,
        C: ContactMethod,
    {
        let state = &self.state;
        let system = run.system(Mode::Resting, state.place);
        let until = run.options.duration;
        let end = if system.forces.varies_in_time() { Hold::new(&system, state).end(until) } else { End::Time };
        let time = match end {
            End::Time => until,
            End::GivesWay(time) | End::Undefined(time) | End::Undecided(time) => time,
        };
        run.stretch([state.time, time], Course::Rest(state), observer).stop_in(self)?;
        let then = resting(&system, state, time);
        let rests = Contact { state: then, mode: Mode::Resting };
        match end {
            End::Time => return Ok(rests.into()),
            End::GivesWay(_) => {}
            End::Undefined(time) => return Err(RollingError::NotFinite { time }).stop_in(&rests),
            End::Undecided(time) => return Err(Stop::Waking { time }).stop_in(&rests),
        }
        if Press::of(then.normal_force, 0.0) != Some(Press::Presses) {
            return run.leave(&system, &then, EventKind::LiftOff, observer);
        }
        let force = system.forces.force_at(&then.state());
        let mode = Mode::driven(system.ball, system.contact, &then.frame, force);
        Ok(run.switch(&system, &then, mode, EventKind::of_mode(mode), observer)?.into())
    }
}

/// End of rest, and its time (s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// The end of the run.
    Time,
    /// The ground no longer holds the ball.
    GivesWay(f64),
    /// The force is not a number just after.
    Undefined(f64),
    /// Whether it is held after this time takes too long to find out.
    Undecided(f64),
}

/// Margins `λ`, `μλ − F·τ` and `μλ + F·τ` of a resting ball as functions of time, all ≥ 0 while it rests; of a wedged one
/// `λ₁` and `λ₂`.
pub(crate) struct Hold<'a> {
    system: &'a ContactSystem<'a>,
    state: &'a ContactState,
    /// μ as far as rest goes; `None`: without limit.
    friction: Option<f64>,
    /// Margins are zero within this much at most, N.
    slack: f64,
    /// Directions dᵢ that give the normal forces of a wedged ball, `λᵢ = dᵢ·F`.
    wedge: Option<[Vector2<f64>; 2]>,
}

impl<'a> Hold<'a> {
    fn new(system: &'a ContactSystem, state: &'a ContactState) -> Self {
        // Anything along the ground beyond rounding, rolling resistance or friction makes a ball roll or slide, and a bead without friction
        // slide.
        let least = Mode::equilibrium(&state.frame);
        let contact = system.contact;
        let mu = if system.ball.turns() { contact.holds() } else { contact.sticking_coefficient() }.max(least);
        let forces = system.forces;
        let weight = forces.mass() * forces.gravity_vector().norm();
        // A margin whose bounds at one time are wider than this is no margin that rounding blurs: its formula is undefined nearby.
        let slack = 1e-12 * (weight + forces.force_at(&state.state()).norm());
        Hold { system, state, friction: mu.is_finite().then_some(mu), slack, wedge: None }
    }

    /// Margins of a wedged ball, with the directions that give its two normal forces; its spin counts as it is now.
    pub fn wedged(system: &'a ContactSystem<'a>, state: &'a ContactState, directions: [Vector2<f64>; 2]) -> Self {
        Hold { wedge: Some(directions), ..Hold::new(system, state) }
    }

    fn margins<N: Number>(&self, time: N) -> [N; 3] {
        let frame = &self.state.frame;
        let position = [frame.position.x, frame.position.y].map(N::constant);
        // A point does not turn on the ground, but it may spin for the Magnus force.
        let spin = N::constant(self.state.spin);
        let [fx, fy] = self.system.forces.at(time, position, [N::constant(0.0); 2], spin);
        if let Some(directions) = &self.wedge {
            let [first, second] = directions.map(|d| fx.scale(d.x) + fy.scale(d.y));
            return [first, second, second];
        }
        let normal = -(fx.scale(frame.normal.x) + fy.scale(frame.normal.y));
        let along = fx.scale(frame.tangent.x) + fy.scale(frame.tangent.y);
        match self.friction {
            Some(mu) => [normal, normal.scale(mu) - along, normal.scale(mu) + along],
            None => [normal; 3],
        }
    }

    /// Whether it certainly does not hold at a time.
    fn gives_way(&self, time: f64) -> bool {
        self.margins(Interval::point(time)).iter().any(|margin| margin.hi < 0.0)
    }

    /// Whether it certainly holds, to rounding: a margin that only touches zero holds.
    fn holds(&self, part: Interval) -> bool {
        let over = self.margins(part);
        if over.iter().all(|margin| margin.lo >= 0.0) {
            return true;
        }
        let middle = part.middle();
        let half = 0.5 * part.width() * (1.0 + 4.0 * f64::EPSILON);
        let Taylor::<Interval, 3>([time, one, none]) = Taylor::variable(part);
        let bends = self.margins(Taylor([time, one, none]));
        let there = self.margins(Taylor::<Interval, 2>::variable(Interval::point(middle)));
        (0..3).all(|i| {
            let Taylor([value, slope]) = there[i];
            // What rounding leaves of a margin at one time can't be less over a stretch of it.
            let slack = (2.0 * value.width()).min(self.slack);
            let [_, _, bend] = bends[i].0;
            over[i].lo >= -slack || parabola(value.lo, slope.magnitude(), bend.lo, half) >= -slack
        })
    }

    fn is_defined(&self, time: f64) -> bool {
        let state = self.state.state();
        let force: Vector2<f64> = self.system.forces.force(time, state.position, state.velocity, state.spin);
        force.iter().all(|f| f.is_finite())
    }

    /// Finds the end of rest until a time (s): where it certainly gives way, so that what follows is plain.
    pub fn end(&self, until: f64) -> End {
        let sign = |holds: bool| if holds { 1.0 } else { -1.0 };
        let held = |time: f64| sign(self.is_defined(time) && !self.gives_way(time));
        let ends = [self.state.time, until].map(|at| Valued { at, value: held(at) });
        let finest = Rounding::tick(until).max(f64::EPSILON * until);
        match first_event(held, |part, _| sign(self.holds(part)), ends, finest, BUDGET) {
            Trigger::Never => End::Time,
            Trigger::Undecided(time) => End::Undecided(time),
            Trigger::At(time) if self.is_defined(time) => End::GivesWay(time),
            // The last time at which it is a number.
            Trigger::At(time) => End::Undefined(time.next_down().max(self.state.time)),
        }
    }
}

/// A lower bound of `a + b d + c d²` over `|d| ≤ half`, `|b| ≤ slope`.
fn parabola(a: f64, slope: f64, c: f64, half: f64) -> f64 {
    let (linear, square) = (slope * half, c * half * half);
    let low = if linear < 2.0 * square { -0.25 * slope * slope / c } else { square - linear };
    a + low - 8.0 * f64::EPSILON * (a.abs() + linear + square.abs())
}
