//! Any text as a curve.
#![no_main]

#[path = "../../crates/kugelbahn-cli/tests/cli/entry.rs"]
#[allow(dead_code, reason = "each target uses one of both functions")]
mod entry;

use std::path::Path;

libfuzzer_sys::fuzz_target!(|text: &str| {
    entry::curve(text, Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../curves")));
});
