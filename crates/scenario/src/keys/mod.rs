//! Keys of a scenario. What is known of one stands in its row of [`KEYS`] alone: reader, settings in place, the scenario as used,
//! free numbers, sliders, Python's arguments and the book's tables are made of that.

mod table;

use mechanics::{Ball, ContactLaw, Forces, ParameterError, Range};
use nalgebra::Vector2;
use serde_json::Value as Json;

use crate::initial::Initial;
use crate::scenario::Scenario;
use crate::settings::Solver;
pub use table::KEYS;

/// A key of a scenario.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Key {
    /// Dotted path, without the numbers of lists.
    pub path: &'static str,
    /// Type of its value.
    pub kind: &'static str,
    /// Unit; one that other keys decide is told in words.
    pub unit: &'static str,
    /// Value where none is given.
    pub default: &'static str,
    /// Meaning: a label, and after a semicolon what else there is to say.
    pub words: &'static str,
    /// Range of a number.
    pub range: Range,
    /// Rule that a value must obey beside its range.
    pub rule: &'static str,
    /// Names of a choice.
    pub names: fn() -> Vec<&'static str>,
    /// Runs that know it.
    pub runs: Runs,
    /// Least and greatest value of a slider, of a pair one of each entry; empty: by the size of the value. Over three decades it is
    /// logarithmic.
    pub slider: &'static [[f64; 2]],
    /// Whether no slider changes it.
    pub fixed: bool,
    /// Whether records leave it out where it is 0.
    pub sparse: bool,
    /// Name of an argument in Python; empty: it has none.
    pub argument: &'static str,
    /// Ways to the number.
    pub(crate) access: Access,
}

/// Runs that know a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All runs.
    All,
    /// Runs event by event of one ball.
    Events,
    /// Runs with a part for Moreau's θ-scheme.
    Theta,
    /// Runs with rigid contact.
    Rigid,
    /// Runs with one of these compliant laws; none is named: with any.
    Compliant(&'static [&'static str]),
}

/// Number of what has several.
pub(crate) type Get<T> = fn(&T) -> f64;
pub(crate) type GetOfLaw = fn(&ContactLaw) -> Option<f64>;
/// Puts a number in the place of another.
pub(crate) type With<T, N = f64> = fn(T, N) -> Result<T, ParameterError>;

/// Ways to the value of a key: how it is told, and how a number takes its place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    /// Read and told with its whole table.
    Apart,
    Told(fn(&Scenario) -> Option<Json>),
    /// Infinity stands for "infinite"; `None`: it has no number there.
    Law(GetOfLaw, With<ContactLaw>),
    Force(Get<Forces>, With<Forces>),
    ForcePair(fn(&Forces) -> Vector2<f64>, With<Forces, Vector2<f64>>),
    Ball(fn(&Ball) -> Json, fn(&Ball, f64) -> Option<Result<Ball, ParameterError>>),
    Solver(fn(&Scenario) -> Option<Json>, fn(&mut Solver, f64)),
    Start(fn(&mut Initial) -> Option<&mut [f64]>),
}

impl Key {
    /// Keys of a table, in their order; those of no table are of `""`.
    pub fn of(table: &str) -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(move |key| key.table() == table)
    }

    /// The key of a dotted path, and which entry of its pair that names.
    pub fn at(path: &str) -> Option<(&'static Key, Option<usize>)> {
        let known = |path: &str| KEYS.iter().find(|key| key.path == path);
        if let Some(key) = known(path) {
            return Some((key, None));
        }
        let (pair, entry) = path.rsplit_once('.')?;
        let entry = ["x", "y"].iter().zip(["0", "1"]).position(|(name, number)| [*name, number].contains(&entry))?;
        Some((known(pair).filter(|key| key.kind.contains("pair"))?, Some(entry)))
    }

    /// The key of a dotted path into lists, such as `ball.2.initial.velocity.x`, and which entry of its pair that names.
    pub fn within(path: &str) -> Option<(&'static Key, Option<usize>)> {
        Key::at(&general(path))
    }

    /// Keys that are arguments of a simulation in Python; those of a ball are its own.
    pub fn arguments() -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(|key| !key.argument.is_empty() && key.table() != "ball")
    }

    /// Last part of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }

    /// Path of the table that it stands in.
    pub fn table(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// Ways to a number of the law of contact.
    pub(crate) fn law(&self) -> Option<(GetOfLaw, With<ContactLaw>)> {
        if let Access::Law(get, with) = self.access { Some((get, with)) } else { None }
    }
}

/// The path of a key without numbers of lists, and without the table that its own value stands in.
fn general(key: &str) -> String {
    let parts = key.split('.').map(str::trim).filter(|part| part.parse::<u32>().is_err());
    let path = parts.collect::<Vec<_>>().join(".");
    // What one curve or one ball has of its own.
    match path.split_once("ground.contact.").map(|(_, own)| format!("contact.{own}")) {
        Some(own) => own,
        None => path.strip_prefix("ball.").filter(|own| own.starts_with("initial.")).unwrap_or(&path).to_owned(),
    }
}

/// Unit of the number at a dotted key, such as `initial.velocity.x`; empty if it has none, or one that other keys decide.
pub fn unit_of(key: &str) -> &'static str {
    let unit = Key::within(key).map_or("", |(key, _)| key.unit);
    if unit.starts_with("as ") || unit.contains(", ") { "" } else { unit }
}

/// Label of the number or formula at a dotted key; of a number with its own name, its place.
pub fn words_of(key: &str) -> String {
    if let Some((key, entry)) = Key::within(key) {
        let label = key.words.split(';').next().unwrap_or_default();
        return label.to_owned() + entry.map_or("", |entry| [" to the right", " upwards"][entry]);
    }
    let path = general(key);
    let (above, name) = path.rsplit_once('.').unwrap_or(("", &path));
    let (table, formula) = match above.split_once('.').map_or(above, |(table, _)| table) {
        "ground" if above.ends_with("parameters") => ("the ground", " in its formulas"),
        "ground" => ("the ground", ""),
        table => (table, ""),
    };
    format!("{table}: {}{formula}", name.replace('-', " "))
}
