//! The march: the first root of the gap between a path and one leaf of the ground, found or proven absent.
//!
//! In the frame of a leaf (ξ along its axis, η to the free side) the offset curve is a graph `η = H(ξ)`, and a
//! contact is a root of `φ(t) = η(t) − H(ξ(t))`. With `m ≤ φ″` from enclosures of the leaf,
//!
//! ```text
//! φ(t+τ) ≥ φ + φ′τ + m τ²/2
//! ```
//!
//! stays positive up to its first root: a safe step, which can't miss a contact. Steps grow short only near a root,
//! where they converge quadratically; once `φ″` can no longer turn φ round, the root is bracketed.

use std::ops::Range;

use nalgebra::Vector2;
use numbers::polynomial::{cubic_positive_for, first_fall};
use numbers::{Interval, Number, Rounding, elementary};

use super::offset_curve_bounds::{GRAZE, GapJet, OffsetFoot, foot, gap};
use super::sides::Sides;
use crate::{Bounds, JetEnclosure, Motion, Path, Profile};

/// Ratio that tells when better numbers are worth their price: tighter bounds if a proven step is a smaller part of
/// [`Stand::reach`], a nearer foot if the error by the present one is a larger part of the gap.
pub(super) const NARROW: f64 = 1.0 / 16.0;

/// Work of searches for contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchCount {
    /// Searches along a path.
    pub searches: u64,
    /// Evaluations of the ground at a point.
    pub evaluations: u64,
    /// Enclosures of the ground over an interval.
    pub enclosures: u64,
    /// Approaches to within rounding that came no deeper.
    pub grazes: u64,
}

/// One march along a path over one regular part of a leaf.
#[derive(Debug)]
pub struct March<'a> {
    /// The path in the leaf's frame: x is ξ, y is η.
    pub(crate) path: &'a Path,
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) axis: Vector2<f64>,
    pub(crate) radius: f64,
    pub(crate) bounds: &'a Bounds,
    /// Overlap beyond both ends of the abscissa, relative to the sizes of the numbers there.
    pub(crate) margin: [f64; 2],
    /// Parameters of the whole piece, where feet may be.
    pub(crate) range: Interval,
    /// Rounding of the ground and of the path's start over ε, m: a size to be added to those of coordinates.
    pub(crate) ground: f64,
    /// Sides of the curve, if both are solid: a contact from behind belongs to the other side's faces.
    pub(crate) sides: Option<&'a Sides<'a>>,
    /// Foot of the path's start, if it is on this part.
    pub(crate) start: Option<OffsetFoot>,
    /// Whether the path leaves ground beyond a convex corner of this part.
    pub(crate) leaves_beside: bool,
    pub(crate) count: &'a mut SearchCount,
    /// Number of evaluations and enclosures at which the search ends undecided.
    pub(crate) give_up: u64,
    pub(crate) halves: TouchHalves,
}

/// Times of a touch where two parts meet, s: each of two marches sees one half.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TouchHalves {
    /// Time at which the path left this part, falling onto the ground.
    pub left: Option<f64>,
    /// Time at which the path came to this part from the ground, rising.
    pub came: Option<f64>,
}

/// Outcome of a march.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(private_interfaces, reason = "sealed: only this crate runs marches")]
pub enum MarchEnd {
    /// No contact on the whole path.
    Clear,
    /// First contact.
    Hit {
        /// Path time, s.
        time: f64,
        /// The ground point.
        foot: OffsetFoot,
    },
    /// The budget ran out at this time.
    Undecided {
        /// Path time up to which there is no contact, s.
        time: f64,
    },
}

/// State of a march at one time.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    pub time: f64,
    pub ball: Motion,
    pub near: OffsetFoot,
    pub gap: GapJet,
    /// ξ of the ball less that of the foot, m; 0 within rounding.
    pub miss: f64,
    /// Depth that counts as a root: φ ≤ −sill.
    pub sill: f64,
    /// Time in which φ falls to that by the local parabola, or by the bend of the path alone if that is sooner, s.
    pub reach: f64,
}

/// Search for a first contact on one leaf, compiled for each profile; in WebAssembly, where size counts, once for all.
#[allow(private_interfaces, reason = "sealed: only this crate runs marches")]
pub trait LeafSearch {
    /// Foot at one parameter, in the frame of `axis`.
    fn foot(&self, s: f64, axis: Vector2<f64>, radius: f64) -> OffsetFoot;
    /// Bounds of the offset curve over a part, in the frame of `axis` (see [`Bounds::over`]).
    fn bounds(&self, s: Interval, axis: Vector2<f64>, radius: f64) -> Option<Bounds>;
    /// Enclosure of `c` and its derivatives over all `s` in the interval, in the frame of an axis.
    fn enclosure_seen(&self, s: Interval, axis: Vector2<f64>) -> JetEnclosure;
    /// Marches along the leaf: the innermost loop of
    /// [`OffsetGround::first_contact`](crate::OffsetGround::first_contact).
    fn march(&self, march: &mut March<'_>) -> MarchEnd;
}

#[allow(private_interfaces, reason = "sealed: only this crate runs marches")]
impl<P: Profile> LeafSearch for P {
    #[inline(always)]
    fn foot(&self, s: f64, axis: Vector2<f64>, radius: f64) -> OffsetFoot {
        foot(self, s, axis, radius)
    }
    fn bounds(&self, s: Interval, axis: Vector2<f64>, radius: f64) -> Option<Bounds> {
        Bounds::over(self, s, axis, radius)
    }
    fn enclosure_seen(&self, s: Interval, axis: Vector2<f64>) -> JetEnclosure {
        JetEnclosure::of(self, s, axis)
    }
    fn march(&self, march: &mut March<'_>) -> MarchEnd {
        let leaf = self;
        #[cfg(target_family = "wasm")]
        let leaf: &dyn LeafSearch = leaf;
        march.run(leaf)
    }
}

impl March<'_> {
    /// Runs the march for one profile.
    #[inline]
    pub(crate) fn run<P: LeafSearch + ?Sized>(&mut self, profile: &P) -> MarchEnd {
        if self.sides.is_some() && self.stays_behind() {
            return MarchEnd::Clear;
        }
        if let Some(start) = self.start
            && let Some((guess, early, late)) = self.leap(&start)
        {
            if let Some(hit) = self.root(profile, start, guess, [early, late]) {
                return hit;
            }
            self.start = Some(start);
        }
        if self.stays_above() {
            return MarchEnd::Clear;
        }
        self.walk(profile)
    }

    /// Whether the path stays above the whole part.
    #[inline]
    fn stays_above(&self) -> bool {
        let top = self.bounds.height.hi;
        if !(self.path.at(self.from).position.y > top && self.path.at(self.to).position.y > top) {
            return false;
        }
        let [along, across] = self.sizes(&self.path.at(self.from), self.to);
        self.path.bounds(self.from, self.to)[1].lo > top + self.beyond(self.bounds, along + across)
    }

    /// Tries the whole way at once, where φ leaves zero and bounds prove that it returns exactly once. Returns guess
    /// and bracket of the root.
    #[inline(always)]
    fn leap(&self, start: &OffsetFoot) -> Option<(f64, f64, f64)> {
        let [along, across] = self.path.acceleration_range();
        let Motion { velocity, acceleration, .. } = self.path.at(0.0);
        let rate = velocity.y - start.slope * velocity.x;
        let square = velocity.x * velocity.x;
        // The acceleration along the axis enters φ″ by the slope, which is constant on straight ground only.
        let pushed = along.lo != 0.0 || along.hi != 0.0;
        let bend = self.bounds.bend;
        if pushed && bend != Interval::point(0.0) {
            return None;
        }
        let along = if pushed { along } else { Interval::point(0.0) };
        let push = along.scale(start.slope);
        // φ″ by bounds over the whole part, rounded outward.
        let least = (across.lo - push.hi - bend.hi.max(0.0) * square) * (1.0 + 4.0 * f64::EPSILON);
        let most = (across.hi - push.lo - bend.lo.min(0.0) * square) * (1.0 - 4.0 * f64::EPSILON);
        // With φ″ = `least` φ returns earliest, after 2φ′/|least|; with `most` its maximum is latest, after φ′/|most|.
        // If that is before the earliest return, φ falls wherever it may return: it returns once.
        if !(rate > 0.0 && least > 2.0 * most && self.from == 0.0) {
            return None;
        }
        let late = 2.0 * rate / -most;
        let sizes = self.sizes(&self.path.at(0.0), late);
        // Rounding c of φ delays the latest return, (b + √(b² + 2|U|c))/|U| ≤ 2b/|U| + c/b with b = φ′ and U = `most`.
        let late = late + GRAZE * (sizes[1] + start.slope.abs() * sizes[0]) / rate;
        let way = |speed: f64, along: f64| start.xi + late * (speed + 0.5 * late * along);
        let (least_xi, most_xi) = if pushed {
            (way(velocity.x.min(0.0), along.lo.min(0.0)), way(velocity.x.max(0.0), along.hi.max(0.0)))
        } else {
            (way(velocity.x, 0.0), way(velocity.x, 0.0))
        };
        let inside = self.bounds.abscissa.lo <= least_xi && most_xi <= self.bounds.abscissa.hi;
        let second =
            if pushed { acceleration.y - start.slope * acceleration.x } else { across.lo - start.bend * square };
        (inside && late <= self.to).then(|| (2.0 * rate / -second, 2.0 * rate / -least, late))
    }

    /// Walks along the path by steps proven free of contact, until a root is proven and found, or the path ends.
    fn walk<P: LeafSearch + ?Sized>(&mut self, profile: &P) -> MarchEnd {
        let mut walk = MarchWalk::begin(self);
        while self.count.evaluations + self.count.enclosures <= self.give_up {
            let t = walk.time;
            if t >= self.to {
                return MarchEnd::Clear;
            }
            let ball = self.path.at(t);
            let sizes = self.sizes(&ball, t);
            if self.is_outside(&ball, sizes) {
                if let Some(near) = walk.last {
                    self.leave_touching(profile, near, walk.above..t, walk.fell.is_some(), walk.sill);
                }
                walk.skip(self.entry(&ball));
                continue;
            }
            let near = match self.start.take() {
                Some(start) => start,
                None => self.follow(profile, &ball, walk.last, &walk.window, 1e-3 * GRAZE * sizes[1]),
            };
            let gap = gap(&ball, &near);
            if self.is_behind(&mut walk, &ball, &near, &gap, sizes) {
                walk.go_on(self.exit(&ball, sizes[0] + sizes[1]));
                continue;
            }
            walk.last = Some(near);
            if gap.value < -walk.sill {
                if let Some(hit) = self.root(profile, near, t, [walk.above, t]) {
                    return hit;
                }
                walk.skip(0.0);
                continue;
            }
            if gap.value > 0.0 {
                walk.above = t;
            }
            if let (Some(before), true) = (walk.fell, gap.rate >= 0.0) {
                self.count.grazes += u64::from(self.grazed(profile, near, before, t, walk.sill));
            }
            // A fall counts only if it began beyond rounding, unlike a start on the ground.
            walk.fell = (gap.rate < 0.0 && (walk.fell.is_some() || gap.value > 16.0 * walk.sill)).then_some(t);
            let stand = self.stand(&walk, ball, near, gap, sizes[0]);
            let (step, root) = self.look_ahead(profile, &mut walk, &stand);
            let Some((early, late)) = root else {
                walk.go_on(step);
                continue;
            };
            let guess = t + first_fall(gap.value.max(0.0), gap.rate, gap.second);
            // A ball between the ground and the sill has passed the root.
            let lo = if gap.value >= 0.0 { t + early } else { walk.above };
            if let Some(hit) = self.root(profile, near, guess, [lo, t + late]) {
                return hit;
            }
            walk.skip(late);
        }
        MarchEnd::Undecided { time: walk.time }
    }

    /// Whether the ball is beyond an end of the part by more than the margin. At a free end (margin 0) it is beyond
    /// already where it is at the end, to rounding, and moves outwards.
    #[inline(always)]
    fn is_outside(&self, ball: &Motion, [along, across]: [f64; 2]) -> bool {
        let (xi, speed) = (ball.position.x, ball.velocity.x);
        let Interval { lo, hi } = self.bounds.abscissa;
        let out = |beyond: f64, margin: f64, speed: f64| {
            beyond > margin * (along + across) || margin == 0.0 && speed > 0.0 && beyond >= -GRAZE * along
        };
        out(lo - xi, self.margin[0], -speed) || out(xi - hi, self.margin[1], speed)
    }

    /// Sets the sill at a foot. Returns whether a path that enters the part is behind the ground: a contact there
    /// belongs to another face, or to this one after the path has been outside.
    #[inline(always)]
    fn is_behind(
        &mut self,
        walk: &mut MarchWalk,
        ball: &Motion,
        near: &OffsetFoot,
        gap: &GapJet,
        [along, across]: [f64; 2],
    ) -> bool {
        let t = walk.time;
        let grain = walk.bent.max(GRAZE * (across + near.slope.abs() * along));
        walk.sill = grain.max(walk.sill);
        if walk.last.is_some() {
            return false;
        }
        let leaves = gap.rate >= 0.0;
        let there = |sides: &Sides| gap.value <= 16.0 * grain && sides.comes_behind(t, grain, leaves);
        // A point that leaves one side of a convex corner is free, even if it falls below the other side's tangent.
        let free = t == 0.0 && self.leaves_beside && !leaves && gap.value <= 16.0 * grain;
        if gap.value < -16.0 * grain || free || self.sides.is_some_and(there) {
            return true;
        }
        // A path may begin below the ground by rounding: then a root counts only at twice that depth, unless
        // the path goes on falling.
        let speeds = ball.velocity.y.abs() + near.slope.abs() * ball.velocity.x.abs();
        walk.sill = if gap.rate < -GRAZE * speeds { grain } else { grain.max(-2.0 * gap.value) };
        walk.above = t;
        // The path entered the part at the ground, rising or falling no deeper than a touch.
        if t > 0.0 && gap.value <= walk.sill && gap.rate >= -(2.0 * gap.second.max(0.0) * walk.sill).sqrt() {
            self.halves.came = Some(t);
        }
        false
    }

    /// Collects the state at one time.
    #[inline(always)]
    fn stand(&self, walk: &MarchWalk, ball: Motion, near: OffsetFoot, gap: GapJet, along: f64) -> Stand {
        let (time, sill) = (walk.time, walk.sill);
        let miss = ball.position.x - near.xi;
        let miss = if miss.abs() <= 0.5 * GRAZE * along { 0.0 } else { miss };
        let soonest = gap.second.min(-ball.acceleration.y.abs());
        let reach = first_fall(gap.value.max(0.0) + sill, gap.rate, soonest).min(self.to - time);
        let reach = if self.is_straight() { self.to - time } else { reach };
        Stand { time, ball, near, gap, miss, sill, reach }
    }

    /// [`Bounds::slack`] by the window, if that covers the way from the foot to the ball; else by the whole part.
    #[inline(always)]
    fn slack(&self, window: &Bounds, near: &OffsetFoot, miss: f64, speed: f64) -> (f64, f64) {
        let holds = miss == 0.0 || window.abscissa.contains(near.xi) && window.abscissa.contains(near.xi + miss);
        let bounds = if holds { window } else { self.bounds };
        bounds.slack(near, miss, speed)
    }

    /// Time free of contact from here, s, and a bracket of the root (times from here, s) if there is certainly one.
    #[inline(always)]
    fn look_ahead<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        walk: &mut MarchWalk,
        stand: &Stand,
    ) -> (f64, Option<(f64, f64)>) {
        let Stand { gap, sill, reach, .. } = *stand;
        let mut outlook = self.outlook(stand, &walk.window);
        let root = stand.certain_root(&outlook);
        if root.is_some() {
            return (outlook.step, root);
        }
        outlook.step = self.safe_step(stand, &outlook, &walk.window);
        // Bounds of straight ground hold everywhere on it, so that a narrow window is no tighter.
        let straight = self.is_straight();
        // The ball moves along the ground: within `reach` φ changes by less than the sill.
        if !straight && walk.fell.is_none() && gap.value <= sill && gap.rate.abs() * reach <= sill {
            outlook.step = outlook.step.max(self.along(profile, stand));
        }
        if straight || outlook.step >= NARROW * reach {
            return (outlook.step, None);
        }
        (walk.window, outlook) = self.narrow(profile, stand, outlook, walk.window, &mut walk.ahead);
        (outlook.step, stand.certain_root(&outlook))
    }

    #[inline(always)]
    fn is_straight(&self) -> bool {
        self.bounds.bend == Interval::point(0.0)
    }

    /// Bounds of φ from here on, by bounds of the ground over `window`.
    #[inline(always)]
    pub(crate) fn outlook(&self, stand: &Stand, window: &Bounds) -> Outlook {
        let [along, across] = self.path.acceleration_range();
        let (xi, speed) = (stand.ball.position.x, stand.ball.velocity.x);
        let mut horizon = (self.to - stand.time).min(2.0 * stand.reach);
        // Bounds end with their window; beyond the part the ground is continued straight: no root is certain there.
        let mut inside = f64::INFINITY;
        let mut leave = |edge: f64, end: f64, way: f64, rate: f64, bend: f64| {
            // Bounds do not apply to a ball that is not over their window.
            let time = if way < 0.0 && edge != end { 0.0 } else { first_fall(way.max(0.0), rate, bend) };
            let limit = if edge == end { &mut inside } else { &mut horizon };
            *limit = limit.min(time);
        };
        let Interval { lo, hi } = window.abscissa;
        if hi < f64::INFINITY {
            leave(hi, self.bounds.abscissa.hi, hi - xi, -speed, -along.hi);
        }
        if lo > f64::NEG_INFINITY {
            leave(lo, self.bounds.abscissa.lo, xi - lo, speed, along.lo);
        }
        let bend = Interval::new(window.bend.lo.min(0.0), window.bend.hi.max(0.0));
        let mut second = if along.lo == 0.0 && along.hi == 0.0 {
            across - bend * Interval::point(speed * speed)
        } else if window.bend == Interval::point(0.0) && window.slope.width() < 1e-12 * window.slope.magnitude() {
            // Over straight ground φ″ is one component of the acceleration; for a path along the ground it is 0.
            let slope = window.slope.middle();
            self.path.acceleration_along(Vector2::new(-slope, 1.0)) - (window.slope - Interval::point(slope)) * along
        } else {
            let speed = Interval::new(speed + along.lo.min(0.0) * horizon, speed + along.hi.max(0.0) * horizon);
            let (slow, fast) = (speed.mignitude(), speed.magnitude());
            across - window.slope * along - bend * Interval::new(slow * slow, fast * fast)
        };
        if second.is_undefined() {
            second = Interval::REAL;
        }
        let slack = self.slack(window, &stand.near, stand.miss, stand.ball.velocity.x);
        Outlook { second, slack, horizon, inside, step: 0.0 }
    }

    /// The longest step proven free of contact: by φ, or by the height of the ball above the whole window.
    #[inline(always)]
    pub(super) fn safe_step(&self, stand: &Stand, outlook: &Outlook, window: &Bounds) -> f64 {
        let (Stand { ball, gap, sill, .. }, slack) = (*stand, outlook.slack);
        let by_gap = first_fall((gap.value - slack.0).max(0.0) + sill, gap.rate - slack.1, outlook.second.lo);
        let [along, across] = self.sizes(&ball, stand.time);
        let height = ball.position.y - window.height.hi - self.beyond(window, along + across);
        let fall = self.path.acceleration_range()[1].lo;
        let by_height = if height > 0.0 { first_fall(height, ball.velocity.y, fall) } else { 0.0 };
        by_gap.max(by_height).min(outlook.horizon)
    }

    /// Largest height (m) by which the ground's straight continuation, over the margins, rises above the window.
    #[inline(always)]
    pub(super) fn beyond(&self, window: &Bounds, size: f64) -> f64 {
        let margin = size * self.margin[0].max(self.margin[1]);
        if margin == 0.0 { 0.0 } else { margin * window.slope.magnitude() }
    }

    /// Chooses a window for which the step is worth its price: first about as long as the motion up to `reach`, then
    /// shorter and shorter, because bounds tighten with it.
    #[cold]
    pub(super) fn narrow<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        stand: &Stand,
        outlook: Outlook,
        window: Bounds,
        ahead: &mut f64,
    ) -> (Bounds, Outlook) {
        let Stand { ball, near, reach, .. } = *stand;
        let along = self.path.acceleration_range()[0].magnitude();
        let mut best = (window, outlook);
        let beside = (ball.position.x - near.xi).abs();
        let least = 64.0 * f64::EPSILON * (ball.position.x.abs() + self.radius) + f64::MIN_POSITIVE;
        *ahead = reach.min(8.0 * *ahead);
        for _ in 0..60 {
            let travel = *ahead * (ball.velocity.x.abs() + 0.5 * *ahead * along);
            let half = (1.0625 * (travel + beside)).max(least) * near.per_xi.abs();
            let part = Interval::new(near.parameter - half, near.parameter + half);
            let Some(part) = part.intersection(self.bounds.parameter) else { break };
            self.count.enclosures += 1;
            if let Some(narrow) = profile.bounds(part, self.axis, self.radius) {
                let stand = Stand { reach: *ahead, ..*stand };
                let mut tried = self.outlook(&stand, &narrow);
                tried.step = self.safe_step(&stand, &tried, &narrow);
                if tried.step > best.1.step {
                    best = (narrow, tried);
                }
                if tried.step >= 0.5 * *ahead {
                    break;
                }
            }
            if travel <= least || best.1.step > *ahead {
                break;
            }
            *ahead *= 0.25;
        }
        best
    }

    /// Time for which φ stays above minus the sill, s, for a ball on the ground that neither falls nor rises: φ, φ′ and
    /// φ″ are zero to rounding, so that bounds of φ″ reach nowhere. Over a window of the ground
    ///
    /// ```text
    /// φ‴ = η‴ − H′ξ‴ − 3 H″ξ′ξ″ − H‴ξ′³        φ(t+τ) ≥ φ + φ′τ + φ″τ²/2 + min φ‴ τ³/6
    /// ```
    #[cold]
    pub(crate) fn along<P: LeafSearch + ?Sized>(&mut self, profile: &P, stand: &Stand) -> f64 {
        let Stand { ball, gap, sill, near, .. } = *stand;
        let [along, _] = self.path.acceleration_range();
        let [jerk_x, jerk_y] = self.path.jerk_range();
        let OffsetFoot { parameter, per_xi, .. } = near;
        let beside = (ball.position.x - near.xi).abs();
        let mut ahead = self.to - stand.time;
        for _ in 0..TRIES {
            let travel = ahead * (ball.velocity.x.abs() + 0.5 * ahead * along.magnitude());
            let part = Interval::around(parameter, 1.0625 * (travel + beside) * per_xi.abs());
            self.count.enclosures += 1;
            let window = part.intersection(self.bounds.parameter);
            if let Some(window) = window.and_then(|part| profile.bounds(part, self.axis, self.radius)) {
                let outlook = self.outlook(&Stand { reach: 0.5 * ahead, ..*stand }, &window);
                let horizon = outlook.horizon.min(outlook.inside);
                let twist = twist(profile, &window, self);
                let speed = Interval::new(
                    ball.velocity.x + along.lo.min(0.0) * horizon,
                    ball.velocity.x + along.hi.max(0.0) * horizon,
                );
                let third = jerk_y
                    - window.slope * jerk_x
                    - (window.bend * speed * along).scale(3.0)
                    - twist * speed.square() * speed;
                // Largest error of φ″ by the parabola through the foot.
                let off = twist.magnitude()
                    * beside
                    * (elementary::powi(ball.velocity.x, 2) + beside * ball.acceleration.x.abs());
                let slack = outlook.slack;
                let bounds = [gap.value.max(0.0) - slack.0 + sill, gap.rate - slack.1, gap.second - off, third.lo];
                let free = cubic_positive_for(bounds, horizon);
                if bounds[0] > 0.0 && free >= 0.5 * horizon {
                    return free;
                }
            }
            ahead *= 0.25;
        }
        0.0
    }

    /// The foot below the ball: predicted from the last one, then by Newton's method until the ground's bend between
    /// foot and ball no longer matters. Mostly one evaluation.
    #[inline(always)]
    pub(super) fn follow<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        ball: &Motion,
        last: Option<OffsetFoot>,
        window: &Bounds,
        grain: f64,
    ) -> OffsetFoot {
        let xi = ball.position.x;
        let mut range = self.bounds.parameter;
        let mut s = match last {
            Some(last) => range.clamp(last.parameter + (xi - last.xi) * last.per_xi),
            None => self.guess(xi),
        };
        let mut at = profile.foot(s, self.axis, self.radius);
        self.count.evaluations += 1;
        for _ in 0..200 {
            let miss = xi - at.xi;
            let height = gap(ball, &at).value;
            // A foot far off, whose own numbers are larger than the ball's, knows the ground less well.
            let is_known = 1e-3 * f64::EPSILON * (at.slope * miss).abs() <= grain;
            if is_known && self.slack(window, &at, miss, 0.0).0 <= (NARROW * height).max(grain) {
                break;
            }
            if (miss > 0.0) == (at.per_xi > 0.0) {
                range.lo = at.parameter
            } else {
                range.hi = at.parameter
            }
            s = at.parameter + miss * at.per_xi;
            if !(range.lo < s && s < range.hi) {
                s = range.middle();
            }
            if s <= range.lo || s >= range.hi || (s - at.parameter).abs() <= f64::EPSILON * s.abs() {
                break;
            }
            at = profile.foot(s, self.axis, self.radius);
            self.count.evaluations += 1;
        }
        at
    }

    /// First guess of the parameter for the abscissa `xi`: exact for graphs.
    fn guess(&self, xi: f64) -> f64 {
        let Bounds { parameter, abscissa, .. } = *self.bounds;
        if !parameter.is_bounded() || !abscissa.is_bounded() {
            return parameter.clamp(if self.axis.x < 0.0 { -xi } else { xi });
        }
        let part = (xi - abscissa.lo) / abscissa.width();
        parameter.clamp(parameter.lo + part * parameter.width())
    }

    /// The root of φ between two times: by Newton's method from a guess, or by bisection where that fails.
    #[inline(always)]
    pub(super) fn root<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        near: OffsetFoot,
        guess: f64,
        [lo, hi]: [f64; 2],
    ) -> Option<MarchEnd> {
        let landed = self.land(profile, near, guess, lo, hi);
        landed.or_else(|| self.halve(profile, near, lo, hi))
    }

    /// The root of φ in `[lo, hi]`, where φ falls through zero: Newton's method on `q(t) = c(s) + R n(s)`, kept in the
    /// bracket. Each round evaluates the ground at a foot and goes to the root of the parabola with φ, φ′ and φ″ there,
    /// for any parameter; the last move is one whose error, estimated from the move before, is below rounding. `None`:
    /// it does not converge.
    #[inline(always)]
    fn land<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        near: OffsetFoot,
        start: f64,
        lo: f64,
        hi: f64,
    ) -> Option<MarchEnd> {
        let (mut lo, mut hi) = (lo, hi.min(self.to));
        let (mut t, mut near) = (start.max(lo).min(hi), near);
        // Smallest miss of any round, in rounding errors, and its time.
        let (mut best, mut error) = ((f64::INFINITY, t), None);
        for _ in 0..100 {
            let ball = self.path.at(t);
            let sizes = self.sizes(&ball, t);
            let (at, gap) = self.pin(profile, &ball, near, sizes, 1e-3, &mut error);
            near = at;
            let [along, across] = sizes;
            let (unit, grain) = (f64::EPSILON * along, f64::EPSILON * (across + near.slope.abs() * along));
            let beside = self.beside(&near, ball.position.x);
            let (inside, aside) = (beside.is_some(), beside.unwrap_or(0.0));
            let miss = (gap.value.abs() / grain).max(aside.abs() / unit);
            if miss <= 1.0 {
                return Some(MarchEnd::Hit { time: t, foot: near });
            }
            let closer = miss < 0.5 * best.0;
            if miss < best.0 {
                best = (miss, t);
            }
            if gap.value > 0.0 {
                lo = t
            } else {
                hi = t
            }
            // Root of the parabola with this value, rate and second derivative.
            let step = -2.0 * gap.value / (gap.rate - (gap.rate * gap.rate - 2.0 * gap.value * gap.second).sqrt());
            let next = t + step;
            if !(lo <= next && next <= hi) {
                t = 0.5 * (lo + hi);
                continue;
            }
            let way = aside + step * ball.velocity.x;
            if inside && error.is_some_and(|error: MoveError| error.is_rounding(way, near.bend, unit, grain)) {
                let there = self.path.at(next).position;
                let foot = near.moved_to(there.x);
                let bent = foot.stretch * near.cosine;
                if (there.y - foot.eta).abs() <= grain && 0.5 < bent && bent < 2.0 {
                    return Some(MarchEnd::Hit { time: next, foot });
                }
            }
            if (step * gap.rate).abs() <= Rounding::SUM * grain && !closer {
                break;
            }
            t = next;
        }
        self.settle(profile, near, best.1)
    }

    /// The root at the time where Newton's method came closest, if its miss is small enough for a valid state.
    fn settle<P: LeafSearch + ?Sized>(&mut self, profile: &P, near: OffsetFoot, time: f64) -> Option<MarchEnd> {
        let ball = self.path.at(time);
        let (xi, sizes) = (ball.position.x, self.sizes(&ball, time));
        let (mut near, _) = self.pin(profile, &ball, near, sizes, 0.0, &mut None);
        // φ is exact at this foot, its place is not yet: one round of Newton's method, and the rest by the parabola.
        let moves = self.beside(&near, xi).filter(|ahead| *ahead != 0.0);
        if let Some(ahead) = moves {
            near = profile.foot(self.range.clamp(near.parameter + ahead * near.per_xi), self.axis, self.radius);
            self.count.evaluations += 1;
        }
        let rest = self.beside(&near, xi);
        let (known, missed) = (Rounding::WRONG * f64::EPSILON, gap(&ball, &near).value.abs());
        let found = missed <= known * (sizes[1] + near.slope.abs() * sizes[0])
            && rest.is_none_or(|ahead| ahead.abs() <= known * sizes[0]);
        if moves.is_some() && rest.is_some() {
            near = near.moved_to(xi);
        }
        found.then_some(MarchEnd::Hit { time, foot: near })
    }

    /// The root where Newton's method fails, by bisection with feet on this part alone, since a piece may be above ξ in
    /// several places. `None`: the root is beyond the end of the part, on another.
    #[cold]
    #[inline(never)]
    fn halve<P: LeafSearch + ?Sized>(&mut self, profile: &P, near: OffsetFoot, lo: f64, hi: f64) -> Option<MarchEnd> {
        let (mut lo, mut hi) = (lo, hi.min(self.to));
        let part = self.bounds.parameter;
        let mut at = profile.foot(part.clamp(near.parameter), self.axis, self.radius);
        let Interval { lo: first, hi: last } = self.bounds.abscissa;
        let end = self.path.at(hi).position.x;
        if !(first < end && end < last) {
            return None;
        }
        while lo < hi {
            let t = 0.5 * (lo + hi);
            let ball = self.path.at(t);
            at = self.find(profile, ball.position.x, at);
            let above = gap(&ball, &at).value > 0.0;
            if t <= lo || hi <= t {
                break;
            }
            *(if above { &mut lo } else { &mut hi }) = t;
        }
        let xi = self.path.at(hi).position.x;
        Some(MarchEnd::Hit { time: hi, foot: self.find(profile, xi, at).moved_to(xi) })
    }

    /// Way along ξ from a foot to the ball, m. `None` where the foot is at an end of the range and the ball beyond;
    /// then Newton's method can't move the foot, and the way does not count as a miss.
    #[inline(always)]
    fn beside(&self, near: &OffsetFoot, xi: f64) -> Option<f64> {
        let ahead = xi - near.xi;
        let ends = near.parameter <= self.range.lo || self.range.hi <= near.parameter;
        (!ends || self.range.clamp(near.parameter + ahead * near.per_xi) != near.parameter).then_some(ahead)
    }

    /// Sizes (m) of the numbers that ξ and η at `t` are made of; where the axis is not level those of ξ enter η, too. φ
    /// is off by the rounding of η, and by the slope times that of ξ.
    #[inline(always)]
    pub(crate) fn sizes(&self, ball: &Motion, t: f64) -> [f64; 2] {
        let Motion { position, velocity, acceleration } = ball;
        let size = |axis: usize| {
            position[axis].abs() + self.radius + self.ground + t * (velocity[axis].abs() + t * acceleration[axis].abs())
        };
        let along = size(0);
        [along, size(1) + self.axis.y.abs() * along]
    }

    /// Finds a foot so near to the ball's abscissa that its parabola is exact there, to rounding or to a `part` of φ.
    /// Works by a step of Newton's method, for any parameter. Returns the foot, and φ by that parabola; `error` is the
    /// largest error of such steps so far. `[along, across]` are the sizes of the ball's place.
    #[inline(always)]
    pub(super) fn pin<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        ball: &Motion,
        near: OffsetFoot,
        [along, across]: [f64; 2],
        part: f64,
        error: &mut Option<MoveError>,
    ) -> (OffsetFoot, GapJet) {
        let xi = ball.position.x;
        let mut at = near;
        for _ in 0..20 {
            let s = self.range.clamp(at.parameter + (xi - at.xi) * at.per_xi);
            if s == at.parameter {
                let inside = self.bounds.abscissa.lo < xi && xi < self.bounds.abscissa.hi;
                if inside && (xi - at.xi).abs() > 1e-9 * (xi.abs() + self.radius) {
                    break;
                }
                return (at, gap(ball, &at));
            }
            let before = at;
            at = profile.foot(s, self.axis, self.radius);
            self.count.evaluations += 1;
            let gap = gap(ball, &at);
            let (miss, run) = ((xi - at.xi).abs(), (at.xi - before.xi).abs());
            let slower = 1.0 / run;
            let bend = (at.bend - before.bend).abs() * slower;
            // The largest errors so far are kept: a short move shows only rounding.
            let worst = error.unwrap_or(MoveError { foot: 0.0, bend: 0.0 });
            *error = Some(MoveError { foot: worst.foot.max(miss * slower * slower), bend: worst.bend.max(bend) });
            let small = (0.1 * f64::EPSILON * across).max(part * gap.value.abs());
            if miss <= GRAZE * along || 8.0 * miss <= run && bend * miss * miss * miss <= small {
                return (at, gap);
            }
        }
        at = self.find(profile, xi, at);
        (at, gap(ball, &at))
    }

    /// The foot below `xi` where plain Newton fails: near a cusp the offset curve's speed changes fast.
    #[cold]
    fn find<P: LeafSearch + ?Sized>(&mut self, profile: &P, xi: f64, start: OffsetFoot) -> OffsetFoot {
        let (mut range, mut at) = (self.bounds.parameter, start);
        for i in 0..200 {
            let miss = xi - at.xi;
            if (miss > 0.0) == (at.per_xi > 0.0) {
                range.lo = at.parameter
            } else {
                range.hi = at.parameter
            }
            let newton = at.parameter + miss * at.per_xi;
            let s = if i % 3 < 2 && range.lo < newton && newton < range.hi { newton } else { range.middle() };
            if miss.abs() <= 4.0 * f64::EPSILON * xi.abs() || !(range.lo < s && s < range.hi) {
                break;
            }
            at = profile.foot(s, self.axis, self.radius);
            self.count.evaluations += 1;
        }
        at
    }

    /// Whether the path is below the whole part throughout.
    #[cold]
    pub(crate) fn stays_behind(&self) -> bool {
        let [_, height] = self.path.bounds(self.from, self.to);
        let lowest = self.bounds.height.lo;
        height.hi < lowest - 64.0 * GRAZE * (height.magnitude() + lowest.abs() + self.radius + self.ground)
    }

    /// Time (s) until ξ may leave the part by more than twice the margins, at numbers of a `size` in m.
    #[cold]
    pub(crate) fn exit(&self, ball: &Motion, size: f64) -> f64 {
        let (range, acceleration) = (self.bounds.abscissa, self.path.acceleration_range()[0]);
        let [before, after] = self.margin.map(|margin| 2.0 * margin.max(GRAZE) * size);
        let (xi, speed) = (ball.position.x, ball.velocity.x);
        let root = |away: f64, speed: f64, acceleration: f64| {
            if away.is_finite() { first_fall(away.max(0.0), speed, acceleration) } else { f64::INFINITY }
        };
        root(range.hi + after - xi, -speed, -acceleration.hi).min(root(xi - range.lo + before, speed, acceleration.lo))
    }

    /// Time (s) until ξ, which is outside, may enter the part.
    #[cold]
    pub(crate) fn entry(&self, ball: &Motion) -> f64 {
        let range = self.bounds.abscissa;
        let acceleration = self.path.acceleration_range()[0];
        let [before, after] = [range.lo - ball.position.x, ball.position.x - range.hi];
        if before > after {
            first_fall(before.max(0.0), -ball.velocity.x, -acceleration.hi)
        } else {
            first_fall(after.max(0.0), ball.velocity.x, acceleration.lo)
        }
    }

    /// Notes half of a touch if the ball passes the end of the part, between two `times`, with φ fallen to the `sill`.
    /// `fell`: when last looked at, φ was falling from beyond rounding.
    #[cold]
    pub(crate) fn leave_touching<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        near: OffsetFoot,
        times: Range<f64>,
        fell: bool,
        sill: f64,
    ) {
        let (from, to) = (times.start, times.end);
        let range = self.bounds.abscissa;
        let end = if self.path.at(to).position.x > range.hi { range.hi } else { range.lo };
        let mut t = to;
        for _ in 0..4 {
            let ball = self.path.at(t);
            t = (t - (ball.position.x - end) / ball.velocity.x).clamp(from, to);
        }
        // By the parabola at the last foot: was φ beyond rounding, and has it lost most of that at the end of the part?
        let roughly = |t: f64| gap(&self.path.at(t), &near).value;
        let (stood, out) = (roughly(0.5 * (from + t)), 16.0 * sill);
        if !((fell || stood > out) && roughly(t) <= out.max(0.25 * stood)) {
            return;
        }
        let ball = self.path.at(t);
        if self.pin(profile, &ball, near, self.sizes(&ball, t), 0.0, &mut None).1.value.abs() <= sill {
            self.halves.left = Some(t);
        }
    }

    /// Whether the minimum of φ between two times, falling at the first and rising at the second, is a touch.
    #[cold]
    pub(crate) fn grazed<P: LeafSearch + ?Sized>(
        &mut self,
        profile: &P,
        near: OffsetFoot,
        falling: f64,
        rising: f64,
        sill: f64,
    ) -> bool {
        let (mut lo, mut hi, mut near) = (falling, rising, near);
        loop {
            let t = 0.5 * (lo + hi);
            let ball = self.path.at(t);
            let (at, gap) = self.pin(profile, &ball, near, self.sizes(&ball, t), 0.0, &mut None);
            near = at;
            if gap.value <= sill {
                return true;
            }
            // At this rate it can't fall to the sill before the end of the bracket.
            if t <= lo || hi <= t || gap.value - gap.rate.abs() * (hi - lo) > sill && gap.second >= 0.0 {
                return false;
            }
            if gap.rate < 0.0 { lo = t } else { hi = t }
        }
    }
}

/// Progress of a march along the path.
struct MarchWalk {
    time: f64,
    /// The clock's tick, s, within which the ball moves by less than rounding.
    tick: f64,
    /// Bounds of the ground nearby.
    window: Bounds,
    /// The last time known with φ > 0, which brackets a later root.
    above: f64,
    /// The last foot since the path entered the part.
    last: Option<OffsetFoot>,
    /// The last time at which φ fell, in a fall that began beyond rounding.
    fell: Option<f64>,
    sill: f64,
    /// Least sill, m: that of the [rounding of the path](Path::rounding); for a path from rest at the origin there is
    /// no other size.
    bent: f64,
    /// Duration of the last narrow window, s.
    ahead: f64,
}

impl MarchWalk {
    fn begin(march: &March<'_>) -> Self {
        let (time, tick) = (march.from, 1e-17 * march.to);
        let (last, fell) = (None, None);
        let bent = GRAZE / f64::EPSILON * march.path.rounding();
        let (window, above, ahead) = (*march.bounds, time, f64::INFINITY);
        MarchWalk { time, tick, window, above, last, fell, sill: 0.0, bent, ahead }
    }

    /// Advances by `step` s, at least a tick.
    #[inline(always)]
    fn go_on(&mut self, step: f64) {
        self.time = (self.time + step.max(self.tick)).max(self.time.next_up());
    }

    /// Advances by `step` s to where φ is unknown.
    #[inline(always)]
    fn skip(&mut self, step: f64) {
        self.go_on(step);
        (self.last, self.fell) = (None, None);
    }
}

/// Bounds of φ from the current time on.
#[derive(Clone, Copy)]
pub(crate) struct Outlook {
    /// Encloses φ″ up to `horizon`.
    pub second: Interval,
    /// Largest error of the parabola through the foot: of φ, m, and of φ′, m/s.
    pub slack: (f64, f64),
    /// Time for which the bounds are valid, s.
    pub horizon: f64,
    /// Time for which the ball certainly stays over the part, s.
    pub inside: f64,
    /// Time for which φ stays above minus the sill, s.
    pub step: f64,
}

impl Stand {
    /// A bracket of the single root of φ, if bounds prove that φ falls throughout and deeper than the sill.
    #[inline(always)]
    pub(super) fn certain_root(&self, outlook: &Outlook) -> Option<(f64, f64)> {
        let Stand { gap, sill, .. } = *self;
        let Outlook { second, slack, .. } = *outlook;
        let value = gap.value.max(0.0);
        let late = first_fall(value + slack.0 + sill, gap.rate + slack.1, second.hi);
        if !(late <= outlook.horizon.min(outlook.inside)) {
            return None;
        }
        let early = first_fall((value - slack.0).max(0.0), gap.rate - slack.1, second.lo);
        let steepest = gap.rate + slack.1 + second.hi * if second.hi > 0.0 { late } else { early };
        (steepest < 0.0).then_some((early, late))
    }
}

/// Largest number of windows for one step, each a quarter of the one before.
const TRIES: u32 = 12;

/// Encloses H‴ over a part, 1/m²; undefined where a bound fails.
fn twist<P: LeafSearch + ?Sized>(profile: &P, part: &Bounds, march: &March<'_>) -> Interval {
    let (axis, radius) = (march.axis, march.radius);
    let over = profile.enclosure_seen(part.parameter, axis);
    let ([x1, y1], [x2, y2], [x3, y3]) = (over.first, over.second, over.third);
    // H′ and its derivatives by the parameter.
    let slope = y1 / x1;
    let slope1 = (y2 - slope * x2) / x1;
    let slope2 = (y3 - (slope1 * x2).scale(2.0) - slope * x3) / x1;
    // ξ of the centre, ξ − R H′/√(1 + H′²), by the parameter.
    let stretch = Interval::point(1.0) + slope.square();
    let cube = stretch * stretch.sqrt();
    let fifth = stretch * cube;
    let along = x1 - (slope1 / cube).scale(radius);
    let along1 = x2 - (slope2 / cube - (slope * slope1.square() / fifth).scale(3.0)).scale(radius);
    (slope2 - part.bend * along1) / along.square()
}

/// Errors of a foot moved by the parabola through another one: the largest that moves so far have shown.
#[derive(Clone, Copy)]
pub(super) struct MoveError {
    /// Error of ξ, relative to the square of the move, 1/m.
    foot: f64,
    /// Error of d²η/dξ², relative to the move, 1/m².
    bend: f64,
}

impl MoveError {
    /// Whether a foot moved along ξ by `way` m errs by rounding only: its parameter by that of ξ, `unit`, its height by
    /// `grain`, its normal by its own and by its turn over `unit`.
    #[inline(always)]
    fn is_rounding(&self, way: f64, bend: f64, unit: f64, grain: f64) -> bool {
        let square = way * way;
        square * self.foot <= unit
            && square * self.bend <= f64::EPSILON + bend.abs() * unit
            && square * self.bend * way.abs() <= grain
    }
}
