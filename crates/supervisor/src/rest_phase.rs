//! Rest until the force that holds the ball changes.

use flight::FlightMethod;
use mechanics::{ContactForces, Mode, Press};
use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, Taylor, Trigger, Valued, first_event};
use rolling::{ContactMethod, ContactState, ContactSystem, RollingError};

use crate::motion::{Contact, StopIn, Transition};
use crate::run::Live;
use crate::stretch::{StretchCourse, resting};
use crate::{EventKind, Stop};

/// Stretches of time looked at before the search gives up: a force that oscillates a hundred thousand times is resolved.
const BUDGET: u32 = 1_000_000;

impl Contact {
    /// Rests until the force that holds it changes.
    pub fn rest(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let state = &self.state;
        let system = live.system(Mode::Resting, state.place);
        let until = live.run.options.duration;
        let end = if system.forces.varies_in_time() { Hold::new(&system, state).end(until) } else { RestEnd::Time };
        let time = end.time(until);
        live.stretch([state.time, time], StretchCourse::Rest(state)).stop_in(self)?;
        let then = resting(&system, state, time);
        let rests = Contact { state: then, mode: Mode::Resting };
        if !end.gives_way().stop_in(&rests)? {
            return Ok(rests.into());
        }
        if Press::of(then.normal_force, 0.0) != Some(Press::Presses) {
            return live.leave(&system, &then, EventKind::LiftOff);
        }
        let force = system.forces.force_at(&then.state());
        let mode = Mode::driven(system.ball, system.contact, &then.frame, force);
        Ok(live.switch(&system, &then, mode, EventKind::of_mode(mode))?.into())
    }
}

/// End of rest, and its time (s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RestEnd {
    /// The end of the run.
    Time,
    /// The ground no longer holds the ball.
    GivesWay(f64),
    /// The force is not a number just after.
    Undefined(f64),
    /// Whether it is held after this time takes too long to find out.
    Undecided(f64),
}

impl RestEnd {
    /// When it ends, `until` (s) at the latest.
    pub fn time(self, until: f64) -> f64 {
        match self {
            RestEnd::Time => until,
            RestEnd::GivesWay(time) | RestEnd::Undefined(time) | RestEnd::Undecided(time) => time,
        }
    }

    /// Whether the ground gives way, or why the run can't go on.
    pub fn gives_way(self) -> Result<bool, Stop> {
        match self {
            RestEnd::Time => Ok(false),
            RestEnd::GivesWay(_) => Ok(true),
            RestEnd::Undefined(time) => Err(RollingError::NotFinite { time }.into()),
            RestEnd::Undecided(time) => Err(Stop::Waking { time }),
        }
    }
}

/// Margins `λ`, `μλ + f` and `μλ − f` of a resting ball, which friction f holds, as functions of time, all ≥ 0 while it rests; of a wedged one
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
        let (frame, none) = (&self.state.frame, N::constant(0.0));
        let position = [frame.position.x, frame.position.y].map(N::constant);
        // A point does not turn on the ground, but it may spin for the Magnus force.
        let force = self.system.forces.at(time, position, [none; 2], N::constant(self.state.spin));
        let along = |d: Vector2<f64>| force[0].scale(d.x) + force[1].scale(d.y);
        if let Some(directions) = &self.wedge {
            let [first, second] = directions.map(along);
            return [first, second, second];
        }
        let (ball, contact, force) = (self.system.ball, self.system.contact, [frame.tangent, frame.normal].map(along));
        let held = ContactForces::over(ball, contact, Mode::Resting, none, none, force);
        let (normal, friction) = (held.normal_force, held.friction_force);
        match self.friction {
            Some(mu) => [normal, normal.scale(mu) + friction, normal.scale(mu) - friction],
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
    pub fn end(&self, until: f64) -> RestEnd {
        let sign = |holds: bool| if holds { 1.0 } else { -1.0 };
        let held = |time: f64| sign(self.is_defined(time) && !self.gives_way(time));
        let ends = [self.state.time, until].map(|at| Valued { at, value: held(at) });
        let finest = Rounding::tick(until).max(f64::EPSILON * until);
        match first_event(held, |part, _| sign(self.holds(part)), ends, finest, BUDGET) {
            Trigger::Never => RestEnd::Time,
            Trigger::Undecided(time) => RestEnd::Undecided(time),
            Trigger::At(time) if self.is_defined(time) => RestEnd::GivesWay(time),
            // The last time at which it is a number.
            Trigger::At(time) => RestEnd::Undefined(time.next_down().max(self.state.time)),
        }
    }
}

/// A lower bound of `a + b d + c d²` over `|d| ≤ half`, `|b| ≤ slope`.
fn parabola(a: f64, slope: f64, c: f64, half: f64) -> f64 {
    let (linear, square) = (slope * half, c * half * half);
    let low = if linear < 2.0 * square { -0.25 * slope * slope / c } else { square - linear };
    a + low - 8.0 * f64::EPSILON * (a.abs() + linear + square.abs())
}
