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

use nalgebra::Vector2;
use scenario::input::{InputError, plain, rounded};
use scenario::unknowns::Unknowns;
use supervisor::Start;

use super::data::{Data, FilmRow};
use super::plan::{AXES, FitPlan, View};
use super::robust::{ShortArc, median, ranked};

/// Numbers of rows of an arc; longer arcs are used if noise hides the acceleration of shorter ones.
const ROWS: [usize; 4] = [7, 15, 31, 61];
/// Number of arcs needed; fewer suffice if their accelerations are this many times more accurate.
const ENOUGH: (usize, f64) = (5, 3.0);
/// An acceleration is known if it is at least this many times its standard error.
const KNOWN: f64 = 10.0;
/// An arc with an impact is no parabola: its deviation exceeds this many times that of other arcs, and this
/// part of its sagitta.
const SMOOTH: (f64, f64) = (3.0, 0.02);
/// Factor from which on a unit counts as wrong.
const FACTOR: f64 = 3.0;
/// Factor beyond the ratio of gravities of any two celestial bodies with balls. Such a film of a ball on the ground is
/// refused.
const ELSEWHERE: f64 = 20.0;
/// Part to which a named unit has to agree, since drag or rolling reduces the acceleration; and part of the fall below
/// which an acceleration across is that of a flight.
const AGREES: f64 = 0.25;
/// Named units of lengths, m.
const NAMES: [(&str, f64); 5] = [("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("ft", 0.3048), ("km", 1e3)];
/// Factor from which on times may be those in another unit.
const SLOWER: f64 = 1.5;
/// Maximum number of arcs used: in a longer table the first ones, and some spread over it.
const ARCS: usize = 2000;

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

/// Whether y grows downwards, by the sign of g; `None`: unknown.
pub(super) fn counts_down(unknowns: &Unknowns, data: &Data) -> Option<bool> {
    let fall = Fall::of(unknowns, data).filter(|fall| fall.axis == 1)?;
    fall.gravity(data, View::PLAIN).map(|found| found < 0.0)
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
        let rolls = matches!(written.start, Start::Contact { .. }) || !flies(data, axis);
        let on_ground = rolls.then(|| 1.0 + written.scene.ball.inertia_factor());
        let fall = Fall { axis, sign: gravity[axis].signum(), size: gravity.norm(), on_ground };
        (plainly && gravity[axis].abs() > 0.9 * gravity.norm()).then_some(fall)
    }

    /// g from the table, m/s²; negative if the ball falls the other way. `None`: hidden by noise.
    fn gravity(&self, data: &Data, view: View) -> Option<f64> {
        let along = |axis: usize, rows: &mut dyn Iterator<Item = &FilmRow>| {
            let place = |row: &FilmRow| (row.time, self.sign * view.place(axis, row.place[axis]));
            rows.map(place).filter(|(_, place)| place.is_finite()).collect::<Vec<_>>()
        };
        let Some(inertia) = self.on_ground else {
            return acceleration(&along(self.axis, &mut data.rows.iter()));
        };
        let whole: Vec<FilmRow> =
            data.rows.iter().filter(|row| row.place.iter().all(|c| c.is_finite())).copied().collect();
        let [fall, across] = [self.axis, 1 - self.axis].map(|axis| along(axis, &mut whole.iter()));
        balance(&fall, &across, inertia)
    }
}

fn against_gravity(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Option<Contradiction> {
    let fall = Fall::of(unknowns, data)?;
    let [along, across] = [fall.axis, 1 - fall.axis].map(|axis| acceleration(&data.points(0..data.rows.len(), axis)));
    // No slope makes half of gravity across, nor any without an acceleration along it.
    if along.is_none() && across.is_some_and(|across| 2.0 * plan.view.scale * across.abs() > fall.size) {
        let [along, across] = [AXES[fall.axis], AXES[1 - fall.axis]];
        let told = format!("places in the table are accelerated along {across}, and gravity is along {along}");
        let cures = "are its columns others (--columns T,X,Y)?".to_owned();
        return Some(Contradiction { told, cures, is_refused: false });
    }
    let (found, view, on_ground) = (fall.gravity(data, plan.view)?, plan.view, fall.on_ground.is_some());
    let free = unknowns.list().iter().any(|unknown| unknown.key.starts_with("forces.gravity"));
    let (ratio, size) = (found / fall.size, (found / fall.size).abs());
    let [small, large] = [size < 1.0 / FACTOR, size > FACTOR];
    // In flight drag and lift may outweigh gravity.
    let outweighed = small && !on_ground && (ratio < 0.0 || unknowns.written().scene.forces.varies_in_motion());
    let down = ratio < 0.0 && (on_ground || !small && fall.axis == 1);
    let units = (small || large) && !outweighed && !free && plan.scale.is_none();
    if !(down || units) || free && !on_ground {
        return None;
    }
    let told = format!(
        "the ball in the table moves as if gravity were {} m/s² along {}, and it is {} m/s²",
        plain(rounded(found, 3)),
        AXES[fall.axis],
        plain(fall.size)
    );
    let mut cures = Vec::new();
    if down {
        cures.push(match view.down {
            true => "y seems to count upwards, so leave --y-down out".to_owned(),
            false => "y seems to count downwards, as pixels do: --y-down".to_owned(),
        });
    }
    if units {
        let (length, slower) = (view.scale / size, 1.0 / size.sqrt());
        let named = NAMES.iter().find(|(_, unit)| (length / unit - 1.0).abs() < AGREES);
        let option = named.map_or_else(|| format!("--scale {length:.1e} or so"), |(unit, _)| format!("--unit {unit}"));
        let fps = rounded(slower.round(), 2);
        let times = (slower > SLOWER).then(|| format!(", or times with --fps {fps}, which divides them"));
        cures.push(format!("lengths would agree with {option}{}", times.unwrap_or_default()));
    }
    let is_refused = on_ground && units && !(1.0 / ELSEWHERE..ELSEWHERE).contains(&size);
    Some(Contradiction { told, cures: cures.join("; "), is_refused })
}

/// Whether a film shows a flight: its arcs accelerate along gravity alone, or noise hides their acceleration.
fn flies(data: &Data, axis: usize) -> bool {
    let bent = |axis: usize| acceleration(&data.points(0..data.rows.len(), axis));
    bent(1 - axis).is_none_or(|across| bent(axis).is_some_and(|fall| across.abs() < AGREES * fall.abs()))
}

/// Places with both coordinates, in those of the scenario.
fn places(data: &Data, view: View) -> impl Iterator<Item = Vector2<f64>> {
    let whole = data.rows.iter().map(|row| row.place).filter(|place| place.iter().all(|c| c.is_finite()));
    whole.map(move |[x, y]| Vector2::new(view.place(0, x), view.place(1, y)))
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

/// Acceleration, m/s² if places are in m, from arcs of the first flight, as short as noise allows. `None`: hidden by
/// noise.
fn acceleration(places: &[(f64, f64)]) -> Option<f64> {
    let mut least = f64::INFINITY;
    for rows in ROWS {
        let all_over = places.windows(rows).step_by(places.len().div_ceil(ARCS).max(1));
        let mut spreads: Vec<f64> = all_over.filter_map(ShortArc::of).map(|arc| arc.spread).collect();
        let quarter = spreads.len() / 4;
        let usual = ranked(&mut spreads, quarter)?;
        if usual > 2.0 * least {
            // The flight has fewer rows than an arc.
            return None;
        }
        least = usual.min(least);
        let smooth = |arc: &ShortArc| arc.spread <= (SMOOTH.0 * usual).max(SMOOTH.1 * arc.bent);
        let kept: Vec<ShortArc> = places.windows(rows).filter_map(ShortArc::of).take_while(smooth).take(ARCS).collect();
        let known = if kept.len() < ENOUGH.0 { ENOUGH.1 * KNOWN } else { KNOWN };
        let mut bends: Vec<f64> = kept.iter().map(|arc| arc.acceleration).collect();
        let mut errors: Vec<f64> = kept.iter().map(|arc| arc.error).collect();
        let (Some(bent), Some(error)) = (median(&mut bends), median(&mut errors)) else { continue };
        if known * error < bent.abs() {
            return Some(bent);
        }
    }
    None
}

/// g of a ball on the ground, from the shortest arcs that determine it; places along gravity and across.
fn balance(fall: &[(f64, f64)], across: &[(f64, f64)], inertia: f64) -> Option<f64> {
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
        (KNOWN * (3.0 * off / free / squares).sqrt() < found.abs()).then_some(found)
    })
}
