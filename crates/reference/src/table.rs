//! Bounces computed elsewhere: in closed form, or by two independent integrations of about 40 digits (Taylor series at
//! two precisions, and extrapolation); `data/bounces.json` gives about 28 digits of each.
//!
//! - `drop_analytic`: vertical drop with quadratic drag;
//! - `hard_modelica_e0.9`: a throw with drag over flat ground, to its Zeno point;
//! - `sine_A0.1_drag`: a throw with drag over `0.1 sin πx`;
//! - `sine_A0.5_vacuum`: a throw over `0.5 sin πx`;
//! - `soft_E1e8_mu0_printed`: a throw of a Hertzian ball with drag in flight;
//! - `soft_E1e7_mu100`: a throw of a softer Hertzian ball with a viscous force in contact.

use serde_json::Value;

/// Numbers with names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNumbers(Value);

/// The table of one problem; `None` if there is none of that name.
pub fn find(name: &str) -> Option<NamedNumbers> {
    let all: Value = serde_json::from_str(include_str!("../data/bounces.json")).ok()?;
    Some(NamedNumbers(all.get("cases")?.get(name)?.clone()))
}

impl NamedNumbers {
    /// A number by its name.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            Value::String(text) => text.parse().ok(),
            number => number.as_f64(),
        }
    }

    /// A table within this one.
    pub fn part(&self, name: &str) -> Option<NamedNumbers> {
        self.0.get(name).filter(|part| part.is_object()).cloned().map(NamedNumbers)
    }

    /// Impacts of the problem, one after the other.
    pub fn events(&self) -> Vec<NamedNumbers> {
        let events = self.0.get("events").and_then(Value::as_array);
        events.into_iter().flatten().cloned().map(NamedNumbers).collect()
    }
}
