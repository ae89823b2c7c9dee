//! The loop over phases.

use std::sync::Arc;

use curves::Place;
use flight::{FlightMethod, FlightStep};
use mechanics::Mode;
use nalgebra::Vector2;
use rolling::{Compressed, ContactMethod, ContactState};

use crate::localisation::Before;
use crate::motion::{Barrier, Motion};
use crate::observer::Samples;
use crate::progress::Progress;
use crate::start::{Near, begin_at};
use crate::visit::Round;
use crate::{Count, Doing, Localisation, Observer, Options, Sample, Scene, Start, Stop, Summary, Supervisor, Watching};

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
    round: Option<Round>,
    largest_push: f64,
    watching: Watching,
    /// Where the ball was last.
    seen_from: Option<Place>,
    /// The part of the ground by which it is followed.
    number: usize,
}

impl<F, C> Paused<F, C> {
    /// The same, with other watches.
    pub fn with_watching(self, watching: Watching) -> Self {
        Paused { watching, ..self }
    }

    /// What is known of watches.
    pub fn into_watching(self) -> Watching {
        self.watching
    }

    /// s
    pub fn time(&self) -> f64 {
        self.motion.time()
    }
}

impl<'a, F: FlightMethod, C: ContactMethod> Supervisor<'a, F, C> {
    /// What is known so far.
    pub fn pause(self) -> Paused<F, C> {
        let Supervisor {
            flight,
            contact,
            compressed,
            motion,
            count,
            localisation,
            before,
            last_impacts,
            barrier,
            round,
            largest_push,
            watching,
            seen_from,
            number,
            ..
        } = self;
        Paused {
            flight,
            contact,
            compressed,
            motion,
            count,
            localisation,
            before,
            last_impacts,
            barrier,
            round,
            largest_push,
            watching,
            seen_from,
            number,
        }
    }

    /// Goes on from there, to the duration of `options`. If anything was `changed` in the scene since, the methods forget what they
    /// know of the past of the path, and forces on the ground are those of the new scene.
    pub fn resume(scene: &'a Scene, options: Options, paused: Paused<F, C>, changed: bool) -> Self {
        let Paused {
            flight,
            contact,
            compressed,
            motion,
            count,
            localisation,
            before,
            last_impacts,
            barrier,
            round,
            largest_push,
            watching,
            seen_from,
            number,
        } = paused;
        let (all, scene) = (scene, scene.part(number));
        let (whole, scene) = (scene, seen_from.map_or(scene, |place| scene.seen_from(place)));
        let step = FlightStep::parabola(&motion.state(&scene.ground), Vector2::zeros(), 0.0);
        let (samples, progress) =
            (Samples::new(&options, motion.time()), Progress::new(options.duration - motion.time()));
        let mut resumed = Supervisor {
            all,
            number,
            visit: None,
            scene,
            whole,
            seen_from,
            options,
            flight,
            contact,
            compressed,
            step,
            count,
            localisation,
            before,
            samples,
            progress,
            last_impacts,
            barrier,
            round,
            largest_push,
            watching: watching.resumed(motion.time()),
            ended: None,
            motion,
        };
        if changed {
            resumed.flight.restart();
            resumed.motion = resumed.renewed();
        }
        resumed
    }

    /// The motion in a scene that was changed: a ball on the ground slides, rolls, rests or leaves by the new forces.
    pub(crate) fn renewed(&self) -> Motion {
        match self.motion {
            Motion::Contact { state, mode } => {
                let system = self.system(mode, state.place);
                let slip = system.slip(&state);
                let force = self.scene.forces.force_at(&state.state());
                let mode = Mode::begin(&self.scene.ball, system.contact, &state.frame, force, state.speed, slip);
                let state = self.system(mode, state.place).begin(&state.state(), state.place);
                if state.normal_force < 0.0 {
                    return Motion::Flight {
                        state: state.state(),
                        departure: Some(self.scene.ground.departure(state.place)),
                    };
                }
                Motion::Contact { state, mode }
            }
            Motion::Capture(capture) => Motion::Flight { state: capture.start, departure: None },
            motion => motion,
        }
    }

    /// A supervisor for one run.
    pub fn new(scene: &'a Scene, options: Options, start: Start, flight: F, contact: C) -> Self {
        Supervisor::new_near(scene, options, (start, None, None), flight, contact)
    }

    /// The same where it is known what of the ground is nearest to the start, and where a ball in flight was last on the ground.
    pub fn new_near(
        scene: &'a Scene,
        options: Options,
        (start, near, touched): (Start, Option<&Near>, Option<Place>),
        flight: F,
        contact: C,
    ) -> Self {
        let all = scene;
        let (number, start) = all.start_part(start);
        let whole = all.part(number);
        // Of a curve that crosses itself a ball in flight sees all strands until it has touched one.
        let mut seen_from = if let Start::Contact { place, .. } = start { Some(place) } else { touched };
        let mut scene = seen_from.map_or(whole, |place| whole.seen_from(place));
        let motion = begin_at(scene, start, start.place_and_gap(scene, near));
        if let Motion::Contact { state: ContactState { place, .. }, .. } = motion {
            seen_from = Some(place);
            scene = whole.seen_from(place);
        }
        let mut compressed = Compressed::new(options.compression);
        if let Motion::Compressed { state, pressing } = &motion
            && let Some(system) = scene.compressed(*pressing)
        {
            compressed.begin(&system, state);
        }
        Supervisor {
            all,
            number,
            visit: None,
            scene,
            whole,
            seen_from,
            options,
            flight,
            contact,
            compressed,
            step: FlightStep::parabola(&motion.state(&scene.ground), Vector2::zeros(), 0.0),
            count: Count::default(),
            localisation: Localisation::Certified,
            before: None,
            samples: Samples::new(&options, motion.time()),
            progress: Progress::new(options.duration - motion.time()),
            last_impacts: [f64::NEG_INFINITY; 2],
            barrier: None,
            round: None,
            largest_push: 0.0,
            watching: Watching::default(),
            ended: None,
            motion,
        }
    }

    /// Runs to the end, or to where it can't go on.
    pub fn run(&mut self, observer: &mut impl Observer) -> Summary {
        let energy_start = self.scene.energy(self.motion.phase(self.scene), &self.motion.state(&self.scene.ground));
        let mut stop = self.scene.check_start(&self.motion).err();
        while stop.is_none() && self.motion.time() < self.options.duration {
            if let Err(osculating) = self.scene.check_motion(&self.motion) {
                stop = Some(osculating);
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
            let went = match self.visit.take() {
                Some(visit) if self.ended.is_none() => self.arrive(&visit, observer),
                _ => went,
            };
            let at = |motion: &Motion, scene: &Scene| {
                (Doing::Steps(motion.phase(scene)), motion.state(&scene.ground).position)
            };
            stop = went.and_then(|()| self.go_on(self.motion.time(), at)).err();
        }
        let until = self.watching.ended.filter(|_| matches!(stop, Some(Stop::Observer { .. })));
        stop = stop.filter(|_| until.is_none()).map(|stop| stop.seen(|time, q| self.scene.world_point(time, q)));
        let Sample { phase, state, .. } = self.now();
        let energy_end = match self.in_parts() {
            true => self.all.energy(phase, &state),
            false => self.scene.energy(phase, &state),
        };
        if stop.is_none() {
            self.watching.finish(&self.now(), observer);
        }
        if self.options.interval.is_some() {
            let _ = observer.sample(&self.now());
        }
        self.count.compressed = self.compressed.count();
        self.count.flight = self.flight.count();
        self.count.flight.forces += self.step.nodes();
        self.count.contact = self.contact.count();
        Summary {
            stop,
            until,
            phase,
            wedged: match &self.motion {
                Motion::Wedged(wedged) => Some(wedged.end(self.scene)),
                _ => None,
            },
            state,
            energy_start,
            energy_end,
            count: self.count,
        }
    }

    /// Finds contacts in flight this way.
    pub fn with_localisation(mut self, localisation: Localisation) -> Self {
        self.localisation = localisation;
        self
    }

    /// Looks out for crossings, and ends where it is asked to: at once, and steps are those of a run without it.
    pub fn watching(mut self, watching: Watching) -> Self {
        self.watching = watching;
        self
    }

    /// Samples at these times (s, in order) beside those of the interval.
    pub fn with_samples_at(mut self, times: Arc<[f64]>) -> Self {
        self.samples.at(times, self.motion.time());
        self
    }

    /// The ball as it is now.
    pub fn now(&self) -> Sample {
        self.ended.unwrap_or_else(|| self.scene.tell_sample(self.here()))
    }

    /// The same, as the part of the ground sees it by which it is followed.
    fn here(&self) -> Sample {
        let sample = match &self.motion {
            Motion::Contact { state, mode } => Sample::in_contact(&self.system(*mode, state.place), state),
            Motion::Wedged(wedged) => wedged.sample(self.scene),
            Motion::Compressed { state, pressing } => match self.scene.compressed(*pressing) {
                Some(system) => Sample::compressed(&system, state),
                None => self.scene.flying(state.state(&self.scene.ground)),
            },
            motion => self.scene.flying(motion.state(&self.scene.ground)),
        };
        sample.after(self.seen_from)
    }
}
