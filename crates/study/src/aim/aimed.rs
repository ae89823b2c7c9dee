//! Plan and result of a search.

use identify::{GoalError, Reading};
use scenario::Scenario;
use scenario::input::{InputError, rounded};

use super::goal::{Goal, Wish};

/// How to aim.
pub struct AimPlan<'a> {
    /// Runs allowed, those for derivatives not counted.
    pub runs: u32,
    /// Relative and absolute tolerance of flight and contact in them.
    pub tolerance: f64,
    /// Hears how many are done, and how far off the best of them is (or its value, of an extreme).
    pub progress: &'a (dyn Fn(u32, f64) + Sync),
}

/// Why there is nothing to be aimed at.
#[derive(Debug, thiserror::Error)]
pub enum AimError {
    /// Targets, free numbers or settings that can't be aimed.
    #[error(transparent)]
    Input(Box<InputError>),
    /// No run that was tried has the quantity.
    #[error(
        "none of {runs} runs has {name}{}: start where it has with --set, or run longer: --set solver.duration",
        of_start(why)
    )]
    NoValue {
        /// Runs tried.
        runs: u32,
        /// The quantity.
        name: String,
        /// Error at the start.
        why: Option<Box<GoalError<InputError>>>,
    },
    /// No free number changes it.
    #[error(
        "{name} is {} in all {runs} runs: the free numbers have no effect on it; free another number",
        list(values)
    )]
    NoEffect {
        /// Runs tried.
        runs: u32,
        /// The quantities.
        name: String,
        /// Their values.
        values: Vec<f64>,
    },
}

fn of_start(why: &Option<Box<GoalError<InputError>>>) -> String {
    why.as_ref().map_or(String::new(), |why| format!(" (at the start: {why})"))
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| shown(*value)).collect::<Vec<_>>().join(" and ")
}

impl From<InputError> for AimError {
    fn from(error: InputError) -> Self {
        AimError::Input(Box::new(error))
    }
}

/// A number found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundNumber {
    /// Key of the number.
    pub key: String,
    /// Value in the scenario.
    pub given: f64,
    /// Value from which the search began: that of the scenario, moved into its range.
    pub start: f64,
    /// Value at the end of the search.
    pub value: f64,
    /// The bound it ended at.
    pub held: Option<f64>,
    /// It has no effect on what is asked for, where the search began, and was left there.
    pub idle: bool,
}

/// Result of a search.
#[derive(Debug)]
pub struct Aimed {
    /// The free numbers.
    pub numbers: Vec<FoundNumber>,
    /// The goals.
    pub goals: Vec<Goal>,
    /// Values of the goals, with derivatives.
    pub readings: Vec<Reading>,
    /// Whether all targets are met; of an extreme, whether there is one.
    pub reached: bool,
    /// Kind of end of a search for an extreme.
    pub end: Option<ExtremeEnd>,
    /// Whether an extreme is what it is because the run ends: a longer one would go on.
    pub cut: bool,
    /// How it was found.
    pub way: Way,
    /// Runs made.
    pub runs: u32,
    /// Whether these were all that were allowed.
    pub spent: bool,
    /// Values of the extreme that were the best so far.
    pub history: Vec<f64>,
    /// The scenario there.
    pub scenario: Scenario,
    /// `KEY=VALUE` settings that make it.
    pub settings: Vec<String>,
}

impl Aimed {
    /// Whether there are more free numbers that have an effect than targets: others may do as well.
    pub fn is_one_of_many(&self) -> bool {
        self.moved() > self.goals.len() && !self.is_extreme()
    }

    /// Number of free numbers that have an effect.
    pub fn moved(&self) -> usize {
        self.numbers.iter().filter(|number| !number.idle).count()
    }

    /// The values of the free numbers.
    pub fn parameters(&self) -> Vec<f64> {
        self.numbers.iter().map(|number| number.value).collect()
    }

    /// Says why it is not what was asked for.
    pub fn shortfall(&self) -> String {
        if let Some(end) = &self.end {
            return format!("not found: {}\n", end.text(self));
        }
        let off = |(goal, reading): (&Goal, &Reading)| match goal.wish {
            Wish::Equal(asked) => {
                Some(format!("{} comes to {}, not {}", goal.name, shown(reading.value), shown(asked)))
            }
            _ => None,
        };
        let off: Vec<String> = self.goals.iter().zip(&self.readings).filter_map(off).collect();
        let cure = match self.at_bounds() {
            _ if self.cut => "; runs end before: run longer with --set solver.duration=SECONDS".to_owned(),
            _ if self.spent => "; allow more with --runs".to_owned(),
            held if held.is_empty() => "; free another number, or start nearer with --set".to_owned(),
            held => format!("; at its bound: {held}"),
        };
        format!("not reached: in {} {}{cure}\n", self.counted(), off.join(", "))
    }

    pub(super) fn counted(&self) -> String {
        if self.runs == 1 { "1 run".to_owned() } else { format!("{} runs", self.runs) }
    }

    /// Numbers that ended at their bounds.
    pub(super) fn at_bounds(&self) -> String {
        let held = self.numbers.iter().filter_map(|n| n.held.map(|bound| format!("{} = {}", n.key, shown(bound))));
        held.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn is_extreme(&self) -> bool {
        self.goals.iter().any(|goal| !matches!(goal.wish, Wish::Equal(_)))
    }
}

/// Targets are met when they are off by less than this part of their size, or of 1.
pub const MET: f64 = 1e-9;

/// How it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Gauss and Newton's steps from the start.
    Newton,
    /// Gauss and Newton's steps from another start.
    OtherStart,
    /// L-BFGS.
    Descent,
    /// Nelder and Mead's simplex.
    Simplex,
}

impl Way {
    /// Name in files, and words of reports.
    pub(super) fn words(self) -> [&'static str; 2] {
        match self {
            Way::Newton => ["newton", "by Gauss-Newton steps from the start"],
            Way::OtherStart => ["other-start", "by Gauss-Newton steps from another start"],
            Way::Descent => ["l-bfgs", "by L-BFGS from the start"],
            Way::Simplex => ["simplex", "by Nelder and Mead's simplex"],
        }
    }

    /// Name in files.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }
}

/// End of a search for an extreme.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtremeEnd {
    /// Nothing beside it is better.
    Level,
    /// At the bound of a range; or of where runs have the quantity.
    Bound(Option<Edge>),
    /// There is no extreme, or the search did not come to it: why.
    Unsettled(String),
}

/// Edge of where runs have a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Why the next run has none.
    pub why: String,
    /// It has, if it goes on for longer.
    pub later: bool,
}

impl ExtremeEnd {
    /// Name of the end in files.
    pub fn name(&self) -> &'static str {
        match self {
            ExtremeEnd::Level => "level",
            ExtremeEnd::Bound(_) => "bound",
            ExtremeEnd::Unsettled(_) => "unsettled",
        }
    }

    /// Whether there is an extreme.
    pub(super) fn is_one(&self) -> bool {
        !matches!(self, ExtremeEnd::Unsettled(_))
    }

    /// In words, of what was found.
    pub(super) fn text(&self, aimed: &Aimed) -> String {
        let text = match self {
            ExtremeEnd::Level => "level: nothing beside it is better".to_owned(),
            ExtremeEnd::Bound(None) => format!("at the bound of its range: {}", aimed.at_bounds()),
            ExtremeEnd::Bound(Some(beyond)) => format!("at a bound: beyond it {}", beyond.why),
            ExtremeEnd::Unsettled(why) => format!("not settled: {why}"),
        };
        let time = aimed.readings.first().map_or(f64::NAN, |reading| reading.time);
        let longer = "run longer with --set solver.duration=SECONDS";
        if aimed.cut {
            format!("{text}\ncut off by the end of the run at t = {} s: {longer}", shown(time))
        } else {
            text
        }
    }
}

/// Ten digits, no more than needed.
pub(super) fn shown(value: f64) -> String {
    digits(value, 10)
}

pub(super) fn digits(value: f64, count: usize) -> String {
    let rounded = rounded(value, count);
    if rounded == 0.0 || (1e-4..1e9).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}
