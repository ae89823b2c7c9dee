//! `M a + C v + K x = F(t)` with constant matrices of any size.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::perm::PermRef;
use faer::{Mat, MatMut, Par};

use newmark::Scheme;

/// Position, velocity and acceleration of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewmarkState {
    /// Position x.
    pub position: Vec<f64>,
    /// Velocity v.
    pub velocity: Vec<f64>,
    /// Acceleration a.
    pub acceleration: Vec<f64>,
}

/// Reasons why a system is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NewmarkError {
    /// Matrices of different sizes.
    #[error("{name} is {rows} × {columns}, but the mass matrix is {size} × {size} or should be square")]
    Size {
        /// `M`, `C` or `K`.
        name: &'static str,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
        /// Rows of M.
        size: usize,
    },
    /// An entry that is NaN or infinite.
    #[error("{name}[{row}, {column}] is {value}: every entry must be finite")]
    NotFinite {
        /// `M`, `C` or `K`.
        name: &'static str,
        /// Row from 0.
        row: usize,
        /// Column from 0.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// A step that is none.
    #[error("h = {step} is not allowed: it must be positive and finite")]
    Step {
        /// Step that was given, s.
        step: f64,
    },
    /// `M + γhC + βh²K` has no inverse.
    #[error("the iteration matrix M + γhC + βh²K is singular (pivot {pivot} of {size}); choose another h or check M")]
    Singular {
        /// Index of the vanishing pivot, from 0.
        pivot: usize,
        /// Size of the matrix.
        size: usize,
    },
}

/// The scheme for one system and one step size, factorised once; a step allocates nothing.
///
/// M may be singular (a constraint's row is zero) as long as `M + γhC + βh²K` is not: that is the direct
/// discretisation of an index-3 DAE.
pub struct LinearNewmark {
    scheme: Scheme,
    step: f64,
    damping: Mat<f64>,
    stiffness: Mat<f64>,
    factors: Mat<f64>,
    forward: Vec<usize>,
    inverse: Vec<usize>,
    scratch: MemBuffer,
    right: Vec<f64>,
    velocity: Vec<f64>,
    position: Vec<f64>,
}

impl LinearNewmark {
    /// `mass`, `damping`, `stiffness`: n × n; `step` h in s (> 0).
    pub fn new(
        mass: Mat<f64>,
        damping: Mat<f64>,
        stiffness: Mat<f64>,
        scheme: Scheme,
        step: f64,
    ) -> Result<Self, NewmarkError> {
        let n = mass.nrows();
        if !(step > 0.0 && step.is_finite()) {
            return Err(NewmarkError::Step { step });
        }
        for (name, matrix) in [("M", &mass), ("C", &damping), ("K", &stiffness)] {
            if matrix.nrows() != n || matrix.ncols() != n {
                return Err(NewmarkError::Size { name, rows: matrix.nrows(), columns: matrix.ncols(), size: n });
            }
            for column in 0..n {
                if let Some(row) = (0..n).find(|row| !matrix[(*row, column)].is_finite()) {
                    return Err(NewmarkError::NotFinite { name, row, column, value: matrix[(row, column)] });
                }
            }
        }
        let (beta, gamma) = (scheme.beta(), scheme.gamma());
        let mut factors = Mat::from_fn(n, n, |i, j| {
            mass[(i, j)] + gamma * step * damping[(i, j)] + beta * step * step * stiffness[(i, j)]
        });
        let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
        let need = factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default())
            .or(solve::solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq));
        let mut scratch = MemBuffer::new(need);
        let largest = factors.norm_max();
        factor::lu_in_place(
            factors.as_mut(),
            &mut forward,
            &mut inverse,
            Par::Seq,
            MemStack::new(&mut scratch),
            Default::default(),
        );
        let vanishes = |i: &usize| !(factors[(*i, *i)].abs() > f64::EPSILON * 1e-3 * largest);
        if let Some(pivot) = (0..n).find(vanishes) {
            return Err(NewmarkError::Singular { pivot, size: n });
        }
        let zeros = || vec![0.0; n];
        Ok(LinearNewmark {
            scheme,
            step,
            damping,
            stiffness,
            factors,
            forward,
            inverse,
            scratch,
            right: zeros(),
            velocity: zeros(),
            position: zeros(),
        })
    }

    /// Number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.right.len()
    }

    /// Step h, s.
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// Makes one step: `force` is F at the end of the step. All slices have [`LinearNewmark::size`] entries; shorter ones count as
    /// filled up with zeros.
    pub fn step(&mut self, state: &mut NewmarkState, force: &[f64]) {
        let (n, h) = (self.size(), self.step);
        let get = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
        for i in 0..n {
            let (x, v, a) = (get(&state.position, i), get(&state.velocity, i), get(&state.acceleration, i));
            self.velocity[i] = self.scheme.velocity_without(h, v, a);
            self.position[i] = self.scheme.position_without(h, x, v, a);
        }
        for i in 0..n {
            let taken: f64 = (0..n)
                .map(|j| self.damping[(i, j)] * self.velocity[j] + self.stiffness[(i, j)] * self.position[j])
                .sum();
            self.right[i] = get(force, i) - taken;
        }
        solve::solve_in_place(
            self.factors.as_ref(),
            self.factors.as_ref(),
            PermRef::new_checked(&self.forward, &self.inverse, n),
            MatMut::from_column_major_slice_mut(&mut self.right, n, 1),
            Par::Seq,
            MemStack::new(&mut self.scratch),
        );
        for values in [&mut state.position, &mut state.velocity, &mut state.acceleration] {
            values.resize(n, 0.0);
        }
        for i in 0..n {
            let a = self.right[i];
            state.velocity[i] = self.velocity[i] + self.scheme.gamma() * h * a;
            state.position[i] = self.position[i] + self.scheme.beta() * h * h * a;
            state.acceleration[i] = a;
        }
    }
}
