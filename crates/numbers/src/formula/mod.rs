//! Formulas as lists of nodes: read from text, evaluated over any number, and turned into series along a motion.

mod corners;
mod expression;
mod node;
mod parse;
mod series;
mod tape;
mod traced;

pub use corners::{CornersError, smooth_parts};
pub use expression::Expression;
pub use node::{At, FormulaNode, Function, FunctionOfTwo};
pub use parse::{ExpressionError, ExpressionErrorKind};
pub use series::Series;
pub use tape::Tape;
pub use traced::Traced;
