//! `summary.json` of a run by time stepping.

use moreau::Energy;
use scenario::Scenario;
use scenario::stepping::SteppingSummary;
use serde_json::json;

use crate::output::{run_document, state_json};

/// The summary of a run, as pretty-printed JSON with a line end.
pub fn stepping_summary_json(scenario: &Scenario, summary: &SteppingSummary) -> String {
    let (count, projected, anomalies) = (&summary.count, &summary.projected, &summary.anomalies);
    let energy = |energy: &Energy| {
        json!({
            "kinetic": energy.kinetic,
            "potential": energy.potential,
            "dissipated": energy.dissipated - energy.normal - energy.tangential,
            "work_external": energy.external,
            "total": energy.total(),
            "work_normal": energy.normal,
            "work_tangential": energy.tangential,
            "projection": energy.projection,
            "numerical": energy.numerical(),
        })
    };
    let states = || summary.states.iter().zip(&summary.phases).map(|(state, phase)| state_json(state, *phase));
    let mut rest = json!({
        "final": states().next(),
        "energy": {
            "start": energy(&summary.energy_start),
            "end": energy(&summary.energy_end),
            "unexplained": summary.energy_end.numerical(),
        },
        "counts": {
            "balls": summary.states.len(),
            "events": count.events(),
            "impacts": count.impacts,
            "landings": count.landings,
            "lift_offs": count.lift_offs,
        },
        "solver": {
            "steps": count.steps,
            "contacts": count.contacts,
            "most_contacts_in_a_step": count.most_contacts,
            "coupled_steps": count.coupled,
            "sweeps": count.sweeps,
            "most_sweeps_in_a_step": count.most_sweeps,
            "neighbour_lists": count.neighbour_lists,
            "force_evaluations": count.evaluations.forces,
            "ground_evaluations": count.evaluations.ground,
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
            "steps_without_restitution": anomalies.without_restitution,
        },
        "deepest_penetration": summary.deepest.map(|deepest| json!({
            "depth": deepest.depth,
            "time": deepest.time,
            "ball": deepest.ball + 1,
            "other": deepest.other.map(|other| other + 1),
        })),
    });
    if summary.states.len() > 1 {
        rest["final"] = states().collect();
    }
    run_document(scenario, summary.stop.as_ref().map(ToString::to_string), rest)
}
