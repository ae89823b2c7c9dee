//! Halton's sequence: points spread evenly over a cube.

/// Bases, one per dimension.
pub(crate) const PRIMES: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Term of the sequence with this index, 0 … 1.
pub(crate) fn halton(mut index: u32, base: u32) -> f64 {
    let (mut value, mut part) = (0.0, 1.0);
    while index > 0 {
        part /= f64::from(base);
        value += part * f64::from(index % base);
        index /= base;
    }
    value
}
