//! [`Piece`]: a smooth curve on an interval of its parameter.

use std::sync::Arc as Shared;

use nalgebra::Vector2;

use super::error::GroundError;
use crate::curve::parallel::Derived;
use crate::{Arc, Clothoid, Cubic, Curve, Ellipse, Graph, Jet, JetEnclosure, Line, Parametric, Profile};
use numbers::Interval;

/// A smooth curve on an interval of its parameter.
#[derive(Clone, Debug)]
pub struct Piece {
    pub(crate) curve: Shared<dyn Curve>,
    pub(crate) domain: Interval,
    /// How it was derived from another curve, if it was.
    pub(crate) origin: Option<Box<Derived>>,
}

/// A curve of this crate; its code is compiled here once, and not in each crate that makes a piece of it.
pub trait OwnProfile {
    /// The curve, to be shared by pieces.
    fn shared(self) -> Shared<dyn Curve>;
}

macro_rules! own_profiles {
    ($($profile:ty),*) => {
        $(impl OwnProfile for $profile {
            #[inline(never)]
            fn shared(self) -> Shared<dyn Curve> {
                Shared::new(self)
            }
        })*
    };
}

own_profiles!(Arc, Clothoid, Cubic, Ellipse, Graph, Line, Parametric);

impl Piece {
    /// The part of `profile` with parameters in `domain`; only the first and last end of a ground may be infinite.
    pub fn new(profile: impl Profile + 'static, domain: Interval) -> Self {
        Piece { curve: Shared::new(profile), domain, origin: None }
    }

    /// The part of a curve of this crate with parameters in `domain`.
    pub fn of(profile: impl OwnProfile, domain: Interval) -> Self {
        Piece { curve: profile.shared(), domain, origin: None }
    }

    /// The pieces of a polyline, free side to the left of travel.
    pub fn polyline(points: &[Vector2<f64>]) -> Result<Vec<Piece>, GroundError> {
        let pieces = points.windows(2).enumerate().map(|(piece, ends)| {
            let (line, length) =
                Line::new(ends[0], ends[1]).ok_or(GroundError::NoLength { piece, lo: 0.0, hi: 0.0 })?;
            Ok(Piece::of(line, Interval::new(0.0, length)))
        });
        pieces.collect()
    }

    /// The cubics with values `points` and second derivatives `bends` at the knots.
    pub(crate) fn cubics(knots: &[f64], points: &[Vector2<f64>], bends: &[Vector2<f64>]) -> Vec<Piece> {
        let segment = |i: usize| {
            let (from, to) = (knots[i], knots[i + 1]);
            let h = to - from;
            let (sum, change) = (bends[i] + bends[i + 1], bends[i + 1] - bends[i]);
            let coefficients = [
                0.5 * (points[i] + points[i + 1]) - sum * (h * h / 16.0),
                (points[i + 1] - points[i]) / h - change * (h / 24.0),
                0.25 * sum,
                change / (6.0 * h),
            ];
            Piece::of(Cubic::new(0.5 * (from + to), coefficients), Interval::new(from, to))
        };
        (0..points.len() - 1).map(segment).collect()
    }

    /// Replaces the domain.
    pub fn within(mut self, domain: Interval) -> Self {
        self.domain = domain;
        self
    }

    /// The parameters the piece spans.
    pub fn domain(&self) -> Interval {
        self.domain
    }
    /// The parameter at its end (`last`) or start.
    pub(crate) fn end(&self, last: bool) -> f64 {
        if last { self.domain.hi } else { self.domain.lo }
    }
    /// The curve, which has no domain.
    pub fn curve(&self) -> &dyn Curve {
        &*self.curve
    }
    /// The jet at parameter `s`.
    pub fn jet(&self, s: f64) -> Jet {
        self.curve.jet(s)
    }
    /// Enclosures over a part of the domain.
    pub fn enclosure(&self, s: Interval) -> JetEnclosure {
        self.curve.enclosure_seen(s, Vector2::x())
    }
    /// Whether it is proven to be a straight line at constant speed.
    pub fn is_straight(&self) -> bool {
        self.enclosure(self.domain).second.iter().all(|c| c.lo == 0.0 && c.hi == 0.0)
    }
    /// Encloses the point over a part of the domain.
    pub(crate) fn point_over(&self, s: Interval) -> [Interval; 2] {
        self.curve.seen_over(s, Vector2::x())
    }
    /// Enclosures over a part of the domain in the frame of the formula's axis; lengths and curvatures do not depend on
    /// the frame.
    pub(crate) fn own_enclosure(&self, s: Interval) -> JetEnclosure {
        self.curve.enclosure_seen(s, self.curve.axis())
    }
    /// Rounding of the point at `s`, m: the width of its enclosure over the rounding of `s`; `None`: unbounded.
    pub(crate) fn rounding(&self, s: f64) -> Option<f64> {
        let [x, y] = self.point_over(Interval::around(s, f64::EPSILON * s.abs()));
        Some(x.width() + y.width()).filter(|width| width.is_finite())
    }
    /// Rounding of distances from the point at `s`, m: the width of its enclosure across the curve; `None`: unbounded.
    pub(crate) fn rounding_across(&self, s: f64) -> Option<f64> {
        let ([x, y], [_, first, _]) = (self.point_over(Interval::point(s)), self.curve.bend(s));
        let tangent = first / first.norm();
        Some(x.width() * tangent.y.abs() + y.width() * tangent.x.abs()).filter(|width| width.is_finite())
    }
}
