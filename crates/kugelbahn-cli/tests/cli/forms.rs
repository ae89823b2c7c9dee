//! More forms of tables of filmed balls: marks of lost places, boxes, summaries, several balls, other languages.

use crate::common::Place;
use crate::formats::{read, refused, rows};

/// Symptom: `-1,-1` and `0,0` were taken for places. Cause: of more than three rows no jump is seen.
#[test]
fn marks_of_lost_places_are_told() {
    for (mark, from, to) in [("-1,-1", 4, 9), ("0,0", 3, 4), ("0,0", 8, 99), ("-999,-999", 0, 4)] {
        let all = long(|i, t, x, y| {
            let lost = (from..to).contains(&i) || i == 12;
            format!("{t:.3},{}", if lost { mark.to_owned() } else { format!("{},{}", 300.0 + 100.0 * x, 200.0 * y) })
        });
        let place = Place::new();
        place.write("film.csv", format!("t,x,y\n{all}"));
        place.write("fall.toml", FALL);
        let outcome = place.kugelbahn(&["fit", "film.csv", "fall.toml", "--free", "initial.position,initial.velocity"]);
        let told = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("as trackers write where they lost the ball"), "{mark} {from}: {told}");
    }
    // A ball held at the origin is none that is lost.
    let held = long(|i, t, _, _| {
        let s = (t - 0.2).max(0.0);
        format!("{t:.3},{},{}", 0.5 * s, if i < 6 { 0.0 } else { 0.4 * s })
    });
    let place = Place::new();
    place.write("film.csv", format!("t,x,y\n{held}"));
    place.write("fall.toml", FALL);
    let outcome = place.kugelbahn(&["fit", "film.csv", "fall.toml", "--free", "initial.velocity"]);
    assert!(!outcome.stderr.contains("lost the ball"), "{}", outcome.stderr);
}

const FALL: &str = "initial = { position = [0, 1], velocity = [0.5, 0] }
ground = { curve = { kind = 'graph', y = -100 } }
solver = { duration = 1 }";

fn long(row: impl Fn(usize, f64, f64, f64) -> String) -> String {
    let one = |i: usize| {
        let t = 0.04 * i as f64;
        row(i, t, 0.5 * t, 1.0 - 0.5 * 9.81 * t * t)
    };
    (0..20).map(one).collect::<Vec<_>>().join("\n") + "\n"
}

/// Symptom: a row `Mean,…` below the numbers was refused. Cause: only a line without a number ended a table.
#[test]
fn summaries_end_the_table() {
    let body = rows(|_, t, x, y| format!("{t:.3},{x:.5},{y:.5}"));
    read(
        format!("t,x,y\n{body}Mean,0.09,0.7\nSD,0.05,0.2\n"),
        &[],
        &["the table ends before row 12 (`Mean,0.09,0.7`)"],
    );
    // In the middle a word is a slip.
    refused(format!("t,x,y\n{body}oops,0.1,0.2\n1,0.2,0.3\n"), &["row 12", "`oops` is no finite number"]);
}

/// Symptom: trials in one table, one after another, were read as one. Cause: only times that go back were several balls.
#[test]
fn balls_marked_by_a_column() {
    let one = rows(|_, t, x, y| format!("1,{t:.3},{x:.5},{y:.5}"));
    let two = rows(|_, t, x, y| format!("2,{:.3},{x:.5},{y:.5}", t + 1.0));
    for name in ["ball", "run", "trial", "Trial", "Kugel", "shot", "label", "id", "Versuch Nr"] {
        let table = format!("{name},t,x,y\n{one}{two}");
        refused(&table, &["which ball?", "`1`, `2`", "--track 1", "--columns T,X,Y"]);
        read(&table, &["--track", "1"], &[]);
    }
    read(format!("run,t,x,y\n{one}"), &[], &[]);
}

/// Symptom: of `t, x, hoch` x alone was read in silence; of `x (mm)`, `y` the latter in m.
#[test]
fn headers_that_say_a_half_are_told() {
    let table = |head: &str| format!("{head}\n{}", rows(|_, t, x, y| format!("{t:.3};{y:.5};{x:.5}")));
    read(table("t;y;quer"), &[], &["of the columns time is `t`, y is `y`"]);
    read(table("t;y;quer"), &["--columns", "1,3,2"], &[]);
    let mm = rows(|_, t, x, y| format!("{t:.3};{:.2};{:.2}", 1e3 * x, 1e3 * y));
    for head in ["t;x (mm);y", "t;x;y [mm]"] {
        read(format!("{head}\n{mm}"), &[], &[]);
    }
    read(format!("t;x;y\nSekunden;millimètres;millimètres\n{mm}"), &[], &[]);
    read(format!("t;x (m);y\n{}", rows(|_, t, x, y| format!("{t:.3};{x:.5};{:.2}", 1e3 * y))), &["--unit", "mm"], &[]);
}

/// Symptom: `00:00:01:12` was no number, without a cure.
#[test]
fn timecodes_are_frames() {
    let codes = rows(|i, _, x, y| format!("00:00:01:{i:02},{x:.5},{y:.5}"));
    refused(format!("t,x,y\n{codes}"), &["of times of a clock write the seconds", "--columns -,X,Y --fps F"]);
    read(format!("t,x,y\n{codes}"), &["--columns", "-,x,y", "--fps", "25"], &[]);
}

/// Symptom: of `Abscisse`, `Ordonnée` the cure named one alone, and `x` beside `Höhe` was read without the height. Each cure works.
#[test]
fn headers_in_other_languages_keep_both_axes() {
    let body = rows(|_, t, x, y| format!("{t:.3};{x:.5};{y:.5}"));
    read(format!("Temps (s);Abscisse (m);Ordonnée (m)\n{body}"), &[], &[]);
    read(format!("Zeit (s);x (m);Höhe (m)\n{body}"), &[], &["y is `Höhe (m)`"]);
    for names in ["Zeit (s);x;Weg y (m)", "Temps (s);Distance (m);Hauteur (m)", "Zeit (s);Strecke (m);Fallweg (m)"] {
        let table = format!("{names}\n{body}");
        refused(&table, &["--columns T,X,Y"]);
        read(&table, &["--columns", "1,2,3"], &[]);
    }
}

/// Symptom: middles of boxes were refused. What says that it is a middle is one; what does not is asked about.
#[test]
fn boxes_around_the_ball() {
    let middles = rows(|i, _, x, y| format!("{i},{x:.5},{y:.5},0.1,0.2"));
    for names in ["x_center,y_center,width,height", "cx,cy,w,h", "xc,yc,w,h"] {
        read(format!("frame,{names}\n{middles}"), &["--fps", "25", "--unit", "m"], &[]);
    }
    refused(format!("frame,x,y,w,h\n{middles}"), &["which columns are time and place?"]);
    read(format!("frame,x,y,w,h\n{middles}"), &["--columns", "1,2,3", "--fps", "25"], &[]);
}
