//! The binary in a folder of its own.

#![allow(dead_code, reason = "each test binary uses a part of this")]

pub mod film;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A scenario that runs: a ball dropped on sinusoidal hills.
pub const DROP: &str = r#"title = "A drop"
[ball]
mass = 1.0
radius = 0.05
[initial]
position = [0.0, 1.0]
velocity = [0.3, 0.0]
[ground]
curve = "hills.toml"
[contact]
restitution = 0.5
friction = 0.2
[solver]
duration = 1.5
[output]
interval = 0.01
"#;

/// A throw over level ground, with a table `[ball]` or none, a friction, and how long it lasts, s.
pub fn throw(ball: &str, friction: f64, duration: f64) -> String {
    format!(
        r#"{ball}
[initial]
position = [0.0, 1.0]
velocity = [1.0, 2.0]
[ground]
curve = {{ kind = "graph", y = "0" }}
[contact]
restitution = 0.5
friction = {friction}
[solver]
duration = {duration}
"#
    )
}

/// A ball for it that friction can hold.
pub const MARBLE: &str = "[ball]\nmass = 0.1\nradius = 0.02";

const HILLS: &str = r#"title = "Hills"
kind = "graph"
y = "amplitude * sin(2*pi*x/wavelength)"
[parameters]
amplitude = 0.1
wavelength = 2.0
"#;

/// What a run of the binary left behind.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder with the files of [`DROP`], in which the binary runs.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write("drop.toml", DROP);
        place.write("hills.toml", HILLS);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of the files in a folder, hidden ones too, in order.
    pub fn files(&self, name: &str) -> Vec<String> {
        let mut files: Vec<String> = std::fs::read_dir(self.path(name))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        files
    }

    pub fn kugelbahn(&self, arguments: &[&str]) -> Outcome {
        self.kugelbahn_into(arguments, Stdio::piped())
    }

    /// The same with stdout going somewhere.
    pub fn kugelbahn_into(&self, arguments: &[&str], stdout: impl Into<Stdio>) -> Outcome {
        let output = Command::new(env!("CARGO_BIN_EXE_kugelbahn"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .and_then(|child| child.wait_with_output())
            .unwrap();
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a scenario text that is bad: exit 2, nothing on stdout, nothing written. Returns the message.
    pub fn refused(&self, scenario: &str, settings: &[&str]) -> String {
        self.write("bad.toml", scenario);
        let mut arguments = vec!["run", "bad.toml", "--out", "out"];
        settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
        let outcome = self.kugelbahn(&arguments);
        assert_eq!(outcome.code, 2, "{}\n{}", outcome.stdout, outcome.stderr);
        assert_eq!(outcome.stdout, "");
        assert!(!self.path("out").exists(), "a refused run has written something");
        assert!(!outcome.stderr.contains('\x1b'), "escape codes in a pipe");
        outcome.stderr
    }

    /// The message about the scenario [`DROP`] with one line replaced, without the output folder coming to be.
    pub fn refused_line(&self, old: &str, new: &str) -> String {
        assert!(DROP.contains(old), "`{old}` is not in the scenario");
        self.refused(&DROP.replace(old, new), &[])
    }

    /// The message about a ground with this curve table.
    pub fn refused_curve(&self, curve: &str) -> String {
        self.refused(&DROP.replace("curve = \"hills.toml\"", &format!("curve = {curve}")), &[])
    }
}

/// A table with its header.
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn read(place: &Place, name: &str) -> Self {
        let text = place.read(name);
        assert!(text.ends_with('\n') && !text.contains('#') && !text.contains('\r'), "{name}");
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let rows: Vec<_> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == header.len()), "{name}: rows of different lengths");
        Table { header, rows }
    }
    fn at(&self, column: &str) -> usize {
        self.header.iter().position(|name| name == column).unwrap_or_else(|| panic!("no column {column}"))
    }
    pub fn words(&self, column: &str) -> Vec<&str> {
        let at = self.at(column);
        self.rows.iter().map(|row| row[at].as_str()).collect()
    }
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        self.words(column).iter().map(|word| word.parse().unwrap_or_else(|_| panic!("{column}: {word}"))).collect()
    }
}

/// The curve files of the project: tables and drawings that some of them refer to are none.
pub fn curve_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(profiles()).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<_> = entries.filter(|path| path.extension().is_some_and(|kind| kind == "toml")).collect();
    assert!(found.len() >= 20, "{found:?}");
    found.into_iter().map(|path| path.canonicalize().unwrap()).collect()
}

/// The folder of the profiles of the project.
pub fn profiles() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../curves")
}

/// What was printed with each break of a line and each indent as one space.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
