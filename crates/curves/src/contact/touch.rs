//! Passing without a contact: the ends of a part, its back, touches no deeper than rounding.

use std::ops::Range;

use super::foot::{GRAZE, OffsetFoot, gap};
use super::march::March;
use super::outlook::first_root;
use crate::{Motion, Profile};

impl March<'_> {
    /// Whether the path is below all of the part throughout.
    #[cold]
    pub(crate) fn stays_behind(&self) -> bool {
        let [_, height] = self.path.bounds(self.from, self.to);
        let lowest = self.bounds.height.lo;
        height.hi < lowest - 64.0 * GRAZE * (height.magnitude() + lowest.abs() + self.radius + self.ground)
    }

    /// Time until ξ can be outside, by more than the margins where numbers are of a size in m.
    #[cold]
    pub(crate) fn exit(&self, ball: &Motion, size: f64) -> f64 {
        let (range, acceleration) = (self.bounds.abscissa, self.path.acceleration_range()[0]);
        let [before, after] = self.margin.map(|margin| 2.0 * margin.max(GRAZE) * size);
        let (xi, speed) = (ball.position.x, ball.velocity.x);
        let root = |away: f64, speed: f64, acceleration: f64| {
            if away.is_finite() { first_root(away.max(0.0), speed, acceleration) } else { f64::INFINITY }
        };
        root(range.hi + after - xi, -speed, -acceleration.hi).min(root(xi - range.lo + before, speed, acceleration.lo))
    }

    /// Time until ξ can come in from outside.
    #[cold]
    pub(crate) fn entry(&self, ball: &Motion) -> f64 {
        let range = self.bounds.abscissa;
        let acceleration = self.path.acceleration_range()[0];
        let [before, after] = [range.lo - ball.position.x, ball.position.x - range.hi];
        if before > after {
            first_root(before.max(0.0), -ball.velocity.x, -acceleration.hi)
        } else {
            first_root(after.max(0.0), ball.velocity.x, acceleration.lo)
        }
    }

    /// Notes whether φ comes down to a touch where the ball passes the end of the part, between two times; whether it
    /// stood out and fell until the first of them is known.
    #[cold]
    pub(crate) fn leave_touching<P: Profile + ?Sized>(
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
            // Straight on at this rate it can't come down to the sill before the end of the bracket.
            if t <= lo || hi <= t || gap.value - gap.rate.abs() * (hi - lo) > sill && gap.second >= 0.0 {
                return false;
            }
            if gap.rate < 0.0 { lo = t } else { hi = t }
        }
    }
}
