//! Curves that could keep a search or a quadrature going almost without end.

use std::f64::consts::PI;
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicU64, Ordering};

use curves::{
    Arc, Graph, Ground, GroundError, Line, Motion, OffsetGround, Path, Piece, Place, Profile, SearchCount, Shape,
    arc_length,
};
use nalgebra::Vector2;
use numbers::{Expression, Interval, Number};

fn graph(y: &str, domain: Interval) -> Result<Ground, GroundError> {
    let y = Expression::parse(y, &["x"], &[]).expect("a formula");
    Ground::new(vec![Piece::of(Graph { y }, domain)])
}

/// The search for the closest point used to split such a curve for hours: most parts could hold a closer one.
#[test]
fn closest_point_of_a_curve_finer_than_rounding() {
    let ground = graph("0.1*cos(3e17*x)", Interval::REAL).expect("a ground near zero");
    for x in [0.5, 0.0, -40.0] {
        let from = Vector2::new(x, 0.13);
        let closest = ground.closest(from);
        assert!((closest.point - from).norm() < 0.031, "{closest:?}");
    }
}

#[test]
fn a_curve_finer_than_rounding_everywhere_is_no_ground() {
    let unit = Interval::new(0.0, 1.0);
    for (y, domain) in [
        ("0.1*cos(99999999999999999999999999*x)", Interval::REAL),
        ("0.1*cos(1e26*x)", Interval::new(0.0, f64::INFINITY)),
        ("0.1*cos(1e19*x)", unit),
    ] {
        let refused = graph(y, domain);
        assert!(matches!(refused, Err(GroundError::TooWild { .. })), "{y}: {refused:?}");
    }
    // A piece that is cut at tips is told by its own index.
    let refused = graph("sin(1e9*x)", Interval::new(-1e6, 1e6));
    assert!(matches!(refused, Err(GroundError::TooWild { piece: 0, .. })), "{refused:?}");
    // Sane where anything happens, whatever they are at 1e300.
    for y in ["sin(x)", "sin(x^2)", "0.1*sin(1e9*x)", "exp(-(1e12*(x-0.5))^2)", "1e300*x^2", "1e-300*x^2", "1e308*x"] {
        assert!(graph(y, Interval::REAL).is_ok(), "{y}");
    }
}

/// Bounds of `1 − κR` of first order took 150 000 enclosures a search.
#[test]
fn a_ball_that_almost_fills_its_circle() {
    let (radius, room) = (0.05, 1e-5);
    let (arc, length) = Arc::new(Vector2::new(0.0, 1.0), radius + room, 0.0, 2.0 * PI).expect("a circle");
    let ground = Ground::by_arc_length(vec![Piece::of(arc, Interval::new(0.0, length))]).expect("a ground");
    let offset = OffsetGround::new(Shared::new(ground), radius);
    for i in 0..20 {
        let angle = 0.33 * f64::from(i);
        let start = Motion {
            position: Vector2::new(0.0, 1.0) + 1e-6 * Vector2::new(angle.sin(), angle.cos()),
            velocity: Vector2::new(angle.cos(), angle.sin()),
            acceleration: Vector2::new(0.0, -9.81),
        };
        let path = Path::parabola(start, 1e-3);
        let mut count = SearchCount::default();
        let contact = offset.first_contact(&path, None, &mut count).expect("decided").expect("a contact");
        let away = |t: f64| (path.at(t).position - Vector2::new(0.0, 1.0)).norm() - room;
        assert!(away(contact.time).abs() < 1e-15, "{i}: gap {:e}", away(contact.time));
        // The path leaves the round room once.
        assert!(away(0.5 * contact.time) < 0.0 && away(0.999 * contact.time) < 0.0, "{i}: not the first");
        assert!(count.enclosures < 5_000, "{i}: {count:?}");
    }
}

#[derive(Debug)]
struct Counted {
    steepness: f64,
    evaluations: Shared<AtomicU64>,
}

impl Profile for Counted {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        [s, s.scale(self.steepness).sin()]
    }
}

/// Far from zero the slope of a steep wave is noise at its crest, which no halving of the interval removes.
#[test]
fn length_of_a_steep_wave_far_from_zero() {
    let steepness = 1400.0;
    let evaluations = Shared::new(AtomicU64::new(0));
    let wave = Counted { steepness, evaluations: evaluations.clone() };
    // Half a period: 2 √(1+k²) E(m)/k with 1 − m = 1/(1+k²), E by its series around m = 1 (DLMF 19.12.2).
    let rest = 1.0 / (1.0 + steepness * steepness);
    let l = (4.0 / rest.sqrt()).ln();
    let e = 1.0 + 0.5 * (l - 0.5) * rest + 3.0 / 16.0 * (l - 13.0 / 12.0) * rest * rest;
    let exact = 2.0 / steepness * e / rest.sqrt();
    for i in [0.0, 100.0, 10_000.0] {
        evaluations.store(0, Ordering::Relaxed);
        let length = arc_length(&wave, i * PI / steepness, (i + 1.0) * PI / steepness);
        // The ends are rounded, and the wave is steep there.
        let slack = 1e-14 + steepness * f64::EPSILON * i * PI / steepness;
        assert!((length - exact).abs() <= slack * exact, "{i}: off by {:e}", (length - exact) / exact);
        assert!(evaluations.load(Ordering::Relaxed) < 3_000, "{i}: {evaluations:?}");
    }
}

#[derive(Debug)]
struct CountedRing(Shared<AtomicU64>);

impl Profile for CountedRing {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.0.fetch_add(1, Ordering::Relaxed);
        let (sine, cosine) = s.sin_cos();
        [cosine.scale(0.02), sine.scale(-0.02)]
    }
}

/// A pin is loaded by some evaluations for each of its eight leaves: it took twice as many where tips were looked for anew, and axes tried
/// that a leaf runs against.
#[test]
fn a_pin_is_loaded_with_few_evaluations() {
    let evaluations = Shared::new(AtomicU64::new(0));
    let ring = Piece::new(CountedRing(evaluations.clone()), Interval::new(0.0, 2.0 * PI));
    let ground = Ground::new(vec![ring]).expect("a ring");
    let of_ground = evaluations.swap(0, Ordering::Relaxed);
    OffsetGround::new(ground.into(), 0.01);
    let of_offset = evaluations.load(Ordering::Relaxed);
    assert!(of_ground <= 80 && of_offset <= 150, "{of_ground} {of_offset}");
}

#[derive(Debug)]
struct CountedLine(Line, Shared<AtomicU64>);

impl Profile for CountedLine {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.point(s)
    }
    fn shape(&self) -> Option<Shape> {
        self.0.shape()
    }
}

/// Wherever a ball is known at once to be alone on its line, no second contact is found; of most places it is known, by one evaluation.
#[test]
fn a_ball_that_is_alone_on_its_line_touches_nothing_else() {
    let evaluations = Shared::new(AtomicU64::new(0));
    let points =
        [[-9.0, 2.0], [-1.0, 0.0], [0.0, 0.0], [0.2, -1.0], [3.0, -1.0], [3.5, 0.5], [9.0, 0.5]].map(Vector2::from);
    let line = |ends: &[Vector2<f64>]| {
        let (line, length) = Line::new(ends[0], ends[1]).expect("a line");
        Piece::new(CountedLine(line, evaluations.clone()), Interval::new(0.0, length))
    };
    let ground = Shared::new(Ground::new(points.windows(2).map(line).collect()).expect("a ground"));
    for radius in [0.0, 0.1, 0.6] {
        let offset = OffsetGround::new(ground.clone(), radius);
        let (mut alone, mut places) = (0, 0);
        for index in 0..points.len() - 1 {
            let length = ground.piece(index).domain().hi;
            for i in 0..=1000 {
                let place = Place::Piece { index, parameter: length * (f64::from(i) / 1000.0).powi(3) };
                let within = 1e-9 * f64::from(1 + i % 7);
                evaluations.store(0, Ordering::Relaxed);
                let known = offset.is_alone_on_line(place, within);
                assert!(evaluations.load(Ordering::Relaxed) <= 1);
                assert!(!known || offset.second_contact(place, within, -Vector2::x()).is_none(), "{radius} {place:?}");
                (alone, places) = (alone + u32::from(known), places + 1);
            }
        }
        assert!(2 * alone > places, "{radius}: {alone} of {places}");
    }
}

/// Bounds over parts of all lengths hold what they enclose, also where the ball almost fills a valley.
#[test]
fn bounds_hold_the_offset_curve() {
    let text =
        "0.09*sin(5.6*x+4.1) + 0.03*sin(2.2*x+4.6) - 0.3*exp(-((x+1.94)/0.047)^2) - 0.25*exp(-((x+1.585)/0.043)^2)";
    let y = Expression::parse(text, &["x"], &[]).expect("a formula");
    let piece = Piece::of(Graph { y }, Interval::REAL);
    let radius = 0.266;
    let mut seen = 0;
    for i in 0..20_000u32 {
        let lo = -4.0 + 0.000_4 * f64::from(i);
        let part = Interval::new(lo, lo + 0.7f64.powi((i % 23) as i32) * 3.0);
        for axis in [Vector2::x(), -Vector2::x(), Vector2::new(0.6, 0.8)] {
            let Some(bounds) = piece.curve().bounds(part, axis, radius) else { continue };
            seen += 1;
            for k in 0..=20 {
                let s = part.lo + part.width() * f64::from(k) / 20.0;
                let along = piece.jet(s).tangent().dot(&axis);
                // Seen against the direction of travel, the ball is on the other side.
                let frame = piece.curve().frame(s, radius.copysign(along));
                let bend = frame.curvature / along.powi(3);
                let slack = 1e-12 * (1.0 + bend.abs());
                let held = bounds.bend.lo - slack <= bend && bend <= bounds.bend.hi + slack;
                assert!(held, "{axis:?}, {s}: {bend} outside {bounds:?}");
            }
        }
    }
    assert!(seen > 10_000, "only {seen} parts are regular");
}

/// From a foot far away plain Newton ran to the end of the part, where the parabola through it made up a contact.
#[test]
fn newton_for_the_foot_stays_on_the_way_near_a_cusp() {
    let text = "0*x^2 + 0.09082590592952677*sin(5.6119071937472205*x+4.139737367985348) + 0.03166820080883893*sin(2.2100876475899565*x+4.649056303907527) + (-0.3004759564994523)*exp(-((x-(-1.9366871107253312))/0.004678509040818609)^2) + (-0.2504864137929844)*exp(-((x-(-1.5854685588414674))/0.04335721215113653)^2)";
    let y = Expression::parse(text, &["x"], &[]).expect("a formula");
    let ground = OffsetGround::new(
        Shared::new(Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)]).expect("")),
        0.2659932545854777,
    );
    let start = Motion {
        position: Vector2::new(-1.4119278897348952, 1.9287707180946962),
        velocity: Vector2::new(1.423336816557386, 0.03870153340506377),
        acceleration: Vector2::new(0.0, -9.81),
    };
    let mut count = SearchCount::default();
    let path = Path::parabola(start, 1.8556283022523583);
    let contact = ground.first_contact(&path, None, &mut count).expect("decided").expect("a contact");
    let gap = ground.gap(path.at(contact.time).position);
    assert!(gap.abs() < 1e-12, "gap {gap:e}, {contact:?}");
}
