//! Path data of SVG (SVG 2, ch. 9): lines stay lines and arcs arcs.

use std::f64::consts::PI;

use kurbo::{Arc, Point, SvgArc, Vec2};

/// A piece of a path in the user units of its element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub from: Point,
    pub shape: Shape,
    pub to: Point,
    /// Bytes of the path data it was written in.
    pub place: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Line,
    Quadratic(Point),
    Cubic(Point, Point),
    Arc(Arc),
}

/// Path data that can't be read or used: what is wrong, and the byte it starts at.
#[derive(Debug)]
pub(super) struct PathError {
    pub message: String,
    pub at: usize,
}

/// Reads the one stretch that path data draws. Moves that draw nothing are left out.
pub(super) fn segments(data: &str) -> Result<Vec<Segment>, PathError> {
    let mut pen =
        Pen { data, at: 0, segments: Vec::new(), start: Point::ZERO, point: Point::ZERO, handle: None, decimals: 0 };
    let mut command: Option<u8> = None;
    // Where a move cut the stretch: a segment after it would begin a second one.
    let mut cut = false;
    loop {
        pen.skip();
        let Some(&byte) = data.as_bytes().get(pen.at) else { break };
        let begin = pen.at;
        if byte.is_ascii_alphabetic() {
            command = Some(byte);
            pen.at += 1;
        }
        let Some(current) = command else { return Err(pen.error(begin, "path data begin with M or m")) };
        if pen.segments.is_empty() && !matches!(current, b'M' | b'm') && begin == first(data) {
            return Err(pen.error(begin, "path data begin with M or m"));
        }
        let drawn = pen.segments.len();
        pen.draw(current, begin)?;
        match current {
            b'M' | b'm' => {
                cut = drawn > 0;
                // Further pairs are lines.
                command = Some(if current == b'M' { b'L' } else { b'l' });
            }
            // What follows needs a letter.
            b'Z' | b'z' => command = None,
            _ if cut => return Err(pen.error(begin, "a second stretch begins here, but ground is one line")),
            _ => {}
        }
    }
    if pen.segments.is_empty() {
        return Err(pen.error(0, "this path draws nothing"));
    }
    Ok(pen.segments)
}

/// The first byte that is no blank.
fn first(data: &str) -> usize {
    data.len() - data.trim_start().len()
}

struct Pen<'a> {
    data: &'a str,
    at: usize,
    segments: Vec<Segment>,
    /// Where the stretch began.
    start: Point,
    point: Point,
    /// The last control point, for smooth curves, and the degree of its curve.
    handle: Option<(Point, u32)>,
    /// Most decimals that a number was written with.
    decimals: i32,
}

impl Pen<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> PathError {
        PathError { message: message.into(), at }
    }

    fn skip(&mut self) {
        let rest = &self.data.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
    }

    /// A number, as long as it can be.
    fn number(&mut self) -> Result<f64, PathError> {
        self.skip();
        let bytes = self.data.as_bytes();
        let begin = self.at;
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let mut end = digits(sign(begin));
        let mut decimals = 0;
        if bytes.get(end) == Some(&b'.') {
            let point = end + 1;
            end = digits(point);
            decimals = (end - point).min(300) as i32;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let exponent = sign(end + 1);
            if bytes.get(exponent).is_some_and(u8::is_ascii_digit) {
                let from = end + 1;
                end = digits(exponent);
                decimals -= self.data[from..end].parse().unwrap_or(0).clamp(-300, 300);
            }
        }
        match self.data[begin..end].parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.at = end;
                self.decimals = self.decimals.max(decimals);
                Ok(value)
            }
            _ => Err(self.error(begin.min(self.data.len()), "a number is missing here")),
        }
    }

    /// 0 or 1, which need nothing between them.
    fn flag(&mut self) -> Result<bool, PathError> {
        self.skip();
        let flag = match self.data.as_bytes().get(self.at) {
            Some(b'0') => false,
            Some(b'1') => true,
            _ => return Err(self.error(self.at, "a flag (0 or 1) is missing here")),
        };
        self.at += 1;
        Ok(flag)
    }

    fn pair(&mut self, relative: bool) -> Result<Point, PathError> {
        let (x, y) = (self.number()?, self.number()?);
        Ok(if relative { self.point + Vec2::new(x, y) } else { Point::new(x, y) })
    }

    /// One set of arguments of a command.
    fn draw(&mut self, command: u8, begin: usize) -> Result<(), PathError> {
        let relative = command.is_ascii_lowercase();
        let mirrored = |pen: &Pen, degree: u32| match pen.handle {
            Some((handle, of)) if of == degree => pen.point + (pen.point - handle),
            _ => pen.point,
        };
        match command.to_ascii_uppercase() {
            b'M' => {
                self.point = self.pair(relative)?;
                self.start = self.point;
                self.handle = None;
            }
            b'L' => {
                let to = self.pair(relative)?;
                self.push(Shape::Line, to, begin);
            }
            b'H' => {
                let x = self.number()? + if relative { self.point.x } else { 0.0 };
                self.push(Shape::Line, Point::new(x, self.point.y), begin);
            }
            b'V' => {
                let y = self.number()? + if relative { self.point.y } else { 0.0 };
                self.push(Shape::Line, Point::new(self.point.x, y), begin);
            }
            b'C' => {
                let (first, second, to) = (self.pair(relative)?, self.pair(relative)?, self.pair(relative)?);
                self.push(Shape::Cubic(first, second), to, begin);
            }
            b'S' => {
                let first = mirrored(self, 3);
                let (second, to) = (self.pair(relative)?, self.pair(relative)?);
                self.push(Shape::Cubic(first, second), to, begin);
            }
            b'Q' => {
                let (control, to) = (self.pair(relative)?, self.pair(relative)?);
                self.push(Shape::Quadratic(control), to, begin);
            }
            b'T' => {
                let control = mirrored(self, 2);
                let to = self.pair(relative)?;
                self.push(Shape::Quadratic(control), to, begin);
            }
            b'A' => {
                let radii = Vec2::new(self.number()?, self.number()?);
                let x_rotation = self.number()? * PI / 180.0;
                let (large_arc, sweep) = (self.flag()?, self.flag()?);
                let to = self.pair(relative)?;
                let arc = SvgArc { from: self.point, to, radii, x_rotation, large_arc, sweep };
                // Without extent it is a line, or nothing.
                let shape = if (to - self.point).hypot() > 1e-100 { Arc::from_svg_arc(&arc) } else { None };
                self.push(shape.map_or(Shape::Line, Shape::Arc), to, begin);
            }
            b'Z' => {
                if !self.meets_start() {
                    self.push(Shape::Line, self.start, begin);
                }
            }
            _ => return Err(self.error(begin, format!("`{}` is no command of a path", char::from(command)))),
        }
        Ok(())
    }

    /// Whether the path is back at its start but for the rounding of sums. All points are whole multiples of the last decimal
    /// written, so that what is less than half of it was not drawn: the last point is moved there.
    fn meets_start(&mut self) -> bool {
        let off = self.start - self.point;
        let Some(last) = self.segments.last_mut().filter(|_| off.hypot() < 0.5 * 10f64.powi(-self.decimals)) else {
            return false;
        };
        last.to = self.start;
        if let Shape::Cubic(_, handle) = &mut last.shape {
            *handle += off;
        }
        self.point = self.start;
        true
    }

    /// Adds a segment, unless it has no length: drawing programs close paths that are closed already.
    fn push(&mut self, shape: Shape, to: Point, begin: usize) {
        self.handle = match shape {
            Shape::Cubic(_, second) => Some((second, 3)),
            Shape::Quadratic(control) => Some((control, 2)),
            _ => None,
        };
        let from = self.point;
        self.point = to;
        if from != to || matches!(shape, Shape::Cubic(..) | Shape::Quadratic(_)) {
            self.segments.push(Segment { from, shape, to, place: (begin, self.at) });
        }
    }
}

#[cfg(test)]
mod tests {
    use kurbo::{BezPath, PathSeg};

    use super::*;

    /// The same segments as kurbo reads, in all spellings; of arcs, which kurbo approximates, the ends.
    #[test]
    fn reads_what_kurbo_reads() {
        let paths = [
            "M10-20L30.5.5 40 1e1h5v-5H1V2z",
            " m 1,2 3,4 -5 6 l 1 1",
            "M0 0C1 2 3 4 5 6s1 1 2 0 3-4 5 5S1 2 3 4",
            "M0,0 Q1,2 3,0 t4,0 4,1 T20 5q1 1 2 0",
            "M1 1 2 2L3 3 4 5 6 7Z",
            "M0 0c1 1 2 1 3 0l1 0c1 0 1 1 0 1s1 1 2 2",
        ];
        for path in paths {
            let ours = segments(path).unwrap();
            let theirs: Vec<PathSeg> = BezPath::from_svg(path).unwrap().segments().collect();
            assert_eq!(ours.len(), theirs.len(), "{path}");
            for (a, b) in ours.iter().zip(theirs) {
                let (same, start) = match (a.shape, b) {
                    (Shape::Line, PathSeg::Line(line)) => (a.to == line.p1, line.p0),
                    (Shape::Quadratic(p), PathSeg::Quad(q)) => (p == q.p1 && a.to == q.p2, q.p0),
                    (Shape::Cubic(p, q), PathSeg::Cubic(c)) => (p == c.p1 && q == c.p2 && a.to == c.p3, c.p0),
                    _ => (false, a.from),
                };
                assert!(same && a.from == start, "{path}: {a:?}, {b:?}");
            }
        }
        for (path, expected) in [("M0 0A5 3 20 0110 0", 1), ("M0 0a5 5 0 1 0 5 5 1 2 3 004-1", 2)] {
            let ours = segments(path).unwrap();
            assert_eq!(ours.len(), expected);
            for segment in ours {
                let Shape::Arc(arc) = segment.shape else { panic!("{segment:?}") };
                let on = |angle: f64| {
                    let (s, c) = angle.sin_cos();
                    let (sine, cosine) = arc.x_rotation.sin_cos();
                    let (x, y) = (arc.radii.x * c, arc.radii.y * s);
                    arc.center + Vec2::new(cosine * x - sine * y, sine * x + cosine * y)
                };
                assert!((on(arc.start_angle) - segment.from).hypot() < 1e-12, "{segment:?}");
                assert!((on(arc.start_angle + arc.sweep_angle) - segment.to).hypot() < 1e-12, "{segment:?}");
            }
        }
    }

    /// Sums of decimals miss their start by rounding; what was drawn is a whole unit of the last decimal or more.
    #[test]
    fn closes_where_only_rounding_is_between() {
        for (data, count) in [
            ("M0.1 0.2c0 0.1 0.1 0.2 0.2 0.2s0.2-0.1 0.2-0.2-0.1-0.2-0.2-0.2-0.2 0.1-0.2 0.2z", 4),
            ("M0 0l1.1 0l0 1.1l-1.1 -1z", 4),
            ("M0 0L1e2 0L0 1e1Z", 3),
            ("M0 0L10 0L10 10L0 1Z", 4),
        ] {
            let found = segments(data).unwrap();
            assert_eq!(found.len(), count, "{data}");
            assert_eq!(found[count - 1].to, found[0].from, "{data}");
        }
    }

    #[test]
    fn says_where_it_is_wrong() {
        let cases = [
            ("", 0, "draws nothing"),
            ("M1 2 m3 4", 0, "draws nothing"),
            ("L1 2", 0, "begin with M"),
            ("1 2", 0, "begin with M"),
            ("M0 0 L1", 7, "number"),
            ("M0 0 L1 x", 8, "number"),
            ("M0 0 L1 2 M3 3 L4 4", 15, "second stretch"),
            ("M0 0 A1 1 0 2 0 1 1", 12, "flag"),
            ("M0 0 K1 1", 5, "no command"),
            ("M0 0 L1e999 1", 6, "number"),
            ("M0 0 L1 1 Z 5 5", 12, "begin with M"),
            ("M0 0 L1 é", 8, "number"),
        ];
        for (data, at, what) in cases {
            let error = segments(data).unwrap_err();
            assert!(error.at == at && error.message.contains(what), "{data}: {error:?}");
        }
    }
}
