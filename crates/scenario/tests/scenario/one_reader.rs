//! Tables of ground are read by the rules of films: which ball a row is of, where nothing was seen, one unit for all lengths.

use nalgebra::Vector2;
use scenario::curve::Curve;

use crate::kinds_input::{csv, svg};

const AS: &str = "as = 'polyline'\norder = 'as-written'\n";

/// The points of a table that is read, and what is told of it.
#[track_caller]
fn read(table: &str, keys: &str) -> (Vec<Vector2<f64>>, String) {
    let curve: Curve = csv(table, &format!("{AS}{keys}")).unwrap_or_else(|error| panic!("{error} / {table}"));
    (curve.ground.joints().iter().map(|joint| joint.point).collect(), curve.info.notes.join(" "))
}

#[track_caller]
fn refused(table: &str, keys: &str, parts: &[&str]) {
    let error = csv(table, &format!("{AS}{keys}")).unwrap_err();
    let told = format!("{error} / {} / {}", error.label_text(), error.help_text().unwrap_or(""));
    parts.iter().for_each(|part| assert!(told.contains(part), "no `{part}` in {told}"));
}

/// Rows of x and y by a formula, ten of them.
fn rows(row: impl Fn(usize, f64, f64) -> String) -> String {
    (0..10).map(|i| row(i, 0.1 * i as f64, 0.2 + 0.01 * (i * i) as f64) + "\n").collect()
}

/// Symptom: a table of two balls was one ground, from one to the other. Cause: only films knew what a column `track` is. Each cure works.
#[test]
fn rows_of_several_balls_are_asked_about() {
    for name in ["track", "Kugel", "shot", "label", "id"] {
        let one = rows(|_, x, y| format!("a,{x:.2},{y:.2}"));
        let two = rows(|_, x, y| format!("b,{:.2},{y:.2}", x + 2.0));
        let table = format!("{name},x,y\n{one}{two}");
        refused(&table, "", &["which ball?", "`a`, `b`", "track = \"a\"", "columns =", "curve-column ="]);
        assert_eq!(read(&table, "track = 'b'").0.len(), 10);
        assert_eq!(read(&table, "columns = ['x', 'y']").0.len(), 20);
        assert_eq!(csv(&table, &format!("{AS}curve-column = '{name}'")).unwrap().ground.curves(), 2);
    }
    let one = format!("track,x,y\n{}", rows(|_, x, y| format!("a,{x:.2},{y:.2}")));
    refused(&one, "track = 'a'\ncurve-column = 'track'", &["choose the same rows", "curve = \"NAME\""]);
    assert_eq!(read(&one, "").0.len(), 10);
    refused(&one, "track = 'c'", &["no row is of the track `c`", "`a`"]);
    refused("x,y\n0,0\n1,1\n", "track = 'c'", &["has no column of tracks", "leave `track = \"c\"` out"]);
}

/// `1,234` between quotes is one and a bit, or more than a thousand: which is said where nothing else tells.
#[test]
fn commas_in_quotes_that_could_be_thousands_are_asked_about() {
    refused("x,y\n\"1,234\",\"1,500\"\n\"2,234\",3\n", "", &["stand between thousands", "decimal points"]);
    assert_eq!(read("x,y\n\"1,234\",\"1,50\"\n\"2,234\",3\n", "").0[0], Vector2::new(1.234, 1.5));
    assert_eq!(read("x,y\n\"0,234\",\"1,500\"\n\"2,234\",3\n", "").0[0], Vector2::new(0.234, 1.5));
}

/// Symptom: of x, y and z that all change x and y were the ground.
#[test]
fn a_ground_in_space_is_asked_about() {
    let table = format!("x,y,z\n{}", rows(|_, x, y| format!("{x:.2},{y:.2},{:.2}", 2.0 * y)));
    refused(&table, "", &["z goes from 0.4 to 2.02", "columns = [\"x\", \"z\"]"]);
    assert_eq!(read(&table, "columns = ['x', 'z']").0[0], Vector2::new(0.0, 0.4));
    assert_eq!(read(&table.replace(",0.", ",1."), "columns = ['x', 'y']").0.len(), 10);
    let flat = format!("x,y,z\n{}", rows(|_, x, y| format!("{x:.2},{y:.2},7")));
    assert_eq!(read(&flat, "").0.len(), 10);
}

/// Symptom: `-1,-1` and rows with `found` = 0 were points of the ground.
#[test]
fn rows_that_show_nothing_are_no_ground() {
    let marked = rows(|i, x, y| if i % 4 == 2 { "-1,-1".to_owned() } else { format!("{x:.2},{y:.2}") });
    let (points, told) = read(&format!("x,y\n{marked}"), "");
    assert_eq!(points.len(), 8);
    assert!(told.contains("2 rows have x = y = -1") && told.contains("(4, 8); left out"), "{told}");
    let found = rows(|i, x, y| if i == 3 { "0,0.30,9.9".to_owned() } else { format!("1,{x:.2},{y:.2}") });
    let (points, told) = read(&format!("found,x,y\n{found}"), "");
    assert!(points.len() == 9 && told.contains("row 5 has nothing found; left out"), "{told}");
    let blank = rows(|i, x, y| if i == 3 { ",".to_owned() } else { format!("{x:.2},{y:.2}") });
    let (points, told) = read(&format!("x,y\n{blank}"), "");
    assert!(points.len() == 9 && told.contains("row 5 has no place; left out"), "{told}");
    // An outline that ends in its first corner has it twice.
    let outline = "x,y\n0,0\n9,0\n9,9\n8.7,9\n8.4,9\n8.1,9\n7.8,9\n7.5,9\n7.2,9\n6.9,9\n6.6,9\n0,0\n";
    assert_eq!(read(outline, "closed = true").1, "");
}

/// Symptom: of `x (mm);y` y was in m. One unit for the lengths of a table, unless another is said.
#[test]
fn lengths_of_a_table_have_one_unit() {
    let body = rows(|_, x, y| format!("{:.0};{:.0}", 1e3 * x, 1e3 * y));
    for header in ["x (mm);y", "x;y (mm)", "x_mm;y"] {
        let (points, told) = read(&format!("{header}\n{body}"), "");
        assert!((points[9] - Vector2::new(0.9, 1.01)).norm() < 1e-12, "{header}: {}", points[9]);
        assert!(told.contains("says no unit: that of the other, mm, is taken"), "{told}");
    }
    let (points, told) = read(&format!("x (mm);y\n{body}"), "unit = 'cm'");
    assert!((points[9] - Vector2::new(0.9, 10.1)).norm() < 1e-12 && told.is_empty(), "{} {told}", points[9]);
    assert!((read(&format!("x;y\nmillimètres;millimètres\n{body}"), "").0[9].y - 1.01).abs() < 1e-12);
}

/// Names that films know are known.
#[test]
fn names_of_films_are_those_of_grounds() {
    let body = rows(|i, x, y| format!("{i},{x:.2},{y:.2}"));
    let (points, told) = read(&format!("frame,PosX,PosY\n{body}"), "");
    assert!(points.len() == 10 && told.contains("x is `PosX`, y is `PosY`"), "{told}");
    refused(&format!("frame,v_x,v_y\n{body}"), "", &["which columns are x and y?"]);
}

/// Symptom: numbers such as 1,234.5 were refused.
#[test]
fn thousands_are_read() {
    for (header, point) in [("x [mm];y [mm]\n", "{};{}\n"), ("x [mm]\ty [mm]\n", "{}\t{}\n")] {
        let row = |x: &str, y: &str| point.replacen("{}", x, 1).replacen("{}", y, 1);
        let table = format!("{header}{}{}{}", row("900.5", "10.5"), row("1,000.5", "20"), row("1,234.5", "1,000,000"));
        assert!((read(&table, "").0[2] - Vector2::new(1.2345, 1000.0)).norm() < 1e-9, "{table}");
        let table = format!("{header}{}{}", row("900,5", "10,5"), row("1.234,5", "20,0"));
        assert!((read(&table, "").0[1] - Vector2::new(1.2345, 0.02)).norm() < 1e-9, "{table}");
    }
}

/// Symptom: degrees of latitude were taken for metres in silence.
#[test]
fn places_on_the_earth_are_no_lengths() {
    let table = "lat,lon,ele\n47.0,8.0,520\n47.001,8.0,521\n47.002,8.0,519\n";
    refused(table, "columns = [\"lat\", \"ele\"]", &["`lat` is an angle on the earth", "kind = \"gpx\""]);
}

/// Symptom: a transform in a style sheet was passed over. Cause: only that of an element's own style was refused.
#[test]
fn what_a_style_sheet_moves_is_refused() {
    let drawing = |rule: &str| {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' width='9mm' height='9mm'><style>{rule}</style>\
             <g class='a'><path d='M1 1L8 8'/></g></svg>"
        )
    };
    for rule in [".a{transform:rotate(45deg)}", "g{scale:2}", ".a{fill:red;translate:1px 2px}"] {
        let error = svg(drawing(rule), "").unwrap_err();
        assert!(error.to_string().contains("a style moves this <g>"), "{rule}: {error}");
    }
    for rule in [".a{transform:none}", ".b{transform:rotate(45deg)}", ".a{fill:red}"] {
        svg(drawing(rule), "").unwrap();
    }
}
