//! A film of a throw whose truth is known, and fits of it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use serde_json::Value;

use super::{Outcome, Place, Table};

pub const SCENARIO: &str = r#"title = "A tilted throw"
[initial]
position = [0.0, 1.0]
velocity = [0.5, 0.0]
[ground]
curve = { kind = "graph", y = "h", parameters = { h = 0.0 } }
[contact]
restitution = 0.7
friction = 0.05
[solver]
duration = 1.5
"#;

pub const TRUTH: [&str; 4] = [
    "contact.restitution=0.82",
    "initial.position=[0.1, 1.02]",
    "initial.velocity=[0.6, 0.3]",
    "contact.friction=0.02",
];
pub const FREE: &str =
    "contact.restitution,initial.position.x,initial.position.y,initial.velocity.x,initial.velocity.y,contact.friction";

/// A place with `throw.toml`, and the rows of a run with other values.
pub fn filmed() -> (Place, Vec<[f64; 3]>) {
    let place = Place::new();
    place.write("throw.toml", SCENARIO);
    let rows = rows_with(&place, &[]);
    (place, rows)
}

/// t, x, y of a run of the truth, and more settings: 80 frames/s, 1 mm of noise.
pub fn rows_with(place: &Place, more: &[&str]) -> Vec<[f64; 3]> {
    let settings: Vec<&str> = TRUTH.iter().chain(more).copied().collect();
    rows_of(place, &settings, &mut Noise(9))
}

/// The same of the scenario with settings.
pub fn rows_of(place: &Place, settings: &[&str], noise: &mut Noise) -> Vec<[f64; 3]> {
    let mut arguments = vec!["run", "throw.toml", "--out", "truth", "--quiet", "--set", "output.interval=0.0125"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    let outcome = place.kugelbahn(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let table = Table::read(place, "truth/trajectory.csv");
    let (t, x, y) = (table.numbers("time"), table.numbers("x"), table.numbers("y"));
    (0..t.len()).map(|i| [t[i], x[i] + 1e-3 * noise.normal(), y[i] + 1e-3 * noise.normal()]).collect()
}

/// Sums of twelve uniform numbers (an LCG of Knuth's).
pub struct Noise(pub u64);

impl Noise {
    pub fn normal(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            sum += (self.0 >> 11) as f64 / (1u64 << 53) as f64;
        }
        sum
    }
}

pub fn csv(rows: &[[f64; 3]]) -> String {
    let lines: Vec<String> = rows.iter().map(|[t, x, y]| format!("{t:?},{x:?},{y:?}\n")).collect();
    format!("t,x,y\n{}", lines.concat())
}

pub fn fit(place: &Place, more: &[&str]) -> Outcome {
    place.kugelbahn(&[&["fit", "film.csv", "throw.toml"], more].concat())
}

pub fn found(place: &Place, more: &[&str]) -> Value {
    let outcome = fit(place, &[&["--json"], more].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// Estimate and standard error.
pub fn number(found: &Value, key: &str) -> (f64, f64) {
    let all = found["parameters"].as_array().unwrap();
    let one = all.iter().find(|p| p["key"] == key).unwrap_or_else(|| panic!("no {key} in {found}"));
    (one["estimate"].as_f64().unwrap(), one["standard_error"].as_f64().unwrap())
}

#[track_caller]
pub fn refused(place: &Place, more: &[&str], parts: &[&str]) {
    let outcome = fit(place, &[more, &["--out", "refused"]].concat());
    assert_eq!(outcome.code, 2, "{}{}", outcome.stdout, outcome.stderr);
    parts.iter().for_each(|part| assert!(outcome.stderr.contains(part), "no `{part}` in\n{}", outcome.stderr));
    assert_eq!(outcome.stdout, "");
    assert!(!place.path("refused").exists(), "a refused fit has written something");
}
