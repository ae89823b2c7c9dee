//! Parts of a drawing as SVG. Units are points of print: 72 of them are an inch.

use std::fmt::Write;

/// The faces that a browser or a printer has one of.
pub(super) const FACE: &str = "DejaVu Sans, Liberation Sans, Arial, sans-serif";
/// Mean width of a character by its height, of these faces.
const CHARACTER: f64 = 0.64;
/// Deviation that can't be seen, points.
const UNSEEN: f64 = 0.06;

/// Sizes of text, points.
pub(super) const TEXT: f64 = 8.0;
pub(super) const SMALL: f64 = 7.0;
pub(super) const TITLE: f64 = 9.0;

#[derive(Default)]
pub(super) struct Drawing {
    body: String,
}

pub(super) fn width_of(text: &str, size: f64) -> f64 {
    CHARACTER * size * text.chars().count() as f64
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// End or middle of a text that is at its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    /// The drawing as a file of this size, points.
    pub fn file(&self, [width, height]: [f64; 2]) -> String {
        let millimetres = |points: f64| points * 25.4 / 72.0;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.1}mm\" height=\"{:.1}mm\" viewBox=\"0 0 {width:.1} {height:.1}\" \
             font-family=\"{FACE}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
            millimetres(width),
            millimetres(height),
            self.body
        )
    }

    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, colour: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{text}</text>",
            at.0, at.1
        );
    }

    /// Text that is read from below.
    pub fn upright(&mut self, at: (f64, f64), size: f64, colour: &str, text: &str) {
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text transform=\"translate({:.1} {:.1}) rotate(-90)\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"middle\">{text}</text>",
            at.0, at.1
        );
    }

    pub fn rule(&mut self, [(x1, y1), (x2, y2)]: [(f64, f64); 2], colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<path d=\"M{x1:.2} {y1:.2}L{x2:.2} {y2:.2}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        );
    }

    /// A frame, and what is drawn into it until [`unclipped`](Self::unclipped).
    pub fn clipped(&mut self, [left, right, top, bottom]: [f64; 4]) {
        let [width, height] = [right - left, bottom - top];
        // Nested drawings clip what leaves them, and need no names.
        let _ = writeln!(
            self.body,
            "<svg x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\">"
        );
    }

    pub fn unclipped(&mut self) {
        self.body.push_str("</svg>\n");
    }

    pub fn frame(&mut self, [left, right, top, bottom]: [f64; 4]) {
        let [width, height] = [right - left, bottom - top];
        let _ = writeln!(
            self.body,
            "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"none\" stroke=\"#222\" stroke-width=\"0.6\"/>"
        );
    }

    /// A line with round joins, without points that can't be told from it.
    pub fn line(&mut self, points: &[(f64, f64)], colour: &str, width: f64, dash: &str) {
        if points.len() < 2 {
            return;
        }
        let dashes = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        self.body.push_str("<path d=\"");
        for (i, (x, y)) in simplified(points).into_iter().enumerate() {
            let _ = write!(self.body, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(
            self.body,
            "\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dashes}/>"
        );
    }

    pub fn polygon(&mut self, points: &[(f64, f64)], colour: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let points = points.join(" ");
        let _ = writeln!(
            self.body,
            "<polygon points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.8\" stroke-linejoin=\"round\"/>"
        );
    }

    /// Dots of many points: each place once.
    pub fn specks(&mut self, points: &[(f64, f64)], colour: &str, radius: f64) {
        let mut cells: Vec<(i64, i64)> =
            points.iter().map(|(x, y)| ((x / (0.3 * radius)) as i64, (y / (0.3 * radius)) as i64)).collect();
        cells.sort_unstable();
        cells.dedup();
        self.body.push_str("<path d=\"");
        for (x, y) in cells {
            let _ = write!(self.body, "M{:.2} {:.2}h0", x as f64 * 0.3 * radius, y as f64 * 0.3 * radius);
        }
        let _ = writeln!(
            self.body,
            "\" stroke=\"{colour}\" stroke-width=\"{:.2}\" stroke-linecap=\"round\"/>",
            2.0 * radius
        );
    }

    /// Small upright crosses.
    pub fn crosses(&mut self, points: &[(f64, f64)], colour: &str, reach: f64) {
        self.body.push_str("<path d=\"");
        for (x, y) in points {
            let [left, top, side] = [x - reach, y - reach, 2.0 * reach];
            let _ = write!(self.body, "M{left:.2} {y:.2}h{side:.2}M{x:.2} {top:.2}v{side:.2}");
        }
        let _ = writeln!(self.body, "\" stroke=\"{colour}\" stroke-width=\"0.5\"/>");
    }

    /// A mark of the n-th kind: seven kinds of marks and seven colours make 49 series.
    pub fn mark(&mut self, at: (f64, f64), kind: usize, colour: &str, hollow: bool) {
        let fill = if hollow { "white" } else { colour };
        let ((x, y), r) = (at, 2.3);
        let corners = |n: usize, turn: f64, r: f64| {
            let corner = |i: usize| {
                let (sine, cosine) = (turn + i as f64 * std::f64::consts::TAU / n as f64).sin_cos();
                format!("{:.2},{:.2}", x + r * sine, y - r * cosine)
            };
            (0..n).map(corner).collect::<Vec<_>>().join(" ")
        };
        let shape = match kind % 7 {
            0 => format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{r}\""),
            1 => format!("<polygon points=\"{}\"", corners(4, std::f64::consts::FRAC_PI_4, 1.25 * r)),
            2 => format!("<polygon points=\"{}\"", corners(3, 0.0, 1.35 * r)),
            3 => format!("<polygon points=\"{}\"", corners(4, 0.0, 1.4 * r)),
            4 => format!("<polygon points=\"{}\"", corners(3, std::f64::consts::PI, 1.35 * r)),
            5 => format!("<polygon points=\"{}\"", corners(5, 0.0, 1.2 * r)),
            _ => format!("<polygon points=\"{}\"", corners(6, 0.0, 1.15 * r)),
        };
        let _ = writeln!(self.body, "{shape} fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"0.9\"/>");
    }
}

/// A line without the points that lie on it, as far as can be seen (Douglas and Peucker, Cartographica 10, 1973, 112).
fn simplified(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = vec![false; points.len()];
    let mut parts = vec![(0, points.len() - 1)];
    while let Some((from, to)) = parts.pop() {
        (kept[from], kept[to]) = (true, true);
        let ((ax, ay), (bx, by)) = (points[from], points[to]);
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx.hypot(dy);
        let away = |(x, y): (f64, f64)| {
            let along = if length > 0.0 { ((x - ax) * dx + (y - ay) * dy) / (length * length) } else { 0.0 };
            let along = along.clamp(0.0, 1.0);
            (x - ax - along * dx).hypot(y - ay - along * dy)
        };
        let farthest =
            (from + 1..to).map(|i| (away(points[i]), i)).fold((0.0, from), |a, b| if b.0 > a.0 { b } else { a });
        if farthest.0 > UNSEEN {
            parts.extend([(from, farthest.1), (farthest.1, to)]);
        }
    }
    points.iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_what_can_be_seen() {
        let flat: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i), 0.0)).collect();
        assert_eq!(simplified(&flat), [(0.0, 0.0), (999.0, 0.0)]);
        let mut peak = flat;
        peak[517].1 = 1.0;
        assert!(simplified(&peak).contains(&(517.0, 1.0)) && simplified(&peak).len() == 5);
    }
}
