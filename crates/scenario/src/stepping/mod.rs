//! Runs one ball or many by time stepping ([`run_stepping`]).

mod balance;
mod balls_event_by_event;
mod detect;
mod mode_at_step_end;
mod observer;
mod scheme;
mod setup;

use std::collections::VecDeque;

use mechanics::State;
use moreau::{Audit, BallStep, ByScheme, Energy, Evaluations, StepError};
use supervisor::{Balance, EventKind, Phase};

use crate::scenario::Scenario;
use crate::settings::SteppingKind;
use detect::PhaseDetector;
use mode_at_step_end::{Pushes, StepEnd};
use scheme::{BallScheme, KernScheme, ReleasedBalls};

pub use mode_at_step_end::Penetration;
pub use moreau::{Executor, InTurn, Island};
pub use observer::{BallEvent, BallLeg, BallObserver, BallSample, ContactSample, Forces};

/// Reason why a run by time stepping ended early.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SteppingStop {
    /// A step could not be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An event-driven run of balls failed.
    #[error(transparent)]
    Events(#[from] collisions::CollisionStop),
    /// The scenario does not suit time stepping, or the method.
    #[error("{0}")]
    Unfit(String),
    /// The maximum number of steps was reached.
    #[error("the limit of {limit} steps was reached at t = {time:?} s")]
    Limit {
        /// Time, s.
        time: f64,
        /// Maximum number of steps.
        limit: u64,
    },
    /// The observer ended it.
    #[error("ended at t = {time:?} s, as it was asked to; what was computed until then is kept")]
    Asked {
        /// Time, s.
        time: f64,
    },
    /// A ball went through the ground.
    #[error(
        "ball {} is on the far side of the ground at t = {time:?} s, its gap {gap:.3e} m: a smaller `step` may keep it out",
        ball + 1
    )]
    Through {
        /// Time, s.
        time: f64,
        /// Index of the ball.
        ball: usize,
        /// Gap, m.
        gap: f64,
    },
}

/// Counts of steps, contacts and events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteppingCount {
    /// Steps.
    pub steps: u64,
    /// Contacts predicted as closed, in all steps.
    pub contacts: u64,
    /// Largest number of closed contacts in one step.
    pub most_contacts: usize,
    /// Steps with contacts that share balls.
    pub coupled: u64,
    /// Sweeps of the solver over these contacts (Lemke: pivots).
    pub sweeps: u64,
    /// Largest number of sweeps in one step.
    pub most_sweeps: usize,
    /// Constructions of the list of neighbours.
    pub neighbour_lists: u64,
    /// Evaluations of forces and ground.
    pub evaluations: Evaluations,
    /// Impacts, one per contact.
    pub impacts: u64,
    /// Landings.
    pub landings: u64,
    /// Lift-offs.
    pub lift_offs: u64,
    /// Slips, sticks and rests.
    pub changes: u64,
}

impl SteppingCount {
    /// Events of all kinds.
    pub fn events(&self) -> u64 {
        self.impacts + self.landings + self.lift_offs + self.changes
    }

    fn step(&mut self, step: &BallStep) {
        self.contacts += step.contacts as u64;
        self.most_contacts = self.most_contacts.max(step.contacts);
        self.coupled += u64::from(step.sweeps > 0);
        self.sweeps += step.sweeps as u64;
        self.most_sweeps = self.most_sweeps.max(step.sweeps);
    }

    fn add(&mut self, kind: EventKind) {
        match kind {
            EventKind::Impact | EventKind::Touch => self.impacts += 1,
            EventKind::Landing => self.landings += 1,
            EventKind::LiftOff | EventKind::EndOfGround | EventKind::Release => self.lift_offs += 1,
            EventKind::Slip | EventKind::Stick | EventKind::Rest => self.changes += 1,
            // Only reported by event-driven runs.
            _ => {}
        }
    }
}

/// Summary of a run by time stepping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SteppingSummary {
    /// Reason why it ended early; `None`: it reached its end.
    pub stop: Option<SteppingStop>,
    /// States of the balls at the end.
    pub states: Vec<State>,
    /// Phases of the balls at the end.
    pub phases: Vec<Phase>,
    /// Energy ledger of all balls at the start.
    pub energy_start: Energy,
    /// Energy ledger of all balls at the end.
    pub energy_end: Energy,
    /// Largest kinetic energy of the balls at output rows, J.
    pub kinetic: f64,
    /// Largest energy added or removed by scheme and projection up to any output row, J.
    pub leak: f64,
    /// The deepest penetration at the end of a step, if any.
    pub deepest: Option<Penetration>,
    /// Residuals of contacts, energy added by them, projections; in event-driven runs those of balls handed over to
    /// time stepping.
    pub audit: Audit,
    /// Largest residuals of place, momentum and spin in steps with events; reported, they end no run.
    pub balance: Balance,
    /// Counts of steps, contacts and events.
    pub count: SteppingCount,
    /// Indices of balls that were not released.
    pub waiting: Vec<usize>,
    /// Counts of an event-driven run.
    pub collisions: Option<collisions::CollisionCount>,
}

/// Runs a scenario by time stepping, reporting to `observer`.
pub fn run_stepping(scenario: &Scenario, observer: &mut impl BallObserver) -> SteppingSummary {
    if scenario.is_by_events() {
        return balls_event_by_event::run_events(scenario, observer);
    }
    match scheme(scenario) {
        Ok(mut scheme) => march(scenario, &mut *scheme, observer),
        Err(why) => SteppingSummary::unfit(why),
    }
}

/// Makes the steps of a run without any output, for timing; returns whether all succeeded.
pub fn steps_alone(scenario: &Scenario) -> bool {
    if scenario.is_by_events() {
        let end = scenario.start.time() + scenario.solver.duration;
        return scenario.collisions().is_ok_and(|mut balls| balls.advance(end, &mut |_| ()).is_ok());
    }
    let total = steps(scenario.solver.duration, scenario.step());
    scheme(scenario).is_ok_and(|mut scheme| (0..total).all(|_| !scenario.scene.is_ended() && scheme.step().is_ok()))
}

/// The scheme at its start, or the reason why the scenario does not suit it.
fn scheme(scenario: &Scenario) -> Result<Box<dyn BallScheme>, String> {
    match scenario.stepping.as_ref().map(|stepping| stepping.method.kind) {
        Some(SteppingKind::Moreau) => released_balls(scenario, None),
        Some(SteppingKind::Own(name)) => {
            let scheme = scenario.methods.stepping(name, scenario.step());
            let scheme = scheme.ok_or_else(|| format!("no scheme of time stepping has the name \"{name}\""))?;
            released_balls(scenario, Some(ByScheme::new(scheme)))
        }
        Some(SteppingKind::Kern) => Ok(Box::new(KernScheme::new(scenario, scenario.vertical()?)?)),
        Some(SteppingKind::Events) | None => Err("the scenario is for an event-driven run".to_owned()),
    }
}

fn released_balls(scenario: &Scenario, own: Option<ByScheme>) -> Result<Box<dyn BallScheme>, String> {
    Ok(Box::new(ReleasedBalls::new(scenario, own).map_err(|error| error.to_string())?))
}

/// Number of steps of a run; the last one may exceed the duration.
pub fn steps(duration: f64, step: f64) -> u64 {
    let ratio = duration / step;
    let whole = ratio.round();
    if (ratio - whole).abs() <= 1e-9 * whole { whole as u64 } else { ratio.ceil() as u64 }
}

/// Whether an output row is written at the end of step `index`, the nearest to a multiple of the interval.
fn has_row(scenario: &Scenario, index: u64) -> bool {
    let steps = scenario.interval / scenario.step();
    index == 0 || steps <= 1.0 || ((index as f64 / steps).round() * steps).round() == index as f64
}

impl SteppingSummary {
    fn unfit(why: String) -> Self {
        SteppingSummary { stop: Some(SteppingStop::Unfit(why)), ..SteppingSummary::default() }
    }

    fn sinks(&mut self, new: Penetration) {
        if self.deepest.is_none_or(|old| new.depth > old.depth) {
            self.deepest = Some(new);
        }
    }
}

/// Steps made but not reported yet: the following steps decide which contacts persist.
struct StepsAhead<'a> {
    scenario: &'a Scenario,
    scheme: &'a mut dyn BallScheme,
    frames: VecDeque<StepEnd>,
    spare: Vec<StepEnd>,
    /// Largest speed of each ball, m/s.
    fastest: Vec<f64>,
}

impl StepsAhead<'_> {
    /// Makes steps until `most` are ahead of `at`, or the run ends.
    fn fill(&mut self, at: &StepEnd, most: usize, summary: &mut SteppingSummary) {
        let Scenario { solver, .. } = self.scenario;
        let total = steps(solver.duration, self.scenario.step());
        while summary.stop.is_none() && self.frames.len() < most {
            let last = self.frames.back().unwrap_or(at);
            if last.index >= total {
                break;
            }
            if last.index >= solver.limit {
                summary.stop = Some(SteppingStop::Limit { time: last.time, limit: solver.limit });
                break;
            }
            let step = match self.scheme.step() {
                Ok(step) => step,
                Err(error) => {
                    summary.stop = Some(error.into());
                    break;
                }
            };
            summary.count.step(&step);
            let mut frame = self.spare.pop().unwrap_or_default();
            frame.projected = step.projections > 0;
            frame.fill_from(|frame| self.scheme.write(frame), last, self.scenario);
            let known = summary.deepest.map_or(0.0, |deepest| deepest.depth);
            frame.deepest(last, self.scenario, known).into_iter().for_each(|new| summary.sinks(new));
            for (fastest, state) in self.fastest.iter_mut().zip(&frame.states) {
                *fastest = fastest.max(state.velocity.norm());
            }
            if has_row(self.scenario, frame.index) || frame.index == total {
                self.measure(frame.time, summary);
            }
            self.frames.push_back(frame);
        }
    }

    /// Measures each ball's gap to the ground, in contact or not, and stops the run if a ball went through: deeper than
    /// its radius and its displacement in two steps (16 for a point).
    fn measure(&self, time: f64, summary: &mut SteppingSummary) {
        let balls = self.scenario.ball_setups().iter().enumerate();
        for (ball, ball_setup) in balls {
            let gap = self.scheme.gap(ball);
            if !(gap < 0.0) {
                continue;
            }
            summary.sinks(Penetration { depth: -gap, time, ball, other: None });
            // A point is below the ground at any depth, and has more room.
            let radius = ball_setup.ball.radius();
            let steps = if radius > 0.0 { 2.0 } else { 16.0 };
            let allowed = radius + steps * (self.fastest[ball] * self.scenario.step());
            if summary.stop.is_none() && -gap > allowed {
                summary.stop = Some(SteppingStop::Through { time, ball, gap });
            }
        }
    }
}

fn march(scenario: &Scenario, scheme: &mut dyn BallScheme, observer: &mut impl BallObserver) -> SteppingSummary {
    let [mut before, mut at] = [(); 2].map(|()| StepEnd::default());
    let mut summary = SteppingSummary::default();
    at.fill_from(|frame| scheme.write(frame), &before, scenario);
    let energy_start = at.energy();
    let balls = at.states.len();
    // Impulses of contacts in the last step, and since the last row.
    let [mut last, mut since] = [(); 2].map(|()| vec![Pushes::default(); balls]);
    let mut row = at.time;
    let mut detector = PhaseDetector::new(scenario);
    let (frames, spare) = (VecDeque::with_capacity(detector.look_ahead), Vec::new());
    let mut ahead = StepsAhead { scenario, scheme, frames, spare, fastest: vec![0.0; balls] };
    // Balls with events in the step.
    let mut met: Vec<usize> = Vec::new();
    loop {
        ahead.fill(&at, detector.look_ahead, &mut summary);
        let SteppingSummary { stop, count, balance, kinetic, leak, .. } = &mut summary;
        if at.index == 0 {
            detector.begin(&mut at, &ahead.frames);
        } else {
            detector.detect(&before, &mut at, &ahead.frames, &mut |event| {
                count.add(event.event.kind);
                met.extend([Some(event.ball), event.other].into_iter().flatten());
                observer.event(event);
            });
            if let Some(theta) = ahead.scheme.theta() {
                balance::record(balance, scenario, theta, [&before, &at], &met);
            }
            met.clear();
        }
        at.pushes(&before, &mut since);
        if has_row(scenario, at.index) || ahead.frames.is_empty() {
            last.fill(Pushes::default());
            at.pushes(&before, &mut last);
            for ball in 0..balls {
                let pushes = [last[ball], std::mem::take(&mut since[ball])];
                observer.sample(&at.sample(&before, ball, row, pushes));
            }
            row = at.time;
            let energy = at.energy();
            *kinetic = kinetic.max(energy.kinetic);
            *leak = leak.max(energy.numerical().abs() + energy.projection.abs());
            if scenario.contacts {
                at.contact_samples(&before, scenario).for_each(|contact| observer.contact(&contact));
            }
        }
        let newest = ahead.frames.back().unwrap_or(&at);
        if at.index.is_multiple_of(64) || balls > 1 {
            observer.progress(at.time);
            if stop.is_none() && (observer.ends() || scenario.scene.is_ended()) {
                *stop = Some(SteppingStop::Asked { time: newest.time });
            }
        }
        count.steps = newest.index;
        let Some(next) = ahead.frames.pop_front() else { break };
        ahead.spare.push(std::mem::replace(&mut before, std::mem::replace(&mut at, next)));
    }
    ahead.scheme.count(&mut summary);
    SteppingSummary { energy_start, energy_end: at.energy(), states: at.states, phases: at.phases, ..summary }
}
