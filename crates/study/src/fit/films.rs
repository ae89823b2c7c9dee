//! What a film does that the ball did not: frames shown twice or missing, a tracker that jumps, a hand that holds the ball.
//!
//! All is judged against parabolas through neighbouring rows and the table's own noise: a bounce is no parabola on either side of
//! it, and without a row that jumps there is one or the other.

use nalgebra::{Matrix4, Vector4};
use scenario::input::{Lost, NAMED, named_rows, plain, rounded};

use super::columns::Reading;
use super::data::Data;
use super::rest;
use super::robust::{Points, SURE, median, parabola, robust_deviation};

/// Rows that a tracker may be elsewhere, at most.
const AWAY: usize = 3;
/// A ball moves if it goes so many units of the last digit written: two places that are then the same are one.
const MOVED: f64 = 5.0;
/// Rows before a jump or a missing frame, and behind it: of 30 frames a second 24 are made by leaving out each fifth.
const SIDE: usize = 4;
/// As few as these if there are no more before the next impact.
const SIDES: [[usize; 2]; 4] = [[SIDE, SIDE], [SIDE, 2], [2, SIDE], [2, 2]];
/// Frames missing at one place, at most.
const MISSING: i32 = 3;
/// An impact is placed within a quarter of a frame over two to this.
const HALVINGS: u32 = 8;
/// Times that missing frames are looked for.
const ROUNDS: usize = 4;
/// Leaves out rows that show nothing, as a tracker that lost the ball writes them, and tells of it.
pub(super) fn lost(data: &mut Data, reading: &Reading) {
    let places: Vec<[f64; 2]> = data.rows.iter().map(|row| row.place).collect();
    let Some(Lost { mark, rows }) = Lost::of(&places) else { return };
    let lines: Vec<usize> = rows.iter().map(|i| data.rows[*i].line).collect();
    let axes = if places[rows[0]].iter().all(|c| c.is_finite()) { "x = y" } else { "its place" };
    let [one, many] = ["has", "have"].map(|has| {
        format!("{has} {axes} = {}, far from the rows beside, as trackers write where they lost the ball", plain(mark))
    });
    data.hints.extend(named_rows(&lines, &one, &many, &so(reading.every_row, "left out")));
    if !reading.every_row {
        data.left_out += rows.len();
        rows.iter().rev().for_each(|i| {
            data.rows.remove(*i);
        });
    }
}

fn so(keep: bool, done: &str) -> String {
    if keep { "kept (--every-row)".to_owned() } else { format!("{done}; --every-row keeps them as they are") }
}

/// Leaves out what is not the ball's motion, and tells of it; with `every_row` it is only told.
pub(super) fn look(data: &mut Data, reading: &Reading) {
    let keep = reading.every_row;
    let Some(film) = Film::of(data, data.noise(), keep) else { return };
    let held = rest::told(data, film.noise);
    data.hints.extend(held);
    film.repeated(data);
    // Frames that are missing over and over look like noise: of what is mended less is left.
    let mut mended: Vec<(usize, i32)> = Vec::new();
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

/// Points in the units of their span, which goes from −1 to 1 then; its middle and half.
fn scaled(points: &[(f64, f64)]) -> Option<(Points, f64, f64)> {
    let (first, last) = (points.first()?.0, points.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    Some((points.iter().map(|(t, place)| ((t - middle) / half, *place)).collect(), middle, half))
}

/// Half of the acceleration of the parabola closest to points.
fn bend(points: &[(f64, f64)]) -> Option<f64> {
    let (scaled, _, half) = scaled(points)?;
    let (found, _) = parabola(&scaled)?;
    Some(found[2] / (half * half))
}

/// The middle of what parabolas through neighbouring rows are bent by, and their deviation: of a film of a bounce most are in flight, and
/// one over an impact is bent the other way.
fn usual_bend(data: &Data, axis: usize) -> [f64; 2] {
    let count = 2 * SIDE;
    let all = (0..(data.rows.len() + 1).saturating_sub(count)).map(|i| points(data, i..i + count, axis));
    let mut bends: Vec<f64> = all.filter(|all| all.len() == count).filter_map(|all| bend(&all)).collect();
    let middle = median(&mut bends).unwrap_or(0.0);
    bends.iter_mut().for_each(|bend| *bend -= middle);
    [middle, robust_deviation(&bends)]
}

/// Squares of what is left of points, over those of their noise, when the parabola closest to them is taken away that is bent as others
/// are, within their deviation: what it is bent otherwise counts as one point more. `kink`: when its velocity may change at once, as in
/// an impact.
fn bent_as(points: &[(f64, f64)], noise: f64, [bend, deviation]: [f64; 2], kink: Option<f64>) -> Option<f64> {
    let (scaled, middle, half) = scaled(points)?;
    let (usual, within) = (bend * half * half, (deviation * half * half).max(1e-3 * noise));
    let behind = |s: f64| kink.map_or(0.0, |kink| (s - (kink - middle) / half).max(0.0));
    let row = |s: f64| Vector4::new(1.0, s, s * s, behind(s));
    let mut normal = Matrix4::zeros();
    let mut right = Vector4::zeros();
    for (s, place) in &scaled {
        normal += row(*s) * row(*s).transpose() / (noise * noise);
        right += row(*s) * ((place - usual * s * s) / (noise * noise));
    }
    // Of the bend beyond the usual one.
    normal[(2, 2)] += 1.0 / (within * within);
    // Any change of velocity, or none.
    normal[(3, 3)] += if kink.is_some() { 1e-9 * normal[(0, 0)] } else { normal[(0, 0)] };
    let found = normal.cholesky()?.solve(&right);
    let off = |(s, place): &(f64, f64)| place - usual * s * s - found.dot(&row(*s));
    let squares: f64 = scaled.iter().map(|point| (off(point) / noise).powi(2)).sum();
    Some(squares + (found[2] / within).powi(2))
}

/// The least squares that an impact between two times leaves, by halving the steps of those looked at.
fn least_by_impact(off: impl Fn(f64) -> Option<f64>, [from, to]: [f64; 2], frame: f64) -> Option<f64> {
    let count = ((to - from) / (0.25 * frame)).ceil().max(1.0);
    let mut step = (to - from) / count;
    let mut best = (0..=count as usize)
        .filter_map(|k| {
            let at = from + k as f64 * step;
            off(at).map(|squares| (at, squares))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    for _ in 0..HALVINGS {
        step *= 0.5;
        for at in [best.0 - step, best.0 + step] {
            if let Some(squares) = off(at.clamp(from, to)).filter(|squares| *squares < best.1) {
                best = (at.clamp(from, to), squares);
            }
        }
    }
    Some(best.1)
}

/// Times and places of rows along an axis, of those where it was seen.
fn points(data: &Data, rows: impl Iterator<Item = usize>, axis: usize) -> Points {
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

    /// Rows with the place of the row before, while the ball goes on before and after: the frame was shown again, or the tracker stood.
    fn repeated(&self, data: &mut Data) {
        let in_grains = |[x, y]: [f64; 2]| {
            let [x, y] = [(x, 0), (y, 1)].map(|(by, axis)| if by == 0.0 { 0.0 } else { by / data.grain[axis] });
            length([x, y])
        };
        // The row behind those with the place of row `i`.
        let moves_on = |i: usize| (i + 1..data.rows.len()).find(|j| apart(data, i, *j) != [0.0; 2]);
        let again = |i: usize| {
            let next = moves_on(i).filter(|next| i > 0 && *next > i + 1)?;
            let [before, after] = [apart(data, i - 1, i), apart(data, i, next)];
            let along = before[0] * after[0] + before[1] * after[1];
            (in_grains(before) > MOVED && in_grains(after) > MOVED && along > 0.0).then_some(i + 1..next)
        };
        let mut twice: Vec<usize> = Vec::new();
        let mut i = 1;
        while i < data.rows.len() {
            let rows = again(i).unwrap_or(i..i);
            i = rows.end.max(i) + usize::from(rows.is_empty());
            twice.extend(rows);
        }
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

    /// Where one motion goes through rows before and after if those after are a whole number of frames later: the film lacks frames,
    /// and its times go on as if it did not; or earlier, where it shows one twice. Mends them; first rows behind, and how many.
    fn missing(&self, data: &mut Data) -> Vec<(usize, i32)> {
        let steps: Vec<f64> = data.rows.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
        let mut mended: Vec<(usize, i32)> = Vec::new();
        let Some(frame) = steps.iter().copied().reduce(f64::min) else { return mended };
        // Times of a clock need no mending.
        if steps.iter().any(|step| (step / frame).fract().min(1.0 - (step / frame).fract()) > 0.05) {
            return mended;
        }
        let usual = [0, 1].map(|axis| usual_bend(data, axis));
        // Rows before `until` are `later` already.
        let (mut later, mut until) = (0.0, 0);
        for i in 1..data.rows.len().saturating_sub(2) {
            let next = (i + SIDE + 2).min(data.rows.len());
            data.rows[until..next].iter_mut().for_each(|row| row.time += later);
            until = next;
            let here = self.lacks(data, &usual, i, frame);
            // The row where what is left is least.
            let beside = || self.lacks(data, &usual, i + 1, frame);
            if let Some((count, left)) = here
                && beside().is_none_or(|(other, less)| other != count || left <= less)
            {
                let by = f64::from(count) * frame;
                data.rows[i + 1..until].iter_mut().for_each(|row| row.time += by);
                later += by;
                mended.push((i + 1, count));
            }
        }
        data.rows[until..].iter_mut().for_each(|row| row.time += later);
        mended
    }

    /// `mended`: first rows behind frames that are missing, or shown twice if there are fewer than none. Takes it back if rows are
    /// kept as they are.
    fn tell_missing(&self, data: &mut Data, mut mended: Vec<(usize, i32)>) {
        mended.sort_unstable();
        let steps = data.rows.windows(2).map(|pair| pair[1].time - pair[0].time);
        let Some(frame) = steps.reduce(f64::min) else { return };
        if self.keep {
            let (mut rest, mut later) = (mended.iter().peekable(), 0.0);
            for (i, row) in data.rows.iter_mut().enumerate() {
                while let Some((_, count)) = rest.next_if(|(first, _)| *first <= i) {
                    later += f64::from(*count) * frame;
                }
                row.time -= later;
            }
        }
        let (missing, twice): (Vec<_>, Vec<_>) = mended.into_iter().partition(|(_, count)| *count > 0);
        for (places, [one, many], when) in [
            (missing, ["a frame is missing from", "frames are missing from"], "later"),
            (twice, ["a frame is twice in", "frames are twice in"], "earlier"),
        ] {
            let count: u32 = places.iter().map(|(_, count)| count.unsigned_abs()).sum();
            let [before, behind] = [1, 0].map(|less| {
                let lines: Vec<String> = places.iter().map(|(i, _)| data.rows[i - less].line.to_string()).collect();
                let more = if lines.len() > NAMED { ", …" } else { "" };
                format!("{}{more}", lines[..lines.len().min(NAMED)].join(", "))
            });
            let told = match (places.len(), count) {
                (0, _) => continue,
                (1, 1) => format!("between rows {before} and {behind} {one}"),
                (1, _) => format!("between rows {before} and {behind} {count} {many}"),
                (places, _) => format!("behind {places} rows ({before}) {count} {many}"),
            };
            let by = plain(rounded(f64::from(count) * frame, 4));
            let by = if places.len() == 1 { format!("{by} s {when}") } else { format!("{when}, in all by {by} s") };
            let so = self.so(&format!("taken for {by}"));
            data.hints.push(format!("{told} the film, and times go on as if not: later rows are {so}"));
        }
    }

    /// Squares over those of the noise that an arc bent as usual leaves of points along both axes, with an impact at a time or without.
    fn left(&self, all: &[Points; 2], usual: &[[f64; 2]; 2], kink: Option<f64>) -> Option<f64> {
        let seen = [0, 1].into_iter().filter(|axis| !all[*axis].is_empty());
        seen.map(|axis| bent_as(&all[axis], self.noise[axis], usual[axis], kink)).sum()
    }

    /// How many frames are missing behind row `i`, or shown twice, if any are, and the squares of what is left then over how many are free;
    /// `usual`: see [`usual_bend`]. By the most rows beside that are one motion then.
    fn lacks(&self, data: &Data, usual: &[[f64; 2]; 2], i: usize, frame: f64) -> Option<(i32, f64)> {
        SIDES.into_iter().find_map(|sides| self.lacks_by(data, usual, (i, frame), sides))
    }

    fn lacks_by(
        &self,
        data: &Data,
        usual: &[[f64; 2]; 2],
        (i, frame): (usize, f64),
        [before, behind]: [usize; 2],
    ) -> Option<(i32, f64)> {
        if i + 1 < before || i + behind >= data.rows.len() {
            return None;
        }
        let all = [0, 1].map(|axis| points(data, i + 1 - before..i + 1 + behind, axis));
        let seen = || all.iter().map(Vec::len).filter(|count| *count > 0);
        if seen().any(|count| count < before + behind) {
            return None;
        }
        self.left(&all, usual, None).filter(|squares| *squares > SURE)?;
        let freedom = seen().map(|count| count - 2).sum::<usize>() as f64;
        // Rows are apart by a frame at least.
        let fewest = 1 - ((data.rows[i + 1].time - data.rows[i].time) / frame).round() as i32;
        // An impact takes a change of velocity along each axis, and its time: of few rows it is placed between the two alone.
        let many = before + behind == 2 * SIDE;
        let times = if many { [i + 1 - before, i + behind] } else { [i, i + 1] }.map(|row| data.rows[row].time);
        let by_impact = |all: &[Points; 2], [from, to]: [f64; 2]| {
            least_by_impact(|at| self.left(all, usual, Some(at)), [from, to], frame)
        };
        let taken = 1.0 + seen().count() as f64;
        let by_missing = |count: i32| {
            let by = f64::from(count) * frame;
            let mut later = all.clone();
            later.iter_mut().flat_map(|axis| axis.iter_mut().skip(before)).for_each(|(t, _)| *t += by);
            let arc = self.left(&later, usual, None)?;
            if !many || arc < 4.0 * freedom {
                return Some((count, arc, freedom));
            }
            Some((count, by_impact(&later, [times[0], times[1] + by])?, freedom - taken))
        };
        let counts = (fewest..=MISSING).filter(|count| *count != 0);
        let (count, squares, freedom) = counts.filter_map(by_missing).min_by(|a, b| a.1.total_cmp(&b.1))?;
        // Nor is it an impact alone.
        let least = by_impact(&all, times)?;
        (least - squares > SURE && squares < 4.0 * freedom).then_some((count, squares / freedom))
    }

    /// Rows that are no motion with those beside them, which are one.
    fn jumps(&self, data: &mut Data) {
        let usual = [0, 1].map(|axis| usual_bend(data, axis));
        let mut lines: Vec<usize> = Vec::new();
        let mut i = SIDE;
        while i + SIDE < data.rows.len() {
            if let Some(count) = (1..=AWAY).find(|count| self.jump_away(data, &usual, i, *count)) {
                lines.extend(data.rows[i..i + count].iter().map(|row| row.line));
                if !self.keep {
                    data.away.extend_from_slice(&data.rows[i..i + count]);
                    data.rows[i..i + count].iter_mut().for_each(|row| row.place = [f64::NAN; 2]);
                }
                i += count;
            } else {
                i += 1;
            }
        }
        let (one, many) = ("jumps away from the rows beside", "jump away from the rows beside");
        data.hints.extend(named_rows(&lines, one, many, &self.so("left out")));
        let before = data.rows.len();
        data.rows.retain(|row| row.place.iter().any(|place| place.is_finite()));
        data.left_out += before - data.rows.len();
    }

    /// Whether each of `count` rows from `i` on is off all arcs through the rows beside, in which an impact may be.
    fn jump_away(&self, data: &Data, usual: &[[f64; 2]; 2], i: usize, count: usize) -> bool {
        if i + count + SIDE > data.rows.len() {
            return false;
        }
        let rows = |row: Option<usize>| {
            (i - SIDE..i + count + SIDE).filter(move |at| !(i..i + count).contains(at) || Some(*at) == row)
        };
        // Of axes along which all rows beside were seen.
        let beside = [0, 1].map(|axis| Some(points(data, rows(None), axis)).filter(|all| all.len() == 2 * SIDE));
        let beside = beside.map(Option::unwrap_or_default);
        let beside_and = |row: usize| {
            [0, 1].map(|axis| if beside[axis].is_empty() { Points::new() } else { points(data, rows(Some(row)), axis) })
        };
        // What one arc describes needs no impact: its squares are not fewer.
        let is_arc = |row| self.left(&beside_and(row), usual, None).is_none_or(|squares| squares <= SURE);
        if (i..i + count).any(is_arc) {
            return false;
        }
        let times = [data.rows[i - SIDE].time, data.rows[i + count + SIDE - 1].time];
        let frame = (times[1] - times[0]) / (2 * SIDE + count - 1) as f64;
        let least = |all: &[Points; 2]| least_by_impact(|at| self.left(all, usual, Some(at)), times, frame);
        // A parabola and a change of velocity along each axis, at one time.
        let axes = beside.iter().filter(|all| !all.is_empty()).count();
        let freedom = (axes * (2 * SIDE - 3)) as f64 - 1.0;
        let Some(without) = least(&beside) else { return false };
        // Noise is that of the film, or what is left of the rows beside if that is more.
        let sure = SURE * (without / freedom).max(1.0);
        (i..i + count).all(|row| least(&beside_and(row)).is_some_and(|squares| squares - without > sure))
    }
}
