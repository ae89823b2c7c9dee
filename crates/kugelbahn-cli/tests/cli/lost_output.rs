//! Output that can't be written: an error that says so, and nothing half written.

use crate::bad_input::says;
use crate::common::Place;

#[test]
fn outputs_that_cannot_be_written() {
    let place = Place::new();
    place.write("file", "precious");
    for out in ["file", "file/below", "/proc/nothing/here"] {
        let outcome = place.kugelbahn(&["run", "drop.toml", "--out", out]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{out}");
        says(&outcome.stderr, &["can't write", out, "choose a place that can be written"]);
    }
    assert_eq!(place.read("file"), "precious");
    assert_eq!(place.files("."), ["drop.toml", "file", "hills.toml"]);
}

#[test]
fn a_drawing_into_a_folder_that_is_not_there_says_which() {
    let place = Place::new();
    for verb in ["show", "check"] {
        let outcome = place.kugelbahn(&["curves", verb, "hills.toml", "--svg", "no/such/file.svg"]);
        assert_eq!(outcome.code, 2, "{verb}");
        says(&outcome.stderr, &["can't write", "no/such/file.svg", "there is no folder no/such"]);
    }
}

#[test]
fn nothing_is_written_where_one_file_could_not_be() {
    let place = Place::new();
    for name in ["events.csv", "time.svg"] {
        std::fs::create_dir_all(place.path("out").join(name)).unwrap();
        let outcome = place.kugelbahn(&["run", "drop.toml", "--out", "out"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{name}");
        says(&outcome.stderr, &["can't write", name, "is a directory"]);
        assert_eq!(place.files("out"), [name]);
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let place = Place::new();
    for arguments in [
        ["run", "drop.toml", "--json"].as_slice(),
        &["run", "drop.toml"],
        &["run", "drop.toml", "--out", "out"],
        &["curves", "show", "hills.toml"],
        &["--help"],
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let outcome = place.kugelbahn_into(arguments, full);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        says(&outcome.stderr, &["can't write to stdout", "No space left"]);
    }
    // The files are written by then.
    let files = place.files("out");
    assert!(files.len() == 6 && files.contains(&"summary.json".to_owned()), "{files:?}");
}

#[cfg(unix)]
#[test]
fn files_are_as_the_umask_wants_them() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    // A file made in the plain way, by the same umask.
    std::fs::File::create(place.path("plain")).unwrap();
    assert_eq!(place.kugelbahn(&["run", "drop.toml", "--out", "out"]).code, 0);
    let mode = |path: &str| std::fs::metadata(place.path(path)).unwrap().permissions().mode() & 0o777;
    for name in place.files("out") {
        assert_eq!(mode(&format!("out/{name}")), mode("plain"), "{name}");
    }
    let strict = format!("umask 077; {} run drop.toml --quiet --out strict", env!("CARGO_BIN_EXE_kugelbahn"));
    let status = std::process::Command::new("sh").arg("-c").arg(strict).current_dir(place.path(".")).status();
    assert!(status.unwrap().success());
    for name in place.files("strict") {
        assert_eq!(mode(&format!("strict/{name}")), 0o600, "{name}");
    }
}
