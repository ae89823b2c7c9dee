//! Noise of films that is none of one size: another for each axis, frames that are missing, what hangs together, what no camera does.

use crate::common::Place;
use crate::common::film::{FREE, Noise, SCENARIO, TRUTH, csv, filmed, fit, found, number, rows_of};

/// A film with `x` and `y` as their noise, m.
fn film(place: &Place, seed: u64, [x, y]: [f64; 2]) -> Vec<[f64; 3]> {
    place.write("throw.toml", SCENARIO);
    let mut noise = Noise(seed);
    let clean = rows_of(place, &TRUTH, &mut Noise(9));
    let mut same = Noise(9);
    let rows = clean.iter().map(|row| [row[0], row[1] - 1e-3 * same.normal(), row[2] - 1e-3 * same.normal()]);
    rows.map(|row| [row[0], row[1] + x * noise.normal(), row[2] + y * noise.normal()]).collect()
}

/// Symptom: clicks along x ten times as far off as along y made all errors ten times as large, and hid what was off in y. Cause: one noise
/// of all residuals.
#[test]
fn each_axis_has_its_noise() {
    let place = Place::new();
    let (mut held, mut all) = (0, 0);
    for seed in 0..6 {
        let mut rows = film(&place, 100 + seed, [1e-2, 1e-3]);
        rows[40][2] += 9e-3;
        place.write("film.csv", csv(&rows));
        let one = found(&place, &["--free", FREE, "--every-row"]);
        let told: Vec<(u64, &str)> = one["outliers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|o| (o["row"].as_u64().unwrap(), o["coordinate"].as_str().unwrap()))
            .collect();
        assert_eq!(told, [(42, "y")], "film {seed}");
        assert_eq!(one["residuals"]["verdict"], "noise", "{}", one["residuals"]);
        let ratio = one["residuals"]["noise_x_over_y"].as_f64().unwrap();
        assert!((7.0..14.0).contains(&ratio), "{ratio}");
        rows[40][2] -= 9e-3;
        place.write("film.csv", csv(&rows));
        let one = found(&place, &["--free", FREE]);
        place.write("film.csv", csv(&film(&place, 100 + seed, [1e-3, 1e-3])));
        let equal = found(&place, &["--free", FREE]);
        for (key, truth) in [("contact.restitution", 0.82), ("initial.position.y", 1.02), ("initial.velocity.y", 0.3)] {
            let ((estimate, error), (_, least)) = (number(&one, key), number(&equal, key));
            assert!(error < 2.0 * least, "{key}: {error} for {least}");
            held += u32::from((estimate - truth).abs() < 2.0 * error);
            all += 1;
        }
    }
    assert!(held + 3 >= all, "{held} of {all}");
}

/// Symptom: of 30 frames a second 24 were kept, and all was `noise`. Cause: the noise of neighbouring rows was that of the missing
/// frames, and a step had to be half as long again as those beside.
#[test]
fn frames_that_are_missing_over_and_over_are_told() {
    let place = Place::new();
    place.write("throw.toml", SCENARIO.replace("h = 0.0", "h = -100.0").replace("[0.5, 0.0]", "[0.5, 3.0]"));
    for (each, seed) in [(5, 1), (6, 2), (9, 3)] {
        let mut noise = Noise(seed);
        let mut row = |t: f64| [0.5 * t + 1e-3 * noise.normal(), 1.0 + 3.0 * t - 4.905 * t * t + 1e-3 * noise.normal()];
        let all: Vec<[f64; 2]> = (0..40).map(|i| row(f64::from(i) / 30.0)).collect();
        let kept = (0..all.len()).filter(|i| i % each != each - 1).map(|i| all[i]);
        let counted: Vec<[f64; 3]> = kept.enumerate().map(|(i, [x, y])| [i as f64 / 30.0, x, y]).collect();
        place.write("film.csv", csv(&counted));
        let outcome = fit(&place, &["--free", "initial.position,initial.velocity", "--json"]);
        let told = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        // The last rows are too few to tell.
        let missing = (all.len() - 4) / each;
        assert!(
            told.contains(&format!("{missing} rows are followed by {missing} frames missing from the film")),
            "{each}: {told}"
        );
        let (velocity, error) = number(&serde_json::from_str(&outcome.stdout).unwrap(), "initial.velocity.y");
        assert!((velocity - 3.0).abs() < 4.0 * error && error < 0.01, "{each}: {velocity} ± {error}");
    }
}

/// Symptom: of films with 5 mm of noise "6 frames are missing" behind the impacts, and in three of four the interval of e was off. Cause:
/// over an impact a parabola bent upwards goes through rows that are taken for later.
#[test]
fn an_impact_is_no_missing_frame() {
    let place = Place::new();
    let mut held = 0;
    for seed in 0..8 {
        place.write("film.csv", csv(&film(&place, 200 + seed, [5e-3, 5e-3])));
        let outcome = fit(&place, &["--free", FREE, "--json"]);
        assert!(!outcome.stderr.contains("missing from the film"), "film {seed}: {}", outcome.stderr);
        let (e, error) = number(&serde_json::from_str(&outcome.stdout).unwrap(), "contact.restitution");
        held += u32::from((e - 0.82).abs() < 2.0 * error);
    }
    assert!(held >= 6, "{held} of 8");
}

/// Symptom: the verdict was `noise` where the residuals hung together. Cause: their size was asked for first.
#[test]
fn what_hangs_together_is_no_noise() {
    let (place, mut rows) = filmed();
    rows.iter_mut().for_each(|row| row[1] += 1e-3 * (25.0 * row[0]).sin());
    place.write("film.csv", csv(&rows));
    let told = found(&place, &["--free", FREE]);
    assert_eq!(told["residuals"]["x"]["coloured"], true, "{}", told["residuals"]);
    assert!(told["residuals"]["times_noise"].as_f64().unwrap() < 2.0, "{}", told["residuals"]);
    assert_ne!(told["residuals"]["verdict"], "noise", "{}", told["residuals"]);
    assert!(fit(&place, &["--free", FREE]).stdout.contains("and hang together"));
}

/// Symptom: `--camera` said nothing of a scale off by 15 %, five times and more what it may be, and without it the verdict was `camera`.
#[test]
fn what_no_camera_does_is_told() {
    let (place, mut rows) = filmed();
    rows.iter_mut().for_each(|row| (row[1], row[2]) = (1.15 * row[1], 0.5 + 1.15 * (row[2] - 0.5)));
    place.write("film.csv", csv(&rows));
    let free =
        ["--free", "contact.restitution", "--set", "contact.friction=0.02", "--set", TRUTH[1], "--set", TRUTH[2]];
    let plain = found(&place, &free);
    assert_ne!(plain["residuals"]["verdict"], "camera");
    let camera = found(&place, &[&free[..], &["--camera"]].concat());
    assert_eq!(camera["residuals"]["verdict"], "beyond-camera", "{}", camera["residuals"]);
    let text = fit(&place, &[&free[..], &["--camera"]].concat()).stdout;
    assert!(text.contains("times what a camera does") && text.contains("--scale free"), "{text}");
}

/// Symptom: a velocity of 0.5 ± 9e-17 m/s. Cause: places along x without noise were known better than to their last digit.
#[test]
fn places_are_known_to_their_last_digit() {
    let place = Place::new();
    let rows = film(&place, 7, [0.0, 1e-3]);
    let lines = (0..).zip(&rows).map(|(i, row)| format!("{:?},{:.5},{:.5}\n", row[0], 0.00625 * f64::from(i), row[2]));
    place.write("film.csv", format!("t,x,y\n{}", lines.collect::<String>()));
    let free = "contact.restitution,initial.position,initial.velocity";
    let (speed, error) =
        number(&found(&place, &["--free", free, "--set", "contact.friction=0", "--every-row"]), "initial.velocity.x");
    assert!((speed - 0.5).abs() < 4.0 * error && error > 1e-7, "{speed} ± {error}");
}

/// Symptom: “316.2 times as much”. Cause: that was the largest ratio that was tried.
#[test]
fn noise_is_found_whatever_its_ratio() {
    let place = Place::new();
    let mut rows = film(&place, 5, [1e-6, 1e-6]);
    rows.iter_mut().for_each(|row| row[1] += 5e-2 * (5.0 * row[0]).sin());
    place.write("film.csv", csv(&rows));
    let outcome =
        fit(&place, &["--free", "initial.position.x", "--set", TRUTH[0], "--set", TRUTH[2], "--set", TRUTH[3]]);
    assert!(outcome.stdout.contains("times as much") && !outcome.stdout.contains("316.2"), "{}", outcome.stdout);
}

/// Symptom: of a ball that falls straight down, the fit was refused as "the data can't tell `camera.perspective.x`: leave it out of --free",
/// where it is not. Cause: numbers that are known beforehand were asked of the rows.
#[test]
fn numbers_of_the_camera_need_no_rows() {
    let place = Place::new();
    place.write("throw.toml", SCENARIO);
    let straight = ["contact.restitution=0.82", "initial.position=[0.1, 1.02]", "initial.velocity=[0, 0.3]"];
    let rows = rows_of(&place, &straight, &mut Noise(9));
    let free = ["--free", "contact.restitution,initial.position,initial.velocity", "--camera"];
    for larger in [1.0, 1.1] {
        place.write("film.csv", csv(&rows.iter().map(|[t, x, y]| [*t, larger * x, larger * y]).collect::<Vec<_>>()));
        let outcome = fit(&place, &free);
        assert_eq!(outcome.code, 0, "{larger}: {}", outcome.stderr);
        // A scale that no camera makes is found by what the verdict names.
        let free = [&free[..], &["--scale", "free"]].concat();
        let (e, error) = number(&found(&place, &free), "contact.restitution");
        assert!((e - 0.82).abs() < 4.0 * error && error < 5e-3, "{larger}: {e} ± {error}");
    }
}

/// Symptom: where a lens and the start did the same, as the scale was off by two, the start was to be left out of --free. The cure works.
#[test]
fn a_scale_that_no_camera_makes_is_named() {
    let place = Place::new();
    place.write("throw.toml", SCENARIO);
    let rows = rows_of(&place, &TRUTH, &mut Noise(9));
    place.write("film.csv", csv(&rows.iter().map(|[t, x, y]| [*t, 2.0 * x, 2.0 * y]).collect::<Vec<_>>()));
    let free = ["--free", "contact.restitution,initial.position,initial.velocity", "--set", TRUTH[3], "--camera"];
    let told = fit(&place, &free);
    let all = told.stderr + &told.stdout;
    assert!(all.contains("--scale free"), "{all}");
    let (e, error) = number(&found(&place, &[&free[..], &["--scale", "free"]].concat()), "contact.restitution");
    assert!((e - 0.82).abs() < 4.0 * error && error < 5e-3, "{e} ± {error}");
}

/// Symptom: `--loss huber:1.345`, which the message named, found the truth, and the verdict was still that the model is wrong. Cause: rows
/// that the loss bears counted as residuals that hang together. A model that is wrong is none that it bears.
#[test]
fn what_a_robust_loss_bears_is_no_misfit() {
    let place = Place::new();
    for seed in 0..4 {
        let mut rows = film(&place, 200 + seed, [1e-3, 1e-3]);
        rows[30..37].iter_mut().for_each(|row| row[1] += 0.1);
        place.write("film.csv", csv(&rows));
        let plain = found(&place, &["--free", FREE, "--every-row"]);
        assert_ne!(plain["residuals"]["verdict"], "noise", "{}", plain["residuals"]);
        let huber = ["--free", FREE, "--every-row", "--loss", "huber:1.345"];
        let one = found(&place, &huber);
        assert_eq!(one["residuals"]["verdict"], "noise", "{}", one["residuals"]);
        let few = ["--free", "initial.position.x", "--every-row", "--loss", "huber:1.345"];
        let wrong = found(&place, &few);
        assert_eq!(wrong["residuals"]["verdict"], "wrong", "{}", wrong["residuals"]);
    }
}

/// Symptom: of films of 34 rows whose noise hangs together over 20 of them 95 % intervals with `--camera` held 70 %. Cause: only a correlation of
/// neighbours of 3/√n was looked into, which parameters take up; and the likeliest of noises was mostly too small.
#[test]
fn intervals_count_noise_that_hangs_together() {
    let place = Place::new();
    let (mut held, mut all) = (0, 0);
    for seed in 0..24 {
        let kept: f64 = 0.95;
        let mut noise = Noise(300 + seed);
        let mut slow = [noise.normal(), noise.normal()];
        let rows: Vec<[f64; 3]> = film(&place, 0, [0.0; 2])
            .iter()
            .step_by(2)
            .map(|row| {
                slow = slow.map(|slow| kept * slow + (1.0 - kept * kept).sqrt() * noise.normal());
                [row[0], row[1] + 2e-3 * slow[0], row[2] + 2e-3 * slow[1]]
            })
            .collect();
        place.write("film.csv", csv(&rows));
        let one = found(&place, &["--free", FREE, "--camera"]);
        for (key, truth) in [("contact.restitution", 0.82), ("initial.velocity.x", 0.6), ("initial.velocity.y", 0.3)] {
            let parameters = one["parameters"].as_array().unwrap();
            let interval = &parameters.iter().find(|p| p["key"] == key).unwrap()["interval_95"];
            let [low, high] = [0, 1].map(|end| interval[end].as_f64().unwrap());
            held += u32::from((low..=high).contains(&truth));
            all += 1;
        }
    }
    println!("{held} of {all}");
    assert!(10 * held >= 9 * all, "{held} of {all}");
}
