//! Moreau's midpoint rule as a scheme of a caller, with room of its own.

use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};
use nalgebra::DVector;

#[derive(Default)]
pub struct Midpoint {
    free: DVector<f64>,
}

impl SteppingScheme for Midpoint {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        motion.drift(0.5 * h);
        system.contacts(motion, 0.0, contacts);
        system.acceleration(motion, &mut self.free);
        self.free.axpy(1.0, &motion.velocity, h);
        contacts.bounce(system, &motion.velocity, &mut self.free)?;
        std::mem::swap(&mut motion.velocity, &mut self.free);
        motion.drift(0.5 * h);
        Ok(())
    }
}
