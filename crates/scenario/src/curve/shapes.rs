//! Reads lines, arcs, ellipses and Bézier curves.

use std::f64::consts::PI;

use curves::{Arc, Cubic, Ellipse, Line, Piece, RoundedEnd};
use nalgebra::Vector2;
use numbers::{Interval, elementary};

use super::formulas::point;
use super::kinds_and_limits::{CurveTable, Parts};
use crate::input::{InputError, Node, Span, Value, plain, rounded, wrong_type};

impl Parts {
    pub(super) fn straight(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let from = table.need_point("from", "the first point [x, y]")?;
        let to = table.need_point("to", "the last point [x, y]")?;
        self.line(from, to, table.reader.span())
    }

    pub(super) fn line(&mut self, from: Vector2<f64>, to: Vector2<f64>, span: &Span) -> Result<(), InputError> {
        let (line, length) = Line::new(from, to).ok_or_else(|| {
            let (why, rule) = match from == to {
                true => ("has no length", "two different points"),
                false => ("is longer than numbers reach", "points less far away"),
            };
            let [x, y, u, v] = [from.x, from.y, to.x, to.y].map(plain);
            InputError::new(span, format!("a line from ({x}, {y}) to ({u}, {v}) {why}"), rule)
        })?;
        self.add(Piece::of(line, Interval::new(0.0, length)), span);
        Ok(())
    }

    /// Reads a circle (key `side`) or an arc (keys `from`, `to`).
    pub(super) fn circle_or_arc(&mut self, whole: bool, table: &mut CurveTable) -> Result<(), InputError> {
        let centre = table.need_point("centre", "its centre [x, y]")?;
        table.reader.need("radius", "its radius in m")?;
        let radius = table.positive("radius", "must be positive (m)")?.unwrap_or(f64::NAN);
        let (from, to) = if whole {
            table.reader.need("side", "\"inside\" or \"outside\": where the ball is")?;
            let inside = table.reader.choice("side", &[("inside", true), ("outside", false)])?.unwrap_or(true);
            (0.0, if inside { 2.0 * PI } else { -2.0 * PI })
        } else {
            let what = "an angle in radians; from < to turns left, with the free side inside";
            (table.need_constant("from", what)?, table.need_constant("to", what)?)
        };
        let span = table.reader.span();
        let wrong = |why: &str, rule: &str| {
            InputError::new(span, format!("an arc from {} to {} rad {why}", plain(from), plain(to)), rule)
        };
        let (arc, length) =
            Arc::new(centre, radius, from, to).ok_or_else(|| wrong("has no length", "two different angles"))?;
        if length > 2.0 * PI * radius * (1.0 + 1e-12) {
            return Err(wrong("goes round more than once", "at most 2 pi between the angles"));
        }
        self.add(Piece::of(arc, Interval::new(0.0, length)), span);
        Ok(())
    }

    /// Reads an ellipse or a part of one, given by eccentric angles.
    pub(super) fn ellipse(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let centre = table.need_point("centre", "its centre [x, y]")?;
        let node = table.reader.need("semi-axes", "half its diameters [a, b] in m")?;
        let semi = point(node, "semi-axes", table.names)?;
        let turn = table.constant("turn")?.unwrap_or(0.0);
        let side = table.reader.choice("side", &[("inside", 1.0), ("outside", -1.0)])?;
        let (from, to) = match (side, table.constant("from")?, table.constant("to")?) {
            (Some(side), None, None) => (0.0, side * 2.0 * PI),
            (None, Some(from), Some(to)) => (from, to),
            _ => {
                let message = "an ellipse needs either `side` or both `from` and `to`";
                let help = "side = \"inside\" or \"outside\" is the whole; from < to (eccentric angles in rad) turns \
                            left, with the free side inside";
                return Err(InputError::new(table.reader.span(), message, "this ellipse").with_help(help));
            }
        };
        if !(from != to && (to - from).abs() <= 2.0 * PI * (1.0 + 1e-12)) {
            let message = format!("an ellipse from {} to {} rad is no part of one", plain(from), plain(to));
            return Err(InputError::new(table.reader.span(), message, "two different angles, at most 2 pi apart"));
        }
        // A clockwise part runs over −angle, which increases; its second half diameter changes sign to match.
        let way = (to - from).signum();
        let (sine, cosine) = elementary::sin_cos(turn);
        let half_diameters = [semi.x * Vector2::new(cosine, sine), way * semi.y * Vector2::new(-sine, cosine)];
        let ellipse =
            Ellipse::new(centre, half_diameters).filter(|_| semi.x > 0.0 && semi.y > 0.0).ok_or_else(|| {
                let message = format!("`semi-axes` = [{}, {}] is not allowed", plain(semi.x), plain(semi.y));
                InputError::new(&node.span, message, "must be positive (m), neither 1e12 times the other")
            })?;
        self.add(Piece::of(ellipse, Interval::new(way * from, way * to)), table.reader.span());
        Ok(())
    }

    /// Adds a part of an ellipse in a drawing, between two increasing eccentric angles.
    pub(super) fn part_of_ellipse(
        &mut self,
        centre: Vector2<f64>,
        half_diameters: [Vector2<f64>; 2],
        [from, to]: [f64; 2],
        span: &Span,
    ) -> Result<(), InputError> {
        let ellipse = Ellipse::new(centre, half_diameters)
            .filter(|_| from < to)
            .ok_or_else(|| InputError::new(span, "this arc has no extent", "flat, or too small or too large"))?;
        self.add(Piece::of(ellipse, Interval::new(from, to)), span);
        Ok(())
    }

    /// Reads a chain of Bézier curves, all of degree 2 or all of degree 3.
    pub(super) fn bezier(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let (points, node) = points(table, "a list of control points [[x, y], …], free side left of travel")?;
        let degree =
            table.reader.number_where("degree", "2 or 3", |degree| degree == 2.0 || degree == 3.0)?.unwrap_or(3.0);
        let degree = degree as usize;
        if points.len() < degree + 1 || !(points.len() - 1).is_multiple_of(degree) {
            let message = format!("{} control points make no chain of curves of degree {degree}", points.len());
            let label = format!("{} points, and {degree} more for each further curve", degree + 1);
            return Err(InputError::new(&node.span, message, label));
        }
        let mut rounding = RoundedEnds::read(table)?;
        let items = node.items();
        for i in (0..points.len() - 1).step_by(degree) {
            let span = &items[i].span;
            if degree == 2 {
                self.quadratic_bezier([points[i], points[i + 1], points[i + 2]], span)?;
            } else {
                self.cubic_bezier([points[i], points[i + 1], points[i + 2], points[i + 3]], &mut rounding, span)?;
            }
        }
        self.info.notes.extend(rounding.note());
        Ok(())
    }

    pub(super) fn quadratic_bezier(&mut self, points: [Vector2<f64>; 3], span: &Span) -> Result<(), InputError> {
        if goes_straight(&points) {
            return self.line(points[0], points[2], span);
        }
        self.add(Piece::of(Cubic::quadratic(points), Interval::new(0.0, 1.0)), span);
        Ok(())
    }

    pub(super) fn cubic_bezier(
        &mut self,
        points: [Vector2<f64>; 4],
        rounding: &mut RoundedEnds,
        span: &Span,
    ) -> Result<(), InputError> {
        if goes_straight(&points) {
            return self.line(points[0], points[3], span);
        }
        let unit = Interval::new(0.0, 1.0);
        let size: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        let tolerance = rounding.tolerance.unwrap_or(RoundedEnds::DEFAULT * size);
        let Some(rounded_end) = RoundedEnd::new(points, tolerance) else {
            self.add(Piece::of(Cubic::bezier(points), unit), span);
            return Ok(());
        };
        rounding.ends += 1;
        rounding.furthest = rounding.furthest.max(rounded_end.deviation);
        rounding.tightest = rounding.tightest.min(rounded_end.radius);
        let end = Piece::of(Cubic::quadratic(rounded_end.end), unit);
        let rest = Piece::of(Cubic::bezier(rounded_end.rest), unit);
        for piece in if rounded_end.first { [end, rest] } else { [rest, end] } {
            self.add(piece, span);
        }
        Ok(())
    }
}

/// Tolerance and largest effects of rounding off Bézier ends whose control point coincides with them (zero speed).
pub(super) struct RoundedEnds {
    /// Value of the key `tolerance`, m.
    tolerance: Option<f64>,
    ends: usize,
    /// Largest deviation so far, m.
    furthest: f64,
    /// Smallest radius of curvature so far, m.
    tightest: f64,
}

impl RoundedEnds {
    /// Default tolerance, relative to the length of the control polygon.
    const DEFAULT: f64 = 1e-6;

    /// Reads the key `tolerance`.
    pub fn read(table: &mut CurveTable) -> Result<RoundedEnds, InputError> {
        let tolerance = table.positive("tolerance", "must be positive (m)")?;
        Ok(RoundedEnds { tolerance, ends: 0, furthest: 0.0, tightest: f64::INFINITY })
    }

    /// Note on ends that were rounded off.
    pub fn note(&self) -> Option<String> {
        (self.ends > 0).then(|| {
            let [furthest, tightest] = [self.furthest, self.tightest].map(|length| plain(rounded(length, 3)));
            format!(
                "{} ends of curves have their handle on the end point (infinite curvature): rounded off, by at most {furthest} m, to radii from {tightest} m",
                self.ends
            )
        })
    }
}

/// Whether control points lie on their chord in order, so that the curve is a line. Drawing programs repeat end points,
/// which would give a cubic zero speed.
fn goes_straight(points: &[Vector2<f64>]) -> bool {
    let (from, chord) = (points[0], points[points.len() - 1] - points[0]);
    let size = chord.norm_squared();
    let along = |p: &Vector2<f64>| (p - from).dot(&chord);
    let within = |p: &Vector2<f64>| (p - from).norm_squared() <= size * (1.0 + 1e-14);
    points.windows(2).all(|pair| along(&pair[0]) <= along(&pair[1]))
        && points.iter().all(|p| within(p) && (p - from).perp(&chord).abs() <= 1e-14 * size)
}

/// Reads the key `points`; also returns its node.
pub(super) fn points<'n>(
    table: &mut CurveTable<'_, 'n>,
    what: &str,
) -> Result<(Vec<Vector2<f64>>, &'n Node), InputError> {
    let node = table.reader.need("points", what)?;
    if !matches!(node.value, Value::Array(_)) {
        return Err(wrong_type(node, "points", "a list of points"));
    }
    let points = node.items().iter().map(|item| point(item, "points", table.names)).collect::<Result<_, _>>()?;
    Ok((points, node))
}
