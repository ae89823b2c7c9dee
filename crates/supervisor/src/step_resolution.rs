//! Whether a step has seen what acts along it.
//!
//! A method judges its error by what it meets at its nodes. A hill or a push between two of them is none to it. Bounds over the
//! whole step tell. A step is too long where gravity and the other forces, along the ground and across it, are far from all that
//! its nodes have met. So it is where the ground itself is longer than they say.

use curves::Motion;
use newmark::Tolerance;
use numbers::{Interval, Number, Rounding, Taylor};
use rolling::{CompressedState, CompressedStep, CompressedSystem, ContactState, ContactStep, ContactSystem, Dense};

use crate::guard_search::{LONGER, has_met};
use crate::stretch::{GroundOver, Rate, turning_frame};

/// Parts of a step looked at. A push a part in 2⁶³ long is found by halving towards it; where bounds decide nothing
/// anywhere, 64 parts of equal length have been looked at, and shorter steps would not be told apart better.
const LOOKS: usize = 127;

/// Ranges of `F·τ/m` and `F·n/m` that a step has met at its nodes, m/s².
struct NodeRange {
    range: [Interval; 2],
    /// Acceleration that makes no difference in any part of the step, m/s².
    allowed: f64,
}

impl NodeRange {
    /// `allowed` is a velocity over the duration of the step.
    fn new(allowed: f64, nodes: &[[f64; 2]]) -> Self {
        let range = [0, 1].map(|i| {
            let (lo, hi) = nodes
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), node| (node[i].min(lo), node[i].max(hi)));
            Interval::new(lo, hi)
        });
        let size = range[0].magnitude() + range[1].magnitude();
        NodeRange { range, allowed: allowed + Rounding::SUM * f64::EPSILON * size }
    }

    /// Whether bounds are within the ranges that were met, widened up to four times.
    fn holds(&self, bounds: [Interval; 2]) -> bool {
        self.range.iter().zip(bounds).all(|(met, bound)| {
            let margin = 1.5 * met.width() + self.allowed;
            met.lo - margin <= bound.lo && bound.hi <= met.hi + margin
        })
    }

    /// Whether that is all that acts on a step that goes on to `end`. Of each part, `acts` says what acts in its middle, and
    /// `over` a range of what acts in it, with the rate; `None` where the step does not go. A part that bounds don't decide is
    /// halved, the longest first, but for the `finest`: parts that are looked at and not halved any more count by their middle.
    fn covers(
        &self,
        [end, finest]: [f64; 2],
        acts: impl Fn(f64) -> [f64; 2],
        over: impl Fn(Interval) -> Option<[Rate; 2]>,
    ) -> bool {
        let mut parts = [Interval::new(0.0, end); LOOKS];
        let (mut looked, mut known) = (0, 1);
        while looked < known {
            let part = parts[looked];
            looked += 1;
            let Some(over) = over(part) else { continue };
            let middle = acts(part.middle());
            if !self.holds(middle.map(Interval::point)) {
                return false;
            }
            if !self.holds(centred(middle, over, 0.5 * part.width())) && part.width() > finest && known + 2 <= LOOKS {
                (parts[known], parts[known + 1]) = part.halves();
                known += 2;
            }
        }
        true
    }
}

/// Bounds of numbers by their values in the middle and their rates up to `half` a part from there. Their excess is of second
/// order in the length of the part. The ranges of the numbers bound them as well.
fn centred(middle: [f64; 2], over: [Rate; 2], half: f64) -> [Interval; 2] {
    std::array::from_fn(|i| {
        let Taylor([range, rate]) = over[i];
        let near = Interval::around(middle[i], rate.magnitude() * half);
        near.intersection(range).unwrap_or(if near.is_bounded() { near } else { range })
    })
}

/// Accelerations `F·τ/m` and `F·n/m` along the axes of a frame, m/s².
fn acts_in(frame: [[Rate; 2]; 2], [x, y]: [Rate; 2], mass: f64) -> [Rate; 2] {
    frame.map(|along| (x * along[0] + y * along[1]).scale(1.0 / mass))
}

/// Part of a step (s) that is as long as the ground is there, and has seen what acts along it; `None`: all. Forces are asked about
/// where a `tolerance` has chosen the step.
pub(crate) fn seen_until(system: &ContactSystem, dense: &Dense, tolerance: Option<Tolerance>) -> Option<f64> {
    let (ContactStep { start, end, .. }, h, path) = (*dense.step(), dense.step().duration(), dense.path());
    let whole = system.ground.range(start.place);
    let [bend, twist] = path.acceleration_range();
    let look = |Interval { lo, hi }: Interval| {
        let ([s, _], [rate, turning]) = (path.bounds(lo, hi), path.velocity_bounds(lo, hi));
        let (over, stretch) = system.ground.enclosure_and_rate(start.place, s.intersection(whole)?);
        let acts = move || {
            let along = Taylor([rate * over.speed, bend * over.speed + rate.square() * stretch]);
            let GroundOver { spin, frame, position, velocity } =
                GroundOver::of(system, &over, along, Taylor([turning, twist]), start.spin);
            let time = Taylor([Interval::new(start.time + lo, start.time + hi), Interval::point(1.0)]);
            acts_in(frame, system.forces.at(time, position, velocity, spin), system.ball.mass())
        };
        Some((over.speed, acts))
    };
    let step = Interval::new(0.0, h);
    // In less time the parameter does not change by more than its rounding.
    let finest = h * Rounding::SUM * f64::EPSILON * start.place.parameter().abs() / path.bounds(0.0, h)[0].width();
    let (length, first) = look(step)?;
    // A series has met no ground but at its ends.
    let halfway = dense.step().middle().map_or(0.0, |middle| middle.frame.speed);
    let longest = LONGER * start.frame.speed.max(end.frame.speed).max(halfway);
    if !(length.hi <= longest) {
        let allowed = tolerance.map_or(0.0, |tolerance| tolerance.allows(end.frame.position.norm()))
            + Rounding::SUM * start.rounding(system, end.time).length;
        // Of a step by a tolerance, a polynomial tells the way over a part to this; of a fixed one, its places and speeds may differ.
        let off = if tolerance.is_some() { 1e-6 } else { 1e-3 };
        let at = |t: f64| {
            let Motion { position, velocity, .. } = path.at(t);
            let frame = system.ground.frame(start.place.at(whole.clamp(position.x)));
            (frame.position, frame.speed, (velocity.x * frame.speed).abs())
        };
        let too_long = |part: Interval| {
            let [(from, _, first), (_, length, middle), (to, _, last)] = [part.lo, part.middle(), part.hi].map(at);
            // Simpson's rule.
            let way = part.width() / 6.0 * (first + 4.0 * middle + last);
            length > longest || (to - from).norm() > (1.0 + off) * way + allowed
        };
        let longer =
            as_long_until([h, finest], |part| look(part).is_none_or(|(length, _)| length.hi <= longest), too_long);
        if longer.is_some() {
            return longer;
        }
    }
    let tolerance = tolerance?;
    if ![0.25, 0.5, 1.0].iter().all(|part| has_met(system, dense.step(), part * h, tolerance)) {
        return Some(0.5 * h);
    }
    // The method's own check between its nodes looked at a quarter.
    let [quarter, middle] = [dense.at(system, 0.25 * h), dense.halfway(system)];
    let acts = |state: &ContactState| {
        let force = system.forces.force_at(&state.state()) / system.ball.mass();
        [force.dot(&state.frame.tangent), force.dot(&state.frame.normal)]
    };
    let allowed = tolerance.allows(start.speed.abs().max(end.speed.abs())) / h;
    let nodes = NodeRange::new(allowed, &[&start, &quarter, &middle, &end].map(acts));
    let first = first();
    let over = |part: Interval| if part == step { Some(first) } else { look(part).map(|(_, acts)| acts()) };
    (!nodes.covers([h, finest], |t| acts(&dense.at(system, t)), over)).then_some(0.5 * h)
}

/// How much of a step of `h` s is no longer than its nodes say, s; `None`: all. A part that bounds don't prove `sure` is halved, the longest
/// first, until it proves to be `too_long`, and the step is to end before it; the `finest` (s) is not. Where bounds say little all over the step, it counts by
/// the parts that have been looked at.
fn as_long_until(
    [h, finest]: [f64; 2],
    sure: impl Fn(Interval) -> bool,
    too_long: impl Fn(Interval) -> bool,
) -> Option<f64> {
    let mut parts = [Interval::new(0.0, h); LOOKS];
    let (mut looked, mut known) = (0, 1);
    let (mut unsure, mut first) = (0.0, h);
    while looked < known {
        let part = parts[looked];
        looked += 1;
        if sure(part) {
            continue;
        }
        if too_long(part) {
            return Some(if part.lo > 0.0 { part.lo } else { 0.5 * part.hi });
        }
        if part.width() > finest && known + 2 <= LOOKS {
            (parts[known], parts[known + 1]) = part.halves();
            known += 2;
        } else {
            (unsure, first) = (unsure + part.width(), part.lo.min(first));
        }
    }
    (0.0 < unsure && unsure < 0.5 * h).then_some(if first > 0.0 { first } else { 0.5 * h })
}

/// Whether a step of compliant contact has seen what acts along it.
pub(crate) fn has_seen_compressed(system: &CompressedSystem, step: &CompressedStep, tolerance: Tolerance) -> bool {
    let (start, end) = (&step.start, &step.end);
    let acts = |state: &CompressedState| {
        let (frame, force) = (system.ground.frame(state.place), system.forces.force_at(&state.state(system.ground)));
        [frame.tangent, frame.normal].map(|along| force.dot(&along) / system.ball.mass())
    };
    let [first, second] = step.inner_nodes().map(|part| step.near(part));
    let allowed = tolerance.allows(start.velocity.norm().max(end.velocity.norm())) / (end.time - start.time);
    let nodes = NodeRange::new(allowed, &[start, &first, &second, end].map(acts));
    let whole = system.ground.range(start.place);
    let over = |part: Interval| {
        let [time, s, root, vx, vy, spin] = step.core(Taylor::variable(part));
        let Taylor([s, rate]) = s;
        let over = system.ground.enclosure(start.place, s.intersection(whole)?);
        let frame = turning_frame(&over, over.curvature * over.speed * rate);
        let velocity = [vx, vy];
        let deep = root.square().0[0];
        let position = [0, 1].map(|i| Taylor([over.position[i] - deep * over.normal[i], velocity[i].0[0] * time.0[1]]));
        Some(acts_in(frame, system.forces.at(time, position, velocity, spin), system.ball.mass()))
    };
    nodes.covers([1.0, 0.0], |part| acts(&step.near(part)), over)
}
