//! Mode of motion that begins on the ground: sliding, rolling or resting (§2 of the book's design).

use curves::Frame;
use nalgebra::Vector2;
use numbers::Rounding;

use crate::{Ball, ContactForces, ContactLaw};

/// Mode of motion on the ground.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// The contact point slips.
    Sliding {
        /// Sign of the slip velocity `u`: −1 or 1; 0 on a contact without friction, where it does not matter.
        sign: f64,
        /// Sign of the spin that rolling resistance brakes; 0: there is no resistance, or it holds the spin at 0.
        spin: f64,
    },
    /// The ball moves without slip: `u = 0`.
    Rolling {
        /// Sign of the `v·τ` that rolling resistance brakes: −1 or 1; 0 without resistance.
        sign: f64,
    },
    /// Nothing moves; without friction a ball may spin on the spot.
    Resting,
}

impl Mode {
    /// Rolling without rolling resistance.
    pub const ROLLING: Mode = Mode::Rolling { sign: 0.0 };

    /// Sliding without rolling resistance, in the direction of this sign of `u`; 0: without friction.
    pub const fn slides(sign: f64) -> Mode {
        Mode::Sliding { sign, spin: 0.0 }
    }

    /// Whether the ball slides and rolling resistance keeps its spin at 0.
    pub fn spin_is_held(self, contact: &ContactLaw) -> bool {
        matches!(self, Mode::Sliding { spin: 0.0, .. }) && contact.resistance > 0.0
    }

    /// Whether this is rolling.
    #[inline(always)]
    pub fn rolls(self) -> bool {
        matches!(self, Mode::Rolling { .. })
    }

    /// Rolling with `speed = v·τ` (m/s); from rest, in the direction of the force `along` τ (N).
    pub fn rolling(contact: &ContactLaw, speed: f64, along: f64) -> Mode {
        let sense = if speed != 0.0 { speed } else { along };
        Mode::Rolling { sign: if contact.resistance == 0.0 { 0.0 } else { sense.signum() } }
    }

    /// Largest |F·τ|/|F| that counts as zero: the rounding of the frame's direction.
    pub fn equilibrium(frame: &Frame) -> f64 {
        Rounding::SUM * frame.rounding()
    }

    /// Decides the mode that begins with the slip velocity `slip` (m/s; exactly 0 where the contact sticks) and
    /// `speed = v·τ` (m/s), under a `force` (N) of all but the ground.
    ///
    /// Rest needs `speed` to be exactly 0, and `slip` as well if friction or rolling resistance would brake it. No
    /// speed counts as small: a ball comes to rest at the event at which [`Guard::Slip`](crate::Guard::Slip) or
    /// [`Guard::Turn`](crate::Guard::Turn) is zero, which sets that velocity to 0.
    pub fn begin(ball: &Ball, contact: &ContactLaw, frame: &Frame, force: Vector2<f64>, speed: f64, slip: f64) -> Mode {
        let along = force.dot(&frame.tangent);
        let resists = contact.rest_limit() * -force.dot(&frame.normal);
        // A spin on the spot is motion where rolling resistance brakes it; whether friction does is asked below.
        let has_stopped = speed == 0.0 && (slip == 0.0 || contact.resistance == 0.0);
        let still = has_stopped && along.abs() <= resists.max(Mode::equilibrium(frame) * force.norm());
        let slides = |held| Mode::sliding(ball, contact, speed, slip, held);
        if contact.is_smooth() {
            return if still { Mode::Resting } else { slides(0.0) };
        }
        if slip != 0.0 {
            return slides(0.0);
        }
        let sticking = if ball.turns() && !still { Mode::rolling(contact, speed, along) } else { Mode::Resting };
        let held = ContactForces::at(ball, contact, frame, force, speed, sticking);
        let holds = held.friction_force.abs() <= contact.sticking_limit(held.normal_force);
        if holds { sticking } else { slides(held.friction_force) }
    }

    /// Decides the mode of a ball that lies still and is no longer held under a `force` (N) of all but the ground: it
    /// rolls if it turns and friction can hold the contact point, else it slides.
    pub fn driven(ball: &Ball, contact: &ContactLaw, frame: &Frame, force: Vector2<f64>) -> Mode {
        let as_in = |mode| ContactForces::at(ball, contact, frame, force, 0.0, mode);
        let mode = Mode::rolling(contact, 0.0, force.dot(&frame.tangent));
        let rolling = as_in(mode);
        let rolls = rolling.friction_force.abs() <= contact.sticking_limit(rolling.normal_force);
        if ball.turns() && rolls && !contact.is_smooth() {
            return mode;
        }
        Mode::sliding(ball, contact, 0.0, 0.0, as_in(Mode::Resting).friction_force)
    }

    /// Sliding with `speed = v·τ` (m/s) in the direction of the `slip` velocity (m/s). Where `slip` is still 0, it
    /// begins against `held`, the friction (N) that would have held the contact point. A spin of 0 stays 0 if c_rr ≥ μ,
    /// and grows against the slip if c_rr < μ.
    pub fn sliding(ball: &Ball, contact: &ContactLaw, speed: f64, slip: f64, held: f64) -> Mode {
        let mu = contact.sliding_coefficient();
        let sign = if contact.is_smooth() {
            0.0
        } else if slip != 0.0 {
            slip.signum()
        } else {
            -held.signum()
        };
        // The rim velocity R ω = u − v·τ is a difference of rounded numbers; within their rounding it counts as 0.
        let rim = slip - speed;
        let rim = if Rounding::vanishes(rim, f64::EPSILON * (slip.abs() + speed.abs())) { 0.0 } else { rim };
        let spin = match rim {
            _ if contact.resistance == 0.0 || !ball.turns() => 0.0,
            0.0 if mu > contact.resistance => -sign,
            0.0 => 0.0,
            rim => rim.signum(),
        };
        Mode::Sliding { sign, spin }
    }
}
