//! Files of a run, replaced as a set.

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
use folder::GROWING;
pub use folder::{Folder, NOT_WHOLE, OutputError, withdraw, write_kept};
pub use record::Recorder;
pub(crate) use summary::summary;
pub use summary::{document, run_json, summary_json};
pub use tables::{EventCell, EventRow, contact_gap, event_fields, ground_name, last_csv, nearest};

/// Files of a run beside its tables.
const FILES: [&str; 4] = ["summary.json", "path.svg", "time.svg", "report.html"];

/// The file of several balls from which a run goes on.
pub const LAST: &str = "last.csv";

/// The file of events that are proven.
pub const PROOF: &str = "proof.csv";

/// A folder for the files of a run.
pub fn open_run(folder: &Path, scenario: &Scenario) -> Result<Folder, OutputError> {
    let several = scenario.stepping.as_ref().is_some_and(|stepping| stepping.balls.len() > 1);
    let of = |format| growing_table::names(format).into_iter().take(2 + usize::from(scenario.contacts));
    let tables: Vec<String> = of(scenario.format).collect();
    let others = FILES.into_iter().chain(several.then_some(LAST)).map(str::to_owned);
    let folder = Folder::open(folder, &others.chain(tables.iter().cloned()).collect::<Vec<_>>())?;
    // Those of another run would be taken for this one's.
    let known = [Format::Csv, Format::Parquet].into_iter().flat_map(growing_table::names);
    known.filter(|name| !tables.contains(name)).for_each(|name| folder.remove(&name));
    folder.remove(CHECKPOINT);
    tables.iter().for_each(|name| folder.remove(&format!("{name}.{GROWING}")));
    folder.remove(LAST);
    folder.remove(PROOF);
    Ok(folder)
}

/// Puts `text` in the place of a file at once, unless a command has its folder for itself.
pub fn write_file(path: &Path, text: &str) -> Result<(), OutputError> {
    write_kept(path, &mut |file| file.write_all(text.as_bytes()))
}

/// Prints to stdout, what is foreign escaped and what is painted coloured; a reader that has gone away has had enough.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(shown(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError { path: "to stdout".to_owned(), error }),
        _ => Ok(()),
    }
}
