//! Laws of impact besides Newton's: Poisson's, Stronge's, Pfeiffer's and Glocker's, and the caller's,
//! each a [`CollisionLaw`]. The impulses of each impact are audited: they push, open the contact and add no energy.

use std::fmt;

use numbers::Rounding;

use crate::{Ball, ContactLaw, EffectiveMass, ImpactError, Impulses, OwnLaw};

/// One contact just before an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactContact {
    /// Normal velocity u_n, m/s; negative, as it closes.
    pub normal: f64,
    /// Slip velocity u_t of the material contact point, spin included, m/s.
    pub slip: f64,
    /// Mobility W, 1/kg, `diag(1/m_n, 1/m_t)` of a ball on the ground: impulses change velocities by
    /// `[Δu_n, Δu_t] = W [P_n, P_t]`.
    pub mobility: [[f64; 2]; 2],
    /// Coefficient e at this approach speed, which the law reads as Newton's, Poisson's or Stronge's.
    pub restitution: f64,
    /// Tangential restitution e_t.
    pub tangential_restitution: f64,
    /// Coefficient μ_s up to which the contact sticks; infinite for friction without a limit.
    pub sticking: f64,
    /// Coefficient μ of sliding.
    pub sliding: f64,
}

/// A law of impact: the impulses of one contact, from velocities, masses and coefficients.
///
/// ```
/// use mechanics::{CollisionLaw, ImpactContact, Impulses};
///
/// /// Newton's restitution without friction.
/// #[derive(Debug)]
/// struct Smooth;
///
/// impl CollisionLaw for Smooth {
///     fn impulses(&self, contact: &ImpactContact) -> Impulses {
///         Impulses { normal: -(1.0 + contact.restitution) * contact.normal / contact.mobility[0][0], tangential: 0.0 }
///     }
/// }
/// ```
pub trait CollisionLaw: fmt::Debug + Send + Sync + 'static {
    /// Impulses P_n ≥ 0 and P_t along τ, N s. Those that add energy, pull, or leave the contact closing are refused.
    fn impulses(&self, contact: &ImpactContact) -> Impulses;
    /// Whether slow bounces on the ground equal those of Newton's e with Coulomb's friction. If so, a run sums them up,
    /// and an impact in which two contacts push goes by Newton's law. If not, a run makes the bounces one by one until
    /// rounding hides them, and refuses such an impact.
    fn settles(&self) -> bool {
        false
    }
}

/// A [`CollisionLaw`] behind a pointer, with its name.
pub type OwnImpact = OwnLaw<dyn CollisionLaw>;

impl ImpactContact {
    /// Contact of a ball with the ground that has these normal and slip velocities (m/s).
    pub fn of(ball: &Ball, law: &ContactLaw, normal: f64, slip: f64) -> Self {
        let mass = EffectiveMass::<f64>::of(ball);
        ImpactContact {
            normal,
            slip,
            mobility: [[1.0 / mass.normal, 0.0], [0.0, 1.0 / mass.tangential]],
            restitution: law.restitution(-normal),
            tangential_restitution: law.tangential_restitution(),
            sticking: law.sticking_coefficient(),
            sliding: law.sliding_coefficient(),
        }
    }

    /// `[u_n, u_t]` after these impulses, m/s.
    pub fn after(&self, given: Impulses) -> [f64; 2] {
        let [[nn, nt], [tn, tt]] = self.mobility;
        let Impulses { normal, tangential } = given;
        [self.normal + nn * normal + nt * tangential, self.slip + tn * normal + tt * tangential]
    }

    /// `[gained, rounding]`, J: kinetic energy `P·(u⁻ + u⁺)/2` that impulses add, and its rounding.
    pub fn gained(&self, given: Impulses) -> [f64; 2] {
        let [normal, slip] = self.after(given);
        let terms =
            [given.normal * self.normal, given.normal * normal, given.tangential * self.slip, given.tangential * slip];
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        [0.5 * terms.iter().sum::<f64>(), Rounding::SUM * f64::EPSILON * size]
    }

    /// Impulses of a law, if they push, open the contact and add no energy.
    pub fn audited(&self, law: &OwnImpact) -> Result<Impulses, ImpactError> {
        let (given, name) = (law.shared().impulses(self), law.name());
        let [normal, _] = self.after(given);
        let grain = Rounding::SUM * f64::EPSILON * (self.normal.abs() + self.mobility[0][0] * given.normal.abs());
        // Written so that NaN does not pass.
        if !(given.normal >= 0.0 && given.tangential.is_finite() && normal >= -grain) {
            return Err(ImpactError::NoRebound {
                law: name,
                normal: given.normal,
                tangential: given.tangential,
                opens: normal,
            });
        }
        let [gained, rounding] = self.gained(given);
        if !(gained <= rounding) {
            return Err(ImpactError::Energy { law: name, gained, normal: given.normal, tangential: given.tangential });
        }
        Ok(given)
    }
}

/// Rule that ends restitution, in an impact integrated over the normal impulse (Routh 1877; Darboux 1880; Keller 1986).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restoring {
    /// Poisson: the normal impulse of restitution is e times that of compression.
    Impulse,
    /// Stronge: the work of the normal force in restitution is e² times that in compression (Proc. R. Soc. A 431 (1990)
    /// 169).
    Work,
}

/// Derivatives by the normal impulse in a part of an impact in which the slip keeps its sign, or stays 0.
struct Stretch {
    /// `dP_t/dP_n`
    friction: f64,
    /// `du_n/dP_n`, 1/kg.
    normal: f64,
    /// `du_t/dP_n`, 1/kg.
    slip: f64,
}

impl Restoring {
    /// Part of the impact that begins with this slip velocity:
    ///
    /// ```text
    /// sliding   dP_t = −μ sign(u_t) dP_n        sticking   dP_t = −(W_tn/W_tt) dP_n  where that is within μ_s
    /// du = W [dP_n, dP_t]        compression: u_n < 0
    /// ```
    fn stretch(contact: &ImpactContact, slip: f64) -> Stretch {
        let [[nn, nt], [tn, tt]] = contact.mobility;
        let holds = -tn / tt;
        let sticks = slip == 0.0 && holds.abs() <= contact.sticking || contact.sticking == f64::INFINITY;
        let friction = match slip {
            _ if sticks => holds,
            // Friction is too weak to hold the contact, and acts the way in which it would have held it.
            0.0 => contact.sliding * holds.signum(),
            _ => -contact.sliding * slip.signum(),
        };
        let rate = if sticks { 0.0 } else { tn + tt * friction };
        Stretch { friction, normal: nn + nt * friction, slip: rate }
    }
}

impl CollisionLaw for Restoring {
    fn impulses(&self, contact: &ImpactContact) -> Impulses {
        let [[_, nt], [_, tt]] = contact.mobility;
        let (mut normal, mut slip) = (contact.normal, contact.slip);
        let mut given = Impulses { normal: 0.0, tangential: 0.0 };
        if contact.sticking == f64::INFINITY {
            // Friction without a limit stops the slip before any normal impulse.
            given.tangential = -slip / tt;
            normal += nt * given.tangential;
            slip = 0.0;
        }
        let (mut work, mut compressed) = (0.0, None);
        let e = contact.restitution;
        // Compression and restitution have at most two parts each, since the slip ends once.
        for _ in 0..4 {
            // Normal impulses left (N s): until the slip ends, `stops`; until compression or restitution does, `ends`.
            let Stretch { friction, normal: opens, slip: slows } = Restoring::stretch(contact, slip);
            let stops = if slip * slows < 0.0 { -slip / slows } else { f64::INFINITY };
            let ends = match (compressed, *self) {
                (None, _) if normal >= 0.0 => 0.0,
                // Friction keeps the contact closing until the slip ends.
                (None, _) if opens <= 0.0 => f64::INFINITY,
                (None, _) => -normal / opens,
                (Some((whole, _)), Restoring::Impulse) => (1.0 + e) * whole - given.normal,
                // The work left, `rest`, adds 2 (du_n/dP_n) `rest` to u_n²; its impulse is `rest` over the mean u_n.
                (Some((_, spent)), Restoring::Work) => {
                    let rest = f64::max(-e * e * spent - work, 0.0);
                    let speed = (normal * normal + 2.0 * opens * rest).sqrt();
                    if rest > 0.0 { 2.0 * rest / (normal + speed) } else { 0.0 }
                }
            };
            let most = ends.min(stops);
            if !(0.0..f64::INFINITY).contains(&most) {
                return Impulses { normal: f64::NAN, tangential: f64::NAN };
            }
            given = Impulses { normal: given.normal + most, tangential: given.tangential + friction * most };
            work += most * (normal + 0.5 * opens * most);
            (normal, slip) = (normal + opens * most, if stops <= ends { 0.0 } else { slip + slows * most });
            if stops < ends {
                continue;
            }
            match compressed {
                None => {
                    (compressed, normal) = (Some((given.normal, work)), normal.max(0.0));
                    work = 0.0;
                }
                Some(_) => break,
            }
        }
        given
    }

    fn settles(&self) -> bool {
        true
    }
}

/// Pfeiffer's and Glocker's law (*Multibody Dynamics with Unilateral Contacts*, 1996, ch. 8), for one contact: a
/// plastic impact with friction, then e times its normal impulse and e e_t times its tangential one. Slip that is left
/// after both goes on rubbing in restitution, within the cone. An e_t below 0 counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PfeifferGlocker;

impl CollisionLaw for PfeifferGlocker {
    fn impulses(&self, contact: &ImpactContact) -> Impulses {
        let plastic = ImpactContact { restitution: 0.0, ..*contact };
        let compression = Restoring::Impulse.impulses(&plastic);
        let e = contact.restitution;
        let springs = e * contact.tangential_restitution.max(0.0) * compression.tangential;
        let normal = e * compression.normal;
        let whole = Impulses { normal: compression.normal + normal, tangential: compression.tangential + springs };
        let [_, slip] = contact.after(whole);
        // Slip that still has the sign from before the impact is braked by what is left of the cone in restitution.
        let rubs = if slip * contact.slip > 0.0 { -slip / contact.mobility[1][1] } else { 0.0 };
        let most = (contact.sliding * normal - springs.abs()).max(0.0);
        Impulses { tangential: whole.tangential + rubs.clamp(-most, most), ..whole }
    }

    fn settles(&self) -> bool {
        true
    }
}
