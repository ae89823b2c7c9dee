//! Applies settings `--set KEY=VALUE` to a document.

use super::{InputError, Node, SETTING, Source, Span, Value, parse};

/// Maximum number of parts of a dotted key: enough for the deepest curves within curves.
const MAX_PARTS: usize = 40;

/// Applies `KEY=VALUE` settings: KEY is dotted, VALUE is TOML or else a string.
pub fn apply_overrides(root: &mut Node, settings: &[String]) -> Result<(), InputError> {
    for setting in settings {
        let source = Source::new(SETTING, setting.clone());
        let wrong = |message: String, label: &str| {
            let error = InputError::new(&source.at(0..setting.len()), message, label);
            Err(error.with_help("write --set KEY=VALUE, for example --set ground.parameters.amplitude=0.3"))
        };
        let Some((key, value)) = setting.split_once('=') else {
            return wrong(format!("`{setting}` sets nothing"), "expected KEY=VALUE");
        };
        if value.trim().is_empty() {
            return wrong(format!("`{setting}` sets nothing"), "a value is missing");
        }
        let value_start = key.len() + 1;
        // The value as TOML, with positions shifted to those in the option.
        let value = match parse(&Source::new(SETTING, format!("value={value}"))) {
            Ok(Node { value: Value::Table(mut entries), .. }) if entries.len() == 1 => {
                let mut node = entries.remove(0).2;
                relocate(&mut node, &source, value_start as isize - "value=".len() as isize);
                node
            }
            _ => Node { value: Value::String(value.into()), span: source.at(value_start..setting.len()) },
        };
        if key.split('.').count() > MAX_PARTS {
            return wrong(format!("this key has too many parts (at most {MAX_PARTS})"), "no key is that deep");
        }
        let mut path = Vec::new();
        let mut start = 0;
        for part in key.split('.') {
            let span = source.at(start..start + part.len());
            if part.trim().is_empty() {
                return wrong(format!("`{key}` is no key"), "a name is missing here");
            }
            start += part.len() + 1;
            path.push((part.trim().to_owned(), span));
        }
        ball_number_to_index(root, &mut path)?;
        put(root, &path, value)?;
    }
    Ok(())
}

fn relocate(node: &mut Node, source: &Source, by: isize) {
    let length = source.text().len();
    let shift = |span: &mut Span| {
        let moved = |at: usize| at.saturating_add_signed(by).min(length);
        *span = source.at(moved(span.range.start)..moved(span.range.end));
    };
    shift(&mut node.span);
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| relocate(item, source, by)),
        Value::Table(entries) => entries.iter_mut().for_each(|(_, span, item)| {
            shift(span);
            relocate(item, source, by);
        }),
        _ => {}
    }
}

/// Replaces the number of a ball in `ball.N` or `balls.N`, from 1, by its index, from 0.
fn ball_number_to_index(root: &Node, path: &mut [(String, Span)]) -> Result<(), InputError> {
    let [(list, _), (item, span), ..] = path else { return Ok(()) };
    let balls = matches!(list.as_str(), "ball" | "balls").then(|| root.get(list)).flatten();
    let Some(Node { value: Value::Array(items), .. }) = balls else { return Ok(()) };
    match item.parse::<usize>() {
        Ok(number) if (1..=items.len()).contains(&number) => {
            *item = (number - 1).to_string();
            Ok(())
        }
        _ => {
            let (message, count) = (format!("there is no {list} {item}"), items.len());
            Err(InputError::new(span, message, format!("a number from 1 to {count}, as in the files")))
        }
    }
}

fn put(node: &mut Node, path: &[(String, Span)], value: Node) -> Result<(), InputError> {
    let Some(((key, span), rest)) = path.split_first() else {
        *node = value;
        return Ok(());
    };
    let (kind, is_there) = (node.kind(), node.entry(key).is_some());
    match &mut node.value {
        Value::Table(_) | Value::Array(_) if is_there => {}
        Value::Table(entries) => {
            let empty = Node { value: Value::Table(Vec::new()), span: span.clone() };
            entries.push((key.as_str().into(), span.clone(), empty));
        }
        Value::Array(items) => {
            let known: Vec<&str> = items.iter().filter_map(Node::name).take(12).collect();
            let label = match known.is_empty() {
                true => "a number of an item, from 0, or x or y of a pair".to_owned(),
                false => format!("a number of an item, from 0, or its name: {}", known.join(", ")),
            };
            return Err(InputError::new(span, format!("there is no item {key}"), label));
        }
        _ => return Err(InputError::new(span, format!("`{key}` can't be set inside {kind}"), "no table here")),
    }
    node.entry_mut(key).map_or(Ok(()), |entry| put(entry, rest, value))
}
