//! States of a run at given times.

use supervisor::{Options, Watching};

use crate::gragg::Precision;
use crate::sensitivities::sweep_into;
use crate::{Family, FamilyError, Model, Observation, Sensitivities, SweepError, Trace, TraceError};

/// Why there are no states with derivatives.
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
    /// Options of the supervisor; the duration is that of the times asked for.
    pub options: Options,
    /// Tolerance of a step, in flight and contact.
    pub tolerance: f64,
    /// At the start of a run: crossings that [`read`](crate::read) reads off, and the moment that ends it. A fit looks at neither.
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
