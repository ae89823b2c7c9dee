//! The run at many times of one motion: integrated to a few nodes, and interpolated between them.
//!
//! One polynomial of degree 9 has states and rates of the motion at five nodes (Hermite's interpolation). It holds if
//! it meets the integrated state at two more times as exactly as a step of the integration must be.

use crate::variational_run::{Observation, RunSweep, SweepError, packed_rates};

/// Nodes of an interval, as parts of it.
const NODES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// For each node the product of 1/(node − other) over the other ones, and their sum.
const WEIGHTS: [(f64, f64); 5] = [
    (32.0 / 3.0, -25.0 / 3.0),
    (-128.0 / 3.0, -10.0 / 3.0),
    (64.0, 0.0),
    (-128.0 / 3.0, 10.0 / 3.0),
    (32.0 / 3.0, 25.0 / 3.0),
];
/// Parts of the interval at which the polynomial is tested: where its error is largest. They are no simple fractions,
/// so that a force with the period of the nodes is noticed.
const TESTS: [f64; 2] = [0.0888917829604329, 0.9111082170395671];
/// Number of times from which on a polynomial takes less work than integration from one time to the next.
const MANY: usize = 16;

/// State and derivatives in one vector, by a polynomial in time.
struct Polynomial {
    from: f64,
    length: f64,
    values: [Vec<f64>; 5],
    rates: [Vec<f64>; 5],
}

impl Polynomial {
    /// Sets `z` to the value at a time.
    fn at(&self, time: f64, z: &mut [f64]) {
        let s = (time - self.from) / self.length;
        z.fill(0.0);
        for (k, (node, (inverse, slope))) in NODES.into_iter().zip(WEIGHTS).enumerate() {
            let others = NODES.into_iter().filter(|other| *other != node);
            let basis = others.map(|other| s - other).product::<f64>() * inverse;
            let by_value = (1.0 - 2.0 * (s - node) * slope) * basis * basis;
            let by_rate = (s - node) * basis * basis * self.length;
            for (z, (value, rate)) in z.iter_mut().zip(self.values[k].iter().zip(&self.rates[k])) {
                *z += by_value * value + by_rate * rate;
            }
        }
    }
}

impl RunSweep<'_> {
    /// Observes the run at ascending times, all of them before the next event.
    pub fn observe_at(&mut self, times: &[f64], found: &mut Vec<Observation>) -> Result<(), SweepError> {
        let (mut rest, mut length) = (times, f64::INFINITY);
        while let (Some(next), Some(last)) = (rest.first(), rest.last()) {
            let end = last.min(self.time + length);
            let (inside, behind) = rest.split_at(rest.partition_point(|time| *time <= end));
            // Few times: on to the next by integration. Many: one polynomial, or one over half of them where it fails.
            if inside.len() < MANY || !(end > self.time) {
                self.go(*next)?;
                found.push(self.observe());
                rest = &rest[1..];
                continue;
            }
            let (time, start) = (self.time, self.gragg.clone());
            match self.polynomial(end) {
                Some(polynomial) => {
                    for time in inside {
                        self.time = *time;
                        polynomial.at(*time, &mut self.packed);
                        self.unpack();
                        found.push(self.observe());
                    }
                    (self.time, rest, length) = (end, behind, 2.0 * polynomial.length);
                    self.packed.copy_from_slice(&polynomial.values[NODES.len() - 1]);
                    self.unpack();
                }
                None => (self.time, self.gragg, length) = (time, start, 0.5 * (end - time)),
            }
        }
        Ok(())
    }

    /// The motion from now to `end`. `None`: it is no such polynomial, or can't be integrated; state and derivatives
    /// are those of now again, and the caller restores time and step size.
    fn polynomial(&mut self, end: f64) -> Option<Polynomial> {
        let (from, length) = (self.time, end - self.time);
        self.pack();
        let start = self.packed.clone();
        let none = || [const { Vec::new() }; 5];
        let mut polynomial = Polynomial { from, length, values: none(), rates: none() };
        let mut tested = Vec::new();
        let mut stops: Vec<(f64, Option<usize>)> = NODES.into_iter().zip((0..).map(Some)).collect();
        stops.extend(TESTS.map(|test| (test, None)));
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        let is_one = stops.into_iter().all(|(part, node)| {
            let time = if part == 1.0 { end } else { from + part * length };
            if self.go(time).is_err() {
                return false;
            }
            match node {
                Some(k) => {
                    polynomial.rates[k] = vec![0.0; start.len()];
                    packed_rates(self.family, self.phase, time, &self.packed, &mut polynomial.rates[k]);
                    polynomial.values[k].clone_from(&self.packed);
                }
                None => tested.push((time, self.packed.clone())),
            }
            true
        });
        let mut there = start.clone();
        let holds = is_one
            && tested.iter().all(|(time, exact)| {
                polynomial.at(*time, &mut there);
                self.gragg.agree(&there, exact, &start)
            });
        if !holds {
            self.packed.copy_from_slice(&start);
            self.unpack();
        }
        holds.then_some(polynomial)
    }
}
