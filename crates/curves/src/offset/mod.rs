//! Offset grounds: the ground for the centre of a ball.

pub(crate) mod ahead;
pub(crate) mod centre;
pub(crate) mod faces;
pub(crate) mod straight;
