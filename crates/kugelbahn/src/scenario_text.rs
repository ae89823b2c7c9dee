//! A simulation as the text of a scenario file.

use std::path::Path;

use identify::{Family, ModelError, Sensitivities, Trace};
use mechanics::CompliantLaw;
use scenario::input::InputError;
use scenario::unknowns::Unknowns;
use scenario::{Document, NotEventDriven};

use crate::{Error, Run, Simulation};

/// Tolerance of the run that sensitivities follow, as in `fit` and `aim`.
const TOLERANCE: f64 = 1e-11;

impl Simulation {
    /// Text of a scenario file that makes the same runs; paths in it are absolute. Parts written in Rust
    /// (a force, a ground, a law) have no text and are refused.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("x^2")?).restitution(0.5).thrown_from([0.1, 1.0], [0.0, 0.0]);
    /// let again = Simulation::from_text(&drop.to_toml()?)?;
    /// assert_eq!(again.run(1.0)?.events(), drop.run(1.0)?.events());
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn to_toml(&self) -> Result<String, Error> {
        self.check()?;
        let scenario = self.scenario();
        if scenario.initial.is_none() {
            return Err(NotEventDriven::NoStart.into());
        }
        let law = scenario.scene.compliance.as_ref().map(|law| law.law());
        let unwritten = [
            ("force", scenario.scene.forces.own().is_some() && *scenario.external == *"written in Rust"),
            ("ground", scenario.curve.kind == "own"),
            ("law of contact", matches!(law, Some(CompliantLaw::Own(_)))),
        ];
        if let Some((what, _)) = unwritten.into_iter().find(|(_, unwritten)| *unwritten) {
            return Err(Error::Unwritten { what });
        }
        toml::to_string(&scenario.written()).map_err(|error| InputError::without_place(error.to_string()).into())
    }

    /// Document of the text of [`to_toml`](Self::to_toml), for commands that vary its numbers.
    pub fn document(&self) -> Result<Document, Error> {
        Ok(Document::from_text(&self.to_toml()?, Path::new(""), &[], &self.scenario().methods)?)
    }
}

impl Run {
    /// Derivatives of the ball at `times` (s, ascending) and at each event by numbers such as `contact.restitution`:
    /// through all events by the saltation matrix ([`identify::sweep`]), along a run of its own to 1e-11.
    pub fn sensitivities(&self, keys: &[&str], times: &[f64]) -> Result<Sensitivities, Error> {
        self.check_times(times)?;
        let simulation = self.simulation();
        let unknowns = Unknowns::of(simulation.document()?, &keys.join(","))?;
        let found = || -> Result<Sensitivities, ModelError<InputError>> {
            let family = Family::new(&unknowns.start(), |values| unknowns.model(values))?;
            let trace = Trace::of(family.base(), simulation.options(self.end() - self.begin()), TOLERANCE)?;
            Ok(identify::sweep(&family, &trace, times)?)
        };
        found().map_err(|error| InputError::without_place(error.to_string()).into())
    }
}
