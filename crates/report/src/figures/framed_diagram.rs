//! Draws a framed diagram: axes, lines, marks, and the names of its lines.

use super::axis::Axis;
use super::field::Field;
use super::svg::{Anchor, SMALL, SvgDrawing, TEXT, width_of};
use super::{Chart, Series, Stroke, Triangle};

/// Width left of a frame, for the numbers and label of its axis, points.
pub(super) const LEFT: f64 = 48.0;
/// Distance between names at the right, points.
pub(super) const LEADING: f64 = 1.25 * TEXT;
/// Height of a row, points.
const ROW: f64 = 1.8 * TEXT;
/// Length of the sample line beside a name: one period of the longest dashes, points.
pub(super) const SAMPLE: f64 = 20.0;
pub(super) const INK: &str = "#222222";

/// Dashes and gaps (points) that distinguish lines without colours.
pub(super) const DASHES: [&str; 6] = ["", "7 2", "1.5 2", "7 2 1.5 2", "3.5 1.5", "7 2 1.5 2 1.5 2"];
/// Number of points above which a line has marks only at some, and their distance in points.
const FEW: usize = 40;
const APART: f64 = 45.0;
/// Distance between numbers of an axis, points.
const APART_TEXT: f64 = 12.0;
/// Radius of a mark, points.
const MARK: f64 = 4.0;
/// Height of the highest bar, as a part of the frame.
const BARS: f64 = 0.9;

impl Chart {
    fn shown(&self, (x, y): &(f64, f64)) -> bool {
        let fits = |value: f64, decades: bool| value.is_finite() && (!decades || value > 0.0);
        let [along, upwards] = self.decades.axes();
        fits(*x, along) && fits(*y, upwards)
    }

    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.series.iter().flat_map(|line| line.points.iter().chain(&line.apart)).filter(|point| self.shown(point))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.field.is_none() && self.points().next().is_none()
    }

    pub(super) fn axes(&self) -> Option<[Axis; 2]> {
        let decades = self.decades.axes();
        if let Some([left, right, low, high]) = self.extent {
            let axis = |ends: [f64; 2], decades: bool| {
                let [low, high] = if decades { ends.map(f64::log10) } else { ends };
                Axis::between(low, high).in_decades(decades)
            };
            return Some([axis([left, right], decades[0]), axis([low, high], decades[1])]);
        }
        let feet = self.slopes.iter().flat_map(Triangle::corners);
        let room = if self.series.iter().all(|line| line.stroke == Stroke::Dots) { 0.04 } else { 0.0 };
        // Bars start at zero; without lines the axis is that of the bars.
        let zero = self.bars.iter().flat_map(|_| [0.0, if self.is_bare() { self.highest_bar() / BARS } else { 0.0 }]);
        let x = Axis::new(self.points().map(|p| p.0), decades[0], room, 0.0)?;
        let y =
            Axis::new(self.points().map(|p| p.1).chain(feet.map(|p| p.1)).chain(zero), decades[1], 0.05, self.most)?;
        Some([x, y])
    }

    /// Whether lines are rows above each other with names instead of numbers: the axis has no label.
    fn is_of_rows(&self) -> bool {
        self.upwards().is_empty()
    }

    /// Whether there are only bars: all lines are zero.
    fn is_bare(&self) -> bool {
        self.bars.is_some() && self.points().all(|p| p.1 == 0.0)
    }

    /// The lines to draw.
    pub(super) fn drawn(&self) -> &[Series] {
        if self.is_bare() { &[] } else { &self.series }
    }

    /// Label of the y axis.
    pub(super) fn upwards(&self) -> &str {
        self.bars.as_ref().filter(|_| self.is_bare()).map_or(&self.y, |(label, _)| label)
    }

    /// Names of lines in the order they are drawn, each once.
    pub(super) fn names(&self) -> Vec<&Series> {
        let names = first_of_names(self.drawn());
        // A single line is named by the label of the axis.
        if names.len() > 1 || (self.series.len() > 1 && !names.is_empty()) { names } else { Vec::new() }
    }

    /// Ticks of the axis of bars: position and text.
    fn bar_ticks(&self) -> Vec<(f64, String)> {
        let most = self.highest_bar();
        let ticks = if most > 0.0 { Axis::between(0.0, most).ticks(4.0) } else { Vec::new() };
        ticks.into_iter().map(|(value, text)| (value / most, text.unwrap_or_default())).collect()
    }

    fn highest_bar(&self) -> f64 {
        self.bars.iter().flat_map(|(_, sizes)| sizes).map(|(_, size)| *size).fold(0.0, f64::max)
    }

    /// Room at the right for the axis of bars, points.
    pub(super) fn bars_room(&self) -> f64 {
        let texts = self.bar_ticks().into_iter().map(|(_, text)| width_of(&text, SMALL));
        if self.bars.is_some() && !self.is_bare() { texts.fold(0.0, f64::max) + 18.0 } else { 0.0 }
    }

    /// Room at the right for the axis of bars and the key of the field, points.
    pub(super) fn keys_room(&self) -> f64 {
        self.bars_room() + self.field.as_ref().map_or(0.0, Field::room)
    }

    /// Height of the diagram for a width, points: at least that of its axis' label.
    pub(super) fn height(&self, width: f64, usual: f64) -> f64 {
        match self.extent.filter(|_| self.equal) {
            Some([left, right, low, high]) => (width * (high - low) / (right - left)).clamp(60.0, 620.0),
            None if self.is_of_rows() => ROW * self.names().len() as f64,
            None => usual.max(width_of(self.upwards(), TEXT)),
        }
    }

    /// Axes of a diagram with equal scales, extended to fill this size.
    pub(super) fn fitted(&self, axes: [Axis; 2], [width, height]: [f64; 2]) -> [Axis; 2] {
        let Some([left, right, low, high]) = self.extent.filter(|_| self.equal) else { return axes };
        let metre = (width / (right - left)).min(height / (high - low));
        let wider = |a: f64, b: f64, size: f64| {
            let (middle, half) = (0.5 * (a + b), 0.5 * size / metre);
            Axis::between(middle - half, middle + half)
        };
        [wider(left, right, width), wider(low, high, height)]
    }
}

/// The lines with a name, of each name the first.
pub(super) fn first_of_names<'a>(lines: impl IntoIterator<Item = &'a Series>) -> Vec<&'a Series> {
    let mut names: Vec<&Series> = Vec::new();
    for line in lines {
        if !line.name.is_empty() && !names.iter().any(|other| other.name == line.name) {
            names.push(line);
        }
    }
    names
}

/// Ticks, as many as fit beside each other.
fn roomy(axis: &Axis, length: f64) -> Vec<(f64, Option<String>)> {
    let wide = |ticks: &Vec<(f64, Option<String>)>| {
        ticks.iter().flat_map(|(_, text)| text).map(|text| width_of(text, SMALL) + APART_TEXT).sum::<f64>() <= length
    };
    (4..=9).rev().map(|most| axis.ticks(f64::from(most))).find(wide).unwrap_or_else(|| axis.ticks(3.0))
}

/// Draws ticks and labels of the axes; those of the x axis if it is `labelled`.
fn draw_axes(drawing: &mut SvgDrawing, chart: &Chart, [x, y]: [&Axis; 2], place: [f64; 4], labelled: bool) {
    let [left, right, top, bottom] = place;
    let words = chart.words.iter().enumerate().map(|(i, word)| ((i + 1) as f64, Some(word.clone())));
    let across = if chart.words.is_empty() { roomy(x, right - left) } else { words.collect() };
    for (value, text) in across {
        let at = x.at(value);
        drawing.rule([(at, bottom), (at, top)], if text.is_some() { "#dddddd" } else { "#f0f0f0" }, 0.5);
        if let Some(text) = text.filter(|_| labelled) {
            drawing.text((at, bottom + 10.0), Anchor::Middle, SMALL, INK, &text);
        }
    }
    let upwards = if chart.is_of_rows() { Vec::new() } else { y.ticks(((bottom - top) / 20.0).clamp(3.5, 9.0)) };
    for (value, text) in upwards {
        let at = y.at(value);
        drawing.rule([(left, at), (right, at)], if text.is_some() { "#dddddd" } else { "#f0f0f0" }, 0.5);
        if let Some(text) = text {
            drawing.text((left - 4.0, at + 2.5), Anchor::End, SMALL, INK, &text);
        }
    }
    if labelled {
        drawing.text((0.5 * (left + right), bottom + 21.0), Anchor::Middle, TEXT, "black", &chart.x);
    }
    drawing.upright((left - LEFT + 10.0, 0.5 * (top + bottom)), TEXT, "black", chart.upwards());
}

pub(super) fn draw(drawing: &mut SvgDrawing, chart: &Chart, axes: [Axis; 2], place: [f64; 4], labelled: bool) {
    let [left, right, top, bottom] = place;
    let [x, y] = [axes[0].on([left, right]), axes[1].on([bottom, top])];
    draw_axes(drawing, chart, [&x, &y], place, labelled);
    // The frame lies behind marks at its edge.
    drawing.frame(place);
    drawing.clipped(place);
    if let Some(field) = &chart.field {
        field.draw(drawing, [&x, &y], place);
    }
    let (foot, most) = (y.at(0.0).clamp(top, bottom), chart.highest_bar());
    let bare = chart.is_bare();
    let bar = |part: f64| if bare { y.at(most * part) } else { foot - BARS * (foot - top) * part };
    for (at, size) in chart.bars.iter().flat_map(|(_, sizes)| sizes).filter(|_| most > 0.0) {
        let at = x.at(*at);
        drawing.rule([(at, foot), (at, bar(size / most))], "#56B4E9", 1.2);
    }
    // Marks with their middle in the chart are drawn completely.
    let around = [left - MARK, right + MARK, top - MARK, bottom + MARK];
    let mut clip = place;
    let mut within = |drawing: &mut SvgDrawing, wanted: [f64; 4]| {
        if clip != wanted {
            drawing.unclipped();
            drawing.clipped(wanted);
            clip = wanted;
        }
    };
    for line in chart.drawn() {
        let inside = |point: &(f64, f64)| chart.shown(point) && x.shows(point.0) && y.shows(point.1);
        let dots = matches!(line.stroke, Stroke::Dots | Stroke::Hollow | Stroke::Specks | Stroke::Crosses);
        within(drawing, if dots { around } else { place });
        // Zeros have no logarithm: the line has a gap there.
        for run in line.points.split(|point| if dots { !inside(point) } else { !chart.shown(point) }) {
            let run: Vec<(f64, f64)> = run.iter().map(|(a, b)| (x.at(*a), y.at(*b))).collect();
            stroke(drawing, line, &run);
        }
        within(drawing, around);
        let kind = line.marks.unwrap_or(0);
        let at = |(a, b): &(f64, f64)| (x.at(*a), y.at(*b));
        if line.marks.is_some() && !matches!(line.stroke, Stroke::Dots | Stroke::Hollow) {
            draw_marks(drawing, line, line.points.iter().filter(|p| inside(p)).map(at));
        }
        line.apart.iter().filter(|p| inside(p)).for_each(|p| drawing.mark(at(p), kind, line.colour, true));
    }
    within(drawing, place);
    for triangle in &chart.slopes {
        let (corners, colour) = (triangle.corners(), triangle.colour);
        if corners.iter().all(|(a, b)| x.shows(*a) && y.shows(*b)) {
            let corners = corners.map(|(a, b)| (x.at(a), y.at(b)));
            drawing.polygon(&corners, colour);
            let beside = (corners[1].0 + 3.0, 0.5 * (corners[1].1 + corners[2].1) + 2.5);
            drawing.text(beside, Anchor::Start, SMALL, colour, &format!("order {}", triangle.order));
        }
    }
    drawing.unclipped();
    if let Some((label, _)) = chart.bars.as_ref().filter(|_| most > 0.0 && !bare) {
        for (part, text) in chart.bar_ticks() {
            drawing.text((right + 3.0, bar(part) + 2.5), Anchor::Start, SMALL, "#0072B2", &text);
        }
        drawing.upright((right + chart.bars_room() - 4.0, 0.5 * (top + bottom)), SMALL, "#0072B2", label);
    }
}

/// Draws marks along a line, spaced if it has many points; marks of coinciding lines are staggered.
fn draw_marks(drawing: &mut SvgDrawing, line: &Series, places: impl Iterator<Item = (f64, f64)>) {
    let kind = line.marks.unwrap_or(0);
    let apart = if line.points.len() > FEW { APART } else { 0.0 };
    let (mut way, mut last) = (apart * (0.7 - 0.25 * (kind % 3) as f64), None::<(f64, f64)>);
    for place in places {
        way += last.map_or(0.0, |last| (place.0 - last.0).hypot(place.1 - last.1));
        last = Some(place);
        if way >= apart {
            drawing.mark(place, kind, line.colour, false);
            way = 0.0;
        }
    }
}

fn stroke(drawing: &mut SvgDrawing, line: &Series, run: &[(f64, f64)]) {
    // The fewer the marks, the larger they are.
    let size = (600.0 / run.len().max(1) as f64).sqrt().clamp(1.0, 1.8);
    match line.stroke {
        Stroke::Solid => drawing.line(run, line.colour, 1.1, DASHES[line.dashes % DASHES.len()]),
        Stroke::Wide => drawing.line(run, line.colour, 2.2, ""),
        Stroke::Thin => drawing.line(run, line.colour, 0.5, ""),
        Stroke::Dashed => drawing.line(run, line.colour, 1.1, "4 3"),
        Stroke::Dots => run.iter().for_each(|at| drawing.mark(*at, line.marks.unwrap_or(0), line.colour, false)),
        Stroke::Hollow => run.iter().for_each(|at| drawing.mark(*at, line.marks.unwrap_or(0), line.colour, true)),
        Stroke::Specks => drawing.specks(run, line.colour, 0.7 * size),
        Stroke::Crosses => drawing.crosses(run, line.colour, 1.3 * size),
    }
}

/// Draws a sample of a line for the key.
pub(super) fn sample(drawing: &mut SvgDrawing, line: &Series, left: (f64, f64)) {
    let middle = (left.0 + 0.5 * SAMPLE, left.1);
    match line.stroke {
        Stroke::Dots | Stroke::Specks | Stroke::Crosses | Stroke::Hollow => stroke(drawing, line, &[middle]),
        _ => stroke(drawing, line, &[left, (left.0 + SAMPLE, left.1)]),
    }
    if let Some(kind) = line.marks.filter(|_| !matches!(line.stroke, Stroke::Dots | Stroke::Hollow)) {
        drawing.mark(middle, kind, line.colour, false);
    }
}

/// Draws names at the right, each as close as possible to the end of its line; in diagrams of places in the order of
/// drawing.
pub(super) fn named(drawing: &mut SvgDrawing, chart: &Chart, axes: [Axis; 2], [_, right, top, bottom]: [f64; 4]) {
    if let Some(field) = &chart.field {
        field.key(drawing, [right + 8.0, top]);
    }
    let y = axes[1].on([bottom, top]);
    let names = chart.names();
    let end = |line: &&Series| {
        if chart.extent.is_some() {
            return top;
        }
        line.points.iter().rev().find(|p| chart.shown(p)).map_or(bottom, |p| y.at(p.1).clamp(top, bottom))
    };
    let mut wanted: Vec<(f64, &&Series)> = names.iter().map(|line| (end(line), line)).collect();
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * LEADING;
    let mut places: Vec<f64> = Vec::new();
    for (at, _) in &wanted {
        let least = places.last().map_or(top + half, |last| last + LEADING);
        places.push(at.max(least));
    }
    let mut most = bottom - half;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - LEADING;
    }
    let left = right + 6.0 + chart.keys_room();
    for ((_, line), at) in wanted.iter().zip(places) {
        // Names of rows need no sample line.
        let beside = if chart.is_of_rows() { 0.0 } else { SAMPLE + 4.0 };
        if beside > 0.0 {
            sample(drawing, line, (left, at));
        }
        drawing.text((left + beside, at + 2.8), Anchor::Start, TEXT, INK, &line.name);
    }
}
