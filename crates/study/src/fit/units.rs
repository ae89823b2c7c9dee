//! Checks units of lengths and times of a table, and the direction of y, by gravity: a flight has the acceleration g,
//! and a ball on the ground gains speed by losing height.
//!
//! ```text
//! flight:     a = g
//! on ground:  (1 + k) v · a = −g ẏ − losses        k = I/(m R²)
//! ```
//!
//! g of the table over g of the scenario is the factor of lengths over that of times squared, whatever the ground's
//! shape. It is negative if y counts the other way. On the ground, losses and k leave a factor of two uncertain; level
//! ground gives no answer.

use identify::Trace;
use mechanics::State;
use nalgebra::Vector2;
use scenario::input::{InputError, plain, rounded};
use scenario::unknowns::Unknowns;
use supervisor::{Phase, Start};

use super::data::{Data, FilmRow};
use super::fit_options::{AXES, FitPlan, View};
use super::robust::{Points, ShortArc, median, ranked};

/// Numbers of rows of an arc; longer arcs are used if noise hides the acceleration of shorter ones.
const ROWS: [usize; 4] = [7, 15, 31, 61];
/// Number of arcs needed; fewer suffice if their accelerations are this many times more accurate.
const ENOUGH: (usize, f64) = (5, 3.0);
/// An acceleration is known if it, or gravity, is at least this many times its standard error.
const KNOWN: f64 = 10.0;
/// A number is zero if it is below this many standard errors.
const SEEN: f64 = 2.0;
/// An arc with an impact is no parabola: its deviation exceeds this many times that of other arcs, and this
/// part of its sagitta.
const SMOOTH: (f64, f64) = (3.0, 0.02);
/// Factor from which on a unit counts as wrong.
const FACTOR: f64 = 3.0;
/// A film of a ball on the ground whose gravity is off by more than this factor is refused: no ball has rolled on two
/// celestial bodies whose gravities differ so much.
const ELSEWHERE: f64 = 20.0;
/// Part to which a named unit of lengths has to agree.
const NAMES: [(&str, f64); 5] = [("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("ft", 0.3048), ("km", 1e3)];
const AGREES: f64 = 0.1;
/// Units of times named in cures, s.
const CLOCKS: [(&str, f64); 3] = [("ms", 1e-3), ("min", 60.0), ("days", 86400.0)];
/// Part to which units of lengths have to agree where drag or rolling reduces the acceleration.
const DRAGGED: f64 = 0.25;
/// Distance, as a part of the table's extent, within which a place counts as on the ground.
const NEAR: f64 = 0.1;
/// Maximum number of arcs used: in a longer table the first ones, and some spread over it.
const ARCS: usize = 2000;
/// Number of rows whose distance from the ground is computed.
const LOOKED_AT: usize = 40;
/// Slow motion beyond this factor is rather a column of frame numbers taken for seconds.
const SLOWED: f64 = 15.0;
/// Maximum number of steps of the run that shows whether the ball rolls.
const LIMIT: u64 = 10_000;

/// Contradiction between a table and gravity, with cures.
struct Contradiction {
    told: String,
    cures: String,
    /// Whether the fit is refused, since no run comes near the table.
    is_refused: bool,
}

/// Hint at a wrong unit or direction of y, if the table's acceleration is not that of gravity; or at the origin, if all
/// places are below the ground.
pub fn units_hint(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Option<String> {
    let against = against_gravity(unknowns, data, plan).map(|found| format!("{}: {}", found.told, found.cures));
    against.or_else(|| below_ground(unknowns, data, plan))
}

/// Refuses places of a ball on the ground whose acceleration is far from that by gravity: no run comes near them, and
/// each takes long.
pub(super) fn check_units(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Result<(), InputError> {
    match against_gravity(unknowns, data, plan).filter(|found| found.is_refused) {
        Some(found) => Err(InputError::without_place(found.told).with_help(found.cures)),
        None => Ok(()),
    }
}

/// Whether y grows downwards, by the sign of g from the flight's arcs or the energy of a ball on the ground; `None`:
/// unknown.
pub(super) fn counts_down(unknowns: &Unknowns, data: &Data) -> Option<bool> {
    let gravity = unknowns.written().scene.forces.gravity_vector();
    let (found, error) = Fall::of(unknowns, data).filter(|fall| fall.axis == 1)?.gravity(data, View::PLAIN)?;
    (gravity.y.abs() > 0.9 * gravity.norm() && found.abs() > KNOWN * error).then_some(found < 0.0)
}

/// Gravity of the scenario, with the kind of motion.
struct Fall {
    /// Axis of gravity, its sign along it and its size, m/s².
    axis: usize,
    sign: f64,
    size: f64,
    /// 1 + k of a ball on the ground; `None`: it flies.
    on_ground: Option<f64>,
}

impl Fall {
    /// Gravity and motion of the scenario; `None`: there are other forces than gravity along an axis and drag.
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

    /// g from the table and its standard error, m/s²; negative if the ball falls the other way. `None`: lost in noise.
    fn gravity(&self, data: &Data, view: View) -> Option<(f64, f64)> {
        // On the ground both coordinates are needed.
        let is_used = |row: &&FilmRow| self.on_ground.is_none() || row.place.iter().all(|c| c.is_finite());
        let along = |axis: usize| {
            let places = data.rows.iter().filter(is_used);
            let places = places.map(|row| (row.time, self.sign * view.place(axis, row.place[axis])));
            places.filter(|(_, place)| place.is_finite()).collect::<Points>()
        };
        match self.on_ground {
            None => acceleration(&along(self.axis), self.size),
            Some(inertia) => balance(&along(self.axis), &along(1 - self.axis), inertia),
        }
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
    // Lengths are right if the places lie on the ground.
    let lengths = matches!(unknowns.written().start, Start::Flight(_)) || is_off_ground(unknowns, data, view);
    let cures = match hidden {
        true => "are its columns others (--columns T,X,Y), or times or lengths in other units?".to_owned(),
        false => {
            let counts = if view.down { "upwards, so leave --y-down out" } else { "downwards, as pixels do: --y-down" };
            let other_way = down.then(|| format!("y seems to count {counts}"));
            let about = on_ground || forces.varies_in_motion();
            let other_units = units.then(|| unit_cure(view.scale, size, lengths, about));
            other_way.into_iter().chain(other_units).collect::<Vec<_>>().join("; ")
        }
    };
    Some(Contradiction { told, cures, is_refused: on_ground && units && !(1.0 / ELSEWHERE..ELSEWHERE).contains(&size) })
}

/// Whether the scenario's ball accelerates downwards at its start; spin may lift it.
fn falls(unknowns: &Unknowns, fall: &Fall) -> bool {
    let written = unknowns.written();
    let Start::Flight(State { time, position, velocity, spin, .. }) = written.start else { return false };
    written.scene.forces.at(time, position.into(), velocity.into(), spin)[fall.axis] * fall.sign > 0.0
}

/// Whether a film shows a flight: its arcs accelerate along gravity alone, or noise hides their acceleration.
fn flies(data: &Data, axis: usize, g: f64) -> bool {
    let bent = |axis: usize| acceleration(&data.points(0..data.rows.len(), axis), g);
    match (bent(axis), bent(1 - axis)) {
        (Some((fall, error)), Some((across, other))) => {
            fall.abs() > KNOWN * error && across.abs() < AGREES * fall.abs() + KNOWN * other
        }
        (_, None) => true,
        (None, _) => false,
    }
}

/// Whether the ball of the given scenario is on the ground for more than half of the film's times.
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

/// Places with both coordinates, in those of the scenario.
fn places(data: &Data, view: View) -> impl Iterator<Item = Vector2<f64>> {
    let whole = data.rows.iter().map(|row| row.place).filter(|place| place.iter().all(|c| c.is_finite()));
    whole.map(move |[x, y]| Vector2::new(view.place(0, x), view.place(1, y)))
}

/// Whether the median distance of places from the ground exceeds [`NEAR`] times the table's extent.
fn is_off_ground(unknowns: &Unknowns, data: &Data, view: View) -> bool {
    let ground = &unknowns.written().scene.ground;
    let each = data.rows.len().div_ceil(LOOKED_AT).max(1);
    let mut gaps: Vec<f64> = places(data, view).step_by(each).map(|place| ground.gap(place).abs()).collect();
    median(&mut gaps).is_some_and(|gap| gap > NEAR * data.extent() * view.scale)
}

/// Hint at the origin, if all places are below the ground, where no ball comes at any scale.
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

/// Cure for an acceleration of `size` times gravity. `lengths`: whether their unit may be wrong; `about`: whether `size`
/// is only rough, since drag or rolling reduces it.
fn unit_cure(scale: f64, size: f64, lengths: bool, about: bool) -> String {
    let (length, times) = (scale / size, times(1.0 / size.sqrt()));
    let agrees = if about { DRAGGED } else { AGREES };
    let option = match NAMES.iter().find(|(_, unit)| (length / unit - 1.0).abs() < agrees) {
        Some((unit, _)) => format!("--unit {unit}"),
        None if about => format!("--scale {length:.0e} or so"),
        None => format!("--scale {length:.2e}"),
    };
    match lengths {
        true => format!("lengths would agree with {option}{times}"),
        false if times.is_empty() => "are the times right, and --fps?".to_owned(),
        false => times.trim_start_matches(", or ").to_owned(),
    }
}

/// Cure for times too large by the factor `slower`; empty: they are right.
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

/// Acceleration and its standard error, m/s² if places are in m, from arcs of the first flight, as short as noise
/// allows. `None`: hidden by noise.
fn acceleration(places: &[(f64, f64)], g: f64) -> Option<(f64, f64)> {
    let mut found = None;
    let mut least = f64::INFINITY;
    for rows in ROWS {
        let all_over = places.windows(rows).step_by(places.len().div_ceil(ARCS).max(1));
        let mut spreads: Vec<f64> = all_over.filter_map(ShortArc::of).map(|arc| arc.spread).collect();
        let quarter = spreads.len() / 4;
        let Some(usual) = ranked(&mut spreads, quarter) else { break };
        if usual > 2.0 * least {
            // The flight has fewer rows than an arc.
            break;
        }
        least = usual.min(least);
        let smooth = |arc: &ShortArc| arc.spread <= (SMOOTH.0 * usual).max(SMOOTH.1 * arc.bent);
        let kept: Vec<ShortArc> = places.windows(rows).filter_map(ShortArc::of).take_while(smooth).take(ARCS).collect();
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

/// g of a ball on the ground and its standard error, from the shortest arcs that determine it; places along gravity and
/// across.
fn balance(fall: &[(f64, f64)], across: &[(f64, f64)], inertia: f64) -> Option<(f64, f64)> {
    ROWS.into_iter().find_map(|rows| {
        // Arcs overlap by two thirds, so they are not independent.
        let step = rows.div_ceil(3);
        let arcs = fall.windows(rows).zip(across.windows(rows)).step_by(step);
        let power = |(fall, across)| {
            let [fall, across] = [ShortArc::of(fall)?, ShortArc::of(across)?];
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
