//! Tables and drawings as people bring them: read as meant, or refused with the place.

mod mended;

use std::f64::consts::PI;

use curves::JointKind;
use nalgebra::Vector2;
use scenario::curve::{Curve, curve_from_text};
use scenario::input::InputError;
use tempfile::TempDir;

/// A curve that refers to one file.
fn with_file(name: &str, bytes: &[u8], curve: &str) -> Result<Curve, InputError> {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join(name), bytes).unwrap();
    curve_from_text(curve, folder.path())
}

pub fn csv(text: impl AsRef<[u8]>, keys: &str) -> Result<Curve, InputError> {
    with_file("points.csv", text.as_ref(), &format!("kind = 'csv'\nfile = 'points.csv'\n{keys}"))
}

pub fn svg(text: impl AsRef<[u8]>, keys: &str) -> Result<Curve, InputError> {
    with_file("drawing.svg", text.as_ref(), &format!("kind = 'svg'\nfile = 'drawing.svg'\n{keys}"))
}

/// Line and column of an error, from 1, and what it says.
fn complaint(result: Result<Curve, InputError>) -> (usize, usize, String) {
    let error = result.unwrap_err();
    let span = error.span().unwrap_or_else(|| panic!("no place: {error}"));
    let before = &span.source.text()[..span.range.start];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    (line, column, format!("{error} / {} / {}", error.label_text(), error.help_text().unwrap_or("")))
}

fn points(curve: &Curve) -> Vec<[f64; 2]> {
    let mut joints = curve.ground.joints().to_vec();
    if curve.ground.is_closed() {
        joints.push(joints[0]);
    }
    joints.iter().map(|joint| [joint.point.x, joint.point.y]).collect()
}

fn near(found: &[[f64; 2]], expected: &[[f64; 2]]) {
    let same = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(same), "{found:?}, expected {expected:?}");
}

#[test]
fn tables_are_read_with_any_separator_and_unit() {
    let expected = [[0.0, 1.5], [0.5, 0.25], [2.0, -1.0]];
    let tables = [
        ("0,1.5\n0.5,0.25\n2,-1\n", ""),
        ("0, 1.5\n0.5, 0.25\n2, -1", ""),
        ("x;y\n0;1,5\n0,5;0,25\n2;-1\n", ""),
        ("\u{feff}x [mm];y (cm)\r\n0;150\r\n500;25\r\n\r\n2000;-100\r\n", ""),
        ("# measured by hand\n0\t1,5\n0,5\t0,25\n2\t-1\n", ""),
        ("0,0 1,5\n0,5 0,25\n2 -1\n", ""),
        ("  0   1.5\n 0.5   .25\n  2e0  -1\n", ""),
        ("\"x [m]\",\"y [m]\"\n\"0\",\"1.5\"\n0.5,0.25\n2,-1\n", ""),
        ("time,height [mm],way [m]\n1,1500,0\n2,250,0.5\n3,-1000,2\n", "columns = ['way', 'height']"),
        ("1 1500 0\n2 250 500\n3 -1000 2000\n", "columns = [3, 2]\nunit = 'mm'"),
        ("way,height\n0,1.5\n0.5,0.25\n2,-1\n", ""),
        ("x_mm,y_cm\n0,150\n500,25\n2000,-100\n", ""),
        ("x_mm,y_cm\n0,150\n500,25\n2000,-100\n", "columns = ['x_mm', 'y_cm']"),
        ("Weg in mm;Höhe/cm\n0;150\n500;25\n2000;-100\n", "columns = ['Weg', 'Höhe/cm']"),
        ("x_s,y_1\n0,1.5\n0.5,0.25\n2,-1\n", "columns = ['x_s', 'y_1']"),
        ("x,y\n0,1.5,\n0.5,0.25,\n2,-1,\n", ""),
        ("mass_A\nt,x,y\n1,0,1.5\n2,0.5,0.25\n3,2,\u{2212}1\n", ""),
        ("% by hand\nx\ty\n(cm)\t(mm)\n0\t1500\n50\t250\n200\t-1000\n", ""),
        ("x;y\nby hand\n0;1,5\n0,5;0,25\n2;-1\n\nlength;rows\n4;3\n", ""),
    ];
    for (table, keys) in tables {
        let curve = csv(table, &format!("as = 'polyline'\n{keys}")).unwrap_or_else(|error| panic!("{table}: {error}"));
        near(&points(&curve), &expected);
    }
    let wound = csv("0 0\n1 0\n1 1\n0.5 1\n", "as = 'spline'\norder = 'as-written'").unwrap();
    near(&points(&wound), &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]]);
}

/// Points of shapes beside `<path>`, a pixel being a metre.
#[test]
fn shapes_of_a_drawing_are_lines() {
    let cases: [(&str, usize, [f64; 2], f64); 7] = [
        ("<circle cx='2' cy='-3' r='1'/>", 2, [3.0, 3.0], std::f64::consts::TAU),
        ("<ellipse cx='2' cy='-3' rx='1' ry='1'/>", 2, [3.0, 3.0], std::f64::consts::TAU),
        ("<line x1='1' y1='-2' x2='4' y2='2'/>", 1, [1.0, 2.0], 5.0),
        ("<rect x='1' y='-2' width='3' height='1'/>", 4, [1.0, 2.0], 8.0),
        ("<rect x='1' y='-2' width='4' height='2' rx='1'/>", 6, [2.0, 2.0], 4.0 + std::f64::consts::TAU),
        ("<polyline points='0,0 3,-4 6 0'/>", 2, [0.0, 0.0], 10.0),
        ("<polygon id='a' points='0,0 3,-4 6 0'/>", 3, [0.0, 0.0], 16.0),
    ];
    for (shape, pieces, first, length) in cases {
        let curve = svg(format!("<svg xmlns='http://www.w3.org/2000/svg'>{shape}</svg>"), "scale = 1").unwrap();
        assert_eq!(curve.ground.pieces().len(), pieces, "{shape}");
        near(&points(&curve)[..1], &[first]);
        assert!((curve.ground.length() - length).abs() < 1e-9, "{shape}: {}", curve.ground.length());
    }
    for (shape, what) in [
        ("<circle r='0'/>", "not positive"),
        ("<circle/>", "no `r`"),
        ("<polyline points='0,0 1'/>", "no pairs"),
        ("<polygon points='0,0 1,1 L 3,3'/>", "no pairs"),
        ("<line/>", "draws nothing"),
    ] {
        let error = svg(format!("<svg xmlns='http://www.w3.org/2000/svg'>{shape}</svg>"), "").unwrap_err();
        let told = format!("{error} {}", error.label_text());
        assert!(told.contains(what), "{shape}: {told}");
    }
}

/// Lengths in percent are parts of the viewport's width, its height, or of both on average; where it has no size they are refused.
#[test]
fn percentages_are_of_the_viewport() {
    let page = "viewBox='0 0 40 30' width='40' height='30'";
    for (shape, first, length) in [
        ("<rect x='10%' y='20%' width='50%' height='50%'/>", [4.0, 24.0], 70.0),
        ("<line x1='25%' y1='100%' x2='100%' y2='100%'/>", [10.0, 0.0], 30.0),
        // √((40² + 30²)/2) = 35.36
        ("<circle cx='50%' cy='50%' r='20%'/>", [20.0 + 0.2 * 1250f64.sqrt(), 15.0], 0.4 * PI * 1250f64.sqrt()),
        ("<ellipse cx='50%' cy='50%' rx='10%' ry='13.333333333333334%'/>", [24.0, 15.0], 8.0 * PI),
    ] {
        for page in [page, "viewBox='0 0 40 30'", "width='40' height='30'"] {
            let curve =
                svg(format!("<svg xmlns='http://www.w3.org/2000/svg' {page}>{shape}</svg>"), "scale = 1").unwrap();
            near(&points(&curve)[..1], &[first]);
            assert!((curve.ground.length() - length).abs() < 1e-9, "{shape}: {}", curve.ground.length());
        }
        for page in ["", "width='100%' height='50%'"] {
            let text = format!("<svg xmlns='http://www.w3.org/2000/svg' {page}>{shape}</svg>");
            let error = svg(text, "scale = 1").unwrap_err().to_string();
            assert!(error.contains("a part of the page, whose size is not said"), "{shape}: {error}");
        }
    }
    let text = format!("<svg xmlns='http://www.w3.org/2000/svg' {page}><circle r='two%'/></svg>");
    assert!(svg(text, "").unwrap_err().to_string().contains("can't read the length `two%`"));
}

#[test]
fn tables_that_make_no_ground_are_refused_with_the_row() {
    let cases = [
        ("x,y\n0,1\n1,two\n2,3\n", 3, 3, "row 3, column 2: `two`"),
        ("0,1\n1,NaN\n2,3\n", 2, 3, "row 2, column 2: `NaN`"),
        ("0,1\n1,inf\n2,3\n", 2, 3, "no finite number"),
        ("0,1\n1\n2,3\n", 2, 1, "row 2 has no column 2"),
        ("0,1\n1,\n2,3\n", 2, 1, "row 2"),
        ("0,1\n2,2\n1,3\n", 3, 1, "row 3 is out of order"),
        ("0,1\n2,2\n2,3\n3,1\n", 3, 1, "row 3 is out of order"),
        ("0;1,5\n1;2.5\n", 1, 3, "row 1, column 2: `1,5`"),
        ("x [furlong],y [m]\n0,1\n1,2\n", 1, 1, "unknown unit of places `furlong`"),
        ("a,b,c\n0,1,2\n1,2,3\n", 1, 1, "which columns"),
        ("0,1\n", 2, 8, "at least two points"),
        ("", 2, 8, "is empty"),
        ("\n\n# nothing\n", 2, 8, "is empty"),
        ("x,y\n", 2, 8, "at least two points"),
        ("0,1\n1e308,1e308\n2e308,0\n", 3, 1, "no finite number"),
        ("x,y\n0,1\n1,5,2,5\n2,3\n", 3, 5, "row 3 has 4 cells, and the table 2 columns"),
        ("0,1\n1,2,3\n", 2, 5, "row 2 has 3 cells"),
        ("x,y,X\n0,1,2\n1,2,3\n", 1, 5, "columns 1 and 3 are both named `X`"),
        ("way,way\n0,1\n1,2\n", 1, 5, "both named `way`"),
        ("no table at all", 1, 1, "which columns"),
        ("distance,angle\n0,1\n1,2\n", 1, 1, "which columns"),
        ("t,x\n0,1\n1,2\n", 1, 1, "which columns"),
        ("x,y\nm,s\n0,1\n1,2\n", 2, 3, "unknown unit of places `s`"),
        ("<?xml version=\"1.0\"?>\n<object/>", 2, 8, "is XML"),
        ("1,5,2,5\n2,5,3,5\n", 1, 1, "which columns are x and y? There is no header above 4 columns"),
    ];
    for (table, line, column, what) in cases {
        let (l, c, message) = complaint(csv(table, "as = 'polyline'"));
        assert!((l, c) == (line, column) && message.contains(what), "{table:?}: line {l}, column {c}: {message}");
    }
    let doubled = csv("0 0\n1 1\n1 1\n0 2\n", "as = 'spline'\norder = 'as-written'").unwrap();
    assert_eq!(doubled.info.notes, ["row 3 has the point of the row before, and was left out"]);
    let (.., message) = complaint(csv(b"0,1\n1,\xff\n", "as = 'polyline'"));
    assert!(message.contains("`ÿ` is no finite number"), "{message}");
    let absent = curve_from_text("kind = 'csv'\nfile = 'absent.csv'\nas = 'spline'", std::path::Path::new("/nowhere"));
    let (line, column, message) = complaint(absent);
    assert!((line, column) == (2, 8) && message.contains("absent.csv"), "{message}");
    let (.., message) = complaint(csv("0 0\n1 1\n", "as = 'smoothing-spline'\nsmoothing = 'gcv'"));
    assert!(message.contains("at least three"), "{message}");
    let (.., message) = complaint(csv("0 0\n1 1\n2 0\n", "as = 'smoothing-spline'"));
    assert!(message.contains("one of `largest-deviation`, `sigma` and `smoothing`"), "{message}");
    let (.., message) = complaint(csv("0 0\n1 1\n2 0\n", "as = 'polyline'\ncolumns = ['a', 'b']"));
    assert!(message.contains("no header"), "{message}");
    for columns in ["['x', 'X']", "[2, 2]", "['x', 1]", "[2, 'y']"] {
        let twice = csv("x y\n0 0\n1 1\n", &format!("as = 'polyline'\ncolumns = {columns}"));
        assert!(complaint(twice).2.contains("is named twice"));
    }
    let (.., message) = complaint(csv("0 0\n1 1\n2 0\n", "as = 'polyline'\ncolumns = [1, 7]"));
    assert!(message.contains("there is no column 7: the table has 2"), "{message}");
    // By number a column needs no name; decimal commas may stand in quotes.
    for (table, keys, last) in [
        ("x,y\n0,1,9\n1,2,8\n", "columns = [1, 3]", [1.0, 8.0]),
        ("\"x\",\"y\"\n\"0,5\",\"0,1\"\n\"1,5\",\"0,2\"\n", "", [1.5, 0.2]),
    ] {
        near(&points(&csv(table, &format!("as = 'polyline'\n{keys}")).unwrap())[1..], &[last]);
    }
    let curve = csv("x,y\r0,1\r1,2\r2,2\r", "as = 'polyline'").unwrap();
    assert_eq!(curve.ground.pieces().len(), 2);
}

#[test]
fn units_of_a_drawing_are_honoured() {
    let path = "<path id=\"p\" d=\"M0 100 L100 100 L100 50\"/>";
    let drawing = |attributes: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes}>{path}</svg>");
    let inch = 0.0254;
    let cases = [
        // No height: y from the first line down.
        ("", "", [0.0, -100.0 / 96.0 * inch], [100.0 / 96.0 * inch, -50.0 / 96.0 * inch]),
        ("width=\"200\" height=\"100\"", "", [0.0, 0.0], [100.0 / 96.0 * inch, 50.0 / 96.0 * inch]),
        (
            "width=\"1in\" height=\"1in\" viewBox=\"0 0 96 96\"",
            "",
            [0.0, -4.0 / 96.0 * inch],
            [100.0 / 96.0 * inch, 46.0 / 96.0 * inch],
        ),
        ("width=\"200mm\" height=\"100mm\" viewBox=\"0 0 200 100\"", "", [0.0, 0.0], [0.1, 0.05]),
        ("width=\"20cm\" viewBox=\"-100 0 200 100\"", "", [0.1, 0.0], [0.2, 0.05]),
        // A page higher or wider than the view box: centred, or as it is said.
        ("width=\"200mm\" height=\"300mm\" viewBox=\"0 0 200 100\"", "", [0.0, 0.1], [0.1, 0.15]),
        ("width=\"400mm\" height=\"100mm\" viewBox=\"0 0 200 100\"", "", [0.1, 0.0], [0.2, 0.05]),
        (
            "width=\"200mm\" height=\"300mm\" viewBox=\"0 0 200 100\" preserveAspectRatio=\"xMidYMin meet\"",
            "",
            [0.0, 0.2],
            [0.1, 0.25],
        ),
        (
            "width=\"400mm\" height=\"100mm\" viewBox=\"0 0 200 100\" preserveAspectRatio=\"xMaxYMid slice\"",
            "",
            [0.0, -0.05],
            [0.2, 0.05],
        ),
        (
            "width=\"200mm\" height=\"300mm\" viewBox=\"0 0 200 100\" preserveAspectRatio=\"none\"",
            "",
            [0.0, 0.0],
            [0.1, 0.15],
        ),
        ("width=\"100%\" height=\"100%\" viewBox=\"0 0 200 100\"", "scale = 0.5", [0.0, 0.0], [50.0, 25.0]),
        ("height=\"100Q\" viewBox=\"0 0 200 100\"", "", [0.0, 0.0], [0.025, 0.0125]),
        ("width=\"72pt\" viewBox=\"0 0 72 100\"", "", [0.0, 0.0], [100.0 / 72.0 * inch, 50.0 / 72.0 * inch]),
    ];
    for (attributes, keys, first, last) in cases {
        let curve = svg(drawing(attributes), keys).unwrap_or_else(|error| panic!("{attributes}: {error}"));
        let found = points(&curve);
        near(&[found[0], found[2]], &[first, last]);
        assert_eq!(curve.ground.joints()[1].kind, JointKind::Concave);
    }
}

#[test]
fn transforms_of_groups_apply_in_turn_and_corners_stay_corners() {
    let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg xmlns=\"http://www.w3.org/2000/svg\">\n\
        <g transform=\"translate(10, 20) scale(2)\"><g transform=\"rotate(90)\"><g transform=\"matrix(1 0 0 1 1 0)\">\n\
        <path id=\"a\" d=\"M0 0h10\" transform=\"skewX(45) translate(0 1)\"/>\n\
        <path id=\"b\" d=\"M0 0h1v1h1\"/></g></g></g></svg>";
    // (0, 0) → (0, 1) → sheared (1, 1) → (2, 1) → turned (−1, 2) → scaled (−2, 4) → (8, 24)
    let a = svg(text, "path = 'a'\nscale = 1").unwrap();
    near(&points(&a), &[[8.0, -24.0], [8.0, -44.0]]);
    let b = svg(text, "path = 'b'\nscale = 1").unwrap();
    let kinds: Vec<JointKind> = b.ground.joints()[1..3].iter().map(|joint| joint.kind).collect();
    assert_eq!(kinds, [JointKind::Convex, JointKind::Concave]);
    assert!(b.ground.joints()[1..3].iter().all(|joint| (joint.turn.abs() - std::f64::consts::FRAC_PI_2).abs() < 1e-12));

    // Around a point of its own: (0, 0) is (-2, -1) from it, turned (1, -2).
    for about in ["transform-origin=\"2 1\"", "style=\"transform-origin: 2px 1px; transform-box: view-box\""] {
        let text = format!("<svg><path d=\"M0 0h2\" transform=\"rotate(90)\" {about}/></svg>");
        near(&points(&svg(&text, "scale = 1").unwrap()), &[[3.0, 1.0], [3.0, -1.0]]);
    }
    for about in ["transform-origin=\"center\"", "style=\"transform-box: fill-box\""] {
        let text = format!("<svg><path d=\"M0 0h2\" transform=\"rotate(90)\" {about}/></svg>");
        let (.., message) = complaint(svg(&text, "scale = 1"));
        assert!(message.contains("is not understood"), "{message}");
    }

    // A circle of two arcs, stretched and sheared: an ellipse, closed and smooth, exact to rounding.
    let round = "<svg><g transform=\"matrix(2 0.5 -0.3 1 4 5)\">\
        <path d=\"M10 0 A10 10 0 0 0 -10 0 A10 10 0 0 0 10 0 Z\"/></g></svg>";
    let curve = svg(round, "scale = 0.01").unwrap();
    assert!(curve.ground.is_closed() && curve.ground.pieces().len() == 2);
    for piece in curve.ground.pieces() {
        for i in 0..=20 {
            let p = piece.curve().point_at(piece.domain().lo + piece.domain().width() * f64::from(i) / 20.0) * 100.0;
            let (x, y) = (p.x - 4.0, -p.y - 5.0);
            let det = 2.0 * 1.0 + 0.3 * 0.5;
            let (u, v) = ((x + 0.3 * y) / det, (2.0 * y - 0.5 * x) / det);
            assert!((u.hypot(v) - 10.0).abs() < 1e-12);
        }
    }
    assert!(curve.ground.joints().iter().all(|joint| joint.kind == JointKind::Smooth));
}

/// Symptom: a scribble of 100 000 nodes took 9 GB. Cause: a ground for each crossing passed. A weave of 101 lines and as many across them has
/// some 10 000 crossings; one of 21 is read.
#[test]
fn a_scribble_is_refused() {
    let weave = |lines: i32| {
        let mut path = "M0 0".to_owned();
        for k in 1..lines {
            path += &format!("H{}V{}", if k % 2 == 1 { lines } else { 0 }, k);
        }
        path += "H-1";
        for k in 1..lines {
            path += &format!("V{}H{}", if k % 2 == 1 { -1 } else { lines + 1 }, f64::from(k) - 0.5);
        }
        format!("<svg><path d=\"{path}\"/></svg>")
    };
    assert!(svg(weave(21), "scale = 1").unwrap().ground.crossings().len() > 200);
    let (.., message) = complaint(svg(weave(101), "scale = 1"));
    assert!(message.contains("times and more, the last at"), "{message}");
}

/// A `<use>` draws the path once more, moved by its transform and its x and y: `d` → its own transform → x, y → transform of the
/// `<use>` → groups around that. A path in `<defs>` is drawn where it is used.
#[test]
fn uses_of_a_path_are_honoured() {
    let text = |extra: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n\
             <defs><path id=\"p\" d=\"M0 0h10\" transform=\"translate(0 1)\"/></defs>\n\
             <g transform=\"translate(10, 20)\"><use id=\"u\" xlink:href=\"#p\" x=\"1\" y=\"2px\" transform=\"scale(2)\"/></g>\n\
             {extra}</svg>"
        )
    };
    for keys in ["", "path = 'p'\n", "path = 'u'\n"] {
        let curve = svg(text(""), &format!("{keys}scale = 1")).unwrap();
        near(&points(&curve), &[[12.0, -26.0], [32.0, -26.0]]);
    }
    let two = text("<use id=\"v\" href=\"#p\" y=\"0.5in\"/>\n");
    let v = svg(&two, "path = 'v'\nscale = 1").unwrap();
    near(&points(&v), &[[0.0, -49.0], [10.0, -49.0]]);
    let (line, column, message) = complaint(svg(&two, "path = 'p'"));
    assert!((line, column) == (4, 1) && message.contains("drawn several times"), "{line} {column} {message}");
    // Drawn itself, and once more elsewhere.
    let both = "<svg><path id=\"p\" d=\"M0 0h10\"/><use href=\"#p\" x=\"5\" y=\"5\"/></svg>";
    near(&points(&svg(both, "scale = 1").unwrap()), &[[0.0, 0.0], [10.0, 0.0]]);
    let cases = [
        (
            "<g id=\"g\"><path d=\"M0 0h1\"/><path d=\"M0 0h1\"/></g>\n<use id=\"u\" href=\"#g\"/>",
            "u",
            3,
            "draws several",
        ),
        ("<g id=\"g\"/>\n<use id=\"u\" href=\"#g\"/>", "u", 3, "draws nothing"),
        ("<image id=\"g\"/>\n<use id=\"u\" href=\"#g\"/>", "u", 3, "draws a <image>"),
        (
            "<symbol id=\"g\" viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></symbol>\n<use id=\"u\" href=\"#g\"/>",
            "u",
            3,
            "no `width`",
        ),
        ("<path id=\"p\" d=\"M0 0h1\"/>\n<g id=\"g\"><use id=\"u\" href=\"#g\"/></g>", "u", 3, "in which it is itself"),
        ("<use id=\"u\" href=\"#nowhere\"/>", "u", 2, "`nowhere`, which is not there"),
        ("<use id=\"u\"/>", "u", 2, "which is not there"),
        ("<path id=\"p\" d=\"M0 0h1\"/>\n<use id=\"u\" href=\"#p\" x=\"50%\"/>", "u", 3, "a part of the page"),
        (
            "<path id=\"p\" d=\"M0 0h1\"/>\n<use id=\"u\" href=\"#p\" style=\"transform: scale(2)\"/>",
            "u",
            3,
            "in a style",
        ),
        ("<use id=\"u\" href=\"#u\"/>", "u", 2, "in which it is itself"),
    ];
    for (inside, path, line, what) in cases {
        let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{inside}\n</svg>");
        let (l, _, message) = complaint(svg(&text, &format!("path = '{path}'")));
        assert!(l == line && message.contains(what), "{text}: line {l}: {message}");
    }
}

/// A `<use>` of a group draws all that is in it, by its place in there; uses may be within each other, and symbols have a view box.
#[test]
fn uses_of_groups_and_symbols_are_drawn() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\">
        <defs>
          <g id=\"g\" transform=\"translate(1 0)\"><g transform=\"scale(2)\"><path id=\"p\" d=\"M0 0h10\"/></g><use href=\"#q\" y=\"5\"/></g>
          <path id=\"q\" d=\"M0 0h4\"/>
          <symbol id=\"s\" viewBox=\"10 0 10 5\"><path id=\"r\" d=\"M10 5h10\"/></symbol>
          <g id=\"hidden\" display=\"none\"><path d=\"M0 0h1\"/></g>
        </defs>
        <use id=\"u\" href=\"#g\" x=\"100\" transform=\"translate(0 7)\"/>
        <path d=\"M0 0h3\"/>
        <use id=\"v\" href=\"#u\" y=\"1\"/>
        <use id=\"w\" href=\"#s\" x=\"40\" width=\"30\" height=\"30\"/>
        <use href=\"#hidden\"/><path visibility=\"hidden\" d=\"M0 0h2\"/><g style=\"fill: none; opacity: 0\"><path d=\"M0 0h2\"/></g>
      </svg>";
    let expected = [
        [[101.0, -7.0], [121.0, -7.0]],
        [[101.0, -12.0], [105.0, -12.0]],
        [[0.0, 0.0], [3.0, 0.0]],
        [[101.0, -8.0], [121.0, -8.0]],
        [[101.0, -13.0], [105.0, -13.0]],
        // Three times as large, in the middle of 30 by 30.
        [[40.0, -22.5], [70.0, -22.5]],
    ];
    for (i, points_of) in expected.iter().enumerate() {
        near(&points(&svg(text, &format!("path = {}\nscale = 1", i + 1)).unwrap()), points_of);
    }
    near(&points(&svg(text, "path = 'w'\nscale = 1").unwrap()), &expected[5]);
    near(&points(&svg(text, "path = 'r'\nscale = 1").unwrap()), &expected[5]);
    assert!(complaint(svg(text, "path = 7")).2.contains("has no path 7"));
    assert!(complaint(svg(text, "path = 'u'")).2.contains("draws several shapes"));
    assert!(complaint(svg(text, "path = 'p'")).2.contains("drawn several times"));
}

/// Ten uses in each of nine groups, each of the next: a thousand million paths.
#[test]
fn uses_of_uses_are_bounded() {
    let group = |i: usize| format!("<g id=\"g{i}\">{}</g>", format!("<use href=\"#g{}\"/>", i + 1).repeat(10));
    let groups: String = (0..9).map(group).collect();
    let text = |more: &str| {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><defs>{groups}{more}</defs><use href=\"#g0\"/></svg>")
    };
    let (.., message) = complaint(svg(text("<path id=\"g9\" d=\"M0 0h1\"/>"), "path = 2000000"));
    assert!(message.contains("has no path 2000000"), "{message}");
    // As deep as it is wide.
    let chain: String = (9..60).map(|i| format!("<g id=\"g{i}\"><use href=\"#g{}\"/></g>", i + 1)).collect();
    let (.., message) = complaint(svg(text(&format!("{chain}<path id=\"g60\" d=\"M0 0h1\"/>")), "path = 1"));
    assert!(message.contains("32 deep"), "{message}");
}

/// Ends that are clamped need a slope each; which key is missing depends on the points.
#[test]
fn clamped_ends_without_values_name_the_key() {
    for (last, key) in [("[2, 0]", "`slopes`"), ("[0, 2]", "`directions`")] {
        let text = format!("kind = 'spline'\nends = 'clamped'\npoints = [[0, 0], [1, 1], {last}]");
        let error = curve_from_text(&text, std::path::Path::new("")).unwrap_err();
        assert!(error.to_string().contains(&format!("has no {key}")), "{error}");
    }
}

#[test]
fn drawings_that_make_no_ground_are_refused_with_the_place() {
    let wrap = |inside: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{inside}\n</svg>");
    let cases = [
        (wrap("<path id=\"p\" d=\"M0 0 L1 x\"/>"), "path = 'p'", 2, 25, "a number is missing"),
        (wrap("<path id=\"p\" d=\"M0 0 m3 3\"/>"), "path = 'p'", 2, 17, "draws nothing"),
        (wrap("<path id=\"p\" d=\"\"/>"), "path = 'p'", 2, 17, "draws nothing"),
        (wrap("<path id=\"p\"/>"), "path = 'p'", 2, 1, "draws nothing"),
        (wrap("<path id=\"p\" d=\"M0 0h1M3 3h1\"/>"), "path = 'p'", 2, 27, "second stretch"),
        (wrap("<path id=\"p\" d=\"M0 0h1\"/>"), "path = 'q'", 3, 8, "its paths are p"),
        (wrap("<text id=\"q\"/>"), "path = 'q'", 3, 8, "is a <text>"),
        (wrap("<path d=\"M0 0h1\"/><path id=\"b\" d=\"M0 0h1\"/>"), "", 2, 8, "several paths"),
        (
            wrap("<path id=\"a\" d=\"M0 0h1\"/><path id=\"a\" d=\"M0 0v1\"/>"),
            "path = 'a'",
            2,
            26,
            "two elements of the drawing have the id `a`",
        ),
        (wrap(""), "", 2, 8, "has no path"),
        (wrap("<g transform=\"spin(3)\"><path d=\"M0 0h1\"/></g>"), "", 2, 15, "can't read the transform"),
        (wrap("<g style=\"transform: scale(2)\"><path d=\"M0 0h1\"/></g>"), "", 2, 11, "in a style"),
        (wrap("<svg><path d=\"M0 0h1\"/></svg>"), "", 2, 1, "inside a <svg>"),
        (wrap("<path d=\"M0 0h1\">"), "", 3, 1, "not XML"),
        ("<html/>".to_owned(), "", 1, 1, "no drawing"),
        ("<svg width=\"3parsec\"><path d=\"M0 0h1\"/></svg>".to_owned(), "", 1, 13, "can't read the length"),
        ("<svg viewBox=\"0 0 1\"><path d=\"M0 0h1\"/></svg>".to_owned(), "", 1, 15, "can't read the viewBox"),
        (String::new(), "", 1, 1, "not XML"),
        (wrap("<path d=\"M0 0 C1 1 0 1 1 0\"/>"), "", 2, 15, "zero speed"),
        (wrap("<path d=\"M0 0 C0 0 1 1 2 0\"/>"), "tolerance = 0", 3, 13, "must be positive"),
        (wrap("<path d=\"M0 0 L9 0 L9 9 L4 0\"/>"), "", 2, 25, "crosses"),
    ];
    for (text, keys, line, column, what) in cases {
        let (l, c, message) = complaint(svg(&text, keys));
        assert!((l, c) == (line, column) && message.contains(what), "{text}: line {l}, column {c}: {message}");
    }
    let (.., message) = complaint(svg(b"<svg>\xff</svg>", ""));
    assert!(message.contains("not UTF-8"), "{message}");
}
