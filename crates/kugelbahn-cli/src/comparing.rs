//! `kugelbahn compare` and `kugelbahn converge`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;
use kugelbahn::compare::{
    Comparison, ComparisonPlan, Draft, cases, compare, comparison_csv, comparison_html, comparison_json,
    comparison_report, converge, convergence_csv, convergence_figure, convergence_html, convergence_json,
    convergence_report, differences_figure, events_csv, known as closed_form, methods, numbers, observables,
    paths_figure, work_precision_figure,
};
use kugelbahn::input::InputError;
use kugelbahn::output::{Folder, write_with};
use kugelbahn::scenario::Methods;

use crate::console::{CommandFailure, progress_bar, say};
use crate::figures::FigureArgs;

/// Arguments of `compare` and `converge`.
#[derive(Args)]
pub struct Common {
    /// The scenario file (TOML)
    scenario: PathBuf,
    /// Set a value of the scenario, e.g. contact.restitution=0.9 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Write tables (CSV, JSON), figures and report.html to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    drawn: FigureArgs,
    /// Write report.html alone, to this file: the methods' balls against each other
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON instead of the table
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    /// Runs timed for each CPU time, one after the other
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    tries: u16,
}

/// The arguments of `compare`.
#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    common: Common,
    /// METHOD[:FORMULATION][:extrapolated][:parabola],… or all, e.g. newmark,newmark:index3,moreau,bdf
    #[arg(long, value_name = "LIST")]
    methods: String,
    /// Fixed steps in s: a list, or FROM..TO/FACTOR; beside --tolerances, steps of time stepping alone (moreau, kern)
    #[arg(long, value_name = "LIST")]
    steps: Option<String>,
    /// Tolerances of event-driven methods: a list, or FROM..TO/FACTOR
    #[arg(long, value_name = "LIST")]
    tolerances: Option<String>,
}

/// The arguments of `converge`.
#[derive(Args)]
pub struct ConvergeArgs {
    #[command(flatten)]
    common: Common,
    /// METHOD[:FORMULATION][:extrapolated][:parabola],… or all
    #[arg(long, visible_alias = "methods", value_name = "LIST")]
    method: String,
    /// Fixed steps in s: FROM..TO/FACTOR, or a list
    #[arg(long, value_name = "LIST")]
    steps: String,
    /// Observables, a list of x,v,lambda,energy,event-time (default: all that the scenario has)
    #[arg(long, value_name = "LIST")]
    observe: Option<String>,
}

impl Common {
    /// Runs `work`, showing how far it is where a terminal listens.
    fn with_progress<T>(
        &self,
        draft: &Draft,
        work: impl FnOnce(&ComparisonPlan) -> Result<T, InputError>,
    ) -> Result<T, InputError> {
        let bar = progress_bar(self.quiet || self.json, "{wide_bar} {pos} of {len}: {wide_msg}");
        // Threads come in any order; the bar goes one way.
        let most = Mutex::new(0);
        let progress = |what: &str, done: usize, total: usize| {
            let Ok(mut most) = most.lock() else { return };
            if done >= *most {
                *most = done;
                bar.set_length(total as u64);
                bar.set_position(done as u64);
                bar.set_message(what.to_owned());
            }
        };
        let form = closed_form(&draft.as_written()?);
        let done = work(&ComparisonPlan { tries: self.tries.into(), closed_form: form.as_ref(), progress: &progress });
        bar.finish_and_clear();
        done
    }

    /// The page, if it is asked for.
    fn page(&self, draw: impl FnOnce() -> Result<String, InputError>) -> Result<String, InputError> {
        if self.out.is_none() && self.html.is_none() { Ok(String::new()) } else { draw() }
    }

    /// Writes the stand-alone page, and commits the folder's files.
    fn write(&self, folder: Option<&Folder>, page: &str) -> Result<(), CommandFailure> {
        self.html.as_ref().map_or(Ok(()), |file| write_with(folder, file, page))?;
        Ok(folder.map_or(Ok(()), Folder::commit)?)
    }
}

/// Fails if no run came to its end.
fn all_stopped(comparison: &Comparison) -> Result<(), CommandFailure> {
    let stopped = comparison.outcomes.iter().all(|outcome| outcome.track.stop.is_some());
    if stopped { Err(CommandFailure::Stopped) } else { Ok(()) }
}

/// `kugelbahn compare`
pub fn run_compare(args: &CompareArgs, known: &Arc<Methods>) -> Result<(), CommandFailure> {
    const FILES: [&str; 4] = ["comparison.csv", "events.csv", "comparison.json", "report.html"];
    let common = &args.common;
    common.drawn.ready()?;
    let (methods, skip) = methods("--methods", &args.methods, known)?;
    let list = |option: &str, text: &Option<String>| text.as_ref().map(|text| numbers(option, text)).transpose();
    let steps = list("--steps", &args.steps)?;
    let tolerances = list("--tolerances", &args.tolerances)?;
    let draft = Draft::load_with(&common.scenario, &common.settings, known)?;
    let (cases, left_out) = cases(&draft, &methods, skip, steps.as_deref(), tolerances.as_deref())?;
    let folder = common.out.as_deref().map(|path| Folder::open(path, &FILES)).transpose()?;
    let comparison = common.with_progress(&draft, |plan| compare(&draft, &cases, plan))?;
    let page = common.page(|| comparison_html(&draft, &comparison, &left_out))?;
    if let Some(folder) = &folder {
        folder.replace(FILES[0], comparison_csv(&comparison))?;
        folder.replace(FILES[1], events_csv(&comparison))?;
        folder.replace(FILES[2], comparison_json(&comparison, &left_out))?;
        folder.replace(FILES[3], &page)?;
        let work = ("work-precision", work_precision_figure(&comparison));
        let figures = [("paths", paths_figure(&comparison)), ("differences", differences_figure(&comparison)), work];
        common.drawn.write(folder, &figures)?;
    }
    common.write(folder.as_ref(), &page)?;
    let json = || comparison_json(&comparison, &left_out);
    say(common.json, common.quiet, json, |style| comparison_report(&comparison, &left_out, style))?;
    all_stopped(&comparison)
}

/// `kugelbahn converge`
pub fn run_converge(args: &ConvergeArgs, known: &Arc<Methods>) -> Result<(), CommandFailure> {
    const FILES: [&str; 3] = ["convergence.csv", "convergence.json", "report.html"];
    let common = &args.common;
    common.drawn.ready()?;
    let (methods, skip) = methods("--method", &args.method, known)?;
    let steps = numbers("--steps", &args.steps)?;
    let wanted = observables("--observe", args.observe.as_deref())?;
    let draft = Draft::load_with(&common.scenario, &common.settings, known)?;
    let (convergence, left_out) =
        common.with_progress(&draft, |plan| converge(&draft, &methods, skip, &steps, wanted.as_deref(), plan))?;
    let page = common.page(|| convergence_html(&draft, &convergence, &left_out))?;
    // Only now it is known that the scenario has what is to be observed: bad input writes nothing.
    let folder = common.out.as_deref().map(|path| Folder::open(path, &FILES)).transpose()?;
    if let Some(folder) = &folder {
        folder.replace(FILES[0], convergence_csv(&convergence))?;
        folder.replace(FILES[1], convergence_json(&convergence, &left_out))?;
        folder.replace(FILES[2], &page)?;
        let work = ("work-precision", work_precision_figure(&convergence.comparison));
        common.drawn.write(folder, &[("convergence", convergence_figure(&convergence)), work])?;
    }
    common.write(folder.as_ref(), &page)?;
    let json = || convergence_json(&convergence, &left_out);
    say(common.json, common.quiet, json, |style| convergence_report(&convergence, &left_out, style))?;
    all_stopped(&convergence.comparison)
}
