//! Exact arc through the air in world coordinates: states, bounds, the meeting with a straight line, octics through it.

use curves::{Motion, Path, Straight};
use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::Tolerance;
use numbers::{Interval, Number, Rounding, Taylor, elementary};

use super::closed_form_or_quadrature::{Air, ArcNode, MOVES};
use super::octic_error;

/// Exact motion from a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ExactArc {
    air: Air,
    /// Direction of the x axis of [`Air`].
    along: Vector2<f64>,
    /// Direction of the y axis of [`Air`], against gravity.
    up: Vector2<f64>,
    wind: Vector2<f64>,
    mass: f64,
    /// Where the arc begins.
    pub(crate) first: ArcNode,
}

/// Outcome of a search for the time at which an arc meets a straight line.
pub(crate) enum Meeting {
    /// The ball reaches the line so many seconds after the start, in this state.
    At(f64, State),
    /// The ball does not reach the line in the time given.
    Never,
    /// Undecided: the line moves in the air or is not below the ball, a time is not finite, or [`MOVES`] do not
    /// suffice.
    Unknown,
}

impl ExactArc {
    /// Creates the arc from a state, under forces that [`Ballistic`](super::Ballistic) does not refuse.
    pub fn new(forces: &Forces, start: &State, tolerance: Tolerance) -> Self {
        let (gravity, mass, wind) = (forces.gravity_vector(), forces.mass(), forces.wind());
        let size = gravity.norm();
        let through = start.velocity - wind;
        let up = if size > 0.0 { -gravity / size } else { Vector2::y() };
        let right = Vector2::new(up.y, -up.x);
        let along = if through.dot(&right) < 0.0 { -right } else { right };
        let air =
            Air { gravity: size, quadratic: forces.drag() / mass, linear: forces.linear_drag() / mass, tolerance };
        let first = ArcNode::start(Vector2::new(through.dot(&along), through.dot(&up)));
        ExactArc { air, along, up, wind, mass, first }
    }

    /// Converts a vector from the axes of [`Air`] to the world's.
    #[inline(always)]
    fn in_world_axes(&self, v: Vector2<f64>) -> Vector2<f64> {
        v.x * self.along + v.y * self.up
    }

    /// Place, velocity and acceleration at a node, in world coordinates.
    fn motion(&self, start: &State, node: &ArcNode) -> Motion {
        Motion {
            position: start.position + self.in_world_axes(node.way) + node.time * self.wind,
            velocity: self.in_world_axes(node.velocity) + self.wind,
            acceleration: self.in_world_axes(self.air.acceleration(node.velocity)),
        }
    }

    /// State of the ball at a node, with its ledger.
    #[inline]
    pub fn state(&self, start: &State, node: &ArcNode) -> State {
        let Motion { position, velocity, .. } = self.motion(start, node);
        State {
            time: start.time + node.time,
            position,
            velocity,
            angle: start.angle + start.spin * node.time,
            dissipated: start.dissipated + self.mass * node.lost,
            work: start.work + self.mass * self.wind.dot(&self.in_world_axes(node.push)),
            ..*start
        }
    }

    /// The ball `t` seconds after the start, by quadratures from `node`; `nodes` counts their points.
    pub fn at(&self, start: &State, node: &ArcNode, t: f64, nodes: &mut u64) -> State {
        self.state(start, &self.air.at(t, node, nodes))
    }

    /// Finds the time at which the arc comes down on a straight line, within `until` s.
    ///
    /// The wind must blow along the line, and the ball must be above it. Where ḣ = 0, drag then acts along the line, so
    /// that ḧ = g·n < 0: the height h above the line has no minimum, and one root after the start.
    pub fn meets(&self, start: &State, ground: &Straight, until: f64, nodes: &mut u64) -> Meeting {
        let normal = ground.normal();
        let pull = self.air.gravity * self.up.dot(&normal);
        let height = |node: &ArcNode| {
            let Motion { position, velocity, acceleration } = self.motion(start, node);
            let jerk = self.in_world_axes(self.air.jerk(node.velocity, self.air.acceleration(node.velocity)));
            [position, velocity, acceleration, jerk].map(|v| v.dot(&normal))
        };
        let [above, rate, ..] = height(&self.first);
        let grain = 4.0 * Rounding::SUM * ground.rounding(start.position);
        let (above, against) = (above - ground.height(), self.wind.dot(&normal).abs());
        let still = against <= 4.0 * f64::EPSILON * self.wind.norm();
        if !(still && pull > 0.0 && (above > grain || above >= -grain && rate > 0.0)) {
            return Meeting::Unknown;
        }
        let found = |node: &ArcNode| {
            if node.time > until { Meeting::Never } else { Meeting::At(node.time, self.state(start, node)) }
        };
        let mut here = self.first;
        // The last time (s) known to be before the root, the first known to be after it, and the last move (s).
        let (mut before, mut after, mut last) = (0.0, f64::INFINITY, f64::INFINITY);
        for _ in 0..MOVES {
            let [h, rate, bend, twist] = height(&here);
            let h = h - ground.height();
            let begins = here.time == 0.0;
            if !begins {
                *(if h > 0.0 || rate >= 0.0 { &mut before } else { &mut after }) = here.time;
            }
            if before > until {
                return Meeting::Never;
            }
            // The later root of the local parabola; at the start, and while the ball rises, of that without drag.
            let (h, bend) = if begins || rate >= 0.0 { (h.max(0.0), -pull) } else { (h, bend) };
            let under = rate * rate - 2.0 * h * bend;
            let step = match under.sqrt() {
                root if rate >= 0.0 => (rate + root) / -bend,
                // One Newton step from the parabola's root to the cubic's.
                root if under >= 0.0 => {
                    let step = 2.0 * h / (root - rate);
                    step + twist * step * step * step / (6.0 * root)
                }
                _ => -h / rate,
            };
            // Ends at a move of one rounding of the clock, or of at most 64 and not below half of the one before.
            let tick = 0.5 * f64::EPSILON * (start.time + here.time);
            if !begins && (step.abs() <= tick || step.abs() >= 0.5 * last && step.abs() <= 64.0 * tick) {
                return found(&here);
            }
            last = step.abs();
            // A move so short that its Taylor series is exact is the last.
            if let (Some(there), false) = (self.air.beside(&here, step), begins) {
                return found(&there);
            }
            let next = self.air.ahead(&here, step, nodes);
            if !next.time.is_finite() {
                return Meeting::Unknown;
            }
            here = if before <= next.time && next.time <= after {
                next
            } else {
                let middle = if after < f64::INFINITY { 0.5 * (before + after) } else { here.time + 0.5 * step };
                self.air.at(middle, &here, nodes)
            };
        }
        Meeting::Unknown
    }

    /// Encloses the centre `[x, y]` (m) between two times since the start: in the air's axes x only grows, and y has
    /// one maximum.
    pub fn bounds(&self, start: &State, from: f64, to: f64) -> [Interval; 2] {
        let nodes = [from, to].map(|t| self.air.at(t, &self.first, &mut 0));
        let [a, b] = nodes.map(|node| node.way);
        let top = if nodes[0].velocity.y > 0.0 && nodes[1].velocity.y < 0.0 {
            // Without air the ball would rise higher.
            a.y.max(b.y) + 0.5 * elementary::powi(nodes[0].velocity.y, 2) / self.air.gravity
        } else {
            a.y.max(b.y)
        };
        let (x, y) = (Interval::between(a.x, b.x), Interval::new(a.y.min(b.y), top));
        let drift = Interval::between(from, to);
        std::array::from_fn(|i| {
            let way = x.scale(self.along[i]) + y.scale(self.up[i]) + drift.scale(self.wind[i]);
            let size = start.position[i].abs() + way.magnitude();
            let slack = self.air.tolerance.allows(size) + Rounding::SUM * f64::EPSILON * size;
            Interval::new(start.position[i] + way.lo - slack, start.position[i] + way.hi + slack)
        })
    }

    /// Encloses velocity (m/s) and acceleration (m/s²) between two times since the start. The velocity changes by at
    /// most the largest acceleration times the length; it is off its chord by at most a quarter of the spread of the
    /// acceleration times the length.
    pub fn velocity_over(&self, from: f64, to: f64) -> [Taylor<Interval, 2>; 2] {
        let [a, b] = [from, to].map(|t| self.air.at(t, &self.first, &mut 0).velocity);
        let Air { gravity, quadratic, linear, .. } = self.air;
        let (h, fastest) = (to - from, a.norm() + self.air.gravity * (to - from));
        let drag = (quadratic * fastest + linear) * fastest;
        let (u, v) = (Interval::between(a.x, b.x), Interval::new(a.y - (gravity + drag) * h, a.y + drag * h));
        let decay = (u.square() + v.square()).sqrt().scale(quadratic) + Interval::point(linear);
        let bend = [-(decay * u), -(decay * v) - Interval::point(gravity)];
        let velocity = [0, 1].map(|i| {
            let (range, bow) = (Interval::between(a[i], b[i]), 0.25 * bend[i].width() * h);
            Interval::new(range.lo - bow, range.hi + bow)
        });
        std::array::from_fn(|i| {
            let seen = |v: [Interval; 2]| v[0].scale(self.along[i]) + v[1].scale(self.up[i]);
            Taylor([seen(velocity) + Interval::point(self.wind[i]), seen(bend)])
        })
    }

    /// Polynomial from the node `from`, at most `left` s long, and the node at its end, or beyond the end of the last
    /// one. Its time begins at `from`. By the bound of [`octic_error`] it stays within the tolerance of the arc, unless
    /// it is no longer than 64 ticks of the clock.
    pub fn piece(&self, start: &State, from: &ArcNode, left: f64, nodes: &mut u64) -> Option<(Path, ArcNode)> {
        let air = &self.air;
        let seen = |node: &ArcNode| {
            let motion = self.motion(start, node);
            let way = self.in_world_axes(node.way - from.way) + (node.time - from.time) * self.wind;
            Motion { position: way, ..motion }
        };
        let origin = self.motion(start, from).position;
        // Half of the tolerance is for the polynomial, the rest for the nodes.
        let allowed = 0.5 * air.tolerance.allows(origin.norm()) + Rounding::SUM * f64::EPSILON * origin.norm();
        let least = 64.0 * Rounding::tick(start.time + from.time);
        let mut length = octic_error::length(air, from, left, allowed);
        for _ in 0..MOVES {
            // Nodes are only about where they are aimed at: the last one is to be beyond the end of the way.
            let aim = if length < left { length } else { 1.01 * left };
            let middle = air.ahead(from, 0.5 * aim, nodes);
            let mut end = air.ahead(&middle, middle.time - from.time, nodes);
            // Where the ball turns quickly, `ahead` may go much less far than asked for.
            if !octic_error::is_middle((middle.time - from.time) / (end.time - from.time)) {
                end = air.at(2.0 * middle.time - from.time, &end, nodes);
            }
            let h = end.time - from.time;
            let part = (middle.time - from.time) / h;
            let error = octic_error::error(air, from, &end, part);
            if error <= allowed || h <= least {
                let path = Path::octic_through(seen(from), part, seen(&middle), seen(&end), h);
                return Some((path.moved(origin).cut(h.min(left)), end));
            }
            if !h.is_finite() {
                return None;
            }
            length = h * octic_error::shorter(allowed / error);
        }
        None
    }

    /// Whether the start is finite.
    pub fn is_finite(&self) -> bool {
        let ArcNode { velocity, .. } = self.first;
        (velocity.x + velocity.y + self.up.x).is_finite() && self.air.acceleration(velocity).norm().is_finite()
    }
}
