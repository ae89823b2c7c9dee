//! Observed orders of convergence: fits power laws to errors over steps.

use scenario::input::InputError;
use scenario::{FlightKind, MethodFamily, Scenario};

use super::comparison::{ComparedRun, Comparison, ComparisonPlan, cases, compare};
use super::draft::Draft;
use super::measure::{Measure, OBSERVED};
use super::method::{Fineness, Method};
use super::option_lists::items;
use super::reference_solution::rounding;

/// Floors of a measure's error: rounding, and the reference's own error (0 for energy, which needs none).
fn floors(comparison: &Comparison, measure: Measure) -> (f64, f64) {
    let Comparison { scenario, truth, .. } = comparison;
    let rounding = rounding(&truth.track, scenario.solver.duration);
    if measure == Measure::Energy {
        let (mass, gravity) = (scenario.scene.ball.mass(), scenario.scene.forces.gravity_vector().norm());
        let [q, v] =
            [Measure::Position, Measure::Velocity].map(|size| rounding.of(size).unwrap_or(0.0) / (4.0 * f64::EPSILON));
        return (4.0 * f64::EPSILON * mass * (0.5 * v * v + gravity * q), 0.0);
    }
    (rounding.of(measure).unwrap_or(0.0), truth.own.of(measure).unwrap_or(0.0))
}

/// Reads a list of measures; `None`: the option was not given.
pub fn observables(option: &str, text: Option<&str>) -> Result<Option<Vec<Measure>>, InputError> {
    let Some(text) = text else { return Ok(None) };
    let mut found = Vec::new();
    for item in items(option, text, "for example x,v,lambda,energy,event-time")? {
        let Some(measure) = OBSERVED.into_iter().find(|measure| measure.name() == item.text) else {
            return Err(item.unknown("quantity", &item.text, OBSERVED.map(Measure::name).into_iter()));
        };
        if found.contains(&measure) {
            return Err(item.error(format!("\"{}\" stands twice in the list", item.text), "once is enough"));
        }
        found.push(measure);
    }
    Ok(Some(found))
}

/// Reason why a point is left out of the fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plateau {
    /// Its error is that of rounding.
    RoundOff,
    /// Its error is below ten times the reference's own error.
    Reference,
    /// Its error no longer falls with the step, though well above rounding: by a tolerance within the method, or
    /// another cause.
    Solver,
    /// The run lacks events of the reference, or has others.
    Events,
    /// The run stopped, or its error is missing or not finite.
    Stopped,
}

impl Plateau {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Plateau::RoundOff => "round-off",
            Plateau::Reference => "reference not better",
            Plateau::Solver => "solver tolerance",
            Plateau::Events => "other events",
            Plateau::Stopped => "stopped",
        }
    }
}

/// Error of a run at one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Step h, s.
    pub step: f64,
    /// Largest error.
    pub error: Option<f64>,
    /// Observed order between the next larger step and this one.
    pub order: Option<f64>,
    /// Reason why it is not in the fit; `None`: it is.
    pub left_out: Option<Plateau>,
    /// Median CPU time, s.
    pub cpu: Option<f64>,
    /// Evaluations of force and ground.
    pub evaluations: u64,
}

/// Errors of one measure and method over steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The method.
    pub method: Method,
    /// Name of the contact formulation; empty for time stepping.
    pub formulation: &'static str,
    /// The measure.
    pub observable: Measure,
    /// Errors, from large steps to small.
    pub points: Vec<Point>,
    /// Power law through the points that are not left out.
    pub fit: Option<PowerLaw>,
}

/// Orders of several methods.
#[derive(Debug)]
pub struct Convergence {
    /// The runs, with their errors.
    pub comparison: Comparison,
    /// One line per method and measure.
    pub lines: Vec<Line>,
}

/// Observed orders of methods, and reasons why others are left out. Without `wanted` all measures of the scenario are
/// observed; `skip`: see [`cases`].
pub fn converge(
    draft: &Draft,
    methods: &[Method],
    skip: bool,
    steps: &[f64],
    wanted: Option<&[Measure]>,
    plan: &ComparisonPlan,
) -> Result<(Convergence, Vec<String>), InputError> {
    let (cases, mut left_out) = cases(draft, methods, skip, Some(steps), None)?;
    if steps.len() < 2 {
        return Err(InputError::without_place("one step gives no order")
            .with_help("give at least two, for example --steps 0.02..0.00125/2"));
    }
    let mut comparison = compare(draft, &cases, plan)?;
    let idle = |method: &Method| {
        let flies = matches!(method.family, MethodFamily::Events(kind) if kind != FlightKind::Newmark);
        (flies && !comparison.truth.track.flies()).then(|| {
            let (name, end) = (method.name(), comparison.scenario.solver.duration);
            format!("\"{name}\" has nothing to fly: the ball stays on the ground for all {end:?} s, where only the formulation differs")
        })
    };
    let idle: Vec<(Method, String)> = methods.iter().filter_map(|method| Some((*method, idle(method)?))).collect();
    if let (Some((_, why)), false) = (idle.first(), skip) {
        return Err(
            InputError::without_place(why.clone()).with_help("compare formulations: newmark, newmark:arc-length, …")
        );
    }
    comparison.outcomes.retain(|outcome| idle.iter().all(|(method, _)| *method != outcome.case.method));
    left_out.extend(idle.into_iter().map(|(_, why)| why));
    let track = &comparison.truth.track;
    let lacks = |observable: Measure| match observable {
        Measure::NormalForce if track.rows.iter().all(|row| row.normal_force.is_none()) => Some("contact at any row"),
        Measure::EventTime if track.events.is_empty() => Some("event"),
        _ => None,
    };
    let observed: Vec<Measure> = match wanted {
        Some(wanted) => {
            if let Some((observable, what)) = wanted.iter().find_map(|o| Some((o, lacks(*o)?))) {
                let Scenario { solver, .. } = &comparison.scenario;
                let message =
                    format!("there is no \"{}\" to observe: no {what} in {} s", observable.name(), solver.duration);
                return Err(InputError::without_place(message).with_help("leave it out of --observe"));
            }
            wanted.to_vec()
        }
        None => OBSERVED.into_iter().filter(|o| lacks(*o).is_none()).collect(),
    };
    let mut lines = Vec::new();
    for observable in &observed {
        for of_method in comparison.outcomes.chunk_by(|a, b| a.case.method == b.case.method) {
            lines.push(line(&comparison, *observable, of_method));
        }
    }
    Ok((Convergence { comparison, lines }, left_out))
}

fn line(comparison: &Comparison, observable: Measure, outcomes: &[ComparedRun]) -> Line {
    let (floor, own) = floors(comparison, observable);
    let point = |outcome: &ComparedRun| {
        let error = outcome.errors.of(observable);
        let events = &outcome.errors.events;
        let left_out = match error {
            _ if outcome.track.stop.is_some() => Some(Plateau::Stopped),
            None => Some(Plateau::Stopped),
            Some(error) if !error.is_finite() => Some(Plateau::Stopped),
            _ if events.missed + events.extra > 0 && observable != Measure::Energy => Some(Plateau::Events),
            Some(error) if error <= 10.0 * floor => Some(Plateau::RoundOff),
            Some(error) if error < 10.0 * own => Some(Plateau::Reference),
            Some(_) => None,
        };
        let Fineness::Step(step) = outcome.case.fineness else { return None };
        let work = &outcome.track.work;
        let evaluations = work.forces + work.ground;
        let cpu = outcome.timing.map(|timing| timing.median);
        Some(Point { step, error, order: None, left_out, cpu, evaluations })
    };
    let mut points: Vec<Point> = outcomes.iter().filter_map(point).collect();
    for i in 1..points.len() {
        points[i].order = between(&points[i - 1], &points[i]).filter(|order| order.is_finite());
    }
    level_off(&mut points, floor, comparison.scenario.solver.duration);
    let fitted: Vec<(f64, f64)> =
        points.iter().filter(|point| point.left_out.is_none()).filter_map(|p| Some((p.step, p.error?))).collect();
    let ComparedRun { case, formulation, .. } = outcomes[0];
    Line { method: case.method, formulation, observable, fit: fit(&fitted), points }
}

/// Leaves out the smallest step while the last order is below half the median of the orders before it. The cause is
/// rounding if the steps' rounding, summed over the duration (s), could give the error.
fn level_off(points: &mut [Point], floor: f64, duration: f64) {
    loop {
        let kept: Vec<usize> = (0..points.len()).filter(|i| points[*i].left_out.is_none()).collect();
        let orders: Vec<f64> = kept.windows(2).filter_map(|pair| between(&points[pair[0]], &points[pair[1]])).collect();
        let Some((last, earlier)) = orders.split_last().filter(|(_, earlier)| !earlier.is_empty()) else { return };
        let mut sorted = earlier.to_vec();
        sorted.sort_by(f64::total_cmp);
        if !(*last < 0.5 * sorted[sorted.len() / 2]) {
            return;
        }
        let point = &mut points[kept[kept.len() - 1]];
        let step = point.step;
        let rounded = point.error.is_some_and(|error| error <= floor * duration / step);
        point.left_out = Some(if rounded { Plateau::RoundOff } else { Plateau::Solver });
    }
}

/// Observed order between two steps.
fn between(a: &Point, b: &Point) -> Option<f64> {
    Some((a.error? / b.error?).ln() / (a.step / b.step).ln())
}

/// A power law through errors: `ln e = order·ln h + constant` by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The order: slope of the line.
    pub order: f64,
    /// Standard error of the order; `None` for two points.
    pub standard_error: Option<f64>,
    /// Half of its 95 % confidence interval, by Student's t with n − 2 degrees of freedom.
    pub half_width: Option<f64>,
    /// Number of points used.
    pub points: usize,
}

impl PowerLaw {
    /// The nearest integer (at least 1), if the confidence interval reaches no other one.
    pub fn whole(&self) -> Option<f64> {
        let order = self.order.round();
        let sure = |half: f64| (self.order - order).abs() + half < 1.0;
        (order >= 1.0 && self.half_width.is_some_and(sure)).then_some(order)
    }
}

/// Fits at least two points (h, e) with h, e > 0 and different h.
pub fn fit(points: &[(f64, f64)]) -> Option<PowerLaw> {
    let n = points.len();
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let order = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
    if n < 2 || !order.is_finite() {
        return None;
    }
    let freedom = n - 2;
    let residual: f64 = logs.iter().map(|p| (p.1 - y - order * (p.0 - x)).powi(2)).sum();
    let standard_error = (freedom > 0).then(|| (residual / freedom as f64 / spread).sqrt());
    let half_width = standard_error.map(|error| identify::student_quantile(freedom) * error);
    Some(PowerLaw { order, standard_error, half_width, points: n })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail loudly")]
mod tests {
    use super::*;

    fn points(errors: &[f64]) -> Vec<Point> {
        let point = |(i, error): (usize, &f64)| Point {
            step: 0.5f64.powi(i as i32),
            error: Some(*error),
            order: None,
            left_out: None,
            cpu: None,
            evaluations: 0,
        };
        errors.iter().enumerate().map(point).collect()
    }

    fn left_out(errors: &[f64], floor: f64) -> Vec<Option<Plateau>> {
        let mut points = points(errors);
        level_off(&mut points, floor, 100.0);
        points.iter().map(|point| point.left_out).collect()
    }

    #[test]
    fn errors_that_no_longer_fall_are_left_out_and_named() {
        let (no, solver, rounding) = (None, Some(Plateau::Solver), Some(Plateau::RoundOff));
        assert_eq!(left_out(&[1.0, 0.25, 0.0625, 0.05, 0.06], 1e-12), [no, no, no, solver, solver]);
        assert_eq!(left_out(&[1e-6, 6e-8, 4e-9, 3e-9], 1e-11), [no, no, no, rounding]);
        assert_eq!(left_out(&[1.0, 0.25, 0.0625, 0.015], 1e-12), [no; 4]);
        // First order with scatter is no plateau.
        assert_eq!(left_out(&[1.0, 0.6, 0.25, 0.13], 1e-12), [no; 4]);
    }
}
