//! What of a step is not finite.

use super::{Motion, Theta};
use crate::StepError;
use crate::system::{At, System};

impl<S: System> Theta<S> {
    /// Which force, if one of the step is not finite.
    #[cold]
    pub(super) fn not_finite_force(&mut self, time: f64, after: f64) -> &'static str {
        let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        if !self.work.external.iter().all(|force| finite(force)) {
            return "the external force";
        }
        for (time, Motion { position, velocity }) in [(time, &self.now), (after, &self.next)] {
            if !finite(position) || !finite(velocity) {
                return "the velocity";
            }
            let term = &mut self.work.term;
            term.fill(0.0);
            self.system.internal_force(At { time, position, velocity }, term);
            if !finite(term) {
                return "the internal force F";
            }
            term.fill(0.0);
            self.system.inertia_force(position, velocity, term);
            if !finite(term) {
                return "the inertia force Q";
            }
        }
        "the sum of the forces"
    }

    /// What the solver of the contacts was given that is not finite, if that is why it failed.
    #[cold]
    pub(super) fn explained(&self, error: StepError, time: f64) -> StepError {
        let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        if let Some(error) = self.relations.not_finite(time) {
            error
        } else if !finite(&self.work.external[1]) {
            StepError::NotFinite { what: "the external force", time }
        } else if !finite(&self.free) {
            StepError::NotFinite { what: "the velocity", time }
        } else {
            error
        }
    }

    /// What, if something of the step is not finite.
    pub(super) fn not_finite(&self) -> &'static str {
        let all = |values: &[f64]| values.iter().all(|x| x.is_finite());
        if !all(&self.work.external[1]) {
            "the external force"
        } else if !all(&self.next.velocity) {
            "the velocity"
        } else if !all(&self.next.position) {
            "the position"
        } else {
            "the work"
        }
    }
}
