#![doc = include_str!("README.md")]

mod exact;

use std::process::ExitCode;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece};
use exact::{one_after_another, together};
use experiments::{Column, Failure, Lab, Table, run};
use kugelbahn::figures::{BLUE, Chart, GREEN, ORANGE, PURPLE, Series, VERMILION, stack};
use mechanics::{Ball, ContactLaw, Forces, State};
use moreau::{BallSettings, Balls, Body};
use nalgebra::Vector2;
use serde_json::json;

const N: usize = 5;
const RADIUS: f64 = 0.05;
const STEP: f64 = 1e-3;
/// Of the first ball before it hits, m.
const APPROACH: f64 = 0.1;

type Velocities = [f64; N];

fn main() -> ExitCode {
    run("newtons_cradle", |lab| {
        touching(lab)?;
        apart(lab)?;
        let figure = figure(lab)?;
        lab.figure(&figure)
    })
}

/// Places over time, and velocities in the end.
struct Found {
    paths: Vec<(f64, [f64; N])>,
    velocities: Velocities,
    /// Most contacts in one step.
    most: usize,
    /// Kinetic energy in the end over that at the start.
    left: f64,
}

/// Where the balls start: the first `moving` come in together, the others lie `gap` apart.
fn places(moving: usize, gap: f64) -> [f64; N] {
    let mut x = 0.0;
    std::array::from_fn(|i| {
        let at = x;
        x += 2.0 * RADIUS + if i + 1 == moving { APPROACH } else { gap };
        at
    })
}

fn cradle(lab: &mut Lab, moving: usize, gap: f64, restitution: f64, duration: f64) -> Result<Found, Failure> {
    stepped(lab, moving, gap, restitution, [STEP, duration])
}

fn stepped(
    lab: &mut Lab,
    moving: usize,
    gap: f64,
    restitution: f64,
    [step, duration]: [f64; 2],
) -> Result<Found, Failure> {
    // No gravity, and the ground is out of reach: a row of balls on a line.
    let line = Piece::polyline(&[Vector2::new(-100.0, -1.0), Vector2::new(100.0, -1.0)]);
    let ground = line.and_then(Ground::new).map_err(|error| Failure::Missing(error.to_string()))?;
    let ground = Arc::new(OffsetGround::new(Arc::new(ground), RADIUS));
    let law = ContactLaw::new(restitution)?;
    let ball = Ball::new(1.0, RADIUS, Ball::SOLID_SPHERE)?;
    let forces = Forces::gravity(&ball, Vector2::zeros())?;
    let bodies = places(moving, gap).into_iter().enumerate().map(|(i, x)| {
        let velocity = Vector2::new(if i < moving { 1.0 } else { 0.0 }, 0.0);
        let position = Vector2::new(x, 0.0);
        let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 };
        Body { ball, ground: ground.clone(), forces: forces.clone(), law: law.clone(), start }
    });
    let mut balls = Balls::new(bodies.collect(), law, BallSettings { tolerance: 1e-14, ..BallSettings::new(step) })?;
    let now = |balls: &Balls| std::array::from_fn(|i| balls.state(i).position.x);
    let mut paths = vec![(0.0, now(&balls))];
    let mut most = 0;
    for _ in 0..(duration / step).round() as u64 {
        most = most.max(balls.step()?.contacts);
        paths.push((balls.time(), now(&balls)));
    }
    let energy = balls.energy();
    let parameters = json!({
        "method": "moreau", "theta": 0.5, "step": step, "balls": N, "moving": moving, "gap": gap,
        "restitution": restitution, "duration": duration, "radius": RADIUS,
    });
    lab.stepped(parameters, balls.index());
    let velocities = std::array::from_fn(|i| balls.state(i).velocity.x);
    Ok(Found { paths, velocities, most, left: energy.kinetic / energy.initial })
}

fn columns() -> Table {
    let v = |i: usize| Column::fixed(&format!("v{i} [m/s]"), 6);
    Table::new([
        Column::text("e"),
        Column::text("moving"),
        Column::text("gap [m]"),
        v(1),
        v(2),
        v(3),
        v(4),
        v(5),
        Column::fixed("energy left", 6),
        Column::text("contacts in a step"),
        Column::science("difference [m/s]", 1),
    ])
}

fn row(table: &mut Table, [e, gap]: [f64; 2], moving: usize, found: &Found, difference: f64) {
    let v = found.velocities;
    table.row([
        format!("{e}").as_str().into(),
        (moving as u64).into(),
        format!("{gap}").as_str().into(),
        v[0].into(),
        v[1].into(),
        v[2].into(),
        v[3].into(),
        v[4].into(),
        found.left.into(),
        (found.most as u64).into(),
        difference.into(),
    ]);
}

fn apart_by(found: &Velocities, exact: &Velocities) -> f64 {
    found.iter().zip(exact).fold(0f64, |most, (a, b)| most.max((a - b).abs()))
}

fn touching(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = columns();
    let mut worst = 0f64;
    for moving in 1..N {
        for e in [1.0, 0.9, 0.5, 0.0] {
            let found = cradle(lab, moving, 0.0, e, 0.3)?;
            let start = std::array::from_fn(|i| if i < moving { 1.0 } else { 0.0 });
            let exact = together(&start, e).ok_or_else(|| Failure::Missing("a solution of the impact".into()))?;
            // The same as two bodies, each of them rigid: b − a = e, j a + (N − j) b = j.
            let (j, n) = (moving as f64, N as f64);
            let (a, b) = ((j - (n - j) * e) / n, j * (1.0 + e) / n);
            let blocks = std::array::from_fn(|i| if i < moving { a } else { b });
            let difference = apart_by(&found.velocities, &exact).max(apart_by(&exact, &blocks));
            worst = worst.max(difference);
            row(&mut table, [e, 0.0], moving, &found, difference);
            if moving == 1 && e == 1.0 {
                lab.compare(
                    "touching, e = 1: first ball thrown back with 3/5",
                    (found.velocities[0] + 0.6).abs(),
                    1e-12,
                );
                lab.compare("touching, e = 1: energy lost", (found.left - 1.0).abs(), 1e-12);
            }
        }
    }
    lab.table("Touching balls: all contacts in one step", "touching", &table)?;
    lab.compare("touching: against the impact law solved by hand, m/s", worst, 1e-12);
    Ok(())
}

fn apart(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = columns();
    let (mut worst, mut last, mut momentum) = (0f64, 0f64, 0f64);
    let (mut later, mut swapped) = (0f64, 0f64);
    let gaps: &[f64] = &[1e-2, 1e-9];
    for moving in 1..N {
        for e in [1.0, 0.9, 0.5] {
            for gap in gaps {
                // The balls that come in together touch, or they would hit each other one by one as well.
                let duration = if e == 1.0 { 0.6 } else { 60.0 };
                let found = cradle(lab, moving, *gap, e, duration)?;
                let start = std::array::from_fn(|i| if i < moving { 1.0 } else { 0.0 });
                let exact = one_after_another(places(moving, *gap), start, RADIUS, e, duration);
                let difference = apart_by(&found.velocities, &exact);
                row(&mut table, [e, *gap], moving, &found, difference);
                if e == 1.0 {
                    worst = worst.max(difference);
                    let real = std::array::from_fn(|i| if i + moving >= N { 1.0 } else { 0.0 });
                    worst = worst.max(apart_by(&found.velocities, &real));
                }
                if moving == 1 {
                    // What the first pass leaves the last ball with, whatever comes after.
                    last = last.max((found.velocities[N - 1] - (0.5 * (1.0 + e)).powi(N as i32 - 1)).abs());
                }
                momentum = momentum.max((found.velocities.iter().sum::<f64>() - moving as f64).abs());
                if *gap == 1e-2 && moving == 1 {
                    let most = if e == 0.9 { &mut swapped } else { &mut later };
                    *most = most.max(difference);
                }
            }
        }
    }
    lab.table("Balls with gaps: one contact after the other", "apart", &table)?;
    lab.compare("one ball comes in: the last leaves with ((1 + e)/2)⁴, m/s", last, 1e-12);
    lab.compare("momentum, kg m/s", momentum, 1e-12);
    // Velocities are a matter of the order of impacts alone.
    lab.compare("gaps of 10 mm, one ball, e = 1 and 0.5: against impacts one by one, m/s", later, 1e-12);
    // An impact is met up to half a step early or late, so gaps are off by up to h v/2; late balls approach with 2 mm/s,
    // and at 1 ms that is 0.03 s. For e = 0.9 two pairs meet 0.004 s apart (4.110 and 4.114 s), here in the other order:
    // that alone makes 1.05e-5. A tenth of the step keeps the order, and all is as it should be.
    lab.compare("the same, e = 0.9, two impacts in the other order, m/s", swapped, 1.1e-5);
    let finer = stepped(lab, 1, 1e-2, 0.9, [0.1 * STEP, 6.0])?;
    let start = std::array::from_fn(|i| if i < 1 { 1.0 } else { 0.0 });
    let exact = one_after_another(places(1, 1e-2), start, RADIUS, 0.9, 6.0);
    lab.compare("the same with h = 0.1 ms, m/s", apart_by(&finer.velocities, &exact), 1e-12);
    lab.compare("e = 1 with gaps: as many leave as came, m/s", worst, 1e-12);
    Ok(())
}

fn figure(lab: &mut Lab) -> Result<String, Failure> {
    let mut charts = Vec::new();
    for (title, gap, e) in [
        ("touching, e = 1", 0.0, 1.0),
        ("gaps of 1 nm, e = 1", 1e-9, 1.0),
        ("touching, e = 0.9", 0.0, 0.9),
        ("gaps of 1 nm, e = 0.9", 1e-9, 0.9),
    ] {
        let found = cradle(lab, 1, gap, e, 0.4)?;
        let colours = [BLUE, VERMILION, GREEN, ORANGE, PURPLE];
        let line = |i: usize| found.paths.iter().map(|(t, x)| (*t, x[i])).collect::<Vec<_>>();
        let series = (0..N).map(|i| Series::new(format!("ball {}", i + 1), colours[i], line(i))).collect();
        charts.push(Chart::new(title, "time [s]", "x [m]", series));
    }
    Ok(stack("Five balls in a row, the first comes in with 1 m/s", charts).svg())
}
