//! Taylor coefficients of all nodes of a tape, order by order.

use super::operations::{At, FormulaNode as Node, Function, FunctionOfTwo};
use super::tape::Tape;
use crate::Number;
use crate::polynomial::first_root;

/// The series of every node of a [`Tape`], `TERMS` coefficients each; allocated once.
///
/// Over [`Interval`](crate::Interval)s the coefficients enclose those of every point of the inputs.
#[derive(Clone, Debug, Default)]
pub struct Series<N, const TERMS: usize> {
    terms: Vec<[N; TERMS]>,
}

impl<N: Number, const TERMS: usize> Series<N, TERMS> {
    /// Allocates zero series for the nodes of a tape.
    pub fn new(tape: &Tape) -> Self {
        let mut series = Series { terms: Vec::new() };
        series.fit(tape);
        series
    }

    /// Makes room for the nodes of another tape.
    pub fn fit(&mut self, tape: &Tape) {
        if self.terms.len() < tape.nodes.len() {
            self.terms.resize(tape.nodes.len(), [N::constant(0.0); TERMS]);
        }
    }

    /// Sets the first coefficients of an input; the others become zero.
    pub fn put(&mut self, input: usize, first: &[N]) {
        self.terms[input] = [N::constant(0.0); TERMS];
        self.terms[input][..first.len()].copy_from_slice(first);
    }

    /// Sets one coefficient of an input.
    #[inline(always)]
    pub fn put_at(&mut self, input: usize, order: usize, coefficient: N) {
        self.terms[input][order] = coefficient;
    }

    /// The coefficients of a node; those not computed yet are zero or stale.
    #[inline(always)]
    pub fn of(&self, node: At) -> &[N; TERMS] {
        &self.terms[node as usize]
    }

    /// Computes the first coefficient of every node; that of the inputs must be known.
    fn begin(&mut self, tape: &Tape) {
        for (i, node) in tape.nodes.iter().enumerate() {
            let (before, rest) = self.terms.split_at_mut(i);
            let [y, others @ ..] = rest else { return };
            match *node {
                Node::Input(_) | Node::OneAndSquare(..) | Node::Call(Function::Cos | Function::Cosh, _) => {}
                Node::Call(Function::Sin | Function::Sinh | Function::Tan | Function::Tanh, a) => {
                    let [partner, ..] = others else { return };
                    pair(*node, tape.nodes.get(i + 1), &before[a as usize][..1], y, partner);
                }
                _ => y[0] = node.of(|a| before[a as usize][0], &[]),
            }
        }
    }

    /// Computes coefficient k of every node. Coefficients below k, and k of the inputs, must be known.
    pub fn extend(&mut self, tape: &Tape, k: usize) {
        if k >= TERMS {
            return;
        }
        if k == 0 {
            return self.begin(tape);
        }
        for (i, node) in tape.nodes.iter().enumerate() {
            let (before, rest) = self.terms.split_at_mut(i);
            let [y, others @ ..] = rest else { return };
            let of = |a: At| &before[a as usize];
            match *node {
                // Cosines and slopes are computed together with the node before them.
                Node::Input(_) | Node::OneAndSquare(..) | Node::Call(Function::Cos | Function::Cosh, _) => {}
                Node::Call(Function::Sin | Function::Sinh | Function::Tan | Function::Tanh, a) => {
                    let [partner, ..] = others else { return };
                    pair(*node, tape.nodes.get(i + 1), &of(a)[..=k], y, partner);
                }
                Node::Constant(_) => y[k] = N::constant(0.0),
                Node::Add(a, b) => y[k] = of(a)[k] + of(b)[k],
                Node::Subtract(a, b) => y[k] = of(a)[k] - of(b)[k],
                Node::Scale(a, c) => y[k] = of(a)[k].scale(c),
                Node::Part(a, c) => y[k] = of(a)[k] / N::constant(c),
                Node::Shift(a, _) | Node::Same(a) => y[k] = of(a)[k],
                Node::Multiply(a, b) => y[k] = product(&of(a)[..=k], &of(b)[..=k]),
                Node::Square(a) => y[k] = square(&of(a)[..=k]),
                Node::Divide(a, b) => y[k] = (of(a)[k] - product(&y[..k], &of(b)[1..=k])) / of(b)[0],
                Node::Over(_, b) => y[k] = -(product(&y[..k], &of(b)[1..=k]) / of(b)[0]),
                // (y²)ₖ = 2 y₀ yₖ + Σ yⱼ yₖ₋ⱼ
                Node::Call(Function::Sqrt, a) => y[k] = (of(a)[k] - square(&y[1..k])) / y[0].scale(2.0),
                Node::Call(Function::Exp, a) => [y[k]] = chained(&of(a)[1..=k], [&y[..k]]),
                // a y′ = p y a′
                Node::Power(a, p) => {
                    let mut sum = N::constant(0.0);
                    for j in 1..=k {
                        let weight = N::constant(p).scale(j as f64) - N::constant((k - j) as f64);
                        sum = sum + weight * of(a)[j] * y[k - j];
                    }
                    y[k] = sum / (of(a)[0].scale(k as f64));
                }
                // w y′ = a′
                Node::Integral(_, a, w) => {
                    let [rest] = weighted(&y[1..k], [&of(w)[1..k]]);
                    y[k] = (of(a)[k] - rest / constant::<N>(k)) / of(w)[0];
                }
                // (x² + y²) α′ = x y′ − y x′
                Node::Angle { y: b, x, squared } => {
                    let [turns] = weighted(&of(b)[1..=k], [&of(x)[..k]]);
                    let [back] = weighted(&of(x)[1..=k], [&of(b)[..k]]);
                    let [known] = weighted(&y[1..k], [&of(squared)[1..k]]);
                    y[k] = (turns - back - known) / (of(squared)[0].scale(k as f64));
                }
                Node::Call(Function::Abs, a) => {
                    let a = of(a);
                    y[k] = match larger(&a[..=k], |_| constant(0)) {
                        Some(true) => a[k],
                        Some(false) => -a[k],
                        None => N::constant(f64::NAN),
                    };
                }
                Node::CallTwo(choice @ (FunctionOfTwo::Min | FunctionOfTwo::Max), a, b) => {
                    let (a, b) = (of(a), of(b));
                    y[k] = match larger(&a[..=k], |j| b[j]) {
                        Some(first) if first == (choice == FunctionOfTwo::Max) => a[k],
                        Some(_) => b[k],
                        None => N::constant(f64::NAN),
                    };
                }
                // Nodes that no tape has: recorded numbers write them by the nodes above.
                Node::Whole(..) | Node::Raise(..) | Node::Call(..) | Node::CallTwo(..) => y[k] = N::constant(f64::NAN),
            }
        }
    }
}

impl<const TERMS: usize> Series<f64, TERMS> {
    /// The first time in (0, `until`] at which a node switches sides, by the first `terms` coefficients of its series.
    pub fn first_switch(&self, tape: &Tape, terms: usize, until: f64) -> Option<f64> {
        let mut first: Option<f64> = None;
        for at in &tape.switches {
            let looked: [f64; TERMS] = std::array::from_fn(|k| tape.nodes[*at as usize].switching(|a| self.of(a)[k]));
            // A root at the start is the switch just passed.
            let zeros = looked[..terms].iter().take_while(|c| **c == 0.0).count();
            if let Some(root) = first_root(&looked[zeros..terms], first.unwrap_or(until)) {
                first = Some(root);
            }
        }
        first
    }
}

#[inline(always)]
fn constant<N: Number>(whole: usize) -> N {
    N::constant(whole as f64)
}

/// `Σ aⱼ bₙ₋ⱼ` over two slices of n + 1 coefficients; zero for empty ones.
#[inline(always)]
fn product<N: Number>(a: &[N], b: &[N]) -> N {
    let mut sums = [constant::<N>(0); 2];
    let (mut a, mut b) = (a, b);
    // Two independent sums run in parallel.
    while let ([one, next, a_rest @ ..], [b_rest @ .., before, other]) = (a, b) {
        sums = [sums[0] + *one * *other, sums[1] + *next * *before];
        (a, b) = (a_rest, b_rest);
    }
    if let ([a], [b]) = (a, b) {
        sums[0] = sums[0] + *a * *b;
    }
    sums[0] + sums[1]
}

/// `Σ aⱼ aₙ₋ⱼ`; products of two different coefficients are counted twice.
#[inline(always)]
fn square<N: Number>(a: &[N]) -> N {
    let half = a.len() / 2;
    let twice = product(&a[..half], &a[a.len() - half..]).scale(2.0);
    if a.len().is_multiple_of(2) { twice } else { twice + a[half].square() }
}

/// `Σ j aⱼ bₙ₋ⱼ` for each b; the slice of a begins at a₁, that of b ends at bₙ₋₁.
#[inline(always)]
fn weighted<N: Number, const COUNT: usize>(a: &[N], others: [&[N]; COUNT]) -> [N; COUNT] {
    let mut sums = [constant::<N>(0); COUNT];
    for (j, a) in (1..).zip(a) {
        let rate = a.scale(j as f64);
        for (sum, b) in sums.iter_mut().zip(others) {
            *sum = *sum + rate * b[b.len() - j];
        }
    }
    sums
}

/// Coefficient k of each `y` with `y′ = a′ b`, from a₁ … aₖ and b₀ … bₖ₋₁.
#[inline(always)]
fn chained<N: Number, const COUNT: usize>(a: &[N], others: [&[N]; COUNT]) -> [N; COUNT] {
    weighted(a, others).map(|sum| sum / constant::<N>(a.len()))
}

/// The next coefficients of two nodes computed together, from those of their argument `a`.
fn pair<N: Number, const TERMS: usize>(
    node: Node,
    next: Option<&Node>,
    a: &[N],
    y: &mut [N; TERMS],
    partner: &mut [N; TERMS],
) {
    let k = a.len() - 1;
    match (node, next) {
        (Node::Call(Function::Sin, _), _) if k == 0 => (y[0], partner[0]) = a[0].sin_cos(),
        (Node::Call(Function::Sin, _), _) => {
            let [sine, cosine] = chained(&a[1..], [&partner[..k], &y[..k]]);
            (y[k], partner[k]) = (sine, -cosine);
        }
        (Node::Call(Function::Sinh, _), _) if k == 0 => (y[0], partner[0]) = (a[0].sinh(), a[0].cosh()),
        (Node::Call(Function::Sinh, _), _) => {
            [y[k], partner[k]] = chained(&a[1..], [&partner[..k], &y[..k]]);
        }
        (_, Some(Node::OneAndSquare(_, sign))) => {
            y[k] = match node {
                Node::Call(Function::Tan, _) if k == 0 => a[0].tan(),
                _ if k == 0 => a[0].tanh(),
                _ => chained(&a[1..], [&partner[..k]])[0],
            };
            partner[k] = match node {
                Node::Call(Function::Tanh, _) if k == 0 => constant::<N>(1) / a[0].cosh().square(),
                _ if k == 0 => constant::<N>(1) + y[0].square(),
                _ => square(&y[..=k]).scale(*sign),
            };
        }
        _ => {}
    }
}

/// Whether `a ≥ b` just after 0, by the first coefficients that differ; `None`: intervals overlap, or one is NaN.
fn larger<N: Number>(a: &[N], b: impl Fn(usize) -> N) -> Option<bool> {
    for (j, a) in a.iter().enumerate() {
        let b = b(j);
        match (a.at_least(b), b.at_least(*a)) {
            (Some(true), Some(true)) => {}
            (Some(first), Some(_)) => return Some(first),
            _ => return None,
        }
    }
    Some(true)
}
