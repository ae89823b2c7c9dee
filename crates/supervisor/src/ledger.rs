//! The energy ledger as a judge: what it leaves unexplained, against what tolerance and rounding allow.

use curves::Rounding;
use mechanics::State;
use newmark::Tolerance;

use crate::motion::{Compression, Motion};
use crate::{Phase, Scene, Stop};

/// The unexplained energy of a run so far, and what its steps and events allow.
///
/// Each step begins where the one before ended, and the ledger follows the path that was made. Errors of a run do not grow in it:
/// what it leaves unexplained is a sum over steps, of each what its end differs by from the true motion through its beginning. Of
/// errors ε of place and δ of velocity (`v`: of the centre and of the rim) that is, to first order,
///
/// ```text
/// (m v + F h) δ + F ε      F = m (|g| + |Δv|/h)      δ, ε = tolerance + 16 rounding errors      (sums over both components)
/// ```
///
/// `m v` and `m g` are the slopes of kinetic and potential energy, and `F h δ + F ε` what the powers of forces up to F differ by along
/// the step. An event allows what [`Balance`](crate::Balance) lets pass of place and momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// `total + dissipated − work` where nothing is unexplained, J.
    explained: f64,
    /// What the steps and events so far allow, J.
    pub allowed: f64,
    /// The largest part of what was allowed that was unexplained.
    pub used: f64,
    /// What steps that are held to no tolerance leave unexplained, J: it is not judged.
    pub unjudged: f64,
    /// The largest kinetic energy at the ends of steps and at events, J.
    pub kinetic: f64,
}

/// A stretch of motion whose ledger is looked at.
pub(crate) struct Entry<'a> {
    pub from: &'a State,
    pub to: &'a State,
    /// Elastic energy in the end, J.
    pub stored: f64,
    pub phase: Phase,
    /// What the step was held to; `None`: nothing that is known, and what it leaves unexplained is not judged.
    pub tolerance: Option<Tolerance>,
}

/// Sizes that what is allowed goes by, in sums over components.
struct Sizes {
    /// m
    place: f64,
    /// m/s
    speed: f64,
    rounding: Rounding,
}

impl Ledger {
    /// Of a run that begins with a motion.
    pub(crate) fn of(scene: &Scene, motion: &Motion) -> Self {
        let mut ledger = Ledger::default();
        let stored = match (motion, &scene.compliance) {
            (Motion::Compression(Compression { state, .. }), Some(law)) => law.elastic_energy(state.compression()),
            _ => 0.0,
        };
        ledger.explained = ledger.sum(scene, &motion.state(&scene.ground), stored);
        ledger
    }

    /// `total + dissipated − work`, J, which is one number whichever part of moving ground sees the ball.
    fn sum(&mut self, scene: &Scene, state: &State, stored: f64) -> f64 {
        let kinetic = scene.ball.kinetic_energy(state.velocity, state.spin);
        self.kinetic = self.kinetic.max(kinetic);
        let potential = stored - scene.ball.mass() * scene.forces.gravity_vector().dot(&state.position);
        kinetic + potential + state.dissipated - state.work
    }

    /// Sizes of a state reached in `time` s, under an acceleration in m/s².
    fn sizes(scene: &Scene, state: &State, acceleration: f64) -> Sizes {
        let radius = scene.ball.radius();
        let place = state.position.lp_norm(1) + radius;
        let speed = state.velocity.lp_norm(1) + radius * state.spin.abs();
        Sizes { place, speed, rounding: Rounding::of_motion(place, state.time, speed, acceleration) }
    }

    /// Energy (J) that `force` (N, of the path) and `momentum` (N s) make of the rounding of a state.
    fn rounded(state: &State, rounding: &Rounding, [force, momentum]: [f64; 2]) -> f64 {
        let sums = f64::EPSILON * (state.dissipated + state.work.abs());
        Rounding::SUM * (momentum * rounding.velocity + force * rounding.length + sums)
    }

    /// Takes in a step.
    pub(crate) fn step(&mut self, scene: &Scene, entry: &Entry) -> Result<(), Stop> {
        let Entry { from, to, stored, phase, tolerance } = *entry;
        let sum = self.sum(scene, to, stored);
        let (mass, h) = (scene.ball.mass(), to.time - from.time);
        if !(h > 0.0) {
            return Ok(());
        }
        let change = (to.velocity - from.velocity).lp_norm(1);
        let impulse = mass * (scene.forces.gravity_vector().lp_norm(1) * h + change);
        let force = impulse / h;
        let Sizes { place, speed, rounding } = Ledger::sizes(scene, to, force / mass);
        let momentum = mass * speed.max(from.velocity.lp_norm(1)) + impulse;
        self.allowed += Ledger::rounded(to, &rounding, [force, momentum]);
        let Some(tolerance) = tolerance else {
            self.unjudged += sum - self.explained;
            self.explained = sum;
            return Ok(());
        };
        self.allowed += momentum * tolerance.allows(speed) + force * tolerance.allows(place);
        self.judge(to, sum, Some(phase))
    }

    /// Takes in an event, which leaves place (m), momentum (N s) and angular momentum (N m s) unbalanced by `residuals`.
    pub(crate) fn event(&mut self, scene: &Scene, after: &State, residuals: [f64; 4]) -> Result<(), Stop> {
        let weight = self.pass(scene, after, residuals);
        let Sizes { speed, rounding, .. } = Ledger::sizes(scene, after, 0.0);
        self.allowed += Ledger::rounded(after, &rounding, [weight, scene.ball.mass() * speed]);
        let sum = self.sum(scene, after, 0.0);
        self.judge(after, sum, None)
    }

    /// Allows what a change of state leaves unbalanced; the weight of the ball, N.
    pub(crate) fn pass(&mut self, scene: &Scene, after: &State, [place, momentum, angular, _]: [f64; 4]) -> f64 {
        let weight = scene.ball.mass() * scene.forces.gravity_vector().lp_norm(1);
        self.allowed += weight * place + after.velocity.lp_norm(1) * momentum + after.spin.abs() * angular;
        weight
    }

    fn judge(&mut self, at: &State, sum: f64, phase: Option<Phase>) -> Result<(), Stop> {
        let (unexplained, allowed) = (sum - self.explained, self.allowed);
        if unexplained.abs() <= allowed {
            // Nothing of nothing is none.
            self.used = self.used.max(unexplained.abs() / allowed);
            return Ok(());
        }
        Err(Stop::Unexplained { time: at.time, centre: at.position, phase, unexplained, allowed })
    }
}
