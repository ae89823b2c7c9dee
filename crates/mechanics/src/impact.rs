//! The law of impact: DESIGN §2.

use curves::Frame;
use nalgebra::Vector2;

use crate::{Ball, ContactLaw, Friction};

/// What an impact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Velocity after, m/s.
    pub velocity: Vector2<f64>,
    /// Spin after, rad/s.
    pub spin: f64,
    /// `P_n ≥ 0`, N s.
    pub normal_impulse: f64,
    /// `P_t` along τ, N s.
    pub tangential_impulse: f64,
    /// `v·n` after, m/s: `−e` times that before.
    pub normal_velocity: f64,
    /// `v·τ` after, m/s.
    pub tangential_velocity: f64,
    /// Slip velocity after, m/s; exactly 0 if friction stopped it.
    pub slip: f64,
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
    let approach = velocity.dot(&frame.normal);
    let along = velocity.dot(&frame.tangent);
    let normal_impulse = -(1.0 + contact.restitution()) * ball.mass() * approach;
    let normal_velocity = -contact.restitution() * approach;
    let before = ball.slip_velocity(along, spin);
    let limit = contact.friction_limit(normal_impulse);
    if limit == 0.0 || before == 0.0 {
        let velocity = frame.tangent * along + frame.normal * normal_velocity;
        return Impact {
            velocity,
            spin,
            normal_impulse,
            tangential_impulse: 0.0,
            normal_velocity,
            tangential_velocity: along,
            slip: before,
        };
    }
    // A ball that stays on ground where it can't slip keeps none.
    let stays = contact.restitution() == 0.0 && contact.friction() == Friction::Infinite;
    let tangential_restitution = if stays { 0.0 } else { contact.tangential_restitution() };
    let wanted = -(1.0 + tangential_restitution) * ball.slip_mass() * before;
    let tangential_impulse = wanted.clamp(-limit, limit);
    let mut tangential_velocity = along + tangential_impulse / ball.mass();
    let mut spin = spin + ball.spin_by(tangential_impulse);
    let mut slip = before + tangential_impulse / ball.slip_mass();
    if tangential_impulse == wanted {
        slip = -tangential_restitution * before;
        if slip == 0.0 {
            // u = 0 to the last bit, and not −0.
            slip = 0.0;
            if ball.turns() {
                spin = -tangential_velocity / ball.radius();
            } else {
                tangential_velocity = 0.0;
            }
        }
    }
    let velocity = frame.tangent * tangential_velocity + frame.normal * normal_velocity;
    Impact { velocity, spin, normal_impulse, tangential_impulse, normal_velocity, tangential_velocity, slip }
}
