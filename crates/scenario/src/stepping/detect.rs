//! Detects phases and events of a method that locates none, from each step and the steps around it.
//!
//! A contact is *active* in a step in which it has an impulse. It *persists* once it is active in two consecutive
//! steps, and ends with its last impulse. This suffices on one straight line. On curved ground the normal turns in each
//! step, and restitution reacts to the normal velocity that results; a persistent contact then is a sequence of hops,
//! none faster than the forces accelerate a ball in a few steps. Such a hop is not resolved: it neither ends a contact
//! nor is it an impact.
//!
//! Likewise a mode (rolling, sliding to one side, at rest) of single steps is not reported: the mode changes when most
//! of the following steps have the new one.

use std::collections::VecDeque;

use curves::JointKind;
use mechanics::Mode;
use moreau::{BallContact, Regime};
use nalgebra::Vector2;
use numbers::Rounding;
use supervisor::{Event, EventKind, Phase, Start};

use super::mode_at_step_end::{FORWARD, Key, StepEnd, frictionless, turns};
use super::observer::BallEvent;
use crate::scenario::{BallSetup, Scenario};

/// Maximum number of steps of an unresolved hop; less for many balls, whose steps need much memory.
const LOOK: usize = 64;
/// Maximum number of states of balls kept in the steps ahead, unless each ball then had less than [`VOTES`].
const KEPT: usize = 2048;
/// Number of steps in contact that vote on a mode, within twice as many steps; three of four must have the new one.
const VOTES: usize = 8;

/// Detector of phases and events, which looks some steps ahead.
pub(crate) struct PhaseDetector<'a> {
    scenario: &'a Scenario,
    /// The normal of a ground that is one straight line.
    straight: Option<Vector2<f64>>,
    /// Number of steps to look ahead.
    pub look_ahead: usize,
    /// Whether an event of each ball was reported in this step.
    told: Vec<bool>,
}

impl<'a> PhaseDetector<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        let balls = scenario.ball_setups().len();
        let straight = if balls == 1 { straight(scenario) } else { None };
        PhaseDetector {
            scenario,
            straight,
            look_ahead: (KEPT / balls.max(1)).clamp(VOTES, LOOK),
            told: vec![false; balls],
        }
    }

    /// Sets phases at the start: in contact are balls that start so, or that the first step holds without an impact.
    pub fn begin(&self, start: &mut StepEnd, ahead: &VecDeque<StepEnd>) {
        start.lasting.clear();
        for (key, index) in ahead.front().into_iter().flat_map(|first| &first.active) {
            let contact = ahead[0].contacts[*index];
            let speed = |ball: usize| start.states[ball].velocity.norm() + self.gain(start, ball);
            let speeds: f64 = [Some(key.0), key.1].into_iter().flatten().map(speed).sum();
            if approach(&contact) <= 1e-9 * speeds {
                start.lasting.push((*key, contact));
            }
        }
        for ball in 0..start.states.len() {
            let Some(BallSetup { ground, start: Start::Contact { place, .. }, .. }) = self.scenario.ball_setup(ball)
            else {
                continue;
            };
            let key = (ball, None, 0);
            if start.lasting(key).is_none() {
                let contact = BallContact {
                    ball,
                    other: None,
                    gap: 0.0,
                    normal: ground.frame(*place).normal,
                    normal_impulse: 0.0,
                    tangential_impulse: 0.0,
                    normal_velocity: [0.0; 2],
                    slip: [0.0; 2],
                    regime: Regime::Separating,
                    force: None,
                };
                start.lasting.push((key, contact));
                start.lasting.sort_unstable_by_key(|(key, _)| *key);
            }
        }
        self.settle_modes(&StepEnd::default(), start, ahead);
    }

    /// Determines the persistent contacts of step `at` and their modes, and reports the step's events.
    pub fn detect(
        &mut self,
        before: &StepEnd,
        at: &mut StepEnd,
        ahead: &VecDeque<StepEnd>,
        emit: &mut impl FnMut(&BallEvent),
    ) {
        at.lasting.clear();
        for i in 0..at.active.len() {
            let (key, index) = at.active[i];
            let contact = at.contacts[index];
            if before.lasting(key).is_some() || self.lands(at, key, &contact, ahead) {
                at.lasting.push((key, contact));
            }
        }
        for (key, contact) in &before.lasting {
            if at.active(*key).is_none() && self.hops(at, *key, contact, ahead) {
                at.lasting.push((*key, *contact));
            }
        }
        at.lasting.sort_unstable_by_key(|(key, _)| *key);
        self.settle_modes(before, at, ahead);
        self.emit(before, at, emit);
    }

    /// Whether a contact that begins in this step persists.
    fn lands(&self, at: &StepEnd, key: Key, contact: &BallContact, ahead: &VecDeque<StepEnd>) -> bool {
        if ahead.front().is_some_and(|next| next.active(key).is_some()) {
            return true;
        }
        approach(contact) <= self.unresolved(at, contact).0
            && self.next(key, ahead).is_some_and(|(end, hop)| self.is_own(at, end, hop))
    }

    /// Whether a contact without an impulse is in an unresolved hop.
    fn hops(&self, at: &StepEnd, key: Key, contact: &BallContact, ahead: &VecDeque<StepEnd>) -> bool {
        match self.next(key, ahead) {
            Some((end, hop)) => self.is_own(at, end, hop),
            // At the end of the run the landing is unknown; only a hop that is certainly resolved ends the contact.
            None if ahead.len() < self.look_ahead => {
                let (least, _) = self.unresolved(at, contact);
                least > self.scenario.solver.capture_speed && relative(at, contact).dot(&contact.normal) <= least
            }
            None => false,
        }
    }

    fn next<'b>(&self, key: Key, ahead: &'b VecDeque<StepEnd>) -> Option<(&'b StepEnd, &'b BallContact)> {
        ahead.iter().find_map(|frame| Some((frame, frame.active(key)?)))
    }

    /// Whether a hop from `at` to its end is an artefact of the scheme.
    fn is_own(&self, at: &StepEnd, end: &StepEnd, contact: &BallContact) -> bool {
        let (most, longest) = self.unresolved(end, contact);
        let (speed, steps) = (approach(contact), (end.index - at.index) as f64);
        // Its height w T/4 (parabola) is at most that of the fastest one.
        speed <= most && speed * steps <= most * longest
    }

    /// Change of a ball's velocity by forces in a step, m/s.
    fn gain(&self, at: &StepEnd, ball: usize) -> f64 {
        let state = &at.states[ball];
        self.scenario.ball_setup(ball).map_or(0.0, |BallSetup { ball, forces, .. }| {
            let force = forces.force(state.time, state.position, state.velocity, state.spin);
            self.scenario.step() * force.norm() / ball.mass()
        })
    }

    /// Largest normal velocity (m/s) of an unresolved hop, and the number of steps of the fastest one.
    fn unresolved(&self, at: &StepEnd, contact: &BallContact) -> (f64, f64) {
        let least = self.scenario.solver.capture_speed;
        if contact.other.is_none() && self.straight.is_some_and(|normal| (normal - contact.normal).norm() < 1e-9) {
            return (least, f64::INFINITY);
        }
        let Some(BallSetup { ball, ground, .. }) = self.scenario.ball_setup(contact.ball) else {
            return (least, f64::INFINITY);
        };
        let state = &at.states[contact.ball];
        let (law, curvature) = match contact.other.and_then(|other| self.scenario.ball_setup(other)) {
            Some(other) => (self.scenario.between(), 1.0 / (ball.radius() + other.ball.radius())),
            None => (&self.scenario.scene.law, ground.frame(ground.place_below(state.position)).curvature.abs()),
        };
        let along = relative(at, contact).dot(&contact.tangent());
        let in_a_step = self.gain(at, contact.ball) + self.scenario.step() * curvature * along * along;
        let hop = (2.0 + 1.0 / (1.0 - law.restitution(0.0))).min(0.5 * LOOK as f64);
        (least + if in_a_step.is_finite() { hop * in_a_step } else { 0.0 }, 2.0 * hop)
    }

    /// Determines the mode of each ball from its persistent contacts.
    fn settle_modes(&self, before: &StepEnd, at: &mut StepEnd, ahead: &VecDeque<StepEnd>) {
        let balls = at.states.len();
        at.modes.clear();
        at.modes.resize(balls, None);
        for i in 0..at.lasting.len() {
            let (key, contact) = at.lasting[i];
            for ball in [Some(key.0), key.1].into_iter().flatten() {
                if at.modes[ball].is_none() {
                    let was = before.modes.get(ball).copied().flatten();
                    at.modes[ball] = Some(self.mode(was, at, &contact, ball, ahead));
                }
            }
        }
        at.phases.clear();
        at.phases.extend(at.modes.iter().map(|mode| mode.map_or(Phase::Flight, Phase::from)));
    }

    fn mode(
        &self,
        was: Option<Mode>,
        at: &StepEnd,
        contact: &BallContact,
        ball: usize,
        ahead: &VecDeque<StepEnd>,
    ) -> Mode {
        let seen = at.seen[ball];
        if let Some(was) = was
            && seen.is_none_or(|seen| seen == was)
        {
            return was;
        }
        let frames = std::iter::once(at).chain(ahead).take(2 * VOTES);
        let votes = || frames.clone().filter_map(|frame| frame.seen[ball]).take(VOTES);
        let winner = votes().find(|mode| 4 * votes().filter(|other| other == mode).count() >= 3 * votes().count());
        let slides = frictionless(self.scenario, contact) || !turns(self.scenario, ball);
        winner.or(was).or(seen).unwrap_or(if slides { FORWARD } else { Mode::ROLLING })
    }

    fn emit(&mut self, before: &StepEnd, at: &StepEnd, emit: &mut impl FnMut(&BallEvent)) {
        self.told.fill(false);
        for (_, contact) in before.lasting.iter().filter(|(key, _)| at.lasting(*key).is_none()) {
            let kind = if self.at_end(at, contact) { EventKind::EndOfGround } else { EventKind::LiftOff };
            self.emit_one(at.event(self.scenario, before, kind, contact, at.whose(before, contact)), emit);
        }
        for (key, index) in at.active.iter().filter(|(key, _)| before.lasting(*key).is_none()) {
            let kind = if at.lasting(*key).is_some() { EventKind::Landing } else { EventKind::Impact };
            let contact = &at.contacts[*index];
            let mut event = at.event(self.scenario, before, kind, contact, at.whose(before, contact));
            event.event.normal_impulse = contact.normal_impulse;
            event.event.tangential_impulse = contact.tangential_impulse;
            self.emit_one(event, emit);
            let Event { phase_before, phase_after, .. } = event.event;
            let rests = kind == EventKind::Landing && at.modes[event.ball] == Some(Mode::Resting);
            if rests && phase_before != phase_after {
                emit(&event.at_rest());
            }
        }
        for ball in 0..at.states.len() {
            let (Some(was), Some(is)) = (before.modes[ball], at.modes[ball]) else { continue };
            if was == is || self.told[ball] {
                continue;
            }
            // The contact with the ground, if there is one.
            let of_ball = |key: &Key| key.0 == ball || key.1 == Some(ball);
            let mut found = at.lasting.iter().filter(|(key, _)| of_ball(key));
            let Some((_, contact)) = found.clone().find(|(key, _)| key.1.is_none()).or_else(|| found.next()) else {
                continue;
            };
            // Without friction there are no slips and sticks.
            let kind = match is {
                Mode::Resting => EventKind::Rest,
                _ if frictionless(self.scenario, contact) => continue,
                Mode::Sliding { .. } => EventKind::Slip,
                Mode::Rolling { .. } => EventKind::Stick,
            };
            emit(&at.event(self.scenario, before, kind, contact, ball));
        }
    }

    fn emit_one(&mut self, event: BallEvent, emit: &mut impl FnMut(&BallEvent)) {
        [Some(event.ball), event.other].into_iter().flatten().for_each(|ball| self.told[ball] = true);
        emit(&event);
    }

    /// Whether a ball that left the ground did so at the end of a curve.
    fn at_end(&self, at: &StepEnd, contact: &BallContact) -> bool {
        let (None, Some(ball_setup)) = (contact.other, self.scenario.ball_setup(contact.ball)) else { return false };
        let (state, ground) = (&at.states[contact.ball], ball_setup.ground.ground());
        let near = ground.closest(state.position);
        let unit = f64::EPSILON * (state.position.norm() + ball_setup.ground.radius());
        let there = |joint: &usize| Rounding::vanishes((ground.joint(*joint).point - near.point).norm(), unit);
        let Some(joint) = [near.piece, ground.joint_after(near.piece)].into_iter().find(there) else { return false };
        ground.joint(joint).kind == JointKind::End
    }
}

/// Approach velocity of a contact, m/s.
fn approach(contact: &BallContact) -> f64 {
    -contact.normal_velocity[0]
}

/// Velocity of the centre relative to the other ball's.
fn relative(at: &StepEnd, contact: &BallContact) -> Vector2<f64> {
    at.states[contact.ball].velocity - contact.other.map_or(Vector2::zeros(), |other| at.states[other].velocity)
}

/// Normal of a ground that is one straight line; `None`: another ground.
fn straight(scenario: &Scenario) -> Option<Vector2<f64>> {
    let [piece] = scenario.scene.ground.ground().pieces() else { return None };
    let domain = piece.domain();
    let inside = domain.lo.max(domain.hi.min(0.0));
    piece.is_straight().then(|| piece.jet(inside).normal())
}
