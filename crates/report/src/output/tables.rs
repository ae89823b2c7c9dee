//! Columns of the tables of a run: each column is one row of a list here, with its name, unit, kind and cell. CSV,
//! Parquet, JSON, the events of the page and of sweeps, and Python's records come from these lists.

use curves::Place;
use mechanics::{Ball, Energy, State};
use scenario::stepping::{BallEvent, BallSample, ContactSample, SteppingSummary};
use scenario::{CurveInfo, Scenario};
use supervisor::{EventKind, Sample, Scene};
use tables::{Cell, Field, csv_text};

/// A row of `events.csv`.
#[derive(Clone, Copy, Debug)]
pub struct EventRow<'a> {
    scene: &'a Scene,
    index: u64,
    told: &'a BallEvent,
    watch: &'a str,
    ground: &'a str,
    /// State before the event, in the frame at rest.
    before: State,
    after: State,
}

impl<'a> EventRow<'a> {
    /// The row of an event; `index` counts from 0, `watch` and `ground` are names or empty.
    pub fn new(scene: &'a Scene, index: u64, told: &'a BallEvent, watch: &'a str, ground: &'a str) -> Self {
        let [before, after] = [&told.event.before, &told.event.after].map(|state| scene.world(state));
        EventRow { scene, index, told, watch, ground, before, after }
    }
}

/// Cell of a row of `events.csv`.
pub type EventCell = for<'a> fn(&'a EventRow<'a>) -> Cell<'a>;

const EVENTS: &[Field<EventCell>] = &[
    Field::count("index", |row| row.index.into()),
    Field::number("time", "s", |row| row.told.event.time().into()),
    Field::word("kind", |row| Cell::Name(row.told.event.kind.name())),
    Field::word("phase_before", |row| Cell::Name(row.told.event.phase_before.name())),
    Field::word("phase_after", |row| Cell::Name(row.told.event.phase_after.name())),
    Field::number("x", "m", |row| row.after.position.x.into()),
    Field::number("y", "m", |row| row.after.position.y.into()),
    Field::number("s", "", |row| {
        row.told.other.is_none().then(|| row.scene.ground.shown_parameter(row.told.event.place)).into()
    }),
    Field::number("normal_velocity_before", "m/s", |row| row.told.normal_velocity[0].into()),
    Field::number("normal_velocity_after", "m/s", |row| row.told.normal_velocity[1].into()),
    Field::number("tangential_velocity_before", "m/s", |row| row.told.tangential_velocity[0].into()),
    Field::number("tangential_velocity_after", "m/s", |row| row.told.tangential_velocity[1].into()),
    Field::number("spin_before", "rad/s", |row| row.before.spin.into()),
    Field::number("spin_after", "rad/s", |row| row.after.spin.into()),
    Field::number("normal_impulse", "N s", |row| row.told.event.normal_impulse.into()),
    Field::number("tangential_impulse", "N s", |row| row.told.event.tangential_impulse.into()),
    Field::number("energy_before", "J", |row| row.told.energy[0].into()),
    Field::number("energy_after", "J", |row| row.told.energy[1].into()),
];

/// Columns of time stepping: numbers of the balls, from 1.
const BALLS: &[Field<EventCell>] = &[
    Field::count("ball", |row| (row.told.ball + 1).into()),
    Field::number("other", "", |row| row.told.other.map(|other| other + 1).into()),
];

const SEEN: &[Field<EventCell>] = &[
    Field::word("name", |row| row.watch.into()),
    Field::number("vx_before", "m/s", |row| row.before.velocity.x.into()),
    Field::number("vy_before", "m/s", |row| row.before.velocity.y.into()),
    Field::number("vx_after", "m/s", |row| row.after.velocity.x.into()),
    Field::number("vy_after", "m/s", |row| row.after.velocity.y.into()),
    Field::number("nx", "", |row| row.told.event.frame.normal.x.into()),
    Field::number("ny", "", |row| row.told.event.frame.normal.y.into()),
];

/// Columns of event-driven runs: the largest force exists only for compliant contact.
const BY_EVENTS: &[Field<EventCell>] = &[Field::number("largest_normal_force", "N", |row| {
    let event = &row.told.event;
    (event.kind == EventKind::Release).then_some(event.largest_normal_force).into()
})];

/// Column of scenarios with `[[ground]]` tables; empty for contacts between balls.
const CURVES: &[Field<EventCell>] =
    &[Field::word("ground", |row| if row.told.other.is_none() { row.ground.into() } else { Cell::Empty })];

/// Columns of `events.csv`; `steps`: for time stepping; `curves`: for several curves.
pub fn event_fields(steps: bool, curves: bool) -> Vec<Field<EventCell>> {
    let [balls, by_events] = if steps { [BALLS, &[]] } else { [&[], BY_EVENTS] };
    [EVENTS, balls, SEEN, by_events, if curves { CURVES } else { &[] }].concat()
}

pub(super) fn fields_of_events(scenario: &Scenario) -> Vec<Field<EventCell>> {
    event_fields(scenario.stepping.is_some(), !scenario.curve.curves.is_empty())
}

/// A row of `trajectory.csv`.
#[derive(Clone, Copy, Debug)]
pub struct TrajectoryRow<'a> {
    info: &'a CurveInfo,
    scene: &'a Scene,
    ball: usize,
    sample: &'a Sample,
    /// The sample in the frame at rest.
    world: Sample,
    energy: Energy,
    /// Parameter of the nearest ground point, and gap, m.
    near: (f64, f64),
    /// Numbers that only time stepping has.
    steps: Option<&'a BallSample>,
}

impl<'a> TrajectoryRow<'a> {
    /// The row of a ball; `scene` is that of the ball.
    pub(super) fn new(
        info: &'a CurveInfo,
        scene: &'a Scene,
        ball: usize,
        sample: &'a Sample,
        steps: Option<&'a BallSample>,
    ) -> Self {
        let near = match sample.place {
            // In contact, the gap is computed on the offset curve, where it is zero up to rounding.
            Some(place) => (scene.ground.shown_parameter(place), contact_gap(scene, place, sample)),
            None => nearest(scene, &sample.state),
        };
        let (world, energy) = (scene.world_sample(sample), scene.energy(sample.phase, &sample.state));
        TrajectoryRow { info, scene, ball, sample, world, energy, near, steps }
    }

    /// A number that only time stepping has.
    fn step<T>(&self, of: impl Fn(&BallSample) -> T) -> Option<T> {
        self.steps.map(of)
    }
}

/// Cell of a row of `trajectory.csv`.
pub type TrajectoryCell = for<'a> fn(&'a TrajectoryRow<'a>) -> Cell<'a>;

const TRAJECTORY: &[Field<TrajectoryCell>] = &[
    Field::number("time", "s", |row| row.sample.state.time.into()),
    Field::word("phase", |row| Cell::Name(row.sample.phase.name())),
    Field::number("x", "m", |row| row.world.state.position.x.into()),
    Field::number("y", "m", |row| row.world.state.position.y.into()),
    Field::number("angle", "rad", |row| row.world.state.angle.into()),
    Field::number("vx", "m/s", |row| row.world.state.velocity.x.into()),
    Field::number("vy", "m/s", |row| row.world.state.velocity.y.into()),
    Field::number("spin", "rad/s", |row| row.world.state.spin.into()),
    Field::number("ax", "m/s²", |row| row.world.acceleration.x.into()),
    Field::number("ay", "m/s²", |row| row.world.acceleration.y.into()),
    Field::number("s", "", |row| row.near.0.into()),
    Field::number("gap", "m", |row| row.near.1.into()),
    // In time stepping, means of persistent contacts since the last row.
    Field::number("normal_force", "N", |row| {
        row.step(|step| step.forces.normal).unwrap_or(row.sample.normal_force).into()
    }),
    Field::number("friction_force", "N", |row| {
        row.step(|step| step.forces.friction).unwrap_or(row.sample.friction_force).into()
    }),
    Field::number("kinetic_energy", "J", |row| row.energy.kinetic.into()),
    Field::number("potential_energy", "J", |row| row.energy.potential.into()),
    Field::number("dissipated_energy", "J", |row| row.energy.dissipated.into()),
    Field::number("work_external", "J", |row| row.energy.work.into()),
    Field::number("total_energy", "J", |row| row.energy.total().into()),
];

const BESIDE: &[Field<TrajectoryCell>] =
    &[Field::number("second_normal_force", "N", |row| row.sample.second_normal_force.into())];

/// Columns of time stepping: impulses since the last row; energies by contacts, projection, scheme and other balls.
const STEPS: &[Field<TrajectoryCell>] = &[
    Field::number("normal_impulse", "N s", |row| row.step(|step| step.impulses[0]).into()),
    Field::number("tangential_impulse", "N s", |row| row.step(|step| step.impulses[1]).into()),
    Field::number("work_normal", "J", |row| row.step(|step| step.energy.normal).into()),
    Field::number("work_tangential", "J", |row| row.step(|step| step.energy.tangential).into()),
    Field::number("projection_energy", "J", |row| row.step(|step| step.energy.projection).into()),
    Field::number("numerical_energy", "J", |row| row.step(|step| step.energy.numerical()).into()),
    Field::number("exchanged_energy", "J", |row| row.step(|step| step.energy.exchanged).into()),
];

/// Column of runs with several balls: number of the ball, from 1.
const BALL: &[Field<TrajectoryCell>] = &[Field::count("ball", |row| (row.ball + 1).into())];

/// Columns for ground that crosses itself: last touched place, with several curves the curve, and with several curves
/// that cross themselves a number for the solid strands.
const LAST_S: &[Field<TrajectoryCell>] = &[Field::number("last_s", "", |row| {
    row.sample.last.place.map(|place| row.scene.ground.shown_parameter(place)).into()
})];
const LAST_GROUND: &[Field<TrajectoryCell>] = &[Field::word("last_ground", |row| {
    row.sample.last.place.and_then(|place| row.info.name(row.scene.ground.curve_of(place))).into()
})];
const STRANDS: &[Field<TrajectoryCell>] = &[Field::count("strands", |row| row.sample.last.strands().into())];

/// Last column of scenarios with `[[ground]]` tables.
const NEAREST: &[Field<TrajectoryCell>] =
    &[Field::word("ground", |row| ground_name(row.info, row.scene, row.sample.place, &row.sample.state).into())];

/// Columns of `trajectory.csv`.
pub fn trajectory_fields(scenario: &Scenario) -> Vec<Field<TrajectoryCell>> {
    let steps = scenario.stepping.is_some();
    let several = !scenario.curve.curves.is_empty();
    let crossed = if steps { 0 } else { scenario.scene.ground.ground().strand_counts().count() };
    let groups = [
        (true, TRAJECTORY),
        (steps, STEPS),
        (!steps, BESIDE),
        (scenario.scenes().len() > 1, BALL),
        (crossed > 0, LAST_S),
        (crossed > 1 || crossed > 0 && several, LAST_GROUND),
        (crossed > 1, STRANDS),
        (several, NEAREST),
    ];
    groups.into_iter().filter(|(there, _)| *there).flat_map(|(_, fields)| fields).copied().collect()
}

/// Cell of a row of `contacts.csv`.
pub(super) type ContactCell = fn(&ContactSample) -> Cell<'_>;

pub(super) const CONTACTS: &[Field<ContactCell>] = &[
    Field::number("time", "s", |contact| contact.time.into()),
    Field::count("ball", |contact| (contact.ball + 1).into()),
    Field::number("other", "", |contact| contact.other.map(|other| other + 1).into()),
    Field::number("x", "m", |contact| contact.point.x.into()),
    Field::number("y", "m", |contact| contact.point.y.into()),
    Field::number("nx", "", |contact| contact.normal.x.into()),
    Field::number("ny", "", |contact| contact.normal.y.into()),
    Field::number("gap", "m", |contact| contact.gap.into()),
    Field::number("normal_velocity", "m/s", |contact| contact.normal_velocity.into()),
    Field::number("slip_velocity", "m/s", |contact| contact.slip_velocity.into()),
    Field::number("normal_force", "N", |contact| contact.normal_force.into()),
    Field::number("friction_force", "N", |contact| contact.friction_force.into()),
];

/// Name of the curve at a place, or nearest to a ball; `None` for `[ground]`.
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

struct LastRow<'a> {
    index: usize,
    ball: &'a Ball,
    state: &'a State,
    release: f64,
}

/// Cell of a row of last states.
type LastCell = fn(&LastRow<'_>) -> Cell<'static>;

const LAST: &[Field<LastCell>] = &[
    Field::count("ball", |row| (row.index + 1).into()),
    Field::number("time", "s", |row| row.state.time.into()),
    Field::number("x", "m", |row| row.state.position.x.into()),
    Field::number("y", "m", |row| row.state.position.y.into()),
    Field::number("angle", "rad", |row| row.state.angle.into()),
    Field::number("vx", "m/s", |row| row.state.velocity.x.into()),
    Field::number("vy", "m/s", |row| row.state.velocity.y.into()),
    Field::number("spin", "rad/s", |row| row.state.spin.into()),
    Field::number("radius", "m", |row| row.ball.radius().into()),
    Field::number("mass", "kg", |row| row.ball.mass().into()),
    Field::number("inertia", "", |row| row.ball.inertia_factor().into()),
    Field::number("release", "s", |row| row.release.into()),
];

/// Table of the last states of several balls, readable by `[[balls]]` with `table`. Balls not released yet keep their
/// remaining time.
pub fn last_csv(scenario: &Scenario, summary: &SteppingSummary) -> String {
    let rows = scenario.ball_setups().iter().zip(&summary.states).enumerate().map(|(index, (setup, state))| {
        let waits = summary.waiting.contains(&index);
        let release = if waits { (setup.release - state.time).max(scenario.step()) } else { 0.0 };
        LastRow { index, ball: &setup.ball, state, release }
    });
    csv_text(LAST, rows, |cell, row| cell(row))
}

/// Parameter of the nearest ground point, and gap, m.
pub fn nearest(scene: &Scene, State { time, position, .. }: &State) -> (f64, f64) {
    let ground = &scene.ground;
    if !scene.parts.is_empty() {
        let (place, gap) = scene.nearest(*time, *position);
        return (ground.shown_parameter(place), gap);
    }
    let near = ground.ground().closest(*position);
    (ground.ground().shown_parameter(near.piece, near.parameter), near.distance - ground.radius())
}

/// Gap at a contact place, m.
pub fn contact_gap(scene: &Scene, place: Place, sample: &Sample) -> f64 {
    let [carried, _] = scene.carried(place, sample.state.time);
    (sample.state.position - carried - scene.ground.ground_point(place)).norm() - scene.ground.radius()
}
