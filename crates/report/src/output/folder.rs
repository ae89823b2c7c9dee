//! Folders to write to: one command at a time, and nothing left of those that were ended.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempPath};

use super::error::OutputError;

/// Names of files that are not whole yet: the number of the process stands between.
const PARTIAL: [&str; 2] = [".kugelbahn-", ".partial"];

/// A folder that this command alone writes to, until this is dropped. Each file in it is replaced whole or not at all.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// An advisory lock, which ends with the process however that ends; none where the system locks no folders.
    _lock: Option<File>,
}

impl Folder {
    /// Makes a folder, removes remains of commands that were killed, and proves that files of these names can be written to it.
    pub fn open<S: AsRef<Path>>(path: &Path, names: &[S]) -> Result<Self, OutputError> {
        for path in names.iter().map(|name| path.join(name)) {
            if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
                return Err(OutputError::new(&path, ErrorKind::IsADirectory));
            }
        }
        if path.exists() && !path.is_dir() {
            return Err(OutputError::new(path, ErrorKind::NotADirectory));
        }
        let failed = |error: Error| OutputError::new(path, error);
        std::fs::create_dir_all(path).map_err(failed)?;
        let lock = lock(path, File::try_lock)?;
        if lock.is_some() {
            remove_partial(path, PARTIAL[0]);
        }
        temporary(path).map(drop).map_err(failed)?;
        Ok(Folder { path: path.to_owned(), _lock: lock })
    }

    /// Opens a folder for files that are written at the end or not at all: `None` if it is not there; it is not made.
    pub fn reserve(path: &Path, names: &[&str]) -> Result<Option<Self>, OutputError> {
        if path.exists() {
            return Folder::open(path, names).map(Some);
        }
        let above = path.ancestors().skip(1).find(|above| above.exists()).unwrap_or(Path::new("."));
        if !above.is_dir() {
            return Err(OutputError::new(path, ErrorKind::NotADirectory));
        }
        temporary(above).map_err(|error| OutputError::new(path, error))?;
        Ok(None)
    }

    /// A folder that several commands write to at once, each its own files: [`open`](Self::open) is refused meanwhile. What killed
    /// commands have left is removed by one that finds itself alone.
    pub fn share(path: &Path) -> Result<Self, OutputError> {
        if path.exists() && !path.is_dir() {
            return Err(OutputError::new(path, ErrorKind::NotADirectory));
        }
        let failed = |error: Error| OutputError::new(path, error);
        std::fs::create_dir_all(path).map_err(failed)?;
        if let Ok(Some(alone)) = lock(path, File::try_lock) {
            remove_partial(path, PARTIAL[0]);
            drop(alone);
        }
        // One that looks whether it is alone has the folder for a moment.
        let mut tries = 0;
        let lock = loop {
            match lock(path, File::try_lock_shared) {
                Err(_) if tries < 200 => tries += 1,
                ended => break ended?,
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        temporary(path).map(drop).map_err(failed)?;
        Ok(Folder { path: path.to_owned(), _lock: lock })
    }

    /// Puts a file in its place, kept by the disk, unless there is one: then `false`, and that stays as it is.
    pub fn keep_new(&self, name: &str, bytes: &[u8]) -> Result<bool, OutputError> {
        let path = self.path.join(name);
        let put = || {
            let mut file = temporary(&self.path)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            match file.persist_noclobber(&path) {
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error.error),
                Ok(_) => Ok(true),
            }
        };
        let put = put().map_err(|error: Error| OutputError::new(&path, error))?;
        keep_names(&self.path);
        Ok(put)
    }

    /// Puts files in their places, one after the other, each at once, and has the disk keep them before it says so.
    pub fn keep<'f>(&self, files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Result<(), OutputError> {
        let put = |(name, bytes)| put_file(&self.path, name, &mut |file| file.write_all(bytes));
        files.into_iter().try_for_each(put)?;
        keep_names(&self.path);
        Ok(())
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes a file from it, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(OutputError::new(&path, error)),
            _ => Ok(()),
        }
    }

    /// Puts a file with this content in its place at once.
    pub fn replace(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), OutputError> {
        write_file_to(&self.path, name.as_ref(), content.as_ref())
    }
}

/// A lock of a folder, `None` if the system can't lock it.
pub(super) fn lock(folder: &Path, how: fn(&File) -> Result<(), TryLockError>) -> Result<Option<File>, OutputError> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match how(&file) {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {
            Err(OutputError::new(folder, Error::other("another command is writing to it, wait for its end")))
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Folders in which this process may have partial files.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn own_prefix() -> String {
    format!("{}{}-", PARTIAL[0], std::process::id())
}

/// A partial file that may be read by whom the umask lets read new files.
pub(crate) fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let (prefix, mut folders) = (own_prefix(), folders());
    folders.insert(folder.to_owned());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(PARTIAL[1]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Removes the partial files of this process and lets no other come to be, since the process ends.
pub fn withdraw() {
    let folders = folders();
    folders.iter().for_each(|folder| remove_partial(folder, &own_prefix()));
    std::mem::forget(folders);
}

/// Removes partial files with names that begin so, as far as the system lets it.
fn remove_partial(folder: &Path, prefix: &str) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(PARTIAL[1]) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Puts a file with this content in its place at once.
pub(super) fn write_file_to(folder: &Path, name: &OsStr, content: &[u8]) -> Result<(), OutputError> {
    let path = folder.join(name);
    let write = || {
        let mut file = temporary(folder)?;
        file.write_all(content)?;
        keep(file.into_temp_path(), &path)
    };
    write().map_err(|error: Error| OutputError::new(&path, error))
}

/// Has the disk keep the names in a folder. Systems that can't sync one say so; what is in the files is kept all the same.
fn keep_names(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Writes a file, has the disk keep what is in it, and puts it in its place at once. A temporary file that another command took for a dead one's
/// (on a file system whose locks end at the machine) is written again.
fn put_file(
    folder: &Path,
    name: &str,
    write: &mut dyn FnMut(&mut File) -> std::io::Result<()>,
) -> Result<(), OutputError> {
    let path = folder.join(name);
    let mut once = || {
        let mut file = temporary(folder)?;
        write(file.as_file_mut())?;
        file.as_file().sync_all()?;
        keep(file.into_temp_path(), &path)
    };
    let mut tries = 0;
    loop {
        match once() {
            Err(error) if error.kind() == ErrorKind::NotFound && folder.is_dir() && tries < 3 => tries += 1,
            written => return written.map_err(|error| OutputError::new(&path, error)),
        }
    }
}

/// Writes a file piece by piece and puts it in its place at once, kept by the disk.
pub fn write_kept(path: &Path, write: &mut dyn FnMut(&mut File) -> std::io::Result<()>) -> Result<(), OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name().and_then(OsStr::to_str) else {
        return Err(OutputError::new(path, ErrorKind::InvalidFilename));
    };
    if !folder.exists() {
        return Err(OutputError::new(path, Error::other(format!("there is no folder {}", folder.display()))));
    }
    if path.is_dir() {
        return Err(OutputError::new(path, ErrorKind::IsADirectory));
    }
    // What killed commands have left there goes, where nobody else writes.
    if let Ok(Some(alone)) = lock(folder, File::try_lock) {
        remove_partial(folder, PARTIAL[0]);
        drop(alone);
    }
    let _lock = lock(folder, File::try_lock_shared);
    put_file(folder, name, write).map(|()| keep_names(folder))
}

/// Gives a finished temporary file its name.
pub(super) fn keep(file: TempPath, path: &Path) -> std::io::Result<()> {
    file.persist(path).map_err(|error| error.error)
}
