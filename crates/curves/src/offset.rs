//! The ground as the ball's centre sees it: the offset curve, corners rounded to arcs.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use nalgebra::Vector2;

use crate::faces::{Corner, Face, MARGIN, Source, arc_leaves, corners, margin};
use crate::ground::{Box2, Tree};
use crate::{
    Closest, Frame, FrameEnclosure, Ground, Interval, Joint, JointKind, Number, Piece, Rounding, Spot, Straight,
    Touched, turn_left,
};

/// A piece or corner that the ball touches, and where on it.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A smooth piece, at this parameter of its own.
    Piece {
        /// Index into [`Ground::pieces`].
        index: usize,
        /// The piece's parameter.
        parameter: f64,
    },
    /// A convex corner or an end of the ground, with the normal turned clockwise from +x by this angle.
    Corner {
        /// Index into [`Ground::joints`].
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

/// Continuation of the ground after the end of a piece or corner, for a ball that goes along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beyond {
    /// More ground, its tangent going through: a piece, or the arc around a corner.
    Place(Place),
    /// More ground across a concave corner, which a ball touches before it gets there.
    Second(Place),
    /// A point mass leaves a convex corner.
    CornerAir,
    /// The ground ends.
    Air,
}

/// A ground for a ball of one radius.
#[derive(Debug)]
pub struct OffsetGround {
    ground: Shared<Ground>,
    radius: f64,
    pub(crate) faces: Vec<Face>,
    pub(crate) corners: Vec<Corner>,
    /// Corner of each joint, which sticks out on one side at most.
    corner_of_joint: Vec<Option<usize>>,
    pub(crate) tree: Tree,
    /// See [`OffsetGround::touches_once`].
    once: bool,
    pub(crate) straight: Option<Straight>,
}

impl OffsetGround {
    /// Prepares `ground` for a ball of this radius (m, finite, ≥ 0; anything else counts as 0).
    pub fn new(ground: Shared<Ground>, radius: f64) -> Self {
        let radius = if radius > 0.0 && radius.is_finite() { radius } else { 0.0 };
        let solid = |ground: Ground| Shared::new(ground.with_backs());
        match ground.cut_for(radius) {
            None if ground.has_all_backs() => OffsetGround::whole(ground, radius),
            None => OffsetGround::whole(solid(Shared::unwrap_or_clone(ground)), radius),
            Some(cut) => OffsetGround::whole(solid(cut), radius),
        }
    }

    /// Whether which strands are there depends on where the ball was last.
    #[inline(always)]
    pub fn crosses_itself(&self) -> bool {
        self.ground.has_gates()
    }

    /// Last touches of a ball that now touches the ground at a place.
    #[inline(always)]
    pub fn touching(&self, touched: Touched, place: Place) -> Touched {
        if self.crosses_itself() { self.ground.touching(touched, place) } else { touched }
    }

    /// Returns the ground as it is for a ball with these last touches, if it crosses itself.
    pub fn seen_by(&self, touched: Touched) -> OffsetGround {
        OffsetGround::whole(Shared::new(self.ground.seen_by(touched)), self.radius)
    }

    /// Returns the ground of some curves alone; their places keep their names.
    pub fn only(&self, curves: &[usize]) -> OffsetGround {
        OffsetGround::whole(Shared::new(self.ground.only(curves)), self.radius)
    }

    /// Box of the centres of a ball that touches it, m.
    pub fn bounds(&self) -> [Interval; 2] {
        let bounds = self.tree.bounds(self.tree.root());
        [bounds.x, bounds.y]
    }

    /// Number of gates of its curve before a place; `None`: the curve does not cross itself.
    pub fn gates_before(&self, place: Place) -> Option<usize> {
        self.ground.gates_before(place)
    }

    fn whole(ground: Shared<Ground>, radius: f64) -> Self {
        let corners = corners(&ground, radius);
        let mut corner_of_joint = vec![None; ground.joints.len()];
        for (i, corner) in corners.iter().enumerate() {
            corner_of_joint[ground.front_joint(corner.joint)] = Some(i);
        }
        let (mut faces, mut boxes) = (Vec::new(), Vec::new());
        let add_corner = |joint: usize, faces: &mut Vec<Face>, boxes: &mut Vec<Box2>| {
            let Some(i) = corner_of_joint[joint] else { return };
            let arc = &corners[i].arc;
            for (domain, axis) in arc_leaves(&corners[i]) {
                boxes.push(Box2::new(arc.enclosure(domain).point));
                faces.push(Face::new(Source::Corner(i), arc, domain, axis, 0.0, [MARGIN; 2]));
            }
        };
        for index in 0..ground.pieces().len() {
            let begins = ground.joint_before(index);
            let shown = ground.shows(index);
            if shown || ground.joint(begins).before.is_some_and(|before| before < index && ground.shows(before)) {
                add_corner(begins, &mut faces, &mut boxes);
            }
            let back = ground.other_side(index);
            for leaf in &ground.leaves[ground.first_leaf[index]..ground.first_leaf[index + 1]] {
                let (face, seen) = face_of(&ground, index, (leaf.domain, leaf.axis), &leaf.bounds, radius);
                boxes.push(seen);
                faces.push(face);
                if let Some(back) = back {
                    let (face, seen) = face_of(&ground, back, (-leaf.domain, -leaf.axis), &leaf.bounds, radius);
                    boxes.push(seen);
                    faces.push(face);
                }
            }
            let chain = ground.chain(index);
            if shown && !chain.closed && index + 1 == chain.pieces.end {
                add_corner(ground.joint_after(index), &mut faces, &mut boxes);
            }
        }
        let tree = Tree::new(boxes.into_iter());
        let concave = (0..2 * ground.joints.len()).any(|joint| {
            let joint = ground.joint(joint);
            joint.kind == JointKind::Concave && joint.before.is_some()
        });
        let one_axis = ground.leaves.windows(2).all(|pair| pair[0].axis == pair[1].axis);
        let once = ground.chains.iter().filter(|chain| chain.pieces.clone().any(|piece| ground.shows(piece))).count()
            == 1
            && !concave
            && (radius == 0.0 || one_axis && faces.iter().all(|face| face.bounds.is_some()));
        let straight = match (&faces[..], &ground.pieces[..]) {
            ([face], [piece]) => Straight::of(face, piece),
            _ => None,
        };
        OffsetGround { ground, radius, faces, corners, corner_of_joint, tree, once, straight }
    }

    /// Whether it is known that the ball can't touch the ground in two places at once: a point where there is no concave
    /// corner; a ball where the ground is a graph over one axis with `κR < 1`.
    pub fn touches_once(&self) -> bool {
        self.once
    }

    /// Number of the curve that a place is on, from 0.
    pub fn curve_of(&self, place: Place) -> usize {
        self.ground.piece_at(place).map_or(0, |piece| self.ground.curve_of(piece))
    }

    /// The ground itself.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The ground itself, to be shared with another.
    pub fn shared(&self) -> &Shared<Ground> {
        &self.ground
    }
    /// The ball's radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The parameters a place's piece or corner spans.
    pub fn range(&self, place: Place) -> Interval {
        match place {
            Place::Piece { index, .. } => self.ground.pieces[index].domain(),
            Place::Corner { joint, .. } => match self.corner_at(joint) {
                Some(corner) => Interval::new(corner.start, corner.start + corner.turn),
                None => Interval::UNDEFINED,
            },
        }
    }

    /// Continuation after the end of a place's piece or corner, in the direction of travel (`forward`) or against it.
    pub fn beyond(&self, place: Place, forward: bool) -> Beyond {
        let ground = &self.ground;
        let (index, on_corner) = match place {
            Place::Piece { index, .. } if forward => (ground.joint_after(index), false),
            Place::Piece { index, .. } => (ground.joint_before(index), false),
            Place::Corner { joint, .. } => (joint, true),
        };
        let joint = ground.joint(index);
        let next = if forward { joint.after } else { joint.before };
        let next = next.map(|index| Place::Piece { index, parameter: ground.pieces[index].end(!forward) });
        let corner = if on_corner { None } else { self.corner(index, forward) };
        match (joint.kind, next) {
            (JointKind::Smooth, Some(place)) => Beyond::Place(place),
            (JointKind::Concave, Some(place)) => Beyond::Second(place),
            // The arc around a corner ends at the next piece; around an end there is none.
            (JointKind::Convex | JointKind::End, Some(place)) if on_corner => Beyond::Place(place),
            (JointKind::Convex, _) => corner.map_or(Beyond::CornerAir, Beyond::Place),
            _ => corner.map_or(Beyond::Air, Beyond::Place),
        }
    }

    /// The frame at a place. Beyond the [`range`](OffsetGround::range) it goes on as the formula does.
    #[inline]
    pub fn frame(&self, place: Place) -> Frame {
        match place {
            Place::Piece { index, parameter } => self.ground.pieces[index].curve().frame(parameter, self.radius),
            Place::Corner { joint, parameter } => {
                let (sine, cosine) = parameter.sin_cos();
                let normal = Vector2::new(cosine, -sine);
                Frame {
                    position: self.ground.joint(joint).point + self.radius * normal,
                    tangent: Vector2::new(normal.y, -normal.x),
                    normal,
                    curvature: -1.0 / self.radius,
                    speed: self.radius,
                }
            }
        }
    }

    /// The frame at a place that a ball with its centre there touches.
    pub fn touching_frame(&self, place: Place, centre: Vector2<f64>) -> Frame {
        self.sharp_frame(place, centre).unwrap_or_else(|| self.frame(place))
    }

    /// The frame at a place where the ground turns within a rounding error of it, as the tip of a needle: a point to a ball with its
    /// centre there, which touches it along the line from one to the other. `None`: it is not so sharp.
    pub fn sharp_frame(&self, place: Place, centre: Vector2<f64>) -> Option<Frame> {
        let Place::Piece { index, parameter } = place else { return None };
        let jet = self.ground.pieces[index].jet(parameter);
        let grain = Rounding::of_motion(centre.abs().sum() + self.radius, 0.0, 0.0, 0.0).length;
        if self.radius == 0.0 || !(jet.curvature().abs() * grain > Ground::SMOOTH_TURN) {
            return None;
        }
        let normal = (centre - jet.point).normalize();
        Some(Frame {
            position: jet.point + self.radius * normal,
            tangent: Vector2::new(normal.y, -normal.x),
            normal,
            curvature: -1.0 / self.radius,
            speed: self.frame(place).speed,
        })
    }

    /// Encloses the frames of a place's piece or corner over an interval of its parameter.
    pub fn enclosure(&self, place: Place, parameter: Interval) -> FrameEnclosure {
        self.enclosure_and_rate(place, parameter).0
    }

    /// Encloses the frames of a place's piece or corner over an interval of its parameter, and `d(speed)/d(parameter)`.
    #[inline]
    pub fn enclosure_and_rate(&self, place: Place, parameter: Interval) -> (FrameEnclosure, Interval) {
        match place {
            Place::Piece { index, .. } => {
                let over = self.ground.pieces[index].enclosure(parameter);
                let squared = over.speed_squared();
                let speed = squared.sqrt();
                let unit =
                    |c: Interval| (c / speed).intersection(Interval::new(-1.0, 1.0)).unwrap_or(Interval::UNDEFINED);
                let tangent = over.first.map(unit);
                let cross = |b: [Interval; 2]| (over.first[0] * b[1] - over.first[1] * b[0]) / (squared * speed);
                let faster = (over.first[0] * over.second[0] + over.first[1] * over.second[1]) / speed;
                let (curvature, curvature_rate) = match self.ground.pieces[index].curve().shape() {
                    Some(shape) => (shape.curvature_range(), Interval::point(0.0)),
                    None => {
                        let curvature = cross(over.second);
                        (curvature, cross(over.third) - (curvature * faster / speed).scale(3.0))
                    }
                };
                let shrink = Interval::point(1.0) - curvature.scale(self.radius);
                let normal = [-tangent[1], tangent[0]];
                let frame = FrameEnclosure {
                    position: [0, 1].map(|i| over.point[i] + normal[i].scale(self.radius)),
                    tangent,
                    normal,
                    curvature: if self.radius == 0.0 { curvature } else { curvature / shrink },
                    speed: if self.radius == 0.0 { speed } else { speed * shrink },
                };
                (frame, shrink * faster - (speed * curvature_rate).scale(self.radius))
            }
            Place::Corner { joint, .. } => {
                let (sine, cosine) = parameter.sin_cos();
                let normal = [cosine, -sine];
                let corner = self.ground.joint(joint).point;
                let frame = FrameEnclosure {
                    position: [0, 1].map(|i| Interval::point(corner[i]) + normal[i].scale(self.radius)),
                    tangent: [normal[1], -normal[0]],
                    normal,
                    curvature: Interval::point(-1.0 / self.radius),
                    speed: Interval::point(self.radius),
                };
                (frame, Interval::point(0.0))
            }
        }
    }

    /// The frame at a place, and `d(speed)/d(parameter)` of its [`Frame::speed`].
    #[inline]
    pub fn frame_and_rate(&self, place: Place) -> (Frame, f64) {
        let (frame, [rate, _]) = self.frame_and_rates(place);
        (frame, rate)
    }

    /// The frame at a place, and by the parameter the derivatives of its [`Frame::speed`] and [`Frame::curvature`]. Those of the rest
    /// are Frenet's: `dq = speed τ`, `dτ = κc speed n`, `dn = −κc speed τ`.
    #[inline]
    pub fn frame_and_rates(&self, place: Place) -> (Frame, [f64; 2]) {
        match place {
            Place::Piece { index, parameter } => {
                let jet = self.ground.pieces[index].jet(parameter);
                let speed = jet.speed();
                let slowness = 1.0 / speed;
                let tangent = jet.first * slowness;
                let normal = turn_left(tangent);
                let cube = slowness * slowness * slowness;
                let curvature = jet.first.perp(&jet.second) * cube;
                // ‖c′‖′, and dκ/ds from κ = det(c′, c″)/‖c′‖³
                let faster = jet.first.dot(&jet.second) * slowness;
                let curvature_rate = jet.first.perp(&jet.third) * cube - 3.0 * curvature * faster * slowness;
                let shrink = 1.0 - curvature * self.radius;
                let frame = Frame {
                    position: jet.point + self.radius * normal,
                    tangent,
                    normal,
                    curvature: curvature / shrink,
                    speed: speed * shrink,
                };
                let rate = shrink * faster - self.radius * speed * curvature_rate;
                (frame, [rate, curvature_rate / (shrink * shrink)])
            }
            Place::Corner { .. } => (self.frame(place), [0.0; 2]),
        }
    }

    /// The ground point below a place, m.
    pub fn ground_point(&self, place: Place) -> Vector2<f64> {
        match place {
            Place::Piece { index, parameter } => self.ground.pieces[index].curve().point_at(parameter),
            Place::Corner { joint, .. } => self.ground.joint(joint).point,
        }
    }

    /// `s` as outputs show it.
    pub fn shown_parameter(&self, place: Place) -> f64 {
        match place {
            Place::Piece { index, parameter } => self.ground.shown_parameter(index, parameter),
            Place::Corner { joint, .. } => self.ground.shown_joint(joint),
        }
    }

    /// The piece, or the arc around a corner, that the face is part of.
    pub(crate) fn piece(&self, face: &Face) -> &Piece {
        match face.source {
            Source::Piece(index) => &self.ground.pieces[index],
            Source::Corner(i) => &self.corners[i].arc,
        }
    }

    /// The place of parameter `s` on a face.
    pub(crate) fn place_on(&self, face: &Face, s: f64) -> Place {
        match face.source {
            Source::Piece(index) => Place::Piece { index, parameter: s },
            Source::Corner(i) => {
                let corner = &self.corners[i];
                Place::Corner { joint: corner.joint, parameter: corner.start + s / self.radius }
            }
        }
    }

    /// The place of a ball that touches the ground at the closest point to its centre `q` (m): on the arc around a
    /// corner or an end where that is the closest.
    pub fn place_below(&self, q: Vector2<f64>) -> Place {
        if let Some(straight) = &self.straight {
            return Place::Piece { index: 0, parameter: straight.parameter_below(q) };
        }
        self.place_of(&self.ground.closest(q), q)
    }

    /// The place of a ball with its centre at `q` (m) for which `near` is the closest point of some of the ground.
    pub(crate) fn place_of(&self, near: &Closest, q: Vector2<f64>) -> Place {
        let joint = match self.ground.spot(near.piece, near.parameter) {
            Spot::Joint(joint) => Some(joint),
            Spot::Piece { .. } => None,
        };
        let on_piece = Place::Piece { index: near.piece, parameter: near.parameter };
        let Some((joint, arc)) = joint.and_then(|joint| Some((joint, self.corner_at(joint)?))) else { return on_piece };
        let normal = q - near.point;
        let angle = (-normal.y).atan2(normal.x);
        let parameter = arc.start + (angle - arc.start).rem_euclid(2.0 * PI);
        let beyond = parameter - arc.start - arc.turn;
        if beyond <= 0.0 {
            return Place::Corner { joint, parameter };
        }
        // Beyond the arc by rounding it is on the piece of that side, whichever of the two the search came from.
        let after = beyond < 0.5 * (2.0 * PI - arc.turn);
        let end = |index: usize| Place::Piece { index, parameter: self.ground.pieces[index].end(!after) };
        let Joint { before, after: next, .. } = self.ground.joint(joint);
        if after { next } else { before }.map_or(on_piece, end)
    }

    /// The place that begins (`forward`) or ends where a joint is: the rounded corner if there is one.
    pub fn corner(&self, joint: usize, forward: bool) -> Option<Place> {
        let corner = self.corner_at(joint)?;
        let parameter = if forward { corner.start } else { corner.start + corner.turn };
        Some(Place::Corner { joint, parameter })
    }

    /// The rounded corner of a joint, if it sticks out on that side.
    fn corner_at(&self, joint: usize) -> Option<&Corner> {
        let corner = &self.corners[self.corner_of_joint[self.ground.front_joint(joint)]?];
        (corner.joint == joint).then_some(corner)
    }

    /// [`place_below`](Self::place_below) and [`gap`](Self::gap), by one search.
    pub fn place_and_gap(&self, q: Vector2<f64>) -> (Place, f64) {
        let near = self.ground.closest(q);
        let place = match &self.straight {
            Some(straight) => Place::Piece { index: 0, parameter: straight.parameter_below(q) },
            None => self.place_of(&near, q),
        };
        (place, near.distance - self.radius)
    }

    /// The place on the other side of its curve where a point may be on either; `None`: there is no such side.
    pub fn other_side(&self, place: Place) -> Option<Place> {
        let Place::Piece { index, parameter } = place else { return None };
        let index = self.ground.other_side(index).filter(|_| self.radius == 0.0)?;
        Some(Place::Piece { index, parameter: -parameter })
    }

    /// Whether a place is on the back of a curve.
    pub fn is_on_back(&self, place: Place) -> bool {
        matches!(place, Place::Piece { index, .. } if self.ground().is_back(index))
    }

    /// `g(q) = dist(q, ground) − R` in metres, negative below the ground; a curve with an end has no below.
    pub fn gap(&self, q: Vector2<f64>) -> f64 {
        self.ground().closest(q).distance - self.radius()
    }

    /// Rounding of the centre of a ball at a place, m: how wide its enclosure is over the rounding of the parameter. It
    /// sees what no frame shows: numbers that cancel in the formula. 0 where the enclosure is undefined.
    pub fn rounding(&self, place: Place) -> f64 {
        let s = place.parameter();
        let [x, y] = self.enclosure(place, Interval::around(s, f64::EPSILON * s.abs())).position;
        Some(x.width() + y.width()).filter(|width| width.is_finite()).unwrap_or(0.0)
    }
}

/// The face of a leaf on the side of a piece, and the box of its offset curve and what it goes on by.
fn face_of(
    ground: &Ground,
    index: usize,
    (domain, axis): (Interval, Vector2<f64>),
    bounds: &Box2,
    radius: f64,
) -> (Face, Box2) {
    let piece = ground.piece(index);
    let joints = [ground.joint_before(index), ground.joint_after(index)].map(|joint| ground.joint(joint));
    let ends = [domain.lo, domain.hi];
    let margin = [0, 1].map(|i| match joints[i].kind {
        _ if !ends[i].is_finite() => 0.0,
        _ if ends[i] != piece.end(i == 1) => MARGIN,
        JointKind::Convex | JointKind::End if radius == 0.0 => 0.0,
        _ => margin(joints[i].turn),
    });
    let face = Face::new(Source::Piece(index), piece, domain, axis, radius, margin);
    let size = |s: f64| radius + piece.curve().point_at(s).norm() + face.rounding / f64::EPSILON;
    let beyond = [0, 1].map(|i| if margin[i] == 0.0 { 0.0 } else { margin[i] * size(ends[i]) });
    let reach = radius + beyond[0].max(beyond[1]);
    let grow = |c: Interval| Interval::new(c.lo - reach, c.hi + reach);
    (face, Box2 { x: grow(bounds.x), y: grow(bounds.y) })
}
