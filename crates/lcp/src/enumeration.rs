//! Every support in turn: exponential, simple, and independent of the other methods.

use crate::problem::tolerance;
use crate::scaled::Scaled;
use crate::{Failure, Problem, Solved, Solver};

/// Tries all 2ⁿ supports, fewest unknowns of the last bits first: for cross-checks.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Largest [`Problem::residual`] of a solution; 1e-11.
    pub tolerance: f64,
    scaled: Scaled,
    guess: Vec<f64>,
}

impl Default for Enumeration {
    fn default() -> Self {
        Enumeration { tolerance: 1e-11, scaled: Scaled::default(), guess: Vec::new() }
    }
}

impl Enumeration {
    /// Most unknowns.
    pub const LIMIT: usize = 20;

    /// Calls `found` with every solution that has a regular support (the same may come more than once where it is
    /// degenerate) until it returns false; whether all supports were regular, and how many were tried.
    pub fn all(
        &mut self,
        problem: Problem<'_>,
        mut found: impl FnMut(&[f64], f64) -> bool,
    ) -> Result<(bool, usize), Failure> {
        tolerance(self.tolerance)?;
        let n = problem.size();
        problem.check(n)?;
        if n > Self::LIMIT {
            return Err(Failure::TooLarge { size: n, limit: Self::LIMIT });
        }
        self.scaled.load(problem);
        self.guess.clear();
        self.guess.resize(n, 0.0);
        let mut regular = true;
        for mask in 0_usize..1 << n {
            if !self.scaled.solve_support(|i| mask >> i & 1 == 1, false, &mut self.guess) {
                regular = false;
                continue;
            }
            for (i, z) in self.guess.iter_mut().enumerate() {
                *z = self.scaled.unscale(i, *z);
            }
            let residual = problem.residual(&self.guess);
            if residual <= self.tolerance {
                for z in &mut self.guess {
                    *z = z.max(0.0);
                }
                if !found(&self.guess, problem.residual(&self.guess)) {
                    return Ok((regular, mask + 1));
                }
            }
        }
        Ok((regular, 1 << n))
    }
}

impl Solver for Enumeration {
    fn solve(&mut self, problem: Problem<'_>, solution: &mut [f64]) -> Result<Solved, Failure> {
        problem.check(solution.len())?;
        let mut reached = None;
        let (regular, tried) = self.all(problem, |z, residual| {
            solution.copy_from_slice(z);
            reached = Some(residual);
            false
        })?;
        match reached {
            Some(residual) => Ok(Solved { iterations: tried, residual }),
            None => Err(Failure::NoSolution { pivots: tried, artificial: 1.0, proven: regular }),
        }
    }
}
