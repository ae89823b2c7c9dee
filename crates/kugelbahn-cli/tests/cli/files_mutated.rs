//! No file may panic or hang its reader: mutations of `fuzz/corpus`, with a fixed seed. What a mutation finds is kept there.

use std::path::{Path, PathBuf};

use crate::entry;
use crate::mutations::{Dice, campaign, mutate, survive};

/// Files of a reader's corpus, in the order of their names.
fn corpus(reader: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(reader);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Bytes that are no text, as disks and editors leave them.
const BYTES: [&[u8]; 8] =
    [b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe4", b"\xed\xa0\x80", b"\x1f\x8b\x08\0", b"\r\n\r\n", b"&a;&lt;<!--"];

/// One or several changes of a file, as text or as bytes.
fn changed(file: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=dice.below(3) {
        match dice.below(6) {
            0 => {
                let at = dice.below(bytes.len() + 1);
                let new = *dice.pick(&BYTES);
                bytes.splice(at..at, new.iter().copied());
            }
            1 => bytes.truncate(dice.below(bytes.len() + 1)),
            2 if !bytes.is_empty() => {
                let at = dice.below(bytes.len());
                bytes[at] ^= 1 << dice.below(8);
            }
            _ => {
                let [text, other] = [&bytes[..], other].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                bytes = mutate(&text, if other.is_empty() { "x" } else { &other }, dice).into_bytes();
            }
        }
    }
    bytes
}

/// 700 files for each reader, or for those that `KUGELBAHN_READERS` names.
#[test]
fn mutated_files_never_panic() {
    let (place, only) = (tempfile::tempdir().unwrap(), std::env::var("KUGELBAHN_READERS").ok());
    for reader in entry::READERS.into_iter().filter(|reader| only.as_ref().is_none_or(|only| only.contains(reader))) {
        let files = corpus(reader);
        campaign(reader, 3, 700, |dice, _| {
            // Of formulas each line is one.
            let lines = |file: &[u8]| file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
            let mut chosen = || {
                let file = dice.pick(&files).clone();
                if reader == "formula" { dice.pick(&lines(&file)).clone() } else { file }
            };
            let (file, other) = (chosen(), chosen());
            let bytes = changed(&file, &other, dice);
            let told = String::from_utf8_lossy(&bytes).into_owned();
            survive(reader, &told, || entry::file(reader, &bytes, place.path()))
        });
    }
}

/// What would end a line's colour, name the window, clear the screen and turn the order of text round.
const CONTROLS: &str = "\u{1b}]0;PWNED\u{7}\u{1b}[31m\u{9b}2J\u{202e}txet\u{7f}";

/// Whether a terminal would do something with a text but show it.
fn is_raw(text: &str) -> bool {
    text.chars()
        .any(|c| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')))
}

/// A scenario with every kind of name, and files that it names.
const NAMED: &str = r#"title = "A drop"
[[ball]]
mass = 1.0
radius = 0.05
[ball.initial]
position = [0.0, 1.0]
[[ground]]
name = "hills"
curve = { kind = "graph", y = "a*sin(x)", parameters = { a = 0.1 } }
[[ground]]
name = "track"
curve = { kind = "svg", file = "a.svg", path = "ground", layer = "layer1" }
[[watch]]
name = "middle"
x = 0.5
[forces]
external = { x = "0.1*sin(t)", y = "0" }
[solver]
method = "newmark"
until = ["watch.middle"]
duration = 1.5
"#;

/// Controls put anywhere into files, options and names of files reach no terminal raw: 200 places, 3000 with `KUGELBAHN_LONG`.
#[test]
fn no_control_character_is_printed() {
    let place = crate::common::Place::new();
    let text = |reader: &str, i: usize| String::from_utf8(corpus(reader).swap_remove(i)).unwrap();
    let (toml, mut dice) = ("\\u001b]0;PWNED\\u0007\\u009b2J\\u202etxet\\u007f", Dice(4));
    let files = [
        ("a.toml", NAMED.to_owned()),
        ("a.toml", crate::common::DROP.to_owned()),
        ("c.toml", "kind = \"graph\"\ntitle = \"T\"\ny = \"a*sin(x)\"\n[parameters]\na = 0.1\n".to_owned()),
        ("a.svg", text("svg", 0)),
        ("a.gpx", text("gpx", 0)),
        ("a.csv", text("curve-table", 1)),
        ("film.csv", text("film", 0)),
        ("runs.csv", text("runs", 0)),
    ];
    let commands: [&[&str]; 8] = [
        &["run", "a.toml"],
        &["run", "a.toml", "--json"],
        &["curves", "check", "c.toml"],
        &["curves", "check", "a.svg"],
        &["curves", "show", "gpx.toml"],
        &["curves", "show", "csv.toml"],
        &["fit", "film.csv", "drop.toml", "--free", "initial.velocity"],
        &["sweep", "drop.toml", "--table", "runs.csv", "--out", "out"],
    ];
    let cases = if std::env::var_os("KUGELBAHN_LONG").is_some() { 3000 } else { 200 };
    let (mut shown, mut refused) = (0, 0);
    for case in 0..cases {
        files.iter().for_each(|(name, text)| place.write(name, text));
        place.write("gpx.toml", "kind = \"gpx\"\nfile = \"a.gpx\"\nas = \"polyline\"\n");
        place.write("csv.toml", "kind = \"csv\"\nfile = \"a.csv\"\nas = \"polyline\"\n");
        let (name, text) = dice.pick(&files).clone();
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = *dice.pick(&starts);
        // TOML takes controls as escapes alone, XML none but those of C1.
        let new = match (name.ends_with(".toml"), case % 3) {
            (true, 0 | 1) => toml.to_owned(),
            (false, 0) => CONTROLS.replace(['\u{1b}', '\u{7}'], ""),
            _ => CONTROLS.to_owned(),
        };
        place.write(name, format!("{}{new}{}", &text[..at], &text[at..]));
        let reads = |command: &&&[&str]| match name {
            "a.toml" => command[1] == "a.toml",
            "a.svg" => command.contains(&"a.svg") || command[1] == "a.toml",
            "a.gpx" => command.contains(&"gpx.toml"),
            "a.csv" => command.contains(&"csv.toml"),
            name => command.contains(&name),
        };
        for command in commands.iter().filter(reads) {
            let mut arguments = command.to_vec();
            // Of options, too.
            if case % 7 == 0 {
                arguments.push(if case % 2 == 0 { "--out" } else { "--set" });
                arguments.push(CONTROLS);
            }
            let outcome = place.kugelbahn(&arguments);
            let told = format!("{}{}", outcome.stdout, outcome.stderr);
            assert!(!is_raw(&told), "{name} {arguments:?}: {told:?}");
            shown += usize::from(told.contains("\\u202e") || told.contains("\\u009b") || told.contains("\\u{202e}"));
            refused += usize::from(outcome.code == 2);
        }
        let _ = std::fs::remove_dir_all(place.path("out"));
    }
    println!("{cases} places: {refused} commands refused, {shown} of all show what was put in, escaped");
    assert!(shown > cases / 5, "{shown} of {cases}");
}

/// Sums that overflow panic in the profile of tests: mutations would not find them otherwise.
#[test]
fn tests_check_overflow() {
    let most = std::hint::black_box(u32::MAX);
    assert!(std::panic::catch_unwind(|| std::hint::black_box(most + 1)).is_err());
}
