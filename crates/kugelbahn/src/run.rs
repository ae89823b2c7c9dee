//! [`Run`]: a finished run with its events, path and summary.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use prove::{Proof, prove};
use report::Outcome;
use report::output::Recorder;
use scenario::{Contact, Flight, Scenario, run_supervisor};
use supervisor::{
    Balance, Capture, Event, KeptStretch, NoObserver, Observer, Paused, Phase, Scene, Stop, Stretch, Summary,
    Supervisor,
};

use crate::watch::Keeping;
use crate::{Crossing, Entry, Error, Moment, Simulation};

/// A phase, from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PhaseSpan {
    /// The phase.
    pub phase: Phase,
    /// Begin, s.
    pub from: f64,
    /// End, s.
    pub to: f64,
}

/// Reason why a run ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ended {
    /// It lasted for its duration.
    Duration,
    /// One of the moments of [`until_moments`](Simulation::until_moments), as written there.
    Moment(String),
    /// The event that [`until`](Simulation::until) asks for.
    Event,
    /// Its observer ended it.
    Observer,
    /// It stopped: the run of an [`Error::Stopped`].
    Stopped(Stop),
}

/// A finished run: its events, its path at every time, and its balance.
///
/// It keeps some 300 bytes for each step in flight and 2 kB for each on the ground; to keep less,
/// [`observe`](crate::Simulation::observe).
#[derive(Clone)]
pub struct Run {
    simulation: Simulation,
    kept: Kept,
    crossings: Vec<Crossing>,
    /// Whether it ended by [`until`](Simulation::until).
    until_event: bool,
    summary: Summary,
    last: Moment,
    /// Paused state from which it can be resumed; locked, since methods may not be shared by threads.
    paused: Arc<Mutex<Paused<Flight, Contact>>>,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut run = f.debug_struct("Run");
        run.field("simulation", &self.simulation).field("events", &self.kept.events).field("summary", &self.summary);
        run.finish_non_exhaustive()
    }
}

/// Events and path of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub events: Vec<Event>,
    pub captures: Vec<Capture>,
    pub path: Vec<KeptStretch>,
    /// Number of events before each crossing.
    pub crossed: Vec<usize>,
}

impl Run {
    /// Advances the supervisor, and appends to `kept` and `crossings`.
    pub(crate) fn made(
        simulation: Simulation,
        mut supervisor: Supervisor<'_, Flight, Contact>,
        mut kept: Kept,
        mut crossings: Vec<Crossing>,
        observer: &mut dyn Observer,
    ) -> Result<Self, Error> {
        let scene = &simulation.scenario().scene;
        let mut keeping = Keeping { kept: Some(&mut kept), ..simulation.observer(&mut crossings, observer) };
        let summary = run_supervisor(&mut supervisor, &mut keeping);
        let until_event = keeping.ended;
        let last = Moment::of(scene, &supervisor.now());
        let paused = Arc::new(Mutex::new(supervisor.pause()));
        let run = Run { simulation, kept, crossings, until_event, summary, last, paused };
        match run.ended() {
            Ended::Stopped(_) => Err(Error::Stopped(Box::new(run))),
            _ => Ok(run),
        }
    }

    /// Resumes the run to a later time (s); this run is exactly the first part of the result.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).restitution(0.5).thrown_from([0.0, 1.0], [0.0, 0.0]);
    /// let first = drop.clone().until(|event| event.kind == EventKind::Impact).run(1.0)?;
    /// assert_eq!(first.events().len(), 1);
    /// let next = first.resume_to(1.0)?;
    /// assert_eq!((next.events().len(), next.events()[0]), (2, first.events()[0]));
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn resume_to(&self, time: f64) -> Result<Self, Error> {
        self.resume_observed(time, &mut NoObserver)
    }

    /// Resumes the run to a later time (s), and reports to an observer, which may end it.
    pub fn resume_observed(&self, until: f64, observer: &mut dyn Observer) -> Result<Self, Error> {
        let now = self.end();
        if !until.is_finite() {
            return Err(Error::Duration { what: "time", value: until });
        }
        if until < now {
            return Err(Error::Past { time: until, now });
        }
        if let Ended::Stopped(_) = self.ended() {
            return Err(Error::Stopped(Box::new(self.clone())));
        }
        if until == now {
            return Ok(self.clone());
        }
        self.scenario().check_motion(until)?;
        let duration = until - self.begin();
        let simulation = self.simulation.lasting(duration);
        let paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let supervisor = Supervisor::resume(&simulation.scenario().scene, simulation.options(duration), paused, false);
        Run::made(simulation.clone(), supervisor, self.kept.clone(), self.crossings.clone(), observer)
    }

    /// The simulation that was run, with its duration.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Events, in order of time.
    pub fn events(&self) -> &[Event] {
        &self.kept.events
    }

    /// Bounces that were summed up.
    pub fn captures(&self) -> &[Capture] {
        &self.kept.captures
    }

    /// Crossings of watches, in order of time.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Phases of the ball, each from its beginning to its end.
    pub fn phases(&self) -> Vec<PhaseSpan> {
        let mut spans: Vec<PhaseSpan> = Vec::new();
        for stretch in &self.kept.path {
            let stretch = stretch.of(&self.scenario().scene);
            let (phase, from, to) = (stretch.phase(), stretch.from(), stretch.to());
            match spans.last_mut() {
                Some(last) if last.phase == phase => last.to = to,
                _ => spans.push(PhaseSpan { phase, from, to }),
            }
        }
        spans
    }

    /// Beginning of the run, s.
    pub fn begin(&self) -> f64 {
        self.scenario().start.time()
    }

    /// Reason why the run ended.
    pub fn ended(&self) -> Ended {
        let moment = self.summary.until.map(|moment| scenario::moment::written(moment, &self.scenario().watches));
        match (moment, self.summary.stop) {
            (Some(moment), _) => Ended::Moment(moment),
            (None, Some(Stop::Observer { .. })) if self.until_event => Ended::Event,
            (None, Some(Stop::Observer { .. })) => Ended::Observer,
            (None, Some(stop)) => Ended::Stopped(stop),
            (None, None) => Ended::Duration,
        }
    }

    /// End of the run, s.
    pub fn end(&self) -> f64 {
        self.summary.state.time
    }

    /// The ball at any time of the run (s), by the dense output of its method; at the time of an event, just after it.
    pub fn at(&self, time: f64) -> Result<Moment, Error> {
        let mut found = self.last;
        self.each_at(&[time], |moment| found = *moment).map(|()| found)
    }

    /// Calls `tell` with the ball at several times (s), in order; if they ascend, the motion is looked up once.
    pub fn each_at(&self, times: &[f64], mut tell: impl FnMut(&Moment)) -> Result<(), Error> {
        self.check_times(times)?;
        let scene = &self.scenario().scene;
        let mut current: Option<Stretch> = None;
        for &time in times {
            let here = current.take().filter(|stretch| stretch.from() <= time && time < stretch.to());
            let found = || self.kept.path.get(self.kept.path.partition_point(|stretch| stretch.to() <= time));
            current = here.or_else(|| found().map(|kept| kept.of(scene)));
            match &current {
                Some(stretch) => tell(&seen(scene, stretch, time)),
                None => tell(&self.last),
            }
        }
        Ok(())
    }

    /// Refuses times (s) outside the run.
    pub(crate) fn check_times(&self, times: &[f64]) -> Result<(), Error> {
        let (begin, end) = (self.begin(), self.end());
        let outside = times.iter().copied().find(|time| !(begin <= *time && *time <= end));
        outside.map_or(Ok(()), |time| Err(Error::Time { time, begin, end }))
    }

    /// Events and crossings of watches, in the order of the rows of `events.csv`.
    pub fn log(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut events = self.events().iter().enumerate().peekable();
        let mut crossings = self.kept.crossed.iter().zip(&self.crossings).peekable();
        std::iter::from_fn(move || {
            let past = events.peek().map_or(self.kept.events.len(), |(index, _)| *index);
            match crossings.next_if(|(after, _)| **after <= past) {
                Some((_, crossing)) => Some(Entry::Crossing(&crossing.told)),
                None => events.next().map(|(_, event)| Entry::Event(event)),
            }
        })
    }

    /// Replays the run to an observer: events, crossings, stretches and captures in order of time, without samples.
    pub fn tell(&self, observer: &mut dyn Observer) -> ControlFlow<()> {
        let (mut log, mut captures) = (self.log().peekable(), self.kept.captures.iter().peekable());
        for kept in &self.kept.path {
            let stretch = kept.of(&self.scenario().scene);
            // A crossing precedes the stretch it is on, an event follows the stretch that it ends.
            while let Some(entry) = log.next_if(|entry| match entry {
                Entry::Event(event) => event.time() <= stretch.from(),
                Entry::Crossing(crossing) => crossing.time() <= stretch.to(),
            }) {
                entry.tell(observer)?;
            }
            while let Some(capture) = captures.next_if(|capture| capture.start.time <= stretch.from()) {
                observer.capture(capture);
            }
            observer.stretch(&stretch)?;
        }
        captures.for_each(|capture| observer.capture(capture));
        log.try_for_each(|entry| entry.tell(observer))
    }

    /// The report page with the moving ball, as `kugelbahn run --html` writes it.
    pub fn html(&self) -> String {
        self.recorded(Recorder::with_film, report::page::html)
    }

    /// Summary of the run as `kugelbahn run` writes it to `summary.json`.
    pub fn summary_json(&self) -> String {
        self.recorded(|recorder| recorder, report::output::summary_json)
    }

    /// Text made from the record of the run.
    fn recorded<'a>(
        &'a self,
        made: impl FnOnce(Recorder<'a>) -> Recorder<'a>,
        text: fn(&Scenario, &Outcome, &Recorder) -> String,
    ) -> String {
        let Ok(recorder) = Recorder::new(self.scenario(), None, Box::new(|_| ())) else { return String::new() };
        let mut recorder = made(recorder);
        let _ = self.tell(&mut recorder);
        recorder.end();
        text(self.scenario(), &Outcome::Events(self.summary), &recorder)
    }

    /// The ball at the start, at the multiples of `interval` (s) after it, and at the end.
    pub fn samples(&self, interval: f64) -> Result<impl Iterator<Item = Moment>, Error> {
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(Error::Duration { what: "interval", value: interval });
        }
        // The last sample is at the end, which a product may miss by rounding.
        let (begin, end) = (self.begin(), self.end());
        let close = ((end - 1e-12 * (end - begin)) / interval).ceil() as u64;
        let next = (begin / interval).ceil() as u64;
        let first = Some(begin).filter(|begin| next as f64 * interval != *begin);
        let times = first.into_iter().chain((next..close).map(move |i| i as f64 * interval));
        Ok(times.filter_map(|time| self.at(time).ok()).chain([self.last]))
    }

    /// Summary of the run: counts of work and events, energies, the final state.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Unexplained energy, J.
    pub fn unexplained(&self) -> f64 {
        self.summary.unexplained()
    }

    /// Largest errors of place, momentum, angular momentum and distance from the ground at events.
    pub fn balance(&self) -> &Balance {
        &self.summary.count.balance
    }

    /// Intervals that contain the true time and place of each event, as far as they can be proven.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).restitution(0.5).thrown_from([0.0, 1.0], [0.0, 0.0]);
    /// let proof = drop.run(0.8)?.prove();
    /// assert!(proof.proven[0].time.contains((2.0_f64 / 9.81).sqrt()) && proof.proven[0].time.width() < 1e-14);
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn prove(&self) -> Proof {
        let scenario = self.scenario();
        prove(&scenario.scene, &scenario.start, self.events(), self.end())
    }

    /// The scenario that was run, with all values.
    pub fn scenario(&self) -> &Scenario {
        self.simulation.scenario()
    }
}

/// The moment at `time` (s) of a stretch.
fn seen(scene: &Scene, stretch: &Stretch, time: f64) -> Moment {
    let mut sample = stretch.at(time);
    sample.state.time = time;
    Moment::of(scene, &sample)
}
