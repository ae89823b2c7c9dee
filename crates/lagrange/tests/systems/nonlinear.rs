//! A pendulum in a coordinate that bends, so that the mass depends on it: `φ = q + q³/5`, `M = φ′²`, `Q = φ′φ″q̇²`.
//! With an elastic stop at the bottom its angle is the absolute value of the free pendulum's.

use faer::MatMut;
use lagrange::mechanics::{ContactLaw, Friction};
use lagrange::{At, Derivatives, Gap, Gradients, Settings, Start, Step, System, Theta};
use reference::bowl::Bowl;

fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = Friction::Coefficient(friction);
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

const GRAVITY: f64 = 9.81;

#[derive(Clone)]
struct Pendulum {
    laws: Vec<ContactLaw>,
    analytic: bool,
}

fn angle(q: f64) -> f64 {
    q + 0.2 * q * q * q
}
fn slope(q: f64) -> f64 {
    1.0 + 0.6 * q * q
}
fn bend(q: f64) -> f64 {
    1.2 * q
}
/// The coordinate of an angle.
fn coordinate(phi: f64) -> f64 {
    (0..60).fold(phi, |q, _| q - (angle(q) - phi) / slope(q))
}

impl System for Pendulum {
    fn size(&self) -> usize {
        1
    }
    fn mass(&self, q: &[f64], mut mass: MatMut<'_, f64>) {
        mass[(0, 0)] = slope(q[0]).powi(2);
    }
    fn inertia_force(&self, q: &[f64], v: &[f64], force: &mut [f64]) {
        force[0] = slope(q[0]) * bend(q[0]) * v[0] * v[0];
    }
    fn internal_force(&self, at: At<'_>, force: &mut [f64]) {
        force[0] = GRAVITY * angle(at.position[0]).sin() * slope(at.position[0]);
    }
    fn potential(&self, q: &[f64]) -> f64 {
        -GRAVITY * angle(q[0]).cos()
    }
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }
    fn relation(&self, _: usize, _: f64, q: &[f64], gradients: Gradients<'_>) -> Gap {
        gradients.normal[0] = slope(q[0]);
        Gap::still(angle(q[0]))
    }
    fn derivatives(&self, at: At<'_>, a: &[f64], into: &mut Derivatives<'_>) {
        if !self.analytic {
            return into.by_differences(self, at, a);
        }
        let (q, v) = (at.position[0], at.velocity[0]);
        let (s, b, phi) = (slope(q), bend(q), angle(q));
        into.damping[(0, 0)] = 2.0 * s * b * v;
        into.stiffness[(0, 0)] =
            2.0 * s * b * a[0] + (b * b + 1.2 * s) * v * v + GRAVITY * (phi.cos() * s * s + phi.sin() * b);
    }
}

struct Found {
    mean: f64,
    largest: f64,
    iterations: usize,
    numerical: f64,
}

fn run(stop: bool, release: f64, analytic: bool, theta: f64, step: f64, duration: f64) -> Found {
    let laws = if stop { vec![law(1.0, 0.0)] } else { Vec::new() };
    let bowl = Bowl { radius: 1.0, gravity: GRAVITY, mass: 1.0, inertia_factor: 0.0, release };
    let start = Start { time: 0.0, position: vec![coordinate(release)], velocity: vec![0.0] };
    let settings = Settings { theta, ..Settings::new(step) };
    let mut scheme = Theta::new(Pendulum { laws, analytic }, settings, start).expect("a start");
    let (mut sum, mut largest, mut iterations) = (0.0, 0.0_f64, 0);
    let steps = (duration / step).round() as usize;
    for _ in 0..steps {
        let Step { newton, .. } = scheme.step().expect("a step");
        iterations += newton;
        let free = bowl.at(scheme.time()).angle;
        let error = (angle(scheme.position()[0]) - if stop { free.abs() } else { free }).abs();
        sum += error;
        largest = largest.max(error);
    }
    Found { mean: sum / steps as f64, largest, iterations, numerical: scheme.energy().numerical() }
}

/// Slope of the logarithms, by least squares.
fn order(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let cross: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    cross / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

const STEPS: [f64; 5] = [1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4];

/// Order 2 for θ = 1/2 without contact, order 1 for θ = 1.
#[test]
fn smooth_order() {
    for (theta, expected) in [(0.5, 2.0), (1.0, 1.0)] {
        let points = STEPS.map(|h| (h, run(false, 1.0, true, theta, h, 3.0).largest));
        let found = order(&points);
        println!("θ = {theta}: order {found}, {points:?}");
        assert!((found - expected).abs() < 0.1, "{found}");
    }
}

/// Order 1 across impacts. Where an impact falls into its step is chance: the mean over many releases.
#[test]
fn order_across_impacts() {
    let mean =
        |h: f64| (0..40).map(|i| run(true, 0.8 + 0.01 * f64::from(i), true, 0.5, h, 3.0).mean).sum::<f64>() / 40.0;
    let points = STEPS.map(|h| (h, mean(h)));
    let found = order(&points);
    println!("order {found}, {points:?}");
    assert!((found - 1.0).abs() < 0.1, "{found}");
}

/// Newton's iterations are locked; differences do as well as formulas.
#[test]
fn newton_counts() {
    let count = |stop, analytic| run(stop, 1.0, analytic, 0.5, 5e-3, 3.0).iterations;
    let counts = [count(false, true), count(false, false), count(true, true), count(true, false)];
    println!("{counts:?} in 600 steps");
    assert_eq!(counts, [1849, 1849, 1845, 1845]);
    let numerical = STEPS.map(|h| run(false, 1.0, true, 0.5, h, 3.0).numerical);
    println!("{numerical:?}");
}
