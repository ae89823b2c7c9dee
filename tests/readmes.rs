//! The README of each crate tells in which file a question is decided; the files are there.

use std::fs;
use std::path::Path;

#[test]
fn each_crate_says_which_file_answers_which_question() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let folders = fs::read_dir(&crates).expect("the folder of the crates");
    let mut missing = Vec::new();
    for folder in folders.map(|entry| entry.expect("a folder").path()) {
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        let rows = readme.lines().skip_while(|line| *line != "| question | file |").skip(2);
        let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
        if rows.is_empty() {
            missing.push(format!("{}: no table of questions and files", folder.display()));
        }
        for row in rows {
            let answer = row.rsplit_once(" | ").expect("two cells").1;
            // Every second part stands between backticks.
            for name in answer.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") || name.ends_with('/'))
            {
                if !folder.join("src").join(name).exists() {
                    missing.push(format!("{}: {name}", folder.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Whether a file of this name is anywhere below a folder.
fn is_below(folder: &Path, name: &str) -> bool {
    fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .any(|path| path.file_name().is_some_and(|own| own == name) || path.is_dir() && is_below(&path, name))
}

/// Code that the book and SECURITY.md name is at its path, from the root, from a crate's folder or from its `src`; a bare name is a file of some crate.
#[test]
fn documents_name_files_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates: Vec<_> =
        fs::read_dir(root.join("crates")).expect("the crates").map(|entry| entry.expect("a folder").path()).collect();
    let is_there = |name: &str| {
        let Some((first, rest)) = name.split_once('/') else { return is_below(&root.join("crates"), name) };
        let of_crate = root.join("crates").join(first);
        root.join(name).exists()
            || [of_crate.join("src"), of_crate].iter().any(|folder| folder.join(rest).exists())
            || crates.iter().any(|folder| folder.join("src").join(name).exists())
    };
    let (mut paths, mut missing, mut named) = (vec![root.join("book/src"), root.join("SECURITY.md")], Vec::new(), 0);
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).expect("a folder of the book").map(|entry| entry.expect("a page").path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs")) {
            named += 1;
            if !is_there(name) {
                missing.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(named > 40 && missing.is_empty(), "{named} files named, missing:\n{}", missing.join("\n"));
}
