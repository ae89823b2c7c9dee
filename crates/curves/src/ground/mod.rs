//! Grounds: pieces, joints and curves; how they are built, and what is refused.

pub(crate) mod back_sides;
pub(crate) mod box_tree;
pub(crate) mod error;
mod joined_curves;
mod joints;
mod leaves_and_tips;
pub(crate) mod parametrisation;
pub(crate) mod piece;
pub(crate) mod place;
