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
//! root, where they converge quadratically; once `φ″` can no longer turn φ round, the root is bracketed.

use std::fmt::Debug;

use nalgebra::Vector2;
use numbers::{Interval, Number};

use super::foot::{GRAZE, GapJet, OffsetFoot, gap};
use super::outlook::first_root;
use crate::{Bounds, Motion, Path, Profile};

/// A step shorter than this part of what the ground nearby allows is worth tighter bounds.
pub(super) const NARROW: f64 = 1.0 / 16.0;

/// Work done by searches for a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    pub(crate) sides: Option<&'a dyn OtherSide>,
    /// Foot of the path's start, if that is on this very part.
    pub(crate) start: Option<OffsetFoot>,
    pub(crate) count: &'a mut SearchCount,
    /// Number of evaluations and enclosures at which the search gives up.
    pub(crate) give_up: u64,
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

/// The other side of a curve that is solid from both.
pub(crate) trait OtherSide: Debug {
    /// Whether a path that comes to the range of a face at `t`, within so many metres of the curve, is on the other side;
    /// `leaves`: its gap there grows.
    fn comes_behind(&self, t: f64, grain: f64, leaves: bool) -> bool;
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
        /// Path time, s.
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
    /// Error of the parabola through the foot, at most: in φ, m, and in φ′, m/s.
    pub slack: (f64, f64),
    /// A root counts once φ has come down to minus this.
    pub sill: f64,
    /// Time that φ takes there if it bends as the local parabola or the path alone does, whichever is sooner, s.
    pub reach: f64,
}

/// The search for a first contact on one leaf, compiled for each profile.
pub trait Searched {
    /// Bounds of the offset curve over a part, in the frame of `axis` (see [`Bounds::over`]).
    fn bounds(&self, s: Interval, axis: Vector2<f64>, radius: f64) -> Option<Bounds>;
    /// Marches along the leaf: the innermost loop of [`OffsetGround::first_contact`](crate::OffsetGround::first_contact).
    fn march(&self, march: &mut March<'_>) -> MarchEnd;
}

impl<P: Profile> Searched for P {
    fn bounds(&self, s: Interval, axis: Vector2<f64>, radius: f64) -> Option<Bounds> {
        Bounds::over(self, s, axis, radius)
    }
    fn march(&self, march: &mut March<'_>) -> MarchEnd {
        march.run(self)
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
    fn leap(&self, start: &OffsetFoot) -> Option<(f64, f64, f64)> {
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
        let mut walk = Walk::begin(self);
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
            // A fall counts from where it stands out from rounding, as a start on the ground does not.
            walk.fell = (gap.rate < 0.0 && (walk.fell.is_some() || gap.value > 16.0 * walk.sill)).then_some(t);
            let stand = self.stand(&walk, ball, near, gap, sizes[0]);
            let (step, root) = self.look_ahead(profile, &mut walk, &stand);
            let Some((early, late)) = root else {
                walk.go_on(step);
                continue;
            };
            let guess = t + first_root(gap.value.max(0.0), gap.rate, gap.second);
            // A ball between the ground and the sill has the root behind it.
            let lo = if gap.value >= 0.0 { t + early } else { walk.above };
            if let Some(hit) = self.root(profile, near, guess, [lo, t + late]) {
                return hit;
            }
            walk.skip(late);
        }
        MarchEnd::Undecided { time: walk.time }
    }

    /// Whether the ball is beyond an end of the part: where the ground ends, as near to that as places are told apart and on the way out.
    #[inline(always)]
    fn is_outside(&self, ball: &Motion, [along, across]: [f64; 2]) -> bool {
        let (xi, speed) = (ball.position.x, ball.velocity.x);
        let Interval { lo, hi } = self.bounds.abscissa;
        let out = |beyond: f64, margin: f64, speed: f64| {
            beyond > margin * (along + across) || margin == 0.0 && speed > 0.0 && beyond >= -GRAZE * along
        };
        out(lo - xi, self.margin[0], -speed) || out(xi - hi, self.margin[1], speed)
    }

    /// Sets the sill at a foot. Whether a path that comes to the part is behind the ground: what it touches there is of another face,
    /// or of this one once it has been outside.
    #[inline(always)]
    fn is_behind(
        &mut self,
        walk: &mut Walk,
        ball: &Motion,
        near: &OffsetFoot,
        gap: &GapJet,
        [along, across]: [f64; 2],
    ) -> bool {
        let t = walk.time;
        let grain = GRAZE * (across + near.slope.abs() * along);
        walk.sill = grain.max(walk.sill);
        if walk.last.is_some() {
            return false;
        }
        let leaves = gap.rate >= 0.0;
        let there = |sides: &dyn OtherSide| gap.value <= 16.0 * grain && sides.comes_behind(t, grain, leaves);
        if gap.value < -16.0 * grain || self.sides.is_some_and(there) {
            return true;
        }
        // A path may begin a rounding error below the ground that it leaves; one that goes on falling does not leave.
        let speeds = ball.velocity.y.abs() + near.slope.abs() * ball.velocity.x.abs();
        walk.sill = if gap.rate < -GRAZE * speeds { grain } else { grain.max(-2.0 * gap.value) };
        walk.above = t;
        // The path rises, or falls no deeper than a touch may be.
        if t > 0.0 && gap.value <= walk.sill && gap.rate >= -(2.0 * gap.second.max(0.0) * walk.sill).sqrt() {
            self.halves.came = Some(t);
        }
        false
    }

    /// Puts together what is known where the march stands.
    #[inline(always)]
    fn stand(&self, walk: &Walk, ball: Motion, near: OffsetFoot, gap: GapJet, along: f64) -> Stand {
        let (time, sill) = (walk.time, walk.sill);
        let miss = (ball.position.x - near.xi).abs();
        let miss = if miss <= 0.5 * GRAZE * along { 0.0 } else { miss };
        let slack = walk.window.slack(&near, miss, ball.velocity.x);
        let soonest = gap.second.min(-ball.acceleration.y.abs());
        let reach = first_root(gap.value.max(0.0) + sill, gap.rate, soonest).min(self.to - time);
        let reach = if self.is_straight() { self.to - time } else { reach };
        Stand { time, ball, near, gap, slack, sill, reach }
    }

    /// Time that is free of contact from a stand, s, and a bracket of the root if there is one for certain.
    #[inline(always)]
    fn look_ahead<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        walk: &mut Walk,
        stand: &Stand,
    ) -> (f64, Option<(f64, f64)>) {
        let Stand { gap, sill, reach, .. } = *stand;
        let mut outlook = self.outlook(stand, &walk.window);
        let root = stand.certain_root(&outlook);
        if root.is_some() {
            return (outlook.step, root);
        }
        outlook.step = self.safe_step(stand, &outlook, &walk.window);
        // Bounds of straight ground hold as far as it goes, and a narrow window knows no more.
        let straight = self.is_straight();
        // A ball that leaves along the ground.
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
}

/// A march's way along the path.
struct Walk {
    time: f64,
    /// The clock's tick, s: in less the ball does not move by a rounding error.
    tick: f64,
    /// Bounds of the ground nearby.
    window: Bounds,
    /// The last time known with φ > 0, where a root found later is bracketed from.
    above: f64,
    /// The last foot since the path came to the part.
    last: Option<OffsetFoot>,
    /// The last time of a fall that stood out from rounding.
    fell: Option<f64>,
    sill: f64,
    /// Length for which the last narrow window was made, s.
    ahead: f64,
}

impl Walk {
    fn begin(march: &March<'_>) -> Self {
        let (time, tick) = (march.from, 1e-17 * march.to);
        let (last, fell) = (None, None);
        Walk { time, tick, window: *march.bounds, above: time, last, fell, sill: 0.0, ahead: f64::INFINITY }
    }

    /// Goes on by so many s, at least a tick.
    #[inline(always)]
    fn go_on(&mut self, step: f64) {
        self.time = (self.time + step.max(self.tick)).max(self.time.next_up());
    }

    /// Goes on by so many s to where nothing is known of φ.
    #[inline(always)]
    fn skip(&mut self, step: f64) {
        self.go_on(step);
        (self.last, self.fell) = (None, None);
    }
}
