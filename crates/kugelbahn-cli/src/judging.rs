//! `kugelbahn judge`: anyone's answers to the cases of the public test set, or Kugelbahn's own.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::judge::{
    About, JudgeError, JudgedEntry, Suite, figure_name, figures, floor, ours, overview, read_entry, read_sheets, table,
};
use clap::Args;
use kugelbahn::figures::Figure;
use kugelbahn::input::{InputError, printable};
use kugelbahn::output::{Folder, print};
use kugelbahn::scenario::Methods;

use crate::console::CommandFailure;
use crate::figures::FigureArgs;

/// Arguments of `judge`.
#[derive(Args)]
pub struct JudgeArgs {
    /// Folders with answers.csv and about.toml
    #[arg(required_unless_present = "ours")]
    folders: Vec<PathBuf>,
    /// Answer the cases by this method of Kugelbahn, METHOD[:FORMULATION][@STEP], and judge that (repeatable)
    #[arg(long, value_name = "METHOD")]
    ours: Vec<String>,
    /// Write figures of wrong answers to this folder, and Kugelbahn's answers.csv and about.toml
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    drawn: FigureArgs,
    /// Make all of the million bounces of case 5
    #[arg(long, requires = "ours")]
    long: bool,
    /// Cases with other parameters, by `python3 suite/draw.py --seed N DIR`, in place of the printed ones
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
}

fn refused(error: JudgeError) -> CommandFailure {
    let text = error.to_string();
    // The first line says what is wrong, the rest where and how to mend it.
    let (message, help) = text.split_once('\n').unwrap_or((&text, "suite/README.md says what an entry is"));
    InputError::without_place(message.to_owned()).with_help(help.trim_start().to_owned()).into()
}

/// Reads the entry of a folder; with several folders an error names its own.
fn entry(suite: &Suite, folder: &Path, alone: bool) -> Result<JudgedEntry, CommandFailure> {
    let (about, sheets) = read_entry(suite, folder).map_err(|error| match error {
        JudgeError::File { .. } => refused(error),
        _ if alone => refused(error),
        _ => refused(JudgeError::Entry { folder: folder.to_owned(), error: Box::new(error) }),
    })?;
    Ok(JudgedEntry::of(suite, about, sheets))
}

/// Answers of Kugelbahn: one table, by several methods.
fn own(suite: &Suite, methods: &Arc<Methods>, args: &JudgeArgs) -> Result<String, JudgeError> {
    let mut text = String::new();
    for method in &args.ours {
        let told = ours(suite, methods, method, args.long)?;
        let rows = told.split_once('\n').map_or("", |(_, rows)| rows);
        text += if text.is_empty() { &told } else { rows };
    }
    Ok(text)
}

/// `kugelbahn judge`
pub fn run_judge(args: &JudgeArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    const FILES: [&str; 2] = ["answers.csv", "about.toml"];
    args.drawn.ready()?;
    let suite = args.suite.as_deref().map_or_else(Suite::built_in, Suite::read).map_err(refused)?;
    let mut entries = Vec::new();
    let mut written = None;
    if !args.ours.is_empty() {
        let text = own(&suite, methods, args).map_err(refused)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let sheets = read_sheets(&suite, text.as_bytes()).map_err(refused)?;
        let about = About { name: "Kugelbahn".to_owned(), version, ..About::default() };
        let about_text =
            format!("name = \"Kugelbahn\"\nversion = \"{}\"\nmethod = {:?}\n", about.version, args.ours.join(", "));
        written = Some([text, about_text]);
        entries.push(JudgedEntry::of(&suite, about, sheets));
    }
    for folder in &args.folders {
        entries.push(entry(&suite, folder, args.folders.len() == 1)?);
    }
    if let Some(path) = &args.out {
        let folder = Folder::open(path, if written.is_some() { &FILES } else { &[] })?;
        for (name, text) in FILES.iter().zip(written.iter().flatten()) {
            folder.replace(name, text)?;
        }
        let drawn = figures(&suite, &entries, methods);
        let drawn: Vec<(&str, Figure)> = drawn.iter().map(|(name, figure)| (&**name, figure.clone())).collect();
        // Figures of an earlier judgement that are not drawn now are removed.
        let names: Vec<String> = suite.tasks.iter().map(|task| figure_name(&task.name)).collect();
        let old = names.iter().map(String::as_str).chain(["programs", "settings"]);
        let old = old.filter(|name| drawn.iter().all(|(other, _)| other != name));
        FigureArgs::remove(&folder, &old.collect::<Vec<_>>());
        args.drawn.write(&folder, &drawn)?;
        folder.commit()?;
    }
    Ok(print(&report(&suite, &entries))?)
}

/// One table of all, if there are several, and one of each.
fn report(suite: &Suite, entries: &[JudgedEntry]) -> String {
    let floor = floor();
    let hop = format!("a hop in closed form takes {:.1} ns here", 1e9 * floor);
    let several = entries.len() > 1;
    let mut text = if several { format!("{}\n{hop}\n", overview(suite, entries)) } else { String::new() };
    for entry in entries {
        let JudgedEntry { about, verdicts, .. } = entry;
        let name = printable(&entry.name()).into_owned();
        let machine = match &*about.machine {
            "" => String::new(),
            machine => format!(", timed on {}", printable(machine)),
        };
        let verdicts = table(suite, verdicts, Some(floor));
        // Writing to a string can't fail.
        let _ = if several {
            let lines = verdicts.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n");
            write!(text, "\n## {name}{machine}\n\n{}", lines.collect::<String>())
        } else {
            write!(text, "{name}{machine}; {hop}\n\n{verdicts}")
        };
    }
    text
}
