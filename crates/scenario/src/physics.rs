//! `[ball]`, `[forces]` and `[contact]`.

use mechanics::{Ball, Carriage, ContactLaw, Forces, Friction};
use nalgebra::Vector2;
use serde_json::json;

use crate::complaints::at;
use crate::compliance::leave_for_later;
use crate::curve::formula;
use crate::input::{InputError, Node, Reader, Span, Value, changed_vector, number, plain, wrong_type};

const INERTIA: [(&str, f64); 5] = [
    ("point", 0.0),
    ("hoop", Ball::HOOP),
    ("disc", Ball::DISC),
    ("hollow-sphere", Ball::HOLLOW_SPHERE),
    ("solid-sphere", Ball::SOLID_SPHERE),
];

/// The ball of a scenario without a table of it.
pub(crate) fn default_ball() -> Result<Ball, InputError> {
    Ball::point(1.0).map_err(|error| at(None, &error))
}

/// Mass, radius and inertia.
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
        at(node, &error)
    })
}

/// k of I = k m R², a number or a name.
pub(crate) fn read_inertia(table: &mut Reader) -> Result<f64, InputError> {
    match table.get("inertia") {
        Some(node) if matches!(node.value, Value::Number(_)) => {
            let k = number(node, "inertia")?;
            if !(k > 0.0 && k <= 1.0) {
                let label = "must be above 0 and at most 1, or a name such as \"solid-sphere\"";
                return Err(InputError::new(&node.span, format!("`inertia` = {} is not allowed", plain(k)), label));
            }
            Ok(k)
        }
        _ => Ok(table.choice("inertia", &INERTIA)?.unwrap_or(Ball::SOLID_SPHERE)),
    }
}

/// Mass of a solid sphere of this density (kg/m³) and radius (m), kg.
pub(crate) fn mass_of(density: f64, radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * density * radius * radius * radius
}

/// The forces, and the external one as written.
pub(crate) fn read_forces(
    root: &mut Reader,
    ball: &Ball,
    carriage: Option<&Carriage>,
) -> Result<(Forces, serde_json::Value), InputError> {
    let mut forces = Forces::standard(ball);
    let mut used = json!(null);
    let carried = |forces: Forces| match carriage {
        Some(carriage) => forces.with_carriage(carriage.clone()),
        None => forces,
    };
    let Some(mut table) = root.table("forces")? else { return Ok((carried(forces), used)) };
    if let Some(node) = table.get("gravity") {
        let gravity = match node.value {
            Value::Number(_) => Vector2::new(0.0, -number(node, "gravity")?),
            Value::Array(_) | Value::Table(_) => changed_vector(node, "gravity", forces.gravity_vector())?,
            _ => return Err(wrong_type(node, "gravity", "a number (m/s², downwards) or a vector [x, y]")),
        };
        forces = Forces::gravity(ball, gravity).map_err(|error| at(Some(node), &error))?;
    }
    if let Some(node) = table.get("drag") {
        forces = forces.with_drag(read_drag(node)?).map_err(|error| at(Some(node), &error))?;
    }
    if let Some(node) = table.get("linear-drag") {
        let coefficient = number(node, "linear-drag")?;
        forces = forces.with_linear_drag(coefficient).map_err(|error| at(Some(node), &error))?;
    }
    let wind = table.vector("wind")?;
    if wind != Vector2::zeros() {
        forces = forces.with_wind(wind).map_err(|error| at(table.get("wind"), &error))?;
    }
    if let Some(node) = table.get("magnus") {
        let mass = number(node, "magnus")?;
        forces = forces.with_magnus(mass).map_err(|error| at(Some(node), &error))?;
    }
    if let Some(node) = table.get("external") {
        let mut external = Reader::new(node, "[forces.external]")?;
        let mut component = |key: &'static str| match external.get(key) {
            Some(node) => formula(node, key, &Forces::VARIABLES, &[]),
            None => Ok(numbers::Expression::constant(0.0)),
        };
        let force = [component("x")?, component("y")?];
        external.finish()?;
        forces = forces.with_external(force);
        let text = |key| node.get(key).map_or(json!("0"), |node| json!(node));
        used = json!({ "x": text("x"), "y": text("y") });
    }
    table.finish()?;
    Ok((carried(forces), used))
}

/// The drag coefficient k_D, kg/m.
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

/// `[contact]`: the law of contact with the ground, and that between balls with its place.
pub(crate) fn read_laws(root: &mut Reader) -> Result<(ContactLaw, Option<(ContactLaw, Span)>), InputError> {
    let none = ContactLaw::default();
    let Some(mut table) = root.table("contact")? else { return Ok((none, None)) };
    let law = read_law(&mut table, none)?;
    leave_for_later(&mut table);
    let law = with_losses(law, &mut table, none)?;
    let between = match table.get("balls") {
        Some(node) => {
            let mut balls = Reader::new(node, "[contact.balls]")?;
            let between = read_law(&mut balls, law)?;
            balls.finish()?;
            Some((between, node.span.clone()))
        }
        None => None,
    };
    table.finish()?;
    Ok((law, between))
}

/// The `contact` of one curve; values that are not given are those of `default`.
pub(crate) fn read_own_law(node: &Node, default: ContactLaw) -> Result<ContactLaw, InputError> {
    let mut table = Reader::new(node, "[ground.contact]")?;
    let law = read_law(&mut table, default)?;
    let law = with_losses(law, &mut table, default)?;
    table.finish()?;
    Ok(law)
}

fn with_losses(law: ContactLaw, table: &mut Reader, default: ContactLaw) -> Result<ContactLaw, InputError> {
    let damping = table.number_or("rolling-damping", default.rolling_damping())?;
    let law = law.with_rolling_damping(damping).map_err(|error| at(table.get("rolling-damping"), &error))?;
    let resistance = table.number_or("rolling-resistance", default.rolling_resistance())?;
    law.with_rolling_resistance(resistance).map_err(|error| at(table.get("rolling-resistance"), &error))
}

/// Reads the keys of all laws; values that are not given are those of `default`.
fn read_law(table: &mut Reader, default: ContactLaw) -> Result<ContactLaw, InputError> {
    let friction = match table.get("friction") {
        None => default.friction(),
        Some(node) => match &node.value {
            Value::String(text) if &**text == "infinite" => Friction::Infinite,
            Value::Number(_) => Friction::Coefficient(number(node, "friction")?),
            _ => return Err(wrong_type(node, "friction", "a number or \"infinite\"")),
        },
    };
    let restitution = table.number_or("restitution", default.coefficient_of_restitution())?;
    let tangential = table.number_or("tangential-restitution", default.tangential_restitution())?;
    let law = ContactLaw::new(restitution).map_err(|error| at(table.get("restitution"), &error))?;
    let law = law.with_friction(friction).map_err(|error| at(table.get("friction"), &error))?;
    law.with_tangential_restitution(tangential).map_err(|error| at(table.get("tangential-restitution"), &error))
}
