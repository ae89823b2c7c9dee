//! The law of impact, over any number.

use curves::Frame;
use nalgebra::Vector2;
use numbers::Number;

use crate::{Ball, ContactLaw, Friction};

/// Friction in an impact: sticking or sliding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// Friction gives the impulse that is asked for.
    Sticks,
    /// Friction gives as much as it can, in this direction along τ; 0: none.
    Slides(f64),
}

impl Grip {
    /// Decides by the normal impulse (N s) and the slip velocity (m/s), of which `rebound` times is to be taken off.
    #[inline(always)]
    pub fn of(ball: &Ball, contact: &ContactLaw, normal_impulse: f64, slip: f64, rebound: f64) -> Grip {
        let limit = contact.friction_limit(normal_impulse);
        let wanted = -rebound * ball.slip_mass() * slip;
        if wanted.abs() <= limit && limit > 0.0 {
            Grip::Sticks
        } else {
            Grip::Slides(if normal_impulse > 0.0 { wanted.signum() } else { 0.0 })
        }
    }

    /// `P_t`, N s.
    #[inline(always)]
    pub fn impulse<N: Number>(self, ball: &Ball, contact: &ContactLaw, normal_impulse: N, slip: N, rebound: f64) -> N {
        match self {
            Grip::Sticks => slip.scale(-rebound * ball.slip_mass()),
            Grip::Slides(0.0) => N::constant(0.0),
            // This law stays smooth where the normal impulse changes its sign: differences of it go there.
            Grip::Slides(direction) => normal_impulse.scale(direction * contact.friction_coefficient()),
        }
    }
}

/// Impulses of an impact, and the velocities after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<N = f64> {
    /// `P_n ≥ 0`, N s.
    pub normal_impulse: N,
    /// `P_t` along τ, N s.
    pub tangential_impulse: N,
    /// `v·n` after, m/s: `−e` times that before.
    pub normal_velocity: N,
    /// `v·τ` after, m/s.
    pub tangential_velocity: N,
    /// Spin after, rad/s.
    pub spin: N,
    /// Slip velocity after, m/s; exactly 0 if friction stopped it.
    pub slip: N,
}

impl Impact {
    /// Velocity after, m/s.
    #[inline(always)]
    pub fn velocity(&self, frame: &Frame) -> Vector2<f64> {
        frame.tangent * self.tangential_velocity + frame.normal * self.normal_velocity
    }
}

impl<N: Number> Impact<N> {
    /// The law of [`impact`] with what friction does in it: `approach = v·n`, `along = v·τ`, `slip = u`.
    #[inline(always)]
    pub fn over(ball: &Ball, contact: &ContactLaw, grip: Grip, [approach, along, spin]: [N; 3], slip: N) -> Impact<N> {
        let (e, rebound) = (contact.restitution(), contact.rebound());
        let normal_impulse = approach.scale(-(1.0 + e) * ball.mass());
        let impulse = grip.impulse(ball, contact, normal_impulse, slip, rebound);
        let mut hit = Impact {
            normal_impulse,
            tangential_impulse: impulse,
            normal_velocity: approach.scale(-e),
            tangential_velocity: along + impulse / N::constant(ball.mass()),
            spin: spin + impulse.scale(ball.spin_by(1.0)),
            slip: match grip {
                Grip::Sticks => slip.scale(-contact.acting_tangential_restitution()),
                Grip::Slides(_) => slip + impulse / N::constant(ball.slip_mass()),
            },
        };
        if grip == Grip::Sticks && rebound == 1.0 {
            hit.slip = N::constant(0.0);
            [hit.tangential_velocity, hit.spin] = ball.stuck(hit.tangential_velocity, hit.spin);
        }
        hit
    }
}

/// Newton's restitution with Coulomb friction and tangential restitution, for `v·n < 0`:
///
/// ```text
/// P_n = −(1+e) m v·n      P_t = clamp(−(1+e_t) m_t u, ±μ P_n)      v⁺ = v + (P_n n + P_t τ)/m      ω⁺ = ω + R P_t/I
/// ```
///
/// with `m_t = m k/(1+k)`, `m` if the ball does not turn; e_t counts as 0 where friction has no limit and e = 0. Energy
/// never grows: the tangential part changes it by `P_t u + P_t²/(2m_t)`, which is negative for `P_t` between 0 and
/// `−2 m_t u`.
#[inline]
pub fn impact(ball: &Ball, contact: &ContactLaw, frame: &Frame, velocity: Vector2<f64>, spin: f64) -> Impact {
    let (approach, along) = (velocity.dot(&frame.normal), velocity.dot(&frame.tangent));
    let slip = ball.slip_velocity(along, spin);
    let push = -(1.0 + contact.restitution()) * ball.mass() * approach;
    let grip = if slip == 0.0 { Grip::Slides(0.0) } else { Grip::of(ball, contact, push, slip, contact.rebound()) };
    Impact::over(ball, contact, grip, [approach, along, spin], slip)
}

impl ContactLaw {
    /// `e_t` where it acts: a ball that stays on ground where it can't slip keeps no slip.
    #[inline(always)]
    pub fn acting_tangential_restitution(&self) -> f64 {
        let stays = self.restitution() == 0.0 && self.friction() == Friction::Infinite;
        if stays { 0.0 } else { self.tangential_restitution() }
    }

    /// `1 + e_t`, where that acts.
    #[inline(always)]
    pub fn rebound(&self) -> f64 {
        1.0 + self.acting_tangential_restitution()
    }
}
