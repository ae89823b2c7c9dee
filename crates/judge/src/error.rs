//! Reasons why answers can't be judged.

use std::path::PathBuf;

use crate::answers_file::BROKEN;

/// Complaint about a line that can't be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    /// Line of the file, from 1.
    pub line: u64,
    /// Fault of the line.
    pub message: String,
    /// Cure.
    pub help: &'static str,
}

/// An entry, or a folder of cases, that can't be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// A file can't be read.
    #[error("can't read {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Reason.
        error: std::io::Error,
    },
    /// Lines of `answers.csv` can't be read; the first ten of them are kept.
    #[error("{}", told(.complaints, *.count))]
    Broken {
        /// The first complaints.
        complaints: Vec<Complaint>,
        /// Number of all broken lines.
        count: u64,
    },
    /// `about.toml` is invalid.
    #[error(
        "about.toml: {0}; it has name = \"…\" and may have version, method, authors, url, machine, notes, all strings"
    )]
    About(String),
    /// One entry of several can't be judged.
    #[error("{}: {error}", folder.display())]
    Entry {
        /// Folder of the entry.
        folder: PathBuf,
        /// Reason.
        error: Box<JudgeError>,
    },
    /// A folder holds no exact answers.
    #[error("no cases in {}: give a folder that suite/draw.py wrote", .0.display())]
    NoCases(PathBuf),
    /// A line of exact answers can't be read.
    #[error(
        "exact answers, {file}, line {line}: \"{text}\" is not case,quantity,index,value,within,kind,condition; draw the cases anew"
    )]
    ExactLine {
        /// The file.
        file: String,
        /// Line from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// There is no such method.
    #[error("method {method}: {reason}")]
    Method {
        /// Name that was asked for.
        method: String,
        /// Complaint of the scenario.
        reason: String,
    },
}

fn told(complaints: &[Complaint], count: u64) -> String {
    let mut text = format!(
        "answers.csv: {}{count} broken {}; nothing is judged, as each may be an answer",
        if count == BROKEN { "at least " } else { "" },
        if count == 1 { "line" } else { "lines" }
    );
    for Complaint { line, message, help } in complaints {
        text += &format!("\n  line {line}: {message}: {help}");
    }
    if count > complaints.len() as u64 {
        text += &format!("\n  and {} more", count - complaints.len() as u64);
    }
    text
}
