//! The relations of one step: prediction, active set, Delassus operator, impulses.

use faer::Mat;
use lcp::friction::{Dense, Frictional};
use lcp::nalgebra::DMatrixView;
use lcp::{Lemke, Problem};

use crate::matrix::{Factor, dot};
use crate::system::{Gap, Gradients, Law, System};
use crate::{InputError, StepError};

/// Penetration at the start that rounding may leave, of the largest coordinate (at least 1).
const GRAIN: f64 = 16.0 * f64::EPSILON;

/// Columns `2r` are relation r's normal, `2r + 1` its tangential direction.
pub(crate) struct Relations {
    laws: Vec<Law>,
    size: usize,
    constant: bool,
    /// H and WH, n × 2m.
    gradients: Vec<f64>,
    columns: Vec<f64>,
    /// HᵀWH where it is constant, 2m × 2m.
    delassus: Mat<f64>,
    rates: Vec<f64>,
    /// `ẏ₀` and the slip velocity before.
    before: Vec<[f64; 2]>,
    active: Vec<usize>,
    impulses: [Vec<f64>; 2],
    accepted: [Vec<f64>; 2],
    solver: Lemke,
    frictional: Dense,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    pairs: Vec<[f64; 2]>,
    coefficients: Vec<f64>,
    solution: Vec<f64>,
    solution_pairs: Vec<[f64; 2]>,
}

impl Relations {
    pub fn new(system: &impl System, constant_matrix: bool) -> Self {
        let laws = system.laws().to_vec();
        let (n, m) = (system.size(), laws.len());
        Relations {
            size: n,
            constant: constant_matrix && system.has_constant_gradients(),
            gradients: vec![0.0; n * 2 * m],
            columns: vec![0.0; n * 2 * m],
            delassus: Mat::zeros(0, 0),
            rates: vec![0.0; m],
            before: vec![[0.0; 2]; m],
            active: Vec::with_capacity(m),
            impulses: [vec![0.0; m], vec![0.0; m]],
            accepted: [vec![0.0; m], vec![0.0; m]],
            solver: Lemke::default(),
            frictional: Dense::default(),
            matrix: Vec::with_capacity(4 * m * m),
            vector: Vec::with_capacity(m),
            pairs: Vec::with_capacity(m),
            coefficients: Vec::with_capacity(m),
            solution: Vec::with_capacity(m),
            solution_pairs: Vec::with_capacity(m),
            laws,
        }
    }
    #[inline(always)]
    pub fn are_constant(&self) -> bool {
        self.constant
    }
    #[inline(always)]
    pub fn active(&self) -> usize {
        self.active.len()
    }
    pub fn normal_impulses(&self) -> &[f64] {
        &self.accepted[0]
    }
    pub fn tangential_impulses(&self) -> &[f64] {
        &self.accepted[1]
    }
    /// The impulses of the step are those of the last one now.
    pub fn commit(&mut self) {
        std::mem::swap(&mut self.accepted, &mut self.impulses);
    }

    /// Gradients and value of a relation.
    #[inline(always)]
    fn evaluate(&mut self, system: &impl System, relation: usize, time: f64, position: &[f64]) -> Gap {
        let n = position.len();
        let both = &mut self.gradients[2 * relation * n..2 * (relation + 1) * n];
        both.fill(0.0);
        let (normal, tangential) = both.split_at_mut(n);
        system.relation(relation, time, position, Gradients { normal, tangential })
    }

    pub fn check_start(&mut self, system: &impl System, time: f64, position: &[f64]) -> Result<(), InputError> {
        let size = position.iter().fold(1.0_f64, |most, q| most.max(q.abs()));
        for relation in 0..self.laws.len() {
            let gap = self.evaluate(system, relation, time, position).value;
            if gap.is_nan() {
                return Err(InputError::NotFinite { field: "y", row: relation, column: 0, value: gap });
            }
            if gap < -GRAIN * size {
                return Err(InputError::Penetration { relation, gap });
            }
            let start = 2 * relation * self.size;
            for (k, value) in self.gradients[start..start + 2 * self.size].iter().copied().enumerate() {
                if !value.is_finite() {
                    let (field, row) = if k < self.size { ("H", k) } else { ("H_t", k - self.size) };
                    return Err(InputError::NotFinite { field, row, column: relation, value });
                }
            }
            if self.are_zero(relation).contains(&true) {
                self.check_zeros(system, relation, time, position)?;
            }
        }
        Ok(())
    }

    /// Whether the normal gradient is zero, and the tangential one where there is friction.
    fn are_zero(&self, relation: usize) -> [bool; 2] {
        let zero = |column: usize| self.gradient(column).iter().all(|x| *x == 0.0);
        [zero(2 * relation), self.laws[relation].friction > 0.0 && zero(2 * relation + 1)]
    }

    /// Refuses a normal gradient that is zero at the start where y rises or falls all the same, or is closed, and a tangential one
    /// that is zero all around.
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
            // On one side alone it is a kink, to the same side an extremum.
            let (before, after) = (gap - sides[0], sides[1] - gap);
            if normal && before.abs().min(after.abs()) > 1e-12 * (1.0 + gap.abs()) && before * after > 0.0 {
                return Err(InputError::NoGradient { relation });
            }
        }
        if tangential && (constant || gap.is_finite()) {
            return Err(InputError::NoTangential { relation, friction: self.laws[relation].friction });
        }
        self.evaluate(system, relation, time, position);
        Ok(())
    }

    /// A closed relation that no velocity changes.
    pub fn without_gradient(&self) -> Option<usize> {
        self.active.iter().copied().find(|relation| self.are_zero(*relation)[0])
    }

    /// Error that names what of a closed relation is not finite.
    pub fn not_finite(&self, time: f64) -> Option<StepError> {
        let bad = |values: &[f64]| values.iter().copied().find(|x| !x.is_finite());
        self.active.iter().copied().find_map(|relation| {
            let slip = if self.laws[relation].friction > 0.0 { self.gradient(2 * relation + 1) } else { &[] };
            [("∂h/∂t", &self.rates[relation..=relation]), ("H", self.gradient(2 * relation)), ("H_t", slip)]
                .into_iter()
                .find_map(|(field, values)| Some((field, bad(values)?)))
                .map(|(field, value)| StepError::Relation { relation, field, value, time })
        })
    }

    /// Closes the relations with `y ≤ 0` at the predicted place, without impulses yet; `Err`: the one whose y is NaN.
    #[inline(always)]
    pub fn predict(&mut self, system: &impl System, time: f64, position: &[f64]) -> Result<(), usize> {
        self.active.clear();
        for relation in 0..self.laws.len() {
            let gap = self.evaluate(system, relation, time, position);
            (self.impulses[0][relation], self.impulses[1][relation]) = (0.0, 0.0);
            if gap.value.is_nan() {
                return Err(relation);
            }
            if gap.value <= 0.0 {
                self.rates[relation] = gap.rate;
                self.active.push(relation);
            }
        }
        Ok(())
    }

    /// Gradients and rates of the closed ones at another place.
    pub fn look_further(&mut self, system: &impl System, time: f64, position: &[f64]) {
        for i in 0..self.active.len() {
            let relation = self.active[i];
            self.rates[relation] = self.evaluate(system, relation, time, position).rate;
        }
    }

    /// `ẏ₀` and the slip velocity before.
    #[inline(always)]
    pub fn begin(&mut self, velocity: &[f64]) {
        for i in 0..self.active.len() {
            let relation = self.active[i];
            self.before[relation] = self.along(relation, velocity);
        }
    }

    fn gradient(&self, column: usize) -> &[f64] {
        &self.gradients[column * self.size..(column + 1) * self.size]
    }

    /// `Hᵀv` of a relation, normal and tangential; 0 where there is no friction.
    #[inline(always)]
    fn along(&self, relation: usize, velocity: &[f64]) -> [f64; 2] {
        let n = velocity.len();
        let gradients = &self.gradients[2 * relation * n..2 * (relation + 1) * n];
        let normal = dot(&gradients[..n], velocity);
        [normal, if self.laws[relation].friction > 0.0 { dot(&gradients[n..], velocity) } else { 0.0 }]
    }

    /// `WH`, of `all` relations (and the Delassus operator, once and for ever) or of the active ones.
    pub fn solve_columns(&mut self, factor: &mut Factor, all: bool) {
        let n = self.size;
        let m = self.laws.len();
        let count = if all { m } else { self.active.len() };
        for i in 0..count {
            let relation = if all { i } else { self.active[i] };
            let last = if self.laws[relation].friction > 0.0 { 2 } else { 1 };
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

    fn operator(&self, i: usize, j: usize) -> f64 {
        if self.constant { self.delassus[(i, j)] } else { self.product(i, j) }
    }

    /// Impulses for the free velocity; iterations of the solver.
    #[inline(always)]
    pub fn solve(&mut self, free: &[f64], time: f64) -> Result<usize, StepError> {
        let failed = |source| StepError::Contacts { time, source };
        let frictional = self.active.iter().any(|r| self.laws[*r].friction > 0.0);
        match self.active.as_slice() {
            [] => Ok(0),
            &[relation] => {
                let velocity = self.restituted(relation, free);
                let entry = |k: usize, l: usize| self.operator(2 * relation + k, 2 * relation + l);
                let [normal, tangential] = if frictional {
                    let block = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
                    lcp::friction::one(block, velocity, self.laws[relation].friction).map_err(failed)?.impulse
                } else {
                    [lcp::one(entry(0, 0), velocity[0]).map_err(failed)?, 0.0]
                };
                (self.impulses[0][relation], self.impulses[1][relation]) = (normal, tangential);
                Ok(0)
            }
            _ if frictional => self.solve_frictional(free).map_err(failed),
            _ => self.solve_normal(free).map_err(failed),
        }
    }

    fn solve_normal(&mut self, free: &[f64]) -> Result<usize, lcp::Failure> {
        let count = self.active.len();
        self.matrix.clear();
        self.vector.clear();
        self.solution.clear();
        for relation in &self.active {
            for row in 0..count {
                self.matrix.push(self.operator(2 * self.active[row], 2 * relation));
            }
            self.vector.push(self.restituted(*relation, free)[0]);
            self.solution.push(0.0);
        }
        let matrix = DMatrixView::from_slice(&self.matrix, count, count);
        let solved = self.solver.solve(Problem { matrix, vector: &self.vector }, &mut self.solution)?;
        for (relation, impulse) in self.active.iter().zip(&self.solution) {
            self.impulses[0][*relation] = *impulse;
        }
        Ok(solved.iterations)
    }

    fn solve_frictional(&mut self, free: &[f64]) -> Result<usize, lcp::Failure> {
        let count = self.active.len();
        self.matrix.clear();
        self.pairs.clear();
        self.coefficients.clear();
        self.solution_pairs.clear();
        for j in 0..count {
            let relation = self.active[j];
            let rough = self.laws[relation].friction > 0.0;
            for l in 0..2 {
                for i in 0..count {
                    let other_rough = self.laws[self.active[i]].friction > 0.0;
                    for k in 0..2 {
                        // A smooth contact has a slip velocity that nothing changes.
                        let value = if (l == 1 && !rough) || (k == 1 && !other_rough) {
                            if i == j && k == l { 1.0 } else { 0.0 }
                        } else {
                            self.operator(2 * self.active[i] + k, 2 * relation + l)
                        };
                        self.matrix.push(value);
                    }
                }
            }
            let [normal, tangential] = self.restituted(relation, free);
            self.pairs.push([normal, if rough { tangential } else { 0.0 }]);
            self.coefficients.push(self.laws[relation].friction);
            self.solution_pairs.push([0.0; 2]);
        }
        let matrix = DMatrixView::from_slice(&self.matrix, 2 * count, 2 * count);
        let problem = Frictional { matrix, velocity: &self.pairs, friction: &self.coefficients };
        let solved = self.frictional.solve(problem, &mut self.solution_pairs)?;
        for (relation, [normal, tangential]) in self.active.iter().zip(&self.solution_pairs) {
            (self.impulses[0][*relation], self.impulses[1][*relation]) = (*normal, *tangential);
        }
        Ok(solved.iterations)
    }

    /// `ẏ_free + e ẏ₀` and `ẏ_t free + e_t ẏ_t0`; e_t in an impact only: without an impulse in the step before, and faster than
    /// the forces make it in this one.
    #[inline(always)]
    fn restituted(&self, relation: usize, free: &[f64]) -> [f64; 2] {
        let (law, before, rate) = (&self.laws[relation], self.before[relation], self.rates[relation]);
        let [normal, tangential] = self.along(relation, free);
        let approach = -(before[0] + rate);
        let impact = approach > (normal - before[0]).abs() && self.accepted[0][relation] == 0.0;
        let slip = if impact { law.tangential_restitution * before[1] } else { 0.0 };
        [normal + rate - law.restitution * approach, tangential + slip]
    }

    /// `v₁ = v_free + W H P`
    #[inline(always)]
    pub fn apply(&self, free: &[f64], velocity: &mut [f64]) {
        let n = free.len();
        velocity.copy_from_slice(free);
        for relation in &self.active {
            for k in 0..2 {
                let impulse = self.impulses[k][*relation];
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

    /// Work of the normal and the tangential impulses, `P·(ẏ₀ + ẏ₁)/2`, J.
    #[inline(always)]
    pub fn work(&self, after: &[f64]) -> [f64; 2] {
        let mut work = [0.0; 2];
        for relation in &self.active {
            let (first, second) = (self.before[*relation], self.along(*relation, after));
            for k in 0..2 {
                work[k] += 0.5 * self.impulses[k][*relation] * (first[k] + second[k]);
            }
        }
        work
    }
}
