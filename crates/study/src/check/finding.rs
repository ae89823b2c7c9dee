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
        place: Place,
        /// Angle of the turn, rad (> 0).
        turn: f64,
    },
    /// `concave-corner`: turns towards the ball.
    ConcaveCorner {
        /// Place on the ground.
        place: Place,
        /// Angle of the turn, rad (> 0).
        turn: f64,
    },
    /// `curvature-jump`: the tangent goes on, the curvature does not.
    CurvatureJump {
        /// Place on the ground.
        place: Place,
        /// Curvature κ before it, 1/m.
        before: f64,
        /// Curvature κ behind it, 1/m.
        after: f64,
    },
    /// `narrow-valley`: turns more sharply than the ball.
    NarrowValley {
        /// The sharpest place.
        place: Place,
        /// Radius of the valley there, m.
        valley: f64,
        /// Radius of the ball, m.
        ball: f64,
    },
    /// `slot`: other parts of the ground leave the ball no room.
    Slot {
        /// The narrowest place.
        place: Place,
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
        place: Place,
        /// Cause and cure.
        told: [String; 2],
    },
    /// `noise`: points that scatter about a smooth curve.
    Noise(Noise),
}

/// A place on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// As in outputs: x, the curve's own parameter, or arc length in m.
    pub s: f64,
    /// Point of the ground, m.
    pub point: Vector2<f64>,
}

impl Finding {
    /// The name of its kind, for reading by machine.
    pub fn code(&self) -> &'static str {
        match self {
            Finding::Corner { .. } => "corner",
            Finding::ConcaveCorner { .. } => "concave-corner",
            Finding::CurvatureJump { .. } => "curvature-jump",
            Finding::NarrowValley { .. } => "narrow-valley",
            Finding::Slot { .. } => "slot",
            Finding::Told { code, .. } => code,
            Finding::Noise(_) => "noise",
        }
    }

    /// Where, if it is one place.
    pub fn place(&self) -> Option<Place> {
        match self {
            Finding::Corner { place, .. }
            | Finding::ConcaveCorner { place, .. }
            | Finding::CurvatureJump { place, .. }
            | Finding::NarrowValley { place, .. }
            | Finding::Told { place, .. }
            | Finding::Slot { place, .. } => Some(*place),
            Finding::Noise(_) => None,
        }
    }

    /// How much of its kind it is, in a unit of its own: the larger, the worse.
    pub fn size(&self) -> f64 {
        match self {
            Finding::Corner { turn, .. } | Finding::ConcaveCorner { turn, .. } => *turn,
            Finding::CurvatureJump { before, after, .. } => (after - before).abs(),
            Finding::NarrowValley { valley, .. } => 1.0 / valley,
            Finding::Slot { width, .. } => 1.0 / width,
            Finding::Told { .. } => 0.0,
            Finding::Noise(noise) => noise.false_curvature,
        }
    }

    /// Cause, in one line.
    pub fn cause(&self) -> String {
        match self {
            Finding::Corner { turn, .. } => format!("turns by {}° away from the ball", short(turn.to_degrees())),
            Finding::ConcaveCorner { turn, .. } => {
                format!("turns by {}° towards the ball, which hits it", short(turn.to_degrees()))
            }
            Finding::CurvatureJump { before, after, .. } => format!(
                "curvature jumps from {} to {} 1/m: the normal force by {} N per kg at 1 m/s",
                short(*before),
                short(*after),
                short(after - before)
            ),
            Finding::NarrowValley { valley, ball, .. } if osculates(1.0 / valley, *ball) => format!(
                "a valley of radius {} m, the ball's own to a part of {OSCULATING:e}: it would touch along a stretch, and runs stop there",
                short(*valley)
            ),
            Finding::NarrowValley { valley, ball, .. } => {
                format!(
                    "a valley of radius {} m, but the ball's is {} m: it touches twice",
                    apart(*valley, *ball),
                    apart(*ball, *valley)
                )
            }
            Finding::Slot { across, width, ball, .. } => format!(
                "only {} m to the ground at ({}, {}), but the ball's diameter is {} m: it touches both, or does not come here",
                short(*width),
                short(across.x),
                short(across.y),
                short(2.0 * ball)
            ),
            Finding::Told { told: [cause, _], .. } => cause.clone(),
            Finding::Noise(noise) => noise.cause(),
        }
    }

    /// Cure, in one line.
    pub fn cure(&self) -> String {
        match self {
            Finding::Corner { .. } => {
                "nothing, if it is meant: a ball pivots on it, a point mass leaves; else put an arc between".to_owned()
            }
            Finding::ConcaveCorner { .. } => {
                "nothing, if it is meant: expect an impact; else put an arc between, wider than the ball".to_owned()
            }
            Finding::CurvatureJump { .. } => {
                "nothing, if forces may jump; else a `clothoid`, `spline` or `bezier` that eases the curvature in"
                    .to_owned()
            }
            Finding::NarrowValley { valley, ball, .. } if osculates(1.0 / valley, *ball) => {
                format!("a radius that differs by more than a part of {OSCULATING:e}")
            }
            Finding::NarrowValley { valley, ball, .. } => {
                format!("a ball of radius below {} m, or a wider valley", apart(*valley, *ball))
            }
            Finding::Slot { width, .. } => {
                format!("nothing, if it is meant; a ball of radius below {} m, or more room", short(0.5 * width))
            }
            Finding::Told { told: [_, cure], .. } => cure.clone(),
            Finding::Noise(noise) => noise.cure(),
        }
    }
}

/// A number so that it can be told from another one.
fn apart(value: f64, other: f64) -> String {
    if short(value) == short(other) { value.to_string() } else { short(value) }
}

/// Whether a ball fits a valley of curvature κ (1/m), as runs see it.
fn osculates(curvature: f64, radius: f64) -> bool {
    (curvature * radius - 1.0).abs() <= OSCULATING
}
