//! A model with neighbours along each parameter, for derivatives by parameters.

use crate::Model;

/// A model at some parameter values, and models beside it along each parameter: derivatives by a parameter are
/// five-point differences of *formulas at a fixed state* (force, frame, law of impact, start), never of whole runs.
///
/// So a parameter may be anything that models are built from. With `h = 1e-4` of the parameter the error is about `h⁴`
/// on the formula's own scale, and the rounding `ε/h`: both below 1e-11 where the formula changes smoothly over the
/// parameter's own size. A small parameter (below 1) that acts on the start alone gets a larger h: one that changes the
/// start by 1e-5 of itself, against rounding; the start depends on it linearly, or on the start's own scale.
#[derive(Debug)]
pub struct Family {
    pub(crate) base: Model,
    /// Size of each parameter, of which the distance of neighbouring models is a part.
    pub(crate) sizes: Vec<f64>,
    along: Vec<Vec<(f64, Model)>>,
    /// Whether the laws of motion, and the observation of a state, don't depend on a parameter: in flight, in contact.
    same: Vec<[[bool; 2]; 2]>,
}

/// A parameter that can't be varied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FamilyError<E> {
    /// The model itself can't be built.
    #[error(transparent)]
    Model(E),
    /// Models on neither side of it can be built.
    #[error("parameter {index} = {value:?} can't be varied: no model within {reach:?} of it on either side: {error}")]
    Isolated {
        /// Index of the parameter.
        index: usize,
        /// Value of the parameter.
        value: f64,
        /// Largest distance tried.
        reach: f64,
        /// Error of one of the models.
        error: E,
    },
}

/// Distance of models, relative to a parameter's size.
const STEP: f64 = 1e-4;

/// Offsets and weights of `h f′`: central, one-sided to the right, to the left.
const FORMULAS: [[(f64, f64); 5]; 3] = {
    let (a, b, c, d, e) = (-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25);
    let (w, v) = (1.0 / 12.0, 2.0 / 3.0);
    [
        [(-2.0, w), (-1.0, -v), (0.0, 0.0), (1.0, v), (2.0, -w)],
        [(0.0, a), (1.0, b), (2.0, c), (3.0, d), (4.0, e)],
        [(0.0, -a), (-1.0, -b), (-2.0, -c), (-3.0, -d), (-4.0, -e)],
    ]
};

impl Family {
    /// Whether the formulas of motion don't depend on a parameter: in flight, and in contact.
    #[inline]
    pub(crate) fn moves_as(&self, parameter: usize) -> [bool; 2] {
        self.same[parameter][0]
    }

    /// Whether the observation of a state does not depend on a parameter: in flight, and in contact.
    #[inline]
    pub(crate) fn looks_as(&self, parameter: usize) -> [bool; 2] {
        self.same[parameter][1]
    }

    /// Builds the models; at the end of its range a parameter is varied to one side.
    pub fn new<E>(values: &[f64], build: impl Fn(&[f64]) -> Result<Model, E>) -> Result<Self, FamilyError<E>> {
        let base = build(values).map_err(FamilyError::Model)?;
        let of = |j: usize| neighbours(values, j, &base, &build);
        let found = (0..values.len()).map(of).collect::<Result<Vec<_>, _>>()?;
        let (sizes, along): (Vec<f64>, Vec<_>) = found.into_iter().map(|beside| (beside.size, beside.models)).unzip();
        let all = |models: &Vec<(f64, Model)>, same: fn(&Model, &Model) -> [bool; 2]| {
            let each = models.iter().map(|(_, model)| same(&base, model));
            each.fold([true; 2], |all, [flight, contact]| [all[0] && flight, all[1] && contact])
        };
        let both = |models| [all(models, Model::moves_as), all(models, Model::looks_as)];
        let same = along.iter().map(both).collect();
        Ok(Family { base, sizes, along, same })
    }

    /// The model at the given values.
    pub fn base(&self) -> &Model {
        &self.base
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.along.len()
    }

    /// `∂f/∂p` by one parameter.
    pub(crate) fn by<const D: usize>(&self, parameter: usize, f: impl Fn(&Model) -> [f64; D]) -> [f64; D] {
        let mut sum = [0.0; D];
        // Weights of f sum to zero, so f(base) may be subtracted: an f without the parameter has derivative exactly 0.
        let here = f(&self.base);
        for (weight, model) in &self.along[parameter] {
            let there = f(model);
            for i in 0..D {
                sum[i] += weight * (there[i] - here[i]);
            }
        }
        sum
    }

    pub(crate) fn neighbours(&self, parameter: usize) -> impl Iterator<Item = &Model> {
        self.along[parameter].iter().map(|(_, model)| model)
    }
}

/// Models beside a base, along one parameter.
struct Beside {
    /// Size of the parameter, which scales their distance.
    size: f64,
    /// Weight in the derivative, and model.
    models: Vec<(f64, Model)>,
}

/// Finds models beside `base` along parameter `j`. A size below 1 is raised tenfold while the models differ in nothing
/// but their starts, and in these by less than 1e-5 of themselves.
fn neighbours<E>(
    values: &[f64],
    j: usize,
    base: &Model,
    build: impl Fn(&[f64]) -> Result<Model, E>,
) -> Result<Beside, FamilyError<E>> {
    let mut size = if values[j] == 0.0 { 1.0 } else { values[j].abs() };
    let mut models = beside(values, j, size, &build)?;
    while size < 1.0 && models.last().is_some_and(|(_, model)| base.starts_beside(model) < 0.1 * STEP) {
        size *= 10.0;
        models = beside(values, j, size, &build)?;
    }
    Ok(Beside { size, models })
}

/// Builds models at the offsets of the first formula, central or one-sided, at all of whose offsets there are models.
fn beside<E>(
    values: &[f64],
    j: usize,
    size: f64,
    build: impl Fn(&[f64]) -> Result<Model, E>,
) -> Result<Vec<(f64, Model)>, FamilyError<E>> {
    let mut moved = values.to_vec();
    let mut beside = |formula: &[(f64, f64)]| {
        let mut models = Vec::with_capacity(formula.len());
        for &(offset, weight) in formula.iter().filter(|(_, weight)| *weight != 0.0) {
            moved[j] = values[j] + offset * STEP * size;
            models.push((weight / (STEP * size), build(&moved)?));
        }
        Ok(models)
    };
    let refused = match beside(&FORMULAS[0]) {
        Ok(models) => return Ok(models),
        Err(error) => error,
    };
    for formula in &FORMULAS[1..] {
        if let Ok(models) = beside(formula) {
            return Ok(models);
        }
    }
    Err(FamilyError::Isolated { index: j, value: values[j], reach: 4.0 * STEP * size, error: refused })
}
