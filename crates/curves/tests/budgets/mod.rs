//! Curves that could keep a search or a quadrature going almost without end.

use std::f64::consts::PI;
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicU64, Ordering};

use curves::{Number, Profile, arc_length};

#[derive(Debug)]
struct Counted {
    steepness: f64,
    evaluations: Shared<AtomicU64>,
}

impl Profile for Counted {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        [s, s.scale(self.steepness).sin()]
    }
}

/// Far from zero the slope of a steep wave is noise at its crest, which no halving of the interval removes.
#[test]
fn length_of_a_steep_wave_far_from_zero() {
    let steepness = 1400.0;
    let evaluations = Shared::new(AtomicU64::new(0));
    let wave = Counted { steepness, evaluations: evaluations.clone() };
    // Half a period: 2 √(1+k²) E(m)/k with 1 − m = 1/(1+k²), E by its series around m = 1 (DLMF 19.12.2).
    let rest = 1.0 / (1.0 + steepness * steepness);
    let l = (4.0 / rest.sqrt()).ln();
    let e = 1.0 + 0.5 * (l - 0.5) * rest + 3.0 / 16.0 * (l - 13.0 / 12.0) * rest * rest;
    let exact = 2.0 / steepness * e / rest.sqrt();
    for i in [0.0, 100.0, 10_000.0] {
        evaluations.store(0, Ordering::Relaxed);
        let length = arc_length(&wave, i * PI / steepness, (i + 1.0) * PI / steepness);
        // The ends are rounded, and the wave is steep there.
        let slack = 1e-14 + steepness * f64::EPSILON * i * PI / steepness;
        assert!((length - exact).abs() <= slack * exact, "{i}: off by {:e}", (length - exact) / exact);
        assert!(evaluations.load(Ordering::Relaxed) < 3_000, "{i}: {evaluations:?}");
    }
}
