//! The ground of a simulation.

use std::path::Path;

use curves::spline::Smoothing;
use curves::{Piece, Profile};
use mechanics::ParameterError;
use numbers::Interval;
use scenario::SharedGround;

use crate::Error;

/// A ground curve with its metadata; copies share it.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let hills = Ground::graph("0.25*sin(pi*x)")?;
/// let bowl = Ground::parametric("cos(s)", "sin(s)", [3.2, 6.2])?;
/// let stairs = Ground::polyline(&[[0.0, 2.0], [1.0, 2.0], [1.0, 1.0], [3.0, 1.0]])?;
/// let text = Ground::from_text("kind = \"circle\"\ncentre = [0, 0]\nradius = 1\nside = \"inside\"")?;
/// # Ok::<(), kugelbahn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ground(pub(crate) SharedGround);

impl Ground {
    /// The graph `y(x)`, in m, with the ball above it.
    pub fn graph(y: &str) -> Result<Self, Error> {
        Ground::of_keys([("kind", "graph".into()), ("y", y.into())])
    }

    /// The curve `(x(s), y(s))`, in m, for `s` in a range; the ball is to the left of travel.
    pub fn parametric(x: &str, y: &str, domain: [f64; 2]) -> Result<Self, Error> {
        let domain = domain.to_vec().into();
        Ground::of_keys([("kind", "parametric".into()), ("x", x.into()), ("y", y.into()), ("domain", domain)])
    }

    /// Straight from point to point, m; the ball is to the left of travel.
    pub fn polyline(points: &[[f64; 2]]) -> Result<Self, Error> {
        Ground::of_keys([("kind", "polyline".into()), ("points", list(points))])
    }

    /// A cubic spline through points, m; the ball is to the left of travel.
    pub fn spline(points: &[[f64; 2]]) -> Result<Self, Error> {
        Ground::of_keys([("kind", "spline".into()), ("points", list(points))])
    }

    /// A smooth spline near three or more points that scatter, m: within the largest deviation or noise given, else by
    /// cross-validation.
    pub fn smoothing_spline(points: &[[f64; 2]], how: Smoothing) -> Result<Self, Error> {
        let how = match how {
            Smoothing::LargestDeviation(bound) => ("largest-deviation", bound.into()),
            Smoothing::Noise(sigma) => ("sigma", sigma.into()),
            Smoothing::CrossValidation => ("smoothing", "gcv".into()),
        };
        Ground::of_keys([("kind", "smoothing-spline".into()), ("points", list(points)), how])
    }

    fn of_keys<const N: usize>(keys: [(&str, toml::Value); N]) -> Result<Self, Error> {
        Ok(Ground(SharedGround::of_keys(keys)?))
    }

    /// A curve file, such as `curves/sine.toml`.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Ground(SharedGround::load(path.as_ref())?))
    }

    /// The text of a curve file; paths in it are relative to the working directory.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        Ok(Ground(SharedGround::from_text(text)?))
    }

    /// A profile of the caller, for `s` in a range; infinite ends are allowed.
    pub fn of(profile: impl Profile + 'static, [from, to]: [f64; 2]) -> Result<Self, Error> {
        if !(from < to) {
            let rule = "a range from a number to a larger one";
            return Err(ParameterError { name: "domain", value: to, rule }.into());
        }
        Ok(Ground(SharedGround::of_pieces(vec![Piece::new(profile, Interval::new(from, to))])?))
    }

    /// The curve itself: frames, arc length, closest points.
    pub fn curve(&self) -> &curves::Ground {
        self.0.ground()
    }
}

/// Points as a value of TOML.
fn list(points: &[[f64; 2]]) -> toml::Value {
    points.iter().map(|point| point.to_vec()).collect::<Vec<_>>().into()
}
