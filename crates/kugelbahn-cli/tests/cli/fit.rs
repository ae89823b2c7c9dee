//! `kugelbahn fit` on the real binary: tables with known truth, Tracker's exports, and what can't be fitted.

use crate::common::film::{FREE, Noise, SCENARIO, csv, filmed, fit, found, number, refused, rows_of, rows_with};
use crate::common::{Place, Table};
use serde_json::Value;

#[test]
fn the_truth_of_a_film_is_found_and_written() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    let short = "contact.restitution,initial.position,initial.velocity,contact.friction";
    let outcome = fit(&place, &["--free", short, "--out", "out"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(place.files("out"), ["fit.json", "fit.svg", "report.html", "residuals.csv"]);
    let json: Value = serde_json::from_str(&place.read("out/fit.json")).unwrap();
    assert_eq!(json, found(&place, &["--free", FREE]));
    let truth = [0.82, 0.1, 1.02, 0.6, 0.3, 0.02];
    for (key, truth) in FREE.split(',').zip(truth) {
        let (estimate, error) = number(&json, key);
        assert!((estimate - truth).abs() < 4.0 * error && error < 0.01, "{key}: {estimate} ± {error}");
        assert!(outcome.stdout.contains(key), "{}", outcome.stdout);
    }
    let rms = json["residuals"]["rms"].as_f64().unwrap();
    assert!((0.0009..0.0011).contains(&rms), "{rms}");
    assert!(json["residuals"]["y"]["coloured"] == false && json["residuals"]["misfit"] == false, "{json}");
    let table = Table::read(&place, "out/residuals.csv");
    assert_eq!(table.rows.len(), rows.len());
    let (seen, run, left) = (table.numbers("y"), table.numbers("y_model"), table.numbers("y_residual"));
    assert!((0..rows.len()).all(|i| (seen[i] - run[i] - left[i]).abs() < 1e-12 && seen[i] == rows[i][2]));
    assert!(place.read("out/fit.svg").contains("seen less run [mm]"));
    // The settings it ends with make the run.
    let settings: Vec<&str> = json["settings"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    let mut arguments = vec!["run", "throw.toml", "--out", "again", "--quiet", "--set", "output.interval=0.0125"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    assert_eq!(place.kugelbahn(&arguments).code, 0);
    let again = Table::read(&place, "again/trajectory.csv").numbers("y");
    assert!((0..rows.len()).all(|i| (again[i] - run[i]).abs() < 1e-7));
}

#[test]
fn exports_of_tracker_read_as_plain_tables_do() {
    let (place, mut rows) = filmed();
    rows.iter_mut().flatten().for_each(|value| *value = format!("{value:.3e}").parse().unwrap());
    let lost = [7, 8, 60];
    let kept: Vec<[f64; 3]> = (0..rows.len()).filter(|i| !lost.contains(i)).map(|i| rows[i]).collect();
    place.write("film.csv", csv(&kept));
    let plain = found(&place, &["--free", FREE]);
    let java = |value: f64| format!("{value:.3E}");
    let cells = |i: usize, number: &dyn Fn(f64) -> String, separator: &str| {
        let [t, x, y] = rows[i].map(number);
        let place = if lost.contains(&i) { [String::new(), String::new()] } else { [x, y] };
        format!("{t}{separator}{}{separator}{}\n", place[0], place[1])
    };
    let all = |number: &dyn Fn(f64) -> String, separator: &str| {
        (0..rows.len()).map(|i| cells(i, number, separator)).collect::<String>()
    };
    let comma = |value: f64| java(value).replace('.', ",");
    let millimetres = |value: f64| format!("{:?}", 1e3 * value);
    let tables = [
        format!("mass A\nt\tx\ty\n{}", all(&java, "\t")),
        format!("mass A\r\nt\tx\ty\r\n{}", all(&comma, "\t").replace('\n', "\r\n")),
        format!("\u{feff}\"mass A\"\nt;x;y\n{}\n\n", all(&comma, ";")),
        format!("# by hand\nt (ms),x [mm],y [mm]\n{}", all(&millimetres, ",")),
        format!("ball\nframe time,y,x\n{}", all(&java, ",")),
    ];
    for (i, table) in tables.iter().enumerate() {
        place.write("film.csv", table);
        let columns: &[&str] = if i == 4 { &["--columns", "frame time,2,3"] } else { &[] };
        let read = found(&place, &[&["--free", FREE], columns].concat());
        assert_eq!(read["data"]["rows_left_out"], 3, "{table}");
        for key in FREE.split(',') {
            let ((a, error), (b, _)) = (number(&plain, key), number(&read, key));
            assert!((a - b).abs() < 1e-4 * error, "{key}: {a} and {b} in\n{table}");
        }
    }
}

#[test]
fn outliers_are_named_by_row_and_pull_no_harder_than_they_may() {
    let (place, mut rows) = filmed();
    [(20, 0.05), (50, -0.08), (90, 0.3)].iter().for_each(|(i, off)| rows[*i][2] += off);
    place.write("film.csv", csv(&rows));
    let squares = found(&place, &["--free", FREE, "--every-row"]);
    let huber = found(&place, &["--free", FREE, "--loss", "huber:1.345"]);
    let rows =
        |found: &Value| found["outliers"].as_array().unwrap().iter().map(|o| o["row"].as_u64().unwrap()).collect();
    let named: Vec<u64> = rows(&huber);
    assert_eq!(named, [22, 52, 92]);
    let off = |found: &Value| {
        let (estimate, error) = number(found, "contact.restitution");
        ((estimate - 0.82).abs(), error)
    };
    let ((far, wide), (near, narrow)) = (off(&squares), off(&huber));
    assert!(near < 4.0 * narrow && narrow < 0.2 * wide && near < far, "{far} ± {wide}, {near} ± {narrow}");
    let told = fit(&place, &["--free", FREE, "--every-row"]).stdout;
    assert!(told.contains("row 92: y by 0.2") && told.contains("may pull it: try --loss huber:1.345"), "{told}");
    // Five standard deviations of 1 mm make one.
    let (place, mut rows) = filmed();
    [(20, 3e-3), (50, -8e-3)].iter().for_each(|(i, off)| rows[*i][2] += off);
    place.write("film.csv", csv(&rows));
    let found = found(&place, &["--free", FREE, "--every-row"]);
    let named: Vec<u64> = found["outliers"].as_array().unwrap().iter().map(|o| o["row"].as_u64().unwrap()).collect();
    assert_eq!(named, [52]);
}

/// What films do: rows are named, and the answer is that of the film without them.
#[test]
fn jumps_repeats_and_missing_frames_are_found() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    let (clean, error) = number(&found(&place, &["--free", FREE]), "contact.restitution");
    let same = |rows: &[[f64; 3]], told: &str| {
        place.write("film.csv", csv(rows));
        let outcome = fit(&place, &["--free", FREE, "--json"]);
        assert!(outcome.stderr.contains(told), "no `{told}` in {}", outcome.stderr);
        let (estimate, own) = number(&serde_json::from_str(&outcome.stdout).unwrap(), "contact.restitution");
        assert!((estimate - clean).abs() < 2.0 * error && own < 2.0 * error, "{told}: {estimate} ± {own}");
    };
    let mut jumps = rows.clone();
    jumps[20][2] += 0.05;
    jumps[90..92].iter_mut().for_each(|row| row[1] += 0.2);
    same(&jumps, "3 rows jump away from the rows beside");
    assert!(fit(&place, &["--free", FREE]).stderr.contains("(22, 92, 93)"));
    let mut twice = rows.clone();
    (twice[12][1], twice[12][2]) = (rows[11][1], rows[11][2]);
    same(&twice, "row 14 shows the frame before again; left out");
    let (before, step) = (30, rows[1][0] - rows[0][0]);
    let mut missing = rows.clone();
    missing.remove(before);
    missing[before..].iter_mut().for_each(|row| row[0] -= step);
    same(&missing, "followed by a frame missing from the film");
}

#[test]
fn a_ball_that_is_held_is_told_with_the_option() {
    let (place, rows) = filmed();
    let step = rows[1][0] - rows[0][0];
    let held = (0..12).map(|i| [step * f64::from(i), rows[0][1], rows[0][2]]);
    let flown = rows[1..].iter().map(|row| [row[0] + 11.0 * step, row[1], row[2]]);
    place.write("film.csv", csv(&held.chain(flown).collect::<Vec<_>>()));
    let told = fit(&place, &["--free", FREE]).stderr;
    let start = format!("{}", (11e6 * step).round() / 1e6);
    assert!(told.contains(&format!("if it is held there, --start {start}")), "{told}");
    let cut = fit(&place, &["--free", FREE, "--start", &start]);
    assert!(cut.code == 0 && !cut.stdout.contains("does not describe"), "{}{}", cut.stdout, cut.stderr);
}

#[test]
fn what_the_data_do_not_tell_is_refused_with_the_reason() {
    let (place, rows) = filmed();
    // A vertical drop: the ball falls along x = 0.
    let drop = ["--set", "initial.velocity=[0, 0]", "--set", "initial.position=[0, 1.02]"];
    place.write("film.csv", csv(&rows_with(&place, &["initial.velocity=[0, 0]", "initial.position=[0, 1.02]"])));
    let with = |free: &'static str| [&["--free", free], &drop[..]].concat();
    let nothing = "no place in these rows depends on it";
    refused(
        &place,
        &with("contact.restitution,contact.friction"),
        &["can't tell `contact.friction`", nothing, "leave it out"],
    );
    place.write("film.csv", csv(&rows));
    refused(&place, &["--free", "initial.position.y,ball.mass"], &["can't tell `ball.mass`", "no place in these rows"]);
    place.write("film.csv", csv(&rows_with(&place, &["forces.drag.coefficient=0.2"])));
    let both = ["--free", "ball.mass,forces.drag.coefficient", "--set", "forces.drag.coefficient=0.1"];
    refused(&place, &both, &["only a combination of `ball.mass`, `forces.drag.coefficient`"]);
    place.write("film.csv", csv(&rows[..20]));
    refused(
        &place,
        &["--free", "initial.velocity.y,contact.restitution"],
        &["can't tell `contact.restitution`", nothing],
    );
    // Nor does it slip before it falls.
    refused(&place, &["--free", "contact.friction,initial.velocity.x=0..1"], &["contact.friction"]);
}

#[test]
fn tables_that_are_none_are_refused() {
    let (place, rows) = filmed();
    let table = |text: &str, parts: &[&str]| {
        place.write("film.csv", text);
        refused(&place, &["--free", "initial.velocity.y,contact.restitution"], parts);
    };
    table("", &["is empty"]);
    table("t,x,y\n", &["no row of the table", "0 rows without"]);
    table("0,0,1\n", &["one row says nothing"]);
    table(
        "t,x,y\n0,0,1\n0.2,0,0.9\n0.1,0,0.8\n",
        &["row 4: t = 0.1 s comes after t = 0.2 s in row 3", "sort the table"],
    );
    table("t,x,y\n0,0,1\n0,0,2\n", &["row 3", "time must grow"]);
    table("t,x,y\n0,0,1\n0,0,1\n", &["row 3", "leave out rows that are there twice"]);
    table("t,x,y\n0,NaN,nan\n1,nan,\n2,,\n", &["no row of the table", "3 rows without"]);
    table("a,b,c\n0,0,1\n1,0,1\n", &["which columns are time and place", "`a`, `b`, `c`", "--columns"]);
    table("0,1\n1,2\n2,3\n3,3\n", &["no header above 2 columns"]);
    table("t,y\n0,1\n1,2\n", &["2 coordinates in 2 rows of film.csv are too few for 2 parameters"]);
    table("t,x,y\n0,0,1\n0.1,0,1e999\n", &["row 3, column 3", "no finite number"]);
    table("t,x,y\n0,0,1\n,0,1\n", &["row 3 has a place and no time"]);
    table("t (fortnight),x,y\n0,0,1\n1,0,1\n", &["unknown unit of times `fortnight`", "one of s, ms, us, min, frames"]);
    table("t,x (px),y (px)\n0,0,1\n0.1,0,2\n0.2,0,3\n", &["in pixels", "--scale"]);
    place.write("film.csv", csv(&rows));
    refused(&place, &["--free", "restitution"], &["did you mean `contact.restitution`?"]);
    refused(&place, &["--free", "initial.spin", "--columns", "t,x"], &["not three columns"]);
    refused(&place, &["--free", "initial.spin", "--columns", "t,z,y"], &["no column `z`"]);
    refused(&place, &["--free", "initial.spin", "--sigma", "s"], &["no column `s`"]);
    refused(&place, &["--free", "initial.spin", "--sigma", "0"], &["--sigma 0"]);
    refused(&place, &["--free", "initial.spin", "--loss", "huber"], &["--loss huber"]);
    refused(&place, &["--free", "initial.spin", "--scale", "0"], &["--scale 0"]);
    refused(&place, &["--free", "initial.spin", "--start", "99"], &["the table ends at t = 1.5 s"]);
    let soft = ["--set", "ball.radius=0.05", "--set", "contact={ law = \"hertz\", stiffness = 1e5 }"];
    refused(&place, &[&["--free", "initial.spin"], &soft[..]].concat(), &["rigid contact alone"]);
}

#[test]
fn a_run_that_can_not_be_followed_says_why_and_ends_with_1() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    let corner = "ground.curve={ kind = \"polyline\", points = [[-1, 0], [0.3, 0], [9, 9]] }";
    let rolling =
        ["--set", corner, "--set", "initial={ contact = { x = 0.0, speed = 1.0 } }", "--set", "ball.radius=0.05"];
    let outcome = fit(&place, &[&["--free", "initial.contact.speed", "--out", "stopped"], &rolling[..]].concat());
    assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stderr.contains("has no derivative"), "{}", outcome.stderr);
    assert!(!place.path("stopped").exists());
}

#[test]
fn pixels_are_scaled_by_what_is_known_of_gravity() {
    let (place, rows) = filmed();
    // 400 px/m, the origin at (50, 500), y downwards.
    let pixels: Vec<[f64; 3]> = rows.iter().map(|[t, x, y]| [*t, 50.0 + 400.0 * x, 500.0 - 400.0 * y]).collect();
    place.write("film.csv", csv(&pixels).replace("x,y", "x [px],y [px]"));
    let found = found(&place, &["--free", FREE, "--scale", "free", "--y-down", "--origin", "50,500"]);
    let (scale, error) = number(&found, "data.scale");
    assert!((scale - 1.0 / 400.0).abs() < 4.0 * error && error < 2e-5, "{scale} ± {error}");
    let (restitution, error) = number(&found, "contact.restitution");
    assert!((restitution - 0.82).abs() < 4.0 * error, "{restitution} ± {error}");
    assert_eq!(found["data"]["unit"], "px");
}

#[test]
fn sigmas_weigh_and_judge() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    let all = rows.len() as f64 * 2.0 - 6.0;
    let right = found(&place, &["--free", FREE, "--sigma", "0.001"]);
    let chi = right["residuals"]["chi_square"].as_f64().unwrap();
    assert!((chi / all - 1.0).abs() < 4.0 * (2.0 / all).sqrt(), "{chi}");
    let small = fit(&place, &["--free", FREE, "--sigma", "0.0002"]).stdout;
    assert!(small.contains("the sigma given is too small"), "{small}");
    // The second half is a guess: as a column says, it hardly counts.
    let sigma = |i: usize| if i < 60 { 1.0 } else { 1000.0 };
    let bent = |i: usize| if i < 60 { 0.0 } else { 0.5 };
    let lines: String = (0..rows.len())
        .map(|i| format!("{:?},{:?},{:?},{:?}\n", rows[i][0], rows[i][1], rows[i][2] + bent(i), sigma(i)))
        .collect();
    place.write("film.csv", format!("t,x,y,sd (mm)\n{lines}"));
    let weighed = found(&place, &["--free", FREE, "--sigma", "sd"]);
    let (estimate, error) = number(&weighed, "contact.restitution");
    assert!((estimate - 0.82).abs() < 4.0 * error && error < 0.01, "{estimate} ± {error}");
}

#[test]
fn a_wrong_model_shows_in_its_residuals() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    // Friction and restitution are held where they are not.
    let told = fit(
        &place,
        &["--free", "initial.velocity.x,initial.velocity.y,initial.position.y", "--set", "contact.friction=0.2"],
    );
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(told.stdout.contains("and hang together"), "{}", told.stdout);
    assert!(told.stdout.starts_with("the model does not describe this table"), "{}", told.stdout);
}

/// As of a film clicked at by hand, whose first rows are off by tenths of a metre.
#[test]
fn rows_that_are_off_one_by_one_are_no_wrong_model() {
    let (place, mut noise) = (Place::new(), Noise(5));
    place.write("throw.toml", SCENARIO.replace("h = 0.0", "h = -100.0"));
    let off = [[-0.25, -0.11], [0.02, 0.03], [0.26, 0.1], [-0.02, 0.0], [0.0; 2], [-0.02, 0.0], [0.04, 0.0]];
    let rows: Vec<[f64; 3]> = (0..13)
        .map(|i| {
            let t = 0.033 * f64::from(i);
            let [x, y] = off.get(i as usize).copied().unwrap_or([0.0; 2]);
            let place = [0.25 + 4.5 * t, 0.3 + 1.9 * t - 4.905 * t * t];
            [t, place[0] + x + 5e-3 * noise.normal(), place[1] + y + 5e-3 * noise.normal()]
        })
        .collect();
    place.write("film.csv", csv(&rows));
    let free = "forces.gravity.y,initial.position,initial.velocity";
    let told = found(&place, &["--free", free, "--every-row"]);
    assert_eq!(told["residuals"]["verdict"], "scatter", "{}", told["residuals"]);
    let (gravity, error) = number(&told, "forces.gravity.y");
    assert!((gravity + 9.81).abs() < 2.0 * error && error < 5.0, "{gravity} ± {error}");
    let report = fit(&place, &["--free", free, "--every-row"]).stdout;
    assert!(report.contains("rows are off one by one") && report.contains("--loss huber:1.345"), "{report}");
    // What such rows cover is not their fault: that the ball falls shows in all of them.
    let held = ["--free", "initial.position", "--set", "initial.velocity=[4.5, 1.9]", "--set", "forces.gravity=[0, 0]"];
    let told = found(&place, &[&held[..], &["--every-row"]].concat());
    assert_eq!(told["residuals"]["verdict"], "wrong", "{}", told["residuals"]);
}

/// Rows that are off along y by ten times the noise of x are noise of y if each is off alone, and are not if neighbours are off alike.
#[test]
fn rows_that_hang_together_do_not_scatter() {
    let (place, mut noise) = (Place::new(), Noise(3));
    place.write("throw.toml", SCENARIO.replace("h = 0.0", "h = -100.0").replace("[0.5, 0.0]", "[0.5, 3.0]"));
    for (kept, verdict) in [(0.0_f64, "noise"), (0.5, "small")] {
        let mut off = 0.0;
        let row = |i: u32| {
            let t = 0.0125 * f64::from(i);
            off = kept * off + 5e-3 * (1.0 - kept * kept).sqrt() * noise.normal();
            [t, 0.5 * t + 5e-4 * noise.normal(), 1.0 + 3.0 * t - 4.905 * t * t + off]
        };
        place.write("film.csv", csv(&(0..100).map(row).collect::<Vec<_>>()));
        let told = found(&place, &["--free", "initial.position,initial.velocity"]);
        assert_eq!(told["residuals"]["verdict"], verdict, "{}", told["residuals"]);
    }
}

#[test]
fn a_number_that_is_nearly_zero_is_told() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    let free = "ground.curve.parameters.h,contact.restitution,contact.friction,initial.velocity.x";
    let rest = ["--set", "initial.velocity=[0.6, 0.3]", "--set", "initial.position=[0.1, 1.02]"];
    let (height, error) = number(&found(&place, &[&["--free", free], &rest[..]].concat()), "ground.curve.parameters.h");
    assert!(height.abs() < 4.0 * error && error < 1e-3, "{height} ± {error}");
}

#[test]
fn a_start_that_sticks_finds_the_friction_that_slips() {
    let (place, rows) = filmed();
    place.write("film.csv", csv(&rows));
    // With 0.2 the first impact takes all of the velocity along the ground: friction has no effect there.
    let found = found(&place, &["--free", FREE, "--set", "contact.friction=0.2"]);
    let (friction, error) = number(&found, "contact.friction");
    assert!((friction - 0.02).abs() < 4.0 * error && error < 1e-3, "{friction} ± {error}");
}

/// A ball set down without spin on a slope that it rolls up and comes back from: slip tells μ, the two ways c_rr.
#[test]
fn rolling_resistance_is_found_beside_friction() {
    let place = Place::new();
    let truth = [0.15, 0.03, 1.5];
    let law = |[friction, resistance, speed]: [f64; 3]| {
        format!(
            "ball = {{ radius = 0.02 }}\nground = {{ curve = {{ kind = 'graph', y = 'x/10' }} }}\n\
             initial = {{ contact = {{ x = 0, speed = {speed:?} }} }}\n\
             contact = {{ friction = {friction:?}, rolling-resistance = {resistance:?} }}\nsolver = {{ duration = 2.5 }}"
        )
    };
    place.write("throw.toml", law(truth));
    place.write("film.csv", csv(&rows_of(&place, &[], &mut Noise(4))));
    place.write("throw.toml", law([0.2, 0.01, 1.4]));
    let keys = ["contact.friction", "contact.rolling-resistance", "initial.contact.speed"];
    let found = found(&place, &["--free", &keys.join(",")]);
    for ((key, truth), most) in keys.into_iter().zip(truth).zip([0.003, 3e-4, 0.01]) {
        let (estimate, error) = number(&found, key);
        assert!((estimate - truth).abs() < 4.0 * error && error < most, "{key}: {estimate} ± {error}");
    }
    assert!(found["residuals"]["misfit"] == false, "{found}");
}
