//! `kugelbahn curves check`: finds corners, curvature jumps, narrow valleys and slots of a ground before a ball runs on
//! it.

mod drawing;
mod finding;
mod slots;

use std::fmt::Write;

use curves::{Ground, Joint, JointKind, OSCULATING};
use nalgebra::Vector2;
use report::show::{Facts, samples_of_a_piece, table};
use report::terminal::{Style, name_width, short_name};
use scenario::curve::Curve;
use scenario::input::short;
use scenario::{short_reaches, told_along, told_crowded};

pub use drawing::check_figure;
pub use finding::{Finding, GroundPlace};
pub use scenario::curve::Noise;

/// Findings of one kind that are listed one by one; of more, only the largest.
const TOLD: usize = 3;

/// Maximum number of crossings listed.
const CROSSINGS: usize = 12;

/// Curvature jumps below this part of the greatest curvature are no finding.
const JUMP: f64 = 1e-6;

/// Finds all that matters to a ball of this radius (m; 0: a point mass): noise first, then in the order of the ground.
pub fn findings(curve: &Curve, facts: &Facts, radius: f64) -> Vec<Finding> {
    let ground = &curve.ground;
    let scale = facts.curvature.lo.abs().max(facts.curvature.hi.abs());
    let mut found: Vec<Finding> = curve.info.noise.iter().map(Finding::noise).collect();
    found.extend(along(curve));
    let short = short_reaches(ground, radius);
    found.extend(short.map(|(crossing, told)| told_at(ground, "short-reach", crossing.point, told)));
    found.extend(ground.joints().iter().filter_map(|joint| at_joint(ground, joint, scale)));
    if radius > 0.0 {
        found.extend(narrowest(ground, facts, radius));
        found.extend(slots::slots(ground, facts, radius));
    }
    for place in found.iter_mut().filter_map(|finding| finding.place.as_mut()) {
        place.point = cleared(place.point, facts);
    }
    found
}

/// The point for output: coordinates within rounding of zero are zero.
fn cleared(point: Vector2<f64>, facts: &Facts) -> Vector2<f64> {
    let grain = 4.0 * f64::EPSILON * facts.length;
    point.map(|c| if c.abs() <= grain { 0.0 } else { c })
}

fn told_at(ground: &Ground, code: &'static str, point: Vector2<f64>, told: [String; 2]) -> Finding {
    let near = ground.closest(point);
    let place = GroundPlace { s: ground.shown_parameter(near.piece, near.parameter), point };
    Finding::new(code, place, 0.0, told)
}

/// The first two curves that coincide over a stretch, or the end up to which none were found.
fn along(curve: &Curve) -> Option<Finding> {
    let name = |index: usize| curve.curves.get(index).map_or("a curve", |(name, _)| &**name);
    let (point, told) = match curve.ground.lies_along(&[]) {
        Ok(along) => along.map(|along| (along.point, told_along(&along, &along.curves.map(name))))?,
        Err(crowd) => (crowd.point, told_crowded(&crowd, name(crowd.curve))),
    };
    Some(told_at(&curve.ground, "along", point, told))
}

/// Text on curves that coincide over a stretch, which scenarios refuse where each shape of a drawing is a curve.
pub fn lying_along(curve: &Curve, style: Style) -> String {
    let told = |finding: Finding| {
        let cure = style.faint(&format!("cure: {}", finding.cure));
        format!("\n{}: {}\n  {cure}\n", style.bold(finding.code), finding.cause)
    };
    along(curve).map_or(String::new(), told)
}

fn at_joint(ground: &Ground, joint: &Joint, scale: f64) -> Option<Finding> {
    let (before, after) = (joint.before?, joint.after?);
    let domain = ground.pieces()[after].domain();
    let place = GroundPlace { s: ground.shown_parameter(after, domain.lo), point: joint.point };
    match joint.kind {
        JointKind::Convex => Some(Finding::corner(place, joint.turn.abs())),
        JointKind::Concave => Some(Finding::concave_corner(place, joint.turn.abs())),
        JointKind::Smooth => {
            let end = &ground.pieces()[before];
            let before = end.jet(end.domain().hi).curvature();
            let after = ground.pieces()[after].jet(domain.lo).curvature();
            let jumps = (after - before).abs() > JUMP * scale;
            jumps.then(|| Finding::curvature_jump(place, before, after))
        }
        JointKind::End | JointKind::Infinite => None,
    }
}

/// The place of greatest curvature in each stretch with a radius not larger than the ball's, from samples.
fn narrowest(ground: &Ground, facts: &Facts, radius: f64) -> Vec<Finding> {
    let mut found: Vec<(f64, GroundPlace)> = Vec::new();
    let mut sharpest: Option<(f64, GroundPlace)> = None;
    // `from_start`: whether the first stretch begins at the start of the ground.
    let (mut looked, mut from_start) = (false, false);
    let each = samples_of_a_piece(ground.pieces().len());
    for (index, piece) in ground.pieces().iter().enumerate() {
        let Some(part) = facts.part_of(piece) else { continue };
        for i in 0..=each {
            let s = part.lo + part.width() * f64::from(i) / f64::from(each);
            let jet = piece.jet(s);
            let kappa = jet.curvature();
            // A lower bound within a stretch, so that rounding does not split it.
            let least = if sharpest.is_some() { 1.0 - 1.1 * OSCULATING } else { 1.0 - OSCULATING };
            let narrow = kappa * radius >= least;
            from_start |= narrow && !looked;
            looked = true;
            if !narrow {
                found.extend(sharpest.take());
            } else if sharpest.is_none_or(|(known, _)| kappa > known * (1.0 + 1e-9)) {
                sharpest = Some((kappa, GroundPlace { s: ground.shown_parameter(index, s), point: jet.point }));
            }
        }
    }
    // On a closed ground the last stretch may continue in the first.
    match (sharpest, found.first_mut()) {
        (Some(last), Some(first)) if from_start && ground.is_closed() => {
            if last.0 > first.0 * (1.0 + 1e-9) {
                *first = last;
            }
        }
        (last, _) => found.extend(last),
    }
    found.iter().map(|&(kappa, place)| Finding::narrow_valley(place, 1.0 / kappa, radius)).collect()
}

/// Maximum number of curves listed.
const LISTED: usize = 100;

/// Lists several curves with name, length and ends.
fn curves(out: &mut String, Curve { ground, curves, .. }: &Curve, style: Style) {
    if curves.is_empty() {
        return;
    }
    let width = name_width(5, curves.iter().take(LISTED).map(|(name, _)| name));
    let head = format!("{:<width$}  {:>10}  from and to, the free side on the left", "curve", "length [m]");
    let _ = writeln!(out, "\n{}", style.bold(&head));
    for (i, (name, _)) in curves.iter().enumerate().take(LISTED) {
        let pieces = &ground.pieces()[ground.pieces_of(i)];
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { continue };
        let at = |piece: &curves::Piece, s: f64| {
            let point = piece.curve().point_at(s);
            format!("({}, {})", short(point.x), short(point.y))
        };
        let ends = match ground.is_closed_curve(i) {
            true => format!("closed, through {}", at(first, first.domain().lo)),
            false => format!("{} to {}", at(first, first.domain().lo), at(last, last.domain().hi)),
        };
        let length = if first.domain().is_bounded() && last.domain().is_bounded() {
            short(ground.length_of(i))
        } else {
            "infinite".to_owned()
        };
        let _ = writeln!(out, "{:<width$}  {length:>10}  {ends}", short_name(name));
    }
    if let Some(more) = curves.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let _ = writeln!(out, "… {more} more");
    }
}

/// Lists the crossings of a curve with itself, and which strand a ball rolls on there.
fn crossings(out: &mut String, ground: &Ground, radius: f64, style: Style) {
    for (i, crossing) in ground.crossings().iter().enumerate().take(CROSSINGS) {
        let ([first, second], gate) = ground.shown_crossing(crossing);
        let [x, y, first, second, gate] = [crossing.point.x, crossing.point.y, first, second, gate].map(short);
        let name = style.bold(&format!("crossing {}", i + 1));
        let _ = writeln!(out, "{name} at ({x}, {y}), s = {first} and {second}: gate at s = {gate}");
        let shown = |(piece, s)| short(ground.shown_parameter(piece, s));
        let [a, b] = ground.strands(crossing, radius).map(|[from, to]| format!("s = {} to {}", shown(from), shown(to)));
        let why = format!("a ball before the gate does not meet {b}; one behind it, {a}");
        let _ = writeln!(out, "  {}", style.faint(&why));
    }
    if let Some(more) = ground.crossings().len().checked_sub(CROSSINGS).filter(|more| *more > 0) {
        let _ = writeln!(out, "… {more} more crossings");
    }
}

/// Text of `curves check` for a ball of this radius (m; 0: a point mass): facts, then findings with cause and cure.
pub fn check(curve: &Curve, facts: &Facts, found: &[Finding], radius: f64, style: Style) -> String {
    let mut out = format!("{}\n{}\n\n", style.bold(&curve.info.title), style.faint(&curve.info.kind));
    for note in &curve.info.notes {
        let _ = writeln!(out, "{note}\n");
    }
    table(&mut out, curve, facts, style);
    curves(&mut out, curve, style);
    crossings(&mut out, &curve.ground, radius, style);
    out.push('\n');
    if found.is_empty() {
        let _ = writeln!(out, "no findings: smooth all along, curvature without jumps");
        return out;
    }
    let mut codes: Vec<&str> = Vec::new();
    for finding in found {
        if !codes.contains(&finding.code) {
            codes.push(finding.code);
        }
    }
    for code in codes {
        let mut alike: Vec<&Finding> = found.iter().filter(|finding| finding.code == code).collect();
        let count = alike.len();
        if count > TOLD {
            alike.sort_by(|a, b| b.size.total_cmp(&a.size));
            alike.truncate(TOLD);
            let _ = writeln!(out, "{}: {count} of them, the {TOLD} largest are", style.bold(code));
        }
        for finding in &alike {
            let at = finding.place.map_or(String::new(), |place| at(curve, place));
            let _ = writeln!(out, "{}{at}: {}", style.bold(code), finding.cause);
            if count <= TOLD {
                let _ = writeln!(out, "  {}", style.faint(&format!("cure: {}", finding.cure)));
            }
        }
        if let Some(finding) = alike.first().filter(|_| count > TOLD) {
            let _ = writeln!(out, "  {}", style.faint(&format!("cure: {}", finding.cure)));
        }
    }
    out
}

/// Text of the place of a finding.
fn at(curve: &Curve, place: GroundPlace) -> String {
    // s repeats x on a graph, and is no place on several curves.
    let s = match curve.info.kind == "graph" || !curve.curves.is_empty() {
        true => String::new(),
        false => format!(", s = {}", short(place.s)),
    };
    format!(" at ({}, {}){s}", short(place.point.x), short(place.point.y))
}
