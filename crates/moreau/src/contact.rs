//! A contact in a step, and the law it follows.

use curves::turn_left;
use lcp::friction::Regime;
use mechanics::ContactLaw;
use nalgebra::Vector2;

use crate::particle::Interval;

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

    /// Whether it bore an impulse and does not open.
    pub(crate) fn lasts(&self, tolerance: f64) -> bool {
        self.normal_impulse > 0.0 && self.normal_velocity[1] <= tolerance
    }
}

/// Impulse and state of a contact in the last step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Last {
    /// Impulse of the contact, from which a solver starts, N s.
    pub impulse: [f64; 2],
    /// Whether the contact [lasts](BallContact::lasts).
    pub lasts: bool,
}

/// Numbers of a contact's law for one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub law: ContactLaw,
    /// Normal velocity that curvature makes in hops of the scheme's own, m/s: no approach of an impact.
    pub hop: f64,
    /// Normal velocity that curvature makes as the normal turns in a step, m/s.
    pub turn: f64,
}

impl Rule {
    /// The rule of contact that keeps out, and nothing else.
    pub const PUSH: Rule = Rule { law: ContactLaw::SMOOTH, hop: 0.0, turn: 0.0 };

    /// The rule on a path of this curvature κ (1/m) that is followed with speed u (m/s).
    #[inline(always)]
    pub fn along(self, curvature: f64, speed: f64, at: Interval) -> Rule {
        if curvature == 0.0 {
            return self;
        }
        let bend = -curvature * speed * speed;
        Rule { hop: hops(&self.law) * bend.abs() * at.step, turn: bend * at.ahead(), ..self }
    }

    /// Whether a contact with these normal velocities before and without contacts is an impact: it approaches faster than
    /// the forces of one step make it. Only then e_t acts; a contact that lasts has Coulomb's law alone.
    #[inline(always)]
    pub fn is_impact(&self, before: f64, free: f64) -> bool {
        -before > (free - before).abs() + self.hop
    }

    /// Velocities that the impulses of a step take off, normal and slip: `u_free + E u₀`.
    #[inline(always)]
    pub fn restituted(&self, before: [f64; 2], free: [f64; 2]) -> [f64; 2] {
        let impact = self.is_impact(before[0], free[0]);
        let tangential = if impact { self.law.acting_tangential_restitution() } else { 0.0 };
        [free[0] + self.law.restitution(-before[0]) * before[0], free[1] + tangential * before[1]]
    }
}

/// Lengths of hops, in steps, that restitution leaves where a ball should stay on curved ground.
pub(crate) fn hops(law: &ContactLaw) -> f64 {
    (2.0 + 1.0 / (1.0 - law.restitution(0.0))).min(32.0)
}

impl From<&ContactLaw> for Rule {
    fn from(law: &ContactLaw) -> Self {
        Rule { law: *law, hop: 0.0, turn: 0.0 }
    }
}

/// Regime by the impulses and the slip velocity after.
#[inline(always)]
pub(crate) fn regime(law: &ContactLaw, normal: f64, tangential: f64, slip: f64) -> Regime {
    if normal == 0.0 {
        Regime::Separating
    } else if tangential.abs() < law.sticking_limit(normal) {
        Regime::Sticking
    } else if slip > 0.0 {
        Regime::SlidingForward
    } else {
        Regime::SlidingBackward
    }
}
