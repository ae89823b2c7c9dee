//! How does a caller's scheme for the constrained equations (DAE), with its own multiplier, become a contact method?
//!
//! ```text
//! q̇ = v,   M v̇ = F(t,q,v) + w(q) λ̂      index 3: g(q) = 0    2: n·v = 0    1: n·v̇ = κ (v·τ)²
//! ```
//!
//! in `q = (x, y, angle)`, with the gap g, the direction w of the multiplier's force, and one mass M for all three: the
//! mass that contact accelerates, `m` sliding and `(1+k) m` rolling.
//!
//! λ̂ is the force that keeps a mass M on the ground. In sliding M = m, and λ̂ is the normal force λ. In rolling
//! `M n·v̇ = F·n + λ̂` and `m n·v̇ = F·n + λ` give `λ = λ̂ − k m n·v̇`. [`ByMultiplier`] converts one to the other by
//! the acceleration, which is common to both.

use std::cell::Cell;

use curves::{Frame, Place};
use mechanics::normal_force;
use nalgebra::Vector3;
use newmark::{Control, SchemeError};
use numbers::Rounding;

use crate::{ContactCount, ContactScheme, ContactState, ContactSystem, Stepped, foot};

/// One-step scheme for the constrained equations, with a multiplier of its own, from which outputs take λ.
///
/// Its fields are its memory from step to step; a repeated step begins with the memory of the first try.
///
/// ```
/// use newmark::SchemeError;
/// use rolling::{DaeScheme, DaeState, DaeSystem};
///
/// /// Euler's method of index 1: the ball drifts off, and is put back.
/// #[derive(Clone)]
/// struct Euler;
///
/// impl DaeScheme for Euler {
///     fn order(&self) -> u32 {
///         1
///     }
///     fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
///         let here = dae.at(start.time, start.q, start.v)?;
///         let a = dae.acceleration(&here, start.multiplier);
///         let (q, v) = (start.q + h * start.v, start.v + h * a);
///         let multiplier = dae.at(start.time + h, q, v)?.index1(dae.mass(), v);
///         Ok(DaeState { time: start.time + h, q, v, multiplier })
///     }
/// }
/// ```
pub trait DaeScheme {
    /// Order p: halving the step makes the error of q and v after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// State `h` seconds after `start`. A q off the ground is projected onto it along n, which is counted; v is kept.
    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError>;

    /// Forgets earlier steps: motion begins anew, as after events, with n·v = 0 and the multiplier of index 1.
    fn restart(&mut self) {}

    /// Makes a contact method of the scheme, with fixed steps or a tolerance.
    fn stepped(self, control: Control) -> Stepped<ByMultiplier<Self>>
    where
        Self: Clone,
    {
        Stepped::new(ByMultiplier { scheme: self, count: ContactCount::default() }, control)
    }
}

/// State of the constrained equations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DaeState {
    /// Time, s.
    pub time: f64,
    /// x, y (m) of the centre and angle (rad).
    pub q: Vector3<f64>,
    /// Rates of q.
    pub v: Vector3<f64>,
    /// Multiplier λ̂, N: the force that keeps the mass M on the ground, see [`DaeSystem::mass`].
    pub multiplier: f64,
}

/// Terms of the constrained equations at a time, place and velocity; for the angle, its acceleration times M.
#[derive(Clone, Copy, Debug)]
pub struct DaeTerms {
    /// Applied force F, less damping.
    pub force: Vector3<f64>,
    /// Direction w of the multiplier's force: n; in sliding n − μ sign(u) τ, in rolling n − c_rr sign(v·τ) τ.
    pub push: Vector3<f64>,
    /// Signed distance g of the centre from its path on the ground, m: negative below.
    pub gap: f64,
    /// Gradient n of the gap; `w·n = 1`.
    pub normal: Vector3<f64>,
    /// Direction τ along the ground; `∂n/∂q = −κ τ τᵀ` and `∂τ/∂q = κ n τᵀ`.
    pub tangent: Vector3<f64>,
    /// Curvature κ of the curve of constant gap through q, 1/m: `g̈ = n·v̇ − κ (v·τ)²`.
    pub curvature: f64,
}

impl DaeTerms {
    /// Multiplier of index 1 for a mass (kg), N: that for which `g̈ = 0` at velocity v.
    pub fn index1(&self, mass: f64, v: Vector3<f64>) -> f64 {
        normal_force(mass, self.curvature, v.dot(&self.tangent), self.force.dot(&self.normal))
    }
}

/// Constrained equations of a ball over a step; counts evaluations of the ground.
#[derive(Debug)]
pub struct DaeSystem<'a> {
    system: &'a ContactSystem<'a>,
    rounding: Rounding,
    /// Last place asked for: the next one is near.
    near: Cell<(Place, Frame)>,
    frames: Cell<u64>,
}

impl<'a> DaeSystem<'a> {
    fn new(system: &'a ContactSystem<'a>, start: &ContactState, h: f64) -> Self {
        let rounding = start.rounding(system, h.abs());
        DaeSystem { system, rounding, near: Cell::new((start.place, start.frame)), frames: Cell::new(0) }
    }

    /// Mass M of all three coordinates, kg: m in sliding; (1+k) m in rolling, since the spin goes with the centre.
    pub fn mass(&self) -> f64 {
        self.system.mass()
    }

    /// Size of a change of v or of an acceleration: that of the centre or, if larger, of the rim.
    pub fn size(&self, change: &Vector3<f64>) -> f64 {
        change.xy().norm().max(self.system.ball.radius() * change.z.abs())
    }

    /// Whether an iteration that moved q by `change` m has converged: the change is rounding of the step's numbers; or
    /// it is rounding of the ground's formula, and no smaller than the `last` one.
    pub fn settles(&self, change: f64, last: &mut f64) -> bool {
        let before = std::mem::replace(last, change);
        let evaluated = || self.rounding.length + self.system.ground.rounding(self.near.get().0);
        Rounding::vanishes(change, self.rounding.length) || change >= before && Rounding::vanishes(change, evaluated())
    }

    /// Acceleration `(F + w λ̂)/M` of all three coordinates.
    pub fn acceleration(&self, terms: &DaeTerms, multiplier: f64) -> Vector3<f64> {
        (terms.force + multiplier * terms.push) / self.mass()
    }

    /// Terms of the equations at q, which need not be on the ground.
    pub fn at(&self, time: f64, q: Vector3<f64>, v: Vector3<f64>) -> Result<DaeTerms, SchemeError> {
        let (place, frame) = self.near.get();
        let undefined = SchemeError { reason: "the ground is undefined beside the centre at x, in m", value: q.x };
        let foot = foot(self.system.ground, place, frame, q.xy()).ok_or(undefined)?;
        self.near.set((foot.place, foot.frame));
        self.frames.set(self.frames.get() + foot.evaluations);
        Ok(self.terms(time, &foot.frame, q, v))
    }

    /// Terms of the equations at q, whose foot on the ground is known.
    fn terms(&self, time: f64, foot: &Frame, q: Vector3<f64>, v: Vector3<f64>) -> DaeTerms {
        let (system, ball) = (self.system, self.system.ball);
        let gap = (q.xy() - foot.position).dot(&foot.normal);
        let curvature = foot.curvature / (1.0 - foot.curvature * gap);
        let applied = system.applied(time, &Frame { position: q.xy(), ..*foot }, v.xy(), v.z);
        let mut force = applied - system.contact.rolling_damping() * v.xy();
        let mut push = foot.normal - system.drag() * foot.tangent;
        let mut twist = [0.0, self.mass() * ball.spin_by(system.twist())];
        if system.mode.rolls() {
            // Rolling resistance depends on the true λ = λ̂ − k m κ (v·τ)², with ω = −v·τ/R.
            let (resists, held) = (system.resistance(), self.mass() - ball.mass());
            let speed = v.xy().dot(&foot.tangent);
            force += resists * held * curvature * speed * speed * foot.tangent;
            push -= resists * foot.tangent;
            let spins = if ball.turns() { -1.0 / ball.radius() } else { 0.0 };
            twist = [force, push].map(|part| spins * part.dot(&foot.tangent));
        }
        DaeTerms {
            force: force.push(twist[0]),
            push: push.push(twist[1]),
            gap,
            normal: foot.normal.push(0.0),
            tangent: foot.tangent.push(0.0),
            curvature,
        }
    }
}

/// [`ContactScheme`] of a [`DaeScheme`]: converts states of the ball on the ground to those of the scheme, and back.
#[derive(Clone, Debug)]
pub struct ByMultiplier<S> {
    scheme: S,
    count: ContactCount,
}

impl<S: DaeScheme> ContactScheme for ByMultiplier<S> {
    fn order(&self) -> u32 {
        self.scheme.order()
    }

    fn carries(&self) -> bool {
        true
    }

    fn restart(&mut self) {
        self.scheme.restart();
    }

    fn worked(&mut self) -> ContactCount {
        std::mem::take(&mut self.count)
    }

    fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, SchemeError> {
        let dae = DaeSystem::new(system, start, h);
        let (q, v) = (start.frame.position.push(start.angle), start.velocity().push(start.spin));
        let force = dae.terms(start.time, &start.frame, q, v).force;
        let multiplier = dae.mass() * start.acceleration.dot(&start.frame.normal) - force.xy().dot(&start.frame.normal);
        let made = self.scheme.step(&dae, &DaeState { time: start.time, q, v, multiplier }, h);
        let end = made.and_then(|made| self.ball(&dae, start, DaeState { time: start.time + h, ..made }));
        self.count.frames += dae.frames.get();
        end
    }
}

impl<S> ByMultiplier<S> {
    /// The ball on the ground, with the acceleration that λ̂ gives.
    fn ball(&mut self, dae: &DaeSystem, start: &ContactState, made: DaeState) -> Result<ContactState, SchemeError> {
        let (system, DaeState { time, q, v, multiplier }) = (dae.system, made);
        if !(v.sum() + multiplier).is_finite() {
            return Err(SchemeError {
                reason: "its velocity or its multiplier is not finite; the latter, in N",
                value: multiplier,
            });
        }
        let terms = dae.at(time, q, v)?;
        let (place, frame) = dae.near.get();
        if !dae.settles(terms.gap.abs(), &mut 0.0) {
            self.count.projections += 1;
            self.count.largest_projection = self.count.largest_projection.max(terms.gap.abs());
        }
        let (speed, across) = (v.xy().dot(&frame.tangent), v.xy().dot(&frame.normal));
        let unit = dae.rounding.velocity + f64::EPSILON * speed.abs();
        let mut end = ContactState {
            time,
            place,
            frame,
            speed,
            normal_speed: if Rounding::vanishes(across, unit) { 0.0 } else { across },
            spin: system.spin(speed, v.z),
            angle: q.z,
            acceleration: dae.acceleration(&terms, multiplier).xy(),
            ..*start
        };
        system.relabel_forces(&mut end);
        Ok(end)
    }
}
