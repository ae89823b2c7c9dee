//! What a film does that the ball did not: frames shown twice or missing, a tracker that jumps, a hand that holds the ball.
//!
//! All is judged against parabolas through neighbouring rows and the table's own noise: a bounce is no parabola on either side of
//! it, a jump is one without the row.

use scenario::input::{plain, rounded};

use super::columns::Reading;
use super::data::{Data, named_rows};
use super::robust::parabola;

/// Rows on each side that say where a row should be.
const BESIDE: usize = 3;
/// Rows that a tracker may be elsewhere, at most.
const AWAY: usize = 3;
/// A row is off by so many times the noise, and so many times what its neighbours are off their parabola: those of a corner are off
/// by a fifth of its depth.
const OFF: f64 = 8.0;
/// A ball moves if it goes so many units of the last digit written: two places that are then the same are one.
const MOVED: f64 = 5.0;
/// Rows on each side of a missing frame.
const SIDE: usize = 5;
/// Frames missing at one place, at most.
const MISSING: usize = 3;
/// Rows that show a ball at rest.
const STILL: usize = 4;
/// At rest: within so many times the noise.
const BAND: f64 = 4.0;
/// A ball that comes to rest out of more than this part of its greatest speed was stopped.
const STOPPED: f64 = 0.25;

/// Leaves out what is not the ball's motion, and tells of it; with `every_row` it is only told.
pub(super) fn look(data: &mut Data, reading: &Reading) {
    let Some(noise) = data.noise().map(|noise| noise.max(1e-9 * data.extent())) else { return };
    let film = Film { noise: noise.max(data.grain / 12f64.sqrt()), keep: reading.every_row };
    let held = film.at_rest(data);
    data.hints.extend(held);
    film.repeated(data);
    film.missing(data);
    film.jumps(data);
}

/// What is left out, or not.
struct Film {
    /// In the unit of places.
    noise: f64,
    keep: bool,
}

/// How far points are off the parabola closest to them, and the parabola's value at some time.
struct Arc {
    spread: f64,
    at: f64,
}

fn arc(points: &[(f64, f64)], at: f64) -> Option<Arc> {
    let (first, last) = (points.first()?.0, points.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let scaled: Vec<(f64, f64)> = points.iter().map(|(t, place)| ((t - middle) / half, *place)).collect();
    let value = |found: &nalgebra::Vector3<f64>, s: f64| found[0] + s * (found[1] + s * found[2]);
    let (found, _) = parabola(&scaled)?;
    let squares: f64 = scaled.iter().map(|(s, place)| (place - value(&found, *s)).powi(2)).sum();
    let spread = (squares / (points.len() - 3) as f64).sqrt();
    Some(Arc { spread, at: value(&found, (at - middle) / half) })
}

/// Times and places of rows along an axis, of those where it was seen.
fn points(data: &Data, rows: impl Iterator<Item = usize>, axis: usize) -> Vec<(f64, f64)> {
    rows.filter_map(|i| data.rows.get(i))
        .map(|row| (row.time, row.place[axis]))
        .filter(|(_, place)| place.is_finite())
        .collect()
}

fn apart(data: &Data, i: usize, j: usize) -> [f64; 2] {
    [0, 1].map(|axis| {
        let by = data.rows[j].place[axis] - data.rows[i].place[axis];
        if by.is_finite() { by } else { 0.0 }
    })
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

impl Film {
    fn so(&self, done: &str) -> String {
        if self.keep { "kept (--every-row)".to_owned() } else { format!("{done}; --every-row keeps them as they are") }
    }

    /// Rows with the place of the row before, while the ball goes on before and after: the frame was shown twice.
    fn repeated(&self, data: &mut Data) {
        let least = MOVED * data.grain;
        let is_twice = |i: usize| {
            let [before, same, after] = [apart(data, i - 2, i - 1), apart(data, i - 1, i), apart(data, i, i + 1)];
            let along = before[0] * after[0] + before[1] * after[1];
            same == [0.0; 2] && length(before) > least && length(after) > least && along > 0.0
        };
        let twice: Vec<usize> = (2..data.rows.len().saturating_sub(1)).filter(|i| is_twice(*i)).collect();
        let lines: Vec<usize> = twice.iter().map(|i| data.rows[*i].line).collect();
        let told =
            named_rows(&lines, "shows the frame before again", "show the frame before again", &self.so("left out"));
        data.hints.extend(told);
        if !self.keep {
            twice.iter().rev().for_each(|i| {
                data.rows.remove(*i);
            });
            data.left_out += twice.len();
        }
    }

    /// Where one parabola goes through rows before and after if those after are a whole number of frames later: the film lacks
    /// frames, and its times go on as if it did not.
    fn missing(&self, data: &mut Data) {
        let steps: Vec<f64> = data.rows.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
        let Some(frame) = steps.first().copied() else { return };
        // Times of a clock need no mending.
        if steps.iter().any(|step| (step / frame).fract().min(1.0 - (step / frame).fract()) > 0.05) {
            return;
        }
        let mut i = SIDE - 1;
        while i + SIDE < data.rows.len() {
            if let Some(count) = self.lacks(data, i, frame) {
                let by = count as f64 * frame;
                let frames = if count == 1 { "a frame is".to_owned() } else { format!("{count} frames are") };
                data.hints.push(format!(
                    "between rows {} and {} {frames} missing from the film, and times go on as if not: later rows are {}",
                    data.rows[i].line,
                    data.rows[i + 1].line,
                    self.so(&format!("taken for {} s later", plain(rounded(by, 4))))
                ));
                if !self.keep {
                    data.rows[i + 1..].iter_mut().for_each(|row| row.time += by);
                }
            }
            i += 1;
        }
    }

    /// How many frames are missing behind row `i`.
    fn lacks(&self, data: &Data, i: usize, frame: f64) -> Option<usize> {
        let both = |later: f64| -> Option<f64> {
            let mut worst: f64 = 0.0;
            for axis in [0, 1] {
                let mut all = points(data, i + 1 - SIDE..i + 1 + SIDE, axis);
                if all.is_empty() {
                    continue;
                }
                if all.len() < 2 * SIDE {
                    return None;
                }
                all[SIDE..].iter_mut().for_each(|(t, _)| *t += later);
                worst = worst.max(arc(&all, 0.0)?.spread);
            }
            Some(worst)
        };
        // A step that is no longer than those beside it lacks none.
        let [before, here, after] =
            [apart(data, i - 1, i), apart(data, i, i + 1), apart(data, i + 1, i + 2)].map(length);
        if here < 1.5 * before.max(after) || both(0.0)? < OFF * self.noise {
            return None;
        }
        (1..=MISSING).find(|count| both(*count as f64 * frame).is_some_and(|spread| spread < 2.0 * self.noise))
    }

    /// Rows far from the parabola through those beside them.
    fn jumps(&self, data: &mut Data) {
        let (mut lines, mut most): (Vec<usize>, f64) = (Vec::new(), 0.0);
        let mut i = BESIDE;
        while i + BESIDE < data.rows.len() {
            let away = (1..=AWAY).find_map(|count| Some((count, self.away(data, i, count)?)));
            if let Some((count, by)) = away {
                most = most.max(by);
                lines.extend(data.rows[i..i + count].iter().map(|row| row.line));
                if !self.keep {
                    data.rows[i..i + count].iter_mut().for_each(|row| row.place = [f64::NAN; 2]);
                }
                i += count;
            } else {
                i += 1;
            }
        }
        let far = format!("from the rows beside, up to {:.0} times the noise", most / self.noise);
        let (one, many) = (format!("jumps away {far}"), format!("jump away {far}"));
        data.hints.extend(named_rows(&lines, &one, &many, &self.so("left out")));
        let before = data.rows.len();
        data.rows.retain(|row| row.place.iter().any(|place| place.is_finite()));
        data.left_out += before - data.rows.len();
    }

    /// How far the rows from `i` on are away, if all of them are.
    fn away(&self, data: &Data, i: usize, count: usize) -> Option<f64> {
        let beside = || (i - BESIDE..i).chain(i + count..i + count + BESIDE);
        if i + count + BESIDE > data.rows.len() {
            return None;
        }
        let mut least = f64::INFINITY;
        for row in i..i + count {
            let mut off: f64 = 0.0;
            for axis in [0, 1] {
                let place = data.rows[row].place[axis];
                let points = points(data, beside(), axis);
                if place.is_nan() || points.len() < 2 * BESIDE {
                    continue;
                }
                let arc = arc(&points, data.rows[row].time)?;
                let by = (place - arc.at).abs();
                if by > OFF * self.noise.max(arc.spread) {
                    off = off.max(by);
                }
            }
            least = least.min(off);
        }
        (least > 0.0 && least.is_finite()).then_some(least)
    }

    /// A ball that is at rest before it moves, or that stops all at once.
    fn at_rest(&self, data: &Data) -> Vec<String> {
        let count = data.rows.len();
        let band = BAND * self.noise.max(data.grain);
        let still = |from: usize, to: usize| length(apart(data, from, to)) <= band;
        let first = (0..count).take_while(|i| still(0, *i)).count();
        let last = (0..count).rev().take_while(|i| still(count - 1, *i)).count();
        let time = |i: usize| plain(rounded(data.start + data.rows[i].time, 6));
        let mut told = Vec::new();
        if first + STILL < count {
            // Falling from rest is one parabola, held and then falling is none.
            let smooth = |axis: usize| {
                let points = points(data, 0..first + STILL, axis);
                points.len() < STILL + 1 || arc(&points, 0.0).is_none_or(|arc| arc.spread < 2.0 * self.noise)
            };
            if first >= STILL && !(smooth(0) && smooth(1)) {
                told.push(format!(
                    "rows {} to {} show the ball at rest before it moves: if it is held there, --start {}",
                    data.rows[0].line,
                    data.rows[first - 1].line,
                    time(first - 1)
                ));
            }
            let speed = |i: usize| length(apart(data, i, i + 1)) / (data.rows[i + 1].time - data.rows[i].time);
            let stops = count - last;
            let greatest = (0..count - 1).map(speed).fold(0.0, f64::max);
            if last >= STILL && stops >= 2 && speed(stops - 2) > STOPPED * greatest {
                told.push(format!(
                    "rows {} to {} show the ball at rest, stopped all at once: if it is caught, --end {}",
                    data.rows[stops].line,
                    data.rows[count - 1].line,
                    time(stops - 1)
                ));
            }
        }
        told
    }
}
