//! What is marched: Moreau's balls, or Kern's ball.

use mechanics::State;
use moreau::{Anomalies, BallContact, BallStep, Balls, Energy, Evaluations, KernState, Projected, Regime, StepError};
use nalgebra::Vector2;

use super::setup::Vertical;
use crate::scenario::Scenario;

/// A scheme as a run sees it.
pub(crate) trait Scheme {
    fn len(&self) -> usize;
    fn index(&self) -> u64;
    fn time(&self) -> f64;
    fn step(&mut self) -> Result<BallStep, StepError>;
    fn state(&self, ball: usize) -> State;
    fn energy(&self, ball: usize) -> Energy;
    /// Closed contacts of the last step.
    fn contacts(&self) -> &[BallContact];
    /// Between a ball and the ground, m; `None` behind it, past its end.
    fn gap(&self, ball: usize) -> Option<f64>;
    fn evaluations(&self) -> Evaluations;
    fn projected(&self) -> Projected {
        Projected::default()
    }
    fn anomalies(&self) -> Anomalies {
        Anomalies::default()
    }
    fn neighbour_lists(&self) -> u64 {
        0
    }
}

impl Scheme for Balls {
    fn len(&self) -> usize {
        Balls::len(self)
    }
    fn index(&self) -> u64 {
        Balls::index(self)
    }
    fn time(&self) -> f64 {
        Balls::time(self)
    }
    fn step(&mut self) -> Result<BallStep, StepError> {
        Balls::step(self)
    }
    fn state(&self, ball: usize) -> State {
        Balls::state(self, ball)
    }
    fn energy(&self, ball: usize) -> Energy {
        self.energy_of(ball)
    }
    fn contacts(&self) -> &[BallContact] {
        Balls::contacts(self)
    }
    fn gap(&self, ball: usize) -> Option<f64> {
        Balls::gap(self, ball)
    }
    fn projected(&self) -> Projected {
        Balls::projected(self)
    }
    fn anomalies(&self) -> Anomalies {
        Balls::anomalies(self)
    }
    fn neighbour_lists(&self) -> u64 {
        Balls::neighbour_lists(self)
    }
    fn evaluations(&self) -> Evaluations {
        Balls::evaluations(self)
    }
}

/// Kern's scheme as a ball in the plane.
pub(crate) struct Upright {
    scheme: Vertical,
    now: KernState,
    x: f64,
    /// By how much gravity pulls, N.
    weight: f64,
    spin: f64,
    energy: Energy,
    contact: Vec<BallContact>,
}

impl Upright {
    pub fn new(scenario: &Scenario, scheme: Vertical) -> Result<Self, String> {
        let entrant =
            scenario.stepping.as_ref().and_then(|stepping| stepping.balls.first()).ok_or("there is no ball")?;
        let state = entrant.state();
        let start = scheme.kern.start((state.position.y - scheme.level).max(0.0), state.velocity.y);
        let now = start.map_err(|error| error.to_string())?;
        let weight = -entrant.ball.mass() * entrant.forces.gravity_vector().y;
        let mut ball = Upright {
            scheme,
            now,
            x: state.position.x,
            weight,
            spin: state.spin,
            energy: Energy::default(),
            contact: Vec::new(),
        };
        ball.store();
        ball.energy.initial = ball.energy.total();
        Ok(ball)
    }

    fn store(&mut self) {
        self.energy.kinetic = 0.5 * self.scheme.kern.mass() * self.now.velocity * self.now.velocity;
        self.energy.potential = self.weight * (self.scheme.level + self.now.position);
    }
}

impl Scheme for Upright {
    fn len(&self) -> usize {
        1
    }
    fn index(&self) -> u64 {
        self.now.index
    }
    fn time(&self) -> f64 {
        self.scheme.kern.time(&self.now)
    }
    fn step(&mut self) -> Result<BallStep, StepError> {
        let before = self.now;
        let step = self.scheme.kern.step(&before)?;
        self.now = step.state;
        let mean = 0.5 * (before.velocity + self.now.velocity);
        self.energy.normal += step.reaction * mean;
        self.energy.external += (step.external + self.scheme.kern.step_size() * self.weight) * mean;
        self.store();
        self.contact.clear();
        if self.now.position <= 0.0 {
            self.contact.push(BallContact {
                ball: 0,
                other: None,
                gap: self.now.position,
                normal: Vector2::new(0.0, 1.0),
                normal_impulse: step.reaction,
                tangential_impulse: 0.0,
                normal_velocity: [before.velocity, self.now.velocity],
                slip: [0.0; 2],
                // As without friction.
                regime: if step.reaction > 0.0 { Regime::SlidingForward } else { Regime::Separating },
            });
        }
        Ok(BallStep { contacts: self.contact.len(), sweeps: 0, projections: 0 })
    }
    fn state(&self, _: usize) -> State {
        State {
            time: self.time(),
            position: Vector2::new(self.x, self.scheme.level + self.now.position),
            velocity: Vector2::new(0.0, self.now.velocity),
            angle: 0.0,
            spin: self.spin,
            dissipated: -self.energy.normal,
            work: self.energy.external,
        }
    }
    fn energy(&self, _: usize) -> Energy {
        self.energy
    }
    fn contacts(&self) -> &[BallContact] {
        &self.contact
    }
    fn gap(&self, _: usize) -> Option<f64> {
        Some(self.now.position)
    }
    fn evaluations(&self) -> Evaluations {
        Evaluations { forces: self.now.index, ground: self.now.index }
    }
}
