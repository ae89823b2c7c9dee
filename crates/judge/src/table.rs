//! Verdicts as a table, and the floor that costs are compared with.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use scenario::input::printable;

use crate::answers_file::{Answer, Heard};
use crate::error_figures::JudgedEntry;
use crate::suite::{Suite, Task};
use crate::verdict::{AfterZeno, CaseVerdict, EventVerdict, Worst};

/// Seconds for one hop of a point mass over level ground in closed form, on this machine: least of nine times 100 000.
pub fn floor() -> f64 {
    const HOPS: u32 = 100_000;
    let time = || {
        let start = Instant::now();
        let (mut t, mut x, mut v) = (0.0, 0.0, black_box(5.0));
        for _ in 0..HOPS {
            let s = 2.0 * v / black_box(9.81);
            t += s;
            x += 0.3 * s;
            v *= 0.999_99;
        }
        black_box((t, x, v));
        start.elapsed().as_secs_f64() / f64::from(HOPS)
    };
    (0..9).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// Table with a row for each verdict; cases without answers are named below. `floor` (s) is from [`floor`].
pub fn table(suite: &Suite, verdicts: &[CaseVerdict], floor: Option<f64>) -> String {
    let mut rows = vec![COLUMNS.map(|(name, _)| name.to_owned())];
    let (told, untold): (Vec<&CaseVerdict>, Vec<_>) = verdicts.iter().partition(|verdict| verdict.tells());
    rows.extend(told.iter().map(|verdict| COLUMNS.map(|(_, cell)| cell(verdict, floor))));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; COLUMNS.len()] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    for verdict in verdicts {
        remarks(verdict, &mut text);
    }
    let settings: BTreeSet<&str> = untold.iter().map(|verdict| &*verdict.setting).collect();
    for setting in settings {
        let names: Vec<&str> = untold.iter().filter(|of| of.setting == setting).map(|of| &*of.task).collect();
        let _ = writeln!(text, "not applicable, {}: {}", printable(setting), names.join(" "));
    }
    let told: BTreeSet<&str> = verdicts.iter().map(|verdict| &*verdict.task).collect();
    let names = suite.tasks.iter().map(|task| &*task.name);
    let silent: Vec<&str> = names.filter(|name| !told.contains(name)).collect();
    if !silent.is_empty() {
        let _ = writeln!(text, "not answered: {}", silent.join(" "));
    }
    text + "\nmissed, invented: events; time (s), state, force (SI units): largest errors; deepest: parts of R, m for a point; energy: unexplained, J.\n\
        n/a: said to be not applicable; -: not asked, or not answered; floors: seconds over those of a hop in closed form for each event (at least one).\n"
}

/// Description of wrong answers, or else the largest error, with the number of answers if not all `asked` are told.
pub fn worst_of(verdicts: &[&CaseVerdict], asked: usize) -> String {
    if let Some(word) = verdicts.iter().find_map(|verdict| verdict.word()) {
        return word.to_owned();
    }
    let events = || verdicts.iter().flat_map(|verdict| &verdict.events);
    let count = |tell: fn(&EventVerdict) -> u64| events().map(tell).sum::<u64>();
    let (missed, invented) = (count(|events| events.missed), count(|events| events.heard.invented));
    if missed + invented > 0 {
        return format!("−{missed} +{invented}");
    }
    let times = events().filter(|events| events.heard.times.iter().any(Option::is_some));
    let numbers = verdicts.iter().flat_map(|verdict| verdict.all()).filter(|worst| worst.given > 0);
    match numbers.map(|worst| worst.error).chain(times.map(|events| events.error)).reduce(f64::max) {
        Some(error) if verdicts.iter().any(|verdict| verdict.off) => format!("off {error:.0e}"),
        Some(error) => {
            let told: usize = verdicts.iter().map(|verdict| verdict.told()).sum();
            let part = if told < asked { format!("{told}/{asked}: ") } else { String::new() };
            part + &if error == 0.0 { "0".to_owned() } else { format!("{error:.0e}") }
        }
        None if verdicts.is_empty() => String::new(),
        None if verdicts.iter().any(|verdict| verdict.tells()) => "-".to_owned(),
        None => "n/a".to_owned(),
    }
}

/// Overview in Markdown: a row for each entry and setting, a column for each case.
pub fn overview(suite: &Suite, entries: &[JudgedEntry]) -> String {
    let number = |task: &str| task.trim_end_matches(char::is_alphabetic).to_owned();
    let mut cases: Vec<String> = suite.tasks.iter().map(|task| number(&task.name)).collect();
    cases.dedup();
    let mut text = format!("| program | setting | {} |\n|{}\n", cases.join(" | "), " --- |".repeat(cases.len() + 2));
    for entry in entries {
        for setting in entry.settings() {
            let cell = |case: &String| {
                let of = |verdict: &&CaseVerdict| verdict.setting == setting && number(&verdict.task) == *case;
                let asked = suite.tasks.iter().filter(|task| number(&task.name) == *case).map(Task::asked).sum();
                worst_of(&entry.verdicts.iter().filter(of).collect::<Vec<_>>(), asked)
            };
            let cells: Vec<String> = cases.iter().map(cell).collect();
            let [name, setting] = [&*entry.name(), setting].map(|text| printable(text).replace('|', "\\|"));
            let _ = writeln!(text, "| {name} | {setting} | {} |", cells.join(" | "));
        }
    }
    text + "\nA number is the largest error of all that is told (SI units); 3/9: three of nine answers are told. −2 +1: two events missed, one invented. off: a state or force is off by \
        more than a thousandth of the motion, another number by more than a thousandth of itself. sinks: a ball is deeper than a tenth of R, or below the ground after bounces have \
        accumulated; there a program may also fall, stick before, or tell no number. fails: the run ended by an error. n/a: not applicable. -: run, and nothing told of what is asked.\n"
}

fn number(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

fn answer(answer: Answer, unit: f64, mark: &str) -> String {
    match answer {
        Answer::Missing => "-".to_owned(),
        Answer::NotApplicable => "n/a".to_owned(),
        Answer::Given(value) if !value.is_finite() => "no number".to_owned(),
        Answer::Given(value) => number(value / unit) + mark,
    }
}

fn worst(worst: &Worst) -> String {
    match worst {
        Worst { given: 0, not_applicable: 0, .. } => "-".to_owned(),
        Worst { given: 0, .. } => "n/a".to_owned(),
        Worst { undefined: 0, error, .. } => number(*error),
        _ => "no number".to_owned(),
    }
}

/// Sum over the kinds of events that were answered.
fn sum(verdict: &CaseVerdict, tell: fn(&EventVerdict) -> u64) -> String {
    let told = || verdict.events.iter().filter(|events| events.heard.given == Some(true));
    match told().next() {
        Some(_) => told().map(tell).sum::<u64>().to_string(),
        None if verdict.events.iter().any(|events| events.heard.given.is_some()) => "n/a".to_owned(),
        None => "-".to_owned(),
    }
}

/// Largest error of paired times.
fn time(verdict: &CaseVerdict) -> String {
    let told = || verdict.events.iter().filter(|events| events.heard.given == Some(true));
    match told().any(|events| events.heard.times.iter().any(Option::is_some)) {
        true => number(told().map(|events| events.error).fold(0.0, f64::max)),
        false => "-".to_owned(),
    }
}

/// Makes the text of a cell from a verdict, and for costs from the floor (s).
type VerdictCell = fn(&CaseVerdict, Option<f64>) -> String;

const COLUMNS: [(&str, VerdictCell); 12] = [
    ("case", |verdict, _| verdict.task.clone()),
    ("setting", |verdict, _| printable(&verdict.setting.chars().take(40).collect::<String>()).into_owned()),
    ("missed", |verdict, _| sum(verdict, |events| events.missed)),
    ("invented", |verdict, _| sum(verdict, |events| events.heard.invented)),
    ("time", |verdict, _| time(verdict)),
    // Other numbers share the column of states: no case has both.
    ("state", |CaseVerdict { states, numbers, grown, .. }, _| {
        worst([states, numbers].into_iter().find(|worst| worst.asked > 0).unwrap_or(grown))
    }),
    ("force", |verdict, _| worst(&verdict.forces)),
    ("deepest", |verdict, _| {
        let (radius, unit) = verdict.radius.map_or((1.0, " m"), |radius| (radius, ""));
        answer(verdict.deepest, radius, unit)
    }),
    ("energy", |verdict, _| answer(verdict.unexplained, 1.0, "")),
    ("after Zeno", |verdict, _| verdict.after.map_or("-", AfterZeno::word).to_owned()),
    ("evaluations", |verdict, _| {
        let whole = |evaluations: f64| format!("{evaluations:?}").trim_end_matches(".0").to_owned();
        verdict.evaluations.map_or("-".to_owned(), whole)
    }),
    ("floors", |verdict, floor| {
        let hops = verdict.events.iter().map(|events| events.heard.times.len()).sum::<usize>().max(1) as f64;
        verdict.seconds.zip(floor).map_or("-".to_owned(), |(seconds, floor)| number(seconds / (floor * hops)))
    }),
];

/// Appends counts that have no column.
fn remarks(verdict: &CaseVerdict, text: &mut String) {
    let mut say = |what: String| {
        let _ = writeln!(text, "case {}, {:?}: {what}", verdict.task, verdict.setting);
    };
    for events in &verdict.events {
        let EventVerdict { quantity, missed, heard, .. } = events;
        let Heard { times, invented, doubled, undefined, given, late, .. } = heard;
        if *missed > 0 || *invented > 0 {
            let exact = times.len();
            let later = if *late > 0 { format!("; {late} later than is asked") } else { String::new() };
            say(format!(
                "{quantity}: {missed} of {exact} missed, {invented} invented, of which {doubled} told twice{later}"
            ));
        }
        if *undefined > 0 {
            say(format!("{quantity}: the time of {undefined} is no number"));
        }
        if given.is_none() {
            say(format!("{quantity}: not told (write none if there is none)"));
        }
    }
    for (name, worst) in ["state", "force", "number", "energy"].into_iter().zip(verdict.all()) {
        let Worst { asked, given, undefined, not_applicable, .. } = worst;
        if undefined > 0 {
            say(format!("{name}: {undefined} of {given} are no number"));
        }
        if given + not_applicable < asked && given + not_applicable > 0 {
            say(format!("{name}: {} of {asked} not answered", asked - given - not_applicable));
        }
    }
    if let Some(reason) = &verdict.failure {
        say(format!("fails: {}", printable(reason)));
    }
    if verdict.grown.error > 0.0 {
        say(format!("energy has grown by {:.1e} of its start", verdict.grown.error));
    }
    for (name, value) in [("deepest", verdict.deepest), ("unexplained", verdict.unexplained)] {
        if value.number().is_some_and(|value| !value.is_finite()) {
            say(format!("{name} is no number"));
        }
    }
}
