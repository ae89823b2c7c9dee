//! Numbers that a run is aimed at; passings of a line and greatest numbers are found or proven absent on its dense output.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, Valued, first_event};
use supervisor::{Capture, Crossing, Event, EventKind, Jump, Jumps, Moment, Observer, Scene, Stretch, Tally};

use crate::gragg::Precision;
use crate::quantity::{Component, OfJump, Quantity};
use crate::sensitivities::sweep_into;
use crate::trace::{self, Mark, Trace, TraceError};
use crate::{Family, FamilyError, Model, Observation, RunSettings, Sensitivities, SweepError};

/// A quantity of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Value of the quantity.
    pub value: f64,
    /// Time at which it was read, s.
    pub time: f64,
    /// Its derivatives by each parameter; none where the quantity [has none](Quantity::is_smooth).
    pub by: Vec<f64>,
}

/// Why a run has no such number.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GoalError<E> {
    /// No model.
    #[error(transparent)]
    Family(#[from] FamilyError<E>),
    /// No whole run.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// No sensitivities.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// Fewer events than asked for.
    #[error("{} until its end at t = {end:?} s{}", lacking(*found, *asked), others(there))]
    Events {
        /// Number of the event that was asked for, from 1.
        asked: usize,
        /// Events of that kind in the run.
        found: usize,
        /// Events of the run that could be asked for, kinds and jumps: name and how often.
        there: Vec<(&'static str, usize)>,
        /// s
        end: f64,
    },
    /// Never there, or the run is over.
    #[error("the run does not come to it until its end at t = {end:?} s")]
    Never {
        /// s
        end: f64,
    },
}

fn lacking(found: usize, asked: usize) -> String {
    if found == 0 {
        "the run has none".to_owned()
    } else {
        format!("the run has only {found} of the {asked} asked for")
    }
}

fn others(there: &[(&'static str, usize)]) -> String {
    let each: Vec<String> = there.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if each.is_empty() { String::new() } else { format!("; it has {}", each.join(", ")) }
}

/// Reads quantities off the run of `values`, without `derivatives` much faster. Passings and the greatest are found or proven absent on
/// dense output. Values are good to some 1e-12, derivatives to 1e-8 of their size, a normal force to the run's tolerance.
pub fn read<E>(
    quantities: &[Quantity],
    values: &[f64],
    build: impl Fn(&[f64]) -> Result<Model, E>,
    runs: &RunSettings,
    derivatives: bool,
) -> Result<Vec<Reading>, GoalError<E>> {
    let family = if derivatives { Family::new(values, &build)? } else { Family::new(&[], |_| build(values))? };
    let mut search = Search::new(quantities);
    let summary = trace::run(family.base(), runs.options, runs.tolerance, runs.watching.clone(), &mut search)?;
    let trace = search.trace.finish(&summary)?;
    let run = TracedRun { family: &family, trace: &trace, crossings: &search.crossings };
    let found = quantities.iter().zip(&search.wanted);
    let places = found.map(|(q, wanted)| run.place(q, wanted)).collect::<Result<Vec<_>, _>>()?;
    let mut times: Vec<f64> = places.iter().filter(|p| p.kind.is_none()).map(|p| p.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let last = places.iter().map(|place| place.time).fold(0.0, f64::max);
    let mut found = Sensitivities::default();
    let failed = sweep_into(&mut found, &family, family.parameters(), Precision::SEARCH, &trace, &times, last).err();
    let read = |(i, place): (usize, &GoalPlace)| {
        if let (Quantity::NormalForce, Some((value, GoalPlace { time, .. }))) =
            (quantities[i], search.wanted[i].greatest())
        {
            return Ok(Reading { value, time, by: Vec::new() });
        }
        if let Quantity::Jump(of, asked) = quantities[i] {
            let jump = run.jump(asked)?;
            return Ok(Reading { value: of.of(&family.base().scene, &jump), time: place.time, by: Vec::new() });
        }
        if let Quantity::At { component, moment: Moment::Watch(watch, which), .. } = quantities[i] {
            let crossing = run.crossing(watch, which)?;
            let value = component.of_sample(&family.base().scene, &crossing.sample);
            return Ok(Reading { value, time: crossing.time(), by: Vec::new() });
        }
        reading(&family.base().scene, &quantities[i], place, &found).ok_or_else(|| match failed {
            Some(error) => error.into(),
            None => GoalError::Never { end: trace.end },
        })
    };
    places.iter().enumerate().map(read).collect()
}

struct TracedRun<'a> {
    family: &'a Family,
    trace: &'a Trace,
    crossings: &'a [Crossing],
}

impl TracedRun<'_> {
    fn place<E>(&self, quantity: &Quantity, wanted: &Wanted) -> Result<GoalPlace, GoalError<E>> {
        let end = self.trace.end;
        let never = GoalError::Never { end };
        let Quantity::At { moment, before, .. } = *quantity else {
            if let Quantity::Jump(of, asked) = *quantity {
                let Jump { left, back } = self.jump(asked)?;
                let event = if let OfJump::LiftOff(_) | OfJump::Speed = of { left } else { back };
                return Ok(GoalPlace { time: event.time(), kind: Some(event.kind), before: false });
            }
            let (_, place) = wanted.greatest().ok_or(never)?;
            let smooth = *quantity == Quantity::Height && place.kind.is_none();
            // Where vy = 0: derivatives know the time of a top less than its height.
            return Ok(if smooth { GoalPlace::at(self.meet(place.time, 3, 0.0)?) } else { place });
        };
        match moment {
            Moment::Time(time) if 0.0 <= time && time <= end => Ok(GoalPlace::at(time)),
            Moment::Time(_) => Err(never),
            Moment::End => Ok(GoalPlace::at(end)),
            Moment::Watch(watch, which) => Ok(GoalPlace::at(self.crossing(watch, which)?.time())),
            Moment::Passing(axis, value) => {
                let Wanted::Passing { found: Some(time), .. } = *wanted else { return Err(never) };
                Ok(GoalPlace::at(self.meet(time, axis, value)?))
            }
            Moment::Impact(asked) | Moment::Event(_, asked) => self.event(moment, asked, before),
        }
    }

    /// The n-th event of some.
    fn event<E>(&self, moment: Moment, asked: usize, before: bool) -> Result<GoalPlace, GoalError<E>> {
        let mut tally = Tally::new(moment);
        let mut last = None;
        for mark in &self.trace.marks {
            match mark {
                Mark::Capture(_) => tally.capture(),
                Mark::Event(event) if tally.is(event) => {
                    // A row of rest after a landing at rest says again what that did.
                    let again = event.kind == EventKind::Rest && event.phase_before == event.phase_after;
                    let (kind, before) = if again { (last, false) } else { (Some(event.kind), before) };
                    return Ok(GoalPlace { time: event.time(), kind, before });
                }
                Mark::Event(event) => last = Some(event.kind),
                Mark::Joint { .. } => {}
            }
        }
        Err(self.lacks(asked, tally.found()))
    }

    /// The n-th crossing of a watch.
    fn crossing<E>(&self, watch: usize, asked: usize) -> Result<&Crossing, GoalError<E>> {
        let mut crossings = self.crossings.iter().filter(|crossing| crossing.watch == watch);
        let found = crossings.clone().count();
        crossings.nth(asked - 1).ok_or_else(|| self.lacks(asked, found))
    }

    fn jump<E>(&self, asked: usize) -> Result<Jump, GoalError<E>> {
        let mut jumps = Jumps::default();
        let jump = self.trace.events().filter_map(|event| jumps.end(event)).nth(asked - 1);
        jump.ok_or_else(|| self.lacks(asked, jumps.count))
    }

    fn lacks<E>(&self, asked: usize, found: usize) -> GoalError<E> {
        let mut counts = BTreeMap::new();
        let mut jumps = Jumps::default();
        for event in self.trace.events() {
            *counts.entry(event.kind).or_insert(0) += 1;
            jumps.end(event);
        }
        let mut there: Vec<_> = counts.into_iter().map(|(kind, count)| (kind.name(), count)).collect();
        there.extend((jumps.count > 0).then_some(("jump", jumps.count)));
        GoalError::Events { asked, found, there, end: self.trace.end }
    }

    /// When a component of the state has a value, near a time that dense output tells: Newton's method on the motion itself.
    fn meet(&self, near: f64, component: usize, value: f64) -> Result<f64, SweepError> {
        let (mut time, end) = (near, self.trace.end);
        for _ in 0..8 {
            let mut found = Sensitivities::default();
            sweep_into(&mut found, self.family, 0, Precision::SEARCH, self.trace, &[time], time)?;
            let Some(Observation { state, rates, .. }) = found.samples.first() else { break };
            let next = time - (state[component] - value) / rates[component];
            // Where it only ends there is none.
            if !((next - near).abs() <= 1e-6 * end && 0.0 <= next && next <= end) {
                break;
            }
            let settled = (next - time).abs() <= 1e-15 * end;
            time = next;
            if settled {
                break;
            }
        }
        Ok(time)
    }
}

/// The quantity at its place, with derivatives if the sweep has some.
fn reading(scene: &Scene, quantity: &Quantity, place: &GoalPlace, found: &Sensitivities) -> Option<Reading> {
    let (ball, moves) = match place.kind {
        Some(kind) => {
            let event = found.events.iter().find(|e| e.event.kind == kind && e.event.time() == place.time)?;
            (if place.before { &event.before } else { &event.after }, Some(&event.time_by))
        }
        None => (found.samples.iter().find(|sample| sample.time == place.time)?, None),
    };
    let delay = |j: usize| match (moves, quantity) {
        (Some(time_by), _) => time_by[j],
        (None, Quantity::At { moment: Moment::Passing(axis, _), .. }) => -ball.by[j][*axis] / ball.rates[*axis],
        (None, _) => 0.0,
    };
    let total = |j: usize, i: usize| ball.by[j][i] + ball.rates[i] * delay(j);
    let parameters = 0..ball.by.len();
    let component = match quantity {
        Quantity::At { component, .. } => *component,
        Quantity::Height => Component::State(1),
        // Read off the run itself.
        Quantity::NormalForce | Quantity::Jump(..) => return None,
    };
    let (value, by) = match component {
        Component::Time => (ball.time, parameters.map(delay).collect()),
        Component::State(i) => (ball.state[i], parameters.map(|j| total(j, i)).collect()),
        Component::Speed => {
            let [_, _, vx, vy, ..] = ball.state;
            let speed = vx.hypot(vy);
            (speed, parameters.map(|j| (vx * total(j, 2) + vy * total(j, 3)) / speed).collect())
        }
        Component::GroundParameter => {
            let near = scene.ground.ground().closest(Vector2::new(ball.state[0], ball.state[1]));
            (scene.ground.ground().shown_parameter(near.piece, near.parameter), Vec::new())
        }
    };
    Some(Reading { value, time: ball.time, by })
}

/// Parts of a stretch looked at: where bounds decide nothing, as many of equal length.
const BUDGET: u32 = 4096;
/// A bound that is greater by this part of its size is not.
const PRECISION: f64 = 1e-13;
/// An extremum that comes again as great may be greater by this part of its size: errors of a run by 1e-11 a step add up to it.
const AGAIN: f64 = 1e-9;

/// Where in a run a quantity is found: at an event of this kind, or at a time alone.
#[derive(Clone, Copy, Debug)]
pub struct GoalPlace {
    /// s
    pub time: f64,
    /// The event's kind.
    pub kind: Option<EventKind>,
    /// Just before it.
    pub before: bool,
}

impl GoalPlace {
    /// A time alone, s.
    pub fn at(time: f64) -> Self {
        GoalPlace { time, kind: None, before: false }
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
    Height(Option<(f64, GoalPlace)>),
    /// The greatest λ.
    NormalForce(Option<(f64, GoalPlace)>),
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
    pub fn greatest(&self) -> Option<(f64, GoalPlace)> {
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
            *place = GoalPlace { time: event.time(), kind: Some(event.kind), before: false };
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
    found: &mut Option<(f64, GoalPlace)>,
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
        *found = Some((value, GoalPlace::at(time)));
    }
}
