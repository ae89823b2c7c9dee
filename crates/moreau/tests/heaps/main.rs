//! Heaps and pours: none stops, and few steps miss their tolerance.

#![allow(clippy::expect_used, reason = "tests fail loudly")]

use std::sync::Arc;

use balls::GRAVITY;
use moreau::{BallSettings, Balls, Executor, ImpactLaw, Island, Projection};
use reference::heap::{HeapStart, Vessel};

mod balls;

fn balls(heap: &HeapStart, tolerance: f64) -> Balls {
    balls_by(heap, BallSettings { tolerance, ..BallSettings::new(heap.step) })
}

fn balls_by(heap: &HeapStart, settings: BallSettings) -> Balls {
    balls::balls(heap, settings).expect("a start")
}

/// Random heaps and pours to 1e-8 m/s: some small ones, or of 50 to 500 balls those that `KUGELBAHN_HEAPS` says: `30`, or `30..60`.
#[test]
fn none_stops() {
    let asked = std::env::var("KUGELBAHN_HEAPS").ok().and_then(|asked| {
        let (from, to) = asked.split_once("..").unwrap_or(("0", &asked));
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    let is_asked = asked.is_some();
    let (seeds, least, most, duration) = asked.map_or((0..12, 10, 40, 0.25), |seeds| (seeds, 50, 500, 0.6));
    let (mut steps, mut missed, mut worst) = (0, 0, 0.0_f64);
    for seed in seeds {
        let heap = HeapStart::random(seed, least, most);
        let mut balls = balls(&heap, 1e-8);
        while balls.time() < duration {
            balls.step().unwrap_or_else(|error| panic!("{seed}, {heap:?}: {error}"));
        }
        let (residuals, energy) = (balls.audit().residuals, balls.energy());
        steps += residuals.steps;
        missed += residuals.missed;
        worst = worst.max(residuals.worst);
        if is_asked {
            let HeapStart { friction, restitution, step, .. } = heap;
            let left_out = balls.audit().anomalies.without_restitution;
            println!(
                "{seed}: {} balls, μ {friction:.2}, e {restitution:.2}, h {step:.1e}: {residuals:?}, {left_out} without restitution",
                balls.len()
            );
        }
        let booked = 1e-9 * energy.initial.abs();
        assert!(energy.numerical().abs() < booked, "{seed}: {:e} J", energy.numerical());
    }
    println!("{missed} of {steps} steps missed 1e-8 m/s, {worst:.1e} at most");
    assert!(steps > 500 && missed * 10_000 <= steps.max(10_000), "{missed} of {steps}");
}

/// With the bound no step of a heap adds energy but what its causes explain: normals that turn, and openings that are stopped.
/// Newton's law adds some to each of them.
#[test]
fn heaps_gain_nothing() {
    for seed in [1, 4, 5, 9] {
        let heap = HeapStart { restitution: 0.9, friction: 1.0, ..HeapStart::random(seed, 10, 40) };
        let by =
            |impact_law| balls_by(&heap, BallSettings { tolerance: 1e-8, impact_law, ..BallSettings::new(heap.step) });
        let explained =
            |balls: &Balls| balls.energy().total() - balls.audit().anomalies.turned - balls.audit().anomalies.opened;
        let run = |mut balls: Balls| {
            let mut most = 0.0_f64;
            while balls.time() < 0.25 {
                let before = explained(&balls);
                balls.step().expect("a step");
                most = most.max(explained(&balls) - before);
            }
            (balls, most)
        };
        let ((newton, _), (balls, most)) = (run(by(ImpactLaw::Moreau)), run(by(ImpactLaw::EnergyBound)));
        println!("{seed}: {most:.1e} J of {:.1} J, {:?}", balls.energy().initial, balls.audit().anomalies);
        assert!(most < 1e-8 * balls.energy().initial && balls.audit().anomalies.gains == 0, "{most:e}");
        assert!(
            newton.audit().anomalies.gains > 0 && balls.audit().anomalies.bounded > 0,
            "{:?}",
            newton.audit().anomalies
        );
    }
}

/// With projection a heap at rest keeps its contacts, and with them its impulses: steps start at their answer.
#[test]
fn a_heap_at_rest_keeps_its_contacts() {
    let heap = HeapStart::new(60, Vessel::Box, 0.15, 0.1, 0.1, 1);
    let projection = Projection { tolerance: 1e-6, iterations: 50 };
    let mut balls =
        balls_by(&heap, BallSettings { tolerance: 1e-4, projection: Some(projection), ..BallSettings::new(heap.step) });
    while balls.time() < 0.8 {
        balls.step().expect("a step");
    }
    let steps: Vec<_> = (0..100).map(|_| balls.step().expect("a step")).collect();
    let started = steps.iter().filter(|step| step.sweeps == 0).count();
    println!(
        "{started} of 100 steps start at their answer, {} iterations",
        steps.iter().map(|s| s.sweeps).sum::<usize>()
    );
    assert!(started >= 50, "{started}");
}

/// At rest the vessel carries the weight.
#[test]
fn walls_carry_the_weight() {
    for vessel in [Vessel::Box, Vessel::Valley, Vessel::Trough] {
        let heap = HeapStart::new(40, vessel, 0.15, 0.1, 0.1, 3);
        let mut balls = balls(&heap, 1e-10);
        while balls.time() < 1.2 {
            balls.step().expect("a step");
        }
        let upwards: f64 = balls
            .contacts()
            .iter()
            .filter(|contact| contact.other.is_none())
            .map(|contact| (contact.normal * contact.normal_impulse + contact.tangent() * contact.tangential_impulse).y)
            .sum();
        let weight: f64 = (0..balls.len()).map(|i| GRAVITY * balls.body(i).ball.mass() * heap.step).sum();
        let fastest = (0..balls.len()).map(|i| balls.state(i).velocity.norm()).fold(0.0_f64, f64::max);
        assert!((upwards - weight).abs() < 1e-6 * weight && fastest < 1e-6, "{upwards} of {weight}, {fastest:e}");
    }
}

/// Islands on so many threads.
#[derive(Debug)]
struct Threads(usize);

impl Executor for Threads {
    fn run(&self, islands: &mut [Island]) {
        let part = islands.len().div_ceil(self.0).max(1);
        std::thread::scope(|scope| {
            for islands in islands.chunks_mut(part) {
                scope.spawn(|| islands.iter_mut().for_each(Island::solve));
            }
        });
    }
}

/// Bit for bit the same by 1, 2 and 7 threads as in turn.
#[test]
fn threads_change_no_bit() {
    let heap = HeapStart { restitution: 0.4, ..HeapStart::new(60, Vessel::Trough, 0.3, 0.6, 0.3, 5) };
    let run = |threads: Option<usize>| {
        let mut balls = balls(&heap, 1e-8);
        if let Some(threads) = threads {
            balls = balls.with_executor(Arc::new(Threads(threads)));
        }
        let mut most = 0;
        while balls.time() < 0.3 {
            balls.step().expect("a step");
            most = most.max(balls.islands().len());
        }
        let bits: Vec<u64> = (0..balls.len())
            .flat_map(|i| {
                let state = balls.state(i);
                [state.position.x, state.position.y, state.velocity.x, state.velocity.y, state.spin].map(f64::to_bits)
            })
            .collect();
        (most, bits)
    };
    let (most, in_turn) = run(None);
    assert!(most > 3, "{most} islands");
    for threads in [1, 2, 7] {
        assert!(run(Some(threads)).1 == in_turn, "{threads}");
    }
}

/// The same balls in another order, and their mirror image: without friction velocities are unique.
#[test]
fn order_and_mirror() {
    let heap = HeapStart { friction: 0.0, ..HeapStart::new(30, Vessel::Box, 0.3, 0.3, 0.3, 7) };
    let count = heap.radii.len();
    let order: Vec<usize> = (0..count).map(|i| (7 * i + 3) % count).collect();
    let pick = |values: &[[f64; 2]], sign: f64| order.iter().map(|i| [sign * values[*i][0], values[*i][1]]).collect();
    let other = |sign: f64| HeapStart {
        radii: order.iter().map(|i| heap.radii[*i]).collect(),
        places: pick(&heap.places, sign),
        velocities: pick(&heap.velocities, sign),
        ..heap.clone()
    };
    for sign in [1.0, -1.0] {
        let (mut one, mut two) = (balls(&heap, 1e-12), balls(&other(sign), 1e-12));
        let mut apart = 0.0_f64;
        while one.time() < 0.1 {
            one.step().expect("a step");
            two.step().expect("a step");
            for (k, i) in order.iter().enumerate() {
                let (a, b) = (one.state(*i).position, two.state(k).position);
                apart = apart.max((a.x - sign * b.x).abs()).max((a.y - b.y).abs());
            }
        }
        println!("sign {sign}: {apart:.1e} m apart after {} steps", one.index());
        assert!(apart < 1e-9, "{apart:e}");
    }
}

/// Steps in which balls fall by more than their radius: none ends one with more than half of it in the ground.
#[test]
fn large_steps_press_no_ball_through() {
    let run = |heap: &HeapStart, duration: f64| {
        let mut balls = balls(heap, 1e-8);
        let mut deepest = 0.0_f64;
        while balls.time() < duration {
            balls.step().expect("a step");
            for ball in 0..balls.len() {
                deepest = deepest.max(-balls.gap(ball) / balls.body(ball).ball.radius());
            }
        }
        assert!(balls.energy().numerical().abs() < 1e-9 * balls.energy().initial.abs());
        (deepest, balls.audit().late, balls.audit().projected.steps)
    };
    let heaps = (0..20).map(|seed| HeapStart { step: 1e-2, ..HeapStart::random(seed, 60, 120) });
    let worst = heaps.map(|heap| run(&heap, 0.6).0).fold(0.0, f64::max);
    assert!(worst < 0.5 + 1e-5, "{worst}");
    // Between walls so steep that moving it out of one puts it into the other: both hold it, and it gains no energy.
    let narrow = HeapStart {
        radii: vec![0.01],
        places: vec![[0.02, 0.5]],
        velocities: vec![[0.0, 0.0]],
        vessel: vec![[-0.2, 3.0], [0.0, -0.3], [0.2, 3.0]],
        friction: 0.0,
        restitution: 0.6,
        step: 2e-2,
    };
    let (depth, late, projected) = run(&narrow, 3.0);
    assert!(depth < 0.5 + 1e-5 && late > 0 && projected < 20, "{depth}, {late} late, projected {projected} times");
    // One ball on its way into a corner, over the floor, by steps of up to five radii.
    for velocity in [[-0.6, -1.5], [-3.0, -1.5], [-5.0, -1.9], [0.0, -5.0]] {
        let one = HeapStart {
            radii: vec![0.0086],
            places: vec![[-0.05, 0.02]],
            velocities: vec![velocity],
            step: 1e-2,
            ..HeapStart::new(1, Vessel::Box, 0.0, 0.0, 0.0, 0)
        };
        let vessel = vec![[-0.1, 3.0], [-0.1, 0.0], [0.1, 0.0], [0.1, 3.0]];
        let (depth, _, projected) = run(&HeapStart { vessel, ..one }, 0.6);
        // In the corner both sides hold it: with one at a time it would fall into the other again and again.
        assert!(depth < 0.5 + 1e-5 && projected < 5, "{velocity:?}: {depth}, projected {projected} times");
    }
}
