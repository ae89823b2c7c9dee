//! Reduction of runs to cells: instead of a row per run, the number of runs in each cell, and means of their numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use scenario::input::{InputError, did_you_mean};
use tables::{Cell, Cells, Column, Kind, Table};

use crate::plan::{Plan, PlanPoints, cells_along};

/// Largest number of cells of one chunk.
const MOST: u64 = 1 << 20;
/// Number of different words of an observed column assumed for the memory.
const WORDS: u64 = 64;
/// Columns of each observed number of a cell.
const NUMBERS: [&str; 5] = ["runs", "mean", "deviation", "least", "most"];

/// A column of the runs that cells are formed along.
#[derive(Clone, Debug)]
struct CellAxis {
    column: usize,
    /// Ends of the cells; `None`: a cell for each value.
    ends: Option<PlanPoints>,
}

/// Reduction of runs to cells along some of their columns.
#[derive(Clone, Debug)]
pub struct Reduction {
    axes: Vec<CellAxis>,
    /// Columns of the runs whose numbers are summed up.
    pub(crate) numbers: Vec<usize>,
    /// Columns of the table of cells.
    pub(crate) columns: Arc<[Column]>,
}

/// Position of a cell along an axis: its lower end (NaN for runs without a number) or its word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CellPlace {
    /// Bits of the number, made to rise with it by [`ordered`].
    Number(i64),
    Word(String),
}

/// Maps the bits of a number to an integer that is ordered as by [`f64::total_cmp`]; applied again, it maps back.
fn ordered(bits: i64) -> i64 {
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

impl CellPlace {
    /// Reads the position from a table of cells.
    fn of(cells: &Cells, row: usize) -> Self {
        match cells.word(row) {
            Some(word) => CellPlace::Word(word.to_owned()),
            None => CellPlace::of_number(cells.number(row)),
        }
    }

    fn of_number(number: f64) -> Self {
        CellPlace::Number(ordered(number.to_bits() as i64))
    }
}

impl CellAxis {
    /// Lower end of the cell of a number; the last cell includes its upper end.
    fn lower(&self, value: f64) -> f64 {
        let Some(ends @ PlanPoints::Range { from, to, .. }) = &self.ends else { return value };
        match value {
            value if value < *from => f64::NEG_INFINITY,
            value if value > *to => *to,
            value if value.is_nan() => f64::NAN,
            value => end(ends, index(ends, value)),
        }
    }

    /// Upper end of the cell with this lower end.
    fn upper(&self, lower: f64) -> f64 {
        let Some(ends @ PlanPoints::Range { from, to, .. }) = &self.ends else { return lower };
        match lower {
            lower if lower == f64::NEG_INFINITY => *from,
            lower if lower == *to => f64::INFINITY,
            lower if lower.is_nan() => f64::NAN,
            lower => end(ends, index(ends, lower) + 1),
        }
    }
}

/// End number `index` of the cells, from 0.
fn end(ends: &PlanPoints, index: u64) -> f64 {
    ends.at(index).number().unwrap_or(f64::NAN)
}

/// Index of the cell of a number between the first and the last end.
fn index(ends: &PlanPoints, value: f64) -> u64 {
    let (&PlanPoints::Range { from, to, log, .. }, cells) = (ends, ends.count() - 1) else { return 0 };
    let part = if log { libm::log10(value / from) / libm::log10(to / from) } else { (value - from) / (to - from) };
    let mut at = ((part * cells as f64) as u64).min(cells - 1);
    while at > 0 && value < end(ends, at) {
        at -= 1;
    }
    while at + 1 < cells && value >= end(ends, at + 1) {
        at += 1;
    }
    at
}

impl Reduction {
    /// Reads `COLUMN, COLUMN=FROM..TO/CELLS, …`; `runs` are the columns of runs, `numbers` the indices of those that
    /// are summed up.
    pub(crate) fn read(text: &str, runs: &[Column], numbers: Vec<usize>) -> Result<Self, InputError> {
        let axes = parts(text).map(|part| axis(part, runs)).collect::<Result<Vec<_>, _>>()?;
        if let Some((i, twice)) = axes.iter().enumerate().find(|(i, a)| axes[..*i].iter().any(|b| a.column == b.column))
        {
            let message = format!("--reduce {text}: `{}` stands twice (axis {})", runs[twice.column].name, i + 1);
            return Err(InputError::without_place(message).with_help("name each column once"));
        }
        let along = axes.iter().flat_map(|axis| {
            let Column { name, unit, kind } = &runs[axis.column];
            let ends = ["from", "to"].map(|end| Column::new(format!("{name} {end}"), unit, Kind::Number));
            if axis.ends.is_some() { ends.to_vec() } else { vec![Column::new(name, unit, *kind)] }
        });
        let summed = numbers.iter().flat_map(|number| {
            let Column { name, unit, .. } = &runs[*number];
            NUMBERS.iter().enumerate().map(move |(i, what)| match i {
                0 => Column::new(format!("{name} {what}"), "", Kind::Count),
                _ => Column::new(format!("{name} {what}"), unit, Kind::Number),
            })
        });
        let columns = along.chain([Column::new("runs", "", Kind::Count)]).chain(summed).collect();
        Ok(Reduction { axes, numbers, columns })
    }

    /// Refuses more cells than memory may hold.
    pub(crate) fn check(&self, runs: &[Column], plan: &Plan) -> Result<(), InputError> {
        let mut cells = 1_u64;
        for axis in &self.axes {
            let Column { name, kind, .. } = &runs[axis.column];
            let count = match (&axis.ends, kind) {
                (Some(ends), _) => Some(ends.count().saturating_add(1)),
                (None, Kind::Word) if name != "reason" => Some(plan.points(name).unwrap_or(WORDS)),
                (None, _) => plan.points(name),
            };
            let Some(count) = count else {
                let error = InputError::without_place(format!("--reduce: `{name}` may have another value in each run"));
                return Err(error.with_help(format!("cut it into cells: {name}=FROM..TO/CELLS")));
            };
            cells = cells.saturating_mul(count);
        }
        if cells > MOST {
            let message = format!("--reduce: {cells} cells are more than {MOST}");
            return Err(InputError::without_place(message).with_help("take fewer cells, or fewer columns"));
        }
        Ok(())
    }
}

/// Parts between commas, except commas in parentheses.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i64;
    text.split(move |letter| {
        depth += i64::from(letter == '(') - i64::from(letter == ')');
        letter == ',' && depth == 0
    })
}

fn axis(text: &str, runs: &[Column]) -> Result<CellAxis, InputError> {
    let (name, ends) = match text.split_once('=') {
        None => (text.trim(), None),
        Some((name, _)) => (name.trim(), Some(cells_along(text)?)),
    };
    let Some(column) = runs.iter().position(|column| column.name == name) else {
        let known = runs.iter().map(|column| column.name.as_str());
        let help = match did_you_mean(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", known.collect::<Vec<_>>().join(", ")),
        };
        return Err(InputError::without_place(format!("--reduce: runs have no column `{name}`")).with_help(help));
    };
    if ends.is_some() && runs[column].kind == Kind::Word {
        let message = format!("--reduce: `{name}` is a word, and has no cells from one number to another");
        return Err(InputError::without_place(message).with_help(format!("write `{name}` alone: each word is a cell")));
    }
    Ok(CellAxis { column, ends })
}

/// Count, mean and squares of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    pub count: u64,
    pub mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
    pub least: f64,
    pub most: f64,
}

impl Sums {
    fn of(value: f64) -> Self {
        match value.is_nan() {
            true => Sums::default(),
            false => Sums { count: 1, mean: value, squares: 0.0, least: value, most: value },
        }
    }

    /// Adds the sums of other numbers (Chan, Golub & LeVeque, *Am. Stat.* 37, 1983, 242).
    pub fn add(&mut self, other: Sums) {
        if self.count == 0 || other.count == 0 {
            *self = if self.count == 0 { other } else { *self };
            return;
        }
        let [own, new] = [self.count, other.count].map(|count| count as f64);
        let off = other.mean - self.mean;
        self.mean += off * (new / (own + new));
        self.squares += other.squares + off * off * (own * new / (own + new));
        self.count += other.count;
        (self.least, self.most) = (self.least.min(other.least), self.most.max(other.most));
    }

    /// Standard deviation; NaN for fewer than two numbers.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 { f64::NAN } else { (self.squares / (self.count - 1) as f64).sqrt() }
    }
}

/// Number of runs in a cell, and sums of their numbers.
#[derive(Clone, Debug, Default)]
struct CellRuns {
    runs: u64,
    numbers: Vec<Sums>,
}

/// All cells that are not empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSums {
    cells: BTreeMap<Vec<CellPlace>, CellRuns>,
    /// Position of the cell that is added to next, kept to spare an allocation.
    at: Vec<CellPlace>,
}

impl CellSums {
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    pub fn add_run(&mut self, reduction: &Reduction, runs: &Table, row: usize) {
        self.at.extend(reduction.axes.iter().map(|axis| match CellPlace::of(&runs.cells()[axis.column], row) {
            CellPlace::Number(bits) => CellPlace::of_number(axis.lower(f64::from_bits(ordered(bits) as u64))),
            word => word,
        }));
        let numbers = reduction.numbers.iter().map(|number| Sums::of(runs.cells()[*number].number(row)));
        self.add(1, numbers);
    }

    /// Adds the cells of a table.
    pub fn add_table(&mut self, reduction: &Reduction, table: &Table) {
        for row in 0..table.rows() {
            let mut columns = table.cells().iter();
            for axis in &reduction.axes {
                self.at.extend(columns.next().map(|cells| CellPlace::of(cells, row)));
                columns.by_ref().take(usize::from(axis.ends.is_some())).for_each(drop);
            }
            let mut next = || columns.next().map_or(f64::NAN, |cells| cells.number(row));
            let runs = next() as u64;
            let numbers = reduction.numbers.iter().map(|_| {
                let [count, mean, deviation, least, most] = NUMBERS.map(|_| next());
                let squares = if count > 1.0 { deviation * deviation * (count - 1.0) } else { 0.0 };
                let sums = Sums { count: count as u64, mean, squares, least, most };
                if sums.count == 0 { Sums::default() } else { sums }
            });
            self.add(runs, numbers);
        }
    }

    /// Adds runs to the cell `at`.
    fn add(&mut self, runs: u64, numbers: impl Iterator<Item = Sums>) {
        if !self.cells.contains_key(&self.at) {
            self.cells.insert(self.at.clone(), CellRuns::default());
        }
        if let Some(cell) = self.cells.get_mut(&self.at) {
            cell.runs += runs;
            for (i, more) in numbers.enumerate() {
                match cell.numbers.get_mut(i) {
                    Some(sums) => sums.add(more),
                    None => cell.numbers.push(more),
                }
            }
        }
        self.at.clear();
    }

    /// Sums over all cells, by column.
    pub fn totals(&self) -> Vec<Sums> {
        let count = self.cells.values().map(|cell| cell.numbers.len()).max().unwrap_or(0);
        let mut totals = vec![Sums::default(); count];
        for cell in self.cells.values() {
            totals.iter_mut().zip(&cell.numbers).for_each(|(total, sums)| total.add(*sums));
        }
        totals
    }

    /// Table of the cells, in the order of their positions.
    pub fn table(&self, reduction: &Reduction) -> Table {
        let mut table = Table::new(reduction.columns.clone());
        for (at, CellRuns { runs, numbers }) in &self.cells {
            for (axis, place) in reduction.axes.iter().zip(at) {
                match place {
                    CellPlace::Word(word) => table.put(Cell::Word(word)),
                    CellPlace::Number(bits) => {
                        let lower = f64::from_bits(ordered(*bits) as u64);
                        table.put(Cell::Number(lower));
                        axis.ends.iter().for_each(|_| table.put(Cell::Number(axis.upper(lower))));
                    }
                }
            }
            table.put(Cell::Count(*runs));
            for sums in numbers {
                table.put(Cell::Count(sums.count));
                let told = [sums.mean, sums.deviation(), sums.least, sums.most];
                table.row(told.map(|number| if sums.count == 0 { Cell::Empty } else { Cell::Number(number) }));
            }
        }
        table
    }
}
