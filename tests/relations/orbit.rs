//! Runs as rows of numbers that can be compared.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use kugelbahn::Scenario;
use mechanics::State;
use nalgebra::Vector2;
use supervisor::{Capture, CaptureReason, Event, EventKind, Observer, Phase, Recording, Sample, Stop, Stretch};
use tests::scenarios::Change;

/// What numbers measure; conditions are taken apart by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    Time,
    Length,
    Velocity,
    Spin,
    Angle,
    Impulse,
    Force,
}

/// A number for each unit.
pub type Units = [f64; 7];

/// What a row is of, which has to be the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Label {
    Event(EventKind, Phase, Phase),
    Sample(Phase),
}

/// An event or a sample, as the first scenario of a relation sees it.
#[derive(Clone, Debug)]
pub struct Row {
    pub label: Label,
    pub time: f64,
    pub numbers: Vec<(Unit, f64)>,
    /// `v·n` before and after, m/s.
    pub normal: [f64; 2],
}

/// A run, its clock and places those of the first scenario.
#[derive(Clone, Debug)]
pub struct Orbit {
    pub events: Vec<Row>,
    pub samples: Vec<Row>,
    /// Why and when it stopped early.
    pub stop: Option<(Stop, f64)>,
    /// From when on it is held to this, relative, other than rounding.
    pub loose: Vec<(f64, f64)>,
    /// From when on numbers do not say what happens: bounces below rounding were cut off, or steps that are given began at a time that
    /// a slow impact leaves open.
    pub open: f64,
    /// Begin and end of given steps along the ground that no event ended, s.
    pub steps: Vec<[f64; 2]>,
    /// Speed at the end of the run, m/s.
    pub speed: f64,
    /// Samples as the run told them.
    pub raw: Vec<Raw>,
    pub captures: Vec<Capture>,
}

/// A sample as it is.
#[derive(Clone, Copy, Debug)]
pub struct Raw {
    pub sample: Sample,
    /// As what stands still sees it.
    pub world: State,
    /// `s` and τ where it touches a smooth part of the ground.
    pub on: Option<(f64, Vector2<f64>)>,
}

/// A recording, and begin and end of each step along the ground, s.
#[derive(Default)]
struct Steps {
    all: Recording,
    made: Vec<[f64; 2]>,
}

impl Observer for Steps {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.all.event(event)
    }
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.all.sample(sample)
    }
    fn capture(&mut self, capture: &Capture) {
        self.all.capture(capture);
    }
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        if stretch.phase() != Phase::Flight {
            self.made.push([stretch.from(), stretch.to()]);
        }
        ControlFlow::Continue(())
    }
}

/// Why there is no orbit.
#[derive(Clone, Debug)]
pub enum NoOrbit {
    Refused(String),
    Panicked,
}

/// A view of a run from the scenario it came from by a change.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub change: Change,
    /// Angle of the ball then, rad.
    pub angle: f64,
}

impl View {
    pub const PLAIN: View = View { change: Change::NONE, angle: 0.0 };

    fn time(&self, time: f64) -> f64 {
        self.change.from + self.change.arrow() * time / self.change.time
    }

    fn point(&self, p: Vector2<f64>) -> Vector2<f64> {
        self.change.map.orthogonal().transpose() * (p - self.change.map.shift) / self.change.map.scale
    }

    fn velocity(&self, v: Vector2<f64>) -> Vector2<f64> {
        let factor = self.change.arrow() * self.change.time / self.change.map.scale;
        self.change.map.orthogonal().transpose() * v * factor
    }

    fn spin(&self, spin: f64) -> f64 {
        self.change.arrow() * self.change.map.sign() * self.change.time * spin
    }

    fn event(&self, event: &Event) -> Row {
        let change = &self.change;
        let impulse = change.mass * change.map.scale / change.time;
        let (kind, phases, states) = match (change.backwards, event.kind) {
            (false, kind) => (kind, [event.phase_before, event.phase_after], [event.before, event.after]),
            (true, kind) => {
                let kind = match kind {
                    EventKind::Touch => EventKind::Release,
                    EventKind::Release => EventKind::Touch,
                    kind => kind,
                };
                (kind, [event.phase_after, event.phase_before], [event.after, event.before])
            }
        };
        let time = self.time(event.time());
        let normal = change.map.orthogonal().transpose() * event.frame.normal;
        let mut numbers = vec![(Unit::Time, time), (Unit::Angle, normal.x), (Unit::Angle, normal.y)];
        let at = self.point(event.position());
        numbers.extend([(Unit::Length, at.x), (Unit::Length, at.y)]);
        for state in states {
            let v = self.velocity(state.velocity);
            let spin = self.spin(state.spin);
            numbers.extend([(Unit::Velocity, v.x), (Unit::Velocity, v.y), (Unit::Spin, spin)]);
        }
        // Told at a release alone, of what was before.
        if !matches!(kind, EventKind::Touch | EventKind::Release) {
            numbers.push((Unit::Impulse, event.normal_impulse / impulse));
            numbers.push((Unit::Impulse, change.map.sign() * event.tangential_impulse / impulse));
        }
        let normal = states.map(|state| self.velocity(state.velocity).dot(&normal));
        Row { label: Label::Event(kind, phases[0], phases[1]), time, numbers, normal }
    }

    fn sample(&self, sample: &Sample) -> Row {
        let change = &self.change;
        let (at, v) = (self.point(sample.state.position), self.velocity(sample.state.velocity));
        let mut numbers = vec![
            (Unit::Length, at.x),
            (Unit::Length, at.y),
            (Unit::Velocity, v.x),
            (Unit::Velocity, v.y),
            (Unit::Spin, self.spin(sample.state.spin)),
            (Unit::Angle, self.angle + change.map.sign() * sample.state.angle),
        ];
        // Two contacts have an order, which a mirror turns round.
        if sample.second_normal_force == 0.0 {
            numbers.push((Unit::Force, sample.normal_force / change.force()));
            numbers.push((Unit::Force, change.map.sign() * sample.friction_force / change.force()));
        }
        let time = self.time(sample.state.time);
        Row { label: Label::Sample(sample.phase), time, numbers, normal: [0.0; 2] }
    }
}

/// Runs a scenario file.
pub fn run(text: &str, view: View, exact: bool) -> Result<Orbit, NoOrbit> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let scenario = Scenario::from_text(text, folder, &[]).map_err(|error| NoOrbit::Refused(error.to_string()))?;
        let mut all = Steps::default();
        let summary = kugelbahn::run(&scenario, &mut all).map_err(|error| NoOrbit::Refused(error.to_string()))?;
        Ok((scenario, all, summary))
    }));
    let (scenario, Steps { all, made }, summary) = ran.map_err(|_| NoOrbit::Panicked)??;
    let mut events: Vec<Row> = all.events.iter().map(|event| view.event(event)).collect();
    let mut samples: Vec<Row> = all.samples.iter().map(|sample| view.sample(sample)).collect();
    if view.change.backwards {
        events.reverse();
        samples.reverse();
    }
    together(&mut events);
    // Steps that are given are the same in both runs, and only captures are held to a bound.
    let relative = match scenario.solver.control {
        newmark::Control::Tolerance(tolerance) => tolerance.relative,
        newmark::Control::Step { .. } => 0.0,
    };
    let mut loose = Vec::new();
    if !exact {
        loose.push((0.0, relative));
    }
    let landed = all.events.iter().find(|event| event.phase_after != Phase::Flight).map(Event::time);
    let sat = all.samples.first().filter(|sample| sample.phase != Phase::Flight).map(|sample| sample.state.time);
    loose.extend([landed, sat].into_iter().flatten().map(|time| (view.time(time), relative)));
    loose.extend(all.captures.iter().map(|capture| {
        let seconds = capture.time_bound / view.change.time;
        let speed = capture.velocity_bound * view.change.time / view.change.map.scale;
        (view.time(capture.start.time), seconds.max(speed).max(relative))
    }));
    let given = relative == 0.0;
    let cut = |capture: &&Capture| given || capture.reason != CaptureReason::Slow;
    let open = all.captures.iter().find(cut).map_or(f64::INFINITY, |capture| view.time(capture.start.time));
    let by_event = |time: f64| all.events.iter().any(|event| event.time() == time);
    let given = made.iter().filter(|[_, end]| given && !by_event(*end));
    let steps = given.map(|step| step.map(|time| view.time(time))).collect();
    let speed = view.velocity(summary.state.velocity).norm();
    let stop = summary.stop.map(|stop| (stop, view.time(summary.state.time)));
    let raw = |sample: &Sample| {
        let ground = &scenario.scene.ground;
        let on = match sample.place {
            Some(place @ curves::Place::Piece { index, parameter }) => {
                Some((ground.ground().shown_parameter(index, parameter), ground.frame(place).tangent))
            }
            _ => None,
        };
        let carriage = scenario.scene.forces.carriage();
        let world = carriage.map_or(sample.state, |carriage| carriage.world(&sample.state));
        Raw { sample: *sample, world, on }
    };
    let raw = all.samples.iter().map(raw).collect();
    Ok(Orbit { events, samples, stop, loose, open, steps, speed, raw, captures: all.captures })
}

/// Puts impacts on two contacts at one time into the order of their normals.
fn together(events: &mut [Row]) {
    let kind = |row: &Row| match row.label {
        Label::Event(kind @ (EventKind::Impact | EventKind::Landing), ..) => Some(kind),
        _ => None,
    };
    let key = |row: &Row| (row.numbers[1].1, row.numbers[2].1);
    for i in 1..events.len() {
        let (before, after) = (&events[i - 1], &events[i]);
        if kind(before).is_none() || kind(before) != kind(after) || before.time != after.time {
            continue;
        }
        let (Label::Event(kind, from, _), Label::Event(_, _, to)) = (before.label, after.label) else { continue };
        if key(before) > key(after) {
            events.swap(i - 1, i);
        }
        events[i - 1].label = Label::Event(kind, from, to);
        events[i].label = Label::Event(kind, to, to);
    }
}
