//! Curves: their trait, their kinds, and curves made from curves.

pub(crate) mod curve_derivatives;
pub(crate) mod curve_kinds;
pub(crate) mod length;
pub(crate) mod offset_frame;
pub(crate) mod parallel;
pub(crate) mod profile_enclosures;
mod rounded_bezier_end;
mod similarity;
mod smoothing;
pub mod spline;

pub use curve_derivatives::{Curve, CurveOver, Jet};
pub use curve_kinds::{Arc, Clothoid, Cubic, Ellipse, Graph, Line, Parametric, Shape};
pub use length::arc_length;
pub use offset_frame::{Frame, FrameOver, curvature_at, turn_left};
pub use parallel::{ParallelError, parallel};
pub use profile_enclosures::{JetEnclosure, Profile};
pub use rounded_bezier_end::RoundedEnd;
pub use similarity::Similarity;
