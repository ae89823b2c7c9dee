//! Whether lengths and times of a table can be in the units they are said to be in, and which way is up: a flight bends as gravity says, and
//! a ball on the ground pays for the speed that it gains in height.
//!
//! ```text
//! flight:     a = g
//! on ground:  (1 + k) v · a = −g ẏ − losses        k = I/(m R²)
//! ```
//!
//! g of the table over g of the scenario is the unit of lengths over that of times squared, whatever the ground's shape. It is negative
//! if y counts the other way. Losses and k leave a factor of two unknown on the ground; level ground tells nothing.

use identify::Trace;
use mechanics::State;
use nalgebra::{Vector2, Vector3};
use scenario::input::{InputError, plain, rounded};
use scenario::unknowns::Unknowns;
use supervisor::{Phase, Start};

use super::data::{Data, FilmRow};
use super::plan::{AXES, FitPlan, View};
use super::robust::{median, parabola, ranked};

/// Rows of an arc; longer ones where the noise of short ones hides how they bend.
const ROWS: [usize; 4] = [7, 15, 31, 61];
/// Arcs that make it sure; fewer are enough if they are known so many times better.
const ENOUGH: (usize, f64) = (5, 3.0);
/// An acceleration is known if it, or at least gravity, is so many times its error.
const KNOWN: f64 = 10.0;
/// Number of its errors below which a number is none.
const SEEN: f64 = 2.0;
/// An arc with an impact in it is no parabola: it is off by more than this many times what others are, and by more than this
/// part of how much it bends.
const SMOOTH: (f64, f64) = (3.0, 0.02);
/// Factor from which on a unit is another than said.
const FACTOR: f64 = 3.0;
/// Gravity on no body that balls are thrown on is so many times that of another. No run of a ball on the ground comes near such a film.
const ELSEWHERE: f64 = 20.0;
/// Units of lengths that are named if they would agree to this part.
const NAMES: [(&str, f64); 5] = [("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("ft", 0.3048), ("km", 1e3)];
const AGREES: f64 = 0.1;
/// Units of times that are named if they would agree to that part, s.
const CLOCKS: [(&str, f64); 3] = [("ms", 1e-3), ("min", 60.0), ("days", 86400.0)];
/// Part to which units of lengths have to agree where drag or rolling takes some of the acceleration.
const DRAGGED: f64 = 0.25;
/// Part of all that was seen within which a place is on the ground.
const NEAR: f64 = 0.1;
/// Arcs that are looked at, at most: of a longer table some all over it, and the first ones.
const ARCS: usize = 2000;
/// Rows whose distance from the ground is looked at.
const LOOKED_AT: usize = 40;
/// Films slowed down by more than this are rather numbers of frames taken for seconds.
const SLOWED: f64 = 15.0;
/// Steps of a run that is made to see whether it rolls.
const LIMIT: u64 = 10_000;

/// Contradiction of a table to gravity, and its cures.
struct Contradiction {
    told: String,
    cures: String,
    /// Whether no run comes near the table.
    is_refused: bool,
}

/// Hint at another unit or direction of y, if the table bends otherwise than gravity makes it; or at the origin, if all places are below
/// the ground.
pub fn units_hint(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Option<String> {
    let against = against_gravity(unknowns, data, plan).map(|found| format!("{}: {}", found.told, found.cures));
    against.or_else(|| below_ground(unknowns, data, plan))
}

/// Refuses places of a ball on the ground that gains speed far from as gravity says: no run comes near them, and each takes long.
pub(super) fn check_units(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Result<(), InputError> {
    match against_gravity(unknowns, data, plan).filter(|found| found.is_refused) {
        Some(found) => Err(InputError::without_place(found.told).with_help(found.cures)),
        None => Ok(()),
    }
}

/// Whether y grows downwards, as arcs of a flight or the energy of a ball on the ground tell in any unit.
pub(super) fn counts_down(unknowns: &Unknowns, data: &Data) -> Option<bool> {
    let gravity = unknowns.written().scene.forces.gravity_vector();
    let (found, error) = Fall::of(unknowns, data).filter(|fall| fall.axis == 1)?.gravity(data, View::PLAIN)?;
    (gravity.y.abs() > 0.9 * gravity.norm() && found.abs() > KNOWN * error).then_some(found < 0.0)
}

/// How the ball of a film falls.
struct Fall {
    /// Axis of gravity, its sign along it and its size, m/s².
    axis: usize,
    sign: f64,
    size: f64,
    /// 1 + k of a ball on the ground; `None`: it flies.
    on_ground: Option<f64>,
}

impl Fall {
    /// By the scenario; `None`: forces other than gravity along an axis and drag may bend a flight any way.
    fn of(unknowns: &Unknowns, data: &Data) -> Option<Self> {
        let written = unknowns.written();
        let forces = &written.scene.forces;
        let gravity = forces.gravity_vector();
        let axis = usize::from(gravity.x.abs() < gravity.y.abs());
        let plainly = forces.clone().without_drag().constant(1.0).is_some();
        let in_flight = || flies(data, axis, gravity.norm());
        let rolls = matches!(written.start, Start::Contact { .. }) || !in_flight() && is_on_ground(unknowns, data);
        let on_ground = rolls.then(|| 1.0 + written.scene.ball.inertia_factor());
        let fall = Fall { axis, sign: gravity[axis].signum(), size: gravity.norm(), on_ground };
        (plainly && gravity[axis].abs() > 0.9 * gravity.norm()).then_some(fall)
    }

    /// g and its error, m/s² in a view of the table; negative if it falls the other way. `None`: noise hides it.
    fn gravity(&self, data: &Data, view: View) -> Option<(f64, f64)> {
        let along = |axis: usize, rows: &mut dyn Iterator<Item = &FilmRow>| {
            let place = |row: &FilmRow| (row.time, self.sign * view.place(axis, row.place[axis]));
            rows.map(place).filter(|(_, place)| place.is_finite()).collect::<Vec<_>>()
        };
        let Some(inertia) = self.on_ground else {
            return acceleration(&along(self.axis, &mut data.rows.iter()), self.size);
        };
        let whole: Vec<FilmRow> =
            data.rows.iter().filter(|row| row.place.iter().all(|c| c.is_finite())).copied().collect();
        let [fall, across] = [self.axis, 1 - self.axis].map(|axis| along(axis, &mut whole.iter()));
        balance(&fall, &across, inertia)
    }
}

fn against_gravity(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Option<Contradiction> {
    let fall = Fall::of(unknowns, data)?;
    let (found, error) = fall.gravity(data, plan.view)?;
    let (view, forces) = (plan.view, &unknowns.written().scene.forces);
    let free = unknowns.list().iter().any(|unknown| unknown.key.starts_with("forces.gravity"));
    let (ratio, size) = (found / fall.size, (found / fall.size).abs());
    let [small, large] = [size < 1.0 / FACTOR, size > FACTOR];
    let [found, g] = [plain(rounded(found, 3)), plain(fall.size)];
    let on_ground = fall.on_ground.is_some();
    let (down, units) = match on_ground {
        true => (ratio < 0.0, !free && (small || large)),
        false if free => return None,
        false => {
            let slow = !forces.varies_in_motion() && ratio > 0.0 && small;
            (ratio < 0.0 && falls(unknowns, &fall) && fall.axis == 1 && !small, slow || large)
        }
    };
    let units = units && plan.scale.is_none();
    if !(down || units) {
        return None;
    }
    let hidden = !on_ground && small && ratio * fall.size < SEEN * error;
    let told = match on_ground {
        true => format!(
            "the ball in the table gains speed by what it falls as if gravity were {found} m/s², and it is {g} m/s²"
        ),
        false if hidden => {
            format!("places in the table are hardly accelerated along {}, and gravity is {g} m/s²", AXES[fall.axis])
        }
        false => {
            let way = if down { "upwards " } else { "" };
            format!(
                "places in the table are accelerated {way}by {} m/s², and gravity is {g} m/s²",
                found.trim_start_matches('-')
            )
        }
    };
    // What is on the ground is in the unit of the ground.
    let lengths = matches!(unknowns.written().start, Start::Flight(_)) || is_off_ground(unknowns, data, view);
    let cures = match hidden {
        true => "are its columns others (--columns T,X,Y), or times or lengths in other units?".to_owned(),
        false => UnitCures {
            view,
            down,
            size: units.then_some(size),
            lengths,
            about: on_ground || forces.varies_in_motion(),
        }
        .text(),
    };
    Some(Contradiction { told, cures, is_refused: on_ground && units && !(1.0 / ELSEWHERE..ELSEWHERE).contains(&size) })
}

/// Whether the ball of the scenario falls at its start: its spin may lift it.
fn falls(unknowns: &Unknowns, fall: &Fall) -> bool {
    let written = unknowns.written();
    let Start::Flight(State { time, position, velocity, spin, .. }) = written.start else { return false };
    written.scene.forces.at(time, position.into(), velocity.into(), spin)[fall.axis] * fall.sign > 0.0
}

/// Whether a film shows a flight: its arcs bend along gravity alone, or noise hides how they bend.
fn flies(data: &Data, axis: usize, g: f64) -> bool {
    let bent = |axis: usize| {
        let seen = data.seen().filter(|(_, own, _)| *own == axis);
        acceleration(&seen.map(|(i, _, value)| (data.rows[i].time, value)).collect::<Vec<_>>(), g)
    };
    match (bent(axis), bent(1 - axis)) {
        (Some((fall, error)), Some((across, other))) => {
            fall.abs() > KNOWN * error && across.abs() < AGREES * fall.abs() + KNOWN * other
        }
        (_, None) => true,
        (None, _) => false,
    }
}

/// Whether the ball of the scenario as written is on the ground for more than half of the film's times.
fn is_on_ground(unknowns: &Unknowns, data: &Data) -> bool {
    let options = supervisor::Options { duration: data.end(), limit: Some(LIMIT), ..unknowns.written().options() };
    let Ok(model) = unknowns.model(&unknowns.start()) else { return false };
    let Ok(trace) = Trace::of(&model, options, 1e-6) else { return false };
    let (mut on_ground, mut from) = (0.0, 0.0);
    let mut until = |time: f64, phase: Phase| {
        on_ground += if phase == Phase::Flight { 0.0 } else { time - from };
        from = time;
    };
    trace.events().for_each(|event| until(event.before.time, event.phase_before));
    trace.last.into_iter().for_each(|phase| until(trace.end, phase));
    on_ground > 0.5 * data.end()
}

/// Places with both coordinates, as the scenario has them.
fn places(data: &Data, view: View) -> impl Iterator<Item = Vector2<f64>> {
    let whole = data.rows.iter().map(|row| row.place).filter(|place| place.iter().all(|c| c.is_finite()));
    whole.map(move |[x, y]| Vector2::new(view.place(0, x), view.place(1, y)))
}

/// Whether the middle one of the places' distances from the ground is more than a part of all that was seen.
fn is_off_ground(unknowns: &Unknowns, data: &Data, view: View) -> bool {
    let ground = &unknowns.written().scene.ground;
    let each = data.rows.len().div_ceil(LOOKED_AT).max(1);
    let mut gaps: Vec<f64> = places(data, view).step_by(each).map(|place| ground.gap(place).abs()).collect();
    median(&mut gaps).is_some_and(|gap| gap > NEAR * data.extent() * view.scale)
}

/// Tells of the origin where all places are below the ground: no ball comes there, whatever the scale.
fn below_ground(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Option<String> {
    let (view, ground) = (plan.view, &unknowns.written().scene.ground);
    let lowest = places(data, view).map(|place| place.y).reduce(f64::min)?;
    places(data, view).all(|place| ground.gap(place) < 0.0).then(|| {
        let origin = [plain(view.origin[0]), plain(rounded(view.shown(1, lowest), 5))].join(",");
        format!(
            "all places in the table are below the ground: --origin X,Y says where the scenario's origin is in the table, such as \
             --origin {origin} if the ball is on y = 0 where it is lowest"
        )
    })
}

/// Cures for y that counts the other way, and for accelerations of so many times gravity.
struct UnitCures {
    view: View,
    down: bool,
    /// The acceleration over gravity, if it is another.
    size: Option<f64>,
    /// Whether lengths may be wrong.
    lengths: bool,
    /// Whether the size is known roughly, as drag or rolling take a part of it.
    about: bool,
}

impl UnitCures {
    fn text(&self) -> String {
        let mut cures = Vec::new();
        if self.down {
            cures.push(match self.view.down {
                true => "y seems to count upwards, so leave --y-down out".to_owned(),
                false => "y seems to count downwards, as pixels do: --y-down".to_owned(),
            });
        }
        if let Some(size) = self.size {
            let (length, times) = (self.view.scale / size, times(1.0 / size.sqrt()));
            let agrees = if self.about { DRAGGED } else { AGREES };
            let option = match NAMES.iter().find(|(_, unit)| (length / unit - 1.0).abs() < agrees) {
                Some((unit, _)) => format!("--unit {unit}"),
                None if self.about => format!("--scale {length:.0e} or so"),
                None => format!("--scale {length:.2e}"),
            };
            cures.push(match self.lengths {
                true => format!("lengths would agree with {option}{times}"),
                false if times.is_empty() => "are the times right, and --fps?".to_owned(),
                false => times.trim_start_matches(", or ").to_owned(),
            });
        }
        cures.join("; ")
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
        let all_over = places.windows(rows).step_by(places.len().div_ceil(ARCS).max(1));
        let mut spreads: Vec<f64> = all_over.filter_map(bend).map(|arc| arc.spread).collect();
        let quarter = spreads.len() / 4;
        let Some(usual) = ranked(&mut spreads, quarter) else { break };
        if usual > 2.0 * least {
            // No flight is as long.
            break;
        }
        least = usual.min(least);
        let smooth = |arc: &ShortArc| arc.spread <= (SMOOTH.0 * usual).max(SMOOTH.1 * arc.bent);
        let kept: Vec<ShortArc> = places.windows(rows).filter_map(bend).take_while(smooth).take(ARCS).collect();
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
struct ShortArc {
    /// Velocity in its middle.
    velocity: f64,
    acceleration: f64,
    error: f64,
    /// Standard deviation from it.
    spread: f64,
    /// Distance of its end from its tangent in the middle.
    bent: f64,
}

/// The parabola closest to an arc.
fn bend(arc: &[(f64, f64)]) -> Option<ShortArc> {
    let (first, last) = (arc.first()?.0, arc.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let scaled: Vec<(f64, f64)> = arc.iter().map(|(t, place)| ((t - middle) / half, *place)).collect();
    let (found, normal) = parabola(&scaled)?;
    let squares: f64 = scaled.iter().map(|(s, place)| (place - found.dot(&Vector3::new(1.0, *s, s * s))).powi(2)).sum();
    let spread = (squares / (arc.len() - 3) as f64).sqrt();
    let by = 2.0 / (half * half);
    let error = by * spread * normal.try_inverse()?[(2, 2)].sqrt();
    Some(ShortArc { velocity: found[1] / half, acceleration: by * found[2], error, spread, bent: found[2].abs() })
}

/// g of a ball on the ground and its standard error, by the shortest arcs of which it is known well: places along gravity and across.
fn balance(fall: &[(f64, f64)], across: &[(f64, f64)], inertia: f64) -> Option<(f64, f64)> {
    ROWS.into_iter().find_map(|rows| {
        // Arcs that overlap by two thirds hang together.
        let step = rows.div_ceil(3);
        let arcs = fall.windows(rows).zip(across.windows(rows)).step_by(step);
        let power = |(fall, across)| {
            let [fall, across] = [bend(fall)?, bend(across)?];
            let power = fall.velocity * fall.acceleration + across.velocity * across.acceleration;
            Some((fall.velocity, inertia * power))
        };
        let powers = arcs.map(power).collect::<Option<Vec<(f64, f64)>>>()?;
        let squares: f64 = powers.iter().map(|(speed, _)| speed * speed).sum();
        let found = powers.iter().map(|(speed, power)| speed * power).sum::<f64>() / squares;
        let off: f64 = powers.iter().map(|(speed, power)| (power - found * speed).powi(2)).sum();
        let free = powers.len().checked_sub(1).filter(|free| *free > 0)? as f64;
        let error = (3.0 * off / free / squares).sqrt();
        (KNOWN * error < found.abs()).then_some((found, error))
    })
}
