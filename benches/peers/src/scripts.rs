//! The Python scripts: each is started once, told a run in a line, and answers with the time of its solve.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use crate::contest::{Outcome, Solve};
use crate::tasks::Task;

pub struct Script {
    file: &'static str,
    python: String,
    /// What it said of itself.
    pub version: String,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It ends with its input; what is over can't be ended again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(python: &str, file: &str) -> std::io::Result<(Running, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("python").join(file);
    let mut child = Command::new(python)
        .args(["-B", "-W", "ignore"])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let missing = || std::io::Error::other("no pipe");
    let input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    let mut running = Running { child, input, output: BufReader::new(output) };
    let mut line = String::new();
    running.output.read_line(&mut line)?;
    Ok((running, line.trim().to_owned()))
}

impl Script {
    /// By the first Python that has what the script imports: `PEERS_PYTHON`, `python3`, Debian's. Else why not.
    pub fn find(file: &'static str) -> Result<Self, String> {
        let given = std::env::var("PEERS_PYTHON").ok();
        let mut why = String::new();
        for python in given.into_iter().chain(["python3", "/usr/bin/python3"].map(str::to_owned)) {
            match start(&python, file) {
                Ok((running, line)) => match line.split_once('\t') {
                    Some(("ready", version)) => {
                        let version = version.to_owned();
                        return Ok(Script { file, python, version, running: Some(running) });
                    }
                    Some((_, reason)) => why = reason.to_owned(),
                    None => why = format!("{python} does not run it"),
                },
                Err(error) => why = format!("{python}: {error}"),
            }
        }
        Err(why)
    }

    fn ask(&mut self, line: &str) -> Outcome {
        let lost = |words: String| Outcome { seconds: f64::NAN, words, places: vec![] };
        if self.running.is_none() {
            match start(&self.python, self.file) {
                Ok((running, _)) => self.running = Some(running),
                Err(error) => return lost(format!("**does not start**: {error}")),
            }
        }
        let mut answer = String::new();
        let ran = self.running.as_mut().is_some_and(|running| {
            let asked = writeln!(running.input, "{line}").and_then(|()| running.input.flush());
            // A solver's own words on the same output are not an answer.
            asked.is_ok()
                && loop {
                    answer.clear();
                    match running.output.read_line(&mut answer) {
                        Ok(0) | Err(_) => break false,
                        Ok(_) if answer.split_once('\t').is_some_and(|(first, _)| first.parse::<f64>().is_ok()) => {
                            break true;
                        }
                        Ok(_) => {}
                    }
                }
        });
        if !ran {
            self.running = None;
            return lost("**crashes**: the process ended without an answer".to_owned());
        }
        let mut parts = answer.trim_end().split('\t');
        let seconds = parts.next().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
        let words = parts.next().unwrap_or_default().to_owned();
        let numbers: Vec<f64> = parts.filter_map(|text| text.parse().ok()).collect();
        Outcome { seconds, words, places: numbers.chunks_exact(2).map(|place| [place[0], place[1]]).collect() }
    }
}

pub fn solve(script: &Rc<RefCell<Script>>, task: &Task, method: &str, setting: f64) -> Solve {
    let (kind, numbers) = task.line();
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    let line = format!("{kind} {method} {setting:?} {:?} {}", task.duration, numbers.join(" "));
    let script = script.clone();
    Box::new(move || script.borrow_mut().ask(&line))
}
