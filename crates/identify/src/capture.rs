//! The derivative of summed-up bounces.

use curves::{Number, Place};
use mechanics::normal_force;

use crate::model::{Dual, Model, Vector, constant, dot};

/// Newton's steps to a foot: a jump is short, and each of them leaves a part in 1e3 at most.
const ROUNDS: u32 = 4;

/// How long a jump takes, and the ball in contact after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    /// T, s.
    pub duration: Dual,
    pub after: Vector<Dual>,
}

/// Bounces that are summed up, as the run has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounces {
    /// Where.
    pub place: Place,
    /// Friction brings the contact point to rest.
    pub sticks: bool,
    /// Their end was put at their beginning, since nothing is known of it (e = 1).
    pub at_once: bool,
}

/// The jump of DESIGN §2, Zeno, from a state after an impact at parameter `s`:
/// `T = 2w/(|g̈|(1−e))`, `P_n = m(|g̈|T − w)`, and friction's share of it.
pub(crate) fn jump(model: &Model, bounces: Bounces, time: Dual, s: Dual, x: &Vector<Dual>) -> Jump {
    let Bounces { place, sticks, at_once } = bounces;
    let (ball, law) = (&model.scene.ball, &model.scene.law);
    let [px, py, vx, vy, spin, angle] = *x;
    let frame = model.frame(place, s);
    let force = model.force(time, [px, py], [vx, vy], spin);
    let per_mass = 1.0 / ball.mass();
    let (rise, along) = (dot([vx, vy], frame.normal), dot([vx, vy], frame.tangent));
    let pull = normal_force(ball.mass(), frame.curvature, along, dot(force, frame.normal)).scale(per_mass);
    let drive = dot(force, frame.tangent).scale(per_mass);
    let duration = if at_once { constant(0.0) } else { rise.scale(2.0 / (1.0 - law.restitution())) / pull };
    let push = (pull * duration - rise).scale(ball.mass());
    let slip = along + spin.scale(model.lever()) + drive * duration;
    let grip = if sticks { crate::model::Grip::Sticks } else { crate::model::Grip::Slides(-slip.0[0].signum()) };
    let impulse = model.friction_impulse(grip, push, slip, 1.0);
    let gained = drive * duration + impulse.scale(per_mass);
    let travel = duration * (along + gained.scale(0.5));
    // The foot below the end of the frozen path.
    let mut foot = s + travel / frame.speed;
    for _ in 0..ROUNDS {
        let at = model.frame(place, foot);
        let away = [0, 1].map(|i| [px, py][i] + frame.tangent[i] * travel - at.position[i]);
        foot = foot + dot(away, at.tangent) / at.speed;
    }
    let mut speed = along + gained;
    let mut spin_after = spin + impulse.scale(ball.spin_by(1.0));
    if sticks && ball.turns() {
        spin_after = speed.scale(-1.0 / ball.radius());
    } else if sticks {
        speed = constant(0.0);
    }
    let turned = angle + (duration * (spin + spin_after)).scale(0.5);
    let zero = constant(0.0);
    Jump { duration, after: [foot, speed, spin_after, turned, zero, zero] }
}
