//! `kugelbahn fit`: what a table's own acceleration says of its units, and of which way y counts.

use crate::common::film::{Noise, csv, fit, rows_of};
use crate::common::{Place, Table, throw};

/// A film at 80 frames/s with 1 mm of noise, its numbers multiplied.
fn film(noise: u64, [time, x, y]: [f64; 3]) -> (Place, String) {
    let place = Place::new();
    place.write("throw.toml", throw("", 0.2, 1.2));
    let rows = rows_of(&place, &[], &mut Noise(noise));
    let rows: Vec<[f64; 3]> = rows.iter().map(|row| [time * row[0], x * row[1], y * row[2]]).collect();
    let table = csv(&rows);
    place.write("film.csv", table.clone());
    (place, table)
}

#[track_caller]
fn noted(sizes: [f64; 3], parts: &[&str]) {
    for noise in [1, 2] {
        let (place, _) = film(noise, sizes);
        let told = fit(&place, &["--free", "initial.position.x"]).stderr;
        parts.iter().for_each(|part| assert!(told.contains(part), "{sizes:?}: no `{part}` in\n{told}"));
        assert_eq!(told.contains("m/s²"), !parts.is_empty(), "{sizes:?}: {told}");
    }
}

#[test]
fn lengths_in_other_units_are_told_through_the_noise() {
    noted([1.0, 1.0, 1.0], &[]);
    noted([1.0, 1e3, 1e3], &["--unit mm\n"]);
    noted([1.0, 1e2, 1e2], &["--unit cm\n"]);
    noted([1.0, 1.0 / 0.0254, 1.0 / 0.0254], &["--unit in\n"]);
}

#[test]
fn films_that_run_too_slowly_are_told() {
    for (slower, told) in [(2.0, "2"), (2.5, "2.5"), (3.0, "3"), (4.0, "4"), (6.0, "6"), (8.0, "8")] {
        noted([slower, 1.0, 1.0], &[&format!("if the film runs {told} times too slowly: --fps {told} divides")]);
    }
    let (place, _) = film(5, [4.0, 1.0, 1.0]);
    assert_eq!(fit(&place, &["--free", "initial.position.x", "--fps", "4"]).stderr, "");
}

#[test]
fn other_forces_are_no_wrong_units() {
    // Lifted by its spin the ball flies upwards faster and faster.
    let lifted = ["forces.magnus=0.01", "initial.spin=-100", "initial.velocity=[3, 0]", "solver.duration=0.6"];
    let settings: Vec<&str> = lifted.iter().flat_map(|setting| ["--set", setting]).collect();
    let place = Place::new();
    place.write("throw.toml", throw("[ball]\nmass = 0.1", 0.2, 1.2));
    place.write("film.csv", csv(&rows_of(&place, &lifted, &mut Noise(3))));
    let told = fit(&place, &[&["--free", "initial.velocity"], &settings[..]].concat()).stderr;
    assert!(!told.contains("m/s²"), "{told}");
}

#[test]
fn columns_that_are_swapped_are_told() {
    let (place, table) = film(1, [1.0; 3]);
    place.write("film.csv", table.replace("t,x,y", "t,y,x"));
    let told = fit(&place, &["--free", "initial.position.x"]).stderr;
    assert!(told.contains("hardly accelerated along y") && told.contains("--columns T,X,Y"), "{told}");
}

#[test]
fn a_table_whose_y_counts_downwards_is_told() {
    noted([1.0, 1.0, -1.0], &["upwards", "--y-down\n"]);
    noted([1.0, 1e3, -1e3], &["--y-down; lengths would agree with --unit mm"]);
    let (place, table) = film(6, [1.0, 437.0, -437.0]);
    let free = ["--free", "initial.velocity"];
    assert!(fit(&place, &[&free[..], &["--scale", "free"]].concat()).stderr.contains("--y-down"));
    assert_eq!(fit(&place, &[&free[..], &["--scale", "free", "--y-down"]].concat()).stderr, "");
    place.write("film.csv", table.replace("t,x,y", "t,x [px],y [px]"));
    let told = fit(&place, &free).stderr;
    assert!(told.contains("are in pixels") && told.contains("--y-down"), "{told}");
    // What is refused says first that the model is another.
    let (place, _) = film(7, [1.0, 1.0, -1.0]);
    let told = fit(&place, &["--free", "contact.restitution,initial.velocity"]);
    let said = |text: &str| (told.stderr.clone() + &told.stdout).find(text);
    let (wrong, error) = (said("the model does not describe"), said("can't tell"));
    assert!(wrong.is_some() && error.is_none_or(|error| wrong.unwrap() < error), "{}{}", told.stderr, told.stdout);
}

/// Symptom: of pixels below the page's upper edge, taken for y = 0, no word was said of the origin. All of them are below the ground.
#[test]
fn places_below_the_ground_tell_of_the_origin() {
    let (place, table) = film(8, [1.0, 437.0, -437.0]);
    let lifted: Vec<String> = table
        .lines()
        .map(|line| match line.rsplit_once(',').map(|(rest, y)| (rest, y.parse::<f64>())) {
            Some((rest, Ok(y))) => format!("{rest},{:.2}", y + 900.0),
            _ => line.to_owned(),
        })
        .collect();
    place.write("film.csv", lifted.join("\n"));
    let options = [
        "--unit",
        "px",
        "--y-down",
        "--scale",
        "free",
        "--free",
        "contact.restitution,initial.position,initial.velocity",
    ];
    let told = fit(&place, &options).stderr;
    assert!(told.contains("all places in the table are below the ground: --origin X,Y"), "{told}");
    let cured = fit(&place, &[&options[..], &["--origin", "0,900"]].concat());
    assert!(!cured.stderr.contains("below the ground"), "{}", cured.stderr);
}

/// A ball that rolls tells its unit by the ground: it ran for a minute in silence.
#[test]
fn a_rolling_ball_in_another_unit_is_refused() {
    let place = Place::new();
    place.write(
        "throw.toml",
        "ball = { radius = 0.01 }
initial = { contact = { x = -0.5, speed = 0 } }
ground = { curve = { kind = 'graph', y = '0.1 + 0.3*x^2' } }
contact = { friction = 'infinite', rolling-damping = 0.1 }
solver = { duration = 2 }",
    );
    let outcome = place.kugelbahn(&["run", "throw.toml", "--out", "truth", "--quiet", "--set", "output.interval=0.05"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let table = Table::read(&place, "truth/trajectory.csv");
    let columns = ["time", "x", "y"].map(|name| table.numbers(name));
    let film = |scale: f64, down: f64| {
        let row = |i: usize| [columns[0][i], scale * columns[1][i], down * scale * columns[2][i]];
        place.write("film.csv", csv(&(0..columns[0].len()).map(row).collect::<Vec<_>>()));
        fit(&place, &["--free", "contact.rolling-damping"])
    };
    let right = film(1.0, 1.0);
    assert!(!right.stderr.contains("note:"), "{}", right.stderr);
    for (scale, down, cures) in
        [(100.0, 1.0, &["lengths would agree with --unit cm"][..]), (1e3, -1.0, &["--y-down", "with --unit mm"])]
    {
        let told = film(scale, down);
        assert_eq!(told.code, 2, "{}", told.stdout);
        assert!(told.stderr.contains("gains speed by what it falls as if gravity were"), "{}", told.stderr);
        cures.iter().for_each(|cure| assert!(told.stderr.contains(cure), "{cure}: {}", told.stderr));
    }
}

/// A ball that rolls down a slope of 1 in 5, set down there: t, x, y at 25 frames/s with 1 mm of noise, numbers multiplied; first it is
/// held for some frames.
fn slope(held: u32, sizes: [f64; 3]) -> Place {
    let place = Place::new();
    place.write(
        "throw.toml",
        "ball = { radius = 0.01 }
initial = { position = [0, 0.5102], velocity = [0, 0] }
ground = { curve = { kind = 'graph', y = '0.5-0.2*x' } }
contact = { friction = 0.5, restitution = 0.3, rolling-resistance = 0.01 }
solver = { duration = 1.5 }",
    );
    let mut noise = Noise(4);
    // (1 + 2/5) a = g (sin α − c_rr cos α).
    let (sin, cos) = (0.2 / f64::hypot(1.0, 0.2), 1.0 / f64::hypot(1.0, 0.2));
    let along = 0.5 * 9.81 * (sin - 0.01 * cos) / 1.4;
    let row = |i: u32| {
        let t = 0.04 * f64::from(i);
        let way = along * (t - 0.04 * f64::from(held)).max(0.0).powi(2);
        let [x, y] = [way * cos + 1e-3 * noise.normal(), 0.5102 - way * sin + 1e-3 * noise.normal()];
        [sizes[0] * t, sizes[1] * x, sizes[2] * y]
    };
    place.write("film.csv", csv(&(0..36 + held).map(row).collect::<Vec<_>>()));
    place
}

/// Symptom: of a ball that rolls from where it was set down, lengths "would agree with --scale 38", y that counts downwards was not told, nor
/// a hand. Cause: what accelerates less than g along y was taken for a flight in another unit.
#[test]
fn a_ball_that_rolls_tells_its_units_by_its_energy() {
    let free = ["--free", "contact.rolling-resistance"];
    let told = |held: u32, sizes: [f64; 3], more: &[&str]| fit(&slope(held, sizes), &[&free[..], more].concat()).stderr;
    let right = told(0, [1.0; 3], &[]);
    assert!(!right.contains("m/s²") && !right.contains("held"), "{right}");
    for (sizes, more, parts) in [
        ([1.0, 1e2, 1e2], &[][..], &["--unit cm"][..]),
        ([1.0, 1e3, -1e3], &[], &["--y-down", "--unit mm"]),
        ([1.0, 437.0, -437.0], &[], &["--y-down", "--scale 2e-3 or so"]),
        ([1.0, 437.0, -437.0], &["--scale", "free"], &["as if gravity were -", "--y-down"]),
        ([4.0, 1.0, 1.0], &[], &["if the film runs 4 times too slowly: --fps 4"]),
    ] {
        let told = told(0, sizes, more);
        parts.iter().for_each(|part| assert!(told.contains(part), "{sizes:?}: no `{part}` in {told}"));
    }
    for held in [6, 20] {
        let told = told(held, [1.0; 3], &[]);
        assert!(told.contains("show the ball at rest before it moves"), "{held}: {told}");
    }
}

/// Symptom: a film in ms of a ball on the ground was told and then run for minutes. Cause: what no run can come near was no error.
#[test]
fn a_rolling_ball_far_from_its_units_is_refused() {
    let options = ["--free", "contact.rolling-resistance"];
    let told = fit(&slope(0, [1e3, 1.0, 1.0]), &options);
    assert!(told.code == 2 && told.stderr.contains("times in ms"), "{}", told.stderr);
}
