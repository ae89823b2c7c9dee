//! Finds slots: places where other parts of the ground leave a rolling ball no room.

use std::f64::consts::PI;

use curves::{Closest, Ground, JointKind, OSCULATING};
use nalgebra::Vector2;
use report::show::Facts;

use super::cleared;
use super::finding::{Finding, GroundPlace};

/// Maximum number of places tested.
const PLACES: f64 = 10_000.0;
/// Angle between places tested while the ball turns around a point, rad.
const TURN: f64 = PI / 16.0;
/// Maximum number of places on the arcs around corners.
const ON_ARCS: usize = 100_000;
/// Maximum number of parts of the ground examined: a formula that oscillates without end has no last one.
const PARTS: u64 = 2_000_000;
/// Number of parts that each place counts for, beside those near it.
const PLACE: u64 = 10;
/// Clearance, relative to the radius, up to which a ball does not fit: the tolerance of the search for contacts.
const FITS: f64 = 1e-9;
/// Tolerance for points explained by a corner, as a part of the radius.
const BESIDE: f64 = 1e-3;

/// One stretch of places at which other ground is closer to the centre than the radius.
struct NarrowPlaces {
    from: (usize, f64),
    to: (usize, f64),
    /// The narrowest place not explained by a corner or valley: piece and parameter, point, nearest point across,
    /// distance (m).
    narrowest: ((usize, f64), Vector2<f64>, Closest, f64),
    /// Whether there is such a place.
    counts: bool,
}

/// Finds the narrowest place of each stretch where other ground is in the way of a ball that rolls along the ground.
/// The next place tested is as far off as the ball has room, since nothing else is near before; without room it is a
/// 10 000th part of the ground or a 16th of a half turn on. The last finding tells where the search was given up, if it
/// was.
pub(super) fn slots(ground: &Ground, facts: &Facts, radius: f64) -> Vec<Finding> {
    let strands = ground.crossings().iter().map(|crossing| ground.strands(crossing, radius)).collect();
    let mut search = SlotSearch { ground, radius, strands, found: Vec::new(), open: None, looked: 0 };
    let least = facts.length / PLACES;
    // Distance that the centre may go before other ground can be near, m.
    let mut room = 0.0_f64;
    let mut given_up = None;
    'pieces: for (index, piece) in ground.pieces().iter().enumerate() {
        let Some(part) = facts.part_of(piece) else { continue };
        let mut s = part.lo;
        loop {
            let speeds = |s: f64| {
                let own = piece.curve().speed(s);
                (own, piece.curve().frame(s, radius).speed.abs().max(own))
            };
            let (_, speed) = speeds(s);
            if room > 0.0 {
                let next = s + room / speed;
                if !(next < part.hi) {
                    room -= (part.hi - s) * speed;
                    break;
                }
                s = next;
            }
            if search.looked > PARTS {
                let place = GroundPlace { s: ground.shown_parameter(index, s), point: piece.curve().point_at(s) };
                given_up = Some(Finding::no_more_slots(place));
                break 'pieces;
            }
            // Where the ground turns sharply the centre moves far: places are then an angle TURN apart, as around a
            // corner.
            let (own, speed) = speeds(s);
            let next = least.min(TURN / piece.jet(s).curvature().abs());
            room = search.look(index, s).max(next * speed / own);
        }
    }
    search.close();
    search.arcs();
    let findings = search.found.iter().map(|stretch| {
        let ((piece, s), point, across, width) = stretch.narrowest;
        let place = GroundPlace { s: ground.shown_parameter(piece, s), point };
        Finding::slot(place, cleared(across.point, facts), width, radius)
    });
    findings.chain(given_up).collect()
}

struct SlotSearch<'a> {
    ground: &'a Ground,
    radius: f64,
    /// Stretches of both strands left out at each crossing: from and to, as piece and parameter.
    strands: Vec<[[(usize, f64); 2]; 2]>,
    /// Stretches that count, in the order of the ground.
    found: Vec<NarrowPlaces>,
    open: Option<NarrowPlaces>,
    /// Number of parts of the ground examined.
    looked: u64,
}

impl SlotSearch<'_> {
    /// Tests the ball in contact at a place; returns the distance that its centre may go before the next test, m.
    fn look(&mut self, piece: usize, s: f64) -> f64 {
        self.looked += PLACE;
        let jet = self.ground.pieces()[piece].jet(s);
        if jet.curvature() * self.radius >= 1.0 - OSCULATING {
            self.close();
            return 0.0;
        }
        let centre = jet.point + self.radius * jet.normal();
        let around = self.ground.vicinity(centre, piece, s, [self.radius, 3.0 * self.radius], false);
        self.looked += u64::from(around.looked);
        let room = around.rest - self.radius;
        if room > FITS * self.radius {
            self.close();
            return room;
        }
        let mut across = self.ground.closest(centre);
        if across.piece == piece && around.domain.contains(across.parameter) {
            // Both points are equally close: from a centre a little farther off, only the other one is nearest.
            across = self.ground.closest(centre + 1e-6 * self.radius * jet.normal());
        }
        let width = (across.point - jet.point).norm();
        if room > -FITS * self.radius && width < self.radius {
            // The nearest ground continues this place, in a valley that the ball just fits.
            self.close();
            return room;
        }
        let here = (piece, s);
        let nothing =
            NarrowPlaces { from: here, to: here, narrowest: (here, jet.point, across, f64::INFINITY), counts: false };
        let mut stretch = self.open.take().unwrap_or(nothing);
        stretch.to = here;
        if width < stretch.narrowest.3 * (1.0 - FITS) && !self.explained(piece, s, jet.point, &across) {
            stretch.narrowest = (here, jet.point, across, width);
            stretch.counts = true;
        }
        self.open = Some(stretch);
        room
    }

    /// Ends the stretch and keeps its narrowest place, unless that was found from the other side already.
    fn close(&mut self) {
        let Some(stretch) = self.open.take().filter(|stretch| stretch.counts) else { return };
        let Closest { piece, parameter, .. } = stretch.narrowest.2;
        let there = (piece, parameter);
        let before = self.found.partition_point(|other| other.from <= there);
        if !self.found[..before].last().is_some_and(|other| there <= other.to) {
            self.found.push(stretch);
        }
    }

    /// Whether a concave corner or valley nearby, or a crossing of the two strands, explains the lack of room.
    fn explained(&self, piece: usize, s: f64, point: Vector2<f64>, across: &Closest) -> bool {
        let pieces = self.ground.pieces();
        let near = piece.saturating_sub(4)..(piece + 6).min(self.ground.joints().len());
        let corner = self.ground.joints()[near].iter().any(|joint| {
            let reach = self.radius * ((0.5 * joint.turn.min(PI - 1e-3)).tan() * (1.0 + 1e-6) + BESIDE);
            joint.kind == JointKind::Concave && (joint.point - point).norm() <= reach
        });
        let [from, to] = if (piece, s) <= (across.piece, across.parameter) {
            [(piece, s), (across.piece, across.parameter)]
        } else {
            [(across.piece, across.parameter), (piece, s)]
        };
        // At most about 100 pieces between the two places are examined.
        let stride = ((to.0 - from.0) / 100).max(1);
        let each = if to.0 == from.0 { 100 } else { 4 };
        let within = |[lo, hi]: [(usize, f64); 2], at| lo <= at && at <= hi;
        let apart = self.strands.iter().any(|[first, second]| within(*first, from) && within(*second, to));
        corner
            || apart
            || (from.0..=to.0).step_by(stride).any(|index| {
                let domain = pieces[index].domain();
                let lo = if index == from.0 { from.1 } else { domain.lo };
                let hi = if index == to.0 { to.1 } else { domain.hi };
                (0..=each).any(|i| {
                    let at = lo + (hi - lo) * f64::from(i) / f64::from(each);
                    pieces[index].jet(at).curvature() * self.radius >= 1.0 - OSCULATING
                })
            })
    }

    /// Tests the places of a ball that turns around convex corners.
    fn arcs(&mut self) {
        let joints = self.ground.joints().iter().filter(|joint| joint.kind == JointKind::Convex);
        let each = (ON_ARCS / joints.clone().count().max(1)).clamp(1, 16);
        for joint in joints {
            let (Some(before), Some(after)) = (joint.before, joint.after) else { continue };
            let piece = &self.ground.pieces()[before];
            let normal = piece.jet(piece.domain().hi).normal();
            for i in 0..=each {
                let (sine, cosine) = (joint.turn * i as f64 / each as f64).sin_cos();
                let turned = Vector2::new(cosine * normal.x - sine * normal.y, sine * normal.x + cosine * normal.y);
                let across = self.ground.closest(joint.point + self.radius * turned);
                if across.distance.abs() > self.radius * (1.0 - FITS) {
                    continue;
                }
                let start = (after, self.ground.pieces()[after].domain().lo);
                let width = (joint.point - across.point).norm();
                let known = |other: &NarrowPlaces| {
                    // Its ends belong to the next pieces as well.
                    let on = |piece: usize| other.from.0 <= piece + 1 && piece <= other.to.0 + 1;
                    on(before) || on(after) || on(across.piece)
                };
                let explained = self.explained(before, piece.domain().hi, joint.point, &across);
                if !explained && !self.found.iter().any(known) {
                    let narrowest = (start, joint.point, across, width);
                    self.found.push(NarrowPlaces { from: start, to: start, narrowest, counts: true });
                }
                break;
            }
        }
    }
}
