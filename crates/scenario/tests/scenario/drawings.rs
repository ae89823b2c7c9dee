//! Drawings as programs write them: outlines with a seam, paths of several lines, the side that is free.

use std::path::Path;

use curves::JointKind;
use kurbo::{BezPath, ParamCurve, PathSeg};
use nalgebra::Vector2;
use scenario::Scenario;
use scenario::curve::{curve_from_text, shapes};

use crate::kinds_input::svg;

/// A circle of radius 90.5 by relative steps to one decimal, the last of which is rounded the wrong way: it misses its start by
/// 0.1. Drawn as a line this would be a corner of 90° on both sides.
const SEAM: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M100.1 200.2c0 50 40.5 90.5 90.5 90.5s90.5-40.5 \
    90.5-90.5-40.5-90.5-90.5-90.5-90.4 40.5-90.4 90.5z\"/></svg>";

#[test]
fn a_seam_is_closed_and_told() {
    let curve = svg(SEAM, "scale = 0.01").unwrap();
    assert!(curve.ground.is_closed() && curve.ground.pieces().len() == 4);
    // The handles stay: the corner is as small as the rounding.
    let turn = curve.ground.joints().iter().map(|joint| joint.turn.abs()).fold(0.0, f64::max);
    assert!(turn < 1e-2, "{turn}");
    assert_eq!(
        curve.info.notes,
        [
            "a line missed its start by up to 0.1 user units, within the rounding of the decimals written, and was closed"
        ]
    );
    // With more decimals the same miss is drawn.
    let fine = SEAM.replace("M100.1 200.2", "M100.1000 200.2000");
    let curve = svg(fine, "scale = 0.01").unwrap();
    assert_eq!((curve.ground.pieces().len(), curve.info.notes.len()), (5, 0));
}

#[test]
fn a_drawing_may_stand_in_the_curve_or_be_the_scenario() {
    let text = "<svg><path d='M0 10Q50 60 100 10'/></svg>";
    let curve = |keys: &str| curve_from_text(&format!("kind = 'svg'\ntext = {text:?}\n{keys}"), Path::new(""));
    let in_file = svg(text, "scale = 1").unwrap();
    assert_eq!(curve("scale = 1").unwrap().ground.length(), in_file.ground.length());
    let error = curve("file = 'a.svg'").unwrap_err();
    assert!(error.to_string().contains("unknown"), "{error}");
    for (text, found) in [(text, Ok("A marble on a drawing")), ("<gpx/>", Err("no track")), ("<svg/>", Err(""))] {
        match (Scenario::from_text(text, Path::new(""), &[]), found) {
            (Ok(scenario), Ok(title)) => assert_eq!(scenario.title, title),
            (Err(error), Err(what)) => assert!(error.to_string().contains(what), "{error}"),
            (scenario, _) => panic!("{text}: {:?}", scenario.map(|scenario| scenario.title)),
        }
    }
}

#[test]
fn lines_of_a_path_by_number() {
    let text = "<svg><path id='a' d='M0 0h10v-10zM20 0h5m5 0h7v1'/><path id='b' d='M0-50h1'/></svg>";
    for (stretch, closed, length) in [(1, true, 20.0 + 200f64.sqrt()), (2, false, 5.0), (3, false, 8.0)] {
        let curve = svg(text, &format!("path = 'a'\nscale = 1\nstretch = {stretch}")).unwrap();
        assert_eq!(curve.ground.is_closed(), closed);
        assert!((curve.ground.length() - length).abs() < 1e-9);
    }
    // Each line of each path is a curve, and says itself alone.
    let all = svg(text, "paths = 'all'\nscale = 1").unwrap();
    let names: Vec<&str> = all.curves.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["a.1", "a.2", "a.3", "b"]);
    let key = |curve: usize, key: &str| all.curves[curve].1.get(key).map(|node| node.value.clone());
    assert!(matches!(key(1, "stretch"), Some(scenario::input::Value::Number(2.0))) && key(3, "stretch").is_none());
    for (keys, what, cure) in [
        ("path = 'a'", "second stretch", "paths = [\"a\"] takes each"),
        ("path = 1", "second stretch", "stretch = 1 takes the first of its 3 lines"),
        ("path = 1\nstretch = 4", "no stretch 4", ""),
        ("path = 1\nstretch = 0", "is a number", ""),
        ("paths = 'all'\nstretch = 1", "of one path", ""),
    ] {
        let error = svg(text, keys).unwrap_err();
        assert!(error.to_string().contains(what), "{keys}: {error}");
        assert!(error.help_text().unwrap_or("").contains(cure), "{keys}: {:?}", error.help_text());
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.svg"), text).unwrap();
    let (listed, _) = shapes(&folder.path().join("d.svg"), 10).unwrap();
    let looks = listed[0].looks.clone().unwrap();
    assert_eq!((looks.lines, looks.closed), (3, 1));
}

/// An outline drawn counter-clockwise on the page is solid outside: a ball above it starts below the ground, and is told how to have
/// the other side. So is one inside a clockwise one.
#[test]
fn the_side_that_is_free() {
    let run = |path: &str, at: [f64; 2], reverse: bool| {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("<svg><path d='{path}'/></svg>");
        std::fs::write(folder.path().join("d.svg"), text).unwrap();
        let text = format!(
            "ball.radius = 0.1\ninitial.position = [{}, {}]\n[ground.curve]\nkind = 'svg'\nfile = 'd.svg'\nscale = 1\nreverse = {reverse}",
            at[0], at[1]
        );
        Scenario::from_text(&text, folder.path(), &[]).map(|_| ())
    };
    let (counter, clockwise) = ("M0 0v10h10v-10z", "M0 0h10v10h-10z");
    let (over, within) = ([5.0, 1.0], [5.0, -5.0]);
    for (path, free, solid, word) in [(counter, within, over, "inside"), (clockwise, over, within, "outside")] {
        assert!(run(path, free, false).is_ok() && run(path, solid, true).is_ok());
        for (at, reverse) in [(solid, false), (free, true)] {
            let error = run(path, at, reverse).unwrap_err();
            assert!(error.to_string().contains("below the ground"), "{error}");
            let word = if reverse { if word == "inside" { "outside" } else { "inside" } } else { word };
            let help = error.help_text().unwrap();
            assert!(help.contains(&format!("free side is {word}")) && help.contains("reverse = true"), "{help}");
        }
    }
}

/// A curve run backwards is the same curve, from its other end and with the other free side.
#[test]
fn any_curve_runs_backwards() {
    for text in [
        "kind = 'graph'\ny = 'x^2'\ndomain = [-1, 2]",
        "kind = 'arc'\ncentre = [0, 0]\nradius = 1\nfrom = 0\nto = 2",
        "kind = 'polyline'\npoints = [[0, 0], [1, 0], [2, 1]]",
        "kind = 'transform'\nmirror = 'x'\ncurve = { kind = 'spline', points = [[0, 0], [1, 0], [2, 1], [3, 0]] }",
        "kind = 'composite'\npieces = [{ kind = 'line', from = [0, 0], to = [1, 0] }, { kind = 'line', from = [1, 0], to = [1, 1] }]",
    ] {
        let read = |reverse: &str| {
            let ground = curve_from_text(&format!("{text}\n{reverse}"), Path::new("")).unwrap().ground;
            let length = ground.length();
            (ground, length)
        };
        let ((there, length), (back, same)) = (read(""), read("reverse = true"));
        assert!((length - same).abs() < 1e-12 * length);
        let ends = |ground: &curves::Ground| -> Vec<_> {
            let ends = ground.joints().iter().filter(|joint| joint.kind == JointKind::End);
            ends.map(|joint| joint.point).collect()
        };
        let (a, b) = (ends(&there), ends(&back));
        assert!((a[0] - b[1]).norm() < 1e-12 && (a[1] - b[0]).norm() < 1e-12, "{text}: {a:?} {b:?}");
        let middle = back.locate(0, 0.3 * length).unwrap();
        let point = back.point(middle);
        assert!(there.closest(point).distance.abs() < 1e-12);
    }
}

/// Symptom: layers that Illustrator hides by a class were drawn. The nearest rule counts: an element's own style before its id's, its
/// class', its name's, and these before attributes.
#[test]
fn what_a_style_sheet_hides_is_not_drawn() {
    let drawn = |css: &str, of: &str| {
        let text =
            format!("<svg><style>{css}</style><g {of}><path id='a' d='M0 0h1'/></g><path id='b' d='M5 0h2'/></svg>");
        svg(text, "paths = 'all'\nscale = 1").unwrap().curves.len().max(1)
    };
    for (css, of, count) in [
        (".st0{display:none;}", "class='st0'", 1),
        ("<![CDATA[ .st0 { display : none } .st1{fill:none}]]>", "class='st1 st0'", 1),
        ("/* .st1{} */ #hidden,.x{visibility:hidden!important}", "id='hidden'", 1),
        (".st0{display:none;}", "class='st1'", 2),
        (".st0{display:none;}", "class='st0' style='display:inline'", 2),
        (".st0{display:inline;}", "class='st0' display='none'", 2),
        ("@media print{.st0{display:none;}}", "class='st0'", 2),
        ("g{opacity:0}", "", 1),
    ] {
        assert_eq!(drawn(css, of), count, "{css} {of}");
    }
}

/// Symptom: one shape without size took all others with it.
#[test]
fn strays_are_left_out_of_all_and_told() {
    let text = "<svg><path id='good' d='M0 0h10'/><path id='empty'/><circle id='dot' r='0'/><path id='point' d='M3 3L3 3'/>\
        <text id='t'>a</text><use href='#t'/><path id='other' d='M0 5h10'/></svg>";
    let curve = svg(text, "paths = 'all'\nscale = 1").unwrap();
    let names: Vec<&str> = curve.curves.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["good", "other"]);
    let told = curve.info.notes.join(" ");
    for part in ["4 of all shapes left out", "empty (this <path> draws nothing)", "dot (", "point (", "draws a <text>"]
    {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
    // What was named is wanted, and nothing else is nothing.
    assert!(svg(text, "paths = ['good', 'empty']\nscale = 1").is_err());
    assert!(svg("<svg><path id='empty'/></svg>", "paths = 'all'\nscale = 1").is_err());
}

/// Packed drawings are read as others; one that unpacks to more than a drawing may be is refused.
#[test]
fn packed_drawings_are_read() {
    use std::io::Write;
    let pack = |text: &mut dyn Iterator<Item = &[u8]>| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        text.for_each(|part| packed.write_all(part).unwrap());
        packed.finish().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("d.svgz");
    std::fs::write(&file, pack(&mut [SEAM.as_bytes()].into_iter())).unwrap();
    assert_eq!(shapes(&file, 10).unwrap().1, 1);
    let many = vec![b' '; 1 << 20];
    std::fs::write(&file, pack(&mut (0..65).map(|_| many.as_slice()))).unwrap();
    let error = shapes(&file, 10).unwrap_err().to_string();
    assert!(error.contains("larger than 64 MiB"), "{error}");
}

/// Sums of decimals miss their start by rounding; what is told is whole units of the last decimal.
#[test]
fn closes_where_only_rounding_is_between() {
    for (data, count, moved) in [
        // Rounding of binary sums.
        ("M0.1 0.2c0 0.1 0.1 0.2 0.2 0.2s0.2-0.1 0.2-0.2-0.1-0.2-0.2-0.2-0.2 0.1-0.2 0.2z", 4, ""),
        // Each step rounded for itself: a circle, and one that is not closed by a letter.
        ("M10 20c0 5.523 4.477 10 10 10s10-4.477 10-10-4.477-10-10-10-9.999 4.477-9.999 9.998z", 4, "0.00224"),
        ("M10 20c0 5.523 4.477 10 10 10s10-4.477 10-10-4.477-10-10-10-9.999 4.477-9.999 9.998", 4, "0.00224"),
        ("M0 0a10 10 0 1 0 20 0a10 10 0 1 0-20.01.01z", 2, "0.0141"),
        // Drawn: as long as what meets there, and the flat end of a thin tip.
        ("M0 0l1.1 0l0 1.1l-1.1 -1z", 4, ""),
        ("M0 0l240 0l0 1l-240 0z", 4, ""),
        ("M0 0L1e2 0L0 1e1Z", 3, ""),
        ("M0 0L10 0L10 10L0 1Z", 4, ""),
    ] {
        let curve = svg(format!("<svg><path d='{data}'/></svg>"), "scale = 1").unwrap();
        assert!(curve.ground.is_closed() && curve.ground.pieces().len() == count, "{data}");
        let told = format!("by up to {moved} user units");
        assert!(curve.info.notes.len() == usize::from(!moved.is_empty()), "{data}: {:?}", curve.info.notes);
        assert!(curve.info.notes.iter().all(|note| note.contains(&told)), "{data}: {:?}", curve.info.notes);
    }
}

/// Segments against those of kurbo, in all spellings; of arcs, which kurbo approximates, the ends.
#[test]
fn path_data_are_read_as_kurbo_reads_them() {
    let pieces = |data: &str| svg(format!("<svg><path d='{data}'/></svg>"), "scale = 1").unwrap().ground;
    for data in [
        "M10-20L30.5.5 40 1e1h5v5H1V2z",
        " m 1,2 3,4 -5 6 l 1 1",
        "M0 0C1 2 3 4 5 6s1 1 2 0 3-4 5 5S20 30 13 20",
        "M0,0 Q1,2 3,0 t4,0 4,1 T20 5q1 1 2 0",
        "M1 1 2 2L3 3 4 4.2 6 7Z",
        "M0 0c1 1 2 1 3 0l1 0c1 0 1 1 0 1s1 1 2 2",
    ] {
        let ground = pieces(data);
        let theirs: Vec<PathSeg> = BezPath::from_svg(data).unwrap().segments().collect();
        assert_eq!(ground.pieces().len(), theirs.len(), "{data}");
        for (piece, segment) in ground.pieces().iter().zip(theirs) {
            for part in [0.0, 0.3, 1.0] {
                let (range, there) = (piece.domain(), segment.eval(part));
                let here = piece.curve().point_at(range.lo + part * (range.hi - range.lo));
                assert!((here - Vector2::new(there.x, -there.y)).norm() < 1e-12, "{data}: {here}, {there:?}");
            }
        }
    }
    for (data, ends) in
        [("M0 0A5 3 20 0110 0", vec![[10.0, 0.0]]), ("M0 0a5 5 0 1 0 5 5 1 2 3 004-1", vec![[5.0, -5.0], [9.0, -4.0]])]
    {
        let ground = pieces(data);
        assert_eq!(ground.pieces().len(), ends.len());
        for (piece, end) in ground.pieces().iter().zip(ends) {
            assert!((piece.curve().point_at(piece.domain().hi) - Vector2::from(end)).norm() < 1e-12, "{data}");
        }
    }
}

/// A letter to close ends a line as a move does.
#[test]
fn lines_are_told_apart() {
    for (data, lines) in [
        ("M0 0h1M3 3h1v1", vec![([0.0, 0.0], 1), ([3.0, -3.0], 2)]),
        ("M0 0h1v1zM5 5m1 1h1", vec![([0.0, 0.0], 3), ([6.0, -6.0], 1)]),
        ("m1 1h1v1zm1 1h1v1zL5 5", vec![([1.0, -1.0], 3), ([2.0, -2.0], 3), ([2.0, -2.0], 1)]),
    ] {
        for (index, (start, count)) in lines.into_iter().enumerate() {
            let keys = format!("scale = 1\npath = 1\nstretch = {}", index + 1);
            let ground = svg(format!("<svg><path d='{data}'/></svg>"), &keys).unwrap().ground;
            let first = &ground.pieces()[0];
            assert_eq!(
                (first.curve().point_at(first.domain().lo), ground.pieces().len()),
                (Vector2::from(start), count)
            );
        }
    }
}

#[test]
fn path_data_say_where_they_are_wrong() {
    const BEFORE: &str = "<svg><path d='";
    for (data, at, what) in [
        ("", 0, "draws nothing"),
        ("M1 2 m3 4", 0, "draws nothing"),
        ("L1 2", 0, "begin with M"),
        ("1 2", 0, "begin with M"),
        ("M0 0 L1", 7, "number"),
        ("M0 0 L1 x", 8, "number"),
        ("M0 0 A1 1 0 2 0 1 1", 12, "flag"),
        ("M0 0 K1 1", 5, "no command"),
        ("M0 0 L1e999 1", 6, "number"),
        ("M0 0 L1 1 Z 5 5", 12, "begin with M"),
        ("M0 0 L1 é", 8, "number"),
    ] {
        let error = svg(format!("{BEFORE}{data}'/></svg>"), "scale = 1").unwrap_err();
        let start = error.span().unwrap().range.start;
        assert!(start == BEFORE.len() + at && error.to_string().contains(what), "{data}: {start} {error}");
    }
}

#[track_caller]
fn not_read(text: &str, told: &str) {
    let error = svg(text, "scale = 1").unwrap_err().to_string();
    assert!(error.contains(told), "no `{told}` in {error}");
}

#[test]
fn xml_that_would_take_too_long_is_refused() {
    let attributes: String = (0..30_000).map(|i| format!(" a{i}=''")).collect();
    not_read(&format!("<a{attributes}/>"), "too many attributes");
    let namespaces: String = (0..1000).map(|i| format!(" xmlns:a{i}='{i}'")).collect();
    not_read(&format!("<a{namespaces}>{}</a>", "<a0:b/>".repeat(500_000)), "too many namespaces");
    not_read(&"<a>".repeat(3_000_000), "3000001 tags and 0 attributes are too many");
    let entity = "x".repeat(40_000);
    let named = format!("<!DOCTYPE a [<!ENTITY b '{entity}'>]><a c='{0}'>{0}</a>", "&b;".repeat(20_000));
    not_read(&named, "bytes that entities stand for");
    not_read("<!DOCTYPE a [<!ENTITY b 'xx'><!ENTITY c '&b;&b;'>]><a>&c;</a>", "entities in it");
    not_read("<!DOCTYPE a [<!ENTITY b \"<c d='1'/>\">]><a>&b;</a>", "an entity with elements or entities");
    not_read(&format!("<a>{}</a>", "<b/>".repeat(1_000_001)), "nodes limit");
}

#[test]
fn xml_that_people_write_is_read() {
    let names: String = (0..40).map(|i| format!(" xmlns:a{i}='&n;{i}'")).collect();
    let attributes: String = (0..300).map(|i| format!(" b{i}='='")).collect();
    let entities = "<!DOCTYPE svg [<!ENTITY n \"urn\"><!ENTITY m 'x'>]>";
    let text = format!("{entities}<svg{names}><path d='M0 0h2'{attributes}/><!-- <= --></svg>");
    assert!((svg(text, "scale = 1").unwrap().ground.length() - 2.0).abs() < 1e-12);
}
