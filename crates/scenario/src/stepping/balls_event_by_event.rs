//! Runs several balls event by event, and reports to the observer of time stepping.

use std::cell::Cell;

use collisions::{CollisionEvent, CollisionKind, CollisionLeg, Collisions, Contact};
use curves::{Frame, turn_left};
use mechanics::{Mode, State};
use nalgebra::Vector2;
use numbers::Rounding;
use supervisor::{Balance, Event, EventKind, Phase, Sample};

use super::mode_at_step_end::Penetration;
use super::observer::{BallEvent, BallLeg, BallObserver, BallSample, Forces};
use super::{SteppingStop, SteppingSummary};
use crate::scenario::{BallSetup, Scenario};

/// Least number of times in a run that the observer is asked whether to end it.
const PARTS: f64 = 1000.0;
/// Events between two calls of `progress`.
const PROGRESS: u64 = 4096;

fn phase(contact: Contact) -> Phase {
    match contact {
        Contact::None => Phase::Flight,
        Contact::Stepped => Phase::Sliding,
        Contact::Ground(mode) => Phase::from(mode),
    }
}

/// Runs the balls of a scenario event by event, reporting to `observer`.
pub(super) fn run_events(scenario: &Scenario, observer: &mut impl BallObserver) -> SteppingSummary {
    let mut balls = match scenario.collisions() {
        Ok(balls) => balls,
        Err(refused) => return SteppingSummary::unfit(refused.to_string()),
    };
    let mut summary = SteppingSummary { energy_start: balls.energy(), ..SteppingSummary::default() };
    let (begin, duration) = (scenario.start.time(), scenario.solver.duration);
    let mut pushes = vec![[0.0; 2]; balls.len()];
    let mut told = 0u64;
    let asked = Cell::new(false);
    let rows = (duration / scenario.interval).max(1.0);
    let parts = (PARTS / rows).ceil().clamp(1.0, PARTS) as u32;
    for row in 0.. {
        let time = row as f64 * scenario.interval;
        let last = !(time < duration * (1.0 - 1e-12));
        let time = begin + if last { duration } else { time };
        let mut tell_one = |event: &CollisionEvent| {
            tell(event, scenario, &mut summary, observer);
            told += 1;
            if told.is_multiple_of(PROGRESS) {
                observer.progress(event.states[0].time);
                asked.set(observer.ends() || scenario.scene.is_ended());
            }
        };
        // The run is cut into parts, after which the observer may end it.
        let mut stop = None;
        let from = balls.time();
        for part in 1..=parts {
            let to = if part == parts { time } else { from + (time - from) * f64::from(part) / f64::from(parts) };
            let advanced = balls.advance(to, &mut tell_one).map_err(SteppingStop::from);
            let asked = asked.get() && part < parts;
            stop = advanced.err().or(asked.then_some(SteppingStop::Asked { time: to }));
            if stop.is_some() {
                break;
            }
        }
        summary.stop = stop;
        for (ball, before) in pushes.iter_mut().enumerate() {
            for found in penetrations(&balls, ball).into_iter().flatten() {
                summary.sinks(found);
            }
            observer.leg(&leg_of(ball, &balls.leg(ball), row > 0));
            observer.sample(&sample(&balls, ball, balls.time() - from, before));
        }
        observer.progress(balls.time());
        if !last && summary.stop.is_none() && (observer.ends() || scenario.scene.is_ended()) {
            summary.stop = Some(SteppingStop::Asked { time: balls.time() });
        }
        if last || summary.stop.is_some() {
            break;
        }
    }
    ended(&balls, summary)
}

fn ended(balls: &Collisions, mut summary: SteppingSummary) -> SteppingSummary {
    let reports = (0..balls.len()).map(|ball| balls.leg(ball));
    (summary.states, summary.phases) = reports.map(|report| (report.state, phase(report.contact))).unzip();
    summary.energy_end = balls.energy();
    let count = balls.count();
    (summary.count.steps, summary.count.evaluations.ground) = (count.steps, balls.search().evaluations);
    summary.waiting = (0..balls.len()).filter(|ball| balls.waits(*ball)).collect();
    summary.audit = balls.audit();
    summary.collisions = Some(count);
    summary
}

/// Reports an event, and the legs that begin with it.
fn tell(event: &CollisionEvent, scenario: &Scenario, summary: &mut SteppingSummary, observer: &mut impl BallObserver) {
    let mut emit = |event: BallEvent| {
        summary.count.add(event.event.kind);
        observer.event(&event);
    };
    see(&mut summary.balance, scenario, event);
    if let Some(kind) = kind_of(event) {
        let told_event = event_of(scenario, event, kind);
        emit(told_event);
        let Event { phase_before, phase_after, .. } = told_event.event;
        if event.kind == CollisionKind::Landing && phase_after == Phase::Resting && phase_before != phase_after {
            emit(told_event.at_rest());
        }
    }
    for (ball, leg) in [Some(event.ball), event.other].into_iter().zip(event.legs) {
        if let (Some(ball), Some(leg)) = (ball, leg) {
            observer.leg(&leg_of(ball, &leg, false));
        }
    }
}

fn sample(balls: &Collisions, ball: usize, since: f64, before: &mut [f64; 2]) -> BallSample {
    let (report, pushes) = (balls.leg(ball), balls.pushes(ball));
    let impulses = [0, 1].map(|i| pushes[i] - before[i]);
    *before = pushes;
    let [normal_force, friction_force] = report.forces;
    let sample = Sample {
        phase: phase(report.contact),
        state: report.state,
        acceleration: report.acceleration,
        place: None,
        last: curves::Touched::default(),
        normal_force,
        friction_force,
        second_normal_force: 0.0,
    };
    let forces = Forces { normal: normal_force, friction: friction_force, vectors: [Vector2::zeros(); 2] };
    BallSample { ball, sample, since, impulses, forces, energy: balls.energy_of(ball) }
}

/// Penetrations of a ball into the ground and into another ball, beyond rounding.
fn penetrations(balls: &Collisions, ball: usize) -> [Option<Penetration>; 2] {
    if balls.waits(ball) {
        return [None; 2];
    }
    let state = balls.leg(ball).state;
    let size = state.position.amax() + balls.body(ball).ball.radius();
    let unit = Rounding::of_motion(size, state.time, state.velocity.norm(), 0.0).length;
    let deep = |gap: f64, other| {
        let depth = -gap;
        (depth > Rounding::SUM * unit).then_some(Penetration { depth, time: state.time, ball, other })
    };
    let (nearest, gap) = balls.nearest(ball);
    [deep(balls.gap(ball), None), nearest.and_then(|other| deep(gap, Some(other)))]
}

fn leg_of(ball: usize, leg: &CollisionLeg, row: bool) -> BallLeg {
    let CollisionLeg { state, acceleration, spin_acceleration, contact, forces, exchanged, stepped } = *leg;
    BallLeg {
        ball,
        state,
        acceleration,
        spin_acceleration,
        phase: phase(contact),
        forces,
        exchanged,
        stepped,
        continues: row && !stepped,
    }
}

/// Kind of the event; `None` for the release of a ball.
fn kind_of(told: &CollisionEvent) -> Option<EventKind> {
    Some(match (told.kind, told.contacts[1]) {
        (CollisionKind::Impact, _) => EventKind::Impact,
        (CollisionKind::Landing | CollisionKind::Handed, _) => EventKind::Landing,
        (CollisionKind::Returned, _) => EventKind::LiftOff,
        (CollisionKind::Changes, Contact::Ground(Mode::Resting)) => EventKind::Rest,
        (CollisionKind::Changes, Contact::Ground(Mode::Rolling { .. })) => EventKind::Stick,
        (CollisionKind::Changes, _) => EventKind::Slip,
        (CollisionKind::Released, _) => return None,
    })
}

fn event_of(scenario: &Scenario, told: &CollisionEvent, kind: EventKind) -> BallEvent {
    let CollisionEvent { ball, other, normal, place, states: [before, after], others, contacts, impulse, .. } = *told;
    let ground = scenario.ball_setup(ball).map_or(&scenario.scene.ground, |ball_setup| &ball_setup.ground);
    let tangent = -turn_left(normal);
    let place = place.unwrap_or_else(|| ground.place_below(after.position));
    let velocity = |k: usize| {
        let other = others.map_or(Vector2::zeros(), |others| others[k].velocity);
        [before, after][k].velocity - other
    };
    let energy = |k: usize| {
        let of = |ball: usize, state: &State| {
            scenario.ball_setup(ball).map_or(0.0, |BallSetup { ball, forces, .. }| {
                let potential = -ball.mass() * forces.gravity_vector().dot(&state.position);
                ball.kinetic_energy(state.velocity, state.spin) + potential
            })
        };
        let its = other.zip(others).map_or(0.0, |(other, others)| of(other, &others[k]));
        of(ball, &[before, after][k]) + its
    };
    BallEvent {
        ball,
        other,
        event: Event {
            kind,
            phase_before: phase(contacts[0]),
            phase_after: phase(contacts[1]),
            place,
            frame: Frame { normal, tangent, ..ground.frame(place) },
            before,
            after,
            normal_impulse: impulse[0],
            tangential_impulse: impulse[1],
            largest_normal_force: 0.0,
            ground_velocity: Vector2::zeros(),
        },
        normal_velocity: [0, 1].map(|k| velocity(k).dot(&normal)),
        tangential_velocity: [0, 1].map(|k| velocity(k).dot(&tangent)),
        energy: [0, 1].map(energy),
        watch: None,
    }
}

/// Adds the residuals of an impact: of both balls together, or of one ball and the ground's impulse.
fn see(balance: &mut Balance, scenario: &Scenario, told: &CollisionEvent) {
    let CollisionEvent {
        kind: CollisionKind::Impact | CollisionKind::Landing,
        ball,
        other,
        normal,
        states,
        others,
        impulse,
        ..
    } = *told
    else {
        return;
    };
    let setups = (scenario.ball_setup(ball), other.and_then(|other| scenario.ball_setup(other)));
    let (Some(one), tangent) = (setups.0, -turn_left(normal)) else { return };
    let push = normal * impulse[0] + tangent * impulse[1];
    let of = |setup: &BallSetup, [before, after]: &[State; 2], push: Vector2<f64>| {
        let momentum = (after.velocity - before.velocity) * setup.ball.mass() - push;
        let turning = setup.ball.inertia() * (after.spin - before.spin) - setup.ball.arm() * impulse[1];
        (momentum.lp_norm(1), turning.abs(), (after.position - before.position).lp_norm(1))
    };
    let (mut momentum, mut angular, place) = of(one, &states, push);
    let mut gap = 0.0;
    match (setups.1, others) {
        (Some(two), Some(others)) => {
            let its = of(two, &others, -push);
            (momentum, angular) = (momentum.max(its.0), angular.max(its.1));
        }
        _ => gap = one.ground.gap(states[1].position).abs(),
    }
    balance.see([place, momentum, angular, gap], states[0].time);
}
