//! Ground that is carried about.

use nalgebra::Vector2;
use numbers::{Expression, Number, Taylor};

use crate::State;

/// A prescribed motion of the ground without turning: where its origin is, as formulas of time.
///
/// A run on carried ground is computed as the ground sees it, where the ball feels the force `−m p̈` beside the others;
/// [`Carriage::world`] gives back what stands still.
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

    /// The motion `p(t)` of the ground's origin `[x, y]` in m, formulas of [`Carriage::VARIABLES`] that are twice
    /// differentiable.
    pub fn new(origin: [Expression; 2]) -> Self {
        Carriage { origin }
    }

    /// Formulas of the origin's place, m.
    pub fn origin(&self) -> &[Expression; 2] {
        &self.origin
    }

    /// The origin at a time in s, over any number.
    pub fn at<N: Number>(&self, time: N) -> Carried<N> {
        let time = Taylor::<N, 3>::variable(time);
        let [Taylor(x), Taylor(y)] = [self.origin[0].eval(&[time]), self.origin[1].eval(&[time])];
        Carried { position: [x[0], y[0]], velocity: [x[1], y[1]], acceleration: [x[2].scale(2.0), y[2].scale(2.0)] }
    }

    /// A state as the ground sees it, seen from what stands still.
    pub fn world(&self, state: &State) -> State {
        let Carried { position: p, velocity: v, .. } = self.at(state.time);
        State { position: state.position + Vector2::from(p), velocity: state.velocity + Vector2::from(v), ..*state }
    }

    /// A state seen from what stands still, as the ground sees it.
    pub fn carried(&self, state: &State) -> State {
        let Carried { position: p, velocity: v, .. } = self.at(state.time);
        State { position: state.position - Vector2::from(p), velocity: state.velocity - Vector2::from(v), ..*state }
    }
}
