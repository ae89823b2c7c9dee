#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Table, run};
use kugelbahn::figures::{BLUE, Chart, Decades, GREEN, Series, VERMILION, stack};
use reference::table::{self, NamedNumbers as Exact};
use supervisor::{EventKind, Phase};

fn main() -> ExitCode {
    run("soft_spheres", |lab| {
        let mut charts = Vec::new();
        let mut errors = Vec::new();
        for case in [
            Case { name: "soft_E1e8_mu0_printed", what: "100 MPa, elastic", colour: BLUE },
            Case { name: "soft_E1e7_mu100", what: "10 MPa, damped", colour: VERMILION },
        ] {
            let (height, error) = case.run(lab)?;
            charts.push(height);
            errors.push(error);
        }
        let mut figure = vec![Chart::new("", "time [s]", "height of the centre [m]", charts)];
        figure.push(contact(lab)?);
        figure.push(Chart::new("", "event", "error of its time at 1e-6 [ns]", errors).decades(Decades::Y));
        lab.figure(&stack("The benchmark's soft ball", figure).svg())
    })
}

struct Case {
    name: &'static str,
    what: &'static str,
    colour: &'static str,
}

fn number(table: &Exact, name: &str) -> Result<f64, Failure> {
    table.number(name).ok_or_else(|| Failure::Missing(name.into()))
}

impl Case {
    fn settings(&self) -> Result<(Exact, Vec<String>), Failure> {
        let exact = table::find(self.name).ok_or_else(|| Failure::Missing(self.name.into()))?;
        let mass = number(&exact, "m")?;
        let settings = vec![
            format!("ball.mass={mass:?}"),
            format!("forces.drag.coefficient={:?}", mass * number(&exact, "k_over_m")?),
            format!("contact.stiffness={:?}", number(&exact, "K")?),
            format!("contact.viscosity={:?}", number(&exact, "mu")?),
        ];
        Ok((exact, settings))
    }

    /// Heights, and errors of event times at 1e-6.
    fn run(&self, lab: &mut Lab) -> Result<(Series, Series), Failure> {
        let (exact, settings) = self.settings()?;
        let events = exact.events();
        let mut table = Table::new([
            Column::text("event"),
            Column::fixed("exact [s]", 13),
            Column::science("parabola, 1e-6 [s]", 1),
            Column::science("certified, 1e-6 [s]", 1),
            Column::science("certified, 1e-10 [s]", 1),
        ]);
        let mut all = Vec::new();
        let mut heights = Vec::new();
        for (localisation, tolerance) in [("parabola", 1e-6), ("certified", 1e-6), ("certified", 1e-10)] {
            let mut settings = settings.clone();
            settings.push(format!("solver.localisation={localisation}"));
            settings.push(format!("solver.tolerance={tolerance:e}"));
            let (_, recording) = lab.record(&settings)?;
            let times: Vec<f64> = recording.events.iter().map(|event| event.time()).collect();
            let errors: Vec<f64> = times
                .iter()
                .zip(&events)
                .map(|(time, event)| Ok((time - number(event, "t")?).abs()))
                .collect::<Result<_, Failure>>()?;
            if localisation == "certified" {
                let what = format!("{}, {tolerance:e}", self.what);
                let later = if tolerance > 1e-9 { 1e-5 } else { 1e-8 };
                lab.compare_fact(
                    &format!("{what}: touches and releases"),
                    &times.len().to_string(),
                    times.len() == events.len(),
                );
                lab.compare(&format!("{what}: first touch, s"), errors[0], tolerance);
                lab.compare(&format!("{what}: all events, s"), errors.iter().copied().fold(0.0, f64::max), later);
                let ledger = recording.summary.map_or(f64::NAN, |summary| summary.unexplained().abs());
                lab.compare(&format!("{what}: unexplained energy, J"), ledger, 100.0 * tolerance);
                heights = recording.samples.iter().map(|sample| (sample.state.time, sample.state.position.y)).collect();
            }
            all.push(errors);
        }
        for (i, event) in events.iter().enumerate() {
            let kind = if event.number("delta_max").is_some() { "release" } else { "touch" };
            let error = |run: usize| all[run].get(i).copied().unwrap_or(f64::NAN);
            table.row([kind.into(), number(event, "t")?.into(), error(0).into(), error(1).into(), error(2).into()]);
        }
        lab.table(self.what, self.name, &table)?;
        let points = (1u32..).zip(&all[1]).map(|(k, error)| (f64::from(k), 1e9 * error.max(1e-16))).collect();
        Ok((Series::new(self.what, self.colour, heights), Series::new(self.what, self.colour, points)))
    }
}

/// The first contact of the elastic ball: compression over time, and against Hertz's closed forms.
fn contact(lab: &mut Lab) -> Result<Chart, Failure> {
    let mut settings = Case { name: "soft_E1e8_mu0_printed", what: "", colour: GREEN }.settings()?.1;
    // Without gravity and air, at the speed of the first touch: the closed forms are for that.
    settings.extend(
        [
            "initial.position=[0.0, 0.5]",
            "initial.velocity=[0.0, -8.0]",
            "forces.gravity=0",
            "forces.drag.coefficient=0",
            "solver.tolerance=1e-12",
            "solver.duration=0.06",
            "output.interval=1e-5",
        ]
        .map(str::to_owned),
    );
    let (scenario, recording) = lab.record(&settings)?;
    let touch = recording.first(EventKind::Touch).ok_or_else(|| Failure::Missing("a touch".into()))?.time();
    let release = recording.first(EventKind::Release).ok_or_else(|| Failure::Missing("a release".into()))?.time();
    let compression: Vec<(f64, f64)> = recording
        .samples
        .iter()
        .filter(|sample| sample.phase == Phase::Compressed)
        .map(|sample| (1e3 * (sample.state.time - touch), 1e3 * (0.1 - sample.state.position.y)))
        .collect();
    let deepest = compression.iter().fold(0f64, |deepest, (_, depth)| deepest.max(1e-3 * depth));
    let (mass, speed) = (scenario.scene.ball.mass(), 8.0f64);
    let stiffness = scenario.scene.compliance.as_ref().map_or(f64::NAN, |soft| soft.elastic_force(1.0));
    let depth = (5.0 * mass * speed * speed / (4.0 * stiffness)).powf(0.4);
    // 4/5 B(2/5, 1/2) = 2.943275…
    let lasts = 2.943_275_184_324_704_7 * depth / speed;
    lab.compare("Hertz impact: contact time, relative", ((release - touch) / lasts - 1.0).abs(), 1e-10);
    lab.compare(
        "Hertz impact: largest compression (samples every 10 µs), relative",
        (deepest / depth - 1.0).abs(),
        1e-4,
    );
    let series = vec![Series::new("100 MPa, 8 m/s", GREEN, compression)];
    Ok(Chart::new("", "time since touch [ms]", "compression [mm]", series))
}
