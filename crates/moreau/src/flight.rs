//! A ball's motion in one step before the contacts act.

use mechanics::Forces;
use nalgebra::Matrix2;

use crate::StepError;
use crate::particle::Particle;
use crate::scheme::Stride;

/// Newton's method to this, relative to the velocity.
const TOLERANCE: f64 = 1e-13;
const ITERATIONS: usize = 30;

/// Free velocity and mobility:
///
/// ```text
/// m (v − v₀) = h(θF(t₁, q₁, v) + (1−θ)F(t₀, q₀, v₀)) − h d (θv + (1−θ)v₀)        W⁻¹ = m − hθ(∂F/∂v + hθ ∂F/∂q) + hθd
/// ```
///
/// by Newton's method; the contacts then act by W, with the force linearised. d counts where the ball is on the ground.
/// The spin is that before the step.
#[inline]
pub(crate) fn fly(particle: &mut Particle, forces: &Forces, at: Stride) -> Result<(), StepError> {
    let mass = particle.ball.mass();
    let (h, theta) = (at.step, at.theta);
    let (now, damping) = (particle.now, particle.damping);
    if damping == 0.0
        && let Some(acceleration) = forces.constant_acceleration(now.spin)
    {
        particle.free = now.velocity + acceleration * h;
        particle.mobility = Matrix2::identity() / mass;
        return Ok(());
    }
    particle.evaluations += 1;
    let before = forces.force(at.time, now.position, now.velocity, now.spin) * (1.0 - theta);
    let mut velocity = now.velocity;
    let mut change = f64::INFINITY;
    for _ in 0..ITERATIONS {
        let position = at.moved(now.position, now.velocity, velocity);
        particle.evaluations += 1;
        let after = forces.force(at.time + h, position, velocity, now.spin);
        let slopes = forces.jacobian(at.time + h, position, velocity, now.spin);
        let damped = (velocity * theta + now.velocity * (1.0 - theta)) * damping;
        let residual = (velocity - now.velocity) * mass - (after * theta + before - damped) * h;
        let inverse = Matrix2::identity() * (mass + h * theta * damping)
            - (slopes.velocity + slopes.position * (h * theta)) * (h * theta);
        let Some(mobility) = inverse.try_inverse() else {
            return Err(StepError::Singular { time: at.time, iteration: 1 });
        };
        let correction = mobility * residual;
        velocity -= correction;
        particle.mobility = mobility;
        change = correction.amax();
        let scale = velocity.amax().max(now.velocity.amax()).max(h * after.amax() / mass);
        if change <= TOLERANCE * scale {
            particle.free = velocity;
            return Ok(());
        }
    }
    if !change.is_finite() {
        return Err(StepError::NotFinite { what: "the force or the velocity", time: at.time });
    }
    Err(StepError::Newton { time: at.time, change, tolerance: TOLERANCE, iterations: ITERATIONS })
}
