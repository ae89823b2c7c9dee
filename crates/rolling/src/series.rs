//! A step of contact as polynomials of time.

use curves::Path;
use curves::tape::{horner, least, most_bend};
use mechanics::{Guard, Mode};
use nalgebra::Vector2;

use crate::{ContactState, ContactSystem};

/// Coefficients of a step's series.
pub const TERMS: usize = 17;

/// Polynomials of a number, lowest coefficient first, in powers of seconds since the start of the step.
pub type Polynomial = [f64; TERMS];

/// A step of contact as Taylor polynomials of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSeries {
    /// Of the motion; forces are known to one less.
    pub degree: usize,
    /// Parameter of the ground.
    pub parameter: Polynomial,
    /// rad
    pub angle: Polynomial,
    /// `v·τ`, m/s.
    pub speed: Polynomial,
    /// rad/s
    pub spin: Polynomial,
    /// λ, N.
    pub normal_force: Polynomial,
    /// f along τ, N.
    pub friction_force: Polynomial,
}

impl StepSeries {
    /// Of nothing.
    pub(crate) const NONE: StepSeries = StepSeries {
        degree: 0,
        parameter: [0.0; TERMS],
        angle: [0.0; TERMS],
        speed: [0.0; TERMS],
        spin: [0.0; TERMS],
        normal_force: [0.0; TERMS],
        friction_force: [0.0; TERMS],
    };

    /// (parameter, angle) over a step of so many s.
    pub(crate) fn path(&self, duration: f64) -> Path<TERMS> {
        let coefficients = std::array::from_fn(|k| Vector2::new(self.parameter[k], self.angle[k]));
        Path::series(&coefficients, self.degree, duration)
    }

    /// What has to stay positive as long as a guard holds: two where it bounds a size, the same twice else.
    fn guarded(&self, system: &ContactSystem, guard: Guard) -> [Polynomial; 2] {
        let mixed = |a: f64, p: &Polynomial, b: f64, q: &Polynomial| -> Polynomial {
            std::array::from_fn(|k| a * p[k] + b * q[k])
        };
        match (guard, system.mode) {
            (Guard::Normal, _) => [self.normal_force; 2],
            (Guard::Friction, _) => {
                let mu = system.contact.friction_coefficient();
                [-1.0, 1.0].map(|sign| mixed(mu, &self.normal_force, sign, &self.friction_force))
            }
            (Guard::Slip, Mode::Sliding { sign }) => {
                let radius = if system.ball.turns() { system.ball.radius() } else { 0.0 };
                [mixed(sign, &self.speed, sign * radius, &self.spin); 2]
            }
            (Guard::Turn, Mode::Rolling { sign }) => [mixed(sign, &self.speed, 0.0, &self.speed); 2],
            (Guard::Slip | Guard::Turn, _) => [std::array::from_fn(|k| if k == 0 { f64::INFINITY } else { 0.0 }); 2],
        }
    }

    /// Whether the coefficients prove that a guard holds over a step of so many s.
    pub fn keeps(&self, system: &ContactSystem, guard: Guard, duration: f64) -> bool {
        let [one, other] = self.guarded(system, guard);
        least(&one, duration) > 0.0 && (guard != Guard::Friction || least(&other, duration) > 0.0)
    }

    /// A bound of the size of the second derivative of a guard's value over a step of so many s.
    pub fn bend(&self, system: &ContactSystem, guard: Guard, duration: f64) -> f64 {
        self.guarded(system, guard).iter().fold(0.0, |most: f64, p| most.max(most_bend(p, duration)))
    }

    /// The ball `t` seconds after the start of a step, but for its ledger.
    pub fn at(&self, system: &ContactSystem, start: &ContactState, t: f64) -> ContactState {
        let mut state = *start;
        let at = |p: &Polynomial| horner(&p[..=self.degree], t);
        state.time = start.time + t;
        state.place = start.place.at(at(&self.parameter));
        state.frame = system.ground.frame(state.place);
        (state.speed, state.spin, state.angle) = (at(&self.speed), at(&self.spin), at(&self.angle));
        state.normal_speed = 0.0;
        system.relabel(&mut state);
        state
    }

    /// J lost to friction and damping within `t` seconds after the start of a step: the integral of `d v² + c_rr λ |v| − f u`.
    pub(crate) fn lost(&self, system: &ContactSystem, t: f64) -> f64 {
        let damping = system.contact.rolling_damping();
        let (rubs, resistance) = (system.drag() != 0.0, system.resistance());
        let radius = if system.ball.turns() { system.ball.radius() } else { 0.0 };
        let (mut sum, mut power) = (0.0, t);
        for k in 0..self.degree {
            let mut term = 0.0;
            for j in 0..=k {
                if rubs {
                    term -= self.friction_force[j] * (self.speed[k - j] + radius * self.spin[k - j]);
                }
                term += (damping * self.speed[j] + resistance * self.normal_force[j]) * self.speed[k - j];
            }
            sum += term * power / (k + 1) as f64;
            power *= t;
        }
        sum
    }
}
