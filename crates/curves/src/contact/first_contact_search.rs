//! Search for the first contact along a path: which faces of the whole ground are searched, in which order and when.

use nalgebra::Vector2;

use super::first_root_on_leaf::{March, MarchEnd, SearchCount, TouchHalves};
use super::offset_curve_bounds::{GRAZE, OffsetFoot};
use crate::ground::box_tree::{Box2, ItemVerdict, LeafRun, search};
use crate::offset::faces::MARGIN;
use crate::{Bounds, Departure, Frame, Motion, OffsetGround, Path, Place, Straight};
use numbers::{Interval, Rounding};

/// The first contact of the ball with the ground on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// Path time, s.
    pub time: f64,
    /// Place of contact.
    pub place: Place,
    /// Frame at that place.
    pub frame: Frame,
    /// Rounding of the ball's place, m: the largest of that of the ground, that of the path's start, and `bent`.
    pub rounding: f64,
    /// Rounding of the path by its bend off a parabola, m.
    pub bent: f64,
    /// Departure for a next search that begins here; `None` for a contact not found by a search.
    pub departure: Option<Departure>,
}

/// Reason why a search could not be finished.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The budget was spent: the ground oscillates faster than it can be resolved, or the path follows it too closely.
    #[error(
        "the first contact could not be decided beyond t = {time:?} s of this path: the ground bends too sharply to be resolved there, or \
         the path follows it too closely; smooth the ground, or take shorter steps of flight"
    )]
    Undecided {
        /// Path time up to which there is no contact, s.
        time: f64,
    },
    /// The ball comes to ground that it fits (`κR = 1`), or to a narrower valley.
    #[error("the ball fits the ground it touches at t = {time:?} s of this path")]
    Osculating {
        /// Path time, s.
        time: f64,
        /// Place on the ground.
        place: Place,
    },
    /// A place, velocity or acceleration of the path is not finite.
    #[error("the path of the ball is not finite")]
    PathNotFinite,
}

impl SearchError {
    /// Delays the error's time by `seconds`.
    pub fn later(self, seconds: f64) -> Self {
        match self {
            SearchError::Undecided { time } => SearchError::Undecided { time: time + seconds },
            SearchError::Osculating { time, place } => SearchError::Osculating { time: time + seconds, place },
            SearchError::PathNotFinite => self,
        }
    }

    /// Path time up to which there is no contact, s.
    fn time(&self) -> f64 {
        match *self {
            SearchError::Undecided { time } | SearchError::Osculating { time, .. } => time,
            SearchError::PathNotFinite => f64::NEG_INFINITY,
        }
    }
}

struct ContactSearch<'a> {
    offset: &'a OffsetGround,
    path: &'a Path,
    departure: Option<&'a Departure>,
    count: &'a mut SearchCount,
    best: Option<FaceHit>,
    /// Halves of a touch where two faces meet, as far as seen.
    halves: TouchHalves,
    /// Time of the touch once both halves were seen, s.
    touch: Option<f64>,
    /// Time after which contacts do not matter, s.
    until: f64,
    error: Option<SearchError>,
    /// The face that was searched before all others.
    done: Option<usize>,
    /// Number of evaluations and enclosures at which the [`BUDGET`] of the search is spent.
    give_up: u64,
}

/// A run of faces, and the times (s) for which it is searched.
struct Window {
    run: LeafRun,
    from: f64,
    to: f64,
}

/// Largest number of evaluations and enclosures of one search: spent where the offset curve is full of cusps, or the
/// path follows it.
const BUDGET: u64 = 100_000;

#[derive(Clone, Copy)]
pub(crate) struct FaceHit {
    pub time: f64,
    pub face: usize,
    pub foot: OffsetFoot,
}

impl OffsetGround {
    /// The first root of the gap along `path`, or the proof that there is none.
    ///
    /// The path must begin on the free side, or on the ground (also below by rounding) and leave it: a root at the
    /// start with a growing gap is not found again. `departure` is that of the contact that the path begins with, if
    /// any. Touches no deeper than rounding are counted, not returned.
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn first_contact(
        &self,
        path: &Path,
        departure: Option<&Departure>,
        count: &mut SearchCount,
    ) -> Result<Option<FirstContact>, SearchError> {
        count.searches += 1;
        let own = departure.and_then(|departure| self.faces.get(departure.seen.as_ref()?.0)?.bounds.as_ref());
        let back = own.and_then(|bounds| self.falls_back(path, departure?, bounds, path.duration()));
        let found = match back.filter(|found| self.comes_to_no_other(path, found.face, found.time)) {
            Some(found) => found,
            None => match self.search(path, departure, count)? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        let known = departure.map_or(0.0, |departure| departure.rounding);
        let contact = self.contact(&found, known, path.rounding());
        if found.foot.slope.abs() > Rounding::SUM {
            return Ok(Some(self.along_the_normal(contact, path.at(found.time).position)));
        }
        Ok(Some(contact))
    }

    /// The return of a parabola to a straight part of the face that it leaves, in closed form; `None`: other ground or
    /// another path, or no return within the part by `until` (s).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn falls_back(&self, path: &Path, departure: &Departure, bounds: &Bounds, until: f64) -> Option<FaceHit> {
        let Departure { seen, rounding, .. } = departure;
        let (index, start) = seen.as_ref()?;
        if !(bounds.affine && path.is_parabola() && bounds.parameter.contains(start.parameter)) {
            return None;
        }
        let face = &self.faces[*index];
        let Motion { position, velocity, acceleration } = path.at(0.0);
        let seen = |v: Vector2<f64>| Vector2::new(face.axis.dot(&v), face.axis.perp(&v));
        let (speed, push) = (seen(velocity), seen(acceleration));
        let [rate, second] = [speed, push].map(|v| v.y - start.slope * v.x);
        let time = 2.0 * rate / -second;
        // As in `March::leap`: rounding of φ may delay the root by its size over the rate.
        let size = |v: Vector2<f64>| v.x.abs() + v.y.abs();
        let place = size(position) + face.radius + face.rounding.max(*rounding) / f64::EPSILON;
        let place = place + time * (size(velocity) + time * size(acceleration));
        let late = time + 4.0 * GRAZE * (1.0 + start.slope.abs()) * place / rate;
        let way = |speed: f64, push: f64| start.xi + late * (speed + 0.5 * late * push);
        let inside = bounds.abscissa.lo <= way(speed.x.min(0.0), push.x.min(0.0))
            && way(speed.x.max(0.0), push.x.max(0.0)) <= bounds.abscissa.hi;
        let found = || FaceHit { time, face: *index, foot: start.along(face.axis.dot(&path.at(time).position)) };
        (rate > 0.0 && second < 0.0 && inside && late <= until).then(found)
    }

    /// Whether a path that leaves a face, and meets it again at a time (s), can't come to other faces before.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn comes_to_no_other(&self, path: &Path, face: usize, time: f64) -> bool {
        let clear = || self.faces[face].clear.is_some_and(|clear| clear.holds(&Box2::new(path.hull(time))));
        self.faces.len() == 1 || clear()
    }

    /// Searches all faces.
    #[inline(never)]
    fn search(
        &self,
        path: &Path,
        departure: Option<&Departure>,
        count: &mut SearchCount,
    ) -> Result<Option<FaceHit>, SearchError> {
        let until = path.duration();
        let give_up = count.evaluations + count.enclosures + BUDGET;
        let (best, halves, touch, error, done) = (None, TouchHalves::default(), None, None, None);
        let mut found =
            ContactSearch { offset: self, path, departure, count, best, halves, touch, until, error, done, give_up };
        if self.faces.len() == 1 {
            found.face(0, 0.0, until);
        } else if !found.comes_back() {
            search(Window { run: self.tree.root(), from: 0.0, to: until }, &mut |window| found.look(window));
        }
        if found.touch.is_some_and(|time| time < found.until) {
            found.count.grazes += 1;
        }
        match found.error {
            // A part left undecided does not matter if it is later than the contact found.
            Some(error) if !(error.time() > found.until) => Err(error),
            _ => Ok(found.best),
        }
    }

    /// The contact with straight ground, `time` s along a path, at the centre `q`.
    pub fn contact_at(&self, straight: &Straight, time: f64, q: Vector2<f64>) -> FirstContact {
        let foot = straight.foot.along(q.dot(&straight.axis));
        self.contact(&FaceHit { time, face: 0, foot }, 0.0, 0.0)
    }

    /// The contact with its foot on the normal through the centre, to rounding. Found along the axis of a face, a foot
    /// is off along the ground by the slope times the rounding of the abscissa.
    #[cold]
    fn along_the_normal(&self, mut contact: FirstContact, centre: Vector2<f64>) -> FirstContact {
        let Place::Piece { .. } = contact.place else { return contact };
        for _ in 0..2 {
            let aside = (centre - contact.frame.position).dot(&contact.frame.tangent);
            let range = self.range(contact.place);
            let place = contact.place.at(range.clamp(contact.place.parameter() + aside / contact.frame.speed));
            let frame = self.frame(place);
            // A foot that comes no nearer is not taken: the ground turns within that distance.
            if !((centre - frame.position).norm() < (centre - contact.frame.position).norm()) {
                break;
            }
            (contact.place, contact.frame) = (place, frame);
        }
        contact
    }

    /// The contact on a path whose start has a rounding of `known` m, and its bend off a parabola one of `bent` m.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn contact(&self, found: &FaceHit, known: f64, bent: f64) -> FirstContact {
        let FaceHit { time, face, ref foot } = *found;
        let seen = &self.faces[face];
        let mut frame = foot.frame(seen.axis);
        let place = self.place_on(seen, foot.parameter);
        if let Place::Corner { .. } = place {
            frame.speed = self.radius();
        }
        let size = frame.position.x.abs() + frame.position.y.abs() + self.radius();
        let rounding = seen.rounding_near(self.piece(seen), || [foot.parameter], size);
        let departure = Departure::seen(place, rounding, face, *foot);
        FirstContact { time, place, frame, rounding: rounding.max(known).max(bent), bent, departure: Some(departure) }
    }
}

impl ContactSearch<'_> {
    /// Searches the face that the ball leaves before all others, if it has a box free of other faces. Returns whether
    /// the path stays in that box up to where it meets the face again, so that the search is done.
    fn comes_back(&mut self) -> bool {
        let Some((face, _)) = self.departure.and_then(|departure| departure.seen) else { return false };
        if self.offset.faces.get(face).is_none_or(|face| face.clear.is_none()) {
            return false;
        }
        self.face(face, 0.0, self.until);
        self.done = Some(face);
        self.error.is_none() && self.offset.comes_to_no_other(self.path, face, self.until)
    }

    /// Box of a path between two times; `None`: it is not finite, which ends the search.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn swept(&mut self, path: &Path, from: f64, to: f64) -> Option<Box2> {
        let swept = Box2::new(path.bounds(from, to));
        let finite = !(swept.x.is_undefined() || swept.y.is_undefined());
        if !finite {
            self.error = Some(SearchError::PathNotFinite);
        }
        finite.then_some(swept)
    }

    /// Searches a run of faces over a window of time, or branches into halves of either: earlier and nearer ones first.
    fn look(&mut self, Window { run, from, to }: Window) -> ItemVerdict<Window> {
        let to = to.min(self.until);
        if !(from < to) {
            return ItemVerdict::Out;
        }
        let (tree, path) = (&self.offset.tree, self.path);
        let Some(swept) = self.swept(path, from, to) else { return ItemVerdict::Out };
        let node = tree.bounds(run);
        if !node.near(&swept, 0.0) {
            return ItemVerdict::Out;
        }
        let middle = 0.5 * (from + to);
        if let Some(leaf) = run.leaf() {
            self.face(leaf, from, to);
            return ItemVerdict::Out;
        }
        if swept.size() > node.size() && from < middle && middle < to {
            return ItemVerdict::halves((Window { run, from, to: middle }, Window { run, from: middle, to }));
        }
        let (left, right) = run.halves();
        let window = |half: LeafRun| Window { run: half, from, to };
        match [left, right].map(|half| tree.bounds(half).near(&swept, 0.0)) {
            [true, true] => {
                // The nearer run is searched first, and the other one only up to the contact found there.
                let (first, second) = tree.nearer_first(run, path.at(from).position);
                ItemVerdict::halves((window(first), window(second)))
            }
            [one, other] => ItemVerdict::Branch([one.then(|| window(left)), other.then(|| window(right)), None]),
        }
    }

    #[inline(always)]
    fn face(&mut self, face: usize, from: f64, to: f64) {
        let offset = self.offset;
        if self.done == Some(face) {
            return;
        }
        match &offset.faces[face].bounds {
            Some(bounds) => self.march(face, bounds, from, to),
            None => self.irregular(face, offset.faces[face].domain, from, to, 0),
        }
    }

    /// Searches a part of one face with `bounds` by a march, from `from` to `to` s.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn march(&mut self, index: usize, bounds: &Bounds, from: f64, to: f64) {
        let face = &self.offset.faces[index];
        let start = match self.departure {
            Some(&Departure { seen: Some((face, foot)), .. })
                if face == index && from == 0.0 && bounds.parameter.contains(foot.parameter) =>
            {
                Some(foot)
            }
            _ => None,
        };
        if let (Some(_), Some(departure)) = (start, self.departure)
            && let Some(found) = self.offset.falls_back(self.path, departure, bounds, to.min(self.until))
        {
            return self.found(found);
        }
        let (axis, radius) = (face.axis, face.radius);
        let seen;
        let path = if axis == Vector2::x() {
            self.path
        } else {
            seen = self.path.seen_along(axis);
            &seen
        };
        let to = to.min(self.until);
        let sides = self.offset.sides(face, self.path, self.departure);
        let piece = self.offset.piece(face);
        let first = path.at(from).position;
        let places = || {
            let last = path.at(to).position;
            let near = start.map_or(bounds.parameter.clamp(0.5 * (first.x + last.x)), |foot| foot.parameter);
            [near, bounds.parameter.clamp(first.x), bounds.parameter.clamp(last.x)]
        };
        let size = first.x.abs() + first.y.abs() + radius;
        // The path has the rounding of its start.
        let known = self.departure.map_or(0.0, |departure| departure.rounding);
        let ground = face.rounding_near(piece, places, size).max(known) / f64::EPSILON;
        let mut march = March {
            path,
            from,
            to,
            axis,
            radius,
            bounds,
            margin: face.margins(bounds.parameter),
            range: piece.domain(),
            ground,
            sides: sides.as_ref(),
            start,
            leaves_beside: self.offset.leaves_beside(face, self.departure),
            count: &mut *self.count,
            give_up: self.give_up,
            halves: TouchHalves::default(),
        };
        let end = piece.curve().march(&mut march);
        let TouchHalves { left, came } = march.halves;
        if left.is_some() || came.is_some() {
            self.meet(left, came);
        }
        match end {
            MarchEnd::Clear => {}
            MarchEnd::Hit { time, foot } => self.found(FaceHit { time, face: index, foot }),
            MarchEnd::Undecided { time } => self.undecided(SearchError::Undecided { time }),
        }
    }

    /// Combines the halves of a touch, seen by marches over adjacent parts.
    #[cold]
    fn meet(&mut self, left: Option<f64>, came: Option<f64>) {
        let TouchHalves { left, came } =
            TouchHalves { left: left.or(self.halves.left), came: came.or(self.halves.came) };
        self.halves = TouchHalves { left, came };
        if let (Some(left), Some(came)) = (left, came)
            && (left - came).abs() <= 1e-9 * came
        {
            self.touch = Some(came);
            self.halves = TouchHalves::default();
        }
    }

    /// Searches a part of a face whose offset curve may have cusps: halves it until each part is regular, out of reach,
    /// or so curved that the ball can't touch it before something else.
    #[cold]
    fn irregular(&mut self, index: usize, part: Interval, from: f64, to: f64, depth: u32) {
        let to = to.min(self.until);
        if !(from < to) {
            return;
        }
        let face = &self.offset.faces[index];
        let piece = self.offset.piece(face);
        let curve = piece.curve();
        self.count.enclosures += 1;
        // An infinite part in turned coordinates may be ∞ − ∞, where the formula's own abscissa proves it out of reach.
        let axis = curve.axis();
        let seen = |point: Vector2<f64>| Vector2::new(axis.dot(&point), axis.perp(&point));
        let over = piece.own_enclosure(part);
        let ground = Box2::of_ground(over.between_ends(part, |s| seen(curve.point_at(s))));
        let Some(swept) = self.swept(&self.path.seen_along(axis), from, to) else { return };
        if !ground.near(&swept, face.radius) {
            return;
        }
        if let Some(bounds) = curve.bounds(part, face.axis, face.radius).filter(|_| !self.is_spent()) {
            return self.march(index, &bounds, from, to);
        }
        let middle = part.middle();
        // 1 − κR: a valley that is narrower than the ball throughout can't be touched before other ground.
        let shrink = Interval::point(1.0) - curve.curvature_over(part) * Interval::point(face.radius);
        if shrink.hi <= 0.0 {
            return;
        }
        // Largest distance of the offset curve from its middle.
        let length = over.speed_squared().hi.sqrt() * part.width();
        let extent = 0.5 * shrink.magnitude() * length;
        let centre = seen(curve.frame(middle, face.radius).position);
        let size = face.radius + centre.norm() + swept.size();
        let grain = 64.0 * MARGIN * size;
        if !Box2::new([Interval::point(centre.x), Interval::point(centre.y)]).near(&swept, extent + grain) {
            return;
        }
        if depth > 200 || self.is_spent() {
            return self.undecided(SearchError::Undecided { time: from });
        }
        let half_time = 0.5 * (from + to);
        let halved = from < half_time && half_time < to;
        // Where the ball fits its valley the offset curve is a point: time is halved until the path is out of reach.
        let is_point = extent < MARGIN * size || !(part.lo < middle && middle < part.hi);
        if is_point && (swept.size() <= grain || !halved) {
            let place = self.offset.place_on(face, middle);
            return self.undecided(SearchError::Osculating { time: from, place });
        }
        if halved && (is_point || swept.size() > ground.size().max(face.radius)) {
            self.irregular(index, part, from, half_time, depth + 1);
            self.irregular(index, part, half_time, to, depth + 1);
        } else {
            let (left, right) = part.halves();
            self.irregular(index, left, from, to, depth + 1);
            self.irregular(index, right, from, to, depth + 1);
        }
    }

    /// Whether the [`BUDGET`] is spent.
    fn is_spent(&self) -> bool {
        self.count.evaluations + self.count.enclosures > self.give_up
    }

    #[inline(always)]
    fn found(&mut self, found: FaceHit) {
        if self.best.as_ref().is_none_or(|best| found.time < best.time) {
            self.best = Some(found);
            self.until = found.time;
        }
    }

    /// Notes an undecided time, after which contacts no longer matter.
    #[cold]
    fn undecided(&mut self, error: SearchError) {
        self.until = self.until.min(error.time());
        if self.error.is_none_or(|before| error.time() < before.time()) {
            self.error = Some(error);
        }
    }
}
