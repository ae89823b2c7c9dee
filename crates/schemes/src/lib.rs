#![doc = include_str!("../README.md")]

pub mod dae;
pub mod stepping;

use rolling::DaeScheme;
use scenario::Methods;

use dae::{EnergyMomentum, GeneralizedAlpha, RadauIia, Rattle};

/// Adds the methods of this crate to known ones.
pub fn methods(known: Methods) -> Methods {
    let known =
        stepping::STEPPING.into_iter().fold(known, |known, (name, make)| known.with_stepping(name, move |_| make()));
    known
        .with_formulation("generalized-alpha-dae", |control| GeneralizedAlpha::new(0.8).stepped(control))
        .with_formulation("hht", |control| GeneralizedAlpha::hht(0.1).stepped(control))
        .with_formulation("radau-iia", |control| RadauIia.stepped(control))
        .with_formulation("energy-momentum", |control| EnergyMomentum::default().stepped(control))
        .with_formulation("rattle-dae", |control| Rattle::default().stepped(control))
}
