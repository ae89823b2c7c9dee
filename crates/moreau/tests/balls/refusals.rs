//! What is no start.

use moreau::{BallSettings, Balls, InputError, Projection};

use super::world::{Slope, at, ground, law, sphere};

#[test]
fn starts_and_settings() {
    let flat = ground(Slope(0.0), 0.1);
    let ball = |x: f64, y: f64| sphere(&flat, law(0.5, 0.1), at([x, y], [0.0, 0.0], 0.0));
    let refused = |bodies, settings| Balls::new(bodies, law(0.5, 0.1), settings).expect_err("refused");
    let fine = BallSettings::new(1e-3);

    let error = refused(vec![ball(0.0, 0.1), ball(5.0, 0.3), ball(0.15, 0.1)], fine);
    assert!(
        matches!(error, InputError::Overlap { first: 0, second: 2, depth } if (depth - 0.05).abs() < 1e-12),
        "{error}"
    );
    println!("{error}");
    let error = refused(vec![ball(0.0, 0.1), ball(5.0, 0.08)], fine);
    assert!(matches!(error, InputError::Below { ball: 1, depth } if (depth - 0.02).abs() < 1e-12), "{error}");
    println!("{error}");
    let error = refused(vec![ball(0.0, f64::NAN)], fine);
    assert_eq!(error.to_string(), "ball 0: position = NaN is not allowed: it must be finite");
    let error = refused(vec![ball(0.0, 1.0)], BallSettings { theta: 0.3, ..fine });
    assert_eq!(error.to_string(), "theta = 0.3 is not allowed: it must be between 1/2 and 1");
    for step in [0.0, -1.0, f64::NAN] {
        assert!(
            matches!(refused(vec![ball(0.0, 1.0)], BallSettings::new(step)), InputError::Parameter(p) if p.name == "step")
        );
    }
    let none = Projection { tolerance: 0.0, ..Projection::default() };
    assert!(matches!(refused(vec![], BallSettings { projection: Some(none), ..fine }), InputError::Parameter(_)));
    let other = ground(Slope(0.0), 0.2);
    let mut wrong = ball(0.0, 1.0);
    wrong.ground = other;
    assert!(matches!(refused(vec![wrong], fine), InputError::Ball { ball: 0, .. }));
    // Balls that touch each other or the ground exactly are fine, and none at all.
    assert!(Balls::new(vec![ball(0.0, 0.1), ball(0.2, 0.1)], law(0.5, 0.1), fine).is_ok());
    assert!(Balls::new(vec![], law(0.5, 0.1), fine).is_ok_and(|mut none| none.step().is_ok() && none.is_empty()));
}

/// Balls that come later fall onto those that are there, as if they had been there; where one is in another it is refused.
#[test]
fn one_more_ball() {
    let flat = ground(Slope(0.0), 0.1);
    let ball = |x: f64, y: f64| sphere(&flat, law(0.0, 0.3), at([x, y], [0.0, 0.0], 0.0));
    let mut balls =
        Balls::new(vec![ball(0.0, 0.1), ball(0.2, 0.1)], law(0.0, 0.3), BallSettings::new(1e-3)).expect("two");
    for _ in 0..100 {
        balls.step().expect("a step");
    }
    let error = balls.add(ball(0.1, 0.15)).expect_err("in others");
    assert!(matches!(error, InputError::Overlap { second: 2, .. }), "{error}");
    assert!(matches!(balls.add(ball(3.0, 0.05)), Err(InputError::Below { ball: 2, .. })));
    balls.add(ball(0.1, 0.4)).expect("a third");
    assert!(balls.len() == 3 && balls.state(2).time == balls.time());
    for _ in 0..100 {
        balls.step().expect("a step");
    }
    let fall = 0.5 * 9.81 * 0.1 * 0.1;
    assert!((balls.state(2).position.y - (0.4 - fall)).abs() < 1e-12, "{}", balls.state(2).position);
    for _ in 0..2000 {
        balls.step().expect("a step");
    }
    // It has pushed the two aside, and lies between them or on them.
    assert!(balls.state(2).position.y > 0.09 && (0..3).all(|i| balls.gap(i) > -1e-3));
    assert!(balls.energy().numerical().abs() < 1e-9);
}
