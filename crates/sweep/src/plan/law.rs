//! Distributions of values.

use std::sync::Arc;

use scenario::Setting;

use crate::normal::normal_quantile;

/// Distribution of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleLaw {
    /// Mean and standard deviation, ≥ 0.
    Normal(f64, f64),
    /// Least and largest value.
    Uniform(f64, f64),
    /// Mean and standard deviation (≥ 0) of the natural logarithm.
    Lognormal(f64, f64),
    /// One of these, with equal probability.
    Choice(Vec<Setting>),
}

impl SampleLaw {
    /// The values to choose from.
    pub(super) fn list(&self) -> Option<&[Setting]> {
        if let SampleLaw::Choice(list) = self { Some(list) } else { None }
    }

    /// Quantile for the probability `p`.
    pub(super) fn quantile(&self, p: f64) -> Setting {
        Setting::Number(match self {
            SampleLaw::Normal(mean, deviation) => mean + deviation * normal_quantile(p),
            SampleLaw::Uniform(from, to) => from + (to - from) * p,
            SampleLaw::Lognormal(mean, deviation) => libm::exp(mean + deviation * normal_quantile(p)),
            SampleLaw::Choice(list) => {
                let which = ((p * list.len() as f64) as usize).min(list.len() - 1);
                return list.get(which).cloned().unwrap_or(Setting::Text(Arc::from("")));
            }
        })
    }
}
