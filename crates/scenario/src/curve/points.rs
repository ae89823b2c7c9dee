//! Makes curves from points: polylines, splines through them, and smoothing splines.

use curves::spline::{MIN_POINTS, Smoothing, SplineEnds, is_graph, knots, smooth, spline};
use nalgebra::Vector2;

use super::formulas::constant;
use super::kinds_and_limits::{CurveTable, OF_POINTS, Parts, PointCurve};
use super::noise::Noise;
use super::shapes::points;
use crate::input::{InputError, Reader, Span, name_of, plain, rounded, vector, wrong_type};

/// Points with their positions in the text.
pub(super) struct Points<'a> {
    pub points: Vec<Vector2<f64>>,
    /// Position of all points in the text.
    pub whole: &'a Span,
    /// Position of one point.
    pub place: &'a dyn Fn(usize) -> Span,
    /// Name of one point, for messages.
    pub name: &'a dyn Fn(usize) -> String,
    /// Key that chooses how points are joined.
    pub key: &'static str,
    /// Whether a polyline is checked for noise, too.
    pub measured: bool,
    /// Whether the last point repeats the first, so that a spline is periodic.
    pub closed: bool,
}

/// Reads the key `as`: the kind of curve made of points.
pub(super) fn points_as(reader: &mut Reader) -> Result<PointCurve, InputError> {
    reader.need("as", "\"polyline\", \"spline\" or \"smoothing-spline\": what to make of the points")?;
    Ok(reader.choice("as", &OF_POINTS)?.unwrap_or(PointCurve::Polyline))
}

impl Parts {
    /// Reads a polyline or spline whose points are written out.
    pub(super) fn listed_points(&mut self, kind: PointCurve, table: &mut CurveTable) -> Result<(), InputError> {
        let (points, node) = points(table, "a list of points [[x, y], …], free side left of travel")?;
        let (items, whole) = (node.items(), &node.span);
        let place = |i: usize| items[i].span.clone();
        let name = |i: usize| format!("point {i}");
        let through = Points { points, whole, place: &place, name: &name, key: "kind", measured: false, closed: false };
        self.through(kind, table, through)
    }

    /// Adds the curve of this kind through points.
    pub(super) fn through(
        &mut self,
        kind: PointCurve,
        table: &mut CurveTable,
        through: Points,
    ) -> Result<(), InputError> {
        let Points { points, whole, place, name, key, measured, closed } = through;
        let least = if kind == PointCurve::SmoothingSpline { MIN_POINTS } else { 2 };
        if points.len() < least {
            let least = if least == 2 { "two" } else { "three" };
            let message = format!("a {} needs at least {least} points", name_of(&OF_POINTS, kind));
            return Err(InputError::new(whole, message, format!("a list of {least} or more")));
        }
        if kind == PointCurve::Polyline {
            if let (true, Ok(knots)) = (measured, knots(&points)) {
                let through = spline(&knots, &points, SplineEnds::Natural);
                self.info.noise = self.info.noise.or_else(|| Noise::of(&knots, &points, &through, key));
            }
            return points.windows(2).enumerate().try_for_each(|(i, ends)| self.line(ends[0], ends[1], &place(i + 1)));
        }
        let knots = knots(&points).map_err(|i| {
            let p = points[i];
            let message = format!("{} at ({}, {}) doubles the one before", name(i), plain(p.x), plain(p.y));
            InputError::new(&place(i), message, "another point").with_help("leave out one of the two")
        })?;
        let pieces = if kind == PointCurve::Spline {
            let ends = spline_ends(table, &points, whole, closed)?;
            let pieces = spline(&knots, &points, ends);
            // The noise of a spline is only estimated for open curves.
            self.info.noise =
                self.info.noise.or_else(|| if closed { None } else { Noise::of(&knots, &points, &pieces, key) });
            pieces
        } else {
            let how = smoothing(table)?;
            // Never `None`: the number of points was checked above.
            let Some(smoothed) = smooth(&knots, &points, how) else { return Ok(()) };
            let [off, noise] = [smoothed.largest_deviation, smoothed.noise].map(|length| plain(rounded(length, 3)));
            let note = format!("smoothed: points lie up to {off} m off, noise of some {noise} m (standard deviation)");
            self.info.notes.push(note);
            smoothed.pieces
        };
        for (i, piece) in pieces.into_iter().enumerate() {
            self.add(piece, &place(i + 1));
        }
        Ok(())
    }
}

/// Reads the key `ends` of a spline, and `slopes` or `directions` there.
fn spline_ends(
    table: &mut CurveTable,
    points: &[Vector2<f64>],
    whole: &Span,
    closed: bool,
) -> Result<SplineEnds, InputError> {
    #[derive(Clone, Copy)]
    enum Ends {
        Natural,
        Clamped,
        Periodic,
    }
    let choices = [("natural", Ends::Natural), ("clamped", Ends::Clamped), ("periodic", Ends::Periodic)];
    let usual = if closed { Ends::Periodic } else { Ends::Natural };
    match table.reader.choice("ends", &choices)?.unwrap_or(usual) {
        Ends::Natural => Ok(SplineEnds::Natural),
        Ends::Clamped => Ok(SplineEnds::Clamped(clamps(table, is_graph(points))?)),
        Ends::Periodic => {
            let away = points[points.len() - 1] - points[0];
            let (same, rule) = match is_graph(points) {
                true => (away.y == 0.0, "the last point has to be as high as the first"),
                false => (away.norm() == 0.0, "the last point has to be the first once more"),
            };
            if points.len() >= 3 && same {
                return Ok(SplineEnds::Periodic);
            }
            let help = "give three or more points, or other `ends`";
            Err(InputError::new(whole, "these points don't make a period", rule).with_help(help))
        }
    }
}

/// Reads the first derivatives by the spline's parameter at both ends.
fn clamps(table: &mut CurveTable, graph: bool) -> Result<[Vector2<f64>; 2], InputError> {
    if let Some(node) = table.reader.get("slopes") {
        let [from, to] = node.items() else { return Err(wrong_type(node, "slopes", "two numbers [first, last]")) };
        if !graph {
            let message = "`slopes` need points with x growing from each to the next";
            return Err(InputError::new(&node.span, message, "use `directions` here"));
        }
        let slope = |node| match constant(node, "slopes", table.names)? {
            value if value.is_finite() => Ok(Vector2::new(1.0, value)),
            _ => Err(InputError::new(&node.span, "this slope is not finite", "a finite number")),
        };
        return Ok([slope(from)?, slope(to)?]);
    }
    let missing = "`slopes` = [first, last] for a graph, or `directions` = [[dx, dy], [dx, dy]]";
    let node = match table.reader.get("directions") {
        Some(node) => node,
        None => table.reader.need(if graph { "slopes" } else { "directions" }, missing)?,
    };
    let [from, to] = node.items() else { return Err(wrong_type(node, "directions", "two vectors")) };
    let direction = |node| {
        let v = vector(node, "directions")?;
        let scale = if graph { v.x } else { v.norm() };
        let unit = v / scale;
        if scale > 0.0 && unit.y.is_finite() && unit.x.is_finite() {
            return Ok(unit);
        }
        let message = format!("[{}, {}] is no direction here", plain(v.x), plain(v.y));
        Err(InputError::new(&node.span, message, if graph { "towards growing x" } else { "a vector with length" }))
    };
    Ok([direction(from)?, direction(to)?])
}

fn smoothing(table: &mut CurveTable) -> Result<Smoothing, InputError> {
    let bounds =
        [("largest-deviation", Smoothing::LargestDeviation as fn(f64) -> Smoothing), ("sigma", Smoothing::Noise)];
    let mut given = Vec::new();
    for (key, of) in bounds {
        given.extend(table.constant_where(key, "must be 0 or more (m)", |value| value >= 0.0)?.map(of));
    }
    given.extend(table.reader.choice("smoothing", &[("gcv", Smoothing::CrossValidation)])?);
    match given[..] {
        [how] => Ok(how),
        _ => {
            let message = "a smoothing spline needs one of `largest-deviation`, `sigma` and `smoothing`";
            let help = "largest-deviation = 0.5e-3 (m) bounds how far a point may move; sigma = 0.2e-3 (m) is the standard \
                        deviation of the points; smoothing = \"gcv\" finds it by generalised cross-validation";
            Err(InputError::new(table.reader.span(), message, "this curve").with_help(help))
        }
    }
}
