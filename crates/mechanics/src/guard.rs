//! Guards, whose zeros along a step end a mode of contact: lift-off, slip, stick, a motion that turns round.

use numbers::Number;

use crate::{ContactForces, ContactLaw, Mode};

/// Quantity that is positive as long as a mode lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Normal force λ, whose zero along a step ends contact; at a single time [`Press`](crate::Press) decides.
    Normal,
    /// Distance μ_s λ − |f| to the end of the friction cone.
    Friction,
    /// Slip velocity u in the direction of slip.
    Slip,
    /// Velocity `v·τ` in the direction of rolling, which rolling resistance brakes.
    Turn,
    /// Rim velocity `R ω` in the direction of the spin of a ball that slides, which rolling resistance brakes.
    Spin,
}

impl Guard {
    /// Whether its value is a velocity, m/s; else it is a force, N.
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

    /// Value of the guard, N or m/s, by the `forces` of the ground or by the `velocities` `[u, v·τ, R ω]` (m/s), of
    /// which only one is called. A guard of another mode is infinite.
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
