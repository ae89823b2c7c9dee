//! List of the shapes in a drawing.

use std::path::Path;

use kurbo::{Affine, BezPath, Shape as _};

use super::svg_choice::shown;
use super::svg_drawing::{Drawing, MAX_ELEMENTS, SMALLER, document, read_drawing};
use super::svg_path::{Segment, Shape, Stretch};
use super::svg_use::Item;
use crate::input::InputError;

/// A shape of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Number of the shape from 1, for `path = 2`.
    pub number: usize,
    /// Name of its element: `path`, `circle`, …
    pub element: String,
    /// Label and id of the shape, either for `path = "…"`.
    pub id: Option<String>,
    /// Size and lines of the shape, or why it can't be read.
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

/// The shapes of a drawing, in the order of the file, the first `most`; and how many there are.
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

fn looks_of(lines: &[Stretch], map: Affine) -> Looks {
    let mut outline = BezPath::new();
    for line in lines {
        let Some(first) = line.segments.first() else { continue };
        outline.move_to(first.from);
        for Segment { shape, to, .. } in &line.segments {
            match shape {
                Shape::Line => outline.line_to(*to),
                Shape::Quadratic(p) => outline.quad_to(*p, *to),
                Shape::Cubic(p, q) => outline.curve_to(*p, *q, *to),
                Shape::Arc(arc) => outline.extend(arc.append_iter(1e-4 * arc.radii.hypot())),
            }
        }
    }
    let bounds = (map * outline).bounding_box();
    let closed = lines.iter().filter(|line| line.is_closed()).count();
    Looks { size: [bounds.width(), bounds.height()], lines: lines.len(), closed }
}
