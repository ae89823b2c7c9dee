#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Table, run};
use kugelbahn::figures::{BLUE, Chart, GREEN, Series, Stroke, VERMILION};
use reference::bounce::Bounce;
use supervisor::EventKind;

fn main() -> ExitCode {
    run("falling_through", |lab| {
        textbook(lab)?;
        let cured = two_surfaces(lab)?;
        let settled = supervised(lab)?;
        lab.figure(&figure(cured, settled))
    })
}

const DROP: Bounce = Bounce { height: 1.0, gravity: 9.81, restitution: 0.8 };
/// End of all runs, s.
const END: f64 = 6.0;
/// So many events within 1e-9 s, and the clock is taken to stand: it goes on by its rounding alone.
const STUCK: u64 = 1000;
/// What the figure shows, s.
const WINDOW: (f64, f64) = (3.85, 4.2);
/// Depth of the second surface, m, as in the source.
const SECOND: f64 = 1e-3;

/// `when h < 0 then reinit(v, -e*pre(v))`, which fires again only once `h` has been above `dead_band` (m).
///
/// Arcs are exact parabolas and events their exact roots: what goes wrong is the rule.
struct Rule {
    dead_band: f64,
    /// Start of the arc, s, and height (m) and velocity (m/s) there.
    time: f64,
    height: f64,
    velocity: f64,
    armed: bool,
    bounces: u64,
}

/// Why the rule fires no more.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// A bounce did not leave the dead band: from there it falls.
    FallsThrough,
    /// Bounces follow each other without time going on.
    Stuck,
    /// The end came before.
    StillBounces,
}

impl Rule {
    fn new(dead_band: f64) -> Self {
        Rule { dead_band, time: 0.0, height: DROP.height, velocity: 0.0, armed: true, bounces: 0 }
    }

    fn height_at(&self, time: f64) -> f64 {
        let t = time - self.time;
        self.height + t * (self.velocity - 0.5 * DROP.gravity * t)
    }

    /// When the arc comes down to a height, s.
    fn falls_to(&self, height: f64) -> f64 {
        let (v, g) = (self.velocity, DROP.gravity);
        self.time + (v + (v * v + 2.0 * g * (self.height - height)).sqrt()) / g
    }

    /// One bounce, if the rule fires.
    fn bounce(&mut self) -> Option<Fate> {
        let peak = self.height + 0.5 * self.velocity * self.velocity / DROP.gravity;
        self.armed |= peak > self.dead_band;
        if !self.armed {
            return Some(Fate::FallsThrough);
        }
        let next = self.falls_to(0.0);
        if next > END {
            return Some(Fate::StillBounces);
        }
        let arrival = self.velocity - DROP.gravity * (next - self.time);
        *self = Rule {
            time: next,
            height: 0.0,
            velocity: -DROP.restitution * arrival,
            armed: false,
            bounces: self.bounces + 1,
            ..*self
        };
        None
    }

    fn follow(&mut self, mut arc: impl FnMut(&Rule)) -> Fate {
        let mut before = f64::NEG_INFINITY;
        loop {
            arc(self);
            if let Some(fate) = self.bounce() {
                return fate;
            }
            if self.bounces.is_multiple_of(STUCK) {
                if self.time - before < 1e-9 {
                    return Fate::Stuck;
                }
                before = self.time;
            }
        }
    }
}

/// The bounce after which the peak is no longer above the dead band, and its time, s.
fn last_bounce(dead_band: f64) -> (u64, f64) {
    let mut k = 1;
    while DROP.height * DROP.restitution.powi(2 * k as i32) > dead_band {
        k += 1;
    }
    (k, DROP.impact_time(k as u32))
}

fn textbook(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::text("dead band [m]"),
        Column::text("bounces"),
        Column::fixed("last bounce [s]", 9),
        Column::science("its peak [m]", 2),
        Column::text("then"),
        Column::fixed("height at 6 s [m]", 4),
    ]);
    let mut worst = 0f64;
    let mut as_said = true;
    for dead_band in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 0.0] {
        let mut rule = Rule::new(dead_band);
        let fate = rule.follow(|_| {});
        let then = match fate {
            Fate::FallsThrough => "falls through",
            Fate::Stuck => "bounces without time going on",
            Fate::StillBounces => "bounces",
        };
        let end = if fate == Fate::FallsThrough { rule.height_at(END) } else { f64::NAN };
        let peak = 0.5 * rule.velocity * rule.velocity / DROP.gravity;
        let name = if dead_band == 0.0 { "none".to_owned() } else { format!("{dead_band:e}") };
        table.row([name.as_str().into(), rule.bounces.into(), rule.time.into(), peak.into(), then.into(), end.into()]);
        if dead_band > 0.0 {
            let (bounces, time) = last_bounce(dead_band);
            as_said &= fate == Fate::FallsThrough && rule.bounces == bounces;
            worst = worst.max((rule.time - time).abs());
        } else {
            as_said &= fate == Fate::Stuck;
        }
        lab.stepped(serde_json::json!({ "rule": "textbook", "dead_band": dead_band }), rule.bounces);
    }
    lab.table("when h < 0 then reinit(v, -e*pre(v)), with a dead band", "textbook", &table)?;
    lab.compare_fact("falls after the bounce whose peak stays in the dead band", "at every width", as_said);
    lab.compare("last bounce against the geometric series, s", worst, 1e-12);
    Ok(())
}

/// Heights over time: of the rule, of its cure, and when and where the cure comes to rest.
struct Cured {
    falling: Vec<(f64, f64)>,
    cured: Vec<(f64, f64)>,
}

/// Heights of an arc until `to`, a hundred of them.
fn trace(points: &mut Vec<(f64, f64)>, rule: &Rule, to: f64) {
    for i in 0..=100 {
        let time = rule.time + (to - rule.time) * f64::from(i) / 100.0;
        points.push((time, rule.height_at(time)));
    }
}

/// `when {h < 0, h < -eps}`: whoever falls through the first surface has gravity switched off at the second.
fn two_surfaces(lab: &mut Lab) -> Result<Cured, Failure> {
    let dead_band = 1e-4;
    let mut rule = Rule::new(dead_band);
    let mut bouncing = Vec::new();
    let fate = rule.follow(|rule| {
        let next = rule.falls_to(0.0);
        if rule.height > 0.0 || rule.velocity * rule.velocity > 2.0 * DROP.gravity * dead_band {
            trace(&mut bouncing, rule, next.min(END));
        }
    });
    let (mut falling, mut cured) = (bouncing.clone(), bouncing);
    trace(&mut falling, &rule, rule.falls_to(-6.0 * SECOND));
    let caught = rule.falls_to(-SECOND);
    trace(&mut cured, &rule, caught);
    cured.extend([(caught, -SECOND), (WINDOW.1, -SECOND)]);
    let mut table = Table::new([Column::text("quantity"), Column::fixed("cure", 9), Column::fixed("exact", 9)]);
    table.row(["at rest from [s]".into(), caught.into(), DROP.zeno_time().into()]);
    table.row(["height at rest [m]".into(), (-SECOND).into(), 0.0.into()]);
    lab.table("The cure with two surfaces: 0 and -1e-3 m", "cure", &table)?;
    lab.compare_fact("the rule alone falls through", &format!("{fate:?}"), fate == Fate::FallsThrough);
    // It stops late by the fall to the second surface, early by the bounces it leaves out.
    let (_, last) = last_bounce(dead_band);
    let left_out = DROP.zeno_time() - last;
    let rise = rule.velocity / DROP.gravity;
    let fall = rise + (rise * rise + 2.0 * SECOND / DROP.gravity).sqrt();
    lab.compare(
        "time of rest of the cure against its formula, s",
        (caught - (DROP.zeno_time() - left_out + fall)).abs(),
        1e-12,
    );
    Ok(Cured { falling, cured })
}

/// The same ball under the supervisor.
fn supervised(lab: &mut Lab) -> Result<Vec<(f64, f64)>, Failure> {
    let (_, recording) = lab.record(&[])?;
    let landing = recording.first(EventKind::Landing).ok_or_else(|| Failure::Missing("a landing".into()))?;
    lab.compare("supervisor: at rest, s from the exact time", (landing.time() - DROP.zeno_time()).abs(), 1e-9);
    let lowest = recording.samples.iter().map(|sample| sample.state.position.y).fold(f64::INFINITY, f64::min);
    lab.compare("supervisor: deepest below the ground, m", (-lowest).max(0.0), 1e-15);
    let speed = recording.summary.map_or(f64::NAN, |summary| summary.state.velocity.norm());
    lab.compare_fact("supervisor: speed in the end", &format!("{speed:?} m/s"), speed == 0.0);
    Ok(recording.samples.iter().map(|sample| (sample.state.time, sample.state.position.y)).collect())
}

fn figure(Cured { falling, cured }: Cured, settled: Vec<(f64, f64)>) -> String {
    // The end of the bounces, as far as it can be seen.
    let window = |points: Vec<(f64, f64)>| -> Vec<(f64, f64)> {
        points.into_iter().filter(|(t, y)| (WINDOW.0..=WINDOW.1).contains(t) && *y > -3.5 * SECOND).collect()
    };
    let series = vec![
        Series::new("dead band of 0.1 mm", VERMILION, window(falling)),
        Series::new("second surface at -1 mm", BLUE, window(cured)).drawn(Stroke::Dashed),
        Series::new("supervisor", GREEN, window(settled)).drawn(Stroke::Thin),
    ];
    Chart::new("The end of the bounces", "time [s]", "height [m]", series).svg()
}
