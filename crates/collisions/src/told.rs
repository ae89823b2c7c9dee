//! Events, and how balls are before, after and between them.

use curves::Place;
use mechanics::{Mode, State};
use nalgebra::Vector2;

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionKind {
    /// An impact with the ground or another ball.
    Impact,
    /// An impact after which the ball stays on straight ground.
    Landing,
    /// The ball is handed over to time stepping: impacts without end, contacts that press, ground that is not straight.
    Handed,
    /// Time stepping gives it back: it flies.
    Returned,
    /// A ball that waited is let go.
    Released,
    /// Friction stops the slip of a ball on the ground, or lets it slip the other way; a push changes what it does there.
    Changes,
}

/// How a ball is at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// In the air.
    None,
    /// On the ground, or on other balls; `None`: handed over, and with whatever it touches.
    Ground(Option<Mode>),
}

/// How a ball goes on: with constant acceleration, unless it is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionLeg {
    /// The ball where it begins.
    pub state: State,
    /// m/s²
    pub acceleration: Vector2<f64>,
    /// rad/s²
    pub spin_acceleration: f64,
    /// How it is.
    pub contact: Contact,
    /// λ and f, N; of a ball that was handed over the mean of the step.
    pub forces: [f64; 2],
    /// Energy that it has from other balls so far, J.
    pub exchanged: f64,
    /// Whether time stepping has it: its steps are not told.
    pub stepped: bool,
}

/// Something that happened to a ball.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Kind of the event.
    pub kind: CollisionKind,
    /// Index of the ball.
    pub ball: usize,
    /// The other ball; `None`: the ground.
    pub other: Option<usize>,
    /// Normal of the contact, towards the ball.
    pub normal: Vector2<f64>,
    /// Place on the ground, of an event there.
    pub place: Option<Place>,
    /// States of the ball before and after.
    pub states: [State; 2],
    /// States of the other ball before and after, if there is one.
    pub others: Option<[State; 2]>,
    /// Contact of the ball before and after.
    pub contacts: [Contact; 2],
    /// P_n and P_t on the ball, N s.
    pub impulse: [f64; 2],
    /// How the ball goes on, and the other one where it was struck.
    pub legs: [Option<CollisionLeg>; 2],
}

impl Told {
    /// Something that happens to one ball without an impulse: how it is before, and how it goes on.
    pub(crate) fn of(
        kind: CollisionKind,
        ball: usize,
        normal: Vector2<f64>,
        place: Option<Place>,
        legs: [CollisionLeg; 2],
    ) -> Told {
        let [before, after] = legs;
        let (states, contacts) = ([before.state, after.state], [before.contact, after.contact]);
        let (other, others, impulse) = (None, None, [0.0; 2]);
        Told { kind, ball, other, normal, place, states, others, contacts, impulse, legs: [Some(after), None] }
    }
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollisionCount {
    /// All events that change a motion; ways from cell to cell are none.
    pub events: u64,
    /// Impacts between balls.
    pub pairs: u64,
    /// Impacts with the ground, landings among them.
    pub ground: u64,
    /// Landings.
    pub landings: u64,
    /// How often a ball was handed over to time stepping.
    pub handed: u64,
    /// How often one was given back.
    pub returned: u64,
    /// Balls that time stepping has now.
    pub stepped: usize,
    /// Steps made for balls that were handed over.
    pub steps: u64,
    /// Impacts in these steps, which are not told as events.
    pub in_steps: u64,
    /// Ways from cell to cell.
    pub crossings: u64,
    /// Events that were no longer true when their time came.
    pub outdated: u64,
    /// Searches of the ground.
    pub searches: u64,
}
