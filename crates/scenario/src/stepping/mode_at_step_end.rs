//! [`StepEnd`]: states, contacts, modes and phases of all balls at the end of a step.

use mechanics::{Mode, State};
use moreau::{BallContact, Energy, Regime};
use nalgebra::Vector2;
use supervisor::{Event, EventKind, Phase, Sample};

use super::observer::{BallEvent, BallSample, ContactSample, Forces};
use crate::scenario::{BallSetup, Scenario};

/// Key of a contact: ball, other ball (`None`: the ground), and number of the contact between them.
pub type Key = (usize, Option<usize>, u8);

/// Sliding along the tangent; also the mode without friction, in any direction.
pub const FORWARD: Mode = Mode::slides(1.0);

/// All balls at the end of a step.
#[derive(Debug, Default)]
pub struct StepEnd {
    /// Number of steps made.
    pub index: u64,
    /// Time, s.
    pub time: f64,
    /// States of the balls.
    pub states: Vec<State>,
    /// Energy ledger of each ball.
    pub accounts: Vec<Energy>,
    /// Whether positions were projected.
    pub projected: bool,
    /// Closed contacts of the step.
    pub contacts: Vec<BallContact>,
    /// Contacts with an impulse: key, and index in `contacts`.
    pub active: Vec<(Key, usize)>,
    /// Mode of each ball in contact, from this step alone.
    pub seen: Vec<Option<Mode>>,
    /// Persistent contacts by key, each as it was last active. This and the next fields are determined with the steps
    /// around.
    pub lasting: Vec<(Key, BallContact)>,
    /// Mode of each ball; `None`: in flight.
    pub modes: Vec<Option<Mode>>,
    /// Phase of each ball.
    pub phases: Vec<Phase>,
}

/// The deepest penetration at the ends of steps: of closed contacts in each step, of all balls in steps with a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// Depth, m (> 0).
    pub depth: f64,
    /// End of the step, s.
    pub time: f64,
    /// Index of the ball.
    pub ball: usize,
    /// Index of the other ball; `None`: the ground.
    pub other: Option<usize>,
}

/// Impulses of contacts on a ball, N s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pushes {
    /// Sums of `P_n` and `P_t`.
    impulses: [f64; 2],
    /// Impulses of persistent contacts, also as vectors, for mean forces.
    lasting: Forces,
}

impl StepEnd {
    /// Takes over the result of a step from `write`.
    pub(super) fn fill_from(&mut self, write: impl FnOnce(&mut StepEnd), before: &StepEnd, scenario: &Scenario) {
        self.states.clear();
        self.accounts.clear();
        self.contacts.clear();
        self.active.clear();
        write(self);
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
        self.find_modes(before, scenario);
    }

    /// Determines each ball's mode from this step alone; contacts with the ground come first, and slipping overrides
    /// other modes.
    fn find_modes(&mut self, before: &StepEnd, scenario: &Scenario) {
        self.seen.clear();
        self.seen.resize(self.states.len(), None);
        for on_ground in [true, false] {
            for (key, index) in self.active.iter().filter(|(key, _)| key.1.is_none() == on_ground) {
                let contact = &self.contacts[*index];
                let mode = match contact.regime {
                    Regime::SlidingBackward if !frictionless(scenario, contact) => Mode::slides(-1.0),
                    Regime::SlidingForward | Regime::SlidingBackward => FORWARD,
                    Regime::Sticking | Regime::Separating => Mode::ROLLING,
                };
                for ball in [Some(key.0), key.1].into_iter().flatten() {
                    let seen = &mut self.seen[ball];
                    let sticks = matches!(seen, Some(Mode::Rolling { .. } | Mode::Resting));
                    if seen.is_none() || (on_ground && sticks) {
                        // A ball without rotation can't roll.
                        let rests = mode.rolls() && !turns(scenario, ball);
                        *seen = Some(if rests { Mode::Resting } else { mode });
                    }
                }
            }
        }
        for ball in 0..self.states.len() {
            let slow = |frame: &StepEnd| frame.states.get(ball).is_none_or(|state| at_rest(scenario, ball, state));
            if self.seen[ball].is_some() && slow(self) && slow(before) {
                self.seen[ball] = Some(Mode::Resting);
            }
        }
    }

    pub(super) fn active(&self, key: Key) -> Option<&BallContact> {
        let found = self.active.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(&self.contacts[self.active[found].1])
    }

    /// The persistent contact of this key.
    pub(super) fn lasting(&self, key: Key) -> Option<&BallContact> {
        let found = self.lasting.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(&self.lasting[found].1)
    }

    /// Energy ledger of all balls together.
    pub fn energy(&self) -> Energy {
        self.accounts.iter().fold(Energy::default(), |sum, one| sum + *one)
    }

    /// Adds the impulses on each ball in the step that begins with `before`.
    pub fn pushes(&self, before: &StepEnd, add: &mut [Pushes]) {
        let step = self.time - before.time;
        for contact in &self.contacts {
            for ball in [Some(contact.ball), contact.other].into_iter().flatten() {
                add[ball].impulses[0] += contact.normal_impulse;
                add[ball].impulses[1] += contact.tangential_impulse;
            }
        }
        // The first impulse of a contact is an impact, and no force.
        for (_, index) in self.active.iter().filter(|(key, _)| before.lasting(*key).is_some()) {
            let contact = &self.contacts[*index];
            let impulse = [contact.normal_impulse, contact.tangential_impulse];
            let [pressed, rubbed] = contact.force.map_or(impulse, |force| force.map(|force| force * step));
            let (normal, along) = (contact.normal * pressed, contact.tangent() * rubbed);
            for (ball, sign) in [(Some(contact.ball), 1.0), (contact.other, -1.0)] {
                let Some(Pushes { lasting, .. }) = ball.map(|ball| &mut add[ball]) else { continue };
                lasting.normal += pressed;
                lasting.friction += rubbed;
                lasting.vectors[0] += sign * normal;
                lasting.vectors[1] += sign * along;
            }
        }
    }

    /// The deepest closed contact at the end of the step, if it is deeper than `known` (m). The gap to the ground is
    /// first estimated from the predicted gap and the displacement since, which fails past a corner, and then measured.
    pub(super) fn deepest(&self, before: &StepEnd, scenario: &Scenario, known: f64) -> Option<Penetration> {
        let mut worst: Option<Penetration> = None;
        for contact in &self.contacts {
            let gap = |frame: &StepEnd| frame.gap(before, contact, scenario);
            let least = |worst: Option<Penetration>| worst.map_or(known, |worst| worst.depth);
            let mut depth = -gap(self).min(gap(before));
            if depth > least(worst)
                && contact.other.is_none()
                && let Some(BallSetup { ball, ground, .. }) = scenario.ball_setup(contact.ball)
                && ball.radius() > 0.0
            {
                let exact = |frame: &StepEnd| ground.gap(frame.states[contact.ball].position);
                depth = -exact(self).min(exact(before));
            }
            if depth > least(worst) {
                worst = Some(Penetration { depth, time: self.time, ball: contact.ball, other: contact.other });
            }
        }
        worst
    }

    /// Gap of a contact, m: that predicted in the step after `before`, plus the displacement since.
    fn gap(&self, before: &StepEnd, contact: &BallContact, scenario: &Scenario) -> f64 {
        let ball = contact.ball;
        match (contact.other, &scenario.stepping) {
            (Some(other), Some(stepping)) => {
                let radii = stepping.balls[ball].ball.radius() + stepping.balls[other].ball.radius();
                (self.states[ball].position - self.states[other].position).norm() - radii
            }
            _ => {
                let start = &before.states[ball];
                let ahead = scenario.prediction() * scenario.step();
                let way = self.states[ball].position - start.position - start.velocity * ahead;
                contact.gap + way.dot(&contact.normal)
            }
        }
    }

    /// The closed contacts of the step that begins with `before`.
    pub(super) fn contact_samples<'a>(
        &'a self,
        before: &'a StepEnd,
        scenario: &'a Scenario,
    ) -> impl Iterator<Item = ContactSample> + 'a {
        self.contacts.iter().map(|contact| {
            let impulse = [contact.normal_impulse, contact.tangential_impulse];
            let [normal_force, friction_force] =
                contact.force.unwrap_or_else(|| impulse.map(|impulse| impulse / scenario.step()));
            let radius = scenario.ball_setup(contact.ball).map_or(0.0, |setup| setup.ball.radius());
            ContactSample {
                time: self.time,
                ball: contact.ball,
                other: contact.other,
                point: self.states[contact.ball].position - contact.normal * radius,
                normal: contact.normal,
                gap: self.gap(before, contact, scenario),
                normal_velocity: contact.normal_velocity[1],
                slip_velocity: contact.slip[1],
                normal_force,
                friction_force,
            }
        })
    }

    /// Row of a ball, with the impulses of contacts in this step and since the last row, which was at `row` (s).
    pub(super) fn sample(&self, before: &StepEnd, ball: usize, row: f64, [last, pushes]: [Pushes; 2]) -> BallSample {
        let state = self.states[ball];
        let start = before.states.get(ball).filter(|_| before.index < self.index);
        let step = start.map_or(1.0, |start| state.time - start.time);
        let (forces, since) = (last.lasting.by(step), self.time - row);
        let sample = Sample {
            phase: self.phases[ball],
            state,
            acceleration: start.map_or(Vector2::zeros(), |start| (state.velocity - start.velocity) / step),
            place: None,
            last: curves::Touched::default(),
            normal_force: forces.normal,
            friction_force: forces.friction,
            second_normal_force: 0.0,
        };
        let Pushes { impulses, lasting } = pushes;
        BallSample { ball, sample, since, impulses, forces: lasting.by(since), energy: self.accounts[ball] }
    }

    /// Index of the ball to which an event of a contact is assigned: the one whose phase changes.
    pub(super) fn whose(&self, before: &StepEnd, contact: &BallContact) -> usize {
        let changes = |ball: usize| self.phases[ball] != before.phases[ball];
        contact.other.filter(|other| changes(*other) && !changes(contact.ball)).unwrap_or(contact.ball)
    }

    /// Event of a ball in this step, without impulses.
    pub(super) fn event(
        &self,
        scenario: &Scenario,
        before: &StepEnd,
        kind: EventKind,
        contact: &BallContact,
        ball: usize,
    ) -> BallEvent {
        let (other, normal, tangent) = match contact.other {
            Some(other) if other == ball => (Some(contact.ball), -contact.normal, -contact.tangent()),
            other => (other, contact.normal, contact.tangent()),
        };
        let along = |axis: Vector2<f64>| {
            [before, self].map(|frame| {
                let other = other.map_or(Vector2::zeros(), |other| frame.states[other].velocity);
                (frame.states[ball].velocity - other).dot(&axis)
            })
        };
        let after = self.states[ball];
        let ground = scenario.ball_setup(ball).map_or(&scenario.scene.ground, |ball_setup| &ball_setup.ground);
        let place = ground.place_below(after.position);
        BallEvent {
            ball,
            other,
            event: Event {
                kind,
                phase_before: before.phases[ball],
                phase_after: self.phases[ball],
                place,
                frame: curves::Frame { normal, tangent, ..ground.frame(place) },
                before: State { time: self.time, ..before.states[ball] },
                after,
                normal_impulse: 0.0,
                tangential_impulse: 0.0,
                largest_normal_force: 0.0,
                ground_velocity: Vector2::zeros(),
            },
            normal_velocity: along(normal),
            tangential_velocity: along(tangent),
            watch: None,
            energy: [before, self].map(|frame| {
                let both = [Some(ball), other].into_iter().flatten();
                both.map(|ball| frame.accounts[ball].total()).sum::<f64>()
            }),
        }
    }
}

/// Whether friction can turn a ball.
pub(crate) fn turns(scenario: &Scenario, ball: usize) -> bool {
    scenario.ball_setup(ball).is_some_and(|setup| setup.ball.turns())
}

/// Whether a ball is slow enough to count as at rest.
fn at_rest(scenario: &Scenario, ball: usize, state: &State) -> bool {
    let arm = scenario.ball_setup(ball).map_or(0.0, |setup| setup.ball.arm());
    state.velocity.norm().max(arm * state.spin.abs()) <= scenario.solver.capture_speed
}

/// Whether a contact has no friction.
pub(crate) fn frictionless(scenario: &Scenario, contact: &BallContact) -> bool {
    let law = if contact.other.is_some() { scenario.between() } else { &scenario.scene.law };
    law.is_smooth()
}
