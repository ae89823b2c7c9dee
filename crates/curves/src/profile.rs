//! The one trait a curve implements, and what follows from it.

use std::fmt::Debug;

use nalgebra::Vector2;

use crate::bounds::Bounds;
use crate::march::{March, MarchEnd};
use crate::{Frame, Interval, Number, Shape, Taylor};

/// A plane curve `c(s)`, written once for every kind of [`Number`].
///
/// Jets, enclosures, arc length, closest point, offset curve and first contact follow from this one formula.
/// The free side is to the left of travel: a graph `(s, h(s))` has the ball above it.
///
/// ```
/// use curves::{Ground, Interval, Number, Piece, Profile};
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
    /// Must be defined and three times differentiable with `c′ ≠ 0` on the piece's domain; [`Ground::new`]
    /// proves the first and the last and refuses the curve otherwise. Beyond the domain it may give NaN.
    ///
    /// [`Ground::new`]: crate::Ground::new
    fn point<N: Number>(&self, s: N) -> [N; 2];

    /// The direction (a unit vector) of the x-axis of the formula: another one for a curve that was turned.
    ///
    /// Over an unbounded part, coordinates in that frame are known where all others are a sum of infinite ones.
    fn axis(&self) -> Vector2<f64> {
        Vector2::x()
    }

    /// The point as seen along an axis (a unit vector): along it and to its left, m.
    #[inline(always)]
    fn seen<N: Number>(&self, s: N, axis: Vector2<f64>) -> [N; 2] {
        turned(self.point(s), axis)
    }

    /// The line or circular arc that this is, with the same parameter. Those have exact lengths, images and parallels; of all
    /// others they follow from [`point`](Profile::point).
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

/// What every [`Profile`] can do behind a pointer. Implemented for all profiles and by nothing else.
pub trait Curve: Debug + Send + Sync {
    /// `c(s)` in metres.
    fn point_at(&self, s: f64) -> Vector2<f64>;
    /// `c` and its derivatives to third order.
    fn jet(&self, s: f64) -> Jet;
    /// `‖c′(s)‖`, m per unit of the parameter.
    fn speed(&self, s: f64) -> f64;
    /// The frame of the centre path of a ball of this radius (m).
    fn frame(&self, s: f64, radius: f64) -> Frame;
    /// `[x, y]` with their derivatives `c⁽ᵏ⁾/k!` to k = 4.
    fn series(&self, s: f64) -> [[f64; 5]; 2];
    /// The same enclosed over an interval.
    fn series_over(&self, s: Interval) -> [[Interval; 5]; 2];
    /// Enclosure of `c` and its derivatives over all `s` in the interval.
    fn enclosure(&self, s: Interval) -> JetEnclosure;
    /// The direction of the x-axis of the formula.
    fn axis(&self) -> Vector2<f64>;
    /// The enclosure as seen along an axis.
    fn enclosure_seen(&self, s: Interval, axis: Vector2<f64>) -> JetEnclosure;
    /// The point alone.
    fn seen_over(&self, s: Interval, axis: Vector2<f64>) -> [Interval; 2];
    /// Bounds of the offset curve over a part, in the frame of `axis` (see [`Bounds::over`]).
    fn bounds(&self, s: Interval, axis: Vector2<f64>, radius: f64) -> Option<Bounds>;
    /// The line or circular arc that this is.
    fn shape(&self) -> Option<Shape>;
    /// The innermost loop of [`OffsetGround::first_contact`](crate::OffsetGround::first_contact), compiled for this profile.
    fn march(&self, march: &mut March<'_>) -> MarchEnd;
}

impl<P: Profile> Curve for P {
    fn point_at(&self, s: f64) -> Vector2<f64> {
        Vector2::from(self.point(s))
    }

    fn jet(&self, s: f64) -> Jet {
        let [Taylor(x), Taylor(y)] = self.point(Taylor::<f64, 4>::variable(s));
        Jet {
            point: Vector2::new(x[0], y[0]),
            first: Vector2::new(x[1], y[1]),
            second: Vector2::new(2.0 * x[2], 2.0 * y[2]),
            third: Vector2::new(6.0 * x[3], 6.0 * y[3]),
        }
    }

    fn speed(&self, s: f64) -> f64 {
        let [Taylor(x), Taylor(y)] = self.point(Taylor::<f64, 2>::variable(s));
        Vector2::new(x[1], y[1]).norm()
    }

    #[inline]
    fn frame(&self, s: f64, radius: f64) -> Frame {
        let [Taylor(x), Taylor(y)] = self.point(Taylor::<f64, 3>::variable(s));
        let first = Vector2::new(x[1], y[1]);
        let speed = first.norm();
        let slowness = 1.0 / speed;
        let tangent = first * slowness;
        let normal = turn_left(tangent);
        let curvature = 2.0 * (x[1] * y[2] - y[1] * x[2]) * (slowness * slowness * slowness);
        let frame = Frame { position: Vector2::new(x[0], y[0]), tangent, normal, curvature, speed };
        if radius == 0.0 {
            return frame;
        }
        let shrink = 1.0 - curvature * radius;
        Frame {
            position: frame.position + radius * normal,
            curvature: curvature / shrink,
            speed: speed * shrink,
            ..frame
        }
    }

    fn series(&self, s: f64) -> [[f64; 5]; 2] {
        self.point(Taylor::<f64, 5>::variable(s)).map(|c| c.0)
    }

    fn series_over(&self, s: Interval) -> [[Interval; 5]; 2] {
        self.point(Taylor::<Interval, 5>::variable(s)).map(|c| c.0)
    }

    fn enclosure(&self, s: Interval) -> JetEnclosure {
        JetEnclosure::of(self, s, Vector2::x())
    }

    fn axis(&self) -> Vector2<f64> {
        Profile::axis(self)
    }

    fn enclosure_seen(&self, s: Interval, axis: Vector2<f64>) -> JetEnclosure {
        JetEnclosure::of(self, s, axis)
    }

    fn seen_over(&self, s: Interval, axis: Vector2<f64>) -> [Interval; 2] {
        self.seen(s, axis)
    }

    fn bounds(&self, s: Interval, axis: Vector2<f64>, radius: f64) -> Option<Bounds> {
        Bounds::over(self, s, axis, radius)
    }

    fn shape(&self) -> Option<Shape> {
        Profile::shape(self)
    }

    fn march(&self, march: &mut March<'_>) -> MarchEnd {
        march.run(self)
    }
}

/// `c(s)` and its derivatives by the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// `c`, m.
    pub point: Vector2<f64>,
    /// `c′`, m per unit of the parameter.
    pub first: Vector2<f64>,
    /// `c″`.
    pub second: Vector2<f64>,
    /// `c‴`.
    pub third: Vector2<f64>,
}

impl Jet {
    /// `‖c′‖`.
    pub fn speed(&self) -> f64 {
        self.first.norm()
    }
    /// `τ = c′/‖c′‖`.
    pub fn tangent(&self) -> Vector2<f64> {
        self.first / self.speed()
    }
    /// `n = Jτ`, towards the free side.
    pub fn normal(&self) -> Vector2<f64> {
        turn_left(self.tangent())
    }
    /// `κ = det(c′, c″)/‖c′‖³`, 1/m; positive in a valley.
    pub fn curvature(&self) -> f64 {
        self.first.perp(&self.second) / self.speed().powi(3)
    }
    /// `dκ/dσ` by arc length `σ`, 1/m².
    pub fn curvature_rate(&self) -> f64 {
        let speed = self.speed();
        let along = self.first.dot(&self.second) / (speed * speed);
        (self.first.perp(&self.third) / speed.powi(3) - 3.0 * self.curvature() * along) / speed
    }
}

/// `J v`: turns by +90°.
#[inline(always)]
pub fn turn_left(v: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-v.y, v.x)
}

/// Enclosures `[x, y]` of a curve and its derivatives over an interval of the parameter.
#[derive(Clone, Copy, Debug)]
pub struct JetEnclosure {
    /// Encloses `c`, m.
    pub point: [Interval; 2],
    /// Encloses `c′`.
    pub first: [Interval; 2],
    /// Encloses `c″`.
    pub second: [Interval; 2],
    /// Encloses `c‴`.
    pub third: [Interval; 2],
}

impl JetEnclosure {
    /// In the frame of an axis.
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
        cross / self.speed_squared().powf(1.5)
    }
    /// Encloses `κ`, for a short part far tighter than [`curvature`](JetEnclosure::curvature):
    /// `κ(s) = κ(middle) + κ′·(s − middle)`, whose error is of second order in the length of the part.
    ///
    /// `middle` encloses the jet at one parameter, `away` the others' distances from it.
    pub fn curvature_around(&self, middle: &JetEnclosure, away: Interval) -> Interval {
        let squared = self.speed_squared();
        let [first, second, third] = [self.first, self.second, self.third];
        let cross = |b: [Interval; 2]| first[0] * b[1] - first[1] * b[0];
        let along = (first[0] * second[0] + first[1] * second[1]) / squared;
        let rate = (cross(third) - (cross(second) * along).scale(3.0)) / squared.powf(1.5);
        let around = middle.curvature() + rate * away;
        // Both hold; what can't be bounded bounds nothing.
        around.intersection(self.curvature()).unwrap_or(around)
    }
    /// Encloses `dκ/dσ` by arc length.
    pub fn curvature_rate(&self) -> Interval {
        let squared = self.speed_squared();
        let cross = self.first[0] * self.third[1] - self.first[1] * self.third[0];
        let along = (self.first[0] * self.second[0] + self.first[1] * self.second[1]) / squared;
        (cross / squared.powf(1.5) - (self.curvature() * along).scale(3.0)) / squared.sqrt()
    }
}
