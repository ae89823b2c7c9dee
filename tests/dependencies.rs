//! Dependencies are what `deny.toml` allows: licences, one version of each, no unmaintained `paste` in the first command.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Packages that builds with all features may use, as cargo tells them.
fn metadata() -> Value {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let told = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--manifest-path", manifest])
        .output()
        .expect("cargo tells its packages");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    serde_json::from_slice(&told.stdout).expect("JSON")
}

/// Strings in the lines of `deny.toml` between a list's beginning and its end.
fn listed(list: &str) -> BTreeSet<&'static str> {
    let (_, rest) = include_str!("../deny.toml").split_once(&format!("{list} = [\n")).expect("a list");
    let lines = rest.lines().take_while(|line| *line != "]").filter(|line| !line.trim_start().starts_with('#'));
    lines.filter_map(|line| line.split('"').nth(1)).collect()
}

/// Whether one of the ways that an expression offers asks for allowed licences alone.
fn is_allowed(licence: &str, allowed: &BTreeSet<&str>) -> bool {
    let one = |way: &str| way.split(" AND ").all(|part| part.contains(" OR ") || allowed.contains(part.trim()));
    let plain = licence.replace('/', " OR ");
    // `(A OR B) AND C`: the part in brackets for itself, and the rest.
    if let Some((inner, rest)) = plain.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        return is_allowed(inner, allowed) && one(rest.trim_start_matches(" AND "));
    }
    plain.split(" OR ").any(one)
}

#[test]
fn dependencies_are_those_allowed() {
    let (metadata, allowed, skipped) = (metadata(), listed("allow"), listed("skip"));
    assert!(is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0", &allowed) && is_allowed("GPL-3.0/MIT", &allowed));
    assert!(!is_allowed("GPL-3.0", &allowed) && !is_allowed("MIT AND GPL-3.0", &allowed));
    assert!(!is_allowed("(GPL-2.0 OR GPL-3.0) AND MIT", &allowed));
    let mut versions = BTreeMap::<&str, BTreeSet<&str>>::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str().expect("a word"));
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{name} {version}: {licence} is not among `allow` of deny.toml");
        versions.entry(name).or_default().insert(version);
    }
    assert!(versions.len() > 200, "{} packages", versions.len());
    versions.retain(|_, versions| versions.len() > 1);
    let several: BTreeSet<&str> = versions.keys().copied().collect();
    assert_eq!(several, skipped, "packages in several versions, and those that deny.toml gives reasons for");
}
