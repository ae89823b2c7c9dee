//! Work, so that a change of it is seen: steps, and evaluations of the ground, over one second in the bowl.

use std::f64::consts::FRAC_PI_3;

use newmark::{Control, Scheme, Tolerance};
use rolling::{ContactCount, ContactMethod, ContactStep, Formulation, Newmark};

use crate::world::{ALL, World};

fn work(world: &World, formulation: Formulation, control: Control) -> String {
    let mut method = Newmark::new(formulation, Scheme::AVERAGE, control).expect("they go together");
    let mut step = ContactStep::begin(&world.release(FRAC_PI_3));
    while step.end.time < 1.0 {
        step.start = step.end;
        if let Err(error) = method.step(&world.system(), &mut step, 1.0) {
            panic!("{error}");
        }
    }
    let ContactCount { steps, rejected, frames, projections, .. } = method.count();
    format!("{steps} steps, {rejected} rejected, {frames} frames, {projections} put back")
}

#[test]
fn of_a_bead_and_a_sphere() {
    let (bead, sphere) = (World::bowl(0.0, 0.0), World::bowl(0.1, 0.4));
    let step = Control::Step { step: 0.005, extrapolate: false };
    let mut table = String::new();
    for (name, formulation) in ALL {
        for (body, world) in [("bead", &bead), ("sphere", &sphere)] {
            table += &format!("{name}, {body}: {}\n", work(world, formulation, step));
        }
    }
    let extrapolated = Control::Step { step: 0.005, extrapolate: true };
    table += &format!("extrapolated, bead: {}\n", work(&bead, Formulation::Symmetric, extrapolated));
    for tolerance in [1e-6, 1e-9, 1e-12] {
        for (name, formulation) in [("symmetric", Formulation::Symmetric), ("arc-length", Formulation::ArcLength)] {
            let control = Control::Tolerance(Tolerance { relative: tolerance, absolute: tolerance });
            table += &format!("{name} to {tolerance:e}, bead: {}\n", work(&bead, formulation, control));
        }
    }
    insta::assert_snapshot!(table, @r"
    index3, bead: 200 steps, 0 rejected, 400 frames, 0 put back
    index3, sphere: 200 steps, 0 rejected, 402 frames, 0 put back
    stabilized-index2, bead: 200 steps, 0 rejected, 968 frames, 0 put back
    stabilized-index2, sphere: 200 steps, 0 rejected, 947 frames, 0 put back
    projected, bead: 200 steps, 0 rejected, 971 frames, 0 put back
    projected, sphere: 200 steps, 0 rejected, 949 frames, 0 put back
    symmetric, bead: 200 steps, 0 rejected, 495 frames, 0 put back
    symmetric, sphere: 200 steps, 0 rejected, 467 frames, 0 put back
    arc-length, bead: 200 steps, 0 rejected, 600 frames, 0 put back
    arc-length, sphere: 200 steps, 0 rejected, 800 frames, 0 put back
    extrapolated, bead: 200 steps, 0 rejected, 1504 frames, 200 put back
    symmetric to 1e-6, bead: 9 steps, 0 rejected, 445 frames, 18 put back
    arc-length to 1e-6, bead: 9 steps, 0 rejected, 518 frames, 18 put back
    symmetric to 1e-9, bead: 14 steps, 2 rejected, 970 frames, 28 put back
    arc-length to 1e-9, bead: 11 steps, 0 rejected, 765 frames, 22 put back
    symmetric to 1e-12, bead: 29 steps, 0 rejected, 1665 frames, 58 put back
    arc-length to 1e-12, bead: 19 steps, 0 rejected, 1324 frames, 38 put back
    ");
}
