//! The plane in which a drawing in space extends: a profile that stands upright is drawn in x and z.

use super::dxf_entity::Group;

/// Entities whose points are in the world's coordinates; those of others are in their own plane.
const IN_SPACE: [&str; 3] = ["LINE", "VERTEX", "SPLINE"];

/// Which coordinate a group is, 1: y, 2: z, of points of such entities.
fn axis(code: i32) -> Option<usize> {
    match code {
        20..=23 => Some(1),
        30..=33 => Some(2),
        _ => None,
    }
}

/// The range of y and of z.
#[derive(Debug)]
pub(super) struct Plane {
    entity: bool,
    ranges: [(f64, f64); 2],
}

impl Plane {
    /// Of all groups of a drawing.
    pub fn of<'a>(groups: impl Iterator<Item = Group<'a>>) -> Self {
        let mut plane = Plane { entity: false, ranges: [(f64::INFINITY, f64::NEG_INFINITY); 2] };
        for group in groups {
            if group.code == 0 {
                plane.entity = IN_SPACE.contains(&group.value);
            } else if let (true, Some(axis), Ok(value)) = (plane.entity, axis(group.code), group.value.parse::<f64>()) {
                let (low, high) = &mut plane.ranges[axis - 1];
                (*low, *high) = (low.min(value), high.max(value));
            }
        }
        plane
    }

    /// Whether all of it has one y, and z changes.
    pub fn is_upright(&self) -> bool {
        let [(low, high), (down, up)] = self.ranges;
        low == high && down < up
    }
}

/// A group of an entity in an upright drawing, z for y.
pub(super) fn laid<'a>(group: Group<'a>, entity: &str) -> Group<'a> {
    let code = match (IN_SPACE.contains(&entity), axis(group.code)) {
        (true, Some(1)) => group.code + 10,
        (true, Some(_)) => group.code - 10,
        _ => group.code,
    };
    Group { code, ..group }
}
