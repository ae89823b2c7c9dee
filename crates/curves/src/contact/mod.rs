//! Where a path touches the ground first.

pub(crate) mod bounds;
pub(crate) mod march;
pub(crate) mod path;
pub(crate) mod search;
pub(crate) mod sides;
