//! What is measured of each scheme, for the locks and for the table of the book.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use moreau::Energy;
use reference::bowl::Bowl;
use scenario::stepping::{BallEvent, BallObserver, BallSample, run_stepping};
use scenario::{Document, Methods, Scenario, SteppingKind};
use supervisor::{Event, Observer, Sample, Scene};

/// Rows of a run, and what is counted in it.
#[derive(Default)]
pub struct Track {
    /// Rows, and the kinetic and potential energy of each, J.
    pub rows: Vec<(Sample, f64)>,
    /// Why it ended early.
    pub stop: Option<String>,
    /// Ledger at the end, of time stepping.
    pub energy: Option<Energy>,
    /// Deepest penetration, m.
    pub deepest: f64,
    /// Evaluations of the ground by the steps.
    pub looks: u64,
    /// Steps that left restitution out.
    pub wedged: u64,
}

impl BallObserver for Track {
    fn event(&mut self, _: &BallEvent) {}
    fn sample(&mut self, row: &BallSample) {
        self.rows.push((row.sample, row.energy.total()));
        self.energy = Some(row.energy);
    }
}

/// Keeps the rows of an event-driven run.
struct Rows<'a>(&'a Scene, &'a mut Track);

impl Observer for Rows<'_> {
    fn event(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn sample(&mut self, row: &Sample) -> ControlFlow<()> {
        self.1.rows.push((*row, self.0.energy(row.phase, &row.state).total()));
        ControlFlow::Continue(())
    }
}

/// Methods of the table: event by event, on the ground by each formulation; then time stepping.
pub fn methods() -> impl Iterator<Item = &'static str> {
    let events = ["", ":generalized-alpha-dae", ":hht", ":radau-iia", ":energy-momentum", ":rattle-dae"];
    let events = events.map(|formulation| &*format!("newmark{formulation}").leak());
    let kinds = schemes::methods(Methods::builtin()).steppings();
    let own = kinds.into_iter().filter(|(_, kind)| matches!(kind, SteppingKind::Own(_))).map(|(name, _)| name);
    events.into_iter().chain(["moreau"]).chain(own)
}

/// Runs a scenario of this text by `METHOD[:FORMULATION]` with the step h, s, and so many steps; with rows of each `every` steps.
pub fn run(text: &str, method: &str, h: f64, steps: u64, every: u64) -> Track {
    let (method, formulation) = method.split_once(':').unwrap_or((method, "symmetric"));
    let formulation = if method == "newmark" { format!("formulation = \"{formulation}\", ") } else { String::new() };
    let solver = format!(
        "solver = {{ method = \"{method}\", {formulation}step = {h}, duration = {} }}\noutput.interval = {}\n",
        h * steps as f64,
        h * every as f64
    );
    let methods = Arc::new(schemes::methods(Methods::builtin()));
    let document = Document::from_text(&format!("{text}\n{solver}"), Path::new(""), &[], &methods);
    let scenario = document.and_then(|document| Scenario::of(&document)).unwrap_or_else(|error| panic!("{error}"));
    let mut track = Track::default();
    if scenario.stepping.is_none() {
        let summary = scenario::run(&scenario, &mut Rows(&scenario.scene, &mut track)).expect("an event-driven run");
        track.stop = summary.stop.map(|stop| stop.to_string());
        track.looks = summary.count.contact.frames;
        return track;
    }
    let summary = run_stepping(&scenario, &mut track);
    track.stop = summary.stop.map(|stop| stop.to_string());
    track.deepest = summary.deepest.map_or(0.0, |deepest| deepest.depth);
    track.looks = summary.count.evaluations.ground;
    track.wedged = summary.audit.anomalies.without_restitution;
    track
}

/// Slope of log errors over log steps, least squares; what rounding has a part in is left out.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> =
        points.iter().filter(|(_, error)| *error > 1e-13).map(|(h, error)| (h.ln(), error.ln())).collect();
    let n = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (xy, xx) = logs.iter().fold((0.0, 0.0), |(xy, xx), p| (xy + (p.0 - x) * (p.1 - y), xx + (p.0 - x).powi(2)));
    xy / xx
}

/// Orders of q, v and λ at the end of a slide without friction in a bowl, and evaluations of the ground in a step.
pub struct Smooth {
    /// Slopes of their errors.
    pub orders: [f64; 3],
    /// Evaluations of the ground in a step.
    pub evaluations: f64,
}

/// A ball that slides down a bowl, for 0.5 s, with 32, 64, 128 and 256 steps; `None`: the scheme can't.
pub fn smooth(scheme: &str) -> Option<Smooth> {
    let bowl = Bowl { radius: 1.0, gravity: 9.81, mass: 1.0, inertia_factor: 0.0, release: 0.8 };
    let start = bowl.at(0.0).position;
    let text = format!(
        "ball = {{ mass = 1, radius = 0.1 }}\ninitial.position = [{:?}, {:?}]\n\
         ground.curve = {{ kind = \"arc\", centre = [0, 0], radius = 1.1, from = \"-pi\", to = 0 }}\ncontact.restitution = 0",
        start[0], start[1]
    );
    let exact = bowl.at(0.5);
    let mut points: [Vec<(f64, f64)>; 3] = Default::default();
    let mut evaluations = 0.0;
    for steps in [32_u64, 64, 128, 256] {
        let h = 0.5 / steps as f64;
        let Track { rows, stop, looks, .. } = run(&text, scheme, h, steps, 1);
        if stop.is_some() {
            return None;
        }
        let (end, _) = rows.last().expect("a row");
        let state = end.state;
        let off = |found: [f64; 2], exact: [f64; 2]| (found[0] - exact[0]).hypot(found[1] - exact[1]);
        points[0].push((h, off(state.position.into(), exact.position)));
        points[1].push((h, off(state.velocity.into(), exact.velocity)));
        points[2].push((h, (end.normal_force - exact.normal_force).abs()));
        evaluations = looks as f64 / steps as f64;
    }
    Some(Smooth { orders: points.map(|points| slope(&points)), evaluations })
}

/// A drop onto level ground.
pub fn drop(height: f64, restitution: f64) -> String {
    format!(
        "ball = {{ mass = 1, radius = 0.1 }}\ninitial = {{ position = [0, {:?}], velocity = [1, 0] }}\n\
         ground.curve = {{ kind = \"graph\", y = 0 }}\ncontact.restitution = {restitution}",
        0.1 + height
    )
}

/// Order across impacts (`None`: errors are rounding), and the deepest penetration as part of the way of a step at the speed of the first
/// impact: three bounces with e = 0.8 of 24 heights, root mean squares of errors of the height 0.05 s after the third.
pub fn across(scheme: &str) -> (Option<f64>, f64) {
    let (e, g) = (0.8_f64, 9.81_f64);
    let mut points = Vec::new();
    let mut deepest = 0.0_f64;
    for h in [4e-3, 2e-3, 1e-3, 5e-4] {
        let mut sum = 0.0;
        for i in 0..24 {
            // Impacts at all places of a step.
            let height = 0.5 + 0.2 * (f64::from(i) * 0.618_033_988_75).fract();
            let speed = (2.0 * g * height).sqrt();
            let (third, after) = (speed / g * (1.0 + 2.0 * e + 2.0 * e * e), speed * e.powi(3));
            let steps = ((third + 0.05) / h).ceil();
            let Track { rows, stop, deepest: depth, .. } = run(&drop(height, e), scheme, h, steps as u64, steps as u64);
            assert!(stop.is_none(), "{scheme}: {stop:?}");
            let (found, flown) = (rows.last().expect("a row").0.state.position.y - 0.1, steps * h - third);
            sum += (found - flown * (after - 0.5 * g * flown)).powi(2) / 24.0;
            deepest = deepest.max(depth / (h * speed));
        }
        points.push((h, sum.sqrt()));
    }
    let rounding = points.iter().all(|(_, error)| *error < 1e-10);
    ((!rounding).then(|| slope(&points)), deepest)
}

/// Part of the energy above rest that is there after so many bounces with e = 1, twenty steps each; `None`: it stopped.
pub fn elastic(scheme: &str, bounces: u64) -> Option<f64> {
    let height = 0.05;
    // Half steps beside the period, so that impacts are at all places of steps.
    let h = (8.0 * height / 9.81_f64).sqrt() / 20.37;
    let steps = (bounces as f64 * 20.37) as u64;
    let Track { rows, stop, .. } = run(&drop(height, 1.0), scheme, h, steps, steps);
    let above = |total: f64| total - 0.1 * 9.81 - 0.5;
    let [first, last] = [rows.first()?, rows.last()?].map(|(_, energy)| above(*energy));
    stop.is_none().then(|| last / first)
}

/// State 3 s after a drop from 1 m with e = 0.5, whose bounces end after 1.35 s: "right", "hops", "falls", or why it stopped.
pub fn after_zeno(scheme: &str) -> String {
    let Track { rows, stop, .. } = run(&drop(1.0, 0.5), scheme, 0.01, 300, 1);
    if stop.is_some() {
        return "refuses".to_owned();
    }
    // Of the last second: how high, how deep.
    let gaps = rows.iter().filter(|(row, _)| row.state.time > 2.0).map(|(row, _)| row.state.position.y - 0.1);
    let (low, high) = gaps.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), gap| (low.min(gap), high.max(gap)));
    match (low, high) {
        _ if low < -0.1 => "falls".to_owned(),
        _ if high - low > 1e-9 => format!("hops {:.0e} m", high - low),
        _ if low.abs() > 1e-9 => format!("sticks at {low:.0e} m"),
        _ => "right".to_owned(),
    }
}

/// Header of the table.
pub const HEADER: &str = "\
| method | order of q, v, λ | across impacts | deepest, hw | energy, e = 1 | after Zeno | looks at the ground |
| --- | --- | --- | --- | --- | --- | --- |";

/// A row of the table of the book.
pub fn row(name: &str) -> String {
    let [orders, looks] = smooth(name).map_or(["—".to_owned(), "—".to_owned()], |smooth| {
        let [q, v, force] = smooth.orders;
        [format!("{q:.1}, {v:.1}, {force:.1}"), format!("{:.1}", smooth.evaluations)]
    });
    let (order, deepest) = across(name);
    let order = order.map_or("exact".to_owned(), |order| format!("{order:.1}"));
    let energy = elastic(name, 10_000).map_or("stops".to_owned(), |energy| format!("{energy:.4}"));
    format!("| `{name}` | {orders} | {order} | {deepest:.2} | {energy} | {} | {looks} |", after_zeno(name))
}
