//! The end of a mode of contact: guards for lift-off, slip and stick along a step, and [`Press`] at one place.

use numbers::Number;

use crate::{ContactForces, ContactLaw, Mode};

/// A quantity that is positive as long as a mode lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Normal force λ: its zero ends contact along a step; at one place, [`Press`] says whether the ball goes on there.
    Normal,
    /// Distance μλ − |f| to the end of the friction cone.
    Friction,
    /// Slip velocity u in the direction of slip.
    Slip,
    /// Velocity `v·τ` in the direction of rolling, against rolling resistance.
    Turn,
    /// `R ω` in the direction of the spin of a ball that slides, against rolling resistance.
    Spin,
}

impl Guard {
    /// Whether its value is a velocity, m/s; else a force, N.
    pub fn is_velocity(self) -> bool {
        matches!(self, Guard::Slip | Guard::Turn | Guard::Spin)
    }

    /// Guards that watch a mode.
    #[inline]
    pub fn of(contact: &ContactLaw, mode: Mode) -> [Option<Guard>; 3] {
        let [slips, resists] = match mode {
            Mode::Sliding { sign, spin } => {
                [(sign, Guard::Slip), (spin, Guard::Spin)].map(|(sign, guard)| (sign != 0.0).then_some(guard))
            }
            _ => {
                let cone = (!contact.never_slips()).then_some(Guard::Friction);
                let turn = matches!(mode, Mode::Rolling { sign } if sign != 0.0).then_some(Guard::Turn);
                [cone, turn]
            }
        };
        [Some(Guard::Normal), slips, resists]
    }

    /// Value of the guard, N or m/s: by `forces` of the ground, or by `velocities` `[u, v·τ, R ω]` (m/s); only one of
    /// them is called.
    #[inline(always)]
    pub fn value<N: Number>(
        self,
        contact: &ContactLaw,
        mode: Mode,
        velocities: impl FnOnce() -> [N; 3],
        forces: impl FnOnce() -> ContactForces<N>,
    ) -> N {
        match (self, mode) {
            (Guard::Normal, _) => forces().normal_force,
            (Guard::Friction, _) => {
                let ContactForces { normal_force, friction_force, .. } = forces();
                normal_force.scale(contact.sticking_coefficient()) - friction_force.abs()
            }
            (Guard::Slip, Mode::Sliding { sign, .. }) => velocities()[0].scale(sign),
            (Guard::Turn, Mode::Rolling { sign }) => velocities()[1].scale(sign),
            (Guard::Spin, Mode::Sliding { spin, .. }) => velocities()[2].scale(spin),
            (Guard::Slip | Guard::Turn | Guard::Spin, _) => N::constant(f64::INFINITY),
        }
    }
}

/// Answer for a ball that touches the ground with g = v·n = 0, by the sign of the λ that contact would need:
///
/// ```text
/// m g̈ = −λ        λ > 0  presses        λ = 0  touches        λ < 0  leaves
/// ```
///
/// A ball in contact stays while it presses or touches. A ball whose grip gave way stays only while it presses, and
/// bounces are summed up only where it presses. Every phase asks this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// The ground pushes: without it the ball would enter it.
    Presses,
    /// λ = 0: without the ground the ball would move no differently.
    Touches,
    /// The ground would have to pull.
    Leaves,
}

impl Press {
    /// Answer by λ (N), where |λ| ≤ `grain` N counts as zero. `None`: an interval λ holds several answers, or λ is NaN.
    #[inline(always)]
    pub fn of<N: Number>(normal_force: N, grain: f64) -> Option<Press> {
        let [above, below] = [N::constant(grain).at_least(normal_force), normal_force.at_least(N::constant(-grain))];
        match (above, below) {
            (Some(false), _) => Some(Press::Presses),
            (_, Some(false)) => Some(Press::Leaves),
            (Some(true), Some(true)) => Some(Press::Touches),
            _ => None,
        }
    }

    /// Whether a ball that is on the ground may go on there.
    pub fn stays(self) -> bool {
        self != Press::Leaves
    }
}
