//! The energy ledger as a judge: what it leaves unexplained, against what tolerance and rounding allow.

use mechanics::State;
use nalgebra::Vector2;
use newmark::Tolerance;
use numbers::Rounding;

use crate::event_balance::Left;
use crate::motion::{Compression, Motion};
use crate::{Phase, Scene, Stop};

/// The unexplained energy of a run so far, and what its steps and events allow.
///
/// Each step begins where the one before ended, and the ledger follows the path that was made. Errors of a run do not grow in it:
/// what it leaves unexplained is a sum over steps, of what the end of each differs by from the true motion through its beginning. For
/// errors ε of place and δ of velocity (`v`: that of the centre and of the rim) this is, to first order,
///
/// ```text
/// in flight       (m v + F h) δ + F ε                       F = m (|g| + |Δv|/h)
/// on the ground   (m v + F h) δ + F min(ε, h v δ/|Δv⊥|)     F = m (|g| + |Δ‖v‖|/h)
/// δ, ε = tolerance + 16 rounding errors      (sums over both components)
/// ```
///
/// `m v` and `m g` are the slopes of kinetic and potential energy, and `F h δ + F ε` what the powers of forces up to F differ by along
/// the step. What the ground does across the way does no work. A place on the ground that is off by ε has its velocity off by
/// `|Δv⊥| ε/(h v)`, as much as the ground turns it there: where that is more than δ, the velocity holds the place. Rounding of a place on
/// the ground counts by the weight, and in δ by as much as it turns the velocity, up to the tolerance; that of the clock not at all: it
/// puts a ball off along its motion. A tolerance of a run, and all of the rounding of a place, is allowed once beside those of steps: steps
/// that each lose their way by rounding are none by a tolerance. An event allows what
/// [`Balance`](crate::Balance) lets pass of place and momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Ledger {
    /// Size of the weight, in a sum over both components, N.
    weight: f64,
    /// `total + dissipated − work` where nothing is unexplained, J.
    explained: f64,
    /// Sum of all that steps and events so far allow, J.
    pub allowed: f64,
    /// Part of `allowed` that is the largest worth of the tolerance of the run and of the rounding of a place, J.
    once: f64,
    /// Largest part of `allowed` that was unexplained.
    pub used: f64,
    /// Energy that steps without a tolerance leave unexplained so far, J: it is not judged.
    open: f64,
    /// Whether the last step had none: then its events are not judged, too.
    free: bool,
    /// Largest size of that energy at any time, J.
    pub unjudged: f64,
    /// Largest kinetic energy at the ends of steps and at events, J.
    pub kinetic: f64,
}

/// A step whose ledger is judged.
pub(crate) struct LedgerStep<'a> {
    pub from: &'a State,
    pub to: &'a State,
    /// Elastic energy in the end, J.
    pub stored: f64,
    /// Size of the parameter that the place in the end is computed from, as a way along the ground, m.
    pub along: f64,
    pub phase: Phase,
    pub tolerance: Tolerance,
    /// Tolerance of the run.
    pub whole: Tolerance,
}

impl Ledger {
    /// Ledger of a run that begins with a motion.
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

    /// `total + dissipated − work`, J, which is one number whichever part of moving ground sees the ball.
    #[inline(always)]
    fn sum(&mut self, scene: &Scene, state: &State, stored: f64) -> f64 {
        let kinetic = scene.ball.kinetic_energy(state.velocity, state.spin);
        self.kinetic = self.kinetic.max(kinetic);
        let potential = stored - scene.ball.mass() * scene.forces.gravity_vector().dot(&state.position);
        kinetic + potential + state.dissipated - state.work
    }

    /// Energy (J) that `force` (N, of the path) and `momentum` (N s) make of the rounding of a state.
    #[inline(always)]
    fn rounded(state: &State, rounding: &Rounding, [force, momentum]: [f64; 2]) -> f64 {
        let sums = f64::EPSILON * (state.dissipated + state.work.abs());
        Rounding::SUM * (momentum * rounding.velocity + force * rounding.length + sums)
    }

    /// Takes in a step that is held to no tolerance: its energy is not judged.
    #[inline]
    pub(crate) fn free_step(&mut self, scene: &Scene, to: &State) {
        self.free = true;
        let (place, speed) = (size(to.position) + scene.ball.radius(), speed(scene, to));
        let rounding = Rounding::of_motion(place, to.time, speed, 0.0);
        self.allowed += Ledger::rounded(to, &rounding, [self.weight, scene.ball.mass() * speed]);
        let sum = self.sum(scene, to, 0.0);
        self.let_go(sum);
    }

    /// Takes in a step by a tolerance.
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
        // Turn of the velocity by the way, 1/s.
        let bend = if on_ground { turned / (h * to.velocity.norm()) } else { 0.0 };
        let coarse = bend * (Rounding::SUM * rounding.length + parameter);
        let worth = |tolerance: Tolerance| {
            let (place, velocity) = (tolerance.allows(place), tolerance.allows(speed));
            steered * (velocity + velocity.min(coarse))
                + pull * place.min(velocity / bend)
                + round * place.min(parameter)
        };
        let more = (worth(whole) + round * parameter - self.once).max(0.0);
        self.once += more;
        self.allowed += worth(tolerance) + more;
        self.judge(to, sum, Some(phase), h)
    }

    /// Takes in an event that leads to a state.
    #[inline]
    pub(crate) fn event(&mut self, scene: &Scene, after: &State, left: &Left, judged: bool) -> Result<(), Stop> {
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

    /// Goes on from a state that a capture has led to: its bounds are its own.
    pub(crate) fn captured(&mut self, scene: &Scene, after: &State) {
        self.explained = self.sum(scene, after, 0.0);
    }

    /// Goes on from a sum that is not judged.
    fn let_go(&mut self, sum: f64) {
        self.open += sum - self.explained;
        (self.explained, self.unjudged) = (sum, self.unjudged.max(self.open.abs()));
    }

    /// Allows the rounding of a state that is seen by another part of moving ground: both origins enter its numbers, and leave them again.
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
        let through = State { work: carried, ..*state };
        self.allowed += Ledger::rounded(&through, &rounding, [self.weight, mass * speed]);
    }

    /// Allows what a change of state leaves unbalanced of place (m), momentum (N s) and angular momentum (N m s).
    #[inline(always)]
    pub(crate) fn pass(&mut self, after: &State, [place, momentum, angular, _]: [f64; 4]) {
        self.allowed += self.weight * place + size(after.velocity) * momentum + after.spin.abs() * angular;
    }

    #[inline(always)]
    fn judge(&mut self, at: &State, sum: f64, phase: Option<Phase>, step: f64) -> Result<(), Stop> {
        let (unexplained, allowed) = (sum - self.explained, self.allowed);
        if unexplained.abs() <= allowed {
            // Nothing of nothing is none.
            self.used = self.used.max(unexplained.abs() / allowed);
            return Ok(());
        }
        Err(Stop::Unexplained { time: at.time, centre: at.position, phase, step, unexplained, allowed })
    }
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
