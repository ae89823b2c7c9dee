//! What of the ground is at a point, on a line, along itself.

pub(crate) mod above;
pub(crate) mod along;
pub(crate) mod closest;
