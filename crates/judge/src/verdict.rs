//! Verdicts: answers compared with exact values.

use crate::answers_file::{Answer, AnswerSheet, Heard};
use crate::suite::{EventSeries, ExactNumber, Judged, Suite, Task};

/// Depth in parts of R that is no sinking: twice that of steps of 1 ms at an impact of a 0.1 m ball at 5 m/s.
const SUNK: f64 = 0.1;

/// Largest error of several numbers, and their counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// Number of values asked for.
    pub asked: usize,
    /// Number of values given, NaN included.
    pub given: usize,
    /// Number of values given as NaN.
    pub undefined: usize,
    /// Number of values marked as not applicable.
    pub not_applicable: usize,
    /// Largest error of the others, SI units (relative for [`Judged::Number`] and [`Judged::Most`]).
    pub error: f64,
    /// Largest ratio of an error to 1 + its condition.
    pub conditioned: f64,
}

/// Verdict on events of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct EventVerdict {
    /// Name, such as `impact`.
    pub quantity: String,
    /// The answers.
    pub heard: Heard,
    /// Number of exact events without answer, if any events were answered.
    pub missed: u64,
    /// Largest error of a paired time, s.
    pub error: f64,
    /// Largest ratio of such an error to 1 + its condition, s.
    pub conditioned: f64,
}

/// Verdict on the states after bounces have accumulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterZeno {
    /// Within a thousandth of the motion so far.
    Right,
    /// Below the ground by more than all of the motion so far.
    Falls,
    /// Below the ground by more than a thousandth of the motion.
    Sinks,
    /// States before are given, but none after: the run did not get through.
    Sticks,
    /// Elsewhere.
    Off,
    /// NaN.
    Undefined,
}

impl AfterZeno {
    /// Word for it in tables.
    pub fn word(self) -> &'static str {
        match self {
            AfterZeno::Right => "right",
            AfterZeno::Falls => "falls",
            AfterZeno::Sinks => "sinks",
            AfterZeno::Sticks => "sticks",
            AfterZeno::Off => "off",
            AfterZeno::Undefined => "no number",
        }
    }
}

/// Verdict on a case with one setting.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseVerdict {
    /// Name of the task, such as `4c`.
    pub task: String,
    /// Name of the setting.
    pub setting: String,
    /// Verdicts on events.
    pub events: Vec<EventVerdict>,
    /// Places, velocities, spins, those after bounces have accumulated included.
    pub states: Worst,
    /// λ and f.
    pub forces: Worst,
    /// Other numbers.
    pub numbers: Worst,
    /// Relative growth of numbers that must not grow.
    pub grown: Worst,
    /// Deepest penetration, m.
    pub deepest: Answer,
    /// R of the case, m.
    pub radius: Option<f64>,
    /// Unexplained energy, J.
    pub unexplained: Answer,
    /// Verdict on the states after accumulating bounces; `None`: the case has none, or an answer is missing.
    pub after: Option<AfterZeno>,
    /// Whether an answer is off: a state or force by more than a thousandth of the motion, another number by more than
    /// a thousandth of itself.
    pub off: bool,
    /// Why the run failed, if it did.
    pub failure: Option<String>,
    /// Duration of the run, s.
    pub seconds: Option<f64>,
    /// Evaluations of forces.
    pub evaluations: Option<f64>,
}

impl CaseVerdict {
    /// Largest errors of states, forces, numbers and what must not grow.
    pub fn all(&self) -> [Worst; 4] {
        [self.states, self.forces, self.numbers, self.grown]
    }

    /// Whether there is any answer but "not applicable".
    pub fn tells(&self) -> bool {
        self.events.iter().any(|events| events.heard.given == Some(true))
            || self.all().iter().any(|worst| worst.given > 0)
            || self.deepest.number().or(self.unexplained.number()).is_some()
            || self.evaluations.or(self.seconds).is_some()
            || self.failure.is_some()
    }

    /// Number of answers, of those [asked for](Task::asked); `none` is one.
    pub(crate) fn told(&self) -> usize {
        let events = self.events.iter().filter(|events| events.heard.given == Some(true));
        let events: usize = events.map(|events| events.heard.times.len().max(1)).sum();
        let numbers: usize = self.all().iter().map(|worst| worst.given).sum();
        events + numbers + usize::from(self.deepest.number().is_some())
    }

    /// Word for a run that is wrong as a whole, or tells NaN.
    pub fn word(&self) -> Option<&'static str> {
        let no_number = |answer: &Answer| answer.number().is_some_and(|value| !value.is_finite());
        let undefined = self.events.iter().any(|events| events.heard.undefined > 0)
            || self.all().iter().any(|worst| worst.undefined > 0)
            || [self.deepest, self.unexplained].iter().any(no_number);
        match (self.after, self.deepest, self.radius) {
            _ if self.failure.is_some() => Some("fails"),
            (Some(after), ..) if !matches!(after, AfterZeno::Right | AfterZeno::Off) => Some(after.word()),
            (_, Answer::Given(depth), Some(radius)) if depth > SUNK * radius => Some(AfterZeno::Sinks.word()),
            _ => undefined.then_some(AfterZeno::Undefined.word()),
        }
    }

    /// Whether the run failed, or any answer is NaN, or belongs to another event or motion.
    pub fn is_wrong(&self) -> bool {
        let strange = self.events.iter().any(|events| events.missed + events.heard.invented > 0);
        self.off || strange || self.word().is_some()
    }
}

impl Worst {
    fn of(numbers: impl Iterator<Item = (Answer, f64, f64)>) -> Self {
        let mut worst = Worst::default();
        for (answer, error, condition) in numbers {
            worst.asked += 1;
            match answer {
                Answer::Missing => {}
                Answer::NotApplicable => worst.not_applicable += 1,
                Answer::Given(value) => {
                    worst.given += 1;
                    if value.is_finite() {
                        worst.error = worst.error.max(error);
                        worst.conditioned = worst.conditioned.max(error / (1.0 + condition));
                    } else {
                        worst.undefined += 1;
                    }
                }
            }
        }
        worst
    }
}

/// Error of an answer.
fn error(exact: &ExactNumber, answer: Answer) -> f64 {
    let Answer::Given(value) = answer else { return 0.0 };
    let off = value - exact.value;
    match exact.kind {
        Judged::Number => off.abs() / exact.size,
        Judged::Most => off.max(0.0) / exact.size,
        _ => off.abs(),
    }
}

/// Judges all sheets, in their order.
pub fn judge(suite: &Suite, sheets: &[AnswerSheet]) -> Vec<CaseVerdict> {
    sheets.iter().filter_map(|sheet| Some(one(suite.tasks.get(sheet.task)?, sheet))).collect()
}

fn one(task: &Task, sheet: &AnswerSheet) -> CaseVerdict {
    let worst = |kinds: &[Judged]| {
        let of = task.exact.iter().zip(&sheet.values).filter(|(exact, _)| kinds.contains(&exact.kind));
        Worst::of(of.map(|(exact, answer)| (*answer, error(exact, *answer), exact.condition)))
    };
    let least = |name: &str| {
        let mut least = task.exact.iter().zip(&sheet.values).filter(|(exact, _)| exact.kind == Judged::Least);
        least.find(|(exact, _)| exact.quantity == name).map_or(Answer::Missing, |(_, answer)| *answer)
    };
    CaseVerdict {
        task: task.name.clone(),
        setting: sheet.setting.clone(),
        events: task.series.iter().zip(&sheet.series).map(|(series, heard)| events(series, heard)).collect(),
        states: worst(&[Judged::State, Judged::After]),
        forces: worst(&[Judged::Force]),
        numbers: worst(&[Judged::Number]),
        grown: worst(&[Judged::Most]),
        deepest: least("deepest"),
        radius: task.radius,
        unexplained: least("unexplained"),
        after: after(task, sheet),
        off: task.exact.iter().zip(&sheet.values).any(|(exact, answer)| error(exact, *answer) > allowed(task, exact)),
        failure: sheet.failure.clone(),
        seconds: sheet.seconds,
        evaluations: sheet.evaluations,
    }
}

fn events(series: &EventSeries, heard: &Heard) -> EventVerdict {
    let untold = heard.times.iter().filter(|time| time.is_none()).count() as u64;
    let missed = if heard.given == Some(true) { untold } else { 0 };
    let mut verdict =
        EventVerdict { quantity: series.quantity.clone(), heard: heard.clone(), missed, error: 0.0, conditioned: 0.0 };
    for ((time, exact), condition) in heard.times.iter().zip(&series.times).zip(&series.conditions) {
        let error = time.map_or(0.0, |time| (time - exact).abs());
        verdict.error = verdict.error.max(error);
        verdict.conditioned = verdict.conditioned.max(error / (1.0 + condition));
    }
    verdict
}

/// A thousandth of the size that places, velocities, spins or forces have in a case: the largest exact value of that
/// unit. Velocities count at least the largest place over the shortest time between two questions, since the states
/// asked for may all be at the top of a flight.
fn thousandth(task: &Task, exact: &ExactNumber) -> f64 {
    let unit = |exact: &ExactNumber| match exact.quantity.as_bytes().first() {
        Some(b'x' | b'y') => b'x',
        first => first.copied().unwrap_or_default(),
    };
    let largest = |wanted: u8| {
        let alike = task.exact.iter().filter(|other| unit(other) == wanted);
        alike.map(|other| other.value.abs()).fold(0.0, f64::max)
    };
    let times: Vec<f64> = task.times.values().copied().collect();
    let shortest = times.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(f64::INFINITY, f64::min);
    let passing = if unit(exact) == b'v' { largest(b'x') / shortest } else { 0.0 };
    1e-3 * largest(unit(exact)).max(passing)
}

/// Largest error of an answer that is not off.
fn allowed(task: &Task, exact: &ExactNumber) -> f64 {
    match exact.kind {
        Judged::State | Judged::After | Judged::Force => thousandth(task, exact),
        Judged::Number | Judged::Most => 1e-3,
        Judged::Least => f64::INFINITY,
    }
}

/// Judges the states after accumulating bounces, to a thousandth of the motion.
fn after(task: &Task, sheet: &AnswerSheet) -> Option<AfterZeno> {
    let rows: Vec<(&ExactNumber, Answer)> = task.exact.iter().zip(sheet.values.iter().copied()).collect();
    let ends: Vec<_> = rows.iter().filter(|(exact, _)| exact.kind == Judged::After).collect();
    let given = |answer: &Answer| answer.number().is_some();
    if !ends.iter().any(|(_, answer)| given(answer)) {
        let absent = !ends.is_empty() && ends.iter().all(|(_, answer)| *answer == Answer::Missing);
        let before = rows.iter().any(|(exact, answer)| exact.kind == Judged::State && given(answer));
        return (absent && before).then_some(AfterZeno::Sticks);
    }
    let mut verdict = AfterZeno::Right;
    for (exact, answer) in &ends {
        let Answer::Given(value) = *answer else { continue };
        if !value.is_finite() {
            return Some(AfterZeno::Undefined);
        }
        let allowed = thousandth(task, exact);
        let below = if exact.quantity == "y" { exact.value - value } else { 0.0 };
        verdict = match verdict {
            _ if below > 1e3 * allowed => return Some(AfterZeno::Falls),
            _ if below > allowed => AfterZeno::Sinks,
            AfterZeno::Right if (value - exact.value).abs() > allowed => AfterZeno::Off,
            so_far => so_far,
        };
    }
    // What is right in part may be wrong in the rest.
    (verdict != AfterZeno::Right || ends.iter().all(|(_, answer)| given(answer))).then_some(verdict)
}
