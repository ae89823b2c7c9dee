//! Second contacts of a ball that touches the ground.

use crate::{Ground, Joint, JointKind, OffsetGround, Place};
use numbers::{Interval, Rounding};

impl OffsetGround {
    /// The place of a second contact of the ball at `place`, no further off than `within` m or than rounding can tell, and how far
    /// (m): of a point, the other side of a concave corner, or another curve. What only touches from below is none.
    pub fn second_contact(&self, place: Place, within: f64) -> Option<(Place, f64)> {
        self.near_contact(place, within).filter(|(other, _)| self.is_second(place, *other))
    }

    /// Whether a ball that touches the ground in two places is held by both: where the normals agree (to
    /// [`Ground::SMOOTH_TURN`]) it goes past the second as if that were not there, as past a curve that touches its own from below; a
    /// wall that faces away, as the other side of a needle, holds nothing; and a point goes past what ends at its curve from below.
    pub fn is_second(&self, place: Place, other: Place) -> bool {
        let one = self.frame(place);
        let two = self.frame(other);
        if one.normal.dot(&two.normal) > 0.0 && one.normal.perp(&two.normal).abs() <= Ground::SMOOTH_TURN {
            return false;
        }
        if self.radius() > 0.0 {
            // A wall that faces away has the centre behind it.
            return (one.position - two.position).dot(&two.normal) > -self.radius();
        }
        let Place::Piece { index, parameter } = other else { return true };
        let ground = self.ground();
        let Interval { lo, hi } = ground.piece(index).domain();
        let ends = |joint: usize| ground.joint(joint).kind == JointKind::End;
        if parameter == hi && ends(ground.joint_after(index)) {
            -two.tangent.dot(&one.normal) > Ground::SMOOTH_TURN
        } else if parameter == lo && ends(ground.joint_before(index)) {
            two.tangent.dot(&one.normal) > Ground::SMOOTH_TURN
        } else {
            true
        }
    }

    /// The least distance (m) from ground beside a ball, `distance` m off now, as the ball goes towards it along its own ground by up to
    /// `way` m; to second order. −∞: that ground is on the other side of a ball with a radius. The ball only passes the end of a post
    /// below its line, or a curve that touches from below: it comes to that with its normal, and no nearer than 0. A point only passes
    /// what touches its curve from above, too.
    pub fn least_distance(&self, place: Place, other: Place, distance: f64, way: f64) -> f64 {
        let one = self.frame(place);
        let two = self.frame(other);
        let below = one.normal.dot(&two.normal) > 0.0;
        if !((below || self.radius() == 0.0) && two.speed > 0.0) {
            return f64::NEG_INFINITY;
        }
        let bend = if below { one.curvature - two.curvature } else { -one.curvature - two.curvature };
        let rate = two.normal.dot(&one.tangent).abs();
        // Way to where both normals agree.
        let nearest = if bend > 0.0 { (rate / bend).min(way) } else { way };
        if nearest > 0.0 { distance - rate * nearest + 0.5 * bend * nearest * nearest } else { distance }
    }

    fn near_contact(&self, place: Place, within: f64) -> Option<(Place, f64)> {
        if self.touches_once() {
            return None;
        }
        let beside = || {
            let clearance = self.clearance(place);
            let known = |place: Place| within.max(Rounding::SUM * self.rounding(place));
            Some((clearance.place?, clearance.distance)).filter(|(other, distance)| *distance <= known(*other))
        };
        if self.radius() > 0.0 {
            let centre = self.frame(place).position;
            let alone = self.is_alone(centre, within.max(Rounding::SUM * self.rounding(place)));
            return if alone { None } else { beside() };
        }
        let Place::Piece { index, parameter } = place else { return None };
        let ground = self.ground();
        let (piece, domain) = (ground.piece(index), ground.piece(index).domain());
        let near = |end: f64| (end - parameter).abs() * piece.jet(parameter).speed();
        let ends = [(domain.hi, ground.joint_after(index), true), (domain.lo, ground.joint_before(index), false)];
        let Some((joint, forward, distance)) = ends
            .into_iter()
            .find_map(|(end, joint, forward)| (near(end) <= within).then(|| (ground.joint(joint), forward, near(end))))
        else {
            return beside();
        };
        let next = if forward { joint.after } else { joint.before };
        match (joint.kind, next) {
            (JointKind::Concave, Some(next)) => {
                Some((Place::Piece { index: next, parameter: ground.piece(next).end(!forward) }, distance))
            }
            (JointKind::End, _) => match beside()? {
                (Place::Corner { joint, .. }, distance) => Some((self.facing(joint, place, forward)?, distance)),
                other => Some(other),
            },
            _ => beside(),
        }
    }

    /// The side of a curve that ends in `joint`, as a point sees it that is there at an end of its own curve; `None` if the other
    /// curve goes on below the own one.
    fn facing(&self, joint: usize, own: Place, forward: bool) -> Option<Place> {
        let ground = self.ground();
        let frame = self.frame(own);
        let inwards = if forward { -frame.tangent } else { frame.tangent };
        let Joint { before, after, .. } = ground.joint(joint);
        [(before, true), (after, false)].into_iter().find_map(|(piece, last)| {
            let index = piece?;
            let parameter = ground.piece(index).end(last);
            let jet = ground.piece(index).jet(parameter);
            let way = if last { -jet.tangent() } else { jet.tangent() };
            let seen = way.dot(&frame.normal) > 0.0 && jet.normal().dot(&inwards) > 0.0;
            seen.then_some(Place::Piece { index, parameter })
        })
    }
}
