//! Events: kind of change, and the ball before and after one instant.

use std::fmt;

use curves::{Frame, Place};
use mechanics::{Mode, State};
use nalgebra::Vector2;
use numbers::Rounding;

/// Phase of the ball: flight, or its mode on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// Off the ground, or in summed-up bounces before a landing.
    Flight,
    /// On the ground with a slipping contact point, or without friction.
    Sliding,
    /// On the ground without slip.
    Rolling,
    /// On the ground at rest.
    Resting,
    /// Compressed on compliant ground.
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
    /// Touches the ground and stays, or ends its summed-up bounces.
    Landing,
    /// λ falls to zero.
    LiftOff,
    /// Friction no longer holds the contact point; slip reverses; or rolling resistance stops the spin while it slips.
    Slip,
    /// The contact point stops slipping.
    Stick,
    /// The ball comes to rest.
    Rest,
    /// Leaves the end of the ground, or the arc of radius R around it.
    EndOfGround,
    /// Compliant contact begins: no impulse yet.
    Touch,
    /// Compliant contact ends; the impulses are those of the whole contact.
    Release,
    /// A watch is crossed: only in rows of [`Crossing::event`](crate::Crossing::event), never an event of the run.
    Watch,
}

impl EventKind {
    /// Kind of event with which a ball on the ground changes to this mode.
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

/// An event: the ball before and after it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Event {
    /// Kind of the event.
    pub kind: EventKind,
    /// Phase before the event.
    pub phase_before: Phase,
    /// Phase after the event.
    pub phase_after: Phase,
    /// Place of contact.
    pub place: Place,
    /// Frame at that place.
    pub frame: Frame,
    /// The ball before the event, at its time.
    pub before: State,
    /// The ball after the event.
    pub after: State,
    /// Normal impulse `P_n`, N s.
    pub normal_impulse: f64,
    /// Tangential impulse `P_t` along τ, N s.
    pub tangential_impulse: f64,
    /// Largest λ of the contact that a release ends, N; 0 for other kinds.
    pub largest_normal_force: f64,
    /// Velocity of the ground at that place, m/s, where parts of the ground move against each other; else 0.
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
        at: &TouchPoint,
        [before, after]: [&State; 2],
        [normal_impulse, tangential_impulse]: [f64; 2],
    ) -> Self {
        Event {
            kind,
            phase_before,
            phase_after,
            place: at.place,
            frame: at.frame,
            before: *before,
            after: *after,
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
    /// (`v·n`, `v·τ`) before, m/s, relative to the ground; on the ground `v·n` is exactly 0 except in an impact on
    /// another contact.
    pub fn velocity_before(&self) -> (f64, f64) {
        self.split(&self.before, self.phase_before)
    }
    /// (`v·n`, `v·τ`) after, m/s, relative to the ground; on the ground `v·n` is exactly 0 except after an impact that
    /// leaves it on another contact.
    pub fn velocity_after(&self) -> (f64, f64) {
        self.split(&self.after, self.phase_after)
    }

    /// (`v·n`, `v·τ`) of a state (m/s), relative to the ground, with `v·n` = 0 where the phase is on the ground.
    fn split(&self, state: &State, phase: Phase) -> (f64, f64) {
        let velocity = state.velocity - self.ground_velocity;
        let (normal, tangential) = (velocity.dot(&self.frame.normal), velocity.dot(&self.frame.tangent));
        let hits = matches!(self.kind, EventKind::Impact | EventKind::Landing);
        // By an impact on one of two contacts a ball may approach the other, or leave it: `v·n` counts beyond rounding.
        let rounding = f64::EPSILON * (self.before.velocity.norm() + self.after.velocity.norm());
        let opens = hits && !Rounding::vanishes(normal, rounding);
        let free = matches!(phase, Phase::Flight | Phase::Compressed) || opens;
        (if free { normal } else { 0.0 }, tangential)
    }
}
