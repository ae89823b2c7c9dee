//! Reads the goals of `--target`, `--minimise` and `--maximise`.

use identify::Quantity;
use scenario::input::{InputError, Source};
use supervisor::Watch;

use crate::quantity::QuantityText;

/// A quantity of the run, and the value that it should have.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Text of the quantity as given.
    pub name: String,
    /// Quantity of the run.
    pub quantity: Quantity,
    /// Value that it should have.
    pub wish: Wish,
}

/// Target of a quantity: a value or an extreme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// This value.
    Equal(f64),
    /// The least possible value.
    Least,
    /// The greatest possible value.
    Greatest,
}

/// Reads a quantity; one whose values are words is refused.
fn number(read: &QuantityText, text: &str) -> Result<Quantity, InputError> {
    read.observable(text)?.quantity().ok_or_else(|| {
        InputError::new(&read.span(text), "a phase is a word, not a number", "can't be aimed at")
            .with_help("aim at a number of it, such as rest.time; `sweep --observe` tells words, too")
    })
}

/// Splits a target at the `=` before its value: the last one outside of parentheses.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut found = None;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '=' if depth == 0 => found = Some(i),
            _ => {}
        }
    }
    found.map(|i| (&text[..i], &text[i + 1..]))
}

impl Goal {
    /// Reads a target `QUANTITY = VALUE`.
    pub fn target(text: &str, watches: &[Watch]) -> Result<Goal, InputError> {
        let read = QuantityText { source: Source::new("--target", text.to_owned()), watches };
        let text = read.source.text();
        if text.matches('(').count() > text.matches(')').count() {
            return Err(read.wrong(text, format!("`{text}` lacks its closing parenthesis"), "expected `)`"));
        }
        let Some((quantity, value)) = split(text) else {
            return Err(InputError::new(&read.span(text), format!("`{text}` sets no value"), "expected `= VALUE`")
                .with_help("write --target 'landing.x = 3.0'"));
        };
        let wish = Wish::Equal(read.number(value)?);
        Ok(Goal { quantity: number(&read, quantity)?, name: quantity.trim().to_owned(), wish })
    }

    /// Reads the `QUANTITY` of the named `option`, an extreme.
    pub fn extreme(option: &str, text: &str, wish: Wish, watches: &[Watch]) -> Result<Goal, InputError> {
        let read = QuantityText { source: Source::new(option, text.to_owned()), watches };
        let text = read.source.text();
        if let Some((quantity, _)) = split(text) {
            let error = InputError::new(&read.span(text), format!("{option} takes no value"), "expected a quantity");
            return Err(error.with_help(format!("write {option} {} or --target '{text}'", quantity.trim())));
        }
        Ok(Goal { quantity: number(&read, text)?, name: text.trim().to_owned(), wish })
    }
}
