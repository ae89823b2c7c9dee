//! Grounds: pieces, joints and curves; how they are built, and what is refused.

pub(crate) mod back_sides;
pub(crate) mod box_tree;
mod ends_of_several_curves;
pub(crate) mod error;
mod joints;
mod leaves_and_tips;
pub(crate) mod parametrisation;
pub(crate) mod piece;
pub(crate) mod place;
