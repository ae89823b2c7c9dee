//! Diagrams with axes in decades: errors over steps, over cost, over time.

use super::Stroke;
use super::figure::{Figure, Layout};
use super::frame::{Frame, Line};

/// A line with marks.
#[derive(Clone, Debug)]
pub struct Curve {
    /// In the legend; curves of one name share one entry, the empty name has none.
    pub name: String,
    /// Colour of the line.
    pub colour: &'static str,
    /// Points of the line.
    pub points: Vec<(f64, f64)>,
    /// Points that stand apart: hollow marks, no line.
    pub apart: Vec<(f64, f64)>,
    /// Whether points have marks.
    pub marks: bool,
    /// Whether the line is dashed.
    pub dashed: bool,
}

/// A triangle whose slope is an order.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corner of small x, below a curve.
    pub corner: (f64, f64),
    /// Ratio of its right end to its corner.
    pub reach: f64,
    /// Slope of the long side.
    pub order: f64,
    /// Colour of the triangle.
    pub colour: &'static str,
}

/// One diagram. The y axis counts in decades.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Label of the x axis, with its unit.
    pub x: String,
    /// Label of the y axis, with its unit.
    pub y: String,
    /// Lines of the diagram.
    pub curves: Vec<Curve>,
    /// Slopes to compare with.
    pub triangles: Vec<Triangle>,
    /// Whether the x axis counts in decades, too.
    pub decades_x: bool,
}

/// Diagrams side by side, two in a row, below one title, the names of their lines and a note.
pub fn panels(title: &str, note: &str, panels: Vec<Panel>) -> Figure {
    let mut names: Vec<String> = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if !names.contains(&curve.name) {
            names.push(curve.name.clone());
        }
    }
    let frames = panels.into_iter().map(|panel| panel.frame(&names)).collect();
    Figure::new(title, note, frames, Layout::Grid)
}

impl Panel {
    fn frame(self, names: &[String]) -> Frame {
        let lines = self.curves.into_iter().map(|curve| Line {
            marks: (curve.marks || !curve.apart.is_empty())
                .then(|| names.iter().position(|name| *name == curve.name).unwrap_or(0)),
            name: curve.name,
            colour: curve.colour,
            points: curve.points,
            stroke: if curve.dashed { Stroke::Dashed } else { Stroke::Solid },
            dashes: 0,
            apart: curve.apart,
        });
        let slopes = self.triangles.into_iter().map(|triangle| {
            let Triangle { corner: (a, b), reach, order, colour } = triangle;
            ([(a, b), (reach * a, b), (reach * a, b * reach.powf(order))], colour, format!("order {order}"))
        });
        Frame {
            lines: lines.collect(),
            slopes: slopes.collect(),
            title: self.title,
            x: self.x,
            y: self.y,
            bars: None,
            decades: [self.decades_x, true],
            most: 0.0,
            extent: None,
            equal: false,
        }
    }
}
