//! Where `abs`, `min` and `max` switch, a curve may have a corner: there it is cut into smooth parts.

use super::{Expression, Function, FunctionOfTwo, Node};
use crate::{Interval, Number, Taylor};

/// Intervals looked at before giving up on finding all corners.
const BUDGET: usize = 400_000;

/// Switches followed: each corner makes a piece of its own.
const MAX_CORNERS: usize = 1000;

/// Why the corners of a formula can't be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CornersError {
    /// There seem to be infinitely many.
    #[error(
        "abs, min or max switch more often than can be followed, last near {near:?}; \
         give a finite domain, or write each part as a piece of its own"
    )]
    TooMany {
        /// A parameter near which they accumulate or simply go on.
        near: f64,
    },
}

/// Cuts `domain` where a switch of one of the `expressions` (each of one variable) changes sides, and decides
/// every switch in every part: what is returned has no `abs`, `min` or `max` left.
pub fn smooth_parts(
    expressions: &[Expression],
    domain: Interval,
) -> Result<Vec<(Interval, Vec<Expression>)>, CornersError> {
    let mut cuts = Vec::new();
    for expression in expressions {
        for switch in expression.switches() {
            zeros(expression, switch, domain, &mut cuts)?;
        }
    }
    // Where a formula overflows no number tells which side is larger.
    let finite = |c: f64| expressions.iter().all(|e| e.eval::<f64>(&[c]).is_finite());
    cuts.retain(|c| domain.lo < *c && *c < domain.hi && finite(*c));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|b, a| *b - *a <= 1e-14 * (1.0 + a.abs()));
    let ends = cuts.iter().copied().chain([domain.hi]);
    let starts = [domain.lo].into_iter().chain(cuts.iter().copied());
    let parts = starts.zip(ends).map(|(lo, hi)| {
        let part = Interval::new(lo, hi);
        let middle = part.middle();
        (part, expressions.iter().map(|e| e.decided_at(middle)).collect())
    });
    Ok(parts.collect())
}

impl Expression {
    fn switches(&self) -> Vec<usize> {
        let is_switch = |node: &Node| {
            matches!(node, Node::Call(Function::Abs, _) | Node::CallTwo(FunctionOfTwo::Min | FunctionOfTwo::Max, ..))
        };
        (0..self.nodes.len()).filter(|i| is_switch(&self.nodes[*i])).collect()
    }

    /// What decides the switch: its zeros are where it changes sides.
    fn switching<N: Number>(&self, switch: usize, s: N) -> N {
        match self.nodes[switch] {
            Node::Call(_, a) => self.eval_node(a, &[s]),
            Node::CallTwo(_, a, b) => self.eval_node(a, &[s]) - self.eval_node(b, &[s]),
            _ => N::constant(f64::NAN),
        }
    }

    fn decided_at(&self, s: f64) -> Expression {
        let mut nodes = self.nodes.to_vec();
        for i in self.switches() {
            let first = self.switching(i, s) >= 0.0;
            nodes[i] = match nodes[i] {
                Node::Call(_, a) => Node::Scale(a, if first { 1.0 } else { -1.0 }),
                Node::CallTwo(FunctionOfTwo::Max, a, b) => Node::Same(if first { a } else { b }),
                Node::CallTwo(_, a, b) => Node::Same(if first { b } else { a }),
                other => other,
            };
        }
        Expression::compact(&nodes, nodes.len() - 1)
    }
}

/// Adds all zeros of a switch to `cuts`: intervals that can't hold one are dropped, those that hold exactly one
/// are bisected, the others halved.
fn zeros(expression: &Expression, switch: usize, domain: Interval, cuts: &mut Vec<f64>) -> Result<(), CornersError> {
    let value = |s: f64| expression.switching(switch, s);
    let mut stack = vec![domain];
    for _ in 0..BUDGET {
        let Some(part) = stack.pop() else { return Ok(()) };
        if cuts.len() > MAX_CORNERS {
            return Err(CornersError::TooMany { near: part.lo });
        }
        let Taylor([range, slope]) = expression.switching(switch, Taylor::<Interval, 2>::variable(part));
        if range.mignitude() > 0.0 {
            continue;
        }
        let middle = part.middle();
        let tiny = part.width() <= 4.0 * f64::EPSILON * middle.abs() || middle <= part.lo || part.hi <= middle;
        if tiny || part.lo >= f64::MAX || part.hi <= f64::MIN {
            cuts.push(middle);
        } else if slope.mignitude() > 0.0 && part.is_bounded() {
            let (lo, hi) = (value(part.lo), value(part.hi));
            if lo == 0.0 {
                cuts.push(part.lo);
            } else if hi == 0.0 {
                cuts.push(part.hi);
            } else if (lo > 0.0) != (hi > 0.0) {
                cuts.push(bisect(&value, part, lo > 0.0));
            }
        } else {
            let (left, right) = part.halves();
            stack.extend([right, left]);
        }
    }
    Err(CornersError::TooMany { near: stack.last().map_or(domain.lo, |part| part.middle()) })
}

/// The sign change of `f` in `part`, to the last bit.
fn bisect(f: &dyn Fn(f64) -> f64, part: Interval, falls: bool) -> f64 {
    let Interval { mut lo, mut hi } = part;
    loop {
        let middle = 0.5 * lo + 0.5 * hi;
        if middle <= lo || hi <= middle {
            return hi;
        }
        if (f(middle) > 0.0) == falls { lo = middle } else { hi = middle }
    }
}
