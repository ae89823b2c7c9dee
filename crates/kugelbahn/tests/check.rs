//! `kugelbahn curves check`, on the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::Place;
use kugelbahn::check::{Finding, findings};
use kugelbahn::curve::curve_from_text;
use kugelbahn::show::Facts;

/// `0.5 exp(−((x−2)/0.7)²)` every 20 mm from 0 to 4 m, as text.
fn hill(kind: &str, height: impl Fn(f64) -> f64) -> String {
    let points = (0..=200).map(|i| 0.02 * f64::from(i)).map(|x| format!("[{x:?}, {:?}]", height(x)));
    format!("title = \"Hill\"\n{kind}\npoints = [{}]\n", points.collect::<Vec<_>>().join(", "))
}

fn exact(x: f64) -> f64 {
    0.5 * (-((x - 2.0) / 0.7).powi(2)).exp()
}

/// To millimetres.
fn measured(x: f64) -> f64 {
    (1e3 * exact(x)).round() * 1e-3
}

fn found(text: &str, radius: f64) -> Vec<Finding> {
    let curve = curve_from_text(text, std::path::Path::new("")).unwrap();
    findings(&curve, &Facts::of(&curve.ground), radius)
}

/// Rounding to 1 mm scatters by 1/√12 mm. With the suggested smoothing a bead leaves once, where the true hill throws it.
#[test]
fn noise_is_found_and_its_cure_works() {
    assert_eq!(found(&hill("kind = \"spline\"", exact), 0.0), []);
    let noisy = hill("kind = \"spline\"", measured);
    let all = found(&noisy, 0.0);
    let [Finding::Noise(noise)] = &all[..] else { panic!("{all:?}") };
    assert!((noise.deviation / (1e-3 / 12f64.sqrt()) - 1.0).abs() < 0.2, "{noise:?}");
    assert!(noise.false_curvature > noise.curvature, "{noise:?}");
    assert!(all[0].cure().contains("kind = \"smoothing-spline\" with smoothing = \"gcv\""), "{}", all[0].cure());
    let cured = hill("kind = \"smoothing-spline\"\nsmoothing = \"gcv\"", measured);
    assert_eq!(found(&cured, 0.0), []);
    let place = Place::new();
    let run = r#"
        initial = { contact = { x = 0.0, speed = 4.0 } }
        ground = { curve = "hill.toml" }
        solver = { duration = 0.8 }
    "#;
    place.write("run.toml", run);
    let lift_offs = |text: &str| {
        place.write("hill.toml", text);
        let outcome = place.kugelbahn(&["run", "run.toml", "--out", "out"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let events = place.read("out/events.csv");
        let rows = events.lines().filter(|line| line.contains(",lift-off,"));
        (rows.map(|line| line.split(',').nth(5).unwrap().parse().unwrap()).collect::<Vec<f64>>(), outcome.stderr)
    };
    let (plain, warning) = lift_offs(&noisy);
    assert!(plain.len() > 5, "{plain:?}");
    assert!(warning.contains("warning: noise: points scatter by") && warning.contains("cure: kind"), "{warning}");
    let (smoothed, nothing) = lift_offs(&cured);
    println!("plain {} lift-offs, smoothed {smoothed:?}", plain.len());
    assert!(smoothed.len() == 1 && (smoothed[0] - 1.80814).abs() < 0.01, "{smoothed:?}");
    assert_eq!(nothing, "");
}

/// Corners with their angles, curvature jumps with theirs, valleys narrower than the ball; each coded, with a cure.
#[test]
fn findings_have_code_place_cause_and_cure() {
    let track = r#"
        kind = "composite"
        pieces = [
            { kind = "line", from = [-1.0, 1.0], to = [0.0, 0.0] },
            { kind = "line", from = [0.0, 0.0], to = [1.0, 0.0] },
            { kind = "arc", centre = [1.0, 0.5], radius = 0.5, from = "-pi/2", to = "0" },
            { kind = "line", from = [1.5, 0.5], to = [2.5, 0.5] },
        ]
    "#;
    let all = found(track, 0.6);
    let codes: Vec<&str> = all.iter().map(Finding::code).collect();
    assert_eq!(codes, ["concave-corner", "curvature-jump", "corner", "narrow-valley"]);
    let [
        Finding::ConcaveCorner { turn, place },
        Finding::CurvatureJump { before, after, .. },
        Finding::Corner { turn: over, .. },
        Finding::NarrowValley { valley, .. },
    ] = &all[..]
    else {
        panic!("{all:?}")
    };
    assert!((turn.to_degrees() - 45.0).abs() < 1e-12 && (place.s - 2f64.sqrt()).abs() < 1e-12);
    assert!(before.abs() < 1e-12 && (after - 2.0).abs() < 1e-12);
    assert!((over.to_degrees() - 90.0).abs() < 1e-9 && (valley - 0.5).abs() < 1e-12);
    assert!(found(track, 0.4).len() == 3);
    let place = Place::new();
    place.write("track.toml", format!("title = \"Track\"\n{track}"));
    let outcome = place.kugelbahn(&["curves", "check", "track.toml", "--radius", "0.6", "--svg", "track.svg"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for line in [
        "concave-corner at (0, 0), s = 1.4142: turns by 45° towards the ball",
        "curvature-jump at (1, 0), s = 2.4142: curvature jumps from 0 to 2 1/m: the normal force by 2 N per kg at 1 m/s",
        "narrow-valley at (1, 0), s = 2.4142: a valley of radius 0.5 m, but the ball's is 0.6 m",
        "  cure: a ball of radius below 0.5 m, or a wider valley",
    ] {
        assert!(outcome.stdout.contains(line), "no {line} in\n{}", outcome.stdout);
    }
    assert!(place.read("track.svg").contains("narrow-valley"));
}

/// What no ball can run on is an error with a code; so is nonsense.
#[test]
fn what_cannot_be_run_is_refused() {
    let place = Place::new();
    let refused = |text: &str, more: &[&str], parts: &[&str]| {
        place.write("bad.toml", text);
        let outcome = place.kugelbahn(&[&["curves", "check", "bad.toml"], more].concat());
        assert_eq!(outcome.code, 2, "{}", outcome.stdout);
        for part in parts {
            assert!(outcome.stderr.contains(part), "no {part} in\n{}", outcome.stderr);
        }
    };
    let points = |points: &str| format!("kind = \"polyline\"\npoints = [{points}]\n");
    refused(&points("[0, 0], [1, 0], [0.5, 1], [0.5, -1]"), &[], &["crossing", "crosses or touches itself"]);
    refused(&points("[0, 0], [1, 0], [0, 0.0]"), &[], &["cusp", "turns back on itself"]);
    let cusp = "kind = \"parametric\"\nx = \"s^2\"\ny = \"s^3\"\ndomain = [-1, 1]\n";
    refused(cusp, &[], &["cusp", "zero speed", "end the domain short of the cusp"]);
    refused(&points("[0, 0], [1, 0]"), &["--radius", "-1"], &["--radius -1 is not allowed"]);
    refused(&points("[0, 0], [1, 0]"), &["--radius", "nan"], &["is not allowed"]);
}
