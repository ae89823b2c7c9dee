//! Offset grounds: the ground for the centre of a ball.

pub(crate) mod beyond_an_end;
pub(crate) mod faces;
pub(crate) mod offset_ground;
pub(crate) mod osculation;
pub(crate) mod short_displacement;
pub(crate) mod straight;
