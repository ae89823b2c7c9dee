//! `manifest.json`: what made the files beside it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};
use supervisor::Count;

/// What is written of an experiment.
#[derive(Debug)]
pub(crate) struct Manifest<'a> {
    pub name: &'a str,
    pub quick: bool,
    pub seed: u64,
    /// Each with the settings it was changed by.
    pub scenarios: &'a [Value],
    pub count: &'a Count,
    pub runs: u64,
    /// Of time stepping.
    pub time_steps: u64,
    pub comparisons: &'a [Value],
    pub started: SystemTime,
    pub took: Duration,
}

impl Manifest<'_> {
    pub fn text(&self) -> String {
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let Count { events, impacts, landings, lift_offs, captures, flight, contact, search, .. } = self.count;
        let value = json!({
            "experiment": self.name,
            "version": env!("CARGO_PKG_VERSION"),
            "commit": git(&["rev-parse", "HEAD"]),
            "uncommitted_changes": git(&["status", "--porcelain"]).map(|changes| !changes.is_empty()),
            "quick": self.quick,
            "seed": self.seed,
            "scenarios": self.scenarios,
            "comparisons": self.comparisons,
            "counters": {
                "runs": self.runs,
                "time_steps": self.time_steps,
                "events": events,
                "impacts": impacts,
                "landings": landings,
                "lift_offs": lift_offs,
                "captures": captures,
                "flight_steps": flight.steps,
                "contact_steps": contact.steps,
                "frame_evaluations": contact.frames,
                "contact_searches": search.searches,
                "ground_evaluations": search.evaluations,
            },
            "host": host(),
            "started_unix_s": since(self.started),
            "took_s": self.took.as_secs_f64(),
        });
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// What git says of the sources this was built from; nothing if they are not there.
fn git(arguments: &[&str]) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn host() -> Value {
    let mut host = Map::new();
    host.insert("system".into(), std::env::consts::OS.into());
    host.insert("architecture".into(), std::env::consts::ARCH.into());
    host.insert("cores".into(), std::thread::available_parallelism().map_or(0, |cores| cores.get()).into());
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    });
    host.insert("processor".into(), model.into());
    Value::Object(host)
}
