//! What a run prints.

use std::collections::BTreeMap;
use std::fmt::Write;

use mechanics::{CompliantLaw, State};
use moreau::{BallSettings, ContactSolver, Energy, Projection};
use rolling::CompressedCount;
use scenario::input::{brief, name_of, plain, rounded};
use scenario::stepping::{BallEvent, SteppingSummary};
use scenario::{CONTACT_SOLVERS, FlightKind, Scenario, SteppingMethod};
use supervisor::{Balance, Capture, CaptureReason, Count, EventKind, Localisation, Phase, Scene, Summary, WedgedEnd};

use crate::Outcome;
use crate::output::Recorder;

/// Impacts shown at the start and at the end of a series of them.
const IMPACTS: (usize, usize) = (8, 3);
/// Events, and phases, shown at the start and at the end of a long run.
const EVENTS: (usize, usize) = (60, 10);
/// Balls with a line of their own.
const LINES: usize = 12;

/// Colours, or none of them (`NO_COLOR`, or no terminal).
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to colour.
    pub colour: bool,
}

impl Style {
    /// `text` in the colour of an ANSI `code`.
    pub fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
    /// What only explains.
    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }
    /// What went wrong.
    pub fn alarm(self, text: &str) -> String {
        self.paint("31", text)
    }
    pub(crate) fn phase(self, phase: Phase, text: &str) -> String {
        self.paint(
            match phase {
                Phase::Flight => "34",
                Phase::Sliding => "35",
                Phase::Rolling => "31",
                Phase::Resting => "32",
                Phase::Compressed => "33",
            },
            text,
        )
    }
}

/// The report of a run: phases or balls, events, energy audit, work done.
pub fn report(scenario: &Scenario, outcome: &Outcome, record: &Recorder, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold(&scenario.title));
    let _ = writeln!(out, "{}\n", style.faint(&setting(scenario, &record.scenes)));
    match outcome.states(&scenario.scene).as_slice() {
        [] => {}
        [end] => phases(&mut out, end, record, style),
        ends => balls(&mut out, ends, record, style),
    }
    out.push('\n');
    events(&mut out, record, style);
    for capture in &record.captures {
        let _ = writeln!(out, "{}", capture_line(capture));
    }
    if let Outcome::Events(summary) = outcome {
        if let Some(wedged) = &summary.wedged {
            let points = wedged.points.map(|point| scenario.scene.world_point(summary.state.time, point));
            let _ = writeln!(out, "{}", wedged_line(&WedgedEnd { points, ..*wedged }));
        }
        for line in choices(&summary.count) {
            let _ = writeln!(out, "{line}");
        }
    }
    out.push('\n');
    audit(&mut out, outcome, style);
    out.push('\n');
    match outcome {
        Outcome::Events(summary) => work(&mut out, summary),
        Outcome::Steps(summary) => work_of_steps(&mut out, scenario, summary),
    }
    if let Some(stop) = outcome.stop() {
        let _ = writeln!(out, "\n{} {stop}", style.paint("1;31", "stopped:"));
    }
    out
}

fn setting(scenario: &Scenario, scenes: &[Scene]) -> String {
    let range = |f: &dyn Fn(&Scene) -> f64| {
        let (low, high) = scenes.iter().map(f).fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
        let [from, to] = [low, high].map(|value| brief(rounded(value, 3)));
        if low == high { plain(low) } else { format!("{from} to {to}") }
    };
    let (mass, radius) = (range(&|scene| scene.ball.mass()), range(&|scene| scene.ball.radius()));
    let shape = match scenes {
        _ if radius == "0" => "point mass".to_owned(),
        [scene] => format!("radius {radius} m, inertia {:.4} m R²", scene.ball.inertia_factor()),
        _ => format!("radius {radius} m"),
    };
    let balls = if scenes.len() == 1 { "ball".to_owned() } else { format!("{} balls,", scenes.len()) };
    let method = match scenario.stepping.as_ref().map(|stepping| stepping.method) {
        None => event_driven(scenario),
        Some(SteppingMethod::Kern) => format!("Kern, step {} s", scenario.step()),
        Some(SteppingMethod::Moreau(settings)) => {
            let BallSettings { theta, prediction, solver, tolerance, projection, .. } = settings;
            let name = name_of(&CONTACT_SOLVERS, solver);
            let shared = scenes.len() > 1 || solver != ContactSolver::GaussSeidel;
            let solver = if shared { format!(", {name} to {tolerance:e}") } else { String::new() };
            let ahead = if prediction == 0.5 { String::new() } else { format!(", prediction {prediction} h") };
            let projected = match projection {
                Some(Projection { tolerance, .. }) => format!(", projected onto g = 0 to {tolerance:e} m"),
                None => String::new(),
            };
            format!("Moreau, θ = {theta}{ahead}{solver}{projected}, step {} s", scenario.step())
        }
    };
    let curve = &scenario.curve;
    format!("{balls} {mass} kg, {shape}; ground: {} ({}); {method}", curve.title, curve.kind)
}

fn event_driven(scenario: &Scenario) -> String {
    let formulation = scenario.solver.formulation.name();
    let control = match scenario.solver.control {
        newmark::Control::Step { step, extrapolate: true } => format!("step {step} s, extrapolated once"),
        newmark::Control::Step { step, .. } => format!("step {step} s"),
        newmark::Control::Tolerance(t) if t.relative == t.absolute => format!("tolerance {:e}", t.relative),
        newmark::Control::Tolerance(t) => format!("tolerance {:e} relative, {:e} absolute", t.relative, t.absolute),
    };
    let method = match scenario.solver.method {
        FlightKind::Newmark => "Newmark",
        FlightKind::Bdf => "BDF",
        FlightKind::Radau => "Radau IIA",
        FlightKind::Dop853 => "DOP853",
        FlightKind::Ballistic => "first integral",
        FlightKind::Own(name) => name,
    };
    let found = if scenario.solver.localisation == Localisation::Parabola { ", contacts by a parabola" } else { "" };
    let contact = match scenario.scene.compliance.as_ref().map(|soft| soft.law()) {
        None => formulation,
        Some(CompliantLaw::Hertz { .. }) => "compliant after Hertz",
        Some(CompliantLaw::KelvinVoigt { .. }) => "compliant after Kelvin and Voigt",
        Some(CompliantLaw::HuntCrossley { .. }) => "compliant after Hunt and Crossley",
        Some(CompliantLaw::Own(own)) => own.name(),
    };
    format!("{method}, {contact}, {control}{found}")
}

/// One line for each stretch of time in one phase; series of bounces are one stretch of flight.
fn phases(out: &mut String, (state, last): &(State, Phase), record: &Recorder, style: Style) {
    let _ = writeln!(out, "{}", style.bold("phase      from [s]         to [s]           bounces"));
    let first = record.events.first().map_or(*last, |told| told.event.phase_before);
    let (mut phase, mut from, mut bounces) = (first, 0.0, 0u64);
    let mut lines = Vec::new();
    let line = |phase: Phase, from: f64, to: f64, bounces: u64| {
        let bounces = if bounces > 0 { bounces.to_string() } else { String::new() };
        let name = style.phase(phase, &format!("{:<10}", phase.name()));
        format!("{name} {from:<16.9} {to:<16.9} {bounces}")
    };
    for BallEvent { event, .. } in &record.events {
        if event.phase_before == Phase::Flight && event.normal_impulse > 0.0 {
            bounces += 1;
        }
        if event.phase_after != phase {
            lines.push(line(phase, from, event.time(), bounces));
            (phase, from, bounces) = (event.phase_after, event.time(), 0);
        }
    }
    let hidden = record.event_count - record.events.len() as u64;
    let to = if hidden > 0 { record.events.last().map_or(from, |told| told.event.time()) } else { state.time };
    lines.push(line(phase, from, to, bounces));
    let (start, end) = EVENTS;
    if lines.len() > start + end + 1 {
        let left_out = lines.len() - start - end;
        let more = style.faint(&format!("… {left_out} more phases"));
        lines.splice(start..start + left_out, [more]);
    }
    if hidden > 0 {
        lines.push(style.faint(&format!("… and {hidden} more events; ends {}", last.name())));
    }
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
}

/// Where the balls are in the end; of many how many in which phase.
fn balls(out: &mut String, ends: &[(State, Phase)], record: &Recorder, style: Style) {
    if ends.len() > LINES {
        let mut counts: BTreeMap<Phase, u64> = BTreeMap::new();
        ends.iter().for_each(|(_, phase)| *counts.entry(*phase).or_default() += 1);
        let fastest = ends.iter().map(|(state, _)| state.velocity.norm()).fold(0.0, f64::max);
        let _ = writeln!(out, "{}", style.bold("balls     in the end"));
        for (phase, count) in counts {
            let _ = writeln!(out, "{} {count}", style.phase(phase, &format!("{:<9}", phase.name())));
        }
        let _ = writeln!(out, "fastest   {} m/s", short(fastest));
        return;
    }
    let header = "ball  impacts  in the end  x [m]        y [m]        vx [m/s]     vy [m/s]     spin [rad/s]";
    let _ = writeln!(out, "{}", style.bold(header));
    for (i, (state, phase)) in ends.iter().enumerate() {
        let name = style.phase(*phase, &format!("{:<11}", phase.name()));
        let (q, v) = (state.position, state.velocity);
        let _ = writeln!(
            out,
            "{:<5} {:<8} {name} {:<12.6} {:<12.6} {:<12} {:<12} {}",
            i + 1,
            record.impacts[i],
            q.x,
            q.y,
            short(v.x),
            short(v.y),
            short(state.spin)
        );
    }
}

fn events(out: &mut String, record: &Recorder, style: Style) {
    if record.event_count == 0 {
        let _ = writeln!(out, "no events");
        return;
    }
    let balls = if record.scenes.len() > 1 { "ball–other   " } else { "" };
    let header = format!(
        "event          {balls}time [s]         x [m]      y [m]      v·n [m/s]              v·τ [m/s]              spin [rad/s]           energy [J]"
    );
    let _ = writeln!(out, "{}", style.bold(&header));
    let events: Vec<&BallEvent> = record.events.iter().chain(&record.last_event).collect();
    let shown = shown(&events);
    let mut before = None;
    for i in shown.iter().copied() {
        // The last event kept may be far behind the others that were.
        let index = if i + 1 == events.len() { record.event_count - 1 } else { i as u64 };
        let left_out = index - before.map_or(0, |before| before + 1);
        if left_out > 0 {
            let _ = writeln!(out, "{}", style.faint(&format!("… {left_out} more; --out DIR writes all")));
        }
        before = Some(index);
        let _ = writeln!(out, "{}", event_line(&record.scenes, events[i], style));
    }
}

/// Which events are shown: of a series of impacts its beginning and end, and of very many the first and last.
fn shown(events: &[&BallEvent]) -> Vec<usize> {
    let is_impact = |i: &usize| events[*i].event.kind == EventKind::Impact;
    let mut shown = Vec::new();
    let mut i = 0;
    while i < events.len() {
        let series = (i..events.len()).take_while(is_impact).count();
        if series > IMPACTS.0 + IMPACTS.1 + 1 {
            shown.extend((i..i + IMPACTS.0).chain(i + series - IMPACTS.1..i + series));
            i += series;
        } else {
            shown.push(i);
            i += 1;
        }
    }
    if shown.len() > EVENTS.0 + EVENTS.1 + 1 {
        shown.drain(EVENTS.0..shown.len() - EVENTS.1);
    }
    shown
}

fn event_line(scenes: &[Scene], told: &BallEvent, style: Style) -> String {
    let BallEvent { ball, other, event, normal_velocity, tangential_velocity, energy } = told;
    let q = scenes[*ball].world(&event.after).position;
    let arrow = |[a, b]: [f64; 2]| format!("{} → {}", short(a), short(b));
    let kind = style.phase(event.phase_after, &format!("{:<14}", event.kind.name()));
    let other = other.map_or("ground".to_owned(), |other| (other + 1).to_string());
    let balls = if scenes.len() > 1 { format!("{:<12} ", format!("{}–{other}", ball + 1)) } else { String::new() };
    format!(
        "{kind} {balls}{:<16.9} {:<10} {:<10} {:<22} {:<22} {:<22} {}",
        event.time(),
        fixed(q.x, 5),
        fixed(q.y, 5),
        arrow(*normal_velocity),
        arrow(*tangential_velocity),
        arrow([event.before.spin, event.after.spin]),
        arrow(*energy),
    )
}

/// So many decimals, an exponent where that would be a row of digits, and no negative zero.
fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e9 {
        return format!("{value:.decimals$e}");
    }
    let text = format!("{value:.decimals$}");
    // What rounds to nothing has no sign.
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// Five significant digits, without noise around zero.
fn short(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.abs() < 1e-3 || value.abs() >= 1e5 {
        format!("{value:.2e}")
    } else {
        format!("{value:.4}")
    }
}

fn capture_line(capture: &Capture) -> String {
    let why = match capture.reason {
        CaptureReason::Slow => "slower than the capture speed",
        CaptureReason::BelowRounding => "next hop below rounding",
        CaptureReason::TwoWalls => "between two walls, the rest below the capture tolerance or rounding",
    };
    format!(
        "captured the last bounces at t = {:.9} s ({why}: {:.2e} m/s): jumped {:.3e} s, error at most {:.1e}, energy {:.2e} J",
        capture.start.time, capture.speed, capture.duration, capture.bound, capture.dissipated
    )
}

/// Impacts on two contacts that did not go by the restitution given.
fn choices(count: &Count) -> impl Iterator<Item = String> {
    let lines = [
        (
            count.impacts_without_restitution,
            "restitution counted as 0, since it would drive the ball into the other contact",
        ),
        (count.impacts_with_e_for_e_t, "e stood for e_t, since friction allows no other or has no limit"),
    ];
    let of = |n: u64| if n == 1 { "1 impact".to_owned() } else { format!("{n} impacts") };
    lines.into_iter().filter(|(n, _)| *n > 0).map(move |(n, what)| format!("in {} on two contacts {what}", of(n)))
}

/// What holds a wedged ball, and what else might.
fn wedged_line(wedged: &WedgedEnd) -> String {
    let [p, q] = wedged.points.map(|point| format!("({}, {})", fixed(point.x, 5), fixed(point.y, 5)));
    let [n, m] = wedged.normal_forces.map(short);
    let held = format!("wedged between {p} and {q}: normal forces {n} and {m} N");
    match wedged.other_friction {
        None => held,
        Some([from, to]) => format!(
            "{held}, without friction; not unique: friction of {} to {} N along both walls would hold it as well",
            short(from),
            short(to)
        ),
    }
}

fn audit(out: &mut String, outcome: &Outcome, style: Style) {
    let [start, end] = outcome.energies();
    let _ = writeln!(out, "{}", style.bold("energy [J]         start            end"));
    let mut row = |name: &str, a: f64, b: f64| {
        let _ = writeln!(out, "{name:<18} {:<16} {}", fixed(a, 9), fixed(b, 9));
    };
    row("kinetic", start.kinetic, end.kinetic);
    row("potential", start.potential, end.potential);
    row("total", start.total(), end.total());
    row("dissipated", 0.0, end.dissipated);
    if let Outcome::Steps(SteppingSummary { energy_end: end, .. }) = outcome {
        row("  normal contacts", 0.0, -end.normal);
        row("  friction", 0.0, -end.tangential);
        row("  damping, drag", 0.0, end.dissipated);
    }
    row("external work", 0.0, end.work);
    if let Outcome::Steps(SteppingSummary { energy_end: Energy { projection, .. }, .. }) = outcome
        && *projection != 0.0
    {
        row("projection", 0.0, *projection);
    }
    let _ = writeln!(out, "{:<18} {:<16} {:.3e}", "unexplained", "", outcome.unexplained());
    let Balance { place, momentum, angular_momentum, ground, .. } = outcome.balance();
    let _ = writeln!(
        out,
        "balance of events  place {:.1e} m, momentum {:.1e} N s, angular {:.1e} N m s, off the ground {:.1e} m",
        place.size, momentum.size, angular_momentum.size, ground.size
    );
}

fn work(out: &mut String, summary: &Summary) {
    let count = &summary.count;
    let _ = writeln!(
        out,
        "flight:  {} steps ({} rejected), {} evaluations of forces and {} of their derivatives",
        count.flight.steps, count.flight.rejected, count.flight.forces, count.flight.jacobians
    );
    let _ = writeln!(
        out,
        "contact: {} steps ({} rejected), {} ground evaluations, {} projections (at most {:.1e} m)",
        count.contact.steps,
        count.contact.rejected,
        count.contact.frames,
        count.contact.projections,
        count.contact.largest_projection
    );
    if count.unresolved > 0 {
        let _ = writeln!(out, "         {} steps made again, shorter, to see what acts along them", count.unresolved);
    }
    if let CompressedCount { steps: steps @ 1.., rejected, evaluations } = count.compressed {
        let _ = writeln!(
            out,
            "soft:    {steps} steps ({rejected} rejected), {evaluations} evaluations of compressed contact"
        );
    }
    let _ = writeln!(
        out,
        "search:  {} searches, {} ground evaluations, {} enclosures, {} grazes",
        count.search.searches, count.search.evaluations, count.search.enclosures, count.search.grazes
    );
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn work_of_steps(out: &mut String, scenario: &Scenario, summary: &SteppingSummary) {
    let count = &summary.count;
    let _ = writeln!(
        out,
        "events:      {} impacts, {} landings, {} lift-offs, {} slips, sticks and rests",
        count.impacts, count.landings, count.lift_offs, count.changes
    );
    let _ = writeln!(
        out,
        "steps:       {}, with {} closed contacts (at most {} in one), {} evaluations of forces and {} of the ground",
        count.steps, count.contacts, count.most_contacts, count.evaluations.forces, count.evaluations.ground
    );
    if count.coupled > 0 {
        let _ = writeln!(
            out,
            "solver:      {} steps with contacts that share balls, {} sweeps (at most {} in one)",
            count.coupled, count.sweeps, count.most_sweeps
        );
    }
    if summary.states.len() > 1 {
        let _ = writeln!(out, "neighbours:  listed {} times", count.neighbour_lists);
    }
    match summary.deepest {
        Some(deepest) => {
            let other = deepest.other.map_or("the ground".to_owned(), |other| format!("ball {}", other + 1));
            let who =
                if summary.states.len() > 1 { format!("ball {}", deepest.ball + 1) } else { "the ball".to_owned() };
            let radius = scenario.stepping.as_ref().map_or(0.0, |s| s.balls[deepest.ball].ball.radius());
            let share = if radius > 0.0 {
                format!(" ({:.2} % of its radius)", 100.0 * deepest.depth / radius)
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "penetration: at most {:.3e} m{share}, {who} in {other} at t = {:.6} s",
                deepest.depth, deepest.time
            );
        }
        None => {
            let _ = writeln!(out, "penetration: none");
        }
    }
    let anomalies = &summary.anomalies;
    let causes = [
        (anomalies.gained, anomalies.gains, "Newton's restitution with friction"),
        (anomalies.turned, anomalies.turns, "normals that turn within a step, less in a shorter one"),
    ];
    for (energy, steps, cause) in causes.into_iter().filter(|(_, steps, _)| *steps > 0) {
        let _ =
            writeln!(out, "gain:        contacts added {} J in {steps} step{}: {cause}", short(energy), plural(steps));
    }
    if anomalies.without_restitution > 0 {
        let _ = writeln!(
            out,
            "wedged:      restitution left out in {} step{}: wedged contacts have no solution with it",
            anomalies.without_restitution,
            plural(anomalies.without_restitution)
        );
    }
    let projected = &summary.projected;
    let settings = scenario.stepping.as_ref().map(|stepping| stepping.method);
    if matches!(settings, Some(SteppingMethod::Moreau(BallSettings { projection: Some(_), .. }))) {
        let _ = writeln!(
            out,
            "projection:  in {} steps, {} linearisations, at most {:.3e} m, {:.3e} m in all",
            projected.steps, projected.iterations, projected.largest, projected.total
        );
        if projected.unclosed > 0 {
            let _ = writeln!(
                out,
                "             left open in {} steps, by at most {:.3e} m",
                projected.unclosed, projected.left
            );
        }
    }
}
