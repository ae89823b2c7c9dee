//! Tree of boxes over runs of leaves, and branch-and-bound search through it. Halving the list of leaves is enough:
//! neighbours in it are near each other.

use std::convert::Infallible;

use nalgebra::Vector2;
use numbers::Interval;

/// Largest number of runs looked at for the free box of one leaf; where more are near, there is little free space.
const LOOKS: u32 = 256;

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
    /// Box of an enclosure of ground; an undefined coordinate gets its whole axis.
    pub fn of_ground(point: [Interval; 2]) -> Self {
        Box2::new(point.map(|c| if c.is_undefined() { Interval::REAL } else { c }))
    }
    pub fn hull(self, other: Box2) -> Box2 {
        let hull = |a: Interval, b: Interval| Interval::new(a.lo.min(b.lo), a.hi.max(b.hi));
        Box2 { x: hull(self.x, other.x), y: hull(self.y, other.y) }
    }
    /// Whether the boxes are no farther apart than `margin` along both axes.
    #[inline(always)]
    pub fn near(&self, other: &Box2, margin: f64) -> bool {
        self.x.lo - margin <= other.x.hi
            && other.x.lo - margin <= self.x.hi
            && self.y.lo - margin <= other.y.hi
            && other.y.lo - margin <= self.y.hi
    }
    /// Whether another box is inside this one.
    #[inline(always)]
    pub fn holds(&self, other: &Box2) -> bool {
        self.x.lo <= other.x.lo && other.x.hi <= self.x.hi && self.y.lo <= other.y.lo && other.y.hi <= self.y.hi
    }
    /// The part of this box left, right, below or above `other`: of the four, the one that keeps most of `own`, by the
    /// lesser of the shares kept along x and y.
    fn cut(self, own: &Box2, other: &Box2) -> Box2 {
        let left = |clear: &Box2| {
            let part = |own: Interval, clear: Interval| {
                let kept = own.intersection(clear).map_or(0.0, Interval::width);
                if own.width() > 0.0 {
                    kept / own.width()
                } else {
                    f64::from(u8::from(own.intersection(clear).is_some()))
                }
            };
            part(own.x, clear.x).min(part(own.y, clear.y))
        };
        let side = |c: Interval, lo: f64, hi: f64| Interval { lo: c.lo.max(lo), hi: c.hi.min(hi) };
        let [x, y] = [other.x, other.y].map(|c| [c.lo.next_down(), c.hi.next_up()]);
        let sides = [
            Box2 { x: side(self.x, f64::NEG_INFINITY, x[0]), ..self },
            Box2 { x: side(self.x, x[1], f64::INFINITY), ..self },
            Box2 { y: side(self.y, f64::NEG_INFINITY, y[0]), ..self },
            Box2 { y: side(self.y, y[1], f64::INFINITY), ..self },
        ];
        sides.into_iter().max_by(|a, b| left(a).total_cmp(&left(b))).unwrap_or(self)
    }
    /// The longer side.
    pub fn size(&self) -> f64 {
        self.x.width().max(self.y.width())
    }
    /// Distance from a point, 0 inside.
    #[inline(always)]
    pub fn distance(&self, q: Vector2<f64>) -> f64 {
        let dx = (self.x.lo - q.x).max(q.x - self.x.hi).max(0.0);
        let dy = (self.y.lo - q.y).max(q.y - self.y.hi).max(0.0);
        (dx * dx + dy * dy).sqrt()
    }
}

/// A run of leaves `[first, end)` in a [`BoxTree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeafRun {
    pub first: usize,
    pub end: usize,
    node: usize,
}

impl LeafRun {
    /// The leaf, if the run is one.
    pub fn leaf(self) -> Option<usize> {
        (self.end - self.first == 1).then_some(self.first)
    }
    pub fn halves(self) -> (LeafRun, LeafRun) {
        let middle = self.first + (self.end - self.first) / 2;
        // Nodes in pre-order: the left half has 2·len − 1 nodes.
        let right = self.node + 2 * (middle - self.first);
        (
            LeafRun { first: self.first, end: middle, node: self.node + 1 },
            LeafRun { first: middle, end: self.end, node: right },
        )
    }
}

/// Boxes of all runs obtained by halving the chain repeatedly, in pre-order.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree {
    boxes: Vec<Box2>,
    leaves: usize,
}

impl BoxTree {
    pub fn new(leaves: impl ExactSizeIterator<Item = Box2>) -> Self {
        let leaves: Vec<Box2> = leaves.collect();
        let mut tree = BoxTree { boxes: Vec::with_capacity(2 * leaves.len()), leaves: leaves.len() };
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

    /// The run of all leaves.
    pub fn root(&self) -> LeafRun {
        LeafRun { first: 0, end: self.leaves, node: 0 }
    }
    /// Whether `holds` is true of every leaf whose box is no farther than `margin` (m) from `near` along both axes.
    pub fn every(&self, near: &Box2, margin: f64, mut holds: impl FnMut(usize) -> bool) -> bool {
        let look = &mut |run: LeafRun| match run.leaf() {
            _ if !self.bounds(run).near(near, margin) => ItemVerdict::Out,
            Some(leaf) if holds(leaf) => ItemVerdict::Out,
            Some(_) => ItemVerdict::Found(()),
            None => ItemVerdict::halves(run.halves()),
        };
        search(self.root(), look).is_none()
    }

    /// A box free of `points` and of the boxes of all leaves but `leaf` and `but`. Cuts of the plane keep much of the
    /// leaf's own box. `None`: nothing of that is left, or [`LOOKS`] runs do not suffice.
    pub fn clear_of(&self, leaf: usize, but: usize, points: &[Vector2<f64>]) -> Option<Box2> {
        let own = self.bounds(self.leaf(leaf));
        let mut clear = Box2::new([Interval::REAL; 2]);
        for point in points {
            clear = clear.cut(own, &Box2::new([Interval::point(point.x), Interval::point(point.y)]));
        }
        let middle = Vector2::new(own.x.middle(), own.y.middle());
        let mut looks = 0;
        let covered = search(self.root(), &mut |run: LeafRun| {
            looks += 1;
            match run.leaf() {
                _ if looks > LOOKS || !own.near(&clear, 0.0) => ItemVerdict::Found(()),
                _ if !self.bounds(run).near(&clear, 0.0) => ItemVerdict::Out,
                Some(other) => {
                    if other != leaf && other != but {
                        clear = clear.cut(own, self.bounds(run));
                    }
                    ItemVerdict::Out
                }
                None => ItemVerdict::halves(self.nearer_first(run, middle)),
            }
        });
        covered.is_none().then_some(clear)
    }

    /// The run of a single leaf.
    fn leaf(&self, leaf: usize) -> LeafRun {
        let mut run = self.root();
        while run.leaf().is_none() {
            let (left, right) = run.halves();
            run = if leaf < right.first { left } else { right };
        }
        run
    }

    /// Number of leaves of a run whose box is near another box, counted up to `most`.
    pub fn count_near(&self, run: LeafRun, near: &Box2, most: usize) -> usize {
        let mut count = 0;
        search(run, &mut |run: LeafRun| match run.leaf() {
            _ if count == most || !self.bounds(run).near(near, 0.0) => ItemVerdict::<_, Infallible>::Out,
            Some(_) => {
                count += 1;
                ItemVerdict::Out
            }
            None => ItemVerdict::halves(run.halves()),
        });
        count
    }

    /// The first result for a pair of leaves. For a run paired with itself, pairs within each half come first, then
    /// those between the halves; of two runs the one with the larger box is halved.
    pub fn pairs<P: LeafPairs>(&self, pairs: &mut P) -> Option<P::Found> {
        let size = |run: LeafRun| self.bounds(run).size();
        search(RunPair::Within(self.root()), &mut |meeting| match meeting {
            RunPair::Within(run) if run.leaf().is_some() || pairs.alone(run) => ItemVerdict::Out,
            RunPair::Within(run) => {
                let (left, right) = run.halves();
                let [one, other] = [left, right].map(RunPair::Within);
                ItemVerdict::Branch([Some(one), Some(other), Some(RunPair::Between(left, right))])
            }
            RunPair::Between(a, b) if pairs.apart(a, b) => ItemVerdict::Out,
            RunPair::Between(a, b) => match (a.leaf(), b.leaf()) {
                (Some(i), Some(j)) => pairs.leaves(i, j).map_or(ItemVerdict::Out, ItemVerdict::Found),
                (one, other) if one.is_some() || other.is_none() && size(a) < size(b) => {
                    let (left, right) = b.halves();
                    ItemVerdict::halves((RunPair::Between(a, left), RunPair::Between(a, right)))
                }
                _ => {
                    let (left, right) = a.halves();
                    ItemVerdict::halves((RunPair::Between(left, b), RunPair::Between(right, b)))
                }
            },
        })
    }

    /// Both halves of a run, the one nearer to a point first.
    #[inline(always)]
    pub fn nearer_first(&self, run: LeafRun, q: Vector2<f64>) -> (LeafRun, LeafRun) {
        let (left, right) = run.halves();
        let distance = |run: LeafRun| self.bounds(run).distance(q);
        if distance(left) <= distance(right) { (left, right) } else { (right, left) }
    }
    #[inline(always)]
    pub fn bounds(&self, run: LeafRun) -> &Box2 {
        &self.boxes[run.node]
    }
}

/// Verdict on an item of a search; `F` of a search without a result is [`Infallible`].
pub(crate) enum ItemVerdict<I, F = Infallible> {
    /// Nothing in the item, or all of it has been looked at.
    Out,
    /// Result, which ends the search.
    Found(F),
    /// Items to look at instead, in this order.
    Branch([Option<I>; 3]),
}

impl<I, F> ItemVerdict<I, F> {
    /// Two halves of an item.
    #[inline(always)]
    pub fn halves(halves: (I, I)) -> Self {
        ItemVerdict::Branch([Some(halves.0), Some(halves.1), None])
    }
}

/// Branch and bound: looks at an item, then at the items that it branches into, until there is a result.
pub(crate) fn search<I, F>(item: I, look: &mut impl FnMut(I) -> ItemVerdict<I, F>) -> Option<F> {
    match look(item) {
        ItemVerdict::Out => None,
        ItemVerdict::Found(found) => Some(found),
        ItemVerdict::Branch(items) => items.into_iter().flatten().find_map(|item| search(item, look)),
    }
}

/// A search over pairs of leaves ([`BoxTree::pairs`]).
pub(crate) trait LeafPairs {
    /// Result of the search.
    type Found;
    /// Whether a run is proven not to meet itself.
    fn alone(&self, run: LeafRun) -> bool;
    /// Whether two runs are proven not to meet.
    fn apart(&self, a: LeafRun, b: LeafRun) -> bool;
    /// Looks at a pair of leaves.
    fn leaves(&mut self, i: usize, j: usize) -> Option<Self::Found>;
}

/// A run against itself, or two runs against each other.
#[derive(Clone, Copy)]
enum RunPair {
    Within(LeafRun),
    Between(LeafRun, LeafRun),
}
