//! The end of a march: the root that bounds have bracketed, and touches that are none.

use std::ops::Range;

use crate::foot::{Foot, GRAZE, Gap, foot, gap};
use crate::march::{March, MarchEnd};
use crate::{Motion, Profile};
use numbers::Rounding;

/// Errors of a foot that is moved by the parabola through another, as a move before has shown.
#[derive(Clone, Copy)]
struct MoveError {
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
    /// The root of φ in `[lo, hi]`, where φ falls through zero: Newton's method on `q(t) = c(s) + R n(s)`, kept in the bracket. Each
    /// turn evaluates the ground at a foot and goes to the root of the parabola with φ, φ′ and φ″ there, whatever the
    /// parameter is; the last move is one whose error, told by that of the move before, is below rounding.
    #[inline(always)]
    pub(crate) fn land<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        near: Foot,
        start: f64,
        lo: f64,
        hi: f64,
    ) -> MarchEnd {
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
                return MarchEnd::Hit { time: t, foot: near };
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
                if (there.y - foot.eta).abs() <= grain {
                    return MarchEnd::Hit { time: next, foot };
                }
            }
            if (step * gap.rate).abs() <= Rounding::SUM * grain && !closer {
                break;
            }
            t = next;
        }
        let time = best.1;
        let ball = self.path.at(time);
        let xi = ball.position.x;
        let (mut near, _) = self.pin(profile, &ball, near, self.sizes(&ball, time), 0.0, &mut None);
        // φ is exact at this foot, its place not yet: one turn of Newton's method, and the rest by the parabola.
        if let Some(ahead) = self.beside(&near, xi).filter(|ahead| *ahead != 0.0) {
            near = foot(profile, self.range.clamp(near.parameter + ahead * near.per_xi), self.axis, self.radius);
            self.count.evaluations += 1;
            near = self.beside(&near, xi).map_or(near, |_| near.moved_to(xi));
        }
        MarchEnd::Hit { time, foot: near }
    }

    /// Way of ξ ahead of a foot, m; `None` of a foot at an end of the range: it is below what is beyond that, not below what Newton's
    /// method has yet to go back to.
    #[inline(always)]
    fn beside(&self, near: &Foot, xi: f64) -> Option<f64> {
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
    fn pin<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        ball: &Motion,
        near: Foot,
        [along, across]: [f64; 2],
        part: f64,
        error: &mut Option<MoveError>,
    ) -> (Foot, Gap) {
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
    fn find<P: Profile + ?Sized>(&mut self, profile: &P, xi: f64, start: Foot) -> Foot {
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

    /// Notes whether φ comes down to a touch where the ball passes the end of the part, between two times; whether it
    /// stood out and fell until the first of them is known.
    #[cold]
    pub(crate) fn leave_touching<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        near: Foot,
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
        // By the parabola at the last foot: did it stand out, and has it lost most of that?
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

    /// Whether the least φ between two times, falling at the first and rising at the second, is a touch.
    #[cold]
    pub(crate) fn grazed<P: Profile + ?Sized>(
        &mut self,
        profile: &P,
        near: Foot,
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
            // Straight on at this rate it can't come down to the sill before the end of the bracket.
            if t <= lo || hi <= t || gap.value - gap.rate.abs() * (hi - lo) > sill && gap.second >= 0.0 {
                return false;
            }
            if gap.rate < 0.0 { lo = t } else { hi = t }
        }
    }
}
