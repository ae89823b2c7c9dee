//! Finds steps that are too long although their error estimate is small.
//!
//! A method estimates its error from the nodes of a step, and so misses a hill of the ground or a short force between
//! them; bounds over the whole step do not. A step is too long if the acceleration along or across the ground somewhere
//! leaves the range of its values at the nodes. It is also too long if the ground is longer than the nodes say.

use curves::Motion;
use newmark::Tolerance;
use numbers::polynomial::slope_of;
use numbers::{Interval, Number, Rounding, Taylor};
use rolling::{CompressedState, CompressedStep, CompressedSystem, ContactState, ContactStep, ContactSystem, Dense};

use crate::motion_within_step::{GroundOver, Rate, turning_frame};

/// Maximum number of parts of a step examined. Halvings find one force that lasts 1/2⁶³ of the step; if bounds decide
/// nothing anywhere, they end in 64 equal parts.
const LOOKS: usize = 127;

/// Nowhere on a step is the ground longer, for each unit of its parameter, than this times what its nodes have met.
pub(crate) const LONGER: f64 = 2.0;

/// Ranges of `F·τ/m` and `F·n/m` at the nodes of a step, m/s².
struct NodeRange {
    range: [Interval; 2],
    /// Acceleration that makes no difference over any part of the step, m/s².
    allowed: f64,
}

impl NodeRange {
    /// From the accelerations at the `nodes`; `allowed` is a velocity over the duration of the step.
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

    /// Whether bounds are within the ranges, widened to four times their width.
    fn holds(&self, bounds: [Interval; 2]) -> bool {
        self.range.iter().zip(bounds).all(|(met, bound)| {
            let margin = 1.5 * met.width() + self.allowed;
            met.lo - margin <= bound.lo && bound.hi <= met.hi + margin
        })
    }

    /// Whether the accelerations stay in these ranges over a step up to `end`. For each part `acts` gives the
    /// accelerations in its middle, `over` their ranges and rates (`None`: beyond the piece of ground). An undecided
    /// part is halved, the longest first, down to `finest`; parts no longer halved are judged by their middle.
    fn covers(
        &self,
        [end, finest]: [f64; 2],
        acts: impl Fn(f64) -> [f64; 2],
        over: impl Fn(Interval) -> Option<[Rate; 2]>,
    ) -> bool {
        let left = examine([end, finest], |part| {
            let Some(over) = over(part) else { return PartVerdict::Fine };
            let middle = acts(part.middle());
            if !self.holds(middle.map(Interval::point)) {
                return PartVerdict::Ends(());
            }
            let sure = self.holds(centred(middle, over, 0.5 * part.width()));
            if sure { PartVerdict::Fine } else { PartVerdict::Unsure }
        });
        left.is_ok()
    }
}

/// Verdict about a part of a step.
enum PartVerdict<T> {
    /// Bounds prove that nothing is wrong there.
    Fine,
    /// Undecided.
    Unsure,
    /// The search ends with this answer.
    Ends(T),
}

/// Judges the parts of a step up to `end`; an undecided part is halved, the longest first, down to `finest`. Returns
/// the total width of the parts that stay undecided and the first time among them, or the answer that ended the search.
fn examine<T>([end, finest]: [f64; 2], mut judge: impl FnMut(Interval) -> PartVerdict<T>) -> Result<[f64; 2], T> {
    let mut parts = [Interval::new(0.0, end); LOOKS];
    let (mut examined, mut known) = (0, 1);
    let (mut unsure, mut first) = (0.0, end);
    while examined < known {
        let part = parts[examined];
        examined += 1;
        match judge(part) {
            PartVerdict::Fine => {}
            PartVerdict::Ends(answer) => return Err(answer),
            PartVerdict::Unsure if part.width() > finest && known + 2 <= LOOKS => {
                (parts[known], parts[known + 1]) = part.halves();
                known += 2;
            }
            PartVerdict::Unsure => (unsure, first) = (unsure + part.width(), part.lo.min(first)),
        }
    }
    Ok([unsure, first])
}

/// Bounds of numbers by their values in the middle and their rates up to `half` a part away, intersected with their
/// ranges: the excess is of second order in the length of the part.
fn centred(middle: [f64; 2], over: [Rate; 2], half: f64) -> [Interval; 2] {
    std::array::from_fn(|i| {
        let Taylor([range, rate]) = over[i];
        let near = Interval::around(middle[i], rate.magnitude() * half);
        near.intersection(range).unwrap_or(if near.is_bounded() { near } else { range })
    })
}

/// Accelerations `F·τ/m` and `F·n/m` in a frame, m/s².
fn acts_in(frame: [[Rate; 2]; 2], [x, y]: [Rate; 2], mass: f64) -> [Rate; 2] {
    frame.map(|along| (x * along[0] + y * along[1]).scale(1.0 / mass))
}

/// Time (s) to which a step is to be shortened, for the length of the ground or for accelerations; `None`: it is short
/// enough. Accelerations are only checked if a `tolerance` has chosen the step.
pub(crate) fn too_long_after(system: &ContactSystem, dense: &Dense, tolerance: Option<Tolerance>) -> Option<f64> {
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
    // Within this time the parameter changes by its rounding.
    let finest = h * Rounding::SUM * f64::EPSILON * start.place.parameter().abs() / path.bounds(0.0, h)[0].width();
    let (length, first) = look(step)?;
    // Taylor series have no node within the step.
    let halfway = dense.step().middle().map_or(0.0, |middle| middle.frame.speed);
    let longest = LONGER * start.frame.speed.max(end.frame.speed).max(halfway);
    if !(length.hi <= longest) {
        let allowed = tolerance.map_or(0.0, |tolerance| tolerance.allows(end.frame.position.norm()))
            + Rounding::SUM * start.rounding(system, end.time).length;
        // Relative accuracy of the polynomial's length over a part: with fixed steps places and speeds may differ more.
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
            longer_after([h, finest], |part| look(part).is_none_or(|(length, _)| length.hi <= longest), too_long);
        if longer.is_some() {
            return longer;
        }
    }
    let tolerance = tolerance?;
    // A series counts only if it obeys the equation of motion where its nodes are taken.
    if ![0.25, 0.5, 1.0].iter().all(|part| has_met(system, dense.step(), part * h, tolerance)) {
        return Some(0.5 * h);
    }
    // Nodes: both ends, the middle, and the quarter at which the method checks its error.
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

/// Time (s) after which the ground of a step of `h` s is longer than its nodes say; `None`: nowhere. Parts not proven
/// `sure` are halved, the longest first, down to `finest` (s), until one is `too_long`: the step then ends before it.
/// If parts of less than half the step stay undecided, it ends before the first of them.
fn longer_after(
    [h, finest]: [f64; 2],
    sure: impl Fn(Interval) -> bool,
    too_long: impl Fn(Interval) -> bool,
) -> Option<f64> {
    let left = examine([h, finest], |part| match part {
        _ if sure(part) => PartVerdict::Fine,
        _ if too_long(part) => PartVerdict::Ends(if part.lo > 0.0 { part.lo } else { 0.5 * part.hi }),
        _ => PartVerdict::Unsure,
    });
    match left {
        Err(time) => Some(time),
        Ok([unsure, first]) => (0.0 < unsure && unsure < 0.5 * h).then_some(if first > 0.0 { first } else { 0.5 * h }),
    }
}

/// Whether a step of compliant contact is short enough: accelerations stay in the range of those at its nodes.
pub(crate) fn is_short_enough(system: &CompressedSystem, step: &CompressedStep, tolerance: Tolerance) -> bool {
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

/// Whether a step knows the forces `t` s after its start. A series does where it obeys the equation of motion, to the
/// tolerance over the step; any other step counts as evaluated there.
pub(crate) fn has_met(system: &ContactSystem, step: &ContactStep, t: f64, tolerance: Tolerance) -> bool {
    let Some(series) = step.series() else { return true };
    let acts = system.law(&series.at(system, &step.start, t)).acceleration;
    let missed = (slope_of(&series.speed[..=series.degree], t) - acts).abs() * step.duration();
    missed <= tolerance.allows(step.start.speed.abs()) * (series.degree + 1) as f64
}
