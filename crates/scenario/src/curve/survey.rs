//! Points from distances and angles.

use nalgebra::Vector2;

use crate::input::{InputError, Reader};

/// Names of angles and their size in rad.
const ANGLES: [(&str, f64); 6] = [
    ("°", std::f64::consts::PI / 180.0),
    ("deg", std::f64::consts::PI / 180.0),
    ("degrees", std::f64::consts::PI / 180.0),
    ("rad", 1.0),
    ("gon", std::f64::consts::PI / 200.0),
    ("grad", std::f64::consts::PI / 200.0),
];

/// Reading of rows of a distance and an angle against the horizontal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Survey {
    /// Seen from one place; else each row goes on from where the last one ended.
    polar: bool,
    /// The key `angle-unit`, rad.
    pub unit: Option<f64>,
}

impl Survey {
    /// The keys `survey` and `angle-unit`.
    pub fn read(reader: &mut Reader) -> Result<Option<Survey>, InputError> {
        let unit = reader.choice("angle-unit", &ANGLES)?;
        let polar = reader.choice("survey", &[("steps", false), ("polar", true)])?;
        match (polar, unit) {
            (None, Some(_)) => {
                let message = "`angle-unit` needs `survey`";
                Err(InputError::new(reader.span(), message, "survey = \"steps\" or \"polar\""))
            }
            (polar, unit) => Ok(polar.map(|polar| Survey { polar, unit })),
        }
    }

    /// The unit of angles, from the header or the key.
    pub fn angle(&self, name: Option<&str>) -> Option<f64> {
        match name {
            Some(name) => ANGLES.iter().find(|(known, _)| *known == name).map(|(_, size)| *size),
            None => self.unit,
        }
    }

    /// Units of angles.
    pub fn angles() -> String {
        ANGLES.map(|(name, _)| name).join(", ")
    }

    /// The points of pairs of distance (m) and angle (rad).
    pub fn points(&self, pairs: &mut dyn Iterator<Item = Vector2<f64>>) -> Vec<Vector2<f64>> {
        let way = |pair: Vector2<f64>| pair.x * Vector2::new(pair.y.cos(), pair.y.sin());
        if self.polar {
            return pairs.map(way).collect();
        }
        let mut points = vec![Vector2::zeros()];
        for pair in pairs {
            points.push(points[points.len() - 1] + way(pair));
        }
        points
    }
}

/// Names of distances and of angles, for what tables call them.
pub(super) const DISTANCE: [&str; 6] = ["distance", "length", "way", "step", "range", "s"];
pub(super) const ANGLE: [&str; 6] = ["angle", "slope", "inclination", "elevation", "dip", "pitch"];
