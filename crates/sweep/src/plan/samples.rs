//! Samples drawn from distributions.

use scenario::Setting;
use scenario::input::InputError;

use super::law::SampleLaw;
use super::text;
use crate::random::{BITS, Use, bits, fraction, permuted, unit};
use crate::request::Request;
use crate::sobol::{DIMENSIONS, Sobol};

/// Design of the sample points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// Independent numbers.
    Random,
    /// Sobol's sequence, with a digital shift by the seed.
    Sobol,
    /// Latin hypercube: for each key one number in each of `count` parts of equal probability.
    Latin,
}

/// Names of the designs.
pub const DESIGNS: [(&str, Design); 3] =
    [("random", Design::Random), ("sobol", Design::Sobol), ("latin", Design::Latin)];

/// Distributions of several keys, and the design of their points.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub keys: Vec<String>,
    pub laws: Vec<SampleLaw>,
    pub count: u64,
    design: Design,
    seed: u64,
    sobol: Sobol,
}

impl Samples {
    /// Reads the samples of a request, if it asks for any.
    pub fn of(request: &Request) -> Result<Option<Self>, InputError> {
        let wrong = |message: &str, help: &str| Err(InputError::without_place(message).with_help(help));
        if let (true, Some(design)) = (request.sample.is_empty(), &request.design) {
            return wrong(&format!("--design {design} without --sample"), "say what is drawn: --sample 'KEY ~ LAW'");
        }
        let count = match (request.sample.is_empty(), request.count) {
            (true, None) => return Ok(None),
            (true, Some(_)) => return wrong("--count without --sample", "say what is drawn: --sample 'KEY ~ LAW'"),
            (false, None) => return wrong("--sample without --count", "say how many: --count 1000"),
            (false, Some(0)) => return wrong("--count 0 makes no run", "give at least 1"),
            (false, Some(count)) => count,
        };
        let (keys, laws): (Vec<String>, Vec<SampleLaw>) =
            request.sample.iter().map(|text| text::sample(text)).collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let design = request.design.as_deref().unwrap_or("random");
        let Some((_, design)) = DESIGNS.iter().find(|(name, _)| *name == design) else {
            let message = format!("there is no design `{design}`");
            return wrong(&message, "choose random, sobol or latin");
        };
        if *design == Design::Sobol && laws.len() > DIMENSIONS {
            let message =
                format!("Sobol's sequence is known here in {DIMENSIONS} dimensions, and {} are asked for", laws.len());
            return wrong(&message, "sample fewer keys, or take --design latin");
        }
        let (seed, sobol) = (request.seed, Sobol::new(laws.len()));
        Ok(Some(Samples { keys, laws, count, design: *design, seed, sobol }))
    }

    pub fn at(&self, index: u64, values: &mut Vec<Setting>) {
        values.extend(self.laws.iter().enumerate().map(|(i, law)| law.quantile(self.fraction(i, index))));
    }

    /// Fraction of a sample in one dimension, in (0, 1).
    fn fraction(&self, dimension: usize, index: u64) -> f64 {
        match self.design {
            Design::Random => unit(self.seed, Use::Sample, dimension, index),
            Design::Sobol => {
                // The unshifted sequence begins with 0, whose quantile may be infinite.
                let shift = bits(self.seed, Use::Shift, dimension, 0) >> (64 - BITS);
                fraction(self.sobol.cell(dimension, index) ^ shift)
            }
            Design::Latin => {
                let part = permuted(self.seed, dimension, index, self.count) as f64;
                let within = unit(self.seed, Use::Within, dimension, index);
                // Rounding must stay within (0, 1).
                ((part + within) / self.count as f64).clamp(fraction(0), fraction((1 << BITS) - 1))
            }
        }
    }
}
