//! `kugelbahn` for Python: the front door crate, with arguments checked, arrays for answers and Python's exceptions.
//!
//! Every argument is read by [`arguments`], so that whatever is wrong with it is an `InputError` that names it.

mod arguments;
mod arrays;
mod changes;
mod errors;
mod pieces;
mod run;
mod simulation;
mod studies;
mod unlocked;
mod watched;

use pyo3::prelude::*;

/// The compiled part of `kugelbahn`.
#[pymodule]
mod _kugelbahn {
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "a name of Python's")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::pieces::{Ball, Ground};
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::studies::{aim, compare, converge, fit, sweep};
}
