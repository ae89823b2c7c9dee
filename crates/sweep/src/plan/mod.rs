//! The plan of a sweep: values of the varied keys of every run, from its index alone.

mod law;
mod points;
mod samples;
mod table;
mod text;

use std::path::Path;
use std::sync::Arc;

use scenario::Setting;
use scenario::input::InputError;

use crate::request::Request;
pub use law::SampleLaw;
pub use points::PlanPoints;
pub use samples::Design;
use samples::Samples;
pub use table::PlanRows;
pub(crate) use text::cells_along;

/// Keys that vary together: one over its points, or several over rows or samples.
#[derive(Clone, Debug)]
enum PlanAxis {
    Grid { key: String, points: PlanPoints },
    Table(PlanRows),
    Samples(Samples),
}

/// Product of all axes, the last changing fastest: keys in the order given, then the table, then samples, the same at
/// every point.
#[derive(Clone, Debug)]
pub struct Plan {
    axes: Vec<PlanAxis>,
    count: u64,
}

impl Plan {
    /// Reads the axes of a request; its table is found from `base`.
    pub fn of(request: &Request, base: &Path) -> Result<Self, InputError> {
        let mut axes = Vec::new();
        for text in &request.vary {
            let (key, points) = text::vary(text)?;
            axes.push(PlanAxis::Grid { key, points });
        }
        if let Some(file) = &request.table {
            axes.push(PlanAxis::Table(PlanRows::load(&base.join(file), base)?));
        }
        if let Some(samples) = Samples::of(request)? {
            axes.push(PlanAxis::Samples(samples));
        }
        let help = "say what varies: --vary contact.restitution=0.1..0.9/50, --sample 'contact.friction ~ uniform(0.1, 0.3)' with \
                    --count, or --table FILE";
        if axes.is_empty() {
            return Err(InputError::without_place("nothing varies").with_help(help));
        }
        let whole = axes.iter().try_fold(1_u64, |count, axis| count.checked_mul(axis.len()));
        let Some(count) = whole.filter(|count| *count < 1 << 52) else {
            let message = "the product of all that varies has more than 2^52 runs";
            return Err(InputError::without_place(message).with_help("take fewer points, or sample them with --sample"));
        };
        Ok(Plan { axes, count })
    }

    /// Refuses keys that are of no run, or vary twice.
    pub(crate) fn check_keys(&self) -> Result<(), InputError> {
        let keys: Vec<String> = self.keys().iter().map(|key| one_name(key)).collect();
        if let Some(key) = keys.iter().find(|key| key.split('.').next() == Some("sweep")) {
            let message = format!("`{key}` says what varies, and is no part of a run");
            return Err(InputError::without_place(message).with_help("let a key of the scenario vary"));
        }
        if let Some((i, key)) = keys.iter().enumerate().find(|(i, key)| keys[..*i].contains(key)) {
            let message = format!("`{key}` varies twice (column {})", i + 1);
            return Err(InputError::without_place(message).with_help("let each key vary once"));
        }
        Ok(())
    }

    /// Number of runs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether a key varies, under this or another name of it.
    pub fn varies(&self, key: &str) -> bool {
        self.keys().iter().any(|known| one_name(known) == one_name(key))
    }

    /// Keys in the order of values.
    pub fn keys(&self) -> Vec<String> {
        self.axes.iter().flat_map(PlanAxis::varied).map(|(key, _)| key.to_owned()).collect()
    }

    /// Whether the values of each key are numbers.
    pub fn are_numbers(&self) -> Vec<bool> {
        let number = |list: Option<&[Setting]>| list.is_none_or(|list| list.iter().all(|value| !is_word(value)));
        self.axes.iter().flat_map(PlanAxis::varied).map(|(_, list)| number(list)).collect()
    }

    /// Keys with words as values: index among the keys, and the words.
    pub(crate) fn words(&self) -> Vec<(usize, Vec<Setting>)> {
        let lists = self.axes.iter().flat_map(PlanAxis::varied).enumerate();
        let words = |list: &[Setting]| list.iter().filter(|value| is_word(value)).cloned().collect();
        lists.filter_map(|(i, (_, list))| Some((i, words(list?)))).collect()
    }

    /// Number of different values of a key, if they are listed or on a grid.
    pub(crate) fn points(&self, key: &str) -> Option<u64> {
        self.axes.iter().find_map(|axis| {
            let (_, list) = axis.varied().into_iter().find(|(known, _)| *known == key)?;
            list.map(|list| list.len() as u64).or(matches!(axis, PlanAxis::Grid { .. }).then(|| axis.len()))
        })
    }

    /// The table, with the hash of its file.
    pub fn table(&self) -> Option<&PlanRows> {
        self.axes.iter().find_map(|axis| match axis {
            PlanAxis::Table(rows) => Some(rows),
            _ => None,
        })
    }

    /// The values of a run.
    pub fn values(&self, index: u64, values: &mut Vec<Setting>) {
        values.clear();
        let mut block = self.count;
        let mut rest = index;
        for axis in &self.axes {
            block /= axis.len();
            let at = rest / block;
            rest %= block;
            match axis {
                PlanAxis::Grid { points, .. } => values.push(points.at(at)),
                PlanAxis::Table(rows) => values.extend(rows.row(at).iter().map(|value| Setting::Number(*value))),
                PlanAxis::Samples(samples) => samples.at(at, values),
            }
        }
    }
}

/// The points of the key `name` in the options `vary`, if it varies over a range.
pub(crate) fn range_of(vary: &[String], name: &str) -> Option<PlanPoints> {
    vary.iter().find_map(|text| match text::vary(text).ok()? {
        (_, PlanPoints::List(_)) => None,
        (key, points) => (key == name).then_some(points),
    })
}

impl PlanAxis {
    fn len(&self) -> u64 {
        match self {
            PlanAxis::Grid { points, .. } => points.count(),
            PlanAxis::Table(rows) => rows.count(),
            PlanAxis::Samples(samples) => samples.count,
        }
    }

    /// Keys of the axis, with their values if they are listed; others are numbers.
    fn varied(&self) -> Vec<(&str, Option<&[Setting]>)> {
        match self {
            PlanAxis::Grid { key, points } => vec![(key, points.list())],
            PlanAxis::Table(rows) => rows.keys.iter().map(|key| (key.as_str(), None)).collect(),
            PlanAxis::Samples(Samples { keys, laws, .. }) => {
                keys.iter().zip(laws).map(|(key, law)| (key.as_str(), law.list())).collect()
            }
        }
    }
}

fn is_word(value: &Setting) -> bool {
    matches!(value, Setting::Text(_))
}

/// Normal form of a key: `.x` and `.0` are the same, and so are `1`, `01` and ` 1 `.
fn one_name(key: &str) -> String {
    let last = key.split('.').count() - 1;
    let one = |(i, part): (usize, &str)| match (part.trim(), part.trim().parse::<u32>()) {
        ("x", _) if i == last => "0".to_owned(),
        ("y", _) if i == last => "1".to_owned(),
        (_, Ok(place)) => place.to_string(),
        (part, _) => part.to_owned(),
    };
    key.split('.').enumerate().map(one).collect::<Vec<_>>().join(".")
}

/// A value from its text: a number if it is one.
fn setting(text: &str) -> Setting {
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    number.map_or_else(|| Setting::Text(Arc::from(text)), Setting::Number)
}
