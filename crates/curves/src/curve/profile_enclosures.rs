//! [`Profile`], the trait of a curve, with all derivatives and enclosures that follow from its formula.

use std::fmt::Debug;

use nalgebra::Vector2;

use numbers::{Interval, Number, Taylor};

use crate::{Jet, Shape};

/// A plane curve `c(s)`, written once for every kind of [`Number`].
///
/// Jets, enclosures, arc length, closest point, offset curve and first contact follow from this one formula.
/// The free side is to the left of travel: a graph `(s, h(s))` has the ball above it.
///
/// ```
/// use curves::{Ground, Piece, Profile};
/// use numbers::{Interval, Number};
///
/// #[derive(Debug)]
/// struct Parabola { focal_length: f64 } // m
///
/// impl Profile for Parabola {
///     fn point<N: Number>(&self, s: N) -> [N; 2] {
///         [s, s.square().scale(0.25 / self.focal_length)]
///     }
/// }
///
/// let ground = Ground::new(vec![Piece::new(Parabola { focal_length: 0.5 }, Interval::REAL)])?;
/// let frame = ground.pieces()[0].jet(0.0);
/// assert_eq!(frame.curvature(), 1.0);
/// # Ok::<(), curves::GroundError>(())
/// ```
pub trait Profile: Debug + Send + Sync {
    /// The point `[x, y]` in metres at parameter `s`.
    ///
    /// Must be defined and three times differentiable with `c′ ≠ 0` on the piece's domain; [`Ground::new`] proves the
    /// first and the last, and refuses the curve otherwise. Outside the domain it may give NaN.
    ///
    /// [`Ground::new`]: crate::Ground::new
    fn point<N: Number>(&self, s: N) -> [N; 2];

    /// Unit vector of the formula's x-axis; not +x for a curve that was turned.
    ///
    /// Over an unbounded part a coordinate may be bounded in this frame that is `∞ − ∞` in others.
    fn axis(&self) -> Vector2<f64> {
        Vector2::x()
    }

    /// Point in the frame of an axis (a unit vector): along it and to its left, m.
    #[inline(always)]
    fn seen<N: Number>(&self, s: N, axis: Vector2<f64>) -> [N; 2] {
        turned(self.point(s), axis)
    }

    /// The line or circular arc that the curve is, with the same parameter: lengths, images and parallels are then
    /// exact; for all other curves they follow from [`point`](Profile::point).
    fn shape(&self) -> Option<Shape> {
        None
    }
}

/// A point in the frame of an axis; exact where that is ±x.
#[inline(always)]
pub(crate) fn turned<N: Number>([x, y]: [N; 2], axis: Vector2<f64>) -> [N; 2] {
    if axis.y != 0.0 {
        [x.scale(axis.x) + y.scale(axis.y), y.scale(axis.x) - x.scale(axis.y)]
    } else if axis.x < 0.0 {
        [-x, -y]
    } else {
        [x, y]
    }
}

/// Enclosures `[x, y]` of a curve and its derivatives over an interval of the parameter.
pub type JetEnclosure = Jet<[Interval; 2]>;

impl JetEnclosure {
    /// Encloses `c` over a part, with points `at` its ends in the same frame. A monotonic coordinate lies between its
    /// ends: over an infinite part the finite end bounds it even if the formula is `∞ − ∞`.
    pub(crate) fn between_ends(&self, part: Interval, at: impl Fn(f64) -> Vector2<f64>) -> [Interval; 2] {
        let [from, to] = [part.lo, part.hi].map(|end| end.is_finite().then(|| at(end)));
        [0, 1].map(|i| {
            let (low, high) = match self.first[i] {
                rate if rate.lo >= 0.0 => (from, to),
                rate if rate.hi <= 0.0 => (to, from),
                _ => return self.point[i],
            };
            let end = |end: Option<Vector2<f64>>, open: f64| {
                end.map_or(open, |point| point[i] + 16.0 * f64::EPSILON * point.abs().sum().copysign(open))
            };
            let ends = Interval::new(end(low, f64::NEG_INFINITY), end(high, f64::INFINITY));
            ends.intersection(self.point[i]).unwrap_or(ends)
        })
    }

    /// Enclosures of a profile, in the frame of an axis.
    pub(crate) fn of<P: Profile + ?Sized>(profile: &P, s: Interval, axis: Vector2<f64>) -> Self {
        let [Taylor(x), Taylor(y)] = profile.seen(Taylor::<Interval, 4>::variable(s), axis);
        JetEnclosure {
            point: [x[0], y[0]],
            first: [x[1], y[1]],
            second: [x[2].scale(2.0), y[2].scale(2.0)],
            third: [x[3].scale(6.0), y[3].scale(6.0)],
        }
    }
    /// Encloses `‖c′‖²`.
    pub fn speed_squared(&self) -> Interval {
        self.first[0].square() + self.first[1].square()
    }
    /// Encloses the curvature `κ`; undefined where the speed may vanish.
    pub fn curvature(&self) -> Interval {
        let cross = self.first[0] * self.second[1] - self.first[1] * self.second[0];
        let squared = self.speed_squared();
        cross / (squared * squared.sqrt())
    }
    /// Encloses `κ` of a profile over a part, for short ones much tighter than [`curvature`](JetEnclosure::curvature):
    /// `κ(s) = κ(m) + κ′(m)(s − m) + κ″(…)(s − m)²/2` around the middle m, too wide by third order in the length of the
    /// part. For a line or an arc it is the constant κ, to rounding.
    pub(crate) fn curvature_around<P: Profile + ?Sized>(profile: &P, part: Interval) -> Interval {
        if let Some(shape) = profile.shape() {
            return shape.curvature_range();
        }
        let series = |s: Interval| {
            let [x, y] = profile.seen(Taylor::<Interval, 5>::variable(s), profile.axis()).map(|c| c.0);
            let first = |c: [Interval; 5]| Taylor([c[1], c[2].scale(2.0), c[3].scale(3.0)]);
            let second = |c: [Interval; 5]| Taylor([c[2].scale(2.0), c[3].scale(6.0), c[4].scale(12.0)]);
            let squared = first(x).square() + first(y).square();
            (first(x) * second(y) - first(y) * second(x)) / (squared * squared.sqrt())
        };
        let middle = Interval::point(part.middle());
        let (Taylor([value, rate, _]), Taylor([whole, _, bend])) = (series(middle), series(part));
        let away = part - middle;
        let around = value + rate * away + bend * away.square();
        // Both bounds are valid; an undefined one bounds nothing.
        around.intersection(whole).unwrap_or(around)
    }
}
