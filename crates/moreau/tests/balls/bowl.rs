//! Rolling in a circular bowl, against the exact pendulum.

use std::f64::consts::PI;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece};
use moreau::{BallSettings, Balls, Projection};
use nalgebra::Vector2;
use numbers::Interval;
use reference::bowl::Bowl;

use super::world::{GRAVITY, at, law, sphere};

struct Found {
    position: f64,
    force: f64,
    gap: f64,
}

fn roll(step: f64, theta: f64, projection: Option<Projection>) -> Found {
    let (arc, length) = curves::Arc::new(Vector2::zeros(), 1.1, 0.2 - PI, -0.2).expect("an arc");
    let pieces = vec![Piece::of(arc, Interval::new(0.0, length))];
    let ground = Arc::new(OffsetGround::new(Arc::new(Ground::new(pieces).expect("a ground")), 0.1));
    let exact = Bowl { radius: 1.0, gravity: GRAVITY, mass: 1.0, inertia_factor: 0.4, release: PI / 3.0 };
    let body = sphere(&ground, law(0.0, f64::INFINITY), at(exact.at(0.0).position, [0.0; 2], 0.0));
    let settings = BallSettings { projection, theta, ..BallSettings::new(step) };
    let mut balls = Balls::new(vec![body], law(0.0, 0.0), settings).expect("a start");
    let mut found = Found { position: 0.0, force: 0.0, gap: 0.0 };
    while balls.index() < (3.0 / step).round() as u64 {
        balls.step().expect("a step");
        let state = balls.state(0);
        let there = Vector2::from(exact.at(balls.time()).position);
        found.position = found.position.max((state.position - there).norm());
        found.gap = found.gap.min(ground.gap(state.position));
        // The mean force of a step is that of its middle.
        let impulse: f64 = balls.contacts().iter().map(|contact| contact.normal_impulse).sum();
        let force = exact.at(balls.time() - 0.5 * step).normal_force;
        found.force = found.force.max((impulse / step - force).abs());
    }
    let (ledger, projected) = (balls.energy(), balls.audit().projected);
    println!(
        "h = {step}, θ = {theta}, {projection:?}: q {:e}, λ {:e}, gap {:e}, {projected:?}, numerical {:e}, normal {:e}",
        found.position,
        found.force,
        found.gap,
        ledger.numerical(),
        ledger.normal
    );
    assert!((ledger.projection - projected.energy).abs() < 1e-12);
    found
}

fn orders(theta: f64, projection: Option<Projection>) -> [f64; 2] {
    let steps = [1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4];
    let found = steps.map(|h| roll(h, theta, projection));
    let slope = |of: fn(&Found) -> f64| (of(&found[0]) / of(&found[4])).log2() / 4.0;
    let orders = [slope(|f| f.position), slope(|f| f.force)];
    println!("θ = {theta}, {projection:?}: orders of q and λ {orders:?}");
    orders
}

#[test]
fn order_1() {
    for theta in [0.5, 1.0] {
        for projection in [None, Some(Projection::default())] {
            let [position, force] = orders(theta, projection);
            assert!((position - 1.0).abs() < 0.1 && (force - 1.0).abs() < 0.1, "θ = {theta}: {position} {force}");
        }
    }
}

#[test]
fn errors_at_5_ms() {
    let plain = roll(5e-3, 0.5, None);
    assert!(plain.position <= 4e-2 && plain.force <= 0.35, "{} {}", plain.position, plain.force);
    // Not even without the projection.
    assert!(plain.gap > -1e-4, "{:e}", plain.gap);
    for theta in [0.5, 1.0] {
        let projected = roll(5e-3, theta, Some(Projection::default()));
        assert!(projected.gap >= -1e-8 && projected.force <= 0.35, "{:e} {:e}", projected.gap, projected.force);
    }
}
