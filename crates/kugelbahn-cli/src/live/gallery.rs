//! The scenarios of a folder as a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kugelbahn::input::InputError;
use kugelbahn::scenario::Document;
use session::{Chosen, GalleryEntry, Session};

use super::run_time_limit::PATIENCE;
use crate::Methods;

/// Where scenarios stand in a folder.
const PLACES: [&str; 2] = ["scenarios", "experiments/src/bin"];

/// Returns a session over the chosen file, which has the settings of the command line, and the scenarios beside it.
pub fn session(chosen: &Path, settings: &[String], methods: &Arc<Methods>) -> Session {
    let mut files = vec![chosen.to_owned()];
    files.extend(beside(chosen));
    let entry = |file: &PathBuf| GalleryEntry { title: title(file, methods), file: file.display().to_string() };
    let entries = files.iter().map(entry).collect();
    let (settings, methods) = (settings.to_vec(), methods.clone());
    let base = chosen.parent().unwrap_or(Path::new("")).to_owned();
    Session::new(entries, PATIENCE, move |chosen| match chosen {
        Chosen::Entry(index) => {
            let file = files.get(*index).ok_or_else(|| InputError::without_place("there is no such scenario"))?;
            Document::load(file, if *index == 0 { &settings } else { &[] }, &methods)
        }
        Chosen::Text(text) => Document::from_text(text, &base, &[], &methods),
    })
}

/// The other scenarios beside a chosen one: those of the nearest folder above it that has any, else of the working
/// directory.
fn beside(chosen: &Path) -> Vec<PathBuf> {
    let own = std::fs::canonicalize(chosen).unwrap_or_default();
    let has_any = |folder: &&Path| PLACES.iter().any(|place| folder.join(place).is_dir());
    let folder = own.ancestors().skip(1).find(has_any).unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for place in PLACES {
        let entries = std::fs::read_dir(folder.join(place)).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .map(|path| if path.is_dir() { path.join("scenario.toml") } else { path })
            .filter(|path| path.extension().is_some_and(|end| end == "toml") && path.is_file())
            .filter(|path| std::fs::canonicalize(path).is_ok_and(|path| path != own))
            .collect();
        found.sort();
        files.extend(found);
    }
    files
}

/// Title of a scenario, else its file.
fn title(file: &Path, methods: &Arc<Methods>) -> String {
    let title = Document::load(file, &[], methods).ok().and_then(|document| document.title());
    title.unwrap_or_else(|| file.display().to_string())
}
