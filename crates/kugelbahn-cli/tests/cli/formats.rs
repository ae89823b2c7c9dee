//! Tables of filmed balls in the forms in which programs write them: own imitations.

use crate::common::Place;

/// A throw from (0, 1) m at 0.5 m/s, above ground that is out of reach.
const FALL: &str = "initial = { position = [0, 1], velocity = [0.5, 0] }
ground = { curve = { kind = 'graph', y = -100 } }
solver = { duration = 1 }";

/// Rows of frame number, t, x and y; the numbers of frames begin at 1.
fn rows(row: impl Fn(i32, f64, f64, f64) -> String) -> String {
    let one = |i: i32| {
        let t = 0.04 * f64::from(i);
        row(i + 1, t, 0.5 * t, 1.0 - 0.5 * 9.81 * t * t)
    };
    (0..10).map(one).collect::<Vec<_>>().join("\n") + "\n"
}

/// Reads the height of the throw from a table, which must be right, and says nothing of a wrong model.
#[track_caller]
fn read(table: impl AsRef<[u8]>, options: &[&str], told: &[&str]) {
    let place = Place::new();
    place.write("fall.toml", FALL);
    std::fs::write(place.path("film.txt"), table).unwrap();
    let outcome = place
        .kugelbahn(&[&["fit", "film.txt", "fall.toml", "--free", "initial.position.y", "--json"], options].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let found: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let height = found["parameters"][0]["estimate"].as_f64().unwrap();
    assert!((height - 1.0).abs() < 1e-3, "{height}\n{}", outcome.stderr);
    assert_eq!(found["rows"].as_array().map_or(10, Vec::len), 10);
    assert!(!outcome.stderr.contains("does not describe"), "{}", outcome.stderr);
    told.iter().for_each(|part| assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr));
}

#[track_caller]
fn refused(table: impl AsRef<[u8]>, told: &[&str]) {
    let place = Place::new();
    place.write("fall.toml", FALL);
    std::fs::write(place.path("film.txt"), table).unwrap();
    let outcome = place.kugelbahn(&["fit", "film.txt", "fall.toml", "--free", "initial.position.y"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stdout);
    let words = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    told.iter().for_each(|part| assert!(words.contains(part), "no `{part}` in {words}"));
}

fn comma(number: String) -> String {
    number.replace('.', ",")
}

#[test]
fn tracker_with_a_title_and_typeset_minus() {
    let number = |x: f64| comma(format!("{x:.3E}")).replace('-', "\u{2212}");
    let body = rows(|_, t, x, y| format!("{}\t{}\t{}", comma(format!("{t:.3}")), number(x), number(y)));
    read(format!("mass_A\nt\tx\ty\n{body}"), &[], &[]);
}

#[test]
fn rows_of_units() {
    let body = rows(|_, t, x, y| comma(format!("{t:.3};{x:.5};{y:.5}")));
    read(format!("Pointages\nt;x;y\n(s);(m);(m)\n{body}"), &[], &[]);
    let body = rows(|_, t, x, y| format!("{:.0}\t{:.2}\t{:.2}", 1e3 * t, 1e2 * x, 1e2 * y));
    read(format!("t\tx\ty\nms\tcm\tcm\n{body}"), &[], &[]);
}

#[test]
fn other_encodings_are_told() {
    let body = rows(|_, t, x, y| format!("{t:.3}\t{x:.5}\t{y:.5}"));
    read([b"Pointages Avim\xe9ca\nt\tx\ty\n", body.as_bytes()].concat(), &[], &["read as Latin-1"]);
    let wide = format!("\u{feff}t\tx\ty\n{body}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    read(wide, &[], &["read as UTF-16"]);
}

#[test]
fn rows_that_are_frames() {
    let body = rows(|_, _, x, y| format!("{:.0},{:.0}", 1e3 * x, 1e3 * y));
    let table = format!("x,y\n{body}");
    refused(&table, &["no column of the table is a time", "--columns -,1,2 --fps F"]);
    read(&table, &["--columns", "-,1,2", "--fps", "25", "--unit", "mm"], &[]);
}

#[test]
fn text_below_the_header_and_a_second_table() {
    let body = rows(|i, _, x, y| format!("{i}\t{:.4}\t{:.4}\t ", 1e3 * x, 1e3 * y));
    let table = format!("Frame\tX1\tY1\tFlag1\nTracks 1 to 1\n{body}\nTrack\tLength\tFrames\n1\t219.7\t10\n");
    refused(&table, &["numbers of frames", "--fps F"]);
    let told = ["row 2 is text and was passed over", "the table ends before row 14"];
    read(&table, &["--fps", "25", "--unit", "mm"], &told);
    let two = table.replace("Flag1", "X2\tY2");
    refused(two, &["which columns are time and place", "--columns"]);
}

#[test]
fn what_is_no_text_is_refused_with_what_to_do() {
    refused("<?xml version=\"1.0\"?><object class=\"TrackerPanel\"/>", &["is XML, not a table", "Export > Data File"]);
    refused(b"PK\x03\x04\0\0", &["is binary", "export it"]);
}

/// Refused at once: too large to be read, one line of 10⁷ signs, more rows than a film of a day.
#[test]
fn hostile_tables_are_refused() {
    refused("1,".repeat(5_000_000), &["no header above"]);
    refused("a,".repeat(5_000_000), &["which columns are time and place", "…"]);
    refused("x,y\n".repeat(1_000_000), &["no column of the table is a time"]);
    refused(format!("t,x,y\n{}", "1,2,3\n".repeat(3)), &["time must grow"]);
    let growing: String = (0..1_000_001).map(|i| format!("{i},1,2\n")).collect();
    refused(format!("t,x,y\n{growing}"), &["more than 1000000 rows"]);
    let place = Place::new();
    place.write("fall.toml", FALL);
    std::fs::File::create(place.path("huge.txt")).unwrap().set_len(100 << 20).unwrap();
    let outcome = place.kugelbahn(&["fit", "huge.txt", "fall.toml", "--free", "initial.position.y"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("larger than 48 MiB"), "{}", outcome.stderr);
}
