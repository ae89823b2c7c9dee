//! `kugelbahn curves check`: what a ball will find on a ground before it runs there.

mod drawing;
mod noise;
mod slots;

use std::fmt::Write;

use curves::{Ground, Joint, JointKind, SNUG};
use nalgebra::Vector2;

use crate::curve::Curve;
use crate::show::{Facts, samples_of_a_piece, short, table};
use crate::terminal::Style;

pub use drawing::check_svg;
pub use noise::Noise;

/// Findings of one kind that are told one by one.
const TOLD: usize = 12;

/// Curvature jumps smaller than this part of the greatest curvature are none.
const JUMP: f64 = 1e-6;

/// Something to know of a ground, with its code.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// `corner`: turns away from the ball.
    Corner {
        /// Where.
        place: Place,
        /// By this much, rad (> 0).
        turn: f64,
    },
    /// `concave-corner`: turns towards the ball.
    ConcaveCorner {
        /// Where.
        place: Place,
        /// By this much, rad (> 0).
        turn: f64,
    },
    /// `curvature-jump`: the tangent goes on, the curvature does not.
    CurvatureJump {
        /// Where.
        place: Place,
        /// κ before, 1/m.
        before: f64,
        /// κ after, 1/m.
        after: f64,
    },
    /// `narrow-valley`: turns more sharply than the ball.
    NarrowValley {
        /// The sharpest place.
        place: Place,
        /// Radius of the valley there, m.
        valley: f64,
        /// Radius of the ball, m.
        ball: f64,
    },
    /// `slot`: other parts of the ground leave the ball no room.
    Slot {
        /// The narrowest place.
        place: Place,
        /// The ground across, m.
        across: Vector2<f64>,
        /// Distance of both, m.
        width: f64,
        /// Radius of the ball, m.
        ball: f64,
    },
    /// `noise`: points that scatter about a smooth curve.
    Noise(Noise),
}

/// A place on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// As in outputs: x, the curve's own parameter, or arc length in m.
    pub s: f64,
    /// m
    pub point: Vector2<f64>,
}

impl Finding {
    /// The name of its kind, for reading by machine.
    pub fn code(&self) -> &'static str {
        match self {
            Finding::Corner { .. } => "corner",
            Finding::ConcaveCorner { .. } => "concave-corner",
            Finding::CurvatureJump { .. } => "curvature-jump",
            Finding::NarrowValley { .. } => "narrow-valley",
            Finding::Slot { .. } => "slot",
            Finding::Noise(_) => "noise",
        }
    }

    /// Where, if it is one place.
    pub fn place(&self) -> Option<Place> {
        match self {
            Finding::Corner { place, .. }
            | Finding::ConcaveCorner { place, .. }
            | Finding::CurvatureJump { place, .. }
            | Finding::NarrowValley { place, .. }
            | Finding::Slot { place, .. } => Some(*place),
            Finding::Noise(_) => None,
        }
    }

    /// What is there, in one line.
    pub fn cause(&self) -> String {
        match self {
            Finding::Corner { turn, .. } => format!("turns by {}° away from the ball", short(turn.to_degrees())),
            Finding::ConcaveCorner { turn, .. } => {
                format!("turns by {}° towards the ball, which hits it", short(turn.to_degrees()))
            }
            Finding::CurvatureJump { before, after, .. } => format!(
                "curvature jumps from {} to {} 1/m: the normal force by {} N per kg at 1 m/s",
                short(*before),
                short(*after),
                short(after - before)
            ),
            Finding::NarrowValley { valley, ball, .. } if is_snug(1.0 / valley, *ball) => format!(
                "a valley of radius {} m, the ball's own to a part of {SNUG:e}: it would touch along a stretch, and runs stop there",
                short(*valley)
            ),
            Finding::NarrowValley { valley, ball, .. } => {
                format!(
                    "a valley of radius {} m, but the ball's is {} m: it touches twice",
                    apart(*valley, *ball),
                    apart(*ball, *valley)
                )
            }
            Finding::Slot { across, width, ball, .. } => format!(
                "only {} m to the ground at ({}, {}), but the ball's diameter is {} m: it touches both, or does not come here",
                short(*width),
                short(across.x),
                short(across.y),
                short(2.0 * ball)
            ),
            Finding::Noise(noise) => noise.cause(),
        }
    }

    /// What to do about it, in one line.
    pub fn cure(&self) -> String {
        match self {
            Finding::Corner { .. } => {
                "nothing, if it is meant: a ball pivots on it, a point mass leaves; else put an arc between".to_owned()
            }
            Finding::ConcaveCorner { .. } => {
                "nothing, if it is meant: expect an impact; else put an arc between, wider than the ball".to_owned()
            }
            Finding::CurvatureJump { .. } => {
                "nothing, if forces may jump; else a `spline` or `bezier` that eases the curvature in".to_owned()
            }
            Finding::NarrowValley { valley, ball, .. } if is_snug(1.0 / valley, *ball) => {
                format!("a radius that differs by more than a part of {SNUG:e}")
            }
            Finding::NarrowValley { valley, ball, .. } => {
                format!("a ball of radius below {} m, or a wider valley", apart(*valley, *ball))
            }
            Finding::Slot { width, .. } => {
                format!("nothing, if it is meant; a ball of radius below {} m, or more room", short(0.5 * width))
            }
            Finding::Noise(noise) => noise.cure(),
        }
    }
}

/// What a ball of a radius in m (0: a point mass) will find, in the order of the ground; noise comes first.
pub fn findings(curve: &Curve, facts: &Facts, radius: f64) -> Vec<Finding> {
    let ground = &curve.ground;
    let scale = facts.curvature.lo.abs().max(facts.curvature.hi.abs());
    let mut found: Vec<Finding> = curve.noise.iter().map(|noise| Finding::Noise(*noise)).collect();
    found.extend(ground.joints().iter().filter_map(|joint| at_joint(ground, joint, scale)));
    if radius > 0.0 {
        found.extend(narrowest(ground, facts, radius));
        found.extend(slots::slots(ground, facts, radius));
    }
    // What rounding leaves of a zero is told as zero.
    let grain = 4.0 * f64::EPSILON * facts.length;
    let told = |point: &mut Vector2<f64>| *point = point.map(|c| if c.abs() <= grain { 0.0 } else { c });
    for finding in &mut found {
        match finding {
            Finding::Corner { place, .. }
            | Finding::ConcaveCorner { place, .. }
            | Finding::CurvatureJump { place, .. }
            | Finding::NarrowValley { place, .. } => told(&mut place.point),
            Finding::Slot { place, across, .. } => {
                told(&mut place.point);
                told(across);
            }
            Finding::Noise(_) => {}
        }
    }
    found
}

fn at_joint(ground: &Ground, joint: &Joint, scale: f64) -> Option<Finding> {
    let (before, after) = (joint.before?, joint.after?);
    let domain = ground.pieces()[after].domain();
    let place = Place { s: ground.shown_parameter(after, domain.lo), point: joint.point };
    match joint.kind {
        JointKind::Convex => Some(Finding::Corner { place, turn: joint.turn.abs() }),
        JointKind::Concave => Some(Finding::ConcaveCorner { place, turn: joint.turn.abs() }),
        JointKind::Smooth => {
            let end = &ground.pieces()[before];
            let before = end.jet(end.domain().hi).curvature();
            let after = ground.pieces()[after].jet(domain.lo).curvature();
            let jumps = (after - before).abs() > JUMP * scale;
            jumps.then_some(Finding::CurvatureJump { place, before, after })
        }
        JointKind::End | JointKind::Infinite => None,
    }
}

/// A number so that it can be told from another one.
fn apart(value: f64, other: f64) -> String {
    if short(value) == short(other) { value.to_string() } else { short(value) }
}

/// Whether a ball fits a valley of curvature κ (1/m), as runs see it.
fn is_snug(curvature: f64, radius: f64) -> bool {
    (curvature * radius - 1.0).abs() <= SNUG
}

/// The sharpest place of each stretch in which a ball touches more than once, or fits, from samples.
fn narrowest(ground: &Ground, facts: &Facts, radius: f64) -> Vec<Finding> {
    let mut found: Vec<(f64, Place)> = Vec::new();
    let mut sharpest: Option<(f64, Place)> = None;
    // Whether the first stretch begins where the ground does.
    let (mut looked, mut from_start) = (false, false);
    let each = samples_of_a_piece(ground.pieces().len());
    for (index, piece) in ground.pieces().iter().enumerate() {
        let Some(part) = facts.part_of(piece) else { continue };
        for i in 0..=each {
            let s = part.lo + part.width() * f64::from(i) / f64::from(each);
            let jet = piece.jet(s);
            let kappa = jet.curvature();
            // A stretch that has begun goes on over what rounding makes of it.
            let least = if sharpest.is_some() { 1.0 - 1.1 * SNUG } else { 1.0 - SNUG };
            let narrow = kappa * radius >= least;
            from_start |= narrow && !looked;
            looked = true;
            if !narrow {
                found.extend(sharpest.take());
            } else if sharpest.is_none_or(|(known, _)| kappa > known * (1.0 + 1e-9)) {
                sharpest = Some((kappa, Place { s: ground.shown_parameter(index, s), point: jet.point }));
            }
        }
    }
    // The last stretch of a closed ground may be the beginning of the first.
    match (sharpest, found.first_mut()) {
        (Some(last), Some(first)) if from_start && ground.is_closed() => {
            if last.0 > first.0 * (1.0 + 1e-9) {
                *first = last;
            }
        }
        (last, _) => found.extend(last),
    }
    found.iter().map(|&(kappa, place)| Finding::NarrowValley { place, valley: 1.0 / kappa, ball: radius }).collect()
}

/// What `curves check` prints: the facts, then the findings, each with one line for the cause and one for the cure.
pub fn check(curve: &Curve, facts: &Facts, found: &[Finding], style: Style) -> String {
    let mut out = format!("{}\n{}\n\n", style.bold(&curve.title), style.faint(&curve.kind));
    for note in &curve.notes {
        let _ = writeln!(out, "{note}\n");
    }
    table(&mut out, curve, facts, style);
    out.push('\n');
    if found.is_empty() {
        let _ = writeln!(out, "no findings: smooth all along, curvature without jumps");
        return out;
    }
    let mut told: Vec<(&str, usize)> = Vec::new();
    for finding in found {
        let code = finding.code();
        let count = match told.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                told.push((code, 1));
                1
            }
        };
        if count > TOLD {
            continue;
        }
        let at = finding.place().map_or(String::new(), |place| {
            // Of a graph s is x.
            let s = match curve.kind == "graph" {
                true => String::new(),
                false => format!(", s = {}", short(place.s)),
            };
            format!(" at ({}, {}){s}", short(place.point.x), short(place.point.y))
        });
        let _ = writeln!(out, "{}{at}: {}", style.bold(code), finding.cause());
        let _ = writeln!(out, "  {}", style.faint(&format!("cure: {}", finding.cure())));
    }
    for (code, count) in told.into_iter().filter(|(_, count)| *count > TOLD) {
        let _ = writeln!(out, "… {} more: {code}", count - TOLD);
    }
    out
}
