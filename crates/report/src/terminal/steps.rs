//! Terminal output of time stepping, and of event-driven runs of several balls.

use std::fmt::Write;

use collisions::CollisionCount as Collided;
use moreau::{Audit, BallSettings, Residuals};
use scenario::Scenario;
use scenario::input::counted;
use scenario::stepping::SteppingSummary;

use super::tables::short;

/// Penetration over the radius beyond which the output names an option against it.
const DEEP: f64 = 0.1;

/// Adds lines on the work of such runs.
pub(super) fn work_of_steps(out: &mut String, scenario: &Scenario, summary: &SteppingSummary) {
    let count = &summary.count;
    let _ = writeln!(
        out,
        "events:      {} impacts, {} landings, {} lift-offs, {} slips, sticks and rests",
        count.impacts, count.landings, count.lift_offs, count.changes
    );
    match &summary.collisions {
        Some(found) => collisions(out, found, count.evaluations.ground),
        None => {
            let _ = writeln!(
                out,
                "steps:       {}, with {} closed contacts (at most {} in one), {} evaluations of forces and {} of the ground",
                count.steps, count.contacts, count.most_contacts, count.evaluations.forces, count.evaluations.ground
            );
        }
    }
    if count.coupled > 0 {
        let _ = writeln!(
            out,
            "solver:      {} steps with contacts that share balls, {} sweeps (at most {} in one)",
            count.coupled, count.sweeps, count.most_sweeps
        );
    }
    let settings = scenario.theta_scheme();
    residuals(out, settings, &summary.audit.residuals);
    if summary.states.len() > 1 && summary.collisions.is_none() {
        let _ = writeln!(out, "neighbours:  listed {} times", count.neighbour_lists);
    }
    penetration(out, scenario, summary);
    anomalies(out, &summary.audit);
    let projected = &summary.audit.projected;
    let asked = settings.is_some_and(|settings| settings.projection.is_some());
    if count.steps > 0 && (asked || projected.steps + projected.unclosed > 0) {
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

/// Adds a line on the residuals of contacts that share balls.
fn residuals(out: &mut String, settings: Option<&BallSettings>, residuals: &Residuals) {
    if residuals.steps == 0 {
        return;
    }
    let tolerance = settings.map_or(0.0, |settings| settings.tolerance);
    let (mean, missed) = (residuals.mean(), counted(residuals.missed, "step"));
    let instead = if residuals.missed > 0 { " and took the best found" } else { "" };
    let _ = writeln!(
        out,
        "residual:    at most {:.1e} m/s (at t = {:.6} s), {mean:.1e} m/s in the mean; {missed} missed {tolerance:e} m/s{instead}",
        residuals.worst, residuals.time
    );
}

/// Adds lines on contacts that deviate from their laws: energy added, restitution left out, contacts detected late,
/// slip.
fn anomalies(out: &mut String, audit: &Audit) {
    let anomalies = &audit.anomalies;
    let causes = [
        (
            anomalies.gained,
            anomalies.gains,
            "Newton's restitution with friction, none with `impact-law = \"energy-bound\"`",
        ),
        (anomalies.by_misses, anomalies.misses, "contacts not solved to the tolerance"),
        (anomalies.turned, anomalies.turns, "normals that turn within a step, less in a shorter one"),
        (
            anomalies.opened,
            anomalies.openings,
            "contacts that open are stopped by forces within a step, less in a shorter one",
        ),
    ];
    for (energy, steps, cause) in causes.into_iter().filter(|(_, steps, _)| *steps > 0) {
        let _ = writeln!(out, "gain:        contacts added {} J in {}: {cause}", short(energy), counted(steps, "step"));
    }
    if anomalies.bounded > 0 {
        let (steps, least) = (counted(anomalies.bounded, "step"), 1.0 - anomalies.withheld);
        let _ = writeln!(
            out,
            "bounded:     restitution let act in part in {steps}, {least:.3} of it at the least: all of it would add energy"
        );
    }
    let faults = [
        (
            anomalies.without_restitution,
            ["wedged:      restitution left out in", "step"],
            ": no impulses were found with it that meet `lcp-tolerance`",
        ),
        (
            audit.late,
            ["late:        contacts added to", "step"],
            " that saw them too late: a shorter `step` sees them in time",
        ),
        (
            audit.slipped,
            ["slipped:     contacts of infinite friction slid", "time"],
            ": it counts as μ = 100 where sticking has no solution",
        ),
    ];
    for (count, [what, unit], more) in faults.into_iter().filter(|(count, ..)| *count > 0) {
        let _ = writeln!(out, "{what} {}{more}", counted(count, unit));
    }
}

/// Adds lines on event-driven runs of several balls.
fn collisions(out: &mut String, found: &Collided, evaluations: u64) {
    let _ = writeln!(
        out,
        "impacts:     {} between balls, {} with the ground; {} ways from cell to cell, {} outdated forecasts",
        found.pairs, found.ground, found.crossings, found.outdated
    );
    let _ = writeln!(out, "search:      {} searches of the ground, {evaluations} evaluations", found.searches);
    if found.handed > 0 {
        let [handed, returned] = [found.handed, found.returned].map(|times| counted(times, "time"));
        let (steps, impacts) = (counted(found.steps, "step"), counted(found.in_steps, "impact"));
        let _ = writeln!(
            out,
            "handed over: {handed} to time stepping, given back {returned}, {} there in the end; {steps}, {impacts} in them",
            found.stepped
        );
    }
}

fn penetration(out: &mut String, scenario: &Scenario, summary: &SteppingSummary) {
    let Some(deepest) = summary.deepest else {
        let _ = writeln!(out, "penetration: none");
        return;
    };
    let (depth, time) = (deepest.depth, deepest.time);
    let ball = |ball: usize| format!("ball {}", ball + 1);
    let who = if summary.states.len() > 1 { ball(deepest.ball) } else { "the ball".to_owned() };
    let other = deepest.other.map_or("the ground".to_owned(), ball);
    let radius = scenario.stepping.as_ref().map_or(0.0, |s| s.balls[deepest.ball].ball.radius());
    let part = format!(" ({:.2} % of its radius)", 100.0 * depth / radius);
    let part = if radius > 0.0 { &part } else { "" };
    let _ = writeln!(out, "penetration: at most {depth:.3e} m{part}, {who} in {other} at t = {time:.6} s");
    if radius > 0.0 && depth > DEEP * radius {
        let cure = "less with a shorter `step`, with `prediction = 1`, or with `projection = true`";
        let _ = writeln!(out, "             {cure}");
    }
}
