//! Curves that cross themselves: their crossings, and the strands that are solid for a ball.

pub(crate) mod self_crossings;
pub(crate) mod solid_strands;
