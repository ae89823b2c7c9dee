//! Warnings of scenarios that are allowed and seldom meant.

use std::fmt;

use curves::{Crossing, Ground};
use supervisor::Start;

use crate::curve::Noise;
use crate::initial::Initial;
use crate::input::{plain, rounded};
use crate::scenario::Scenario;

/// A warning before a run begins.
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

/// Crossings with a `reach` in which a ball of a radius (m) on one strand does not clear the other: why, and what to do.
pub fn short_reaches(ground: &Ground, radius: f64) -> impl Iterator<Item = (&Crossing, [String; 2])> {
    ground.crossings().iter().enumerate().filter_map(move |(i, crossing)| {
        let reach = crossing.reach.filter(|reach| *reach < 2.0 * radius)?;
        let [x, y] = [crossing.point.x, crossing.point.y].map(|c| rounded(c, 6) + 0.0);
        let (number, wide) = (i + 1, plain(2.0 * radius));
        let cause = format!(
            "the `reach` of crossing {number} at ({x:?}, {y:?}) is {} m, less than the ball's diameter, {wide} m: a ball on one strand \
             meets the other beside it",
            plain(reach)
        );
        let cure = format!("`reach` = {wide} or more in its gate, or none: it is then as long as both strands are that near");
        Some((crossing, [cause, cure]))
    })
}

impl Scenario {
    /// Warnings before a run: points that scatter; gravity that pulls up rather than down or aside; a start in contact that gravity pulls
    /// off the curve; a crossing whose strands are left out for less than the ball's diameter.
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
        let ground = &self.scene.ground;
        let reaches = short_reaches(ground.ground(), ground.radius());
        let reaches = reaches.map(|(_, [cause, cure])| Warning { code: "short-reach", cause, cure });
        let upwards = (gravity.y > gravity.x.abs()).then(upwards);
        noise.into_iter().chain(upwards).chain(self.falls_off()).chain(reaches).collect()
    }

    /// A ball put on the lower side of a curve, most often of one that is drawn from right to left.
    fn falls_off(&self) -> Option<Warning> {
        let Some(Initial::OnGround { .. }) = self.initial else { return None };
        let ground = &self.scene.ground;
        let (frame, leaves) = match self.start {
            Start::Flight(state) => (ground.frame(ground.place_below(state.position)), true),
            Start::Contact { place, speed, .. } => {
                let frame = ground.frame(place);
                let pulled = frame.normal.dot(&self.scene.forces.gravity_vector());
                (frame, pulled > frame.curvature * speed * speed)
            }
        };
        let place = ground.place_below(frame.position);
        let name = self.curve.name(ground.curve_of(place)).map_or("the ground".to_owned(), |name| format!("`{name}`"));
        (leaves && frame.normal.y < 0.0).then(|| Warning {
            code: "starts-below",
            cause: format!(
                "the ball starts below {name}, at ({:?}, {:?}), and falls off: the free side is left of travel",
                rounded(frame.position.x, 6),
                rounded(frame.position.y, 6)
            ),
            cure: "`reverse = true` in `curve`, or points from left to right, put the ball above; else `position` says where it is".to_owned(),
        })
    }
}
