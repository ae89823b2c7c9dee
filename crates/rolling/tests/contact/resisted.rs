//! Rolling resistance in a circular bowl whose centre path has radius 1, while the ball slips and while it rolls: against the equations of
//! §2 integrated in the angle, independently.

use mechanics::Mode;
use rolling::Formulation;

use crate::world::{G, World, follow, slope};

const RADIUS: f64 = 0.1;
const K: f64 = 0.4;
const MU: f64 = 0.2;
const C: f64 = 0.05;
/// s
const UNTIL: f64 = 0.32;

fn world(mode: Mode) -> World {
    let mut world = World::bowl(RADIUS, K).with_friction(MU, mode);
    world.contact = world.contact.with_rolling_resistance(C).expect("allowed");
    world
}

/// φ from the bottom, φ̇ and R ω, by 1 kg in the classical Runge–Kutta method with steps of 10 µs.
fn exact(mode: Mode, start: [f64; 3]) -> [f64; 3] {
    let rates = |[angle, speed, _]: [f64; 3]| {
        let push = speed * speed + G * angle.cos();
        let pull = -G * angle.sin();
        match mode {
            Mode::Sliding { sign, spin } => [speed, pull - MU * sign * push, -(MU * sign + C * spin) * push / K],
            _ => {
                let along = (pull - C * speed.signum() * push) / (1.0 + K);
                [speed, along, -along]
            }
        }
    };
    let steps = (UNTIL / 1e-5).round();
    let h = UNTIL / steps;
    let ahead = |x: [f64; 3], k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
    let mut x = start;
    for _ in 0..steps as u64 {
        let k1 = rates(x);
        let k2 = rates(ahead(x, k1, 0.5 * h));
        let k3 = rates(ahead(x, k2, 0.5 * h));
        let k4 = rates(ahead(x, k3, h));
        x = std::array::from_fn(|i| x[i] + h * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0);
    }
    x
}

/// Order 2, and 4 extrapolated, of place, speed and spin.
#[test]
fn order_in_h() {
    let slips = Mode::Sliding { sign: 1.0, spin: -1.0 };
    let unwinds = Mode::Sliding { sign: 1.0, spin: 1.0 };
    let rolls = Mode::Rolling { sign: 1.0 };
    for (mode, start) in [(slips, [-0.6, 1.0, -0.3]), (unwinds, [-0.6, 1.0, 3.0]), (rolls, [-0.6, 1.0, -1.0])] {
        let [angle, speed, rim] = exact(mode, start);
        let world = world(mode);
        let middle = 0.5 * (std::f64::consts::PI - 1.0) * (1.0 + RADIUS);
        let begin = world.start(middle + start[0] * (1.0 + RADIUS), start[1], start[2] / RADIUS);
        for (formulation, extrapolate) in [
            (Formulation::Projected, false),
            (Formulation::Symmetric, false),
            (Formulation::ArcLength, false),
            (Formulation::Symmetric, true),
        ] {
            let errors = [0.02, 0.01, 0.005].map(|h| {
                let end = follow(&world, formulation, (h, extrapolate), begin, UNTIL, |_| ());
                let place = (end.place.parameter() - middle) / (1.0 + RADIUS);
                (h, [place - angle, end.speed - speed, RADIUS * end.spin - rim])
            });
            let order = [0, 1, 2].map(|i| slope(&errors.map(|(h, errors)| (h, errors[i]))));
            let expected = if extrapolate { 4.0 } else { 2.0 };
            println!("{mode:?} {formulation:?} {extrapolate}: {order:.3?}, {:?}", errors[2].1);
            assert!(order.iter().all(|order| (order - expected).abs() < 0.15), "{mode:?} {formulation:?}: {order:?}");
        }
    }
}

/// What carries accelerations refuses it also where the ball slips.
#[test]
fn is_refused_by_what_carries_accelerations() {
    let world = world(Mode::Sliding { sign: 1.0, spin: -1.0 });
    for formulation in [Formulation::Index3, Formulation::StabilizedIndex2] {
        let mut method = crate::world::fixed(formulation, 0.01, false);
        let mut step = rolling::ContactStep::begin(&world.start(1.0, 1.0, -1.0));
        let found = rolling::ContactMethod::step(&mut method, &world.system(), &mut step, 0.01);
        assert_eq!(found, Err(rolling::RollingError::Resistance { formulation }));
    }
}
