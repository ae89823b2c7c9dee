//! Figures with axes in decades: errors over steps, over cost, over time. [`figures`](crate::figures) draws all else.

use std::fmt::Write;

use crate::figures::GREY;

const WIDTH: f64 = 900.0;
const TEXT: &str = "font-family=\"DejaVu Sans, Liberation Sans, Arial, sans-serif\"";
/// Mean width of a character of the legend, pixels.
const CHARACTER: f64 = 7.6;

/// A line with marks.
#[derive(Clone, Debug)]
pub struct Curve {
    /// In the legend; curves of one name share one entry, the empty name has none.
    pub name: String,
    /// Its colour.
    pub colour: &'static str,
    /// Its points.
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
    /// Its corner of small x, below a curve.
    pub corner: (f64, f64),
    /// Ratio of its right end to its corner.
    pub reach: f64,
    /// Its slope.
    pub order: f64,
    /// Its colour.
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
    /// What is drawn.
    pub curves: Vec<Curve>,
    /// Slopes to compare with.
    pub triangles: Vec<Triangle>,
    /// Whether the x axis counts in decades, too.
    pub decades_x: bool,
}

/// An axis from data to pixels.
struct Axis {
    low: f64,
    high: f64,
    decades: bool,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, decades: bool, [from, to]: [f64; 2]) -> Option<Self> {
        let usable = values.filter(|value| value.is_finite() && (!decades || *value > 0.0));
        let seen = usable.map(|value| if decades { value.log10() } else { value });
        let (low, high) = seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        if !(low <= high) {
            return None;
        }
        let margin = if decades { (0.05 * (high - low)).max(0.15) } else { 0.0 };
        let (low, high) =
            if high - low > 1e-9 || decades { (low - margin, high + margin) } else { (low - 0.5, high + 0.5) };
        Some(Axis { low, high, decades, from, to })
    }

    fn pixel(&self, value: f64) -> f64 {
        let value = if self.decades { value.log10() } else { value };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn shows(&self, value: f64) -> bool {
        let value = if self.decades { value.log10() } else { value };
        (self.low - 1e-9..=self.high + 1e-9).contains(&value)
    }

    /// Places of ticks, and the text of those that have one.
    fn ticks(&self) -> Vec<(f64, Option<String>)> {
        if !self.decades {
            return self.plain_ticks();
        }
        let span = self.high - self.low;
        let every = (span / 9.0).ceil().max(1.0) as i32;
        let mut ticks = Vec::new();
        for exponent in self.low.floor() as i32..=self.high.ceil() as i32 {
            let decade = 10f64.powi(exponent);
            for digit in 1..=9 {
                let value = f64::from(digit) * decade;
                let text = match digit {
                    1 if exponent.rem_euclid(every) == 0 => Some(power(exponent)),
                    2 | 5 if span < 1.7 => Some(format!("{digit}·{}", power(exponent))),
                    _ => None,
                };
                if self.shows(value) && (digit == 1 || span < 4.5) {
                    ticks.push((value, text));
                }
            }
        }
        ticks
    }

    fn plain_ticks(&self) -> Vec<(f64, Option<String>)> {
        let rough = (self.high - self.low) / 6.0;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * decade).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let ticks = (self.low / step).ceil() as i64..=(self.high / step + 1e-9).floor() as i64;
        ticks.map(|i| (i as f64 * step, Some(format!("{:.decimals$}", i as f64 * step + 0.0)))).collect()
    }
}

/// 10 to this power, as one writes it.
fn power(exponent: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Diagrams side by side, two in a row, below one title and one legend.
pub fn panels(title: &str, panels: &[Panel]) -> String {
    let panels: Vec<&Panel> = panels.iter().filter(|panel| panel.drawable()).collect();
    if panels.is_empty() {
        return String::new();
    }
    let columns = panels.len().min(2);
    let cell = [WIDTH / columns as f64, if columns == 1 { 500.0 } else { 390.0 }];
    let mut names: Vec<(&str, &Curve)> = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if !curve.name.is_empty() && !names.iter().any(|(name, _)| *name == curve.name) {
            names.push((&curve.name, curve));
        }
    }
    let mut body = String::new();
    let mut top = 52.0;
    let mut left = 24.0;
    for (name, curve) in names {
        let width = 46.0 + CHARACTER * name.chars().count() as f64;
        if left + width > WIDTH - 10.0 {
            (left, top) = (24.0, top + 20.0);
        }
        let y = top - 4.0;
        line(&mut body, curve, (left, y), (left + 26.0, y), 2.0);
        if curve.marks {
            mark(&mut body, (left + 13.0, y), curve.colour, false);
        }
        label(&mut body, (left + 32.0, top), "start", 13, GREY, name);
        left += width;
    }
    top += 12.0;
    for (i, panel) in panels.iter().enumerate() {
        let corner = [cell[0] * (i % columns) as f64, top + cell[1] * (i / columns) as f64];
        panel.draw(&mut body, corner, cell);
    }
    let height = top + cell[1] * panels.len().div_ceil(columns) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    label(&mut svg, (0.5 * WIDTH, 26.0), "middle", 17, "black", title);
    svg.push_str(&body);
    svg.push_str("</svg>\n");
    svg
}

impl Panel {
    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.apart)).filter(|point| self.shown(point))
    }

    fn shown(&self, (x, y): &(f64, f64)) -> bool {
        x.is_finite() && y.is_finite() && *y > 0.0 && (*x > 0.0 || !self.decades_x)
    }

    fn drawable(&self) -> bool {
        self.points().next().is_some()
    }

    fn draw(&self, out: &mut String, [x0, y0]: [f64; 2], [width, height]: [f64; 2]) {
        let (left, right) = (x0 + 78.0, x0 + width - 18.0);
        let (top, bottom) = (y0 + 30.0, y0 + height - 52.0);
        let foot = self.triangles.iter().map(|triangle| triangle.corner);
        let x = Axis::new(self.points().map(|p| p.0), self.decades_x, [left, right]);
        let y = Axis::new(self.points().map(|p| p.1).chain(foot.map(|p| p.1)), true, [bottom, top]);
        let (Some(x), Some(y)) = (x, y) else { return };
        for (value, text) in x.ticks() {
            let at = x.pixel(value);
            let strong = text.is_some();
            rule(out, (at, bottom), (at, top), if strong { "#dddddd" } else { "#f2f2f2" });
            if let Some(text) = text {
                label(out, (at, bottom + 18.0), "middle", 13, "black", &text);
            }
        }
        for (value, text) in y.ticks() {
            let at = y.pixel(value);
            let strong = text.is_some();
            rule(out, (left, at), (right, at), if strong { "#dddddd" } else { "#f2f2f2" });
            if let Some(text) = text {
                label(out, (left - 7.0, at + 4.5), "end", 13, "black", &text);
            }
        }
        let _ = writeln!(
            out,
            "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"none\" stroke=\"black\"/>",
            right - left,
            bottom - top
        );
        label(out, (0.5 * (left + right), top - 10.0), "middle", 15, "black", &self.title);
        label(out, (0.5 * (left + right), bottom + 40.0), "middle", 14, "black", &self.x);
        let (at, middle) = (x0 + 20.0, 0.5 * (top + bottom));
        let _ = writeln!(
            out,
            "<text x=\"{at:.2}\" y=\"{middle:.2}\" {TEXT} font-size=\"14\" text-anchor=\"middle\" \
             transform=\"rotate(-90 {at:.2} {middle:.2})\">{}</text>",
            escaped(&self.y)
        );
        for curve in &self.curves {
            // A zero has no place among decades: the line has a gap there.
            for run in curve.points.split(|point| !self.shown(point)) {
                path(out, curve, run.iter().map(|(a, b)| (x.pixel(*a), y.pixel(*b))));
            }
            let pixel = |(a, b): &(f64, f64)| (x.pixel(*a), y.pixel(*b));
            if curve.marks {
                curve.points.iter().filter(|p| self.shown(p)).for_each(|p| mark(out, pixel(p), curve.colour, false));
            }
            curve.apart.iter().filter(|p| self.shown(p)).for_each(|p| mark(out, pixel(p), curve.colour, true));
        }
        for triangle in &self.triangles {
            triangle.draw(out, &x, &y);
        }
    }
}

impl Triangle {
    fn draw(&self, out: &mut String, x: &Axis, y: &Axis) {
        let (a, b) = self.corner;
        let corners = [(a, b), (self.reach * a, b), (self.reach * a, b * self.reach.powf(self.order))];
        if !corners.iter().all(|(a, b)| x.shows(*a) && y.shows(*b)) {
            return;
        }
        let pixels = corners.map(|(a, b)| (x.pixel(a), y.pixel(b)));
        let points = pixels.map(|(a, b)| format!("{a:.2},{b:.2}")).join(" ");
        let _ = writeln!(
            out,
            "<polygon points=\"{points}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>",
            self.colour
        );
        let beside = (pixels[1].0 + 5.0, 0.5 * (pixels[1].1 + pixels[2].1) + 4.5);
        label(out, beside, "start", 13, self.colour, &format!("{}", self.order));
    }
}

fn label(out: &mut String, (x, y): (f64, f64), anchor: &str, size: u32, colour: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(
        out,
        "<text x=\"{x:.2}\" y=\"{y:.2}\" {TEXT} font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

fn rule(out: &mut String, a: (f64, f64), b: (f64, f64), colour: &str) {
    let ((x1, y1), (x2, y2)) = (a, b);
    let _ = writeln!(out, "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{colour}\"/>");
}

fn dashes(curve: &Curve) -> &'static str {
    if curve.dashed { " stroke-dasharray=\"6 4\"" } else { "" }
}

fn line(out: &mut String, curve: &Curve, (x1, y1): (f64, f64), (x2, y2): (f64, f64), width: f64) {
    let (colour, dashes) = (curve.colour, dashes(curve));
    let _ = writeln!(
        out,
        "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
    );
}

fn path(out: &mut String, curve: &Curve, points: impl Iterator<Item = (f64, f64)>) {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
    if points.len() > 1 {
        let (colour, dashes, points) = (curve.colour, dashes(curve), points.join(" "));
        let _ = writeln!(
            out,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes}/>"
        );
    }
}

fn mark(out: &mut String, (x, y): (f64, f64), colour: &str, hollow: bool) {
    let fill = if hollow { "white" } else { colour };
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
    );
}
