//! Cuts a formula where `abs`, `min` and `max` switch, since its curve may have a corner there.

use super::expression::Expression;
use super::operations::{At, FormulaNode as Node, FunctionOfTwo};
use crate::{Interval, Number, Rounding, Taylor, halve};

/// Largest number of intervals looked at for one switch.
const BUDGET: usize = 400_000;

/// Largest number of corners of all switches; each makes a piece of its own.
const MAX_CORNERS: usize = 1000;

/// Reason why the corners of a formula can't be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CornersError {
    /// Infinitely many corners, as it seems, or switches between values that can't be told apart.
    #[error(
        "abs, min or max switch more often, or between values that differ less, than can be followed, last near {near:?}; \
         give a finite domain, or write each part as a piece of its own"
    )]
    TooMany {
        /// A parameter near which they accumulate, or the last one found.
        near: f64,
    },
}

/// Cuts `domain` where a switch (`abs`, `min`, `max`) of one of the `expressions`, each of one variable, changes sides.
/// In every part each switch is replaced by its chosen side, so that the expressions returned have no switch left.
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
    // Where a formula overflows at or beside a cut, no value there tells which side is larger.
    let beside = |c: f64| Interval::around(c, 8.0 * f64::EPSILON * c.abs());
    let finite = |c: f64| expressions.iter().all(|e| e.eval(&[beside(c)]).is_bounded());
    cuts.retain(|c| domain.lo < *c && *c < domain.hi && finite(*c));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|b, a| Rounding::vanishes(*b - *a, f64::EPSILON * (domain.extent() + a.abs())));
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
    fn switches(&self) -> Vec<At> {
        (0..self.nodes.len()).filter(|i| self.nodes[*i].is_switch()).map(|i| i as At).collect()
    }

    /// The value whose zeros are the parameters where the switch changes sides.
    fn switching<N: Number>(&self, switch: At, s: N) -> N {
        self.nodes[switch as usize].switching(|a| self.eval_node(a, &[s]))
    }

    /// The formula with each switch replaced by the side that it chooses at `s`.
    fn decided_at(&self, s: f64) -> Expression {
        let mut nodes = self.nodes.to_vec();
        for i in self.switches() {
            let first = self.switching(i, s) >= 0.0;
            nodes[i as usize] = match nodes[i as usize] {
                Node::Call(_, a) => Node::Scale(a, if first { 1.0 } else { -1.0 }),
                Node::CallTwo(FunctionOfTwo::Max, a, b) => Node::Same(if first { a } else { b }),
                Node::CallTwo(_, a, b) => Node::Same(if first { b } else { a }),
                other => other,
            };
        }
        Expression::compact(&nodes, nodes.len() as At - 1)
    }
}

/// Adds all zeros of a switch to `cuts`: parts proven free of zeros are dropped, those with exactly one are bisected,
/// the others halved. Where both sides are equal to rounding either is right, and one cut is enough.
fn zeros(expression: &Expression, switch: At, domain: Interval, cuts: &mut Vec<f64>) -> Result<(), CornersError> {
    let value = |s: f64| expression.switching(switch, s);
    let mut stack = vec![domain];
    let mut same: Vec<Interval> = Vec::new();
    for _ in 0..BUDGET {
        let Some(part) = stack.pop() else {
            let inside = same.iter().filter(|same| domain.lo < same.lo && same.hi < domain.hi);
            cuts.extend(inside.map(|same| same.middle()));
            return Ok(());
        };
        if cuts.len() > MAX_CORNERS {
            return Err(CornersError::TooMany { near: part.lo });
        }
        let middle = part.middle();
        // Free of zeros by values over the part, or by the tighter series at its middle.
        let over = expression.switching(switch, Taylor::variable(part)).0;
        if over[0].mignitude() > 0.0 {
            continue;
        }
        let here = expression.switching(switch, Taylor::variable(Interval::point(middle))).0;
        let range = range(here, over, part - Interval::point(middle));
        if range.mignitude() > 0.0 {
            continue;
        }
        let tiny = part.width() <= 4.0 * f64::EPSILON * middle.abs() || middle <= part.lo || part.hi <= middle;
        // Monotonic, so that there is at most one zero.
        if over[1].mignitude() > 0.0 && part.is_bounded() && !tiny {
            let (lo, hi) = (value(part.lo), value(part.hi));
            if lo == 0.0 {
                cuts.push(part.lo);
            } else if hi == 0.0 {
                cuts.push(part.hi);
            } else if (lo > 0.0) != (hi > 0.0) {
                cuts.push(halve(|s| (value(s) > 0.0) == (lo > 0.0), part.lo, part.hi, 0.0)[1]);
            }
        } else if part.lo >= f64::MAX || part.hi <= f64::MIN || is_rounding(range, here[0], part) {
            match same.last_mut() {
                Some(last) if last.hi == part.lo => last.hi = part.hi,
                _ => same.push(part),
            }
        } else if tiny {
            cuts.push(middle);
        } else {
            let (left, right) = part.halves();
            stack.extend([right, left]);
        }
    }
    Err(CornersError::TooMany { near: stack.last().map_or(domain.lo, |part| part.middle()) })
}

/// The range over a part, from the series at its middle (`here`) and over all of it (`over`), as a cubic in the
/// distance `aside` from the middle: what both sides of a switch have in common cancels up to cubes.
fn range(here: [Interval; 4], over: [Interval; 4], aside: Interval) -> Interval {
    let series = here[0] + here[1] * aside + here[2] * aside.square() + over[3] * aside.powi(3);
    if series.is_undefined() { over[0] } else { over[0].intersection(series).unwrap_or(over[0]) }
}

/// Whether a range is no wider than the rounding of a single value, over a part within which values are of one size.
fn is_rounding(range: Interval, at_middle: Interval, part: Interval) -> bool {
    let one_size = part.width() <= 2.0 * part.mignitude();
    one_size && at_middle.mignitude() == 0.0 && range.magnitude() <= 8.0 * at_middle.magnitude()
}
