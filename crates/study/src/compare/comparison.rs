//! Runs one scenario by several methods ([`compare`]), judges and times the runs.

use std::time::Duration;

use rayon::prelude::*;
use scenario::input::{InputError, plain};
use scenario::stepping::steps_alone;
use scenario::{Scenario, run_with};
use supervisor::{NoObserver, Options};

use super::draft::Draft;
use super::errors::{Errors, errors};
use super::measure::JUDGED;
use super::method::{Case, Fineness, Method};
use super::reference_solution::{ClosedForm, Truth};
use super::track::RunTrack;

/// Maximum number of steps of a run.
const MOST_STEPS: f64 = 1e7;
/// Maximum number of rows of all runs together, which are held in memory.
const MOST_ROWS: f64 = 2e6;

/// Settings of a comparison.
pub struct ComparisonPlan<'a> {
    /// Repetitions of each run for its CPU time; 0: not timed.
    pub tries: usize,
    /// Closed form used as the reference; `None`: a run that is refined.
    pub closed_form: Option<&'a ClosedForm>,
    /// Called with the name of the stage, the number of runs done and that of all.
    pub progress: &'a (dyn Fn(&str, usize, usize) + Sync),
}

/// One run of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// Method, and its step or tolerance.
    pub case: Case,
    /// Name of the contact formulation; empty for time stepping.
    pub formulation: &'static str,
    /// The run.
    pub track: RunTrack,
    /// Its errors.
    pub errors: Errors,
    /// For each of [`Errors::numbers`], whether the reference is 100 times better.
    pub certain: [bool; JUDGED.len()],
    /// CPU time; `None`: not timed.
    pub timing: Option<Timing>,
}

/// Result of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The scenario as written.
    pub scenario: Scenario,
    /// Reference by which the runs are judged.
    pub truth: Truth,
    /// The runs, in the order asked for.
    pub outcomes: Vec<ComparedRun>,
}

/// The runs to make: each method at each step or tolerance. If both are given, tolerances are for event-driven methods
/// and steps for time stepping; given neither, all run as the scenario says, and time stepping from row to row if it
/// says no step. With `skip`, methods that can't run the scenario are left out, and named with the reason.
pub fn cases(
    draft: &Draft,
    methods: &[Method],
    skip: bool,
    steps: Option<&[f64]>,
    tolerances: Option<&[f64]>,
) -> Result<(Vec<Case>, Vec<String>), InputError> {
    let written = draft.as_written()?;
    if let Some(balls @ 2..) = written.stepping.as_ref().map(|stepping| stepping.balls.len()) {
        let message = format!("the scenario has {balls} balls, and references are event-driven, which knows one");
        return Err(InputError::without_place(message).with_help("compare scenarios of one ball"));
    }
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    if let Some(steps) = steps {
        check_steps(steps, written.solver.duration)?;
    }
    if let (Some(_), Some(_)) = (steps, tolerances)
        && !methods.iter().any(|method| method.family.steps())
    {
        let message = "--steps has nothing to do: all methods of the list are event-driven and go by --tolerances";
        return Err(InputError::without_place(message).with_help("give one of them, or add moreau"));
    }
    for method in methods {
        // With `all`, "newmark" without a formulation already is the scenario's own formulation.
        if skip && method.formulation == Some(written.solver.formulation) {
            continue;
        }
        let fine = match finenesses(&written, *method, steps, tolerances) {
            Ok(fine) => fine,
            Err(why) if skip => {
                left_out.push(why);
                continue;
            }
            Err(why) => {
                let help = "give --steps beside --tolerances, or leave it out";
                return Err(InputError::without_place(why).with_help(help));
            }
        };
        let of_method: Vec<Case> = fine.into_iter().map(|fineness| Case { method: *method, fineness }).collect();
        match of_method.iter().find_map(|case| draft.scenario(case).err()) {
            None => found.extend(of_method),
            Some(error) if skip => left_out.push(format!("{}: {error}", method.name())),
            Some(error) => return Err(error),
        }
    }
    if found.is_empty() {
        let help = left_out.join("; ");
        return Err(InputError::without_place("no method of the list can run this scenario").with_help(help));
    }
    let rows = (written.solver.duration / written.interval + 1.0) * found.len() as f64;
    if rows > MOST_ROWS {
        let message =
            format!("{} runs have {rows:.1e} rows together, and at most {MOST_ROWS:.0e} can be held", found.len());
        let help = "give --set output.interval=… a larger value, or fewer runs";
        return Err(InputError::without_place(message).with_help(help));
    }
    Ok((found, left_out))
}

/// Steps or tolerances at which a method runs, or the reason why it has none.
fn finenesses(
    written: &Scenario,
    method: Method,
    steps: Option<&[f64]>,
    tolerances: Option<&[f64]>,
) -> Result<Vec<Fineness>, String> {
    Ok(match (method.family.steps(), steps, tolerances) {
        (true, Some(steps), _) | (false, Some(steps), None) => steps.iter().copied().map(Fineness::Step).collect(),
        (false, _, Some(tolerances)) => {
            let both = |t: &f64| Fineness::Tolerance(newmark::Tolerance { relative: *t, absolute: *t });
            tolerances.iter().map(both).collect()
        }
        (true, None, Some(_)) => {
            return Err(format!("\"{}\" marches in fixed steps and knows no tolerance", method.name()));
        }
        (false, None, None) => vec![Fineness::of(written)],
        (true, None, None) => vec![match Fineness::of(written) {
            Fineness::Tolerance(_) => Fineness::Step(written.interval),
            step => step,
        }],
    })
}

fn check_steps(steps: &[f64], duration: f64) -> Result<(), InputError> {
    for step in steps {
        let (step_shown, of) = (plain(*step), plain(duration));
        if *step > duration {
            let message = format!("a step of {step_shown} s is longer than the duration of {of} s");
            return Err(InputError::without_place(message).with_help("give smaller --steps"));
        }
        if duration / step > MOST_STEPS {
            let message = format!("a step of {step_shown} s makes {:.1e} steps of {of} s", duration / step);
            let least = plain(duration / MOST_STEPS);
            return Err(InputError::without_place(message)
                .with_help(format!("at most {MOST_STEPS:.0e}: give --steps of at least {least} s")));
        }
    }
    Ok(())
}

/// Runs all cases and judges them.
pub fn compare(draft: &Draft, cases: &[Case], plan: &ComparisonPlan) -> Result<Comparison, InputError> {
    let written = draft.as_written()?;
    let scenarios = cases.iter().map(|case| draft.scenario(case)).collect::<Result<Vec<_>, _>>()?;
    let timed = if plan.tries > 0 { cases.len() } else { 0 };
    let total = cases.len() + 1 + timed;
    let done = std::sync::atomic::AtomicUsize::new(0);
    let tick = |what: &str| {
        let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (plan.progress)(what, before + 1, total);
    };
    let run = |(case, scenario): (&Case, &Scenario)| {
        let track = RunTrack::of(scenario).map_err(|error| InputError::without_place(error.to_string()));
        tick(&case.name());
        track
    };
    let tracks = cases.par_iter().zip(&scenarios).map(run).collect::<Result<Vec<_>, _>>()?;
    let truth = match plan.closed_form {
        Some(form) => Truth::closed(form, &written),
        None => {
            let at = done.load(std::sync::atomic::Ordering::Relaxed);
            let mut hear = |tolerance: f64| (plan.progress)(&format!("reference, tolerance {tolerance:e}"), at, total);
            Truth::refined(draft, &tracks, &written, &mut hear)?
        }
    };
    tick("reference");
    let judged: Vec<Errors> = tracks.par_iter().map(|track| errors(&truth.track, track, &written)).collect();
    let mut outcomes = Vec::with_capacity(cases.len());
    for (((case, scenario), track), errors) in cases.iter().zip(&scenarios).zip(tracks).zip(judged) {
        let timing = (plan.tries > 0).then(|| time(scenario, plan.tries));
        if timing.is_some() {
            tick(&format!("time of {}", case.name()));
        }
        let certain = truth.certain(&errors);
        let rigid = scenario.stepping.is_none() && scenario.scene.compliance.is_none();
        let formulation = if rigid { scenario.solver.formulation.name() } else { "" };
        outcomes.push(ComparedRun { case: *case, formulation, track, errors, certain, timing });
    }
    Ok(Comparison { scenario: written, truth, outcomes })
}

/// CPU time of a run, from several repetitions, s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// Median.
    pub median: f64,
    /// Minimum.
    pub least: f64,
    /// Maximum.
    pub most: f64,
}

/// Measures the CPU time of a run without output. One run before the measured ones is not counted.
pub fn time(scenario: &Scenario, tries: usize) -> Timing {
    let once = || {
        let start = cpu_time();
        if scenario.stepping.is_some() {
            std::hint::black_box(steps_alone(scenario));
        } else {
            let options = Options { interval: None, ..scenario.options() };
            let _ = std::hint::black_box(run_with(scenario, options, &mut NoObserver));
        }
        (cpu_time() - start).as_secs_f64()
    };
    once();
    let mut times: Vec<f64> = (0..tries.max(1)).map(|_| once()).collect();
    times.sort_by(f64::total_cmp);
    let (least, most) = (times[0], times[times.len() - 1]);
    let middle = times.len() / 2;
    let median = if times.len() % 2 == 1 { times[middle] } else { 0.5 * (times[middle - 1] + times[middle]) };
    Timing { median, least, most }
}

/// CPU time of this thread, which other load of the machine hardly changes.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
