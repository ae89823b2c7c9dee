//! Reports of events, with the balls before, after and between them.

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
    /// The ball is handed over to time stepping, for impacts without end, pressing contacts or ground that is not
    /// straight, or because it is near such a ball.
    Handed,
    /// The ball returns from time stepping, flying.
    Returned,
    /// A waiting ball is released.
    Released,
    /// Friction has stopped the slip of a ball on the ground, which then rolls, rests, or slides the other way.
    Changes,
}

/// Contact of a ball at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// In the air.
    None,
    /// Touching the ground, with its mode; in time stepping possibly other balls alone.
    Ground(Mode),
    /// Handed over to time stepping, whose next step will tell the mode.
    Stepped,
}

/// Motion of a ball from an event on, with constant acceleration; in time stepping that of the present step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionLeg {
    /// State at its beginning.
    pub state: State,
    /// Acceleration, m/s².
    pub acceleration: Vector2<f64>,
    /// Acceleration of the spin, rad/s².
    pub spin_acceleration: f64,
    /// Contact of the ball.
    pub contact: Contact,
    /// Normal force λ and friction f, N; in time stepping means over the step.
    pub forces: [f64; 2],
    /// Energy received from other balls so far, J.
    pub exchanged: f64,
    /// Whether the ball is in time stepping, whose steps are not reported.
    pub stepped: bool,
}

/// An event, with the balls before and after it.
#[derive(Clone, Copy, Debug)]
pub struct CollisionEvent {
    /// Kind of the event.
    pub kind: CollisionKind,
    /// Index of the ball.
    pub ball: usize,
    /// The other ball, or the one because of which a ball is handed over; `None`: the ground.
    pub other: Option<usize>,
    /// Normal of the contact, towards the ball.
    pub normal: Vector2<f64>,
    /// Place of the contact with the ground, or on the ground below; `None` with another ball.
    pub place: Option<Place>,
    /// States of the ball before and after.
    pub states: [State; 2],
    /// States of the other ball before and after, if there is one.
    pub others: Option<[State; 2]>,
    /// Contact of the ball before and after.
    pub contacts: [Contact; 2],
    /// P_n and P_t on the ball, N s.
    pub impulse: [f64; 2],
    /// Motion of the ball from here, and of the other one if it was struck.
    pub legs: [Option<CollisionLeg>; 2],
}

impl CollisionEvent {
    /// An event of one ball without an impulse.
    pub(crate) fn of(
        kind: CollisionKind,
        ball: usize,
        normal: Vector2<f64>,
        place: Option<Place>,
        legs: [CollisionLeg; 2],
    ) -> CollisionEvent {
        let [before, after] = legs;
        let (states, contacts) = ([before.state, after.state], [before.contact, after.contact]);
        CollisionEvent {
            kind,
            ball,
            other: None,
            normal,
            place,
            states,
            others: None,
            contacts,
            impulse: [0.0; 2],
            legs: [Some(after), None],
        }
    }
}

/// Counts of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollisionCount {
    /// Impacts, handovers, returns, and changes or checks of contact with straight ground; no releases or crossings.
    pub events: u64,
    /// Impacts between balls.
    pub pairs: u64,
    /// Impacts with the ground, landings among them.
    pub ground: u64,
    /// Landings.
    pub landings: u64,
    /// Handovers to time stepping.
    pub handed: u64,
    /// Returns from time stepping.
    pub returned: u64,
    /// Balls in time stepping now.
    pub stepped: usize,
    /// Time steps made.
    pub steps: u64,
    /// Impacts in time steps, which are not reported as events.
    pub in_steps: u64,
    /// Crossings from cell to cell.
    pub crossings: u64,
    /// Predictions that were outdated when their time came.
    pub outdated: u64,
    /// Searches of the ground.
    pub searches: u64,
}
