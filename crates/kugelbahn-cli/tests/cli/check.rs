//! `kugelbahn curves check`, on the real binary.

use crate::common::Place;
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
    assert_eq!(all.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["noise"]);
    let noise = curve_from_text(&noisy, std::path::Path::new("")).unwrap().info.noise.unwrap();
    assert!((noise.deviation / (1e-3 / 12f64.sqrt()) - 1.0).abs() < 0.2, "{noise:?}");
    assert!(noise.false_curvature > noise.curvature, "{noise:?}");
    assert!(all[0].cure.contains("kind = \"smoothing-spline\" with smoothing = \"gcv\""), "{}", all[0].cure);
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
    let codes: Vec<&str> = all.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["concave-corner", "curvature-jump", "corner", "narrow-valley"]);
    for (finding, size) in all.iter().zip([45f64.to_radians(), 2.0, 90f64.to_radians(), 1.0 / 0.5]) {
        assert!((finding.size - size).abs() < 1e-11, "{finding:?}");
    }
    assert!(all[0].place.is_some_and(|place| (place.s - 2f64.sqrt()).abs() < 1e-12));
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

/// A valley of the ball's own radius is told once for each stretch, and one across the seam of a closed curve once; a coordinate that
/// is zero but for rounding is zero.
#[test]
fn valleys_are_told_once() {
    let circle = "kind = 'circle'\ncentre = [0, 0]\nradius = 0.1\nside = 'inside'";
    let ellipse = "kind = 'ellipse'\ncentre = [0, 0]\nsemi-axes = [2, 1]\nside = 'inside'";
    let cosine = "kind = 'graph'\ny = '-cos(x)'\ndomain = [-4, 4]";
    for (text, radius, valleys, osculating) in [
        (circle, 0.1, 1, true),
        (circle, 0.1 * (1.0 + 1e-6), 1, true),
        (circle, 0.1 * (1.0 - 1e-6), 1, true),
        (circle, 0.1 * (1.0 - 1e-5), 1, true),
        (circle, 0.0999, 0, false),
        (ellipse, 0.6, 2, false),
        (ellipse, 0.5, 2, true),
        (ellipse, 0.49, 0, false),
        (cosine, 1.0, 1, true),
    ] {
        let all = found(text, radius);
        assert!(all.len() == valleys && all.iter().all(|f| f.code == "narrow-valley"), "{text} {radius}: {all:?}");
        for finding in all {
            assert_eq!(finding.cause.contains("the ball's own to a part of 1e-5"), osculating, "{}", finding.cause);
            let Some(place) = finding.place else { panic!() };
            assert!(place.point.iter().all(|c| *c == 0.0 || c.abs() > 1e-6), "{place:?}");
        }
    }
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
    refused(&points("[0, 0], [1, 0], [0.5, 1], [0.5, 0]"), &[], &["crossing", "crosses or touches itself"]);
    refused(&points("[0, 0], [1, 0], [0, 0.0]"), &[], &["cusp", "turns back on itself"]);
    let cusp = "kind = \"parametric\"\nx = \"s^2\"\ny = \"s^3\"\ndomain = [-1, 1]\n";
    refused(cusp, &[], &["cusp", "zero speed", "end the domain short of the cusp"]);
    refused(&points("[0, 0], [1, 0]"), &["--radius", "-1"], &["--radius -1 is not allowed"]);
    refused(&points("[0, 0], [1, 0]"), &["--radius", "nan"], &["is not allowed"]);
}

/// A flask: an opening 0.1 m wide and 0.2 m deep above a bulb of radius 0.5 m.
const FLASK: &str = r#"
    kind = "composite"
    pieces = [
        { kind = "line", from = [-2, 0], to = [-0.05, 0] },
        { kind = "line", from = [-0.05, 0], to = [-0.05, -0.2] },
        { kind = "arc", centre = [0, "-0.2 - sqrt(0.5^2 - 0.05^2)"], radius = 0.5, from = "pi/2 + asin(0.1)", to = "2.5*pi - asin(0.1)" },
        { kind = "line", from = [0.05, -0.2], to = [0.05, 0] },
        { kind = "line", from = [0.05, 0], to = [2, 0] },
    ]
"#;

/// Walls that are too close for the ball, far from each other along the ground: told once, with how close they come.
#[test]
fn slots_between_distant_walls_are_found() {
    let slot = "kind = 'polyline'\npoints = [[-2, 0.3], [-0.1, 0.3], [-0.1, -1], [0.1, -1], [0.1, 0.3], [2, 0.3]]";
    // Between two posts of different height, one of them leaning over.
    let posts = "kind = 'polyline'\npoints = [[-2, 0], [-1, 0], [-1, 1], [-0.9, 1], [-0.9, 0], [1, 0], [-0.4, 0.8], [1.2, 0], [2, 0]]";
    for (text, width, posts) in [(slot, 0.2, 1), (FLASK, 0.1, 1), (posts, 0.5, 1)] {
        for (radius, expected) in [(0.51 * width, posts), (0.75 * width, posts), (0.49 * width, 0)] {
            let all = found(text, radius);
            let slots: Vec<_> = all.iter().filter(|finding| finding.code == "slot").collect();
            assert_eq!(slots.len(), expected, "{text} {radius}: {all:?}");
            for finding in slots {
                let found = 1.0 / finding.size;
                assert!((found / width - 1.0).abs() < 1e-3, "{finding:?}");
                let (_, across) = finding.cause.split_once("at (").unwrap();
                let (x, y) = across.split_once(')').unwrap().0.split_once(", ").unwrap();
                let [x, y]: [f64; 2] = [x, y].map(|coordinate| coordinate.parse().unwrap());
                let point = finding.place.unwrap().point;
                assert!(((point.x - x).hypot(point.y - y) - found).abs() < 1e-3, "{finding:?}");
            }
        }
    }
    // As wide as the ball along parallel walls.
    for (text, radius) in [(slot, 0.1), (FLASK, 0.05)] {
        let all = found(text, radius);
        assert_eq!(all.iter().filter(|finding| finding.code == "slot").count(), 1, "{text} {radius}: {all:?}");
    }
    let place = Place::new();
    place.write("flask.toml", FLASK);
    let outcome = place.kugelbahn(&["curves", "check", "flask.toml", "--radius", "0.07", "--svg", "flask.svg"]);
    let line = "only 0.1 m to the ground at (0.05, ";
    assert!(outcome.stdout.contains("slot at (-0.05, ") && outcome.stdout.contains(line), "{}", outcome.stdout);
}

/// What is told against places looked at one by one: where a ball in contact has other ground inside it, one of the codes says
/// why; where it has none there is no slot.
#[test]
fn no_room_is_told_and_only_that() {
    let mut blocked_grounds = 0;
    for entry in std::fs::read_dir(crate::common::profiles()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let curve = kugelbahn::curve::load_curve(&path, &kugelbahn::scenario::Methods::builtin()).unwrap();
        // Of a loop's strands that cross one is not there.
        if !curve.ground.crossings().is_empty() {
            continue;
        }
        let facts = Facts::of(&curve.ground);
        for radius in [0.013, 0.3] {
            let all = findings(&curve, &facts, radius);
            let mut blocked = false;
            let parts = (3000 / curve.ground.pieces().len()).max(20);
            for piece in curve.ground.pieces() {
                let lo = piece.domain().lo.max(-5.0);
                let hi = piece.domain().hi.min(lo.max(-5.0) + 10.0);
                blocked |= (0..=parts).any(|i| {
                    let jet = piece.jet(lo + (hi - lo) * i as f64 / parts as f64);
                    let centre = jet.point + radius * jet.normal();
                    curve.ground.closest(centre).distance.abs() < radius * (1.0 - 1e-6)
                });
            }
            blocked_grounds += u32::from(blocked);
            let told = |codes: &[&str]| all.iter().any(|finding| codes.contains(&finding.code));
            let any = told(&["slot", "narrow-valley", "concave-corner"]);
            assert!(!blocked || any, "{} {radius}: {all:?}", path.display());
            assert!(blocked || !told(&["slot"]), "{} {radius}: {all:?}", path.display());
        }
    }
    assert!(blocked_grounds > 3, "{blocked_grounds}");
}

/// Lines of a drawing that lie on each other are found before a scenario refuses them, and shapes have label and id.
#[test]
fn lines_on_each_other() {
    let place = Place::new();
    let drawing = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
        width="1000mm" height="1000mm" viewBox="0 0 1000 1000">
        <path id="path1" inkscape:label="rail" d="M0 500 H500"/><path id="path2" d="M200 500 H900"/></svg>"#;
    place.write("d.svg", drawing);
    let outcome = place.kugelbahn(&["curves", "check", "d.svg"]);
    let told = &outcome.stdout;
    assert!(told.contains("rail (path1)"), "{told}\n{}", outcome.stderr);
    assert!(told.contains("along") && told.contains("lie on each other, from (0.2, 0.5) to (0.5, 0.5)"), "{told}");
}
