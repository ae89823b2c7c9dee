//! `kugelbahn fit`: estimates numbers of a scenario from measured places of a ball over time.
//!
//! A whole run, bounces included, is compared with all rows of a table; the free parameters minimise the squares of
//! residuals or Huber's loss. Sensitivities, solver and statistics are those of [`identify`].

mod camera;
mod columns;
mod data;
mod effect;
mod figure;
mod files;
mod film_faults;
mod fit_options;
mod fitted;
mod noise;
mod observation;
mod page;
mod profile;
mod read_film;
mod report;
mod residual_noise;
mod residuals;
mod robust;
mod several_starts;
mod units;
mod verdict;

use identify::{
    Evaluation, FamilyError, Loss, ModelError, ParameterRange, Solution, SolveError, Statistics, TraceError,
    Undetermined,
};
use scenario::input::InputError;
use scenario::unknowns::Unknowns;
use supervisor::Stop;

pub use columns::Reading;
pub use data::{Data, FilmRow};
pub use figure::fit_figure;
pub use files::{FIT_FILES, fit_json, residuals_csv};
pub use fit_options::{FitError, FitPlan, View};
pub use fitted::{Fit, Fitted, Parameter};
pub use page::fit_html;
pub use profile::IntervalEnd;
pub use read_film::{load, read};
pub use report::fit_report;
pub use residual_noise::Colour;
pub use residuals::{CoordinateResiduals, Outlier};
pub use units::units_hint;
pub use verdict::Verdict;

use fit_options::RunError;
use noise::Share;
use observation::ObservationModel;
use profile::{Better, BothEnds, by_curvatures, profiles};
use residuals::NO_EFFECT;
use robust::robust_deviation;
use several_starts::FitSearch;
use verdict::MISFIT;

/// Least noise assumed of a table, as a part of its extent.
const LEAST_NOISE: f64 = 1e-9;

/// Maximum number of rows used by the search for a start; the final fit uses all.
const SEARCHED: usize = 2000;

/// Fits the free parameters of a scenario to a table.
pub fn fit(unknowns: &Unknowns, data: &Data, plan: &FitPlan) -> Result<Fit, FitError> {
    let few = data.thinned(SEARCHED);
    let mut observation = ObservationModel::new(unknowns, data, plan);
    check(&observation)?;
    units::check_units(unknowns, data, plan)?;
    let (start, bounds) = start(&mut observation, plan)?;
    let least_sigma = data.rows.iter().map(|row| row.sigma).fold(f64::INFINITY, f64::min);
    let (least, noise) = (LEAST_NOISE * data.extent() / least_sigma, data.noise(Share::HALF));
    // In units of the less noisy axis, both have one noise.
    let lower = noise.map(|[x, y]| x.min(y).max(least));
    if let Some((noise, lower)) = noise.zip(lower) {
        observation.apart = noise.map(|noise| noise.max(lower) / lower);
    }
    let noise = lower.unwrap_or(f64::INFINITY);
    observation.deviation = if data.weighted { 1.0 } else { noise.min(data.extent()) };
    let of_huber = |deviation: f64| plan.huber.map_or(Loss::Squares, |k| Loss::Huber(k * deviation.max(least)));
    let (loss, sizes) = (of_huber(observation.deviation), residuals::sizes(&observation, &start, &bounds));
    let mut search = FitSearch { observation, bounds, sizes, loss, noise, coarse: None };
    let coarse = |few| Box::new(FitSearch { observation: search.observation.of(few), ..search.clone() });
    search.coarse = few.as_ref().map(coarse);
    let mut solution = found(search.coarse.as_deref().unwrap_or(&search), &start)?;
    if search.coarse.is_some() {
        solution = search.direct(&solution.parameters).map_err(told)?;
    }
    if plan.huber.is_some() && !data.weighted {
        for _ in 0..2 {
            search.set_loss(of_huber(robust_deviation(&solution.evaluation.residuals)));
            solution = search.direct(&solution.parameters).map_err(told)?;
        }
    }
    let observation = &search.observation;
    let colour = if plan.huber.is_some() { None } else { coloured(observation, &solution.evaluation, least) };
    // With whitened residuals, errors and intervals allow for their correlation.
    let white = colour.map(|colour| search.whitened(colour));
    let judge = white.as_ref().unwrap_or(&search);
    let mut times = search.times_noise(&solution.evaluation.residuals);
    if white.is_some() {
        solution = judge.direct(&solution.parameters).map_err(told)?;
    }
    let mut judged = judge_solution(judge, &solution, &start, least, times)?;
    for _ in 0..BETTER {
        let Err(Better(parameters)) = &judged.1 else { break };
        solution = judge.direct(parameters).map_err(told)?;
        judged = judge_solution(judge, &solution, &start, least, times)?;
    }
    let (statistics, ranges) = judged;
    let ranges = ranges.unwrap_or_else(|Better(_)| by_curvatures(&solution, &statistics, &search.bounds));
    if white.is_some() {
        let raw = observation.evaluate(1.0, &solution.parameters);
        solution.evaluation = raw.map_err(|error| FitError::Run(Box::new(error)))?;
        times = search.times_noise(&solution.evaluation.residuals);
    }
    let view = observation.view_at(&solution.parameters);
    let residuals = &solution.evaluation.residuals[..observation.seen.len()];
    let left = residuals::SeenResiduals::of(observation, view, residuals, least);
    let (rms, bears) = (left.rms(), plan.huber.is_some());
    let part = if bears { left.rms_without() } else { rms } / (data.extent() * view.scale);
    let chi_square = data.weighted.then(|| residuals.iter().map(|r| r * r).sum::<f64>());
    let beyond = |chi: f64| chi > MISFIT.powi(2) * statistics.freedom as f64;
    // With too few rows for a noise the sigmas are those given.
    let is_misfit = times > MISFIT || lower.is_none() && chi_square.is_some_and(beyond);
    let axes = left.axes(bears);
    Ok(Fit {
        parameters: parameters(observation, &start, &solution, &statistics, &ranges),
        path: observation.path(&solution.parameters),
        verdict: verdict::verdict(&search, &solution, is_misfit, &axes, part),
        axes,
        outliers: left.outliers(),
        part,
        rms,
        colour,
        weighed_by: [0, 1].map(|axis| observation.apart[axis] * colour.map_or(1.0, |colour| colour.white[axis])),
        chi_square,
        huber: plan.huber,
        converged: solution.converged,
        times_noise: times,
        noise: lower,
        view,
        scenario: unknowns.scenario(&solution.parameters)?,
        settings: unknowns.settings(&solution.parameters),
        rows: fitted(observation, &solution, search.loss),
        statistics,
    })
}

/// Start values of the search and their bounds: unknowns, scale, camera.
fn start(observation: &mut ObservationModel, plan: &FitPlan) -> Result<(Vec<f64>, Vec<ParameterRange>), FitError> {
    let (mut start, mut bounds) = (observation.unknowns.start(), observation.unknowns.bounds());
    if let Some(scale) = plan.scale {
        let scale = scale.map_or_else(|| suggested_scale(observation, &start), Ok)?;
        observation.view.scale = scale;
        start.push(scale);
        bounds.push(ParameterRange { lower: f64::MIN_POSITIVE, upper: f64::INFINITY });
    }
    if observation.camera.is_some() {
        start.extend([0.0; camera::COUNT]);
        bounds.extend([ParameterRange::NONE; camera::COUNT]);
    }
    Ok((start, bounds))
}

/// Searches from a start; numbers without an effect there are fixed until the others are found.
fn found(search: &FitSearch, start: &[f64]) -> Result<Solution, FitError> {
    let observation = &search.observation;
    let at_start = match observation.evaluate(1.0, start) {
        // Neighbouring runs would exceed the limit, too.
        Err(error @ RunError::Trace(TraceError::Stopped(Stop::Limit { .. }))) => {
            return Err(FitError::Run(Box::new(error)));
        }
        evaluated => evaluated.ok(),
    };
    let why = |at: &Evaluation| identify::statistics(at, &search.sizes, search.loss, None).err();
    let beside = |start: &Vec<f64>| observation.evaluate(1.0, start).is_ok_and(|at| why(&at).is_some());
    if let Some(why) = at_start.as_ref().and_then(why)
        && search.starts(start, 1..3).iter().all(beside)
    {
        return Err(residuals::undetermined(observation, &why));
    }
    let idle = search.idle(start, at_start.as_ref());
    if let Some(j) = idle.first().filter(|_| idle.len() == start.len()) {
        return Err(residuals::idle(observation, *j, NO_EFFECT));
    }
    let mut held = search.clone();
    idle.iter().for_each(|j| held.bounds[*j] = ParameterRange { lower: start[*j], upper: start[*j] });
    let first = held.run(start).map_err(told)?;
    if idle.is_empty() {
        return Ok(first);
    }
    if let Some(j) = search.idle(&first.parameters, Some(&first.evaluation)).first() {
        return Err(residuals::idle(observation, *j, NO_EFFECT));
    }
    search.run(&first.parameters).map_err(told)
}

/// Maximum number of restarts from a better solution found by refits.
const BETTER: u32 = 3;

/// Errors and intervals of a solution, or the reason why there are none.
fn judge_solution(
    search: &FitSearch,
    solution: &Solution,
    start: &[f64],
    least: f64,
    times: f64,
) -> Result<(Statistics, Result<Vec<BothEnds>, Better>), FitError> {
    let observation = &search.observation;
    if let Some(j) = search.idle(&solution.parameters, Some(&solution.evaluation)).first() {
        return Err(residuals::idle(observation, *j, NO_EFFECT));
    }
    let limits = residuals::limits(observation, solution, &search.bounds, start);
    // Without sigmas, exact data have the noise of rounding.
    let freedom = observation.seen.len().saturating_sub(start.len()) as f64;
    let exact = observation.colour.is_none() && solution.cost < least * least * freedom;
    let known =
        if observation.data.weighted && observation.colour.is_none() { Some(1.0) } else { exact.then_some(least) };
    let first = |error: FitError| match error {
        // A wrong model is the likely cause of the error.
        FitError::Input(error) if times > MISFIT && times.is_finite() => FitError::from(error.after(&format!(
            "the model does not describe this table: residuals are {times:.1} times the noise of neighbouring rows; so "
        ))),
        error => error,
    };
    let statistics = identify::statistics(&solution.evaluation, &limits, search.loss, known)
        .map_err(|why| first(residuals::undetermined(observation, &why)))?;
    residuals::check_errors(observation, solution, &statistics, &limits).map_err(first)?;
    // Intervals of a wrong model are meaningless.
    let found = if !(times > MISFIT) {
        profiles(search, solution, &statistics, &limits, start, known)
    } else {
        Ok(by_curvatures(solution, &statistics, &search.bounds))
    };
    if let Ok(ranges) = &found {
        let nothing = |j: &usize| {
            let (ends, is_blind) = (ranges[*j].map(|end| end.by), statistics.standard_errors[*j].is_infinite());
            ends == [IntervalEnd::Open; 2] || is_blind && !ends.contains(&IntervalEnd::Profile)
        };
        if let Some(j) = (0..ranges.len()).find(nothing) {
            return Err(first(residuals::idle(observation, j, "any value of it fits these rows as well")));
        }
    }
    Ok((statistics, found))
}

/// Correlation of residuals and noise of each axis; `None`: one white noise for both.
fn coloured(observation: &ObservationModel, at: &Evaluation, least: f64) -> Option<Colour> {
    let seen = &at.residuals[..observation.seen.len()];
    // Residuals within rounding have no correlation.
    if !residuals::is_told(seen, least) {
        return None;
    }
    let at = residuals::SeenResiduals::of(observation, observation.view, seen, least).clamped(at.clone());
    let floors = [0, 1].map(|axis| least.max(observation.data.rounding(axis) / observation.apart[axis]));
    Colour::of(&at, &observation.places(), (!observation.data.weighted).then_some(floors))
}

fn told(error: SolveError<RunError>) -> FitError {
    match error {
        SolveError::Start(ModelError::Family(FamilyError::Model(error))) => FitError::from(error),
        SolveError::Start(error) => FitError::Run(Box::new(error)),
        SolveError::NotFinite { index } => {
            FitError::from(InputError::without_place(format!("residual {index} is not finite at the start")))
        }
    }
}

/// Refuses a fit that can't be made, before any run.
fn check(observation: &ObservationModel) -> Result<(), FitError> {
    // Each term of the camera adds its own row.
    let (data, parameters) = (observation.seen.len(), observation.asked());
    if data <= parameters {
        return Err(residuals::undetermined(observation, &Undetermined::TooFew { data, parameters }));
    }
    let begin = observation.unknowns.written().start.time();
    if begin != 0.0 {
        let message = format!("the run starts at t = {begin} s, and those of a fit start at t = 0, as the data do");
        let error = InputError::without_place(message);
        return Err(error.with_help("leave `initial.time` out: --set initial.time=0").into());
    }
    if observation.data.pixels && !observation.scale_free && observation.view.scale == 1.0 {
        let down = match (observation.view.down, units::counts_down(observation.unknowns, observation.data)) {
            (true, _) | (_, Some(false)) => "",
            (_, Some(true)) => "; and --y-down, as y counts downwards",
            (_, None) => "; and --y-down where y counts downwards, as pixels mostly do",
        };
        let error = InputError::without_place(format!("the places of {} are in pixels", observation.data.name));
        let help = format!("give --scale S in m per pixel, or --scale free to find it{down}");
        return Err(error.with_help(help).into());
    }
    Ok(())
}

/// Scale suggested by the run: its extent over that of the measured places.
fn suggested_scale(observation: &ObservationModel, start: &[f64]) -> Result<f64, FitError> {
    let samples =
        observation.observe(observation.data.rows.len(), start).map_err(|error| FitError::Run(Box::new(error)))?;
    let side = |axis: usize| {
        // A coordinate that the table does not show has no side.
        let seen = observation.data.range(axis)[0].is_finite();
        let places = || samples.iter().map(|sample| sample.state[axis]);
        if seen { places().fold(f64::MIN, f64::max) - places().fold(f64::MAX, f64::min) } else { 0.0 }
    };
    let scale = side(0).max(side(1)) / observation.data.extent();
    if scale > 0.0 && scale.is_finite() {
        return Ok(scale);
    }
    let error = InputError::without_place("the scale can't be guessed: the run, or what was seen, stands still");
    Err(error.with_help("give --scale free:S with S in m per unit of the table").into())
}

fn parameters(
    observation: &ObservationModel,
    start: &[f64],
    solution: &Solution,
    statistics: &Statistics,
    ranges: &[BothEnds],
) -> Vec<Parameter> {
    let one = |j: usize| {
        let ends = ranges[j].map(|end| end.by);
        let lower = if j < observation.asked() { 0.0 } else { f64::NEG_INFINITY };
        let free = ParameterRange { lower, upper: f64::INFINITY };
        let is_open = ends.contains(&IntervalEnd::Open);
        Parameter {
            key: observation.key(j).to_owned(),
            start: start[j],
            estimate: solution.parameters[j],
            standard_error: if is_open { f64::INFINITY } else { statistics.standard_errors[j] },
            interval: ranges[j].map(|end| end.value),
            ends,
            bounds: observation.unknowns.list().get(j).map_or(free, |unknown| unknown.bounds),
            held: solution.held[j],
        }
    };
    (0..solution.parameters.len()).map(one).collect()
}

fn fitted(observation: &ObservationModel, solution: &Solution, loss: Loss) -> Vec<Fitted> {
    let nothing = |row: &FilmRow| Fitted { row: *row, model: [f64::NAN; 2], weight: [f64::NAN; 2] };
    let mut rows: Vec<Fitted> = observation.data.rows.iter().map(nothing).collect();
    for ((i, axis), residual) in observation.seen.iter().zip(&solution.evaluation.residuals) {
        let row = &mut rows[*i];
        row.model[*axis] = row.row.place[*axis] + residual * observation.sigma(*i, *axis);
        row.weight[*axis] = loss.weight(*residual);
    }
    rows
}
