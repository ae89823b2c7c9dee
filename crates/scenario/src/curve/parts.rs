//! A curve on its way to a ground.

use std::collections::HashSet;
use std::path::Path;

use curves::Piece;

use super::noise::Noise;
use crate::Methods;
use crate::input::{InputError, Span, Value};

/// Curves may refer to files of curves this deep.
pub(super) const MAX_NESTING: usize = 8;

/// Files that a ground may be made of.
const MAX_FILES: usize = 1000;

/// Curves that a file may become.
pub(super) const MAX_CURVES: usize = 100_000;

/// Pieces of a ground: each takes some 1.5 kB. A table of that many points is read in some 4 s.
pub(super) const MAX_PIECES: usize = 300_000;

/// Named constants of formulas.
pub(super) type Names<'a> = &'a [(&'a str, f64)];

/// Context of a curve in another: folder, parameters, depth, kinds of ground.
#[derive(Clone, Copy)]
pub(super) struct Outer<'a> {
    /// Paths are relative to it.
    pub base: &'a Path,
    /// Its parameters.
    pub names: Names<'a>,
    /// How many curves it is in.
    pub depth: usize,
    /// Kinds of ground beside ours.
    pub methods: &'a Methods,
}

/// Pieces on their way to a ground, each with the place it was written.
#[derive(Default)]
pub(super) struct Parts {
    pub pieces: Vec<Piece>,
    pub spans: Vec<Span>,
    /// Pieces that are graphs: their parameter is `x`, and they never stand still.
    pub graphs: Vec<bool>,
    pub files: usize,
    pub by_arc_length: bool,
    pub kind: String,
    pub parameters: Vec<(String, f64)>,
    /// Parameters of it or of curves in it that are whole numbers.
    pub counts: Vec<String>,
    pub notes: Vec<String>,
    pub noise: Option<Noise>,
    pub gates: Vec<Gate>,
    /// Curves of a file that has several, and where each begins.
    pub curves: Vec<Begun>,
    /// Names of the curves.
    pub names: HashSet<String>,
}

/// Gate of a crossing, as a file gives it.
#[derive(Debug)]
pub(super) struct Gate {
    pub span: Span,
    /// Number of the crossing from 1, in the order of travel.
    pub crossing: f64,
    pub s: Option<(f64, Span)>,
    /// Reach of the gate, m.
    pub reach: Option<(f64, Span)>,
}

/// A curve of a file that has several: its first piece, and the keys that say it alone.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub name: String,
    /// Index of its first piece.
    pub first: usize,
    /// The keys and values that say it alone.
    pub alone: Vec<(&'static str, Value)>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
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
    Clothoid,
    Loop,
    Csv,
    Gpx,
    Svg,
    Offset,
    Transform,
    Composite,
    /// A kind of the caller's own, by its name in [`Methods`].
    Own(&'static str),
}

pub(crate) const KINDS: [(&str, Kind); 18] = [
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
    ("clothoid", Kind::Clothoid),
    ("loop", Kind::Loop),
    ("csv", Kind::Csv),
    ("gpx", Kind::Gpx),
    ("svg", Kind::Svg),
    ("offset", Kind::Offset),
    ("transform", Kind::Transform),
    ("composite", Kind::Composite),
];

impl Parts {
    pub(super) fn add(&mut self, piece: Piece, span: &Span) {
        self.pieces.push(piece);
        self.spans.push(span.clone());
        self.graphs.push(false);
    }

    /// Counts a file: they may name each other, each several times.
    pub(super) fn count_file(&mut self, span: &Span) -> Result<(), InputError> {
        self.files += 1;
        if self.files <= MAX_FILES {
            return Ok(());
        }
        Err(InputError::new(span, "the curve is made of too many files", format!("at most {MAX_FILES}")))
    }
}
