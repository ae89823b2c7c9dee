//! `kugelbahn sweep`, the real binary.

use crate::common::Place;

const VARY: [&str; 4] = ["--vary", "contact.restitution=0.1..0.9/40", "--observe", "end.x"];

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", "drop.toml"], more].concat()
}

/// What makes no sweep is refused with exit status 2, and no folder comes to be.
#[test]
fn bad_input_writes_nothing() {
    let place = Place::new();
    place.write("text.csv", "contact.restitution,contact.friction\n0.1,0.2\n0.3,much\n");
    let bad: [(&[&str], &str); 11] = [
        (&["--vary", "initial.velocity.x=1,2", "--vary", "initial.velocity.0=5,6"], "varies twice"),
        (&["--vary", "contact.restitution=0..1/5", "--observe", "every 1e-9 s: x"], "rows in each run is too long"),
        (&["--vary", "contact.restitutoin=0..1/5"], "did you mean `restitution`?"),
        (&["--vary", "contact.restitution=0..1/5", "--observe", "impct.3.x"], "did you mean `impact`?"),
        (&["--vary", "contact.restitution=0..1/5", "--observe", "impact.3.sped"], "did you mean `speed`?"),
        (&["--vary", "contact.restitution=0..1/0"], "an empty grid"),
        (&["--table", "text.csv"], "the cell `much` of column `contact.friction` is no number"),
        (&["--vary", "contact.restitution=0..1/1000000000000"], "add --yes"),
        (&["--vary", "contact.restitution=0..1/5", "--format", "parquett"], "csv or parquet"),
        (&["--vary", "contact.restitution=0..1/5", "--shard", "5/5"], "count from 0 to 5 - 1"),
        (&["--vary", "contact.restitution=0..1/5", "--shard", "slurm"], "SLURM_ARRAY_TASK_ID"),
    ];
    for (arguments, says) in bad {
        let outcome = place.kugelbahn(&sweep(&[arguments, &["--out", "out"]].concat()));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(outcome.stderr.contains(says), "{arguments:?}: {}", outcome.stderr);
        assert!(!place.path("out").exists(), "{arguments:?}");
    }
    #[cfg(not(feature = "parquet"))]
    {
        let outcome = place.kugelbahn(&sweep(&[&VARY, &["--format", "parquet", "--out", "out"][..]].concat()));
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.contains("--features parquet"), "{}", outcome.stderr);
    }
}

/// A task of an array is a shard where the array has no gaps.
#[test]
fn shards_of_slurm() {
    let place = Place::new();
    let task = |[id, count, min, max]: [&str; 4]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_kugelbahn"))
            .args(sweep(&[&VARY, &["--shard", "slurm", "--out", &format!("out{id}-{count}")][..]].concat()))
            .current_dir(place.path(""))
            .env("SLURM_ARRAY_TASK_ID", id)
            .env("SLURM_ARRAY_TASK_COUNT", count)
            .env("SLURM_ARRAY_TASK_MIN", min)
            .env("SLURM_ARRAY_TASK_MAX", max)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    };
    let (code, told, _) = task(["3", "4", "1", "4"]);
    assert!(code == 0 && told.starts_with("10 runs of 40"), "{told}");
    for gaps in [["6", "4", "0", "6"], ["9", "2", "5", "9"], ["x", "4", "0", "3"], ["0", "4", "1", "4"]] {
        let (code, _, why) = task(gaps);
        assert!(code == 2 && why.contains("array"), "{gaps:?}: {why}");
    }
}

/// Pictures are SVG; of half a sweep they say so; a column that is not there is named.
#[test]
fn pictures_say_what_they_lack() {
    let place = Place::new();
    let half = place.kugelbahn(&sweep(&[&VARY, &["--shard", "0/2", "--out", "half"][..]].concat()));
    assert_eq!(half.code, 0, "{}", half.stderr);
    let plot = |more: &[&str]| place.kugelbahn(&[&["sweep", "plot", "half"], more].concat());
    let drawn = plot(&["--x", "end.x", "-o", "x.svg"]);
    assert!(drawn.code == 0 && drawn.stderr.contains("only 20 of 40 runs"), "{}", drawn.stderr);
    assert!(plot(&["--x", "end.x", "-o", "x.png"]).stderr.contains("a picture is SVG"));
    assert!(plot(&["--x", "end", "--y", "tt"]).stderr.contains("no column `tt`"));
    assert!(plot(&["--x", "exit"]).stderr.contains("no row has finite numbers of exit\n"));
    assert!(!place.path("x.png").exists());
}

/// 10⁴ runs of which 3 % stop: all rows are there, reasons are counted, exit status 0 with a warning; 1 with `--strict`.
#[test]
fn runs_that_stop_are_counted() {
    let place = Place::new();
    // Restitution beyond 1 for 3 in 100.
    let arguments = ["--sample", "contact.restitution ~ uniform(0.03, 1.03)", "--count", "10000", "--design", "latin"];
    let outcome =
        place.kugelbahn(&sweep(&[&arguments, &["--set", "solver.duration=0.5", "--out", "out"][..]].concat()));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stderr.starts_with("warning: 300 of 10000 runs did not come to their end (refused 300)"),
        "{}",
        outcome.stderr
    );
    let again = place.kugelbahn(&sweep(
        &[&arguments, &["--set", "solver.duration=0.5", "--out", "out", "--strict", "--json"][..]].concat(),
    ));
    assert_eq!(again.code, 1);
    let told: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!((&told["found"], &told["exits"]["refused"]), (&10000.into(), &300.into()));
    let merged = place.kugelbahn(&["sweep", "merge", "out", "-o", "all.csv"]);
    assert_eq!((merged.code, merged.stdout.as_str()), (0, "10000 rows in all.csv\n"));
    let rows = place.read("all.csv");
    assert!(rows.lines().skip(1).map(|row| row.split(',').next().unwrap()).eq((0..10000).map(|i| i.to_string())));
    assert_eq!(rows.lines().filter(|row| row.contains(",refused,")).count(), 300);
    let verified = place.kugelbahn(&["sweep", "verify", "out"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    let told = place.kugelbahn(&["sweep", "status", "out"]);
    assert!(
        told.stdout.starts_with("10000 of 10000 runs, ") && told.stdout.contains("  refused        300\n"),
        "{}",
        told.stdout
    );
}

/// The table `[sweep]` says the same as options, which go before it; `run` does not mind it.
#[test]
fn a_table_of_the_scenario_says_what_options_say() {
    let place = Place::new();
    let table = "[sweep]\nvary = [\"contact.restitution=0.1..0.9/40\"]\nobserve = [\"end.x\"]\n";
    place.write("with.toml", place.read("drop.toml") + table);
    let merged = |scenario: &str, arguments: &[&str], out: &str| {
        let outcome = place.kugelbahn(&[&["sweep", scenario, "--out", out], arguments].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(place.kugelbahn(&["sweep", "merge", out, "-o", "all.csv"]).code, 0);
        place.read("all.csv")
    };
    let of_options = merged("drop.toml", &VARY, "a");
    assert_eq!(merged("with.toml", &[], "b"), of_options);
    let fewer = merged("with.toml", &["--vary", "contact.restitution=0.1,0.9"], "c");
    assert_eq!(fewer.lines().nth(2).map(|row| row.replacen("1,", "39,", 1)).as_deref(), of_options.lines().last());
    assert_eq!(place.kugelbahn(&["run", "with.toml", "--quiet"]).code, 0);
    place.write("typo.toml", place.read("with.toml").replace("observe", "obsrve"));
    let outcome = place.kugelbahn(&["sweep", "typo.toml", "--out", "d"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("did you mean `observe`?"), "{}", outcome.stderr);
}

/// A folder of another sweep, or none: refused.
#[test]
fn folders_are_kept_apart() {
    let place = Place::new();
    assert_eq!(place.kugelbahn(&sweep(&[&VARY, &["--out", "out"][..]].concat())).code, 0);
    let before = place.files("out");
    let other = place.kugelbahn(&sweep(&["--vary", "contact.restitution=0.1..0.9/41", "--out", "out"]));
    assert!(other.code == 2 && other.stderr.contains("out has another sweep"), "{}", other.stderr);
    assert_eq!(place.files("out"), before);
    let none = place.kugelbahn(&["sweep", "status", "."]);
    assert!(none.code == 2 && none.stderr.contains("no sweep"), "{}", none.stderr);
}
