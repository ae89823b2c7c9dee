//! One contact with friction: closed form, against the planar LCP.

use lcp::Failure;
use lcp::friction::{Block, DenseFriction, Frictional, Regime, one};
use nalgebra::DMatrix;

use crate::random::Random;

fn by_lemke(dense: &mut DenseFriction, block: Block, velocity: [f64; 2], friction: f64) -> Result<[f64; 2], Failure> {
    let matrix = DMatrix::from_fn(2, 2, |i, j| block[i][j]);
    let mut impulse = [[0.0; 2]];
    let problem = Frictional { matrix: matrix.as_view(), velocity: &[velocity], friction: &[friction] };
    dense.solve(problem, &mut impulse).map(|_| impulse[0])
}

/// The law itself.
fn violation(block: Block, q: [f64; 2], friction: f64, p: [f64; 2]) -> f64 {
    let u = [0, 1].map(|i| block[i][0] * p[0] + block[i][1] * p[1] + q[i]);
    let normal = (-u[0]).max(-p[0]).max(u[0].min(p[0]));
    let slides = if u[1].abs() > 1e-9 { (p[1] + friction * p[0] * u[1].signum()).abs() } else { 0.0 };
    normal.max(p[1].abs() - friction * p[0]).max(slides)
}

#[test]
fn closed_form_and_lemke() {
    let mut random = Random::new(21);
    let mut dense = DenseFriction::default();
    let (mut counts, mut several, mut worst, mut apart) = ([0_usize; 4], 0, 0.0_f64, 0.0_f64);
    for k in 0..20_000 {
        let b = random.matrix(2, 2);
        let m = &b * b.transpose() + DMatrix::<f64>::identity(2, 2) * if k % 2 == 0 { 0.3 } else { 1e-3 };
        let block = [[m[(0, 0)], m[(0, 1)]], [m[(1, 0)], m[(1, 1)]]];
        let q = [random.signed(), random.signed()];
        let friction = [0.0, random.between(0.0, 0.5), random.between(0.0, 3.0)][k % 3];
        let contact = one(block, q, friction).unwrap_or_else(|error| panic!("{block:?} {q:?} {friction}: {error}"));
        let other = by_lemke(&mut dense, block, q, friction).unwrap_or_else(|error| panic!("{block:?} {q:?}: {error}"));
        let size = 1.0 + contact.impulse[0].abs() + other[0].abs();
        worst = worst.max(violation(block, q, friction, contact.impulse) / size);
        worst = worst.max(violation(block, q, friction, other) / size);
        if contact.unique {
            apart = apart.max((contact.impulse[0] - other[0]).abs().max((contact.impulse[1] - other[1]).abs()) / size);
            counts[contact.regime as usize] += 1;
        } else {
            assert_eq!(contact.regime, Regime::Separating, "{block:?} {q:?} {friction}");
            several += 1;
        }
    }
    println!("separating, sticking, sliding either way {counts:?}, several {several}; {worst:.1e}, apart {apart:.1e}");
    assert!(counts.iter().all(|count| *count > 1000) && several > 100);
    assert!(worst < 1e-10 && apart < 1e-9);
}

/// `μ W_nt > W_nn`: it may leave as well as jam. Lemke finds either, the closed form says that there are several.
#[test]
fn indeterminate() {
    let block = [[1.0, 2.0], [2.0, 5.0]];
    let contact = one(block, [1.0, 4.0], 1.0).expect("it may separate");
    assert_eq!((contact.regime, contact.impulse, contact.unique), (Regime::Separating, [0.0; 2], false));
    let jam = [1.0, -1.0];
    assert_eq!(violation(block, [1.0, 4.0], 1.0, jam), 0.0);
    let found = by_lemke(&mut DenseFriction::default(), block, [1.0, 4.0], 1.0).expect("copositive");
    assert!(found == [0.0; 2] || (found[0] - 1.0).abs().max((found[1] + 1.0).abs()) < 1e-12, "{found:?}");
    assert!(one(block, [1.0, 0.0], 1.0).expect("it separates").unique);
}

/// No regime holds: only where the block is no Delassus block.
#[test]
fn inconsistent() {
    let block = [[1.0, 2.0], [2.0, 1.0]];
    assert!(matches!(one(block, [-1.0, 0.0], 1.0), Err(Failure::NoSolution { proven: true, .. })));
    assert!(by_lemke(&mut DenseFriction::default(), block, [-1.0, 0.0], 1.0).is_err());
}

/// A sphere that lands: slides either way, rolls, leaves; μ = 0 and ∞; to the last bit.
#[test]
fn sphere() {
    let sphere = [[1.0, 0.0], [0.0, 3.5]];
    let of = |q, friction| one(sphere, q, friction).map(|contact| (contact.regime, contact.impulse));
    assert_eq!(of([-1.0, 7.0], 0.25), Ok((Regime::SlidingForward, [1.0, -0.25])));
    assert_eq!(of([-1.0, -7.0], 0.25), Ok((Regime::SlidingBackward, [1.0, 0.25])));
    assert_eq!(of([-1.0, 0.7], 0.25), Ok((Regime::Sticking, [1.0, -0.7 / 3.5])));
    assert_eq!(of([1.0, 0.7], 0.25), Ok((Regime::Separating, [0.0; 2])));
    assert_eq!(of([-1.0, 7.0], 0.0).map(|(_, p)| p[1].abs()), Ok(0.0));
    assert_eq!(of([-1.0, 7.0], f64::INFINITY), Ok((Regime::Sticking, [1.0, -2.0])));
    // By pivoting ∞ is 100, and what slides all the same is counted.
    let mut dense = DenseFriction::default();
    let by = |mu: f64, dense: &mut DenseFriction| by_lemke(dense, sphere, [-1.0, 7.0], mu).expect("copositive");
    assert_eq!(by(f64::INFINITY, &mut dense), by(100.0, &mut dense));
    let matrix = DMatrix::from_row_slice(2, 2, &sphere.concat());
    let slides = |q: f64, mu: f64| {
        let problem = Frictional { matrix: matrix.as_view(), velocity: &[[-1.0, q]], friction: &[mu] };
        DenseFriction::default().solve(problem, &mut [[0.0; 2]]).expect("copositive").slipped
    };
    assert_eq!([slides(7.0, f64::INFINITY), slides(1e3, f64::INFINITY), slides(1e3, 100.0)], [0, 1, 0]);
}
