//! What experiments with many balls share.

use std::sync::Arc;

use curves::{Ground, OffsetGround};
use moreau::{Balls, Body};

use crate::Failure;

/// The same balls on another ground, where they are and as fast as they are.
///
/// # Errors
/// [`Failure`] if the balls can't be there.
pub fn on_ground(balls: &Balls, ground: Ground) -> Result<Balls, Failure> {
    let ground = Arc::new(ground);
    // One offset of each radius.
    let mut offsets: Vec<Arc<OffsetGround>> = Vec::new();
    let bodies = (0..balls.len()).map(|i| {
        let body = balls.body(i);
        let radius = body.ball.radius();
        let known = offsets.iter().find(|offset| offset.radius() == radius).cloned();
        let ground = known.unwrap_or_else(|| {
            let offset = Arc::new(OffsetGround::new(ground.clone(), radius));
            offsets.push(offset.clone());
            offset
        });
        Body { ground, start: balls.state(i), ..body.clone() }
    });
    Ok(Balls::resumed(bodies.collect(), balls.body(0).law.clone(), balls.settings())?)
}

/// A mean and half of its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Of the values.
    pub mean: f64,
    /// By Student's t; NaN of one value.
    pub error: f64,
}

impl Estimate {
    /// Of independent values.
    pub fn of(values: &[f64]) -> Estimate {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let quantile = identify::student_quantile(values.len().saturating_sub(1));
        Estimate { mean, error: quantile * (squares / (n * (n - 1.0))).sqrt() }
    }
}
