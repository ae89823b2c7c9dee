//! `path.svg` and `time.svg` of a run by time stepping.

use moreau::Energy;
use scenario::Scenario;
use scenario::input::rounded;
use scenario::stepping::Frame;
use supervisor::Phase;

use crate::figures::{
    BLUE, Chart, GREEN, GREY, ORANGE, PURPLE, Series, VERMILION, by_phase, circle, extent, ground_chart, ground_near,
    pictures, stack,
};

/// Points kept, of all balls together; beyond twice as many every two become one.
const KEPT: usize = 80_000;
/// Points kept of one ball.
const KEPT_OF_ONE: usize = 4000;
/// Points drawn, of all balls together.
const DRAWN: usize = 40_000;
/// Balls that have a colour and a name of their own.
const NAMED: usize = 6;

const COLOURS: [&str; NAMED] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, GREY];

/// What the figures need of a run: every step, thinned out. Impulses of steps that become one point are summed.
pub struct Trace {
    times: Vec<f64>,
    energy: Vec<Energy>,
    balls: Vec<Vec<Point>>,
    /// Steps to a point.
    stride: u64,
    most: usize,
    /// What has come since the last point.
    open: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Point {
    phase: Phase,
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    /// Sum of `P_n` up to here since the point before.
    impulse: f64,
}

impl Point {
    fn place(&self) -> (f64, f64) {
        (self.x, self.y)
    }
}

impl Trace {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let balls = scenario.stepping.as_ref().map_or(0, |stepping| stepping.balls.len());
        Trace {
            times: Vec::new(),
            energy: Vec::new(),
            balls: vec![Vec::new(); balls],
            stride: 1,
            most: (KEPT / balls.max(1)).clamp(100, KEPT_OF_ONE),
            open: vec![0.0; balls],
        }
    }

    pub(crate) fn add(&mut self, at: &Frame, impulses: &[[f64; 2]]) {
        for (sum, impulse) in self.open.iter_mut().zip(impulses) {
            *sum += impulse[0];
        }
        if !at.index.is_multiple_of(self.stride) {
            return;
        }
        self.times.push(at.time);
        self.energy.push(at.energy());
        for (ball, points) in self.balls.iter_mut().enumerate() {
            let state = &at.states[ball];
            points.push(Point {
                phase: at.phases[ball],
                x: state.position.x,
                y: state.position.y,
                vx: state.velocity.x,
                vy: state.velocity.y,
                impulse: std::mem::take(&mut self.open[ball]),
            });
        }
        if self.times.len() >= 2 * self.most {
            self.times = self.times.iter().copied().step_by(2).collect();
            self.energy = self.energy.iter().copied().step_by(2).collect();
            for (points, open) in self.balls.iter_mut().zip(&mut self.open) {
                *open += if points.len().is_multiple_of(2) { points[points.len() - 1].impulse } else { 0.0 };
                for i in (2..points.len()).step_by(2) {
                    points[i].impulse += points[i - 1].impulse;
                }
                *points = points.iter().copied().step_by(2).collect();
            }
            self.stride *= 2;
        }
    }

    fn over_time(&self, ball: usize, f: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
        self.times.iter().zip(&self.balls[ball]).map(|(t, point)| (*t, f(point))).collect()
    }

    /// The smallest, mean and largest value of all balls.
    fn spread(&self, f: impl Fn(&Point) -> f64) -> [Vec<(f64, f64)>; 3] {
        let mut lines = [const { Vec::new() }; 3];
        for (i, t) in self.times.iter().enumerate() {
            let values = || self.balls.iter().map(|points| f(&points[i]));
            lines[0].push((*t, values().fold(f64::INFINITY, f64::min)));
            lines[1].push((*t, values().sum::<f64>() / self.balls.len() as f64));
            lines[2].push((*t, values().fold(f64::NEG_INFINITY, f64::max)));
        }
        lines
    }

    fn is_empty(&self) -> bool {
        self.times.is_empty() || self.balls.is_empty()
    }
}

/// The paths of all balls over the ground: one ball coloured by phase, several in a colour each, many in grey, with the
/// balls where they are in the end.
pub fn path_svg(scenario: &Scenario, trace: &Trace) -> String {
    let Some(stepping) = scenario.stepping.as_ref().filter(|_| !trace.is_empty()) else { return String::new() };
    let radius = |ball: usize| stepping.balls[ball].ball.radius();
    let largest = (0..stepping.balls.len()).map(radius).fold(0.0, f64::max);
    let paths = extent(trace.balls.iter().flatten().map(Point::place));
    let (mut series, shown) = ground_near(scenario.scene.ground.ground(), None, paths, largest);
    let visible = |ball: usize| radius(ball) > 0.002 * (shown[1] - shown[0]);
    match trace.balls.as_slice() {
        [points] => {
            if visible(0) {
                series.extend(pictures(&points.iter().map(Point::place).collect::<Vec<_>>(), radius(0)));
            }
            series.extend(by_phase(&points.iter().map(|p| (p.phase, p.place())).collect::<Vec<_>>()));
        }
        balls => {
            let stride = (trace.times.len() * balls.len()).div_ceil(DRAWN).max(1);
            let named = balls.len() <= NAMED;
            for (ball, points) in balls.iter().enumerate() {
                let line = points.iter().step_by(stride).chain(points.last()).map(Point::place).collect();
                let name = if named { format!("ball {}", ball + 1) } else { String::new() };
                let path = Series::new(name, if named { COLOURS[ball] } else { "#BBBBBB" }, line);
                series.push(if named { path } else { path.thin() });
            }
            for (ball, points) in balls.iter().enumerate() {
                let colour = COLOURS[ball % NAMED];
                let shape = |p: &Point| match visible(ball) {
                    true => Series::new("", colour, circle(p.place(), radius(ball))),
                    false => Series::new("", colour, vec![p.place()]).dots(),
                };
                series.extend(points.first().filter(|_| named).map(|p| shape(p).thin()));
                series.extend(points.last().map(shape));
            }
        }
    }
    ground_chart(&scenario.title, series, shown).svg()
}

/// Position, velocity, reaction and energy over time: the four panels of a nonsmooth dynamical system.
pub fn time_svg(scenario: &Scenario, trace: &Trace) -> String {
    if trace.is_empty() {
        return String::new();
    }
    let duration = trace.stride as f64 * scenario.step();
    let force = move |p: &Point| p.impulse / duration;
    let speed = |p: &Point| p.vx.hypot(p.vy);
    let chart = |y: &str, series| Chart::new("", "time [s]", y, series);
    let count = trace.balls.len();
    let each = |f: &dyn Fn(&Point) -> f64| -> Vec<Series> {
        if count <= NAMED {
            let line = |ball: usize| Series::new(format!("ball {}", ball + 1), COLOURS[ball], trace.over_time(ball, f));
            return (0..count).map(line).collect();
        }
        let [low, mean, high] = trace.spread(f);
        vec![
            Series::new("largest, least", GREY, high).thin(),
            Series::new("mean", BLUE, mean),
            Series::new("", GREY, low).thin(),
        ]
    };
    let (height, velocity, reaction) = if count == 1 {
        let sideways = trace.balls[0].iter().any(|p| p.vx != 0.0);
        let mut velocities = vec![Series::new("v_y", BLUE, trace.over_time(0, |p| p.vy))];
        if sideways {
            velocities.push(Series::new("v_x", VERMILION, trace.over_time(0, |p| p.vx)));
        }
        (
            vec![Series::new("height", BLUE, trace.over_time(0, |p| p.y))],
            chart("velocity [m/s]", velocities),
            vec![Series::new("reaction", VERMILION, trace.over_time(0, force))],
        )
    } else {
        (each(&|p| p.y), chart("speed [m/s]", each(&speed)), each(&force))
    };
    let energy = |f: fn(&Energy) -> f64| trace.times.iter().zip(&trace.energy).map(|(t, e)| (*t, f(e))).collect();
    let lost = |e: &Energy| e.dissipated - e.normal - e.tangential;
    let mut energies = vec![
        Series::new("kinetic", BLUE, energy(|e| e.kinetic)),
        Series::new("potential", GREEN, energy(|e| e.potential)),
        Series::new("dissipated", VERMILION, energy(lost)),
        Series::new("total", GREY, energy(Energy::total)).dashed(),
    ];
    let scale = trace.energy.iter().fold(0.0, |most: f64, e| most.max(e.total().abs()).max(e.kinetic));
    if trace.energy.iter().any(|e| e.numerical().abs() > 1e-3 * scale) {
        energies.push(Series::new("scheme", PURPLE, energy(Energy::numerical)));
    }
    stack(
        &scenario.title,
        &[
            chart("height y [m]", height),
            velocity,
            chart(&format!("reaction [N], mean of {} ms", rounded(1e3 * duration, 3)), reaction),
            chart("energy [J]", energies),
        ],
    )
}
