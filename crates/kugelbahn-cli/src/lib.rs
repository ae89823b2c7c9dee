#![doc = include_str!("../README.md")]

mod aiming;
mod console;
mod figures;
mod fitting;
mod judge;
mod judging;
mod live;
mod proving;
mod sweeping;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use console::{Failure, complain, printed_style, progress_bar, say, warn};
use figures::FigureArgs;
use kugelbahn::input::InputError;
use kugelbahn::output::{Folder, LAST, Recorder, last_csv, open_run, print, run_json, summary_json, write_file};
use kugelbahn::scenario::Document;
pub use kugelbahn::scenario::Methods;
use kugelbahn::stepping::Threads;
use kugelbahn::terminal::report;
use kugelbahn::{Outcome, Scenario, check, figures as drawn, page, show};
#[cfg(unix)]
use {
    kugelbahn::output::withdraw,
    signal_hook::consts::{SIGHUP, SIGINT, SIGTERM},
    signal_hook::iterator::Signals,
    signal_hook::low_level::emulate_default_handler,
};

/// A ball flies, bounces, slides and rolls over curved ground.
#[derive(Parser)]
#[command(name = "kugelbahn", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario file and print phases, events and an energy audit
    Run {
        /// The scenario file (TOML)
        scenario: PathBuf,
        /// Write events.csv, trajectory.csv, summary.json, path.svg, time.svg and report.html to this folder
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Write report.html alone, to this file: a page that shows the ball move
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Set a value of the scenario, e.g. ground.parameters.amplitude=0.3 (repeatable)
        #[arg(long = "set", value_name = "KEY=VALUE")]
        settings: Vec<String>,
        /// Write no figures and no report.html to the folder
        #[arg(long, conflicts_with_all = ["figures", "figure_width"])]
        no_figures: bool,
        #[command(flatten)]
        drawn: FigureArgs,
        /// Stop at the first step whose contacts are not solved to lcp-tolerance, instead of taking the best found
        #[arg(long)]
        strict: bool,
        /// Threads for contacts of time stepping that share no ball; their number changes no bit of the run
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Prove events: print an interval that contains the true time and place of each, and write proof.csv to the folder
        #[arg(long, conflicts_with_all = ["json", "quiet"])]
        prove: bool,
        /// Print summary.json instead of the report, with events, watches and jumps
        #[arg(long)]
        json: bool,
        /// Print nothing but errors
        #[arg(long)]
        quiet: bool,
    },
    /// Write a scenario to start from
    New {
        /// The file (TOML)
        file: PathBuf,
    },
    /// Open a scenario as a page to play with: change its numbers and see the run at once
    Live(live::LiveArgs),
    /// Run a scenario by several methods and judge each by a reference
    Compare(judge::CompareArgs),
    /// Run a scenario at several steps and say of which order the errors are
    Converge(judge::ConvergeArgs),
    /// Judge anyone's answers to the cases of the public test set by the exact ones
    Judge(judging::JudgeArgs),
    /// Find numbers of a scenario with which its run does what is asked: lands somewhere, is fastest, …
    Aim(Box<aiming::AimArgs>),
    /// Find numbers of a scenario from places of a ball over time: a tracked video
    Fit(Box<fitting::FitArgs>),
    /// Make many runs of a scenario whose values vary, and keep a row of each
    Sweep(Box<sweeping::SweepArgs>),
    /// List the ground profiles, or show one of them
    Curves {
        #[command(subcommand)]
        action: Option<CurvesAction>,
        /// The folder with the profiles
        #[arg(long, value_name = "DIR", global = true)]
        folder: Option<PathBuf>,
    },
}

#[derive(Subcommand)]
enum CurvesAction {
    /// Tabulate a profile's curvature range, smallest valley radius and length, and draw it as SVG
    Show {
        /// Name of a profile, or path of a curve file
        name: String,
        /// Draw it as SVG to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Look for what a ball will find there: corners, jumps of curvature, narrow valleys, noise; of a drawing, its shapes
    Check {
        /// Name of a profile, path of a curve file, or of a drawing (.svg)
        name: String,
        /// Radius of the ball, m
        #[arg(long, value_name = "R", default_value_t = 0.0, allow_negative_numbers = true)]
        radius: f64,
        /// Also write a drawing with the curvature comb as SVG to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
}

/// Reads the command line and does what it says; every command knows these methods.
///
/// ```no_run
/// use kugelbahn_cli::Methods;
///
/// fn main() -> std::process::ExitCode {
///     kugelbahn_cli::main(Methods::builtin())
/// }
/// ```
pub fn main(methods: Methods) -> ExitCode {
    let methods = &Arc::new(methods);
    let cli = Cli::parse();
    #[cfg(unix)]
    end_on_signals();
    let result = match cli.command {
        Command::Run { scenario, out, html, settings, no_figures, drawn, strict, threads, prove, json, quiet } => {
            Document::load(&scenario, &settings, methods)
                .and_then(|document| Scenario::of(&document))
                .and_then(|scenario| if strict { scenario.strict() } else { Ok(scenario) })
                .and_then(|scenario| match threads {
                    Some(threads) => on_threads(scenario, threads),
                    None => Ok(scenario),
                })
                .map_err(Failure::from)
                .and_then(|scenario| {
                    let figures = (!no_figures).then_some(&drawn);
                    run(&scenario, [out.as_deref(), html.as_deref()], figures, [json, quiet, prove])
                })
        }
        Command::New { file } => new(&file),
        Command::Live(args) => live::run_live(&args, methods),
        Command::Compare(args) => judge::run_compare(&args, methods),
        Command::Converge(args) => judge::run_converge(&args, methods),
        Command::Judge(args) => judging::run_judge(&args, methods),
        Command::Aim(args) => aiming::run_aim(&args, methods),
        Command::Fit(args) => fitting::run_fit(&args, methods),
        Command::Sweep(args) => sweeping::run_sweep(&args, methods),
        Command::Curves { action, folder } => curves(action, folder.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Stopped) => ExitCode::from(1),
        Err(Failure::Input(error)) => {
            complain(*error);
            ExitCode::from(2)
        }
        Err(Failure::Output(error)) => {
            complain(InputError::without_place(error.to_string()).with_help("choose a place that can be written"));
            ExitCode::from(2)
        }
    }
}

/// Whether the command under way can end early with what it has, and whether it is asked to.
static CAN_END: AtomicBool = AtomicBool::new(false);
static ENDS: AtomicBool = AtomicBool::new(false);

/// `kugelbahn new`
fn new(file: &Path) -> Result<(), Failure> {
    if file.symlink_metadata().is_ok() {
        let error = InputError::without_place(format!("{} is there already", file.display()));
        return Err(error.with_help("choose another name").into());
    }
    write_file(file, include_str!("new.toml"))?;
    Ok(print(&format!("{} is a throw over hills: kugelbahn run {0} --html ball.html\n", file.display()))?)
}

/// Lets a signal end the work under way with what it has, from now on.
pub(crate) fn end_with_results() -> &'static AtomicBool {
    CAN_END.store(true, Ordering::Relaxed);
    &ENDS
}

/// Ends the command at Ctrl-C, SIGTERM and SIGHUP: a run or a sweep with what it has at the first one, else at once, with no partial file.
#[cfg(unix)]
fn end_on_signals() {
    let heard = [SIGINT, SIGTERM].into_iter().chain((!ignores_hangup()).then_some(SIGHUP));
    let Ok(mut signals) = Signals::new(heard) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if CAN_END.load(Ordering::Relaxed) && !ENDS.swap(true, Ordering::Relaxed) {
                continue;
            }
            withdraw();
            warn("ended by a signal, before its results were written; files that were there are as they were\n");
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Whether SIGHUP is ignored, as `nohup` has it (Linux, which says so).
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_none_or(|mask| mask & 1 << (SIGHUP - 1) != 0)
}

/// With the contacts of a step shared by so many threads.
fn on_threads(scenario: Scenario, threads: u16) -> Result<Scenario, InputError> {
    let threads = Threads::new(threads).map_err(|error| InputError::without_place(error.to_string()))?;
    scenario.with_executor(Arc::new(threads))
}

/// With a folder all files are written to it, `figures` and the page only if asked for.
fn run(
    scenario: &Scenario,
    [out, html]: [Option<&Path>; 2],
    figures: Option<&FigureArgs>,
    [json, quiet, prove]: [bool; 3],
) -> Result<(), Failure> {
    figures.map_or(Ok(()), FigureArgs::ready)?;
    if prove && scenario.stepping.is_some() {
        let error = InputError::without_place("--prove needs an event-driven run of one ball");
        return Err(error.with_help("choose such a method: --set solver.method=newmark").into());
    }
    let out = out.map(|folder| open_run(folder, scenario)).transpose()?;
    if !quiet {
        scenario.warnings().iter().for_each(|warning| warn(&warning.to_string()));
    }
    let bar = progress_bar(quiet || json, "{wide_bar} {percent} % of the duration, {eta} left");
    let started = Instant::now();
    let mut shown = Duration::ZERO;
    let tick = |time: f64| {
        let elapsed = started.elapsed();
        // Nothing for short runs, and then not more than a few times a second.
        if elapsed > Duration::from_secs(1) && elapsed - shown > Duration::from_millis(100) {
            shown = elapsed;
            bar.set_position((1000.0 * (time - scenario.start.time()) / scenario.solver.duration) as u64);
        }
    };
    let ends = end_with_results();
    let asked = || ends.load(Ordering::Relaxed);
    let mut record = Recorder::new(scenario, out.as_ref(), Box::new(tick))?;
    if out.is_some() && figures.is_some() || html.is_some() {
        record = record.with_film();
    }
    if json {
        record = record.with_event_rows();
    }
    record = record.with_end(&asked);
    let outcome = record.run().map_err(|error| InputError::without_place(error.to_string()))?;
    record.finish()?;
    let proof = match prove {
        true => proving::prove(scenario, &record, scenario.start.time() + scenario.solver.duration, out.as_ref())?,
        false => String::new(),
    };
    html.map_or(Ok(()), |file| write_file(file, &page::html(scenario, &outcome, &record)))?;
    if let Some(folder) = &out {
        write_files(folder, figures, scenario, &outcome, &record)?;
    }
    bar.finish_and_clear();
    record.warnings().for_each(|warning| warn(&warning.to_string()));
    say(json, quiet, || run_json(scenario, &outcome, &record), |style| report(scenario, &outcome, &record, style))?;
    print(&proof)?;
    match outcome.stop(scenario) {
        None => Ok(()),
        Some(stop) => {
            if json || quiet {
                warn(&format!("stopped: {stop}\n"));
            }
            Err(Failure::Stopped)
        }
    }
}

/// Writes the files of a run that is over; figures and page of another run that are not asked for go.
fn write_files(
    folder: &Folder,
    figures: Option<&FigureArgs>,
    scenario: &Scenario,
    outcome: &Outcome,
    record: &Recorder,
) -> Result<(), Failure> {
    if let Outcome::Steps(summary) = outcome
        && summary.states.len() > 1
    {
        folder.replace(LAST, last_csv(scenario, summary))?;
    }
    folder.replace("summary.json", summary_json(scenario, outcome, record))?;
    let Some(form) = figures else {
        FigureArgs::remove(folder, &["path", "time"]);
        folder.remove("report.html");
        return Ok(folder.commit()?);
    };
    let path = drawn::path_figure(&scenario.title, &scenario.scenes(), &record.trace);
    let time = drawn::time_figure(&scenario.title, &record.trace);
    form.write(folder, &[("path", path), ("time", time)])?;
    folder.replace("report.html", page::html(scenario, outcome, record))?;
    Ok(folder.commit()?)
}

fn curves(action: Option<CurvesAction>, folder: Option<&Path>) -> Result<(), Failure> {
    let style = printed_style();
    match action {
        None => {
            print(&show::list(&show::Profiles::find(folder)?, style)?)?;
        }
        Some(CurvesAction::Show { name, svg }) => {
            let curve = show::find(&name, folder)?;
            if let Some(file) = svg {
                write_file(&file, &show::show_figure(&curve).svg())?;
            }
            print(&show::show(&curve, style))?;
        }
        Some(CurvesAction::Check { name, radius, svg }) => {
            if !(radius >= 0.0 && radius.is_finite()) {
                let error = InputError::without_place(format!("--radius {radius} is not allowed"));
                return Err(error.with_help("give the ball's radius in m, 0 for a point mass").into());
            }
            let curve = match show::drawing(Path::new(&name), style) {
                None => show::find(&name, folder)?,
                Some(drawing) => {
                    let (drawing, whole) = (drawing?, show::whole_drawing(Path::new(&name)));
                    let along = whole.as_ref().map_or(String::new(), |curve| check::lying_along(curve, style));
                    print(&(drawing + &along))?;
                    if radius == 0.0 && svg.is_none() {
                        return Ok(());
                    }
                    print("\n")?;
                    whole?
                }
            };
            let facts = show::Facts::of(&curve.ground);
            let found = check::findings(&curve, &facts, radius);
            if let Some(file) = svg {
                write_file(&file, &check::check_figure(&curve, &facts, &found).svg())?;
            }
            print(&check::check(&curve, &facts, &found, radius, style))?;
        }
    }
    Ok(())
}

/// The Rust in the book.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/extending.md")]
struct Extending;
