//! The balls of a heap: solid spheres of 1000 kg/m² R², under gravity of 9.81 m/s².

use std::error::Error;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece};
use mechanics::{Ball, ContactLaw, Forces, Friction, State};
use moreau::{BallSettings, Balls, Body};
use nalgebra::Vector2;
use reference::heap::HeapStart;

/// m/s²
pub const GRAVITY: f64 = 9.81;

pub fn mass(radius: f64) -> f64 {
    1000.0 * radius * radius
}

pub fn balls(heap: &HeapStart, settings: BallSettings) -> Result<Balls, Box<dyn Error>> {
    let start = |i: usize| {
        let (position, velocity) = (heap.places[i].into(), heap.velocities[i].into());
        State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 }
    };
    let (bodies, law) = bodies(heap, start)?;
    Ok(Balls::new(bodies, law, settings)?)
}

/// Balls from states of other steps.
#[allow(dead_code, reason = "an example's")]
pub fn resumed(heap: &HeapStart, states: &[State], settings: BallSettings) -> Result<Balls, Box<dyn Error>> {
    let (bodies, law) = bodies(heap, |i| states[i])?;
    Ok(Balls::resumed(bodies, law, settings)?)
}

fn bodies(heap: &HeapStart, start: impl Fn(usize) -> State) -> Result<(Vec<Body>, ContactLaw), Box<dyn Error>> {
    let corners: Vec<Vector2<f64>> = heap.vessel.iter().map(|p| Vector2::from(*p)).collect();
    let ground = Arc::new(Ground::new(Piece::polyline(&corners)?)?);
    let law = ContactLaw::new(heap.restitution)?.with_friction(Friction::Coefficient(heap.friction))?;
    let mut bodies = Vec::new();
    for (i, radius) in heap.radii.iter().copied().enumerate() {
        let ball = Ball::new(mass(radius), radius, Ball::SOLID_SPHERE)?;
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -GRAVITY))?;
        let ground = Arc::new(OffsetGround::new(ground.clone(), radius));
        bodies.push(Body { ball, ground, forces, law: law.clone(), start: start(i) });
    }
    Ok((bodies, law))
}
