//! A scenario to be run in several ways.

use std::path::{Path, PathBuf};

use newmark::Tolerance;
use rolling::Formulation;
use scenario::Scenario;
use scenario::input::{
    Entry, InputError, Node, SETTING, Source, Span, TOML_FILE, Value, apply_overrides, name_of, parse, read_file,
};
use scenario::{EVENT_DRIVEN, FORMULATIONS, FlightKind, LOCALISATIONS, STEPPING};
use supervisor::Localisation;

use super::method::{Case, Family, Fineness, Method};

/// What each run has of its own.
const CHOSEN: [&str; 7] =
    ["method", "step", "tolerance", "relative-tolerance", "absolute-tolerance", "extrapolate", "localisation"];

/// A scenario's document, settings put in; method, step and tolerance are still to be chosen.
#[derive(Clone, Debug)]
pub struct Draft {
    tree: Node,
    base: PathBuf,
}

impl Draft {
    /// Reads a scenario file, with `KEY=VALUE` settings put in. Settings of what a comparison chooses are refused.
    pub fn load(path: &Path, settings: &[String]) -> Result<Self, InputError> {
        let source = read_file(path, "scenario", None, TOML_FILE)?;
        Draft::read(source, path.parent().unwrap_or(Path::new("")), settings)
    }

    /// Reads a scenario from text; paths in it are relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        Draft::read(Source::new("scenario", text.to_owned()), base, settings)
    }

    fn read(source: Source, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        let mut tree = parse(&source)?;
        for setting in settings {
            let key = setting.split('=').next().unwrap_or_default().trim();
            if CHOSEN.iter().any(|chosen| key == format!("solver.{chosen}")) {
                let source = Source::new(SETTING, setting.clone());
                let span = Span { source, range: 0..key.len() };
                return Err(InputError::new(
                    &span,
                    format!("`{key}` differs from run to run here"),
                    "chosen by the lists",
                )
                .with_help("name methods, steps and tolerances by --methods, --steps and --tolerances"));
            }
        }
        apply_overrides(&mut tree, settings)?;
        Ok(Draft { tree, base: base.to_owned() })
    }

    /// As the file has it.
    pub fn as_written(&self) -> Result<Scenario, InputError> {
        Scenario::from_tree(&self.tree, &self.base)
    }

    /// For one run of a comparison.
    pub fn scenario(&self, case: &Case) -> Result<Scenario, InputError> {
        let mut tree = self.tree.clone();
        let Case { method, fineness } = case;
        let steps = method.family.steps();
        within(&mut tree, "solver", |solver| {
            let unfit = |key: &str| match method.family {
                Family::Events(_) => STEPPING.contains(&key),
                Family::Moreau => EVENT_DRIVEN.contains(&key),
                Family::Kern => STEPPING.contains(&key) || EVENT_DRIVEN.contains(&key),
            };
            let said = |key: &str| key == "formulation" && method.formulation.is_some();
            solver.retain(|(key, ..)| !CHOSEN.contains(&&**key) && !unfit(key) && !said(key));
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
                put(solver, "formulation", Value::String(name_of(&FORMULATIONS, formulation).into()));
            }
            if method.extrapolated {
                put(solver, "extrapolate", Value::Bool(true));
            }
        });
        if !steps {
            // The law between balls says nothing of one ball.
            within(&mut tree, "contact", |contact| contact.retain(|(key, ..)| &**key != "balls"));
        }
        Scenario::from_tree(&tree, &self.base)
    }

    /// For a reference: as exact as it can be, whatever the file says of schemes and captures.
    pub(crate) fn reference(&self, tolerance: f64) -> Result<Scenario, InputError> {
        let mut draft = self.clone();
        let left = ["beta", "gamma", "capture-tolerance"];
        within(&mut draft.tree, "solver", |solver| solver.retain(|(key, ..)| !left.contains(&&**key)));
        let tolerance = Tolerance { relative: tolerance, absolute: tolerance };
        draft.scenario(&Case { method: REFERENCE, fineness: Fineness::Tolerance(tolerance) })
    }
}

/// Who flies and rolls for a reference.
pub(crate) const REFERENCE: Method = Method {
    family: Family::Events(FlightKind::Dop853),
    formulation: Some(Formulation::ArcLength),
    extrapolated: false,
    localisation: Localisation::Certified,
};

/// A place for what nobody wrote.
fn nowhere(text: &str) -> Span {
    Span { source: Source::new("comparison", text.to_owned()), range: 0..text.len() }
}

/// Changes the table of a key, made if there is none. What is no table is left for the reader to refuse.
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

fn put(table: &mut Vec<Entry>, key: &str, value: Value) {
    let span = match &value {
        Value::String(text) => nowhere(text),
        Value::Number(number) => nowhere(&format!("{number:?}")),
        _ => nowhere("true"),
    };
    table.push((key.into(), span.clone(), Node { value, span }));
}
