//! Errors of a run against the reference ([`errors`]).

use scenario::Scenario;

use super::matching::{Matching, matching};
use super::measure::{JUDGED, Measure};
use super::track::{ComparedRow, RunTrack, SAME};

/// Largest errors of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// Largest error of each [`Measure`].
    found: [Option<f64>; 7],
    /// Number of rows compared.
    pub rows: usize,
    /// Events of the reference paired with those of the run.
    pub events: Matching,
}

impl Errors {
    /// Largest error of a measure; `None`: there is nothing to compare.
    pub fn of(&self, measure: Measure) -> Option<f64> {
        self.found[measure as usize]
    }

    /// Sets the largest error of a measure.
    pub(crate) fn with(mut self, measure: Measure, error: f64) -> Self {
        self.found[measure as usize] = Some(error);
        self
    }

    /// Errors of the measures [`JUDGED`].
    pub fn numbers(&self) -> [Option<f64>; JUDGED.len()] {
        JUDGED.map(|measure| self.of(measure))
    }

    /// The larger error of both for each measure; `None` where either has none.
    pub(crate) fn at_least(self, floor: &Errors) -> Self {
        let larger = |i: usize| self.found[i].zip(floor.found[i]).map(|(a, b)| a.max(b));
        Errors { found: std::array::from_fn(larger), ..self }
    }

    /// Keeps an error if it is larger than the one so far; NaN counts as infinite.
    fn keep(&mut self, measure: Measure, error: f64) {
        let error = if error.is_nan() { f64::INFINITY } else { error };
        let largest = &mut self.found[measure as usize];
        *largest = Some(largest.map_or(error, |largest| largest.max(error)));
    }
}

/// Compares a run of a scenario with the reference.
pub fn errors(reference: &RunTrack, run: &RunTrack, scenario: &Scenario) -> Errors {
    let interval = scenario.interval;
    let events = matching(reference, run, scenario.solver.duration, scenario.scene.law.restitution(0.0));
    let times = |&(i, j): &(usize, usize)| [reference.events[i].time, run.events[j].time];
    let paired: Vec<[f64; 2]> = events.pairs.iter().map(times).collect();
    let mut found = Errors { events, ..Errors::default() }.with(Measure::Energy, run.energy_error(interval));
    found.found[Measure::EventTime as usize] = found.events.largest;
    // Spans between the times of pairs may overlap, so all are searched.
    let disputed = |time: f64| paired.iter().any(|[a, b]| (a.min(*b)..=a.max(*b)).contains(&time));
    let mut others = reference.rows.iter().peekable();
    // At the start all runs agree.
    for row in run.judged(interval).skip(1) {
        while others.next_if(|other| other.time < row.time - SAME * interval).is_some() {}
        let Some(other) = others.peek().filter(|other| same_time(row, other, interval)) else { continue };
        found.rows += 1;
        let (position, velocity) = apart(row, other);
        found.keep(Measure::Position, position);
        if !disputed(row.time) {
            found.keep(Measure::Velocity, velocity);
            if let (Some(a), Some(b)) = (row.normal_force, other.normal_force) {
                found.keep(Measure::NormalForce, (a - b).abs());
            }
        }
    }
    if let (Some(a), Some(b)) = (&run.end, &reference.end)
        && same_time(a, b, interval)
    {
        let (position, velocity) = apart(a, b);
        found = found.with(Measure::FinalPosition, position).with(Measure::FinalVelocity, velocity);
    }
    found
}

pub(crate) fn same_time(a: &ComparedRow, b: &ComparedRow, interval: f64) -> bool {
    (a.time - b.time).abs() <= SAME * interval
}

/// Distance of two states: of positions (m) and of velocities (m/s).
pub(crate) fn apart(a: &ComparedRow, b: &ComparedRow) -> (f64, f64) {
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    (distance(a.position, b.position), distance(a.velocity, b.velocity))
}
