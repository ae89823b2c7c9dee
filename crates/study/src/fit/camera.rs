//! Distortion of measured places by a camera: wrong calibration, a turned or shifted picture, perspective, lens
//! distortion.
//!
//! To first order in the terms, about the middle of the measured places, with u, v in units of their half extent:
//!
//! ```text
//! off_x = s u − θ v + u (p u + q v) + k u (u² + v²) + c (3 u² + v²) + d 2 u v + a
//! off_y = s v + θ u + v (p u + q v) + k v (u² + v²) + d (u² + 3 v²) + c 2 u v + b
//! ```
//!
//! k is the first radial term of a lens, c and d are its decentring (Brown, *Photogrammetric Engineering* 32, 1966,
//! 444): the centre of the lens is not that of the measured places.
//!
//! Since the terms are known to be small, each adds a row to the least squares: its value over its standard deviation.

/// Names of the terms and their standard deviations, as parts of the half extent or rad.
pub(super) const TERMS: [(&str, f64); 9] = [
    ("camera.scale", 0.02),
    ("camera.tilt", 0.04),
    ("camera.perspective.x", 0.02),
    ("camera.perspective.y", 0.02),
    ("camera.lens", 0.02),
    ("camera.lens.x", 0.01),
    ("camera.lens.y", 0.01),
    ("camera.shift.x", 0.01),
    ("camera.shift.y", 0.01),
];

/// Limit of a term in standard deviations, beyond which no camera explains it: one of nine terms exceeds it by chance
/// in 1 of 40 cases.
const REACH: f64 = 3.0;

/// Name of the term with the most standard deviations, and their number; `None`: all terms are within [`REACH`].
pub(super) fn beyond(terms: &[f64]) -> Option<(&'static str, f64)> {
    let widths = TERMS.iter().zip(terms).map(|((key, width), term)| (*key, (term / width).abs()));
    widths.filter(|(_, widths)| !(*widths <= REACH)).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Number of terms.
pub(super) const COUNT: usize = TERMS.len();

/// Middle and half extent of the measured places, in the unit of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    middle: [f64; 2],
    half: f64,
}

impl Camera {
    /// The camera of the places (axis, value) of a table; `None`: all places are equal.
    pub fn of(places: impl Iterator<Item = (usize, f64)>) -> Option<Self> {
        let mut box_of = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        for (axis, value) in places {
            let (low, high) = &mut box_of[axis];
            (*low, *high) = (low.min(value), high.max(value));
        }
        let middle = box_of.map(|(low, high)| if low <= high { 0.5 * (low + high) } else { 0.0 });
        let half = box_of.iter().map(|(low, high)| 0.5 * (high - low)).fold(0.0, f64::max);
        (half > 0.0).then_some(Camera { middle, half })
    }

    /// Derivatives of a coordinate of a place by the terms.
    pub fn moves(&self, place: [f64; 2], axis: usize) -> [f64; COUNT] {
        let [u, v] = self.scaled(place);
        let (own, radius) = ([u, v][axis], u * u + v * v);
        let both = 2.0 * u * v;
        let [turned, c, d, shift_x, shift_y] = match axis {
            0 => [-v, 3.0 * u * u + v * v, both, 1.0, 0.0],
            _ => [u, both, u * u + 3.0 * v * v, 0.0, 1.0],
        };
        [own, turned, own * u, own * v, own * radius, c, d, shift_x, shift_y].map(|moved| self.half * moved)
    }

    /// Distortion of a coordinate with these terms, and its derivatives by the place.
    pub fn off(&self, terms: &[f64], place: [f64; 2], axis: usize) -> (f64, [f64; 2]) {
        let off = self.moves(place, axis).iter().zip(terms).map(|(moved, term)| moved * term).sum();
        let [u, v] = self.scaled(place);
        let [s, t, p, q, k, c, d, ..] = *terms else { return (0.0, [0.0; 2]) };
        let by = match axis {
            0 => [
                s + 2.0 * p * u + q * v + k * (3.0 * u * u + v * v) + 6.0 * c * u + 2.0 * d * v,
                -t + q * u + 2.0 * (k * u * v + c * v + d * u),
            ],
            _ => [
                t + p * v + 2.0 * (k * u * v + d * u + c * v),
                s + p * u + 2.0 * q * v + k * (u * u + 3.0 * v * v) + 6.0 * d * v + 2.0 * c * u,
            ],
        };
        (off, by)
    }

    /// The place in units of the half extent about the middle; a missing coordinate counts as the middle.
    fn scaled(&self, place: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (place[axis] - self.middle[axis]) / self.half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives against differences, and the terms against what they are named for.
    #[test]
    fn derivatives_and_names() {
        let corners = [(0, -1.0), (0, 3.0), (1, 0.0), (1, 1.0)];
        let camera = Camera::of(corners.into_iter()).unwrap();
        let (terms, place, h) = ([0.01, 0.03, -0.02, 0.015, 0.02, 0.01, -0.013, 0.003, -0.004], [2.2, 0.8], 1e-6);
        for axis in [0, 1] {
            let at = |place| camera.off(&terms, place, axis).0;
            let by = camera.off(&terms, place, axis).1;
            let slopes = [
                (at([place[0] + h, place[1]]) - at([place[0] - h, place[1]])) / (2.0 * h),
                (at([place[0], place[1] + h]) - at([place[0], place[1] - h])) / (2.0 * h),
            ];
            assert!((0..2).all(|i| (by[i] - slopes[i]).abs() < 1e-8), "{by:?} {slopes:?}");
        }
        // A place one metre to the right of the middle moves up if turned by 0.1 rad counterclockwise.
        let turned = camera.off(&[0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [2.0, 0.5], 1).0;
        assert!((turned - 0.1).abs() < 1e-12, "{turned}");
        let larger = camera.off(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [2.0, 0.5], 0).0;
        assert!((larger - 0.1).abs() < 1e-12, "{larger}");
    }
}
