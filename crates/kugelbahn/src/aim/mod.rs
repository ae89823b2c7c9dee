//! From what a run is to do to the numbers of its scenario: `kugelbahn aim`.
//!
//! Places and times of events, passings and the height reached have derivatives through all events before them
//! ([`identify::sweep`]), so targets are solved by Gauss and Newton's steps (Levenberg and Marquardt) and extremes found by
//! L-BFGS. Where the order of events changes on the way, or a quantity has no derivative (the largest normal force), other
//! starts and Nelder and Mead's simplex go on.

mod effects;
mod ending;
mod extreme;
mod files;
mod goal;
mod report;
mod search;

use identify::{GoalError, Moment, Quantity, Reading};

use crate::Scenario;
use crate::input::{InputError, rounded};
use crate::unknowns::Unknowns;

pub use ending::End;
pub use files::{AIM_FILES, aim_json};
pub use goal::{Goal, Wish};
pub use report::aim_report;
pub use search::Way;

use search::Search;

/// How to aim.
pub struct Plan<'a> {
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
    /// What was given can't be aimed.
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
        /// What was said of the start.
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
pub struct Number {
    /// Its key.
    pub key: String,
    /// Its value in the scenario.
    pub given: f64,
    /// Where the search began: the same, moved into its range.
    pub start: f64,
    /// What was found.
    pub value: f64,
    /// The bound it ended at.
    pub held: Option<f64>,
    /// It has no effect on what is asked for, where the search began, and was left there.
    pub idle: bool,
}

/// What was found.
#[derive(Debug)]
pub struct Aimed {
    /// The free numbers.
    pub numbers: Vec<Number>,
    /// The goals.
    pub goals: Vec<Goal>,
    /// What they are there.
    pub readings: Vec<Reading>,
    /// Whether all targets are met; of an extreme, whether there is one.
    pub reached: bool,
    /// What makes it an extreme.
    pub end: Option<End>,
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

    /// How many numbers have an effect.
    pub fn moved(&self) -> usize {
        self.numbers.iter().filter(|number| !number.idle).count()
    }

    /// The values of the free numbers.
    pub fn parameters(&self) -> Vec<f64> {
        self.numbers.iter().map(|number| number.value).collect()
    }

    /// Why it is not what was asked for.
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
            _ if self.spent => "; allow more with --runs".to_owned(),
            held if held.is_empty() => "; free another number, or start nearer with --set".to_owned(),
            held => format!("; at its bound: {held}"),
        };
        format!("not reached: in {} {}{cure}\n", self.counted(), off.join(", "))
    }

    fn counted(&self) -> String {
        if self.runs == 1 { "1 run".to_owned() } else { format!("{} runs", self.runs) }
    }

    /// Numbers that ended at their bounds.
    fn at_bounds(&self) -> String {
        let held = self.numbers.iter().filter_map(|n| n.held.map(|bound| format!("{} = {}", n.key, shown(bound))));
        held.collect::<Vec<_>>().join(", ")
    }

    fn is_extreme(&self) -> bool {
        self.goals.iter().any(|goal| !matches!(goal.wish, Wish::Equal(_)))
    }
}

/// Targets are met when they are off by less than this part of their size, or of 1.
pub const MET: f64 = 1e-9;

/// Finds the free numbers with which the run meets all targets, or makes one quantity extreme.
pub fn aim(unknowns: &Unknowns, goals: &[Goal], plan: &Plan) -> Result<Aimed, AimError> {
    check(goals)?;
    within(goals, unknowns.written().options().duration)?;
    let mut search = Search::new(unknowns, goals, plan);
    let found =
        if goals.iter().all(|goal| matches!(goal.wish, Wish::Equal(_))) { search.hit()? } else { search.extreme()? };
    let starts = unknowns.start();
    let bounds = unknowns.bounds();
    let number = |(j, value): (usize, &f64)| {
        let at = |bound: &f64| bound.is_finite() && (value - bound).abs() <= 1e-9 * bound.abs().max(1e-3);
        let held = [bounds[j].lower, bounds[j].upper].into_iter().find(at);
        let crate::unknowns::Unknown { key, given, .. } = &unknowns.list()[j];
        Number { key: key.clone(), given: *given, start: starts[j], value: *value, held, idle: found.idle.contains(&j) }
    };
    Ok(Aimed {
        numbers: found.parameters.iter().enumerate().map(number).collect(),
        goals: goals.to_vec(),
        readings: found.readings,
        reached: found.reached,
        end: found.end,
        cut: found.cut,
        way: found.way,
        runs: search.runs(),
        spent: search.spent(),
        history: found.history,
        scenario: unknowns.scenario(&found.parameters)?,
        settings: unknowns.settings(&found.parameters),
    })
}

/// Ten digits, no more than needed.
fn shown(value: f64) -> String {
    digits(value, 10)
}

fn digits(value: f64, count: usize) -> String {
    let rounded = rounded(value, count);
    if rounded == 0.0 || (1e-4..1e9).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// Refuses times after the end of the run.
fn within(goals: &[Goal], duration: f64) -> Result<(), InputError> {
    let late = |goal: &&Goal| match goal.quantity {
        Quantity::At { moment: Moment::Time(time), .. } => time > duration,
        _ => false,
    };
    goals.iter().find(late).map_or(Ok(()), |goal| {
        let message = format!("`{}` is after the end of the run: solver.duration = {duration} s", goal.name);
        Err(InputError::without_place(message).with_help("run longer: --set solver.duration=SECONDS"))
    })
}

/// Refuses goals that can't be aimed at together.
pub fn check(goals: &[Goal]) -> Result<(), InputError> {
    for (i, goal) in goals.iter().enumerate() {
        if goals[..i].iter().any(|other| other.quantity == goal.quantity) {
            let message = format!("`{}` is asked for twice", goal.name);
            return Err(InputError::without_place(message).with_help("give each quantity one value"));
        }
    }
    let extremes = goals.iter().filter(|goal| !matches!(goal.wish, Wish::Equal(_))).count();
    let (message, help) = match (goals.len(), extremes) {
        (0, _) => ("nothing to aim at", "give --target 'landing.x = 3.0', --minimise QUANTITY or --maximise QUANTITY"),
        (_, 0) | (1, 1) => return Ok(()),
        (_, 2..) => ("only one quantity can be made least or greatest", "give one --minimise or --maximise"),
        _ => (
            "targets and an extreme together are not solved",
            "give either --target, or --minimise or --maximise; bounds keep numbers in a range: --free KEY=LOW..HIGH",
        ),
    };
    Err(InputError::without_place(message).with_help(help))
}
