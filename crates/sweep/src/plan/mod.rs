//! What varies: the values of the keys in every run, each by its index alone.

mod points;
mod samples;
mod table;
mod text;

use std::path::Path;
use std::sync::Arc;

use scenario::Setting;
use scenario::input::InputError;

use crate::request::Request;
pub use points::Points;
use samples::Samples;
pub use samples::{Design, Law};
pub use table::Rows;

/// What varies together: one key over its points, or several over rows or samples.
#[derive(Clone, Debug)]
enum Axis {
    Grid { key: String, points: Points },
    Table(Rows),
    Samples(Samples),
}

/// The product of all that varies. The last axis changes fastest: keys in the order given, then the table, then samples, which are the
/// same at every point of the others.
#[derive(Clone, Debug)]
pub struct Plan {
    axes: Vec<Axis>,
    count: u64,
}

impl Plan {
    /// Of a request; a table is found from `base`.
    pub fn of(request: &Request, base: &Path) -> Result<Self, InputError> {
        let mut axes = Vec::new();
        for text in &request.vary {
            let (key, points) = text::vary(text)?;
            axes.push(Axis::Grid { key, points });
        }
        if let Some(file) = &request.table {
            axes.push(Axis::Table(Rows::load(&base.join(file))?));
        }
        if let Some(samples) = Samples::of(request)? {
            axes.push(Axis::Samples(samples));
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
        let plan = Plan { axes, count };
        // `.x` and `.0` are one key.
        let one_name = |key: &String| match key
            .strip_suffix(".x")
            .map(|key| (key, 0))
            .or(key.strip_suffix(".y").map(|key| (key, 1)))
        {
            Some((key, place)) => format!("{key}.{place}"),
            None => key.clone(),
        };
        let keys: Vec<String> = plan.keys().iter().map(one_name).collect();
        if let Some((i, key)) = keys.iter().enumerate().find(|(i, key)| keys[..*i].contains(key)) {
            let message = format!("`{key}` varies twice (column {})", i + 1);
            return Err(InputError::without_place(message).with_help("let each key vary once"));
        }
        Ok(plan)
    }

    /// How many runs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// In the order of values.
    pub fn keys(&self) -> Vec<String> {
        self.axes.iter().flat_map(Axis::keys).collect()
    }

    /// Whether the values of each key are numbers.
    pub fn are_numbers(&self) -> Vec<bool> {
        self.axes.iter().flat_map(Axis::are_numbers).collect()
    }

    /// First, last and number of the points of a key with equal differences.
    pub(crate) fn line(&self, name: &str) -> Option<(f64, f64, u64)> {
        self.axes.iter().find_map(|axis| match axis {
            Axis::Grid { key, points: Points::Line { from, to, count } } if key == name => Some((*from, *to, *count)),
            _ => None,
        })
    }

    /// The words that a key takes, and where it stands among the values.
    pub(crate) fn words(&self) -> Vec<(usize, Vec<Setting>)> {
        let lists = self.axes.iter().flat_map(Axis::lists).enumerate();
        let words = |list: &[Setting]| list.iter().filter(|value| matches!(value, Setting::Text(_))).cloned().collect();
        lists.filter_map(|(i, list)| Some((i, words(list?)))).collect()
    }

    /// The table, with the hash of its file.
    pub fn table(&self) -> Option<&Rows> {
        self.axes.iter().find_map(|axis| match axis {
            Axis::Table(rows) => Some(rows),
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
                Axis::Grid { points, .. } => values.push(points.at(at)),
                Axis::Table(rows) => values.extend(rows.row(at).iter().map(|value| Setting::Number(*value))),
                Axis::Samples(samples) => samples.at(at, values),
            }
        }
    }
}

impl Axis {
    fn len(&self) -> u64 {
        match self {
            Axis::Grid { points, .. } => points.len(),
            Axis::Table(rows) => rows.len(),
            Axis::Samples(samples) => samples.count,
        }
    }

    fn keys(&self) -> Vec<String> {
        match self {
            Axis::Grid { key, .. } => vec![key.clone()],
            Axis::Table(rows) => rows.keys.clone(),
            Axis::Samples(samples) => samples.keys.clone(),
        }
    }

    /// The values of each key, if they are listed.
    fn lists(&self) -> Vec<Option<&[Setting]>> {
        match self {
            Axis::Grid { points: Points::List(list), .. } => vec![Some(list)],
            Axis::Grid { .. } => vec![None],
            Axis::Table(rows) => vec![None; rows.keys.len()],
            Axis::Samples(samples) => samples.laws.iter().map(Law::list).collect(),
        }
    }

    fn are_numbers(&self) -> Vec<bool> {
        match self {
            Axis::Grid { points, .. } => vec![points.are_numbers()],
            Axis::Table(rows) => vec![true; rows.keys.len()],
            Axis::Samples(samples) => samples.laws.iter().map(Law::is_number).collect(),
        }
    }
}

/// A value as it is written: a number where it is one.
fn setting(text: &str) -> Setting {
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    number.map_or_else(|| Setting::Text(Arc::from(text)), Setting::Number)
}
