//! Grounds: pieces, joints and curves; how they are built, and what is refused.

pub(crate) mod assembly;
mod build;
pub(crate) mod chains;
pub(crate) mod error;
pub(crate) mod piece;
pub(crate) mod place;
mod several_curves;
pub(crate) mod tree;
