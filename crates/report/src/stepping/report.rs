//! What a run by time stepping prints.

use std::collections::BTreeMap;
use std::fmt::Write;

use moreau::{BallSettings, ContactSolver, Energy, Projection};
use scenario::input::{brief, name_of, rounded};
use scenario::stepping::{SteppingEvent, SteppingSummary};
use scenario::{CONTACT_SOLVERS, Scenario, SteppingMethod};
use supervisor::{EventKind, Phase};

use super::record::SteppingRecorder;
use crate::terminal::{Style, short};

/// Events shown in full; of more, the first and last.
const EVENTS: (usize, usize) = (12, 4);
/// Phases of one ball shown in full.
const PHASES: usize = 24;
/// Balls with a line of their own.
const LINES: usize = 12;

/// The report of a run: phases or balls, events, energy audit, work done.
pub fn stepping_report(
    scenario: &Scenario,
    summary: &SteppingSummary,
    record: &SteppingRecorder,
    style: Style,
) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold(&scenario.title));
    let _ = writeln!(out, "{}\n", style.faint(&setting(scenario)));
    match summary.states.len() {
        0 => {}
        1 => phases(&mut out, summary, record, style),
        _ => balls(&mut out, summary, record, style),
    }
    out.push('\n');
    events(&mut out, summary, record, style);
    out.push('\n');
    audit(&mut out, summary, style);
    out.push('\n');
    work(&mut out, scenario, summary);
    if let Some(stop) = &summary.stop {
        let _ = writeln!(out, "\n{} {stop}", style.paint("1;31", "stopped:"));
    }
    out
}

fn setting(scenario: &Scenario) -> String {
    let balls = scenario.stepping.as_ref().map_or(&[][..], |stepping| &stepping.balls);
    let range = |f: &dyn Fn(usize) -> f64| {
        let (low, high) =
            (0..balls.len()).map(f).fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
        let [from, to] = [low, high].map(|value| brief(rounded(value, 3)));
        if low == high { brief(low) } else { format!("{from} to {to}") }
    };
    let (mass, radius) = (range(&|i| balls[i].ball.mass()), range(&|i| balls[i].ball.radius()));
    let shape = if radius == "0" { "point mass".to_owned() } else { format!("radius {radius} m") };
    let count = if balls.len() == 1 { "ball".to_owned() } else { format!("{} balls,", balls.len()) };
    let method = match scenario.stepping.as_ref().map(|stepping| stepping.method) {
        Some(SteppingMethod::Moreau(settings)) => {
            let BallSettings { theta, prediction, solver, tolerance, projection, .. } = settings;
            let name = name_of(&CONTACT_SOLVERS, solver);
            let shared = balls.len() > 1 || solver != ContactSolver::GaussSeidel;
            let solver = if shared { format!(", {name} to {tolerance:e}") } else { String::new() };
            let ahead = if prediction == 0.5 { String::new() } else { format!(", prediction {prediction} h") };
            let projected = match projection {
                Some(Projection { tolerance, .. }) => format!(", projected onto g = 0 to {tolerance:e} m"),
                None => String::new(),
            };
            format!("Moreau, θ = {theta}{ahead}{solver}{projected}")
        }
        _ => "Kern".to_owned(),
    };
    format!(
        "{count} {mass} kg, {shape}; ground: {} ({}); {method}, step {} s",
        scenario.curve.title,
        scenario.curve.kind,
        scenario.step()
    )
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// One line for each stretch of time in one phase.
fn phases(out: &mut String, summary: &SteppingSummary, record: &SteppingRecorder, style: Style) {
    let _ = writeln!(out, "{}", style.bold("phase     from [s]         to [s]           bounces"));
    let mut line = |phase: Phase, from: f64, to: f64, bounces: u64| {
        let bounces = if bounces > 0 { bounces.to_string() } else { String::new() };
        let name = style.phase(phase, &format!("{:<9}", phase.name()));
        let _ = writeln!(out, "{name} {from:<16.9} {to:<16.9} {bounces}");
    };
    let last = summary.phases.first().copied().unwrap_or(Phase::Flight);
    let first = record.events.first().map_or(last, |event| event.phase_before);
    let (mut phase, mut from, mut bounces, mut lines) = (first, 0.0, 0, 0);
    for event in &record.events {
        if event.kind == EventKind::Impact {
            bounces += 1;
        }
        if event.phase_after != phase {
            if lines < PHASES {
                line(phase, from, event.after.time, bounces);
            }
            lines += 1;
            (phase, from, bounces) = (event.phase_after, event.after.time, 0);
        }
    }
    let hidden = record.event_count - record.events.len() as u64;
    if hidden == 0 && lines < PHASES {
        line(phase, from, summary.states[0].time, bounces);
        return;
    }
    let more = match lines.saturating_sub(PHASES) {
        0 => String::new(),
        more => format!("{more} more stretches and "),
    };
    let text = format!("… {more}{hidden} events not looked at here; ends {}", last.name());
    let _ = writeln!(out, "{}", style.faint(&text));
}

/// Where the balls are in the end; of many how many in which phase.
fn balls(out: &mut String, summary: &SteppingSummary, record: &SteppingRecorder, style: Style) {
    if summary.states.len() > LINES {
        let mut counts: BTreeMap<Phase, u64> = BTreeMap::new();
        summary.phases.iter().for_each(|phase| *counts.entry(*phase).or_default() += 1);
        let fastest = summary.states.iter().map(|state| state.velocity.norm()).fold(0.0, f64::max);
        let _ = writeln!(out, "{}", style.bold("balls     in the end"));
        for (phase, count) in counts {
            let _ = writeln!(out, "{} {count}", style.phase(phase, &format!("{:<9}", phase.name())));
        }
        let _ = writeln!(out, "fastest   {} m/s", short(fastest));
        return;
    }
    let header = "ball  impacts  in the end  x [m]        y [m]        vx [m/s]     vy [m/s]     spin [rad/s]";
    let _ = writeln!(out, "{}", style.bold(header));
    for (i, (state, phase)) in summary.states.iter().zip(&summary.phases).enumerate() {
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

fn events(out: &mut String, summary: &SteppingSummary, record: &SteppingRecorder, style: Style) {
    let count = &summary.count;
    if count.events() == 0 {
        let _ = writeln!(out, "no events");
        return;
    }
    let several = summary.states.len() > 1;
    let who = if several { "ball–other   " } else { "" };
    let header = format!(
        "event          {who}time [s]         x [m]      y [m]      v·n [m/s]              v·τ [m/s]              impulse [N s]  energy [J]"
    );
    let _ = writeln!(out, "{}", style.bold(&header));
    let events: Vec<&SteppingEvent> = record.events.iter().chain(&record.last_event).collect();
    let (first, last) = if events.len() > EVENTS.0 + EVENTS.1 + 1 { EVENTS } else { (events.len(), 0) };
    for event in &events[..first] {
        let _ = writeln!(out, "{}", event_line(event, several, style));
    }
    // Of the last ones only one is kept where there are very many.
    let tail = if record.last_event.is_some() { last.min(1) } else { last };
    let hidden = record.event_count - (first + tail) as u64;
    if hidden > 0 {
        let _ = writeln!(out, "{}", style.faint(&format!("… {hidden} more; --out DIR writes all")));
    }
    for event in &events[events.len() - tail..] {
        let _ = writeln!(out, "{}", event_line(event, several, style));
    }
    let _ = writeln!(
        out,
        "{} impacts, {} landings, {} lift-offs, {} slips, sticks and rests",
        count.impacts, count.landings, count.lift_offs, count.changes
    );
}

fn event_line(event: &SteppingEvent, several: bool, style: Style) -> String {
    let q = event.after.position;
    let arrow = |[a, b]: [f64; 2]| format!("{} → {}", short(a), short(b));
    let kind = style.phase(event.phase_after, &format!("{:<14}", event.kind.name()));
    let other = event.other.map_or("ground".to_owned(), |other| (other + 1).to_string());
    let who = if several { format!("{:<12} ", format!("{}–{other}", event.ball + 1)) } else { String::new() };
    format!(
        "{kind} {who}{:<16.9} {:<10.5} {:<10.5} {:<22} {:<22} {:<14} {}",
        event.after.time,
        q.x,
        q.y,
        arrow(event.normal_velocity),
        arrow(event.tangential_velocity),
        if event.normal_impulse > 0.0 { short(event.normal_impulse) } else { String::new() },
        arrow(event.energy),
    )
}

fn audit(out: &mut String, summary: &SteppingSummary, style: Style) {
    let (start, end) = (&summary.energy_start, &summary.energy_end);
    let _ = writeln!(out, "{}", style.bold("energy [J]         start            end"));
    let mut row = |name: &str, a: f64, b: f64| {
        // No −0 of what rounding leaves.
        let [a, b] = [a, b].map(|value| if value.abs() < 5e-10 { 0.0 } else { value });
        let _ = writeln!(out, "{name:<18} {a:<16.9} {b:.9}");
    };
    row("kinetic", start.kinetic, end.kinetic);
    row("potential", start.potential, end.potential);
    row("total", start.total(), end.total());
    row("external work", 0.0, end.external);
    row("normal contacts", 0.0, end.normal);
    row("friction", 0.0, end.tangential);
    row("damping, drag", 0.0, -end.dissipated);
    if end.projection != 0.0 {
        row("projection", 0.0, end.projection);
    }
    let explained = "what the scheme itself added";
    let _ =
        writeln!(out, "{:<18} {:<16} {:<12.3e} {}", "unexplained", "", Energy::numerical(end), style.faint(explained));
}

fn work(out: &mut String, scenario: &Scenario, summary: &SteppingSummary) {
    let count = &summary.count;
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
