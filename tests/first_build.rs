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
