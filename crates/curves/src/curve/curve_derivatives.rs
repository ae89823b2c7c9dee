//! [`Curve`], any profile behind a pointer: derivatives by the parameter, slope, curvature, and their enclosures.

use std::fmt::Debug;

use nalgebra::Vector2;
use numbers::{FunctionPair, Interval, Number, Taylor, Traced, elementary};

use crate::contact::first_root_on_leaf::LeafSearch;
use crate::curve::profile_enclosures::{JetEnclosure, Profile};
use crate::{Frame, FrameOver, Shape, turn_left};

/// `c(s)` and its derivatives by the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<V = Vector2<f64>> {
    /// Point `c`, m.
    pub point: V,
    /// First derivative `c′`, m per unit of the parameter.
    pub first: V,
    /// Second derivative `c″`.
    pub second: V,
    /// Third derivative `c‴`.
    pub third: V,
}

impl Jet {
    /// Speed `‖c′‖`, m per unit of the parameter.
    pub fn speed(&self) -> f64 {
        self.first.norm()
    }
    /// Unit tangent `τ = c′/‖c′‖`.
    pub fn tangent(&self) -> Vector2<f64> {
        self.first / self.speed()
    }
    /// Unit normal `n = Jτ`, towards the free side.
    pub fn normal(&self) -> Vector2<f64> {
        turn_left(self.tangent())
    }
    /// Curvature `κ = det(c′, c″)/‖c′‖³`, 1/m; positive in a valley.
    pub fn curvature(&self) -> f64 {
        self.first.perp(&self.second) / elementary::powi(self.speed(), 3)
    }
}

/// Operations of a [`Profile`] behind a pointer; implemented for all profiles, and for nothing else.
pub trait Curve: CurveOver<f64> + CurveOver<Interval> + CurveOver<Traced> + LeafSearch + Debug + Send + Sync {
    /// `c(s)` in metres.
    fn point_at(&self, s: f64) -> Vector2<f64>;
    /// `c` and its derivatives to third order.
    fn jet(&self, s: f64) -> Jet;
    /// `c, c′, c″` at a parameter.
    fn bend(&self, s: f64) -> [Vector2<f64>; 3];
    /// Encloses `c, c′, c″` over an interval, in the frame of an axis.
    fn bend_over(&self, s: Interval, axis: Vector2<f64>) -> [[Interval; 2]; 3];
    /// `‖c′(s)‖`, m per unit of the parameter.
    fn speed(&self, s: f64) -> f64;
    /// The frame of the centre path of a ball of this radius (m).
    fn frame(&self, s: f64, radius: f64) -> Frame;
    /// Unit vector of the formula's x-axis ([`Profile::axis`]).
    fn axis(&self) -> Vector2<f64>;
    /// Encloses the curvature over an interval; over short ones much tighter than [`JetEnclosure::curvature`].
    fn curvature_over(&self, s: Interval) -> Interval;
    /// Encloses the point over an interval, in the frame of an axis.
    fn seen_over(&self, s: Interval, axis: Vector2<f64>) -> [Interval; 2];
    /// The line or circular arc that the curve is, if any.
    fn shape(&self) -> Option<Shape>;
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

    fn bend(&self, s: f64) -> [Vector2<f64>; 3] {
        let [Taylor(x), Taylor(y)] = self.point(Taylor::<f64, 3>::variable(s));
        [Vector2::new(x[0], y[0]), Vector2::new(x[1], y[1]), Vector2::new(2.0 * x[2], 2.0 * y[2])]
    }

    fn bend_over(&self, s: Interval, axis: Vector2<f64>) -> [[Interval; 2]; 3] {
        let [Taylor(x), Taylor(y)] = self.seen(Taylor::<Interval, 3>::variable(s), axis);
        [[x[0], y[0]], [x[1], y[1]], [x[2].scale(2.0), y[2].scale(2.0)]]
    }

    fn speed(&self, s: f64) -> f64 {
        let [Taylor(x), Taylor(y)] = self.point(Taylor::<f64, 2>::variable(s));
        Vector2::new(x[1], y[1]).norm()
    }

    #[inline]
    fn frame(&self, s: f64, radius: f64) -> Frame {
        FrameOver::of(self.point(Taylor::<f64, 3>::variable(s)).map(|c| c.0)).offset(radius).into()
    }

    fn axis(&self) -> Vector2<f64> {
        Profile::axis(self)
    }

    fn curvature_over(&self, s: Interval) -> Interval {
        JetEnclosure::curvature_around(self, s)
    }

    fn seen_over(&self, s: Interval, axis: Vector2<f64>) -> [Interval; 2] {
        self.seen(s, axis)
    }

    fn shape(&self) -> Option<Shape> {
        Profile::shape(self)
    }
}

/// Values and derivatives of every [`Profile`] behind a pointer, over one kind of number.
pub trait CurveOver<N> {
    /// The point `[x, y]`, m.
    fn values(&self, s: N) -> [N; 2];
    /// `[x, y]` with their derivatives `c⁽ᵏ⁾/k!` to k = 4.
    fn series(&self, s: N) -> [[N; 5]; 2];
}

impl<N: Number, P: Profile> CurveOver<N> for P {
    fn values(&self, s: N) -> [N; 2] {
        self.point(s)
    }
    fn series(&self, s: N) -> [[N; 5]; 2] {
        self.point(Taylor::<N, 5>::variable(s)).map(|c| c.0)
    }
}

impl<'a, N> FunctionPair<N> for dyn Curve + 'a
where
    dyn Curve + 'a: CurveOver<N>,
{
    fn value(&self, s: N) -> [N; 2] {
        self.values(s)
    }
    fn series(&self, s: N) -> [[N; 5]; 2] {
        CurveOver::series(self, s)
    }
}
