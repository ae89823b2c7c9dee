//! Scenarios that have a closed form.

use curves::Place;
use mechanics::State;
use reference::{bounce::Bounce, bowl::Bowl};
use scenario::Scenario;
use supervisor::{EventKind, Start};

use super::reference_solution::{ClosedForm, Exact};
use super::track::{EventTime, KEPT_EVENTS};

/// The closed form of a scenario, if it has one of these: a ball that bounces on level ground without friction, or one
/// that swings in a circle from rest, without friction or rolling; both under gravity alone.
pub fn known(scenario: &Scenario) -> Option<ClosedForm> {
    let forces = &scenario.scene.forces;
    let gravity = forces.gravity_vector();
    let alone = [0.0, 1.0].iter().all(|spin| forces.constant(*spin) == Some(gravity * forces.mass()));
    let rigid = scenario.scene.compliance.is_none() && forces.carriage().is_none();
    let single = scenario.stepping.as_ref().is_none_or(|stepping| stepping.balls.len() == 1);
    if !(alone && rigid && single && gravity.x == 0.0 && gravity.y < 0.0) {
        return None;
    }
    bounces(scenario, -gravity.y).or_else(|| swings(scenario, -gravity.y))
}

fn bounces(scenario: &Scenario, gravity: f64) -> Option<ClosedForm> {
    let scene = &scenario.scene;
    let (Start::Flight(start), [piece]) = (scenario.start, scene.ground.ground().pieces()) else { return None };
    // The enclosure is over the whole piece, so level ground is proven.
    let [along, rise] = piece.enclosure(piece.domain()).first;
    let level = (rise.lo, rise.hi) == (0.0, 0.0) && along.lo > 0.0;
    let duration = scenario.solver.duration;
    let State { position, velocity, time, .. } = start;
    let travels = [position.x, position.x + velocity.x * duration];
    // Level ground has one height.
    let floor = Place::Piece { index: 0, parameter: piece.domain().clamp(0.0) };
    let lowest = scene.ground.frame(floor).position.y;
    let stays = travels.iter().all(|x| !scene.ground.ground().above(*x).is_empty());
    let height = position.y - lowest;
    if !(level && stays && scene.law.is_smooth() && height > 0.0 && time == 0.0) {
        return None;
    }
    // Time of the highest point, possibly before the start: the ball moves as if dropped there.
    let top = velocity.y / gravity;
    let restitution = scene.law.coefficient_of_restitution()?;
    let drop = Bounce { height: height + 0.5 * velocity.y * top, gravity, restitution };
    let end = top + drop.zeno_time();
    let impacts = (1..=KEPT_EVENTS as u32).map(|k| top + drop.impact_time(k));
    // Later impacts are closer to the end of the bounces than the tolerance to which events are compared.
    let told: Vec<f64> = impacts.take_while(|time| *time <= duration && end - time > 1e-12 * duration).collect();
    let mut events: Vec<EventTime> =
        told.iter().map(|time| EventTime { kind: EventKind::Impact, time: *time }).collect();
    let mut captures = Vec::new();
    if end <= duration {
        events.push(EventTime { kind: EventKind::Landing, time: end });
        captures.push([told.last().copied().unwrap_or(end), end]);
        if velocity.x == 0.0 && start.spin == 0.0 {
            events.push(EventTime { kind: EventKind::Rest, time: end });
        }
    }
    let weight = scene.ball.mass() * gravity;
    let at = move |time: f64| {
        let [rise, speed] = drop.at(time - top);
        Exact {
            position: [position.x + velocity.x * time, lowest + rise],
            velocity: [velocity.x, speed],
            normal_force: (time >= end).then_some(weight),
        }
    };
    Some(ClosedForm { name: "a chain of parabolas", at: Box::new(at), events, captures })
}

fn swings(scenario: &Scenario, gravity: f64) -> Option<ClosedForm> {
    let scene = &scenario.scene;
    let rolls = scene.law.never_slips() && scene.law.rolling_damping() == 0.0 && scene.law.rolling_resistance() == 0.0;
    let slides = scene.law.is_smooth();
    let Start::Contact { place, speed: 0.0, spin: None | Some(0.0), time: 0.0 } = scenario.start else { return None };
    if scenario.curve.kind != "circle" || !(rolls || slides) {
        return None;
    }
    let frame = scene.ground.frame(place);
    let radius = 1.0 / frame.curvature;
    let centre = frame.position + radius * frame.normal;
    let release = (-frame.normal.x).atan2(frame.normal.y);
    // Released below the level of the circle's centre, the ball never leaves the ground.
    if !(frame.curvature > 0.0 && release.abs() < 0.5 * std::f64::consts::PI && release != 0.0) {
        return None;
    }
    let ball = &scene.ball;
    let inertia_factor = if rolls { ball.inertia_factor() } else { 0.0 };
    let bowl = Bowl { radius, gravity, mass: ball.mass(), inertia_factor, release };
    let at = move |time: f64| {
        let state = bowl.at(time);
        let [x, y] = state.position;
        Exact {
            position: [centre.x + x, centre.y + y],
            velocity: state.velocity,
            normal_force: Some(state.normal_force),
        }
    };
    Some(ClosedForm { name: "elliptic functions", at: Box::new(at), events: Vec::new(), captures: Vec::new() })
}
