//! The ball of the template: dropped, bouncing, at rest.

use faer::Mat;
use lagrange::mechanics::{ContactLaw, Friction};
use lagrange::{Linear, Settings, Start, Theta};
use reference::bounce::Bounce;

fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = Friction::Coefficient(friction);
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

const GRAVITY: f64 = 9.81;

fn ball(height: f64, step: f64, theta: f64) -> Theta<Linear<impl Fn(f64, &mut [f64])>> {
    let one = || Mat::from_fn(1, 1, |_, _| 1.0);
    let zero = || Mat::<f64>::zeros(1, 1);
    let system = Linear::new(one(), zero(), zero(), |_, force: &mut [f64]| force[0] = -GRAVITY)
        .and_then(|linear| linear.with_relations(one(), vec![0.0], vec![law(0.9, 0.0)]))
        .expect("a system");
    let start = Start { time: 0.0, position: vec![height], velocity: vec![0.0] };
    Theta::new(system, Settings { theta, ..Settings::new(step) }, start).expect("a start")
}

/// Height at a time, exactly.
fn exact(drop: &Bounce, t: f64) -> f64 {
    if t < drop.first_time() {
        return drop.height - 0.5 * drop.gravity * t * t;
    }
    if t >= drop.zeno_time() {
        return 0.0;
    }
    let k = (1..).take_while(|k| drop.impact_time(*k) <= t && *k < 2000).last().unwrap_or(1);
    let since = t - drop.impact_time(k);
    let rise = drop.restitution * drop.impact_speed(k);
    (rise * since - 0.5 * drop.gravity * since * since).max(0.0)
}

struct Found {
    error: f64,
    impacts: usize,
    sticks: f64,
}

fn drop(step: f64) -> Found {
    let reference = Bounce { height: 1.0, gravity: GRAVITY, restitution: 0.9 };
    let mut scheme = ball(1.0, step, 0.5);
    let (mut error, mut impulses) = (0.0_f64, Vec::new());
    while scheme.index() < (10.0 / step).round() as u64 {
        scheme.step().expect("a step");
        error = error.max((scheme.position()[0] - exact(&reference, scheme.time())).abs());
        impulses.push((scheme.time(), scheme.normal_impulses()[0]));
    }
    // An impact: an impulse after a step without one, and followed by one.
    let last_free = impulses.iter().rposition(|(_, p)| *p == 0.0).expect("it flies");
    let impacts = (1..=last_free).filter(|i| impulses[*i].1 > 0.0 && impulses[i - 1].1 == 0.0).count();
    let ledger = scheme.energy();
    println!("h = {step}: error {error:e}, {impacts} impacts, sticks at {}, {ledger:?}", impulses[last_free + 1].0);
    assert!(ledger.numerical().abs() < 1e-11, "{:e}", ledger.numerical());
    Found { error, impacts, sticks: impulses[last_free + 1].0 }
}

/// Two independent codes of this scheme give 7.3670e-2.
#[test]
fn errors_against_the_exact_solution() {
    let found = drop(5e-3);
    assert!((found.error - 7.367e-2).abs() <= 1e-5, "{:e}", found.error);
    assert_eq!(found.impacts, 41);
    assert!((found.sticks - 8.4850).abs() < 1e-12, "{}", found.sticks);
    for (step, expected, digit) in [(2e-2, 1.99e-1, 5e-4), (1.25e-3, 1.46e-2, 5e-5), (3.125e-4, 5.2e-3, 5e-5)] {
        let found = drop(step).error;
        assert!((found - expected).abs() <= digit, "h = {step}: {found:e}");
    }
}

/// 10⁶ steps at rest, started there and come to rest from bounces: no creep, no gain.
#[test]
fn resting() {
    for theta in [0.5, 1.0] {
        for height in [0.0, 0.05] {
            let mut scheme = ball(height, 5e-3, theta);
            let energy = |scheme: &Theta<_>| scheme.energy().kinetic + GRAVITY * scheme.position()[0];
            for _ in 0..2000 {
                scheme.step().expect("a step");
            }
            let (place, mut before, mut gain) = (scheme.position()[0], energy(&scheme), 0.0_f64);
            for _ in 0..1_000_000 {
                scheme.step().expect("a step");
                let now = energy(&scheme);
                gain = gain.max(now - before);
                before = now;
            }
            println!(
                "θ = {theta}, from {height}: rests at {place:e}, gain {gain:e}, {:e}",
                scheme.energy().numerical()
            );
            assert!((scheme.position()[0] - place).abs() <= 1e-15 && gain <= 1e-12);
            assert!(scheme.normal_impulses()[0] > 0.0);
            assert!((scheme.mean_force(0) - GRAVITY).abs() < 1e-10);
        }
    }
}
