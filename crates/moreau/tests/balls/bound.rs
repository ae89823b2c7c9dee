//! `ImpactLaw::EnergyBound`: impulses that share balls add no energy.

use mechanics::{ContactLaw, Forces};
use moreau::{BallSettings, Balls, Body, ImpactLaw};
use nalgebra::Vector2;

use super::pile::random;
use super::world::{Slope, at, corners, ground, law, sphere};

fn settings(step: f64, impact_law: ImpactLaw) -> BallSettings {
    BallSettings { impact_law, ..BallSettings::new(step) }
}

fn weightless(body: Body) -> Body {
    let forces = Forces::gravity(&body.ball, Vector2::zeros()).expect("none");
    Body { forces, ..body }
}

/// Runs; the most that a step added to the energy, apart from what normals that turn and stopped openings are blamed for, J.
fn most_added(balls: &mut Balls, duration: f64) -> f64 {
    let explained =
        |balls: &Balls| balls.energy().total() - balls.audit().anomalies.turned - balls.audit().anomalies.opened;
    let mut most = f64::NEG_INFINITY;
    while balls.time() < duration {
        let before = explained(balls);
        balls.step().expect("a step");
        most = most.max(explained(balls) - before);
    }
    most
}

/// Balls that meet in a closed box without gravity, with laws that differ: Newton's restitution makes energy, the bound none.
fn gas(seed: u64, between: ContactLaw, impact_law: ImpactLaw) -> Balls {
    let walls = corners(&[[-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], 0.1);
    let mut seed = seed;
    let bodies = (0..16).map(|i: i32| {
        let place = [-0.33 + 0.22 * f64::from(i % 4), -0.33 + 0.22 * f64::from(i / 4)];
        let mut speed = |most: f64| most * (2.0 * random(&mut seed) - 1.0);
        weightless(sphere(&walls, law(0.9, 1.0), at(place, [speed(3.0), speed(3.0)], speed(30.0))))
    });
    Balls::new(bodies.collect(), between, settings(2e-3, impact_law)).expect("a start")
}

#[test]
fn kinetic_energy_never_grows() {
    let (mut gained, mut bounded, mut least) = (0.0, 0, 1.0_f64);
    for seed in 0..6 {
        for between in [law(1.0, 0.3), law(0.6, 1.2), law(0.9, 0.6)] {
            let mut newton = gas(seed, between.clone(), ImpactLaw::Moreau);
            most_added(&mut newton, 1.5);
            gained += newton.audit().anomalies.gained;
            let mut safe = gas(seed, between, ImpactLaw::EnergyBound);
            let (start, most) = (safe.energy().initial, most_added(&mut safe, 1.5));
            // Rounding, and what a residual of 1e-10 m/s makes of impulses of some N s.
            assert!(most < 1e-8 * start, "{seed}: {most:e} J of {start} J");
            assert_eq!(safe.audit().anomalies.gains, 0, "{seed}");
            assert!(safe.audit().residuals.missed == 0 && safe.energy().numerical().abs() < 1e-10 * start);
            bounded += safe.audit().anomalies.bounded;
            least = least.min(1.0 - safe.audit().anomalies.withheld);
        }
    }
    println!("Newton's law added {gained} J; bounded in {bounded} steps, to {least:.3} of it at the least");
    assert!(gained > 0.1 && bounded > 5 && least < 0.999, "{gained} {bounded} {least}");
}

/// Kane's paradox: 1.9 J of 13.8 J by Newton's law.
#[test]
fn kane() {
    let flat = ground(Slope(0.0), 0.1);
    let lies = weightless(sphere(&flat, law(1.0, 1.0), at([0.0, 0.1], [0.0; 2], 0.0)));
    let start = at([-0.22141056511498167, 0.21609203958697798], [2.793811491221146, -1.0929855221002143], 10.3);
    let mut comes = weightless(sphere(&flat, law(1.0, 1.0), start));
    comes.ball = mechanics::Ball::new(2.926628135772029, 0.1, mechanics::Ball::SOLID_SPHERE).expect("a ball");
    let comes = weightless(comes);
    let settings = settings(1e-3, ImpactLaw::EnergyBound);
    let mut balls = Balls::new(vec![lies, comes], law(1.0, 0.3), settings).expect("a start");
    let start = balls.energy().initial;
    most_added(&mut balls, 0.05);
    let (end, anomalies) = (balls.energy().total(), balls.audit().anomalies);
    println!("{:e} J of {start} J, {anomalies:?}", end - start);
    // The impulses with the whole of restitution add; with its part they change nothing.
    assert!(anomalies.bounded == 1 && anomalies.gains == 0 && anomalies.withheld < 0.5, "{anomalies:?}");
    assert!((end - start).abs() < 1e-12 * start, "{:e}", end - start);
}

/// Where nothing is to be bounded, nothing changes: a cradle, to the bit.
#[test]
fn a_cradle_is_as_it_was() {
    let flat = ground(Slope(0.0), 0.1);
    let run = |impact_law: ImpactLaw| {
        let body = |i: i32| {
            let (x, v) = if i == 0 { (-0.5, 2.0) } else { (0.2 * f64::from(i), 0.0) };
            weightless(sphere(&flat, law(0.0, 0.0), at([x, 1.0], [v, 0.0], 0.0)))
        };
        let mut balls =
            Balls::new((0..5).map(body).collect(), law(1.0, 0.0), settings(1e-3, impact_law)).expect("a start");
        let most = most_added(&mut balls, 0.6);
        assert!(most < 1e-12 && balls.audit().anomalies.bounded == 0, "{most:e}");
        (0..5).map(|i| balls.state(i).velocity.x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(ImpactLaw::Moreau), run(ImpactLaw::EnergyBound));
}

/// A column of five that is pushed at its top rocks, and falls: restitution adds nothing by either law, and each other cause of a gain is
/// told.
#[test]
fn a_rocking_column_gains_nothing() {
    let flat = ground(Slope(0.0), 0.1);
    for (e, mu) in [(0.8, 0.2), (0.5, 0.9), (0.9, 0.5)] {
        let body = |i: i32| {
            let push = if i == 4 { 0.6 } else { 0.0 };
            sphere(&flat, law(e, 1.0), at([0.0, 0.1 + 0.2 * f64::from(i)], [push, 0.0], 0.0))
        };
        for impact_law in [ImpactLaw::Moreau, ImpactLaw::EnergyBound] {
            let settings = settings(1e-3, impact_law);
            let mut balls = Balls::new((0..5).map(body).collect(), law(0.9, mu), settings).expect("a start");
            let most = most_added(&mut balls, 1.5);
            println!("e {e}, μ {mu}: {most:e} J, {:?}", balls.audit().anomalies);
            assert!(most < 1e-8 && balls.audit().anomalies.gains == 0, "{most:e}");
        }
    }
}
