//! A path of a drawing: `kind = "svg"`.

use std::path::Path;

use curves::{Ellipse, Interval, Piece};
use kurbo::{Affine, Point, Vec2};
use nalgebra::Vector2;

use super::formulas::constant;
use super::parts::{Names, Parts};
use super::shapes::Rounding;
use super::svg_choice::Choice;
use super::svg_drawing::{Drawing, document, read_drawing};
use super::svg_lines::{Joined, stretch};
use super::svg_path::{Segment, Shape};
use crate::input::{InputError, Reader, Span, Value, plain, wrong_type};

impl Parts {
    pub(super) fn svg(&mut self, reader: &mut Reader, base: &Path, names: Names) -> Result<(), InputError> {
        let node = reader.need("file", "the path of an SVG drawing")?;
        let Value::String(path) = &node.value else { return Err(wrong_type(node, "file", "a path")) };
        let choice = Choice::read(reader)?;
        let stretch = stretch(reader, choice.is_several())?;
        let above = reader.choice("free-side", &[("left", false), ("above", true)])?.unwrap_or(false);
        let scale = match reader.get("scale") {
            None => None,
            Some(node) => match constant(node, "scale", names)? {
                value if value > 0.0 && value.is_finite() => Some(value),
                value => {
                    let message = format!("`scale` = {} is not allowed", plain(value));
                    return Err(InputError::new(&node.span, message, "must be positive (m per user unit)"));
                }
            },
        };
        let mut rounding = Rounding::read(reader, names)?;
        self.count_file(&node.span)?;
        let source = read_drawing(&base.join(&**path), Some(&node.span))?;
        let document = document(&source)?;
        let (root, drawing) = Drawing::of(&document, &source)?;
        let page = drawing.page(root, scale)?;
        let mut joined = Joined::default();
        for chosen in drawing.chosen(root, &choice, &node.span)? {
            let (element, placed) = drawing.placed(chosen.element)?;
            let lines = drawing.lines(element)?;
            let wanted = match (&chosen.one_of_several, stretch) {
                (Some(_), _) => 0..lines.all.len(),
                (None, stretch) => lines.chosen(stretch, &choice.as_several())?,
            };
            for (i, line) in lines.all.iter().enumerate() {
                if !wanted.contains(&i) {
                    continue;
                }
                let first = self.pieces.len();
                if let Some((name, path)) = &chosen.one_of_several {
                    let (name, mut alone) = (name.clone(), vec![("path", path.clone())]);
                    let name = if lines.all.len() == 1 { name } else { format!("{name}.{}", i + 1) };
                    if lines.all.len() > 1 {
                        alone.push(("stretch", Value::Number((i + 1) as f64)));
                    }
                    self.begin(name, alone, &drawing.element(chosen.element))?;
                }
                joined.add(line.moved);
                for segment in &line.segments {
                    self.segment(segment, page * placed, &mut rounding, &lines.place(segment.place))?;
                }
                if above {
                    self.free_above(first);
                }
            }
        }
        self.notes.extend(rounding.note());
        self.notes.extend(joined.note());
        Ok(())
    }

    fn segment(
        &mut self,
        segment: &Segment,
        map: Affine,
        rounding: &mut Rounding,
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
            Shape::Line => self.line(from, to, span),
            Shape::Quadratic(p) => self.quadratic_bezier([from, point(p), to], span),
            Shape::Cubic(p, q) => self.cubic_bezier([from, point(p), point(q), to], rounding, span),
            Shape::Arc(arc) => {
                let (sine, cosine) = arc.x_rotation.sin_cos();
                let (start, sweep) = (arc.start_angle, arc.sweep_angle);
                let u = linear(Vec2::new(cosine, sine) * arc.radii.x);
                // Run so that the angle grows.
                let v = linear(Vec2::new(-sine, cosine) * arc.radii.y) * sweep.signum();
                let start = start * sweep.signum();
                let Some(ellipse) = Ellipse::new(point(arc.center), [u, v]) else {
                    return Err(InputError::new(span, "this arc has no extent", "flat or too large"));
                };
                self.add(Piece::new(ellipse, Interval::new(start, start + sweep.abs())), span);
                Ok(())
            }
        }
    }
}
