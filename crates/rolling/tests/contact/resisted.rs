//! Rolling resistance in a circular bowl whose centre path has radius 1, while the ball slips and while it rolls: against the equations of
//! §2 integrated in the angle, independently.

use mechanics::{Ball, Mode};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use rolling::{ContactMethod, ContactStep, Formulation, Taylor};

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

/// A ball spins down on level ground without friction, pressed by a Magnus force: λ is linear in ω, which decays to where λ vanishes. The
/// acceleration of its centre is 0 all along, so that only that of its spin tells whether a step's iteration has ended.
#[test]
fn the_spin_alone_has_order_2() {
    let mode = Mode::Sliding { sign: 1.0, spin: -1.0 };
    let mut world = World::ball_on_graph("0*x", Ball::new(1.0, RADIUS, K).expect("a ball")).with_friction(0.0, mode);
    world.contact = world.contact.with_rolling_resistance(C).expect("allowed");
    world.forces = world.forces.with_magnus(0.5).expect("allowed");
    let begin = world.start(0.0, -2.0, -20.0);
    let (still, pressed) = (world.start(0.0, -2.0, 0.0).normal_force, begin.normal_force);
    let per_spin = (pressed - still) / begin.spin;
    let rate = C * per_spin / (K * RADIUS);
    let exact = (begin.spin + still / per_spin) * (rate * UNTIL).exp() - still / per_spin;
    for formulation in [Formulation::Projected, Formulation::Symmetric, Formulation::ArcLength] {
        let errors = [0.02, 0.01, 0.005].map(|h| {
            let end = follow(&world, formulation, (h, false), begin, UNTIL, |_| ());
            (h, end.spin - exact)
        });
        println!("{formulation:?}: {errors:?} of {exact}");
        assert!((slope(&errors) - 2.0).abs() < 0.05, "{formulation:?}: {errors:?}");
    }
}

/// A ball that begins without spin, in a wind and with a Magnus force, follows the same path by series and by steps: the force is not the
/// same all along because it is none at the start.
#[test]
fn a_force_by_spin_is_not_steady_where_there_is_no_spin_yet() {
    let mode = Mode::Sliding { sign: 1.0, spin: -1.0 };
    let mut world =
        World::ball_on_graph("0.3*x^2", Ball::new(1.0, RADIUS, K).expect("a ball")).with_friction(0.3, mode);
    world.forces = world.forces.with_magnus(0.05).expect("allowed").with_wind(Vector2::new(0.0, 2.0)).expect("allowed");
    let begin = world.start(-0.5, 2.0, 0.0);
    let control = Control::Tolerance(Tolerance { relative: 1e-11, absolute: 1e-11 });
    let mut series = Taylor::new(control);
    let mut step = ContactStep::begin(&begin);
    step.start = begin;
    series.step(&world.system(), &mut step, 0.05).expect("a step");
    step.account(&world.system());
    let (until, exact) = (step.end.time, step.end);
    let ends =
        [8.0, 16.0].map(|steps| follow(&world, Formulation::Symmetric, (until / steps, true), begin, until, |_| ()));
    let off = ends.map(|end| (end.spin - exact.spin).abs().max((end.dissipated - exact.dissipated).abs()));
    println!("{until}: {off:?}");
    assert!(off[1] < 1e-7 && off[0] > 12.0 * off[1], "{off:?}");
}

/// What carries accelerations refuses it also where the ball slips.
#[test]
fn is_refused_by_what_carries_accelerations() {
    let world = world(Mode::Sliding { sign: 1.0, spin: -1.0 });
    for formulation in [Formulation::Index3, Formulation::StabilizedIndex2] {
        let mut method = crate::world::fixed(formulation, 0.01, false);
        let mut step = ContactStep::begin(&world.start(1.0, 1.0, -1.0));
        let found = ContactMethod::step(&mut method, &world.system(), &mut step, 0.01);
        assert_eq!(found, Err(rolling::RollingError::Resistance { formulation }));
    }
}
