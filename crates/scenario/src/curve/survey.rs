//! Computes points from survey rows of a distance and an angle.

use std::f64::consts::{PI, TAU};

use nalgebra::Vector2;
use numbers::elementary;

use crate::input::{InputError, Reader, plain, rounded};

/// Names of units of angles, with their size in rad.
const ANGLES: [(&str, f64); 6] = [
    ("°", PI / 180.0),
    ("deg", PI / 180.0),
    ("degrees", PI / 180.0),
    ("rad", 1.0),
    ("gon", PI / 200.0),
    ("grad", PI / 200.0),
];

/// Meaning of the rows; angles are against the horizontal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AngleRows {
    /// Steps, each from the end of the last one.
    Steps,
    /// Places, all seen from one point.
    Polar,
    /// Lengths along the surface, with its slope there.
    Along,
}

/// Number of rows from which growing distances are no coincidence: steps of random lengths grow in 1 of n! tables.
const GROWING: usize = 4;

/// How rows of distances and angles are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Survey {
    kind: AngleRows,
    /// The key `angle-unit`, rad.
    pub unit: Option<f64>,
}

impl Survey {
    /// Reads the keys `survey` and `angle-unit`.
    pub fn read(reader: &mut Reader) -> Result<Option<Survey>, InputError> {
        let unit = reader.choice("angle-unit", &ANGLES)?;
        let kinds = [("steps", AngleRows::Steps), ("polar", AngleRows::Polar), ("along", AngleRows::Along)];
        match (reader.choice("survey", &kinds)?, unit) {
            (None, Some(_)) => {
                let message = "`angle-unit` needs `survey`";
                Err(InputError::new(reader.span(), message, "survey = \"steps\", \"polar\" or \"along\""))
            }
            (kind, unit) => Ok(kind.map(|kind| Survey { kind, unit })),
        }
    }

    /// Unit of angles from the header or the key, rad.
    pub fn angle(&self, name: Option<&str>) -> Option<f64> {
        match name {
            Some(name) => ANGLES.iter().find(|(known, _)| *known == name).map(|(_, size)| *size),
            None => self.unit,
        }
    }

    /// Names of the units of angles, for messages.
    pub fn angles() -> String {
        ANGLES.map(|(name, _)| name).join(", ")
    }

    /// Doubt about angles: directions beyond a full turn, or a slope that turns by more than half a turn from row to
    /// row (the first from the horizontal).
    fn doubtful_angle(&self, pairs: &[Vector2<f64>]) -> Option<Doubt> {
        let before = |row: usize| row.checked_sub(1).map_or(0.0, |before| pairs[before].y);
        let (turns, most, told): (&dyn Fn(usize) -> f64, f64, &str) = match self.kind {
            AngleRows::Along => (&|row| pairs[row].y - before(row), PI, "turns on by"),
            AngleRows::Steps | AngleRows::Polar => (&|row| pairs[row].y, TAU, "points to"),
        };
        let row = (0..pairs.len()).find(|row| turns(*row).abs() > most * (1.0 + 1e-12))?;
        let [turn, most] = [turns(row), most].map(|angle| plain(rounded(angle.to_degrees(), 4)));
        let message = format!("the angle {told} {turn}°, and an unmistakable one by at most {most}°");
        Some(Doubt::new(row, message, "is it in another unit? `angle-unit`, or the header, says which"))
    }

    /// Doubt about the meaning of the rows: lengths along a surface that do not grow, or steps that grow like such
    /// lengths. `named`: the column is called step.
    pub fn doubt(&self, pairs: &[Vector2<f64>], named: bool) -> Option<Doubt> {
        let falls = pairs.windows(2).position(|pair| !(pair[1].x > pair[0].x));
        match (self.kind, falls) {
            (AngleRows::Along, Some(before)) => Some(Doubt::new(
                before + 1,
                "places along a surface grow from row to row, and this one does not",
                "survey = \"steps\" if each row goes on from the last by its distance, \"polar\" if all are seen from one place",
            )),
            (AngleRows::Steps, None) if pairs.len() >= GROWING && !named => {
                let whole: f64 = pairs.iter().map(|pair| pair.x).sum();
                let along = pairs[pairs.len() - 1].x - pairs[0].x;
                let [whole, along] = [whole, along].map(|way| plain(rounded(way, 4)));
                let message = format!(
                    "distances grow from row to row: as steps they make a way of {whole} m, as places along the surface one of {along} m"
                );
                let help = "survey = \"along\" if a distance says how far along the surface its angle was measured; if each is the length of \
                            a step, call the column `step`";
                Some(Doubt::new(0, message, help))
            }
            _ => self.doubtful_angle(pairs),
        }
    }

    /// Points from pairs of distance (m) and angle (rad). Between two places along a surface an arc with their slopes
    /// is assumed, whose chord has the mean slope.
    pub fn points(&self, pairs: &[Vector2<f64>]) -> Vec<Vector2<f64>> {
        let way = |length: f64, angle: f64| length * Vector2::new(elementary::cos(angle), elementary::sin(angle));
        let chord = |pair: &[Vector2<f64>]| {
            let (step, half) = (pair[1] - pair[0], 0.5 * (pair[1].y - pair[0].y));
            way(if half == 0.0 { step.x } else { step.x * elementary::sin(half) / half }, pair[0].y + half)
        };
        let steps: Vec<Vector2<f64>> = match self.kind {
            AngleRows::Polar => return pairs.iter().map(|pair| way(pair.x, pair.y)).collect(),
            AngleRows::Steps => pairs.iter().map(|pair| way(pair.x, pair.y)).collect(),
            AngleRows::Along => pairs.windows(2).map(chord).collect(),
        };
        let mut points = vec![Vector2::zeros()];
        for (i, step) in steps.into_iter().enumerate() {
            points.push(points[i] + step);
        }
        points
    }
}

/// Reason why rows of a survey may mean something other than their key says.
pub(super) struct Doubt {
    /// Index of the row.
    pub row: usize,
    pub message: String,
    pub help: &'static str,
}

impl Doubt {
    fn new(row: usize, message: impl Into<String>, help: &'static str) -> Self {
        Doubt { row, message: message.into(), help }
    }
}

/// Name of a column whose distances are steps.
pub(super) const STEP: &str = "step";
/// Names of columns of distances and of angles.
pub(super) const DISTANCE: [&str; 6] = ["distance", "length", "way", "step", "range", "s"];
pub(super) const ANGLE: [&str; 6] = ["angle", "slope", "inclination", "elevation", "dip", "pitch"];
