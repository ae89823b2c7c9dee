//! Mean, deviation and quantiles of a sweep's numbers, read from all rows, whichever command or machine wrote them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::SweepError;
use crate::folder::{Record, Store, runs_in};
use crate::layout::{ChunkLayout, cells_name};
use crate::random::{Use, unit};
use crate::reduce::CellSums;
use crate::run_rows::REFUSED;

/// Largest number of values kept for the quantiles of a column; of more values a random part is kept.
pub(crate) const KEPT: usize = 1 << 18;
/// Probabilities of the quantiles.
pub const QUANTILES: [f64; 5] = [0.0, 0.05, 0.5, 0.95, 1.0];

/// Summary of a column of numbers over all runs that began.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Number of runs with a value.
    pub count: u64,
    /// Number of runs without.
    pub missing: u64,
    /// Mean; NaN without a number.
    pub mean: f64,
    /// Standard deviation; NaN for fewer than two numbers.
    pub deviation: f64,
    /// Quantiles for [`QUANTILES`], the least and the largest value among them.
    pub quantiles: [f64; QUANTILES.len()],
}

/// Values of a column, each with its random lot in (0, 1): all whose lots are below `part`.
struct KeptNumbers {
    numbers: Vec<(f64, f64)>,
    part: f64,
}

impl ColumnSummary {
    /// Adds a number; `deviation` is the sum of squared deviations so far (Welford, *Technometrics* 4, 1962, 419).
    fn add(&mut self, value: f64, run: u64, kept: &mut KeptNumbers) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.deviation += off * (value - self.mean);
        let [least, .., most] = &mut self.quantiles;
        (*least, *most) = if self.count == 1 { (value, value) } else { (least.min(value), most.max(value)) };
        let lot = unit(0, Use::Quantile, 0, run);
        if lot < kept.part {
            kept.numbers.push((value, lot));
        }
        if kept.numbers.len() > KEPT {
            kept.part *= 0.5;
            kept.numbers.retain(|(_, lot)| *lot < kept.part);
        }
    }

    fn finish(mut self, KeptNumbers { mut numbers, .. }: KeptNumbers) -> Self {
        if self.count == 0 {
            (self.mean, self.deviation, self.quantiles) = (f64::NAN, f64::NAN, QUANTILES.map(|_| f64::NAN));
            return self;
        }
        self.deviation = (self.deviation / (self.count as f64 - 1.0)).sqrt();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (i, part) in QUANTILES.into_iter().enumerate().skip(1).take(QUANTILES.len() - 2) {
            let at = part * numbers.len().saturating_sub(1) as f64;
            let [low, high] = [at.floor(), at.ceil()].map(|i| numbers.get(i as usize).map_or(f64::NAN, |kept| kept.0));
            self.quantiles[i] = low + at.fract() * (high - low);
        }
        self
    }
}

/// Summaries of the observed columns of numbers, by their names.
pub fn summaries(layout: &ChunkLayout, store: &Store) -> Result<BTreeMap<String, ColumnSummary>, SweepError> {
    let Some((name, columns)) = layout.tables.first() else { return Ok(BTreeMap::new()) };
    let wanted = layout.observed_numbers();
    let fresh = || (ColumnSummary::default(), KeptNumbers { numbers: Vec::new(), part: 1.0 });
    let mut found: Vec<(ColumnSummary, KeptNumbers)> = wanted.iter().map(|_| fresh()).collect();
    store.each(layout, name, |rows| {
        let (exit, runs) = (rows.column("exit"), runs_in(rows));
        let began = |row: usize| exit.and_then(|cells| cells.word(row)) != Some(REFUSED);
        for (column, (summary, kept)) in wanted.iter().zip(&mut found) {
            for row in (0..rows.rows()).filter(|row| began(*row)) {
                match rows.cells()[*column].number(row) {
                    value if value.is_nan() => summary.missing += 1,
                    value => summary.add(value, runs[row], kept),
                }
            }
        }
    })?;
    let mut told: Vec<ColumnSummary> = found.into_iter().map(|(summary, kept)| summary.finish(kept)).collect();
    if let Some(reduction) = layout.reduction(&cells_name(0))? {
        // Cells have all runs, while rows are those of some.
        let (mut cells, records) = (CellSums::default(), store.records(layout)?);
        store.each(layout, &cells_name(0), |part| cells.add_table(&reduction, part))?;
        let began = |record: &Record| record.runs - record.tally.exits.get(REFUSED).copied().unwrap_or(0);
        let runs: u64 = records.values().map(|(record, _)| began(record)).sum();
        for (told, sums) in told.iter_mut().zip(cells.totals()).filter(|(_, sums)| sums.count > 0) {
            (told.count, told.missing) = (sums.count, runs.saturating_sub(sums.count));
            (told.mean, told.deviation) = (sums.mean, sums.deviation());
            (told.quantiles[0], told.quantiles[QUANTILES.len() - 1]) = (sums.least, sums.most);
        }
    }
    let named = wanted.iter().map(|column| columns[*column].name.clone());
    Ok(named.zip(told).collect())
}
