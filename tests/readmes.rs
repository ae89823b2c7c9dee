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
