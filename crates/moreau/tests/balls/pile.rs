//! Many balls poured into a valley.

use moreau::{BallSettings, Balls, Projection};

use super::world::{Valley, at, ground, law, sphere};

/// Numbers between 0 and 1 from a seed (SplitMix64).
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// 200 balls of two sizes in layers above the valley, none touching.
fn poured(restitution: f64, friction: f64, settings: BallSettings) -> Balls {
    let grounds = [ground(Valley, 0.05), ground(Valley, 0.035)];
    let mut seed = 1;
    let bodies = (0..200).map(|i| {
        let (column, row) = (i % 10, i / 10);
        let x = -0.54 + 0.12 * f64::from(column) + 0.01 * random(&mut seed);
        let y = 0.5 * x * x + 0.08 + 0.12 * f64::from(row) + 0.01 * random(&mut seed);
        let start = at([x, y], [0.4 * random(&mut seed) - 0.2, 0.0], 0.0);
        sphere(&grounds[usize::from(random(&mut seed) < 0.4)], law(restitution, friction), start)
    });
    Balls::new(bodies.collect(), law(restitution, friction), settings).expect("a start")
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

/// Penetration below 1 % of a radius, energy never grows, rest in the end.
///
/// The heap has more contacts than degrees of freedom, so its impulses are not unique.
#[test]
fn comes_to_rest() {
    let projection = Projection { tolerance: 1e-6, ..Projection::default() };
    let settings = BallSettings { prediction: 1.0, ..BallSettings::new(5e-4).with_projection(projection) };
    let mut balls = poured(0.0, 0.3, settings);
    let (mut deepest, mut gain, mut before) = (0.0_f64, 0.0_f64, balls.energy().total());
    let (mut contacts, mut sweeps) = (0, 0);
    let clock = std::time::Instant::now();
    while balls.time() < 3.5 {
        let step = balls.step().expect("a step");
        (contacts, sweeps) = (contacts + step.contacts, sweeps + step.sweeps);
        // All of them, listed as contacts or not; once it lies still, now and then.
        if balls.time() < 1.6 || balls.index().is_multiple_of(50) {
            deepest = deepest.max(deepest_of(&balls));
        }
        let now = balls.energy().total();
        gain = gain.max(now - before);
        before = now;
    }
    let (ledger, projected) = (balls.energy(), balls.projected());
    let (steps, lists) = (balls.index(), balls.neighbour_lists());
    println!(
        "{steps} steps, {contacts} contacts, {sweeps} sweeps, {lists} lists of neighbours, {:?}: deepest {deepest:e} R, \
         gain {gain:e} J, numerical {:e} J, {projected:?}, {ledger:?}",
        clock.elapsed(),
        ledger.numerical()
    );
    assert!(deepest < 0.01, "{deepest}");
    assert!(gain <= 1e-9 * ledger.initial, "{gain:e}");
    assert!(ledger.kinetic < 1e-12 * ledger.initial, "{:e}", ledger.kinetic);
    assert!(ledger.numerical().abs() < 1e-9 * ledger.initial && projected.energy < 2e-3 * ledger.initial);
}
