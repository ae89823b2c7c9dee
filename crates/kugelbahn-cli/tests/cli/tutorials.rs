//! The tutorials of the book, page by page: files are written, commands run, outputs compared.

use std::path::Path;
use std::process::Command;

use crate::common::Place;

/// A fenced block: its language and its lines.
struct Block<'a> {
    language: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some(Block { language, lines: Vec::new() }),
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block of the page is not closed");
    blocks
}

/// The file that a block is: its first line is a comment with the name.
fn file_name<'a>(block: &Block<'a>) -> Option<&'a str> {
    let first = block.lines.first()?.trim();
    let name = first.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")).or(first.strip_prefix("# "))?;
    (!name.contains(' ') && name.contains('.')).then_some(name)
}

/// Whether two words are the same, or numbers that rounding has a part in: it differs from machine to machine.
fn same_word(told: &str, said: &str) -> bool {
    let number = |word: &str| {
        let word = word.trim_matches(|c: char| !(c.is_ascii_digit() || c == '-' || c == '.'));
        word.contains('e').then(|| word.parse::<f64>().ok()).flatten()
    };
    told == said
        || match (number(told), number(said)) {
            (Some(a), Some(b)) if a.abs().max(b.abs()) < 1e-11 => true,
            (Some(a), Some(b)) => a.abs().max(b.abs()) < 1e-9 && (a - b).abs() <= 0.05 * a.abs(),
            _ => false,
        }
}

/// Word by word; `…` stands for any words.
fn same_line(told: &str, said: &str) -> bool {
    fn same(told: &[&str], said: &[&str]) -> bool {
        match told.split_first() {
            None => said.is_empty(),
            Some((&"…", rest)) => (0..=said.len()).any(|skipped| same(rest, &said[skipped..])),
            Some((word, rest)) => !said.is_empty() && same_word(word, said[0]) && same(rest, &said[1..]),
        }
    }
    same(&told.split_whitespace().collect::<Vec<_>>(), &said.split_whitespace().collect::<Vec<_>>())
}

/// Finds the lines of a block in what was printed, from a line on; where they end.
fn find(told: &[&str], printed: &[&str], from: usize) -> Option<usize> {
    let Some((first, rest)) = told.split_first() else { return Some(from) };
    if *first == "…" {
        return (from..=printed.len()).find_map(|at| find(rest, printed, at));
    }
    (from < printed.len() && same_line(first, printed[from])).then(|| find(rest, printed, from + 1)).flatten()
}

fn run_page(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("book/src/tutorials").join(name)).unwrap();
    let place = Place::new();
    let folder = place.path("book/page");
    std::fs::create_dir_all(&folder).unwrap();
    for given in ["scenarios", "curves"] {
        std::fs::create_dir_all(place.path(given)).unwrap();
        for entry in std::fs::read_dir(root.join(given)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), place.path(given).join(entry.file_name())).unwrap();
        }
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_kugelbahn")).parent().unwrap().to_owned();
    let search = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let (mut printed, mut from, mut compared) = (String::new(), 0, 0);
    for block in blocks(&page) {
        if let Some(name) = file_name(&block) {
            std::fs::write(folder.join(name), block.lines.join("\n") + "\n").unwrap();
        } else if block.language == "sh" {
            let script = block.lines.join("\n");
            let output =
                Command::new("sh").args(["-c", &script]).current_dir(&folder).env("PATH", &search).output().unwrap();
            printed = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
            from = 0;
        } else if block.language == "text" {
            let lines: Vec<&str> = printed.lines().collect();
            let at = (from..=lines.len()).find_map(|start| find(&block.lines, &lines, start));
            let told = block.lines.join("\n");
            from = at.unwrap_or_else(|| panic!("{name}: the page has\n{told}\n\nthe program printed\n{printed}"));
            compared += 1;
        }
    }
    assert!(compared > 0, "{name}: no output compared");
}

#[test]
fn a_ball_that_never_stops_bouncing() {
    run_page("bouncing.md");
}

#[test]
fn which_integrator() {
    run_page("integrators.md");
}

#[test]
fn from_a_drawing_to_a_marble_run() {
    run_page("drawing.md");
}

#[test]
fn from_a_film_to_a_coefficient() {
    run_page("film.md");
}

#[test]
fn from_a_laptop_to_many_runs() {
    run_page("sweeps.md");
}
