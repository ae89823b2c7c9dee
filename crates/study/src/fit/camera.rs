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

use super::data::Data;

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

pub(super) const COUNT: usize = TERMS.len();

/// Middle and half extent of the measured places, in the unit of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    middle: [f64; 2],
    half: f64,
}

impl Camera {
    /// The camera of a table; `None`: all its places are equal.
    pub fn of(data: &Data) -> Option<Self> {
        let middle =
            [0, 1].map(|axis| data.range(axis)).map(|[low, high]| if low <= high { 0.5 * (low + high) } else { 0.0 });
        let half = 0.5 * data.extent();
        (half > 0.0).then_some(Camera { middle, half })
    }

    /// Derivatives of a coordinate of a place by the terms.
    pub fn moves(&self, place: [f64; 2], axis: usize) -> [f64; COUNT] {
        let [u, v] = [0, 1].map(|axis| (place[axis] - self.middle[axis]) / self.half);
        let (own, radius) = ([u, v][axis], u * u + v * v);
        let both = 2.0 * u * v;
        let [turned, c, d, shift_x, shift_y] = match axis {
            0 => [-v, 3.0 * u * u + v * v, both, 1.0, 0.0],
            _ => [u, both, u * u + 3.0 * v * v, 0.0, 1.0],
        };
        [own, turned, own * u, own * v, own * radius, c, d, shift_x, shift_y].map(|moved| self.half * moved)
    }

    /// Distortion of a coordinate with these terms.
    pub fn off(&self, terms: &[f64], place: [f64; 2], axis: usize) -> f64 {
        self.moves(place, axis).iter().zip(terms).map(|(moved, term)| moved * term).sum()
    }

    /// Derivatives of the distortion by the place: differences over a step in which this cubic is straight.
    pub fn slopes(&self, terms: &[f64], place: [f64; 2], axis: usize) -> [f64; 2] {
        let step = 1e-5 * self.half;
        [[step, 0.0], [0.0, step]].map(|[x, y]| {
            let at = |sign: f64| self.off(terms, [place[0] + sign * x, place[1] + sign * y], axis);
            (at(1.0) - at(-1.0)) / (2.0 * step)
        })
    }
}
