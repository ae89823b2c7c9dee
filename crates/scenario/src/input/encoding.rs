//! Reads text tables in any encoding, with typographic minus signs and blanks; refuses spreadsheets, binary data, XML.

use std::path::Path;

use super::builtin::builtin_text;
use super::files_and_toml_tree::{Files, bytes_of, complain, source_of};
use super::{InputError, Source, Span};

/// Text of a table, with notes on its encoding.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub source: Source,
    /// Note on the encoding if it is not UTF-8.
    pub notes: Vec<String>,
}

impl From<Source> for Text {
    fn from(source: Source) -> Self {
        Text { source, notes: Vec::new() }
    }
}

/// First bytes of spreadsheets: zip archives (PKWARE, *APPNOTE.TXT*, §4.3), compound files (Microsoft, *MS-CFB*, §2.2).
const SPREADSHEETS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"];

/// Reads a text table in UTF-8 or another encoding.
pub fn read_table(path: &Path, from: Option<&Span>, files: Files) -> Result<Text, InputError> {
    let name = path.display().to_string();
    if let Some(text) = builtin_text(path) {
        return Ok(Source::new(name, text.to_owned()).into());
    }
    let bytes = bytes_of(path, "table", from, files)?;
    if SPREADSHEETS.iter().any(|first| bytes.starts_with(first)) {
        let message = format!("{name} is a spreadsheet or another archive, not a table");
        let help = "save the sheet as CSV (UTF-8), or unpack the archive and give the table in it";
        return Err(complain(from, message, help));
    }
    let Some(Decoded { text, encoding }) = decode(bytes) else {
        let message = format!("{name} is binary, not text");
        return Err(complain(from, message, &format!("export it from its program as text: a {}", files.kind)));
    };
    if text.trim_start().trim_start_matches('\u{feff}').starts_with('<') {
        let message = format!("{name} is XML, not a table");
        return Err(complain(from, message, "export the table from its program as text or CSV"));
    }
    let notes = encoding.map(|encoding| format!("{name} is not UTF-8; it is read as {encoding}")).into_iter().collect();
    Ok(Text { source: source_of(path, text, from), notes })
}

/// A decoded text, and its encoding if that is not UTF-8.
struct Decoded {
    pub text: String,
    pub encoding: Option<&'static str>,
}

/// Minus signs beside `-`: U+2212 minus, U+2010 to U+2013 hyphens and dashes, U+FE63 and U+FF0D small and full width.
const MINUS: [char; 7] = ['\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{fe63}', '\u{ff0d}'];

/// Decodes UTF-16 with a byte order mark, UTF-8, and else Latin-1, in which every byte is a letter. `None`: binary
/// data, with zero bytes or incomplete characters.
fn decode(bytes: Vec<u8>) -> Option<Decoded> {
    let wide = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map_or(0xd800, of));
        char::decode_utf16(units).collect::<Result<String, _>>().ok()
    };
    let (text, encoding) = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => (wide(rest, u16::from_le_bytes)?, Some("UTF-16")),
        [0xfe, 0xff, rest @ ..] => (wide(rest, u16::from_be_bytes)?, Some("UTF-16")),
        _ => match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (error.as_bytes().iter().map(|byte| char::from(*byte)).collect(), Some("Latin-1")),
        },
    };
    if text.contains('\0') {
        return None;
    }
    Some(Decoded { text: if text.is_ascii() { text } else { plain_signs(&text) }, encoding })
}

/// Replaces every kind of minus by `-`, and every kind of blank by a space.
fn plain_signs(text: &str) -> String {
    let plain = |c: char| match c {
        c if MINUS.contains(&c) => '-',
        c if c.is_whitespace() && !c.is_ascii() => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}
