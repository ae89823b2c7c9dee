//! Formulas from text, evaluated over any [`Number`].

use std::sync::Arc;

use super::node::{At, FormulaNode, compact};
use super::parse::{ExpressionError, parse};
use crate::Number;

/// A formula, parsed once and evaluated over any number; constants are folded in.
///
/// The grammar: `+ - * / ^` with `^` right-associative and tighter than a leading minus
/// (`-x^2` is `−(x²)`), numbers, `pi`, and the functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp ln
/// sqrt abs min max`.
///
/// ```
/// use numbers::Expression;
/// let hill = Expression::parse("-a*x^2", &["x"], &[("a", 0.5)])?;
/// assert_eq!(hill.eval(&[3.0]), -4.5);
/// # Ok::<(), numbers::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Arguments stand before what uses them; the last node is the result.
    pub(super) nodes: Arc<[FormulaNode]>,
}

impl Expression {
    /// Reads `text` with these variables (in the order [`Expression::eval`] takes them) and named constants.
    pub fn parse(text: &str, variables: &[&str], constants: &[(&str, f64)]) -> Result<Self, ExpressionError> {
        parse(text, variables, constants)
    }

    /// The constant formula `value`.
    pub fn constant(value: f64) -> Self {
        Expression { nodes: Arc::new([FormulaNode::Constant(value)]) }
    }

    /// The value, if the formula depends on no variable.
    pub fn as_constant(&self) -> Option<f64> {
        match *self.nodes {
            [FormulaNode::Constant(value)] => Some(value),
            _ => None,
        }
    }

    /// Whether the value depends on variable `index`.
    pub fn depends_on(&self, index: usize) -> bool {
        self.nodes.contains(&FormulaNode::Input(index))
    }

    /// Keeps what node `root` needs.
    pub(super) fn compact(nodes: &[FormulaNode], root: At) -> Self {
        Expression { nodes: compact(&nodes[..=root as usize], 0, &[root]).0.into() }
    }

    /// The value; `variables` in the order given to [`Expression::parse`] (missing ones count as NaN).
    pub fn eval<N: Number>(&self, variables: &[N]) -> N {
        self.eval_node(self.nodes.len() as At - 1, variables)
    }

    /// The value of one node; recursion might run out of stack.
    pub(super) fn eval_node<N: Number>(&self, at: At, variables: &[N]) -> N {
        let (nodes, zero) = (&self.nodes[..=at as usize], N::constant(0.0));
        match nodes.len() {
            ..=4 => fill(&mut [zero; 4], nodes, variables),
            5..=8 => fill(&mut [zero; 8], nodes, variables),
            9..=64 => fill(&mut [zero; 64], nodes, variables),
            65..=256 => fill(&mut [zero; 256], nodes, variables),
            length => fill(&mut vec![zero; length], nodes, variables),
        }
    }
}

/// Fills one register per node; the last value. Compiled once for each kind of number, as it is long.
#[inline(never)]
fn fill<N: Number>(registers: &mut [N], nodes: &[FormulaNode], variables: &[N]) -> N {
    let mut last = N::constant(f64::NAN);
    for (at, node) in nodes.iter().enumerate() {
        last = node.of(|i| registers[i as usize], variables);
        registers[at] = last;
    }
    last
}
