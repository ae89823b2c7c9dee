//! Reads `[solver]` and `[output]`.

use std::sync::Arc;

use moreau::{BallSettings, Projection};
use newmark::{Control, Scheme, Tolerance};
use rolling::Formulation;
use supervisor::Localisation;
use tables::Format;

use crate::Methods;
use crate::input::{InputError, Node, Reader, Span, Value, brief, number, plain, rounded, wrong_type};
use crate::keys::{Key, Runs};
use crate::settings::{
    CONTACT_SOLVERS, FlightKind, FormulationKind, IMPACT_LAWS, LOCALISATIONS, MethodFamily, Solver, SteppingKind,
    SteppingMethod,
};
use crate::watch::read_times;

/// Maximum number of trajectory rows of a run.
const MAX_ROWS: f64 = 1e8;
/// Number of rows of all balls by default, without `output.interval`.
const DEFAULT_ROWS: f64 = 1e5;

/// Default of `solver.limit`, so that every run ends.
const LIMIT: u64 = 100_000_000;

/// Least value of the largest step, as a part of the duration.
const LEAST_LARGEST: f64 = 1e-12;

/// Keys of `[solver]` known only to such runs.
fn known_to(runs: Runs) -> impl Iterator<Item = &'static str> {
    Key::of("solver").filter(move |key| key.runs == runs).map(Key::name)
}

/// Refuses keys of Moreau's θ-scheme with the method `name`; in messages they are keys of `whose`.
fn refuse_theta(table: &mut Reader, name: &str, [whose, label, help]: [&str; 3]) -> Result<(), InputError> {
    let found = known_to(Runs::Theta).find_map(|key| Some((key, table.get(key)?)));
    let Some((key, node)) = found else { return Ok(()) };
    let message = format!("`{key}` is a key of {whose}, and the method is \"{name}\"");
    Err(InputError::new(&node.span, message, label).with_help(help))
}

/// Reads `[solver]`, with the settings of time stepping.
pub(crate) fn read_solver(
    root: &mut Reader,
    methods: &Methods,
) -> Result<(Solver, Option<(SteppingMethod, Span)>), InputError> {
    let Some(mut table) = root.table("solver")? else { return Ok((default_solver(), None)) };
    let node = table.get("method");
    let method = table.choice("method", &methods.families())?.unwrap_or(MethodFamily::Events(FlightKind::Newmark));
    match (method, node) {
        (MethodFamily::Steps(scheme), Some(node)) => {
            let (solver, method) = read_stepping(table, scheme, node)?;
            Ok((solver, Some((method, node.span.clone()))))
        }
        (method, _) => {
            let help = "give `method = \"moreau\"` and a `step`, or leave it out";
            refuse_theta(&mut table, method.name(), ["time stepping", "unknown to event-driven runs", help])?;
            let kind = if let MethodFamily::Events(kind) = method { kind } else { FlightKind::Newmark };
            Ok((read_event_driven(table, kind, methods)?, None))
        }
    }
}

/// Refuses `[contact.balls]` at `place` with the event-driven method given at `method`; if `--set` gives the method, a
/// table of the file is ignored.
pub(crate) fn check_between(method: Option<&Span>, place: &Span) -> Result<(), InputError> {
    if method.is_some_and(Span::is_setting) && !place.is_setting() {
        return Ok(());
    }
    let message = "`[contact.balls]` is for time stepping, and the method is event-driven, which knows one ball";
    Err(InputError::new(place, message, "there is no other ball")
        .with_help("give `solver.method = \"moreau\"` and a `step`, or leave it out"))
}

pub(crate) fn default_solver() -> Solver {
    Solver {
        method: FlightKind::Newmark,
        localisation: Localisation::Certified,
        formulation: FormulationKind::Ours(Formulation::Symmetric),
        scheme: Scheme::AVERAGE,
        control: Control::Tolerance(DEFAULT),
        capture_speed: 1e-6,
        capture_tolerance: DEFAULT.absolute,
        largest_step: f64::INFINITY,
        duration: 10.0,
        limit: LIMIT,
    }
}

/// Default tolerance; also that of compliant contact if flight has a fixed step.
pub(crate) const DEFAULT: Tolerance = Tolerance { relative: 1e-9, absolute: 1e-9 };

fn positive(value: f64) -> bool {
    value > 0.0 && value.is_normal()
}

fn read_stepping(mut table: Reader, scheme: SteppingKind, node: &Node) -> Result<(Solver, SteppingMethod), InputError> {
    let name = scheme.name();
    for key in known_to(Runs::Events) {
        // If `--set` gives the method, keys of the file for event-driven runs are ignored.
        if let Some(other) = table.get(key)
            && (other.span.is_setting() || !node.span.is_setting())
        {
            let message = format!("`{key}` is a key of event-driven runs, and the method is \"{name}\"");
            return Err(InputError::new(&other.span, message, "unknown to time stepping")
                .with_help(format!("leave `{key}` out: `step` alone fixes how fine time stepping is")));
        }
    }
    let mut solver = default_solver();
    let what = match scheme {
        SteppingKind::Events => {
            "of balls whose impacts have no end, which are handed over to time stepping; for example `step = 1e-3` (s)"
                .to_owned()
        }
        _ => format!("\"{name}\" marches in fixed steps; for example `step = 1e-3` (s)"),
    };
    table.need("step", &what)?;
    read_common(&mut table, &mut solver)?;
    let most = format!("positive, and at most the duration of {} s", plain(solver.duration));
    let duration = solver.duration;
    let step = table.number_where("step", &most, |value| positive(value) && value <= duration)?.unwrap_or_default();
    if let (true, Some(node)) = (duration / step > solver.limit as f64 * (1.0 + 1e-9), table.get("step")) {
        let (steps, limit) = (duration / step, solver.limit as f64);
        let [step, steps, limit, least] = [step, steps, limit, duration / limit].map(|value| brief(rounded(value, 4)));
        let message = format!("`step` = {step} makes {steps} steps, and `limit` is {limit}");
        return Err(InputError::new(&node.span, message, format!("must be at least duration/limit = {least} s"))
            .with_help("give a larger `step`, a shorter `duration` or a larger `limit`"));
    }
    solver.control = Control::Step { step, extrapolate: false };
    let settings = if scheme.has_theta() {
        read_theta_scheme(&mut table, step)?
    } else {
        let help = "give `method = \"moreau\"`, or leave it out";
        refuse_theta(&mut table, name, ["\"moreau\"", "this scheme has no such parameter", help])?;
        BallSettings::new(step)
    };
    table.finish()?;
    Ok((solver, SteppingMethod { kind: scheme, settings }))
}

/// Reads the keys of Moreau's θ-scheme.
fn read_theta_scheme(table: &mut Reader, step: f64) -> Result<BallSettings, InputError> {
    let usual = BallSettings::new(step);
    let theta = table.ranged("solver.theta")?.unwrap_or(usual.theta);
    let prediction = table.ranged("solver.prediction")?.unwrap_or(usual.prediction);
    let impact_law = table.choice("impact-law", &IMPACT_LAWS)?.unwrap_or(usual.impact_law);
    let solver = table.choice("lcp", &CONTACT_SOLVERS)?.unwrap_or(usual.solver);
    let tolerance = table.ranged("solver.lcp-tolerance")?.unwrap_or(usual.tolerance);
    let projection = match table.get("projection") {
        Some(Node { value: Value::Number(_), .. }) => {
            table.ranged("solver.projection")?.map(|tolerance| Projection { tolerance, ..Projection::default() })
        }
        Some(Node { value: Value::Bool(on), .. }) => on.then(Projection::default),
        Some(node) => return Err(wrong_type(node, "projection", "true, false, or a tolerance in m")),
        None => None,
    };
    Ok(BallSettings { theta, prediction, impact_law, solver, tolerance, projection, ..usual })
}

/// Reads the keys of all methods.
fn read_common(table: &mut Reader, solver: &mut Solver) -> Result<(), InputError> {
    solver.capture_speed = table.ranged("solver.capture-speed")?.unwrap_or(solver.capture_speed);
    // Parts of a shorter duration would be subnormal numbers.
    let rule = format!("finite, and at least {} s", plain(MAX_ROWS * f64::MIN_POSITIVE));
    if let Some(duration) = table.number_where("duration", &rule, |value| positive(value / MAX_ROWS))? {
        solver.duration = duration;
    }
    let whole = |value: f64| value >= 1.0 && value.fract() == 0.0;
    if let Some(limit) = table.number_where("limit", "a whole number of events and steps, at least 1", whole)? {
        solver.limit = limit as u64;
    }
    Ok(())
}

fn read_event_driven(mut table: Reader, method: FlightKind, methods: &Methods) -> Result<Solver, InputError> {
    let mut solver = default_solver();
    solver.method = method;
    // Read later, together with the watches that it names.
    table.get("until");
    solver.localisation = table.choice("localisation", &LOCALISATIONS)?.unwrap_or(solver.localisation);
    let formulation = table.choice("formulation", &methods.formulations())?;
    let [beta, gamma] = [table.ranged("solver.beta")?.unwrap_or(0.25), table.ranged("solver.gamma")?.unwrap_or(0.5)];
    solver.scheme = Scheme::new(beta, gamma).map_err(|error| InputError::without_place(error.to_string()))?;
    let step = table.ranged("solver.step")?;
    solver.formulation = formulation.unwrap_or(match method {
        FlightKind::Auto if step.is_none() => FormulationKind::Taylor,
        _ => solver.formulation,
    });
    let (control, extrapolate) = read_control(&mut table, method, step)?;
    solver.control = control;
    let extrapolated = match (extrapolate, step) {
        (true, _) => Some("extrapolation needs"),
        (false, None) => Some("steps chosen by a tolerance are extrapolated, which needs"),
        (false, Some(_)) => None,
    };
    check_formulation(&mut table, &solver, [beta, gamma], extrapolated)?;
    let usual = match solver.control {
        Control::Tolerance(tolerance) => tolerance.absolute,
        Control::Step { .. } => 1e-9,
    };
    solver.capture_tolerance = table.ranged("solver.capture-tolerance")?.unwrap_or(usual);
    read_common(&mut table, &mut solver)?;
    // Shorter steps would not change the time at the end of the run.
    let least = LEAST_LARGEST * solver.duration;
    let rule = format!("positive, and at least duration/1e12 = {} s", plain(least));
    let largest = table.number_where("largest-step", &rule, |value| positive(value) && value >= least)?;
    solver.largest_step = largest.unwrap_or(solver.largest_step);
    if let (Some(_), Some(node)) = (step, table.get("largest-step")) {
        return Err(InputError::new(&node.span, "both a step and a largest step are given", "give one of them")
            .with_help("`step` fixes h; `largest-step` bounds what a tolerance chooses"));
    }
    table.finish()?;
    Ok(solver)
}

/// Reads the step or tolerance of a method, and the key `extrapolate`.
fn read_control(table: &mut Reader, method: FlightKind, step: Option<f64>) -> Result<(Control, bool), InputError> {
    // Tolerances below rounding can't be met.
    let (least, rule_tolerance) = match method {
        FlightKind::Newmark => (1e-15, "at least 1e-15 and below 1"),
        _ => (1e-14, "at least 1e-14 (rounding) and below 1"),
    };
    let tolerable = |value: f64| (least..1.0).contains(&value);
    let tolerance = table.number_where("tolerance", rule_tolerance, tolerable)?;
    let relative = table.number_where("relative-tolerance", rule_tolerance, tolerable)?;
    let absolute = table.number_where("absolute-tolerance", rule_tolerance, tolerable)?;
    let extrapolate = table.flag("extrapolate")?.unwrap_or(false);
    if let (true, Some(node)) = (extrapolate && method != FlightKind::Newmark, table.get("extrapolate")) {
        let message = format!("`extrapolate` is for \"newmark\", and the method is \"{}\"", method.name());
        return Err(InputError::new(&node.span, message, "this method has its order without it")
            .with_help("leave `extrapolate` out"));
    }
    let by_tolerance =
        ["tolerance", "relative-tolerance", "absolute-tolerance"].into_iter().find_map(|key| table.get(key));
    if let (Some(_), Some(node)) = (step, by_tolerance) {
        return Err(InputError::new(&node.span, "both a step and a tolerance are given", "give one of them")
            .with_help("`step` fixes h; `tolerance` lets the error choose it"));
    }
    let control = match step {
        Some(step) => Control::Step { step, extrapolate },
        None => {
            let both = tolerance.unwrap_or(DEFAULT.relative);
            Control::Tolerance(Tolerance { relative: relative.unwrap_or(both), absolute: absolute.unwrap_or(both) })
        }
    };
    Ok((control, extrapolate))
}

/// Refuses β and γ that the formulation does not allow, and extrapolation of one that has none.
fn check_formulation(
    table: &mut Reader,
    solver: &Solver,
    [beta, gamma]: [f64; 2],
    extrapolated: Option<&str>,
) -> Result<(), InputError> {
    let other = [("beta", beta, 0.25), ("gamma", gamma, 0.5)].into_iter().find(|(_, value, default)| value != default);
    if let (Some((key, value, default)), true) =
        (other, solver.formulation != FormulationKind::Ours(Formulation::Index3))
        && let Some(node) = table.get(key)
    {
        let message = format!("`{key}` = {} needs the formulation index3", plain(value));
        return Err(InputError::new(&node.span, message, format!("other contact methods know {default} only"))
            .with_help("give `formulation = \"index3\"` and `step`, or leave `beta` and `gamma` out"));
    }
    if let Some(why) = extrapolated
        && matches!(solver.formulation, FormulationKind::Ours(formulation) if !formulation.is_symmetric())
    {
        let node = table.need("formulation", "")?;
        let message = format!("{why} a symmetric formulation");
        return Err(InputError::new(&node.span, message, "symmetric or arc-length")
            .with_help("give `step` to run this formulation"));
    }
    Ok(())
}

/// Settings of `[output]`.
#[derive(Default)]
pub(crate) struct Output<'n> {
    /// Time between rows, s.
    interval: Option<f64>,
    /// Further times of rows, s.
    pub times: Arc<[f64]>,
    balls: Option<&'n Node>,
    /// The key `contacts`, if it asks for a table of contacts.
    contacts: Option<&'n Node>,
    /// Format of tables.
    pub format: Format,
}

impl Output<'_> {
    /// Whether a table of contacts is written, which only the θ-scheme can; if `--set` gives another method, the key is
    /// ignored.
    pub fn contacts(&self, method: Option<SteppingKind>, place: Option<&Span>) -> Result<bool, InputError> {
        let Some(node) = self.contacts else { return Ok(false) };
        if method == Some(SteppingKind::Moreau) {
            return Ok(true);
        }
        if place.is_some_and(Span::is_setting) && !node.span.is_setting() {
            return Ok(false);
        }
        let message = "`contacts` asks for the contacts of each step, and the method has none to tell";
        Err(InputError::new(&node.span, message, "of `method = \"moreau\"`")
            .with_help("give `solver.method = \"moreau\"` and a `step`, or leave it out"))
    }

    /// Time between rows for this number of balls, s.
    pub fn interval(&self, duration: f64, balls: usize) -> f64 {
        let rows = (DEFAULT_ROWS / balls.max(1) as f64).floor().clamp(10.0, 1000.0);
        self.interval.unwrap_or(duration / rows)
    }

    /// Indices of the balls with rows; empty: all.
    pub fn shown(&self, balls: usize) -> Result<Arc<[usize]>, InputError> {
        let Some(node) = self.balls else { return Ok(Arc::default()) };
        let Value::Array(items) = &node.value else { return Err(wrong_type(node, "balls", "a list of numbers")) };
        let one = |item: &Node| {
            let number = number(item, "balls")?;
            if number.fract() == 0.0 && (1.0..=balls as f64).contains(&number) {
                return Ok(number as usize - 1);
            }
            let message = format!("there is no ball {}", plain(number));
            Err(InputError::new(&item.span, message, format!("a whole number from 1 to {balls}")))
        };
        let shown: Vec<usize> = items.iter().map(one).collect::<Result<_, _>>()?;
        let mut there = std::collections::HashSet::new();
        match items.iter().zip(&shown).find(|(_, ball)| !there.insert(**ball)) {
            Some((item, ball)) => {
                let message = format!("ball {} is named twice", ball + 1);
                Err(InputError::new(&item.span, message, "each ball once"))
            }
            None if shown.is_empty() => {
                Err(InputError::new(&node.span, "`balls` is an empty list", "leave it out: then all have rows"))
            }
            None => Ok(shown.into()),
        }
    }
}

fn read_format(node: &Node) -> Result<Format, InputError> {
    let Value::String(name) = &node.value else { return Err(wrong_type(node, "format", "a text")) };
    Format::named(name).map_err(|error| {
        let error = InputError::new(&node.span, error.to_string(), "what tables are written as");
        error.with_help("leave `format` out: then it is csv")
    })
}

pub(crate) fn read_output<'n>(root: &mut Reader<'n>, duration: f64) -> Result<Output<'n>, InputError> {
    let Some(mut table) = root.table("output")? else { return Ok(Output::default()) };
    let least = duration / MAX_ROWS;
    let rule = format!("positive, and at least duration/1e8 = {} s", plain(least));
    let interval = table.number_where("interval", &rule, |value| value > 0.0 && value >= least)?;
    let times = table.get("times").map_or(Ok(Arc::default()), |node| read_times(node, "times"))?;
    let balls = table.get("balls");
    let contacts = table.flag("contacts")?.filter(|asked| *asked).and_then(|_| table.get("contacts"));
    let format = table.get("format").map_or(Ok(Format::Csv), read_format)?;
    table.finish()?;
    Ok(Output { interval, times, balls, contacts, format })
}
