//! What the elements of an SVG drawing draw, and where.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use kurbo::{Affine, Point};
use roxmltree::{Attribute, Document, Node as Element, ParsingOptions, TextPos};

use super::svg_lines::Lines;
use super::svg_path::stretches;
use crate::input::{Files, InputError, Source, Span, read_file};

const SVG_FILE: Files = Files { kind: "SVG drawing", max_bytes: 64 << 20 };

/// Elements that a drawing may have.
const MAX_ELEMENTS: u32 = 1_000_000;

/// m: 96 pixels are an inch.
const PIXEL: f64 = 0.0254 / 96.0;

/// Units of lengths, in m.
const UNITS: [(&str, f64); 9] = [
    ("", PIXEL),
    ("px", PIXEL),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("m", 1.0),
    ("in", 0.0254),
    ("pt", 0.0254 / 72.0),
    ("pc", 0.0254 / 6.0),
    ("Q", 0.25e-3),
];

/// Elements that draw one line.
pub(super) const SHAPES: [&str; 7] = ["path", "circle", "ellipse", "line", "polyline", "polygon", "rect"];

/// Whether an element draws one line.
pub(super) fn is_drawn(element: Element) -> bool {
    SHAPES.contains(&element.tag_name().name())
}

/// The byte of a line and column.
fn offset_of(text: &str, position: TextPos) -> usize {
    let line = text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or("");
    line + rest.char_indices().nth(position.col.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at)
}

/// Reads the file of a drawing.
pub(super) fn read_drawing(path: &Path, from: Option<&Span>) -> Result<Source, InputError> {
    read_file(path, "drawing", from, SVG_FILE)
}

/// The elements of a drawing.
pub(super) fn document(source: &Source) -> Result<Document<'_>, InputError> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_ELEMENTS, ..ParsingOptions::default() };
    Document::parse_with_options(source.text(), options).map_err(|error| {
        let at = offset_of(source.text(), error.pos());
        let span = Span { source: source.clone(), range: at..at };
        InputError::new(&span, format!("not XML: {error}"), "here")
    })
}

pub(super) struct Drawing<'a, 'i> {
    source: &'a Source,
    /// Each `<use>` by the id of what it draws.
    uses: HashMap<&'a str, Vec<Element<'a, 'i>>>,
    /// The first element with each id.
    ids: HashMap<&'a str, Element<'a, 'i>>,
}

impl<'a, 'i> Drawing<'a, 'i> {
    /// Of a document, with its root.
    pub(super) fn of(
        document: &'a Document<'i>,
        source: &'a Source,
    ) -> Result<(Element<'a, 'i>, Drawing<'a, 'i>), InputError> {
        let root = document.root_element();
        let ids = root.descendants().rev().filter_map(|element| Some((element.attribute("id")?, element)));
        let drawing = Drawing { source, uses: uses(root), ids: ids.collect() };
        if root.tag_name().name() != "svg" {
            let message = format!("this is no drawing: its root is <{}>, not <svg>", root.tag_name().name());
            return Err(InputError::new(&drawing.element(root), message, "expected <svg>"));
        }
        Ok((root, drawing))
    }

    pub(super) fn element(&self, element: Element) -> Span {
        let range = element.range();
        let name = element.tag_name().name().len() + 1;
        Span { source: self.source.clone(), range: range.start..range.end.min(range.start + name) }
    }

    fn value(&self, attribute: Attribute) -> Span {
        Span { source: self.source.clone(), range: attribute.range_value() }
    }

    /// The path that an element draws, and how its user units lie on the page: itself, or what a `<use>` of it says. A path
    /// in `<defs>` is drawn where it is used.
    pub(super) fn placed(&self, element: Element<'a, 'i>) -> Result<(Element<'a, 'i>, Affine), InputError> {
        let uses = |of: Element<'a, 'i>| of.attribute("id").and_then(|id| self.uses.get(id)).into_iter().flatten();
        if element.tag_name().name() == "use" {
            let id = target(element);
            let Some(&path) = id.and_then(|id| self.ids.get(id)) else {
                let message = format!("this <use> draws `{}`, which is not there", id.unwrap_or(""));
                return Err(InputError::new(&self.element(element), message, "`href` = \"#\" and the id of a path"));
            };
            if !is_drawn(path) {
                let message = format!("this <use> draws a <{}>", path.tag_name().name());
                let label = "only a <use> of a path is understood";
                let help = "unlink the clone in the drawing program (Inkscape: Edit, Clone, Unlink Clone), or name another path";
                return Err(InputError::new(&self.element(element), message, label).with_help(help));
            }
            let shift = |name| element.attribute_node(name).map_or(Ok(0.0), |value| self.shift(value));
            let map = self.transforms(element)? * Affine::translate((shift("x")?, shift("y")?));
            return Ok((path, map * self.transform_of(path)?));
        }
        let in_defs = element.ancestors().any(|group| group.tag_name().name() == "defs");
        let group = element.ancestors().skip(1).find_map(|group| uses(group).next());
        if let Some(group) = group.filter(|_| in_defs) {
            let message = "this <use> draws a group with the path in it";
            return Err(InputError::new(
                &self.element(*group),
                message,
                "only a <use> of the path itself is understood",
            ));
        }
        let mut drawn = uses(element);
        match (drawn.next().filter(|_| in_defs), drawn.next()) {
            (None, _) => Ok((element, self.transforms(element)?)),
            (Some(only), None) => self.placed(*only),
            (Some(_), Some(second)) => {
                let message = "the path is drawn several times";
                let help = "give the <use> that is meant an id, and name that: path = \"…\"";
                Err(InputError::new(&self.element(*second), message, "a second time here").with_help(help))
            }
        }
    }

    /// What an element draws as path data (SVG 2, ch. 10), and its place.
    pub(super) fn data(&self, element: Element<'a, 'i>) -> Result<(Cow<'a, str>, Span), InputError> {
        let whole = self.element(element);
        let number = |name| element.attribute_node(name).map_or(Ok(0.0), |value| self.shift(value));
        let missing = |name: &str| {
            let message = format!("this <{}> draws nothing", element.tag_name().name());
            InputError::new(&whole, message, format!("it has no `{name}`"))
        };
        let size = |name| match element.attribute_node(name).map(|value| (self.shift(value), value)) {
            Some((Ok(size), _)) if size > 0.0 => Ok(size),
            Some((Ok(_), value)) => {
                Err(InputError::new(&self.value(value), format!("`{name}` is not positive"), "it draws nothing"))
            }
            Some((Err(error), _)) => Err(error),
            None => Err(missing(name)),
        };
        // Clockwise on the page, from three o'clock.
        let oval = |rx: f64, ry: f64| {
            let (cx, cy) = (number("cx")?, number("cy")?);
            let (right, left) = (cx + rx, cx - rx);
            Ok(format!("M{right} {cy}A{rx} {ry} 0 0 1 {left} {cy}A{rx} {ry} 0 0 1 {right} {cy}Z"))
        };
        let text = match element.tag_name().name() {
            "circle" => size("r").and_then(|r| oval(r, r))?,
            "ellipse" => oval(size("rx")?, size("ry")?)?,
            "line" => format!("M{} {}L{} {}", number("x1")?, number("y1")?, number("x2")?, number("y2")?),
            "rect" => {
                let (x, y, w, h) = (number("x")?, number("y")?, size("width")?, size("height")?);
                let radius = |name| match element.attribute_node(name) {
                    Some(value) if value.value().trim() != "auto" => self.shift(value).map(|r| Some(r.max(0.0))),
                    _ => Ok(None),
                };
                let (rx, ry) = (radius("rx")?, radius("ry")?);
                let rx = [rx, ry].into_iter().flatten().next().unwrap_or(0.0).min(0.5 * w);
                let ry = [ry, Some(rx)].into_iter().flatten().next().unwrap_or(0.0).min(0.5 * h);
                let (right, low) = (x + w, y + h);
                if rx > 0.0 && ry > 0.0 {
                    let arc = |x: f64, y: f64| format!("A{rx} {ry} 0 0 1 {x} {y}");
                    format!(
                        "M{} {y}H{}{}V{}{}H{}{}V{}{}",
                        x + rx,
                        right - rx,
                        arc(right, y + ry),
                        low - ry,
                        arc(right - rx, low),
                        x + rx,
                        arc(x, low - ry),
                        y + ry,
                        arc(x + rx, y)
                    )
                } else {
                    format!("M{x} {y}H{right}V{low}H{x}Z")
                }
            }
            "path" => {
                let data = element
                    .attribute_node("d")
                    .ok_or_else(|| InputError::new(&whole, "this path draws nothing", "it has no `d`"))?;
                return Ok((Cow::Borrowed(data.value()), self.value(data)));
            }
            name => {
                let points = element.attribute_node("points").ok_or_else(|| missing("points"))?;
                let end = if name == "polygon" { "Z" } else { "" };
                let odd = numbers(points.value()).is_some_and(|numbers| numbers.len() % 2 == 1);
                if odd || points.value().contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) {
                    let message = "these are no pairs of numbers";
                    return Err(InputError::new(&self.value(points), message, "x,y x,y …"));
                }
                format!("M{}{end}", points.value())
            }
        };
        Ok((Cow::Owned(text), whole))
    }

    /// What an element draws, line by line.
    pub(super) fn lines(&self, element: Element<'a, 'i>) -> Result<Lines, InputError> {
        let (text, whole) = self.data(element)?;
        let path = element.tag_name().name() == "path";
        let mut lines = Lines { all: Vec::new(), whole, path };
        lines.all = stretches(&text).map_err(|error| {
            InputError::new(&lines.place((error.at, error.at)), error.message, "here").with_help(error.help)
        })?;
        Ok(lines)
    }

    /// A length in user units, such as `x` of a `<use>`.
    fn shift(&self, attribute: Attribute) -> Result<f64, InputError> {
        let text = attribute.value().trim();
        let (number, unit) = text.split_at(text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
        let unit = UNITS.iter().find(|(name, _)| *name == unit);
        let value = number.trim().parse::<f64>().ok().zip(unit).map(|(value, (_, unit))| value * unit / PIXEL);
        value.filter(|value| value.is_finite()).ok_or_else(|| {
            let message = format!("can't read the length `{text}`");
            InputError::new(&self.value(attribute), message, "a number, perhaps with px, mm, cm, m, in, pt, pc or Q")
        })
    }

    /// From the user units of an element to those of the page.
    fn transforms(&self, element: Element) -> Result<Affine, InputError> {
        let mut map = Affine::IDENTITY;
        for group in element.ancestors().filter(Element::is_element) {
            let own_units =
                ["svg", "symbol", "marker", "pattern", "clipPath", "mask"].contains(&group.tag_name().name());
            if own_units && group.parent_element().is_some() {
                let message =
                    format!("this path is inside a <{}>, which has units of its own", group.tag_name().name());
                return Err(InputError::new(&self.element(group), message, "move the path out of it"));
            }
            map = self.transform_of(group)? * map;
        }
        Ok(map)
    }

    /// An element's own transform.
    fn transform_of(&self, element: Element) -> Result<Affine, InputError> {
        if let Some(style) = element.attribute_node("style").filter(|style| style.value().contains("transform")) {
            let message = "a transform in a style is not understood";
            return Err(InputError::new(&self.value(style), message, "write it as attribute `transform`"));
        }
        element.attribute_node("transform").map_or(Ok(Affine::IDENTITY), |attribute| self.transform(attribute))
    }

    /// A list of transforms.
    fn transform(&self, attribute: Attribute) -> Result<Affine, InputError> {
        let wrong = || {
            let help = "known are matrix, translate, scale, rotate, skewX and skewY";
            let message = format!("can't read the transform `{}`", attribute.value());
            InputError::new(&self.value(attribute), message, "here").with_help(help)
        };
        let mut map = Affine::IDENTITY;
        let mut rest = attribute.value().trim();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('(').ok_or_else(wrong)?;
            let (arguments, after) = after.split_once(')').ok_or_else(wrong)?;
            let numbers = numbers(arguments).ok_or_else(wrong)?;
            map *= match (name.trim(), numbers.as_slice()) {
                ("matrix", &[a, b, c, d, e, f]) => Affine::new([a, b, c, d, e, f]),
                ("translate", &[x]) => Affine::translate((x, 0.0)),
                ("translate", &[x, y]) => Affine::translate((x, y)),
                ("scale", &[factor]) => Affine::scale(factor),
                ("scale", &[x, y]) => Affine::scale_non_uniform(x, y),
                ("rotate", &[angle]) => Affine::rotate(angle.to_radians()),
                ("rotate", &[angle, x, y]) => Affine::rotate_about(angle.to_radians(), Point::new(x, y)),
                ("skewX", &[angle]) => Affine::skew(angle.to_radians().tan(), 0.0),
                ("skewY", &[angle]) => Affine::skew(0.0, angle.to_radians().tan()),
                _ => return Err(wrong()),
            };
            rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        }
        Ok(map)
    }

    /// From the page's user units to metres, y upwards, from the lower left corner of the page if it has a height.
    pub(super) fn page(&self, root: Element, scale: Option<f64>) -> Result<Affine, InputError> {
        let width = root.attribute_node("width").map(|a| self.length(a)).transpose()?.flatten();
        let height = root.attribute_node("height").map(|a| self.length(a)).transpose()?.flatten();
        let view = match root.attribute_node("viewBox") {
            None => None,
            Some(attribute) => match numbers(attribute.value()).as_deref() {
                Some(&[x, y, w, h]) if w > 0.0 && h > 0.0 => Some([x, y, w, h]),
                _ => {
                    let message = format!("can't read the viewBox `{}`", attribute.value());
                    return Err(InputError::new(&self.value(attribute), message, "min-x min-y width height"));
                }
            },
        };
        let ratio = root.attribute("preserveAspectRatio").unwrap_or("").trim();
        let [left, top, w, h] = match view {
            Some(view) => view,
            None => [0.0, 0.0, width.unwrap_or(0.0) / PIXEL, height.unwrap_or(0.0) / PIXEL],
        };
        let (kx, ky) = match (scale, view, width, height) {
            (Some(scale), ..) => (scale, scale),
            (_, None, ..) | (_, _, None, None) => (PIXEL, PIXEL),
            (_, _, Some(width), None) => (width / w, width / w),
            (_, _, None, Some(height)) => (height / h, height / h),
            (_, _, Some(width), Some(height)) => {
                let (x, y) = (width / w, height / h);
                match ratio {
                    "none" => (x, y),
                    slice if slice.ends_with("slice") => (x.max(y), x.max(y)),
                    _ => (x.min(y), x.min(y)),
                }
            }
        };
        // What the page has more than the view box is shared by the alignment, xMidYMid if it is not said.
        let part = |least: &str, most: &str| match ratio {
            ratio if ratio.contains(least) => 0.0,
            ratio if ratio.contains(most) => 1.0,
            _ => 0.5,
        };
        let [right, up] = match (scale, view, width, height) {
            (None, Some(_), Some(width), Some(height)) => {
                [part("xMin", "xMax") * (width - kx * w), part("YMax", "YMin") * (height - ky * h)]
            }
            _ => [0.0; 2],
        };
        Ok(Affine::new([kx, 0.0, 0.0, -ky, right - kx * left, up + ky * (top + h)]))
    }

    /// A length in m; none where it is a part of what surrounds it.
    fn length(&self, attribute: Attribute) -> Result<Option<f64>, InputError> {
        let text = attribute.value().trim();
        if text.ends_with('%') || text == "auto" {
            return Ok(None);
        }
        let wrong = || {
            let message = format!("can't read the length `{text}`");
            InputError::new(&self.value(attribute), message, "a number with px, mm, cm, m, in, pt, pc or Q")
        };
        let split = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (number, unit) = text.split_at(split);
        let value: f64 = number.trim().parse().map_err(|_| wrong())?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        if value > 0.0 && value.is_finite() { Ok(Some(value * unit)) } else { Err(wrong()) }
    }
}

/// Each `<use>` of a drawing by the id of what it draws.
fn uses<'a, 'i>(root: Element<'a, 'i>) -> HashMap<&'a str, Vec<Element<'a, 'i>>> {
    let mut uses = HashMap::new();
    for element in root.descendants().filter(|element| element.tag_name().name() == "use") {
        if let Some(id) = target(element) {
            uses.entry(id).or_insert_with(Vec::new).push(element);
        }
    }
    uses
}

/// The id of what a `<use>` draws.
fn target<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    let link = "http://www.w3.org/1999/xlink";
    let text = element.attribute("href").or_else(|| element.attribute((link, "href")));
    text.and_then(|text| text.trim().strip_prefix('#'))
}

/// Finite numbers with blanks or commas between them.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
    parts.map(|part| part.parse::<f64>().ok().filter(|value| value.is_finite())).collect()
}
