//! Profiles as people have them: GPS tracks, surveys, loops, tables from right to left.

use curves::JointKind;
use nalgebra::Vector2;
use scenario::curve::{Curve, curve_from_text, load_curve};
use scenario::input::{InputError, builtin_names};
use scenario::{Methods, Scenario};

use crate::kinds_input::csv;

fn read(name: &str, text: &str, keys: &str) -> Result<Curve, InputError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let kind = name.rsplit('.').next().unwrap();
    curve_from_text(&format!("kind = '{kind}'\nfile = '{name}'\n{keys}"), folder.path())
}

fn told(error: InputError) -> String {
    format!("{error} / {} / {}", error.label_text(), error.help_text().unwrap_or(""))
}

fn points(curve: &Curve) -> Vec<Vector2<f64>> {
    curve.ground.joints().iter().map(|joint| joint.point).collect()
}

/// Points along the equator, 1e-4 degrees of longitude apart (11.132 m).
fn gpx(segments: &[&[(f64, Option<f64>)]]) -> String {
    let point = |&(lon, ele): &(f64, Option<f64>)| {
        let ele = ele.map_or(String::new(), |ele| format!("<ele>{ele}</ele>"));
        format!("<trkpt lat=\"0\" lon=\"{lon:.6}\">{ele}<time>2020-01-01T00:00:00Z</time></trkpt>")
    };
    let segment = |points: &&[(f64, Option<f64>)]| -> String {
        format!("<trkseg>{}</trkseg>", points.iter().map(point).collect::<String>())
    };
    let all: String = segments.iter().map(segment).collect();
    format!(
        "<?xml version=\"1.0\"?><gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><name>Hill</name>{all}</trk></gpx>"
    )
}

const STEP: f64 = 6_378_137.0 * std::f64::consts::PI / 180.0 * 1e-4;

/// A track that is given in place of a scenario has a football dropped on it, as a drawing has a marble.
#[test]
fn a_gps_track_may_be_the_scenario() {
    let hill: Vec<_> = (0..40).map(|i| (1e-4 * f64::from(i), Some(20.0 * (0.2 * f64::from(i)).cos()))).collect();
    let scenario = Scenario::from_text(&gpx(&[&hill]), std::path::Path::new(""), &[]).unwrap();
    assert_eq!(scenario.title, "A marble on a GPS track");
    assert_eq!(scenario.scene.ball.radius(), 0.11);
    assert!(matches!(scenario.start, supervisor::Start::Flight(_)));
}

#[test]
fn a_gps_track_is_height_over_distance() {
    let (a, b): (Vec<_>, Vec<_>) = (
        vec![(0.0, Some(5.0)), (1e-4, Some(7.0)), (1e-4, Some(8.0)), (2e-4, None), (3e-4, Some(6.0))],
        vec![(6e-4, Some(1.0)), (7e-4, Some(2.0))],
    );
    let text = gpx(&[&a, &b]);
    let curve = read("t.gpx", &text, "as = 'polyline'").unwrap();
    let expected = [(0.0, 5.0), (1.0, 7.0), (3.0, 6.0), (6.0, 1.0), (7.0, 2.0)].map(|(x, y)| Vector2::new(x * STEP, y));
    for (found, expected) in points(&curve).iter().zip(expected) {
        assert!((found - expected).norm() < 1e-6, "{found} {expected}");
    }
    assert_eq!(curve.ground.pieces().len(), 4);
    assert_eq!(
        curve.info.notes,
        [
            "1 points without height were left out",
            "1 points at the place of the one before were left out",
            "1 gaps between segments, up to 33.4 m wide, were bridged straight"
        ]
    );
    let two = text.replace("</gpx>", "<trk><name>Empty</name><trkseg/></trk><trk><name>Dale</name><trkseg><trkpt lat='1' lon='1'/></trkseg></trk></gpx>");
    for (keys, what) in [
        ("", "2 tracks / which one? / track = 1 takes the first; they are called `Hill`, `Dale`"),
        ("track = 3", "no track 3 / it has 2"),
        ("track = 'Dal'", "no track `Dal`"),
        ("track = 'Dale'", "no heights: 1 points without <ele>"),
    ] {
        let error = told(read("t.gpx", &two, &format!("as = 'spline'\n{keys}")).unwrap_err());
        assert!(error.contains(what), "{keys}: {error}");
    }
    assert_eq!(read("t.gpx", &two, "as = 'polyline'\ntrack = 'Hill'").unwrap().ground.pieces().len(), 4);
    for (text, what) in [
        ("<gpx/>", "no track and no route"),
        ("<kml/>", "its root is <kml>"),
        (
            "<gpx><rte><rtept lat='91' lon='0'><ele>1</ele></rtept></rte></gpx>",
            "`lat` = 91 of this point is no angle on the earth / degrees, at most 90",
        ),
        ("<gpx><rte><rtept lat='9' lon='0'><ele>high</ele></rtept></rte></gpx>", "is no number"),
        ("<gpx><rte><rtept lat='9' lon='0'><ele>1</ele></rtept></rte></gpx>", "at least two points"),
    ] {
        let error = told(read("t.gpx", text, "as = 'polyline'").unwrap_err());
        assert!(error.contains(what), "{text}: {error}");
    }
}

/// Heights of a receiver scatter; the smoothing that is suggested takes them near the true hill.
#[test]
fn noise_of_a_receiver_is_told_with_its_cure() {
    let hill = |i: u32| 100.0 + 20.0 * (0.05 * f64::from(i)).sin();
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let track: Vec<_> = (0..300).map(|i| (1e-4 * f64::from(i), Some(hill(i) + 3.0 * random()))).collect();
    let text = gpx(&[&track]);
    let noise = read("t.gpx", &text, "as = 'polyline'").unwrap().info.noise.unwrap();
    // Evenly spread over 3 m.
    assert!((noise.deviation / (3.0 / 12f64.sqrt()) - 1.0).abs() < 0.15, "{noise:?}");
    assert!(noise.cure().starts_with("as = \"smoothing-spline\" with smoothing = \"gcv\""), "{}", noise.cure());
    let smooth = read("t.gpx", &text, "as = 'smoothing-spline'\nsmoothing = 'gcv'").unwrap();
    assert!(smooth.info.noise.is_none());
    let off = |curve: &Curve| -> f64 {
        let joints = points(curve);
        let squares: f64 = joints.iter().enumerate().map(|(i, p)| (p.y - hill(i as u32)).powi(2)).sum();
        (squares / joints.len() as f64).sqrt()
    };
    let (raw, cured) = (off(&read("t.gpx", &text, "as = 'spline'").unwrap()), off(&smooth));
    assert!(cured < 0.5 * raw, "{raw} m raw, {cured} m smoothed");
}

/// Rows of a closed curve are refused with the key that closes it, which works; the seam of its spline is smooth.
#[test]
fn a_loop_of_rows_is_closed_by_a_key() {
    let rows: String = (0..40)
        .map(|i| std::f64::consts::TAU * f64::from(i) / 40.0)
        .map(|a| format!("{:.6},{:.6}\n", 2.0 * a.cos(), a.sin()))
        .collect();
    let text = format!("x_m,y_m\n{rows}").replace("_m", "");
    let error = told(csv(&text, "as = 'spline'").unwrap_err());
    assert!(error.contains("out of order") && error.contains("closed = true makes a closed curve"), "{error}");
    for (kind, smooth) in [("spline", true), ("polyline", false)] {
        let curve = csv(&text, &format!("as = '{kind}'\nclosed = true")).unwrap();
        assert!(curve.ground.is_closed() && curve.ground.pieces().len() == 40);
        assert_eq!(curve.ground.joints()[0].kind == JointKind::Smooth, smooth);
        // Rows that say their first place once more are the same curve.
        let again = csv(format!("{text}2.000000,0.000000\n"), &format!("as = '{kind}'\nclosed = true")).unwrap();
        assert_eq!(again.ground.length(), curve.ground.length());
    }
    let error = told(csv(&text, "as = 'smoothing-spline'\nsmoothing = 'gcv'\nclosed = true").unwrap_err());
    assert!(error.contains("has two ends"), "{error}");
    let open = told(csv("0 0\n1 0\n1 1\n0.5 9\n", "as = 'spline'").unwrap_err());
    assert!(open.contains("order = \"as-written\"") && !open.contains("closed"), "{open}");
}

#[test]
fn tables_from_right_to_left_are_turned_round_and_told() {
    let curve = csv("x,y\n3,1\n2,5\n0,4\n", "as = 'polyline'").unwrap();
    assert_eq!(points(&curve), [[0.0, 4.0], [2.0, 5.0], [3.0, 1.0]].map(Vector2::from));
    assert!(curve.info.notes[0].contains("read from its last row on"), "{:?}", curve.info.notes);
}

/// Steps of a survey with a clinometer, and places seen from one point.
#[test]
fn surveys_of_distance_and_angle() {
    let expected = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [1.0 - 3.0 * 0.5_f64.sqrt(), 2.0 + 3.0 * 0.5_f64.sqrt()]];
    let near = |curve: &Curve, expected: &[[f64; 2]]| {
        let found = points(curve);
        let same = found.iter().zip(expected).all(|(a, b)| (a - Vector2::from(*b)).norm() < 1e-12);
        assert!(found.len() == expected.len() && same, "{found:?}");
    };
    for (text, keys) in [
        ("distance,angle\n1,0\n2,90\n3,135\n", "angle-unit = 'deg'"),
        ("distance [cm];angle [°]\n100;0\n200;90\n300;135\n", ""),
        ("nr,angle [gon],distance (m)\n1,0,1\n2,100,2\n3,150,3\n", ""),
        ("1 0\n2 90\n3 135\n", "angle-unit = 'deg'"),
    ] {
        let curve =
            csv(text, &format!("as = 'polyline'\nsurvey = 'steps'\n{keys}")).unwrap_or_else(|e| panic!("{text}: {e}"));
        near(&curve, &expected);
    }
    let polar =
        csv("range,elevation\n1,0\n2,90\n4,180\n", "as = 'polyline'\nsurvey = 'polar'\nangle-unit = 'deg'").unwrap();
    near(&polar, &[[1.0, 0.0], [0.0, 2.0], [-4.0, 0.0]]);
    // A quarter of a circle of 1 m: places along it, from 5 m on.
    let quarter = |name: &str| {
        let row = |i: i32| format!("{},{}\n", 5.0 + f64::from(i) * std::f64::consts::FRAC_PI_2 / 10.0, 9 * i - 90);
        format!("{name},angle\n") + &(0..=10).map(row).collect::<String>()
    };
    let survey =
        |name: &str, kind: &str| csv(quarter(name), &format!("as = 'spline'\nsurvey = '{kind}'\nangle-unit = 'deg'"));
    let along = points(&survey("distance", "along").unwrap());
    assert!((along.last().unwrap() - Vector2::new(1.0, -1.0)).norm() < 1e-12, "{along:?}");
    let asked = told(survey("distance", "steps").unwrap_err());
    assert!(
        asked.contains("of 63.64 m") && asked.contains("of 1.571 m") && asked.contains("survey = \"along\""),
        "{asked}"
    );
    assert_eq!(points(&survey("step", "steps").unwrap()).len(), 12);
    let falls = told(
        csv("distance,angle\n1,0\n2,10\n2,20\n", "as = 'spline'\nsurvey = 'along'\nangle-unit = 'deg'").unwrap_err(),
    );
    assert!(falls.contains("grow from row to row"), "{falls}");
    for (keys, what) in [
        ("", "survey = \"steps\" if each row goes on from the last"),
        ("survey = 'steps'", "in which unit are the angles? / °, deg"),
        ("angle-unit = 'deg'", "needs `survey`"),
    ] {
        let error = told(csv("distance,angle\n1,0\n2,90\n", &format!("as = 'polyline'\n{keys}")).unwrap_err());
        assert!(error.contains(what), "{keys}: {error}");
    }
}

/// A scenario over a built-in profile, also one that names a file, is the same when it is written out and read from anywhere.
#[test]
fn profiles_are_written_and_read_anywhere() {
    let away = tempfile::tempdir().unwrap();
    let mut read = 0;
    for name in builtin_names() {
        let text = format!(
            "ball = {{ mass = 1.0, radius = 0.0 }}\ninitial.position = [0.1, 300.0]\nground.curve = '{name}'\n\
             contact.restitution = 0.5\nsolver.duration = 1.0"
        );
        let scenario = Scenario::from_text(&text, away.path(), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = toml::to_string(&scenario.written()).unwrap();
        let again = Scenario::from_text(&written, away.path(), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.scene.ground.ground().length(), scenario.scene.ground.ground().length(), "{name}");
        assert_eq!(toml::to_string(&again.written()).unwrap(), written, "{name}");
        read += 1;
    }
    assert!(read > 20, "{read}");
}

/// Symptom: a row that is there twice was refused, and a height of 0 amid hills was ground.
#[test]
fn doubled_rows_and_heights_of_zero_are_told() {
    let curve = read("t.csv", "x,y\n0,0\n1,1\n1,1\n1,1\n2,0\n", "as = 'polyline'").unwrap();
    assert_eq!(points(&curve).len(), 3);
    assert_eq!(curve.info.notes, ["2 rows have the point of the row before, and were left out (the last is 5)"]);
    let hill = |at: usize, void: f64| {
        let point =
            |i: usize| (1e-4 * i as f64, Some(if i == at { void } else { 400.0 + 3.0 * (0.5 * i as f64).sin() }));
        gpx(&[&(0..20).map(point).collect::<Vec<_>>()])
    };
    let told = |at: usize, void: f64| read("t.gpx", &hill(at, void), "as = 'polyline'").unwrap().info.notes.join(" ");
    for void in [0.0, -9999.0, -32768.0] {
        let told = told(7, void);
        assert!(told.contains(&format!("1 point has the height {void}, far from those beside")), "{told}");
    }
    assert!(!told(99, 0.0).contains("the height"), "{}", told(99, 0.0));
    let heights = "x,y\n0,400\n1,401\n2,-9999\n3,400\n4,402\n";
    let curve = read("t.csv", heights, "as = 'polyline'").unwrap();
    assert!(
        points(&curve).len() == 4 && curve.info.notes.join(" ").contains("row 4 has y = -9999"),
        "{:?}",
        curve.info.notes
    );
    // By the sea heights go through zero.
    let shore: Vec<(f64, Option<f64>)> = (0..20).map(|i| (1e-4 * f64::from(i), Some(f64::from(i - 10)))).collect();
    assert!(!read("t.gpx", &gpx(&[&shore]), "as = 'polyline'").unwrap().info.notes.join(" ").contains("height 0"));
}

/// Drawings of CAD programs are no format of ours, by whatever door they come.
#[test]
fn a_drawing_of_a_cad_program_is_to_be_written_as_svg() {
    for keys in [
        "kind = 'dxf'\nfile = 'a.dxf'",
        "kind = 'csv'\nfile = 'a.DXF'\nas = 'polyline'",
        "kind = 'svg'\nfile = 'a.dwg'",
    ] {
        let error = told(curve_from_text(keys, std::path::Path::new("")).unwrap_err());
        assert!(error.contains("write SVG"), "{keys}: {error}");
    }
    let error = load_curve(std::path::Path::new("a.dxf"), &Methods::builtin()).unwrap_err();
    assert!(told(error).contains("write SVG"));
}

/// A degree of latitude is 110.574 km long at the equator and 111.132 km at 45°, one of longitude 111.320 and 78.847 km; over
/// the date line as anywhere.
#[test]
fn degrees_are_as_long_as_on_the_ellipsoid() {
    for (ends, length) in [
        ([[-0.005, 0.0], [0.005, 0.0]], 1105.74),
        ([[0.0, 0.0], [0.0, 0.01]], 1113.20),
        ([[44.995, 0.0], [45.005, 0.0]], 1111.32),
        ([[45.0, 179.995], [45.0, -179.995]], 788.47),
    ] {
        let point = |[lat, lon]: [f64; 2]| format!("<rtept lat='{lat}' lon='{lon}'><ele>1</ele></rtept>");
        let text = format!("<gpx><rte>{}</rte></gpx>", ends.map(point).concat());
        let found = read("t.gpx", &text, "as = 'polyline'").unwrap().ground.length();
        assert!((found - length).abs() < 1e-2, "{ends:?} {found}");
    }
}
