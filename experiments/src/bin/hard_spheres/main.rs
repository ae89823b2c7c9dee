#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use kugelbahn::figures::{BLUE, Chart, Decades, GREEN, GREY, Series, Stroke, VERMILION, ground_points, panels};
use reference::table::{self, NamedNumbers as Exact};
use supervisor::EventKind;

fn main() -> ExitCode {
    run("hard_spheres", |lab| {
        benchmark(lab)?;
        let mut charts = air(lab)?;
        charts.push(throw(lab)?);
        charts.extend(sines(lab)?);
        lab.figure(&panels("The benchmark's bouncing ball", "", charts).svg())
    })
}

fn exact(name: &str) -> Result<Exact, Failure> {
    table::find(name).ok_or_else(|| Failure::Missing(format!("the table {name}")))
}

fn number(table: &Exact, name: &str) -> Result<f64, Failure> {
    table.number(name).ok_or_else(|| Failure::Missing(name.into()))
}

fn impacts(recording: &Recording) -> Vec<f64> {
    recording.events.iter().filter(|event| event.kind == EventKind::Impact).map(|event| event.time()).collect()
}

fn settings(method: &str, localisation: &str, tolerance: f64, more: &[String]) -> Vec<String> {
    let solver = [
        format!("solver.method={method}"),
        format!("solver.localisation={localisation}"),
        format!("solver.tolerance={tolerance:e}"),
    ];
    more.iter().cloned().chain(solver).collect()
}

/// A row of the benchmark's table: bounce, tolerance, DASSL's time and the benchmark's, as printed; and what its localisation is held
/// to here, s: tests prove its order, the number is of the steps that `bdf` makes.
const PRINTED: [(usize, f64, f64, f64, f64); 4] = [
    (1, 1e-6, 0.640715, 0.640714, 5e-6),
    (1, 1e-3, 0.641162, 0.640730, 7e-5),
    (2, 1e-6, 1.769523, 1.769515, 1.5e-5),
    (2, 1e-3, 1.769915, 1.769562, 2.3e-4),
];

/// The benchmark's comparison, with the exact values it has to six digits, and both localisations.
fn benchmark(lab: &mut Lab) -> Result<(), Failure> {
    let drop = exact("drop_analytic")?;
    let events = drop.events();
    let drag = number(&drop, "k_over_m")?;
    let setting = [
        "ball.mass=1.0".to_owned(),
        format!("forces.drag={{ coefficient = {drag:?} }}"),
        "initial.velocity=[0.0, 0.0]".to_owned(),
        "solver.duration=2.0".to_owned(),
    ];
    let mut table = Table::new([
        Column::text("bounce"),
        Column::text("tolerance"),
        Column::fixed("DASSL [s]", 6),
        Column::fixed("the benchmark's [s]", 6),
        Column::fixed("exact [s]", 13),
        Column::science("error DASSL", 1),
        Column::science("error of the benchmark", 1),
        Column::science("bdf, parabola", 1),
        Column::science("bdf, certified", 1),
    ]);
    for (bounce, tolerance, dassl, benchmark, parabola) in PRINTED {
        let time = number(&events[bounce - 1], "t")?;
        let mut errors = [0.0; 2];
        for (error, localisation) in errors.iter_mut().zip(["parabola", "certified"]) {
            let found = impacts(&lab.record(&settings("bdf", localisation, tolerance, &setting))?.1);
            let at = found.get(bounce - 1).ok_or_else(|| Failure::Missing(format!("bounce {bounce}")))?;
            *error = (at - time).abs();
        }
        table.row([
            (bounce as u64).into(),
            format!("{tolerance:e}").as_str().into(),
            dassl.into(),
            benchmark.into(),
            time.into(),
            (dassl - time).abs().into(),
            (benchmark - time).abs().into(),
            errors[0].into(),
            errors[1].into(),
        ]);
        lab.compare(&format!("bounce {bounce} at {tolerance:e}, localisation by a parabola, s"), errors[0], parabola);
        let bound = if tolerance > 1e-4 { 2.5e-5 } else { 1e-7 };
        lab.compare(&format!("bounce {bounce} at {tolerance:e}, certified, s"), errors[1], bound);
    }
    lab.table("The benchmark's vertical drop with drag: time of the bounce, s", "drop", &table)
}

/// Heights with and without air.
fn air(lab: &mut Lab) -> Result<Vec<Chart>, Failure> {
    let height = |recording: &Recording| -> Vec<(f64, f64)> {
        recording.samples.iter().map(|sample| (sample.state.time, sample.state.position.y)).collect()
    };
    let with = lab.record(&[])?.1;
    let without = lab.record(&["forces.drag={ coefficient = 0 }".to_owned()])?.1;
    let series = vec![
        Series::new("without air", GREY, height(&without)).drawn(Stroke::Dashed),
        Series::new("with air", BLUE, height(&with)),
    ];
    Ok(vec![Chart::new("The drop", "time [s]", "height [m]", series)])
}

/// 20 s through the accumulation of bounces; errors of event times over the number of the bounce.
fn throw(lab: &mut Lab) -> Result<Chart, Failure> {
    let throw = exact("hard_modelica_e0.9")?;
    let events = throw.events();
    let end = throw.part("state_at_20s_after_zeno_sliding").ok_or_else(|| Failure::Missing("its end".into()))?;
    let mut table = Table::new([
        Column::text("method"),
        Column::text("localisation"),
        Column::text("tolerance"),
        Column::science("first bounce [s]", 1),
        Column::science("tenth [s]", 1),
        Column::science("end of bounces [s]", 1),
        Column::science("x at 20 s [m]", 1),
        Column::science("v_x at 20 s [m/s]", 1),
        Column::text("height then [m]"),
    ]);
    let mut series = Vec::new();
    let runs = [("bdf", "parabola"), ("bdf", "certified"), ("dop853", "certified"), ("newmark", "certified")];
    let tolerances: &[f64] = if lab.flags.quick { &[1e-6] } else { &[1e-3, 1e-6, 1e-10] };
    for (method, localisation) in runs {
        for tolerance in tolerances.iter().copied() {
            let recording = lab.record(&settings(method, localisation, tolerance, &["output.interval=20.0".into()]))?.1;
            let found = impacts(&recording);
            let errors: Vec<f64> = found
                .iter()
                .zip(&events)
                .map(|(time, event)| Ok((time - number(event, "t")?).abs()))
                .collect::<Result<_, Failure>>()?;
            let landing = recording.events.iter().rfind(|event| event.kind == EventKind::Landing);
            let landing = landing.ok_or_else(|| Failure::Missing("a landing".into()))?.time();
            let state = recording.summary.ok_or_else(|| Failure::Missing("a summary".into()))?.state;
            let zeno = (landing - number(&throw, "zeno_time")?).abs();
            let x = (state.position.x - number(&end, "x")?).abs();
            table.row([
                method.into(),
                localisation.into(),
                format!("{tolerance:e}").as_str().into(),
                errors[0].into(),
                errors[9].into(),
                zeno.into(),
                x.into(),
                (state.velocity.x - number(&end, "vx")?).abs().into(),
                format!("{:?}", state.position.y).as_str().into(),
            ]);
            let name = format!("{method}, {localisation}, {tolerance:e}");
            if localisation == "certified" {
                lab.compare(&format!("{name}: first bounce, s"), errors[0], tolerance);
                lab.compare(&format!("{name}: tenth bounce, s"), errors[9], 10.0 * tolerance);
                lab.compare_fact(
                    &format!("{name}: lies on the ground at 20 s"),
                    &format!("{:?} m", state.position.y),
                    state.position.y == 0.0,
                );
            }
            if tolerance == 1e-6 {
                let colour = match (method, localisation) {
                    ("bdf", "parabola") => VERMILION,
                    ("bdf", _) => BLUE,
                    ("dop853", _) => GREEN,
                    _ => GREY,
                };
                let points = (1u32..).zip(&errors).map(|(k, error)| (f64::from(k), 1e9 * error.max(1e-16))).collect();
                series.push(Series::new(format!("{method}, {localisation}"), colour, points));
            }
        }
    }
    lab.table("The benchmark's Modelica model over 20 s: errors", "throw", &table)?;
    Ok(Chart::new("The throw", "bounce", "error of its time at 1e-6 [ns]", series).decades(Decades::Y))
}

/// Times of the first 20 impacts, s, and their conditions `∂t/∂z₀`: of the table, or by DOP853 at 1e-13 where there is none,
/// from the scenario's start and from 1e-9 m higher.
fn known(lab: &mut Lab, name: Option<&str>, setting: &[String]) -> Result<Vec<(f64, f64)>, Failure> {
    if let Some(name) = name {
        let events = exact(name)?.events();
        let known = |event: &Exact| Ok((number(event, "t")?, number(event, "condition_dt_dz0")?.max(1.0)));
        return events.iter().take(20).map(known).collect();
    }
    let fine = settings("dop853", "certified", 1e-13, setting);
    let times = impacts(&lab.record(&fine)?.1);
    let higher: Vec<String> = fine.into_iter().chain(["initial.position=[0.0, 2.000000001]".to_owned()]).collect();
    let shifted = impacts(&lab.record(&higher)?.1);
    let mut condition = 1f64;
    let known = times.iter().zip(shifted).take(20).map(|(time, shifted)| {
        condition = condition.max((shifted - time).abs() / 1e-9);
        (*time, condition)
    });
    Ok(known.collect())
}

/// Over a sine of small and of big amplitude.
fn sines(lab: &mut Lab) -> Result<Vec<Chart>, Failure> {
    let mut charts = Vec::new();
    let mut table = Table::new([
        Column::text("ground"),
        Column::text("events compared"),
        Column::science("largest error [s]", 1),
        Column::science("over 1e-10 and the condition", 1),
    ]);
    let cases = [(0.1, Some("sine_A0.1_drag"), true), (0.5, Some("sine_A0.5_vacuum"), false), (0.5, None, true)];
    for (amplitude, name, drag) in cases {
        let mut setting = vec![
            format!("ground.curve={{ kind = \"graph\", y = \"{amplitude}*sin(pi*x)\" }}"),
            "output.interval=2e-3".to_owned(),
        ];
        if !drag {
            setting.push("forces.drag={ coefficient = 0 }".to_owned());
        }
        let known = known(lab, name, &setting)?;
        let (scenario, recording) = lab.record(&settings("bdf", "certified", 1e-10, &setting))?;
        let found = impacts(&recording);
        let (mut worst, mut share) = (0f64, 0f64);
        let count = known.len().min(found.len());
        for (found, (time, condition)) in found.iter().zip(&known) {
            let error = (found - time).abs();
            worst = worst.max(error);
            share = share.max(error / (1e-10 * condition));
        }
        let label = format!("A = {amplitude} m, {}", if drag { "air" } else { "no air" });
        table.row([label.as_str().into(), (count as u64).into(), worst.into(), share.into()]);
        lab.compare_fact(&format!("{label}: events"), &format!("{}", found.len()), count == 20);
        lab.compare(&format!("{label}: first 20 events over 1e-10 and their condition"), share, 10.0);
        let path: Vec<(f64, f64)> = recording
            .samples
            .iter()
            .filter(|sample| sample.state.time <= 6.0)
            .map(|sample| (sample.state.position.x, sample.state.position.y))
            .collect();
        let (left, right) =
            path.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (x, _)| (lo.min(*x), hi.max(*x)));
        let mut series: Vec<Series> = ground_points(scenario.scene.ground.ground(), left - 0.5, right + 0.5)
            .into_iter()
            .map(|points| Series::new("", GREY, points))
            .collect();
        series.push(Series::new("", BLUE, path));
        charts.push(Chart::new(&label, "x [m]", "y [m]", series));
    }
    lab.table("Sinusoidal ground, wavelength 2 m, bdf at 1e-10", "sines", &table)?;
    Ok(charts)
}
