//! What impacts do to slip, energy and angular momentum.

use mechanics::{Ball, Friction};
use moreau::{BallSettings, Balls, Body, Regime};
use nalgebra::Vector2;

use super::world::{GRAVITY, Slope, at, corners, ground, law, sphere};

fn weightless(body: Body) -> Body {
    let forces = mechanics::Forces::gravity(&body.ball, Vector2::zeros()).expect("none");
    Body { forces, ..body }
}

/// Alone, and with another ball far away (the long way).
fn both_ways(body: &Body, settings: BallSettings) -> [Balls; 2] {
    let mut other = body.clone();
    other.start.position += Vector2::new(1e3, 1e3);
    [vec![body.clone()], vec![body.clone(), other]]
        .map(|bodies| Balls::new(bodies, law(0.0, 0.0), settings).expect("a start"))
}

/// v₀ = 3, μ = 0.2: slipping that lasts knows no e_t.
#[test]
fn slip_does_not_know_tangential_restitution() {
    let flat = ground(Slope(0.0), 0.1);
    for tangential in [-1.0, -0.9, 0.0, 1.0] {
        let step = 1e-3;
        let law = law(0.0, 0.2).with_tangential_restitution(tangential).expect("a law");
        let body = sphere(&flat, law, at([0.0, 0.1], [3.0, 0.0], 0.0));
        for mut balls in both_ways(&body, BallSettings::new(step)) {
            let mut stick = None;
            while balls.time() < 1.0 {
                balls.step().expect("a step");
                if stick.is_none() && balls.contacts()[0].regime == Regime::Sticking {
                    stick = Some(balls.time());
                }
            }
            let (state, stick) = (balls.state(0), stick.expect("it sticks"));
            assert!((state.velocity.x - 15.0 / 7.0).abs() < 1e-12, "e_t = {tangential}: {}", state.velocity.x);
            assert!((stick - 0.436872).abs() <= step, "e_t = {tangential}: {stick}");
            assert_eq!(balls.audit().anomalies, moreau::Anomalies::default());
        }
    }
}

/// A point mass thrown up a slope of 30° comes to rest there.
#[test]
fn uphill() {
    let slope = ground(Slope(1.0 / 3f64.sqrt()), 0.0);
    let law = law(0.0, 1.0).with_tangential_restitution(-1.0).expect("a law");
    let flat = sphere(&ground(Slope(0.0), 0.1), law, at([0.0; 2], [0.75f64.sqrt(), 0.5], 0.0));
    let body = Body { ball: Ball::point(1.0).expect("a ball"), ground: slope, ..flat };
    let way = 0.5 / (GRAVITY * (0.5 + 0.75f64.sqrt()));
    for mut balls in both_ways(&body, BallSettings::new(1e-3)) {
        while balls.time() < 1.0 {
            balls.step().expect("a step");
        }
        let state = balls.state(0);
        assert!(state.velocity.norm() < 1e-12 && (state.position.norm() - way).abs() < 1e-3, "{state:?}");
    }
}

/// `ẏ⁺ = −e ẏ⁻` and `u⁺ = −e_t u⁻`, or `P_t = μP_n` where that is less, without gravity exactly.
#[test]
fn oblique_impacts_obey_tangential_restitution() {
    let flat = ground(Slope(0.0), 0.1);
    for tangential in [-0.9, 0.0, 0.5, 1.0] {
        for friction in [0.1, 3.0] {
            let law = law(0.5, friction).with_tangential_restitution(tangential).expect("a law");
            let body = weightless(sphere(&flat, law, at([0.0, 0.3], [1.0, -2.0], 5.0)));
            let slip = 1.0 + 0.1 * 5.0;
            let slip_mass = 2.0 / 7.0;
            let impulse = (slip_mass * slip * (1.0 + tangential)).min(friction * 3.0);
            for mut balls in both_ways(&body, BallSettings::new(1e-3)) {
                while balls.time() < 0.3 {
                    balls.step().expect("a step");
                }
                let state = balls.state(0);
                let after = state.velocity.x + 0.1 * state.spin;
                assert!((state.velocity - Vector2::new(1.0 - impulse, 1.0)).norm() < 1e-12, "{state:?}");
                assert!((after - (slip - impulse / slip_mass)).abs() < 1e-12, "e_t = {tangential}: {after}");
            }
        }
    }
}

/// Kane's paradox: one impact on a ball that lies on the ground, with another e and μ there, adds energy.
#[test]
fn energy_that_contacts_add_is_counted() {
    let flat = ground(Slope(0.0), 0.1);
    let lies = weightless(sphere(&flat, law(1.0, 1.0), at([0.0, 0.1], [0.0; 2], 0.0)));
    let start = at([-0.22141056511498167, 0.21609203958697798], [2.793811491221146, -1.0929855221002143], 10.3);
    let mut comes = weightless(sphere(&flat, law(1.0, 1.0), start));
    comes.ball = Ball::new(2.926628135772029, 0.1, Ball::SOLID_SPHERE).expect("a ball");
    let comes = weightless(comes);
    let mut balls = Balls::new(vec![lies, comes], law(1.0, 0.3), BallSettings::new(1e-3)).expect("a start");
    for _ in 0..50 {
        balls.step().expect("a step");
    }
    let (ledger, anomalies) = (balls.energy(), balls.audit().anomalies);
    println!("{anomalies:?}");
    let gain = ledger.total() - ledger.initial;
    assert!(gain > 1.8 && anomalies.gains == 1 && (anomalies.gained - gain).abs() < 1e-9, "{gain}");
    assert_eq!(anomalies.without_restitution, 0);
}

/// A ball that drops into a groove where it sticks: with e > 0 the step has no solution, and is made without.
#[test]
fn a_wedged_ball_goes_on_without_restitution() {
    let walls = corners(&[[-2.0, 2.0], [0.0, 0.0], [2.0, 2.0]], 0.1);
    for friction in [1.0, 1.5, f64::INFINITY] {
        let law = mechanics::ContactLaw::new(0.5).and_then(|law| {
            law.with_friction(if friction.is_finite() { Friction::Coefficient(friction) } else { Friction::Infinite })
        });
        let body = sphere(&walls, law.expect("a law"), at([0.02, 0.5], [0.0; 2], 0.0));
        let mut balls = Balls::new(vec![body], law_of_balls(), BallSettings::new(1e-3)).expect("a start");
        let (mut most, bound) = (0.0_f64, (1e-3 * GRAVITY).powi(2) / 8.0);
        for _ in 0..3000 {
            let before = balls.energy().total();
            balls.step().unwrap_or_else(|error| unreachable!("μ = {friction}: {error}"));
            most = most.max(balls.energy().total() - before);
        }
        println!("μ = {friction}: {:?}, most {most:e}, {:?}", balls.audit().anomalies, balls.state(0).velocity);
        let count = balls.audit().anomalies.without_restitution;
        assert!((1..10).contains(&count) && balls.state(0).velocity.norm() < 1e-9 && most < 2.0 * bound, "{count}");
    }
}

fn law_of_balls() -> mechanics::ContactLaw {
    law(0.0, 0.0)
}

/// What the README says of the scheme's own energy: a contact that opens and is stopped adds up to m(hg)²/8, an impact
/// with θ > 1/2 `m g h w (1+e)(θ − 1/2)`.
#[test]
fn energy_of_the_scheme_itself() {
    let flat = ground(Slope(0.0), 0.1);
    let h = 5e-3;
    let body = sphere(&flat, law(0.0, 0.0), at([0.0, 0.1], [0.0, 0.5 * h * GRAVITY], 0.0));
    let settings = BallSettings { prediction: 0.0, ..BallSettings::new(h) };
    let mut balls = Balls::new(vec![body], law_of_balls(), settings).expect("a start");
    balls.step().expect("a step");
    let ledger = balls.energy();
    let gain = (h * GRAVITY).powi(2) / 8.0;
    assert!((ledger.total() - ledger.initial - gain).abs() < 1e-15, "{ledger:?}");
    let anomalies = balls.audit().anomalies;
    assert!(
        anomalies.openings == 1 && anomalies.turns == 0 && (anomalies.opened - gain).abs() < 1e-15,
        "{anomalies:?}"
    );
    for (theta, e) in [(1.0, 1.0), (1.0, 0.5), (0.7, 1.0)] {
        let body = sphere(&flat, law(e, 0.0), at([0.0, 0.1], [0.0, -2.0], 0.0));
        let mut balls =
            Balls::new(vec![body], law_of_balls(), BallSettings { theta, ..BallSettings::new(h) }).expect("a start");
        balls.step().expect("a step");
        let expected = GRAVITY * h * 2.0 * (1.0 + e) * (theta - 0.5);
        assert!((balls.energy().numerical() - expected).abs() < 1e-12, "{} {expected}", balls.energy().numerical());
    }
}

/// Angular momentum in a collision of two balls is kept to O(h).
#[test]
fn angular_momentum_to_first_order() {
    let flat = ground(Slope(0.0), 0.1);
    let worst = |h: f64| {
        (0..40).fold(0.0_f64, |worst, i| {
            let x = -0.5 - 0.1 * h * f64::from(i);
            let first = weightless(sphere(&flat, law(0.0, 0.0), at([x, 5.1], [3.0, 0.0], 4.0)));
            let second = weightless(sphere(&flat, law(0.0, 0.0), at([0.0, 5.0], [0.0, 0.0], 0.0)));
            let mut balls = Balls::new(vec![first, second], law(0.5, 0.3), BallSettings::new(h)).expect("a start");
            let momentum = |balls: &Balls| {
                let of = |ball: usize| {
                    let state = balls.state(ball);
                    state.position.perp(&state.velocity) + balls.body(ball).ball.inertia() * state.spin
                };
                of(0) + of(1)
            };
            let start = momentum(&balls);
            while balls.time() < 0.3 {
                balls.step().expect("a step");
            }
            worst.max((momentum(&balls) - start).abs())
        })
    };
    let [coarse, fine] = [1e-3, 1e-4].map(worst);
    println!("angular momentum: {coarse:e} at 1 ms, {fine:e} at 0.1 ms");
    assert!(coarse < 5e-3 && coarse / fine > 5.0 && coarse / fine < 20.0, "{coarse} {fine}");
}

/// A step after which one ball would be just where the other is: the direction between them is the one before.
#[test]
fn a_ball_that_comes_to_the_centre_of_another_bounces() {
    let flat = ground(Slope(0.0), 0.05);
    let ball = |x: f64, speed: f64| weightless(sphere(&flat, law(1.0, 0.0), at([x, 1.0], [speed, 0.0], 0.0)));
    for start in [-0.2, -0.19, -0.21] {
        let bodies = vec![ball(start, 1.0), ball(0.0, 0.0)];
        let mut balls = Balls::new(bodies, law(1.0, 0.0), BallSettings::new(0.1)).expect("a start");
        for _ in 0..3 {
            balls.step().expect("a step");
        }
        let speeds = [0, 1].map(|ball| balls.state(ball).velocity.x);
        assert!(speeds[0].abs() < 1e-12 && (speeds[1] - 1.0).abs() < 1e-12, "{start}: {speeds:?}");
    }
}
