//! Films as cameras make them, of throws with known numbers: a lens that bulges, 2° of tilt, 1 % of scale, a tracker that jumps, a
//! hand that holds the ball. 95 % intervals must hold the truth in 90 to 98 of 100 cases with `--camera`; without it the
//! verdict must say why they need not.
//!
//! CI makes a few films; `KUGELBAHN_FILMS=200` makes as many as it says.

use serde_json::Value;

use crate::common::Place;
use crate::common::film::{Noise, SCENARIO, csv, fit, rows_of};

const FREE: &str = "contact.restitution,initial.position,initial.velocity";
const TRUE: [(&str, f64); 5] = [
    ("contact.restitution", 0.82),
    ("initial.position.x", 0.1),
    ("initial.position.y", 1.02),
    ("initial.velocity.x", 0.6),
    ("initial.velocity.y", 0.3),
];
const KNOWN: [&str; 4] = ["--free", FREE, "--set", "contact.friction=0.02"];

/// A place as the camera shows it.
fn shown([x, y]: [f64; 2], tilt: f64, scale: f64, lens: f64) -> [f64; 2] {
    let (middle, half) = ([0.5, 0.55], 0.5);
    let [u, v] = [(x - middle[0]) / half, (y - middle[1]) / half];
    let larger = scale * (1.0 + lens * (u * u + v * v));
    let (sin, cos) = tilt.sin_cos();
    [middle[0] + half * larger * (cos * u - sin * v), middle[1] + half * larger * (sin * u + cos * v)]
}

/// A film; number `i` decides all that is random.
fn film(place: &Place, i: u64) -> Vec<[f64; 3]> {
    let mut noise = Noise(1000 + 77 * i);
    let settings = TRUE.map(|(key, value)| format!("{key}={value}"));
    let settings: Vec<&str> = settings.iter().map(String::as_str).chain(["contact.friction=0.02"]).collect();
    let mut rows = rows_of(place, &settings, &mut noise);
    let sign = |noise: &mut Noise| noise.normal().signum();
    let (tilt, scale, lens) =
        (sign(&mut noise) * 2f64.to_radians(), 1.0 + 0.01 * sign(&mut noise), 0.01 * noise.normal());
    for row in &mut rows {
        let [x, y] = shown([row[1], row[2]], tilt, scale, lens);
        (row[1], row[2]) = (x, y);
    }
    for at in [25, 70] {
        let at = at + (3.0 * noise.normal()).round() as usize % 10;
        rows[at][1] += 0.2 * noise.normal().signum();
        rows[at][2] += 0.1 * noise.normal();
    }
    if i.is_multiple_of(2) {
        return rows;
    }
    let step = rows[1][0] - rows[0][0];
    let first = rows[0];
    let held = (0..12).map(|i| [step * f64::from(i), first[1] + 1e-4 * noise.normal(), first[2]]).collect::<Vec<_>>();
    held.into_iter().chain(rows.iter().map(|row| [row[0] + 12.0 * step, row[1], row[2]])).collect()
}

#[test]
fn intervals_hold_the_truth() {
    let films: u64 = std::env::var("KUGELBAHN_FILMS").ok().and_then(|films| films.parse().ok()).unwrap_or(8);
    let (mut held, mut all, mut told) = ([0_u64; TRUE.len()], 0_u64, 0_u64);
    let mut without = [0_u64; TRUE.len()];
    for i in 0..films {
        let place = Place::new();
        place.write("throw.toml", SCENARIO);
        place.write("film.csv", csv(&film(&place, i)));
        let plain = fit(&place, &[&KNOWN[..], &["--json"]].concat());
        // The option that the note names.
        let start =
            plain.stderr.split("--start ").nth(1).map(|rest| rest.split_whitespace().next().unwrap().to_owned());
        assert_eq!(start.is_some(), i % 2 == 1, "{}", plain.stderr);
        assert!(plain.stderr.contains("jump away"), "{}", plain.stderr);
        let start: Vec<&str> = start.iter().flat_map(|start| ["--start", start]).collect();
        let read = |more: &[&str]| -> Value {
            let outcome = fit(&place, &[&KNOWN[..], &["--json"], &start, more].concat());
            assert_eq!(outcome.code, 0, "film {i}: {}", outcome.stderr);
            serde_json::from_str(&outcome.stdout).unwrap()
        };
        let (plain, camera) = (read(&[]), read(&["--camera"]));
        told += u64::from(plain["residuals"]["verdict"] != "noise");
        all += 1;
        for (k, (key, value)) in TRUE.into_iter().enumerate() {
            let holds = |found: &Value| {
                let one = found["parameters"].as_array().unwrap().iter().find(|p| p["key"] == key).unwrap();
                let [low, high] = [0, 1].map(|end| one["interval_95"][end].as_f64().unwrap());
                u64::from(low <= value && value <= high)
            };
            held[k] += holds(&camera);
            without[k] += holds(&plain);
        }
    }
    println!("{all} films: held {held:?} with --camera, {without:?} without; verdict told {told}");
    let part = held.iter().sum::<u64>() as f64 / (5 * all) as f64;
    // Three standard deviations of what 90 % would give.
    assert!(part > 0.9 - 3.0 * (0.09 / (5 * all) as f64).sqrt(), "{held:?} of {all}");
    assert!(told as f64 >= 0.9 * all as f64, "{told} of {all}");
}
