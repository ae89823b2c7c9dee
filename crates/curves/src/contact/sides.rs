//! Sides of curves that are solid from both: on which one is a path?

use super::first_root_on_leaf::OtherSide;
use super::offset_curve_bounds::OffsetFoot;
use crate::offset::faces::{Face, FaceSource};
use crate::query::closest::Query;
use crate::{Ground, JointKind, OffsetGround, Path, Place};

/// Begin of a path: at one or two places that the ball leaves, with their rounding, or in flight. For a curve that is
/// solid from both sides it tells on which one the ball is; the foot found by the search before saves the next one an
/// evaluation.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Departure {
    pieces: [Option<usize>; 2],
    /// Rounding of the place, m.
    pub(crate) rounding: f64,
    pub(crate) seen: Option<(usize, OffsetFoot)>,
    /// Whether the ball flew before: then its path holds a little earlier, too.
    flies: bool,
}

impl Departure {
    /// Rounding of the place, m.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// A path that goes on with a flight whose place has a rounding (m): whatever the ball is near, it has not just
    /// left it.
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

    /// Returns the departure for a ground with other solid strands.
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

    /// Rounding of a place, m: [`Face::rounding_near`].
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

    /// Whether a point leaves ground beyond a convex corner of a face.
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
    /// Whether the ball is a point, which may be on either side to rounding; both places of a ball are its diameter
    /// apart.
    point: bool,
}

impl OtherSide for Sides<'_> {
    #[cold]
    fn comes_behind(&self, t: f64, grain: f64, leaves: bool) -> bool {
        if !self.point {
            return false;
        }
        // The ball's place slightly earlier, where it differs from the curve.
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
}

impl Sides<'_> {
    /// Whether a piece of the same curve belongs to this side.
    fn is_this(&self, piece: usize) -> Option<bool> {
        if self.ground.side_of(self.piece).contains(&piece) {
            return Some(true);
        }
        let other = self.ground.other_side(piece)?;
        self.ground.side_of(self.piece).contains(&other).then_some(false)
    }
}
