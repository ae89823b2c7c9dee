//! `kugelbahn` for Python: the front door crate, with arguments checked, arrays for answers and Python's exceptions.
//!
//! Every argument is read by [`arguments`], so that whatever is wrong with it is an `InputError` that names it.

mod arguments;
mod arrays;
mod errors;
mod pieces;
mod run;
mod simulation;
mod studies;
mod watched;

use pyo3::prelude::*;

/// The compiled part of `kugelbahn`.
#[pymodule]
mod _kugelbahn {
    #[pymodule_export]
    use super::pieces::{Ball, Ground};
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::studies::{aim, compare, converge, fit, sweep};
}
