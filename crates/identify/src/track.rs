//! A track, places of a ball at known times, and the fit of a run to it.

use nalgebra::DMatrix;
use supervisor::{Options, Watching};

use crate::gragg::Precision;
use crate::sensitivities::sweep_into;
use crate::{
    Evaluation, Family, FamilyError, Model, Observation, Sensitivities, Solution, SolveError, Solver, SweepError,
    Trace, TraceError,
};

/// Observed places of a ball. A coordinate that was not seen is NaN and does not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    times: Vec<f64>,
    points: Vec<[f64; 2]>,
}

/// Reason why data are no track.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TrackError {
    /// Numbers of points and times that differ.
    #[error("{times} times and {points} points: there must be one point for each time")]
    Lengths {
        /// Number of times.
        times: usize,
        /// Number of points.
        points: usize,
    },
    /// Times that are negative, not finite, or not ascending.
    #[error("time {index} is {time:?} s after {before:?} s: times must be finite, not negative, and grow")]
    Order {
        /// Index, from 0.
        index: usize,
        /// Time, s.
        time: f64,
        /// Time before it, s.
        before: f64,
    },
    /// No coordinate was seen.
    #[error("none of the {points} points is a place")]
    Nothing {
        /// Number of points.
        points: usize,
    },
}

/// Reason why a model can't be compared with a track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError<E> {
    /// The model can't be built.
    #[error(transparent)]
    Family(#[from] FamilyError<E>),
    /// The run stopped early.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// There are no sensitivities.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

/// Settings of the runs of a fit.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Options of the supervisor; the track's duration replaces that of the options.
    pub options: Options,
    /// Tolerance of a step, in flight and in contact.
    pub tolerance: f64,
    /// Watches and end of a run that [`read`](crate::read) uses; a fit ignores them.
    pub watching: Watching,
}

impl Track {
    /// Creates a track from times (s) and places of the centre (m).
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

    /// Model less data, m, with derivatives, for coordinates until a time (s).
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

    /// Fits the parameters to the track, from `start`, over longer and longer parts of it.
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

/// States of the run of `values`, with derivatives, at ascending times (s); times beyond its end are left out.
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
