//! [`BallObserver`]: receives events and rows of runs by time stepping, like the supervisor's observer but with the
//! index of the ball.

use mechanics::State;
use moreau::Energy;
use nalgebra::Vector2;
use supervisor::{Crossing, Event, EventKind, Phase, Sample, Scene};

/// An event of one of several balls. In time stepping, before and after are the ends of the step.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BallEvent {
    /// Index of the ball.
    pub ball: usize,
    /// Index of the other ball; `None`: the ground.
    pub other: Option<usize>,
    /// Event of the ball; its frame has the contact's directions from the ball's side.
    pub event: Event,
    /// Normal velocity v·n before and after, relative to the other ball, m/s.
    pub normal_velocity: [f64; 2],
    /// Tangential velocity v·τ before and after, relative to the other ball, m/s.
    pub tangential_velocity: [f64; 2],
    /// Kinetic and potential energy of the ball (of both) before and after, J.
    pub energy: [f64; 2],
    /// Index of the watch, for a crossing.
    pub watch: Option<usize>,
}

impl BallEvent {
    /// Crossing of a watch by the only ball.
    pub fn crossing(scene: &Scene, crossing: &Crossing) -> Self {
        BallEvent { watch: Some(crossing.watch), ..BallEvent::alone(scene, &crossing.event(scene)) }
    }

    /// Event of the only ball.
    pub fn alone(scene: &Scene, event: &Event) -> Self {
        let scene = scene.seen_from(event.place);
        let ((n0, t0), (n1, t1)) = (event.velocity_before(), event.velocity_after());
        let energy = [(event.phase_before, &event.before), (event.phase_after, &event.after)];
        BallEvent {
            ball: 0,
            other: None,
            event: *event,
            normal_velocity: [n0, n1],
            tangential_velocity: [t0, t1],
            energy: energy.map(|(phase, state)| scene.energy(phase, state).total()),
            watch: None,
        }
    }

    /// The event of rest that follows a landing at zero velocity.
    pub(super) fn at_rest(&self) -> Self {
        let Event { phase_after: phase_before, after: before, .. } = self.event;
        let ([normal_impulse, tangential_impulse], kind) = ([0.0; 2], EventKind::Rest);
        BallEvent {
            event: Event { kind, phase_before, before, normal_impulse, tangential_impulse, ..self.event },
            normal_velocity: [self.normal_velocity[1]; 2],
            tangential_velocity: [self.tangential_velocity[1]; 2],
            energy: [self.energy[1]; 2],
            ..*self
        }
    }
}

/// Row of a ball at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSample {
    /// Index of the ball.
    pub ball: usize,
    /// State, forces of the last step, and acceleration (change of velocity over h).
    pub sample: Sample,
    /// Time since the last row, s.
    pub since: f64,
    /// Sums of `P_n` and `P_t` since the last row, N s.
    pub impulses: [f64; 2],
    /// λ and f of the row.
    pub forces: Forces,
    /// Energy ledger of the ball.
    pub energy: Energy,
}

/// Mean forces of persistent contacts since the last row, summed over contacts; without impulses of impacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forces {
    /// λ, N.
    pub normal: f64,
    /// f, N.
    pub friction: f64,
    /// λ n and f τ, N; zero in event-driven runs.
    pub vectors: [Vector2<f64>; 2],
}

impl Forces {
    /// Divides impulses by the time (s) to mean forces.
    pub(super) fn by(self, time: f64) -> Self {
        let mean = if time > 0.0 { 1.0 / time } else { 0.0 };
        let Forces { normal, friction, vectors } = self;
        Forces { normal: normal * mean, friction: friction * mean, vectors: vectors.map(|vector| vector * mean) }
    }
}

/// A leg of a ball in an event-driven run: motion with constant acceleration, unless time stepping has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallLeg {
    /// Index of the ball.
    pub ball: usize,
    /// State at its beginning.
    pub state: State,
    /// Acceleration, m/s².
    pub acceleration: Vector2<f64>,
    /// Spin acceleration, rad/s².
    pub spin_acceleration: f64,
    /// Phase of the ball.
    pub phase: Phase,
    /// λ and f, N.
    pub forces: [f64; 2],
    /// Energy received from other balls so far, J.
    pub exchanged: f64,
    /// Whether time stepping has the ball: only a straight line to the next leg is known.
    pub stepped: bool,
    /// Whether the motion only continues, at a row.
    pub continues: bool,
}

/// A closed contact at the end of a step with a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSample {
    /// Time, s.
    pub time: f64,
    /// Index of the ball.
    pub ball: usize,
    /// Index of the other ball; `None`: the ground.
    pub other: Option<usize>,
    /// Contact point on `ball`, m.
    pub point: Vector2<f64>,
    /// Normal n, towards `ball`.
    pub normal: Vector2<f64>,
    /// Gap, m; negative: a penetration.
    pub gap: f64,
    /// Relative normal velocity v·n, m/s.
    pub normal_velocity: f64,
    /// Slip velocity along τ, m/s.
    pub slip_velocity: f64,
    /// λ on `ball` along n, N: impulse over h, or the scheme's multiplier.
    pub normal_force: f64,
    /// f on `ball` along τ, N, computed like λ.
    pub friction_force: f64,
}

/// Receives events and rows of a run by time stepping.
pub trait BallObserver {
    /// Receives an event, in the order of time.
    fn event(&mut self, event: &BallEvent);
    /// Receives a row, in the order of time and of the balls; after the events of its step.
    fn sample(&mut self, sample: &BallSample);
    /// Receives the leg of a ball after an event that changes its motion, and at each row before its sample.
    fn leg(&mut self, _leg: &BallLeg) {}
    /// Receives a contact, if [`Scenario::contacts`](crate::Scenario::contacts) is set; after the samples of its step.
    fn contact(&mut self, _contact: &ContactSample) {}
    /// Receives the time (s) reached, from time to time.
    fn progress(&mut self, _time: f64) {}
    /// Whether to end the run early; asked from time to time.
    fn ends(&self) -> bool {
        false
    }
}

impl BallObserver for supervisor::NoObserver {
    fn event(&mut self, _: &BallEvent) {}
    fn sample(&mut self, _: &BallSample) {}
}
