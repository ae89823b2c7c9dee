//! [`Methods`]: all methods by name, those of this workspace and the caller's own; makes the methods of a run.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use curves::Piece;
use flight::{
    AnyFlight, Ballistic, Bdf, Dop853, FlightCount, FlightError, FlightMethod, FlightStep, MethodError, Newmark, Radau,
};
use mechanics::{Ball, CollisionLaw, Forces, NormalLaw, OwnLaw, PfeifferGlocker, Restoring, State};
use moreau::SteppingScheme;
use newmark::{Control, Tolerance};
use numbers::elementary;
use rolling::{AnyContact, ContactCount, ContactMethod, ContactStep, ContactSystem, RollingError, Straight};

use crate::curve::kinds;
use crate::event_driven_run::NotEventDriven;
use crate::input::{InputError, Span};
use crate::settings::{
    FLIGHT_METHODS, FORMULATIONS, FlightKind, FormulationKind, LAWS, MethodFamily, SCHEMES, Solver, SteppingKind, names,
};

type MakeFlight = dyn Fn(Control) -> Box<dyn AnyFlight> + Send + Sync;
type MakeContact = dyn Fn(Control) -> Box<dyn AnyContact> + Send + Sync;
type MakeStepping = dyn Fn(f64) -> Box<dyn SteppingScheme + Send> + Send + Sync;
type MakeGround = dyn Fn(&Keys) -> Result<Vec<Piece>, String> + Send + Sync;
type MakeImpact = dyn Fn(&Keys) -> Result<Arc<dyn CollisionLaw>, String> + Send + Sync;
type MakeLaw = dyn Fn(&Keys, &Ball) -> Result<Arc<dyn NormalLaw>, String> + Send + Sync;

/// Numbers of a table in a file, for a method made of them. A key not asked for is refused.
#[derive(Clone, Debug)]
pub struct Keys(Vec<(String, f64, Cell<bool>)>);

impl Keys {
    /// Keys with numbers; the flag marks keys shared with others, which need not be asked for.
    pub(crate) fn new(numbers: impl IntoIterator<Item = (String, f64, bool)>) -> Self {
        Keys(numbers.into_iter().map(|(key, value, shared)| (key, value, Cell::new(shared))).collect())
    }

    /// Number of a key; an error if it is missing.
    pub fn number(&self, key: &str) -> Result<f64, String> {
        self.get(key).ok_or_else(|| format!("`{key}` is missing: give a number"))
    }

    /// Number of a key, or the default.
    pub fn number_or(&self, key: &str, default: f64) -> f64 {
        self.get(key).unwrap_or(default)
    }

    fn get(&self, key: &str) -> Option<f64> {
        let (_, value, asked) = self.0.iter().find(|(known, ..)| known == key)?;
        asked.set(true);
        Some(*value)
    }

    /// Makes a method of the numbers; errors get the position of the table.
    pub(crate) fn make<T>(
        &self,
        what: &str,
        span: &Span,
        make: impl FnOnce(&Keys) -> Result<T, String>,
    ) -> Result<T, InputError> {
        let wrong = |why: String| InputError::new(span, format!("{what} can't be made: {why}"), "its keys");
        let made = make(self).map_err(wrong)?;
        if let Some((key, ..)) = self.0.iter().find(|(.., asked)| !asked.get()) {
            let error = InputError::new(span, format!("unknown key `{key}` in {what}"), "nothing asks for it");
            return Err(error.with_help("leave it out, or mend its name"));
        }
        Ok(made)
    }
}

/// Names of the laws of impact of this workspace, Newton's first.
pub(crate) const IMPACTS: [&str; 4] = ["newton", "poisson", "stronge", "pfeiffer-glocker"];

type Named<T> = Vec<(&'static str, Arc<T>)>;

/// Adds a method; it replaces an earlier one of the same name.
fn add<T: ?Sized>(known: &mut Named<T>, name: &'static str, make: Arc<T>) {
    known.retain(|(known, _)| *known != name);
    known.push((name, make));
}

/// The method of this name, if there is one.
fn find<'a, T: ?Sized>(known: &'a Named<T>, name: &str) -> Option<&'a T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, make)| &**make)
}

/// Methods by name, of this workspace and others' own; a scenario keeps them, and every command knows them. A later one
/// of a name replaces an earlier one; the name of one of ours is refused where a scenario is read.
#[derive(Clone, Default)]
pub struct Methods {
    flights: Named<MakeFlight>,
    formulations: Named<MakeContact>,
    steppings: Named<MakeStepping>,
    grounds: Named<MakeGround>,
    laws: Named<MakeLaw>,
    impacts: Named<MakeImpact>,
}

impl Methods {
    /// Methods of this workspace alone.
    pub fn builtin() -> Self {
        Methods::default()
    }

    /// Adds a flight method, as `solver.method = "NAME"`.
    pub fn with_flight<M: FlightMethod + Clone + Send + 'static>(
        mut self,
        name: &'static str,
        make: impl Fn(Control) -> M + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.flights, name, Arc::new(move |control| Box::new(make(control))));
        self
    }

    /// Adds a contact method, as `solver.formulation = "NAME"` and `--method newmark:NAME`.
    pub fn with_formulation<M: ContactMethod + Clone + Send + 'static>(
        mut self,
        name: &'static str,
        make: impl Fn(Control) -> M + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.formulations, name, Arc::new(move |control| Box::new(make(control))));
        self
    }

    /// Adds a scheme of time stepping, as `solver.method = "NAME"` and `--method NAME`; `make` gets the step h, s.
    pub fn with_stepping<S: SteppingScheme + Send + 'static>(
        mut self,
        name: &'static str,
        make: impl Fn(f64) -> S + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.steppings, name, Arc::new(move |step| Box::new(make(step))));
        self
    }

    /// Adds a kind of ground, as `kind = "NAME"`: `make` gets the numbers beside it and in `parameters`, and may refuse
    /// them in words.
    pub fn with_ground(
        mut self,
        name: &'static str,
        make: impl Fn(&Keys) -> Result<Vec<Piece>, String> + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.grounds, name, Arc::new(make));
        self
    }

    /// Adds a law of compliant contact, as `contact.law = "NAME"`: the numbers beside it (but for those that all
    /// compliant laws have) and the ball are given to `make`, which may refuse them in words.
    pub fn with_law<L: NormalLaw>(
        mut self,
        name: &'static str,
        make: impl Fn(&Keys, &Ball) -> Result<L, String> + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.laws, name, Arc::new(move |keys, ball| Ok(Arc::new(make(keys, ball)?))));
        self
    }

    /// Adds a law of impact, as `contact.impact = "NAME"` or `{ law = "NAME", … }`: the numbers beside the name are
    /// given to `make`, which may refuse them in words.
    pub fn with_impact<L: CollisionLaw>(
        mut self,
        name: &'static str,
        make: impl Fn(&Keys) -> Result<L, String> + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.impacts, name, Arc::new(move |keys| Ok(Arc::new(make(keys)?))));
        self
    }

    /// Adds a law already made.
    pub fn with_made_law(mut self, law: &OwnLaw) -> Self {
        let made = law.shared().clone();
        add(&mut self.laws, law.name(), Arc::new(move |_, _| Ok(made.clone())));
        self
    }

    /// Refuses the caller's methods with names of this workspace's.
    pub fn check(&self) -> Result<(), InputError> {
        let (flights, methods) = (names(&self.flights), [names(&FLIGHT_METHODS), names(&SCHEMES)].concat());
        let all = [
            (flights.clone(), methods.clone()),
            (names(&self.steppings), [methods, flights].concat()),
            (names(&self.formulations), names(&FORMULATIONS)),
            (names(&self.grounds), kinds().to_vec()),
            (names(&self.laws), names(&LAWS)),
            (names(&self.impacts), IMPACTS.to_vec()),
        ];
        let taken = all.iter().find_map(|(own, ours)| own.iter().find(|name| ours.contains(name)));
        let Some(name) = taken else { return Ok(()) };
        let error = InputError::without_place(format!("\"{name}\" is among the methods given, but is one of ours"));
        Err(error.with_help("give it another name"))
    }

    /// Values of `solver.method` for event-driven runs.
    pub fn flights(&self) -> Vec<(&'static str, FlightKind)> {
        FLIGHT_METHODS.into_iter().chain(self.flights.iter().map(|(name, _)| (*name, FlightKind::Own(name)))).collect()
    }

    /// Values of `solver.method` for time stepping.
    pub fn steppings(&self) -> Vec<(&'static str, SteppingKind)> {
        SCHEMES.into_iter().chain(self.steppings.iter().map(|(name, _)| (*name, SteppingKind::Own(name)))).collect()
    }

    /// All values of `solver.method`.
    pub fn families(&self) -> Vec<(&'static str, MethodFamily)> {
        let events = self.flights().into_iter().map(|(name, kind)| (name, MethodFamily::Events(kind)));
        events.chain(self.steppings().into_iter().map(|(name, kind)| (name, MethodFamily::Steps(kind)))).collect()
    }

    /// The caller's scheme of this name.
    pub(crate) fn stepping(&self, name: &str, step: f64) -> Option<Box<dyn SteppingScheme + Send>> {
        find(&self.steppings, name).map(|make| make(step))
    }

    /// Values of `solver.formulation`.
    pub fn formulations(&self) -> Vec<(&'static str, FormulationKind)> {
        let own = self.formulations.iter().map(|(name, _)| (*name, FormulationKind::Own(name)));
        FORMULATIONS.into_iter().chain(own).collect()
    }

    pub(crate) fn ground(&self, name: &str) -> Option<&MakeGround> {
        find(&self.grounds, name)
    }

    /// Names of all laws of impact.
    pub fn impacts(&self) -> impl Iterator<Item = &'static str> {
        IMPACTS.into_iter().chain(names(&self.impacts))
    }

    /// The law of impact of this name; `None`: Newton's.
    pub(crate) fn impact(&self, name: &str, keys: &Keys) -> Result<Option<Arc<dyn CollisionLaw>>, String> {
        match name {
            "poisson" => Ok(Some(Arc::new(Restoring::Impulse))),
            "stronge" => Ok(Some(Arc::new(Restoring::Work))),
            "pfeiffer-glocker" => Ok(Some(Arc::new(PfeifferGlocker))),
            _ => find(&self.impacts, name).map(|make| make(keys)).transpose(),
        }
    }

    /// The caller's law of compliant contact of this name.
    pub(crate) fn law(&self, name: &str) -> Option<&MakeLaw> {
        find(&self.laws, name)
    }

    pub(crate) fn laws(&self) -> impl Iterator<Item = &'static str> {
        names(&self.laws).into_iter()
    }

    pub(crate) fn grounds(&self) -> impl Iterator<Item = &'static str> {
        names(&self.grounds).into_iter()
    }

    /// The flight method for the settings of a solver.
    pub(crate) fn flight(&self, solver: &Solver, kind: FlightKind) -> Result<Flight, NotEventDriven> {
        let control = of_step(solver, kind)?;
        Ok(match kind {
            FlightKind::Newmark | FlightKind::Auto => Flight::Newmark(Newmark::new(solver.scheme, control)?),
            FlightKind::Bdf => Flight::Bdf(Box::new(Bdf::new(control)?)),
            FlightKind::Radau => Flight::Radau(Box::new(Radau::new(control)?)),
            FlightKind::Dop853 => Flight::Dop853(Box::new(Dop853::new(control)?)),
            FlightKind::Ballistic => Flight::Ballistic(Ballistic::new(control)?),
            FlightKind::Taylor => Flight::Taylor(Box::new(flight::Taylor::new(control)?)),
            FlightKind::Own(name) => Flight::Own(named(&self.flights, name)?(control)),
        })
    }

    pub(crate) fn contact(&self, solver: &Solver) -> Result<Contact, NotEventDriven> {
        let Solver { scheme, control, .. } = *solver;
        let newmark = |formulation| rolling::Newmark::new(formulation, scheme, control);
        let taylor = || rolling::Taylor::new(control);
        Ok(match (solver.formulation, solver.method) {
            (FormulationKind::Ours(kind), FlightKind::Auto) => {
                Contact::Straight(Straight::new(newmark(kind)?, control))
            }
            (FormulationKind::Ours(kind), _) => Contact::Ours(newmark(kind)?),
            (FormulationKind::Taylor, FlightKind::Auto) => {
                Contact::StraightOrTaylor(Box::new(Straight::new(taylor(), control)))
            }
            (FormulationKind::Taylor, _) => Contact::Taylor(Box::new(taylor())),
            (FormulationKind::Own(name), _) => Contact::Own(named(&self.formulations, name)?(control)),
        })
    }
}

/// Tolerance per step of a flight method from the scenario's tolerance. `newmark` estimates the error of an order below
/// that of its result and uses the tolerance unchanged; for the others it is that of a run, in which errors of 150
/// flights add up. Errors of a BDF's steps have one sign: steps of error τ each come to some τ^(k/(k+1)) at order k, so
/// that τ has to go with its inverse power.
fn of_step(solver: &Solver, kind: FlightKind) -> Result<Control, MethodError> {
    let Control::Tolerance(tolerance) = solver.control else { return Ok(solver.control) };
    let Tolerance { relative, absolute } = tolerance;
    let part = match kind {
        FlightKind::Newmark | FlightKind::Auto | FlightKind::Ballistic | FlightKind::Own(_) => {
            return Ok(solver.control);
        }
        FlightKind::Bdf => 1e-4 * elementary::powf(relative / 1e-6, 0.2),
        FlightKind::Radau => 8e-3,
        FlightKind::Dop853 => 4e-3,
        FlightKind::Taylor => 0.1,
    };
    flight::allowed(tolerance, 1e-14)?;
    // A tolerance per step is never below rounding.
    let [relative, absolute] = [relative, absolute].map(|tolerance| (part * tolerance).max(1e-15));
    Ok(Control::Tolerance(Tolerance { relative, absolute }))
}

fn named<'a, T: ?Sized>(known: &'a Named<T>, name: &'static str) -> Result<&'a T, NotEventDriven> {
    find(known, name).ok_or(NotEventDriven::NoMethod { name })
}

impl fmt::Debug for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = [names(&self.flights), names(&self.formulations), names(&self.steppings), names(&self.grounds)];
        f.debug_set().entries(own.concat()).entries(names(&self.laws)).entries(self.impacts()).finish()
    }
}

/// The flight method of a run.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub enum Flight {
    /// Newmark's scheme.
    Newmark(Newmark),
    /// Backward differentiation formulas.
    Bdf(Box<Bdf>),
    /// Radau IIA.
    Radau(Box<Radau>),
    /// Dormand and Prince's method of order 8.
    Dop853(Box<Dop853>),
    /// First integral of motion through the air.
    Ballistic(Ballistic),
    /// Taylor series.
    Taylor(Box<flight::Taylor>),
    /// A method of the caller.
    #[serde(skip)]
    Own(Box<dyn AnyFlight>),
}

/// Calls a function of the flight method, whichever it is.
macro_rules! of_flight {
    ($flight:expr, $method:ident => $asked:expr) => {
        match $flight {
            Flight::Newmark($method) => $asked,
            Flight::Bdf($method) => $asked,
            Flight::Radau($method) => $asked,
            Flight::Dop853($method) => $asked,
            Flight::Ballistic($method) => $asked,
            Flight::Taylor($method) => $asked,
            Flight::Own($method) => $asked,
        }
    };
}

impl FlightMethod for Flight {
    #[inline]
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        of_flight!(self, method => method.step(forces, start, until, step))
    }

    #[inline]
    fn restart(&mut self) {
        of_flight!(self, method => method.restart());
    }

    fn tolerance(&self) -> Option<Tolerance> {
        of_flight!(self, method => method.tolerance())
    }

    fn count(&self) -> FlightCount {
        of_flight!(self, method => method.count())
    }
}

/// The contact method of a run.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub enum Contact {
    /// Newmark's scheme with one of our formulations.
    Ours(rolling::Newmark),
    /// Taylor series.
    Taylor(Box<rolling::Taylor>),
    /// Exact on straight ground, Newmark's scheme elsewhere.
    Straight(Straight<rolling::Newmark>),
    /// Exact on straight ground, Taylor series elsewhere.
    StraightOrTaylor(Box<Straight<rolling::Taylor>>),
    /// A method of the caller.
    #[serde(skip)]
    Own(Box<dyn AnyContact>),
}

/// Calls a function of the contact method, whichever it is.
macro_rules! of_contact {
    ($contact:expr, $method:ident => $asked:expr) => {
        match $contact {
            Contact::Ours($method) => $asked,
            Contact::Taylor($method) => $asked,
            Contact::Straight($method) => $asked,
            Contact::StraightOrTaylor($method) => $asked,
            Contact::Own($method) => $asked,
        }
    };
}

impl ContactMethod for Contact {
    #[inline]
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        of_contact!(self, method => method.step(system, step, until))
    }

    fn tolerance(&self) -> Option<Tolerance> {
        of_contact!(self, method => method.tolerance())
    }

    fn count(&self) -> ContactCount {
        of_contact!(self, method => method.count())
    }

    fn carries(&self) -> bool {
        of_contact!(self, method => method.carries())
    }
}
