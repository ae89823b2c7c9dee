//! Scenario files: DESIGN §5.

mod balls;
mod compliance;
mod motion;
mod physics;
mod solver;
mod start;
mod stepping;
mod warning;

use std::path::Path;
use std::sync::Arc;

use curves::{Ground, OffsetGround};
use mechanics::Ball;
use newmark::{Control, Scheme};
use rolling::Formulation;
use serde_json::json;
use supervisor::{Localisation, Options, Scene, Start};

use crate::check::Noise;
use crate::curve::{Curve, load_ground};
use crate::input::{InputError, Node, Reader, Source, TOML_FILE, apply_overrides, parse, read_file};
use crate::resolved::resolved;
use balls::{Entrants, Met, read_balls};
use motion::read_motion;
use physics::read_laws;
use solver::{DEFAULT, check_between, read_output, read_solver};
pub(crate) use solver::{EVENT_DRIVEN, STEPPING};
pub(crate) use start::FAR;

pub(crate) use stepping::Vertical;
pub use stepping::{CONTACT_SOLVERS, Entrant, Stepping, SteppingMethod};
pub use warning::Warning;

/// A scenario as read: everything a run needs.
#[derive(Debug)]
pub struct Scenario {
    /// What it is called.
    pub title: String,
    /// What moves, where, and by which laws; of several balls the first.
    pub scene: Scene,
    /// How it starts; of several balls the first.
    pub start: Start,
    /// How it is solved.
    pub solver: Solver,
    /// Time stepping and all balls, if the scenario is not for an event-driven run.
    pub stepping: Option<Stepping>,
    /// Time between trajectory rows, s.
    pub interval: f64,
    /// The ground's title, kind and parameters.
    pub curve: CurveInfo,
    /// Every value as used, defaults included, in the form of a scenario file.
    pub resolved: serde_json::Value,
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

/// A ground, and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub ground: Arc<Ground>,
    info: CurveInfo,
}

impl Given {
    fn read(table: &mut Reader, base: &Path) -> Result<Self, InputError> {
        let Curve { title, kind, ground, parameters, notes, noise, source } = load_ground(table, base)?;
        let info = CurveInfo { title, kind, parameters, notes, noise, source, motion: None };
        Ok(Given { ground: Arc::new(ground), info })
    }

    /// Of a scenario as read.
    pub fn of(scenario: &Scenario) -> Self {
        Given { ground: scenario.scene.ground.shared().clone(), info: scenario.curve.clone() }
    }
}

/// `[solver]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solver {
    /// Flight method.
    pub method: FlightKind,
    /// How contacts are found in flight.
    pub localisation: Localisation,
    /// Contact method.
    pub formulation: Formulation,
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

const INERTIA: [(&str, f64); 5] = [
    ("point", 0.0),
    ("hoop", Ball::HOOP),
    ("disc", Ball::DISC),
    ("hollow-sphere", Ball::HOLLOW_SPHERE),
    ("solid-sphere", Ball::SOLID_SPHERE),
];

impl Scenario {
    /// Reads a scenario file, with `KEY=VALUE` settings put in.
    pub fn load(path: &Path, settings: &[String]) -> Result<Self, InputError> {
        let source = read_file(path, "scenario", None, TOML_FILE)?;
        Scenario::read(source, path.parent().unwrap_or(Path::new("")), settings)
    }

    /// Reads a scenario from text; paths in it are relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        Scenario::read(Source::new("scenario", text.to_owned()), base, settings)
    }

    fn read(source: Source, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        let mut tree = parse(&source)?;
        apply_overrides(&mut tree, settings)?;
        Scenario::from_tree(&tree, base)
    }

    /// The same from a document with its settings put in.
    pub(crate) fn from_tree(tree: &Node, base: &Path) -> Result<Self, InputError> {
        Scenario::from_tree_over(tree, base, None)
    }

    /// The same over a ground that is known already to be that of the document.
    pub(crate) fn from_tree_over(tree: &Node, base: &Path, known: Option<&Given>) -> Result<Self, InputError> {
        let mut root = Reader::new(tree, "the scenario")?;
        let title = root.string("title")?.unwrap_or("untitled").to_owned();
        let mut ground = Reader::new(root.need("ground", "a table with the ground's `curve`")?, "[ground]")?;
        let Given { ground: curve, info } = match known {
            Some(known) => {
                ground.get("curve");
                ground.get("parameters");
                known.clone()
            }
            None => Given::read(&mut ground, base)?,
        };
        let motion = read_motion(&mut ground)?;
        ground.finish()?;
        let (law, between) = read_laws(&mut root)?;
        let (solver, method) = read_solver(&mut root)?;
        motion.as_ref().map_or(Ok(()), |motion| motion.check(method.is_some(), solver.duration))?;
        let interval = read_output(&mut root, solver.duration)?;
        let carriage = motion.as_ref().map(|motion| &motion.carriage);
        let Entrants { balls, spans, forces_used, compliance } = read_balls(
            &mut root,
            &Met { ground: &curve, law, carriage, slack: solver.capture_tolerance },
            method.as_ref().map(|(method, _)| method),
        )?;
        if let (None, Some((_, place))) = (&method, &between) {
            check_between(&mut root, place)?;
        }
        root.finish()?;
        let Entrant { ball, forces, start, .. } = &balls[0];
        let ground = OffsetGround::new(curve, ball.radius());
        let (scene, start) = (Scene { ground, ball: *ball, forces: forces.clone(), law, compliance }, *start);
        let (method, place) = method.unzip();
        let stepping = method.map(|method| Stepping { method, balls, between: between.map_or(law, |(law, _)| law) });
        let curve = CurveInfo { motion: motion.map(|motion| motion.used), ..info };
        let mut scenario = Scenario { title, scene, start, solver, stepping, interval, curve, resolved: json!(null) };
        scenario.check_stepping(&spans, place.as_ref())?;
        scenario.resolved = resolved(&scenario, forces_used);
        Ok(scenario)
    }

    /// What the supervisor is told.
    pub fn options(&self) -> Options {
        Options {
            duration: self.solver.duration,
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
}
