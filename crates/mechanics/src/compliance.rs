//! How large is the force of compliant contact, of the ground on a ball that it compresses?

use std::fmt;
use std::sync::Arc;

use numbers::{Interval, Number, elementary, integral};

use crate::{Ball, ParameterError, Range};

/// Law of the normal force, N, by the compression `δ = R − dist` (m) and the normal velocity `v·n = −δ̇` (m/s).
#[derive(Clone, Debug, PartialEq)]
pub enum CompliantLaw {
    /// Force `K δ^{3/2} n − μ_v v`: elastic after Hertz, and a viscous force against the whole velocity of the centre
    /// (the law of Gallois, Brac and Soriano's benchmark).
    Hertz {
        /// Stiffness K, N/m^{3/2}; see [`CompliantLaw::gallois_stiffness`].
        stiffness: f64,
        /// Viscosity μ_v of the material, N s/m.
        viscosity: f64,
    },
    /// Linear spring and damper: `k δ + d δ̇`.
    KelvinVoigt {
        /// Stiffness k, N/m.
        stiffness: f64,
        /// Damping d, N s/m.
        damping: f64,
    },
    /// Force `K δⁿ (1 + c δ̇)` (Hunt & Crossley, *J. Appl. Mech.* 42 (1975) 440, eq. (8)): it is 0 at touch and at
    /// release.
    HuntCrossley {
        /// Stiffness K, N/mⁿ.
        stiffness: f64,
        /// Damping c, s/m; after an impact at v m/s restitution is about `1 − 2 c v/3` for n = 3/2.
        damping: f64,
        /// Exponent n of the compression.
        exponent: f64,
    },
    /// Law of the caller.
    Own(OwnLaw),
}

impl CompliantLaw {
    /// Takes a law of the caller, and its name.
    pub fn own(name: &'static str, law: impl NormalLaw) -> Self {
        CompliantLaw::Own(OwnLaw::new(name, Vec::new(), Arc::new(law)))
    }

    /// Stiffness `K = 2πE√(2R)`, N/m^{3/2}, by Gallois, Brac and Soriano; modulus E in Pa, R in m.
    pub fn gallois_stiffness(modulus: f64, radius: f64) -> f64 {
        std::f64::consts::TAU * modulus * (2.0 * radius).sqrt()
    }
}

/// Compliant contact: the law of the normal force, with regularised friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Compliance {
    law: CompliantLaw,
    pulls: bool,
    drag: bool,
    friction: f64,
    slip_speed: f64,
}

/// Forces of the ground on a compressed ball.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Normal force N along n, N.
    pub normal_force: f64,
    /// Friction f along τ at the contact point, N, regularised ([`Compliance::with_friction`]).
    pub friction_force: f64,
    /// Viscous force along τ at the centre, N.
    pub viscous_force: f64,
    /// Power lost to friction and damping, W; never negative.
    pub dissipated: f64,
}

/// Ranges of [`Push`] and its derivatives; all stay bounded where the compression goes to 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushOver {
    /// Normal force N along n, N.
    pub normal_force: Interval,
    /// Friction f along τ at the contact point, N.
    pub friction_force: Interval,
    /// Force along τ on the centre, N: friction and viscous force.
    pub tangential_force: Interval,
    /// Derivative `∂N/∂δ`, N/m.
    pub by_compression: Interval,
    /// Derivative `∂N/∂(v·n)`, N s/m.
    pub by_speed: Interval,
}

impl PushOver {
    /// Forces of a law that does not push: 0.
    pub const NOTHING: PushOver = PushOver::all(Interval::point(0.0));
    /// Forces of a law of which nothing is known.
    pub const UNKNOWN: PushOver = PushOver::all(Interval::REAL);

    const fn all(range: Interval) -> Self {
        PushOver {
            normal_force: range,
            friction_force: range,
            tangential_force: range,
            by_compression: range,
            by_speed: range,
        }
    }
}

impl Compliance {
    /// Range of a stiffness.
    pub const STIFFNESS: Range = Range::positive("stiffness", "positive and finite");
    /// Range of a viscosity.
    pub const VISCOSITY: Range = Range::not_negative("viscosity", "zero or positive, and finite");
    /// Range of a damping.
    pub const DAMPING: Range = Range::not_negative("damping", "zero or positive, and finite");
    /// Range of an exponent.
    pub const EXPONENT: Range = Range::new("exponent", 1.0, 10.0, "between 1 and 10");
    /// Range of the coefficient of friction.
    pub const FRICTION: Range = Range::not_negative("friction", "zero or positive, and finite");
    /// Range of the slip speed ε of regularised friction, at which it has 71 % of its full size.
    pub const SLIP_SPEED: Range = Range::positive("slip-speed", "positive and finite (m/s)");

    /// Takes a law whose stiffness is positive, its damping zero or positive, its exponent 1 to 10. A law of the caller
    /// must give no force where nothing is compressed and nothing moves, and a push at some compression. Until set
    /// otherwise contact never pulls, has no friction, and drag acts in it too.
    pub fn new(law: CompliantLaw) -> Result<Self, ParameterError> {
        let (stiffness, damping) = match &law {
            CompliantLaw::Hertz { stiffness, viscosity } => (*stiffness, Compliance::VISCOSITY.check(*viscosity)),
            CompliantLaw::KelvinVoigt { stiffness, damping } => (*stiffness, Compliance::DAMPING.check(*damping)),
            CompliantLaw::HuntCrossley { stiffness, damping, exponent } => {
                Compliance::EXPONENT.check(*exponent)?;
                (*stiffness, Compliance::DAMPING.check(*damping))
            }
            CompliantLaw::Own(own) => {
                let rule = "0 N where nothing is compressed and nothing moves, and positive at some compression";
                let pushes = least(|compression| !(own.law.force(compression, 0.0) <= 0.0)).is_finite();
                let touching = own.law.force(0.0, 0.0);
                ParameterError::check("force", touching, touching == 0.0 && pushes, rule)?;
                (1.0, Ok(0.0))
            }
        };
        Compliance::STIFFNESS.check(stiffness)?;
        damping?;
        Ok(Compliance { law, pulls: false, drag: true, friction: 0.0, slip_speed: 1e-3 })
    }

    /// Sets whether damping may pull the ball back; else the normal force is cut at zero.
    pub fn with_pull(mut self, pulls: bool) -> Self {
        self.pulls = pulls;
        self
    }

    /// Sets whether drag acts in contact too.
    pub fn with_drag(mut self, drag: bool) -> Self {
        self.drag = drag;
        self
    }

    /// Adds friction `−μ N u/√(u² + ε²)`: μ ≥ 0, ε > 0 in m/s.
    pub fn with_friction(mut self, coefficient: f64, slip_speed: f64) -> Result<Self, ParameterError> {
        self.friction = Compliance::FRICTION.check(coefficient)?;
        self.slip_speed = Compliance::SLIP_SPEED.check(slip_speed)?;
        Ok(self)
    }

    /// Law of the normal force.
    pub fn law(&self) -> &CompliantLaw {
        &self.law
    }
    /// Whether the law is one of the caller's own.
    pub fn is_own(&self) -> bool {
        matches!(self.law, CompliantLaw::Own(_))
    }
    /// Whether damping may pull the ball back.
    pub fn pulls(&self) -> bool {
        self.pulls
    }
    /// Whether drag acts in contact too.
    pub fn drag(&self) -> bool {
        self.drag
    }
    /// Friction coefficient μ.
    pub fn friction(&self) -> f64 {
        self.friction
    }
    /// Slip speed ε of the regularisation, m/s.
    pub fn slip_speed(&self) -> f64 {
        self.slip_speed
    }

    /// Elastic part of the normal force, N, at `δ = root²`. That of this crate's laws goes on below a root of 0. A law
    /// of the caller counts as 0 where it pulls at rest, unless pulling is allowed.
    pub fn elastic_force(&self, root: f64) -> f64 {
        let (stiffness, exponent) = match self.power() {
            Ok(power) => power,
            Err(own) => {
                let force = own.law.force(root * root, 0.0);
                return if force < 0.0 && !self.pulls { 0.0 } else { force };
            }
        };
        stiffness * power(root, 2.0 * exponent)
    }

    /// Energy stored at a compression (m), J; of the caller's law by quadrature.
    pub fn elastic_energy(&self, compression: f64) -> f64 {
        let compression = compression.max(0.0);
        match self.power() {
            Ok((stiffness, exponent)) => stiffness / (exponent + 1.0) * elementary::powf(compression, exponent + 1.0),
            Err(_) => integral(|root| 2.0 * root * self.elastic_force(root), 0.0, compression.sqrt()),
        }
    }

    /// Compression that stores an energy (J), m: the largest compression of an impact without damping.
    pub fn compression_storing(&self, energy: f64) -> f64 {
        match self.power() {
            Ok((stiffness, exponent)) => {
                elementary::powf((exponent + 1.0) * energy / stiffness, 1.0 / (exponent + 1.0))
            }
            Err(_) => least(|compression| !(self.elastic_energy(compression) < energy)),
        }
    }

    /// Compression that holds a force (N), m; ∞ if none does.
    pub fn compression_holding(&self, force: f64) -> f64 {
        match self.power() {
            Ok((stiffness, exponent)) => elementary::powf(force / stiffness, 1.0 / exponent),
            Err(_) => least(|compression| !(self.elastic_force(compression.sqrt()) < force)),
        }
    }

    /// K and n of the elastic part `K δⁿ`, or the caller's law, which has no such part.
    fn power(&self) -> Result<(f64, f64), &OwnLaw> {
        match &self.law {
            CompliantLaw::Hertz { stiffness, .. } => Ok((*stiffness, 1.5)),
            CompliantLaw::KelvinVoigt { stiffness, .. } => Ok((*stiffness, 1.0)),
            CompliantLaw::HuntCrossley { stiffness, exponent, .. } => Ok((*stiffness, *exponent)),
            CompliantLaw::Own(own) => Err(own),
        }
    }

    /// Number with the sign of the uncut normal force, and the size of its terms. `None` if the law never has to be cut
    /// at zero. For Hunt and Crossley's law it is `1 + c δ̇`, as the elastic part never pulls; else it is the force.
    pub fn cut(&self, root: f64, normal_velocity: f64) -> Option<[f64; 2]> {
        if self.pulls {
            return None;
        }
        match self.law {
            CompliantLaw::Hertz { viscosity: 0.0, .. }
            | CompliantLaw::KelvinVoigt { damping: 0.0, .. }
            | CompliantLaw::HuntCrossley { damping: 0.0, .. } => None,
            CompliantLaw::HuntCrossley { damping, .. } => {
                let part = damping * normal_velocity;
                Some([1.0 - part, 1.0 + part.abs()])
            }
            _ => {
                let [elastic, whole] = self.normal_force(root, normal_velocity);
                let size = elastic.abs() + (whole - elastic).abs();
                (size > 0.0).then_some([whole, size])
            }
        }
    }

    /// Viscosity of the ball's material, which acts along the ground too, N s/m.
    fn viscosity(&self) -> f64 {
        if let CompliantLaw::Hertz { viscosity, .. } = self.law { viscosity } else { 0.0 }
    }

    /// Normal force, N, at `δ = root²`, not cut at zero: `[elastic part, all]`.
    fn normal_force(&self, root: f64, normal_velocity: f64) -> [f64; 2] {
        let elastic = self.elastic_force(root);
        let whole = match &self.law {
            CompliantLaw::Own(own) => own.law.force(root * root, -normal_velocity),
            _ => self.damped(elastic, normal_velocity),
        };
        [elastic, whole]
    }

    /// Normal force of one of this crate's laws from its elastic part. For Hunt and Crossley's it is linear in that.
    fn damped<N: Number>(&self, elastic: N, normal_velocity: N) -> N {
        match self.law {
            CompliantLaw::HuntCrossley { damping, .. } => elastic * (N::constant(1.0) - normal_velocity.scale(damping)),
            CompliantLaw::Hertz { viscosity: rate, .. } | CompliantLaw::KelvinVoigt { damping: rate, .. } => {
                elastic - normal_velocity.scale(rate)
            }
            CompliantLaw::Own(_) => elastic,
        }
    }

    /// Forces at `δ = root²` while the law pushes; `along` is v·τ, m/s. Damping, friction and viscosity dissipate.
    pub fn push(&self, ball: &Ball, root: f64, normal_velocity: f64, along: f64, spin: f64) -> Push {
        let [elastic, normal_force] = self.normal_force(root, normal_velocity);
        let viscosity = self.viscosity();
        let slip = ball.slip_velocity(along, spin);
        let friction_force = if self.friction == 0.0 {
            0.0
        } else {
            -self.friction * normal_force.max(0.0) * slip / elementary::hypot(slip, self.slip_speed)
        };
        Push {
            normal_force,
            friction_force,
            viscous_force: -viscosity * along,
            dissipated: (elastic - normal_force) * normal_velocity - friction_force * slip + viscosity * along * along,
        }
    }

    /// Encloses the forces of [`Compliance::push`] and their derivatives; unbounded for the caller's law.
    pub fn push_over(
        &self,
        ball: &Ball,
        root: Interval,
        [normal_velocity, along]: [Interval; 2],
        spin: Interval,
    ) -> PushOver {
        let Ok((stiffness, exponent)) = self.power() else { return PushOver::UNKNOWN };
        let [elastic, stiff] = [0.0, 2.0].map(|less| power(root, 2.0 * exponent - less).scale(stiffness));
        let stiff = stiff.scale(exponent);
        let point = |x: f64| Interval::point(x);
        let normal_force = self.damped(elastic, normal_velocity);
        let (by_compression, by_speed) = match self.law {
            CompliantLaw::HuntCrossley { damping, .. } => {
                (self.damped(stiff, normal_velocity), elastic.scale(-damping))
            }
            CompliantLaw::Hertz { viscosity: rate, .. } | CompliantLaw::KelvinVoigt { damping: rate, .. } => {
                (stiff, point(-rate))
            }
            CompliantLaw::Own(_) => return PushOver::UNKNOWN,
        };
        let slip = ball.slip(along, spin);
        let size = (slip.square() + point(self.slip_speed * self.slip_speed)).sqrt();
        let direction = (slip / size).intersection(Interval::new(-1.0, 1.0)).unwrap_or(Interval::UNDEFINED);
        let friction_force = normal_force.max(point(0.0)) * direction * point(-self.friction);
        let tangential_force = friction_force - along.scale(self.viscosity());
        PushOver { normal_force, friction_force, tangential_force, by_compression, by_speed }
    }

    /// Derivatives `∂f/∂N` and `∂f/∂u` (N s/m) of regularised friction at a normal force (N) and a slip velocity (m/s).
    pub fn friction_slopes(&self, normal_force: f64, slip: f64) -> [f64; 2] {
        if self.friction == 0.0 || !(normal_force > 0.0) {
            return [0.0; 2];
        }
        let size = elementary::hypot(slip, self.slip_speed);
        let part = self.slip_speed / size;
        [-self.friction * slip / size, -self.friction * normal_force * part * part / size]
    }

    /// Forces while the law would pull and is cut at zero: only the viscous force along the ground, so that no force
    /// jumps where the normal one is cut. `along` is v·τ, m/s. Elastic energy set free meanwhile counts as dissipated.
    pub fn let_go(&self, root: f64, normal_velocity: f64, along: f64) -> Push {
        let viscous_force = -self.viscosity() * along;
        let dissipated = self.elastic_force(root) * normal_velocity - viscous_force * along;
        Push { viscous_force, dissipated, ..Push::default() }
    }

    /// Encloses the forces of [`Compliance::let_go`].
    pub fn let_go_over(&self, along: Interval) -> PushOver {
        PushOver { tangential_force: along.scale(-self.viscosity()), ..PushOver::NOTHING }
    }
}

/// Computes `root^twice`, which is smooth at a root of 0 for an integer `twice`; else it is that of |root|.
fn power<N: Number>(root: N, twice: f64) -> N {
    if twice == 3.0 {
        root * root * root
    } else if twice == 2.0 {
        root * root
    } else if twice.fract() == 0.0 {
        root.powi(twice as i32)
    } else {
        root.abs().powf(twice)
    }
}

/// Finds the least positive number with a property that stays true for larger ones, by halving bit patterns, or ∞.
fn least(has: impl Fn(f64) -> bool) -> f64 {
    let (mut below, mut above) = (0, f64::INFINITY.to_bits());
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        *(if has(f64::from_bits(middle)) { &mut above } else { &mut below }) = middle;
    }
    f64::from_bits(above)
}

/// Normal force of a compressed ball, by a law of the caller.
///
/// Stored energy is the integral of the force at rate 0; the rest dissipates. Derivatives are central differences.
///
/// ```
/// use mechanics::NormalLaw;
///
/// /// A spring (N/m) that is stiffer the more it is compressed.
/// #[derive(Debug)]
/// struct Stiffening(f64);
///
/// impl NormalLaw for Stiffening {
///     fn force(&self, compression: f64, _rate: f64) -> f64 {
///         self.0 * compression * (1.0 + 1e3 * compression)
///     }
/// }
/// ```
pub trait NormalLaw: fmt::Debug + Send + Sync + 'static {
    /// Normal force, N, positive where it pushes, at a compression `δ ≥ 0` (m) and its rate `δ̇` (m/s). At δ = δ̇ = 0
    /// it is 0.
    fn force(&self, compression: f64, rate: f64) -> f64;
}

/// Law of the caller behind a pointer, [`NormalLaw`] or another trait, with its name.
#[derive(Debug)]
pub struct OwnLaw<L: ?Sized = dyn NormalLaw> {
    name: &'static str,
    numbers: Vec<(String, f64)>,
    law: Arc<L>,
}

impl<L: ?Sized> Clone for OwnLaw<L> {
    fn clone(&self) -> Self {
        OwnLaw { name: self.name, numbers: self.numbers.clone(), law: self.law.clone() }
    }
}

impl<L: ?Sized> OwnLaw<L> {
    /// Names a law, and lists the numbers that reports show of it.
    pub fn new(name: &'static str, numbers: Vec<(String, f64)>, law: Arc<L>) -> Self {
        OwnLaw { name, numbers, law }
    }

    /// Name of the law.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Numbers of the law, for reports.
    pub fn numbers(&self) -> &[(String, f64)] {
        &self.numbers
    }

    /// Law behind the pointer.
    pub fn shared(&self) -> &Arc<L> {
        &self.law
    }
}

impl<L: ?Sized> PartialEq for OwnLaw<L> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.law, &other.law)
    }
}
