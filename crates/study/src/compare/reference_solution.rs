//! Reference of a comparison: a closed form, or a run to a fine tolerance.

use scenario::Scenario;
use scenario::input::InputError;

use super::draft::Draft;
use super::errors::{Errors, errors};
use super::measure::{JUDGED, Measure};
use super::track::{ComparedRow, EventTime, RunTrack};

/// Tolerances of the reference, tried in turn until it is accurate enough.
const LADDER: [f64; 4] = [1e-9, 1e-11, 1e-13, 1e-14];

/// Ratio of the errors judged to the reference's own error that is aimed at.
pub(crate) const BETTER: f64 = 100.0;

/// State of the ball at a time, from a closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// Position of the centre, m.
    pub position: [f64; 2],
    /// Velocity of the centre, m/s.
    pub velocity: [f64; 2],
    /// Normal force λ, N; `None` in flight.
    pub normal_force: Option<f64>,
}

/// A closed form, exact to rounding.
pub struct ClosedForm {
    /// Name of the closed form.
    pub name: &'static str,
    /// State of the ball at a time (s).
    pub at: Box<dyn Fn(f64) -> Exact + Sync>,
    /// Its events; of infinitely many, those that can be told apart.
    pub events: Vec<EventTime>,
    /// Times of the last of these and of the accumulation point, s.
    pub captures: Vec<[f64; 2]>,
}

/// The reference of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// Its rows and events.
    pub track: RunTrack,
    /// Its own errors: the differences of the last two refinements, or rounding.
    pub own: Errors,
    /// Name of the closed form, or of the run.
    pub name: String,
    /// Tolerance of the run; `None`: a closed form.
    pub tolerance: Option<f64>,
}

impl Truth {
    /// The reference from a closed form, at the times of the scenario's rows.
    pub fn closed(form: &ClosedForm, scenario: &Scenario) -> Self {
        let (interval, duration) = (scenario.interval, scenario.solver.duration);
        let row = |time: f64| {
            let Exact { position, velocity, normal_force } = (form.at)(time);
            ComparedRow { time, position, velocity, normal_force, gap: 0.0, unexplained: 0.0 }
        };
        let last = row(duration);
        let times = (0u64..).map(|i| i as f64 * interval).take_while(|time| *time < duration * (1.0 - 1e-12));
        let mut rows: Vec<ComparedRow> = times.map(row).collect();
        rows.push(last);
        let event_count = form.events.len() as u64;
        let (events, captures) = (form.events.clone(), form.captures.clone());
        let track = RunTrack { rows, events, event_count, captures, end: Some(last), ..RunTrack::default() };
        let own = rounding(&track, duration);
        Truth { track, own, name: format!("closed form: {}", form.name), tolerance: None }
    }

    /// The reference from runs at decreasing tolerances, until it is 100 times better than all runs judged, or the last
    /// one is reached.
    pub(crate) fn refined(
        draft: &Draft,
        judged: &[RunTrack],
        written: &Scenario,
        hear: &mut dyn FnMut(f64),
    ) -> Result<Self, InputError> {
        let mut best: Option<Truth> = None;
        for tolerance in LADDER {
            hear(tolerance);
            let (method, scenario) = draft.reference(tolerance)?;
            let track = RunTrack::of(&scenario).map_err(|error| InputError::without_place(error.to_string()))?;
            let name = format!("{} at tolerance {tolerance:e}", method.name());
            let Some(coarser) = &best else {
                best = Some(Truth { track, own: Errors::default(), name, tolerance: Some(tolerance) });
                continue;
            };
            if track.stop.is_some() && coarser.track.stop.is_none() {
                break;
            }
            let own = errors(&track, &coarser.track, written).at_least(&rounding(&track, written.solver.duration));
            let truth = Truth { track, own, name, tolerance: Some(tolerance) };
            let enough = judged.iter().all(|run| {
                let found = errors(&truth.track, run, written);
                truth.certain(&found).into_iter().all(|certain| certain)
            });
            best = Some(truth);
            if enough {
                break;
            }
        }
        best.ok_or_else(|| InputError::without_place("no reference"))
    }

    /// Whether the reference is 100 times better (or there is nothing to judge), for each of [`Errors::numbers`].
    pub fn certain(&self, found: &Errors) -> [bool; JUDGED.len()] {
        let (found, own) = (found.numbers(), self.own.numbers());
        std::array::from_fn(|i| match (found[i], own[i]) {
            (None, _) => true,
            (Some(found), Some(own)) => BETTER * own <= found,
            (Some(_), None) => false,
        })
    }
}

/// Bounds of the errors that rounding alone causes.
pub(crate) fn rounding(track: &RunTrack, duration: f64) -> Errors {
    const SEVERAL: f64 = 4.0 * f64::EPSILON;
    let largest = |f: fn(&ComparedRow) -> f64| SEVERAL * track.rows.iter().map(f).fold(0.0, f64::max);
    let position = largest(|row| row.position[0].hypot(row.position[1]));
    let velocity = largest(|row| row.velocity[0].hypot(row.velocity[1]));
    let normal_force = largest(|row| row.normal_force.unwrap_or(0.0).abs());
    Errors::default()
        .with(Measure::Position, position)
        .with(Measure::Velocity, velocity)
        .with(Measure::NormalForce, normal_force)
        .with(Measure::FinalPosition, position)
        .with(Measure::FinalVelocity, velocity)
        .with(Measure::EventTime, SEVERAL * duration)
}
