//! The group `contact-search`: closest point, first contact and clearance by kind of ground and by the number of its pieces;
//! loading of long tracks.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::panic,
    reason = "a bench prints what it measured, and stops on an error"
)]

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, Instant};

use benches::Sine;
use criterion::{BenchmarkId, Criterion};
use curves::{Ground, Motion, OffsetGround, Path, SearchCount};
use kugelbahn::curve::{curve_from_text, load_curve};
use kugelbahn::decades::{Curve, Panel, Triangle, panels};
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
const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

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

    fn clearance(&self) {
        self.points.iter().for_each(|q| {
            black_box(self.offset.clearance(self.offset.place_below(*q)));
        });
    }

    /// Least time of a query in µs, of 20 measurements.
    fn least(&self, run: fn(&Track)) -> f64 {
        let time = |_| {
            let start = Instant::now();
            run(self);
            start.elapsed().as_secs_f64() * 1e6 / QUERIES as f64
        };
        (0..20).map(time).fold(f64::INFINITY, f64::min)
    }
}

fn named(kind: &str) -> Track {
    match load_curve(&folder().join(format!("{kind}.toml")), &kugelbahn::scenario::Methods::builtin()) {
        Ok(curve) => Track::new(curve.ground),
        Err(error) => panic!("{kind}: {error}"),
    }
}

/// A search and its floor in turn; least times of each.
fn ratio(name: &str, track: &Track, run: fn(&Track), floor: fn(&Track)) {
    let (mut least, mut bare) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..10 {
        least = least.min(track.least(run));
        bare = bare.min(track.least(floor));
    }
    println!("| {name} | {least:.3} | {bare:.3} | {:.2} |", least / bare);
}

fn ratios(track: &Track) {
    println!("\n| a point over a sine | µs | floor | ratio |\n| --- | --- | --- | --- |");
    ratio("closest point", track, Track::closest, Track::closest_floor);
    ratio("first contact", track, Track::first_contact, Track::contact_floor);
}

fn tables() {
    println!("\nLeast times of 20, a query in µs\n\n| kind | closest point | first contact |\n| --- | --- | --- |");
    for (kind, name) in KINDS {
        let track = named(name);
        println!(
            "| {kind} (`{name}`) | {:.2} | {:.2} |",
            track.least(Track::closest),
            track.least(Track::first_contact)
        );
    }
    println!(
        "\n| pieces | | loads in ms | closest point | first contact | clearance |\n| --- | --- | --- | --- | --- | --- |"
    );
    let mut growth: Vec<Growth> = Vec::new();
    for n in SIZES {
        let texts = [("polyline", waves("polyline", n)), ("spline", waves("spline", n)), ("composite", composite(n))];
        let least = |load: &dyn Fn() -> Ground| {
            let once = || {
                let start = Instant::now();
                black_box(load());
                start.elapsed().as_secs_f64() * 1e3
            };
            (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
        };
        let loads = texts.each_ref().map(|(_, text)| least(&|| ground(text)));
        let tracks = texts.map(|(kind, text)| (kind, Track::new(ground(&text))));
        let over = ("pins", Track::over_pins(pins(n), n));
        for ((kind, track), loads) in
            tracks.into_iter().chain([over]).zip(loads.into_iter().chain([least(&|| pins(n))]))
        {
            let [closest, contact, clearance] =
                [Track::closest, Track::first_contact, Track::clearance].map(|run| track.least(run));
            println!("| {n} | {kind} | {loads:.1} | {closest:.2} | {contact:.2} | {clearance:.2} |");
            let known = growth.iter().position(|(name, _)| *name == kind).unwrap_or_else(|| {
                growth.push((kind, Default::default()));
                growth.len() - 1
            });
            for (points, time) in growth[known].1.iter_mut().zip([closest, contact, clearance, loads]) {
                points.push((n as f64, time));
            }
        }
    }
    // The figure of the README.
    if let Some(file) = std::env::var_os("GROWTH_SVG")
        && let Err(error) = std::fs::write(&file, figure(&growth))
    {
        panic!("{}: {error}", file.display());
    }
}

/// A kind, and over the number of pieces the times of closest point, first contact and clearance (µs) and of loading (ms).
type Growth = (&'static str, [Vec<(f64, f64)>; 4]);

/// Times over the number of pieces.
fn figure(growth: &[Growth]) -> String {
    let colours = ["#1f77b4", "#d95f02", "#1b9e77"];
    let line = |quantity: usize| {
        let each = growth.iter().zip(colours).map(move |((name, points), colour)| Curve {
            name: (*name).to_owned(),
            colour,
            points: points[quantity].clone(),
            apart: Vec::new(),
            marks: true,
            dashed: false,
        });
        each.collect::<Vec<_>>()
    };
    let panel = |quantity, title: &str, unit: &str, triangles| Panel {
        title: title.to_owned(),
        x: "pieces".to_owned(),
        y: format!("time ({unit})"),
        curves: line(quantity),
        triangles,
        decades_x: true,
    };
    let linear = Triangle { corner: (1e3, 0.3), reach: 10.0, order: 1.0, colour: "#666666" };
    panels(
        "Queries and loading over the number of pieces",
        "",
        vec![
            panel(0, "closest point", "µs a query", Vec::new()),
            panel(1, "first contact", "µs a query", Vec::new()),
            panel(2, "clearance", "µs a query", Vec::new()),
            panel(3, "loading from text", "ms", vec![linear]),
        ],
    )
    .svg()
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
    tables();
    ratios(&track);
}
