//! How far a march may go: bounds of φ ahead, by enclosures of the ground over a window of it.
//!
//! Where a ball lifts off, φ, φ′ and φ″ are zero to rounding, and no bound of φ″ goes far. Over a window of the ground
//!
//! ```text
//! φ‴ = η‴ − H′ξ‴ − 3 H″ξ′ξ″ − H‴ξ′³        φ(t+τ) ≥ φ + φ′τ + φ″τ²/2 + min φ‴ τ³/6
//! ```

use nalgebra::Vector2;
use numbers::{Interval, Number, Taylor};

use super::foot::OffsetFoot;
use super::march::{March, Stand};
use crate::{Bounds, Profile};

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
    pub(super) fn safe_step(&self, stand: &Stand, outlook: &Outlook, window: &Bounds) -> f64 {
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
    pub(super) fn beyond(&self, window: &Bounds, size: f64) -> f64 {
        let margin = size * self.margin[0].max(self.margin[1]);
        if margin == 0.0 { 0.0 } else { margin * window.slope.magnitude() }
    }

    /// A window with which the step is worth its price: about as long as the motion up to `reach`, then shorter
    /// and shorter, because bounds tighten with it.
    #[cold]
    pub(super) fn narrow<P: Profile + ?Sized>(
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
        let grain = 2.0 * f64::EPSILON * near.parameter.abs();
        *ahead = reach.min(8.0 * *ahead);
        for _ in 0..60 {
            let travel = *ahead * (ball.velocity.x.abs() + 0.5 * *ahead * along);
            // A tip may turn more between two neighbouring parameters than the motion needs.
            let half = ((1.0625 * (travel + beside)).max(least) * near.per_xi.abs()).max(grain);
            let part = Interval::new(near.parameter - half, near.parameter + half);
            let Some(part) = part.intersection(self.bounds.parameter) else { break };
            self.count.enclosures += 1;
            if let Some(narrow) = Bounds::over(profile, part, self.axis, self.radius) {
                let miss = if stand.slack.0 > 0.0 { beside } else { 0.0 };
                let slack = narrow.slack(&near, miss, ball.velocity.x);
                let stand = Stand { reach: *ahead, slack, ..*stand };
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
    pub(super) fn certain_root(&self, outlook: &Outlook) -> Option<(f64, f64)> {
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

/// Windows tried for one step, each a quarter of the one before.
const TRIES: u32 = 12;

/// H‴ over a part whose H′, H″ and so on are bounded, 1/m²; undefined where a bound fails.
fn twist<P: Profile + ?Sized>(profile: &P, part: &Bounds, march: &March<'_>) -> Interval {
    let (axis, radius) = (march.axis, march.radius);
    let [Taylor(xi), Taylor(eta)] = profile.seen(Taylor::<Interval, 4>::variable(part.parameter), axis);
    // Derivatives by the parameter.
    let derivatives = |c: [Interval; 4]| [c[1], c[2].scale(2.0), c[3].scale(6.0)];
    let ([x1, x2, x3], [y1, y2, y3]) = (derivatives(xi), derivatives(eta));
    // H′ and its derivatives by the parameter.
    let slope = y1 / x1;
    let slope1 = (y2 - slope * x2) / x1;
    let slope2 = (y3 - (slope1 * x2).scale(2.0) - slope * x3) / x1;
    // ξ of the centre, ξ − R H′/√(1 + H′²), by the parameter.
    let stretch = Interval::point(1.0) + slope.square();
    let (cube, fifth) = (stretch.powf(1.5), stretch.powf(2.5));
    let along = x1 - (slope1 / cube).scale(radius);
    let along1 = x2 - (slope2 / cube - (slope * slope1.square() / fifth).scale(3.0)).scale(radius);
    (slope2 - part.bend * along1) / along.square()
}

/// Time for which `c + bτ + aτ²/2 + jτ³/6` stays positive, `horizon` at most, c > 0.
fn positive_for([c, b, a, j]: [f64; 4], horizon: f64) -> f64 {
    let bent = if j < 0.0 { a + j * horizon / 3.0 } else { a };
    let parabola = first_root(c, b, bent).min(horizon);
    if !(j > 0.0) {
        return if j < 0.0 { parabola } else { 0.0 };
    }
    let square = a * a - 2.0 * b * j;
    if square <= 0.0 {
        return horizon;
    }
    // The only minimum of the cubic.
    let root = square.sqrt();
    let lowest = if a > 0.0 { -2.0 * b / (a + root) } else { (root - a) / j };
    let value = c + lowest * (b + lowest * (0.5 * a + lowest * j / 6.0));
    if lowest <= 0.0 || value > 0.0 { horizon } else { parabola }
}

impl March<'_> {
    /// Time for which φ stays above minus the sill, s, of a ball that is on the ground and neither falls nor rises.
    #[cold]
    pub(crate) fn along<P: Profile + ?Sized>(&mut self, profile: &P, stand: &Stand) -> f64 {
        let Stand { ball, gap, slack, sill, near, .. } = *stand;
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
            if let Some(window) = window.and_then(|part| Bounds::over(profile, part, self.axis, self.radius)) {
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
                // Error of φ″ by the parabola through the foot, at most.
                let off = twist.magnitude() * beside * (ball.velocity.x.powi(2) + beside * ball.acceleration.x.abs());
                let bounds = [gap.value.max(0.0) - slack.0 + sill, gap.rate - slack.1, gap.second - off, third.lo];
                let free = positive_for(bounds, horizon);
                if bounds[0] > 0.0 && free >= 0.5 * horizon {
                    return free;
                }
            }
            ahead *= 0.25;
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic that rises from nothing, one that dips, and one that falls in the end.
    #[test]
    fn cubics() {
        assert_eq!(positive_for([1e-16, 0.0, -1e-15, 2.0], 0.5), 0.5);
        assert_eq!(positive_for([1e-16, -1e-17, 0.0, 2.0], 0.5), 0.5);
        let dips = positive_for([1e-16, -1.0, 0.0, 2.0], 0.5);
        assert!(dips > 0.0 && dips <= 1.1e-16);
        let falls = positive_for([1.0, 0.0, 1.0, -30.0], 1.0);
        assert!(falls > 0.3 && 1.0 + 0.5 * falls * falls - 5.0 * falls.powi(3) >= 0.0, "{falls}");
        assert_eq!(positive_for([1.0, 0.0, 0.0, f64::NAN], 1.0), 0.0);
    }
}
