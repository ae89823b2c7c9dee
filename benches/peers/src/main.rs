//! The benchmark's ball by Kugelbahn and by other crates, in turn; writes RESULTS.md. See README.md.

mod ball;
mod diffsol_runs;
mod kugelbahn_runs;
mod ode_solvers_runs;
mod throw;

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use ball::{Exact, Run};
use throw::Throw;

/// A run made ready: what a user does once is done.
type Ready = Box<dyn FnMut() -> Run>;

/// Runs of each contestant, in turn with the others.
const ROUNDS: usize = 200;

const ALL: [&str; 9] = [
    "kugelbahn newmark",
    "kugelbahn bdf",
    "kugelbahn radau",
    "kugelbahn dop853",
    "kugelbahn ballistic",
    "diffsol bdf",
    "diffsol esdirk34",
    "diffsol tsit45",
    "ode_solvers dopri5",
];

fn ready(name: &str, tolerance: f64, seconds: f64) -> Ready {
    match name.split_once(' ') {
        Some(("kugelbahn", method)) => {
            let settings = [format!("solver.method=\"{method}\""), format!("solver.tolerance={tolerance:e}")];
            kugelbahn_runs::ready("../scenarios/hard-sphere.toml", &settings, seconds).expect("a scenario")
        }
        Some(("diffsol", method)) => diffsol_runs::ready(method, Throw::BENCHMARK, tolerance, seconds),
        Some(("ode_solvers", "dopri5")) => ode_solvers_runs::ready(Throw::BENCHMARK, tolerance, seconds),
        _ => panic!("no contestant {name:?}; there are {ALL:?}"),
    }
}

/// Least time of each in µs: others on the machine make a run slower, never faster.
fn least_times(contestants: &mut [Ready]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; contestants.len()];
    for _ in 0..ROUNDS {
        for (least, contestant) in least.iter_mut().zip(contestants.iter_mut()) {
            let start = Instant::now();
            black_box(contestant());
            *least = least.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    least
}

fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("?").to_owned()
}

/// A crate's version in this package's lock file.
fn version(name: &str) -> &'static str {
    let mut lines = include_str!("../Cargo.lock").lines();
    lines.find(|line| *line == format!("name = {name:?}"));
    lines.next().and_then(|line| line.split('"').nth(1)).unwrap_or("?")
}

/// All at one tolerance: ten bounces, and 20 s.
fn benchmark(text: &mut String, exact: &Exact, tolerance: f64) {
    let _ = writeln!(text, "\nTolerance {tolerance:e}, load {}, least of {ROUNDS} runs in turn\n", load());
    let _ = writeln!(
        text,
        "| run | ten bounces [µs] | 10th bounce [s] | worst of ten [s] | steps, rejected | 20 s [µs] | x, vx at 20 s | after 14.698 s |"
    );
    let _ = writeln!(text, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    let short: Vec<Run> = ALL.iter().map(|name| ready(name, tolerance, ball::TEN_BOUNCES)()).collect();
    let long: Vec<Run> = ALL.iter().map(|name| ready(name, tolerance, ball::WHOLE)()).collect();
    let mut contestants: Vec<Ready> = ALL.iter().map(|name| ready(name, tolerance, ball::TEN_BOUNCES)).collect();
    let whole: Vec<usize> = (0..ALL.len()).filter(|i| exact.fate(&long[*i]).is_right()).collect();
    contestants.extend(whole.iter().map(|i| ready(ALL[*i], tolerance, ball::WHOLE)));
    let times = least_times(&mut contestants);
    for (i, name) in ALL.iter().enumerate() {
        let [tenth, worst] = exact.errors(name, &short[i]);
        let fate = exact.fate(&long[i]);
        let time = whole.iter().position(|w| *w == i).map(|at| format!("{:.0}", times[ALL.len() + at]));
        let _ = writeln!(
            text,
            "| `{name}` | {:.0} | {tenth:.1e} | {worst:.1e} | {}, {} | {} | {} | {fate} |",
            times[i],
            short[i].steps,
            short[i].rejected,
            time.unwrap_or_default(),
            fate.errors(),
        );
    }
}

/// Two where their tenth bounces are equally wrong.
fn equal_errors(text: &mut String, exact: &Exact, ours: &str, theirs: &str) {
    let of = |name: &str, tolerance: f64| exact.errors(name, &ready(name, tolerance, ball::TEN_BOUNCES)());
    let grid: Vec<(f64, [f64; 2])> =
        (30..=120).map(|i| 10f64.powf(-0.1 * f64::from(i))).map(|tolerance| (tolerance, of(ours, tolerance))).collect();
    let _ = writeln!(text, "\n`{ours}` and `{theirs}` at equal errors of the tenth bounce, load {}\n", load());
    let _ = writeln!(
        text,
        "| {theirs} | 10th [s] | worst of ten [s] | steps | [µs] | {ours} | 10th [s] | worst of ten [s] | steps | [µs] | ratio |"
    );
    let _ = writeln!(text, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for tolerance in [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10] {
        let [tenth, worst] = of(theirs, tolerance);
        let miss = |errors: &[f64; 2]| (errors[0] / tenth).ln().abs().max((errors[1] / worst).ln().abs());
        let (own, errors) = grid.iter().min_by(|a, b| miss(&a.1).total_cmp(&miss(&b.1))).expect("a grid");
        let mut pair = [(theirs, tolerance), (ours, *own)].map(|(name, t)| ready(name, t, ball::TEN_BOUNCES));
        let steps = [pair[0]().steps, pair[1]().steps];
        let times = least_times(&mut pair);
        let equal = if (errors[0] / tenth).ln().abs() <= 2f64.ln() { "" } else { " (not equal)" };
        let _ = writeln!(
            text,
            "| {tolerance:.0e} | {tenth:.1e} | {worst:.1e} | {} | {:.0} | {own:.1e} | {:.1e} | {:.1e} | {} | {:.0} | {:.2}{equal} |",
            steps[0],
            times[0],
            errors[0],
            errors[1],
            steps[1],
            times[1],
            times[1] / times[0],
        );
    }
}

/// One run to count instructions of: `valgrind --tool=callgrind --toggle-collect='*counted*'`.
#[inline(never)]
fn counted(contestant: &mut Ready) -> Run {
    black_box(contestant())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, tolerance, seconds] = arguments.as_slice() {
        let number = |text: &str| -> f64 { text.parse().expect("a number") };
        let mut contestant = ready(name, number(tolerance), number(seconds));
        contestant();
        let run = counted(&mut contestant);
        println!("{name}: {} bounces, {} steps, {} rejected", run.bounces.len(), run.steps, run.rejected);
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");
    // After every table: a run that is ended early has what it came to.
    let write = |text: &str| std::fs::write(path, text).expect("RESULTS.md can be written");
    println!("{}\nwritten to {path}", results(write));
}

fn command(name: &str, argument: &str) -> String {
    let output = std::process::Command::new(name).arg(argument).output();
    output.map_or("?".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn machine() -> String {
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        processor.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("?", |p| p.1);
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {count} threads, {}", command("uname", "-sr"))
}

fn results(write: impl Fn(&str)) -> String {
    let mut text = String::from(
        "# Results\n\nWritten by `cargo run --release` in this folder; [README.md](README.md) says what is compared and how to read it.\n\n",
    );
    let versions = ["diffsol", "ode_solvers"].map(|name| format!("{name} {}", version(name)));
    let _ = writeln!(text, "- Date: {}", command("date", "-I"));
    let _ = writeln!(text, "- Machine: {}; load {}", machine(), load());
    let _ = writeln!(text, "- Kugelbahn {}, {}", version("kugelbahn"), command("rustc", "--version"));
    let _ = writeln!(text, "- {}", versions.join("; "));
    let exact = Exact::load();
    benchmark(&mut text, &exact, 1e-6);
    for (ours, theirs) in [
        ("bdf", "diffsol bdf"),
        ("dop853", "diffsol tsit45"),
        ("dop853", "ode_solvers dopri5"),
        ("ballistic", "ode_solvers dopri5"),
    ] {
        equal_errors(&mut text, &exact, &format!("kugelbahn {ours}"), theirs);
        write(&text);
    }
    text
}
