//! Newmark's β–γ scheme for `M a + C v + K x = F(t)` with constant matrices: what is a step of it?

use faer::Mat;
use newmark::Scheme;

use crate::InputError;
use crate::matrix_checks_and_factors::{Factor, MatrixView};
use moreau::Stride;

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

/// The scheme for one system and one step size, factorised once; a step allocates nothing.
///
/// M may be singular (a constraint's row is zero) as long as `M + γhC + βh²K` is not: that is the direct
/// discretisation of an index-3 DAE.
pub struct LinearNewmark {
    scheme: Scheme,
    step: f64,
    damping: Mat<f64>,
    stiffness: Mat<f64>,
    factor: Factor,
    right: Vec<f64>,
    velocity: Vec<f64>,
    position: Vec<f64>,
}

impl LinearNewmark {
    /// Factorises the scheme; `mass`, `damping`, `stiffness`: n × n; `step` h in s (> 0).
    pub fn new(
        mass: Mat<f64>,
        damping: Mat<f64>,
        stiffness: Mat<f64>,
        scheme: Scheme,
        step: f64,
    ) -> Result<Self, InputError> {
        let n = mass.nrows();
        Stride::check(step, 1.0)?;
        let [m, c, k] = [&mass, &damping, &stiffness].map(|matrix| MatrixView::Dense(matrix.as_ref()));
        for (field, matrix) in [("M", m), ("C", c), ("K", k)] {
            matrix.check(field, (n, n))?;
        }
        let terms = [(1.0, m), (scheme.gamma() * step, c), (scheme.beta() * step * step, k)];
        let factor = Factor::sum(n, &terms).map_err(|_| InputError::Iteration { step })?;
        let zeros = || vec![0.0; n];
        let (right, velocity, position) = (zeros(), zeros(), zeros());
        Ok(LinearNewmark { scheme, step, damping, stiffness, factor, right, velocity, position })
    }

    /// Number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.right.len()
    }

    /// Makes one step; `force` is F at the end of the step. All slices have [`LinearNewmark::size`] entries; shorter
    /// ones are padded with zeros.
    pub fn step(&mut self, state: &mut NewmarkState, force: &[f64]) {
        let (n, h) = (self.size(), self.step);
        let get = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
        for i in 0..n {
            let (x, v, a) = (get(&state.position, i), get(&state.velocity, i), get(&state.acceleration, i));
            self.velocity[i] = v + h * (1.0 - self.scheme.gamma()) * a;
            self.position[i] = x + h * v + h * h * (0.5 - self.scheme.beta()) * a;
        }
        for i in 0..n {
            let known_forces: f64 = (0..n)
                .map(|j| self.damping[(i, j)] * self.velocity[j] + self.stiffness[(i, j)] * self.position[j])
                .sum();
            self.right[i] = get(force, i) - known_forces;
        }
        self.factor.solve(&mut self.right);
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
