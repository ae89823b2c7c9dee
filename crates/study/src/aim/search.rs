//! State of a search: free numbers, runs made, and the best point so far ([`Best`]).

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use identify::{GoalError, ParameterRange, Quantity, Reading, RunSettings, read, simplex};
use rayon::prelude::*;
use scenario::input::InputError;
use scenario::unknowns::{Unknown, Unknowns};
use supervisor::Moment;

use super::aimed::{AimError, AimPlan, Aimed, FoundNumber, MET, Way};
use super::goal::{Goal, Wish};
use crate::halton::halton;

/// Two rounds of other starts: indices in the Halton sequence, and the number of best ones to search from.
pub(super) const STARTS: [(std::ops::Range<u32>, usize); 2] = [(1..25, 4), (25..97, 12)];
/// Steps of a simplex per parameter.
const SIMPLEX: u64 = 150;
/// Greatest distance of an unbounded number from its start, in sizes of the number.
pub(super) const REACH: f64 = 1e4;

/// The point of least cost so far.
#[derive(Clone, Debug)]
pub(super) struct Best {
    /// Its [`AimSearch::cost`].
    pub cost: f64,
    /// Values of the numbers that are moved.
    pub values: Vec<f64>,
    pub readings: Vec<Reading>,
}

/// Whether a change of a quantity at `value` counts as none.
pub(super) fn is_none(change: f64, value: f64) -> bool {
    change.abs() <= 1e-9 * (1.0 + value.abs())
}

/// Size of a number: a change of it that matters.
pub(super) fn size(unknown: &Unknown) -> f64 {
    let ParameterRange { lower, upper } = unknown.bounds;
    if lower.is_finite() && upper.is_finite() {
        return 0.25 * (upper - lower);
    }
    let is_velocity = unknown.rate() == Some(1);
    let least = if is_velocity { 1.0 } else { 0.1 };
    if unknown.start == 0.0 { least } else { 0.3 * unknown.start.abs() }
}

pub(super) struct AimSearch<'a> {
    pub unknowns: &'a Unknowns,
    pub goals: &'a [Goal],
    pub plan: &'a AimPlan<'a>,
    pub quantities: Vec<Quantity>,
    pub runs: RunSettings,
    /// The numbers that the search moves.
    pub active: Active,
    pub bounds: Vec<ParameterRange>,
    pub sizes: Vec<f64>,
    done: AtomicU32,
    best: Mutex<Option<Best>>,
}

/// Reason why a run gives no readings.
#[derive(Debug)]
pub(super) enum Missed {
    /// All runs allowed were made.
    Spent,
    /// The run lacks the quantity, for this reason.
    Why(GoalError<InputError>),
}

type Readings = Result<Vec<Reading>, Missed>;

impl<'a> AimSearch<'a> {
    pub fn new(unknowns: &'a Unknowns, goals: &'a [Goal], plan: &'a AimPlan<'a>) -> Self {
        AimSearch {
            unknowns,
            goals,
            plan,
            quantities: goals.iter().map(|goal| goal.quantity).collect(),
            runs: RunSettings {
                options: unknowns.written().options(),
                tolerance: plan.tolerance,
                watching: unknowns.written().watching(),
            },
            active: Active::all(unknowns.start()),
            bounds: unknowns.bounds(),
            sizes: unknowns.list().iter().map(size).collect(),
            done: AtomicU32::new(0),
            best: Mutex::new(None),
        }
    }

    /// Moves these numbers from now on; forgets the best point.
    pub fn activate(&mut self, active: Active) {
        let moved = || active.indices.iter().map(|j| &self.unknowns.list()[*j]);
        self.bounds = moved().map(|unknown| unknown.bounds).collect();
        self.sizes = moved().map(size).collect();
        self.active = active;
        self.best = Mutex::new(None);
    }

    pub fn runs(&self) -> u32 {
        self.done.load(Ordering::Relaxed)
    }

    /// Number of runs that may still be made.
    pub fn left(&self) -> u32 {
        self.plan.runs.saturating_sub(self.runs())
    }

    pub fn spent(&self) -> bool {
        self.left() == 0
    }

    pub fn is_smooth(&self) -> bool {
        // `until` may end the run at a moment that depends on the numbers.
        let moves = |quantity: &Quantity| matches!(quantity, Quantity::At { moment: Moment::End, .. });
        let cut = !self.unknowns.written().until.is_empty() && self.quantities.iter().any(moves);
        !cut && self.quantities.iter().all(Quantity::is_smooth)
    }

    /// Makes one run with these values of the moved numbers, if one more is allowed, and keeps the best.
    pub fn read(&self, values: &[f64], derivatives: bool) -> Readings {
        let done = self.count()?;
        let model = |values: &[f64]| self.unknowns.model(&self.active.whole(values));
        let found = read(&self.quantities, values, model, &self.runs, derivatives);
        let best = self.best.lock().map(|mut best| {
            if let Ok(readings) = &found {
                let cost = self.cost(readings);
                if cost.is_finite() && best.as_ref().is_none_or(|best| cost < best.cost) {
                    *best = Some(Best { cost, values: values.to_vec(), readings: readings.clone() });
                }
            }
            best.as_ref().map_or(f64::INFINITY, |best| best.cost)
        });
        let best = best.unwrap_or(f64::INFINITY);
        (self.plan.progress)(done, self.sign() * best);
        found.map_err(Missed::Why)
    }

    /// Makes one run of this duration (s) with values of all numbers; it does not count as the best one.
    pub fn look(&self, whole: &[f64], duration: f64) -> Readings {
        self.count()?;
        let mut runs = self.runs.clone();
        runs.options.duration = duration;
        read(&self.quantities, whole, |values| self.unknowns.model(values), &runs, false).map_err(Missed::Why)
    }

    fn count(&self) -> Result<u32, Missed> {
        let more = |done: u32| (done < self.plan.runs).then_some(done + 1);
        let before = self.done.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        before.map(|before| before + 1).map_err(|_| Missed::Spent)
    }

    pub fn best(&self) -> Option<Best> {
        self.best.lock().ok().and_then(|best| best.clone())
    }

    pub fn best_cost(&self) -> f64 {
        self.best.lock().ok().and_then(|best| best.as_ref().map(|best| best.cost)).unwrap_or(f64::INFINITY)
    }

    /// Sign that makes the quantity a cost: +1 to minimise it, −1 to maximise it.
    pub fn sign(&self) -> f64 {
        if self.goals.iter().any(|goal| goal.wish == Wish::Greatest) { -1.0 } else { 1.0 }
    }

    /// Error of each target over max(|target|, 1).
    pub fn off(&self, readings: &[Reading]) -> Vec<f64> {
        let off = |(goal, reading): (&Goal, &Reading)| match goal.wish {
            Wish::Equal(value) => (reading.value - value) / value.abs().max(1.0),
            Wish::Least => reading.value,
            Wish::Greatest => -reading.value,
        };
        self.goals.iter().zip(readings).map(off).collect()
    }

    /// The largest [`off`](Self::off) of all targets, or the value to be minimised.
    pub fn cost(&self, readings: &[Reading]) -> f64 {
        let targets = self.goals.iter().all(|goal| matches!(goal.wish, Wish::Equal(_)));
        let costs = self.off(readings).into_iter().map(|off| if targets { off.abs() } else { off });
        costs.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Values from which the search begins: the given start if its run has the quantities, else the best other start.
    pub fn begin(&self) -> Result<Vec<f64>, AimError> {
        let start = self.active.start();
        match self.read(&start, false) {
            Ok(_) => Ok(start),
            Err(why) => {
                let best = STARTS.into_iter().find_map(|(round, _)| self.others(&start, round).into_iter().next());
                best.map(|(start, _)| start).ok_or_else(|| self.no_value(why))
            }
        }
    }

    pub fn no_value(&self, why: Missed) -> AimError {
        let why = match why {
            Missed::Why(why) => Some(Box::new(why)),
            Missed::Spent => None,
        };
        AimError::NoValue { runs: self.runs(), name: self.names(), why }
    }

    pub fn names(&self) -> String {
        let names: Vec<&str> = self.goals.iter().map(|goal| goal.name.as_str()).collect();
        names.join(" and ")
    }

    /// Starts within 1, 3 and 9 sizes of `about` in turn (Halton sequence) whose runs have the quantities; best first.
    pub fn others(&self, about: &[f64], round: std::ops::Range<u32>) -> Vec<(Vec<f64>, f64)> {
        let spread = |i: u32| -> Vec<f64> {
            let far = [1.0, 3.0, 9.0][i as usize % 3];
            let moved = (0..about.len()).map(|j| {
                let part = halton(i, j);
                let ParameterRange { lower, upper } = self.bounds[j];
                if lower.is_finite() && upper.is_finite() {
                    return lower + part * (upper - lower);
                }
                self.bounds[j].nearest(about[j] + far * self.sizes[j] * (2.0 * part - 1.0))
            });
            moved.collect()
        };
        // The starts are the same, in whichever order threads finish.
        let round = round.start..round.end.min(round.start.saturating_add(self.left()));
        let value = |start: Vec<f64>| {
            let readings = self.read(&start, false).ok()?;
            let cost = self.cost(&readings);
            cost.is_finite().then_some((start, cost))
        };
        let mut found: Vec<_> = round.into_par_iter().map(spread).filter_map(value).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found
    }

    /// Minimises the cost by a Nelder–Mead simplex at `from`, with edges of `part` of the sizes.
    pub fn down_a_simplex(&self, from: &[f64], part: f64) -> Vec<f64> {
        let start = self.active.start();
        let within = |values: &[f64]| {
            let off =
                values.iter().zip(&start).zip(&self.sizes).map(|((value, start), size)| (value - start).abs() / size);
            off.zip(&self.bounds).all(|(off, b)| off <= REACH || b.lower.is_finite() && b.upper.is_finite())
        };
        let cost = |values: &[f64]| {
            let within = within(values).then(|| self.read(values, false).ok()).flatten();
            within.map(|readings| self.cost(&readings))
        };
        let sizes: Vec<f64> = self.sizes.iter().map(|size| part * size).collect();
        let steps = if self.spent() { 0 } else { SIMPLEX * sizes.len() as u64 };
        simplex(from, &sizes, &self.bounds, steps, cost).0
    }

    /// Replaces the best point.
    pub fn replace_best(&self, known: Best) {
        if let Ok(mut best) = self.best.lock() {
            *best = Some(known);
        }
    }

    /// A point as the result of a search for targets or, with the fields on its end changed, for an extreme. `idle`: the
    /// indices of the numbers that were not moved.
    pub fn aimed(&self, best: Best, way: Way, idle: &[usize]) -> Result<Aimed, AimError> {
        let whole = self.active.whole(&best.values);
        let number = |(j, unknown): (usize, &Unknown)| {
            let Unknown { key, given, start, bounds: ParameterRange { lower, upper }, .. } = unknown;
            let value = whole[j];
            let at = |bound: &f64| bound.is_finite() && (value - bound).abs() <= 1e-9 * bound.abs().max(1e-3);
            let held = [*lower, *upper].into_iter().find(at);
            FoundNumber { key: key.clone(), given: *given, start: *start, value, held, idle: idle.contains(&j) }
        };
        Ok(Aimed {
            numbers: self.unknowns.list().iter().enumerate().map(number).collect(),
            goals: self.goals.to_vec(),
            readings: best.readings,
            reached: best.cost <= MET,
            end: None,
            cut: false,
            way,
            runs: self.runs(),
            spent: self.spent(),
            history: Vec::new(),
            scenario: self.unknowns.scenario(&whole)?,
            settings: self.unknowns.settings(&whole),
        })
    }

    pub fn no_effect(&self, readings: &[Reading]) -> AimError {
        let values: Vec<f64> = readings.iter().map(|reading| reading.value).collect();
        AimError::NoEffect { runs: self.runs(), name: self.names(), values }
    }
}

/// The numbers that a search moves, among all free ones.
#[derive(Clone, Debug)]
pub(super) struct Active {
    base: Vec<f64>,
    pub indices: Vec<usize>,
}

impl Active {
    pub fn all(base: Vec<f64>) -> Self {
        let indices = (0..base.len()).collect();
        Active { base, indices }
    }

    /// Start values of the numbers that are moved.
    pub fn start(&self) -> Vec<f64> {
        self.of(&self.base)
    }

    /// Picks the numbers that are moved out of all.
    pub fn of(&self, whole: &[f64]) -> Vec<f64> {
        self.indices.iter().map(|j| whole[*j]).collect()
    }

    /// Values of all numbers, from `values` of those that are moved.
    pub fn whole(&self, values: &[f64]) -> Vec<f64> {
        let mut whole = self.base.clone();
        self.indices.iter().zip(values).for_each(|(j, value)| whole[*j] = *value);
        whole
    }

    /// All numbers but the `idle` ones.
    pub fn without(&self, idle: &[usize]) -> Self {
        let indices = (0..self.base.len()).filter(|j| !idle.contains(j)).collect();
        Active { base: self.base.clone(), indices }
    }
}
