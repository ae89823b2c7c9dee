//! First contact of a path with the ground.

pub(crate) mod first_contact_search;
pub(crate) mod first_root_on_leaf;
pub(crate) mod offset_curve_bounds;
pub(crate) mod polynomial_path;
pub(crate) mod sides;
