//! Formulas as lists of nodes, whose Taylor series by time are computed order by order.
//!
//! A formula written over any [`Number`](crate::Number) is run once over [`Traced`] numbers, which write down what is done to them. Its series along a
//! motion then follow from the list: coefficient k of each node from coefficients up to k of the nodes before it (Griewank & Walther,
//! *Evaluating Derivatives*, 2nd ed., ch. 13; Jorba & Zou, *Experimental Mathematics* 14 (2005) 99, §2.1). To order p that is O(p²);
//! series evaluated again and again as a whole, as an equation of motion asks for, are O(p³).

use super::node::{At, FormulaNode, compact};
use super::traced::{Traced, record};

/// A formula as a list of nodes. The inputs come first, in their order.
///
/// ```
/// use numbers::{Number, Series, Tape};
///
/// // ẏ = y sin t, from y = 1.
/// let tape = Tape::record::<2, 1>(|[t, y]| [y * t.sin()]);
/// let mut series = Series::<f64, 9>::new(&tape);
/// series.put(0, &[0.0, 1.0]);
/// series.put(1, &[1.0]);
/// for k in 0..8 {
///     series.extend(&tape, k);
///     let rate = series.of(tape.output(0))[k];
///     series.put_at(1, k + 1, rate / (k + 1) as f64);
/// }
/// let y: f64 = series.of(1).iter().rev().fold(0.0, |sum, c| sum * 0.1 + c);
/// assert!((y - (1.0 - 0.1_f64.cos()).exp()).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tape {
    pub(super) nodes: Vec<FormulaNode>,
    outputs: Vec<At>,
    /// Nodes that choose between two formulas.
    pub(super) switches: Vec<At>,
}

impl Tape {
    /// Writes down what a formula does to its inputs.
    pub fn record<const INPUTS: usize, const OUTPUTS: usize>(
        formula: impl FnOnce([Traced; INPUTS]) -> [Traced; OUTPUTS],
    ) -> Self {
        let (mut nodes, outputs) = record(INPUTS, || formula(std::array::from_fn(Traced::input)));
        let outputs: Vec<At> = outputs.iter().map(|output| output.node(&mut nodes)).collect();
        let (nodes, outputs) = compact(&nodes, INPUTS, &outputs);
        let switches = (0..nodes.len()).filter(|i| nodes[*i].is_switch()).map(|i| i as At).collect();
        Tape { nodes, outputs, switches }
    }

    /// Nodes of the list.
    pub fn nodes(&self) -> &[FormulaNode] {
        &self.nodes
    }

    /// The node of an output.
    pub fn output(&self, index: usize) -> At {
        self.outputs[index]
    }
}
