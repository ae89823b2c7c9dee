//! Curves that cross themselves: where, and which strand is there for a ball.

pub(crate) mod crossing;
pub(crate) mod layers;
