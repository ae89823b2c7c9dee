//! What every kind of curve has to be, on all files of `curves/` and some more: jets are derivatives, the closest point
//! is the closest, enclosures enclose.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use curves::{Ground, JointKind, Piece};
use nalgebra::Vector2;
use numbers::Interval;
use scenario::curve::{curve_from_text, load_curve};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../curves")
}

/// Curves that no file of the folder is an example of.
const MORE: [(&str, &str); 11] = [
    ("natural spline", "kind = 'spline'\npoints = [[0, 0], [1, 0.5], [2.5, -0.3], [3, 0.1], [4, 0]]"),
    ("parametric spline", "kind = 'spline'\npoints = [[0, 0], [1, 0.5], [1.2, 1.5], [0.2, 1.8], [-1, 1], [-1.5, -1]]"),
    (
        "parametric clamped",
        "kind = 'spline'\nends = 'clamped'\ndirections = [[0, 2], [1, -1]]\npoints = [[0, 0], [1, 2], [0.9, 3], [3, 3]]",
    ),
    ("loop", "kind = 'spline'\nends = 'periodic'\npoints = [[1, 0], [0.1, 1.1], [-1.2, 0], [0, -0.8], [1, 0]]"),
    ("wave", "kind = 'spline'\nends = 'periodic'\npoints = [[0, 0.2], [1, 0.5], [2, -0.1], [3, 0.2]]"),
    (
        "smoothed loop part",
        "kind = 'smoothing-spline'\nsmoothing = 'gcv'\npoints = [[0, 1.01], [0.7, 0.72], [1, 0.02], [0.69, -0.7], \
         [0.01, -1], [-0.7, -0.71], [-0.98, 0]]",
    ),
    ("ellipse", "kind = 'ellipse'\ncentre = [1, 2]\nsemi-axes = [3, 0.4]\nturn = 0.7\nside = 'inside'"),
    ("ellipse from outside", "kind = 'ellipse'\ncentre = [0, 0]\nsemi-axes = [1, 2]\nfrom = 3\nto = -1"),
    ("parabolas", "kind = 'bezier'\ndegree = 2\npoints = [[0, 1], [1, 0], [2, 0.2], [3, 0.4], [4, -1]]"),
    (
        "mirrored offset of a turned ellipse",
        "kind = 'offset'\ndistance = -0.1\n[curve]\nkind = 'transform'\nmirror = 'x'\nscale = 2\nturn = 0.3\naround = [1, 1]\n\
         [curve.curve]\nkind = 'offset'\ndistance = 0.2\ncurve = { kind = 'ellipse', centre = [0, 0], \
         semi-axes = [2, 1], from = -3, to = 0.5 }",
    ),
    (
        "offset of a track with an edge",
        "kind = 'offset'\ndistance = 0.3\ncurve = { kind = 'polyline', points = [[0, 0], [2, 0], [3, -2], [3, -5]] }",
    ),
];

fn all() -> Vec<(String, Ground)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let load = |path: PathBuf| {
        let curve = load_curve(&path, &scenario::Methods::builtin())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_stem().unwrap().to_string_lossy().into_owned(), curve.ground)
    };
    let mut all: Vec<_> = files.into_iter().map(load).collect();
    all.extend(MORE.map(|(name, text)| (name.to_owned(), ground(text))));
    all
}

fn ground(text: &str) -> Ground {
    curve_from_text(text, &folder()).unwrap_or_else(|error| panic!("{text}: {error}")).ground
}

/// The parameters of a piece that are looked at.
fn window(piece: &Piece) -> Interval {
    let Interval { lo, hi } = piece.domain();
    Interval::new(lo.max(-3.0), hi.min(lo.max(-3.0) + 8.0))
}

/// A fixed sequence of numbers in [0, 1).
pub(crate) struct Rng(pub u64);

impl Rng {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.next()
    }
}

/// The derivative by central differences and Richardson's extrapolation (Ridders), and how far it can be trusted.
fn differences(f: impl Fn(f64) -> Vector2<f64>, s: f64, mut h: f64) -> (Vector2<f64>, f64) {
    let mut rows: Vec<Vector2<f64>> = Vec::new();
    let (mut best, mut error) = (Vector2::zeros(), f64::INFINITY);
    for _ in 0..10 {
        let mut next = vec![(f(s + h) - f(s - h)) / (2.0 * h)];
        let mut factor = 4.0;
        for (j, previous) in rows.iter().enumerate() {
            let better = next[j] + (next[j] - previous) / (factor - 1.0);
            let doubt = (better - next[j]).norm().max((better - previous).norm());
            if doubt < error {
                (best, error) = (better, doubt);
            }
            next.push(better);
            factor *= 4.0;
        }
        rows = next;
        h *= 0.5;
    }
    (best, error)
}

#[test]
fn jets_are_derivatives() {
    let mut rng = Rng(1);
    for (name, ground) in all() {
        for (i, piece) in ground.pieces().iter().enumerate() {
            let part = window(piece);
            for _ in 0..(2000 / ground.pieces().len()).clamp(3, 200) {
                let s = part.lo + part.width() * (0.05 + 0.9 * rng.next());
                let jet = piece.jet(s);
                let pace = jet.speed() / jet.second.norm().max(1e-300);
                let h = (0.04 * part.width()).min(0.2 * pace);
                let orders = [
                    (jet.first, differences(|s| piece.jet(s).point, s, h)),
                    (jet.second, differences(|s| piece.jet(s).first, s, h)),
                    (jet.third, differences(|s| piece.jet(s).second, s, h)),
                ];
                let mut scale = jet.speed();
                for (order, (ours, (theirs, doubt))) in orders.into_iter().enumerate() {
                    // 1e-9 of what the curve does within the step of the differences.
                    scale = scale.max(ours.norm());
                    let off = (ours - theirs).norm();
                    assert!(doubt <= 1e-8 * scale, "{name}, piece {i}, s = {s}: differences are no measure");
                    assert!(
                        off <= 1e-9 * scale + 4.0 * doubt.min(1e-9 * scale),
                        "{name}, piece {i}, s = {s}, {order}: {off}"
                    );
                    scale /= h;
                }
            }
        }
    }
}

#[test]
fn the_closest_point_is_the_closest_of_a_dense_search() {
    let mut rng = Rng(2);
    for (name, ground) in all() {
        let pieces = ground.pieces();
        let count = (1500 / pieces.len()).max(8);
        let mut samples: Vec<(Vector2<f64>, usize, f64)> = Vec::new();
        for (i, piece) in pieces.iter().enumerate() {
            let part = window(piece);
            let at = |k: usize| part.lo + part.width() * k as f64 / count as f64;
            samples.extend((0..=count).map(|k| (piece.curve().point_at(at(k)), i, at(k))));
        }
        let bound = |f: fn(f64, f64) -> f64, axis: usize, from: f64| samples.iter().fold(from, |b, p| f(b, p.0[axis]));
        let (left, right) = (bound(f64::min, 0, f64::INFINITY), bound(f64::max, 0, f64::NEG_INFINITY));
        let (low, high) = (bound(f64::min, 1, f64::INFINITY), bound(f64::max, 1, f64::NEG_INFINITY));
        for _ in 0..10_000 {
            let size = (right - left).max(high - low);
            let q = Vector2::new(
                left + (right - left) * rng.next(),
                low - 0.3 * size + (high - low + 0.6 * size) * rng.next(),
            );
            let nearest = samples.iter().min_by(|a, b| (a.0 - q).norm_squared().total_cmp(&(b.0 - q).norm_squared()));
            let &(_, i, s) = nearest.unwrap();
            let part = window(&pieces[i]);
            let step = part.width() / count as f64;
            // Golden section between the neighbours of the nearest sample.
            let away = |s: f64| (pieces[i].curve().point_at(s) - q).norm();
            let (mut lo, mut hi) = (part.clamp(s - step), part.clamp(s + step));
            for _ in 0..60 {
                let golden = 0.618_033_988_749_894_9 * (hi - lo);
                if away(hi - golden) < away(lo + golden) { hi = lo + golden } else { lo = hi - golden }
            }
            let dense = away(s).min(away(0.5 * (lo + hi)));
            let ours = ground.closest(q);
            let point = pieces[ours.piece].curve().point_at(ours.parameter);
            assert!(pieces[ours.piece].domain().contains(ours.parameter), "{name}: {ours:?}");
            assert_eq!((point, (q - point).norm()), (ours.point, ours.distance.abs()), "{name}");
            assert!(ours.distance.abs() <= dense * (1.0 + 1e-9) + 1e-15 * size, "{name}, {q:?}: {ours:?}, but {dense}");
        }
    }
}

#[test]
fn enclosures_enclose() {
    let mut rng = Rng(3);
    for (name, ground) in all() {
        let pieces = ground.pieces();
        for _ in 0..1000 {
            let i = (rng.next() * pieces.len() as f64) as usize;
            let (piece, whole) = (&pieces[i], window(&pieces[i]));
            let width = whole.width() * 10_f64.powf(-6.0 * rng.next());
            let lo = whole.lo + (whole.width() - width) * rng.next();
            let part = Interval::new(lo, (lo + width).min(whole.hi));
            let over = piece.enclosure(part);
            let curvature = over.curvature();
            for _ in 0..100 {
                let s = part.clamp(part.lo + part.width() * rng.next());
                let jet = piece.jet(s);
                let pairs = [
                    (over.point, jet.point),
                    (over.first, jet.first),
                    (over.second, jet.second),
                    (over.third, jet.third),
                ];
                let holds = |range: Interval, value: f64| {
                    let grain = 1e-11 * range.magnitude().min(1e300);
                    range.is_undefined() || (range.lo - grain <= value && value <= range.hi + grain)
                };
                for (range, value) in pairs {
                    assert!(holds(range[0], value.x) && holds(range[1], value.y), "{name}, piece {i}, {part:?}, {s}");
                }
                assert!(holds(curvature, jet.curvature()), "{name}, piece {i}, {part:?}, {s}");
            }
        }
    }
}

/// A leaf for each segment: enclosures of polynomials are tight enough for the whole of one.
#[test]
fn a_spline_needs_few_leaves() {
    for text in [MORE[0].1, MORE[3].1] {
        let ground = ground(text);
        for piece in ground.pieces() {
            let whole = piece.enclosure(piece.domain());
            let samples: Vec<Vector2<f64>> = (0..=1000)
                .map(|k| piece.curve().point_at(piece.domain().lo + piece.domain().width() * f64::from(k) / 1000.0))
                .collect();
            for axis in 0..2 {
                let lo = samples.iter().fold(f64::INFINITY, |b, p| b.min(p[axis]));
                let hi = samples.iter().fold(f64::NEG_INFINITY, |b, p| b.max(p[axis]));
                assert!(whole.point[axis].width() <= 2.5 * (hi - lo), "{:?} for {}", whole.point[axis], hi - lo);
            }
        }
    }
}

#[test]
fn an_offset_is_everywhere_that_far_away() {
    let waves = "kind = 'graph'\ny = '0.1*cos(2*pi*x/3)'\ndomain = [-6, 6]";
    let base = ground(waves);
    for distance in [0.2, -0.15] {
        let curve = format!("kind = 'offset'\ndistance = {distance}\n[curve]\n{waves}");
        let moved = ground(&curve);
        let piece = &moved.pieces()[0];
        for k in 0..=1000 {
            let s = -6.0 + 0.012 * f64::from(k);
            let (jet, below) = (piece.jet(s), base.pieces()[0].jet(s));
            assert!((jet.point - below.point - distance * below.normal()).norm() < 1e-14);
            let kappa = below.curvature();
            let expected = kappa / (1.0 - kappa * distance);
            assert!((jet.curvature() - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{s}");
        }
    }
    // Around the edge of the polyline goes an arc, and all joints are smooth.
    let edge = ground(MORE[10].1);
    assert_eq!(edge.pieces().len(), 5);
    assert!(edge.joints()[1..5].iter().all(|joint| joint.kind == JointKind::Smooth));
}

#[test]
fn mirrors_keep_the_free_side_and_reversal_changes_it() {
    let up = |text: &str| {
        let ground = ground(text);
        let piece = &ground.pieces()[0];
        let jet = piece.jet(piece.domain().middle());
        (jet.normal().y > 0.0, ground.pieces()[0].curve().point_at(piece.domain().lo))
    };
    let stairs = |keys: &str| {
        format!("kind = 'transform'\n{keys}\ncurve = {{ kind = 'polyline', points = [[0, 0], [2, 1], [3, 0]] }}")
    };
    let at = |keys: &str, (is_up, x): (bool, f64)| {
        let (found, first) = up(&stairs(keys));
        assert!(found == is_up && (first - Vector2::new(x, 0.0)).norm() < 1e-15, "{keys}: {found} {first:?}");
    };
    at("", (true, 0.0));
    at("mirror = 'x'", (true, -3.0));
    at("mirror = 'y'", (false, 3.0));
    at("mirror = 'y'\nreverse = true", (true, 0.0));
    at("reverse = true", (false, 3.0));
    // Mirrored, scaled, turned around a point, then moved.
    let (_, first) = up(&stairs("scale = 2\nturn = 'pi/2'\naround = [1, 0]\nmove = [0, 5]"));
    assert!((first - Vector2::new(1.0, 3.0)).norm() < 1e-14, "{first:?}");
    // A curve without ends may be moved.
    let hills = curve_from_text("kind = 'transform'\nmove = [1, 2]\ncurve = 'sine.toml'", &folder()).unwrap().ground;
    let on = hills.closest(Vector2::new(1.5, 2.0 + 0.1 + 3.0));
    assert!((on.point - Vector2::new(1.5, 2.1)).norm() < 1e-9, "{on:?}");
}

#[test]
fn splines_go_through_their_points_and_end_as_told() {
    let knots = [[0.0, 0.0], [1.0, 0.5], [2.5, -0.3], [3.0, 0.1], [4.0, 0.0]];
    let natural = ground(MORE[0].1);
    for (joint, knot) in natural.joints().iter().zip(knots) {
        assert!((joint.point - Vector2::from(knot)).norm() < 1e-15);
    }
    let pieces = natural.pieces();
    assert!(pieces[0].jet(0.0).second.norm() < 1e-14 && pieces[3].jet(4.0).second.norm() < 1e-14);
    for (text, closed) in [(MORE[0].1, false), (MORE[1].1, false), (MORE[2].1, false), (MORE[3].1, true)] {
        let ground = ground(text);
        let pieces = ground.pieces();
        let mut pairs: Vec<_> = pieces.windows(2).map(|pair| [&pair[0], &pair[1]]).collect();
        if closed {
            assert!(ground.is_closed());
            pairs.push([&pieces[pieces.len() - 1], &pieces[0]]);
        }
        for [a, b] in pairs {
            let (end, start) = (a.jet(a.domain().hi), b.jet(b.domain().lo));
            assert!((end.point - start.point).norm() < 1e-14);
            assert!((end.first - start.first).norm() < 1e-13 && (end.second - start.second).norm() < 1e-12);
        }
    }
    let clamped = ground(MORE[2].1);
    let last = clamped.pieces().last().unwrap();
    let (start, end) = (clamped.pieces()[0].jet(0.0), last.jet(last.domain().hi));
    assert!((start.first - Vector2::new(0.0, 1.0)).norm() < 1e-14);
    assert!((end.first - Vector2::new(0.5_f64.sqrt(), -(0.5_f64.sqrt()))).norm() < 1e-14);
}

#[test]
fn an_ellipse_has_its_curvature() {
    let ground = ground(MORE[6].1);
    let piece = &ground.pieces()[0];
    for (s, kappa) in [(0.0, 3.0 / 0.16), (PI / 2.0, 0.4 / 9.0), (PI, 3.0 / 0.16)] {
        assert!((piece.jet(s).curvature() - kappa).abs() < 1e-12 * kappa);
    }
    assert!(ground.is_closed());
}
