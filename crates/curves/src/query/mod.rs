//! Queries: the ground closest to a point, on a vertical line, and along itself.

pub(crate) mod closest;
pub(crate) mod common_stretch;
pub(crate) mod vertical_line;
