//! Decodes text tables: other encodings than UTF-8, typographic minus signs and blanks.

/// A decoded text, and its encoding if that is not UTF-8.
pub(super) struct Decoded {
    pub text: String,
    pub encoding: Option<&'static str>,
}

/// Minus signs of Unicode beside `-`: U+2212 minus, U+2010 to U+2013 hyphens and dashes, U+FE63 and U+FF0D small and
/// full width.
const MINUS: [char; 7] = ['\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{fe63}', '\u{ff0d}'];

/// Decodes UTF-16 with a byte order mark, UTF-8, and else Latin-1, in which every byte is a letter. `None`: binary
/// data, with zero bytes or incomplete characters.
pub(super) fn decode(bytes: Vec<u8>) -> Option<Decoded> {
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
