#![doc = include_str!("README.md")]

use std::f64::consts::TAU;
use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use indicatif::{ProgressBar, ProgressStyle};
use kugelbahn::figures::{BLUE, Chart, GREY, Series, Stroke, VERMILION, stack};
use rayon::prelude::*;
use reference::shaken_table::ShakenTable;
use serde_json::json;
use supervisor::{Event, EventKind, Summary};

const OMEGA: f64 = 60.0;

fn main() -> ExitCode {
    run("shaken_table", |lab| {
        orbits(lab)?;
        thresholds(lab)?;
        let charts = diagram(lab)?;
        lab.figure(&stack("A ball on a shaken table, e = 0.5", charts).svg())
    })
}

fn orbit(restitution: f64, gamma: f64) -> ShakenTable {
    ShakenTable { gravity: 9.81, restitution, omega: OMEGA, gamma }
}

/// A run of so many periods that starts just after an impact of the orbit, its speed off by a part.
fn settings(orbit: &ShakenTable, periods: f64, off: f64) -> Vec<String> {
    let height = orbit.amplitude() * orbit.phase().sin();
    vec![
        format!("initial.position=[0.0, {height:?}]"),
        format!("initial.velocity=[0.0, {:?}]", orbit.launch_speed() * (1.0 + off)),
        format!(
            "ground.motion.parameters={{ A = {:?}, omega = {OMEGA:?}, phi = {:?} }}",
            orbit.amplitude(),
            orbit.phase()
        ),
        format!("contact.restitution={:?}", orbit.restitution),
        format!("solver.duration={:?}", periods * orbit.period()),
    ]
}

/// Relative to the table, m/s.
fn impact_speed(event: &Event) -> f64 {
    -event.velocity_before().0
}

/// The orbit itself: fifty periods from its own impact.
fn orbits(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::fixed("e", 1),
        Column::fixed("Γ = Aω²/g", 3),
        Column::fixed("phase of the impact [rad]", 9),
        Column::science("largest error", 1),
        Column::fixed("impact speed [m/s]", 9),
        Column::science("largest error", 1),
        Column::science("energy unexplained [J]", 1),
    ]);
    let mut worst = [0f64; 2];
    for e in [0.3, 0.5, 0.7] {
        let orbit = orbit(e, 0.5 * (ShakenTable::least(e) + ShakenTable::doubling(e)));
        let (_, recording) = lab.record(&settings(&orbit, 50.5, 0.0))?;
        let impacts: Vec<&Event> = recording.events.iter().filter(|event| event.kind == EventKind::Impact).collect();
        if impacts.len() != 50 {
            return Err(Failure::Missing(format!("50 impacts: {}", impacts.len())));
        }
        let speed = orbit.launch_speed() + orbit.table_speed();
        let late = |(event, n): (&&Event, u32)| (event.time() - f64::from(n) * orbit.period()).abs() * OMEGA;
        let phase = impacts.iter().zip(1u32..).map(late).fold(0.0, f64::max);
        let fast = impacts.iter().map(|event| (impact_speed(event) - speed).abs()).fold(0.0, f64::max);
        worst = [worst[0].max(phase), worst[1].max(fast)];
        let unexplained = recording.summary.map_or(f64::NAN, |summary| summary.unexplained());
        table.row([
            e.into(),
            orbit.gamma.into(),
            orbit.phase().into(),
            phase.into(),
            speed.into(),
            fast.into(),
            unexplained.into(),
        ]);
    }
    lab.table("One bounce a period, over fifty periods", "orbit", &table)?;
    lab.compare("phase of the impacts, rad", worst[0], 1e-9);
    lab.compare("speed of the impacts, m/s", worst[1], 1e-9);
    Ok(())
}

/// Where a small disturbance of the orbit begins to grow instead of dying out.
fn thresholds(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::fixed("e", 1),
        Column::fixed("Γ of the first doubling", 6),
        Column::fixed("exact", 6),
        Column::science("difference", 1),
    ]);
    let mut worst = 0f64;
    for e in [0.3, 0.5, 0.7] {
        let exact = ShakenTable::doubling(e);
        let mut growth = |gamma: f64| {
            let (_, recording) = lab.record(&settings(&orbit(e, gamma), 40.5, 1e-5))?;
            let speeds: Vec<f64> = recording.events.iter().map(impact_speed).collect();
            // The faster multiplier has died out by then.
            let swing = |n: usize| speeds.get(n..n + 2).map_or(f64::NAN, |pair| (pair[0] - pair[1]).abs());
            Ok::<f64, Failure>((swing(37) / swing(27)).ln())
        };
        let (mut stable, mut unstable) = (exact - 0.1, exact + 0.1);
        while unstable - stable > 1e-5 {
            let middle = 0.5 * (stable + unstable);
            *(if growth(middle)? < 0.0 { &mut stable } else { &mut unstable }) = middle;
        }
        let found = 0.5 * (stable + unstable);
        worst = worst.max((found - exact).abs());
        table.row([e.into(), found.into(), exact.into(), (found - exact).abs().into()]);
    }
    lab.table("Where the period doubles", "doubling", &table)?;
    lab.compare("Γ of the first doubling", worst, 1e-3);
    Ok(())
}

/// Phases and speeds of the impacts that are left of a run for one Γ.
struct Settled {
    gamma: f64,
    impacts: Vec<(f64, f64)>,
    summary: Summary,
}

/// Impacts after so many periods, for so many more.
const SETTLED: f64 = 200.0;
const LOOKED: f64 = 40.0;

/// What the ball does in the long run, over Γ.
fn diagram(lab: &mut Lab) -> Result<Vec<Chart>, Failure> {
    let e = 0.5;
    let (from, to) = (ShakenTable::least(e) + 1e-3, 2.6);
    let count = if lab.flags.quick { 24 } else { 400 };
    let gammas: Vec<f64> = (0..count).map(|i| from + (to - from) * f64::from(i) / f64::from(count - 1)).collect();
    let bar = ProgressBar::new(gammas.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} amplitudes, {eta} left") {
        bar.set_style(style);
    }
    let columns = gammas.par_iter().map(|gamma| {
        let settled = settle(&orbit(e, *gamma));
        bar.inc(1);
        settled
    });
    let columns: Result<Vec<Settled>, Failure> = columns.collect();
    bar.finish_and_clear();
    let columns = columns?;
    lab.swept(
        json!({ "restitution": e, "omega": OMEGA, "gamma": [from, to], "runs": count }),
        &columns.iter().map(|column| column.summary).collect::<Vec<_>>(),
    );
    let mut table = Table::new([
        Column::fixed("gamma", 6),
        Column::fixed("phase [rad]", 6),
        Column::fixed("impact speed [m/s]", 6),
    ]);
    let (mut speeds, mut phases) = (Vec::new(), Vec::new());
    for Settled { gamma, impacts, .. } in &columns {
        let mut shown: Vec<(f64, f64)> = Vec::new();
        for (phase, speed) in impacts {
            table.row([(*gamma).into(), (*phase).into(), (*speed).into()]);
            // One dot for impacts that can't be told apart in the figure.
            if !shown.iter().any(|(p, s)| (p - phase).abs() < 0.02 && (s - speed).abs() < 0.004) {
                shown.push((*phase, *speed));
            }
        }
        speeds.extend(shown.iter().map(|(_, speed)| (*gamma, *speed)));
        phases.extend(shown.iter().map(|(phase, _)| (*gamma, *phase)));
    }
    lab.file("bifurcation.csv", &table.csv()?)?;
    let exact = ShakenTable::doubling(e);
    let orbit_holds = columns.iter().filter(|column| column.gamma < exact - 0.02).all(|column| spread(column) < 1e-6);
    let doubled = columns.iter().filter(|column| column.gamma > exact + 0.02 && column.gamma < exact + 0.1);
    let two = doubled.clone().count() > 0 && doubled.clone().all(|column| spread(column) > 1e-2);
    lab.compare_fact("below the threshold one bounce a period is what is left", &orbit_holds.to_string(), orbit_holds);
    lab.compare_fact("just above it impacts alternate", &two.to_string(), two);
    let chart = |label: &str, name: &str, colour, points: Vec<(f64, f64)>| {
        let top = points.iter().map(|(_, y)| *y).fold(0.0, f64::max);
        let threshold = vec![(exact, 0.0), (exact, 1.05 * top)];
        Chart::new(
            "",
            "Γ = Aω²/g",
            label,
            vec![
                Series::new(name, colour, points).drawn(Stroke::Specks),
                Series::new("exact doubling", GREY, threshold).drawn(Stroke::Dashed),
            ],
        )
    };
    Ok(vec![
        chart("impact speed [m/s]", "impact", BLUE, speeds),
        chart("phase at impact [rad]", "impact", VERMILION, phases),
    ])
}

/// How much impact speeds differ, m/s.
fn spread(column: &Settled) -> f64 {
    let speeds = || column.impacts.iter().map(|(_, speed)| *speed);
    speeds().fold(0.0, f64::max) - speeds().fold(f64::INFINITY, f64::min)
}

fn settle(orbit: &ShakenTable) -> Result<Settled, Failure> {
    let settings = settings(orbit, SETTLED + LOOKED, 1e-3);
    let scenario = Lab::load("shaken_table", &settings)?;
    let mut recording = Recording::default();
    let summary = kugelbahn::run(&scenario, &mut recording)?;
    if let Some(stop) = summary.stop {
        return Err(Failure::Stopped { settings, stop });
    }
    let after = SETTLED * orbit.period();
    let impacts = recording.events.iter().filter(|event| event.time() > after && event.normal_impulse > 0.0);
    let impacts = impacts.map(|event| ((OMEGA * event.time() + orbit.phase()).rem_euclid(TAU), impact_speed(event)));
    Ok(Settled { gamma: orbit.gamma, impacts: impacts.collect(), summary })
}
