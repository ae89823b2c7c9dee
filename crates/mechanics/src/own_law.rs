//! A normal force of the caller's own.

use std::fmt;
use std::sync::Arc;

/// The normal force of a ball that gives way.
///
/// What it stores is the integral of its force at rate 0; the rest of it dissipates. Derivatives are central differences.
///
/// ```
/// use mechanics::NormalLaw;
///
/// /// A spring (N/m) that is stiffer the more it is compressed.
/// #[derive(Debug)]
/// struct Stiffening(f64);
///
/// impl NormalLaw for Stiffening {
///     fn force(&self, compression: f64, _rate: f64) -> f64 {
///         self.0 * compression * (1.0 + 1e3 * compression)
///     }
/// }
/// ```
pub trait NormalLaw: fmt::Debug + Send + Sync + 'static {
    /// N in N, positive where it pushes, at a compression `δ ≥ 0` (m) and its rate `δ̇` (m/s). Without both it is 0.
    fn force(&self, compression: f64, rate: f64) -> f64;
}

/// A [`NormalLaw`] behind a pointer, with its name.
#[derive(Clone, Debug)]
pub struct OwnLaw {
    name: &'static str,
    numbers: Vec<(String, f64)>,
    law: Arc<dyn NormalLaw>,
}

impl OwnLaw {
    /// A law, how it is called, and the numbers it is made of, which reports tell.
    pub fn new(name: &'static str, numbers: Vec<(String, f64)>, law: Arc<dyn NormalLaw>) -> Self {
        OwnLaw { name, numbers, law }
    }

    /// Name of the law.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The numbers it is made of.
    pub fn numbers(&self) -> &[(String, f64)] {
        &self.numbers
    }

    /// The law.
    pub fn shared(&self) -> &Arc<dyn NormalLaw> {
        &self.law
    }

    pub(crate) fn force(&self, compression: f64, rate: f64) -> f64 {
        self.law.force(compression, rate)
    }
}

impl PartialEq for OwnLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.law, &other.law)
    }
}
