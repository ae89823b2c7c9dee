//! Tapes: formulas recorded as lists of nodes, whose Taylor series in time are computed order by order.
//!
//! A function over any [`Number`](crate::Number) is run once over [`Traced`] numbers, which record each operation. The
//! series along a motion follow from the list: coefficient k of each node from coefficients up to k of the nodes before
//! it (Griewank & Walther, *Evaluating Derivatives*, 2nd ed., ch. 13; Jorba & Zou, *Experimental Mathematics* 14 (2005)
//! 99, §2.1). Order p costs O(p²); evaluating whole series again for each order would cost O(p³).

use std::cell::RefCell;
use std::mem::discriminant;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::operations::{At, FormulaNode as Node, Function, FunctionOfTwo, compact};
use crate::number::{Number, OpaquePair, power_by_squares, terms_of};

/// A recorded formula: a list of nodes, the inputs first, in their order.
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
    pub(super) nodes: Vec<Node>,
    outputs: Vec<At>,
    /// Nodes that switch between two formulas.
    pub(super) switches: Vec<At>,
}

impl Tape {
    /// Records what a function does to its inputs.
    pub fn record<const INPUTS: usize, const OUTPUTS: usize>(
        formula: impl FnOnce([Traced; INPUTS]) -> [Traced; OUTPUTS],
    ) -> Self {
        let (mut nodes, outputs) = record(INPUTS, || formula(std::array::from_fn(Traced::input)));
        let outputs: Vec<At> = outputs.iter().map(|output| output.node(&mut nodes)).collect();
        let (nodes, outputs) = compact(&nodes, INPUTS, &outputs);
        let switches = (0..nodes.len()).filter(|i| nodes[*i].is_switch()).map(|i| i as At).collect();
        Tape { nodes, outputs, switches }
    }

    /// The node of an output.
    pub fn output(&self, index: usize) -> At {
        self.outputs[index]
    }
}

/// A [`Number`] that stands for a constant or for a node of the list that [`Tape::record`](crate::Tape::record) is
/// writing; meaningless after that call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traced(TracedValue);

#[derive(Clone, Copy, Debug, PartialEq)]
enum TracedValue {
    Constant(f64),
    Of(At),
}

use TracedValue::{Constant, Of};

thread_local! {
    /// The list being recorded: `Traced` numbers are `Copy` and can't hold it.
    static LIST: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// Runs `formula`; returns the list it recorded after `inputs` inputs, and its result.
pub(super) fn record<T>(inputs: usize, formula: impl FnOnce() -> T) -> (Vec<Node>, T) {
    let before = LIST.replace((0..inputs).map(Node::Input).collect());
    let answer = formula();
    (LIST.replace(before), answer)
}

/// Appends a node, unless it is in the list already.
fn push(node: Node) -> Traced {
    LIST.with_borrow_mut(|list| {
        let kind = discriminant(&node);
        let at = list.iter().position(|known| discriminant(known) == kind && *known == node).unwrap_or_else(|| {
            list.push(node);
            list.len() - 1
        });
        Traced(Of(at as At))
    })
}

/// The node at an index of the list being recorded.
fn known(at: At) -> Option<Node> {
    LIST.with_borrow(|list| list.get(at as usize).copied())
}

impl Traced {
    pub(super) fn input(index: usize) -> Self {
        Traced(Of(index as At))
    }

    /// Index of the node in a finished list; a constant is appended.
    pub(super) fn node(self, list: &mut Vec<Node>) -> At {
        match self.0 {
            // A node recorded elsewhere has no meaning in this list.
            Of(at) if (at as usize) < list.len() => at,
            Of(_) => Traced(Constant(f64::NAN)).node(list),
            Constant(value) => {
                list.push(Node::Constant(value));
                (list.len() - 1) as At
            }
        }
    }

    /// Index of this number's node. A constant becomes one, so that intervals enclose what `f64` would round.
    fn at(self) -> At {
        match self.0 {
            Of(at) => at,
            Constant(value) => push(Node::Constant(value)).at(),
        }
    }

    /// The value, if it is a constant.
    pub fn as_constant(self) -> Option<f64> {
        if let Constant(value) = self.0 { Some(value) } else { None }
    }

    /// Appends a function and, right behind it, the node computed together with it, which `next` makes from the indices
    /// of the argument and of the function.
    fn pair(self, f: Function, next: impl FnOnce(At, At) -> Node) -> [Self; 2] {
        let a = self.at();
        LIST.with_borrow_mut(|list| {
            let known = list.iter().position(|known| *known == Node::Call(f, a));
            let at = known.unwrap_or(list.len());
            if known.is_none() {
                list.extend([Node::Call(f, a), next(a, at as At)]);
            }
            [0, 1].map(|i| Traced(Of((at + i) as At)))
        })
    }

    /// Appends the function f of this number a as the integral `∫ da/w`, where `over` makes w from a.
    fn integral(self, f: Function, over: impl FnOnce(Self) -> Self) -> Self {
        let a = self.at();
        push(Node::Integral(f, a, over(self).at()))
    }

    /// A constant if the result `exact` is exact; else the node of the operation.
    fn made(self, exact: Option<f64>, node: impl FnOnce(At) -> Node) -> Self {
        exact.map_or_else(|| push(node(self.at())), Self::constant)
    }

    /// Adds a constant; sums of constants are merged where that is exact.
    fn shift(self, c: f64) -> Self {
        match self.0 {
            _ if c == 0.0 => self,
            Constant(a) => self.made(exact_sum(a, c), |a| Node::Shift(a, c)),
            Of(a) => match known(a) {
                Some(Node::Shift(b, d)) if exact_sum(c, d).is_some() => Traced(Of(b)).shift(c + d),
                _ => push(Node::Shift(a, c)),
            },
        }
    }

    fn chosen(self, other: Self, choice: FunctionOfTwo) -> Self {
        match (self.0, other.0) {
            (Constant(a), Constant(b)) => Traced(Constant(choice.of(a, b))),
            _ if self == other => self,
            _ => push(Node::CallTwo(choice, self.at(), other.at())),
        }
    }
}

/// `a + b`, if it is exact (Knuth's TwoSum).
fn exact_sum(a: f64, b: f64) -> Option<f64> {
    let sum = a + b;
    let part = sum - a;
    ((a - (sum - part)) + (b - part) == 0.0).then_some(sum)
}

/// `a b`, if it is exact.
fn exact_product(a: f64, b: f64) -> Option<f64> {
    let product = a * b;
    (a.mul_add(b, -product) == 0.0 && (product != 0.0 || a == 0.0 || b == 0.0)).then_some(product)
}

/// `a / b`, if it is exact.
fn exact_quotient(a: f64, b: f64) -> Option<f64> {
    let quotient = a / b;
    (quotient.mul_add(b, -a) == 0.0 && (quotient != 0.0 || a == 0.0)).then_some(quotient)
}

impl Add for Traced {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        match (self.0, b.0) {
            (_, Constant(c)) => self.shift(c),
            (Constant(c), _) => b.shift(c),
            (Of(a), Of(b)) => push(Node::Add(a.min(b), a.max(b))),
        }
    }
}

impl Sub for Traced {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        match (self.0, b.0) {
            (_, Constant(c)) => self.shift(-c),
            (Constant(c), _) => (-b).shift(c),
            (Of(a), Of(b)) => push(Node::Subtract(a, b)),
        }
    }
}

impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        self.scale(-1.0)
    }
}

impl Mul for Traced {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        match (self.0, b.0) {
            (_, Constant(c)) => self.scale(c),
            (Constant(c), _) => b.scale(c),
            (Of(a), Of(b)) if a == b => self.square(),
            (Of(a), Of(b)) => match (known(a), known(b)) {
                // Constant factors are moved outside, so that equal products share a node.
                (Some(Node::Scale(a, c)), _) => (Traced(Of(a)) * Traced(Of(b))).scale(c),
                (_, Some(Node::Scale(b, c))) => (Traced(Of(a)) * Traced(Of(b))).scale(c),
                _ => push(Node::Multiply(a.min(b), a.max(b))),
            },
        }
    }
}

impl Div for Traced {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        match (self.0, b.0) {
            (Constant(a), Constant(c)) => self.made(exact_quotient(a, c), |a| Node::Part(a, c)),
            (Of(a), Constant(c)) => match exact_quotient(1.0, c) {
                Some(factor) => self.scale(factor),
                None => push(Node::Part(a, c)),
            },
            (Constant(0.0), _) => self,
            (Constant(c), Of(b)) => push(Node::Over(c, b)),
            (Of(a), Of(b)) => push(Node::Divide(a, b)),
        }
    }
}

crate::number::beside_floats!(Traced);

impl Number for Traced {
    fn constant(value: f64) -> Self {
        Traced(Constant(value))
    }
    fn scale(self, factor: f64) -> Self {
        match self.0 {
            _ if factor == 1.0 => self,
            _ if factor == 0.0 => Traced(Constant(0.0)),
            Constant(a) => self.made(exact_product(a, factor), |a| Node::Scale(a, factor)),
            Of(a) => match known(a) {
                Some(Node::Scale(b, c)) if exact_product(c, factor).is_some() => Traced(Of(b)).scale(c * factor),
                _ => push(Node::Scale(a, factor)),
            },
        }
    }
    fn sin_cos(self) -> (Self, Self) {
        let [sine, cosine] = self.pair(Function::Sin, |a, _| Node::Call(Function::Cos, a));
        (sine, cosine)
    }
    fn tan(self) -> Self {
        self.pair(Function::Tan, |_, tan| Node::OneAndSquare(tan, 1.0))[0]
    }
    fn asin(self) -> Self {
        self.integral(Function::Asin, |a| (Self::constant(1.0) - a.square()).sqrt())
    }
    fn acos(self) -> Self {
        self.integral(Function::Acos, |a| -(Self::constant(1.0) - a.square()).sqrt())
    }
    fn atan(self) -> Self {
        self.integral(Function::Atan, |a| a.square().shift(1.0))
    }
    fn atan2(self, x: Self) -> Self {
        let squared = self.square() + x.square();
        push(Node::Angle { y: self.at(), x: x.at(), squared: squared.at() })
    }
    fn sinh(self) -> Self {
        self.pair(Function::Sinh, |a, _| Node::Call(Function::Cosh, a))[0]
    }
    fn cosh(self) -> Self {
        self.pair(Function::Sinh, |a, _| Node::Call(Function::Cosh, a))[1]
    }
    fn tanh(self) -> Self {
        self.pair(Function::Tanh, |_, tanh| Node::OneAndSquare(tanh, -1.0))[0]
    }
    fn exp(self) -> Self {
        push(Node::Call(Function::Exp, self.at()))
    }
    fn ln(self) -> Self {
        self.integral(Function::Ln, |a| a)
    }
    fn sqrt(self) -> Self {
        match self.0 {
            // The root is exact.
            Constant(c) if exact_product(c.sqrt(), c.sqrt()) == Some(c) => Traced(Constant(c.sqrt())),
            _ => push(Node::Call(Function::Sqrt, self.at())),
        }
    }
    /// Power by products, whose series exist at a base of zero, too; that of `Node::Power` divides by the base.
    fn powi(self, exponent: i32) -> Self {
        power_by_squares(self, exponent)
    }
    fn powf(self, exponent: f64) -> Self {
        push(Node::Power(self.at(), exponent))
    }
    fn square(self) -> Self {
        match self.0 {
            Constant(c) => self.made(exact_product(c, c), Node::Square),
            Of(a) => match known(a) {
                Some(Node::Scale(b, c)) if exact_product(c, c).is_some() => Traced(Of(b)).square().scale(c * c),
                _ => push(Node::Square(a)),
            },
        }
    }
    fn abs(self) -> Self {
        self.made(self.as_constant().map(f64::abs), |a| Node::Call(Function::Abs, a))
    }
    fn min(self, other: Self) -> Self {
        self.chosen(other, FunctionOfTwo::Min)
    }
    fn max(self, other: Self) -> Self {
        self.chosen(other, FunctionOfTwo::Max)
    }
    /// Compares constants only: with nodes the answer is not known before there are numbers.
    fn at_least(self, other: Self) -> Option<bool> {
        match (self.0, other.0) {
            (Constant(a), Constant(b)) => a.at_least(b),
            _ => None,
        }
    }
    fn hull(self, other: Self) -> Self {
        if self == other { self } else { Self::constant(f64::NAN) }
    }
    fn series_of<const TERMS: usize, P: OpaquePair + ?Sized>(pair: &P, s: Self) -> [[Self; TERMS]; 2] {
        terms_of(pair, s)
    }
}
