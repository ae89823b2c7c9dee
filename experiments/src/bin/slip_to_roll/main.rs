#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use kugelbahn::figures::{BLUE, Chart, ORANGE, Series, Stroke, VERMILION};
use reference::slip::{Motion, SpinningBall};
use supervisor::EventKind;

const SOLID: SpinningBall = SpinningBall { radius: 0.1, inertia_factor: 0.4, friction: 0.2 };
const GRAVITY: f64 = 9.81;

fn main() -> ExitCode {
    run("slip_to_roll", |lab| {
        on_the_floor(lab)?;
        onto_the_floor(lab)?;
        figure(lab)
    })
}

fn on_the_floor(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::text("ball"),
        Column::fixed("v₀ [m/s]", 1),
        Column::fixed("ω₀ [rad/s]", 1),
        Column::fixed("rolls at [s]", 9),
        Column::fixed("exact [s]", 9),
        Column::fixed("v [m/s]", 9),
        Column::fixed("exact [m/s]", 9),
        Column::science("difference", 1),
        Column::science("then u [m/s]", 1),
    ]);
    let mut worst = [0f64; 3];
    for (name, k) in [("solid-sphere", 0.4), ("disc", 0.5), ("hollow-sphere", 2.0 / 3.0), ("hoop", 1.0)] {
        for (speed, spin) in [(3.0, 0.0), (0.0, 25.0), (2.0, 70.0), (1.0, -40.0)] {
            let (ball, start) = (SpinningBall { inertia_factor: k, ..SOLID }, Motion { speed, spin });
            let (time, end) = (ball.roll_time(start, GRAVITY), ball.rolling(start));
            let settings = [
                format!("ball.inertia=\"{name}\""),
                format!("initial.contact={{ x = 0.0, speed = {speed:?}, spin = {spin:?} }}"),
                format!("solver.duration={:?}", time + 0.5),
            ];
            let (_, recording) = lab.record(&settings)?;
            let stick =
                recording.first(EventKind::Stick).ok_or_else(|| Failure::Missing(format!("rolling of {name}")))?;
            let (found, speed_then) = (stick.time(), stick.after.velocity.x);
            let differences = [(found - time).abs(), (speed_then - end.speed).abs(), rolling_slip(&recording)];
            worst = std::array::from_fn(|i| worst[i].max(differences[i]));
            table.row([
                name.into(),
                speed.into(),
                spin.into(),
                found.into(),
                time.into(),
                speed_then.into(),
                end.speed.into(),
                differences[0].max(differences[1]).into(),
                differences[2].into(),
            ]);
        }
    }
    lab.table("Slipping on a level floor, μ = 0.2", "floor", &table)?;
    lab.compare("time at which slipping ends, s", worst[0], 1e-12);
    lab.compare("speed of rolling, m/s", worst[1], 1e-12);
    lab.compare("slip while rolling, m/s", worst[2], 1e-12);
    Ok(())
}

/// The largest |u| while the ball rolls, m/s.
fn rolling_slip(recording: &Recording) -> f64 {
    let rolling = recording.samples.iter().filter(|sample| sample.phase == supervisor::Phase::Rolling);
    let slip = |sample: &supervisor::Sample| sample.state.velocity.x + SOLID.radius * sample.state.spin;
    rolling.map(slip).fold(0.0, |most, u| most.max(u.abs()))
}

fn onto_the_floor(lab: &mut Lab) -> Result<(), Failure> {
    let approach = (2.0 * GRAVITY * 0.9).sqrt();
    let mut table = Table::new([
        Column::fixed("ω₀ [rad/s]", 1),
        Column::fixed("e", 1),
        Column::text("contact"),
        Column::fixed("v [m/s]", 9),
        Column::fixed("exact [m/s]", 9),
        Column::fixed("ω [rad/s]", 9),
        Column::fixed("exact [rad/s]", 9),
        Column::science("difference", 1),
    ]);
    let mut worst = 0f64;
    for (spin, restitution) in [(50.0, 0.0), (10.0, 0.0), (50.0, 0.5), (10.0, 0.5)] {
        let settings = [
            format!("initial={{ position = [0.0, 1.0], velocity = [0.0, 0.0], spin = {spin:?} }}"),
            format!("contact.restitution={restitution:?}"),
        ];
        let (_, recording) = lab.record(&settings)?;
        let hit = recording.events.first().ok_or_else(|| Failure::Missing("an impact".into()))?.after;
        let exact = SOLID.after_impact(Motion { speed: 0.0, spin }, approach, restitution);
        let difference = (hit.velocity.x - exact.speed).abs().max(SOLID.radius * (hit.spin - exact.spin).abs());
        worst = worst.max(difference);
        let contact = if SOLID.slip(exact).abs() > 1e-12 { "slips" } else { "sticks" };
        table.row([
            spin.into(),
            restitution.into(),
            contact.into(),
            hit.velocity.x.into(),
            exact.speed.into(),
            hit.spin.into(),
            exact.spin.into(),
            difference.into(),
        ]);
    }
    lab.table("Dropped spinning onto the same floor from 0.9 m", "impact", &table)?;
    lab.compare("after the impact, m/s", worst, 1e-12);
    Ok(())
}

fn figure(lab: &mut Lab) -> Result<(), Failure> {
    let mut series = Vec::new();
    for (speed, spin, colour, name) in
        [(3.0, 0.0, BLUE, "pushed"), (0.0, 25.0, ORANGE, "spun"), (2.0, 70.0, VERMILION, "pushed, spun back")]
    {
        let settings = [format!("initial.contact={{ x = 0.0, speed = {speed:?}, spin = {spin:?} }}")];
        let (_, recording) = lab.record(&settings)?;
        let over = |f: &dyn Fn(&mechanics::State) -> f64| {
            recording.samples.iter().map(|sample| (sample.state.time, f(&sample.state))).collect::<Vec<_>>()
        };
        series.push(Series::new(format!("v, {name}"), colour, over(&|state| state.velocity.x)));
        series.push(
            Series::new(format!("−Rω, {name}"), colour, over(&|state| -SOLID.radius * state.spin))
                .drawn(Stroke::Dashed),
        );
    }
    let title = "Rolling begins where v meets −Rω (solid sphere, μ = 0.2)";
    lab.figure(&Chart::new(title, "time [s]", "velocity [m/s]", series).svg())
}
