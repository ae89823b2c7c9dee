//! Any bytes as a file: the first says of which kind.
#![no_main]

#[path = "../../crates/kugelbahn-cli/tests/cli/entry.rs"]
#[allow(dead_code, reason = "each target uses one of these functions")]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((kind, rest)) = bytes.split_first() {
        let reader = entry::READERS[usize::from(*kind) % entry::READERS.len()];
        entry::file(reader, rest, &std::env::temp_dir());
    }
});
