//! Balls and the ground: impacts, landings, ways along it.

use collisions::mechanics::{Ball, ContactLaw, Friction, Mode};
use collisions::numbers::Rounding;
use collisions::{CollisionKind, CollisionSettings, Collisions, Contact};

use crate::{Draw, at, body, line, room};

const G: f64 = 9.81;

/// Slides, then rolls: after v/(μ g (1 + 1/k)) with v/(1 + k).
#[test]
fn a_ball_slides_until_it_rolls() {
    let (ground, ball) = (line(&[[-99.0, 0.0], [99.0, 0.0]]), Ball::solid_sphere(2.0, 0.1).unwrap());
    let law = ContactLaw::new(0.5).unwrap().with_friction(Friction::Coefficient(0.2)).unwrap();
    let start = at([0.0, 0.1], [3.0, 0.0], 0.0);
    let mut balls =
        Collisions::new(vec![body(ball, &ground, law.clone(), G, start)], law, CollisionSettings::until(9.0, 1e-3))
            .unwrap();
    let mut told = Vec::new();
    balls.advance(9.0, &mut |event| told.push(*event)).unwrap();
    let (time, speed) = (3.0 / (0.2 * G * 3.5), 3.0 / 1.4);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].kind, CollisionKind::Changes);
    assert!((told[0].states[1].time - time).abs() < 1e-13);
    let way = 0.5 * (3.0 + speed) * time + speed * (9.0 - time);
    let end = balls.leg(0);
    assert!((end.state.position.x - way).abs() < 1e-12 && (end.state.velocity.x - speed).abs() < 1e-14, "{end:?}");
    assert!((end.state.spin + speed / 0.1).abs() < 1e-13);
    assert_eq!(end.contact, Contact::Ground(Mode::ROLLING));
    let end = balls.pushes(0);
    assert!((end[0] - 2.0 * G * 9.0).abs() < 1e-10 && (end[1] + 0.2 * 2.0 * G * time).abs() < 1e-12);
    assert!(balls.energy().numerical().abs() < 1e-13);
}

/// A bouncing ball lies after √(2h/g) (1+e)/(1−e), and has lost all it had.
#[test]
fn bounces_come_to_their_end() {
    let (ground, ball) = (line(&[[-99.0, 0.0], [99.0, 0.0]]), Ball::solid_sphere(1.0, 0.1).unwrap());
    for e in [0.0, 0.5, 0.9] {
        let law = ContactLaw::new(e).unwrap();
        let start = at([0.0, 1.1], [0.5, 0.0], 0.0);
        let mut balls = Collisions::new(
            vec![body(ball, &ground, law.clone(), G, start)],
            law,
            CollisionSettings::until(20.0, 1e-3),
        )
        .unwrap();
        let mut last = None;
        balls.advance(20.0, &mut |event| last = Some(*event)).unwrap();
        let last = last.unwrap();
        let exact = (2.0 / G).sqrt() * (1.0 + e) / (1.0 - e);
        assert_eq!(last.kind, CollisionKind::Landing);
        assert!((last.states[1].time - exact).abs() < 1e-5, "{} {exact}", last.states[1].time);
        let end = balls.leg(0);
        assert!((end.state.position.y - 0.1).abs() < 1e-15 && end.state.velocity.y == 0.0);
        assert!((end.state.position.x - 10.0).abs() < 1e-12, "{end:?}");
        assert!((balls.energy().normal + G).abs() < 1e-10, "{:?}", balls.energy());
    }
}

/// Into the corner of a room, and out again as it came, bounce after bounce.
#[test]
fn corners() {
    let (walls, ball) = (room(1.0, 1.0), Ball::solid_sphere(1.0, 0.1).unwrap());
    let law = ContactLaw::new(1.0).unwrap();
    for velocity in [[1.0, 1.0], [-1.0, -1.0], [-3.0, 3.0]] {
        let start = at([0.5, 0.5], velocity, 0.0);
        let mut balls = Collisions::new(
            vec![body(ball, &walls, law.clone(), 0.0, start)],
            law.clone(),
            CollisionSettings::until(50.0, 1e-3),
        )
        .unwrap();
        balls.advance(50.0, &mut |_| ()).unwrap();
        let end = balls.leg(0).state;
        // Within 0.1 to 0.9 along the diagonal.
        let apart = (end.position.x - 0.5).abs() - (end.position.y - 0.5).abs();
        assert!(apart.abs() < 1e-12 && (end.position.x - 0.5).abs() < 0.4 + 1e-12, "{end:?}");
        assert!((end.velocity.norm() - (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt()).abs() < 1e-13);
    }
}

/// One falls on one that rolls: the quartic, against small steps.
#[test]
fn a_falling_ball_meets_a_rolling_one() {
    let (ground, ball) = (line(&[[-30.0, 15.0], [30.0, -15.0]]), Ball::solid_sphere(1.0, 0.1).unwrap());
    let law = ContactLaw::new(0.7).unwrap().with_friction(Friction::Coefficient(0.5)).unwrap();
    let mut draw = Draw(5);
    let (mut met, slope) = (0, 0.5f64.atan());
    // The normal and the tangent of the incline.
    let (n, t) = ([slope.sin(), slope.cos()], [slope.cos(), -slope.sin()]);
    for _ in 0..200 {
        let from = [n[0] * 0.1, n[1] * 0.1];
        let high = [1.0 + draw.next(), 1.0 + draw.next()];
        let throw = [2.0 * draw.next() - 1.0, draw.next()];
        let bodies = vec![
            body(ball, &ground, law.clone(), G, at(from, [0.0, 0.0], 0.0)),
            body(ball, &ground, law.clone(), G, at(high, throw, 0.0)),
        ];
        let mut balls = Collisions::new(bodies, law.clone(), CollisionSettings::until(2.0, 1e-3)).unwrap();
        let mut first = None;
        balls.advance(2.0, &mut |event| first = first.or(Some(*event))).unwrap();
        // Rolls with 5/7 g sin.
        let rate = G * slope.sin() / 1.4;
        let seen = (0..200_000).map(|i| f64::from(i) * 1e-5).find(|time| {
            let way = 0.5 * rate * time * time;
            let q = [high[0] + throw[0] * time, high[1] + throw[1] * time - 0.5 * G * time * time];
            let gap = (q[0] - from[0] - t[0] * way).hypot(q[1] - from[1] - t[1] * way) - 0.2;
            gap < 0.0 || q[0] * n[0] + q[1] * n[1] < 0.1
        });
        let (first, seen) = (first.unwrap(), seen.unwrap());
        assert!((first.states[0].time - seen).abs() < 1.1e-5, "{first:?} {seen}");
        met += u32::from(first.other.is_some());
        assert!(balls.energy().numerical().abs() < 1e-10);
    }
    assert!(met > 10, "{met}");
}

/// Between two balls at once and the ground: whatever comes, nothing goes through the ground.
#[test]
fn squeezed_between_a_ball_and_the_ground() {
    let ground = line(&[[-9.0, 0.0], [9.0, 0.0]]);
    for (e, heavy) in [(1.0, 1.0), (1.0, 30.0), (0.8, 30.0), (0.3, 100.0)] {
        let law = ContactLaw::new(e).unwrap();
        let (one, two) = (Ball::solid_sphere(1.0, 0.1).unwrap(), Ball::solid_sphere(heavy, 0.2).unwrap());
        let bodies = vec![
            body(one, &ground, law.clone(), G, at([0.0, 0.1], [0.0, 0.0], 0.0)),
            body(two, &ground, law.clone(), G, at([0.0, 0.9], [0.0, -4.0], 0.0)),
        ];
        let mut balls = Collisions::new(bodies, law, CollisionSettings::until(2.0, 1e-3)).unwrap();
        for step in 1..=400 {
            balls.advance(f64::from(step) * 5e-3, &mut |_| ()).unwrap();
            let [a, b] = [0, 1].map(|ball| balls.leg(ball).state.position);
            let unit = Rounding::of_motion(1.0, 2.0, 30.0, G).length;
            // What is handed over may sink in by its way in a step.
            let slack = if balls.count().handed > 0 { 5e-3 } else { Rounding::SUM * unit };
            assert!(a.y > 0.1 - slack && b.y > 0.2 - slack && (a - b).norm() > 0.3 - slack, "{e} {heavy} {a} {b}");
        }
    }
}
