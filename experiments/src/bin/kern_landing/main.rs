#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, KernRun, Lab, Table};
use kugelbahn::figures::{BLUE, Chart, GREEN, GREY, Series, Stroke, VERMILION, stack};
use moreau::Kern;
use reference::bounce::Bounce;
use reference::kern::{GRAVITY, MASS, RESTITUTION, STEP, landing_force, listing};
use serde_json::Map;

/// y₀ of figure 1, m.
const HEIGHT: f64 = 0.5;

const DROP: Bounce = Bounce { height: HEIGHT, gravity: GRAVITY, restitution: RESTITUTION };

fn main() -> ExitCode {
    experiments::run("kern_landing", |lab| {
        let run = landing(lab, STEP)?;
        against_listing(lab, &run)?;
        finer(lab)?;
        lab.figure(&figure(&run))
    })
}

fn landing(lab: &mut Lab, step: f64) -> Result<KernRun, Failure> {
    KernRun::new(lab, step, HEIGHT, landing_force, Map::from_iter([("height".to_owned(), HEIGHT.into())]))
}

/// Number of the step, counted from 1 as in the listing, from which on every step has a reaction.
fn lies_from(run: &KernRun) -> usize {
    run.reaction.iter().rposition(|r| *r == 0.0).map_or(1, |last| last + 2)
}

/// Numbers of the steps that bounce: a reaction after a step without one.
fn impacts(run: &KernRun) -> impl Iterator<Item = usize> {
    let starts = |n: &usize| run.reaction[*n] > 0.0 && (*n == 0 || run.reaction[n - 1] == 0.0);
    (0..run.reaction.len()).filter(starts).map(|n| n + 1)
}

fn against_listing(lab: &mut Lab, found: &KernRun) -> Result<(), Failure> {
    found.compare(lab, &listing(HEIGHT, 0.0, landing_force));
    let mut steps = Table::new([
        Column::text("step"),
        Column::fixed("time [s]", 2),
        Column::science("position [m]", 6),
        Column::science("velocity [m/s]", 6),
        Column::science("reaction [N s]", 6),
        Column::science("exact position [m]", 6),
    ]);
    let mut below = 0f64;
    for n in 1..found.position.len() {
        let (y, time) = (found.position[n], n as f64 * found.step);
        below = below.min(y);
        let exact = DROP.at(time)[0];
        steps.row([
            (n as u64).into(),
            time.into(),
            y.into(),
            found.velocity[n].into(),
            found.reaction[n - 1].into(),
            exact.into(),
        ]);
    }
    lab.table("Figure 1, step by step", "steps", &steps)?;
    let mut bounces = Table::new([
        Column::text("impact"),
        Column::fixed("end of the step [s]", 2),
        Column::fixed("exact [s]", 5),
        Column::fixed("late by [s]", 5),
    ]);
    for (k, n) in (1u32..).zip(impacts(found)) {
        let (time, exact) = (n as f64 * found.step, DROP.impact_time(k));
        bounces.row([k.into(), time.into(), exact.into(), (time - exact).into()]);
    }
    lab.table("Impacts against the geometric series", "impacts", &bounces)?;
    let lies = lies_from(found);
    let rest = *found.position.last().unwrap_or(&f64::NAN);
    found.compare_reaction(lab);
    lab.compare_fact("permanent contact from step", &lies.to_string(), lies == 587);
    lab.compare("rests at y = −1.9006e-4 m", (rest + 1.9006e-4).abs(), 5e-9);
    let ratio = found.velocity[lies..].windows(2).map(|v| (v[1] / v[0] + RESTITUTION).abs()).fold(0f64, f64::max);
    lab.compare("from then on v changes by −e in each step, relative", ratio, 1e-15);
    let left = found.velocity.last().map_or(f64::NAN, |v| v.abs());
    lab.compare("speed in the end, m/s", left, 1e-20);
    let weight = MASS * GRAVITY * STEP;
    let off = found.reaction.last().map_or(f64::NAN, |r| (r - weight).abs());
    lab.compare("reaction in the end against h m g, N s", off, 1e-16);
    let formula = Kern::zeno_time(HEIGHT, GRAVITY, RESTITUTION);
    lab.compare(
        "time of Zeno's point, listing's formula against the series, s",
        (formula - DROP.zeno_time()).abs(),
        1e-14,
    );
    lab.compare("time of Zeno's point against 6.00833 s", (formula - 6.00833).abs(), 5e-6);
    lab.compare_fact(
        "lowest position, never below h × impact speed",
        &format!("{below:e} m"),
        -below <= STEP * DROP.impact_speed(1),
    );
    Ok(())
}

fn finer(lab: &mut Lab) -> Result<(), Failure> {
    let halvings = if lab.flags.quick { 3 } else { 8 };
    let mut table = Table::new([
        Column::science("step [s]", 3),
        Column::text("impacts"),
        Column::fixed("lies from [s]", 5),
        Column::science("before Zeno's point [s]", 2),
        Column::science("rests at [m]", 2),
        Column::science("largest error of y [m]", 2),
    ]);
    let mut last = f64::NAN;
    for k in 0..halvings {
        let step = STEP / f64::from(1u32 << k);
        let found = landing(lab, step)?;
        let lies = lies_from(&found) as f64 * step;
        let errors = found.position.iter().enumerate().map(|(n, y)| (y - DROP.at(n as f64 * step)[0]).abs());
        last = errors.fold(0f64, f64::max);
        table.row([
            step.into(),
            (impacts(&found).count() as u64).into(),
            lies.into(),
            (DROP.zeno_time() - lies).into(),
            (*found.position.last().unwrap_or(&f64::NAN)).into(),
            last.into(),
        ]);
    }
    lab.table("Smaller steps", "smaller-steps", &table)?;
    lab.compare("largest error of y with the smallest step, m", last, if lab.flags.quick { 0.1 } else { 5e-3 });
    Ok(())
}

fn figure(found: &KernRun) -> String {
    let [position, reaction] = found.curves();
    let exact = (0..=4000).map(|i| f64::from(i) * 2.5e-3).map(|t| (t, DROP.at(t)[0])).collect();
    let end = |low: f64, high: f64| {
        Series::new("Zeno's point", GREEN, vec![(DROP.zeno_time(), low), (DROP.zeno_time(), high)])
            .drawn(Stroke::Dashed)
    };
    let chart = |y: &str, series| Chart::new("", "time [s]", y, series);
    stack(
        "Landing by Kern's scheme, h = 10 ms, e = 0.9",
        vec![
            chart(
                "position y [m]",
                vec![
                    Series::new("exact", GREY, exact).drawn(Stroke::Thin),
                    Series::new("position", BLUE, position),
                    end(-0.05, 0.55),
                ],
            ),
            chart("reaction hλ [N s]", vec![Series::new("reaction", VERMILION, reaction), end(0.0, 6.0)]),
        ],
    )
    .svg()
}
