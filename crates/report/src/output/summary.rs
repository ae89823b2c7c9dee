//! `summary.json`

use curves::Place;
use mechanics::{Energy, State};
use scenario::Scenario;
use serde_json::{Value, json};
use supervisor::{Balance, Capture, CaptureReason, Phase, Residual, Summary, WedgedEnd};

/// The summary of a run, as pretty-printed JSON with a line end.
pub fn summary_json(scenario: &Scenario, summary: &Summary, captures: &[Capture]) -> String {
    let count = &summary.count;
    let energy = |energy: &Energy| {
        json!({
            "kinetic": energy.kinetic,
            "potential": energy.potential,
            "dissipated": energy.dissipated,
            "work_external": energy.work,
            "total": energy.total(),
        })
    };
    let rest = json!({
        "final": state_json(&scenario.scene.world(&summary.state), summary.phase),
        "wedged": summary.wedged.map(|wedged| wedged_json(scenario, summary.state.time, &wedged)),
        "energy": {
            "start": energy(&summary.energy_start),
            "end": energy(&summary.energy_end),
            "unexplained": summary.unexplained(),
        },
        "balance": balance_json(&count.balance),
        "counts": {
            "events": count.events,
            "impacts": count.impacts,
            "two_contact_impacts": count.two_contact_impacts,
            "impacts_without_restitution": count.impacts_without_restitution,
            "impacts_with_e_for_e_t": count.impacts_with_e_for_e_t,
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
            "unresolved_steps": count.unresolved,
            "projections": count.contact.projections,
            "largest_projection": count.contact.largest_projection,
            "contact_searches": count.search.searches,
            "ground_evaluations": count.search.evaluations,
            "ground_enclosures": count.search.enclosures,
        },
        "captures": captures.iter().map(|capture| capture_json(scenario, capture)).collect::<Vec<_>>(),
    });
    run_document(scenario, summary.stop.map(|stop| stop.to_string()), rest)
}

/// The largest residuals of events, each with its time.
pub(crate) fn balance_json(balance: &Balance) -> Value {
    let residual = |residual: Residual| json!({ "residual": residual.size, "time": residual.time });
    json!({
        "place": residual(balance.place),
        "momentum": residual(balance.momentum),
        "angular_momentum": residual(balance.angular_momentum),
        "ground": residual(balance.ground),
        "captured": residual(balance.captured),
    })
}

/// A summary: what every run says, then the `rest`.
pub(crate) fn run_document(scenario: &Scenario, stop: Option<String>, rest: Value) -> String {
    let mut ground = json!({
        "title": scenario.curve.title,
        "kind": scenario.curve.kind,
        "pieces": scenario.scene.ground.ground().pieces().len(),
    });
    if !scenario.curve.notes.is_empty() {
        ground["notes"] = json!(scenario.curve.notes);
    }
    document(scenario, [json!({ "ground": ground, "completed": stop.is_none(), "stop": stop }), rest])
}

/// What every document begins with, then the entries of others, as pretty-printed JSON with a line end.
pub fn document<const N: usize>(scenario: &Scenario, others: [Value; N]) -> String {
    let mut all = json!({
        "title": scenario.title,
        "versions": { "kugelbahn": env!("CARGO_PKG_VERSION") },
        "scenario": scenario.resolved,
    });
    for other in others {
        if let (Value::Object(all), Value::Object(other)) = (&mut all, other) {
            all.extend(other);
        }
    }
    format!("{all:#}\n")
}

pub(crate) fn state_json(state: &State, phase: Phase) -> Value {
    json!({
        "time": state.time,
        "phase": phase.name(),
        "position": [state.position.x, state.position.y],
        "velocity": [state.velocity.x, state.velocity.y],
        "angle": state.angle,
        "spin": state.spin,
    })
}

/// `other_friction` is null where the forces are unique, and an end of it where it has no bound.
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
    let place: Place = capture.place;
    json!({
        "time": capture.start.time,
        "s": scenario.scene.ground.shown_parameter(place),
        "reason": match capture.reason {
            CaptureReason::Slow => "slow",
            CaptureReason::BelowRounding => "below-rounding",
            CaptureReason::TwoWalls => "two-walls",
        },
        "speed": capture.speed,
        "duration": capture.duration,
        "error_bound": capture.bound,
        "normal_impulse": capture.normal_impulse,
        "tangential_impulse": capture.tangential_impulse,
        "dissipated": capture.dissipated,
    })
}
