//! `[initial]`

use curves::{Ground, JointKind, Place, Rounding, Spot, Upright};
use mechanics::State;
use supervisor::{Scene, Start};

use crate::curve::ends;
use crate::input::{InputError, Node, Reader, Value, number, plain, vector, wrong_type};

/// Largest coordinate (m), velocity (m/s) and spin (rad/s) to start with, and largest time (s) and place (m) of a table: beyond it
/// rounding is all there is.
pub const FAR: f64 = 1e12;

/// Places on one vertical line that a message lists.
const LISTED: usize = 8;

/// How the ball of a scene starts; `table` is the scenario, or the ball's own table. It may be `slack` m below the ground.
pub(crate) fn read_start(table: &mut Reader, scene: &Scene, slack: f64) -> Result<Start, InputError> {
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
            let rounding = Rounding::of_motion(position.norm() + scene.ball.radius(), 0.0, 0.0, 0.0).length;
            let slack = slack.max(Rounding::SUM * rounding);
            // Beside ground that ends there is no below, but for the ball that sticks in it.
            let ends = scene.ground.ground().joints().iter().any(|joint| joint.kind == JointKind::End);
            let beside = ends && -gap >= 2.0 * scene.ball.radius() && gap < -slack;
            if !(gap >= -slack || -gap < deepest || beside) {
                let message = format!("the ball starts {} m below the ground", plain(-gap));
                return Err(InputError::new(&node.span, message, rule));
            }
            // What is below the ground by less than a run may leave it is on it, or it would fall through.
            let below = gap < 0.0 && !beside && scene.compliance.is_none();
            let on_ground = || scene.ground.frame(scene.ground.place_below(state.position)).position;
            Start::Flight(State { position: if below { on_ground() } else { state.position }, ..state })
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
    // A setting takes the place of the other key in the file.
    let (at, is_x) = match (x, s) {
        (Some(x), Some(s)) if x.span.is_setting() == s.span.is_setting() => {
            return Err(InputError::new(&s.span, "both `x` and `s` are given", "give one of them"));
        }
        (Some(x), None) => (x, true),
        (Some(x), Some(_)) if x.span.is_setting() => (x, true),
        (_, Some(s)) => (s, false),
        (None, None) => {
            let message = "`contact` does not say where";
            return Err(InputError::new(&node.span, message, "give `x`, or `s` where x is not unique"));
        }
    };
    let spot = if is_x { spot_above(ground, at)? } else { spot_along(ground, at)? };
    let place = place_at(ground, spot, speed).ok_or_else(|| {
        let message = format!(
            "the ground has a corner at s = {}, and a ball without speed is on neither side of it",
            plain(ground.shown_spot(spot))
        );
        InputError::new(&at.span, message, "a place where the ground has one direction")
            .with_help("give `speed`, along the side the ball goes to, or an `s` just before or after the corner")
    })?;
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

/// The only ground at an abscissa.
fn spot_above(ground: &Ground, node: &Node) -> Result<Spot, InputError> {
    let x = number(node, "x")?;
    let found = ground.above(x);
    let point = |upright: &Upright| upright.from == upright.to;
    let message = match found.as_slice() {
        [one] if point(one) => return Ok(one.from),
        [] => {
            let message = format!("there is no ground at x = {}", plain(x));
            return Err(InputError::new(&node.span, message, "an abscissa of the ground"));
        }
        [_] => format!("the ground is vertical at x = {}", plain(x)),
        _ => format!("there is ground at x = {} in {} places", plain(x), found.len()),
    };
    let listed = found.iter().take(LISTED).map(|upright| {
        let [from, to] = [upright.from, upright.to].map(|spot| ground.shown_spot(spot));
        if point(upright) { from.to_string() } else { format!("from {from} to {to}") }
    });
    let listed = listed.chain((found.len() > LISTED).then(|| "…".to_owned())).collect::<Vec<_>>().join(", ");
    Err(InputError::new(&node.span, message, "not unique").with_help(format!("give `s` instead of `x`: {listed}")))
}

/// The ground at an `s` as outputs show it.
fn spot_along(ground: &Ground, node: &Node) -> Result<Spot, InputError> {
    let s = number(node, "s")?;
    ground.locate(s).ok_or_else(|| {
        let (from, to) = ends(ground);
        let rule = format!("from {} to {}", plain(from), plain(to));
        InputError::new(&node.span, format!("there is no ground at s = {}", plain(s)), rule)
    })
}

/// Where a ball with a speed along the ground is at a spot. At a corner it is on the side it goes to; at rest it is on
/// both sides of a concave one, and on none of a convex one.
fn place_at(ground: &Ground, spot: Spot, speed: f64) -> Option<Place> {
    let joint = match spot {
        Spot::Piece { index, parameter } => return Some(Place::Piece { index, parameter }),
        Spot::Joint(joint) => ground.joints()[joint],
    };
    let domain = |index: usize| ground.pieces()[index].domain();
    let before = joint.before.map(|index| Place::Piece { index, parameter: domain(index).hi });
    let after = joint.after.map(|index| Place::Piece { index, parameter: domain(index).lo });
    match joint.kind {
        JointKind::Convex if speed == 0.0 => None,
        JointKind::Convex | JointKind::Concave if speed < 0.0 => before,
        _ => after.or(before),
    }
}
