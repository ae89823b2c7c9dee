//! Queries: the ground closest to a point, on a vertical line, and along itself.

pub(crate) mod above;
pub(crate) mod along;
pub(crate) mod closest;
