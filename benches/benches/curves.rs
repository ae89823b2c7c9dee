//! The group `contact-search`: closest point and first contact by kind of ground and by the number of its pieces; loading of
//! long tracks.

#![allow(missing_docs, clippy::panic, reason = "a bench prints what it measured, and stops on an error")]

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use benches::Sine;
use benches::table::Table;
use criterion::{BenchmarkId, Criterion};
use curves::{Ground, Motion, OffsetGround, Path, SearchCount};
use kugelbahn::curve::{curve_from_text, load_curve};
use nalgebra::Vector2;

/// Radius of the ball, m; that of the floors' ball is 0.
const RADIUS: f64 = 0.03;
/// The floors' ground: A = 0.1 m, k = π/m.
const SINE: &str = "kind = 'graph'\ny = '0.1*sin(pi*x)'";
const FLOOR: Sine = Sine { amplitude: 0.1, wavenumber: std::f64::consts::PI };
/// Speed of the flights, m/s.
const FORWARD: f64 = 0.7;
/// Distance of neighbouring pins, m.
const PITCH: f64 = 0.15;
/// Queries of a measurement.
const QUERIES: usize = 200;
/// Numbers of pieces.
const SIZES: [usize; 3] = [10, 1_000, 100_000];

/// A profile of the folder for each kind.
const KINDS: [(&str, &str); 15] = [
    ("graph", "sine"),
    ("parametric", "cycloid-bowl"),
    ("line", "incline"),
    ("circle", "circle-bowl"),
    ("arc in composite", "half-pipe"),
    ("ellipse", "ellipse-bowl"),
    ("polyline", "stairs"),
    ("spline", "spline-hills"),
    ("smoothing-spline", "surveyed-slope"),
    ("bezier", "bezier-ramp"),
    ("csv", "measured-hill"),
    ("svg", "drawn-track"),
    ("offset", "raised-waves"),
    ("transform", "mirrored-ramp"),
    ("composite", "patched-track"),
];

fn folder() -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../curves")
}

fn ground(text: &str) -> Ground {
    match curve_from_text(text, &folder()) {
        Ok(curve) => curve.ground,
        Err(error) => panic!("{error}"),
    }
}

/// Waves of 1 m and 0.1 m through n + 1 points, ten a metre.
fn waves(kind: &str, n: usize) -> String {
    let points = (0..=n).map(|i| 0.1 * i as f64).fold(String::new(), |mut text, x| {
        let _ = write!(text, "[{x:.1}, {:.6}], ", 0.1 * (6.3 * x).sin());
        text
    });
    format!("kind = '{kind}'\npoints = [{points}]")
}

/// A composite of n lines and arcs.
fn composite(n: usize) -> String {
    let mut text = String::from("kind = 'composite'\npieces = [\n");
    for i in 0..n {
        let x = (i / 2) as f64 * 3.0;
        let _ = match i % 2 {
            0 => writeln!(text, "{{ kind = 'line', from = [{x}, 0], to = [{}, 0] }},", x + 1.0),
            _ => writeln!(text, "{{ kind = 'arc', centre = [{}, 0], radius = 1, from = '-pi', to = 0 }},", x + 2.0),
        };
    }
    text + "]"
}

/// A ball thrown from a point.
fn thrown(q: &Vector2<f64>) -> Path {
    let start = Motion { position: *q, velocity: Vector2::new(FORWARD, 0.0), acceleration: Vector2::new(0.0, -9.81) };
    Path::parabola(start, 1.0)
}

/// n round pins, a curve each, on a square board.
fn pins(n: usize) -> Ground {
    let side = (n as f64).sqrt().ceil() as usize;
    let pin = |i: usize| {
        let [x, y] = [i % side, i / side].map(|place| PITCH * place as f64);
        ground(&format!("kind = 'circle'\ncentre = [{x}, {y}]\nradius = 0.02\nside = 'outside'"))
    };
    Ground::of_curves((0..n).map(pin).collect()).unwrap_or_else(|| panic!("pins"))
}

struct Track {
    offset: OffsetGround,
    points: Vec<Vector2<f64>>,
    paths: Vec<Path>,
}

impl Track {
    /// Points and flights spread over all of the ground, the same for every size.
    fn new(ground: Ground) -> Track {
        Track::with_radius(ground, RADIUS)
    }

    fn with_radius(ground: Ground, radius: f64) -> Track {
        let (first, last) = (&ground.pieces()[0], &ground.pieces()[ground.pieces().len() - 1]);
        let (left, right) = (
            first.curve().point_at(first.domain().lo.max(-5.0)).x,
            last.curve().point_at(last.domain().hi.min(5.0f64.max(last.domain().lo))).x,
        );
        let at = |i: usize| left + (right - left) * ((i as f64 + 0.5) * 0.618_033_988_749_894_9).fract();
        let offset = OffsetGround::new(ground.into(), radius);
        let place = |i: usize| {
            let x = at(i);
            let below = offset
                .ground()
                .above(x)
                .iter()
                .map(|upright| offset.ground().point(upright.from).y)
                .fold(f64::NEG_INFINITY, f64::max);
            Vector2::new(x, below.max(-1e3) + 0.5)
        };
        let points: Vec<Vector2<f64>> = (0..QUERIES).map(place).collect();
        let paths = points.iter().map(thrown).collect();
        Track { offset, points, paths }
    }

    /// Flights over a board of n round pins, curves of their own.
    fn over_pins(pins: Ground, n: usize) -> Track {
        let side = (n as f64).sqrt();
        let cell = |i: usize, part: f64| ((i as f64 + 0.5) * part).fract() * side;
        // From the middle between four pins.
        let point = |i: usize| {
            let [x, y] = [cell(i, 0.618_033_988_749_894_9), cell(i, 0.754_877_666_246_692_8)];
            PITCH * Vector2::new(x.floor() + 0.5, y.floor() + 0.5)
        };
        let points: Vec<Vector2<f64>> = (0..QUERIES).map(point).collect();
        Track { offset: OffsetGround::new(pins.into(), RADIUS), paths: points.iter().map(thrown).collect(), points }
    }

    fn closest(&self) {
        self.points.iter().for_each(|q| {
            black_box(self.offset.ground().closest(*q));
        });
    }

    fn first_contact(&self) {
        let mut count = SearchCount::default();
        self.paths.iter().for_each(|path| {
            let _ = black_box(self.offset.first_contact(path, None, &mut count));
        });
    }

    fn closest_floor(&self) {
        let floor = black_box(FLOOR);
        self.points.iter().for_each(|q| {
            black_box(floor.closest(q.x, q.y));
        });
    }

    fn contact_floor(&self) {
        let floor = black_box(FLOOR);
        self.points.iter().for_each(|q| {
            black_box(floor.contact(q.x, q.y, FORWARD, 0.0));
        });
    }

    /// Proves that the searches find what their floors find.
    fn prove(&self) {
        for (q, path) in self.points.iter().zip(&self.paths) {
            let off = (self.offset.ground().closest(*q).point.x - FLOOR.closest(q.x, q.y)).abs();
            assert!(off < 1e-9, "closest point of {q}: {off:e}");
            let found = match self.offset.first_contact(path, None, &mut SearchCount::default()) {
                Ok(Some(contact)) => contact.time,
                other => panic!("first contact from {q}: {other:?}"),
            };
            let off = (found - FLOOR.contact(q.x, q.y, FORWARD, 0.0).0).abs();
            assert!(off < 1e-12, "first contact from {q}: {off:e}");
        }
    }
}

fn named(kind: &str) -> Track {
    match load_curve(&folder().join(format!("{kind}.toml")), &kugelbahn::scenario::Methods::builtin()) {
        Ok(curve) => Track::new(curve.ground),
        Err(error) => panic!("{kind}: {error}"),
    }
}

fn ratios(track: &Track) {
    let mut table = Table::of("curves");
    let queries = QUERIES as u64;
    table.pair("closest point of a sine", "", queries, || track.closest(), || track.closest_floor());
    table.pair("first contact of a point and a sine", "", queries, || track.first_contact(), || track.contact_floor());
    kinds_and_sizes(&mut table);
    table.record();
}

/// Queries on each kind of ground, and on many pieces, with their loading.
fn kinds_and_sizes(table: &mut Table) {
    let queries = QUERIES as u64;
    let mut each = |name: &str, track: &Track| {
        table.alone(&format!("closest point, {name}"), "", queries, || track.closest());
        table.alone(&format!("first contact, {name}"), "", queries, || track.first_contact());
    };
    for (kind, name) in KINDS {
        each(&format!("{kind} (`{name}`)"), &named(name));
    }
    for n in SIZES {
        for (kind, text) in
            [("polyline", waves("polyline", n)), ("spline", waves("spline", n)), ("composite", composite(n))]
        {
            each(&format!("{kind} of {n} pieces"), &Track::new(ground(&text)));
        }
        each(&format!("{n} pins"), &Track::over_pins(pins(n), n));
    }
    for n in SIZES {
        for (kind, text) in
            [("polyline", waves("polyline", n)), ("spline", waves("spline", n)), ("composite", composite(n))]
        {
            table.alone(&format!("load, {kind} of {n} pieces"), load_wanted(n), 1, || drop(ground(&text)));
        }
        table.alone(&format!("load, {n} pins"), load_wanted(n), 1, || drop(pins(n)));
    }
}

/// Time of loading that is wanted.
fn load_wanted(pieces: usize) -> &'static str {
    match pieces {
        100_000 => "1 s",
        _ => "",
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10)
        .configure_from_args();
    let mut g = criterion.benchmark_group("contact-search");
    for (kind, name) in KINDS {
        let track = named(name);
        g.bench_function(BenchmarkId::new("closest", kind), |b| b.iter(|| track.closest()));
        g.bench_function(BenchmarkId::new("first contact", kind), |b| b.iter(|| track.first_contact()));
    }
    for n in SIZES {
        let track = Track::new(ground(&waves("spline", n)));
        g.bench_function(BenchmarkId::new("closest, spline", n), |b| b.iter(|| track.closest()));
        g.bench_function(BenchmarkId::new("first contact, spline", n), |b| b.iter(|| track.first_contact()));
    }
    let track = Track::with_radius(ground(SINE), 0.0);
    track.prove();
    g.bench_function("closest, sine of a point (floor)", |b| b.iter(|| track.closest_floor()));
    g.bench_function("closest, sine of a point", |b| b.iter(|| track.closest()));
    g.bench_function("first contact, sine of a point (floor)", |b| b.iter(|| track.contact_floor()));
    g.bench_function("first contact, sine of a point", |b| b.iter(|| track.first_contact()));
    g.finish();
    criterion.final_summary();
    ratios(&track);
}
