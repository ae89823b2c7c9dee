//! Judgement of the energy ledger: its unexplained energy against what tolerance and rounding allow.

use curves::Ground;
use mechanics::State;
use nalgebra::Vector2;
use newmark::Tolerance;
use numbers::Rounding;

use crate::event_balance::Residuals;
use crate::phase_states::{Compression, Motion};
use crate::{Phase, Scene, Stop};

/// Unexplained energy of a run so far, and what its steps and events allow.
///
/// The ledger follows the computed path, so that errors of a run do not grow in it: its unexplained energy is a sum
/// over steps, of the difference between the end of each and the true motion from its beginning. For errors ε of place
/// and δ of velocity (`v`: of the centre and of the rim) this is, to first order,
///
/// ```text
/// in flight       (m v + F h) δ + F ε                       F = m (|g| + |Δv|/h)
/// on the ground   (m v + F h) δ + F min(ε, h v δ/|Δv⊥|)     F = m (|g| + |Δ‖v‖|/h)
/// δ, ε = tolerance + 16 rounding errors      (sums over both components)
/// ```
///
/// `m v` and `m g` are the slopes of kinetic and potential energy; `F h δ + F ε` is the difference of the work of
/// forces up to F along the step. Forces of the ground across the way do no work. A place on the ground that is off by
/// ε has its velocity off by `|Δv⊥| ε/(h v)`, the turn of the ground over it: where that is more than δ, the velocity
/// limits ε. On the ground these terms are for the tolerance. Also allowed are (names of variables in parentheses)
///
/// - for rounding of a velocity `m v + F h` with F of flight (`momentum`);
/// - for rounding of a place the weight (`round`; in flight F), and the turn of the ground over it as a part of δ
///   (`coarse`), up to the tolerance of velocity;
/// - for rounding of the parameter (`parameter`) the same, up to the tolerance of place;
/// - once in a run its tolerance and the whole rounding of the parameter (`more`): a run whose every step is off by
///   that rounding is not excused;
/// - for an event the residuals of place and momentum that its balance found, times weight and velocity;
/// - for rounding of the clock `v t` in a place, but nothing in a velocity: it moves a ball along its path.
///
/// Rounding of places on the ground allows at most 1 % of the energy in motion: beyond that it is no bound of anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Ledger {
    /// Size of the weight, as a sum over both components, N.
    weight: f64,
    /// `total + dissipated − work` with nothing unexplained, J.
    explained: f64,
    /// Sum over all steps and events of what they allow, J.
    pub allowed: f64,
    /// The part of `allowed` for the tolerance of the run and the rounding of a place, which counts once, J.
    once: f64,
    /// The part of `allowed` for rounding of places (what is [`unknown`] of them), J: the sum over events.
    placed_by_events: f64,
    /// Largest such part of a step, since those of steps count once, J.
    placed_by_step: f64,
    /// Largest ratio of unexplained energy to `allowed`.
    pub used: f64,
    /// Unexplained energy of steps without a tolerance so far, J: not judged.
    open: f64,
    /// Whether the last step had no tolerance: then its events are not judged either.
    free: bool,
    /// Largest size of the energy not judged, at any time, J.
    pub unjudged: f64,
    /// Largest kinetic energy at the ends of steps and at events, J.
    pub kinetic: f64,
}

/// A step to be judged.
pub(crate) struct LedgerStep<'a> {
    pub from: &'a State,
    pub to: &'a State,
    /// Elastic energy at the end, J.
    pub stored: f64,
    /// Size of the parameter at the end, as a length along the ground, m.
    pub along: f64,
    pub phase: Phase,
    pub tolerance: Tolerance,
    /// Tolerance of the run.
    pub whole: Tolerance,
}

/// A step with which the energy is not explained.
pub(crate) struct Leak {
    pub stop: Stop,
    /// Energy that the step alone loses or gains, if it is more than it allows, J: that of a shorter one may be less.
    pub by_step: Option<f64>,
}

impl Ledger {
    /// Ledger at the start of a run.
    pub(crate) fn of(scene: &Scene, motion: &Motion) -> Self {
        let weight = scene.ball.mass() * size(scene.forces.gravity_vector());
        let mut ledger = Ledger { weight, ..Ledger::default() };
        let stored = match (motion, &scene.compliance) {
            (Motion::Compression(Compression { state, .. }), Some(law)) => law.elastic_energy(state.compression()),
            _ => 0.0,
        };
        ledger.explained = ledger.sum(scene, &motion.state(&scene.ground), stored);
        ledger
    }

    /// `total + dissipated − work`, J, the same in the frame of each part of moving ground; notes the kinetic energy.
    #[inline(always)]
    fn sum(&mut self, scene: &Scene, state: &State, stored: f64) -> f64 {
        let kinetic = scene.ball.kinetic_energy(state.velocity, state.spin);
        self.kinetic = self.kinetic.max(kinetic);
        let potential = stored - scene.ball.mass() * scene.forces.gravity_vector().dot(&state.position);
        kinetic + potential + state.dissipated - state.work
    }

    /// Energy (J) by the rounding of a state, with weights `force` (N) for places and `momentum` (N s) for velocities.
    #[inline(always)]
    fn rounded(state: &State, rounding: &Rounding, [force, momentum]: [f64; 2]) -> f64 {
        let sums = f64::EPSILON * (state.dissipated + state.work.abs());
        Rounding::SUM * (momentum * rounding.velocity + force * rounding.length + sums)
    }

    /// Adds a step without a tolerance, whose energy is not judged.
    #[inline]
    pub(crate) fn free_step(&mut self, scene: &Scene, to: &State) {
        self.free = true;
        let (place, speed) = (size(to.position) + scene.ball.radius(), speed(scene, to));
        let rounding = Rounding::of_motion(place, to.time, speed, 0.0);
        self.allowed += Ledger::rounded(to, &rounding, [self.weight, scene.ball.mass() * speed]);
        let sum = self.sum(scene, to, 0.0);
        self.let_go(sum);
    }

    /// Adds a step on rigid ground (`stored` 0) by a tolerance; changes nothing if the energy with it is unexplained.
    pub(crate) fn enter(&mut self, scene: &Scene, entry: &LedgerStep) -> Result<(), Leak> {
        let before = *self;
        self.step(scene, entry).map_err(|stop| {
            let lost = self.sum(scene, entry.to, 0.0) - self.sum(scene, entry.from, 0.0);
            let blamed = lost.abs() > self.allowed - before.allowed;
            *self = before;
            Leak { stop, by_step: blamed.then_some(lost.abs()) }
        })
    }

    /// Adds and judges a step by a tolerance.
    pub(crate) fn step(&mut self, scene: &Scene, entry: &LedgerStep) -> Result<(), Stop> {
        let LedgerStep { from, to, stored, along, phase, tolerance, whole } = *entry;
        let sum = self.sum(scene, to, stored);
        let (mass, h) = (scene.ball.mass(), to.time - from.time);
        if !(h > 0.0) {
            return Ok(());
        }
        self.free = false;
        let impulse = self.weight * h + mass * size(to.velocity - from.velocity);
        let force = impulse / h;
        let (place, speed) = (size(to.position) + scene.ball.radius(), speed(scene, to));
        let momentum = mass * speed.max(self::speed(scene, from)) + impulse;
        let mut rounding = Rounding::of_motion(place, to.time, speed, 0.0);
        rounding.velocity += f64::EPSILON * impulse / mass;
        let faster = (to.velocity.norm() - from.velocity.norm()).abs();
        let on_ground = matches!(phase, Phase::Sliding | Phase::Rolling);
        let pull = if on_ground { self.weight + mass * faster / h } else { force };
        let round = if on_ground { self.weight } else { force };
        self.allowed += Ledger::rounded(to, &rounding, [round, momentum]);
        let parameter = Rounding::SUM * f64::EPSILON * along;
        let turned = ((to.velocity - from.velocity).norm_squared() - faster * faster).max(0.0).sqrt();
        let steered = momentum - impulse + pull * h;
        // Turned velocity over the length of the step, (m/s)/m.
        let bend = if on_ground { turned / (h * to.velocity.norm()) } else { 0.0 };
        let coarse = bend * (Rounding::SUM * rounding.length + parameter);
        // Energy that a tolerance allows.
        let worth = |tolerance: Tolerance| {
            let (place, velocity) = (tolerance.allows(place), tolerance.allows(speed));
            steered * (velocity + velocity.min(coarse))
                + pull * place.min(velocity / bend)
                + round * place.min(parameter)
        };
        let more = (worth(whole) + round * parameter - self.once).max(0.0);
        self.once += more;
        self.placed_by_step = self.placed_by_step.max(round * unknown(parameter));
        self.allowed += worth(tolerance) + more;
        self.judge(to, sum, Some(phase), h)
    }

    /// Adds an event that leads to a state, and judges it.
    #[inline]
    pub(crate) fn event(&mut self, scene: &Scene, after: &State, left: &Residuals, judged: bool) -> Result<(), Stop> {
        self.pass(after, left.residuals);
        let momentum = scene.ball.mass() * left.speed;
        self.allowed += Ledger::rounded(after, &left.rounding, [self.weight, momentum]);
        let sum = self.sum(scene, after, 0.0);
        if self.free || !judged {
            self.let_go(sum);
            return Ok(());
        }
        self.judge(after, sum, None, 0.0)
    }

    /// Continues from the state after a capture, which has error bounds of its own.
    pub(crate) fn captured(&mut self, scene: &Scene, after: &State) {
        self.explained = self.sum(scene, after, 0.0);
    }

    /// Continues from a sum that is not judged.
    fn let_go(&mut self, sum: f64) {
        self.open += sum - self.explained;
        (self.explained, self.unjudged) = (sum, self.unjudged.max(self.open.abs()));
    }

    /// Allows the rounding of a change to another part's frame: both origins enter the numbers, and leave them again.
    pub(crate) fn seen_anew(&mut self, parts: [&Scene; 2], state: &State) {
        let (scene, mass) = (parts[0], parts[0].ball.mass());
        let (mut place, mut speed) = (size(state.position) + scene.ball.radius(), speed(scene, state));
        let mut carried = state.work.abs();
        for origin in parts.iter().filter_map(|part| part.forces.carriage()).map(|carriage| carriage.at(state.time)) {
            place += size(origin.position.into());
            speed += size(origin.velocity.into());
            carried += mass * speed * speed + self.weight * place;
        }
        let rounding = Rounding::of_motion(place, state.time, speed, 0.0);
        // `rounded` counts the work of a state: here all energies that the origins bring into the sums.
        let through = State { work: carried, ..*state };
        self.allowed += Ledger::rounded(&through, &rounding, [self.weight, mass * speed]);
    }

    /// Allows a place to be off by a length (m) that the tolerance of a step allows.
    pub(crate) fn put(&mut self, length: f64) {
        self.allowed += self.weight * length;
    }

    /// Allows the residuals of an event in place (m), momentum (N s) and angular momentum (N m s).
    #[inline(always)]
    pub(crate) fn pass(&mut self, after: &State, [place, momentum, angular, _]: [f64; 4]) {
        self.placed_by_events += self.weight * unknown(place);
        self.allowed += self.weight * place + size(after.velocity) * momentum + after.spin.abs() * angular;
    }

    /// Judges the unexplained energy by a `sum` (J); of `allowed`, rounding of places counts up to [`IN_MOTION`] only.
    #[inline(always)]
    fn judge(&mut self, at: &State, sum: f64, phase: Option<Phase>, step: f64) -> Result<(), Stop> {
        let motion = self.kinetic + at.dissipated + at.work.abs();
        let placed = self.placed_by_events + self.placed_by_step;
        let beyond = (placed - IN_MOTION * motion).max(0.0);
        let (unexplained, allowed) = (sum - self.explained, self.allowed - beyond);
        if unexplained.abs() <= allowed {
            // 0 of 0 counts as 0.
            self.used = self.used.max(unexplained.abs() / allowed);
            return Ok(());
        }
        let unknown = if beyond > 0.0 { placed / self.weight } else { 0.0 };
        Err(Stop::Unexplained { time: at.time, centre: at.position, phase, step, unknown, unexplained, allowed })
    }
}

/// Largest part of the energy in motion (largest kinetic energy, losses, work) that rounding of places may allow.
const IN_MOTION: f64 = 0.01;

/// Rounding of a place on the ground beyond what joints may be open, m.
#[inline(always)]
fn unknown(rounding: f64) -> f64 {
    (rounding - Ground::JOINT_TOLERANCE).max(0.0)
}

/// Sum of the sizes of both components.
#[inline(always)]
fn size(v: Vector2<f64>) -> f64 {
    v.x.abs() + v.y.abs()
}

/// Speed of the centre, by components, and of the rim, m/s.
#[inline(always)]
fn speed(scene: &Scene, state: &State) -> f64 {
    size(state.velocity) + scene.ball.radius() * state.spin.abs()
}
