//! A march while the path is not over its part, or is behind it.

use crate::Motion;
use crate::foot::GRAZE;
use crate::march::{March, first_root};

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
}
