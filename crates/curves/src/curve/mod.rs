//! Curves: their trait, their kinds, and curves made from curves.

mod bezier;
pub(crate) mod length;
pub(crate) mod offset_frame;
pub(crate) mod parallel;
pub(crate) mod pointer;
pub(crate) mod profile;
pub(crate) mod shape;
mod similarity;
mod smoothing;
pub mod spline;

pub use bezier::RoundedEnd;
pub use length::arc_length;
pub use offset_frame::{Frame, FrameOver, curvature_at, turn_left};
pub use parallel::{ParallelError, parallel};
pub use pointer::{Curve, CurveOver};
pub use profile::{Jet, JetEnclosure, Profile};
pub use shape::{Arc, Clothoid, Cubic, Ellipse, Graph, Line, Parametric, Shape};
pub use similarity::Similarity;
