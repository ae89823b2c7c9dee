//! States of a run at given times.

use supervisor::{Options, Watching};

use crate::gragg::Precision;
use crate::sensitivities::sweep_into;
use crate::{Family, FamilyError, Model, Observation, Sensitivities, SweepError, Trace, TraceError};

/// Reason why a run has no states with derivatives.
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

/// Settings of the runs.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Options of the supervisor; [`observe`] takes the duration from the times asked for instead.
    pub options: Options,
    /// Tolerance of a step, in flight and in contact.
    pub tolerance: f64,
    /// Watches and end of a run that [`read`](crate::read) uses; a fit ignores them.
    pub watching: Watching,
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
