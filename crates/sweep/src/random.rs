//! Counter-based random numbers: each depends on seed, dimension and index alone, so that any run can be made by
//! itself.

/// Philox4x32-10: ten rounds on a counter (Salmon, Moraes, Dror, Shaw, “Parallel random numbers: as easy as 1, 2, 3”,
/// SC11, section 3.3).
pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    let product = |a: u32, b: u32| {
        let product = u64::from(a) * u64::from(b);
        [(product >> 32) as u32, product as u32]
    };
    for _ in 0..10 {
        let [high0, low0] = product(0xD251_1F53, counter[0]);
        let [high1, low1] = product(0xCD9E_8D57, counter[2]);
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

/// Use of a random number; numbers for different uses are independent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    Sample = 0,
    Order = 1,
    Within = 2,
    Shift = 3,
    Verify = 4,
    Quantile = 5,
}

pub(crate) fn bits(seed: u64, what: Use, dimension: usize, index: u64) -> u64 {
    let counter = [index as u32, (index >> 32) as u32, dimension as u32, what as u32];
    let [low, high, ..] = philox(counter, [seed as u32, (seed >> 32) as u32]);
    u64::from(low) | u64::from(high) << 32
}

/// Number of bits of a fraction.
pub(crate) const BITS: u32 = 52;

/// The middle of the cell with these [`BITS`] bits, in (0, 1).
pub(crate) fn fraction(cell: u64) -> f64 {
    (cell as f64 + 0.5) / (1_u64 << BITS) as f64
}

/// A random number in (0, 1).
pub(crate) fn unit(seed: u64, what: Use, dimension: usize, index: u64) -> f64 {
    fraction(bits(seed, what, dimension, index) >> (64 - BITS))
}

/// Image of `index` under a random permutation of `count`: a Feistel network over an even power of two, until the
/// result is below `count`.
pub(crate) fn permuted(seed: u64, dimension: usize, index: u64, count: u64) -> u64 {
    let half = (64 - count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut at = index;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for round in 0..8_u64 {
            let mixed = bits(seed, Use::Order, dimension, right | round << 56);
            (left, right) = (right, (left ^ mixed) & mask);
        }
        at = left << half | right;
        if at < count {
            return at;
        }
    }
}
