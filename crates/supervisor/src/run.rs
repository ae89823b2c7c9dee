//! The supervisor: which motion holds, and what ends it.

use curves::{Departure, FirstContact, Frame, OffsetGround, Place, Rounding};
use flight::{FlightMethod, FlightStep};
use mechanics::{Mode, State, impact, normal_force};
use nalgebra::Vector2;
use newmark::Tolerance;
use rolling::{Compressed, CompressedState, ContactMethod, ContactState, ContactSystem};

use crate::balance::Meant;
use crate::capture::Landing;
use crate::localisation::{Before, Localisation};
use crate::observer::Samples;
use crate::progress::Progress;
use crate::start::begin;
use crate::stretch::{Course, Stretch};
use crate::wedge_phase::Wedged;
use crate::{Capture, Count, Doing, Event, EventKind, Observer, Phase, Sample, Scene, Start, Stop, Summary};

/// What a run is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// End of the run, s (> 0).
    pub duration: f64,
    /// Time between samples, s (> 0); `None`: none.
    pub interval: Option<f64>,
    /// Bounces that leave the ground slower than this may be summed up, m/s.
    pub capture_speed: f64,
    /// If the error of that is below this.
    pub capture_tolerance: f64,
    /// No step of a method that has a force to follow is longer, s (> 0; ∞: none is too long).
    pub largest_step: f64,
    /// What steps of compliant contact are held to.
    pub compression: Tolerance,
    /// Events and steps allowed, and 256 times as many ground evaluations of searches; `None`: as many as it takes.
    pub limit: Option<u64>,
}

/// What holds now.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion {
    Flight {
        state: State,
        departure: Option<Departure>,
    },
    Capture(Capture),
    Contact {
        state: ContactState,
        mode: Mode,
    },
    /// Held by two contacts.
    Wedged(Wedged),
    /// Of compliant contact; `pressing`: the law pushes.
    Compressed {
        state: CompressedState,
        pressing: bool,
    },
}

/// A second contact that the ball goes away from: back at `at` it is met again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    /// Of the contact it is on.
    pub at: Place,
    /// The other contact.
    pub other: Place,
    /// Whether the ball is beyond `at` or before it.
    pub forward: bool,
}

/// Runs one ball over one ground, generic over how it flies and how it rolls.
pub struct Supervisor<'a, F, C> {
    pub(crate) scene: &'a Scene,
    pub(crate) options: Options,
    pub(crate) flight: F,
    pub(crate) contact: C,
    pub(crate) compressed: Compressed,
    pub(crate) motion: Motion,
    /// The step of flight under way, kept to be written in place.
    pub(crate) step: FlightStep,
    pub(crate) count: Count,
    pub(crate) localisation: Localisation,
    /// Where the deck's localisation was before.
    pub(crate) before: Option<Before>,
    pub(crate) samples: Samples,
    progress: Progress,
    /// Times of the last two impacts.
    pub(crate) last_impacts: [f64; 2],
    /// The other contact of a ball that goes along one of two.
    pub(crate) barrier: Option<Barrier>,
}

/// Ground evaluations and enclosures of searches allowed for each event or step: more than a plain search needs.
const SEARCH_SHARE: u64 = 256;

/// A run that stands still: all that a [`Supervisor`] knows, but for the scene and the options. A run resumed from a copy goes on as
/// the first one did, to the last bit.
#[derive(Clone, Debug)]
pub struct Paused<F, C> {
    flight: F,
    contact: C,
    compressed: Compressed,
    motion: Motion,
    count: Count,
    localisation: Localisation,
    before: Option<Before>,
    last_impacts: [f64; 2],
    barrier: Option<Barrier>,
}

impl<F, C> Paused<F, C> {
    /// s
    pub fn time(&self) -> f64 {
        self.motion.time()
    }
}

impl<'a, F: FlightMethod, C: ContactMethod> Supervisor<'a, F, C> {
    /// What is known so far.
    pub fn pause(self) -> Paused<F, C> {
        let Supervisor {
            flight, contact, compressed, motion, count, localisation, before, last_impacts, barrier, ..
        } = self;
        Paused { flight, contact, compressed, motion, count, localisation, before, last_impacts, barrier }
    }

    /// Goes on from there, to the duration of `options`. If anything was `changed` in the scene since, the methods forget what they
    /// know of the past of the path, and forces on the ground are those of the new scene.
    pub fn resume(scene: &'a Scene, options: Options, paused: Paused<F, C>, changed: bool) -> Self {
        let Paused { flight, contact, compressed, motion, count, localisation, before, last_impacts, barrier } = paused;
        let step = FlightStep::parabola(&motion.state(&scene.ground), Vector2::zeros(), 0.0);
        let (samples, progress) = (Samples::new(&options), Progress::new(options.duration));
        let mut resumed = Supervisor {
            scene,
            options,
            flight,
            contact,
            compressed,
            motion,
            step,
            count,
            localisation,
            before,
            samples,
            progress,
            last_impacts,
            barrier,
        };
        if changed {
            resumed.flight.restart();
            resumed.motion = resumed.renewed();
        }
        resumed
    }

    /// The motion in a scene that was changed: a ball on the ground slides, rolls, rests or leaves by the new forces.
    fn renewed(&self) -> Motion {
        match self.motion {
            Motion::Contact { state, mode } => {
                let system = self.system(mode);
                let slip = system.slip(&state);
                let force = self.scene.forces.force_at(&state.state());
                let mode = Mode::begin(&self.scene.ball, &self.scene.law, &state.frame, force, state.speed, slip);
                let state = self.system(mode).begin(&state.state(), state.place);
                if state.normal_force < 0.0 {
                    return Motion::Flight { state: state.state(), departure: None };
                }
                Motion::Contact { state, mode }
            }
            Motion::Capture(capture) => Motion::Flight { state: capture.start, departure: None },
            motion => motion,
        }
    }

    /// A supervisor for one run.
    pub fn new(scene: &'a Scene, options: Options, start: Start, flight: F, contact: C) -> Self {
        let motion = begin(scene, start);
        let mut compressed = Compressed::new(options.compression);
        if let Motion::Compressed { state, pressing } = &motion
            && let Some(system) = scene.compressed(*pressing)
        {
            compressed.begin(&system, state);
        }
        Supervisor {
            scene,
            options,
            flight,
            contact,
            compressed,
            step: FlightStep::parabola(&motion.state(&scene.ground), Vector2::zeros(), 0.0),
            motion,
            count: Count::default(),
            localisation: Localisation::Certified,
            before: None,
            samples: Samples::new(&options),
            progress: Progress::new(options.duration),
            last_impacts: [f64::NEG_INFINITY; 2],
            barrier: None,
        }
    }

    /// Runs to the end, or to where it can't go on.
    pub fn run(&mut self, observer: &mut impl Observer) -> Summary {
        let energy_start = self.scene.energy(self.motion.phase(self.scene), &self.motion.state(&self.scene.ground));
        let mut stop = self.scene.check_start(&self.motion).err();
        while stop.is_none() && self.motion.time() < self.options.duration {
            if let Err(snug) = self.scene.check_motion(&self.motion) {
                stop = Some(snug);
                break;
            }
            let went = match self.motion {
                Motion::Flight { .. } => self.fly(observer),
                Motion::Capture(capture) => self.sum_up(&capture, observer),
                Motion::Contact { state, mode: Mode::Resting } => self.rest(&state, observer),
                Motion::Contact { state, mode } => self.roll(&state, mode, observer),
                Motion::Wedged(wedged) => self.stay(&wedged, observer),
                Motion::Compressed { state, pressing } => self.compress(&state, pressing, observer),
            };
            let at = |motion: &Motion, scene: &Scene| {
                (Doing::Steps(motion.phase(scene)), motion.state(&scene.ground).position)
            };
            stop = went.and_then(|()| self.go_on(self.motion.time(), at)).err();
        }
        if self.options.interval.is_some() {
            let _ = observer.sample(&self.now());
        }
        let state = self.motion.state(&self.scene.ground);
        self.count.compressed = self.compressed.count();
        self.count.flight = self.flight.count();
        self.count.contact = self.contact.count();
        Summary {
            stop,
            phase: self.motion.phase(self.scene),
            wedged: match &self.motion {
                Motion::Wedged(wedged) => Some(wedged.end(self.scene)),
                _ => None,
            },
            state,
            energy_start,
            energy_end: self.scene.energy(self.motion.phase(self.scene), &state),
            count: self.count,
        }
    }

    pub(crate) fn system(&self, mode: Mode) -> ContactSystem<'a> {
        self.scene.system(mode)
    }

    /// `g̈ = n·F/m − κc v_t²` off the ground.
    pub(crate) fn gap_acceleration(&self, frame: &Frame, force: Vector2<f64>, speed: f64) -> f64 {
        let mass = self.scene.ball.mass();
        -normal_force(mass, frame.curvature, speed, force.dot(&frame.normal)) / mass
    }

    /// An impact, and what it leads to.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        contact: &FirstContact,
        arrival: &State,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let Scene { ball, forces, law, .. } = self.scene;
        self.scene.check_snug(arrival.time, contact.place, &contact.frame)?;
        if self.scene.compliance.is_some() {
            return self.press(contact.place, arrival, observer);
        }
        if let Some(other) = self.touches_too(contact.place, arrival) {
            return self.meet([contact.place, other], arrival, Phase::Flight, observer);
        }
        if arrival.time - self.last_impacts[1] > Rounding::tick(arrival.time) {
            self.progress.bounce();
        }
        self.last_impacts = [self.last_impacts[1], arrival.time];
        let frame = contact.frame;
        let hit = impact(ball, law, &frame, arrival.velocity, arrival.spin);
        let velocity = hit.velocity(&frame);
        let lost = ball.kinetic_energy(arrival.velocity, arrival.spin) - ball.kinetic_energy(velocity, hit.spin);
        let after = State {
            position: frame.position,
            velocity,
            spin: hit.spin,
            dissipated: arrival.dissipated + lost,
            ..*arrival
        };
        let force = forces.force_at(&after);
        let pull = self.gap_acceleration(&frame, force, hit.tangential_velocity);
        let lands = hit.normal_velocity <= 0.0 && pull <= 0.0;
        let mode = lands.then(|| Mode::begin(ball, law, &frame, force, hit.tangential_velocity, hit.slip));
        self.count.impacts += 1;
        self.motion = Motion::Flight { state: after, departure: contact.departure };
        let kind = if lands { EventKind::Landing } else { EventKind::Impact };
        let phases = [Phase::Flight, mode.map_or(Phase::Flight, Phase::from)];
        let event = Event::new(kind, phases, (contact.place, frame), [*arrival, after]);
        let event = event.with(hit.normal_impulse, hit.tangential_impulse);
        self.tell(std::iter::once(&event), Meant::NOTHING, observer)?;
        if let Some(mode) = mode {
            return self.land(&after, contact.place, mode, observer);
        }
        let at = (contact.place, &contact.frame, contact.rounding);
        let capture = Capture::decide(self.scene, &self.options, &after, at, hit.normal_velocity, pull);
        if let Some(capture) = capture {
            self.motion = Motion::Capture(capture);
        }
        Ok(())
    }

    /// Contact begins; a ball that begins it at rest says so at once.
    fn land(&mut self, state: &State, place: Place, mode: Mode, observer: &mut impl Observer) -> Result<(), Stop> {
        let before = state;
        let state = self.system(mode).begin(before, place);
        self.motion = Motion::Contact { state, mode };
        self.balance_change(before, &state.state(), place, true)?;
        if mode == Mode::Resting {
            self.tell_change(EventKind::Rest, &state, mode, mode.into(), &state.state(), observer)?;
        }
        Ok(())
    }

    /// Reports an event without impulse.
    pub(crate) fn tell_change(
        &mut self,
        kind: EventKind,
        at: &ContactState,
        from: Mode,
        to: Phase,
        after: &State,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        // A formulation that lets the ball leave the ground a little is put back on it.
        let normal_speed = if to == Phase::Flight { at.normal_speed } else { 0.0 };
        let before = ContactState { normal_speed, ..*at }.state();
        let event = Event::new(kind, [from.into(), to], (at.place, at.frame), [before, *after]);
        self.tell([event].iter(), Meant::NOTHING, observer)
    }

    /// The last bounces, as frozen parabolas, and the landing that ends them.
    fn sum_up(&mut self, capture: &Capture, observer: &mut impl Observer) -> Result<(), Stop> {
        self.count.captures += 1;
        self.count.captured_energy += capture.dissipated;
        observer.capture(capture);
        let start = capture.start.time;
        let landing = start + capture.duration;
        let end = landing.min(self.options.duration);
        self.stretch([start, end], Course::Jump(capture), observer);
        if landing > end {
            let state = State { time: end, ..capture.at(end - start) };
            self.motion = Motion::Flight { state, departure: None };
            return Ok(());
        }
        let Landing { before, after, place, frame, slip } = capture.end(self.scene)?;
        let force = self.scene.forces.force_at(&after);
        let along = after.velocity.dot(&frame.tangent);
        let mode = Mode::begin(&self.scene.ball, &self.scene.law, &frame, force, along, slip);
        self.motion = Motion::Flight { state: after, departure: None };
        let frozen = capture.at(capture.duration).position;
        self.count.balance.captured.see((after.position - frozen).norm(), landing);
        let push = frame.normal * (-self.scene.ball.mass() * capture.pull * capture.duration);
        let phases = [Phase::Flight, mode.into()];
        let event = Event::new(EventKind::Landing, phases, (place, frame), [before, after])
            .with(capture.normal_impulse, capture.tangential_impulse);
        self.tell([event].iter(), Meant { momentum: push, ..Meant::NOTHING }, observer)?;
        self.land(&after, place, mode, observer)
    }

    /// Reports the rows of one event, and balances it.
    #[inline]
    pub(crate) fn tell<'e>(
        &mut self,
        rows: impl Iterator<Item = &'e Event> + Clone,
        meant: Meant,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        for event in rows.clone() {
            self.count.events += 1;
            match event.kind {
                EventKind::Landing => self.count.landings += 1,
                EventKind::LiftOff => self.count.lift_offs += 1,
                EventKind::Touch => self.count.touches += 1,
                _ => {}
            }
            self.samples.asked |= observer.event(event).is_break();
            self.progress.attempt(event.time(), || (Doing::Events(event.kind), event.position()))?;
        }
        self.balance(rows, meant)
    }

    /// Ends the run where it does not go on, or where steps and events have used up what is allowed.
    #[inline]
    pub(crate) fn go_on(
        &mut self,
        time: f64,
        at: impl FnOnce(&Motion, &Scene) -> (Doing, Vector2<f64>),
    ) -> Result<(), Stop> {
        self.progress.attempt(time, || at(&self.motion, self.scene))?;
        if self.samples.asked {
            return Err(Stop::Observer { time });
        }
        let Some(limit) = self.options.limit else { return Ok(()) };
        let search = &self.count.search;
        let searched = (search.evaluations + search.enclosures) / SEARCH_SHARE;
        let used = (self.count.events
            + self.flight.count().steps
            + self.contact.count().steps
            + self.compressed.count().steps)
            .max(searched);
        if used > limit { Err(Stop::Limit { time, limit }) } else { Ok(()) }
    }

    /// Tells the motion over a stretch of time, and the samples due on it.
    #[inline]
    pub(crate) fn stretch(&mut self, times: [f64; 2], course: Course, observer: &mut impl Observer) {
        self.samples.tell(&Stretch::new(self.scene, times, course), observer);
    }

    /// Tells how far the run is.
    #[inline]
    pub(crate) fn progressed(&mut self, time: f64, observer: &mut impl Observer) {
        self.samples.asked |= observer.progress(time).is_break();
    }

    /// The ball as it is now.
    pub fn now(&self) -> Sample {
        match &self.motion {
            Motion::Contact { state, mode } => Sample::in_contact(&self.system(*mode), state),
            Motion::Wedged(wedged) => wedged.sample(self.scene),
            Motion::Compressed { state, pressing } => match self.scene.compressed(*pressing) {
                Some(system) => Sample::compressed(&system, state),
                None => self.scene.flying(state.state(&self.scene.ground)),
            },
            motion => self.scene.flying(motion.state(&self.scene.ground)),
        }
    }
}

impl Motion {
    #[inline]
    pub(crate) fn state(&self, ground: &OffsetGround) -> State {
        match self {
            Motion::Flight { state, .. } => *state,
            Motion::Capture(capture) => capture.start,
            Motion::Contact { state, .. } => state.state(),
            Motion::Wedged(wedged) => wedged.state,
            Motion::Compressed { state, .. } => state.state(ground),
        }
    }

    #[inline(always)]
    fn time(&self) -> f64 {
        match self {
            Motion::Flight { state, .. } => state.time,
            Motion::Capture(capture) => capture.start.time,
            Motion::Contact { state, .. } => state.time,
            Motion::Wedged(wedged) => wedged.state.time,
            Motion::Compressed { state, .. } => state.time,
        }
    }

    pub(crate) fn phase(&self, scene: &Scene) -> Phase {
        match self {
            Motion::Flight { .. } | Motion::Capture(_) => Phase::Flight,
            Motion::Contact { mode, .. } => Phase::from(*mode),
            Motion::Wedged(wedged) => wedged.phase(scene),
            Motion::Compressed { .. } => Phase::Compressed,
        }
    }
}
