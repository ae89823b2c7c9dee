//! The same scene in other units: lengths and times scaled by powers of two, which rounds nothing, change no bit of a run.

use curves::Profile;
use moreau::{BallSettings, Balls, Projection};
use numbers::Number;

use super::world::{at, corners, ground, law, sphere};

/// `y = x²/2` of lengths in units of so many metres.
#[derive(Debug)]
struct Bowl(f64);

impl Profile for Bowl {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.square().scale(0.5 / self.0)]
    }
}

/// Units of length (m) and time (s) that leave m/s² as it is.
fn units(exponent: i32) -> [f64; 2] {
    [2f64.powi(2 * exponent), 2f64.powi(exponent)]
}

/// Places and velocities of all balls after each of 1500 steps, in those units.
fn run(mut balls: Balls, [length, time]: [f64; 2]) -> Vec<f64> {
    let mut states = Vec::new();
    for _ in 0..1500 {
        balls.step().expect("a step");
        for ball in 0..balls.len() {
            let state = balls.state(ball);
            states.extend((state.position / length).iter());
            states.extend((state.velocity * (time / length)).iter());
        }
    }
    states
}

/// Bouncing in a bowl to rest: alone, three that meet, with places pushed out; a bead rests at the origin.
fn in_a_bowl(count: usize, radius: f64, projected: bool, exponent: i32) -> Vec<f64> {
    let [length, time] = units(exponent);
    let bowl = ground(Bowl(length), radius * length);
    let bodies = (0..count).map(|i| {
        let x = 0.3 * i as f64 - 0.3 * (count - 1) as f64 / 2.0;
        let start = at([x * length, (0.5 * x * x + 0.4) * length], [0.2 * length / time, 0.0], 0.0);
        sphere(&bowl, law(0.4, 0.3), start)
    });
    let settings = BallSettings {
        projection: projected.then_some(Projection { tolerance: 1e-9 * length, ..Projection::default() }),
        tolerance: 1e-10 * length / time,
        ..BallSettings::new(2e-3 * time)
    };
    run(Balls::new(bodies.collect(), law(0.4, 0.3), settings).expect("a start"), [length, time])
}

/// Into a sharp corner at the origin, and over one beside it.
fn in_a_corner(radius: f64, exponent: i32) -> Vec<f64> {
    let [length, time] = units(exponent);
    let points = [[-9.0, 9.0], [0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [9.0, 4.0]].map(|p| p.map(|c| c * length));
    let ground = corners(&points, radius * length);
    let start = at([0.3 * length, 1.2 * length], [0.7 * length / time, 0.0], 0.0);
    let body = sphere(&ground, law(0.3, 0.2), start);
    let settings = BallSettings { tolerance: 1e-10 * length / time, ..BallSettings::new(2e-3 * time) };
    run(Balls::new(vec![body], law(0.3, 0.2), settings).expect("a start"), [length, time])
}

/// From 8e-13 m to 1e12 m.
#[test]
fn no_bit_knows_the_metre() {
    let scenes: [&dyn Fn(i32) -> Vec<f64>; 6] = [
        &|exponent| in_a_bowl(1, 0.05, false, exponent),
        &|exponent| in_a_bowl(1, 0.0, false, exponent),
        &|exponent| in_a_bowl(3, 0.05, false, exponent),
        &|exponent| in_a_bowl(3, 0.05, true, exponent),
        &|exponent| in_a_corner(0.05, exponent),
        &|exponent| in_a_corner(0.0, exponent),
    ];
    for (which, scene) in scenes.iter().enumerate() {
        let states = scene(0);
        for exponent in [-20, 20] {
            let other = scene(exponent);
            let first = states.iter().zip(&other).position(|(one, other)| one != other);
            assert_eq!(first.map(|i| (i, states[i], other[i])), None, "scene {which}, 2^{exponent} s");
        }
    }
}
