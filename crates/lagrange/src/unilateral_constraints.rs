//! The relations of one step: which are closed, by the prediction, and which impulses keep them?

use faer::Mat;
use lcp::friction::{DenseFriction, Frictional};
use lcp::nalgebra::DMatrixView;
use mechanics::ContactLaw;
use moreau::Closed;

use crate::matrix_checks_and_factors::{Factor, dot};
use crate::system::{Gap, Gradients, System};
use crate::{InputError, StepError};

/// Rounding of a penetration at the start, relative to the largest coordinate, at least 1. The 1 is an exception from
/// the design (§3): a system may sum lengths in y that no coordinate shows, and says nothing of their sizes.
const GRAIN: f64 = 16.0 * f64::EPSILON;

/// Relations of a system in a step. Column `2r` is the normal direction of relation r, `2r + 1` its tangential one.
pub(crate) struct Relations {
    laws: Vec<ContactLaw>,
    size: usize,
    /// Whether gradients and operator are constant.
    pub constant: bool,
    /// H and WH, n × 2m, with the inverse W of the iteration matrix (see `time_stepping.rs`).
    gradients: Vec<f64>,
    columns: Vec<f64>,
    /// HᵀWH where it is constant, 2m × 2m.
    delassus: Mat<f64>,
    /// `∂h/∂t` of each relation.
    rates: Vec<f64>,
    /// Closed relations: their indices, and their laws, velocities and impulses.
    active: Vec<usize>,
    pub closed: Vec<Closed>,
    /// Normal and tangential impulses of all relations in the last step.
    pub impulses: [Vec<f64>; 2],
    solver: DenseFriction,
    matrix: Vec<f64>,
    asked: Vec<[f64; 2]>,
    friction: Vec<f64>,
    solution: Vec<[f64; 2]>,
}

impl Relations {
    pub fn new(system: &impl System, laws: Vec<ContactLaw>, constant_matrix: bool) -> Self {
        let (n, m) = (system.size(), laws.len());
        Relations {
            size: n,
            constant: constant_matrix && system.has_constant_gradients(),
            gradients: vec![0.0; n * 2 * m],
            columns: vec![0.0; n * 2 * m],
            delassus: Mat::zeros(0, 0),
            rates: vec![0.0; m],
            active: Vec::with_capacity(m),
            closed: Vec::with_capacity(m),
            impulses: [vec![0.0; m], vec![0.0; m]],
            solver: DenseFriction::default(),
            matrix: Vec::with_capacity(4 * m * m),
            asked: Vec::with_capacity(m),
            friction: Vec::with_capacity(m),
            solution: Vec::with_capacity(m),
            laws,
        }
    }
    /// Stores the impulses of the step: for callers, and for [`predict`](Self::predict) in the next one.
    pub fn commit(&mut self) {
        for k in 0..2 {
            self.impulses[k].fill(0.0);
            for (relation, closed) in self.active.iter().zip(&self.closed) {
                self.impulses[k][*relation] = closed.impulse[k];
            }
        }
    }

    fn has_friction(&self, relation: usize) -> bool {
        !self.laws[relation].is_smooth()
    }

    /// Evaluates a relation: returns its gap, and writes its gradients to `gradients`.
    #[inline(always)]
    fn evaluate(&mut self, system: &impl System, relation: usize, time: f64, position: &[f64]) -> Gap {
        let n = position.len();
        let both = &mut self.gradients[2 * relation * n..2 * (relation + 1) * n];
        both.fill(0.0);
        let (normal, tangential) = both.split_at_mut(n);
        system.relation(relation, time, position, Gradients { normal, tangential })
    }

    /// Refuses relations whose gap at the start is NaN or a penetration beyond rounding, or that lack gradients.
    pub fn check_start(&mut self, system: &impl System, time: f64, position: &[f64]) -> Result<(), InputError> {
        let size = position.iter().fold(1.0_f64, |most, q| most.max(q.abs()));
        for relation in 0..self.laws.len() {
            let gap = self.evaluate(system, relation, time, position).value;
            lcp::Failure::finite("y", gap.is_nan().then_some((relation, 0, gap)).into_iter())?;
            if gap < -GRAIN * size {
                return Err(InputError::Penetration { relation, gap });
            }
            for (name, column) in [("H", 2 * relation), ("H_t", 2 * relation + 1)] {
                let entries = self.gradient(column).iter().enumerate();
                lcp::Failure::finite(name, entries.map(|(row, value)| (row, relation, *value)))?;
            }
            if self.are_zero(relation).contains(&true) {
                self.check_zeros(system, relation, time, position)?;
            }
        }
        Ok(())
    }

    /// Whether the normal gradient is zero; and the tangential one, if there is friction.
    fn are_zero(&self, relation: usize) -> [bool; 2] {
        let zero = |column: usize| self.gradient(column).iter().all(|x| *x == 0.0);
        [zero(2 * relation), self.has_friction(relation) && zero(2 * relation + 1)]
    }

    /// Refuses a gradient that is zero at the start and can't be right: a normal one if gradients are constant, if the
    /// relation is closed, or if y grows or falls with a coordinate; a tangential one of a relation with friction if it
    /// is zero on both sides of the start, too, along each coordinate.
    fn check_zeros(
        &mut self,
        system: &impl System,
        relation: usize,
        time: f64,
        position: &[f64],
    ) -> Result<(), InputError> {
        let [normal, mut tangential] = self.are_zero(relation);
        let constant = system.has_constant_gradients();
        let gap = self.evaluate(system, relation, time, position).value;
        if normal && (constant || gap <= 0.0) {
            return Err(InputError::NoGradient { relation });
        }
        let mut moved = position.to_vec();
        for j in 0..self.size {
            let width = f64::EPSILON.cbrt() * position[j].abs().max(1.0);
            let sides = [-width, width].map(|d| {
                moved[j] = position[j] + d;
                let value = self.evaluate(system, relation, time, &moved).value;
                tangential &= self.are_zero(relation)[1];
                value
            });
            moved[j] = position[j];
            // If y changes on one side alone, the start is at a kink; if it falls and grows, at an extremum. There the
            // gradient may be zero. The 1 is an exception from the design, as for GRAIN.
            let (before, after) = (gap - sides[0], sides[1] - gap);
            if normal && before.abs().min(after.abs()) > 1e-12 * (1.0 + gap.abs()) && before * after > 0.0 {
                return Err(InputError::NoGradient { relation });
            }
        }
        if tangential && (constant || gap.is_finite()) {
            return Err(InputError::NoTangential { relation, friction: self.laws[relation].sliding_coefficient() });
        }
        self.evaluate(system, relation, time, position);
        Ok(())
    }

    /// A closed relation with zero gradient, if any.
    pub fn without_gradient(&self) -> Option<usize> {
        self.active.iter().copied().find(|relation| self.are_zero(*relation)[0])
    }

    /// Error for a value or gradient of a closed relation that is not finite.
    pub fn not_finite(&self, time: f64) -> Option<StepError> {
        let bad = |values: &[f64]| values.iter().copied().find(|x| !x.is_finite());
        self.active.iter().copied().find_map(|relation| {
            let slip = if self.has_friction(relation) { self.gradient(2 * relation + 1) } else { &[] };
            [("∂h/∂t", &self.rates[relation..=relation]), ("H", self.gradient(2 * relation)), ("H_t", slip)]
                .into_iter()
                .find_map(|(field, values)| Some((field, bad(values)?)))
                .map(|(field, value)| StepError::Relation { relation, field, value, time })
        })
    }

    /// Closes the relations with `y ≤ 0` at the predicted place; `Err`: the relation whose y is NaN.
    #[inline(always)]
    pub fn predict(&mut self, system: &impl System, time: f64, position: &[f64]) -> Result<(), usize> {
        self.active.clear();
        self.closed.clear();
        for relation in 0..self.laws.len() {
            let gap = self.evaluate(system, relation, time, position);
            if gap.value.is_nan() {
                return Err(relation);
            }
            if gap.value <= 0.0 {
                self.rates[relation] = gap.rate;
                self.active.push(relation);
                // A relation that had an impulse in the last step is a lasting contact: at no speed is it an impact.
                let hop = if self.impulses[0][relation] == 0.0 { 0.0 } else { f64::INFINITY };
                self.closed.push(Closed { hop, ..Closed::new(self.laws[relation].clone()) });
            }
        }
        Ok(())
    }

    /// Evaluates gradients and rates of the closed relations at another place.
    pub fn look_further(&mut self, system: &impl System, time: f64, position: &[f64]) {
        for i in 0..self.active.len() {
            let relation = self.active[i];
            self.rates[relation] = self.evaluate(system, relation, time, position).rate;
        }
    }

    /// `ẏ` and slip velocity of a closed relation; without friction the latter is 0.
    #[inline(always)]
    pub fn velocity(&self, closed: usize, velocity: &[f64]) -> [f64; 2] {
        let relation = self.active[closed];
        let n = velocity.len();
        let gradients = &self.gradients[2 * relation * n..2 * (relation + 1) * n];
        let slip = if self.has_friction(relation) { dot(&gradients[n..], velocity) } else { 0.0 };
        [dot(&gradients[..n], velocity) + self.rates[relation], slip]
    }

    fn gradient(&self, column: usize) -> &[f64] {
        &self.gradients[column * self.size..(column + 1) * self.size]
    }

    /// Computes `WH` of `all` relations (and the constant Delassus operator) or of the active ones.
    pub fn solve_columns(&mut self, factor: &mut Factor, all: bool) {
        let n = self.size;
        let m = self.laws.len();
        let count = if all { m } else { self.active.len() };
        for i in 0..count {
            let relation = if all { i } else { self.active[i] };
            let last = if self.has_friction(relation) { 2 } else { 1 };
            for column in 2 * relation..2 * relation + last {
                let place = column * n..(column + 1) * n;
                self.columns[place.clone()].copy_from_slice(&self.gradients[place.clone()]);
                factor.solve(&mut self.columns[place]);
            }
        }
        if all {
            self.delassus = Mat::from_fn(2 * m, 2 * m, |i, j| self.product(i, j));
        }
    }

    /// `(HᵀWH)ᵢⱼ`
    fn product(&self, i: usize, j: usize) -> f64 {
        dot(self.gradient(i), &self.columns[j * self.size..(j + 1) * self.size])
    }

    /// `(HᵀWH)ᵢⱼ`, row k of closed relation i and column l of closed relation j; the slip of a contact without friction
    /// is decoupled.
    fn entry(&self, [i, k]: [usize; 2], [j, l]: [usize; 2]) -> f64 {
        let [one, other] = [(i, k), (j, l)].map(|(closed, _)| self.active[closed]);
        if k == 1 && !self.has_friction(one) || l == 1 && !self.has_friction(other) {
            return if [i, k] == [j, l] { 1.0 } else { 0.0 };
        }
        let (row, column) = (2 * one + k, 2 * other + l);
        if self.constant { self.delassus[(row, column)] } else { self.product(row, column) }
    }

    /// Finds the impulses of the closed relations; returns the number of pivots.
    #[inline(always)]
    pub fn solve(&mut self) -> Result<usize, lcp::Failure> {
        match self.active.as_slice() {
            [] => Ok(0),
            [_] => {
                let entry = |k: usize, l: usize| self.entry([0, k], [0, l]);
                let block = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
                self.closed[0].solve_alone(block).map(|()| 0)
            }
            _ => self.solve_together(),
        }
    }

    fn solve_together(&mut self) -> Result<usize, lcp::Failure> {
        let count = self.active.len();
        self.matrix.clear();
        self.asked.clear();
        self.friction.clear();
        self.solution.clear();
        for j in 0..count {
            for l in 0..2 {
                for (i, k) in (0..count).flat_map(|i| [(i, 0), (i, 1)]) {
                    self.matrix.push(self.entry([i, k], [j, l]));
                }
            }
            self.asked.push(self.closed[j].asked());
            self.friction.push(self.closed[j].law.sticking_coefficient());
            self.solution.push([0.0; 2]);
        }
        let matrix = DMatrixView::from_slice(&self.matrix, 2 * count, 2 * count);
        let problem = Frictional { matrix, velocity: &self.asked, friction: &self.friction };
        let solved = self.solver.solve(problem, &mut self.solution)?;
        for (closed, impulse) in self.closed.iter_mut().zip(&self.solution) {
            closed.impulse = *impulse;
        }
        Ok(solved.iterations)
    }

    /// `v₁ = v_free + W H P`
    #[inline(always)]
    pub fn apply(&self, free: &[f64], velocity: &mut [f64]) {
        let n = free.len();
        velocity.copy_from_slice(free);
        for (relation, closed) in self.active.iter().zip(&self.closed) {
            for (k, impulse) in closed.impulse.into_iter().enumerate() {
                if impulse != 0.0 {
                    let column = 2 * relation + k;
                    let change = &self.columns[column * n..(column + 1) * n];
                    for (v, w) in velocity.iter_mut().zip(change) {
                        *v += w * impulse;
                    }
                }
            }
        }
    }

    /// Work of the normal and the tangential impulses, `P·Hᵀ(v₀ + v₁)/2`, J, without that of moving ground.
    #[inline(always)]
    pub fn work(&self) -> [f64; 2] {
        let mut work = [0.0; 2];
        for (relation, closed) in self.active.iter().zip(&self.closed) {
            let [normal, tangential] = closed.work();
            work[0] += normal - closed.impulse[0] * self.rates[*relation];
            work[1] += tangential;
        }
        work
    }
}
