//! SHA-256 of files, and of the text of values.

use std::fmt::{Debug, Write};

use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes).as_slice())
}

/// Hash of the values' `Debug` text, every number in it to the last digit.
pub fn hash_of_all<'v>(values: impl IntoIterator<Item = &'v dyn Debug>) -> String {
    struct Hashed(Sha256);
    impl Write for Hashed {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.update(text);
            Ok(())
        }
    }
    let mut hashed = Hashed(Sha256::new());
    for value in values {
        // It does not fail.
        let _ = writeln!(hashed, "{value:?}");
    }
    hexadecimal(hashed.0.finalize().as_slice())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
