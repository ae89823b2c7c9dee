//! Drawing of `curves check`: the ground with its curvature comb, and the places of the findings.

use curves::{Crossing, Ground, Jet, Piece};
use nalgebra::Vector2;
use report::figures::{
    BLUE, Figure, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION, extent, ground_chart, margin, stack,
};
use report::show::{self, Facts};
use scenario::curve::Curve;
use scenario::input::short;

use super::finding::Finding;

const TEETH: usize = 400;
/// Length of the comb's longest tooth, relative to the size of the ground.
const LONGEST: f64 = 0.15;

/// Maximum number of points of a line, or dots.
const POINTS: usize = 5000;
/// Points closer to the last one than this part of the drawing are left out.
const APART: f64 = 1e-4;

/// Thins out points that can't be told apart in a drawing of this size (m), and to at most [`POINTS`].
fn thinned(points: Vec<(f64, f64)>, size: f64) -> Vec<(f64, f64)> {
    if points.len() <= POINTS {
        return points;
    }
    let end = points.last().copied();
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        if kept.last().is_none_or(|(a, b)| (x - a).hypot(y - b) >= APART * size) {
            kept.push((x, y));
        }
    }
    let stride = kept.len().div_ceil(POINTS);
    let mut kept: Vec<_> = kept.into_iter().step_by(stride).collect();
    kept.extend(end);
    kept
}

/// A point as its coordinates.
fn pair(point: Vector2<f64>) -> (f64, f64) {
    (point.x, point.y)
}

/// The point of a piece with this parameter.
fn at(piece: &Piece, s: f64) -> (f64, f64) {
    pair(piece.curve().point_at(s))
}

/// Names and colours of the parts of the ground before and behind gates, in turn.
const LAYERS: [(&str, &str); 2] = [("up to a gate", GREY), ("behind it", ORANGE)];

/// Colours of several curves, in turn.
const CURVES: [&str; 5] = [GREY, ORANGE, GREEN, PURPLE, VERMILION];
/// Maximum number of curves named in the legend.
const NAMED: usize = 10;

/// Points of a curve of the ground, cut at its gates.
fn layers(ground: &Ground, curve: usize, facts: &Facts) -> Vec<Vec<(f64, f64)>> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    let mut gates: Vec<(usize, f64)> = ground.crossings().iter().map(|crossing| crossing.gate).collect();
    gates.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let each = (POINTS / ground.pieces().len().max(1)).clamp(2, POINTS);
    for index in ground.pieces_of(curve) {
        let piece = &ground.pieces()[index];
        let Some(part) = facts.part_of(piece) else { continue };
        let inside = gates.iter().filter(|(on, s)| *on == index && part.lo <= *s && *s <= part.hi).map(|gate| gate.1);
        let mut from = part.lo;
        for (to, gate) in inside.map(|s| (s, true)).chain([(part.hi, false)]) {
            line.extend((0..=each).map(|i| at(piece, from + (to - from) * i as f64 / each as f64)));
            if gate {
                let end = line.last().copied();
                lines.push(std::mem::take(&mut line));
                line.extend(end);
            }
            from = to;
        }
    }
    lines.push(line);
    lines
}

/// The curves of the ground, each in its colour; of a single one, parts before and behind gates in turn.
fn drawn(curve: &Curve, facts: &Facts, whole: Vec<Vec<(f64, f64)>>, size: f64) -> Vec<Series> {
    let crosses = !curve.ground.crossings().is_empty();
    let mut series = Vec::new();
    for (i, line) in whole.into_iter().enumerate() {
        let parts = if crosses { layers(&curve.ground, i, facts) } else { vec![line] };
        series.extend(parts.into_iter().enumerate().map(|(part, line)| {
            let (name, colour, named) = match curve.curves.get(i) {
                Some((name, _)) => (name.as_str(), CURVES[i % CURVES.len()], i < NAMED && part == 0),
                None if crosses => (LAYERS[part % LAYERS.len()].0, LAYERS[part % LAYERS.len()].1, part < LAYERS.len()),
                None => ("ground", GREY, i == 0),
            };
            Series::new(if named { name } else { "" }, colour, thinned(line, size))
        }));
    }
    series
}

/// The curvature comb: teeth along −n with lengths proportional to the curvature, the longest a part of `size` (m).
fn comb(curve: &Curve, facts: &Facts, size: f64) -> Vec<Series> {
    let parts: Vec<_> =
        curve.ground.pieces().iter().filter_map(|piece| facts.part_of(piece).map(|part| (piece, part))).collect();
    let each = (TEETH / parts.len().max(1)).clamp(2, TEETH);
    let stride = parts.len().div_ceil(TEETH);
    let jets: Vec<_> = parts
        .iter()
        .step_by(stride)
        .flat_map(|(piece, part)| (0..=each).map(move |i| piece.jet(part.lo + part.width() * i as f64 / each as f64)))
        .filter(|jet| jet.curvature().is_finite())
        .collect();
    let greatest = jets.iter().map(|jet| jet.curvature().abs()).fold(0.0, f64::max);
    let mut series: Vec<Series> = Vec::new();
    if greatest > 0.0 {
        let scale = LONGEST * size / greatest;
        let tip = |jet: &Jet| pair(jet.point - jet.normal() * (jet.curvature() * scale));
        let tips: Vec<(f64, f64)> = jets.iter().map(tip).collect();
        for (i, (jet, tip)) in jets.iter().zip(&tips).enumerate() {
            let name = if i == 0 { format!("curvature, longest {} 1/m", short(greatest)) } else { String::new() };
            series.push(Series::new(name, BLUE, vec![pair(jet.point), *tip]).drawn(Stroke::Thin));
        }
        if curve.curves.is_empty() {
            series.push(Series::new("", BLUE, tips).drawn(Stroke::Thin));
        }
    }
    series
}

/// Draws the ground, its curvature comb (teeth along −n, lengths proportional to the curvature) and the findings.
pub fn check_figure(curve: &Curve, facts: &Facts, found: &[Finding]) -> Figure {
    let lines = facts.lines(&curve.ground);
    let Some([left, right, low, high]) = show::extent(&lines) else { return stack(&curve.info.title, Vec::new()) };
    let size = (right - left).max(high - low);
    let mut series = comb(curve, facts, size);
    series.extend(drawn(curve, facts, lines, size));
    let crossings = curve.ground.crossings().iter();
    let gates = crossings.clone().map(|Crossing { gate: (piece, s), .. }| at(&curve.ground.pieces()[*piece], *s));
    let mut dots = vec![
        ("crossing", VERMILION, crossings.map(|crossing| pair(crossing.point)).collect()),
        ("gate", GREEN, gates.collect::<Vec<_>>()),
    ];
    for (code, colour) in
        [("corner", ORANGE), ("concave-corner", VERMILION), ("curvature-jump", PURPLE), ("narrow-valley", GREEN)]
    {
        let places = found.iter().filter(|finding| finding.code == code).filter_map(|finding| finding.place);
        dots.push((code, colour, thinned(places.map(|place| pair(place.point)).collect(), size)));
    }
    dots.retain(|(.., points)| !points.is_empty());
    series.extend(dots.into_iter().map(|(name, colour, points)| Series::new(name, colour, points).drawn(Stroke::Dots)));
    let shown = extent(series.iter().flat_map(|line| line.points.iter().copied()));
    let (margin, [left, right, low, high]) = (margin(shown, 0.0), shown);
    ground_chart(&curve.info.title, series, [left - margin, right + margin, low - margin, high + margin]).figure()
}
