//! The text of `--free`.

use identify::Bounds;

use crate::input::{InputError, Source, Span};

/// A key that is to be found, and in which range.
pub(super) struct Asked {
    pub key: String,
    pub span: Span,
    pub range: Option<Bounds>,
}

impl Asked {
    /// An entry of the same.
    pub fn entry(&self, name: &str) -> Asked {
        Asked { key: format!("{}.{name}", self.key), span: self.span.clone(), range: self.range }
    }
}

const HELP: &str = "write --free KEY[=LOW..HIGH],… such as --free contact.restitution,initial.velocity.y=-1..1";

/// Reads `KEY[=LOW..HIGH],…`.
pub(super) fn read(text: &str) -> Result<Vec<Asked>, InputError> {
    let source = Source::new("--free", text.to_owned());
    let mut found = Vec::new();
    let mut start = 0;
    for item in text.split(',') {
        let at = start + item.len() - item.trim_start().len();
        start += item.len() + 1;
        let item = item.trim();
        let span = |from: usize, length: usize| Span { source: source.clone(), range: at + from..at + from + length };
        if item.is_empty() {
            return Err(InputError::new(&span(0, 0), "a key is missing", "here").with_help(HELP));
        }
        let (key, range) = match item.split_once('=') {
            None => (item, None),
            Some((key, range)) => (key, Some(bounds(range, &span(key.len() + 1, range.len()))?)),
        };
        let span = span(0, key.len());
        found.push(Asked { key: key.trim().to_owned(), span, range });
    }
    Ok(found)
}

fn bounds(text: &str, span: &Span) -> Result<Bounds, InputError> {
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
    Ok(Bounds { lower, upper })
}
