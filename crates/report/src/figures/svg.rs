//! Writes elements of a drawing as SVG. Lengths are in points (1/72 inch).

use std::fmt::Write;

/// Font families, one of which is available in browsers and printers.
pub(super) const FACE: &str = "DejaVu Sans, Liberation Sans, Arial, sans-serif";
/// Mean width of a character over its height, in these fonts.
const CHARACTER: f64 = 0.64;
/// Invisible deviation, points.
const UNSEEN: f64 = 0.06;

/// Sizes of text, points.
pub(super) const TEXT: f64 = 8.0;
pub(super) const SMALL: f64 = 7.0;
pub(super) const TITLE: f64 = 9.0;

#[derive(Default)]
pub(super) struct SvgDrawing {
    body: String,
}

pub(super) fn width_of(text: &str, size: f64) -> f64 {
    CHARACTER * size * text.chars().count() as f64
}

/// Text escaped as the content of an element, with U+FFFD for characters that XML forbids.
pub(crate) fn escaped(text: &str) -> String {
    let foreign = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{fffe}' || c == '\u{ffff}';
    text.replace(foreign, "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Alignment of a text at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl SvgDrawing {
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

    /// Text rotated to read upwards.
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

    /// Clips the following elements to a frame, until [`unclipped`](Self::unclipped).
    pub fn clipped(&mut self, [left, right, top, bottom]: [f64; 4]) {
        let [width, height] = [right - left, bottom - top];
        // Nested SVG elements clip without the ids of clip paths.
        let _ = writeln!(
            self.body,
            "<svg x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\">"
        );
    }

    pub fn unclipped(&mut self) {
        self.body.push_str("</svg>\n");
    }

    pub fn frame(&mut self, place: [f64; 4]) {
        self.rectangle(place, "fill=\"none\" stroke=\"#222\" stroke-width=\"0.6\"");
    }

    /// A rectangle (left, right, top, bottom) with these attributes.
    fn rectangle(&mut self, [left, right, top, bottom]: [f64; 4], painted: &str) {
        let [width, height] = [right - left, bottom - top];
        let _ = writeln!(
            self.body,
            "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" {painted}/>"
        );
    }

    /// A line with round joins, simplified without visible deviation.
    pub fn line(&mut self, points: &[(f64, f64)], colour: &str, width: f64, dash: &str) {
        if points.len() < 2 {
            return;
        }
        let dashes = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        self.body.push_str("<path d=\"");
        for (i, (x, y)) in simplified(points.iter().copied()).into_iter().enumerate() {
            self.body.push(if i == 0 { 'M' } else { 'L' });
            self.hundredths(x);
            self.body.push(' ');
            self.hundredths(y);
        }
        let _ = writeln!(
            self.body,
            "\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dashes}/>"
        );
    }

    /// Writes a number like `{:.2}`: as two integers, which is faster, if it is surely not halfway between hundredths.
    fn hundredths(&mut self, number: f64) {
        let whole = (100.0 * number).round();
        if !((100.0 * number - whole).abs() < 0.499 && (1.0..1e11).contains(&whole.abs())) {
            let _ = write!(self.body, "{number:.2}");
            return;
        }
        let (sign, size) = (if number < 0.0 { "-" } else { "" }, whole.abs() as u64);
        let _ = write!(self.body, "{sign}{}.{:02}", size / 100, size % 100);
    }

    pub fn polygon(&mut self, points: &[(f64, f64)], colour: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let points = points.join(" ");
        let _ = writeln!(
            self.body,
            "<polygon points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.8\" stroke-linejoin=\"round\"/>"
        );
    }

    /// A filled circle.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, colour: &str) {
        let _ = writeln!(self.body, "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius}\" fill=\"{colour}\"/>", at.0, at.1);
    }

    /// A filled rectangle: left, right, top, bottom.
    pub fn block(&mut self, place: [f64; 4], colour: &str) {
        self.rectangle(place, &format!("fill=\"{colour}\""));
    }

    /// Paths of cells with their colours, in units of columns and rows of this size from the lower left corner.
    pub fn cells(
        &mut self,
        [left, bottom]: [f64; 2],
        [width, height]: [f64; 2],
        paths: impl Iterator<Item = (String, String)>,
    ) {
        let _ = writeln!(
            self.body,
            "<g shape-rendering=\"crispEdges\" transform=\"translate({left:.2} {bottom:.2}) scale({width} {})\">",
            -height
        );
        for (colour, path) in paths {
            let _ = writeln!(self.body, "<path fill=\"{colour}\" d=\"{path}\"/>");
        }
        self.body.push_str("</g>\n");
    }

    /// Dots of many points; coinciding ones are drawn once.
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

/// Simplifies a line in one pass (Williams, Computer Graphics and Image Processing 8, 1978, 286): a segment goes on
/// while some direction from its start passes all points since without visible deviation, and none comes back.
fn simplified(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut segment: Option<OpenSegment> = None;
    for point in points {
        if segment.as_mut().is_some_and(|segment| segment.takes(point)) {
            continue;
        }
        let start = segment.map_or(point, |segment| segment.last);
        kept.push(start);
        segment = Some(OpenSegment::between(start, point));
    }
    kept.extend(segment.map(|segment| segment.last));
    kept
}

/// A segment that may still be extended.
struct OpenSegment {
    start: (f64, f64),
    last: (f64, f64),
    /// Greatest distance of a point from the start, points.
    reach: f64,
    /// Rightmost and leftmost direction that pass all points so far without visible deviation.
    cone: Option<[(f64, f64); 2]>,
}

impl OpenSegment {
    fn between(start: (f64, f64), point: (f64, f64)) -> Self {
        let mut segment = OpenSegment { start, last: point, reach: 0.0, cone: None };
        segment.takes(point);
        segment
    }

    /// Whether the segment can be extended to a point; if so, restricts the directions.
    fn takes(&mut self, point: (f64, f64)) -> bool {
        let cross = |a: (f64, f64), b: (f64, f64)| a.0 * b.1 - a.1 * b.0;
        let way = (point.0 - self.start.0, point.1 - self.start.1);
        let distance = (way.0 * way.0 + way.1 * way.1).sqrt();
        let within = self.cone.is_none_or(|[right, left]| cross(right, way) >= 0.0 && cross(way, left) >= 0.0);
        if distance < self.reach - UNSEEN || !within {
            return false;
        }
        (self.reach, self.last) = (self.reach.max(distance), point);
        let sine = UNSEEN / distance;
        if sine < 1.0 {
            let cosine = (1.0 - sine * sine).sqrt();
            let turned = |sine: f64| (way.0 * cosine - way.1 * sine, way.0 * sine + way.1 * cosine);
            let [right, left] = [turned(-sine), turned(sine)];
            self.cone = Some(self.cone.map_or([right, left], |[before, after]| {
                [
                    if cross(before, right) > 0.0 { right } else { before },
                    if cross(left, after) > 0.0 { left } else { after },
                ]
            }));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn few(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        simplified(points.iter().copied())
    }

    #[test]
    fn hundredths_are_written_as_the_language_does() {
        let mut drawing = SvgDrawing::default();
        for i in 0..200_000_u32 {
            let size = 10f64.powi(i as i32 % 14 - 3);
            let number = (f64::from(i.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX) - 0.5) * size;
            for number in [number, (100.0 * number).round() / 100.0, ((100.0 * number).floor() + 0.5) / 100.0, -0.0] {
                drawing.body.clear();
                drawing.hundredths(number);
                assert_eq!(drawing.body, format!("{number:.2}"), "{number:e}");
            }
        }
    }

    #[test]
    fn a_line_keeps_what_can_be_seen() {
        let flat: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i), 0.0)).collect();
        assert_eq!(few(&flat), [(0.0, 0.0), (999.0, 0.0)]);
        let mut peak = flat.clone();
        peak[517].1 = 1.0;
        assert!(few(&peak).contains(&(517.0, 1.0)) && few(&peak).len() == 5);
        // There and back again.
        let back: Vec<(f64, f64)> = flat.iter().chain(flat.iter().rev()).copied().collect();
        assert_eq!(few(&back), [(0.0, 0.0), (999.0, 0.0), (0.0, 0.0)]);
    }

    /// Each point left out is near the segment that stands for it, of a circle, of noise, and of bounces that fall:
    /// cutting a line at its farthest point took a pass over what is left for each of them. Points are read once.
    #[test]
    fn a_line_is_simplified_in_one_pass() {
        const COUNT: u32 = 100_000;
        let turn = |i: u32| f64::from(i) * 1e-4;
        let lines: [&dyn Fn(u32) -> (f64, f64); 3] = [
            &|i| (200.0 * turn(i).cos(), 200.0 * turn(i).sin()),
            &|i| (f64::from(i) * 0.004, f64::from(i.wrapping_mul(2_654_435_761) >> 16) * 2e-6),
            &|i| (f64::from(i) * 0.004, 100.0 * (1.0 - turn(i) / 10.0) * (0.5 * f64::from(i)).sin().abs()),
        ];
        for line in lines {
            let mut read = 0;
            let kept = simplified((0..COUNT).inspect(|_| read += 1).map(line));
            assert_eq!(read, COUNT);
            let mut segments = kept.windows(2).peekable();
            for point in (0..COUNT).map(line) {
                if segments.peek().is_some_and(|pair| pair[0] != point && pair[1] == point) {
                    segments.next();
                    continue;
                }
                let Some(&&[(ax, ay), (bx, by)]) = segments.peek().and_then(|pair| pair.first_chunk::<2>()).as_ref()
                else {
                    continue;
                };
                let (dx, dy) = (bx - ax, by - ay);
                let along = (((point.0 - ax) * dx + (point.1 - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
                let off = (point.0 - ax - along * dx).hypot(point.1 - ay - along * dy);
                assert!(off <= 1.5 * UNSEEN, "{off} at {point:?} of {kept:?}");
            }
        }
    }
}
