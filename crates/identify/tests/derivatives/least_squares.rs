//! The solver and the errors of estimates, against textbook answers.

use identify::{Evaluation, Loss, ParameterRange, SolveError, Solver, Undetermined, statistics, student_quantile};
use nalgebra::DMatrix;

fn rosenbrock(p: &[f64]) -> Result<Evaluation, ()> {
    let jacobian = DMatrix::from_row_slice(2, 2, &[-20.0 * p[0], 10.0, -1.0, 0.0]);
    Ok(Evaluation { residuals: vec![10.0 * (p[1] - p[0] * p[0]), 1.0 - p[0]], jacobian })
}

fn solver(bounds: Vec<ParameterRange>, loss: Loss) -> Solver {
    Solver { bounds, loss, evaluations: 200, tolerance: 1e-16 }
}

#[test]
fn the_bottom_of_a_bent_valley_is_found() {
    let found = solver(vec![ParameterRange::NONE; 2], Loss::Squares).solve(&[-1.2, 1.0], rosenbrock).unwrap();
    assert!(found.converged);
    assert!(found.parameters.iter().all(|p| (p - 1.0).abs() < 1e-7), "{found:?}");
}

#[test]
fn a_bound_holds_and_the_rest_goes_on_along_it() {
    let bounds = vec![ParameterRange { lower: -2.0, upper: 0.5 }, ParameterRange::NONE];
    let found = solver(bounds, Loss::Squares).solve(&[-1.2, 1.0], rosenbrock).unwrap();
    assert_eq!(found.parameters[0], 0.5);
    assert!((found.parameters[1] - 0.25).abs() < 1e-9, "{found:?}");
    assert_eq!(found.held, [true, false]);
}

#[test]
fn an_outlier_pulls_a_mean_by_no_more_than_the_threshold() {
    let data = [1.0, 1.0, 1.0, 1.0, 101.0];
    let mean = |p: &[f64]| -> Result<Evaluation, ()> {
        let residuals = data.iter().map(|d| p[0] - d).collect();
        Ok(Evaluation { residuals, jacobian: DMatrix::from_element(5, 1, 1.0) })
    };
    let found = solver(vec![ParameterRange::NONE], Loss::Huber(0.1)).solve(&[50.0], mean).unwrap();
    // Σ ψ = 4(p − 1) − 0.1 = 0. It ends where 4 δ² is below 1e-16 of the cost, 20: δ < 2.3e-8.
    assert!((found.parameters[0] - 1.025).abs() < 2.3e-8, "{found:?}");
}

#[test]
fn where_the_model_has_no_value_no_step_goes() {
    let model = |p: &[f64]| match p[0] {
        p if p > 1.0 => Err(()),
        p => Ok(Evaluation { residuals: vec![p.powi(2) - 0.9], jacobian: DMatrix::from_element(1, 1, 2.0 * p) }),
    };
    let found = solver(vec![ParameterRange::NONE], Loss::Squares).solve(&[0.05], model).unwrap();
    assert!((found.parameters[0] - 0.9f64.sqrt()).abs() < 1e-7, "{found:?}");
    assert_eq!(solver(vec![ParameterRange::NONE], Loss::Squares).solve(&[2.0], model), Err(SolveError::Start(())));
}

/// A straight line through five points, from the textbook formulas.
#[test]
fn errors_of_a_straight_line() {
    let (x, y) = ([0.0, 1.0, 2.0, 3.0, 4.0], [0.1, 0.9, 2.2, 2.8, 4.1]);
    // Slope 0.99, intercept 0.04.
    let residuals = (0..5).map(|i| 0.04 + 0.99 * x[i] - y[i]).collect::<Vec<f64>>();
    let sum: f64 = residuals.iter().map(|r| r * r).sum();
    let jacobian = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { x[i] });
    let found = statistics(&Evaluation { residuals, jacobian }, &[0.04, 0.99], Loss::Squares, None).unwrap();
    let s = (sum / 3.0f64).sqrt();
    assert!((found.standard_errors[1] - s / 10.0f64.sqrt()).abs() < 1e-14);
    assert!((found.standard_errors[0] - s * (0.2f64 + 4.0 / 10.0).sqrt()).abs() < 1e-14);
    assert!((found.correlation[(0, 1)] + 2.0 / 6.0f64.sqrt()).abs() < 1e-14, "{}", found.correlation);
}

#[test]
fn students_quantiles_are_those_of_the_tables() {
    let table = [12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139];
    for (freedom, table) in (1..).zip(table).chain([(11, 2.200985), (20, 2.085963), (100, 1.983972)]) {
        let error = student_quantile(freedom) / table - 1.0;
        assert!(error.abs() < if freedom <= 10 { 3e-7 } else { 6e-5 }, "{freedom}: {error}");
    }
    assert_eq!(student_quantile(0), f64::INFINITY);
}

#[test]
fn what_the_data_can_not_tell_is_named() {
    let residuals = vec![0.1, -0.1, 0.05, 0.0];
    let of =
        |f: fn(usize, usize) -> f64| Evaluation { residuals: residuals.clone(), jacobian: DMatrix::from_fn(4, 2, f) };
    let nothing = statistics(&of(|i, j| if j == 0 { i as f64 } else { 0.0 }), &[1.0, 0.3], Loss::Squares, None);
    assert_eq!(nothing.unwrap().standard_errors[1], f64::INFINITY);
    let both = statistics(&of(|i, j| (i + 1) as f64 * [1.0, 2.0][j]), &[1.0, 0.3], Loss::Squares, None);
    assert!(matches!(both, Err(Undetermined::Combination { parts, .. }) if parts.len() == 2));
}

#[test]
fn a_simplex_finds_the_bottom_behind_a_kink_and_keeps_to_bounds() {
    let bounds = [ParameterRange::NONE, ParameterRange { lower: 0.5, upper: 2.0 }];
    let cost = |p: &[f64]| (p[0] < 10.0).then(|| (p[0] - 3.0).abs() + (p[0] - 3.0).powi(2) + (p[1] - 0.25).powi(2));
    let (found, least) = identify::simplex(&[0.0, 1.9], &[1.0, 0.3], &bounds, 400, cost);
    assert!((found[0] - 3.0).abs() < 1e-5 && found[1] == 0.5, "{found:?}");
    assert!((least - 0.0625).abs() < 1e-4, "{least}");
}
