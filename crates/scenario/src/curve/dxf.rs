//! Lines of a drawing as CAD programs exchange them: `kind = "dxf"` (Autodesk, DXF Reference, ASCII form).

use std::collections::BTreeMap;
use std::path::Path;

use curves::{Arc, Ground, Interval, Piece};

use super::drawing::{Drawn, Looks};
use super::dxf_block::{TooMany, Unfolding};
use super::dxf_chain::{Chain, chains};
use super::dxf_entity::{Entity, Group, MEET, Part, Shape};
use super::dxf_layers::Layers;
use super::dxf_plane::{Plane, laid};
use super::dxf_sheet::{Pending, Sheet};
use super::file_of;
use super::formulas::positive;
use super::parts::{Names, Parts};
use super::shapes::Rounding;
use crate::input::{
    Files, InputError, Node, Reader, Source, Span, Text, UNITS, Value, listed, plain, read_table, rounded, wrong_type,
};

const DXF_FILE: Files = Files { kind: "DXF drawing (ASCII)", max_bytes: 64 << 20 };

/// Parts of lines that a drawing may have: more take too much memory.
const MAX_PARTS: usize = 300_000;

/// Length of `$INSUNITS` in m.
const INSUNITS: [(i64, f64); 12] = [
    (1, 0.0254),
    (2, 0.3048),
    (4, 1e-3),
    (5, 1e-2),
    (6, 1.0),
    (7, 1e3),
    (9, 2.54e-5),
    (10, 0.9144),
    (11, 1e-10),
    (12, 1e-9),
    (13, 1e-6),
    (14, 1e-1),
];

impl Parts {
    pub(super) fn dxf(&mut self, reader: &mut Reader, base: &Path, names: Names) -> Result<(), InputError> {
        let node = reader.need("file", "the path of a DXF drawing")?;
        let Value::String(path) = &node.value else { return Err(wrong_type(node, "file", "a path")) };
        self.count_file(&node.span)?;
        let unit = reader.choice("unit", &UNITS)?;
        let above = reader.choice("free-side", &[("left", false), ("above", true)])?.unwrap_or(false);
        let tolerance = positive(reader, "tolerance", "must be positive (m)", names)?;
        let (one, layer) = (reader.get("path"), reader.get("layer"));
        let all = match reader.get("paths") {
            None => false,
            Some(Node { value: Value::String(text), .. }) if &**text == "all" => true,
            Some(node) => return Err(wrong_type(node, "paths", "\"all\"")),
        };
        let Text { source, notes } = read_table(&file_of(path, base), Some(&node.span), DXF_FILE, None)?;
        self.notes.extend(notes);
        let drawing = Drawing::read(&source)?;
        let scale = unit.or(drawing.unit).ok_or_else(|| {
            let message = "the drawing does not say its unit";
            let help = "say it: unit = \"mm\", or another of the lengths that tables have";
            InputError::new(&node.span, message, "no $INSUNITS in its header").with_help(help)
        })?;
        let lines = drawing.lines(tolerance.map(|tolerance| tolerance / scale));
        self.notes.extend(drawing.notes());
        let chosen = choose(&lines, (one, layer, all), (&node.span, drawing.notes()))?;
        let moved = chosen.iter().map(|i| lines[*i].moved * scale).fold(0.0, f64::max);
        if moved > Ground::JOINT_TOLERANCE {
            let by = plain(rounded(moved, 3));
            self.notes.push(format!("ends up to {by} m apart were taken to be one"));
        }
        let (mut rounding, mut strays) = (Rounding::default(), Vec::new());
        let several = all || layer.is_some();
        for i in chosen.iter().copied() {
            let (span, name) = (drawing.place(lines[i].entities[0]), format!("line {}", i + 1));
            let mut add = |parts: &mut Self| {
                let first = parts.pieces.len();
                if several {
                    parts.begin(name.clone(), vec![("path", Value::Number((i + 1) as f64))], &span)?;
                }
                for part in &lines[i].parts {
                    parts.part(part, scale, &mut rounding, &span)?;
                }
                if above {
                    parts.free_above(first);
                }
                Ok(())
            };
            if several { self.or_stray(&mut strays, &name, add) } else { add(self)? }
        }
        self.tell(strays)?;
        self.notes.extend(rounding.note());
        Ok(())
    }

    fn part(&mut self, part: &Part, scale: f64, rounding: &mut Rounding, span: &Span) -> Result<(), InputError> {
        let (from, to) = (part.from * scale, part.to * scale);
        match part.shape {
            Shape::Line => self.line(from, to, span),
            Shape::Quadratic(p) => self.quadratic_bezier([from, p * scale, to], span),
            Shape::Cubic(p, q) => self.cubic_bezier([from, p * scale, q * scale, to], rounding, span),
            Shape::Bulge(bulge) => {
                let (centre, radius) = Part { from, to, ..*part }.circle(bulge);
                let away = from - centre;
                let start = away.y.atan2(away.x);
                let arc = Arc::new(centre, radius, start, start + 4.0 * bulge.atan());
                // All but straight, it has no centre.
                let Some((arc, length)) = arc else { return self.line(from, to, span) };
                self.add(Piece::of(arc, Interval::new(0.0, length)), span);
                Ok(())
            }
            Shape::Ellipse { centre, diameters: [u, v], angles: [a, b] } => {
                self.part_of_ellipse(centre * scale, [u * scale, v * scale], [a, b], span)
            }
        }
    }
}

/// The lines that are meant.
fn choose(
    lines: &[Chain],
    (one, layer, all): (Option<&Node>, Option<&Node>, bool),
    (from, left_out): (&Span, Option<String>),
) -> Result<Vec<usize>, InputError> {
    if let (Some(one), true) = (one, all || layer.is_some()) {
        return Err(InputError::new(&one.span, "`path` is one line, `paths` and `layer` are several", "one of both"));
    }
    let named = match layer.map(|node| (&node.value, node)) {
        None => None,
        Some((Value::String(name), node)) => Some((&**name, node)),
        Some((_, node)) => return Err(wrong_type(node, "layer", "the name of a layer")),
    };
    let found: Vec<usize> =
        (0..lines.len()).filter(|i| named.is_none_or(|(name, _)| lines[*i].layer == name)).collect();
    if let (Some((name, node)), true) = (named, found.is_empty()) {
        let mut layers: Vec<&str> = lines.iter().map(|line| line.layer.as_str()).collect();
        layers.sort_unstable();
        layers.dedup();
        let message = format!("nothing is drawn in a layer `{name}`");
        return Err(InputError::new(&node.span, message, listed(layers.into_iter())));
    }
    if lines.is_empty() {
        if let Some(left_out) = left_out {
            let message = format!("no line is drawn in this drawing; {left_out}");
            return Err(InputError::new(from, message, "a drawing with lines").with_help(
                "show what is hidden, and turn the rest into lines, arcs, polylines, ellipses or splines in the model space",
            ));
        }
        let help = "draw lines, arcs, polylines, ellipses or splines in the model space, or blocks of them";
        return Err(InputError::new(from, "no line is drawn in this drawing", "a drawing with lines").with_help(help));
    }
    if all || layer.is_some() {
        return Ok(found);
    }
    match one.map(|node| (&node.value, &node.span)) {
        None if lines.len() == 1 => Ok(found),
        None => {
            let message = format!("the drawing has {} lines", lines.len());
            let help = "path = 1 takes the first, paths = \"all\" each as a curve, layer = \"…\" those of a layer; `kugelbahn curves \
                        check` of the drawing lists them; `tolerance` (m) is how far ends may be apart that meet";
            Err(InputError::new(from, message, "which one?").with_help(help))
        }
        Some((Value::Number(number), span)) => {
            let index = lines.iter().enumerate().position(|(i, _)| (i + 1) as f64 == *number);
            let missing = || {
                let message = format!("the drawing has no line {}", plain(*number));
                InputError::new(span, message, format!("it has {}", lines.len()))
            };
            Ok(vec![index.ok_or_else(missing)?])
        }
        Some((_, span)) => Err(InputError::new(span, "`path` is no number", "the number of a line, from 1")),
    }
}

/// What is drawn.
struct Drawing {
    source: Source,
    entities: Vec<Entity>,
    /// Length of a drawing unit, m.
    unit: Option<f64>,
    /// Whether it is drawn in x and z.
    upright: bool,
    /// What was not read, and how often.
    left_out: BTreeMap<String, usize>,
}

/// The lines of a DXF drawing, in the order of the file, the first `most`, each with its layer; and how many there are. Sizes are NaN
/// where the drawing does not say its unit. Also what was not read.
pub fn dxf_lines(path: &Path, most: usize) -> Result<(Vec<Drawn>, usize, Option<String>), InputError> {
    let Text { source, .. } = read_table(path, None, DXF_FILE, None)?;
    let drawing = Drawing::read(&source)?;
    let lines = drawing.lines(None);
    let listed = lines.iter().take(most).enumerate().map(|(i, line)| drawing.drawn(i + 1, line));
    Ok((listed.collect(), lines.len(), drawing.notes()))
}

impl Drawing {
    /// Reads the entities of a drawing.
    fn read(source: &Source) -> Result<Drawing, InputError> {
        let text = source.text();
        let place = |at: usize| Span { source: source.clone(), range: at..at };
        if text.trim_start().starts_with("AutoCAD Binary DXF") {
            let help = "save it as ASCII DXF (R12 or 2000)";
            return Err(InputError::new(&place(0), "this DXF is binary", "here").with_help(help));
        }
        let too_many = |at: usize| {
            let message = format!("the drawing has more than {MAX_PARTS} parts of lines");
            InputError::new(&place(at), message, "here").with_help("draw it with fewer")
        };
        let upright = Plane::of(Groups { text, at: 0 }.map_while(Result::ok)).is_upright();
        let left_out = BTreeMap::new();
        let mut drawing = Drawing { source: source.clone(), entities: Vec::new(), unit: None, upright, left_out };
        let mut sheet = Sheet::default();
        let groups = Groups { text, at: 0 };
        let (mut section, mut variable) = ("", "");
        let mut layers = Layers::default();
        let mut entity = Pending::default();
        let (mut begun, mut total) = (false, 0);
        for group in groups {
            let group = group.map_err(|at| {
                let help = "save it as ASCII DXF (R12 or 2000)";
                InputError::new(&place(at), "this is no DXF drawing", "a group code is missing here").with_help(help)
            })?;
            match (group.code, group.value) {
                (0, name) => {
                    layers.next(if section == "TABLES" { name } else { "" });
                    if is_drawn(section) {
                        total += sheet.end(&mut entity, MAX_PARTS);
                    }
                    if total + entity.vertices.len() > MAX_PARTS {
                        return Err(too_many(group.at));
                    }
                    if name == "ENDSEC" {
                        section = "";
                    }
                    entity.name = name;
                    entity.at = group.at;
                    begun = name == "SECTION";
                }
                (2, name) if begun => {
                    section = name;
                    begun = false;
                }
                _ if section == "TABLES" => layers.read(&group),
                (9, name) => variable = name,
                (70, value) if section == "HEADER" && variable == "$INSUNITS" => {
                    let code: i64 = value.parse().unwrap_or(0);
                    drawing.unit = INSUNITS.iter().find(|(known, _)| *known == code).map(|(_, length)| *length);
                }
                // Two groups for each vertex of a polyline, and its bulge and widths.
                _ if is_drawn(section) && entity.groups.len() > 5 * MAX_PARTS => return Err(too_many(group.at)),
                _ if is_drawn(section) && upright => entity.groups.push(laid(group, entity.name)),
                _ if is_drawn(section) => entity.groups.push(group),
                _ => {}
            }
        }
        if is_drawn(section) {
            sheet.end(&mut entity, MAX_PARTS);
        }
        let mut unfolding =
            Unfolding { blocks: &sheet.blocks, entities: Vec::new(), left_out: sheet.left_out, rest: MAX_PARTS };
        unfolding.all(&sheet.model).map_err(|TooMany(at)| too_many(at))?;
        (drawing.entities, drawing.left_out) = (unfolding.entities, unfolding.left_out);
        layers.next("");
        let before = drawing.entities.len();
        drawing.entities.retain(|entity| !layers.hides(&entity.layer));
        if drawing.entities.len() < before {
            let what = "on layers that are off or frozen".to_owned();
            drawing.left_out.insert(what, before - drawing.entities.len());
        }
        Ok(drawing)
    }

    /// Its lines; ends this far apart meet, drawing units.
    fn lines(&self, tolerance: Option<f64>) -> Vec<Chain> {
        let points = || self.entities.iter().flat_map(|entity| &entity.parts).flat_map(|part| [part.from, part.to]);
        let size = |axis: usize| {
            let (lo, hi) =
                points().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| (lo.min(p[axis]), hi.max(p[axis])));
            (hi - lo).max(0.0)
        };
        let tolerance = tolerance.unwrap_or(MEET * size(0).hypot(size(1)));
        chains(&self.entities, tolerance.max(f64::MIN_POSITIVE))
    }

    /// What was not read.
    fn notes(&self) -> Option<String> {
        let all: Vec<String> = self.left_out.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let shown = all.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let left_out =
            (!all.is_empty()).then(|| format!("entities left out: {shown}{}", if all.len() > 8 { ", …" } else { "" }));
        let upright = self.upright.then(|| "it is drawn in x and z, with one y for all: z is taken upwards".to_owned());
        let told: Vec<String> = upright.into_iter().chain(left_out).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// A line for a list: its number, what it is drawn with, its layer, its size.
    fn drawn(&self, number: usize, line: &Chain) -> Drawn {
        let mut names: Vec<(&str, usize)> = Vec::new();
        for entity in &line.entities {
            let name = &*self.entities[*entity].name;
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => names.push((name, 1)),
            }
        }
        let names: Vec<String> = names.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in line.parts.iter().flat_map(Part::samples) {
            for axis in 0..2 {
                least[axis] = least[axis].min(point[axis]);
                most[axis] = most[axis].max(point[axis]);
            }
        }
        let unit = self.unit.unwrap_or(f64::NAN);
        let size = [0, 1].map(|axis| (most[axis] - least[axis]) * unit);
        let mut alone = Parts::default();
        let (span, mut rounding) = (self.place(line.entities[0]), Rounding::default());
        let scale = self.unit.unwrap_or(1.0);
        let drawn = line.parts.iter().try_for_each(|part| alone.part(part, scale, &mut rounding, &span));
        let looks = drawn.map(|()| Looks { size, lines: 1, closed: usize::from(line.closed) });
        let looks = looks.map_err(|error| error.to_string());
        Drawn { number, element: names.join(", "), id: Some(line.layer.clone()), looks }
    }

    fn place(&self, entity: usize) -> Span {
        let Entity { at, name, .. } = &self.entities[entity];
        Span { source: self.source.clone(), range: *at..*at + name.len() }
    }
}

/// Whether a section has entities, or blocks of them.
fn is_drawn(section: &str) -> bool {
    matches!(section, "ENTITIES" | "BLOCKS")
}

/// Pairs of lines: a code and a value.
struct Groups<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Groups<'a> {
    fn line(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let begin = self.at;
        let length = rest.find('\n').unwrap_or(rest.len());
        self.at += length + 1;
        Some((begin, rest[..length].trim()))
    }
}

impl<'a> Iterator for Groups<'a> {
    /// A group, or where none can be read.
    type Item = Result<Group<'a>, usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let (begin, code) = self.line()?;
        let code = code.trim_start_matches('\u{feff}');
        // Blank lines may follow the end.
        if code.is_empty() && self.text[self.at.min(self.text.len())..].trim().is_empty() {
            return None;
        }
        let Ok(code) = code.parse() else { return Some(Err(begin)) };
        let (at, value) = self.line()?;
        Some(Ok(Group { code, value, at }))
    }
}
