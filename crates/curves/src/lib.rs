#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod contact;
mod curve;
mod ground;
mod loops;
mod offset;
mod query;
mod second_contact;

pub use contact::first_contact_search::{FirstContact, SearchError};
pub use contact::first_root_on_leaf::SearchCount;
pub use contact::offset_curve_bounds::Bounds;
pub use contact::polynomial_path::{MAX_DEGREE, Motion, Path};
pub use contact::sides::Departure;
pub use curve::{
    Arc, Clothoid, Cubic, Curve, CurveOver, Ellipse, Frame, FrameOver, Graph, Jet, JetEnclosure, Line, ParallelError,
    Parametric, Profile, RoundedEnd, Shape, Similarity, arc_length, curvature_at, parallel, spline, turn_left,
};
pub use ground::error::GroundError;
pub use ground::parametrisation::{Crossing, Ground, Joint, JointKind, Parametrisation, Spot};
pub use ground::piece::{OwnProfile, Piece};
pub use ground::place::{Place, Touched};
pub use offset::beyond_an_end::Beyond;
pub use offset::offset_ground::OffsetGround;
pub use offset::osculation::{OSCULATING, OsculationFree};
pub use offset::short_displacement::{Ahead, Displacement};
pub use offset::straight::Straight;
pub use query::closest::{Closest, Solid};
pub use query::common_stretch::{Along, Crowded};
pub use query::vertical_line::Upright;
pub use second_contact::{Clearance, Gentle, Vicinity};
