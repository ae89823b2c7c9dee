//! Reads `[ball]`, `[forces]` and `[contact]`.

use mechanics::{Ball, Carriage, ContactLaw, Forces, OwnLaw, ParameterError, RestitutionFormula};
use nalgebra::Vector2;
use serde_json::json;

use crate::compliance::leave_for_later;
use crate::curve::formula;
use crate::input::{InputError, Node, Reader, Span, Value, changed_vector, number, plain, wrong_type};
use crate::keys::{Access, Key};
use crate::methods::{Keys, Methods};
use crate::settings::INERTIA;

/// Message for a library's error on a parameter, at the position of its value.
pub(crate) fn parameter_error(node: Option<&Node>, error: &ParameterError) -> InputError {
    let ParameterError { name, value, rule } = error;
    let message = format!("`{name}` = {} is not allowed", plain(*value));
    match node {
        Some(node) => InputError::new(&node.span, message, format!("must be {rule}")),
        None => InputError::without_place(format!("{message}: it must be {rule}")),
    }
}

pub(crate) fn read_ball(table: &mut Reader) -> Result<Ball, InputError> {
    let nodes = [table.get("mass"), table.get("radius"), table.get("inertia")];
    let mass = table.number_or("mass", 1.0)?;
    let radius = table.number_or("radius", 0.0)?;
    let inertia = read_inertia(table)?;
    Ball::new(mass, radius, inertia).map_err(|error| {
        let node = match error.name {
            "mass" => nodes[0],
            "radius" => nodes[1],
            _ => nodes[2],
        };
        parameter_error(node, &error)
    })
}

/// Reads k of I = k m R², a number or a name.
pub(crate) fn read_inertia(table: &mut Reader) -> Result<f64, InputError> {
    match table.get("inertia") {
        Some(node) if matches!(node.value, Value::Number(_)) => Ok(table.ranged("ball.inertia")?.unwrap_or_default()),
        _ => Ok(table.choice("inertia", &INERTIA)?.unwrap_or(Ball::SOLID_SPHERE)),
    }
}

/// Reads the forces; also returns the external one as written.
pub(crate) fn read_forces(
    root: &mut Reader,
    ball: &Ball,
    carriage: Option<&Carriage>,
) -> Result<(Forces, serde_json::Value), InputError> {
    let mut forces = Forces::standard(ball).carried_by(carriage.cloned());
    let mut used = json!(null);
    let Some(mut table) = root.table("forces")? else { return Ok((forces, used)) };
    for key in Key::of("forces") {
        let Some(node) = table.get(key.name()) else { continue };
        let changed = match (key.name(), key.access, &node.value) {
            ("drag", ..) => forces.with_drag(read_drag(node)?),
            ("gravity", _, Value::Number(_)) => forces.with_gravity(Vector2::new(0.0, -number(node, "gravity")?)),
            ("gravity", _, Value::String(_) | Value::Bool(_) | Value::Date(_)) => {
                return Err(wrong_type(node, "gravity", "a number (m/s², downwards) or a vector [x, y]"));
            }
            (name, Access::Force(_, with), _) => with(forces, number(node, name)?),
            (name, Access::ForcePair(get, with), _) => {
                let pair = changed_vector(node, name, get(&forces))?;
                with(forces, pair)
            }
            _ => continue,
        };
        forces = changed.map_err(|error| parameter_error(Some(node), &error))?;
    }
    if let Some(node) = table.get("external") {
        let mut external = Reader::new(node, "[forces.external]")?;
        let mut component = |key: &'static str| match external.get(key) {
            Some(node) => formula(node, key, &Forces::VARIABLES, &[]),
            None => Ok(numbers::Expression::constant(0.0)),
        };
        let force = [component("x")?, component("y")?];
        let torque = component("torque")?;
        external.finish()?;
        forces = forces.with_external(force);
        let text = |key| node.get(key).map_or(json!("0"), |node| json!(node));
        used = json!({ "x": text("x"), "y": text("y") });
        if let Some(node) = node.get("torque") {
            forces = forces.with_torque(torque, ball).map_err(|error| parameter_error(Some(node), &error))?;
            used["torque"] = text("torque");
        }
    }
    table.finish()?;
    Ok((forces, used))
}

/// Reads the drag coefficient k_D, kg/m.
fn read_drag(node: &Node) -> Result<f64, InputError> {
    let mut drag = Reader::new(node, "[forces.drag]")?;
    let coefficient = match drag.number("coefficient")? {
        Some(coefficient) => {
            if let Some((key, node)) = ["cd", "density", "area"].iter().find_map(|key| Some((key, drag.get(key)?))) {
                let message = format!("both `coefficient` and `{key}` are given");
                return Err(InputError::new(&node.span, message, "give one of them")
                    .with_help("the coefficient is `cd` · `density` · `area` / 2"));
            }
            coefficient
        }
        None => {
            let what = "or give `coefficient` = k_D in kg/m; without it, `cd`, `density` and `area` are needed";
            let mut factor = |key| {
                drag.need(key, what)?;
                let positive = drag.number_where(key, "zero or positive", |value| value >= 0.0)?;
                Ok::<f64, InputError>(positive.unwrap_or(0.0))
            };
            0.5 * factor("cd")? * factor("density")? * factor("area")?
        }
    };
    drag.finish()?;
    Ok(coefficient)
}

/// Reads `[contact]`: the law of contact with the ground, and that between balls with its position.
pub(crate) fn read_laws(
    root: &mut Reader,
    methods: &Methods,
) -> Result<(ContactLaw, Option<(ContactLaw, Span)>), InputError> {
    let none = ContactLaw::default();
    let Some(mut table) = root.table("contact")? else { return Ok((none, None)) };
    let law = read_law(&mut table, "contact", &none)?;
    let law = read_impact(&mut table, law, methods)?;
    leave_for_later(&mut table);
    let between = match table.get("balls") {
        Some(node) => {
            let mut balls = Reader::new(node, "[contact.balls]")?;
            // The default law between balls has no rolling friction.
            let like = law.clone().with_rolling_damping(0.0).and_then(|law| law.with_rolling_resistance(0.0));
            let between = read_law(&mut balls, "contact.balls", &like.map_err(|error| parameter_error(None, &error))?)?;
            balls.finish()?;
            Some((between, node.span.clone()))
        }
        None => None,
    };
    table.finish()?;
    Ok((law, between))
}

/// Reads the `contact` of one curve; values not given are those of `default`.
pub(crate) fn read_own_law(node: &Node, default: &ContactLaw, methods: &Methods) -> Result<ContactLaw, InputError> {
    let mut table = Reader::new(node, "[ground.contact]")?;
    let law = read_law(&mut table, "contact", default)?;
    let law = read_impact(&mut table, law, methods)?;
    table.finish()?;
    Ok(law)
}

/// Reads the numbers of a law, by the keys of a table; values not given are those of `default`.
fn read_law(table: &mut Reader, keys: &str, default: &ContactLaw) -> Result<ContactLaw, InputError> {
    let mut law = default.clone();
    for (key, (_, with)) in Key::of(keys).filter_map(|key| Some((key, key.law()?))) {
        let Some(node) = table.get(key.name()) else { continue };
        let (named, formulas) = (key.kind == "number or string", key.kind.contains("formula"));
        let value = match &node.value {
            Value::String(text) if formulas => {
                law = law.with_restitution_of(read_restitution(node, key.name(), text)?);
                continue;
            }
            Value::String(text) if named && &**text == "infinite" => f64::INFINITY,
            Value::Number(_) => number(node, key.name())?,
            _ if named => return Err(wrong_type(node, key.name(), "a number or \"infinite\"")),
            _ if formulas => return Err(wrong_type(node, key.name(), "a number, or a formula of `v` in quotes")),
            _ => number(node, key.name())?,
        };
        law = with(law, value).map_err(|error| parameter_error(Some(node), &error))?;
    }
    Ok(law)
}

fn read_impact(table: &mut Reader, law: ContactLaw, methods: &Methods) -> Result<ContactLaw, InputError> {
    let names: Vec<_> = methods.impacts().map(|name| (name, name)).collect();
    let Some(node) = table.get("impact") else { return Ok(law) };
    let (name, numbers) = match node.value {
        Value::Table(_) => {
            let mut own = Reader::new(node, "[contact.impact]")?;
            let name = own.choice("law", &names)?.unwrap_or("newton");
            let numbers = own.rest();
            own.finish()?;
            (name, numbers)
        }
        _ => (table.choice("impact", &names)?.unwrap_or("newton"), Vec::new()),
    };
    let keys = Keys::new(numbers.iter().map(|(key, value)| (key.clone(), *value, false)));
    let made = keys.make(&format!("the impact law \"{name}\""), &node.span, |keys| methods.impact(name, keys))?;
    Ok(match made {
        Some(own) => law.with_impact(OwnLaw::new(name, numbers, own)),
        None => law,
    })
}

fn read_restitution(node: &Node, key: &str, text: &str) -> Result<RestitutionFormula, InputError> {
    let read = formula(node, key, &RestitutionFormula::VARIABLES, &[])?;
    RestitutionFormula::new(text, read).map_err(|error| InputError::new(&node.span, error.to_string(), "here"))
}
