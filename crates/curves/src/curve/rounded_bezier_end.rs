//! Cubic Bézier curves with a handle on its end point: how that end is rounded where its curvature has no bound.

use nalgebra::Vector2;
use numbers::elementary;

/// Distance, relative to the length of the control polygon, within which a handle counts as on its end: rounding.
const ON_END: f64 = 1e-12;

/// Largest part ε of the parameter that is replaced.
const LONGEST: f64 = 0.25;

/// Bound of the distance between the new part and the curve, across u, in units of `ε³ |u × d|/|u|`. It is the maximum
/// of `|s² − w³|` over points equally far along u, `w²(3 + wρ) = 2s + s²(1 + ρ)`, rounded up from 0.0245 at ρ = −½.
/// Here s from 0 to 1 is the parameter of the new part, `w = t/ε`, and `ρ = ε u·d/|u|²` with `|ρ| ≤ ½`.
const OFF: f64 = 0.025;

/// A cubic Bézier curve whose first handle lies on its first point (or last on last), with that end rounded.
///
/// Such a curve starts as `c = a + t²(3u + t d)` with `u` from the point to the other handle: it has a tangent, but its
/// curvature grows without bound, as `|u × d|/(12|u|³t)`. Its part `t ≤ ε` is replaced by the quadratic curve with the
/// same ends and tangents, whose curvature is largest at the end, `|u × d|/(2|u|³ε)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedEnd {
    /// Control points of the new part, in the direction of the curve, m.
    pub end: [Vector2<f64>; 3],
    /// Control points of the unchanged rest, m.
    pub rest: [Vector2<f64>; 4],
    /// Whether the new part comes first.
    pub first: bool,
    /// Bound of the distance between the new part and the curve, m.
    pub deviation: f64,
    /// Radius of curvature at the end, m.
    pub radius: f64,
}

impl RoundedEnd {
    /// Rounds the end whose handle lies on it, within `tolerance` (m, positive) of the curve. `None` if there is no
    /// such end, or if there are two: then the curve is a line.
    pub fn new(points: [Vector2<f64>; 4], tolerance: f64) -> Option<RoundedEnd> {
        let [a, b, c, d] = points;
        let near = ON_END * ((b - a).norm() + (c - b).norm() + (d - c).norm());
        match ((b - a).norm() <= near, (d - c).norm() <= near) {
            (true, false) => round([a, c, d], tolerance),
            (false, true) => {
                let back = round([d, b, a], tolerance)?;
                let ([e0, e1, e2], [r0, r1, r2, r3]) = (back.end, back.rest);
                Some(RoundedEnd { end: [e2, e1, e0], rest: [r3, r2, r1, r0], first: false, ..back })
            }
            _ => None,
        }
    }
}

/// Rounds the curve with control points `start` (twice), `handle` and `end`.
fn round([start, handle, end]: [Vector2<f64>; 3], tolerance: f64) -> Option<RoundedEnd> {
    let u = handle - start;
    let d = (end - start) - 3.0 * u;
    let (length, along, across) = (u.norm(), u.dot(&d).abs() / u.norm(), u.perp(&d).abs() / u.norm());
    // The cut is ε: at most LONGEST, with |ρ| = ε along/|u| ≤ ½, and within the tolerance by OFF.
    let cut = LONGEST.min(0.5 * length / along).min(elementary::cbrt(tolerance / (OFF * across)));
    if !(length > 0.0 && cut > 0.0) {
        return None;
    }
    // De Casteljau at ε; the sub-curve's handle is where the tangents at its ends meet.
    let mix = |p: Vector2<f64>, q: Vector2<f64>| p + cut * (q - p);
    let (p12, p23) = (mix(start, handle), mix(handle, end));
    let (p012, p123) = (mix(start, p12), mix(p12, p23));
    let joint = mix(p012, p123);
    Some(RoundedEnd {
        end: [start, p012, joint],
        rest: [joint, p123, p23, end],
        first: true,
        deviation: OFF * elementary::powi(cut, 3) * across,
        radius: 2.0 * length * length * cut / across,
    })
}
