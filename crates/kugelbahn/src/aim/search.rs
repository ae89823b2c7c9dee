//! From a start to what was asked for.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use identify::{Bounds, Evaluation, GoalError, Loss, Quantity, Reading, Runs, Solver, descend, read, simplex};
use nalgebra::DMatrix;
use rayon::prelude::*;

use super::{AimError, Goal, MET, Plan, Wish};
use crate::fit::search::{PRIMES, halton};
use crate::input::InputError;
use crate::unknowns::Unknowns;

/// How it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Gauss and Newton's steps from the start.
    Newton,
    /// The same from another start.
    OtherStart,
    /// L-BFGS.
    Descent,
    /// Nelder and Mead's simplex.
    Simplex,
}

impl Way {
    /// For reports.
    pub fn name(self) -> &'static str {
        match self {
            Way::Newton => "newton",
            Way::OtherStart => "other-start",
            Way::Descent => "l-bfgs",
            Way::Simplex => "simplex",
        }
    }
}

/// Other starts tried, in two rounds, and those of each that steps begin from.
const STARTS: [(std::ops::Range<u32>, usize); 2] = [(1..25, 4), (25..97, 12)];
/// Steps of a simplex for each parameter.
const SIMPLEX: u64 = 150;
/// A simplex begins anew where it ended until it gains less than this part.
const GAIN: f64 = 1e-9;

pub(super) struct Found {
    pub parameters: Vec<f64>,
    pub readings: Vec<Reading>,
    pub reached: bool,
    pub way: Way,
    pub history: Vec<f64>,
}

pub(super) struct Search<'a> {
    unknowns: &'a Unknowns,
    goals: &'a [Goal],
    plan: &'a Plan<'a>,
    quantities: Vec<Quantity>,
    runs: Runs,
    bounds: Vec<Bounds>,
    sizes: Vec<f64>,
    done: AtomicU32,
    /// The least cost so far.
    best: Mutex<f64>,
}

type Readings = Result<Vec<Reading>, GoalError<InputError>>;

impl<'a> Search<'a> {
    pub fn new(unknowns: &'a Unknowns, goals: &'a [Goal], plan: &'a Plan<'a>) -> Self {
        let size = |unknown: &crate::unknowns::Unknown| {
            let Bounds { lower, upper } = unknown.bounds;
            if lower.is_finite() && upper.is_finite() {
                return 0.25 * (upper - lower);
            }
            let least = if unknown.rate() == Some(1) { 1.0 } else { 0.1 };
            if unknown.start == 0.0 { least } else { 0.3 * unknown.start.abs() }
        };
        Search {
            unknowns,
            goals,
            plan,
            quantities: goals.iter().map(|goal| goal.quantity).collect(),
            runs: Runs { options: unknowns.written().options(), tolerance: plan.tolerance },
            bounds: unknowns.bounds(),
            sizes: unknowns.list().iter().map(size).collect(),
            done: AtomicU32::new(0),
            best: Mutex::new(f64::INFINITY),
        }
    }

    pub fn runs(&self) -> u32 {
        self.done.load(Ordering::Relaxed)
    }

    fn spent(&self) -> bool {
        self.runs() >= self.plan.runs
    }

    fn read(&self, values: &[f64], derivatives: bool) -> Readings {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let found = read(&self.quantities, values, |values| self.unknowns.model(values), &self.runs, derivatives);
        let best = self.best.lock().map(|mut best| {
            if let Ok(readings) = &found {
                *best = best.min(self.cost(readings));
            }
            *best
        });
        (self.plan.progress)(done, best.unwrap_or(f64::INFINITY));
        found
    }

    /// How far each target is off, in units of its size or of 1.
    fn off(&self, readings: &[Reading]) -> Vec<f64> {
        let off = |(goal, reading): (&Goal, &Reading)| match goal.wish {
            Wish::Equal(value) => (reading.value - value) / value.abs().max(1.0),
            Wish::Least => reading.value,
            Wish::Greatest => -reading.value,
        };
        self.goals.iter().zip(readings).map(off).collect()
    }

    /// The largest of them, or the value to be made least.
    fn cost(&self, readings: &[Reading]) -> f64 {
        let targets = self.goals.iter().all(|goal| matches!(goal.wish, Wish::Equal(_)));
        self.off(readings)
            .into_iter()
            .fold(f64::NEG_INFINITY, |most, off| most.max(if targets { off.abs() } else { off }))
    }

    fn meets(&self, readings: &[Reading]) -> bool {
        self.cost(readings) <= MET
    }

    /// The start if it has a value, else the best of others.
    fn begin(&self) -> Result<Vec<f64>, AimError> {
        let start = self.unknowns.start();
        match self.read(&start, false) {
            Ok(_) => Ok(start),
            Err(why) => {
                let best = STARTS.into_iter().find_map(|(round, _)| self.others(&start, round).into_iter().next());
                best.map(|(start, _)| start).ok_or_else(|| self.nothing(why))
            }
        }
    }

    fn nothing(&self, why: GoalError<InputError>) -> AimError {
        let names: Vec<&str> = self.goals.iter().map(|goal| goal.name.as_str()).collect();
        AimError::NoValue { runs: self.runs(), name: names.join(" and "), why: Box::new(why) }
    }

    /// Starts spread about one (Halton's sequence), farther and farther; those that have a value, the best first.
    fn others(&self, about: &[f64], round: std::ops::Range<u32>) -> Vec<(Vec<f64>, f64)> {
        let spread = |i: u32| -> Vec<f64> {
            let far = [1.0, 3.0, 9.0][i as usize % 3];
            let moved = (0..about.len()).map(|j| {
                let part = halton(i, PRIMES[j % PRIMES.len()]);
                let Bounds { lower, upper } = self.bounds[j];
                if lower.is_finite() && upper.is_finite() {
                    return lower + part * (upper - lower);
                }
                (about[j] + far * self.sizes[j] * (2.0 * part - 1.0)).max(lower).min(upper)
            });
            moved.collect()
        };
        let value = |start: Vec<f64>| {
            if self.spent() {
                return None;
            }
            let readings = self.read(&start, false).ok()?;
            let cost = self.cost(&readings);
            cost.is_finite().then_some((start, cost))
        };
        let mut found: Vec<_> = round.into_par_iter().map(spread).filter_map(value).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found
    }

    fn steps(&self, from: &[f64]) -> Option<Found> {
        let solver = Solver { bounds: self.bounds.clone(), loss: Loss::Squares, evaluations: 60, tolerance: 1e-12 };
        let evaluate = |values: &[f64]| {
            if self.spent() {
                return Err(GoalError::Never { end: self.runs.options.duration });
            }
            let readings = self.read(values, true)?;
            let jacobian = DMatrix::from_fn(readings.len(), values.len(), |i, j| {
                let size = match self.goals[i].wish {
                    Wish::Equal(value) => value.abs().max(1.0),
                    _ => 1.0,
                };
                readings[i].by.get(j).copied().unwrap_or(0.0) / size
            });
            Ok::<_, GoalError<InputError>>(Evaluation { residuals: self.off(&readings), jacobian })
        };
        let solution = solver.solve(from, evaluate).ok()?;
        self.found(solution.parameters, Way::Newton)
    }

    fn found(&self, parameters: Vec<f64>, way: Way) -> Option<Found> {
        let readings = self.read(&parameters, false).ok()?;
        let reached = self.meets(&readings);
        Some(Found { parameters, readings, reached, way, history: Vec::new() })
    }

    fn down_a_simplex(&self, from: &[f64], part: f64) -> Option<Vec<f64>> {
        let cost = |values: &[f64]| {
            if self.spent() {
                return None;
            }
            self.read(values, false).ok().map(|readings| self.cost(&readings))
        };
        let sizes: Vec<f64> = self.sizes.iter().map(|size| part * size).collect();
        let steps = SIMPLEX * sizes.len() as u64;
        simplex(from, &sizes, &self.bounds, steps, cost).ok().map(|(values, _)| values)
    }

    /// Meets all targets, or comes as near as it can.
    pub fn hit(&self) -> Result<Found, AimError> {
        let start = self.begin()?;
        let smooth = self.quantities.iter().all(|quantity| *quantity != Quantity::NormalForce);
        let mut best: Option<Found> = None;
        let keep = |best: &mut Option<Found>, found: Option<Found>| {
            let Some(found) = found else { return };
            if best.as_ref().is_none_or(|known| self.cost(&found.readings) < self.cost(&known.readings)) {
                *best = Some(found);
            }
        };
        let met = |best: &Option<Found>| best.as_ref().is_some_and(|found| found.reached);
        keep(&mut best, self.found(start.clone(), Way::Newton));
        if smooth && !met(&best) {
            keep(&mut best, self.steps(&start));
        }
        for (round, best_of) in STARTS {
            if met(&best) {
                break;
            }
            for (other, _) in self.others(&start, round).into_iter().take(best_of) {
                let found = if smooth { self.steps(&other) } else { self.found(other, Way::OtherStart) };
                keep(&mut best, found.map(|found| Found { way: Way::OtherStart, ..found }));
                if met(&best) {
                    break;
                }
            }
        }
        if let Some(near) = best.as_ref().filter(|near| !near.reached).map(|near| near.parameters.clone()) {
            let down = self.down_a_simplex(&near, 0.3);
            let found = down.and_then(|values| {
                let stepped = if smooth { self.steps(&values) } else { None };
                let plain = self.found(values, Way::Simplex);
                stepped.filter(|found| found.reached).or(plain)
            });
            keep(&mut best, found.map(|found| Found { way: Way::Simplex, ..found }));
        }
        best.ok_or_else(|| match self.read(&start, false) {
            Err(why) => self.nothing(why),
            Ok(_) => self.nothing(GoalError::Never { end: self.runs.options.duration }),
        })
    }

    /// Makes the one quantity least or greatest, as far as it is a smooth way down from the start.
    pub fn extreme(&self) -> Result<Found, AimError> {
        let start = self.begin()?;
        let sign = if self.goals.iter().any(|goal| goal.wish == Wish::Greatest) { -1.0 } else { 1.0 };
        let (mut values, mut way, mut ended) = (start, Way::Simplex, false);
        let mut history = Vec::new();
        if self.quantities.iter().all(|quantity| *quantity != Quantity::NormalForce) {
            let cost = |values: &[f64]| {
                let reading = self.read(values, true).ok()?.pop()?;
                Some((sign * reading.value, reading.by.iter().map(|d| sign * d).collect()))
            };
            if let Some(found) = descend(&values, &self.sizes, &self.bounds, self.plan.runs, cost) {
                (values, way, ended) = (found.parameters, Way::Descent, found.evaluations < self.plan.runs);
                history = found.history.iter().map(|cost| sign * cost).collect();
            }
        }
        let of = |values: &[f64]| self.read(values, false).map(|readings| self.cost(&readings));
        if way == Way::Simplex {
            let mut cost = of(&values).map_err(|why| self.nothing(why))?;
            for part in [0.5, 0.2, 0.1, 0.05, 0.02, 0.01] {
                let Some(next) = self.down_a_simplex(&values, part) else { break };
                let Ok(there) = of(&next) else { break };
                let gain = cost - there;
                if gain > 0.0 {
                    (values, cost) = (next, there);
                    history.push(sign * there);
                }
                ended = !self.spent();
                if !(gain > GAIN * cost.abs()) {
                    break;
                }
            }
        }
        let found = self.found(values.clone(), way).map(|found| Found { reached: ended, history, ..found });
        found.ok_or_else(|| self.nothing(GoalError::Never { end: self.runs.options.duration }))
    }
}
