//! Taylor series in a circular bowl of radius 1, released at 60°: against elliptic functions.

use std::f64::consts::FRAC_PI_3;

use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use reference::bowl::Bowl;
use rolling::{ContactCount, ContactMethod, ContactStep, Taylor};

use crate::world::{G, World, slope};

fn within(tolerance: f64) -> Control {
    Control::Tolerance(Tolerance { relative: tolerance, absolute: tolerance })
}

/// Largest errors of place, velocity and λ over one second, at ends of steps and between them, and what it took.
fn errors(radius: f64, k: f64, control: Control) -> ([f64; 3], ContactCount) {
    let world = World::bowl(radius, k);
    let exact = Bowl { radius: 1.0, gravity: G, mass: 1.0, inertia_factor: k, release: FRAC_PI_3 };
    let (system, mut method) = (world.system(), Taylor::new(control));
    let mut step = ContactStep::begin(&world.release(FRAC_PI_3));
    let mut worst = [0.0_f64; 3];
    while step.end.time < 1.0 {
        step.start = step.end;
        if let Err(error) = method.step(&system, &mut step, 1.0) {
            panic!("{error}");
        }
        let dense = step.dense(&system);
        for part in [0.3, 0.8, 1.0] {
            let state = dense.at(&system, part * step.duration());
            let there = exact.at(state.time);
            let off = [
                (state.frame.position - Vector2::from(there.position)).norm(),
                (state.velocity() - Vector2::from(there.velocity)).norm(),
                (state.normal_force - there.normal_force).abs(),
            ];
            worst = std::array::from_fn(|i| worst[i].max(off[i]));
        }
    }
    (worst, method.count())
}

/// With fixed steps place, velocity and λ are of order 8, of a bead and of a sphere that rolls.
#[test]
fn order() {
    for (radius, k) in [(0.0, 0.0), (0.1, 0.4)] {
        let steps = [0.1, 0.05, 0.025];
        let all = steps.map(|step| errors(radius, k, Control::Step { step, extrapolate: false }).0);
        let orders = [0, 1, 2].map(|i| slope(&std::array::from_fn::<_, 3, _>(|j| (steps[j], all[j][i]))));
        println!("R {radius}: {all:?}, orders {orders:?}");
        assert!(orders.iter().all(|order| (order - 8.0).abs() < 0.5), "{orders:?}");
    }
}

/// A tolerance is kept, by series of order 8, 12 and 16; and what they take.
#[test]
fn tolerances_and_counts() {
    let mut table = String::new();
    for (body, radius, k) in [("bead", 0.0, 0.0), ("sphere", 0.1, 0.4)] {
        for tolerance in [1e-4, 1e-6, 1e-9, 1e-12] {
            let (errors, count) = errors(radius, k, within(tolerance));
            println!("{body} to {tolerance:e}: {errors:?}");
            let rounding = 1e-14;
            assert!(errors[0] < 10.0 * tolerance + rounding && errors[1] < 30.0 * tolerance + rounding, "{errors:?}");
            let ContactCount { steps, rejected, frames, projections, .. } = count;
            let order = Taylor::new(within(tolerance)).order();
            table += &format!(
                "{body} to {tolerance:e}, order {order}: {steps} steps, {rejected} rejected, {frames} frames, {projections} put back\n"
            );
        }
    }
    insta::assert_snapshot!(table, @r"
    bead to 1e-4, order 8: 6 steps, 0 rejected, 6 frames, 0 put back
    bead to 1e-6, order 12: 5 steps, 0 rejected, 5 frames, 0 put back
    bead to 1e-9, order 16: 6 steps, 0 rejected, 6 frames, 0 put back
    bead to 1e-12, order 16: 9 steps, 0 rejected, 9 frames, 0 put back
    sphere to 1e-4, order 8: 5 steps, 0 rejected, 5 frames, 0 put back
    sphere to 1e-6, order 12: 5 steps, 0 rejected, 5 frames, 0 put back
    sphere to 1e-9, order 16: 5 steps, 0 rejected, 5 frames, 0 put back
    sphere to 1e-12, order 16: 8 steps, 0 rejected, 8 frames, 0 put back
    ");
}
