//! [`Folder`]: an output folder locked by one command, whose files are replaced as one set; partial files are removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use scenario::input::{not_read, open_now, patient, read_plain};
use tempfile::{NamedTempFile, TempPath};

use super::checkpoint::KeptBytes;

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {path}: {error}")]
pub struct OutputError {
    /// The file.
    pub path: String,
    /// Error of the system.
    pub error: Error,
}

impl OutputError {
    pub(crate) fn new(path: &Path, error: impl Into<Error>) -> Self {
        OutputError { path: path.display().to_string(), error: error.into() }
    }
}

/// Prefix and ending of names of incomplete files; the process number stands between.
const PARTIAL: [&str; 2] = [".kugelbahn-", ".partial"];

/// Ending of the name of a table that grows between checkpoints.
pub(super) const GROWING: &str = "growing";

/// File that lists the names of a set while it is replaced; it stays if the replacement was interrupted.
pub const NOT_WHOLE: &str = "NOT-WHOLE.txt";
/// Maximum number of bytes read of it.
const MARK: u64 = 1 << 20;
const WARNING: &str =
    "# A command was ended while it replaced these files: they may be of two runs. Make the run again.";

/// A folder locked by this command until the value is dropped. [`commit`](Self::commit) replaces its files as one set.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Advisory lock, which the system releases when the process ends; `None` if the system can't lock folders.
    _lock: Option<File>,
    /// By name: the finished file, or `None` if the file of that name will be removed.
    set: Mutex<BTreeMap<String, Option<StagedFile>>>,
}

/// A temporary file with its final path.
#[derive(Debug)]
pub(super) struct StagedFile {
    pub file: TempPath,
    place: PathBuf,
    /// Lock of its folder, if that is not the one of the set.
    _lock: Option<File>,
}

impl Folder {
    /// Creates and locks a folder, removes partial files of killed commands, and checks that files of these names can
    /// be written.
    pub fn open<S: AsRef<Path>>(path: &Path, names: &[S]) -> Result<Self, OutputError> {
        for path in names.iter().map(AsRef::as_ref).chain([Path::new(NOT_WHOLE)]).map(|name| path.join(name)) {
            place_of(&path).and_then(|_| not_read(&path)).map_err(|error| OutputError::new(&path, error))?;
        }
        Self::with(path, alone)
    }

    fn with(path: &Path, lock: impl FnOnce(&Path) -> Result<Option<File>, OutputError>) -> Result<Self, OutputError> {
        let failed = |error: Error| OutputError::new(path, error);
        let made = path.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists()).count();
        std::fs::create_dir_all(path).map_err(failed)?;
        let mut folders = held(&FOLDERS);
        let own = folders.entry(path.canonicalize().map_err(failed)?).or_default();
        (own.made, own.held) = (own.made.max(made), own.held + 1);
        drop(folders);
        // From here on, a failure removes the folder again.
        let mut folder = Folder { path: path.to_owned(), _lock: None, set: Mutex::default() };
        folder._lock = lock(path)?;
        temporary(path).map_err(failed)?;
        path.ancestors().take(made).try_for_each(|made| keep_names(above(made))).map_err(failed)?;
        Ok(folder)
    }

    /// Opens a folder shared by several commands, each with its own files; [`open`](Self::open) is refused meanwhile.
    /// Partial files of killed commands are removed by a command that is alone.
    pub fn share(path: &Path) -> Result<Self, OutputError> {
        Self::with(path, |path| {
            drop(alone(path));
            // Another command may hold the lock briefly to see whether it is alone.
            let mut tries = 0;
            loop {
                match lock(path, File::try_lock_shared) {
                    Err(_) if tries < 200 => tries += 1,
                    ended => return ended,
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        })
    }

    /// Writes a new file durably; `false`: a file of this name exists, and stays.
    pub fn keep_new(&self, name: &str, bytes: &[u8]) -> Result<bool, OutputError> {
        let path = self.path.join(name);
        let put = finished(&path, &mut |file| file.write_all(bytes))
            .and_then(|file| change_now(|| file.persist_noclobber(&path).map_err(|error| error.error)));
        let new = match put {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            put => put.map(|()| true),
        };
        new.and_then(|new| keep_names(&self.path).map(|()| new)).map_err(|error| OutputError::new(&path, error))
    }

    /// Replaces files one after the other, each atomically and durably.
    pub fn keep<'f>(&self, files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Result<(), OutputError> {
        let put = |(name, bytes): (&str, &[u8])| put_file(&self.path.join(name), &mut |file| file.write_all(bytes));
        files.into_iter().try_for_each(put)?;
        keep_names(&self.path).map_err(|error| OutputError::new(&self.path, error))
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn change(&self, name: &str, change: Option<StagedFile>) {
        held(&self.set).insert(name.to_owned(), change);
    }

    /// Adds the removal of a file to the set.
    pub fn remove(&self, name: &str) {
        self.change(name, None);
    }

    /// Removes a file from the set, so that it stays.
    pub(super) fn leave(&self, name: &str) {
        held(&self.set).remove(name);
    }

    /// Removes a file, if present. After a crash of the system it may be there again.
    pub(super) fn remove_now(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path.join(name);
        removed(&path).map_err(|error| OutputError::new(&path, error))
    }

    /// Adds a file with this content to the set.
    pub fn replace(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), OutputError> {
        self.replace_at(&self.path.join(name), content)
    }

    /// Adds a file of any folder with this content to the set.
    pub(super) fn replace_at(&self, path: &Path, content: impl AsRef<[u8]>) -> Result<(), OutputError> {
        let failed = |error: Error| OutputError::new(path, error);
        let lock = lock_of(path)?;
        let place = place_of(path).map_err(failed)?;
        let file = finished(&place, &mut |file| file.write_all(content.as_ref())).map_err(failed)?;
        let [named, own] = [path, &self.path].map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let name = named.strip_prefix(own).unwrap_or(&named).to_string_lossy();
        self.change(&name, Some(StagedFile { file, place, _lock: lock }));
        Ok(())
    }

    /// Begins a growing file; [`stage`](Self::stage) adds it to the set. With `kept` bytes it begins with these of the
    /// existing one, and stays if the command ends.
    pub(super) fn begin(&self, name: &str, kept: KeptBytes) -> std::io::Result<(File, StagedFile)> {
        let [growing, place] = growing(&self.path.join(name))?;
        if kept.count == 0 {
            let (open, file) = temporary(above(&place))?.into_parts();
            return Ok((open, StagedFile { file, place, _lock: None }));
        }
        if !kept.begin(&growing) {
            std::fs::copy(&place, &growing)?;
        }
        let open = File::options().append(true).open(&growing)?;
        open.set_len(kept.count)?;
        let mut file = TempPath::try_from_path(growing)?;
        file.disable_cleanup(true);
        Ok((open, StagedFile { file, place, _lock: None }))
    }

    /// Adds a finished growing file to the set.
    pub(super) fn stage(&self, name: &str, finished: StagedFile) -> std::io::Result<()> {
        File::open(&finished.file)?.sync_all()?;
        self.change(name, Some(finished));
        Ok(())
    }

    /// Replaces the files of the set by the finished, durable ones. Until all are renamed, [`NOT_WHOLE`] is in the
    /// folder; it stays after a failure, and as long as it names files that this set does not replace.
    pub fn commit(&self) -> Result<(), OutputError> {
        let _named = held(&NAMING);
        let set = std::mem::take(&mut *held(&self.set));
        let mark = self.path.join(NOT_WHOLE);
        let old = String::from_utf8(read_plain(&mark, MARK).unwrap_or_default()).unwrap_or_default();
        let is_there = |name: &&str| self.path.join(name).symlink_metadata().is_ok();
        let old = old.lines().filter(|name| !name.starts_with('#') && !set.contains_key(*name)).filter(is_there);
        let left: BTreeSet<&str> = old.collect();
        self.mark(set.keys().map(String::as_str).chain(left.iter().copied()).collect())?;
        let failed = |path: &Path, error: Error| {
            let told = format!("{error}; {} lists the files that may be of two runs now", mark.display());
            OutputError::new(path, Error::other(told))
        };
        let mut folders = BTreeSet::from([self.path.clone()]);
        for (name, change) in set {
            let path = self.path.join(name);
            let changed = match change {
                Some(StagedFile { file, place, .. }) => {
                    folders.insert(above(&place).to_owned());
                    keep(file, &place)
                }
                None => removed(&path),
            };
            changed.map_err(|error| failed(&path, error))?;
        }
        folders.iter().try_for_each(|folder| keep_names(folder).map_err(|error| failed(folder, error)))?;
        self.mark(left)
    }

    /// Writes names of files that may belong to two runs to [`NOT_WHOLE`], or removes it if there are none.
    fn mark(&self, names: BTreeSet<&str>) -> Result<(), OutputError> {
        if names.is_empty() {
            return self.remove_now(NOT_WHOLE);
        }
        let text = std::iter::once(WARNING).chain(names).collect::<Vec<_>>().join("\n") + "\n";
        self.keep([(NOT_WHOLE, text.as_bytes())])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.set.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        let path = self.path.canonicalize().unwrap_or_default();
        if let Some(own) = held(&FOLDERS).get_mut(&path) {
            own.held -= 1;
            if own.held == 0 {
                own.leave(&path);
            }
        }
    }
}

/// Held while the files of a set are renamed, so that a signal waits.
static NAMING: Mutex<()> = Mutex::new(());

/// Whether this process has changed files under their final paths; set while [`FOLDERS`] is locked.
static CHANGED: AtomicBool = AtomicBool::new(false);

/// Changes a file under its final path, or waits for the end of a process that is [withdrawing](withdraw).
fn change_now<T>(how: impl FnOnce() -> std::io::Result<T>) -> std::io::Result<T> {
    let _folders = held(&FOLDERS);
    how().inspect(|_| CHANGED.store(true, Ordering::Relaxed))
}

/// Removes a file or link, if present; anything else stays.
fn removed(path: &Path) -> std::io::Result<()> {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file() || found.is_symlink());
    if is_file { change_now(|| std::fs::remove_file(path)) } else { Ok(()) }
}

/// The folder of a file.
fn above(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Path of a regular or new file, with links resolved.
fn place_of(path: &Path) -> std::io::Result<PathBuf> {
    match path.metadata() {
        Ok(found) if found.is_file() => path.canonicalize(),
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(_) => Err(Error::other("it is no regular file")),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Err(_) => {
            // A link to a file that does not exist yet; circular links are an error above.
            let mut place = path.to_owned();
            while let Ok(to) = place.read_link() {
                place = above(&place).join(to);
            }
            Ok(place)
        }
    }
}

/// Path of a growing file, and its final path: in one folder, since files can't be renamed across disks.
pub(super) fn growing(path: &Path) -> std::io::Result<[PathBuf; 2]> {
    let place = place_of(path)?;
    Ok([place_of(&place.with_added_extension(GROWING))?, place])
}

/// Names a growing file as such, durably.
pub(super) fn name_growing(StagedFile { file, place, .. }: &mut StagedFile) -> std::io::Result<()> {
    if file.extension().is_some_and(|named| named == GROWING) {
        return Ok(());
    }
    let [growing, _] = growing(place)?;
    change_now(|| std::fs::rename(&*file, &growing))?;
    *file = TempPath::try_from_path(growing)?;
    keep_names(above(file))
}

/// Whether a path is a pipe or terminal, which is written to instead of replaced.
#[cfg(unix)]
pub(super) fn is_stream(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.metadata().is_ok_and(|found| found.file_type().is_fifo() || found.file_type().is_char_device())
}

/// Whether a path is a pipe or terminal; only known on Unix.
#[cfg(not(unix))]
pub(super) fn is_stream(_: &Path) -> bool {
    false
}

/// Locks a folder; `None` if the system can't.
fn lock(folder: &Path, how: fn(&File) -> Result<(), TryLockError>) -> Result<Option<File>, OutputError> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match how(&file) {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {
            Err(OutputError::new(folder, Error::other("another command is writing to it, wait for its end")))
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Locks a folder exclusively, and removes partial files of killed commands.
fn alone(folder: &Path) -> Result<Option<File>, OutputError> {
    let lock = lock(folder, File::try_lock)?;
    if lock.is_some() {
        remove_partial(folder, PARTIAL[0]);
    }
    Ok(lock)
}

/// Folders in which this process may have partial files.
static FOLDERS: Mutex<BTreeMap<PathBuf, OwnFolder>> = Mutex::new(BTreeMap::new());

/// Use of a folder by this process.
#[derive(Default)]
struct OwnFolder {
    /// Number of folders created for it, from this one upwards; they are removed again if they stay empty.
    made: usize,
    /// Number of [`Folder`] values for it.
    held: usize,
}

impl OwnFolder {
    fn leave(&mut self, path: &Path) {
        let _ = path.ancestors().take(std::mem::take(&mut self.made)).try_for_each(std::fs::remove_dir);
    }
}

/// Locks a mutex whose data is always consistent, even after a panic.
fn held<T>(by: &Mutex<T>) -> MutexGuard<'_, T> {
    by.lock().unwrap_or_else(PoisonError::into_inner)
}

fn own_prefix() -> String {
    format!("{}{}-", PARTIAL[0], std::process::id())
}

/// Creates a temporary file with the permissions of new files (umask).
fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let (prefix, mut folders) = (own_prefix(), held(&FOLDERS));
    folders.entry(folder.canonicalize()?).or_default();
    let open = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    tempfile::Builder::new().prefix(&prefix).suffix(PARTIAL[1]).make_in(folder, open)
}

/// Waits until no set is being renamed, and prevents that from now on: what the command says of its files stays true.
/// If the process is [withdrawing](withdraw), it waits for its end.
pub fn settle() {
    std::mem::forget(NAMING.lock());
}

/// Removes the partial files of this process and unused folders, and prevents new ones and further changes of files,
/// since the process ends. Returns whether it had changed files before.
pub fn withdraw() -> bool {
    settle();
    let mut folders = held(&FOLDERS);
    for (folder, own) in &mut *folders {
        remove_partial(folder, &own_prefix());
        own.leave(folder);
    }
    std::mem::forget(folders);
    CHANGED.load(Ordering::Relaxed)
}

/// Removes partial files whose names have this prefix; errors are ignored.
fn remove_partial(folder: &Path, prefix: &str) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(PARTIAL[1]) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Syncs a folder, so that names of files are durable. Where folders can't be opened or synced, as by some network file
/// systems, that is no error.
fn keep_names(folder: &Path) -> std::io::Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    let unable = [ErrorKind::PermissionDenied, ErrorKind::InvalidInput, ErrorKind::Unsupported];
    synced.or_else(|error| if unable.contains(&error.kind()) { Ok(()) } else { Err(error) })
}

/// Writes and syncs a temporary file for this path.
fn finished(place: &Path, write: &mut dyn FnMut(&mut File) -> std::io::Result<()>) -> std::io::Result<TempPath> {
    let mut file = temporary(above(place))?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    Ok(file.into_temp_path())
}

/// Writes a file durably and renames it to its path. If another command removed the temporary file as one of a killed
/// command (on network file systems with local locks), it is written again.
fn put_file(path: &Path, write: &mut dyn FnMut(&mut File) -> std::io::Result<()>) -> Result<(), OutputError> {
    let mut once = || place_of(path).and_then(|place| keep(finished(&place, write)?, &place));
    let mut tries = 0;
    loop {
        match once() {
            Err(error) if error.kind() == ErrorKind::NotFound && above(path).is_dir() && tries < 3 => tries += 1,
            written => return written.map_err(|error| OutputError::new(path, error)),
        }
    }
}

/// Writes a file in pieces and replaces it atomically and durably; a pipe or terminal is written to. Refused if another
/// command has locked its folder.
pub fn write_kept(path: &Path, write: &mut dyn FnMut(&mut File) -> std::io::Result<()>) -> Result<(), OutputError> {
    let failed = |error: Error| OutputError::new(path, error);
    if is_stream(path) {
        let opened = open_now(File::options().write(true), path).and_then(patient);
        return opened.and_then(|mut stream| write(&mut stream)).map_err(failed);
    }
    let _lock = lock_of(path)?;
    put_file(path, write)?;
    place_of(path).and_then(|place| keep_names(above(&place))).map_err(failed)
}

/// Locks the folder of a file that will be written, unless it is this process's own; refused if another command has
/// locked it, or this one reads the file.
fn lock_of(path: &Path) -> Result<Option<File>, OutputError> {
    let folder = above(path);
    if path.file_name().is_none() {
        return Err(OutputError::new(path, ErrorKind::InvalidFilename));
    }
    if !folder.exists() {
        return Err(OutputError::new(path, Error::other(format!("there is no folder {}", folder.display()))));
    }
    not_read(path).map_err(|error| OutputError::new(path, error))?;
    let is_own = folder.canonicalize().is_ok_and(|folder| held(&FOLDERS).get(&folder).is_some_and(|own| own.held > 0));
    if is_own {
        return Ok(None);
    }
    drop(alone(folder));
    lock(folder, File::try_lock_shared)
}

/// Renames a finished temporary file to its path.
fn keep(file: TempPath, path: &Path) -> std::io::Result<()> {
    change_now(|| std::fs::rename(&file, path))?;
    file.keep().map(drop).map_err(|error| error.error)
}
