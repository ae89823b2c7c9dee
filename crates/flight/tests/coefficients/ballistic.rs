//! Motion through still air, and the bound of the distance between an arc and the polynomial through three places of it.

#[path = "../../src/ballistic/closed_form_or_quadrature.rs"]
mod closed_form_or_quadrature;
#[path = "../../src/ballistic/closed_forms.rs"]
mod closed_forms;
#[path = "../../src/ballistic/hodograph.rs"]
mod hodograph;
#[path = "../../src/ballistic/octic_error.rs"]
mod octic_error;
#[path = "between.rs"]
mod tests;
