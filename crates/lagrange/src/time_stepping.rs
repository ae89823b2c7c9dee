//! Moreau's θ-scheme for a Lagrangian system, which fills the step of `moreau`. It is algorithm 1 of the template of a
//! Lagrangian nonsmooth dynamical system (Acary, INRIA), with nonlinear terms by Newton's method.
//!
//! ```text
//! W⁻¹ = M + hθC + h²θ²K                                               iteration matrix
//! v_free = v₀ + W (−hCv₀ − hKq₀ − h²θKv₀ + h(θF_ext(t₁) + (1−θ)F_ext(t₀)))
//! y(q₀ + h/2 v₀, t₀ + h/2) ≤ 0:   0 ≤ ẏ₁ + e ẏ₀ ⟂ P ≥ 0               one-step LCP, Delassus operator HᵀWH
//! v₁ = v_free + W H P,   q₁ = q₀ + h(θv₁ + (1−θ)v₀)
//! ```
//!
//! Gradients that are not constant are those at `q₀ + (3/2 − θ) h v₀` ([`Stride::ahead`]).
//!
//! P is the impulse of the step, `hλ` of the template. A nonlinear system obeys, with `G = Q + F − F_ext`,
//! `M(q₀+θ(q₁−q₀))(v₁−v₀) + h(θG₁ + (1−θ)G₀) = H P`. It is linearised anew in each iteration, and the LCP is solved for
//! each linearisation. Order 2 for θ = 1/2 where nothing touches, else order 1.

use faer::Mat;
use mechanics::ParameterError;
use moreau::StepError::{Newton, NotFinite, Singular};
use moreau::{Closed, Energy, Mechanism, Stage, Stride};

use crate::matrix_checks_and_factors::{Factor, MassCheck, MatrixView, Unsolvable, multiply_add};
use crate::system::{At, Derivatives, System, check_law, inner_force};
use crate::unilateral_constraints::Relations;
use crate::{InputError, StepError};

/// Parameters of the scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// h in s (> 0).
    pub step: f64,
    /// θ, 1/2 … 1. 1/2 conserves energy (of a linear system, to rounding); 1 damps the smooth motion most. With θ > 1/2
    /// each impact adds energy: `m g h w (1+e)(θ − 1/2)` (J) under a weight mg and at speed w.
    pub theta: f64,
    /// Tolerance of Newton's method: last change of the velocity relative to the largest velocity (> 0).
    pub tolerance: f64,
    /// Iterations of Newton's method before a step fails (≥ 1).
    pub iterations: usize,
}

impl Settings {
    /// θ = 1/2; Newton's method to 1e-12 in at most 30 iterations.
    pub fn new(step: f64) -> Self {
        Settings { step, theta: 0.5, tolerance: 1e-12, iterations: 30 }
    }

    fn check(&self) -> Result<(), InputError> {
        Stride::check(self.step, self.theta)?;
        let tolerance = self.tolerance;
        ParameterError::check("tolerance", tolerance, tolerance > 0.0 && tolerance.is_finite(), "positive and finite")?;
        ParameterError::check("iterations", self.iterations as f64, self.iterations >= 1, "at least 1")?;
        Ok(())
    }
}

/// Start of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Time t₀, s.
    pub time: f64,
    /// Coordinates q₀.
    pub position: Vec<f64>,
    /// Velocities q̇₀.
    pub velocity: Vec<f64>,
}

/// Work of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Relations predicted to be closed.
    pub active: usize,
    /// Iterations of Newton's method; 1 where M, C and K are constant.
    pub newton: usize,
    /// Pivots of the LCP solver, all iterations together; 0 for the closed form of one relation.
    pub lcp: usize,
}

/// The scheme for one system and one step size. A step that fails changes nothing.
pub struct Theta<S> {
    system: S,
    settings: Settings,
    start: f64,
    index: u64,
    now: PlaceAndVelocity,
    next: PlaceAndVelocity,
    /// `v_free`: velocity at the end of the step without contacts.
    free: Vec<f64>,
    relations: Relations,
    factor: Factor,
    constant: Option<Terms>,
    work: Workspace,
    /// Sums of the energy ledger; stored energy is computed from the state when asked for.
    sums: Energy,
}

/// Flags of constant matrices that are not zero.
#[derive(Clone, Copy, Debug)]
struct Terms {
    damping: bool,
    stiffness: bool,
}

#[derive(Clone, Debug)]
struct PlaceAndVelocity {
    position: Vec<f64>,
    velocity: Vec<f64>,
}

struct Workspace {
    /// `F_ext(t₀)`, `F_ext(t₁)`.
    external: [Vec<f64>; 2],
    /// `C v₀`, `C v₁`, where C is constant.
    damped: [Vec<f64>; 2],
    /// `Q + F` at t₀.
    before: Vec<f64>,
    /// Place between the ends of the step, at which relations, M or dissipation are evaluated.
    middle: Vec<f64>,
    /// In turn: `q₀ + hθv₀`, a mean acceleration or velocity of the step, the velocity of the last Newton iteration.
    blend: Vec<f64>,
    right: Vec<f64>,
    term: Vec<f64>,
    mass: Mat<f64>,
    stiffness: Mat<f64>,
    damping: Mat<f64>,
    mass_check: MassCheck,
    scratch: [Vec<f64>; 3],
}

impl Workspace {
    fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        let matrix = || Mat::zeros(n, n);
        Workspace {
            external: [zeros(), zeros()],
            damped: [zeros(), zeros()],
            before: zeros(),
            middle: zeros(),
            blend: zeros(),
            right: zeros(),
            term: zeros(),
            mass: matrix(),
            stiffness: matrix(),
            damping: matrix(),
            mass_check: MassCheck::new(n),
            scratch: [zeros(), zeros(), zeros()],
        }
    }
}

/// Checks the matrices, and factorises the iteration matrix if it is constant; else allocates it.
fn factor(system: &impl System, settings: Settings, start: &Start, work: &mut Workspace) -> Result<Factor, InputError> {
    let n = system.size();
    let (h, theta) = (settings.step, settings.theta);
    match system.constant() {
        Some(constant) => {
            constant.mass.check_mass(n)?;
            constant.damping.check("C", (n, n))?;
            constant.stiffness.check("K", (n, n))?;
            let (c, k) = (h * theta, h * h * theta * theta);
            let terms = [(1.0, constant.mass), (c, constant.damping), (k, constant.stiffness)];
            Factor::sum(n, &terms).map_err(|_| InputError::Iteration { step: h })
        }
        None => {
            system.mass(&start.position, work.mass.as_mut());
            MatrixView::Dense(work.mass.as_ref()).check_mass(n)?;
            Ok(Factor::dense(n))
        }
    }
}

impl<S: System> Theta<S> {
    /// Creates the scheme, and checks everything that can be checked before the first step. LCPs of several relations
    /// are solved by Lemke's method; one relation has a closed form.
    pub fn new(system: S, settings: Settings, start: Start) -> Result<Self, InputError> {
        settings.check()?;
        let (n, finite) = (system.size(), InputError::finite);
        for (field, values) in [("q", &start.position), ("v", &start.velocity)] {
            lcp::Failure::size(field, (values.len(), 1), (n, 1))?;
            finite(field, values)?;
        }
        finite("t", &[start.time])?;
        let advances = start.time + settings.step > start.time;
        ParameterError::check("step", settings.step, advances, "large enough to change the start time")?;
        let laws = system.laws().to_vec();
        laws.iter().enumerate().try_for_each(|(relation, law)| check_law(relation, law))?;
        let mut work = Workspace::new(n);
        let mut factor = factor(&system, settings, &start, &mut work)?;
        let constant = system.constant().map(|constant| {
            constant.damping.multiply_add(1.0, &start.velocity, &mut work.damped[0]);
            Terms { damping: !constant.damping.is_zero(), stiffness: !constant.stiffness.is_zero() }
        });
        system.external_force(start.time, &mut work.external[0]);
        finite("F_ext", &work.external[0])?;
        let at = At { time: start.time, position: &start.position, velocity: &start.velocity };
        system.internal_force(at, &mut work.term);
        finite("F", &work.term)?;
        system.inertia_force(at.position, at.velocity, &mut work.right);
        finite("Q", &work.right)?;
        finite("dissipation", &[system.dissipation(at)])?;
        let mut relations = Relations::new(&system, laws, constant.is_some());
        relations.check_start(&system, start.time, &start.position)?;
        if relations.constant {
            relations.solve_columns(&mut factor, true);
        }
        let now = PlaceAndVelocity { position: start.position, velocity: start.velocity };
        let mut scheme = Theta {
            system,
            settings,
            start: start.time,
            index: 0,
            next: now.clone(),
            now,
            free: vec![0.0; n],
            relations,
            factor,
            constant,
            work,
            sums: Energy::default(),
        };
        let (kinetic, potential) = scheme.stored();
        finite("energy", &[kinetic, potential])?;
        scheme.sums = Energy::starting(kinetic, potential);
        Ok(scheme)
    }

    /// The system.
    pub fn system(&self) -> &S {
        &self.system
    }
    /// Number of steps made.
    pub fn index(&self) -> u64 {
        self.index
    }
    /// Time, s; `t₀ + index·h`, a product.
    pub fn time(&self) -> f64 {
        self.start + self.index as f64 * self.settings.step
    }
    /// Coordinates q.
    pub fn position(&self) -> &[f64] {
        &self.now.position
    }
    /// Velocities q̇.
    pub fn velocity(&self) -> &[f64] {
        &self.now.velocity
    }
    /// Normal impulse P of each relation in the last step; 0 where it was open.
    pub fn normal_impulses(&self) -> &[f64] {
        &self.relations.impulses[0]
    }
    /// Tangential impulse of each relation in the last step; 0 where it was open.
    pub fn tangential_impulses(&self) -> &[f64] {
        &self.relations.impulses[1]
    }
    /// Mean normal force `P/h` of a relation over the last step.
    pub fn mean_force(&self, relation: usize) -> f64 {
        self.normal_impulses().get(relation).map_or(0.0, |impulse| impulse / self.settings.step)
    }
    /// The energy ledger so far. Works are sums over the steps; stored energy, `½q̇ᵀMq̇` and the potential, is computed
    /// from the state and not carried along, so that `numerical` shows all errors.
    pub fn energy(&self) -> Energy {
        let (kinetic, potential) = self.stored();
        Energy { kinetic, potential, ..self.sums }
    }

    /// Makes one step.
    pub fn step(&mut self) -> Result<Step, StepError> {
        // Specialised for one, two and three unknowns, where loop counting costs more than the sums.
        match self.free.len() {
            1 => self.step_of(1),
            2 => self.step_of(2),
            3 => self.step_of(3),
            n => self.step_of(n),
        }
    }

    #[inline(always)]
    fn step_of(&mut self, n: usize) -> Result<Step, StepError> {
        let Settings { step, theta, .. } = self.settings;
        let at = Stride { time: self.time(), step, theta, prediction: 0.5 };
        let after = self.start + (self.index + 1) as f64 * step;
        let mut stepped = SystemStep { scheme: self, n, after, taken: Step::default() };
        let made = moreau::step(&mut stepped, at);
        let taken = stepped.taken;
        if self.constant.is_none()
            && !matches!(made, Err(StepError::Scheme(NotFinite { .. }) | StepError::Relation { .. }))
        {
            // This error goes before others, which an invalid M may have caused.
            self.check_mass(at.time)?;
        }
        made?;
        let work = self.work_done(n, at.time);
        // A force or velocity that is not finite makes the next place so; only that is checked. 0·x is 0 or NaN.
        if self.next.position[..n].iter().chain(&work).fold(0.0, |sum, x| sum + 0.0 * x) != 0.0 {
            let what = "the work";
            return Err(self.not_finite(at.time, after).unwrap_or(NotFinite { what, time: at.time }.into()));
        }
        self.now.position[..n].copy_from_slice(&self.next.position[..n]);
        self.now.velocity[..n].copy_from_slice(&self.next.velocity[..n]);
        let [before, after] = &mut self.work.external;
        before[..n].copy_from_slice(&after[..n]);
        if self.constant.is_some_and(|terms| terms.damping) {
            self.work.damped.swap(0, 1);
        }
        self.relations.commit();
        self.index += 1;
        self.sums.book(work);
        Ok(Step { active: self.relations.closed.len(), ..taken })
    }

    /// `v_free` where M, C and K are constant.
    #[inline(always)]
    fn fly_constant(&mut self, n: usize, terms: Terms) {
        let Settings { step: h, theta, .. } = self.settings;
        let (q, v) = (&self.now.position[..n], &self.now.velocity[..n]);
        let Workspace { external: [before, after], damped: [damped, _], blend, .. } = &mut self.work;
        let (before, after, damped, blend) = (&before[..n], &after[..n], &damped[..n], &mut blend[..n]);
        let free = &mut self.free[..n];
        for i in 0..n {
            free[i] = h * (theta * after[i] + (1.0 - theta) * before[i] - damped[i]);
            blend[i] = q[i] + h * theta * v[i];
        }
        if terms.stiffness
            && let Some(constant) = self.system.constant()
        {
            constant.stiffness.multiply_add(-h, blend, free);
        }
        self.factor.solve(free);
        for i in 0..n {
            free[i] += v[i];
        }
        if !self.relations.constant {
            self.relations.solve_columns(&mut self.factor, false);
        }
    }

    /// External, normal and tangential work and dissipation of the step, J, by the scheme's own quadrature rule; other
    /// changes of the energy are [`Energy::numerical`].
    #[inline(always)]
    fn work_done(&mut self, n: usize, time: f64) -> [f64; 4] {
        let Settings { step: h, theta, .. } = self.settings;
        let mix = |before: f64, after: f64| theta * after + (1.0 - theta) * before;
        let (q, q1) = (&self.now.position, &self.next.position);
        let (v, v1) = (&self.now.velocity[..n], &self.next.velocity[..n]);
        let Workspace { external, damped, blend, middle, .. } = &mut self.work;
        let external = power(theta, [v, v1], external);
        let dissipated = match self.constant {
            Some(Terms { damping: false, .. }) => 0.0,
            Some(_) => power(theta, [v, v1], damped),
            None => {
                for i in 0..n {
                    middle[i] = mix(q[i], q1[i]);
                    blend[i] = mix(v[i], v1[i]);
                }
                self.system.dissipation(At { time: time + theta * h, position: middle, velocity: blend })
            }
        };
        let [normal, tangential] = self.relations.work();
        [h * external, normal, tangential, h * dissipated]
    }

    /// `q₁ = q₀ + h(θv₁ + (1−θ)v₀)`
    #[inline(always)]
    fn move_on(&mut self, n: usize) {
        let Settings { step: h, theta, .. } = self.settings;
        let (q, v) = (&self.now.position[..n], &self.now.velocity[..n]);
        let (q1, v1) = (&mut self.next.position[..n], &self.next.velocity[..n]);
        for i in 0..n {
            q1[i] = q[i] + h * (theta * v1[i] + (1.0 - theta) * v[i]);
        }
    }

    /// Kinetic and potential energy now, J.
    fn stored(&self) -> (f64, f64) {
        let PlaceAndVelocity { position, velocity } = &self.now;
        let double = match self.system.constant() {
            Some(constant) => constant.mass.quadratic(velocity),
            None => {
                let mut mass = Mat::zeros(position.len(), position.len());
                self.system.mass(position, mass.as_mut());
                MatrixView::Dense(mass.as_ref()).quadratic(velocity)
            }
        };
        (0.5 * double, self.system.potential(position))
    }
}

/// A system in a step that ends at `after` (s).
struct SystemStep<'a, S> {
    scheme: &'a mut Theta<S>,
    n: usize,
    after: f64,
    taken: Step,
}

impl<S: System> Mechanism for SystemStep<'_, S> {
    type Failure = StepError;

    #[inline(always)]
    fn close(&mut self, at: Stride) -> Result<(), StepError> {
        let (n, time) = (self.n, at.time);
        let Theta { system, now, relations, work, .. } = &mut *self.scheme;
        let force = &mut work.external[1][..n];
        force.fill(0.0);
        system.external_force(self.after, force);
        let prediction = at.prediction * at.step;
        now.ahead(n, prediction, &mut work.middle);
        if let Err(relation) = relations.predict(system, time + prediction, &work.middle[..n]) {
            return Err(StepError::Relation { relation, field: "y", value: f64::NAN, time });
        }
        if !relations.constant {
            if at.theta < 1.0 {
                now.ahead(n, at.ahead(), &mut work.middle);
                relations.look_further(system, time + at.ahead(), &work.middle[..n]);
            }
            if let Some(relation) = relations.without_gradient() {
                return Err(StepError::NoGradient { relation, time });
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn fly(&mut self, at: Stride) -> Result<(), StepError> {
        self.taken.newton = 1;
        match self.scheme.constant {
            Some(terms) => self.scheme.fly_constant(self.n, terms),
            None => self.scheme.fly(at, self.after)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn closed(&mut self) -> &mut [Closed] {
        &mut self.scheme.relations.closed
    }

    #[inline(always)]
    fn velocity(&self, contact: usize, stage: Stage) -> [f64; 2] {
        let Theta { now, next, free, relations, .. } = &*self.scheme;
        let velocity = match stage {
            Stage::Before => &now.velocity,
            Stage::Free => free,
            Stage::After => &next.velocity,
        };
        relations.velocity(contact, &velocity[..self.n])
    }

    #[inline(always)]
    fn solve(&mut self, at: Stride) -> Result<(), StepError> {
        let time = at.time;
        self.taken.lcp += self.scheme.relations.solve().map_err(|source| {
            let what = self.scheme.relations.not_finite(time).or_else(|| self.scheme.not_finite(time, self.after));
            what.unwrap_or(moreau::StepError::Contacts { time, source }.into())
        })?;
        Ok(())
    }

    #[inline(always)]
    fn land(&mut self, at: Stride) -> Result<bool, StepError> {
        let n = self.n;
        let Theta { relations, free, next, system, work, constant, .. } = &mut *self.scheme;
        relations.apply(&free[..n], &mut next.velocity[..n]);
        let damps = constant.is_some_and(|terms| terms.damping);
        if damps && let Some(constant) = system.constant() {
            let damped = &mut work.damped[1][..n];
            damped.fill(0.0);
            constant.damping.multiply_add(1.0, &next.velocity[..n], damped);
        }
        let again = constant.is_none() && self.scheme.goes_on(at, self.after, &mut self.taken.newton)?;
        self.scheme.move_on(n);
        Ok(again)
    }
}

impl PlaceAndVelocity {
    /// `q₀ + a v₀`
    #[inline(always)]
    fn ahead(&self, n: usize, a: f64, into: &mut [f64]) {
        let (into, q, v) = (&mut into[..n], &self.position[..n], &self.velocity[..n]);
        for i in 0..n {
            into[i] = q[i] + a * v[i];
        }
    }
}

/// `v_θᵀf_θ` with `x_θ = θx₁ + (1−θ)x₀`.
#[inline(always)]
fn power(theta: f64, [v, v1]: [&[f64]; 2], [before, after]: &[Vec<f64>; 2]) -> f64 {
    let n = v.len();
    let (v1, before, after) = (&v1[..n], &before[..n], &after[..n]);
    let mut sum = 0.0;
    for i in 0..n {
        sum += (theta * v1[i] + (1.0 - theta) * v[i]) * (theta * after[i] + (1.0 - theta) * before[i]);
    }
    sum
}

/// Whether all values are finite.
fn are_finite(values: &[f64]) -> bool {
    values.iter().all(|x| x.is_finite())
}

impl<S: System> Theta<S> {
    /// Checks the last evaluated M, between the ends of the step.
    #[inline(never)]
    pub(crate) fn check_mass(&mut self, time: f64) -> Result<(), StepError> {
        let Workspace { mass, mass_check, .. } = &mut self.work;
        mass_check.check(mass.as_ref()).map_err(|source| StepError::Mass { time, source })
    }

    /// Computes `v_free` of the first linearisation.
    #[inline(never)]
    pub(crate) fn fly(&mut self, at: Stride, after: f64) -> Result<(), StepError> {
        self.internal(at.time, false);
        self.work.before.copy_from_slice(&self.work.right);
        self.next.velocity.copy_from_slice(&self.now.velocity);
        self.move_on(self.free.len());
        self.linearise(at, after, 1)
    }

    /// Linearises anew, for iteration `newton` + 1, and returns true, unless the last change of the velocity is within
    /// the tolerance.
    #[inline(never)]
    pub(crate) fn goes_on(&mut self, at: Stride, after: f64, newton: &mut usize) -> Result<bool, StepError> {
        let Settings { tolerance, iterations, .. } = self.settings;
        let time = at.time;
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        // At rest the scale is the free velocity, h times an acceleration.
        let scale = largest(&self.next.velocity).max(largest(&self.now.velocity)).max(largest(&self.free));
        let mut change = 0.0_f64;
        for (new, old) in self.next.velocity.iter().zip(&self.work.blend) {
            let part = (new - old).abs();
            change = if part.is_nan() { part } else { part.max(change) };
        }
        if !change.is_finite() {
            return Err(NotFinite { what: "the velocity", time }.into());
        }
        if change <= tolerance * scale {
            return Ok(false);
        }
        if *newton == iterations {
            return Err(Newton { time, change, tolerance, iterations }.into());
        }
        *newton += 1;
        self.move_on(self.free.len());
        self.linearise(at, after, *newton)?;
        Ok(true)
    }

    /// Computes `v_free` and `WH` by the terms at the last iterate of the step's end.
    fn linearise(&mut self, at: Stride, after: f64, iteration: usize) -> Result<(), StepError> {
        let Stride { time, step: h, theta, .. } = at;
        let n = self.free.len();
        self.internal(after, true);
        let work = &mut self.work;
        for i in 0..n {
            work.middle[i] = self.now.position[i] + theta * (self.next.position[i] - self.now.position[i]);
            work.blend[i] = (self.next.velocity[i] - self.now.velocity[i]) / h;
            let after = work.external[1][i] - work.right[i];
            let before = work.external[0][i] - work.before[i];
            work.right[i] = h * (theta * after + (1.0 - theta) * before);
        }
        // 0·x is 0 or NaN.
        if work.right.iter().fold(0.0, |sum, x| sum + 0.0 * x) != 0.0 {
            let what = "the sum of the forces";
            return Err(self.not_finite(time, after).unwrap_or(NotFinite { what, time }.into()));
        }
        self.factorise(at, after, iteration)?;
        self.free.copy_from_slice(&self.work.right);
        self.factor.solve(&mut self.free);
        for i in 0..n {
            self.free[i] += self.next.velocity[i];
            self.work.blend[i] = self.next.velocity[i];
        }
        self.relations.solve_columns(&mut self.factor, false);
        Ok(())
    }

    /// Factorises the Jacobian `M + hθC + h²θ²K`, with ∂(M a)/∂q in K, and takes `M (v₁ − v₀)` off the right side.
    fn factorise(&mut self, at: Stride, after: f64, iteration: usize) -> Result<(), StepError> {
        let Stride { time, step: h, theta, .. } = at;
        let work = &mut self.work;
        work.mass.fill(0.0);
        work.stiffness.fill(0.0);
        work.damping.fill(0.0);
        let [first, second, third] = &mut work.scratch;
        let mut into = Derivatives {
            stiffness: work.stiffness.as_mut(),
            damping: work.damping.as_mut(),
            mass: work.mass.as_mut(),
            scratch: [first, second, third],
        };
        let end = At { time: after, position: &self.next.position, velocity: &self.next.velocity };
        self.system.derivatives(end, &work.blend, &mut into);
        work.mass.fill(0.0);
        self.system.mass(&work.middle, work.mass.as_mut());
        for (term, (before, after)) in work.term.iter_mut().zip(self.now.velocity.iter().zip(&self.next.velocity)) {
            *term = before - after;
        }
        multiply_add(work.mass.as_ref(), 1.0, &work.term, &mut work.right);
        let (mass, damping, stiffness) = (&work.mass, &work.damping, &work.stiffness);
        let fill = |into: &mut Mat<f64>| {
            faer::zip!(into, mass, damping, stiffness).for_each(|faer::unzip!(into, m, c, k)| {
                *into = *m + h * theta * (*c + h * theta * *k);
            });
        };
        match self.factor.factorise(fill) {
            Ok(()) => Ok(()),
            Err(Unsolvable::Singular) => Err(Singular { time, iteration }.into()),
            Err(Unsolvable::NotFinite) => {
                self.check_mass(time)?;
                Err(NotFinite { what: "a derivative of M, Q or F", time }.into())
            }
        }
    }

    /// `Q + F` into `right`, of the state before the step or `after` it.
    fn internal(&mut self, time: f64, after: bool) {
        let PlaceAndVelocity { position, velocity } = if after { &self.next } else { &self.now };
        let Workspace { right, term, .. } = &mut self.work;
        inner_force(&self.system, At { time, position, velocity }, right, term);
    }

    /// Error that names the first quantity of the step, which ends at `after` (s), that is not finite; `None`: all are.
    #[cold]
    fn not_finite(&mut self, time: f64, after: f64) -> Option<StepError> {
        let found = |what| Some(NotFinite { what, time }.into());
        if !self.work.external.iter().all(|force| are_finite(force)) {
            return found("the external force");
        }
        if ![&self.now.velocity, &self.next.velocity, &self.free].into_iter().all(|velocity| are_finite(velocity)) {
            return found("the velocity");
        }
        for (time, PlaceAndVelocity { position, velocity }) in [(time, &self.now), (after, &self.next)] {
            if !are_finite(position) {
                return found("the position");
            }
            let term = &mut self.work.term;
            term.fill(0.0);
            self.system.internal_force(At { time, position, velocity }, term);
            if !are_finite(term) {
                return found("the internal force F");
            }
            term.fill(0.0);
            self.system.inertia_force(position, velocity, term);
            if !are_finite(term) {
                return found("the inertia force Q");
            }
        }
        None
    }
}
