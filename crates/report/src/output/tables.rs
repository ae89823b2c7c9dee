//! Rows of `events.csv` and `trajectory.csv`.

use curves::Place;
use mechanics::State;
use scenario::stepping::{BallEvent, BallSample, ContactSample, SteppingSummary};
use scenario::{CurveInfo, Scenario};
use supervisor::{Event, EventKind, Sample, Scene};

/// Columns that every `events.csv` begins with.
const EVENT_COLUMNS: [&str; 18] = [
    "index",
    "time",
    "kind",
    "phase_before",
    "phase_after",
    "x",
    "y",
    "s",
    "normal_velocity_before",
    "normal_velocity_after",
    "tangential_velocity_before",
    "tangential_velocity_after",
    "spin_before",
    "spin_after",
    "normal_impulse",
    "tangential_impulse",
    "energy_before",
    "energy_after",
];

/// The last column where the scenario has `[[ground]]` tables: the name of the curve.
pub(super) const GROUND_COLUMN: &str = "ground";
/// The column of rows of several balls: which one, from 1.
pub(super) const BALL_COLUMN: &str = "ball";
/// Columns of rows on ground that crosses itself: where the ball touched it last, of several curves which, and of several that cross
/// themselves a number for the strands that are there.
pub(super) const LAST_COLUMNS: [&str; 3] = ["last_s", "last_ground", "strands"];

/// Columns of tables that are words; of the others these are whole numbers without gaps.
pub(super) const WORDS: [&str; 7] =
    ["kind", "phase", "phase_before", "phase_after", "name", GROUND_COLUMN, LAST_COLUMNS[1]];
pub(super) const COUNTS: [&str; 3] = ["index", BALL_COLUMN, LAST_COLUMNS[2]];

/// Columns of `events.csv` that follow in time stepping.
const BALLS: [&str; 2] = ["ball", "other"];

/// Columns that every `events.csv` ends with.
const SEEN: [&str; 7] = ["name", "vx_before", "vy_before", "vx_after", "vy_after", "nx", "ny"];

/// Columns of `events.csv` that follow in event-driven runs.
const OF_EVENTS: [&str; 1] = ["largest_normal_force"];

/// Columns that every `trajectory.csv` begins with.
const TRAJECTORY_COLUMNS: [&str; 19] = [
    "time",
    "phase",
    "x",
    "y",
    "angle",
    "vx",
    "vy",
    "spin",
    "ax",
    "ay",
    "s",
    "gap",
    "normal_force",
    "friction_force",
    "kinetic_energy",
    "potential_energy",
    "dissipated_energy",
    "work_external",
    "total_energy",
];

/// Columns of `trajectory.csv` that follow in time stepping: impulses since the row before, the ledger of contacts, projection, the
/// scheme itself and other balls. Its forces are means since the row before, of contacts that last.
const OF_STEPS: [&str; 7] = [
    "normal_impulse",
    "tangential_impulse",
    "work_normal",
    "work_tangential",
    "projection_energy",
    "numerical_energy",
    "exchanged_energy",
];

pub(super) const CONTACT_COLUMNS: [&str; 12] = [
    "time",
    "ball",
    "other",
    "x",
    "y",
    "nx",
    "ny",
    "gap",
    "normal_velocity",
    "slip_velocity",
    "normal_force",
    "friction_force",
];

pub(super) fn contact_row(contact: &ContactSample) -> Vec<String> {
    let ContactSample { point, normal, .. } = contact;
    let mut row = vec![text(contact.time), (contact.ball + 1).to_string()];
    row.push(contact.other.map_or(String::new(), |other| (other + 1).to_string()));
    row.extend([point.x, point.y, normal.x, normal.y, contact.gap].map(text));
    let [normal, slip] = [contact.normal_velocity, contact.slip_velocity];
    row.extend([normal, slip, contact.normal_force, contact.friction_force].map(text));
    row
}

/// Columns of `events.csv`; `steps`: of time stepping.
pub fn event_columns(steps: bool) -> Vec<&'static str> {
    let (balls, events): (&[&str], &[&str]) = if steps { (&BALLS, &[]) } else { (&[], &OF_EVENTS) };
    [&EVENT_COLUMNS, balls, &SEEN, events].concat()
}

/// Columns of `trajectory.csv`; `steps`: of time stepping.
pub fn trajectory_columns(steps: bool) -> Vec<&'static str> {
    let more: &[&str] = if steps { &OF_STEPS } else { &["second_normal_force"] };
    [&TRAJECTORY_COLUMNS, more].concat()
}

/// The name of the curve that a place is on, or which is nearest to a ball; `None` of `[ground]`.
pub fn ground_name<'a>(
    info: &'a CurveInfo,
    scene: &Scene,
    place: Option<Place>,
    State { time, position, .. }: &State,
) -> Option<&'a str> {
    if info.curves.is_empty() {
        return None;
    }
    info.name(scene.ground.curve_of(place.unwrap_or_else(|| scene.nearest(*time, *position).0)))
}

/// The shortest text that reads back as the same number.
pub fn text(number: f64) -> String {
    // −0 is 0 to every reader.
    format!("{:?}", number + 0.0)
}

/// Rows of text as CSV.
pub fn csv_text(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory can't fail.
    let _ = writer.write_record(header);
    rows.for_each(|row| drop(writer.write_record(row)));
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Numbers of a row of `events.csv`, from `x` to `energy_after`; `s` is NaN between two balls.
pub fn event_numbers(scene: &Scene, told: &BallEvent) -> [f64; 13] {
    let BallEvent { other, event, normal_velocity: n, tangential_velocity: t, energy, .. } = told;
    let place = scene.world(&event.after).position;
    let s = if other.is_none() { scene.ground.shown_parameter(event.place) } else { f64::NAN };
    let (spin, impulses) = ([event.before.spin, event.after.spin], [event.normal_impulse, event.tangential_impulse]);
    let [n, t, e] = [n, t, energy];
    // −0 is 0 to every reader.
    [place.x, place.y, s, n[0], n[1], t[0], t[1], spin[0], spin[1], impulses[0], impulses[1], e[0], e[1]]
        .map(|number| number + 0.0)
}

/// Numbers of a row of `events.csv`, from `vx_before` to `largest_normal_force`, which is NaN but at a release.
pub fn seen_numbers(scene: &Scene, event: &Event) -> [f64; 7] {
    let [before, after] = [&event.before, &event.after].map(|state| scene.world(state).velocity);
    let (normal, release) = (event.frame.normal, event.kind == EventKind::Release);
    let largest = if release { event.largest_normal_force } else { f64::NAN };
    [before.x, before.y, after.x, after.y, normal.x, normal.y, largest].map(|number| number + 0.0)
}

/// A row of `events.csv`; `name`: of the watch. With the balls if it is of time stepping (`steps`).
pub(crate) fn event_row(scene: &Scene, index: u64, told: &BallEvent, name: &str, steps: bool) -> Vec<String> {
    let BallEvent { ball, other, event, .. } = told;
    let mut row = vec![index.to_string(), text(event.time()), event.kind.name().to_owned()];
    row.extend([event.phase_before, event.phase_after].map(|phase| phase.name().to_owned()));
    let told_s = |(i, number): (usize, f64)| if i == 2 && other.is_some() { String::new() } else { text(number) };
    row.extend(event_numbers(scene, told).into_iter().enumerate().map(told_s));
    if steps {
        row.extend([(ball + 1).to_string(), other.map_or(String::new(), |other| (other + 1).to_string())]);
    }
    row.push(name.to_owned());
    let [seen @ .., largest] = seen_numbers(scene, event);
    row.extend(seen.map(text));
    if !steps {
        // Of compliant contact alone there is one.
        row.push(if largest.is_nan() { String::new() } else { text(largest) });
    }
    row
}

/// A row of `trajectory.csv`; `more`: of time stepping.
pub(super) fn trajectory_row(scene: &Scene, sample: &Sample, more: Option<&BallSample>) -> Vec<String> {
    let energy = scene.energy(sample.phase, &sample.state);
    let (s, gap) = match sample.place {
        // On the offset curve, so that only rounding is left of the gap.
        Some(place) => (scene.ground.shown_parameter(place), contact_gap(scene, place, sample)),
        None => nearest(scene, &sample.state),
    };
    let mut row = vec![text(sample.state.time), sample.phase.name().to_owned()];
    let Sample { state, acceleration: a, .. } = scene.world_sample(sample);
    let State { position: q, velocity: v, angle, spin, .. } = state;
    let [normal, friction] =
        more.map_or([sample.normal_force, sample.friction_force], |more| [more.forces.normal, more.forces.friction]);
    row.extend([q.x, q.y, angle, v.x, v.y, spin, a.x, a.y, s, gap, normal, friction].map(text));
    row.extend([energy.kinetic, energy.potential, energy.dissipated, energy.work, energy.total()].map(text));
    match more {
        None => row.push(text(sample.second_normal_force)),
        Some(BallSample { impulses: [normal, tangential], energy, .. }) => {
            let works = [energy.normal, energy.tangential, energy.projection, energy.numerical(), energy.exchanged];
            row.extend([*normal, *tangential].into_iter().chain(works).map(text));
        }
    }
    row
}

/// Where several balls are in the end, in the form that `[[balls]]` reads with `table`. Balls that are not let go yet are so as much later.
pub fn last_csv(scenario: &Scenario, summary: &SteppingSummary) -> String {
    let columns = ["ball", "time", "x", "y", "angle", "vx", "vy", "spin", "radius", "mass", "inertia", "release"];
    let setups = scenario.stepping.iter().flat_map(|stepping| &stepping.balls);
    let rows = setups.zip(&summary.states).enumerate().map(|(index, (setup, state))| {
        let ball = &setup.ball;
        let State { time, position: q, velocity: v, angle, spin, .. } = *state;
        let waits = summary.waiting.contains(&index);
        let release = if waits { (setup.release - time).max(scenario.step()) } else { 0.0 };
        let mut row = vec![(index + 1).to_string()];
        let numbers =
            [time, q.x, q.y, angle, v.x, v.y, spin, ball.radius(), ball.mass(), ball.inertia_factor(), release];
        row.extend(numbers.map(text));
        row
    });
    csv_text(&columns, rows)
}

/// The nearest ground point's parameter, and the gap, m.
pub fn nearest(scene: &Scene, State { time, position, .. }: &State) -> (f64, f64) {
    let ground = &scene.ground;
    if !scene.parts.is_empty() {
        let (place, gap) = scene.nearest(*time, *position);
        return (ground.shown_parameter(place), gap);
    }
    let near = ground.ground().closest(*position);
    (ground.ground().shown_parameter(near.piece, near.parameter), near.distance - ground.radius())
}

/// Distance from the ground at a place that a ball touches, m.
pub fn contact_gap(scene: &Scene, place: Place, sample: &Sample) -> f64 {
    let [carried, _] = scene.carried(place, sample.state.time);
    (sample.state.position - carried - scene.ground.ground_point(place)).norm() - scene.ground.radius()
}
