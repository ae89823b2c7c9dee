//! The ground that is closest to a point, on a line, or along itself.

pub(crate) mod above;
pub(crate) mod along;
pub(crate) mod closest;
