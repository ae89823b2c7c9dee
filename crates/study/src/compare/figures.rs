//! Figures of comparisons and orders.

use report::decades::{Curve, Panel, Triangle, panels};
use report::figures::{
    BLUE, Figure, GREEN, GREY, ORANGE, PURPLE, Series, VERMILION, extent, ground_chart, ground_points, margin, stack,
};

use super::comparison::{Comparison, Outcome};
use super::converge::{Convergence, Line};
use super::errors::{apart, same_time};
use super::track::{SAME, Track};

/// Points of a run that are drawn.
const DRAWN: usize = 2000;
/// What stands for no difference at all.
const LEAST: f64 = 1e-17;

pub(super) const COLOURS: [&str; 7] = [BLUE, VERMILION, GREEN, ORANGE, PURPLE, "#000000", "#56B4E9"];

/// A method's colour, its coarsest run and, if it has several, its finest.
pub(super) fn ends(comparison: &Comparison) -> Vec<(&'static str, &Outcome, Option<&Outcome>)> {
    let groups = comparison.outcomes.chunk_by(|a, b| a.case.method == b.case.method);
    groups
        .zip(COLOURS.into_iter().cycle())
        .filter_map(|(group, colour)| {
            let (first, rest) = group.split_first()?;
            Some((colour, first, rest.last()))
        })
        .collect()
}

fn path(track: &Track) -> Vec<(f64, f64)> {
    let stride = track.rows.len().div_ceil(DRAWN).max(1);
    let last = track.rows.last();
    track.rows.iter().step_by(stride).chain(last).map(|row| (row.position[0], row.position[1])).collect()
}

/// The paths over each other and over the ground: of each method the finest run, and the coarsest dashed.
pub fn paths_figure(comparison: &Comparison) -> Figure {
    let mut drawn = vec![Series::new("reference", GREY, path(&comparison.truth.track))];
    for (colour, coarse, fine) in ends(comparison) {
        if fine.is_some() {
            drawn.push(Series::new("", colour, path(&coarse.track)).dashed());
        }
        let finest = fine.unwrap_or(coarse);
        drawn.push(Series::new(finest.case.name(), colour, path(&finest.track)));
    }
    let paths = extent(drawn.iter().flat_map(|series| &series.points).copied());
    let [left, right, low, high] = paths;
    if !(left <= right && low <= high) {
        return stack(&comparison.scenario.title, Vec::new());
    }
    let margin = margin(paths, comparison.scenario.scene.ball.radius());
    let (left, right, low, high) = (left - margin, right + margin, low - margin, high + margin);
    let ground = ground_points(comparison.scenario.scene.ground.ground(), left, right).into_iter();
    let mut series: Vec<Series> = ground
        .enumerate()
        .map(|(i, line)| Series::new(if i == 0 { "ground" } else { "" }, GREY, line).thin())
        .collect();
    series.extend(drawn);
    ground_chart(&comparison.scenario.title, series, [left, right, low, high]).figure()
}

/// Distance of position and velocity from the reference over time.
pub fn differences_figure(comparison: &Comparison) -> Figure {
    let few = comparison.truth.track.rows.len().div_ceil(DRAWN / 4).max(1);
    let panel = |title: &str, y: &str, axis: usize| {
        let curve = |outcome: &Outcome, colour: &'static str, dashed: bool| Curve {
            name: outcome.case.name(),
            colour,
            points: differences(comparison, &outcome.track, few)
                .into_iter()
                .map(|(row, apart)| (comparison.truth.track.rows[row].time, apart[axis]))
                .collect(),
            apart: Vec::new(),
            marks: false,
            dashed,
        };
        let mut curves = Vec::new();
        for (colour, coarse, fine) in ends(comparison) {
            curves.push(curve(coarse, colour, fine.is_some()));
            curves.extend(fine.map(|fine| curve(fine, colour, false)));
        }
        Panel {
            title: title.into(),
            x: "time [s]".into(),
            y: y.into(),
            curves,
            triangles: Vec::new(),
            decades_x: false,
        }
    };
    let title = format!("{}: differences from the reference", comparison.scenario.title);
    panels(
        &title,
        "dashed: the coarsest run of a method",
        vec![panel("position", "|Δx| [m]", 0), panel("velocity", "|Δv| [m/s]", 1)],
    )
}

/// How far a run is from the reference, m and m/s: the largest of so many of its rows, so that no peak is lost; with the first of these.
pub(super) fn differences(comparison: &Comparison, track: &Track, few: usize) -> Vec<(usize, [f64; 2])> {
    let interval = comparison.scenario.interval;
    let mut others = comparison.truth.track.rows.iter().enumerate().peekable();
    let mut found: Vec<(usize, [f64; 2])> = Vec::new();
    for row in &track.rows {
        while others.next_if(|(_, other)| other.time < row.time - SAME * interval).is_some() {}
        let Some((index, other)) = others.peek().filter(|(_, other)| same_time(row, other, interval)) else { continue };
        let first = index / few * few;
        // Equal to the last bit is drawn as rounding, so that the line has no holes.
        let (position, velocity) = apart(row, other);
        let apart = [position.max(LEAST), velocity.max(LEAST)];
        match found.last_mut().filter(|(known, _)| *known == first) {
            Some((_, most)) => (0..2).for_each(|i| most[i] = most[i].max(apart[i])),
            None => found.push((first, apart)),
        }
    }
    found
}

/// Errors over steps, a diagram for each quantity. Hollow marks are not in the fit.
pub fn convergence_figure(convergence: &Convergence) -> Figure {
    let of_quantity = convergence.lines.chunk_by(|a, b| a.observable == b.observable);
    let all: Vec<Panel> = of_quantity
        .map(|lines| Panel {
            title: String::new(),
            x: "step h [s]".into(),
            y: lines[0].observable.label().into(),
            curves: lines.iter().zip(COLOURS.into_iter().cycle()).map(|(line, colour)| curve(line, colour)).collect(),
            triangles: triangles(lines),
            decades_x: true,
        })
        .collect();
    panels(&convergence.comparison.scenario.title, "hollow: left out of the fit of the order", all)
}

fn curve(line: &Line, colour: &'static str) -> Curve {
    let points = |left_out: bool| {
        let of = line.points.iter().filter(move |point| point.left_out.is_some() == left_out);
        of.filter_map(|point| Some((point.step, point.error?))).collect()
    };
    Curve { name: line.method.name(), colour, points: points(false), apart: points(true), marks: true, dashed: false }
}

/// A triangle for each whole order seen, below the smallest errors fitted.
fn triangles(lines: &[Line]) -> Vec<Triangle> {
    let mut found: Vec<Triangle> = Vec::new();
    for (line, colour) in lines.iter().zip(COLOURS.into_iter().cycle()) {
        let Some(order) = line.fit.map(|fit| fit.order.round()).filter(|order| *order >= 1.0) else { continue };
        let mut fitted = line.points.iter().rev().filter(|point| point.left_out.is_none());
        let (Some(small), Some(next)) = (fitted.next(), fitted.next()) else { continue };
        let Some(error) = small.error else { continue };
        let triangle = Triangle { corner: (small.step, 0.35 * error), reach: next.step / small.step, order, colour };
        // Of lines of one order the lowest, so that the triangle crosses no other.
        match found.iter_mut().find(|other| other.order == order) {
            Some(other) if triangle.corner.1 < other.corner.1 => *other = triangle,
            Some(_) => {}
            None => found.push(triangle),
        }
    }
    found
}
