//! "Never misses, never invents": first contacts against dense sampling with bisection of gaps written here.

use std::sync::Arc;

use crate::flights::{self, Flight, Rng, Scene};
use curves::{OffsetGround, Path, SearchCount};

/// What dense sampling sees: the first sign change, bisected; `None` if there is none.
fn sampled_contact(scene: &Scene, flight: &Flight, samples: usize) -> Option<f64> {
    let gap = |t: f64| scene.gap(flight.at(t));
    let mut before = if flight.on_ground { flight.duration * 1e-6 } else { 0.0 };
    if gap(before) < 0.0 {
        return None;
    }
    for i in 1..=samples {
        let t = flight.duration * i as f64 / samples as f64;
        if t > before && gap(t) < 0.0 {
            let (mut lo, mut hi) = (before, t);
            for _ in 0..200 {
                let middle = 0.5 * (lo + hi);
                if gap(middle) >= 0.0 { lo = middle } else { hi = middle }
            }
            return Some(hi);
        }
        before = t;
    }
    None
}

struct Tally {
    flights: usize,
    hits: usize,
    thin: usize,
}

/// Flies `count` random flights over random grounds of one kind.
fn fly(kind: fn(&mut Rng) -> Scene, seed: u64, grounds: usize, flights: usize, samples: usize) -> Tally {
    let mut tally = Tally { flights: 0, hits: 0, thin: 0 };
    for number in 0..grounds {
        let mut rng = Rng::new(seed + number as u64);
        let scene = kind(&mut rng);
        let ground = match scene.build() {
            Ok(ground) => ground,
            Err(error) => panic!("ground {number}: {error}"),
        };
        let offset = OffsetGround::new(Arc::new(ground), scene.radius);
        for _ in 0..flights {
            let flight = scene.flight(&mut rng, &offset);
            let mut count = SearchCount::default();
            let path = Path::parabola(flight.start, flight.duration);
            let found = offset.first_contact(&path, None, &mut count).expect("decided");
            let sampled = sampled_contact(&scene, &flight, samples);
            let place = || format!("seed {seed}+{number}, {scene:?}, {flight:?}, found {found:?}, sampled {sampled:?}");
            tally.flights += 1;
            if let Some(contact) = found {
                tally.hits += 1;
                let centre = flight.at(contact.time);
                let gap = scene.gap(centre);
                assert!(gap.abs() <= 1e-12, "invented: gap {gap:e}; {}", place());
                let miss = (contact.frame.position - centre).norm();
                assert!(miss <= 1e-12, "centre {miss:e} off its place; {}", place());
                let approach = flight.velocity(contact.time).dot(&contact.frame.normal);
                assert!(approach < 0.0, "not approaching ({approach:e}); {}", place());
                if let Some(t) = sampled {
                    let tolerance = 1e-10 + 1e-15 / approach.abs();
                    assert!(contact.time <= t + tolerance, "missed; {}", place());
                    tally.thin += usize::from(contact.time < t - tolerance);
                }
            } else {
                assert!(sampled.is_none(), "missed; {}", place());
            }
        }
    }
    tally
}

fn check(name: &str, tally: Tally, least_hits: f64) {
    let Tally { flights, hits, thin } = tally;
    println!("{name}: {flights} flights, {hits} contacts, {thin} too thin for the samples");
    assert!(hits as f64 > least_hits * flights as f64, "{name}: only {hits} of {flights} hit");
}

#[test]
fn points_over_graphs() {
    check("point over graphs", fly(flights::graph, 1_000, 300, 100, 2_000), 0.5);
}

#[test]
fn balls_over_graphs() {
    check("ball over graphs", fly(flights::graph_with_ball, 2_000, 200, 20, 500), 0.5);
}

#[test]
fn points_over_polylines() {
    check("point over polylines", fly(flights::polyline, 3_000, 300, 100, 1_000), 0.3);
}

#[test]
fn balls_over_polylines() {
    check("ball over polylines", fly(flights::polyline_with_ball, 4_000, 200, 100, 500), 0.3);
}

#[test]
fn points_over_composites() {
    check("point over composites", fly(flights::composite, 5_000, 100, 80, 1_000), 0.3);
}

#[test]
fn balls_over_composites() {
    check("ball over composites", fly(flights::composite_with_ball, 6_000, 100, 80, 500), 0.3);
}
