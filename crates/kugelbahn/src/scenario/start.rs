//! `[initial]`

use curves::Place;
use mechanics::State;
use supervisor::{Scene, Start};

use super::START_SLACK;
use crate::curve::ends;
use crate::input::{InputError, Node, Reader, Value, number, plain, vector, wrong_type};

/// Largest coordinate (m), velocity (m/s) and spin (rad/s) to start with, and largest time (s) and place (m) of a table: beyond it
/// rounding is all there is.
pub(crate) const FAR: f64 = 1e12;

/// How the ball of a scene starts; `table` is the scenario, or the ball's own table.
pub(super) fn read_start(table: &mut Reader, scene: &Scene) -> Result<Start, InputError> {
    let node = table.need("initial", "a table with `position` and `velocity`, or with `contact`")?;
    let mut table = Reader::new(node, "[initial]")?;
    let start = match table.get("contact") {
        Some(contact) => {
            if let Some(other) = ["position", "velocity", "spin"].into_iter().find_map(|key| table.get(key)) {
                return Err(InputError::new(
                    &other.span,
                    "`contact` already says where the ball starts",
                    "not beside `contact`",
                )
                .with_help("give either `contact`, or `position` and `velocity` and `spin`"));
            }
            start_on_ground(contact, scene)?
        }
        None => {
            let node =
                table.need("position", "the centre of the ball [x, y] in m, or `contact = { x = …, speed = … }`")?;
            let position = vector(node, "position")?;
            let velocity = table.vector("velocity")?.unwrap_or_default();
            for (key, value) in [("position", position), ("velocity", velocity)] {
                table.get(key).map_or(Ok(()), |node| not_far(node, key, value.amax()))?;
            }
            let spin = table.get("spin").map_or(Ok(0.0), |node| moderate(node, "spin"))?;
            let state = State { time: 0.0, position, velocity, angle: 0.0, spin, dissipated: 0.0, work: 0.0 };
            let state = scene.forces.carriage().map_or(state, |carriage| carriage.carried(&state));
            let gap = scene.ground.gap(state.position);
            // A ball that gives way may start compressed.
            let (deepest, rule) = match scene.compliance {
                Some(_) => (scene.ball.radius(), "the centre of the ball, above the ground"),
                None => (0.0, "the centre of the ball, at least one radius above the ground"),
            };
            let slack = START_SLACK * position.norm().max(1.0);
            if !(gap >= -slack || -gap < deepest) {
                let message = format!("the ball starts {} m below the ground", plain(-gap));
                return Err(InputError::new(&node.span, message, rule));
            }
            Start::Flight(state)
        }
    };
    table.finish()?;
    if let Some(slip) = start.forbidden_slip(scene) {
        let message =
            format!("the ball starts on the ground with a slip velocity of {slip:?} m/s, but friction is infinite");
        return Err(InputError::new(&node.span, message, "v·τ + R·spin must be 0 on ground that never lets slip")
            .with_help("give `spin = \"rolling\"` (a point mass: `speed = 0`), or a finite `friction`"));
    }
    if let Some(compression) = start.crushed(scene) {
        let message = format!(
            "the ball starts compressed by {} m, but its radius is {} m",
            plain(compression),
            plain(scene.ball.radius())
        );
        return Err(InputError::new(&node.span, message, "compressed by less than its radius").with_help(
            "give a larger `contact.stiffness`, a lighter ball, or an `initial.position` above the ground",
        ));
    }
    Ok(start)
}

/// Refuses what is too large to start with.
fn not_far(node: &Node, key: &str, value: f64) -> Result<(), InputError> {
    if value.abs() <= FAR {
        return Ok(());
    }
    Err(InputError::new(&node.span, format!("`{key}` is too large"), format!("at most {FAR:e} either way")))
}

/// A number that is not too large to start with.
fn moderate(node: &Node, key: &str) -> Result<f64, InputError> {
    let value = number(node, key)?;
    not_far(node, key, value)?;
    Ok(value)
}

fn start_on_ground(node: &Node, scene: &Scene) -> Result<Start, InputError> {
    let mut table = Reader::new(node, "[initial.contact]")?;
    let ground = scene.ground.ground();
    let (x, s) = (table.get("x"), table.get("s"));
    let speed = table.get("speed").map_or(Ok(0.0), |node| moderate(node, "speed"))?;
    let spin = match table.get("spin") {
        None => Some(0.0),
        Some(node) => match &node.value {
            Value::String(text) if &**text == "rolling" => {
                if scene.ball.turns() {
                    not_far(node, "spin", speed / scene.ball.radius())?;
                }
                None
            }
            Value::Number(_) => Some(moderate(node, "spin")?),
            _ => return Err(wrong_type(node, "spin", "a number in rad/s, or \"rolling\"")),
        },
    };
    table.finish()?;
    let (place, at) = match (x, s) {
        (Some(node), None) => {
            let x = number(node, "x")?;
            let found = ground.above(x);
            let listed =
                || found.iter().map(|(piece, u)| ground.shown_parameter(*piece, *u).to_string()).collect::<Vec<_>>();
            match found.as_slice() {
                [one] => (*one, node),
                [] => {
                    return Err(InputError::new(
                        &node.span,
                        format!("there is no ground at x = {}", plain(x)),
                        "an abscissa of the ground",
                    ));
                }
                _ => {
                    let message = format!("there is ground at x = {} in {} places", plain(x), found.len());
                    return Err(InputError::new(&node.span, message, "not unique")
                        .with_help(format!("give `s` instead of `x`: {}", listed().join(", "))));
                }
            }
        }
        (None, Some(node)) => {
            let s = number(node, "s")?;
            let found = ground.locate(s);
            (
                found.ok_or_else(|| {
                    let (from, to) = ends(ground);
                    let rule = format!("from {} to {}", plain(from), plain(to));
                    InputError::new(&node.span, format!("there is no ground at s = {}", plain(s)), rule)
                })?,
                node,
            )
        }
        (Some(_), Some(node)) => {
            return Err(InputError::new(&node.span, "both `x` and `s` are given", "give one of them"));
        }
        (None, None) => {
            return Err(InputError::new(
                &node.span,
                "`contact` does not say where",
                "give `x`, or `s` where x is not unique",
            ));
        }
    };
    let place = Place::Piece { index: place.0, parameter: place.1 };
    let centre = scene.ground.frame(place).position;
    not_far(at, "contact", centre.amax())?;
    let gap = scene.ground.gap(centre);
    if !(gap >= -1e-9) {
        let message = format!(
            "a ball of radius {} m does not fit there: it would be {} m inside the ground",
            scene.ball.radius(),
            plain(-gap)
        );
        return Err(InputError::new(&at.span, message, "a place where the ball touches the ground once"));
    }
    Ok(Start::Contact { place, speed, spin })
}
