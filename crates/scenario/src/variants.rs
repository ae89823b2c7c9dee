//! [`Variants`]: scenarios of one file with other values of some keys.

use std::sync::Arc;

use crate::input::InputError;
use crate::load::Document;
use crate::scenario::Scenario;
use crate::shared_ground::SharedGround;

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// Text, as after the `=` of `--set`.
    Text(Arc<str>),
}

impl Setting {
    /// Setting `KEY=VALUE` for `--set`.
    pub fn set(&self, key: &str) -> String {
        match self {
            Setting::Number(number) => format!("{key}={number:?}"),
            Setting::Text(text) => format!("{key}={text}"),
        }
    }

    /// Number, also of a text that is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Setting::Number(value) => Some(*value),
            Setting::Text(text) => text.trim().parse().ok(),
        }
    }
}

impl From<f64> for Setting {
    fn from(value: f64) -> Self {
        Setting::Number(value)
    }
}

impl From<i32> for Setting {
    fn from(value: i32) -> Self {
        Setting::Number(value.into())
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        Setting::Text(text.into())
    }
}

/// A scenario file and some of its keys (named as in `--set`) whose values vary.
#[derive(Clone, Debug)]
pub struct Variants {
    document: Document,
    written: Scenario,
    keys: Vec<String>,
}

impl Variants {
    /// Reads the scenario of the document. Keys are checked when their values are changed.
    pub fn of(document: Document, keys: Vec<String>) -> Result<Self, InputError> {
        let written = Scenario::of(&document)?;
        Ok(Variants { document, written, keys })
    }

    /// The scenario as written.
    pub fn written(&self) -> &Scenario {
        &self.written
    }

    /// The document it was read from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Keys, in the order of values.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Changes `scenario`, a copy of [`written`](Self::written) or an earlier result, to that with `values`. Its
    /// earlier values have no effect on the result. After an error it must be copied anew.
    ///
    /// Numbers are changed in place if possible ([`Scenario::put_all`]); if one can't be, or is wrong, the document is
    /// read again with all of them, so that an error names its key.
    pub fn put(&self, scenario: &mut Scenario, values: &[Setting]) -> Result<(), InputError> {
        let Scenario { scene, initial, start, solver, .. } = &self.written;
        scenario.scene.clone_from(scene);
        (scenario.initial, scenario.start, scenario.solver) = (*initial, *start, *solver);
        let given = || self.keys.iter().zip(values);
        let numbers = given().filter_map(|(key, value)| match value {
            Setting::Number(number) => Some((key.as_str(), *number)),
            Setting::Text(_) => None,
        });
        let all_numbers = given().all(|(_, value)| matches!(value, Setting::Number(_)));
        if !(all_numbers && matches!(scenario.put_all(numbers), Ok(true))) {
            *scenario = self.set(&given().map(|(key, value)| value.set(key)).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// The scenario with another value of one key.
    pub fn with(&self, key: usize, value: &Setting) -> Result<Scenario, InputError> {
        self.set(&self.keys.get(key).map(|key| value.set(key)).into_iter().collect::<Vec<_>>())
    }

    /// Reads the scenario again with `KEY=VALUE` settings; the ground is only rebuilt if a setting belongs to it.
    pub fn set(&self, settings: &[String]) -> Result<Scenario, InputError> {
        let of_ground = |setting: &String| {
            let key = setting.split('=').next().unwrap_or_default().trim();
            key == "ground" || key.starts_with("ground.")
        };
        let known = (!settings.iter().any(of_ground)).then(|| SharedGround::of(&self.written));
        Scenario::over(&self.document.with(settings)?, known.as_ref())
    }
}
