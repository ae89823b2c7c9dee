//! [`Data`]: the measured places of a ball over time.

use scenario::input::{named_rows, plain};

use super::fit_options::AXES;
use super::robust::Points;

/// Words of the note on rows left out as faults of the film.
pub(super) const KEPT: &str = "left out; --every-row keeps them as they are";

/// Places of a ball over time, as read from a table.
#[derive(Clone, Debug)]
pub struct Data {
    /// File of the table.
    pub name: String,
    /// Rows with a place, times growing.
    pub rows: Vec<FilmRow>,
    /// Number of rows left out: without a place, outside the run, repeated or jumping away.
    pub left_out: usize,
    /// Rows left out because they jump away from their neighbours.
    pub away: Vec<FilmRow>,
    /// Time of the table at which the scenario starts, s.
    pub start: f64,
    /// Whether places are in pixels, else in m.
    pub pixels: bool,
    /// Whether sigmas were given.
    pub weighted: bool,
    /// Resolution of places along each axis, in their unit: one unit of the last digit written, or the spacing of a
    /// grid that holds all of them.
    pub grain: [f64; 2],
    /// Notes on changes of the table, and on possible faults of it.
    pub hints: Vec<String>,
}

/// A place of the ball in the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmRow {
    /// Line of the file, from 1.
    pub line: usize,
    /// Time since the start, s.
    pub time: f64,
    /// Place, m or pixels; NaN: not seen.
    pub place: [f64; 2],
    /// Standard deviation of a coordinate, in the unit of places; 1 if none is given.
    pub sigma: f64,
}

impl Data {
    /// Name of the file without its folders.
    pub fn file_name(&self) -> &str {
        std::path::Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// Note on the time (s) of the table at which the scenario's time is `start`, if these differ.
    pub fn begins(&self, start: f64) -> Option<String> {
        (self.start != start)
            .then(|| format!("t = {} s is {} s of {}", plain(start), plain(self.start), self.file_name()))
    }

    /// Time at which the ball was last seen, s since the start.
    pub fn end(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row.time)
    }

    /// Drops a coordinate that is equal in all rows while the other varies: it was not measured, and would show no
    /// noise. With given sigmas it is kept.
    pub(super) fn leave_out_what_never_changes(&mut self) {
        let ranges = [0, 1].map(|axis| self.range(axis));
        for (axis, [low, high]) in ranges.into_iter().enumerate() {
            if !self.weighted && low == high && ranges[1 - axis][0] < ranges[1 - axis][1] {
                self.rows.iter_mut().for_each(|row| row.place[axis] = f64::NAN);
                let (name, value) = (AXES[axis], plain(low));
                self.hints
                    .push(format!("{name} is {value} in all rows: it counts as not seen; with --sigma it is seen"));
            }
        }
        self.rows.retain(|row| row.place.iter().any(|c| c.is_finite()));
    }

    /// Least and greatest value of a coordinate; infinite if there is none.
    pub(super) fn range(&self, axis: usize) -> [f64; 2] {
        let values = self.seen().filter(|(_, a, _)| *a == axis).map(|(.., value)| value);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
    }

    /// All measured coordinates: index of the row, axis, value.
    pub fn seen(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let both = self.rows.iter().enumerate().flat_map(|(i, row)| [(i, 0, row.place[0]), (i, 1, row.place[1])]);
        both.filter(|(.., value)| value.is_finite())
    }

    /// Times and measured places of some rows along an axis.
    pub(super) fn points(&self, rows: impl Iterator<Item = usize>, axis: usize) -> Points {
        let seen = rows.filter_map(|i| self.rows.get(i)).map(|row| (row.time, row.place[axis]));
        seen.filter(|(_, place)| place.is_finite()).collect()
    }

    /// Leaves out rows by indices in order, with a note: words for one and several rows, and the consequence `so`.
    pub(super) fn leave_out(&mut self, rows: &[usize], [one, several]: [&str; 2], so: &str) {
        let lines: Vec<usize> = rows.iter().map(|i| self.rows[*i].line).collect();
        self.hints.extend(named_rows(&lines, one, several, so));
        let mut kept = (0..).map(|i| rows.binary_search(&i).is_err());
        self.rows.retain(|_| kept.next().unwrap_or(true));
        self.left_out += rows.len();
    }

    /// At most `most` + 1 rows, spread over the table, the last perhaps twice; `None`: all rows fit.
    pub(super) fn thinned(&self, most: usize) -> Option<Self> {
        let each = self.rows.len().div_ceil(most);
        let rows = || self.rows.iter().step_by(each).chain(self.rows.last()).copied().collect();
        (each > 1).then(|| Data { rows: rows(), away: Vec::new(), hints: Vec::new(), name: self.name.clone(), ..*self })
    }

    /// Larger side of the bounding box of all places.
    pub fn extent(&self) -> f64 {
        [0, 1].map(|axis| self.range(axis)).into_iter().fold(0.0, |most, [low, high]| most.max(high - low))
    }
}
