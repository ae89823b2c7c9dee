//! Where a march meets the ground: feet below the ball, and the root of φ between two times.

use numbers::{Interval, Rounding};

use super::foot::{GRAZE, GapJet, OffsetFoot, foot, gap};
use super::march::{March, MarchEnd, NARROW};
use crate::{Bounds, Motion, Profile};

/// Errors of a foot that is moved by the parabola through another, as a move before has shown.
#[derive(Clone, Copy)]
pub(super) struct MoveError {
    /// Error of ξ, per square of the way, 1/m.
    foot: f64,
    /// Error of d²η/dξ², per metre of the way, 1/m².
    bend: f64,
}

impl MoveError {
    /// Whether a foot that is moved along ξ by `way` m errs by no more than rounding: its parameter by that of ξ, `unit`,
    /// η by `grain`, its normal by its own and what that of ξ turns it by.
    #[inline(always)]
    fn is_rounding(&self, way: f64, bend: f64, unit: f64, grain: f64) -> bool {
        let square = way * way;
        square * self.foot <= unit
            && square * self.bend <= f64::EPSILON + bend.abs() * unit
            && square * self.bend * way.abs() <= grain
    }
}

impl March<'_> {
    /// The foot below the ball: predicted from the last one, then by Newton until the ground's bend between foot
    /// and ball no longer matters. One evaluation, as a rule.
    #[inline(always)]
    pub(super) fn follow<P: Profile + ?Sized>(
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
        let mut at = foot(profile, s, self.axis, self.radius);
        self.count.evaluations += 1;
        for _ in 0..200 {
            let miss = xi - at.xi;
            let height = gap(ball, &at).value;
            if window.slack(&at, miss, 0.0).0 <= (NARROW * height).max(grain) {
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

    /// The root of φ between two times: by Newton's method from a guess, or by halves where that goes astray.
    #[inline(always)]
    pub(super) fn root<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        near: OffsetFoot,
        guess: f64,
        [lo, hi]: [f64; 2],
    ) -> Option<MarchEnd> {
        let landed = self.land(profile, near, guess, lo, hi);
        landed.or_else(|| self.halve(profile, near, lo, hi))
    }

    /// The root of φ in `[lo, hi]`, where φ falls through zero: Newton's method on `q(t) = c(s) + R n(s)`, kept in the bracket. Each
    /// turn evaluates the ground at a foot and goes to the root of the parabola with φ, φ′ and φ″ there, whatever the
    /// parameter is; the last move is one whose error, told by that of the move before, is below rounding. `None`: it
    /// has gone astray.
    #[inline(always)]
    fn land<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        near: OffsetFoot,
        start: f64,
        lo: f64,
        hi: f64,
    ) -> Option<MarchEnd> {
        let (mut lo, mut hi) = (lo, hi.min(self.to));
        let (mut t, mut near) = (start.max(lo).min(hi), near);
        // Least miss of any turn, in rounding errors, and its time.
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
            // The root of the parabola with this value, rate and second derivative.
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

    /// The root at the time where Newton's method came nearest, if it came to within what is no wrong state.
    fn settle<P: Profile + ?Sized>(&mut self, profile: &P, near: OffsetFoot, time: f64) -> Option<MarchEnd> {
        let ball = self.path.at(time);
        let (xi, sizes) = (ball.position.x, self.sizes(&ball, time));
        let (mut near, _) = self.pin(profile, &ball, near, sizes, 0.0, &mut None);
        // φ is exact at this foot, its place not yet: one turn of Newton's method, and the rest by the parabola.
        let moves = self.beside(&near, xi).filter(|ahead| *ahead != 0.0);
        if let Some(ahead) = moves {
            near = foot(profile, self.range.clamp(near.parameter + ahead * near.per_xi), self.axis, self.radius);
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

    /// The root where Newton's method has gone astray, by halving the bracket with feet on this part alone: a piece may be above ξ in
    /// several places. `None`: the root is beyond the end of the part, on another.
    #[cold]
    #[inline(never)]
    fn halve<P: Profile + ?Sized>(&mut self, profile: &P, near: OffsetFoot, lo: f64, hi: f64) -> Option<MarchEnd> {
        let (mut lo, mut hi) = (lo, hi.min(self.to));
        let part = self.bounds.parameter;
        let mut at = foot(profile, part.clamp(near.parameter), self.axis, self.radius);
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

    /// Way of ξ ahead of a foot, m; `None` of a foot at an end of the range: it is below what is beyond that, not below what Newton's
    /// method has yet to go back to.
    #[inline(always)]
    fn beside(&self, near: &OffsetFoot, xi: f64) -> Option<f64> {
        let ahead = xi - near.xi;
        let ends = near.parameter <= self.range.lo || self.range.hi <= near.parameter;
        (!ends || self.range.clamp(near.parameter + ahead * near.per_xi) != near.parameter).then_some(ahead)
    }

    /// The sizes of the numbers that ξ and η at `t` are made of, m; η of both where the axis is not level. Above ground of a
    /// slope the gap is off by the rounding of η and by the slope times that of ξ.
    #[inline(always)]
    pub(crate) fn sizes(&self, ball: &Motion, t: f64) -> [f64; 2] {
        let Motion { position, velocity, acceleration } = ball;
        let size = |axis: usize| {
            position[axis].abs() + self.radius + self.ground + t * (velocity[axis].abs() + t * acceleration[axis].abs())
        };
        let along = size(0);
        [along, size(1) + self.axis.y.abs() * along]
    }

    /// Finds a foot so close below the ball that the parabola through it is exact there, to rounding or to a `part` of φ. A step of
    /// Newton's method leads to it, whatever the parameter is. Returns it and φ by that parabola; `error` tells how such steps err, at
    /// worst so far. `[along, across]` are the sizes of the ball's place.
    #[inline(always)]
    pub(super) fn pin<P: Profile + ?Sized>(
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
            at = foot(profile, s, self.axis, self.radius);
            self.count.evaluations += 1;
            let gap = gap(ball, &at);
            let (miss, run) = ((xi - at.xi).abs(), (at.xi - before.xi).abs());
            let slower = 1.0 / run;
            let bend = (at.bend - before.bend).abs() * slower;
            // A short move shows nothing but rounding.
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

    /// The foot below `xi` where Newton alone goes astray: near a cusp the offset curve's speed changes fast.
    #[cold]
    fn find<P: Profile + ?Sized>(&mut self, profile: &P, xi: f64, start: OffsetFoot) -> OffsetFoot {
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
            at = foot(profile, s, self.axis, self.radius);
            self.count.evaluations += 1;
        }
        at
    }
}
