//! `kugelbahn aim`: finds numbers of a scenario for which its run has given values, or an extreme one.
//!
//! Times and places of events and passings and the greatest height are differentiable through all events
//! ([`identify::sweep`]). With the derivatives, targets are met by the Levenberg–Marquardt method and extremes found by
//! L-BFGS. Where the order of events changes on the way, or a quantity has no derivative (the largest normal force),
//! other starts and the Nelder–Mead simplex are tried.

mod aimed;
mod effects;
mod ending;
mod extreme;
mod goal;
mod report;
mod search;
mod targets;

use identify::Quantity;
use scenario::input::InputError;
use scenario::unknowns::Unknowns;
use supervisor::Moment;

pub use aimed::{AimError, AimPlan, Aimed, Edge, ExtremeEnd, FoundNumber, MET, Way};
pub use goal::{Goal, Wish};
pub use report::{AIM_FILES, aim_json, aim_report};

use search::AimSearch;

/// Finds the free numbers with which the run meets all targets, or makes one quantity extreme.
pub fn aim(unknowns: &Unknowns, goals: &[Goal], plan: &AimPlan) -> Result<Aimed, AimError> {
    check(goals)?;
    within(goals, unknowns.written().options().duration)?;
    let mut search = AimSearch::new(unknowns, goals, plan);
    if goals.iter().all(|goal| matches!(goal.wish, Wish::Equal(_))) { search.hit() } else { search.extreme() }
}

/// Refuses goals at times after the end of the run.
fn within(goals: &[Goal], duration: f64) -> Result<(), InputError> {
    let late = |goal: &&Goal| match goal.quantity {
        Quantity::At { moment: Moment::Time(time), .. } => time > duration,
        _ => false,
    };
    goals.iter().find(late).map_or(Ok(()), |goal| {
        let message = format!("`{}` is after the end of the run at t = {duration} s", goal.name);
        Err(InputError::without_place(message).with_help("run longer: --set solver.duration=SECONDS"))
    })
}

/// Refuses goals that contradict each other: targets beside an extreme, several extremes, or one quantity twice.
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
