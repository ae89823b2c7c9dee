//! Reads paths of a drawing as ground, and lists its shapes: `kind = "svg"`.

use std::path::Path;

use kurbo::{Affine, BezPath, Point, Shape as _, Vec2};
use nalgebra::Vector2;
use numbers::elementary;

use super::kinds_and_limits::{CurveTable, Parts};
use super::shapes::RoundedEnds;
use super::svg_choice::{Choice, shown};
use super::svg_drawing::{Drawing, MAX_ELEMENTS, SMALLER, read_drawing};
use super::svg_path::{Joined, PathLine, PathShape, Segment, stretch};
use super::svg_use::Item;
use crate::input::xml::document;
use crate::input::{InputError, Span, Text, Value};

impl Parts {
    pub(super) fn svg(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let drawing = |path: &Path, from: &Span| read_drawing(path, Some(from)).map(Text::from);
        let (source, from) = self.text(table, "the path of an SVG drawing", drawing)?;
        let choice = Choice::read(table.reader)?;
        let stretch = stretch(table.reader, matches!(choice, Choice::Several { .. }))?;
        let above = table.reader.choice("free-side", &[("left", false), ("above", true)])?.unwrap_or(false);
        let scale = table.positive("scale", "must be positive (m per user unit)")?;
        let mut rounding = RoundedEnds::read(table)?;
        let document = document(&source, MAX_ELEMENTS, SMALLER)?;
        let drawing = Drawing::of(&document, &source)?;
        let page = drawing.page(drawing.root, scale)?;
        let (mut joined, mut strays) = (Joined::default(), Vec::new());
        for chosen in drawing.chosen(&choice, &from)? {
            let name = chosen.one_of_several.as_ref().map_or("", |(name, _)| name);
            let mut add = |parts: &mut Self| {
                let placed = page * drawing.placed(&chosen.item)?;
                let lines = drawing.lines(chosen.item.shape)?;
                let wanted = match chosen.one_of_several {
                    Some(_) => 0..lines.all.len(),
                    None => lines.chosen(stretch, &choice.as_several())?,
                };
                for (i, line) in lines.all.iter().enumerate().filter(|(i, _)| wanted.contains(i)) {
                    let first = parts.pieces.len();
                    if let Some((name, path)) = &chosen.one_of_several {
                        let (mut name, mut alone) = (name.clone(), vec![("path", path.clone())]);
                        if lines.all.len() > 1 {
                            name = format!("{name}.{}", i + 1);
                            alone.push(("stretch", Value::Number((i + 1) as f64)));
                        }
                        parts.begin(name, alone, &drawing.element(chosen.item.stands()))?;
                    }
                    joined.add(line.moved);
                    for segment in &line.segments {
                        parts.segment(segment, placed, &mut rounding, &lines.place(segment.place))?;
                    }
                    if above {
                        parts.free_above(first);
                    }
                }
                Ok(())
            };
            match choice {
                Choice::Several { named: None, .. } => self.or_stray(&mut strays, name, add),
                _ => add(self)?,
            }
            self.check_size(&from)?;
        }
        self.tell(strays)?;
        self.info.notes.extend(rounding.note());
        self.info.notes.extend(joined.note());
        Ok(())
    }

    fn segment(
        &mut self,
        segment: &Segment,
        map: Affine,
        rounding: &mut RoundedEnds,
        span: &Span,
    ) -> Result<(), InputError> {
        let point = |p: Point| {
            let p = map * p;
            Vector2::new(p.x, p.y)
        };
        let (from, to) = (point(segment.from), point(segment.to));
        let linear = |v: Vec2| {
            let [a, b, c, d, ..] = map.as_coeffs();
            Vector2::new(a * v.x + c * v.y, b * v.x + d * v.y)
        };
        match segment.shape {
            PathShape::Line => self.line(from, to, span),
            PathShape::Quadratic(p) => self.quadratic_bezier([from, point(p), to], span),
            PathShape::Cubic(p, q) => self.cubic_bezier([from, point(p), point(q), to], rounding, span),
            PathShape::Arc(arc) => {
                let (sine, cosine) = elementary::sin_cos(arc.x_rotation);
                let (start, sweep) = (arc.start_angle, arc.sweep_angle);
                let u = linear(Vec2::new(cosine, sine) * arc.radii.x);
                // A negative sweep is described by an increasing angle about the mirrored axis.
                let v = linear(Vec2::new(-sine, cosine) * arc.radii.y) * sweep.signum();
                let start = start * sweep.signum();
                self.part_of_ellipse(point(arc.center), [u, v], [start, start + sweep.abs()], span)
            }
        }
    }
}

/// A shape of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Number of the shape from 1, for `path = 2`.
    pub number: usize,
    /// Name of its element: `path`, `circle`, …
    pub element: String,
    /// Label and id of the shape, either for `path = "…"`.
    pub id: Option<String>,
    /// Size and lines of the shape, or the reason why it can't be read.
    pub looks: Result<Looks, String>,
}

/// Size and lines of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// Width and height, m.
    pub size: [f64; 2],
    /// Number of its lines, for `stretch = 2`; ground is one.
    pub lines: usize,
    /// Number of them that end where they begin.
    pub closed: usize,
}

/// The first `most` shapes of a drawing, in the order of the file, and the number of all.
pub fn shapes(path: &Path, most: usize) -> Result<(Vec<Drawn>, usize), InputError> {
    let source = read_drawing(path, None)?;
    let document = document(&source, MAX_ELEMENTS, SMALLER)?;
    let drawing = Drawing::of(&document, &source)?;
    let page = drawing.page(drawing.root, None)?;
    let looks = |item: &Item| {
        let placed = drawing.placed(item)?;
        Ok(looks_of(&drawing.lines(item.shape)?.all, page * placed))
    };
    let shapes = drawing.drawn().take(most).enumerate().map(|(i, item)| Drawn {
        number: i + 1,
        element: item.stands().tag_name().name().to_owned(),
        id: item.named().and_then(shown),
        looks: looks(&item).map_err(|error: InputError| error.to_string()),
    });
    let count = drawing.count()?;
    Ok((shapes.collect(), count))
}

fn looks_of(lines: &[PathLine], map: Affine) -> Looks {
    let mut outline = BezPath::new();
    for line in lines {
        let Some(first) = line.segments.first() else { continue };
        outline.move_to(first.from);
        for Segment { shape, to, .. } in &line.segments {
            match shape {
                PathShape::Line => outline.line_to(*to),
                PathShape::Quadratic(p) => outline.quad_to(*p, *to),
                PathShape::Cubic(p, q) => outline.curve_to(*p, *q, *to),
                PathShape::Arc(arc) => outline.extend(arc.append_iter(1e-4 * arc.radii.hypot())),
            }
        }
    }
    let bounds = (map * outline).bounding_box();
    let closed = lines.iter().filter(|line| line.is_closed()).count();
    Looks { size: [bounds.width(), bounds.height()], lines: lines.len(), closed }
}
