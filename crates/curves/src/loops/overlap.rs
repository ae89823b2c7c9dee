//! Overlap of a ball that touches one strand of a crossing with the other.

use std::collections::HashSet;
use std::f64::consts::FRAC_PI_2;
use std::hash::{BuildHasherDefault, Hasher};

use nalgebra::Vector2;

use crate::ground::chains::At;
use crate::{Ground, turn_left};

/// Steps of a walk, per way between both passages.
const STEPS: f64 = 1000.0;
/// Centres put between two steps, at most: around a corner they lie on an arc.
const BETWEEN: f64 = 1000.0;
/// Pairs of a centre and a point that are looked at, at most: a ball far larger than the loop overlaps all of it.
const PAIRS: usize = 1 << 20;

/// A point of a strand, m, and its normal.
#[derive(Clone, Copy)]
struct Station {
    at: At,
    point: Vector2<f64>,
    normal: Vector2<f64>,
    /// Way from the passage, m; negative: back.
    way: f64,
}

/// A strand from its passage on, step by step either way, as far as its curve goes or to the gate.
pub(super) struct StrandWalk<'a> {
    ground: &'a Ground,
    gate: At,
    /// Whether the gate lies ahead, not behind.
    ahead: bool,
    /// Way between both passages, m.
    whole: f64,
    /// Radius of the ball, m; negative: it is on the back.
    radius: f64,
    /// Stations backwards and forwards from the passage, which both have.
    ways: [Vec<Station>; 2],
}

impl<'a> StrandWalk<'a> {
    /// A walk from a passage, with a gate that lies `ahead` or behind, of a crossing with so long a way (m) between its passages.
    pub fn new(ground: &'a Ground, from: At, gate: At, ahead: bool, whole: f64, radius: f64) -> Self {
        let mut walk = StrandWalk { ground, gate, ahead, whole, radius, ways: [Vec::new(), Vec::new()] };
        let passage = walk.station(from, 0.0);
        walk.ways = [vec![passage], vec![passage]];
        walk
    }

    fn station(&self, at: At, way: f64) -> Station {
        let jet = self.ground.piece(at.0).jet(at.1);
        Station { at, point: jet.point, normal: turn_left(jet.tangent()), way }
    }

    fn centre(&self, station: &Station) -> Vector2<f64> {
        station.point + self.radius * station.normal
    }

    /// The station so many steps from the passage.
    fn at(&mut self, index: isize) -> Option<Station> {
        let (way, count) = (usize::from(index > 0), index.unsigned_abs());
        while self.ways[way].len() <= count {
            let last = *self.ways[way].last()?;
            let mut next = self.station(self.beside(last.at, way == 1)?, last.way);
            next.way += (next.point - last.point).norm() * if way == 1 { 1.0 } else { -1.0 };
            let apart = (self.centre(&next) - self.centre(&last)).norm();
            let parts = (apart * STEPS / self.whole).ceil().clamp(1.0, BETWEEN);
            let between = (1..parts as usize).map(|i| {
                let part = i as f64 / parts;
                let normal = (last.normal + (next.normal - last.normal) * part).normalize();
                Station { point: last.point + (next.point - last.point) * part, normal, ..next }
            });
            self.ways[way].extend(between.chain([next]));
        }
        self.ways[way].get(count).copied()
    }

    /// A place some step further; `None` at the gate and at the end of the curve.
    fn beside(&self, (piece, s): At, forward: bool) -> Option<At> {
        let ground = self.ground;
        let (part, pieces) = (ground.piece(piece), &ground.chain(piece).pieces);
        let stops = forward == self.ahead;
        if stops && (piece, s) == self.gate {
            return None;
        }
        let end = if stops && piece == self.gate.0 { self.gate.1 } else { part.end(forward) };
        if s == end {
            let next = if forward { piece + 1 } else { piece.checked_sub(1)? };
            return pieces.contains(&next).then(|| (next, ground.piece(next).end(!forward)));
        }
        let here = part.jet(s);
        let step = self.whole / STEPS;
        let mut way = step / here.speed() * if forward { 1.0 } else { -1.0 };
        loop {
            let to = if way.abs() < (end - s).abs() { s + way } else { end };
            if (part.curve().point_at(to) - here.point).norm() <= 1.5 * step || to == s {
                return (to != s).then_some((piece, to));
            }
            way = 0.5 * (to - s);
        }
    }
}

/// Hash of a pair of indices by a multiplication each (Knuth, The Art of Computer Programming 3, 6.4): they are many, and nobody chose them
/// to collide.
#[derive(Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_isize(isize::from(*byte as i8)));
    }

    fn write_isize(&mut self, index: isize) {
        self.0 = (self.0.rotate_left(32) ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// Ends of what a ball that touches the strand `on` all but overlaps of the other one, joined to the crossing. Pairs of its centre and a
/// point nearer than its radius and 1 % of the way between the passages are gone over from neighbour to neighbour. Ground that a ball
/// fits turns by a right angle on a quarter of its circumference at least: so far it is the ball's own.
pub(super) fn overlapped(walks: &mut [StrandWalk; 2], on: usize) -> [At; 2] {
    let [one, two] = walks;
    let [ball, strand] = if on == 0 { [one, two] } else { [two, one] };
    let (near, sign) = (ball.radius.abs() + 0.01 * ball.whole, if on == 0 { 1.0 } else { -1.0 });
    let (mut open, mut found) = (vec![(0, 0)], [0, 0]);
    let mut seen: HashSet<(isize, isize), BuildHasherDefault<PairHasher>> = HashSet::from_iter([(0, 0)]);
    while let Some((i, j)) = open.pop() {
        let (Some(touches), Some(other)) = (ball.at(i), strand.at(j)) else { continue };
        let along = ball.whole + sign * (other.way - touches.way);
        if !((ball.centre(&touches) - other.point).norm() < near && along > FRAC_PI_2 * near) {
            continue;
        }
        found = [j.min(found[0]), j.max(found[1])];
        let beside = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)];
        open.extend(beside.into_iter().filter(|pair| seen.len() < PAIRS && seen.insert(*pair)));
    }
    found.map(|j| strand.ways[usize::from(j > 0)][j.unsigned_abs()].at)
}
