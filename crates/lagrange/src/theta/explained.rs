//! Names of what is not finite in a step.

use super::{Motion, Theta};
use crate::StepError;
use crate::system::{At, System};

impl<S: System> Theta<S> {
    /// Name of the force that is not finite in the step.
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

    /// Error of the solver of contacts, or what of its input is not finite where that is why it failed.
    #[cold]
    pub(super) fn explained(&self, source: lcp::Failure, time: f64) -> StepError {
        let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        let not_finite = |what| moreau::StepError::NotFinite { what, time }.into();
        if let Some(error) = self.relations.not_finite(time) {
            error
        } else if !finite(&self.work.external[1]) {
            not_finite("the external force")
        } else if !finite(&self.free) {
            not_finite("the velocity")
        } else {
            moreau::StepError::Contacts { time, source }.into()
        }
    }

    /// Name of what is not finite at the end of the step.
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
