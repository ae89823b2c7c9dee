//! Elastic balls in a box: impacts a second of one core.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example")]

use std::sync::Arc;
use std::time::Instant;

use collisions::curves::{Ground, OffsetGround, Piece};
use collisions::mechanics::{Ball, ContactLaw, Forces, State};
use collisions::moreau::Body;
use collisions::nalgebra::Vector2;
use collisions::{CollisionSettings, Collisions};

fn main() {
    for (count, radius, end) in [(200, 0.01, 200.0), (5000, 0.002, 4.0)] {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]].map(Vector2::from);
        let walls = Ground::new(Piece::polyline(&corners).unwrap()).unwrap();
        let ground = Arc::new(OffsetGround::new(Arc::new(walls), radius));
        let (ball, law) = (Ball::solid_sphere(1.0, radius).unwrap(), ContactLaw::new(1.0).unwrap());
        let forces = Forces::gravity(&ball, Vector2::zeros()).unwrap();
        let side = (count as f64).sqrt().ceil() as usize;
        let body = |i: usize| {
            let [x, y] = [i % side, i / side].map(|i| (i as f64 + 0.5) / side as f64);
            let angle = i as f64 * 2.4;
            let (position, velocity) = (Vector2::new(x, y), Vector2::new(angle.cos(), angle.sin()));
            let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 };
            Body { ball, ground: ground.clone(), forces: forces.clone(), law: law.clone(), start }
        };
        let mut balls =
            Collisions::new((0..count).map(body).collect(), law, CollisionSettings::until(end, 1e-3)).unwrap();
        let before = balls.energy().total();
        let clock = Instant::now();
        balls.advance(end, &mut |_| ()).unwrap();
        let seconds = clock.elapsed().as_secs_f64();
        let (found, error) = (balls.count(), balls.energy().total() / before - 1.0);
        let rate = (found.pairs + found.ground) as f64 / seconds;
        println!("{count} balls: {rate:.3e} impacts a second, energy {error:.1e}, {found:?}");
    }
}
