//! Zip archives, sound and not.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// A file of an archive.
pub struct Packed {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// 0: stored, 8: deflated.
    pub method: u16,
    /// Bytes that it says it has, if others than it has.
    pub said: Option<u32>,
}

impl Packed {
    pub fn new(name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Packed { name, bytes: bytes.into(), method: 8, said: None }
    }

    /// What stands before it, and in the list, from the version needed on.
    fn fields(&self, packed: usize) -> Vec<u8> {
        let mut checksum = Crc::new();
        checksum.update(&self.bytes);
        let size = self.said.unwrap_or(u32::try_from(self.bytes.len()).unwrap());
        let shorts = [20, 0, self.method, 0, 0].into_iter().flat_map(u16::to_le_bytes);
        let longs = [checksum.sum(), u32::try_from(packed).unwrap(), size].into_iter().flat_map(u32::to_le_bytes);
        shorts.chain(longs).chain(u16::try_from(self.name.len()).unwrap().to_le_bytes()).chain([0, 0]).collect()
    }
}

/// The archive of some files, with a comment behind it.
pub fn zip(files: &[Packed]) -> Vec<u8> {
    let (mut all, mut list) = (Vec::new(), Vec::new());
    for file in files {
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::fast());
        deflated.write_all(&file.bytes).unwrap();
        let bytes = if file.method == 8 { deflated.finish().unwrap() } else { file.bytes.clone() };
        let (fields, at) = (file.fields(bytes.len()), u32::try_from(all.len()).unwrap());
        list.extend([&b"PK\x01\x02\x14\0"[..], &fields, &[0; 10], &at.to_le_bytes(), file.name.as_bytes()].concat());
        all.extend([&b"PK\x03\x04"[..], &fields, file.name.as_bytes(), &bytes].concat());
    }
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let [size, at] = [list.len(), all.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes());
    [&all[..], &list, b"PK\x05\x06\0\0\0\0", &count, &count, &size, &at, b"\x07\0Tracker"].concat()
}
