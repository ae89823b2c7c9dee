//! Start of a ball: as given ([`Initial`]), and the phase and state that follow on its ground.

use curves::{Frame, JointKind, Place, Spot, Touched};
use mechanics::State;
use nalgebra::Vector2;
use numbers::Rounding;
use supervisor::{Near, Scene, Start};

use crate::input::plain;

/// Largest coordinate (m), velocity (m/s), spin (rad/s), time (s) and place (m) allowed: beyond it rounding dominates.
pub const FAR: f64 = 1e12;

/// Start of a ball as given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Initial {
    /// By the position, in flight or in contact; in the frame at rest.
    Thrown {
        /// Position of the centre, m.
        position: Vector2<f64>,
        /// Velocity, m/s.
        velocity: Vector2<f64>,
        /// Spin, rad/s.
        spin: f64,
        /// Time of the start, s.
        time: f64,
        /// Last touched place of the ground, which sets the strands that are solid for it at crossings; `None`: all.
        touched: Option<Spot>,
        /// Solid strands of other curves, numbered as by [`Touched::strands`].
        strands: u64,
    },
    /// By a place on the ground.
    OnGround {
        /// Place on the ground.
        spot: Spot,
        /// Speed along the ground, m/s.
        speed: f64,
        /// Spin, rad/s; `None`: rolling without slip.
        spin: Option<f64>,
        /// Time of the start, s.
        time: f64,
    },
}

/// Reason why a start is impossible.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StartError {
    /// A number beyond [`FAR`], or NaN.
    #[error("`{what}` must be a number of at most {FAR:e} either way")]
    Far {
        /// Key of the scenario.
        what: &'static str,
    },
    /// Ground without a value or a direction.
    #[error(
        "the ground has no direction at s = {s:?}: its formula or a derivative of it overflows there, or is undefined"
    )]
    Undefined {
        /// Place, as in outputs.
        s: f64,
    },
    /// An invalid time.
    #[error("a run can't start at t = {time:?} s: from 0 to {FAR:e} s")]
    Time {
        /// Time, s.
        time: f64,
    },
    /// The ball is inside the ground.
    #[error("the ball starts {depth:?} m below the ground: its centre must be at least one radius above it")]
    Below {
        /// Depth, m.
        depth: f64,
        /// Index of the curve.
        curve: usize,
    },
    /// The ball is at rest on a corner.
    #[error(
        "the ground has a corner at s = {s:?}, and a ball without speed is on neither side of it: give it a speed, or another place"
    )]
    Corner {
        /// Place, as in outputs.
        s: f64,
    },
    /// The ball penetrates the ground elsewhere.
    #[error("a ball of radius {radius:?} m does not fit there: it would be {depth:?} m inside the ground")]
    NoRoom {
        /// Radius, m.
        radius: f64,
        /// Depth, m.
        depth: f64,
        /// Index of the curve that it penetrates.
        curve: usize,
    },
    /// Slip on ground with infinite friction.
    #[error("the ball starts on the ground with a slip velocity of {slip:?} m/s, but friction is infinite")]
    Slip {
        /// Slip velocity, m/s.
        slip: f64,
    },
    /// Compression of the whole radius or more.
    #[error("the ball starts compressed by {} m, but its radius is {} m", plain(*compression), plain(*radius))]
    Crushed {
        /// Compression, m.
        compression: f64,
        /// Radius, m.
        radius: f64,
    },
}

impl Initial {
    /// Time of the start, s.
    pub fn time(&self) -> f64 {
        match self {
            Initial::Thrown { time, .. } | Initial::OnGround { time, .. } => *time,
        }
    }

    /// Last touched strands of a thrown ball.
    pub(crate) fn touched(&self, scene: &Scene) -> Touched {
        let Initial::Thrown { touched, strands, .. } = *self else { return Touched::default() };
        let place = touched.and_then(|spot| place_at(scene, spot, 1.0));
        place.map_or(Touched::of_strands(strands), |place| scene.ground.touching(Touched::of_strands(strands), place))
    }

    /// Phase and state at the start, and the nearest ground of a throw. A ball at most `slack` (m) below the ground is
    /// put onto it.
    pub fn start(&self, scene: &Scene, slack: f64) -> Result<(Start, Option<Near>), StartError> {
        let time = self.time();
        if !(0.0..=FAR).contains(&time) {
            return Err(StartError::Time { time });
        }
        let (start, near) = match *self {
            Initial::Thrown { position, velocity, spin, time, .. } => {
                let [angle, dissipated, work] = [0.0; 3];
                let (start, near) = thrown(
                    scene.with_strands(self.touched(scene)),
                    State { time, position, velocity, angle, spin, dissipated, work },
                    slack,
                )?;
                (start, Some(near))
            }
            Initial::OnGround { spot, speed, spin, time } => (on_ground(scene, spot, slack, speed, spin, time)?, None),
        };
        if let Some(slip) = start.forbidden_slip(scene) {
            return Err(StartError::Slip { slip });
        }
        if let Some(compression) = start.crushed(scene) {
            return Err(StartError::Crushed { compression, radius: scene.ball.radius() });
        }
        Ok((start, near))
    }
}

fn thrown(scene: &Scene, state: State, slack: f64) -> Result<(Start, Near), StartError> {
    let State { position, velocity, spin, .. } = state;
    not_far("position", position.as_slice())?;
    not_far("velocity", velocity.as_slice())?;
    not_far("spin", &[spin])?;
    let state = scene.forces.carriage().map_or(state, |carriage| carriage.carried(&state));
    let near = Near::of(scene, state.time, state.position);
    let gap = near.gap();
    // A compliant ball may start compressed.
    let deepest = if scene.compliance.is_some() { scene.ball.radius() } else { 0.0 };
    let rounding = Rounding::of_motion(position.norm() + scene.ball.radius(), 0.0, 0.0, 0.0).length;
    let slack = slack.max(Rounding::SUM * rounding);
    let below = |curve: usize, gap: f64| match gap >= -slack || -gap < deepest {
        true => Ok(()),
        false => Err(StartError::Below { depth: -gap, curve }),
    };
    below(scene.ground.curve_of(near.place()), gap)?;
    if let Some((curve, gap)) = scene.below(state.time, state.position) {
        below(curve, gap)?;
    }
    // A point mass has zero gap on both sides of a curve, so the side is tested.
    let behind = scene.ball.radius() == 0.0 && gap <= slack && scene.ground.is_on_back(near.place());
    let below = gap < 0.0 && scene.compliance.is_none() || behind;
    let there = || scene.ground.frame(near.place()).position + scene.carried(near.place(), state.time)[0];
    let position = if below { there() } else { state.position };
    Ok((Start::Flight(State { position, ..state }), near))
}

fn on_ground(
    scene: &Scene,
    spot: Spot,
    slack: f64,
    speed: f64,
    spin: Option<f64>,
    time: f64,
) -> Result<Start, StartError> {
    let ground = scene.ground.ground();
    not_far("speed", &[speed])?;
    let turning = if scene.ball.turns() { speed / scene.ball.radius() } else { 0.0 };
    not_far("spin", &[spin.unwrap_or(turning)])?;
    let place = place_at(scene, spot, speed).ok_or(StartError::Corner { s: ground.shown_spot(spot) })?;
    let scene = scene.seen_from(place);
    let Frame { position: centre, tangent, curvature, .. } = scene.ground.frame(place);
    if [centre.sum(), tangent.sum(), curvature].iter().any(|number| number.is_nan()) {
        return Err(StartError::Undefined { s: ground.shown_spot(spot) });
    }
    not_far("contact", centre.as_slice())?;
    let there = centre + scene.carried(place, time)[0];
    let (nearest, gap) = scene.nearest(time, there);
    // Allows the depth of a thrown start: between two nearly collinear lines the ball touches both.
    let rounding = Rounding::of_motion(centre.norm() + scene.ball.radius(), 0.0, 0.0, 0.0).length;
    let slack = slack.max(Rounding::SUM * rounding);
    if !(gap >= -slack) {
        let curve = scene.ground.curve_of(nearest);
        return Err(StartError::NoRoom { radius: scene.ball.radius(), depth: -gap, curve });
    }
    if let Some((curve, gap)) = scene.below(time, there)
        && !(gap >= -slack)
    {
        return Err(StartError::Below { depth: -gap, curve });
    }
    Ok(Start::Contact { place, speed, spin, time })
}

fn not_far(what: &'static str, numbers: &[f64]) -> Result<(), StartError> {
    // The comparison also refuses NaN.
    if numbers.iter().all(|number| number.abs() <= FAR) { Ok(()) } else { Err(StartError::Far { what }) }
}

/// Place of a ball that starts at a spot with this speed along the ground. At a corner it is on the side it moves to;
/// at rest it is on both sides of a concave corner, and on neither of a convex one.
fn place_at(scene: &Scene, spot: Spot, speed: f64) -> Option<Place> {
    let ground = scene.ground.ground();
    let joint = match spot {
        Spot::Piece { index, parameter } => return Some(Place::Piece { index, parameter }),
        Spot::Joint(joint) => ground.joints()[joint],
    };
    let domain = |index: usize| ground.pieces()[index].domain();
    let before = joint.before.map(|index| Place::Piece { index, parameter: domain(index).hi });
    let after = joint.after.map(|index| Place::Piece { index, parameter: domain(index).lo });
    match joint.kind {
        JointKind::Convex if speed == 0.0 => None,
        JointKind::Convex | JointKind::Concave if speed < 0.0 => before,
        _ => after.or(before),
    }
}
