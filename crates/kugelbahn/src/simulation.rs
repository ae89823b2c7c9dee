//! [`Simulation`]: a scenario that is built, read, changed and run.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use mechanics::{
    AppliedForce, Ball, Body, Compliance, CompliantLaw, Forces, OwnForce, ParameterError, RestitutionFormula,
};
use nalgebra::Vector2;
use scenario::{Document, Initial, Methods, NotEventDriven, NumberError, Scenario, Setting, Solver, run_with};
use supervisor::{Event, NoObserver, Observer, Options, Stop, Summary, Watch};

use crate::run::Kept;
use crate::watch::{Crossing, Keeping, Until};
use crate::{Error, Ground, Run, Running};

/// A ball, its ground, and what acts on it: the typed form of a scenario file. Copies are cheap, since they share large
/// parts.
///
/// A value outside its range is an error when it is run, unless a later valid value replaces it.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).restitution(0.5).thrown_from([0.0, 1.0], [0.0, 0.0]);
/// let run = drop.run(1.0)?;
/// assert!((run.events()[0].time() - (2.0_f64 / 9.81).sqrt()).abs() < 1e-15);
///
/// // A variant shares the ground with it.
/// let livelier = drop.clone().restitution(0.9).run(1.0)?;
/// assert!(livelier.at(1.0)?.position[1] > run.at(1.0)?.position[1]);
/// # Ok::<(), kugelbahn::Error>(())
/// ```
#[derive(Clone)]
pub struct Simulation {
    scenario: Arc<Scenario>,
    until: Option<Arc<Until>>,
    said: Said,
    /// Keys whose last value is invalid, with the errors; the first one is returned.
    wrong: Vec<(&'static str, Arc<Error>)>,
}

/// Numbers set by methods, in any order of calls.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    /// A start that is invalid so far.
    start: Option<Initial>,
    spin: Option<f64>,
    time: Option<f64>,
    control: Option<&'static str>,
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("scenario", &self.scenario).finish_non_exhaustive()
    }
}

impl Simulation {
    /// A ball on a ground, under gravity of 9.81 m/s² downwards; no restitution, no friction; tolerance 1e-9.
    pub fn new(ball: Ball, ground: Ground) -> Self {
        ground.0.scenario(ball).into()
    }

    /// Reads a scenario file.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Simulation::from_file_with(path, Methods::builtin())
    }

    /// Reads a scenario file that may name methods of the caller.
    pub fn from_file_with(path: impl AsRef<Path>, methods: impl Into<Arc<Methods>>) -> Result<Self, Error> {
        Ok(Scenario::of(&Document::load(path.as_ref(), &[], &methods.into())?)?.into())
    }

    /// Reads the text of a scenario file; paths in it are relative to the working directory.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        Simulation::from_text_with(text, Methods::builtin())
    }

    /// Reads the text of a scenario file that may name methods of the caller.
    pub fn from_text_with(text: &str, methods: impl Into<Arc<Methods>>) -> Result<Self, Error> {
        Ok(Scenario::of(&Document::from_text(text, Path::new(""), &[], &methods.into())?)?.into())
    }

    /// Sets a value by its key in a scenario file, such as `contact.restitution` or `ground.parameters.amplitude`.
    /// Numbers that leave the ground unchanged are set in place; for others the scenario is read again, which needs a
    /// start.
    pub fn set(self, key: &str, value: impl Into<Setting>) -> Result<Self, Error> {
        self.set_all(&[(key, value.into())])
    }

    /// Sets several values at once that would be invalid one by one, such as a larger ball that starts higher.
    pub fn set_all(mut self, values: &[(&str, Setting)]) -> Result<Self, Error> {
        self.check()?;
        put(Arc::make_mut(&mut self.scenario), values)?;
        for (key, value) in values {
            match *key {
                "initial.spin" => self.said.spin = value.number(),
                "initial.time" => self.said.time = value.number(),
                _ => (),
            }
        }
        Ok(self)
    }

    /// Newton's restitution, 0 to 1: a number, or a formula of the speed `v` (m/s) at which the ball closes.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 5.0], [0.0, 0.0]);
    /// let hit = drop.gravity([0.0, -10.0]).restitution("0.8 - 0.05*v").run(1.5)?.events()[0];
    /// assert!((hit.velocity_after().0 - 3.0).abs() < 1e-12);
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn restitution(self, restitution: impl Into<Setting>) -> Self {
        const KEY: &str = "contact.restitution";
        self.changed(KEY, |scenario| put(scenario, &[(KEY, restitution.into())]))
    }

    /// Tangential restitution, −1 to 1: −1 lets the slip be, 0 stops it, 1 reverses it.
    pub fn tangential_restitution(self, restitution: f64) -> Self {
        self.put("contact.tangential-restitution", restitution)
    }

    /// Coulomb's μ, at least 0; ∞ for ground that never lets slip, which a ball that gives way does not know.
    pub fn friction(self, coefficient: f64) -> Self {
        self.put("contact.friction", coefficient)
    }

    /// Coulomb's μ_s up to which a contact sticks, at least that of [`Simulation::friction`], by which it slides.
    pub fn static_friction(self, coefficient: f64) -> Self {
        self.put("contact.static-friction", coefficient)
    }

    /// Damping of the centre in contact, N s/m.
    pub fn rolling_damping(self, damping: f64) -> Self {
        self.put("contact.rolling-damping", damping)
    }

    /// Rolling resistance c_rr of a ball that turns: a couple `c_rr R λ` against the spin.
    pub fn rolling_resistance(self, coefficient: f64) -> Self {
        self.put("contact.rolling-resistance", coefficient)
    }

    /// The ball gives way: this law takes the place of restitution, friction and rolling damping so far.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let hertz = Compliance::new(CompliantLaw::Hertz { stiffness: 1e6, viscosity: 20.0 })?.with_friction(0.2, 1e-3)?;
    /// let soft = Simulation::new(Ball::solid_sphere(1.0, 0.1)?, Ground::graph("0")?).compliance(hertz);
    /// assert_eq!(soft.thrown_from([0.0, 1.0], [1.0, 0.0]).run(0.5)?.events()[0].kind, EventKind::Touch);
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn compliance(self, law: Compliance) -> Self {
        let methods = match law.law() {
            CompliantLaw::Own(own) => Methods::clone(&self.scenario.methods).with_made_law(own).into(),
            _ => self.scenario.methods.clone(),
        };
        self.changed("contact", |scenario| scenario.put_compliance(law)).methods(methods)
    }

    /// Gravity, m/s²; `[0, -9.81]` where nothing is said.
    pub fn gravity(self, gravity: impl Into<Vector2<f64>>) -> Self {
        self.forces("forces.gravity", |forces| forces.with_gravity(gravity.into()))
    }

    /// `k_D` of the drag `−k_D |w| w`, kg/m.
    pub fn drag(self, coefficient: f64) -> Self {
        self.forces("forces.drag", |forces| forces.with_drag(coefficient))
    }

    /// `k_L` of the drag `−k_L w`, N s/m.
    pub fn linear_drag(self, coefficient: f64) -> Self {
        self.forces("forces.linear-drag", |forces| forces.with_linear_drag(coefficient))
    }

    /// Wind, m/s.
    pub fn wind(self, wind: impl Into<Vector2<f64>>) -> Self {
        self.forces("forces.wind", |forces| forces.with_wind(wind.into()))
    }

    /// `m_c` of the Magnus force, kg.
    pub fn magnus(self, mass: f64) -> Self {
        self.forces("forces.magnus", |forces| forces.with_magnus(mass))
    }

    /// A force `[x, y]` in N at a time in s, as a closure: see [`OwnForce::of_closure`] for what is then not proven.
    pub fn force(self, force: impl Fn(f64, &Body<f64>) -> [f64; 2] + Send + Sync + 'static) -> Self {
        self.forces("forces.external", |forces| Ok(forces.with_own(OwnForce::of_closure(force)))).written_in_rust()
    }

    /// No force beside gravity and the air.
    pub fn no_force(self) -> Self {
        let mut simulation = self.forces("forces.external", |forces| Ok(forces.without_external()));
        Arc::make_mut(&mut simulation.scenario).external = Arc::default();
        simulation
    }

    /// A force with derivatives and enclosures.
    pub fn applied_force(self, force: impl AppliedForce) -> Self {
        self.forces("forces.external", |forces| Ok(forces.with_own(OwnForce::new(force)))).written_in_rust()
    }

    /// Starts with the centre at a position (m) with a velocity (m/s).
    pub fn thrown_from(mut self, position: impl Into<Vector2<f64>>, velocity: impl Into<Vector2<f64>>) -> Self {
        let (position, velocity, time) = (position.into(), velocity.into(), self.scenario.start.time());
        self.said.start = Some(Initial::Thrown { position, velocity, spin: 0.0, time, touched: None, strands: 0 });
        self.start_anew()
    }

    /// The spin at the start, rad/s.
    pub fn spin(mut self, spin: f64) -> Self {
        self.said.spin = Some(spin);
        self.start_anew()
    }

    /// Starts on the ground at an abscissa (m) with a speed along it (m/s), rolling; [`spin`](Self::spin) sets another
    /// spin.
    pub fn on_ground(mut self, x: f64, speed: f64) -> Self {
        let places = self.scenario.scene.ground.ground().above(x);
        match places.as_slice() {
            [one] if one.from == one.to => {
                let time = self.scenario.start.time();
                self.said.start = Some(Initial::OnGround { spot: one.from, speed, spin: None, time });
                self.start_anew()
            }
            others => {
                let found = others.len();
                self.wrong("initial.x", Error::Places { x, found })
            }
        }
    }

    /// Tolerance of a step, relative and absolute; a run has this or a fixed step.
    pub fn tolerance(self, tolerance: f64) -> Self {
        self.controlled("solver.tolerance", tolerance)
    }

    /// Fixed steps, s; a run has these or a tolerance.
    pub fn step(self, step: f64) -> Self {
        self.controlled("solver.step", step)
    }

    fn controlled(mut self, key: &'static str, value: f64) -> Self {
        match self.said.control.replace(key) {
            Some(other) if other != key => self.wrong("solver", Error::ToleranceAndStep),
            _ => self.put(key, value),
        }
    }

    /// Bounces that leave the ground slower than this may be summed up, m/s.
    pub fn capture_speed(self, speed: f64) -> Self {
        self.put("solver.capture-speed", speed)
    }

    /// The flight method, by its name: `newmark`, `bdf`, `radau`, `dop853`, `ballistic`, `taylor`, `auto`, or one of
    /// [`methods`](Self::methods).
    pub fn method(self, name: &str) -> Self {
        let known = self.scenario.methods.flights();
        self.named("flight method", name, &known, |solver, kind| solver.method = kind)
    }

    /// The formulation of contact, by its name: `symmetric`, `arc-length`, `taylor`, …, or one of
    /// [`methods`](Self::methods).
    pub fn formulation(self, name: &str) -> Self {
        let known = self.scenario.methods.formulations();
        self.named("formulation", name, &known, |solver, kind| solver.formulation = kind)
    }

    /// The methods that may be named.
    pub fn methods(mut self, methods: impl Into<Arc<Methods>>) -> Self {
        let methods = methods.into();
        if let Err(error) = methods.check() {
            return self.wrong("methods", error);
        }
        self.wrong.retain(|(key, _)| *key != "methods");
        Arc::make_mut(&mut self.scenario).methods = methods;
        self
    }

    /// The run ends with the first event of which this is true; one made in parts stands still there.
    pub fn until(mut self, ends: impl Fn(&Event) -> bool + Send + Sync + 'static) -> Self {
        self.until = Some(Arc::new(ends));
        self
    }

    /// The run ends with the first of these moments, written as in `solver.until`: `impact.10`, `watch.finish`, `t=5`.
    /// One made in parts stands still there. Watches are to be added before they are named.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let throw = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [2.0, 0.0]);
    /// let run = throw.watch(Watch::x(0.5).named("gate")).until_moments(&["watch.gate", "rest"]).run(9.0)?;
    /// assert!((run.end() - 0.25).abs() < 1e-15);
    /// assert_eq!(run.ended(), Ended::Moment("watch.gate".into()));
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn until_moments(self, moments: &[&str]) -> Self {
        self.changed("solver.until", |scenario| scenario.put_until(moments))
    }

    /// Locates where a quantity passes a value: [`Run::crossings`], [`Running::crossings`]. It changes no step.
    pub fn watch(self, watch: Watch) -> Self {
        match watch.not_finite() {
            Some(value) => self.wrong("watch", ParameterError { name: "watch", value, rule: "finite" }),
            None => self.changed("watch.one", |scenario| {
                scenario.watches = scenario.watches.iter().cloned().chain([watch]).collect();
                Ok::<_, Error>(())
            }),
        }
    }

    /// Watches as in a scenario file: the text of its `[[watch]]` tables, in the place of those so far.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let throw = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [2.0, 0.0]);
    /// let run = throw.watches_of("watch = [{ name = \"gate\", x = 0.5, direction = \"up\" }]").run(0.3)?;
    /// assert!((run.crossings()[0].moment.time - 0.25).abs() < 1e-15);
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn watches_of(self, text: &str) -> Self {
        self.changed("watch", |scenario| scenario.put_watches(text))
    }

    /// Starts at this time, s; 0 where nothing is said. The run's duration counts from it.
    pub fn starting_at(mut self, time: f64) -> Self {
        self.said.time = Some(time);
        self.start_anew()
    }

    /// Runs for `duration` s and keeps everything. A run that can't go on is [`Error::Stopped`], with the run so far in
    /// it.
    pub fn run(&self, duration: f64) -> Result<Run, Error> {
        self.run_observed(duration, &mut NoObserver)
    }

    /// Runs for `duration` s, keeps everything and tells an observer, which may end it: from another thread, by a flag
    /// that it reads.
    pub fn run_observed(&self, duration: f64, observer: &mut dyn Observer) -> Result<Run, Error> {
        self.ready(duration)?;
        let simulation = self.lasting(duration);
        let supervisor = simulation.scenario.supervisor(simulation.options(duration))?;
        Run::made(simulation.clone(), supervisor, Kept::default(), Vec::new(), observer)
    }

    /// A copy for another duration, s.
    pub(crate) fn lasting(&self, duration: f64) -> Self {
        let mut simulation = self.clone();
        if simulation.scenario.solver.duration != duration {
            Arc::make_mut(&mut simulation.scenario).solver.duration = duration;
        }
        simulation
    }

    /// Runs for `duration` s, tells an observer, and keeps nothing. A closure that takes an event is an observer, too.
    ///
    /// ```
    /// use kugelbahn::prelude::*;
    ///
    /// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).restitution(0.5).thrown_from([0.0, 1.0], [0.0, 0.0]);
    /// let mut impacts = 0;
    /// drop.observe(1.0, &mut |event: &Event| {
    ///     impacts += u32::from(event.kind == EventKind::Impact);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(impacts, 2);
    /// # Ok::<(), kugelbahn::Error>(())
    /// ```
    pub fn observe(&self, duration: f64, observer: &mut dyn Observer) -> Result<Summary, Error> {
        self.ready(duration)?;
        let mut crossings = Vec::new();
        let summary = run_with(&self.scenario, self.options(duration), &mut self.observer(&mut crossings, observer))?;
        match &summary.stop {
            None | Some(Stop::Observer { .. }) => Ok(summary),
            Some(_) => Err(Error::StoppedUnkept(Box::new(summary))),
        }
    }

    /// A run that is made in parts.
    pub fn start(&self) -> Result<Running, Error> {
        self.ready(1.0)?;
        Running::new(self.clone())
    }

    /// Observer that keeps crossings, tells another, and ends the run with its event.
    pub(crate) fn observer<'a>(
        &'a self,
        crossings: &'a mut Vec<Crossing>,
        observer: &'a mut dyn Observer,
    ) -> Keeping<'a> {
        let (scene, until) = (&self.scenario.scene, self.until.as_deref());
        Keeping { kept: None, crossings, scene, until, observer, ended: false }
    }

    /// Every value, as commands and reports take it.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    pub(crate) fn options(&self, duration: f64) -> Options {
        let duration = self.scenario.start.time() + duration;
        Options { duration, interval: None, ..self.scenario.options() }
    }

    pub(crate) fn ready(&self, duration: f64) -> Result<(), Error> {
        self.check()?;
        if self.scenario.stepping.is_some() {
            return Err(NotEventDriven::TimeStepping.into());
        }
        if self.scenario.initial.is_none() {
            return Err(NotEventDriven::NoStart.into());
        }
        if !(duration > 0.0 && duration.is_finite()) {
            return Err(Error::Duration { what: "duration", value: duration });
        }
        Ok(())
    }

    /// The first value so far that is outside its range.
    pub fn check(&self) -> Result<(), Error> {
        self.wrong.first().map_or(Ok(()), |(_, error)| Err((**error).clone()))
    }

    fn wrong(mut self, key: &'static str, error: impl Into<Error>) -> Self {
        match self.wrong.iter_mut().find(|(wrong, _)| *wrong == key) {
            Some((_, last)) => *last = Arc::new(error.into()),
            None => self.wrong.push((key, Arc::new(error.into()))),
        }
        self
    }

    fn named<T: Copy>(
        self,
        what: &'static str,
        name: &str,
        known: &[(&str, T)],
        put: impl FnOnce(&mut Solver, T),
    ) -> Self {
        match known.iter().find(|(known, _)| *known == name) {
            Some((_, kind)) => self.changed(what, |scenario| {
                put(&mut scenario.solver, *kind);
                Ok::<_, Error>(())
            }),
            None => {
                let known = known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                self.wrong(what, Error::Unknown { what, name: name.to_owned(), known })
            }
        }
    }

    /// Changes an event-driven scenario in place. Time stepping is refused: it has balls of its own, which the change
    /// would not reach.
    fn changed<E: Into<Error>>(
        mut self,
        key: &'static str,
        change: impl FnOnce(&mut Scenario) -> Result<(), E>,
    ) -> Self {
        if self.scenario.stepping.is_some() {
            return self.wrong("", NotEventDriven::TimeStepping);
        }
        match change(Arc::make_mut(&mut self.scenario)) {
            Ok(()) => {
                self.wrong.retain(|(wrong, _)| *wrong != key);
                self
            }
            Err(error) => self.wrong(key, error),
        }
    }

    fn forces(self, key: &'static str, change: impl FnOnce(Forces) -> Result<Forces, ParameterError>) -> Self {
        self.changed(key, |scenario| scenario.put_forces(change(scenario.scene.forces.clone())?))
    }

    fn written_in_rust(mut self) -> Self {
        Arc::make_mut(&mut self.scenario).external = Arc::new("written in Rust".into());
        self
    }

    /// Puts the start that was asked for, with the spin and at the time that were.
    fn start_anew(mut self) -> Self {
        let Some(mut start) = self.said.start.or(self.scenario.initial) else { return self };
        let said = self.said;
        match &mut start {
            Initial::Thrown { spin, time, .. } => {
                (*spin, *time) = (said.spin.unwrap_or(*spin), said.time.unwrap_or(*time));
            }
            Initial::OnGround { spin, time, .. } => {
                (*spin, *time) = (said.spin.or(*spin), said.time.unwrap_or(*time));
            }
        }
        self.wrong.retain(|(key, _)| *key != "initial.x" || said.start.is_none());
        self.said.start = Some(start);
        let mut started = self.changed("initial", |scenario| scenario.put_start(start));
        if started.scenario.initial == Some(start) {
            started.said.start = None;
        }
        started
    }

    fn put(self, key: &'static str, value: f64) -> Self {
        self.changed(key, |scenario| put(scenario, &[(key, value.into())]))
    }
}

/// Puts values in place where that can be, else by way of the scenario file.
fn put(scenario: &mut Scenario, values: &[(&str, Setting)]) -> Result<(), Error> {
    let numbers: Option<Vec<_>> = values.iter().map(|(key, value)| Some((*key, value.number()?))).collect();
    match numbers.as_deref() {
        Some([(key, number)]) if scenario.put(key, *number)? => return Ok(()),
        None if let [("contact.restitution", Setting::Text(text))] = values => {
            let formula = RestitutionFormula::parse(text).map_err(NumberError::from)?;
            if scenario.put_restitution(formula)? {
                return Ok(());
            }
        }
        Some(numbers) if numbers.len() > 1 => {
            let mut changed = scenario.clone();
            if changed.put_all(numbers.iter().copied())? {
                *scenario = changed;
                return Ok(());
            }
        }
        _ => (),
    }
    if scenario.stepping.is_none() && scenario.initial.is_none() {
        return Err(NotEventDriven::NoStart.into());
    }
    let settings: Vec<String> = values.iter().map(|(key, value)| value.set(key)).collect();
    *scenario = scenario.with_settings(&settings)?;
    Ok(())
}

impl From<Scenario> for Simulation {
    fn from(scenario: Scenario) -> Self {
        Simulation { scenario: Arc::new(scenario), until: None, said: Said::default(), wrong: Vec::new() }
    }
}
