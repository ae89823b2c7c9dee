//! Scenarios with rolling resistance that no method of theirs can carry.

use crate::Scenario;
use crate::input::{InputError, Node};
use crate::settings::FormulationKind;

impl Scenario {
    /// Why there is no rolling resistance here though the law of contact has some, and what to do.
    pub(crate) fn resistance_refused(&self) -> Option<(&'static str, &'static str)> {
        if !self.scene.laws().any(|law| law.rolling_resistance() > 0.0) {
            return None;
        }
        let carries = matches!(self.solver.formulation, FormulationKind::Ours(formulation) if formulation.carries());
        if self.stepping.is_some() {
            let cure = "run it event by event: `solver.method = \"newmark\"`, and leave `step` out";
            Some(("time stepping, and runs of several balls, have no law of it", cure))
        } else if !self.scene.ball.turns() {
            let cure = "give the ball a `radius` and an `inertia`, or give `rolling-damping` or `friction` instead";
            Some(("this ball does not turn: a bead does not roll", cure))
        } else if carries {
            let cure = "take `formulation = \"symmetric\"`, \"arc-length\", \"projected\" or \"taylor\"";
            Some(("this formulation takes the force of the ground from its multiplier, which it is no part of", cure))
        } else {
            None
        }
    }

    /// Refuses rolling resistance at the place of the key.
    pub(crate) fn check_resistance(&self, tree: &Node) -> Result<(), InputError> {
        let Some((why, cure)) = self.resistance_refused() else { return Ok(()) };
        let message = format!("`rolling-resistance` is given, and {why}");
        let key = tree.get("contact").and_then(|contact| contact.get("rolling-resistance"));
        Err(match key {
            Some(node) => InputError::new(&node.span, message, "not here"),
            None => InputError::without_place(message),
        }
        .with_help(cure))
    }
}
