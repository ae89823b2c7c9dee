//! Makes curves from points: polylines, splines through them, and smoothing splines.

use curves::spline::{MIN_POINTS, Smoothing, SplineEnds, is_graph, knots, smooth, spline};
use nalgebra::Vector2;

use super::formulas::{constant, constant_where};
use super::kinds_and_limits::{Names, OF_POINTS, Parts, PointCurve};
use super::noise::Noise;
use super::shapes::{items, points};
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
    /// Whether the points were measured, so that polylines are checked for noise, too.
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
    pub(super) fn listed_points(
        &mut self,
        kind: PointCurve,
        reader: &mut Reader,
        names: Names,
    ) -> Result<(), InputError> {
        let (points, node) = points(reader, "a list of points [[x, y], …], free side left of travel", names)?;
        let spans = items(node);
        let place = |i: usize| spans[i].span.clone();
        let name = |i: usize| format!("point {i}");
        self.through(
            kind,
            reader,
            Points {
                points,
                whole: &node.span,
                place: &place,
                name: &name,
                key: "kind",
                measured: false,
                closed: false,
            },
            names,
        )
    }

    /// Adds the curve of this kind through points.
    pub(super) fn through(
        &mut self,
        kind: PointCurve,
        reader: &mut Reader,
        through: Points,
        names: Names,
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
            let ends = self.spline_ends(reader, &points, whole, closed, names)?;
            let pieces = spline(&knots, &points, ends);
            // Noise is only estimated for open curves.
            self.info.noise =
                self.info.noise.or_else(|| if closed { None } else { Noise::of(&knots, &points, &pieces, key) });
            pieces
        } else {
            let how = smoothing(reader, names)?;
            let Some(smoothed) = smooth(&knots, &points, how) else { return Ok(()) };
            self.info.notes.push(format!(
                "smoothed: points lie up to {} m off, noise of some {} m (standard deviation)",
                plain(rounded(smoothed.largest_deviation, 3)),
                plain(rounded(smoothed.noise, 3))
            ));
            smoothed.pieces
        };
        for (i, piece) in pieces.into_iter().enumerate() {
            self.add(piece, &place(i + 1));
        }
        Ok(())
    }

    fn spline_ends(
        &mut self,
        reader: &mut Reader,
        points: &[Vector2<f64>],
        whole: &Span,
        closed: bool,
        names: Names,
    ) -> Result<SplineEnds, InputError> {
        #[derive(Clone, Copy)]
        enum Ends {
            Natural,
            Clamped,
            Periodic,
        }
        let choices = [("natural", Ends::Natural), ("clamped", Ends::Clamped), ("periodic", Ends::Periodic)];
        let usual = if closed { Ends::Periodic } else { Ends::Natural };
        match reader.choice("ends", &choices)?.unwrap_or(usual) {
            Ends::Natural => Ok(SplineEnds::Natural),
            Ends::Clamped => Ok(SplineEnds::Clamped(clamps(reader, is_graph(points), names)?)),
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
}

/// Reads the first derivatives by the spline's parameter at both ends.
fn clamps(reader: &mut Reader, graph: bool, names: Names) -> Result<[Vector2<f64>; 2], InputError> {
    if let Some(node) = reader.get("slopes") {
        let [from, to] = items(node) else { return Err(wrong_type(node, "slopes", "two numbers [first, last]")) };
        if !graph {
            let message = "`slopes` need points with x growing from each to the next";
            return Err(InputError::new(&node.span, message, "use `directions` here"));
        }
        let slope = |node| match constant(node, "slopes", names)? {
            value if value.is_finite() => Ok(Vector2::new(1.0, value)),
            _ => Err(InputError::new(&node.span, "this slope is not finite", "a finite number")),
        };
        return Ok([slope(from)?, slope(to)?]);
    }
    let missing = "`slopes` = [first, last] for a graph, or `directions` = [[dx, dy], [dx, dy]]";
    let node = match reader.get("directions") {
        Some(node) => node,
        None => reader.need(if graph { "slopes" } else { "directions" }, missing)?,
    };
    let [from, to] = items(node) else { return Err(wrong_type(node, "directions", "two vectors")) };
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

fn smoothing(reader: &mut Reader, names: Names) -> Result<Smoothing, InputError> {
    let bounds =
        [("largest-deviation", Smoothing::LargestDeviation as fn(f64) -> Smoothing), ("sigma", Smoothing::Noise)];
    let mut given = Vec::new();
    for (key, of) in bounds {
        given.extend(constant_where(reader, key, "must be 0 or more (m)", names, |value| value >= 0.0)?.map(of));
    }
    given.extend(reader.choice("smoothing", &[("gcv", Smoothing::CrossValidation)])?);
    match given[..] {
        [how] => Ok(how),
        _ => {
            let message = "a smoothing spline needs one of `largest-deviation`, `sigma` and `smoothing`";
            let help = "largest-deviation = 0.5e-3 (m) bounds how far a point may move; sigma = 0.2e-3 (m) is the standard \
                        deviation of the points; smoothing = \"gcv\" finds it by generalised cross-validation";
            Err(InputError::new(reader.span(), message, "this curve").with_help(help))
        }
    }
}
