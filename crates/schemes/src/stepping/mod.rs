//! Schemes of time stepping that implement [`SteppingScheme`](moreau::SteppingScheme).

mod alpha;
mod cd_lagrange;
mod d1_minus;
mod decoupled;
mod extrapolated;
mod generalized_alpha;
mod levels;
mod moreau_midpoint;
mod paoli_schatzman;
mod rattle;
mod variational;

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::numbers::Rounding;
use moreau::{Contacts, Lagrangian, Motion};

pub use cd_lagrange::CdLagrange;
pub use d1_minus::HalfExplicit;
pub use decoupled::Decoupled;
pub use extrapolated::Extrapolated;
pub use generalized_alpha::GeneralizedAlpha;
pub use moreau_midpoint::MoreauMidpoint;
pub use paoli_schatzman::PaoliSchatzman;
pub use rattle::Rattle;
pub use variational::Variational;

/// Largest number of iterations of a step.
const ITERATIONS: usize = 60;
/// Change in an iteration, relative to the velocity, at which iterations end.
const TOLERANCE: f64 = 1e-13;

/// Gap up to which contacts are listed, in displacements by free motion: forces and impulses in the step add to these.
const REACH: f64 = 4.0;

/// Iterates until the change (m/s) that a round returns is rounding.
fn iterate(
    motion: &mut Motion,
    h: f64,
    mut round: impl FnMut(&mut Motion) -> Result<f64, SchemeError>,
) -> Result<(), SchemeError> {
    let mut change = f64::INFINITY;
    for _ in 0..ITERATIONS {
        change = round(motion)?;
        if is_settled(change, motion, h) {
            return Ok(());
        }
    }
    Err(unsettled(change))
}

/// Whether an iteration has converged: its change (m/s) is rounding of velocities, or of places over the step h (s).
fn is_settled(change: f64, at: &Motion, h: f64) -> bool {
    change <= TOLERANCE * at.velocity.amax() + Rounding::SUM * f64::EPSILON * at.position.amax() / h
}

/// Error of an iteration that did not converge.
fn unsettled(change: f64) -> SchemeError {
    SchemeError { reason: "the iteration of a step does not settle; last change in m/s", value: change }
}

/// `M⁻¹F(t, q, v)`
fn acceleration(system: &mut dyn Lagrangian, at: &Motion) -> DVector<f64> {
    let mut a = DVector::zeros(system.size());
    system.acceleration(at, &mut a);
    a
}

/// Adds the impulses of one part of a step, times `weight`, to those of the whole step.
fn gather(found: &Contacts, weight: f64, all: &mut Contacts) {
    all.without_restitution |= found.without_restitution;
    for part in found.iter().filter(|part| part.impulse != [0.0; 2]) {
        let sum = match all.iter().position(|contact| contact.key == part.key) {
            Some(known) => &mut all[known],
            None => all.add(part.key, &part.law, part.gap),
        };
        sum.normal.clone_from(&part.normal);
        sum.tangent.clone_from(&part.tangent);
        sum.turn = part.turn;
        sum.impulse = [0, 1].map(|k| sum.impulse[k] + weight * part.impulse[k]);
    }
}
