//! What ground can't be.

use nalgebra::Vector2;

/// A curve that can't be ground, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroundError {
    /// No piece at all.
    #[error("the curve has no pieces")]
    Empty,
    /// Nothing to roll on.
    #[error("piece {piece} has no length (from {lo:?} to {hi:?})")]
    NoLength {
        /// Index of the piece, from 0.
        piece: usize,
        /// Start of its domain.
        lo: f64,
        /// End of its domain.
        hi: f64,
    },
    /// The formula or its derivatives have no finite value.
    #[error("the formula of piece {piece} or one of its first two derivatives is not finite at s = {parameter:?}")]
    Undefined {
        /// Index of the piece, from 0.
        piece: usize,
        /// Where, in the piece's parameter.
        parameter: f64,
    },
    /// The curve stands still: a cusp, or a badly chosen parameter.
    #[error("piece {piece} has zero speed (a cusp) at s = {parameter:?}, which is ({:?}, {:?})", point.x, point.y)]
    ZeroSpeed {
        /// Index of the piece, from 0.
        piece: usize,
        /// Where, in the piece's parameter.
        parameter: f64,
        /// Where, m.
        point: Vector2<f64>,
    },
    /// The curve turns too often for its parts to be told apart.
    #[error(
        "piece {piece} can't be followed near s = {parameter:?}: it turns too often, or its formula is too wild for enclosures"
    )]
    TooWild {
        /// Index of the piece, from 0.
        piece: usize,
        /// Where, in the piece's parameter.
        parameter: f64,
    },
    /// Infinite ends belong to a graph that stands alone.
    #[error("piece {piece} is unbounded, which only a graph may be that is the whole ground")]
    Unbounded {
        /// Index of the piece, from 0.
        piece: usize,
    },
    /// Pieces that are to meet don't.
    #[error(
        "piece {before} ends at ({:?}, {:?}) but piece {} begins at ({:?}, {:?}), {distance:?} m away (at most {allowed:?} m)",
        end.x, end.y, before + 1, start.x, start.y
    )]
    Gap {
        /// Index of the earlier piece, from 0.
        before: usize,
        /// Its end, m.
        end: Vector2<f64>,
        /// The next piece's start, m.
        start: Vector2<f64>,
        /// Their distance, m.
        distance: f64,
        /// How far it may be, m.
        allowed: f64,
    },
    /// Two pieces meet and turn straight back.
    #[error("the curve turns back on itself (a cusp) where piece {before} ends, at ({:?}, {:?})", point.x, point.y)]
    Cusp {
        /// Index of the piece before the cusp, from 0.
        before: usize,
        /// Where, m.
        point: Vector2<f64>,
    },
    /// The curve meets itself, or comes so close that this can't be excluded.
    #[error(
        "the curve {} itself at ({:?}, {:?}): piece {} at s = {:?}, piece {} at s = {:?}",
        if *decided { "crosses or touches" } else { "is too long or too close to be told apart from" }, point.x, point.y, first.0, first.1, second.0, second.1
    )]
    Crossing {
        /// Where, m.
        point: Vector2<f64>,
        /// Piece and parameter of the first passage.
        first: (usize, f64),
        /// Piece and parameter of the second.
        second: (usize, f64),
        /// Whether they are within 1e-9 m of each other; else the check gave up here.
        decided: bool,
    },
    /// The ground is there once for each crossing passed, which takes too much memory.
    #[error(
        "the curve crosses itself {crossings} times and more, the last at ({:?}, {:?}): times its {parts} parts, that is more than {allowed}",
        point.x, point.y
    )]
    TooManyCrossings {
        /// Index of a piece at the last crossing found, from 0.
        piece: usize,
        /// Where that is, m.
        point: Vector2<f64>,
        /// Crossings found.
        crossings: usize,
        /// Parts of the curve.
        parts: usize,
        /// Their product, at most.
        allowed: usize,
    },
}
