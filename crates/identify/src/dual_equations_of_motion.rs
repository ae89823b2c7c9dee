//! Equations of motion over dual numbers: the rates of a state, and their derivatives by state and time.

use curves::{Frame, FrameOver, Place};
use mechanics::{ContactForces, Mode, State};
use numbers::{Dual, Number, Taylor};
use supervisor::{Scene, Start};

/// State of a ball, in the layout of its [`SweepPhase`]:
///
/// ```text
/// flight     x  y  vx  vy  ω  φ        place (m), velocity (m/s), spin (rad/s), angle (rad)
/// contact    s  v·τ  ω  φ  0  0        parameter of the ground, speed along it (m/s), spin, angle
/// ```
///
/// [`Model::on_ground`] converts contact to flight.
pub(crate) type Vector<N> = [N; 6];

/// A scene and a start.
#[derive(Debug)]
pub struct Model {
    /// Ball, ground, forces and laws.
    pub scene: Scene,
    /// Start of the run.
    pub start: Start,
}

/// Phase of the ball, by which its state [`Vector`] is laid out; of a place only the piece or corner counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SweepPhase {
    Flight,
    Contact { place: Place, mode: Mode },
}

/// The frame with derivatives set to zero.
fn still(frame: &FrameOver<Dual>) -> FrameOver<Dual> {
    let pair = |pair: [Dual; 2]| pair.map(|x| constant(x.0[0]));
    Frame {
        position: pair(frame.position),
        tangent: pair(frame.tangent),
        normal: pair(frame.normal),
        curvature: constant(frame.curvature.0[0]),
        speed: constant(frame.speed.0[0]),
    }
}

/// Contact forces, and the rates ẋ that follow from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRates {
    pub rates: Vector<Dual>,
    pub forces: ContactForces<Dual>,
}

#[inline]
pub(crate) fn constant(x: f64) -> Dual {
    Dual::constant(x)
}

#[inline]
pub(crate) fn dot<N: Number>(a: [N; 2], b: [N; 2]) -> N {
    a[0] * b[0] + a[1] * b[1]
}

/// Values of dual numbers.
#[inline]
pub(crate) fn value<const D: usize>(x: &[Dual; D]) -> [f64; D] {
    x.map(|x| x.0[0])
}

/// Derivatives of dual numbers.
#[inline]
pub(crate) fn slope<const D: usize>(x: &[Dual; D]) -> [f64; D] {
    x.map(|x| x.0[1])
}

/// Dual numbers `x + ε d`.
#[inline]
pub(crate) fn along<const D: usize>(x: &[f64; D], d: &[f64; D]) -> [Dual; D] {
    std::array::from_fn(|i| Taylor([x[i], d[i]]))
}

/// Velocity so small that it changes nothing, whose square does not underflow, m/s.
const LITTLE: f64 = 1e-150;

impl Model {
    /// Whether another model has exactly the same formulas of motion: in flight, and in contact.
    pub(crate) fn moves_as(&self, other: &Model) -> [bool; 2] {
        let (a, b) = (&self.scene, &other.scene);
        let flight = a.forces == b.forces && a.ball == b.ball;
        [
            flight,
            flight
                && a.law.moves_as(&b.law)
                && a.own_laws.len() == b.own_laws.len()
                && a.own_laws.iter().zip(&b.own_laws).all(|(a, b)| a.moves_as(b))
                && std::sync::Arc::ptr_eq(a.ground.shared(), b.ground.shared()),
        ]
    }

    /// The largest relative difference between the numbers of another model's start and this one's; 0 if they are
    /// equal. ∞ if a number that is zero here differs, or if the models differ in more than the start.
    pub(crate) fn starts_beside(&self, other: &Model) -> f64 {
        let laws = (&self.scene.law, &self.scene.own_laws) == (&other.scene.law, &other.scene.own_laws);
        if self.moves_as(other) != [true; 2] || self.looks_as(other) != [true; 2] || !laws {
            return f64::INFINITY;
        }
        let numbers = |model: &Model| {
            let (place, state) = model.start.ball(&model.scene);
            let State { time, position: q, velocity: v, angle, spin, .. } = state;
            [place.parameter(), time, q.x, q.y, v.x, v.y, angle, spin]
        };
        let pairs = numbers(self).into_iter().zip(numbers(other));
        pairs
            .filter(|(here, there)| here != there)
            .map(|(here, there)| ((there - here) / here).abs())
            .fold(0.0, f64::max)
    }

    /// Whether states of another model are observed by the same formulas: in flight, and in contact.
    pub(crate) fn looks_as(&self, other: &Model) -> [bool; 2] {
        let (a, b) = (&self.scene, &other.scene);
        let flight = a.forces.carriage() == b.forces.carriage();
        [flight, flight && std::sync::Arc::ptr_eq(a.ground.shared(), b.ground.shared())]
    }

    /// The frame at parameter `s` of a place's piece or corner.
    pub(crate) fn frame(&self, place: Place, s: Dual) -> FrameOver<Dual> {
        self.scene.ground.frame_over(place, s)
    }

    /// Rates `ẋ` in a phase.
    pub(crate) fn rates(&self, phase: SweepPhase, time: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        match phase {
            SweepPhase::Flight => {
                let [px, py, vx, vy, spin, _] = *x;
                let force = self.force(time, [px, py], [vx, vy], spin);
                let [ax, ay] = force.map(|f| f.scale(1.0 / self.scene.ball.mass()));
                [vx, vy, ax, ay, constant(0.0), spin]
            }
            SweepPhase::Contact { place, mode } => self.contact(place, mode, time, x).rates,
        }
    }

    /// Rates `ẋ`, without derivatives.
    pub(crate) fn motion(&self, phase: SweepPhase, time: f64, x: &Vector<f64>) -> Vector<f64> {
        let SweepPhase::Flight = phase else { return value(&self.rates(phase, constant(time), &x.map(constant))) };
        let [px, py, vx, vy, spin, _] = *x;
        let force = self.scene.forces.force(time, [px, py].into(), [vx, vy].into(), spin) / self.scene.ball.mass();
        [vx, vy, force.x, force.y, 0.0, spin]
    }

    /// Rates `ẋ`, and the columns of `D_x f`.
    pub(crate) fn linear(&self, phase: SweepPhase, time: f64, x: &Vector<f64>) -> (Vector<f64>, [Vector<f64>; 6]) {
        if let SweepPhase::Contact { place, mode } = phase {
            // Rates depend on s, v·τ and ω alone; of these only s (i = 0) moves the frame.
            let moving = self.frame(place, Taylor([x[0], 1.0]));
            let still = still(&moving);
            let column = |i: usize| {
                let x = std::array::from_fn(|k| Taylor([x[k], if k == i { 1.0 } else { 0.0 }]));
                self.contact_on(place, if i == 0 { &moving } else { &still }, mode, constant(time), &x).rates
            };
            let columns = [column(0), column(1), column(2)];
            let [first, second, third] = columns.map(|rates| slope(&rates));
            return (value(&columns[0]), [first, second, third, [0.0; 6], [0.0; 6], [0.0; 6]]);
        }
        let [px, py, vx, vy, spin, _] = *x;
        let slopes = self.scene.forces.jacobian(time, [px, py].into(), [vx, vy].into(), spin);
        let per_mass = 1.0 / self.scene.ball.mass();
        let [place, velocity] = [slopes.position * per_mass, slopes.velocity * per_mass];
        let turning = slopes.spin * per_mass;
        let columns = [
            [0.0, 0.0, place[(0, 0)], place[(1, 0)], 0.0, 0.0],
            [0.0, 0.0, place[(0, 1)], place[(1, 1)], 0.0, 0.0],
            [1.0, 0.0, velocity[(0, 0)], velocity[(1, 0)], 0.0, 0.0],
            [0.0, 1.0, velocity[(0, 1)], velocity[(1, 1)], 0.0, 0.0],
            [0.0, 0.0, turning.x, turning.y, 0.0, 1.0],
            [0.0; 6],
        ];
        (self.motion(phase, time, x), columns)
    }

    /// The force, N. Where the ball moves with the wind, drag `|w|w` and its derivative are 0, but the chain rule
    /// through `|w|` gives 0/0: there a velocity beside it is used, off by no more than rounding.
    pub(crate) fn force(&self, time: Dual, position: [Dual; 2], velocity: [Dual; 2], spin: Dual) -> [Dual; 2] {
        let forces = &self.scene.forces;
        let force = forces.at(time, position, velocity, spin);
        let finite = |numbers: [f64; 2]| numbers.iter().all(|x| x.is_finite());
        if finite(slope(&force)) || !finite(value(&force)) {
            return force;
        }
        let beside = velocity.map(|v| v + constant((4.0 * f64::EPSILON * v.0[0].abs()).max(LITTLE)));
        forces.at(time, position, beside, spin)
    }

    /// Contact forces and rates at a place.
    pub(crate) fn contact(&self, place: Place, mode: Mode, time: Dual, x: &Vector<Dual>) -> ContactRates {
        self.contact_on(place, &self.frame(place, x[0]), mode, time, x)
    }

    /// Contact forces and rates on `frame`, which is that of `place` at x₀ = s.
    fn contact_on(
        &self,
        place: Place,
        frame: &FrameOver<Dual>,
        mode: Mode,
        time: Dual,
        x: &Vector<Dual>,
    ) -> ContactRates {
        let (ball, law) = (&self.scene.ball, self.scene.law_at(place));
        let [_, speed, spin, ..] = *x;
        let force = self.force(time, frame.position, frame.tangent.map(|c| c * speed), spin);
        // For μ = ∞ there is no sliding friction. For μ = 0 the mode has no direction of slip, which ∂f/∂μ needs.
        let mode = match mode {
            Mode::Sliding { spin, .. } if law.never_slips() => Mode::Sliding { sign: 0.0, spin },
            Mode::Sliding { sign: 0.0, spin } => Mode::Sliding { sign: self.slip(x).0[0].signum(), spin },
            mode => mode,
        };
        let force = [frame.tangent, frame.normal].map(|direction| dot(force, direction));
        let forces = ContactForces::over(ball, law, mode, frame.curvature, speed, force);
        let zero = constant(0.0);
        let rates = [speed / frame.speed, forces.acceleration, forces.spin_acceleration, spin, zero, zero];
        ContactRates { rates, forces }
    }

    /// Slip velocity u of a ball in contact, m/s.
    pub(crate) fn slip(&self, x: &Vector<Dual>) -> Dual {
        self.scene.ball.slip(x[1], x[2])
    }

    /// State in the layout of flight, in the frame of the ground.
    pub(crate) fn on_ground(&self, phase: SweepPhase, x: &Vector<Dual>) -> Vector<Dual> {
        match phase {
            SweepPhase::Flight => *x,
            SweepPhase::Contact { place, .. } => {
                let frame = self.frame(place, x[0]);
                let [vx, vy] = frame.tangent.map(|c| c * x[1]);
                [frame.position[0], frame.position[1], vx, vy, x[2], x[3]]
            }
        }
    }

    /// State in the layout of flight, in the frame at rest: with the motion of the ground added.
    pub(crate) fn seen(&self, phase: SweepPhase, time: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let mut seen = self.on_ground(phase, x);
        if let Some(carriage) = self.scene.forces.carriage() {
            let origin = carriage.at(time);
            let moved = [origin.position[0], origin.position[1], origin.velocity[0], origin.velocity[1]];
            for (seen, by) in seen.iter_mut().zip(moved) {
                *seen = *seen + by;
            }
        }
        seen
    }
}
