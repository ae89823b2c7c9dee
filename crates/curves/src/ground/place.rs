//! Places of a ball on the ground, and which it touched last.

/// A piece or corner that the ball touches, and where on it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Place {
    /// A smooth piece, at this parameter of its own.
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
        /// Angle in radians; it grows with travel.
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

/// Last touches of a ball on curves that cross themselves, which decide which of their strands are there for it. All are of a curve
/// that it has not touched yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Touched {
    /// The last place on any of these curves.
    pub place: Option<Place>,
    /// A digit for each of these curves, the first the lowest: 0 if the ball has not touched it, else 1 and the number of gates before
    /// the last place on it.
    pub(crate) digits: u64,
}

impl Touched {
    /// A number for the strands that are there; 0: all.
    pub fn strands(self) -> u64 {
        self.digits
    }

    /// Last touches that nothing is known of but the number for the strands that are there.
    pub fn of_strands(digits: u64) -> Self {
        Touched { place: None, digits }
    }
}
