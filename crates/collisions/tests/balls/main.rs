//! Many balls event by event.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

mod calendar;
mod cradle;
mod gas;
mod ground;
mod handed;
mod impacts;
mod meeting;

use std::sync::Arc;

use collisions::curves::{Ground, OffsetGround, Piece};
use collisions::mechanics::{Ball, ContactLaw, Forces, State};
use collisions::moreau::Body;
use collisions::nalgebra::Vector2;

/// A closed box, its free side inside.
fn room(width: f64, height: f64) -> Arc<Ground> {
    let corners = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height], [0.0, 0.0]].map(Vector2::from);
    Arc::new(Ground::new(Piece::polyline(&corners).unwrap()).unwrap())
}

/// A line, free above.
fn line(points: &[[f64; 2]]) -> Arc<Ground> {
    let points: Vec<_> = points.iter().map(|p| Vector2::from(*p)).collect();
    Arc::new(Ground::new(Piece::polyline(&points).unwrap()).unwrap())
}

fn at(position: [f64; 2], velocity: [f64; 2], spin: f64) -> State {
    let [position, velocity] = [position, velocity].map(Vector2::from);
    State { time: 0.0, position, velocity, angle: 0.0, spin, dissipated: 0.0, work: 0.0 }
}

/// A body, `gravity` downwards.
fn body(ball: Ball, ground: &Arc<Ground>, law: ContactLaw, gravity: f64, start: State) -> Body {
    let ground = Arc::new(OffsetGround::new(ground.clone(), ball.radius()));
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -gravity)).unwrap();
    Body { ball, ground, forces, law, start }
}

/// Numbers in (0, 1).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
