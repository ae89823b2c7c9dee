//! Grounds and balls.

use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece, Profile};
use mechanics::{Ball, ContactLaw, Forces, Friction, State};
use moreau::Body;
use nalgebra::Vector2;
use numbers::{Interval, Number};

pub const GRAVITY: f64 = 9.81;

/// `y = slope·x`
#[derive(Debug)]
pub struct Slope(pub f64);

impl Profile for Slope {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.scale(self.0)]
    }
}

/// `y = x²/2`
#[derive(Debug)]
pub struct Valley;

impl Profile for Valley {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.square().scale(0.5)]
    }
}

pub fn ground(profile: impl Profile + 'static, radius: f64) -> Arc<OffsetGround> {
    let piece = Piece::new(profile, Interval::new(f64::NEG_INFINITY, f64::INFINITY));
    Arc::new(OffsetGround::new(Arc::new(Ground::new(vec![piece]).expect("a ground")), radius))
}

/// Straight pieces from corner to corner.
pub fn corners(points: &[[f64; 2]], radius: f64) -> Arc<OffsetGround> {
    let points: Vec<Vector2<f64>> = points.iter().map(|p| Vector2::from(*p)).collect();
    let pieces = Piece::polyline(&points).expect("pieces");
    Arc::new(OffsetGround::new(Arc::new(Ground::new(pieces).expect("a ground")), radius))
}

pub fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = if friction.is_finite() { Friction::Coefficient(friction) } else { Friction::Infinite };
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

pub fn at(position: [f64; 2], velocity: [f64; 2], spin: f64) -> State {
    let (position, velocity) = (position.into(), velocity.into());
    State { time: 0.0, position, velocity, angle: 0.0, spin, dissipated: 0.0, work: 0.0 }
}

/// A solid sphere of 1 kg under gravity.
pub fn sphere(ground: &Arc<OffsetGround>, law: ContactLaw, start: State) -> Body {
    let ball = Ball::new(1.0, ground.radius(), Ball::SOLID_SPHERE).expect("a ball");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -GRAVITY)).expect("gravity");
    Body { ball, ground: ground.clone(), forces, law, start }
}
