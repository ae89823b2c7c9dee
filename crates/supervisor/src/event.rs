//! Events: the ball before and after one instant, and what kind of change it is.

use std::fmt;

use curves::{Frame, Place};
use mechanics::{Mode, State};
use nalgebra::Vector2;
use numbers::Rounding;

/// Whether the ball flies, and else how it is on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// Off the ground, or in the last bounces before a landing.
    Flight,
    /// On the ground with the contact point slipping, or without friction.
    Sliding,
    /// On the ground without slip.
    Rolling,
    /// On the ground at rest.
    Resting,
    /// On compliant ground, and compressed.
    Compressed,
}

impl Phase {
    /// Name of the phase in the output files.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Flight => "flight",
            Phase::Sliding => "sliding",
            Phase::Rolling => "rolling",
            Phase::Resting => "resting",
            Phase::Compressed => "compressed",
        }
    }
}

impl From<Mode> for Phase {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Sliding { .. } => Phase::Sliding,
            Mode::Rolling { .. } => Phase::Rolling,
            Mode::Resting => Phase::Resting,
        }
    }
}

/// The kinds of events.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum EventKind {
    /// Touches the ground and leaves it at once.
    Impact,
    /// Touches the ground and stays, or ends its last bounces.
    Landing,
    /// λ falls to zero.
    LiftOff,
    /// Friction no longer holds the contact point, or lets it turn round; or the spin of a ball that slips came to zero against rolling
    /// resistance.
    Slip,
    /// The contact point stops slipping.
    Stick,
    /// The ball comes to rest.
    Rest,
    /// Runs off the end of the ground, or leaves the arc of radius R around it.
    EndOfGround,
    /// Compliant contact begins: no impulse yet.
    Touch,
    /// Compliant contact ends; the impulses are those of the whole contact.
    Release,
    /// A watch is crossed: a row of [`Crossing::event`](crate::Crossing::event), which no run tells as an event.
    Watch,
}

impl EventKind {
    /// How it is told that a ball on the ground goes on in another mode.
    pub(crate) fn of_mode(mode: Mode) -> Self {
        match mode {
            Mode::Sliding { .. } => EventKind::Slip,
            Mode::Rolling { .. } => EventKind::Stick,
            Mode::Resting => EventKind::Rest,
        }
    }

    /// Name of the kind in the output files.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Impact => "impact",
            EventKind::Landing => "landing",
            EventKind::LiftOff => "lift-off",
            EventKind::Slip => "slip",
            EventKind::Stick => "stick",
            EventKind::Rest => "rest",
            EventKind::EndOfGround => "end-of-ground",
            EventKind::Touch => "touch",
            EventKind::Release => "release",
            EventKind::Watch => "watch",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One event: the ball before and after.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Event {
    /// Kind of the event.
    pub kind: EventKind,
    /// Phase before the event.
    pub phase_before: Phase,
    /// Phase after the event.
    pub phase_after: Phase,
    /// Place on the ground.
    pub place: Place,
    /// Frame at that place.
    pub frame: Frame,
    /// The ball before; its time is the event's.
    pub before: State,
    /// The ball after.
    pub after: State,
    /// Normal impulse `P_n`, N s.
    pub normal_impulse: f64,
    /// Tangential impulse `P_t` along τ, N s.
    pub tangential_impulse: f64,
    /// Largest λ of the whole contact that a release ends, N; 0 for other kinds.
    pub largest_normal_force: f64,
    /// Velocity of the ground at that place, m/s, where it moves against other ground; else 0.
    pub ground_velocity: Vector2<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchPoint {
    pub place: Place,
    pub frame: Frame,
}

impl Event {
    /// An event with impulses P_n and P_t, N s.
    #[inline(always)]
    pub(crate) fn new(
        kind: EventKind,
        [phase_before, phase_after]: [Phase; 2],
        TouchPoint { place, frame }: TouchPoint,
        [before, after]: [State; 2],
        [normal_impulse, tangential_impulse]: [f64; 2],
    ) -> Self {
        Event {
            kind,
            phase_before,
            phase_after,
            place,
            frame,
            before,
            after,
            normal_impulse,
            tangential_impulse,
            largest_normal_force: 0.0,
            ground_velocity: Vector2::zeros(),
        }
    }

    /// Time of the event, s.
    pub fn time(&self) -> f64 {
        self.before.time
    }
    /// Kind of the event.
    pub fn kind(&self) -> EventKind {
        self.kind
    }
    /// Position of the centre, m.
    pub fn position(&self) -> Vector2<f64> {
        self.after.position
    }
    /// (`v·n`, `v·τ`) before, m/s, against the ground; `v·n` is exactly 0 on the ground but in an impact on another contact.
    pub fn velocity_before(&self) -> (f64, f64) {
        self.split(&self.before, self.phase_before)
    }
    /// (`v·n`, `v·τ`) after, m/s, against the ground; `v·n` is exactly 0 on the ground but in an impact after which the ball is on another contact.
    pub fn velocity_after(&self) -> (f64, f64) {
        self.split(&self.after, self.phase_after)
    }

    fn split(&self, state: &State, phase: Phase) -> (f64, f64) {
        let velocity = state.velocity - self.ground_velocity;
        let (normal, tangential) = (velocity.dot(&self.frame.normal), velocity.dot(&self.frame.tangent));
        let hits = matches!(self.kind, EventKind::Impact | EventKind::Landing);
        // A ball on one of two contacts may come to the other, or leave it.
        let rounding = f64::EPSILON * (self.before.velocity.norm() + self.after.velocity.norm());
        let opens = hits && !Rounding::vanishes(normal, rounding);
        let free = matches!(phase, Phase::Flight | Phase::Compressed) || opens;
        (if free { normal } else { 0.0 }, tangential)
    }
}
