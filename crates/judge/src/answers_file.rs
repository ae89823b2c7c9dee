//! Reading of a program's answers: `about.toml` and `answers.csv`.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use scenario::input::{Cells, Separator, Source, open_plain, read_plain};

use crate::error::{Complaint, JudgeError};
use crate::suite::{AnswerSlot, EventSeries, Suite};

/// Limits: bytes of `answers.csv`, its lines, and bytes of a line.
const BYTES: u64 = 512 << 20;
const LINES: u64 = 12_000_000;
const LONGEST: u64 = 4096;
/// Limits: settings in a file, places of a path, and invented events of a kind that are drawn.
const SETTINGS: usize = 64;
pub(crate) const PLACES: usize = 500;
const DRAWN: usize = 100;
/// Number of complaints kept, and of broken lines after which reading ends.
const TOLD: usize = 10;
pub(crate) const BROKEN: u64 = 10_000;

/// The answer for one number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Answer {
    /// No line in the file.
    #[default]
    Missing,
    /// Marked as not applicable.
    NotApplicable,
    /// The number, which may be NaN.
    Given(f64),
}

impl Answer {
    /// The number, if one is given.
    pub fn number(self) -> Option<f64> {
        if let Answer::Given(number) = self { Some(number) } else { None }
    }
}

/// The answers for a series of events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// `None`: no line; `false`: not applicable.
    pub given: Option<bool>,
    /// Whether the answer is that there are no events.
    pub none: bool,
    /// Nearest answered time for each event, s.
    pub times: Vec<Option<f64>>,
    /// Number of answered events that do not exist.
    pub invented: u64,
    /// Number of invented events given twice with the same time.
    pub doubled: u64,
    /// Times (s) of the first invented events.
    pub strays: Vec<f64>,
    /// Number of events whose time is NaN.
    pub undefined: u64,
    /// Number of events later than asked for.
    pub late: u64,
}

/// The answers of one setting to a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerSheet {
    /// Index of the task.
    pub task: usize,
    /// Name of the setting.
    pub setting: String,
    /// Answers for each series of events.
    pub series: Vec<Heard>,
    /// Answers for each number.
    pub values: Vec<Answer>,
    /// Number of force evaluations, as counted by the program.
    pub evaluations: Option<f64>,
    /// Time, s.
    pub seconds: Option<f64>,
    /// Times (s) and heights (m), only for drawings.
    pub path: Vec<(f64, f64)>,
    /// Why the run failed, if it did.
    pub failure: Option<String>,
    /// Whether everything without a line is marked as not applicable.
    rest_is_not_applicable: bool,
}

/// The program that gave the answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Name of the program.
    pub name: String,
    /// Version that ran.
    pub version: String,
    /// Machine on which it was timed.
    pub machine: String,
}

/// Reads `about.toml`.
pub fn read_about(text: &str) -> Result<About, JudgeError> {
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| JudgeError::About(error.to_string().trim().to_owned()))?;
    let mut about = About::default();
    for (key, value) in &table {
        let word = value.as_str().ok_or_else(|| JudgeError::About(format!("{key} is no string")))?;
        let kept = match key.as_str() {
            "name" => &mut about.name,
            "version" => &mut about.version,
            "machine" => &mut about.machine,
            "method" | "authors" | "url" | "notes" => continue,
            _ => return Err(JudgeError::About(format!("there is no key {key}"))),
        };
        if word.contains(char::is_control) {
            return Err(JudgeError::About(format!("{key} is more than a line of text")));
        }
        word.trim().clone_into(kept);
    }
    if about.name.is_empty() { Err(JudgeError::About("name is missing".to_owned())) } else { Ok(about) }
}

/// Reads `about.toml` and `answers.csv` of a folder.
pub fn read_entry(suite: &Suite, folder: &Path) -> Result<(About, Vec<AnswerSheet>), JudgeError> {
    let [about, answers] = ["about.toml", "answers.csv"].map(|name| folder.join(name));
    let about = read_about(&read_text(&about, 1 << 20)?)?;
    let opened = open_plain(&answers, BYTES).map_err(|error| JudgeError::File { path: answers, error })?;
    Ok((about, read_sheets(suite, BufReader::with_capacity(1 << 20, opened))?))
}

/// Reads a text file of at most `most` bytes.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, JudgeError> {
    let read = read_plain(path, most).and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other));
    read.map_err(|error| JudgeError::File { path: path.to_owned(), error })
}

/// Fault of a line, and its cure.
type Fault = (String, &'static str);

fn fault<T>(message: impl Into<String>, help: &'static str) -> Result<T, Fault> {
    Err((message.into(), help))
}

/// Columns of the header.
struct HeaderColumns<'a> {
    cells: Cells<'a>,
    places: [usize; 5],
    /// Number of all columns, including those that are not read.
    count: usize,
}

const NAMES: [&str; 5] = ["case", "setting", "quantity", "index", "value"];
const HEADER: &str = "begin with the line case,setting,quantity,index,value";
const PROBLEM: &str = "see problem.md of the case";
/// The quantity that is never negative.
const DEPTH: &str = "deepest";

impl<'a> HeaderColumns<'a> {
    fn of(header: &str, source: &'a Source) -> Result<Self, Fault> {
        let separator = [';', '\t', ','].into_iter().find(|separator| header.contains(*separator)).unwrap_or(',');
        let cells = Cells { source, separator: Separator::Character(separator) };
        let mut places = [0; 5];
        for (place, name) in places.iter_mut().zip(NAMES) {
            let is = |(_, word): &(usize, &str)| word.to_lowercase() == name;
            let found: Vec<usize> = cells.of(header).enumerate().filter(|(_, cell)| is(cell)).map(|(i, _)| i).collect();
            *place = match found[..] {
                [place] => place,
                [] => return fault(format!("there is no column {name}"), HEADER),
                _ => return fault(format!("there are two columns {name}"), HEADER),
            };
        }
        let count = cells.of(header).count() + usize::from(cells.is_open(header));
        Ok(HeaderColumns { cells, places, count })
    }

    /// The five fields of a line.
    fn split<'l>(&'l self, line: &'l str) -> Result<[&'l str; 5], Fault> {
        let (mut fields, commas) = ([""; 5], self.cells.separator == Separator::Character(','));
        let mut count = 0;
        for (place, (_, field)) in self.cells.of(line).enumerate() {
            count = place + 1;
            if let Some(here) = self.places.iter().position(|wanted| *wanted == place) {
                fields[here] = field;
            } else if commas && place < self.count && field.parse::<f64>().is_ok() {
                let cure = "write decimal points, and columns of other numbers between semicolons or not at all";
                return fault(format!("{field} in a column that is not read may be digits after a comma"), cure);
            }
        }
        // A trailing separator ends an empty field; a field beyond the last column is ignored.
        let open = usize::from(self.cells.is_open(line));
        let needed = self.places.iter().max().map_or(0, |place| place + 1);
        if count + open < needed || count > self.count {
            let cure = "write all columns of the header, empty ones too, and commas only between fields";
            return fault(format!("it has {count} of {} fields", self.count), cure);
        }
        Ok(fields)
    }
}

/// Content of the column of values.
enum ValueCell {
    NotApplicable,
    None,
    Number(f64),
}

impl ValueCell {
    fn read(text: &str, decimal_comma: bool) -> Result<Self, Fault> {
        if let Ok(number) = text.parse() {
            return Ok(ValueCell::Number(number));
        }
        let lower = text.to_lowercase();
        match lower.as_str() {
            "" => return fault("there is no value", "write a number, not applicable, or none for no event"),
            "not applicable" | "n/a" => return Ok(ValueCell::NotApplicable),
            "none" => return Ok(ValueCell::None),
            _ => {}
        }
        // Fortran's exponent, commas as decimal points, what C libraries print for no number.
        let mut usual = lower.replacen('d', "e", 1);
        if decimal_comma {
            usual = usual.replacen(',', ".", 1);
        }
        let undefined =
            ["nan(", "1.#", "1,#"].iter().any(|start| lower.trim_start_matches(['-', '+']).starts_with(start));
        match usual.parse() {
            Ok(number) => Ok(ValueCell::Number(number)),
            Err(_) if undefined => Ok(ValueCell::Number(f64::NAN)),
            Err(_) => fault(format!("{text:?} is no number"), "write 1.5 or 1.5e-3, without units and thousands"),
        }
    }
}

/// Reader of a file of answers, with the sheets so far.
struct AnswerReader<'a> {
    suite: &'a Suite,
    tasks: HashMap<&'a str, usize>,
    settings: HashMap<String, usize>,
    places: HashMap<(usize, usize), usize>,
    sheets: Vec<AnswerSheet>,
    /// Case and setting of the line before, and its sheet.
    last: (String, String, usize),
}

/// Reads `answers.csv`: sheets in the order of cases and settings. Broken lines are an error, of which the first ten
/// are kept; memory does not grow with the file.
pub fn read_sheets(suite: &Suite, mut reader: impl BufRead) -> Result<Vec<AnswerSheet>, JudgeError> {
    let tasks = suite.tasks.iter().enumerate().map(|(place, task)| (task.name.as_str(), place)).collect();
    let mut reading = AnswerReader {
        suite,
        tasks,
        settings: HashMap::new(),
        places: HashMap::new(),
        sheets: Vec::new(),
        last: Default::default(),
    };
    let source = Source::new("answers.csv", String::new());
    let (mut columns, mut complaints, mut count) = (None, Vec::new(), 0);
    let (mut bytes, mut line) = (Vec::new(), 0);
    let failed = |error| JudgeError::File { path: "answers.csv".into(), error };
    loop {
        bytes.clear();
        if reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
            break;
        }
        line += 1;
        let mut done = if line > LINES {
            fault(format!("there are more than {LINES} lines"), "give the answers to fewer settings")
        } else if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
            reader.skip_until(b'\n').map_err(failed)?;
            fault(format!("it is longer than {LONGEST} bytes"), "end lines with LF, and give a setting a short name")
        } else {
            // Concatenated files may have byte-order marks inside.
            match std::str::from_utf8(&bytes).map(|text| text.trim_start_matches('\u{feff}')) {
                Ok(text) if text.trim().is_empty() || text.starts_with('#') => continue,
                Ok(text) => match &columns {
                    None => HeaderColumns::of(text, &source).map(|found| columns = Some(found)),
                    Some(columns) => reading.take(columns, text),
                },
                Err(_) => fault("it is not UTF-8", "save the file as UTF-8, not as UTF-16 or Latin-1"),
            }
        };
        if let Err((message, help)) = &mut done {
            count += 1;
            if bytes.trim_ascii_end().contains(&b'\r') {
                *help = "end lines with LF or CR LF, not with CR";
            }
            if complaints.len() < TOLD {
                complaints.push(Complaint { line, message: std::mem::take(message), help });
            }
            if columns.is_none() || line > LINES || count == BROKEN {
                break;
            }
        }
    }
    if columns.is_none() && count == 0 {
        (complaints, count) = (vec![Complaint { line: 1, message: "the file is empty".to_owned(), help: HEADER }], 1);
    }
    if count > 0 {
        return Err(JudgeError::Broken { complaints, count });
    }
    for sheet in reading.sheets.iter_mut().filter(|sheet| sheet.rest_is_not_applicable) {
        sheet.series.iter_mut().for_each(|heard| heard.given = heard.given.or(Some(false)));
        let missing = sheet.values.iter_mut().filter(|value| **value == Answer::Missing);
        missing.for_each(|value| *value = Answer::NotApplicable);
    }
    reading.sheets.sort_by(|a, b| (a.task, &a.setting).cmp(&(b.task, &b.setting)));
    Ok(reading.sheets)
}

impl AnswerReader<'_> {
    fn take(&mut self, columns: &HeaderColumns, line: &str) -> Result<(), Fault> {
        let [case, setting, quantity, index, value] = columns.split(line)?;
        let same = !self.sheets.is_empty() && (case, setting) == (&*self.last.0, &*self.last.1);
        let place = if same { self.last.2 } else { self.sheet(case, setting)? };
        let sheet = &mut self.sheets[place];
        let task = &self.suite.tasks[sheet.task];
        let decimal_comma = columns.cells.separator != Separator::Character(',');
        if let ("all", Some(reason)) = (quantity, value.strip_prefix("fails:")) {
            sheet.failure = Some(reason.trim().to_owned());
            return Ok(());
        }
        let value = ValueCell::read(value, decimal_comma)?;
        match (quantity, task.slots.get(quantity)) {
            ("evaluations", _) => cost(&mut sheet.evaluations, value),
            ("seconds", _) => cost(&mut sheet.seconds, value),
            ("path", _) => match (ValueCell::read(index, decimal_comma)?, value) {
                _ if sheet.path.len() == PLACES => {
                    fault(format!("it is one place of a path more than {PLACES}"), "tell fewer places of it")
                }
                (ValueCell::Number(time), ValueCell::Number(height)) => {
                    sheet.path.push((time, height));
                    Ok(())
                }
                _ => fault("it is no place of a path", "write the time (s) as index and the height (m) as value"),
            },
            ("all", _) => {
                let ValueCell::NotApplicable = value else {
                    return fault("all has a value", "write not applicable, or fails: and the reason");
                };
                sheet.rest_is_not_applicable = true;
                Ok(())
            }
            (_, Some(AnswerSlot::Series(at))) => sheet.series[*at].hear(&task.series[*at], value),
            (_, Some(AnswerSlot::Exact(places))) => {
                // A quantity that is asked for once needs no index.
                let only = places.values().next().filter(|_| places.len() == 1 && matches!(index, "" | "0" | "1"));
                let number =
                    index.parse().ok().filter(|number: &f64| number.fract() == 0.0 && (0.0..1e9).contains(number));
                let found = only.or_else(|| places.get(&(number? as u32)));
                if let (DEPTH, ValueCell::Number(..0.0)) = (quantity, &value) {
                    return fault("a depth below 0 is none", "write how deep the ball goes into the ground: 0 or more");
                }
                let at = *found
                    .ok_or_else(|| (format!("{quantity} has no index {index:?} in case {}", task.name), PROBLEM))?;
                put(&mut sheet.values[at], value)
            }
            (_, None) => {
                let asked = task.quantities().join(", ");
                fault(format!("case {} asks for no {quantity:?}, but for {asked}", task.name), PROBLEM)
            }
        }
    }

    /// Index of the sheet of a case and setting.
    fn sheet(&mut self, case: &str, setting: &str) -> Result<usize, Fault> {
        let name = case.to_lowercase();
        let Some(&task) = self.tasks.get(name.trim_start_matches('0')) else {
            let help = "cases are 1 to 20, with a letter where problem.md has one";
            return fault(format!("there is no case {case:?}"), help);
        };
        let count = self.settings.len();
        let setting_place = match self.settings.get(setting) {
            Some(place) => *place,
            None if count == SETTINGS => {
                return fault(format!("{setting:?} is one setting more than {SETTINGS}"), "give fewer settings a file");
            }
            None => *self.settings.entry(setting.to_owned()).or_insert(count),
        };
        let sheets = &mut self.sheets;
        let place = *self.places.entry((task, setting_place)).or_insert_with(|| {
            let of = &self.suite.tasks[task];
            let unheard = |series: &EventSeries| Heard { times: vec![None; series.times.len()], ..Heard::default() };
            let (series, values) = (of.series.iter().map(unheard).collect(), vec![Answer::Missing; of.exact.len()]);
            let setting = setting.to_owned();
            sheets.push(AnswerSheet { task, setting, series, values, ..AnswerSheet::default() });
            sheets.len() - 1
        });
        self.last = (case.to_owned(), setting.to_owned(), place);
        Ok(place)
    }
}

/// Stores a cost.
fn cost(kept: &mut Option<f64>, value: ValueCell) -> Result<(), Fault> {
    if let ValueCell::Number(number) = value
        && !(number >= 0.0 && number.is_finite())
    {
        return fault(format!("{number:?} is no cost"), "give a finite number, 0 or more");
    }
    let mut answer = kept.map_or(Answer::Missing, Answer::Given);
    put(&mut answer, value)?;
    *kept = answer.number();
    Ok(())
}

/// Stores an answer; repeating it is allowed if it is the same.
fn put(kept: &mut Answer, value: ValueCell) -> Result<(), Fault> {
    let answer = match value {
        ValueCell::Number(number) => Answer::Given(number),
        ValueCell::NotApplicable => Answer::NotApplicable,
        ValueCell::None => return fault("none is for events", "write not applicable"),
    };
    let same = match (*kept, answer) {
        (Answer::Given(old), Answer::Given(new)) => old == new || old.is_nan() && new.is_nan(),
        (old, new) => old == Answer::Missing || old == new,
    };
    if !same {
        return fault("it is told twice, differently", "give runs that differ a setting each");
    }
    *kept = answer;
    Ok(())
}

impl Heard {
    /// Assigns an answered event to the exact one paired with it; of several the nearest counts, others are invented.
    fn hear(&mut self, series: &EventSeries, value: ValueCell) -> Result<(), Fault> {
        let told =
            |given| fault(format!("{} {given}", series.quantity), "write that once, without events of that kind");
        match (value, self.given) {
            (ValueCell::NotApplicable, Some(true)) => return told("is told and not applicable"),
            (ValueCell::NotApplicable, _) => self.given = Some(false),
            (_, Some(false)) => return told("is not applicable and told"),
            (ValueCell::None, Some(true)) if !self.none => return told("is told, and none of it"),
            (ValueCell::None, _) => (self.given, self.none) = (Some(true), true),
            (ValueCell::Number(_), _) if self.none => return told("is told, and none of it"),
            (ValueCell::Number(time), _) => {
                self.given = Some(true);
                if !time.is_finite() {
                    self.undefined += 1;
                } else if time <= series.until {
                    self.pair(series, time);
                } else {
                    self.late += 1;
                }
            }
        }
        Ok(())
    }

    fn pair(&mut self, series: &EventSeries, time: f64) {
        let Some(at) = series.pair(time) else { return self.stray(time) };
        let exact = series.times[at];
        let Some(old) = self.times[at].replace(time) else { return };
        self.doubled += u64::from(old == time);
        let (near, far) = if (old - exact).abs() <= (time - exact).abs() { (old, time) } else { (time, old) };
        self.times[at] = Some(near);
        self.stray(far);
    }

    fn stray(&mut self, time: f64) {
        self.invented += 1;
        if self.strays.len() < DRAWN {
            self.strays.push(time);
        }
    }
}
