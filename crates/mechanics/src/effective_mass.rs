//! Masses that a contact shows its impulses: those of a ball against the ground, and of two bodies.

use numbers::Number;

use crate::Ball;

/// Effective masses of a contact, kg: impulses change its normal velocity by `P_n/m_n`, its slip velocity by `P_t/m_t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectiveMass<N = f64> {
    /// `m_n`
    pub normal: N,
    /// `m_t`
    pub tangential: N,
}

impl<N: Number> EffectiveMass<N> {
    /// Masses of a ball on ground at rest: normal m; tangential `m k/(1+k)`, or m if the ball does not turn.
    #[inline(always)]
    pub fn of(ball: &Ball) -> Self {
        EffectiveMass { normal: N::constant(ball.mass()), tangential: N::constant(ball.slip_mass()) }
    }

    /// Masses of two bodies that meet each other: `1/m = 1/m₁ + 1/m₂`.
    pub fn against(self, other: Self) -> Self {
        let together = |one: N, two: N| one * two / (one + two);
        let (normal, tangential) = (together(self.normal, other.normal), together(self.tangential, other.tangential));
        EffectiveMass { normal, tangential }
    }
}
