//! [`Course`]: path of a ball in the plane, thinned for drawing.

use supervisor::Phase;

/// Distance of neighbouring places below which one is left out, as a part of the picture; corners of the path stay.
const NEAR: f64 = 1e-3;
/// Maximum number of places of one ball; beyond it the older half is dropped.
const MOST: usize = 100_000;
/// Number of cells across the picture in which ink is counted, each about 4 points wide.
const CELLS: f64 = 100.0;
/// Largest part of the cells with a line in them: with more, lines could not be told apart.
const INK: f64 = 0.4;

#[derive(Clone, Copy, Debug)]
pub(super) struct CoursePlace {
    /// Time, s.
    pub time: f64,
    pub phase: Phase,
    /// Place, m.
    pub at: (f64, f64),
    /// Whether the path may have a corner here.
    corner: bool,
}

/// Places of a ball in the order of time, to the resolution of a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    places: Vec<CoursePlace>,
    /// Bounding box of all places added: left, right, low, high.
    extent: Option<[f64; 4]>,
}

fn apart(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

impl Course {
    /// Adds the ball's place at a later time.
    pub fn add(&mut self, time: f64, phase: Phase, at: (f64, f64)) {
        let [left, right, low, high] = self.extent.unwrap_or([at.0, at.0, at.1, at.1]);
        let [left, right, low, high] = [left.min(at.0), right.max(at.0), low.min(at.1), high.max(at.1)];
        self.extent = Some([left, right, low, high]);
        let near = NEAR * (right - left).max(high - low);
        let new = CoursePlace { time, phase, at, corner: false };
        match self.places.as_mut_slice() {
            [.., before, last]
                if !last.corner
                    && before.phase == phase
                    && last.phase == phase
                    && apart(before.at, at) < near
                    && apart(before.at, last.at) < near =>
            {
                *last = new;
            }
            _ => self.places.push(new),
        }
        if self.places.len() > MOST {
            self.places.drain(..MOST / 2);
        }
    }

    /// Marks the last place as a possible corner of the path.
    pub fn corner(&mut self) {
        if let Some(last) = self.places.last_mut() {
            last.corner = true;
        }
    }

    /// The places from one time to another, s.
    pub fn between(&self, from: f64, to: f64) -> &[CoursePlace] {
        let at = |time: f64| self.places.partition_point(|place| place.time < time);
        &self.places[at(from)..at(to).max(at(from))]
    }
}

/// Earliest time (s) from which on the paths cover at most [`INK`] of the box (left, right, low, high); `None`:
/// from the start.
pub(super) fn since(paths: &[&[CoursePlace]], [left, right, low, high]: [f64; 4]) -> Option<f64> {
    let cell = (right - left).max(high - low) / CELLS;
    let across = |size: f64| ((size / cell).ceil() as usize).clamp(1, CELLS as usize);
    let (columns, rows) = (across(right - left), across(high - low));
    if !(cell > 0.0 && cell.is_finite()) {
        return None;
    }
    let mut legs: Vec<[&CoursePlace; 2]> =
        paths.iter().flat_map(|path| path.windows(2)).map(|pair| [&pair[0], &pair[1]]).collect();
    legs.sort_by(|a, b| b[1].time.total_cmp(&a[1].time));
    let mut inked = vec![false; columns * rows];
    let mut left_over = (INK * inked.len() as f64) as usize;
    for [a, b] in legs {
        let steps = (apart(a.at, b.at) / cell).ceil().clamp(1.0, 4.0 * CELLS) as usize;
        for step in 0..=steps {
            let part = step as f64 / steps as f64;
            let (x, y) = (a.at.0 + part * (b.at.0 - a.at.0), a.at.1 + part * (b.at.1 - a.at.1));
            let (i, j) = ((x - left) / cell, (y - low) / cell);
            if !(0.0 <= i && i < columns as f64 && 0.0 <= j && j < rows as f64) {
                continue;
            }
            let ink = &mut inked[i as usize + columns * j as usize];
            if !*ink && left_over == 0 {
                return Some(b.time);
            }
            left_over -= usize::from(!*ink);
            *ink = true;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(places: impl Iterator<Item = (f64, f64)>) -> Course {
        let mut course = Course::default();
        places.enumerate().for_each(|(i, at)| course.add(i as f64, Phase::Flight, at));
        course
    }

    /// A repeated line keeps all of its path; lines that fill a box keep only the last ones.
    #[test]
    fn what_would_be_a_block_is_cut_to_its_end() {
        let shown = [-0.1, 1.1, -0.1, 1.1];
        let line = course((0..5000).map(|i| (f64::from(i % 2), 0.5)));
        assert_eq!(since(&[&line.places], shown), None);
        // Chords from side to side, at heights that fill the box.
        let block = course((0..5000).map(|i| (f64::from(i % 2), (0.618_034 * f64::from(i)).fract())));
        let from = since(&[&block.places], shown).unwrap_or(0.0);
        assert!(4900.0 < from && from < 4980.0, "{from}");
        assert_eq!(since(&[block.between(from, f64::INFINITY)], shown), None);
    }

    #[test]
    fn places_that_can_not_be_told_apart_are_one_but_corners_stay() {
        let mut course = Course::default();
        course.add(0.0, Phase::Flight, (0.0, 0.0));
        course.add(1.0, Phase::Flight, (1.0, 0.0));
        for i in 0..1000 {
            course.add(2.0 + f64::from(i), Phase::Flight, (1.0 + 1e-6 * f64::from(i), 0.0));
        }
        assert_eq!(course.places.len(), 3);
        assert_eq!(course.places.last().map(|place| place.time), Some(1001.0));
        course.corner();
        course.add(1002.0, Phase::Flight, (1.0, 0.0));
        course.add(1003.0, Phase::Sliding, (1.0, 0.0));
        assert_eq!(course.places.len(), 5);
    }
}
