//! The scene (ground, ball, forces, laws of contact, moving parts), the options of a run, and the check for a ball that
//! fits its valley.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use curves::{Frame, OffsetGround, OsculationFree, Place, Solid, Touched};
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
    /// Forces on the ball, without those of contact.
    pub forces: Forces,
    /// Laws of rigid contact and impact.
    pub law: ContactLaw,
    /// Laws of each curve of the ground, if they differ from `law`; else empty.
    pub own_laws: Vec<ContactLaw>,
    /// Law of compliant contact in place of the rigid one; the radius must then be positive.
    pub compliance: Option<Compliance>,
    /// Groups of curves that move together, if some move relative to others. The scene is then in the frame at rest,
    /// and its ground stands where it is before any motion.
    pub parts: Vec<Part>,
    /// Flag that ends runs of this scene from another thread ([`Stop::Observer`](crate::Stop::Observer)).
    pub ended: Option<Arc<AtomicBool>>,
    /// Scenes derived from this one, made when first used.
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

/// Scenes derived from another one; a copy of the scene makes its own.
#[derive(Debug, Default)]
pub struct Made {
    /// Scenes with the solid strands of ground that crosses itself, as a list in order of first use.
    strands: OnceLock<Box<Strands>>,
    /// Scenes on the curves of each part.
    pub(crate) parts: OnceLock<Box<[Scene]>>,
    /// Ground that a ball may be below.
    pub(crate) solids: OnceLock<Box<[Solid]>>,
    /// Whether this scene is that of a part.
    pub(crate) of_part: bool,
}

/// A scene with the solid strands given by [`Touched::strands`].
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

    /// Whether the flag that ends runs is set.
    #[inline]
    pub fn is_ended(&self) -> bool {
        self.ended.as_ref().is_some_and(|ended| ended.load(Ordering::Relaxed))
    }

    /// Energy ledger at a state, in the frame at rest. Elastic energy counts in compressed contact only, since in
    /// flight there is no contact force wherever the ball is. On moving ground the work of the ground is the difference
    /// of this energy from that in the frame of the ground.
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

    /// Converts a state of the run to the frame at rest; it differs on moving ground only.
    pub fn world(&self, state: &State) -> State {
        self.forces.carriage().map_or(*state, |carriage| carriage.world(state))
    }

    /// Converts place, velocity and acceleration of a sample to the frame at rest.
    pub fn world_sample(&self, sample: &Sample) -> Sample {
        let Some(carriage) = self.forces.carriage() else { return *sample };
        let acceleration = sample.acceleration + Vector2::from(carriage.at(sample.state.time).acceleration);
        Sample { state: carriage.world(&sample.state), acceleration, ..*sample }
    }

    /// Converts a point of the ground at a time (s) to the frame at rest, m.
    pub fn world_point(&self, time: f64, point: Vector2<f64>) -> Vector2<f64> {
        self.forces.carriage().map_or(point, |carriage| point + Vector2::from(carriage.at(time).position))
    }

    /// Elastic energy of a ball with its centre there, J.
    fn elastic_energy(&self, centre: Vector2<f64>) -> f64 {
        let Some(law) = &self.compliance else { return 0.0 };
        let distance = self.ground.ground().closest(centre).distance;
        // A centre on the far side, by more than rounding, has passed an end of the ground: a run stops at δ = R.
        if distance > -1e-9 * self.ball.radius() { law.elastic_energy(self.ball.radius() - distance) } else { 0.0 }
    }

    /// The scene with the strands that are solid after these touches; itself if all are.
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

    /// The scene with the strands that are solid for the ball of a sample.
    pub fn seen_by(&self, sample: &Sample) -> &Scene {
        self.with_strands(sample.last)
    }

    /// The scene with the strands that are solid after a touch at a place.
    pub fn seen_from(&self, place: Place) -> &Scene {
        self.with_strands(self.ground.touching(Touched::default(), place))
    }

    /// All laws of rigid contact.
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

    /// Contact system of a mode at a place.
    #[inline(always)]
    pub fn system(&self, mode: Mode, place: Place) -> ContactSystem<'_> {
        let Scene { ground, ball, forces, .. } = self;
        ContactSystem { ground, ball, forces, contact: self.law_at(place), mode }
    }

    /// Compliant contact that pushes (`pressing`) or gives no force, with drag if its law has it; `None`: rigid ground.
    pub(crate) fn compressed(&self, pressing: bool) -> Option<CompressedSystem<'_>> {
        let Scene { ground, ball, forces, compliance, .. } = self;
        let compliance = compliance.as_ref()?;
        let forces = match compliance.drag() {
            true => Cow::Borrowed(forces),
            false => Cow::Owned(forces.clone().without_drag()),
        };
        Some(CompressedSystem { ground, ball, forces, compliance, pressing })
    }

    /// Rounding of a ball in contact at a place, with that of its ground and its clock.
    pub(crate) fn rounding(&self, state: &State, place: Place) -> Rounding {
        let unit = self.rounding_in_flight(state);
        Rounding { length: unit.length + self.ground.rounding(place), ..unit }
    }

    /// Rounding of a state, without that of any ground.
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
    /// The scene of one part, in its own frame, with places named as in this scene; itself if it has no parts.
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

    /// Index of the part of a place; 0 if nothing moves apart.
    pub(crate) fn part_of(&self, place: Place) -> usize {
        self.part_of_curve(self.ground.curve_of(place))
    }

    /// Index of the part of a curve; 0 if nothing moves apart.
    pub fn part_of_curve(&self, curve: usize) -> usize {
        self.parts.iter().position(|part| part.curves.contains(&curve)).unwrap_or(0)
    }

    /// Whether the ground, or a part of it, moves.
    pub fn moves(&self) -> bool {
        self.forces.carriage().is_some() || self.parts.iter().any(|part| part.carriage.is_some())
    }

    /// Displacement (m) and velocity (m/s) at a time (s) of the part that a place is on; 0 if the scene has no parts.
    pub fn carried(&self, place: Place, time: f64) -> [Vector2<f64>; 2] {
        let carriage = || self.parts[self.part_of(place)].carriage.as_ref();
        self.parts.first().and_then(|_| carriage()).map_or([Vector2::zeros(); 2], |carriage| {
            let origin = carriage.at(time);
            [origin.position.into(), origin.velocity.into()]
        })
    }

    /// Displacement (m) of a piece of the ground at a time (s), by the motion of its part or of the whole ground.
    pub fn carried_piece(&self, index: usize, time: f64) -> [f64; 2] {
        let [way, _] = self.carried(Place::Piece { index, parameter: 0.0 }, time);
        self.world_point(time, way).into()
    }

    /// The ground nearest to a centre (m) at a time (s), and the gap of a ball there, m.
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

    /// The curve below which a ball with this centre (m) is deepest at a time (s), and its gap (m, negative). It need
    /// not be the [`nearest`](Self::nearest). `None`: below none, or the ground is a single curve.
    pub fn below(&self, time: f64, centre: Vector2<f64>) -> Option<(usize, f64)> {
        if self.ground.ground().curves() < 2 {
            return None;
        }
        let parts = (0..self.parts.len().max(1)).map(|number| self.part(number));
        let deepest = parts.filter_map(|part| {
            let seen = if self.parts.is_empty() { centre } else { part.seen_point(time, centre) };
            let ground = part.ground.ground();
            ground.deepest_below(part.made.solids.get_or_init(|| ground.solids().collect()), seen)
        });
        let deepest = deepest.min_by(|a, b| a.1.total_cmp(&b.1));
        deepest.map(|(curve, distance)| (curve, distance - self.ground.radius()))
    }

    /// Converts a point (m) at a time (s) from the frame at rest to that of this part.
    fn seen_point(&self, time: f64, point: Vector2<f64>) -> Vector2<f64> {
        self.forces.carriage().map_or(point, |carriage| point - Vector2::from(carriage.at(time).position))
    }

    /// Converts a state from the frame at rest to that of this part; its work leaves out that of the part's motion.
    pub(crate) fn seen(&self, world: &State) -> State {
        let seen = self.forces.carriage().map_or(*world, |carriage| carriage.carried(world));
        State { work: world.work - self.forces.carried_energy(&seen), ..seen }
    }

    /// Converts a state to what is reported: in the scene of a part to the frame at rest, else unchanged.
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

    /// Converts an event in the scene of a part to the frame at rest.
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
    /// Speed below which bounces may be summed up, m/s.
    pub capture_speed: f64,
    /// Largest error of the velocity after slow bounces that are summed up, m/s.
    pub capture_tolerance: f64,
    /// Longest step, s (> 0; ∞: no limit), unless the motion is exact.
    pub largest_step: f64,
    /// Tolerance of steps of compliant contact.
    pub compression: Tolerance,
    /// Largest number of events and steps, each with up to 256 ground evaluations of searches; `None`: no limit.
    pub limit: Option<u64>,
}

impl Scene {
    /// Mode of contact that begins at a place with a ball in this state, whose slip velocity is computed from it.
    pub(crate) fn mode_at(&self, state: &State, place: Place, frame: &Frame) -> Mode {
        let speed = state.velocity.dot(&frame.tangent);
        let slip = self.ball.slip_velocity(speed, state.spin);
        Mode::begin(&self.ball, self.law_at(place), frame, self.forces.force_at(state), speed, slip)
    }

    /// Fails if a ball fits the valley at a place, `κR = 1`: its centre would stand still while the contact moves on,
    /// and laws of a single contact do not apply.
    #[inline]
    pub(crate) fn check_osculation(&self, time: f64, place: Place, frame: &Frame) -> Result<(), Stop> {
        if self.ground.osculates(frame) { Err(self.osculating(time, place, frame.position)) } else { Ok(()) }
    }

    /// Stop of a ball that fits the valley at a place.
    #[cold]
    pub(crate) fn osculating(&self, time: f64, place: Place, centre: Vector2<f64>) -> Stop {
        let shrink = self.ground.shrink(&self.ground.frame(place));
        Stop::Osculating { time, centre, radius: self.ball.radius(), point: self.ground.ground_point(place), shrink }
    }
}

/// Range of parameters around a contact where the ball is proven not to fit its valley, except where bounds of κ said
/// nothing over a step: that the ball passes without proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValleyRoom {
    known: Interval,
    /// Whether the ball fits the valley just beyond the lower and the upper end of `known`.
    fits: [bool; 2],
}

impl ValleyRoom {
    pub fn around(place: Place) -> Self {
        ValleyRoom { known: Interval::point(place.parameter()), fits: [false; 2] }
    }

    /// The range on a place's piece, up to where the ball fits the valley; it covers `needed` unless it ends before.
    pub fn range(&mut self, ground: &OffsetGround, place: Place, needed: Interval) -> Interval {
        let mut range = ground.range(place);
        if matches!(place, Place::Corner { .. }) || !needed.is_bounded() {
            return range;
        }
        // Slightly ahead, so that the next steps are covered too.
        let ahead = 8.0 * needed.width();
        let look = |from: f64, needed: f64, ahead: f64| {
            let OsculationFree { reached, fits } = ground.osculation_free(place.at(from), range.clamp(needed + ahead));
            let needed = range.clamp(needed);
            let covers = fits || (reached - from).abs() >= (needed - from).abs();
            (if covers { reached } else { needed }, fits)
        };
        if needed.lo < self.known.lo && !self.fits[0] {
            (self.known.lo, self.fits[0]) = look(self.known.lo, needed.lo, -ahead);
        }
        if needed.hi > self.known.hi && !self.fits[1] {
            (self.known.hi, self.fits[1]) = look(self.known.hi, needed.hi, ahead);
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
