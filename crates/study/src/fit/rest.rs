//! A ball that a hand holds before it moves, or after.
//!
//! Rows up to one are a place, and those behind it a parabola: held; or they all are one smooth motion, to third order: a ball that moves
//! under forces, also one that rests for a moment. Both have as many numbers, and the squares over those of the film's own noise say
//! which it is. Where the smooth motion is true they are less by [`SURE`] for the other with a chance below e^(−SURE/2) = 1.5e-8 (twice
//! the logarithm of a ratio of likelihoods); over all rows and windows of a film of 1000 rows that is below 1e-4.

use nalgebra::{Matrix3, Vector3};
use scenario::input::{plain, rounded};

use super::data::Data;
use super::robust::{Points, SURE};

/// Rows that show a ball at rest, or in motion, at least.
const FEWEST: usize = 4;
/// Rows of motion that are looked at, at most; halves of it, too.
const WINDOW: usize = 64;
/// Rows at rest that are looked at.
const LOOKED_AT: usize = 200;
/// Squares of noise alone are beyond their mean by less than so many standard deviations.
const NOISY: f64 = 4.0;

/// The rows of a film in the order in which they are looked at, places over their noise.
struct Rows {
    axes: [Points; 2],
}

/// A place that is left.
struct Rest {
    /// Rows of it.
    count: usize,
    /// Rows of motion behind it that say so.
    moving: usize,
    /// By how much the squares of one smooth motion are larger, along each axis.
    sure: [f64; 2],
}

/// Squares of what is left of points when the closest polynomial of a degree is taken away, by polynomials that are orthogonal over
/// them (Forsythe, *J. SIAM* 5, 1957, 74).
fn left(points: &[(f64, f64)], degree: usize) -> f64 {
    let mut rest: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
    let (mut before, mut now) = (vec![0.0; points.len()], vec![1.0; points.len()]);
    let mut norm_before = 1.0;
    for _ in 0..=degree {
        let norm: f64 = now.iter().map(|p| p * p).sum();
        if !(norm > 0.0) {
            return 0.0;
        }
        let part = now.iter().zip(&rest).map(|(p, r)| p * r).sum::<f64>() / norm;
        rest.iter_mut().zip(&now).for_each(|(r, p)| *r -= part * p);
        let middle = now.iter().zip(points).map(|(p, (t, _))| p * p * t).sum::<f64>() / norm;
        let next = (0..now.len()).map(|i| (points[i].0 - middle) * now[i] - norm / norm_before * before[i]).collect();
        (before, now, norm_before) = (now, next, norm);
    }
    rest.iter().map(|r| r * r).sum()
}

impl Rows {
    fn of(data: &Data, noise: [f64; 2], reversed: bool) -> Self {
        let scale = data.end().max(f64::MIN_POSITIVE);
        let axis = |axis: usize| {
            let one = |i: usize| {
                let row = &data.rows[if reversed { data.rows.len() - 1 - i } else { i }];
                (if reversed { data.end() - row.time } else { row.time } / scale, row.place[axis] / noise[axis])
            };
            (0..data.rows.len()).map(one).collect()
        };
        Rows { axes: [axis(0), axis(1)] }
    }

    fn seen(&self, axis: usize, from: usize, to: usize) -> Points {
        self.axes[axis][from..to].iter().copied().filter(|(_, value)| value.is_finite()).collect()
    }

    /// Squares along an axis over those of the noise, and how many are free.
    fn left(&self, axis: usize, (from, to): (usize, usize), degree: usize) -> (f64, f64) {
        let points = self.seen(axis, from, to);
        let free = points.len().saturating_sub(degree + 1) as f64;
        if free > 0.0 { (left(&points, degree), free) } else { (0.0, 0.0) }
    }

    /// Rows from the first on that are one place.
    fn still(&self) -> usize {
        let holds = |to: usize| (0..2).all(|axis| is_noise(self.left(axis, (0, to), 0)));
        let mut last = 0;
        for to in FEWEST..=self.axes[0].len().min(LOOKED_AT) {
            if holds(to) {
                last = to;
            } else if last + FEWEST < to {
                break;
            }
        }
        last
    }

    /// The rest that the first rows show, if a motion does not grow out of it.
    fn rest(&self) -> Option<Rest> {
        let (rows, still) = (self.axes[0].len(), self.still());
        let mut best: Option<(f64, Rest)> = None;
        let mut moving = FEWEST;
        while moving <= WINDOW && best.is_none() {
            for count in FEWEST..=still {
                let to = count + moving;
                if to > rows {
                    break;
                }
                let of = |axis: usize| {
                    let (held, one) = self.left(axis, (0, count), 0);
                    let (behind, other) = self.left(axis, (count, to), 2);
                    let (smooth, _) = self.left(axis, (0, to), 3);
                    ([held + behind, one + other], smooth - held - behind)
                };
                let [(x, by_x), (y, by_y)] = [of(0), of(1)];
                let all = x[0] + y[0];
                if by_x + by_y > SURE
                    && is_noise((all, x[1] + y[1]))
                    // The row where a smooth motion is worst of all.
                    && best.as_ref().is_none_or(|(most, _)| by_x + by_y > *most)
                {
                    best = Some((by_x + by_y, Rest { count, moving, sure: [by_x, by_y] }));
                }
            }
            moving *= 2;
        }
        best.map(|(_, rest)| rest)
    }

    /// Rows of the rest until the ball is let go, which leaves that place at any speed: those by which the squares are least.
    fn until_let_go(&self, rest: &Rest) -> usize {
        let to = rest.count + rest.moving;
        let squares = |count: usize| -> f64 {
            let one = |axis: usize| {
                let from = self.axes[axis][count - 1].0;
                let points: Points = self.seen(axis, 0, to);
                let row = |t: f64| {
                    let s = (t - from).max(0.0);
                    Vector3::new(1.0, s, s * s)
                };
                let normal: Matrix3<f64> = points.iter().map(|(t, _)| row(*t) * row(*t).transpose()).sum();
                let right: Vector3<f64> = points.iter().map(|(t, value)| row(*t) * *value).sum();
                let found = normal.lu().solve(&right)?;
                Some(points.iter().map(|(t, value)| (value - found.dot(&row(*t))).powi(2)).sum::<f64>())
            };
            [0, 1].into_iter().filter_map(one).sum()
        };
        let near = FEWEST.max(rest.count.saturating_sub(rest.moving))..=(rest.count + rest.moving / 2);
        near.min_by(|a, b| squares(*a).total_cmp(&squares(*b))).unwrap_or(rest.count)
    }

    /// Along an axis: whether the motion ends in the rest by itself, slower and slower, or where it had turned before, as a ball does
    /// that bounces no more.
    fn by_itself(&self, axis: usize, rest: &Rest) -> bool {
        let to = rest.count + rest.moving;
        let [held, behind] = [self.seen(axis, 0, rest.count), self.seen(axis, rest.count, to)];
        let (Some(last), Some(first), Some(end)) = (held.last(), behind.first(), behind.last()) else { return true };
        let (at_rest, _) = self.left(axis, (0, rest.count), 0);
        let (free, _) = self.left(axis, (rest.count, to), 2);
        let smooth = [0.0, 0.5, 1.0].map(|part| {
            // A place c, and c + b t² from some time on.
            let begin = last.0 + part * (first.0 - last.0);
            let basis = |t: f64| (t - begin).max(0.0).powi(2);
            let all: Points = held.iter().chain(&behind).map(|(t, value)| (basis(*t), *value)).collect();
            left(&all, 1)
        });
        if smooth.into_iter().fold(f64::INFINITY, f64::min) - at_rest - free < SURE {
            return true;
        }
        let place = held.iter().map(|(_, value)| value).sum::<f64>() / held.len() as f64;
        // From where it came, it moved to this side.
        let side = (end.1 - place).signum();
        let step = behind.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).fold(0.0, f64::max);
        let before = self.seen(axis, to, self.axes[axis].len());
        let turned = before.iter().map(|(_, value)| side * (value - place)).fold(f64::INFINITY, f64::min);
        turned.abs() < step + NOISY
    }
}

/// Whether squares are those of noise.
fn is_noise((squares, free): (f64, f64)) -> bool {
    squares <= free + NOISY * (2.0 * free).sqrt()
}

/// Tells of a ball that is at rest before it moves, or that stops all at once.
pub(super) fn told(data: &Data, noise: [f64; 2]) -> Vec<String> {
    let time = |i: usize| plain(rounded(data.start + data.rows[i].time, 6));
    let mut told = Vec::new();
    let rows = Rows::of(data, noise, false);
    if let Some(count) = rows.rest().map(|rest| rows.until_let_go(&rest)) {
        told.push(format!(
            "rows {} to {} show the ball at rest before it moves: if it is held there, --start {}",
            data.rows[0].line,
            data.rows[count - 1].line,
            time(count - 1)
        ));
    }
    let reversed = Rows::of(data, noise, true);
    let caught = reversed.rest().filter(|rest| {
        let stopped = [0, 1].map(|axis| if reversed.by_itself(axis, rest) { 0.0 } else { rest.sure[axis] });
        stopped[0] + stopped[1] > SURE
    });
    if let Some(rest) = caught {
        let stops = data.rows.len() - rest.count;
        told.push(format!(
            "rows {} to {} show the ball at rest, stopped all at once: if it is caught, --end {}",
            data.rows[stops].line,
            data.rows[data.rows.len() - 1].line,
            time(stops - 1)
        ));
    }
    told
}
