#![doc = include_str!("README.md")]

mod fit;

use std::process::ExitCode;

use curves::{Ground, Piece};
use experiments::{Column, Estimate, Failure, Lab, Table, on_ground, run};
use fit::Fit;
use kugelbahn::figures::{BLUE, Chart, GREY, ORANGE, Series, Stroke, VERMILION, stack};
use moreau::Balls;
use nalgebra::Vector2;
use rayon::prelude::*;
use serde_json::json;

const GRAVITY: f64 = 9.81;
/// Mean diameter, m.
const D: f64 = 0.01;
/// Parts of the mass that are out when the watch is started, stopped in between, and stopped.
const WATCHED: [f64; 3] = [0.15, 0.325, 0.5];
/// A funnel that lets out no ball for so long is blocked by an arch, s.
const PATIENCE: f64 = 1.0;

/// D/d and the rate in ρ_b √(g d³).
type Point = (f64, f64);

fn main() -> ExitCode {
    run("hourglass", |lab| {
        let openings: &[f64] = if lab.flags.quick { &[5.0, 7.0, 9.0] } else { &[6.0, 7.0, 8.0, 9.0, 10.0] };
        let seeds = if lab.flags.quick { 1 } else { 3 };
        let mut settled = Vec::new();
        for seed in 0..seeds {
            settled.push(settle(lab, lab.flags.seed * 1000 + seed)?);
        }
        let bulk = settled.iter().map(bulk_density).sum::<f64>() / f64::from(seeds as u32);
        let cases: Vec<(usize, f64)> =
            (0..settled.len()).flat_map(|i| openings.iter().map(move |opening| (i, opening * D))).collect();
        let runs: Result<Vec<Run>, Failure> =
            cases.par_iter().map(|(i, opening)| drain(&settled[*i], *opening)).collect();
        let runs = runs?;
        lab.stepped(json!({ "openings": openings, "seeds": seeds }), runs.iter().map(|run| run.steps).sum());
        report(lab, openings, bulk, &runs)
    })
}

/// Balls at rest in the shut funnel.
fn settle(lab: &mut Lab, seed: u64) -> Result<Balls, Failure> {
    let mut settings = vec![format!("balls.1.seed={seed}")];
    if lab.flags.quick {
        settings.extend(["balls.1.count=600".to_owned(), "balls.1.random.to=[0.36, 0.36]".to_owned()]);
    }
    let scenario = lab.scenario(&settings)?;
    let mut balls = scenario.balls()?;
    while balls.time() < scenario.solver.duration {
        balls.step()?;
    }
    let lowest = (0..balls.len()).map(|i| balls.state(i).position.y).fold(f64::INFINITY, f64::min);
    if lowest < 0.0 {
        return Err(Failure::Missing(format!("a shut funnel: a ball is at y = {lowest} m")));
    }
    Ok(balls)
}

/// Mass of balls for an area in the middle of the heap, kg/m².
fn bulk_density(balls: &Balls) -> f64 {
    let (high, wide) = ([0.08, 0.15], 0.07);
    let inside = |i: &usize| {
        let place = balls.state(*i).position;
        place.x.abs() < wide && (high[0]..high[1]).contains(&place.y)
    };
    let mass: f64 = (0..balls.len()).filter(inside).map(|i| balls.body(i).ball.mass()).sum();
    mass / (2.0 * wide * (high[1] - high[0]))
}

/// How a funnel of one opening empties.
struct Run {
    opening: f64,
    /// `None`: it is blocked.
    flow: Option<Flow>,
    /// Part of the mass that is out, over time.
    out: Vec<(f64, f64)>,
    steps: u64,
    missed: u64,
}

/// kg/s: while watched, in its first and in its second half.
struct Flow {
    rate: f64,
    halves: [f64; 2],
}

/// The same balls where the walls end `opening` apart.
fn drain(settled: &Balls, opening: f64) -> Result<Run, Failure> {
    let half = 0.5 * opening;
    let wall = |from: [f64; 2], to: [f64; 2]| Piece::polyline(&[from.into(), to.into()] as &[Vector2<f64>; 2]);
    let walls = [wall([-1.0, 1.0], [-half, half]), wall([half, half], [1.0, 1.0])];
    let walls: Result<Vec<Ground>, _> = walls.into_iter().map(|pieces| pieces.and_then(Ground::new)).collect();
    let walls = walls.map_err(|error| Failure::Missing(error.to_string()))?;
    let ground = Ground::of_curves(walls).ok_or_else(|| Failure::Missing("two walls".to_owned()))?;
    let mut balls = on_ground(settled, ground)?;
    let start = balls.time();
    let mass = |i: usize| balls.body(i).ball.mass();
    let masses: Vec<f64> = (0..balls.len()).map(mass).collect();
    let all: f64 = masses.iter().sum();
    let (mut out, mut times) = (Vec::new(), Vec::new());
    let (mut passed, mut last) = (0.0, start);
    while times.len() < WATCHED.len() && balls.time() - last <= PATIENCE {
        balls.step()?;
        let below: f64 = (0..balls.len()).filter(|i| balls.state(*i).position.y < half).map(|i| masses[i]).sum();
        let time = balls.time() - start;
        if below > passed {
            (passed, last) = (below, balls.time());
        }
        out.push((time, below / all));
        if below >= WATCHED[times.len()] * all {
            times.push((time, below));
        }
    }
    let between = |i: usize, j: usize| (times[j].1 - times[i].1) / (times[j].0 - times[i].0);
    let flows = times.len() == WATCHED.len();
    let flow = flows.then(|| Flow { rate: between(0, 2), halves: [between(0, 1), between(1, 2)] });
    Ok(Run { opening, flow, out, steps: balls.index(), missed: balls.audit().residuals.missed })
}

fn report(lab: &mut Lab, openings: &[f64], bulk: f64, runs: &[Run]) -> Result<(), Failure> {
    let unit = bulk * (GRAVITY * D.powi(3)).sqrt();
    let mut rates = Vec::new();
    let mut table = Table::new([
        Column::fixed("D/d", 0),
        Column::fixed("rate [kg/s]", 4),
        Column::fixed("±", 4),
        Column::fixed("Beverloo [kg/s]", 4),
        Column::fixed("second half over first", 3),
        Column::text("blocked"),
        Column::text("steps"),
        Column::text("missed"),
    ]);
    let of = |opening: f64| runs.iter().filter(move |run| (run.opening - opening * D).abs() < 1e-9);
    for opening in openings {
        let flows: Vec<f64> = of(*opening).filter_map(|run| Some(run.flow.as_ref()?.rate / unit)).collect();
        if flows.is_empty() {
            return Err(Failure::Missing(format!("a flow through {opening} d: all are blocked")));
        }
        rates.push((*opening, Estimate::of(&flows)));
    }
    let means: Vec<(f64, f64)> = rates.iter().map(|(opening, rate)| (*opening, rate.mean)).collect();
    let whole = Fit::of(&means, 1.5);
    for (opening, rate) in &rates {
        let halves = of(*opening).filter_map(|run| run.flow.as_ref()).map(|flow| flow.halves[1] / flow.halves[0]);
        let steady = Estimate::of(&halves.collect::<Vec<_>>());
        table.row([
            (*opening).into(),
            (rate.mean * unit).into(),
            (rate.error * unit).into(),
            (whole.rate(*opening) * unit).into(),
            steady.mean.into(),
            of(*opening).map(|run| u32::from(run.flow.is_none())).sum::<u32>().into(),
            of(*opening).map(|run| run.steps).sum::<u64>().into(),
            of(*opening).map(|run| run.missed).sum::<u64>().into(),
        ]);
    }
    lab.table("Discharge, and Beverloo's law fitted to it", "rates", &table)?;
    let seeds: Vec<Vec<Point>> = runs
        .chunks(openings.len())
        .map(|runs| runs.iter().filter_map(|run| Some((run.opening / D, run.flow.as_ref()?.rate / unit))).collect())
        .filter(|points: &Vec<Point>| points.len() > 2)
        .collect();
    let each = |f: fn(&[Point]) -> f64| Estimate::of(&seeds.iter().map(|points| f(points)).collect::<Vec<_>>());
    let mut constants = Table::new([Column::text("constant"), Column::fixed("found", 3), Column::fixed("±", 3)]);
    let c = each(|points| Fit::of(points, 1.5).c);
    let k = each(|points| Fit::of(points, 1.5).k);
    let n = each(fit::best_power);
    for (name, estimate) in [("C", &c), ("k", &k), ("power, if it is free", &n)] {
        constants.row([name.into(), estimate.mean.into(), estimate.error.into()]);
    }
    lab.table(&format!("ρ_b = {bulk:.3} kg/m², d = {D} m; ± 95 % of {} seeds", seeds.len()), "constants", &constants)?;
    let law = whole.worst(&means);
    let liquid = Fit::proportional(&means).worst(&means);
    lab.compare("rates against Beverloo's law, relative, worst", law, 0.05);
    lab.compare_range("C", c.mean, 0.5, 1.5);
    lab.compare_range("k", k.mean, 0.5, 3.0);
    lab.compare_fact("a liquid's W ∝ D in its place, relative, worst", &format!("{liquid:.2}"), liquid > 2.0 * law);
    lab.figure(&figure(&rates, &whole, runs))
}

fn figure(rates: &[(f64, Estimate)], whole: &Fit, runs: &[Run]) -> String {
    let last = rates.last().map_or(1.0, |(opening, _)| *opening);
    let points = rates.iter().map(|(opening, rate)| (*opening, rate.mean)).collect();
    let law = (0..=200).map(|i| whole.k + (last + 0.5 - whole.k) * f64::from(i) / 200.0);
    let beverloo = law.map(|opening| (opening, whole.rate(opening))).collect();
    let discharge = Chart::new(
        "",
        "opening D/d",
        "rate / ρ_b √(g d³)",
        vec![
            Series::new("found", BLUE, points).drawn(Stroke::Dots),
            Series::new("Beverloo", VERMILION, beverloo).drawn(Stroke::Dashed),
        ],
    );
    let colours = [BLUE, VERMILION, ORANGE, GREY];
    let shown = runs[..rates.len()].iter().rev().step_by(rates.len().div_ceil(4)).zip(colours);
    let emptying = shown.map(|(run, colour)| {
        Series::new(
            format!("D = {:.0} d", run.opening / D),
            colour,
            run.out.iter().map(|(t, part)| (*t, 100.0 * part)).collect(),
        )
    });
    let empties = Chart::new("", "time [s]", "out [% of the mass]", emptying.collect());
    stack("Balls that flow through a funnel", vec![discharge, empties]).svg()
}
