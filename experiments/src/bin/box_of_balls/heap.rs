//! Balls in layers above a valley, and what is watched of them.

use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece, Profile};
use experiments::{Failure, Random};
use mechanics::{Ball, ContactLaw, Forces, Friction, State};
use moreau::{BallSettings, Balls, Body, Projection};
use nalgebra::Vector2;
use numbers::{Interval, Number};
use serde_json::{Value, json};

pub const GRAVITY: f64 = 9.81;
/// m
pub const RADII: [f64; 2] = [0.05, 0.035];
pub const RESTITUTION: f64 = 0.0;
pub const FRICTION: f64 = 0.3;
/// s
pub const STEP: f64 = 5e-4;

/// `y = x²/(2ρ)`
#[derive(Clone, Copy, Debug)]
struct Valley(f64);

impl Profile for Valley {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.square().scale(0.5 / self.0)]
    }
}

/// How many balls, in how many columns, and the distance of their layers.
#[derive(Clone, Copy, Debug)]
pub struct Heap {
    pub balls: usize,
    pub columns: usize,
    pub pitch: f64,
    /// Largest speed to either side at the start, m/s.
    pub stir: f64,
}

impl Heap {
    /// Of the valley, so that heaps of all sizes look alike, m.
    pub fn bend(&self) -> f64 {
        0.1 * self.columns as f64
    }

    pub fn parameters(&self, seed: u64) -> Value {
        json!({
            "method": "moreau", "theta": 0.5, "step": STEP, "balls": self.balls, "radii": RADII, "mass": 1.0,
            "gravity": GRAVITY, "restitution": RESTITUTION, "friction": FRICTION, "pitch": self.pitch,
            "stir": self.stir, "valley": format!("y = x²/{}", 2.0 * self.bend()), "seed": seed,
        })
    }

    pub fn pour(&self, seed: u64) -> Result<Balls, Failure> {
        let piece = Piece::new(Valley(self.bend()), Interval::new(f64::NEG_INFINITY, f64::INFINITY));
        let ground = Arc::new(Ground::new(vec![piece]).map_err(|error| Failure::Missing(error.to_string()))?);
        let grounds = RADII.map(|radius| Arc::new(OffsetGround::new(ground.clone(), radius)));
        let law = ContactLaw::new(RESTITUTION)?.with_friction(Friction::Coefficient(FRICTION))?;
        let mut random = Random::new(seed);
        let columns = self.columns;
        let slack = 0.08 * self.pitch;
        let mut bodies = Vec::with_capacity(self.balls);
        for i in 0..self.balls {
            let (column, row) = ((i % columns) as f64, (i / columns) as f64);
            let x = (column - 0.5 * (columns as f64 - 1.0)) * self.pitch + random.between(0.0, slack);
            let y = x * x / (2.0 * self.bend()) + 0.08 + self.pitch * row + random.between(0.0, slack);
            let ground = &grounds[usize::from(random.between(0.0, 1.0) < 0.4)];
            let ball = Ball::new(1.0, ground.radius(), Ball::SOLID_SPHERE)?;
            bodies.push(Body {
                ball,
                ground: ground.clone(),
                forces: Forces::gravity(&ball, Vector2::new(0.0, -GRAVITY))?,
                law: law.clone(),
                start: State {
                    time: 0.0,
                    position: Vector2::new(x, y),
                    velocity: Vector2::new(random.between(-self.stir, self.stir), 0.0),
                    angle: 0.0,
                    spin: 0.0,
                    dissipated: 0.0,
                    work: 0.0,
                },
            });
        }
        let projection = Some(Projection { tolerance: 1e-6, ..Projection::default() });
        let settings = BallSettings { prediction: 1.0, projection, ..BallSettings::new(STEP) };
        Ok(Balls::new(bodies, law, settings)?)
    }
}

/// The deepest penetration of all, in radii of the smaller ball; from the valley's formula and from distances, every
/// ball against every other.
pub fn deepest(balls: &Balls, bend: f64) -> f64 {
    let all: Vec<_> = (0..balls.len()).map(|i| (balls.state(i).position, balls.body(i).ball.radius())).collect();
    let mut deepest = 0f64;
    for (i, (q, radius)) in all.iter().enumerate() {
        deepest = deepest.max((radius - distance(*q, bend)) / radius);
        for (other, its) in &all[..i] {
            deepest = deepest.max((radius + its - (q - other).norm()) / radius.min(*its));
        }
    }
    deepest
}

/// From a point to `y = x²/(2ρ)`: the foot is the outermost root of `u³/2ρ² + u(1 − y/ρ) − |x| = 0`, reached by Newton's
/// method from outside, where the cubic is convex.
fn distance(q: Vector2<f64>, bend: f64) -> f64 {
    let x = q.x.abs();
    let slope = 1.0 - q.y / bend;
    let mut u = x + (2.0 * bend * q.y.abs()).sqrt() + bend;
    for _ in 0..100 {
        let change = (u * u * u / (2.0 * bend * bend) + u * slope - x) / (1.5 * u * u / (bend * bend) + slope);
        if !(change > 1e-15 * u) {
            break;
        }
        u -= change;
    }
    let away = Vector2::new(x - u, q.y - u * u / (2.0 * bend));
    if away.y < 0.0 { -away.norm() } else { away.norm() }
}
