//! `kugelbahn judge`: anyone's answers to the cases of the public test set, or Kugelbahn's own.

use std::path::PathBuf;
use std::sync::Arc;

use ::judge::{About, JudgeError, Suite, floor, judge, ours, read_entry, read_sheets, table};
use clap::Args;
use kugelbahn::input::InputError;
use kugelbahn::output::{Folder, print};
use kugelbahn::scenario::Methods;

use crate::console::Failure;

/// Arguments of `judge`.
#[derive(Args)]
pub struct JudgeArgs {
    /// The folder with answers.csv and about.toml
    #[arg(required_unless_present = "ours", conflicts_with = "ours")]
    folder: Option<PathBuf>,
    /// Answer the cases by this method of Kugelbahn, and judge that
    #[arg(long, value_name = "METHOD")]
    ours: Option<String>,
    /// Write Kugelbahn's answers.csv and about.toml to this folder
    #[arg(long, value_name = "DIR", requires = "ours")]
    out: Option<PathBuf>,
    /// Make all of the million bounces of case 5
    #[arg(long, requires = "ours")]
    long: bool,
    /// Cases that suite/draw.py wrote, in place of the printed ones
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
}

fn refused(error: JudgeError) -> Failure {
    let text = error.to_string();
    // The first line says what is wrong, the rest where and how to mend it.
    let (message, help) = text.split_once('\n').unwrap_or((&text, "suite/README.md says what an entry is"));
    InputError::without_place(message.to_owned()).with_help(help.trim_start().to_owned()).into()
}

/// `kugelbahn judge`
pub fn run_judge(args: &JudgeArgs, methods: &Arc<Methods>) -> Result<(), Failure> {
    const FILES: [&str; 2] = ["answers.csv", "about.toml"];
    let suite = args.suite.as_deref().map_or_else(Suite::built_in, Suite::read).map_err(refused)?;
    let (about, sheets) = match (&args.ours, &args.folder) {
        (Some(method), _) => {
            let folder = args.out.as_deref().map(|path| Folder::open(path, &FILES)).transpose()?;
            let text = ours(&suite, methods, method, args.long).map_err(refused)?;
            let about = About {
                name: "Kugelbahn".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..About::default()
            };
            if let Some(folder) = folder {
                let told = format!("name = \"Kugelbahn\"\nversion = \"{}\"\nmethod = {method:?}\n", about.version);
                folder.replace(FILES[0], &text)?;
                folder.replace(FILES[1], told)?;
                folder.commit()?;
            }
            (about, read_sheets(&suite, text.as_bytes()).map_err(refused)?)
        }
        (None, Some(folder)) => read_entry(&suite, folder).map_err(refused)?,
        (None, None) => return Ok(()),
    };
    let title = [about.name, about.version].join(" ");
    let machine = if about.machine.is_empty() { String::new() } else { format!(", timed on {}", about.machine) };
    let floor = floor();
    let verdicts = table(&suite, &judge(&suite, &sheets), Some(floor));
    Ok(print(&format!(
        "{}{machine}; a hop in closed form takes {:.1} ns here\n\n{verdicts}",
        title.trim(),
        1e9 * floor
    ))?)
}
