//! Reads `[[watch]]`, `solver.until` and `output.times`; writes the first two as in a scenario file.

use std::sync::Arc;

use serde_json::{Map, json};
use supervisor::{Moment, Watch, Watched};

use crate::curve::formula;
use crate::initial_keys::{curve_called, moderate};
use crate::input::{InputError, Node, Reader, Source, Span, Value, few_tables, number, parse, plain, wrong_type};
use crate::load::value_in;
use crate::moment::{Words, written};
use crate::scenario::CurveInfo;
use crate::start_on_ground::FAR;

/// Keys of the quantity watched; each table has one of them.
const WHAT: [&str; 9] = ["x", "y", "s", "speed", "height", "turn", "normal-force", "times", "when"];

/// Cure for a wrong moment of `solver.until`.
const UNTIL: &str =
    "one of impact.N, landing, lift-off, slip, stick, rest, end-of-ground, touch, release, watch.NAME, t=TIME";

/// Reads the watches in their order; `info`: the ground, for names of curves.
pub(crate) fn read_watches(root: &mut Reader, info: Option<&CurveInfo>) -> Result<Arc<[Watch]>, InputError> {
    let Some(node) = root.get("watch") else { return Ok(Arc::default()) };
    let Value::Array(items) = &node.value else {
        return Err(wrong_type(node, "watch", "a list of tables: write `[[watch]]`"));
    };
    let mut watches: Vec<Watch> = Vec::new();
    for item in few_tables(items, "watch")? {
        let watch = read_watch(item, watches.len() + 1, info)?;
        if watches.iter().any(|other| other.name == watch.name) {
            let at = item.get("name").unwrap_or(item);
            let message = format!("two watches are called \"{}\"", watch.name);
            return Err(InputError::new(&at.span, message, "the second one").with_help("give each its own name"));
        }
        watches.push(watch);
    }
    Ok(watches.into())
}

/// Reads watches from a text with `[[watch]]` tables only.
pub(crate) fn watches_of(text: &str, info: &CurveInfo) -> Result<Arc<[Watch]>, InputError> {
    let tree = parse(&Source::new("watch", text.to_owned()))?;
    let mut root = Reader::new(&tree, "the watches")?;
    let watches = read_watches(&mut root, Some(info))?;
    root.finish().map(|()| watches)
}

fn read_watch(node: &Node, index: usize, info: Option<&CurveInfo>) -> Result<Watch, InputError> {
    let mut table = Reader::new(node, &format!("[[watch]] {index}"))?;
    let place = table.need("name", "what it is called, for `until`, rows and quantities")?;
    let name = table.string("name")?.unwrap_or_default();
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !(starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')) {
        let message = format!("\"{name}\" can't be the name of a watch");
        return Err(InputError::new(&place.span, message, "letters, digits, - and _, the first a letter"));
    }
    let given: Vec<(&str, &Node)> = WHAT.iter().filter_map(|key| Some((*key, table.get(key)?))).collect();
    let [(key, at)] = given[..] else {
        return Err(match given.get(1) {
            None => InputError::new(
                &node.span,
                format!("\"{name}\" watches nothing"),
                format!("give one of {}", WHAT.join(", ")),
            ),
            Some((key, second)) => {
                let message = format!("\"{name}\" watches `{}` and `{key}`", given[0].0);
                InputError::new(&second.span, message, "one of them").with_help("give each a `[[watch]]` of its own")
            }
        });
    };
    let of = read_watched(key, at)?;
    let rising = table.choice("direction", &[("up", true), ("down", false)])?;
    if let (Some(_), Watched::Apex | Watched::Times(_)) = (rising, &of) {
        let at = table.need("direction", "")?;
        let message = format!("`direction` says nothing of `{key}`");
        return Err(InputError::new(&at.span, message, "leave it out"));
    }
    let first = table.flag("first")?.unwrap_or(false);
    let curve = match table.get("ground") {
        Some(at) if !of.is_of_ground() => {
            let message = format!("`ground` says nothing of `{key}`");
            return Err(InputError::new(&at.span, message, "leave it out").with_help("it goes with `s` and `turn`"));
        }
        Some(at) => info.map(|info| curve_called(at, info)).transpose()?,
        None => None,
    };
    table.finish()?;
    Ok(Watch { name: name.into(), of, rising, first, curve })
}

fn read_watched(key: &str, node: &Node) -> Result<Watched, InputError> {
    let value = || moderate(node, key);
    Ok(match key {
        "x" => Watched::X(value()?),
        "y" => Watched::Y(value()?),
        "s" => Watched::S(value()?),
        "speed" => match value()? {
            speed if speed >= 0.0 => Watched::Speed(speed),
            speed => {
                let message = format!("`speed` = {} is never reached", plain(speed));
                return Err(InputError::new(&node.span, message, "zero or positive (m/s)"));
            }
        },
        "normal-force" => Watched::NormalForce(value()?),
        "height" => match &node.value {
            Value::String(text) if &**text == "apex" => Watched::Apex,
            _ => return Err(wrong_type(node, key, "\"apex\"; a height in m is `y`")),
        },
        "turn" => match &node.value {
            Value::Bool(true) => Watched::Turn,
            _ => return Err(wrong_type(node, key, "true")),
        },
        "times" => match read_times(node, key)? {
            none if none.is_empty() => {
                return Err(InputError::new(&node.span, "`times` is an empty list", "one time at least, s"));
            }
            times => Watched::Times(times),
        },
        _ => {
            let value = formula(node, key, &Watched::VARIABLES, &[])?;
            match &node.value {
                Value::String(text) if value.as_constant().is_none() => Watched::Formula { text: text.clone(), value },
                _ => {
                    let message = format!("`{key}` does not depend on the ball");
                    let label = format!("a formula of {}", Watched::VARIABLES.join(", "));
                    return Err(InputError::new(&node.span, message, label)
                        .with_help("it is told where the formula passes zero: when = \"x^2 + y^2 - 4\""));
                }
            }
        }
    })
}

/// Reads times (s), and sorts them.
pub(crate) fn read_times(node: &Node, key: &str) -> Result<Arc<[f64]>, InputError> {
    let Value::Array(items) = &node.value else { return Err(wrong_type(node, key, "a list of times in s")) };
    let time = |item: &Node| {
        let time = number(item, key)?;
        let message = || format!("`{key}` has t = {}", plain(time));
        let rule = format!("from 0 to {FAR:e} s");
        if (0.0..=FAR).contains(&time) { Ok(time) } else { Err(InputError::new(&item.span, message(), rule)) }
    };
    let mut times = items.iter().map(time).collect::<Result<Vec<f64>, _>>()?;
    times.sort_by(f64::total_cmp);
    times.dedup();
    Ok(times.into())
}

/// Reads `solver.until`: a text, or a list of texts.
pub(crate) fn read_until(node: Option<&Node>, watches: &[Watch], start: f64) -> Result<Arc<[Moment]>, InputError> {
    let Some(node) = node else { return Ok(Arc::default()) };
    let items = match &node.value {
        Value::Array(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let one = |item: &Node| match &item.value {
        Value::String(text) => ending(text, &item.span, watches, start),
        _ => Err(wrong_type(item, "until", "a moment in quotes, or a list of them")),
    };
    items.iter().map(one).collect()
}

/// Reads moments that end a run.
pub(crate) fn until_of(texts: &[&str], watches: &[Watch], start: f64) -> Result<Arc<[Moment]>, InputError> {
    texts.iter().map(|text| ending(text, &Span::option("until", text), watches, start)).collect()
}

/// Reads one moment that ends a run.
fn ending(text: &str, span: &Span, watches: &[Watch], start: f64) -> Result<Moment, InputError> {
    let words = Words { span: &|_| span.clone(), watches, help: UNTIL };
    match words.moment(text.trim())? {
        Moment::End => Err(InputError::new(span, "every run ends with its end", "leave it out")),
        Moment::Passing(..) => {
            let message = format!("`{text}` is not watched");
            let line = text.replace('=', " = ");
            Err(InputError::new(span, message, "a place is given by a watch")
                .with_help(format!("add [[watch]] with a `name` and `{line}`, and write \"watch.NAME\"")))
        }
        Moment::Time(time) if time <= start => {
            let message = format!("the run starts at t = {} s", plain(start));
            Err(InputError::new(span, message, "a later time"))
        }
        moment => Ok(moment),
    }
}

/// Refuses keys that need the motion between steps, with time stepping at `place`; ignores them if that is a setting.
pub(crate) fn event_driven_only(tree: &Node, place: &Span) -> Result<(), InputError> {
    let found = [
        ("watch", tree.get("watch")),
        ("until", value_in(tree, "solver", "until")),
        ("times", value_in(tree, "output", "times")),
        ("time", value_in(tree, "initial", "time")),
    ];
    for (key, node) in found {
        if let Some(node) = node
            && (node.span.is_setting() || !place.is_setting())
        {
            let message = format!("`{key}` is for event-driven runs, and the method is time stepping");
            return Err(InputError::new(&node.span, message, "time stepping knows nothing between its steps")
                .with_help("take another `solver.method`, or leave it out"));
        }
    }
    Ok(())
}

/// The watches as written in a scenario file.
pub(crate) fn resolved_watches(watches: &[Watch], info: &CurveInfo) -> serde_json::Value {
    let one = |watch: &Watch| {
        let (key, value) = match &watch.of {
            Watched::X(value) => ("x", json!(value)),
            Watched::Y(value) => ("y", json!(value)),
            Watched::S(value) => ("s", json!(value)),
            Watched::Speed(value) => ("speed", json!(value)),
            Watched::Apex => ("height", json!("apex")),
            Watched::Turn => ("turn", json!(true)),
            Watched::NormalForce(value) => ("normal-force", json!(value)),
            Watched::Times(times) => ("times", json!(times.to_vec())),
            Watched::Formula { text, .. } => ("when", json!(&**text)),
        };
        let mut table: Map<_, _> =
            [("name".to_owned(), json!(&*watch.name)), (key.to_owned(), value)].into_iter().collect();
        if let Some(rising) = watch.rising {
            table.insert("direction".to_owned(), json!(if rising { "up" } else { "down" }));
        }
        if let Some(name) = watch.curve.and_then(|curve| info.name(curve)) {
            table.insert("ground".to_owned(), json!(name));
        }
        if watch.first {
            table.insert("first".to_owned(), json!(true));
        }
        serde_json::Value::Object(table)
    };
    watches.iter().map(one).collect()
}

/// `solver.until` as written in a scenario file.
pub(crate) fn resolved_until(until: &[Moment], watches: &[Watch]) -> serde_json::Value {
    until.iter().map(|moment| json!(written(*moment, watches))).collect()
}
