//! [`Parts`]: the pieces and notes collected while a curve is read; limits of sizes; the table of kinds of curves.

use std::collections::HashSet;
use std::path::Path;

use curves::{Ground, Piece};

use super::file_of;
use crate::input::{InputError, Reader, Source, Span, Text, Value, wrong_type};
use crate::scenario::CurveInfo;
use crate::{Keys, Methods};

/// Maximum depth of curves within curves.
pub(super) const MAX_NESTING: usize = 8;

/// Maximum number of files of a ground.
const MAX_FILES: usize = 1000;

/// Maximum number of curves of a file.
pub(super) const MAX_CURVES: usize = 100_000;

/// Maximum number of pieces of a ground: each takes about 1.5 kB, and 0.7 kB more for its offset. A table of that many
/// points is read in about 4 s.
pub(crate) const MAX_PIECES: usize = 250_000;

/// Size of a ground, at most [`MAX_PIECES`]: the number of its pieces, or half that of the parts into which turns cut
/// them.
pub(crate) fn size(ground: &Ground) -> usize {
    ground.pieces().len().max(ground.leaf_count() / 2)
}

/// Constants of formulas, by name.
pub(super) type Names<'a> = &'a [(&'a str, f64)];

/// The table of a curve, with its context.
pub(super) struct CurveTable<'t, 'n> {
    pub reader: &'t mut Reader<'n>,
    /// Folder that paths are relative to.
    pub base: &'t Path,
    /// Parameters of the curve.
    pub names: Names<'t>,
    /// Number of curves around it.
    pub depth: usize,
    /// Kinds of ground added by the caller.
    pub methods: &'t Methods,
}

/// Pieces of a ground while it is read, each with its position in the text.
#[derive(Default)]
pub(super) struct Parts {
    pub pieces: Vec<Piece>,
    pub spans: Vec<Span>,
    /// Whether each piece is a graph, with the parameter `x`.
    pub graphs: Vec<bool>,
    pub files: usize,
    pub by_arc_length: bool,
    pub info: CurveInfo,
    pub gates: Vec<Gate>,
    /// The curves of a file with several, each with its first piece.
    pub curves: Vec<Begun>,
    /// Names of the curves.
    pub names: HashSet<String>,
    /// A file read that messages may not quote.
    pub unquoted: Option<Source>,
}

/// Gate of a crossing as given in a file.
#[derive(Debug)]
pub(super) struct Gate {
    pub span: Span,
    /// Number of the crossing from 1, in the order of travel.
    pub crossing: f64,
    pub s: Option<(f64, Span)>,
    /// Reach of the gate, m.
    pub reach: Option<f64>,
}

/// A curve of a file with several.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub name: String,
    /// Index of its first piece.
    pub first: usize,
    /// Keys and values that give only this curve.
    pub alone: Vec<(&'static str, Value)>,
    pub span: Span,
}

/// Kind of curve made of points.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PointCurve {
    Polyline,
    Spline,
    SmoothingSpline,
}

/// Names of these kinds.
pub(super) const OF_POINTS: [(&str, PointCurve); 3] = [
    ("polyline", PointCurve::Polyline),
    ("spline", PointCurve::Spline),
    ("smoothing-spline", PointCurve::SmoothingSpline),
];

/// Reads a curve of one kind from its table.
type Read = fn(&mut Parts, &mut CurveTable) -> Result<(), InputError>;

pub(super) const KINDS: [(&str, Read); 18] = [
    ("graph", Parts::graph),
    ("parametric", Parts::parametric),
    ("line", Parts::straight),
    ("circle", |parts, table| parts.circle_or_arc(true, table)),
    ("arc", |parts, table| parts.circle_or_arc(false, table)),
    ("ellipse", Parts::ellipse),
    ("polyline", |parts, table| parts.listed_points(PointCurve::Polyline, table)),
    ("spline", |parts, table| parts.listed_points(PointCurve::Spline, table)),
    ("smoothing-spline", |parts, table| parts.listed_points(PointCurve::SmoothingSpline, table)),
    ("bezier", Parts::bezier),
    ("clothoid", Parts::clothoid),
    ("loop", Parts::row_of_loops),
    ("csv", Parts::csv),
    ("gpx", Parts::gpx),
    ("svg", Parts::svg),
    ("offset", Parts::offset),
    ("transform", Parts::transform),
    ("composite", Parts::composite),
];

impl Parts {
    pub(super) fn add(&mut self, piece: Piece, span: &Span) {
        self.pieces.push(piece);
        self.spans.push(span.clone());
        self.graphs.push(false);
    }

    /// Reads what a curve is made of, and the place that says it: its own `text`, or its `file`, which `read` reads.
    pub(super) fn text(
        &mut self,
        table: &mut CurveTable,
        what: &str,
        read: impl FnOnce(&Path, &Span) -> Result<Text, InputError>,
    ) -> Result<(Source, Span), InputError> {
        if let Some(node) = table.reader.get("text") {
            let Value::String(text) = &node.value else { return Err(wrong_type(node, "text", "what the file says")) };
            let unquoted = (!node.span.source.is_quoted()).then(|| node.span.clone());
            let source = Source::of_file(Path::new("text"), text.to_string(), unquoted);
            return Ok((source, node.span.clone()));
        }
        let node = table.reader.need("file", what)?;
        let Value::String(path) = &node.value else { return Err(wrong_type(node, "file", "a path")) };
        self.count_file(&node.span)?;
        let Text { source, notes } = read(&file_of(path, table.base), &node.span)?;
        self.info.notes.extend(notes);
        if !source.is_quoted() {
            self.unquoted = Some(source.clone());
        }
        Ok((source, node.span.clone()))
    }

    /// The error, without quotation if messages may not quote a file that was read.
    pub(super) fn of(&self, error: InputError) -> InputError {
        match &self.unquoted {
            Some(source) => source.of(error),
            None => error,
        }
    }

    /// Counts a file, since files may name each other endlessly; refuses more than [`MAX_FILES`].
    pub(super) fn count_file(&mut self, span: &Span) -> Result<(), InputError> {
        self.files += 1;
        if self.files <= MAX_FILES {
            return Ok(());
        }
        Err(InputError::new(span, "the curve is made of too many files", format!("at most {MAX_FILES}")))
    }

    /// Adds the ground of a caller's kind, made from the numbers beside `kind` and the `parameters`.
    pub(super) fn own(&mut self, name: &str, table: &mut CurveTable) -> Result<(), InputError> {
        let span = table.reader.span().clone();
        let numbers = table.reader.rest().into_iter().map(|(key, value)| (key, value, false));
        let keys = Keys::new(numbers.chain(table.names.iter().map(|(key, value)| ((*key).to_owned(), *value, true))));
        let Some(make) = table.methods.ground(name) else { return Ok(()) };
        let pieces = keys.make(&format!("the ground \"{name}\""), &span, make)?;
        if pieces.is_empty() {
            return Err(InputError::new(&span, format!("the ground \"{name}\" has no pieces"), "at least one piece"));
        }
        pieces.into_iter().for_each(|piece| self.add(piece, &span));
        Ok(())
    }
}
