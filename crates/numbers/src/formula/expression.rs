//! Formulas from text, by a precedence-climbing parser, evaluated over any [`Number`].

use std::sync::Arc;

use super::operations::{At, FUNCTIONS, FUNCTIONS_OF_TWO, FormulaNode as Node, Function, compact};
use crate::{Number, elementary};

/// A formula, parsed once and evaluated over any [`Number`]; constants are folded in.
///
/// The grammar: `+ - * / ^` with `^` right-associative and tighter than a leading minus (`-x^2` is `−(x²)`), numbers,
/// `pi`, and the functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp ln sqrt abs min max`.
///
/// ```
/// use numbers::Expression;
/// let hill = Expression::parse("-a*x^2", &["x"], &[("a", 0.5)])?;
/// assert_eq!(hill.eval(&[3.0]), -4.5);
/// # Ok::<(), numbers::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Nodes; arguments precede their uses, and the last node is the result.
    pub(super) nodes: Arc<[Node]>,
}

impl Expression {
    /// Reads `text` with these variables (in the order [`Expression::eval`] takes them) and named constants.
    pub fn parse(text: &str, variables: &[&str], constants: &[(&str, f64)]) -> Result<Self, ExpressionError> {
        let mut parser =
            Parser { text, variables, constants, nodes: Vec::new(), token: Token::End, start: 0, end: 0, depth: 0 };
        if text.len() > MAX_LENGTH {
            return Err(parser.error(Kind::TooLarge));
        }
        if text.trim().is_empty() {
            return Err(parser.error(Kind::Empty));
        }
        parser.advance()?;
        let root = parser.sum()?;
        if parser.token != Token::End {
            return Err(parser.error(Kind::ExpectedOperator { found: parser.found() }));
        }
        Ok(Expression::compact(&parser.nodes, root))
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
        self.nodes.contains(&Node::Input(index))
    }

    /// Keeps only the nodes that `root` depends on.
    pub(super) fn compact(nodes: &[Node], root: At) -> Self {
        Expression { nodes: compact(&nodes[..=root as usize], 0, &[root]).0.into() }
    }

    /// The value; `variables` in the order given to [`Expression::parse`] (missing ones count as NaN).
    pub fn eval<N: Number>(&self, variables: &[N]) -> N {
        self.eval_node(self.nodes.len() as At - 1, variables)
    }

    /// The value of one node, without recursion, which might run out of stack.
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

/// Fills one register for each node; returns the last. Not inlined: it is long, and compiled for each kind of number.
#[inline(never)]
fn fill<N: Number>(registers: &mut [N], nodes: &[Node], variables: &[N]) -> N {
    let mut last = N::constant(f64::NAN);
    for (at, node) in nodes.iter().enumerate() {
        last = node.of(|i| registers[i as usize], variables);
        registers[at] = last;
    }
    last
}

/// Nesting allowed in a formula; keeps hostile input off the stack.
const MAX_DEPTH: usize = 100;
/// Length allowed of a formula in bytes.
const MAX_LENGTH: usize = 10_000;

/// A formula that can't be read: what is wrong and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind} at column {column}")]
pub struct ExpressionError {
    /// Kind of the error.
    pub kind: ExpressionErrorKind,
    /// First byte of the offending text.
    pub offset: usize,
    /// Length of the offending text in bytes (0 at the end of the formula).
    pub length: usize,
    /// Column of the offending text, in characters from 1.
    pub column: usize,
}

/// Kind of an error in a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExpressionErrorKind {
    /// An empty formula.
    #[error("the expression is empty")]
    Empty,
    /// The formula stops too early.
    #[error("the expression ends where a number, a name or `(` was expected")]
    UnexpectedEnd,
    /// A token where a value should begin.
    #[error("expected a number, a name or `(`, found `{found}`")]
    ExpectedValue {
        /// The offending text.
        found: String,
    },
    /// A token where an operator should stand.
    #[error("expected an operator such as `*`, or the end, found `{found}`")]
    ExpectedOperator {
        /// The offending text.
        found: String,
    },
    /// A parenthesis that is never closed.
    #[error("this `(` has no matching `)`")]
    Unclosed,
    /// A number that Rust can't read, or that is too large.
    #[error("`{text}` is not a finite number")]
    BadNumber {
        /// The offending text.
        text: String,
    },
    /// A name that stands for nothing here.
    #[error("unknown name `{name}` (known here: {})", known.join(", "))]
    UnknownName {
        /// The offending name.
        name: String,
        /// Variables, constants and functions that would have been understood.
        known: Vec<String>,
    },
    /// A function with the wrong number of arguments.
    #[error("`{name}` takes {expected} argument(s), not {found}")]
    WrongArguments {
        /// The function.
        name: String,
        /// Number of arguments it takes.
        expected: usize,
        /// Number of arguments given.
        found: usize,
    },
    /// A function without parentheses.
    #[error("the function `{name}` needs its argument in parentheses")]
    NotCalled {
        /// The function.
        name: String,
    },
    /// Nested too deeply or too long.
    #[error("the expression is too long or nested too deeply (at most {MAX_LENGTH} bytes and {MAX_DEPTH} levels)")]
    TooLarge,
}

use ExpressionErrorKind as Kind;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name,
    Symbol(char),
    End,
}

/// A parser that looks one token ahead: `token` is at the bytes `start..end` of `text`. From `sum` to `value` each
/// method reads one level of the grammar, appends its nodes and returns the index of the last.
struct Parser<'a> {
    text: &'a str,
    variables: &'a [&'a str],
    constants: &'a [(&'a str, f64)],
    nodes: Vec<Node>,
    token: Token,
    start: usize,
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn error(&self, kind: Kind) -> ExpressionError {
        self.error_at(kind, self.start, self.end)
    }

    fn error_at(&self, kind: Kind, start: usize, end: usize) -> ExpressionError {
        let column = self.text[..start].chars().count() + 1;
        ExpressionError { kind, offset: start, length: end - start, column }
    }

    fn found(&self) -> String {
        self.text[self.start..self.end].to_owned()
    }

    fn advance(&mut self) -> Result<(), ExpressionError> {
        let rest = &self.text[self.end..];
        self.start = self.end + (rest.len() - rest.trim_start().len());
        let rest = &self.text[self.start..];
        let Some(first) = rest.chars().next() else {
            self.end = self.start;
            self.token = Token::End;
            return Ok(());
        };
        if first.is_ascii_digit() || first == '.' {
            let length = number_length(rest.as_bytes());
            self.end = self.start + length;
            self.token = match rest[..length].parse::<f64>() {
                Ok(x) if x.is_finite() => Token::Number(x),
                _ => return Err(self.error(Kind::BadNumber { text: rest[..length].to_owned() })),
            };
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            self.end = self.start + length;
            self.token = Token::Name;
        } else {
            self.end = self.start + first.len_utf8();
            self.token = Token::Symbol(first);
        }
        Ok(())
    }

    fn take(&mut self, symbol: char) -> Result<bool, ExpressionError> {
        let there = self.token == Token::Symbol(symbol);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn sum(&mut self) -> Result<At, ExpressionError> {
        let mut left = self.product()?;
        while let Token::Symbol(sign @ ('+' | '-')) = self.token {
            self.advance()?;
            let right = self.product()?;
            let node = if sign == '+' { Node::Add } else { Node::Subtract };
            left = self.combine(node(left, right));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<At, ExpressionError> {
        let mut left = self.signed()?;
        while let Token::Symbol(sign @ ('*' | '/')) = self.token {
            self.advance()?;
            let right = self.signed()?;
            let ratio = if sign == '/' { self.ratio(left, right) } else { None };
            let node = if sign == '*' { Node::Multiply } else { Node::Divide };
            left = ratio.unwrap_or_else(|| self.combine(node(left, right)));
        }
        Ok(left)
    }

    /// Reads a value with its signs and exponent. A leading sign binds looser than `^`; an exponent may have its own.
    fn signed(&mut self) -> Result<At, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(Kind::TooLarge));
        }
        let node = if self.take('-')? {
            let argument = self.signed()?;
            self.combine(Node::Scale(argument, -1.0))
        } else if self.take('+')? {
            self.signed()?
        } else {
            let base = self.value()?;
            if self.take('^')? {
                let exponent = self.signed()?;
                self.combine(Node::Raise(base, exponent))
            } else {
                base
            }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn value(&mut self) -> Result<At, ExpressionError> {
        match self.token {
            Token::Number(x) => {
                self.advance()?;
                Ok(self.push(Node::Constant(x)))
            }
            Token::Name => self.name(),
            Token::Symbol('(') => {
                let open = self.start;
                self.advance()?;
                let inner = self.sum()?;
                self.close(open)?;
                Ok(inner)
            }
            Token::Symbol(_) => Err(self.error(Kind::ExpectedValue { found: self.found() })),
            Token::End => Err(self.error(Kind::UnexpectedEnd)),
        }
    }

    fn close(&mut self, open: usize) -> Result<(), ExpressionError> {
        if self.take(')')? {
            Ok(())
        } else if self.token == Token::End {
            Err(self.error_at(Kind::Unclosed, open, open + 1))
        } else {
            Err(self.error(Kind::ExpectedOperator { found: self.found() }))
        }
    }

    fn name(&mut self) -> Result<At, ExpressionError> {
        let (start, end) = (self.start, self.end);
        let name = &self.text[start..end];
        if let Some(index) = self.variables.iter().position(|v| *v == name) {
            self.advance()?;
            return Ok(self.push(Node::Input(index)));
        }
        let constant = self.constants.iter().find(|(c, _)| *c == name).map(|(_, value)| *value);
        if let Some(value) = constant.or((name == "pi").then_some(std::f64::consts::PI)) {
            self.advance()?;
            return Ok(self.push(Node::Constant(value)));
        }
        let one = FUNCTIONS.iter().find(|(f, _)| *f == name);
        let two = FUNCTIONS_OF_TWO.iter().find(|(f, _)| *f == name);
        if one.is_none() && two.is_none() {
            let name = name.to_owned();
            return Err(self.error(Kind::UnknownName { name, known: self.known_names() }));
        }
        self.advance()?;
        let open = self.start;
        if !self.take('(')? {
            return Err(self.error_at(Kind::NotCalled { name: name.to_owned() }, start, end));
        }
        let mut arguments = Vec::new();
        if self.token != Token::Symbol(')') {
            arguments.push(self.sum()?);
            while self.take(',')? {
                arguments.push(self.sum()?);
            }
        }
        self.close(open)?;
        match (one, two, arguments.as_slice()) {
            (Some((_, f)), _, [a]) => Ok(self.combine(Node::Call(*f, *a))),
            (_, Some((_, f)), [a, b]) => Ok(self.combine(Node::CallTwo(*f, *a, *b))),
            _ => {
                let kind = Kind::WrongArguments {
                    name: name.to_owned(),
                    expected: if one.is_some() { 1 } else { 2 },
                    found: arguments.len(),
                };
                Err(self.error_at(kind, start, end))
            }
        }
    }

    fn known_names(&self) -> Vec<String> {
        let functions = FUNCTIONS.iter().map(|(name, _)| *name).chain(FUNCTIONS_OF_TWO.iter().map(|(name, _)| *name));
        let constants = self.constants.iter().map(|(name, _)| *name);
        self.variables.iter().copied().chain(constants).chain(["pi"]).chain(functions).map(str::to_owned).collect()
    }

    fn push(&mut self, node: Node) -> At {
        self.nodes.push(node);
        self.nodes.len() as At - 1
    }

    fn constant(&self, node: At) -> Option<f64> {
        match self.nodes[node as usize] {
            Node::Constant(c) => Some(c),
            _ => None,
        }
    }

    /// Adds one of these two quotients in a form whose derivatives neither cancel nor overflow at large numbers:
    ///
    /// ```text
    /// k a/√(c + a²) = k sin(atan(a/√c))      b/(c + k eᵘ) = b (1 − tanh((u + ln(k/c))/2))/2c
    /// ```
    fn ratio(&mut self, over: At, under: At) -> Option<At> {
        self.over_root(over, under).or_else(|| self.over_exponential(over, under))
    }

    fn over_exponential(&mut self, over: At, under: At) -> Option<At> {
        let node = |at: At| self.nodes[at as usize];
        let Node::Shift(grows, c) = node(under) else { return None };
        let (call, k) = if let Node::Scale(call, k) = node(grows) { (call, k) } else { (grows, 1.0) };
        let (Node::Call(Function::Exp, u), true) = (node(call), c > 0.0 && k > 0.0) else { return None };
        let half = self.combine(Node::Scale(u, 0.5));
        let half = self.combine(Node::Shift(half, 0.5 * elementary::ln(k / c)));
        let falls = self.combine(Node::Call(Function::Tanh, half));
        let falls = self.combine(Node::Scale(falls, -0.5 / c));
        let part = self.combine(Node::Shift(falls, 0.5 / c));
        Some(self.combine(Node::Multiply(part, over)))
    }

    fn over_root(&mut self, over: At, under: At) -> Option<At> {
        let node = |at: At| self.nodes[at as usize];
        let Node::Call(Function::Sqrt, sum) = node(under) else { return None };
        let Node::Shift(square, c) = node(sum) else { return None };
        let (Node::Whole(a, 2), true) = (node(square), c > 0.0) else { return None };
        let factor = match node(over) {
            _ if self.same(over, a) => 1.0,
            Node::Scale(b, k) if self.same(b, a) => k,
            _ => return None,
        };
        let tangent = self.combine(Node::Scale(a, 1.0 / c.sqrt()));
        let angle = self.push(Node::Call(Function::Atan, tangent));
        let sine = self.push(Node::Call(Function::Sin, angle));
        Some(self.push(Node::Scale(sine, factor)))
    }

    /// Whether two nodes are the same formula: the same operations on arguments that are the same formulas.
    fn same(&self, a: At, b: At) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let [one, two] = [a, b].map(|at| self.nodes[at as usize]);
            if one.renumbered(|_| 0) != two.renumbered(|_| 0) {
                return false;
            }
            pairs.extend(one.arguments().into_iter().zip(two.arguments()).filter(|(a, b)| a != b));
        }
        true
    }

    /// Adds a node, folding constants into it.
    fn combine(&mut self, node: Node) -> At {
        let [a, b] = node.arguments().map(|i| self.constant(i));
        let folded = match (node, a, b) {
            (Node::Add(..), Some(a), Some(b)) => Node::Constant(a + b),
            (Node::Add(x, _), None, Some(c)) | (Node::Add(_, x), Some(c), None) => Node::Shift(x, c),
            (Node::Subtract(..), Some(a), Some(b)) => Node::Constant(a - b),
            (Node::Subtract(x, _), None, Some(c)) => Node::Shift(x, -c),
            (Node::Multiply(..), Some(a), Some(b)) => Node::Constant(a * b),
            (Node::Multiply(x, _), None, Some(c)) | (Node::Multiply(_, x), Some(c), None) => Node::Scale(x, c),
            (Node::Divide(..), Some(a), Some(b)) => Node::Constant(a / b),
            (Node::Divide(x, _), None, Some(c)) if c != 0.0 => Node::Scale(x, 1.0 / c),
            (Node::Scale(_, c), Some(a), _) => Node::Constant(a * c),
            (Node::Raise(..), Some(a), Some(b)) => Node::Constant(elementary::powf(a, b)),
            (Node::Raise(x, _), None, Some(p)) if p == p.trunc() && p.abs() <= 1024.0 => Node::Whole(x, p as i32),
            (Node::Raise(x, _), None, Some(p)) => Node::Power(x, p),
            (Node::Call(f, _), Some(a), _) => Node::Constant(f.of(a)),
            (Node::CallTwo(f, ..), Some(a), Some(b)) => Node::Constant(f.of(a, b)),
            _ => node,
        };
        self.push(folded)
    }
}

/// Length of the number that `text` starts with: digits, a point, digits, an exponent.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    if text.get(end) == Some(&b'.') {
        end += 1;
        end += digits(end);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(text.len()));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}
