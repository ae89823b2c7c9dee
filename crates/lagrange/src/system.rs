//! The trait that a user writes: a Lagrangian system with its relations and nonsmooth laws.

use faer::MatMut;
use mechanics::{ContactLaw, ParameterError};

use crate::InputError;
use crate::matrix_checks_and_factors::{MatrixView, multiply_add};

/// Refuses laws that relations do not have: rolling damping and resistance, static friction, friction without a limit.
pub(crate) fn check_law(relation: usize, law: &ContactLaw) -> Result<(), InputError> {
    let zero = |name, value: f64| ParameterError::check(name, value, value == 0.0, "0: a relation has no law of it");
    let (friction, sticking) = (law.sticking_coefficient(), law.static_friction());
    let rule = "left out: a relation has one coefficient";
    let checked = ParameterError::check("static-friction", sticking.unwrap_or(0.0), sticking.is_none(), rule)
        .and_then(|_| zero("rolling-damping", law.rolling_damping()))
        .and_then(|_| zero("rolling-resistance", law.rolling_resistance()))
        .and_then(|_| ParameterError::check("friction", friction, friction.is_finite(), "finite"));
    checked.map(drop).map_err(|source| InputError::Law { relation, source })
}

/// Slices to which [`System::relation`] writes the gradients of a relation; they come filled with zeros.
#[derive(Debug)]
pub struct Gradients<'a> {
    /// `∂h/∂q`, n entries.
    pub normal: &'a mut [f64],
    /// Gradient of the slip velocity with respect to q̇, n entries; ignored for `μ = 0`.
    pub tangential: &'a mut [f64],
}

/// Value of a relation and its partial derivative with respect to time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// `y = h(q, t)`; negative: penetration.
    pub value: f64,
    /// `∂h/∂t`: 0 for ground at rest.
    pub rate: f64,
}

impl Gap {
    /// A gap to ground at rest.
    pub fn still(value: f64) -> Self {
        Gap { value, rate: 0.0 }
    }
}

/// Place, velocity and time.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Time t, s.
    pub time: f64,
    /// Coordinates q.
    pub position: &'a [f64],
    /// Velocities q̇.
    pub velocity: &'a [f64],
}

/// Constant matrices M, C and K.
#[derive(Clone, Copy, Debug)]
pub struct Constant<'a> {
    /// Mass matrix M.
    pub mass: MatrixView<'a>,
    /// Damping matrix C.
    pub damping: MatrixView<'a>,
    /// Stiffness matrix K.
    pub stiffness: MatrixView<'a>,
}

/// A Lagrangian nonsmooth system of n degrees of freedom:
///
/// ```text
/// M(q) q̈ + Q(q, q̇) + F(t, q, q̇) = F_ext(t) + H λ,     y = h(q, t),     ẏ = Hᵀq̇ + ∂h/∂t,     H = ∂h/∂q
/// ```
///
/// Only [`System::size`] and [`System::mass`] must be given. Vectors that a method writes have n entries, and come
/// filled with zeros. Q and F stand on the left: they are resistances, of the opposite sign to forces.
pub trait System {
    /// Number of degrees of freedom n.
    fn size(&self) -> usize;

    /// M(q), n × n, symmetric and positive definite; comes filled with zeros.
    fn mass(&self, position: &[f64], mass: MatMut<'_, f64>);

    /// Q(q, q̇): inertia forces of a mass matrix that depends on q.
    fn inertia_force(&self, _position: &[f64], _velocity: &[f64], _force: &mut [f64]) {}

    /// F(t, q, q̇): springs, dampers; also gravity, if its energy is to count as potential.
    fn internal_force(&self, _at: At<'_>, _force: &mut [f64]) {}

    /// External force F_ext(t).
    fn external_force(&self, _time: f64, _force: &mut [f64]) {}

    /// Stored energy of the internal force, J; only for the energy ledger.
    fn potential(&self, _position: &[f64]) -> f64 {
        0.0
    }

    /// Dissipated power of the internal force, W; only for the energy ledger, and not used where C is constant:
    /// there it is `q̇ᵀC q̇`.
    fn dissipation(&self, _at: At<'_>) -> f64 {
        0.0
    }

    /// The law of each relation `y`: `0 ≤ y ⟂ λ ≥ 0` with Newton's restitution `ẏ⁺ = −e ẏ⁻`, and Coulomb friction in
    /// the plane, `|λ_t| ≤ μλ`, where an impact that sticks keeps `−e_t` of its slip velocity. Rolling damping, rolling
    /// resistance, static friction and friction without a limit are refused.
    fn laws(&self) -> &[ContactLaw] {
        &[]
    }

    /// Evaluates the value and the gradients of relation `index`; called at least once in each step. By default the
    /// relation is always open.
    fn relation(&self, _index: usize, _time: f64, _position: &[f64], _gradients: Gradients<'_>) -> Gap {
        Gap::still(f64::INFINITY)
    }

    /// M, C and K if they are constant and `Q + F = C q̇ + K q`: then the iteration matrix is factorised once.
    fn constant(&self) -> Option<Constant<'_>> {
        None
    }

    /// Whether every `h` is `Hᵀq + b` with constant H, tangential gradients included: then the Delassus operator is
    /// built once.
    fn has_constant_gradients(&self) -> bool {
        false
    }

    /// Computes the derivatives for Newton's method, by default by central differences.
    fn derivatives(&self, at: At<'_>, acceleration: &[f64], into: &mut Derivatives<'_>) {
        into.by_differences(self, at, acceleration);
    }
}

/// Derivatives for Newton's method, n × n each.
#[derive(Debug)]
pub struct Derivatives<'a> {
    /// `∂(M(q) a + Q + F)/∂q` for a fixed acceleration a, the mean one of the step.
    pub stiffness: MatMut<'a, f64>,
    /// `∂(Q + F)/∂q̇`.
    pub damping: MatMut<'a, f64>,
    pub(crate) mass: MatMut<'a, f64>,
    /// Three workspaces of n entries.
    pub(crate) scratch: [&'a mut [f64]; 3],
}

impl Derivatives<'_> {
    /// Fills in all derivatives by central differences.
    pub fn by_differences<S: System + ?Sized>(&mut self, system: &S, at: At<'_>, acceleration: &[f64]) {
        let n = system.size();
        let [moved, value, product] = &mut self.scratch;
        // The cube root of ε balances truncation and rounding. A system says no sizes: coordinates count as at least 1.
        let width = |x: f64| f64::EPSILON.cbrt() * x.abs().max(1.0);
        for j in 0..n {
            for (base, of_velocity) in [(at.position, false), (at.velocity, true)] {
                let d = width(base[j]);
                let mut column = if of_velocity { self.damping.as_mut() } else { self.stiffness.as_mut() }.col_mut(j);
                column.fill(0.0);
                for side in [1.0, -1.0] {
                    moved.copy_from_slice(base);
                    moved[j] += side * d;
                    let (q, v) = if of_velocity { (at.position, &moved[..]) } else { (&moved[..], at.velocity) };
                    inner_force(system, At { time: at.time, position: q, velocity: v }, product, value);
                    if !of_velocity {
                        self.mass.fill(0.0);
                        system.mass(q, self.mass.as_mut());
                        multiply_add(self.mass.as_ref(), 1.0, acceleration, product);
                    }
                    for i in 0..n {
                        column[i] += side * product[i] / (2.0 * d);
                    }
                }
            }
        }
    }
}

/// Computes `Q + F` into `sum`; `term` is a workspace.
pub(crate) fn inner_force<S: System + ?Sized>(system: &S, at: At<'_>, sum: &mut [f64], term: &mut [f64]) {
    sum.fill(0.0);
    system.inertia_force(at.position, at.velocity, sum);
    term.fill(0.0);
    system.internal_force(at, term);
    for (s, t) in sum.iter_mut().zip(term) {
        *s += *t;
    }
}
