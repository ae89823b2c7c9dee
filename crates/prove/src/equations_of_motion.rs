//! The equations of motion divided by the mass, so that no coefficient is rounded before they are enclosed.
//!
//! They equal those of [`mechanics`] (design §2), where masses are combined in `f64` first; a test compares both.
//! Rolling resistance c_rr is not among them: the proof refuses it. Rolling damping is, in every mode.

use curves::{Curve, Frame, FrameOver};
use mechanics::{ContactLaw, Forces, Mode};
use nalgebra::Vector2;
use numbers::{Interval, Number, elementary};
use supervisor::Scene;

/// Right-hand side of a motion `ż = f(z)`.
pub(crate) trait Rate<const D: usize> {
    fn at<N: Number>(&self, z: [N; D]) -> [N; D];
}

/// Motion in flight: gravity, drag and Magnus force.
#[derive(Clone, Debug)]
pub(crate) struct AirMotion {
    /// Gravity, m/s².
    pub gravity: Vector2<f64>,
    mass: f64,
    /// All forces but gravity.
    rest: Forces,
}

impl AirMotion {
    pub fn of(scene: &Scene) -> Option<Self> {
        let forces = &scene.forces;
        let rest = forces.clone().with_gravity(Vector2::zeros()).ok()?;
        Some(AirMotion { gravity: forces.gravity_vector(), mass: scene.ball.mass(), rest })
    }

    /// Acceleration at a velocity and a spin, m/s².
    pub fn acceleration<N: Number>(&self, velocity: [N; 2], spin: N) -> [N; 2] {
        let nothing = N::constant(0.0);
        let force = self.rest.at(nothing, [nothing; 2], velocity, spin);
        let (mass, gravity) = (N::constant(self.mass), [self.gravity.x, self.gravity.y]);
        [0, 1].map(|i| force[i] / mass + N::constant(gravity[i]))
    }

    /// Length (s) of a step in which drag is below rounding, and a bound of drag (m/s²). `None` unless the velocity w
    /// through the air is near 0, where `k‖w‖w` has no series, and quadratic drag is the only force beside gravity.
    pub fn still(&self, z: &[Interval; 5]) -> Option<(f64, f64)> {
        let (drag, gravity) = (self.rest.drag() / self.mass, self.gravity.norm());
        if drag == 0.0 || gravity == 0.0 || self.rest.linear_drag() != 0.0 || self.rest.magnus() != 0.0 {
            return None;
        }
        let wind = self.rest.wind();
        let speed = (z[2].magnitude() + wind.x.abs()).max(z[3].magnitude() + wind.y.abs()).max(1.0);
        let through = [z[2] - Interval::point(wind.x), z[3] - Interval::point(wind.y)].map(Interval::magnitude);
        // From below `slow`, speed through the air stays below 2 slow for 0.5 slow/g: drag changes it by ≤ ε/4 `speed`.
        let slow = elementary::cbrt(0.125 * f64::EPSILON * gravity * speed / drag);
        let now = elementary::hypot(through[0], through[1]);
        (now < slow).then(|| (0.5 * slow / gravity, (4.0 + 1e-9) * drag * slow * slow))
    }
}

/// State of flight: `[x, y, vx, vy, ω]`.
impl Rate<5> for AirMotion {
    fn at<N: Number>(&self, [_, _, vx, vy, spin]: [N; 5]) -> [N; 5] {
        let [ax, ay] = self.acceleration([vx, vy], spin);
        [vx, vy, ax, ay, N::constant(0.0)]
    }
}

/// Frame of the ground itself (R = 0), over any number.
pub(crate) fn frame<N: Number>(curve: &dyn Curve, s: N) -> FrameOver<N> {
    FrameOver::of(N::series_of::<3, _>(curve, s))
}

/// Motion in contact: `[s, v·τ, ω]`.
#[derive(Clone, Debug)]
pub(crate) struct GroundMotion<'a> {
    pub curve: &'a dyn Curve,
    pub radius: f64,
    /// Inertia factor `k`; `None`: the ball does not turn.
    pub inertia: Option<f64>,
    pub air: AirMotion,
    /// Law of contact.
    pub law: ContactLaw,
    pub mode: Mode,
}

/// Motion on the ground, and contact forces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnGround<N> {
    /// Rate of `[s, v·τ, ω]`.
    pub rate: [N; 3],
    /// λ/m, m/s².
    pub normal: N,
    /// f/m, m/s².
    pub friction: N,
    /// Slip velocity u, m/s.
    pub slip: N,
}

/// A guard: positive while a mode lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ProvenGuard {
    /// λ/m, m/s².
    Normal,
    /// u in the direction of slip, m/s, by the sign.
    Slip(f64),
    /// (μλ − f)/m, or (μλ + f)/m with the sign −1, m/s².
    Cone(f64),
}

impl GroundMotion<'_> {
    /// Rates and contact forces at `[s, v·τ, ω]`, by the mode.
    pub fn motion<N: Number>(&self, [s, v, spin]: [N; 3]) -> OnGround<N> {
        let Frame { tangent, normal, curvature, speed, .. } = frame(self.curve, s).offset(self.radius);
        let [ax, ay] = self.air.acceleration(tangent.map(|t| t * v), spin);
        let (along, across) = (ax * tangent[0] + ay * tangent[1], ax * normal[0] + ay * normal[1]);
        let force = curvature * v.square() - across;
        let drive = along - v.scale(self.law.rolling_damping()) / N::constant(self.air.mass);
        let nothing = N::constant(0.0);
        let (friction, forward) = match self.mode {
            Mode::Sliding { sign, .. } => {
                let friction = if sign == 0.0 { nothing } else { force.scale(-sign * self.law.sliding_coefficient()) };
                (friction, drive + friction)
            }
            Mode::Rolling { .. } => {
                let k = self.inertia.unwrap_or(0.0);
                let forward = drive / (N::constant(1.0) + N::constant(k));
                (forward.scale(-k), forward)
            }
            Mode::Resting => (-along, nothing),
        };
        let turning = match self.inertia {
            Some(k) => friction / N::constant(k).scale(self.radius),
            None => nothing,
        };
        let slip = if self.inertia.is_some() { v + spin.scale(self.radius) } else { v };
        OnGround { rate: [v / speed, forward, turning], normal: force, friction, slip }
    }

    /// Guards that must stay positive for the mode to last.
    pub fn guards(&self) -> Vec<ProvenGuard> {
        let mut guards = vec![ProvenGuard::Normal];
        match self.mode {
            Mode::Sliding { sign, .. } if sign != 0.0 => guards.push(ProvenGuard::Slip(sign)),
            Mode::Rolling { .. } if !self.law.never_slips() => {
                guards.extend([ProvenGuard::Cone(1.0), ProvenGuard::Cone(-1.0)])
            }
            _ => {}
        }
        guards
    }

    pub fn guard<N: Number>(&self, guard: ProvenGuard, z: [N; 3]) -> N {
        let motion = self.motion(z);
        match guard {
            ProvenGuard::Normal => motion.normal,
            ProvenGuard::Slip(sign) => motion.slip.scale(sign),
            ProvenGuard::Cone(sign) => {
                motion.normal.scale(self.law.sticking_coefficient()) - motion.friction.scale(sign)
            }
        }
    }
}

impl Rate<3> for GroundMotion<'_> {
    fn at<N: Number>(&self, z: [N; 3]) -> [N; 3] {
        self.motion(z).rate
    }
}
