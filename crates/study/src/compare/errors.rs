//! How far a run is from the reference.

use scenario::Scenario;

use super::matching::{Matching, matching};
use super::track::{Row, SAME, Track};

/// Largest errors of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// Error of the centre's position, over the rows of both, m.
    pub position: Option<f64>,
    /// Error of its velocity, m/s; rows between the times that the two have for one event are left out.
    pub velocity: Option<f64>,
    /// Error of λ where both are on the ground, N; the same rows are left out.
    pub normal_force: Option<f64>,
    /// Error of the centre's position in the end, m.
    pub final_position: Option<f64>,
    /// Error of its velocity in the end, m/s.
    pub final_velocity: Option<f64>,
    /// Error of the times of events, s.
    pub event_time: Option<f64>,
    /// Rows compared.
    pub rows: usize,
    /// Events side by side.
    pub events: Matching,
}

/// Rows, duration and restitution for a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Between rows, s.
    pub interval: f64,
    /// s
    pub duration: f64,
    /// e
    pub restitution: f64,
}

impl Frame {
    /// Reads them from a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        let (interval, duration) = (scenario.interval, scenario.solver.duration);
        Frame { interval, duration, restitution: scenario.scene.law.restitution(0.0) }
    }
}

/// Compares a run with the reference.
pub fn errors(reference: &Track, run: &Track, frame: Frame) -> Errors {
    let Frame { interval, duration, restitution } = frame;
    let events = matching(reference, run, duration, restitution);
    let between: Vec<[f64; 2]> = events
        .pairs
        .iter()
        .map(|&(i, j)| {
            let (a, b) = (reference.events[i].time, run.events[j].time);
            [a.min(b), a.max(b)]
        })
        .collect();
    let mut found = Errors { event_time: events.largest, events, ..Errors::default() };
    // Spans may overlap, so that the first that ends behind a row is not always the one it is in.
    let disputed = |time: f64| between.iter().any(|[from, to]| (*from..=*to).contains(&time));
    let mut others = reference.rows.iter().peekable();
    // The start is given.
    for row in run.judged(interval).filter(|row| row.time > 0.0) {
        while others.next_if(|other| other.time < row.time - SAME * interval).is_some() {}
        let Some(other) = others.peek().filter(|other| same_time(row, other, interval)) else { continue };
        found.rows += 1;
        let (position, velocity) = apart(row, other);
        keep(&mut found.position, position);
        if !disputed(row.time) {
            keep(&mut found.velocity, velocity);
            if let (Some(a), Some(b)) = (row.normal_force, other.normal_force) {
                keep(&mut found.normal_force, (a - b).abs());
            }
        }
    }
    if let (Some(a), Some(b)) = (&run.end, &reference.end)
        && same_time(a, b, interval)
    {
        let (position, velocity) = apart(a, b);
        (found.final_position, found.final_velocity) = (Some(position), Some(velocity));
    }
    found
}

pub(crate) fn same_time(a: &Row, b: &Row, interval: f64) -> bool {
    (a.time - b.time).abs() <= SAME * interval
}

/// How far two states are apart, m and m/s.
pub(crate) fn apart(a: &Row, b: &Row) -> (f64, f64) {
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    (distance(a.position, b.position), distance(a.velocity, b.velocity))
}

/// NaN counts as the worst.
fn keep(largest: &mut Option<f64>, error: f64) {
    let error = if error.is_nan() { f64::INFINITY } else { error };
    *largest = Some(largest.map_or(error, |largest| largest.max(error)));
}
