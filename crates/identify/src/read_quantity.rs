//! Quantities of one run with derivatives; line crossings and maxima are found, or proven absent, on the dense output.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, Trigger, Valued, first_event};
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
    /// Time of the quantity, s.
    pub time: f64,
    /// Derivatives by each parameter; empty where the quantity [has none](Quantity::is_smooth).
    pub by: Vec<f64>,
}

/// Reason why a run does not have a quantity.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GoalError<E> {
    /// The model can't be built.
    #[error(transparent)]
    Family(#[from] FamilyError<E>),
    /// The run stopped early.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// There are no sensitivities.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// Fewer events than asked for.
    #[error("{} until its end at t = {end:?} s{}", lacking(*found, *asked), others(there))]
    Events {
        /// Number of the event asked for, from 1.
        asked: usize,
        /// Number of such events in the run.
        found: usize,
        /// Events of the run that could be asked for, by name, and their numbers.
        there: Vec<(&'static str, usize)>,
        /// End of the run, s.
        end: f64,
    },
    /// It never happens before the end of the run.
    #[error("the run does not come to it until its end at t = {end:?} s")]
    Never {
        /// End of the run, s.
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

/// Reads quantities off the run of `values`; without `derivatives` it is much faster. Crossings and maxima are found,
/// or proven absent, on the dense output. Values are accurate to some 1e-12, derivatives to 1e-8 of their size, a
/// normal force to the run's tolerance.
pub fn read<E>(
    quantities: &[Quantity],
    values: &[f64],
    build: impl Fn(&[f64]) -> Result<Model, E>,
    runs: &RunSettings,
    derivatives: bool,
) -> Result<Vec<Reading>, GoalError<E>> {
    let family = if derivatives { Family::new(values, &build)? } else { Family::new(&[], |_| build(values))? };
    // One run gives the trace, the maxima, and the times of passing on its dense output.
    let wanted = quantities.iter().map(Wanted::new).collect();
    let mut search = Search { trace: Trace::default(), wanted, crossings: Vec::new() };
    let summary = trace::run(family.base(), runs.options, runs.tolerance, runs.watching.clone(), &mut search)?;
    let trace = search.trace.finish(&summary)?;
    let run = TracedRun { family: &family, trace: &trace, crossings: &search.crossings };
    let found = quantities.iter().zip(&search.wanted);
    let places = found.map(|(q, wanted)| run.place(q, wanted)).collect::<Result<Vec<_>, _>>()?;
    // One sweep gives states and derivatives at all places.
    let mut times: Vec<f64> = places.iter().filter(|p| p.kind.is_none()).map(|p| p.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let last = places.iter().map(|place| place.time).fold(0.0, f64::max);
    let mut found = Sensitivities::default();
    let failed = sweep_into(&mut found, &family, family.parameters(), Precision::SEARCH, &trace, &times, last).err();
    // Quantities without derivatives are read off the run itself.
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
    /// The place of a quantity in the run; an error if the run does not come to it.
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
            // By vy = 0: derivatives need the time of the maximum more exactly than its height determines it.
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

    /// The n-th event of a kind.
    fn event<E>(&self, moment: Moment, asked: usize, before: bool) -> Result<GoalPlace, GoalError<E>> {
        let mut tally = Tally::new(moment);
        let mut last = None;
        for mark in &self.trace.marks {
            match mark {
                Mark::Capture(_) => tally.capture(),
                Mark::Event(event) if tally.is(event) => {
                    // A row of rest after a landing at rest repeats it: the sweep has the landing only.
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

    /// Error that there are fewer events than asked for, with the numbers of those that there are.
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

    /// Time near the one found on the dense output at which a component has a value, by Newton's method on the motion.
    fn meet(&self, near: f64, component: usize, value: f64) -> Result<f64, SweepError> {
        let (mut time, end) = (near, self.trace.end);
        for _ in 0..8 {
            let mut found = Sensitivities::default();
            sweep_into(&mut found, self.family, 0, Precision::SEARCH, self.trace, &[time], time)?;
            let Some(Observation { state, rates, .. }) = found.samples.first() else { break };
            let next = time - (state[component] - value) / rates[component];
            // A value reached only at the end of the motion has no derivative.
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
        // Read off the run itself, without derivatives.
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

/// Largest number of parts of a stretch that a search looks at.
const BUDGET: u32 = 4096;
/// Relative difference up to which a value or a bound does not count as larger within a stretch.
const PRECISION: f64 = 1e-13;
/// Relative difference up to which a maximum repeats one of an earlier stretch: errors of 1e-11 a step add up to it.
const AGAIN: f64 = 1e-9;

/// Place of a quantity in a run: at an event of this kind, or only at a time.
#[derive(Clone, Copy, Debug)]
pub struct GoalPlace {
    /// Time, s.
    pub time: f64,
    /// Kind of the event, if it is at one.
    pub kind: Option<EventKind>,
    /// Whether just before the event; else just after it.
    pub before: bool,
}

impl GoalPlace {
    /// A time without an event, s.
    pub fn at(time: f64) -> Self {
        GoalPlace { time, kind: None, before: false }
    }
}

/// Target of a search on the dense output of a run, and the best so far.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// Nothing: events and times need no search.
    Known,
    /// The first time at which a coordinate has a value.
    Passing {
        /// 0: x, 1: y.
        axis: usize,
        /// Value of the coordinate, m.
        value: f64,
        /// Sign of coordinate less value so far; `None`: it has been zero to rounding.
        side: Option<f64>,
        /// Time found, s.
        found: Option<f64>,
    },
    /// The greatest y.
    Height(Option<(f64, GoalPlace)>),
    /// The greatest λ.
    NormalForce(Option<(f64, GoalPlace)>),
}

impl Wanted {
    /// Search for a quantity, before the run.
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

    /// The maximum so far, and its place.
    pub fn greatest(&self) -> Option<(f64, GoalPlace)> {
        match *self {
            Wanted::Height(found) | Wanted::NormalForce(found) => found,
            Wanted::Known | Wanted::Passing { .. } => None,
        }
    }

    /// Looks at the next stretch, in order of time.
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
                // Positive until the coordinate is on the other side by more than rounding.
                let left = |offset: f64| side * offset + slack;
                let bound =
                    |part: Interval, _| over(part.lo, part.hi).map_or(f64::NEG_INFINITY, |o| o.scale(side).lo + slack);
                let ends = ends.map(|end| Valued { value: left(end.value), ..end });
                let finest = f64::EPSILON.sqrt() * (to - from);
                *found = match first_event(|time| left(offset(time)), bound, ends, finest, BUDGET) {
                    // Left undecided, it surely passes only if it ends on the other side.
                    Trigger::Undecided(_) if ends[1].value > 0.0 => None,
                    trigger => trigger.point(),
                };
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

    /// Notes that an event is at the maximum height, which then moves with the event.
    pub fn note(&mut self, event: &Event) {
        if let Wanted::Height(Some((_, place))) = self
            && event.time() - place.time <= Rounding::tick(event.time())
        {
            *place = GoalPlace { time: event.time(), kind: Some(event.kind), before: false };
        }
    }
}

/// Events of a run, and the search made on it.
pub(crate) struct Search {
    pub trace: Trace,
    pub wanted: Vec<Wanted>,
    pub crossings: Vec<Crossing>,
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

/// Updates a maximum over a stretch: parts whose bounds exceed it are halved, the longest first. A gain of less than
/// [`AGAIN`] over earlier stretches is an error of the run, and no new maximum.
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
