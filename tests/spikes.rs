//! Fast flat paths over thin spikes and sharp crests: which they hit first, and when.

use nalgebra::Vector2;
use reference::Collocation;
use supervisor::{Event, EventKind};

use crate::harness::{Worst, attempt, run};

const G: f64 = 9.81;
/// Half the width of what counts as the spike, m.
const HALF: f64 = 0.003;
/// Heights this close to the tip are left out with drag: at step 1 the error of Newmark itself is up to 1e-2 m.
const MARGIN: f64 = 0.03;

struct Spike {
    name: &'static str,
    formula: &'static str,
    height: fn(f64) -> f64,
}

const SPIKES: [Spike; 2] = [
    Spike { name: "spike", formula: "0.5*exp(-(x/0.0005)^2)", height: |x| 0.5 * (-(x / 0.0005).powi(2)).exp() },
    Spike { name: "crest", formula: "max(0, 0.5 - 400*abs(x))", height: |x| (0.5 - 400.0 * x.abs()).max(0.0) },
];

/// splitmix64.
struct Random(u64);

impl Random {
    fn between(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        lo + (hi - lo) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[derive(Clone, Copy, Debug)]
struct Throw {
    position: Vector2<f64>,
    velocity: Vector2<f64>,
}

/// 200 throws at 20 to 60 m/s from up to 8 m away, half of them at the spike, none within `margin` of its tip.
fn throws(margin: f64) -> Vec<Throw> {
    let mut random = Random(2026);
    let mut throws = Vec::new();
    while throws.len() < 200 {
        let (speed, away) = (random.between(20.0, 60.0), random.between(1.0, 8.0));
        let (over, rise) = (random.between(0.02, 1.0), random.between(-2.0, 2.0));
        let t = away / speed;
        let start = over - rise * t - 0.5 * G * t * t;
        if start > 0.02 && (over - 0.5).abs() >= margin {
            let velocity = Vector2::new(speed, rise + G * t);
            throws.push(Throw { position: Vector2::new(-away, start), velocity });
        }
    }
    throws
}

/// Position, velocity and acceleration at a time.
type At<'a> = &'a dyn Fn(f64) -> [Vector2<f64>; 3];

/// First impact: whether on the spike, and when. The path is known exactly; around the spike by its Taylor parabola.
fn first_impact(spike: &Spike, motion: At, speed: f64, away: f64) -> (bool, f64) {
    // When it comes to x = −HALF.
    let mut t = (away - HALF) / speed;
    for _ in 0..20 {
        let [q, v, _] = motion(t);
        t -= (q.x + HALF) / v.x;
    }
    let [q, v, a] = motion(t);
    let near = |s: f64| q + s * (v + 0.5 * s * a);
    let gap = |s: f64| near(s).y - (spike.height)(near(s).x);
    let samples = 40_000;
    let all = 2.0 * HALF / v.x;
    let mut before = 0.0;
    for i in 1..=samples {
        let s = all * f64::from(i) / f64::from(samples);
        if gap(s) < 0.0 {
            let (mut lo, mut hi) = (before, s);
            for _ in 0..100 {
                let middle = 0.5 * (lo + hi);
                if gap(middle) > 0.0 { lo = middle } else { hi = middle }
            }
            return (true, t + hi);
        }
        before = s;
    }
    // Else the floor, where the spike is nothing.
    t += 0.3;
    for _ in 0..50 {
        let [q, v, _] = motion(t);
        t -= q.y / v.y;
    }
    (false, t)
}

fn scenario(spike: &Spike, throw: &Throw) -> String {
    let Throw { position: q, velocity: v } = throw;
    format!(
        r#"
        initial = {{ position = [{:?}, {:?}], velocity = [{:?}, {:?}] }}
        ground = {{ curve = {{ kind = "graph", y = "{}" }} }}
        solver = {{ duration = 2.0 }}
    "#,
        q.x, q.y, v.x, v.y, spike.formula
    )
}

fn on_spike(event: &Event) -> bool {
    event.position().x.abs() < HALF
}

/// Without drag: all 200 right, against the bracketed root.
#[test]
fn without_drag() {
    for spike in &SPIKES {
        let (mut hits, mut time) = (0, Worst::default());
        for throw in throws(0.0) {
            let Throw { position, velocity } = throw;
            let pull = Vector2::new(0.0, -G);
            let motion = |t: f64| [position + t * (velocity + 0.5 * t * pull), velocity + t * pull, pull];
            let (hit, exact) = first_impact(spike, &motion, velocity.x, -position.x);
            // What comes after the first impact does not matter; it may end in the corner at the crest's foot.
            let run = attempt(&scenario(spike, &throw), &[]);
            let event = run.events.first().expect("an impact");
            assert_eq!(on_spike(event), hit, "{}: {throw:?}", spike.name);
            time.see(event.time() - exact);
            hits += u32::from(hit);
        }
        println!("{}: {hits} of 200 hit it, times to {:e} s", spike.name, time.0);
        assert!((60..140).contains(&hits), "{hits}");
        assert!(time.0 <= 1e-12, "{:e}", time.0);
    }
}

/// With drag at fixed steps from 1 ms to 1 s and with a tolerance: all right, against an independent integration.
/// Times are as good as the scheme: order 2 in h.
#[test]
fn with_drag() {
    let drag = 1e-3;
    let integrator = Collocation::new(6);
    let force = |v: Vector2<f64>| -drag * v.norm() * v - Vector2::new(0.0, G);
    let solvers =
        ["step=0.001", "step=0.01", "step=0.1", "step=1.0", "tolerance=1e-6", "tolerance=1e-9", "tolerance=1e-12"];
    for spike in &SPIKES {
        let mut errors = [Worst::default(); 7];
        let mut hits = 0;
        for throw in throws(MARGIN) {
            let Throw { position, velocity } = throw;
            let motion = |t: f64| {
                let rates = |_: f64, [_, _, vx, vy]: &[f64; 4]| {
                    let a = force(Vector2::new(*vx, *vy));
                    [*vx, *vy, a.x, a.y]
                };
                let start = [position.x, position.y, velocity.x, velocity.y];
                let [x, y, vx, vy] = integrator.integrate(rates, 0.0, start, t, 4);
                [Vector2::new(x, y), Vector2::new(vx, vy), force(Vector2::new(vx, vy))]
            };
            let (hit, exact) = first_impact(spike, &motion, velocity.x, -position.x);
            hits += u32::from(hit);
            for (solver, error) in solvers.iter().zip(&mut errors) {
                let settings = [format!("forces.drag={{ coefficient = {drag} }}"), format!("solver.{solver}")];
                let run = attempt(&scenario(spike, &throw), &[&settings[0], &settings[1]]);
                let event = run.events.first().expect("an impact");
                assert_eq!(on_spike(event), hit, "{solver}: {throw:?}, {:?} for {exact}", event.position());
                error.see(event.time() - exact);
            }
        }
        println!(
            "{}: {hits} of 200 hit; errors of times {:?}",
            spike.name,
            solvers.iter().zip(errors).collect::<Vec<_>>()
        );
        assert!((60..140).contains(&hits), "{hits}");
        for (error, most) in errors.iter().zip([2e-8, 2e-6, 2e-4, 2e-2, 1e-6, 1e-9, 1e-12]) {
            assert!(error.0 <= most, "{errors:?}");
        }
    }
}

/// Throws onto a step as steep as 1e8 land below the centre along the normal: a foot that is below it along the axis of its leaf is
/// off along the face by the slope times the rounding of the abscissa, and the balance of place ends the run.
#[test]
fn steep_steps() {
    let mut random = Random(18);
    for (formula, radius) in [("atan(1e5*x)", 0.0), ("atan(1e6*x)", 0.05), ("atan(1e8*x)", 0.05), ("tanh(1e6*x)", 0.0)]
    {
        let mut impacts = 0;
        for _ in 0..20 {
            let [x, y, vx, vy] =
                [(-1.0, 1.0), (1.7, 2.5), (-2.0, 2.0), (-1.0, 1.0)].map(|(lo, hi)| random.between(lo, hi));
            let scenario = format!(
                "initial = {{ position = [{x}, {y}], velocity = [{vx}, {vy}] }}
                ball.radius = {radius}
                ground.curve = {{ kind = \"graph\", y = \"{formula}\" }}
                contact.restitution = 0.8
                solver.duration = 1.5"
            );
            let run = run(&scenario, &[]);
            impacts += run.of(EventKind::Impact).count();
            assert!(run.summary.count.balance.place.size < 1e-14, "{scenario}: {:?}", run.summary.count.balance.place);
        }
        assert!(impacts > 20, "{formula}: {impacts}");
    }
}
