//! Comparisons and orders as JSON.

use report::output::document;
use serde_json::{Value, json};

use super::comparison::{ComparedRun, Comparison};
use super::converge::{Convergence, Line, Point};
use super::measure::{JUDGED, Measure};
use super::method::Fineness;
use super::reference_solution::Truth;

/// Text of a comparison, indented, with a line end.
pub fn comparison_json(comparison: &Comparison, left_out: &[String]) -> String {
    let rest = json!({ "left_out": left_out, "runs": runs_json(comparison) });
    document(&comparison.scenario, [truth_json(&comparison.truth), rest])
}

/// Text of observed orders and the runs they are from, indented, with a line end.
pub fn convergence_json(convergence: &Convergence, left_out: &[String]) -> String {
    let orders: Vec<Value> = convergence.lines.iter().map(line_json).collect();
    let comparison = &convergence.comparison;
    let rest = json!({ "left_out": left_out, "orders": orders, "runs": runs_json(comparison) });
    document(&comparison.scenario, [truth_json(&comparison.truth), rest])
}

fn runs_json(comparison: &Comparison) -> Vec<Value> {
    comparison.outcomes.iter().map(outcome_json).collect()
}

fn truth_json(truth: &Truth) -> Value {
    json!({ "reference": {
        "name": truth.name,
        "events": truth.track.event_count,
        "stop": truth.track.stop,
        "own_error": by_key(truth.own.numbers()),
    } })
}

/// Values by the keys of [`JUDGED`].
fn by_key<T: Into<Value>>(values: [T; JUDGED.len()]) -> Value {
    let pairs = JUDGED.into_iter().zip(values);
    Value::Object(pairs.map(|(measure, value)| (measure.key().to_owned(), value.into())).collect())
}

fn outcome_json(outcome: &ComparedRun) -> Value {
    let ComparedRun { case, formulation, track, errors, certain, timing } = outcome;
    let events = &errors.events;
    let control = match case.fineness {
        Fineness::Step(step) => json!({ "step": step }),
        Fineness::Tolerance(t) => json!({ "relative_tolerance": t.relative, "absolute_tolerance": t.absolute }),
    };
    json!({
        "method": case.method.name(),
        "formulation": formulation,
        "control": control,
        "completed": track.stop.is_none(),
        "stop": track.stop,
        "errors": by_key(errors.numbers()),
        "reference_100_times_better": by_key(*certain),
        "events": {
            "count": track.event_count,
            "matched": events.pairs.len(),
            "missed": events.missed,
            "extra": events.extra,
            "summed_up": events.summed_up,
        },
        "rows_compared": errors.rows,
        "deepest_penetration": track.deepest,
        "largest_gap": track.gap(),
        "unexplained_energy": track.unexplained,
        "largest_unexplained_energy": errors.of(Measure::Energy),
        "steps": track.work.steps,
        "force_evaluations": track.work.forces,
        "ground_evaluations": track.work.ground,
        "cpu_s": timing.map(|t| json!({ "median": t.median, "least": t.least, "most": t.most })),
    })
}

fn line_json(line: &Line) -> Value {
    let point = |point: &Point| {
        json!({
            "h": point.step,
            "error": point.error,
            "order": point.order,
            "left_out": point.left_out.map(|plateau| plateau.name()),
            "cpu_s": point.cpu,
            "evaluations": point.evaluations,
        })
    };
    json!({
        "method": line.method.name(),
        "formulation": line.formulation,
        "quantity": line.observable.name(),
        "order": line.fit.map(|fit| fit.order),
        "standard_error": line.fit.and_then(|fit| fit.standard_error),
        "half_width_95": line.fit.and_then(|fit| fit.half_width),
        "points_fitted": line.fit.map_or(0, |fit| fit.points),
        "points": line.points.iter().map(point).collect::<Vec<_>>(),
    })
}
