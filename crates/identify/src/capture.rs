//! The derivative of summed-up bounces.

use curves::Place;
use mechanics::{Grip, Impulses, Jump, Rebound, normal_force};
use numbers::Dual;
use rolling::foot;

use crate::model::{Model, Vector, constant, dot};

/// How long a jump takes, and the ball in contact after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landed {
    /// T, s.
    pub duration: Dual,
    pub after: Vector<Dual>,
}

/// Bounces that are summed up, as the run has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounces {
    /// Place of the bounces.
    pub place: Place,
    /// Whether friction brings the contact point to rest; else it does what it can.
    pub sticks: bool,
    /// Their end was put at their beginning, since nothing is known of it (e = 1).
    pub at_once: bool,
}

/// [`Rebound::jump`] from a state after an impact at parameter `s`.
pub(crate) fn jump(model: &Model, bounces: Bounces, time: Dual, s: Dual, x: &Vector<Dual>) -> Landed {
    let Bounces { place, sticks, at_once } = bounces;
    let (ball, law) = (&model.scene.ball, model.scene.law_at(place));
    let [px, py, vx, vy, spin, angle] = *x;
    let frame = model.frame(place, s);
    let (rise, along) = (dot([vx, vy], frame.normal), dot([vx, vy], frame.tangent));
    let force = model.force(time, [px, py], frame.tangent.map(|t| t * along), spin);
    let [drive, across] = [frame.tangent, frame.normal].map(|direction| dot(force, direction));
    let per_mass = |force: Dual| force / constant(ball.mass());
    let pull = per_mass(normal_force(ball.mass(), frame.curvature, along, across));
    // What drag changes of it is of second order: its derivative is left out.
    let run = model.scene.ground.frame(place.at(s.0[0]));
    let damping = constant(model.scene.forces.damping([vx.0[0], vy.0[0]].into(), run.normal));
    let rebound = Rebound { rise, along, spin, pull, drive: per_mass(drive), damping };
    let duration = if at_once { constant(0.0) } else { rebound.duration(law) };
    let direction = |asked: Impulses<Dual>| if at_once { 0.0 } else { asked.tangential.0[0].signum() };
    let grip = |asked| if sticks { Grip::Sticks } else { Grip::Slides(direction(asked)) };
    let Jump { travel, speed, spin, turned, .. } = rebound.jump(ball, law, duration, ball.slip(along, spin), grip);
    // The foot below the end of the frozen path: one more step of Newton's method than its value needs gives its derivative.
    let end = [0, 1].map(|i| [px, py][i] + frame.tangent[i] * travel);
    let found = foot(&model.scene.ground, place.at(s.0[0]), run, [end[0].0[0], end[1].0[0]].into());
    let near = found.map_or(f64::NAN, |found| found.place.parameter());
    let at = model.frame(place, constant(near));
    let away = [0, 1].map(|i| at.position[i] - end[i]);
    let foot =
        constant(near) - dot(away, at.tangent) / (at.speed * (constant(1.0) + at.curvature * dot(away, at.normal)));
    Landed { duration, after: [foot, speed, spin, angle + turned, constant(0.0), constant(0.0)] }
}
