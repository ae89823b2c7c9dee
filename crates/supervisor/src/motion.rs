//! What holds now: the states of the automaton.

use curves::{Departure, OffsetGround, Place};
use mechanics::{Mode, State};
use rolling::{CompressedState, ContactState};

use crate::wedged::Wedged;
use crate::{Capture, Phase, Scene};

/// What holds now.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion {
    Flight {
        state: State,
        departure: Option<Departure>,
    },
    Capture(Capture),
    Contact {
        state: ContactState,
        mode: Mode,
    },
    /// Held by two contacts.
    Wedged(Wedged),
    /// Of compliant contact; `pressing`: the law pushes.
    Compressed {
        state: CompressedState,
        pressing: bool,
    },
}

/// A second contact that the ball goes away from: back at `at` it is met again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    /// Of the contact it is on.
    pub at: Place,
    /// The other contact.
    pub other: Place,
    /// Whether the ball is beyond `at` or before it.
    pub forward: bool,
}

impl Motion {
    #[inline]
    pub(crate) fn state(&self, ground: &OffsetGround) -> State {
        match self {
            Motion::Flight { state, .. } => *state,
            Motion::Capture(capture) => capture.start,
            Motion::Contact { state, .. } => state.state(),
            Motion::Wedged(wedged) => wedged.state,
            Motion::Compressed { state, .. } => state.state(ground),
        }
    }

    #[inline(always)]
    pub fn time(&self) -> f64 {
        match self {
            Motion::Flight { state, .. } => state.time,
            Motion::Capture(capture) => capture.start.time,
            Motion::Contact { state, .. } => state.time,
            Motion::Wedged(wedged) => wedged.state.time,
            Motion::Compressed { state, .. } => state.time,
        }
    }

    pub(crate) fn phase(&self, scene: &Scene) -> Phase {
        match self {
            Motion::Flight { .. } | Motion::Capture(_) => Phase::Flight,
            Motion::Contact { mode, .. } => Phase::from(*mode),
            Motion::Wedged(wedged) => wedged.phase(scene),
            Motion::Compressed { .. } => Phase::Compressed,
        }
    }
}
