//! Splits a text table into lines and cells, and reads their numbers: separators, decimal commas, quotes, thousands.

use super::{Files, InputError, Source, Span};

/// Kind and size limit of text tables: enough for a million rows.
pub const CSV_FILE: Files = Files { kind: "table of numbers (CSV)", max_bytes: 48 << 20 };

/// Names of units and their length in m.
pub const UNITS: [(&str, f64); 9] = [
    ("m", 1.0),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("dm", 1e-1),
    ("km", 1e3),
    ("um", 1e-6),
    ("µm", 1e-6),
    ("in", 0.0254),
    ("ft", 0.3048),
];

/// A line that is not empty, with its position.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Number of the line, from 1.
    pub number: usize,
    /// First byte of the line in the source.
    pub start: usize,
    /// The line without its end.
    pub text: &'a str,
}

/// A text table, with the separator of its cells.
#[derive(Debug)]
pub struct Cells<'a> {
    /// Text of the rows.
    pub source: &'a Source,
    /// Separator between its cells.
    pub separator: Separator,
}

/// Separator between cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Separator {
    /// One character.
    Character(char),
    /// Any number of blanks.
    Blank,
}

/// Maximum number of columns; [`Cells::of`] yields one cell more, so that too many are noticed.
pub const MAX_COLUMNS: usize = 2000;

/// Characters that begin a comment.
const COMMENT: [char; 2] = ['#', '%'];

/// Lines other than empty ones and comments (`#`, `%`).
pub fn lines(source: &Source) -> impl Iterator<Item = Line<'_>> + Clone {
    all(source).filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with(COMMENT))
}

/// Comment lines, without their mark.
pub fn comments(source: &Source) -> impl Iterator<Item = Line<'_>> {
    all(source).filter_map(|line| {
        let text = line.text.trim_start().strip_prefix(COMMENT)?.trim_start_matches(COMMENT);
        (!text.trim().is_empty()).then(|| Line { start: line.start + line.text.len() - text.len(), text, ..line })
    })
}

fn all(source: &Source) -> impl Iterator<Item = Line<'_>> + Clone {
    let mut start = 0;
    // Old Macintosh files end lines with \r only.
    let end = if source.text().contains('\n') { '\n' } else { '\r' };
    let lines = source.text().split(end).enumerate().map(move |(i, text)| {
        let line = Line { number: i + 1, start, text: text.trim_end_matches('\r') };
        start += text.len() + 1;
        line
    });
    // The byte order mark is dropped.
    lines.map(|line| match line.text.strip_prefix('\u{feff}') {
        Some(text) => Line { start: line.start + '\u{feff}'.len_utf8(), text, ..line },
        None => line,
    })
}

/// Whether a line consists of numbers and separators alone.
pub fn is_numeric(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b" \t,;.+-eE\"".contains(&b)) && text.bytes().any(|b| b.is_ascii_digit())
}

/// Whether a comma in a number may separate thousands: `1,234`.
fn may_be_thousands(cell: &str) -> bool {
    let (whole, rest) = cell.trim_start_matches('-').split_once(',').unwrap_or_default();
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    (1..=3).contains(&whole.len()) && !whole.starts_with('0') && rest.len() == 3 && digits(whole) && digits(rest)
}

/// Finds the separator of cells by the first line of numbers, of which some may be times of a clock, as Kinovea writes.
fn separator(source: &Source) -> Separator {
    let numbers = |line: &Line| is_numeric(&line.text.replace(':', ""));
    let sample = lines(source).take(100).find(numbers).or_else(|| lines(source).next());
    let Some(Line { text, .. }) = sample else { return Separator::Blank };
    if let Some(character) = [';', '\t'].into_iter().find(|c| text.contains(*c)) {
        return Separator::Character(character);
    }
    // Blanks separate cells with decimal commas if every part is a number.
    let parts: Vec<&str> = text.split_whitespace().collect();
    let number = |part: &str| part.contains(':') || part.parse::<f64>().is_ok();
    let decimal = |part: &&str| part.matches(',').count() <= 1 && number(&part.replace(',', "."));
    let whole = |part: &&str| !part.starts_with(',') && !part.ends_with(',');
    if !text.contains(',') || (parts.len() > 1 && parts.iter().all(|part| decimal(part) && whole(part))) {
        return Separator::Blank;
    }
    Separator::Character(',')
}

/// The number without separators of thousands. A single comma or point could be decimal, and is kept.
fn in_one(cell: &str, decimal: char) -> Option<String> {
    let (whole, rest) = cell.find(decimal).map_or((cell, ""), |at| cell.split_at(at));
    let between = [if decimal == '.' { ',' } else { '.' }, '\'', '’', ' '].into_iter().find(|c| whole.contains(*c))?;
    let mut groups = whole.split(between);
    let first = groups.next()?.trim_start_matches(['-', '+']);
    let three = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let leads = (1..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_digit());
    let sure = !rest.is_empty() || whole.matches(between).count() > 1 || !matches!(between, ',' | '.');
    (leads && sure && groups.all(three)).then(|| whole.replace(between, "") + rest)
}

impl<'a> Cells<'a> {
    /// Text on why a cell is no finite number, with a cure if possible.
    pub fn no_number(&self, cell: &str, comma: bool) -> String {
        let is_number = |text: &str, comma| Cells::number(text, comma).is_some_and(f64::is_finite);
        let numbers = cell.split_whitespace().filter(|part| is_number(part, comma)).count();
        if numbers > 1 && numbers == cell.split_whitespace().count() {
            let missing = match self.separator {
                Separator::Character('\t') => "a tab".to_owned(),
                Separator::Character(separator) => format!("a `{separator}`"),
                Separator::Blank => "a separator".to_owned(),
            };
            return format!("`{cell}` is {numbers} numbers in one cell: {missing} is missing");
        }
        let [own, other] = if comma { [',', '.'] } else { ['.', ','] };
        if is_number(cell, !comma) && cell.contains(other) {
            let [one, all] = if comma { ["point", "commas"] } else { ["comma", "points"] };
            let instead = cell.replace(other, &own.to_string());
            let thousands = match may_be_thousands(&cell.replace('.', ",")) {
                true => format!(", or {} if it stands between thousands", cell.replace(other, "")),
                false => String::new(),
            };
            return format!("`{cell}` has a decimal {one}, the table {all}: write {instead}{thousands}");
        }
        format!("`{cell}` is no finite number")
    }

    /// Cells of a text, with the separator found in its first line of numbers.
    pub fn new(source: &'a Source) -> Self {
        Cells { source, separator: separator(source) }
    }

    /// Cells of a line (at most one more than [`MAX_COLUMNS`]) with their positions, without quotes and blanks around
    /// them. Separators inside quotes do not count.
    pub fn of(&self, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
        let blank = self.separator == Separator::Blank;
        let split = move |c: char| match self.separator {
            Separator::Character(separator) => c == separator,
            Separator::Blank => c.is_whitespace(),
        };
        let trim = |c: char| c.is_whitespace() || c == '"';
        let (mut at, mut quoted) = (0, false);
        let outside = move |c: char| {
            quoted ^= c == '"';
            !quoted && split(c)
        };
        let cells = text.split_inclusive(outside).map(move |part| {
            let cell = part.trim_start_matches(trim);
            let start = at + part.len() - cell.len();
            at += part.len();
            (start, cell.trim_end_matches(split).trim_end_matches(trim))
        });
        cells.filter(move |(_, cell)| !(blank && cell.is_empty())).take(MAX_COLUMNS + 1)
    }

    /// Number of cells of a line that are not empty.
    pub(crate) fn filled(&self, line: Line<'a>) -> usize {
        self.of(line.text).filter(|(_, cell)| !cell.is_empty()).count()
    }

    /// Whether a line ends with a separator: its last, empty cell is not yielded by [`of`](Self::of).
    pub fn is_open(&self, text: &str) -> bool {
        matches!(self.separator, Separator::Character(c) if text.ends_with(c))
    }

    /// Position in the source of a part of a line.
    pub fn span(&self, line: Line, start: usize, length: usize) -> Span {
        let from = line.start + start;
        self.source.at(from..from + length)
    }

    /// Reads a number; `comma`: with a decimal comma. Thousands may be separated: `1,234.5`, `1'234.5`, `1.234,5`.
    pub fn number(cell: &str, comma: bool) -> Option<f64> {
        let plain = |cell: &str| match comma {
            true if cell.contains('.') => None,
            true => cell.replacen(',', ".", 1).parse::<f64>().ok(),
            false => cell.parse::<f64>().ok(),
        };
        plain(cell).or_else(|| plain(&in_one(cell, if comma { ',' } else { '.' })?))
    }

    /// Whether commas are decimal: they are in quoted numbers; with blanks or semicolons as separators, by the first
    /// cell with both signs, or if more numbers have a comma than a point. Commas that may all separate thousands are
    /// an error.
    pub fn decimal_commas(&self, lines: impl Iterator<Item = Line<'a>> + Clone) -> Result<bool, InputError> {
        // Between commas those of numbers are in quotes.
        let quoted = self.separator == Separator::Character(',');
        let cells = || {
            let some = lines.clone().filter(|line| line.text.contains(if quoted { ['"'; 2] } else { [',', '.'] }));
            some.flat_map(|line| self.of(line.text).map(move |(start, cell)| (line, start, cell)))
        };
        let is_number = |cell: &str, sign: char| cell.contains(sign) && Cells::number(cell, sign == ',').is_some();
        let mut most = 0_i64;
        for (.., cell) in cells() {
            let [comma, point] = [',', '.'].map(|sign| is_number(cell, sign));
            if comma != point && cell.contains(',') && cell.contains('.') {
                return Ok(comma);
            }
            most += i64::from(comma) - i64::from(point && !quoted);
        }
        let mut commas = cells().filter(|(.., cell)| most > 0 && is_number(cell, ','));
        let Some((line, start, cell)) = commas.next() else { return Ok(false) };
        if !may_be_thousands(cell) || !commas.all(|(.., cell)| may_be_thousands(cell)) {
            return Ok(true);
        }
        let message = "commas of numbers may be decimal, or stand between thousands";
        let error =
            InputError::new(&self.span(line, start, cell.len()), message, "every one has three digits behind it");
        Err(error.with_help("write decimal points, or no commas between thousands"))
    }
}
