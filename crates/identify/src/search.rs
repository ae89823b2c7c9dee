//! Passings of a line and greatest numbers, found or proven absent on the dense output of a run.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use numbers::{Interval, Number, Rounding, Valued, first_event};
use supervisor::{Capture, Crossing, Event, EventKind, Moment, Observer, Stretch};

use crate::Trace;
use crate::quantity::Quantity;

/// Parts of a stretch looked at: where bounds decide nothing, as many of equal length.
const BUDGET: u32 = 4096;
/// A bound that is greater by this part of its size is not.
const PRECISION: f64 = 1e-13;
/// An extremum that comes again as great may be greater by this part of its size: errors of a run by 1e-11 a step add up to it.
const AGAIN: f64 = 1e-9;

/// Where in a run a quantity is found: at an event of this kind, or at a time alone.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// s
    pub time: f64,
    /// The event's kind.
    pub kind: Option<EventKind>,
    /// Just before it.
    pub before: bool,
}

impl Place {
    /// A time alone, s.
    pub fn at(time: f64) -> Self {
        Place { time, kind: None, before: false }
    }
}

/// Target of a search on the dense output of a run, and the best so far.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// Nothing: events and times are known without a search.
    Known,
    /// The first time that a coordinate has a value.
    Passing {
        /// 0: x, 1: y.
        axis: usize,
        /// m
        value: f64,
        /// The sign of the rest before.
        side: Option<f64>,
        /// s
        found: Option<f64>,
    },
    /// The greatest y.
    Height(Option<(f64, Place)>),
    /// The greatest λ.
    NormalForce(Option<(f64, Place)>),
}

impl Wanted {
    /// Target of a quantity, before a run.
    pub fn new(quantity: &Quantity) -> Self {
        match *quantity {
            Quantity::At { moment: Moment::Passing(axis, value), .. } => {
                Wanted::Passing { axis, value, side: None, found: None }
            }
            Quantity::At { .. } | Quantity::Jump(..) => Wanted::Known,
            Quantity::Height => Wanted::Height(None),
            Quantity::NormalForce => Wanted::NormalForce(None),
        }
    }

    /// The greatest number, and where.
    pub fn greatest(&self) -> Option<(f64, Place)> {
        match *self {
            Wanted::Height(found) | Wanted::NormalForce(found) => found,
            Wanted::Known | Wanted::Passing { .. } => None,
        }
    }

    /// Looks at a stretch, in the order of time.
    pub fn look(&mut self, stretch: &Stretch) {
        let (from, to) = (stretch.from(), stretch.to());
        match self {
            Wanted::Passing { axis, value, side, found: found @ None } => {
                let over = |from: f64, to: f64| Some(stretch.position_over(from, to)?[*axis] - Interval::point(*value));
                let offset = |time: f64| stretch.world(time).position[*axis] - *value;
                let ends = [from, to].map(|at| Valued { at, value: offset(at) });
                let size = value.abs() + ends[0].value.abs().max(ends[1].value.abs());
                let slack = Rounding::SUM * Rounding::of_motion(size, to, 0.0, 0.0).length;
                if side.is_none() {
                    let starts = [ends[0].value, stretch.world(from).velocity[*axis], ends[1].value];
                    *side = starts.into_iter().find(|start| start.abs() > slack).map(f64::signum);
                }
                let Some(side) = *side else { return };
                // Beyond rounding on the other side.
                let left = |offset: f64| side * offset + slack;
                let bound =
                    |part: Interval, _| over(part.lo, part.hi).map_or(f64::NEG_INFINITY, |o| o.scale(side).lo + slack);
                let ends = ends.map(|end| Valued { value: left(end.value), ..end });
                let finest = f64::EPSILON.sqrt() * (to - from);
                *found = first_event(|time| left(offset(time)), bound, ends, finest, BUDGET).point();
            }
            Wanted::Height(found) => {
                let over = |from: f64, to: f64| Some(stretch.position_over(from, to)?[1]);
                greatest(found, |time| stretch.world(time).position.y, over, [from, to]);
            }
            Wanted::NormalForce(found) => {
                let over = |from: f64, to: f64| stretch.normal_force_over(from, to);
                greatest(found, |time| stretch.at(time).normal_force, over, [from, to]);
            }
            Wanted::Known | Wanted::Passing { .. } => {}
        }
    }

    /// An event at the greatest height is its place: then it moves with the event.
    pub fn note(&mut self, event: &Event) {
        if let Wanted::Height(Some((_, place))) = self
            && event.time() - place.time <= Rounding::tick(event.time())
        {
            *place = Place { time: event.time(), kind: Some(event.kind), before: false };
        }
    }
}

/// The events of a run, and what is wanted of it.
pub(crate) struct Search {
    pub trace: Trace,
    pub wanted: Vec<Wanted>,
    pub crossings: Vec<Crossing>,
}

impl Search {
    pub fn new(quantities: &[Quantity]) -> Self {
        Search { trace: Trace::default(), wanted: quantities.iter().map(Wanted::new).collect(), crossings: Vec::new() }
    }
}

impl Observer for Search {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.wanted.iter_mut().for_each(|wanted| wanted.note(event));
        self.trace.event(event)
    }

    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        self.wanted.iter_mut().for_each(|wanted| wanted.look(stretch));
        self.trace.stretch(stretch)
    }

    fn crossing(&mut self, crossing: &Crossing) {
        self.crossings.push(*crossing);
    }

    fn capture(&mut self, capture: &Capture) {
        self.trace.capture(capture);
    }
}

/// Updates a maximum over a stretch: halves parts whose bounds exceed it, the longest first. Smaller gains are errors of the run.
fn greatest(
    found: &mut Option<(f64, Place)>,
    value: impl Fn(f64) -> f64,
    over: impl Fn(f64, f64) -> Option<Interval>,
    ends: [f64; 2],
) {
    let exceeds = |best: Option<f64>, value: f64, part: f64| {
        best.is_none_or(|best| value > best + part * value.abs().max(best.abs()))
    };
    let before = found.map(|(best, _)| best);
    let mut here: Option<(f64, f64)> = None;
    let see = |here: &mut Option<(f64, f64)>, time: f64| {
        let value = value(time);
        if exceeds(here.map(|(best, _)| best), value, PRECISION) {
            *here = Some((value, time));
        }
    };
    ends.into_iter().for_each(|time| see(&mut here, time));
    let mut parts = VecDeque::from([ends]);
    for _ in 0..BUDGET {
        let Some([from, to]) = parts.pop_front() else { break };
        let middle = 0.5 * (from + to);
        let open =
            |over: Interval| exceeds(before, over.hi, AGAIN) && exceeds(here.map(|(best, _)| best), over.hi, PRECISION);
        if from < middle && middle < to && over(from, to).is_some_and(open) {
            see(&mut here, middle);
            parts.extend([[from, middle], [middle, to]]);
        }
    }
    if let Some((value, time)) = here.filter(|(value, _)| exceeds(before, *value, AGAIN)) {
        *found = Some((value, Place::at(time)));
    }
}
