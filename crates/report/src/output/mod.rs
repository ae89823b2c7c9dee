//! Output files of a run, replaced as one set.

mod checkpoint;
mod folder;
mod growing_table;
mod record;
mod summary;
mod tables;

use std::io::{ErrorKind, Write};
use std::path::Path;

use ::tables::Format;
use scenario::Scenario;

use crate::terminal::shown;

pub use checkpoint::{CHECKPOINT, Checkpoint};
pub use folder::{Folder, NOT_WHOLE, OutputError, settle, withdraw, write_kept};
use folder::{GROWING, is_stream};
pub use record::Recorder;
pub(crate) use summary::summary;
pub use summary::{document, run_json, summary_json};
pub use tables::{EventCell, EventRow, contact_gap, event_fields, ground_name, last_csv, nearest};

/// Names of the files of a run beside its tables.
const FILES: [&str; 4] = ["summary.json", "path.svg", "time.svg", "report.html"];

/// File with the last states of several balls, from which another run can start.
pub const LAST: &str = "last.csv";

/// File of proven events.
pub const PROOF: &str = "proof.csv";

/// Opens a folder for the files of a run.
pub fn open_run(folder: &Path, scenario: &Scenario) -> Result<Folder, OutputError> {
    let several = scenario.stepping.as_ref().is_some_and(|stepping| stepping.balls.len() > 1);
    let tables = &growing_table::names(scenario.format)[..2 + usize::from(scenario.contacts)];
    let others = FILES.into_iter().chain(several.then_some(LAST)).map(str::to_owned);
    let folder = Folder::open(folder, &others.chain(tables.iter().cloned()).collect::<Vec<_>>())?;
    // Tables of an earlier run would be mistaken for this one's.
    let known = [Format::Csv, Format::Parquet].into_iter().flat_map(growing_table::names);
    known.filter(|name| !tables.contains(name)).for_each(|name| folder.remove(&name));
    tables.iter().for_each(|name| folder.remove(&format!("{name}.{GROWING}")));
    [CHECKPOINT, LAST, PROOF].into_iter().for_each(|name| folder.remove(name));
    Ok(folder)
}

/// Replaces a file by this text atomically; refused if another command has locked its folder.
pub fn write_file(path: &Path, text: &str) -> Result<(), OutputError> {
    write_kept(path, &mut |file| file.write_all(text.as_bytes()))
}

/// Replaces a file by this text: at the commit of the folder, if there is one, as one of its set; else at once, as a
/// pipe is written to.
pub fn write_with(folder: Option<&Folder>, path: &Path, text: &str) -> Result<(), OutputError> {
    match folder.filter(|_| !is_stream(path)) {
        Some(folder) => folder.replace_at(path, text),
        None => write_file(path, text),
    }
}

/// Prints to stdout, with foreign text escaped and painted text coloured; a closed pipe is no error.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(shown(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError { path: "to stdout".to_owned(), error }),
        _ => Ok(()),
    }
}
