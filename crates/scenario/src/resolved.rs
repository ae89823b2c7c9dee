//! A scenario with every value as used, in the form of a scenario file.

use std::path::Path;

use mechanics::{Ball, Compliance, CompliantLaw, ContactLaw, Forces, Friction, State};
use nalgebra::Vector2;
use newmark::Control;
use serde_json::{Map, Value, json};
use supervisor::Start;
use tables::Format;

use crate::initial::Initial;
use crate::input::{self, Node, is_builtin, name_of};
use crate::scenario::{BallSetup, Scenario, Stepping};
use crate::settings::{CONTACT_SOLVERS, IMPACT_LAWS, LOCALISATIONS, SCHEMES, Solver, SteppingMethod};
use crate::watch::{resolved_until, resolved_watches};

impl Scenario {
    /// Every value as used, defaults included, in the form of a scenario file.
    pub fn resolved(&self) -> Value {
        resolved(self)
    }

    /// Values as a file may say them: files that curves name are named from the root, and a force written in Rust is left out.
    pub fn written(&self) -> Value {
        let mut values = self.resolved();
        let several = !self.curve.curves.is_empty();
        for (table, node) in self.curve.nodes.iter().enumerate() {
            let ground = &mut values["ground"];
            let ground = if several { &mut ground[table] } else { ground };
            ground["curve"] = serde_json::to_value(rooted(node)).unwrap_or_default();
        }
        // What a curve does not say for itself is that of `[contact]`, whatever that becomes.
        for (table, contact) in self.curve.contacts.iter().enumerate() {
            match (contact, values["ground"][table].as_object_mut()) {
                (Some(contact), Some(table)) => drop(table.insert("contact".to_owned(), contact.clone())),
                (None, Some(table)) => drop(table.shift_remove("contact")),
                _ => (),
            }
        }
        // TOML has no null: what is not there is left out.
        if let Some(forces) = values.get_mut("forces").and_then(Value::as_object_mut)
            && (self.scene.forces.own().is_some() || self.external.is_null())
        {
            forces.shift_remove("external");
        }
        values
    }
}

/// A curve with the files it names named from the root, or as built in: they stand beside the file that names them.
fn rooted(node: &Node) -> Node {
    let mut node = node.clone();
    let folder = Path::new(node.span.source.name()).parent().unwrap_or(Path::new("")).to_owned();
    match &mut node.value {
        input::Value::String(text) => {
            let path = folder.join(&**text);
            let rooted =
                if is_builtin(&path) { Some(path) } else { path.is_file().then(|| path.canonicalize().ok()).flatten() };
            if let Some(path) = rooted {
                *text = path.to_string_lossy().into();
            }
        }
        input::Value::Array(items) => items.iter_mut().for_each(|item| *item = rooted(item)),
        input::Value::Table(entries) => entries.iter_mut().for_each(|(.., node)| *node = rooted(node)),
        _ => {}
    }
    node
}

/// Every table and every key, in the order of the README.
fn resolved(scenario: &Scenario) -> Value {
    let Scenario { title, scene, start, solver, stepping, interval, curve, external, .. } = scenario;
    let parameters: Map<String, Value> =
        curve.parameters.iter().map(|(name, value)| (name.clone(), number(*value))).collect();
    let mut table = json!({
        "title": title,
        "ball": ball(&scene.ball),
        "initial": initial(scenario, *start),
        "ground": { "curve": curve.source, "parameters": parameters },
        "forces": forces(&scene.forces, external),
        "contact": scene.compliance.as_ref().map_or_else(|| contact(&scene.law), compliant),
        "solver": solver_table(solver),
        "output": { "interval": number(*interval) },
    });
    // Left out where there is none, as below.
    if let Some(gates) = curve.source.get("gates") {
        table["ground"]["gates"] = gates.clone();
    }
    if start.time() != 0.0 {
        table["initial"]["time"] = json!(start.time());
    }
    if !scenario.shown.is_empty() {
        table["output"]["balls"] = scenario.shown.iter().map(|ball| ball + 1).collect();
    }
    if scenario.contacts {
        table["output"]["contacts"] = json!(true);
    }
    if scenario.format != Format::Csv {
        table["output"]["format"] = json!(scenario.format.name());
    }
    if !scenario.times.is_empty() {
        table["output"]["times"] = json!(scenario.times.to_vec());
    }
    if !scenario.watches.is_empty() {
        table["watch"] = resolved_watches(&scenario.watches, curve);
    }
    if !scenario.until.is_empty() {
        table["solver"]["until"] = resolved_until(&scenario.until, &scenario.watches);
    }
    if !curve.curves.is_empty() {
        table["ground"] = curve.source.clone();
        for (index, law) in scene.own_laws.iter().enumerate() {
            table["ground"][index]["contact"] = contact(law);
        }
        for (index, motion) in curve.motions.iter().enumerate() {
            if let Some(motion) = motion {
                table["ground"][index]["motion"] = motion.clone();
            }
        }
    } else if let Some(motion) = &curve.motion {
        table["ground"]["motion"] = motion.clone();
    }
    let Some(Stepping { method, balls, between, .. }) = stepping else { return table };
    table["solver"] = stepping_table(scenario, *method);
    if balls.len() > 1 {
        put_balls(&mut table, scenario, balls, between);
    }
    table
}

/// Puts a table for each ball in the place of the one start, and the law between balls beside that of the ground.
fn put_balls(table: &mut Value, scenario: &Scenario, balls: &[BallSetup], between: &ContactLaw) {
    let one = |ball_setup: &BallSetup| {
        let mut table = ball(&ball_setup.ball);
        table["initial"] = initial(scenario, ball_setup.start);
        if ball_setup.release > 0.0 {
            table["release"] = json!(ball_setup.release);
        }
        table
    };
    table["ball"] = balls.iter().map(one).collect();
    if let Some(entries) = table.as_object_mut() {
        entries.shift_remove("initial");
    }
    let mut law = contact(between);
    if let Some(entries) = law.as_object_mut() {
        entries.shift_remove("rolling-damping");
    }
    table["contact"]["balls"] = law;
}

fn ball(ball: &Ball) -> Value {
    // An inertia factor of 0 has a name only.
    let inertia = if ball.inertia_factor() > 0.0 { json!(ball.inertia_factor()) } else { json!("point") };
    json!({ "mass": ball.mass(), "radius": ball.radius(), "inertia": inertia })
}

fn forces(forces: &Forces, external: &Value) -> Value {
    let pair = |vector: Vector2<f64>| json!([vector.x, vector.y]);
    let mut table = json!({
        "gravity": pair(forces.gravity_vector()),
        "drag": { "coefficient": forces.drag() },
        "wind": pair(forces.wind()),
        "magnus": forces.magnus(),
        "external": external,
    });
    // Left out where there is none: summaries of such runs stay as they were before there was this key.
    if forces.linear_drag() > 0.0 {
        table["linear-drag"] = json!(forces.linear_drag());
    }
    table
}

fn initial(Scenario { scene, curve, initial, .. }: &Scenario, start: Start) -> Value {
    match start {
        Start::Flight(state) => {
            let State { position, velocity, spin, .. } = scene.world(&state);
            let mut thrown =
                json!({ "position": [position.x, position.y], "velocity": [velocity.x, velocity.y], "spin": spin });
            if let Some(Initial::Thrown { strands: strands @ 1.., .. }) = initial {
                thrown["strands"] = json!(strands);
            }
            if let Some(Initial::Thrown { touched: Some(spot), .. }) = initial {
                let ground = scene.ground.ground();
                thrown["s"] = json!(ground.shown_spot(*spot));
                if let Some(name) = curve.name(ground.curve_at(*spot)) {
                    thrown["ground"] = json!(name);
                }
            }
            thrown
        }
        Start::Contact { place, speed, spin, .. } => {
            let mut contact = json!({
                "s": scene.ground.shown_parameter(place),
                "speed": speed,
                "spin": spin.map_or(json!("rolling"), |spin| json!(spin)),
            });
            if let Some(name) = curve.name(scene.ground.curve_of(place)) {
                contact["ground"] = json!(name);
            }
            json!({ "contact": contact })
        }
    }
}

fn contact(law: &ContactLaw) -> Value {
    let mut table = json!({
        "restitution": law.coefficient_of_restitution(),
        "tangential-restitution": law.tangential_restitution(),
        "friction": match law.friction() {
            Friction::Infinite => json!("infinite"),
            Friction::Coefficient(mu) => json!(mu),
        },
        "rolling-damping": law.rolling_damping(),
    });
    // Left out where there is none, as linear drag is.
    if law.rolling_resistance() > 0.0 {
        table["rolling-resistance"] = json!(law.rolling_resistance());
    }
    table
}

fn compliant(law: &Compliance) -> Value {
    let mut table = match law.law() {
        CompliantLaw::Hertz { stiffness, viscosity } => {
            json!({ "law": "hertz", "stiffness": stiffness, "viscosity": viscosity })
        }
        CompliantLaw::KelvinVoigt { stiffness, damping } => {
            json!({ "law": "kelvin-voigt", "stiffness": stiffness, "damping": damping })
        }
        CompliantLaw::HuntCrossley { stiffness, damping, exponent } => {
            json!({ "law": "hunt-crossley", "stiffness": stiffness, "damping": damping, "exponent": exponent })
        }
        CompliantLaw::Own(own) => {
            let numbers = own.numbers().iter().map(|(key, value)| (key.clone(), number(*value)));
            Value::Object([("law".to_owned(), json!(own.name()))].into_iter().chain(numbers).collect())
        }
    };
    table["pull"] = json!(law.pulls());
    table["drag"] = json!(law.drag());
    table["friction"] = json!(law.friction());
    table["slip-speed"] = json!(law.slip_speed());
    table
}

fn solver_table(solver: &Solver) -> Value {
    let formulation = solver.formulation.name();
    let mut table = Map::new();
    let mut put = |key: &str, value: Value| table.insert(key.to_owned(), value);
    let method = solver.method.name();
    let localisation = name_of(&LOCALISATIONS, solver.localisation);
    put("method", json!(method));
    put("localisation", json!(localisation));
    put("formulation", json!(formulation));
    put("beta", json!(solver.scheme.beta()));
    put("gamma", json!(solver.scheme.gamma()));
    match solver.control {
        Control::Tolerance(tolerance) => {
            put("relative-tolerance", json!(tolerance.relative));
            put("absolute-tolerance", json!(tolerance.absolute));
            if solver.largest_step.is_finite() {
                put("largest-step", json!(solver.largest_step));
            }
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

fn stepping_table(scenario: &Scenario, method: SteppingMethod) -> Value {
    let solver = &scenario.solver;
    let mut table = Map::new();
    let mut put = |key: &str, value: Value| table.insert(key.to_owned(), value);
    put("method", json!(name_of(&SCHEMES, method.scheme())));
    put("step", json!(scenario.step()));
    if let Some(settings) = method.settings() {
        let lcp = name_of(&CONTACT_SOLVERS, settings.solver);
        put("theta", json!(settings.theta));
        put("prediction", json!(settings.prediction));
        put("impact-law", json!(name_of(&IMPACT_LAWS, settings.impact_law)));
        put("lcp", json!(lcp));
        put("lcp-tolerance", json!(settings.tolerance));
        put("projection", settings.projection.map_or(json!(false), |projection| json!(projection.tolerance)));
    }
    put("duration", json!(solver.duration));
    put("capture-speed", json!(solver.capture_speed));
    put("limit", json!(solver.limit));
    Value::Object(table)
}

/// JSON has no infinity.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}
