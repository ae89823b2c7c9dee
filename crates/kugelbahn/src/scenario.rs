//! Scenario files: DESIGN §5.

use std::path::Path;
use std::sync::Arc;

use curves::{OffsetGround, Place};
use mechanics::{Ball, ContactLaw, Forces, Friction, ParameterError, State};
use nalgebra::Vector2;
use newmark::{Control, Scheme, Tolerance};
use rolling::Formulation;
use serde_json::json;
use supervisor::{Options, Scene, Start};

use crate::curve::{Curve, ends, formula, load_ground};
use crate::input::{
    InputError, Node, Reader, Source, Value, apply_overrides, number, parse, plain, read_file, vector, wrong_type,
};
use crate::resolved::resolved;

/// A start may be this far below the ground (m): rounding of positions given by hand.
const START_SLACK: f64 = 1e-12;

/// Rows of trajectory a run may write.
const MAX_ROWS: f64 = 1e8;

/// Largest coordinate (m), velocity (m/s) and spin (rad/s) to start with: beyond it rounding is all there is.
const FAR: f64 = 1e12;

/// Events and steps a run may take where `solver.limit` does not say, so that every run ends.
const LIMIT: u64 = 100_000_000;

/// A scenario as read: everything a run needs.
#[derive(Debug)]
pub struct Scenario {
    /// What it is called.
    pub title: String,
    /// What moves, where, and by which laws.
    pub scene: Scene,
    /// How it starts.
    pub start: Start,
    /// How it is solved.
    pub solver: Solver,
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
    /// The curve as it was read.
    pub source: Node,
}

/// `[solver]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solver {
    /// Contact method.
    pub formulation: Formulation,
    /// β and γ.
    pub scheme: Scheme,
    /// Fixed steps or a tolerance.
    pub control: Control,
    /// m/s
    pub capture_speed: f64,
    /// Bound of the error of a capture.
    pub capture_tolerance: f64,
    /// s
    pub duration: f64,
    /// Events and steps allowed.
    pub limit: u64,
}

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
        let source = read_file(path, "scenario", None)?;
        Scenario::read(source, path.parent().unwrap_or(Path::new("")), settings)
    }

    /// Reads a scenario from text; paths in it are relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        Scenario::read(Source::new("scenario", text.to_owned()), base, settings)
    }

    fn read(source: Source, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        let mut tree = parse(&source)?;
        apply_overrides(&mut tree, settings)?;
        let mut root = Reader::new(&tree, "the scenario")?;
        let title = root.string("title")?.unwrap_or("untitled").to_owned();
        let ball = read_ball(&mut root)?;
        let mut ground = Reader::new(root.need("ground", "a table with the ground's `curve`")?, "[ground]")?;
        let Curve { title: name, kind, ground: curve, parameters, source } = load_ground(&mut ground, base)?;
        ground.finish()?;
        let (forces, forces_used) = read_forces(&mut root, &ball)?;
        let law = read_law(&mut root)?;
        let solver = read_solver(&mut root)?;
        let interval = read_output(&mut root, solver.duration)?;
        let scene = Scene { ground: OffsetGround::new(Arc::new(curve), ball.radius()), ball, forces, law };
        let start = read_start(&mut root, &scene)?;
        root.finish()?;
        let curve = CurveInfo { title: name, kind, parameters, source };
        let mut scenario = Scenario { title, scene, start, solver, interval, curve, resolved: json!(null) };
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
            limit: Some(self.solver.limit),
        }
    }
}

/// A library's complaint about a parameter, at the place of its value.
fn at(node: Option<&Node>, error: &ParameterError) -> InputError {
    let ParameterError { name, value, rule } = error;
    let message = format!("`{name}` = {} is not allowed", plain(*value));
    match node {
        Some(node) => InputError::new(&node.span, message, format!("must be {rule}")),
        None => InputError::without_place(format!("{message}: it must be {rule}")),
    }
}

fn read_ball(root: &mut Reader) -> Result<Ball, InputError> {
    let Some(mut table) = root.table("ball")? else {
        return Ball::point(1.0).map_err(|error| at(None, &error));
    };
    let nodes = [table.get("mass"), table.get("radius"), table.get("inertia")];
    let mass = table.number_or("mass", 1.0)?;
    let radius = table.number_or("radius", 0.0)?;
    let inertia = match nodes[2] {
        Some(node) if matches!(node.value, Value::Number(_)) => {
            let k = number(node, "inertia")?;
            if !(k > 0.0 && k <= 1.0) {
                let label = "must be above 0 and at most 1, or a name such as \"solid-sphere\"";
                return Err(InputError::new(&node.span, format!("`inertia` = {} is not allowed", plain(k)), label));
            }
            k
        }
        _ => table.choice("inertia", &INERTIA)?.unwrap_or(Ball::SOLID_SPHERE),
    };
    table.finish()?;
    Ball::new(mass, radius, inertia).map_err(|error| {
        let node = match error.name {
            "mass" => nodes[0],
            "radius" => nodes[1],
            _ => nodes[2],
        };
        at(node, &error)
    })
}

/// The forces, and their values as used.
fn read_forces(root: &mut Reader, ball: &Ball) -> Result<(Forces, serde_json::Value), InputError> {
    let mut forces = Forces::gravity(ball, Vector2::new(0.0, -9.81)).map_err(|error| at(None, &error))?;
    let mut used = json!({
        "gravity": [0.0, -9.81], "drag": { "coefficient": 0.0 }, "wind": [0.0, 0.0], "magnus": 0.0, "external": null,
    });
    let Some(mut table) = root.table("forces")? else { return Ok((forces, used)) };
    if let Some(node) = table.get("gravity") {
        let gravity = match node.value {
            Value::Number(_) => Vector2::new(0.0, -number(node, "gravity")?),
            Value::Array(_) => vector(node, "gravity")?,
            _ => return Err(wrong_type(node, "gravity", "a number (m/s², downwards) or a vector [x, y]")),
        };
        forces = Forces::gravity(ball, gravity).map_err(|error| at(Some(node), &error))?;
        used["gravity"] = json!([gravity.x, gravity.y]);
    }
    if let Some(node) = table.get("drag") {
        let mut drag = Reader::new(node, "[forces.drag]")?;
        let coefficient = match drag.number("coefficient")? {
            Some(coefficient) => coefficient,
            None => {
                let what = "or give `coefficient` = k_D in kg/m; without it, `cd`, `density` and `area` are needed";
                let mut factor = |key| {
                    drag.need(key, what)?;
                    let positive = drag.number_where(key, "zero or positive", |value| value >= 0.0)?;
                    Ok::<f64, InputError>(positive.unwrap_or(0.0))
                };
                0.5 * factor("cd")? * factor("density")? * factor("area")?
            }
        };
        drag.finish()?;
        forces = forces.with_drag(coefficient).map_err(|error| at(Some(node), &error))?;
        used["drag"]["coefficient"] = json!(coefficient);
    }
    if let Some(wind) = table.vector("wind")? {
        forces = forces.with_wind(wind).map_err(|error| at(table.get("wind"), &error))?;
        used["wind"] = json!([wind.x, wind.y]);
    }
    if let Some(node) = table.get("magnus") {
        let mass = number(node, "magnus")?;
        forces = forces.with_magnus(mass).map_err(|error| at(Some(node), &error))?;
        used["magnus"] = json!(mass);
    }
    if let Some(node) = table.get("external") {
        let mut external = Reader::new(node, "[forces.external]")?;
        let mut component = |key: &'static str| match external.get(key) {
            Some(node) => formula(node, key, &Forces::VARIABLES, &[]),
            None => Ok(curves::Expression::constant(0.0)),
        };
        let force = [component("x")?, component("y")?];
        external.finish()?;
        forces = forces.with_external(force);
        let text = |key| node.get(key).map_or(json!("0"), |node| json!(node));
        used["external"] = json!({ "x": text("x"), "y": text("y") });
    }
    table.finish()?;
    Ok((forces, used))
}

fn read_law(root: &mut Reader) -> Result<ContactLaw, InputError> {
    let Some(mut table) = root.table("contact")? else {
        return ContactLaw::new(0.0).map_err(|error| at(None, &error));
    };
    let friction = match table.get("friction") {
        None => Friction::Coefficient(0.0),
        Some(node) => match &node.value {
            Value::String(text) if text == "infinite" => Friction::Infinite,
            Value::Number(_) => Friction::Coefficient(number(node, "friction")?),
            _ => return Err(wrong_type(node, "friction", "a number or \"infinite\"")),
        },
    };
    let law =
        ContactLaw::new(table.number_or("restitution", 0.0)?).map_err(|error| at(table.get("restitution"), &error))?;
    let law = law.with_friction(friction).map_err(|error| at(table.get("friction"), &error))?;
    let law = law
        .with_tangential_restitution(table.number_or("tangential-restitution", 0.0)?)
        .map_err(|error| at(table.get("tangential-restitution"), &error))?;
    let law = law
        .with_rolling_damping(table.number_or("rolling-damping", 0.0)?)
        .map_err(|error| at(table.get("rolling-damping"), &error))?;
    table.finish()?;
    Ok(law)
}

fn read_solver(root: &mut Reader) -> Result<Solver, InputError> {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let rule = "positive and finite";
    let default = Tolerance { relative: 1e-9, absolute: 1e-9 };
    let mut solver = Solver {
        formulation: Formulation::Symmetric,
        scheme: Scheme::AVERAGE,
        control: Control::Tolerance(default),
        capture_speed: 1e-6,
        capture_tolerance: 1e-9,
        duration: 10.0,
        limit: LIMIT,
    };
    let Some(mut table) = root.table("solver")? else { return Ok(solver) };
    table.choice("method", &[("newmark", ())])?;
    if let Some(formulation) = table.choice("formulation", &FORMULATIONS)? {
        solver.formulation = formulation;
    }
    let in_range = |value: f64| (0.0..=1.0).contains(&value);
    let beta = table.number_where("beta", "between 0 and 1", in_range)?.unwrap_or(0.25);
    let gamma = table.number_where("gamma", "between 0 and 1", in_range)?.unwrap_or(0.5);
    solver.scheme = Scheme::new(beta, gamma).map_err(|error| InputError::without_place(error.to_string()))?;
    let step = table.number_where("step", rule, positive)?;
    // Below rounding no tolerance can be met.
    let tolerable = |value: f64| (1e-15..1.0).contains(&value);
    let rule_tolerance = "at least 1e-15 and below 1";
    let tolerance = table.number_where("tolerance", rule_tolerance, tolerable)?;
    let relative = table.number_where("relative-tolerance", rule_tolerance, tolerable)?;
    let absolute = table.number_where("absolute-tolerance", rule_tolerance, tolerable)?;
    let extrapolate = table.flag("extrapolate")?.unwrap_or(false);
    let by_tolerance =
        ["tolerance", "relative-tolerance", "absolute-tolerance"].into_iter().find_map(|key| table.get(key));
    if let (Some(_), Some(node)) = (step, by_tolerance) {
        return Err(InputError::new(&node.span, "both a step and a tolerance are given", "give one of them")
            .with_help("`step` fixes h; `tolerance` lets the error choose it"));
    }
    solver.control = match step {
        Some(step) => Control::Step { step, extrapolate },
        None => {
            let both = tolerance.unwrap_or(default.relative);
            Control::Tolerance(Tolerance { relative: relative.unwrap_or(both), absolute: absolute.unwrap_or(both) })
        }
    };
    let other = [("beta", beta, 0.25), ("gamma", gamma, 0.5)].into_iter().find(|(_, value, default)| value != default);
    if let (Some((key, value, default)), true) = (other, solver.formulation != Formulation::Index3)
        && let Some(node) = table.get(key)
    {
        let message = format!("`{key}` = {} needs the formulation index3", plain(value));
        return Err(InputError::new(&node.span, message, format!("other contact methods know {default} only"))
            .with_help("give `formulation = \"index3\"` and `step`, or leave `beta` and `gamma` out"));
    }
    if step.is_none() || extrapolate {
        let why =
            if extrapolate { "extrapolation needs" } else { "without `step`, steps are extrapolated, which needs" };
        if !solver.formulation.is_symmetric() {
            let node = table.need("formulation", "")?;
            return Err(InputError::new(
                &node.span,
                format!("{why} a symmetric formulation"),
                "symmetric or arc-length",
            )
            .with_help("give `step` to run this formulation"));
        }
    }
    solver.capture_tolerance = match solver.control {
        Control::Tolerance(tolerance) => tolerance.absolute,
        Control::Step { .. } => 1e-9,
    };
    if let Some(speed) = table.number_where("capture-speed", "zero or positive (m/s)", |v| v >= 0.0 && v.is_finite())? {
        solver.capture_speed = speed;
    }
    if let Some(bound) = table.number_where("capture-tolerance", "positive", positive)? {
        solver.capture_tolerance = bound;
    }
    if let Some(duration) = table.number_where("duration", "positive and finite (s)", positive)? {
        solver.duration = duration;
    }
    let whole = |value: f64| value >= 1.0 && value.fract() == 0.0;
    if let Some(limit) = table.number_where("limit", "a whole number of events and steps, at least 1", whole)? {
        solver.limit = limit as u64;
    }
    table.finish()?;
    Ok(solver)
}

fn read_output(root: &mut Reader, duration: f64) -> Result<f64, InputError> {
    let default = duration / 1000.0;
    let Some(mut table) = root.table("output")? else { return Ok(default) };
    let least = duration / MAX_ROWS;
    let rule = format!("positive, and at least duration/1e8 = {} s", plain(least));
    let interval = table.number_where("interval", &rule, |value| value > 0.0 && value >= least)?.unwrap_or(default);
    table.finish()?;
    Ok(interval)
}

fn read_start(root: &mut Reader, scene: &Scene) -> Result<Start, InputError> {
    let node = root.need("initial", "a table with `position` and `velocity`, or with `contact`")?;
    let mut table = Reader::new(node, "[initial]")?;
    let start = match table.get("contact") {
        Some(contact) => {
            if let Some(other) = ["position", "velocity", "spin"].into_iter().find_map(|key| table.get(key)) {
                return Err(InputError::new(
                    &other.span,
                    "`contact` already says where the ball starts",
                    "not beside `contact`",
                )
                .with_help("give either `contact`, or `position` and `velocity` and `spin`"));
            }
            start_on_ground(contact, scene)?
        }
        None => {
            let node =
                table.need("position", "the centre of the ball [x, y] in m, or `contact = { x = …, speed = … }`")?;
            let position = vector(node, "position")?;
            let velocity = table.vector("velocity")?.unwrap_or_default();
            for (key, value) in [("position", position), ("velocity", velocity)] {
                table.get(key).map_or(Ok(()), |node| not_far(node, key, value.amax()))?;
            }
            let spin = table.get("spin").map_or(Ok(0.0), |node| moderate(node, "spin"))?;
            let gap = scene.ground.gap(position);
            if !(gap >= -START_SLACK * position.norm().max(1.0)) {
                let message = format!("the ball starts {} m below the ground", plain(-gap));
                return Err(InputError::new(
                    &node.span,
                    message,
                    "the centre of the ball, at least one radius above the ground",
                ));
            }
            Start::Flight(State { time: 0.0, position, velocity, angle: 0.0, spin, dissipated: 0.0, work: 0.0 })
        }
    };
    table.finish()?;
    if let Some(slip) = start.forbidden_slip(scene) {
        let message =
            format!("the ball starts on the ground with a slip velocity of {slip:?} m/s, but friction is infinite");
        return Err(InputError::new(&node.span, message, "v·τ + R·spin must be 0 on ground that never lets slip")
            .with_help("give `spin = \"rolling\"` (a point mass: `speed = 0`), or a finite `friction`"));
    }
    Ok(start)
}

/// Refuses what is too large to start with.
fn not_far(node: &Node, key: &str, value: f64) -> Result<(), InputError> {
    if value.abs() <= FAR {
        return Ok(());
    }
    Err(InputError::new(&node.span, format!("`{key}` is too large"), format!("at most {FAR:e} either way")))
}

/// A number that is not too large to start with.
fn moderate(node: &Node, key: &str) -> Result<f64, InputError> {
    let value = number(node, key)?;
    not_far(node, key, value)?;
    Ok(value)
}

fn start_on_ground(node: &Node, scene: &Scene) -> Result<Start, InputError> {
    let mut table = Reader::new(node, "[initial.contact]")?;
    let ground = scene.ground.ground();
    let (x, s) = (table.get("x"), table.get("s"));
    let speed = table.get("speed").map_or(Ok(0.0), |node| moderate(node, "speed"))?;
    let spin = match table.get("spin") {
        None => Some(0.0),
        Some(node) => match &node.value {
            Value::String(text) if text == "rolling" => {
                if scene.ball.turns() {
                    not_far(node, "spin", speed / scene.ball.radius())?;
                }
                None
            }
            Value::Number(_) => Some(moderate(node, "spin")?),
            _ => return Err(wrong_type(node, "spin", "a number in rad/s, or \"rolling\"")),
        },
    };
    table.finish()?;
    let (place, at) = match (x, s) {
        (Some(node), None) => {
            let x = number(node, "x")?;
            let found = ground.above(x);
            let listed =
                || found.iter().map(|(piece, u)| ground.shown_parameter(*piece, *u).to_string()).collect::<Vec<_>>();
            match found.as_slice() {
                [one] => (*one, node),
                [] => {
                    return Err(InputError::new(
                        &node.span,
                        format!("there is no ground at x = {}", plain(x)),
                        "an abscissa of the ground",
                    ));
                }
                _ => {
                    let message = format!("there is ground at x = {} in {} places", plain(x), found.len());
                    return Err(InputError::new(&node.span, message, "not unique")
                        .with_help(format!("give `s` instead of `x`: {}", listed().join(", "))));
                }
            }
        }
        (None, Some(node)) => {
            let s = number(node, "s")?;
            let found = ground.locate(s);
            (
                found.ok_or_else(|| {
                    let (from, to) = ends(ground);
                    let rule = format!("from {} to {}", plain(from), plain(to));
                    InputError::new(&node.span, format!("there is no ground at s = {}", plain(s)), rule)
                })?,
                node,
            )
        }
        (Some(_), Some(node)) => {
            return Err(InputError::new(&node.span, "both `x` and `s` are given", "give one of them"));
        }
        (None, None) => {
            return Err(InputError::new(
                &node.span,
                "`contact` does not say where",
                "give `x`, or `s` where x is not unique",
            ));
        }
    };
    let place = Place::Piece { index: place.0, parameter: place.1 };
    let centre = scene.ground.frame(place).position;
    not_far(at, "contact", centre.amax())?;
    let gap = scene.ground.gap(centre);
    if !(gap >= -1e-9) {
        let message = format!(
            "a ball of radius {} m does not fit there: it would be {} m inside the ground",
            scene.ball.radius(),
            plain(-gap)
        );
        return Err(InputError::new(&at.span, message, "a place where the ball touches the ground once"));
    }
    Ok(Start::Contact { place, speed, spin })
}
