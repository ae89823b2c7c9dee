//! Opens and decodes files, and parses TOML to a tree ([`Node`]) with positions.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use flate2::read::MultiGzDecoder;
use serde::Serialize;
use serde::ser::Serializer;
use toml::de::{DeTable, DeValue};

use super::builtin::builtin_text;
use super::{InputError, Source, Span};

/// A value with its position.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Position of the value in the text.
    pub span: Span,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text.
    String(Arc<str>),
    /// A number, also an integer.
    Number(f64),
    /// true or false.
    Bool(bool),
    /// A date or time, which no key accepts.
    Date(String),
    /// A list.
    Array(Vec<Node>),
    /// Keys with positions and values, in the order written.
    Table(Vec<Entry>),
}

/// A key, its position, and its value.
pub type Entry = (Arc<str>, Span, Node);

impl Node {
    /// Size of its text, bytes, and 64 for each value in it.
    pub(crate) fn size(&self) -> usize {
        let inside = match &self.value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(Node::size).sum(),
            Value::Table(entries) => entries.iter().map(|(key, _, node)| key.len() + node.size()).sum(),
            _ => 0,
        };
        64 + inside
    }

    /// Kind of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::String(_) => "a string",
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::Date(_) => "a date",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }

    /// The items of a list; none of other values.
    pub(crate) fn items(&self) -> &[Node] {
        if let Value::Array(items) = &self.value { items } else { &[] }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|(k, ..)| &**k == key).map(|(.., node)| node),
            _ => None,
        }
    }

    /// Entry named by one part of a dotted key.
    pub(crate) fn entry(&self, part: &str) -> Option<&Node> {
        match &self.value {
            Value::Array(items) => items.get(item_of(items, part)?),
            _ => self.get(part),
        }
    }

    /// Mutable entry named by one part of a dotted key.
    pub(crate) fn entry_mut(&mut self, part: &str) -> Option<&mut Node> {
        match &mut self.value {
            Value::Array(items) => item_of(items, part).and_then(|item| items.get_mut(item)),
            Value::Table(entries) => entries.iter_mut().find(|(key, ..)| **key == *part).map(|(.., node)| node),
            _ => None,
        }
    }

    /// The table with these values of keys, and without the keys `left_out`; other values stay as they are.
    pub(crate) fn with(&self, keys: &[(&'static str, Value)], left_out: &[&str]) -> Node {
        let Value::Table(entries) = &self.value else { return self.clone() };
        let replaced = |known: &str| left_out.contains(&known) || keys.iter().any(|(key, _)| *key == known);
        let mut entries: Vec<_> = entries.iter().filter(|(known, ..)| !replaced(known)).cloned().collect();
        let node = |value: &Value| Node { value: value.clone(), span: self.span.clone() };
        entries.extend(keys.iter().map(|(key, value)| ((*key).into(), self.span.clone(), node(value))));
        Node { value: Value::Table(entries), span: self.span.clone() }
    }

    /// Text of the key `name`, if present.
    pub(super) fn name(&self) -> Option<&str> {
        if let Value::String(name) = &self.get("name")?.value { Some(name) } else { None }
    }
}

/// Index of a list's item, by its `name` or number from 0; in a pair also by x, y.
fn item_of(items: &[Node], part: &str) -> Option<usize> {
    match part {
        "x" if items.len() == 2 => Some(0),
        "y" if items.len() == 2 => Some(1),
        part => items.iter().position(|item| item.name() == Some(part)).or_else(|| part.parse().ok()),
    }
}

/// Kind and size limit of files read.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// Kind of file, for messages.
    pub kind: &'static str,
    /// Maximum size in bytes; a device may be endless.
    pub max_bytes: u64,
}

/// Files of scenarios and curves.
pub const TOML_FILE: Files = Files { kind: "TOML file", max_bytes: 6 << 20 };

/// Opens a file without blocking: a pipe without a writer is empty, one without a reader an error.
pub fn open_now(options: &mut OpenOptions, path: &Path) -> std::io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, rustix::fs::OFlags::NONBLOCK.bits() as i32);
    options.open(path).map_err(|error| match error.raw_os_error() {
        #[cfg(unix)]
        Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => {
            std::io::Error::other("nobody reads this pipe: start its reader first")
        }
        _ => error,
    })
}

/// Makes reading and writing of an open file block again.
pub fn patient(file: File) -> std::io::Result<File> {
    #[cfg(unix)]
    rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::empty())?;
    Ok(file)
}

/// Files read so far, if the process must not overwrite them.
static INPUTS: OnceLock<Mutex<HashSet<PathBuf>>> = OnceLock::new();

/// From now on, records files read, which [`not_read`] then refuses.
pub fn keep_inputs() {
    INPUTS.get_or_init(Mutex::default);
}

/// Refuses a file that was read.
pub fn not_read(path: &Path) -> std::io::Result<()> {
    let read = INPUTS.get().zip(path.canonicalize().ok());
    match read.is_some_and(|(read, path)| read.lock().is_ok_and(|read| read.contains(&path))) {
        true => Err(std::io::Error::other("this command reads it")),
        false => Ok(()),
    }
}

/// Opens a file for reading; `plain`: only a regular file, as for those named by other files.
fn open(path: &Path, plain: bool, max_bytes: u64) -> std::io::Result<File> {
    if plain && !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let file = open_now(File::options().read(true), path)?;
    let of = file.metadata()?;
    if let Some((Ok(mut read), Ok(path))) =
        INPUTS.get().filter(|_| of.is_file()).map(|read| (read.lock(), path.canonicalize()))
    {
        read.insert(path);
    }
    // Files with a size above the limit are not read at all.
    match of.len() > max_bytes {
        true => Err(too_large(max_bytes)),
        false if plain => Ok(file),
        false => patient(file),
    }
}

fn too_large(max_bytes: u64) -> std::io::Error {
    std::io::Error::other(format!("it is larger than {} MiB", max_bytes >> 20))
}

/// Bytes of a file, decompressed if it is gzip, like a drawing `.svgz`.
fn read_bytes(path: &Path, plain: bool, max_bytes: u64) -> std::io::Result<Vec<u8>> {
    let bytes = at_most(open(path, plain, max_bytes)?, max_bytes)?;
    if bytes.starts_with(&GZIP) { at_most(MultiGzDecoder::new(bytes.as_slice()), max_bytes) } else { Ok(bytes) }
}

/// Reads a regular file, such as one of the program's own or one named by another file.
pub fn read_plain(path: &Path, max_bytes: u64) -> std::io::Result<Vec<u8>> {
    read_bytes(path, true, max_bytes)
}

/// Opens a regular file for reading in pieces.
pub fn open_plain(path: &Path, max_bytes: u64) -> std::io::Result<impl Read + use<>> {
    Ok(open(path, true, max_bytes)?.take(max_bytes))
}

/// Paths of all entries of a folder, sorted.
pub fn paths_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// First bytes of gzip files (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads all bytes; an error for more than `max_bytes`.
fn at_most(from: impl Read, max_bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(too_large(max_bytes)) } else { Ok(bytes) }
}

pub(super) fn complain(from: Option<&Span>, message: String, help: &str) -> InputError {
    let error = match from {
        Some(span) => InputError::new(span, message, "this file"),
        None => InputError::without_place(message),
    };
    error.with_help(help)
}

/// Whether a kind or file extension is that of a CAD program's drawing, which is not supported.
pub fn is_cad(kind: &str) -> bool {
    ["dxf", "dwg"].iter().any(|cad| kind.eq_ignore_ascii_case(cad))
}

/// Cure for CAD drawings.
pub const WRITE_SVG: &str = "write SVG, as CAD programs can: kind = \"svg\"";

pub(super) fn bytes_of(path: &Path, what: &str, from: Option<&Span>, files: Files) -> Result<Vec<u8>, InputError> {
    if path.extension().is_some_and(|ending| is_cad(&ending.to_string_lossy())) {
        let message = format!("the {what} {} is a drawing of a CAD program, not a {}", path.display(), files.kind);
        return Err(complain(from, message, WRITE_SVG));
    }
    read_bytes(path, from.is_some(), files.max_bytes).map_err(|error| {
        let message = format!("can't read the {what} {}: {error}", path.display());
        let help = format!("give the path of a readable {}; paths in a file are relative to that file", files.kind);
        complain(from, message, &help)
    })
}

/// Reads a file; `what` names it in messages.
pub fn read_file(path: &Path, what: &str, from: Option<&Span>, files: Files) -> Result<Source, InputError> {
    if let Some(text) = builtin_text(path) {
        return Ok(Source::new(path.display().to_string(), text.to_owned()));
    }
    let bytes = bytes_of(path, what, from, files)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
        let message = format!("the {what} {} is not UTF-8 text: byte {at}, line {line}", path.display());
        complain(from, message, "save it as UTF-8")
    })?;
    Ok(source_of(path, text, from))
}

/// The text of a file as a source. A file named by another one is quoted in messages only if it is below the other's
/// folder or the current one, since its path may point at anything.
pub fn source_of(path: &Path, text: String, from: Option<&Span>) -> Source {
    let below = |folder: &Path| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let (file, folder) = (path.canonicalize().ok(), folder.canonicalize().ok());
        file.zip(folder).is_some_and(|(file, folder)| folder.parent().is_some() && file.starts_with(folder))
    };
    let quotes =
        |from: &Source| from.is_quoted() && from.folder().is_none_or(|folder| below(folder) || below(Path::new(".")));
    Source::of_file(path, text, from.filter(|from| !quotes(&from.source)).cloned())
}

/// Parses a document to its root table.
pub fn parse(source: &Source) -> Result<Node, InputError> {
    let text = source.text();
    let table = DeTable::parse(text).map_err(|error| {
        let range = error.span().unwrap_or(0..0);
        let range = range.start.min(text.len())..range.end.min(text.len());
        let help = match text.get(range.clone()) {
            Some("ball") => {
                "one ball is a `[ball]` table with `[initial]`; several are a `[[ball]]` table each, with its own `initial`"
            }
            Some("ground") => "one curve is a `[ground]` table; several are a `[[ground]]` table each, with its own `name`",
            Some("watch") => "watches are a `[[watch]]` table each, with its own `name`",
            _ => "see https://toml.io for the format",
        };
        let message = format!("not TOML: {}", error.message().trim());
        InputError::new(&source.at(range), message, "here").with_help(help)
    })?;
    let mut tree = Tree { source, seen: HashSet::new() };
    Ok(Node { value: tree.table(table.get_ref())?, span: source.at(0..0) })
}

/// Builder of the tree.
struct Tree<'a> {
    source: &'a Source,
    /// Short texts so far, which are shared: keys and names repeat in long lists.
    seen: HashSet<Arc<str>>,
}

/// Longer texts (bytes) are not shared.
const SHORT: usize = 24;
/// Maximum number of shared texts.
const TEXTS: usize = 1000;

impl Tree<'_> {
    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.seen.get(text) {
            return known.clone();
        }
        let text: Arc<str> = text.into();
        if text.len() <= SHORT && self.seen.len() < TEXTS {
            self.seen.insert(text.clone());
        }
        text
    }

    fn table(&mut self, table: &DeTable<'_>) -> Result<Value, InputError> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table.iter() {
            entries.push((self.text(key.get_ref()), self.source.at(key.span()), self.node(value)?));
        }
        entries.sort_by_key(|(_, span, _)| span.range.start);
        Ok(Value::Table(entries))
    }

    fn node(&mut self, value: &toml::Spanned<DeValue<'_>>) -> Result<Node, InputError> {
        let span = self.source.at(value.span());
        let value = match value.get_ref() {
            DeValue::String(text) => Value::String(self.text(text)),
            DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Number(number as f64),
                Err(_) => return Err(InputError::new(&span, "this integer is too large", "at most 38 digits")),
            },
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(number) => Value::Number(number),
                Err(_) => return Err(InputError::new(&span, "this is not a number", "a number such as 1.5e-3")),
            },
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Datetime(date) => Value::Date(date.to_string()),
            DeValue::Array(items) => Value::Array(items.iter().map(|item| self.node(item)).collect::<Result<_, _>>()?),
            DeValue::Table(table) => self.table(table)?,
        };
        Ok(Node { value, span })
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::String(text) => serializer.serialize_str(text),
            Value::Date(text) => serializer.serialize_str(text),
            // JSON has no infinite numbers.
            Value::Number(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Number(number) => serializer.serialize_str(&number.to_string()),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Table(entries) => serializer.collect_map(entries.iter().map(|(key, _, node)| (&**key, node))),
        }
    }
}
