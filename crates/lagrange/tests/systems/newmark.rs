//! `M a + C v + K x = F` with three degrees of freedom against the matrix exponential.

use faer::Mat;
use lagrange::lcp::Failure;
use lagrange::{InputError, LinearNewmark, NewmarkState};
use newmark::Scheme;

const MASS: [[f64; 3]; 3] = [[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 1.5]];
const DAMPING: [[f64; 3]; 3] = [[0.4, -0.1, 0.0], [-0.1, 0.3, -0.05], [0.0, -0.05, 0.2]];
const STIFFNESS: [[f64; 3]; 3] = [[6.0, -2.0, 0.0], [-2.0, 4.0, -1.0], [0.0, -1.0, 3.0]];
const FORCE: [f64; 3] = [1.0, -0.5, 0.2];
const START: ([f64; 3], [f64; 3]) = ([0.5, -0.2, 0.1], [0.0, 1.0, -0.4]);

fn matrix(rows: [[f64; 3]; 3]) -> Mat<f64> {
    Mat::from_fn(3, 3, |i, j| rows[i][j])
}

/// Solves a small system by elimination with pivots.
fn solve<const N: usize, const R: usize>(mut a: [[f64; N]; N], mut b: [[f64; R]; N]) -> [[f64; R]; N] {
    for k in 0..N {
        let pivot = (k..N).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).expect("a row");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in 0..N {
            if i != k {
                let factor = a[i][k] / a[k][k];
                for j in k..N {
                    a[i][j] -= factor * a[k][j];
                }
                for j in 0..R {
                    b[i][j] -= factor * b[k][j];
                }
            }
        }
    }
    for k in 0..N {
        for j in 0..R {
            b[k][j] /= a[k][k];
        }
    }
    b
}

type Seven = [[f64; 7]; 7];

fn product(a: &Seven, b: &Seven) -> Seven {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..7).map(|k| a[i][k] * b[k][j]).sum()))
}

/// `exp(A)` by its series for `A/2^k`, squared k times.
fn exponential(a: &Seven) -> Seven {
    let identity: Seven = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    let small = a.map(|row| row.map(|x| x / 1024.0));
    let (mut sum, mut term) = (identity, identity);
    for k in 1..20 {
        term = product(&term, &small).map(|row| row.map(|x| x / f64::from(k)));
        sum = std::array::from_fn(|i| std::array::from_fn(|j| sum[i][j] + term[i][j]));
    }
    (0..10).fold(sum, |power, _| product(&power, &power))
}

/// Position and velocity at time t: `(x, v, 1)˙ = A (x, v, 1)`.
fn exact(t: f64) -> [f64; 6] {
    let right: [[f64; 7]; 3] = std::array::from_fn(|i| {
        let mut row = [0.0; 7];
        for j in 0..3 {
            (row[j], row[3 + j]) = (-STIFFNESS[i][j], -DAMPING[i][j]);
        }
        row[6] = FORCE[i];
        row
    });
    let lower = solve(MASS, right);
    let mut a = [[0.0; 7]; 7];
    for i in 0..3 {
        a[i][3 + i] = t;
        a[3 + i] = lower[i].map(|x| t * x);
    }
    let start = [START.0[0], START.0[1], START.0[2], START.1[0], START.1[1], START.1[2], 1.0];
    let power = exponential(&a);
    std::array::from_fn(|i| (0..7).map(|j| power[i][j] * start[j]).sum())
}

/// Largest error of position and velocity after 4 s in `steps` steps.
fn error(scheme: Scheme, steps: u32) -> f64 {
    let h = 4.0 / f64::from(steps);
    let mut newmark =
        LinearNewmark::new(matrix(MASS), matrix(DAMPING), matrix(STIFFNESS), scheme, h).expect("a regular system");
    let force: [[f64; 1]; 3] = std::array::from_fn(|i| {
        [FORCE[i] - (0..3).map(|j| DAMPING[i][j] * START.1[j] + STIFFNESS[i][j] * START.0[j]).sum::<f64>()]
    });
    let acceleration = solve(MASS, force).map(|[a]| a).to_vec();
    let mut state = NewmarkState { position: START.0.to_vec(), velocity: START.1.to_vec(), acceleration };
    for _ in 0..steps {
        newmark.step(&mut state, &FORCE);
    }
    let there = exact(4.0);
    let found = state.position.iter().chain(&state.velocity);
    found.zip(there).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn order(scheme: Scheme) -> f64 {
    let errors = [400, 800, 1600, 3200].map(|n| error(scheme, n));
    let orders = [0, 1, 2].map(|i| (errors[i] / errors[i + 1]).log2());
    println!("{scheme:?}: errors {errors:?}, orders {orders:?}");
    orders[2]
}

/// The exponential itself: a quarter of the way and on is the whole way, and it starts where it should.
#[test]
fn reference_is_consistent() {
    let start = exact(0.0);
    assert!((start[0] - 0.5).abs() < 1e-15 && (start[4] - 1.0).abs() < 1e-15);
    // The equation of motion by a central difference of the velocity.
    let (d, now) = (1e-4, exact(1.0));
    let (before, after) = (exact(1.0 - d), exact(1.0 + d));
    for i in 0..3 {
        let residual: f64 = (0..3)
            .map(|j| {
                MASS[i][j] * (after[3 + j] - before[3 + j]) / (2.0 * d)
                    + DAMPING[i][j] * now[3 + j]
                    + STIFFNESS[i][j] * now[j]
            })
            .sum::<f64>()
            - FORCE[i];
        assert!(residual.abs() < 1e-7, "{residual}");
    }
}

/// β = 1/4, γ = 1/2: order 2.
#[test]
fn average_acceleration_has_order_2() {
    let order = order(Scheme::AVERAGE);
    assert!((order - 2.0).abs() <= 0.02, "{order}");
}

/// β = 0.3025, γ = 0.6: numerical damping, order 1.
#[test]
fn numerical_damping_has_order_1() {
    let order = order(Scheme::new(0.3025, 0.6).expect("allowed"));
    assert!((order - 1.0).abs() <= 0.02, "{order}");
}

/// What is no system or no scheme is refused, with its reason.
#[test]
fn refusals() {
    let m = || matrix(MASS);
    let refused = |mass, damping, step| LinearNewmark::new(mass, damping, m(), Scheme::AVERAGE, step).err();
    assert!(matches!(refused(m(), Mat::zeros(2, 2), 0.1), Some(InputError::Entries(Failure::Size { name: "C", .. }))));
    assert!(matches!(refused(m(), m(), 0.0), Some(InputError::Parameter(_))));
    assert!(matches!(refused(m(), m(), f64::NAN), Some(InputError::Parameter(_))));
    let mut broken = m();
    broken[(1, 2)] = f64::NAN;
    assert!(matches!(
        refused(broken, m(), 0.1),
        Some(InputError::Entries(Failure::Entry { name: "M", row: 1, column: 2, .. }))
    ));
    let zero = || Mat::zeros(3, 3);
    let singular = LinearNewmark::new(zero(), zero(), zero(), Scheme::AVERAGE, 0.1).err();
    assert!(matches!(singular, Some(InputError::Iteration { .. })));
    assert!(Scheme::new(-0.1, 0.5).is_err() && Scheme::new(0.25, 1.1).is_err() && Scheme::new(f64::NAN, 0.5).is_err());
}
