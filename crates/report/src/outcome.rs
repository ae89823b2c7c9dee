//! [`Outcome`]: summary of a run, event-driven or by time stepping.

use mechanics::{Energy, State};
use scenario::Scenario;
use scenario::stepping::{SteppingStop, SteppingSummary};
use supervisor::{Balance, Phase, Scene, Stop, Summary};

/// Summary of a run.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Event-driven.
    Events(Summary),
    /// By time stepping.
    Steps(SteppingSummary),
}

impl Outcome {
    /// Reason why it ended early; `None`: it reached its end.
    pub fn stop(&self, scenario: &Scenario) -> Option<String> {
        match self {
            Outcome::Events(summary) => {
                let name = |watch: usize| scenario.watches.get(watch).map(|watch| &*watch.name);
                summary.stop.map(|stop| match stop {
                    Stop::Observer { time } => SteppingStop::Asked { time }.to_string(),
                    stop => stop.told(name),
                })
            }
            Outcome::Steps(summary) => summary.stop.as_ref().map(ToString::to_string),
        }
    }

    /// Whether it reached its limit of steps and events.
    pub fn met_limit(&self) -> bool {
        match self {
            Outcome::Events(summary) => matches!(summary.stop, Some(Stop::Limit { .. })),
            Outcome::Steps(summary) => matches!(
                summary.stop,
                Some(SteppingStop::Limit { .. } | SteppingStop::Events(collisions::CollisionStop::Limit { .. }))
            ),
        }
    }

    /// States and phases of the balls at the end, in the frame at rest.
    pub fn states(&self, scene: &Scene) -> Vec<(State, Phase)> {
        match self {
            Outcome::Events(summary) => vec![(scene.world(&summary.state), summary.phase)],
            Outcome::Steps(summary) => summary.states.iter().copied().zip(summary.phases.iter().copied()).collect(),
        }
    }

    /// Time at which it ended, s.
    pub fn end(&self) -> f64 {
        match self {
            Outcome::Events(summary) => summary.state.time,
            Outcome::Steps(summary) => summary.states.first().map_or(f64::NAN, |state| state.time),
        }
    }

    /// Energy ledger of all balls at the start and at the end.
    pub fn energies(&self) -> [Energy; 2] {
        match self {
            Outcome::Events(summary) => [summary.energy_start, summary.energy_end],
            Outcome::Steps(summary) => [summary.energy_start.into(), summary.energy_end.into()],
        }
    }

    /// Energy error, J; in time stepping the energy added by the scheme.
    pub fn unexplained(&self) -> f64 {
        match self {
            Outcome::Events(summary) => summary.unexplained(),
            Outcome::Steps(summary) => summary.energy_end.numerical(),
        }
    }

    /// Residuals of the balance at events.
    pub fn balance(&self) -> &Balance {
        match self {
            Outcome::Events(summary) => &summary.count.balance,
            Outcome::Steps(summary) => &summary.balance,
        }
    }
}
