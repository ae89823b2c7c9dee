//! Where a ball that touches the ground touches it a second time, and what room it has.

pub(crate) mod beside;
pub(crate) mod clearance;
pub(crate) mod place;
