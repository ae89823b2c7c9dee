//! A step of compressed contact as a value.

use newmark::radau;
use numbers::Number;

use super::{CORE, CompressedState, CompressedSystem, Found, Method, Packed, unpack};

/// A step from one compressed state to another, as a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompressedStep {
    /// State at the start.
    pub start: CompressedState,
    /// State at the end; beyond its piece, beyond touch (`root < 0`) or beyond the run it goes on as the formulas do.
    pub end: CompressedState,
    /// Length of the step in σ, s/√m.
    pub length: f64,
    /// Values and rates at start, middle and end.
    nodes: [(Packed, Packed); 3],
    pub(super) method: Method,
    mass: f64,
}

impl CompressedStep {
    pub(super) fn new(system: &CompressedSystem, start: &CompressedState, length: f64, found: Found) -> Self {
        let Found { nodes, method } = found;
        let mass = system.ball.mass();
        CompressedStep { start: *start, end: unpack(&nodes[2].0, start.place, mass), length, nodes, method, mass }
    }

    /// Parts of the step, beside its ends, at which the method has evaluated the equations.
    pub fn inner_nodes(&self) -> [f64; 2] {
        match self.method {
            Method::Extrapolated => [0.5, 0.5],
            Method::Stiff => [radau::C[0], radau::C[1]],
        }
    }

    /// The quintic Hermite interpolant of the nodes, `part` of the step after its start. Good enough to look for events, which
    /// are then located by steps.
    pub fn near(&self, part: f64) -> CompressedState {
        unpack(&std::array::from_fn(|i| self.entry(i, part)), self.start.place, self.mass)
    }

    /// Time, parameter, `√δ`, `v.x`, `v.y` and spin by the interpolant of [`near`](Self::near), over any number.
    pub fn core<N: Number>(&self, part: N) -> [N; CORE] {
        std::array::from_fn(|i| self.entry(i, part))
    }

    fn entry<N: Number>(&self, i: usize, part: N) -> N {
        let h = self.length;
        let [(y0, f0), (y1, f1), (y2, f2)] = &self.nodes;
        // A polynomial in u = part − 1/2: even and odd parts around the middle.
        let (m0, m1, m2) = (h * f0[i], h * f1[i], h * f2[i]);
        let (even, odd) = (0.5 * (y0[i] + y2[i]) - y1[i], 0.5 * (y2[i] - y0[i]));
        let (slope_even, slope_odd) = (0.5 * (m2 - m0), 0.5 * (m0 + m2));
        let c4 = 4.0 * slope_even - 16.0 * even;
        let c2 = 4.0 * even - 0.25 * c4;
        // u, u³, u⁵: odd = c1/2 + c3/8 + c5/32, slope_odd = c1 + 3c3/4 + 5c5/16.
        let (p, q) = (odd - 0.5 * m1, slope_odd - m1);
        let c5 = 8.0 * (q - 6.0 * p);
        let c3 = 8.0 * p - 0.25 * c5;
        let u = part - N::constant(0.5);
        [c4, c3, c2, m1, y1[i]].into_iter().fold(N::constant(c5), |sum, c| N::constant(c) + u * sum)
    }
}
