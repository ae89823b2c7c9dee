//! Reads `ground.motion`: prescribed motion of the ground.

use mechanics::Carriage;
use numbers::{CornersError, Expression, Interval, smooth_parts};
use serde_json::json;

use crate::curve::{constants, formula};
use crate::input::{InputError, Reader, Span, plain, rounded};
use crate::settings::SteppingKind;
use crate::{NotEventDriven, Scenario};

/// Motion of the ground, with its position in the text.
pub(crate) struct Motion {
    pub carriage: Carriage,
    span: Span,
    /// The motion as written.
    pub used: serde_json::Value,
}

/// Reads `motion = { x, y, parameters }` of `[ground]`.
pub(crate) fn read_motion(ground: &mut Reader) -> Result<Option<Motion>, InputError> {
    let Some(node) = ground.get("motion") else { return Ok(None) };
    let mut table = Reader::new(node, "[ground.motion]")?;
    if table.get("x").is_none() && table.get("y").is_none() {
        let message = "[ground.motion] has neither `x` nor `y`";
        let help = "give the way of the ground as formulas of t, in m: `x`, `y`, or both";
        return Err(InputError::new(&node.span, message, "where does the ground go?").with_help(help));
    }
    let constants = constants(&mut table, None)?;
    let names: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    if let Some(parameters) = table.get("parameters").filter(|_| names.iter().any(|(name, _)| *name == "t")) {
        return Err(InputError::new(&parameters.span, "`t` can't be the name of a parameter", "`t` is the time"));
    }
    let mut component = |key: &'static str| match table.get(key) {
        Some(node) => formula(node, key, &Carriage::VARIABLES, &names),
        None => Ok(Expression::constant(0.0)),
    };
    let origin = [component("x")?, component("y")?];
    table.finish()?;
    let carriage = Carriage::new(origin);
    let start = carriage.at(0.0);
    if !start.position.iter().chain(&start.velocity).chain(&start.acceleration).all(|value| value.is_finite()) {
        let message = "the motion of the ground or its first two derivatives have no finite value at t = 0";
        return Err(InputError::new(&node.span, message, "formulas that are smooth from t = 0 on"));
    }
    Ok(Some(Motion { carriage, span: node.span.clone(), used: json!(node) }))
}

impl Motion {
    /// Refuses motions that can't be computed: any motion with methods for several balls, and switches of `abs`, `min`
    /// or `max` before the end of the run.
    pub fn check(&self, stepping: Option<(SteppingKind, usize)>, duration: f64) -> Result<(), InputError> {
        if let Some((method, balls)) = stepping {
            let (message, rule) = match method {
                SteppingKind::Events => (
                    "balls event by event know no moving ground",
                    "their ways and meetings are foretold over ground that stands still",
                ),
                _ => ("time stepping knows no moving ground", "for event-driven runs of one ball"),
            };
            let help = if balls == 1 {
                "set another `solver.method`, such as \"newmark\", or leave it out"
            } else {
                "leave `motion` out; or run each ball by itself, with `[ball]`, `[initial]` and no `solver.method`"
            };
            return Err(InputError::new(&self.span, message, rule).with_help(help));
        }
        let jump = jump(&self.carriage, duration);
        let jump = jump.map_err(|error| InputError::new(&self.span, error.to_string(), "smooth formulas of t"))?;
        if let Some(time) = jump {
            let time = plain(rounded(time, 6));
            let message = format!("`abs`, `min` or `max` switch at t = {time} s in the motion of the ground");
            return Err(InputError::new(&self.span, message, "event-driven runs need smooth formulas")
                .with_help("give formulas without them, or end the run before"));
        }
        Ok(())
    }
}

/// First time at which an `abs`, `min` or `max` in the ground's motion switches, if any.
fn jump(carriage: &Carriage, duration: f64) -> Result<Option<f64>, CornersError> {
    let parts = smooth_parts(carriage.origin(), Interval::new(0.0, duration))?;
    Ok(parts.get(1).map(|(part, _)| part.lo))
}

impl Scenario {
    /// Refuses a run of this duration (s) in which an `abs`, `min` or `max` in a motion switches.
    pub fn check_motion(&self, duration: f64) -> Result<(), NotEventDriven> {
        let parts = self.scene.parts.iter().filter_map(|part| part.carriage.as_ref());
        for carriage in self.scene.forces.carriage().into_iter().chain(parts) {
            match jump(carriage, duration) {
                Ok(None) => {}
                Ok(Some(time)) | Err(CornersError::TooMany { near: time }) => {
                    return Err(NotEventDriven::Jump { time });
                }
            }
        }
        Ok(())
    }
}
