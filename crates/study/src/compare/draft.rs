//! [`Draft`]: a scenario that is run by several methods.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use newmark::Tolerance;
use rolling::Formulation;
use scenario::input::{Entry, InputError, Node, SETTING, Source, Span, Value, name_of};
use scenario::keys::{Key, Runs};
use scenario::{Document, FlightKind, FormulationKind, LOCALISATIONS, MethodFamily, Methods, Scenario, SteppingKind};
use supervisor::Localisation;

use super::method::{Case, Fineness, Method};

/// Keys of the solver that the comparison chooses for each run.
const CHOSEN: [&str; 7] =
    ["method", "step", "tolerance", "relative-tolerance", "absolute-tolerance", "extrapolate", "localisation"];

/// A scenario's document with its settings; method, step and tolerance are chosen for each run.
#[derive(Clone, Debug)]
pub struct Draft(Document);

impl Draft {
    /// Reads a scenario file with `KEY=VALUE` settings; those that a comparison chooses are refused.
    pub fn load(path: &Path, settings: &[String]) -> Result<Self, InputError> {
        Draft::load_with(path, settings, &Arc::default())
    }

    /// Reads a scenario from text; paths in it are relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        refuse_chosen(settings)?;
        Ok(Draft::of(Document::from_text(text, base, settings, &Arc::default())?))
    }

    /// [`Draft::load`] with methods of the caller.
    pub fn load_with(path: &Path, settings: &[String], methods: &Arc<Methods>) -> Result<Self, InputError> {
        refuse_chosen(settings)?;
        Ok(Draft::of(Document::load(path, settings, methods)?))
    }

    /// Removes watches, `until` and further times: all runs last for the duration, and are compared at their rows.
    fn of(mut document: Document) -> Self {
        let tree = &mut document.tree;
        if let Value::Table(entries) = &mut tree.value {
            entries.retain(|(key, ..)| &**key != "watch");
        }
        for (table, left_out) in [("solver", "until"), ("output", "times")] {
            if tree.get(table).is_some() {
                within(tree, table, |entries| entries.retain(|(key, ..)| &**key != left_out));
            }
        }
        Draft(document)
    }

    /// Sets the flag that ends runs: [`Document::ended`].
    pub fn ending(mut self, ended: Arc<AtomicBool>) -> Self {
        self.0.ended = Some(ended);
        self
    }

    /// Methods that the scenario may name.
    pub fn methods(&self) -> &Methods {
        &self.0.methods
    }

    /// The scenario with the methods of its file.
    pub fn as_written(&self) -> Result<Scenario, InputError> {
        Scenario::of(&self.0)
    }

    /// The scenario of one run of a comparison.
    pub fn scenario(&self, case: &Case) -> Result<Scenario, InputError> {
        let mut document = self.0.clone();
        let tree = &mut document.tree;
        let Case { method, fineness } = case;
        let steps = method.family.steps();
        within(tree, "solver", |solver| {
            let unknown = match method.family {
                MethodFamily::Events(_) => &[Runs::Theta][..],
                MethodFamily::Steps(SteppingKind::Moreau | SteppingKind::Events) => &[Runs::Events],
                MethodFamily::Steps(SteppingKind::Kern | SteppingKind::Own(_)) => &[Runs::Theta, Runs::Events],
            };
            let unfit = |name: &str| Key::of("solver").any(|key| key.name() == name && unknown.contains(&key.runs));
            let replaced = |key: &str| key == "formulation" && method.formulation.is_some();
            solver.retain(|(key, ..)| !CHOSEN.contains(&&**key) && !unfit(key) && !replaced(key));
            put(solver, "method", Value::String(method.family.name().into()));
            match *fineness {
                Fineness::Step(step) => put(solver, "step", Value::Number(step)),
                Fineness::Tolerance(Tolerance { relative, absolute }) => {
                    put(solver, "relative-tolerance", Value::Number(relative));
                    put(solver, "absolute-tolerance", Value::Number(absolute));
                }
            }
            if !steps {
                let localisation = name_of(&LOCALISATIONS, method.localisation);
                put(solver, "localisation", Value::String(localisation.into()));
            }
            if let Some(formulation) = method.formulation {
                put(solver, "formulation", Value::String(formulation.name().into()));
            }
            if method.extrapolated {
                put(solver, "extrapolate", Value::Bool(true));
            }
        });
        if !steps {
            // A law between balls is refused with one ball.
            within(tree, "contact", |contact| contact.retain(|(key, ..)| &**key != "balls"));
        }
        Scenario::of(&document)
    }

    /// A reference run and its method, the first of [`REFERENCES`] that takes the scenario: as accurate as possible,
    /// whatever the file sets for schemes and captures.
    pub(crate) fn reference(&self, tolerance: f64) -> Result<(Method, Scenario), InputError> {
        let mut draft = self.clone();
        let dropped = ["beta", "gamma", "capture-tolerance"];
        within(&mut draft.0.tree, "solver", |solver| solver.retain(|(key, ..)| !dropped.contains(&&**key)));
        let tolerance = Tolerance { relative: tolerance, absolute: tolerance };
        let run = |method: &Method| {
            let fineness = Fineness::Tolerance(tolerance);
            draft.scenario(&Case { method: *method, fineness }).map(|scenario| (*method, scenario))
        };
        let refused = |first: InputError| REFERENCES[1..].iter().find_map(|method| run(method).ok()).ok_or(first);
        run(&REFERENCES[0]).or_else(refused)
    }
}

/// Refuses settings of keys that differ from run to run.
fn refuse_chosen(settings: &[String]) -> Result<(), InputError> {
    for setting in settings {
        let key = setting.split('=').next().unwrap_or_default().trim();
        if CHOSEN.iter().any(|chosen| key == format!("solver.{chosen}")) {
            let place = Source::new(SETTING, setting.clone()).part(key);
            let message = format!("`{key}` differs from run to run here");
            return Err(InputError::new(&place, message, "chosen by the lists")
                .with_help("name methods, steps and tolerances by --methods, --steps and --tolerances"));
        }
    }
    Ok(())
}

/// Methods of reference runs, the one preferred first; `taylor` alone knows a torque in flight.
const REFERENCES: [Method; 2] = [reference(FlightKind::Dop853), reference(FlightKind::Taylor)];

const fn reference(flight: FlightKind) -> Method {
    Method {
        family: MethodFamily::Events(flight),
        formulation: Some(FormulationKind::Ours(Formulation::ArcLength)),
        extrapolated: false,
        localisation: Localisation::Certified,
    }
}

/// Span for a value that is in no file.
fn nowhere(text: &str) -> Span {
    Span::option("comparison", text)
}

/// Changes the table of a key, made if there is none. A value that is no table is left for the reader to refuse.
fn within(node: &mut Node, key: &str, change: impl FnOnce(&mut Vec<Entry>)) {
    let Value::Table(entries) = &mut node.value else { return };
    let place = entries.iter().position(|(k, ..)| &**k == key).unwrap_or_else(|| {
        entries.push((key.into(), nowhere(key), Node { value: Value::Table(Vec::new()), span: nowhere(key) }));
        entries.len() - 1
    });
    if let Value::Table(entries) = &mut entries[place].2.value {
        change(entries);
    }
}

/// Appends a key to a table.
fn put(table: &mut Vec<Entry>, key: &str, value: Value) {
    let span = match &value {
        Value::String(text) => nowhere(text),
        Value::Number(number) => nowhere(&format!("{number:?}")),
        _ => nowhere("true"),
    };
    table.push((key.into(), span.clone(), Node { value, span }));
}
