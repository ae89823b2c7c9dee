//! A contact of balls in a step.

use curves::turn_left;
use lcp::friction::Regime;
use nalgebra::Vector2;

use crate::scheme::Closed;

/// A contact in one step: with the ground, or between two balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallContact {
    /// Index of the ball.
    pub ball: usize,
    /// The ball it touches; `None`: the ground.
    pub other: Option<usize>,
    /// The predicted gap that closed it, m (≤ 0 up to rounding).
    pub gap: f64,
    /// n, towards `ball`. Its tangent is τ with `n = Jτ`.
    pub normal: Vector2<f64>,
    /// `P_n ≥ 0`, N s; on `ball`.
    pub normal_impulse: f64,
    /// `P_t` along τ, N s; on `ball`.
    pub tangential_impulse: f64,
    /// `ẏ` before and after the step, m/s.
    pub normal_velocity: [f64; 2],
    /// Slip velocity before and after the step, m/s.
    pub slip: [f64; 2],
    /// Regime in the step.
    pub regime: Regime,
}

impl BallContact {
    /// τ, with `n = Jτ`.
    pub fn tangent(&self) -> Vector2<f64> {
        -turn_left(self.normal)
    }
}

/// Place of a closed contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub ball: usize,
    pub other: Option<usize>,
    pub gap: f64,
    pub normal: Vector2<f64>,
}

impl Site {
    /// τ, with `n = Jτ`.
    #[inline(always)]
    pub fn tangent(&self) -> Vector2<f64> {
        -turn_left(self.normal)
    }

    /// The contact as it is told after the step.
    #[inline(always)]
    pub fn told(&self, closed: &Closed) -> BallContact {
        let Site { ball, other, gap, normal } = *self;
        let Closed { before, after, impulse, .. } = closed;
        BallContact {
            ball,
            other,
            gap,
            normal,
            normal_impulse: impulse[0],
            tangential_impulse: impulse[1],
            normal_velocity: [before[0], after[0]],
            slip: [before[1], after[1]],
            regime: closed.regime(),
        }
    }
}

/// Impulse and state of a contact in the last step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Last {
    /// Impulse of the contact, from which a solver starts, N s.
    pub impulse: [f64; 2],
    /// Whether the contact [lasts](Closed::lasts).
    pub lasts: bool,
}
