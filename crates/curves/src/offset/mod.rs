//! The ground as the centre of a ball sees it.

pub(crate) mod ahead;
pub(crate) mod centre;
pub(crate) mod faces;
pub(crate) mod straight;
