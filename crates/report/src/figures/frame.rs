//! Framed diagrams, alone, below each other or side by side: all figures.

use super::Stroke;
use super::axis::Axis;
use super::svg::{Anchor, Drawing, SMALL, TEXT, TITLE, width_of};

/// Width of a page's text in journals: 175 mm.
pub(super) const PAGE: f64 = 175.0 / 25.4 * 72.0;
/// What stands left of a frame.
const LEFT: f64 = 48.0;
/// Distance of names at the right.
const LEADING: f64 = 1.25 * TEXT;
const INK: &str = "#222222";

/// A line, or marks.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub name: &'a str,
    pub colour: &'a str,
    pub points: &'a [(f64, f64)],
    pub stroke: Stroke,
    /// Kind of marks on a line.
    pub marks: Option<usize>,
    /// Hollow marks that belong to it.
    pub apart: &'a [(f64, f64)],
}

/// A triangle: corners in the data, colour, text.
pub(super) type Slope<'a> = ([(f64, f64); 3], &'a str, String);

/// One diagram.
#[derive(Clone, Debug)]
pub(super) struct Frame<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    pub lines: Vec<Line<'a>>,
    pub slopes: Vec<Slope<'a>>,
    /// Bars from below with an axis of their own at the right: its label, and their places and sizes.
    pub bars: Option<(&'a str, &'a [(f64, f64)])>,
    pub decades: [bool; 2],
    /// left, right, low, high
    pub extent: Option<[f64; 4]>,
    pub equal: bool,
}

impl Frame<'_> {
    fn shown(&self, (x, y): &(f64, f64)) -> bool {
        let fits = |value: f64, decades: bool| value.is_finite() && (!decades || value > 0.0);
        fits(*x, self.decades[0]) && fits(*y, self.decades[1])
    }

    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.lines.iter().flat_map(|line| line.points.iter().chain(line.apart)).filter(|point| self.shown(point))
    }

    pub fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    fn axes(&self) -> Option<[Axis; 2]> {
        if let Some([left, right, low, high]) = self.extent {
            return Some([Axis::between(left, right), Axis::between(low, high)]);
        }
        let feet = self.slopes.iter().flat_map(|(corners, ..)| corners);
        let room = if self.lines.iter().all(|line| line.stroke == Stroke::Dots) { 0.04 } else { 0.0 };
        let x = Axis::new(self.points().map(|p| p.0), self.decades[0], room)?;
        let y = Axis::new(self.points().map(|p| p.1).chain(feet.map(|p| p.1)), self.decades[1], 0.05)?;
        Some([x, y])
    }

    /// Names of lines in the order they are drawn, each once.
    fn names(&self) -> Vec<&Line<'_>> {
        let mut names: Vec<&Line> = Vec::new();
        for line in self.lines.iter().filter(|line| !line.name.is_empty()) {
            if !names.iter().any(|other| other.name == line.name) {
                names.push(line);
            }
        }
        // The label of the axis names a line that is alone.
        if names.len() > 1 || (self.lines.len() > 1 && !names.is_empty()) { names } else { Vec::new() }
    }

    /// Height of the drawing in a width, points.
    fn height(&self, width: f64, usual: f64) -> f64 {
        match self.extent.filter(|_| self.equal) {
            Some([left, right, low, high]) => (width * (high - low) / (right - left)).clamp(60.0, 620.0),
            None => usual,
        }
    }
}

/// Room for names at the right of some frames.
fn beside(frames: &[&Frame]) -> f64 {
    let widest = |frame: &&Frame| frame.names().iter().map(|line| width_of(line.name, TEXT)).fold(0.0, f64::max);
    let names = frames.iter().map(widest).fold(0.0, f64::max);
    let bars = if frames.iter().any(|frame| frame.bars.is_some()) { 34.0 } else { 0.0 };
    if names > 0.0 { 26.0 + names + bars } else { 12.0 + bars }
}

/// Frames below each other, with names at the right of each.
pub(super) fn stacked(title: &str, frames: &[Frame], usual: f64) -> String {
    let frames: Vec<&Frame> = frames.iter().filter(|frame| !frame.is_empty()).collect();
    if frames.is_empty() {
        return String::new();
    }
    let mut drawing = Drawing::default();
    let right = beside(&frames).min(0.4 * PAGE);
    let width = PAGE - LEFT - right;
    drawing.text((0.5 * PAGE, 13.0), Anchor::Middle, TITLE, "black", title);
    let mut top = if title.is_empty() { 6.0 } else { 20.0 };
    for (i, frame) in frames.iter().enumerate() {
        let Some(axes) = frame.axes() else { continue };
        // One time axis for those that share it.
        let shared = frames.get(i + 1).and_then(|next| next.axes().filter(|_| next.x == frame.x)).is_some_and(|next| {
            let ([a, b], [c, d]) = (axes[0].ends(), next[0].ends());
            (a - c).abs() + (b - d).abs() <= 0.02 * (b - a)
        });
        if !frame.title.is_empty() {
            top += 13.0;
            drawing.text((LEFT + 0.5 * width, top - 3.0), Anchor::Middle, TEXT, "black", frame.title);
        }
        let names = LEADING * frame.names().len() as f64;
        let height = frame.height(width, usual).max(names);
        let place = [LEFT, LEFT + width, top, top + height];
        draw(&mut drawing, frame, axes, place, !shared);
        named(&mut drawing, frame, axes, place);
        top += height + if shared { 8.0 } else { 30.0 };
    }
    drawing.file([PAGE, top])
}

/// Frames side by side, two in a row, below one list of names.
pub(super) fn grid(title: &str, note: &str, frames: &[Frame]) -> String {
    let frames: Vec<&Frame> = frames.iter().filter(|frame| !frame.is_empty()).collect();
    if frames.is_empty() {
        return String::new();
    }
    let columns = frames.len().min(2);
    let cell = PAGE / columns as f64;
    let mut drawing = Drawing::default();
    drawing.text((0.5 * PAGE, 13.0), Anchor::Middle, TITLE, "black", title);
    let mut names: Vec<&Line> = Vec::new();
    for line in frames.iter().flat_map(|frame| &frame.lines) {
        if !line.name.is_empty() && !names.iter().any(|other| other.name == line.name) {
            names.push(line);
        }
    }
    let (mut left, mut top) = (10.0, 27.0);
    for line in names {
        let width = 30.0 + width_of(line.name, TEXT);
        if left + width > PAGE - 6.0 && left > 10.0 {
            (left, top) = (10.0, top + LEADING + 2.0);
        }
        sample(&mut drawing, line, (left, top - 3.0));
        drawing.text((left + 20.0, top), Anchor::Start, TEXT, INK, line.name);
        left += width;
    }
    if !note.is_empty() {
        top += LEADING + 2.0;
        drawing.text((10.0, top), Anchor::Start, SMALL, INK, note);
    }
    top += 6.0;
    let height = if columns == 1 { 250.0 } else { 170.0 };
    for (i, frame) in frames.iter().enumerate() {
        let (x, y) = (cell * (i % columns) as f64, top + (height + 46.0) * (i / columns) as f64);
        let Some(axes) = frame.axes() else { continue };
        let right = if frame.slopes.is_empty() { 10.0 } else { 14.0 };
        let place = [x + LEFT, x + cell - right, y + 15.0, y + 15.0 + height];
        drawing.text((0.5 * (place[0] + place[1]), y + 10.0), Anchor::Middle, TEXT, "black", frame.title);
        draw(&mut drawing, frame, axes, place, true);
    }
    drawing.file([PAGE, top + (height + 46.0) * frames.len().div_ceil(columns) as f64])
}

fn draw(drawing: &mut Drawing, frame: &Frame, axes: [Axis; 2], place: [f64; 4], labelled: bool) {
    let [left, right, top, bottom] = place;
    let [x, y] = [axes[0].on([left, right]), axes[1].on([bottom, top])];
    for (value, text) in x.ticks(((right - left) / 55.0).clamp(2.0, 9.0)) {
        let at = x.at(value);
        drawing.rule([(at, bottom), (at, top)], if text.is_some() { "#dddddd" } else { "#f0f0f0" }, 0.5);
        if let Some(text) = text.filter(|_| labelled) {
            drawing.text((at, bottom + 10.0), Anchor::Middle, SMALL, INK, &text);
        }
    }
    for (value, text) in y.ticks(((bottom - top) / 20.0).clamp(2.0, 9.0)) {
        let at = y.at(value);
        drawing.rule([(left, at), (right, at)], if text.is_some() { "#dddddd" } else { "#f0f0f0" }, 0.5);
        if let Some(text) = text {
            drawing.text((left - 4.0, at + 2.5), Anchor::End, SMALL, INK, &text);
        }
    }
    if labelled {
        drawing.text((0.5 * (left + right), bottom + 21.0), Anchor::Middle, TEXT, "black", frame.x);
    }
    drawing.upright((left - LEFT + 10.0, 0.5 * (top + bottom)), TEXT, "black", frame.y);
    drawing.clipped(place);
    if let Some((_, sizes)) = frame.bars {
        let most = sizes.iter().map(|(_, size)| *size).fold(0.0, f64::max);
        for (at, size) in sizes.iter().filter(|_| most > 0.0) {
            let at = x.at(*at);
            drawing.rule([(at, bottom), (at, bottom - 0.9 * (bottom - top) * size / most)], "#56B4E9", 1.2);
        }
    }
    for line in &frame.lines {
        // A zero has no place among decades: the line has a gap there.
        for run in line.points.split(|point| !frame.shown(point)) {
            let run: Vec<(f64, f64)> = run.iter().map(|(a, b)| (x.at(*a), y.at(*b))).collect();
            stroke(drawing, line, &run);
        }
        let kind = line.marks.unwrap_or(0);
        let at = |(a, b): &(f64, f64)| (x.at(*a), y.at(*b));
        if line.marks.is_some() && line.stroke != Stroke::Dots {
            line.points.iter().filter(|p| frame.shown(p)).for_each(|p| drawing.mark(at(p), kind, line.colour, false));
        }
        line.apart.iter().filter(|p| frame.shown(p)).for_each(|p| drawing.mark(at(p), kind, line.colour, true));
    }
    for (corners, colour, text) in &frame.slopes {
        if corners.iter().all(|(a, b)| x.shows(*a) && y.shows(*b)) {
            let corners = corners.map(|(a, b)| (x.at(a), y.at(b)));
            drawing.polygon(&corners, colour);
            let beside = (corners[1].0 + 3.0, 0.5 * (corners[1].1 + corners[2].1) + 2.5);
            drawing.text(beside, Anchor::Start, SMALL, colour, text);
        }
    }
    drawing.unclipped();
    drawing.frame(place);
    if let Some((label, sizes)) = frame.bars {
        let most = sizes.iter().map(|(_, size)| *size).fold(0.0, f64::max);
        if most > 0.0 {
            let axis = Axis::between(0.0, most).on([bottom, bottom - 0.9 * (bottom - top)]);
            for (value, text) in axis.ticks(3.0) {
                drawing.text(
                    (right + 3.0, axis.at(value) + 2.5),
                    Anchor::Start,
                    SMALL,
                    "#0072B2",
                    &text.unwrap_or_default(),
                );
            }
            drawing.upright((right + 30.0, 0.5 * (top + bottom)), SMALL, "#0072B2", label);
        }
    }
}

fn stroke(drawing: &mut Drawing, line: &Line, run: &[(f64, f64)]) {
    match line.stroke {
        Stroke::Solid => drawing.line(run, line.colour, 1.1, ""),
        Stroke::Thin => drawing.line(run, line.colour, 0.5, ""),
        Stroke::Dashed => drawing.line(run, line.colour, 1.1, "4 3"),
        Stroke::Dots => run.iter().for_each(|at| drawing.mark(*at, line.marks.unwrap_or(0), line.colour, false)),
        Stroke::Specks => drawing.specks(run, line.colour, 0.7),
    }
}

/// What a line looks like.
fn sample(drawing: &mut Drawing, line: &Line, (x, y): (f64, f64)) {
    match line.stroke {
        Stroke::Dots | Stroke::Specks => stroke(drawing, line, &[(x + 8.0, y)]),
        _ => stroke(drawing, line, &[(x, y), (x + 16.0, y)]),
    }
    if let Some(kind) = line.marks.filter(|_| line.stroke != Stroke::Dots) {
        drawing.mark((x + 8.0, y), kind, line.colour, false);
    }
}

/// Names at the right, each as near as can be to where its line ends.
fn named(drawing: &mut Drawing, frame: &Frame, axes: [Axis; 2], [_, right, top, bottom]: [f64; 4]) {
    let y = axes[1].on([bottom, top]);
    let names = frame.names();
    let end = |line: &&Line| {
        line.points.iter().rev().find(|p| frame.shown(p)).map_or(bottom, |p| y.at(p.1).clamp(top, bottom))
    };
    let mut wanted: Vec<(f64, &&Line)> = names.iter().map(|line| (end(line), line)).collect();
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
    let left = right + if frame.bars.is_some() { 38.0 } else { 6.0 };
    for ((_, line), at) in wanted.iter().zip(places) {
        sample(drawing, line, (left, at));
        drawing.text((left + 20.0, at + 2.8), Anchor::Start, TEXT, INK, line.name);
    }
}
