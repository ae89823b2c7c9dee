//! Broad phase: which pairs of balls may touch?

use nalgebra::Vector2;

use crate::cell_grid::CellGrid;
use crate::contact_impulses::Last;

/// A pair of balls near each other, and its contact in the last step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    /// Index of the ball with the smaller index.
    pub first: usize,
    /// Index of the other ball.
    pub second: usize,
    /// Contact between them in the last step.
    pub last: Last,
    /// Whether it is closed in this step.
    pub closed: bool,
}

/// Pairs near each other, from a grid of cells. The list has all pairs up to a larger gap, `margin`, than is asked for,
/// so that it holds for many steps. It is rebuilt, which allocates, once a ball has moved by half of the difference.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// Pairs in order of their indices.
    pub pairs: Vec<Neighbour>,
    spare: Vec<Neighbour>,
    /// Places of the balls when the list was built, and the gap up to which it had pairs, m.
    places: Vec<Vector2<f64>>,
    margin: f64,
    /// Number of times the list was built.
    pub rebuilt: u64,
}

impl Neighbours {
    /// Stores the contact of a pair; does nothing if the pair is no longer listed.
    pub fn keep(&mut self, first: usize, second: usize, last: Last) {
        if let Ok(i) = self.pairs.binary_search_by_key(&(first, second), |pair| (pair.first, pair.second)) {
            self.pairs[i].last = last;
        }
    }

    /// Makes sure that each pair with a gap below `reach` (m) is listed. A new list holds until balls have moved by
    /// `travel` (m).
    pub fn update(&mut self, places: &[Vector2<f64>], radii: &[f64], reach: f64, travel: f64) {
        let stale = |(now, then): (&Vector2<f64>, &Vector2<f64>)| !(2.0 * (now - then).norm() + reach <= self.margin);
        if self.places.len() == places.len() && !places.iter().zip(&self.places).any(stale) {
            return;
        }
        let largest = radii.iter().fold(0.0_f64, |most, r| most.max(*r));
        self.margin = reach + (0.5 * largest).max(2.0 * travel);
        self.places.clear();
        self.places.extend_from_slice(places);
        let cells = CellGrid::new(places, 2.0 * largest + self.margin);
        std::mem::swap(&mut self.pairs, &mut self.spare);
        self.pairs.clear();
        for (first, q) in places.iter().enumerate() {
            let start = self.pairs.len();
            cells.near(first, |second| {
                let touching = radii[first] + radii[second];
                // Two point masses never collide.
                if second > first && touching > 0.0 && (places[second] - q).norm() <= touching + self.margin {
                    self.pairs.push(Neighbour { first, second, last: Last::default(), closed: false });
                }
            });
            self.pairs[start..].sort_unstable_by_key(|pair| pair.second);
        }
        for pair in &mut self.pairs {
            if let Ok(i) = self.spare.binary_search_by_key(&(pair.first, pair.second), |old| (old.first, old.second)) {
                pair.last = self.spare[i].last;
            }
        }
        self.rebuilt += 1;
    }
}
