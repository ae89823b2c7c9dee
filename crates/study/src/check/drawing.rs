//! The drawing of a check: the ground with its curvature comb, and where something was found.

use report::figures::{BLUE, GREEN, GREY, ORANGE, PURPLE, Series, VERMILION, ground_chart};
use report::show::{Facts, canvas};
use scenario::curve::Curve;
use scenario::input::short;

use super::finding::Finding;

/// Teeth of the comb.
const TEETH: usize = 400;
/// Length of the longest tooth, relative to the size of the ground.
const LONGEST: f64 = 0.15;

/// Points of a line, or dots, at most.
const POINTS: usize = 5000;
/// Points closer to the one before than this part of the drawing are not seen apart.
const APART: f64 = 1e-4;

/// What can be seen of points in a drawing of a size: none too close to the last, and no more than a file should hold.
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

/// The ground, its curvature comb (teeth along −n, as long as the curvature), and the findings, as SVG.
pub fn check_svg(curve: &Curve, facts: &Facts, found: &[Finding]) -> String {
    let lines = facts.lines(&curve.ground);
    let Some([left, right, low, high]) = canvas::extent(&lines) else { return String::new() };
    let size = (right - left).max(high - low);
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
        let tips: Vec<(f64, f64)> = jets
            .iter()
            .map(|jet| jet.point - jet.normal() * (jet.curvature() * scale))
            .map(|tip| (tip.x, tip.y))
            .collect();
        for (i, (jet, tip)) in jets.iter().zip(&tips).enumerate() {
            let name = if i == 0 { format!("curvature, longest {} 1/m", short(greatest)) } else { String::new() };
            series.push(Series::new(name, BLUE, vec![(jet.point.x, jet.point.y), *tip]).thin());
        }
        series.push(Series::new("", BLUE, tips).thin());
    }
    series.extend(lines.into_iter().enumerate().map(|(i, line)| {
        let name = if i == 0 { "ground" } else { "" };
        Series::new(name, GREY, thinned(line, size))
    }));
    for (code, colour) in
        [("corner", ORANGE), ("concave-corner", VERMILION), ("curvature-jump", PURPLE), ("narrow-valley", GREEN)]
    {
        let of_code = found.iter().filter(|finding| finding.code() == code);
        let points: Vec<_> = of_code.filter_map(Finding::place).map(|place| (place.point.x, place.point.y)).collect();
        series.push(Series::new(code, colour, thinned(points, size)).dots());
    }
    let margin = (LONGEST + 0.05) * size;
    ground_chart(&curve.title, series, [left - margin, right + margin, low - margin, high + margin]).svg()
}
