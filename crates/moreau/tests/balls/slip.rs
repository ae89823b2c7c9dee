//! Slipping that turns into rolling.

use moreau::{BallSettings, Balls, Regime};
use reference::slip::{Motion, SpinningBall};

use super::world::{GRAVITY, Slope, at, ground, law, sphere};

/// v₀ = 3, μ = 0.2: it rolls at 15/7 from t = 0.4368720 on.
#[test]
fn slip_to_roll() {
    let reference = SpinningBall { radius: 0.1, inertia_factor: 0.4, friction: 0.2 };
    let start = Motion { speed: 3.0, spin: 0.0 };
    let exact = reference.roll_time(start, GRAVITY);
    for (step, theta) in [(5e-3, 0.5), (1e-3, 0.5), (1e-3, 1.0), (3e-4, 0.7)] {
        let ground = ground(Slope(0.0), 0.1);
        let body = sphere(&ground, law(0.0, 0.2), at([0.0, 0.1], [3.0, 0.0], 0.0));
        let mut balls =
            Balls::new(vec![body], law(0.0, 0.0), BallSettings { theta, ..BallSettings::new(step) }).expect("a start");
        let mut stick = None;
        while balls.time() < 1.0 {
            balls.step().expect("a step");
            let [contact] = balls.contacts() else { unreachable!("it stays on the ground") };
            assert!((contact.normal_impulse / step - GRAVITY).abs() < 1e-9);
            if contact.regime == Regime::Sticking && stick.is_none() {
                stick = Some(balls.time());
            }
        }
        let (state, stick) = (balls.state(0), stick.expect("it sticks"));
        let ledger = balls.energy();
        println!(
            "h = {step}, θ = {theta}: v − 15/7 = {:e}, u = {:e}, stick at {stick}, numerical {:e}",
            state.velocity.x - 15.0 / 7.0,
            state.velocity.x + 0.1 * state.spin,
            ledger.numerical()
        );
        assert!((state.velocity.x - 15.0 / 7.0).abs() < 1e-12 && (state.velocity.x + 0.1 * state.spin).abs() < 1e-12);
        assert!((stick - exact).abs() <= step, "{stick} {exact}");
        assert!(ledger.normal.abs() < 1e-12 && ledger.numerical().abs() < 1e-11);
        assert!((ledger.tangential + 0.5 * 9.0 - 0.7 * (15.0f64 / 7.0).powi(2)).abs() < 1e-11);
    }
}
