//! Thins points over time without losing a peak.

/// Number of parts of the time that a figure resolves, half a point of its width each.
pub(super) const COLUMNS: usize = 800;

/// Keeps, in each of [`COLUMNS`] parts of the time, the first and last values, and the extremes of each of `numbers`.
pub(super) fn thinned<T: Copy>(all: &[T], time: impl Fn(&T) -> f64, numbers: &[fn(&T) -> f64]) -> Vec<T> {
    let (first, last) = (all.first().map_or(0.0, &time), all.last().map_or(0.0, &time));
    let scale = if last > first { COLUMNS as f64 / (last - first) } else { 0.0 };
    let column = |value: &T| ((time(value) - first) * scale) as usize;
    let (mut kept, mut chosen) = (Vec::new(), Vec::new());
    for chunk in all.chunk_by(|a, b| column(a) == column(b)) {
        chosen.extend([0, chunk.len() - 1]);
        for number in numbers {
            let [mut least, mut most] = [(0, f64::INFINITY), (0, f64::NEG_INFINITY)];
            for (i, value) in chunk.iter().map(number).enumerate() {
                least = if value < least.1 && value.is_finite() { (i, value) } else { least };
                most = if value >= most.1 && value.is_finite() { (i, value) } else { most };
            }
            chosen.extend([least.0, most.0]);
        }
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen.drain(..).map(|i| chunk[i]));
    }
    kept
}

/// Thins a line to about as many points as a figure shows.
pub(super) fn line(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    if points.len() <= 4 * COLUMNS {
        return points;
    }
    thinned(&points, |point| point.0, &[|point| point.1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One peak among a hundred thousand points stays, as do both ends.
    #[test]
    fn no_peak_is_lost() {
        let points: Vec<(f64, f64)> =
            (0..100_000).map(|i| (f64::from(i), if i == 54_321 { 9.0 } else { f64::from(i % 7) })).collect();
        let few = line(points.clone());
        assert!(few.len() <= 4 * COLUMNS && few.contains(&(54_321.0, 9.0)), "{}", few.len());
        assert_eq!((few.first(), few.last()), (points.first(), points.last()));
        assert!(few.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
