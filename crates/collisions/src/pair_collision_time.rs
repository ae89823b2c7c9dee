//! When do two balls collide? First contact of two motions with constant acceleration.

use nalgebra::Vector2;
use numbers::{Rounding, polynomial};

/// Motion of one ball relative to another, both with constant acceleration, and its rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    /// Relative place, m.
    pub place: Vector2<f64>,
    /// Relative velocity, m/s.
    pub velocity: Vector2<f64>,
    /// Relative acceleration, m/s².
    pub acceleration: Vector2<f64>,
    /// Sum of the radii, m.
    pub reach: f64,
    /// Rounding of these numbers.
    pub unit: Rounding,
}

/// First contact of two balls on their current paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Encounter {
    Never,
    /// Their gap becomes zero.
    After {
        /// Time from now, s.
        seconds: f64,
        /// Approach speed, m/s.
        approach: f64,
    },
    /// They touch without approach, and are pressed together.
    Pressed,
}

impl Relative {
    /// The first time, up to `horizon` s from now, at which the gap falls to zero.
    ///
    /// ```text
    /// P(t) = |q + v t + a t²/2|² − (R₁+R₂)²      of degree 2 where both have the same acceleration, else 4
    /// ```
    ///
    /// Balls that touch to rounding collide now if they approach by more than rounding. Otherwise P has a root now, or
    /// two if they neither approach nor separate: these are divided out, and the next root counts.
    #[inline]
    pub fn meeting(&self, horizon: f64) -> Encounter {
        let Relative { place: q, velocity: v, acceleration: a, reach, unit } = *self;
        let squared = q.norm_squared();
        let along = q.dot(&v);
        let straight = a == Vector2::zeros();
        if straight && !(along < 0.0) {
            return Encounter::Never;
        }
        let distance = squared.sqrt();
        let gap = distance - reach;
        if Rounding::vanishes(gap.max(0.0), unit.length) {
            let rate = along / distance;
            if rate < -Rounding::SUM * unit.velocity {
                return Encounter::After { seconds: 0.0, approach: -rate };
            }
            if straight {
                return Encounter::Never;
            }
            let parts = rate > Rounding::SUM * unit.velocity;
            // P expanded at its start: P = 2t (q·v) + t² (v² + q·a) + t³ v·a + t⁴ a²/4.
            let second = v.norm_squared() + q.dot(&a);
            if !parts && second < -Rounding::SUM * unit.acceleration * distance {
                return Encounter::Pressed;
            }
            let first = if parts { 2.0 * along } else { 0.0 };
            return self.along(horizon, [0.0, first, second]);
        }
        if straight {
            // The smaller root of P, computed without cancellation.
            let speed = v.norm_squared();
            let square = along * along - speed * (gap * (distance + reach));
            if !(square > 0.0) {
                return Encounter::Never;
            }
            let root = square.sqrt();
            let seconds = gap * (distance + reach) / (root - along);
            return if seconds <= horizon {
                Encounter::After { seconds, approach: root / reach }
            } else {
                Encounter::Never
            };
        }
        self.along(horizon, [gap * (distance + reach), 2.0 * along, v.norm_squared() + q.dot(&a)])
    }

    /// First root of P up to `horizon` s, with coefficients `start` of 1, t and t² now. It is searched for in parts,
    /// each about as long as the balls take for their distance: then no coefficient is large beside P.
    #[cold]
    fn along(&self, horizon: f64, start: [f64; 3]) -> Encounter {
        let Relative { place, velocity, acceleration: a, reach, .. } = *self;
        let moved = |t: f64| (place + t * (velocity + 0.5 * t * a), velocity + t * a);
        let mut from = 0.0;
        let mut low = start;
        while from < horizon {
            let (q, v) = moved(from);
            let size = q.norm() + reach;
            let part = (size / v.norm()).min((size / a.norm()).sqrt()).min(horizon - from);
            // Where a part is too short for the clock, one up to the horizon ends the search.
            let to = if from + part > from { from + part } else { horizon };
            let h = to - from;
            let c =
                [low[0], low[1] * h, low[2] * h * h, v.dot(&a) * h * h * h, 0.25 * a.norm_squared() * h * h * h * h];
            if let Some(part) = first_root(&c) {
                let seconds = from + part * h;
                let (q, v) = moved(seconds);
                return Encounter::After { seconds, approach: (-q.dot(&v) / q.norm()).max(0.0) };
            }
            from = to;
            let (q, v) = moved(from);
            let distance = q.norm();
            low = [(distance - reach) * (distance + reach), 2.0 * q.dot(&v), v.norm_squared() + q.dot(&a)];
        }
        Encounter::Never
    }
}

/// First root in (0, 1] of a polynomial of degree 4 (constant term first) that is not negative before it. Its lowest
/// coefficients count as zero within rounding: these are roots at 0, which are divided out; 0 if it then falls at once.
fn first_root(c: &[f64; 5]) -> Option<f64> {
    let grain = Rounding::SUM * f64::EPSILON * c.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
    let zeros = c.iter().take_while(|c| c.abs() <= grain).count();
    if *c.get(zeros)? < 0.0 {
        return Some(0.0);
    }
    polynomial::first_root(&c[zeros..], 1.0)
}
