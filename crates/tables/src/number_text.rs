//! Text of a number: the shortest that reads back the same.

use std::io::Write;

/// Appends a number as `{:?}` writes it, which from 1e-5 to 1e-4 has an exponent where `zmij` has zeros, and from 1e16 on
/// no sign in it. Of two texts that are as short and as near, each takes its own, from 1e11 on.
#[inline(always)]
pub(crate) fn push_number(out: &mut Vec<u8>, number: f64) {
    let size = number.abs();
    if size < 1e16 && !(1e-5..1e-4).contains(&size) {
        out.extend_from_slice(zmij::Buffer::new().format_finite(number + 0.0).as_bytes());
    } else {
        let _ = write!(out, "{:?}", number + 0.0);
    }
}

/// The shortest text that reads back as the same number.
pub fn number_text(number: f64) -> String {
    let mut out = Vec::new();
    push_number(&mut out, number);
    String::from_utf8(out).unwrap_or_default()
}
