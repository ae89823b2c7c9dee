//! Stops: reasons why a run ended early, with their messages.

use curves::{OSCULATING, Place, SearchError};
use flight::FlightError;
use mechanics::{ImpactError, State};
use nalgebra::Vector2;
use numbers::Rounding;
use rolling::RollingError;

use crate::{EventKind, Phase};

/// Reason why a run ended early.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Stop {
    /// A compressed ball touches the ground in a second place.
    #[error(
        "second contact at t = {time:?} s: the ball, its centre at ({:?}, {:?}), also touches the ground at ({:?}, {:?}); compliant \
         contact knows one contact at a time: use rigid contact, or a smaller ball",
        centre.x, centre.y, other.x, other.y
    )]
    SecondContact {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// The second ground point, m.
        other: Vector2<f64>,
        /// Place of the first contact.
        place: Place,
    },
    /// The ball comes into a slot exactly as wide as itself.
    #[error(
        "at t = {time:?} s the ball at ({:?}, {:?}) touches two opposite walls and comes into a slot exactly as wide as itself \
         (sine of the angle between the walls: {sine:e}): two contacts do not determine its way there; make the slot wider or \
         narrower than the ball",
        centre.x, centre.y
    )]
    Slot {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Sine of the angle between the normals.
        sine: f64,
    },
    /// Two curves that move relative to each other press the ball at once.
    #[error(
        "at t = {time:?} s the ball at ({:?}, {:?}) is pressed by two curves that move against each other: what they do to it together has \
         no law here; give the one that moves a wall of its own, or keep the ball off the other",
        centre.x, centre.y
    )]
    Squeezed {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Indices of the curve that the ball was on, and of the other one.
        curves: [usize; 2],
    },
    /// The ball fits the valley it comes to, or the valley is narrower.
    #[error(
        "at t = {time:?} s the ball of radius {radius:?} m at ({:?}, {:?}) {} at ({:?}, {:?}) (1 - \u{3ba}R = {shrink:e}): it may touch \
         along a stretch or in two places, of which the laws of one contact say nothing; {}",
        centre.x, centre.y, valley(*shrink)[0], point.x, point.y, valley(*shrink)[1]
    )]
    Osculating {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Radius R, m.
        radius: f64,
        /// Ground point, m.
        point: Vector2<f64>,
        /// 1 − κR of the ground there.
        shrink: f64,
    },
    /// A ball on compliant ground is pressed through its middle.
    #[error(
        "at t = {time:?} s the ball is compressed by {compression:?} m, its radius being {radius:?} m: the contact is too soft for it"
    )]
    Crushed {
        /// Time, s.
        time: f64,
        /// Compression δ, m.
        compression: f64,
        /// Radius R, m.
        radius: f64,
    },
    /// The first contact could not be decided.
    #[error("from t = {time:?} s: {error}")]
    Search {
        /// Start of the path, s.
        time: f64,
        /// Reason why the search could not decide.
        error: SearchError,
    },
    /// The end of rest is undecided.
    #[error("whether the ball at rest is held could not be decided beyond t = {time:?} s: the force changes too fast")]
    Waking {
        /// Time up to which the ball is held, s.
        time: f64,
    },
    /// Flight could not go on.
    #[error(transparent)]
    Flight(#[from] FlightError),
    /// Contact could not go on.
    #[error(transparent)]
    Rolling(#[from] RollingError),
    /// An event whose place or momentum does not balance, by more than rounding: the state after it would be wrong.
    #[error(
        "at t = {time:?} s, the ball at ({:?}, {:?}), the balance of {} is off by {residual:e} {}, where rounding allows {allowed:e}: the \
         state after this event can't be trusted, and the run ends here; where pieces of the ground meet badly or numbers of its \
         formula cancel, write the ground there in another way, else please report the scenario",
        centre.x, centre.y, quantity.name()[0], quantity.name()[1]
    )]
    Unbalanced {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Quantity that does not balance.
        quantity: Quantity,
        /// Residual, in the unit of the quantity.
        residual: f64,
        /// Residual allowed by rounding, in the same unit.
        allowed: f64,
    },
    /// Energy appears or disappears by more than tolerance and rounding allow.
    #[error(
        "at t = {time:?} s, the ball at ({:?}, {:?}), {unexplained:e} J are unexplained, where the tolerance of the steps so far and rounding \
         allow {allowed:e} J: {}",
        centre.x, centre.y, leak(*phase, *time, *step, *unknown)
    )]
    Unexplained {
        /// End of the step, or the event, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Phase of the step; `None`: an event.
        phase: Option<Phase>,
        /// Length of the step, s; 0 for an event.
        step: f64,
        /// Sum of lengths by which rounding of places on the ground moved the ball, m, if it counts only in part.
        unknown: f64,
        /// `total − total₀ + dissipated − work`, J.
        unexplained: f64,
        /// Energy allowed by tolerance and rounding, J.
        allowed: f64,
    },
    /// The law of impact gives no impulse.
    #[error("at t = {time:?} s, the ball at ({:?}, {:?}): {error}", centre.x, centre.y)]
    Impact {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Error of the law.
        error: ImpactError,
    },
    /// Steps and events follow each other while time does not advance.
    #[error(
        "no progress at t = {time:?} s, the ball at ({:?}, {:?}): {tries} steps and events, of which the last is {}, within \
         {stretch:?} s; {}",
        centre.x, centre.y, doing.name(), doing.cure()
    )]
    Stalled {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Kind of the last step or event.
        doing: Doing,
        /// Number of tries.
        tries: u32,
        /// Time that should have passed, s.
        stretch: f64,
    },
    /// The quantity of a watch is not finite.
    #[error("{}", undefined(&(watch + 1).to_string(), *time, centre))]
    Undefined {
        /// Time, s.
        time: f64,
        /// Centre of the ball, m.
        centre: Vector2<f64>,
        /// Index of the watch.
        watch: usize,
    },
    /// The observer ended the run.
    #[error("the observer ended the run at t = {time:?} s")]
    Observer {
        /// Time, s.
        time: f64,
    },
    /// The limit of events or steps was reached.
    #[error(
        "the limit of {limit} events and steps, or of 256 times as many ground evaluations in searches, was reached at t = {time:?} s"
    )]
    Limit {
        /// Time, s.
        time: f64,
        /// Limit of events and steps.
        limit: u64,
    },
}

impl Stop {
    /// Stop before an impact of a ball in this state.
    pub(crate) fn impact(before: &State, error: ImpactError) -> Self {
        Stop::Impact { time: before.time, centre: before.position, error }
    }

    /// The stop with its points converted by `world` (s, m) from the frame of a part of the ground to that at rest.
    pub(crate) fn seen(mut self, world: impl Fn(f64, Vector2<f64>) -> Vector2<f64>) -> Self {
        match &mut self {
            Stop::SecondContact { time, centre, other, .. } | Stop::Osculating { time, centre, point: other, .. } => {
                (*centre, *other) = (world(*time, *centre), world(*time, *other));
            }
            Stop::Slot { time, centre, .. }
            | Stop::Unbalanced { time, centre, .. }
            | Stop::Unexplained { time, centre, .. }
            | Stop::Impact { time, centre, .. }
            | Stop::Stalled { time, centre, .. } => *centre = world(*time, *centre),
            _ => {}
        }
        self
    }

    /// Message of the stop, with the name of a watch if `name` knows it.
    pub fn told<'a>(&self, name: impl FnOnce(usize) -> Option<&'a str>) -> String {
        match self {
            Stop::Undefined { time, centre, watch } => match name(*watch) {
                Some(name) => undefined(&format!("`{name}`"), *time, centre),
                None => self.to_string(),
            },
            _ => self.to_string(),
        }
    }

    /// Name of the kind, for tables.
    pub fn name(&self) -> &'static str {
        match self {
            Stop::SecondContact { .. } => "second-contact",
            Stop::Slot { .. } => "slot",
            Stop::Squeezed { .. } => "squeezed",
            Stop::Osculating { .. } => "osculating",
            Stop::Crushed { .. } => "crushed",
            Stop::Search { .. } => "search",
            Stop::Waking { .. } => "waking",
            Stop::Flight(_) => "flight",
            Stop::Rolling(_) => "contact",
            Stop::Unbalanced { .. } => "unbalanced",
            Stop::Unexplained { .. } => "unexplained",
            Stop::Impact { .. } => "impact",
            Stop::Stalled { .. } => "stalled",
            Stop::Undefined { .. } => "undefined",
            Stop::Observer { .. } => "observer",
            Stop::Limit { .. } => "limit",
        }
    }
}

/// Message: where energy may have gone, and what to do.
fn leak(phase: Option<Phase>, time: f64, step: f64, unknown: f64) -> String {
    if unknown > 0.0 {
        return format!(
            "the ground changes so much within the rounding of its parameter that places on it were put off by {unknown:e} m in all, which \
             may explain 1 % of the energy in motion at most; write the ground wider there, or nearer to the origin"
        );
    }
    if phase.is_some() && step < 1e3 * Rounding::tick(time) {
        return format!(
            "the step of {step:e} s to there is as short as the clock tells times apart: most likely a force makes the motion grow without \
             bound in finite time, or the ground turns within the rounding of its parameter; end the run before, look at the forces, or \
             write the ground wider"
        );
    }
    let (what, cure) = match phase {
        Some(Phase::Flight) => (
            "a force",
            "Give a largest step shorter than what the force takes to change, or a force that changes more slowly",
        ),
        Some(Phase::Rolling | Phase::Sliding) => (
            "the ground or a force",
            "Give a largest step shorter than the ball takes past what is so narrow, or write it wider",
        ),
        Some(Phase::Compressed | Phase::Resting) => {
            ("the law of contact", "Give a smaller tolerance, or a law that changes more slowly")
        }
        None => {
            return "the state after this event can't be trusted, and the run ends here; please report the scenario"
                .into();
        }
    };
    format!(
        "most likely {what} changes between the nodes of the step of {step:e} s to there, which met none of it; the run ends before this \
         step. {cure}"
    )
}

fn undefined(watch: &str, time: f64, centre: &Vector2<f64>) -> String {
    format!(
        "the formula of watch {watch} is undefined at t = {time:?} s, where the ball is at ({:?}, {:?}): write it so that it is a \
         number wherever the ball comes, or end the run before",
        centre.x, centre.y
    )
}

/// Step or event that repeats while time does not advance.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Steps of a phase.
    Steps(Phase),
    /// Events.
    Events(EventKind),
}

impl Doing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Doing::Steps(phase) => phase.name(),
            Doing::Events(kind) => kind.name(),
        }
    }

    pub(crate) fn cure(self) -> &'static str {
        match self {
            Doing::Steps(Phase::Flight) => {
                "bounces follow each other faster than the run can go: take a larger capture speed, or a shorter run"
            }
            Doing::Steps(_) => {
                "ground, forces or law ask for such short steps there, or the duration is too long for them: take a shorter run or a \
                 larger tolerance, or write wider what changes there"
            }
            Doing::Events(_) => {
                "contacts open and close there without end: take a larger capture speed, another restitution or friction, or move \
                 the ground by a part of 1e-6"
            }
        }
    }
}

/// Quantity that must balance at events.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Place of the centre, m.
    Place,
    /// Momentum, N s.
    Momentum,
    /// Angular momentum about the centre, N m s.
    AngularMomentum,
    /// Distance from the ground, m.
    Ground,
}

impl Quantity {
    /// Name and unit of the quantity.
    pub fn name(self) -> [&'static str; 2] {
        match self {
            Quantity::Place => ["place", "m"],
            Quantity::Momentum => ["momentum", "N s"],
            Quantity::AngularMomentum => ["angular momentum", "N m s"],
            Quantity::Ground => ["distance from the ground", "m"],
        }
    }
}

/// Message: how a ball fits a valley of `shrink = 1 − κR`, and what to do.
fn valley(shrink: f64) -> [&'static str; 2] {
    if shrink < -OSCULATING {
        ["is pressed into a valley narrower than itself", "make the ball smaller, or the contact stiffer"]
    } else {
        [
            "fits a valley whose radius of curvature is its own to a part of 1e-5",
            "make the radii differ by more than 1e-5 of themselves",
        ]
    }
}
