//! [`Scenario`]: all data of a run.

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{Ball, ContactLaw, Forces};
use moreau::Executor;
use supervisor::{Moment, Near, Scene, Start, Watch};
use tables::Format;

use crate::curve::Noise;
use crate::input::Node;
use crate::settings::{Solver, SteppingMethod};
use crate::{Initial, Methods, Warning};

/// All data of a run, as read from a file. Copies share the ground.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Title of the scenario.
    pub title: String,
    /// Ball, ground, forces and laws; with several balls those of the first.
    pub scene: Scene,
    /// Start as given, if it was; with several balls that of the first.
    pub initial: Option<Initial>,
    /// Phase and state at the start.
    pub start: Start,
    /// Ground nearest to the start.
    pub(crate) near: Option<Near>,
    /// Settings of the solver.
    pub solver: Solver,
    /// Time stepping and all balls; `None`: an event-driven run of one ball.
    pub stepping: Option<Stepping>,
    /// Time between trajectory rows, s.
    pub interval: f64,
    /// Indices of the balls with rows; empty: all.
    pub shown: Arc<[usize]>,
    /// Whether time stepping writes a table of contacts.
    pub contacts: bool,
    /// Format of tables of rows.
    pub format: Format,
    /// Further times of rows, s, in order.
    pub times: Arc<[f64]>,
    /// Watches, for event-driven runs.
    pub watches: Arc<[Watch]>,
    /// Moments, the first of which ends the run.
    pub until: Arc<[Moment]>,
    /// The ground's title, kind and parameters.
    pub curve: Arc<CurveInfo>,
    /// The external force as written.
    pub external: Arc<serde_json::Value>,
    /// Methods known by name.
    pub methods: Arc<Methods>,
    /// Warning about keys of its file that `--set` left without a meaning.
    pub(crate) left_aside: Option<Warning>,
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
    /// Names of its parameters that are integers, with those of curves in it.
    pub counts: Vec<String>,
    /// Notes on changes made to the file's data.
    pub notes: Vec<String>,
    /// Noise of a spline's points; `None`: they do not scatter.
    pub noise: Option<Noise>,
    /// The curve with its position, one per table; paths of files are relative to its source. Empty for pieces made in
    /// Rust.
    pub nodes: Vec<Node>,
    /// Parameters of the curve of each table, as used.
    pub(crate) of_tables: Vec<Vec<(String, f64)>>,
    /// Motion of the whole ground, as read.
    pub motion: Option<serde_json::Value>,
    /// The curves of `[[ground]]`, in the order of the ground; empty for `[ground]`.
    pub curves: Vec<CurveName>,
    /// `contact` of each of these curves, as read; missing values are those of `[contact]`.
    pub contacts: Vec<Option<serde_json::Value>>,
    /// Motion of each of these curves, as written.
    pub motions: Vec<Option<serde_json::Value>>,
    /// Index of each curve's group, whose curves move together; empty: all move together.
    pub groups: Vec<usize>,
}

/// Name and table of one of several curves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveName {
    /// Name of the curve.
    pub name: String,
    /// Index of its `[[ground]]` table, from 0; a table may have several curves.
    pub table: usize,
}

impl CurveInfo {
    /// Name of curve `number`; `None` for `[ground]`.
    pub fn name(&self, number: usize) -> Option<&str> {
        self.curves.get(number).map(|curve| &*curve.name)
    }
}

/// Settings and balls of a run by time stepping.
#[derive(Clone, Debug)]
pub struct Stepping {
    /// The scheme.
    pub method: SteppingMethod,
    /// All balls.
    pub balls: Vec<BallSetup>,
    /// The law of contact between them.
    pub between: ContactLaw,
    /// Executor that solves the contacts of a step.
    pub executor: Arc<dyn Executor>,
}

/// A ball of a scenario, with its start.
#[derive(Clone, Debug)]
pub struct BallSetup {
    /// Mass, radius, inertia.
    pub ball: Ball,
    /// Offset ground for its radius.
    pub ground: Arc<OffsetGround>,
    /// Forces on it.
    pub forces: Forces,
    /// Start as given.
    pub initial: Initial,
    /// Phase and state at the start.
    pub start: Start,
    /// Time of its release after the start, s; until then it stands still.
    pub release: f64,
    /// Whether it comes from the table of an earlier run, which may have left it in another ball.
    pub resumed: bool,
    /// Whether it may start inside the ground, too.
    pub in_ground: bool,
}
