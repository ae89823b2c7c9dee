//! Mean, deviation and quantiles of a sweep's numbers: read from its rows, so that they are those of all calls and machines that made it.

use std::collections::BTreeMap;

use serde::Serialize;
use tables::{Cells, Kind};

use crate::error::SweepError;
use crate::folder::Store;
use crate::layout::Layout;
use crate::random::{Use, unit};
use crate::worker::REFUSED;

/// Numbers of a column that are kept for its quantiles; of more a random part is.
const KEPT: usize = 1 << 18;
/// Parts of the runs that quantiles are below.
pub const QUANTILES: [f64; 5] = [0.0, 0.05, 0.5, 0.95, 1.0];

/// A column of numbers over all runs that began.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Runs with a number.
    pub count: u64,
    /// Runs that have none.
    pub missing: u64,
    /// Mean; NaN without a number.
    pub mean: f64,
    /// Standard deviation; NaN of fewer than two numbers.
    pub deviation: f64,
    /// Numbers that the parts [`QUANTILES`] of the runs are below, the least and the largest among them.
    pub quantiles: [f64; QUANTILES.len()],
}

/// Sums of a column while rows are read.
struct Sums {
    count: u64,
    missing: u64,
    mean: f64,
    /// Sum of squares about the mean (Welford, *Technometrics* 4, 1962, 419).
    squares: f64,
    ends: [f64; 2],
    /// Numbers kept with their lots in [0, 1), all of them below `part`.
    kept: Vec<(f64, f64)>,
    part: f64,
}

impl Sums {
    fn new() -> Self {
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        Sums { count: 0, missing: 0, mean: 0.0, squares: 0.0, ends, kept: Vec::new(), part: 1.0 }
    }

    fn add(&mut self, value: f64, run: u64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
        self.ends = [self.ends[0].min(value), self.ends[1].max(value)];
        let lot = unit(0, Use::Quantile, 0, run);
        if lot < self.part {
            self.kept.push((value, lot));
        }
        if self.kept.len() > KEPT {
            self.part *= 0.5;
            self.kept.retain(|(_, lot)| *lot < self.part);
        }
    }

    fn summary(mut self) -> ColumnSummary {
        self.kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        let last = self.kept.len().saturating_sub(1);
        let quantile = |part: f64| {
            let at = part * last as f64;
            let [low, high] =
                [at.floor(), at.ceil()].map(|i| self.kept.get(i as usize).map_or(f64::NAN, |kept| kept.0));
            low + (at - at.floor()) * (high - low)
        };
        let [least, most] = if self.count > 0 { self.ends } else { [f64::NAN; 2] };
        let mut quantiles = QUANTILES.map(quantile);
        (quantiles[0], quantiles[QUANTILES.len() - 1]) = (least, most);
        let freedom = self.count as f64 - 1.0;
        ColumnSummary {
            count: self.count,
            missing: self.missing,
            mean: if self.count > 0 { self.mean } else { f64::NAN },
            deviation: if freedom > 0.0 { (self.squares / freedom).sqrt() } else { f64::NAN },
            quantiles,
        }
    }
}

/// The observed columns of numbers of all runs that are there, by their names.
pub fn summaries(layout: &Layout, store: &Store) -> Result<BTreeMap<String, ColumnSummary>, SweepError> {
    let Some((name, columns)) = layout.tables.first() else { return Ok(BTreeMap::new()) };
    let is_observed = |name: &str| layout.request.observe.iter().any(|observed| observed.trim() == name);
    let wanted: Vec<usize> =
        (0..columns.len()).filter(|i| columns[*i].kind == Kind::Number && is_observed(&columns[*i].name)).collect();
    let mut sums: Vec<Sums> = wanted.iter().map(|_| Sums::new()).collect();
    store.each(layout, name, |rows| {
        let (exit, Some(Cells::Count(runs))) = (rows.column("exit"), rows.cells().first()) else { return };
        let began = |row: usize| exit.and_then(|cells| cells.word(row)) != Some(REFUSED);
        for (column, sums) in wanted.iter().zip(&mut sums) {
            for row in (0..rows.rows()).filter(|row| began(*row)) {
                match rows.cells()[*column].number(row) {
                    value if value.is_nan() => sums.missing += 1,
                    value => sums.add(value, runs[row]),
                }
            }
        }
    })?;
    Ok(wanted.iter().zip(sums).map(|(column, sums)| (columns[*column].name.clone(), sums.summary())).collect())
}
