#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use kugelbahn::figures::{BLUE, Chart, Series, Stroke, VERMILION};
use reference::bowl::Bowl;
use reference::cycloid::Cycloid;
use supervisor::Sample;

const CYCLOID: Cycloid = Cycloid { radius: 0.5, gravity: 9.81 };
const RELEASES: [f64; 5] = [0.2, 0.8, 1.4, 2.0, 2.6];

/// Its radius is that of the cycloid's curvature at the bottom, 4a, so that small swings take as long.
const CIRCLE: Bowl = Bowl { radius: 2.0, gravity: 9.81, mass: 1.0, inertia_factor: 0.0, release: 0.0 };

fn main() -> ExitCode {
    run("tautochrone", |lab| {
        let cycloid = swing_in_cycloid(lab)?;
        let circle = swing_in_circle(lab)?;
        let formula = (1..=100).map(|i| 0.026 * f64::from(i));
        let bowl = |release: f64| Bowl { release, ..CIRCLE };
        let series = vec![
            Series::new("circle, formula", VERMILION, formula.clone().map(|a| (a, bowl(a).period())).collect()),
            Series::new("circle, run", VERMILION, circle).drawn(Stroke::Dots),
            Series::new("cycloid, formula", BLUE, formula.map(|a| (a, CYCLOID.period())).collect()),
            Series::new("cycloid, run", BLUE, cycloid).drawn(Stroke::Dots),
        ];
        let title = "Period of a bead in a cycloid and in the circle that fits its bottom";
        lab.figure(&Chart::new(title, "release, s or angle [rad]", "period [s]", series).svg())
    })
}

/// Time between the first two passages of the bottom in the same direction, s.
fn period(recording: &Recording) -> Result<f64, Failure> {
    let passages = recording.samples.windows(2).filter_map(|pair| passage(&pair[0], &pair[1])).collect::<Vec<_>>();
    match passages.as_slice() {
        [first, _, third, ..] => Ok(third - first),
        _ => Err(Failure::Missing("three passages of the bottom".into())),
    }
}

/// Where x changes sign between two samples: the root of the cubic through their positions and velocities.
fn passage(a: &Sample, b: &Sample) -> Option<f64> {
    let (x0, x1) = (a.state.position.x, b.state.position.x);
    if (x0 > 0.0) == (x1 > 0.0) {
        return None;
    }
    let h = b.state.time - a.state.time;
    let (v0, v1) = (h * a.state.velocity.x, h * b.state.velocity.x);
    let at = |t: f64| {
        let (t2, t3) = (t * t, t * t * t);
        x0 * (2.0 * t3 - 3.0 * t2 + 1.0) + v0 * (t3 - 2.0 * t2 + t) + x1 * (3.0 * t2 - 2.0 * t3) + v1 * (t3 - t2)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (at(middle) > 0.0) == (x0 > 0.0) { low = middle } else { high = middle }
    }
    Some(a.state.time + h * high)
}

fn swing_in_cycloid(lab: &mut Lab) -> Result<Vec<(f64, f64)>, Failure> {
    let exact = CYCLOID.period();
    let mut table = Table::new([
        Column::fixed("release s [rad]", 1),
        Column::fixed("period [s]", 12),
        Column::fixed("4π√(a/g) [s]", 12),
        Column::science("difference [s]", 1),
        Column::science("farthest from the formula [m]", 1),
    ]);
    let mut found = Vec::new();
    let mut worst = 0f64;
    for release in RELEASES {
        let settings = [format!("initial.contact={{ s = {release:?}, speed = 0.0 }}")];
        let (_, recording) = lab.record(&settings)?;
        let period = period(&recording)?;
        let off = recording.samples.iter().map(|sample| {
            let s = CYCLOID.parameter_at(release, sample.state.time);
            let a = CYCLOID.radius;
            let (x, y) = (a * (s + s.sin()), a * (1.0 - s.cos()));
            (sample.state.position.x - x).hypot(sample.state.position.y - y)
        });
        let off = off.fold(0.0, f64::max);
        worst = worst.max(off);
        found.push((release, period));
        table.row([release.into(), period.into(), exact.into(), (period - exact).into(), off.into()]);
    }
    lab.table("Cycloid bowl, a = 0.5 m", "cycloid", &table)?;
    let (low, high) = found.iter().fold((f64::MAX, f64::MIN), |(lo, hi), (_, t)| (lo.min(*t), hi.max(*t)));
    lab.compare("five periods among each other, s", high - low, 1e-9);
    lab.compare("five periods from 4π√(a/g), s", (high - exact).abs().max((low - exact).abs()), 1e-9);
    lab.compare("position over 5 s, m", worst, 1e-9);
    Ok(found)
}

fn swing_in_circle(lab: &mut Lab) -> Result<Vec<(f64, f64)>, Failure> {
    let mut table = Table::new([
        Column::fixed("release [rad]", 1),
        Column::fixed("period [s]", 12),
        Column::fixed("elliptic integral [s]", 12),
        Column::science("difference [s]", 1),
    ]);
    let mut found = Vec::new();
    let mut worst = 0f64;
    for release in [0.2, 0.8, 1.4] {
        let exact = Bowl { release, ..CIRCLE }.period();
        let settings = [
            "ground={ curve = { kind = \"arc\", centre = [0.0, 2.0], radius = 2.0, from = \"-pi\", to = 0 } }"
                .to_owned(),
            format!("initial.contact={{ x = {:?}, speed = 0.0 }}", 2.0 * release.sin()),
        ];
        let (_, recording) = lab.record(&settings)?;
        let period = period(&recording)?;
        worst = worst.max((period - exact).abs());
        found.push((release, period));
        table.row([release.into(), period.into(), exact.into(), (period - exact).into()]);
    }
    lab.table("The circular bowl that fits its bottom, for contrast", "circle", &table)?;
    lab.compare("periods in the circle, s", worst, 1e-9);
    Ok(found)
}
