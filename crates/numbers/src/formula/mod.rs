//! Formulas as lists of nodes: read from text, evaluated over any number, and turned into series along a motion.

mod corners;
mod expression;
mod operations;
mod tape;
mod taylor_coefficients;

pub use corners::{CornersError, smooth_parts};
pub use expression::{Expression, ExpressionError, ExpressionErrorKind};
pub use tape::{Tape, Traced};
pub use taylor_coefficients::Series;
