//! Keeps what the command line answers to some 300 scenarios, and compares: to change the inside without changing the answers.
//!
//! ```sh
//! cargo run -p tests --bin frozen -- keep DIR target/debug/kugelbahn       # before
//! cargo run -p tests --bin frozen -- compare DIR target/debug/kugelbahn    # after each step
//! ```
//!
//! Scenarios are those of the repository (experiments, examples, tests) and random ones, a part of them by time stepping. Each is a
//! row of the answer: equal to the last bit, or which number differs most, by which part of the largest of its column.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "a tool that says what it found, and ends where it can't go on"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use tests::scenarios::Contact;
use tests::scenarios::random::scenarios;

/// Random scenarios.
const RANDOM: usize = 270;
/// A run that takes longer is killed, and only that is kept.
const PATIENCE: Duration = Duration::from_secs(20);
/// Differences up to this part of a column's largest number count as rounding.
const ROUNDING: f64 = 1e-9;

/// Where scenarios of the repository are.
const FOLDERS: [&str; 3] = ["scenarios", "experiments/src/bin", "crates"];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [action, folder, binary] = &words[..] else {
        eprintln!("give keep or compare, a folder, and the binary");
        return ExitCode::from(2);
    };
    let (folder, binary) = (Path::new(folder), fs::canonicalize(binary).expect("the binary is there"));
    match action.as_str() {
        "keep" => {
            for (name, text, base, settings) in all() {
                let place = folder.join(&name);
                fs::create_dir_all(&place).expect("the folder can be written");
                fs::write(place.join("scenario.toml"), &text).expect("the folder can be written");
                fs::write(place.join("base"), base.display().to_string()).expect("the folder can be written");
                fs::write(place.join("settings"), settings.join("\n")).expect("the folder can be written");
                run(&binary, &place, "kept");
            }
            ExitCode::SUCCESS
        }
        _ => compare(folder, &binary),
    }
}

/// Name, text, folder that paths are relative to, and settings of each scenario.
fn all() -> Vec<(String, String, PathBuf, Vec<String>)> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        let mut files = Vec::new();
        find(Path::new(folder), &mut files);
        files.sort();
        for file in files {
            let Ok(text) = fs::read_to_string(&file) else { continue };
            if text.contains("[ball") || text.contains("ball.") || text.contains("ball =") {
                let name = file.with_extension("").display().to_string().replace('/', "-");
                let base = file.parent().and_then(|parent| fs::canonicalize(parent).ok()).unwrap_or_default();
                all.push((name, text, base, Vec::new()));
            }
        }
    }
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[19; 32]));
    for index in 0..RANDOM {
        let scenario = scenarios().new_tree(&mut runner).expect("no scenario is filtered").current();
        let steps = index % 4 == 0 && matches!(scenario.contact, Contact::Rigid { .. }) && scenario.motion.is_none();
        let step = format!("solver.step={:?}", scenario.solver.duration / 400.0);
        let settings = if steps { vec!["solver.method=moreau".to_owned(), step] } else { Vec::new() };
        all.push((format!("random-{index:03}"), scenario.to_string(), PathBuf::new(), settings));
    }
    all
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
}

/// Runs the scenario of a place; its files and what it says go to `place/into`.
fn run(binary: &Path, place: &Path, into: &str) {
    let out = place.join(into);
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).expect("the folder can be written");
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap_or_default();
    // Paths in a scenario are relative to its folder.
    let base = read("base");
    let scenario = if !Path::new(&base).is_dir() {
        fs::canonicalize(place.join("scenario.toml")).expect("the scenario is there")
    } else {
        let copy = Path::new(&base).join(".frozen.toml");
        fs::copy(place.join("scenario.toml"), &copy).expect("the folder can be written");
        copy
    };
    let says = fs::File::create(out.join("says")).expect("the folder can be written");
    let mut command = Command::new(binary);
    command.arg("run").arg(&scenario).arg("--out").arg(&out).arg("--quiet").stdin(Stdio::null()).stdout(Stdio::null());
    for setting in read("settings").lines() {
        command.arg("--set").arg(setting);
    }
    let mut child = command.stderr(says).spawn().expect("the binary starts");
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("the run can be waited for") {
            Some(status) => break format!("{:?}", status.code()),
            None if start.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                break "too long".to_owned();
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    fs::write(out.join("status"), status).expect("the folder can be written");
    if scenario.ends_with(".frozen.toml") {
        let _ = fs::remove_file(&scenario);
    }
}

/// What differs most between two answers.
#[derive(Default)]
struct Worst {
    part: f64,
    what: String,
}

impl Worst {
    fn see(&mut self, part: f64, what: impl FnOnce() -> String) {
        if !(part <= self.part) {
            *self = Worst { part, what: what() };
        }
    }
}

fn compare(folder: &Path, binary: &Path) -> ExitCode {
    let mut places: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    places.sort();
    let (mut same, mut rounding, mut different) = (0, 0, 0);
    for place in places {
        run(binary, &place, "now");
        let mut worst = Worst::default();
        for file in ["status", "says"] {
            let [kept, now] =
                ["kept", "now"].map(|of| fs::read_to_string(place.join(of).join(file)).unwrap_or_default());
            if kept != now {
                worst.see(f64::INFINITY, || format!("{file}: {} | {}", kept.trim(), now.trim()));
            }
        }
        for file in ["events.csv", "trajectory.csv"] {
            let [kept, now] = ["kept", "now"].map(|of| table(&place.join(of).join(file)));
            columns(&kept, &now, file, &mut worst);
        }
        let [kept, now] = ["kept", "now"].map(|of| {
            let text = fs::read_to_string(place.join(of).join("summary.json")).unwrap_or_default();
            serde_json::from_str(&text).unwrap_or(Value::Null)
        });
        values(&kept, &now, "summary", &mut worst);
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match worst.part {
            0.0 => same += 1,
            part if part <= ROUNDING => {
                rounding += 1;
                println!("{name}: {part:.1e} in {}", worst.what);
            }
            part => {
                different += 1;
                println!("{name}: DIFFERS by {part:.1e} in {}", worst.what);
            }
        }
    }
    println!("{same} the same, {rounding} to rounding, {different} different");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn table(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn columns(kept: &[Vec<String>], now: &[Vec<String>], file: &str, worst: &mut Worst) {
    if kept.len() != now.len() || kept.first() != now.first() {
        return worst.see(f64::INFINITY, || format!("{file}: {} rows | {}", kept.len(), now.len()));
    }
    for (column, name) in kept.first().into_iter().flatten().enumerate() {
        let cell = |row: &Vec<String>| row.get(column).cloned().unwrap_or_default();
        let number = |row: &Vec<String>| cell(row).parse::<f64>().unwrap_or(0.0).abs();
        let largest = kept.iter().skip(1).map(number).filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
        for (line, (kept, now)) in kept.iter().zip(now).enumerate().skip(1) {
            let (kept, now) = (cell(kept), cell(now));
            if kept == now {
                continue;
            }
            let part = match (kept.parse::<f64>(), now.parse::<f64>()) {
                (Ok(a), Ok(b)) => (a - b).abs() / largest.max(1e-6),
                _ => f64::INFINITY,
            };
            worst.see(part, || format!("{file}, line {line}, {name}: {kept} | {now}"));
        }
    }
}

fn values(kept: &Value, now: &Value, path: &str, worst: &mut Worst) {
    match (kept, now) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            // What is left unexplained or unbalanced is rounding itself.
            let floor = if path.contains("balance") || path.ends_with("unexplained") { 1.0 } else { 1e-6 };
            if a != b {
                worst.see((a - b).abs() / a.abs().max(floor), || format!("{path}: {a:?} | {b:?}"));
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                values(
                    a.get(key).unwrap_or(&Value::Null),
                    b.get(key).unwrap_or(&Value::Null),
                    &format!("{path}.{key}"),
                    worst,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().for_each(|(i, (a, b))| values(a, b, &format!("{path}.{i}"), worst));
        }
        _ if kept == now => {}
        _ => worst.see(f64::INFINITY, || format!("{path}: {kept:.60} | {now:.60}")),
    }
}
