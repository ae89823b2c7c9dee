//! [`Drawing`]: elements of an SVG drawing, their lines and transforms.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use kurbo::{Affine, Point};
use numbers::elementary;
use roxmltree::{Attribute, Document, Node as Element, NodeId};

use super::svg_path::{DrawnLines, stretches};
use super::svg_style::Styles;
use crate::input::{Files, InputError, Source, Span, read_file};

pub(super) const SVG_FILE: Files = Files { kind: "SVG drawing", max_bytes: 64 << 20 };

/// Maximum number of elements of a drawing.
pub(super) const MAX_ELEMENTS: u32 = 1_000_000;

/// Size of a pixel, m: 96 pixels are an inch.
const PIXEL: f64 = 0.0254 / 96.0;

/// Units of lengths, with their size in m.
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

pub(super) fn is_drawn(element: Element) -> bool {
    SHAPES.contains(&element.tag_name().name())
}

pub(super) fn read_drawing(path: &Path, from: Option<&Span>) -> Result<Source, InputError> {
    read_file(path, "drawing", from, SVG_FILE)
}

/// Cure for a drawing that is too large.
pub(super) const SMALLER: &str = "keep the part that is ground: ungroup it, and save it alone";

/// Position of an element: that of its name.
pub(super) fn place(source: &Source, element: Element) -> Span {
    let range = element.range();
    let name = element.tag_name().name().len() + 1;
    source.at(range.start..range.end.min(range.start + name))
}

pub(super) struct Drawing<'a, 'i> {
    pub(super) source: &'a Source,
    pub(super) root: Element<'a, 'i>,
    /// The first element with each id.
    pub(super) ids: HashMap<&'a str, Element<'a, 'i>>,
    /// Rules of the drawing's style sheets.
    pub(super) styles: Styles,
    /// Width and height of the viewport, to which lengths in percent refer, in user units; `None`: unknown.
    view: [Option<f64>; 2],
    /// Transforms of groups and uses that are known, each within one ancestor or the page.
    known: RefCell<KnownTransforms>,
}

/// Transforms of a group or use, within an ancestor or the page.
type KnownTransforms = HashMap<[Option<NodeId>; 2], Result<Affine, InputError>>;

impl<'a, 'i> Drawing<'a, 'i> {
    /// Reads the root, ids, styles and size of a document.
    pub(super) fn of(document: &'a Document<'i>, source: &'a Source) -> Result<Drawing<'a, 'i>, InputError> {
        let root = document.root_element();
        let ids = root.descendants().rev().filter_map(|element| Some((element.attribute("id")?, element)));
        let styles = Styles::of(root, MAX_ELEMENTS as usize).map_err(|sheet| {
            let rule = format!("at most {MAX_ELEMENTS} selectors of rules that hide or move");
            InputError::new(&place(source, sheet), "the style sheets are too large", rule).with_help(SMALLER)
        })?;
        let (ids, known) = (ids.collect(), RefCell::default());
        let mut drawing = Drawing { source, root, ids, styles, view: [None; 2], known };
        if root.tag_name().name() != "svg" {
            let message = format!("this is no drawing: its root is <{}>, not <svg>", root.tag_name().name());
            return Err(InputError::new(&drawing.element(root), message, "expected <svg>"));
        }
        drawing.view = match drawing.view_box(root) {
            Ok(Some([_, _, w, h])) => [Some(w), Some(h)],
            // Unreadable sizes are reported when the page is measured.
            _ => ["width", "height"].map(|name| {
                let length = drawing.length(root.attribute_node(name)?);
                length.ok().flatten().map(|length| length / PIXEL)
            }),
        };
        Ok(drawing)
    }

    pub(super) fn element(&self, element: Element) -> Span {
        place(self.source, element)
    }

    fn value(&self, attribute: Attribute) -> Span {
        self.source.at(attribute.range_value())
    }

    /// Path data equivalent to an element (SVG 2, ch. 10), with their position in the file.
    pub(super) fn data(&self, element: Element<'a, 'i>) -> Result<(Cow<'a, str>, Span), InputError> {
        let whole = self.element(element);
        let number = |name| element.attribute_node(name).map_or(Ok(0.0), |value| self.shift(value));
        let missing = |name: &str| {
            let message = format!("this <{}> draws nothing", element.tag_name().name());
            InputError::new(&whole, message, format!("it has no `{name}`"))
        };
        let size = |name| {
            let value = element.attribute_node(name).ok_or_else(|| missing(name))?;
            let wrong = || InputError::new(&self.value(value), format!("`{name}` is not positive"), "it draws nothing");
            Some(self.shift(value)?).filter(|size| *size > 0.0).ok_or_else(wrong)
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
                self.rounded(element, [x, y, w, h])?
            }
            "path" => {
                let data = element.attribute_node("d").ok_or_else(|| missing("d"))?;
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

    /// Path data of a rectangle, with rounded corners if it has them.
    fn rounded(&self, element: Element<'a, 'i>, [x, y, w, h]: [f64; 4]) -> Result<String, InputError> {
        let radius = |name| match element.attribute_node(name) {
            Some(value) if value.value().trim() != "auto" => self.shift(value).map(|r| Some(r.max(0.0))),
            _ => Ok(None),
        };
        let (rx, ry) = (radius("rx")?, radius("ry")?);
        let rx = rx.or(ry).unwrap_or(0.0).min(0.5 * w);
        let ry = ry.unwrap_or(rx).min(0.5 * h);
        let (right, low) = (x + w, y + h);
        if !(rx > 0.0 && ry > 0.0) {
            return Ok(format!("M{x} {y}H{right}V{low}H{x}Z"));
        }
        let side = |letter: char, to: f64, [x, y]: [f64; 2]| format!("{letter}{to}A{rx} {ry} 0 0 1 {x} {y}");
        let sides = [
            side('H', right - rx, [right, y + ry]),
            side('V', low - ry, [right - rx, low]),
            side('H', x + rx, [x, low - ry]),
            side('V', y + ry, [x + rx, y]),
        ];
        Ok(format!("M{} {y}{}", x + rx, sides.concat()))
    }

    /// Lines that an element draws, in the order of its data.
    pub(super) fn lines(&self, element: Element<'a, 'i>) -> Result<DrawnLines, InputError> {
        let (text, whole) = self.data(element)?;
        let path = element.tag_name().name() == "path";
        let mut lines = DrawnLines { all: Vec::new(), whole, path };
        lines.all = stretches(&text).map_err(|error| {
            InputError::new(&lines.place((error.at, error.at)), error.message, "here").with_help(error.help)
        })?;
        Ok(lines)
    }

    /// Reads a length in user units, such as `x` of a `<use>`; 0 by default.
    pub(super) fn shift(&self, attribute: Attribute) -> Result<f64, InputError> {
        let text = attribute.value().trim();
        if let Some(part) = text.strip_suffix('%') {
            return self.part(attribute, part);
        }
        self.metres(attribute, |length| (length / PIXEL).is_finite()).map(|length| length / PIXEL)
    }

    /// Reads a length with its unit, m.
    fn metres(&self, attribute: Attribute, allowed: fn(f64) -> bool) -> Result<f64, InputError> {
        let text = attribute.value().trim();
        let (number, unit) = text.split_at(text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
        let unit = UNITS.iter().find(|(name, _)| *name == unit);
        let value = number.trim().parse::<f64>().ok().zip(unit).map(|(value, (_, unit))| value * unit);
        value.filter(|value| value.is_finite() && allowed(*value)).ok_or_else(|| {
            let message = format!("can't read the length `{text}`");
            InputError::new(&self.value(attribute), message, "a number, perhaps with px, mm, cm, m, in, pt, pc or Q")
        })
    }

    /// Reads a length in percent of the viewport (SVG 2, 8.9): of its width, its height, or for a radius of the root
    /// mean square of both.
    fn part(&self, attribute: Attribute, percent: &str) -> Result<f64, InputError> {
        let whole = match (attribute.name(), self.view) {
            ("x" | "x1" | "x2" | "cx" | "rx" | "width", [w, _]) => w,
            ("y" | "y1" | "y2" | "cy" | "ry" | "height", [_, h]) => h,
            (_, [w, h]) => w.zip(h).map(|(w, h)| (0.5 * (w * w + h * h)).sqrt()),
        };
        let wrong = |message: String, rule: &str| InputError::new(&self.value(attribute), message, rule);
        let Some(whole) = whole else {
            let message = format!("`{}` is a part of the page, whose size is not said", attribute.value());
            return Err(wrong(message, "a length").with_help(
                "give `<svg>` a `viewBox`, or `width` and `height`; or write the length in mm, or as a number",
            ));
        };
        let number = percent.trim().parse::<f64>().ok().map(|number| 0.01 * number * whole);
        number.filter(|value| value.is_finite()).ok_or_else(|| {
            wrong(format!("can't read the length `{}`", attribute.value()), "a number with %, such as 50%")
        })
    }

    /// Transform from the user units of an element to those of the page, or to those of an ancestor `within`. That of
    /// each group is computed once, from the outermost on.
    pub(super) fn transforms(&self, element: Element, within: Option<Element>) -> Result<Affine, InputError> {
        let mut known = self.known.borrow_mut();
        let key = |group: Element| [within.map(|within| within.id()), Some(group.id())];
        let (mut map, mut inwards) = (Ok(Affine::IDENTITY), Vec::new());
        for group in element.ancestors().filter(Element::is_element) {
            if let Some(found) = known.get(&key(group)) {
                map = found.clone();
                break;
            }
            inwards.push(group);
            if Some(group) == within {
                break;
            }
        }
        for group in inwards.into_iter().rev() {
            map = map.and_then(|map| Ok(map * self.placed_in_parent(group, Some(group) == within)?));
            if !is_drawn(group) {
                known.insert(key(group), map.clone());
            }
        }
        map
    }

    /// An element's own transform; an error if it has units of its own, unless it is the `outermost` to look at.
    fn placed_in_parent(&self, group: Element, outermost: bool) -> Result<Affine, InputError> {
        let name = group.tag_name().name();
        let own_units = ["svg", "symbol", "marker", "pattern", "clipPath", "mask"].contains(&name);
        if own_units && !outermost && group.parent_element().is_some() {
            let message = format!("this path is inside a <{name}>, which has units of its own");
            return Err(InputError::new(&self.element(group), message, "move the path out of it"));
        }
        if let Some(key) = self.styles.moves(group) {
            let message = format!("a style moves this <{name}>: `{key}` in a style is not understood");
            let place = group.attribute_node("style").or(group.attribute_node("class"));
            let place = place.map_or_else(|| self.element(group), |attribute| self.value(attribute));
            return Err(InputError::new(&place, message, "write it as attribute `transform`"));
        }
        let Some(attribute) = group.attribute_node("transform") else { return Ok(Affine::IDENTITY) };
        let around = self.styles.around(group).map_err(|key| {
            let message = format!("`{key}` of this <{name}> is not understood");
            InputError::new(&self.value(attribute), message, "this transform")
                .with_help("`transform-origin` may be two lengths in px; or write the point into the transform: rotate(angle, x, y)")
        })?;
        let map = self.transform(attribute)?;
        Ok(Affine::translate(around) * map * Affine::translate((-around.0, -around.1)))
    }

    /// Reads a list of transforms.
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
                ("skewX", &[angle]) => Affine::skew(elementary::tan(angle.to_radians()), 0.0),
                ("skewY", &[angle]) => Affine::skew(0.0, elementary::tan(angle.to_radians())),
                _ => return Err(wrong()),
            };
            rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        }
        Ok(map)
    }

    /// Transform from the page's user units to metres, y upwards, from the page's lower left corner if it has a height.
    pub(super) fn page(&self, root: Element, scale: Option<f64>) -> Result<Affine, InputError> {
        let size = |name| root.attribute_node(name).map_or(Ok(None), |value| self.length(value));
        let (width, height) = (size("width")?, size("height")?);
        let view = self.view_box(root)?;
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
            (_, _, Some(width), Some(height)) => stretched(ratio, width / w, height / h),
        };
        let [right, up] = match (scale, view, width, height) {
            (None, Some(_), Some(width), Some(height)) => {
                [share(ratio, "xMin", "xMax") * (width - kx * w), share(ratio, "YMax", "YMin") * (height - ky * h)]
            }
            _ => [0.0; 2],
        };
        Ok(Affine::new([kx, 0.0, 0.0, -ky, right - kx * left, up + ky * (top + h)]))
    }

    /// An element's `viewBox`: left, top, width, height.
    pub(super) fn view_box(&self, element: Element) -> Result<Option<[f64; 4]>, InputError> {
        let Some(attribute) = element.attribute_node("viewBox") else { return Ok(None) };
        match numbers(attribute.value()).as_deref() {
            Some(&[x, y, w, h]) if w > 0.0 && h > 0.0 => Ok(Some([x, y, w, h])),
            _ => {
                let message = format!("can't read the viewBox `{}`", attribute.value());
                Err(InputError::new(&self.value(attribute), message, "min-x min-y width height"))
            }
        }
    }

    /// Reads a length, m; `None` for a percentage.
    fn length(&self, attribute: Attribute) -> Result<Option<f64>, InputError> {
        let text = attribute.value().trim();
        if text.ends_with('%') || text == "auto" {
            return Ok(None);
        }
        self.metres(attribute, |length| length > 0.0).map(Some)
    }
}

/// Scale factors of a view box with `preserveAspectRatio`, given those `x` and `y` without it.
pub(super) fn stretched(ratio: &str, x: f64, y: f64) -> (f64, f64) {
    match ratio {
        "none" => (x, y),
        slice if slice.ends_with("slice") => (x.max(y), x.max(y)),
        _ => (x.min(y), x.min(y)),
    }
}

/// Part of the free space before the view box by the alignment `ratio`: 0 (`least`), 1 (`most`), or else 1/2.
pub(super) fn share(ratio: &str, least: &str, most: &str) -> f64 {
    match ratio {
        ratio if ratio.contains(least) => 0.0,
        ratio if ratio.contains(most) => 1.0,
        _ => 0.5,
    }
}

/// Reads finite numbers separated by blanks or commas.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
    parts.map(|part| part.parse::<f64>().ok().filter(|value| value.is_finite())).collect()
}
