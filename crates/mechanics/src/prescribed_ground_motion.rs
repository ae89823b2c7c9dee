//! How does the ground move? By formulas of time, given in advance; and how its frame and the frame at rest convert.

use nalgebra::Vector2;
use numbers::{Expression, Number, Taylor};

use crate::State;

/// Prescribed motion of the ground without turning: the place p of its origin, as formulas of time.
///
/// A run on moving ground is computed in the frame of the ground, where the force `−m p̈` acts beside the others;
/// [`Carriage::world`] converts a state to the frame at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Carriage {
    origin: [Expression; 2],
}

/// Motion of the ground's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried<N> {
    /// Place `p`, m.
    pub position: [N; 2],
    /// Velocity `ṗ`, m/s.
    pub velocity: [N; 2],
    /// Acceleration `p̈`, m/s².
    pub acceleration: [N; 2],
}

impl Carriage {
    /// The variable of its formulas.
    pub const VARIABLES: [&'static str; 1] = ["t"];

    /// Takes the place `p(t)` of the ground's origin, `[x, y]` in m: formulas of [`Carriage::VARIABLES`] that are twice
    /// differentiable.
    pub fn new(origin: [Expression; 2]) -> Self {
        Carriage { origin }
    }

    /// Formulas of the origin's place, m.
    pub fn origin(&self) -> &[Expression; 2] {
        &self.origin
    }

    /// Motion of the origin at a time in s, over any number.
    pub fn at<N: Number>(&self, time: N) -> Carried<N> {
        let time = Taylor::<N, 3>::variable(time);
        let [Taylor(x), Taylor(y)] = [self.origin[0].eval(&[time]), self.origin[1].eval(&[time])];
        Carried { position: [x[0], y[0]], velocity: [x[1], y[1]], acceleration: [x[2].scale(2.0), y[2].scale(2.0)] }
    }

    /// Converts a state from the frame of the ground to the frame at rest.
    pub fn world(&self, state: &State) -> State {
        let Carried { position: p, velocity: v, .. } = self.at(state.time);
        State { position: state.position + Vector2::from(p), velocity: state.velocity + Vector2::from(v), ..*state }
    }

    /// Converts a state from the frame at rest to the frame of the ground.
    pub fn carried(&self, state: &State) -> State {
        let Carried { position: p, velocity: v, .. } = self.at(state.time);
        State { position: state.position - Vector2::from(p), velocity: state.velocity - Vector2::from(v), ..*state }
    }
}
