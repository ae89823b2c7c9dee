//! Whether lengths and times of a table can be in the units they are said to be in: free arcs bend as gravity says.

use mechanics::State;
use nalgebra::{Vector2, Vector3};
use scenario::input::{InputError, plain, rounded};
use scenario::unknowns::Unknowns;
use supervisor::Start;

use super::data::Data;
use super::energy;
use super::plan::{AXES, Plan, View};
use super::robust::{median, parabola};

/// Rows of an arc; longer ones where the noise of short ones hides how they bend.
pub(super) const ROWS: [usize; 4] = [7, 15, 31, 61];
/// Arcs that make it sure; fewer are enough if they are known so many times better.
const ENOUGH: (usize, f64) = (5, 3.0);
/// An acceleration is known if it, or at least gravity, is so many times its error.
pub(super) const KNOWN: f64 = 10.0;
/// Number of its errors below which a number is none.
const SEEN: f64 = 2.0;
/// An arc with an impact in it is no parabola: it is off by more than this many times what others are, and by more than this
/// part of how much it bends.
const SMOOTH: (f64, f64) = (3.0, 0.02);
/// Factor from which on a unit is another than said.
const FACTOR: f64 = 3.0;
/// Gravity on no body that balls are thrown on is so many times that of another.
const ELSEWHERE: f64 = 20.0;
/// Ratio of accelerations beyond which a film of a ball on the ground is refused: no run comes near it, and each takes too long.
const FAR: f64 = ELSEWHERE * ELSEWHERE;
/// Units of lengths that are named if they would agree to this part.
const NAMES: [(&str, f64); 5] = [("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("ft", 0.3048), ("km", 1e3)];
const AGREES: f64 = 0.1;
/// Units of times that are named if they would agree to that part, s.
const CLOCKS: [(&str, f64); 3] = [("ms", 1e-3), ("min", 60.0), ("days", 86400.0)];
/// Part to which units of lengths have to agree where drag or rolling takes some of the acceleration.
const DRAGGED: f64 = 0.25;
/// Rows whose distance from the ground is looked at.
const LOOKED_AT: usize = 40;
/// Part of all that was seen within which a place is on the ground.
const NEAR: f64 = 0.1;
/// Films slowed down by more than this are rather numbers of frames taken for seconds.
const SLOWED: f64 = 15.0;

/// Hint at another unit or direction of y, if the table's arcs bend otherwise than gravity makes them; or at the origin, if the ball
/// starts elsewhere.
pub fn units_hint(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<String> {
    off_arcs(unknowns, data, plan)
        .or_else(|| off_start(unknowns, data, plan))
        .or_else(|| below_ground(unknowns, data, plan))
}

/// Whether y grows downwards, as arcs of a flight or the energy of a ball on the ground tell in any unit.
pub(super) fn counts_down(unknowns: &Unknowns, data: &Data) -> Option<bool> {
    let written = unknowns.written();
    let gravity = written.scene.forces.gravity_vector();
    if !(gravity.y.abs() > 0.9 * gravity.norm()) {
        return None;
    }
    if rolls(unknowns, data) {
        let (found, _) = by_energy(unknowns, data, View::PLAIN)?;
        return Some(found < 0.0);
    }
    let seen = data.seen().filter(|(_, axis, _)| *axis == 1);
    let places: Vec<(f64, f64)> = seen.map(|(i, _, value)| (data.rows[i].time, value)).collect();
    let (found, error) = acceleration(&places, gravity.y.abs())?;
    (found.abs() > KNOWN * error).then_some(found * gravity.y < 0.0)
}

/// Whether the film is of a ball on the ground: the scenario has it there, and the film does not show a flight, whose arcs bend along gravity
/// alone.
fn rolls(unknowns: &Unknowns, data: &Data) -> bool {
    if matches!(unknowns.written().start, Start::Contact { .. }) {
        return true;
    }
    let gravity = unknowns.written().scene.forces.gravity_vector();
    let along = usize::from(gravity.x.abs() < gravity.y.abs());
    let [fall, across] = [along, 1 - along].map(|axis| {
        let seen = data.seen().filter(|(_, own, _)| *own == axis);
        acceleration(&seen.map(|(i, _, value)| (data.rows[i].time, value)).collect::<Vec<_>>(), gravity.norm())
    });
    let flies = match (fall, across) {
        (Some((fall, error)), Some((across, other))) => {
            fall.abs() > KNOWN * error && across.abs() < AGREES * fall.abs() + KNOWN * other
        }
        // Noise hides it.
        (_, None) => true,
        (None, _) => false,
    };
    !flies && energy::is_on_ground(unknowns, data)
}

/// g of a ball on the ground, see [`energy::gravity`].
fn by_energy(unknowns: &Unknowns, data: &Data, view: View) -> Option<(f64, f64)> {
    let scene = &unknowns.written().scene;
    let gravity = scene.forces.gravity_vector();
    let along = usize::from(gravity.x.abs() < gravity.y.abs());
    let places = data.rows.iter().filter(|row| row.place.iter().all(|c| c.is_finite())).map(|row| {
        let [x, y] = [0, 1].map(|axis| view.place(axis, row.place[axis]));
        (row.time, if along == 1 { [x, -gravity.y.signum() * y] } else { [y, -gravity.x.signum() * x] })
    });
    energy::gravity(&places.collect::<Vec<_>>(), scene.ball.inertia_factor())
}

/// Hint at the origin if a ball that starts in flight is elsewhere in the first row.
fn off_start(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<String> {
    let Start::Flight(State { position, .. }) = unknowns.written().start else { return None };
    let free = unknowns.list().iter().any(|unknown| unknown.key.starts_with("initial.position"));
    let first = data.rows.first().filter(|row| row.time == 0.0 && !free && plan.scale.is_none())?;
    let view = plan.view;
    let seen = |axis: usize| first.place[axis].is_finite();
    let off = |axis: usize| if seen(axis) { view.place(axis, first.place[axis]) - position[axis] } else { 0.0 };
    let by = off(0).hypot(off(1));
    if by < NEAR * data.extent() * view.scale {
        return None;
    }
    let origin = |axis: usize| {
        let there = first.place[axis] - view.sign(axis) * position[axis] / view.scale;
        plain(rounded(if seen(axis) { there } else { view.origin[axis] }, 5))
    };
    Some(format!(
        "row {} is {} m from where the ball starts: --origin {},{} puts the start there, or `initial.position` in --free finds it",
        first.line,
        plain(rounded(by, 3)),
        origin(0),
        origin(1)
    ))
}

/// Tells of the origin where all places are below the ground: no ball comes there, whatever the scale.
fn below_ground(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<String> {
    let (view, ground) = (plan.view, &unknowns.written().scene.ground);
    let whole = || data.rows.iter().map(|row| row.place).filter(|place| place.iter().all(|c| c.is_finite()));
    let is_below = |place: [f64; 2]| ground.gap(Vector2::new(view.place(0, place[0]), view.place(1, place[1]))) < 0.0;
    let lowest = whole().min_by(|a, b| view.place(1, a[1]).total_cmp(&view.place(1, b[1])))?;
    whole().all(is_below).then(|| {
        format!(
            "all places in the table are below the ground: --origin X,Y says where the scenario's origin is in the table, such as \
             --origin {},{} if the ball is on y = 0 where it is lowest",
            plain(view.origin[0]),
            plain(rounded(lowest[1], 5))
        )
    })
}

fn off_arcs(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<String> {
    let written = unknowns.written();
    let forces = &written.scene.forces;
    let gravity = forces.gravity_vector();
    let axis = usize::from(gravity.x.abs() < gravity.y.abs());
    let g = gravity.norm();
    let free = unknowns.list().iter().any(|unknown| unknown.key.starts_with("forces.gravity"));
    if !falls_plainly(unknowns) {
        return None;
    }
    if rolls(unknowns, data) {
        let off = off_the_ground(unknowns, data, plan).filter(|off| !off.is_refused)?;
        return Some(format!("{}: {}", off.told, off.cures));
    }
    let Start::Flight(State { time, position, velocity, spin, .. }) = written.start else { return None };
    let falls = forces.at(time, position.into(), velocity.into(), spin)[axis] * gravity[axis] > 0.0;
    let view = plan.view;
    let places: Vec<(f64, f64)> = data
        .seen()
        .filter(|(_, a, _)| *a == axis)
        .map(|(i, _, value)| (data.rows[i].time, gravity[axis].signum() * view.place(axis, value)))
        .collect();
    let (found, error) = acceleration(&places, g)?;
    let ratio = found / g;
    let size = ratio.abs();
    if free {
        let planet = (1.0 / ELSEWHERE..ELSEWHERE).contains(&size);
        return (!planet && plan.scale.is_none()).then(|| {
            format!(
                "places in the table are accelerated by {} of their unit a second squared, and a free gravity is found in that: if \
                 they are not in m, give --unit or --scale",
                plain(rounded(found.abs() / view.scale, 3))
            )
        });
    }
    let upwards = ratio < 0.0 && falls && axis == 1 && size > 1.0 / FACTOR;
    let slow = !forces.varies_in_motion() && ratio > 0.0 && size < 1.0 / FACTOR;
    let units = plan.scale.is_none() && (slow || size > FACTOR);
    if !(upwards || units) {
        return None;
    }
    if slow && found < SEEN * error {
        return Some(format!(
            "places in the table are hardly accelerated along {}, and gravity is {} m/s²: are its columns others \
             (--columns T,X,Y), or times or lengths in other units?",
            AXES[axis],
            plain(g)
        ));
    }
    let number = |value: f64| plain(rounded(value, 3));
    Some(format!(
        "places in the table are accelerated {}by {} m/s², and gravity is {} m/s²: {}",
        if upwards { "upwards " } else { "" },
        number(size * g),
        plain(g),
        cures(view, upwards, units.then_some(size), (true, forces.varies_in_motion()))
    ))
}

/// Whether gravity acts along one axis, and nothing beside it but drag: other forces may bend a flight any way.
fn falls_plainly(unknowns: &Unknowns) -> bool {
    let forces = &unknowns.written().scene.forces;
    let gravity = forces.gravity_vector();
    forces.clone().without_drag().constant(1.0).is_some() && gravity.x.abs().max(gravity.y.abs()) > 0.9 * gravity.norm()
}

/// Contradiction of a table to a ball on the ground, and its cures.
struct Off {
    told: String,
    cures: String,
    /// Whether no run comes near the table.
    is_refused: bool,
}

/// Contradiction of places off the ground, or of energy that does not fall as gravity says, for a ball on the ground.
fn off_the_ground(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<Off> {
    let g = unknowns.written().scene.forces.gravity_vector().norm();
    let free = unknowns.list().iter().any(|unknown| unknown.key.starts_with("forces.gravity"));
    let off = off_ground(unknowns, data, plan);
    if let Some((told, Some(option))) = off {
        return Some(Off { told, cures: format!("they are on it with {option}"), is_refused: true });
    }
    let told = off.map(|(told, _)| told);
    let found = by_energy(unknowns, data, plan.view).filter(|_| falls_plainly(unknowns));
    let wrong = found.and_then(|(found, _)| {
        let (down, size) = (found < 0.0, (found / g).abs());
        let units = plan.scale.is_none() && !free && !(1.0 / FACTOR..FACTOR).contains(&size);
        // What is on the ground is in the unit of the ground.
        let lengths = told.is_some() || matches!(unknowns.written().start, Start::Flight(_));
        let cures = cures(plan.view, down, units.then_some(size), (lengths, true));
        let is_refused = units && !(1.0 / FAR..FAR).contains(&size);
        let energy = format!(
            "the ball in the table gains speed by what it falls as if gravity were {} m/s², and it is {} m/s²",
            plain(rounded(found, 3)),
            plain(g)
        );
        (down || units).then_some((energy, cures, is_refused))
    });
    match (told, wrong) {
        (None, None) => None,
        (Some(told), None) => {
            let cures = "are --origin, --scale, --unit and the ground right?".to_owned();
            Some(Off { told, cures, is_refused: false })
        }
        (told, Some((energy, cures, is_refused))) => {
            let told = told.map_or(energy.clone(), |told| format!("{told}, and {energy}"));
            Some(Off { told, cures, is_refused })
        }
    }
}

/// Cures for y that counts the other way, and for accelerations of `size` times gravity. `lengths`: whether those may be wrong;
/// `about`: whether size is known roughly, as drag or rolling take a part of it.
fn cures(view: View, upwards: bool, size: Option<f64>, (lengths, about): (bool, bool)) -> String {
    let mut cures = Vec::new();
    if upwards && view.down {
        cures.push("y seems to count upwards, so leave --y-down out".to_owned());
    } else if upwards {
        cures.push("y seems to count downwards, as pixels do: --y-down".to_owned());
    }
    if let Some(size) = size {
        let length = view.scale / size;
        let agrees = if about { DRAGGED } else { AGREES };
        let named = NAMES.iter().find(|(_, unit)| (length / unit - 1.0).abs() < agrees);
        let option = match named {
            Some((unit, _)) => format!("--unit {unit}"),
            None if about => format!("--scale {length:.0e} or so"),
            None => format!("--scale {length:.2e}"),
        };
        let times = times(1.0 / size.sqrt());
        match lengths {
            true => cures.push(format!("lengths would agree with {option}{times}")),
            false if times.is_empty() => cures.push("are the times right, and --fps?".to_owned()),
            false => cures.push(times.trim_start_matches(", or ").to_owned()),
        }
    }
    cures.join("; ")
}

/// Contradiction of places that are off the ground, in words, and the option that puts them there if one surely does. They are off
/// it if the middle one of their distances is more than a part of all that was seen.
fn off_ground(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<(String, Option<String>)> {
    let written = unknowns.written();
    let known = !unknowns.list().iter().any(|unknown| unknown.key.starts_with("ground"));
    if !(known && plan.scale.is_none()) {
        return None;
    }
    let whole: Vec<[f64; 2]> =
        data.rows.iter().map(|row| row.place).filter(|place| place.iter().all(|c| c.is_finite())).collect();
    let each = whole.len().div_ceil(LOOKED_AT).max(1);
    // The middle distance over the extent, in a view; `from`: which coordinate of the table is x, and which y.
    let off_by = |view: View, from: [usize; 2]| {
        let place = |shown: &[f64; 2]| Vector2::new(view.place(0, shown[from[0]]), view.place(1, shown[from[1]]));
        let mut gaps: Vec<f64> =
            whole.iter().step_by(each).map(|shown| written.scene.ground.gap(place(shown)).abs()).collect();
        Some(median(&mut gaps)? / (data.extent() * view.scale))
    };
    let off = |view: View| off_by(view, [0, 1]);
    let here = off(plan.view)?;
    if here < NEAR {
        return None;
    }
    let flipped = |view: View| View { down: !view.down, ..view };
    let units = NAMES
        .iter()
        .map(|(name, unit)| (format!("--unit {name}"), View { scale: plan.view.scale * unit, ..plan.view }));
    let down = if plan.view.down { "without --y-down" } else { "--y-down" };
    let best = |views: Vec<(String, View)>| {
        let all = views.into_iter().filter_map(|(name, view)| Some((off(view)?, name)));
        let best = all.min_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|(there, _)| *there < NEAR && *there < here / KNOWN).map(|(_, name)| name)
    };
    let over: Vec<(String, View)> = units
        .clone()
        .map(|(name, view)| (format!("{name} {down}"), flipped(view)))
        .chain([(down.to_owned(), flipped(plan.view))])
        .collect();
    let swapped = || off_by(plan.view, [1, 0]).filter(|there| *there < NEAR && *there < here / KNOWN);
    // Level ground is as near either way up: only what is not on it as it stands is turned over.
    let sure = best(units.collect())
        .or_else(|| best(over))
        .or_else(|| swapped().map(|_| "x and y the other way round: --columns T,X,Y".to_owned()));
    let distance = plain(rounded(here * data.extent() * plan.view.scale, 3));
    Some((format!("places in the table are {distance} m from where the ball's centre is on the ground"), sure))
}

/// Refuses places of a rolling ball that are on the ground in another unit, or the other way up, and those that gain speed far from as
/// gravity says: no run comes near them.
pub(super) fn check_on_ground(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Result<(), InputError> {
    if !rolls(unknowns, data) {
        return Ok(());
    }
    match off_the_ground(unknowns, data, plan) {
        Some(off) if off.is_refused => Err(InputError::without_place(off.told).with_help(off.cures)),
        _ => Ok(()),
    }
}

/// Cure for times that go by so many times too slowly; empty: they are right.
fn times(slower: f64) -> String {
    if let Some((unit, _)) = CLOCKS.iter().find(|(_, size)| (slower * size - 1.0).abs() < AGREES) {
        return format!(", or times in {unit}: `t [{unit}]` in the header");
    }
    match slower {
        _ if slower > SLOWED => format!(", or times with --fps {slower:.0}"),
        _ if slower > 1.5 => {
            let whole = slower.round();
            let rounded = format!("{slower:.1}").parse().unwrap_or(slower);
            let times = plain(if (slower / whole - 1.0).abs() < 0.5 * AGREES { whole } else { rounded });
            format!(", or times if the film runs {times} times too slowly: --fps {times} divides them by that")
        }
        _ => String::new(),
    }
}

/// The acceleration and its error, m/s² where places are in m, along arcs of the first flight as short as their noise allows. `None`:
/// noise hides it.
fn acceleration(places: &[(f64, f64)], g: f64) -> Option<(f64, f64)> {
    let mut found = None;
    let mut least = f64::INFINITY;
    for rows in ROWS {
        let arcs: Vec<Arc> = places.windows(rows).filter_map(bend).collect();
        let mut spreads: Vec<f64> = arcs.iter().map(|arc| arc.spread).collect();
        spreads.sort_by(f64::total_cmp);
        let Some(usual) = spreads.get(spreads.len() / 4).copied() else { break };
        if usual > 2.0 * least {
            // No flight is as long.
            break;
        }
        least = usual.min(least);
        let smooth = |arc: &&Arc| arc.spread <= (SMOOTH.0 * usual).max(SMOOTH.1 * arc.bent);
        let kept: Vec<&Arc> = arcs.iter().take_while(smooth).collect();
        let known = if kept.len() < ENOUGH.0 { ENOUGH.1 * KNOWN } else { KNOWN };
        let mut bends: Vec<f64> = kept.iter().map(|arc| arc.acceleration).collect();
        let mut errors: Vec<f64> = kept.iter().map(|arc| arc.error).collect();
        let (Some(bent), Some(error)) = (median(&mut bends), median(&mut errors)) else { continue };
        if known * error < bent.abs() {
            return Some((bent, error));
        }
        found = found.or((known * error < g).then_some((bent, error)));
    }
    found
}

/// A parabola through some places.
pub(super) struct Arc {
    /// Velocity in its middle.
    pub velocity: f64,
    pub acceleration: f64,
    error: f64,
    /// Standard deviation from it.
    spread: f64,
    /// Distance of its end from its tangent in the middle.
    bent: f64,
}

/// The parabola closest to an arc.
pub(super) fn bend(arc: &[(f64, f64)]) -> Option<Arc> {
    let (first, last) = (arc.first()?.0, arc.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let scaled: Vec<(f64, f64)> = arc.iter().map(|(t, place)| ((t - middle) / half, *place)).collect();
    let (found, covariance) = parabola(&scaled)?;
    let squares: f64 = scaled.iter().map(|(s, place)| (place - found.dot(&Vector3::new(1.0, *s, s * s))).powi(2)).sum();
    let spread = (squares / (arc.len() - 3) as f64).sqrt();
    let by = 2.0 / (half * half);
    let error = by * spread * covariance[(2, 2)].sqrt();
    Some(Arc { velocity: found[1] / half, acceleration: by * found[2], error, spread, bent: found[2].abs() })
}
