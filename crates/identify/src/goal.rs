//! Numbers that a run is aimed at.

use std::collections::BTreeMap;

use nalgebra::Vector2;
use supervisor::{Crossing, EventKind, Jump, Jumps, Moment, Scene, Tally};

use crate::gragg::Precision;
use crate::quantity::{Component, OfJump, Quantity};
use crate::search::{Place, Search, Wanted};
use crate::sensitivities::sweep_into;
use crate::trace::{self, Mark, Trace, TraceError};
use crate::{Family, FamilyError, Model, Observation, Runs, Sensitivities, SweepError};

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
    runs: &Runs,
    derivatives: bool,
) -> Result<Vec<Reading>, GoalError<E>> {
    let family = if derivatives { Family::new(values, &build)? } else { Family::new(&[], |_| build(values))? };
    let mut search = Search::new(quantities);
    let summary = trace::run(family.base(), runs.options, runs.tolerance, runs.watching.clone(), &mut search)?;
    let trace = search.trace.finish(&summary)?;
    let run = Run { family: &family, trace: &trace, crossings: &search.crossings };
    let found = quantities.iter().zip(&search.wanted);
    let places = found.map(|(q, wanted)| run.place(q, wanted)).collect::<Result<Vec<_>, _>>()?;
    let mut times: Vec<f64> = places.iter().filter(|p| p.kind.is_none()).map(|p| p.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let last = places.iter().map(|place| place.time).fold(0.0, f64::max);
    let mut found = Sensitivities::default();
    let failed = sweep_into(&mut found, &family, family.parameters(), Precision::SEARCH, &trace, &times, last).err();
    let read = |(i, place): (usize, &Place)| {
        if let (Quantity::NormalForce, Some((value, Place { time, .. }))) = (quantities[i], search.wanted[i].greatest())
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

struct Run<'a> {
    family: &'a Family,
    trace: &'a Trace,
    crossings: &'a [Crossing],
}

impl Run<'_> {
    fn place<E>(&self, quantity: &Quantity, wanted: &Wanted) -> Result<Place, GoalError<E>> {
        let end = self.trace.end;
        let never = GoalError::Never { end };
        let Quantity::At { moment, before, .. } = *quantity else {
            if let Quantity::Jump(of, asked) = *quantity {
                let Jump { left, back } = self.jump(asked)?;
                let event = if let OfJump::LiftOff(_) | OfJump::Speed = of { left } else { back };
                return Ok(Place { time: event.time(), kind: Some(event.kind), before: false });
            }
            let (_, place) = wanted.greatest().ok_or(never)?;
            let smooth = *quantity == Quantity::Height && place.kind.is_none();
            // Where vy = 0: derivatives know the time of a top less than its height.
            return Ok(if smooth { Place::at(self.meet(place.time, 3, 0.0)?) } else { place });
        };
        match moment {
            Moment::Time(time) if 0.0 <= time && time <= end => Ok(Place::at(time)),
            Moment::Time(_) => Err(never),
            Moment::End => Ok(Place::at(end)),
            Moment::Watch(watch, which) => Ok(Place::at(self.crossing(watch, which)?.time())),
            Moment::Passing(axis, value) => {
                let Wanted::Passing { found: Some(time), .. } = *wanted else { return Err(never) };
                Ok(Place::at(self.meet(time, axis, value)?))
            }
            Moment::Impact(asked) | Moment::Event(_, asked) => self.event(moment, asked, before),
        }
    }

    /// The n-th event of some.
    fn event<E>(&self, moment: Moment, asked: usize, before: bool) -> Result<Place, GoalError<E>> {
        let mut tally = Tally::new(moment);
        let mut last = None;
        for mark in &self.trace.marks {
            match mark {
                Mark::Capture(_) => tally.capture(),
                Mark::Event(event) if tally.is(event) => {
                    // A row of rest after a landing at rest says again what that did.
                    let again = event.kind == EventKind::Rest && event.phase_before == event.phase_after;
                    let (kind, before) = if again { (last, false) } else { (Some(event.kind), before) };
                    return Ok(Place { time: event.time(), kind, before });
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
fn reading(scene: &Scene, quantity: &Quantity, place: &Place, found: &Sensitivities) -> Option<Reading> {
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
