//! [`BallScheme`]: time stepping of balls by Moreau's scheme or the caller's, or of one ball by Kern's.

use std::collections::VecDeque;

use mechanics::State;
use moreau::{BallContact, BallStep, Balls, Body, ByScheme, Energy, Evaluations, KernState, Regime, StepError};
use nalgebra::Vector2;

use super::SteppingSummary;
use super::mode_at_step_end::StepEnd;
use super::setup::Vertical;
use crate::scenario::Scenario;

/// A scheme of time stepping, as used by a run.
pub(crate) trait BallScheme {
    fn step(&mut self) -> Result<BallStep, StepError>;
    /// Writes the balls and the closed contacts of the last step.
    fn write(&self, frame: &mut StepEnd);
    /// Gap between a ball and the ground, m.
    fn gap(&self, ball: usize) -> f64;
    /// Writes the scheme's own counts.
    fn count(&self, summary: &mut SteppingSummary);
    /// Weights θ of the end of a step, for the velocity that moves the balls and for the force; `None`: unknown.
    fn theta(&self) -> Option<[f64; 2]>;
}

/// Balls, and those not released yet, in the order of their release.
pub(crate) struct ReleasedBalls {
    balls: Balls,
    later: VecDeque<(Body, f64)>,
    /// The caller's scheme; `None`: Moreau's.
    own: Option<ByScheme>,
}

impl ReleasedBalls {
    /// The balls of a scenario.
    pub fn new(scenario: &Scenario, own: Option<ByScheme>) -> Result<Self, moreau::InputError> {
        let bodies = scenario.bodies().into_iter().zip(scenario.releases());
        let later = bodies.filter(|(_, release)| *release > 0.0).collect();
        Ok(ReleasedBalls { balls: scenario.balls()?, later, own })
    }
}

impl BallScheme for ReleasedBalls {
    /// Releases balls and makes a step. A ball whose place is occupied waits for the next step, with those after it.
    fn step(&mut self) -> Result<BallStep, StepError> {
        while let Some((body, release)) = self.later.front()
            && *release <= self.balls.time() * (1.0 + 1e-12)
            && self.balls.add(body.clone()).is_ok()
        {
            self.later.pop_front();
        }
        match &mut self.own {
            Some(own) => own.step(&mut self.balls),
            None => self.balls.step(),
        }
    }
    fn write(&self, frame: &mut StepEnd) {
        let ReleasedBalls { balls, later, .. } = self;
        (frame.index, frame.time) = (balls.index(), balls.time());
        frame.states.extend((0..balls.len()).map(|ball| balls.state(ball)));
        frame.accounts.extend((0..balls.len()).map(|ball| balls.energy_of(ball)));
        frame.contacts.extend_from_slice(balls.contacts());
        // Waiting balls have their start states.
        frame.states.extend(later.iter().map(|(body, _)| State { time: balls.time(), ..body.start }));
        frame.accounts.extend(later.iter().map(|(body, _)| {
            let kinetic = body.ball.kinetic_energy(body.start.velocity, body.start.spin);
            let potential = -body.ball.mass() * body.forces.gravity_vector().dot(&body.start.position);
            Energy { kinetic, potential, initial: kinetic + potential, ..Energy::default() }
        }));
    }
    fn gap(&self, ball: usize) -> f64 {
        if ball < self.balls.len() { self.balls.gap(ball) } else { f64::INFINITY }
    }
    fn count(&self, summary: &mut SteppingSummary) {
        let balls = &self.balls;
        summary.audit = *balls.audit();
        summary.waiting = (balls.len()..balls.len() + self.later.len()).collect();
        (summary.count.neighbour_lists, summary.count.evaluations) = (balls.neighbour_lists(), balls.evaluations());
    }
    fn theta(&self) -> Option<[f64; 2]> {
        self.own.is_none().then_some([self.balls.settings().theta; 2])
    }
}

/// Kern's scheme as a ball in the plane.
pub(crate) struct KernScheme {
    scheme: Vertical,
    now: KernState,
    x: f64,
    /// Weight, N.
    weight: f64,
    spin: f64,
    energy: Energy,
    contact: Vec<BallContact>,
}

impl KernScheme {
    pub fn new(scenario: &Scenario, scheme: Vertical) -> Result<Self, String> {
        let ball_setup = scenario.ball_setups().first().ok_or("there is no ball")?;
        let state = ball_setup.state();
        let start = scheme.kern.start((state.position.y - scheme.level).max(0.0), state.velocity.y);
        let now = start.map_err(|error| error.to_string())?;
        let weight = -ball_setup.ball.mass() * ball_setup.forces.gravity_vector().y;
        let mut ball = KernScheme {
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

impl BallScheme for KernScheme {
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
                // Without friction every contact slides.
                regime: if step.reaction > 0.0 { Regime::SlidingForward } else { Regime::Separating },
                force: None,
            });
        }
        Ok(BallStep { contacts: self.contact.len(), ..BallStep::default() })
    }
    fn write(&self, frame: &mut StepEnd) {
        (frame.index, frame.time) = (self.now.index, self.scheme.kern.time(&self.now));
        frame.states.push(State {
            time: frame.time,
            position: Vector2::new(self.x, self.scheme.level + self.now.position),
            velocity: Vector2::new(0.0, self.now.velocity),
            angle: 0.0,
            spin: self.spin,
            dissipated: -self.energy.normal,
            work: self.energy.external,
        });
        frame.accounts.push(self.energy);
        frame.contacts.extend_from_slice(&self.contact);
    }
    fn gap(&self, _: usize) -> f64 {
        self.now.position
    }
    fn count(&self, summary: &mut SteppingSummary) {
        summary.count.evaluations = Evaluations { forces: self.now.index, ground: self.now.index };
    }
    fn theta(&self) -> Option<[f64; 2]> {
        Some([0.0, 1.0])
    }
}
