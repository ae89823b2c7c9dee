//! What has no end is handed over to time stepping.

use std::sync::Arc;

use collisions::curves::{Ground, Piece, Profile};
use collisions::mechanics::{Ball, ContactLaw, Friction};
use collisions::numbers::{Interval, Number};
use collisions::{CollisionKind, CollisionSettings, CollisionStop, Collisions, Contact, Refused};

use crate::{Draw, at, body, line, room};

/// A pour into a V comes to rest in it, with no ball lost and no energy gained.
#[test]
fn a_heap_in_a_valley() {
    let (ground, ball) = (line(&[[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]), Ball::solid_sphere(0.01, 0.05).unwrap());
    let law = ContactLaw::new(0.3).unwrap().with_friction(Friction::Coefficient(0.4)).unwrap();
    let mut draw = Draw(2);
    let bodies = (0..12).map(|i| {
        let q = [0.3 * draw.next() - 0.15, 0.8 + 0.12 * f64::from(i)];
        body(ball, &ground, law.clone(), 9.81, at(q, [0.0, 0.0], 0.0))
    });
    let mut balls = Collisions::new(bodies.collect(), law, CollisionSettings::until(4.0, 1e-3)).unwrap();
    let start = balls.energy().total();
    let mut handed = Vec::new();
    balls
        .advance(4.0, &mut |event| {
            if event.kind == CollisionKind::Handed {
                handed.push(event.ball);
            }
        })
        .unwrap();
    assert!(handed.len() >= 12);
    // Steps of all schemes that there were are looked at, not those of the last one alone.
    let (audit, last) = (balls.audit(), balls.stepping().unwrap().index());
    assert!(audit.residuals.steps > last && audit.residuals.missed == 0, "{audit:?}");
    assert!(audit.residuals.worst > 0.0 && audit.residuals.worst < 1e-10, "{audit:?}");
    for ball in 0..12 {
        let report = balls.leg(ball);
        assert!(report.state.velocity.norm() < 0.05, "{report:?}");
        assert!(balls.gap(ball) > -1e-3 && report.state.position.y < 0.6, "{report:?}");
        assert!(matches!(report.contact, Contact::Ground(_)));
    }
    let energy = balls.energy();
    // What waits for a mark moves with its forces: nothing is unexplained.
    assert!(energy.total() < start && energy.numerical().abs() < 1e-12 * start, "{energy:?}");
}

/// Balls that come to rest on a pan and are hit again fly on event by event.
#[test]
fn given_back_once_it_flies() {
    let ground = line(&[[-2.0, 2.0], [0.0, 0.0], [2.0, 2.0]]);
    let law = ContactLaw::new(0.6).unwrap();
    let (light, heavy) = (Ball::solid_sphere(0.01, 0.05).unwrap(), Ball::solid_sphere(1.0, 0.05).unwrap());
    let bodies = vec![
        body(light, &ground, law.clone(), 9.81, at([0.0, 0.08], [0.0, 0.0], 0.0)),
        body(heavy, &ground, law.clone(), 9.81, at([-0.9, 3.0], [0.0, 0.0], 0.0)),
    ];
    let mut balls = Collisions::new(bodies, law, CollisionSettings::until(3.0, 1e-3)).unwrap();
    let (mut handed, mut returned) = (0, 0);
    balls
        .advance(3.0, &mut |event| {
            handed += u32::from(event.kind == CollisionKind::Handed);
            returned += u32::from(event.kind == CollisionKind::Returned);
        })
        .unwrap();
    assert!(handed >= 2 && returned >= 1, "{handed} {returned} {:?}", balls.count());
    assert!((0..2).all(|ball| balls.gap(ball) > -1e-3));
}

#[derive(Clone, Debug)]
struct Bowl;

impl Profile for Bowl {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x * x]
    }
}

/// On curved ground bounces go on in steps, and end in the middle.
#[test]
fn a_bowl() {
    let piece = Piece::new(Bowl, Interval::new(-2.0, 2.0));
    let ground = Arc::new(Ground::new(vec![piece]).unwrap());
    let (ball, law) = (Ball::solid_sphere(1.0, 0.1).unwrap(), ContactLaw::new(0.5).unwrap());
    let law = law.with_friction(Friction::Coefficient(0.3)).unwrap();
    let start = at([0.4, 1.0], [0.0, 0.0], 0.0);
    let mut balls =
        Collisions::new(vec![body(ball, &ground, law.clone(), 9.81, start)], law, CollisionSettings::until(5.0, 1e-3))
            .unwrap();
    balls.advance(5.0, &mut |_| ()).unwrap();
    assert!(balls.count().handed >= 1 && balls.gap(0).abs() < 1e-3, "{:?} {}", balls.count(), balls.gap(0));
}

/// Along an upright wall without a normal force the slip begins at zero and grows: it does not stop at once, again and again.
#[test]
fn down_an_upright_wall() {
    let (walls, ball) = (line(&[[0.0, 9.0], [0.0, 0.0], [2.0, 0.0]]), Ball::solid_sphere(1.0, 0.1).unwrap());
    let law = ContactLaw::new(0.0).unwrap().with_friction(Friction::Coefficient(0.3)).unwrap();
    let start = at([0.5, 5.0], [-1.0, 0.0], 0.0);
    let mut balls =
        Collisions::new(vec![body(ball, &walls, law.clone(), 9.81, start)], law, CollisionSettings::until(0.8, 1e-3))
            .unwrap();
    let mut changes = 0;
    balls.advance(0.8, &mut |event| changes += u32::from(event.kind == CollisionKind::Changes)).unwrap();
    let report = balls.leg(0);
    assert!((report.state.position.x - 0.1).abs() < 1e-12 && changes < 3, "{changes} {report:?}");
    assert!(report.state.velocity.y < -5.0 && balls.energy_of(0).numerical().abs() < 1e-12, "{report:?}");
}

#[test]
fn refusals_and_limits() {
    let (walls, ball) = (room(1.0, 1.0), Ball::solid_sphere(1.0, 0.1).unwrap());
    let law = ContactLaw::new(1.0).unwrap();
    let start = at([0.5, 0.5], [1.0, 0.3], 0.0);
    let mut drag = body(ball, &walls, law.clone(), 0.0, start);
    drag.forces = drag.forces.with_drag(0.1).unwrap();
    let refused = Collisions::new(vec![drag], law.clone(), CollisionSettings::until(1.0, 1e-3));
    assert!(matches!(refused, Err(Refused::Force { ball: 0 })));
    // A failed search of the ground was told to be a force.
    let (large, bowl) = (Ball::solid_sphere(1.0, 0.5).unwrap(), Piece::new(Bowl, Interval::new(-2.0, 2.0)));
    let bowl = Arc::new(Ground::new(vec![bowl]).unwrap());
    let falls = body(large, &bowl, law.clone(), 9.81, at([0.0, 0.501], [0.0, 0.0], 0.0));
    let refused = Collisions::new(vec![falls], law.clone(), CollisionSettings::until(1.0, 1e-3));
    assert!(matches!(refused, Err(Refused::Start(CollisionStop::Search { ball: 0, .. }))), "{:?}", refused.err());
    let both = [start, at([0.55, 0.5], [0.0, 0.0], 0.0)].map(|start| body(ball, &walls, law.clone(), 0.0, start));
    assert!(matches!(
        Collisions::new(both.into(), law.clone(), CollisionSettings::until(1.0, 1e-3)),
        Err(Refused::Input(_))
    ));
    let settings = CollisionSettings { limit: 10, ..CollisionSettings::until(100.0, 1e-3) };
    let mut balls = Collisions::new(vec![body(ball, &walls, law.clone(), 0.0, start)], law, settings).unwrap();
    let stop = balls.advance(100.0, &mut |_| ()).unwrap_err();
    assert!(matches!(stop, CollisionStop::Limit { limit: 10, time } if time < 100.0 && time == balls.time()));
}
