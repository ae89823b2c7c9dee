//! Faces: the parts that an offset curve is searched by, graphs over an axis each; and the arcs around corners.

use std::f64::consts::PI;

use nalgebra::Vector2;
use numbers::{Interval, Rounding, elementary};

use crate::contact::offset_curve_bounds::GRAZE;
use crate::ground::box_tree::Box2;
use crate::ground::parametrisation::Chain;
use crate::{Arc, Bounds, Ground, Joint, JointKind, Piece};

/// A part of the offset curve that is a graph over its axis.
#[derive(Debug)]
pub(crate) struct Face {
    pub source: FaceSource,
    pub domain: Interval,
    pub axis: Vector2<f64>,
    /// Offset from the source curve: the ball's radius; 0 for corner arcs.
    pub radius: f64,
    /// Bounds; `None` where the ball may be too large for the valley (`κR ≥ 1`).
    pub bounds: Option<Bounds>,
    /// Overlap beyond its start and end, relative to the sizes of the numbers there, so that no path slips through
    /// where faces meet; 0 at an end that sticks out as a point.
    pub margin: [f64; 2],
    /// Rounding of its points, m: the least at its ends and middle; near a place [`Face::rounding_near`] gives it.
    pub rounding: f64,
    /// Box around a straight face that is free of other faces: a path inside meets this face or none. For a point the
    /// coincident back of the face does not count: it is only met around an end, and there is no end in the box.
    pub clear: Option<Box2>,
}

impl Face {
    pub fn new(
        source: FaceSource,
        of: &Piece,
        domain: Interval,
        axis: Vector2<f64>,
        radius: f64,
        margin: [f64; 2],
    ) -> Self {
        let bounds = of.curve().bounds(domain, axis, radius);
        // The least is that of constants in the formula; what larger coordinates add is computed at their place.
        let places = [domain.lo, domain.middle(), domain.hi].into_iter().filter(|s| s.is_finite());
        let rounding = places.filter_map(|s| of.rounding_across(s)).reduce(f64::min).map_or(0.0, |width| 0.25 * width);
        Face { source, domain, axis, radius, bounds, margin, rounding, clear: None }
    }

    /// Margins of a part of the face, in the order of the abscissa.
    #[inline(always)]
    pub fn margins(&self, part: Interval) -> [f64; 2] {
        let lo = if part.lo == self.domain.lo { self.margin[0] } else { MARGIN };
        let hi = if part.hi == self.domain.hi { self.margin[1] } else { MARGIN };
        [lo, hi]
    }

    /// Rounding of points near these parameters, m, with coordinates of a `size` in m. If that of the face exceeds
    /// rounding of the coordinates, it is computed at the parameters, where it may be less: `(x − c)²` is coarse only
    /// far from c.
    #[inline(always)]
    pub fn rounding_near<const N: usize>(&self, of: &Piece, places: impl FnOnce() -> [f64; N], size: f64) -> f64 {
        if self.rounding <= Rounding::SUM * f64::EPSILON * size {
            self.rounding
        } else {
            self.least_rounding(of, &places())
        }
    }

    #[cold]
    fn least_rounding(&self, of: &Piece, places: &[f64]) -> f64 {
        let there = places.iter().filter_map(|s| of.rounding_across(self.domain.clamp(*s)));
        there.reduce(f64::min).map_or(self.rounding, |width| self.rounding.min(0.25 * width))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FaceSource {
    Piece(usize),
    /// Index into [`OffsetGround::corners`].
    Corner(usize),
}

#[derive(Debug)]
pub(crate) struct RoundedCorner {
    pub joint: usize,
    pub arc: Piece,
    /// Angle of the normal at the start of the arc, rad, clockwise from +x.
    pub start: f64,
    /// Angle of the arc, rad.
    pub turn: f64,
}

/// Overlap of faces that continue each other, relative to the sizes of the numbers.
pub(crate) const MARGIN: f64 = 64.0 * GRAZE;

/// Overlap of faces that meet with a turn by an angle (rad), relative to the sizes of the numbers. With it a path
/// through the joint is deeper than the sill of one of them before it has passed both: along the bisector it passes
/// their ends at `tan(turn/2)` times its depth.
pub(crate) fn margin(turn: f64) -> f64 {
    MARGIN * elementary::tan(0.5 * turn.abs()).clamp(1.0, 1e4)
}

/// Arcs of radius R around all corners and ends that stick out.
pub(crate) fn corners(ground: &Ground, radius: f64) -> Vec<RoundedCorner> {
    if radius == 0.0 {
        return Vec::new();
    }
    let mut corners = Vec::new();
    let count = ground.joints.len();
    for index in 0..2 * count {
        let joint = &ground.joint(index);
        // A corner that turns towards the free side sticks out on the back; an end belongs to both sides.
        if index >= count && (joint.kind == JointKind::End || joint.before.is_none()) {
            continue;
        }
        // Clockwise angle of the normal of a tangent: n = Jτ.
        let angle = |piece: usize, end: bool| {
            let piece = &ground.pieces[piece];
            let n = piece.jet(piece.end(end)).normal();
            -elementary::atan2(n.y, n.x)
        };
        let (start, turn) = match (joint.kind, joint.before, joint.after) {
            (JointKind::Convex, Some(before), _) => (angle(before, true), -joint.turn),
            (JointKind::End, Some(before), _) => (angle(before, true), PI),
            (JointKind::End, None, Some(after)) => (angle(after, false) - PI, PI),
            _ => continue,
        };
        if let Some((arc, length)) = Arc::new(joint.point, radius, -start, -(start + turn)) {
            corners.push(RoundedCorner { joint: index, arc: Piece::of(arc, Interval::new(0.0, length)), start, turn });
        }
    }
    corners
}

/// Number of parts of at most 60° of an arc that turns by an angle (rad).
fn arc_count(turn: f64) -> usize {
    (turn / (PI / 3.0)).ceil().max(1.0) as usize
}

impl Ground {
    /// Maximum number of parts of an offset of the ground: both sides of curves with ends, and arcs around corners.
    pub fn face_count(&self) -> usize {
        let of_chain = |chain: &Chain| {
            let leaves = self.first_leaf[chain.pieces.end] - self.first_leaf[chain.pieces.start];
            leaves * (1 + usize::from(self.has_end(chain)))
        };
        let of_joint = |joint: &Joint| match joint.kind {
            _ if !joint.before.or(joint.after).is_some_and(|piece| self.shows(piece)) => 0,
            JointKind::End => arc_count(PI),
            JointKind::Convex | JointKind::Concave => arc_count(joint.turn.abs()),
            JointKind::Smooth | JointKind::Infinite => 0,
        };
        self.chains.iter().map(of_chain).sum::<usize>() + self.joints.iter().map(of_joint).sum::<usize>()
    }
}

/// Parts of a corner's arc of at most 60° each, with their chords as axes.
pub(crate) fn arc_leaves(corner: &RoundedCorner) -> Vec<(Interval, Vector2<f64>)> {
    let count = arc_count(corner.turn);
    let length = corner.arc.domain().hi;
    let end = |i: usize| if i == count { length } else { length * i as f64 / count as f64 };
    let leaf = |i: usize| {
        let domain = Interval::new(end(i), end(i + 1));
        (domain, corner.arc.jet(domain.middle()).tangent())
    };
    (0..count).map(leaf).collect()
}
