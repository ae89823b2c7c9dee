//! Files of a run, each replaced whole or not at all.

mod error;
mod folder;
mod growing;
mod record;
mod summary;
mod tables;

use std::fs::File;
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

use ::tables::Format;
use scenario::Scenario;

pub use error::OutputError;
pub use folder::{Folder, withdraw, write_kept};
use folder::{lock, write_file_to};
pub use record::Recorder;
pub(crate) use summary::summary;
pub use summary::{document, run_json, summary_json};
pub use tables::{
    contact_gap, csv_text, event_columns, event_numbers, ground_name, last_csv, nearest, seen_numbers, text,
    trajectory_columns,
};

/// Files of a run beside its tables.
const FILES: [&str; 4] = ["summary.json", "path.svg", "time.svg", "report.html"];

/// The file of several balls from which a run goes on.
pub const LAST: &str = "last.csv";

/// A folder for the files of a run.
pub fn open_run(folder: &Path, scenario: &Scenario) -> Result<Folder, OutputError> {
    let several = scenario.stepping.as_ref().is_some_and(|stepping| stepping.balls.len() > 1);
    let of = |format| growing::names(format).into_iter().take(2 + usize::from(scenario.contacts));
    let tables: Vec<String> = of(scenario.format).collect();
    let others = FILES.into_iter().chain(several.then_some(LAST)).map(str::to_owned);
    let folder = Folder::open(folder, &others.chain(tables.iter().cloned()).collect::<Vec<_>>())?;
    // Those of another run would be taken for this one's.
    let known = [Format::Csv, Format::Parquet].into_iter().flat_map(growing::names);
    known.filter(|name| !tables.contains(name)).try_for_each(|name| folder.remove(&name))?;
    Ok(folder)
}

/// Puts `text` in the place of a file at once, unless a command has its folder for itself.
pub fn write_file(path: &Path, text: &str) -> Result<(), OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(OutputError::new(path, ErrorKind::InvalidFilename));
    };
    if !folder.exists() {
        return Err(OutputError::new(path, Error::other(format!("there is no folder {}", folder.display()))));
    }
    let _lock = lock(folder, File::try_lock_shared)?;
    write_file_to(folder, name, text.as_bytes())
}

/// Prints to stdout; a reader that has gone away has had enough.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError { path: "to stdout".to_owned(), error }),
        _ => Ok(()),
    }
}
