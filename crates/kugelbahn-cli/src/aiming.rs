//! `kugelbahn aim`

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kugelbahn::aim::{AIM_FILES, AimError, AimPlan, Goal, Wish, aim, aim_json, aim_report, check};
use kugelbahn::input::InputError;
use kugelbahn::output::Folder;
use kugelbahn::scenario::{Document, Methods};
use kugelbahn::supervisor::Watch;
use kugelbahn::unknowns::Unknowns;

use crate::console::{CommandFailure, Throttle, say, warn};

/// The arguments of `aim`.
#[derive(Args)]
pub struct AimArgs {
    /// The scenario file (TOML)
    scenario: PathBuf,
    /// A value that a number of the run is to have, e.g. 'landing.x = 3.0', 'time(x=2) = 0.5' (repeatable)
    #[arg(long = "target", value_name = "QUANTITY = VALUE")]
    targets: Vec<String>,
    /// A number of the run to make as little as can be, e.g. 'time(end-of-ground)', normal-force
    #[arg(long, visible_alias = "minimize", value_name = "QUANTITY")]
    minimise: Vec<String>,
    /// A number of the run to make as much as can be, e.g. landing.x, height
    #[arg(long, visible_alias = "maximize", value_name = "QUANTITY")]
    maximise: Vec<String>,
    /// Numbers of the scenario to find: KEY[=LOW..HIGH],… e.g. initial.velocity.x,initial.velocity.y=0..5
    #[arg(long, value_name = "LIST", required = true)]
    free: Vec<String>,
    /// Set a value of the scenario, e.g. contact.friction=0.2 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Runs allowed
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Write aim.json and aimed.toml, the scenario found, to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print aim.json instead of the report
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

impl AimArgs {
    fn goals(&self, watches: &[Watch]) -> Result<Vec<Goal>, InputError> {
        let targets = self.targets.iter().map(|text| Goal::target(text, watches));
        let least = self.minimise.iter().map(|text| Goal::extreme("--minimise", text, Wish::Least, watches));
        let greatest = self.maximise.iter().map(|text| Goal::extreme("--maximise", text, Wish::Greatest, watches));
        targets.chain(least).chain(greatest).collect()
    }
}

/// `kugelbahn aim`
pub fn run_aim(args: &AimArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    let document = Document::load(&args.scenario, &args.settings, methods)?;
    let goals = args.goals(&document.watches()?)?;
    check(&goals)?;
    let unknowns = Unknowns::of(document, &args.free.join(","))?;
    let folder = args.out.as_deref().map(|path| Folder::open(path, &AIM_FILES)).transpose()?;
    let pace = Throttle::new(args.quiet || args.json, "{spinner} {pos} runs of at most {len}, {msg}");
    pace.bar.set_length(args.runs.into());
    let progress = |done: u32, best: f64| {
        pace.show(|bar, _| {
            bar.set_message(format!("best {best:.6e}"));
            bar.set_position(done.into());
        });
    };
    let plan = AimPlan { runs: args.runs, tolerance: 1e-11, progress: &progress };
    let found = aim(&unknowns, &goals, &plan);
    pace.bar.finish_and_clear();
    let found = found.map_err(|error| match error {
        AimError::Input(error) => CommandFailure::Input(error),
        AimError::NoValue { .. } | AimError::NoEffect { .. } => {
            let word = if args.targets.is_empty() { "not found" } else { "not reached" };
            warn(&format!("{word}: {error}\n"));
            CommandFailure::Stopped
        }
    })?;
    if let Some(folder) = folder.filter(|_| found.reached) {
        folder.replace(AIM_FILES[0], aim_json(&found))?;
        folder.replace(AIM_FILES[1], unknowns.document(&found.parameters()))?;
        folder.commit()?;
    }
    say(args.json, args.quiet, || aim_json(&found), |style| aim_report(&found, style))?;
    if found.reached {
        return Ok(());
    }
    warn(&found.shortfall());
    Err(CommandFailure::Stopped)
}
