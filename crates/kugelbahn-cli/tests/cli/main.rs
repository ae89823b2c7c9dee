//! The command `kugelbahn`, and what it does in the words of the library.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

#[path = "../common/mod.rs"]
mod common;

mod aim;
mod aim_plateaus;
mod bad_input;
mod book;
mod check;
mod compare;
mod drawn;
mod entry;
mod figures;
mod files_mutated;
mod films;
mod fit;
mod fit_limits;
mod fit_noise;
mod fit_units;
mod formats;
mod forms;
mod held;
mod hostile;
mod judged;
mod lost_output;
mod many_balls;
mod mutations;
mod output;
mod phases;
mod profiles;
mod readers;
mod scenarios;
mod stepping;
mod sweep;
mod sweep_killed;
mod tutorials;
mod watches;
