//! [`Facts`]: length, curvature, repetition and corners of a ground, proven by enclosures if possible, else from
//! samples.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use curves::{Ground, JetEnclosure, JointKind, Parametrisation, Piece, arc_length};
use numbers::{Interval, bisect};
use scenario::curve::ends;
use scenario::input::{rounded, short};

use super::extent;

/// Allowed relative difference between enclosure and sample of a bound.
const CURVATURE_TOLERANCE: f64 = 1e-6;
/// Part of the largest sampled |κ| below which bounds are compared absolutely: κ may tend to 0 at infinity.
const SMALL: f64 = 1e-4;
/// Greatest number of parts that the search for one bound takes up; halving one costs two enclosures.
const BUDGET: usize = 30_000;
/// Parameter beyond which the ends of endless parts are bounded first, m: farther out than any ball may start.
const FAR: f64 = 1e12;
/// Greatest number of intervals between the points of a piece.
const POINTS: usize = 3000;
/// Half width of the window if the ground suggests none, m.
const PLAIN_WINDOW: f64 = 1.0;

/// A range, with its kind of proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundRange {
    /// Smallest value.
    pub lo: f64,
    /// Largest value.
    pub hi: f64,
    /// Whether proven by enclosures to six digits; else from samples.
    pub certified: bool,
    /// Whether over the whole ground; else over the window.
    pub whole: bool,
}

/// Repetition of a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repeats {
    /// Every piece is bounded.
    Finite,
    /// The ground is straight everywhere.
    Straight,
    /// Periodic, with this period of the parameter.
    Every(f64),
    /// Unbounded and not periodic.
    Never,
}

/// Length, curvature, repetition and corners of a ground.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The part shown, if the ground is unbounded.
    pub window: Option<Interval>,
    /// Repetition.
    pub repeats: Repeats,
    /// Curvature κ, 1/m.
    pub curvature: FoundRange,
    /// Length of the ground, or of the part shown, m.
    pub length: f64,
    /// Corners that turn away from the ball.
    pub convex: usize,
    /// Corners that turn towards the ball.
    pub concave: usize,
}

impl Facts {
    /// Computes the facts of a ground.
    pub fn of(ground: &Ground) -> Facts {
        let endless = ground.pieces().iter().any(|piece| !piece.domain().is_bounded());
        let repeats = if endless { repeats(ground) } else { Repeats::Finite };
        let window = endless.then(|| window(ground, repeats));
        let length = match window {
            None => ground.length(),
            Some(_) => {
                parts(ground, window).iter().map(|(piece, part)| arc_length(piece.curve(), part.lo, part.hi)).sum()
            }
        };
        let count = |kind| ground.joints().iter().filter(|joint| joint.kind == kind).count();
        Facts {
            window,
            repeats,
            curvature: curvature(ground, window),
            length,
            convex: count(JointKind::Convex),
            concave: count(JointKind::Concave),
        }
    }

    /// Whether the whole ground is shown.
    pub fn is_whole(&self) -> bool {
        self.window.is_none()
    }

    /// Least radius of a valley, m; 0 at a concave corner, `None` without a valley.
    pub fn valley_radius(&self) -> Option<f64> {
        if self.concave > 0 {
            return Some(0.0);
        }
        (self.curvature.hi > 0.0).then(|| 1.0 / self.curvature.hi)
    }

    /// The part of a piece's domain that is shown.
    pub fn part_of(&self, piece: &Piece) -> Option<Interval> {
        inside(piece, self.window)
    }

    /// Text on the corners.
    pub fn corners(&self) -> String {
        match (self.convex, self.concave) {
            (0, 0) => "none".to_owned(),
            (convex, 0) => format!("{convex} convex"),
            (0, concave) => format!("{concave} concave"),
            (convex, concave) => format!("{convex} convex, {concave} concave"),
        }
    }

    /// The part shown, as lines of points; connected pieces are one line.
    pub fn lines(&self, ground: &Ground) -> Vec<Vec<(f64, f64)>> {
        let count = (60_000 / ground.pieces().len().max(1)).clamp(1, POINTS);
        let line = |curve: usize| {
            let mut line = Vec::new();
            for piece in &ground.pieces()[ground.pieces_of(curve)] {
                let Some(part) = self.part_of(piece) else { continue };
                let point = |i: usize| piece.curve().point_at(part.lo + part.width() * i as f64 / count as f64);
                line.extend((0..=count).map(point).map(|point| (point.x, point.y)));
            }
            line
        };
        (0..ground.curves()).map(line).collect()
    }

    /// Adds the rows of curvature and the narrowest valley.
    fn curvature_rows(&self, row: &mut dyn FnMut(&'static str, String, &str)) {
        let FoundRange { lo, hi, certified, whole } = self.curvature;
        let how = format!(
            "{} over {}; positive in a valley",
            if certified { "proven by enclosures" } else { "from samples: peaks between them may be missed" },
            if whole { "the whole ground" } else { "the part shown" }
        );
        let range = if lo == hi { short(lo) } else { format!("{} to {}", short(lo), short(hi)) };
        row("curvature", format!("{range} 1/m"), &how);
        let (radius, how) = match self.valley_radius() {
            None => ("none".to_owned(), "no valley: a ball of any size fits"),
            Some(0.0) => ("0 m".to_owned(), "at a concave corner, where every ball with a radius touches both sides"),
            Some(radius) => (format!("{} m", short(radius)), "1/greatest curvature: the largest ball that fits"),
        };
        row("smallest valley radius", radius, how);
        if self.concave > 0 && hi > 0.0 {
            row("away from corners", format!("{} m", short(1.0 / hi)), "1/greatest curvature");
        }
    }

    /// Rows of the table: quantity, value with unit, and kind of proof.
    pub fn rows(&self, ground: &Ground, kind: &str) -> Vec<(&'static str, String, String)> {
        let mut rows = Vec::new();
        let mut row = |name, value: String, how: &str| rows.push((name, value, how.to_owned()));
        let (s, unit, meaning) = match (ground.parametrisation(0), kind) {
            (Parametrisation::ArcLength, _) => ("s", " m", "arc length from the first point"),
            (_, "graph") => ("x", " m", ""),
            _ => ("s", "", "the curve's own parameter"),
        };
        let several = ground.curves() > 1;
        if several {
            row("curves", ground.curves().to_string(), "");
        } else {
            let (from, to) = ends(ground, 0);
            row("domain", format!("{s} from {} to {}{unit}", short(from), short(to)), meaning);
        }
        if let (false, Some(inside)) = (several, ground.is_free_inside(0)) {
            let (free, other) = if inside { ("inside", "outside") } else { ("outside", "inside") };
            row("free side", free.to_owned(), &format!("of the closed curve; `reverse = true` frees the {other}"));
        }
        if let Some(window) = self.window {
            let why = match self.repeats {
                Repeats::Every(_) => "two periods of endless ground",
                Repeats::Straight => "endless straight ground: any part looks like this",
                _ => "the part of the endless ground where it turns most",
            };
            row("shown", format!("{s} from {} to {}{unit}", short(window.lo), short(window.hi)), why);
        }
        match self.repeats {
            Repeats::Every(period) => row("periodic", format!("every {}{unit}", short(period)), "found in samples"),
            Repeats::Never => row("periodic", "no".to_owned(), "found in samples"),
            Repeats::Straight | Repeats::Finite => {}
        }
        self.curvature_rows(&mut row);
        let of = if self.is_whole() { "by quadrature" } else { "of the part shown, by quadrature; endless in all" };
        row("length", format!("{} m", short(self.length)), of);
        if let Some([left, right, low, high]) = extent(&self.lines(ground)) {
            let value = format!("x {} to {} m, y {} to {} m", short(left), short(right), short(low), short(high));
            row("extent", value, if self.is_whole() { "from samples" } else { "of the part shown, from samples" });
        }
        let count = ground.pieces().len();
        row("pieces", count.to_string(), if count == 1 { "smooth all along" } else { "each smooth in itself" });
        row("corners", self.corners(), "");
        let ends = ground.joints().iter().filter(|joint| joint.kind == JointKind::End).collect::<Vec<_>>();
        let at = |joint: &curves::Joint| format!("({}, {})", short(joint.point.x), short(joint.point.y));
        let (value, how) = match ends.as_slice() {
            [first, last] if !several => {
                (format!("from {} to {}", at(first), at(last)), "the ball is on the left of this way")
            }
            [only] if !several => (at(only), "the ground ends here"),
            _ if several => return rows,
            _ if ground.is_closed() => ("none: closed".to_owned(), ""),
            _ => ("none: endless".to_owned(), ""),
        };
        row("ends", value, how);
        rows
    }
}

/// The pieces with the part of their domain in the window.
fn parts(ground: &Ground, window: Option<Interval>) -> Vec<(&Piece, Interval)> {
    ground.pieces().iter().filter_map(|piece| inside(piece, window).map(|part| (piece, part))).collect()
}

fn inside(piece: &Piece, window: Option<Interval>) -> Option<Interval> {
    match window {
        None => Some(piece.domain()),
        Some(window) => piece.domain().intersection(window).filter(|part| part.width() > 0.0),
    }
}

/// Range of the curvature: proven over the whole ground, else over the window; else sampled in the window.
fn curvature(ground: &Ground, window: Option<Interval>) -> FoundRange {
    let shown = parts(ground, window);
    let each = samples_of_a_piece(shown.len());
    let samples: Vec<f64> = shown
        .iter()
        .flat_map(|(piece, part)| {
            (0..=each).map(move |i| piece.jet(part.lo + part.width() * f64::from(i) / f64::from(each)).curvature())
        })
        .filter(|kappa| kappa.is_finite())
        .collect();
    let extreme = |sign: f64| samples.iter().map(|kappa| sign * kappa).fold(f64::NEG_INFINITY, f64::max);
    let (lowest, highest) = (extreme(-1.0), extreme(1.0));
    let scale = lowest.abs().max(highest.abs());
    let tries: &[Option<Interval>] = if window.is_some() { &[None, window] } else { &[None] };
    for over in tries {
        let parts = parts(ground, *over);
        if let [Some(lo), Some(hi)] = greatest(&parts, [lowest, highest], scale) {
            let clean = |value: f64| if value.abs() <= CURVATURE_TOLERANCE * SMALL * scale { 0.0 } else { value };
            return FoundRange { lo: clean(-lo), hi: clean(hi), certified: true, whole: over.is_none() };
        }
    }
    FoundRange { lo: -lowest, hi: highest, certified: false, whole: window.is_none() }
}

/// Number of samples of each piece, for this number of pieces.
pub fn samples_of_a_piece(pieces: usize) -> u32 {
    (200_000 / pieces.max(1)).clamp(4, 400) as u32
}

/// A part with an upper bound of the curvature over it.
struct Candidate<'a> {
    bound: f64,
    piece: &'a Piece,
    part: Interval,
}

impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}
impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Candidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Candidate<'_> {}

/// Greatest values of −κ and κ by branch and bound, starting from samples; `None`: not proven within the budget.
fn greatest(parts: &[(&Piece, Interval)], mut sampled: [f64; 2], scale: f64) -> [Option<f64>; 2] {
    let enough = |best: f64| best + CURVATURE_TOLERANCE * best.abs().max(SMALL * scale);
    let all_ends = || parts.iter().flat_map(|(piece, part)| far_ends(*part).map(move |end| (piece, end)));
    for (piece, end) in all_ends() {
        let curvature = piece.jet(if end.lo.is_finite() { end.lo } else { end.hi }).curvature();
        sampled = [0, 1].map(|i| sampled[i].max([-curvature, curvature][i]));
    }
    let goals = sampled.map(enough);
    // Where the bound of an end is too large, as that of a sum of waves is, halving never ends.
    let within = |(piece, end): (&&Piece, Interval)| {
        let bounds = bounds(piece, end, &piece.enclosure(end));
        (0..2).all(|i| bounds[i] <= goals[i])
    };
    if !all_ends().all(within) {
        return [None; 2];
    }
    // Drops parts that can't exceed the samples by more than the tolerance; in long tracks, nearly all.
    let mut heaps = [BinaryHeap::new(), BinaryHeap::new()];
    for (piece, part) in parts {
        let over = piece.enclosure(*part);
        let direct = extremes_of(over.curvature());
        if (0..2).any(|i| !(direct[i] <= goals[i])) {
            let bounds = heaps.iter_mut().zip(bounds(piece, *part, &over));
            bounds.for_each(|(heap, bound)| heap.push(Candidate { bound, piece, part: *part }));
        }
    }
    let [low, high] = heaps;
    let low = search(low, 0, sampled[0], enough);
    [low, low.and_then(|_| search(high, 1, sampled[1], enough))]
}

/// Far ends of an endless part.
fn far_ends(part: Interval) -> impl Iterator<Item = Interval> {
    let ends = [Interval::new(f64::NEG_INFINITY, -FAR), Interval::new(FAR, f64::INFINITY)];
    ends.into_iter().filter(move |_| !part.is_bounded()).filter_map(move |end| part.intersection(end))
}

/// Upper bounds of −κ and κ over a part.
fn bounds(piece: &Piece, part: Interval, over: &JetEnclosure) -> [f64; 2] {
    let [direct, around] = [over.curvature(), piece.curve().curvature_over(part)].map(extremes_of);
    // The comparison discards NaN.
    [0, 1].map(|i| if around[i] < direct[i] { around[i] } else { direct[i] })
}

/// Greatest −κ (`which` = 0) or κ (1) over the parts in the heap; `None`: not proven.
fn search(mut heap: BinaryHeap<Candidate>, which: usize, sampled: f64, enough: impl Fn(f64) -> f64) -> Option<f64> {
    // Each part with an infinite bound must be halved, and uses up the budget.
    if heap.iter().filter(|candidate| candidate.bound == f64::INFINITY).count() > BUDGET {
        return None;
    }
    let mut best = sampled;
    for _ in 0..BUDGET {
        let Some(Candidate { bound: top, piece, part }) = heap.pop() else { return Some(best) };
        let curvature = piece.jet(part.middle()).curvature();
        best = best.max([-curvature, curvature][which]);
        if top <= enough(best) {
            return Some(best);
        }
        let (left, right) = part.halves();
        if !(left.width() > 0.0 && right.width() > 0.0) {
            return None;
        }
        heap.extend([left, right].map(|part| {
            let over = piece.enclosure(part);
            Candidate { bound: bounds(piece, part, &over)[which], piece, part }
        }));
    }
    None
}

/// Upper bounds of −κ and κ; infinite if there are none.
fn extremes_of(curvature: Interval) -> [f64; 2] {
    if curvature.is_undefined() { [f64::INFINITY; 2] } else { [-curvature.lo, curvature.hi] }
}

/// The piece that contains `s`.
fn piece_at(ground: &Ground, s: f64) -> Option<&Piece> {
    ground.pieces().iter().find(|piece| piece.domain().contains(s))
}

/// Searches a period of the curvature, over a wide range of scales.
fn repeats(ground: &Ground) -> Repeats {
    const SAMPLES: usize = 2000;
    let kappa = |s: f64| piece_at(ground, s).map_or(f64::NAN, |piece| piece.jet(s).curvature());
    let has_corners = ground.joints().iter().any(|joint| joint.turn != 0.0);
    let scales = || (-4..=4).map(|power| 10f64.powi(power));
    let largest = |scale: f64| {
        (0..=SAMPLES).map(|i| kappa(scale * (i as f64 / SAMPLES as f64 - 0.5))).fold(0.0, |a: f64, k| a.max(k.abs()))
    };
    if !has_corners && scales().all(|scale| largest(scale) == 0.0) {
        return Repeats::Straight;
    }
    if ground.pieces().len() > 1 || ground.pieces()[0].domain() != Interval::REAL {
        return Repeats::Never;
    }
    for scale in scales() {
        let at = |i: usize| scale * (i as f64 / SAMPLES as f64 - 0.5);
        let values: Vec<f64> = (0..=SAMPLES).map(|i| kappa(at(i))).collect();
        let (lo, hi) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), k| (lo.min(*k), hi.max(*k)));
        let level = 0.5 * (lo + hi);
        let rises: Vec<f64> = (0..SAMPLES)
            .filter(|i| values[*i] < level && values[*i + 1] >= level)
            .map(|i| bisect(|s| !(kappa(s) >= level), at(i), at(i + 1))[1])
            .collect();
        let Some((first, others)) = rises.split_first() else { continue };
        if others.len() < 3 {
            continue;
        }
        let candidates = others.iter().take(8).map(|other| other - first);
        let repeats = |period: f64| {
            // Irrational multiples, so that no period coincides with them.
            (0..500).all(|i| {
                let s = period * 100.0 * ((f64::from(i) * 0.618_033_988_749_895).fract() - 0.5);
                (kappa(s + period) - kappa(s)).abs() <= 1e-6 * (hi - lo)
            })
        };
        if let Some(period) = candidates.into_iter().find(|period| repeats(*period)) {
            // Bisection gives about twelve digits.
            return Repeats::Every(rounded(period, 10));
        }
    }
    Repeats::Never
}

/// A representative part of unbounded ground.
fn window(ground: &Ground, repeats: Repeats) -> Interval {
    let around = match repeats {
        Repeats::Every(period) => Some(Interval::new(-period, period)),
        Repeats::Straight | Repeats::Finite => None,
        Repeats::Never => turning(ground),
    };
    let around = around.unwrap_or(Interval::new(-PLAIN_WINDOW, PLAIN_WINDOW));
    let (first, last) = (ground.pieces()[0].domain(), ground.pieces()[ground.pieces().len() - 1].domain());
    let domain = Interval::new(first.lo, last.hi);
    // Half-bounded ground outside of this window is shown from its end on.
    domain.intersection(around).filter(|part| part.width() > 0.0).unwrap_or_else(|| {
        if domain.lo.is_finite() {
            Interval::new(domain.lo, domain.lo + around.width())
        } else {
            Interval::new(domain.hi - around.width(), domain.hi)
        }
    })
}

/// Interval with 60 % of the tangent's turning, with a margin, in round numbers; `None` if it is too small or large.
fn turning(ground: &Ground) -> Option<Interval> {
    let right: Vec<f64> = (-1200..=1200).map(|i| 10f64.powf(f64::from(i) / 200.0)).collect();
    let places = right.iter().rev().map(|s| -s).chain([0.0]).chain(right.iter().copied());
    let tangents: Vec<(f64, f64)> = places
        .filter_map(|s| {
            let tangent = piece_at(ground, s)?.jet(s).tangent();
            let angle = tangent.y.atan2(tangent.x);
            angle.is_finite().then_some((s, angle))
        })
        .collect();
    let turns: Vec<(f64, f64)> = tangents.windows(2).map(|pair| (pair[1].0, (pair[1].1 - pair[0].1).abs())).collect();
    let total: f64 = turns.iter().map(|(_, turn)| turn).sum();
    let place_of = |part: f64| {
        let mut sum = 0.0;
        turns.iter().find(|(_, turn)| {
            sum += turn;
            sum >= part * total
        })
    };
    let [(lo, _), (hi, _)] = [place_of(0.2)?, place_of(0.8)?];
    let reach = 1.25 * lo.abs().max(hi.abs());
    if !(1e-5..=1e3).contains(&reach) {
        return None;
    }
    let decade = 10f64.powf(reach.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade).into_iter().find(|round| *round >= reach);
    let round = round.unwrap_or(reach);
    Some(Interval::new(-round, round))
}
