//! Extrapolated Moreau: C. Studer, R. I. Leine and Ch. Glocker, *Step size adjustment and extrapolation for
//! time-stepping schemes in non-smooth dynamics*, Int. J. Numer. Meth. Engng 76 (2008) 1747.

use moreau::newmark::SchemeError;
use moreau::{ContactKey, Contacts, Lagrangian, Motion, SteppingScheme};

use super::{MoreauMidpoint, gather};

/// A step without a change of contacts is extrapolated from runs of 1, 2 and 3 parts by Moreau's rule, of order 1:
///
/// ```text
/// T₃ = x₁/2 − 4x₂ + 9x₃/2        Aitken and Neville for the sequence h, h/2, h/3
/// ```
///
/// A step with a change of contacts is halved, down to parts of `h/2ᵏ`, which are steps by Moreau's rule. k replaces
/// the least step of the paper. Contacts change if the sets of those with impulses differ between parts. A change
/// between stick and slip does not count, which the paper leaves open for smooth friction.
#[derive(Clone, Copy, Debug)]
pub struct Extrapolated {
    /// Halvings k of a step, at most.
    pub halvings: u32,
}

impl Default for Extrapolated {
    fn default() -> Self {
        Extrapolated { halvings: 6 }
    }
}

/// Weights of the runs of 1, 2 and 3 parts.
const WEIGHTS: [f64; 3] = [0.5, -4.0, 4.5];

impl SteppingScheme for Extrapolated {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        all: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let mut runs = [0; 3].map(|_| (motion.clone(), all.clone()));
        let mut pushing: Option<Vec<ContactKey>> = None;
        let mut same = true;
        let (mut found, mut rule) = (Contacts::default(), MoreauMidpoint::default());
        for ((end, sums), parts) in runs.iter_mut().zip(1..) {
            sums.clear(&motion.position);
            for _ in 0..parts {
                rule.step(system, end, h / f64::from(parts), &mut found)?;
                let keys: Vec<_> = found.iter().filter(|c| c.impulse[0] > 0.0).map(|c| c.key).collect();
                same &= *pushing.get_or_insert_with(|| keys.clone()) == keys;
                gather(&found, 1.0, sums);
            }
            if self.halvings == 0 {
                *motion = end.clone();
                gather(sums, 1.0, all);
                return Ok(());
            }
        }
        if !same {
            let mut half = Extrapolated { halvings: self.halvings - 1 };
            half.step(system, motion, 0.5 * h, all)?;
            return half.step(system, motion, 0.5 * h, all);
        }
        (motion.position, motion.velocity, motion.time) =
            (0.0 * &motion.position, 0.0 * &motion.velocity, runs[0].0.time);
        for ((end, sums), weight) in runs.iter().zip(WEIGHTS) {
            motion.position.axpy(weight, &end.position, 1.0);
            motion.velocity.axpy(weight, &end.velocity, 1.0);
            gather(sums, weight, all);
        }
        Ok(())
    }
}
