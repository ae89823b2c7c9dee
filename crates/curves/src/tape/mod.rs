//! Formulas as lists of nodes, whose Taylor series by time are computed order by order.
//!
//! A formula written over any [`Number`](crate::Number) is run once over [`Traced`] numbers, which write down what is done to them. Its series along a
//! motion then follow from the list: coefficient k of each node from coefficients up to k of the nodes before it (Griewank & Walther,
//! *Evaluating Derivatives*, 2nd ed., ch. 13; Jorba & Zou, *Experimental Mathematics* 14 (2005) 99, §2.1). To order p that is O(p²);
//! series evaluated again and again as a whole, as an equation of motion asks for, are O(p³).

mod frame;
mod series;
mod traced;

pub use frame::TracedFrame;
pub use series::{Series, first_root, horner, least, most_bend, slope_of};
pub use traced::Traced;

/// A node by its place in the list.
pub type At = u32;

/// A function whose derivative is its argument's, divided by another series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quadrature {
    /// `ln a`, over `a`.
    Ln,
    /// `asin a`, over `√(1 − a²)`.
    Asin,
    /// `acos a`, over `−√(1 − a²)`.
    Acos,
    /// `atan a`, over `1 + a²`.
    Atan,
}

/// An operation on nodes that stand before. Pairs stand beside each other, the one first that is told first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// A series that is given, by its number.
    Input(usize),
    /// A number that is the same at all times.
    Constant(f64),
    /// `a + b`
    Add(At, At),
    /// `a − b`
    Subtract(At, At),
    /// `a b`
    Multiply(At, At),
    /// `a / b`
    Divide(At, At),
    /// `c / b`
    Over(f64, At),
    /// `c a`
    Scale(At, f64),
    /// `a / c`
    Part(At, f64),
    /// `a + c`
    Shift(At, f64),
    /// `a²`
    Square(At),
    /// `√a`
    Sqrt(At),
    /// `aᵖ` for a real p.
    Power(At, f64),
    /// `eᵃ`
    Exp(At),
    /// `sin a`; `cos a` is next.
    Sine(At),
    /// `cos a` of the sine before.
    Cosine(At),
    /// `sinh a`; `cosh a` is next.
    Sinh(At),
    /// `cosh a` of the sine before.
    Cosh(At),
    /// `t = tan a`; its slope `1 + t²` is next.
    Tan(At),
    /// `t = tanh a`; its slope `1 − t²` is next.
    Tanh(At),
    /// `1 ± t²` of the node before, by the sign.
    Slope(f64),
    /// `∫ da/w`
    Integral(Quadrature, At, At),
    /// The angle of the point (x, y); the last is `x² + y²`.
    Angle {
        /// Ordinate y of the angle.
        y: At,
        /// Abscissa x of the angle.
        x: At,
        /// `x² + y²`
        squared: At,
    },
    /// `|a|`
    Absolute(At),
    /// The smaller of two.
    Least(At, At),
    /// The larger of two.
    Most(At, At),
}

impl Node {
    /// The nodes it is made of.
    fn arguments(&self) -> [Option<At>; 3] {
        match *self {
            Node::Input(_) | Node::Constant(_) => [None; 3],
            Node::Over(_, a)
            | Node::Scale(a, _)
            | Node::Part(a, _)
            | Node::Shift(a, _)
            | Node::Square(a)
            | Node::Sqrt(a)
            | Node::Power(a, _)
            | Node::Exp(a)
            | Node::Sine(a)
            | Node::Cosine(a)
            | Node::Sinh(a)
            | Node::Cosh(a)
            | Node::Tan(a)
            | Node::Tanh(a)
            | Node::Absolute(a) => [Some(a), None, None],
            Node::Slope(_) => [None; 3],
            Node::Add(a, b)
            | Node::Subtract(a, b)
            | Node::Multiply(a, b)
            | Node::Divide(a, b)
            | Node::Integral(_, a, b)
            | Node::Least(a, b)
            | Node::Most(a, b) => [Some(a), Some(b), None],
            Node::Angle { y, x, squared } => [Some(y), Some(x), Some(squared)],
        }
    }

    /// Whether the next node is computed with it.
    fn is_pair(&self) -> bool {
        matches!(self, Node::Sine(_) | Node::Sinh(_) | Node::Tan(_) | Node::Tanh(_))
    }

    fn renumbered(self, p: impl Fn(At) -> At) -> Node {
        match self {
            Node::Input(_) | Node::Constant(_) | Node::Slope(_) => self,
            Node::Add(a, b) => Node::Add(p(a), p(b)),
            Node::Subtract(a, b) => Node::Subtract(p(a), p(b)),
            Node::Multiply(a, b) => Node::Multiply(p(a), p(b)),
            Node::Divide(a, b) => Node::Divide(p(a), p(b)),
            Node::Over(c, a) => Node::Over(c, p(a)),
            Node::Scale(a, c) => Node::Scale(p(a), c),
            Node::Part(a, c) => Node::Part(p(a), c),
            Node::Shift(a, c) => Node::Shift(p(a), c),
            Node::Square(a) => Node::Square(p(a)),
            Node::Sqrt(a) => Node::Sqrt(p(a)),
            Node::Power(a, c) => Node::Power(p(a), c),
            Node::Exp(a) => Node::Exp(p(a)),
            Node::Sine(a) => Node::Sine(p(a)),
            Node::Cosine(a) => Node::Cosine(p(a)),
            Node::Sinh(a) => Node::Sinh(p(a)),
            Node::Cosh(a) => Node::Cosh(p(a)),
            Node::Tan(a) => Node::Tan(p(a)),
            Node::Tanh(a) => Node::Tanh(p(a)),
            Node::Integral(f, a, w) => Node::Integral(f, p(a), p(w)),
            Node::Angle { y, x, squared } => Node::Angle { y: p(y), x: p(x), squared: p(squared) },
            Node::Absolute(a) => Node::Absolute(p(a)),
            Node::Least(a, b) => Node::Least(p(a), p(b)),
            Node::Most(a, b) => Node::Most(p(a), p(b)),
        }
    }
}

/// A formula as a list of nodes. The inputs come first, in their order.
///
/// ```
/// use curves::Number;
/// use curves::tape::{Series, Tape};
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
    nodes: Vec<Node>,
    outputs: Vec<At>,
    /// Nodes that choose between two formulas.
    switches: Vec<At>,
}

impl Tape {
    /// Writes down what a formula does to its inputs.
    pub fn record<const INPUTS: usize, const OUTPUTS: usize>(
        formula: impl FnOnce([Traced; INPUTS]) -> [Traced; OUTPUTS],
    ) -> Self {
        let (mut nodes, outputs) = traced::record(INPUTS, || formula(std::array::from_fn(Traced::input)));
        let outputs: Vec<At> = outputs.iter().map(|output| output.node(&mut nodes)).collect();
        Tape::compact(&nodes, INPUTS, &outputs)
    }

    /// Keeps the inputs and what the outputs need, in order.
    fn compact(nodes: &[Node], inputs: usize, outputs: &[At]) -> Self {
        let mut needed = vec![false; nodes.len()];
        needed[..inputs].fill(true);
        outputs.iter().for_each(|at| needed[*at as usize] = true);
        for i in (0..nodes.len()).rev() {
            // A pair is computed as one.
            if nodes[i].is_pair() && needed.get(i + 1) == Some(&true) {
                needed[i] = true;
            }
            if needed[i] {
                if nodes[i].is_pair() {
                    needed[i + 1] = true;
                }
                nodes[i].arguments().into_iter().flatten().for_each(|a| needed[a as usize] = true);
            }
        }
        let mut place = vec![0; nodes.len()];
        let mut kept = Vec::new();
        for i in (0..nodes.len()).filter(|i| needed[*i]) {
            place[i] = kept.len() as At;
            kept.push(nodes[i].renumbered(|a| place[a as usize]));
        }
        let is_switch = |node: &Node| matches!(node, Node::Absolute(_) | Node::Least(..) | Node::Most(..));
        let switches = (0..kept.len()).filter(|i| is_switch(&kept[*i])).map(|i| i as At).collect();
        Tape { outputs: outputs.iter().map(|at| place[*at as usize]).collect(), switches, nodes: kept }
    }

    /// Nodes of the list.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of an output.
    pub fn output(&self, index: usize) -> At {
        self.outputs[index]
    }
}
