//! First contact of a path with the ground.

pub(crate) mod bounds;
pub(crate) mod march;
pub(crate) mod path;
pub(crate) mod search;
pub(crate) mod sides;
