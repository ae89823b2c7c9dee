//! Unknowns: free numbers of a scenario that a search has to find, `--free KEY[=LOW..HIGH],…`.
//!
//! A key is the dotted path of a number of the scenario, written there or a default: `contact.restitution`,
//! `initial.velocity.y`, `ground.parameters.amplitude`, `ground.curve.points.3.y`. `.x` and `.y` are entries 0 and 1; a
//! pair such as `initial.velocity` stands for both.

mod key;

use std::path::Path;
use std::sync::Arc;

use identify::{Model, ParameterRange};
use mechanics::Range;

use crate::input::{InputError, Node, Source, Span, Value, plain};
use crate::keys::Key;
use crate::load::{Document, error_at, value_in};
use crate::resolved::root_files;
use crate::scenario::Scenario;
use crate::variants::{Setting, Variants};

/// A free number of a scenario.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Key, as given.
    pub key: String,
    /// Value in the scenario.
    pub given: f64,
    /// Value in the scenario, moved into the bounds.
    pub start: f64,
    /// Range given, or else that allowed by the scenario.
    pub bounds: ParameterRange,
    /// Position at which it was given.
    pub span: Span,
    path: Vec<String>,
}

/// A scenario of one ball and rigid contact, and the numbers in it that are free.
#[derive(Debug)]
pub struct Unknowns {
    /// Variants of the scenario at [`start`](Self::start).
    variants: Variants,
    unknowns: Vec<Unknown>,
}

impl Unknowns {
    /// Reads a scenario file with `KEY=VALUE` settings; `free` is the list of `KEY[=LOW..HIGH]`.
    pub fn load(path: &Path, settings: &[String], free: &str) -> Result<Self, InputError> {
        Unknowns::of(Document::load(path, settings, &Arc::default())?, free)
    }

    /// Reads the unknowns of a document; `free` is the list of `KEY[=LOW..HIGH]`.
    pub fn of(mut document: Document, free: &str) -> Result<Self, InputError> {
        let written = Scenario::of(&document)?;
        let tree = &mut document.tree;
        check_kind(&written, tree)?;
        let mut unknowns: Vec<Unknown> = Vec::new();
        let one_or_both = |asked: Asked| match key::is_pair(tree, &written, &asked.key, &asked.span) {
            false => vec![asked],
            true => ["x", "y"].map(|axis| asked.entry(axis)).into(),
        };
        let asked: Vec<Asked> = read_list(free)?.into_iter().flat_map(one_or_both).collect();
        for asked in asked {
            if unknowns.iter().any(|known| known.key == asked.key) {
                let message = format!("`{}` is named twice", asked.key);
                return Err(InputError::new(&asked.span, message, "the second time"));
            }
            unknowns.push(unknown(tree, &written, asked)?);
        }
        for unknown in &unknowns {
            key::put(&mut document.tree, &unknown.path, unknown.start);
        }
        // Reading the document refuses keys that exclude one another.
        let keys = unknowns.iter().map(|unknown| unknown.key.clone()).collect();
        Ok(Unknowns { variants: Variants::of(document, keys)?, unknowns })
    }

    /// The unknowns, in the order given.
    pub fn list(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// Start values.
    pub fn start(&self) -> Vec<f64> {
        self.unknowns.iter().map(|unknown| unknown.start).collect()
    }

    /// Range of each number.
    pub fn bounds(&self) -> Vec<ParameterRange> {
        self.unknowns.iter().map(|unknown| unknown.bounds).collect()
    }

    /// The scenario at [`start`](Self::start).
    pub fn written(&self) -> &Scenario {
        self.variants.written()
    }

    /// The scenario at these values; superfluous ones are ignored.
    pub fn scenario(&self, values: &[f64]) -> Result<Scenario, InputError> {
        let values: Vec<Setting> = values.iter().map(|value| Setting::Number(*value)).collect();
        let mut scenario = self.written().clone();
        self.variants.put(&mut scenario, &values).map(|()| scenario)
    }

    /// The model at these values.
    pub fn model(&self, values: &[f64]) -> Result<Model, InputError> {
        let Scenario { scene, start, .. } = self.scenario(values)?;
        Ok(Model { scene, start })
    }

    /// `KEY=VALUE` settings that give the scenario these values.
    pub fn settings(&self, values: &[f64]) -> Vec<String> {
        let tree = self.at(values);
        let mut settings: Vec<String> =
            self.unknowns.iter().map(|unknown| key::setting(&tree, &unknown.path)).collect();
        settings.dedup();
        settings
    }

    /// Text of the scenario file at these values; paths in it are absolute, so that it can be kept anywhere.
    pub fn document(&self, values: &[f64]) -> String {
        let mut tree = self.at(values);
        if let Value::Table(entries) = &mut tree.value {
            for (_, _, node) in entries.iter_mut().filter(|(key, ..)| **key == *"ground") {
                root_files(node, &self.variants.document().base);
            }
        }
        toml::to_string(&tree).unwrap_or_default()
    }

    fn at(&self, values: &[f64]) -> Node {
        let mut tree = self.variants.document().tree.clone();
        for (unknown, value) in self.unknowns.iter().zip(values) {
            key::put(&mut tree, &unknown.path, *value);
        }
        tree
    }
}

impl Unknown {
    /// Order of the time derivative, if it is an entry of a position (0) or a velocity (1).
    pub fn rate(&self) -> Option<u32> {
        let keys: Vec<&str> = self.key.split('.').collect();
        match keys.as_slice() {
            ["initial", "position", _] | ["initial", "contact", "x" | "s"] => Some(0),
            ["initial", "velocity", _] | ["initial", "contact", "speed"] => Some(1),
            _ => None,
        }
    }
}

/// Refuses scenarios whose runs have no sensitivities.
fn check_kind(scenario: &Scenario, tree: &Node) -> Result<(), InputError> {
    if scenario.stepping.is_some() {
        let method = value_in(tree, "solver", "method");
        return Err(error_at(method, "free parameters need event-driven runs", "time stepping")
            .with_help("choose an event-driven method with one ball: --set solver.method=newmark"));
    }
    if scenario.scene.compliance.is_some() {
        let law = value_in(tree, "contact", "law");
        return Err(error_at(law, "sensitivities go through rigid contact alone", "compliant contact")
            .with_help("leave `law` out"));
    }
    Ok(())
}

fn unknown(tree: &mut Node, written: &Scenario, asked: Asked) -> Result<Unknown, InputError> {
    let Asked { key, span, range } = asked;
    let (path, value) = key::find(tree, written, &key, &span)?;
    let rule = rule(&key);
    let bounds = match range {
        None => rule,
        Some(range) => {
            if range.lower < rule.lower || range.upper > rule.upper {
                let allowed = format!("from {} to {}", plain(rule.lower), plain(rule.upper));
                let message = format!("`{key}` can't be all of {}..{}", plain(range.lower), plain(range.upper));
                return Err(InputError::new(&span, message, allowed));
            }
            range
        }
    };
    let start = bounds.nearest(value);
    Ok(Unknown { key, given: value, start, bounds, span, path })
}

/// Closed range that the scenario's reader allows.
fn rule(key: &str) -> ParameterRange {
    let end = |value: f64| if value.abs() == f64::MAX { value * 2.0 } else { value };
    let range = Key::within(key).map_or(Range::ANY, |(key, _)| key.range);
    ParameterRange { lower: end(range.least), upper: end(range.most) }
}

/// A key as given, with its range.
struct Asked {
    key: String,
    span: Span,
    range: Option<ParameterRange>,
}

impl Asked {
    /// This range for one entry of a pair.
    fn entry(&self, name: &str) -> Asked {
        Asked { key: format!("{}.{name}", self.key), span: self.span.clone(), range: self.range }
    }
}

const HELP: &str = "write --free KEY[=LOW..HIGH],… such as --free contact.restitution,initial.velocity.y=-1..1";

/// Reads `KEY[=LOW..HIGH],…`.
fn read_list(text: &str) -> Result<Vec<Asked>, InputError> {
    let source = Source::new("--free", text.to_owned());
    let read = |item: &str| {
        let item = item.trim();
        if item.is_empty() {
            return Err(InputError::new(&source.part(item), "a key is missing", "here").with_help(HELP));
        }
        let (key, range) = match item.split_once('=') {
            None => (item, None),
            Some((key, range)) => (key, Some(bounds(range, &source.part(range))?)),
        };
        Ok(Asked { key: key.trim().to_owned(), span: source.part(key), range })
    };
    source.text().split(',').map(read).collect()
}

fn bounds(text: &str, span: &Span) -> Result<ParameterRange, InputError> {
    let wrong = |message: String| InputError::new(span, message, "expected LOW..HIGH").with_help(HELP);
    let Some((low, high)) = text.split_once("..") else {
        return Err(wrong(format!("`{text}` is no range")));
    };
    let end = |text: &str, open: f64| match text.trim() {
        "" => Ok(open),
        text => text.parse::<f64>().ok().filter(|x| !x.is_nan()).ok_or_else(|| wrong(format!("`{text}` is no number"))),
    };
    let (lower, upper) = (end(low, f64::NEG_INFINITY)?, end(high, f64::INFINITY)?);
    if !(lower < upper) {
        return Err(wrong(format!("the range {text} is empty")));
    }
    Ok(ParameterRange { lower, upper })
}
