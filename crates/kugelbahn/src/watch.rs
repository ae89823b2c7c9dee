//! Crossings of a line, located on the dense output, and the end of a run with an event.

use std::ops::ControlFlow;

use curves::{Interval, Rounding, bisect};
use supervisor::{Capture, Event, Observer, Sample, Scene, Stretch};

use crate::Moment;
use crate::simulation::Until;

/// A line whose crossings by the ball's centre are located.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    axis: usize,
    value: f64,
}

/// The centre crosses a watched line: it was beyond rounding on one side, and comes to be so on the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which: the first call of `watch` is 0.
    pub watch: usize,
    /// The ball then. One that stayed on the line crosses it when it leaves it.
    pub moment: Moment,
    /// Whether it crosses towards larger coordinates.
    pub rising: bool,
}

impl Watch {
    /// The upright line at an abscissa, m.
    pub fn x(value: f64) -> Self {
        Watch { axis: 0, value }
    }

    /// The level line at a height, m.
    pub fn y(value: f64) -> Self {
        Watch { axis: 1, value }
    }

    /// m
    pub(crate) fn value(&self) -> f64 {
        self.value
    }
}

/// Parts of a stretch that are enclosed, at most; of those left over, and of motion without enclosures, the ends tell.
const BUDGET: u32 = 10_000;

/// Watched lines during a run, and what crossed them.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedLines {
    lines: Vec<Watched>,
    crossings: Vec<Crossing>,
}

impl WatchedLines {
    pub fn new(watches: &[Watch]) -> Self {
        let line = |(index, watch): (usize, &Watch)| Watched { index, watch: *watch, above: None };
        WatchedLines { lines: watches.iter().enumerate().map(line).collect(), crossings: Vec::new() }
    }

    /// An observer that is told the run, up to the event that is to end it.
    pub fn with<'a, O>(
        &'a mut self,
        scene: &'a Scene,
        until: Option<&'a Until>,
        observer: &'a mut O,
    ) -> WatchObserver<'a, O> {
        WatchObserver { watched: self, scene, until, observer }
    }

    /// Of several lines the crossings are to be put in the order of time.
    pub fn sort(&mut self) {
        self.crossings.sort_by(|a, b| a.moment.time.total_cmp(&b.moment.time));
    }

    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }
}

/// See [`WatchedLines::with`].
pub(crate) struct WatchObserver<'a, O> {
    watched: &'a mut WatchedLines,
    scene: &'a Scene,
    until: Option<&'a Until>,
    observer: &'a mut O,
}

impl<O: Observer> Observer for WatchObserver<'_, O> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.observer.event(event)?;
        match self.until {
            Some(until) if until(event) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.observer.sample(sample)
    }

    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        for line in &mut self.watched.lines {
            line.look(self.scene, stretch, &mut self.watched.crossings);
        }
        self.observer.stretch(stretch)
    }

    fn capture(&mut self, capture: &Capture) {
        self.observer.capture(capture);
    }

    fn progress(&mut self, time: f64) -> ControlFlow<()> {
        self.observer.progress(time)
    }
}

/// A line during a run.
#[derive(Clone, Debug)]
struct Watched {
    index: usize,
    watch: Watch,
    /// The side where the ball was last beyond rounding.
    above: Option<bool>,
}

/// Where the ball is over a part of a stretch.
enum Side {
    /// Beyond rounding on one side.
    Above(bool),
    /// On the line, but for rounding.
    On,
    /// Not known.
    Either,
}

impl Watched {
    /// Finds all crossings on a stretch. Parts are halved, down to what the clock can tell, until each is known to be on one side or on
    /// the line; between parts on opposite sides the sign changes.
    fn look(&mut self, scene: &Scene, stretch: &Stretch, found: &mut Vec<Crossing>) {
        let Watch { axis, value } = self.watch;
        let moment = |time: f64| Moment::of(scene, &stretch.at(time));
        let offset = |time: f64| moment(time).position[axis] - value;
        let side = |over: Interval, time: f64| {
            let size = over.magnitude() + value.abs() + scene.ball.radius();
            let slack = Rounding::SUM * Rounding::of_motion(size, time, 0.0, 0.0).length;
            match (over.lo - value, over.hi - value) {
                (lo, _) if lo > slack => Side::Above(true),
                (_, hi) if hi < -slack => Side::Above(false),
                (lo, hi) if lo >= -slack && hi <= slack => Side::On,
                _ => Side::Either,
            }
        };
        let enclosed = |from: f64, to: f64| Some(side(stretch.position_over(from, to)?[axis], to));
        let by_ends = |from: f64, to: f64| {
            let [first, last] = [from, to].map(|time| side(Interval::point(offset(time) + value), to));
            match (first, last) {
                (Side::Above(first), Side::Above(last)) if first == last => Side::Above(last),
                (Side::On, Side::On) => Side::On,
                _ => Side::Either,
            }
        };
        let mut parts = vec![(stretch.from(), stretch.to())];
        let (mut looked, mut known) = (0, stretch.from());
        while let Some((from, to)) = parts.pop() {
            looked += 1;
            let within = if looked <= BUDGET { enclosed(from, to) } else { None };
            let above = match within.unwrap_or_else(|| by_ends(from, to)) {
                Side::Above(above) => above,
                Side::On => continue,
                Side::Either => {
                    let middle = 0.5 * (from + to);
                    if to - from > Rounding::tick(to) && from < middle && middle < to {
                        parts.extend([(middle, to), (from, middle)]);
                    }
                    continue;
                }
            };
            if self.above.replace(above).is_some_and(|before| before != above) {
                let before = |time: f64| (offset(time) > 0.0) != above;
                let time = if before(known) { bisect(before, known, from)[1] } else { known };
                found.push(Crossing { watch: self.index, moment: moment(time), rising: above });
            }
            known = to;
        }
    }
}
