//! [`InputError`]: a message with position, expectation and cure; texts ([`Source`]) and positions in them ([`Span`]).

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use miette::{Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::printable::{is_control, one_line};

/// Name of settings as a source.
pub const SETTING: &str = "--set";

/// A text of input: a file, or an option of the command line.
#[derive(Clone, Debug)]
pub struct Source(Arc<Named>);

#[derive(Debug)]
struct Named {
    name: String,
    text: String,
    /// The text as messages show it, computed on demand.
    shown: OnceLock<String>,
    /// Folder of the file.
    folder: Option<PathBuf>,
    /// Place that names a file that messages may not quote: they quote this in its stead.
    unquoted: Option<Span>,
}

/// Maximum number of bytes of a text shown in messages: one line of a drawing may have megabytes.
const SHOWN: usize = 1000;

/// The text in one line, or beginning and end of a longer one.
fn shown(text: impl Into<String>) -> String {
    let text = one_line(&text.into());
    if text.len() <= SHOWN {
        return text;
    }
    let [first, last] = [SHOWN / 2, text.len() - SHOWN / 4].map(|at| text.floor_char_boundary(at));
    format!("{} … {}", &text[..first], &text[last..])
}

/// Cure for an error in a file that messages do not quote.
const UNQUOTED: &str = "it is outside the folder of the file that names it, and of the one where the command was given: give the command in a \
     folder around it to see its text";

/// The message without its quotation, from the first quotation mark to the last.
fn without_quotes(text: String) -> String {
    match (text.find(['`', '"']), text.rfind(['`', '"'])) {
        (Some(first), Some(last)) if first < last => format!("{}`…`{}", &text[..first], &text[last + 1..]),
        _ => text,
    }
}

impl Source {
    /// A text; `name` is shown in messages.
    pub fn new(name: impl AsRef<str>, text: String) -> Self {
        let name = one_line(name.as_ref());
        Source(Arc::new(Named { name, text, shown: OnceLock::new(), folder: None, unquoted: None }))
    }
    /// Text of a file; `unquoted`: the place that names it, if messages may not quote it.
    pub(crate) fn of_file(path: &Path, text: String, unquoted: Option<Span>) -> Self {
        let name = one_line(&path.to_string_lossy());
        let folder = Some(path.parent().unwrap_or(Path::new("")).to_owned());
        Source(Arc::new(Named { name, text, shown: OnceLock::new(), folder, unquoted }))
    }
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.0.folder.as_deref()
    }
    /// Whether messages may quote it.
    pub(crate) fn is_quoted(&self) -> bool {
        self.0.unquoted.is_none()
    }
    /// The error of a text; if messages may not quote it, without quotation and without a place in a `--set` option.
    pub fn of(&self, error: InputError) -> InputError {
        if self.is_quoted() {
            return error;
        }
        let (message, help) = (without_quotes(error.message), Some(UNQUOTED.to_owned()));
        let span = error.span.filter(|span| !span.is_setting());
        InputError { message, help, label: "here".to_owned(), span, ..error }
    }
    /// Text of the whole source.
    pub fn text(&self) -> &str {
        &self.0.text
    }
    /// Name of the source.
    pub fn name(&self) -> &str {
        &self.0.name
    }
    /// Position of a slice of the text.
    pub fn part(&self, part: &str) -> Span {
        let all = self.text();
        let from = (part.as_ptr() as usize).saturating_sub(all.as_ptr() as usize).min(all.len());
        self.at(from..(from + part.len()).min(all.len()))
    }
    /// Position of a byte range of the text.
    pub(crate) fn at(&self, range: Range<usize>) -> Span {
        Span { source: self.clone(), range }
    }
}

impl SourceCode for Source {
    /// Lines of a position with neighbouring lines, for messages; long lines are cut.
    fn read_span<'a>(
        &'a self,
        place: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let lines = self.0.text.read_span(place, before, after)?;
        let (mut from, mut to) = (lines.span().offset(), lines.span().offset() + lines.span().len());
        let mut line = lines.line();
        if to - from > SHOWN {
            let (length, begin) = (place.len().min(SHOWN), from);
            let beside = (SHOWN - length) / 2;
            from = from.max(self.text().floor_char_boundary(place.offset().saturating_sub(beside)));
            to = to.min(self.text().floor_char_boundary(place.offset() + length + beside));
            line += self.text()[begin..from].matches('\n').count();
        }
        // Replacements have the same length in bytes, so that marks stay in place.
        let sign = |sign: char| match sign.len_utf8() {
            _ if !is_control(sign) || sign == '\t' => sign,
            1 if sign == '\r' => ' ',
            1 => '?',
            2 => '¿',
            _ => '\u{fffd}',
        };
        let shown = &self.0.shown.get_or_init(|| self.text().chars().map(sign).collect()).as_bytes()[from..to];
        let name = self.name().to_owned();
        let span = (from, to - from).into();
        Ok(Box::new(MietteSpanContents::new_named(name, shown, span, line, lines.column(), lines.line_count())))
    }
}

/// A position in a [`Source`].
#[derive(Clone, Debug)]
pub struct Span {
    /// The text.
    pub source: Source,
    /// Byte range in the text.
    pub range: Range<usize>,
}

/// Row and column of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Row, from 1.
    pub row: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Byte at which the row begins.
    pub from: usize,
}

impl Span {
    /// The whole text of an option.
    pub fn option(name: &str, text: &str) -> Self {
        Source::new(name, text.to_owned()).at(0..text.len())
    }
    /// The place of a name of a file that is relative to a folder.
    pub fn in_folder(folder: &Path) -> Self {
        Source::of_file(&folder.join("it"), String::new(), None).at(0..0)
    }
    /// Position of `length` bytes within it, from its byte `start` on.
    pub(crate) fn part(&self, start: usize, length: usize) -> Span {
        let from = self.range.start + start;
        self.source.at(from..from + length)
    }
    /// Row and column of its beginning.
    pub fn position(&self) -> Position {
        let text = self.source.text();
        let before = &text[..text.floor_char_boundary(self.range.start)];
        let from = before.rfind('\n').map_or(0, |at| at + 1);
        Position { row: before.matches('\n').count() + 1, column: before[from..].chars().count() + 1, from }
    }
    /// Whether it is in a `--set` option, which overrides the file.
    pub(crate) fn is_setting(&self) -> bool {
        self.source.name() == SETTING
    }
}

/// Error of input. Miette shows it with file, line, column and a mark under the text; `Debug` writes it in three lines.
#[derive(Clone, thiserror::Error)]
#[error("{message}")]
pub struct InputError {
    message: String,
    label: String,
    help: Option<String>,
    span: Option<Box<Span>>,
    code: Option<&'static str>,
}

impl InputError {
    /// An error at a position: `message` says what is wrong, `label` (under the mark) what was expected.
    pub fn new(span: &Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        let (source, message) = (&span.source, message.into());
        let Some(named_by) = &source.0.unquoted else {
            let span = Some(Box::new(span.clone()));
            return InputError { label: shown(label), span, ..InputError::without_place(message) };
        };
        let (message, row) = (without_quotes(message), span.position().row);
        let told = format!("{message} ({}, line {row}, which is not quoted)", source.name());
        // What a command names has no place in a file.
        let error = match named_by.range.is_empty() {
            true => InputError::without_place(told),
            false => InputError::new(named_by, told, "names the file"),
        };
        InputError { help: Some(UNQUOTED.to_owned()), ..error }
    }
    /// An error without a position in a text, such as a missing file.
    pub fn without_place(message: impl Into<String>) -> Self {
        InputError { message: shown(message), label: String::new(), help: None, span: None, code: None }
    }
    /// Adds the cure.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        if self.help.as_deref() != Some(UNQUOTED) {
            self.help = Some(shown(help));
        }
        self
    }
    /// Adds the cure, if there is one.
    pub fn with_cure(self, help: Option<String>) -> Self {
        match help {
            Some(help) => self.with_help(help),
            None => self,
        }
    }

    /// Puts words before the message.
    pub fn after(mut self, words: &str) -> Self {
        self.message.insert_str(0, &one_line(words));
        self
    }
    /// Adds the name of its kind, for programs.
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }
    /// Position of the error, if it has one.
    pub fn span(&self) -> Option<&Span> {
        self.span.as_deref()
    }
    /// Cure, if there is one.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
    /// Label at the position, such as the value expected.
    pub fn label_text(&self) -> &str {
        &self.label
    }
}

impl fmt::Debug for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(span) = self.span.as_deref() {
            let Position { row, column, from } = span.position();
            let line = span.source.text()[from..].lines().next().unwrap_or_default();
            write!(f, "\n  at {}:{row}:{column}: {}\n  {row} | {}", span.source.name(), self.label, shown(line))?;
        }
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
    }
}

impl Diagnostic for InputError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.map(|code| Box::new(format!("complaint: {code}")) as Box<dyn fmt::Display>)
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.span.as_ref().map(|span| &span.source as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.as_ref()?;
        let range = span.range.start..span.range.end.min(span.range.start + SHOWN);
        let label = LabeledSpan::new_primary_with_span(Some(self.label.clone()), range);
        Some(Box::new(std::iter::once(label)))
    }
}
