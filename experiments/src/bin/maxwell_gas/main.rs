#![doc = include_str!("README.md")]

use std::process::ExitCode;
use std::time::Instant;

use collisions::Collisions;
use experiments::{Column, Failure, Lab, Table, run};
use kugelbahn::figures::{BLUE, Chart, GREY, Series, Stroke, VERMILION, stack};
use serde_json::json;

/// Bins of equal probability.
const BINS: usize = 20;
/// Times at which speeds are looked at, s.
const TIMES: [f64; 9] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0];
/// χ² of 19 degrees of freedom is above this once in a thousand times.
const RARE: f64 = 43.82;

fn main() -> ExitCode {
    run("maxwell_gas", |lab| {
        let found = relaxation(lab)?;
        long(lab)?;
        lab.figure(&figure(&found))
    })
}

fn stopped(error: &dyn std::fmt::Display) -> Failure {
    Failure::Missing(format!("the run to its end: {error}"))
}

/// The gas of a seed.
fn gas(lab: &mut Lab, seed: u64) -> Result<Collisions, Failure> {
    let scenario = lab.scenario(&[format!("balls.1.seed={seed}")])?;
    scenario.collisions().map_err(|error| stopped(&error))
}

/// v²/⟨v²⟩ of all balls.
fn squares(balls: &Collisions) -> Vec<f64> {
    let squares: Vec<f64> = (0..balls.len()).map(|ball| balls.leg(ball).state.velocity.norm_squared()).collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    squares.into_iter().map(|square| square / mean).collect()
}

/// Σ(seen − expected)²/expected over bins of equal probability. Of N balls that share their energy in all ways alike, v² in its sum has
/// the distribution Beta(1, N − 1), which is Maxwell's for N → ∞.
fn chi_squared(squares: &[f64], balls: usize) -> f64 {
    let mut seen = [0u64; BINS];
    for square in squares {
        let below = 1.0 - (1.0 - square / balls as f64).max(0.0).powi(balls as i32 - 1);
        seen[((below * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let expected = squares.len() as f64 / BINS as f64;
    seen.iter().map(|n| (*n as f64 - expected).powi(2) / expected).sum()
}

/// Speeds at some times, of many gases that differ in their seed.
struct Found {
    squares: Vec<Vec<f64>>,
    chi: Vec<f64>,
}

fn relaxation(lab: &mut Lab) -> Result<Found, Failure> {
    let seeds = if lab.flags.quick { 10 } else { 50 };
    let mut found = Found { squares: vec![Vec::new(); TIMES.len()], chi: Vec::new() };
    let mut impacts = [0u64; TIMES.len()];
    let mut count = 0;
    for seed in 0..seeds {
        let mut balls = gas(lab, lab.flags.seed * 1000 + seed)?;
        count = balls.len();
        for (i, time) in TIMES.into_iter().enumerate() {
            balls.advance(time, &mut |_| ()).map_err(|error| stopped(&error))?;
            found.squares[i].extend(squares(&balls));
            impacts[i] += balls.count().pairs;
        }
    }
    let mut table =
        Table::new([Column::fixed("time [s]", 2), Column::fixed("impacts of a ball", 2), Column::fixed("χ²", 1)]);
    for (i, time) in TIMES.into_iter().enumerate() {
        let chi = chi_squared(&found.squares[i], count);
        found.chi.push(chi);
        let each = 2.0 * impacts[i] as f64 / (seeds as f64 * count as f64);
        table.row([time.into(), each.into(), chi.into()]);
    }
    lab.table("Speeds against Maxwell's, χ² of 19 degrees of freedom", "speeds", &table)?;
    lab.compare("χ² at 4 s, of 19 degrees of freedom", found.chi[TIMES.len() - 1], RARE);
    lab.compare_fact("χ² at the start, all speeds alike", "", found.chi[0] > 1000.0);
    Ok(found)
}

/// Energy over many impacts.
fn long(lab: &mut Lab) -> Result<(), Failure> {
    let end = if lab.flags.quick { 10.0 } else { 200.0 };
    let mut balls = gas(lab, lab.flags.seed)?;
    let start = balls.energy().total();
    let (clock, mut worst) = (Instant::now(), 0f64);
    for row in 1..=10 {
        balls.advance(end * f64::from(row) / 10.0, &mut |_| ()).map_err(|error| stopped(&error))?;
        worst = worst.max((balls.energy().total() / start - 1.0).abs());
    }
    let (count, seconds) = (balls.count(), clock.elapsed().as_secs_f64());
    let impacts = count.pairs + count.ground;
    let deepest = (0..balls.len()).map(|ball| -balls.nearest(ball).1.min(balls.gap(ball))).fold(f64::MIN, f64::max);
    let mut table = Table::new([
        Column::fixed("time [s]", 1),
        Column::text("impacts of two balls"),
        Column::text("impacts with a wall"),
        Column::science("energy, relative", 1),
        Column::science("impacts a second", 1),
    ]);
    table.row([end.into(), count.pairs.into(), count.ground.into(), worst.into(), (impacts as f64 / seconds).into()]);
    lab.table("One gas for long", "long", &table)?;
    lab.compare("energy, relative", worst, 1e-12);
    lab.compare("deepest overlap, m", deepest.max(0.0), 1e-13);
    lab.compare_fact("handed over to time stepping", &count.handed.to_string(), count.handed == 0);
    lab.stepped(json!({ "run": "long", "duration": end }), impacts);
    Ok(())
}

fn figure(found: &Found) -> String {
    let (width, most) = (0.1, 30usize);
    let bars = |squares: &[f64]| {
        let mut seen = vec![0u64; most];
        squares.iter().for_each(|square| {
            let bin = (square.sqrt() / width) as usize;
            if bin < most {
                seen[bin] += 1;
            }
        });
        let density = |n: u64| n as f64 / (squares.len() as f64 * width);
        // Steps.
        let step = |(i, n): (usize, u64)| {
            let (left, high) = (i as f64 * width, density(n));
            [(left, high), (left + width, high)]
        };
        seen.into_iter().enumerate().flat_map(step).collect::<Vec<_>>()
    };
    // ⟨v²⟩ = 1: f(v) = 2v exp(−v²).
    let exact: Vec<(f64, f64)> =
        (0..=300).map(|i| f64::from(i) * 0.01).map(|v| (v, 2.0 * v * (-v * v).exp())).collect();
    let last = TIMES.len() - 1;
    let speeds = Chart::new(
        "",
        "speed / √⟨v²⟩",
        "density",
        vec![
            Series::new(format!("after {} s", TIMES[3]), GREY, bars(&found.squares[3])).drawn(Stroke::Thin),
            Series::new(format!("after {} s", TIMES[last]), BLUE, bars(&found.squares[last])),
            Series::new("Maxwell", VERMILION, exact).drawn(Stroke::Dashed),
        ],
    );
    let chi = TIMES.iter().zip(&found.chi).skip(1).map(|(time, chi)| (*time, chi.log10())).collect();
    let rare = vec![(TIMES[1], RARE.log10()), (TIMES[last], RARE.log10())];
    let fall = Chart::new(
        "",
        "time [s]",
        "log₁₀ χ²",
        vec![Series::new("χ²", BLUE, chi), Series::new("once in a thousand", GREY, rare).drawn(Stroke::Dashed)],
    );
    stack("Speeds of elastic balls, all alike at the start", vec![speeds, fall]).svg()
}
