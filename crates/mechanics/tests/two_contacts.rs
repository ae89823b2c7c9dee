//! Random impacts on two contacts, and known ones.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use curves::Frame;
use mechanics::{Ball, ContactLaw, Friction, Held, Restitution, State, Wedge};
use nalgebra::Vector2;

fn frame(angle: f64) -> Frame {
    let normal = Vector2::new(angle.cos(), angle.sin());
    let tangent = Vector2::new(normal.y, -normal.x);
    Frame { position: Vector2::zeros(), tangent, normal, curvature: 0.0, speed: 1.0 }
}

/// Numbers in [0, 1) from a seed (a linear congruence of Knuth's).
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

/// In a mirror at the y-axis the normals change order and sign, so that the first contact stays the first of the ground.
fn mirrored(v: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-v.x, v.y)
}

/// Random impacts of all kinds, in one of five on a wedge and by a ball that are their own mirror images: impulses bring what they
/// say, push, keep to Coulomb's cones, leave no contact that closes, never add energy, and are the same in the mirror.
#[test]
fn impacts() {
    let mut seed = 5;
    let (mut worst, mut both, mut stuck, mut other) = ([0.0_f64; 6], 0, 0, [0; 2]);
    for _ in 0..200_000 {
        let mut r = |lo: f64, hi: f64| lo + (hi - lo) * random(&mut seed);
        let turning = if r(0.0, 1.0) < 0.2 { 0.0 } else { r(0.05, 1.0) };
        let ball = Ball::new(r(0.1, 3.0), r(0.01, 1.0), turning).unwrap();
        let kind = r(0.0, 1.0);
        let friction = match kind {
            k if k < 0.15 => Friction::Infinite,
            k if k < 0.3 => Friction::Coefficient(0.0),
            _ => Friction::Coefficient(r(0.0, 2.0)),
        };
        let e = if r(0.0, 1.0) < 0.3 { 0.0 } else { r(0.0, 1.0) };
        let law = ContactLaw::new(e).unwrap().with_friction(friction).unwrap();
        let law = law.with_tangential_restitution(r(-1.0, 1.0)).unwrap();
        let (angle, opening) = (r(0.0, 3.0), r(-3.1, 3.1));
        let alike = r(0.0, 1.0) < 0.2;
        let from = if alike { std::f64::consts::FRAC_PI_2 - 0.5 * opening } else { angle };
        let frames = [frame(from), frame(from + opening)];
        let frames = [&frames[0], &frames[1]];
        let Some(wedge) = Wedge::new(frames) else { continue };
        let rolls = r(0.0, 1.0) < 0.3;
        let v = Vector2::new(r(-2.0, 2.0), r(-2.0, 2.0));
        let velocity = match rolls {
            _ if alike => Vector2::new(0.0, -v.y.abs()),
            true => frames[0].tangent * v.x,
            false => v,
        };
        if frames.iter().all(|frame| frame.normal.dot(&velocity) >= -1e-12) {
            continue;
        }
        let spin = if r(0.0, 1.0) < 0.2 || alike { 0.0 } else { r(-30.0, 30.0) };
        let (position, angle) = (Vector2::zeros(), 0.0);
        let state = State { time: 0.0, position, velocity, angle, spin, dissipated: 0.0, work: 0.0 };
        let hit = wedge.impact(&ball, [&law; 2], frames, &state);
        let impulses =
            [0, 1].map(|i| frames[i].normal * hit.normal_impulses[i] + frames[i].tangent * hit.tangential_impulses[i]);
        let scale = 1.0 + impulses[0].norm();
        let missing = (ball.mass() * (hit.velocity - velocity) - impulses[0] - impulses[1]).norm() / scale;
        let turned = spin + ball.spin_by(hit.tangential_impulses.iter().sum());
        let energy = |v, w| ball.kinetic_energy(v, w);
        let (before, after) = (energy(velocity, spin), energy(hit.velocity, hit.spin));
        worst[0] = worst[0].max(missing);
        worst[1] = worst[1].max((turned - hit.spin).abs() / (scale * (1.0 + ball.spin_by(1.0))));
        worst[2] = worst[2].max((after - before) / before);
        for i in [0, 1] {
            assert!(hit.normal_impulses[i] >= 0.0 && hit.normal_velocities[i] >= 0.0, "{hit:?}");
            let beyond = hit.tangential_impulses[i].abs() - law.sticking_limit(hit.normal_impulses[i]);
            worst[3] = worst[3].max(beyond / scale);
            let normal = frames[i].normal.dot(&hit.velocity) - hit.normal_velocities[i];
            worst[4] = worst[4].max(normal.abs());
        }
        let image = [1, 0].map(|i| {
            let normal = mirrored(frames[i].normal);
            Frame { normal, tangent: -mirrored(frames[i].tangent), ..*frames[i] }
        });
        let image = [&image[0], &image[1]];
        let there = State { velocity: mirrored(velocity), spin: -spin, ..state };
        let theirs = Wedge::new(image).unwrap().impact(&ball, [&law; 2], image, &there).unwrap();
        let differs =
            (mirrored(theirs.velocity) - hit.velocity).norm() + (theirs.spin + hit.spin).abs() * ball.radius();
        worst[5] = worst[5].max(differs / (velocity.norm() + spin.abs() * ball.radius()));
        both += u32::from(hit.normal_impulses.iter().all(|p| *p > 0.0));
        stuck += u32::from(hit.velocity == Vector2::zeros() && hit.spin == 0.0);
        match hit.restitution {
            Restitution::AsGiven => {}
            Restitution::NormalForBoth => other[0] += 1,
            Restitution::None => other[1] += 1,
        }
    }
    println!("e for e_t, no restitution: {other:?}");
    assert!(other[0] > 100 && other[1] > 100);
    println!("momentum, spin, energy, cones, normal velocities, mirror: {worst:?}; both {both}, stuck {stuck}");
    assert!(both > 10_000 && stuck > 1_000);
    assert!(worst.iter().all(|worst| *worst < 1e-9), "{worst:?}");
}

/// A floor takes an impact alone and sends the ball straight up along a wall that it touches, with friction without limit:
/// it does not slip there, but rolls, with `v/(1+k)`. Rolling into a wall that throws the ball back
/// without touching its spin (e_t = −1) it can't slip on the floor either.
#[test]
fn grips_a_contact_that_stays_closed() {
    let (up, right) = (Vector2::new(0.0, 1.0), Vector2::new(1.0, 0.0));
    let at = |normal: Vector2<f64>| Frame {
        position: Vector2::zeros(),
        tangent: Vector2::new(normal.y, -normal.x),
        normal,
        curvature: 0.0,
        speed: 1.0,
    };
    let frames = [at(right), at(up)];
    let frames = [&frames[0], &frames[1]];
    let wedge = Wedge::new(frames).unwrap();
    let ball = Ball::new(2.0, 0.5, 0.4).unwrap();
    let law = |e: f64, e_t: f64| {
        let law = ContactLaw::new(e).unwrap().with_friction(Friction::Infinite).unwrap();
        law.with_tangential_restitution(e_t).unwrap()
    };
    let state = |velocity: Vector2<f64>, spin: f64| State {
        time: 0.0,
        position: Vector2::zeros(),
        velocity,
        angle: 0.0,
        spin,
        dissipated: 0.0,
        work: 0.0,
    };
    // The floor stops v_x = k R ω; then v_y = e v, without spin, rolls on the wall with v_y/(1+k).
    let hit = wedge.impact(&ball, [&law(0.5, 0.0).unwrap(); 2], frames, &state(Vector2::new(-0.2, -3.0), -1.0));
    let rolls = 0.5 * 3.0 / 1.4;
    assert!((hit.velocity - up * rolls).norm() < 1e-15, "{hit:?}");
    // τ of the wall points down.
    assert!((hit.spin - rolls / 0.5).abs() < 1e-15 && hit.slips[0] == 0.0, "{hit:?}");
    assert!((hit.tangential_impulses[0] - 2.0 * (1.5 - rolls)).abs() < 1e-14 && hit.normal_impulses[0] == 0.0);
    assert_eq!((hit.normal_velocities[0], hit.restitution), (0.0, Restitution::AsGiven));
    // Thrown back with e v against a spin of v/R it would come to (k − e) v/(1+k): for e > k away from the wall, else not.
    let rolling = state(Vector2::new(-1.0, 0.0), 2.0);
    let back = wedge.impact(&ball, [&law(0.6, -1.0).unwrap(); 2], frames, &rolling);
    assert!((back.velocity - right * (0.2 / 1.4)).norm() < 1e-15, "{back:?}");
    assert!((back.spin + back.velocity.x / 0.5).abs() < 1e-15 && back.restitution == Restitution::AsGiven);
    let climbs = wedge.impact(&ball, [&law(0.3, -1.0).unwrap(); 2], frames, &rolling);
    assert!((climbs.velocity - up * (0.4 / 1.4)).norm() < 1e-15, "{climbs:?}");
    assert_eq!(climbs.restitution, Restitution::None);
}

/// Friction may only squeeze a ball between two walls: with T beyond its range Coulomb's law is broken, within it kept.
#[test]
fn ranges() {
    let frames = [frame(0.75), frame(2.3)];
    let wedge = Wedge::new([&frames[0], &frames[1]]).unwrap();
    let ball = Ball::new(1.0, 0.1, 0.4).unwrap();
    let force = Vector2::new(0.3, -9.81);
    let law = ContactLaw::new(0.0).unwrap().with_friction(Friction::Coefficient(0.4)).unwrap();
    let forces = wedge.forces(&ball, [&law; 2], force, 0.0);
    let range = wedge.friction_range([&law; 2], force);
    let obeys = |t: f64| {
        let squeeze = (0.5 * (2.3 - 0.75_f64)).tan();
        let normal = forces.normal.map(|normal| normal + t * squeeze);
        let [n, m] = [0, 1].map(|i| frames[i].normal * normal[i]);
        let sum = n + m + (frames[0].tangent - frames[1].tangent) * t + force;
        assert!(sum.norm() < 1e-12, "{sum}");
        normal.iter().all(|normal| t.abs() <= 0.4 * normal)
    };
    assert!(range[0] < 0.0 && range[1] > 0.0);
    for i in 0..2 {
        assert!(obeys(range[i] * (1.0 - 1e-12)) && !obeys(range[i] * (1.0 + 1e-12)), "{range:?}");
    }
    // A steep V with enough friction jams at any force.
    let rough = law.with_friction(Friction::Coefficient(1.5)).unwrap();
    assert_eq!(wedge.friction_range([&rough; 2], force)[1], f64::INFINITY);
    assert_eq!(wedge.held(&ball, [&rough; 2], -force, 0.0), Held::Free);
}
