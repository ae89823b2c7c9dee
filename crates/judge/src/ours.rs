//! Answers of Kugelbahn, in the form that anyone's have.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use identify::{Family, Trace, sweep};
use scenario::stepping::{BallEvent, BallObserver, BallSample, run_stepping};
use scenario::unknowns::Unknowns;
use scenario::{Document, Methods, Scenario};
use supervisor::{Event, EventKind, Observer, Sample, Scene};

use crate::error::JudgeError;
use crate::suite::{ExactNumber, Suite, Task};

/// Step with which schemes of time stepping answer, s.
const STEP: f64 = 1e-3;

/// Events and samples of a run.
struct OursKept<'a> {
    scene: &'a Scene,
    task: &'a Task,
    /// Names and times (s).
    events: Vec<(&'static str, f64)>,
    /// Time, ball, sample as the world sees it, its energy (J).
    samples: Vec<(f64, usize, Sample, f64)>,
    bounces: u32,
    /// Bounces after which the two integrals of the billiard are told, and they.
    integrals: Vec<[f64; 2]>,
    most: u32,
}

impl OursKept<'_> {
    fn wants(&self, time: f64) -> bool {
        self.task.times.values().any(|wanted| is_that(*wanted, time))
    }
}

/// Whether a sample at a time (s) is the one asked for: rows of time stepping are at whole steps, which are sums.
fn is_that(wanted: f64, time: f64) -> bool {
    (wanted - time).abs() <= 1e-9
}

impl Observer for OursKept<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        let name = event.kind.name();
        if self.task.series.iter().any(|series| series.quantity == name && event.time() <= series.until) {
            self.events.push((name, event.time()));
        }
        if self.most > 0 && event.kind == EventKind::Impact {
            self.bounces += 1;
            if self.bounces == 10_u32.pow(self.integrals.len() as u32 + 1) {
                self.integrals.push(integrals(event));
                if self.bounces == self.most {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        if self.wants(sample.state.time) {
            self.samples.push((sample.state.time, 0, self.scene.world_sample(sample), 0.0));
        }
        ControlFlow::Continue(())
    }
}

impl BallObserver for OursKept<'_> {
    fn event(&mut self, _: &BallEvent) {}

    fn sample(&mut self, sample: &BallSample) {
        if self.wants(sample.sample.state.time) {
            self.samples.push((
                sample.sample.state.time,
                sample.ball,
                sample.sample,
                sample.energy.kinetic + sample.energy.potential,
            ));
        }
    }
}

/// Places along a path that are drawn.
const PLACES: u32 = 1000;

/// Path that is drawn.
struct PathKept<'a> {
    scene: &'a Scene,
    along: bool,
    points: Vec<(f64, f64)>,
}

impl Observer for PathKept<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        // A bounce stands between two samples.
        self.put(event.time(), event.after.position.x, event.after.position.y);
        ControlFlow::Continue(())
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        let seen = self.scene.world_sample(sample);
        self.put(sample.state.time, seen.state.position.x, seen.state.position.y);
        ControlFlow::Continue(())
    }
}

impl PathKept<'_> {
    fn put(&mut self, time: f64, x: f64, y: f64) {
        self.points.push((time, if self.along { x } else { y }));
    }
}

/// Height over time by Kugelbahn, up to the last that is asked, to draw answers beside; empty for several balls and for what can't be run.
pub fn exact_path(task: &Task, methods: &Arc<Methods>) -> Vec<(f64, f64)> {
    let ends = task.times.values().copied().chain(task.series.iter().map(|series| series.until));
    let end = ends.fold(0.0, f64::max);
    let path = || -> Option<Vec<(f64, f64)>> {
        let load = |settings: &[String]| {
            let document = Document::from_text(&task.scenario, Path::new(""), settings, methods).ok()?;
            Scenario::of(&document).ok()
        };
        let span = end - load(&[])?.initial?.time();
        let interval = span / f64::from(PLACES);
        let scenario = load(&[format!("solver.duration={span:?}"), format!("output.interval={interval:?}")])?;
        let mut kept = PathKept { scene: &scenario.scene, along: task.upwards() == "x", points: Vec::new() };
        scenario::run(&scenario, &mut kept).ok()?;
        kept.points.retain(|(time, _)| *time <= end);
        Some(kept.points)
    };
    if task.scenario.contains("[[ball]]") { Vec::new() } else { path().unwrap_or_default() }
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

/// Tells derivatives of impacts and of x at a fixed time, by the sensitivities of `identify`.
fn derivatives(task: &Task, document: &Document, say: &mut dyn FnMut(&str, &str, &str)) -> Result<(), String> {
    let times: Vec<f64> = task.times.values().copied().collect();
    for (end, key) in PARAMETERS {
        let wanted: Vec<&ExactNumber> = task.exact.iter().filter(|exact| exact.quantity.ends_with(end)).collect();
        if wanted.is_empty() {
            continue;
        }
        let unknowns = Unknowns::of(document.clone(), key).map_err(|error| error.to_string())?;
        let family =
            Family::new(&unknowns.start(), |values| unknowns.model(values)).map_err(|error| error.to_string())?;
        let trace = Trace::of(family.base(), unknowns.written().options(), 1e-13).map_err(|error| error.to_string())?;
        let found = sweep(&family, &trace, &times).map_err(|error| error.to_string())?;
        let impacts: Vec<f64> = found
            .events
            .iter()
            .filter(|told| told.event.kind == EventKind::Impact)
            .map(|told| told.time_by[0])
            .collect();
        for exact in wanted {
            let place = (exact.index as usize).wrapping_sub(1);
            let x = || found.samples.get(place).map(|sample| sample.by[0][0]);
            let value = if exact.quantity.starts_with("impact") { impacts.get(place).copied() } else { x() };
            if let Some(value) = value {
                say(&exact.quantity, &exact.index.to_string(), &format!("{value:?}"));
            }
        }
    }
    Ok(())
}

/// `answers.csv` of Kugelbahn by a flight method; by `auto` balls of several go as their scenarios say. With `long` the billiard of case
/// 5 makes a million bounces, else 10 000.
pub fn ours(suite: &Suite, methods: &Arc<Methods>, method: &str, long: bool) -> Result<String, JudgeError> {
    let mut text = String::from("case,setting,quantity,index,value\n");
    for task in &suite.tasks {
        let mut say = |quantity: &str, index: &str, value: &str| {
            let _ = writeln!(text, "{},{method},{quantity},{index},{value}", task.name);
        };
        if task.times.is_empty()
            && task.series.is_empty()
            && !task.exact.iter().any(|exact| exact.quantity.contains("-by-"))
        {
            // Where an orbit flips is no number of a run.
            say("all", "", "not applicable");
            continue;
        }
        answer(task, methods, method, long, &mut say)?;
    }
    Ok(text)
}

/// Settings of a method as `METHOD`, `METHOD:FORMULATION`, or the name of a law of impact by the method that the case has.
fn named(methods: &Methods, method: &str) -> Vec<String> {
    if methods.impacts().any(|law| law == method) {
        return vec![format!("contact.impact={method}")];
    }
    let (flight, formulation) = method.split_once(':').map_or((method, None), |(flight, of)| (flight, Some(of)));
    let formulation = formulation.map(|of| format!("solver.formulation={of}"));
    std::iter::once(format!("solver.method={flight}")).chain(formulation).collect()
}

fn answer(
    task: &Task,
    methods: &Arc<Methods>,
    method: &str,
    long: bool,
    say: &mut dyn FnMut(&str, &str, &str),
) -> Result<(), JudgeError> {
    let wrong = |reason: String| JudgeError::Method {
        method: method.to_owned(),
        reason: format!("case {}: {reason}", task.name),
    };
    let several = task.scenario.contains("[[ball]]");
    let times: Vec<String> = task.times.values().map(|time| format!("{time:?}")).collect();
    let steps = methods.steppings().iter().any(|(name, _)| *name == method);
    let interval = || "output.interval=0.01".to_owned();
    let mut settings = if several { vec![interval()] } else { named(methods, method) };
    match (several, steps) {
        (true, _) => {}
        (false, true) => settings.extend([format!("solver.step={STEP}"), interval()]),
        (false, false) => settings.push(format!("output.times=[{}]", times.join(","))),
    }
    let document = Document::from_text(&task.scenario, Path::new(""), &settings, methods)
        .map_err(|error| wrong(error.to_string()))?;
    let scenario = match Scenario::of(&document) {
        Ok(scenario) => scenario,
        // No time stepping knows ground that moves, and some schemes know no friction.
        Err(_) if steps && !several => {
            say("all", "", "not applicable");
            return Ok(());
        }
        Err(error) => return Err(wrong(error.to_string())),
    };
    let billiard = task.exact.iter().any(|exact| exact.quantity == "focal-distance");
    let most = match (billiard, long) {
        (false, _) => 0,
        (true, false) => 10_000,
        (true, true) => 1_000_000,
    };
    let mut kept =
        OursKept { scene: &scenario.scene, task, events: vec![], samples: vec![], bounces: 0, integrals: vec![], most };
    let start = Instant::now();
    let (deepest, unexplained) = if scenario.stepping.is_some() {
        let summary = run_stepping(&scenario, &mut kept);
        (summary.deepest.map_or(0.0, |deepest| deepest.depth), summary.energy_end.numerical())
    } else {
        let summary = scenario::run(&scenario, &mut kept).map_err(|error| wrong(error.to_string()))?;
        (summary.count.balance.ground.size, summary.unexplained())
    };
    say("seconds", "", &format!("{:?}", start.elapsed().as_secs_f64()));
    say("deepest", "", &format!("{:?}", deepest.abs()));
    say("unexplained", "", &format!("{:?}", unexplained.abs()));
    derivatives(task, &document, say).map_err(wrong)?;
    tell(task, &kept, several, say);
    Ok(())
}

fn tell(task: &Task, kept: &OursKept, several: bool, say: &mut dyn FnMut(&str, &str, &str)) {
    for series in &task.series {
        let mut index = 0;
        for (_, time) in kept.events.iter().filter(|(name, _)| *name == series.quantity) {
            index += 1;
            say(&series.quantity, &index.to_string(), &format!("{time:?}"));
        }
        if index == 0 {
            say(&series.quantity, "", "none");
        }
    }
    for exact in &task.exact {
        let index = exact.index.to_string();
        if let ("energy" | "focal-distance", Some(found)) =
            (&*exact.quantity, kept.integrals.get((exact.index as usize).wrapping_sub(1)))
        {
            say(&exact.quantity, &index, &format!("{:?}", found[usize::from(exact.quantity != "energy")]));
        }
        let Some(time) = task.times.get(&exact.index) else { continue };
        let rows = || kept.samples.iter().filter(|row| is_that(*time, row.0));
        if exact.quantity == "energy" {
            say("energy", &index, &format!("{:?}", rows().map(|row| row.3).sum::<f64>()));
            continue;
        }
        let name = if several {
            exact.quantity.trim_end_matches(|letter: char| letter.is_ascii_digit())
        } else {
            &exact.quantity
        };
        let ball = exact.quantity[name.len()..].parse::<usize>().map_or(0, |number| number - 1);
        let Some((_, _, sample, _)) = rows().rfind(|row| row.1 == ball) else { continue };
        let state = &sample.state;
        let value = match name {
            "x" => state.position.x,
            "y" => state.position.y,
            "vx" => state.velocity.x,
            "vy" => state.velocity.y,
            "spin" => state.spin,
            "lambda" => sample.normal_force,
            "friction" => sample.friction_force,
            _ => continue,
        };
        say(&exact.quantity, &index, &format!("{value:?}"));
    }
}
