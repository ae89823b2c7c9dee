//! Joints: how far apart and how sharply two pieces may meet to be joined, and what kind of joint that is.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use nalgebra::Vector2;
use numbers::elementary;

use super::error::GroundError;
use super::parametrisation::{Joint, JointKind};
use super::piece::Piece;
use crate::{Ground, Jet};

impl Piece {
    /// Largest distance of ends that meet, m ([`Ground::JOINT_TOLERANCE`]).
    pub(crate) const JOINT_TOLERANCE: f64 = 1e-9;
    /// Largest turn of a smooth joint, rad ([`Ground::SMOOTH_TURN`]).
    pub(crate) const SMOOTH_TURN: f64 = 1e-6;

    /// Distance between the end of this piece and the start of the next one, m, and the allowed distance: 1e-9 m, or
    /// the rounding of both.
    pub(crate) fn gap(&self, next: &Piece) -> (f64, f64) {
        let [end, start] = [self.end(true), next.end(false)];
        let distance = (next.curve.point_at(start) - self.curve.point_at(end)).norm();
        if distance <= Piece::JOINT_TOLERANCE {
            return (distance, Piece::JOINT_TOLERANCE);
        }
        (distance, self.rounding_before(next).max(Piece::JOINT_TOLERANCE))
    }
    /// Rounding of the end of this piece and of the start of the next one, m.
    pub(crate) fn rounding_before(&self, next: &Piece) -> f64 {
        [self.rounding(self.end(true)), next.rounding(next.end(false))].into_iter().flatten().sum()
    }
}

/// Joints between the pieces, and whether the chain is closed.
pub(super) fn join(pieces: &[Piece]) -> Result<(Vec<Joint>, bool), GroundError> {
    let last = pieces.len() - 1;
    let start = |i: usize| pieces[i].jet(pieces[i].end(false));
    let end = |i: usize| pieces[i].jet(pieces[i].end(true));
    let finite = pieces[0].domain.lo.is_finite() && pieces[last].domain.hi.is_finite();
    let meets = |(distance, allowed): (f64, f64)| distance <= allowed;
    let closed = finite && meets(pieces[last].gap(&pieces[0]));
    let mut joints = Vec::with_capacity(pieces.len() + 1);
    if closed {
        joints.push(meet(last, end(last), start(0))?);
    } else {
        joints.push(Joint::end(&pieces[0], false));
    }
    for before in 0..last {
        let (a, b) = (end(before), start(before + 1));
        let (distance, allowed) = pieces[before].gap(&pieces[before + 1]);
        if !meets((distance, allowed)) {
            return Err(GroundError::Gap { before, end: a.point, start: b.point, distance, allowed });
        }
        // Parts of one curve were cut at a tip, which turns away from the free side, perhaps straight back.
        let is_tip = Shared::ptr_eq(&pieces[before].curve, &pieces[before + 1].curve);
        joints.push(if is_tip {
            Joint::turning(a.point, -angle(a.tangent(), b.tangent()).abs())
        } else {
            meet(before, a, b)?
        });
    }
    if !closed {
        joints.push(Joint::end(&pieces[last], true));
    }
    Ok((joints, closed))
}

fn meet(before: usize, end: Jet, start: Jet) -> Result<Joint, GroundError> {
    let turn = Joint::turn(end.tangent(), start.tangent());
    let turn = turn.ok_or(GroundError::Cusp { before, point: end.point })?;
    Ok(Joint::turning(end.point, turn))
}

/// Angle from one unit tangent to another, rad.
fn angle(come: Vector2<f64>, go: Vector2<f64>) -> f64 {
    elementary::atan2(come.perp(&go), come.dot(&go))
}

/// Joints whose piece indices [`Assembly::end`](super::back_sides::Assembly::end) sets.
impl Joint {
    /// Angle from one unit tangent to another, rad; `None`: straight back, to [`Ground::SMOOTH_TURN`].
    pub(crate) fn turn(come: Vector2<f64>, go: Vector2<f64>) -> Option<f64> {
        let turn = angle(come, go);
        (turn.abs() <= PI - Ground::SMOOTH_TURN).then_some(turn)
    }

    /// Joint with a turn by an angle (rad) at a point (m).
    pub(crate) fn turning(point: Vector2<f64>, turn: f64) -> Joint {
        let kind = if turn.abs() <= Ground::SMOOTH_TURN {
            JointKind::Smooth
        } else if turn < 0.0 {
            JointKind::Convex
        } else {
            JointKind::Concave
        };
        Joint { kind, point, turn, before: None, after: None }
    }

    /// Joint at the end (`last`) or the begin of a piece, where the ground ends.
    pub(crate) fn end(piece: &Piece, last: bool) -> Joint {
        let s = piece.end(last);
        let kind = if s.is_finite() { JointKind::End } else { JointKind::Infinite };
        Joint { kind, point: piece.curve().point_at(s), turn: 0.0, before: None, after: None }
    }
}
