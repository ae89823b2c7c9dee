//! Operations of formulas: their functions, their arguments, and which of them are computed in pairs.

use crate::Number;

/// Defines functions by their names in formulas, which are those of [`Number`]'s methods.
macro_rules! functions {
    ($(#[$doc:meta])* $kind:ident, $names:ident, ($($argument:ident),*) $arguments:tt: $($variant:ident $name:ident),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $kind { $($variant),* }

        pub(super) const $names: &[(&str, $kind)] = &[$((stringify!($name), $kind::$variant)),*];

        impl $kind {
            #[inline(always)]
            pub(super) fn of<N: Number>(self, $($argument: N),*) -> N {
                match self { $($kind::$variant => N::$name $arguments),* }
            }
        }
    };
}

functions! {
    /// A function of one argument.
    Function, FUNCTIONS, (a) (a):
    Sin sin, Cos cos, Tan tan, Asin asin, Acos acos, Atan atan, Sinh sinh, Cosh cosh, Tanh tanh, Exp exp, Ln ln, Sqrt sqrt, Abs abs
}

functions! {
    /// A function of two arguments; those of `atan2` are ordinate and abscissa.
    FunctionOfTwo, FUNCTIONS_OF_TWO, (a, b) (a, b):
    Atan2 atan2, Min min, Max max
}

/// Index of a node in its list.
pub type At = u32;

/// An operation on nodes that precede it in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FormulaNode {
    Input(usize),
    Constant(f64),
    Add(At, At),
    Subtract(At, At),
    Multiply(At, At),
    Divide(At, At),
    /// `c / b`
    Over(f64, At),
    /// `c a`
    Scale(At, f64),
    /// `a / c`
    Part(At, f64),
    /// `a + c`
    Shift(At, f64),
    Square(At),
    /// `aⁿ` for a whole n.
    Whole(At, i32),
    /// `aᵖ` for a real p.
    Power(At, f64),
    /// `aᵇ`, by `exp(b ln a)`.
    Raise(At, At),
    Call(Function, At),
    CallTwo(FunctionOfTwo, At, At),
    /// `1 ± a²`, by the sign.
    OneAndSquare(At, f64),
    /// A function of `a` whose derivative is `1/w`: (function, a, w).
    Integral(Function, At, At),
    /// The angle of the point (x, y).
    Angle {
        y: At,
        x: At,
        /// `x² + y²`
        squared: At,
    },
    /// `a`: a switch whose side is decided.
    Same(At),
}

impl FormulaNode {
    /// The node's value from those of its arguments and of the inputs (missing ones count as NaN).
    #[inline(always)]
    pub(super) fn of<N: Number>(&self, value: impl Fn(At) -> N, inputs: &[N]) -> N {
        match *self {
            Self::Input(i) => inputs.get(i).copied().unwrap_or_else(|| N::constant(f64::NAN)),
            Self::Constant(c) => N::constant(c),
            Self::Add(a, b) => value(a) + value(b),
            Self::Subtract(a, b) => value(a) - value(b),
            Self::Multiply(a, b) => value(a) * value(b),
            Self::Divide(a, b) => value(a) / value(b),
            Self::Over(c, b) => N::constant(c) / value(b),
            Self::Scale(a, c) => value(a).scale(c),
            Self::Part(a, c) => value(a) / N::constant(c),
            Self::Shift(a, c) => value(a) + N::constant(c),
            Self::Square(a) => value(a).square(),
            Self::Whole(a, n) => value(a).powi(n),
            Self::Power(a, p) => value(a).powf(p),
            Self::Raise(a, b) => (value(b) * value(a).ln()).exp(),
            Self::Call(f, a) | Self::Integral(f, a, _) => f.of(value(a)),
            Self::CallTwo(f, a, b) => f.of(value(a), value(b)),
            Self::OneAndSquare(a, sign) => N::constant(1.0) + value(a).square().scale(sign),
            Self::Angle { y, x, .. } => value(y).atan2(value(x)),
            Self::Same(a) => value(a),
        }
    }

    /// The node with its arguments renumbered.
    pub(super) fn renumbered(self, mut p: impl FnMut(At) -> At) -> Self {
        match self {
            Self::Input(_) | Self::Constant(_) => self,
            Self::Add(a, b) => Self::Add(p(a), p(b)),
            Self::Subtract(a, b) => Self::Subtract(p(a), p(b)),
            Self::Multiply(a, b) => Self::Multiply(p(a), p(b)),
            Self::Divide(a, b) => Self::Divide(p(a), p(b)),
            Self::Over(c, a) => Self::Over(c, p(a)),
            Self::Scale(a, c) => Self::Scale(p(a), c),
            Self::Part(a, c) => Self::Part(p(a), c),
            Self::Shift(a, c) => Self::Shift(p(a), c),
            Self::Square(a) => Self::Square(p(a)),
            Self::Whole(a, n) => Self::Whole(p(a), n),
            Self::Power(a, c) => Self::Power(p(a), c),
            Self::Raise(a, b) => Self::Raise(p(a), p(b)),
            Self::Call(f, a) => Self::Call(f, p(a)),
            Self::CallTwo(f, a, b) => Self::CallTwo(f, p(a), p(b)),
            Self::OneAndSquare(a, sign) => Self::OneAndSquare(p(a), sign),
            Self::Integral(f, a, w) => Self::Integral(f, p(a), p(w)),
            Self::Angle { y, x, squared } => Self::Angle { y: p(y), x: p(x), squared: p(squared) },
            Self::Same(a) => Self::Same(p(a)),
        }
    }

    /// Indices of the first two arguments; 0 for a missing one.
    pub(super) fn arguments(self) -> [At; 2] {
        let (mut places, mut count) = ([0; 2], 0);
        self.renumbered(|a| {
            if let Some(place) = places.get_mut(count) {
                *place = a;
            }
            count += 1;
            a
        });
        places
    }

    /// Whether the node chooses between two formulas.
    pub(super) fn is_switch(&self) -> bool {
        use FunctionOfTwo::{Max, Min};
        matches!(self, Self::Call(Function::Abs, _) | Self::CallTwo(Min | Max, ..))
    }

    /// The value whose zeros are where a switch changes sides; NaN for other nodes.
    pub(super) fn switching<N: Number>(&self, value: impl Fn(At) -> N) -> N {
        match *self {
            Self::Call(Function::Abs, a) => value(a),
            Self::CallTwo(FunctionOfTwo::Min | FunctionOfTwo::Max, a, b) => value(a) - value(b),
            _ => N::constant(f64::NAN),
        }
    }

    /// Whether this node's series is computed with that of `next`: sine and cosine, sinh and cosh, tangent and slope.
    #[inline(always)]
    pub(super) fn is_pair(&self, next: Option<&Self>) -> bool {
        use Function::{Cos, Cosh, Sin, Sinh, Tan, Tanh};
        match (self, next) {
            (Self::Call(Sin, a), Some(Self::Call(Cos, b))) | (Self::Call(Sinh, a), Some(Self::Call(Cosh, b))) => a == b,
            (Self::Call(Tan | Tanh, _), Some(Self::OneAndSquare(..))) => true,
            _ => false,
        }
    }
}

/// The first `inputs` nodes of a list and those that the outputs depend on, in order; and the outputs' new indices.
pub(super) fn compact(nodes: &[FormulaNode], inputs: usize, outputs: &[At]) -> (Vec<FormulaNode>, Vec<At>) {
    let mut needed = vec![false; nodes.len()];
    needed[..inputs].fill(true);
    outputs.iter().for_each(|at| needed[*at as usize] = true);
    // Arguments precede their uses, so that one pass from the end finds all needed nodes. Pairs stay together.
    for i in (0..nodes.len()).rev() {
        if nodes[i].is_pair(nodes.get(i + 1)) {
            needed[i] |= needed[i + 1];
            needed[i + 1] = needed[i];
        }
        if needed[i] {
            nodes[i].renumbered(|a| {
                needed[a as usize] = true;
                a
            });
        }
    }
    let mut place = vec![0; nodes.len()];
    let mut kept = Vec::new();
    for i in (0..nodes.len()).filter(|i| needed[*i]) {
        place[i] = kept.len() as At;
        kept.push(nodes[i].renumbered(|a| place[a as usize]));
    }
    (kept, outputs.iter().map(|at| place[*at as usize]).collect())
}
