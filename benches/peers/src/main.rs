//! The benchmark deck's hard sphere by Kugelbahn, diffsol and ode_solvers, in turn. See README.md.

mod ball;
mod diffsol_runs;
mod kugelbahn_runs;
mod ode_solvers_runs;

use std::hint::black_box;
use std::time::Instant;

use ball::{Exact, Run};

/// A run made ready: what a user does once is done.
type Ready = Box<dyn FnMut() -> Run>;

/// Runs of each contestant, in turn with the others.
const ROUNDS: usize = 200;

const ALL: [&str; 8] = [
    "kugelbahn newmark",
    "kugelbahn bdf",
    "kugelbahn radau",
    "kugelbahn dop853",
    "diffsol bdf",
    "diffsol esdirk34",
    "diffsol tsit45",
    "ode_solvers dopri5",
];

fn ready(name: &str, tolerance: f64, seconds: f64) -> Ready {
    match name.split_once(' ') {
        Some(("kugelbahn", method)) => kugelbahn_runs::ready(method, tolerance, seconds),
        Some(("diffsol", "bdf")) => diffsol_runs::bdf(tolerance, seconds),
        Some(("diffsol", "esdirk34")) => diffsol_runs::esdirk34(tolerance, seconds),
        Some(("diffsol", "tsit45")) => diffsol_runs::tsit45(tolerance, seconds),
        Some(("ode_solvers", "dopri5")) => ode_solvers_runs::dopri5(tolerance, seconds),
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
fn deck(exact: &Exact, tolerance: f64) {
    println!("\nTolerance {tolerance:e}, load {}, least of {ROUNDS} runs in turn\n", load());
    println!(
        "| run | ten bounces [µs] | 10th bounce [s] | worst of ten [s] | steps, rejected | 20 s [µs] | x, vx at 20 s | after 14.698 s |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
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
        println!(
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
fn equal_errors(exact: &Exact, ours: &str, theirs: &str) {
    let of = |name: &str, tolerance: f64| exact.errors(name, &ready(name, tolerance, ball::TEN_BOUNCES)());
    let grid: Vec<(f64, [f64; 2])> =
        (30..=120).map(|i| 10f64.powf(-0.1 * f64::from(i))).map(|tolerance| (tolerance, of(ours, tolerance))).collect();
    println!("\n`{ours}` and `{theirs}` at equal errors of the tenth bounce, load {}\n", load());
    println!(
        "| {theirs} | 10th [s] | worst of ten [s] | steps | [µs] | {ours} | 10th [s] | worst of ten [s] | steps | [µs] | ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for tolerance in [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10] {
        let [tenth, worst] = of(theirs, tolerance);
        let miss = |errors: &[f64; 2]| (errors[0] / tenth).ln().abs().max((errors[1] / worst).ln().abs());
        let (own, errors) = grid.iter().min_by(|a, b| miss(&a.1).total_cmp(&miss(&b.1))).expect("a grid");
        let mut pair = [(theirs, tolerance), (ours, *own)].map(|(name, t)| ready(name, t, ball::TEN_BOUNCES));
        let steps = [pair[0]().steps, pair[1]().steps];
        let times = least_times(&mut pair);
        let equal = if (errors[0] / tenth).ln().abs() <= 2f64.ln() { "" } else { " (not equal)" };
        println!(
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
    let exact = Exact::load();
    println!("diffsol {}, ode_solvers {}", version("diffsol"), version("ode_solvers"));
    deck(&exact, 1e-6);
    equal_errors(&exact, "kugelbahn bdf", "diffsol bdf");
    equal_errors(&exact, "kugelbahn dop853", "diffsol tsit45");
    equal_errors(&exact, "kugelbahn dop853", "ode_solvers dopri5");
}
