//! Questions put to the ground: where a start is, which side is free, how far it goes.
