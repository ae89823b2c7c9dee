//! Settings of a run.

use newmark::Tolerance;

/// Settings of a run: its end, samples, captures, steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// End of the run, s (> 0).
    pub duration: f64,
    /// Time between samples, s (> 0); `None`: none.
    pub interval: Option<f64>,
    /// Bounces that leave the ground slower than this may be summed up, m/s.
    pub capture_speed: f64,
    /// Error of the velocity after that beyond which slow bounces are not summed up, m/s.
    pub capture_tolerance: f64,
    /// Longest step of a method that has a force to follow, s (> 0; ∞: none is too long).
    pub largest_step: f64,
    /// Tolerance of steps of compliant contact.
    pub compression: Tolerance,
    /// Events and steps allowed, and 256 times as many ground evaluations of searches; `None`: as many as it takes.
    pub limit: Option<u64>,
}
