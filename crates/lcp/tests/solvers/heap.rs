//! Blows on packings with high friction: the path to the impulses turns back many times.

use lcp::friction::{Bodies, Heap, Lever};
use nalgebra::{Matrix2x3, Matrix3, Vector3};

use crate::random::Random;

/// Discs in rows, each on two of the row below and beside its neighbour, on a floor and between walls; normals differ by some tenths
/// from a lattice's, and all discs move at random.
struct Packing {
    masses: Vec<Matrix3<f64>>,
    levers: Vec<[Option<Lever>; 2]>,
    velocity: Vec<[f64; 2]>,
    friction: Vec<f64>,
}

impl Packing {
    fn new(random: &mut Random, width: usize, rows: usize, friction: f64) -> Packing {
        let mut masses = Vec::new();
        let mut moving = Vec::new();
        for _ in 0..width * rows {
            let inverse = random.between(1.0, 4.0);
            masses.push(Matrix3::from_diagonal(&Vector3::new(inverse, inverse, 2.5 * inverse)));
            moving.push([0; 3].map(|_| random.between(-1.0, 1.0)));
        }
        let mut levers = Vec::new();
        // The direction is into the first.
        let mut touch = |first: usize, second: Option<usize>, direction: f64| {
            let (sine, cosine) = (direction + random.between(-0.3, 0.3)).sin_cos();
            let lever = |body: usize, sign: f64| Lever {
                body,
                rows: Matrix2x3::new(sign * cosine, sign * sine, 0.0, sign * sine, -sign * cosine, 1.0),
            };
            levers.push([Some(lever(first, 1.0)), second.map(|body| lever(body, -1.0))]);
        };
        let turn = std::f64::consts::FRAC_PI_3;
        for row in 0..rows {
            for column in 0..width {
                let disc = row * width + column;
                if column + 1 < width {
                    touch(disc + 1, Some(disc), 0.0);
                } else {
                    touch(disc, None, 3.0 * turn);
                }
                if column == 0 {
                    touch(disc, None, 0.0);
                }
                if row == 0 {
                    touch(disc, None, 1.5 * turn);
                    continue;
                }
                // Odd rows stand half a disc to the right.
                let below = [column as i64 - 1 + (row % 2) as i64, column as i64 + (row % 2) as i64];
                for (below, direction) in below.into_iter().zip([turn, 2.0 * turn]) {
                    if (0..width as i64).contains(&below) {
                        touch(disc, Some((row - 1) * width + below as usize), direction);
                    }
                }
            }
        }
        let along = |of: &[Option<Lever>; 2], k: usize| -> f64 {
            of.iter().flatten().map(|l| (0..3).map(|i| l.rows[(k, i)] * moving[l.body][i]).sum::<f64>()).sum()
        };
        let velocity = levers.iter().map(|of| [along(of, 0), along(of, 1)]).collect();
        let friction = vec![friction; levers.len()];
        Packing { masses, levers, velocity, friction }
    }

    fn bodies(&self) -> Bodies<'_> {
        let Packing { masses, levers, velocity, friction } = self;
        Bodies { inverse_masses: masses, levers, velocity, friction }
    }
}

/// Without restitution there is a solution, and it is found, within the systems of two paths.
#[test]
fn blows() {
    let mut random = Random::new(41);
    let mut heap = Heap::default();
    heap.tolerance = 1e-9;
    let (mut worst, mut most) = (0.0_f64, 0);
    for k in 0..12 {
        let packing = Packing::new(&mut random, 10 + k % 3, 10, [1.0, 0.7, 1.5][k % 3]);
        let mut impulse = vec![[0.0; 2]; packing.velocity.len()];
        let settled = heap.solve(packing.bodies(), &mut impulse).unwrap_or_else(|e| panic!("{k}: {e}"));
        worst = worst.max(settled.residual);
        most = most.max(settled.iterations);
    }
    println!("to {worst:.1e} m/s in {most} sweeps and systems at most");
    assert!(worst <= 1e-9 && most < 1200, "{worst:e} {most}");
}

/// From impulses that are a little off sweeps go on while their rate promises the goal: more than ten pairs, and no linear system.
#[test]
fn sweeps_that_settle() {
    let mut random = Random::new(7);
    let counts = [0.0, 0.1].map(|friction| {
        let packing = Packing::new(&mut random, 10, 4, friction);
        let mut heap = Heap::default();
        let mut impulse = vec![[0.0; 2]; packing.velocity.len()];
        heap.solve(packing.bodies(), &mut impulse).unwrap();
        impulse.iter_mut().flatten().for_each(|p| *p *= 1.0 + random.between(-0.1, 0.1));
        heap.tolerance = 1e-3;
        heap.solve(packing.bodies(), &mut impulse).unwrap().iterations
    });
    // Two for each pair; with ten pairs alone 23 and 25, three and five of them linear systems.
    assert_eq!(counts, [50, 116]);
}
