//! Writes a scenario with all values used, defaults included, in the form of a scenario file.

use std::path::Path;

use mechanics::{Ball, Compliance, CompliantLaw, ContactLaw, Restitution, State};
use serde_json::{Map, Value, json};
use supervisor::Start;

use crate::input::{self, Node, is_builtin};
use crate::keys::{Access, KEYS, Key, Runs};
use crate::scenario::{BallSetup, CurveName, Scenario, Stepping};
use crate::start_on_ground::Initial;

impl Scenario {
    /// All values used, defaults included, in the form of a scenario file, in the order of [`KEYS`].
    pub fn resolved(&self) -> Value {
        let Scenario { title, scene, start, stepping, curve, .. } = self;
        let only = curve.nodes.first().map_or(json!({}), |node| json!(node));
        let mut table = json!({
            "title": title,
            "ball": {},
            "initial": initial(self, *start),
            "ground": { "curve": only, "parameters": numbers(&curve.parameters) },
            "forces": {},
            "contact": scene.compliance.as_ref().map_or_else(|| contact("contact", &scene.law), compliant),
            "solver": {},
            "output": {},
        });
        for key in KEYS.iter().filter(|key| stepping.is_none() || key.table() != "solver" || key.runs != Runs::Events) {
            if let Some(value) = key.told(self) {
                *key.path.split('.').fold(&mut table, |table, part| &mut table[part]) = value;
            }
        }
        // Omitted if there are none, like the keys below.
        if let Some(gates) = table["ground"]["curve"].get("gates").cloned() {
            table["ground"]["gates"] = gates;
        }
        if start.time() != 0.0 {
            table["initial"]["time"] = json!(start.time());
        }
        if !curve.curves.is_empty() {
            let of_curve = |(CurveName { name, table }, node): (&CurveName, &Node)| {
                let parameters = curve.of_tables.get(*table).map(|own| numbers(own));
                json!({ "name": name, "curve": node, "parameters": parameters })
            };
            table["ground"] = curve.curves.iter().zip(&curve.nodes).map(of_curve).collect();
            for (index, law) in scene.own_laws.iter().enumerate() {
                table["ground"][index]["contact"] = contact("contact", law);
            }
            for (index, motion) in curve.motions.iter().enumerate() {
                if let Some(motion) = motion {
                    table["ground"][index]["motion"] = motion.clone();
                }
            }
        } else if let Some(motion) = &curve.motion {
            table["ground"]["motion"] = motion.clone();
        }
        if let Some(Stepping { balls, between, .. }) = stepping.as_ref().filter(|stepping| stepping.balls.len() > 1) {
            put_balls(&mut table, self, balls, between);
        }
        table
    }

    /// The resolved values as a readable file: paths of curve files are absolute, and a force made in Rust is left out.
    pub fn written(&self) -> Value {
        let mut values = self.resolved();
        let several = !self.curve.curves.is_empty();
        for (table, node) in self.curve.nodes.iter().enumerate() {
            let ground = &mut values["ground"];
            let ground = if several { &mut ground[table] } else { ground };
            let mut node = node.clone();
            let source = node.span.source.clone();
            root_files(&mut node, Path::new(source.name()).parent().unwrap_or(Path::new("")));
            ground["curve"] = serde_json::to_value(node).unwrap_or_default();
        }
        // Values that a curve inherits from `[contact]` are left out, so that changes there reach it.
        for (table, contact) in self.curve.contacts.iter().enumerate() {
            match (contact, values["ground"][table].as_object_mut()) {
                (Some(contact), Some(table)) => drop(table.insert("contact".to_owned(), contact.clone())),
                (None, Some(table)) => drop(table.shift_remove("contact")),
                _ => (),
            }
        }
        // TOML has no null: missing values are left out.
        if let Some(forces) = values.get_mut("forces").and_then(Value::as_object_mut)
            && (self.scene.forces.own().is_some() || self.external.is_null())
        {
            forces.shift_remove("external");
        }
        values
    }
}

fn numbers(all: &[(String, f64)]) -> Map<String, Value> {
    all.iter().map(|(key, value)| (key.clone(), number(*value))).collect()
}

/// Makes paths of a curve's files absolute (relative ones start at `base`), or those of built-in files.
pub(crate) fn root_files(node: &mut Node, base: &Path) {
    match &mut node.value {
        input::Value::String(text) => {
            let path = base.join(&**text);
            let rooted =
                if is_builtin(&path) { Some(path) } else { path.is_file().then(|| path.canonicalize().ok()).flatten() };
            if let Some(path) = rooted {
                *text = path.to_string_lossy().into();
            }
        }
        input::Value::Array(items) => items.iter_mut().for_each(|item| root_files(item, base)),
        input::Value::Table(entries) => entries.iter_mut().for_each(|(.., node)| root_files(node, base)),
        _ => {}
    }
}

impl Key {
    /// Value of a key as used; `None`: it is written with its whole table.
    fn told(&self, scenario: &Scenario) -> Option<Value> {
        let forces = &scenario.scene.forces;
        match self.access {
            Access::Told(tell) | Access::Solver(tell, _) => tell(scenario),
            Access::Force(get, _) => Some(get(forces)).filter(|value| *value != 0.0 || !self.sparse).map(Value::from),
            Access::ForcePair(get, _) => Some(get(forces)).map(|pair| json!([pair.x, pair.y])),
            Access::Ball(tell, _) => Some(tell(&scenario.scene.ball)),
            Access::Apart | Access::Law(..) | Access::Start(_) => None,
        }
    }
}

/// Replaces the single start by a table per ball, and adds the law between balls.
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
    table["contact"]["balls"] = contact("contact.balls", between);
}

fn ball(ball: &Ball) -> Value {
    let one = |key: &Key| {
        if let Access::Ball(tell, _) = key.access { Some((key.name().to_owned(), tell(ball))) } else { None }
    };
    Key::of("ball").filter_map(one).collect()
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

/// Table of a law, with the keys of this table.
fn contact(keys: &str, law: &ContactLaw) -> Value {
    let one = |key: &Key| {
        let (get, _) = key.law()?;
        let value = match (get(law), law.restitution_law()) {
            (Some(value), _) if value == 0.0 && key.sparse => return None,
            (Some(value), _) if value.is_finite() => json!(value),
            (Some(_), _) => json!("infinite"),
            (None, Restitution::OfApproach(formula)) if key.name() == "restitution" => json!(formula.text()),
            (None, _) => return None,
        };
        Some((key.name().to_owned(), value))
    };
    let mut table: Value = Key::of(keys).filter_map(one).collect();
    if let Some(own) = law.own_impact() {
        table["impact"] = named(own.name(), own.numbers());
    }
    table
}

/// Table of a named law: its name and numbers.
fn named(name: &str, own: &[(String, f64)]) -> Value {
    Value::Object([("law".to_owned(), json!(name))].into_iter().chain(numbers(own)).collect())
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
        CompliantLaw::Own(own) => named(own.name(), own.numbers()),
    };
    table["pull"] = json!(law.pulls());
    table["drag"] = json!(law.drag());
    table["friction"] = json!(law.friction());
    table["slip-speed"] = json!(law.slip_speed());
    table
}

/// Value of a number; "infinite" for infinity, which JSON lacks.
pub(crate) fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}
