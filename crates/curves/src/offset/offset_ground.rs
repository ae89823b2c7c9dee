//! [`OffsetGround`]: the ground for the centre of a ball, the offset curve with arcs around corners.

use std::f64::consts::PI;
use std::sync::{Arc as Shared, Mutex, PoisonError};

use nalgebra::Vector2;
use numbers::{Interval, Number, elementary};

use super::faces::{Face, FaceSource, MARGIN, RoundedCorner, arc_leaves, corners, margin};
use crate::ground::box_tree::{Box2, BoxTree};
use crate::ground::parametrisation::Leaf;
use crate::{Bounds, Closest, Frame, FrameOver, Ground, Joint, JointKind, Piece, Place, Spot, Straight, Touched};

/// A ground, for a ball of one radius.
#[derive(Debug)]
pub struct OffsetGround {
    ground: Shared<Ground>,
    radius: f64,
    pub(crate) faces: Vec<Face>,
    /// First face of each piece, if it has one.
    face_of_piece: Vec<usize>,
    pub(crate) corners: Vec<RoundedCorner>,
    /// Rounded corner of each joint, which sticks out on one side at most.
    corner_of_joint: Vec<Option<usize>>,
    pub(crate) tree: BoxTree,
    /// Whether all faces have bounds.
    regular: bool,
    /// See [`OffsetGround::touches_once`].
    once: bool,
    pub(crate) straight: Option<Straight>,
    /// See [`OffsetGround::seen_by`], by the number of [`Touched::strands`].
    seen: Mutex<Vec<(u64, Shared<OffsetGround>)>>,
}

/// Largest number of grounds with other strands that are kept.
const SEEN: usize = 64;

impl OffsetGround {
    /// Prepares `ground` for a ball of this radius (m, finite, ≥ 0; other values count as 0).
    pub fn new(ground: Shared<Ground>, radius: f64) -> Self {
        let radius = if radius > 0.0 && radius.is_finite() { radius } else { 0.0 };
        let solid = |ground: Ground| Shared::new(ground.with_backs());
        match ground.cut_for(radius) {
            None if ground.has_all_backs() => OffsetGround::whole(ground, radius),
            None => OffsetGround::whole(solid(Shared::unwrap_or_clone(ground)), radius),
            Some(cut) => OffsetGround::whole(solid(cut), radius),
        }
    }

    /// Whether the solid strands depend on the ball's last touch.
    #[inline(always)]
    pub fn crosses_itself(&self) -> bool {
        !self.ground.cut_crossings.is_empty()
    }

    /// Last touches of a ball after a touch at a place.
    #[inline(always)]
    pub fn touching(&self, touched: Touched, place: Place) -> Touched {
        if self.crosses_itself() { self.ground.touching(touched, place) } else { touched }
    }

    /// The ground that is solid after these last touches; cached, and shared by all users of this one.
    pub fn seen_by(&self, touched: Touched) -> Shared<OffsetGround> {
        let number = touched.strands();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = seen.iter().find(|(known, _)| *known == number) {
            return known.clone();
        }
        let made = Shared::new(OffsetGround::whole(Shared::new(self.ground.seen_by(touched)), self.radius));
        if seen.len() < SEEN {
            seen.push((number, made.clone()));
        }
        made
    }

    /// Returns the ground of some curves alone; pieces and joints keep their indices.
    pub fn only(&self, curves: &[usize]) -> OffsetGround {
        OffsetGround::whole(Shared::new(self.ground.only(curves)), self.radius)
    }

    /// Box of the centres of touching balls, m.
    pub fn bounds(&self) -> [Interval; 2] {
        let bounds = self.tree.bounds(self.tree.root());
        [bounds.x, bounds.y]
    }

    /// Number of gates before a place on its curve; `None`: the curve does not cross itself.
    pub fn gates_before(&self, place: Place) -> Option<usize> {
        self.ground.gates_before(place)
    }

    /// The offset of a ground that has its backs, and is cut at its gates.
    fn whole(ground: Shared<Ground>, radius: f64) -> Self {
        let corners = corners(&ground, radius);
        let mut corner_of_joint = vec![None; ground.joints.len()];
        for (i, corner) in corners.iter().enumerate() {
            corner_of_joint[ground.front_joint(corner.joint)] = Some(i);
        }
        let most = ground.face_count();
        let (mut faces, mut boxes) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut face_of_piece = vec![usize::MAX; ground.pieces.len()];
        let add_corner = |joint: usize, faces: &mut Vec<Face>, boxes: &mut Vec<Box2>| {
            let Some(i) = corner_of_joint[joint] else { return };
            let arc = &corners[i].arc;
            for (domain, axis) in arc_leaves(&corners[i]) {
                boxes.push(Box2::new(arc.point_over(domain)));
                faces.push(Face::new(FaceSource::Corner(i), arc, domain, axis, 0.0, [MARGIN; 2]));
            }
        };
        // Faces in the order of travel, so that runs of them are near each other: a corner's arc before the piece that
        // begins there, front and back of a leaf side by side.
        for index in 0..ground.pieces().len() {
            let begins = ground.joint_before(index);
            let shown = ground.shows(index);
            if shown || ground.joint(begins).before.is_some_and(|before| before < index && ground.shows(before)) {
                add_corner(begins, &mut faces, &mut boxes);
            }
            let back = ground.other_side(index);
            for leaf in &ground.leaves[ground.first_leaf[index]..ground.first_leaf[index + 1]] {
                let behind = back.map(|piece| Leaf { piece, ..leaf.mirrored() });
                for leaf in [Some(leaf.clone()), behind].into_iter().flatten() {
                    let (face, seen) = face_of(&ground, &leaf, radius);
                    face_of_piece[leaf.piece] = face_of_piece[leaf.piece].min(faces.len());
                    boxes.push(seen);
                    faces.push(face);
                }
            }
            let chain = ground.chain(index);
            if shown && !chain.closed && index + 1 == chain.pieces.end {
                add_corner(ground.joint_after(index), &mut faces, &mut boxes);
            }
        }
        let tree = BoxTree::new(boxes.into_iter());
        for face in 0..faces.len() {
            faces[face].clear = clear_of(&ground, &faces, face, &tree);
        }
        let concave = (0..2 * ground.joints.len()).any(|joint| {
            let joint = ground.joint(joint);
            joint.kind == JointKind::Concave && joint.before.is_some()
        });
        // One chain without concave corners; for a ball with a radius also one graph with κR < 1.
        let regular = faces.iter().all(|face| face.bounds.is_some());
        let one_axis = ground.leaves.windows(2).all(|pair| pair[0].axis == pair[1].axis);
        let once = ground.chains.iter().filter(|chain| chain.pieces.clone().any(|piece| ground.shows(piece))).count()
            == 1
            && !concave
            && (radius == 0.0 || one_axis && regular);
        let straight = match (&faces[..], &ground.pieces[..]) {
            ([face], [piece]) => Straight::of(face, piece),
            _ => None,
        };
        let seen = Mutex::default();
        OffsetGround {
            ground,
            radius,
            faces,
            face_of_piece,
            corners,
            corner_of_joint,
            tree,
            regular,
            once,
            straight,
            seen,
        }
    }

    /// The box around a straight piece that is free of other faces, if any.
    pub(crate) fn clear_around(&self, piece: usize) -> Option<&Box2> {
        self.faces.get(*self.face_of_piece.get(piece)?)?.clear.as_ref()
    }

    /// Whether at most one face, a regular one, is within this distance (m) of a centre: the ball touches once at most.
    pub(crate) fn is_alone(&self, centre: Vector2<f64>, within: f64) -> bool {
        self.regular && self.tree.count_near(self.tree.root(), &self.around(centre, within), 2) <= 1
    }

    /// Box of everything within this distance (m) of a centre, with rounding.
    pub(crate) fn around(&self, centre: Vector2<f64>, within: f64) -> Box2 {
        let reach = within + MARGIN * (self.radius + centre.norm());
        Box2::new([centre.x, centre.y].map(|c| Interval::new(c - reach, c + reach)))
    }

    /// Whether it is proven that the ball can't touch the ground in two places at once: a point without concave
    /// corners; a ball where the ground is a graph over one axis with `κR < 1`.
    pub fn touches_once(&self) -> bool {
        self.once
    }

    /// The ground as a straight line without ends, if it is one.
    pub fn straight(&self) -> Option<&Straight> {
        self.straight.as_ref()
    }

    /// Index of the curve of a place, from 0.
    pub fn curve_of(&self, place: Place) -> usize {
        self.ground.piece_at(place).map_or(0, |piece| self.ground.curve_of(piece))
    }

    /// The ground itself (R = 0).
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The ground itself, shared.
    pub fn shared(&self) -> &Shared<Ground> {
        &self.ground
    }
    /// The ball's radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Parameters of a place's piece or corner.
    pub fn range(&self, place: Place) -> Interval {
        match place {
            Place::Piece { index, .. } => self.ground.pieces[index].domain(),
            Place::Corner { joint, .. } => match self.corner_at(joint) {
                Some(corner) => Interval::new(corner.start, corner.start + corner.turn),
                None => Interval::UNDEFINED,
            },
        }
    }

    /// Frame at a place. Outside the [`range`](OffsetGround::range) the formula is continued.
    #[inline]
    pub fn frame(&self, place: Place) -> Frame {
        match place {
            Place::Piece { index, parameter } => self.ground.pieces[index].curve().frame(parameter, self.radius),
            Place::Corner { parameter, .. } => self.frame_over(place, parameter).into(),
        }
    }

    /// Frame at a parameter of a place's piece or corner, over any number; as [`OffsetGround::frame`].
    pub fn frame_over<N: Number>(&self, place: Place, parameter: N) -> FrameOver<N> {
        let Place::Piece { index, .. } = place else {
            let (sine, cosine) = parameter.sin_cos();
            return FrameOver::around(self.ground_point(place), [cosine, -sine], self.radius());
        };
        let curve = self.ground().piece(index).curve();
        let [x, y] = N::series_of::<3, _>(curve, parameter);
        match curve.shape() {
            // Lines and arcs have the arc length as their parameter.
            Some(shape) => {
                let curvature = N::constant(shape.curvature());
                FrameOver::on_curve([x[0], y[0]], [x[1], y[1]], curvature, N::constant(1.0))
            }
            None => FrameOver::of([x, y]),
        }
        .offset(self.radius())
    }

    /// Encloses the frames of a place's piece or corner over an interval of its parameter.
    pub fn enclosure(&self, place: Place, parameter: Interval) -> FrameOver<Interval> {
        self.enclosure_and_rate(place, parameter).0
    }

    /// Encloses the frames of a place's piece or corner over an interval of its parameter, and `d(speed)/d(parameter)`.
    #[inline]
    pub fn enclosure_and_rate(&self, place: Place, parameter: Interval) -> (FrameOver<Interval>, Interval) {
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
                let own = FrameOver::on_curve(over.point, tangent, curvature, speed);
                let rate = own.shrink(self.radius) * faster - (speed * curvature_rate).scale(self.radius);
                (own.offset(self.radius), rate)
            }
            Place::Corner { .. } => (self.frame_over(place, parameter), Interval::point(0.0)),
        }
    }

    /// The frame at a place, and `d(speed)/d(parameter)` of its [`Frame::speed`].
    #[inline]
    pub fn frame_and_rate(&self, place: Place) -> (Frame, f64) {
        match place {
            Place::Piece { index, parameter } => {
                let jet = self.ground.pieces[index].jet(parameter);
                let speed = jet.speed();
                let slowness = 1.0 / speed;
                let tangent = jet.first * slowness;
                let cube = slowness * slowness * slowness;
                let curvature = jet.first.perp(&jet.second) * cube;
                // ‖c′‖′, and dκ/ds from κ = det(c′, c″)/‖c′‖³
                let faster = jet.first.dot(&jet.second) * slowness;
                let curvature_rate = jet.first.perp(&jet.third) * cube - 3.0 * curvature * faster * slowness;
                let own = FrameOver::on_curve(jet.point.into(), tangent.into(), curvature, speed);
                let rate = own.shrink(self.radius) * faster - self.radius * speed * curvature_rate;
                (own.offset(self.radius).into(), rate)
            }
            Place::Corner { .. } => (self.frame(place), 0.0),
        }
    }

    /// Ground point at a place, m.
    pub fn ground_point(&self, place: Place) -> Vector2<f64> {
        match place {
            Place::Piece { index, parameter } => self.ground.pieces[index].curve().point_at(parameter),
            Place::Corner { joint, .. } => self.ground.joint(joint).point,
        }
    }

    /// `s` in outputs.
    pub fn shown_parameter(&self, place: Place) -> f64 {
        match place {
            Place::Piece { index, parameter } => self.ground.shown_parameter(index, parameter),
            Place::Corner { joint, .. } => self.ground.shown_joint(joint),
        }
    }

    /// The piece, or the arc around a corner, that a face is part of.
    pub(crate) fn piece(&self, face: &Face) -> &Piece {
        match face.source {
            FaceSource::Piece(index) => &self.ground.pieces[index],
            FaceSource::Corner(i) => &self.corners[i].arc,
        }
    }

    /// Place at parameter `s` of a face.
    pub(crate) fn place_on(&self, face: &Face, s: f64) -> Place {
        match face.source {
            FaceSource::Piece(index) => Place::Piece { index, parameter: s },
            FaceSource::Corner(i) => {
                let corner = &self.corners[i];
                Place::Corner { joint: corner.joint, parameter: corner.start + s / self.radius }
            }
        }
    }

    /// Place of a ball at the ground point closest to its centre `q` (m): on the arc around a corner or an end where
    /// that is the closest.
    pub fn place_below(&self, q: Vector2<f64>) -> Place {
        match &self.straight {
            Some(straight) => Place::Piece { index: 0, parameter: straight.parameter_below(q) },
            None => self.place_of(&self.ground.closest(q), q),
        }
    }

    /// Place of a ball with its centre at `q` (m) for its closest point `near` on some of the ground; straight ground
    /// has one place below each centre.
    pub(crate) fn place_of(&self, near: &Closest, q: Vector2<f64>) -> Place {
        if self.straight.is_some() {
            return self.place_below(q);
        }
        let joint = match self.ground.spot(near.piece, near.parameter) {
            Spot::Joint(joint) => Some(joint),
            Spot::Piece { .. } => None,
        };
        let on_piece = Place::Piece { index: near.piece, parameter: near.parameter };
        let Some((joint, arc)) = joint.and_then(|joint| Some((joint, self.corner_at(joint)?))) else { return on_piece };
        let normal = q - near.point;
        let angle = elementary::atan2(-normal.y, normal.x);
        let parameter = arc.start + (angle - arc.start).rem_euclid(2.0 * PI);
        let beyond = parameter - arc.start - arc.turn;
        if beyond <= 0.0 {
            return Place::Corner { joint, parameter };
        }
        // Beyond the arc by rounding it is on the adjacent piece, whichever of the two the search came from.
        let after = beyond < 0.5 * (2.0 * PI - arc.turn);
        let end = |index: usize| Place::Piece { index, parameter: self.ground.pieces[index].end(!after) };
        let Joint { before, after: next, .. } = self.ground.joint(joint);
        if after { next } else { before }.map_or(on_piece, end)
    }

    /// Place at the start (`forward`) or end of the arc around a joint; `None`: it has none on this side.
    pub fn corner(&self, joint: usize, forward: bool) -> Option<Place> {
        let corner = self.corner_at(joint)?;
        let parameter = if forward { corner.start } else { corner.start + corner.turn };
        Some(Place::Corner { joint, parameter })
    }

    /// Rounded corner of a joint, if it sticks out on that side.
    fn corner_at(&self, joint: usize) -> Option<&RoundedCorner> {
        let corner = &self.corners[self.corner_of_joint[self.ground.front_joint(joint)]?];
        (corner.joint == joint).then_some(corner)
    }

    /// [`place_below`](Self::place_below) and [`gap`](Self::gap) in one search.
    pub fn place_and_gap(&self, q: Vector2<f64>) -> (Place, f64) {
        let near = self.ground.closest(q);
        (self.place_of(&near, q), near.distance - self.radius)
    }

    /// The place on the other side of its curve, for a point that may be on either; `None`: that side is not solid.
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

    /// Rounding of the centre at a place, m: the width of its enclosure over the rounding of the parameter, which
    /// includes cancellation in the formula. 0 where the enclosure is undefined. For a corner, the gap of its joint.
    pub fn rounding(&self, place: Place) -> f64 {
        let s = place.parameter();
        let part = Interval::around(s, f64::EPSILON * s.abs());
        let (at, over) = (self.enclosure(place, Interval::point(s)), self.enclosure(place, part));
        // Where slopes are differences of much larger numbers, bounds of the displacement are tighter than those of the
        // normal.
        let way = (part - Interval::point(s)) * over.speed;
        let width = |i: usize| {
            let near = at.position[i] + over.tangent[i] * way;
            near.intersection(over.position[i]).unwrap_or(over.position[i]).width()
        };
        self.open(place) + Some(width(0) + width(1)).filter(|width| width.is_finite()).unwrap_or(0.0)
    }

    /// Rounding of the distance from the ground at a place, m: that of the ground point across the ground. For a
    /// corner, the gap of its joint.
    pub fn rounding_across(&self, place: Place) -> f64 {
        let Place::Piece { index, parameter } = place else { return self.open(place) };
        self.ground().piece(index).rounding_across(parameter).unwrap_or(0.0)
    }

    /// Gap of the joint of a corner, m.
    fn open(&self, place: Place) -> f64 {
        let Place::Corner { joint, .. } = place else { return 0.0 };
        let Joint { point, after, .. } = self.ground.joint(joint);
        let begin =
            |index: usize| self.ground_point(Place::Piece { index, parameter: self.ground.pieces[index].end(false) });
        after.map_or(0.0, |index| (begin(index) - point).lp_norm(1))
    }
}

/// Computes [`Face::clear`]. For a point the back of the face, which coincides with it, does not count; its ends do.
fn clear_of(ground: &Ground, faces: &[Face], index: usize, tree: &BoxTree) -> Option<Box2> {
    let face = &faces[index];
    face.bounds.as_ref().filter(|bounds| bounds.affine && face.domain.is_bounded())?;
    let FaceSource::Piece(own) = face.source else { return None };
    let back = |other: &usize| {
        let of = faces.get(*other).map(|other| (other.source, -other.domain));
        face.radius == 0.0 && of == ground.other_side(own).map(|back| (FaceSource::Piece(back), face.domain))
    };
    let back = [index + 1, index.wrapping_sub(1)].into_iter().find(back).unwrap_or(index);
    let ends = [face.domain.lo, face.domain.hi].map(|s| ground.piece(own).curve().point_at(s));
    tree.clear_of(index, back, if back == index { &[] } else { &ends })
}

/// The face of a leaf of either side, and the box of its offset curve with margins.
fn face_of(ground: &Ground, leaf: &Leaf, radius: f64) -> (Face, Box2) {
    let Leaf { piece: index, domain, axis, bounds } = *leaf;
    let piece = ground.piece(index);
    let joints = [ground.joint_before(index), ground.joint_after(index)].map(|joint| ground.joint(joint));
    let ends = [domain.lo, domain.hi];
    let margin = [0, 1].map(|i| match joints[i].kind {
        _ if !ends[i].is_finite() => 0.0,
        _ if ends[i] != piece.end(i == 1) => MARGIN,
        JointKind::Convex | JointKind::End if radius == 0.0 => 0.0,
        // The arc continues along the tangent.
        JointKind::Convex => MARGIN,
        _ => margin(joints[i].turn),
    });
    let face = Face::new(FaceSource::Piece(index), piece, domain, axis, radius, margin);
    let size = |s: f64| radius + piece.curve().point_at(s).norm() + face.rounding / f64::EPSILON;
    let sizes = ends.map(size);
    let beyond = [0, 1].map(|i| if margin[i] == 0.0 { 0.0 } else { margin[i] * sizes[i] });
    let beyond = beyond[0].max(beyond[1]);
    // The offset of a face that is straight to rounding is shifted along its one normal; any other is R away at most.
    let grain = MARGIN * sizes[0].max(sizes[1]);
    let straight = |over: &Bounds| over.bend.magnitude() * elementary::powi(Box2::size(&bounds), 2) <= grain;
    let (shift, reach) = match domain.is_bounded() && face.bounds.as_ref().is_some_and(straight) {
        true => (radius * piece.jet(domain.lo).normal(), beyond.max(grain)),
        false => (Vector2::zeros(), radius + beyond),
    };
    let grow = |c: Interval, by: f64| Interval::new(c.lo + by - reach, c.hi + by + reach);
    (face, Box2 { x: grow(bounds.x, shift.x), y: grow(bounds.y, shift.y) })
}
