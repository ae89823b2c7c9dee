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
    let error = refused(vec![ball(0.0, 1.0)], fine.with_theta(0.3));
    assert_eq!(error.to_string(), "theta = 0.3 is not allowed: it must be between 1/2 and 1");
    for step in [0.0, -1.0, f64::NAN] {
        assert!(
            matches!(refused(vec![ball(0.0, 1.0)], BallSettings::new(step)), InputError::Parameter(p) if p.name == "step")
        );
    }
    let none = Projection { tolerance: 0.0, ..Projection::default() };
    assert!(matches!(refused(vec![], fine.with_projection(none)), InputError::Parameter(_)));
    let other = ground(Slope(0.0), 0.2);
    let mut wrong = ball(0.0, 1.0);
    wrong.ground = other;
    assert!(matches!(refused(vec![wrong], fine), InputError::Ball { ball: 0, .. }));
    // Balls that touch each other or the ground exactly are fine, and none at all.
    assert!(Balls::new(vec![ball(0.0, 0.1), ball(0.2, 0.1)], law(0.5, 0.1), fine).is_ok());
    assert!(Balls::new(vec![], law(0.5, 0.1), fine).is_ok_and(|mut none| none.step().is_ok() && none.is_empty()));
}
