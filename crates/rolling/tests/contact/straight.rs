//! Exact steps on straight ground: against 25 digits, between their ends, and where they don't hold.

use std::sync::Arc as Shared;

use curves::{Graph, Ground, OffsetGround, Piece};
use mechanics::{Ball, ContactLaw, Forces, Friction, Mode};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use numbers::{Expression, Interval};
use rolling::{ContactMethod, ContactState, ContactStep, Newmark, Straight};

use crate::world::World;

/// A row of `crates/reference/data/straight.py`: the ball on level ground under gravity that is not vertical.
struct Reference {
    name: &'static str,
    world: World,
    speed: f64,
    time: f64,
    exact: [f64; 2],
}

fn numbers<const N: usize>(text: &str) -> [f64; N] {
    let all: Vec<f64> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    all.try_into().expect("so many numbers")
}

fn world(ball: Ball, along: f64, [damping, linear, quadratic, wind]: [f64; 4]) -> World {
    let y = Expression::parse("0", &["x"], &[]).expect("a formula");
    let ground = Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)]).expect("a ground");
    let contact = ContactLaw::new(0.0).and_then(|law| law.with_rolling_damping(damping)).expect("a law");
    let forces = Forces::gravity(&ball, Vector2::new(along / ball.mass(), -9.81))
        .and_then(|forces| forces.with_drag(quadratic))
        .and_then(|forces| forces.with_linear_drag(linear))
        .and_then(|forces| forces.with_wind(Vector2::new(wind, 0.0)))
        .expect("allowed");
    let ground = OffsetGround::new(Shared::new(ground), ball.radius());
    World { ground, forces, ball, contact, mode: Mode::slides(0.0) }
}

fn references() -> Vec<Reference> {
    let row = |line: &'static str| {
        let parts: Vec<&str> = line.split(';').collect();
        let ([drive, mass], [damping, linear, quadratic]) = (numbers(parts[1]), numbers(parts[2]));
        let ([wind, speed], [time]) = (numbers(parts[3]), numbers(parts[4]));
        let rolls = parts[0].starts_with("rolling");
        let ball = if rolls { Ball::solid_sphere(mass / 1.4, 0.1) } else { Ball::point(mass) }.expect("a ball");
        let mut world = world(ball, drive, [damping, linear, quadratic, wind]);
        if rolls {
            world.contact = world.contact.with_friction(Friction::Infinite).expect("allowed");
            world.mode = Mode::ROLLING;
        }
        Reference { name: parts[0], world, speed, time, exact: numbers(parts[5]) }
    };
    include_str!("straight.txt").lines().map(row).collect()
}

fn within(tolerance: f64) -> Control {
    Control::Tolerance(Tolerance { relative: tolerance, absolute: tolerance })
}

fn method(control: Control) -> Straight<Newmark> {
    Straight::new(Newmark::symmetric(control), control)
}

/// Steps to a time, each shown.
fn follow(
    world: &World,
    method: &mut impl ContactMethod,
    start: ContactState,
    until: f64,
    mut see: impl FnMut(&ContactStep),
) -> ContactState {
    let mut step = ContactStep::begin(&start);
    while step.end.time < until {
        step.start = step.end;
        method.step(&world.system(), &mut step, until).expect("a step");
        see(&step);
        step.account(&world.system());
    }
    step.end
}

/// The ends of steps are exact, whatever the tolerance, and the energy is accounted for; dense output keeps to the tolerance.
#[test]
fn twenty_five_digits() {
    for reference in references() {
        let Reference { name, world, speed, time, exact: [way, last] } = &reference;
        for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
            let (mut exact, control) = (method(within(tolerance)), within(tolerance));
            let spin = if world.mode.rolls() { -speed / world.ball.radius() } else { 0.0 };
            let (mut steps, mut off) = (0, 0.0_f64);
            let end = follow(world, &mut exact, world.start(0.0, *speed, spin), *time, |step| {
                steps += 1;
                let dense = step.dense(&world.system());
                for part in [0.13, 0.35, 0.71, 0.93] {
                    let (mut there, t) = (ContactStep::begin(&step.start), part * step.duration());
                    method(control).step(&world.system(), &mut there, step.start.time + t).expect("a step");
                    let seen = dense.at(&world.system(), t);
                    let place = seen.place.parameter() - there.end.place.parameter();
                    if there.end.time == step.start.time + t {
                        off = off.max(place.abs()).max((seen.speed - there.end.speed).abs());
                    }
                }
            });
            let (x, v) = (end.place.parameter() - way, end.speed - last);
            let energy = |v: f64| 0.5 * world.system().ball.mass() * v * v * if spin == 0.0 { 1.0 } else { 1.4 };
            let pull = world.forces.gravity_vector().x * world.ball.mass();
            let unexplained = energy(end.speed) - energy(*speed) - pull * way + end.dissipated - end.work;
            println!("{name} {tolerance:e}: {steps} steps, {x:e} m, {v:e} m/s, dense {off:e}, {unexplained:e} J");
            let size = 1.0 + way.abs() + speed.abs();
            assert!(x.abs() <= 3e-14 * size && v.abs() <= 3e-14 * size, "{name} {tolerance:e}: {x:e} {v:e}");
            assert!(off <= tolerance * size + 1e-13 * size, "{name} {tolerance:e}: {off:e}");
            assert!(unexplained.abs() <= 50.0 * tolerance * size * size, "{name} {tolerance:e}: {unexplained:e}");
            assert!(steps <= 200, "{name} {tolerance:e}: {steps}");
        }
    }
}

/// A ball that slides with friction, and spins up: a parabola without the air, and as `symmetric` has it in the air.
#[test]
fn friction() {
    let ball = Ball::solid_sphere(1.0, 0.1).expect("a ball");
    for (quadratic, allowed) in [(0.0, 1e-14), (0.2, 1e-9)] {
        let mut world = world(ball, 0.0, [0.1, 0.0, quadratic, 0.0]);
        world.contact = world.contact.with_friction(Friction::Coefficient(0.3)).expect("allowed");
        world.mode = Mode::slides(1.0);
        if quadratic == 0.0 {
            world.contact = world.contact.with_rolling_damping(0.0).expect("allowed");
        }
        let start = world.start(0.0, 2.0, 0.0);
        let found = follow(&world, &mut method(within(1e-9)), start, 0.15, |_| ());
        let (x, v, spin, angle) = if quadratic == 0.0 {
            let (pull, turn) = (0.3 * 9.81, -0.3 * 9.81 / 0.04);
            (2.0 * 0.15 - 0.5 * pull * 0.0225, 2.0 - pull * 0.15, turn * 0.15, 0.5 * turn * 0.0225)
        } else {
            let mut newmark = Newmark::symmetric(within(1e-12));
            let end = follow(&world, &mut newmark, start, 0.15, |_| ());
            (end.place.parameter(), end.speed, end.spin, end.angle)
        };
        let off =
            [found.place.parameter() - x, found.speed - v, (found.spin - spin) * 0.1, (found.angle - angle) * 0.1];
        println!("drag {quadratic}: {off:?}");
        assert!(off.iter().all(|off| off.abs() <= allowed), "{off:?}");
    }
}

/// Bent ground, spin forces, wind through the ground and given steps are the other method's: to the last bit.
#[test]
fn left_to_the_other() {
    let ball = Ball::point(1.0).expect("a ball");
    let flat = || world(ball, 0.5, [0.1, 0.0, 0.2, 0.0]);
    let (mut lifted, mut blown) = (flat(), flat());
    lifted.forces = lifted.forces.with_magnus(0.1).expect("allowed");
    blown.forces = blown.forces.with_wind(Vector2::new(1.0, 2.0)).expect("allowed");
    let bent = World::graph("0.1*x^2");
    let step = Control::Step { step: 0.01, extrapolate: true };
    for (world, control) in [(bent, within(1e-6)), (lifted, within(1e-6)), (blown, within(1e-6)), (flat(), step)] {
        let start = world.start(0.3, 1.0, 0.0);
        let exact = follow(&world, &mut method(control), start, 0.4, |_| ());
        let newmark = follow(&world, &mut Newmark::symmetric(control), start, 0.4, |_| ());
        assert_eq!(exact, newmark);
    }
}
