//! Steps of systems whose terms are not constant.

use faer::Mat;

use super::{Motion, Settings, Step, Theta, Workspace};
use crate::StepError;
use crate::matrix::{Unsolvable, multiply_add};
use crate::system::{At, Derivatives, System};

impl<S: System> Theta<S> {
    #[inline(never)]
    pub(super) fn step_newton(&mut self, time: f64, after: f64) -> Result<Step, StepError> {
        let taken = self.newton(time, after);
        // Other errors may come of a bad M.
        if !matches!(taken, Err(StepError::NotFinite { .. } | StepError::Relation { .. })) {
            self.check_mass(time)?;
        }
        taken
    }

    /// M as it was last evaluated, between the ends of the step.
    fn check_mass(&mut self, time: f64) -> Result<(), StepError> {
        let Workspace { mass, mass_check, .. } = &mut self.work;
        mass_check.check(mass.as_ref()).map_err(|source| StepError::Mass { time, source })
    }

    fn newton(&mut self, time: f64, after: f64) -> Result<Step, StepError> {
        let Settings { step: h, theta, tolerance, iterations } = self.settings;
        let n = self.free.len();
        self.internal(time, false);
        self.work.before.copy_from_slice(&self.work.right);
        self.next.velocity.copy_from_slice(&self.now.velocity);
        let (mut lcp, mut change) = (0, f64::INFINITY);
        for newton in 1..=iterations {
            self.move_on(n);
            self.internal(after, true);
            let work = &mut self.work;
            for i in 0..n {
                work.middle[i] = self.now.position[i] + theta * (self.next.position[i] - self.now.position[i]);
                work.blend[i] = (self.next.velocity[i] - self.now.velocity[i]) / h;
                let after = work.external[1][i] - work.right[i];
                let before = work.external[0][i] - work.before[i];
                work.right[i] = h * (theta * after + (1.0 - theta) * before);
            }
            // 0·x is 0 or NaN.
            if work.right.iter().fold(0.0, |sum, x| sum + 0.0 * x) != 0.0 {
                return Err(StepError::NotFinite { what: self.not_finite_force(time, after), time });
            }
            let work = &mut self.work;
            // The Jacobian, M + hθC + h²θ²K, with ∂(M a)/∂q in K.
            work.mass.fill(0.0);
            work.stiffness.fill(0.0);
            work.damping.fill(0.0);
            let [first, second, third] = &mut work.scratch;
            let mut into = Derivatives {
                stiffness: work.stiffness.as_mut(),
                damping: work.damping.as_mut(),
                mass: work.mass.as_mut(),
                scratch: [first, second, third],
            };
            let at = At { time: after, position: &self.next.position, velocity: &self.next.velocity };
            self.system.derivatives(at, &work.blend, &mut into);
            work.mass.fill(0.0);
            self.system.mass(&work.middle, work.mass.as_mut());
            // right − M (v − v₀)
            for i in 0..n {
                work.term[i] = self.now.velocity[i] - self.next.velocity[i];
            }
            multiply_add(work.mass.as_ref(), 1.0, &work.term, &mut work.right);
            let (mass, damping, stiffness) = (&work.mass, &work.damping, &work.stiffness);
            let fill = |into: &mut Mat<f64>| {
                faer::zip!(into, mass, damping, stiffness).for_each(|faer::unzip!(into, m, c, k)| {
                    *into = *m + h * theta * (*c + h * theta * *k);
                });
            };
            match self.factor.factorise(fill) {
                Ok(()) => {}
                Err(Unsolvable::Singular) => return Err(StepError::Singular { time, iteration: newton }),
                Err(Unsolvable::NotFinite) => {
                    self.check_mass(time)?;
                    return Err(StepError::NotFinite { what: "a derivative of M, Q or F", time });
                }
            }
            self.free.copy_from_slice(&self.work.right);
            self.factor.solve(&mut self.free);
            for i in 0..n {
                self.free[i] += self.next.velocity[i];
                self.work.blend[i] = self.next.velocity[i];
            }
            self.relations.solve_columns(&mut self.factor, false);
            lcp += match self.relations.solve(&self.free, time) {
                Ok(lcp) => lcp,
                Err(error) => return Err(self.explained(error, time)),
            };
            self.relations.apply(&self.free, &mut self.next.velocity);
            let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            // At rest the free velocity, h times an acceleration, is what velocities are compared with.
            let scale = largest(&self.next.velocity).max(largest(&self.now.velocity)).max(largest(&self.free));
            change = 0.0;
            for (new, old) in self.next.velocity.iter().zip(&self.work.blend) {
                let part = (new - old).abs();
                change = if part.is_nan() { part } else { part.max(change) };
            }
            if !change.is_finite() {
                return Err(StepError::NotFinite { what: "the velocity", time });
            }
            if change <= tolerance * scale {
                self.move_on(n);
                return Ok(Step { active: self.relations.active(), newton, lcp });
            }
        }
        Err(StepError::Newton { time, change, tolerance, iterations })
    }

    /// `Q + F` into `right`, of the state before the step or `after` it.
    fn internal(&mut self, time: f64, after: bool) {
        let Motion { position, velocity } = if after { &self.next } else { &self.now };
        let Workspace { right, term, .. } = &mut self.work;
        right.fill(0.0);
        self.system.inertia_force(position, velocity, right);
        term.fill(0.0);
        self.system.internal_force(At { time, position, velocity }, term);
        for (sum, term) in right.iter_mut().zip(term) {
            *sum += *term;
        }
    }
}
