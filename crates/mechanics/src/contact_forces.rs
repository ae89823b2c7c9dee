//! How large are λ, friction and acceleration of a ball that slides, rolls or rests (§2 of the book's design)?

use curves::Frame;
use nalgebra::Vector2;
use numbers::Number;

use crate::{Ball, ContactLaw, Mode};

/// Normal force `λ = m κc v_t² − F·n`, N: `mass` m (kg), `curvature` κc (1/m), `speed = v·τ` (m/s), `across = F·n` (N).
#[inline(always)]
pub fn normal_force<N: Number>(mass: f64, curvature: N, speed: N, across: N) -> N {
    (curvature * speed.square()).scale(mass) - across
}

/// Forces of the ground on a ball and its accelerations, in any [`Number`] (value, derivative, enclosure).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForces<N = f64> {
    /// Normal force λ, N. Negative: the ground would have to pull.
    pub normal_force: N,
    /// Friction f along τ, N.
    pub friction_force: N,
    /// Acceleration of the centre along τ `v̇_t`, m/s².
    pub acceleration: N,
    /// Acceleration of the spin `ω̇`, rad/s².
    pub spin_acceleration: N,
}

impl<N: Number> ContactForces<N> {
    /// Computes contact forces and accelerations by §2 of the book's design. `curvature` is κc of the centre path
    /// (1/m), `speed` is `v·τ` (m/s), `force` is `[F·τ, F·n]` of all forces but the ground's (N).
    ///
    /// d is the rolling damping, u = v_t + Rω the slip, k = I/(mR²) the inertia factor, c_rr the rolling resistance
    /// with its couple R M against the spin. That keeps ω = 0 of a sliding ball by M = f while |f| ≤ c_rr λ.
    ///
    /// ```text
    /// λ = m κc v_t² − F·n,                      I ω̇ = R (f − M),      M = c_rr λ sign(ω)
    /// sliding   m v̇_t = F·τ − d v_t + f,        f = −μ λ sign(u)
    /// rolling   (1+k) m v̇_t = F·τ − d v_t − r,  f = −k m v̇_t − r,     r = c_rr λ sign(v_t)
    /// resting   v̇_t = 0,                        f = −F·τ
    /// ```
    #[inline(always)]
    pub fn over(ball: &Ball, contact: &ContactLaw, mode: Mode, curvature: N, speed: N, force: [N; 2]) -> Self {
        let (none, mass) = (N::constant(0.0), ball.mass());
        let [along, across] = force;
        let normal_force = normal_force(mass, curvature, speed, across);
        let drive = along - speed.scale(contact.damping);
        let mut resisting = none; // −M, N
        let (friction_force, acceleration) = match mode {
            Mode::Sliding { sign, spin } => {
                // The formula goes on where λ < 0, so that a step across λ = 0 stays smooth; the caller ends it there.
                let friction =
                    if sign == 0.0 { none } else { normal_force.scale(-sign * contact.sliding_coefficient()) };
                if spin != 0.0 {
                    resisting = normal_force.scale(-spin * contact.resistance);
                } else if contact.resistance > 0.0 {
                    // Resistance holds the spin at 0.
                    resisting = -friction;
                }
                (friction, (drive + friction).scale(1.0 / mass))
            }
            Mode::Rolling { sign: 0.0 } => {
                (drive.scale(-ball.slip_mass() / mass), drive.scale(1.0 / ball.rolling_mass()))
            }
            Mode::Rolling { sign } => {
                resisting = normal_force.scale(sign * contact.resistance);
                let drive = drive - resisting;
                (drive.scale(-ball.slip_mass() / mass) - resisting, drive.scale(1.0 / ball.rolling_mass()))
            }
            Mode::Resting => (-drive, none),
        };
        let spin_acceleration =
            if mode == Mode::Resting { none } else { (friction_force + resisting).scale(ball.spin_by(1.0)) };
        ContactForces { normal_force, friction_force, acceleration, spin_acceleration }
    }
}

impl ContactForces {
    /// Computes forces and accelerations in a frame; `force` (N) is that of all but the ground, `speed` is v·τ (m/s).
    #[inline]
    pub fn at(ball: &Ball, contact: &ContactLaw, frame: &Frame, force: Vector2<f64>, speed: f64, mode: Mode) -> Self {
        let force = [force.dot(&frame.tangent), force.dot(&frame.normal)];
        ContactForces::over(ball, contact, mode, frame.curvature, speed, force)
    }
}
