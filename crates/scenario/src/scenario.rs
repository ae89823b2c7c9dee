//! What a scenario is.

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{Ball, ContactLaw, Forces};
use moreau::{BallSettings, ContactSolver};
use newmark::{Control, Scheme};
use rolling::Formulation;
use supervisor::{Localisation, Scene, Start};

use crate::curve::Noise;
use crate::input::{Node, name_of};
use crate::{Initial, Methods};

/// A scenario as read: everything a run needs. Copies share the ground.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it is called.
    pub title: String,
    /// What moves, where, and by which laws; of several balls the first.
    pub scene: Scene,
    /// How it was asked to start, if it was; of several balls the first.
    pub initial: Option<Initial>,
    /// What that is on its ground.
    pub start: Start,
    /// How it is solved.
    pub solver: Solver,
    /// Time stepping and all balls, if the scenario is not for an event-driven run.
    pub stepping: Option<Stepping>,
    /// Time between trajectory rows, s.
    pub interval: f64,
    /// The ground's title, kind and parameters.
    pub curve: Arc<CurveInfo>,
    /// The external force as written.
    pub external: Arc<serde_json::Value>,
    /// The methods it may name.
    pub methods: Arc<Methods>,
}

/// What is said of the ground in summaries.
#[derive(Clone, Debug)]
pub struct CurveInfo {
    /// What it is called.
    pub title: String,
    /// Its kind.
    pub kind: String,
    /// Its parameters as used.
    pub parameters: Vec<(String, f64)>,
    /// What was changed on the way from the file to the ground.
    pub notes: Vec<String>,
    /// Points of a spline that scatter about a smooth curve.
    pub noise: Option<Noise>,
    /// The curve as it was read.
    pub source: Node,
    /// How the ground is carried about, as it was read.
    pub motion: Option<serde_json::Value>,
}

/// `[solver]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solver {
    /// Flight method.
    pub method: FlightKind,
    /// How contacts are found in flight.
    pub localisation: Localisation,
    /// Contact method.
    pub formulation: FormulationKind,
    /// β and γ.
    pub scheme: Scheme,
    /// Fixed steps or a tolerance.
    pub control: Control,
    /// No step chosen by a tolerance is longer, s; ∞: none is too long.
    pub largest_step: f64,
    /// m/s
    pub capture_speed: f64,
    /// Bound of the error of a capture.
    pub capture_tolerance: f64,
    /// s
    pub duration: f64,
    /// Events and steps allowed.
    pub limit: u64,
}

/// `solver.method` of event-driven runs.
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
    /// One of the caller's own, by its name in [`Methods`].
    Own(&'static str),
}

impl FlightKind {
    /// As in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            FlightKind::Own(name) => name,
            ours => name_of(&FLIGHT_METHODS, ours),
        }
    }
}

/// `solver.formulation`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulationKind {
    /// One of this workspace.
    Ours(Formulation),
    /// One of the caller's own, by its name in [`Methods`].
    Own(&'static str),
}

impl FormulationKind {
    /// As in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            FormulationKind::Ours(formulation) => name_of(&FORMULATIONS, formulation),
            FormulationKind::Own(name) => name,
        }
    }
}

/// Names of the flight methods.
pub const FLIGHT_METHODS: [(&str, FlightKind); 4] = [
    ("newmark", FlightKind::Newmark),
    ("bdf", FlightKind::Bdf),
    ("radau", FlightKind::Radau),
    ("dop853", FlightKind::Dop853),
];

/// Names of the ways to find contacts in flight.
pub const LOCALISATIONS: [(&str, Localisation); 2] =
    [("certified", Localisation::Certified), ("deck", Localisation::Deck)];

/// Names of the contact formulations.
pub const FORMULATIONS: [(&str, Formulation); 5] = [
    ("index3", Formulation::Index3),
    ("stabilized-index2", Formulation::StabilizedIndex2),
    ("projected", Formulation::Projected),
    ("symmetric", Formulation::Symmetric),
    ("arc-length", Formulation::ArcLength),
];

/// A run by time stepping.
#[derive(Clone, Debug)]
pub struct Stepping {
    /// The scheme.
    pub method: SteppingMethod,
    /// All balls.
    pub balls: Vec<Entrant>,
    /// The law of contact between them.
    pub between: ContactLaw,
}

/// A time stepping scheme and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SteppingMethod {
    /// Moreau's θ-scheme.
    Moreau(BallSettings),
    /// Kern's scheme: a point mass over level ground.
    Kern,
}

/// A ball of a scenario, and how it starts.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Mass, radius, inertia.
    pub ball: Ball,
    /// The ground for its radius.
    pub ground: Arc<OffsetGround>,
    /// What acts on it.
    pub forces: Forces,
    /// How it was asked to start.
    pub initial: Initial,
    /// What that is on its ground.
    pub start: Start,
}

/// Names of the solvers for contacts that share balls.
pub const CONTACT_SOLVERS: [(&str, ContactSolver); 2] =
    [("gauss-seidel", ContactSolver::GaussSeidel), ("lemke", ContactSolver::Lemke)];
