//! The march: the first root of the gap between a path and one leaf of the ground, found or proven absent.
//!
//! In the frame of a leaf (ξ along its axis, η to the free side) the offset curve is a graph `η = H(ξ)`, and a
//! contact is a root of `φ(t) = η(t) − H(ξ(t))`. With `m ≤ φ″` from enclosures of the leaf,
//!
//! ```text
//! φ(t+τ) ≥ φ + φ′τ + m τ²/2
//! ```
//!
//! stays positive up to its first root, which is a step that can't miss anything. Steps grow short only near a
//! root, where they converge quadratically; once `φ″` can no longer turn φ round, `landing.rs` finishes.

use nalgebra::Vector2;

use crate::bounds::Bounds;
use crate::foot::{Foot, GRAZE, Gap, foot, gap};
use crate::sides::Sides;
use crate::{Interval, Motion, Number, Path, Profile};

/// Steps in one march before it gives up.
const BUDGET: u32 = 200_000;
/// A step shorter than this part of what the ground nearby allows is worth tighter bounds.
const NARROW: f64 = 1.0 / 16.0;

/// Work done by searches for a contact.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCount {
    /// Searches along a path.
    pub searches: u64,
    /// Evaluations of the ground at a point.
    pub evaluations: u64,
    /// Enclosures of the ground over an interval.
    pub enclosures: u64,
    /// Approaches to within a few rounding errors that came no deeper.
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
    /// Overlap beyond the ends of the bounds' abscissa, per metre of the sizes of the numbers there.
    pub(crate) margin: [f64; 2],
    /// Parameters of the whole piece, in which a foot may be.
    pub(crate) range: Interval,
    /// The size of the numbers that the ground is made of here, m.
    pub(crate) ground: f64,
    /// Sides of the curve, if the other one is solid, too: what the path touches behind this one is for the other to find.
    pub(crate) sides: Option<Sides<'a>>,
    /// Foot of the path's start, if that is on this very part.
    pub(crate) start: Option<Foot>,
    pub(crate) count: &'a mut SearchCount,
    pub(crate) halves: TouchHalves,
}

/// Times at which the path touches where two parts meet, s: two marches see one half each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TouchHalves {
    /// Time at which it left this part at the ground, after falling.
    pub left: Option<f64>,
    /// Time at which it came to this part at the ground, and rises.
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
        foot: Foot,
    },
    /// The budget ran out at this time.
    Undecided {
        /// Path time, s.
        time: f64,
    },
}

/// State of a march at one time.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    pub time: f64,
    pub ball: Motion,
    pub near: Foot,
    pub gap: Gap,
    /// Error of the parabola through the foot, at most: in φ, m, and in φ′, m/s.
    pub slack: (f64, f64),
    /// A root counts once φ has come down to minus this.
    pub sill: f64,
    /// Time that φ takes there if it bends as the local parabola or the path alone does, whichever is sooner, s.
    pub reach: f64,
}

/// Bounds of φ from where the march stands.
#[derive(Clone, Copy)]
pub(crate) struct Outlook {
    /// Encloses φ″ up to `horizon`.
    pub second: Interval,
    /// Time for which the bounds hold, s.
    pub horizon: f64,
    /// Time for which the ball surely stays above the part, s.
    pub inside: f64,
    /// Time for which φ stays above minus the sill, s.
    pub step: f64,
}

/// The first `τ ≥ 0` with `c + bτ + aτ²/2 ≤ 0`, where `c ≥ 0`; ∞ if there is none. At `c = 0` with `b > 0` the
/// root at zero is divided out.
#[inline(always)]
pub(crate) fn first_root(c: f64, b: f64, a: f64) -> f64 {
    let root = b * b - 2.0 * a * c;
    if root < 0.0 {
        f64::INFINITY
    } else if b < 0.0 {
        2.0 * c / (root.sqrt() - b)
    } else if a < 0.0 {
        (b + root.sqrt()) / -a
    } else {
        f64::INFINITY
    }
}

impl March<'_> {
    /// Runs the march for one profile.
    #[inline]
    pub(crate) fn run<P: Profile + ?Sized>(&mut self, profile: &P) -> MarchEnd {
        if self.sides.is_some() && self.stays_behind() {
            return MarchEnd::Clear;
        }
        if let Some(start) = self.start
            && let Some((guess, early, late)) = self.leap(&start)
        {
            // Where bounds leave nothing open, the guess is the root.
            if self.bounds.affine && self.path.is_parabola() {
                let foot = start.along(self.path.at(guess).position.x);
                return MarchEnd::Hit { time: guess, foot };
            }
            return self.land(profile, start, guess, early, late);
        }
        if self.stays_above() {
            return MarchEnd::Clear;
        }
        self.walk(profile)
    }

    /// Whether the path stays above all of the part.
    #[inline]
    fn stays_above(&self) -> bool {
        let top = self.bounds.height.hi;
        if !(self.path.at(self.from).position.y > top && self.path.at(self.to).position.y > top) {
            return false;
        }
        let [along, across] = self.sizes(&self.path.at(self.from), self.to);
        self.path.bounds(self.from, self.to)[1].lo > top + self.beyond(self.bounds, along + across)
    }

    /// The whole way at once: where φ leaves zero and bounds prove that it comes back just once. Guess and bracket
    /// of the root.
    #[inline(always)]
    fn leap(&self, start: &Foot) -> Option<(f64, f64, f64)> {
        let [along, across] = self.path.acceleration_range();
        let Motion { velocity, acceleration, .. } = self.path.at(0.0);
        let rate = velocity.y - start.slope * velocity.x;
        let square = velocity.x * velocity.x;
        // What acceleration along the axis counts for in φ″: of straight ground only the slope does.
        let pushed = along.lo != 0.0 || along.hi != 0.0;
        let bend = self.bounds.bend;
        if pushed && bend != Interval::point(0.0) {
            return None;
        }
        let along = if pushed { along } else { Interval::point(0.0) };
        let push = along.scale(start.slope);
        // φ″ by the bounds of the whole part, rounded outward.
        let least = (across.lo - push.hi - bend.hi.max(0.0) * square) * (1.0 + 4.0 * f64::EPSILON);
        let most = (across.hi - push.lo - bend.lo.min(0.0) * square) * (1.0 - 4.0 * f64::EPSILON);
        // 2/|φ″| apart from the rate: the earliest return must come after the top of the latest.
        if !(rate > 0.0 && least > 2.0 * most && self.from == 0.0) {
            return None;
        }
        let late = 2.0 * rate / -most;
        let sizes = self.sizes(&self.path.at(0.0), late);
        // √(b² + 2|U|c) ≤ b + |U|c/b
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

    fn walk<P: Profile + ?Sized>(&mut self, profile: &P) -> MarchEnd {
        let mut window = *self.bounds;
        let mut t = self.from;
        // The clock's tick: in less than this the ball does not move by a rounding error.
        let tick = 1e-17 * self.to;
        // The last time known with φ > 0, where a root found later is bracketed from.
        let mut above = t;
        let mut last = None;
        let mut fell = None;
        let mut sill = 0.0;
        // Length for which the last narrow window was made, s.
        let mut ahead = f64::INFINITY;
        for _ in 0..BUDGET {
            if t >= self.to {
                return MarchEnd::Clear;
            }
            let ball = self.path.at(t);
            let xi = ball.position.x;
            let [along, across] = self.sizes(&ball, t);
            let Interval { lo, hi } = self.bounds.abscissa;
            // Where the ground ends, as near to that as places are told apart and on the way out is outside.
            let out = |beyond: f64, margin: f64, speed: f64| {
                beyond > margin * (along + across) || margin == 0.0 && speed > 0.0 && beyond >= -GRAZE * along
            };
            let speed = ball.velocity.x;
            if out(lo - xi, self.margin[0], -speed) || out(xi - hi, self.margin[1], speed) {
                if let Some(near) = last {
                    self.leave_touching(profile, near, above..t, fell.is_some(), sill);
                }
                t = (t + self.entry(&ball).max(tick)).max(t.next_up());
                (last, fell) = (None, None);
                continue;
            }
            let near = match self.start.take() {
                Some(start) => start,
                None => self.follow(profile, &ball, last, &window, 1e-3 * GRAZE * across),
            };
            let gap = gap(&ball, &near);
            let grain = GRAZE * (across + near.slope.abs() * along);
            sill = grain.max(sill);
            if last.is_none() {
                // Behind the ground: what the path touches there is of another face, or of this one once it has been outside.
                let leaves = gap.rate >= 0.0;
                let there = |sides: Sides| gap.value <= 16.0 * grain && sides.comes_behind(t, grain, leaves);
                if gap.value < -16.0 * grain || self.sides.is_some_and(there) {
                    t = (t + self.exit(&ball, along + across).max(tick)).max(t.next_up());
                    continue;
                }
                // A path may begin a rounding error below the ground that it leaves; one that goes on falling does not leave.
                let speeds = ball.velocity.y.abs() + near.slope.abs() * ball.velocity.x.abs();
                sill = if gap.rate < -GRAZE * speeds { grain } else { grain.max(-2.0 * gap.value) };
                above = t;
                // The path rises, or falls no deeper than a touch may be.
                if t > 0.0 && gap.value <= sill && gap.rate >= -(2.0 * gap.second.max(0.0) * sill).sqrt() {
                    self.halves.came = Some(t);
                }
            }
            last = Some(near);
            if gap.value < -sill {
                return self.land(profile, near, t, above, t);
            }
            if gap.value > 0.0 {
                above = t;
            }
            if let (Some(before), true) = (fell, gap.rate >= 0.0) {
                self.count.grazes += u64::from(self.grazed(profile, near, before, t, sill));
            }
            // A fall counts from where it stands out from rounding, as a start on the ground does not.
            fell = (gap.rate < 0.0 && (fell.is_some() || gap.value > 16.0 * sill)).then_some(t);

            let miss = (xi - near.xi).abs();
            let curl = if miss <= 0.5 * GRAZE * along { 0.0 } else { window.bend_off(near.bend) * miss };
            let slack = (0.5 * curl * miss, curl * ball.velocity.x.abs());
            // Bounds of straight ground hold as far as it goes, and a narrow window knows no more.
            let straight = self.bounds.bend == Interval::point(0.0);
            let soonest = gap.second.min(-ball.acceleration.y.abs());
            let reach = first_root(gap.value.max(0.0) + sill, gap.rate, soonest).min(self.to - t);
            let reach = if straight { self.to - t } else { reach };
            let stand = Stand { time: t, ball, near, gap, slack, sill, reach };
            let mut outlook = self.outlook(&stand, &window);
            let mut root = stand.certain_root(&outlook);
            if root.is_none() {
                outlook.step = self.safe_step(&stand, &outlook, &window);
                // A ball that leaves along the ground.
                let leaves = !straight && fell.is_none() && gap.value <= sill && gap.rate.abs() * reach <= sill;
                if leaves {
                    outlook.step = outlook.step.max(self.along(profile, &stand));
                }
                if !straight && !(outlook.step >= NARROW * reach) {
                    (window, outlook) = self.narrow(profile, &stand, outlook, window, &mut ahead);
                    root = stand.certain_root(&outlook);
                }
            }
            if let Some((early, late)) = root {
                let guess = t + first_root(gap.value.max(0.0), gap.rate, gap.second);
                // A ball between the ground and the sill has the root behind it.
                let lo = if gap.value >= 0.0 { t + early } else { above };
                return self.land(profile, near, guess, lo, t + late);
            }
            t = (t + outlook.step.max(tick)).max(t.next_up());
        }
        MarchEnd::Undecided { time: t }
    }

    /// The foot below the ball: predicted from the last one, then by Newton until the ground's bend between foot
    /// and ball no longer matters. One evaluation, as a rule.
    #[inline(always)]
    fn follow<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        ball: &Motion,
        last: Option<Foot>,
        window: &Bounds,
        grain: f64,
    ) -> Foot {
        let xi = ball.position.x;
        let mut range = self.bounds.parameter;
        let mut s = match last {
            Some(last) => range.clamp(last.parameter + (xi - last.xi) * last.per_xi),
            None => self.guess(xi),
        };
        let mut at = foot(profile, s, self.axis, self.radius);
        self.count.evaluations += 1;
        for _ in 0..200 {
            let miss = xi - at.xi;
            let height = gap(ball, &at).value;
            if miss == 0.0 || 0.5 * window.bend_off(at.bend) * miss * miss <= (NARROW * height).max(grain) {
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
            at = foot(profile, s, self.axis, self.radius);
            self.count.evaluations += 1;
        }
        at
    }

    /// A first parameter for the abscissa `xi`: exact for graphs.
    fn guess(&self, xi: f64) -> f64 {
        let Bounds { parameter, abscissa, .. } = *self.bounds;
        if !parameter.is_bounded() || !abscissa.is_bounded() {
            return parameter.clamp(if self.axis.x < 0.0 { -xi } else { xi });
        }
        let part = (xi - abscissa.lo) / abscissa.width();
        parameter.clamp(parameter.lo + part * parameter.width())
    }

    /// Bounds of φ from here on, by those of the ground over `window`.
    #[inline(always)]
    pub(crate) fn outlook(&self, stand: &Stand, window: &Bounds) -> Outlook {
        let [along, across] = self.path.acceleration_range();
        let (xi, speed) = (stand.ball.position.x, stand.ball.velocity.x);
        let mut horizon = (self.to - stand.time).min(2.0 * stand.reach);
        // Bounds end where their window ends; beyond the part itself the ground is thought to go on straight,
        // so that no root is certain there.
        let mut inside = f64::INFINITY;
        let mut leave = |edge: f64, end: f64, way: f64, rate: f64, bend: f64| {
            // Bounds say nothing of a ball that is not over their window.
            let time = if way < 0.0 && edge != end { 0.0 } else { first_root(way.max(0.0), rate, bend) };
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
            // Over straight ground φ″ is one component of the acceleration; a path along it has none.
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
        Outlook { second, horizon, inside, step: 0.0 }
    }

    /// The longest step proven free of contact: by φ, or by the height of the ball above all of the window.
    #[inline(always)]
    fn safe_step(&self, stand: &Stand, outlook: &Outlook, window: &Bounds) -> f64 {
        let Stand { ball, gap, slack, sill, .. } = *stand;
        let by_gap = first_root((gap.value - slack.0).max(0.0) + sill, gap.rate - slack.1, outlook.second.lo);
        let [along, across] = self.sizes(&ball, stand.time);
        let height = ball.position.y - window.height.hi - self.beyond(window, along + across);
        let fall = self.path.acceleration_range()[1].lo;
        let by_height = if height > 0.0 { first_root(height, ball.velocity.y, fall) } else { 0.0 };
        by_gap.max(by_height).min(outlook.horizon)
    }

    /// Largest height (m) of the ground above the window where it goes on beyond its ends.
    #[inline(always)]
    fn beyond(&self, window: &Bounds, size: f64) -> f64 {
        let margin = size * self.margin[0].max(self.margin[1]);
        if margin == 0.0 { 0.0 } else { margin * window.slope.magnitude() }
    }

    /// A window with which the step is worth its price: about as long as the motion up to `reach`, then shorter
    /// and shorter, because bounds tighten with it.
    #[cold]
    fn narrow<P: Profile + ?Sized>(
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
            if let Some(narrow) = Bounds::over(profile, part, self.axis, self.radius) {
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
}

impl Stand {
    /// A bracket, from here, of the one root of φ, if bounds prove that φ falls all through it and deeper than the sill.
    #[inline(always)]
    fn certain_root(&self, outlook: &Outlook) -> Option<(f64, f64)> {
        let Stand { gap, slack, sill, .. } = *self;
        let second = outlook.second;
        let value = gap.value.max(0.0);
        let late = first_root(value + slack.0 + sill, gap.rate + slack.1, second.hi);
        if !(late <= outlook.horizon.min(outlook.inside)) {
            return None;
        }
        let early = first_root((value - slack.0).max(0.0), gap.rate - slack.1, second.lo);
        let steepest = gap.rate + slack.1 + second.hi * if second.hi > 0.0 { late } else { early };
        (steepest < 0.0).then_some((early, late))
    }
}
