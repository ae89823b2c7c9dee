//! `path.svg` and `time.svg` of a run: one ball or many.

use std::cell::OnceCell;

use curves::JointKind;
use nalgebra::Vector2;
use scenario::stepping::{BallEvent, BallLeg, BallSample};
use supervisor::{EventKind, Phase, Sample, Scene};

use super::course::{Course, CoursePlace, since};
use super::{
    BLUE, Chart, Figure, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION, by_phase, carried_points, circle,
    extent, framed_diagram::INK, ground_chart, ground_moved, ground_near, pictures, stack, thinning,
};
use crate::legs::Legs;

/// Number of rows kept of one ball, and of all balls together, but at least 10 of each; at twice this number every
/// second one is dropped.
const KEPT: [usize; 2] = [4000, 80_000];
/// Number of points of dense output kept; beyond it those not visible in figures over time are dropped.
const DENSE: usize = 50_000;
/// Number of points of a parabola in a path.
const PARTS: i32 = 8;
/// Maximum number of points of one ball, and of all balls together, but at least 20 of each, in a figure of an
/// event-driven run of several balls.
const ARCS: [usize; 2] = [8000, 400_000];
/// Maximum number of impulses drawn as bars.
const BARS: usize = 2000;
/// Colours of balls; with more balls than these, all are grey.
const COLOURS: [&str; 6] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, GREY];

/// Motion, energies and impulses of a run, thinned for figures.
#[derive(Clone, Debug, Default)]
pub struct RunTrace {
    balls: Vec<Vec<RunPoint>>,
    /// Whether the run is time stepping, with forces as means between rows.
    steps: bool,
    /// Legs of an event-driven run of several balls, from which they are drawn.
    pub(crate) legs: Option<Legs>,
    /// Path of a single ball from dense output, in an event-driven run.
    course: Option<Course>,
    /// Number of rows received, of which every `stride`-th is kept.
    rows: u64,
    stride: u64,
    /// ∫λ dt of each ball, N s.
    pushes: Vec<f64>,
    /// Number of rows kept of each ball: at twice this number every second one is dropped.
    most: usize,
    /// Time at which the last flight finally leaves the region shown, s; computed on demand, since it needs the extent
    /// of the ground.
    cut: OnceCell<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RunPoint {
    /// Number of the row; `None`: an event between rows.
    row: Option<u64>,
    time: f64,
    phase: Option<Phase>,
    place: (f64, f64),
    velocity: [f64; 2],
    normal_force: f64,
    second_normal_force: f64,
    /// ∫λ dt since the start, N s, for means over points left out.
    sum: f64,
    kinetic: f64,
    potential: f64,
    dissipated: f64,
    /// Work by external forces, wind and moving ground, J.
    work: f64,
    /// Energy added by the scheme, J.
    numerical: f64,
    /// Height of the ground's origin, m.
    carried: f64,
    /// Normal impulse P_n of an event, N s.
    push: f64,
    event: Option<EventKind>,
}

impl RunPoint {
    fn of(scene: &Scene, sample: &Sample) -> Self {
        let (state, energy) = (scene.world(&sample.state), scene.energy(sample.phase, &sample.state));
        RunPoint {
            time: state.time,
            phase: Some(sample.phase),
            place: (state.position.x, state.position.y),
            velocity: state.velocity.into(),
            normal_force: sample.normal_force,
            second_normal_force: sample.second_normal_force,
            kinetic: energy.kinetic,
            potential: energy.potential,
            dissipated: energy.dissipated,
            work: energy.work,
            carried: state.position.y - sample.state.position.y,
            ..RunPoint::default()
        }
    }

    /// Point of a leg, as row number `row`.
    fn between(row: u64, BallLeg { state, phase, forces, .. }: &BallLeg, [kinetic, potential]: [f64; 2]) -> Self {
        RunPoint {
            row: Some(row),
            time: state.time,
            phase: Some(*phase),
            place: (state.position.x, state.position.y),
            velocity: state.velocity.into(),
            normal_force: forces[0],
            kinetic,
            potential,
            dissipated: state.dissipated,
            ..RunPoint::default()
        }
    }
}

impl RunTrace {
    pub(crate) fn new(balls: usize, steps: bool) -> Self {
        let most = (KEPT[1] / balls.max(1)).clamp(10, KEPT[0]);
        RunTrace {
            balls: vec![Vec::new(); balls],
            steps,
            course: (balls == 1 && !steps).then(Course::default),
            stride: 1,
            pushes: vec![0.0; balls],
            most,
            ..RunTrace::default()
        }
    }

    /// Trace of an event-driven run of several balls, drawn from their legs.
    pub(crate) fn by_events(scenes: &[Scene]) -> Self {
        RunTrace { legs: Some(Legs::new(scenes)), ..RunTrace::new(scenes.len(), false) }
    }

    pub(crate) fn add_leg(&mut self, scene: &Scene, leg: &BallLeg) {
        if let Some(legs) = &mut self.legs {
            legs.add(scene, leg);
        }
    }

    /// Finishes the trace: replaces rows by points of all balls at the same times, from their legs, as far as these are
    /// known.
    pub(crate) fn finish(&mut self) {
        let Some(legs) = self.legs.as_ref().filter(|legs| legs.cut().is_none()) else { return };
        let times = legs.times((ARCS[1] / self.balls.len().max(1)).clamp(20, ARCS[0]));
        for (ball, points) in self.balls.iter_mut().enumerate() {
            points.retain(|point| point.row.is_none());
            points.extend(
                legs.at(ball, &times)
                    .iter()
                    .zip(0..)
                    .map(|((told, energies), row)| RunPoint::between(row, told, *energies)),
            );
            sort(points);
        }
    }

    /// Adds a sample of a ball and bounds the number of points; the last ball ends the row.
    pub(crate) fn add(&mut self, scene: &Scene, ball: usize, sample: &Sample, more: Option<&BallSample>) {
        self.pushes[ball] += more.map_or(0.0, |more| more.forces.normal * more.since);
        if self.rows.is_multiple_of(self.stride) {
            let (row, sum) = (Some(self.rows), self.pushes[ball]);
            let numerical = more.map_or(0.0, |more| more.energy.numerical());
            let point = RunPoint { row, sum, numerical, ..RunPoint::of(scene, sample) };
            if let Some(course) = &mut self.course {
                course.add(point.time, sample.phase, point.place);
            }
            self.balls[ball].push(point);
        }
        self.rows += u64::from(ball + 1 == self.balls.len());
        self.thin_out(ball);
    }

    /// Adds the place of an event, a possible corner of the path.
    pub(crate) fn add_event(&mut self, scene: &Scene, BallEvent { ball, event, .. }: &BallEvent) {
        let after = scene.world(&event.after);
        let (time, phase, place) = (after.time, Some(event.phase_before), (after.position.x, after.position.y));
        if let Some(course) = &mut self.course {
            course.add(time, event.phase_before, place);
            course.corner();
        }
        let (push, event) = (event.normal_impulse, Some(event.kind));
        self.balls[*ball].push(RunPoint { time, phase, place, push, event, ..RunPoint::default() });
        self.thin_out(*ball);
    }

    /// Thins dense output to points visible in figures over time; in other runs drops every second event of the ball,
    /// or row of all.
    fn thin_out(&mut self, ball: usize) {
        let points = &mut self.balls[ball];
        if self.course.is_some() {
            if points.len() >= DENSE {
                *points = shown_over_time(points);
            }
            return;
        }
        if points.len() < 2 * self.most {
            return;
        }
        let events = points.iter().filter(|point| point.row.is_none()).count();
        if 2 * events > points.len() {
            let mut event = 0;
            points.retain(|point| {
                event += usize::from(point.row.is_none());
                point.row.is_some() || event % 2 == 0
            });
        } else {
            self.stride *= 2;
            let kept = |point: &RunPoint| point.row.is_none_or(|row| row.is_multiple_of(self.stride));
            self.balls.iter_mut().for_each(|points| points.retain(kept));
        }
    }

    /// Points of a ball at rows.
    fn samples(&self, scenes: &[Scene], ball: usize) -> Vec<RunPoint> {
        let mut samples: Vec<RunPoint> =
            self.shown(scenes, ball).iter().filter(|point| point.row.is_some()).copied().collect();
        let mut last = (0.0, 0.0);
        for point in samples.iter_mut().filter(|_| self.steps) {
            let duration = point.time - last.0;
            point.normal_force = if duration > 0.0 { (point.sum - last.1) / duration } else { 0.0 };
            last = (point.time, point.sum);
        }
        samples
    }

    /// Time from which on [`last_shown`] omits the path, s.
    fn cut(&self, scenes: &[Scene]) -> f64 {
        let cut = || {
            let ([points], [scene]) = (self.balls.as_slice(), scenes) else { return None };
            let last = points.iter().rposition(|point| point.row.is_none())?;
            points.last().filter(|point| point.phase == Some(Phase::Flight))?;
            let places: Vec<_> = points.iter().map(|point| point.place).collect();
            let after = points.get(last_shown(scene, &places, last, points[last].time) + 1)?;
            Some(after.time)
        };
        *self.cut.get_or_init(|| cut().unwrap_or(f64::INFINITY))
    }

    fn shown(&self, scenes: &[Scene], ball: usize) -> &[RunPoint] {
        let (points, cut) = (&self.balls[ball], self.cut(scenes));
        &points[..points.partition_point(|point| point.time < cut)]
    }

    /// The known end of a ball's path, and the time (s) at which it begins.
    fn path(&self, ball: usize) -> (Course, f64) {
        let mut path = Course::default();
        let Some(legs) = &self.legs else {
            let known = self.course.clone().unwrap_or_else(|| {
                let points = self.balls[ball].iter();
                points.for_each(|point| path.add(point.time, point.phase.unwrap_or(Phase::Flight), point.place));
                path
            });
            return (known, f64::NEG_INFINITY);
        };
        let (all, from) = legs.ending(ball);
        for (i, leg) in all.iter().enumerate() {
            let next = all.get(i + 1);
            let to = next.map_or(legs.last, |next| next.time());
            let parts = if leg.told.stepped || leg.told.acceleration == Vector2::zeros() { 1 } else { PARTS };
            for part in 0..=parts {
                let from = leg.time();
                let time = from + (to - from) * f64::from(part) / f64::from(parts);
                let place = leg.place(time, next);
                path.add(time, leg.told.phase, (place.x, place.y));
            }
            path.corner();
        }
        (path, from)
    }

    /// Whether there is anything to draw.
    pub fn is_empty(&self) -> bool {
        self.balls.first().is_none_or(Vec::is_empty)
    }
}

/// Sorts by time; an event follows the row just before it.
fn sort(points: &mut [RunPoint]) {
    let rank = |point: &RunPoint| u8::from(point.row.is_none());
    points.sort_by(|a, b| a.time.total_cmp(&b.time).then(rank(a).cmp(&rank(b))));
}

/// Points visible in figures over time: all peaks of each quantity, and the largest impulses.
fn shown_over_time(points: &[RunPoint]) -> Vec<RunPoint> {
    let (rows, events): (Vec<RunPoint>, Vec<RunPoint>) = points.iter().partition(|point| point.row.is_some());
    let mut kept = thinning::thinned(
        &rows,
        |point| point.time,
        &[
            |point| point.place.1,
            |point| point.velocity[0],
            |point| point.velocity[1],
            |point| point.normal_force,
            |point| point.second_normal_force,
            |point| point.kinetic,
            |point| point.potential,
            |point| point.kinetic + point.potential,
            |point| point.work,
            |point| point.carried,
        ],
    );
    let kind: fn(&RunPoint) -> f64 = |point| point.event.map_or(0.0, |kind| f64::from(kind as u8));
    kept.extend(thinning::thinned(&events, |point| point.time, &[|point| point.push, kind]));
    sort(&mut kept);
    kept
}

/// Index of the last place to be shown. A ball that has left ground with ends and falls without end is shown up to a
/// tenth of the extent of ground and earlier path beyond them. `event` is the index of the last event, at `time` (s).
pub fn last_shown(scene: &Scene, places: &[(f64, f64)], event: usize, time: f64) -> usize {
    let ground = scene.ground.ground();
    let ends = ground.joints().iter().any(|joint| joint.kind == JointKind::End)
        && ground.pieces().iter().all(|piece| piece.domain().is_bounded());
    if !ends {
        return places.len().saturating_sub(1);
    }
    let carried = |piece: usize| scene.carried_piece(piece, time);
    let before = places.iter().take(event + 1).copied();
    let drawn = carried_points(ground, f64::NEG_INFINITY, f64::INFINITY, carried).into_iter().flatten();
    let [left, right, low, high] = extent(before.chain(drawn));
    let margin = (0.1 * (right - left).max(high - low)).max(4.0 * scene.ball.radius());
    let shown =
        |(x, y): (f64, f64)| left - margin <= x && x <= right + margin && low - margin <= y && y <= high + margin;
    // The path may return to the region later.
    places.iter().rposition(|place| shown(*place)).unwrap_or(event)
}

/// Draws ground, paths and balls at the end: one ball coloured by phase, several in a colour each, many in grey.
pub fn path_figure(title: &str, scenes: &[Scene], trace: &RunTrace) -> Figure {
    let (Some(scene), false) = (scenes.first(), trace.is_empty()) else { return stack(title, Vec::new()) };
    let radius = |ball: usize| scenes[ball].ball.radius();
    let largest = (0..scenes.len()).map(radius).fold(0.0, f64::max);
    let paths = extent((0..trace.balls.len()).flat_map(|ball| trace.shown(scenes, ball)).map(|point| point.place));
    let (mut series, shown) = ground_near(scene, paths, largest);
    let paths: Vec<(Course, f64)> = (0..trace.balls.len()).map(|ball| trace.path(ball)).collect();
    let known = paths.iter().map(|(_, from)| *from).fold(f64::NEG_INFINITY, f64::max);
    let whole: Vec<&[CoursePlace]> = paths.iter().map(|(path, _)| path.between(known, trace.cut(scenes))).collect();
    let from = since(&whole, shown).map_or(known, |from| from.max(known));
    let paths: Vec<&[CoursePlace]> = paths.iter().map(|(path, _)| path.between(from, trace.cut(scenes))).collect();
    let late = |note: &str| {
        let begin = paths.iter().flat_map(|path| path.first()).map(|place| place.time).fold(f64::INFINITY, f64::min);
        let end = paths.iter().flat_map(|path| path.last()).map(|place| place.time).fold(f64::NEG_INFINITY, f64::max);
        let left_out = format!("paths from t = {begin:.4} s to {end:.4} s; those before would cover the picture");
        let notes = [note, if from > f64::NEG_INFINITY { &left_out } else { "" }];
        notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join("; ")
    };
    // A ball is only drawn if it is larger than a dot.
    let visible = |ball: usize| radius(ball) > 0.004 * (shown[1] - shown[0]);
    if trace.balls.len() == 1 {
        let points = trace.shown(scenes, 0);
        if scene.moves() {
            let times = points.iter().filter(|point| point.row.is_none()).chain(points.last()).map(|point| point.time);
            series.extend(ground_moved(scene, times, shown));
        }
        if visible(0) {
            series.extend(pictures(paths[0], radius(0)));
        }
        series.extend(by_phase(paths[0]));
        let first = points.partition_point(|point| point.time < from);
        series.extend(changes(&points[first..], shown[1] - shown[0], |point| point.place));
        let note = if visible(0) { "circles: the ball at equal distances of time" } else { "" };
        return ground_chart(title, series, shown).figure().with_note(&late(note));
    }
    let named = scenes.len() <= COLOURS.len();
    for (ball, path) in paths.iter().enumerate() {
        let line = path.iter().map(|place| place.at).collect();
        series.push(match named {
            true => Series::new(format!("ball {}", ball + 1), COLOURS[ball], line),
            false => Series::new("", "#BBBBBB", line).drawn(Stroke::Thin),
        });
    }
    for (ball, points) in trace.balls.iter().enumerate() {
        let colour = COLOURS[ball % COLOURS.len()];
        let shape = |point: &RunPoint| match visible(ball) {
            true => Series::new("", colour, circle(point.place, radius(ball))),
            false => Series::new("", colour, vec![point.place]).drawn(Stroke::Dots),
        };
        series.extend(points.first().filter(|_| named).map(|point| shape(point).drawn(Stroke::Thin)));
        series.extend(
            points.last().map(shape).map(|shape| if visible(ball) { shape.drawn(Stroke::Wide) } else { shape }),
        );
    }
    let note = if named { "thin: the balls at the start; wide: at the end" } else { "marks: the balls at the end" };
    ground_chart(title, series, shown).figure().with_note(&late(note))
}

/// Size of a thumbnail, in tenths of a point.
const SMALL: [f64; 2] = [1600.0, 900.0];
/// Number of points of all paths in a thumbnail.
const STROKES: usize = 600;

/// Thumbnail as SVG: ground (in the colour of the text), paths, and balls at the start.
/// With many balls it shows the beginning of each path, with as many points in all as for one ball.
pub fn thumbnail(scenes: &[Scene], trace: &RunTrace) -> String {
    let Some(scene) = scenes.first() else { return String::new() };
    let paths = (0..trace.balls.len()).map(|ball| trace.path(ball));
    let paths: Vec<Vec<(f64, f64)>> = paths
        .map(|(path, from)| path.between(from, trace.cut(scenes)).iter().map(|place| place.at).collect())
        .collect();
    let radius = scenes.iter().map(|scene| scene.ball.radius()).fold(0.0, f64::max);
    let (ground, [left, right, low, high]) = ground_near(scene, extent(paths.iter().flatten().copied()), radius);
    let scale = (SMALL[0] / (right - left)).min(SMALL[1] / (high - low)).min(1e10);
    let middle = (0.5 * (left + right), 0.5 * (low + high));
    let at = |(x, y): (f64, f64)| [0.5 * SMALL[0] + scale * (x - middle.0), 0.5 * SMALL[1] - scale * (y - middle.1)];
    let line = |points: &[(f64, f64)], count: usize| {
        let near = points.iter().map(|place| at(*place)).filter(|[x, y]| x.abs() < 1e4 && y.abs() < 1e4);
        let mut kept: Vec<[i32; 2]> = near.map(|place| place.map(|x| x.round() as i32)).collect();
        kept.dedup_by(|next, last| (next[0] - last[0]).pow(2) + (next[1] - last[1]).pow(2) < 64);
        kept.truncate(count);
        let (mut path, mut last) = (String::new(), [0; 2]);
        for (i, [x, y]) in kept.into_iter().enumerate() {
            path += &format!("{}{} {}", if i == 0 { "M" } else { "l" }, x - last[0], y - last[1]);
            last = [x, y];
        }
        path
    };
    let ground: String = ground.iter().map(|series| line(&series.points, usize::MAX)).collect();
    let each = STROKES.div_ceil(paths.len().max(1));
    let balls = scenes.iter().zip(&paths).filter_map(|(scene, path)| Some((scene, at(*path.first()?))));
    let balls = balls.map(|(scene, [x, y])| {
        format!(r#"<circle cx="{x:.0}" cy="{y:.0}" r="{:.0}"/>"#, (scene.ball.radius() * scale).max(26.0))
    });
    let balls: String = balls.collect();
    let paths: String = paths.iter().map(|path| line(path, each)).collect();
    format!(
        r##"<svg viewBox="0 0 1600 900" aria-hidden="true" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="{ground}" stroke="currentColor" stroke-width="22"/><path d="{paths}" stroke="{VERMILION}" stroke-width="12"/><g fill="{VERMILION}">{balls}</g></svg>"##
    )
}

/// Marks at the ends of phases, one kind per phase; of marks too close to be told apart only the first. `span`: length
/// of the x axis.
fn changes(points: &[RunPoint], span: f64, place: impl Fn(&RunPoint) -> (f64, f64)) -> Vec<Series> {
    const NEAR: f64 = 0.015;
    let kinds = [EventKind::Landing, EventKind::LiftOff, EventKind::Slip, EventKind::Stick, EventKind::Rest];
    let marks = kinds.into_iter().map(|kind| {
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for at in points.iter().filter(|point| point.event == Some(kind)).map(&place) {
            if kept.last().is_none_or(|last| (at.0 - last.0).hypot(at.1 - last.1) > NEAR * span) {
                kept.push(at);
            }
        }
        Series::new(kind.name(), INK, kept).drawn(Stroke::Hollow)
    });
    marks.filter(|series| !series.points.is_empty()).collect()
}

/// A number over time: one line per ball; for many balls the minimum, mean and maximum.
fn over_time(name: &str, balls: &[Vec<RunPoint>], f: impl Fn(&RunPoint) -> f64) -> Vec<Series> {
    let line = |points: &Vec<RunPoint>| thinning::line(points.iter().map(|p| (p.time, f(p))).collect());
    if let [points] = balls {
        return vec![Series::new(name, BLUE, line(points))];
    }
    if balls.len() <= COLOURS.len() {
        let each = balls.iter().zip(COLOURS).enumerate();
        return each
            .map(|(ball, (points, colour))| Series::new(format!("ball {}", ball + 1), colour, line(points)))
            .collect();
    }
    let all = |of: &dyn Fn(&mut dyn Iterator<Item = f64>) -> f64| {
        let row = |i: usize| of(&mut balls.iter().map(|points| f(&points[i])));
        thinning::line(balls[0].iter().enumerate().map(|(i, point)| (point.time, row(i))).collect())
    };
    vec![
        Series::new("largest, least", GREY, all(&|values| values.fold(f64::NEG_INFINITY, f64::max)))
            .drawn(Stroke::Thin),
        Series::new("mean", BLUE, all(&|values| values.sum::<f64>() / balls.len() as f64)),
        Series::new("", GREY, all(&|values| values.fold(f64::INFINITY, f64::min))).drawn(Stroke::Thin),
    ]
}

/// Energies of all balls together over time.
fn energies(balls: &[Vec<RunPoint>]) -> Vec<Series> {
    let sum = |f: fn(&RunPoint) -> f64| -> Vec<(f64, f64)> {
        let row = |i: usize| balls.iter().map(|points| f(&points[i])).sum();
        thinning::line(balls[0].iter().enumerate().map(|(i, point)| (point.time, row(i))).collect())
    };
    let (kinetic, total) = (sum(|p| p.kinetic), sum(|p| p.kinetic + p.potential));
    let scale = kinetic.iter().chain(&total).fold(0.0, |most: f64, (_, energy)| most.max(energy.abs()));
    let mut energies = vec![
        Series::new("kinetic", BLUE, kinetic),
        Series::new("potential", GREEN, sum(|p| p.potential)),
        Series::new("dissipated", VERMILION, sum(|p| p.dissipated)),
        Series::new("total", GREY, total).drawn(Stroke::Dashed),
    ];
    let put_in = sum(|p| p.work);
    if put_in.iter().any(|(_, energy)| *energy != 0.0) {
        energies.push(Series::new("work put in", ORANGE, put_in));
    }
    let scheme = sum(|p| p.numerical);
    if scheme.iter().any(|(_, energy)| energy.abs() > 1e-3 * scale) {
        energies.push(Series::new("scheme", PURPLE, scheme));
    }
    energies
}

/// Draws height, velocity, normal force and energies over time.
pub fn time_figure(title: &str, scenes: &[Scene], trace: &RunTrace) -> Figure {
    if trace.is_empty() {
        return stack(title, Vec::new());
    }
    let balls: Vec<Vec<RunPoint>> = (0..trace.balls.len()).map(|ball| trace.samples(scenes, ball)).collect();
    let most = |f: fn(&RunPoint) -> [f64; 2]| {
        balls.iter().flatten().flat_map(f).fold(0.0, |most: f64, value| most.max(value.abs()))
    };
    let chart = |y: &str, series, size| Chart { most: most(size), ..Chart::new("", "time [s]", y, series) };
    let one = |name: &str, colour, f: fn(&RunPoint) -> f64| {
        Series::new(name, colour, thinning::line(balls[0].iter().map(|p| (p.time, f(p))).collect()))
    };
    let any = |f: fn(&RunPoint) -> f64| balls[0].iter().any(|point| f(point) != 0.0);
    let mut height = over_time("height", &balls, |p| p.place.1);
    let mut velocity = over_time("speed", &balls, |p| p.velocity[0].hypot(p.velocity[1]));
    let mut forces = over_time("normal force", &balls, |p| p.normal_force);
    if balls.len() == 1 {
        let (first, last) = (balls[0].first(), balls[0].last());
        let span = first.zip(last).map_or(0.0, |(first, last)| last.time - first.time);
        height.extend(changes(trace.shown(scenes, 0), span, |point| (point.time, point.place.1)));
        height.extend(any(|p| p.carried).then(|| one("ground moved by", GREY, |p| p.carried)));
        velocity = vec![one("vertical", BLUE, |p| p.velocity[1])];
        velocity.extend(any(|p| p.velocity[0]).then(|| one("horizontal", VERMILION, |p| p.velocity[0])));
        forces[0].colour = VERMILION;
        let second = any(|p| p.second_normal_force);
        forces.extend(second.then(|| one("second contact", BLUE, |p| p.second_normal_force).drawn(Stroke::Dashed)));
    }
    let mean = if trace.steps { "mean " } else { "" };
    let all = trace.balls.iter().flatten().filter(|point| point.push > 0.0);
    let pushes: Vec<(f64, f64)> = all.map(|point| (point.time, point.push)).collect();
    let pushes = if pushes.len() > BARS && balls.len() > 1 { Vec::new() } else { pushes };
    let forces = chart(&format!("{mean}normal force λ [N]"), forces, |p| [p.normal_force, p.second_normal_force])
        .bars("impulse [N s]", pushes);
    stack(
        title,
        vec![
            chart("height y [m]", height, |p| p.place.into()),
            chart(if balls.len() == 1 { "velocity [m/s]" } else { "speed [m/s]" }, velocity, |p| p.velocity),
            forces,
            chart("energy [J]", energies(&balls), |p| [p.kinetic, p.potential]),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::{KEPT, RunTrace};

    /// A hundred rows of each were kept: of 8000 balls ten times as many as of all together.
    #[test]
    fn rows_of_all_balls_are_bounded() {
        for balls in [1, 20, 1000, 8000] {
            let kept = RunTrace::new(balls, true).most * balls;
            assert!(kept <= KEPT[1] && kept >= KEPT[1].min(KEPT[0] * balls) / 2, "{balls}: {kept}");
        }
    }
}
