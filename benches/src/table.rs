//! The table that all bench programs end with: a run and its floor in turn, least times, and the ratio of both.
//!
//! With `RECORD=1` in the environment a program also appends its rows to `history.csv` and writes them into `README.md`.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a bench prints what it measured, and stops on an error")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Rounds of a row at most, and the seconds after which no more are begun.
const ROUNDS: usize = 200;
const SECONDS: f64 = 2.0;

/// Least times of a thing that was measured.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name of the bench, with its unit: "flat bounce".
    pub name: String,
    /// Time of a unit, ns.
    pub time: f64,
    /// Time of a unit of the floor, ns.
    pub floor: Option<f64>,
    /// Ratio or time that is wanted, as text; empty where nothing was asked.
    pub wanted: &'static str,
}

/// Rows of one bench program.
#[derive(Debug)]
pub struct Table {
    program: &'static str,
    rows: Vec<Row>,
}

impl Table {
    /// An empty table of a program, which is named as its file.
    #[must_use]
    pub fn of(program: &'static str) -> Table {
        Table { program, rows: Vec::new() }
    }

    /// Times `units` of a run and of its floor in turn, so that a neighbour on the machine slows both.
    pub fn pair(
        &mut self,
        name: &str,
        wanted: &'static str,
        units: u64,
        mut run: impl FnMut(),
        mut floor: impl FnMut(),
    ) {
        let [time, floor] = least(units, [&mut run, &mut floor]);
        self.push(Row { name: name.to_owned(), time, floor: Some(floor), wanted });
    }

    /// Times `units` of a run that has no floor.
    pub fn alone(&mut self, name: &str, wanted: &'static str, units: u64, mut run: impl FnMut()) {
        let [time] = least(units, [&mut run]);
        self.push(Row { name: name.to_owned(), time, floor: None, wanted });
    }

    /// Adds a row that was measured elsewhere, and prints it.
    pub fn push(&mut self, row: Row) {
        if self.rows.is_empty() {
            println!("\n{HEADING}");
        }
        println!("{}", row.line());
        self.rows.push(row);
    }

    /// Keeps the rows in `history.csv` and `README.md` where `RECORD` is set.
    pub fn record(self) {
        if std::env::var_os("RECORD").is_none() {
            return;
        }
        let mark = format!("{},{}", said("git", &["log", "-1", "--format=%cs,%h"]), machine());
        let mut text = String::new();
        for Row { name, time, floor, .. } in &self.rows {
            let floor = floor.map(|floor| format!("{floor:.1}")).unwrap_or_default();
            writeln!(text, "{mark},{},\"{name}\",{time:.1},{floor}", self.program).expect("a string");
        }
        let mut file = fs::OpenOptions::new().append(true).open(folder().join("history.csv")).expect("history.csv");
        file.write_all(text.as_bytes()).expect("history.csv");
        self.put_into(&folder().join("README.md"));
    }

    /// Puts the rows between the marks of this program.
    fn put_into(&self, file: &Path) {
        let text = fs::read_to_string(file).expect("README.md");
        let (open, close) = (format!("<!-- {} -->\n", self.program), format!("<!-- end of {} -->", self.program));
        let start = text.find(&open).expect("a mark in README.md") + open.len();
        let end = text.find(&close).expect("a second mark in README.md");
        let rows: String = self.rows.iter().map(|row| row.line() + "\n").collect();
        fs::write(file, format!("{}\n{HEADING}\n{rows}\n{}", &text[..start], &text[end..])).expect("README.md");
    }
}

const HEADING: &str = "| bench | time | floor | ratio | wanted |\n| --- | --- | --- | --- | --- |";

impl Row {
    fn line(&self) -> String {
        let Row { name, time, floor, wanted } = self;
        let floor = floor.map_or(" |".to_owned(), |floor| format!("{} | {:.2}", told(floor), time / floor));
        format!("| {name} | {} | {floor} | {wanted} |", told(*time))
    }
}

/// A time in the unit that reads best.
fn told(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.3} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

/// Least times of a unit, ns, of runs that take turns.
fn least<const N: usize>(units: u64, mut runs: [&mut dyn FnMut(); N]) -> [f64; N] {
    let (mut least, begun) = ([f64::INFINITY; N], Instant::now());
    for round in 0..ROUNDS {
        if round >= 3 && begun.elapsed().as_secs_f64() > SECONDS {
            break;
        }
        for (run, least) in runs.iter_mut().zip(&mut least) {
            let start = Instant::now();
            run();
            *least = least.min(start.elapsed().as_secs_f64() * 1e9 / units as f64);
        }
    }
    least
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder()).output().expect("a program that runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Name of the processor, as Linux tells it.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": unknown");
    line.trim_start_matches([' ', '\t', ':']).replace(',', " ")
}
