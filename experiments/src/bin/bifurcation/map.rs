//! The map from impact to impact, written out: it knows nothing of the crates.

use std::f64::consts::{PI, TAU};

/// A table shaken as `A sin ωt` and a ball that bounces on it.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    /// A, m.
    pub amplitude: f64,
    /// ω, rad/s.
    pub omega: f64,
    /// e.
    pub restitution: f64,
}

const GRAVITY: f64 = 9.81;
/// Parts of a period at which the height above the table is looked at.
const PART: f64 = TAU / 400.0;

impl Map {
    /// ωt (0 to 2π) and the ball's speed (m/s) after an impact from those after the one before.
    pub fn next(&self, [phase, speed]: [f64; 2]) -> [f64; 2] {
        let Map { amplitude: a, omega: w, restitution: e } = *self;
        let gap = |angle: f64| {
            let t = angle / w;
            a * (phase.sin() - (phase + angle).sin()) + speed * t - 0.5 * GRAVITY * t * t
        };
        let mut above = PART;
        while gap(above + PART) > 0.0 {
            above += PART;
        }
        let mut below = above + PART;
        for _ in 0..60 {
            let middle = 0.5 * (above + below);
            *(if gap(middle) > 0.0 { &mut above } else { &mut below }) = middle;
        }
        let table = a * w * (phase + below).cos();
        [(phase + below).rem_euclid(TAU), (1.0 + e) * table - e * (speed - GRAVITY * below / w)]
    }

    /// After many impacts.
    pub fn settled(&self, start: [f64; 2], impacts: u32) -> [f64; 2] {
        (0..impacts).fold(start, |state, _| self.next(state))
    }

    /// Trace of the derivative of `count` impacts, by central differences; their determinant is `e^(2 count)` for whole cycles.
    pub fn trace(&self, state: [f64; 2], count: u32) -> f64 {
        let d = 1e-6;
        let by = |i: usize| {
            let moved = |step: f64| {
                let mut state = state;
                state[i] += step;
                self.settled(state, count)[i]
            };
            let difference = moved(d) - moved(-d);
            // Across the end of the period.
            (if i == 0 { (difference + PI).rem_euclid(TAU) - PI } else { difference }) / (2.0 * d)
        };
        by(0) + by(1)
    }
}
