//! Whether a step has seen what acts along it.
//!
//! A method judges its error by what it meets at its nodes. A hill or a push between two of them is none to it. Bounds over the
//! whole step tell: a step is too long where gravity and the other forces, along the ground and across it, may be far
//! from all that its nodes have met.

use curves::{Clearance, Frame, FrameEnclosure, Interval, Number};
use mechanics::Forces;
use nalgebra::Vector2;
use newmark::Tolerance;
use rolling::{CompressedState, CompressedStep, CompressedSystem, ContactState, ContactStep, ContactSystem};

use crate::watch::{Range, swept};

/// Halvings after which a part of a step is as small as bounds are taken over.
const HALVINGS: u32 = 6;
/// Of rounding, in accelerations.
const GRAIN: f64 = 1e-13;

/// What a step's nodes have met: ranges of `F·τ/m` and `F·n/m`, m/s².
struct Met {
    range: [Interval; 2],
    allowed: f64,
}

impl Met {
    fn new(allowed: f64) -> Self {
        Met { range: [Interval::new(f64::INFINITY, f64::NEG_INFINITY); 2], allowed }
    }

    fn add(&mut self, drive: [f64; 2]) {
        for (range, drive) in self.range.iter_mut().zip(drive) {
            *range = Interval::new(range.lo.min(drive), range.hi.max(drive));
        }
    }

    /// Up to four times as wide as what was met.
    fn holds(&self, bounds: &[Interval; 2]) -> bool {
        self.range.iter().zip(bounds).all(|(met, bound)| {
            let margin = 1.5 * (met.hi - met.lo) + self.allowed + GRAIN * met.hi.abs().max(met.lo.abs());
            met.lo - margin <= bound.lo && bound.hi <= met.hi + margin
        })
    }

    /// Whether that holds what acts between two times or parts, by bounds of parts of it. What can't be bounded is let pass.
    fn covers(&self, from: f64, to: f64, halvings: u32, over: &impl Fn(f64, f64) -> [Interval; 2]) -> bool {
        let bounds = over(from, to);
        if self.holds(&bounds) {
            return true;
        }
        if halvings == 0 {
            return bounds.iter().any(|bound| !bound.is_bounded());
        }
        let middle = 0.5 * (from + to);
        self.covers(from, middle, halvings - 1, over) && self.covers(middle, to, halvings - 1, over)
    }
}

/// Ranges over a part of a step, and the frame in the middle of its ground.
struct Part {
    over: FrameEnclosure,
    middle: Frame,
    /// Half its parameters.
    half: f64,
    time: Interval,
    velocity: [Interval; 2],
    spin: Interval,
}

impl Part {
    /// Bounds of `F·τ/m` and `F·n/m`.
    fn drive(&self, forces: &Forces) -> [Interval; 2] {
        let [x, y] = match forces.constant(self.spin.magnitude()) {
            Some(force) => [Interval::point(force.x), Interval::point(force.y)],
            None => forces.at(self.time, self.over.position, self.velocity, self.spin),
        };
        let Frame { tangent, normal, .. } = self.middle;
        let (force, spread) = (Vector2::new(x.middle(), y.middle()), 0.5 * x.width().hypot(y.width()));
        // From the middle the ground turns by no more than this: where it is bent sharply, far less than what quotients of
        // intervals say.
        let turn = (self.over.curvature * self.over.speed).magnitude() * self.half;
        let bound = |along: Vector2<f64>, across: Vector2<f64>, direct: [Interval; 2]| {
            let direct = (x * direct[0] + y * direct[1]).scale(1.0 / forces.mass());
            let off = force.dot(&across).abs() * turn + 0.5 * force.norm() * turn * turn + spread;
            let value = force.dot(&along);
            let near = Interval::new(value - off, value + off).scale(1.0 / forces.mass());
            if near.is_bounded() { near.intersection(direct).unwrap_or(near) } else { direct }
        };
        [bound(tangent, normal, self.over.tangent), bound(normal, tangent, self.over.normal)]
    }
}

/// Whether a step along the ground, chosen by a tolerance, has seen what acts along it; one of fixed length counts as seen.
pub(crate) fn has_seen(system: &ContactSystem, step: &ContactStep, tolerance: Tolerance) -> bool {
    if !step.has_middle {
        return true;
    }
    let ContactStep { start, middle, end, .. } = step;
    let (part, motion) = swept(system, step);
    let whole = system.ground.range(start.place);
    let straight = |part| system.ground.enclosure(start.place, part).curvature == Interval::point(0.0);
    if system.forces.is_uniform() && part.intersection(whole).is_some_and(straight) {
        // What acts changes with the velocity alone.
        return true;
    }
    let h = step.duration();
    let acts = |state: &ContactState| {
        let force = system.forces.force_at(&state.state()) / system.ball.mass();
        [force.dot(&state.frame.tangent), force.dot(&state.frame.normal)]
    };
    let mut met = Met::new(tolerance.allows(start.speed.abs().max(end.speed.abs())) / h);
    [start, middle, end].into_iter().for_each(|state| met.add(acts(state)));
    let over = |part: Interval, motion: &Range| {
        let part = part.intersection(whole)?;
        let over = system.ground.enclosure(start.place, part);
        let middle = system.ground.frame(start.place.at(part.middle()));
        let velocity = over.tangent.map(|along| along * motion.speed);
        let (time, spin) = (motion.time, motion.spin_of(system));
        Some(Part { over, middle, half: 0.5 * part.width(), time, velocity, spin }.drive(system.forces))
    };
    if over(part, &motion).is_none_or(|bounds| met.holds(&bounds)) {
        return true;
    }
    let dense = step.dense(system);
    // The method's own check between its nodes looked there.
    met.add(acts(&dense.at(system, 0.25 * h)));
    met.covers(0.0, h, HALVINGS, &|from, to| {
        let [s, _] = dense.path().bounds(from, to);
        let [rate, turning] = dense.path().velocity_bounds(from, to);
        let speed = s.intersection(whole).map(|s| rate * system.ground.enclosure(start.place, s).speed);
        let time = Interval::new(start.time + from, start.time + to);
        let motion = Range { time, speed: speed.unwrap_or(motion.speed), spin: turning };
        // Beyond its piece the step does not go.
        over(s, &motion).unwrap_or(met.range)
    })
}

/// Whether a step of compliant contact has seen what acts along it.
pub(crate) fn has_seen_compressed(system: &CompressedSystem, step: &CompressedStep, tolerance: Tolerance) -> bool {
    let (start, end) = (&step.start, &step.end);
    let at = |part: f64| if part == 1.0 { *end } else { step.near(part) };
    let acts = |state: &CompressedState| {
        let (frame, force) = (system.ground.frame(state.place), system.forces.force_at(&state.state(system.ground)));
        [frame.tangent, frame.normal].map(|along| force.dot(&along) / system.ball.mass())
    };
    let lasts = end.time - start.time;
    let mut met = Met::new(tolerance.allows(start.velocity.norm().max(end.velocity.norm())) / lasts);
    let [first, second] = step.inner_nodes();
    [*start, at(first), at(second), *end].iter().for_each(|state| met.add(acts(state)));
    let whole = system.ground.range(start.place);
    met.covers(0.0, 1.0, HALVINGS, &|from, to| {
        let states = [at(from), at(0.5 * (from + to)), at(to)];
        // The path is a polynomial of the step: what three of its points span, and half of that more.
        let span = |number: fn(&CompressedState) -> f64| {
            let [a, b, c] = states.each_ref().map(number);
            let (lo, hi) = (a.min(b).min(c), a.max(b).max(c));
            let more = 0.5 * (hi - lo);
            Interval::new(lo - more, hi + more)
        };
        let Some(part) = span(|state| state.place.parameter()).intersection(whole) else { return met.range };
        let mut over = system.ground.enclosure(start.place, part);
        let deep = span(|state| state.compression()).magnitude();
        over.position = over.position.map(|axis| Interval::new(axis.lo - deep, axis.hi + deep));
        let middle = system.ground.frame(start.place.at(part.middle()));
        let velocity = [span(|state| state.velocity.x), span(|state| state.velocity.y)];
        let (time, spin) = (span(|state| state.time), span(|state| state.spin));
        Part { over, middle, half: 0.5 * part.width(), time, velocity, spin }.drive(system.forces)
    })
}

/// Steps of the search below.
const ADVANCES: u32 = 64;

/// How a step comes to a second contact of a compressed ball: with a ground point it comes to touch, or one that is `born` as a
/// second minimum of the distance when it is compressed there already.
pub(crate) enum Approach {
    /// Not on this step.
    Clear,
    /// At a part of it.
    Meets { part: f64, other: Vector2<f64>, born: bool },
    /// Not up to this part of it; beyond, nobody has looked.
    Unknown(f64),
}

/// Looks for the first second contact up to `part` of a step: from one of its points to the next that can be reached
/// without one.
pub(crate) fn second_contact(system: &CompressedSystem, step: &CompressedStep, part: f64) -> Approach {
    if system.ground.touches_once() {
        return Approach::Clear;
    }
    let at = |part: f64| if part == 1.0 { step.end } else { step.near(part) };
    let centre = |part: f64| at(part).state(system.ground).position;
    let grain = 1e-13 * system.ball.radius();
    let distance = |part: f64| beside(system, &at(part)).distance - grain;
    let (mut before, mut from) = (0.0, 0.0);
    for _ in 0..ADVANCES {
        let Clearance { distance: gap, other, .. } = beside(system, &at(from));
        if let (true, Some(other)) = (gap <= grain, other) {
            let part = if from > before { crate::watch::bisect(&distance, before, from) } else { from };
            let there = beside(system, &at(part));
            let born = there.distance < -1e-9 * system.ball.radius();
            return Approach::Meets { part, other: there.other.unwrap_or(other), born };
        }
        // The way to a part, and a little more.
        let way = |to: f64| -> f64 {
            let points: [Vector2<f64>; 9] = std::array::from_fn(|i| centre(from + (to - from) * i as f64 / 8.0));
            1.05 * points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum::<f64>()
        };
        if way(part) < gap {
            return Approach::Clear;
        }
        before = from;
        from = crate::watch::bisect(&|to| gap - way(to), from, part).min(part);
        if from >= part {
            return Approach::Clear;
        }
    }
    Approach::Unknown(from)
}

/// The room a compressed ball has before it touches the ground in a second place.
pub(crate) fn beside(system: &CompressedSystem, state: &CompressedState) -> Clearance {
    let ground = system.ground;
    let room = ground.clearance(state.place);
    let compression = state.compression();
    if room.distance > 4.0 * compression {
        return Clearance { distance: room.distance - compression, ..room };
    }
    ground.beside(state.place, state.state(ground).position)
}
