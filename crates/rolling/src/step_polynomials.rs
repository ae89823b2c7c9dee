//! How do Taylor polynomials of a contact step give its states, the signs of its guards and the energy lost?

use curves::Path;
use mechanics::{Guard, Mode};
use nalgebra::Vector2;
use numbers::polynomial::{horner, least, most_bend};

use crate::{ContactState, ContactSystem};

/// Number of coefficients: those of the highest order, 16.
pub const TERMS: usize = 17;

/// Coefficients, lowest first, of powers of the seconds since the start of the step.
pub type Polynomial = [f64; TERMS];

/// Polynomials that are positive while a guard holds: one, or two for the friction cone, which bounds |f|.
#[derive(Clone, Copy, Debug)]
pub struct Guarded(Polynomial, Option<Polynomial>);

impl Guarded {
    fn all(&self) -> impl Iterator<Item = &Polynomial> {
        std::iter::once(&self.0).chain(&self.1)
    }

    /// Smallest value `t` seconds after the start.
    pub fn at(&self, t: f64) -> f64 {
        self.all().map(|p| horner(p, t)).fold(f64::INFINITY, f64::min)
    }

    /// Whether the coefficients prove the polynomials positive over `duration` s.
    pub fn keeps(&self, duration: f64) -> bool {
        self.all().all(|p| least(p, duration) > 0.0)
    }

    /// Bound of the second derivatives over `duration` s.
    pub fn bend(&self, duration: f64) -> f64 {
        self.all().fold(0.0, |most, p| most.max(most_bend(p, duration)))
    }
}

/// A step of contact as Taylor polynomials of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSeries {
    /// Degree of the motion's polynomials; those of forces have one less.
    pub degree: usize,
    /// Parameter of the ground.
    pub parameter: Polynomial,
    /// Angle turned, rad.
    pub angle: Polynomial,
    /// Velocity along the ground `v·τ`, m/s.
    pub speed: Polynomial,
    /// Spin, rad/s.
    pub spin: Polynomial,
    /// Normal force λ, N.
    pub normal_force: Polynomial,
    /// Friction f along τ, N.
    pub friction_force: Polynomial,
}

impl StepSeries {
    /// Series of degree 0 with all coefficients zero.
    pub(crate) const NONE: StepSeries = StepSeries {
        degree: 0,
        parameter: [0.0; TERMS],
        angle: [0.0; TERMS],
        speed: [0.0; TERMS],
        spin: [0.0; TERMS],
        normal_force: [0.0; TERMS],
        friction_force: [0.0; TERMS],
    };

    /// Path of (parameter, angle) over a step of `duration` s.
    pub(crate) fn path(&self, duration: f64) -> Path<TERMS> {
        let coefficients = std::array::from_fn(|k| Vector2::new(self.parameter[k], self.angle[k]));
        Path::series(&coefficients, self.degree, duration)
    }

    /// Polynomials that are positive while this guard holds.
    pub fn guarded(&self, system: &ContactSystem, guard: Guard) -> Guarded {
        let mixed = |a: f64, p: &Polynomial, b: f64, q: &Polynomial| -> Polynomial {
            std::array::from_fn(|k| a * p[k] + b * q[k])
        };
        let alone = match (guard, system.mode) {
            (Guard::Normal, _) => self.normal_force,
            (Guard::Friction, _) => {
                let mu = system.contact.sticking_coefficient();
                let [less, more] = [-1.0, 1.0].map(|sign| mixed(mu, &self.normal_force, sign, &self.friction_force));
                return Guarded(less, Some(more));
            }
            (Guard::Slip, Mode::Sliding { sign, .. }) => mixed(sign, &self.speed, sign * system.ball.arm(), &self.spin),
            (Guard::Turn, Mode::Rolling { sign }) => self.speed.map(|c| sign * c),
            (Guard::Spin, Mode::Sliding { spin, .. }) => self.spin.map(|c| spin * system.ball.radius() * c),
            // A guard of another mode never ends this one.
            (Guard::Slip | Guard::Turn | Guard::Spin, _) => {
                std::array::from_fn(|k| if k == 0 { f64::INFINITY } else { 0.0 })
            }
        };
        Guarded(alone, None)
    }

    /// State `t` seconds after the start, without its ledger.
    pub fn at(&self, system: &ContactSystem, start: &ContactState, t: f64) -> ContactState {
        let mut state = self.moving(system, start, t);
        system.relabel(&mut state);
        state
    }

    /// Place, velocity and spin `t` seconds after the start; forces and acceleration are left as they are at the start.
    pub(crate) fn moving(&self, system: &ContactSystem, start: &ContactState, t: f64) -> ContactState {
        let mut state = *start;
        let at = |p: &Polynomial| horner(&p[..=self.degree], t);
        state.time = start.time + t;
        state.place = start.place.at(at(&self.parameter));
        state.frame = system.ground.frame(state.place);
        (state.speed, state.angle) = (at(&self.speed), at(&self.angle));
        state.spin = system.spin(state.speed, at(&self.spin));
        state.normal_speed = 0.0;
        state
    }

    /// Energy (J) lost to contact within `t` seconds: the integral of `d v² + c_rr λ R |ω| − f u`. Products are kept to
    /// degree 2n: cut off at the degree n of their factors, they would err by up to 2ⁿ times more.
    pub(crate) fn lost(&self, system: &ContactSystem, t: f64) -> f64 {
        let damping = system.contact.rolling_damping();
        let (rubs, [along, around]) = (system.drag() != 0.0, system.resisting());
        let arm = system.ball.arm();
        // Terms cₖtᵏ are taken instead of coefficients cₖ, whose products overflow on steep ground.
        let there = |p: &Polynomial| {
            let mut power = 1.0;
            p.map(|c| {
                let counts = c * power;
                power *= t;
                counts
            })
        };
        let [speed, spin, pushed, rubbed] =
            [&self.speed, &self.spin, &self.normal_force, &self.friction_force].map(there);
        let mut sum = 0.0;
        for k in 0..=2 * self.degree {
            let mut term = 0.0;
            for j in k.saturating_sub(self.degree)..=k.min(self.degree) {
                if rubs {
                    term -= rubbed[j] * (speed[k - j] + arm * spin[k - j]);
                }
                term += (damping * speed[j] + along * pushed[j]) * speed[k - j];
                term += around * pushed[j] * spin[k - j];
            }
            sum += term * t / (k + 1) as f64;
        }
        sum
    }
}
