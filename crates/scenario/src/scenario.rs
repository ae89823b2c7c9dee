//! Scenarios: everything a run needs.

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{Ball, ContactLaw, Forces};
use moreau::Executor;
use supervisor::{Moment, Near, Scene, Start, Watch};
use tables::Format;

use crate::curve::Noise;
use crate::input::Node;
use crate::settings::{Solver, SteppingMethod};
use crate::{Initial, Methods};

/// A scenario as read: everything a run needs. Copies share the ground.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Title of the scenario.
    pub title: String,
    /// Ball, ground, forces and laws; of several balls the first.
    pub scene: Scene,
    /// How it was asked to start, if it was; of several balls the first.
    pub initial: Option<Initial>,
    /// Start on its ground.
    pub start: Start,
    /// Ground nearest to the start.
    pub(crate) near: Option<Near>,
    /// How it is solved.
    pub solver: Solver,
    /// Time stepping and all balls, if the scenario is not for an event-driven run.
    pub stepping: Option<Stepping>,
    /// Time between trajectory rows, s.
    pub interval: f64,
    /// The balls that have rows, by their index; empty: all.
    pub shown: Arc<[usize]>,
    /// Whether contacts of time stepping have a table.
    pub contacts: bool,
    /// Format of tables of rows.
    pub format: Format,
    /// Other times of rows, s, in order.
    pub times: Arc<[f64]>,
    /// Watches, event by event.
    pub watches: Arc<[Watch]>,
    /// The first of these ends the run.
    pub until: Arc<[Moment]>,
    /// The ground's title, kind and parameters.
    pub curve: Arc<CurveInfo>,
    /// The external force as written.
    pub external: Arc<serde_json::Value>,
    /// The methods it may name.
    pub methods: Arc<Methods>,
}

/// Metadata of the ground: title, kind, parameters, notes of its file.
#[derive(Clone, Debug, Default)]
pub struct CurveInfo {
    /// Title of the ground.
    pub title: String,
    /// Its kind.
    pub kind: String,
    /// Its parameters as used.
    pub parameters: Vec<(String, f64)>,
    /// Parameters of it or of curves in it that are whole numbers.
    pub counts: Vec<String>,
    /// Changes on the way from the file to the ground.
    pub notes: Vec<String>,
    /// Points of a spline that scatter about a smooth curve.
    pub noise: Option<Noise>,
    /// The curve as it was read; of several the list of their tables.
    pub source: serde_json::Value,
    /// The curve with its place, of several one of each table; files are named from there. Empty of pieces made in Rust.
    pub nodes: Vec<Node>,
    /// How the ground is carried about, as it was read.
    pub motion: Option<serde_json::Value>,
    /// The curves of `[[ground]]`, as the ground counts them; empty of `[ground]`.
    pub curves: Vec<CurveName>,
    /// Contact from the table of each of these, as read: the rest is that of `[contact]`.
    pub contacts: Vec<Option<serde_json::Value>>,
    /// The motion of each, as written.
    pub motions: Vec<Option<serde_json::Value>>,
    /// With which others each moves, by a number; empty where all move together.
    pub groups: Vec<usize>,
}

/// A curve of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveName {
    /// Name of the curve.
    pub name: String,
    /// Index of its `[[ground]]` table, from 0; a table may have several curves.
    pub table: usize,
}

impl CurveInfo {
    /// Name of curve `number`; `None` of `[ground]`.
    pub fn name(&self, number: usize) -> Option<&str> {
        self.curves.get(number).map(|curve| &*curve.name)
    }
}

/// A run by time stepping.
#[derive(Clone, Debug)]
pub struct Stepping {
    /// The scheme.
    pub method: SteppingMethod,
    /// All balls.
    pub balls: Vec<BallSetup>,
    /// The law of contact between them.
    pub between: ContactLaw,
    /// Who solves the contacts of a step.
    pub executor: Arc<dyn Executor>,
}

/// A ball of a scenario, and how it starts.
#[derive(Clone, Debug)]
pub struct BallSetup {
    /// Mass, radius, inertia.
    pub ball: Ball,
    /// The ground for its radius.
    pub ground: Arc<OffsetGround>,
    /// Forces on it.
    pub forces: Forces,
    /// How it was asked to start.
    pub initial: Initial,
    /// Start on its ground.
    pub start: Start,
    /// When it is let go, s after the start: until then it stands where it is.
    pub release: f64,
    /// It comes from a table: an earlier run may have left it in another ball.
    pub resumed: bool,
    /// Whether it may start in the ground, too.
    pub in_ground: bool,
}
