//! Bad input: where it is, what it is, what was expected, and what to do.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// The name of settings as a source.
pub const SETTING: &str = "--set";

/// A text that input came from: a file, or an option of the command line.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

/// Bytes of a text that are shown, at most: a drawing may be one line of megabytes, and a cell or a name, too.
const SHOWN: usize = 1000;

/// A text of which no more than that is shown: its beginning and its end.
fn shown(text: impl Into<String>) -> String {
    let text = text.into();
    if text.len() <= SHOWN {
        return text;
    }
    let [first, last] = [SHOWN / 2, text.len() - SHOWN / 4].map(|at| text.floor_char_boundary(at));
    format!("{} … {}", &text[..first], &text[last..])
}

impl Source {
    /// `name` is shown in messages.
    pub fn new(name: impl AsRef<str>, text: String) -> Self {
        Source { name: name.as_ref().into(), text: text.into() }
    }
    /// Text of the whole source.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl SourceCode for Source {
    /// The lines of a place and those beside it; of long ones what is next to it.
    fn read_span<'a>(
        &'a self,
        place: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let lines = self.text.read_span(place, before, after)?;
        let (mut from, mut to) = (lines.span().offset(), lines.span().offset() + lines.span().len());
        let mut line = lines.line();
        if to - from > SHOWN {
            let (length, begin) = (place.len().min(SHOWN), from);
            let beside = (SHOWN - length) / 2;
            from = from.max(self.text.floor_char_boundary(place.offset().saturating_sub(beside)));
            to = to.min(self.text.floor_char_boundary(place.offset() + length + beside));
            line += self.text[begin..from].matches('\n').count();
        }
        let shown = &self.text.as_bytes()[from..to];
        let name = self.name().to_owned();
        let span = (from, to - from).into();
        Ok(Box::new(MietteSpanContents::new_named(name, shown, span, line, lines.column(), lines.line_count())))
    }
}

/// A place in a [`Source`].
#[derive(Clone, Debug)]
pub struct Span {
    /// Text that the bytes are of.
    pub source: Source,
    /// Bytes of the span.
    pub range: Range<usize>,
}

impl Span {
    /// Whether it is in a `--set` option, which takes the place of what the file says.
    pub(crate) fn is_setting(&self) -> bool {
        self.source.name() == SETTING
    }
}

/// Bad input. Shown by miette with file, line, column and a mark under the text; `Debug` tells the same in three lines.
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
    /// `message` says what is wrong, `label` (under the mark) what was expected.
    pub fn new(span: &Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        InputError {
            message: shown(message),
            label: shown(label),
            help: None,
            span: Some(Box::new(span.clone())),
            code: None,
        }
    }
    /// About something that is no text: a missing file.
    pub fn without_place(message: impl Into<String>) -> Self {
        InputError { message: shown(message), label: String::new(), help: None, span: None, code: None }
    }
    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shown(help));
        self
    }
    /// Puts words before the message.
    pub fn after(mut self, words: &str) -> Self {
        self.message.insert_str(0, words);
        self
    }
    /// Adds the name of its kind, for reading by machine.
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }
    /// Place of the error, if it has one.
    pub fn span(&self) -> Option<&Span> {
        self.span.as_deref()
    }
    /// Cure, if there is one.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
    /// Text at the place, such as the value expected.
    pub fn label_text(&self) -> &str {
        &self.label
    }
}

impl fmt::Debug for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(Span { source, range }) = self.span.as_deref() {
            let (before, after) = source.text.split_at(source.text.floor_char_boundary(range.start));
            let from = before.rfind('\n').map_or(0, |at| at + 1);
            let (row, column) = (before.matches('\n').count() + 1, before[from..].chars().count() + 1);
            let line = format!("{}{}", &before[from..], after.lines().next().unwrap_or_default());
            write!(f, "\n  at {}:{row}:{column}: {}\n  {row} | {}", source.name, self.label, shown(line))?;
        }
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
    }
}

impl Diagnostic for InputError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.map(|code| Box::new(code) as Box<dyn fmt::Display>)
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

/// The known name closest to a misspelt one, if it is close.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let alike = |other: &str| strsim::jaro_winkler(&name, &other.to_lowercase());
    // By slips of the finger, swapped letters being one; alike beginnings decide between equals.
    let slips = |other: &str| strsim::damerau_levenshtein(&name, &other.to_lowercase());
    let close = known.into_iter().filter(|other| alike(other) > 0.75 || (name.len() > 2 && slips(other) == 1));
    close.min_by(|a, b| slips(a).cmp(&slips(b)).then(alike(b).total_cmp(&alike(a))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell of megabytes is told by its beginning and its end, between characters.
    #[test]
    fn long_texts_are_told_in_short() {
        let text = format!("row 3: `{}` is no number", "µ".repeat(1_000_000));
        let told = InputError::without_place(text).with_help("ß".repeat(5000));
        let message = told.to_string();
        assert!(message.len() <= SHOWN && message.starts_with("row 3: `µµ") && message.ends_with("µµ` is no number"));
        assert!(told.help_text().is_some_and(|help| help.len() <= SHOWN && help.contains(" … ")));
        assert_eq!(InputError::without_place("x").to_string(), "x");
    }
}
