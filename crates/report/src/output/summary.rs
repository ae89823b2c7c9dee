//! Writes `summary.json`.

use mechanics::State;
use moreau::Audit;
use scenario::Scenario;
use scenario::moment::written;
use scenario::stepping::SteppingSummary;
use serde_json::{Value, json};
use supervisor::{Balance, Capture, CaptureReason, Phase, Residual, Summary, WedgedEnd};

use super::Recorder;
use super::tables::ground_name;
use crate::Outcome;
use crate::phases::{crossing_json, placed};

/// Text of `summary.json`, indented, with a line end.
pub fn summary_json(scenario: &Scenario, outcome: &Outcome, record: &Recorder) -> String {
    format!("{:#}\n", summary(scenario, outcome, record))
}

/// Text of the summary with `events`, the first rows of `events.csv` as objects by column. `record` must keep rows
/// ([`Recorder::with_event_rows`]).
pub fn run_json(scenario: &Scenario, outcome: &Outcome, record: &Recorder) -> String {
    let event = |row: &Vec<Value>| -> Value {
        let names = record.event_fields.iter().map(|field| field.name.to_owned());
        Value::Object(names.zip(row.iter().cloned()).collect())
    };
    let mut all = summary(scenario, outcome, record);
    all["events"] = record.event_rows.iter().flatten().map(event).collect();
    format!("{all:#}\n")
}

pub(crate) fn summary(scenario: &Scenario, outcome: &Outcome, record: &Recorder) -> Value {
    let mut ground = json!({
        "title": scenario.curve.title,
        "kind": scenario.curve.kind,
        "pieces": scenario.scene.ground.ground().pieces().len(),
    });
    if !scenario.curve.notes.is_empty() {
        ground["notes"] = json!(scenario.curve.notes);
    }
    let names: Vec<&str> = scenario.curve.curves.iter().map(|curve| &*curve.name).collect();
    if !names.is_empty() {
        ground["curves"] = json!(names);
    }
    let one = |state: &(State, Phase)| {
        let mut json = state_json(state);
        if let Some(name) = ground_name(&scenario.curve, &scenario.scene, None, &state.0) {
            json["ground"] = json!(name);
        }
        json
    };
    let states: Vec<Value> = outcome.states(&scenario.scene).iter().map(one).collect();
    let [start, end] = outcome.energies().map(|energy| {
        json!({
            "kinetic": energy.kinetic,
            "potential": energy.potential,
            "dissipated": energy.dissipated,
            "work_external": energy.work,
            "total": energy.total(),
        })
    });
    let stop = outcome.stop(scenario);
    let common = json!({
        "ground": ground,
        "completed": stop.is_none(),
        "stop": stop,
        "warnings": record.all_warnings(),
        "final": if states.len() > 1 { Some(json!(states)) } else { states.into_iter().next() },
        "energy": { "start": start, "end": end, "unexplained": outcome.unexplained() },
        "balance": balance_json(outcome.balance()),
    });
    let mut all = match outcome {
        Outcome::Events(summary) => [common, of_events(scenario, summary, record)],
        Outcome::Steps(summary) => [common, of_steps(summary)],
    };
    if let Outcome::Steps(SteppingSummary { energy_start, energy_end, .. }) = outcome {
        for (key, energy) in [("start", energy_start), ("end", energy_end)] {
            let ledger = &mut all[0]["energy"][key];
            ledger["work_normal"] = json!(energy.normal);
            ledger["work_tangential"] = json!(energy.tangential);
            ledger["projection"] = json!(energy.projection);
            ledger["numerical"] = json!(energy.numerical());
        }
    }
    joined(scenario, all)
}

fn of_events(scenario: &Scenario, summary: &Summary, record: &Recorder) -> Value {
    let count = &summary.count;
    json!({
        "ledger": { "allowed": summary.ledger.allowed, "used": summary.ledger.used },
        "wedged": summary.wedged.map(|wedged| wedged_json(scenario, summary.state.time, &wedged)),
        "counts": {
            "events": count.events,
            "impacts": count.impacts,
            "two_contact_impacts": count.two_contact_impacts,
            "impacts_without_restitution": count.impacts_without_restitution,
            "impacts_with_e_for_e_t": count.impacts_with_e_instead_of_e_t,
            "landings": count.landings,
            "lift_offs": count.lift_offs,
            "touches": count.touches,
            "captures": count.captures,
            "captured_energy": count.captured_energy,
            "grazes": count.search.grazes,
        },
        "solver": {
            "flight_steps": count.flight.steps,
            "flight_steps_rejected": count.flight.rejected,
            "force_evaluations": count.flight.forces,
            "jacobian_evaluations": count.flight.jacobians,
            "contact_steps": count.contact.steps,
            "contact_steps_rejected": count.contact.rejected,
            "frame_evaluations": count.contact.frames,
            "compressed_steps": count.compressed.steps,
            "compressed_steps_rejected": count.compressed.rejected,
            "compressed_evaluations": count.compressed.evaluations,
            "unresolved_steps": count.shortened,
            "normal_force": if scenario.has_own_multiplier() { "multiplier" } else { "law" },
            "arc_length_steps": count.contact.by_arc_length,
            "projections": count.contact.projections,
            "largest_projection": count.contact.largest_projection,
            "velocity_projections": count.projected.velocities.count,
            "largest_velocity_projection": count.projected.velocities.largest,
            "force_projections": count.projected.forces.count,
            "largest_force_projection": count.projected.forces.largest,
            "contact_searches": count.search.searches,
            "ground_evaluations": count.search.evaluations,
            "ground_enclosures": count.search.enclosures,
        },
        "captures": record.captures.iter().map(|capture| capture_json(scenario, capture)).collect::<Vec<_>>(),
        "ended_with": summary.until.map(|moment| written(moment, &scenario.watches)),
        "phases": record.phases.json(scenario),
        "jumps": record.jumps.json(scenario),
        "watches": record.crossings.iter().map(|told| crossing_json(scenario, told)).collect::<Vec<_>>(),
    })
}

fn of_steps(summary: &SteppingSummary) -> Value {
    let count = &summary.count;
    let mut solver = match &summary.collisions {
        Some(found) => json!({
            "impacts_between_balls": found.pairs,
            "impacts_with_the_ground": found.ground,
            "cell_crossings": found.crossings,
            "outdated_forecasts": found.outdated,
            "contact_searches": found.searches,
            "ground_evaluations": count.evaluations.ground,
            "handed_over": found.handed,
            "given_back": found.returned,
            "stepped_in_the_end": found.stepped,
            "steps": found.steps,
            "impacts_in_steps": found.in_steps,
            "coupled_steps": summary.audit.residuals.steps,
        }),
        None => json!({
            "steps": count.steps,
            "contacts": count.contacts,
            "most_contacts_in_a_step": count.most_contacts,
            "coupled_steps": count.coupled,
            "sweeps": count.sweeps,
            "most_sweeps_in_a_step": count.most_sweeps,
            "neighbour_lists": count.neighbour_lists,
            "force_evaluations": count.evaluations.forces,
            "ground_evaluations": count.evaluations.ground,
        }),
    };
    extend(&mut solver, audit_json(&summary.audit));
    json!({
        "counts": {
            "balls": summary.states.len(),
            "events": count.events(),
            "impacts": count.impacts,
            "landings": count.landings,
            "lift_offs": count.lift_offs,
        },
        "solver": solver,
        "deepest_penetration": summary.deepest.map(|deepest| json!({
            "depth": deepest.depth,
            "time": deepest.time,
            "ball": deepest.ball + 1,
            "other": deepest.other.map(|other| other + 1),
        })),
    })
}

/// Entries on contacts that share balls, projections, and deviations from the contact laws.
fn audit_json(audit: &Audit) -> Value {
    let Audit { residuals, anomalies, projected, late, slipped } = audit;
    json!({
        "largest_residual": residuals.worst,
        "time_of_largest_residual": residuals.time,
        "mean_residual": residuals.mean(),
        "steps_that_missed_tolerance": residuals.missed,
        "projected_steps": projected.steps,
        "projections": projected.iterations,
        "largest_projection": projected.largest,
        "total_projection": projected.total,
        "unclosed_projections": projected.unclosed,
        "largest_left_open": projected.left,
        "steps_that_added_by_restitution": anomalies.gains,
        "energy_added_by_restitution": anomalies.gained,
        "steps_that_added_by_turning": anomalies.turns,
        "energy_added_by_turning": anomalies.turned,
        "steps_that_added_by_opening": anomalies.openings,
        "energy_added_by_opening": anomalies.opened,
        "steps_that_added_by_missing": anomalies.misses,
        "energy_added_by_missing": anomalies.by_misses,
        "steps_without_restitution": anomalies.without_restitution,
        "steps_with_bounded_restitution": anomalies.bounded,
        "least_part_of_restitution": 1.0 - anomalies.withheld,
        "steps_with_late_contacts": late,
        "slips_of_infinite_friction": slipped,
    })
}

/// The largest residuals of events, each with its time.
fn balance_json(balance: &Balance) -> Value {
    let residual = |residual: Residual| json!({ "residual": residual.size, "time": residual.time });
    json!({
        "place": residual(balance.place),
        "momentum": residual(balance.momentum),
        "angular_momentum": residual(balance.angular_momentum),
        "ground": residual(balance.ground),
        "captured": residual(balance.captured),
    })
}

/// Text of a JSON document: title, versions and scenario, then `others`; indented, with a line end.
pub fn document<const N: usize>(scenario: &Scenario, others: [Value; N]) -> String {
    format!("{:#}\n", joined(scenario, others))
}

fn joined<const N: usize>(scenario: &Scenario, others: [Value; N]) -> Value {
    let mut all = json!({
        "title": scenario.title,
        "versions": { "kugelbahn": env!("CARGO_PKG_VERSION") },
        "scenario": scenario.resolved(),
    });
    others.into_iter().for_each(|other| extend(&mut all, other));
    all
}

/// Adds the entries of another JSON object.
fn extend(all: &mut Value, other: Value) {
    if let (Value::Object(all), Value::Object(other)) = (all, other) {
        all.extend(other);
    }
}

fn state_json((state, phase): &(State, Phase)) -> Value {
    json!({
        "time": state.time,
        "phase": phase.name(),
        "position": [state.position.x, state.position.y],
        "velocity": [state.velocity.x, state.velocity.y],
        "angle": state.angle,
        "spin": state.spin,
    })
}

/// Entry on a wedged ball. `other_friction` is null if the forces are unique; its unbounded ends are null.
fn wedged_json(scenario: &Scenario, time: f64, wedged: &WedgedEnd) -> Value {
    json!({
        "points": wedged.points.map(|point| scenario.scene.world_point(time, point)).map(|point| [point.x, point.y]),
        "normal_forces": wedged.normal_forces,
        "friction_forces": wedged.friction_forces,
        "unique": wedged.other_friction.is_none(),
        "other_friction": wedged.other_friction,
    })
}

fn capture_json(scenario: &Scenario, capture: &Capture) -> Value {
    let json = json!({
        "time": capture.start.time,
        "s": null,
        "reason": match capture.reason {
            CaptureReason::Slow => "slow",
            CaptureReason::BelowRounding => "below-rounding",
            CaptureReason::TwoWalls => "two-walls",
        },
        "speed": capture.speed,
        "duration": capture.duration,
        "error_bound": capture.velocity_bound,
        "normal_impulse": capture.normal_impulse,
        "tangential_impulse": capture.tangential_impulse,
        "dissipated": capture.dissipated,
    });
    placed(json, scenario, Some(capture.place))
}
