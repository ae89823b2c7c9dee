//! Formulas as text.

use std::fmt;

/// A formula of a scenario or curve file.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula(String);

impl Formula {
    pub fn new(text: impl Into<String>) -> Self {
        Formula(text.into())
    }

    pub fn zero() -> Self {
        Formula::new("0")
    }

    pub fn is_zero(&self) -> bool {
        self.0 == "0"
    }

    /// The formula with a formula in the place of each of these names, all at once.
    pub fn with(&self, names: &[(&str, Formula)]) -> Self {
        let mut text = String::new();
        let mut rest = self.0.as_str();
        while let Some(first) = rest.chars().next() {
            // A number takes its exponent along, which is no name.
            let number = first.is_ascii_digit() || first == '.';
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let mut end = if part(first) { rest.find(|c| !part(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
            if number && rest[..end].ends_with(['e', 'E']) {
                end += 1;
                end += rest[end..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - end);
            }
            let (word, after) = rest.split_at(end);
            match names.iter().find(|(name, _)| !number && *name == word) {
                Some((_, by)) => text.push_str(&format!("({by})")),
                None => text.push_str(word),
            }
            rest = after;
        }
        Formula(text)
    }

    /// `factor·self`
    pub fn times(&self, factor: f64) -> Self {
        match factor {
            _ if self.is_zero() => self.clone(),
            1.0 => self.clone(),
            _ => Formula(format!("{factor:?}*({self})")),
        }
    }

    /// `self + summand`
    pub fn plus(&self, summand: f64) -> Self {
        if summand == 0.0 { self.clone() } else { Formula(format!("{self} + {summand:?}")) }
    }

    /// `self + other`
    pub fn and(&self, other: &Formula) -> Self {
        match (self.is_zero(), other.is_zero()) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ => Formula(format!("{self} + {other}")),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}
