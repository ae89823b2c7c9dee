//! Checkpoints: saves the state of a run in a file, from which it continues with bit-identical results.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Instant;

use scenario::input::{InputError, read_plain};
use scenario::stepping::BallObserver;
use scenario::{Contact, Flight, FlightKind, FormulationKind, NotEventDriven, Scenario, advance};
use serde::{Deserialize, Serialize};
use supervisor::{Paused, Summary};
use tables::Format;

use super::folder::{Folder, OutputError, growing};
use super::growing_table::{Tables, names};
use super::record::Recorder;

/// Name of the checkpoint's file. It sorts before those of tables, so that a set replaces it first.
pub const CHECKPOINT: &str = "checkpoint";

/// Stretches between pauses. A run with checkpoints pauses there whether it writes one or not: so its results do not
/// depend on how often it is interrupted.
const PAUSE: u64 = 1024;

/// Maximum size of a checkpoint, bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Version of the program, and of what a checkpoint holds: raised when that changes.
const LAYOUT: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// Settings and state of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    version: String,
    /// The scenario file.
    pub scenario: PathBuf,
    /// `KEY=VALUE` settings of it.
    pub settings: Vec<String>,
    /// Interval between checkpoints, s.
    pub seconds: f64,
    /// Hash of the ground and all values used.
    values: u64,
    /// Bytes that each table had.
    tables: Vec<KeptBytes>,
    /// State of the run; empty before its start.
    state: Vec<u8>,
}

/// First bytes of a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct KeptBytes {
    pub count: u64,
    sum: u64,
}

impl KeptBytes {
    /// No bytes.
    pub const NONE: Self = KeptBytes { count: 0, sum: 0xcbf2_9ce4_8422_2325 };

    /// Goes on to `end`, or to the end of a file that is shorter.
    pub fn up_to(mut self, end: u64, file: &mut File) -> std::io::Result<Self> {
        file.seek(SeekFrom::Start(self.count))?;
        let mut part = [0; 1 << 14];
        while self.count < end {
            let most = usize::try_from(end - self.count).unwrap_or(usize::MAX).min(part.len());
            let read = file.read(&mut part[..most])?;
            if read == 0 {
                break;
            }
            self = KeptBytes { count: self.count + read as u64, sum: sum_on(self.sum, &part[..read]) };
        }
        Ok(self)
    }

    /// Whether a regular file begins with these bytes.
    pub fn begin(self, path: &Path) -> bool {
        let read = || Self::NONE.up_to(self.count, &mut File::open(path)?);
        self.count == 0
            || path.is_file() && read().is_ok_and(|found| (found.count, found.sum) == (self.count, self.sum))
    }
}

/// Writer of a run's checkpoints.
pub(super) struct Checkpoints<'a> {
    folder: &'a Folder,
    checkpoint: Checkpoint,
    last: Instant,
    stretches: u64,
    paused: Option<Paused<Flight, Contact>>,
}

impl Checkpoint {
    /// Checkpoint of a run before its start.
    pub fn new(scenario: &Path, settings: &[String], seconds: f64) -> Self {
        let scenario = scenario.canonicalize().unwrap_or_else(|_| scenario.to_owned());
        let version = LAYOUT.to_owned();
        let (settings, tables, state) = (settings.to_vec(), Vec::new(), Vec::new());
        Checkpoint { version, scenario, settings, seconds, values: 0, tables, state }
    }

    /// Completes the checkpoint for a scenario; refuses one that can't have checkpoints.
    pub fn of(self, scenario: &Scenario) -> Result<Self, InputError> {
        let wrong = |why: &str, help: &str| Err(InputError::without_place(why).with_help(help));
        let own = matches!(scenario.flight_kind(), FlightKind::Own(_))
            || matches!(scenario.solver.formulation, FormulationKind::Own(_));
        if scenario.stepping.is_some() || own || scenario.format != Format::Csv {
            let why = "checkpoints are of one ball, event by event, by our own methods, with tables as CSV";
            return wrong(why, "leave out --checkpoint");
        }
        let values = sum_of(format!("{} {:?}", scenario.resolved(), scenario.scene.ground.ground()).as_bytes());
        if !self.state.is_empty() && self.values != values {
            let help = "give it the numbers that it had, or make the run again";
            return wrong("the scenario is not the one that the checkpoint is of", help);
        }
        Ok(Checkpoint { values, ..self })
    }

    /// Reads the checkpoint in a folder, whose tables it is of.
    pub fn read(folder: &Path) -> Result<Self, InputError> {
        let path = folder.join(CHECKPOINT);
        let wrong_file = |path: &Path, why: &str| {
            let error = InputError::without_place(format!("can't go on from {}: {why}", path.display()));
            error.with_help("make the run again, with --checkpoint SECONDS")
        };
        let wrong = |why: &str| wrong_file(&path, why);
        let bytes = read_plain(&path, MAX_BYTES).map_err(|error| wrong(&error.to_string()))?;
        let (sum, rest) = bytes.split_first_chunk().ok_or_else(|| wrong("it is empty"))?;
        if u64::from_le_bytes(*sum) != sum_of(rest) {
            return Err(wrong("it is damaged"));
        }
        let version = postcard::take_from_bytes::<String>(rest).map(|(version, _)| version);
        if !version.is_ok_and(|version| version == LAYOUT) {
            return Err(wrong("it is of another version"));
        }
        let read: Self = postcard::from_bytes(rest).map_err(|error| wrong(&error.to_string()))?;
        for (name, kept) in names(Format::Csv).iter().zip(&read.tables) {
            let table = folder.join(name);
            if !growing(&table).is_ok_and(|places| places.iter().any(|place| kept.begin(place))) {
                return Err(wrong_file(&table, "it is not the table that it was at the checkpoint"));
            }
        }
        Ok(read)
    }
}

/// FNV-1a hash of bytes (G. Fowler, L. C. Noll, K.-P. Vo): detects damage, not malice.
fn sum_of(bytes: &[u8]) -> u64 {
    sum_on(KeptBytes::NONE.sum, bytes)
}

/// Sum of bytes behind those of a sum.
fn sum_on(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl<'a> Recorder<'a> {
    /// Writes checkpoints to the folder of the run, which continues from `checkpoint`.
    pub fn with_checkpoints(mut self, folder: &'a Folder, checkpoint: Checkpoint) -> Result<Self, OutputError> {
        let failed = |error: std::io::Error| OutputError::new(&folder.path().join(CHECKPOINT), error);
        let mut keeping = Checkpoints { folder, checkpoint, last: Instant::now(), stretches: 0, paused: None };
        if !keeping.checkpoint.state.is_empty() {
            (
                (keeping.stretches, keeping.paused),
                (self.events, self.event_count, self.last_event, self.event_rows),
                (self.captures, self.impacts, self.phases, self.jumps, self.crossings, self.unresolved),
            ) = postcard::from_bytes(&keeping.checkpoint.state)
                .map_err(|error| failed(std::io::Error::other(error)))?;
            self.tables = Some(Tables::new(self.scenario, folder, &keeping.checkpoint.tables)?);
            folder.leave(CHECKPOINT);
        }
        self.keeping = Some(keeping);
        Ok(self)
    }

    /// Counts a stretch; returns whether the run pauses after it.
    pub(super) fn pauses(&mut self) -> bool {
        let Some(keeping) = &mut self.keeping else { return false };
        keeping.stretches += 1;
        keeping.stretches.is_multiple_of(PAUSE)
    }

    pub(super) fn run_by_events(&mut self) -> Result<Summary, NotEventDriven> {
        let mut supervisor = self.scenario.supervisor(self.scenario.options())?;
        if let Some(paused) = self.keeping.as_mut().and_then(|keeping| keeping.paused.take()) {
            supervisor = supervisor.restored(paused);
        }
        loop {
            let stop = advance(&mut supervisor, self);
            let ends = BallObserver::ends(self);
            let Some(keeping) = &mut self.keeping else { return Ok(supervisor.summary(stop, self)) };
            let due = ends || keeping.last.elapsed().as_secs_f64() >= keeping.checkpoint.seconds;
            match supervisor.paused(stop) {
                Some(paused) if due => self.keep(&paused),
                Some(_) => {}
                None => return Ok(supervisor.summary(stop, self)),
            }
            if ends {
                return Ok(supervisor.summary(stop, self));
            }
        }
    }

    /// Removes the checkpoint of a finished run, once its files are in place.
    pub fn forget_checkpoint(&self) -> Result<(), OutputError> {
        let over = self.keeping.as_ref().filter(|_| !BallObserver::ends(self));
        over.map_or(Ok(()), |keeping| keeping.folder.remove_now(CHECKPOINT))
    }

    /// Writes a checkpoint. If that fails the last one stays, and the run continues. With the first one the tables get
    /// the names that stay; without these it is of no use.
    fn keep(&mut self, paused: &Paused<Flight, Contact>) {
        let (Some(keeping), Some(tables)) = (&mut self.keeping, &mut self.tables) else { return };
        let Some(kept) = tables.kept() else { return };
        keeping.last = Instant::now();
        keeping.checkpoint.tables = kept;
        let written = postcard::to_allocvec(&(
            (keeping.stretches, Some(paused)),
            (&self.events, self.event_count, self.last_event, &self.event_rows),
            (&self.captures, &self.impacts, &self.phases, &self.jumps, &self.crossings, &self.unresolved),
        ));
        let written = written.and_then(|state| {
            keeping.checkpoint.state = state;
            postcard::to_allocvec(&keeping.checkpoint)
        });
        if let Ok(bytes) = written {
            let bytes = [&sum_of(&bytes).to_le_bytes()[..], &bytes].concat();
            if keeping.folder.keep([(CHECKPOINT, &*bytes)]).is_ok() {
                keeping.folder.leave(CHECKPOINT);
                if !tables.stay() {
                    let _ = keeping.folder.remove_now(CHECKPOINT);
                }
            }
        }
    }
}
