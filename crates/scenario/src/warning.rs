//! What is allowed and seldom meant.

use std::fmt;

use crate::curve::Noise;
use crate::input::plain;
use crate::scenario::Scenario;

/// What a run warns of before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its name, for reading by machine.
    pub code: &'static str,
    /// In one line.
    pub cause: String,
    /// In one line.
    pub cure: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "warning: {}: {}\n  cure: {}", self.code, self.cause, self.cure)
    }
}

impl Scenario {
    /// Points that scatter, gravity that pulls up rather than down or aside.
    pub fn warnings(&self) -> Vec<Warning> {
        let noise = |noise: Noise| Warning { code: "noise", cause: noise.cause(), cure: noise.cure() };
        let gravity = self.scene.forces.gravity_vector();
        let upwards = || Warning {
            code: "upward-gravity",
            cause: format!("y counts upwards, and gravity pulls up by {} m/s²", plain(gravity.y)),
            cure: "gravity = 9.81 pulls down, as [0, -9.81] does: a number counts downwards, a vector as it is"
                .to_owned(),
        };
        let noise = self.curve.noise.map(noise);
        noise.into_iter().chain((gravity.y > gravity.x.abs()).then(upwards)).collect()
    }
}
