//! A scenario file again and again, with other values of a few keys.

use std::sync::Arc;

use crate::input::InputError;
use crate::known_ground::KnownGround;
use crate::load::Document;
use crate::scenario::Scenario;

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// Text, as after the `=` of `--set`.
    Text(Arc<str>),
}

impl Setting {
    /// As `--set` takes it.
    pub fn set(&self, key: &str) -> String {
        match self {
            Setting::Number(number) => format!("{key}={number:?}"),
            Setting::Text(text) => format!("{key}={text}"),
        }
    }

    /// The number that it is; a text may be one, too.
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

/// A scenario file and keys of it whose values vary, named as in `--set`.
#[derive(Clone, Debug)]
pub struct Variants {
    document: Document,
    written: Scenario,
    keys: Vec<String>,
}

impl Variants {
    /// The scenario as it stands has to be one. Keys are looked at where values are put.
    pub fn of(document: Document, keys: Vec<String>) -> Result<Self, InputError> {
        let written = Scenario::of(&document)?;
        Ok(Variants { document, written, keys })
    }

    /// The scenario as it stands.
    pub fn written(&self) -> &Scenario {
        &self.written
    }

    /// The file it was read from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// In the order of values.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Makes `scenario`, a copy of [`written`](Self::written) or what this has made of it, that with `values`. What it was before has no
    /// effect on what it becomes, unless there is an error: then it is to be made anew.
    ///
    /// Numbers that can be are put in place ([`Scenario::put_all`]); if one can't, or is wrong, the document is read again with all of
    /// them, and an error knows its key.
    pub fn put(&self, scenario: &mut Scenario, values: &[Setting]) -> Result<(), InputError> {
        let Scenario { scene, initial, start, solver, .. } = &self.written;
        scenario.scene.clone_from(scene);
        (scenario.initial, scenario.start, scenario.solver) = (*initial, *start, *solver);
        let mut in_place = true;
        let numbers = self.keys.iter().zip(values).map_while(|(key, value)| match value {
            Setting::Number(number) => Some((key.as_str(), *number)),
            Setting::Text(_) => {
                in_place = false;
                None
            }
        });
        let put = matches!(scenario.put_all(numbers), Ok(true));
        if !(put && in_place) {
            *scenario = self.read(values)?;
        }
        Ok(())
    }

    /// The scenario with another value of one key alone.
    pub fn with(&self, key: usize, value: &Setting) -> Result<Scenario, InputError> {
        self.set(&self.keys.get(key).map(|key| value.set(key)).into_iter().collect::<Vec<_>>())
    }

    /// The scenario with `KEY=VALUE` settings put in, read again; a ground is built only where one of them is part of it.
    pub fn set(&self, settings: &[String]) -> Result<Scenario, InputError> {
        let of_ground = |setting: &String| {
            let key = setting.split('=').next().unwrap_or_default().trim();
            key == "ground" || key.starts_with("ground.")
        };
        let known = (!settings.iter().any(of_ground)).then(|| KnownGround::of(&self.written));
        Scenario::over(&self.document.with(settings)?, known.as_ref())
    }

    fn read(&self, values: &[Setting]) -> Result<Scenario, InputError> {
        self.set(&self.keys.iter().zip(values).map(|(key, value)| value.set(key)).collect::<Vec<_>>())
    }
}
