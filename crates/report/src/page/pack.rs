//! [`Pack`]: a JSON document with arrays of numbers as bytes; [`letters`] compresses and encodes them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use super::chebyshev::Pieces;

/// Compression level: 6 would take 1.7 times the instructions and save 0.4 %.
const LEVEL: u8 = 4;

/// Arrays, one after the other; the document's `arrays` gives their positions.
#[derive(Default)]
pub(super) struct Pack {
    /// Prefix of the arrays' names: their owner.
    pub owner: String,
    bytes: Vec<u8>,
    entries: Map<String, Value>,
}

impl Pack {
    pub fn bytes(&mut self, name: &str, values: &[u8]) {
        self.put(name, json!("u8"), values.len(), values.iter().copied());
    }

    /// Adds words, as indices in the list of different ones.
    pub fn words(&mut self, name: &str, words: impl Iterator<Item = &'static str>) {
        let mut list: Vec<&str> = Vec::new();
        let mut index = |word| {
            let known = list.iter().position(|other| *other == word);
            known.unwrap_or_else(|| {
                list.push(word);
                list.len() - 1
            }) as u8
        };
        let indices: Vec<u8> = words.map(&mut index).collect();
        self.put(name, json!(list), indices.len(), indices.into_iter());
    }

    /// Adds numbers: the first bytes of all, then the second ones, and so on, which compresses better.
    pub fn doubles(&mut self, name: &str, values: &[f64]) {
        let bytes = (0..8).flat_map(|i| values.iter().map(move |value| value.to_le_bytes()[i]));
        self.put(name, json!("f64"), values.len(), bytes);
    }

    /// Adds single-precision numbers, ordered like [`doubles`](Self::doubles).
    pub fn singles(&mut self, name: &str, values: &[f32]) {
        let bytes = (0..4).flat_map(|i| values.iter().map(move |value| value.to_le_bytes()[i]));
        self.put(name, json!("f32"), values.len(), bytes);
    }

    /// Adds polynomial pieces.
    pub fn pieces<const K: usize>(&mut self, name: &str, pieces: &Pieces<K>) {
        self.doubles(&format!("{name}.spans"), pieces.spans.as_flattened());
        self.bytes(&format!("{name}.lengths"), &pieces.lengths);
        self.doubles(&format!("{name}.coefficients"), &pieces.coefficients);
    }

    fn put(&mut self, name: &str, kind: Value, count: usize, bytes: impl Iterator<Item = u8>) {
        self.entries.insert(format!("{}{name}", self.owner), json!([kind, self.bytes.len(), count]));
        self.bytes.extend(bytes);
    }

    /// All bytes: length of the document (4 bytes), document in UTF-8, arrays.
    pub fn whole(self, mut document: Value) -> Vec<u8> {
        document["arrays"] = Value::Object(self.entries);
        let text = document.to_string();
        let mut all = Vec::with_capacity(4 + text.len() + self.bytes.len());
        all.extend((text.len() as u32).to_le_bytes());
        all.extend(text.as_bytes());
        all.extend(&self.bytes);
        all
    }
}

/// Deflates bytes and encodes them in base64.
pub(super) fn letters(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(bytes, LEVEL))
}
