//! Writes the page with everything in it: `page GALLERY.toml ENGINE.wasm.lzma PAGE.html`, from the folder of the repository.

#![allow(clippy::print_stderr, reason = "a tool that says why it can't go on")]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use scenario::input::InputError;
use scenario::{Document, Methods};
use serde_json::{Value, json};
use session::{Chosen, GalleryEntry, Session};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [gallery, engine, page] = &words[..] else {
        eprintln!("give the gallery, the engine and the page");
        return ExitCode::from(2);
    };
    match write(gallery, engine, page) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(gallery: &str, engine: &str, page: &str) -> Result<(), Box<dyn Error>> {
    let gallery: Value = toml::from_str(&std::fs::read_to_string(gallery)?)?;
    let methods = Arc::new(Methods::builtin());
    let mut scenes = gallery["scene"].as_array().cloned().unwrap_or_default();
    for scene in &mut scenes {
        let file = scene["file"].as_str().unwrap_or_default().to_owned();
        let text = alone(&std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?);
        let document = Document::from_text(&text, Path::new(""), &[], &methods)?;
        scene["title"] = json!(document.title().unwrap_or(file));
        scene["toml"] = json!(text);
    }
    let text = |scene: &Value, key: &str| scene[key].as_str().unwrap_or_default().to_owned();
    let texts: Vec<String> = scenes.iter().map(|scene| text(scene, "toml")).collect();
    let entry = |scene: &Value| GalleryEntry { title: text(scene, "title"), file: text(scene, "file") };
    let session = Session::new(scenes.iter().map(entry).collect(), u64::MAX, move |chosen| match chosen {
        Chosen::Entry(index) => Document::from_text(&texts[*index], Path::new(""), &[], &methods),
        Chosen::Text(_) => Err(InputError::without_place("the gallery alone is drawn")),
    });
    let engine = BASE64_STANDARD.encode(std::fs::read(engine)?);
    Ok(std::fs::write(page, session.whole(&engine, scenes)?)?)
}

/// A scenario that needs no file beside it: curves of the repository are built in.
fn alone(text: &str) -> String {
    let line = |line: &str| match line.split_once("/curves/").zip(line.split_once('"')) {
        Some(((_, after), (before, _))) => format!("{before}\"{}", after.replacen(".toml", "", 1)),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}
