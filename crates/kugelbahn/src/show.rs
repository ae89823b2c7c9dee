//! `kugelbahn curves`

/// Placeholder until written below.
pub fn nothing() {}
