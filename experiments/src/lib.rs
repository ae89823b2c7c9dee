#![doc = include_str!("../README.md")]

mod kern;
mod lab;
mod manifest;
mod recording;
mod sequence;
mod table;

pub use kern::KernRun;
pub use lab::{Failure, Flags, Lab, run};
pub use recording::Recording;
pub use sequence::{Random, slope};
pub use table::{Column, Table};
