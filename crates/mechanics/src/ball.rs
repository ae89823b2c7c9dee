//! The ball: its mass, radius and inertia, the effective masses that follow from them, and its state at one time.

use nalgebra::Vector2;
use numbers::{Number, Rounding};

use crate::{ParameterError, Range};

/// A ball: mass, radius and moment of inertia `I = k m R²`.
///
/// It turns only if both R and k are positive: a point mass (R = 0) has no extent to turn, and `k = 0` with R > 0
/// (the scenario's `inertia = "point"`) is a ball that keeps the spin it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    mass: f64,
    radius: f64,
    inertia_factor: f64,
    // Quantities that follow from mass, radius and inertia factor.
    turns: bool,
    inertia: f64,
    slip_mass: f64,
    rolling_mass: f64,
    /// `R/I`: spin gained for each unit of tangential impulse.
    spin_per_impulse: f64,
}

impl Ball {
    /// `inertia_factor` k for a solid sphere.
    pub const SOLID_SPHERE: f64 = 0.4;
    /// `inertia_factor` k for a hollow sphere.
    pub const HOLLOW_SPHERE: f64 = 2.0 / 3.0;
    /// `inertia_factor` k for a disc or cylinder.
    pub const DISC: f64 = 0.5;
    /// `inertia_factor` k for a hoop.
    pub const HOOP: f64 = 1.0;

    /// Range of the mass.
    pub const MASS: Range = Range::positive("mass", "positive and finite (kg)");
    /// Range of the radius.
    pub const RADIUS: Range = Range::not_negative("radius", "zero or positive, and finite (m)");
    /// Range of `inertia_factor`.
    pub const INERTIA: Range = Range::new("inertia", 0.0, 1.0, "between 0 and 1");

    /// Creates a ball: mass in kg (> 0), radius in m (≥ 0), inertia factor k (0 … 1; without effect at R = 0).
    pub fn new(mass: f64, radius: f64, inertia_factor: f64) -> Result<Self, ParameterError> {
        let (mass, radius) = (Ball::MASS.check(mass)?, Ball::RADIUS.check(radius)?);
        let k = Ball::INERTIA.check(inertia_factor)?;
        let turns = radius > 0.0 && k > 0.0;
        let if_it_turns = |value: f64, otherwise: f64| if turns { value } else { otherwise };
        Ok(Ball {
            mass,
            radius,
            inertia_factor: k,
            turns,
            inertia: if_it_turns(k * mass * radius * radius, 0.0),
            slip_mass: if_it_turns(mass * (k / (1.0 + k)), mass),
            rolling_mass: if_it_turns((1.0 + k) * mass, mass),
            spin_per_impulse: if_it_turns(1.0 / (k * mass * radius), 0.0),
        })
    }

    /// A point mass of `mass` kg.
    pub fn point(mass: f64) -> Result<Self, ParameterError> {
        Ball::new(mass, 0.0, 0.0)
    }

    /// A solid sphere of `mass` kg and `radius` m.
    pub fn solid_sphere(mass: f64, radius: f64) -> Result<Self, ParameterError> {
        Ball::new(mass, radius, Ball::SOLID_SPHERE)
    }

    /// A hollow sphere of `mass` kg and `radius` m.
    pub fn hollow_sphere(mass: f64, radius: f64) -> Result<Self, ParameterError> {
        Ball::new(mass, radius, Ball::HOLLOW_SPHERE)
    }

    /// A disc or cylinder of `mass` kg and `radius` m.
    pub fn disc(mass: f64, radius: f64) -> Result<Self, ParameterError> {
        Ball::new(mass, radius, Ball::DISC)
    }

    /// Mass, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }
    /// Radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }
    /// Inertia factor `k` in `I = k m R²`.
    pub fn inertia_factor(&self) -> f64 {
        self.inertia_factor
    }
    /// Whether friction can change its spin: R > 0 and k > 0.
    pub fn turns(&self) -> bool {
        self.turns
    }
    /// Arm of friction about the centre, m: R, or 0 if it does not turn.
    pub fn arm(&self) -> f64 {
        if self.turns { self.radius } else { 0.0 }
    }
    /// `I` in kg m²; 0 if it does not turn.
    pub fn inertia(&self) -> f64 {
        self.inertia
    }
    /// Effective tangential mass `m_t` in `Δu = P_t/m_t`, kg: `m k/(1+k)`, or `m` if the ball does not turn.
    pub fn slip_mass(&self) -> f64 {
        self.slip_mass
    }
    /// Mass that a force along the ground accelerates in rolling, kg: `(1+k) m`, or `m` if the ball does not turn.
    pub fn rolling_mass(&self) -> f64 {
        self.rolling_mass
    }
    /// Change of spin (rad/s) by a tangential impulse P_t (N s) at the contact point: `R P_t/I`, 0 if it does not turn.
    pub fn spin_by(&self, impulse: f64) -> f64 {
        impulse * self.spin_per_impulse
    }
    /// Slip velocity of the contact point, m/s: `u = v·τ + R ω`, 0 within rounding; `v·τ` if the ball does not turn.
    pub fn slip_velocity(&self, tangential_velocity: f64, spin: f64) -> f64 {
        if !self.turns {
            return tangential_velocity;
        }
        let rim = self.radius * spin;
        let slip = tangential_velocity + rim;
        let rounding = Rounding::of_motion(0.0, 0.0, tangential_velocity.abs() + rim.abs(), 0.0);
        if Rounding::vanishes(slip, rounding.velocity) { 0.0 } else { slip }
    }
    /// Slip velocity `u` over any number, m/s, as [`Ball::slip_velocity`], but not set to 0 within rounding.
    #[inline(always)]
    pub fn slip<N: Number>(&self, tangential_velocity: N, spin: N) -> N {
        if self.turns { tangential_velocity + spin.scale(self.radius) } else { tangential_velocity }
    }
    /// `[v·τ, ω]` (m/s, rad/s) with `u = 0` exactly: a ball that turns keeps `v·τ` and gets the spin of rolling,
    /// `−v·τ/R`; another one keeps its spin and gets `v·τ = 0`.
    #[inline(always)]
    pub fn stuck<N: Number>(&self, tangential_velocity: N, spin: N) -> [N; 2] {
        if self.turns {
            [tangential_velocity, -(tangential_velocity / N::constant(self.radius))]
        } else {
            [N::constant(0.0), spin]
        }
    }
    /// Kinetic energy `(m v² + I ω²)/2`, J.
    #[inline]
    pub fn kinetic_energy(&self, velocity: Vector2<f64>, spin: f64) -> f64 {
        0.5 * (self.mass * velocity.norm_squared() + self.inertia() * spin * spin)
    }
}

/// The ball at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// Time, s.
    pub time: f64,
    /// Position of the centre, m.
    pub position: Vector2<f64>,
    /// Velocity of the centre, m/s.
    pub velocity: Vector2<f64>,
    /// Angle turned since the start, rad.
    pub angle: f64,
    /// Spin, rad/s.
    pub spin: f64,
    /// Energy lost so far to impacts, friction, damping and drag, J.
    pub dissipated: f64,
    /// Work done so far by the external force and torque, wind and moving ground, J.
    pub work: f64,
}
