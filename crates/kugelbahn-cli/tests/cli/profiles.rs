//! The profiles in `curves/`: each loads, lies as it should, and `kugelbahn curves` tells the truth about it.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use curves::{JointKind, OffsetGround};
use kugelbahn::curve::{Curve, load_curve};
use kugelbahn::show::{Facts, Repeats, show_figure};
use nalgebra::Vector2;

const NAMES: [&str; 27] = [
    "bezier-ramp",
    "circle-bowl",
    "cosine-hills",
    "cycloid-bowl",
    "dome",
    "double-loop",
    "drawn-track",
    "ellipse-bowl",
    "flat",
    "funnel",
    "half-pipe",
    "incline",
    "loop",
    "measured-hill",
    "mirrored-ramp",
    "parabola-bowl",
    "patched-track",
    "quarter-pipe",
    "raised-waves",
    "sine",
    "ski-jump",
    "spike",
    "spline-hills",
    "stairs",
    "surveyed-slope",
    "wedge",
    "zigzag",
];
/// Those that turn over: no profile else overhangs.
const LOOPS: [&str; 2] = ["double-loop", "loop"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../curves")
}

fn load(name: &str) -> Curve {
    load_curve(&folder().join(format!("{name}.toml")), &kugelbahn::scenario::Methods::builtin())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn facts(name: &str) -> Facts {
    Facts::of(&load(name).ground)
}

fn kugelbahn(arguments: &[&str], here: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kugelbahn")).args(arguments).current_dir(here).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn all_profiles_load_and_have_the_ball_above_them() {
    for name in NAMES {
        let curve = load(name);
        assert_ne!(curve.info.title, "untitled", "{name}");
        // Free side up, all along.
        let upright = !LOOPS.contains(&name);
        for piece in curve.ground.pieces().iter().filter(|_| upright) {
            let domain = piece.domain();
            let (lo, hi) = (domain.lo.max(-3.0), domain.hi.min(domain.lo.max(-3.0) + 6.0).min(domain.hi));
            for i in 1..50 {
                let jet = piece.jet(lo + (hi - lo) * f64::from(i) / 50.0);
                assert!(jet.normal().y > -1e-12, "{name}: the free side is below at {:?}", jet.point);
            }
        }
        let offset = OffsetGround::new(std::sync::Arc::new(curve.ground), 0.0);
        assert!(offset.gap(Vector2::new(0.1, 100.0)) > 0.0, "{name}: a place high up counts as below the ground");
    }
}

#[test]
fn every_profile_of_the_folder_is_in_the_list_of_this_test() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // What they are drawn or measured in lies beside them.
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert_eq!(found, NAMES);
}

#[test]
fn curvature_ranges_are_those_of_the_formulas() {
    // A k² on a sine; 1/radius at the bottom of a parabola, falling to 0; 1/(4 a cos(s/2)) on a cycloid.
    let k = PI;
    let cycloid_end = 1.0 / (4.0 * 0.25 * (0.98 * PI / 2.0).cos());
    // −2h/w² on top of the spike.
    let cases = [
        ("sine", -0.1 * k * k, 0.1 * k * k),
        ("cosine-hills", -0.15 * k * k, 0.15 * k * k),
        ("parabola-bowl", 0.0, 1.0),
        ("circle-bowl", 1.0, 1.0),
        ("cycloid-bowl", 1.0, cycloid_end),
        ("dome", -1.0, 0.0),
        ("half-pipe", 0.0, 1.0 / 3.0),
        ("ski-jump", 0.0, 1.0 / 80.0),
        ("flat", 0.0, 0.0),
        ("incline", 0.0, 0.0),
        ("stairs", 0.0, 0.0),
        ("wedge", 0.0, 0.0),
    ];
    for (name, lo, hi) in cases {
        let range = facts(name).curvature;
        assert!(range.certified && range.whole, "{name}: {range:?}");
        assert!((range.lo - lo).abs() <= 2e-6 * lo.abs(), "{name}: {range:?}, expected {lo}");
        assert!((range.hi - hi).abs() <= 2e-6 * hi.abs(), "{name}: {range:?}, expected {hi}");
    }
    let spike = facts("spike").curvature;
    assert!(spike.certified && (spike.lo + 4e6).abs() <= 8.0, "{spike:?}");
    // The feet of the spike by a fine scan of the closed form.
    let kappa = |x: f64| {
        let (h, w) = (0.5, 0.0005);
        let y = h * (-(x / w) * (x / w)).exp();
        let slope = -2.0 * x / (w * w) * y;
        (4.0 * x * x / w.powi(4) - 2.0 / (w * w)) * y / (1.0 + slope * slope).powf(1.5)
    };
    let foot = (0..=400_000).map(|i| kappa(f64::from(i) * 1e-8)).fold(0.0, f64::max);
    assert!((spike.hi - foot).abs() <= 2e-6 * foot, "{spike:?}, expected {foot}");
}

#[test]
fn periods_lengths_and_corners_are_found() {
    assert_eq!(facts("flat").repeats, Repeats::Straight);
    assert_eq!(facts("incline").repeats, Repeats::Straight);
    for name in ["sine", "cosine-hills"] {
        let Repeats::Every(period) = facts(name).repeats else { panic!("{name} is not periodic") };
        assert!((period - 2.0).abs() < 1e-6, "{name}: {period}");
    }
    for name in ["parabola-bowl", "spike", "wedge"] {
        assert_eq!(facts(name).repeats, Repeats::Never, "{name}");
    }
    let length = |name: &str| facts(name).length;
    assert!((length("circle-bowl") - PI).abs() < 1e-12);
    assert!((length("cycloid-bowl") - 2.0 * (0.98 * PI / 2.0).sin()).abs() < 1e-12);
    assert!((length("dome") - (8.0 + PI)).abs() < 1e-12);
    assert!((length("stairs") - (7.0 * 0.29 + 8.0 * 0.17 + 2.0)).abs() < 1e-12);
    let corners = |name: &str| (facts(name).convex, facts(name).concave);
    assert_eq!(corners("dome"), (0, 2));
    assert_eq!(corners("half-pipe"), (2, 0));
    // Its transitions are smooth: only the edge of the table and the foot of its face are corners.
    assert_eq!(corners("ski-jump"), (1, 1));
    assert_eq!(corners("stairs"), (8, 8));
    // Tracks without a kink, and curves of several.
    for (name, crossings) in [("loop", 1), ("double-loop", 2), ("quarter-pipe", 0)] {
        assert_eq!((corners(name), load(name).ground.crossings().len()), ((0, 0), crossings), "{name}");
    }
    assert_eq!([load("funnel"), load("zigzag")].map(|curve| curve.ground.curves()), [2, 6]);
    assert_eq!(corners("wedge"), (0, 1));
    assert_eq!(facts("wedge").valley_radius(), Some(0.0));
    assert_eq!(facts("flat").valley_radius(), None);
    let wedge = load("wedge");
    let corner = wedge.ground.joints().iter().find(|joint| joint.kind == JointKind::Concave).unwrap();
    assert!((corner.turn - PI / 2.0).abs() < 1e-12, "{corner:?}");
}

#[test]
fn derived_parameters_follow_those_set_from_outside() {
    let scenario = "[initial]\nposition = [-20.0, 60.0]\n[ground]\ncurve = \"ski-jump.toml\"\n";
    let settings = ["ground.parameters.takeoff=0.1".to_owned(), "ground.parameters.hill=70".to_owned()];
    let scenario = kugelbahn::Scenario::from_text(scenario, &folder(), &settings).unwrap();
    assert!(scenario.curve.parameters.contains(&("takeoff".to_owned(), 0.1)));
    // It still fits together, or it would not have loaded.
    assert_eq!(scenario.scene.ground.ground().pieces().len(), 7);
}

#[test]
fn the_list_finds_the_folder_from_below_and_names_a_broken_file() {
    let here = tempfile::tempdir().unwrap();
    let (profiles, below) = (here.path().join("curves"), here.path().join("some/where"));
    std::fs::create_dir_all(&profiles).unwrap();
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(profiles.join("good.toml"), "title = \"A good one\"\nkind = \"graph\"\ny = \"x^2\"\n").unwrap();
    std::fs::write(profiles.join("bad.toml"), "kind = \"graph\"\ny = \"x^^2\"\n").unwrap();
    std::fs::write(profiles.join("notes.txt"), "no curve").unwrap();
    let run = kugelbahn(&["curves"], &below);
    let out = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{out}");
    assert!(!out.contains('\x1b') && !out.contains("notes"), "{out}");
    let line = |name: &str| out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    assert!(line("good").contains("graph") && line("good").ends_with("A good one"), "{out}");
    assert!(out.contains("2 profiles in"), "{out}");
    assert!(line("bad").contains("broken: in the formula for `y`") && line("bad").ends_with("(line 2)"), "{out}");

    let nowhere = tempfile::tempdir().unwrap();
    let run = kugelbahn(&["curves"], nowhere.path());
    assert_eq!(run.status.code(), Some(0));
    assert!(text(&run.stdout).contains("profiles built in"), "{}", text(&run.stdout));
    // In a scenario, too, and with the files that a profile is made of.
    let scenario = "initial.position = [0.5, 3]\nsolver.duration = 1\nground.curve = \"measured-hill\"\n";
    std::fs::write(nowhere.path().join("s.toml"), scenario).unwrap();
    let run = kugelbahn(&["run", "s.toml", "--quiet"], nowhere.path());
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let run = kugelbahn(&["curves", "--folder", profiles.to_str().unwrap()], nowhere.path());
    assert_eq!(run.status.code(), Some(0));
}

#[test]
fn show_prints_a_table_and_writes_svg_whole_or_not_at_all() {
    let here = tempfile::tempdir().unwrap();
    let (folder, svg) = (folder(), here.path().join("sine.svg"));
    let folder = folder.to_str().unwrap();
    let run = kugelbahn(&["curves", "show", "sine", "--folder", folder, "--svg", svg.to_str().unwrap()], here.path());
    let out = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    for part in ["Sinusoidal hills", "smallest valley radius  1.0132 m", "every 2 m", "two periods"] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    assert!(std::fs::read_to_string(&svg).unwrap().contains("<svg"));
    // Only the needle would be a thread to scale.
    for name in NAMES {
        let drawn = show_figure(&load(name)).svg();
        assert_eq!(drawn.contains("axes not to one scale"), name == "spike", "{name}");
    }

    let run = kugelbahn(&["curves", "show", "sinus", "--folder", folder], here.path());
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("did you mean `sine`?"), "{}", text(&run.stderr));

    let run = kugelbahn(&["curves", "show", "sine", "--folder", folder, "--svg", "missing/sine.svg"], here.path());
    assert_eq!(run.status.code(), Some(2));
    let message = text(&run.stderr);
    assert!(run.stdout.is_empty() && message.contains("can't write missing/sine.svg"), "{message}");
    assert!(!message.contains("--out") && !message.contains(".tmp"), "{message}");
    assert!(!here.path().join("missing").exists());
}

/// A drawing is listed by number and id, and each shape can be taken by its number.
#[test]
fn shapes_of_a_drawing_are_listed_and_taken_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let drawing = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200mm" height="100mm">
        <circle cx="50" cy="50" r="20"/><path id="ramp" d="M 10 10 L 190 90"/><path d="M0 0L9 9M1 0L9 0"/><path d="M0 x"/></svg>"##;
    std::fs::write(folder.path().join("d.svg"), drawing).unwrap();
    let listed = kugelbahn(&["curves", "check", "d.svg"], folder.path());
    let rows: Vec<Vec<&str>> = text(&listed.stdout).lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[3], ["1", "circle", "—", "0.0400", "×", "0.0400", "closed"]);
    assert_eq!(rows[4], ["2", "path", "ramp", "0.1800", "×", "0.0800", "open"]);
    assert_eq!(rows[5][6..], ["2", "lines,", "0", "closed:", "stretch", "=", "1", "to", "2"]);
    assert_eq!(rows[6][3..], ["a", "number", "is", "missing", "here"]);
    let check = |path: &str| {
        let curve = format!("kind = \"svg\"\nfile = \"d.svg\"\npath = {path}\n");
        std::fs::write(folder.path().join("c.toml"), curve).unwrap();
        kugelbahn(&["curves", "check", "c.toml"], folder.path())
    };
    assert_eq!(check("2").stdout, check("\"ramp\"").stdout);
    assert!(
        text(&check("5").stderr).contains("the drawing has no path 5") && text(&check("0").stderr).contains("from 1")
    );
}

/// Symptom: on a polyline with a point each 10 µm a ball stood still, computing for minutes before the first corner turned towards
/// it. Cause: the next line is as near as the way to it times the angle between both, and no longer way was looked at.
#[test]
fn a_ball_rolls_on_dense_polylines() {
    let folder = tempfile::tempdir().unwrap();
    let height = |x: f64| 0.1 * (2.0 * PI * x).cos();
    // Over a slope that bends away and one that bends towards the ball; heights are rounded, so that both have corners of both kinds.
    for (from, digits) in [(0.05, 9), (0.35, 9), (0.35, 12)] {
        let rows: String =
            (0..1000).map(|i| from + 1e-5 * f64::from(i)).map(|x| format!("{x:.5},{:.digits$}\n", height(x))).collect();
        std::fs::write(folder.path().join("t.csv"), format!("x,y\n{rows}")).unwrap();
        let run = |curve: &str, x: f64| {
            let scenario = format!(
                "ball.radius = 0.01\ninitial.contact = {{ x = {x:.7}, speed = 0.1, spin = 'rolling' }}\nground.curve = {{ {curve} }}\n\
                 contact = {{ restitution = 0.5, friction = 0.5 }}\nsolver = {{ duration = 0.01 }}\n"
            );
            std::fs::write(folder.path().join("s.toml"), scenario).unwrap();
            let outcome = kugelbahn(&["run", "s.toml", "--json"], folder.path());
            assert!(outcome.status.success(), "{x}: {}", text(&outcome.stderr));
            let summary: serde_json::Value = serde_json::from_str(text(&outcome.stdout)).unwrap();
            [0, 1].map(|i| summary["final"]["position"][i].as_f64().unwrap())
        };
        let x = from + 1e-3 + 3.3e-6;
        let dense = run("kind = 'csv', file = 't.csv', as = 'polyline'", x);
        let smooth = run("kind = 'graph', y = '0.1*cos(2*pi*x)'", x);
        // The corners turn by 1e-4 at most, and take that part of the speed's square away.
        let off = (dense[0] - smooth[0]).hypot(dense[1] - smooth[1]);
        assert!(off < 1e-6, "{from} {digits}: {off} m");
    }
}
