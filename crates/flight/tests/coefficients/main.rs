//! What holds of coefficients that no user sees: their sources are compiled here as they are.

#[allow(dead_code, reason = "what only flight asks")]
mod ballistic;
mod dop853;
#[path = "../../src/dop853/tableau.rs"]
mod tableau;
