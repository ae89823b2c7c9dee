//! `kugelbahn sweep`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use clap::{Args, Subcommand};
use kugelbahn::input::{InputError, brief, counted, rounded};
use kugelbahn::output::{print, write_file};
use kugelbahn::scenario::{Document, Methods};
use kugelbahn::sweep::{
    ColumnSummary, PlotColumns, Request, RunTally, Shard, Status, Store, Sweep, SweepError, estimate, execute, merge,
    plot, status, summaries, verify, work_json,
};
use kugelbahn::terminal::{name_width, short_name};

use crate::console::{CommandFailure, Throttle, say, warn};

/// The arguments of `sweep`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct SweepArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// The scenario file (TOML); its table [sweep] may say what these options say
    #[arg(required = true)]
    scenario: Option<PathBuf>,
    /// A key and its values: KEY=FROM..TO/COUNT, KEY=log:FROM..TO/COUNT or KEY=A,B,… (repeatable: their product)
    #[arg(long, value_name = "KEY=VALUES")]
    vary: Vec<String>,
    /// A key and its law: normal(M, D), uniform(A, B), lognormal(M, D) or choice(A, B, …) (repeatable)
    #[arg(long, value_name = "KEY ~ LAW")]
    sample: Vec<String>,
    /// Points of all samples
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// How they are spread: random (default), sobol or latin
    #[arg(long, value_name = "NAME")]
    design: Option<String>,
    /// Fixes all random numbers, and the shift of Sobol's sequence (default: 0)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A table (CSV or Parquet) whose columns are keys, a row a run
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Quantities to keep of each run, such as impact.3.x or rest.time, `events`, or a section such as 'every impact:
    /// x, vx' (repeatable)
    #[arg(long, value_name = "QUANTITY")]
    observe: Vec<String>,
    /// Sum runs up in cells instead of writing a row for each: COLUMN (each value is a cell), COLUMN=FROM..TO/CELLS, …
    /// (repeatable: a table each)
    #[arg(long, value_name = "COLUMNS")]
    reduce: Vec<String>,
    /// Rows of the section to leave out at the beginning of each run
    #[arg(long, value_name = "N")]
    skip: Option<u64>,
    /// Set a value of the scenario, e.g. contact.friction=0.2 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// The folder for rows; chunks of the same sweep that are in it are not made again
    #[arg(long, value_name = "DIR", required = true)]
    out: Option<PathBuf>,
    /// csv (default), or parquet if the program was built with it
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Runs of a chunk: an interruption costs each thread up to two chunks (default: 1024, but 64 to 512 chunks in all,
    /// and at most 16384, or 100 000 rows of events and the section)
    #[arg(long, value_name = "N")]
    chunk: Option<u64>,
    /// Make this part alone: i/N, i from 0, or `slurm` for SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT
    #[arg(long, value_name = "i/N")]
    shard: Option<String>,
    /// Threads (default: as many as there are processors)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Make more than 10⁸ runs
    #[arg(long)]
    yes: bool,
    /// Exit with 1 if a run stopped
    #[arg(long)]
    strict: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but errors and warnings
    #[arg(long)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Say how far a sweep is, and why runs stopped
    Status {
        /// Its folder, or all of them
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
    },
    /// Check a sweep against its hashes and counts, and make a hundredth of its runs again
    Verify {
        /// Its folder, or all of them
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// Chooses the runs
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
    },
    /// Write all rows to one file, by index
    Merge {
        /// Its folder, or all of them
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// The file: .csv or .parquet
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// runs, events, section or cells
        #[arg(long, value_name = "NAME", default_value = "runs")]
        table: String,
    },
    /// Draw one column over another, or how often it has its values, as SVG
    Plot {
        /// Its folder, or all of them
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// The column along x
        #[arg(long, value_name = "COLUMN")]
        x: String,
        /// The column along y; without it a histogram
        #[arg(long, value_name = "COLUMN")]
        y: Option<String>,
        /// Column whose mean, or most frequent word, colours show; without it they show how many rows
        #[arg(long, visible_alias = "color", value_name = "COLUMN")]
        colour: Option<String>,
        /// The file
        #[arg(short, long, value_name = "FILE", default_value = "sweep.svg")]
        output: PathBuf,
    },
}

/// Most runs that one command makes without `--yes`.
const MANY: u64 = 100_000_000;

impl From<SweepError> for CommandFailure {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Input(error) => CommandFailure::Input(error),
            other => InputError::without_place(other.to_string()).into(),
        }
    }
}

impl SweepArgs {
    fn request(&self, table: Request) -> Request {
        let absolute = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let given = Request {
            vary: self.vary.clone(),
            sample: self.sample.clone(),
            // Where the command was given, not where the scenario is.
            table: self.table.as_ref().map(|file| absolute(file).to_string_lossy().into_owned()),
            count: self.count,
            design: self.design.clone(),
            observe: self.observe.clone(),
            reduce: self.reduce.clone(),
            chunk: self.chunk,
            format: self.format.clone(),
            ..Request::default()
        };
        given.or(table, self.seed, self.skip)
    }

    fn shard(&self) -> Result<Shard, CommandFailure> {
        let Some(text) = self.shard.as_deref() else { return Ok(Shard::WHOLE) };
        let refused = |help: &str| {
            CommandFailure::from(InputError::without_place(format!("--shard {text} is not allowed")).with_help(help))
        };
        if text == "slurm" {
            let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
            let (Some(task), Some(count)) = (number("SLURM_ARRAY_TASK_ID"), number("SLURM_ARRAY_TASK_COUNT")) else {
                return Err(refused(
                    "SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT are no numbers: is this a task of `sbatch --array`?",
                ));
            };
            let first = number("SLURM_ARRAY_TASK_MIN").unwrap_or(0);
            let last = number("SLURM_ARRAY_TASK_MAX").unwrap_or(first + count.saturating_sub(1));
            // An array with gaps, or a single task made again, does not tell which shard of how many it is.
            let alone = count == 1 && first != 0;
            if alone || last.checked_sub(first).map(|tasks| tasks + 1) != Some(count) || task < first {
                let tasks = format!("the array has {count} tasks from {first} to {last}");
                let error = InputError::without_place(tasks + ": it does not say which shard a task is");
                let help = "submit --array=0-31 without a step; a few of them again by --shard $SLURM_ARRAY_TASK_ID/32";
                return Err(error.with_help(help).into());
            }
            return Ok(Shard::new(task - first, count)?);
        }
        let parts = text.split_once('/').map(|(index, count)| (index.trim().parse(), count.trim().parse()));
        match parts {
            Some((Ok(index), Ok(count))) => Ok(Shard::new(index, count)?),
            _ => Err(refused("write i/N with i from 0 to N - 1: --shard 0/32, or --shard slurm")),
        }
    }

    /// Refuses more than [`MANY`] runs where `--yes` does not confirm them.
    fn ask(&self, sweep: &Sweep, runs: u64, threads: usize) -> Result<(), CommandFailure> {
        if runs <= MANY || self.yes {
            return Ok(());
        }
        let each = estimate(sweep);
        let hours = each.seconds * runs as f64 / threads as f64 / 3600.0;
        let bytes = each.bytes * runs as f64;
        let message = format!(
            "{runs} runs would take some {} on {threads} threads and {} of disk",
            if hours > 48.0 { format!("{:.3} days", hours / 24.0) } else { format!("{hours:.1} hours") },
            size(bytes)
        );
        let help = "add --yes if they are meant, or --shard i/N for a part";
        Err(InputError::without_place(message).with_help(help).into())
    }
}

/// `kugelbahn sweep`
pub fn run_sweep(args: &SweepArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    match &args.action {
        Some(action) => act(action, methods),
        None => make(args, methods),
    }
}

fn make(args: &SweepArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    let (Some(scenario), Some(out)) = (&args.scenario, &args.out) else { return Ok(()) };
    let shard = args.shard()?;
    let mut document = Document::load(scenario, &args.settings, methods)?;
    let request = args.request(Request::take(&mut document.tree)?);
    let sweep = Sweep::new(document, request)?;
    let mut keys = args.settings.iter().map(|setting| (setting, setting.split('=').next().unwrap_or_default()));
    if let Some((setting, key)) = keys.find(|(_, key)| sweep.plan.varies(key)) {
        let message = format!("--set {setting}: `{}` varies in this sweep", key.trim());
        return Err(InputError::without_place(message).with_help("set it or vary it").into());
    }
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let runs = shard.runs(&sweep);
    args.ask(&sweep, runs, threads)?;
    let store = Store::open(out, &sweep)?;
    let pace = Throttle::new(args.quiet || args.json, "{wide_bar} {pos} of {len} runs, {per_sec}, {eta} left{msg}");
    pace.bar.set_length(runs);
    let found = OnceLock::new();
    let progress = |done: u64, stopped: u64| {
        pace.show(|bar, _| {
            if stopped > 0 {
                bar.set_message(format!(", {stopped} stopped"));
            }
            // What was found done is no work of this call: rate and time left are of what it makes.
            let found = *found.get_or_init(|| done.saturating_sub(1));
            bar.set_length(runs.saturating_sub(found));
            bar.set_position(done.saturating_sub(found));
        });
    };
    let ends = crate::signals::at_first_signal(|| {
        warn("finishing the chunks under way, which are kept; Ctrl-C again ends now\n");
    });
    let work = execute(&sweep, &store, shard, threads, &progress, ends);
    pace.bar.finish_and_clear();
    let work = work?;
    let found = if work.found > 0 { format!(", {} of them found there", work.found) } else { String::new() };
    let observed = if args.quiet { BTreeMap::new() } else { summaries(&sweep.layout, &store)? };
    let report = || {
        let (done, runs) = (work.done, sweep.layout.runs);
        let exits = table(&RunTally { empty: BTreeMap::new(), ..work.tally.clone() }, done);
        format!("{done} of {} in {}{found}\n{exits}{}", counted(runs, "run"), out.display(), summed_up(&observed))
    };
    say(args.json, args.quiet, || work_json(&work, &observed), |_| report())?;
    if work.done < work.runs {
        warn(&format!(
            "ended as asked to, {} of {} runs are made and kept: the same command goes on\n",
            work.done, work.runs
        ));
        return Err(CommandFailure::Stopped);
    }
    let stopped: u64 = work.tally.stopped().map(|(_, count)| count).sum();
    if stopped == 0 {
        return Ok(());
    }
    let reasons: Vec<String> = work.tally.stopped().map(|(exit, count)| format!("{exit} {count}")).collect();
    warn(&format!(
        "warning: {stopped} of {} runs did not come to their end ({}); `reason` in their rows says why\n",
        work.done,
        reasons.join(", ")
    ));
    if args.strict { Err(CommandFailure::Stopped) } else { Ok(()) }
}

fn act(action: &Action, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    match action {
        Action::Status { folders } => {
            let (store, layout) = Store::read(folders)?;
            Ok(print(&told(&status(&layout, &store)?))?)
        }
        Action::Verify { folders, seed } => {
            let (store, _) = Store::read(folders)?;
            let found = verify(&store.sweep(methods)?, &store, *seed)?;
            let missing = match found.missing {
                0 => String::new(),
                missing => format!("; missing: {}", counted(missing, "chunk")),
            };
            print(&format!(
                "unchanged: {}; made again, with the same rows: {}{missing}\n",
                counted(found.chunks, "chunk"),
                counted(found.runs, "run")
            ))?;
            if found.missing > 0 { Err(CommandFailure::Stopped) } else { Ok(()) }
        }
        Action::Merge { folders, output, table } => {
            let (store, layout) = Store::read(folders)?;
            let rows = merge(&layout, &store, table, output)?;
            // A pipe or terminal got the rows, and nothing else.
            match output.is_file() {
                true => Ok(print(&format!("{} in {}\n", counted(rows, "row"), output.display()))?),
                false => Ok(()),
            }
        }
        Action::Plot { folders, x, y, colour, output } => {
            let (store, layout) = Store::read(folders)?;
            let svg = output.extension().is_none_or(|extension| extension.eq_ignore_ascii_case("svg"));
            if !svg {
                let message = format!("a picture is SVG, and {} would be something else", output.display());
                return Err(InputError::without_place(message).with_help("--output NAME.svg").into());
            }
            let drawing = PlotColumns { x: x.clone(), y: y.clone(), colour: colour.clone() };
            let status = status(&layout, &store)?;
            if status.done < status.runs {
                warn(&format!("warning: only {} of {} runs are there to be drawn\n", status.done, status.runs));
            }
            Ok(write_file(output, &plot(&layout, &store, &drawing)?)?)
        }
    }
}

fn told(status: &Status) -> String {
    let mut text = format!("{} of {}, {}\n", status.done, counted(status.runs, "run"), size(status.bytes as f64));
    for (name, rows) in &status.rows {
        text += &format!("  {name:<9} {}\n", counted(*rows, "row"));
    }
    text += &table(&status.tally, status.done);
    if !status.missing.is_empty() {
        let gap = |(from, to): &(u64, u64)| if from == to { from.to_string() } else { format!("{from}-{to}") };
        let listed: Vec<String> = status.missing.iter().take(8).map(gap).collect();
        let more = if status.missing.len() > 8 { ", …" } else { "" };
        text += &format!(
            "missing: {} of {}: {}{more}\n",
            status.missing_chunks(),
            counted(status.chunks, "chunk"),
            listed.join(", ")
        );
    }
    text
}

/// Lists how many runs ended in each way, and in how many a column has no value.
fn table(tally: &RunTally, runs: u64) -> String {
    let exits = tally.exits.iter().map(|(exit, count)| format!("  {exit:<14} {count}\n"));
    let empty = tally.empty.iter().map(|(column, count)| format!("  no {column} in {count} of {runs}\n"));
    exits.chain(empty).collect()
}

/// Table of the numbers observed: none, mean, deviation, quantiles.
fn summed_up(observed: &BTreeMap<String, ColumnSummary>) -> String {
    let width = name_width("observed".len(), observed.keys());
    let head = format!(
        "{:<width$} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
        "observed", "none", "mean", "deviation", "5 %", "median", "95 %"
    );
    let line = |(name, found): (&String, &ColumnSummary)| {
        let [_, low, middle, high, _] = found.quantiles;
        let number = |value: f64| if value.is_nan() { "-".to_owned() } else { brief(rounded(value, 4)) };
        let [mean, deviation, low, middle, high] = [found.mean, found.deviation, low, middle, high].map(number);
        let (name, missing) = (short_name(name), found.missing);
        format!("{name:<width$} {missing:>6} {mean:>9} {deviation:>9} {low:>9} {middle:>9} {high:>9}\n")
    };
    if observed.is_empty() { String::new() } else { head + &observed.iter().map(line).collect::<String>() }
}

fn size(bytes: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let which = (bytes.max(1.0).log10() / 3.0).floor().clamp(0.0, 5.0);
    format!("{:.3} {}", bytes / 1000.0_f64.powf(which), units[which as usize]).replace(".000 ", " ")
}
