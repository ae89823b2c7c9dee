//! A task by all contestants in turn: errors, times, and the ratio to Kugelbahn at equal or better accuracy.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use crate::Ready;
use crate::tasks::Task;

/// One run as it was seen.
pub struct Outcome {
    /// Of the solve alone.
    pub seconds: f64,
    /// How it ended; `**` marks what went wrong.
    pub words: String,
    /// At 1, 2, … s, m.
    pub places: Vec<[f64; 2]>,
}

pub type Solve = Box<dyn FnMut() -> Outcome>;

/// Times a run of this process.
pub fn timed(mut ready: Ready) -> Solve {
    Box::new(move || {
        let start = Instant::now();
        let run = black_box(ready());
        Outcome { seconds: start.elapsed().as_secs_f64(), words: run.words(), places: run.places }
    })
}

pub struct Contestant {
    pub name: String,
    pub setting: String,
    pub solve: Solve,
}

struct Row {
    name: String,
    setting: String,
    /// Largest error of place, m.
    error: Option<f64>,
    words: String,
    /// s, sorted.
    times: Vec<f64>,
}

impl Row {
    fn ours(&self) -> bool {
        self.name.starts_with("kugelbahn")
    }
    fn least(&self) -> f64 {
        self.times.first().copied().unwrap_or(f64::NAN)
    }
    fn median(&self) -> f64 {
        self.times.get(self.times.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// s that one contestant's runs may take in all; runs in turn.
const BUDGET: f64 = 0.4;
const ROUNDS: usize = 60;
/// A run as long as this is made once, s.
const LONG: f64 = 1.0;
/// Deeper below the ground than any penalty or step explains, m.
const THROUGH: f64 = 0.1;
/// A motion further off than this is another motion; m.
const LOST: f64 = 0.5;

fn seen(task: &Task, outcome: &Outcome, error: Option<f64>) -> String {
    let deepest = |k: usize| task.depth(&outcome.places[k]) > THROUGH;
    if let Some(k) = (0..outcome.places.len()).find(|k| deepest(*k)) {
        let place = outcome.places[k];
        return format!("**falls through**: x = {:.2} m, y = {:.2} m at {} s", place[0], place[1], k + 1);
    }
    if outcome.words.contains("**") {
        return outcome.words.clone();
    }
    match error {
        None => "**no places**".to_owned(),
        Some(error) if !(error < LOST) => {
            let off = |k: &usize| task.error_at(&outcome.places, *k) > 0.1;
            let second = (0..task.exact.len()).find(off).map_or(0, |k| k + 1);
            format!("**wrong**: more than 0.1 m off from {second} s on")
        }
        Some(_) => "right".to_owned(),
    }
}

fn measure(task: &Task, mut contestants: Vec<Contestant>) -> Vec<Row> {
    let first = |contestant: &mut Contestant| {
        let outcome = (contestant.solve)();
        let error = task.error(&outcome.places);
        let (name, setting) = (contestant.name.clone(), contestant.setting.clone());
        Row { name, setting, error, words: seen(task, &outcome, error), times: vec![outcome.seconds] }
    };
    let mut rows: Vec<Row> = contestants.iter_mut().map(first).collect();
    let rounds: Vec<usize> = rows
        .iter()
        .map(|row| match row.times[0] {
            long if long > LONG => 0,
            first => ((BUDGET / first) as usize).clamp(4, ROUNDS),
        })
        .collect();
    for round in 0..ROUNDS {
        for (i, contestant) in contestants.iter_mut().enumerate() {
            if round < rounds[i] && !rows[i].words.contains("**") {
                rows[i].times.push((contestant.solve)().seconds);
            }
        }
    }
    rows.iter_mut().for_each(|row| row.times.sort_by(f64::total_cmp));
    rows
}

/// A time with its unit.
fn time(seconds: f64) -> String {
    match seconds {
        s if s.is_nan() => String::new(),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Error and least time of each, in the order of errors.
pub fn errors_and_times(task: &Task, contestants: Vec<Contestant>) -> String {
    let mut rows = measure(task, contestants);
    rows.sort_by(|a, b| b.error.unwrap_or(f64::NAN).total_cmp(&a.error.unwrap_or(f64::NAN)));
    let line = |row: &Row| {
        let (error, least) = (row.error.unwrap_or(f64::NAN), time(row.least()));
        format!("{:<28} {:>8} {error:>9.1e} {least:>10} {}\n", row.name, row.setting, row.words)
    };
    rows.iter().map(line).collect()
}

/// The table of a task. Least times count: others on the machine make a run slower, never faster.
pub fn table(task: &Task, contestants: Vec<Contestant>, load: &str) -> String {
    let rows = measure(task, contestants);
    let (ours, peers): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(Row::ours);
    let right = |row: &&Row| !row.words.contains("**");
    let fastest = |limit: f64| {
        let able = ours.iter().filter(right).filter(|row| row.error.is_some_and(|error| error <= limit));
        able.min_by(|a, b| a.least().total_cmp(&b.least()))
    };
    let mut text = format!(
        "\n## {}\n\nLoad {load}.\n\n| run | setting | error [m] | least | median | Kugelbahn as accurate: error, least | ratio | seen |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
        task.title
    );
    for row in &peers {
        let error = row.error.map_or(String::new(), |error| format!("{error:.1e}"));
        let wrong = row.words.contains("**");
        let (with, ratio) = match row.error.filter(|_| !wrong).map(|error| (error, fastest(error))) {
            None => (String::new(), String::new()),
            Some((_, None)) => ("none as accurate".to_owned(), String::new()),
            Some((_, Some(best))) => (
                format!(
                    "`{}` {}: {:.1e}, {}",
                    best.name,
                    best.setting,
                    best.error.unwrap_or(f64::NAN),
                    time(best.least())
                ),
                format!("{:.2}", row.least() / best.least()),
            ),
        };
        let (least, median) =
            if wrong { (String::new(), String::new()) } else { (time(row.least()), time(row.median())) };
        let _ = writeln!(
            text,
            "| `{}` | {} | {error} | {least} | {median} | {with} | {ratio} | {} |",
            row.name, row.setting, row.words
        );
    }
    for limit in [1e-3, 1e-6, 1e-9, 1e-11] {
        if let Some(best) = fastest(limit) {
            let _ = writeln!(
                text,
                "| `{}` | {} | {:.1e} | {} | {} | quickest below {limit:e} m | | {} |",
                best.name,
                best.setting,
                best.error.unwrap_or(f64::NAN),
                time(best.least()),
                time(best.median()),
                best.words
            );
        }
    }
    let failed: Vec<String> = ours
        .iter()
        .filter(|row| !right(row))
        .map(|row| format!("`{}` {}: {}", row.name, row.setting, row.words))
        .collect();
    if !failed.is_empty() {
        let _ = writeln!(text, "\nKugelbahn's own that are not right: {}.", failed.join("; "));
    }
    text
}
