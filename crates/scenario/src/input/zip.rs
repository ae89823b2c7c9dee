//! The project out of a zip archive, as Tracker packs it with its film (`.trz`). Only its list of files and the one file are
//! read (PKWARE, *APPNOTE.TXT*, §4.3: files stored or deflated).

use std::io::{self, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::read::DeflateDecoder;

/// How each file of an archive begins.
pub(super) const BEGIN: [u8; 4] = *b"PK\x03\x04";
/// How an item of the list begins, and the end of all.
const ITEM: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
/// Bytes of an item, of the end, and of what stands before a file, without texts.
const ITEM_BYTES: usize = 46;
const END_BYTES: usize = 22;
const BEGIN_BYTES: usize = 30;
/// Bytes of the list, at most.
const LIST: u64 = 16 << 20;

/// A file of an archive.
pub(super) struct Packed {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Why there is none.
#[derive(Debug)]
pub(super) enum Unpacking {
    /// No file with this ending is in it.
    None,
    /// Several are.
    Several(Vec<String>),
    /// It is larger than it may be.
    TooLarge(String),
    /// It is in a form that is not read here.
    Form(String),
    /// The archive is not whole, or can't be read.
    Damaged(io::Error),
}

impl From<io::Error> for Unpacking {
    fn from(error: io::Error) -> Self {
        Unpacking::Damaged(error)
    }
}

/// An item of the list.
struct Item {
    name: String,
    encrypted: bool,
    method: u16,
    checksum: u32,
    packed: u64,
    size: u64,
    at: u64,
}

fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|two| two.try_into().ok()).map_or(0, u16::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn not_whole() -> Unpacking {
    Unpacking::Damaged(io::Error::other("the archive is not whole"))
}

/// The one file of an archive whose name has this ending, with at most so many bytes.
pub(super) fn only(archive: &mut (impl Read + Seek), ending: &str, most: u64) -> Result<Packed, Unpacking> {
    let mut items = items(archive)?;
    // Hidden ones are not those that were packed.
    let hidden = |name: &str| name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
    items.retain(|item| item.name.to_lowercase().ends_with(ending) && !hidden(&item.name));
    let item = match items.as_slice() {
        [] => return Err(Unpacking::None),
        [item] => item,
        several => return Err(Unpacking::Several(several.iter().map(|item| item.name.clone()).collect())),
    };
    if item.size > most {
        return Err(Unpacking::TooLarge(item.name.clone()));
    }
    let bytes = bytes(archive, item)?;
    Ok(Packed { name: item.name.clone(), bytes })
}

fn items(archive: &mut (impl Read + Seek)) -> Result<Vec<Item>, Unpacking> {
    let length = archive.seek(SeekFrom::End(0))?;
    // Behind the end there may be a comment.
    let tail = length.min(END_BYTES as u64 + u64::from(u16::MAX));
    let mut end = Vec::new();
    archive.seek(SeekFrom::Start(length - tail))?;
    archive.by_ref().take(tail).read_to_end(&mut end)?;
    let at = end.windows(END.len()).rposition(|bytes| *bytes == END).ok_or_else(not_whole)?;
    let end = end.get(at..at + END_BYTES).ok_or_else(not_whole)?;
    let (size, first) = (long(end, 12), long(end, 16));
    let mut list = Vec::new();
    archive.seek(SeekFrom::Start(first.into()))?;
    archive.by_ref().take(LIST.min(size.into())).read_to_end(&mut list)?;
    let mut items = Vec::new();
    let mut rest = list.as_slice();
    while rest.len() >= ITEM_BYTES {
        let texts = [28, 30, 32].map(|at| usize::from(short(rest, at)));
        let name = rest.get(ITEM_BYTES..ITEM_BYTES + texts[0]).filter(|_| rest.starts_with(&ITEM));
        items.push(Item {
            name: String::from_utf8_lossy(name.ok_or_else(not_whole)?).into_owned(),
            encrypted: short(rest, 8) & 1 == 1,
            method: short(rest, 10),
            checksum: long(rest, 16),
            packed: long(rest, 20).into(),
            size: long(rest, 24).into(),
            at: long(rest, 42).into(),
        });
        rest = rest.get(ITEM_BYTES + texts.iter().sum::<usize>()..).unwrap_or(&[]);
    }
    Ok(items)
}

/// Never more than the list says that there are.
fn bytes(archive: &mut (impl Read + Seek), item: &Item) -> Result<Vec<u8>, Unpacking> {
    if item.encrypted {
        return Err(Unpacking::Form(format!("{} is encrypted", item.name)));
    }
    let mut head = [0; BEGIN_BYTES];
    archive.seek(SeekFrom::Start(item.at))?;
    archive.read_exact(&mut head)?;
    if !head.starts_with(&BEGIN) {
        return Err(not_whole());
    }
    archive.seek_relative(i64::from(short(&head, 26)) + i64::from(short(&head, 28)))?;
    let (packed, mut bytes) = (archive.by_ref().take(item.packed), Vec::new());
    match item.method {
        0 => packed.take(item.size + 1).read_to_end(&mut bytes)?,
        8 => DeflateDecoder::new(packed).take(item.size + 1).read_to_end(&mut bytes)?,
        method => {
            return Err(Unpacking::Form(format!("{} is packed by method {method}, which is not known", item.name)));
        }
    };
    let mut checksum = Crc::new();
    checksum.update(&bytes);
    if bytes.len() as u64 != item.size || checksum.sum() != item.checksum {
        return Err(Unpacking::Damaged(io::Error::other(format!("{} does not unpack to what was packed", item.name))));
    }
    Ok(bytes)
}
