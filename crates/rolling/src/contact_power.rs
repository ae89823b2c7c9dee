//! Power that friction, damping, drag and rolling resistance take from a ball on the ground.

use mechanics::{Mode, Power};

use crate::{ContactState, ContactSystem};

impl ContactSystem<'_> {
    /// Factors `[a, b]` of the power `λ (a v·τ + b ω)` of rolling resistance: rolling `λ c_rr |v·τ|`, else
    /// `λ c_rr R |ω|`.
    #[inline(always)]
    pub(crate) fn resisting(&self) -> [f64; 2] {
        let around = match self.mode {
            Mode::Sliding { spin, .. } if spin != 0.0 => spin * self.contact.rolling_resistance() * self.ball.radius(),
            _ => 0.0,
        };
        [self.resistance(), around]
    }

    /// Whether no power enters the ledger, in motion that begins with a spin (rad/s).
    #[inline(always)]
    pub(crate) fn is_lossless(&self, spin: f64) -> bool {
        self.is_steady(spin) && self.drag() == 0.0 && self.resisting() == [0.0; 2]
    }

    /// Powers of the ledger at a state, W. Drag, damping `d v²`, rolling resistance `c_rr λ R |ω|` and friction `−f u`
    /// dissipate. Where slip, spin or λ change their sign the formulas go on below zero; no step is kept there.
    pub(crate) fn power(&self, state: &ContactState) -> Power {
        let mut power = match self.forces.constant(state.spin) {
            Some(_) => Power::default(),
            None => self.forces.power(state.time, state.frame.position, state.velocity(), state.spin),
        };
        power.dissipated += self.contact.rolling_damping() * state.speed * state.speed;
        let [along, around] = self.resisting();
        power.dissipated += state.normal_force * (along * state.speed + around * state.spin);
        if let Mode::Sliding { sign, .. } = self.mode
            && sign != 0.0
        {
            power.dissipated -= state.friction_force * self.slip(state);
        }
        power
    }
}
