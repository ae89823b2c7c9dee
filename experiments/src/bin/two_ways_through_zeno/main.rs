#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Table, run, slope};
use kugelbahn::figures::{BLUE, Chart, Decades, GREEN, GREY, Series, Stroke, VERMILION};
use mechanics::ContactLaw;
use moreau::{BallSettings, Balls, Body};
use reference::drag::DragBounce;
use serde_json::json;
use supervisor::{EventKind, Start};

const DROP: DragBounce = DragBounce { height: 1.0, gravity: 9.81, drag: 0.05, restitution: 0.9 };

fn main() -> ExitCode {
    run("two_ways_through_zeno", two_ways)
}

/// What one run came to.
#[derive(Clone, Copy)]
struct Found {
    /// Largest error of the height, m.
    largest: f64,
    /// Mean error of the height, m.
    mean: f64,
    steps: u64,
    /// Located, or steps with a new contact.
    impacts: u64,
    /// When the ball stays down, s.
    end: f64,
}

impl Found {
    fn of(heights: &[(f64, f64)], steps: u64, impacts: u64, end: f64) -> Found {
        let times: Vec<f64> = heights.iter().map(|(t, _)| *t).collect();
        let errors: Vec<f64> =
            heights.iter().zip(DROP.at(&times)).map(|((_, y), exact)| (y - exact[0]).abs()).collect();
        let largest = errors.iter().fold(0f64, |most, error| most.max(*error));
        Found { largest, mean: errors.iter().sum::<f64>() / errors.len() as f64, steps, impacts, end }
    }
}

fn settings(step: f64) -> Vec<String> {
    vec![format!("solver.step={step:?}"), format!("output.interval={step:?}")]
}

/// Impacts located, one by one, until a capture at Zeno's point.
fn event_driven(lab: &mut Lab, settings: &[String]) -> Result<Found, Failure> {
    let (_, recording) = lab.record(settings)?;
    let landing = recording.first(EventKind::Landing).ok_or_else(|| Failure::Missing("a landing".into()))?.time();
    let impacts = recording.events.iter().filter(|event| event.kind == EventKind::Impact).count() as u64;
    let heights: Vec<_> = recording.samples.iter().map(|s| (s.state.time, s.state.position.y)).collect();
    let count = recording.summary.ok_or_else(|| Failure::Missing("a summary".into()))?.count;
    Ok(Found::of(&heights, count.flight.steps + count.contact.steps, impacts, landing))
}

/// The same scenario, marched through.
fn time_stepping(lab: &mut Lab, step: f64, theta: f64) -> Result<Found, Failure> {
    let scenario = lab.scenario(&settings(step))?;
    let (scene, duration) = (scenario.scene, scenario.solver.duration);
    let Start::Flight(start) = scenario.start else { return Err(Failure::Missing("a start in flight".into())) };
    let body = Body { ball: scene.ball, ground: scene.ground, forces: scene.forces, law: scene.law, start };
    let between = ContactLaw::new(0.0)?;
    let mut balls = Balls::new(vec![body], between, BallSettings { theta, ..BallSettings::new(step) })?;
    let steps = (duration / step).round() as u64;
    let (mut heights, mut impulses) = (Vec::new(), Vec::new());
    for _ in 0..steps {
        balls.step()?;
        heights.push((balls.time(), balls.state(0).position.y));
        impulses.push(balls.contacts().iter().map(|contact| contact.normal_impulse).sum::<f64>());
    }
    lab.stepped(json!({ "method": "moreau", "theta": theta, "step": step }), steps);
    let last = impulses.iter().rposition(|impulse| *impulse == 0.0).unwrap_or(0);
    let hits = (1..=last).filter(|i| impulses[*i] > 0.0 && impulses[i - 1] == 0.0).count() as u64;
    Ok(Found::of(&heights, steps, hits, heights.get(last + 1).map_or(f64::NAN, |at| at.0)))
}

fn two_ways(lab: &mut Lab) -> Result<(), Failure> {
    let steps: &[f64] = if lab.flags.quick {
        &[2e-2, 1e-2, 5e-3, 2.5e-3]
    } else {
        &[2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4, 3.125e-4, 1.5625e-4]
    };
    let mut table = Table::new([
        Column::text("method"),
        Column::fixed("step [ms]", 4),
        Column::science("largest error [m]", 2),
        Column::science("mean error [m]", 2),
        Column::text("steps"),
        Column::text("impacts"),
        Column::fixed("stays down at [s]", 6),
    ]);
    let mut row = |name: &str, step: f64, found: &Found| {
        let Found { largest, mean, steps, impacts, end } = *found;
        table.row([
            name.into(),
            (1e3 * step).into(),
            largest.into(),
            mean.into(),
            steps.into(),
            impacts.into(),
            end.into(),
        ]);
    };
    let mut all: [Vec<(f64, Found)>; 2] = [Vec::new(), Vec::new()];
    for step in steps {
        let found = event_driven(lab, &settings(*step))?;
        row("event-driven", *step, &found);
        all[0].push((*step, found));
    }
    for step in steps {
        let found = time_stepping(lab, *step, 0.5)?;
        row("time stepping", *step, &found);
        all[1].push((*step, found));
    }
    lab.table(&format!("Drop from 1 m with drag; the bounces end at {:.9} s", DROP.zeno_time()), "errors", &table)?;
    let points = |i: usize, f: fn(&Found) -> f64| all[i].iter().map(|(h, found)| (*h, f(found))).collect::<Vec<_>>();
    let [events, marched] = [points(0, |f| f.largest), points(1, |f| f.largest)];
    let mean = points(1, |f| f.mean);
    lab.compare_range("order of the event-driven run", slope(&events), 1.7, 2.3);
    lab.compare_range("order of time stepping, largest error", slope(&marched), 0.7, 1.3);
    lab.compare_range("order of time stepping, mean error", slope(&mean), 0.7, 1.3);
    let end = |i: usize| all[i].last().map_or(f64::NAN, |(_, found)| (found.end - DROP.zeno_time()).abs());
    lab.compare("end of the bounces, event-driven, smallest step, s", end(0), 1e-4);
    lab.compare(
        "end of the bounces, time stepping, smallest step, s",
        end(1),
        if lab.flags.quick { 0.2 } else { 0.02 },
    );
    let guide = |from: (f64, f64), order: i32| {
        steps.iter().map(|h| (1e3 * h, from.1 * (h / from.0).powi(order))).collect::<Vec<_>>()
    };
    let ms = |points: &[(f64, f64)]| points.iter().map(|(h, error)| (1e3 * h, *error)).collect::<Vec<_>>();
    let chart = Chart::new(
        "Two ways through Zeno's point: error of the height",
        "step h [ms]",
        "error [m]",
        vec![
            Series::new("slope 1", GREY, guide((steps[0], 0.4), 1)).drawn(Stroke::Dashed),
            Series::new("slope 2", GREY, guide((steps[0], 3.0 * events[0].1), 2)).drawn(Stroke::Thin),
            Series::new("time stepping, largest", VERMILION, ms(&marched)),
            Series::new("time stepping, mean", GREEN, ms(&mean)),
            Series::new("event-driven, largest", BLUE, ms(&events)),
        ],
    );
    lab.figure(&chart.decades(Decades::Both).svg())
}
