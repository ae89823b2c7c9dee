//! Orders of q, v and λ against the elliptic functions.

use experiments::{Column, Failure, Lab, Recording, Table, slope};
use kugelbahn::figures::{Chart, Decades, Series};
use reference::bowl::Bowl;

use crate::{EXTRAPOLATED, FORMULATIONS};

const BEAD: Bowl =
    Bowl { radius: 1.0, gravity: 9.81, mass: 1.0, inertia_factor: 0.0, release: std::f64::consts::FRAC_PI_3 };

/// Largest errors over a run.
#[derive(Clone, Copy, Default)]
struct Errors {
    /// m
    position: f64,
    /// m/s
    velocity: f64,
    /// N
    normal_force: f64,
    /// Distance from the constraint, m.
    gap: f64,
    /// |u|, m/s.
    slip: f64,
    /// |f|/λ
    friction: f64,
}

impl Errors {
    fn of(recording: &Recording, bowl: &Bowl, radius: f64) -> Errors {
        let mut worst = Errors::default();
        for sample in &recording.samples {
            let (exact, state) = (bowl.at(sample.state.time), &sample.state);
            let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
            let tangential = (state.velocity.y * state.position.x - state.velocity.x * state.position.y) / bowl.radius;
            let now = Errors {
                position: apart(state.position.into(), exact.position),
                velocity: apart(state.velocity.into(), exact.velocity),
                normal_force: (sample.normal_force - exact.normal_force).abs(),
                gap: (state.position.norm() - bowl.radius).abs(),
                slip: if radius > 0.0 { (tangential + radius * state.spin).abs() } else { 0.0 },
                friction: (sample.friction_force / sample.normal_force).abs(),
            };
            worst = Errors {
                position: worst.position.max(now.position),
                velocity: worst.velocity.max(now.velocity),
                normal_force: worst.normal_force.max(now.normal_force),
                gap: worst.gap.max(now.gap),
                slip: worst.slip.max(now.slip),
                friction: worst.friction.max(now.friction),
            };
        }
        worst
    }
}

fn steps(lab: &Lab) -> &'static [f64] {
    if lab.flags.quick { &[1e-2, 5e-3, 2.5e-3] } else { &[1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4] }
}

fn settings(step: f64, formulation: &str, extrapolate: bool) -> Vec<String> {
    vec![
        format!("solver.step={step:?}"),
        format!("output.interval={step:?}"),
        format!("solver.formulation=\"{formulation}\""),
        format!("solver.extrapolate={extrapolate}"),
    ]
}

/// The table of a formulation: errors per step, then the slopes.
fn columns() -> Table {
    Table::new([
        Column::text("formulation"),
        Column::science("step [s]", 2),
        Column::science("q [m]", 1),
        Column::science("v [m/s]", 1),
        Column::science("λ [N]", 1),
        Column::science("gap [m]", 1),
    ])
}

fn slopes(found: &[(f64, Errors)]) -> [f64; 3] {
    let of = |f: fn(&Errors) -> f64| slope(&found.iter().map(|(h, errors)| (*h, f(errors))).collect::<Vec<_>>());
    [of(|e| e.position), of(|e| e.velocity), of(|e| e.normal_force)]
}

/// A bead released at 60°, T = 3 s, all formulations.
pub fn bead(lab: &mut Lab) -> Result<Chart, Failure> {
    let mut table = columns();
    let mut summary = Table::new([
        Column::text("formulation"),
        Column::fixed("order of q", 2),
        Column::fixed("order of v", 2),
        Column::fixed("order of λ", 2),
    ]);
    let mut series = Vec::new();
    let mut orders = Vec::new();
    let mut at_5_ms = Vec::new();
    let all = FORMULATIONS.map(|(name, colour)| (name, name, colour, false)).into_iter();
    for (name, formulation, colour, extrapolate) in all.chain([(EXTRAPOLATED.0, "symmetric", EXTRAPOLATED.1, true)]) {
        let mut found = Vec::new();
        for step in steps(lab) {
            let (_, recording) = lab.record(&settings(*step, formulation, extrapolate))?;
            let errors = Errors::of(&recording, &BEAD, 0.0);
            table.row([
                name.into(),
                (*step).into(),
                errors.position.into(),
                errors.velocity.into(),
                errors.normal_force.into(),
                errors.gap.into(),
            ]);
            if *step == 5e-3 {
                at_5_ms.push((name, errors));
            }
            found.push((*step, errors));
        }
        let [q, v, l] = slopes(&found);
        summary.row([name.into(), q.into(), v.into(), l.into()]);
        orders.push((name, [q, v, l], if extrapolate { 4.0 } else { 2.0 }));
        series.push(Series::new(
            name,
            colour,
            found.iter().map(|(h, errors)| (*h, 1e6 * errors.normal_force)).collect(),
        ));
    }
    lab.table("Bead in a circular bowl, largest error over 3 s", "errors", &table)?;
    lab.table("Orders, by least squares", "orders", &summary)?;
    for (name, found, order) in orders {
        for (what, found) in ["q", "v", "λ"].into_iter().zip(found) {
            lab.compare_range(&format!("order of {what}, {name}"), found, order - 0.1, order + 0.1);
        }
    }
    for (name, errors) in at_5_ms {
        // As in `crates/rolling/tests/contact/bowl.rs`, rounded up in its last digit.
        let [q, v, l] = match name {
            "index3" => [4.2e-4, 1.4e-3, 2.8e-1],
            "stabilized-index2" => [3.5e-4, 1.2e-3, 5.6e-3],
            "projected" => [3.5e-4, 1.2e-3, 5.2e-3],
            "symmetric" => [2.1e-4, 6.9e-4, 3.5e-3],
            "arc-length" => [1.6e-4, 4.8e-4, 2.4e-3],
            _ => [1e-8, 4e-8, 2e-7],
        };
        lab.compare(&format!("q at h = 5 ms, {name}, m"), errors.position, q);
        lab.compare(&format!("v at h = 5 ms, {name}, m/s"), errors.velocity, v);
        lab.compare(&format!("λ at h = 5 ms, {name}, N"), errors.normal_force, l);
        lab.compare(&format!("gap at h = 5 ms, {name}, m"), errors.gap, 1e-12);
    }
    Ok(Chart::new("", "step h [s]", "error of λ [µN]", series).decades(Decades::Both))
}

/// A rolling sphere on the same path of the centre.
pub fn rolling_sphere(lab: &mut Lab) -> Result<(), Failure> {
    let bowl = Bowl { inertia_factor: 0.4, ..BEAD };
    let mut table = columns();
    let mut found = Vec::new();
    for step in steps(lab) {
        let mut settings = settings(*step, "symmetric", false);
        settings.extend([
            "ball.radius=0.1".to_owned(),
            "ground.curve.radius=1.1".to_owned(),
            "contact.friction=0.8".to_owned(),
            format!("initial.contact.x={:?}", 1.1 * bowl.release.sin()),
        ]);
        let (_, recording) = lab.record(&settings)?;
        let errors = Errors::of(&recording, &bowl, 0.1);
        table.row([
            "symmetric".into(),
            (*step).into(),
            errors.position.into(),
            errors.velocity.into(),
            errors.normal_force.into(),
            errors.gap.into(),
        ]);
        found.push((*step, errors));
    }
    lab.table("Solid sphere of radius 0.1 m rolling in it, μ = 0.8", "rolling", &table)?;
    for (what, order) in ["q", "v", "λ"].into_iter().zip(slopes(&found)) {
        lab.compare_range(&format!("order of {what}, rolling"), order, 1.9, 2.1);
    }
    for (_, errors) in found.iter().filter(|(step, _)| *step == 5e-3) {
        lab.compare("q at h = 5 ms, rolling, m", errors.position, 1.2e-4);
        lab.compare("v at h = 5 ms, rolling, m/s", errors.velocity, 3e-4);
        lab.compare("gap at h = 5 ms, rolling, m", errors.gap, 1e-12);
        lab.compare("slip at h = 5 ms, rolling, m/s", errors.slip, 1e-12);
        lab.compare_range("largest |f|/λ, rolling", errors.friction, 0.0, 0.8);
    }
    Ok(())
}
