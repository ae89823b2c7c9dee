//! Laws of contact: forces while sliding, rolling and resting; which mode begins, and what ends it (§2 of the book's
//! design).

use curves::Frame;
use nalgebra::Vector2;
use numbers::{Number, Rounding};

use crate::{Ball, ImpactError, OwnImpact, ParameterError, Range, Restitution, RestitutionFormula};

/// Coulomb friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Coefficient μ of Coulomb's cone: `|f| ≤ μλ`.
    Coefficient(f64),
    /// Coefficients μ_s of the cone of what sticks, `|f| ≤ μ_s λ`, and μ ≤ μ_s of what slides, `|f| = μλ`.
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
    damping: f64,
    resistance: f64,
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

    /// Whether both laws give the same motion in contact. Restitution acts in impacts alone and is not compared.
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

    /// Newton's restitution e (0 … 1); no friction.
    pub fn new(restitution: f64) -> Result<Self, ParameterError> {
        ContactLaw::default().with_restitution(restitution)
    }
    /// Returns the law with another restitution, 0 … 1.
    pub fn with_restitution(mut self, restitution: f64) -> Result<Self, ParameterError> {
        self.restitution = Restitution::Coefficient(ContactLaw::RESTITUTION.check(restitution)?);
        Ok(self)
    }

    /// Takes a formula of the approach speed `v` (m/s) for Newton's restitution.
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

    /// Puts a law of impact in the place of Newton's with friction ([`impact`](crate::impact())).
    pub fn with_impact(self, law: OwnImpact) -> Self {
        ContactLaw { impact: Some(law), ..self }
    }
    /// Law of impact in the place of Newton's.
    #[inline(always)]
    pub fn own_impact(&self) -> Option<&OwnImpact> {
        self.impact.as_ref()
    }
    /// The constant e with which all bounces after a take-off at `rise` m/s last as long as with this law
    /// ([`Restitution::settling`]); 1: bounces can't be summed up and are made one by one.
    pub fn settling<N: Number>(&self, rise: N) -> N {
        let sums = self.impact.as_ref().is_none_or(|law| law.shared().settles());
        if sums { self.restitution.settling(rise) } else { N::constant(1.0) }
    }

    /// Adds friction; μ ≥ 0, and μ_s ≥ μ.
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
    /// Puts the coefficient μ of what slides, ∞ for no limit; static friction stays.
    pub fn with_kinetic_friction(self, sliding: f64) -> Result<Self, ParameterError> {
        let friction = match self.friction {
            Friction::StaticAndKinetic { sticking, .. } => Friction::StaticAndKinetic { sticking, sliding },
            _ if sliding == f64::INFINITY => Friction::Infinite,
            _ => Friction::Coefficient(sliding),
        };
        self.with_friction(friction)
    }
    /// Puts the coefficient μ_s up to which a contact sticks, no less than that of what slides.
    pub fn with_static_friction(self, sticking: f64) -> Result<Self, ParameterError> {
        let sliding = self.sliding_coefficient();
        self.with_friction(Friction::StaticAndKinetic { sticking, sliding })
    }
    /// Adds tangential restitution `e_t` (−1 … 1): −1 lets the slip be, 0 stops it, 1 reverses it.
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
    /// Newton's restitution e of a contact that closes with the speed `approach` (m/s); NaN where a formula leaves 0 …
    /// 1.
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
    /// Refuses an approach speed (m/s) at which there is no law of impact.
    #[inline(always)]
    pub fn check_approach(&self, approach: f64) -> Result<(), ImpactError> {
        self.restitution.check(approach)
    }
    /// Whether e = 0 at the speed `approach` (m/s): a ball that lands with it stays.
    #[inline(always)]
    pub fn is_plastic<N: Number>(&self, approach: N) -> bool {
        N::constant(0.0).at_least(self.restitution(approach)) == Some(true)
    }
    /// Whether e = 1 at the slowest impacts: bounces never end.
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
    /// Friction coefficient μ or its absence.
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
    /// μ_s where it is another number than μ.
    pub fn static_friction(&self) -> Option<f64> {
        match self.friction {
            Friction::StaticAndKinetic { sticking, .. } => Some(sticking),
            Friction::Coefficient(_) | Friction::Infinite => None,
        }
    }
    /// The largest |F·τ|/λ under which a ball that turns stays at rest, `min(μ, c_rr)`: it slips beyond μ, and rolls
    /// beyond c_rr.
    pub fn holds(&self) -> f64 {
        self.resistance.min(self.sticking_coefficient())
    }
    /// The largest friction force (or impulse) by which a contact sticks under a normal one; infinite friction has no
    /// limit.
    #[inline(always)]
    pub fn sticking_limit<N: Number>(&self, normal: N) -> N {
        match self.sticking_coefficient() {
            f64::INFINITY => N::constant(f64::INFINITY),
            mu => normal.max(N::constant(0.0)).scale(mu),
        }
    }
}

/// Mode of motion on the ground.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// The contact point slips in the direction of this sign (of `u`); 0: without friction it does not matter.
    Sliding {
        /// Sign of the slip velocity `u`: −1, 0 or 1.
        sign: f64,
        /// Sign of the spin that rolling resistance brakes; 0: there is no resistance, or it holds the spin at 0.
        spin: f64,
    },
    /// `u = 0`, with rolling resistance against a `v·τ` of this sign; 0: without resistance.
    Rolling {
        /// Sign of `v·τ`: −1, 0 or 1.
        sign: f64,
    },
    /// Rest: nothing moves.
    Resting,
}

/// `λ = m κc v_t² − F·n`, N: `m` in kg, κc in 1/m, `speed = v·τ` in m/s, `across = F·n` in N.
#[inline(always)]
pub fn normal_force<N: Number>(mass: f64, curvature: N, speed: N, across: N) -> N {
    (curvature * speed.square()).scale(mass) - across
}

/// Forces of the ground and what they do, over any number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForces<N = f64> {
    /// Normal force λ, N. Negative: the ground would have to pull.
    pub normal_force: N,
    /// Friction f along τ, N.
    pub friction_force: N,
    /// Acceleration of the centre along τ `v̇_t`, m/s².
    pub acceleration: N,
    /// Acceleration of the spin `ω̇`, rad/s².
    pub spin_acceleration: N,
}

impl<N: Number> ContactForces<N> {
    /// Contact forces and accelerations of §2. `curvature` is κc of the centre path (1/m), `speed` `v·τ` (m/s), `force`
    /// `[F·τ, F·n]` of all forces but the ground's (N).
    ///
    /// ```text
    /// λ = m κc v_t² − F·n,                      I ω̇ = R (f − M),      M = c_rr λ sign(ω);  |M| ≤ c_rr λ, ω̇ = 0 where ω is held
    /// sliding   m v̇_t = F·τ − d v_t + f,        f = −μ λ sign(u)
    /// rolling   (1+k) m v̇_t = F·τ − d v_t − r,  f = −k m v̇_t − r,     r = c_rr λ sign(v_t)
    /// resting   v̇_t = 0,                        f = −F·τ
    /// ```
    #[inline(always)]
    pub fn over(ball: &Ball, contact: &ContactLaw, mode: Mode, curvature: N, speed: N, force: [N; 2]) -> Self {
        let (none, mass) = (N::constant(0.0), ball.mass());
        let [along, across] = force;
        let normal_force = normal_force(mass, curvature, speed, across);
        let drive = along - speed.scale(contact.damping);
        let mut couple = none;
        let (friction_force, acceleration) = match mode {
            Mode::Sliding { sign, spin } => {
                // Where λ < 0 the formula goes on, so that a step across λ = 0 stays smooth; the caller cuts the step
                // there.
                let friction =
                    if sign == 0.0 { none } else { normal_force.scale(-sign * contact.sliding_coefficient()) };
                if spin != 0.0 {
                    couple = normal_force.scale(-spin * contact.resistance);
                } else if contact.resistance > 0.0 {
                    couple = -friction;
                }
                (friction, (drive + friction).scale(1.0 / mass))
            }
            Mode::Rolling { sign: 0.0 } => {
                (drive.scale(-ball.slip_mass() / mass), drive.scale(1.0 / ball.rolling_mass()))
            }
            Mode::Rolling { sign } => {
                couple = normal_force.scale(sign * contact.resistance);
                let drive = drive - couple;
                (drive.scale(-ball.slip_mass() / mass) - couple, drive.scale(1.0 / ball.rolling_mass()))
            }
            Mode::Resting => (-drive, none),
        };
        let spin_acceleration =
            if mode == Mode::Resting { none } else { (friction_force + couple).scale(ball.spin_by(1.0)) };
        ContactForces { normal_force, friction_force, acceleration, spin_acceleration }
    }
}

impl ContactForces {
    /// Contact forces in a frame; `force` (N) is all but the ground's, `speed` is v·τ (m/s).
    #[inline]
    pub fn at(ball: &Ball, contact: &ContactLaw, frame: &Frame, force: Vector2<f64>, speed: f64, mode: Mode) -> Self {
        let force = [force.dot(&frame.tangent), force.dot(&frame.normal)];
        ContactForces::over(ball, contact, mode, frame.curvature, speed, force)
    }
}

impl Mode {
    /// Rolling without rolling resistance.
    pub const ROLLING: Mode = Mode::Rolling { sign: 0.0 };

    /// Sliding without rolling resistance, in the direction of this sign of `u`; 0: without friction.
    pub const fn slides(sign: f64) -> Mode {
        Mode::Sliding { sign, spin: 0.0 }
    }

    /// Whether the ball slides and rolling resistance keeps its spin at 0.
    pub fn spin_is_held(self, contact: &ContactLaw) -> bool {
        matches!(self, Mode::Sliding { spin: 0.0, .. }) && contact.resistance > 0.0
    }

    /// Whether `u = 0` of a ball that turns.
    #[inline(always)]
    pub fn rolls(self) -> bool {
        matches!(self, Mode::Rolling { .. })
    }

    /// Rolling with `speed = v·τ` (m/s), or from rest where a force of `along` N drives it.
    pub fn rolling(contact: &ContactLaw, speed: f64, along: f64) -> Mode {
        let sense = if speed != 0.0 { speed } else { along };
        Mode::Rolling { sign: if contact.resistance == 0.0 { 0.0 } else { sense.signum() } }
    }

    /// The largest |F·τ|/|F| that counts as zero: rounding of the frame.
    pub fn equilibrium(frame: &Frame) -> f64 {
        Rounding::SUM * frame.rounding()
    }

    /// The mode that begins with the slip velocity `slip` (m/s; exactly 0 where the contact sticks) and `speed = v·τ`
    /// (m/s), under a `force` (N) of all but the ground.
    ///
    /// Rest needs `speed`, and the slip or spin that friction brakes, to be exactly 0. No speed counts as small: a ball
    /// comes to rest at the event at which [`Guard::Slip`] or [`Guard::Turn`] is zero, and that velocity is 0 from
    /// there.
    pub fn begin(ball: &Ball, contact: &ContactLaw, frame: &Frame, force: Vector2<f64>, speed: f64, slip: f64) -> Mode {
        let along = force.dot(&frame.tangent);
        let resists = contact.holds() * -force.dot(&frame.normal);
        let stands = speed == 0.0 && (slip == 0.0 || contact.resistance == 0.0);
        let still = stands && along.abs() <= resists.max(Mode::equilibrium(frame) * force.norm());
        let slides = |held| Mode::sliding(ball, contact, speed, slip, held);
        if contact.is_smooth() {
            return if still { Mode::Resting } else { slides(0.0) };
        }
        if slip != 0.0 {
            return slides(0.0);
        }
        let sticking = if ball.turns() && !still { Mode::rolling(contact, speed, along) } else { Mode::Resting };
        let held = ContactForces::at(ball, contact, frame, force, speed, sticking);
        let holds = held.friction_force.abs() <= contact.sticking_limit(held.normal_force);
        if holds { sticking } else { slides(held.friction_force) }
    }

    /// The mode of a ball that lies still and is no longer held: it rolls if friction can, else it slides.
    pub fn driven(ball: &Ball, contact: &ContactLaw, frame: &Frame, force: Vector2<f64>) -> Mode {
        let as_in = |mode| ContactForces::at(ball, contact, frame, force, 0.0, mode);
        let mode = Mode::rolling(contact, 0.0, force.dot(&frame.tangent));
        let rolling = as_in(mode);
        let rolls = rolling.friction_force.abs() <= contact.sticking_limit(rolling.normal_force);
        if ball.turns() && rolls && !contact.is_smooth() {
            return mode;
        }
        Mode::sliding(ball, contact, 0.0, 0.0, as_in(Mode::Resting).friction_force)
    }

    /// Sliding with `speed = v·τ` in the direction of the `slip` velocity (m/s). Where `slip` is still 0, it begins
    /// against `held`, the friction (N) that would have held the contact point. A spin of 0 stays 0 where rolling
    /// resistance is no less than friction, and grows against the slip where it is less.
    pub fn sliding(ball: &Ball, contact: &ContactLaw, speed: f64, slip: f64, held: f64) -> Mode {
        let mu = contact.sliding_coefficient();
        let sign = if contact.is_smooth() {
            0.0
        } else if slip != 0.0 {
            slip.signum()
        } else {
            -held.signum()
        };
        let spin = match slip - speed {
            _ if contact.resistance == 0.0 || !ball.turns() => 0.0,
            0.0 if mu > contact.resistance => -sign,
            0.0 => 0.0,
            rim => rim.signum(),
        };
        Mode::Sliding { sign, spin }
    }
}

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
