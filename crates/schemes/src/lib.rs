#![doc = include_str!("../README.md")]

pub mod dae;
pub mod stepping;

use rolling::DaeScheme;
use scenario::Methods;

use dae::{EnergyMomentum, RadauIia};
use stepping::{CdLagrange, Decoupled, Extrapolated, HalfExplicit, MoreauMidpoint, PaoliSchatzman, Variational};

/// Adds the methods of this crate to known ones.
pub fn methods(known: Methods) -> Methods {
    known
        .with_stepping("moreau-midpoint", |_| MoreauMidpoint::default())
        .with_stepping("extrapolated-moreau", |_| Extrapolated::default())
        .with_stepping("paoli-schatzman", |_| PaoliSchatzman::default())
        .with_stepping("rattle", |_| stepping::Rattle::default())
        .with_stepping("generalized-alpha", |_| stepping::GeneralizedAlpha::default())
        .with_stepping("decoupled-alpha", |_| Decoupled::default())
        .with_stepping("cd-lagrange", |_| CdLagrange::default())
        .with_stepping("d1-minus", |_| HalfExplicit::default())
        .with_stepping("variational", |_| Variational)
        .with_formulation("generalized-alpha-dae", |control| dae::GeneralizedAlpha::new(0.8).stepped(control))
        .with_formulation("hht", |control| dae::GeneralizedAlpha::hht(0.1).stepped(control))
        .with_formulation("radau-iia", |control| RadauIia.stepped(control))
        .with_formulation("energy-momentum", |control| EnergyMomentum::default().stepped(control))
        .with_formulation("rattle-dae", |control| dae::Rattle::default().stepped(control))
}
