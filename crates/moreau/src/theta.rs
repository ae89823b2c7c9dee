//! Moreau's θ-scheme: a step of any system with unilateral contacts, and the law that a closed contact has in it.
//!
//! ```text
//! closed: g(q₀ + p h v₀) ≤ 0        v_free: velocity without contacts        u = Hᵀv: normal and slip velocity
//! v₁ = v_free + W H P,   0 ≤ u₁ + e u₀ ⟂ P_n ≥ 0,   |P_t| ≤ μP_n, slip −e_t u₀ where an impact sticks
//! q₁ = q₀ + h(θv₁ + (1−θ)v₀)
//! W⁻¹ = M + hθC + h²θ²K: mass, damping, stiffness
//! ```

use lcp::friction::{Block, Regime};
use mechanics::{ContactLaw, ImpactError, Impulses, ParameterError};
use nalgebra::Vector2;

/// Time and parameters of a step.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    /// Start of the step, s.
    pub time: f64,
    /// Step h, s.
    pub step: f64,
    /// Weight θ of the end of the step, 1/2 … 1.
    pub theta: f64,
    /// Part p of the step, 0 … 1: contacts are judged at `q₀ + p h v₀`.
    pub prediction: f64,
}

impl Stride {
    /// Refuses an invalid step h (s) or θ.
    pub fn check(step: f64, theta: f64) -> Result<(), ParameterError> {
        ParameterError::check("step", step, step > 0.0 && step.is_finite(), "positive and finite (s)")?;
        ParameterError::check("theta", theta, (0.5..=1.0).contains(&theta), "between 1/2 and 1").map(|_| ())
    }

    /// Time from the prediction to the place whose normals are used, s.
    #[inline(always)]
    pub fn from_prediction_to_normals(&self) -> f64 {
        self.ahead() - self.prediction * self.step
    }

    /// Time from the start of the step to the place whose normals are used, `(3/2 − θ)h`, s. The impulses make v₁
    /// tangential there; v₀ is so one step earlier, so that `θv₁ + (1−θ)v₀` is tangential in the middle of the step. A
    /// body that slides on a curve then leaves it by `O(h³)` a step; by normals at `h/2` it would sink `κv²h²(1−θ)`.
    #[inline(always)]
    pub fn ahead(&self) -> f64 {
        (1.5 - self.theta) * self.step
    }

    /// `x₀ + h(θv₁ + (1−θ)v₀)`
    #[inline(always)]
    pub fn moved(&self, x: Vector2<f64>, before: Vector2<f64>, after: Vector2<f64>) -> Vector2<f64> {
        x + (after * self.theta + before * (1.0 - self.theta)) * self.step
    }
}

/// Stage of a step at which a velocity is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// `v₀`
    Before,
    /// `v_free`: without contacts.
    Free,
    /// `v₁`
    After,
}

/// A closed contact: its law, normal and slip velocities (m/s) and impulse.
#[derive(Clone, Debug)]
pub struct Closed {
    /// Law of contact.
    pub law: ContactLaw,
    /// Approach speed (m/s) up to which the contact is no impact: by errors `O(h)` of the scheme a lasting contact hops
    /// and closes again. ∞: it lasts in any case.
    pub hop: f64,
    /// Change of the normal velocity by the turn of the normal in the step, m/s; used for the ledger alone.
    pub turn: f64,
    /// `u₀`
    pub before: [f64; 2],
    /// Velocity without contacts.
    pub free: [f64; 2],
    /// `u₁`
    pub after: [f64; 2],
    /// `P_n ≥ 0` and `P_t`, N s; before the solution the solver's start.
    pub impulse: [f64; 2],
}

impl Closed {
    /// A contact with zero velocities and impulse.
    #[inline(always)]
    pub fn new(law: ContactLaw) -> Self {
        Closed { law, hop: 0.0, turn: 0.0, before: [0.0; 2], free: [0.0; 2], after: [0.0; 2], impulse: [0.0; 2] }
    }

    /// A contact whose body follows a path of curvature κ (1/m) with `speed` (m/s): the normal turns.
    #[inline(always)]
    pub(crate) fn along(law: &ContactLaw, curvature: f64, speed: f64, at: Stride) -> Self {
        let (mut hop, mut turn) = (0.0, 0.0);
        if curvature != 0.0 {
            let bend = -curvature * speed * speed;
            (hop, turn) = (hops(law) * bend.abs() * at.step, bend * at.ahead());
        }
        Closed { hop, turn, ..Closed::new(law.clone()) }
    }

    /// Velocities that the impulses have to remove, `u_free + (e u₀, e_t u₀)`, m/s. e_t acts in impacts only: where the
    /// contact approaches faster than the forces of one step and the scheme's own [`hop`](Closed::hop)s make it. A
    /// lasting contact has Coulomb's law alone.
    #[inline(always)]
    pub fn asked(&self) -> [f64; 2] {
        let Closed { law, before, free, .. } = self;
        let impact = -before[0] > (free[0] - before[0]).abs() + self.hop;
        let tangential = if impact { law.acting_tangential_restitution(-before[0]) } else { 0.0 };
        [free[0] + law.restitution(-before[0]) * before[0], free[1] + tangential * before[1]]
    }

    /// Computes the impulse of a contact that shares no body with another, in closed form, from its block of `HᵀWH`.
    #[inline]
    pub fn solve_alone(&mut self, [[nn, nt], [tn, tt]]: Block) -> Result<(), lcp::Failure> {
        let [normal, slip] = self.asked();
        let coupled = nt.abs().max(tn.abs()) > 4.0 * f64::EPSILON * nn.max(tt);
        if coupled || !(nn > 0.0 && tt > 0.0 && normal.is_finite() && slip.is_finite()) {
            let friction = self.law.sticking_coefficient();
            self.impulse = lcp::friction::one([[nn, nt], [tn, tt]], [normal, slip], friction)?.impulse;
        } else {
            self.give(Impulses { normal: -normal / nn, tangential: -slip / tt });
        }
        Ok(())
    }

    /// Sets the impulse that the law allows of those `needed` to remove the [asked](Closed::asked) velocities.
    #[inline(always)]
    pub(crate) fn give(&mut self, needed: Impulses) {
        let Impulses { normal, tangential } = self.law.given(needed);
        self.impulse = [normal, tangential];
    }

    /// Work of the normal and the tangential impulse on the body if the other one stands still, `P·(u₀ + u₁)/2`, J.
    #[inline(always)]
    pub fn work(&self) -> [f64; 2] {
        let work = |k: usize| 0.5 * self.impulse[k] * (self.before[k] + self.after[k]);
        [work(0), work(1)]
    }

    /// Work that the law of contact lets the normal and the tangential impulse do, J, never above 0. It is for impulses
    /// of a caller's scheme, whose u₁ need not follow this law: `P_n (1 − e) u₀/2` in an impact, and `P_t (u₀ + u₁)/2`
    /// by friction, as far as it is negative. A contact that approaches no faster than its `hop` lasts: `P_n` does no
    /// work.
    pub(crate) fn lawful_work(&self) -> [f64; 2] {
        let [approach, slip] = self.before;
        let lost = if -approach > self.hop { 1.0 - self.law.restitution(-approach).min(1.0) } else { 0.0 };
        [0.5 * self.impulse[0] * lost * approach, (0.5 * self.impulse[1] * (slip + self.after[1])).min(0.0)]
    }

    /// Regime of the contact in the step.
    #[inline(always)]
    pub fn regime(&self) -> Regime {
        let [normal, tangential] = self.impulse;
        if normal == 0.0 {
            Regime::Separating
        } else if tangential.abs() < self.law.sticking_coefficient() * normal {
            Regime::Sticking
        } else if self.after[1] > 0.0 {
            Regime::SlidingForward
        } else {
            Regime::SlidingBackward
        }
    }

    /// Whether it had an impulse and opens no faster than `tolerance` (m/s).
    pub(crate) fn lasts(&self, tolerance: f64) -> bool {
        self.impulse[0] > 0.0 && self.after[0] <= tolerance
    }
}

/// Number of steps for which restitution makes a ball hop where it should stay on curved ground: 1/(1 − e), the sum of
/// the durations 1, e, e², … of hops, and two more; at most 32, for e near 1.
pub(crate) fn hops(law: &ContactLaw) -> f64 {
    (2.0 + 1.0 / (1.0 - law.restitution(0.0))).min(32.0)
}

/// A Lagrangian system with unilateral contacts, as the scheme uses it in a step.
pub trait Mechanism {
    /// Reason why a step can't be made.
    type Failure: From<ImpactError>;
    /// Closes the contacts whose gap at the predicted place is no more than 0.
    fn close(&mut self, at: Stride) -> Result<(), Self::Failure>;
    /// Finds `v_free` and W, by mass and forces.
    fn fly(&mut self, at: Stride) -> Result<(), Self::Failure>;
    /// Closed contacts.
    fn closed(&mut self) -> &mut [Closed];
    /// Normal and slip velocity of a closed contact, `Hᵀv`.
    fn velocity(&self, contact: usize, stage: Stage) -> [f64; 2];
    /// Finds the impulses of the closed contacts, which remove the velocities [asked](Closed::asked) as the law allows.
    fn solve(&mut self, at: Stride) -> Result<(), Self::Failure>;
    /// Finds `v₁` and `q₁`. Returns whether impulses are to be found again: there are more contacts, or `v_free` is
    /// another one now.
    fn land(&mut self, at: Stride) -> Result<bool, Self::Failure>;
}

/// Makes one step. The mechanism has the result, but not yet as its state.
#[inline(always)]
pub fn step<M: Mechanism>(mechanism: &mut M, at: Stride) -> Result<(), M::Failure> {
    mechanism.close(at)?;
    mechanism.fly(at)?;
    loop {
        for contact in 0..mechanism.closed().len() {
            let (before, free) = (mechanism.velocity(contact, Stage::Before), mechanism.velocity(contact, Stage::Free));
            let closed = &mut mechanism.closed()[contact];
            (closed.before, closed.free) = (before, free);
            closed.law.check_approach(-before[0])?;
        }
        mechanism.solve(at)?;
        if !mechanism.land(at)? {
            break;
        }
    }
    for contact in 0..mechanism.closed().len() {
        mechanism.closed()[contact].after = mechanism.velocity(contact, Stage::After);
    }
    Ok(())
}
