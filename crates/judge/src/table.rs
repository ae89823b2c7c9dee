//! Verdicts as a table, and the floor that cost is told against.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use scenario::input::printable;

use crate::sheet::{Answer, Heard};
use crate::suite::Suite;
use crate::verdict::{AfterZeno, EventVerdict, Verdict, Worst};

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

const HEADER: [&str; 12] = [
    "case",
    "setting",
    "missed",
    "invented",
    "time",
    "state",
    "force",
    "deepest",
    "energy",
    "after Zeno",
    "evaluations",
    "floors",
];

/// One row a verdict, cases without answers named below; `floor` (s) from [`floor`].
pub fn table(suite: &Suite, verdicts: &[Verdict], floor: Option<f64>) -> String {
    let mut rows = vec![HEADER.map(str::to_owned)];
    rows.extend(verdicts.iter().map(|verdict| row(verdict, floor)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 12] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    for verdict in verdicts {
        remarks(verdict, &mut text);
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

fn row(verdict: &Verdict, floor: Option<f64>) -> [String; 12] {
    let told: Vec<&EventVerdict> = verdict.events.iter().filter(|events| events.heard.given == Some(true)).collect();
    let sum = |tell: fn(&EventVerdict) -> u64| match told.is_empty() {
        false => told.iter().map(|events| tell(events)).sum::<u64>().to_string(),
        true if verdict.events.iter().any(|events| events.heard.given.is_some()) => "n/a".to_owned(),
        true => "-".to_owned(),
    };
    let paired = told.iter().any(|events| events.heard.times.iter().any(Option::is_some));
    let time = told.iter().map(|events| events.error).fold(0.0, f64::max);
    let hops = verdict.asked_events.max(1) as f64;
    let cost = verdict.seconds.zip(floor).map_or("-".to_owned(), |(seconds, floor)| number(seconds / (floor * hops)));
    // Numbers of their own stand where states do: no case has both.
    let state = if verdict.states.asked > 0 {
        worst(&verdict.states)
    } else {
        worst(if verdict.numbers.asked > 0 { &verdict.numbers } else { &verdict.grown })
    };
    let after = verdict.after.map_or("-", |after| match after {
        AfterZeno::Right => "right",
        AfterZeno::Falls => "falls",
        AfterZeno::Sticks => "sticks",
        AfterZeno::Off => "off",
        AfterZeno::Undefined => "no number",
    });
    [
        verdict.task.clone(),
        printable(&verdict.setting.chars().take(24).collect::<String>()).into_owned(),
        sum(|events| events.missed),
        sum(|events| events.heard.invented),
        if paired { number(time) } else { "-".to_owned() },
        state,
        worst(&verdict.forces),
        answer(verdict.deepest, verdict.radius.unwrap_or(1.0), if verdict.radius.is_some() { "" } else { " m" }),
        answer(verdict.unexplained, 1.0, ""),
        after.to_owned(),
        verdict.evaluations.map_or("-".to_owned(), |evaluations| evaluations.to_string()),
        cost,
    ]
}

/// Tells counts for which the columns have no room.
fn remarks(verdict: &Verdict, text: &mut String) {
    let mut say = |what: String| {
        let _ = writeln!(text, "case {}, {:?}: {what}", verdict.task, verdict.setting);
    };
    for events in &verdict.events {
        let EventVerdict { quantity, missed, heard, .. } = events;
        let Heard { times, invented, doubled, undefined, given } = heard;
        if *missed > 0 || *invented > 0 {
            let exact = times.len();
            say(format!("{quantity}: {missed} of {exact} missed, {invented} invented, of which {doubled} told twice"));
        }
        if *undefined > 0 {
            say(format!("{quantity}: the time of {undefined} is no number"));
        }
        if given.is_none() {
            say(format!("{quantity}: not told (write none if there is none)"));
        }
    }
    let all = [
        ("state", &verdict.states),
        ("force", &verdict.forces),
        ("number", &verdict.numbers),
        ("energy", &verdict.grown),
    ];
    for (name, Worst { asked, given, undefined, not_applicable, .. }) in all {
        if *undefined > 0 {
            say(format!("{name}: {undefined} of {given} are no number"));
        }
        if given + not_applicable < *asked && given + not_applicable > 0 {
            say(format!("{name}: {} of {asked} not answered", asked - given - not_applicable));
        }
    }
    if verdict.grown.error > 0.0 {
        say(format!("energy has grown by {:.1e} of its start", verdict.grown.error));
    }
    for (name, value) in [("deepest", verdict.deepest), ("unexplained", verdict.unexplained)] {
        if matches!(value, Answer::Given(value) if !value.is_finite()) {
            say(format!("{name} is no number"));
        }
    }
}
