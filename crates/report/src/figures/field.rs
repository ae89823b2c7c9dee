//! [`Field`]: cells of a grid, dots or bars in a chart, for data of many rows.

use std::fmt::Write;

use super::axis::Axis;
use super::svg::{Anchor, SMALL, SvgDrawing, width_of};
use super::{BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION};
use crate::terminal::cut;

/// Maximum number of cells of a grid along x and y: the resolution of print.
pub const MOST_CELLS: [usize; 2] = [570, 360];
const SHADES: usize = 24;
/// Height and width of a shade in the key, and distance of a number from it, points.
const SHADE: [f64; 3] = [4.5, 9.0, 12.0];
/// Distance of words in the key, points.
const WORD: f64 = 11.0;
/// Maximum number of letters of a word in the key.
const LETTERS: usize = 17;

/// Colours of numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Shades from light to dark between two numbers.
    Shades {
        /// Name of the number, with its unit.
        label: String,
        /// Number of the lightest shade.
        low: f64,
        /// Number of the darkest shade.
        high: f64,
        /// Whether the numbers are logarithms to base 10.
        decades: bool,
    },
    /// A colour for each word, whose index is the number.
    Words(Vec<String>),
}

/// Cells, dots or bars.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// A grid of columns × rows over the whole field, row by row from the lower left corner; NaN: an empty cell.
    Cells([usize; 2], Vec<f64>),
    /// Dots: x, y and the number shown by the colour.
    Dots(Vec<[f64; 3]>),
    /// Bars of equal width over the whole field.
    Bars(Vec<f64>),
}

/// Marks with the colours of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Cells, dots or bars.
    pub marks: Marks,
    /// Colours of their numbers; none: one colour.
    pub scale: Option<Scale>,
}

/// Colours of words; further words share the last one.
const WORDS: [&str; 11] =
    [BLUE, ORANGE, GREEN, VERMILION, PURPLE, "#56B4E9", "#332288", "#882255", "#999933", "#44AA99", GREY];

impl Field {
    /// Draws the marks into a rectangle: left, right, top, bottom.
    pub(super) fn draw(&self, drawing: &mut SvgDrawing, [x, y]: [&Axis; 2], place: [f64; 4]) {
        let [left, right, top, bottom] = place;
        match &self.marks {
            Marks::Cells([columns, rows], values) => {
                let shades: Vec<Option<usize>> = values.iter().map(|value| self.shade(*value)).collect();
                let size = [(right - left) / *columns as f64, (bottom - top) / *rows as f64];
                let path = |shade| (self.colour(shade), runs(&shades, *columns, shade));
                drawing.cells([left, bottom], size, (0..self.shades()).map(path).filter(|(_, path)| !path.is_empty()));
            }
            Marks::Dots(dots) => {
                for [across, up, colour] in dots {
                    let shade = self.shade(*colour).map_or_else(|| BLUE.to_owned(), |shade| self.colour(shade));
                    drawing.dot((x.at(*across), y.at(*up)), 1.2, &shade);
                }
            }
            Marks::Bars(bars) => {
                let each = (right - left) / bars.len() as f64;
                let gap = (0.06 * each).min(1.0);
                for (i, bar) in bars.iter().enumerate().filter(|(_, bar)| **bar > 0.0) {
                    let [from, to] = [i, i + 1].map(|i| left + i as f64 * each);
                    drawing.block([from + gap, to - gap, y.at(*bar), bottom], BLUE);
                }
            }
        }
    }

    /// Room at the right for the key, points.
    pub(super) fn room(&self) -> f64 {
        match &self.scale {
            None => 0.0,
            Some(Scale::Words(words)) => {
                let widest = words.iter().map(|word| width_of(&cut(word, LETTERS), SMALL)).fold(0.0, f64::max);
                widest + SHADE[1] + 14.0
            }
            Some(Scale::Shades { label, .. }) => width_of(label, SMALL).max(60.0) + 10.0,
        }
    }

    /// Draws the key, from its upper left corner.
    pub(super) fn key(&self, drawing: &mut SvgDrawing, [left, top]: [f64; 2]) {
        match &self.scale {
            None => {}
            Some(Scale::Words(words)) => {
                for (i, word) in words.iter().enumerate().take(WORDS.len()) {
                    let y = top + WORD * i as f64;
                    let more = if i + 1 == WORDS.len() && words.len() > WORDS.len() { ", …" } else { "" };
                    drawing.block([left, left + 7.0, y, y + 7.0], &self.colour(i));
                    let text = format!("{}{more}", cut(word, LETTERS));
                    drawing.text((left + 11.0, y + 6.2), Anchor::Start, SMALL, "black", &text);
                }
            }
            Some(Scale::Shades { label, low, high, decades }) => {
                drawing.text((left, top + 5.0), Anchor::Start, SMALL, "black", label);
                let [height, width, text] = SHADE;
                let (top, whole) = (top + 12.0, height * SHADES as f64);
                for shade in 0..SHADES {
                    let y = top + height * (SHADES - 1 - shade) as f64;
                    drawing.block([left, left + width, y, y + height + 0.15], &self.colour(shade));
                }
                // A single number is in the middle of the key.
                let half = if high > low { 0.0 } else { 0.01 * low.abs().max(1.0) };
                let axis = Axis::between(low - half, high + half).in_decades(*decades).on([top + whole, top]);
                let one = || vec![(if *decades { 10f64.powf(*low) } else { *low }, Some(format!("{low}")))];
                for (value, number) in if half == 0.0 { axis.ticks(6.0) } else { one() } {
                    let number = number.unwrap_or_default();
                    drawing.text((left + text, axis.at(value) + 2.5), Anchor::Start, SMALL, "black", &number);
                }
            }
        }
    }

    fn shades(&self) -> usize {
        if let Some(Scale::Words(words)) = &self.scale { words.len().clamp(1, WORDS.len()) } else { SHADES }
    }

    fn shade(&self, value: f64) -> Option<usize> {
        if value.is_nan() {
            return None;
        }
        Some(match &self.scale {
            Some(Scale::Words(_)) => (value as usize).min(WORDS.len() - 1),
            Some(Scale::Shades { low, high, .. }) if high > low => {
                (((value - low) / (high - low) * SHADES as f64) as usize).min(SHADES - 1)
            }
            _ => SHADES - 1,
        })
    }

    /// Colour of a word or shade; shades darken from amber, visible on white, through green to dark blue.
    fn colour(&self, shade: usize) -> String {
        if let Some(Scale::Words(_)) = &self.scale {
            return WORDS[shade.min(WORDS.len() - 1)].to_owned();
        }
        const STOPS: [[f64; 3]; 4] =
            [[226.0, 176.0, 60.0], [70.0, 165.0, 120.0], [40.0, 105.0, 160.0], [25.0, 20.0, 75.0]];
        let at = shade as f64 / (SHADES - 1) as f64 * (STOPS.len() - 1) as f64;
        let from = (at as usize).min(STOPS.len() - 2);
        let mixed = |i: usize| STOPS[from][i] + (at - from as f64) * (STOPS[from + 1][i] - STOPS[from][i]);
        format!("#{:02x}{:02x}{:02x}", mixed(0) as u8, mixed(1) as u8, mixed(2) as u8)
    }
}

/// SVG path of all cells of a shade; neighbouring cells are joined.
fn runs(shades: &[Option<usize>], columns: usize, shade: usize) -> String {
    let mut path = String::new();
    for (row, cells) in shades.chunks(columns.max(1)).enumerate() {
        let mut at = 0;
        for run in cells.chunk_by(|a, b| a == b) {
            if run[0] == Some(shade) {
                // Writing to a string can't fail.
                let _ = write!(path, "M{at} {row}h{length}v1h-{length}z", length = run.len());
            }
            at += run.len();
        }
    }
    path
}
