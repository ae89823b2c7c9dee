//! A ball with its ground, forces, law and start: how does it fly in a step without contacts?

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{Ball, ContactLaw, Forces, ParameterError, State};
use nalgebra::{Matrix2, Vector2};

use crate::StepError;
use crate::energy::Energy;
use crate::theta::{Stage, Stride, hops};

/// A ball, its start, and what acts on it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Mass, radius and inertia of the ball.
    pub ball: Ball,
    /// The ground for its radius; balls of one radius share it.
    pub ground: Arc<OffsetGround>,
    /// Gravity, drag, wind, Magnus force, external force.
    pub forces: Forces,
    /// The law of its contact with the ground.
    pub law: ContactLaw,
    /// State at the start; all balls have the same time, and `dissipated` and `work` are continued.
    pub start: State,
}

impl Body {
    pub(crate) fn check(&self, start: f64) -> Result<(), ParameterError> {
        let State { time, position, velocity, angle, spin, dissipated, work } = self.start;
        ParameterError::check("time", time, time == start, "finite, and the same for all balls (s)")?;
        for (name, value) in [
            ("position", position.x),
            ("position", position.y),
            ("velocity", velocity.x),
            ("velocity", velocity.y),
            ("angle", angle),
            ("spin", spin),
            ("dissipated", dissipated),
            ("work", work),
        ] {
            ParameterError::check(name, value, value.is_finite(), "finite")?;
        }
        let resistance = self.law.rolling_resistance();
        let none = "0: time stepping has no law of it";
        ParameterError::check("rolling-resistance", resistance, resistance == 0.0, none)?;
        let torque = f64::from(u8::from(self.forces.has_torque()));
        ParameterError::check("torque", torque, torque == 0.0, "left out: time stepping keeps the spin in flight")?;
        Body::check_law(&self.law)?;
        let radius = self.ground.radius();
        ParameterError::check("ground radius", radius, radius == self.ball.radius(), "the ball's radius (m)")?;
        let mass = self.forces.mass();
        ParameterError::check("mass of the forces", mass, mass == self.ball.mass(), "the ball's mass (kg)").map(drop)
    }

    /// Refuses static friction, since the solvers know one coefficient, and an impact law other than Newton's.
    pub(crate) fn check_law(law: &ContactLaw) -> Result<(), ParameterError> {
        let own = f64::from(u8::from(law.own_impact().is_some()));
        ParameterError::check("impact", own, own == 0.0, "left out: time stepping knows Newton's restitution alone")?;
        let (sticking, rule) = (law.static_friction(), "left out: time stepping knows one coefficient of friction");
        ParameterError::check("static-friction", sticking.unwrap_or(0.0), sticking.is_none(), rule).map(drop)
    }

    /// Approximate length of the first step, of `step` s, in m: by its velocity and forces.
    pub(crate) fn way(&self, step: f64) -> f64 {
        let State { time, position, velocity, spin, .. } = self.start;
        let force = self.forces.force(time, position, velocity, spin);
        step * (velocity.norm() + step * force.norm() / self.ball.mass())
    }

    /// Gap (m) up to which rolling damping acts: a ball that stays on curved ground with e > 0 hops. With the
    /// acceleration a = |F|/m it leaves with a speed `w ≤ (2 + 1/(1−e)) h a`, and rises `w²/2a`. 0 without damping.
    pub(crate) fn hop(&self, at: Stride, now: &BallMotion) -> f64 {
        if self.law.rolling_damping() == 0.0 {
            return 0.0;
        }
        let force = self.forces.force(at.time, now.position, now.velocity, now.spin);
        let hop = hops(&self.law) * at.step;
        0.5 * hop * hop * force.norm() / self.ball.mass()
    }

    /// Energy ledger of the ball at the start.
    pub fn account(&self) -> Energy {
        let State { position, velocity, spin, dissipated, work, .. } = self.start;
        let energy = Energy::starting(self.ball.kinetic_energy(velocity, spin), self.potential(position));
        Energy { dissipated, external: work, initial: energy.initial + dissipated - work, ..energy }
    }

    /// Potential energy of gravity at a place (m), J.
    pub fn potential(&self, position: Vector2<f64>) -> f64 {
        -self.ball.mass() * self.forces.gravity_vector().dot(&position)
    }
}

/// A ball in a step: its motion at the start and at the end, and how it moves without contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Particle {
    pub ball: Ball,
    pub now: BallMotion,
    pub next: BallMotion,
    /// Velocity `v_free` without contacts, m/s.
    pub free: Vector2<f64>,
    /// W, by which impulses change the velocity, 1/kg: the inverse of the iteration matrix of [`fly`].
    pub mobility: Matrix2<f64>,
    /// Lever arm of friction, the radius R, m; 0 if the ball does not turn.
    pub arm: f64,
    /// `R²/I`, 1/kg.
    pub spin_mobility: f64,
    /// Rolling damping d while on the ground, N s/m.
    pub damping: f64,
    /// Displacement by forces in the last step, `h |v_free − v₀|`, m; only with projection.
    pub moved_by_forces: f64,
    /// Place at the end of the step before the projection, m.
    pub unprojected: Vector2<f64>,
    /// Evaluations of forces so far, without derivatives and those for the energy ledger.
    pub evaluations: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BallMotion {
    pub position: Vector2<f64>,
    pub angle: f64,
    pub velocity: Vector2<f64>,
    pub spin: f64,
}

impl Particle {
    pub fn new(ball: Ball, start: &State) -> Self {
        let State { position, velocity, angle, spin, .. } = *start;
        let motion = BallMotion { position, velocity, angle, spin };
        Particle {
            ball,
            now: motion,
            next: motion,
            free: velocity,
            mobility: Matrix2::identity() / ball.mass(),
            arm: ball.arm(),
            spin_mobility: ball.arm() * ball.spin_by(1.0),
            damping: 0.0,
            moved_by_forces: 0.0,
            unprojected: position,
            evaluations: 0,
        }
    }

    /// Computes place and angle at the end of the step; whether all numbers are finite.
    #[inline(always)]
    pub fn land(&mut self, at: Stride) -> bool {
        let Particle { now, next, .. } = self;
        next.position = at.moved(now.position, now.velocity, next.velocity);
        next.angle = now.angle + at.step * (at.theta * next.spin + (1.0 - at.theta) * now.spin);
        (next.position.x + next.position.y + next.velocity.x + next.velocity.y + next.spin).is_finite()
    }

    /// Velocity of the centre, and of the rim `R ω`, m/s, at a stage of the step.
    #[inline(always)]
    pub fn moves(&self, stage: Stage) -> (Vector2<f64>, f64) {
        match stage {
            Stage::Before => (self.now.velocity, self.arm * self.now.spin),
            Stage::Free => (self.free, self.arm * self.now.spin),
            Stage::After => (self.next.velocity, self.arm * self.next.spin),
        }
    }
}

/// Tolerance of Newton's method, relative to the velocities, and its largest number of iterations.
const TOLERANCE: f64 = 1e-13;
const ITERATIONS: usize = 30;

/// Computes the free velocity v and the mobility W of a ball:
///
/// ```text
/// m (v − v₀) = h(θF(t₁, q₁, v) + (1−θ)F(t₀, q₀, v₀)) − h d (θv + (1−θ)v₀)        W⁻¹ = m − hθ(∂F/∂v + hθ ∂F/∂q) + hθd
/// ```
///
/// by Newton's method. Contacts then act by W, with the force linearised at v. The rolling damping d counts while the
/// ball is on the ground; the spin is that before the step.
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
    for iteration in 1..=ITERATIONS {
        let position = at.moved(now.position, now.velocity, velocity);
        particle.evaluations += 1;
        let after = forces.force(at.time + h, position, velocity, now.spin);
        let slopes = forces.jacobian(at.time + h, position, velocity, now.spin);
        let damped = (velocity * theta + now.velocity * (1.0 - theta)) * damping;
        let residual = (velocity - now.velocity) * mass - (after * theta + before - damped) * h;
        let inverse = Matrix2::identity() * (mass + h * theta * damping)
            - (slopes.velocity + slopes.position * (h * theta)) * (h * theta);
        let Some(mobility) = inverse.try_inverse() else {
            return Err(StepError::Singular { time: at.time, iteration });
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
