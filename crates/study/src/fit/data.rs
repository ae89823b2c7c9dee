//! Places of a ball over time.

use scenario::input::plain;

use super::plan::AXES;
use super::robust::{NORMAL, median};

/// A table as read.
#[derive(Clone, Debug)]
pub struct Data {
    /// Its file.
    pub name: String,
    /// Rows with a place, times growing.
    pub rows: Vec<Row>,
    /// Rows without, or from before the start.
    pub left_out: usize,
    /// Time of the table at which the scenario starts, s.
    pub start: f64,
    /// Whether places are in pixels, else in m.
    pub pixels: bool,
    /// Whether sigmas were given.
    pub weighted: bool,
    /// One unit of the last digit that places are written with, in their unit: the middle of all.
    pub grain: f64,
    /// What was done with the table, or may be wrong with it.
    pub hints: Vec<String>,
}

/// Where the ball was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Line of the file, from 1.
    pub line: usize,
    /// Since the start, s.
    pub time: f64,
    /// m or pixels; NaN: not seen.
    pub place: [f64; 2],
    /// Standard deviation of a coordinate, in the unit of places; 1 if none is given.
    pub sigma: f64,
}

impl Data {
    /// When the ball was seen last, s since the start.
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

    /// Standard deviation of what is no smooth motion, as a part of sigma: each place against the parabola through the three
    /// before it. By the median, so that bounces and outliers count little. Without sigmas at least that of rounding to the
    /// digits written, 1/√12 of the last one's unit. `None`: too few rows.
    pub fn noise(&self) -> Option<f64> {
        let mut parts = Vec::new();
        for axis in [0, 1] {
            let seen: Vec<(f64, f64, f64)> = self
                .seen()
                .filter(|(_, a, _)| *a == axis)
                .map(|(i, _, value)| (self.rows[i].time, value, self.rows[i].sigma))
                .collect();
            for four in seen.windows(4) {
                // Lagrange's weights for the last of four.
                let weight = |k: usize| {
                    let others = (0..3).filter(|j| *j != k);
                    others.map(|j| (four[3].0 - four[j].0) / (four[k].0 - four[j].0)).product::<f64>()
                };
                let weights = [weight(0), weight(1), weight(2)];
                let off = four[3].1 - (0..3).map(|k| weights[k] * four[k].1).sum::<f64>();
                let size = four[3].2.powi(2) + (0..3).map(|k| (weights[k] * four[k].2).powi(2)).sum::<f64>();
                parts.push(off.abs() / size.sqrt());
            }
        }
        let written = if self.weighted { 0.0 } else { self.grain / 12f64.sqrt() };
        median(&mut parts).map(|median| (NORMAL * median).max(written))
    }
}

/// Rows named, at most.
const NAMED: usize = 5;

/// Tells of rows by their numbers.
pub(super) fn named_rows(rows: &[usize], one: &str, many: &str, so: &str) -> Option<String> {
    let named: Vec<String> = rows.iter().take(NAMED).map(|line| line.to_string()).collect();
    let more = if rows.len() > NAMED { ", …" } else { "" };
    match rows.len() {
        0 => None,
        1 => Some(format!("row {} {one}; {so}", named[0])),
        count => Some(format!("{count} rows {many} ({}{more}); {so}", named.join(", "))),
    }
}
