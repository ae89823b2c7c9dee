//! A step back undoes a step.

use mechanics::{Ball, Forces, Mode};
use nalgebra::Vector2;
use numbers::Expression;
use rolling::{ContactState, Formulation};

use crate::world::{World, fixed, slope, step};

const HILLS: &str = "0.3*sin(2*x) + 0.1*x^2";

fn sphere() -> Ball {
    Ball::new(0.7, 0.05, 0.4).expect("a ball")
}

/// Worlds with every kind of force in them.
fn worlds() -> Vec<(&'static str, World)> {
    let drag = |world: World| {
        let forces = Forces::gravity(&world.ball, Vector2::new(0.4, -9.81)).expect("finite");
        let forces = forces.with_drag(0.05).expect("allowed").with_wind(Vector2::new(2.0, 0.0)).expect("allowed");
        let pull = ["sin(3*t)*x", "-vx*y"].map(|f| Expression::parse(f, &Forces::VARIABLES, &[]).expect("a formula"));
        World { forces: forces.with_magnus(0.01).expect("allowed").with_external(pull), ..world }
    };
    let sliding = Mode::slides(1.0);
    vec![
        ("bead", World::graph(HILLS)),
        ("damped bead", World::graph(HILLS).with_damping(0.5)),
        ("bead in the wind", drag(World::graph(HILLS))),
        ("rolling", World::ball_on_graph(HILLS, sphere()).with_friction(0.5, Mode::ROLLING)),
        ("rolling in the wind", drag(World::ball_on_graph(HILLS, sphere()).with_friction(0.5, Mode::ROLLING))),
        ("sliding", World::ball_on_graph(HILLS, sphere()).with_friction(0.3, sliding)),
        (
            "sliding in the wind",
            drag(World::ball_on_graph(HILLS, sphere()).with_friction(0.3, sliding)).with_damping(0.2),
        ),
    ]
}

fn start(world: &World) -> ContactState {
    let spin = if world.mode.rolls() { -1.0 / 0.05 } else { 100.0 };
    world.start(0.4, 1.0, if world.ball.turns() { spin } else { 0.0 })
}

fn distance(a: &ContactState, b: &ContactState) -> f64 {
    let spin = 0.05 * (a.spin - b.spin);
    let place = (a.frame.position - b.frame.position).norm();
    let velocity = (a.velocity() - b.velocity()).norm();
    place.max(velocity).max(spin.abs()).max((a.dissipated - b.dissipated).abs()).max((a.work - b.work).abs())
}

/// Twenty steps forth and back return to the start, ledger included; `projected` does not.
#[test]
fn there_and_back() {
    let return_error = |world: &World, formulation: Formulation| {
        let begin = start(world);
        let mut method = fixed(formulation, 0.01, false);
        let mut state = begin;
        for _ in 0..20 {
            state = step(world, &mut method, &state, 0.01);
        }
        let away = distance(&begin, &state);
        for _ in 0..20 {
            state = step(world, &mut method, &state, -0.01);
        }
        assert!(away > 0.1);
        distance(&begin, &state)
    };
    for (name, world) in worlds() {
        let [symmetric, arc, projected] =
            [Formulation::Symmetric, Formulation::ArcLength, Formulation::Projected].map(|f| return_error(&world, f));
        println!("{name}: symmetric {symmetric:e}, arc-length {arc:e}, projected {projected:e}");
        assert!(symmetric <= 1e-13, "{name}: symmetric {symmetric:e}");
        assert!(arc <= 1e-13, "{name}: arc-length {arc:e}");
        assert!(projected > 1e-9, "{name}: projected {projected:e}");
    }
}

/// Errors of even powers only: one extrapolation gives order 4 whatever acts, two kinds of multiplier included.
#[test]
fn extrapolation_gives_order_4() {
    for (name, world) in worlds() {
        for formulation in [Formulation::Symmetric, Formulation::ArcLength] {
            let end = |h: f64, extrapolate: bool| {
                let mut method = fixed(formulation, h, extrapolate);
                let mut state = start(&world);
                for _ in 0..(0.32 / h).round() as u32 {
                    state = step(&world, &mut method, &state, h);
                }
                state
            };
            let exact = end(0.0005, true);
            let order =
                |extrapolate: bool, steps: [f64; 4]| slope(&steps.map(|h| (h, distance(&end(h, extrapolate), &exact))));
            let plain = order(false, [0.02, 0.01, 0.005, 0.0025]);
            let extrapolated = order(true, [0.02, 0.01, 0.005, 0.004]);
            println!("{name}, {formulation:?}: {plain:.2}, {extrapolated:.2}");
            assert!((plain - 2.0).abs() <= 0.1, "{name}, {formulation:?}: {plain}");
            assert!((extrapolated - 4.0).abs() <= 0.25, "{name}, {formulation:?}: {extrapolated}");
        }
    }
}
