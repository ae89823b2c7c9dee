//! Ground curves from tables: DESIGN §4.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use curves::expression::{CornersError, smooth_parts};
use curves::{
    Arc, Expression, ExpressionErrorKind, Graph, Ground, GroundError, Interval, Line, Parametric, Parametrisation,
    Piece,
};
use nalgebra::Vector2;

use crate::input::{
    InputError, Node, Reader, Source, Span, Value, did_you_mean, name_of, parse, plain, read_file, vector, wrong_type,
};

/// Curves may refer to files of curves this deep.
const MAX_NESTING: usize = 8;

/// Curve files that a ground may be made of.
const MAX_FILES: usize = 1000;
/// Parameters a curve may have.
const MAX_PARAMETERS: usize = 200;

/// A ground with what its file says of it.
#[derive(Debug)]
pub struct Curve {
    /// What it is called.
    pub title: String,
    /// Its kind.
    pub kind: String,
    /// The ground itself.
    pub ground: Ground,
    /// Parameters as used.
    pub parameters: Vec<(String, f64)>,
    /// The curve as it was read, for the record.
    pub source: Node,
}

/// Reads a curve file.
pub fn load_curve(path: &Path) -> Result<Curve, InputError> {
    let source = read_file(path, "curve file", None)?;
    let root = parse(&source)?;
    build_curve(&root, path.parent().unwrap_or(Path::new("")), None)
}

/// Reads a curve from text; paths in it are relative to `base`.
pub fn curve_from_text(text: &str, base: &Path) -> Result<Curve, InputError> {
    build_curve(&parse(&Source::new("curve", text.to_owned()))?, base, None)
}

/// Reads the `[ground]` table of a scenario in the folder `base`.
pub fn load_ground(ground: &mut Reader, base: &Path) -> Result<Curve, InputError> {
    let node = ground.need("curve", "the path of a curve file, or a table that describes a curve")?;
    let parameters = ground.get("parameters");
    match &node.value {
        Value::String(text) => {
            let path = base.join(text);
            let source = read_file(&path, "curve file", Some(&node.span))?;
            let root = parse(&source)?;
            build_curve(&root, path.parent().unwrap_or(Path::new("")), parameters)
        }
        Value::Table(_) => build_curve(node, base, parameters),
        _ => Err(wrong_type(node, "curve", "the path of a curve file, or a table")),
    }
}

fn build_curve(root: &Node, base: &Path, overrides: Option<&Node>) -> Result<Curve, InputError> {
    let mut reader = Reader::new(root, "the curve")?;
    let title = reader.string("title")?.unwrap_or("untitled").to_owned();
    let mut parts = Parts::default();
    parts.read(&mut reader, base, overrides, 0)?;
    reader.finish()?;
    let pieces = std::mem::take(&mut parts.pieces);
    let ground = if parts.by_arc_length { Ground::by_arc_length(pieces) } else { Ground::new(pieces) };
    let ground = ground.map_err(|error| parts.explain(&error, root))?;
    Ok(Curve { title, kind: parts.kind, ground, parameters: parts.parameters, source: root.clone() })
}

/// Pieces on their way to a ground, each with the place it was written.
#[derive(Default)]
struct Parts {
    pieces: Vec<Piece>,
    spans: Vec<Span>,
    /// Pieces that are graphs: their parameter is `x`, and they never stand still.
    graphs: Vec<bool>,
    files: usize,
    by_arc_length: bool,
    kind: String,
    parameters: Vec<(String, f64)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Graph,
    Parametric,
    Line,
    Circle,
    Arc,
    Polyline,
    Composite,
}

const KINDS: [(&str, Kind); 7] = [
    ("graph", Kind::Graph),
    ("parametric", Kind::Parametric),
    ("line", Kind::Line),
    ("circle", Kind::Circle),
    ("arc", Kind::Arc),
    ("polyline", Kind::Polyline),
    ("composite", Kind::Composite),
];

impl Parts {
    fn read(
        &mut self,
        reader: &mut Reader,
        base: &Path,
        overrides: Option<&Node>,
        depth: usize,
    ) -> Result<(), InputError> {
        reader.need("kind", "graph, parametric, line, circle, arc, polyline or composite")?;
        let kind = reader.choice("kind", &KINDS)?.unwrap_or(Kind::Graph);
        let constants = constants(reader, overrides)?;
        let names: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        if depth == 0 {
            self.by_arc_length = !matches!(kind, Kind::Graph | Kind::Parametric);
            self.kind = name_of(&KINDS, kind).to_owned();
            self.parameters.clone_from(&constants);
        }
        match kind {
            Kind::Graph => {
                let node = reader.need("y", "the height as a formula of x")?;
                let y = formula(node, "y", &["x"], &names)?;
                let domain = domain(reader, &names)?.unwrap_or(Interval::REAL);
                let before = self.pieces.len();
                self.smooth(&[y], domain, &node.span, |mut y| Piece::new(Graph { y: y.remove(0) }, domain))?;
                self.graphs[before..].fill(true);
                Ok(())
            }
            Kind::Parametric => {
                let x_node = reader.need("x", "the abscissa as a formula of s")?;
                let y_node = reader.need("y", "the height as a formula of s")?;
                let x = formula(x_node, "x", &["s"], &names)?;
                let y = formula(y_node, "y", &["s"], &names)?;
                reader.need("domain", "the range of s as [from, to]")?;
                let domain = domain(reader, &names)?.unwrap_or(Interval::REAL);
                self.smooth(&[x, y], domain, &x_node.span, |mut xy| {
                    let y = xy.remove(1);
                    Piece::new(Parametric { x: xy.remove(0), y }, domain)
                })
            }
            Kind::Line => {
                let from =
                    reader.need("from", "the first point [x, y]").and_then(|node| point(node, "from", &names))?;
                let to = reader.need("to", "the last point [x, y]").and_then(|node| point(node, "to", &names))?;
                self.line(from, to, reader.span())
            }
            Kind::Circle | Kind::Arc => self.round(kind, reader, &names),
            Kind::Polyline => {
                let node = reader.need("points", "a list of points [[x, y], …], free side left of travel")?;
                let Value::Array(items) = &node.value else {
                    return Err(wrong_type(node, "points", "a list of points"));
                };
                let points = items.iter().map(|item| point(item, "points", &names)).collect::<Result<Vec<_>, _>>()?;
                if points.len() < 2 {
                    return Err(InputError::new(
                        &node.span,
                        "a polyline needs at least two points",
                        "a list of two or more",
                    ));
                }
                points.windows(2).zip(&items[1..]).try_for_each(|(ends, item)| self.line(ends[0], ends[1], &item.span))
            }
            Kind::Composite => {
                let node = reader.need("pieces", "a list of curves, each beginning where the last one ends")?;
                let Value::Array(items) = &node.value else {
                    return Err(wrong_type(node, "pieces", "a list of curves"));
                };
                if items.is_empty() {
                    return Err(InputError::new(
                        &node.span,
                        "a composite without pieces",
                        "a list of one or more curves",
                    ));
                }
                items.iter().enumerate().try_for_each(|(i, item)| self.piece(i, item, base, &constants, depth))
            }
        }
    }

    /// A piece of a composite: a curve written out, or a file.
    fn piece(
        &mut self,
        i: usize,
        item: &Node,
        base: &Path,
        outer: &[(String, f64)],
        depth: usize,
    ) -> Result<(), InputError> {
        if depth >= MAX_NESTING {
            return Err(InputError::new(
                &item.span,
                "curves are nested too deeply",
                format!("at most {MAX_NESTING} levels"),
            ));
        }
        let mut reader = Reader::new(item, &format!("piece {i}"))?;
        if let Some(path) = reader.string("curve")? {
            // Files may name each other, each several times.
            self.files += 1;
            if self.files > MAX_FILES {
                return Err(InputError::new(
                    &item.span,
                    "the curve is made of too many files",
                    format!("at most {MAX_FILES}"),
                ));
            }
            let path: PathBuf = base.join(path);
            let source = read_file(&path, "curve file", Some(&item.span))?;
            let root = parse(&source)?;
            let overrides = reader.get("parameters");
            reader.finish()?;
            let mut inner = Reader::new(&root, "the curve")?;
            inner.get("title");
            self.read(&mut inner, path.parent().unwrap_or(Path::new("")), overrides, depth + 1)?;
            return inner.finish();
        }
        reader.get("title");
        // Parameters of the composite hold in its pieces.
        let inherited = Node { value: inherited(outer, item), span: item.span.clone() };
        let mut reader = Reader::new(&inherited, &format!("piece {i}"))?;
        reader.get("title");
        self.read(&mut reader, base, None, depth + 1)?;
        reader.finish()
    }

    /// Cuts formulas at their corners.
    fn smooth(
        &mut self,
        formulas: &[Expression],
        domain: Interval,
        span: &Span,
        piece: impl Fn(Vec<Expression>) -> Piece,
    ) -> Result<(), InputError> {
        let parts = smooth_parts(formulas, domain)
            .map_err(|error @ CornersError::TooMany { .. }| InputError::new(span, error.to_string(), "this formula"))?;
        for (part, formulas) in parts {
            self.add(piece(formulas).within(part), span);
        }
        Ok(())
    }

    fn line(&mut self, from: Vector2<f64>, to: Vector2<f64>, span: &Span) -> Result<(), InputError> {
        let (line, length) = Line::new(from, to).ok_or_else(|| {
            let message = format!(
                "a line from ({}, {}) to ({}, {}) has no length",
                plain(from.x),
                plain(from.y),
                plain(to.x),
                plain(to.y)
            );
            InputError::new(span, message, "two different points")
        })?;
        self.add(Piece::new(line, Interval::new(0.0, length)), span);
        Ok(())
    }

    fn round(&mut self, kind: Kind, reader: &mut Reader, names: &[(&str, f64)]) -> Result<(), InputError> {
        let centre = reader.need("centre", "its centre [x, y]").and_then(|node| point(node, "centre", names))?;
        let node = reader.need("radius", "its radius in m")?;
        let radius = constant(node, "radius", names)?;
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(InputError::new(
                &node.span,
                format!("`radius` = {} is not allowed", plain(radius)),
                "must be positive (m)",
            ));
        }
        let (from, to) = if kind == Kind::Circle {
            reader.need("side", "\"inside\" or \"outside\": where the ball is")?;
            let inside = reader.choice("side", &[("inside", true), ("outside", false)])?.unwrap_or(true);
            (0.0, if inside { 2.0 * PI } else { -2.0 * PI })
        } else {
            let angle = |reader: &mut Reader, key| {
                reader
                    .need(key, "an angle in radians; from < to turns left, with the free side inside")
                    .and_then(|node| constant(node, key, names))
            };
            (angle(reader, "from")?, angle(reader, "to")?)
        };
        let (arc, length) = Arc::new(centre, radius, from, to).ok_or_else(|| {
            InputError::new(
                reader.span(),
                format!("an arc from {} to {} rad has no length", plain(from), plain(to)),
                "two different angles",
            )
        })?;
        if length > 2.0 * PI * radius * (1.0 + 1e-12) {
            let message = format!("an arc from {} to {} rad goes round more than once", plain(from), plain(to));
            return Err(InputError::new(reader.span(), message, "at most 2 pi between the angles"));
        }
        self.add(Piece::new(arc, Interval::new(0.0, length)), reader.span());
        Ok(())
    }

    fn add(&mut self, piece: Piece, span: &Span) {
        self.pieces.push(piece);
        self.spans.push(span.clone());
        self.graphs.push(false);
    }

    /// A ground's complaint with the place in the file.
    fn explain(&self, error: &GroundError, root: &Node) -> InputError {
        let (piece, help) = match error {
            GroundError::Empty => (0, "give it at least one piece"),
            GroundError::NoLength { piece, .. } => (*piece, "a domain needs two different ends, the smaller one first"),
            GroundError::Undefined { piece, .. } => {
                (*piece, "give a `domain` on which the formula and its first two derivatives are finite")
            }
            GroundError::ZeroSpeed { piece, .. } if self.graphs[*piece] => {
                (*piece, "give a `domain` on which the formula and its first two derivatives are finite")
            }
            GroundError::ZeroSpeed { piece, .. } => {
                (*piece, "end the domain short of the cusp, or choose a parameter that does not stand still")
            }
            GroundError::TooWild { piece, .. } => (*piece, "give a smaller domain, or a simpler formula"),
            GroundError::Unbounded { piece } => (*piece, "give the piece a finite domain"),
            GroundError::Gap { before, .. } => (before + 1, "let each piece begin where the one before ends"),
            GroundError::Cusp { before, .. } => (*before, "leave out the part that runs back"),
            GroundError::Crossing { second, .. } => {
                (second.0, "cut the curve where it would cross, or move its parts apart")
            }
        };
        let fallback = root.span.clone();
        let span = self.spans.get(piece).unwrap_or(&fallback);
        InputError::new(span, self.complaint(error), "this part of the curve").with_help(help)
    }

    /// A ground's complaint in words; of graphs in terms of `x`.
    fn complaint(&self, error: &GroundError) -> String {
        let (piece, x, what) = match *error {
            GroundError::Undefined { piece, parameter } => {
                (piece, parameter, "or one of its first two derivatives is not finite")
            }
            GroundError::ZeroSpeed { piece, parameter, .. } => {
                (piece, parameter, "is undefined or grows without bound")
            }
            GroundError::TooWild { piece, parameter } => {
                (piece, parameter, "turns too often, or is too wild for enclosures,")
            }
            _ => return error.to_string(),
        };
        if !self.graphs[piece] {
            return error.to_string();
        }
        let place = if x.abs() < 1e300 { format!("at x = {}", plain(x)) } else { "far out, towards infinite x".into() };
        format!("the formula for `y` {what} {place}")
    }
}

/// `s` at both ends of a ground, as outputs show it.
pub(crate) fn ends(ground: &Ground) -> (f64, f64) {
    let pieces = ground.pieces();
    match ground.parametrisation() {
        Parametrisation::ArcLength => (0.0, ground.length()),
        Parametrisation::Own => (pieces[0].domain().lo, pieces[pieces.len() - 1].domain().hi),
    }
}

/// The `parameters` of a curve, with those set from outside; one may be a formula of those before it.
pub(crate) fn constants(reader: &mut Reader, overrides: Option<&Node>) -> Result<Vec<(String, f64)>, InputError> {
    let mut constants: Vec<(String, f64)> = Vec::new();
    let from_outside = match overrides {
        None => [].as_slice(),
        Some(Node { value: Value::Table(entries), .. }) => entries.as_slice(),
        Some(node) => return Err(wrong_type(node, "parameters", "a table")),
    };
    if let Some(node) = reader.get("parameters") {
        let Value::Table(entries) = &node.value else { return Err(wrong_type(node, "parameters", "a table")) };
        if entries.len() > MAX_PARAMETERS {
            let message = format!("the curve has {} parameters", entries.len());
            return Err(InputError::new(&node.span, message, format!("at most {MAX_PARAMETERS}")));
        }
        for (name, span, node) in entries {
            check_name(name, span)?;
            let known: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let value = match from_outside.iter().find(|(set, ..)| set == name) {
                Some((.., node)) => constant(node, name, &[])?,
                None => constant(node, name, &known)?,
            };
            constants.push((name.clone(), value));
        }
    }
    for (name, span, _) in from_outside {
        let known = || constants.iter().map(|(name, _)| name.as_str());
        if known().any(|known| known == name) {
            continue;
        }
        let error = InputError::new(span, format!("the curve has no parameter `{name}`"), "unknown parameter");
        return Err(error.with_help(match did_you_mean(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if constants.is_empty() => "this curve has no parameters".to_owned(),
            None => format!("its parameters are {}", known().collect::<Vec<_>>().join(", ")),
        }));
    }
    Ok(constants)
}

fn check_name(name: &str, span: &Span) -> Result<(), InputError> {
    let plain =
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    let reserved = ["x", "s", "pi"].contains(&name) || Expression::parse(&format!("{name}(1)"), &[], &[]).is_ok();
    if plain && !reserved && !name.is_empty() {
        return Ok(());
    }
    let rule = "a name of letters, digits and _, other than x, s, pi and the functions";
    Err(InputError::new(span, format!("`{name}` can't be the name of a parameter"), rule))
}

/// The entries of `item` with the composite's parameters put under its own.
fn inherited(outer: &[(String, f64)], item: &Node) -> Value {
    let Value::Table(entries) = &item.value else { return item.value.clone() };
    let own: Vec<(String, Span, Node)> = match item.get("parameters") {
        Some(Node { value: Value::Table(own), .. }) => own.clone(),
        Some(_) => return item.value.clone(),
        None => Vec::new(),
    };
    let node = |value: f64| Node { value: Value::Number(value), span: item.span.clone() };
    let mut parameters: Vec<_> = outer
        .iter()
        .filter(|(name, _)| !own.iter().any(|(o, ..)| o == name))
        .map(|(name, value)| (name.clone(), item.span.clone(), node(*value)))
        .collect();
    parameters.extend(own);
    let mut entries: Vec<_> = entries.iter().filter(|(key, ..)| key != "parameters").cloned().collect();
    let table = Node { value: Value::Table(parameters), span: item.span.clone() };
    entries.push(("parameters".to_owned(), item.span.clone(), table));
    Value::Table(entries)
}

fn domain(reader: &mut Reader, names: &[(&str, f64)]) -> Result<Option<Interval>, InputError> {
    let Some(node) = reader.get("domain") else { return Ok(None) };
    let Value::Array(items) = &node.value else { return Err(wrong_type(node, "domain", "[from, to]")) };
    let [from, to] = items.as_slice() else {
        return Err(InputError::new(&node.span, format!("`domain` has {} items", items.len()), "expected [from, to]"));
    };
    let (lo, hi) = (constant(from, "domain", names)?, constant(to, "domain", names)?);
    if lo < hi {
        return Ok(Some(Interval::new(lo, hi)));
    }
    Err(InputError::new(
        &node.span,
        format!("the domain from {} to {} has no length", plain(lo), plain(hi)),
        "expected [from, to] with from < to",
    ))
}

fn point(node: &Node, key: &str, names: &[(&str, f64)]) -> Result<Vector2<f64>, InputError> {
    match &node.value {
        Value::Array(items) => match items.as_slice() {
            [x, y] if [x, y].iter().any(|c| matches!(c.value, Value::String(_))) => {
                let p = Vector2::new(constant(x, key, names)?, constant(y, key, names)?);
                if p.x.is_finite() && p.y.is_finite() {
                    Ok(p)
                } else {
                    Err(InputError::new(&node.span, "this point is not finite", "two finite numbers"))
                }
            }
            _ => vector(node, key),
        },
        _ => Err(wrong_type(node, key, "a point [x, y]")),
    }
}

/// A number, or a formula of constants.
fn constant(node: &Node, key: &str, names: &[(&str, f64)]) -> Result<f64, InputError> {
    let Value::String(_) = &node.value else { return crate::input::number(node, key) };
    let value = formula(node, key, &[], names)?.eval::<f64>(&[]);
    if value.is_nan() {
        return Err(InputError::new(&node.span, format!("`{key}` is undefined"), "a formula with a value"));
    }
    Ok(value)
}

/// A formula, or a number that stands for one.
pub(crate) fn formula(
    node: &Node,
    key: &str,
    variables: &[&str],
    names: &[(&str, f64)],
) -> Result<Expression, InputError> {
    let text = match &node.value {
        Value::String(text) => text,
        Value::Number(value) if value.is_finite() => return Ok(Expression::constant(*value)),
        Value::Number(value) => {
            return Err(InputError::new(
                &node.span,
                format!("`{key}` = {} is not finite", plain(*value)),
                "a formula or a finite number",
            ));
        }
        _ => return Err(wrong_type(node, key, "a formula in quotes, or a number")),
    };
    Expression::parse(text, variables, names).map_err(|error| {
        let span = inside_string(&node.span, text, error.offset, error.length);
        let message = format!("in the formula for `{key}`: {error}");
        let help = match &error.kind {
            ExpressionErrorKind::UnknownName { name, known } => {
                did_you_mean(name, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"))
            }
            ExpressionErrorKind::ExpectedOperator { .. } => {
                Some("a product needs its `*`: write 2*x, not 2x".to_owned())
            }
            _ => None,
        };
        let error = InputError::new(&span, message, "here");
        match help {
            Some(help) => error.with_help(help),
            None => error,
        }
    })
}

/// The place of a part of a string, if the string is written without escapes.
fn inside_string(span: &Span, text: &str, offset: usize, length: usize) -> Span {
    let Source { .. } = &span.source;
    let written = &span.source.text()[span.range.clone()];
    match written.find(text) {
        Some(quote) => {
            let start = span.range.start + quote + offset;
            Span { source: span.source.clone(), range: start..start + length }
        }
        None => span.clone(),
    }
}
