//! [`Reader`]: reads a TOML table key by key; keys left over are errors. Reads numbers, and formats them for messages.

use nalgebra::Vector2;

use super::{Entry, InputError, Node, Span, Value, cure_of_unknown, did_you_mean};
use crate::keys::Key;

/// Reads one table. Every key has to be taken before [`Reader::finish`].
#[derive(Debug)]
pub struct Reader<'a> {
    name: String,
    span: Span,
    entries: &'a [Entry],
    taken: Vec<&'static str>,
    /// Whether [`rest`](Self::rest) took all numbers.
    open: bool,
}

impl<'a> Reader<'a> {
    /// Begins a table; `name` is its name in messages, such as `[ball]`.
    pub fn new(node: &'a Node, name: &str) -> Result<Self, InputError> {
        match &node.value {
            Value::Table(entries) => {
                Ok(Reader { name: name.to_owned(), span: node.span.clone(), entries, taken: Vec::new(), open: false })
            }
            _ => {
                let error = InputError::new(&node.span, format!("{name} is {}", node.kind()), "expected a table");
                Err(error.with_help("write a table as `{ key = value, … }`, or its keys under a heading of its name"))
            }
        }
    }

    /// Position of the whole table.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Takes the value of a key, if present.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Node> {
        self.taken.push(key);
        self.entries.iter().find(|(k, ..)| &**k == key).map(|(.., node)| node)
    }

    /// Takes all numbers not taken so far, with their keys.
    pub fn rest(&mut self) -> Vec<(String, f64)> {
        self.open = true;
        let free = self.entries.iter().filter(|(key, ..)| !self.taken.contains(&&**key));
        free.filter_map(|(key, _, node)| match node.value {
            Value::Number(value) => Some((key.to_string(), value)),
            _ => None,
        })
        .collect()
    }

    /// Takes the value of a required key.
    pub fn need(&mut self, key: &'static str, what: &str) -> Result<&'a Node, InputError> {
        if let Some(node) = self.get(key) {
            return Ok(node);
        }
        let message = format!("{} has no `{key}`", self.name);
        let typo = self.entries.iter().find(|(k, ..)| {
            !self.taken.contains(&&**k) && did_you_mean(k, [key]).is_some_and(|_| strsim::jaro_winkler(k, key) > 0.85)
        });
        let (span, label, help) = match typo {
            Some((found, span, _)) => (span, "unknown key", format!("did you mean `{key}` instead of `{found}`?")),
            None => (&self.span, "it is missing here", format!("add `{key}`: {what}")),
        };
        Err(InputError::new(span, message, label).with_help(help))
    }

    /// Takes a table, if present.
    pub fn table(&mut self, key: &'static str) -> Result<Option<Reader<'a>>, InputError> {
        self.get(key).map(|node| Reader::new(node, &format!("[{key}]"))).transpose()
    }

    /// Takes a number, if present.
    pub fn number(&mut self, key: &'static str) -> Result<Option<f64>, InputError> {
        self.get(key).map(|node| number(node, key)).transpose()
    }

    /// Takes a number, or the default.
    pub fn number_or(&mut self, key: &'static str, default: f64) -> Result<f64, InputError> {
        Ok(self.number(key)?.unwrap_or(default))
    }

    /// Takes a number in the range of its key (given by the whole path), if present.
    pub fn ranged(&mut self, path: &'static str) -> Result<Option<f64>, InputError> {
        let Some((Key { range, .. }, _)) = Key::at(path) else { return Ok(None) };
        let name = path.rsplit_once('.').map_or(path, |(_, name)| name);
        self.number_where(name, range.rule, |value| range.contains(value))
    }

    /// Takes a number that obeys a rule, if present.
    pub fn number_where(
        &mut self,
        key: &'static str,
        rule: &str,
        allowed: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, InputError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let value = number(node, key)?;
        if allowed(value) {
            return Ok(Some(value));
        }
        let message = format!("`{key}` = {} is not allowed", plain(value));
        Err(InputError::new(&node.span, message, format!("must be {rule}")))
    }

    /// Takes a pair of numbers; zero by default.
    pub fn vector(&mut self, key: &'static str) -> Result<Vector2<f64>, InputError> {
        self.get(key).map_or(Ok(Vector2::zeros()), |node| changed_vector(node, key, Vector2::zeros()))
    }

    /// Takes a text, if present.
    pub fn string(&mut self, key: &'static str) -> Result<Option<&'a str>, InputError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match &node.value {
            Value::String(text) => Ok(Some(text)),
            _ => Err(wrong_type(node, key, "a string")),
        }
    }

    /// Takes true or false, if present.
    pub fn flag(&mut self, key: &'static str) -> Result<Option<bool>, InputError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match node.value {
            Value::Bool(value) => Ok(Some(value)),
            _ => Err(wrong_type(node, key, "true or false")),
        }
    }

    /// Takes one of some names, if present.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Result<Option<T>, InputError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let names = || choices.iter().map(|(name, _)| *name);
        let listed = || format!("one of {}", names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "));
        let Value::String(text) = &node.value else { return Err(wrong_type(node, key, &listed())) };
        match choices.iter().find(|(name, _)| *name == &**text) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let near = did_you_mean(text, names()).map(|name| format!("did you mean \"{name}\"?"));
                Err(InputError::new(&node.span, format!("unknown {key} \"{text}\""), listed()).with_cure(near))
            }
        }
    }

    /// Ends the table; the first key not taken is an error.
    pub fn finish(self) -> Result<(), InputError> {
        self.finish_with(|_| None)
    }

    /// Ends the table; the first key not taken is an error, with the cure by `hint`, if any.
    pub fn finish_with(self, hint: impl Fn(&str) -> Option<String>) -> Result<(), InputError> {
        let taken = |(key, _, node): &&Entry| {
            self.taken.contains(&&**key) || self.open && matches!(node.value, Value::Number(_))
        };
        let Some((key, span, _)) = self.entries.iter().find(|entry| !taken(entry)) else { return Ok(()) };
        let mut known = self.taken;
        known.sort_unstable();
        known.dedup();
        let error = InputError::new(span, format!("unknown key `{key}` in {}", self.name), "unknown key");
        Err(error.with_help(hint(key).unwrap_or_else(|| cure_of_unknown(key, &known))))
    }
}

/// Maximum number of tables of one name, since each is compared with all others.
const MOST_TABLES: usize = 1000;

/// The tables of one name; refuses too many.
pub fn few_tables<'n>(tables: &'n [Node], name: &str) -> Result<&'n [Node], InputError> {
    let Some(more) = tables.get(MOST_TABLES) else { return Ok(tables) };
    let message = format!("there are {} [[{name}]] tables", tables.len());
    Err(InputError::new(&more.span, message, format!("at most {MOST_TABLES}")))
}

/// Name of a value among choices, as for [`Reader::choice`].
pub fn name_of<T: Copy + PartialEq>(choices: &[(&'static str, T)], value: T) -> &'static str {
    choices.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

/// Reads a node as a number.
pub fn number(node: &Node, key: &str) -> Result<f64, InputError> {
    match node.value {
        Value::Number(value) if value.is_nan() => {
            Err(InputError::new(&node.span, format!("`{key}` is not a number (NaN)"), "expected a number"))
        }
        Value::Number(value) => Ok(value),
        _ => Err(wrong_type(node, key, "a number")),
    }
}

/// Reads a node as a pair of numbers.
pub fn vector(node: &Node, key: &str) -> Result<Vector2<f64>, InputError> {
    let Value::Array(items) = &node.value else { return Err(wrong_type(node, key, "two numbers [x, y]")) };
    match items.as_slice() {
        [x, y] => finite(node, key, [number(x, key)?, number(y, key)?]),
        _ => Err(InputError::new(&node.span, format!("`{key}` has {} items", items.len()), "two numbers [x, y]")),
    }
}

/// The pair as a vector; refuses infinite numbers.
pub(crate) fn finite(node: &Node, key: &str, pair: [f64; 2]) -> Result<Vector2<f64>, InputError> {
    let wrong = || InputError::new(&node.span, format!("`{key}` is not finite"), "two finite numbers [x, y]");
    if pair.iter().all(|x| x.is_finite()) { Ok(pair.into()) } else { Err(wrong()) }
}

/// Reads a pair, or a table with `x` or `y` alone (left by `--set KEY.x=…`), whose other entry is the default's.
pub fn changed_vector(node: &Node, key: &str, default: Vector2<f64>) -> Result<Vector2<f64>, InputError> {
    let Value::Table(entries) = &node.value else { return vector(node, key) };
    let mut changed = default;
    for (name, span, entry) in entries {
        let place = match &**name {
            "x" | "0" => 0,
            "y" | "1" => 1,
            _ => return Err(InputError::new(span, format!("`{key}` has no entry `{name}`"), "x or y")),
        };
        changed[place] = number(entry, key)?;
    }
    finite(node, key, changed.into())
}

/// The error for a value of another type.
pub fn wrong_type(node: &Node, key: &str, expected: &str) -> InputError {
    InputError::new(&node.span, format!("`{key}` is {}", node.kind()), format!("expected {expected}"))
}

/// Text of a number in plain notation, or with an exponent instead of many digits.
pub fn plain(value: f64) -> String {
    if value == 0.0 || (1e-6..1e16).contains(&value.abs()) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// Text of a count of things: "1 run", "2 runs".
pub fn counted(count: impl Into<u64>, thing: &str) -> String {
    let count = count.into();
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The number rounded to significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// Text of a number with an exponent instead of many zeros, and without negative zero.
pub fn brief(value: f64) -> String {
    if value == 0.0 || (1e-4..1e6).contains(&value.abs()) { format!("{}", value + 0.0) } else { format!("{value:e}") }
}

/// Text of a number with five significant digits.
pub fn short(value: f64) -> String {
    brief(rounded(value, 5))
}
