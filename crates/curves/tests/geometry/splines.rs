//! Smoothing splines against dense linear algebra, and what they make of noise.

use crate::random::Rng;
use curves::spline::{Smoothing, SplineEnds, knots, smooth, spline};
use nalgebra::{DMatrix, DVector, Vector2};

/// `I − A = α(I + αK)⁻¹K` with `K = Q R⁻¹ Qᵀ`, all dense.
fn residual_maker(knots: &[f64], weight: f64) -> DMatrix<f64> {
    let n = knots.len();
    let h = |i: usize| knots[i + 1] - knots[i];
    let (mut q, mut r) = (DMatrix::zeros(n, n - 2), DMatrix::zeros(n - 2, n - 2));
    for j in 0..n - 2 {
        (q[(j, j)], q[(j + 1, j)], q[(j + 2, j)]) = (1.0 / h(j), -1.0 / h(j) - 1.0 / h(j + 1), 1.0 / h(j + 1));
        r[(j, j)] = (h(j) + h(j + 1)) / 3.0;
        if j + 1 < n - 2 {
            (r[(j, j + 1)], r[(j + 1, j)]) = (h(j + 1) / 6.0, h(j + 1) / 6.0);
        }
    }
    let k = &q * r.try_inverse().unwrap() * q.transpose() * weight;
    let whole: DMatrix<f64> = DMatrix::identity(n, n) + &k;
    whole.try_inverse().unwrap() * k
}

#[test]
fn smoothing_solves_the_dense_equations() {
    let mut rng = Rng(5);
    for n in [3, 4, 5, 12, 40] {
        let mut x = 0.0;
        let points: Vec<Vector2<f64>> = (0..n)
            .map(|_| {
                x += 0.05 + 0.3 * rng.between(0.0, 1.0);
                Vector2::new(x, (2.0 * x).sin() + 0.1 * rng.normal())
            })
            .collect();
        let at = knots(&points).unwrap();
        for how in [
            Smoothing::LargestDeviation(0.02),
            Smoothing::LargestDeviation(0.3),
            Smoothing::Noise(0.05),
            Smoothing::CrossValidation,
        ] {
            let smoothed = smooth(&at, &points, how).unwrap();
            if smoothed.weight > 1e4 {
                // All is allowed: a straight line, where a dense inverse knows nothing any more.
                let bent = |piece: &curves::Piece| piece.jet(piece.domain().middle()).second.norm();
                assert!(smoothed.pieces.iter().all(|piece| bent(piece) < 1e-4), "{n}, {how:?}");
                continue;
            }
            let heights = DVector::from_iterator(n, points.iter().map(|p| p.y));
            let maker = residual_maker(&at, smoothed.weight);
            let residual = &maker * &heights;
            for (i, p) in points.iter().enumerate() {
                let piece = &smoothed.pieces[i.min(n - 2)];
                let found = piece.curve().point_at(at[i]);
                assert!((found.x - p.x).abs() < 1e-14, "{n}, {how:?}");
                assert!((found.y - (p.y - residual[i])).abs() < 1e-8, "{n}, {how:?}, point {i}");
            }
            assert!((smoothed.largest_deviation - residual.amax()).abs() < 1e-8);
            if let Smoothing::LargestDeviation(bound) = how {
                assert!(smoothed.largest_deviation <= bound * (1.0 + 1e-12));
                // As much as is allowed.
                assert!(smoothed.largest_deviation > 0.999 * bound, "{n}, {how:?}: {smoothed:?}");
            }
            let noise = (residual.norm_squared() / maker.trace()).sqrt();
            assert!((smoothed.noise - noise).abs() < 1e-6 * noise, "{n}, {how:?}: {} and {noise}", smoothed.noise);
            if let Smoothing::Noise(sigma) = how {
                assert!((0.999 * sigma..=sigma).contains(&smoothed.noise), "{n}: {smoothed:?}");
            }
            // Cross-validation found a minimum: no weight nearby scores better.
            if how == Smoothing::CrossValidation && n == 40 {
                let score = |weight: f64| {
                    let maker = residual_maker(&at, weight);
                    (&maker * &heights).norm_squared() / maker.trace().powi(2)
                };
                let least = score(smoothed.weight);
                assert!([0.8, 0.95, 1.05, 1.25].iter().all(|by| score(by * smoothed.weight) >= least));
            }
        }
    }
}

#[test]
fn cross_validation_finds_the_noise() {
    let mut rng = Rng(6);
    for sigma in [1e-2, 1e-4] {
        let exact = |x: f64| 0.3 * (1.7 * x).sin();
        let points: Vec<Vector2<f64>> =
            (0..2000).map(|i| f64::from(i) * 0.005).map(|x| Vector2::new(x, exact(x) + sigma * rng.normal())).collect();
        let smoothed = smooth(&knots(&points).unwrap(), &points, Smoothing::CrossValidation).unwrap();
        assert!((smoothed.noise / sigma - 1.0).abs() < 0.1, "{} for {sigma}", smoothed.noise);
        let off = |piece: &curves::Piece| (piece.jet(piece.domain().lo).point.y - exact(piece.domain().lo)).powi(2);
        let error = (smoothed.pieces.iter().map(off).sum::<f64>() / 1999.0).sqrt();
        assert!(error < sigma / 3.0, "{error} for {sigma}");
    }
}

/// Value, slope and bending fall with the fourth, third and second power of the distance of the points.
#[test]
fn splines_converge_with_their_order() {
    let exact = |x: f64| [x.sin() + 0.3 * x, x.cos() + 0.3, -x.sin()];
    let errors = |n: u32| {
        let points: Vec<Vector2<f64>> =
            (0..=n).map(|i| 4.0 * f64::from(i) / f64::from(n)).map(|x| Vector2::new(x, exact(x)[0])).collect();
        let ends = SplineEnds::Clamped([0.0, 4.0].map(|x| Vector2::new(1.0, exact(x)[1])));
        let mut worst = [0.0_f64; 3];
        for piece in spline(&knots(&points).unwrap(), &points, ends) {
            for k in 0..20 {
                let x = piece.domain().lo + piece.domain().width() * f64::from(k) / 20.0;
                let jet = piece.jet(x);
                for (worst, (ours, exact)) in
                    worst.iter_mut().zip([jet.point.y, jet.first.y, jet.second.y].iter().zip(exact(x)))
                {
                    *worst = worst.max((ours - exact).abs());
                }
            }
        }
        worst
    };
    let (coarse, fine) = (errors(20), errors(160));
    for (order, (coarse, fine)) in [4.0, 3.0, 2.0].into_iter().zip(coarse.into_iter().zip(fine)) {
        let slope = (coarse / fine).log2() / 3.0;
        assert!((slope - order).abs() < 0.2, "order {order}: {slope}");
    }
}
