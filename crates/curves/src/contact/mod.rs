//! Where a path touches the ground first.

pub(crate) mod bounds;
pub(crate) mod foot;
mod landing;
pub(crate) mod march;
mod outlook;
pub(crate) mod path;
pub(crate) mod search;
pub(crate) mod sides;
mod touch;
