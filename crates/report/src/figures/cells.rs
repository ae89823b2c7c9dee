//! Pictures of many rows: cells of a grid, dots, bars; drawn here, because a chart of single marks would have millions of them.

use std::fmt::Write;

use super::svg::{FACE, SMALL, TEXT, TITLE, escaped};
use super::{BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, Width};

/// Pixels of the field: such that the picture, in the width of a page, has text as large as all figures have.
pub const FIELD: [usize; 2] = [760, 480];
const LEFT: f64 = 90.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 64.0;
const SHADES: usize = 24;

/// Colours of numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Shades from pale to dark between two numbers.
    Shades {
        /// Name of the number, with its unit.
        label: String,
        /// The palest.
        low: f64,
        /// The darkest.
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
    /// A grid of columns × rows over the whole field, from its lower left corner, row by row; NaN: nothing there.
    Cells([usize; 2], Vec<f64>),
    /// Dots: x, y, and what its colour stands for.
    Dots(Vec<[f64; 3]>),
    /// Bars of equal width over the whole field.
    Bars(Vec<f64>),
}

/// A picture with its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Above it.
    pub title: String,
    /// Labels of the axes, with their units.
    pub labels: [String; 2],
    /// Left, right, low, high.
    pub extent: [f64; 4],
    /// Whether numbers along x and y are logarithms to base 10.
    pub decades: [bool; 2],
    /// Cells, dots or bars.
    pub marks: Marks,
    /// Colours of their numbers.
    pub scale: Option<Scale>,
}

/// Colours of words; more words than these share the last.
const WORDS: [&str; 7] = [BLUE, ORANGE, GREEN, VERMILION, PURPLE, "#56B4E9", GREY];

impl Picture {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let [width, height] = FIELD.map(|side| side as f64);
        let whole = [width + LEFT + RIGHT, height + TOP + BOTTOM];
        let millimetres = Width::Page.millimetres();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{millimetres:.1}mm\" height=\"{:.1}mm\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"{FACE}\" font-size=\"{:.1}\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n",
            millimetres * whole[1] / whole[0],
            pixels(SMALL),
            w = whole[0],
            h = whole[1]
        );
        // Writing to a string can't fail.
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"26\" text-anchor=\"middle\" font-size=\"{:.1}\">{}</text>\n<g transform=\"translate({LEFT} {TOP})\">\n",
            LEFT + width / 2.0,
            pixels(TITLE),
            escaped(&self.title)
        );
        self.draw(&mut out);
        self.axes(&mut out);
        out += "</g>\n";
        self.legend(&mut out);
        out + "</svg>\n"
    }

    /// Pixels from the upper left corner of the field.
    fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let [left, right, low, high] = self.extent;
        let [width, height] = FIELD.map(|side| side as f64);
        [(x - left) / (right - left) * width, (high - y) / (high - low) * height]
    }

    fn draw(&self, out: &mut String) {
        match &self.marks {
            Marks::Cells([columns, rows], values) => {
                let [width, height] = FIELD.map(|side| side as f64);
                let _ = writeln!(
                    out,
                    "<g shape-rendering=\"crispEdges\" transform=\"translate(0 {height}) scale({} {})\">",
                    width / *columns as f64,
                    -height / *rows as f64
                );
                let shades: Vec<Option<usize>> = values.iter().map(|value| self.shade(*value)).collect();
                for shade in 0..self.shades() {
                    let path = runs(&shades, *columns, shade);
                    if !path.is_empty() {
                        let _ = writeln!(out, "<path fill=\"{}\" d=\"{path}\"/>", self.colour(shade));
                    }
                }
                *out += "</g>\n";
            }
            Marks::Dots(dots) => {
                for [x, y, colour] in dots {
                    let [x, y] = self.place(*x, *y);
                    let shade = self.shade(*colour).map_or_else(|| BLUE.to_owned(), |shade| self.colour(shade));
                    let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.8\" fill=\"{shade}\"/>");
                }
            }
            Marks::Bars(bars) => {
                let each = FIELD[0] as f64 / bars.len() as f64;
                let mut path = String::new();
                for (i, bar) in bars.iter().enumerate().filter(|(_, bar)| **bar > 0.0) {
                    let [_, top] = self.place(0.0, *bar);
                    let _ = write!(
                        path,
                        "M{:.2} {}H{:.2}V{top:.2}H{:.2}Z",
                        i as f64 * each,
                        FIELD[1],
                        (i + 1) as f64 * each,
                        i as f64 * each
                    );
                }
                let _ = writeln!(out, "<path fill=\"{BLUE}\" stroke=\"white\" stroke-width=\"0.5\" d=\"{path}\"/>");
            }
        }
    }

    fn axes(&self, out: &mut String) {
        let ([width, height], [left, right, low, high]) = (FIELD, self.extent);
        let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{GREY}\"/>");
        for tick in ticks(left, right, self.decades[0]) {
            let [x, _] = self.place(tick, low);
            let _ = writeln!(
                out,
                "<path stroke=\"{GREY}\" d=\"M{x:.1} {height}v5\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                height + 20,
                told(tick, self.decades[0])
            );
        }
        for tick in ticks(low, high, self.decades[1]) {
            let [_, y] = self.place(left, tick);
            let _ = writeln!(
                out,
                "<path stroke=\"{GREY}\" d=\"M0 {y:.1}h-5\"/><text x=\"-9\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                y + 4.5,
                told(tick, self.decades[1])
            );
        }
        let [x, y] = self.labels.each_ref().map(|label| escaped(label));
        let _ = writeln!(
            out,
            "<g font-size=\"{:.1}\"><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{x}</text>\n\
             <text transform=\"translate(-70 {}) rotate(-90)\" text-anchor=\"middle\">{y}</text></g>",
            pixels(TEXT),
            width / 2,
            height + 46,
            height / 2
        );
    }

    fn legend(&self, out: &mut String) {
        let x = LEFT + FIELD[0] as f64 + 16.0;
        match &self.scale {
            None => {}
            Some(Scale::Words(words)) => {
                for (i, word) in words.iter().enumerate().take(WORDS.len()) {
                    let (y, colour) = (TOP + 10.0 + 20.0 * i as f64, self.colour(i));
                    let more = if i + 1 == WORDS.len() && words.len() > WORDS.len() { ", …" } else { "" };
                    let _ = writeln!(
                        out,
                        "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
                         <text x=\"{}\" y=\"{}\">{}{more}</text>",
                        y - 6.0,
                        x + 18.0,
                        y + 4.5,
                        escaped(&brief(word))
                    );
                }
            }
            Some(Scale::Shades { label, low, high, decades }) => {
                let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\">{}</text>", TOP + 4.0, escaped(label));
                for shade in 0..SHADES {
                    let y = TOP + 16.0 + 8.0 * (SHADES - 1 - shade) as f64;
                    let colour = self.colour(shade);
                    let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"16\" height=\"8.3\" fill=\"{colour}\"/>");
                }
                for value in ticks(*low, *high, *decades) {
                    let part = if high > low { (high - value) / (high - low) } else { 0.0 };
                    let y = TOP + 16.0 + part * 8.0 * SHADES as f64;
                    let _ =
                        writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 22.0, y + 4.5, told(value, *decades));
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

    /// Words have theirs; shades go from pale yellow through green to dark blue, and grow darker all the way.
    fn colour(&self, shade: usize) -> String {
        if let Some(Scale::Words(_)) = &self.scale {
            return WORDS[shade.min(WORDS.len() - 1)].to_owned();
        }
        const STOPS: [[f64; 3]; 4] =
            [[247.0, 230.0, 140.0], [90.0, 190.0, 130.0], [40.0, 110.0, 160.0], [25.0, 20.0, 75.0]];
        let at = shade as f64 / (SHADES - 1) as f64 * (STOPS.len() - 1) as f64;
        let from = (at as usize).min(STOPS.len() - 2);
        let mixed = |i: usize| STOPS[from][i] + (at - from as f64) * (STOPS[from + 1][i] - STOPS[from][i]);
        format!("#{:02x}{:02x}{:02x}", mixed(0) as u8, mixed(1) as u8, mixed(2) as u8)
    }
}

/// A path of all cells of a shade, those beside each other as one.
fn runs(shades: &[Option<usize>], columns: usize, shade: usize) -> String {
    let mut path = String::new();
    for (row, cells) in shades.chunks(columns.max(1)).enumerate() {
        let mut at = 0;
        while at < cells.len() {
            let end =
                cells[at..].iter().position(|cell| *cell != Some(shade)).map_or(cells.len(), |length| at + length);
            if end > at {
                let _ = write!(path, "M{at} {row}h{}v1h-{}z", end - at, end - at);
            }
            at = end + 1;
        }
    }
    path
}

/// Round numbers between two, some five to ten; of more than two decades whole ones.
fn ticks(low: f64, high: f64, decades: bool) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![low];
    }
    let power = 10.0_f64.powf((span / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|part| part * power).find(|step| span / step <= 9.0);
    let step = step.unwrap_or(10.0 * power).max(if decades && span > 2.0 { 1.0 } else { 0.0 });
    let first = (low / step).ceil();
    (0..20).map(|i| (first + f64::from(i)) * step).take_while(|tick| *tick <= high + 1e-9 * span).collect()
}

/// Beginning of a word, as much as there is room for.
fn brief(word: &str) -> String {
    const ROOM: usize = 17;
    if word.chars().count() <= ROOM { word.to_owned() } else { word.chars().take(ROOM - 1).chain(['…']).collect() }
}

/// A number, or one whose logarithm is given.
fn told(value: f64, decades: bool) -> String {
    short(if decades { 10.0_f64.powf(value) } else { value })
}

/// Four digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    let text = if rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    };
    text.replace('-', "−")
}

/// Pixels of the picture for points of print.
fn pixels(points: f64) -> f64 {
    points * (FIELD[0] as f64 + LEFT + RIGHT) / Width::Page.points()
}
