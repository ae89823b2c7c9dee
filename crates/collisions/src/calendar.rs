//! The calendar: which ball has the next event of all?

use std::cmp::Ordering;

/// A ball's next event. Of simultaneous events the faster approach comes first, then the smaller ball index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Due {
    /// Time, s; ∞: no event.
    pub time: f64,
    /// Approach speed, m/s.
    pub approach: f64,
}

impl Due {
    pub const NEVER: Due = Due { time: f64::INFINITY, approach: 0.0 };

    fn order(&self, other: &Due) -> Ordering {
        self.time.total_cmp(&other.time).then(other.approach.total_cmp(&self.approach))
    }
}

/// Binary heap of each ball's next event; a new event of a ball replaces its old one.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    heap: Vec<(Due, usize)>,
    place: Vec<usize>,
}

impl Calendar {
    pub fn new(balls: usize) -> Self {
        Calendar { heap: (0..balls).map(|ball| (Due::NEVER, ball)).collect(), place: (0..balls).collect() }
    }

    #[inline]
    pub fn first(&self) -> Option<(usize, Due)> {
        self.heap.first().map(|(due, ball)| (*ball, *due))
    }

    #[inline]
    pub fn set(&mut self, ball: usize, due: Due) {
        let mut at = self.place[ball];
        self.heap[at].0 = due;
        while at > 0 && self.is_before(at, (at - 1) / 2) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        loop {
            let child = 2 * at + 1;
            if child >= self.heap.len() {
                return;
            }
            let second = child + 1 < self.heap.len() && self.is_before(child + 1, child);
            let child = child + usize::from(second);
            if !self.is_before(child, at) {
                return;
            }
            self.swap(at, child);
            at = child;
        }
    }

    #[inline(always)]
    fn is_before(&self, one: usize, other: usize) -> bool {
        let ((one, a), (other, b)) = (&self.heap[one], &self.heap[other]);
        // Times differ nearly always: the whole order is asked for only where they don't.
        one.time < other.time || one.time == other.time && one.order(other).then(a.cmp(b)) == Ordering::Less
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        self.place[self.heap[one].1] = one;
        self.place[self.heap[other].1] = other;
    }
}
