//! Charts of a sweep. Rows are read twice, chunk by chunk: for the ends of the axes, and into cells. Memory does not
//! grow with them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use report::figures::{Chart, Field, MOST_CELLS, Marks, Scale};
use scenario::Setting;
use scenario::input::{InputError, did_you_mean};
use tables::{Cell, Column, Table};

use crate::error::SweepError;
use crate::folder::{Record, Store, runs_in, table_of};
use crate::layout::ChunkLayout;
use crate::plan::{Plan, PlanPoints, range_of};
use crate::status::status;

/// Columns of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlotColumns {
    /// Column along x.
    pub x: String,
    /// Column along y; none: a histogram of x.
    pub y: Option<String>,
    /// Column shown by colour, as the mean of a cell or its most frequent word; none: the number of rows.
    pub colour: Option<String>,
}

/// Largest number of dots; more rows are counted in cells.
const DOTS: usize = 4000;
/// Number of bars of a histogram.
const BARS: usize = 60;
/// Largest number of words with a colour of their own.
const WORDS: usize = 64;

/// Ends of no numbers, from which [`wider`] begins.
const NOTHING: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// Ends that contain a number, too.
fn wider([low, high]: [f64; 2], number: f64) -> [f64; 2] {
    [low.min(number), high.max(number)]
}

/// Source of a column's cells.
enum CellSource {
    /// Column of the table that is read.
    Cell(usize),
    /// Key of the plan, by the index of the run.
    Key(usize),
}

/// Draws the chart as SVG.
pub fn plot(layout: &ChunkLayout, store: &Store, drawing: &PlotColumns) -> Result<String, SweepError> {
    let plan = Plan::of(&layout.request, &layout.base);
    let plot = Plot::new(layout, store, drawing, &plan)?;
    let Plot { y, colour, scales, .. } = &plot;
    let mut seen = Seen { rows: 0, x: NOTHING, y: NOTHING, shown: NOTHING, words: Vec::new() };
    plot.each(&mut |x, y, shown| seen.see(x, y, shown))?;
    if seen.rows == 0 {
        let y = drawing.y.as_ref().map_or_else(String::new, |y| format!(" and {y}"));
        return Err(SweepError::NothingToDraw { columns: format!("{}{y}", drawing.x) });
    }
    if let Some(colour) = drawing.colour.as_ref().filter(|_| seen.words.is_empty() && seen.shown[0] > seen.shown[1]) {
        return Err(SweepError::NothingToDraw { columns: colour.clone() });
    }
    let axes = [scales[0].axis(seen.x, MOST_CELLS[0]), scales[1].axis(seen.y, MOST_CELLS[1])];
    // Rows without a finite number are in no bar.
    let rows = || match status(layout, store).map(|status| status.rows.get(plot.table).copied()) {
        Ok(Some(all)) if all > seen.rows => format!("rows; {} more have no number", all - seen.rows),
        _ if plot.table == "runs" => "runs".to_owned(),
        _ => "rows".to_owned(),
    };
    let chart = |[x_ends, y_ends]: [[f64; 2]; 2], marks, scale| {
        let upwards = y.as_ref().map_or_else(rows, |(_, column)| label(column));
        let chart = Chart::new(&layout.title, &label(plot.x.1), &upwards, Vec::new());
        let chart = chart.decades(scales.each_ref().map(|scale| scale.decades).into());
        let [[left, right], [low, high]] = [scales[0].numbers(x_ends), scales[1].numbers(y_ends)];
        Ok(Chart { extent: Some([left, right, low, high]), field: Some(Field { marks, scale }), ..chart }.svg())
    };
    let extent = axes.each_ref().map(|axis| [axis.low, axis.high]);
    let Some((_, column)) = colour.as_ref().or(y.as_ref()) else {
        let axis = PlotAxis::wide(seen.x, BARS);
        let mut bars = vec![0.0; BARS];
        plot.each(&mut |x, _, _| bars[axis.bin(x)] += 1.0)?;
        let most = bars.iter().copied().fold(1.0, f64::max);
        return chart([[axis.low, axis.high], [0.0, 1.05 * most]], Marks::Bars(bars), None);
    };
    let words = (!seen.words.is_empty()).then(|| Scale::Words(seen.words.clone()));
    let name = label(column);
    let grid = scales.iter().take(if y.is_some() { 2 } else { 1 }).all(|scale| scale.grid.is_some());
    if seen.rows as usize <= DOTS && !grid {
        let numbers = colour.is_some().then(|| shades(name, seen.shown, false));
        return chart(extent, Marks::Dots(plot.dots(&seen)?), words.or(numbers));
    }
    let values = plot.cells(&seen, &axes)?;
    let ends = values.iter().copied().filter(|value| value.is_finite()).fold(NOTHING, wider);
    let numbers = if colour.is_some() { shades(name, ends, false) } else { shades("rows".to_owned(), ends, true) };
    chart(extent, Marks::Cells([axes[0].bins, axes[1].bins], values), Some(words.unwrap_or(numbers)))
}

/// Columns of a plot, and the chunks with their rows.
struct Plot<'a> {
    layout: &'a ChunkLayout,
    plan: Option<&'a Plan>,
    table: &'a str,
    columns: &'a Arc<[Column]>,
    x: (CellSource, &'a Column),
    y: Option<(CellSource, &'a Column)>,
    colour: Option<(CellSource, &'a Column)>,
    records: BTreeMap<u64, (Record, &'a Path)>,
    scales: [ColumnAlong; 2],
}

impl<'a> Plot<'a> {
    fn new(
        layout: &'a ChunkLayout,
        store: &'a Store,
        drawing: &PlotColumns,
        plan: &'a Result<Plan, InputError>,
    ) -> Result<Self, SweepError> {
        let names = [Some(&drawing.x), drawing.y.as_ref(), drawing.colour.as_ref()];
        let asked: Vec<&String> = names.into_iter().flatten().collect();
        let keys = plan.as_ref().map_or_else(|_| Vec::new(), Plan::keys);
        // Without the file of values, the columns of the folder suffice if they are in one table.
        let (table, columns) = table_with(layout, &keys, &asked)
            .map_err(|error| plan.as_ref().err().map_or(error, |why| why.clone().into()))?;
        let find = |name: &String| -> Result<(CellSource, &'a Column), SweepError> {
            if let Some(place) = columns.iter().position(|column| column.name == *name) {
                return Ok((CellSource::Cell(place), &columns[place]));
            }
            let key = keys.iter().position(|key| key == name).ok_or_else(|| no_column(layout, name))?;
            let of_runs = layout.tables.first().and_then(|(_, columns)| columns.get(key + 1));
            Ok((CellSource::Key(key), of_runs.ok_or_else(|| no_column(layout, name))?))
        };
        Ok(Plot {
            layout,
            plan: plan.as_ref().ok(),
            table,
            columns,
            x: find(&drawing.x)?,
            y: drawing.y.as_ref().map(find).transpose()?,
            colour: drawing.colour.as_ref().map(find).transpose()?,
            records: store.records(layout)?,
            scales: [Some(&drawing.x), drawing.y.as_ref()].map(|name| ColumnAlong::of(layout, name)),
        })
    }

    /// Calls `take` for all rows with the places along the axes and the value shown by colour.
    fn each(&self, take: &mut dyn FnMut(f64, f64, Cell)) -> Result<(), SweepError> {
        for record in self.records.values() {
            let rows = table_of(self.layout, record, self.table, self.columns)?;
            let mut values = Values { plan: self.plan, rows: &rows, run: None, values: Vec::new() };
            for row in 0..rows.rows() {
                let mut at = |i: usize, source: &CellSource| self.scales[i].place(number(values.at(source, row)));
                let (along, up) = (at(0, &self.x.0), self.y.as_ref().map_or(0.0, |(source, _)| at(1, source)));
                if along.is_finite() && up.is_finite() {
                    let shown = self.colour.as_ref().map_or(Cell::Empty, |(source, _)| values.at(source, row));
                    take(along, up, shown);
                }
            }
        }
        Ok(())
    }

    fn dots(&self, seen: &Seen) -> Result<Vec<[f64; 3]>, SweepError> {
        let mut dots = Vec::new();
        self.each(&mut |x, y, shown| {
            let value = match shown {
                Cell::Word(word) => seen.index(word),
                shown => number(shown),
            };
            dots.push([self.scales[0].numbers([x; 2])[0], self.scales[1].numbers([y; 2])[0], value]);
        })?;
        Ok(dots)
    }

    /// Values of cells: mean or most frequent word of their rows; without colour the logarithm of their number.
    fn cells(&self, seen: &Seen, axes: &[PlotAxis; 2]) -> Result<Vec<f64>, SweepError> {
        let bins = [axes[0].bins, axes[1].bins];
        let kinds = seen.words.len().max(1);
        let (mut counts, mut sums) = (vec![0_u32; bins[0] * bins[1] * kinds], vec![0.0; bins[0] * bins[1]]);
        self.each(&mut |x, y, shown| {
            let cell = axes[1].bin(y) * bins[0] + axes[0].bin(x);
            let kind = match shown {
                Cell::Word(word) => seen.index(word),
                Cell::Number(number) => {
                    sums[cell] += number;
                    // Missing numbers do not count in the mean.
                    if number.is_nan() { f64::NAN } else { 0.0 }
                }
                _ => 0.0,
            };
            if kind >= 0.0 {
                let count = &mut counts[cell * kinds + kind as usize];
                *count = count.saturating_add(1);
            }
        })?;
        let value = |cell: usize| {
            let counts = &counts[cell * kinds..(cell + 1) * kinds];
            let most = (0..kinds).max_by_key(|kind| (counts[*kind], std::cmp::Reverse(*kind))).unwrap_or(0);
            match (counts[most], seen.words.is_empty(), self.colour.is_some()) {
                (0, ..) => f64::NAN,
                (_, false, _) => most as f64,
                (count, _, true) => sums[cell] / f64::from(count),
                (count, ..) => f64::from(count).log10(),
            }
        };
        Ok((0..bins[0] * bins[1]).map(value).collect())
    }
}

fn shades(label: String, [low, high]: [f64; 2], decades: bool) -> Scale {
    Scale::Shades { label, low, high, decades }
}

fn label(column: &Column) -> String {
    if column.unit.is_empty() { column.name.clone() } else { format!("{} [{}]", column.name, column.unit) }
}

/// The first table with all columns, except keys, which each table has by its runs.
fn table_with<'a>(
    layout: &'a ChunkLayout,
    keys: &[String],
    names: &[&String],
) -> Result<(&'a str, &'a Arc<[Column]>), SweepError> {
    let has =
        |columns: &[Column], name: &String| columns.iter().any(|column| column.name == *name) || keys.contains(name);
    let order = ["runs", "section", "events"];
    let tables = || order.iter().filter_map(|name| layout.tables.iter().find(|(known, _)| known == name));
    let whole = tables().find(|(_, columns)| names.iter().all(|name| has(columns, name)));
    whole.map(|(name, columns)| (name.as_str(), columns)).ok_or_else(|| {
        // A column that no table has; else they are in different tables.
        let nowhere = names.iter().find(|name| !tables().any(|(_, columns)| has(columns, name)));
        no_column(layout, nowhere.or(names.last()).map_or("", |name| name.as_str()))
    })
}

fn no_column(layout: &ChunkLayout, name: &str) -> SweepError {
    let known: Vec<&str> =
        layout.tables.iter().flat_map(|(_, columns)| columns.iter().map(|column| column.name.as_str())).collect();
    let near = did_you_mean(name, known.iter().copied()).filter(|near| *near != name).map(str::to_owned);
    SweepError::NoColumn { name: name.to_owned(), near, known: known.join(", ") }
}

fn number(cell: Cell) -> f64 {
    if let Cell::Number(number) = cell { number } else { f64::NAN }
}

/// Cells of a table's rows, and values of their runs.
struct Values<'a> {
    plan: Option<&'a Plan>,
    rows: &'a Table,
    run: Option<u64>,
    values: Vec<Setting>,
}

impl Values<'_> {
    fn at(&mut self, source: &CellSource, row: usize) -> Cell<'_> {
        match source {
            CellSource::Cell(place) => {
                let cells = &self.rows.cells()[*place];
                cells.word(row).map_or_else(|| Cell::Number(cells.number(row)), Cell::Word)
            }
            CellSource::Key(key) => {
                let Some(plan) = self.plan else { return Cell::Empty };
                let run = runs_in(self.rows)[row];
                if self.run != Some(run) {
                    self.run = Some(run);
                    plan.values(run, &mut self.values);
                }
                match &self.values[*key] {
                    Setting::Number(number) => Cell::Number(*number),
                    Setting::Text(text) => Cell::Word(text),
                }
            }
        }
    }
}

/// Ends and words of all rows.
#[derive(Debug)]
struct Seen {
    rows: u64,
    x: [f64; 2],
    y: [f64; 2],
    shown: [f64; 2],
    words: Vec<String>,
}

impl Seen {
    fn see(&mut self, x: f64, y: f64, shown: Cell) {
        self.rows += 1;
        (self.x, self.y) = (wider(self.x, x), wider(self.y, y));
        match shown {
            Cell::Number(number) if number.is_finite() => self.shown = wider(self.shown, number),
            Cell::Word(word) if !word.is_empty() && self.words.len() < WORDS => {
                if let Err(place) = self.words.binary_search_by(|known| known.as_str().cmp(word)) {
                    self.words.insert(place, word.to_owned());
                }
            }
            _ => {}
        }
    }

    /// Index of a word's colour, NaN for no word; words beyond [`WORDS`] share the last colour.
    fn index(&self, word: &str) -> f64 {
        match self.words.iter().position(|known| known == word) {
            Some(i) => i as f64,
            None if word.is_empty() => f64::NAN,
            None => (self.words.len() - 1) as f64,
        }
    }
}

/// Scale of a column along an axis.
struct ColumnAlong {
    /// Whether logarithmic: for a key with equal ratios.
    decades: bool,
    /// Ends and number of a key's points.
    grid: Option<(f64, f64, u64)>,
}

impl ColumnAlong {
    fn of(layout: &ChunkLayout, name: Option<&String>) -> Self {
        let points = name.and_then(|name| range_of(&layout.request.vary, name));
        let decades = matches!(points, Some(PlanPoints::Range { from, log: true, .. }) if from > 0.0);
        let grid = match points {
            Some(PlanPoints::Range { from, to, count, log: false }) => Some((from, to, count)),
            Some(PlanPoints::Range { from, to, count, .. }) if decades => Some((from.log10(), to.log10(), count)),
            _ => None,
        };
        ColumnAlong { decades, grid: grid.filter(|(from, to, count)| *count > 1 && from != to) }
    }

    /// Place of a number on the axis.
    fn place(&self, number: f64) -> f64 {
        if self.decades { number.log10() } else { number }
    }

    /// Numbers at two places on the axis.
    fn numbers(&self, places: [f64; 2]) -> [f64; 2] {
        if self.decades { places.map(|place| 10f64.powf(place)) } else { places }
    }

    /// Axis with `most` bins at most; bins of a grid hold whole numbers of points.
    fn axis(&self, ends: [f64; 2], most: usize) -> PlotAxis {
        let Some((from, to, count)) = self.grid else { return PlotAxis::wide(ends, most) };
        let half = 0.5 * (to - from).abs() / (count - 1) as f64;
        let bins = (count as usize).div_ceil((count as usize).div_ceil(most));
        PlotAxis { low: from.min(to) - half, high: from.max(to) + half, bins }
    }
}

struct PlotAxis {
    low: f64,
    high: f64,
    bins: usize,
}

impl PlotAxis {
    fn wide([low, high]: [f64; 2], bins: usize) -> Self {
        let half = if high > low { 0.5 * (high - low) / bins as f64 } else { 0.5 * low.abs().max(1.0) };
        PlotAxis { low: low - half, high: high + half, bins }
    }

    fn bin(&self, value: f64) -> usize {
        ((value - self.low) / (self.high - self.low) * self.bins as f64).clamp(0.0, (self.bins - 1) as f64) as usize
    }
}
