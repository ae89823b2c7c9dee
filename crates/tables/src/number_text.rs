//! Text of a number: the shortest that reads back the same.

use std::io::Write;

/// Appends a number as `{:?}` writes it: `zmij` is faster, but differs from 1e-5 to 1e-4, where `{:?}` has an exponent,
/// and from 1e16 on, where it has no sign in it. Between two texts equally short and near, from 1e11 on, both may
/// choose differently.
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
