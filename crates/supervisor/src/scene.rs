//! The scene: ground, ball, forces and laws of contact, parts that move, options of a run, a ball that fits its valley.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use curves::{Frame, OffsetGround, Place, Touched};
use mechanics::{Ball, Carriage, Compliance, ContactLaw, Energy, Forces, Mode, State};
use nalgebra::Vector2;
use newmark::Tolerance;
use numbers::{Interval, Rounding};
use rolling::{CompressedSystem, ContactSystem};

use crate::{Event, Phase, Sample, Stop};

/// Ground, ball, forces and laws of contact.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The ground as the ball's centre sees it.
    pub ground: Arc<OffsetGround>,
    /// Mass, radius and inertia of the ball.
    pub ball: Ball,
    /// Forces on the ball but those of contact.
    pub forces: Forces,
    /// Laws of rigid contact and impact.
    pub law: ContactLaw,
    /// Laws of each curve of the ground instead, if they differ; else empty.
    pub own_laws: Vec<ContactLaw>,
    /// Law of compliant contact instead, if the ball gives way; its radius must then be positive.
    pub compliance: Option<Compliance>,
    /// Curves of the ground that move together, where some move against others. The scene is then seen from what stands still, and its
    /// ground as it is where no motion has begun.
    pub parts: Vec<Part>,
    /// Flag with which whoever waits for runs of this scene ends them, from another thread ([`Stop::Observer`](crate::Stop::Observer)).
    pub ended: Option<Arc<AtomicBool>>,
    /// Scenes made from this one when they are first asked for.
    pub made: Made,
}

/// Curves that move together.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Indices of the ground's curves that belong to it.
    pub curves: Vec<usize>,
    /// Motion of these curves; `None`: they stand still.
    pub carriage: Option<Carriage>,
}

/// Ground without an end: all that is on one side of it is solid.
#[derive(Debug)]
pub(crate) struct Solid {
    pub curves: Vec<usize>,
    pub bounds: [Interval; 2],
    /// Whether a closed curve has its free side inside; `None`: a curve with ends.
    pub free_inside: Option<bool>,
    /// Ground of these curves alone, made when first asked for.
    pub ground: OnceLock<OffsetGround>,
}

/// Scenes made from another one; a copy of that makes its own.
#[derive(Debug, Default)]
pub struct Made {
    /// Scenes on the strands that are there of a ground that crosses itself, one behind the other as they were asked for.
    strands: OnceLock<Box<Strands>>,
    /// Scenes on the curves of each part.
    pub(crate) parts: OnceLock<Box<[Scene]>>,
    /// Ground that a ball may be below.
    pub(crate) solids: OnceLock<Box<[Solid]>>,
    /// Whether this scene is that of a part.
    pub(crate) of_part: bool,
}

/// A scene with the strands that are there, by the number of [`Touched::strands`].
#[derive(Debug)]
struct Strands {
    number: u64,
    scene: Scene,
    next: OnceLock<Box<Strands>>,
}

impl Clone for Made {
    fn clone(&self) -> Self {
        Made { of_part: self.of_part, ..Made::default() }
    }
}

impl Scene {
    /// A scene with one law of rigid contact for all of the ground.
    pub fn new(ground: Arc<OffsetGround>, ball: Ball, forces: Forces, law: ContactLaw) -> Self {
        let (own_laws, parts, made) = (Vec::new(), Vec::new(), Made::default());
        Scene { ground, ball, forces, law, own_laws, compliance: None, parts, ended: None, made }
    }

    /// Whether runs are to end.
    #[inline]
    pub fn is_ended(&self) -> bool {
        self.ended.as_ref().is_some_and(|ended| ended.load(Ordering::Relaxed))
    }

    /// The ledger at a state, seen from what stands still; only a compressed ball stores elastic energy, as in flight there is no
    /// contact force, wherever the ball may be. On carried ground the work done by the ground is what this
    /// energy has more than the one the ground sees.
    pub fn energy(&self, phase: Phase, state: &State) -> Energy {
        let State { position, velocity, .. } = self.world(state);
        let elastic = if phase == Phase::Compressed { self.elastic_energy(state.position) } else { 0.0 };
        Energy {
            kinetic: self.ball.kinetic_energy(velocity, state.spin),
            potential: elastic - self.ball.mass() * self.forces.gravity_vector().dot(&position),
            dissipated: state.dissipated,
            work: state.work + self.forces.carried_energy(state),
        }
    }

    /// A state as the run knows it, seen from what stands still: another one only on carried ground.
    pub fn world(&self, state: &State) -> State {
        self.forces.carriage().map_or(*state, |carriage| carriage.world(state))
    }

    /// A sample as the run knows it, seen from what stands still: its place, velocity and acceleration.
    pub fn world_sample(&self, sample: &Sample) -> Sample {
        let Some(carriage) = self.forces.carriage() else { return *sample };
        let acceleration = sample.acceleration + Vector2::from(carriage.at(sample.state.time).acceleration);
        Sample { state: carriage.world(&sample.state), acceleration, ..*sample }
    }

    /// A point as the ground sees it at a time (s), seen from what stands still, m.
    pub fn world_point(&self, time: f64, point: Vector2<f64>) -> Vector2<f64> {
        self.forces.carriage().map_or(point, |carriage| point + Vector2::from(carriage.at(time).position))
    }

    /// Energy that a ball with its centre there stores in compliant contact, J.
    fn elastic_energy(&self, centre: Vector2<f64>) -> f64 {
        let Some(law) = &self.compliance else { return 0.0 };
        let distance = self.ground.ground().closest(centre).distance;
        // A centre on the far side, by more than rounding where a run stops at δ = R, has passed an end of the ground.
        if distance > -1e-9 * self.ball.radius() { law.elastic_energy(self.ball.radius() - distance) } else { 0.0 }
    }

    /// The scene with the strands that are there for a ball that was last on the ground so: itself where all are.
    pub fn with_strands(&self, touched: Touched) -> &Scene {
        let number = touched.strands();
        if number == 0 {
            return self;
        }
        let mut at = &self.made.strands;
        loop {
            let made = at.get_or_init(|| {
                let scene = Scene { ground: self.ground.seen_by(touched), ..self.clone() };
                Box::new(Strands { number, scene, next: OnceLock::new() })
            });
            if made.number == number {
                return &made.scene;
            }
            at = &made.next;
        }
    }

    /// The scene as a ball sees it.
    pub fn seen_by(&self, sample: &Sample) -> &Scene {
        self.with_strands(sample.last)
    }

    /// The scene as a ball sees it that has touched one place.
    pub fn seen_from(&self, place: Place) -> &Scene {
        self.with_strands(self.ground.touching(Touched::default(), place))
    }

    /// The laws of rigid contact anywhere.
    pub fn laws(&self) -> impl Iterator<Item = &ContactLaw> {
        std::iter::once(&self.law).chain(&self.own_laws)
    }

    /// The law of contact at a place.
    #[inline(always)]
    pub fn law_at(&self, place: Place) -> &ContactLaw {
        if self.own_laws.is_empty() {
            return &self.law;
        }
        self.own_laws.get(self.ground.curve_of(place)).unwrap_or(&self.law)
    }

    /// The ball in a mode of contact at a place.
    #[inline(always)]
    pub fn system(&self, mode: Mode, place: Place) -> ContactSystem<'_> {
        let Scene { ground, ball, forces, .. } = self;
        ContactSystem { ground, ball, forces, contact: self.law_at(place), mode }
    }

    pub(crate) fn compressed(&self, pressing: bool) -> Option<CompressedSystem<'_>> {
        let Scene { ground, ball, forces, compliance, .. } = self;
        let compliance = compliance.as_ref()?;
        let forces = match compliance.drag() {
            true => Cow::Borrowed(forces),
            false => Cow::Owned(forces.clone().without_drag()),
        };
        Some(CompressedSystem { ground, ball, forces, compliance, pressing })
    }

    /// Rounding of a ball that touches the ground at a place, that of its ground and of its clock included.
    pub(crate) fn rounding(&self, state: &State, place: Place) -> Rounding {
        let unit = self.rounding_in_flight(state);
        Rounding { length: unit.length + self.ground.rounding(place), ..unit }
    }

    /// Rounding of a state, whatever ground is there.
    pub(crate) fn rounding_in_flight(&self, state: &State) -> Rounding {
        let radius = self.ball.radius();
        let speed = state.velocity.norm() + radius * state.spin.abs();
        Rounding::of_motion(state.position.norm() + radius, state.time, speed, self.forces.gravity_vector().norm())
    }

    pub(crate) fn flying(&self, state: State) -> Sample {
        Sample::in_flight(state, self.forces.force_at(&state) / self.ball.mass())
    }
}

impl Scene {
    /// The scene of one part, which has the names of the whole for its places; of a ground that is one part itself.
    pub(crate) fn part(&self, number: usize) -> &Scene {
        if self.parts.is_empty() {
            return self;
        }
        let parts = self.made.parts.get_or_init(|| {
            let of = |part: &Part| {
                let mut scene = Scene { parts: Vec::new(), ..self.clone() };
                scene.made.of_part = true;
                scene.ground = Arc::new(self.ground.only(&part.curves));
                scene.forces = scene.forces.carried_by(part.carriage.clone());
                scene
            };
            self.parts.iter().map(of).collect()
        });
        parts.get(number).unwrap_or(self)
    }

    /// Index of the part that a place is on; 0 where nothing moves apart.
    pub(crate) fn part_of(&self, place: Place) -> usize {
        self.part_of_curve(self.ground.curve_of(place))
    }

    /// Index of the part that a curve belongs to; 0 where nothing moves apart.
    pub fn part_of_curve(&self, curve: usize) -> usize {
        self.parts.iter().position(|part| part.curves.contains(&curve)).unwrap_or(0)
    }

    /// Whether something moves: all of the ground, or a part of it.
    pub fn moves(&self) -> bool {
        self.forces.carriage().is_some() || self.parts.iter().any(|part| part.carriage.is_some())
    }

    /// Way that the ground of a place has been carried at a time (s) from where the scene has it, m, and its velocity, m/s.
    pub fn carried(&self, place: Place, time: f64) -> [Vector2<f64>; 2] {
        let carriage = || self.parts[self.part_of(place)].carriage.as_ref();
        self.parts.first().and_then(|_| carriage()).map_or([Vector2::zeros(); 2], |carriage| {
            let origin = carriage.at(time);
            [origin.position.into(), origin.velocity.into()]
        })
    }

    /// Way that a piece of the ground has been carried at a time (s), also where the ground moves as a whole, m.
    pub fn carried_piece(&self, index: usize, time: f64) -> [f64; 2] {
        let [way, _] = self.carried(Place::Piece { index, parameter: 0.0 }, time);
        self.world_point(time, way).into()
    }

    /// The ground nearest to a centre (m) at a time (s), and how far a ball there is off it, m.
    pub fn nearest(&self, time: f64, centre: Vector2<f64>) -> (Place, f64) {
        if self.parts.is_empty() {
            return self.ground.place_and_gap(centre);
        }
        let of = |number: usize| {
            let part = self.part(number);
            part.ground.place_and_gap(part.seen_point(time, centre))
        };
        let nearest = (0..self.parts.len()).map(of).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.unwrap_or_else(|| self.ground.place_and_gap(centre))
    }

    /// Gap of ground that a ball is below, m, less than 0, and which of several curves that is: the nearest need not be it. The centre (m)
    /// at a time (s) as for [`nearest`](Self::nearest).
    pub fn below(&self, time: f64, centre: Vector2<f64>) -> Option<(usize, f64)> {
        if self.ground.ground().curves() < 2 {
            return None;
        }
        let parts = (0..self.parts.len().max(1)).map(|number| self.part(number));
        let deepest = parts.filter_map(|part| match self.parts.is_empty() {
            true => part.deepest(centre),
            false => part.deepest(part.seen_point(time, centre)),
        });
        deepest.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Curve of one part that a centre, as the part sees it, is deepest below, and the gap there, m, less than 0.
    fn deepest(&self, centre: Vector2<f64>) -> Option<(usize, f64)> {
        let ground = &self.ground;
        let solids = self.made.solids.get_or_init(|| {
            let of = |(curves, bounds): (Vec<usize>, [Interval; 2])| {
                let free_inside = ground.ground().is_free_inside(curves[0]);
                Solid { curves, bounds, free_inside, ground: OnceLock::new() }
            };
            ground.solids().map(of).collect()
        });
        let below = solids.iter().filter_map(|solid| {
            let boxed = solid.bounds[0].contains(centre.x) && solid.bounds[1].contains(centre.y);
            if solid.free_inside == Some(false) && !boxed {
                return None;
            }
            let alone = solid.ground.get_or_init(|| ground.only(&solid.curves));
            let (place, gap) = alone.place_and_gap(centre);
            (gap < -ground.radius()).then(|| (ground.curve_of(place), gap))
        });
        below.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// A point as the part of the nearest ground sees it at a time (s), m.
    fn seen_point(&self, time: f64, point: Vector2<f64>) -> Vector2<f64> {
        self.forces.carriage().map_or(point, |carriage| point - Vector2::from(carriage.at(time).position))
    }

    /// A state seen from what stands still, as this part sees it; what its ground has done counts from its motion.
    pub(crate) fn seen(&self, world: &State) -> State {
        let seen = self.forces.carriage().map_or(*world, |carriage| carriage.carried(world));
        State { work: world.work - self.forces.carried_energy(&seen), ..seen }
    }

    /// A state as this scene knows it, as it is told: of a part, seen from what stands still.
    pub(crate) fn reported(&self, state: &State) -> State {
        if !self.made.of_part {
            return *state;
        }
        State { work: state.work + self.forces.carried_energy(state), ..self.world(state) }
    }

    pub(crate) fn reported_sample(&self, sample: Sample) -> Sample {
        if !self.made.of_part {
            return sample;
        }
        Sample { state: self.reported(&sample.state), ..self.world_sample(&sample) }
    }

    pub(crate) fn reported_frame(&self, frame: &Frame, time: f64) -> Frame {
        if !self.made.of_part {
            return *frame;
        }
        Frame { position: self.world_point(time, frame.position), ..*frame }
    }

    /// An event that the scene of a part made, seen from what stands still.
    pub(crate) fn reported_event(&self, event: &Event) -> Event {
        let Event { before, after, frame, .. } = event;
        let ground_velocity = self
            .forces
            .carriage()
            .map_or(Vector2::zeros(), |carriage| Vector2::from(carriage.at(before.time).velocity));
        let frame = self.reported_frame(frame, before.time);
        Event { before: self.reported(before), after: self.reported(after), frame, ground_velocity, ..*event }
    }
}

/// Settings of a run: its end, samples, captures, steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// End of the run, s (> 0).
    pub duration: f64,
    /// Time between samples, s (> 0); `None`: none.
    pub interval: Option<f64>,
    /// Bounces that leave the ground slower than this may be summed up, m/s.
    pub capture_speed: f64,
    /// Error of the velocity after that beyond which slow bounces are not summed up, m/s.
    pub capture_tolerance: f64,
    /// Longest step of a method that has a force to follow, s (> 0; ∞: none is too long).
    pub largest_step: f64,
    /// Tolerance of steps of compliant contact.
    pub compression: Tolerance,
    /// Events and steps allowed, and 256 times as many ground evaluations of searches; `None`: as many as it takes.
    pub limit: Option<u64>,
}

impl Scene {
    /// Fails if a ball at a place fits the valley there, `κR = 1`: its centre would stand still while the contact runs on, and the laws of
    /// one contact say nothing of a stretch.
    #[inline]
    pub(crate) fn check_osculation(&self, time: f64, place: Place, frame: &Frame) -> Result<(), Stop> {
        if self.ground.osculates(frame) { Err(self.osculating(time, place, frame.position)) } else { Ok(()) }
    }

    /// The stop of a ball that fits the valley at a place.
    #[cold]
    pub(crate) fn osculating(&self, time: f64, place: Place, centre: Vector2<f64>) -> Stop {
        let shrink = self.ground.shrink(&self.ground.frame(place));
        Stop::Osculating { time, centre, radius: self.ball.radius(), point: self.ground.ground_point(place), shrink }
    }
}

/// Parameters around a contact at which the ball is known not to fit its valley, and where it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValleyRoom {
    known: Interval,
    fits: [bool; 2],
}

impl ValleyRoom {
    pub fn around(place: Place) -> Self {
        ValleyRoom { known: Interval::point(place.parameter()), fits: [false; 2] }
    }

    /// The range of a place's piece, up to where the ball fits the valley; parameters in `needed` have been looked at.
    pub fn range(&mut self, ground: &OffsetGround, place: Place, needed: Interval) -> Interval {
        let mut range = ground.range(place);
        if matches!(place, Place::Corner { .. }) || !needed.is_bounded() {
            return range;
        }
        // A little ahead, so that the next steps are known as well.
        let ahead = 8.0 * needed.width();
        let look = |from: f64, to: f64| {
            let reached = ground.osculation_free(place.at(from), to);
            (reached, reached != to)
        };
        if needed.lo < self.known.lo && !self.fits[0] {
            (self.known.lo, self.fits[0]) = look(self.known.lo, range.clamp(needed.lo - ahead));
        }
        if needed.hi > self.known.hi && !self.fits[1] {
            (self.known.hi, self.fits[1]) = look(self.known.hi, range.clamp(needed.hi + ahead));
        }
        if self.fits[0] {
            range.lo = self.known.lo;
        }
        if self.fits[1] {
            range.hi = self.known.hi;
        }
        range
    }
}
