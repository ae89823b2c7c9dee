//! Rules of reading tables of films, each by a table that another rule would read otherwise.

use crate::common::film::{Noise, csv, fit, found, rows_of};
use crate::common::{Outcome, Place};

/// A throw from (0, 1) m at 0.5 m/s, above ground that is out of reach.
const FALL: &str = "initial = { position = [0, 1], velocity = [0.5, 0] }
ground = { curve = { kind = 'graph', y = -100 } }
solver = { duration = 1 }";

/// A marble that slides, rolls and comes to rest by itself.
const MARBLE: &str = "ball = { radius = 0.01 }
initial = { contact = { x = 0, speed = 0.5 } }
ground = { curve = { kind = 'graph', y = 0 } }
contact = { friction = 0.3, rolling-resistance = 0.03 }
solver = { duration = 3 }";

/// Rows of t, x and y of the throw, 25 a second.
fn rows(row: impl Fn(f64, f64, f64) -> String) -> String {
    let one = |i: i32| {
        let t = 0.04 * f64::from(i);
        row(t, 0.5 * t, 1.0 - 0.5 * 9.81 * t * t) + "\n"
    };
    (0..10).map(one).collect()
}

fn outcome(table: String, options: &[&str]) -> Outcome {
    let place = Place::new();
    place.write("throw.toml", FALL);
    place.write("film.csv", table);
    fit(&place, &[&["--free", "initial.position.y", "--json"], options].concat())
}

/// The height of the throw is read right.
#[track_caller]
fn right(table: String, options: &[&str]) -> String {
    let outcome = outcome(table, options);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let found: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let height = found["parameters"][0]["estimate"].as_f64().unwrap();
    assert!((height - 1.0).abs() < 1e-3, "{height}\n{}", outcome.stderr);
    outcome.stderr
}

#[track_caller]
fn refused(table: String, options: &[&str], told: &str) {
    let outcome = outcome(table, options);
    assert_eq!(outcome.code, 2, "{}", outcome.stdout);
    let words = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(told), "no `{told}` in {words}");
}

#[test]
fn every_minus_and_blank_of_typesetters_is_one() {
    for minus in ['\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{fe63}', '\u{ff0d}'] {
        right(
            rows(|t, x, y| format!("{t:.5E} {x:.5E} {y:.5E}").replace('-', &minus.to_string())),
            &["--columns", "1,2,3"],
        );
    }
    for blank in ['\u{a0}', '\u{2009}', '\u{202f}', '\u{3000}'] {
        right("t x y\n".to_owned() + &rows(|t, x, y| format!("{t:.3}{blank}{x:.5}{blank}{y:.5}")), &[]);
    }
}

/// Below the header a line with as many words as numbers is text, with more numbers a row.
#[test]
fn a_line_of_half_words_is_no_row() {
    let body = rows(|t, x, y| format!("{t:.3};{x:.5};{y:.5};ball"));
    let told = right(format!("t;x;y;who\n3;run;7;film\n{body}"), &[]);
    assert!(told.contains("row 2 is text and was passed over"), "{told}");
}

/// Rows in which nothing was seen do not end a table.
#[test]
fn blank_rows_are_no_end() {
    for blank in [";;", "nan;nan;nan", "-;-;-", "N/A;;", "#N/A;#N/A;#N/A", "--;--;--"] {
        let body = rows(|t, x, y| format!("{t:.3};{x:.5};{y:.5}"));
        let at = body.len() / 2;
        let at = at + body[at..].find('\n').unwrap() + 1;
        let told = right(format!("t;x;y\n{}{blank}\n{}", &body[..at], &body[at..]), &[]);
        assert!(!told.contains("the table ends"), "{blank}: {told}");
    }
}

/// Of several lines in brackets that nearest to the names is that of the units.
#[test]
fn units_stand_next_to_the_names() {
    let body = rows(|t, x, y| format!("{t:.3};{:.3};{:.3}", 1e2 * x, 1e2 * y));
    right(format!("t;x;y\n(s);(cm);(cm)\n(s);(m);(m)\n{body}"), &[]);
}

/// Between blanks it can't be told which cell is missing.
#[test]
fn a_cell_that_is_missing_between_blanks_is_asked_for() {
    let body = rows(|t, x, y| format!("{t:.3} {x:.5} {y:.5} {:.5} {:.5}", x + 1.0, y + 1.0));
    let table = format!("t x_A y_A x_B y_B\n{body}");
    let lacking = table.replacen(" 1.02000 ", " ", 1);
    assert_ne!(table, lacking);
    right(table, &["--columns", "1,2,3"]);
    refused(lacking, &["--columns", "1,2,3"], "which of them are missing?");
}

#[test]
fn a_place_needs_its_sigma() {
    let table = |last: &str| {
        let body = rows(|t, x, y| format!("{t:.3},{x:.5},{y:.5},0.001"));
        format!("t,x,y,sigma\n{}{last}\n", body)
    };
    right(table("0.4,,,"), &["--sigma", "sigma"]);
    refused(table("0.4,0.2,0.2152,"), &["--sigma", "sigma"], "row 12: its sigma is not positive");
}

/// A ball that comes to rest by itself is not said to be caught.
#[test]
fn a_ball_that_rolls_to_rest_was_not_stopped() {
    let place = Place::new();
    place.write("throw.toml", MARBLE);
    let rows: Vec<[f64; 3]> = rows_of(&place, &[], &mut Noise(2)).into_iter().step_by(4).collect();
    place.write("film.csv", csv(&rows));
    let free = ["--free", "contact.rolling-resistance"];
    let told = fit(&place, &free).stderr;
    assert!(!told.contains("if it is caught"), "{told}");
    let (estimate, error) = crate::common::film::number(&found(&place, &free), "contact.rolling-resistance");
    assert!((estimate - 0.03).abs() < 4.0 * error && error < 3e-4, "{estimate} ± {error}");
}

/// Symptom: rows with a cell more than the header were read one column off. Cause: the header was taken to be as wide as the rows.
#[test]
fn rows_wider_than_the_header() {
    let body = rows(|t, x, y| format!("\"1\" {t:.4} {x:.4} {y:.4}"));
    right(format!("\"t\" \"x\" \"y\"\n{body}"), &[]);
    let body = rows(|t, x, y| format!("1 {t:.4} {x:.4} {y:.4}"));
    refused(format!("t x y\n{body}"), &[], "row 2 has 4 cells, and the table 3 columns");
    right(format!("t x y\n{body}"), &["--columns", "2,3,4"]);
    let commas = rows(|t, x, y| format!("{t:.3}, {x:.3}, {y:.3}").replace('.', ","));
    refused(format!("t, x, y\n{commas}"), &[], "separate the cells by ;");
    let remark = rows(|t, x, y| format!("{t:.4}\t{x:.4}\t{y:.4}\tseen by eye"));
    right(format!("t\tx\ty\n{remark}"), &[]);
}

/// Symptom: the power in `t/10^-3 s` was passed over. Cause: the last word alone was taken for the unit.
#[test]
fn powers_of_ten_count() {
    let body = rows(|t, x, y| format!("{};{};{}", 1e3 * t, 1e2 * x, 1e2 * y));
    for head in ["t/10^-3 s;x/10^-2 m;y/10^-2 m", "t (10⁻³ s);x [10⁻² m];y [10⁻² m]", "t;x;y\n10^-3 s;10^-2 m;10^-2 m"]
    {
        right(format!("{head}\n{body}"), &[]);
    }
    refused(format!("t/10^-3 s;x/10^-2;y/10^-2\n{body}"), &[], "which columns are time and place?");
    refused(format!("t/10^-3 s;x/cm;y/cm\n{body}"), &["--unit", "mm"], "the header says `cm`");
}

/// Symptom: of a table without a header whose first column is a name the first row was taken for one, in silence: all rows were a frame late.
#[test]
fn rows_with_numbers_in_chosen_columns_are_no_header() {
    let body = rows(|t, x, y| format!("img_{:04}.png,{x:.4},{y:.4}", (25.0 * t).round()));
    right(body, &["--columns", "-,2,3", "--fps", "25"]);
    let codes = rows(|t, x, y| format!("0:00:{:02}:{:02};{x:.4};{y:.4}", t.floor(), (100.0 * t.fract()).round()));
    refused(format!("Time;X;Y\n{codes}"), &[], "--columns -,X,Y --fps F");
    let kinovea = format!("#Kinovea Trajectory data export\r\n#T X Y\r\n{}", codes.replace(';', " "));
    right(kinovea.replace('.', ","), &["--columns", "-,2,3", "--fps", "25"]);
    right(kinovea, &["--columns", "-,2,3", "--fps", "25"]);
}

/// Symptom: places that a network thinks unlikely were places.
#[test]
fn unlikely_places_are_none() {
    let guessed = rows(|t, x, y| match (25.0 * t).round() as u32 % 4 {
        3 => format!("{t:.3},9,9,0.02"),
        _ => format!("{t:.3},{x:.4},{y:.4},0.98"),
    });
    let told = right(format!("t,x,y,likelihood\n{guessed}"), &[]);
    assert!(told.contains("2 rows have the ball not found by the tracker"), "{told}");
}
