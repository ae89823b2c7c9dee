#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Table, run, slope};
use kugelbahn::figures::{BLUE, Chart, Decades, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION};
use reference::circle::Circle;
use supervisor::EventKind;

/// A ball that leaves the dome.
struct Case {
    name: &'static str,
    settings: Vec<String>,
    exact: Circle,
    colour: &'static str,
}

fn main() -> ExitCode {
    run("liftoff", |lab| {
        let cases = cases();
        with_tolerance(lab, &cases)?;
        with_steps(lab, &cases)
    })
}

fn cases() -> Vec<Case> {
    let bead = |x: f64, speed: f64| {
        vec![
            "ball.radius=0.0".to_owned(),
            "contact.friction=0.0".to_owned(),
            format!("initial.contact={{ x = {x:?}, speed = {speed:?} }}"),
        ]
    };
    let rolling = |inertia: &str| vec![format!("ball.inertia=\"{inertia}\"")];
    let circle = |k: f64, radius: f64| Circle { radius, gravity: 9.81, inertia_factor: k, start: 0.0, speed: 0.5 };
    let off_top = Circle { start: 0.1, speed: 1.0, ..circle(0.0, 1.0) };
    vec![
        Case { name: "bead", settings: bead(0.0, 0.5), exact: circle(0.0, 1.0), colour: GREY },
        Case { name: "bead, φ = 0.1, 1 m/s", settings: bead(0.1f64.sin(), 1.0), exact: off_top, colour: PURPLE },
        Case { name: "solid sphere", settings: rolling("solid-sphere"), exact: circle(0.4, 1.1), colour: BLUE },
        Case { name: "disc", settings: rolling("disc"), exact: circle(0.5, 1.1), colour: GREEN },
        Case {
            name: "hollow sphere",
            settings: rolling("hollow-sphere"),
            exact: circle(2.0 / 3.0, 1.1),
            colour: ORANGE,
        },
        Case { name: "hoop", settings: rolling("hoop"), exact: circle(1.0, 1.1), colour: VERMILION },
    ]
}

/// Angle from the top (rad) and time (s) of lift-off.
fn lift_off(lab: &mut Lab, case: &Case, more: &[String]) -> Result<(f64, f64), Failure> {
    let settings = [case.settings.as_slice(), more].concat();
    let (_, recording) = lab.record(&settings)?;
    let event =
        recording.first(EventKind::LiftOff).ok_or_else(|| Failure::Missing(format!("lift-off: {}", case.name)))?;
    let q = event.position();
    Ok((q.x.atan2(q.y), event.time()))
}

fn with_tolerance(lab: &mut Lab, cases: &[Case]) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::text("ball"),
        Column::fixed("angle [rad]", 10),
        Column::fixed("exact [rad]", 10),
        Column::science("difference", 1),
        Column::fixed("time [s]", 10),
        Column::fixed("exact [s]", 10),
        Column::science("difference", 1),
    ]);
    let mut worst = [0f64; 2];
    for case in cases {
        let (angle, time) = lift_off(lab, case, &[])?;
        let (exact_angle, exact_time) = (case.exact.lift_off_angle(), case.exact.lift_off_time());
        let (a, t) = ((angle - exact_angle).abs(), (time - exact_time).abs());
        worst = [worst[0].max(a), worst[1].max(t)];
        table.row([
            case.name.into(),
            angle.into(),
            exact_angle.into(),
            a.into(),
            time.into(),
            exact_time.into(),
            t.into(),
        ]);
    }
    lab.table("Where and when λ vanishes, tolerance 1e-11", "tolerance", &table)?;
    lab.compare("lift-off angle, rad", worst[0], 1e-9);
    lab.compare("lift-off time, s", worst[1], 1e-9);
    Ok(())
}

fn with_steps(lab: &mut Lab, cases: &[Case]) -> Result<(), Failure> {
    let steps: &[f64] = if lab.flags.quick { &[1e-2, 5e-3, 2.5e-3] } else { &[2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3] };
    let mut table = Table::new([
        Column::text("ball"),
        Column::science("step [s]", 2),
        Column::science("error of the angle [rad]", 2),
    ]);
    let mut series = Vec::new();
    let mut orders = Vec::new();
    for case in cases {
        let mut errors = Vec::new();
        for step in steps {
            let fixed = format!(
                "solver={{ method = \"newmark\", formulation = \"symmetric\", step = {step:?}, duration = 2.0 }}"
            );
            let (angle, _) = lift_off(lab, case, &[fixed])?;
            let error = (angle - case.exact.lift_off_angle()).abs();
            errors.push((*step, error));
            table.row([case.name.into(), (*step).into(), error.into()]);
        }
        orders.push((case.name, slope(&errors)));
        series.push(Series::new(case.name, case.colour, errors));
    }
    lab.table("The same at fixed steps, formulation symmetric", "steps", &table)?;
    for (name, order) in orders {
        lab.compare_range(&format!("order in the step, {name}"), order, 1.9, 2.1);
    }
    let square = steps.iter().map(|h| (*h, 0.1 * h * h)).collect();
    series.push(Series::new("h²/10", GREY, square).drawn(Stroke::Dashed));
    let chart = Chart::new("Error of the lift-off angle", "step h [s]", "error [rad]", series);
    lab.figure(&chart.decades(Decades::Both).svg())
}
