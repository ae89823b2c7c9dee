//! Scenario and curve files as a library reads them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail loudly, and say what they measured"
)]

mod book;
mod dense;
mod drawings;
mod joined;
mod keys;
mod kinds;
mod kinds_input;
mod kinds_orders;
mod long_files;
mod making;
mod one_reader;
mod parts;
mod profiles;
mod several;
mod tables;
mod unknowns;
