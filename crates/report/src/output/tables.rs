//! Rows of `events.csv` and `trajectory.csv`.

use curves::{OffsetGround, Place};
use mechanics::State;
use nalgebra::Vector2;
use supervisor::{Event, EventKind, Phase, Sample, Scene};

/// Columns of `events.csv`.
pub const EVENT_COLUMNS: [&str; 18] = [
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

/// Columns of `trajectory.csv`.
pub const TRAJECTORY_COLUMNS: [&str; 20] = [
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
    "second_normal_force",
];

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

/// What every row of `events.csv` begins with: when, what and where.
pub(crate) fn event_start(
    index: u64,
    time: f64,
    kind: EventKind,
    phases: [Phase; 2],
    place: Vector2<f64>,
) -> Vec<String> {
    let [before, after] = phases.map(|phase| phase.name().to_owned());
    vec![index.to_string(), text(time), kind.name().to_owned(), before, after, text(place.x), text(place.y)]
}

/// A row of `events.csv`.
pub fn event_row(scene: &Scene, index: u64, event: &Event) -> Vec<String> {
    let ((n0, t0), (n1, t1)) = (event.velocity_before(), event.velocity_after());
    let (before, after) =
        (scene.energy(event.phase_before, &event.before), scene.energy(event.phase_after, &event.after));
    let place = scene.world(&event.after).position;
    let mut row = event_start(index, event.time(), event.kind, [event.phase_before, event.phase_after], place);
    let numbers = [
        scene.ground.shown_parameter(event.place),
        n0,
        n1,
        t0,
        t1,
        event.before.spin,
        event.after.spin,
        event.normal_impulse,
        event.tangential_impulse,
        before.total(),
        after.total(),
    ];
    row.extend(numbers.map(text));
    row
}

/// A row of `trajectory.csv`.
pub fn trajectory_row(scene: &Scene, sample: &Sample) -> Vec<String> {
    let state = &sample.state;
    let energy = scene.energy(sample.phase, state);
    let (s, gap) = match sample.place {
        // On the offset curve, so that only rounding is left of the gap.
        Some(place) => (scene.ground.shown_parameter(place), contact_gap(scene, place, sample)),
        None => nearest(&scene.ground, state.position),
    };
    let mut row = vec![text(state.time), sample.phase.name().to_owned()];
    let (state, acceleration) = seen(scene, sample);
    row.extend(motion(&state, acceleration, s, gap).map(text));
    let numbers = [
        sample.normal_force,
        sample.friction_force,
        energy.kinetic,
        energy.potential,
        energy.dissipated,
        energy.work,
        energy.total(),
        sample.second_normal_force,
    ];
    row.extend(numbers.map(text));
    row
}

/// The ball and its acceleration, seen from what stands still.
fn seen(scene: &Scene, sample: &Sample) -> (State, Vector2<f64>) {
    let Some(carriage) = scene.forces.carriage() else { return (sample.state, sample.acceleration) };
    let origin = carriage.at(sample.state.time);
    (carriage.world(&sample.state), sample.acceleration + Vector2::from(origin.acceleration))
}

/// The numbers that every `trajectory.csv` begins with, after time and phase.
pub(crate) fn motion(state: &State, acceleration: Vector2<f64>, s: f64, gap: f64) -> [f64; 10] {
    let State { position: q, velocity: v, angle, spin, .. } = *state;
    [q.x, q.y, angle, v.x, v.y, spin, acceleration.x, acceleration.y, s, gap]
}

/// The nearest ground point's parameter, and the gap, m.
pub fn nearest(ground: &OffsetGround, centre: Vector2<f64>) -> (f64, f64) {
    let near = ground.ground().closest(centre);
    (ground.ground().shown_parameter(near.piece, near.parameter), near.distance - ground.radius())
}

fn contact_gap(scene: &Scene, place: Place, sample: &Sample) -> f64 {
    (sample.state.position - scene.ground.ground_point(place)).norm() - scene.ground.radius()
}
