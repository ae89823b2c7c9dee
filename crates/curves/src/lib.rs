#![doc = include_str!("../README.md")]

mod ahead;
mod beside;
mod bezier;
mod bounds;
mod clearance;
mod closest;
mod clothoid;
mod contact;
mod curve;
mod derived;
mod faces;
mod foot;
mod frame;
mod ground;
mod landing;
mod length;
mod march;
mod offset;
mod osculating;
mod outside;
mod parallel;
mod path;
mod profile;
mod second;
mod shape;
mod shapes;
mod sides;
mod similarity;
pub mod spline;
mod straight;
mod stretch;
mod third;

pub use ahead::{Ahead, Displacement};
pub use bezier::RoundedEnd;
pub use bounds::Bounds;
pub use clearance::{Clearance, Gentle, Vicinity};
pub use closest::Closest;
pub use clothoid::Clothoid;
pub use contact::{FirstContact, SearchError};
pub use curve::{Curve, CurveOver};
pub use frame::{Frame, FrameOver, turn_left};
pub use ground::{
    Along, Crossing, Ground, GroundError, Joint, JointKind, OwnProfile, Parametrisation, Piece, Spot, Touched, Upright,
};
pub use length::arc_length;
pub use march::SearchCount;
pub use offset::{Beyond, OffsetGround, Place};
pub use osculating::OSCULATING;
pub use parallel::{ParallelError, parallel};
pub use path::{MAX_DEGREE, Motion, Path};
pub use profile::{Jet, JetEnclosure, Profile};
pub use shape::{Arc, Line, Shape};
pub use shapes::{Cubic, Ellipse, Graph, Parametric};
pub use sides::Departure;
pub use similarity::Similarity;
pub use straight::Straight;
