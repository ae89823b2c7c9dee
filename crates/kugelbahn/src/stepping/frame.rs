//! One step as it is told: which contacts last, which phase each ball is in, what happened.
//!
//! A contact is *active* in a step if it has an impulse. Active in one step alone it is an impact; active in two steps
//! running it lasts, and begins with a landing and ends with a lift-off.

use mechanics::State;
use moreau::{BallContact, Energy, Regime};
use nalgebra::Vector2;
use supervisor::{EventKind, Phase};

use super::Penetration;
use super::scheme::Scheme;
use crate::Scenario;

/// Ball, other ball, and which of the ball's contacts with it.
type Key = (usize, Option<usize>, u8);

/// All balls at the end of a step.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub index: u64,
    pub time: f64,
    pub states: Vec<State>,
    pub accounts: Vec<Energy>,
    /// Closed contacts of the step.
    pub contacts: Vec<BallContact>,
    active: Vec<Active>,
    pub phases: Vec<Phase>,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    key: Key,
    contact: usize,
    lasts: bool,
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

impl Frame {
    /// Takes over what a step made.
    pub fn read(&mut self, scheme: &impl Scheme) {
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
        self.phases.clear();
        let mut last = None;
        for (contact, closed) in self.contacts.iter().enumerate() {
            let (ball, other) = (closed.ball, closed.other);
            let which = match last {
                Some((b, o, which)) if (b, o) == (ball, other) => which + 1,
                _ => 0,
            };
            last = Some((ball, other, which));
            if closed.normal_impulse > 0.0 {
                self.active.push(Active { key: (ball, other, which), contact, lasts: false });
            }
        }
        self.active.sort_unstable_by_key(|active| active.key);
    }

    /// The start: in contact is what the first step holds without an impact.
    pub fn begin(&mut self, first: &Frame) {
        for active in &first.active {
            let contact = first.contacts[active.contact];
            let [ball, other] = [Some(contact.ball), contact.other].map(|b| b.map(|b| self.states[b].velocity.norm()));
            let fast = ball.unwrap_or(0.0) + other.unwrap_or(0.0);
            if contact.normal_velocity[0] >= -1e-9 * fast.max(1.0) {
                let index = self.contacts.len();
                self.contacts.push(BallContact { normal_impulse: 0.0, tangential_impulse: 0.0, ..contact });
                self.active.push(Active { key: active.key, contact: index, lasts: true });
            }
        }
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
    pub fn deepest(&self, before: &Frame, scenario: &Scenario) -> Option<Penetration> {
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

    fn is_active(&self, key: Key) -> bool {
        self.active.binary_search_by_key(&key, |active| active.key).is_ok()
    }

    /// Phases by the contacts that last; the ground has the first word.
    fn find_phases(&mut self, before: &Frame, scenario: &Scenario) {
        self.phases.resize(self.states.len(), Phase::Flight);
        let slow = scenario.solver.capture_speed;
        let radius = |ball: usize| match &scenario.stepping {
            Some(stepping) if stepping.balls[ball].ball.turns() => stepping.balls[ball].ball.radius(),
            _ => 0.0,
        };
        let at_rest = |frame: &Frame, ball: usize| {
            frame
                .states
                .get(ball)
                .is_none_or(|state| state.velocity.norm().max(radius(ball) * state.spin.abs()) <= slow)
        };
        // The ground's contacts come first for their ball, those with other balls count where there is none.
        for on_ground in [true, false] {
            for active in self.active.iter().filter(|active| active.lasts && active.key.1.is_none() == on_ground) {
                let contact = &self.contacts[active.contact];
                let slips = matches!(contact.regime, Regime::SlidingForward | Regime::SlidingBackward);
                for ball in [Some(contact.ball), contact.other].into_iter().flatten() {
                    let phase = if at_rest(self, ball) && at_rest(before, ball) {
                        Phase::Resting
                    } else if slips {
                        Phase::Sliding
                    } else {
                        Phase::Rolling
                    };
                    let known = &mut self.phases[ball];
                    let worse = *known == Phase::Rolling && phase == Phase::Sliding && on_ground;
                    if *known == Phase::Flight || worse {
                        *known = phase;
                    }
                }
            }
        }
    }

    fn event(&self, before: &Frame, kind: EventKind, contact: &BallContact, impulse: bool) -> SteppingEvent {
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

/// Settles which contacts of `at` last and the phases there, and tells what happened in its step.
pub(crate) fn settle(
    scenario: &Scenario,
    before: &Frame,
    at: &mut Frame,
    after: Option<&Frame>,
    tell: &mut impl FnMut(&SteppingEvent),
) {
    for i in 0..at.active.len() {
        let key = at.active[i].key;
        at.active[i].lasts |= before.is_active(key) || after.is_some_and(|after| after.is_active(key));
    }
    at.find_phases(before, scenario);
    if at.index == 0 {
        return;
    }
    let mut told: Vec<usize> = Vec::new();
    let mut say = |event: SteppingEvent, told: &mut Vec<usize>| {
        told.extend([Some(event.ball), event.other].into_iter().flatten());
        tell(&event);
    };
    for active in before.active.iter().filter(|active| active.lasts && !at.is_active(active.key)) {
        let contact = &before.contacts[active.contact];
        say(at.event(before, EventKind::LiftOff, contact, false), &mut told);
    }
    for active in at.active.iter().filter(|active| !before.is_active(active.key)) {
        let kind = if active.lasts { EventKind::Landing } else { EventKind::Impact };
        say(at.event(before, kind, &at.contacts[active.contact], true), &mut told);
    }
    if at.phases == before.phases {
        return;
    }
    // Without friction nothing slips or sticks.
    let frictionless = scenario.scene.law.friction_coefficient() == 0.0;
    for ball in 0..at.states.len() {
        let (was, is) = (before.phases[ball], at.phases[ball]);
        if was == is || told.contains(&ball) {
            continue;
        }
        let kind = match is {
            Phase::Resting => EventKind::Rest,
            Phase::Sliding if !frictionless => EventKind::Slip,
            Phase::Rolling => EventKind::Stick,
            Phase::Sliding | Phase::Flight | Phase::Compressed => continue,
        };
        let of_ball = |active: &&Active| active.lasts && (active.key.0 == ball || active.key.1 == Some(ball));
        // The ground's contact, if there is one.
        let on_ground = at.active.iter().filter(of_ball).find(|active| active.key.1.is_none());
        if let Some(active) = on_ground.or_else(|| at.active.iter().find(of_ball)) {
            let contact = &at.contacts[active.contact];
            let other = contact.other.map(|other| if other == ball { contact.ball } else { other });
            let event = at.event(before, kind, contact, false);
            tell(&SteppingEvent {
                ball,
                other,
                phase_before: was,
                phase_after: is,
                before: before.states[ball],
                after: at.states[ball],
                ..event
            });
        }
    }
}
