//! Linear systems described by their matrices: `M q̈ + C q̇ + K q = F_ext(t) + H λ`, `y = Hᵀq + b`.

use faer::{Mat, MatMut};
use mechanics::ContactLaw;

use crate::InputError;
use crate::matrix_checks_and_factors::{Matrix, MatrixView};
use crate::system::{At, Constant, Gap, Gradients, System, check_law};

/// A linear system with constant relations, from its matrices; `F` writes the external force at a time.
#[derive(Clone, Debug)]
pub struct Linear<F> {
    mass: Matrix,
    damping: Matrix,
    stiffness: Matrix,
    force: F,
    normal: Mat<f64>,
    offset: Vec<f64>,
    tangential: Mat<f64>,
    laws: Vec<ContactLaw>,
}

impl<F: Fn(f64, &mut [f64])> Linear<F> {
    /// Creates a system without relations from `M`, `C`, `K` (n × n) and `F_ext(t)`. M must be symmetric and positive
    /// definite.
    pub fn new(
        mass: impl Into<Matrix>,
        damping: impl Into<Matrix>,
        stiffness: impl Into<Matrix>,
        force: F,
    ) -> Result<Self, InputError> {
        let (mass, damping, stiffness) = (mass.into(), damping.into(), stiffness.into());
        let n = mass.view().size().0;
        mass.view().check_mass(n)?;
        damping.view().check("C", (n, n))?;
        stiffness.view().check("K", (n, n))?;
        let (normal, tangential) = (Mat::zeros(n, 0), Mat::zeros(n, 0));
        Ok(Linear { mass, damping, stiffness, force, normal, offset: Vec::new(), tangential, laws: Vec::new() })
    }

    /// Adds relations `y = Hᵀq + b` in place of earlier ones; H is n × m, b and laws have m entries each.
    pub fn with_relations(
        mut self,
        normal: Mat<f64>,
        offset: Vec<f64>,
        laws: Vec<ContactLaw>,
    ) -> Result<Self, InputError> {
        let (n, m) = (self.size(), laws.len());
        MatrixView::Dense(normal.as_ref()).check("H", (n, m))?;
        if let Some(relation) = (0..m).find(|r| (0..n).all(|i| normal[(i, *r)] == 0.0)) {
            return Err(InputError::NoGradient { relation });
        }
        lcp::Failure::size("b", (offset.len(), 1), (m, 1))?;
        InputError::finite("b", &offset)?;
        for (relation, law) in laws.iter().enumerate() {
            check_law(relation, law)?;
        }
        self.tangential = Mat::zeros(n, m);
        (self.normal, self.offset, self.laws) = (normal, offset, laws);
        Ok(self)
    }

    /// Adds tangential gradients, n × m, for relations with friction: the slip velocity is `H_tᵀ q̇`.
    pub fn with_tangential(mut self, tangential: Mat<f64>) -> Result<Self, InputError> {
        MatrixView::Dense(tangential.as_ref()).check("H_t", (self.size(), self.laws.len()))?;
        self.tangential = tangential;
        Ok(self)
    }
}

impl<F: Fn(f64, &mut [f64])> System for Linear<F> {
    fn size(&self) -> usize {
        self.mass.view().size().0
    }
    fn mass(&self, _: &[f64], mut mass: MatMut<'_, f64>) {
        self.mass.view().for_each(|i, j, value| mass[(i, j)] = value);
    }
    fn internal_force(&self, at: At<'_>, force: &mut [f64]) {
        self.damping.view().multiply_add(1.0, at.velocity, force);
        self.stiffness.view().multiply_add(1.0, at.position, force);
    }
    #[inline]
    fn external_force(&self, time: f64, force: &mut [f64]) {
        (self.force)(time, force);
    }
    fn potential(&self, position: &[f64]) -> f64 {
        0.5 * self.stiffness.view().quadratic(position)
    }
    fn dissipation(&self, at: At<'_>) -> f64 {
        self.damping.view().quadratic(at.velocity)
    }
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }
    #[inline(always)]
    fn relation(&self, index: usize, _: f64, position: &[f64], gradients: Gradients<'_>) -> Gap {
        let mut value = self.offset[index];
        let Gradients { normal, tangential } = gradients;
        let n = position.len();
        let (normal, tangential) = (&mut normal[..n], &mut tangential[..n]);
        for (i, q) in position.iter().enumerate() {
            normal[i] = self.normal[(i, index)];
            tangential[i] = self.tangential[(i, index)];
            value += normal[i] * q;
        }
        Gap::still(value)
    }
    #[inline]
    fn constant(&self) -> Option<Constant<'_>> {
        let Linear { mass, damping, stiffness, .. } = self;
        Some(Constant { mass: mass.view(), damping: damping.view(), stiffness: stiffness.view() })
    }
    fn has_constant_gradients(&self) -> bool {
        true
    }
}
