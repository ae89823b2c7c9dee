//! rapier2d in double precision: a ball collider over fixed ground, restitution and friction of the task, continuous
//! collision detection on; drag as a force given anew before each step.

use std::time::Instant;

use rapier2d_f64::prelude::*;

use crate::contest::{Outcome, Solve};
use crate::tasks::{GRAVITY, Kind, Task};

/// Radius of the ball, m. Hills are a task for a point, hence the small one there.
const RADIUS: f64 = 0.1;
const SMALL: f64 = 1e-3;

/// What a task is for rapier.
struct Model {
    radius: f64,
    centre: [f64; 2],
    velocity: [f64; 2],
    ground: ColliderBuilder,
    restitution: f64,
    friction: f64,
    inertia_factor: f64,
    drag: f64,
    /// How far below the centre the task's place is, m.
    below: f64,
}

/// One-sided, so that no end of a segment pushes sideways: the free side is on the right, hence from the last point to the first.
fn polyline(point: impl Fn(f64) -> [f64; 2], from: f64, to: f64, count: usize) -> ColliderBuilder {
    let at = |i: usize| {
        let [x, y] = point(from + (to - from) * i as f64 / count as f64);
        Vector::new(x, y)
    };
    ColliderBuilder::oriented_polyline((0..=count).rev().map(at).collect(), None)
}

fn model(task: &Task) -> Model {
    let plain = Model {
        radius: RADIUS,
        centre: [0.0, 1.0],
        velocity: [0.0; 2],
        ground: ColliderBuilder::ball(1.0 - RADIUS),
        restitution: 0.0,
        friction: 0.0,
        inertia_factor: 0.4,
        drag: 0.0,
        below: 0.0,
    };
    match task.kind {
        Kind::Throw(throw) => {
            let [x, y, vx, vy] = throw.start;
            let flat = throw.height == 0.0;
            let radius = if flat { RADIUS } else { SMALL };
            let ground = if flat {
                ColliderBuilder::cuboid(100.0, 1.0).translation(Vector::new(0.0, -1.0))
            } else {
                polyline(|x| [x, throw.height * (throw.wave * x).sin()], -2.0, 60.0, 62_000)
            };
            let (centre, velocity) = ([x, y + radius], [vx, vy]);
            let (restitution, drag) = (throw.restitution, throw.drag);
            Model { radius, centre, velocity, ground, restitution, drag, below: radius, ..plain }
        }
        Kind::Bowl { factor, release } => {
            let inside = 1.0 + RADIUS;
            let ground = polyline(|angle| [inside * angle.sin(), -inside * angle.cos()], -1.4, 1.4, 4000);
            let friction = if factor > 0.0 { 100.0 } else { 0.0 };
            let inertia_factor = if factor > 0.0 { factor } else { 0.4 };
            Model { centre: [release.sin(), -release.cos()], ground, friction, inertia_factor, ..plain }
        }
        Kind::Crest { speed } => Model { velocity: [speed, 0.0], ..plain },
    }
}

/// A new world for each run, built before its time is taken.
pub fn solve(task: &Task, steps_a_second: u32) -> Solve {
    let (count, dt) = ((task.duration as u32) * steps_a_second, 1.0 / f64::from(steps_a_second));
    let parts = model(task);
    Box::new(move || {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, -GRAVITY);
        world.integration_parameters.dt = dt;
        let surface = |collider: ColliderBuilder| {
            let collider = collider.restitution(parts.restitution).friction(parts.friction);
            collider.restitution_combine_rule(CoefficientCombineRule::Max)
        };
        let inertia = parts.inertia_factor * parts.radius * parts.radius;
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(parts.centre[0], parts.centre[1]))
            .linvel(Vector::new(parts.velocity[0], parts.velocity[1]))
            .additional_mass_properties(MassProperties::new(Vector::ZERO, 1.0, inertia))
            .ccd_enabled(true)
            .can_sleep(false);
        let ball = world.insert_body(body);
        world.insert_collider(surface(ColliderBuilder::ball(parts.radius).density(0.0)), Some(ball));
        world.insert_collider(surface(parts.ground.clone()), None);
        let mut places = Vec::new();
        let start = Instant::now();
        for k in 1..=count {
            if parts.drag != 0.0 {
                let body = &mut world.bodies[ball];
                let velocity = body.linvel();
                body.reset_forces(true);
                body.add_force(-parts.drag * velocity.length() * velocity, true);
            }
            world.step();
            if k % steps_a_second == 0 {
                let centre = world.bodies[ball].translation();
                places.push([centre.x, centre.y - parts.below]);
            }
        }
        Outcome { seconds: start.elapsed().as_secs_f64(), words: "to the end".to_owned(), places }
    })
}
