//! A run that is advanced in parts: paused, looked at, changed, and continued.

use std::sync::Arc;

use scenario::{Contact, Flight, run_supervisor};
use supervisor::Moment as Ending;
use supervisor::{Event, Observer, Options, Paused, Recording, Stop, Summary, Supervisor, Watching};

use crate::{Crossing, Error, Moment, Simulation};

/// A paused run, which can be looked at, changed, and advanced.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let throw = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [1.0, 0.0]);
/// let mut running = throw.start()?;
/// running.advance_to(0.2)?;
/// let before = running.snapshot();
/// running.change(|simulation| simulation.wind([-5.0, 0.0]).drag(0.1))?;
/// running.advance_to(0.4)?;
/// assert!(running.now().velocity[0] < 1.0);
/// running.restore(&before);
/// assert_eq!(running.now().velocity[0], 1.0);
/// # Ok::<(), kugelbahn::Error>(())
/// ```
#[derive(Clone)]
pub struct Running {
    simulation: Simulation,
    paused: Paused<Flight, Contact>,
    now: Moment,
    crossings: Vec<Crossing>,
    /// Whether forces, law or mass have changed since the last step.
    changed: bool,
    /// Summary, once the run has stopped and can't go on.
    stopped: Option<Box<Summary>>,
}

/// Copy of a run at one time; after [`Running::restore`] it continues exactly as the original.
#[derive(Clone)]
pub struct Snapshot(Running);

impl Running {
    pub(crate) fn new(simulation: Simulation) -> Result<Self, Error> {
        let supervisor = simulation.scenario().supervisor(simulation.options(f64::MIN_POSITIVE))?;
        let now = Moment::of(&simulation.scenario().scene, &supervisor.now());
        let paused = supervisor.pause();
        Ok(Running { simulation, paused, now, crossings: Vec::new(), changed: false, stopped: None })
    }

    /// Current time, s.
    pub fn time(&self) -> f64 {
        self.paused.time()
    }

    /// The ball now.
    pub fn now(&self) -> &Moment {
        &self.now
    }

    /// Crossings of watches so far, in order of time.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Advances to a time (s), or to the end set by [`until`](Simulation::until); returns the events on the way. If the
    /// run stops, [`now`](Self::now) is the state at the stop.
    pub fn advance_to(&mut self, time: f64) -> Result<Vec<Event>, Error> {
        let mut recording = Recording::default();
        self.advance_with(time, &mut recording)?;
        Ok(recording.events)
    }

    /// Advances to `time` (s) and reports to an observer; if that ends the run, it is paused there.
    pub fn advance_with(&mut self, time: f64, observer: &mut dyn Observer) -> Result<(), Error> {
        let now = self.time();
        if !time.is_finite() {
            return Err(Error::Duration { what: "time", value: time });
        }
        if time < now {
            return Err(Error::Past { time, now });
        }
        if let Some(summary) = &self.stopped {
            return Err(Error::StoppedUnkept(summary.clone()));
        }
        if time == now {
            return Ok(());
        }
        self.simulation.scenario().check_motion(time)?;
        let scene = &self.simulation.scenario().scene;
        let mut options = Options { duration: time, ..self.simulation.options(1.0) };
        let mut paused = self.paused.clone();
        // A trial run finds an end within a step; the run then has this as its duration, so that a step ends there.
        let end_within_step = self.end_within_step(options);
        if let Some((end, ..)) = &end_within_step {
            options.duration = *end;
            paused = paused.with_watching(Watching::default());
        }
        let mut crossings = Vec::new();
        let mut supervisor = Supervisor::resume(scene, options, paused, self.changed);
        let mut observer = self.simulation.observer(&mut crossings, observer);
        let summary = run_supervisor(&mut supervisor, &mut observer);
        if let Some((_, found, _)) = &end_within_step {
            found.iter().for_each(|crossing| observer.crossing(crossing));
        }
        self.changed = false;
        self.stopped =
            matches!(&summary.stop, Some(stop) if !matches!(stop, Stop::Observer { .. })).then(|| Box::new(summary));
        self.now = Moment::of(scene, &supervisor.now());
        let paused = supervisor.pause();
        self.paused = match end_within_step {
            Some((.., watching)) => paused.with_watching(watching),
            None => paused,
        };
        self.crossings.extend(crossings);
        self.stopped.as_ref().map_or(Ok(()), |summary| Err(Error::StoppedUnkept(summary.clone())))
    }

    /// Time at which a watch or a set time ends the run within a step, s; the crossings until then, and the state of
    /// the watches.
    fn end_within_step(&self, options: Options) -> Option<(f64, Vec<supervisor::Crossing>, Watching)> {
        let is_within_step = |moment: &Ending| matches!(moment, Ending::Watch(..) | Ending::Time(_));
        let scenario = self.simulation.scenario();
        if !scenario.until.iter().any(is_within_step) {
            return None;
        }
        let mut found = Recording::default();
        let mut supervisor = Supervisor::resume(&scenario.scene, options, self.paused.clone(), self.changed);
        let mut crossings = Vec::new();
        let summary = run_supervisor(&mut supervisor, &mut self.simulation.observer(&mut crossings, &mut found));
        let ends = summary.until.as_ref().is_some_and(is_within_step) && summary.state.time > self.time();
        ends.then(|| (summary.state.time, found.crossings, supervisor.pause().into_watching()))
    }

    /// Changes forces, contact law or mass for the rest of the run. A change of the ground, radius, start, method,
    /// watches or kind of contact law is refused, since the state of the run depends on them.
    pub fn change(&mut self, change: impl FnOnce(Simulation) -> Simulation) -> Result<(), Error> {
        let simulation = change(self.simulation.clone());
        simulation.ready(1.0)?;
        let (now, then) = (self.simulation.scenario(), simulation.scenario());
        let same = [
            ("ground", Arc::ptr_eq(now.scene.ground.shared(), then.scene.ground.shared())),
            ("motion of the ground", now.scene.forces.carriage() == then.scene.forces.carriage()),
            ("radius", now.scene.ball.radius() == then.scene.ball.radius()),
            ("start", now.initial == then.initial),
            ("solver", now.solver == then.solver),
            ("list of what is watched", now.watches == then.watches),
            ("kind of contact law", now.scene.compliance.is_some() == then.scene.compliance.is_some()),
        ];
        if let Some((what, _)) = same.into_iter().find(|(_, same)| !same) {
            return Err(Error::UnderWay { what });
        }
        self.simulation = simulation;
        self.changed = true;
        Ok(())
    }

    /// Copy of the run at the current time.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// Returns to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        *self = snapshot.0.clone();
    }
}
