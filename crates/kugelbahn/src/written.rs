//! A simulation as the text of a scenario file.

use std::path::Path;

use identify::{Family, Model, Sensitivities, Trace};
use mechanics::CompliantLaw;
use scenario::input::{InputError, Node, Value};
use scenario::unknowns::Unknowns;
use scenario::{Document, NotEventDriven};

use crate::{Error, Run, Simulation};

/// What steps of the run that sensitivities follow are held to, as in `fit` and `aim`.
const TOLERANCE: f64 = 1e-11;

impl Simulation {
    /// The text of a scenario file that makes the same runs; files it names are named from the root. What is written in Rust
    /// (a force, a ground, a law) has no text and is refused.
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
        let mut values = scenario.resolved();
        let several = !scenario.curve.curves.is_empty();
        for (table, node) in scenario.curve.nodes.iter().enumerate() {
            let ground = &mut values["ground"];
            let ground = if several { &mut ground[table] } else { ground };
            ground["curve"] = serde_json::to_value(rooted(node)).unwrap_or_default();
        }
        // TOML has no null: what is not there is left out.
        if let Some(forces) = values["forces"].as_object_mut()
            && scenario.external.is_null()
        {
            forces.shift_remove("external");
        }
        toml::to_string(&values).map_err(|error| InputError::without_place(error.to_string()).into())
    }

    /// The same, read: what commands that vary numbers begin with.
    pub fn document(&self) -> Result<Document, Error> {
        Ok(Document::from_text(&self.to_toml()?, Path::new(""), &[], &self.scenario().methods)?)
    }
}

impl Run {
    /// Derivatives of the ball at `times` (s, ascending) and at each event by numbers of the scenario, such as
    /// `contact.restitution`: through all events, by the saltation matrix ([`identify::sweep`]). They are those of a run of its own, to
    /// a tolerance of 1e-11.
    pub fn sensitivities(&self, keys: &[&str], times: &[f64]) -> Result<Sensitivities, Error> {
        let (begin, end) = (self.begin(), self.end());
        if let Some(time) = times.iter().copied().find(|time| !(begin <= *time && *time <= end)) {
            return Err(Error::Time { time, begin, end });
        }
        let simulation = self.simulation();
        let unknowns = Unknowns::of(simulation.document()?, &keys.join(","))?;
        let model = |values: &[f64]| unknowns.model(values);
        let refused = |error: &dyn std::fmt::Display| Error::from(InputError::without_place(error.to_string()));
        let family = Family::new(&unknowns.start(), model).map_err(|error| refused(&error))?;
        let base: &Model = family.base();
        let trace = Trace::of(base, simulation.options(end - begin), TOLERANCE).map_err(|error| refused(&error))?;
        identify::sweep(&family, &trace, times).map_err(|error| refused(&error))
    }
}

/// A curve with the files it names named from the root: they stand beside the file that names them.
fn rooted(node: &Node) -> Node {
    let mut node = node.clone();
    let folder = Path::new(node.span.source.name()).parent().unwrap_or(Path::new("")).to_owned();
    match &mut node.value {
        Value::String(text) => {
            let path = folder.join(&**text);
            if let Some(path) = path.is_file().then(|| path.canonicalize().ok()).flatten() {
                *text = path.to_string_lossy().into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = rooted(item)),
        Value::Table(entries) => entries.iter_mut().for_each(|(.., node)| *node = rooted(node)),
        _ => {}
    }
    node
}
