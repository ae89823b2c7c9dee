//! Numbers that a run is aimed at.

use supervisor::EventKind;

use crate::gragg::Precision;
use crate::sensitivities::sweep_into;
use crate::{
    EventSensitivity, Family, FamilyError, Mark, Model, Observation, Runs, Sensitivities, SweepError, Trace, TraceError,
};

/// When a number is read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// The n-th time (from 1) that the ball touches the ground after flight.
    Impact(usize),
    /// The n-th event of a kind.
    Event(EventKind, usize),
    /// A time, s.
    Time(f64),
    /// The first time that x (axis 0) or y (axis 1) has a value, m.
    Passing(usize, f64),
    /// The end of the run.
    End,
}

/// What is read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// s
    Time,
    /// `x, y, vx, vy, ω, φ` by index (m, m/s, rad/s, rad).
    State(usize),
    /// `‖v‖`, m/s.
    Speed,
}

/// A number of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// At a moment; of an event just after it, or `before`.
    At {
        /// What.
        component: Component,
        /// When.
        moment: Moment,
        /// Just before the event.
        before: bool,
    },
    /// The greatest y of the centre, m.
    Height,
    /// The greatest λ between impacts, N; it has no derivatives here.
    NormalForce,
}

/// A quantity of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Its value.
    pub value: f64,
    /// When it was read off, s.
    pub time: f64,
    /// Its derivatives by each parameter; none of [`Quantity::NormalForce`].
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
    #[error("{} until its end at t = {end:?} s", lacking(*found, *asked))]
    Events {
        /// So many were asked for.
        asked: usize,
        /// So many there are.
        found: usize,
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

/// Times at which a run is looked at for passings and extremes.
const GRID: usize = 1000;
/// Parts of a stretch around an extreme that is looked at more closely, and how often.
const ZOOM: (usize, u32) = (16, 4);

/// Reads quantities off the run of `values`. Without `derivatives` it is much faster. Passings and extremes are looked for
/// at a thousandth of the run, then met to rounding. Values are good to some 1e-12, derivatives to 1e-8 of their size.
pub fn read<E>(
    quantities: &[Quantity],
    values: &[f64],
    build: impl Fn(&[f64]) -> Result<Model, E>,
    runs: &Runs,
    derivatives: bool,
) -> Result<Vec<Reading>, GoalError<E>> {
    let family = if derivatives { Family::new(values, &build)? } else { Family::new(&[], |_| build(values))? };
    let trace = Trace::of(family.base(), runs.options, runs.tolerance)?;
    let run = Run { family: &family, trace: &trace };
    let looks = |q: &Quantity| match q {
        Quantity::At { moment, .. } => matches!(moment, Moment::Passing(..)),
        Quantity::Height | Quantity::NormalForce => true,
    };
    let shape = if quantities.iter().any(looks) { run.shape()? } else { Vec::new() };
    let places = quantities.iter().map(|q| run.place(q, &shape)).collect::<Result<Vec<_>, _>>()?;
    let mut times: Vec<f64> = places.iter().filter(|p| p.kind.is_none()).map(|p| p.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut found = Sensitivities::default();
    let failed = sweep_into(&mut found, &family, family.parameters(), Precision::SEARCH, &trace, &times).err();
    let read = |(quantity, place): (&Quantity, &Place)| {
        reading(quantity, place, &found).ok_or_else(|| match failed {
            Some(error) => error.into(),
            None => GoalError::Never { end: trace.end },
        })
    };
    quantities.iter().zip(&places).map(read).collect()
}

/// Where in a run a quantity is found: at an event of this kind, or at a time alone.
#[derive(Clone, Copy, Debug)]
struct Place {
    time: f64,
    kind: Option<EventKind>,
    before: bool,
}

impl Place {
    fn at(time: f64) -> Self {
        Place { time, kind: None, before: false }
    }
}

/// A run looked at from its start to its end.
struct Seen {
    ball: Observation,
    place: Place,
}

struct Run<'a> {
    family: &'a Family,
    trace: &'a Trace,
}

impl Run<'_> {
    /// States at some times, as far as the run can be followed, and its events.
    fn look(&self, times: &[f64]) -> Result<Sensitivities, SweepError> {
        let mut found = Sensitivities::default();
        match sweep_into(&mut found, self.family, 0, Precision::SEARCH, self.trace, times) {
            Err(error) if found.samples.is_empty() => Err(error),
            _ => Ok(found),
        }
    }

    fn shape(&self) -> Result<Vec<Seen>, SweepError> {
        let grid: Vec<f64> = (0..=GRID).map(|i| self.trace.end * i as f64 / GRID as f64).collect();
        let Sensitivities { samples, events } = self.look(&grid)?;
        let mut seen = Vec::with_capacity(samples.len() + 2 * events.len());
        let mut events = events.into_iter().peekable();
        for ball in samples {
            while let Some(event) = events.next_if(|event| event.event.time() <= ball.time) {
                let EventSensitivity { event, before, after, .. } = event;
                let place = |before| Place { time: event.time(), kind: Some(event.kind), before };
                seen.push(Seen { ball: before, place: place(true) });
                seen.push(Seen { ball: after, place: place(false) });
            }
            seen.push(Seen { place: Place::at(ball.time), ball });
        }
        Ok(seen)
    }

    fn place<E>(&self, quantity: &Quantity, shape: &[Seen]) -> Result<Place, GoalError<E>> {
        let end = self.trace.end;
        let (moment, before) = match quantity {
            Quantity::At { moment, before, .. } => (*moment, *before),
            Quantity::Height => return self.level(self.highest(shape, |ball| ball.state[1], apex)?),
            Quantity::NormalForce => return self.highest(shape, |ball| ball.normal_force, |_| None),
        };
        match moment {
            Moment::Time(time) if 0.0 <= time && time <= end => Ok(Place::at(time)),
            Moment::Time(_) => Err(GoalError::Never { end }),
            Moment::End => Ok(Place::at(end)),
            Moment::Passing(axis, value) => self.passing(shape, axis, value),
            Moment::Impact(asked) => self.event(asked, before, |kind, ends_capture| {
                kind == EventKind::Impact || kind == EventKind::Landing && !ends_capture
            }),
            Moment::Event(own, asked) => self.event(asked, before, |kind, _| kind == own),
        }
    }

    /// The n-th event of some.
    fn event<E>(
        &self,
        asked: usize,
        before: bool,
        which: impl Fn(EventKind, bool) -> bool,
    ) -> Result<Place, GoalError<E>> {
        let (mut found, mut captured) = (0, false);
        for mark in &self.trace.marks {
            let Mark::Event(event) = mark else {
                captured = true;
                continue;
            };
            let ends_capture = std::mem::take(&mut captured);
            // A row that says again what the one before it did.
            let again = event.kind == EventKind::Rest && event.phase_before == event.phase_after;
            if again || !which(event.kind, ends_capture) {
                continue;
            }
            found += 1;
            if found == asked {
                return Ok(Place { time: event.time(), kind: Some(event.kind), before });
            }
        }
        Err(GoalError::Events { asked, found, end: self.trace.end })
    }

    /// The first time that a coordinate has a value: Newton's method between two looks.
    fn passing<E>(&self, shape: &[Seen], axis: usize, value: f64) -> Result<Place, GoalError<E>> {
        let off = |ball: &Observation| ball.state[axis] - value;
        let passes = |pair: &&[Seen]| {
            let (a, b) = (off(&pair[0].ball), off(&pair[1].ball));
            a != 0.0 && (b == 0.0 || (a < 0.0) != (b < 0.0))
        };
        let pair = shape.windows(2).find(passes).ok_or(GoalError::Never { end: self.trace.end })?;
        let rises = off(&pair[0].ball) < 0.0;
        let (mut low, mut high) = (pair[0].place.time, pair[1].place.time);
        let mut time = 0.5 * (low + high);
        for _ in 0..60 {
            let found = self.look(&[time])?;
            let Some(ball) = found.samples.first() else { break };
            if (off(ball) < 0.0) == rises {
                low = time
            } else {
                high = time
            }
            let next = time - off(ball) / ball.rates[axis];
            let next = if low < next && next < high { next } else { 0.5 * (low + high) };
            let settled = (next - time).abs() <= 1e-15 * high;
            time = next;
            if settled {
                break;
            }
        }
        Ok(Place::at(time))
    }

    /// Where something is greatest, for the first time. `between` tells how much more it is between two looks, if more.
    fn highest<E>(
        &self,
        shape: &[Seen],
        of: impl Fn(&Observation) -> f64,
        between: impl Fn(&[Seen]) -> Option<f64>,
    ) -> Result<Place, GoalError<E>> {
        let end = self.trace.end;
        let top = |seen: &[f64]| (0..seen.len()).rev().max_by(|i, j| seen[*i].total_cmp(&seen[*j]));
        let mut heights: Vec<f64> = shape.iter().map(|seen| of(&seen.ball)).collect();
        for (i, pair) in shape.windows(2).enumerate() {
            heights[i] = between(pair).map_or(heights[i], |more| heights[i].max(more));
        }
        let best = top(&heights).ok_or(GoalError::Never { end })?;
        let time = |i: usize| shape[i.min(shape.len() - 1)].place.time;
        let (mut low, mut high) = (time(best.saturating_sub(1)), time(best + 1));
        let (parts, times) = ZOOM;
        let mut found = (of(&shape[best].ball), shape[best].place);
        for _ in 0..times {
            let looks: Vec<f64> = (0..=parts).map(|i| low + (high - low) * i as f64 / parts as f64).collect();
            let seen: Vec<f64> = self.look(&looks)?.samples.iter().map(&of).collect();
            let Some(i) = top(&seen) else { break };
            if seen[i] > found.0 {
                found = (seen[i], Place::at(looks[i]));
            }
            (low, high) = (looks[i.saturating_sub(1)], looks[(i + 1).min(parts)]);
        }
        Ok(found.1)
    }

    /// The top of the path near a place: where `vy = 0`, for derivatives know its time less than its height.
    fn level<E>(&self, near: Place) -> Result<Place, GoalError<E>> {
        let mut place = near;
        for _ in 0..4 {
            if place.kind.is_some() {
                break;
            }
            let found = self.look(&[place.time])?;
            let Some(Observation { state, rates, .. }) = found.samples.first() else { break };
            let time = place.time - state[3] / rates[3];
            if !((time - near.time).abs() <= 1e-6 * self.trace.end && 0.0 <= time && time <= self.trace.end) {
                break;
            }
            place = Place::at(time);
        }
        Ok(place)
    }
}

/// The height between two looks of which one goes up and the other down, by the cubic through them.
fn apex(pair: &[Seen]) -> Option<f64> {
    let [a, b] = [&pair[0], &pair[1]].map(|seen| (seen.place.time, seen.ball.state[1], seen.ball.state[3]));
    let span = b.0 - a.0;
    if !(span > 0.0 && a.2 > 0.0 && b.2 < 0.0) {
        return None;
    }
    // y = y₀ + h (v₀ u + c u² + d u³), 0 < u < 1
    let rise = (b.1 - a.1) / span;
    let (c, d) = (3.0 * rise - 2.0 * a.2 - b.2, a.2 + b.2 - 2.0 * rise);
    let u = a.2 / ((c * c - 3.0 * a.2 * d).max(0.0).sqrt() - c);
    Some(a.1 + span * u * (a.2 + u * (c + u * d))).filter(|y| y.is_finite())
}

/// The quantity at its place, with derivatives if the sweep has some.
fn reading(quantity: &Quantity, place: &Place, found: &Sensitivities) -> Option<Reading> {
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
        Quantity::NormalForce => return Some(Reading { value: ball.normal_force, time: ball.time, by: Vec::new() }),
    };
    let (value, by) = match component {
        Component::Time => (ball.time, parameters.map(delay).collect()),
        Component::State(i) => (ball.state[i], parameters.map(|j| total(j, i)).collect()),
        Component::Speed => {
            let [_, _, vx, vy, ..] = ball.state;
            let speed = vx.hypot(vy);
            (speed, parameters.map(|j| (vx * total(j, 2) + vy * total(j, 3)) / speed).collect())
        }
    };
    Some(Reading { value, time: ball.time, by })
}
