//! Ranges of the motion over a part of a stretch, with those of its rates.

use curves::{FrameOver, Place};
use mechanics::{Mode, PushOver};
use numbers::{Interval, Number, Taylor, bisect};
use rolling::{CompressedStep, CompressedSystem, ContactState, ContactSystem, Dense};

use crate::stretch::Course;
use crate::watch::{Range, law_over, part_of};
use crate::{Capture, Scene, Stretch};

/// A range, and that of its rate by time.
pub type Rate = Taylor<Interval, 2>;

/// The ball over a part of a stretch, seen from what stands still. A range that is not known is [`Interval::REAL`].
#[derive(Clone, Copy, Debug)]
pub struct Over {
    /// Time, s.
    pub time: Rate,
    /// Position of the centre, m.
    pub position: [Rate; 2],
    /// Velocity, m/s.
    pub velocity: [Rate; 2],
    /// Angle, rad.
    pub angle: Rate,
    /// Spin, rad/s.
    pub spin: Rate,
    /// Speed `v·τ` on the ground, as the ground sees it, m/s.
    pub along: Option<Rate>,
    /// Normal force λ, N.
    pub normal_force: Rate,
    /// Places at both ends, on the ground.
    pub place: Option<(Place, Place)>,
}

/// A number of which only the range is known, not the rate.
fn only(range: Interval) -> Rate {
    Taylor([range, Interval::REAL])
}

fn fixed(value: f64) -> Rate {
    Taylor::constant(value)
}

/// A spin that does not change, and the angle by it.
fn turning(spin: f64, angle: f64, since: Interval) -> [Rate; 2] {
    [Taylor([Interval::point(angle) + since.scale(spin), Interval::point(spin)]), fixed(spin)]
}

impl Stretch<'_> {
    /// Encloses the ball between two times (s) of it.
    pub fn over(&self, from: f64, to: f64) -> Option<Over> {
        let scene = self.scene();
        let time = Taylor::variable(Interval::new(from, to));
        let mut over = match self.course() {
            Course::Flight(step) => {
                let (begin, since) = (step.start(), Interval::new(from, to) - Interval::point(step.start().time));
                let [angle, spin] = turning(begin.spin, begin.angle, since);
                let [from, to] = [from, to].map(|t| t - begin.time);
                let (place, velocity) = (step.bounds(from, to), step.velocity_over(from, to));
                let position = [0, 1].map(|i| Taylor([place[i], velocity[i].0[0]]));
                Over { time, position, velocity, angle, spin, along: None, normal_force: fixed(0.0), place: None }
            }
            Course::Jump(capture) => last_bounces(capture, time),
            Course::Contact(step, mode) => {
                let (system, dense) = (scene.system(mode, step.start.place), self.dense(step, mode));
                let mut over = on_ground(&system, dense, [from, to].map(|t| t - step.start.time), time);
                if step.is_carried() {
                    // It goes straight from one end of the step to the other.
                    let force = [from, to].map(|t| self.normal_force(t));
                    over.normal_force = only(Interval::between(force[0], force[1]));
                }
                over
            }
            Course::Rest(state) => at_rest(scene, state, time),
            Course::Wedged(wedged) => {
                let state = &wedged.state;
                // A spin that the walls slow down keeps its sign.
                let [(first, begin), (last, end)] = [from, to].map(|t| wedged.turned(scene, t - state.time));
                let spin = only(Interval::between(first, last));
                let angle = Taylor([Interval::between(begin, end), spin.0[0]]);
                Over {
                    time,
                    position: [state.position.x, state.position.y].map(fixed),
                    velocity: [fixed(0.0); 2],
                    angle,
                    spin,
                    along: Some(fixed(0.0)),
                    normal_force: only(Interval::REAL),
                    place: Some((wedged.places[0], wedged.places[0])),
                }
            }
            Course::Compressed(_, step, pressing) => compressed(&scene.compressed(pressing)?, step, time),
        };
        if let Some(carriage) = scene.forces.carriage() {
            let moved = carriage.at(time);
            for i in 0..2 {
                over.position[i] = over.position[i] + moved.position[i];
                over.velocity[i] = over.velocity[i] + moved.velocity[i];
            }
        }
        Some(over)
    }
}

/// Frozen parabolas along the ground: no higher than the first hop, no faster across.
fn last_bounces(capture: &Capture, time: Rate) -> Over {
    let (start, frame) = (&capture.start, &capture.frame);
    let t = time.0[0] - Interval::point(start.time);
    let along = Interval::point(start.velocity.dot(&frame.tangent)) + t.scale(capture.acceleration);
    let way = t * (Interval::point(start.velocity.dot(&frame.tangent)) + t.scale(0.5 * capture.acceleration));
    let height = Interval::new(0.0, 0.5 * capture.speed * capture.speed / capture.pull);
    let across = Interval::new(-capture.speed, capture.speed);
    let velocity = [0, 1].map(|i| along.scale(frame.tangent[i]) + across.scale(frame.normal[i]));
    let position = [0, 1].map(|i| {
        let place = Interval::point(start.position[i]) + way.scale(frame.tangent[i]) + height.scale(frame.normal[i]);
        Taylor([place, velocity[i]])
    });
    // Bounces change the spin.
    let spin = only(Interval::REAL);
    let velocity = velocity.map(only);
    Over { time, position, velocity, angle: spin, spin, along: None, normal_force: fixed(0.0), place: None }
}

fn on_ground(system: &ContactSystem, dense: &Dense, [from, to]: [f64; 2], time: Rate) -> Over {
    let (start, path) = (&dense.step().start, dense.path());
    let ([s, angle], [rate, turning]) = (path.bounds(from, to), path.velocity_bounds(from, to));
    let [bend, twist] = path.acceleration_over(from, to);
    let s = s.intersection(system.ground.range(start.place)).unwrap_or(s);
    let (over, stretch) = system.ground.enclosure_and_rate(start.place, s);
    let speed = Taylor([rate * over.speed, bend * over.speed + rate.square() * stretch]);
    let spin = match system.mode {
        _ if !system.ball.turns() => Taylor::constant(start.spin),
        Mode::Rolling { .. } => speed.scale(-1.0 / system.ball.radius()),
        _ => Taylor([turning, twist]),
    };
    let turn = over.curvature * speed.0[0];
    let tangent = [0, 1].map(|i| Taylor([over.tangent[i], over.normal[i] * turn]));
    let velocity = tangent.map(|along| along * speed);
    let (_, motion) = part_of(system, dense, from, to);
    Over {
        time,
        position: [0, 1].map(|i| Taylor([over.position[i], velocity[i].0[0]])),
        velocity,
        angle: Taylor([angle, spin.0[0]]),
        spin,
        along: Some(speed),
        normal_force: only(law_over(system, &over, &motion).normal_force),
        place: Some((start.place.at(s.lo), start.place.at(s.hi))),
    }
}

fn at_rest(scene: &Scene, state: &ContactState, time: Rate) -> Over {
    let system = scene.system(Mode::Resting, state.place);
    let over: FrameOver<Interval> = system.ground.enclosure(state.place, Interval::point(state.place.parameter()));
    let [speed, rate] = [0.0, state.spin].map(Interval::point);
    let [angle, spin] = turning(state.spin, state.angle, time.0[0] - Interval::point(state.time));
    let force = law_over(&system, &over, &Range { time: time.0[0], speed, spin: rate }).normal_force;
    Over {
        time,
        position: [state.frame.position.x, state.frame.position.y].map(fixed),
        velocity: [fixed(0.0); 2],
        angle,
        spin,
        along: Some(fixed(0.0)),
        normal_force: only(force),
        place: Some((state.place, state.place)),
    }
}

/// Encloses a step of compressed contact by the interpolant between its nodes, which is made in a time of its own. That stands still
/// where the ball touches: rates are those of the law of motion.
fn compressed(system: &CompressedSystem, step: &CompressedStep, time: Rate) -> Over {
    let before = |t: f64| bisect(|part| step.near(part).time < t, 0.0, 1.0);
    let part = Interval::new(before(time.0[0].lo)[0], before(time.0[0].hi)[1]);
    let [_, s, root, vx, vy, spin] = step.core(part);
    let s = s.intersection(system.ground.range(step.start.place)).unwrap_or(s);
    let (over, velocity) = (system.ground.enclosure(step.start.place, s), [vx, vy]);
    let [along, away] = [over.tangent, over.normal].map(|direction| vx * direction[0] + vy * direction[1]);
    let position = [0, 1].map(|i| over.position[i] - root.square() * over.normal[i]);
    let push = match system.pressing {
        true => system.compliance.push_over(system.ball, root, [away, along], spin),
        false => PushOver::NOTHING,
    };
    let applied = match system.forces.constant(spin.magnitude()) {
        Some(force) => [force.x, force.y].map(Interval::point),
        None => system.forces.at(time.0[0], position, velocity, spin),
    };
    let acceleration = [0, 1].map(|i| {
        let contact = push.normal_force * over.normal[i] + push.tangential_force * over.tangent[i];
        (applied[i] + contact).scale(1.0 / system.ball.mass())
    });
    let [faster, off] = [over.tangent, over.normal]
        .map(|direction| (0..2).fold(Interval::point(0.0), |sum, i| sum + acceleration[i] * direction[i]));
    // dτ = turn n, dn = −turn τ
    let turn = over.curvature * along / (Interval::point(1.0) + over.curvature * root.square());
    let (along_rate, away_rate) = (faster + turn * away, off - turn * along);
    let spin = Taylor([spin, push.friction_force.scale(system.ball.spin_by(1.0))]);
    let turned = (time.0[0] - Interval::point(step.start.time)) * spin.0[0];
    Over {
        time,
        position: [0, 1].map(|i| Taylor([position[i], velocity[i]])),
        velocity: [0, 1].map(|i| Taylor([velocity[i], acceleration[i]])),
        angle: Taylor([Interval::point(step.start.angle) + turned, spin.0[0]]),
        spin,
        along: Some(Taylor([along, along_rate])),
        normal_force: Taylor([push.normal_force, push.by_speed * away_rate - push.by_compression * away]),
        place: Some((step.start.place.at(s.lo), step.start.place.at(s.hi))),
    }
}
