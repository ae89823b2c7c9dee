//! Equations of the five formulations of contact by Newmark's scheme (§7 of the book's design).
//!
//! Throughout, M is the mass that contact accelerates (`(1+k) m` rolling, else m), F the applied force less damping,
//! and `d = n − μ sign(u) τ` the direction of the contact force (n unless sliding). 0 and 1 mark the ends of a step.

use curves::{Ahead, Displacement, Frame, Place, turn_left};
use nalgebra::Vector2;
use newmark::Scheme;
use numbers::Rounding;

use crate::{ContactState, ContactSystem, RollingError};

/// Discretisation of contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Formulation {
    /// Newmark on the index-3 DAE: `M a₁ = F₁ + d₁λ₁`, `g(q₁) = 0`.
    Index3,
    /// Gear, Gupta & Leimkuhler's index 2 (J. Comput. Appl. Math. 12 (1985) 77): as index 3, and `n₁·v₁ = 0` by a
    /// second multiplier μ̂ in the position.
    StabilizedIndex2,
    /// Newmark with accelerations from §2, its place and velocity projected onto both constraints.
    Projected,
    /// Newmark with RATTLE's two multipliers (Lunk & Simeon, ZAMM 86 (2006) 772; Jay & Negrut, ETNA 26 (2007) 385).
    Symmetric,
    /// Newmark for the arc length of the centre path.
    ArcLength,
}

impl std::fmt::Display for Formulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Formulation::Index3 => "index3",
            Formulation::StabilizedIndex2 => "stabilized-index2",
            Formulation::Projected => "projected",
            Formulation::Symmetric => "symmetric",
            Formulation::ArcLength => "arc-length",
        })
    }
}

impl Formulation {
    /// Whether a step back undoes a step, so that extrapolation works.
    pub fn is_symmetric(self) -> bool {
        matches!(self, Formulation::Symmetric | Formulation::ArcLength)
    }
    /// Formulation by which steps are made: arc length in place of [`Formulation::Symmetric`] where a ball rolls
    /// against resistance, which needs the true λ, and where μ is above [`STEEP`].
    pub(crate) fn used_for(self, system: &ContactSystem) -> Formulation {
        let by_arc = system.resistance() != 0.0 || system.drag().abs() > STEEP;
        if self == Formulation::Symmetric && by_arc { Formulation::ArcLength } else { self }
    }
    /// Whether it carries an acceleration from step to step.
    pub fn carries(self) -> bool {
        matches!(self, Formulation::Index3 | Formulation::StabilizedIndex2)
    }
}

/// Friction μ above which sliding goes by arc length in place of [`Formulation::Symmetric`]: rounding across the ground
/// counts μ times as much along it, and a slip just before lift-off lasts only 1/μ as long as at μ = 1.
const STEEP: f64 = 100.0;
/// Rounds of an iteration after which it counts as not convergent.
const ROUNDS: usize = 60;

pub(crate) struct Stepper<'a, 'b> {
    pub system: &'a ContactSystem<'b>,
    pub scheme: Scheme,
    /// Evaluations of the ground.
    pub frames: u64,
    /// Rounding of a step's numbers.
    rounding: Rounding,
}

impl<'a, 'b> Stepper<'a, 'b> {
    pub fn new(system: &'a ContactSystem<'b>, scheme: Scheme) -> Self {
        Stepper { system, scheme, frames: 0, rounding: Rounding::default() }
    }

    /// Makes a step of `h` s (also backwards) from `start` and puts it into `end`.
    pub fn step(
        &mut self,
        formulation: Formulation,
        start: &ContactState,
        h: f64,
        end: &mut ContactState,
    ) -> Result<(), RollingError> {
        if self.system.contact.rolling_resistance() != 0.0 && formulation.carries() {
            return Err(RollingError::Resistance { formulation });
        }
        let place = self.begin(start, h, end);
        if !matches!(formulation, Formulation::Index3 | Formulation::ArcLength) {
            self.move_to(end, place);
        }
        let [first, last] = [start, &*end].map(|state| state.rounding(self.system, h.abs()));
        self.rounding = Rounding { length: first.length.max(last.length) + h.abs() * first.velocity, ..first };
        match formulation {
            Formulation::Index3 => self.index3(start, h, place, end)?,
            Formulation::StabilizedIndex2 => self.stabilized(start, h, end)?,
            Formulation::Projected => self.projected(start, h, end)?,
            Formulation::Symmetric => self.symmetric(start, h, end)?,
            Formulation::ArcLength => {
                end.place = place;
                self.arc_length(start, h, end)?
            }
        }
        if !(end.speed.is_finite() && end.frame.position.x.is_finite() && end.normal_force.is_finite()) {
            return Err(RollingError::NotFinite { time: end.time });
        }
        end.angle = start.angle + 0.5 * h * (start.spin + end.spin);
        Ok(())
    }

    /// Makes a step of [`Formulation::Symmetric`]:
    /// ```text
    /// q₁ = q₀ + h v₀ + h²/4 (F₀+F₁)/M + h²/2 d₀ λ⁻/M            g(q₁) = 0
    /// v₁ = v₀ + h/2 (F₀+F₁)/M + h/2 (d₀λ⁻ + d₁λ⁺)/M             n₁·v₁ = 0
    /// ω₁ = ω₀ − h/2 (μ sign(u) + c_rr sign(ω)) (λ⁻+λ⁺) R/I   sliding     ω₁ = −v₁·τ₁/R   rolling
    /// ```
    fn symmetric(&mut self, start: &ContactState, h: f64, end: &mut ContactState) -> Result<(), RollingError> {
        let (mass, drag, twist) = (self.system.mass(), self.system.drag(), self.system.twist());
        let d0 = start.frame.normal - drag * start.frame.tangent;
        let v0 = start.velocity();
        let f0 = self.force(start);
        let steady = self.system.is_steady(start.spin);
        let mut f1 = f0;
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let a = (f0 + f1) / mass;
            let p = start.frame.position + h * v0 + (0.25 * h * h) * a;
            self.follow(end, h, p, |_| (d0, Vector2::zeros()))?;
            // α = h²/2 λ⁻/M; w is v₁ without λ⁺, which acts along d₁ and takes off the part `inward` along n₁.
            let alpha = (end.frame.position - p).dot(&d0) / d0.norm_squared();
            let w = v0 + (0.5 * h) * a + (alpha / h) * d0;
            let inward = w.dot(&end.frame.normal);
            end.speed = end.frame.along(w) + drag * inward;
            // h/2 (λ⁻+λ⁺) = M (α/h − n₁·w)
            let impulse = mass * (alpha / h - inward);
            end.spin = self.spin(start, end.speed, twist * impulse);
            if steady {
                self.system.relabel(end);
                return Ok(());
            }
            let force = self.force(end);
            let change = h.abs() * (force - f1).norm() / mass;
            f1 = force;
            if self.settled(change, &mut last, h, end) {
                self.system.relabel(end);
                return Ok(());
            }
        }
        Err(self.stuck(start, h, last))
    }

    /// Makes a step of [`Formulation::Projected`]:
    /// ```text
    /// q₁ = q₀ + h v₀ + h²/4 (a₀+a₁) + h² n₁ μ̂                   g(q₁) = 0
    /// v₁ = v₀ + h/2 (a₀+a₁) + h n₁ ν̂                            n₁·v₁ = 0       a₀, a₁ from §2
    /// ```
    fn projected(&mut self, start: &ContactState, h: f64, end: &mut ContactState) -> Result<(), RollingError> {
        let law = self.system.law(start);
        let a0 = self.system.acceleration(&start.frame, start.speed, &law);
        let v0 = start.velocity();
        let (mut a1, mut alpha1) = (a0, law.spin_acceleration);
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let p = start.frame.position + h * v0 + (0.25 * h * h) * (a0 + a1);
            self.follow(end, h, p, along_normal)?;
            let w = v0 + (0.5 * h) * (a0 + a1);
            end.speed = end.frame.along(w);
            end.spin = self.system.spin(end.speed, start.spin + 0.5 * h * (law.spin_acceleration + alpha1));
            let law = self.system.law(end);
            let acceleration = self.system.acceleration(&end.frame, end.speed, &law);
            let turned = self.system.ball.radius() * (law.spin_acceleration - alpha1).abs();
            let change = h.abs() * (acceleration - a1).norm().max(turned);
            (a1, alpha1) = (acceleration, law.spin_acceleration);
            if self.settled(change, &mut last, h, end) {
                end.acceleration = a1;
                (end.normal_force, end.friction_force) = (law.normal_force, law.friction_force);
                return Ok(());
            }
        }
        Err(self.stuck(start, h, last))
    }

    /// Makes a step of [`Formulation::StabilizedIndex2`]:
    /// ```text
    /// q₁ = q₀ + h v₀ + h²/4 (a₀+a₁) + h² n₁ μ̂                   g(q₁) = 0
    /// v₁ = v₀ + h/2 (a₀+a₁),   M a₁ = F₁ + d₁λ₁                  n₁·v₁ = 0
    /// ```
    fn stabilized(&mut self, start: &ContactState, h: f64, end: &mut ContactState) -> Result<(), RollingError> {
        let (mass, drag) = (self.system.mass(), self.system.drag());
        let (a0, v0) = (start.acceleration, start.velocity());
        let mut f1 = self.force(start);
        let mut a1 = a0;
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let p = start.frame.position + h * v0 + (0.25 * h * h) * (a0 + a1);
            self.follow(end, h, p, along_normal)?;
            let Frame { normal, tangent, .. } = end.frame;
            // n₁·v₁ = 0 gives n₁·a₁ (`inward`), and this the multiplier λ₁, since n₁·d₁ = 1.
            let inward = -(2.0 / h) * normal.dot(&v0) - normal.dot(&a0);
            let multiplier = mass * inward - f1.dot(&normal);
            let acceleration = (f1 + multiplier * (normal - drag * tangent)) / mass;
            end.speed = (v0 + (0.5 * h) * (a0 + acceleration)).dot(&tangent);
            end.spin = self.carried_spin(start, end, h, acceleration);
            let change = h.abs() * (acceleration - a1).norm();
            a1 = acceleration;
            f1 = self.force(end);
            if self.settled(change, &mut last, h, end) {
                end.acceleration = a1;
                self.system.relabel_forces(end);
                return Ok(());
            }
        }
        Err(self.stuck(start, h, last))
    }

    /// Makes a step of [`Formulation::Index3`]:
    /// ```text
    /// q₁ = q₀ + h v₀ + h²/2 ((1−2β)a₀ + 2βa₁),   M a₁ = F₁ + d₁λ₁   g(q₁) = 0
    /// v₁ = v₀ + h((1−γ)a₀ + γa₁)
    /// ```
    /// The damping coefficient c (N s/m) acts in F₁ at v₁ exactly, which turns M into `M̂ = M + γhc`. The unknown of
    /// the position, `βh² λ₁/M̂`, follows from the displacement along the curve in the frame (τ₀, n₀). From places,
    /// which have rounding ε, λ₁ would be off by ε/(βh²).
    fn index3(&mut self, start: &ContactState, h: f64, to: Place, end: &mut ContactState) -> Result<(), RollingError> {
        let (mass, drag) = (self.system.mass(), self.system.drag());
        let (beta, gamma) = (self.scheme.beta(), self.scheme.gamma());
        let seen = |v: Vector2<f64>| Vector2::new(v.dot(&start.frame.tangent), v.dot(&start.frame.normal));
        let (a0, v0) = (seen(start.acceleration), Vector2::new(start.speed, start.normal_speed));
        let damping = self.system.contact.rolling_damping();
        let implicit = mass + gamma * h * damping;
        let (ground, length) = (self.system.ground, self.rounding.length);
        let ahead = ground.ahead(start.place, &start.frame, h * (start.speed.abs() + h * a0.norm()), length);
        let mut way = to.parameter() - start.place.parameter();
        let v = v0 + h * (1.0 - gamma) * a0;
        let mut f1 = self.force(start) + damping * start.velocity();
        let steady = self.system.is_pulled_alike(start.spin);
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let a = (seen(f1) - damping * v) / implicit;
            let predicted = h * v0 + h * h * ((0.5 - beta) * a0 + beta * a);
            let there = self.reach(ahead.as_ref(), start, &mut way, predicted, drag, end)?;
            let (tangent, normal) = (there.tangent, turn_left(there.tangent));
            let (d, away) = (normal - drag * tangent, there.way - predicted);
            // `away` is βh² λ₁/M̂ times d; the component of d that keeps more digits gives the factor.
            let across = (there.way.y * d.x).abs() <= (there.way.x * d.y).abs();
            let push = if across { away.y / d.y } else { away.x / d.x } / (beta * h * h);
            let a1 = a + push * d;
            end.speed = (v + (gamma * h) * a1).dot(&tangent);
            // v₁ = γ/β Δq/h + (1 − γ/β) v₀ + (1 − γ/2β) h a₀. In its part n₁·(2Δq/h − v₀), `turned`, the first two
            // orders cancel; `skew` is without them.
            let gained = h * ((0.5 - beta) * a0.x + beta * a1.x);
            let turned = there.skew / h - tangent.y * gained - v0.y * tangent.x;
            let part = 0.5 * gamma / beta;
            end.normal_speed = part * turned + (1.0 - part) * (v0 + h * a0).dot(&normal);
            end.acceleration = start.frame.tangent * a1.x + start.frame.normal * a1.y;
            end.spin = self.carried_spin(start, end, h, end.acceleration);
            let force = self.force(end) + damping * end.velocity();
            let change = h.abs() * (force - f1).norm() / mass;
            f1 = force;
            if steady || self.settled(change, &mut last, h, end) {
                self.system.relabel_forces(end);
                return Ok(());
            }
        }
        Err(self.stuck(start, h, last))
    }

    /// Makes a step of [`Formulation::ArcLength`], with the arc length σ and the speed v along the centre path:
    /// ```text
    /// σ₁ = σ₀ + h v₀ + h²/4 (A₀+A₁),   v₁ = v₀ + h/2 (A₀+A₁),   A = v̇_t of §2
    /// ```
    /// The parameter s follows from σ by the corrected trapezoidal rule `Δσ = Δs (w₀+w₁)/2 + Δs² (w₀′−w₁′)/12` for
    /// `w = dσ/ds`. That is symmetric, so that errors keep even powers of h. `end.place` is the first guess.
    fn arc_length(&mut self, start: &ContactState, h: f64, end: &mut ContactState) -> Result<(), RollingError> {
        let ground = self.system.ground;
        let law = self.system.law(start);
        let (w0, rate0) = (start.frame.speed, ground.frame_and_rate(start.place).1);
        let (mut a1, mut alpha1) = (law.acceleration, law.spin_acceleration);
        let mut before: Option<(f64, f64)> = None;
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let rate1;
            (end.frame, rate1) = ground.frame_and_rate(end.place);
            self.frames += 1;
            end.speed = start.speed + 0.5 * h * (law.acceleration + a1);
            end.spin = self.system.spin(end.speed, start.spin + 0.5 * h * (law.spin_acceleration + alpha1));
            let now = self.system.law(end);
            let miss = now.acceleration - a1;
            let turned = self.system.ball.radius() * (now.spin_acceleration - alpha1).abs();
            alpha1 = now.spin_acceleration;
            // Secant method for A₁, with the slope −1 of a very short step where the secant's is far from that.
            let slope = before.map_or(-1.0, |(a, m): (f64, f64)| (miss - m) / (a1 - a));
            before = Some((a1, miss));
            a1 -= miss / if (-2.0..-0.5).contains(&slope) { slope } else { -1.0 };
            let along = h * start.speed + 0.25 * h * h * (law.acceleration + a1);
            let step = end.place.parameter() - start.place.parameter();
            let length = 0.5 * step * (w0 + end.frame.speed) + step * step * (rate0 - rate1) / 12.0;
            let settled = self.settled(h.abs() * miss.abs().max(turned), &mut last, h, end);
            if settled && Rounding::vanishes(along - length, self.rounding.length) {
                self.system.relabel(end);
                return Ok(());
            }
            end.place = end.place.at(end.place.parameter() + (along - length) / end.frame.speed);
        }
        Err(self.stuck(start, h, last))
    }

    /// Sets `end` to the start, `h` s later, and returns the place that constant tangential acceleration reaches.
    #[inline(always)]
    fn begin(&mut self, start: &ContactState, h: f64, end: &mut ContactState) -> Place {
        let acceleration = start.acceleration.dot(&start.frame.tangent);
        let along = h * (start.speed + 0.5 * h * acceleration);
        *end = *start;
        (end.time, end.normal_speed) = (start.time + h, 0.0);
        start.place.at(start.place.parameter() + along / start.frame.speed)
    }

    fn move_to(&mut self, state: &mut ContactState, place: Place) {
        state.place = place;
        state.frame = self.system.ground.frame(place);
        self.frames += 1;
    }

    /// Moves `end` to where `q − p` is parallel to d; `direction` gives d and its derivative by the parameter.
    #[inline(always)]
    fn follow(
        &mut self,
        end: &mut ContactState,
        h: f64,
        p: Vector2<f64>,
        direction: impl Fn(&Frame) -> (Vector2<f64>, Vector2<f64>),
    ) -> Result<(), RollingError> {
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let Frame { position, tangent, speed, .. } = end.frame;
            let (d, turning) = direction(&end.frame);
            let away = position - p;
            let step = -away.perp(&d) / (speed * tangent.perp(&d) + away.perp(&turning));
            let length = (step * speed).abs();
            // Where d is almost parallel to the ground, rounding across it moves the place much further.
            let coarse = || self.evaluated(end) * d.norm() / tangent.perp(&d).abs();
            if length <= self.rounding.length || (length >= last && Rounding::vanishes(length, coarse())) {
                return Ok(());
            }
            if !length.is_finite() {
                return Err(RollingError::NotFinite { time: end.time });
            }
            last = length;
            self.move_to(end, end.place.at(end.place.parameter() + step));
        }
        Err(RollingError::NoConvergence { time: end.time - h, step: h, residual: last / h.abs() })
    }

    /// Moves `end` by `way` in the parameter to where the displacement less the `predicted` one (m, in the frame of the
    /// start) is parallel to `n₁ − drag τ₁`: as [`Stepper::follow`], but to the digits of the displacement.
    fn reach(
        &mut self,
        ahead: Option<&Ahead>,
        start: &ContactState,
        way: &mut f64,
        predicted: Vector2<f64>,
        drag: f64,
        end: &mut ContactState,
    ) -> Result<Displacement, RollingError> {
        let length = self.rounding.length;
        // Move of the place (m) by Newton's method, and the factor by which rounding across d counts in it.
        let newton = |there: &Displacement, frame: &Frame| {
            let (tangent, normal) = (there.tangent, turn_left(there.tangent));
            let (d, away) = (normal - drag * tangent, there.way - predicted);
            let turning = -(tangent + drag * normal) * frame.curvature;
            (-away.perp(&d) / (tangent.perp(&d) + away.perp(&turning)), d.norm() / tangent.perp(&d).abs())
        };
        // The polynomial `ahead` of the curve, which takes one evaluation, gives a first guess.
        if let Some(ahead) = ahead.filter(|_| end.place == start.place) {
            self.frames += 1;
            let mut near = *way;
            for _ in 0..8 {
                let there = ahead.near(near, length);
                let (step, _) = newton(&there, &start.frame);
                if !step.is_finite() {
                    near = *way;
                    break;
                }
                if Rounding::vanishes(step, there.rounding) {
                    break;
                }
                near += step / start.frame.speed;
            }
            *way = near;
        }
        let (mut last, h) = (f64::INFINITY, end.time - start.time);
        for _ in 0..ROUNDS {
            let place = start.place.at(start.place.parameter() + *way);
            if place != end.place {
                self.move_to(end, place);
            }
            let there = match ahead {
                Some(ahead) => ahead.to(*way, &end.frame, length),
                None => Displacement::between(&start.frame, &end.frame, length),
            };
            let (step, steep) = newton(&there, &end.frame);
            let coarse = || self.evaluated(end) * steep;
            let done = Rounding::vanishes(step, there.rounding);
            if done || (step.abs() >= last && Rounding::vanishes(step, coarse())) {
                return Ok(there);
            }
            if !step.is_finite() {
                return Err(RollingError::NotFinite { time: end.time });
            }
            last = step.abs();
            *way += step / end.frame.speed;
        }
        Err(RollingError::NoConvergence { time: start.time, step: h, residual: last / h.abs() })
    }

    /// Applied force less damping, N.
    #[inline(always)]
    fn force(&self, state: &ContactState) -> Vector2<f64> {
        let velocity = state.velocity();
        self.system.applied(state.time, &state.frame, velocity, state.spin)
            - self.system.contact.rolling_damping() * velocity
    }

    /// Spin after a tangential impulse (N s) at the contact point; in rolling that of rolling at the speed (m/s).
    #[inline(always)]
    fn spin(&self, start: &ContactState, speed: f64, impulse: f64) -> f64 {
        self.system.spin(speed, start.spin + self.system.ball.spin_by(impulse))
    }

    /// Spin at the end for a formulation that carries accelerations: friction is the force along τ that these need.
    fn carried_spin(&self, start: &ContactState, end: &ContactState, h: f64, a1: Vector2<f64>) -> f64 {
        if self.system.drag() == 0.0 {
            return self.spin(start, end.speed, 0.0);
        }
        let needed = |state: &ContactState, a: Vector2<f64>| {
            (self.system.mass() * a - self.force(state)).dot(&state.frame.tangent)
        };
        self.spin(start, end.speed, 0.5 * h * (needed(start, start.acceleration) + needed(end, a1)))
    }

    /// Whether an iteration has converged that changed the velocity by `change` m/s: to the rounding of the step's
    /// numbers or, where it does not shrink, of the ground's formula.
    fn settled(&self, change: f64, last: &mut f64, h: f64, end: &ContactState) -> bool {
        let evaluated = || Rounding { length: self.evaluated(end), ..self.rounding };
        let last = std::mem::replace(last, change);
        self.rounding.settles(change, last, h) || change >= last && evaluated().settles(change, last, h)
    }

    /// Rounding of a place with that of the ground's formula, m. The latter takes bounds, and so is asked for only by
    /// iterations that stall.
    fn evaluated(&self, state: &ContactState) -> f64 {
        self.rounding.length + self.system.ground.rounding(state.place)
    }

    fn stuck(&self, start: &ContactState, step: f64, residual: f64) -> RollingError {
        RollingError::NoConvergence { time: start.time, step, residual }
    }
}

/// Direction n, and its derivative `−κc w τ` by the parameter, with w = dσ/ds.
fn along_normal(frame: &Frame) -> (Vector2<f64>, Vector2<f64>) {
    (frame.normal, -frame.tangent * (frame.curvature * frame.speed))
}
