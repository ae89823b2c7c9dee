//! Many balls poured into a valley.

use mechanics::ContactLaw;
use moreau::{BallSettings, Balls, Projection};

use super::world::{Valley, at, ground, law, sphere};

/// Numbers between 0 and 1 from a seed (SplitMix64).
pub fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Balls of two sizes in layers above the valley, none touching.
fn poured(count: i32, columns: i32, mut seed: u64, law: ContactLaw, settings: BallSettings) -> Balls {
    let grounds = [ground(Valley, 0.05), ground(Valley, 0.035)];
    let bodies = (0..count).map(|i| {
        let (column, row) = (i % columns, i / columns);
        let x = -0.06 * f64::from(columns - 1) + 0.12 * f64::from(column) + 0.01 * random(&mut seed);
        let y = 0.5 * x * x + 0.08 + 0.12 * f64::from(row) + 0.01 * random(&mut seed);
        let start = at([x, y], [0.4 * random(&mut seed) - 0.2, 0.0], 0.0);
        sphere(&grounds[usize::from(random(&mut seed) < 0.4)], law.clone(), start)
    });
    Balls::new(bodies.collect(), law, settings).expect("a start")
}

/// The deepest penetration, in radii of the smaller ball.
fn deepest_of(balls: &Balls) -> f64 {
    let all: Vec<_> = (0..balls.len()).map(|i| (balls.state(i).position, balls.body(i).ball.radius())).collect();
    let mut deepest = 0.0_f64;
    for (i, (q, radius)) in all.iter().enumerate() {
        deepest = deepest.max(-balls.body(i).ground.gap(*q) / radius);
        for (other, its) in &all[..i] {
            deepest = deepest.max((radius + its - (q - other).norm()) / radius.min(*its));
        }
    }
    deepest
}

/// What the scheme gives a ball of 1 kg whose contact opens at 0 < ẏ₀ < hg and is predicted closed: stopped by
/// `P = m(hg − ẏ₀)` it receives the work `P ẏ₀/2 ≤ m(hg)²/8` (J).
fn stopped_opening(balls: &Balls) -> f64 {
    (balls.settings().step * 9.81).powi(2) / 8.0
}

/// Penetration below 2 % of a radius and no more than the projection moves balls by (into those that the step has not seen near),
/// rest in the end; energy grows by no more than one stopped opening (3e-6 J of 2500 J) in
/// any step.
///
/// The heap has more contacts than degrees of freedom, so its impulses are not unique.
#[test]
fn comes_to_rest() {
    let projection = Projection { tolerance: 1e-6, ..Projection::default() };
    let settings = BallSettings { prediction: 1.0, projection: Some(projection), ..BallSettings::new(5e-4) };
    let mut balls = poured(200, 10, 1, law(0.0, 0.3), settings);
    // Of the steps; what the projection lifts apart is a number of its own.
    let of_steps = |energy: &moreau::Energy| energy.total() - energy.projection;
    let (mut deepest, mut gain, mut before) = (0.0_f64, 0.0_f64, of_steps(&balls.energy()));
    let (mut contacts, mut sweeps) = (0, 0);
    while balls.time() < 3.5 {
        let step = balls.step().expect("a step");
        (contacts, sweeps) = (contacts + step.contacts, sweeps + step.sweeps);
        // All of them, listed as contacts or not; once it lies still, now and then.
        if balls.time() < 1.6 || balls.index().is_multiple_of(50) {
            deepest = deepest.max(deepest_of(&balls));
        }
        let now = of_steps(&balls.energy());
        gain = gain.max(now - before);
        before = now;
    }
    let (ledger, projected) = (balls.energy(), balls.audit().projected);
    let (steps, lists) = (balls.index(), balls.neighbour_lists());
    println!("{:?}, {:?}", balls.audit().residuals, balls.audit().anomalies);
    println!(
        "{steps} steps, {contacts} contacts, {sweeps} sweeps, {lists} lists of neighbours: deepest {deepest:e} R, \
         gain {gain:e} J, numerical {:e} J, {projected:?}, {ledger:?}",
        ledger.numerical()
    );
    assert!(deepest < 0.02 && 0.035 * deepest <= projected.largest + 1e-6, "{deepest}");
    assert!(gain <= stopped_opening(&balls), "{gain:e}");
    assert!(ledger.kinetic < 1e-12 * ledger.initial, "{:e}", ledger.kinetic);
    assert!(ledger.numerical().abs() < 1e-9 * ledger.initial && projected.energy < 2e-3 * ledger.initial);
}

/// The projection to 1e-9 m used to stop the run, its problem being solved to
/// 1e-5 of the widest gap only.
#[test]
fn dense_piles_are_projected_to_a_nanometre() {
    for restitution in [0.0, 0.6] {
        let settings =
            BallSettings { tolerance: 1e-6, projection: Some(Projection::default()), ..BallSettings::new(1e-3) };
        let mut balls = poured(200, 10, 1, law(restitution, 0.2), settings);
        while balls.time() < 0.7 {
            balls.step().expect("a step");
        }
        let projected = balls.audit().projected;
        assert!(projected.steps > 300 && projected.unclosed == 0 && projected.left == 0.0, "{projected:?}");
    }
}

/// The same of what bounces, slides or sticks, each step solved to 1e-10 m/s. When the last ball has stopped depends on every bit.
#[test]
fn bounces_to_rest() {
    for (restitution, friction, seed) in [(0.5, 1.0, 11), (0.5, 0.0, 11), (0.0, 0.3, 11)] {
        let projection = Projection { tolerance: 1e-6, ..Projection::default() };
        let settings = BallSettings { prediction: 1.0, projection: Some(projection), ..BallSettings::new(5e-4) };
        let mut balls = poured(50, 5, seed, law(restitution, friction), settings);
        let (mut gain, mut before) = (f64::NEG_INFINITY, balls.energy());
        while balls.time() < 3.0 {
            balls.step().unwrap_or_else(|error| panic!("e {restitution}, μ {friction}: {error:?}"));
            let now = balls.energy();
            // Positions that the projection lifts apart.
            gain = gain.max(now.total() - now.projection - (before.total() - before.projection));
            before = now;
        }
        let ledger = balls.energy();
        println!("{:?}, {:?}, {:?}", balls.audit().residuals, balls.audit().anomalies, balls.audit().projected);
        println!(
            "e {restitution}, μ {friction}: gain {gain:e} J, kinetic {:e} J of {:e} J",
            ledger.kinetic, ledger.initial
        );
        // What a step adds is P·(u_free + u₁)/2 + h g P_y/2 with the impulse P_y of the ground, and of the first no less than
        // (1−e)/(1+e) P_y²/2M is lost: M (hg)²/8 (1+e)/(1−e) is left at most, that of all balls at once.
        let most = 50.0 * stopped_opening(&balls) * (1.0 + restitution) / (1.0 - restitution);
        assert!(gain <= most, "{gain:e}");
        if friction > 0.0 {
            assert!(ledger.kinetic < 1e-12 * ledger.initial, "{:e}", ledger.kinetic);
        }
    }
}
