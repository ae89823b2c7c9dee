//! Observer of time stepping: events and samples as the supervisor's, with the index of the ball.

use mechanics::State;
use moreau::Energy;
use nalgebra::Vector2;
use supervisor::{Crossing, Event, EventKind, Phase, Sample, Scene};

/// An event of one of several balls. In time stepping it is that of a whole step: before and after are its ends.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BallEvent {
    /// Index of the ball.
    pub ball: usize,
    /// The other one; `None`: the ground.
    pub other: Option<usize>,
    /// Event of the ball; its frame has the directions of the contact as the ball sees them.
    pub event: Event,
    /// `v·n` before and after, relative to the other ball, m/s.
    pub normal_velocity: [f64; 2],
    /// `v·τ` before and after, relative to the other ball, m/s.
    pub tangential_velocity: [f64; 2],
    /// Kinetic and potential energy of the ball (of both) before and after, J.
    pub energy: [f64; 2],
    /// The watch that is crossed, by its index, if it is that.
    pub watch: Option<usize>,
}

impl BallEvent {
    /// A crossing by the only ball.
    pub fn crossing(scene: &Scene, crossing: &Crossing) -> Self {
        BallEvent { watch: Some(crossing.watch), ..BallEvent::alone(scene, &crossing.event(scene)) }
    }

    /// An event of the only ball.
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

    /// The row that follows a landing of a ball that lies still.
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

/// A ball at the end of a step that has a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSample {
    /// Index of the ball.
    pub ball: usize,
    /// The ball; its forces are those of the last step, its acceleration is the change of velocity by h.
    pub sample: Sample,
    /// Time since the row before, s.
    pub since: f64,
    /// Sums of `P_n` and `P_t` since then, N s.
    pub impulses: [f64; 2],
    /// λ and f of the row.
    pub forces: Forces,
    /// Its ledger.
    pub energy: Energy,
}

/// Forces of contacts that last, as means since the row before; what impacts give is no force. Sums over contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forces {
    /// λ, N.
    pub normal: f64,
    /// f, N.
    pub friction: f64,
    /// λ n and f τ, N; of a run event by event they are not told.
    pub vectors: [Vector2<f64>; 2],
}

impl Forces {
    /// The means, if these are impulses of so long a time (s).
    pub(super) fn by(self, time: f64) -> Self {
        let mean = if time > 0.0 { 1.0 / time } else { 0.0 };
        let Forces { normal, friction, vectors } = self;
        Forces { normal: normal * mean, friction: friction * mean, vectors: vectors.map(|vector| vector * mean) }
    }
}

/// A ball of a run event by event, and how it goes on from here: with constant acceleration, unless it is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallLeg {
    /// Index of the ball.
    pub ball: usize,
    /// Where it begins.
    pub state: State,
    /// Acceleration, m/s².
    pub acceleration: Vector2<f64>,
    /// Spin acceleration, rad/s².
    pub spin_acceleration: f64,
    /// Phase of the ball.
    pub phase: Phase,
    /// λ and f, N.
    pub forces: [f64; 2],
    /// Energy that it has from other balls so far, J.
    pub exchanged: f64,
    /// Whether time stepping has it: between here and the next leg there is no more than a straight line.
    pub stepped: bool,
    /// Whether it only goes on as before: a row.
    pub continues: bool,
}

/// A closed contact of a step that has a row, at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSample {
    /// Time, s.
    pub time: f64,
    /// Index of the ball.
    pub ball: usize,
    /// The other one; `None`: the ground.
    pub other: Option<usize>,
    /// The point of `ball` that touches, m.
    pub point: Vector2<f64>,
    /// n, towards `ball`.
    pub normal: Vector2<f64>,
    /// Gap, m; negative: a penetration.
    pub gap: f64,
    /// `v·n`, relative, m/s.
    pub normal_velocity: f64,
    /// Slip velocity along τ, m/s.
    pub slip_velocity: f64,
    /// λ on `ball` along n, the impulse by h or the scheme's own multiplier, N.
    pub normal_force: f64,
    /// f on `ball` along τ, as λ, N.
    pub friction_force: f64,
}

/// Hears of a run by time stepping as it goes.
pub trait BallObserver {
    /// An event, in the order of time.
    fn event(&mut self, event: &BallEvent);
    /// A sample, in the order of time and of the balls; after the events of its step.
    fn sample(&mut self, sample: &BallSample);
    /// How a ball goes on after an event that changes its motion, and after each row; before the row's sample.
    fn leg(&mut self, leg: &BallLeg) {
        let _ = leg;
    }
    /// A contact, if [`Scenario::contacts`](crate::Scenario::contacts) asks for it; after the samples of its step.
    fn contact(&mut self, contact: &ContactSample) {
        let _ = contact;
    }
    /// The run has come to this time (s); called now and then.
    fn progress(&mut self, time: f64) {
        let _ = time;
    }
    /// Whether the run is to end before its time; asked now and then.
    fn ends(&self) -> bool {
        false
    }
}

impl BallObserver for supervisor::NoObserver {
    fn event(&mut self, _: &BallEvent) {}
    fn sample(&mut self, _: &BallSample) {}
}
