#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Cell, Column, Failure, Lab, Recording, Table, run};
use kugelbahn::figures::{BLUE, Chart, GREEN, GREY, Series, Stroke, VERMILION};
use supervisor::EventKind;

/// Radius of the circle of the centre's path, m.
const CIRCLE: f64 = 1.0;
/// Height of the top of the ramp, m.
const TOP: f64 = 4.0;

/// Degrees from the lowest place of the circle up to which one strand of the crossing may be absent (`reach` in `curves check`).
const REACH: f64 = 45.0;

/// A ball that runs through the loop.
struct Case {
    name: &'static str,
    /// m
    radius: f64,
    /// k of I = k m R²; a bead has none.
    inertia: f64,
    colour: &'static str,
}

const CASES: [Case; 4] = [
    Case { name: "bead", radius: 0.0, inertia: 0.0, colour: GREY },
    Case { name: "solid sphere", radius: 0.1, inertia: 0.4, colour: BLUE },
    Case { name: "disc", radius: 0.1, inertia: 0.5, colour: GREEN },
    Case { name: "hoop", radius: 0.1, inertia: 1.0, colour: VERMILION },
];

impl Case {
    /// The least height above the lowest place of the centre, m: at the top `v² = g ρ`, and `(1 + k) v²/2 = g (h − 2ρ)`.
    fn least(&self) -> f64 {
        (2.5 + 0.5 * self.inertia) * CIRCLE
    }

    /// Cosine of the angle from the top where a ball from a height leaves the loop.
    fn leaves(&self, height: f64) -> f64 {
        2.0 * (height / CIRCLE - 1.0) / (3.0 + self.inertia)
    }

    /// The height from which it leaves the loop at an angle from the top.
    fn leaving(&self, angle: f64) -> f64 {
        CIRCLE * (1.0 + 0.5 * (3.0 + self.inertia) * angle.cos())
    }

    /// From rest with the centre so high above its lowest place.
    fn settings(&self, height: f64) -> Vec<String> {
        let half = 0.5_f64.sqrt();
        let s = (TOP + self.radius * half - self.radius - height) / half;
        let friction = if self.radius > 0.0 { "\"infinite\"" } else { "0" };
        vec![
            format!("ball={{ mass = 1, radius = {:?}, inertia = {:?} }}", self.radius, self.inertia.max(0.1)),
            format!("ground.curve.parameters.circle={:?}", CIRCLE + self.radius),
            format!("initial.contact={{ s = {s:?}, spin = \"rolling\" }}"),
            format!("contact.friction={friction}"),
        ]
    }

    /// Whether it never leaves the ground.
    fn stays(&self, lab: &mut Lab, height: f64) -> Result<bool, Failure> {
        match lab.record(&self.settings(height)) {
            Ok((_, recording)) => Ok(recording.events.is_empty()),
            Err(Failure::Stopped { .. }) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

fn main() -> ExitCode {
    run("loop_the_loop", |lab| {
        heights(lab)?;
        angles(lab)
    })
}

fn heights(lab: &mut Lab) -> Result<(), Failure> {
    let goal = if lab.flags.quick { 1e-7 } else { 2e-10 };
    let mut table = Table::new([
        Column::text("ball"),
        Column::fixed("least height [m]", 10),
        Column::fixed("exact [m]", 10),
        Column::science("difference", 1),
    ]);
    let mut worst = 0f64;
    for case in &CASES {
        let exact = case.least();
        let (mut low, mut high) = (exact - 0.01, exact + 0.01);
        if case.stays(lab, low)? || !case.stays(lab, high)? {
            return Err(Failure::Missing(format!("the least height: {}", case.name)));
        }
        while high - low > goal {
            let middle = 0.5 * (low + high);
            if case.stays(lab, middle)? { high = middle } else { low = middle }
        }
        worst = worst.max((high - exact).abs());
        table.row([case.name.into(), high.into(), exact.into(), (high - exact).abs().into()]);
    }
    lab.table("The least height from which a ball stays on, circle of the centre's path 1 m", "heights", &table)?;
    lab.compare("least height, m", worst, 1e-9_f64.max(goal));
    Ok(())
}

/// Angle from the top at lift-off, and where it lands: the same from the centre of the circle, m.
fn fall(recording: &Recording, case: &Case) -> Option<(f64, [f64; 2])> {
    let left = recording.first(EventKind::LiftOff)?;
    let landed = recording.events.iter().find(|event| event.time() > left.time())?;
    let [from, at] = [left, landed].map(|event| event.position() - nalgebra::Vector2::new(0.0, CIRCLE + case.radius));
    Some(((-from.x).atan2(from.y), [at.x, at.y]))
}

fn angles(lab: &mut Lab) -> Result<(), Failure> {
    let count = if lab.flags.quick { 4 } else { 24 };
    let mut table = Table::new([
        Column::text("ball"),
        Column::fixed("height [m]", 4),
        Column::fixed("leaves at [°] from the top", 6),
        Column::science("cosine off by", 1),
        Column::science("landing off by [m]", 1),
    ]);
    let (mut worst, mut off, mut series) = (0f64, 0f64, Vec::new());
    for case in &CASES {
        let mut points = Vec::new();
        for i in 0..count {
            // From a little above the middle of the circle, where a ball swings back, to a little below the least height.
            let part = (f64::from(i) + 0.5) / f64::from(count);
            let height = CIRCLE + 0.15 + part * (case.least() - CIRCLE - 0.2);
            let (_, recording) = lab.record(&case.settings(height))?;
            let Some((angle, [x, y])) = fall(&recording, case) else {
                return Err(Failure::Missing(format!("lift-off: {}, {height} m", case.name)));
            };
            let wrong = (angle.cos() - case.leaves(height)).abs();
            // A parabola that touches a circle thrice meets it a fourth time where the four angles sum to full turns.
            let lands = [(3.0 * angle).sin(), (3.0 * angle).cos()];
            let miss = (x - lands[0] * CIRCLE).hypot(y - lands[1] * CIRCLE);
            // About the crossing the way in is there, and the loop's end is not: it lands on level ground.
            let on_the_loop = ((3.0 * angle.abs()).to_degrees() - 180.0).abs() > REACH;
            worst = worst.max(wrong);
            off = off.max(if on_the_loop { miss } else { 0.0 });
            points.push((height, angle.abs().to_degrees()));
            let miss = if on_the_loop { miss.into() } else { Cell::from("on the way in") };
            table.row([case.name.into(), height.into(), angle.abs().to_degrees().into(), wrong.into(), miss]);
        }
        series.push(Series::new(case.name, case.colour, points).drawn(Stroke::Dots));
        let exact = (0..=90).map(f64::from).map(|angle| (case.leaving(angle.to_radians()), angle));
        series.push(Series::new("", case.colour, exact.collect()));
    }
    lab.table("From lower it leaves the loop", "angles", &table)?;
    lab.compare("cosine of the angle of lift-off", worst, 1e-9);
    lab.compare("place of the landing inside the loop, m", off, 1e-8);
    let title = "Where a ball from too low leaves the loop (lines: energy and force)";
    let chart =
        Chart::new(title, "start above the lowest place [radii of the circle]", "angle from the top [°]", series);
    lab.figure(&chart.svg())
}
