//! Continuation of the ground beyond the end of a piece or corner, for a ball that moves along it.

use crate::{JointKind, OffsetGround, Place};

/// Continuation beyond the end of a piece or corner, for a ball that moves along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beyond {
    /// More ground with the same tangent: a piece, or the arc around a corner.
    Place(Place),
    /// More ground across a concave corner, which a ball touches before it gets there.
    Second(Place),
    /// Air: a point mass leaves a convex corner.
    CornerAir,
    /// Air: the ground ends.
    Air,
}

impl OffsetGround {
    /// Continuation beyond the end of a place's piece or corner, in the direction of travel (`forward`) or against it.
    pub fn beyond(&self, place: Place, forward: bool) -> Beyond {
        let ground = self.ground();
        let (index, on_corner) = match place {
            Place::Piece { index, .. } => (ground.joint_ahead(index, forward), false),
            Place::Corner { joint, .. } => (joint, true),
        };
        let joint = ground.joint(index);
        let next =
            joint.next(forward).map(|index| Place::Piece { index, parameter: ground.piece(index).end(!forward) });
        let corner = if on_corner { None } else { self.corner(index, forward) };
        match (joint.kind, next) {
            (JointKind::Smooth, Some(place)) => Beyond::Place(place),
            (JointKind::Concave, Some(place)) => Beyond::Second(place),
            // The arc around a corner is followed by the next piece, that around an end by nothing.
            (JointKind::Convex | JointKind::End, Some(place)) if on_corner => Beyond::Place(place),
            (JointKind::Convex, _) => corner.map_or(Beyond::CornerAir, Beyond::Place),
            _ => corner.map_or(Beyond::Air, Beyond::Place),
        }
    }
}
