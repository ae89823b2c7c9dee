//! Reads path data (SVG 2, ch. 9) without approximation: lines stay lines and arcs arcs.

use std::f64::consts::PI;
use std::ops::Range;

use kurbo::{Arc, CubicBez, ParamCurve, Point, QuadBez, SvgArc, Vec2};
use numbers::elementary;

use super::kinds_and_limits::{MAX_CURVES, MAX_PIECES};
use crate::input::{InputError, Reader, Span, number, plain, rounded, wrong_type};

/// A piece of a path in the user units of its element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub from: Point,
    pub shape: PathShape,
    pub to: Point,
    /// Byte range in the path data.
    pub place: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum PathShape {
    Line,
    Quadratic(Point),
    Cubic(Point, Point),
    Arc(Arc),
}

/// Error in path data, with the byte at which it begins.
#[derive(Debug)]
pub(super) struct PathError {
    pub message: String,
    pub at: usize,
    pub help: &'static str,
}

/// One line that path data draw, from a move to the next.
#[derive(Debug)]
pub(super) struct PathLine {
    pub segments: Vec<Segment>,
    /// Distance by which the last point was moved onto the first to undo rounding, user units.
    pub moved: f64,
}

impl PathLine {
    /// Whether it ends where it begins.
    pub fn is_closed(&self) -> bool {
        let ends = self.segments.first().zip(self.segments.last());
        ends.is_some_and(|(first, last)| first.from == last.to)
    }
}

/// Reads the lines of path data. Moves without a line are left out.
pub(super) fn stretches(data: &str) -> Result<Vec<PathLine>, PathError> {
    let mut pen = Pen { data, ..Pen::default() };
    let mut command: Option<u8> = None;
    let first = data.len() - data.trim_start().len();
    loop {
        pen.skip();
        let Some(&byte) = data.as_bytes().get(pen.at) else { break };
        let begin = pen.at;
        if byte.is_ascii_alphabetic() {
            command = Some(byte);
            pen.at += 1;
        }
        let current = command.filter(|command| begin != first || matches!(command, b'M' | b'm'));
        let current = current.ok_or_else(|| pen.error(begin, "path data begin with M or m"))?;
        pen.draw(current, begin)?;
        match current {
            // Further pairs after a move are lines.
            b'M' => command = Some(b'L'),
            b'm' => command = Some(b'l'),
            // After a close, a command letter must follow.
            b'Z' | b'z' => command = None,
            _ => {}
        }
        if pen.drawn > MAX_PIECES {
            return Err(too_many(begin, format!("this path has more than {MAX_PIECES} nodes")));
        }
        if pen.ended.len() > MAX_CURVES {
            return Err(too_many(begin, format!("this path has more than {MAX_CURVES} lines")));
        }
    }
    pen.end(None);
    if pen.ended.is_empty() {
        let help = "it has no length: name another path, or leave it out of the drawing";
        return Err(PathError { message: "this path draws nothing".to_owned(), at: 0, help });
    }
    // A unit of the last decimal written, user units.
    let grain = elementary::powi(10f64, -pen.decimals);
    Ok(pen.ended.into_iter().map(|ended| ended.closed(grain)).collect())
}

fn too_many(at: usize, message: String) -> PathError {
    PathError { message, at, help: "simplify it in the drawing program (Inkscape: Path, Simplify)" }
}

/// A line while it is read.
#[derive(Default)]
struct WrittenLine {
    segments: Vec<Segment>,
    /// Number of rounded numbers whose sum is a coordinate of the last point.
    roundings: u32,
    /// Byte range of the letter that closes it.
    close: Option<(usize, usize)>,
}

/// A gap counts as rounding only if neighbouring points are this many times as far apart.
const APART: f64 = 10.0;

impl WrittenLine {
    /// Closes a line that is marked as closed, or whose ends meet up to rounding. Each number has an error of up to a
    /// unit of the last decimal (`grain`: some programs truncate), and the end of n relative steps one of n units.
    fn closed(self, grain: f64) -> PathLine {
        let mut line = PathLine { segments: self.segments, moved: 0.0 };
        let first = line.segments.first().copied();
        let (Some(first), Some(last)) = (first, line.segments.last_mut()) else { return line };
        let off = first.from - last.to;
        if off == Vec2::ZERO {
            return line;
        }
        let allowed = grain * f64::from(self.roundings.max(1)) * (1.0 + 1e-9);
        // A narrow flat end is part of the shape, no gap.
        let across = (last.near(false) - first.near(true)).hypot();
        if off.x.abs().max(off.y.abs()) <= allowed && APART * off.hypot() <= across {
            last.end_at(first.from);
            // Below half a unit the gap is only rounding of sums, and not noted.
            line.moved = if off.hypot() < 0.5 * grain { 0.0 } else { off.hypot() };
        } else if let Some(place) = self.close {
            let closing = Segment { from: last.to, shape: PathShape::Line, to: first.from, place };
            line.segments.push(closing);
        }
        line
    }
}

impl Segment {
    /// A point on the segment near one of its ends.
    fn near(&self, start: bool) -> Point {
        let t = if start { 0.25 } else { 0.75 };
        match self.shape {
            PathShape::Line => self.from.lerp(self.to, t),
            PathShape::Quadratic(p) => QuadBez::new(self.from, p, self.to).eval(t),
            PathShape::Cubic(p, q) => CubicBez::new(self.from, p, q, self.to).eval(t),
            PathShape::Arc(arc) => arc.eval(t),
        }
    }

    fn end_at(&mut self, to: Point) {
        match &mut self.shape {
            PathShape::Line | PathShape::Quadratic(_) => {}
            PathShape::Cubic(_, handle) => *handle += to - self.to,
            // An arc that ends at its start is a full ellipse.
            PathShape::Arc(arc) if to == self.from => arc.sweep_angle = (2.0 * PI).copysign(arc.sweep_angle),
            PathShape::Arc(arc) => {
                let moved = SvgArc {
                    from: self.from,
                    to,
                    radii: arc.radii,
                    x_rotation: arc.x_rotation,
                    large_arc: arc.sweep_angle.abs() > PI,
                    sweep: arc.sweep_angle > 0.0,
                };
                self.shape = Arc::from_svg_arc(&moved).map_or(PathShape::Line, PathShape::Arc);
            }
        }
        self.to = to;
    }
}

#[derive(Default)]
struct Pen<'a> {
    data: &'a str,
    at: usize,
    /// The present line.
    now: WrittenLine,
    ended: Vec<WrittenLine>,
    /// Number of segments so far.
    drawn: usize,
    /// Start of the present line.
    start: Point,
    point: Point,
    /// Last control point and degree of its curve, for smooth continuations.
    handle: Option<(Point, u32)>,
    /// Largest number of decimals of any number.
    decimals: i32,
}

impl Pen<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> PathError {
        PathError { message: message.into(), at, help: "save the drawing anew, or mend its path data by hand" }
    }

    /// Ends the present line; `close`: byte range of the letter that closes it.
    fn end(&mut self, close: Option<(usize, usize)>) {
        let ended = std::mem::take(&mut self.now);
        if !ended.segments.is_empty() {
            self.ended.push(WrittenLine { close, ..ended });
        }
    }

    fn skip(&mut self) {
        let rest = &self.data.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
    }

    /// Reads the longest number.
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

    /// Reads a flag 0 or 1; flags may follow without separator.
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

    fn pair(&mut self, shift: Vec2) -> Result<Point, PathError> {
        Ok(Point::new(self.number()?, self.number()?) + shift)
    }

    /// Draws a command with one set of arguments.
    fn draw(&mut self, command: u8, begin: usize) -> Result<(), PathError> {
        let relative = command.is_ascii_lowercase();
        let shift = if relative { self.point.to_vec2() } else { Vec2::ZERO };
        let upper = command.to_ascii_uppercase();
        // A smooth curve mirrors the last control point, if the curve before has its degree.
        let mirrored = |pen: &Pen, degree: u32| match pen.handle {
            Some((handle, of)) if of == degree => pen.point + (pen.point - handle),
            _ => pen.point,
        };
        match upper {
            b'M' => {
                self.point = self.pair(shift)?;
                self.start = self.point;
                self.handle = None;
                self.end(None);
            }
            b'L' | b'H' | b'V' => {
                let to = match upper {
                    b'L' => self.pair(shift)?,
                    b'H' => Point::new(self.number()? + shift.x, self.point.y),
                    _ => Point::new(self.point.x, self.number()? + shift.y),
                };
                self.push(PathShape::Line, to, begin, relative);
            }
            b'C' | b'S' => {
                let first = if upper == b'C' { self.pair(shift)? } else { mirrored(self, 3) };
                let (second, to) = (self.pair(shift)?, self.pair(shift)?);
                self.push(PathShape::Cubic(first, second), to, begin, relative);
            }
            b'Q' | b'T' => {
                let control = if upper == b'Q' { self.pair(shift)? } else { mirrored(self, 2) };
                let to = self.pair(shift)?;
                self.push(PathShape::Quadratic(control), to, begin, relative);
            }
            b'A' => {
                let radii = Vec2::new(self.number()?, self.number()?);
                let x_rotation = self.number()? * PI / 180.0;
                let (large_arc, sweep) = (self.flag()?, self.flag()?);
                let to = self.pair(shift)?;
                let arc = SvgArc { from: self.point, to, radii, x_rotation, large_arc, sweep };
                // An arc of zero size is a line, or nothing.
                let shape = if (to - self.point).hypot() > 1e-100 { Arc::from_svg_arc(&arc) } else { None };
                self.push(shape.map_or(PathShape::Line, PathShape::Arc), to, begin, relative);
            }
            b'Z' => {
                self.end(Some((begin, self.at)));
                self.point = self.start;
                self.handle = None;
            }
            _ => return Err(self.error(begin, format!("`{}` is no command of a path", char::from(command)))),
        }
        Ok(())
    }

    /// Adds a segment, unless all its points coincide: drawing programs close paths that are closed already.
    fn push(&mut self, shape: PathShape, to: Point, begin: usize, relative: bool) {
        self.now.roundings = if relative { self.now.roundings + 1 } else { 1 };
        let from = self.point;
        let (handle, moves) = match shape {
            PathShape::Cubic(first, second) => (Some((second, 3)), first != from || second != from),
            PathShape::Quadratic(control) => (Some((control, 2)), control != from),
            PathShape::Line | PathShape::Arc(_) => (None, false),
        };
        self.handle = handle;
        self.point = to;
        if from != to || moves {
            self.now.segments.push(Segment { from, shape, to, place: (begin, self.at) });
            self.drawn += 1;
        }
    }
}

/// Reads the key `stretch`, with its position.
pub(super) fn stretch<'n>(reader: &mut Reader<'n>, several: bool) -> Result<Option<(usize, &'n Span)>, InputError> {
    let Some(node) = reader.get("stretch") else { return Ok(None) };
    if several {
        let message = "`stretch` is of one path; of several each line is a curve";
        return Err(InputError::new(&node.span, message, "beside `path` alone"));
    }
    match number(node, "stretch")? {
        number if (1.0..=1e6).contains(&number) && number.fract() == 0.0 => Ok(Some((number as usize, &node.span))),
        _ => Err(wrong_type(node, "stretch", "the number of a line of the path, from 1")),
    }
}

/// Lines of an element, with their position in the file.
pub(super) struct DrawnLines {
    pub all: Vec<PathLine>,
    /// Position of the path data; of the element for other shapes.
    pub whole: Span,
    pub path: bool,
}

impl DrawnLines {
    pub fn place(&self, written: (usize, usize)) -> Span {
        let (from, to) = written;
        if !self.path {
            return self.whole.clone();
        }
        let within = |at: usize| at.min(self.whole.range.len());
        self.whole.part(within(from), within(to) - within(from))
    }

    /// Indices of the line with this number, or of the only one; `several`: text of the key that takes all.
    pub fn chosen(&self, stretch: Option<(usize, &Span)>, several: &str) -> Result<Range<usize>, InputError> {
        let count = self.all.len();
        match (stretch, self.all.get(1)) {
            (None, None) => Ok(0..1),
            (Some((number, _)), _) if number <= count => Ok(number - 1..number),
            (Some((number, span)), _) => {
                let message = format!("the path has no stretch {number}");
                Err(InputError::new(span, message, format!("it has {count}")))
            }
            (None, Some(second)) => {
                let place = second.segments.first().map_or((0, 0), |segment| segment.place);
                let message = "a second stretch begins here, but ground is one line";
                let help = format!(
                    "stretch = 1 takes the first of its {count} lines, stretch = 2 the second; {several} takes each as a curve"
                );
                Err(InputError::new(&self.place(place), message, "here").with_help(help))
            }
        }
    }
}

/// Statistics of lines whose end was moved onto their start.
#[derive(Default)]
pub(super) struct Joined {
    count: usize,
    /// Largest distance moved, user units.
    furthest: f64,
}

impl Joined {
    pub fn add(&mut self, moved: f64) {
        self.count += usize::from(moved > 0.0);
        self.furthest = self.furthest.max(moved);
    }

    pub fn note(&self) -> Option<String> {
        let furthest = plain(rounded(self.furthest, 3));
        let by = format!("by up to {furthest} user units, within the rounding of the decimals written");
        match self.count {
            0 => None,
            1 => Some(format!("a line missed its start {by}, and was closed")),
            count => Some(format!("{count} lines missed their start {by}, and were closed")),
        }
    }
}
