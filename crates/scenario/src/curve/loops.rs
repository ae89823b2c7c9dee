//! Reads tracks with clothoids, and loops of clothoids or circles.

use std::f64::consts::PI;

use curves::{Arc, Clothoid, Piece};
use nalgebra::Vector2;
use numbers::Interval;

use super::kinds_and_limits::{CurveTable, Parts};
use crate::input::{InputError, Span, Value, plain};

const MAX_LOOPS: f64 = 1000.0;

/// Largest turning angle of a clothoid, rad: a hundred revolutions.
const MAX_TURN: f64 = 200.0 * PI;

impl Parts {
    pub(super) fn clothoid(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let span = table.reader.span().clone();
        let from = table.need_point("from", "the first point [x, y]")?;
        let curvatures =
            table.need_point("curvatures", "the curvatures at both ends, 1/m; positive turns left")?.into();
        let direction = table.constant("direction")?.unwrap_or(0.0);
        let length = length(table, "length", |length| length > 0.0)?
            .ok_or_else(|| InputError::new(&span, "this clothoid has no `length`", "length = …, in m"))?;
        self.bend(from, direction, curvatures, length, &span)?;
        Ok(())
    }

    /// Adds a straight, a row of loops that turn left, and a straight.
    pub(super) fn row_of_loops(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let span = table.reader.span().clone();
        let at = table.point_or_origin("at")?;
        let shape = LoopShape::read(table)?;
        let height = shape.height();
        if let Some(Value::String(text)) = table.reader.get("count").map(|node| &node.value) {
            self.info.counts.push(text.trim().to_owned());
        }
        let count = match table.placed_constant("count")? {
            None => 1,
            Some((count, _)) if (1.0..=MAX_LOOPS).contains(&count) && count.fract() == 0.0 => count as usize,
            Some((count, span)) => {
                let message = format!("`count` = {} is not allowed", plain(count));
                return Err(InputError::new(&span, message, format!("a whole number from 1 to {MAX_LOOPS}")));
            }
        };
        let mut straight = |key, least: fn(f64) -> bool| Ok(length(table, key, least)?.unwrap_or(2.0 * height));
        // A circle ends where it begins: without a straight before or behind, the curve would end on itself.
        let ways: fn(f64) -> bool = match shape {
            LoopShape::Circle { .. } => |length| length > 0.0,
            LoopShape::Clothoids { .. } => |length| length >= 0.0,
        };
        let run_in: f64 = straight("run-in", ways)?;
        let spacing = straight("spacing", |length| length > 0.0)?;
        let run_out = straight("run-out", ways)?;
        let mut now = at;
        if run_in > 0.0 {
            self.line(at - Vector2::new(run_in, 0.0), at, &span)?;
        }
        for i in 0..count {
            if i > 0 {
                let level = now + Vector2::new(spacing, 0.0);
                self.line(now, level, &span)?;
                now = level;
            }
            now = self.one_loop(now, &shape, &span)?;
        }
        if run_out > 0.0 {
            self.line(now, now + Vector2::new(run_out, 0.0), &span)?;
        }
        Ok(())
    }

    /// Adds a loop that begins at `at`; returns its end.
    fn one_loop(&mut self, at: Vector2<f64>, shape: &LoopShape, span: &Span) -> Result<Vector2<f64>, InputError> {
        match shape {
            LoopShape::Circle { radius } => {
                let centre = at + Vector2::new(0.0, *radius);
                let arc = Arc::new(centre, *radius, -0.5 * PI, 1.5 * PI);
                let (arc, length) =
                    arc.ok_or_else(|| InputError::new(span, "this loop has no extent", "too small or too large"))?;
                self.add(Piece::of(arc, Interval::new(0.0, length)), span);
                Ok(at)
            }
            LoopShape::Clothoids { curvatures: [bottom, top], half } => {
                let highest = self.bend(at, 0.0, [*bottom, *top], *half, span)?;
                let end = self.bend(highest, PI, [*top, *bottom], *half, span)?;
                // By symmetry the end is exactly as high as the start.
                Ok(Vector2::new(end.x, at.y))
            }
        }
    }

    /// Adds a clothoid with the curvatures at both ends (1/m) and its length (m), cut into parts short enough for its
    /// formula; returns its end.
    fn bend(
        &mut self,
        from: Vector2<f64>,
        direction: f64,
        [first, last]: [f64; 2],
        length: f64,
        span: &Span,
    ) -> Result<Vector2<f64>, InputError> {
        let most = length * first.abs().max(last.abs());
        if !(most <= MAX_TURN) {
            let [length, first, last] = [length, first, last].map(plain);
            let message = format!("a clothoid of {length} m with curvatures of {first} and {last} 1/m turns too far");
            return Err(InputError::new(span, message, "at most a hundred times round"));
        }
        let parts = (most / Clothoid::MOST).ceil().max(1.0);
        let at = |i: f64| first + (last - first) * (i / parts);
        // ∫κ ds up to a part.
        let turned = |i: f64| length * (i / parts) * 0.5 * (first + at(i));
        let (mut now, part) = (from, length / parts);
        for i in 0..parts as usize {
            let i = i as f64;
            let clothoid = Clothoid::new(now, direction + turned(i), [at(i), at(i + 1.0)], part);
            let clothoid = clothoid
                .ok_or_else(|| InputError::new(span, "this clothoid is not finite", "too small or too large"))?;
            let piece = Piece::of(clothoid, Interval::new(0.0, part));
            now = piece.curve().point_at(part);
            self.add(piece, span);
        }
        Ok(now)
    }
}

enum LoopShape {
    Circle {
        radius: f64,
    },
    /// Two mirrored clothoids, each half of the loop, with the curvature growing from bottom to top.
    Clothoids {
        curvatures: [f64; 2],
        half: f64,
    },
}

impl LoopShape {
    fn read(table: &mut CurveTable) -> Result<Self, InputError> {
        let radius = length(table, "radius", |radius| radius > 0.0)?;
        let top = length(table, "top-radius", |radius| radius > 0.0)?;
        let bottom = table.placed_constant("bottom-radius")?;
        match (radius, top, bottom) {
            (Some(radius), None, None) => Ok(LoopShape::Circle { radius }),
            (None, Some(top), Some((bottom, span))) => {
                if !(bottom > top) {
                    let message = format!("`bottom-radius` = {} is not allowed", plain(bottom));
                    let rule = format!("must be greater than `top-radius` = {} m; inf is straight", plain(top));
                    let help = "`radius` alone is a circle";
                    return Err(InputError::new(&span, message, rule).with_help(help));
                }
                let curvatures = [1.0 / bottom, 1.0 / top];
                // Each half turns by π with the mean curvature.
                let half = 2.0 * PI / (curvatures[0] + curvatures[1]);
                Ok(LoopShape::Clothoids { curvatures, half })
            }
            _ => {
                let message = "a loop needs either `radius` or both `top-radius` and `bottom-radius`";
                Err(InputError::new(table.reader.span(), message, "this loop"))
            }
        }
    }

    /// Height of the loop, m; for clothoids approximated by that of a circle of the same length.
    fn height(&self) -> f64 {
        match self {
            LoopShape::Circle { radius } => 2.0 * radius,
            LoopShape::Clothoids { half, .. } => 2.0 * half / PI,
        }
    }
}

/// Reads a length (m): finite, and allowed by the rule.
fn length(table: &mut CurveTable, key: &'static str, allowed: fn(f64) -> bool) -> Result<Option<f64>, InputError> {
    let rule = if allowed(0.0) { "must not be negative (m)" } else { "must be positive (m)" };
    table.constant_where(key, rule, allowed)
}
