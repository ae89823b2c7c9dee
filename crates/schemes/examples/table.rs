//! The table of the book: each method's orders, penetration, energy, end of bounces and cost.
#![allow(clippy::print_stdout, clippy::panic, clippy::expect_used, reason = "it prints, and stops where a run does")]

#[path = "../tests/measure/mod.rs"]
#[allow(dead_code, reason = "a test looks at more")]
mod measure;

fn main() {
    println!("{}", measure::HEADER);
    measure::methods().for_each(|name| println!("{}", measure::row(name)));
}
