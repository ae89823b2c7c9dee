//! Places of a ball at known times, and the run that fits them best.

use nalgebra::DMatrix;
use supervisor::{Options, Watching};

use crate::gragg::Precision;
use crate::sensitivities::sweep_into;
use crate::{
    Evaluation, Family, FamilyError, Model, Observation, Sensitivities, Solution, SolveError, Solver, SweepError,
    Trace, TraceError,
};

/// Where a ball was seen. A coordinate that was not seen is NaN and counts for nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    times: Vec<f64>,
    points: Vec<[f64; 2]>,
}

/// Data that are no track.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TrackError {
    /// As many points as times.
    #[error("{times} times and {points} points: there must be one point for each time")]
    Lengths {
        /// Times.
        times: usize,
        /// Points.
        points: usize,
    },
    /// Times that are no times of a run, or don't grow.
    #[error("time {index} is {time:?} s after {before:?} s: times must be finite, not negative, and grow")]
    Order {
        /// Index, from 0.
        index: usize,
        /// s
        time: f64,
        /// The one before it, s.
        before: f64,
    },
    /// Nothing was seen.
    #[error("none of the {points} points is a place")]
    Nothing {
        /// Points.
        points: usize,
    },
}

/// Why a model can't be held against a track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError<E> {
    /// No model.
    #[error(transparent)]
    Family(#[from] FamilyError<E>),
    /// No whole run.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// No sensitivities.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

/// How runs are made.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Options of the supervisor; the duration is the track's.
    pub options: Options,
    /// Tolerance of a step, in flight and contact.
    pub tolerance: f64,
    /// At the start of a run: crossings that [`read`](crate::read) reads off, and the moment that ends it. A fit looks at neither.
    pub watching: Watching,
}

impl Track {
    /// Times in s and places of the centre in m.
    pub fn new(times: Vec<f64>, points: Vec<[f64; 2]>) -> Result<Self, TrackError> {
        if times.len() != points.len() {
            return Err(TrackError::Lengths { times: times.len(), points: points.len() });
        }
        let mut before = -f64::MIN_POSITIVE;
        for (index, time) in times.iter().copied().enumerate() {
            if !(time > before && time.is_finite()) {
                return Err(TrackError::Order { index, time, before });
            }
            before = time;
        }
        if !points.iter().flatten().any(|c| c.is_finite()) {
            return Err(TrackError::Nothing { points: points.len() });
        }
        Ok(Track { times, points })
    }

    /// Coordinates seen: index of the time, axis, value.
    fn seen(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let both = self.points.iter().enumerate().flat_map(|(i, [x, y])| [(i, 0, *x), (i, 1, *y)]);
        both.filter(|(_, _, value)| value.is_finite())
    }

    /// Model less data in m, with derivatives, for coordinates until a time (s).
    pub fn residuals<E>(
        &self,
        until: f64,
        values: &[f64],
        build: impl Fn(&[f64]) -> Result<Model, E>,
        runs: &RunSettings,
    ) -> Result<Evaluation, ModelError<E>> {
        let count = self.times.partition_point(|t| *t <= until);
        let samples = observe(&self.times[..count], values, build, runs)?;
        let rows: Vec<_> = self.seen().filter(|(i, ..)| *i < samples.len()).collect();
        let residuals = rows.iter().map(|(i, axis, value)| samples[*i].state[*axis] - value).collect();
        let jacobian = DMatrix::from_fn(rows.len(), values.len(), |row, j| {
            let (i, axis, _) = rows[row];
            samples[i].by[j][axis]
        });
        Ok(Evaluation { residuals, jacobian })
    }

    /// The parameters whose run is closest to the track, from `start`: longer and longer parts of it are fitted.
    pub fn fit<E>(
        &self,
        start: &[f64],
        build: impl Fn(&[f64]) -> Result<Model, E>,
        runs: &RunSettings,
        solver: &Solver,
    ) -> Result<Solution, SolveError<ModelError<E>>> {
        let end = self.times.last().copied().unwrap_or(0.0);
        let data =
            |part: f64| self.seen().filter(|(i, ..)| 0.0 < self.times[*i] && self.times[*i] <= part * end).count();
        solver.solve_in_stages(start, data, |part, values| self.residuals(part * end, values, &build, runs))
    }
}

/// States of the run of `values`, with their derivatives, at ascending times (s); times beyond its end are left out.
pub fn observe<E>(
    times: &[f64],
    values: &[f64],
    build: impl Fn(&[f64]) -> Result<Model, E>,
    runs: &RunSettings,
) -> Result<Vec<Observation>, ModelError<E>> {
    let family = Family::new(values, build)?;
    let last = times.last().copied().unwrap_or(0.0);
    let options = Options { duration: last.max(f64::MIN_POSITIVE), ..runs.options };
    let trace = Trace::of(family.base(), options, runs.tolerance)?;
    let mut found = Sensitivities::default();
    sweep_into(&mut found, &family, values.len(), Precision::SEARCH, &trace, times, last)?;
    Ok(found.samples)
}
