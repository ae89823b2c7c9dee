//! How is Newton's restitution e given? As one number, or as a formula of the speed `v` (m/s) of approach.

use std::fmt;
use std::sync::Arc;

use numbers::{Expression, ExpressionError, Interval, Number, Rounding, Taylor, elementary};

/// Largest number of bounces summed one by one; with e ≤ 0.996 later ones are below rounding.
const BOUNCES: u32 = 10_000;

/// Newton's restitution. Its methods give e at one speed, one e for all bounces that follow, and the largest e.
#[derive(Clone, Debug, PartialEq)]
pub enum Restitution {
    /// One number at any speed.
    Coefficient(f64),
    /// Formula of the approach speed.
    OfApproach(RestitutionFormula),
}

/// Formula of the approach speed `v`; values outside 0 … 1 are refused where it is evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct RestitutionFormula {
    text: Arc<str>,
    formula: Expression,
}

/// Reason why a law of impact gives no impulse.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ImpactError {
    /// Restitution outside 0 … 1.
    #[error(
        "the formula of `restitution` gives {restitution:?} at an approach of {approach:?} m/s, where it must be between 0 and 1: bound it, \
         as in \"max(0, min(1, 0.8 - 0.05*v))\""
    )]
    Restitution {
        /// Approach speed, m/s.
        approach: f64,
        /// Value of the formula.
        restitution: f64,
    },
    /// Impulses that pull, leave the contact closing, or are no numbers.
    #[error(
        "the impact law \"{law}\" gives P_n = {normal:?} N s and P_t = {tangential:?} N s, after which the contact opens with {opens:?} m/s: P_n \
         and that must not be negative, so mend the law, or take another `impact`"
    )]
    NoRebound {
        /// Name of the law.
        law: &'static str,
        /// P_n, N s.
        normal: f64,
        /// P_t, N s.
        tangential: f64,
        /// u_n after, m/s.
        opens: f64,
    },
    /// Impulses that add energy.
    #[error(
        "the impact law \"{law}\" adds {gained:?} J of kinetic energy by P_n = {normal:?} N s and P_t = {tangential:?} N s: an impact takes \
         energy or keeps it, so lower `restitution`, or take another `impact`"
    )]
    Energy {
        /// Name of the law.
        law: &'static str,
        /// Energy gained, J.
        gained: f64,
        /// P_n, N s.
        normal: f64,
        /// P_t, N s.
        tangential: f64,
    },
    /// An impact on two contacts at once, of which the law says nothing.
    #[error(
        "the impact law \"{law}\" is one of a contact alone, and the ball hits two at once: take `impact = \"newton\"`, or ground without \
         corners that the ball fits in"
    )]
    TwoContacts {
        /// Name of the law.
        law: &'static str,
    },
}

/// Why a text is no formula of restitution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RestitutionError {
    /// It can't be read.
    #[error("the formula of `restitution` can't be read: {0}")]
    Text(#[from] ExpressionError),
    /// It gives a value outside 0 … 1 already at v = 0.
    #[error(transparent)]
    Range(#[from] ImpactError),
}

impl RestitutionFormula {
    /// Names that a formula may use.
    pub const VARIABLES: [&'static str; 1] = ["v"];

    /// Reads a formula of `v`, such as `"0.8 - 0.05*v"`.
    pub fn parse(text: &str) -> Result<Self, RestitutionError> {
        Ok(RestitutionFormula::new(text, Expression::parse(text, &Self::VARIABLES, &[])?)?)
    }

    /// Takes a formula of [`RestitutionFormula::VARIABLES`] that is in 0 … 1 at v = 0, and the text it was read from.
    pub fn new(text: &str, formula: Expression) -> Result<Self, ImpactError> {
        let this = RestitutionFormula { text: text.into(), formula };
        this.check(0.0)?;
        Ok(this)
    }

    /// Text of the formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// e at an approach speed (m/s; below 0 it counts as 0), or NaN where it is outside 0 … 1 by more than rounding.
    #[inline(never)]
    fn at<N: Number>(&self, approach: N) -> N {
        let (zero, one) = (N::constant(0.0), N::constant(1.0));
        let e = self.formula.eval(&[approach.max(zero)]);
        let grain = Rounding::SUM * f64::EPSILON;
        let outside =
            e.at_least(N::constant(-grain)) == Some(false) || N::constant(1.0 + grain).at_least(e) == Some(false);
        if outside { N::constant(f64::NAN) } else { e.max(zero).min(one) }
    }

    /// Refuses an approach speed (m/s) at which the formula gives no value within 0 … 1.
    fn check(&self, approach: f64) -> Result<(), ImpactError> {
        if self.at(approach).is_finite() {
            return Ok(());
        }
        Err(ImpactError::Restitution { approach, restitution: self.formula.eval(&[approach.max(0.0)]) })
    }

    /// The formula, or the number that it is at any speed.
    pub(crate) fn simplest(self) -> Restitution {
        match self.formula.as_constant() {
            Some(_) => Restitution::Coefficient(self.at(0.0)),
            None => Restitution::OfApproach(self),
        }
    }

    /// Encloses e and its slope de/dv (s/m) over all speeds from 0 to `approach` (m/s).
    fn over(&self, approach: f64) -> [Interval; 2] {
        self.formula.eval(&[Taylor::<Interval, 2>::variable(Interval::new(0.0, approach))]).0
    }
}

impl fmt::Display for RestitutionFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Restitution {
    /// e at an approach speed (m/s).
    #[inline(always)]
    pub fn at<N: Number>(&self, approach: N) -> N {
        match self {
            Restitution::Coefficient(e) => N::constant(*e),
            Restitution::OfApproach(formula) => formula.at(approach),
        }
    }

    /// Refuses an approach speed (m/s) at which e is not between 0 and 1.
    #[inline(always)]
    pub fn check(&self, approach: f64) -> Result<(), ImpactError> {
        match self {
            Restitution::Coefficient(_) => Ok(()),
            Restitution::OfApproach(formula) => formula.check(approach),
        }
    }

    /// Constant e with which all bounces after a take-off at w = `rise` m/s last as long, with all but e frozen:
    ///
    /// ```text
    /// w/(1 − e) = w₀ + w₁ + w₂ + …        w₀ = w        wᵢ₊₁ = e(wᵢ) wᵢ
    /// ```
    ///
    /// It is 1, so that bounces count as endless, where the sum has not converged after 10⁴ terms.
    pub fn settling<N: Number>(&self, rise: N) -> N {
        let formula = match self {
            Restitution::Coefficient(e) => return N::constant(*e),
            Restitution::OfApproach(formula) => formula,
        };
        let one = N::constant(1.0);
        let (mut sum, mut next) = (N::constant(0.0), rise);
        for _ in 0..BOUNCES {
            sum = sum + next;
            let e = formula.at(next);
            next = e * next;
            if sum.scale(f64::EPSILON).at_least(next) == Some(true) {
                return one - rise / (sum + next / (one - e));
            }
        }
        one
    }

    /// Whether [`settling`](Self::settling) may converge. False where 10⁴ bounces don't shrink to rounding (ε times
    /// their number) even with the least e at speeds up to `rise` m/s.
    pub fn may_settle(&self, rise: f64) -> bool {
        match self {
            Restitution::Coefficient(_) => true,
            Restitution::OfApproach(formula) => {
                let slowest = elementary::powf(formula.over(rise)[0].lo.max(0.0), f64::from(BOUNCES));
                !(slowest > f64::EPSILON * f64::from(BOUNCES))
            }
        }
    }

    /// Largest e at approach speeds from 0 to `approach` m/s.
    pub fn largest(&self, approach: f64) -> f64 {
        match self {
            Restitution::Coefficient(e) => *e,
            Restitution::OfApproach(formula) => formula.over(approach)[0].hi.min(1.0),
        }
    }

    /// Bound of the factor by which a relative change of w = `rise` (m/s) grows over all bounces that follow:
    /// `Π(1 + |e′| wᵢ/e) ≤ exp(max |e′|/e · w/(1 − e))`, e′ = de/dv, the last e by [`settling`](Self::settling).
    pub fn amplifies(&self, rise: f64) -> f64 {
        match self {
            Restitution::Coefficient(_) => 1.0,
            Restitution::OfApproach(formula) => {
                let [e, slope] = formula.over(rise);
                elementary::exp(slope.magnitude() / e.lo.max(0.0) * rise / (1.0 - self.settling(rise)))
            }
        }
    }
}
