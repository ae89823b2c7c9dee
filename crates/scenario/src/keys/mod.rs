//! Keys of a scenario. All facts about a key are in its row of [`KEYS`]. From it the reader, settings in place, the
//! resolved scenario, free numbers, sliders, Python's arguments and the book's tables are made.

mod table;

use mechanics::{Ball, ContactLaw, Forces, ParameterError, Range};
use nalgebra::Vector2;
use serde_json::Value as Json;

use crate::scenario::Scenario;
use crate::settings::Solver;
use crate::start_on_ground::Initial;
pub use table::KEYS;

/// A key of a scenario.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Key {
    /// Dotted path, without indices of lists.
    pub path: &'static str,
    /// Type of its value.
    pub kind: &'static str,
    /// Unit; described in words if it depends on other keys.
    pub unit: &'static str,
    /// Default value.
    pub default: &'static str,
    /// Meaning: a label, and further explanation after a semicolon.
    pub words: &'static str,
    /// Range of a number.
    pub range: Range,
    /// Further rule that a value must obey.
    pub rule: &'static str,
    /// Names of the choices.
    pub names: fn() -> Vec<&'static str>,
    /// Kinds of runs that know the key.
    pub runs: Runs,
    /// Least and greatest value of the slider, one per entry of a pair; empty: by the size of the value. Above three
    /// decades it is logarithmic.
    pub slider: &'static [[f64; 2]],
    /// Whether the key has no slider.
    pub fixed: bool,
    /// Whether records omit it if it is 0.
    pub sparse: bool,
    /// Name of the argument in Python; empty: none.
    pub argument: &'static str,
    /// Functions that read and change the value.
    pub(crate) access: Access,
}

/// Kinds of runs that know a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All runs.
    All,
    /// Event-driven runs of one ball.
    Events,
    /// Runs that use Moreau's θ-scheme.
    Theta,
    /// Runs with rigid contact.
    Rigid,
    /// Runs with one of these compliant laws; empty: with any compliant law.
    Compliant(&'static [&'static str]),
}

pub(crate) type GetOfLaw = fn(&ContactLaw) -> Option<f64>;
/// Returns the object with a number changed.
pub(crate) type With<T, N = f64> = fn(T, N) -> Result<T, ParameterError>;

/// Functions for the value of a key: to read it, and to change it in place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    /// None: handled with its whole table.
    Apart,
    Told(fn(&Scenario) -> Option<Json>),
    /// Number of the contact law; infinity stands for "infinite", `None` for a value that is no number.
    Law(GetOfLaw, With<ContactLaw>),
    Force(fn(&Forces) -> f64, With<Forces>),
    ForcePair(fn(&Forces) -> Vector2<f64>, With<Forces, Vector2<f64>>),
    Ball(fn(&Ball) -> Json, fn(&Ball, f64) -> Option<Result<Ball, ParameterError>>),
    Solver(fn(&Scenario) -> Option<Json>, fn(&mut Solver, f64)),
    Start(fn(&mut Initial) -> Option<&mut [f64]>),
}

impl Key {
    /// Keys of a table in their order; `""` for the root.
    pub fn of(table: &str) -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(move |key| key.table() == table)
    }

    /// Finds the key of a dotted path; also returns the entry of its pair, if named.
    pub fn at(path: &str) -> Option<(&'static Key, Option<usize>)> {
        let known = |path: &str| KEYS.iter().find(|key| key.path == path);
        if let Some(key) = known(path) {
            return Some((key, None));
        }
        let (pair, entry) = path.rsplit_once('.')?;
        let entry = ["x", "y"].iter().zip(["0", "1"]).position(|(name, number)| [*name, number].contains(&entry))?;
        Some((known(pair).filter(|key| key.kind.contains("pair"))?, Some(entry)))
    }

    /// [`Key::at`] for a path with indices of lists, such as `ball.2.initial.velocity.x`.
    pub fn within(path: &str) -> Option<(&'static Key, Option<usize>)> {
        Key::at(&general(path))
    }

    /// Keys that are arguments of a simulation in Python, except those of the ball.
    pub fn arguments() -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(|key| !key.argument.is_empty() && key.table() != "ball")
    }

    /// Last part of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }

    /// Path of its table.
    pub fn table(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// Functions for a number of the contact law, if it is one.
    pub(crate) fn law(&self) -> Option<(GetOfLaw, With<ContactLaw>)> {
        if let Access::Law(get, with) = self.access { Some((get, with)) } else { None }
    }
}

/// The path of a key without indices of lists and without the table of a single ball or curve.
fn general(key: &str) -> String {
    let parts = key.split('.').map(str::trim).filter(|part| part.parse::<u32>().is_err());
    let path = parts.collect::<Vec<_>>().join(".");
    // Keys of a single curve or ball are those of the scenario.
    match path.split_once("ground.contact.").map(|(_, own)| format!("contact.{own}")) {
        Some(own) => own,
        None => path.strip_prefix("ball.").filter(|own| own.starts_with("initial.")).unwrap_or(&path).to_owned(),
    }
}

/// Unit of the number at a dotted key, such as `initial.velocity.x`; empty if it has none, or depends on other keys.
pub fn unit_of(key: &str) -> &'static str {
    let unit = Key::within(key).map_or("", |(key, _)| key.unit);
    if unit.starts_with("as ") || unit.contains(", ") { "" } else { unit }
}

/// Label of the number or formula at a dotted key.
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
