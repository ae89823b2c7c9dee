//! Layout of a sweep: its tables, chunks and runs, as its folder tells, even if its scenario can no longer be built.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use scenario::input::InputError;
use tables::{Column, Format, Kind};

use crate::error::SweepError;
use crate::manifest::Manifest;
use crate::random::{Use, unit};
use crate::reduce::Reduction;
use crate::request::Request;
use crate::summary::KEPT;

/// Tables, chunks and runs of a sweep.
#[derive(Clone, Debug)]
pub struct ChunkLayout {
    /// Number of runs.
    pub runs: u64,
    /// Runs of a chunk; the last one may have fewer.
    pub chunk: u64,
    /// Format of the tables.
    pub format: Format,
    /// Names and columns of the tables of a chunk; the first is that of runs.
    pub tables: Vec<(String, Arc<[Column]>)>,
    /// Title of the scenario.
    pub title: String,
    /// Request that the sweep was made from.
    pub request: Request,
    /// Folder that paths are relative to.
    pub(crate) base: PathBuf,
}

/// Observed columns of numbers among those of runs.
pub(crate) fn observed_numbers(runs: &[Column], request: &Request) -> Vec<usize> {
    let is_observed = |name: &str| request.observe.iter().any(|observed| observed.trim() == name);
    (0..runs.len()).filter(|i| runs[*i].kind == Kind::Number && is_observed(&runs[*i].name)).collect()
}

/// Name of the table of cells of a number, from 0.
pub(crate) fn cells_name(number: usize) -> String {
    if number == 0 { "cells".to_owned() } else { format!("cells-{}", number + 1) }
}

impl ChunkLayout {
    /// Reads the layout from a manifest.
    pub(crate) fn of(manifest: &Manifest) -> Result<Self, SweepError> {
        Ok(ChunkLayout {
            runs: manifest.runs,
            chunk: manifest.chunk.max(1),
            format: manifest.request.format()?,
            tables: manifest.columns.iter().map(|(name, columns)| (name.clone(), columns.clone().into())).collect(),
            title: manifest.resolved.get("title").and_then(|title| title.as_str()).unwrap_or_default().to_owned(),
            request: manifest.request.clone(),
            base: PathBuf::from(&manifest.base),
        })
    }

    /// Number of chunks.
    pub fn chunks(&self) -> u64 {
        self.runs.div_ceil(self.chunk)
    }

    /// Indices of the runs of a chunk.
    pub fn runs_of(&self, chunk: u64) -> Range<u64> {
        let from = chunk.saturating_mul(self.chunk).min(self.runs);
        from..from.saturating_add(self.chunk).min(self.runs)
    }

    /// Whether the row of a run is kept; a sweep reduced to cells keeps a random part, for quantiles and pictures.
    pub(crate) fn keeps(&self, run: u64) -> bool {
        self.request.reduce.is_empty() || unit(0, Use::Quantile, 0, run) < KEPT as f64 / self.runs as f64
    }

    /// Observed columns of numbers in the table of runs.
    pub(crate) fn observed_numbers(&self) -> Vec<usize> {
        observed_numbers(&self.tables[0].1, &self.request)
    }

    /// Reduction of a table to cells, by the table's name; `None`: the table has rows of runs.
    pub(crate) fn reduction(&self, table: &str) -> Result<Option<Reduction>, InputError> {
        let place = self.tables.iter().position(|(name, _)| name == table);
        let number = place.and_then(|place| place.checked_sub(self.tables.len() - self.request.reduce.len()));
        let text = number.and_then(|number| self.request.reduce.get(number));
        text.map(|text| Reduction::read(text, &self.tables[0].1, self.observed_numbers())).transpose()
    }

    /// The columns of a table by its name.
    pub fn table(&self, name: &str) -> Result<Arc<[Column]>, SweepError> {
        let known = || self.tables.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let found = self.tables.iter().find(|(known, _)| known == name).map(|(_, columns)| columns.clone());
        found.ok_or_else(|| SweepError::NoTable { name: name.to_owned(), known: known() })
    }
}
