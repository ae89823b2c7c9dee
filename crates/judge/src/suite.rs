//! Cases and their exact answers.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use scenario::input::paths_in;

use crate::answers_file::read_text;
use crate::error::JudgeError;

/// Largest size of all files of a suite, bytes.
const BYTES: u64 = 4 << 20;

/// Files of the suite by their paths in `suite/cases`.
const CASES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// Kind of a number, by which it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Place, velocity or spin at a time.
    State,
    /// State after bounces have accumulated.
    After,
    /// Normal force λ or friction force f at a time.
    Force,
    /// Another number, by its relative error.
    Number,
    /// A number that is best at 0: penetration, unexplained energy.
    Least,
    /// A number that must not be exceeded.
    Most,
}

/// An exact number.
#[derive(Clone, Debug)]
pub struct ExactNumber {
    /// Name, such as `vx`.
    pub quantity: String,
    /// Number of the time or event, from 1; 0 for none.
    pub index: u32,
    /// Exact value, SI units.
    pub value: f64,
    /// Kind of the number.
    pub kind: Judged,
    /// Condition number: its change for a change of 1 in the start state.
    pub condition: f64,
    /// Size that errors are relative to: that of the value, or if it is 0, of the largest value of its quantity.
    pub size: f64,
}

/// All events of a kind up to a time.
#[derive(Clone, Debug, Default)]
pub struct EventSeries {
    /// Name, such as `impact`.
    pub quantity: String,
    /// Times, s.
    pub times: Vec<f64>,
    /// Condition number of each: its change for a change of 1 in the start state.
    pub conditions: Vec<f64>,
    /// Events after this time (s) are not judged.
    pub until: f64,
}

impl EventSeries {
    /// Index of the event that an answer at `time` (s) is paired with: nearer to it than a tenth of the time to its
    /// nearest neighbour.
    pub fn pair(&self, time: f64) -> Option<usize> {
        let after = self.times.partition_point(|exact| *exact < time);
        let nearest = match (after.checked_sub(1), self.times.get(after)) {
            (Some(before), Some(next)) if time - self.times[before] > next - time => after,
            (Some(before), _) => before,
            (None, Some(_)) => after,
            (None, None) => return None,
        };
        let here = self.times[nearest];
        let before = nearest.checked_sub(1).map(|before| here - self.times[before]);
        // `until` is halfway to the first event not asked for.
        let next = self.times.get(nearest + 1).map_or(2.0 * (self.until - here), |next| next - here);
        (10.0 * (time - here).abs() < before.map_or(next, |before| before.min(next))).then_some(nearest)
    }
}

/// Slot for the answer to a quantity.
#[derive(Clone, Debug)]
pub(crate) enum AnswerSlot {
    /// Index of a series.
    Series(usize),
    /// Indices of exact numbers, by the index in the question.
    Exact(BTreeMap<u32, usize>),
}

/// A case, or one of its lettered parts.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Name, such as `4c`.
    pub name: String,
    /// Series of events asked for.
    pub series: Vec<EventSeries>,
    /// Numbers asked for.
    pub exact: Vec<ExactNumber>,
    /// Times (s) of the states asked for, by index.
    pub times: BTreeMap<u32, f64>,
    /// Radius of the ball, m.
    pub radius: Option<f64>,
    /// Scenario file for Kugelbahn.
    pub scenario: String,
    pub(crate) slots: HashMap<String, AnswerSlot>,
}

/// All cases.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Tasks, in the order of the cases.
    pub tasks: Vec<Task>,
}

impl Suite {
    /// The published cases, which are built in.
    pub fn built_in() -> Result<Self, JudgeError> {
        Suite::of(CASES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())))
    }

    /// Cases that `suite/draw.py` wrote to a folder.
    pub fn read(folder: &Path) -> Result<Self, JudgeError> {
        let list = |path: &Path| paths_in(path).map_err(|error| JudgeError::File { path: path.to_owned(), error });
        let is_case_file = |path: &PathBuf| path.extension().is_some_and(|end| end == "csv" || end == "toml");
        let (mut files, mut left) = (Vec::new(), BYTES);
        for case in list(folder)?.into_iter().filter(|path| path.is_dir()) {
            for path in list(&case)?.into_iter().filter(is_case_file) {
                let text = read_text(&path, left)?;
                left -= text.len() as u64;
                files.push((path.strip_prefix(folder).unwrap_or(&path).display().to_string(), text));
            }
        }
        if files.is_empty() { Err(JudgeError::NoCases(folder.to_owned())) } else { Suite::of(files.into_iter()) }
    }

    /// Finds a case, or its lettered part, with its index.
    pub fn find(&self, name: &str) -> Option<(usize, &Task)> {
        self.tasks.iter().enumerate().find(|(_, task)| task.name == name)
    }

    fn of(files: impl Iterator<Item = (String, String)>) -> Result<Self, JudgeError> {
        let files: BTreeMap<String, String> = files.collect();
        let mut suite = Suite::default();
        for (file, text) in files.iter().filter(|(file, _)| file.ends_with("answers.csv")) {
            for (number, line) in text.lines().enumerate().skip(1) {
                let wrong = || JudgeError::ExactLine { file: file.clone(), line: number + 1, text: line.to_owned() };
                suite.add(line).ok_or_else(wrong)?;
            }
        }
        for task in &mut suite.tasks {
            let number = task.name.trim_end_matches(char::is_alphabetic);
            let letter = &task.name[number.len()..];
            let end = if letter.is_empty() { "scenario.toml".to_owned() } else { format!("scenario-{letter}.toml") };
            let of_case =
                |file: &str| file.split('-').next().is_some_and(|start| start.trim_start_matches('0') == number);
            let found = files.iter().find(|(file, _)| of_case(file) && file.ends_with(&format!("/{end}")));
            task.scenario = found.map(|(_, text)| text.clone()).unwrap_or_default();
            task.fill_slots();
        }
        suite.tasks.sort_by_key(|task| {
            let number = task.name.trim_end_matches(char::is_alphabetic);
            (number.parse::<u32>().unwrap_or(u32::MAX), task.name.clone())
        });
        Ok(suite)
    }

    /// Adds a line of exact answers; `None` if it can't be read.
    fn add(&mut self, line: &str) -> Option<()> {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, quantity, index, value, _within, kind, condition] = fields[..] else { return None };
        if self.tasks.last().is_none_or(|task| task.name != name) {
            self.tasks.push(Task { name: name.to_owned(), ..Task::default() });
        }
        let task = self.tasks.last_mut()?;
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let (value, condition) = (number(value)?, number(condition)?);
        let index = if index.is_empty() { 0 } else { index.parse().ok()? };
        let quantity = quantity.to_owned();
        let kind = match kind {
            "given" if quantity == "radius" => {
                task.radius = Some(value);
                return Some(());
            }
            "given" => {
                task.times.insert(index, value);
                return Some(());
            }
            "event" | "until" => {
                let next = AnswerSlot::Series(task.series.len());
                let AnswerSlot::Series(place) = *task.slots.entry(quantity.clone()).or_insert(next) else {
                    return None;
                };
                if place == task.series.len() {
                    task.series.push(EventSeries { quantity, ..EventSeries::default() });
                }
                let series = &mut task.series[place];
                if series.times.last().is_some_and(|last| *last >= value) {
                    return None;
                } else if kind == "until" {
                    series.until = value;
                } else {
                    series.times.push(value);
                    series.conditions.push(condition);
                }
                return Some(());
            }
            "state" => Judged::State,
            "after" => Judged::After,
            "force" => Judged::Force,
            "number" => Judged::Number,
            "least" => Judged::Least,
            "most" => Judged::Most,
            _ => return None,
        };
        task.exact.push(ExactNumber { quantity, index, value, kind, condition, size: value.abs() });
        Some(())
    }
}

impl Task {
    /// Fills `slots`, and the sizes of exact zeros.
    fn fill_slots(&mut self) {
        for (place, exact) in self.exact.iter().enumerate() {
            let slot = self.slots.entry(exact.quantity.clone()).or_insert_with(|| AnswerSlot::Exact(BTreeMap::new()));
            if let AnswerSlot::Exact(places) = slot {
                places.insert(exact.index, place);
            }
        }
        for place in (0..self.exact.len()).filter(|place| self.exact[*place].value == 0.0).collect::<Vec<_>>() {
            let alike = self.exact.iter().filter(|other| other.quantity == self.exact[place].quantity);
            self.exact[place].size = alike.map(|other| other.value.abs()).fold(f64::MIN_POSITIVE, f64::max);
        }
    }

    /// Number of answers that it asks of any program; unexplained energy is for those with a ledger.
    pub(crate) fn asked(&self) -> usize {
        // A series without events asks for one answer, too: that there are none.
        let events: usize = self.series.iter().map(|series| series.times.len().max(1)).sum();
        events + self.exact.iter().filter(|exact| exact.quantity != "unexplained").count()
    }

    /// Whether it has several balls.
    pub(crate) fn has_several(&self) -> bool {
        self.scenario.contains("[[ball]]")
    }

    /// Whether it is the billiard, which asks for its first integrals (energy, focal distance).
    pub(crate) fn is_billiard(&self) -> bool {
        self.slots.contains_key("focal-distance")
    }

    /// Time (s) of the last question.
    pub(crate) fn end(&self) -> f64 {
        self.times.values().copied().chain(self.series.iter().map(|series| series.until)).fold(0.0, f64::max)
    }

    /// Name of the coordinate drawn over time.
    pub fn drawn_coordinate(&self) -> &'static str {
        if self.slots.contains_key("x") && !self.slots.contains_key("y") { "x" } else { "y" }
    }

    /// Names of all that is asked.
    pub fn quantities(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.slots.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}
