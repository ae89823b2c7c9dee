//! Foreign text for terminals: characters that act on one are escaped.

use std::borrow::Cow;

/// Whether a character acts on a terminal: a control character, or one that changes the writing direction (Unicode,
/// *UAX 9*).
pub(super) fn is_control(sign: char) -> bool {
    let turns = matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || sign.is_control() && sign != '\n'
}

/// The text as [`printable`], with line ends escaped, too: names and keys can't end the line of a message.
pub fn one_line(text: &str) -> String {
    printable(text).replace('\n', "\\n")
}

/// The text with characters that act on a terminal escaped as in JSON, except line ends.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let sign = |sign: char| if is_control(sign) { format!("\\u{:04x}", u32::from(sign)) } else { sign.to_string() };
    Cow::Owned(text.chars().map(sign).collect())
}
