//! Statistics of residuals, and errors about numbers that the data do not determine.

use identify::{Evaluation, ParameterRange, Solution, Statistics, Undetermined};
use scenario::input::{InputError, Span, plain, rounded};

use super::fit_options::{FitError, View};
use super::observation::ObservationModel;
use super::robust::robust_deviation;

/// Residuals of one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateResiduals {
    /// Number of residuals.
    pub count: usize,
    /// Root mean square, m.
    pub rms: f64,
    /// Correlation of neighbouring residuals.
    pub lag1: f64,
    /// Bound 3/√n of that correlation for white noise, in 99.87 % of cases.
    pub lag1_bound: f64,
}

impl CoordinateResiduals {
    /// Whether neighbours are correlated positively, beyond the bound for white noise: standard errors are then too
    /// small. Negative correlation does no harm.
    pub fn is_coloured(&self) -> bool {
        self.lag1 > self.lag1_bound
    }
}

/// Whether the residuals of x or y are correlated.
pub(super) fn is_coloured(axes: &[Option<CoordinateResiduals>; 2]) -> bool {
    axes.iter().flatten().any(CoordinateResiduals::is_coloured)
}

/// A measured coordinate far from the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlier {
    /// Line of the file, from 1.
    pub line: usize,
    /// 0: x, 1: y.
    pub axis: usize,
    /// Measured − modelled, m.
    pub off: f64,
    /// Size of `off` in standard deviations.
    pub deviations: f64,
}

/// An outlier is farther from the run than this many standard deviations.
const OUTLIER: f64 = 5.0;
/// Residuals are clipped at this many standard deviations for the correlation of neighbours.
const CLIPPED: f64 = 3.0;

/// Effects of a change by ten times a number are rounding if below this part of the extent of the measured places.
pub(super) const ROUNDING: f64 = 1e-7;

fn root_mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let (count, squares) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value * value));
    (squares / f64::from(count.max(1))).sqrt()
}

/// Whether residuals exceed rounding.
pub(super) fn is_told(residuals: &[f64], least: f64) -> bool {
    root_mean_square(residuals.iter().copied()) > least
}

/// Residual of a measured coordinate.
struct SeenResidual {
    line: usize,
    axis: usize,
    /// Modelled − measured, in units of sigma.
    off: f64,
    /// Modelled − measured, m.
    length: f64,
}

/// Residuals of a run, with their standard deviations.
pub(super) struct SeenResiduals {
    all: Vec<SeenResidual>,
    /// Robust standard deviation along each axis, at least that of rounding to the digits written.
    deviations: [f64; 2],
    weighted: bool,
    least: f64,
}

impl SeenResiduals {
    pub fn of(observation: &ObservationModel, view: View, residuals: &[f64], least: f64) -> Self {
        let one = |((row, axis), off): (&(usize, usize), &f64)| {
            let length = view.length(*axis, off * observation.sigma(*row, *axis));
            SeenResidual { line: observation.data.rows[*row].line, axis: *axis, off: *off, length }
        };
        let all: Vec<SeenResidual> = observation.seen.iter().zip(residuals).map(one).collect();
        let weighted = observation.data.weighted;
        let deviations = [0, 1].map(|axis| {
            let written = if weighted { 0.0 } else { observation.data.rounding(axis) / observation.apart[axis] };
            let own: Vec<f64> = all.iter().filter(|one| one.axis == axis).map(|one| one.off).collect();
            robust_deviation(&own).max(written).max(least)
        });
        SeenResiduals { all, deviations, weighted, least }
    }

    /// Root mean square, m.
    pub fn rms(&self) -> f64 {
        root_mean_square(self.all.iter().map(|one| one.length))
    }

    /// Root mean square without outliers, m.
    pub fn rms_without(&self) -> f64 {
        let near = |one: &&SeenResidual| one.off.abs() <= OUTLIER * self.deviations[one.axis];
        root_mean_square(self.all.iter().filter(near).map(|one| one.length))
    }

    /// Size and correlation of residuals in x and y; within rounding the correlation is zero. `without`: without
    /// outliers, to which a robust loss is insensitive.
    pub fn axes(&self, without: bool) -> [Option<CoordinateResiduals>; 2] {
        [0, 1].map(|axis| {
            let own = || self.all.iter().filter(move |one| one.axis == axis);
            let [bound, outlier] = [CLIPPED, OUTLIER].map(|times| times * self.deviations[axis]);
            let clip = |r: f64| if without && r.abs() > outlier { 0.0 } else { r.max(-bound).min(bound) };
            let clipped: Vec<f64> = own().map(|one| clip(one.off)).collect();
            let squares: f64 = clipped.iter().map(|r| r * r).sum();
            let products: f64 = clipped.windows(2).map(|pair| pair[0] * pair[1]).sum();
            let lag1 = if is_told(&clipped, self.least) && squares > 0.0 { products / squares } else { 0.0 };
            let (count, rms) = (clipped.len(), root_mean_square(own().map(|one| one.length)));
            (count > 0).then(|| CoordinateResiduals { count, rms, lag1, lag1_bound: 3.0 / (count as f64).sqrt() })
        })
    }

    /// Coordinates farther off than five standard deviations: given sigmas, or the robust deviation of the axis.
    pub fn outliers(&self) -> Vec<Outlier> {
        let one = |SeenResidual { line, axis, off, length }: &SeenResidual| {
            let deviation = if self.weighted { 1.0 } else { self.deviations[*axis] };
            Outlier { line: *line, axis: *axis, off: -length, deviations: off.abs() / deviation }
        };
        self.all.iter().map(one).filter(|outlier| outlier.deviations > OUTLIER).collect()
    }

    /// The evaluation with outliers clipped to the bound, so that they do not determine the noise.
    pub fn clamped(&self, mut at: Evaluation) -> Evaluation {
        for (residual, SeenResidual { axis, .. }) in at.residuals.iter_mut().zip(&self.all) {
            let bound = OUTLIER * self.deviations[*axis];
            *residual = residual.clamp(-bound, bound);
        }
        at
    }
}

/// A large change of each parameter.
pub(super) fn sizes(observation: &ObservationModel, values: &[f64], bounds: &[ParameterRange]) -> Vec<f64> {
    let own = |j: usize| if values[j] == 0.0 { 1.0 } else { values[j].abs() };
    (0..values.len()).map(|j| known_size(observation, values, bounds, j).unwrap_or_else(|| own(j))).collect()
}

/// A large change of each parameter at the solution: for a number without a size of its own ten times its value, or the
/// change that moves places by the extent of the table.
pub(super) fn limits(
    observation: &ObservationModel,
    at: &Solution,
    bounds: &[ParameterRange],
    start: &[f64],
) -> Vec<f64> {
    let extent = observation.data.extent();
    let limit = |j: usize| {
        let moves = observation.moves(&at.evaluation, j);
        let values = 10.0 * at.parameters[j].abs().max(start[j].abs());
        // Derivatives that cancel leave rounding, which counts as no effect.
        let is_seen = moves * values > ROUNDING * extent || values == 0.0 && moves > 0.0;
        let size = if is_seen { values.max(extent / moves) } else { values };
        if size > 0.0 { size } else { 1.0 }
    };
    (0..start.len()).map(|j| known_size(observation, &at.parameters, bounds, j).unwrap_or_else(|| limit(j))).collect()
}

fn known_size(observation: &ObservationModel, values: &[f64], bounds: &[ParameterRange], j: usize) -> Option<f64> {
    let extent = observation.data.extent() * observation.view_at(values).scale;
    let width = bounds[j].upper - bounds[j].lower;
    let Some(unknown) = observation.unknowns.list().get(j) else {
        // Terms of the camera are parts of the half extent or rad, with known standard deviations.
        return (j >= observation.asked()).then_some(1.0);
    };
    let size = match (unknown.rate(), unknown.key.as_str()) {
        (Some(0), _) => extent,
        (Some(_), _) => values[j].abs().max(10.0 * extent / observation.data.end()),
        (_, "contact.friction") => 1.0,
        _ if width.is_finite() => width,
        _ => return None,
    };
    Some(if size > 0.0 { size } else { 1.0 })
}

/// Key of a parameter and the position at which it was asked for.
fn named(observation: &ObservationModel, j: usize) -> (String, Span) {
    match observation.unknowns.list().get(j) {
        Some(unknown) => (unknown.key.clone(), unknown.span.clone()),
        None => {
            let (option, value) = if j < observation.asked() { ("--scale", "free") } else { ("--camera", "camera") };
            (observation.key(j).to_owned(), Span::option(option, value))
        }
    }
}

/// Cure for an undetermined number, by the option that asked for it.
fn cure(observation: &ObservationModel, j: usize) -> &'static str {
    if j < observation.unknowns.list().len() {
        "leave it out of --free, and --set it to what is known of it"
    } else if j < observation.asked() {
        "give the scale: --scale S, in m per unit of the table"
    } else if observation.scale_free {
        "leave --camera out"
    } else {
        "if the scale is further off than cameras make it, --scale free finds it; else leave --camera out"
    }
}

/// Reason of the error for a number that nothing measured depends on.
pub(super) const NO_EFFECT: &str = "no place in these rows depends on it";

/// The error for a number that the measured places say nothing of.
pub(super) fn idle(observation: &ObservationModel, index: usize, why: &str) -> FitError {
    let (key, span) = named(observation, index);
    let within = match observation.unknowns.list().get(index).map(|unknown| unknown.bounds) {
        Some(ParameterRange { lower, upper }) if lower.is_finite() && upper.is_finite() => {
            format!(" from {} to {}", plain(lower), plain(upper))
        }
        _ => String::new(),
    };
    let message = format!("the data can't tell `{key}`: {why}{within}");
    FitError::from(InputError::new(&span, message, "has no effect here").with_help(cure(observation, index)))
}

/// The error for parameters that the data do not determine, with the reason.
pub(super) fn undetermined(observation: &ObservationModel, why: &Undetermined) -> FitError {
    let error = match why {
        Undetermined::Combination { parts, .. } => {
            let named_key = |(j, _): &(usize, f64)| format!("`{}`", named(observation, *j).0);
            let listed = parts.iter().map(named_key).collect::<Vec<_>>().join(", ");
            let message = format!("the data tell only a combination of {listed}, not each of them");
            // Preferably a parameter that can be left out.
            let is_unknown = |(j, _): &&(usize, f64)| *j < observation.unknowns.list().len();
            let blamed = parts.iter().rfind(is_unknown).or(parts.last()).map_or(0, |(j, _)| *j);
            let help = cure(observation, blamed).replace("leave it out", "leave one of them out");
            InputError::new(&named(observation, blamed).1, message, "one too many").with_help(help)
        }
        Undetermined::TooFew { data, parameters } => {
            let (rows, name) = (observation.data.rows.len(), &observation.data.name);
            let few = format!("{data} coordinates in {rows} rows of {name} are too few for {parameters} parameters");
            InputError::without_place(few).with_help("give more rows, or fewer keys to --free")
        }
    };
    FitError::from(error)
}

/// Refuses numbers whose standard errors exceed their ranges.
pub(super) fn check_errors(
    observation: &ObservationModel,
    at: &Solution,
    statistics: &Statistics,
    limits: &[f64],
) -> Result<(), FitError> {
    let errors = &statistics.standard_errors;
    let unknown = |j: &usize| !(errors[*j] <= limits[*j]) && errors[*j] != f64::INFINITY;
    let Some(j) = (0..limits.len()).find(unknown) else { return Ok(()) };
    let (key, span) = named(observation, j);
    let with = |k: usize| statistics.correlation[(j, k)];
    let others = (0..limits.len()).filter(|k| *k != j);
    let closest = others.max_by(|a, b| with(*a).abs().total_cmp(&with(*b).abs()));
    let partner = closest.filter(|k| with(*k).abs() > 0.95);
    let because = partner.map_or(String::new(), |k| {
        let other = named(observation, k).0;
        format!(", since `{other}` does nearly the same (correlation {:.4})", with(k))
    });
    let (value, error) = (plain(rounded(at.parameters[j], 4)), errors[j]);
    let message = format!("the data can't tell `{key}`: {value} would have a standard error of {error:.1e}{because}");
    // Correlation with a term of the camera is no cause: its size is known.
    let blamed = partner.filter(|k| *k >= observation.asked()).unwrap_or(j);
    let help = cure(observation, blamed);
    Err(FitError::from(InputError::new(&span, message, "is not to be told from these rows").with_help(help)))
}
