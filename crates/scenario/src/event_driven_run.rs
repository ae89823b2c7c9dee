//! Runs a scenario event by event: makes the supervisor, checks method and law ([`NotEventDriven`]).

use curves::Touched;
use flight::{Ballistic, MethodError, NotBallistic};
use newmark::Control;
use rolling::ContactMethod;
use supervisor::{Localisation, Observer, Options, Stop, Summary, Supervisor, Watching};

use crate::input::{InputError, Node};
use crate::load::{error_at, value_in};
use crate::methods::{Contact, Flight};
use crate::scenario::Scenario;
use crate::solver::DEFAULT;
use crate::watch::{until_of, watches_of};
use crate::{FlightKind, FormulationKind, SteppingKind};

/// Number of the contact law that this kind of run can't handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlawful {
    /// Key of `[contact]`.
    pub key: &'static str,
    /// Reason.
    pub why: &'static str,
    /// Cure.
    pub cure: &'static str,
}

const BY_EVENTS: &str = "run it event by event: `solver.method = \"newmark\"`, and leave `step` out";

/// Reason why a scenario can't be run event by event.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NotEventDriven {
    /// The scenario is for time stepping.
    #[error(
        "the scenario is for time stepping (solver.method = \"moreau\" or \"kern\"): run it with kugelbahn::stepping::run_stepping"
    )]
    TimeStepping,
    /// Flight method and steps or tolerances do not agree; never in a scenario read from a file.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// Forces for which "ballistic" does not hold.
    #[error("the method is \"ballistic\", and {0}: take another method")]
    Ballistic(NotBallistic),
    /// A localisation by the ends of steps, with a method whose steps are whole flights.
    #[error(
        "the method is \"ballistic\", whose steps are whole flights, and the localisation \"parabola\" looks at their ends alone"
    )]
    WholeFlights,
    /// Formulation and steps or tolerances do not agree; never in a scenario read from a file.
    #[error(transparent)]
    Formulation(#[from] rolling::RollingError),
    /// A number of the contact law that does not go with the ball or method.
    #[error("`{}` is given, and {}", .0.key, .0.why)]
    Unlawful(Unlawful),
    /// The start is missing.
    #[error("nothing says where the ball starts: call `thrown_from` or `on_ground`")]
    NoStart,
    /// The velocity of the ground jumps.
    #[error("`abs`, `min` or `max` switch at t = {time:?} s in the motion of the ground: end the run before")]
    Jump {
        /// Time, s.
        time: f64,
    },
    /// A method of the caller that is not among the methods.
    #[error("there is no method \"{name}\" among those given: add it to the `Methods`")]
    NoMethod {
        /// Name in scenario files.
        name: &'static str,
    },
}

/// Runs a scenario event by event, reporting to `observer`; for time stepping see
/// [`run_stepping`](crate::stepping::run_stepping).
pub fn run(scenario: &Scenario, observer: &mut dyn Observer) -> Result<Summary, NotEventDriven> {
    run_with(scenario, scenario.options(), observer)
}

/// Runs a scenario event by event with these options.
pub fn run_with(scenario: &Scenario, options: Options, observer: &mut dyn Observer) -> Result<Summary, NotEventDriven> {
    Ok(run_supervisor(&mut scenario.supervisor(options)?, observer))
}

/// Continues a run until its end, a failure, or a break by the observer.
pub fn advance(supervisor: &mut Supervisor<'_, Flight, Contact>, observer: &mut dyn Observer) -> Option<Stop> {
    supervisor.advance(observer)
}

/// Runs until the end or a failure; compiled here once for all crates.
pub fn run_supervisor(supervisor: &mut Supervisor<'_, Flight, Contact>, observer: &mut dyn Observer) -> Summary {
    supervisor.run(observer)
}

impl Scenario {
    /// Options of the supervisor.
    pub fn options(&self) -> Options {
        Options {
            duration: self.start.time() + self.solver.duration,
            interval: Some(self.interval),
            capture_speed: self.solver.capture_speed,
            capture_tolerance: self.solver.capture_tolerance,
            largest_step: self.solver.largest_step,
            compression: match self.solver.control {
                Control::Tolerance(tolerance) => tolerance,
                Control::Step { .. } => DEFAULT,
            },
            limit: Some(self.solver.limit),
        }
    }

    /// The flight method used: "auto" is "ballistic" where that holds, else with a tolerance "taylor", and
    /// "newmark" by steps that are given or found as a parabola.
    pub fn flight_kind(&self) -> FlightKind {
        let whole = self.solver.localisation == Localisation::Certified;
        match self.solver.method {
            FlightKind::Auto if whole && self.not_ballistic().is_none() => FlightKind::Ballistic,
            FlightKind::Auto if whole && matches!(self.solver.control, Control::Tolerance(_)) => FlightKind::Taylor,
            FlightKind::Auto => FlightKind::Newmark,
            other => other,
        }
    }

    /// Whether λ and f of rows are variables of the contact method, and not computed from the state (design §2).
    pub fn has_own_multiplier(&self) -> bool {
        self.methods.contact(&self.solver).is_ok_and(|method| method.carries())
    }

    /// Whether several balls run event by event.
    pub fn is_by_events(&self) -> bool {
        self.stepping.as_ref().is_some_and(|stepping| stepping.method.kind == SteppingKind::Events)
    }

    /// Reason why "ballistic" does not hold, in the frame of the ground or of one of its moving parts.
    fn not_ballistic(&self) -> Option<NotBallistic> {
        let forces = &self.scene.forces;
        let moving = self.scene.parts.iter().filter_map(|part| part.carriage.as_ref());
        let mut seen = moving.map(|carriage| forces.clone().with_carriage(carriage.clone()));
        Ballistic::refuses(forces).or_else(|| seen.find_map(|forces| Ballistic::refuses(&forces)))
    }

    /// The first number of the contact law that this run can't handle.
    pub(crate) fn unlawful(&self) -> Option<Unlawful> {
        let refused = |key, why, cure| Some(Unlawful { key, why, cure });
        let (by_steps, has_torque) = (self.stepping.is_some(), self.scene.forces.has_torque());
        if by_steps && self.scene.laws().any(|law| law.static_friction().is_some()) {
            let why = "time stepping, and runs of several balls, know one coefficient of friction";
            return refused("static-friction", why, BY_EVENTS);
        }
        if by_steps && self.scene.laws().any(|law| law.own_impact().is_some()) {
            return refused("impact", "time stepping, and runs of several balls, know Newton's law alone", BY_EVENTS);
        }
        if has_torque && by_steps {
            let why = "time stepping, and runs of several balls, keep the spin in flight";
            return refused("torque", why, "run one ball event by event: `solver.method = \"taylor\"`");
        }
        if has_torque && !matches!(self.flight_kind(), FlightKind::Taylor | FlightKind::Own(_)) {
            let cure = "take `solver.method = \"taylor\"`, or \"auto\" with a tolerance";
            return refused("torque", "this flight method keeps the spin", cure);
        }
        if !self.scene.laws().any(|law| law.rolling_resistance() > 0.0) {
            return None;
        }
        let refused = |why, cure| refused("rolling-resistance", why, cure);
        let carries = matches!(self.solver.formulation, FormulationKind::Ours(formulation) if formulation.carries());
        if by_steps {
            refused("time stepping, and runs of several balls, have no law of it", BY_EVENTS)
        } else if !self.scene.ball.turns() {
            let cure = "give the ball a `radius` and an `inertia`, or give `rolling-damping` or `friction` instead";
            refused("this ball does not turn: a bead does not roll", cure)
        } else if carries {
            let cure = "take `formulation = \"symmetric\"`, \"arc-length\", \"projected\" or \"taylor\"";
            refused("this formulation takes the force of the ground from its multiplier, which it is no part of", cure)
        } else {
            None
        }
    }

    /// Refuses such a number at the place of its key.
    pub(crate) fn check_law(&self, tree: &Node) -> Result<(), InputError> {
        let Some(Unlawful { key, why, cure }) = self.unlawful() else { return Ok(()) };
        let message = format!("`{key}` is given, and {why}");
        let node = value_in(tree, "contact", key).or_else(|| value_in(tree, "forces", "external")?.get(key));
        Err(error_at(node, message, "not here").with_help(cure))
    }

    /// Checks the flight method against the forces and the localisation.
    pub(crate) fn check_method(&self) -> Result<(), NotEventDriven> {
        if let Some(unlawful) = self.unlawful() {
            return Err(NotEventDriven::Unlawful(unlawful));
        }
        if self.stepping.is_some() || self.solver.method != FlightKind::Ballistic {
            return Ok(());
        }
        match self.not_ballistic() {
            Some(reason) => Err(NotEventDriven::Ballistic(reason)),
            None if self.solver.localisation == Localisation::Parabola => Err(NotEventDriven::WholeFlights),
            None => Ok(()),
        }
    }

    /// Sets the moments, written as in `solver.until`, the first of which ends event-driven runs.
    pub fn put_until(&mut self, moments: &[&str]) -> Result<(), InputError> {
        self.until = until_of(moments, &self.watches, self.start.time())?;
        Ok(())
    }

    /// Sets the watches of a text with `[[watch]]` tables.
    pub fn put_watches(&mut self, text: &str) -> Result<(), InputError> {
        self.watches = watches_of(text, &self.curve)?;
        Ok(())
    }

    /// Watches, and the moments that end a run.
    pub fn watching(&self) -> Watching {
        Watching::new(self.watches.clone(), &self.until)
    }

    /// The supervisor of an event-driven run.
    pub fn supervisor(&self, options: Options) -> Result<Supervisor<'_, Flight, Contact>, NotEventDriven> {
        if self.stepping.is_some() {
            return Err(NotEventDriven::TimeStepping);
        }
        if self.initial.is_none() {
            return Err(NotEventDriven::NoStart);
        }
        self.check_motion(options.duration)?;
        self.check_method()?;
        let flight = self.methods.flight(&self.solver, self.flight_kind())?;
        let contact = self.methods.contact(&self.solver)?;
        let touched = self.initial.map_or(Touched::default(), |initial| initial.touched(&self.scene));
        let supervisor =
            Supervisor::new_near(&self.scene, options, self.start, self.near.as_ref(), touched, flight, contact)
                .with_localisation(self.solver.localisation)
                .watching(self.watching());
        Ok(if options.interval.is_some() { supervisor.with_samples_at(self.times.clone()) } else { supervisor })
    }
}
