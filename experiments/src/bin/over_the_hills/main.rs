#![doc = include_str!("README.md")]

use std::f64::consts::PI;
use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use kugelbahn::output::{Recorder, summary_json};
use kugelbahn::{Outcome, Scenario};
use nalgebra::Vector2;
use supervisor::{Event, EventKind};

fn main() -> ExitCode {
    run("over_the_hills", over_the_hills)
}

fn over_the_hills(lab: &mut Lab) -> Result<(), Failure> {
    let (scenario, recording) = lab.record(&[])?;
    let hills = Hills::of(&scenario)?;
    events(lab, &recording)?;
    check_sequence(lab, &recording);
    check_first_impact(lab, &scenario, &recording, &hills)?;
    check_impulses(lab, &scenario, &recording)?;
    check_lift_offs(lab, &recording, &hills);
    let summary = recording.summary.ok_or_else(|| Failure::Missing("a summary".into()))?;
    let relative = summary.unexplained().abs() / summary.energy_start.total().abs();
    lab.compare("energy unexplained, of the energy at the start", relative, 1e-8);
    let Some(folder) = lab.folder() else { return Ok(()) };
    // Once more, for the files that `kugelbahn run` writes.
    let mut recorder = Recorder::new(&scenario, Some(&folder), Box::new(|_| ()))?.with_film();
    let summary = lab.observe(&scenario, &mut recorder)?;
    recorder.finish()?;
    lab.file("summary.json", &summary_json(&scenario, &Outcome::Events(summary), &recorder))?;
    let [path, time] = recorder.figures();
    lab.file("time.svg", &time.svg())?;
    lab.figure(&path.svg())
}

/// `y = A sin(2πx/L)` and a ball on it, in plain formulas.
struct Hills {
    amplitude: f64,
    wavenumber: f64,
    radius: f64,
    mass: f64,
    gravity: f64,
}

impl Hills {
    fn of(scenario: &Scenario) -> Result<Hills, Failure> {
        let parameter = |name: &str| {
            let found = scenario.curve.parameters.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| *value).ok_or_else(|| Failure::Missing(name.into()))
        };
        Ok(Hills {
            amplitude: parameter("amplitude")?,
            wavenumber: 2.0 * PI / parameter("wavelength")?,
            radius: scenario.scene.ball.radius(),
            mass: scenario.scene.ball.mass(),
            gravity: scenario.scene.forces.gravity_vector().norm(),
        })
    }

    fn slope(&self, s: f64) -> f64 {
        self.amplitude * self.wavenumber * (self.wavenumber * s).cos()
    }

    /// Centre of a ball that touches at abscissa `s`.
    fn centre(&self, s: f64) -> (f64, f64) {
        let (slope, height) = (self.slope(s), self.amplitude * (self.wavenumber * s).sin());
        let stretch = slope.hypot(1.0);
        (s - self.radius * slope / stretch, height + self.radius / stretch)
    }

    /// `λ = m κc v² + m g cos α`.
    fn normal_force(&self, s: f64, speed: f64) -> f64 {
        let stretch = self.slope(s).hypot(1.0);
        let bend = -self.amplitude * self.wavenumber.powi(2) * (self.wavenumber * s).sin();
        let curvature = bend / stretch.powi(3);
        self.mass * (curvature / (1.0 - curvature * self.radius) * speed * speed + self.gravity / stretch)
    }
}

fn events(lab: &mut Lab, recording: &Recording) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::text("event"),
        Column::fixed("time [s]", 9),
        Column::fixed("x [m]", 6),
        Column::fixed("v·n before [m/s]", 6),
        Column::fixed("after", 6),
        Column::fixed("v·τ before [m/s]", 6),
        Column::fixed("after", 6),
        Column::fixed("spin [rad/s]", 4),
        Column::text("then"),
    ]);
    // Of the bounces those that can be seen.
    let seen = |event: &&Event| event.kind != EventKind::Impact || event.velocity_after().0 > 0.1;
    for event in recording.events.iter().filter(seen) {
        let ((n0, t0), (n1, t1)) = (event.velocity_before(), event.velocity_after());
        table.row([
            event.kind.name().into(),
            event.time().into(),
            event.position().x.into(),
            n0.into(),
            n1.into(),
            t0.into(),
            t1.into(),
            event.after.spin.into(),
            event.phase_after.name().into(),
        ]);
    }
    lab.table("Over the hills; impacts slower than 0.1 m/s not shown", "main_events", &table)
}

/// Bounces, landing, rolling until it slips, lift-off, bounces, landing, slipping until it rolls: in this order.
fn check_sequence(lab: &mut Lab, recording: &Recording) {
    let wanted = [
        EventKind::Impact,
        EventKind::Landing,
        EventKind::Slip,
        EventKind::LiftOff,
        EventKind::Impact,
        EventKind::Landing,
        EventKind::Stick,
    ];
    let mut kinds = recording.events.iter().map(|event| event.kind);
    let all = wanted.iter().all(|kind| kinds.any(|found| found == *kind));
    let mut found: Vec<&str> = recording.events.iter().map(|event| event.kind.name()).collect();
    found.dedup();
    lab.compare_fact("impact, landing, slip, lift-off, impact, landing, stick", &found.join(", "), all);
}

/// The first impact against the root of the parabola over the offset curve.
fn check_first_impact(lab: &mut Lab, scenario: &Scenario, recording: &Recording, hills: &Hills) -> Result<(), Failure> {
    let supervisor::Start::Flight(start) = scenario.start else {
        return Err(Failure::Missing("a start in flight".into()));
    };
    let time_at = |s: f64| (hills.centre(s).0 - start.position.x) / start.velocity.x;
    let above = |s: f64| {
        let t = time_at(s);
        start.position.y + start.velocity.y * t - 0.5 * hills.gravity * t * t - hills.centre(s).1
    };
    // Stride along the ground until the parabola is below the path of a ball that touches it.
    let stride = 1e-5;
    let beyond = (0u32..2_000_000)
        .map(|i| start.position.x + stride * f64::from(i))
        .find(|s| time_at(*s) >= 0.0 && above(*s) <= 0.0)
        .ok_or_else(|| Failure::Missing("ground under the first flight".into()))?;
    let (mut low, mut high) = (beyond - stride, beyond);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if above(middle) > 0.0 { low = middle } else { high = middle }
    }
    let impact = recording.first(EventKind::Impact).ok_or_else(|| Failure::Missing("an impact".into()))?;
    let exact = time_at(high);
    lab.compare("first impact against a bracketed root, s", (impact.time() - exact).abs(), 1e-12);
    Ok(())
}

/// Up to the first landing: m Δv = m g T + Σ P.
fn check_impulses(lab: &mut Lab, scenario: &Scenario, recording: &Recording) -> Result<(), Failure> {
    let supervisor::Start::Flight(start) = scenario.start else {
        return Err(Failure::Missing("a start in flight".into()));
    };
    let landing = recording.first(EventKind::Landing).ok_or_else(|| Failure::Missing("a landing".into()))?;
    let mut impulse = Vector2::zeros();
    for event in recording.events.iter().take_while(|event| event.time() <= landing.time()) {
        impulse += event.normal_impulse * event.frame.normal + event.tangential_impulse * event.frame.tangent;
    }
    let (mass, gravity) = (scenario.scene.ball.mass(), scenario.scene.forces.gravity_vector());
    let change = mass * (landing.after.velocity - start.velocity) - mass * landing.time() * gravity;
    lab.compare("sum of the impulses to the first landing, N s", (impulse - change).norm(), 1e-8);
    Ok(())
}

/// λ at each lift-off, recomputed from the place and the speed.
fn check_lift_offs(lab: &mut Lab, recording: &Recording, hills: &Hills) {
    let lift_offs = recording.events.iter().filter(|event| event.kind == EventKind::LiftOff);
    let force = |event: &Event| hills.normal_force(event.place.parameter(), event.velocity_before().1).abs();
    let worst = lift_offs.map(force).fold(0.0, f64::max);
    lab.compare("λ at the lift-offs, N", worst, 1e-9);
}
