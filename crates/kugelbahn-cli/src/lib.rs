#![doc = include_str!("../README.md")]

mod aiming;
mod comparing;
mod console;
mod figures;
mod fitting;
mod judging;
mod live;
mod proving;
mod signals;
mod sweeping;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;
use console::{CommandFailure, Throttle, complain, printed_style, say, warn};
use figures::FigureArgs;
use kugelbahn::curve::whole_drawing;
use kugelbahn::input::{InputError, keep_inputs, printable};
use kugelbahn::output::{
    Checkpoint, Folder, LAST, OutputError, Recorder, last_csv, open_run, print, run_json, settle, summary_json,
    write_file, write_with,
};
use kugelbahn::scenario::Document;
pub use kugelbahn::scenario::Methods;
use kugelbahn::stepping::Threads;
use kugelbahn::terminal::report;
use kugelbahn::{Outcome, Scenario, check, page, show};

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
    Run(Box<RunArgs>),
    /// Write a scenario to start from
    New {
        /// The file (TOML)
        file: PathBuf,
    },
    /// Open a scenario as a page to play with: change its numbers and see the run at once
    Live(live::LiveArgs),
    /// Run a scenario by several methods and judge each by a reference
    Compare(comparing::CompareArgs),
    /// Run a scenario at several steps and say of which order the errors are
    Converge(comparing::ConvergeArgs),
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
    /// Print completions for a shell
    Completions {
        /// Its name
        shell: Shell,
    },
    /// Write a manual page for each command to a folder
    Man {
        /// The folder
        folder: PathBuf,
    },
}

/// Arguments of `kugelbahn run`.
#[derive(clap::Args)]
struct RunArgs {
    /// The scenario file (TOML), or a drawing (.svg) on which a marble is dropped
    #[arg(required_unless_present = "resume")]
    scenario: Option<PathBuf>,
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
    /// Keep a checkpoint in the folder every so many seconds, and draw no figures
    #[arg(long, value_name = "SECONDS", requires = "out", value_parser = seconds, conflicts_with_all = ["html", "prove", "figures", "figure_width"])]
    checkpoint: Option<f64>,
    /// Go on from the checkpoint in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scenario", "out", "settings", "checkpoint", "html", "prove", "figures", "figure_width"])]
    resume: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
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
    /// Look for what a ball will find there: corners, jumps of curvature, narrow valleys, noise; of a drawing, its
    /// shapes
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
    keep_inputs();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    #[cfg(unix)]
    signals::end_on_signals();
    let result = match cli.command {
        Command::Run(args) => run(&args, methods),
        Command::New { file } => new(&file),
        Command::Live(args) => live::run_live(&args, methods),
        Command::Compare(args) => comparing::run_compare(&args, methods),
        Command::Converge(args) => comparing::run_converge(&args, methods),
        Command::Judge(args) => judging::run_judge(&args, methods),
        Command::Aim(args) => aiming::run_aim(&args, methods),
        Command::Fit(args) => fitting::run_fit(&args, methods),
        Command::Sweep(args) => sweeping::run_sweep(&args, methods),
        Command::Curves { action, folder } => curves(action, folder.as_deref()),
        Command::Completions { shell } => completions(shell),
        Command::Man { folder } => manual(&folder),
    };
    let status = ended(result);
    settle();
    status
}

/// Exit status of a command, whose failure is told.
fn ended(result: Result<(), CommandFailure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandFailure::Stopped) => ExitCode::from(1),
        Err(CommandFailure::Input(error)) => {
            complain(error);
            ExitCode::from(2)
        }
        Err(CommandFailure::Output(error)) => {
            complain(InputError::without_place(error.to_string()).with_help("choose a place that can be written"));
            ExitCode::from(2)
        }
    }
}

/// Prints help, or tells what is wrong with the command line, whose arguments are escaped first.
fn usage(error: &clap::Error) -> ExitCode {
    let escaped = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()).into_owned());
    let shown = Cli::try_parse_from(escaped).err();
    let printed = shown.as_ref().unwrap_or(error).print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            ended(Err(OutputError { path: "to stdout".to_owned(), error }.into()))
        }
        _ => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "give a number of seconds, 0 or more, such as 60 or 0.5".to_owned())
}

fn new(file: &Path) -> Result<(), CommandFailure> {
    if file.symlink_metadata().is_ok() {
        let error = InputError::without_place(format!("{} is there already", file.display()));
        return Err(error.with_help("choose another name").into());
    }
    if file.extension().is_some_and(|extension| !extension.eq_ignore_ascii_case("toml")) {
        let message = format!("a scenario is TOML, and {} would be something else", file.display());
        return Err(InputError::without_place(message).with_help("kugelbahn new NAME.toml").into());
    }
    write_file(file, include_str!("new.toml"))?;
    Ok(print(&format!("{} is a throw over hills: kugelbahn run {0} --html ball.html\n", file.display()))?)
}

fn completions(shell: Shell) -> Result<(), CommandFailure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kugelbahn", &mut text);
    Ok(print(&String::from_utf8_lossy(&text))?)
}

fn manual(path: &Path) -> Result<(), CommandFailure> {
    let folder = Folder::open(path, &[""; 0])?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().cloned());
        let (page, mut text) = (Man::new(command), Vec::new());
        page.render(&mut text).map_err(|error| InputError::without_place(error.to_string()))?;
        folder.replace(&page.get_filename(), text)?;
    }
    Ok(folder.commit()?)
}

/// The scenario of a run, and the checkpoint that it goes on from.
fn loaded(args: &RunArgs, methods: &Arc<Methods>) -> Result<(Scenario, Option<Checkpoint>), InputError> {
    let checkpoint = match (&args.resume, &args.scenario, args.checkpoint) {
        (Some(folder), ..) => Some(Checkpoint::read(folder)?),
        (None, Some(scenario), Some(seconds)) => Some(Checkpoint::new(scenario, &args.settings, seconds)),
        _ => None,
    };
    let (file, settings) = match (&checkpoint, &args.scenario) {
        (Some(checkpoint), _) => (&checkpoint.scenario, &checkpoint.settings),
        (None, Some(scenario)) => (scenario, &args.settings),
        (None, None) => return Err(InputError::without_place("no scenario is given")),
    };
    let scenario = Scenario::of(&Document::load(file, settings, methods)?)?;
    let scenario = if args.strict { scenario.strict()? } else { scenario };
    let scenario = match args.threads.map(Threads::new).transpose() {
        Ok(Some(threads)) => scenario.with_executor(Arc::new(threads))?,
        Ok(None) => scenario,
        Err(error) => return Err(InputError::without_place(error.to_string())),
    };
    let checkpoint = checkpoint.map(|checkpoint| checkpoint.of(&scenario)).transpose()?;
    Ok((scenario, checkpoint))
}

/// `kugelbahn run`: a folder gets all files; `--no-figures` or a checkpoint leaves out figures and the page.
fn run(args: &RunArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    let (scenario, checkpoint) = loaded(args, methods)?;
    let RunArgs { json, quiet, prove, .. } = *args;
    let figures = Some(&args.drawn).filter(|_| !args.no_figures && checkpoint.is_none());
    figures.map_or(Ok(()), FigureArgs::ready)?;
    if prove && scenario.stepping.is_some() {
        let error = InputError::without_place("--prove needs an event-driven run of one ball");
        return Err(error.with_help("choose such a method: --set solver.method=newmark").into());
    }
    let out = args.out.as_ref().or(args.resume.as_ref()).map(|folder| open_run(folder, &scenario)).transpose()?;
    if !quiet {
        scenario.warnings().iter().for_each(|warning| warn(&warning.to_string()));
    }
    let pace = Throttle::new(quiet || json, "{wide_bar} {percent} % of the duration, {eta} left");
    let tick = |time: f64| {
        let part = (time - scenario.start.time()) / scenario.solver.duration;
        pace.show(|bar, _| bar.set_position((1000.0 * part) as u64));
    };
    let ends = signals::at_first_signal(|| warn("ending with what was computed; Ctrl-C again ends now\n"));
    let asked = || ends.load(Ordering::Relaxed);
    let mut record = Recorder::new(&scenario, out.as_ref(), Box::new(tick))?;
    if out.is_some() && figures.is_some() || args.html.is_some() {
        record = record.with_film();
    }
    if json {
        record = record.with_event_rows();
    }
    if let (Some(checkpoint), Some(folder)) = (checkpoint, &out) {
        record = record.with_checkpoints(folder, checkpoint)?;
    }
    record = record.with_end(&asked);
    let outcome = record.run().map_err(|error| InputError::without_place(error.to_string()))?;
    record.finish()?;
    let proof = match prove {
        true => proving::prove(&scenario, &record, scenario.start.time() + scenario.solver.duration, out.as_ref())?,
        false => String::new(),
    };
    if let Some(folder) = &out {
        add_files(folder, figures, &scenario, &outcome, &record)?;
    }
    let page = |file: &PathBuf| write_with(out.as_ref(), file, &page::html(&scenario, &outcome, &record));
    args.html.as_ref().map_or(Ok(()), page)?;
    out.as_ref().map_or(Ok(()), Folder::commit)?;
    record.forget_checkpoint()?;
    pace.bar.finish_and_clear();
    record.warnings().for_each(|warning| warn(&warning.to_string()));
    say(json, quiet, || run_json(&scenario, &outcome, &record), |style| report(&scenario, &outcome, &record, style))?;
    print(&proof)?;
    let Some(stop) = outcome.stop(&scenario) else { return Ok(()) };
    if json || quiet {
        warn(&format!("stopped: {stop}\n"));
    }
    Err(CommandFailure::Stopped)
}

/// Adds the files of a finished run to the set; without figures, removes figures and page of an earlier run.
fn add_files(
    folder: &Folder,
    figures: Option<&FigureArgs>,
    scenario: &Scenario,
    outcome: &Outcome,
    record: &Recorder,
) -> Result<(), CommandFailure> {
    if let Outcome::Steps(summary) = outcome
        && summary.states.len() > 1
    {
        folder.replace(LAST, last_csv(scenario, summary))?;
    }
    folder.replace("summary.json", summary_json(scenario, outcome, record))?;
    let Some(form) = figures else {
        FigureArgs::remove(folder, &["path", "time"]);
        folder.remove("report.html");
        return Ok(());
    };
    folder.replace("report.html", page::html(scenario, outcome, record))?;
    let [path, time] = record.figures().clone();
    form.write(folder, &[("path", path), ("time", time)])
}

fn curves(action: Option<CurvesAction>, folder: Option<&Path>) -> Result<(), CommandFailure> {
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
                    let (drawing, whole) = (drawing?, whole_drawing(Path::new(&name)));
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

/// Tests the Rust code of the book's chapter on extending.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/extending.md")]
struct Extending;
