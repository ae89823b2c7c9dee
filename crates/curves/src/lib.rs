#![doc = include_str!("../README.md")]

mod bezier;
mod bounds;
mod clearance;
mod closest;
mod contact;
mod derived;
pub mod expression;
mod ground;
mod interval;
mod landing;
mod length;
mod march;
mod number;
mod offset;
mod path;
mod profile;
mod shapes;
pub mod spline;
mod taylor;

pub use bezier::RoundedEnd;
pub use bounds::Bounds;
pub use clearance::{Clearance, Vicinity};
pub use closest::Closest;
pub use contact::{Departure, FirstContact, SearchError};
pub use derived::{ParallelError, Similarity, parallel};
pub use expression::{Expression, ExpressionError, ExpressionErrorKind, Graph, Parametric};
pub use ground::{Ground, GroundError, Joint, JointKind, Parametrisation, Piece};
pub use interval::Interval;
pub use length::arc_length;
pub use march::{GRAZE, SearchCount};
pub use number::Number;
pub use offset::{Beyond, Frame, FrameEnclosure, OffsetGround, Place};
pub use path::{MAX_DEGREE, Motion, Path};
pub use profile::{Curve, Jet, JetEnclosure, Profile, turn_left};
pub use shapes::{Arc, Cubic, Ellipse, Line, Shape};
pub use taylor::Taylor;
