//! Places of contact on the ground, and last touches of curves that cross themselves.

use crate::Frame;

/// A place of contact: on a piece, or on the arc around a corner.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Place {
    /// A piece, at this parameter of its own.
    Piece {
        /// Index into [`Ground::pieces`](crate::Ground::pieces).
        index: usize,
        /// The piece's parameter.
        parameter: f64,
    },
    /// A convex corner or an end of the ground, with the normal turned clockwise from +x by this angle.
    Corner {
        /// Index into [`Ground::joints`](crate::Ground::joints).
        joint: usize,
        /// Angle, rad, which grows with travel.
        parameter: f64,
    },
}

impl Place {
    /// The parameter, of the piece or of the corner.
    pub fn parameter(self) -> f64 {
        match self {
            Place::Piece { parameter, .. } | Place::Corner { parameter, .. } => parameter,
        }
    }
    /// Size of the parameter as a length along the path of `frame`, m; ε times it is the rounding along that path.
    #[inline(always)]
    pub fn length(self, frame: &Frame) -> f64 {
        (self.parameter() * frame.speed).abs()
    }
    /// Place on the piece or corner at another parameter.
    pub fn at(self, parameter: f64) -> Self {
        match self {
            Place::Piece { index, .. } => Place::Piece { index, parameter },
            Place::Corner { joint, .. } => Place::Corner { joint, parameter },
        }
    }
    /// Whether both are on the same piece or corner.
    pub fn same_feature(self, other: Place) -> bool {
        self.at(0.0) == other.at(0.0)
    }
}

/// Last touches of a ball on curves that cross themselves; they decide which strands are solid for it. On a curve that
/// it has not touched yet all are.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Touched {
    /// The last place on one of these curves.
    pub place: Option<Place>,
    /// One digit for each of these curves, the first one lowest: 0 if the ball has not touched it, else 1 plus the
    /// number of gates before the last place on it.
    pub(crate) digits: u64,
}

impl Touched {
    /// A number for the set of solid strands; 0: all.
    pub fn strands(self) -> u64 {
        self.digits
    }

    /// Last touches given only by the number for the set of solid strands.
    pub fn of_strands(digits: u64) -> Self {
        Touched { place: None, digits }
    }
}
