//! The loop over the phases of a run: [`Supervisor`] starts it, advances it, pauses and resumes it, and sums it up.

use std::sync::Arc;

use curves::Touched;
use flight::{FlightMethod, FlightStep};
use mechanics::{Energy, Mode};
use nalgebra::Vector2;
use rolling::{Compressed, ContactMethod};

use crate::energy_judge::Ledger;
use crate::moving_parts::PartTouches;
use crate::no_progress::Progress;
use crate::observer::DueSamples;
use crate::phase_states::{Compression, Contact, Motion, Stopped};
use crate::run_state::{KeptRun, Live, Run};
use crate::start::{Near, begin_at};
use crate::{Count, Doing, Localisation, Observer, Options, Sample, Scene, Start, Stop, Summary, Watching};

/// Runs one ball over one ground, generic over the methods of flight and contact.
pub struct Supervisor<'a, F, C> {
    motion: Motion,
    run: Run<'a, F, C>,
    /// Energy at the start of the run, or where it was resumed, once it has begun.
    energy_start: Option<Energy>,
}

/// A paused run: what a [`Supervisor`] has but scene and options. One resumed from a copy continues exactly as it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Paused<F, C> {
    motion: Motion,
    kept: KeptRun<F, C>,
    samples: DueSamples,
    progress: Progress,
    energy_start: Option<Energy>,
}

impl<F, C> Paused<F, C> {
    /// Replaces the watches.
    pub fn with_watching(mut self, watching: Watching) -> Self {
        self.kept.watching = watching;
        self
    }

    /// The watches, with their state so far.
    pub fn into_watching(self) -> Watching {
        self.kept.watching
    }

    /// Time of the pause, s.
    pub fn time(&self) -> f64 {
        self.motion.time()
    }
}

impl<'a, F: FlightMethod, C: ContactMethod> Supervisor<'a, F, C> {
    /// Pauses the run; motion and state of the methods are kept.
    pub fn pause(self) -> Paused<F, C> {
        let Run { kept, samples, progress, .. } = self.run;
        Paused { motion: self.motion, kept, samples, progress, energy_start: self.energy_start }
    }

    /// Resumes a run, up to the duration of `options`. If the scene was `changed` since the pause, the flight method
    /// forgets its past steps. Mode and forces of a contact are then those of the new scene; the energy ledger is new.
    pub fn resume(scene: &'a Scene, options: Options, paused: Paused<F, C>, changed: bool) -> Self {
        let Paused { motion, mut kept, .. } = paused;
        kept.watching = kept.watching.resumed(motion.time());
        let mut resumed = Supervisor::of(scene, options, motion, kept);
        if changed {
            resumed.run.kept.flight.restart();
            resumed.motion = motion.renewed(resumed.run.scene);
            resumed.run.kept.ledger = Ledger::of(resumed.run.scene, &resumed.motion);
        }
        resumed
    }

    fn of(all: &'a Scene, options: Options, motion: Motion, kept: KeptRun<F, C>) -> Self {
        let part = all.part(kept.number);
        let scene = part.with_strands(kept.touched);
        let step = FlightStep::parabola(&motion.state(&scene.ground), Vector2::zeros(), 0.0);
        let (samples, progress) =
            (DueSamples::new(&options, motion.time()), Progress::new(options.duration - motion.time()));
        let run = Run { all, visit: None, scene, part, options, step, samples, progress, ended: None, kept };
        Supervisor { motion, run, energy_start: None }
    }

    /// Copy of the run in its present state, to be [`restored`](Self::restored), if its observer or the flag of its
    /// scene ended it (`stop`); `None` where it ended at a watched moment or by itself.
    pub fn paused(&self, stop: Option<Stop>) -> Option<Paused<F, C>>
    where
        F: Clone,
        C: Clone,
    {
        let Run { kept, samples, progress, ended, .. } = &self.run;
        let broken = matches!(stop, Some(Stop::Observer { .. })) && ended.is_none() && kept.watching.ended.is_none();
        let (motion, energy_start) = (self.motion, self.energy_start);
        let (kept, samples, progress) = broken.then(|| (kept.clone(), samples.clone(), progress.clone()))?;
        Some(Paused { motion, kept, samples, progress, energy_start })
    }

    /// Replaces the state by that of a run with the same start that was [`paused`](Self::paused). Watches and listed
    /// times of samples, which a saved state lacks, stay those of this run.
    pub fn restored(self, paused: Paused<F, C>) -> Self {
        let Run { all, options, samples, kept, .. } = self.run;
        let kept = KeptRun { watching: paused.kept.watching.of(&kept.watching), ..paused.kept };
        let mut restored = Supervisor::of(all, options, paused.motion, kept);
        (restored.run.samples, restored.run.progress) = (paused.samples, paused.progress);
        (restored.run.samples.times, restored.energy_start) = (samples.times, paused.energy_start);
        restored
    }

    /// Creates a run.
    pub fn new(scene: &'a Scene, options: Options, start: Start, flight: F, contact: C) -> Self {
        Supervisor::new_near(scene, options, start, None, Touched::default(), flight, contact)
    }

    /// Creates a run, given the ground nearest to the start and the last touches of a ball in flight.
    pub fn new_near(
        scene: &'a Scene,
        options: Options,
        start: Start,
        near: Option<&Near>,
        mut touched: Touched,
        flight: F,
        contact: C,
    ) -> Self {
        let (number, start) = start.on_part(scene);
        let part = scene.part(number);
        let last = |touched, place| part.ground.touching(touched, place);
        // A start in contact is the first touch of its curve; before it all strands of that curve are solid.
        if let Start::Contact { place, .. } = start {
            touched = last(Touched::default(), place);
        }
        let seen = part.with_strands(touched);
        let (place, gap) = start.place_and_gap(seen, near);
        let motion = begin_at(seen, start, place, gap);
        if let (Motion::Contact(Contact { state, .. }), 0) = (motion, touched.strands()) {
            touched = last(touched, state.place);
        }
        let mut compressed = Compressed::new(options.compression);
        if let Motion::Compression(Compression { state, pressing }) = &motion
            && let Some(system) = seen.compressed(*pressing)
        {
            compressed.begin(&system, state);
        }
        let kept = KeptRun {
            flight,
            contact,
            compressed,
            count: Count::default(),
            ledger: Ledger::of(seen, &motion),
            localisation: Localisation::Certified,
            before: None,
            last_impacts: [f64::NEG_INFINITY; 2],
            barrier: None,
            round: None,
            part_touches: PartTouches::default(),
            largest_push: 0.0,
            watching: Watching::default(),
            touched,
            number,
        };
        Supervisor::of(scene, options, motion, kept)
    }

    /// Runs to the end, or until the run stops, and returns the summary.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Summary {
        let stop = self.advance(observer);
        self.summary(stop, observer)
    }

    /// Advances to the end, or until the run stops or its observer ends it; returns the reason.
    pub fn advance(&mut self, observer: &mut dyn Observer) -> Option<Stop> {
        let (now, scene) = (&self.motion, self.run.scene);
        let mut stop = if self.energy_start.is_none() { now.check_start(scene).err() } else { None };
        self.energy_start.get_or_insert_with(|| scene.energy(now.phase(scene), &now.state(&scene.ground)));
        self.run.samples.asked = false;
        while stop.is_none() && self.motion.time() < self.run.options.duration {
            stop = self.next(observer).err();
        }
        stop
    }

    /// Follows the present motion to its end (compressed contact: for one step), and takes over the one that follows.
    #[inline]
    fn next(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        let live = &mut Live { run: &mut self.run, observer };
        self.motion.check(live.run.scene)?;
        let mut then = match &self.motion {
            Motion::Flight(flight) => flight.next(live),
            Motion::Capture(capture) => capture.next(live),
            Motion::Contact(contact) => contact.next(live),
            Motion::Wedged(wedged) => wedged.next(live),
            Motion::Compression(compression) => compression.next(live),
        };
        // Where the ball met another part of the ground its phase was stopped, and the run goes on from there.
        if let (Some(visit), None) = (live.run.visit.take(), &live.run.ended) {
            let from = then.unwrap_or_else(|Stopped(at)| at.0);
            then = live.arrive(&from, &visit);
        }
        match then {
            Ok(motion) => self.motion = motion,
            Err(Stopped(at)) => {
                let stop;
                (self.motion, stop) = *at;
                return Err(stop);
            }
        }
        let (motion, scene) = (&self.motion, live.run.scene);
        live.go_on(motion.time(), || (Doing::Steps(motion.phase(scene)), motion.state(&scene.ground).position))
    }

    /// Ends the run: emits the watched times that are its end and the last sample, and returns the summary.
    pub fn summary(&mut self, stop: Option<Stop>, observer: &mut dyn Observer) -> Summary {
        let energy_start = self.energy_start.unwrap_or_default();
        let (all, scene) = (self.run.all, self.run.scene);
        let until = self.run.kept.watching.ended.filter(|_| matches!(stop, Some(Stop::Observer { .. })));
        let stop = stop.filter(|_| until.is_none()).map(|stop| stop.seen(|time, q| scene.world_point(time, q)));
        let now = self.now();
        if stop.is_none() {
            self.run.kept.watching.finish(&now, observer);
        }
        if self.run.options.interval.is_some() {
            let _ = observer.sample(&now);
        }
        let Run { step, kept, .. } = &mut self.run;
        kept.count.compressed = kept.compressed.count();
        kept.count.flight = kept.flight.count();
        kept.count.flight.forces += step.nodes();
        kept.count.contact = kept.contact.count();
        let (count, ledger) = (kept.count, kept.ledger);
        let Sample { phase, state, .. } = now;
        let wedged = if let Motion::Wedged(wedged) = &self.motion { Some(wedged.end(scene)) } else { None };
        let energy_end = if all.parts.is_empty() { scene } else { all }.energy(phase, &state);
        Summary { stop, until, phase, wedged, state, energy_start, energy_end, ledger, count }
    }

    /// Sets the method that finds contacts in flight.
    pub fn with_localisation(mut self, localisation: Localisation) -> Self {
        self.run.kept.localisation = localisation;
        self
    }

    /// Sets watches, and moments that end the run; steps are the same without them.
    pub fn watching(mut self, watching: Watching) -> Self {
        self.run.kept.watching = watching;
        self
    }

    /// Adds times (s, in order) of samples to those of the interval.
    pub fn with_samples_at(mut self, times: Arc<[f64]>) -> Self {
        self.run.samples.at(times, self.motion.time());
        self
    }

    /// The ball now; where the run ended within a step, the ball there.
    pub fn now(&self) -> Sample {
        self.run.ended.unwrap_or_else(|| self.run.scene.reported_sample(self.here()))
    }

    /// The ball at the present motion, in the frame of the part of the ground that it is followed in.
    fn here(&self) -> Sample {
        let scene = self.run.scene;
        let sample = match &self.motion {
            Motion::Contact(Contact { state, mode }) => {
                let system = scene.system(*mode, state.place);
                let sample = Sample::in_contact(&system, state);
                match self.run.kept.contact.carries() && *mode != Mode::Resting {
                    true => sample.with_multiplier(&system, &state.frame, system.multiplier(state)),
                    false => sample,
                }
            }
            Motion::Wedged(wedged) => wedged.sample(scene),
            Motion::Compression(Compression { state, pressing }) => match scene.compressed(*pressing) {
                Some(system) => Sample::compressed(&system, state),
                None => scene.flying(state.state(&scene.ground)),
            },
            motion => scene.flying(motion.state(&scene.ground)),
        };
        sample.after(self.run.kept.touched, &scene.ground)
    }
}
