//! Elastic balls in a box.

use collisions::mechanics::{Ball, ContactLaw};
use collisions::{CollisionSettings, Collisions};

use crate::{Draw, at, body, room};

fn gas(count: usize, radius: f64, gravity: f64, end: f64) -> Collisions {
    let (walls, law) = (room(1.0, 1.0), ContactLaw::new(1.0).unwrap());
    let ball = Ball::solid_sphere(1e-3, radius).unwrap();
    let mut draw = Draw(3);
    let side = (count as f64).sqrt().ceil() as usize;
    let pitch = 1.0 / side as f64;
    let bodies = (0..count).map(|i| {
        let q = [(i % side) as f64 + 0.5, (i / side) as f64 + 0.5].map(|x| x * pitch);
        let angle = std::f64::consts::TAU * draw.next();
        body(ball, &walls, law.clone(), gravity, at(q, [angle.cos(), angle.sin()], 0.0))
    });
    Collisions::new(bodies.collect(), law, CollisionSettings::until(end, 1e-3)).unwrap()
}

/// Two balls in each other, or one in a wall, by more than rounding.
fn worst_gap(balls: &Collisions, radius: f64) -> f64 {
    let places: Vec<_> = (0..balls.len()).map(|ball| balls.leg(ball).state.position).collect();
    let mut worst = f64::INFINITY;
    for (i, p) in places.iter().enumerate() {
        worst = worst.min(p.x - radius).min(1.0 - radius - p.x).min(p.y - radius).min(1.0 - radius - p.y);
        for q in &places[..i] {
            worst = worst.min((p - q).norm() - 2.0 * radius);
        }
    }
    worst
}

#[test]
fn energy_stays_and_no_two_balls_overlap() {
    for gravity in [0.0, 9.81] {
        let radius = 0.01;
        let mut balls = gas(200, radius, gravity, 10.0);
        let start = balls.energy().total();
        for step in 1..=50 {
            balls.advance(0.2 * f64::from(step), &mut |_| ()).unwrap();
            let worst = worst_gap(&balls, radius);
            assert!(worst > -1e-14, "{worst:e} at {}", balls.time());
        }
        let energy = balls.energy();
        assert!((energy.total() / start - 1.0).abs() < 1e-12, "{:e}", energy.total() / start - 1.0);
        assert!(energy.numerical().abs() < 1e-12 * start, "{:e}", energy.numerical());
        let count = balls.count();
        assert!(count.pairs > 10_000 && count.ground > 2000 && count.handed == 0, "{count:?}");
    }
}

/// What balls hand to each other is no loss of one: none of them dissipates less than nothing, and all that is exchanged adds up to 0.
#[test]
fn what_is_handed_over_is_not_dissipated() {
    let (walls, radius) = (room(1.0, 1.0), 0.03);
    for restitution in [1.0, 0.9] {
        let (law, ball) = (ContactLaw::new(restitution).unwrap(), Ball::solid_sphere(1e-3, radius).unwrap());
        let mut draw = Draw(5);
        let bodies = (0..36).map(|i| {
            let q = [(f64::from(i % 6) + 0.5) / 6.0, (f64::from(i / 6) + 0.5) / 6.0];
            let angle = std::f64::consts::TAU * draw.next();
            body(ball, &walls, law.clone(), 0.0, at(q, [angle.cos(), angle.sin()], 0.0))
        });
        let mut balls = Collisions::new(bodies.collect(), law, CollisionSettings::until(2.0, 1e-3)).unwrap();
        let start = balls.energy().total();
        let mut before = [0.0; 36];
        for step in 1..=40 {
            balls.advance(0.05 * f64::from(step), &mut |_| ()).unwrap();
            let energies: Vec<_> = (0..balls.len()).map(|ball| balls.energy_of(ball)).collect();
            for (ball, (energy, before)) in energies.iter().zip(&mut before).enumerate() {
                let lost = balls.leg(ball).state.dissipated;
                assert!(lost - *before > -1e-15 * start, "{lost:e} after {before:e}");
                assert!(energy.numerical().abs() < 1e-14 * start, "{energy:?}");
                *before = lost;
            }
            let sum: f64 = energies.iter().map(|energy| energy.exchanged).sum();
            let most = energies.iter().fold(0.0_f64, |most, energy| most.max(energy.exchanged.abs()));
            assert!(sum.abs() < 1e-14 * start, "{sum:e}");
            assert!(step < 40 || most > 0.5 * start / 36.0, "{most:e}");
        }
        let (lost, left) = (before.iter().sum::<f64>(), balls.energy().total());
        assert!((start - left - lost).abs() < 1e-14 * start, "{lost:e}");
        assert!(if restitution < 1.0 { lost > 0.3 * start } else { lost.abs() < 1e-14 * start }, "{lost:e}");
    }
}

/// Against the same balls, each pair and each wall looked at after each event.
#[test]
fn as_all_pairs_have_it() {
    let radius = 0.03;
    let mut balls = gas(30, radius, 0.0, 2.0);
    let mut all: Vec<_> = (0..balls.len()).map(|ball| balls.leg(ball).state).collect();
    let mut time = 0.0;
    let mut events = 0;
    loop {
        let mut first = (f64::INFINITY, 0, None);
        for (i, a) in all.iter().enumerate() {
            for axis in 0..2 {
                let (q, v) = (a.position[axis], a.velocity[axis]);
                let t = if v > 0.0 { (1.0 - radius - q) / v } else { (radius - q) / v };
                if t < first.0 {
                    first = (t, i, Some(Err(axis)));
                }
            }
            for (j, b) in all.iter().enumerate().take(i) {
                let (q, v) = (a.position - b.position, a.velocity - b.velocity);
                let (along, c) = (q.dot(&v), q.norm_squared() - 4.0 * radius * radius);
                let square = along * along - v.norm_squared() * c;
                if along < 0.0 && square > 0.0 {
                    let t = (-along - square.sqrt()) / v.norm_squared();
                    if t < first.0 {
                        first = (t, i, Some(Ok(j)));
                    }
                }
            }
        }
        let (t, i, what) = first;
        // Chaos makes the rounding of the first impact a difference of order one after some hundred.
        if time + t > 0.5 {
            all.iter_mut().for_each(|ball| ball.position += ball.velocity * (0.5 - time));
            break;
        }
        time += t;
        events += 1;
        all.iter_mut().for_each(|ball| ball.position += ball.velocity * t);
        match what.unwrap() {
            Err(axis) => all[i].velocity[axis] = -all[i].velocity[axis],
            Ok(j) => {
                let n = (all[i].position - all[j].position).normalize();
                let w = (all[i].velocity - all[j].velocity).dot(&n);
                all[i].velocity -= n * w;
                all[j].velocity += n * w;
            }
        }
    }
    balls.advance(0.5, &mut |_| ()).unwrap();
    let count = balls.count();
    assert_eq!(count.events, events);
    for (ball, there) in all.iter().enumerate() {
        let here = balls.leg(ball).state;
        assert!((here.position - there.position).norm() < 1e-9 && (here.velocity - there.velocity).norm() < 1e-8);
    }
}
