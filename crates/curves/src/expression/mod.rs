//! Formulas from text, evaluated over any [`Number`].

mod corners;
mod parse;

use std::sync::Arc;

pub use corners::{CornersError, smooth_parts};
pub use parse::{ExpressionError, ExpressionErrorKind};

use crate::{Number, Profile};

/// The functions of one argument that a formula may call.
const FUNCTIONS: [(&str, Function); 13] = [
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("sqrt", Function::Sqrt),
    ("abs", Function::Abs),
];

/// The functions of two arguments.
const FUNCTIONS_OF_TWO: [(&str, FunctionOfTwo); 3] =
    [("atan2", FunctionOfTwo::Atan2), ("min", FunctionOfTwo::Min), ("max", FunctionOfTwo::Max)];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Sqrt,
    Abs,
}

impl Function {
    #[inline(always)]
    fn of<N: Number>(self, a: N) -> N {
        match self {
            Function::Sin => a.sin(),
            Function::Cos => a.cos(),
            Function::Tan => a.tan(),
            Function::Asin => a.asin(),
            Function::Acos => a.acos(),
            Function::Atan => a.atan(),
            Function::Sinh => a.sinh(),
            Function::Cosh => a.cosh(),
            Function::Tanh => a.tanh(),
            Function::Exp => a.exp(),
            Function::Ln => a.ln(),
            Function::Sqrt => a.sqrt(),
            Function::Abs => a.abs(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FunctionOfTwo {
    Atan2,
    Min,
    Max,
}

impl FunctionOfTwo {
    fn of<N: Number>(self, a: N, b: N) -> N {
        match self {
            FunctionOfTwo::Atan2 => a.atan2(b),
            FunctionOfTwo::Min => a.min(b),
            FunctionOfTwo::Max => a.max(b),
        }
    }
}

/// An operation on earlier nodes, named by their index.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    Constant(f64),
    Variable(usize),
    Add(usize, usize),
    Subtract(usize, usize),
    Multiply(usize, usize),
    Divide(usize, usize),
    /// A node times a constant.
    Scale(usize, f64),
    /// A node plus a constant.
    Shift(usize, f64),
    Whole(usize, i32),
    Real(usize, f64),
    /// A variable exponent: `exp(b ln a)`.
    Power(usize, usize),
    Call(Function, usize),
    CallTwo(FunctionOfTwo, usize, usize),
    /// A switch that has been decided.
    Same(usize),
}

/// A formula, parsed once and evaluated over any number; constants are folded in.
///
/// The grammar: `+ - * / ^` with `^` right-associative and tighter than a leading minus
/// (`-x^2` is `−(x²)`), numbers, `pi`, and the functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp ln
/// sqrt abs min max`.
///
/// ```
/// use curves::Expression;
/// let hill = Expression::parse("-a*x^2", &["x"], &[("a", 0.5)])?;
/// assert_eq!(hill.eval(&[3.0]), -4.5);
/// # Ok::<(), curves::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Arguments stand before what uses them; the last node is the result.
    nodes: Arc<[Node]>,
}

impl Expression {
    /// Reads `text` with these variables (in the order [`Expression::eval`] takes them) and named constants.
    pub fn parse(text: &str, variables: &[&str], constants: &[(&str, f64)]) -> Result<Self, ExpressionError> {
        parse::parse(text, variables, constants)
    }

    /// The constant formula `value`.
    pub fn constant(value: f64) -> Self {
        Expression { nodes: Arc::new([Node::Constant(value)]) }
    }

    /// The value, if the formula depends on no variable.
    pub fn as_constant(&self) -> Option<f64> {
        match *self.nodes {
            [Node::Constant(value)] => Some(value),
            _ => None,
        }
    }

    /// Whether the value depends on variable `index`.
    pub fn depends_on(&self, index: usize) -> bool {
        self.nodes.contains(&Node::Variable(index))
    }

    /// Keeps what node `root` needs, in order.
    fn compact(nodes: &[Node], root: usize) -> Self {
        let mut needed = vec![false; root + 1];
        needed[root] = true;
        for i in (0..=root).rev() {
            if needed[i] {
                nodes[i].arguments().into_iter().flatten().for_each(|a| needed[a] = true);
            }
        }
        let mut place = vec![0; root + 1];
        let mut kept = Vec::new();
        for i in (0..=root).filter(|i| needed[*i]) {
            place[i] = kept.len();
            kept.push(nodes[i].renumbered(&place));
        }
        Expression { nodes: kept.into() }
    }

    /// The value; `variables` in the order given to [`Expression::parse`] (missing ones count as NaN).
    pub fn eval<N: Number>(&self, variables: &[N]) -> N {
        self.eval_node(self.nodes.len() - 1, variables)
    }

    /// The value of one node; recursion might run out of stack.
    fn eval_node<N: Number>(&self, at: usize, variables: &[N]) -> N {
        let (nodes, zero) = (&self.nodes[..=at], N::constant(0.0));
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
fn fill<N: Number>(registers: &mut [N], nodes: &[Node], variables: &[N]) -> N {
    let mut last = N::constant(f64::NAN);
    for (at, node) in nodes.iter().enumerate() {
        last = node.of(|i| registers[i], variables);
        registers[at] = last;
    }
    last
}

impl Node {
    /// The node's value from those of its arguments.
    #[inline(always)]
    fn of<N: Number>(&self, value: impl Fn(usize) -> N, variables: &[N]) -> N {
        match *self {
            Node::Constant(c) => N::constant(c),
            Node::Variable(i) => variables.get(i).copied().unwrap_or_else(|| N::constant(f64::NAN)),
            Node::Add(a, b) => value(a) + value(b),
            Node::Subtract(a, b) => value(a) - value(b),
            Node::Multiply(a, b) => value(a) * value(b),
            Node::Divide(a, b) => value(a) / value(b),
            Node::Scale(a, c) => value(a).scale(c),
            Node::Shift(a, c) => value(a) + N::constant(c),
            Node::Whole(a, n) => value(a).powi(n),
            Node::Real(a, p) => value(a).powf(p),
            Node::Power(a, b) => (value(b) * value(a).ln()).exp(),
            Node::Call(f, a) => f.of(value(a)),
            Node::CallTwo(f, a, b) => f.of(value(a), value(b)),
            Node::Same(a) => value(a),
        }
    }

    fn renumbered(self, place: &[usize]) -> Node {
        let p = |i: usize| place[i];
        match self {
            Node::Constant(_) | Node::Variable(_) => self,
            Node::Add(a, b) => Node::Add(p(a), p(b)),
            Node::Subtract(a, b) => Node::Subtract(p(a), p(b)),
            Node::Multiply(a, b) => Node::Multiply(p(a), p(b)),
            Node::Divide(a, b) => Node::Divide(p(a), p(b)),
            Node::Scale(a, c) => Node::Scale(p(a), c),
            Node::Shift(a, c) => Node::Shift(p(a), c),
            Node::Whole(a, n) => Node::Whole(p(a), n),
            Node::Real(a, e) => Node::Real(p(a), e),
            Node::Power(a, b) => Node::Power(p(a), p(b)),
            Node::Call(f, a) => Node::Call(f, p(a)),
            Node::CallTwo(f, a, b) => Node::CallTwo(f, p(a), p(b)),
            Node::Same(a) => Node::Same(p(a)),
        }
    }

    fn arguments(&self) -> [Option<usize>; 2] {
        match *self {
            Node::Constant(_) | Node::Variable(_) => [None, None],
            Node::Scale(a, _) | Node::Shift(a, _) | Node::Whole(a, _) | Node::Real(a, _) => [Some(a), None],
            Node::Call(_, a) | Node::Same(a) => [Some(a), None],
            Node::Add(a, b) | Node::Subtract(a, b) | Node::Multiply(a, b) | Node::Divide(a, b) => [Some(a), Some(b)],
            Node::Power(a, b) | Node::CallTwo(_, a, b) => [Some(a), Some(b)],
        }
    }
}

/// The graph `y = y(x)`; its parameter is `x`.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Height in metres as a formula of one variable, `x` in metres.
    pub y: Expression,
}

impl Profile for Graph {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, self.y.eval(&[s])]
    }
}

/// The curve `(x(s), y(s))`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parametric {
    /// Abscissa in metres as a formula of `s`.
    pub x: Expression,
    /// Height in metres as a formula of `s`.
    pub y: Expression,
}

impl Profile for Parametric {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [self.x.eval(&[s]), self.y.eval(&[s])]
    }
}
