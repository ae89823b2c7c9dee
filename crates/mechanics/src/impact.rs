//! The law of impact: Newton's restitution and Coulomb's friction of one contact, over any number.
//!
//! ```text
//! P_n* = −(1+e) m_n u_n      P_t* = −(1+e_t) m_t u_t          asked for: restitution, and friction without limit
//! P_n = P_n*                 P_t = P_t* if |P_t*| ≤ μ_s P_n, else μP_n sign(P_t*)
//! ```
//!
//! m_n and m_t are the effective masses of the contact ([`EffectiveMass`]), u_n < 0 and u_t its normal and slip
//! velocity before. Without static friction μ_s = μ. The starred impulses are those *asked for*. In a step of time
//! stepping, and over summed bounces, they also make up for the forces that act meanwhile.

use curves::Frame;
use nalgebra::Vector2;
use numbers::{Number, Rounding};

use crate::{Ball, ContactLaw, EffectiveMass, ImpactContact, ImpactError, OwnImpact, State};

/// Impulses of one contact, N s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulses<N = f64> {
    /// `P_n`; a contact pushes where it is positive.
    pub normal: N,
    /// `P_t` along τ.
    pub tangential: N,
}

/// Friction in an impact: sticking or sliding.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Grip {
    /// Friction gives the tangential impulse that is asked for.
    Sticks,
    /// Friction gives the impulse μP_n, with the μ of sliding, in this direction along τ (±1); 0: no friction.
    Slides(f64),
}

impl ContactLaw {
    /// Impulses `P_n*` and `P_t*` that an impact with these normal and slip velocities (m/s) asks for.
    #[inline(always)]
    pub fn asked<N: Number>(&self, mass: EffectiveMass<N>, normal: N, slip: N) -> Impulses<N> {
        let turned = |restitution: N| -(N::constant(1.0) + restitution);
        Impulses {
            normal: turned(self.restitution(-normal)) * mass.normal * normal,
            tangential: turned(N::constant(self.acting_tangential_restitution(-normal))) * mass.tangential * slip,
        }
    }

    /// Decides what friction does where these impulses are asked for: none on smooth contacts or where `P_n* ≤ 0`,
    /// sticking up to μ_s, else sliding. `None`: an interval of impulses allows several answers, or one is NaN.
    #[inline(always)]
    pub fn grip<N: Number>(&self, asked: Impulses<N>) -> Option<Grip> {
        let none = N::constant(0.0);
        if self.is_smooth() || !self.never_slips() && none.at_least(asked.normal)? {
            return Some(Grip::Slides(0.0));
        }
        let limit = asked.normal.scale(self.sticking_coefficient());
        if self.never_slips() || limit.at_least(asked.tangential.abs())? {
            return Some(Grip::Sticks);
        }
        asked.tangential.at_least(none).map(|along| Grip::Slides(if along { 1.0 } else { -1.0 }))
    }

    /// Impulses of a contact for a known [`Grip`]. A negative normal impulse is not cut off, so that the formula stays
    /// smooth and difference quotients may cross zero.
    #[inline(always)]
    pub fn impulses<N: Number>(&self, asked: Impulses<N>, grip: Grip) -> Impulses<N> {
        let tangential = match grip {
            Grip::Sticks => asked.tangential,
            Grip::Slides(0.0) => N::constant(0.0),
            Grip::Slides(direction) => asked.normal.scale(direction * self.sliding_coefficient()),
        };
        Impulses { tangential, ..asked }
    }

    /// Impulses of a single contact: those asked for, limited by friction; both 0 where the contact would have to pull.
    #[inline(always)]
    pub fn given(&self, asked: Impulses) -> Impulses {
        if !(asked.normal > 0.0) {
            return Impulses { normal: 0.0, tangential: 0.0 };
        }
        self.impulses(asked, self.grip(asked).unwrap_or(Grip::Slides(0.0)))
    }
}

/// Impulses of an impact, and the velocities after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<N = f64> {
    /// `P_n ≥ 0`, N s.
    pub normal_impulse: N,
    /// `P_t` along τ, N s.
    pub tangential_impulse: N,
    /// `v·n` after, m/s; by Newton's law `−e` times that before.
    pub normal_velocity: N,
    /// `v·τ` after, m/s.
    pub tangential_velocity: N,
    /// Spin after, rad/s.
    pub spin: N,
    /// Slip velocity after, m/s; exactly 0 if friction stopped it.
    pub slip: N,
}

impl Impact {
    /// Velocity after, m/s.
    #[inline(always)]
    pub fn velocity(&self, frame: &Frame) -> Vector2<f64> {
        frame.tangent * self.tangential_velocity + frame.normal * self.normal_velocity
    }

    /// Impact by a law other than Newton's, audited ([`ImpactContact::audited`]); velocities within rounding become 0.
    #[cold]
    #[inline(never)]
    fn by(law: &OwnImpact, ball: &Ball, contact: &ContactLaw, before: Arrival) -> Result<Impact, ImpactError> {
        let Arrival { normal, along, spin, slip } = before;
        let met = ImpactContact::of(ball, contact, normal, slip);
        let given = met.audited(law)?;
        let zero = |value: f64, size: f64| if value.abs() <= Rounding::SUM * f64::EPSILON * size { 0.0 } else { value };
        let [opens, slips] = met.after(given);
        let [[nn, _], [_, tt]] = met.mobility;
        let slip_after = zero(slips, slip.abs() + tt * given.tangential.abs());
        let mut after = [along + given.tangential / ball.mass(), spin + ball.spin_by(given.tangential)];
        if slip_after == 0.0 && !contact.is_smooth() {
            after = ball.stuck(after[0], after[1]);
        }
        Ok(Impact {
            normal_impulse: given.normal,
            tangential_impulse: given.tangential,
            normal_velocity: zero(opens, normal.abs() + nn * given.normal),
            tangential_velocity: after[0],
            spin: after[1],
            slip: slip_after,
        })
    }
}

/// Velocities of a ball just before an impact on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival<N = f64> {
    /// `v·n`, m/s; negative where it closes.
    pub normal: N,
    /// `v·τ`, m/s.
    pub along: N,
    /// Spin, rad/s.
    pub spin: N,
    /// Slip velocity `u`, m/s; 0 within rounding.
    pub slip: N,
}

impl<N: Number> Impact<N> {
    /// Newton's impact of a ball on the ground for a known grip ([`ContactLaw::grip`]).
    #[inline(always)]
    pub fn over(ball: &Ball, contact: &ContactLaw, grip: Grip, before: Arrival<N>) -> Impact<N> {
        let Arrival { normal, along, spin, slip } = before;
        let asked = contact.asked(EffectiveMass::of(ball), normal, slip);
        let Impulses { normal: normal_impulse, tangential: impulse } = contact.impulses(asked, grip);
        let tangential = contact.acting_tangential_restitution(-normal);
        let mut hit = Impact {
            normal_impulse,
            tangential_impulse: impulse,
            normal_velocity: normal * -contact.restitution(-normal),
            tangential_velocity: along + impulse / N::constant(ball.mass()),
            spin: spin + impulse.scale(ball.spin_by(1.0)),
            slip: match grip {
                Grip::Sticks => slip.scale(-tangential),
                Grip::Slides(_) => slip + impulse / N::constant(ball.slip_mass()),
            },
        };
        if grip == Grip::Sticks && tangential == 0.0 {
            hit.slip = N::constant(0.0);
            [hit.tangential_velocity, hit.spin] = ball.stuck(hit.tangential_velocity, hit.spin);
        }
        hit
    }
}

/// Computes the impact of a ball on the ground, for `v·n < 0`: Newton's restitution with Coulomb friction and
/// tangential restitution, or the law that replaces it ([`ContactLaw::own_impact`]).
///
/// ```text
/// P_n = −(1+e) m v·n      P_t = clamp(−(1+e_t) m_t u, ±μ P_n)      v⁺ = v + (P_n n + P_t τ)/m      ω⁺ = ω + R P_t/I
/// ```
///
/// with `m_t = m k/(1+k)`, `m` if the ball does not turn; e_t counts as 0 where friction has no limit and e = 0. With
/// static friction `P_t` is clamped only beyond `μ_s P_n`. Energy never grows: the tangential part changes it by
/// `P_t u + P_t²/(2m_t)`, which is negative for `P_t` between 0 and `−2 m_t u`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub fn impact(
    ball: &Ball,
    contact: &ContactLaw,
    frame: &Frame,
    velocity: Vector2<f64>,
    spin: f64,
) -> Result<Impact, ImpactError> {
    let (normal, along) = (velocity.dot(&frame.normal), velocity.dot(&frame.tangent));
    contact.check_approach(-normal)?;
    let before = Arrival { normal, along, spin, slip: ball.slip_velocity(along, spin) };
    if let Some(law) = contact.own_impact() {
        return Impact::by(law, ball, contact, before);
    }
    // Without slip no tangential impulse is asked for, and the spin is left to the bit.
    let grip = || contact.grip(contact.asked(EffectiveMass::of(ball), normal, before.slip));
    let grip = if before.slip == 0.0 { None } else { grip() };
    Ok(Impact::over(ball, contact, grip.unwrap_or(Grip::Slides(0.0)), before))
}

/// Computes the [impact] of a ball in a state, and the state after it, with the lost energy added to `dissipated`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub fn strike(
    ball: &Ball,
    contact: &ContactLaw,
    frame: &Frame,
    before: &State,
) -> Result<(Impact, State), ImpactError> {
    let hit = impact(ball, contact, frame, before.velocity, before.spin)?;
    let velocity = hit.velocity(frame);
    let lost = ball.kinetic_energy(before.velocity, before.spin) - ball.kinetic_energy(velocity, hit.spin);
    Ok((hit, State { velocity, spin: hit.spin, dissipated: before.dissipated + lost, ..*before }))
}
