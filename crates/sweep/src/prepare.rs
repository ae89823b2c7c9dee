//! Preparation of a sweep from a document and a request: its columns are listed, and some runs are tried.

use std::path::Path;
use std::sync::Arc;

use scenario::input::InputError;
use scenario::{Document, Methods, Variants, unit_of};
use tables::{Column, Field, Kind};

use crate::chunk_size::chunk_by_count;
use crate::error::SweepError;
use crate::layout::{ChunkLayout, cells_name, observed_numbers};
use crate::manifest::Manifest;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::reduce::Reduction;
use crate::request::Request;
use crate::run_rows::OUTCOME;
use crate::sweep::Sweep;

/// Number of runs tried before a sweep begins: if none can be made, the request is wrong.
const TRIED: u64 = 16;

impl Sweep {
    /// Prepares the sweep of a document whose `[sweep]` has been [taken out](Request::take).
    pub fn new(document: Document, request: Request) -> Result<Self, SweepError> {
        let plan = Plan::of(&request, &document.base)?;
        let table = plan.table().map(|rows| rows.source.clone());
        Sweep::planned(plan, document, request).map_err(|error| match (error, table) {
            (SweepError::Input(error), Some(table)) => table.of(error).into(),
            (error, _) => error,
        })
    }

    fn planned(plan: Plan, document: Document, request: Request) -> Result<Self, SweepError> {
        plan.check_keys()?;
        let text = toml::to_string(&document.tree).unwrap_or_default();
        let base = std::path::absolute(&document.base).unwrap_or_else(|_| document.base.clone());
        let format = request.format()?;
        let variants = Variants::of(document, plan.keys())?;
        let written = variants.written();
        let observed = Observed::read(&request.observe, request.skip, written)?;
        if written.ball_setups().len() > 1 {
            let error = InputError::without_place("a sweep is of runs of one ball, and the scenario has several");
            return Err(error.with_help("leave one `[[ball]]` in a copy of the scenario").into());
        }
        if let (Some(_), Some(error)) = (&written.stepping, observed.refuses_steps()) {
            return Err(error.into());
        }
        let chunk = chunk_by_count(&request, plan.count())?;
        let columns = columns(&plan, &observed);
        let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let error = InputError::without_place(format!("two columns would be called `{}`", pair[0]));
            return Err(error.with_help("observe a quantity by its other name, x(end)").into());
        }
        let mut tables = vec![("runs".to_owned(), columns)];
        if observed.events {
            tables.push(("events".to_owned(), observed.event_columns()));
        }
        if let Some(section) = &observed.section {
            tables.push(("section".to_owned(), section.columns()));
        }
        let numbers = observed_numbers(&tables[0].1, &request);
        let read = |text: &String| {
            let reduction = Reduction::read(text, &tables[0].1, numbers.clone())?;
            reduction.check(&tables[0].1, &plan).map(|()| reduction)
        };
        let reductions = request.reduce.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if tables.len() > 1 && !reductions.is_empty() {
            let error = InputError::without_place("--reduce keeps no row a run, and events and sections are such rows");
            return Err(error.with_help("observe quantities alone, or leave --reduce out").into());
        }
        let cells = reductions.iter().enumerate();
        tables.extend(cells.map(|(i, reduction)| (cells_name(i), reduction.columns.clone())));
        let title = written.title.clone();
        let layout = ChunkLayout { runs: plan.count(), chunk, format, tables, title, request, base };
        let mut sweep = Sweep { plan, variants, observed, reductions, layout, text };
        sweep.try_some_runs()?;
        sweep.limit_chunk_by_rows()?;
        Ok(sweep)
    }

    /// Indices of at most `most` runs, spread from the first to the last.
    pub(crate) fn spread_indices(&self, most: u64) -> impl Iterator<Item = u64> {
        let (count, chosen) = (self.layout.runs, self.layout.runs.min(most));
        let index = move |i| u128::from(count - 1) * u128::from(i) / u128::from(chosen.max(2) - 1);
        (0..chosen).map(move |i| u64::try_from(index(i)).unwrap_or(0))
    }

    /// Refuses a sweep if none of some runs can be made, with the first reason.
    fn try_some_runs(&self) -> Result<(), InputError> {
        let mut why = None;
        let (mut scenario, mut values) = (self.variants.written().clone(), Vec::new());
        for index in self.spread_indices(TRIED) {
            self.plan.values(index, &mut values);
            match self.variants.put(&mut scenario, &values) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    scenario = self.variants.written().clone();
                    why.get_or_insert(error);
                }
            }
        }
        why.map_or(Ok(()), Err)
    }

    /// Prepares the sweep of a manifest.
    pub(crate) fn of(manifest: &Manifest, methods: &Arc<Methods>) -> Result<Self, SweepError> {
        let document = Document::from_text(&manifest.scenario, Path::new(&manifest.base), &[], methods)?;
        Sweep::new(document, manifest.request.clone())
    }
}

/// Columns of the table of runs.
fn columns(plan: &Plan, observed: &Observed) -> Arc<[Column]> {
    let key = |(key, number): (String, bool)| {
        let (unit, kind) = if number { (unit_of(&key), Kind::Number) } else { ("", Kind::Word) };
        Column::new(key, unit, kind)
    };
    let keys = plan.keys().into_iter().zip(plan.are_numbers()).map(key);
    let after = OUTCOME.iter().map(Field::column);
    [Column::new("index", "", Kind::Count)].into_iter().chain(keys).chain(observed.columns()).chain(after).collect()
}
