//! All balls at the end of a step, and how they touch there.

use mechanics::State;
use moreau::{BallContact, Energy, Regime};
use nalgebra::Vector2;
use supervisor::{EventKind, Phase};

use super::scheme::Scheme;
use crate::scenario::Scenario;

/// Ball, other ball, and which of the ball's contacts with it.
pub type Key = (usize, Option<usize>, u8);

/// How a ball is in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It does not move.
    Resting,
    /// It sticks.
    Rolling,
    /// It slides forward along the tangent; also where there is no friction, whatever the direction.
    Forward,
    /// It slides the other way.
    Backward,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 4] = [Mode::Resting, Mode::Rolling, Mode::Forward, Mode::Backward];

    /// As reports call it.
    pub fn phase(self) -> Phase {
        match self {
            Mode::Resting => Phase::Resting,
            Mode::Rolling => Phase::Rolling,
            Mode::Forward | Mode::Backward => Phase::Sliding,
        }
    }
}

/// All balls at the end of a step.
#[derive(Debug, Default)]
pub struct Frame {
    /// Steps made.
    pub index: u64,
    /// s
    pub time: f64,
    /// The balls.
    pub states: Vec<State>,
    /// The ledger of each.
    pub accounts: Vec<Energy>,
    /// Closed contacts of the step.
    pub contacts: Vec<BallContact>,
    /// Those with an impulse, by key: index in `contacts`.
    pub active: Vec<(Key, usize)>,
    /// What this step alone says of each ball in contact.
    pub seen: Vec<Option<Mode>>,
    /// Contacts that last, by key, each as it was last active. This and what follows is settled with the steps around.
    pub lasting: Vec<(Key, BallContact)>,
    /// `None`: in flight.
    pub modes: Vec<Option<Mode>>,
    /// Of each ball.
    pub phases: Vec<Phase>,
}

/// Something that happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct SteppingEvent {
    /// What.
    pub kind: EventKind,
    /// Index of the ball.
    pub ball: usize,
    /// The other one; `None`: the ground.
    pub other: Option<usize>,
    /// Phase of the ball before the step.
    pub phase_before: Phase,
    /// And after it.
    pub phase_after: Phase,
    /// The ball before the step.
    pub before: State,
    /// The ball after the step; its time is the event's.
    pub after: State,
    /// Normal velocity before and after the step, relative to the other ball, m/s.
    pub normal_velocity: [f64; 2],
    /// The same along the tangent.
    pub tangential_velocity: [f64; 2],
    /// `P_n`, N s.
    pub normal_impulse: f64,
    /// `P_t`, N s.
    pub tangential_impulse: f64,
    /// Kinetic and potential energy of the ball (of both) before and after the step, J.
    pub energy: [f64; 2],
}

/// The smallest gap at the end of a step: of contacts that were closed at any, of all at those that have a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// How deep, m (> 0).
    pub depth: f64,
    /// End of the step, s.
    pub time: f64,
    /// Index of the ball.
    pub ball: usize,
    /// The other one; `None`: the ground.
    pub other: Option<usize>,
}

impl Frame {
    /// Takes over what a step made.
    pub(super) fn read(&mut self, scheme: &impl Scheme, before: &Frame, scenario: &Scenario) {
        (self.index, self.time) = (scheme.index(), scheme.time());
        self.states.clear();
        self.accounts.clear();
        for ball in 0..scheme.len() {
            self.states.push(scheme.state(ball));
            self.accounts.push(scheme.energy(ball));
        }
        self.contacts.clear();
        self.contacts.extend_from_slice(scheme.contacts());
        self.active.clear();
        let mut last = None;
        for (contact, closed) in self.contacts.iter().enumerate() {
            let (ball, other) = (closed.ball, closed.other);
            let which = match last {
                Some((b, o, which)) if (b, o) == (ball, other) => which + 1,
                _ => 0,
            };
            last = Some((ball, other, which));
            if closed.normal_impulse > 0.0 {
                self.active.push(((ball, other, which), contact));
            }
        }
        self.active.sort_unstable_by_key(|(key, _)| *key);
        self.look(before, scenario);
    }

    /// How the balls are in contact by this step alone; the ground has the first word, and slipping the last.
    fn look(&mut self, before: &Frame, scenario: &Scenario) {
        self.seen.clear();
        self.seen.resize(self.states.len(), None);
        for on_ground in [true, false] {
            for (key, index) in self.active.iter().filter(|(key, _)| key.1.is_none() == on_ground) {
                let contact = &self.contacts[*index];
                let mode = match contact.regime {
                    Regime::SlidingBackward if !frictionless(scenario, contact) => Mode::Backward,
                    Regime::SlidingForward | Regime::SlidingBackward => Mode::Forward,
                    Regime::Sticking | Regime::Separating => Mode::Rolling,
                };
                for ball in [Some(key.0), key.1].into_iter().flatten() {
                    let seen = &mut self.seen[ball];
                    let sticks = matches!(seen, Some(Mode::Rolling | Mode::Resting));
                    if seen.is_none() || (on_ground && sticks) {
                        // What does not turn can't roll.
                        let rests = mode == Mode::Rolling && !turns(scenario, ball);
                        *seen = Some(if rests { Mode::Resting } else { mode });
                    }
                }
            }
        }
        for ball in 0..self.states.len() {
            let slow = |frame: &Frame| frame.states.get(ball).is_none_or(|state| at_rest(scenario, ball, state));
            if self.seen[ball].is_some() && slow(self) && slow(before) {
                self.seen[ball] = Some(Mode::Resting);
            }
        }
    }

    /// The contact with an impulse of this key.
    pub(super) fn active(&self, key: Key) -> Option<&BallContact> {
        let found = self.active.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(&self.contacts[self.active[found].1])
    }

    /// The contact that lasts of this key.
    pub(super) fn lasting(&self, key: Key) -> Option<&BallContact> {
        let found = self.lasting.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(&self.lasting[found].1)
    }

    /// The ledger of all balls.
    pub fn energy(&self) -> Energy {
        self.accounts.iter().copied().sum()
    }

    /// Impulses on a ball in this step: sums of `P_n` and `P_t` of its contacts, N s.
    pub fn impulses(&self, add: &mut [[f64; 2]]) {
        for contact in &self.contacts {
            for ball in [Some(contact.ball), contact.other].into_iter().flatten() {
                add[ball][0] += contact.normal_impulse;
                add[ball][1] += contact.tangential_impulse;
            }
        }
    }

    /// The deepest of the closed contacts, at the ends of the step: their predicted gap, and the way from there.
    pub(super) fn deepest(&self, before: &Frame, scenario: &Scenario) -> Option<Penetration> {
        let ahead = scenario.prediction() * scenario.step();
        let mut worst: Option<Penetration> = None;
        for contact in &self.contacts {
            let (ball, n) = (contact.ball, &contact.normal);
            let gap = |frame: &Frame| match (contact.other, &scenario.stepping) {
                (Some(other), Some(stepping)) => {
                    let radii = stepping.balls[ball].ball.radius() + stepping.balls[other].ball.radius();
                    (frame.states[ball].position - frame.states[other].position).norm() - radii
                }
                _ => {
                    let start = &before.states[ball];
                    let way = frame.states[ball].position - start.position - start.velocity * ahead;
                    contact.gap + way.dot(n)
                }
            };
            let depth = -gap(self).min(gap(before));
            if depth > worst.map_or(0.0, |w| w.depth) {
                worst = Some(Penetration { depth, time: self.time, ball, other: contact.other });
            }
        }
        worst
    }

    pub(super) fn event(&self, before: &Frame, kind: EventKind, contact: &BallContact, impulse: bool) -> SteppingEvent {
        let (n, t) = (contact.normal, contact.tangent());
        let along = |frame: &Frame, axis: Vector2<f64>| {
            let other = contact.other.map_or(Vector2::zeros(), |other| frame.states[other].velocity);
            (frame.states[contact.ball].velocity - other).dot(&axis)
        };
        // The row is that of the ball whose phase changes; relative velocities are the same for both.
        let changes = |ball: usize| self.phases[ball] != before.phases[ball];
        let (ball, other) = match contact.other {
            Some(other) if changes(other) && !changes(contact.ball) => (other, Some(contact.ball)),
            other => (contact.ball, other),
        };
        let energy = |frame: &Frame| {
            let both = [Some(ball), other].into_iter().flatten();
            both.map(|ball| frame.accounts[ball].total()).sum::<f64>()
        };
        SteppingEvent {
            kind,
            ball,
            other,
            phase_before: before.phases[ball],
            phase_after: self.phases[ball],
            before: before.states[ball],
            after: self.states[ball],
            normal_velocity: [along(before, n), along(self, n)],
            tangential_velocity: [along(before, t), along(self, t)],
            normal_impulse: if impulse { contact.normal_impulse } else { 0.0 },
            tangential_impulse: if impulse { contact.tangential_impulse } else { 0.0 },
            energy: [energy(before), energy(self)],
        }
    }
}

/// Whether friction makes a ball turn.
pub(crate) fn turns(scenario: &Scenario, ball: usize) -> bool {
    scenario.stepping.as_ref().is_some_and(|stepping| stepping.balls[ball].ball.turns())
}

/// Whether a ball is no faster than what counts as rest.
fn at_rest(scenario: &Scenario, ball: usize, state: &State) -> bool {
    let radius = match &scenario.stepping {
        Some(stepping) if stepping.balls[ball].ball.turns() => stepping.balls[ball].ball.radius(),
        _ => 0.0,
    };
    state.velocity.norm().max(radius * state.spin.abs()) <= scenario.solver.capture_speed
}

/// Whether nothing can slip or stick at a contact.
pub(crate) fn frictionless(scenario: &Scenario, contact: &BallContact) -> bool {
    let law = if contact.other.is_some() { scenario.between() } else { &scenario.scene.law };
    law.friction_coefficient() == 0.0
}
