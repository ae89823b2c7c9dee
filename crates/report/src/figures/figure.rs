//! A figure: diagrams below each other or in a grid, in the width of a column or of a page.

use std::sync::OnceLock;

use super::framed_diagram::{INK, LEADING, LEFT, SAMPLE, draw, first_of_names, named, sample};
use super::svg::{Anchor, SMALL, SvgDrawing, TEXT, TITLE, width_of};
use super::{Chart, Series};

/// Printed width of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// Column of a journal, 85 mm.
    Column,
    /// Page of a journal, 175 mm.
    #[default]
    Page,
}

impl Width {
    /// The width, mm.
    pub fn millimetres(self) -> f64 {
        match self {
            Width::Column => 85.0,
            Width::Page => 175.0,
        }
    }

    pub(super) fn points(self) -> f64 {
        self.millimetres() / 25.4 * 72.0
    }
}

/// Layout of the diagrams.
#[derive(Clone, Copy, Debug)]
pub(super) enum FigureLayout {
    /// Below each other, each of this height unless its axes have the same scale.
    Stacked(f64),
    /// In rows of this many diagrams if there is room, below one legend.
    Grid(usize),
}

/// Diagrams below one title.
#[derive(Clone, Debug)]
pub struct Figure {
    pub(super) title: String,
    pub(super) note: String,
    pub(super) charts: Vec<Chart>,
    pub(super) layout: FigureLayout,
    drawn: OnceLock<String>,
}

impl Figure {
    pub(super) fn new(title: &str, note: &str, charts: Vec<Chart>, layout: FigureLayout) -> Self {
        let charts = charts.into_iter().filter(|chart| !chart.is_empty()).collect();
        Figure { title: title.to_owned(), note: note.to_owned(), charts, layout, drawn: OnceLock::new() }
    }

    /// Adds a note: below the diagrams, in a grid below the title.
    pub fn with_note(self, note: &str) -> Self {
        Figure { note: note.to_owned(), drawn: OnceLock::new(), ..self }
    }

    /// The figure as SVG, as wide as a page.
    pub fn svg(&self) -> String {
        self.drawn.get_or_init(|| self.svg_in(Width::Page)).clone()
    }

    /// The figure as SVG, empty if it has nothing to draw. Text has 7 to 9 points.
    pub fn svg_in(&self, width: Width) -> String {
        let width = width.points();
        match self.layout {
            _ if self.charts.is_empty() => String::new(),
            FigureLayout::Stacked(usual) => self.stacked(width, usual),
            FigureLayout::Grid(columns) => self.grid(width, columns),
        }
    }

    fn stacked(&self, whole: f64, usual: f64) -> String {
        let mut drawing = SvgDrawing::default();
        let beside = beside(&self.charts);
        // Names that would take too much of the width stand above the diagram; a diagram with equal scales needs more
        // of the width.
        let part = if self.charts.iter().any(|chart| chart.equal) { 0.25 } else { 0.4 };
        let above = beside > part * whole;
        let keys = keys(&self.charts);
        let width = whole - LEFT - if above { 12.0 + keys } else { beside };
        let mut top = if self.title.is_empty() { 6.0 } else { heading(&mut drawing, &self.title, whole) };
        for (i, chart) in self.charts.iter().enumerate() {
            let Some(axes) = chart.axes() else { continue };
            // Diagrams with the same x axis share it.
            let next = self.charts.get(i + 1).filter(|next| next.x == chart.x).and_then(Chart::axes);
            let shared = next.is_some_and(|next| {
                let ([a, b], [c, d]) = (axes[0].ends(), next[0].ends());
                (a - c).abs() + (b - d).abs() <= 0.02 * (b - a)
            });
            for line in wrapped(&chart.title, TEXT, whole - 12.0) {
                top += 14.0;
                drawing.text(((LEFT + 0.5 * width).max(0.5 * whole), top - 4.5), Anchor::Middle, TEXT, "black", &line);
            }
            let names = chart.names();
            if above && !names.is_empty() {
                top = listed(&mut drawing, &names, whole, top + LEADING) + 6.0;
            }
            let room = if above { 0.0 } else { LEADING * names.len() as f64 };
            let height = chart.height(width, usual).max(room);
            let place = [LEFT, LEFT + width, top, top + height];
            let axes = chart.fitted(axes, [width, height]);
            draw(&mut drawing, chart, axes, place, !shared);
            if !above {
                named(&mut drawing, chart, axes, place);
            }
            top += height + if shared { 8.0 } else { 30.0 };
        }
        for line in wrapped(&self.note, SMALL, whole - 20.0) {
            top += LEADING;
            drawing.text((10.0, top - 4.0), Anchor::Start, SMALL, INK, &line);
        }
        drawing.file([whole, top])
    }

    fn grid(&self, whole: f64, columns: usize) -> String {
        let columns = self.charts.len().min(if whole < Width::Page.points() { 1 } else { columns });
        let cell = whole / columns as f64;
        let mut drawing = SvgDrawing::default();
        let mut top = heading(&mut drawing, &self.title, whole) + 7.0;
        let names = first_of_names(self.charts.iter().flat_map(|chart| &chart.series));
        top = listed(&mut drawing, &names, whole, top);
        for line in wrapped(&self.note, SMALL, whole - 20.0) {
            top += LEADING + 2.0;
            drawing.text((10.0, top), Anchor::Start, SMALL, INK, &line);
        }
        top += 6.0;
        let room = cell - LEFT;
        let usual = 0.68 * whole / columns as f64;
        let height = self.charts.iter().map(|chart| chart.height(room, usual)).fold(0.0, f64::max);
        for (i, chart) in self.charts.iter().enumerate() {
            let (x, y) = (cell * (i % columns) as f64, top + (height + 46.0) * (i / columns) as f64);
            let Some(axes) = chart.axes() else { continue };
            let right = if chart.slopes.is_empty() { 10.0 } else { 14.0 };
            let place = [x + LEFT, x + cell - right, y + 15.0, y + 15.0 + height];
            drawing.text((0.5 * (place[0] + place[1]), y + 10.0), Anchor::Middle, TEXT, "black", &chart.title);
            draw(&mut drawing, chart, axes, place, true);
        }
        drawing.file([whole, top + (height + 46.0) * self.charts.len().div_ceil(columns) as f64])
    }
}

/// Width of names at the right of charts, points.
fn beside(charts: &[Chart]) -> f64 {
    let widest = |chart: &Chart| chart.names().iter().map(|line| width_of(&line.name, TEXT)).fold(0.0, f64::max);
    let names = charts.iter().map(widest).fold(0.0, f64::max);
    let keys = keys(charts);
    if names > 0.0 { 10.0 + SAMPLE + names + keys } else { 12.0 + keys }
}

/// Width of axes of bars and keys of fields, points.
fn keys(charts: &[Chart]) -> f64 {
    charts.iter().map(Chart::keys_room).fold(0.0, f64::max)
}

/// Draws the title in as many lines as it needs; returns the position below it.
fn heading(drawing: &mut SvgDrawing, title: &str, whole: f64) -> f64 {
    let mut top = 2.0;
    for line in wrapped(title, TITLE, whole - 12.0) {
        top += 11.0;
        drawing.text((0.5 * whole, top), Anchor::Middle, TITLE, "black", &line);
    }
    top + 7.0
}

/// Draws names beside each other, from the base line `top` on; returns the last base line.
fn listed(drawing: &mut SvgDrawing, names: &[&Series], whole: f64, mut top: f64) -> f64 {
    let mut left = 10.0;
    for line in names {
        let width = SAMPLE + 14.0 + width_of(&line.name, TEXT);
        if left + width > whole - 6.0 && left > 10.0 {
            (left, top) = (10.0, top + LEADING + 2.0);
        }
        sample(drawing, line, (left, top - 3.0));
        for (i, part) in wrapped(&line.name, TEXT, whole - 20.0 - SAMPLE).iter().enumerate() {
            top += if i > 0 { LEADING } else { 0.0 };
            drawing.text((left + SAMPLE + 4.0, top), Anchor::Start, TEXT, INK, part);
        }
        left += width;
    }
    top
}

/// Breaks a text into lines that fit the width; words longer than a line are broken, too.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let most = ((width / width_of("m", size)) as usize).max(1);
    for word in text.split_whitespace() {
        for part in word.chars().collect::<Vec<_>>().chunks(most) {
            let part: String = part.iter().collect();
            match lines.last_mut() {
                Some(line) if width_of(line, size) + width_of(&part, size) + width_of(" ", size) <= width => {
                    *line += &format!(" {part}");
                }
                _ => lines.push(part),
            }
        }
    }
    lines
}
