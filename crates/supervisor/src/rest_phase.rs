//! Rest until the force that holds the ball changes.

use flight::FlightMethod;
use mechanics::{ContactForces, Mode, Press};
use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, Taylor, Trigger, Valued, first_event};
use rolling::{ContactMethod, ContactState, ContactSystem, RollingError};

use crate::motion_within_step::{StretchCourse, resting};
use crate::phase_states::{Contact, StopIn, Transition};
use crate::run_state::Live;
use crate::{EventKind, Stop};

/// Largest number of time intervals looked at: a force that oscillates a hundred thousand times is resolved.
const BUDGET: u32 = 1_000_000;

impl Contact {
    /// Rests until the force that holds it changes.
    pub fn rest(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let state = &self.state;
        let system = live.system(Mode::Resting, state.place);
        if Press::of(state.normal_force, 0.0) == Some(Press::Leaves) {
            return live.leave(&system, state, EventKind::LiftOff);
        }
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

/// End of rest, with its time (s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RestEnd {
    /// The end of the run.
    Time,
    /// The ground no longer holds the ball.
    GivesWay(f64),
    /// The force is NaN just after.
    Undefined(f64),
    /// Undecided after this time: the budget was spent.
    Undecided(f64),
}

impl RestEnd {
    /// Time of the end, at most `until` (s).
    pub fn time(self, until: f64) -> f64 {
        match self {
            RestEnd::Time => until,
            RestEnd::GivesWay(time) | RestEnd::Undefined(time) | RestEnd::Undecided(time) => time,
        }
    }

    /// Whether the ground gives way; an error if the run can't go on.
    pub fn gives_way(self) -> Result<bool, Stop> {
        match self {
            RestEnd::Time => Ok(false),
            RestEnd::GivesWay(_) => Ok(true),
            RestEnd::Undefined(time) => Err(RollingError::NotFinite { time }.into()),
            RestEnd::Undecided(time) => Err(Stop::Waking { time }),
        }
    }
}

/// Margins `λ`, `μλ + f` and `μλ − f` of a resting ball held by friction f, as functions of time: all ≥ 0 while it
/// rests. For a wedged ball `λ₁` and `λ₂`.
pub(crate) struct Hold<'a> {
    system: &'a ContactSystem<'a>,
    state: &'a ContactState,
    /// μ that limits rest; `None`: no limit.
    friction: Option<f64>,
    /// Size up to which margins count as zero, N.
    slack: f64,
    /// Directions dᵢ that give the normal forces of a wedged ball, `λᵢ = dᵢ·F`.
    wedge: Option<[Vector2<f64>; 2]>,
}

impl<'a> Hold<'a> {
    fn new(system: &'a ContactSystem, state: &'a ContactState) -> Self {
        // A force along the ground beyond rounding, rolling resistance and friction makes the ball roll or slide;
        // without friction a bead slides.
        let least = Mode::equilibrium(&state.frame);
        let contact = system.contact;
        let mu = if system.ball.turns() { contact.rest_limit() } else { contact.sticking_coefficient() }.max(least);
        let forces = system.forces;
        let weight = forces.mass() * forces.gravity_vector().norm();
        // Above all rounding of a margin: one whose enclosure at a single time is wider is undefined nearby.
        let slack = Rounding::WRONG * f64::EPSILON * (weight + forces.force_at(&state.state()).norm());
        Hold { system, state, friction: mu.is_finite().then_some(mu), slack, wedge: None }
    }

    /// Margins of a wedged ball, by the directions that give its two normal forces, at its present spin.
    pub fn wedged(system: &'a ContactSystem<'a>, state: &'a ContactState, directions: [Vector2<f64>; 2]) -> Self {
        Hold { wedge: Some(directions), ..Hold::new(system, state) }
    }

    /// The margins at a time, N; some are repeated where there are fewer than three.
    fn margins<N: Number>(&self, time: N) -> [N; 3] {
        let (frame, none) = (&self.state.frame, N::constant(0.0));
        let position = [frame.position.x, frame.position.y].map(N::constant);
        // A point does not turn on the ground, but its spin counts for the Magnus force.
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

    /// Whether the ball is certainly not held at a time.
    fn gives_way(&self, time: f64) -> bool {
        self.margins(Interval::point(time)).iter().any(|margin| margin.hi < 0.0)
    }

    /// Whether the ball is certainly held, to rounding, over a time interval; a margin that only touches zero holds.
    fn holds(&self, part: Interval) -> bool {
        let over = self.margins(part);
        if over.iter().all(|margin| margin.lo >= 0.0) {
            return true;
        }
        // A Taylor polynomial of second order about the middle encloses closer.
        let middle = part.middle();
        let half = 0.5 * part.width() * (1.0 + 4.0 * f64::EPSILON);
        let Taylor::<Interval, 3>([time, one, none]) = Taylor::variable(part);
        let bends = self.margins(Taylor([time, one, none]));
        let there = self.margins(Taylor::<Interval, 2>::variable(Interval::point(middle)));
        (0..3).all(|i| {
            let Taylor([value, slope]) = there[i];
            // Rounding of the margin: twice the width of its enclosure in the middle, unless that is undefined nearby.
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

    /// Finds the end of rest until a time (s): a time at which the ball is certainly not held, so that what follows is
    /// clear.
    pub fn end(&self, until: f64) -> RestEnd {
        let sign = |holds: bool| if holds { 1.0 } else { -1.0 };
        let held = |time: f64| sign(self.is_defined(time) && !self.gives_way(time));
        let ends = [self.state.time, until].map(|at| Valued { at, value: held(at) });
        let finest = Rounding::tick(until).max(f64::EPSILON * until);
        match first_event(held, |part, _| sign(self.holds(part)), ends, finest, BUDGET) {
            Trigger::Never => RestEnd::Time,
            Trigger::Undecided(time) => RestEnd::Undecided(time),
            Trigger::At(time) if self.is_defined(time) => RestEnd::GivesWay(time),
            // The last time at which the force is a number.
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
