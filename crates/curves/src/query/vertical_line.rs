//! The ground on a vertical line: all places with a given abscissa.

use crate::ground::box_tree::{ItemVerdict, LeafRun, search};
use crate::ground::parametrisation::At;
use crate::{Ground, Spot};
use numbers::{Interval, Number, halve};

/// Ground on a vertical line: a point, or a vertical stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upright {
    /// Start of the stretch.
    pub from: Spot,
    /// End of the stretch; of a point its start.
    pub to: Spot,
}

/// Largest number of parts looked at for one line; those left undecided count as vertical.
const BUDGET: u32 = 100_000;

/// A stretch of ground whose abscissa is that of the line, to rounding; its ends by piece and parameter.
#[derive(Clone, Copy)]
struct LineStretch {
    from: (usize, f64),
    to: (usize, f64),
    /// Length of its vertical parts, and of all of it, m. Where a curve only touches the line, rounding makes a stretch
    /// of it, too, with hardly a vertical part.
    height: [f64; 2],
}

struct LineSearch<'a> {
    ground: &'a Ground,
    x: f64,
    found: Vec<LineStretch>,
    budget: u32,
}

impl Ground {
    /// All ground with abscissa `x` (m), to rounding, in the order of `s`.
    pub fn above(&self, x: f64) -> Vec<Upright> {
        let mut line = LineSearch { ground: self, x, found: Vec::new(), budget: BUDGET };
        search(self.tree.root(), &mut |run| line.look(run));
        let mut found = line.found;
        let spot = |(piece, s): (usize, f64)| self.spot(piece, s);
        for chain in self.chains.iter().filter(|chain| chain.closed) {
            let before = |piece: usize| found.partition_point(|at| at.from.0 < piece);
            let (first, last) = (before(chain.pieces.start), before(chain.pieces.end).saturating_sub(1));
            if first < last && spot(found[first].from) == spot(found[last].to) {
                // Stretches on both sides of the joint that closes a curve are one.
                let (begin, end) = (found[first], found[last]);
                let height = [0, 1].map(|i| begin.height[i] + end.height[i]);
                found[first] = LineStretch { from: end.from, height, ..begin };
                found.remove(last);
            }
        }
        let upright = |&LineStretch { from, to, height: [vertical, all] }: &LineStretch| match [spot(from), spot(to)] {
            [from, to] if vertical > 0.5 * all || from == to => Upright { from, to },
            // Mostly not vertical, it stands for a point: the joint on it, or its middle.
            [a, b] => {
                let middle = Interval::new(from.1, to.1).middle();
                let joint = [a, b].into_iter().find(|end| matches!(end, Spot::Joint(_)));
                let across = (from.0, from.1) > (to.0, to.1) || from.0 != to.0;
                let point =
                    if across { Spot::Joint(self.joint_before(to.0)) } else { joint.unwrap_or(spot((from.0, middle))) };
                Upright { from: point, to: point }
            }
        };
        found.iter().map(upright).collect()
    }
}

impl LineSearch<'_> {
    fn look(&mut self, run: LeafRun) -> ItemVerdict<LeafRun> {
        let Interval { lo, hi } = self.ground.tree.bounds(run).x;
        if !(lo - Ground::JOINT_TOLERANCE <= self.x && self.x <= hi + Ground::JOINT_TOLERANCE) {
            return ItemVerdict::Out;
        }
        let Some(leaf) = run.leaf() else { return ItemVerdict::halves(run.halves()) };
        let leaf = &self.ground.leaves[leaf];
        let mut parts = vec![leaf.domain];
        while let Some(part) = parts.pop() {
            if self.look_at(leaf.piece, part) {
                let (left, right) = part.halves();
                parts.extend([right, left]);
            }
        }
        ItemVerdict::Out
    }

    /// Enclosure of the abscissa at a parameter of a piece; at a joint it covers the ends of both pieces.
    fn at(&self, piece: usize, s: f64) -> Interval {
        let at = |(piece, s): At| self.ground.pieces[piece].enclosure(Interval::point(s)).point[0];
        let Spot::Joint(joint) = self.ground.spot(piece, s) else { return at((piece, s)) };
        let ends = self.ground.ends_at(joint).into_iter().flatten().map(at);
        ends.reduce(Interval::hull).unwrap_or(Interval::UNDEFINED)
    }

    /// Adds the ground of a part that is on the line. Returns whether the part has to be halved instead.
    fn look_at(&mut self, piece: usize, part: Interval) -> bool {
        let (x, whole) = (self.x, &self.ground.pieces[piece]);
        let over = whole.enclosure(part);
        let ends = [part.lo, part.hi].map(|s| s.is_finite() && self.at(piece, s).contains(x));
        if !(over.point[0].contains(x) || over.point[0].is_undefined() || ends[0] || ends[1]) {
            return false;
        }
        self.budget = self.budget.saturating_sub(1);
        let middle = part.middle();
        let cut = part.lo < middle && middle < part.hi && self.budget > 0;
        // Rounding at a point: the width of its enclosure.
        let there = whole.enclosure(Interval::point(middle));
        let is_rounding = |over: Interval, there: Interval| over.width() <= 4.0 * there.width();
        if part.is_bounded() && (is_rounding(over.point[0], there.point[0]) || !cut) {
            let vertical = is_rounding(over.first[0], there.first[0]) || self.budget == 0;
            self.add(piece, part, vertical);
            return false;
        }
        if over.first[0].mignitude() > 0.0 && !over.first[0].is_undefined() {
            // The abscissa is monotonic: the point is at an end, or found by halving between ends around x.
            let rises = over.first[0].lo > 0.0;
            let below = |s: f64| (whole.curve().point_at(s).x < x) == rises;
            let (lo, hi) = (part.lo.max(f64::MIN), part.hi.min(f64::MAX));
            match ends {
                [true, true] => self.add(piece, part, false),
                [true, false] => self.add(piece, Interval::point(part.lo), false),
                [false, true] => self.add(piece, Interval::point(part.hi), false),
                _ if below(lo) && !below(hi) => {
                    self.add(piece, Interval::point(halve(below, lo, hi, 0.0)[1]), false);
                }
                _ => {}
            }
            return false;
        }
        cut
    }

    /// Adds a part, joining it to the stretch that ends at its begin, if any.
    fn add(&mut self, piece: usize, part: Interval, vertical: bool) {
        let [from, to] = [(piece, part.lo), (piece, part.hi)];
        let point = |s: f64| self.ground.pieces[piece].curve().point_at(s);
        let all = (point(part.hi) - point(part.lo)).norm();
        let height = [if vertical { all } else { 0.0 }, all];
        let spot = |(piece, s): (usize, f64)| self.ground.spot(piece, s);
        match self.found.last_mut() {
            Some(last) if spot(last.to) == spot(from) => {
                last.to = to;
                last.height = [0, 1].map(|i| last.height[i] + height[i]);
            }
            _ => self.found.push(LineStretch { from, to, height }),
        }
    }
}
