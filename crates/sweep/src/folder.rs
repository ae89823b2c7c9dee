//! The folder of a sweep.
//!
//! `sweep.json`, the manifest, is written first and never changed. A chunk is a file for each table and, written last,
//! its record `chunk-….json` with their sizes and hashes: a chunk without record, or with a file of another size, is
//! made again; one with another hash, its record's own included, is damaged. Each file appears whole or not at all, so
//! that several commands may write to one folder, and each may be killed at any time.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use report::output::Folder;
use scenario::Methods;
use scenario::input::{paths_in, read_plain};
use serde::{Deserialize, Serialize};
use tables::{Cells, Column, Table};

use crate::chunks::Shard;
use crate::error::SweepError;
use crate::hash::hash;
use crate::layout::ChunkLayout;
use crate::manifest::Manifest;
use crate::status::RunTally;
use crate::sweep::Sweep;

const MANIFEST: &str = "sweep.json";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChunkFile {
    pub table: String,
    pub rows: u64,
    pub bytes: u64,
    pub sha256: String,
}

/// Record of a finished chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub chunk: u64,
    /// Index of the first run.
    pub from: u64,
    pub runs: u64,
    #[serde(flatten)]
    pub tally: RunTally,
    pub files: Vec<ChunkFile>,
    /// Hash of all the above.
    sha256: String,
}

impl Record {
    /// Hash of all but `sha256`.
    fn hash(&self) -> String {
        hash(json(&Record { sha256: String::new(), ..self.clone() }).as_bytes())
    }
}

/// One folder, or several of the same sweep read as one.
#[derive(Debug)]
pub struct Store {
    folders: Vec<PathBuf>,
    /// Folder that is written to.
    open: Option<Folder>,
}

impl Store {
    /// Opens a folder to write to, new or with chunks of the same sweep; a folder with another sweep is left untouched.
    pub fn open(path: &Path, sweep: &Sweep) -> Result<Self, SweepError> {
        let own = sweep.manifest();
        match manifest(path)? {
            Some(found) => same(path, &found, &own)?,
            None if path.is_dir() && records(path)?.next().is_some() => {
                return Err(other(path, "list of what it runs, sweep.json, is missing there; it"));
            }
            None => {}
        }
        let folder = Folder::share(path)?;
        // Another command may have created it at the same time.
        if !folder.keep_new(MANIFEST, json(&own).as_bytes())? {
            let found = manifest(path)?.ok_or_else(|| SweepError::None { folder: path.display().to_string() })?;
            same(path, &found, &own)?;
        }
        Ok(Store { folders: vec![path.to_owned()], open: Some(folder) })
    }

    /// Opens folders of one sweep to read; returns also its layout.
    pub fn read(paths: &[PathBuf]) -> Result<(Self, ChunkLayout), SweepError> {
        let first = Self::first(paths)?;
        Ok((Store { folders: paths.to_vec(), open: None }, ChunkLayout::of(&first)?))
    }

    /// The sweep, to repeat runs; its files must be unchanged.
    pub fn sweep(&self, methods: &Arc<Methods>) -> Result<Sweep, SweepError> {
        let first = Self::first(&self.folders)?;
        let sweep = Sweep::of(&first, methods)?;
        if let Some(path) = self.folders.first() {
            same(path, &first, &sweep.manifest())?;
        }
        Ok(sweep)
    }

    fn first(paths: &[PathBuf]) -> Result<Manifest, SweepError> {
        let mut first: Option<Manifest> = None;
        for path in paths {
            let found = manifest(path)?.ok_or_else(|| SweepError::None { folder: path.display().to_string() })?;
            match &first {
                Some(first) => same(path, &found, first)?,
                None => first = Some(found),
            }
        }
        first.ok_or_else(|| SweepError::None { folder: String::new() })
    }

    /// Whether a file is one of the sweep's own.
    pub(crate) fn owns(&self, file: &Path) -> bool {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let own = name == MANIFEST
            || ["chunk-", "runs-", "events-", "section-", "cells-"].iter().any(|start| name.starts_with(start));
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let place = parent.canonicalize().ok();
        own && self.folders.iter().any(|folder| folder.canonicalize().ok() == place)
    }

    /// Finished chunks by their index, with their folders.
    pub(crate) fn records(&self, layout: &ChunkLayout) -> Result<BTreeMap<u64, (Record, &Path)>, SweepError> {
        let mut found = BTreeMap::new();
        for folder in &self.folders {
            for path in records(folder)? {
                let text = read_text(&path).map_err(|error| unread(&path, error))?;
                let damaged = |what: String| SweepError::Damaged { file: path.display().to_string(), what };
                let record: Record = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
                if record.hash() != record.sha256 {
                    return Err(damaged("its hash is not the one that it has in it".to_owned()));
                }
                let runs = layout.runs_of(record.chunk);
                if record.chunk >= layout.chunks() || record.from != runs.start || record.runs != runs.end - runs.start
                {
                    return Err(damaged("it is of no chunk of this sweep".to_owned()));
                }
                let whole = |part: &ChunkFile| {
                    let file = folder.join(file_name(&part.table, record.chunk, layout));
                    file.metadata().is_ok_and(|found| found.len() == part.bytes)
                };
                if !record.files.iter().all(whole) {
                    continue;
                }
                let (known, at) = found.entry(record.chunk).or_insert_with(|| (record.clone(), folder.as_path()));
                if *known != record {
                    let what = format!("its rows are not those of this chunk in {}", at.display());
                    return Err(damaged(what));
                }
            }
        }
        Ok(found)
    }

    /// Reads a table (`runs`, `events`, `section`, `cells`), chunk by chunk in the order of runs, and checks hashes.
    pub fn each(&self, layout: &ChunkLayout, name: &str, mut take: impl FnMut(&Table)) -> Result<(), SweepError> {
        let columns = layout.table(name)?;
        for record in self.records(layout)?.values() {
            take(&table_of(layout, record, name, &columns)?);
        }
        Ok(())
    }

    /// Writes a chunk: its tables, then its record.
    pub(crate) fn keep(&self, chunk: &Chunk) -> Result<(), SweepError> {
        let Some(folder) = &self.open else { return Ok(()) };
        let kept = folder.keep(chunk.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
        kept.map_err(|error| if folder.path().is_dir() { SweepError::Kept(error) } else { SweepError::Output(error) })
    }

    /// Checks that `chunks` chunks of a shard and the manifest are in the folder; returns the number of their runs.
    pub(crate) fn whole(&self, sweep: &Sweep, shard: Shard, chunks: u64) -> Result<u64, SweepError> {
        let layout = &sweep.layout;
        let there = self.records(layout)?;
        let mut own = there.values().filter(|(record, _)| record.chunk % shard.count == shard.index).peekable();
        let first = (shard.index..).step_by(shard.count as usize).find(|chunk| !there.contains_key(chunk));
        let (count, runs) = own.by_ref().fold((0, 0), |(count, runs), (record, _)| (count + 1, runs + record.runs));
        match first {
            Some(first) if count < chunks => {
                Err(SweepError::Unfinished { missing: chunks - count, chunks: shard.chunks(sweep), first })
            }
            _ => Self::first(&self.folders).map(|_| runs),
        }
    }
}

/// Files of a chunk to be written, its record last.
#[derive(Debug)]
pub(crate) struct Chunk {
    files: Vec<(String, Vec<u8>)>,
    pub tally: RunTally,
}

impl Chunk {
    /// Encodes and hashes the tables of a chunk.
    pub fn of<'t>(
        layout: &ChunkLayout,
        chunk: u64,
        tally: RunTally,
        tables: impl Iterator<Item = Cow<'t, Table>>,
    ) -> Result<Self, SweepError> {
        let (mut files, mut parts) = (Vec::new(), Vec::new());
        for ((name, _), table) in layout.tables.iter().zip(tables) {
            let mut bytes = Vec::new();
            layout.format.encode(&table, &mut bytes)?;
            let (rows, length) = (table.rows() as u64, bytes.len() as u64);
            parts.push(ChunkFile { table: name.clone(), rows, bytes: length, sha256: hash(&bytes) });
            files.push((file_name(name, chunk, layout), bytes));
        }
        let runs = layout.runs_of(chunk);
        let (from, runs) = (runs.start, runs.end - runs.start);
        let record = Record { chunk, from, runs, tally: tally.clone(), files: parts, sha256: String::new() };
        let record = Record { sha256: record.hash(), ..record };
        files.push((format!("chunk-{chunk:06}.json"), json(&record).into_bytes()));
        Ok(Chunk { files, tally })
    }
}

/// Reads name and bytes of a table of a chunk, and checks its hash.
fn bytes_of(
    layout: &ChunkLayout,
    (record, folder): &(Record, &Path),
    table: &str,
) -> Result<(String, Vec<u8>), SweepError> {
    let path = folder.join(file_name(table, record.chunk, layout));
    let name = path.display().to_string();
    let damaged = |what: &str| SweepError::Damaged { file: name.clone(), what: what.to_owned() };
    let Some(part) = record.files.iter().find(|part| part.table == table) else {
        return Err(damaged("its record does not name it"));
    };
    let bytes = read_plain(&path, part.bytes).map_err(|error| unread(&path, error))?;
    if bytes.len() as u64 != part.bytes || hash(&bytes) != part.sha256 {
        return Err(damaged("its hash is not that of its record"));
    }
    Ok((name, bytes))
}

/// Holds all tables of a chunk against their hashes.
pub(crate) fn check(layout: &ChunkLayout, record: &(Record, &Path)) -> Result<(), SweepError> {
    layout.tables.iter().try_for_each(|(table, _)| bytes_of(layout, record, table).map(drop))
}

/// A table of a chunk, held against its hash.
pub(crate) fn table_of(
    layout: &ChunkLayout,
    record: &(Record, &Path),
    table: &str,
    columns: &Arc<[Column]>,
) -> Result<Table, SweepError> {
    let (name, bytes) = bytes_of(layout, record, table)?;
    Ok(layout.format.decode(columns, &name, &bytes)?)
}

/// The run of each row of a table.
pub(crate) fn runs_in(table: &Table) -> &[u64] {
    if let Some(Cells::Count(runs)) = table.cells().first() { runs } else { &[] }
}

fn file_name(table: &str, chunk: u64, layout: &ChunkLayout) -> String {
    format!("{table}-{chunk:06}.{}", layout.format.name())
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Largest size of a manifest or a record, bytes.
const MOST: u64 = 64 << 20;

fn read_text(path: &Path) -> std::io::Result<String> {
    String::from_utf8(read_plain(path, MOST)?).map_err(std::io::Error::other)
}

fn unread(path: &Path, error: std::io::Error) -> SweepError {
    SweepError::Read { file: path.display().to_string(), error }
}

fn other(path: &Path, what: &str) -> SweepError {
    SweepError::Other { folder: path.display().to_string(), what: what.to_owned() }
}

fn manifest(path: &Path) -> Result<Option<Manifest>, SweepError> {
    let file = path.join(MANIFEST);
    match read_text(&file) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| SweepError::Damaged { file: file.display().to_string(), what: error.to_string() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unread(&file, error)),
    }
}

/// Refuses a sweep that differs from that of the folder.
fn same(path: &Path, found: &Manifest, own: &Manifest) -> Result<(), SweepError> {
    if let Some(option) = found.request.differs(&own.request) {
        return Err(other(path, &format!("option --{option}")));
    }
    let places = [
        ("version of the program", found.version == own.version),
        ("format", found.format == own.format),
        ("number of runs", found.runs == own.runs && found.chunk == own.chunk),
        ("table of values", found.table == own.table),
        ("scenario", found.scenario == own.scenario),
        ("scenario with its files", found.resolved == own.resolved && found.ground == own.ground),
        ("list of columns", found.columns == own.columns),
    ];
    places.iter().find(|(_, same)| !same).map_or(Ok(()), |(what, _)| Err(other(path, what)))
}

fn records(path: &Path) -> Result<impl Iterator<Item = PathBuf> + use<>, SweepError> {
    let paths = paths_in(path).map_err(|error| unread(path, error))?;
    let named = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("chunk-") && name.ends_with(".json")
    };
    Ok(paths.into_iter().filter(named))
}
