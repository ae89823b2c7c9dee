//! Crossings of a line, located on the dense output.

use curves::{Interval, Rounding};
use supervisor::{Scene, Stretch};

use crate::Moment;

/// A line whose crossings by the ball's centre are located.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    axis: usize,
    value: f64,
}

/// The centre crosses a watched line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which: the first call of `watch` is 0.
    pub watch: usize,
    /// The ball then.
    pub moment: Moment,
    /// Whether it crosses towards larger coordinates.
    pub rising: bool,
}

/// Parts of a stretch looked at before the search gives up and takes the signs at their ends: a ball that stays on the line.
const BUDGET: u32 = 10_000;

impl Watch {
    /// The upright line at an abscissa, m.
    pub fn x(value: f64) -> Self {
        Watch { axis: 0, value }
    }

    /// The level line at a height, m.
    pub fn y(value: f64) -> Self {
        Watch { axis: 1, value }
    }

    /// Finds all crossings on a stretch: parts whose enclosure does not meet the line hold none, others are halved down to what the
    /// clock can tell. A ball that only touches the line does not cross it.
    pub(crate) fn look(&self, index: usize, scene: &Scene, stretch: &Stretch, found: &mut Vec<Crossing>) {
        let moment = |time: f64| Moment::of(scene, &stretch.at(time));
        let side = |time: f64| moment(time).position[self.axis] - self.value;
        let mut parts = vec![(stretch.from(), stretch.to())];
        let mut looked = 0;
        while let Some((from, to)) = parts.pop() {
            let meets = stretch.position_over(from, to).is_none_or(|over| {
                let carried = scene.forces.carriage().map(|carriage| carriage.at(Interval::new(from, to)).position);
                let origin = carried.map_or(Interval::point(0.0), |origin| origin[self.axis]);
                // The enclosure may be short of the value by the rounding of the frame's change.
                let over = over[self.axis] + origin;
                let slack = 4.0 * f64::EPSILON * over.magnitude();
                !(over.lo - slack > self.value || over.hi + slack < self.value)
            });
            looked += 1;
            if !meets {
                continue;
            }
            let (before, after) = (side(from), side(to));
            let crosses = before < 0.0 && after >= 0.0 || before > 0.0 && after <= 0.0;
            let middle = 0.5 * (from + to);
            let last = to - from <= Rounding::tick(to) || looked > BUDGET || !(from < middle && middle < to);
            if !last {
                parts.extend([(middle, to), (from, middle)]);
            } else if crosses {
                found.push(Crossing { watch: index, moment: moment(to), rising: before < 0.0 });
            }
        }
    }
}
