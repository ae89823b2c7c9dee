//! Values that a parameter may have: a closed range, with its rule in words.

use crate::ParameterError;

/// Closed range of a parameter, with its name and rule in words: constructors check values by it, files and sliders
/// show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Name of the parameter.
    pub name: &'static str,
    /// Least value.
    pub least: f64,
    /// Greatest value; [`f64::MAX`] where any finite value is allowed.
    pub most: f64,
    /// Rule in words, with the unit.
    pub rule: &'static str,
}

impl Range {
    /// Range of any finite number.
    pub const ANY: Range = Range::new("number", f64::MIN, f64::MAX, "finite");

    /// Range from `least` to `most`.
    pub const fn new(name: &'static str, least: f64, most: f64, rule: &'static str) -> Self {
        Range { name, least, most, rule }
    }

    /// Range of the finite numbers above zero, without the subnormal ones.
    pub const fn positive(name: &'static str, rule: &'static str) -> Self {
        Range::new(name, f64::MIN_POSITIVE, f64::MAX, rule)
    }

    /// Range of the finite numbers not below zero.
    pub const fn not_negative(name: &'static str, rule: &'static str) -> Self {
        Range::new(name, 0.0, f64::MAX, rule)
    }

    /// Whether a value is in the range.
    pub fn contains(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// Returns `value` if it is in the range.
    pub fn check(&self, value: f64) -> Result<f64, ParameterError> {
        ParameterError::check(self.name, value, self.contains(value), self.rule)
    }
}
