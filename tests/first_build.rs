//! The first command compiles none of the crates that are large and that it has no use for.

use std::collections::{BTreeMap, BTreeSet};

/// Packages of `Cargo.lock` with the names of those that they depend on, for tests too.
fn packages(lock: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut packages = BTreeMap::<&str, Vec<&str>>::new();
    for package in lock.split("[[package]]").skip(1) {
        let mut strings = package.split('"').skip(1).step_by(2);
        let name = strings.next().expect("a name");
        let needed = package.split_once("dependencies = [").map_or("", |(_, list)| list);
        // A dependency is its name, with its version where several are in use.
        let names = needed.split('"').skip(1).step_by(2).filter_map(|needed| needed.split(' ').next());
        packages.entry(name).or_default().extend(names);
    }
    packages
}

#[test]
fn the_command_line_compiles_nothing_large_or_unmaintained() {
    let packages = packages(include_str!("../Cargo.lock"));
    let (mut reached, mut next) = (BTreeSet::new(), vec!["kugelbahn-cli"]);
    while let Some(name) = next.pop() {
        if reached.insert(name) {
            next.extend(&packages[name]);
        }
    }
    println!("{} packages of {}", reached.len(), packages.len());
    assert!(reached.contains("kugelbahn-supervisor") && reached.contains("nalgebra"), "{reached:?}");
    for large in ["faer", "kugelbahn-lagrange", "kugelbahn-schemes", "wide", "icu_segmenter", "argmin", "paste"] {
        assert!(!reached.contains(large), "{large}: see CONTRIBUTING.md, \"What it costs, and why\"");
    }
}

/// Packages with their features, as `cargo tree` tells them.
fn featured(arguments: &[&str]) -> BTreeSet<String> {
    let mut tree = std::process::Command::new(env!("CARGO"));
    let place = env!("CARGO_MANIFEST_DIR");
    let told = tree.current_dir(place).args(["tree", "--offline", "--no-dedupe", "--prefix=none", "--format={p} {f}"]);
    let told = told.args(arguments).output().expect("cargo");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    // Without places and marks, such as (proc-macro).
    let bare = |line: &str| line.split(' ').filter(|part| !part.starts_with('(')).collect::<Vec<_>>().join(" ");
    String::from_utf8_lossy(&told.stdout).lines().map(bare).collect()
}

/// A library of which tests ask for more is compiled again for them, and so is all that stands on it.
#[test]
fn cargo_test_takes_what_cargo_run_compiled() {
    let run = featured(&["--package=kugelbahn-cli", "--edges=normal,build"]);
    let test = featured(&["--workspace", "--edges=normal,build,dev"]);
    let again: Vec<&String> = run.difference(&test).collect();
    assert!(
        run.len() > 100 && again.is_empty(),
        "ask for their features in crates/kugelbahn-cli/Cargo.toml: {again:?}"
    );
}
