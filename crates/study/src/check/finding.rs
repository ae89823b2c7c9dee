//! Findings on a ground, with cause and cure.

use curves::OSCULATING;
use nalgebra::Vector2;
use scenario::curve::Noise;
use scenario::input::short;

/// Something to know of a ground, with its code.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// `corner`: turns away from the ball.
    Corner {
        /// Place on the ground.
        place: GroundPlace,
        /// Angle of the turn, rad (> 0).
        turn: f64,
    },
    /// `concave-corner`: turns towards the ball.
    ConcaveCorner {
        /// Place on the ground.
        place: GroundPlace,
        /// Angle of the turn, rad (> 0).
        turn: f64,
    },
    /// `curvature-jump`: the tangent goes on, the curvature does not.
    CurvatureJump {
        /// Place on the ground.
        place: GroundPlace,
        /// Curvature κ before it, 1/m.
        before: f64,
        /// Curvature κ behind it, 1/m.
        after: f64,
    },
    /// `narrow-valley`: turns more sharply than the ball.
    NarrowValley {
        /// The sharpest place.
        place: GroundPlace,
        /// Radius of the valley there, m.
        valley: f64,
        /// Radius of the ball, m.
        ball: f64,
    },
    /// `slot`: other parts of the ground leave the ball no room.
    Slot {
        /// The narrowest place.
        place: GroundPlace,
        /// The ground across, m.
        across: Vector2<f64>,
        /// Distance of both, m.
        width: f64,
        /// Radius of the ball, m.
        ball: f64,
    },
    /// `along`: two curves lie along each other; `short-reach`: strands of a crossing are left out for less than the ball's diameter.
    Told {
        /// Code: `along` or `short-reach`.
        code: &'static str,
        /// Place on the ground.
        place: GroundPlace,
        /// Cause and cure.
        told: [String; 2],
    },
    /// `noise`: points that scatter about a smooth curve.
    Noise(Noise),
}

/// A place on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPlace {
    /// As in outputs: x, the curve's own parameter, or arc length in m.
    pub s: f64,
    /// Point of the ground, m.
    pub point: Vector2<f64>,
}

impl Finding {
    /// Code, place if it is one, and size.
    fn kind(&self) -> (&'static str, Option<GroundPlace>, f64) {
        match self {
            Finding::Corner { place, turn } => ("corner", Some(*place), *turn),
            Finding::ConcaveCorner { place, turn } => ("concave-corner", Some(*place), *turn),
            Finding::CurvatureJump { place, before, after } => ("curvature-jump", Some(*place), (after - before).abs()),
            Finding::NarrowValley { place, valley, .. } => ("narrow-valley", Some(*place), 1.0 / valley),
            Finding::Slot { place, width, .. } => ("slot", Some(*place), 1.0 / width),
            Finding::Told { code, place, .. } => (code, Some(*place), 0.0),
            Finding::Noise(noise) => ("noise", None, noise.false_curvature),
        }
    }

    /// The name of its kind, for reading by machine.
    pub fn code(&self) -> &'static str {
        self.kind().0
    }

    /// Where, if it is one place.
    pub fn place(&self) -> Option<GroundPlace> {
        self.kind().1
    }

    /// How much of its kind it is, in a unit of its own: the larger, the worse.
    pub fn size(&self) -> f64 {
        self.kind().2
    }

    /// Cause, in one line.
    pub fn cause(&self) -> String {
        let [cause, _] = self.told();
        cause
    }

    /// Cure, in one line.
    pub fn cure(&self) -> String {
        let [_, cure] = self.told();
        cure
    }

    fn told(&self) -> [String; 2] {
        match self {
            Finding::Corner { turn, .. } => [
                format!("turns by {}° away from the ball", short(turn.to_degrees())),
                "nothing, if it is meant: a ball pivots on it, a point mass leaves; else put an arc between".to_owned(),
            ],
            Finding::ConcaveCorner { turn, .. } => [
                format!("turns by {}° towards the ball, which hits it", short(turn.to_degrees())),
                "nothing, if it is meant: expect an impact; else put an arc between, wider than the ball".to_owned(),
            ],
            Finding::CurvatureJump { before, after, .. } => [
                format!(
                    "curvature jumps from {} to {} 1/m: the normal force by {} N per kg at 1 m/s",
                    short(*before),
                    short(*after),
                    short(after - before)
                ),
                "nothing, if forces may jump; else a `clothoid`, `spline` or `bezier` that eases the curvature in"
                    .to_owned(),
            ],
            // Whether a ball fits it, as runs see it.
            Finding::NarrowValley { valley, ball, .. } if (1.0 / valley * ball - 1.0).abs() <= OSCULATING => [
                format!(
                    "a valley of radius {} m, the ball's own to a part of {OSCULATING:e}: it would touch along a stretch, and runs stop \
                     there",
                    short(*valley)
                ),
                format!("a radius that differs by more than a part of {OSCULATING:e}"),
            ],
            Finding::NarrowValley { valley, ball, .. } => {
                let [valley, ball] = [apart(*valley, *ball), apart(*ball, *valley)];
                [
                    format!("a valley of radius {valley} m, but the ball's is {ball} m: it touches twice"),
                    format!("a ball of radius below {valley} m, or a wider valley"),
                ]
            }
            Finding::Slot { across, width, ball, .. } => [
                format!(
                    "only {} m to the ground at ({}, {}), but the ball's diameter is {} m: it touches both, or does not come here",
                    short(*width),
                    short(across.x),
                    short(across.y),
                    short(2.0 * ball)
                ),
                format!("nothing, if it is meant; a ball of radius below {} m, or more room", short(0.5 * width)),
            ],
            Finding::Told { told, .. } => told.clone(),
            Finding::Noise(noise) => [noise.cause(), noise.cure()],
        }
    }
}

/// A number so that it can be told from another one.
fn apart(value: f64, other: f64) -> String {
    if short(value) == short(other) { value.to_string() } else { short(value) }
}
