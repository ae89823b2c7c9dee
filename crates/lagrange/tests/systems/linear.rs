//! Three degrees of freedom with damping, stiffness and a force of the time against algorithm 1 written out densely.

use faer::Mat;
use faer::sparse::{SparseColMat, Triplet};
use lagrange::lcp::Failure;
use lagrange::mechanics::{ContactLaw, Friction};
use lagrange::{InputError, Linear, Matrix, Settings, Start, Theta};

fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = Friction::Coefficient(friction);
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

type Three = [f64; 3];
type Square = [Three; 3];
const MASS: Square = [[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 1.5]];
const DAMPING: Square = [[0.4, -0.1, 0.0], [-0.1, 0.3, -0.05], [0.0, -0.05, 0.2]];
const STIFFNESS: Square = [[6.0, -2.0, 0.0], [-2.0, 4.0, -1.0], [0.0, -1.0, 3.0]];
/// Hᵀ
const NORMAL: [Three; 2] = [[1.0, 0.0, 0.2], [0.0, -0.5, 1.0]];
const OFFSET: [f64; 2] = [0.1, 0.3];
const RESTITUTION: [f64; 2] = [0.9, 0.3];
const H: f64 = 5e-3;

fn force(t: f64) -> Three {
    [-5.0 + 4.0 * (3.0 * t).sin(), 0.5 * (7.0 * t).cos(), -4.0 + 3.0 * t.cos()]
}

fn times(a: &Square, x: &Three) -> Three {
    a.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
}
fn dot(a: &Three, b: &Three) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// By Gauss–Jordan with pivots.
fn inverse(mut a: Square) -> Square {
    let mut b: Square = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for k in 0..3 {
        let pivot = (k..3).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).expect("a row");
        a.swap(k, pivot);
        b.swap(k, pivot);
        let scale = a[k][k];
        for j in 0..3 {
            a[k][j] /= scale;
            b[k][j] /= scale;
        }
        for i in 0..3 {
            let factor = a[i][k];
            if i != k {
                for j in 0..3 {
                    a[i][j] -= factor * a[k][j];
                    b[i][j] -= factor * b[k][j];
                }
            }
        }
    }
    b
}

/// Algorithm 1, one step: `(q, v, P)` from `(q, v)` at time t.
fn reference(theta: f64, t: f64, q: &Three, v: &Three) -> (Three, Three, [f64; 2]) {
    let w = inverse(std::array::from_fn(|i| {
        std::array::from_fn(|j| MASS[i][j] + H * theta * DAMPING[i][j] + H * H * theta * theta * STIFFNESS[i][j])
    }));
    let (cv, kq, kv) = (times(&DAMPING, v), times(&STIFFNESS, q), times(&STIFFNESS, v));
    let (f0, f1) = (force(t), force(t + H));
    let right: Three = std::array::from_fn(|i| {
        -H * cv[i] - H * kq[i] - H * H * theta * kv[i] + H * (theta * f1[i] + (1.0 - theta) * f0[i])
    });
    let change = times(&w, &right);
    let free: Three = std::array::from_fn(|i| v[i] + change[i]);
    let predicted: Three = std::array::from_fn(|i| q[i] + 0.5 * H * v[i]);
    let closed = [0, 1].map(|r| dot(&NORMAL[r], &predicted) + OFFSET[r] <= 0.0);
    let b = [0, 1].map(|r| dot(&NORMAL[r], &free) + RESTITUTION[r] * dot(&NORMAL[r], v));
    let d = [0, 1].map(|r| [0, 1].map(|s| dot(&NORMAL[r], &times(&w, &NORMAL[s]))));
    // The LCP by trying every set of closed contacts that push.
    let mut impulse = [0.0; 2];
    for set in [[false, false], [true, false], [false, true], [true, true]] {
        if (0..2).any(|r| set[r] && !closed[r]) {
            continue;
        }
        let p = match set {
            [false, false] => [0.0, 0.0],
            [true, false] => [-b[0] / d[0][0], 0.0],
            [false, true] => [0.0, -b[1] / d[1][1]],
            [true, true] => {
                let det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
                [(-b[0] * d[1][1] + b[1] * d[0][1]) / det, (-b[1] * d[0][0] + b[0] * d[1][0]) / det]
            }
        };
        let left = |r: usize| d[r][0] * p[0] + d[r][1] * p[1] + b[r];
        if (0..2).all(|r| p[r] >= 0.0 && (!closed[r] || set[r] || left(r) >= 0.0)) {
            impulse = p;
            break;
        }
    }
    let reaction: Three = std::array::from_fn(|i| NORMAL[0][i] * impulse[0] + NORMAL[1][i] * impulse[1]);
    let kick = times(&w, &reaction);
    let after: Three = std::array::from_fn(|i| free[i] + kick[i]);
    let moved = std::array::from_fn(|i| q[i] + H * (theta * after[i] + (1.0 - theta) * v[i]));
    (moved, after, impulse)
}

fn dense(rows: Square) -> Matrix {
    Mat::from_fn(3, 3, |i, j| rows[i][j]).into()
}

fn sparse(rows: Square) -> Matrix {
    let all = (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).filter(|(i, j)| rows[*i][*j] != 0.0);
    let triplets: Vec<_> = all.map(|(i, j)| Triplet::new(i, j, rows[i][j])).collect();
    SparseColMat::try_new_from_triplets(3, 3, &triplets).expect("a matrix").into()
}

fn system(form: fn(Square) -> Matrix) -> Linear<impl Fn(f64, &mut [f64])> {
    let external = |t: f64, into: &mut [f64]| into.copy_from_slice(&force(t));
    let normal = Mat::from_fn(3, 2, |i, r| NORMAL[r][i]);
    Linear::new(form(MASS), form(DAMPING), form(STIFFNESS), external)
        .and_then(|system| system.with_relations(normal, OFFSET.to_vec(), RESTITUTION.map(|e| law(e, 0.0)).to_vec()))
        .expect("a system")
}

fn start() -> Start {
    Start { time: 0.0, position: vec![0.5, -0.2, 0.1], velocity: vec![0.0, 1.0, -0.4] }
}

/// Every step from the scheme's own state, θ = 1 and others; dense and sparse.
#[test]
fn agrees_with_algorithm_1() {
    for theta in [1.0, 0.5, 0.75] {
        for form in [dense, sparse] {
            let mut scheme =
                Theta::new(system(form), Settings { theta, ..Settings::new(H) }, start()).expect("a start");
            let (mut worst, mut single, mut double) = (0.0_f64, 0, 0);
            for _ in 0..4000 {
                let q: Three = std::array::from_fn(|i| scheme.position()[i]);
                let v: Three = std::array::from_fn(|i| scheme.velocity()[i]);
                let (q, v, p) = reference(theta, scheme.time(), &q, &v);
                scheme.step().expect("a step");
                let found = scheme.position().iter().chain(scheme.velocity()).chain(scheme.normal_impulses());
                let errors = found.zip(q.iter().chain(&v).chain(&p)).map(|(a, b)| (a - b).abs());
                worst = errors.fold(worst, f64::max);
                match p.iter().filter(|p| **p > 0.0).count() {
                    0 => {}
                    1 => single += 1,
                    _ => double += 1,
                }
            }
            println!("θ = {theta}: {worst:e}, {single} single and {double} double contacts");
            assert!(worst <= 1e-13 && single > 50 && double > 50);
        }
    }
}

/// θ = 1/2 keeps energy; θ = 1 takes `½ Δvᵀ M Δv + ½ Δqᵀ K Δq` a step, and the ledger shows it as numerical.
#[test]
fn what_the_scheme_does_to_energy() {
    for theta in [0.5, 1.0] {
        let mut scheme = Theta::new(system(dense), Settings { theta, ..Settings::new(H) }, start()).expect("a start");
        let mut expected = 0.0;
        for _ in 0..4000 {
            let before = (scheme.position().to_vec(), scheme.velocity().to_vec());
            scheme.step().expect("a step");
            let dq: Three = std::array::from_fn(|i| scheme.position()[i] - before.0[i]);
            let dv: Three = std::array::from_fn(|i| scheme.velocity()[i] - before.1[i]);
            expected -= (theta - 0.5) * (dot(&dv, &times(&MASS, &dv)) + dot(&dq, &times(&STIFFNESS, &dq)));
            // Contact work is counted by the mean velocity, the others by that of the scheme.
            let reaction: Three = std::array::from_fn(|i| {
                NORMAL[0][i] * scheme.normal_impulses()[0] + NORMAL[1][i] * scheme.normal_impulses()[1]
            });
            expected += (theta - 0.5) * dot(&dv, &reaction);
        }
        let found = scheme.energy().numerical();
        println!("θ = {theta}: numerical {found:e}, expected {expected:e}, {:?}", scheme.energy());
        assert!((found - expected).abs() < 1e-11, "{found:e} {expected:e}");
    }
}

#[test]
fn refusals() {
    let zero = || Mat::<f64>::zeros(3, 3);
    let none = |_: f64, _: &mut [f64]| {};
    let bad = |m: Mat<f64>, c: Mat<f64>| Linear::new(m, c, zero(), none).err();
    let mass = || Mat::from_fn(3, 3, |i, j| MASS[i][j]);
    assert!(matches!(bad(zero(), zero()), Some(InputError::Singular { pivot: Some(0), size: 3 })));
    let mut broken = mass();
    broken[(0, 1)] = 0.2;
    assert!(matches!(bad(broken, zero()), Some(InputError::Asymmetric { .. })));
    assert!(matches!(
        bad(mass(), Mat::zeros(2, 3)),
        Some(InputError::Entries(Failure::Size { name: "C", rows: 2, columns: 3, .. }))
    ));
    let mut broken = mass();
    broken[(2, 1)] = f64::NAN;
    let error = bad(mass(), broken).expect("refused");
    assert_eq!(error.to_string(), "C[2, 1] is NaN: it must be finite");
    // The pivot of a sparse M is not known: it was said to be the last one.
    for off in [1.0, 2.0] {
        let singular = sparse([[1.0, off, 0.0], [off, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let refused = Linear::new(singular, dense([[0.0; 3]; 3]), dense([[0.0; 3]; 3]), none).err();
        assert!(matches!(refused, Some(InputError::Singular { pivot: None, size: 3 })), "{refused:?}");
    }

    let relations = |h: Mat<f64>, b: Vec<f64>, damping: f64| {
        let law = law(0.5, 0.0).with_rolling_damping(damping).expect("a law");
        let linear = Linear::new(mass(), zero(), zero(), none).expect("a system");
        linear.with_relations(h, b, vec![law]).err()
    };
    let h = || Mat::from_fn(3, 1, |i, _| i as f64);
    assert!(matches!(
        relations(Mat::zeros(2, 1), vec![0.0], 0.0),
        Some(InputError::Entries(Failure::Size { name: "H", .. }))
    ));
    assert!(matches!(relations(h(), vec![], 0.0), Some(InputError::Entries(Failure::Size { name: "b", .. }))));
    assert!(matches!(relations(h(), vec![f64::NAN], 0.0), Some(InputError::Entries(Failure::Entry { name: "b", .. }))));
    let error = relations(h(), vec![0.0], 1.5).expect("refused").to_string();
    assert_eq!(error, "relation 0: rolling-damping = 1.5 is not allowed: it must be 0: a relation has no law of it");

    let refused = |settings: Settings, start: Start| Theta::new(system(dense), settings, start).err();
    for theta in [0.4, 1.1, f64::NAN] {
        assert!(
            matches!(refused(Settings { theta, ..Settings::new(H) }, start()), Some(InputError::Parameter(p)) if p.name == "theta")
        );
    }
    for step in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert!(matches!(refused(Settings::new(step), start()), Some(InputError::Parameter(p)) if p.name == "step"));
    }
    let below = Start { position: vec![-1.0, 0.0, 0.0], ..start() };
    assert!(matches!(refused(Settings::new(H), below), Some(InputError::Penetration { relation: 0, .. })));
    let short = Start { velocity: vec![0.0], ..start() };
    assert!(matches!(
        refused(Settings::new(H), short),
        Some(InputError::Entries(Failure::Size { name: "v", rows: 1, .. }))
    ));
    let nan = Start { position: vec![0.5, f64::NAN, 0.0], ..start() };
    assert!(matches!(
        refused(Settings::new(H), nan),
        Some(InputError::Entries(Failure::Entry { name: "q", row: 1, .. }))
    ));
}

/// A point on a rough floor, μ = 0.2: `e_t` acts in the impact, and not while it slips.
#[test]
fn tangential_restitution_in_impacts_alone() {
    let run = |tangential: f64, start: Start, until: f64| {
        let law = law(0.0, 0.2).with_tangential_restitution(tangential).expect("a law");
        let column = |row: usize| Mat::from_fn(2, 1, move |i, _| f64::from(u8::from(i == row)));
        let mass = Mat::from_fn(2, 2, |i, j| f64::from(u8::from(i == j)));
        let none = || Mat::<f64>::zeros(2, 2);
        let system = Linear::new(mass, none(), none(), |_, f: &mut [f64]| f.copy_from_slice(&[0.0, -9.81]))
            .and_then(|system| system.with_relations(column(1), vec![0.0], vec![law]))
            .and_then(|system| system.with_tangential(column(0)))
            .expect("a system");
        let mut scheme = Theta::new(system, Settings::new(H), start).expect("a start");
        let mut fast = false;
        while scheme.time() < until - 1e-9 && !(fast && scheme.velocity()[1] > -1e-9) {
            scheme.step().expect("a step");
            fast |= scheme.velocity()[1] < -1.0;
        }
        scheme.velocity()[0]
    };
    for tangential in [-1.0, -0.9, 0.0, 1.0] {
        let on_floor = Start { time: 0.0, position: vec![0.0; 2], velocity: vec![3.0, 0.0] };
        let slips = run(tangential, on_floor, 1.0);
        assert!((slips - (3.0 - 0.2 * 9.81)).abs() < 1e-12, "e_t = {tangential}: {slips}");
        // Dropped by 1 m: the impact has friction to spare.
        let above = Start { time: 0.0, position: vec![0.0, 1.0], velocity: vec![0.1, 0.0] };
        let after = run(tangential, above, 1.0);
        assert!((after + 0.1 * tangential).abs() < 1e-12, "e_t = {tangential}: {after}");
    }
}
