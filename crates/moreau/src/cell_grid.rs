//! Grid of cells: which balls are near a ball, and when does it leave its cell?

use nalgebra::Vector2;
use numbers::polynomial::first_fall;

const NOBODY: usize = usize::MAX;

/// A grid of square cells, each at least as wide as the largest ball: balls touch only in the same cell or in adjacent
/// ones. The grid has no end; it is wrapped around a torus, so that balls of distant cells may share a list, but nearby
/// ones are never missed.
#[derive(Clone, Debug)]
pub struct CellGrid {
    side: f64,
    origin: Vector2<f64>,
    /// Number of cells along one side of the torus, less 1; that number is `2^bits`.
    mask: i64,
    bits: u32,
    /// First ball of each cell's list.
    heads: Vec<usize>,
    /// For each ball: the next ball of its cell, the previous one, and the cell.
    next: Vec<usize>,
    before: Vec<usize>,
    at: Vec<[i64; 2]>,
}

/// The way of a ball out of its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Time of the exit after now, s; ∞: never.
    pub after: f64,
    /// Axis along which it leaves: 0 or 1.
    pub axis: usize,
    /// Direction along the axis: ±1.
    pub step: i64,
}

impl CellGrid {
    /// Creates the grid for balls at these places, the largest one `width` m wide.
    pub fn new(places: &[Vector2<f64>], width: f64) -> Self {
        let corner = |pick: fn(f64, f64) -> f64, first: f64| {
            places.iter().fold(Vector2::repeat(first), |a, q| Vector2::new(pick(a.x, q.x), pick(a.y, q.y)))
        };
        let (low, high) = (corner(f64::min, f64::INFINITY), corner(f64::max, f64::NEG_INFINITY));
        let extent = high - low;
        // About one ball in each cell; balls in a row span no area.
        let share = (extent.x * extent.y / places.len().max(1) as f64).sqrt();
        let side = width.max(share).max(extent.amax() / places.len().max(1) as f64);
        let side = if side > 0.0 && side.is_finite() { side * (1.0 + 1e-9) } else { 1.0 };
        let bits = (4 * places.len()).max(16).next_power_of_two().ilog2().div_ceil(2).max(2);
        // Balls often start on a lattice, which should not coincide with lines between cells.
        let origin = low - Vector2::new(0.381_966, 0.618_034) * side;
        let mut cells = CellGrid {
            side,
            origin,
            mask: (1 << bits) - 1,
            bits,
            heads: vec![NOBODY; 1 << (2 * bits)],
            next: vec![NOBODY; places.len()],
            before: vec![NOBODY; places.len()],
            at: vec![[0; 2]; places.len()],
        };
        for (ball, q) in places.iter().enumerate() {
            cells.at[ball] = cells.cell(*q);
            cells.link(ball);
        }
        cells
    }

    fn cell(&self, q: Vector2<f64>) -> [i64; 2] {
        let seen = (q - self.origin) / self.side;
        [seen.x.floor() as i64, seen.y.floor() as i64]
    }

    fn slot(&self, [x, y]: [i64; 2]) -> usize {
        ((x & self.mask) | ((y & self.mask) << self.bits)) as usize
    }

    fn link(&mut self, ball: usize) {
        let slot = self.slot(self.at[ball]);
        let head = std::mem::replace(&mut self.heads[slot], ball);
        (self.next[ball], self.before[ball]) = (head, NOBODY);
        if head != NOBODY {
            self.before[head] = ball;
        }
    }

    fn unlink(&mut self, ball: usize) {
        let (next, before) = (self.next[ball], self.before[ball]);
        match before {
            NOBODY => {
                let slot = self.slot(self.at[ball]);
                self.heads[slot] = next;
            }
            before => self.next[before] = next,
        }
        if next != NOBODY {
            self.before[next] = before;
        }
    }

    /// Puts a ball into the cell of its place.
    pub fn put(&mut self, ball: usize, q: Vector2<f64>) {
        let cell = self.cell(q);
        if cell != self.at[ball] {
            self.unlink(ball);
            self.at[ball] = cell;
            self.link(ball);
        }
    }

    /// Moves a ball into the cell beyond its exit.
    pub fn cross(&mut self, ball: usize, exit: Exit) {
        self.unlink(ball);
        let at = &mut self.at[ball][exit.axis];
        *at = at.saturating_add(exit.step);
        self.link(ball);
    }

    /// The next exit of a ball from its cell, by its place (m), velocity (m/s) and acceleration (m/s²).
    #[inline]
    pub fn exit(&self, ball: usize, q: Vector2<f64>, v: Vector2<f64>, a: Vector2<f64>) -> Exit {
        let mut first = Exit { after: f64::INFINITY, axis: 0, step: 0 };
        for axis in 0..2 {
            let cell = self.at[ball][axis];
            let line = |cell: i64| self.origin[axis] + cell as f64 * self.side;
            // A ball may be beyond a line by rounding.
            let fall = |way: f64, v: f64, a: f64| first_fall(way.max(0.0), v, a);
            let out = [
                (fall(q[axis] - line(cell), v[axis], a[axis]), -1),
                (fall(line(cell.saturating_add(1)) - q[axis], -v[axis], -a[axis]), 1),
            ];
            for (after, step) in out {
                if after < first.after {
                    first = Exit { after, axis, step };
                }
            }
        }
        first
    }

    /// Calls `tell` with all other balls in the ball's cell and those around it.
    #[inline]
    pub fn near(&self, ball: usize, mut tell: impl FnMut(usize)) {
        let [x, y] = self.at[ball];
        for j in -1..=1 {
            for i in -1..=1 {
                self.each([x.wrapping_add(i), y.wrapping_add(j)], ball, &mut tell);
            }
        }
    }

    /// Calls `tell` with all balls in the cells that became adjacent by an exit, after [`CellGrid::cross`].
    #[inline]
    pub fn ahead(&self, ball: usize, exit: Exit, mut tell: impl FnMut(usize)) {
        for i in -1..=1 {
            let mut cell = self.at[ball];
            cell[exit.axis] = cell[exit.axis].wrapping_add(exit.step);
            cell[1 - exit.axis] = cell[1 - exit.axis].wrapping_add(i);
            self.each(cell, ball, &mut tell);
        }
    }

    #[inline(always)]
    fn each(&self, cell: [i64; 2], ball: usize, tell: &mut impl FnMut(usize)) {
        let mut other = self.heads[self.slot(cell)];
        while other != NOBODY {
            if other != ball {
                tell(other);
            }
            other = self.next[other];
        }
    }
}
