//! Reasons why a curve can't be a ground.

use nalgebra::Vector2;

/// Reason why a curve can't be a ground, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroundError {
    /// No piece.
    #[error("the curve has no pieces")]
    Empty,
    /// A piece of no length.
    #[error("piece {piece} has no length (from {lo:?} to {hi:?})")]
    NoLength {
        /// Index of the piece, from 0.
        piece: usize,
        /// Start of its domain.
        lo: f64,
        /// End of its domain.
        hi: f64,
    },
    /// A value or derivative of the formula that is not finite.
    #[error("the formula of piece {piece} or one of its first two derivatives is not finite at s = {parameter:?}")]
    Undefined {
        /// Index of the piece, from 0.
        piece: usize,
        /// Parameter of the piece where a value is not finite.
        parameter: f64,
    },
    /// Speed zero: a cusp, or a badly chosen parameter.
    #[error("piece {piece} has zero speed (a cusp) at s = {parameter:?}, which is ({:?}, {:?})", point.x, point.y)]
    ZeroSpeed {
        /// Index of the piece, from 0.
        piece: usize,
        /// Parameter of the piece at the cusp.
        parameter: f64,
        /// Point of the cusp, m.
        point: Vector2<f64>,
    },
    /// A curve that turns too often to be resolved.
    #[error(
        "piece {piece} can't be followed near s = {parameter:?}: it turns too often, or its formula is too wild for enclosures"
    )]
    TooWild {
        /// Index of the piece, from 0.
        piece: usize,
        /// Parameter of the piece near which it is not resolved.
        parameter: f64,
    },
    /// An infinite end of a piece that is not the first or last end of the ground, or any with arc length as parameter.
    #[error(
        "piece {piece} is unbounded, which only the begin of the first piece and the end of the last may be, and only where `s` is the curve's own parameter"
    )]
    Unbounded {
        /// Index of the piece, from 0.
        piece: usize,
    },
    /// Pieces whose ends do not meet.
    #[error(
        "piece {before} ends at ({:?}, {:?}) but piece {} begins at ({:?}, {:?}), {distance:?} m away (at most {allowed:?} m)",
        end.x, end.y, before + 1, start.x, start.y
    )]
    Gap {
        /// Index of the earlier piece, from 0.
        before: usize,
        /// End of the earlier piece, m.
        end: Vector2<f64>,
        /// The next piece's start, m.
        start: Vector2<f64>,
        /// Distance between them, m.
        distance: f64,
        /// Allowed distance, m.
        allowed: f64,
    },
    /// Two pieces meet and turn straight back.
    #[error("the curve turns back on itself (a cusp) where piece {before} ends, at ({:?}, {:?})", point.x, point.y)]
    Cusp {
        /// Index of the piece before the cusp, from 0.
        before: usize,
        /// Point of the cusp, m.
        point: Vector2<f64>,
    },
    /// The curve meets itself, or comes too close for that to be excluded.
    #[error(
        "the curve {} itself at ({:?}, {:?}): piece {} at s = {:?}, piece {} at s = {:?}",
        if *decided { "crosses or touches" } else { "is too long or too close to be told apart from" }, point.x, point.y, first.0, first.1, second.0, second.1
    )]
    Crossing {
        /// Point of the meeting, m.
        point: Vector2<f64>,
        /// Piece and parameter of the first passage.
        first: (usize, f64),
        /// Piece and parameter of the second.
        second: (usize, f64),
        /// Whether the passages are within 1e-9 m of each other; else the check ended undecided.
        decided: bool,
    },
    /// Too many crossings: a copy of the ground is needed for each of them.
    #[error(
        "the curve crosses itself {crossings} times and more, the last at ({:?}, {:?}): times its {parts} parts, that is more than {allowed}",
        point.x, point.y
    )]
    TooManyCrossings {
        /// Index of a piece at the last crossing found, from 0.
        piece: usize,
        /// Point of that crossing, m.
        point: Vector2<f64>,
        /// Number of crossings found.
        crossings: usize,
        /// Number of parts of the curve.
        parts: usize,
        /// Largest allowed product of both.
        allowed: usize,
    },
}

impl GroundError {
    /// Replaces indices of parts by indices of pieces as they were given; `given[part]` is the piece a part lies in.
    pub(super) fn in_given(mut self, given: &[usize]) -> Self {
        let pieces = match &mut self {
            Self::Empty => [None, None],
            Self::NoLength { piece, .. }
            | Self::Undefined { piece, .. }
            | Self::ZeroSpeed { piece, .. }
            | Self::TooWild { piece, .. }
            | Self::Unbounded { piece }
            | Self::TooManyCrossings { piece, .. }
            | Self::Gap { before: piece, .. }
            | Self::Cusp { before: piece, .. } => [Some(piece), None],
            Self::Crossing { first, second, .. } => [Some(&mut first.0), Some(&mut second.0)],
        };
        for piece in pieces.into_iter().flatten() {
            *piece = given.get(*piece).copied().unwrap_or(*piece);
        }
        self
    }
}
