//! Curves that are solid from both sides: on which side is a path?

use super::offset_curve_bounds::OffsetFoot;
use crate::offset::faces::{Face, FaceSource};
use crate::query::closest::Query;
use crate::{Ground, JointKind, OffsetGround, Path, Place};

/// Begin of a path: at one or two places that the ball leaves, with their rounding, or in flight. It tells on which
/// side of a curve that is solid from both the ball is. The foot found by the last search saves the next an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Departure {
    /// Pieces that the ball leaves.
    pieces: [Option<usize>; 2],
    /// Rounding of the place, m.
    pub(crate) rounding: f64,
    /// Face and foot of the contact that the last search found, if the path begins there.
    pub(crate) seen: Option<(usize, OffsetFoot)>,
    /// Whether the ball flew before: then its path is valid a little before its start, too.
    flies: bool,
}

impl Departure {
    /// Rounding of the place, m.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Departure of a path that continues a flight; its place has this rounding (m). Ground near the ball is not ground
    /// that it has just left.
    pub fn in_flight(rounding: f64) -> Self {
        Departure { pieces: [None; 2], rounding, seen: None, flies: true }
    }

    /// A departure whose place has at least this rounding, m.
    pub fn rounded(self, rounding: f64) -> Self {
        Departure { rounding: self.rounding.max(rounding), ..self }
    }

    pub(crate) fn seen(place: Place, rounding: f64, face: usize, foot: OffsetFoot) -> Self {
        Departure { pieces: [piece_of(place), None], rounding, seen: Some((face, foot)), flies: false }
    }

    /// Returns the departure for a ground with other solid strands, whose faces have other indices.
    pub fn in_another_layer(self) -> Self {
        Departure { seen: None, ..self }
    }
}

impl OffsetGround {
    /// Departure of a ball that leaves a place.
    pub fn departure(&self, place: Place) -> Departure {
        Departure { pieces: [piece_of(place), None], rounding: self.one_rounding(place), seen: None, flies: false }
    }

    /// Departure of a ball that leaves two places at once.
    pub fn departure_from_two(&self, places: [Place; 2]) -> Departure {
        let [one, other] = places.map(|place| self.one_rounding(place));
        Departure { pieces: places.map(piece_of), rounding: one.max(other), seen: None, flies: false }
    }

    /// Rounding of a place, m: a quarter of the width across the ground, as in [`Face::rounding_near`]; 0 on a corner.
    fn one_rounding(&self, place: Place) -> f64 {
        let Place::Piece { index, parameter } = place else { return 0.0 };
        self.ground().piece(index).rounding_across(parameter).map_or(0.0, |width| 0.25 * width)
    }

    /// The sides of a face's curve at a path; `None` if its other side is not solid.
    #[inline]
    pub(crate) fn sides<'a>(
        &'a self,
        face: &Face,
        path: &'a Path,
        departure: Option<&'a Departure>,
    ) -> Option<Sides<'a>> {
        let FaceSource::Piece(piece) = face.source else { return None };
        let ground = self.ground();
        ground.other_side(piece)?;
        Some(Sides { ground, path, departure, piece, point: self.radius() == 0.0 })
    }

    /// Whether a point (R = 0) leaves ground on the other side of a convex corner at an end of the face's piece.
    #[inline]
    pub(crate) fn leaves_beside(&self, face: &Face, departure: Option<&Departure>) -> bool {
        let (FaceSource::Piece(piece), Some(departure), true) = (face.source, departure, self.radius() == 0.0) else {
            return false;
        };
        let ground = self.ground();
        [false, true].into_iter().any(|forward| {
            let joint = ground.joint(ground.joint_ahead(piece, forward));
            let next = joint.next(forward);
            joint.kind == JointKind::Convex && next.is_some() && departure.pieces.contains(&next)
        })
    }
}

fn piece_of(place: Place) -> Option<usize> {
    if let Place::Piece { index, .. } = place { Some(index) } else { None }
}

/// One side of a curve with both sides solid, and the path of a ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<'a> {
    ground: &'a Ground,
    path: &'a Path,
    departure: Option<&'a Departure>,
    /// A piece of this side.
    piece: usize,
    /// Whether the ball is a point (R = 0), which rounding may put on either side. A ball's centres on both sides are
    /// its diameter apart.
    point: bool,
}

impl Sides<'_> {
    /// Whether a path that enters the range of a face at `t`, within `grain` m of the curve, is on the other side;
    /// `leaves`: its gap there grows.
    #[cold]
    pub(crate) fn comes_behind(&self, t: f64, grain: f64, leaves: bool) -> bool {
        if !self.point {
            return false;
        }
        // Goes back along the path, 16 times as far each time, to a time at which the point is clearly off the curve.
        let flies = self.departure.is_some_and(|departure| departure.flies);
        let known = t + if flies { self.path.duration() } else { 0.0 };
        let mut back = f64::EPSILON * known;
        while back < known {
            let mut near = Query::new(self.ground, self.path.at(t - back).position);
            if let Some(near) = near.search().filter(|near| near.distance > 64.0 * grain)
                && let Some(this) = self.is_this(near.piece)
            {
                return !this;
            }
            back *= 16.0;
        }
        let left =
            self.departure.and_then(|departure| departure.pieces.into_iter().flatten().find_map(|p| self.is_this(p)));
        !left.unwrap_or(leaves)
    }

    /// Whether a piece of the same curve belongs to this side.
    fn is_this(&self, piece: usize) -> Option<bool> {
        if self.ground.side_of(self.piece).contains(&piece) {
            return Some(true);
        }
        let other = self.ground.other_side(piece)?;
        self.ground.side_of(self.piece).contains(&other).then_some(false)
    }
}
