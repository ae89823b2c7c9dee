//! That nothing came before a first contact, proven with interval arithmetic written here alone.

use std::ops::{Add, Mul, Sub};
use std::sync::Arc;

use curves::{OffsetGround, Path};

use crate::flights::{self, Flight, Rng, Scene, Shape};

/// `[lo, hi]`, widened by two ulps after every operation.
#[derive(Clone, Copy, Debug)]
struct Range {
    lo: f64,
    hi: f64,
}

fn wide(lo: f64, hi: f64) -> Range {
    let grow = |x: f64| 2.0 * f64::EPSILON * x.abs() + f64::MIN_POSITIVE;
    Range { lo: lo - grow(lo), hi: hi + grow(hi) }
}

impl Range {
    fn point(x: f64) -> Range {
        Range { lo: x, hi: x }
    }
    fn square(self) -> Range {
        let (a, b) = (self.lo * self.lo, self.hi * self.hi);
        if self.lo <= 0.0 && self.hi >= 0.0 { wide(0.0, a.max(b)) } else { wide(a.min(b), a.max(b)) }
    }
    fn exp(self) -> Range {
        wide(self.lo.exp(), self.hi.exp())
    }
    fn sin(self) -> Range {
        let (a, b) = (self.lo.sin(), self.hi.sin());
        // Whether an angle `at + 2πn` lies within, rounding included.
        let holds = |at: f64| {
            let turn = std::f64::consts::TAU;
            let first = at + turn * ((self.lo - 1e-9 - at) / turn).ceil();
            first <= self.hi + 1e-9
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let lo = if holds(-quarter) { -1.0 } else { a.min(b) };
        let hi = if holds(quarter) { 1.0 } else { a.max(b) };
        wide(lo, hi)
    }
    fn cos(self) -> Range {
        (self + Range::point(std::f64::consts::FRAC_PI_2)).sin()
    }
}

impl Add for Range {
    type Output = Range;
    fn add(self, other: Range) -> Range {
        wide(self.lo + other.lo, self.hi + other.hi)
    }
}
impl Sub for Range {
    type Output = Range;
    fn sub(self, other: Range) -> Range {
        wide(self.lo - other.hi, self.hi - other.lo)
    }
}
impl Mul for Range {
    type Output = Range;
    fn mul(self, other: Range) -> Range {
        let all = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        wide(all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }
}

/// Height of a graph and its slope over a range of x.
fn height(scene: &Scene, x: Range) -> Option<(Range, Range)> {
    let Shape::Graph { waves, bumps, square } = &scene.shape else { return None };
    let number = Range::point;
    let (mut y, mut slope) = (number(*square) * x.square(), number(2.0 * square) * x);
    for [a, k, p] in waves {
        let phase = number(*k) * x + number(*p);
        y = y + number(*a) * phase.sin();
        slope = slope + number(*a) * number(*k) * phase.cos();
    }
    for [b, c, w] in bumps {
        let away = (x - number(*c)) * (number(1.0) * wide(1.0 / w, 1.0 / w));
        let bump = number(*b) * (number(0.0) - away.square()).exp();
        y = y + bump;
        slope = slope + number(-2.0) * away * wide(1.0 / w, 1.0 / w) * bump;
    }
    Some((y, slope))
}

/// Gap `y(t) − h(x(t))` and its rate over a range of time.
fn gap(scene: &Scene, flight: &Flight, t: Range) -> Option<(Range, Range)> {
    let start = flight.start;
    let number = Range::point;
    let along = |i: usize| {
        let (q, v, a) = (number(start.position[i]), number(start.velocity[i]), number(start.acceleration[i]));
        // Both forms enclose; the second is narrow where the first is not.
        (q + t * (v + number(0.5) * t * a), v + t * a)
    };
    let ((x, vx), (y, vy)) = (along(0), along(1));
    let (ground, slope) = height(scene, x)?;
    Some((y - ground, vy - slope * vx))
}

/// Whether `gap > 0` on all of `(from, to)`: directly, or where it vanishes at an end, by its rate.
///
/// `from` may be on the ground (then the gap must rise from there) and `to` is where a contact was found (then it must
/// fall to there); rounding of those two roots is `slack`.
fn nothing_between(scene: &Scene, flight: &Flight, from: f64, to: f64, slack: f64) -> Result<(), String> {
    let mut stack = vec![(from, to)];
    let mut parts = 0;
    while let Some((a, b)) = stack.pop() {
        parts += 1;
        let Some((value, rate)) = gap(scene, flight, Range { lo: a, hi: b }) else {
            return Err("not a graph".to_owned());
        };
        if value.lo > 0.0 {
            continue;
        }
        // A monotone gap that is no more than rounding below zero at the end where it is least.
        let at = |t: f64| gap(scene, flight, Range::point(t)).map_or(f64::NAN, |(value, _)| value.hi);
        if rate.lo > 0.0 && at(a) >= -slack || rate.hi < 0.0 && at(b) >= -slack {
            continue;
        }
        let middle = 0.5 * (a + b);
        if parts > 2_000_000 || middle <= a || b <= middle {
            return Err(format!("gap within [{:e}, {:e}] on [{a}, {b}]", value.lo, value.hi));
        }
        stack.push((middle, b));
        stack.push((a, middle));
    }
    Ok(())
}

/// 1000 random flights over 50 random graphs: before each contact, and on flights without one, there is nothing.
#[test]
fn nothing_came_earlier() {
    let (mut flown, mut hits) = (0, 0);
    for number in 0..50 {
        let mut rng = Rng::new(77_000 + number);
        let scene = flights::graph(&mut rng);
        let ground = scene.build().expect("a ground");
        let offset = OffsetGround::new(Arc::new(ground), 0.0);
        for _ in 0..20 {
            let flight = scene.flight(&mut rng, &offset);
            let path = Path::parabola(flight.start, flight.duration);
            let found = offset.first_contact(&path, None, &mut Default::default()).expect("decided");
            let until = found.as_ref().map_or(flight.duration, |contact| contact.time);
            flown += 1;
            hits += usize::from(found.is_some());
            if let Err(why) = nothing_between(&scene, &flight, 0.0, until, 1e-12) {
                panic!("{number}: {why}; {scene:?}, {flight:?}, {found:?}");
            }
        }
    }
    println!("{flown} flights, {hits} contacts, nothing before any");
    assert!(flown == 1000 && hits > 500, "{hits} of {flown}");
}

/// The exclusion itself is no rubber stamp: past a contact it fails.
#[test]
fn exclusion_sees_a_contact() {
    let mut seen = 0;
    for number in 0..20 {
        let mut rng = Rng::new(78_000 + number);
        let scene = flights::graph(&mut rng);
        let offset = OffsetGround::new(Arc::new(scene.build().expect("a ground")), 0.0);
        let flight = scene.flight(&mut rng, &offset);
        let path = Path::parabola(flight.start, flight.duration);
        if let Some(contact) = offset.first_contact(&path, None, &mut Default::default()).expect("decided") {
            let beyond = contact.time * (1.0 + 1e-6) + 1e-6;
            assert!(nothing_between(&scene, &flight, 0.0, beyond, 1e-12).is_err(), "{scene:?} {flight:?}");
            seen += 1;
        }
    }
    assert!(seen > 8, "{seen}");
}
