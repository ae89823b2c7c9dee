#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use kugelbahn::figures::{BLUE, Chart, Decades, GREEN, GREY, ORANGE, Series, Stroke, VERMILION};
use reference::bounce::Bounce;
use reference::drag::DragBounce;
use reference::table;
use supervisor::EventKind;

fn main() -> ExitCode {
    run("zeno", |lab| {
        first_impacts(lab)?;
        let figure = restitutions(lab)?;
        drag(lab)?;
        throw(lab)?;
        lab.figure(&figure)
    })
}

const DROP: Bounce = Bounce { height: 1.0, gravity: 9.81, restitution: 0.9 };

/// Times of impacts, s, and the time of the landing.
fn times(recording: &Recording) -> Result<(Vec<f64>, f64), Failure> {
    let impacts = recording.events.iter().filter(|event| event.kind == EventKind::Impact).map(|event| event.time());
    let landing = recording.first(EventKind::Landing).ok_or_else(|| Failure::Missing("a landing".into()))?;
    Ok((impacts.collect(), landing.time()))
}

fn first_impacts(lab: &mut Lab) -> Result<(), Failure> {
    let (_, recording) = lab.record(&[])?;
    let (impacts, landing) = times(&recording)?;
    let mut table = Table::new([
        Column::text("impact"),
        Column::fixed("time [s]", 13),
        Column::fixed("exact [s]", 13),
        Column::science("relative difference", 1),
    ]);
    let mut worst = 0f64;
    for (k, time) in (1..=44).zip(&impacts) {
        let exact = DROP.impact_time(k);
        let difference = (time / exact - 1.0).abs();
        worst = worst.max(difference);
        table.row([k.into(), (*time).into(), exact.into(), difference.into()]);
    }
    lab.table("Drop from 1 m, e = 0.9", "impacts", &table)?;
    lab.compare_fact("impacts before the landing", &impacts.len().to_string(), impacts.len() >= 44);
    lab.compare("first 44 impact times, relative", worst, 1e-13);
    lab.compare("end of the bounces, s", (landing - DROP.zeno_time()).abs(), 1e-9);
    let speed = recording.summary.map_or(f64::NAN, |summary| summary.state.velocity.norm());
    lab.compare_fact("speed in the end", &format!("{speed:?} m/s"), speed == 0.0);
    Ok(())
}

fn restitutions(lab: &mut Lab) -> Result<String, Failure> {
    let mut table = Table::new([
        Column::text("e"),
        Column::text("impacts computed"),
        Column::fixed("end [s]", 9),
        Column::fixed("exact [s]", 9),
        Column::science("relative difference", 1),
    ]);
    let mut series = Vec::new();
    let mut worst = 0f64;
    for (restitution, colour) in [(0.0, GREY), (0.5, GREEN), (0.9, BLUE), (0.99, VERMILION), (0.9999, ORANGE)] {
        let exact = Bounce { restitution, ..DROP };
        let end = exact.zeno_time();
        let settings = [format!("contact.restitution={restitution:?}"), format!("solver.duration={:?}", 1.1 * end)];
        let (impacts, landing) = times(&lab.record(&settings)?.1)?;
        let difference = (landing / end - 1.0).abs();
        worst = worst.max(difference);
        let name = format!("{restitution}");
        table.row([name.as_str().into(), (impacts.len() as u64).into(), landing.into(), end.into(), difference.into()]);
        if restitution > 0.0 && restitution < 0.999 {
            // Not nearer to the end than a time can be told from it.
            let left = |time: f64| (time < end * (1.0 - 1e-9)).then_some(end - time);
            let found = (1u32..).zip(&impacts).filter_map(|(k, time)| Some((f64::from(k), left(*time)?)));
            let found: Vec<_> = found.take(300).collect();
            let formula =
                found.iter().map(|(k, _)| (*k, exact.first_time() * 2.0 * restitution.powf(*k) / (1.0 - restitution)));
            series.push(Series::new(format!("e = {restitution}, formula"), colour, formula.collect()));
            let every = found.len().div_ceil(40);
            series.push(
                Series::new(format!("e = {restitution}, run"), colour, found.into_iter().step_by(every).collect())
                    .drawn(Stroke::Dots),
            );
        }
    }
    lab.table("Where they end", "ends", &table)?;
    lab.compare("ends for all e, relative", worst, 1e-9);
    let chart = Chart::new("Time left until the bounces end", "impact", "time left [s]", series);
    Ok(chart.decades(Decades::Y).svg())
}

fn drag(lab: &mut Lab) -> Result<(), Failure> {
    let benchmark = table::find("drop_analytic").ok_or_else(|| Failure::Missing("the table of the drop".into()))?;
    let number = |name: &str| benchmark.number(name).ok_or_else(|| Failure::Missing(name.into()));
    let exact = DragBounce {
        height: number("y0")?,
        gravity: number("g")?,
        drag: number("k_over_m")?,
        restitution: number("e")?,
    };
    let settings = [
        format!("initial.position=[0.0, {:?}]", exact.height),
        format!("forces.drag.coefficient={:?}", exact.drag),
        "solver.duration=15.0".to_owned(),
    ];
    let (impacts, landing) = times(&lab.record(&settings)?.1)?;
    let mut table = Table::new([
        Column::text("impact"),
        Column::fixed("time [s]", 13),
        Column::fixed("exact [s]", 13),
        Column::science("difference [s]", 1),
    ]);
    let mut worst = 0f64;
    for ((k, impact), time) in (1u32..=40).zip(exact.impacts()).zip(&impacts) {
        let difference = (time - impact.time).abs();
        worst = worst.max(difference);
        table.row([k.into(), (*time).into(), impact.time.into(), difference.into()]);
    }
    lab.table("The same with quadratic drag, from 2 m", "drag", &table)?;
    lab.compare("first 40 impact times with drag, s", worst, 1e-10);
    lab.compare("end with drag against the chain of closed forms, s", (landing - exact.zeno_time()).abs(), 1e-9);
    lab.compare("end with drag against the table, s", (landing - number("zeno_time")?).abs(), 1e-9);
    Ok(())
}

fn throw(lab: &mut Lab) -> Result<(), Failure> {
    let throw = table::find("hard_modelica_e0.9").ok_or_else(|| Failure::Missing("the table of the throw".into()))?;
    let after = throw.part("state_at_20s_after_zeno_sliding").ok_or_else(|| Failure::Missing("its end".into()))?;
    let number = |name: &str| throw.number(name).ok_or_else(|| Failure::Missing(name.into()));
    let settings = [
        "initial.position=[0.0, 2.0]".to_owned(),
        "initial.velocity=[1.0, 5.0]".to_owned(),
        format!("forces.drag.coefficient={:?}", number("k_over_m")?),
        "solver.duration=20.0".to_owned(),
    ];
    let (_, recording) = lab.record(&settings)?;
    let landing = recording.first(EventKind::Landing).ok_or_else(|| Failure::Missing("a landing".into()))?;
    let end = recording.summary.ok_or_else(|| Failure::Missing("a summary".into()))?.state;
    let (x, v) = (after.number("x").unwrap_or(f64::NAN), after.number("vx").unwrap_or(f64::NAN));
    let mut table = Table::new([
        Column::text("quantity"),
        Column::fixed("found", 12),
        Column::fixed("table", 12),
        Column::science("difference", 1),
    ]);
    let rows = [
        ("end of the bounces [s]", landing.time(), number("zeno_time")?),
        ("x there [m]", landing.position().x, number("x_zeno")?),
        ("v_x there [m/s]", landing.after.velocity.x, number("vx_zeno")?),
        ("x at 20 s, sliding [m]", end.position.x, x),
        ("v_x at 20 s [m/s]", end.velocity.x, v),
    ];
    let mut worst = 0f64;
    for (what, found, exact) in rows {
        worst = worst.max((found - exact).abs());
        table.row([what.into(), found.into(), exact.into(), (found - exact).into()]);
    }
    lab.table("A throw with drag: bounces, their end, sliding on", "throw", &table)?;
    lab.compare("throw with drag against the table, s, m, m/s", worst, 1e-9);
    Ok(())
}
