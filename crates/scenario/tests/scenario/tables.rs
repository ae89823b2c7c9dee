//! What readers of tables make of names, units, numbers and marks.

use scenario::input::{CSV_FILE, Cells, Heading, InputError, Lost, Role, Source, Text, Unit, read_table, role};

#[test]
fn names_as_programs_write_them() {
    let cases = [
        ("t", ("", "t", None)),
        ("x [cm]", ("", "x", Some("cm"))),
        ("Latest: X (m)", ("Latest", "X", Some("m"))),
        ("Data Set 1:Time(s)", ("Data Set 1", "Time", Some("s"))),
        ("Position (m) Run #1", ("Run #1", "Position", Some("m"))),
        ("x/mm", ("", "x", Some("mm"))),
        ("y_px", ("", "y", Some("px"))),
        ("Height in m", ("", "Height", Some("m"))),
        ("y, cm", ("", "y", Some("cm"))),
        ("t/10^-3 s", ("", "t", Some("10^-3 s"))),
        ("time ms", ("", "time", Some("ms"))),
        ("x_ball", ("", "x_ball", None)),
        ("vx (m/s)", ("", "vx", Some("m/s"))),
        ("x ()", ("", "x", None)),
    ];
    for (cell, (set, name, unit)) in cases {
        assert_eq!(Heading::of(cell), Heading { set, name, unit }, "{cell}");
    }
}

#[test]
fn units_are_told_apart_by_case() {
    assert_eq!(Unit::of("ms"), Some(Unit::Time(1e-3)));
    assert_eq!(Unit::of("Pixels"), Some(Unit::Pixel));
    assert_eq!(Unit::of("micron"), Some(Unit::Length(1e-6)));
    assert_eq!((Unit::of("Mm"), Unit::of("MM")), (None, Some(Unit::Length(1e-3))));
}

#[test]
fn units_may_have_a_power_of_ten() {
    for (name, unit) in [
        ("10^-3 s", Some(Unit::Time(1e-3))),
        ("10⁻² m", Some(Unit::Length(1e-2))),
        ("10**(-2)·m", Some(Unit::Length(1e-2))),
        ("10^3 m", Some(Unit::Length(1e3))),
        ("10^2 px", None),
        ("10 m", None),
        ("10^-400 m", None),
    ] {
        assert_eq!(Unit::of(name), unit, "{name}");
    }
}

fn of(cell: &str) -> Role {
    let heading = Heading::of(cell);
    role(&heading, heading.unit.map(|unit| Unit::of(unit).unwrap_or(Unit::Other)))
}

#[test]
fn places_and_times_by_many_names() {
    let place = |axis, group: &str| Role::Place(axis, group.to_owned());
    for (cell, expected) in [
        ("t", Role::Time),
        ("Latest: Time (s)", Role::Time),
        ("timestamp_ms", Role::Time),
        ("t_{1}", Role::Time),
        ("x_{1}", place(0, "1")),
        ("Zeit / s", Role::Time),
        ("Slice n°", Role::Frame),
        ("frame_number", Role::Frame),
        ("x", place(0, "")),
        ("POSITION_X", place(0, "")),
        ("Latest: Y (m)", place(1, "Latest")),
        ("PosX", place(0, "")),
        ("posx", place(0, "")),
        ("center_y", place(1, "")),
        ("cx", place(0, "")),
        ("x_px", place(0, "")),
        ("XM", place(0, "")),
        ("ball_y", place(1, "")),
        ("x_mass_A", place(0, "mass a")),
        ("X2", place(0, "2")),
        ("Ort x (m)", place(0, "")),
        ("Weg x (m)", place(0, "weg")),
        ("y position (cm)", place(1, "")),
        ("Height (m)", Role::Height),
        ("w", Role::Side),
        ("xc", place(0, "")),
        ("Abscisse (m)", place(0, "")),
        ("Ordonnée (m)", place(1, "")),
        ("Ball", Role::Track),
        ("trial", Role::Track),
        ("Track n°", Role::Track),
        ("TRACK_ID", Role::Track),
        ("z", place(2, "")),
        ("found", Role::Found),
    ] {
        assert_eq!(of(cell), expected, "{cell}");
    }
}

/// What is no place is none, whatever letters its name has.
#[test]
fn other_quantities_are_none() {
    for cell in [
        "vx",
        "v_x",
        "Acceleration x (m/s^2)",
        "x velocity",
        "X Velocity (m/s)",
        "x error (m)",
        "dx",
        "x_fit",
        "angle",
        "distance",
        "Geschwindigkeit x",
        "theta (rad)",
        "x_min",
        "xmin",
        "x_std",
        "ax",
        "Ug",
        "max",
        "index",
        "y (deg)",
        "a_x",
        "sigma_x",
    ] {
        assert!(
            !matches!(of(cell), Role::Place(..) | Role::Time | Role::Frame | Role::Height),
            "{cell}: {:?}",
            of(cell)
        );
    }
}

fn lost(places: &[[f64; 2]]) -> Option<Vec<usize>> {
    Lost::of(places).map(|lost| lost.rows)
}

/// A way from (10, 20) on, with marks in some rows.
fn way(mark: [f64; 2], at: &[usize]) -> Vec<[f64; 2]> {
    let place = |i: usize| if at.contains(&i) { mark } else { [10.0 + i as f64, 20.0] };
    (0..20).map(place).collect()
}

#[test]
fn marks_are_far_from_what_is_beside_them() {
    for mark in [-1.0, 0.0, -999.0] {
        assert_eq!(lost(&way([mark; 2], &[3, 4, 9])), Some(vec![3, 4, 9]));
        assert_eq!(lost(&way([mark; 2], &[3])), None);
    }
    // Places that are there by chance have others beside them.
    assert_eq!(lost(&way([20.0; 2], &[10, 11])), None);
    // Of one coordinate alone.
    assert_eq!(lost(&way([f64::NAN, 0.0], &[4])), Some(vec![4]));
    assert_eq!(lost(&way([f64::NAN, -1.0], &[4, 7])), None);
    let heights = |mark: f64, at: &[usize]| way([mark; 2], at).iter().map(|[_, y]| [f64::NAN, *y]).collect::<Vec<_>>();
    assert_eq!(lost(&heights(0.0, &[4])), Some(vec![4]));
    assert_eq!(lost(&heights(-1.0, &[4, 7])), None);
    assert_eq!(lost(&heights(-9999.0, &[4])), Some(vec![4]));
}

/// A closed outline, fine on the far side, begins and ends at its corner.
#[test]
fn an_outline_ends_where_it_begins() {
    let mut outline = vec![[0.0; 2], [9.0, 0.0]];
    outline.extend((0..30).map(|i| [9.0 - 0.3 * f64::from(i), 9.0]));
    outline.push([0.0; 2]);
    assert_eq!(lost(&outline), None);
    // What was hit begins at 0, and is ever slower.
    let slower: Vec<[f64; 2]> = (0..20).map(|i| [f64::NAN, 1.0 - f64::powi(0.3, i)]).collect();
    assert_eq!(lost(&slower), None);
}

#[test]
fn thousands_may_be_apart() {
    for (cell, comma, number) in [
        ("1,234.5", false, Some(1234.5)),
        ("-12,345,678", false, Some(-12_345_678.0)),
        ("1'234.5", false, Some(1234.5)),
        ("1.234,5", true, Some(1234.5)),
        ("1 234,5", true, Some(1234.5)),
        // One mark alone may be decimal, and groups have three digits.
        ("1,234", false, None),
        ("1.234", true, None),
        ("1,23.5", false, None),
        ("1,2345.5", false, None),
        ("0,5", true, Some(0.5)),
    ] {
        assert_eq!(Cells::number(cell, comma), number, "{cell} {comma}");
    }
    // The cure does not guess which of both a mark is.
    let told = Cells::new(&Source::new("table", String::new())).no_number("1.200", true);
    assert!(told.ends_with("write 1,200, or 1200 if it stands between thousands"), "{told}");
}

fn decoded(bytes: &[u8]) -> Result<Text, InputError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, bytes).unwrap();
    read_table(&path, None, CSV_FILE)
}

#[test]
fn all_encodings_say_the_same() {
    let text = "é\u{a0}\u{2212}1\n";
    let wide = |bytes: fn(u16) -> [u8; 2], mark: [u8; 2]| -> Vec<u8> {
        mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
    };
    let cases = [
        (text.as_bytes().to_vec(), None),
        (wide(u16::to_le_bytes, [0xff, 0xfe]), Some("UTF-16")),
        (wide(u16::to_be_bytes, [0xfe, 0xff]), Some("UTF-16")),
        (b"\xe9\xa0-1\n".to_vec(), Some("Latin-1")),
    ];
    for (bytes, encoding) in cases {
        let Text { source, notes } = decoded(&bytes).unwrap();
        assert_eq!(source.text(), "é -1\n");
        assert_eq!(notes.len(), usize::from(encoding.is_some()));
        assert!(notes.iter().all(|note| encoding.is_some_and(|encoding| note.ends_with(encoding))), "{notes:?}");
    }
}

#[test]
fn binary_is_no_text() {
    for bytes in [b"\xff\xfe1".to_vec(), b"12\x00".to_vec(), b"\xff\xfe\x00\xd8".to_vec()] {
        assert!(decoded(&bytes).unwrap_err().to_string().contains("is binary, not text"), "{bytes:?}");
    }
}

/// A cell of megabytes is told by its beginning and its end, between characters.
#[test]
fn long_texts_are_told_in_short() {
    let text = format!("row 3: `{}` is no number", "µ".repeat(1_000_000));
    let told = InputError::without_place(text).with_help("ß".repeat(5000));
    let message = told.to_string();
    assert!(message.len() <= 1000 && message.starts_with("row 3: `µµ") && message.ends_with("µµ` is no number"));
    assert!(told.help_text().is_some_and(|help| help.len() <= 1000 && help.contains(" … ")));
    assert_eq!(InputError::without_place("x").to_string(), "x");
}
