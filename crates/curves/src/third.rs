//! Time for which a path stays off the ground that it leaves along it: bounds of the third order.
//!
//! Where a ball lifts off, φ, φ′ and φ″ are zero to rounding, and no bound of φ″ lets the march go far. Over a window of the ground
//!
//! ```text
//! φ‴ = η‴ − H′ξ‴ − 3 H″ξ′ξ″ − H‴ξ′³        φ(t+τ) ≥ φ + φ′τ + φ″τ²/2 + min φ‴ τ³/6
//! ```

use crate::foot::Foot;
use crate::march::{March, Stand, first_root};
use crate::{Bounds, Profile};
use numbers::{Interval, Number, Taylor};

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
        let Foot { parameter, per_xi, .. } = near;
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
