//! Whether lengths and times of a table can be in the units they are said to be in: free arcs bend as gravity says.

use nalgebra::{Matrix3, Vector3};
use supervisor::{Scene, Start};

use super::sight::View;
use super::{Data, Plan};
use crate::input::plain;
use crate::unknowns::Unknowns;

/// Rows of an arc; longer ones where the noise of short ones hides how they bend.
const ROWS: [usize; 3] = [7, 15, 31];
/// Arcs that make it sure.
const ENOUGH: usize = 5;
/// An acceleration is known if it, or gravity, is so many times its error.
const KNOWN: f64 = 6.0;
/// Another unit than said: by this factor.
const FACTOR: f64 = 3.0;
/// Units of lengths that are named if they would agree to this part.
const NAMES: [(&str, f64); 5] = [("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("ft", 0.3048), ("km", 1e3)];
const AGREES: f64 = 0.1;

/// What the unit may be, if the table's arcs bend otherwise than gravity makes them.
pub fn units_hint(unknowns: &Unknowns, data: &Data, plan: &Plan) -> Option<String> {
    let written = unknowns.written();
    let Scene { forces, .. } = &written.scene;
    let gravity = forces.gravity_vector();
    let axis = usize::from(gravity.x.abs() < gravity.y.abs());
    let g = gravity.norm();
    let free = unknowns.list().iter().any(|unknown| unknown.key.starts_with("forces.gravity"));
    if free || plan.scale.is_some() || !(gravity[axis].abs() > 0.9 * g) {
        return None;
    }
    // On the ground, and by drag, balls fall more slowly.
    let falls = matches!(written.start, Start::Flight(_)) && !forces.varies_in_motion();
    let View { scale, .. } = plan.view;
    let places: Vec<(f64, f64)> =
        data.seen().filter(|(_, a, _)| *a == axis).map(|(i, _, value)| (data.rows[i].time, scale * value)).collect();
    let known = |rows: &usize| {
        let arcs = places.windows(*rows).map(bend);
        arcs.map(|arc| arc.filter(|(a, error)| KNOWN * error < a.max(g)).map(|(a, _)| a)).collect::<Vec<Option<f64>>>()
    };
    let all: Vec<Vec<Option<f64>>> = ROWS.iter().map(known).collect();
    let found = all.iter().find(|arcs| arcs.iter().flatten().count() >= ENOUGH)?;
    let mut ratios: Vec<f64> = found.iter().flatten().map(|a| a / g).collect();
    if ratios.iter().any(|ratio| (1.0 / FACTOR..FACTOR).contains(ratio)) {
        return None;
    }
    let ratio = super::table::median(&mut ratios)?;
    let at_first = found.first().is_some_and(|first| first.is_some());
    if !(ratio > FACTOR || falls && at_first && ratio > 0.0) {
        return None;
    }
    let size = scale / ratio;
    let named = NAMES.iter().find(|(_, unit)| (size / unit - 1.0).abs() < AGREES);
    let lengths = named.map_or_else(|| format!("--scale {size:.3e}"), |(unit, _)| format!("--unit {unit}"));
    // A film has some frames a second.
    let frames = 1.0 / ratio.sqrt();
    let times = match frames {
        _ if (frames / 1e3 - 1.0).abs() < AGREES => ", or times in ms: `t [ms]` in the header".to_owned(),
        _ if frames > 2.0 => format!(", or times with --fps {frames:.0}"),
        _ => String::new(),
    };
    Some(format!(
        "places in the table are accelerated by {} m/s², and gravity is {} m/s²: lengths would agree with {lengths}{times}",
        plain(format!("{:.2e}", ratio * g).parse().unwrap_or(ratio * g)),
        plain(g)
    ))
}

/// The acceleration (its size) along an arc by the parabola closest to it, and its standard error.
fn bend(arc: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (first, last) = (arc.first()?.0, arc.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let row = |t: f64| {
        let s = (t - middle) / half;
        Vector3::new(1.0, s, s * s)
    };
    let (mut normal, mut right) = (Matrix3::<f64>::zeros(), Vector3::zeros());
    for (t, place) in arc {
        normal += row(*t) * row(*t).transpose();
        right += row(*t) * *place;
    }
    let inverse = normal.try_inverse()?;
    let found = inverse * right;
    let squares: f64 = arc.iter().map(|(t, place)| (place - row(*t).dot(&found)).powi(2)).sum();
    let spread = (squares / (arc.len() - 3) as f64).sqrt();
    let by = 2.0 / (half * half);
    Some((by * found[2].abs(), by * spread * inverse[(2, 2)].sqrt()))
}
