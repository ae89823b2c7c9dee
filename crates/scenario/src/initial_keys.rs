//! Reads `[initial]`, the start of a ball.

use curves::{Ground, Spot, Upright};
use supervisor::{Scene, Start};

use crate::curve::ends;
use crate::input::{InputError, Node, Reader, Value, did_you_mean, number, plain, vector, wrong_type};
use crate::scenario::CurveInfo;
use crate::start_on_ground::{FAR, Initial, StartError};

/// Maximum number of places on one vertical line listed in a message.
const LISTED: usize = 8;

/// Reads the start of a ball, which may be `slack` (m) below the ground; `table`: the scenario, or the ball's table.
pub(crate) fn read_start(
    table: &mut Reader,
    scene: &Scene,
    info: &CurveInfo,
    slack: f64,
) -> Result<(Initial, Start), InputError> {
    let node = table.need("initial", "a table with `position` and `velocity`, or with `contact`")?;
    let mut table = Reader::new(node, "[initial]")?;
    let time = table.number_or("time", 0.0)?;
    let (initial, at) = match table.get("contact") {
        Some(contact) => {
            if let Some(other) =
                ["position", "velocity", "spin", "s", "ground", "strands"].into_iter().find_map(|key| table.get(key))
            {
                let message = "`contact` already says where the ball starts";
                return Err(InputError::new(&other.span, message, "not beside `contact`")
                    .with_help("give either `contact`, or `position` and `velocity` and `spin`"));
            }
            on_ground(contact, scene, info, time)?
        }
        None => {
            let node =
                table.need("position", "the centre of the ball [x, y] in m, or `contact = { x = …, speed = … }`")?;
            let position = vector(node, "position")?;
            let velocity = table.vector("velocity")?;
            let spin = table.number_or("spin", 0.0)?;
            let (s, named) = (table.get("s"), table.get("ground"));
            if let (Some(named), None) = (named, s) {
                let message = "`ground` says of which curve `s` is";
                return Err(InputError::new(&named.span, message, "not without `s`"));
            }
            let last = |node| {
                let curve = curve_of(&mut table, info)?;
                spot_along(scene.ground.ground(), info, curve, node)
            };
            let touched = s.map(last).transpose()?;
            let counts: u64 = scene.ground.ground().strand_counts().product();
            let rule = format!("a whole number from 0 to {}", counts - 1);
            let known = |number: f64| number.fract() == 0.0 && (0.0..counts as f64).contains(&number);
            let strands = table.number_where("strands", &rule, known)?.unwrap_or(0.0) as u64;
            (Initial::Thrown { position, velocity, spin, time, touched, strands }, node)
        }
    };
    table.finish()?;
    let (start, _) = initial.start(scene, slack).map_err(|error| {
        let key = match error {
            StartError::Far { what: what @ ("velocity" | "spin") } => Some(what),
            StartError::Time { .. } => Some("time"),
            _ => None,
        };
        let place = key.and_then(|key| node.get(key)).unwrap_or(at);
        let found = complaint(error, scene, info, node, place);
        match error {
            StartError::Below { curve, .. } => other_side(found, scene, &initial, curve),
            _ => found,
        }
    })?;
    Ok((initial, start))
}

/// Message for an impossible start, at this position.
fn complaint(error: StartError, scene: &Scene, info: &CurveInfo, initial: &Node, at: &Node) -> InputError {
    let called = |curve: usize| info.name(curve).map_or("the ground".to_owned(), |name| format!("`{name}`"));
    match error {
        StartError::Far { what } => {
            InputError::new(&at.span, format!("`{what}` is too large"), format!("at most {FAR:e} either way"))
        }
        StartError::Undefined { .. } => {
            InputError::new(&at.span, error.to_string(), "a place where the ground has a tangent").with_help(
                "start elsewhere, or write the formula so that it does not overflow: with tanh(x/2) instead of exp(x)",
            )
        }
        StartError::Time { time } => {
            let message = format!("a run can't start at t = {} s", plain(time));
            InputError::new(&at.span, message, format!("from 0 to {FAR:e} s"))
        }
        StartError::Below { depth, curve } => {
            // A curve with ends has no far side.
            let has_far_side = scene.ground.ground().has_far_side(curve);
            let (how, rule) = match (has_far_side, &scene.compliance) {
                (false, _) => ("deep in", "the centre of the ball, at least one radius from the curve, on either side"),
                (true, Some(_)) => ("below", "the centre of the ball, above the ground"),
                (true, None) => ("below", "the centre of the ball, at least one radius above the ground"),
            };
            InputError::new(&at.span, format!("the ball starts {} m {how} {}", plain(depth), called(curve)), rule)
        }
        StartError::Corner { s } => {
            let s = plain(s);
            let message =
                format!("the ground has a corner at s = {s}, and a ball without speed is on neither side of it");
            InputError::new(&at.span, message, "a place where the ground has one direction")
                .with_help("give `speed`, along the side the ball goes to, or an `s` just before or after the corner")
        }
        StartError::NoRoom { radius, depth, curve } => {
            let (depth, curve) = (plain(depth), called(curve));
            let message =
                format!("a ball of radius {radius} m does not fit there: it would be {depth} m inside {curve}");
            InputError::new(&at.span, message, "a place where the ball touches the ground once")
        }
        StartError::Slip { .. } => {
            InputError::new(&initial.span, error.to_string(), "v·τ + R·spin must be 0 on ground that never lets slip")
                .with_help("give `spin = \"rolling\"` (a point mass: `speed = 0`), or a finite `friction`")
        }
        StartError::Crushed { .. } => {
            InputError::new(&initial.span, error.to_string(), "compressed by less than its radius").with_help(
                "give a larger `contact.stiffness`, a lighter ball, or an `initial.position` above the ground",
            )
        }
    }
}

/// Adds the free side of a curve without ends to the message, and the cure that swaps it.
fn other_side(error: InputError, scene: &Scene, initial: &Initial, curve: usize) -> InputError {
    let Some(inside) = scene.ground.ground().is_free_inside(curve) else {
        // The usual cause is a curve drawn from right to left.
        let Initial::Thrown { position, .. } = initial else { return error };
        let place = scene.ground.place_below(*position);
        let turned = scene.ground.curve_of(place) == curve && scene.ground.frame(place).normal.y < 0.0;
        let help = "the free side is left of travel, here the lower one: give the curve `reverse = true`";
        return if turned && scene.ground.ground().has_far_side(curve) { error.with_help(help) } else { error };
    };
    let (free, other) = if inside { ("inside", "outside") } else { ("outside", "inside") };
    error.with_help(format!("the curve is closed and its free side is {free}: start there, or give the curve `reverse = true`, which frees the {other}"))
}

fn on_ground<'n>(
    node: &'n Node,
    scene: &Scene,
    info: &CurveInfo,
    time: f64,
) -> Result<(Initial, &'n Node), InputError> {
    let mut table = Reader::new(node, "[initial.contact]")?;
    let ground = scene.ground.ground();
    let (x, s) = (table.get("x"), table.get("s"));
    let curve = curve_of(&mut table, info)?;
    let speed = table.get("speed").map_or(Ok(0.0), |node| moderate(node, "speed"))?;
    let spin = match table.get("spin") {
        None => Some(0.0),
        Some(node) => match &node.value {
            Value::String(text) if &**text == "rolling" => None,
            Value::Number(_) => Some(moderate(node, "spin")?),
            _ => return Err(wrong_type(node, "spin", "a number in rad/s, or \"rolling\"")),
        },
    };
    table.finish()?;
    // A setting overrides the other key of the file.
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
    let spot = if is_x { spot_above(scene, info, curve, at)? } else { spot_along(ground, info, curve, at)? };
    Ok((Initial::OnGround { spot, speed, spin, time }, at))
}

/// Index of the curve named by a key `ground`.
pub(crate) fn curve_called(node: &Node, info: &CurveInfo) -> Result<usize, InputError> {
    let Value::String(name) = &node.value else { return Err(wrong_type(node, "ground", "the name of a curve")) };
    let names = || info.curves.iter().map(|curve| &*curve.name);
    let label = match names().position(|known| known == &**name) {
        Some(found) => return Ok(found),
        None if info.curves.is_empty() => "there is one curve, without a name",
        None => "the name of a `[[ground]]`",
    };
    let error = InputError::new(&node.span, format!("no curve is called \"{name}\""), label);
    if info.curves.is_empty() {
        return Err(error);
    }
    let more = (info.curves.len() > LISTED).then_some("…");
    Err(error.with_help(match did_you_mean(name, names()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("known here: {}", names().take(LISTED).chain(more).collect::<Vec<_>>().join(", ")),
    }))
}

/// Index of the curve named in a table; `None`: the only one.
fn curve_of(table: &mut Reader, info: &CurveInfo) -> Result<Option<usize>, InputError> {
    match info.curves.len() {
        0 => Ok(Some(0)),
        count => table.get("ground").map_or(Ok((count == 1).then_some(0)), |node| curve_called(node, info).map(Some)),
    }
}

/// Reads a number of a start, at most [`FAR`].
pub(crate) fn moderate(node: &Node, key: &str) -> Result<f64, InputError> {
    let value = number(node, key)?;
    if value.abs() <= FAR {
        return Ok(value);
    }
    Err(InputError::new(&node.span, format!("`{key}` is too large"), format!("at most {FAR:e} either way")))
}

/// The only place of the ground at this x.
fn spot_above(scene: &Scene, info: &CurveInfo, curve: Option<usize>, node: &Node) -> Result<Spot, InputError> {
    let ground = scene.ground.ground();
    let x = number(node, "x")?;
    let mut found = ground.above(x);
    found.retain(|upright| curve.is_none_or(|curve| ground.curve_at(upright.from) == curve));
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
    let name = |upright: &Upright| info.name(ground.curve_at(upright.from));
    let listed = found.iter().take(LISTED).map(|upright| {
        let [from, to] = [upright.from, upright.to].map(|spot| ground.shown_spot(spot));
        let on = name(upright).map_or(String::new(), |name| format!(" of {name}"));
        if point(upright) { format!("{from}{on}") } else { format!("from {from} to {to}{on}") }
    });
    let listed = listed.chain((found.len() > LISTED).then(|| "…".to_owned())).collect::<Vec<_>>().join(", ");
    let beside = match found.first().and_then(name).filter(|_| curve.is_none()) {
        Some(name) => {
            format!("name the curve beside it, as in `ground = \"{name}\"` (--set initial.contact.ground={name}), or ")
        }
        None => String::new(),
    };
    let help = format!("{beside}give `s` instead of `x`: {listed}");
    Err(InputError::new(&node.span, message, "not unique").with_help(help))
}

/// The place of the ground at this `s`, as in outputs.
fn spot_along(ground: &Ground, info: &CurveInfo, curve: Option<usize>, node: &Node) -> Result<Spot, InputError> {
    let s = number(node, "s")?;
    let Some(curve) = curve else {
        let names = info.curves.iter().map(|curve| &*curve.name).take(LISTED).collect::<Vec<_>>().join(", ");
        return Err(InputError::new(&node.span, "`s` of which curve?", "there are several")
            .with_help(format!("give its name beside it, as in `ground = \"NAME\"`: {names}")));
    };
    ground.locate(curve, s).ok_or_else(|| {
        let (from, to) = ends(ground, curve);
        let rule = format!("from {} to {}", plain(from), plain(to));
        InputError::new(&node.span, format!("there is no ground at s = {}", plain(s)), rule)
    })
}
