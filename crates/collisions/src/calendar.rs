//! Queue of the balls' next events: a heap with one entry for each ball.

use std::cmp::Ordering;

/// When a ball's next event is; of two at one time the faster approach comes first, then the ball with the smaller number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Due {
    /// s; ∞: nothing is to come.
    pub time: f64,
    /// m/s
    pub approach: f64,
}

impl Due {
    pub const NEVER: Due = Due { time: f64::INFINITY, approach: 0.0 };

    fn order(&self, other: &Due) -> Ordering {
        self.time.total_cmp(&other.time).then(other.approach.total_cmp(&self.approach))
    }
}

/// Binary heap with the place of each ball in it; a ball's new event takes the place of the old one.
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
        // Hardly two are at the same time.
        one.time < other.time || one.time == other.time && one.order(other).then(a.cmp(b)) == Ordering::Less
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        self.place[self.heap[one].1] = one;
        self.place[self.heap[other].1] = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries that are set and set again come out in order.
    #[test]
    fn the_first_is_the_smallest() {
        let mut calendar = Calendar::new(17);
        let mut number = 1u64;
        for round in 0..2000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let time = if round % 5 == 0 { f64::INFINITY } else { (number >> 58) as f64 };
            calendar.set((number >> 20) as usize % 17, Due { time, approach: (number >> 40 & 3) as f64 });
            let due = |ball: usize| calendar.heap[calendar.place[ball]].0;
            let least = (0..17).min_by(|a, b| due(*a).order(&due(*b)).then(a.cmp(b)));
            assert_eq!(calendar.first().map(|(ball, _)| ball), least);
        }
    }
}
