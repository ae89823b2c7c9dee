//! Kugelbahn's own answers, in the same form as those of other programs.

use std::error::Error;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use identify::{Family, Sensitivities, Trace, sweep};
use scenario::stepping::{BallEvent, BallObserver, BallSample, run_stepping};
use scenario::unknowns::Unknowns;
use scenario::{Document, Methods, Scenario};
use supervisor::{Event, EventKind, Observer, Sample, Scene};

use crate::answers_file::PLACES;
use crate::error::JudgeError;
use crate::suite::{Suite, Task};

/// Default step (s) of methods with fixed steps.
const STEP: &str = "1e-3";
/// Number of places of the exact path in figures.
const EXACT_PLACES: u32 = 1000;
/// Number of rows of the path of an event-driven run.
const OWN_PLACES: u32 = 250;

/// Quantities of a row; `energy` is that of time stepping alone.
const QUANTITIES: [&str; 8] = ["x", "y", "vx", "vy", "spin", "lambda", "friction", "energy"];

/// A ball at a time (s), as the world sees it.
#[derive(Clone, Copy)]
struct Row {
    ball: usize,
    time: f64,
    values: [f64; QUANTITIES.len()],
}

/// Events, states and path kept of a run.
struct OursKept<'a> {
    scene: &'a Scene,
    task: &'a Task,
    /// Names and times (s).
    events: Vec<(&'static str, f64)>,
    rows: Vec<Row>,
    /// Previous row of each ball.
    before: Vec<Option<Row>>,
    /// Times and places of the first ball.
    path: Vec<(f64, f64)>,
    bounces: u32,
    /// Number of bounces after which a run ends.
    most: u32,
    /// Integrals of the billiard after 10, 100, … bounces.
    integrals: Vec<[f64; 2]>,
}

/// Whether a row at a time (s) is the one asked for: rows of time stepping are at whole steps, which are sums.
fn is_that(wanted: f64, time: f64) -> bool {
    (wanted - time).abs() <= 1e-9
}

impl Row {
    fn of(ball: usize, sample: &Sample, energy: f64) -> Self {
        let state = &sample.state;
        let [[x, y], [vx, vy]]: [[f64; 2]; 2] = [state.position.into(), state.velocity.into()];
        let values = [x, y, vx, vy, state.spin, sample.normal_force, sample.friction_force, energy];
        Row { ball, time: state.time, values }
    }

    /// Interpolates linearly to a later row, at a time (s) between the two.
    fn between(&self, later: &Row, time: f64) -> Row {
        let part = (time - self.time) / (later.time - self.time);
        let values = std::array::from_fn(|i| self.values[i] + part * (later.values[i] - self.values[i]));
        Row { time, values, ..*self }
    }
}

impl<'a> OursKept<'a> {
    fn new(scene: &'a Scene, task: &'a Task, most: u32) -> Self {
        let (events, rows, before, path, integrals) = Default::default();
        OursKept { scene, task, events, rows, before, path, bounces: 0, most, integrals }
    }

    /// Records an event.
    fn hear(&mut self, event: &Event) {
        let (name, time) = (event.kind.name(), event.time());
        if self.task.series.iter().any(|series| series.quantity == name && time <= series.until) {
            self.events.push((name, time));
        }
        // A bounce lies between two rows.
        self.point(time, self.scene.world_point(time, event.after.position).into());
        if event.kind == EventKind::Impact {
            self.bounces += 1;
            if self.bounces == 10_u32.pow(self.integrals.len() as u32 + 1) {
                self.integrals.push(integrals(event));
            }
        }
    }

    /// Records rows asked for; one between two steps is interpolated linearly.
    fn keep(&mut self, row: Row) {
        if self.before.len() <= row.ball {
            self.before.resize(row.ball + 1, None);
        }
        let before = self.before[row.ball].replace(row);
        for wanted in self.task.times.values().copied() {
            if is_that(wanted, row.time) {
                self.rows.push(row);
            } else if let Some(before) = before.filter(|before| before.time + 1e-9 < wanted && wanted < row.time) {
                self.rows.push(before.between(&row, wanted));
            }
        }
        if row.ball == 0 {
            self.point(row.time, [row.values[0], row.values[1]]);
        }
    }

    fn point(&mut self, time: f64, [x, y]: [f64; 2]) {
        if self.task.times.values().any(|wanted| time <= *wanted) {
            self.path.push((time, if self.task.drawn_coordinate() == "x" { x } else { y }));
        }
    }
}

impl Observer for OursKept<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.hear(event);
        if self.bounces < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.keep(Row::of(0, &self.scene.world_sample(sample), 0.0));
        ControlFlow::Continue(())
    }
}

impl BallObserver for OursKept<'_> {
    fn event(&mut self, event: &BallEvent) {
        self.hear(&event.event);
    }

    fn sample(&mut self, row: &BallSample) {
        self.keep(Row::of(row.ball, &row.sample, row.energy.total()));
    }

    fn ends(&self) -> bool {
        self.bounces >= self.most
    }
}

/// Height over time by Kugelbahn, up to the last that is asked, to draw answers beside; empty for several balls and for
/// what can't be run.
pub fn exact_path(task: &Task, methods: &Arc<Methods>) -> Vec<(f64, f64)> {
    let path = || -> Option<Vec<(f64, f64)>> {
        let load = |settings: &[String]| {
            let document = Document::from_text(&task.scenario, Path::new(""), settings, methods).ok()?;
            Scenario::of(&document).ok()
        };
        let span = task.end() - load(&[])?.initial?.time();
        let interval = span / f64::from(EXACT_PLACES);
        let scenario = load(&[format!("solver.duration={span:?}"), format!("output.interval={interval:?}")])?;
        let mut kept = OursKept::new(&scenario.scene, task, u32::MAX);
        scenario::run(&scenario, &mut kept).ok()?;
        Some(kept.path)
    };
    if task.has_several() { Vec::new() } else { path().unwrap_or_default() }
}

/// Energy per kg and distance of the foci of case 5, after an impact, as its `problem.md` has them; f = 0.5 m.
fn integrals(event: &Event) -> [f64; 2] {
    let (q, v, g) = (event.after.position, event.after.velocity, 9.81);
    let focus = [q.x + v.x * v.y / g, q.y + (v.y * v.y - v.x * v.x) / (2.0 * g)];
    [0.5 * v.norm_squared() + g * q.y, focus[0].hypot(focus[1] - 0.5)]
}

/// Keys of the parameters by which case 20 asks for derivatives.
const PARAMETERS: [(&str, &str); 3] =
    [("-by-e", "contact.restitution"), ("-by-h", "initial.position.y"), ("-by-vx", "initial.velocity.x")];

/// Writer of the lines of `answers.csv` for a case.
struct Lines<'a> {
    text: &'a mut String,
    task: &'a Task,
    setting: &'a str,
}

impl Lines<'_> {
    fn word(&mut self, quantity: &str, index: &str, word: &str) {
        let _ = writeln!(self.text, "{},{},{quantity},{index},{word}", self.task.name, self.setting);
    }

    fn number(&mut self, quantity: &str, index: impl ToString, value: f64) {
        self.word(quantity, &index.to_string(), &format!("{value:?}"));
    }

    fn not_applicable(&mut self) {
        self.word("all", "", "not applicable");
    }
}

/// Runs with derivatives by some keys (a list), by `identify`, observed at some times (s).
fn observed(document: &Document, keys: &str, times: &[f64]) -> Result<Sensitivities, Box<dyn Error>> {
    let unknowns = Unknowns::of(document.clone(), keys)?;
    let family = Family::new(&unknowns.start(), |values| unknowns.model(values))?;
    let trace = Trace::of(family.base(), unknowns.written().options(), 1e-13)?;
    Ok(sweep(&family, &trace, times)?)
}

/// Writes derivatives of the times of impacts, and of x at fixed times.
fn derivatives(document: &Document, lines: &mut Lines) -> Result<(), Box<dyn Error>> {
    let times: Vec<f64> = lines.task.times.values().copied().collect();
    for (end, key) in PARAMETERS {
        let mut wanted = lines.task.exact.iter().filter(|exact| exact.quantity.ends_with(end)).peekable();
        if wanted.peek().is_none() {
            continue;
        }
        let found = observed(document, key, &times)?;
        let impacts = found.events.iter().filter(|told| told.event.kind == EventKind::Impact);
        let impacts: Vec<f64> = impacts.map(|told| told.time_by[0]).collect();
        for exact in wanted {
            let place = (exact.index as usize).wrapping_sub(1);
            let x = || found.samples.get(place).map(|sample| sample.by[0][0]);
            let value = if exact.quantity.starts_with("impact") { impacts.get(place).copied() } else { x() };
            if let Some(value) = value {
                lines.number(&exact.quantity, exact.index, value);
            }
        }
    }
    Ok(())
}

/// Period (s) of the table of case 14, and Γ over that of its first flip where the search for the second one begins.
const PERIOD: f64 = TAU / 60.0;
const BEYOND: f64 = 1.06;

/// Orbit of the shaken table of case 14 with n bounces in n periods, followed to where it flips.
struct Orbit<'a> {
    scenario: &'a str,
    methods: &'a Arc<Methods>,
    periods: f64,
    /// Height (m) and velocity (m/s) half a period after the start.
    state: [f64; 2],
}

impl Orbit<'_> {
    /// Makes a run from the state to this many periods later; returns the state there, and its derivatives by y and v.
    fn map(&self, gamma: f64, periods: f64) -> Result<[[f64; 2]; 3], Box<dyn Error>> {
        let [y, v] = self.state;
        let settings = [
            format!("ground.motion.parameters.Gamma={gamma:?}"),
            format!("initial={{ time = {:?}, position = [0.0, {y:?}], velocity = [0.0, {v:?}] }}", 0.5 * PERIOD),
            format!("solver.duration={:?}", (periods + 0.1) * PERIOD),
        ];
        let document = Document::from_text(self.scenario, Path::new(""), &settings, self.methods)?;
        let end = (0.5 + periods) * PERIOD;
        let found = observed(&document, "initial.position.y,initial.velocity.y", &[end])?;
        let last = found.samples.first().ok_or("the run ends before")?;
        Ok([last.state, last.by[0], last.by[1]].map(|row| [row[1], row[3]]))
    }

    /// Closes the orbit by Newton's method on the map of its periods; returns `1 + trace + determinant` of the map's
    /// derivative, which is 0 where a multiplier is −1: at a flip.
    fn closed(&mut self, gamma: f64) -> Result<f64, Box<dyn Error>> {
        for _ in 0..20 {
            let [end, [a, c], [b, d]] = self.map(gamma, self.periods)?;
            let (off, divisor) = ([0, 1].map(|i| end[i] - self.state[i]), (1.0 - a) * (1.0 - d) - b * c);
            let change = [((1.0 - d) * off[0] + b * off[1]) / divisor, (c * off[0] + (1.0 - a) * off[1]) / divisor];
            self.state = [0, 1].map(|i| self.state[i] + change[i]);
            if change[0].abs() <= 1e-11 * self.state[0].abs() {
                return Ok(1.0 + a + d + a * d - b * c);
            }
        }
        Err("an orbit does not close".into())
    }

    /// Γ of the flip, by secants from a Γ beside it.
    fn flip(&mut self, gamma: f64) -> Result<f64, Box<dyn Error>> {
        let (mut before, mut now) = (gamma, gamma * 1.001);
        let mut value = self.closed(before)?;
        for _ in 0..20 {
            let next = self.closed(now)?;
            let step = next * (now - before) / (next - value);
            (before, now, value) = (now, now - step, next);
            if step.abs() <= 1e-11 * now {
                return Ok(now);
            }
        }
        Err("no flip is found".into())
    }
}

/// Tells the two Γ of case 14d, beginning with the orbit beside the first flip that case 14b begins with.
fn flips(suite: &Suite, methods: &Arc<Methods>, lines: &mut Lines) -> Result<(), Box<dyn Error>> {
    let Some((_, Task { scenario, .. })) = suite.find("14b") else {
        lines.not_applicable();
        return Ok(());
    };
    let document = Document::from_text(scenario, Path::new(""), &[], methods)?;
    let keys = "ground.motion.parameters.Gamma,initial.position.y,initial.velocity.y";
    let [gamma, y, v] = Unknowns::of(document, keys)?.start()[..] else {
        return Err(format!("there are not one each of {keys}").into());
    };
    let (half, g) = (0.5 * PERIOD, 9.81);
    let state = [y + half * (v - 0.5 * g * half), v - g * half];
    let mut orbit = Orbit { scenario, methods, periods: 1.0, state };
    let first = orbit.flip(gamma)?;
    lines.number("flip", 1, first);
    // Beyond it the two bounces part, and a run comes to rest on the orbit that has both.
    [orbit.state, ..] = orbit.map(BEYOND * first, 600.0)?;
    orbit.periods = 2.0;
    let second = orbit.flip(BEYOND * first)?;
    lines.number("flip", 2, second);
    Ok(())
}

/// Refuses a name that is not among those of its kind.
fn check<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let known: Vec<&str> = known.collect();
    let refusal = || format!("{name:?} is no {kind}; there are {}", known.join(", "));
    known.contains(&name).then_some(()).ok_or_else(refusal)
}

/// Method by which Kugelbahn answers a case.
struct Way {
    /// Whether by `auto`, as Kugelbahn comes: several balls go by the method of their scenario, and derivatives are
    /// told. Another method runs all, or is not applicable.
    comes: bool,
    /// Whether by time stepping.
    steps: bool,
    /// `KEY=VALUE` settings of the scenario.
    settings: Vec<String>,
    /// Name of the setting in answers: the method, with its step if that is fixed.
    name: String,
}

impl Way {
    /// Reads `METHOD[:FORMULATION][@STEP]`; METHOD may also be a law of impact, with the method of the case.
    fn of(task: &Task, methods: &Methods, asked: &str) -> Result<Self, String> {
        let (method, step) = asked.split_once('@').map_or((asked, None), |(method, step)| (method, Some(step)));
        let (name, formulation) = method.split_once(':').map_or((method, None), |(name, rest)| (name, Some(rest)));
        let (several, steps) = (task.has_several(), methods.steppings().iter().any(|(known, _)| *known == name));
        match formulation {
            None => check("method", name, methods.families().iter().map(|of| of.0).chain(methods.impacts()))?,
            Some(formulation) => {
                check("method with a formulation", name, methods.flights().iter().map(|of| of.0))?;
                check("formulation", formulation, methods.formulations().iter().map(|of| of.0))?;
            }
        }
        let fixed = steps || formulation.is_some() || step.is_some();
        let step = step.unwrap_or(STEP);
        if !step.parse().is_ok_and(|step: f64| step > 0.0 && step.is_finite()) {
            return Err(format!("{step} is no step, a number of seconds above 0"));
        }
        let (comes, is_law) = (asked == "auto", methods.impacts().any(|law| law == name));
        let key = if is_law { "contact.impact" } else { "solver.method" };
        let mut settings = Vec::new();
        if fixed && !several && task.end() > 0.0 {
            let formulation = formulation.map_or(String::new(), |name| format!("formulation = \"{name}\", "));
            // Steps take the place of a tolerance. Beyond the impacts that it asks for the billiard goes on for days,
            // which no run of steps does.
            let duration = if task.is_billiard() { 10.0 } else { 1.0 } * task.end();
            settings
                .push(format!("solver={{ method = \"{name}\", {formulation}step = {step}, duration = {duration:?} }}"));
        } else if !(comes && several) {
            settings.push(format!("{key}={name}"));
            settings.extend(steps.then(|| format!("solver.step={step}")));
        }
        // Rows at each step, or enough of them for a path.
        let interval = if steps { step.to_owned() } else { format!("{:?}", task.end() / f64::from(OWN_PLACES)) };
        if several && !steps {
            settings.push("output.interval=0.01".to_owned());
        } else if !task.times.is_empty() {
            settings.push(format!("output.interval={interval}"));
        }
        if !several && !steps {
            settings.push(format!("output.times={:?}", task.times.values().collect::<Vec<_>>()));
        }
        let name = if fixed { format!("{method} at {step} s") } else { method.to_owned() };
        Ok(Way { comes, steps, settings, name })
    }
}

/// `answers.csv` of Kugelbahn by a method, `METHOD[:FORMULATION][@STEP]`; what that can't run is not applicable. With
/// `long` the billiard of case 5 makes a million bounces, else 10 000.
pub fn ours(suite: &Suite, methods: &Arc<Methods>, method: &str, long: bool) -> Result<String, JudgeError> {
    let mut text = String::from("case,setting,quantity,index,value\n");
    let wrong = |reason: String| JudgeError::Method { method: method.to_owned(), reason };
    for task in &suite.tasks {
        let way = Way::of(task, methods, method).map_err(wrong)?;
        let mut lines = Lines { text: &mut text, task, setting: &way.name };
        let asks = |end: &str| task.exact.iter().any(|exact| exact.quantity.contains(end));
        let told = match [asks("-by-"), asks("flip")] {
            // Flips are found by derivatives, too.
            [by, flip] if !way.comes && (by || flip) => {
                lines.not_applicable();
                Ok(())
            }
            [_, true] => flips(suite, methods, &mut lines),
            _ => answer(&way, methods, long, &mut lines),
        };
        told.map_err(|reason| wrong(format!("case {}: {reason}", task.name)))?;
    }
    Ok(text)
}

fn answer(way: &Way, methods: &Arc<Methods>, long: bool, lines: &mut Lines) -> Result<(), Box<dyn Error>> {
    let task = lines.task;
    let document = Document::from_text(&task.scenario, Path::new(""), &way.settings, methods)?;
    let scenario = match Scenario::of(&document) {
        Ok(scenario) => scenario,
        // No time stepping knows ground that moves, some schemes know no friction, and no method of one ball several.
        Err(_) if way.steps || task.has_several() => {
            lines.not_applicable();
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let most = match (task.is_billiard(), long) {
        (false, _) => u32::MAX,
        (true, false) => 10_000,
        (true, true) => 1_000_000,
    };
    let mut kept = OursKept::new(&scenario.scene, task, most);
    let start = Instant::now();
    let (stop, deepest, unexplained) = if scenario.stepping.is_some() {
        let summary = run_stepping(&scenario, &mut kept);
        let stop = summary.stop.map(|stop| stop.to_string());
        (stop, summary.deepest.map_or(0.0, |deepest| deepest.depth), summary.energy_end.numerical())
    } else {
        let summary = scenario::run(&scenario, &mut kept)?;
        (summary.stop.as_ref().map(ToString::to_string), summary.count.balance.ground.size, summary.unexplained())
    };
    if let Some(stop) = stop.filter(|_| !kept.ends()) {
        // In quotes, as reasons have commas.
        lines.word("all", "", &format!("\"fails: {}\"", stop.replace(['"', '\n'], " ")));
    }
    lines.number("seconds", "", start.elapsed().as_secs_f64());
    lines.number("deepest", "", deepest.abs());
    lines.number("unexplained", "", unexplained.abs());
    derivatives(&document, lines)?;
    tell(&kept, lines);
    Ok(())
}

fn tell(kept: &OursKept, lines: &mut Lines) {
    let (task, several) = (lines.task, lines.task.has_several());
    for series in &task.series {
        let mut index = 0;
        for (_, time) in kept.events.iter().filter(|(name, _)| *name == series.quantity) {
            index += 1;
            lines.number(&series.quantity, index, *time);
        }
        if index == 0 {
            lines.word(&series.quantity, "", "none");
        }
    }
    for exact in &task.exact {
        let integrals = kept.integrals.get((exact.index as usize).wrapping_sub(1));
        if let (true, Some(found)) = (task.is_billiard(), integrals) {
            lines.number(&exact.quantity, exact.index, found[usize::from(exact.quantity != "energy")]);
        }
        let Some(time) = task.times.get(&exact.index) else { continue };
        let rows = || kept.rows.iter().filter(|row| is_that(*time, row.time));
        if exact.quantity == "energy" {
            lines.number("energy", exact.index, rows().map(|row| row.values[7]).sum());
            continue;
        }
        // The number of the ball follows the name.
        let name = exact.quantity.trim_end_matches(|letter: char| several && letter.is_ascii_digit());
        let ball = exact.quantity[name.len()..].parse::<usize>().map_or(0, |number| number - 1);
        let Some(place) = QUANTITIES.iter().position(|known| *known == name) else { continue };
        if let Some(row) = rows().rfind(|row| row.ball == ball) {
            lines.number(&exact.quantity, exact.index, row.values[place]);
        }
    }
    let path = if several { &[][..] } else { &kept.path };
    let every = path.len().div_ceil(PLACES).max(1);
    for (time, place) in path.iter().step_by(every) {
        lines.number("path", format!("{time:?}"), *place);
    }
}
