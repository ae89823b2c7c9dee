//! Steps of systems whose terms are not constant, by Newton's method.

use faer::Mat;
use moreau::StepError::{Newton, NotFinite, Singular};
use moreau::Stride;

use super::{Motion, Settings, Theta, Workspace};
use crate::StepError;
use crate::matrix::{Unsolvable, multiply_add};
use crate::system::{At, Derivatives, System};

impl<S: System> Theta<S> {
    /// Checks M as it was last evaluated, between the ends of the step.
    #[inline(never)]
    pub(super) fn check_mass(&mut self, time: f64) -> Result<(), StepError> {
        let Workspace { mass, mass_check, .. } = &mut self.work;
        mass_check.check(mass.as_ref()).map_err(|source| StepError::Mass { time, source })
    }

    /// Finds `v_free` of the first linearisation.
    #[inline(never)]
    pub(super) fn fly(&mut self, at: Stride, after: f64) -> Result<(), StepError> {
        self.internal(at.time, false);
        self.work.before.copy_from_slice(&self.work.right);
        self.next.velocity.copy_from_slice(&self.now.velocity);
        self.move_on(self.free.len());
        self.linearise(at, after, 1)
    }

    /// Linearises anew, for iteration `newton` + 1, unless the contacts changed the velocity by no more than the tolerance.
    #[inline(never)]
    pub(super) fn goes_on(&mut self, at: Stride, after: f64, newton: &mut usize) -> Result<bool, StepError> {
        let Settings { tolerance, iterations, .. } = self.settings;
        let time = at.time;
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        // At rest the free velocity, h times an acceleration, is what velocities are compared with.
        let scale = largest(&self.next.velocity).max(largest(&self.now.velocity)).max(largest(&self.free));
        let mut change = 0.0_f64;
        for (new, old) in self.next.velocity.iter().zip(&self.work.blend) {
            let part = (new - old).abs();
            change = if part.is_nan() { part } else { part.max(change) };
        }
        if !change.is_finite() {
            return Err(NotFinite { what: "the velocity", time }.into());
        }
        if change <= tolerance * scale {
            return Ok(false);
        }
        if *newton == iterations {
            return Err(Newton { time, change, tolerance, iterations }.into());
        }
        *newton += 1;
        self.move_on(self.free.len());
        self.linearise(at, after, *newton)?;
        Ok(true)
    }

    /// Finds `v_free` and `WH` by the terms at the end of the step as it is known.
    fn linearise(&mut self, at: Stride, after: f64, iteration: usize) -> Result<(), StepError> {
        let Stride { time, step: h, theta, .. } = at;
        let n = self.free.len();
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
            return Err(NotFinite { what: self.not_finite_force(time, after), time }.into());
        }
        self.factorise(at, after, iteration)?;
        self.free.copy_from_slice(&self.work.right);
        self.factor.solve(&mut self.free);
        for i in 0..n {
            self.free[i] += self.next.velocity[i];
            self.work.blend[i] = self.next.velocity[i];
        }
        self.relations.solve_columns(&mut self.factor, false);
        Ok(())
    }

    /// Factorises the Jacobian, M + hθC + h²θ²K, with ∂(M a)/∂q in K, and takes `M (v − v₀)` off the right side.
    fn factorise(&mut self, at: Stride, after: f64, iteration: usize) -> Result<(), StepError> {
        let Stride { time, step: h, theta, .. } = at;
        let work = &mut self.work;
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
        let end = At { time: after, position: &self.next.position, velocity: &self.next.velocity };
        self.system.derivatives(end, &work.blend, &mut into);
        work.mass.fill(0.0);
        self.system.mass(&work.middle, work.mass.as_mut());
        for (term, (before, after)) in work.term.iter_mut().zip(self.now.velocity.iter().zip(&self.next.velocity)) {
            *term = before - after;
        }
        multiply_add(work.mass.as_ref(), 1.0, &work.term, &mut work.right);
        let (mass, damping, stiffness) = (&work.mass, &work.damping, &work.stiffness);
        let fill = |into: &mut Mat<f64>| {
            faer::zip!(into, mass, damping, stiffness).for_each(|faer::unzip!(into, m, c, k)| {
                *into = *m + h * theta * (*c + h * theta * *k);
            });
        };
        match self.factor.factorise(fill) {
            Ok(()) => Ok(()),
            Err(Unsolvable::Singular) => Err(Singular { time, iteration }.into()),
            Err(Unsolvable::NotFinite) => {
                self.check_mass(time)?;
                Err(NotFinite { what: "a derivative of M, Q or F", time }.into())
            }
        }
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
