//! What a curve is, which there are, and how curves are made from curves.

mod bezier;
mod clothoid;
pub(crate) mod derived;
pub(crate) mod frame;
pub(crate) mod length;
mod parallel;
pub(crate) mod pointer;
pub(crate) mod profile;
pub(crate) mod shape;
mod smoothing;
pub mod spline;

pub use bezier::RoundedEnd;
pub use clothoid::Clothoid;
pub use derived::Similarity;
pub use frame::{Frame, FrameOver, turn_left};
pub use length::arc_length;
pub use parallel::{ParallelError, parallel};
pub use pointer::{Curve, CurveOver};
pub use profile::{Jet, JetEnclosure, Profile};
pub use shape::{Arc, Cubic, Ellipse, Graph, Line, Parametric, Shape};
