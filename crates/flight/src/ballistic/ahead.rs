//! Exact motion through still air from one node to any other.

use super::air::{Air, Node};
use super::closed::{drifting, linear, vertical};
use super::hodograph;

/// Where |v| is so many times u, (u/v)² is below rounding: the path is a vertical line.
const STEEP: f64 = 2.5e8;

/// Where drag is so many times gravity, gravity is below rounding.
const FAST: f64 = 1e18;

/// Moves of a search along an arc before it gives up: hundreds of pieces, each of some e-folds of the speed, reach everywhere.
pub(super) const MOVES: u32 = 10_000;

impl Air {
    /// The ball some `seconds` after a node (or before, if it has been there): that long where there is a closed form, else
    /// about that long, and no longer than a rule of quadrature reaches. `nodes` counts those of quadratures.
    #[inline]
    pub fn ahead(&self, here: &Node, seconds: f64, nodes: &mut u64) -> Node {
        let (u, v) = (here.velocity.x, here.velocity.y);
        if self.linear != 0.0 {
            linear(self, here, seconds)
        } else if self.gravity == 0.0 {
            drifting(self, here, seconds)
        } else if self.quadratic * here.velocity.norm_squared() >= FAST * self.gravity {
            // Goes on until a tenth of the speed is left.
            let slowed = 9.0 / (self.quadratic * here.velocity.norm());
            drifting(self, here, seconds.min(slowed)).angled()
        } else if u * STEEP <= v.abs() {
            vertical(self, here, seconds).angled()
        } else {
            hodograph::ahead(self, here, seconds, nodes)
        }
    }

    /// The ball at a time of its arc, from a node near it.
    pub fn at(&self, time: f64, near: &Node, nodes: &mut u64) -> Node {
        let mut here = *near;
        // The nodes known to be earlier and later.
        let (mut before, mut after) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..MOVES {
            let left = time - here.time;
            if let Some(there) = self.beside(&here, left) {
                return there;
            }
            *(if left > 0.0 { &mut before } else { &mut after }) = here.time;
            let next = self.ahead(&here, left, nodes);
            let outside = !(before <= next.time && next.time <= after);
            let next = if outside { self.ahead(&here, 0.5 * left, nodes) } else { next };
            if next.time == here.time || !next.time.is_finite() {
                break;
            }
            here = next;
        }
        // The times differ by rounding.
        here.time = time;
        here
    }
}
