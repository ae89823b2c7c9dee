//! Places of a ball over time.

use scenario::input::{named_rows, plain};

use super::plan::AXES;
use super::robust::{NORMAL, ranked};

/// A table as read.
#[derive(Clone, Debug)]
pub struct Data {
    /// File of the table.
    pub name: String,
    /// Rows with a place, times growing.
    pub rows: Vec<FilmRow>,
    /// Rows without, or from before the start.
    pub left_out: usize,
    /// Rows left out since they jump away from those beside.
    pub away: Vec<FilmRow>,
    /// Time of the table at which the scenario starts, s.
    pub start: f64,
    /// Whether places are in pixels, else in m.
    pub pixels: bool,
    /// Whether sigmas were given.
    pub weighted: bool,
    /// Least distance of places for each axis, in their unit: one of the last digit that they are written with, or the pixels' distance
    /// if all are on a grid.
    pub grain: [f64; 2],
    /// Notes on what was done with the table, or may be wrong with it.
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
    /// Name of the file, without the folders in which it stands.
    pub fn file_name(&self) -> &str {
        std::path::Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// Note on the time of the scenario at `start`, where it begins elsewhere than that of the table (s).
    pub fn begins(&self, start: f64) -> Option<String> {
        (self.start != start)
            .then(|| format!("t = {} s is {} s of {}", plain(start), plain(self.start), self.file_name()))
    }

    /// Time at which the ball was last seen, s since the start.
    pub fn end(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row.time)
    }

    /// A coordinate that is the same in all rows was not measured: its residuals would say that there is no noise. Given
    /// sigmas say what it is.
    pub(super) fn leave_out_what_never_changes(&mut self) {
        let of = |axis: usize| self.seen().filter(move |(_, a, _)| *a == axis).map(|(.., value)| value);
        let changes = [0, 1].map(|axis| of(axis).next().is_some_and(|first| of(axis).any(|value| value != first)));
        let seen = [0, 1].map(|axis| of(axis).next());
        for axis in 0..2 {
            if let Some(value) = seen[axis].filter(|_| !self.weighted && !changes[axis] && changes[1 - axis]) {
                self.rows.iter_mut().for_each(|row| row.place[axis] = f64::NAN);
                self.hints.push(format!(
                    "{} is {} in all rows: it counts as not seen; with --sigma it is seen",
                    AXES[axis],
                    plain(value)
                ));
            }
        }
        self.rows.retain(|row| row.place.iter().any(|c| c.is_finite()));
    }

    /// Coordinates seen: index of the row, axis, value.
    pub fn seen(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let both = self.rows.iter().enumerate().flat_map(|(i, row)| [(i, 0, row.place[0]), (i, 1, row.place[1])]);
        both.filter(|(.., value)| value.is_finite())
    }

    /// Leaves out rows, by their indices in order, and tells of them: what one does, what several do, and what comes of it.
    pub(super) fn leave_out(&mut self, rows: &[usize], [one, several]: [&str; 2], so: &str) {
        let lines: Vec<usize> = rows.iter().map(|i| self.rows[*i].line).collect();
        self.hints.extend(named_rows(&lines, one, several, so));
        let mut kept = (0..).map(|i| rows.binary_search(&i).is_err());
        self.rows.retain(|_| kept.next().unwrap_or(true));
        self.left_out += rows.len();
    }

    /// At most so many rows, spread over all; `None`: there are not more.
    pub(super) fn thinned(&self, most: usize) -> Option<Self> {
        let each = self.rows.len().div_ceil(most);
        let rows = || self.rows.iter().step_by(each).chain(self.rows.last()).copied().collect();
        (each > 1).then(|| Data { rows: rows(), away: Vec::new(), hints: Vec::new(), name: self.name.clone(), ..*self })
    }

    /// The larger side of the box that holds all places.
    pub fn extent(&self) -> f64 {
        let side = |axis: usize| {
            let values = self.seen().filter(|(_, a, _)| *a == axis).map(|(.., value)| value);
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            (high - low).max(0.0)
        };
        side(0).max(side(1))
    }

    /// Standard deviation of what is no smooth motion along each axis, as a part of sigma: each place against the parabola through
    /// the three before it. By the median, so that bounces and outliers count little. One for both axes, unless they differ by more
    /// than chance makes of one; then by the lower quartile of each, as a half of the rows of one axis may be beside bounces. With
    /// sigmas it is one. Without them at least that of rounding to the digits written. `None`: too few rows.
    pub fn noise(&self) -> Option<[f64; 2]> {
        self.noise_by(Share::HALF)
    }

    /// Noise as [`Data::noise`] has it, by the lower quartile: frames missing more often than in each fifth row leave no trace.
    pub(super) fn noise_between(&self) -> Option<[f64; 2]> {
        self.noise_by(Share::THREE_QUARTERS)
    }

    fn noise_by(&self, part: Share) -> Option<[f64; 2]> {
        let off = [0, 1].map(|axis| {
            let own = self.seen().filter(|(_, a, _)| *a == axis);
            let own: Vec<_> = own.map(|(i, _, value)| (self.rows[i].time, value, self.rows[i].sigma)).collect();
            // A place that is the same four times, as of a ball that is held, shows no noise.
            let moves = own.windows(4).map(|four| four.iter().any(|other| other.1 != four[0].1));
            off_neighbours(&own).zip(moves).filter(|(_, moves)| *moves).map(|(off, _)| off).collect::<Vec<f64>>()
        });
        let written = |axis: usize| if self.weighted { 0.0 } else { self.rounding(axis) };
        let both = part.of(&mut off.concat())?;
        let one = [0, 1].map(|axis| both.max(written(axis)));
        if self.weighted {
            return Some([both; 2]);
        }
        let chance = APART * off.iter().map(|own| 1.0 / own.len() as f64).sum::<f64>().sqrt();
        let own = [0, 1].map(|axis| Some(Share::THREE_QUARTERS.of(&mut off[axis].clone())?.max(written(axis))));
        let ([Some(x), Some(y)], true) = (own, chance.is_finite()) else { return Some(one) };
        Some(if (x / y).ln().abs() > chance { [x, y] } else { one })
    }

    /// Standard deviation of rounding to the digits written, or to the grid: 1/√12 of it.
    pub(super) fn rounding(&self, axis: usize) -> f64 {
        self.grain[axis] / 12f64.sqrt()
    }
}

/// A part of sizes, and what it is beyond in a normal distribution.
#[derive(Clone, Copy)]
pub(super) struct Share(f64, f64);

impl Share {
    const HALF: Share = Share(0.5, 1.0 / NORMAL);
    const THREE_QUARTERS: Share = Share(0.75, 0.318_639_363_964_375);
    pub const QUARTER: Share = Share(0.25, 1.1503493803760079);
    pub const TENTH: Share = Share(0.1, 1.6448536269514722);

    /// Standard deviation of a normal distribution by the size that this part is beyond.
    pub fn of(self, sizes: &mut [f64]) -> Option<f64> {
        let within = sizes.len() - (self.0 * sizes.len() as f64).ceil() as usize;
        ranked(sizes, within).map(|size| size / self.1)
    }
}

/// The distance of the grid that values are on, those written with `digit` as a unit of the last one; the digit, if there is none. Each
/// distance of neighbours is a multiple of the least of them but for rounding; by chance, with a probability of 2 digits over the
/// least one for each, in one of 1e6 tables.
pub(super) fn spacing(values: impl Iterator<Item = f64>, digit: f64) -> f64 {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let rounding = 1.01 * digit;
    let steps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > rounding);
    let mut steps: Vec<f64> = steps.collect();
    steps.sort_by(f64::total_cmp);
    let least = steps.first().copied().unwrap_or(f64::INFINITY);
    // The least one is off by rounding, too: the more steps are counted, the better it is known.
    let (mut sum, mut count) = (0.0, 0.0);
    for step in &steps {
        let grid = if count > 0.0 { sum / count } else { least };
        let times = (step / grid).round();
        if (step - times * grid).abs() > rounding {
            return digit;
        }
        (sum, count) = (sum + step, count + times);
    }
    let by_chance = steps.len() as f64 * (2.0 * rounding / least).ln();
    if by_chance < -(1e6_f64.ln()) { sum / count } else { digit }
}

/// The logarithm of two quartiles' ratio is below this over √(1/n + 1/m) in 99 % of cases, n and m being how many sizes they are
/// of: by simulation, as fours that overlap hang together.
const APART: f64 = 5.5;

/// How far values at growing times are off the parabola through the three before, over what noise of their own standard
/// deviations makes of that: time, value, deviation.
pub(super) fn off_neighbours(values: &[(f64, f64, f64)]) -> impl Iterator<Item = f64> {
    values.windows(4).map(|four| {
        // Lagrange's weights for the last of four.
        let weight = |k: usize| {
            let others = (0..3).filter(|j| *j != k);
            others.map(|j| (four[3].0 - four[j].0) / (four[k].0 - four[j].0)).product::<f64>()
        };
        let weights = [weight(0), weight(1), weight(2)];
        let off = four[3].1 - (0..3).map(|k| weights[k] * four[k].1).sum::<f64>();
        let size = four[3].2.powi(2) + (0..3).map(|k| (weights[k] * four[k].2).powi(2)).sum::<f64>();
        off.abs() / size.sqrt()
    })
}
