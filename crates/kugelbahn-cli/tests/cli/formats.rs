//! Tables of filmed balls in the forms in which programs write them: own imitations.

use crate::common::Place;

/// A throw from (0, 1) m at 0.5 m/s, above ground that is out of reach.
const FALL: &str = "initial = { position = [0, 1], velocity = [0.5, 0] }
ground = { curve = { kind = 'graph', y = -100 } }
solver = { duration = 1 }";

/// Rows of frame number, t, x and y; the numbers of frames begin at 1.
pub fn rows(row: impl Fn(i32, f64, f64, f64) -> String) -> String {
    let one = |i: i32| {
        let t = 0.04 * f64::from(i);
        row(i + 1, t, 0.5 * t, 1.0 - 0.5 * 9.81 * t * t)
    };
    (0..10).map(one).collect::<Vec<_>>().join("\n") + "\n"
}

/// Reads the height of the throw from a table, which must be right, and says nothing of a wrong model.
#[track_caller]
pub fn read(table: impl AsRef<[u8]>, options: &[&str], told: &[&str]) {
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
pub fn refused(table: impl AsRef<[u8]>, told: &[&str]) {
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
    refused(&table, &["no column of the table is a time", "--fps F"]);
    read(&table, &["--fps", "25", "--unit", "mm"], &["each row is taken for a frame"]);
    read(&table, &["--columns", "-,1,2", "--fps", "25", "--unit", "mm"], &[]);
    refused(body.as_str(), &["no header above 2 columns", "--fps F where rows are frames"]);
    // A time that may be one is not passed over.
    let clocked = table.replace("x,y\n", "x,y,since the start (s)\n").replace('\n', ",7\n").replace(")\n,7", ")\n");
    refused(clocked, &["no column of the table is a time", "--columns T,X,Y"]);
}

#[test]
fn text_below_the_header_and_a_second_table() {
    let body = rows(|i, _, x, y| format!("{i}\t{:.4}\t{:.4}\t ", 1e3 * x, 1e3 * y));
    let table = format!("Frame\tX1\tY1\tFlag1\nTracks 1 to 1\n{body}\nTrack\tLength\tFrames\n1\t219.7\t10\n");
    refused(&table, &["numbers of frames", "--fps F"]);
    let told = ["row 2 is text and was passed over", "the table ends before row 14"];
    read(&table, &["--fps", "25", "--unit", "mm"], &told);
    let missing = table.replace('\t', " ").replace("Flag1", "X2 Y2");
    refused(&missing, &["which ball?", "--columns 1,2,3 --fps F"]);
    let two = table.replace("Flag1", "X2\tY2");
    refused(&two, &["which ball? The table has places `X1` and `Y1`, `X2` and `Y2`", "--columns 1,2,3 --fps F"]);
    read(&two, &["--columns", "1,2,3", "--fps", "25", "--unit", "mm"], &told);
    read(&two, &["--columns", "Frame,X1,Y1", "--fps", "25", "--unit", "mm"], &told);
}

/// What stands in comments above the numbers: their names, as numpy writes them.
#[test]
fn comments_above_the_numbers() {
    let body = rows(|_, t, x, y| format!("{y:.5} {t:.3} {x:.5}"));
    read(format!("# fall\n# y t x\n{body}"), &[], &[]);
    refused(format!("# heights\n{}", rows(|_, t, _, y| format!("{t} {y} 1 2"))), &["no header above 4 columns"]);
    let places = rows(|_, _, x, y| format!("1, {x:.5}, {y:.5}, 12"));
    let lost = format!("0, -1, -1, -1\n{}0, -1, -1, -1\n", places);
    let table = format!("% found, x, y, radius\n% in front of the lamp\n{lost}");
    refused(&table, &["no column of the table is a time", "--fps F"]);
    read(&table, &["--fps", "25"], &["2 rows have the ball not found by the tracker (3, 14)"]);
}

#[test]
fn what_is_no_text_is_refused_with_what_to_do() {
    refused("<?xml version=\"1.0\"?><gpx/>", &["is XML, not a table", "as text or CSV"]);
    refused(b"\x7fELF\x03\x04\0\0", &["is binary", "export it"]);
    refused(b"PK\x03\x04\x14\0", &["is a spreadsheet or another archive", "save the sheet as CSV"]);
}

/// Each as its program writes it.
#[test]
fn tables_of_programs() {
    let all = |form: fn(i32, f64, f64, f64) -> String| rows(form);
    let plain = all(|_, t, x, y| format!("{t:.3},{x:.5},{y:.5}"));
    let velocities = all(|_, t, x, y| format!("{t:.3},{x:.5},{y:.5},0.5,{:.3}", -9.81 * t));
    let names = "Latest: Time (s),Latest: X (m),Latest: Y (m),Latest: X Velocity (m/s),Latest: Y Velocity (m/s)";
    // Logger Pro, Vernier Video Analysis, PASCO Capstone and SPARKvue, phyphox.
    read(format!("{names}\n{velocities}"), &[], &[]);
    read(format!("{}\n{velocities}", names.replace("Latest: ", "Data Set 1:").replace(" (", "(")), &[], &[]);
    read(format!("\"Time (s) Run #1\",\"X (m) Run #1\",\"Y (m) Run #1\"\n{plain}"), &[], &[]);
    read(format!("Time (s);Ort x (m);Ort y (m)\n{}", comma(plain.replace(',', ";"))), &[], &["x is `Ort x (m)`"]);
    refused(format!("\"Time (s)\",\"Acceleration x (m/s^2)\",\"Acceleration y (m/s^2)\"\n{plain}"), &["which columns"]);
    let heights = all(|_, t, _, y| format!("{t:.3},{y:.5}"));
    refused(format!("Tiempo (s),Posición (m)\n{heights}"), &["--columns T,X,Y"]);
    read(format!("Tiempo (s),Posición (m)\n{heights}"), &["--columns", "1,-,2"], &[]);
    read(format!("Time (s),Height (m)\n{heights}"), &[], &["y is `Height (m)`"]);
    let more = all(|_, t, x, y| format!("{t:.3}\t{x:.5}\t{y:.5}\t1\t2"));
    read(format!("\tmass A\t\t\nt_{{1}}\tx_{{1}}\ty_{{1}}\t\n{more}"), &[], &[]);
    // Kinovea, spreadsheets, scripts with OpenCV: the unit is in the name.
    read(
        format!("Time (ms),x_cm,y_cm\n{}", all(|_, t, x, y| format!("{},{},{}", 1e3 * t, 1e2 * x, 1e2 * y))),
        &[],
        &[],
    );
    let pixels = all(|i, _, x, y| format!("{i},{:.1},{:.1},12.5", 320.0 + 500.0 * x, 600.0 - 500.0 * y));
    let options = ["--fps", "25", "--scale", "0.002", "--y-down", "--origin", "320,600"];
    read(format!("frame,cx_px,cy_px,radius\n{pixels}"), &options, &[]);
    refused(format!("frame,cx_px,cy_px,radius\n{pixels}"), &["--fps F"]);
    refused(format!("frame,cx_px,cy_px,radius\n{pixels}"), &["numbers of frames"]);
    refused(
        format!("frame,x,y,w,h\n{}", pixels.replace(",12.5", ",12.5,12.5")),
        &["which columns are time and place?", "of boxes the middles"],
    );
    // ImageJ's manual tracking; TrackMate with its lines of long names and units.
    let manual = all(|i, _, x, y| format!("{i}\t1\t{i}\t{:.0}\t{:.0}\t-1\t-1", 1e4 * x, 1e4 * y));
    let table = format!(" \tTrack n°\tSlice n°\tX\tY\tDistance\tVelocity\n{manual}");
    read(&table, &["--fps", "25", "--scale", "1e-4"], &["x is `X`"]);
    let spots = all(|i, t, x, y| format!("ID{i},{i},0,1.5,{:.3},{:.3},0,{t:.3},{i}", 1e6 * x, 1e6 * y));
    let names = "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME";
    let units = ",,,(quality),(micron),(micron),(micron),(sec),";
    let long = "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame";
    read(format!("{names}\n{long}\n{units}\n{spots}"), &["--columns", "POSITION_T,POSITION_X,POSITION_Y"], &[]);
    read(format!("{names}\n{long}\n{units}\n{spots}"), &[], &[]);
}

/// What could be another ball, or another plane, is asked for.
#[test]
fn several_balls_and_space() {
    let both = rows(|_, t, x, y| format!("{t},{x},{y},{},{}", x + 1.0, y + 1.0));
    refused(format!("t,x_A,y_A,x_B,y_B\n{both}"), &["`x_A` and `y_A`, `x_B` and `y_B`", "--columns 1,2,3"]);
    read(format!("t,x_A,y_A,x_B,y_B\n{both}"), &["--columns", "1,2,3"], &[]);
    refused(format!("t,x_A,y_A,b_x,b_y\n{both}"), &["which columns"]);
    let other = rows(|_, t, x, y| format!("2,{t},{},{}", x + 1.0, y + 1.0));
    let tracks = format!("track,t,x,y\n{}{other}", rows(|_, t, x, y| format!("1,{t},{x},{y}")));
    refused(&tracks, &["several tracks", "`1`, `2`", "--track 1"]);
    read(&tracks, &["--track", "1"], &[]);
    refused(
        format!("t,x,y,z\n{}", rows(|_, t, x, y| format!("{t},{x},{},{y}", 0.1 * x))),
        &["in space", "--columns T,X,Z"],
    );
    read(format!("t,x,y,z\n{}", rows(|_, t, x, y| format!("{t},{x},{y},0"))), &[], &[]);
}

/// Refused at once: too large to be read, one line of 10⁷ signs, more rows than a film of hours.
#[test]
fn hostile_tables_are_refused() {
    refused("1,".repeat(5_000_000), &["no header above"]);
    refused("a,".repeat(5_000_000), &["which columns are time and place", "There is no header"]);
    refused("x,y\n".repeat(1_000_000), &["no column of the table is a time"]);
    refused("t,x,y\n1,2,3\n1,2,4\n1,2,3\n", &["time must grow"]);
    let growing: String = (0..250_001).map(|i| format!("{i},1,2\n")).collect();
    refused(format!("t,x,y\n{growing}"), &["more than 100000 rows"]);
    let place = Place::new();
    place.write("fall.toml", FALL);
    std::fs::File::create(place.path("huge.txt")).unwrap().set_len(100 << 20).unwrap();
    let outcome = place.kugelbahn(&["fit", "huge.txt", "fall.toml", "--free", "initial.position.y"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("larger than 48 MiB"), "{}", outcome.stderr);
}
