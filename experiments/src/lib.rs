#![doc = include_str!("../README.md")]

mod heaps;
mod kern;
mod lab;
mod manifest;
mod sequence;
mod table;

pub use heaps::{Estimate, on_ground};
pub use kern::KernRun;
pub use lab::{Failure, Flags, Lab, Swept, run};
pub use sequence::{Random, slope};
pub use supervisor::Recording;
pub use table::{Cell, Column, Table};
