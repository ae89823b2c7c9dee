//! [`Solver`]: settings of the solver, and names of methods, formulations and laws.

use mechanics::Ball;
use moreau::{BallSettings, ContactSolver, ImpactLaw};
use newmark::{Control, Scheme};
use rolling::Formulation;
use supervisor::Localisation;

use crate::input::name_of;

/// Settings of `[solver]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solver {
    /// Flight method.
    pub method: FlightKind,
    /// Localisation of contacts in flight.
    pub localisation: Localisation,
    /// Contact method.
    pub formulation: FormulationKind,
    /// β and γ of Newmark's scheme.
    pub scheme: Scheme,
    /// Fixed steps or a tolerance.
    pub control: Control,
    /// Longest step that a tolerance may choose, s; ∞: any.
    pub largest_step: f64,
    /// Capture speed, m/s.
    pub capture_speed: f64,
    /// Bound of the error of the velocity by bounces summed up, m/s; also the greatest depth of a start below the
    /// ground, m.
    pub capture_tolerance: f64,
    /// Duration, s.
    pub duration: f64,
    /// Maximum number of events and of steps.
    pub limit: u64,
}

/// Value of `solver.method` for event-driven runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlightKind {
    /// The Newmark scheme.
    #[default]
    Newmark,
    /// Backward differentiation, begun by Radau IIA.
    Bdf,
    /// Radau IIA with three stages.
    Radau,
    /// Dormand and Prince's method of order 8.
    Dop853,
    /// By the first integral of motion through the air.
    Ballistic,
    /// Taylor series.
    Taylor,
    /// Exact if flight or contact has a first integral or closed form; else Taylor series, or with fixed steps Newmark.
    Auto,
    /// One of the caller's own, by its name in [`Methods`](crate::Methods).
    Own(&'static str),
}

impl FlightKind {
    /// Name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            FlightKind::Own(name) => name,
            ours => name_of(&FLIGHT_METHODS, ours),
        }
    }
}

/// Value of `solver.formulation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulationKind {
    /// Newmark's scheme with one of our formulations.
    Ours(Formulation),
    /// Taylor series.
    Taylor,
    /// One of the caller's own, by its name in [`Methods`](crate::Methods).
    Own(&'static str),
}

impl FormulationKind {
    /// Name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            FormulationKind::Own(name) => name,
            ours => name_of(&FORMULATIONS, ours),
        }
    }
}

/// The names among values with names.
pub(crate) fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

/// Names of the flight methods.
pub const FLIGHT_METHODS: [(&str, FlightKind); 7] = [
    ("newmark", FlightKind::Newmark),
    ("bdf", FlightKind::Bdf),
    ("radau", FlightKind::Radau),
    ("dop853", FlightKind::Dop853),
    ("ballistic", FlightKind::Ballistic),
    ("taylor", FlightKind::Taylor),
    ("auto", FlightKind::Auto),
];

/// Names of the localisations.
pub const LOCALISATIONS: [(&str, Localisation); 2] =
    [("certified", Localisation::Certified), ("parabola", Localisation::Parabola)];

/// Names of the contact formulations.
pub const FORMULATIONS: [(&str, FormulationKind); 6] = [
    ("index3", FormulationKind::Ours(Formulation::Index3)),
    ("stabilized-index2", FormulationKind::Ours(Formulation::StabilizedIndex2)),
    ("projected", FormulationKind::Ours(Formulation::Projected)),
    ("symmetric", FormulationKind::Ours(Formulation::Symmetric)),
    ("arc-length", FormulationKind::Ours(Formulation::ArcLength)),
    ("taylor", FormulationKind::Taylor),
];

/// A time stepping scheme and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteppingMethod {
    /// The scheme.
    pub kind: SteppingKind,
    /// Settings of Moreau's θ-scheme; for other schemes its defaults with their step.
    pub settings: BallSettings,
}

/// Names of the impact laws for contacts that share balls.
pub const IMPACT_LAWS: [(&str, ImpactLaw); 2] =
    [("moreau", ImpactLaw::Moreau), ("energy-bound", ImpactLaw::EnergyBound)];

/// Names of the solvers for contacts that share balls.
pub const CONTACT_SOLVERS: [(&str, ContactSolver); 2] =
    [("gauss-seidel", ContactSolver::GaussSeidel), ("lemke", ContactSolver::Lemke)];

/// Value of `solver.method` for time stepping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteppingKind {
    /// Moreau's θ-scheme.
    Moreau,
    /// Kern's scheme: a point mass over level ground.
    Kern,
    /// Event by event, with Moreau's θ-scheme for balls with endless impacts.
    Events,
    /// One of the caller's own, by its name in [`Methods`](crate::Methods).
    Own(&'static str),
}

impl SteppingKind {
    /// Name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            SteppingKind::Own(name) => name,
            ours => name_of(&SCHEMES, ours),
        }
    }

    /// Whether it uses Moreau's θ-scheme.
    pub fn has_theta(self) -> bool {
        matches!(self, SteppingKind::Moreau | SteppingKind::Events)
    }
}

pub(crate) const SCHEMES: [(&str, SteppingKind); 3] =
    [("moreau", SteppingKind::Moreau), ("kern", SteppingKind::Kern), ("events", SteppingKind::Events)];

/// Value of `solver.method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodFamily {
    /// Event by event, flown by this method.
    Events(FlightKind),
    /// Time stepping by this scheme, without locating events.
    Steps(SteppingKind),
}

impl MethodFamily {
    /// Name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            MethodFamily::Events(kind) => kind.name(),
            MethodFamily::Steps(kind) => kind.name(),
        }
    }

    /// Whether it is time stepping.
    pub fn steps(self) -> bool {
        !matches!(self, MethodFamily::Events(_))
    }
}

/// Names of inertia factors k of I = k m R².
pub(crate) const INERTIA: [(&str, f64); 5] = [
    ("point", 0.0),
    ("hoop", Ball::HOOP),
    ("disc", Ball::DISC),
    ("hollow-sphere", Ball::HOLLOW_SPHERE),
    ("solid-sphere", Ball::SOLID_SPHERE),
];

/// Value of `contact.law`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Law {
    Rigid,
    Hertz,
    KelvinVoigt,
    HuntCrossley,
    Own(&'static str),
}

/// Names of the contact laws of this workspace.
pub(crate) const LAWS: [(&str, Law); 4] = [
    ("rigid", Law::Rigid),
    ("hertz", Law::Hertz),
    ("kelvin-voigt", Law::KelvinVoigt),
    ("hunt-crossley", Law::HuntCrossley),
];
