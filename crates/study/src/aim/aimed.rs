//! Plan ([`AimPlan`]), result ([`Aimed`]) and errors ([`AimError`]) of a search by `kugelbahn aim`.

use identify::{GoalError, Reading};
use scenario::Scenario;
use scenario::input::{InputError, counted, rounded};

use super::goal::{Goal, Wish};

/// Limits and accuracy of a search.
pub struct AimPlan<'a> {
    /// Maximum number of runs; runs for derivatives are not counted.
    pub runs: u32,
    /// Relative and absolute tolerance of these runs, in flight and in contact.
    pub tolerance: f64,
    /// Called with the number of runs done and the error of the best one (in a search for an extreme: its value).
    pub progress: &'a (dyn Fn(u32, f64) + Sync),
}

/// Reason why the search failed.
#[derive(Debug, thiserror::Error)]
pub enum AimError {
    /// Invalid targets, free numbers or settings.
    #[error(transparent)]
    Input(#[from] InputError),
    /// No run tried has the quantity.
    #[error(
        "none of {runs} runs has {name}{}: start where it has with --set, or run longer: --set solver.duration",
        of_start(why)
    )]
    NoValue {
        /// Number of runs tried.
        runs: u32,
        /// The quantity.
        name: String,
        /// Error of the run at the start.
        why: Option<Box<GoalError<InputError>>>,
    },
    /// No free number changes the quantities.
    #[error(
        "{name} is {} in all {runs} runs: the free numbers have no effect on it; free another number",
        list(values)
    )]
    NoEffect {
        /// Number of runs tried.
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

/// A free number after the search.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundNumber {
    /// Its key in the scenario.
    pub key: String,
    /// Value in the scenario.
    pub given: f64,
    /// Value at the start of the search: the scenario's, moved into the range of the number.
    pub start: f64,
    /// Value at the end of the search.
    pub value: f64,
    /// The bound of the range at which the number ended; `None`: it ended within the range.
    pub held: Option<f64>,
    /// Whether the number has no effect on the goals at the start, and was therefore not changed.
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
    /// Whether all targets are met or, in a search for an extreme, an extreme was found.
    pub reached: bool,
    /// End of a search for an extreme; `None`: a search for targets.
    pub end: Option<ExtremeEnd>,
    /// Whether the end of the run limits the extreme: a longer run would have a better value.
    pub cut: bool,
    /// Search that found the numbers.
    pub way: Way,
    /// Number of runs made.
    pub runs: u32,
    /// Whether all runs allowed were made.
    pub spent: bool,
    /// Best value of the extreme after each improvement.
    pub history: Vec<f64>,
    /// The scenario with the numbers found.
    pub scenario: Scenario,
    /// `KEY=VALUE` settings that change the given scenario to it.
    pub settings: Vec<String>,
}

impl Aimed {
    /// Number of free numbers with an effect on the goals.
    pub fn moved(&self) -> usize {
        self.numbers.iter().filter(|number| !number.idle).count()
    }

    /// Values of the free numbers.
    pub fn parameters(&self) -> Vec<f64> {
        self.numbers.iter().map(|number| number.value).collect()
    }

    /// Says why the goals were not reached.
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
        format!("not reached: in {} {}{cure}\n", counted(self.runs as u64, "run"), off.join(", "))
    }

    /// Lists the numbers that ended at their bounds.
    pub(super) fn at_bounds(&self) -> String {
        let held = self.numbers.iter().filter_map(|n| n.held.map(|bound| format!("{} = {}", n.key, shown(bound))));
        held.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn is_extreme(&self) -> bool {
        self.goals.iter().any(|goal| !matches!(goal.wish, Wish::Equal(_)))
    }
}

/// A target is met if its error is below this part of max(|target|, 1).
pub const MET: f64 = 1e-9;

/// Search that found the best point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Gauss–Newton steps from the given start.
    Newton,
    /// Gauss–Newton steps from another start.
    OtherStart,
    /// L-BFGS.
    Descent,
    /// Nelder–Mead simplex.
    Simplex,
}

impl Way {
    /// Name in files, and words in reports.
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
    /// No neighbouring point is better.
    Level,
    /// At the bound of a range (`None`) or at the edge of the region in which runs have the quantity.
    Bound(Option<Edge>),
    /// No extreme was found, for this reason.
    Unsettled(String),
}

/// Edge of the region in which runs have a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Reason why runs beyond the edge lack the quantity.
    pub why: String,
    /// Whether a longer run beyond the edge has the quantity.
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

    /// Describes the end of the search, with the value found.
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

/// The value to ten significant digits, without trailing zeros.
pub(super) fn shown(value: f64) -> String {
    digits(value, 10)
}

pub(super) fn digits(value: f64, count: usize) -> String {
    let rounded = rounded(value, count);
    if rounded == 0.0 || (1e-4..1e9).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}
