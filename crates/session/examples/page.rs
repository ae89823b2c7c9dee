//! Writes the page with everything in it: `page GALLERY.toml ENGINE.wasm.lzma MATTER.js.lzma PAGE.html`, from the folder of the repository.

#![allow(clippy::print_stderr, reason = "a tool that says why it can't go on")]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use scenario::{Document, Methods};
use serde_json::{Value, json};
use session::Session;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [gallery, engine, matter, page] = &words[..] else {
        eprintln!("give the gallery, the engine, matter-js and the page");
        return ExitCode::from(2);
    };
    match write(gallery, engine, matter, page) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(gallery: &str, engine: &str, matter: &str, page: &str) -> Result<(), Box<dyn Error>> {
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
    let session = Session::of_texts(&scenes, u64::MAX);
    let [engine, matter] = [engine, matter].map(|file| std::fs::read(file).map(|bytes| letters(&bytes)));
    Ok(std::fs::write(page, session.whole(&engine?, scenes, &matter?)?)?)
}

/// Letters that stand for bits: the first ones for 6, the others for 7, as many as gzip then gives to each. (Repetitions by chance, of which
/// base64 has more, cost gzip 1 %.) All that is printable but `<`; `unlettered` of `page/compiled.js` reads them.
fn letters(bytes: &[u8]) -> String {
    const SHORT: usize = 34;
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| usize::from(*byte >> (7 - at % 8) & 1));
    let bits = |at: usize, count: usize| (at..at + count).fold(0, |value, at| 2 * value + bit(at));
    let letters: Vec<char> = (' '..='~').filter(|letter| *letter != '<').collect();
    let (mut text, mut at) = (String::new(), 0);
    while at < 8 * bytes.len() {
        let short = bits(at, 6) < SHORT;
        text.push(letters[if short { bits(at, 6) } else { bits(at, 7) - SHORT }]);
        at += if short { 6 } else { 7 };
    }
    text
}

/// A scenario that needs no file beside it: curves of the repository are built in.
fn alone(text: &str) -> String {
    let line = |line: &str| match line.split_once("/curves/").zip(line.split_once('"')) {
        Some(((_, after), (before, _))) => format!("{before}\"{}", after.replacen(".toml", "", 1)),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}
