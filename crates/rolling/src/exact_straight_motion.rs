//! Sliding and rolling on straight ground, solved exactly.
//!
//! The speed has an equation of its own there. With `w = v·τ − wind·τ`, and τ turned so that w ≥ 0,
//!
//! ```text
//! ẇ = a − r w − κ w²        M a = F·τ + f − c λ − d wind·τ,  M r = d + k_L,  M κ = k_D        M = m, or (1+k)m of a ball that rolls
//! w = (w₀ + (a − r w₀/2) S)/(1 + (r/2 + κ w₀) S)        S = tanh(pt)/p,  p² = r²/4 + κa
//! ```
//!
//! (Riccati's equation; tan where p is imaginary). F is the weight, f friction, λ = −F·n, c = c_rr sign(v·τ) of a ball
//! that rolls. The displacement is the integral of w, by an 8-point Gauss–Legendre rule.

use mechanics::Mode;
use newmark::{Control, Tolerance};
use numbers::{GAUSS_RULES, elementary};

use crate::{Between, ContactCount, ContactMethod, ContactState, ContactStep, ContactSystem, RollingError};

/// Method of exact steps where the ground is straight and the only forces are gravity, drag in a wind along the ground,
/// friction, damping and rolling resistance; elsewhere, and with fixed steps, another method makes them. A step is so
/// long that its dense output, of degree 8, is within half the tolerance.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Straight<C> {
    other: C,
    tolerance: Option<Tolerance>,
    count: ContactCount,
}

impl<C> Straight<C> {
    /// Creates the method; `other` makes the steps that are not exact.
    pub fn new(other: C, control: Control) -> Self {
        Straight { other, tolerance: control.tolerance(), count: ContactCount::default() }
    }

    /// Method of the steps that are not exact.
    pub fn other(&self) -> &C {
        &self.other
    }
}

impl<C: ContactMethod> ContactMethod for Straight<C> {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        let start = step.start;
        let Some((tolerance, law)) = self.tolerance.zip(AirLaw::of(system, &start)) else {
            return self.other.step(system, step, until);
        };
        let allowed = [start.frame.position.norm(), start.speed].map(|size| 0.5 * tolerance.allows(size.abs()));
        let h = law.length(until - start.time, allowed);
        let at = |t: f64, from: f64, way: f64| {
            let way = way + law.way(from, t);
            (law.state(system, &start, t, way), way)
        };
        let (middle, way) = at(0.5 * h, 0.0, 0.0);
        let (end, _) = at(h, 0.5 * h, way);
        if !(end.speed.is_finite() && end.place.parameter().is_finite() && end.spin.is_finite()) {
            return Err(RollingError::NotFinite { time: start.time });
        }
        *step = ContactStep { start, end, between: Between::Middle(middle) };
        self.count.steps += 1;
        self.count.frames += 2;
        Ok(())
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.tolerance.or(self.other.tolerance())
    }

    fn count(&self) -> ContactCount {
        let other = self.other.count();
        ContactCount { steps: self.count.steps + other.steps, frames: self.count.frames + other.frames, ..other }
    }

    fn carries(&self) -> bool {
        self.other.carries()
    }
}

/// Equation of motion from a state, with τ turned so that w ≥ 0 at the start.
#[derive(Clone, Copy, Debug)]
struct AirLaw {
    /// Whether w is along τ (+1) or against it (−1).
    sign: f64,
    /// Wind along τ, m/s.
    wind: f64,
    /// Speed through the air at the start w₀, m/s.
    speed: f64,
    /// Drive a, m/s².
    drive: f64,
    /// Decay rate r, 1/s.
    decay: f64,
    /// Quadratic drag κ, 1/m.
    drag: f64,
    /// Acceleration of the spin ω̇ in sliding, rad/s².
    twist: f64,
}

impl AirLaw {
    /// Takes the equation from the forces and the ground; `None`: they are not of this form.
    fn of(system: &ContactSystem, start: &ContactState) -> Option<AirLaw> {
        let (forces, ContactState { frame, place, .. }) = (system.forces, start);
        if forces.carriage().is_some() || forces.has_external() || forces.magnus() != 0.0 {
            return None;
        }
        let drags = forces.drag() != 0.0 || forces.linear_drag() != 0.0;
        let wind = if drags { forces.wind() } else { forces.wind() * 0.0 };
        if wind.dot(&frame.normal).abs() > 4.0 * f64::EPSILON * wind.norm() {
            return None;
        }
        let range = system.ground.range(*place);
        let (over, stretch) = system.ground.enclosure_and_rate(*place, range);
        let zero = |x: numbers::Interval| x.lo == 0.0 && x.hi == 0.0;
        if !(zero(over.curvature) && zero(stretch)) || system.mode == Mode::Resting {
            return None;
        }
        let (mass, moved) = (system.ball.mass(), system.mass());
        let pull = forces.gravity_vector() * mass;
        let friction = system.drag() * pull.dot(&frame.normal);
        let wind = wind.dot(&frame.tangent);
        let resistance = system.resistance() * pull.dot(&frame.normal);
        let drive =
            (pull.dot(&frame.tangent) + friction + resistance - system.contact.rolling_damping() * wind) / moved;
        let decay = (system.contact.rolling_damping() + forces.linear_drag()) / moved;
        let speed = start.speed - wind;
        // From rest in the air the ball moves where the drive pushes it. A speed that the drive stops within a tick of
        // the clock counts as rest.
        let still = speed * drive <= 0.0 && speed.abs() <= drive.abs() * numbers::Rounding::tick(start.time);
        let (speed, sign) = if still { (0.0, 1.0_f64.copysign(drive)) } else { (speed, 1.0_f64.copysign(speed)) };
        let twist = -system.twist() * pull.dot(&frame.normal);
        let twist = if system.ball.turns() { system.ball.spin_by(twist) } else { 0.0 };
        Some(AirLaw { sign, wind, speed: speed.abs(), drive: sign * drive, decay, drag: forces.drag() / moved, twist })
    }

    /// Speed w after `t` s, m/s.
    fn at(&self, t: f64) -> f64 {
        let AirLaw { speed, drive, decay, drag, .. } = *self;
        let square = 0.25 * decay * decay + drag * drive;
        let root = square.abs().sqrt();
        let s = match root * t {
            0.0 => t,
            angle if square > 0.0 => elementary::tanh(angle) / root,
            angle => elementary::tan(angle) / root,
        };
        (speed + (drive - 0.5 * decay * speed) * s) / (1.0 + (0.5 * decay + drag * speed) * s)
    }

    /// Time (s) at which w vanishes and quadratic drag turns round, with another equation; infinite if that never is.
    fn turns(&self) -> f64 {
        let AirLaw { speed, drive, decay, drag, .. } = *self;
        if drag == 0.0 || drive >= 0.0 {
            return f64::INFINITY;
        }
        let s = speed / (0.5 * decay * speed - drive);
        let square = 0.25 * decay * decay + drag * drive;
        let root = square.abs().sqrt();
        if root == 0.0 {
            s
        } else if square > 0.0 {
            elementary::atanh((root * s).min(1.0)) / root
        } else {
            elementary::atan(root * s) / root
        }
    }

    /// Longest step, s. Its polynomial is off by K h⁹ max|w⁽⁸⁾| in place and by K′ h⁸ max|w⁽⁸⁾| in velocity (Hermite's
    /// remainder with three nodes), which must be within `allowed`, m and m/s. With z = ẇ, ż = −(r + 2κw) z, so that
    /// |z| only falls, and
    ///
    /// ```text
    /// |z⁽ⁿ⁺¹⁾| ≤ (r + 2κw) |z⁽ⁿ⁾| + 2κ Σ C(n,i) |z⁽ⁱ⁻¹⁾| |z⁽ⁿ⁻ⁱ⁾|
    /// ```
    fn length(&self, longest: f64, allowed: [f64; 2]) -> f64 {
        /// max |ω|/9! and max |ω′|/9! of ω = (t(t − ½)(t − 1))³, rounded up.
        const HERMITE: [f64; 2] = [3.0692e-10, 2.51e-9];
        const ORDER: usize = 8;
        let first = (self.drive - self.decay * self.speed - self.drag * self.speed * self.speed).abs();
        let mut h = longest.min(self.turns());
        for _ in 0..64 {
            let fastest = self.speed.max(self.at(h));
            let rate = self.decay + 2.0 * self.drag * fastest;
            // The speed is constant to rounding: no bound is needed.
            if !(first > 4.0 * f64::EPSILON * rate * fastest) {
                break;
            }
            let mut z = [first; ORDER];
            for n in 0..ORDER - 1 {
                let (mut sum, mut choose) = (0.0, 1.0);
                for i in 1..=n {
                    choose *= (n + 1 - i) as f64 / i as f64;
                    sum += choose * z[i - 1] * z[n - i];
                }
                z[n + 1] = rate * z[n] + 2.0 * self.drag * sum;
            }
            let eighth = elementary::powi(h, 8) * z[ORDER - 1];
            let error = (HERMITE[0] * h * eighth / allowed[0]).max(HERMITE[1] * eighth / allowed[1]);
            // The quadrature rule is exact to rounding up to this length.
            let reach = 1.0 / rate;
            if error <= 1.0 && h <= reach {
                break;
            }
            h = (h * (0.95 * elementary::powf(error, -1.0 / 8.0)).min(0.9)).max(1e-3 * h).min(reach);
        }
        h
    }

    /// Displacement through the air `∫ w dt` between two times (s), m.
    fn way(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let pair = |&(x, weight): &(f64, f64)| weight * (self.at(middle - half * x) + self.at(middle + half * x));
        half * GAUSS_RULES[3].iter().map(pair).sum::<f64>()
    }

    /// State `t` s after the start, after a displacement of `way` m through the air.
    fn state(&self, system: &ContactSystem, start: &ContactState, t: f64, way: f64) -> ContactState {
        let (along, speed) = (self.sign * way + self.wind * t, self.sign * self.at(t) + self.wind);
        let parameter = start.place.parameter() + along / start.frame.speed;
        let radius = system.ball.radius();
        let [angle, spin] = match system.mode {
            _ if !system.ball.turns() => [start.angle + start.spin * t, start.spin],
            Mode::Rolling { .. } => [start.angle - along / radius, -speed / radius],
            _ => [start.angle + t * (start.spin + 0.5 * t * self.twist), start.spin + t * self.twist],
        };
        system.at(start, start.time + t, [parameter, speed, angle, spin])
    }
}
