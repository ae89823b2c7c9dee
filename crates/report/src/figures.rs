//! Figures: `path.svg` and `time.svg` of a run, and the plain line charts of experiments.

mod axis;
mod course;
mod field;
mod figure;
mod files;
mod framed_diagram;
mod ground;
mod runs;
mod svg;
mod thinning;

use course::CoursePlace;
use curves::{Joint, JointKind};
use figure::FigureLayout;
use supervisor::{Phase, Scene};

pub use field::{Field, MOST_CELLS, Marks, Scale};
pub use figure::{Figure, Width};
pub use files::{Form, Undrawn};
use ground::carried_points;
pub use ground::ground_points;
pub use runs::{RunTrace, last_shown, path_figure, thumbnail, time_figure};
pub(crate) use svg::escaped;

/// Colours that print and that the colour-blind tell apart (Okabe & Ito).
pub const BLUE: &str = "#0072B2";
/// See [`BLUE`].
pub const VERMILION: &str = "#D55E00";
/// See [`BLUE`].
pub const GREEN: &str = "#009E73";
/// See [`BLUE`].
pub const PURPLE: &str = "#CC79A7";
/// See [`BLUE`].
pub const ORANGE: &str = "#E69F00";
/// Colour of the ground and of other background.
pub const GREY: &str = "#555555";

/// Colour of a phase in figures, and the ANSI code of the nearest one in the terminal.
pub(crate) fn phase_colours(phase: Phase) -> [&'static str; 2] {
    match phase {
        Phase::Flight => [BLUE, "34"],
        Phase::Sliding => [PURPLE, "35"],
        Phase::Rolling => [VERMILION, "31"],
        Phase::Resting => [GREEN, "32"],
        Phase::Compressed => [ORANGE, "33"],
    }
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name in the legend; empty: none.
    pub name: String,
    /// Colour of the line.
    pub colour: &'static str,
    /// Points of the line.
    pub points: Vec<(f64, f64)>,
    /// Style of drawing.
    pub stroke: Stroke,
    /// Kind of marks on a line: at each point, or at some of many; `None`: no marks.
    pub marks: Option<usize>,
    /// Points drawn as hollow marks without a line.
    pub apart: Vec<(f64, f64)>,
    /// Kind of dashes of a solid line.
    dashes: usize,
}

/// Style in which a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A line.
    Solid,
    /// A thin line behind the others.
    Thin,
    /// A dashed line.
    Dashed,
    /// A dot at each point.
    Dots,
    /// A small dot at each of many points.
    Specks,
    /// A small cross at each of many points.
    Crosses,
    /// A wide line.
    Wide,
    /// A hollow mark at each point.
    Hollow,
}

impl Series {
    /// A solid line.
    pub fn new(name: impl Into<String>, colour: &'static str, points: Vec<(f64, f64)>) -> Self {
        Series { name: name.into(), colour, points, stroke: Stroke::Solid, marks: None, apart: Vec::new(), dashes: 0 }
    }
    /// Adds marks at its points, and hollow marks at the points `apart`.
    pub fn marked(self, apart: Vec<(f64, f64)>) -> Self {
        Series { marks: Some(0), apart, ..self }
    }
    /// Draws it in another style.
    pub fn drawn(self, stroke: Stroke) -> Self {
        Series { stroke, ..self }
    }
}

/// Choice of logarithmic axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decades {
    /// None.
    #[default]
    None,
    /// The x axis.
    X,
    /// The y axis.
    Y,
    /// Both.
    Both,
}

impl Decades {
    /// Whether the x axis and the y axis are logarithmic.
    pub(super) fn axes(self) -> [bool; 2] {
        [matches!(self, Decades::X | Decades::Both), matches!(self, Decades::Y | Decades::Both)]
    }
}

/// From whether the x axis and the y axis are logarithmic.
impl From<[bool; 2]> for Decades {
    fn from(axes: [bool; 2]) -> Self {
        match axes {
            [false, false] => Decades::None,
            [true, false] => Decades::X,
            [false, true] => Decades::Y,
            [true, true] => Decades::Both,
        }
    }
}

/// A slope triangle that shows an order.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corner of small x, below a curve.
    pub corner: (f64, f64),
    /// Ratio of the right end's x to the corner's.
    pub reach: f64,
    /// Slope of the long side.
    pub order: f64,
    /// Colour of the triangle.
    pub colour: &'static str,
}

impl Triangle {
    /// Its corners: left, right, and above the right one.
    pub fn corners(&self) -> [(f64, f64); 3] {
        let Triangle { corner: (a, b), reach, order, .. } = *self;
        [(a, b), (reach * a, b), (reach * a, b * reach.powf(order))]
    }
}

/// A chart of lines.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// Label of the x axis, with its unit.
    pub x: String,
    /// Label of the y axis, with its unit.
    pub y: String,
    /// Lines of the chart.
    pub series: Vec<Series>,
    /// Words that replace the numbers 1, 2, … along x.
    pub words: Vec<String>,
    /// Logarithmic axes.
    pub decades: Decades,
    /// Greatest magnitude in the unit of the y axis, in this chart or those beside it: differences within its rounding
    /// are not shown.
    pub most: f64,
    /// The box to show: left, right, low, high.
    pub extent: Option<[f64; 4]>,
    /// Whether both axes have the same scale.
    pub equal: bool,
    /// Bars from below with their own axis at the right: its label, and x and size of each.
    pub bars: Option<(String, Vec<(f64, f64)>)>,
    /// Slope triangles.
    pub slopes: Vec<Triangle>,
    /// Cells, dots or bars behind the lines.
    pub field: Option<Field>,
}

impl Chart {
    /// A chart with linear axes.
    pub fn new(title: &str, x: &str, y: &str, series: Vec<Series>) -> Self {
        Chart { title: title.into(), x: x.into(), y: y.into(), series, ..Chart::default() }
    }

    /// Adds bars, if there are any, with an axis of this label at the right.
    pub fn bars(self, label: &str, sizes: Vec<(f64, f64)>) -> Self {
        let bars = Some((label.to_owned(), sizes)).filter(|(_, sizes)| !sizes.is_empty());
        Chart { bars, ..self }
    }

    /// Sets the logarithmic axes.
    pub fn decades(self, decades: Decades) -> Self {
        Chart { decades, ..self }
    }

    /// Gives both axes the same scale, unless the box (left, right, low, high) would be too narrow; then the title says
    /// so.
    fn equal_if_readable(self, [left, right, low, high]: [f64; 4]) -> Self {
        let aspect = (right - left) / (high - low);
        let equal = (1.0 / 3.0..=12.0).contains(&aspect);
        let title = if equal { self.title } else { format!("{} (axes not to one scale)", self.title) };
        Chart { title, extent: Some([left, right, low, high]), equal, ..self }
    }

    /// Makes lines distinguishable without colours: by dashes, or by marks if lines of one colour differ by dashes
    /// already.
    fn told_apart(mut self) -> Self {
        let (mut solid, mut marked): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
        for series in &self.series {
            match series.stroke {
                Stroke::Solid if series.colour != GREY && !solid.contains(&series.colour) => solid.push(series.colour),
                Stroke::Dots | Stroke::Hollow if !marked.contains(&series.name) => marked.push(series.name.clone()),
                _ => {}
            }
        }
        let taken = self.series.iter().any(|other| other.stroke == Stroke::Dashed && solid.contains(&other.colour));
        for series in &mut self.series {
            if series.marks.is_some() {
                continue;
            }
            let kind = solid.iter().position(|other| *other == series.colour).unwrap_or(0);
            (series.marks, series.dashes) = match series.stroke {
                Stroke::Dots | Stroke::Hollow => (marked.iter().position(|other| *other == series.name), 0),
                Stroke::Solid | Stroke::Dashed if taken => ((kind > 0).then_some(kind), 0),
                Stroke::Solid => (None, kind),
                _ => (None, 0),
            };
        }
        self
    }

    /// The chart as a figure.
    pub fn figure(self) -> Figure {
        Figure::new("", "", vec![self.told_apart()], FigureLayout::Stacked(230.0))
    }

    /// The chart as SVG, as wide as a page.
    pub fn svg(self) -> String {
        self.figure().svg()
    }
}

/// Charts below each other as one figure.
pub fn stack(title: &str, charts: Vec<Chart>) -> Figure {
    Figure::new(title, "", charts.into_iter().map(Chart::told_apart).collect(), FigureLayout::Stacked(125.0))
}

/// Charts side by side, two per row, below one title, legend and note; lines of one name have the same marks.
pub fn panels(title: &str, note: &str, mut charts: Vec<Chart>) -> Figure {
    let mut names: Vec<String> = Vec::new();
    for series in charts.iter_mut().flat_map(|chart| &mut chart.series) {
        let known = names.iter().position(|name| *name == series.name);
        let kind = known.unwrap_or_else(|| {
            names.push(series.name.clone());
            names.len() - 1
        });
        series.marks = series.marks.map(|_| kind);
    }
    Figure::new(title, note, charts, FigureLayout::Grid(2))
}

/// Many small charts, four per row, below one title.
pub fn multiples(title: &str, charts: Vec<Chart>) -> Figure {
    Figure::new(title, "", charts, FigureLayout::Grid(4))
}

fn circle(centre: (f64, f64), radius: f64) -> Vec<(f64, f64)> {
    let at = |i: i32| f64::from(i).to_radians().sin_cos();
    (0..=360).step_by(5).map(at).map(|(sine, cosine)| (centre.0 + radius * cosine, centre.1 + radius * sine)).collect()
}

/// Number of pictures of the ball along its path.
const SHOTS: usize = 40;

/// Circles of the ball at equal time intervals.
fn pictures(places: &[CoursePlace], radius: f64) -> impl Iterator<Item = Series> {
    let (first, last) = (places.first().map_or(0.0, |p| p.time), places.last().map_or(0.0, |p| p.time));
    let time = move |i: usize| first + (last - first) * i as f64 / (SHOTS - 1) as f64;
    let at = move |t: f64| {
        let next = places.partition_point(|place| place.time < t);
        let CoursePlace { time: to, at: b, .. } = *places.get(next)?;
        let CoursePlace { time: from, at: a, .. } = places[next.saturating_sub(1)];
        let part = if to > from { (t - from) / (to - from) } else { 1.0 };
        Some((a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1)))
    };
    (0..SHOTS)
        .filter_map(move |i| at(time(i)))
        .map(move |place| Series::new("", GREY, circle(place, radius)).drawn(Stroke::Thin))
}

fn by_phase(points: &[CoursePlace]) -> Vec<Series> {
    let mut series = Vec::new();
    let mut named = Vec::new();
    let mut end = 0;
    for run in points.chunk_by(|a, b| a.phase == b.phase) {
        let phase = run[0].phase;
        let name = if named.contains(&phase) { "" } else { phase.name() };
        named.push(phase);
        // Includes the first point of the next phase, so that the path has no gaps.
        end += run.len();
        let line = run.iter().chain(points.get(end)).map(|place| place.at).collect();
        let line = Series::new(name, phase_colours(phase)[0], line);
        // Phases also differ by strokes, for print without colours.
        series.push(match phase {
            Phase::Flight => line,
            Phase::Sliding | Phase::Compressed => line.drawn(Stroke::Dashed),
            Phase::Rolling | Phase::Resting => line.drawn(Stroke::Wide),
        });
    }
    series
}

/// Left, right, low and high end of all finite coordinates.
pub fn extent(points: impl IntoIterator<Item = (f64, f64)>) -> [f64; 4] {
    let wider = |[low, high]: [f64; 2], value: f64| {
        if value.is_finite() { [low.min(value), high.max(value)] } else { [low, high] }
    };
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    let ([left, right], [low, high]) =
        points.into_iter().fold((nothing, nothing), |(xs, ys), (x, y)| (wider(xs, x), wider(ys, y)));
    [left, right, low, high]
}

/// Free space around paths of balls, m.
pub fn margin([left, right, low, high]: [f64; 4], radius: f64) -> f64 {
    let margin = (0.03 * (right - left).max(high - low)).max(2.0 * radius);
    if margin > 0.0 { margin } else { 1.0 }
}

/// Largest distance of an end of the ground from the paths at which it is shown, as a part of the paths' size.
const ENDS: f64 = 0.25;

/// Bounding box of paths and of the ground's ends near them, at t = 0.
fn with_ends(scene: &Scene, paths: [f64; 4]) -> [f64; 4] {
    let [left, right, low, high] = paths;
    let reach = ENDS * (right - left).max(high - low);
    let end = |joint: &Joint| {
        let piece = joint.before.or(joint.after).filter(|_| joint.kind == JointKind::End)?;
        let [dx, dy] = scene.carried_piece(piece, 0.0);
        Some((joint.point.x + dx, joint.point.y + dy))
    };
    let near =
        |(x, y): &(f64, f64)| left - reach <= *x && *x <= right + reach && low - reach <= *y && *y <= high + reach;
    let ends = scene.ground.ground().joints().iter().filter_map(end).filter(near);
    extent([(left, low), (right, high)].into_iter().chain(ends))
}

/// Lines of the ground near paths at t = 0, and the box that shows both.
fn ground_near(scene: &Scene, paths: [f64; 4], radius: f64) -> (Vec<Series>, [f64; 4]) {
    let (margin, [left, right, low, high]) = (margin(paths, radius), with_ends(scene, paths));
    let (left, right) = (left - margin, right + margin);
    let name = if scene.moves() { "ground at t = 0" } else { "ground" };
    // The frame of a high box is wider than the box: the ground is drawn across it.
    let more = (0.5 * (high - low - (right - left))).max(0.0) + margin;
    let carried = |piece: usize| scene.carried_piece(piece, 0.0);
    let lines = carried_points(scene.ground.ground(), left - more, right + more, carried);
    // Only ground near the path is shown.
    let near = low - 2.0 * margin;
    let inside = |(x, y): &&(f64, f64)| left <= *x && *x <= right && *y >= near;
    let low = lines.iter().flatten().filter(inside).map(|(_, y)| *y).fold(low, f64::min) - margin;
    let named = |(i, line)| Series::new(if i == 0 { name } else { "" }, GREY, line);
    (lines.into_iter().enumerate().map(named).collect(), [left, right, low, high + margin])
}

/// Lines of the moved ground at some of these times (s), in a box; positions too close to ones already drawn are left
/// out.
fn ground_moved(scene: &Scene, times: impl Iterator<Item = f64>, [left, right, ..]: [f64; 4]) -> Vec<Series> {
    const APART: f64 = 0.03;
    const MOST: usize = 6;
    let ground = scene.ground.ground();
    let firsts: Vec<usize> = (0..ground.curves()).map(|curve| ground.pieces_of(curve).start).collect();
    let at = |time: f64| -> Vec<[f64; 2]> { firsts.iter().map(|piece| scene.carried_piece(*piece, time)).collect() };
    let apart = |a: &[[f64; 2]], b: &[[f64; 2]]| {
        let ways = a.iter().zip(b).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        ways.fold(0.0, f64::max) > APART * (right - left)
    };
    let mut drawn = vec![at(0.0)];
    for time in times {
        let now = at(time);
        if drawn.len() <= MOST && drawn.iter().all(|known| apart(known, &now)) {
            drawn.push(now);
        }
    }
    let lines = |places: &[[f64; 2]]| carried_points(ground, left, right, |piece| places[ground.curve_of(piece)]);
    let still = lines(&drawn[0]);
    let moved = drawn[1..].iter().flat_map(|places| lines(places)).filter(|line| !still.contains(line));
    let named = |(i, line)| Series::new(if i == 0 { "ground at events" } else { "" }, GREY, line).drawn(Stroke::Dashed);
    moved.enumerate().map(named).collect()
}

/// A chart of places, with equal scales if that is readable.
pub fn ground_chart(title: &str, series: Vec<Series>, extent: [f64; 4]) -> Chart {
    Chart::new(title, "x [m]", "y [m]", series).equal_if_readable(extent)
}
