//! Boxes over runs of leaves: a chain is its own best hierarchy.

use numbers::Interval;

/// An axis-parallel box, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Box2 {
    pub x: Interval,
    pub y: Interval,
}

impl Box2 {
    pub fn new([x, y]: [Interval; 2]) -> Self {
        Box2 { x, y }
    }
    /// Box of ground that is defined, where sums of infinite coordinates may not be.
    pub fn of_ground(point: [Interval; 2]) -> Self {
        Box2::new(point.map(|c| if c.is_undefined() { Interval::REAL } else { c }))
    }
    pub fn hull(self, other: Box2) -> Box2 {
        let hull = |a: Interval, b: Interval| Interval::new(a.lo.min(b.lo), a.hi.max(b.hi));
        Box2 { x: hull(self.x, other.x), y: hull(self.y, other.y) }
    }
    /// Whether both come closer than `margin`, by axis.
    #[inline(always)]
    pub fn near(&self, other: &Box2, margin: f64) -> bool {
        self.x.lo - margin <= other.x.hi
            && other.x.lo - margin <= self.x.hi
            && self.y.lo - margin <= other.y.hi
            && other.y.lo - margin <= self.y.hi
    }
    /// The longer side.
    pub fn size(&self) -> f64 {
        self.x.width().max(self.y.width())
    }
    /// Distance from a point, 0 inside.
    #[inline(always)]
    pub fn distance(&self, q: nalgebra::Vector2<f64>) -> f64 {
        let dx = (self.x.lo - q.x).max(q.x - self.x.hi).max(0.0);
        let dy = (self.y.lo - q.y).max(q.y - self.y.hi).max(0.0);
        (dx * dx + dy * dy).sqrt()
    }
}

/// A run of leaves `[first, end)` in a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub first: usize,
    pub end: usize,
    node: usize,
}

impl Run {
    /// The leaf, if the run is one.
    pub fn leaf(self) -> Option<usize> {
        (self.end - self.first == 1).then_some(self.first)
    }
    pub fn halves(self) -> (Run, Run) {
        let middle = self.first + (self.end - self.first) / 2;
        // Nodes in pre-order: the left half has 2·len − 1 of them.
        let right = self.node + 2 * (middle - self.first);
        (Run { first: self.first, end: middle, node: self.node + 1 }, Run { first: middle, end: self.end, node: right })
    }
}

/// Boxes of all runs met when halving the chain again and again, in pre-order.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    boxes: Vec<Box2>,
    leaves: usize,
}

impl Tree {
    pub fn new(leaves: impl ExactSizeIterator<Item = Box2>) -> Self {
        let leaves: Vec<Box2> = leaves.collect();
        let mut tree = Tree { boxes: Vec::with_capacity(2 * leaves.len()), leaves: leaves.len() };
        if !leaves.is_empty() {
            tree.build(&leaves);
        }
        tree
    }

    fn build(&mut self, leaves: &[Box2]) -> Box2 {
        let node = self.boxes.len();
        self.boxes.push(leaves[0]);
        if leaves.len() > 1 {
            let (left, right) = leaves.split_at(leaves.len() / 2);
            let hull = self.build(left).hull(self.build(right));
            self.boxes[node] = hull;
        }
        self.boxes[node]
    }

    /// All leaves.
    pub fn root(&self) -> Run {
        Run { first: 0, end: self.leaves, node: 0 }
    }
    /// Whether `holds` holds of every leaf whose box comes closer to another than `margin`, by axis.
    pub fn every(&self, near: &Box2, margin: f64, holds: &mut impl FnMut(usize) -> bool) -> bool {
        self.every_in(self.root(), near, margin, holds)
    }
    fn every_in(&self, run: Run, near: &Box2, margin: f64, holds: &mut impl FnMut(usize) -> bool) -> bool {
        if !self.bounds(run).near(near, margin) {
            return true;
        }
        if let Some(leaf) = run.leaf() {
            return holds(leaf);
        }
        let (left, right) = run.halves();
        self.every_in(left, near, margin, holds) && self.every_in(right, near, margin, holds)
    }
    #[inline(always)]
    pub fn bounds(&self, run: Run) -> &Box2 {
        &self.boxes[run.node]
    }
}
