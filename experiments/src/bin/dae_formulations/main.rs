#![doc = include_str!("README.md")]

mod acceleration;
mod orders;

use std::process::ExitCode;

use experiments::run;
use kugelbahn::figures::{BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, stack};

/// Names in scenario files, and their colours in the figure.
const FORMULATIONS: [(&str, &str); 5] = [
    ("index3", VERMILION),
    ("stabilized-index2", ORANGE),
    ("projected", GREEN),
    ("symmetric", BLUE),
    ("arc-length", GREY),
];

/// `symmetric` with one extrapolation per step.
const EXTRAPOLATED: (&str, &str) = ("extrapolated", PURPLE);

fn main() -> ExitCode {
    run("dae_formulations", |lab| {
        let orders = orders::bead(lab)?;
        orders::rolling_sphere(lab)?;
        let sawtooth = acceleration::wrong_start(lab)?;
        let growth = acceleration::long_run(lab)?;
        lab.figure(&stack("Five formulations of the same contact", vec![orders, sawtooth, growth]).svg())
    })
}
