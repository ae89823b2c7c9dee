//! Bounces that follow each other ever faster, summed up to one jump in time.

use numbers::Number;

use crate::{Ball, ContactLaw, EffectiveMass, Grip, Impulses};

/// All bounces after an impact summed up, from `w = v·n` until `v·n = 0`, with `g̈ < 0` and a frozen frame.
///
/// ```text
/// T₀ = 2w/(|g̈|(1−e))      T = T₀/(1 + r T₀/6)      P_n = m(|g̈|T − w)      P_t = clamp(−m_t (u + v̇_τ T), ±μ P_n)
/// ```
///
/// r is the decay rate of ġ: `g̈ = −|g̈| − r ġ`. A hop that leaves with w comes back with `w(1 − 2rw/(3|g̈|) + …)`
/// after `2w/|g̈| (1 − rw/(3|g̈|) + …)`, of which T is the sum to first order. It is off by less than `(rT)² T/30` for
/// rT up to 1.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Jump<N = f64> {
    /// Normal impulse `P_n`, N s; negative, `−m w`, where the bounces are ended at once (T = 0).
    pub normal_impulse: N,
    /// Tangential impulse `P_t` along τ, N s.
    pub tangential_impulse: N,
    /// Whether friction stops the slip.
    pub grip: Grip,
    /// Slip velocity in the end, m/s; exactly 0 if friction stopped it.
    pub slip: N,
    /// Way along τ, m.
    pub travel: N,
    /// `v·τ` in the end, m/s.
    pub speed: N,
    /// Spin in the end, rad/s.
    pub spin: N,
    /// Angle turned meanwhile, rad.
    pub turned: N,
}

/// The ball just after an impact: its velocities, and the accelerations that act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebound<N = f64> {
    /// Velocity off the ground `w = v·n`, m/s.
    pub rise: N,
    /// Velocity along the ground `v·τ`, m/s.
    pub along: N,
    /// Spin, rad/s.
    pub spin: N,
    /// Acceleration towards the ground `|g̈|`, m/s².
    pub pull: N,
    /// Acceleration along the ground by the applied force `F·τ/m`, m/s².
    pub drive: N,
    /// Decay rate of the gap's rate `r = −∂g̈/∂ġ`, 1/s.
    pub damping: N,
}

/// Height of a hop, in multiples of the rounding of its place, below which its bounces have ended: detected late by
/// rounding, a hop gains energy, a lower one more than 1/256 of its own (design §2, Zeno).
pub const LEAST_HOP: f64 = 256.0;

/// Whether a hop off a contact at `rise` m/s, back to it by `pull` m/s², is lower than rounding of `length` m allows.
pub fn is_low_hop(rise: f64, pull: f64, length: f64) -> bool {
    0.5 * rise * rise < pull * LEAST_HOP * length
}

impl<N: Number> Rebound<N> {
    /// Duration T of all bounces, s; infinite for e = 1. e is [`ContactLaw::settling`].
    pub fn duration(&self, contact: &ContactLaw) -> N {
        let e = contact.settling(self.rise);
        let whole = self.rise.scale(2.0) / (self.pull * (N::constant(1.0) - e));
        whole / (N::constant(1.0) + (self.damping * whole).scale(1.0 / 6.0))
    }

    /// The jump over `duration` s; `grip` decides between sticking and sliding from the impulses asked for.
    #[inline(always)]
    pub fn jump(
        &self,
        ball: &Ball,
        contact: &ContactLaw,
        duration: N,
        slip: N,
        grip: impl FnOnce(Impulses<N>) -> Grip,
    ) -> Jump<N> {
        let Rebound { rise, along, spin, pull, drive, .. } = *self;
        let mass = EffectiveMass::<N>::of(ball);
        let drift = slip + drive * duration;
        let asked = Impulses { normal: mass.normal * (pull * duration - rise), tangential: -(mass.tangential * drift) };
        let grip = grip(asked);
        let Impulses { normal: normal_impulse, tangential: tangential_impulse } = contact.impulses(asked, grip);
        let gained = drive * duration + tangential_impulse / N::constant(ball.mass());
        let [mut speed, mut spin_after] = [along + gained, spin + tangential_impulse.scale(ball.spin_by(1.0))];
        let mut slip = drift + tangential_impulse / N::constant(ball.slip_mass());
        if grip == Grip::Sticks {
            slip = N::constant(0.0);
            [speed, spin_after] = ball.stuck(speed, spin_after);
        }
        Jump {
            normal_impulse,
            tangential_impulse,
            grip,
            slip,
            travel: duration * (along + gained.scale(0.5)),
            speed,
            spin: spin_after,
            turned: (duration * (spin + spin_after)).scale(0.5),
        }
    }
}
