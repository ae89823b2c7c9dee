//! The loop over phases.

use std::sync::Arc;

use curves::Touched;
use flight::{FlightMethod, FlightStep};
use mechanics::{Energy, Mode};
use nalgebra::Vector2;
use rolling::{Compressed, ContactMethod};

use crate::energy_judge::Ledger;
use crate::motion::{Compression, Contact, Motion, Stopped};
use crate::observer::DueSamples;
use crate::run::{KeptRun, Live, Progress, Run};
use crate::start::{Near, begin_at};
use crate::{Count, Doing, Localisation, Observer, Options, Sample, Scene, Start, Stop, Summary, Watching};

/// Runs one ball over one ground, generic over how it flies and how it rolls.
pub struct Supervisor<'a, F, C> {
    motion: Motion,
    run: Run<'a, F, C>,
    /// Energy at the start, once it has begun.
    energy_start: Option<Energy>,
}

/// A run that stands still: all that a [`Supervisor`] knows, but for the scene and the options. A run resumed from a copy goes on as
/// the first one did, to the last bit.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Paused<F, C> {
    motion: Motion,
    kept: KeptRun<F, C>,
    samples: DueSamples,
    progress: Progress,
    energy_start: Option<Energy>,
}

impl<F, C> Paused<F, C> {
    /// Puts other watches in the place of those of the run.
    pub fn with_watching(mut self, watching: Watching) -> Self {
        self.kept.watching = watching;
        self
    }

    /// The watches with what is known of them so far.
    pub fn into_watching(self) -> Watching {
        self.kept.watching
    }

    /// Time at which the run was paused, s.
    pub fn time(&self) -> f64 {
        self.motion.time()
    }
}

impl<'a, F: FlightMethod, C: ContactMethod> Supervisor<'a, F, C> {
    /// Stops here; the motion and what methods know are kept.
    pub fn pause(self) -> Paused<F, C> {
        let Run { kept, samples, progress, .. } = self.run;
        Paused { motion: self.motion, kept, samples, progress, energy_start: self.energy_start }
    }

    /// Goes on from there, to the duration of `options`. If anything was `changed` in the scene since, the methods forget the past of
    /// the path. Forces on the ground are then those of the new scene.
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
        let whole = all.part(kept.number);
        let scene = whole.with_strands(kept.touched);
        let step = FlightStep::parabola(&motion.state(&scene.ground), Vector2::zeros(), 0.0);
        let (samples, progress) =
            (DueSamples::new(&options, motion.time()), Progress::new(options.duration - motion.time()));
        let run = Run { all, visit: None, scene, whole, options, step, samples, progress, ended: None, kept };
        Supervisor { motion, run, energy_start: None }
    }

    /// The run as it stands, if `stop` is where its observer broke it: it can go on from there.
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

    /// Puts a run that this has begun alike, and that was [`paused`](Self::paused), in the place of this one.
    pub fn restored(self, paused: Paused<F, C>) -> Self {
        let Run { all, options, samples, kept, .. } = self.run;
        let kept = KeptRun { watching: paused.kept.watching.of(&kept.watching), ..paused.kept };
        let mut restored = Supervisor::of(all, options, paused.motion, kept);
        (restored.run.samples, restored.run.progress) = (paused.samples, paused.progress);
        (restored.run.samples.times, restored.energy_start) = (samples.times, paused.energy_start);
        restored
    }

    /// A supervisor for one run.
    pub fn new(scene: &'a Scene, options: Options, start: Start, flight: F, contact: C) -> Self {
        Supervisor::new_near(scene, options, start, None, Touched::default(), flight, contact)
    }

    /// A supervisor that is told what of the ground is nearest to the start, and where a ball in flight has touched it last.
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
        let whole = scene.part(number);
        let last = |touched, place| whole.ground.touching(touched, place);
        // Of a curve that crosses itself all strands are there for a ball until it has touched one.
        if let Start::Contact { place, .. } = start {
            touched = last(Touched::default(), place);
        }
        let seen = whole.with_strands(touched);
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
            largest_push: 0.0,
            watching: Watching::default(),
            touched,
            number,
        };
        Supervisor::of(scene, options, motion, kept)
    }

    /// Runs to the end, or to where it can't go on.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Summary {
        let stop = self.advance(observer);
        self.summary(stop, observer)
    }

    /// Goes on to the end, or to where the run can't go on, or its observer breaks it.
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

    /// Sums up the run, and tells the observer its last crossings and sample.
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

    /// Finds contacts in flight this way.
    pub fn with_localisation(mut self, localisation: Localisation) -> Self {
        self.run.kept.localisation = localisation;
        self
    }

    /// Looks out for crossings, and ends where it is asked to: at once, and steps are those of a run without it.
    pub fn watching(mut self, watching: Watching) -> Self {
        self.run.kept.watching = watching;
        self
    }

    /// Samples at these times (s, in order) beside those of the interval.
    pub fn with_samples_at(mut self, times: Arc<[f64]>) -> Self {
        self.run.samples.at(times, self.motion.time());
        self
    }

    /// The ball as it is now.
    pub fn now(&self) -> Sample {
        self.run.ended.unwrap_or_else(|| self.run.scene.reported_sample(self.here()))
    }

    /// The ball now, as the part of the ground sees it by which it is followed.
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
