//! `kugelbahn sweep`, the real binary.

use crate::common::{DROP, Place, Table};

const VARY: [&str; 4] = ["--vary", "contact.restitution=0.1..0.9/40", "--observe", "end.x"];

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", "drop.toml"], more].concat()
}

/// What makes no sweep is refused with exit status 2, and no folder comes to be.
#[test]
fn bad_input_writes_nothing() {
    let place = Place::new();
    place.write("text.csv", "contact.restitution,contact.friction\n0.1,0.2\n0.3,much\n");
    let bad: [(&[&str], &str); 17] = [
        (&["--vary", "initial.velocity.x=1,2", "--vary", "initial.velocity.0=5,6"], "varies twice"),
        (&[VARY[0], VARY[1], "--set", "contact.restitution=0.5"], "`contact.restitution` varies in this sweep"),
        (&["--vary", "initial.velocity.x=1,2", "--set", "initial.velocity.0=0.5"], "set it or vary it"),
        (&["--vary", "contact.restitution=0..1/200", "--observe", "every 1e-9 s: x"], "more than 1000000 rows"),
        (&["--vary", "contact.restitution=0.5", "--vary", "contact . restitution=0.6"], "varies twice"),
        (&["--vary", "initial.velocity.x=1,2", "--vary", "initial.velocity.00=5,6"], "varies twice"),
        (&["--vary", "sweep.seed=1,2"], "says what varies"),
        (&["--vary", "contact.restitution=0..1/5", "--design", "sobol"], "--design sobol without --sample"),
        (&["--vary", "contact.restitutoin=0..1/5"], "did you mean `restitution`?"),
        (&["--vary", "contact.restitution=0..1/5", "--observe", "impct.3.x"], "did you mean `impact`?"),
        (&["--vary", "contact.restitution=0..1/5", "--observe", "impact.3.sped"], "did you mean `speed`?"),
        (&["--vary", "contact.restitution=0..1/0"], "an empty grid"),
        (&["--table", "text.csv"], "column `contact.friction`: `much` is no finite number"),
        (&["--vary", "contact.restitution=0..1/1000000000000"], "add --yes"),
        (&["--vary", "contact.restitution=0..1/5", "--format", "parquett"], "csv or parquet"),
        (&["--vary", "contact.restitution=0..1/5", "--shard", "5/5"], "i counts from 0 to N - 1"),
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
    assert!(code == 0 && told.starts_with("10 of 40 runs"), "{told}");
    for gaps in
        [["5", "1", "5", "5"], ["6", "4", "0", "6"], ["9", "2", "5", "9"], ["x", "4", "0", "3"], ["0", "4", "1", "4"]]
    {
        let (code, _, why) = task(gaps);
        assert!(code == 2 && why.contains("array"), "{gaps:?}: {why}");
    }
}

/// What a folder says of numbers reads back to the last bit.
#[test]
fn any_number_of_the_scenario_is_the_same_sweep_again() {
    let place = Place::new();
    for speed in ["393.35362306983956", "0.1234567890123456", "1e-300"] {
        let set = format!("initial.velocity.x={speed}");
        let made = place.kugelbahn(&sweep(&[&VARY, &["--set", &set, "--out", speed][..]].concat()));
        assert_eq!(made.code, 0, "{}", made.stderr);
        let verified = place.kugelbahn(&["sweep", "verify", speed]);
        assert_eq!(verified.code, 0, "{speed}: {}", verified.stderr);
    }
}

/// A key that can be set as a number can be set beside a word, too.
#[test]
fn an_entry_of_a_pair_that_the_file_does_not_have() {
    let place = Place::new();
    let still = DROP.replace("velocity = [0.3, 0.0]\n", "");
    place.write("drop.toml", &still);
    let vary = ["--vary", "initial.velocity.x=0.25,0.5", "--vary", "forces.gravity.x=0.5", "--observe", "end.x"];
    let words = [&vary[..], &["--vary", "title=a,b"]].concat();
    for (more, out) in [(&vary[..], "numbers"), (&words, "words")] {
        let made = place.kugelbahn(&sweep(&[more, &["--out", out][..]].concat()));
        assert_eq!(made.code, 0, "{}", made.stderr);
        let merged = place.kugelbahn(&["sweep", "merge", out, "-o", &format!("{out}.csv")]);
        assert_eq!(merged.code, 0, "{}", merged.stderr);
    }
    let [numbers, words] = ["numbers.csv", "words.csv"].map(|file| Table::read(&place, file).numbers("end.x"));
    assert_eq!([numbers[0], numbers[0], numbers[1], numbers[1]], words[..]);
    let set = ["run", "drop.toml", "--set", "initial.velocity.x=0.25", "--set", "forces.wind.y=1", "--quiet"];
    assert_eq!(place.kugelbahn(&set).code, 0);
    let wrong = place.kugelbahn(&["run", "drop.toml", "--set", "initial.velocity.z=0.25"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("no entry `z`"), "{}", wrong.stderr);
}

/// Pictures are SVG; of half a sweep they say so; a column that is not there is named.
#[test]
fn pictures_say_what_they_lack() {
    let place = Place::new();
    let half = place.kugelbahn(&sweep(&[&VARY, &["--shard", "0/2", "--out", "half"][..]].concat()));
    assert_eq!(half.code, 0, "{}", half.stderr);
    let plot = |more: &[&str]| place.kugelbahn(&[&["sweep", "plot", "half"], more].concat());
    let nothing = plot(&["--x", "end.x", "--y", "end", "--colour", "reason"]);
    assert!(nothing.stderr.contains("no row has finite numbers of reason"), "{}", nothing.stderr);
    let drawn = plot(&["--x", "end.x", "-o", "x.svg"]);
    assert!(drawn.code == 0 && drawn.stderr.contains("only 20 of 40 runs"), "{}", drawn.stderr);
    assert!(plot(&["--x", "end.x", "-o", "x.png"]).stderr.contains("a picture is SVG"));
    assert!(plot(&["--x", "end", "--y", "tt"]).stderr.contains("no column `tt`"));
    assert!(plot(&["--x", "exit"]).stderr.contains("no row has finite numbers of exit\n"));
    assert!(!place.path("x.png").exists());
}

/// What is in a folder can be read wherever it is, also without the files that its runs were made from.
#[test]
fn a_folder_is_read_without_its_files() {
    let place = Place::new();
    std::fs::create_dir(place.path("files")).unwrap();
    place.write("files/table.csv", "contact.restitution,initial.velocity.x\n0.2,0.1\n0.5,0.2\n0.7,0.3\n");
    place.write("files/points.csv", "x,y\n-9,0\n0,0.1\n9,0\n");
    place.write("files/hills.toml", "kind = \"csv\"\nfile = \"points.csv\"\nas = \"polyline\"\n");
    place.write("files/ground.toml", DROP);
    let make = |folder: &str| {
        let [scenario, table] = ["ground.toml", "table.csv"].map(|name| format!("{folder}/{name}"));
        let observe = ["--observe", "impact.1.x", "--observe", "impact.99.x", "--observe", "every impact: x"];
        place.kugelbahn(&[&["sweep", &scenario, "--table", &table, "--out", "rows"][..], &observe].concat())
    };
    let made = make("files");
    assert_eq!(made.code, 0, "{}", made.stderr);
    let line = |name: &str| made.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    let none: Vec<String> = line("impact.99.x").split_whitespace().map(str::to_owned).collect();
    assert_eq!(none, ["impact.99.x", "3", "-", "-", "-", "-", "-"], "{}", made.stdout);
    std::fs::rename(place.path("files"), place.path("moved")).unwrap();
    let told = place.kugelbahn(&["sweep", "status", "rows"]).stdout;
    assert!(told.contains("3 of 3 runs") && told.contains("no impact.99.x in 3 of 3"), "{told}");
    assert_eq!(place.kugelbahn(&["sweep", "merge", "rows", "-o", "all.csv"]).code, 0);
    assert_eq!(Table::read(&place, "all.csv").rows.len(), 3);
    let plot = |x: &str, y: &str| place.kugelbahn(&["sweep", "plot", "rows", "--x", x, "--y", y, "-o", "a.svg"]);
    assert_eq!(plot("initial.velocity.x", "impact.1.x").code, 0);
    let svg = place.read("a.svg");
    assert!(svg.contains("initial.velocity.x [m/s]") && svg.contains("impact.1.x [m]"), "{svg}");
    // Keys beside rows of a section are read from the table.
    let outcome = plot("initial.velocity.x", "x");
    assert!(outcome.code == 2 && outcome.stderr.contains("can't read the table"), "{}", outcome.stderr);
    let verified = place.kugelbahn(&["sweep", "verify", "rows"]);
    assert!(verified.code == 2 && verified.stderr.contains("table.csv"), "{}", verified.stderr);
    // The same command from where the files are now: the same sweep.
    let again = make("moved");
    assert!(again.code == 0 && again.stdout.contains("3 of them found there"), "{} {}", again.stdout, again.stderr);
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
    let streamed = place.kugelbahn(&["sweep", "merge", "out", "-o", "/dev/stdout"]);
    assert!(streamed.code == 0 && streamed.stdout == rows, "{}", streamed.stderr);
    assert_eq!(place.kugelbahn(&["sweep", "merge", "out", "-o", "/dev/null"]).code, 0);
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
    assert!(other.code == 2 && other.stderr.contains("its option --vary differs"), "{}", other.stderr);
    assert_eq!(place.files("out"), before);
    let none = place.kugelbahn(&["sweep", "status", "."]);
    assert!(none.code == 2 && none.stderr.contains("no sweep"), "{}", none.stderr);
}

/// Symptom: a table with semicolons and decimal commas, as spreadsheets write it, had one key without a name. Cause: sweeps had a reader of
/// their own.
#[test]
fn tables_of_spreadsheets_are_read() {
    let place = Place::new();
    place.write("ground.toml", DROP);
    let plain = "contact.restitution,initial.velocity.x\n0.25,0.1\n0.5,1234.5\n";
    let german = "contact.restitution;initial.velocity.x\n0,25;0,1\n0,5;1.234,5\n";
    let wide: Vec<u8> = format!("\u{feff}{german}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let made = |name: &str, table: &[u8]| {
        std::fs::write(place.path("table.csv"), table).unwrap();
        let observe = ["--observe", "end.x"];
        let outcome =
            place.kugelbahn(&[&["sweep", "ground.toml", "--table", "table.csv", "--out", name][..], &observe].concat());
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        assert_eq!(place.kugelbahn(&["sweep", "merge", name, "-o", &format!("{name}.csv")]).code, 0);
        place.read(&format!("{name}.csv"))
    };
    let rows = made("plain", plain.as_bytes());
    assert!(rows.contains("1234.5"), "{rows}");
    assert_eq!(made("german", german.as_bytes()), rows);
    assert_eq!(made("wide", &wide), rows);
    place.write("short.csv", "contact.restitution,initial.velocity.x\n0.25,0.1\n0.5\n");
    let outcome = place.kugelbahn(&["sweep", "ground.toml", "--table", "short.csv", "--out", "short"]);
    assert!(outcome.stderr.contains("row 3 has 1 cells, and the table 2 keys"), "{}", outcome.stderr);
}

/// Each observed number is told in a few: none, mean, deviation, quantiles. Of equally spread speeds they are known.
#[test]
fn observed_numbers_are_summed_up() {
    let place = Place::new();
    let vary = ["--vary", "initial.velocity.x=0..1/101", "--observe", "x(t=0.1)", "--observe", "impact.99.x"];
    let told = place.kugelbahn(&sweep(&[&vary[..], &["--out", "rows"]].concat()));
    assert_eq!(told.code, 0, "{}", told.stderr);
    let cells = |name: &str| -> Vec<String> {
        let line = told.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(cells("observed"), ["observed", "none", "mean", "deviation", "5", "%", "median", "95", "%"]);
    // Places 0 … 0.1 m: their variance is (n + 1)/(n - 1) of 0.1²/12.
    assert_eq!(cells("x(t=0.1)"), ["x(t=0.1)", "0", "0.05", "0.0293", "0.005", "0.05", "0.095"]);
    assert_eq!(cells("impact.99.x")[1], "101");
    let again = place.kugelbahn(&sweep(&[&vary[..], &["--out", "rows", "--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    let found = &json["observed"]["x(t=0.1)"];
    assert!((found["mean"].as_f64().unwrap() - 0.05).abs() < 1e-12 && found["count"] == 101, "{found}");
    assert!((found["quantiles"][4].as_f64().unwrap() - 0.1).abs() < 1e-12, "{found}");
}
