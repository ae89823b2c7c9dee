//! Finds and repairs faults of a film: frames missing or doubled, a tracker that jumps, a hand that holds the ball.
//!
//! One test decides all: the sum of squared residuals of a motion through some rows, over the film's noise. A supposed
//! fault must reduce it by [`SURE`] and leave noise (twice the logarithm of the likelihood ratio; by chance with a
//! probability below e^(−SURE/2) = 1.5e-8). The ball's motion is modelled as a parabola of the film's usual curvature
//! with at most one impact; around the first rows as a cubic.

use std::cell::Cell;
use std::ops::Range;

use nalgebra::Vector4;
use scenario::input::{named_rows, plain, rounded};

use super::data::{Data, KEPT};
use super::noise::Share;
use super::robust::{Combination, Points, SURE, ShortArc, median, robust_deviation, scaled};

/// Maximum number of consecutive rows at which a tracker is elsewhere.
const AWAY: usize = 3;
/// Rows used before a fault and behind it: 30 frames per second made into 24 lack each fifth one.
const SIDE: usize = 4;
/// Smaller numbers of rows before and behind, if an impact is near.
const SIDES: [[usize; 2]; 4] = [[SIDE, SIDE], [SIDE, 2], [2, SIDE], [2, 2]];
/// Maximum number of frames missing at one place, or repeated.
const MISSING: i32 = 3;
/// Maximum number of steps of the grid of times on which an impact is sought.
const TIMES: f64 = 64.0;
/// Halvings of the step around the best of these times.
const HALVINGS: u32 = 8;
/// Least and greatest number of rows at rest before the ball moves.
const REST: [usize; 2] = [4, 200];
/// Bound for the sum of squares of pure noise, in standard deviations above its mean.
const NOISY: f64 = 4.0;
/// Passes of the search for missing frames: many of them look like noise at first, and each repair reduces it.
const ROUNDS: usize = 4;
/// Maximum number of arcs from which the usual one is taken.
const ARCS: usize = 4000;
/// Maximum number of places of a film tested with impacts: each takes 0.1 ms.
const LOOKS: u32 = 2000;

/// Adds a note on a ball that is held before it moves.
pub(super) fn tell_held(data: &mut Data) {
    let held = Film::of(data, Share::HALF).and_then(|film| film.held(data));
    data.hints.extend(held);
}

/// Repairs faults of the film, with notes on them.
pub(super) fn mend(data: &mut Data) {
    let (mut mended, mut looks) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let Some(film) = Film::of(data, Share::THREE_QUARTERS) else { break };
        let found = film.missing(data);
        looks = film.looks.get().max(looks);
        if found.is_empty() {
            break;
        }
        mended.extend(found);
    }
    tell_missing(data, mended);
    let Some(film) = Film::of(data, Share::HALF) else { return };
    let away = film.away(data);
    if film.looks.get().max(looks) > LOOKS {
        data.hints.push(format!(
            "more than {LOOKS} rows are no arc with those beside: faults behind these are not looked for"
        ));
    }
    data.away.extend(away.iter().map(|i| data.rows[*i]));
    data.leave_out(&away, ["jumps away from the rows beside", "jump away from the rows beside"], KEPT);
}

/// Adds notes on missing frames (negative counts: repeated ones); `mended`: first row behind each place, and count.
fn tell_missing(data: &mut Data, mut mended: Vec<(usize, i32)>) {
    mended.sort_unstable();
    let (missing, twice): (Vec<_>, Vec<_>) = mended.into_iter().partition(|(_, count)| *count > 0);
    for (places, what, when) in [(missing, "missing from", "later"), (twice, "twice in", "earlier")] {
        let count: u32 = places.iter().map(|(_, count)| count.unsigned_abs()).sum();
        let frames = if count == 1 { "a frame".to_owned() } else { format!("{count} frames") };
        let [one, many] =
            ["is", "are"].map(|are| format!("{are} followed by {frames} {what} the film, whose times go on as if not"));
        let lines: Vec<usize> = places.iter().map(|(i, _)| data.rows[i - 1].line).collect();
        let so = format!("later rows are taken for so much {when}; --every-row keeps them as they are");
        data.hints.extend(named_rows(&lines, &one, &many, &so));
    }
}

/// Sum of squared residuals over the noise for a polynomial of this degree (0 to 3), and the degrees of freedom.
fn smooth(points: &[(f64, f64)], noise: f64, degree: usize) -> (f64, f64) {
    let fit = scaled(points, noise).and_then(|scaled| Combination::polynomial(&scaled.0, degree));
    fit.map_or((0.0, 0.0), |fit| (fit.squares, (points.len() - degree - 1) as f64))
}

/// Half accelerations of parabolas through neighbouring rows along an axis: median and standard deviation. Most arcs of
/// a bouncing ball are in flight; those over an impact have the opposite sign. In a long film the arcs are spread.
fn usual_bend(data: &Data, axis: usize) -> [f64; 2] {
    let first = 0..(data.rows.len() + 1).saturating_sub(2 * SIDE);
    let arcs = first.step_by(data.rows.len().div_ceil(ARCS).max(1)).map(|i| data.points(i..i + 2 * SIDE, axis));
    let bend = |arc: Points| Some(0.5 * ShortArc::of(&arc).filter(|_| arc.len() == 2 * SIDE)?.acceleration);
    let mut bends: Vec<f64> = arcs.filter_map(bend).collect();
    let middle = median(&mut bends).unwrap_or(0.0);
    bends.iter_mut().for_each(|bend| *bend -= middle);
    [middle, robust_deviation(&bends)]
}

/// The test's data: noise and usual half acceleration of each axis, in the unit of places.
struct Film {
    noise: [f64; 2],
    usual: [[f64; 2]; 2],
    /// Number of places tested with impacts.
    looks: Cell<u32>,
}

impl Film {
    fn of(data: &Data, share: Share) -> Option<Self> {
        let noise = data.noise(share)?;
        let noise = [0, 1].map(|axis| noise[axis].max(data.rounding(axis)).max(1e-9 * data.extent()));
        Some(Film { noise, usual: [0, 1].map(|axis| usual_bend(data, axis)), looks: Cell::new(0) })
    }

    /// Counts a place to be tested with impacts; `false`: there were [`LOOKS`] of them.
    fn looks(&self) -> bool {
        self.looks.replace(self.looks.get() + 1) < LOOKS
    }

    /// Sum of squared residuals of a parabola of the usual curvature, with a change of velocity at `impact`, if any.
    fn arc(&self, all: &[Points; 2], impact: Option<f64>) -> Option<f64> {
        let of = |axis: usize| {
            let (mut scaled, middle, half) = scaled(&all[axis], self.noise[axis])?;
            let [bend, deviation] = self.usual[axis].map(|bend| bend * half * half / self.noise[axis]);
            scaled.iter_mut().for_each(|(s, place)| *place -= bend * *s * *s);
            let behind = |s: f64| impact.map_or(0.0, |at| (s - (at - middle) / half).max(0.0));
            let free = if impact.is_some() { 1e-9 } else { 1.0 };
            let known = Vector4::new(0.0, 0.0, deviation.max(1e-3).powi(-2), free);
            Combination::of(&scaled, |s| Vector4::new(1.0, s, s * s, behind(s)), known).map(|fit| fit.squares)
        };
        [0, 1].into_iter().filter(|axis| !all[*axis].is_empty()).map(of).sum()
    }

    /// Least sum of squared residuals of a motion with an impact between two times: on a grid, refined around the best.
    fn motion(&self, all: &[Points; 2], [from, to]: [f64; 2], frame: f64) -> Option<f64> {
        let count = ((to - from) / (0.25 * frame)).ceil().clamp(1.0, TIMES);
        let mut step = (to - from) / count;
        let at = |k: usize| from + k as f64 * step;
        let tried = (0..=count as usize).filter_map(|k| Some((at(k), self.arc(all, Some(at(k)))?)));
        let mut best = tried.min_by(|a, b| a.1.total_cmp(&b.1))?;
        for _ in 0..HALVINGS {
            step *= 0.5;
            for at in [best.0 - step, best.0 + step].map(|at| at.clamp(from, to)) {
                if let Some(squares) = self.arc(all, Some(at)).filter(|squares| *squares < best.1) {
                    best = (at, squares);
                }
            }
        }
        Some(best.1)
    }

    /// Finds missing frames: places where one motion goes through the rows before and behind if those behind are some
    /// frames later (or earlier: repeated frames). Corrects the times; returns the first row behind each place, and the
    /// number of frames.
    fn missing(&self, data: &mut Data) -> Vec<(usize, i32)> {
        let steps: Vec<f64> = data.rows.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
        let mut mended: Vec<(usize, i32)> = Vec::new();
        let Some(frame) = steps.iter().copied().reduce(f64::min) else { return mended };
        // Times not on the grid of frames are those of a clock, and right.
        if steps.iter().any(|step| (step / frame).fract().min(1.0 - (step / frame).fract()) > 0.05) {
            return mended;
        }
        // Rows before `until` are already corrected by `later`.
        let (mut later, mut until) = (0.0, 0);
        for i in 1..data.rows.len().saturating_sub(2) {
            let next = (i + SIDE + 2).min(data.rows.len());
            data.rows[until..next].iter_mut().for_each(|row| row.time += later);
            until = next;
            let Some((count, left)) = self.lacks(data, i, frame) else { continue };
            // Of neighbouring candidates, only the one with the least sum counts.
            if self.lacks(data, i + 1, frame).is_none_or(|(other, less)| other != count || left <= less) {
                let by = f64::from(count) * frame;
                data.rows[i + 1..until].iter_mut().for_each(|row| row.time += by);
                later += by;
                mended.push((i + 1, count));
            }
        }
        data.rows[until..].iter_mut().for_each(|row| row.time += later);
        mended
    }

    /// Number of frames missing (negative: repeated) behind row `i`, and the sum of squares then over the degrees of
    /// freedom; from as many neighbouring rows as lie on one motion.
    fn lacks(&self, data: &Data, i: usize, frame: f64) -> Option<(i32, f64)> {
        SIDES.into_iter().find_map(|[before, behind]| {
            let rows = (i + 1).checked_sub(before)?..i + 1 + behind;
            let all = [0, 1].map(|axis| data.points(rows.clone(), axis));
            let seen = || all.iter().map(Vec::len).filter(|count| *count > 0);
            if rows.end > data.rows.len() || seen().any(|count| count < rows.len()) {
                return None;
            }
            self.arc(&all, None).filter(|squares| *squares > SURE && self.looks())?;
            // An impact has a change of velocity along each axis and a time as free numbers: with few rows it is only
            // tried between the two.
            let many = rows.len() == 2 * SIDE;
            let times = if many { [rows.start, rows.end - 1] } else { [i, i + 1] }.map(|row| data.rows[row].time);
            let (arc_is_free, impact_takes) =
                (seen().map(|count| count - 2).sum::<usize>() as f64, 1.0 + seen().count() as f64);
            let with = |count: i32| {
                let by = f64::from(count) * frame;
                let mut mended = all.clone();
                mended.iter_mut().flat_map(|axis| axis.iter_mut().skip(before)).for_each(|(t, _)| *t += by);
                let arc = self.arc(&mended, None)?;
                if !many || arc < NOISY * arc_is_free {
                    return Some((count, arc, arc_is_free));
                }
                Some((count, self.motion(&mended, [times[0], times[1] + by], frame)?, arc_is_free - impact_takes))
            };
            // Corrected rows stay at least one frame apart.
            let fewest = 1 - ((data.rows[i + 1].time - data.rows[i].time) / frame).round() as i32;
            let counts = (fewest.max(-MISSING)..=MISSING).filter(|count| *count != 0);
            let (count, squares, free) = counts.filter_map(with).min_by(|a, b| a.1.total_cmp(&b.1))?;
            let is_sure = self.motion(&all, times, frame)? - squares > SURE && squares < NOISY * free;
            is_sure.then_some((count, squares / free))
        })
    }

    /// Rows that lie on no motion with their neighbours, while the neighbours lie on one.
    fn away(&self, data: &Data) -> Vec<usize> {
        let mut away: Vec<usize> = Vec::new();
        let mut i = SIDE;
        while i + SIDE < data.rows.len() {
            let count = (1..=AWAY).find(|count| self.are_away(data, i..i + count, &away));
            away.extend(i..i + count.unwrap_or(0));
            i += count.unwrap_or(1);
        }
        away
    }

    /// Whether each of these rows is off all motions through the neighbouring rows, none of which is away.
    fn are_away(&self, data: &Data, rows: Range<usize>, away: &[usize]) -> bool {
        let around = rows.start - SIDE..rows.end + SIDE;
        if around.end > data.rows.len() || away.last().is_some_and(|last| around.contains(last)) {
            return false;
        }
        let beside = |axis: usize, row: Option<usize>| {
            data.points(around.clone().filter(|at| !rows.contains(at) || Some(*at) == row), axis)
        };
        // Only axes along which all neighbouring rows were measured.
        let all_seen = [0, 1].map(|axis| beside(axis, None).len() == 2 * SIDE);
        let of = |row| [0, 1].map(|axis| if all_seen[axis] { beside(axis, row) } else { Points::new() });
        // Rows on one parabola are on the motion; an impact need not be tried.
        let is_near = |row| self.arc(&of(Some(row)), None).is_none_or(|squares| squares <= SURE);
        if rows.clone().any(is_near) || !self.looks() {
            return false;
        }
        let times = [around.start, around.end - 1].map(|row| data.rows[row].time);
        let frame = (times[1] - times[0]) / (around.len() - 1) as f64;
        // Free numbers: a parabola and a change of velocity per axis, and one time.
        let free = (all_seen.iter().filter(|seen| **seen).count() * (2 * SIDE - 3)) as f64 - 1.0;
        let Some(without) = self.motion(&of(None), times, frame) else { return false };
        // The noise is the film's, or the residuals of the neighbouring rows if they are larger.
        let sure = SURE * (without / free).max(1.0);
        let is_off = |row| self.motion(&of(Some(row)), times, frame).is_some_and(|squares| squares - without > sure);
        rows.clone().all(is_off)
    }

    /// Note on a ball held at rest and then released: the first rows are one place and those behind it a
    /// parabola, which fits better than one cubic with as many free numbers.
    fn held(&self, data: &Data) -> Option<String> {
        let of = |rows: Range<usize>, degree: usize| {
            let one = |axis: usize| smooth(&data.points(rows.clone(), axis), self.noise[axis], degree);
            let [x, y] = [one(0), one(1)];
            (x.0 + y.0, x.1 + y.1)
        };
        let is_noise = |(squares, free): (f64, f64)| squares <= free + NOISY * (2.0 * free).sqrt();
        let still = (REST[0]..=REST[1].min(data.rows.len())).rfind(|to| is_noise(of(0..*to, 0)))?;
        let told = |moving: usize| {
            let counts = (REST[0]..=still).filter(move |count| count + moving <= data.rows.len());
            let sure = counts.filter_map(|count| {
                let (held, behind) = (of(0..count, 0), of(count..count + moving, 2));
                let by = of(0..count + moving, 3).0 - held.0 - behind.0;
                (by > SURE && is_noise((held.0 + behind.0, held.1 + behind.1))).then_some((count, by))
            });
            sure.max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let (count, _) = [4, 8, 16, 32, 64].into_iter().find_map(told)?;
        let [first, last] = [0, count - 1].map(|i| &data.rows[i]);
        Some(format!(
            "rows {} to {} show the ball at rest before it moves: if it is held there, --start {}",
            first.line,
            last.line,
            plain(rounded(data.start + last.time, 6))
        ))
    }
}
