//! LU with partial pivoting in storage that is kept, for systems that change their size from call to call.

/// Factors of the last matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    size: usize,
    /// Row by row; rows are swapped in place.
    entries: Vec<f64>,
    order: Vec<usize>,
    pub(crate) right: Vec<f64>,
}

impl Factors {
    /// Room for matrices of this size.
    pub(crate) fn reserve(&mut self, size: usize) {
        self.entries.clear();
        self.entries.reserve(size * size);
        self.order.clear();
        self.order.reserve(size);
        self.right.clear();
        self.right.reserve(size);
    }

    /// Factorises; false if singular or not finite.
    pub(crate) fn factor(&mut self, size: usize, entry: impl Fn(usize, usize) -> f64) -> bool {
        self.size = size;
        self.entries.clear();
        for i in 0..size {
            self.entries.extend((0..size).map(|j| entry(i, j)));
        }
        self.order.clear();
        self.order.extend(0..size);
        let largest = self.entries.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if !(largest.is_finite() && self.entries.iter().all(|x| x.is_finite())) {
            return false;
        }
        let tiny = 1e-14 * largest;
        for k in 0..size {
            let (mut pivot, mut value) = (k, self.entries[k * size + k].abs());
            for i in k + 1..size {
                let candidate = self.entries[i * size + k].abs();
                if candidate > value {
                    (pivot, value) = (i, candidate);
                }
            }
            if !(value > tiny) {
                return false;
            }
            if pivot != k {
                self.order.swap(k, pivot);
                for j in 0..size {
                    self.entries.swap(k * size + j, pivot * size + j);
                }
            }
            let (head, tail) = self.entries.split_at_mut((k + 1) * size);
            let row = &head[k * size..];
            let inverse = 1.0 / row[k];
            for other in tail.chunks_exact_mut(size) {
                let factor = other[k] * inverse;
                if factor != 0.0 {
                    other[k] = factor;
                    for (x, y) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                        *x -= factor * y;
                    }
                }
            }
        }
        true
    }

    /// `x ← A⁻¹ b`, with `b` in `right` (kept) and `x` of the same length.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for i in 0..n {
            let row = &self.entries[i * n..i * n + i];
            let taken: f64 = row.iter().zip(&*x).map(|(a, b)| a * b).sum();
            x[i] = self.right[self.order[i]] - taken;
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            let taken: f64 = row[i + 1..].iter().zip(&x[i + 1..]).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - taken) / row[i];
        }
    }
}
