#![doc = include_str!("README.md")]

use std::ops::ControlFlow;
use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Random, Table, run};
use kugelbahn::figures::{BLUE, Chart, Decades, ORANGE, Series, Stroke, VERMILION};
use reference::parabola::Parabola;
use supervisor::{Event, EventKind, Observer, Stop};

const BOWL: Parabola = Parabola { focal_length: 0.5, gravity: 9.81 };

fn main() -> ExitCode {
    run("billiard", billiard)
}

/// How far the two integrals have moved, bounce by bounce.
struct Drift {
    energy: f64,
    distance: f64,
    bounces: u64,
    worst: [f64; 2],
    captures: u64,
    /// `[bounce, energy, distance]` where the number of bounces has grown by a twentieth.
    kept: Vec<[f64; 3]>,
}

impl Observer for Drift {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if event.kind != EventKind::Impact {
            self.captures += 1;
            return ControlFlow::Continue(());
        }
        self.bounces += 1;
        let (q, v) = (event.after.position.into(), event.after.velocity.into());
        let energy = (BOWL.energy(q, v) / self.energy - 1.0).abs();
        let distance = (BOWL.focal_distance(q, v) / self.distance - 1.0).abs();
        self.worst = [self.worst[0].max(energy), self.worst[1].max(distance)];
        let bounce = self.bounces as f64;
        if self.kept.last().is_none_or(|last| bounce >= 1.05 * last[0]) {
            self.kept.push([bounce, self.worst[0], self.worst[1]]);
        }
        ControlFlow::Continue(())
    }
}

fn billiard(lab: &mut Lab) -> Result<(), Failure> {
    let wanted: u64 = if lab.flags.quick { 20_000 } else { 1_000_000 };
    let mut random = Random::new(lab.flags.seed);
    let mut table = Table::new([
        Column::fixed("x₀ [m]", 4),
        Column::fixed("y₀ [m]", 4),
        Column::fixed("v_x [m/s]", 4),
        Column::fixed("D/f", 4),
        Column::text("bounces"),
        Column::science("energy, relative", 1),
        Column::science("D, relative", 1),
    ]);
    let mut course = Table::new([
        Column::text("start"),
        Column::text("bounce"),
        Column::science("energy, relative", 1),
        Column::science("D, relative", 1),
    ]);
    let mut series = Vec::new();
    for (name, colour) in [("start 1", BLUE), ("start 2", ORANGE), ("start 3", VERMILION)] {
        let position = [random.between(-0.5, 0.5), random.between(1.0, 2.0)];
        let velocity = [random.between(-2.0, 2.0), 0.0];
        let settings = [
            format!("initial.position={position:?}"),
            format!("initial.velocity={velocity:?}"),
            // An event and a step of flight for each bounce.
            format!("solver.limit={}", 2 * wanted + 2),
        ];
        let scenario = lab.scenario(&settings)?;
        let distance = BOWL.focal_distance(position, velocity);
        let mut drift = Drift {
            energy: BOWL.energy(position, velocity),
            distance,
            bounces: 0,
            worst: [0.0; 2],
            captures: 0,
            kept: Vec::new(),
        };
        let summary = lab.observe(&scenario, &mut drift)?;
        match summary.stop {
            None | Some(Stop::Limit { .. }) => {}
            Some(stop) => return Err(Failure::Stopped { settings: settings.to_vec(), stop }),
        }
        table.row([
            position[0].into(),
            position[1].into(),
            velocity[0].into(),
            (distance / BOWL.focal_length).into(),
            drift.bounces.into(),
            drift.worst[0].into(),
            drift.worst[1].into(),
        ]);
        lab.compare_fact(&format!("bounces, {name}"), &drift.bounces.to_string(), drift.bounces >= wanted);
        lab.compare_fact(&format!("captures, {name}"), &drift.captures.to_string(), drift.captures == 0);
        lab.compare(&format!("energy, {name}, relative"), drift.worst[0], 1e-9);
        lab.compare(&format!("distance D of the foci, {name}, relative"), drift.worst[1], 1e-9);
        for [bounce, energy, distance] in &drift.kept {
            course.row([name.into(), (*bounce as u64).into(), (*energy).into(), (*distance).into()]);
        }
        let roundings = |change: f64| change / f64::EPSILON;
        let line =
            |i: usize| drift.kept.iter().filter(|row| row[i] > 0.0).map(|row| (row[0], roundings(row[i]))).collect();
        series.push(Series::new(format!("energy, {name}"), colour, line(1)));
        series.push(Series::new(format!("D, {name}"), colour, line(2)).drawn(Stroke::Dashed));
    }
    lab.table("Elastic bounces in a parabola, largest change so far", "billiard", &table)?;
    lab.file("course.csv", &course.csv()?)?;
    let chart = Chart::new("Change of the two integrals", "bounce", "largest relative change so far [2⁻⁵²]", series);
    lab.figure(&chart.decades(Decades::Both).svg())
}
