//! Sweeps as a program would make them.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests fail loudly")]

mod cells;
mod designs;
mod folders;
mod pictures;
mod rows;
mod shaken_table;

use std::path::Path;
use std::sync::Arc;

use scenario::Document;
use sweep::{Request, Shard, Store, Sweep, SweepError, execute, merge};

/// A ball over hills, cheap to run.
const HILLS: &str = r#"
    initial = { position = [0.1, 1.0], velocity = [0.3, 0.0] }
    ground = { curve = { kind = "graph", y = "a*sin(3*x)", parameters = { a = 0.1 } } }
    contact = { restitution = 0.8 }
    solver = { duration = 1.5 }
"#;

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn sweep_of(text: &str, request: Request) -> Result<Sweep, SweepError> {
    let document = Document::from_text(text, Path::new(""), &[], &Arc::default())?;
    Sweep::new(document, request)
}

/// Makes all of a sweep in a folder, in shards, on so many threads.
fn make(sweep: &Sweep, folder: &Path, shards: u64, threads: usize) {
    let store = Store::open(folder, sweep).expect("a folder");
    for index in (0..shards).rev() {
        let shard = Shard::new(index, shards).expect("a shard");
        execute(sweep, &store, shard, threads, &|_, _| (), &std::sync::atomic::AtomicBool::new(false))
            .expect("a sweep");
    }
}

/// A merged table.
fn merged(folders: &[&Path], table: &str) -> String {
    let folders: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let (store, layout) = Store::read(&folders).expect("a sweep");
    let out = tempfile::tempdir().expect("a folder");
    let file = out.path().join("all.csv");
    merge(&layout, &store, table, &file).expect("merged");
    std::fs::read_to_string(file).expect("a file")
}
