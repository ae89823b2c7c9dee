//! Ground curves from tables and files: DESIGN §4.

mod composite;
mod csv;
mod derived;
mod explain;
mod formulas;
mod points;
mod shapes;
mod svg;
mod svg_path;

use std::path::Path;

use curves::{Ground, Parametrisation, Piece};

pub(crate) use formulas::{constants, formula};

use crate::check::Noise;
use crate::input::{InputError, Node, Reader, Source, Span, TOML_FILE, Value, name_of, parse, read_file, wrong_type};

/// Curves may refer to files of curves this deep.
const MAX_NESTING: usize = 8;

/// Files that a ground may be made of.
const MAX_FILES: usize = 1000;

/// Named constants of formulas.
type Names<'a> = &'a [(&'a str, f64)];

/// What a curve hands on to the curves in it.
#[derive(Clone, Copy)]
struct Outer<'a> {
    /// Paths are relative to it.
    base: &'a Path,
    /// Its parameters.
    names: Names<'a>,
    /// How many curves it is in.
    depth: usize,
}

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
    /// What was changed on the way from the file to the ground: points smoothed, pieces moved to meet.
    pub notes: Vec<String>,
    /// Points of a spline that scatter about a smooth curve.
    pub noise: Option<Noise>,
    /// The curve as it was read, for the record.
    pub source: Node,
}

/// Reads a curve file.
pub fn load_curve(path: &Path) -> Result<Curve, InputError> {
    let source = read_file(path, "curve file", None, TOML_FILE)?;
    build_curve(parse(&source)?, path.parent().unwrap_or(Path::new("")), None)
}

/// Reads a curve from text; paths in it are relative to `base`.
pub fn curve_from_text(text: &str, base: &Path) -> Result<Curve, InputError> {
    build_curve(parse(&Source::new("curve", text.to_owned()))?, base, None)
}

/// Reads the `[ground]` table of a scenario in the folder `base`.
pub fn load_ground(ground: &mut Reader, base: &Path) -> Result<Curve, InputError> {
    let node = ground.need("curve", "the path of a curve file, or a table that describes a curve")?;
    let parameters = ground.get("parameters");
    match &node.value {
        Value::String(text) => {
            let path = base.join(&**text);
            let source = read_file(&path, "curve file", Some(&node.span), TOML_FILE)?;
            build_curve(parse(&source)?, path.parent().unwrap_or(Path::new("")), parameters)
        }
        Value::Table(_) => build_curve(node.clone(), base, parameters),
        _ => Err(wrong_type(node, "curve", "the path of a curve file, or a table")),
    }
}

fn build_curve(root: Node, base: &Path, overrides: Option<&Node>) -> Result<Curve, InputError> {
    let mut reader = Reader::new(&root, "the curve")?;
    let title = reader.string("title")?.unwrap_or("untitled").to_owned();
    let mut parts = Parts::default();
    parts.read(&mut reader, base, overrides, 0)?;
    reader.finish()?;
    let pieces = std::mem::take(&mut parts.pieces);
    // Arc length has no start on a curve without ends.
    let bounded = pieces.iter().all(|piece| piece.domain().is_bounded());
    let ground = if parts.by_arc_length && bounded { Ground::by_arc_length(pieces) } else { Ground::new(pieces) };
    let ground = ground.map_err(|error| parts.explain(&error, &root))?;
    let Parts { kind, parameters, notes, noise, .. } = parts;
    Ok(Curve { title, kind, ground, parameters, notes, noise, source: root })
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
    notes: Vec<String>,
    noise: Option<Noise>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Graph,
    Parametric,
    Line,
    Circle,
    Arc,
    Ellipse,
    Polyline,
    Spline,
    SmoothingSpline,
    Bezier,
    Csv,
    Svg,
    Offset,
    Transform,
    Composite,
}

const KINDS: [(&str, Kind); 15] = [
    ("graph", Kind::Graph),
    ("parametric", Kind::Parametric),
    ("line", Kind::Line),
    ("circle", Kind::Circle),
    ("arc", Kind::Arc),
    ("ellipse", Kind::Ellipse),
    ("polyline", Kind::Polyline),
    ("spline", Kind::Spline),
    ("smoothing-spline", Kind::SmoothingSpline),
    ("bezier", Kind::Bezier),
    ("csv", Kind::Csv),
    ("svg", Kind::Svg),
    ("offset", Kind::Offset),
    ("transform", Kind::Transform),
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
        reader.need("kind", "such as \"graph\", \"polyline\" or \"csv\"; README of the crate kugelbahn lists all")?;
        let kind = reader.choice("kind", &KINDS)?.unwrap_or(Kind::Graph);
        let constants = constants(reader, overrides)?;
        let names: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        if depth == 0 {
            self.by_arc_length = !matches!(kind, Kind::Graph | Kind::Parametric);
            self.kind = name_of(&KINDS, kind).to_owned();
            self.parameters.clone_from(&constants);
        }
        let outer = Outer { base, names: &names, depth };
        match kind {
            Kind::Graph => self.graph(reader, &names),
            Kind::Parametric => self.parametric(reader, &names),
            Kind::Line => self.straight(reader, &names),
            Kind::Circle => self.round(true, reader, &names),
            Kind::Arc => self.round(false, reader, &names),
            Kind::Ellipse => self.ellipse(reader, &names),
            Kind::Polyline | Kind::Spline | Kind::SmoothingSpline => self.listed_points(kind, reader, &names),
            Kind::Bezier => self.bezier(reader, &names),
            Kind::Csv => self.csv(reader, base, &names),
            Kind::Svg => self.svg(reader, base, &names),
            Kind::Offset => self.offset(reader, outer),
            Kind::Transform => self.transform(reader, outer),
            Kind::Composite => self.composite(reader, outer),
        }
    }

    fn add(&mut self, piece: Piece, span: &Span) {
        self.pieces.push(piece);
        self.spans.push(span.clone());
        self.graphs.push(false);
    }

    /// Counts a file: they may name each other, each several times.
    fn count_file(&mut self, span: &Span) -> Result<(), InputError> {
        self.files += 1;
        if self.files <= MAX_FILES {
            return Ok(());
        }
        Err(InputError::new(span, "the curve is made of too many files", format!("at most {MAX_FILES}")))
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
