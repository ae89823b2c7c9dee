//! Sobol's sequence.

use crate::random::{BITS, fraction};

/// Degree and coefficients of the primitive polynomial, and the first direction numbers m₁, m₂, …, of the dimensions
/// from the second on (S. Joe, F. Y. Kuo, SIAM J. Sci. Comput. 30 (2008) 2635, file `new-joe-kuo-6.21201`).
const JOE_KUO: [(u32, u64, &[u64]); 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Largest number of dimensions.
pub const DIMENSIONS: usize = JOE_KUO.len() + 1;

/// The sequence in several dimensions.
#[derive(Clone, Debug)]
pub struct Sobol {
    /// Direction numbers of each dimension.
    directions: Vec<[u64; BITS as usize]>,
}

impl Sobol {
    /// The sequence in `dimensions`, at most [`DIMENSIONS`].
    pub fn new(dimensions: usize) -> Self {
        let dimensions = dimensions.min(DIMENSIONS);
        Sobol { directions: (0..dimensions).map(directions).collect() }
    }

    /// The point of this index in Gray code order, as the first `BITS` bits of its fraction; the first is 0.
    pub fn cell(&self, dimension: usize, index: u64) -> u64 {
        let mut gray = (index ^ index >> 1) & ((1 << BITS) - 1);
        let mut cell = 0;
        while gray != 0 {
            cell ^= self.directions[dimension][gray.trailing_zeros() as usize];
            gray &= gray - 1;
        }
        cell
    }

    /// The middle of the point's cell, in (0, 1).
    pub fn at(&self, dimension: usize, index: u64) -> f64 {
        fraction(self.cell(dimension, index))
    }
}

/// `vᵢ = mᵢ 2^(BITS−i)`, with Bratley and Fox's recurrence.
fn directions(dimension: usize) -> [u64; BITS as usize] {
    let mut v = [0; BITS as usize];
    let Some((degree, coefficients, first)) = dimension.checked_sub(1).and_then(|i| JOE_KUO.get(i)) else {
        return std::array::from_fn(|i| 1 << (BITS as usize - 1 - i));
    };
    let degree = *degree as usize;
    for i in 0..BITS as usize {
        v[i] = match first.get(i) {
            Some(m) => m << (BITS as usize - 1 - i),
            None => {
                let mut next = v[i - degree] ^ v[i - degree] >> degree;
                for k in 1..degree {
                    if coefficients >> (degree - 1 - k) & 1 == 1 {
                        next ^= v[i - k];
                    }
                }
                next
            }
        };
    }
    v
}
