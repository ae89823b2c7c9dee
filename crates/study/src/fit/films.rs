//! What a film does that the ball did not: frames shown twice or missing, a tracker that jumps, a hand that holds the ball.
//!
//! All is judged against parabolas through neighbouring rows and the table's own noise: a bounce is no parabola on either side of
//! it, a jump is one without the row.

use scenario::input::{plain, rounded};

use super::columns::Reading;
use super::data::{Data, NAMED, Row, named_rows};
use super::robust::{median, parabola, robust_deviation};

/// Rows on each side that say where a row should be.
const BESIDE: usize = 3;
/// Rows that a tracker may be elsewhere, at most.
const AWAY: usize = 3;
/// A row is off by so many times the noise, and so many times what its neighbours are off their parabola: those of a corner are off
/// by a fifth of its depth.
const OFF: f64 = 8.0;
/// A ball moves if it goes so many units of the last digit written: two places that are then the same are one.
const MOVED: f64 = 5.0;
/// Rows before a missing frame, and behind it: of 30 frames a second 24 are made by leaving out each fifth.
const SIDE: [usize; 2] = [4, 4];
/// Squares of what is left fall by so many times that of the noise if frames are missing: six standard deviations.
const SURE: f64 = 36.0;
/// A parabola over missing frames is bent as the others are, within so many deviations of theirs.
const USUAL: f64 = 4.0;
/// Frames missing at one place, at most.
const MISSING: usize = 3;
/// Times that missing frames are looked for.
const ROUNDS: usize = 4;
/// Rows that show a ball at rest.
const STILL: usize = 4;
/// At rest: within so many times the noise.
const BAND: f64 = 4.0;
/// A ball that comes to rest out of more than this part of its greatest speed was stopped.
const STOPPED: f64 = 0.25;

/// A place is far from the rows beside it if it is so many times as far as nine of ten steps between rows are long.
const FAR: (f64, f64) = (2.0, 0.9);

/// Leaves out rows whose x and y are one number, the same in several rows, and far from the rows before and behind them: a tracker that
/// lost the ball writes `-1,-1` or `0,0`.
pub(super) fn lost(data: &mut Data, reading: &Reading) {
    let mark = |row: &Row| (row.place[0] == row.place[1]).then_some(row.place[0]);
    let mut marks: Vec<f64> = data.rows.iter().filter_map(mark).collect();
    marks.sort_by(f64::total_cmp);
    // The one that is there most often.
    let most = marks.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
    let Some(value) = most.filter(|same| same.len() > 1).map(|same| same[0]) else { return };
    let is_lost: Vec<bool> = data.rows.iter().map(|row| mark(row) == Some(value)).collect();
    let seen: Vec<usize> = (0..data.rows.len()).filter(|i| !is_lost[*i]).collect();
    let mut steps: Vec<f64> = seen.windows(2).map(|pair| length(apart(data, pair[0], pair[1]))).collect();
    steps.sort_by(f64::total_cmp);
    let Some(usual) = steps.get((FAR.1 * steps.len() as f64) as usize).copied() else { return };
    // Of a coordinate not seen nothing.
    let off = |place: f64| if place.is_finite() { place - value } else { 0.0 };
    let near = |i: usize| !(length(data.rows[i].place.map(off)) > FAR.0 * usual);
    let ends = (1..data.rows.len()).filter(|i| is_lost[*i] != is_lost[i - 1]);
    if ends.map(|i| if is_lost[i] { i - 1 } else { i }).any(near) {
        return;
    }
    let lines: Vec<usize> = (0..data.rows.len()).filter(|i| is_lost[*i]).map(|i| data.rows[i].line).collect();
    let [one, many] = ["has", "have"].map(|has| {
        format!("{has} x = y = {}, far from the rows beside, as trackers write where they lost the ball", plain(value))
    });
    data.hints.extend(named_rows(&lines, &one, &many, &so(reading.every_row, "left out")));
    if !reading.every_row {
        data.left_out += lines.len();
        data.rows.retain(|row| mark(row) != Some(value));
    }
}

fn so(keep: bool, done: &str) -> String {
    if keep { "kept (--every-row)".to_owned() } else { format!("{done}; --every-row keeps them as they are") }
}

/// Leaves out what is not the ball's motion, and tells of it; with `every_row` it is only told.
pub(super) fn look(data: &mut Data, reading: &Reading) {
    let keep = reading.every_row;
    let Some(film) = Film::of(data, data.noise(), keep) else { return };
    let held = film.at_rest(data);
    data.hints.extend(held);
    film.repeated(data);
    // Frames that are missing over and over look like noise: of what is mended less is left.
    let mut mended: Vec<(usize, usize)> = Vec::new();
    for _ in 0..ROUNDS {
        let found = Film::of(data, data.noise_between(), keep).map_or(Vec::new(), |film| film.missing(data));
        if found.is_empty() {
            break;
        }
        mended.extend(found);
    }
    film.tell_missing(data, mended);
    let Some(film) = Film::of(data, data.noise(), keep) else { return };
    film.jumps(data);
}

/// What is left out, or not.
struct Film {
    /// Of each axis, in the unit of places.
    noise: [f64; 2],
    keep: bool,
}

/// How far points are off the parabola closest to them, and the parabola's value at some time.
struct Arc {
    spread: f64,
    at: f64,
    /// Half of its acceleration.
    bend: f64,
}

fn arc(points: &[(f64, f64)], at: f64) -> Option<Arc> {
    let (first, last) = (points.first()?.0, points.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let scaled: Vec<(f64, f64)> = points.iter().map(|(t, place)| ((t - middle) / half, *place)).collect();
    let value = |found: &nalgebra::Vector3<f64>, s: f64| found[0] + s * (found[1] + s * found[2]);
    let (found, _) = parabola(&scaled)?;
    let squares: f64 = scaled.iter().map(|(s, place)| (place - value(&found, *s)).powi(2)).sum();
    let spread = (squares / (points.len() - 3) as f64).sqrt();
    Some(Arc { spread, at: value(&found, (at - middle) / half), bend: found[2] / (half * half) })
}

/// The middle of what parabolas through neighbouring rows are bent by, and their deviation: of a film of a bounce most are in flight, and
/// one over an impact is bent the other way.
fn usual_bend(data: &Data, axis: usize) -> [f64; 2] {
    let count = SIDE[0] + SIDE[1];
    let all = (0..(data.rows.len() + 1).saturating_sub(count)).map(|i| points(data, i..i + count, axis));
    let mut bends: Vec<f64> =
        all.filter(|all| all.len() == count).filter_map(|all| Some(arc(&all, 0.0)?.bend)).collect();
    let middle = median(&mut bends).unwrap_or(0.0);
    bends.iter_mut().for_each(|bend| *bend -= middle);
    [middle, robust_deviation(&bends)]
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
    fn of(data: &Data, noise: Option<[f64; 2]>, keep: bool) -> Option<Self> {
        let least = |axis: usize| data.rounding(axis).max(1e-9 * data.extent());
        let noise = noise?;
        Some(Film { noise: [0, 1].map(|axis| noise[axis].max(least(axis))), keep })
    }

    fn so(&self, done: &str) -> String {
        so(self.keep, done)
    }

    /// Rows with the place of the row before, while the ball goes on before and after: the frame was shown twice.
    fn repeated(&self, data: &mut Data) {
        let in_grains = |[x, y]: [f64; 2]| {
            let [x, y] = [(x, 0), (y, 1)].map(|(by, axis)| if by == 0.0 { 0.0 } else { by / data.grain[axis] });
            length([x, y])
        };
        let is_twice = |i: usize| {
            let [before, same, after] = [apart(data, i - 2, i - 1), apart(data, i - 1, i), apart(data, i, i + 1)];
            let along = before[0] * after[0] + before[1] * after[1];
            same == [0.0; 2] && in_grains(before) > MOVED && in_grains(after) > MOVED && along > 0.0
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
    /// frames, and its times go on as if it did not. Mends them; first rows behind missing frames, and how many.
    fn missing(&self, data: &mut Data) -> Vec<(usize, usize)> {
        let steps: Vec<f64> = data.rows.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
        let mut mended: Vec<(usize, usize)> = Vec::new();
        let Some(frame) = steps.first().copied() else { return mended };
        // Times of a clock need no mending.
        if steps.iter().any(|step| (step / frame).fract().min(1.0 - (step / frame).fract()) > 0.05) {
            return mended;
        }
        let usual = [0, 1].map(|axis| usual_bend(data, axis));
        // Rows before `until` are `later` already.
        let (mut later, mut until) = (0.0, 0);
        for i in SIDE[0] - 1..data.rows.len().saturating_sub(SIDE[1]) {
            let next = (i + SIDE[1] + 2).min(data.rows.len());
            data.rows[until..next].iter_mut().for_each(|row| row.time += later);
            until = next;
            let here = self.lacks(data, &usual, i, frame);
            // The row where what is left is least.
            let beside = || self.lacks(data, &usual, i + 1, frame);
            if let Some((count, left)) = here
                && beside().is_none_or(|(other, less)| other != count || left <= less)
            {
                let by = count as f64 * frame;
                data.rows[i + 1..until].iter_mut().for_each(|row| row.time += by);
                later += by;
                mended.push((i + 1, count));
            }
        }
        data.rows[until..].iter_mut().for_each(|row| row.time += later);
        mended
    }

    /// `mended`: first rows behind missing frames, and how many. Takes it back if rows are kept as they are.
    fn tell_missing(&self, data: &mut Data, mut mended: Vec<(usize, usize)>) {
        mended.sort_unstable();
        let [first, second, ..] = data.rows.as_slice() else { return };
        let frame = second.time - first.time;
        if self.keep {
            let (mut rest, mut later) = (mended.iter().peekable(), 0.0);
            for (i, row) in data.rows.iter_mut().enumerate() {
                while let Some((_, count)) = rest.next_if(|(first, _)| *first <= i) {
                    later += *count as f64 * frame;
                }
                row.time -= later;
            }
        }
        let count: usize = mended.iter().map(|(_, count)| count).sum();
        let [before, behind] = [1, 0].map(|less| {
            let lines: Vec<String> = mended.iter().map(|(i, _)| data.rows[i - less].line.to_string()).collect();
            let more = if lines.len() > NAMED { ", …" } else { "" };
            format!("{}{more}", lines[..lines.len().min(NAMED)].join(", "))
        });
        let missing = match (mended.len(), count) {
            (0, _) => return,
            (1, 1) => format!("between rows {before} and {behind} a frame is missing"),
            (1, _) => format!("between rows {before} and {behind} {count} frames are missing"),
            (places, _) => format!("behind {places} rows ({before}) {count} frames are missing"),
        };
        let by = plain(rounded(count as f64 * frame, 4));
        let later = if mended.len() == 1 { format!("{by} s later") } else { format!("later, in all by {by} s") };
        let so = self.so(&format!("taken for {later}"));
        data.hints.push(format!("{missing} from the film, and times go on as if not: later rows are {so}"));
    }

    /// How many frames are missing behind row `i`, if any are, and the squares of what is left then; `usual`: see [`usual_bend`].
    fn lacks(&self, data: &Data, usual: &[[f64; 2]; 2], i: usize, frame: f64) -> Option<(usize, f64)> {
        if i + SIDE[1] >= data.rows.len() {
            return None;
        }
        // Squares over those of the noise, and how many of them are free.
        let off = |later: f64| -> Option<(f64, f64)> {
            let (mut squares, mut freedom) = (0.0, 0.0);
            for axis in [0, 1] {
                let mut all = points(data, i + 1 - SIDE[0]..i + 1 + SIDE[1], axis);
                if all.is_empty() {
                    continue;
                }
                if all.len() < SIDE[0] + SIDE[1] {
                    return None;
                }
                all[SIDE[0]..].iter_mut().for_each(|(t, _)| *t += later);
                let (free, found) = ((all.len() - 3) as f64, arc(&all, 0.0)?);
                squares += free * (found.spread / self.noise[axis]).powi(2);
                let [middle, deviation] = usual[axis];
                if later > 0.0 && (found.bend - middle).abs() > USUAL * deviation {
                    return None;
                }
                freedom += free;
            }
            Some((squares, freedom))
        };
        let (without, _) = off(0.0).filter(|(squares, _)| *squares > SURE)?;
        let at = |count: usize| off(count as f64 * frame).map(|(squares, freedom)| (count, squares, freedom));
        let (count, squares, freedom) = (1..=MISSING).filter_map(at).min_by(|a, b| a.1.total_cmp(&b.1))?;
        (without - squares > SURE && squares < 4.0 * freedom).then_some((count, squares))
    }

    /// Rows far from the parabola through those beside them.
    fn jumps(&self, data: &mut Data) {
        // The furthest one, in units of its axis' noise.
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
        let far = format!("from the rows beside, up to {most:.0} times the noise");
        let (one, many) = (format!("jumps away {far}"), format!("jump away {far}"));
        data.hints.extend(named_rows(&lines, &one, &many, &self.so("left out")));
        let before = data.rows.len();
        data.rows.retain(|row| row.place.iter().any(|place| place.is_finite()));
        data.left_out += before - data.rows.len();
    }

    /// How far the rows from `i` on are away, if all of them are, in units of their axis' noise.
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
                if by > OFF * self.noise[axis].max(arc.spread) {
                    off = off.max(by / self.noise[axis]);
                }
            }
            least = least.min(off);
        }
        (least > 0.0 && least.is_finite()).then_some(least)
    }

    /// A ball that is at rest before it moves, or that stops all at once.
    fn at_rest(&self, data: &Data) -> Vec<String> {
        let count = data.rows.len();
        let band = |axis: usize| BAND * self.noise[axis].max(data.grain[axis]);
        let still = |from: usize, to: usize| {
            let [x, y] = apart(data, from, to);
            length([x / band(0), y / band(1)]) <= 1.0
        };
        let first = (0..count).take_while(|i| still(0, *i)).count();
        let last = (0..count).rev().take_while(|i| still(count - 1, *i)).count();
        let time = |i: usize| plain(rounded(data.start + data.rows[i].time, 6));
        let mut told = Vec::new();
        if first + STILL < count {
            // Falling from rest is one parabola, held and then falling is none.
            let smooth = |axis: usize| {
                let points = points(data, 0..first + STILL, axis);
                points.len() < STILL + 1 || arc(&points, 0.0).is_none_or(|arc| arc.spread < 2.0 * self.noise[axis])
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
