//! A scenario with every value as used, in the form of a scenario file.

use mechanics::{ContactLaw, Friction};
use newmark::Control;
use serde_json::{Map, Value, json};
use supervisor::{Scene, Start};

use crate::Scenario;
use crate::scenario::{FORMULATIONS, Solver};

/// Every table and every key, defaults included, in the order of the README.
pub(crate) fn resolved(scenario: &Scenario, forces: Value) -> Value {
    let Scenario { title, scene, start, solver, interval, curve, .. } = scenario;
    let ball = &scene.ball;
    // An inertia factor of 0 has a name only.
    let inertia = if ball.inertia_factor() > 0.0 { json!(ball.inertia_factor()) } else { json!("point") };
    let parameters: Map<String, Value> =
        curve.parameters.iter().map(|(name, value)| (name.clone(), number(*value))).collect();
    json!({
        "title": title,
        "ball": { "mass": ball.mass(), "radius": ball.radius(), "inertia": inertia },
        "initial": initial(scene, *start),
        "ground": { "curve": curve.source, "parameters": parameters },
        "forces": forces,
        "contact": contact(&scene.law),
        "solver": solver_table(solver),
        "output": { "interval": number(*interval) },
    })
}

fn initial(scene: &Scene, start: Start) -> Value {
    match start {
        Start::Flight(state) => json!({
            "position": [state.position.x, state.position.y],
            "velocity": [state.velocity.x, state.velocity.y],
            "spin": state.spin,
        }),
        Start::Contact { place, speed, spin } => json!({
            "contact": {
                "s": scene.ground.shown_parameter(place),
                "speed": speed,
                "spin": spin.map_or(json!("rolling"), |spin| json!(spin)),
            },
        }),
    }
}

fn contact(law: &ContactLaw) -> Value {
    json!({
        "restitution": law.restitution(),
        "tangential-restitution": law.tangential_restitution(),
        "friction": match law.friction() {
            Friction::Infinite => json!("infinite"),
            Friction::Coefficient(mu) => json!(mu),
        },
        "rolling-damping": law.rolling_damping(),
    })
}

fn solver_table(solver: &Solver) -> Value {
    let formulation = FORMULATIONS.iter().find(|(_, f)| *f == solver.formulation).map_or("", |(name, _)| name);
    let mut table = Map::new();
    let mut put = |key: &str, value: Value| table.insert(key.to_owned(), value);
    put("method", json!("newmark"));
    put("formulation", json!(formulation));
    put("beta", json!(solver.scheme.beta()));
    put("gamma", json!(solver.scheme.gamma()));
    match solver.control {
        Control::Tolerance(tolerance) => {
            put("relative-tolerance", json!(tolerance.relative));
            put("absolute-tolerance", json!(tolerance.absolute));
        }
        Control::Step { step, extrapolate } => {
            put("step", json!(step));
            put("extrapolate", json!(extrapolate));
        }
    }
    put("duration", json!(solver.duration));
    put("capture-speed", json!(solver.capture_speed));
    put("capture-tolerance", json!(solver.capture_tolerance));
    put("limit", json!(solver.limit));
    Value::Object(table)
}

/// JSON has no infinity.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}
