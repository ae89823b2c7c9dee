//! Coefficients of a contact, set and read: restitution, friction, damping, rolling resistance.

use numbers::Number;

use crate::{ImpactError, OwnImpact, ParameterError, Range, Restitution, RestitutionFormula};

/// Coulomb friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Coefficient μ of Coulomb's cone: `|f| ≤ μλ`.
    Coefficient(f64),
    /// Static friction: a contact sticks while `|f| ≤ μ_s λ`, and slides with `|f| = μλ`, where μ ≤ μ_s.
    StaticAndKinetic {
        /// μ_s
        sticking: f64,
        /// μ
        sliding: f64,
    },
    /// Friction without a limit: the ball never slips, whatever λ.
    Infinite,
}

/// The laws of contact and impact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLaw {
    restitution: Restitution,
    tangential_restitution: f64,
    friction: Friction,
    impact: Option<OwnImpact>,
    pub(crate) damping: f64,
    pub(crate) resistance: f64,
}

impl Default for ContactLaw {
    /// [`ContactLaw::SMOOTH`].
    fn default() -> Self {
        ContactLaw::SMOOTH
    }
}

impl ContactLaw {
    /// A law with neither restitution nor friction.
    pub const SMOOTH: ContactLaw = ContactLaw {
        restitution: Restitution::Coefficient(0.0),
        tangential_restitution: 0.0,
        friction: Friction::Coefficient(0.0),
        impact: None,
        damping: 0.0,
        resistance: 0.0,
    };

    /// Whether both laws give the same motion in lasting contact; what acts in impacts alone is not compared.
    pub fn moves_as(&self, other: &ContactLaw) -> bool {
        self.without_restitution() == other.without_restitution()
    }

    /// Range of Newton's restitution.
    pub const RESTITUTION: Range = Range::new("restitution", 0.0, 1.0, "between 0 and 1");
    /// Range of tangential restitution.
    pub const TANGENTIAL_RESTITUTION: Range = Range::new("tangential-restitution", -1.0, 1.0, "between -1 and 1");
    /// Range of the coefficient of friction.
    pub const FRICTION: Range = Range::not_negative("friction", "zero or positive and finite, or \"infinite\"");
    /// Range of the coefficient of static friction.
    pub const STATIC_FRICTION: Range = Range::not_negative("static-friction", "finite, and no less than `friction`");
    /// Range of damping in contact.
    pub const ROLLING_DAMPING: Range = Range::not_negative("rolling-damping", "zero or positive, and finite (N s/m)");
    /// Range of rolling resistance.
    pub const ROLLING_RESISTANCE: Range = Range::not_negative("rolling-resistance", "zero or positive, and finite");

    /// Creates a law with Newton's restitution e (0 … 1) and without friction.
    pub fn new(restitution: f64) -> Result<Self, ParameterError> {
        ContactLaw::default().with_restitution(restitution)
    }
    /// Returns the law with another restitution, 0 … 1.
    pub fn with_restitution(mut self, restitution: f64) -> Result<Self, ParameterError> {
        self.restitution = Restitution::Coefficient(ContactLaw::RESTITUTION.check(restitution)?);
        Ok(self)
    }

    /// Returns the law with Newton's restitution by a formula of the approach speed `v` (m/s).
    ///
    /// ```
    /// use mechanics::{ContactLaw, RestitutionFormula};
    /// let law = ContactLaw::default().with_restitution_of(RestitutionFormula::parse("0.8 - 0.05*v")?);
    /// assert_eq!(law.restitution(2.0), 0.8 - 0.05 * 2.0);
    /// # Ok::<(), mechanics::RestitutionError>(())
    /// ```
    pub fn with_restitution_of(self, formula: RestitutionFormula) -> Self {
        ContactLaw { restitution: formula.simplest(), ..self }
    }

    /// Replaces Newton's restitution with Coulomb friction ([`impact`](crate::impact())) by another law of impact.
    pub fn with_impact(self, law: OwnImpact) -> Self {
        ContactLaw { impact: Some(law), ..self }
    }
    /// Law of impact that replaces Newton's; `None`: Newton's holds.
    #[inline(always)]
    pub fn own_impact(&self) -> Option<&OwnImpact> {
        self.impact.as_ref()
    }
    /// Constant e with which all bounces after a take-off at `rise` m/s together last as long as by this law
    /// ([`Restitution::settling`]). It is 1 where bounces can't be summed up, and so are made one by one.
    pub fn settling<N: Number>(&self, rise: N) -> N {
        let sums = self.impact.as_ref().is_none_or(|law| law.shared().settles());
        if sums { self.restitution.settling(rise) } else { N::constant(1.0) }
    }

    /// Returns the law with this friction; μ ≥ 0, and μ_s ≥ μ.
    pub fn with_friction(mut self, friction: Friction) -> Result<Self, ParameterError> {
        self.friction = match friction {
            Friction::Coefficient(mu) => Friction::Coefficient(ContactLaw::FRICTION.check(mu)?),
            Friction::StaticAndKinetic { sticking, sliding } => {
                ContactLaw::FRICTION.check(sliding)?;
                let Range { name, rule, .. } = ContactLaw::STATIC_FRICTION;
                ParameterError::check(name, sticking, sticking.is_finite() && sticking >= sliding, rule)?;
                friction
            }
            Friction::Infinite => friction,
        };
        Ok(self)
    }
    /// Returns the law with another μ of sliding, ∞ for no limit. Static friction μ_s stays; a μ above it is refused.
    pub fn with_kinetic_friction(self, sliding: f64) -> Result<Self, ParameterError> {
        let friction = match self.friction {
            Friction::StaticAndKinetic { sticking, .. } => Friction::StaticAndKinetic { sticking, sliding },
            _ if sliding == f64::INFINITY => Friction::Infinite,
            _ => Friction::Coefficient(sliding),
        };
        self.with_friction(friction)
    }
    /// Returns the law with the coefficient μ_s up to which a contact sticks, no less than the μ of sliding.
    pub fn with_static_friction(self, sticking: f64) -> Result<Self, ParameterError> {
        let sliding = self.sliding_coefficient();
        self.with_friction(Friction::StaticAndKinetic { sticking, sliding })
    }
    /// Returns the law with tangential restitution `e_t` (−1 … 1): −1 keeps the slip, 0 stops it, 1 reverses it.
    pub fn with_tangential_restitution(mut self, value: f64) -> Result<Self, ParameterError> {
        self.tangential_restitution = ContactLaw::TANGENTIAL_RESTITUTION.check(value)?;
        Ok(self)
    }
    /// Adds damping `−d v` of the centre in contact, d in N s/m (≥ 0).
    pub fn with_rolling_damping(mut self, value: f64) -> Result<Self, ParameterError> {
        self.damping = ContactLaw::ROLLING_DAMPING.check(value)?;
        Ok(self)
    }
    /// Adds rolling resistance: a couple `c_rr R λ` against the spin, c_rr ≥ 0.
    pub fn with_rolling_resistance(mut self, value: f64) -> Result<Self, ParameterError> {
        self.resistance = ContactLaw::ROLLING_RESISTANCE.check(value)?;
        Ok(self)
    }
    /// Returns the law with e = e_t = 0.
    pub fn without_restitution(&self) -> Self {
        let restitution = Restitution::Coefficient(0.0);
        ContactLaw { restitution, tangential_restitution: 0.0, impact: None, ..self.clone() }
    }
    /// Newton's restitution e of a contact that closes at `approach` (m/s); NaN: a formula's value is not in 0 … 1.
    #[inline(always)]
    pub fn restitution<N: Number>(&self, approach: N) -> N {
        self.restitution.at(approach)
    }
    /// Newton's restitution as it is given: one number, or a formula.
    pub fn restitution_law(&self) -> &Restitution {
        &self.restitution
    }
    /// Newton's restitution e as files and tables have it, where it is one number; a law of motion asks
    /// [`ContactLaw::restitution`].
    pub fn coefficient_of_restitution(&self) -> Option<f64> {
        match self.restitution {
            Restitution::Coefficient(e) => Some(e),
            Restitution::OfApproach(_) => None,
        }
    }
    /// Refuses an approach speed (m/s) at which the formula of e gives no value within 0 … 1.
    #[inline(always)]
    pub fn check_approach(&self, approach: f64) -> Result<(), ImpactError> {
        self.restitution.check(approach)
    }
    /// Whether (for an interval: certainly) e = 0 at the speed `approach` (m/s): a ball that lands with it stays.
    #[inline(always)]
    pub fn is_plastic<N: Number>(&self, approach: N) -> bool {
        N::constant(0.0).at_least(self.restitution(approach)) == Some(true)
    }
    /// Whether e = 1 in the limit of slow impacts, so that bounces never end.
    pub fn is_elastic(&self) -> bool {
        self.restitution(0.0) >= 1.0
    }
    /// The e_t of an impact at `approach` m/s: 0 where e = 0 and friction has no limit, since the ball then stays and
    /// can't slip.
    #[inline(always)]
    pub fn acting_tangential_restitution<N: Number>(&self, approach: N) -> f64 {
        if self.never_slips() && self.is_plastic(approach) { 0.0 } else { self.tangential_restitution }
    }
    /// Tangential restitution e_t.
    pub fn tangential_restitution(&self) -> f64 {
        self.tangential_restitution
    }
    /// Damping d of the centre in contact, N s/m.
    pub fn rolling_damping(&self) -> f64 {
        self.damping
    }
    /// Coefficient c_rr of rolling resistance.
    pub fn rolling_resistance(&self) -> f64 {
        self.resistance
    }
    /// Friction as it is given.
    pub fn friction(&self) -> Friction {
        self.friction
    }
    /// Whether there is no friction at all.
    #[inline(always)]
    pub fn is_smooth(&self) -> bool {
        self.sticking_coefficient() == 0.0
    }
    /// Whether friction has no limit.
    #[inline(always)]
    pub fn never_slips(&self) -> bool {
        self.friction == Friction::Infinite
    }
    /// μ of the limit up to which a contact sticks, `|f| ≤ μλ`; infinite for [`Friction::Infinite`].
    #[inline(always)]
    pub fn sticking_coefficient(&self) -> f64 {
        match self.friction {
            Friction::Coefficient(mu) | Friction::StaticAndKinetic { sticking: mu, .. } => mu,
            Friction::Infinite => f64::INFINITY,
        }
    }
    /// μ of the friction of a contact that slides, `f = −μλ sign(u)`; infinite for [`Friction::Infinite`].
    #[inline(always)]
    pub fn sliding_coefficient(&self) -> f64 {
        match self.friction {
            Friction::Coefficient(mu) | Friction::StaticAndKinetic { sliding: mu, .. } => mu,
            Friction::Infinite => f64::INFINITY,
        }
    }
    /// Coefficient μ_s of [`Friction::StaticAndKinetic`]; `None`: friction has one coefficient, or no limit.
    pub fn static_friction(&self) -> Option<f64> {
        match self.friction {
            Friction::StaticAndKinetic { sticking, .. } => Some(sticking),
            Friction::Coefficient(_) | Friction::Infinite => None,
        }
    }
    /// Largest |F·τ|/λ under which a ball that turns stays at rest: `min(μ_s, c_rr)`, as beyond c_rr it rolls.
    pub fn rest_limit(&self) -> f64 {
        self.resistance.min(self.sticking_coefficient())
    }
    /// Largest friction (N, or N s of impulses) of a sticking contact: μ_s times the normal one, but not below 0, or ∞.
    #[inline(always)]
    pub fn sticking_limit<N: Number>(&self, normal: N) -> N {
        match self.sticking_coefficient() {
            f64::INFINITY => N::constant(f64::INFINITY),
            mu => normal.max(N::constant(0.0)).scale(mu),
        }
    }
}
