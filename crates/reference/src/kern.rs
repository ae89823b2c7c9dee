//! Kern's listing 1, transcribed.
//!
//! Source: D. Kern, *A simple time-stepping scheme for the bouncing ball example*, 2019. Line by line, with its names;
//! indices from 0. No closed form, but an independent transcription of a recurrence that must be met to the last bit.

/// The arrays of the listing, for m = 1 kg, e = 0.9, h = 0.01 s, N = 1000.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// Positions, N + 1.
    pub y: Vec<f64>,
    /// Velocities, N + 1.
    pub v: Vec<f64>,
    /// Reaction impulses, N.
    pub r: Vec<f64>,
}

/// Number of steps N.
pub const STEPS: usize = 1000;
/// Step h, s.
pub const STEP: f64 = 0.01;
/// Coefficient of restitution e.
pub const RESTITUTION: f64 = 0.9;
/// m, kg
pub const MASS: f64 = 1.0;
/// g, m/s²
pub const GRAVITY: f64 = 10.0;

/// Runs the listing from `q0`, `v0` under the force `f(t)`.
pub fn listing(q0: f64, v0: f64, f: impl Fn(f64) -> f64) -> Listing {
    let (n_steps, h, rc, m) = (STEPS, STEP, RESTITUTION, MASS);
    let (mut y, mut v) = (vec![0.0; n_steps + 1], vec![0.0; n_steps + 1]);
    let (mut r, mut force) = (vec![0.0; n_steps], vec![0.0; n_steps]);
    y[0] = q0;
    v[0] = v0;
    for n in 0..n_steps {
        y[n + 1] = y[n] + v[n] * h;
        force[n] = h * f((n + 1) as f64 * h);
        v[n + 1] = v[n] + force[n] / m;
        if y[n + 1] <= 0.0 {
            let dv = -(1.0 + rc) * v[n];
            if (m * dv) > force[n] {
                v[n + 1] = v[n] + dv;
                r[n] = m * dv - force[n];
            }
        }
    }
    Listing { y, v, r }
}

/// Force of figure 1: gravity.
pub fn landing_force(_: f64) -> f64 {
    -MASS * GRAVITY
}

/// Force of figure 2: gravity, and one that first presses and then lifts.
pub fn takeoff_force(t: f64) -> f64 {
    let end = STEPS as f64 * STEP;
    (-1.2 * (t * 2.0 * std::f64::consts::PI / end).sin() - 1.0) * MASS * GRAVITY
}
