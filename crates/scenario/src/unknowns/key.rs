//! From a dotted key to a number in the document.

use serde_json::Value as Json;

use crate::input::{InputError, Node, Span, Value, did_you_mean};
use crate::scenario::Scenario;

/// A number downwards, or a vector.
const GRAVITY: &str = "forces.gravity";

/// Tables that say how a run is computed, not what moves.
const OTHER: [&str; 4] = ["solver", "output", "title", "watch"];

/// Numbers listed when there is none alike.
const LISTED: usize = 40;
/// Entries of a list that are looked at for names alike.
const ENTRIES: usize = 64;

/// A step down the document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Key(String),
    Item(usize),
}

/// The path of a number and its value. A default is written into the document, so that it can be put to other values.
pub(super) fn find(
    tree: &mut Node,
    written: &Scenario,
    key: &str,
    span: &Span,
) -> Result<(Vec<Part>, f64), InputError> {
    let parts: Vec<&str> = key.split('.').map(str::trim).collect();
    // The clock's derivatives are not known: where a start lies in time is no number of what moves.
    if OTHER.contains(&parts[0]) || parts == ["initial", "time"] {
        let message = format!("`{key}` says how a run is computed or written, not what moves");
        return Err(InputError::new(span, message, "can't be free"));
    }
    let mut resolved = written.resolved();
    // Of a curve file only its parameters are in the scenario.
    if tree.get("ground").and_then(|ground| ground.get("curve")).is_some_and(|c| matches!(c.value, Value::String(_)))
        && let Some(ground) = resolved.get_mut("ground").and_then(Json::as_object_mut)
    {
        ground.shift_remove("curve");
    }
    // A scenario takes g alone, too, and that is how most think of it.
    if key == GRAVITY && tree.get("forces").and_then(|forces| forces.get("gravity")).is_none() {
        resolved["forces"]["gravity"] = serde_json::json!(9.81);
    }
    if let Some(found) = walk(tree, &parts) {
        return Ok(found);
    }
    let Some(value) = descend(&resolved, &parts).and_then(Json::as_f64) else {
        return Err(no_number(tree, &resolved, key, &parts, span));
    };
    graft(tree, &resolved, &parts, span);
    walk(tree, &parts).map(|(path, _)| (path, value)).ok_or_else(|| {
        InputError::new(span, format!("`{key}` can't be set beside what the scenario says"), "can't be free")
    })
}

/// Whether a key names two numbers, x and y.
pub(super) fn is_pair(tree: &Node, written: &Scenario, key: &str) -> bool {
    let parts: Vec<&str> = key.split('.').map(str::trim).collect();
    let mut node = Some(tree);
    for part in &parts {
        node = node.and_then(|node| match &node.value {
            Value::Array(items) => entry(part).and_then(|i| items.get(i)),
            _ => node.get(part),
        });
    }
    match node {
        Some(Node { value: Value::Array(items), .. }) => {
            items.len() == 2 && items.iter().all(|item| matches!(item.value, Value::Number(_)))
        }
        Some(_) => false,
        None if key == GRAVITY || OTHER.contains(&parts[0]) => false,
        None => {
            let resolved = written.resolved();
            let default = descend(&resolved, &parts).and_then(Json::as_array);
            default.is_some_and(|items| items.len() == 2 && items.iter().all(Json::is_number))
        }
    }
}

/// Puts a number where [`find`] found one.
pub(super) fn put(node: &mut Node, path: &[Part], value: f64) {
    let Some((part, rest)) = path.split_first() else {
        node.value = Value::Number(value);
        return;
    };
    let next = match (&mut node.value, part) {
        (Value::Table(entries), Part::Key(key)) => {
            entries.iter_mut().find(|(k, ..)| **k == **key).map(|(.., node)| node)
        }
        (Value::Array(items), Part::Item(i)) => items.get_mut(*i),
        _ => None,
    };
    if let Some(next) = next {
        put(next, rest, value);
    }
}

/// `KEY=VALUE` for a number as it stands there, or for the pair that it is in: of a default that can't be set alone.
pub(super) fn setting(node: &Node, path: &[Part]) -> String {
    let inner = |rest: &[Part], node: &Node| {
        let setting = setting(node, rest);
        if setting.starts_with('=') { setting } else { format!(".{setting}") }
    };
    match (&node.value, path) {
        (Value::Number(value), _) => format!("={value:?}"),
        (Value::Array(items), [Part::Item(_)]) => {
            let items: Vec<String> = items.iter().map(|item| setting(item, &[]).replacen('=', "", 1)).collect();
            format!("=[{}]", items.join(", "))
        }
        (Value::Array(items), [Part::Item(i), rest @ ..]) => {
            items.get(*i).map_or(String::new(), |item| format!("{i}{}", inner(rest, item)))
        }
        (Value::Table(_), [Part::Key(key), rest @ ..]) => {
            node.get(key).map_or(String::new(), |node| format!("{key}{}", inner(rest, node)))
        }
        _ => String::new(),
    }
}

/// An entry of a list: a number from 0, or `x`, `y`.
fn entry(part: &str) -> Option<usize> {
    match part {
        "x" => Some(0),
        "y" => Some(1),
        _ => part.parse().ok(),
    }
}

fn walk(node: &Node, parts: &[&str]) -> Option<(Vec<Part>, f64)> {
    let Some((part, rest)) = parts.split_first() else {
        return match node.value {
            Value::Number(value) if value.is_finite() => Some((Vec::new(), value)),
            _ => None,
        };
    };
    let (step, next) = match &node.value {
        Value::Table(_) => (Part::Key((*part).to_owned()), node.get(part)?),
        Value::Array(items) => {
            let i = entry(part)?;
            (Part::Item(i), items.get(i)?)
        }
        _ => return None,
    };
    let (mut path, value) = walk(next, rest)?;
    path.insert(0, step);
    Some((path, value))
}

fn descend<'a>(json: &'a Json, parts: &[&str]) -> Option<&'a Json> {
    let Some((part, rest)) = parts.split_first() else { return Some(json) };
    let next = match json {
        Json::Object(entries) => entries.get(*part),
        Json::Array(items) => items.get(entry(part)?),
        _ => None,
    };
    descend(next?, rest)
}

/// Writes what leads to a default into the document: tables with nothing else in them, whole lists of numbers.
fn graft(node: &mut Node, json: &Json, parts: &[&str], span: &Span) {
    if let Json::Array(items) = json
        && !matches!(node.value, Value::Array(_))
    {
        let items: Option<Vec<Node>> = items.iter().map(|item| item.as_f64().map(|x| number(x, span))).collect();
        node.value = items.map_or(Value::Bool(false), Value::Array);
    }
    let Some((part, rest)) = parts.split_first() else {
        if let Some(value) = json.as_f64() {
            node.value = Value::Number(value);
        }
        return;
    };
    let Some(json) = descend(json, &[part]) else { return };
    match &mut node.value {
        Value::Table(entries) => {
            let place = entries.iter().position(|(k, ..)| **k == **part).unwrap_or_else(|| {
                let empty = Node { value: Value::Table(Vec::new()), span: span.clone() };
                entries.push(((*part).into(), span.clone(), empty));
                entries.len() - 1
            });
            graft(&mut entries[place].2, json, rest, span);
        }
        Value::Array(items) => {
            if let Some(item) = entry(part).and_then(|i| items.get_mut(i)) {
                graft(item, json, rest, span);
            }
        }
        _ => {}
    }
}

fn no_number(tree: &Node, resolved: &Json, key: &str, parts: &[&str], span: &Span) -> InputError {
    let mut known = Vec::new();
    written(tree, "", &mut known);
    defaults(resolved, "", &mut known);
    known.sort();
    known.dedup();
    // A part of the name is most often the end of it.
    let end = |name: &&String| name.ends_with(&format!(".{key}"));
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let alike = || {
        let lasts: Vec<String> = known.iter().map(|name| last(name)).collect();
        let near = did_you_mean(parts.last()?, lasts.iter().map(String::as_str)).filter(|_| parts.len() == 1)?;
        known.iter().find(|name| last(name) == near).map(String::as_str)
    };
    let found = known.iter().find(end).map(String::as_str);
    let near = found.or_else(|| did_you_mean(key, known.iter().map(String::as_str))).or_else(alike);
    let there = descend(resolved, parts).filter(|value| !value.is_null());
    let error = match there {
        Some(Json::String(text)) => {
            InputError::new(span, format!("`{key}` is \"{text}\" here, which is no number"), "must be a number")
        }
        Some(Json::Array(_)) => InputError::new(span, format!("`{key}` is a list"), "must be a number"),
        Some(Json::Object(_)) => InputError::new(span, format!("`{key}` is a table"), "must be a number"),
        _ => InputError::new(span, format!("the scenario has no number `{key}`"), "unknown key"),
    };
    let inside: Vec<&str> =
        known.iter().filter(|name| name.starts_with(&format!("{key}."))).map(String::as_str).take(LISTED).collect();
    error.with_help(match (there, near) {
        (Some(Json::String(_)), _) => format!("--set {key}=… to a number, or leave it out"),
        _ if !inside.is_empty() => format!("numbers in it: {}", inside.join(", ")),
        (_, Some(near)) => format!("did you mean `{near}`?"),
        (_, None) => {
            let more = if known.len() > LISTED { ", …" } else { "" };
            known.truncate(LISTED);
            format!("numbers that may be free: {}{more}", known.join(", "))
        }
    })
}

/// Keys of all numbers in the document.
fn written(node: &Node, path: &str, known: &mut Vec<String>) {
    match &node.value {
        Value::Number(x) if x.is_finite() => known.push(path.to_owned()),
        Value::Table(entries) => {
            let inner = entries.iter().filter(|(key, ..)| !path.is_empty() || !OTHER.contains(&&**key));
            inner.for_each(|(key, _, node)| written(node, &joined(path, key), known));
        }
        Value::Array(items) => {
            items.iter().zip(indices(path, items.len())).for_each(|(item, path)| written(item, &path, known));
        }
        _ => {}
    }
}

/// Collects the keys of numbers in the document as used.
fn defaults(json: &Json, path: &str, known: &mut Vec<String>) {
    match json {
        Json::Number(_) => known.push(path.to_owned()),
        Json::Object(entries) => {
            let inner = entries.iter().filter(|(key, _)| !path.is_empty() || !OTHER.contains(&key.as_str()));
            inner.for_each(|(key, json)| defaults(json, &joined(path, key), known));
        }
        Json::Array(items) => {
            items.iter().zip(indices(path, items.len())).for_each(|(item, path)| defaults(item, &path, known));
        }
        _ => {}
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Keys of the entries of a list, of a pair x and y.
fn indices(path: &str, count: usize) -> impl Iterator<Item = String> {
    (0..count.min(ENTRIES)).map(move |index| match (count, index) {
        (2, 0) => joined(path, "x"),
        (2, 1) => joined(path, "y"),
        _ => joined(path, &index.to_string()),
    })
}

/// A number with the place of the key that asked for it.
fn number(value: f64, span: &Span) -> Node {
    Node { value: Value::Number(value), span: span.clone() }
}
