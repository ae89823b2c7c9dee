//! Finds the number of a dotted key in the document.

use serde_json::Value as Json;

use crate::input::{InputError, Node, Span, Value, did_you_mean};
use crate::scenario::Scenario;

/// Key whose value is a number (downwards) or a vector.
const GRAVITY: &str = "forces.gravity";

/// Keys at the top level with no numbers that may be unknowns.
const OTHER: [&str; 4] = ["solver", "output", "title", "watch"];

/// Maximum number of keys listed if none is similar.
const LISTED: usize = 40;
/// Maximum number of entries of a list that are searched for similar names.
const ENTRIES: usize = 64;

/// Path of a number and its value. A default is written into the document, so that it can be changed.
pub(super) fn find(
    tree: &mut Node,
    written: &Scenario,
    key: &str,
    span: &Span,
) -> Result<(Vec<String>, f64), InputError> {
    let parts = parts(key);
    if parts == ["initial", "time"] {
        return Err(InputError::new(span, "derivatives by the time of the start are not computed", "can't be free"));
    }
    if OTHER.contains(&parts[0]) {
        let message = format!("`{key}` says how a run is computed or written, not what moves");
        return Err(InputError::new(span, message, "can't be free"));
    }
    let whole = whole(tree, written, key, span);
    match walk(&whole, &parts) {
        Some(Node { value: Value::Number(value), .. }) if value.is_finite() => {
            let path: Vec<String> = parts.into_iter().map(str::to_owned).collect();
            graft(tree, &whole, &path);
            Ok((path, *value))
        }
        found => Err(no_number(&whole, found.map(|node| &node.value), key, &parts, span)),
    }
}

/// Whether a key names a pair of numbers, x and y.
pub(super) fn is_pair(tree: &Node, written: &Scenario, key: &str, span: &Span) -> bool {
    let whole = whole(tree, written, key, span);
    let Some(Node { value: Value::Array(items), .. }) = walk(&whole, &parts(key)) else { return false };
    items.len() == 2 && items.iter().all(|item| matches!(item.value, Value::Number(_)))
}

fn parts(key: &str) -> Vec<&str> {
    key.split('.').map(str::trim).collect()
}

/// Returns the document with all defaults added. Their position in errors is `span`, that of `key`.
fn whole(tree: &Node, written: &Scenario, key: &str, span: &Span) -> Node {
    let mut resolved = written.resolved();
    // Gravity as a number downwards, which is the usual form.
    if key == GRAVITY {
        resolved["forces"]["gravity"] = serde_json::json!(9.81);
    }
    let mut whole = tree.clone();
    fill(&mut whole, &resolved, span);
    whole
}

/// Adds missing values from the resolved scenario.
fn fill(node: &mut Node, json: &Json, span: &Span) {
    match (&mut node.value, json) {
        (Value::Table(entries), Json::Object(known)) => {
            for (key, json) in known {
                match entries.iter_mut().find(|(name, ..)| **name == **key) {
                    Some((.., node)) => fill(node, json, span),
                    None => entries.extend(node_of(json, span).map(|node| (key.as_str().into(), span.clone(), node))),
                }
            }
        }
        (Value::Array(items), Json::Array(known)) => {
            items.iter_mut().zip(known).for_each(|(item, json)| fill(item, json, span));
        }
        // A number in place of a pair, or the table {x = …} that `--set KEY.x=…` leaves.
        (Value::Number(_) | Value::Table(_), Json::Array(_)) => {
            *node = node_of(json, span).unwrap_or_else(|| node.clone())
        }
        _ => {}
    }
}

fn node_of(json: &Json, span: &Span) -> Option<Node> {
    let value = match json {
        Json::Null => return None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(value) => Value::Number(value.as_f64()?),
        Json::String(text) => Value::String(text.as_str().into()),
        Json::Array(items) => Value::Array(items.iter().filter_map(|item| node_of(item, span)).collect()),
        Json::Object(entries) => {
            let entry = |(key, json): (&String, &Json)| Some((key.as_str().into(), span.clone(), node_of(json, span)?));
            Value::Table(entries.iter().filter_map(entry).collect())
        }
    };
    Some(Node { value, span: span.clone() })
}

/// Changes a number at a path found by [`find`].
pub(super) fn put(node: &mut Node, path: &[String], value: f64) {
    if let Some(node) = path.iter().try_fold(node, |node, part| node.entry_mut(part)) {
        node.value = Value::Number(value);
    }
}

/// Writes the present value of a number as a setting `KEY=VALUE`; of an entry of a list, the whole list.
pub(super) fn setting(node: &Node, path: &[String]) -> String {
    let (mut node, mut key) = (node, Vec::new());
    for (i, part) in path.iter().enumerate() {
        if i + 1 == path.len() && matches!(node.value, Value::Array(_)) {
            break;
        }
        let Some(entry) = node.entry(part) else { return String::new() };
        (node, key) = (entry, [key, vec![part.as_str()]].concat());
    }
    let number = |node: &Node| if let Value::Number(value) = node.value { format!("{value:?}") } else { String::new() };
    let value = match &node.value {
        Value::Array(items) => format!("[{}]", items.iter().map(number).collect::<Vec<_>>().join(", ")),
        _ => number(node),
    };
    format!("{}={value}", key.join("."))
}

/// The node at a path.
fn walk<'a>(node: &'a Node, parts: &[&str]) -> Option<&'a Node> {
    parts.iter().try_fold(node, |node, part| node.entry(part))
}

/// Writes the path to a default into the document: tables with only this entry, lists with all numbers.
fn graft(node: &mut Node, whole: &Node, path: &[String]) {
    let alike = std::mem::discriminant(&node.value) == std::mem::discriminant(&whole.value);
    let (Some((part, rest)), true) = (path.split_first(), alike) else {
        *node = whole.clone();
        return;
    };
    let Some(whole) = whole.entry(part) else { return };
    let is_there = node.entry(part).is_some();
    if let (false, Value::Table(entries)) = (is_there, &mut node.value) {
        // Replaced one level down if the default is no table.
        let empty = Node { value: Value::Table(Vec::new()), span: whole.span.clone() };
        entries.push((part.as_str().into(), whole.span.clone(), empty));
    }
    if let Some(node) = node.entry_mut(part) {
        graft(node, whole, rest);
    }
}

/// The error for a key that names no number; `there`: the value that it names.
fn no_number(whole: &Node, there: Option<&Value>, key: &str, parts: &[&str], span: &Span) -> InputError {
    let mut known = Vec::new();
    numbers(whole, "", &mut known);
    known.sort();
    // An incomplete key is most often the end of the full one.
    let end = |name: &&String| name.ends_with(&format!(".{key}"));
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let alike = || {
        let lasts: Vec<String> = known.iter().map(|name| last(name)).collect();
        let near = did_you_mean(parts.last()?, lasts.iter().map(String::as_str)).filter(|_| parts.len() == 1)?;
        known.iter().find(|name| last(name) == near).map(String::as_str)
    };
    let found = known.iter().find(end).map(String::as_str);
    let near = found.or_else(|| did_you_mean(key, known.iter().map(String::as_str))).or_else(alike);
    let error = match there {
        Some(Value::String(text)) => {
            InputError::new(span, format!("`{key}` is \"{text}\" here, which is no number"), "must be a number")
        }
        Some(Value::Array(_)) => InputError::new(span, format!("`{key}` is a list"), "must be a number"),
        Some(Value::Table(_)) => InputError::new(span, format!("`{key}` is a table"), "must be a number"),
        _ => InputError::new(span, format!("the scenario has no number `{key}`"), "unknown key"),
    };
    let inside: Vec<&str> =
        known.iter().filter(|name| name.starts_with(&format!("{key}."))).map(String::as_str).take(LISTED).collect();
    error.with_help(match (there, near) {
        (Some(Value::String(_)), _) => format!("--set {key}=… to a number, or leave it out"),
        _ if !inside.is_empty() => format!("numbers in it: {}", inside.join(", ")),
        (_, Some(near)) => format!("did you mean `{near}`?"),
        (_, None) => {
            let more = if known.len() > LISTED { ", …" } else { "" };
            known.truncate(LISTED);
            format!("numbers that may be free: {}{more}", known.join(", "))
        }
    })
}

fn numbers(node: &Node, path: &str, known: &mut Vec<String>) {
    match &node.value {
        Value::Number(x) if x.is_finite() => known.push(path.to_owned()),
        Value::Table(entries) => {
            let inner = entries.iter().filter(|(key, ..)| !path.is_empty() || !OTHER.contains(&&**key));
            inner.for_each(|(key, _, node)| numbers(node, &joined(path, key), known));
        }
        Value::Array(items) => {
            items.iter().zip(indices(path, items.len())).for_each(|(item, path)| numbers(item, &path, known));
        }
        _ => {}
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Keys of the entries of a list; x and y for a pair.
fn indices(path: &str, count: usize) -> impl Iterator<Item = String> {
    (0..count.min(ENTRIES)).map(move |index| match (count, index) {
        (2, 0) => joined(path, "x"),
        (2, 1) => joined(path, "y"),
        _ => joined(path, &index.to_string()),
    })
}
