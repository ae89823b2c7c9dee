//! Planar friction as one dense LCP, after Stewart & Trinkle 1996: impulses of some dozen contacts by pivoting.

use std::iter::repeat_n;

use nalgebra::DMatrixView;

use super::{INFINITE, check_friction, check_pairs, larger, natural, reachable, slipped, unknowns};
use crate::problem::entries;
use crate::{Failure, Lemke, Problem, Solved, refill};

/// Contacts with a dense Delassus operator.
#[derive(Clone, Copy, Debug)]
pub struct Frictional<'a> {
    /// `W`, 2n × 2n in the order n₀, t₀, n₁, t₁, ...; 1/kg.
    pub matrix: DMatrixView<'a, f64>,
    /// `q`, m/s.
    pub velocity: &'a [[f64; 2]],
    /// μ of each contact; may be infinite, which [`DenseFriction`] counts as 100, as [`Heap`](super::Heap) does.
    pub friction: &'a [f64],
}

impl Frictional<'_> {
    /// Checks that sizes fit, that of `impulses` too, that numbers are finite, and that each μ is ≥ 0.
    pub fn check(&self, impulses: usize) -> Result<(), Failure> {
        let n = self.velocity.len();
        Failure::size("friction", (self.friction.len(), 1), (n, 1))?;
        Failure::size("impulse", (impulses, 1), (n, 1))?;
        Failure::size("matrix", self.matrix.shape(), (2 * n, 2 * n))?;
        check_pairs("velocity", self.velocity)?;
        check_friction(self.friction)?;
        Failure::finite("matrix", entries(self.matrix))
    }

    /// Velocity `u = W p + q` of a contact, m/s.
    pub fn velocity_after(&self, contact: usize, impulse: &[[f64; 2]]) -> [f64; 2] {
        let component = |k: usize| {
            let row = 2 * contact + k;
            let sum: f64 = impulse
                .iter()
                .enumerate()
                .map(|(j, p)| self.matrix[(row, 2 * j)] * p[0] + self.matrix[(row, 2 * j + 1)] * p[1])
                .sum();
            sum + self.velocity[contact][k]
        };
        [component(0), component(1)]
    }

    /// Residual of impulses, m/s: the largest natural map of a contact, see [`friction`](super).
    pub fn residual(&self, impulse: &[[f64; 2]]) -> f64 {
        let n = self.velocity.len().min(impulse.len()).min(self.friction.len());
        (0..n).fold(0.0, |worst, i| {
            let entry = |k: usize, l: usize| self.matrix[(2 * i + k, 2 * i + l)];
            let block = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
            larger(worst, natural(&block, self.friction[i], impulse[i], self.velocity_after(i, impulse)))
        })
    }
}

/// Solves the planar problem as an LCP in `z = (p_n, β₊, β₋, σ)` of each contact, by [`Lemke`]:
///
/// ```text
/// p_t = β₊ − β₋      w = (u_n,  u_t + σ,  −u_t + σ,  μ p_n − β₊ − β₋)
/// ```
///
/// with `σ = |u_t|` where the contact slides; a contact with μ = 0 has the unknown `p_n` alone. M is copositive if W is
/// positive semidefinite, since `zᵀMz = pᵀWp + Σ μ p_n σ`. Then Lemke ends in a solution, unless contacts jam: unless
/// some `p` in the cones has `W p = 0` and `q·p < 0`, as for a ball wedged between walls that it is to leave both.
#[derive(Clone, Debug)]
pub struct DenseFriction {
    /// Largest [`Frictional::residual`], m/s; 1e-10.
    pub tolerance: f64,
    lemke: Lemke,
    /// Contact of each unknown, and its place in the contact's `z` above: 0 to 3.
    unknowns: Vec<[usize; 2]>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
    /// μ of each contact, with 100 for infinity.
    friction: Vec<f64>,
}

impl Default for DenseFriction {
    fn default() -> Self {
        DenseFriction {
            tolerance: 1e-10,
            lemke: Lemke::default(),
            unknowns: Vec::new(),
            matrix: Vec::new(),
            vector: Vec::new(),
            solution: Vec::new(),
            friction: Vec::new(),
        }
    }
}

impl DenseFriction {
    /// Writes the impulses, N s; values on entry do not matter. After an error they are not to be used.
    pub fn solve(&mut self, problem: Frictional<'_>, impulse: &mut [[f64; 2]]) -> Result<Solved, Failure> {
        Failure::tolerance(self.tolerance)?;
        problem.check(impulse.len())?;
        // Unknowns are impulses times `unit`, 1/kg: velocities as σ is.
        let unit = problem.matrix.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
        let unit = if unit.is_normal() { unit } else { 1.0 };
        let DenseFriction { unknowns: all, matrix, vector, solution, friction, .. } = self;
        refill(friction, problem.friction.iter().map(|mu| if mu.is_finite() { *mu } else { INFINITE }));
        let given = problem.friction;
        let problem = Frictional { friction, ..problem };
        let Frictional { matrix: delassus, velocity, friction } = problem;
        refill(all, friction.iter().enumerate().flat_map(|(i, mu)| (0..unknowns(*mu)).map(move |k| [i, k])));
        let size = all.len();
        // Component of the contact that an unknown belongs to, and its direction there.
        let (component, sign) = (|k: usize| k.min(1), |k: usize| if k == 2 { -1.0 } else { 1.0 });
        // Entry of M for unknown k of contact i (row) and l of contact j (column).
        let entry = |[i, k]: [usize; 2], [j, l]: [usize; 2]| match (k, l) {
            (0..=2, 0..=2) => sign(k) * sign(l) * delassus[(2 * i + component(k), 2 * j + component(l))] / unit,
            _ if i != j => 0.0,
            (1 | 2, _) => 1.0,
            (3, 0) => friction[i],
            (3, 1 | 2) => -1.0,
            _ => 0.0,
        };
        refill(matrix, all.iter().flat_map(|column| all.iter().map(|row| entry(*row, *column))));
        let free = |[i, k]: [usize; 2]| if k == 3 { 0.0 } else { sign(k) * velocity[i][component(k)] };
        refill(vector, all.iter().map(|unknown| free(*unknown)));
        refill(solution, repeat_n(0.0, size));
        let mut read = |solution: &[f64]| {
            impulse.fill([0.0; 2]);
            for ([i, k], z) in all.iter().zip(solution).filter(|([_, k], _)| *k < 3) {
                impulse[*i][component(*k)] += sign(*k) * z;
            }
            impulse.iter_mut().for_each(|p| *p = p.map(|p| p / unit));
            problem.residual(impulse)
        };
        self.lemke.tolerance = reachable(self.tolerance, velocity);
        let pivoted = Problem { matrix: DMatrixView::from_slice(matrix, size, size), vector };
        let solved = self.lemke.solve_judged(pivoted, solution, &mut read)?;
        read(solution);
        Ok(Solved { slipped: slipped(given, problem.friction, impulse), ..solved })
    }
}
