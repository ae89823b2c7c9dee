//! Halton's sequence: points spread evenly over a cube.

/// Bases, one per dimension.
const PRIMES: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Coordinate, 0 … 1, of the point with this index; dimensions beyond the twelfth repeat the first ones.
pub(crate) fn halton(mut index: u32, dimension: usize) -> f64 {
    let base = PRIMES[dimension % PRIMES.len()];
    let (mut value, mut part) = (0.0, 1.0);
    while index > 0 {
        part /= f64::from(base);
        value += part * f64::from(index % base);
        index /= base;
    }
    value
}
