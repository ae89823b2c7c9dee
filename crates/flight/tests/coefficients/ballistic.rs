//! Motion through still air, and the bound of the distance between an arc and the polynomial through three places of it.

#[path = "../../src/ballistic/air.rs"]
mod air;
#[path = "../../src/ballistic/closed_forms.rs"]
mod closed_forms;
#[path = "../../src/ballistic/hodograph.rs"]
mod hodograph;
#[path = "../../src/ballistic/octic_error.rs"]
mod octic_error;
#[path = "between.rs"]
mod tests;
