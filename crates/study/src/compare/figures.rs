//! Figures of comparisons and orders.

use report::figures::{
    BLUE, Chart, Decades, Figure, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, Triangle, VERMILION, extent,
    ground_chart, ground_points, last_shown, margin, panels, stack,
};

use super::comparison::{ComparedRun, Comparison};
use super::converge::{Convergence, Line};
use super::errors::{apart, same_time};
use super::measure::Measure;
use super::method::Method;
use super::reference_solution::rounding;
use super::tables::{first_same, same_runs};
use super::track::{RunTrack, SAME};

/// Maximum number of points drawn of a run.
const DRAWN: usize = 2000;
/// Distance from the reference, as a part of the drawing, from which on a path is drawn on its own.
const SEEN: f64 = 1e-3;

pub(super) const COLOURS: [&str; 7] = [BLUE, VERMILION, GREEN, ORANGE, PURPLE, "#000000", "#56B4E9"];

/// A run drawn for its method: the coarsest, or the finest.
#[derive(Clone, Copy)]
pub(super) struct DrawnRun<'a> {
    /// Its index in the comparison.
    pub index: usize,
    pub run: &'a ComparedRun,
    /// Colour of its method.
    pub colour: &'static str,
    /// Whether it is the coarsest of several.
    pub dashed: bool,
    /// Whether it is the finest of several.
    pub finest: bool,
}

/// The coarsest run of each method and, if it has several, the finest; equal runs are represented by the first.
pub(super) fn ends(comparison: &Comparison) -> Vec<DrawnRun<'_>> {
    let all = &comparison.outcomes;
    let drawn: Vec<usize> = (0..all.len()).filter(|i| first_same(all, *i) == *i).collect();
    let groups = drawn.chunk_by(|a, b| all[*a].case.method == all[*b].case.method);
    let both = |(group, colour): (&[usize], &'static str)| {
        let several = group.len() > 1;
        let run = |index: usize, dashed, finest| DrawnRun { index, run: &all[index], colour, dashed, finest };
        let finest = several.then(|| run(group[group.len() - 1], false, true));
        [Some(run(group[0], several, false)), finest].into_iter().flatten()
    };
    groups.zip(COLOURS.into_iter().cycle()).flat_map(both).collect()
}

/// Path of the ball up to a time, s.
fn path(track: &RunTrack, until: f64) -> Vec<(f64, f64)> {
    let rows = &track.rows[..track.rows.partition_point(|row| row.time <= until)];
    let stride = rows.len().div_ceil(DRAWN).max(1);
    rows.iter().step_by(stride).chain(rows.last()).map(|row| (row.position[0], row.position[1])).collect()
}

/// Time up to which paths are drawn, s.
fn shown_until(comparison: &Comparison) -> f64 {
    let RunTrack { rows, events, event_count, .. } = &comparison.truth.track;
    let flies = rows.last().is_some_and(|row| row.normal_force.is_none());
    // The last event is only known if all events are kept.
    let known = *event_count == events.len() as u64;
    let (true, Some(event)) = (flies && known, events.last()) else { return f64::INFINITY };
    let places: Vec<_> = rows.iter().map(|row| (row.position[0], row.position[1])).collect();
    let last = rows.partition_point(|row| row.time <= event.time).saturating_sub(1);
    rows.get(last_shown(&comparison.scenario.scene, &places, last, event.time)).map_or(f64::INFINITY, |row| row.time)
}

/// Draws the ground and each method's path: of its finest run, and dashed of its coarsest.
pub fn paths_figure(comparison: &Comparison) -> Figure {
    let until = shown_until(comparison);
    let mut drawn = vec![Series::new("reference", GREY, path(&comparison.truth.track, until))];
    let [left, right, low, high] = extent(drawn[0].points.iter().copied());
    // Paths that would cover each other are drawn once.
    let seen = |outcome: &ComparedRun| {
        let apart = differences(comparison, &outcome.track, 1).into_iter().map(|(_, apart)| apart[0]);
        apart.fold(0.0, f64::max) > SEEN * (right - left).max(high - low)
    };
    let mut same = Vec::new();
    for DrawnRun { run, colour, dashed, .. } in ends(comparison) {
        let line = Series::new(run.case.name(), colour, path(&run.track, until));
        match seen(run) {
            true => drawn.push(if dashed { line.drawn(Stroke::Dashed) } else { line }),
            false => same.push(line.name),
        }
    }
    let near = (!same.is_empty()).then(|| format!("as the reference, as far as can be seen: {}", same.join("; ")));
    let note = near.into_iter().chain(same_runs(comparison)).collect::<Vec<_>>().join("; ");
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
        .map(|(i, line)| Series::new(if i == 0 { "ground" } else { "" }, GREY, line).drawn(Stroke::Thin))
        .collect();
    series.extend(drawn);
    ground_chart(&comparison.scenario.title, series, [left, right, low, high]).figure().with_note(&note)
}

/// Draws distances of position and velocity from the reference over time.
pub fn differences_figure(comparison: &Comparison) -> Figure {
    let few = comparison.truth.track.rows.len().div_ceil(DRAWN / 4).max(1);
    let least = least(comparison);
    let panel = |title: &str, y: &str, axis: usize| {
        let curve = |DrawnRun { run, colour, dashed, .. }: DrawnRun| {
            let rows = differences(comparison, &run.track, few).into_iter();
            let points = rows.map(|(row, apart)| (comparison.truth.track.rows[row].time, apart[axis])).collect();
            let line = Series::new(run.case.name(), colour, points).marked(Vec::new());
            if dashed { line.drawn(Stroke::Dashed) } else { line }
        };
        let curves = ends(comparison).into_iter().map(curve).collect();
        Chart::new(title, "time [s]", y, curves).decades(Decades::Y)
    };
    let title = format!("{}: differences from the reference", comparison.scenario.title);
    let rounding = format!("at the bottom: ≤ rounding, {:.0e} m and {:.0e} m/s", least[0], least[1]);
    let note = ["dashed: the coarsest run of a method".to_owned(), rounding].into_iter().chain(same_runs(comparison));
    let both = vec![panel("position", "|Δx| [m]", 0), panel("velocity", "|Δv| [m/s]", 1)];
    panels(&title, &note.collect::<Vec<_>>().join("; "), both)
}

/// Errors of position (m) and velocity (m/s) by rounding, below which differences mean nothing; as in the table.
fn least(comparison: &Comparison) -> [f64; 2] {
    let errors = rounding(&comparison.truth.track, comparison.scenario.solver.duration);
    [Measure::Position, Measure::Velocity].map(|size| errors.of(size).unwrap_or(0.0).max(f64::MIN_POSITIVE))
}

/// Distances of a run from the reference (m and m/s): for each group of `few` rows the index of the first one, and the
/// largest distances, so that no peak is lost.
pub(super) fn differences(comparison: &Comparison, track: &RunTrack, few: usize) -> Vec<(usize, [f64; 2])> {
    let interval = comparison.scenario.interval;
    let least = least(comparison);
    let mut others = comparison.truth.track.rows.iter().enumerate().peekable();
    let mut found: Vec<(usize, [f64; 2])> = Vec::new();
    for row in &track.rows {
        while others.next_if(|(_, other)| other.time < row.time - SAME * interval).is_some() {}
        let Some((index, other)) = others.peek().filter(|(_, other)| same_time(row, other, interval)) else { continue };
        let first = index / few * few;
        // Values below rounding are raised to it, so that the logarithmic line has no gaps.
        let (position, velocity) = apart(row, other);
        let apart = [position.max(least[0]), velocity.max(least[1])];
        match found.last_mut().filter(|(known, _)| *known == first) {
            Some((_, most)) => (0..2).for_each(|i| most[i] = most[i].max(apart[i])),
            None => found.push((first, apart)),
        }
    }
    found
}

/// Draws errors over steps, one diagram per quantity. Points with hollow marks are not in the fit.
pub fn convergence_figure(convergence: &Convergence) -> Figure {
    let of_quantity = convergence.lines.chunk_by(|a, b| a.observable == b.observable);
    let mut alike: Vec<String> = Vec::new();
    // A method has the colour of its paths.
    let ends = ends(&convergence.comparison);
    let colour = |method: &Method| ends.iter().find(|of| of.run.case.method == *method).map_or(GREY, |of| of.colour);
    let points = |line: &Line| line.points.iter().map(|point| (point.step, point.error)).collect::<Vec<_>>();
    let chart = |lines: &[Line]| {
        let mut drawn: Vec<(&Line, &'static str)> = Vec::new();
        for line in lines {
            // A line that would cover another one is only mentioned in the note.
            match drawn.iter().find(|(other, _)| points(line) == points(other)) {
                Some((other, _)) => alike.push(format!("{} as {}", line.method.name(), other.method.name())),
                None => drawn.push((line, colour(&line.method))),
            }
        }
        let curves = drawn.iter().map(|(line, colour)| curve(line, colour)).collect();
        let chart = Chart::new("", "step h [s]", lines[0].observable.label(), curves).decades(Decades::Both);
        Chart { slopes: triangles(&drawn), ..chart }
    };
    let charts = of_quantity.map(chart).collect();
    alike.sort();
    alike.dedup();
    let mut note = "hollow: left out of the fit of the order".to_owned();
    if !alike.is_empty() {
        note += &format!("; the same line: {}", alike.join("; "));
    }
    panels(&convergence.comparison.scenario.title, &note, charts)
}

/// Work–precision diagram: largest errors of position and velocity over evaluations of forces and ground, of each
/// method's complete runs. CPU times are only in the tables, since they differ from call to call.
pub fn work_precision_figure(comparison: &Comparison) -> Figure {
    let groups =
        || comparison.outcomes.chunk_by(|a, b| a.case.method == b.case.method).zip(COLOURS.into_iter().cycle());
    let panel = |title: &str, y: &str, measure: Measure| {
        let curves = groups().map(|(group, colour)| {
            let ended = group.iter().filter(|outcome| outcome.track.stop.is_none());
            let points = ended.filter_map(|outcome| {
                let work = outcome.track.work.forces + outcome.track.work.ground;
                Some((work as f64, outcome.errors.of(measure)?)).filter(|(work, error)| *work > 0.0 && *error > 0.0)
            });
            Series::new(group[0].case.method.name(), colour, points.collect())
        });
        Chart::new(title, "evaluations of forces and ground", y, curves.collect()).decades(Decades::Both)
    };
    panels(
        &format!("{}: work and precision", comparison.scenario.title),
        "largest errors; a method whose flight is exact evaluates nothing there",
        vec![panel("position", "|Δx| [m]", Measure::Position), panel("velocity", "|Δv| [m/s]", Measure::Velocity)],
    )
}

fn curve(line: &Line, colour: &'static str) -> Series {
    let points = |left_out: bool| {
        let of = line.points.iter().filter(move |point| point.left_out.is_some() == left_out);
        of.filter_map(|point| Some((point.step, point.error?))).collect()
    };
    Series::new(line.method.name(), colour, points(false)).marked(points(true))
}

/// Relative distance of a slope triangle below its line, and from other lines.
const BELOW: f64 = 0.35;
const APART: f64 = 1.4;

/// Slope triangles, one per integer order found, as close below a line of this order as there is room.
fn triangles(lines: &[(&Line, &'static str)]) -> Vec<Triangle> {
    let marks = lines.iter().flat_map(|(line, _)| &line.points);
    let marks = marks.filter_map(|point| Some([[point.step, point.error?]; 2]));
    let lines_between =
        lines.iter().flat_map(|(line, _)| fitted(line).windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>());
    let mut taken: Vec<[[f64; 2]; 2]> = marks.chain(lines_between).collect();
    let mut found: Vec<Triangle> = Vec::new();
    let mut orders: Vec<f64> = lines.iter().filter_map(|(line, _)| line.fit?.whole()).collect();
    orders.sort_by(f64::total_cmp);
    orders.dedup();
    for order in orders {
        let of_order = lines.iter().filter(|(line, _)| line.fit.and_then(|fit| fit.whole()) == Some(order));
        let places = of_order.flat_map(|(line, colour)| {
            let fitted = fitted(line);
            // The label needs room to the right of the triangle.
            let pairs = fitted.len().saturating_sub(2).max(1);
            let pairs = fitted.windows(2).take(pairs).map(|pair| (pair[0], pair[1][0] / pair[0][0]));
            pairs.map(|([step, error], reach)| (step, error, reach, *colour)).collect::<Vec<_>>()
        });
        let places: Vec<_> = places.collect();
        let there = (0..40).find_map(|halvings| {
            let triangle = |(step, error, reach, colour): &(f64, f64, f64, &'static str)| Triangle {
                corner: (*step, BELOW * error * 0.5_f64.powi(halvings)),
                reach: *reach,
                order,
                colour,
            };
            places.iter().map(triangle).find(|triangle| !taken.iter().any(|other| meets(triangle, other)))
        });
        if let Some(triangle) = there {
            let [[left, low], [right, high]] = corners(&triangle);
            taken.extend([[[left, low], [right, low]], [[left, low], [right, high]]]);
            found.push(triangle);
        }
    }
    found
}

/// Steps and errors in the fit, from small steps to large.
fn fitted(line: &Line) -> Vec<[f64; 2]> {
    let points = line.points.iter().rev().filter(|point| point.left_out.is_none());
    points.filter_map(|point| Some([point.step, point.error?])).collect()
}

/// Lower left and upper right corner of the triangle with its label.
fn corners(Triangle { corner: (step, error), reach, order, .. }: &Triangle) -> [[f64; 2]; 2] {
    [[*step, *error], [step * reach, error * reach.powf(*order)]]
}

/// Whether a segment of a line, straight in logarithms, meets the box around a triangle.
fn meets(triangle: &Triangle, [[a, first], [b, last]]: &[[f64; 2]; 2]) -> bool {
    let [[left, low], [right, high]] = corners(triangle);
    let (from, to) = (a.max(left / 1.1), b.min(1.1 * right));
    if from > to {
        return false;
    }
    let at = |step: f64| if a < b { first * (last / first).powf((step / a).ln() / (b / a).ln()) } else { *first };
    let (one, other) = (at(from), at(to));
    one.max(other) >= low / APART && one.min(other) <= APART * high
}
