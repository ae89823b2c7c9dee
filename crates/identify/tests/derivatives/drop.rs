//! A filmed drop: what a fit must reach.

use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece, Profile};
use identify::{
    Evaluation, Loss, Model, ModelError, ParameterRange, RunSettings, Solution, Solver, observe, statistics,
};
use mechanics::{Ball, ContactLaw, Forces, Friction, ParameterError, State};
use nalgebra::{DMatrix, Vector2};
use newmark::Tolerance;
use numbers::{Interval, Number};
use supervisor::{Options, Scene, Start, Watching};

#[derive(Debug)]
struct Floor(f64);

impl Profile for Floor {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, N::constant(self.0)]
    }
}

/// e, g, y₀, v₀, height of the floor, μ.
const TRUTH: [f64; 6] = [0.82, 9.81, 1.0, 0.0, 0.0, 0.2];
const NOISE: f64 = 1e-3;

fn model(p: &[f64]) -> Result<Model, ParameterError> {
    let ground = Ground::new(vec![Piece::new(Floor(p[4]), Interval::REAL)]).unwrap();
    let ball = Ball::point(1.0)?;
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -p[1]))?;
    let friction = Friction::Coefficient(p.get(5).copied().unwrap_or(TRUTH[5]));
    let law = ContactLaw::new(p[0])?.with_friction(friction)?;
    let (position, velocity) = (Vector2::new(0.0, p[2]), Vector2::new(0.0, p[3]));
    let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 };
    let ground = OffsetGround::new(Arc::new(ground), 0.0);
    Ok(Model { scene: Scene::new(ground.into(), ball, forces, law), start: Start::Flight(start) })
}

fn runs() -> RunSettings {
    let options = Options {
        duration: 3.0,
        interval: None,
        capture_speed: 1e-6,
        capture_tolerance: 1e-9,
        largest_step: f64::INFINITY,
        compression: Tolerance { relative: 1e-9, absolute: 1e-9 },
        limit: Some(1_000_000),
    };
    RunSettings { options, tolerance: 1e-10, watching: Watching::default() }
}

/// Heights of the ball on the frames of a film.
struct Film {
    times: Vec<f64>,
    heights: Vec<f64>,
}

impl Film {
    /// 3 s at 120 frames/s, without noise.
    fn new() -> Self {
        let times: Vec<f64> = (0..=360).map(|i| f64::from(i) / 120.0).collect();
        let states = observe(&times, &TRUTH[..5], model, &runs()).unwrap();
        Film { times, heights: states.iter().map(|seen| seen.state[1]).collect() }
    }

    fn with_noise(&self, noise: &mut Noise) -> Self {
        let heights = self.heights.iter().map(|y| y + NOISE * noise.normal()).collect();
        Film { times: self.times.clone(), heights }
    }

    /// Heights of the model less those seen until a time.
    fn residuals(&self, until: f64, values: &[f64]) -> Result<Evaluation, ModelError<ParameterError>> {
        let times = &self.times[..self.times.partition_point(|t| *t <= until)];
        let states = observe(times, values, model, &runs())?;
        let residuals = states.iter().zip(&self.heights).map(|(seen, y)| seen.state[1] - y).collect();
        let jacobian = DMatrix::from_fn(states.len(), values.len(), |i, j| states[i].by[j][1]);
        Ok(Evaluation { residuals, jacobian })
    }

    fn fit(&self, start: &[f64]) -> Option<Solution> {
        let solver =
            Solver { bounds: vec![ParameterRange::NONE; 5], loss: Loss::Squares, evaluations: 100, tolerance: 1e-10 };
        let frames = |part: f64| self.times.iter().filter(|t| 0.0 < **t && **t <= part * 3.0).count();
        solver.solve_in_stages(start, frames, |part, values| self.residuals(part * 3.0, values)).ok()
    }
}

/// Normal numbers from SplitMix64 (Steele, Lea, Flood 2014) by Box and Muller.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

#[test]
fn a_thousand_films_give_the_restitution_as_exactly_as_they_can() {
    let film = Film::new();
    let mut noise = Noise(7);
    let (mut errors, mut covered, mut evaluations, count) = (Vec::new(), [0; 5], 0, 1000);
    for _ in 0..count {
        let found = film.with_noise(&mut noise).fit(&[0.8, 10.0, 1.02, 0.05, 0.01]).unwrap();
        assert!(found.converged, "{found:?}");
        let told = statistics(&found.evaluation, &[1.0; 5], Loss::Squares, None).unwrap();
        for j in 0..5 {
            covered[j] += i32::from((found.parameters[j] - TRUTH[j]).abs() <= told.half_widths[j]);
        }
        errors.push(found.parameters[0] - TRUTH[0]);
        evaluations += found.evaluations;
    }
    let bias = errors.iter().sum::<f64>() / f64::from(count);
    let spread = (errors.iter().map(|e| (e - bias).powi(2)).sum::<f64>() / f64::from(count - 1)).sqrt();
    eprintln!("bias {bias:e}, spread {spread:e}, covered {covered:?}, {evaluations} models");
    assert!(bias.abs() < 1e-5, "{bias}");
    assert!(spread <= 6e-5, "{spread}");
    assert!(covered.iter().all(|c| (930..=970).contains(c)), "{covered:?}");
}

#[test]
fn starts_a_fifth_off_find_the_truth() {
    let film = Film::new();
    let mut noise = Noise(11);
    let mut found = 0;
    for _ in 0..40 {
        let seen = film.with_noise(&mut noise);
        let start: Vec<f64> =
            TRUTH[..5].iter().map(|p| p + 0.2 * p.abs().max(0.1) * (2.0 * noise.uniform() - 1.0)).collect();
        let fit = seen.fit(&[start[0].min(1.0), start[1], start[2], start[3], start[4]]);
        found += i32::from(fit.is_some_and(|fit| (fit.parameters[0] - TRUTH[0]).abs() < 5e-4));
    }
    assert!(found >= 38, "{found} of 40");
}

#[test]
fn friction_on_a_vertical_drop_has_no_error() {
    let mut film = Film::new();
    film.heights.iter_mut().for_each(|y| *y += 1e-4);
    let found = film.residuals(3.0, &TRUTH).unwrap();
    let told = statistics(&found, &[1.0; 6], Loss::Squares, None).unwrap();
    let known: Vec<bool> = told.standard_errors.iter().map(|error| error.is_finite()).collect();
    assert_eq!(known, [true, true, true, true, true, false], "{told:?}");
}
