//! Methods that find the first contact on a step of flight: certified, or by a parabola through three nodes.

use curves::{FirstContact, SearchCount};
use flight::FlightStep;
use mechanics::State;
use nalgebra::Vector2;

use crate::Scene;

/// Method that finds the first contact on a step of flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Localisation {
    /// The first root of the gap along the step's path, or proof that there is none.
    #[default]
    Certified,
    /// The event solver of Gallois, Brac and Soriano (*Event handling solver compared to Modelica Dassl*, "The
    /// constraint vector" to "Computation of the solution at t*"). Where the gap has changed its sign at the end of a
    /// step, a second-degree polynomial goes through the gap at tₙ₊₁, tₙ, tₙ₋₁. Its analytic root is t*; there a cubic
    /// Hermite polynomial gives each component of the state.
    ///
    /// Only for comparison: a contact that begins and ends within a step is missed, and its time is only as accurate as
    /// a parabola through three nodes. On the first step of an arc, without tₙ₋₁, the slope of the gap at tₙ is used.
    /// The ball is put onto the ground at t*, where the paper leaves it slightly above or below.
    Parabola,
}

/// The gap at both ends of the step before.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct LastGaps {
    /// Start of that step, s.
    start: f64,
    /// Gap at its start, m.
    gap: f64,
    /// End of that step, s.
    end: f64,
    /// Gap at its end, m.
    next: f64,
}

/// The contact on a step by [`Localisation::Parabola`], with the state at it in `arrival`; `known` holds the gaps of
/// the step before, and then those of this one.
pub(crate) fn by_parabola(
    known: &mut Option<LastGaps>,
    scene: &Scene,
    step: &FlightStep,
    count: &mut SearchCount,
    arrival: &mut State,
) -> Option<FirstContact> {
    let (ground, forces) = (&scene.ground, &scene.forces);
    let (h, start) = (step.duration(), *step.start());
    let end = step.at(forces, h);
    count.searches += 1;
    let before = known.filter(|before| before.end == start.time);
    let gap = match before {
        Some(before) => before.next,
        None => {
            count.evaluations += 1;
            ground.gap(start.position)
        }
    };
    let next = ground.gap(end.position);
    count.evaluations += 1;
    *known = Some(LastGaps { start: start.time, gap, end: end.time, next });
    if !(next < 0.0) {
        return None;
    }
    // A ball that leaves the ground is on it, not below by rounding.
    let gap = gap.max(0.0);
    // gap + slope s + bend s² over the step, s from 0 to 1.
    let (slope, bend) = match before {
        Some(LastGaps { start: time, gap: past, .. }) => {
            let back = (time - start.time) / h;
            let (rise, fall) = (next - gap, (past - gap) / back);
            let bend = (fall - rise) / (back - 1.0);
            (rise - bend, bend)
        }
        None => {
            let frame = ground.frame(ground.place_below(start.position));
            count.evaluations += 1;
            let slope = h * start.velocity.dot(&frame.normal);
            (slope, next - gap - slope)
        }
    };
    let part = root(gap, slope, bend)?;
    *known = None;
    let time = part * h;
    let [a0, a1] = [&start, &end].map(|state| h * (forces.force_at(state) / forces.mass()));
    *arrival = State {
        position: hermite(start.position, end.position, h * start.velocity, h * end.velocity, part),
        velocity: hermite(start.velocity, end.velocity, a0, a1, part),
        ..step.at(forces, time)
    };
    let place = ground.place_below(arrival.position);
    count.evaluations += 1;
    let frame = ground.frame(place);
    Some(FirstContact { time, place, frame, rounding: ground.rounding(place), bent: 0.0, departure: None })
}

/// The first root in (0, 1] of `c + b s + a s²`, with `c ≥ 0` and a negative value at 1; 0 if it falls from 0 at once.
fn root(c: f64, b: f64, a: f64) -> Option<f64> {
    let square = b * b - 4.0 * a * c;
    if !(square >= 0.0) {
        return None;
    }
    // Both roots, without cancellation.
    let sum = -0.5 * (b + square.sqrt().copysign(b));
    let roots = [sum / a, c / sum];
    let inside = roots.into_iter().filter(|s| (0.0..=1.0).contains(s));
    // The root at 0 of a ball that leaves the ground is no contact.
    let later = |least: f64, s: f64| if s < least { s } else { least };
    if c == 0.0 && b > 0.0 { inside.filter(|s| *s > 0.0).reduce(later) } else { inside.reduce(later) }
}

/// The cubic with values and slopes at both ends, at `s` in 0 … 1.
fn hermite(y0: Vector2<f64>, y1: Vector2<f64>, d0: Vector2<f64>, d1: Vector2<f64>, s: f64) -> Vector2<f64> {
    let rest = 1.0 - s;
    y0 + (y1 - y0) * (s * s * (3.0 - 2.0 * s)) + d0 * (s * rest * rest) - d1 * (s * s * rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots of known parabolas: falling through, leaving the ground, nearly straight.
    #[test]
    fn roots() {
        assert_eq!(root(1.0, 0.0, -4.0), Some(0.5));
        assert_eq!(root(0.0, 1.0, -2.0), Some(0.5));
        assert_eq!(root(0.0, -1.0, 0.0), Some(0.0));
        assert_eq!(root(1.0, -2.0, 0.0), Some(0.5));
        assert!((root(1.0, -4.0, 1e-17).unwrap() - 0.25).abs() < 1e-15);
    }

    /// A cubic is its own interpolant.
    #[test]
    fn cubics() {
        let f = |s: f64| Vector2::new(s * s * s - s, 1.0 + s * s);
        let d = |s: f64| Vector2::new(3.0 * s * s - 1.0, 2.0 * s);
        for s in [0.0, 0.3, 1.0] {
            assert!((hermite(f(0.0), f(1.0), d(0.0), d(1.0), s) - f(s)).norm() < 1e-15);
        }
    }
}
