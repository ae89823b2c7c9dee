//! No allocation in a step. Alone in its binary, because it counts what the whole process allocates.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests say what they measured, and fail loudly")]

use allocation_counter::measure;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, MatMut};
use lagrange::mechanics::{ContactLaw, Friction};
use lagrange::{Gap, Gradients, Linear, Matrix, Settings, Start, System, Theta};

fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = Friction::Coefficient(friction);
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

/// Masses in a row over a floor, joined by springs.
fn row(sparse: bool, friction: f64) -> Theta<Linear<impl Fn(f64, &mut [f64])>> {
    const N: usize = 6;
    let entry = |i: usize, j: usize, own: f64, next: f64| match i.abs_diff(j) {
        0 => own,
        1 => next,
        _ => 0.0,
    };
    let matrix = |own: f64, next: f64| -> Matrix {
        if sparse {
            let all = (0..N).flat_map(|i| (0..N).map(move |j| (i, j))).filter(|(i, j)| i.abs_diff(*j) < 2);
            let triplets: Vec<_> = all.map(|(i, j)| Triplet::new(i, j, entry(i, j, own, next))).collect();
            SparseColMat::try_new_from_triplets(N, N, &triplets).expect("a matrix").into()
        } else {
            Mat::from_fn(N, N, |i, j| entry(i, j, own, next)).into()
        }
    };
    // Of two masses each, the first may bounce; the second is what it slips along.
    let normal = Mat::from_fn(N, N / 2, |i, r| f64::from(u8::from(i == 2 * r)));
    let tangential = Mat::from_fn(N, N / 2, |i, r| f64::from(u8::from(i == 2 * r + 1)));
    let laws = vec![law(0.5, friction); N / 2];
    let system = Linear::new(matrix(1.0, 0.0), matrix(0.1, 0.0), matrix(20.0, -8.0), |_, f: &mut [f64]| f.fill(-9.81))
        .and_then(|system| system.with_relations(normal, vec![0.1; N / 2], laws))
        .and_then(|system| system.with_tangential(tangential))
        .expect("a system");
    let start = Start { time: 0.0, position: (0..N).map(|i| 0.1 * i as f64).collect(), velocity: vec![0.0; N] };
    Theta::new(system, Settings::new(2e-3), start).expect("a start")
}

/// A bead on `y = cos x` under gravity, over a floor: everything nonlinear.
struct Bead(Vec<ContactLaw>);

impl System for Bead {
    fn size(&self) -> usize {
        1
    }
    fn mass(&self, q: &[f64], mut mass: MatMut<'_, f64>) {
        mass[(0, 0)] = 1.0 + q[0].sin().powi(2);
    }
    fn inertia_force(&self, q: &[f64], v: &[f64], force: &mut [f64]) {
        force[0] = q[0].sin() * q[0].cos() * v[0] * v[0];
    }
    fn internal_force(&self, at: lagrange::At<'_>, force: &mut [f64]) {
        force[0] = -9.81 * at.position[0].sin();
    }
    fn laws(&self) -> &[ContactLaw] {
        &self.0
    }
    fn relation(&self, _: usize, _: f64, q: &[f64], gradients: Gradients<'_>) -> Gap {
        gradients.normal[0] = -q[0].sin();
        Gap::still(q[0].cos() + 0.5)
    }
}

fn count<S: System>(mut scheme: Theta<S>, name: &str) {
    for _ in 0..2000 {
        scheme.step().expect("a step");
    }
    let mut most = 0;
    let info = measure(|| {
        for _ in 0..2000 {
            most = most.max(scheme.step().expect("a step").active);
        }
    });
    println!("{name}: {} allocations, up to {most} contacts", info.count_total);
    assert_eq!(info.count_total, 0, "{name}");
    assert!(most > 0, "{name}");
}

#[test]
fn steps() {
    count(row(false, 0.0), "dense");
    count(row(true, 0.0), "sparse");
    count(row(false, 0.3), "dense with friction");
    let start = Start { time: 0.0, position: vec![0.3], velocity: vec![0.0] };
    let bead = Theta::new(Bead(vec![law(0.8, 0.0)]), Settings::new(2e-3), start).expect("a start");
    count(bead, "nonlinear");
}
