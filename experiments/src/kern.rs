//! Runs of Kern's scheme, and his listing beside them.

use moreau::Kern;
use reference::kern::{GRAVITY, Listing, MASS, RESTITUTION, STEP, STEPS};
use serde_json::{Map, Value, json};

use crate::{Failure, Lab};

/// A run as the listing keeps it; `reaction[n]` is that of the step to `position[n + 1]`.
pub struct KernRun {
    /// h, s.
    pub step: f64,
    /// m
    pub position: Vec<f64>,
    /// m/s
    pub velocity: Vec<f64>,
    /// N s
    pub reaction: Vec<f64>,
}

impl KernRun {
    /// From rest at a height (m) under a force `f(t)` in N, to the listing's end; `more` goes into the manifest.
    pub fn new(
        lab: &mut Lab,
        step: f64,
        height: f64,
        force: impl Fn(f64) -> f64,
        more: Map<String, Value>,
    ) -> Result<KernRun, Failure> {
        let kern = Kern::new(MASS, RESTITUTION, step, force)?;
        let mut state = kern.start(height, 0.0)?;
        let steps = (STEPS as f64 * STEP / step).round() as u64;
        let (mut position, mut velocity, mut reaction) = (vec![state.position], vec![state.velocity], Vec::new());
        for _ in 0..steps {
            let done = kern.step(&state)?;
            state = done.state;
            position.push(state.position);
            velocity.push(state.velocity);
            reaction.push(done.reaction);
        }
        let mut parameters = json!({
            "method": "kern", "mass": MASS, "gravity": GRAVITY, "restitution": RESTITUTION, "step": step,
        });
        if let Value::Object(parameters) = &mut parameters {
            parameters.extend(more);
            parameters.insert("steps".to_owned(), steps.into());
        }
        lab.stepped(parameters, steps);
        Ok(KernRun { step, position, velocity, reaction })
    }

    /// Compares with the listing, bit by bit.
    pub fn compare(&self, lab: &mut Lab, expected: &Listing) {
        let differing = |a: &[f64], b: &[f64]| a.iter().zip(b).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let bits = differing(&self.position, &expected.y)
            + differing(&self.velocity, &expected.v)
            + differing(&self.reaction, &expected.r);
        let sizes = (self.position.len(), self.velocity.len(), self.reaction.len());
        lab.compare_fact(
            "numbers that differ from the listing in any bit",
            &format!("{bits} of {}", sizes.0 + sizes.1 + sizes.2),
            bits == 0 && sizes == (expected.y.len(), expected.v.len(), expected.r.len()),
        );
    }

    /// Checks that the ground only pushes.
    pub fn compare_reaction(&self, lab: &mut Lab) {
        let lowest = self.reaction.iter().fold(f64::INFINITY, |least, r| least.min(*r));
        lab.compare_fact("R ≥ 0", &format!("smallest {lowest:e} N s"), lowest >= 0.0);
    }

    /// Positions and reactions over time, to be drawn.
    pub fn curves(&self) -> [Vec<(f64, f64)>; 2] {
        let time = |n: usize| n as f64 * self.step;
        let position = self.position.iter().enumerate().map(|(n, y)| (time(n), *y)).collect();
        let reaction = self.reaction.iter().enumerate().map(|(n, r)| (time(n + 1), *r)).collect();
        [position, reaction]
    }
}
