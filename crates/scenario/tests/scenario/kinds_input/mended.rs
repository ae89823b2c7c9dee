//! Garbled files, and what is mended within the tolerance and told.

use super::*;

/// Bytes changed, cut and doubled: an error or a curve, never a panic.
#[test]
fn garbled_files_are_never_a_panic() {
    let drawing = include_str!("../../../../../curves/drawn-track.svg");
    let table = "x [m];y [mm]\n0;1,5\n1;2\n2;0,5\n3;1\n";
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let (mut good, mut bad) = (0, 0);
    for round in 0..1500 {
        let original = if round % 2 == 0 { drawing } else { table };
        let mut bytes = original.as_bytes().to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = b" ,;.-+eE0aAmMzZ<>\"'(){}\n"[random(23)],
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.remove(at.min(bytes.len() - 1))),
                _ => {
                    let end = (at + random(40)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'0');
            }
        }
        let result = if round % 2 == 0 { svg(&bytes, "") } else { csv(&bytes, "as = 'spline'") };
        match result {
            Ok(_) => good += 1,
            Err(_) => bad += 1,
        }
    }
    assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
    let deep = format!("<svg>{}<path d=\"M0 0h1\"/>{}</svg>", "<g>".repeat(100_000), "</g>".repeat(100_000));
    let _ = svg(deep, "");
}

#[test]
fn gaps_within_the_tolerance_are_closed_and_told() {
    let track = |tolerance: &str| {
        let text = format!(
            "kind = 'composite'\n{tolerance}\npieces = [{{ kind = 'line', from = [0, 0], to = [1, 0] }}, \
             {{ kind = 'line', from = [1, 0.001], to = [2, 0.001] }}, {{ kind = 'line', from = [2, 0.001], to = [3, 0.1] }}]"
        );
        curve_from_text(&text, std::path::Path::new(""))
    };
    let (.., message) = complaint(track(""));
    assert!(message.contains("0.001"), "{message}");
    let (.., message) = complaint(track("tolerance = 0.0005"));
    assert!(message.contains("0.001"), "{message}");
    let closed = track("tolerance = 0.002").unwrap();
    near(&points(&closed), &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.099]]);
    assert_eq!(closed.info.notes, ["2 of 3 pieces moved, by up to 0.001 m, to begin where the one before ends"]);
    let (.., message) = complaint(track("tolerance = 0"));
    assert!(message.contains("at least 1e-9"), "{message}");
}

#[test]
fn an_offset_that_can_not_be_says_where() {
    let offset = |distance: f64, curve: &str| {
        let text = format!("kind = 'offset'\ndistance = {distance}\ncurve = {{ {curve} }}");
        curve_from_text(&text, std::path::Path::new(""))
    };
    let bowl = "kind = 'graph', y = 'x^2', domain = [-1, 1]";
    assert!(offset(0.49, bowl).is_ok());
    let (.., message) = complaint(offset(0.51, bowl));
    assert!(message.contains("has a cusp at") && message.contains("radius of curvature"), "{message}");
    let wedge = "kind = 'polyline', points = [[-1, 1], [0, 0], [1, 1]]";
    assert!(offset(-0.1, wedge).is_ok());
    let (.., message) = complaint(offset(0.1, wedge));
    assert!(message.contains("at the corner at (0.0, 0.0)"), "{message}");
    let ring = "kind = 'circle', centre = [0, 0], radius = 1, side = 'inside'";
    assert!(offset(0.9, ring).is_ok());
    assert!(complaint(offset(1.1, ring)).2.contains("cusp"));
    // The curve stands still at its own cusp, where it turns more tightly than any distance.
    let cusp = offset(0.1, "kind = 'parametric', x = 's^2', y = 's^3', domain = [-1, 1]");
    assert!(complaint(cusp).2.contains("cusp"));
}

/// Symptom: a cubic whose handle was drawn back into its end was refused, as if it stood still in a cusp. Cause: it does
/// stand still there, but has a tangent.
#[test]
fn handles_on_their_end_are_rounded_within_the_tolerance_and_told() {
    let path = "<svg><path d=\"M0 0C0 0 1-1 2 0S4 1 4 1\"/></svg>";
    let curve = svg(path, "scale = 1").unwrap();
    // Retracted at the start of the first and at the end of the second.
    assert_eq!(curve.ground.pieces().len(), 4);
    assert!(
        curve.info.notes.len() == 1 && curve.info.notes[0].contains("rounded off, by at most 0.0000"),
        "{:?}",
        curve.info.notes
    );
    assert!(curve.ground.joints()[1..4].iter().all(|joint| joint.kind == JointKind::Smooth));
    let jets = |curve: &Curve| {
        let pieces = curve.ground.pieces();
        [pieces[0].jet(0.0), pieces[pieces.len() - 1].jet(1.0)]
    };
    let [start, end] = jets(&curve);
    let diagonal = Vector2::new(0.5_f64.sqrt(), 0.5_f64.sqrt());
    assert!(start.point.norm() < 1e-15 && (start.tangent() - diagonal).norm() < 1e-12, "{start:?}");
    assert!((end.point - Vector2::new(4.0, -1.0)).norm() < 1e-15, "{end:?}");
    assert!(start.curvature().is_finite() && start.curvature() < 0.0);

    // The finer the tolerance, the closer to the curve that has no bound, as its cube root says.
    let bezier = |keys: &str| {
        let text = format!("kind = 'bezier'\npoints = [[0, 0], [0, 0], [1, 1], [2, 0]]\n{keys}");
        curve_from_text(&text, std::path::Path::new("")).unwrap()
    };
    let [coarse, fine] = ["tolerance = 1e-6", "tolerance = 1e-9"].map(|keys| jets(&bezier(keys))[0].curvature());
    assert!((fine / coarse - 10.0).abs() < 1e-6, "{coarse} and {fine} 1/m");
    // By itself a millionth of the control polygon.
    let size = 2.0 * 2.0_f64.sqrt();
    let usual = jets(&bezier(""))[0].curvature();
    assert!((coarse / usual - size.cbrt()).abs() < 1e-6, "{coarse} and {usual} 1/m");
    // Where no handle lies on an end nothing is changed.
    let plain = svg("<svg><path d=\"M0 0C1 0 1-1 2 0\"/></svg>", "scale = 1\ntolerance = 1e-3").unwrap();
    assert!(plain.info.notes.is_empty() && plain.ground.pieces().len() == 1);
}
