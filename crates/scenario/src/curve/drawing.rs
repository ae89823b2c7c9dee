//! What there is in a drawing.

use std::path::Path;

use kurbo::{BezPath, PathEl, Shape};

use super::svg::{Drawing, document, read_drawing};
use super::svg_choice::{drawn, label};
use crate::input::InputError;

/// A shape of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Its number from 1, for `path = 2`.
    pub number: usize,
    /// What it is: `path`, `circle`, …
    pub element: String,
    /// Its label or id, for `path = "…"`.
    pub id: Option<String>,
    /// What it looks like, or why it can't be read.
    pub looks: Result<Looks, String>,
}

/// What a shape looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// Width and height, m.
    pub size: [f64; 2],
    /// How many lines it has; ground is one.
    pub lines: usize,
    /// Whether they end where they begin.
    pub closed: bool,
}

/// The shapes of a drawing, in the order of the file, the first `most`; and how many there are.
pub fn shapes(path: &Path, most: usize) -> Result<(Vec<Drawn>, usize), InputError> {
    let source = read_drawing(path, None)?;
    let document = document(&source)?;
    let (root, drawing) = Drawing::of(&document, &source)?;
    let page = drawing.page(root, None)?;
    let looks = |element| {
        let (element, placed) = drawing.placed(element)?;
        let (data, whole) = drawing.data(element)?;
        let path = BezPath::from_svg(&data);
        let path = path.map_err(|error| InputError::new(&whole, format!("can't read the path: {error}"), "here"))?;
        Ok(looks_of(&(page * placed * path)))
    };
    let shapes = drawn(root).take(most).enumerate().map(|(i, element)| Drawn {
        number: i + 1,
        element: element.tag_name().name().to_owned(),
        id: label(element).or(element.attribute("id")).map(ToOwned::to_owned),
        looks: looks(element).map_err(|error: InputError| error.to_string()),
    });
    Ok((shapes.collect(), drawn(root).count()))
}

fn looks_of(path: &BezPath) -> Looks {
    let bounds = path.bounding_box();
    let (mut lines, mut closed, mut drawn) = (0, true, false);
    let size = bounds.width().hypot(bounds.height());
    let (mut start, mut at) = (None, None);
    // A line ends where the next begins; the last, with the path.
    for element in path.elements().iter().map(Some).chain([None]) {
        if let None | Some(PathEl::MoveTo(_)) = element
            && std::mem::take(&mut drawn)
        {
            lines += 1;
            let gap = |(a, b): (kurbo::Point, kurbo::Point)| a.distance(b) <= 1e-9 * size;
            closed &= start.zip(at).is_some_and(gap);
        }
        match element {
            None => {}
            Some(PathEl::MoveTo(point)) => (start, at) = (Some(*point), Some(*point)),
            Some(PathEl::ClosePath) => (at, drawn) = (start, true),
            Some(PathEl::LineTo(to) | PathEl::QuadTo(_, to) | PathEl::CurveTo(_, _, to)) => {
                (at, drawn) = (Some(*to), true);
            }
        }
    }
    Looks { size: [bounds.width(), bounds.height()], lines, closed: closed && lines > 0 }
}
