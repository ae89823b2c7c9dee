//! Motion through still air, and the bound of the distance between an arc and the polynomial through three places of it.

#[path = "../../src/ballistic/air.rs"]
mod air;
#[path = "../../src/ballistic/between.rs"]
mod between;
#[path = "../../src/ballistic/closed.rs"]
mod closed;
#[path = "../../src/ballistic/hodograph.rs"]
mod hodograph;
#[path = "between.rs"]
mod tests;
