//! From what a run is to do to the numbers of its scenario: `kugelbahn aim`.
//!
//! Places and times of events, passings and the height reached have derivatives through all events before them
//! ([`identify::sweep`]), so targets are solved by Gauss and Newton's steps (Levenberg and Marquardt) and extremes found by
//! L-BFGS. Where the order of events changes on the way, or a quantity has no derivative (the largest normal force), other
//! starts and Nelder and Mead's simplex go on.

mod files;
mod goal;
mod report;
mod search;

use identify::{GoalError, Reading};

use crate::Scenario;
use crate::input::InputError;
use crate::unknowns::Unknowns;

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
    #[error("none of {runs} runs has {name}; the first: {why}")]
    NoValue {
        /// Runs tried.
        runs: u32,
        /// The quantity.
        name: String,
        /// What was said of the start.
        why: Box<GoalError<InputError>>,
    },
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
    /// Where the search began.
    pub start: f64,
    /// What was found.
    pub value: f64,
    /// The bound it ended at.
    pub held: Option<f64>,
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
    /// Whether all targets are met; of an extreme, whether the search came to its end.
    pub reached: bool,
    /// How it was found.
    pub way: Way,
    /// Runs made.
    pub runs: u32,
    /// Values of the extreme that were the best so far.
    pub history: Vec<f64>,
    /// The scenario there.
    pub scenario: Scenario,
    /// `KEY=VALUE` settings that make it.
    pub settings: Vec<String>,
}

impl Aimed {
    /// Whether there are more free numbers than targets: others may do as well.
    pub fn is_one_of_many(&self) -> bool {
        self.numbers.len() > self.goals.len() && !self.is_extreme()
    }

    /// The values of the free numbers.
    pub fn parameters(&self) -> Vec<f64> {
        self.numbers.iter().map(|number| number.value).collect()
    }

    /// Why it is not what was asked for.
    pub fn shortfall(&self) -> String {
        let runs = self.runs;
        if self.is_extreme() {
            return format!("stopped: the search did not come to its end in {runs} runs; allow more with --runs\n");
        }
        let off = |(goal, reading): (&Goal, &Reading)| match goal.wish {
            Wish::Equal(asked) => Some(format!("{} comes to {}, not {asked}", goal.name, reading.value)),
            _ => None,
        };
        let off: Vec<String> = self.goals.iter().zip(&self.readings).filter_map(off).collect();
        let held: Vec<&str> = self.numbers.iter().filter(|n| n.held.is_some()).map(|n| n.key.as_str()).collect();
        let cure = if held.is_empty() {
            "; free another number, or start nearer with --set".to_owned()
        } else {
            format!("; at its bound: {}", held.join(", "))
        };
        format!("not reached: in {runs} runs {}{cure}\n", off.join(", "))
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
    let search = Search::new(unknowns, goals, plan);
    let found =
        if goals.iter().all(|goal| matches!(goal.wish, Wish::Equal(_))) { search.hit()? } else { search.extreme()? };
    let starts = unknowns.start();
    let bounds = unknowns.bounds();
    let number = |(j, value): (usize, &f64)| {
        let at = |bound: &f64| bound.is_finite() && (value - bound).abs() <= 1e-9 * bound.abs().max(1e-3);
        let held = [bounds[j].lower, bounds[j].upper].into_iter().find(at);
        Number { key: unknowns.list()[j].key.clone(), start: starts[j], value: *value, held }
    };
    Ok(Aimed {
        numbers: found.parameters.iter().enumerate().map(number).collect(),
        goals: goals.to_vec(),
        readings: found.readings,
        reached: found.reached,
        way: found.way,
        runs: search.runs(),
        history: found.history,
        scenario: unknowns.scenario(&found.parameters)?,
        settings: unknowns.settings(&found.parameters),
    })
}

/// Refuses goals that can't be aimed at together.
pub fn check(goals: &[Goal]) -> Result<(), InputError> {
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
