//! The points of one varied key.

use scenario::Setting;

/// Values of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanPoints {
    /// A range, ends included.
    Range {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// Number of points, at least 1; 1: the first alone.
        count: u64,
        /// Whether with equal ratios (both ends of one sign); else with equal differences.
        log: bool,
    },
    /// Listed values.
    List(Vec<Setting>),
}

impl PlanPoints {
    /// Number of points.
    pub fn count(&self) -> u64 {
        match self {
            PlanPoints::Range { count, .. } => *count,
            PlanPoints::List(list) => list.len() as u64,
        }
    }

    /// The values, if they are listed.
    pub(super) fn list(&self) -> Option<&[Setting]> {
        if let PlanPoints::List(list) = self { Some(list) } else { None }
    }

    pub(crate) fn at(&self, index: u64) -> Setting {
        // Both ends exactly.
        let part = |count: u64| index as f64 / (count.max(2) - 1) as f64;
        Setting::Number(match self {
            PlanPoints::Range { from, .. } if index == 0 => *from,
            PlanPoints::Range { to, count, .. } if index + 1 == *count => *to,
            PlanPoints::Range { from, to, count, log: false } => from + (to - from) * part(*count),
            // Powers of ten exactly.
            PlanPoints::Range { from, to, count, .. } => {
                let [low, high] = [from, to].map(|end| libm::log10(end.abs()));
                libm::copysign(libm::pow(10.0, low + (high - low) * part(*count)), *from)
            }
            PlanPoints::List(list) => return list.get(index as usize).cloned().unwrap_or(Setting::Number(f64::NAN)),
        })
    }
}
