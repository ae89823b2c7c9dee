//! A run that is ended goes on from its checkpoint to the last bit.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::Place;
use crate::safe::{HOW, ended_by, put, set, spawn, with_failure};

/// A ball on a shaken table (seconds of it), with what its solver says.
fn shaken(duration: f64, solver: &str) -> String {
    format!(
        "ball.radius = 0.01\ninitial = {{ position = [0, 0.01], velocity = [0.1, 0.5] }}\n\
         ground = {{ curve = {{ kind = 'graph', y = '0*x' }}, motion = {{ y = '0.004*sin(60*t)' }} }}\n\
         contact = {{ restitution = 0.5, friction = 0.1 }}\n\
         solver = {{ duration = {duration}, limit = 1e9, {solver} }}\noutput.interval = 0.5\n"
    )
}

/// A ball that rolls to and fro in a bowl and meets its corner, with what its solver says.
fn bowl(duration: f64, solver: &str) -> String {
    format!(
        "ball.radius = 0.01\ninitial.contact = {{ x = 0.3, speed = 0.4 }}\n\
         ground.curve = {{ kind = 'graph', y = '0.2*x^2 + 0.02*abs(x)' }}\n\
         contact = {{ friction = 0.3, restitution = 0.3 }}\n[[watch]]\nname = 'middle'\nx = 0.05\n\
         [solver]\nduration = {duration}\n{solver}\n[output]\ninterval = 0.1\ntimes = [0.123, 7.7]\n"
    )
}

/// Lets a run be killed at some of its calls that change files, or those fail, and lets it go on until it is over: its files are those of a run that was not ended.
fn goes_on(place: &Place, moments: usize) {
    let run = ["run", "long.toml", "--quiet", "--checkpoint", "0", "--out"];
    assert_eq!(place.kugelbahn(&[&run[..], &["whole"]].concat()).code, 0);
    let whole = set(place, "whole");
    let count = place.path("count").display().to_string();
    with_failure(place, &[&run[..], &["whole"]].concat(), usize::MAX, &[("FAIL_COUNT", &count)]);
    let calls: f64 = place.read("count").parse().unwrap();
    let mut resumed = 0;
    for (part, how) in [(0.4, 3), (0.6, 3), (0.3, 1), (0.8, 2), (0.97, 3)].into_iter().take(moments) {
        let at = (part * calls) as usize;
        let _ = std::fs::remove_dir_all(place.path("out"));
        let (mut code, _) = with_failure(place, &[&run[..], &["out"]].concat(), at, HOW[how]);
        while code != 0 {
            // Killed before there was anything to go on from, it is made again.
            let there = place.path("out/checkpoint").exists();
            resumed += usize::from(there);
            let begun = [&run[..], &["out"]].concat();
            let command = if there { &["run", "--resume", "out", "--quiet"] } else { &begun[..] };
            let kill_at = if there && resumed % 2 == 1 { at / 2 } else { usize::MAX };
            let told;
            (code, told) = with_failure(place, command, kill_at, HOW[3]);
            assert!([0, -1, 2].contains(&code), "call {at}: {code} {told}");
        }
        assert_eq!(set(place, "out"), whole, "call {at}");
    }
    assert!(resumed >= 2, "{resumed} of {moments} went on");
}

#[test]
fn a_run_goes_on_to_the_last_bit() {
    let place = Place::new();
    // Seconds of some 8000 steps each.
    let steps = [
        (8.0, "method = 'newmark', step = 1e-3"),
        (140.0, "method = 'newmark', tolerance = 1e-9"),
        (1.5, "method = 'bdf'"),
        (8.0, "method = 'radau'"),
        (50.0, "method = 'dop853', tolerance = 1e-9"),
        (120.0, "method = 'taylor'"),
        (140.0, ""),
    ];
    for (duration, solver) in steps {
        place.write("long.toml", shaken(duration, solver));
        goes_on(&place, 3);
    }
    let formulations = ["index3", "stabilized-index2", "projected", "symmetric", "arc-length"];
    let steps =
        formulations.map(|formulation| format!("method = 'newmark'\nstep = 1e-3\nformulation = '{formulation}'"));
    let adaptive = [(160.0, ""), (160.0, "method = 'newmark'\ntolerance = 1e-9")];
    for (duration, solver) in steps.iter().map(|solver| (8.0, solver.as_str())).chain(adaptive) {
        place.write("long.toml", bowl(duration, solver));
        goes_on(&place, 2);
    }
}

/// In flight a pause is no change at all; on the ground of the numbers of looks alone.
#[test]
fn checkpoints_change_no_bit_of_the_motion() {
    let place = Place::new();
    for (text, files) in [
        (shaken(60.0, ""), ["events.csv", "trajectory.csv", "summary.json"].as_slice()),
        (bowl(20.0, ""), &["events.csv", "trajectory.csv"]),
    ] {
        place.write("long.toml", text);
        let run = ["run", "long.toml", "--quiet", "--no-figures", "--out"];
        assert_eq!(place.kugelbahn(&[&run[..], &["bare"]].concat()).code, 0);
        assert_eq!(place.kugelbahn(&[&run[..], &["kept", "--checkpoint", "0"]].concat()).code, 0);
        for file in files {
            assert!(place.read(&format!("bare/{file}")) == place.read(&format!("kept/{file}")), "{file}");
        }
        assert_eq!(place.files("kept"), place.files("bare"));
    }
}

/// Symptom: a disk that was full before the first checkpoint left tables that no run could go on with.
#[test]
fn what_no_run_can_go_on_with_is_removed() {
    let place = Place::new();
    place.write("long.toml", shaken(140.0, ""));
    let run = ["run", "long.toml", "--quiet", "--checkpoint", "0", "--out", "out"];
    let full: &[(&str, &str)] = &[("FAIL_ON", "1"), ("FAIL_FULL", "1")];
    let (mut gone, mut resumed) = (0, 0);
    for (at, how) in (1..40).flat_map(|at| [(at, HOW[0]), (at, full)]) {
        let (code, told) = with_failure(&place, &run, at, how);
        assert!(code == 2 || code == 0 && how == HOW[0], "call {at}, {how:?}: {code}: {told}");
        if place.path("out/checkpoint").exists() {
            let told = place.kugelbahn(&["run", "--resume", "out", "--quiet"]);
            assert_eq!(told.code, 0, "call {at}, {how:?}: {}", told.stderr);
            resumed += 1;
        } else if code == 2 {
            let left = set(&place, "out");
            assert!(left.is_empty(), "call {at}, {how:?}: {:?}", left.keys());
            gone += 1;
        }
        let _ = std::fs::remove_dir_all(place.path("out"));
    }
    assert!(gone > 10 && resumed > 2, "{gone}, {resumed}");
}

/// A signal leaves results and a checkpoint; what it is not of is refused.
#[test]
fn a_run_ended_by_signals_goes_on() {
    let place = Place::new();
    place.write("shaken.toml", shaken(1e6, ""));
    let run = ["run", "shaken.toml", "--quiet", "--checkpoint", "1000", "--out", "out"];
    let (code, told) = ended_by(&place, "TERM", &run);
    assert!(code == Some(1) && told.contains("what was computed until then is kept"), "{code:?} {told}");
    assert_eq!(place.files("out"), ["checkpoint", "events.csv", "summary.json", "trajectory.csv"]);
    let rows = place.read("out/events.csv").lines().count();
    let (code, told) = ended_by(&place, "INT", &["run", "--resume", "out", "--quiet"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(place.read("out/events.csv").lines().count() > rows);

    let refused = |arguments: &[&str], why: &str| {
        let outcome = place.kugelbahn(arguments);
        assert!(
            outcome.code == 2 && crate::common::unwrapped(&outcome.stderr).contains(why),
            "{why}: {}",
            outcome.stderr
        );
    };
    place.write("shaken.toml", shaken(1e6, "").replace("0.004", "0.0041"));
    refused(&["run", "--resume", "out"], "the scenario is not the one that the checkpoint is of");
    place.write("shaken.toml", shaken(1e6, ""));
    std::fs::write(place.path("out/events.csv"), "index\n").unwrap();
    refused(&["run", "--resume", "out"], "it is not the table that it was at the checkpoint");
    let mut bytes = std::fs::read(place.path("out/checkpoint")).unwrap();
    bytes[40] ^= 1;
    place.write("out/checkpoint", bytes);
    refused(&["run", "--resume", "out"], "it is damaged");
    place.write("out/checkpoint", "");
    refused(&["run", "--resume", "out"], "it is empty");
    refused(&["run", "--resume", "nowhere"], "No such file");
    refused(&["run", "drop.toml", "--checkpoint", "1"], "--out");
    refused(
        &[
            "run",
            "drop.toml",
            "--set",
            "solver.method=moreau",
            "--set",
            "solver.step=1e-3",
            "--checkpoint",
            "1",
            "--out",
            "new",
        ],
        "checkpoints are of one ball",
    );
    assert!(!place.path("new").exists());
}

/// Sum of a checkpoint, its first eight bytes.
fn summed(rest: &[u8]) -> Vec<u8> {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    [&rest.iter().fold(0xcbf2_9ce4_8422_2325, step).to_le_bytes()[..], rest].concat()
}

/// 60 checkpoints and tables that are damaged (600 with `KUGELBAHN_LONG`), of another folder, version or kind: each is refused with its place, the
/// rule and a cure, and nothing in the folder is touched.
#[test]
fn what_a_run_can_not_go_on_from() {
    let place = Place::new();
    place.write("shaken.toml", shaken(140.0, ""));
    let run = ["run", "shaken.toml", "--quiet", "--checkpoint", "0", "--out"];
    let mut ended = Vec::new();
    for (folder, speed) in [("out", "0"), ("other", "0.1")] {
        let more = format!("initial.velocity.x={speed}");
        let command = [&run[..], &[folder, "--set", &more]].concat();
        let count = place.path("count").display().to_string();
        assert_eq!(with_failure(&place, &command, usize::MAX, &[("FAIL_COUNT", &count)]).0, 0);
        std::fs::remove_dir_all(place.path(folder)).unwrap();
        assert_eq!(with_failure(&place, &command, place.read("count").parse::<usize>().unwrap() / 2, HOW[3]).0, -1);
        ended.push(set(&place, folder));
    }
    let (good, other) = (&ended[0], &ended[1]);
    let names: Vec<&String> = good.keys().collect();
    assert_eq!(names, ["checkpoint", "events.csv.growing", "trajectory.csv.growing"]);
    let refused = |what: &str, file: &str, bytes: &[u8], why: &str| {
        put(&place, "out", good);
        place.write(&format!("out/{file}"), bytes);
        let before = set(&place, "out");
        let outcome = place.kugelbahn(&["run", "--resume", "out", "--quiet"]);
        let told = crate::common::unwrapped(&outcome.stderr);
        let named = told.contains("can't go on from out/") && told.contains(why);
        assert!(outcome.code == 2 && named, "{what}: {}: {told}", outcome.code);
        assert!(told.contains("make the run again"), "{what}: {told}");
        assert!(set(&place, "out") == before, "{what}: the folder was changed");
    };
    let checkpoint = &good["checkpoint"];
    let each = if std::env::var_os("KUGELBAHN_LONG").is_some() { 600 } else { 60 };
    for i in 0..each {
        let file = names[usize::from(i % 3 == 2) + usize::from(i % 6 == 5)].as_str();
        let mut bytes = good[file].clone();
        let at = ((i as f64 * 0.618_033_988_749_894_9).fract() * bytes.len() as f64) as usize;
        // Of tables, what the checkpoint does not know is no damage.
        let at = if file == "checkpoint" { at } else { at / 8 };
        let length = bytes.len();
        match i % 4 {
            0 => bytes[at] ^= 1 << (i % 8),
            1 => bytes.truncate(at),
            2 => bytes[at..(at + 40).min(length)].fill(b'0' + (i % 10) as u8),
            _ => bytes.copy_within(at / 2..at / 2 + (length - at).min(100), at),
        }
        if bytes != good[file] {
            let why = format!("from out/{}", file.trim_end_matches(".growing"));
            refused(&format!("{file}, {i}, byte {at}"), file, &bytes, &why);
        }
    }
    refused("of another folder", "checkpoint", &other["checkpoint"], "is not the table");
    refused("a table of another folder", "events.csv.growing", &other["events.csv.growing"], "is not the table");
    refused("empty", "checkpoint", &[], "it is empty");
    refused("seven bytes", "checkpoint", &checkpoint[..7], "it is empty");
    refused("no checkpoint", "checkpoint", &summed(&[]), "another version");
    let mut version = checkpoint[8..].to_vec();
    version[1] ^= 1;
    refused("another version", "checkpoint", &summed(&version), "another version");
    put(&place, "out", good);
    std::fs::File::create(place.path("out/checkpoint")).unwrap().set_len(65 << 20).unwrap();
    assert!(place.kugelbahn(&["run", "--resume", "out"]).stderr.contains("MiB"));
    for link in ["/dev/zero", "nowhere", "checkpoint", "."] {
        std::fs::remove_file(place.path("out/checkpoint")).unwrap();
        std::os::unix::fs::symlink(link, place.path("out/checkpoint")).unwrap();
        let outcome = place.kugelbahn(&["run", "--resume", "out"]);
        assert!(outcome.code == 2 && outcome.stderr.contains("make the run again"), "{link}: {}", outcome.stderr);
    }
    put(&place, "out", good);
    assert_eq!(place.kugelbahn(&["run", "--resume", "out", "--quiet"]).code, 0);
}

/// A run with checkpoints that is killed over old results leaves these, its own, or says that they are not whole; and what
/// it left is gone on with, or refused.
#[test]
fn kills_over_old_results_leave_a_set() {
    let place = Place::new();
    place.write("long.toml", shaken(60.0, ""));
    let run = ["run", "long.toml", "--quiet", "--no-figures", "--out", "out", "--checkpoint", "0"];
    let old = [&run[..6], &["--set", "initial.velocity.x=0.2"]].concat();
    let [before, after] = [&old[..], &run].map(|line| {
        put(&place, "out", &BTreeMap::new());
        assert_eq!(place.kugelbahn(line).code, 0);
        set(&place, "out")
    });
    let count = place.path("count").display().to_string();
    with_failure(&place, &run, usize::MAX, &[("FAIL_COUNT", &count)]);
    let calls: usize = place.read("count").parse().unwrap();
    let (mut refused, mut resumed) = (0, 0);
    // All calls up to two checkpoints, and those at the end.
    for at in (1..30).chain(calls - 20..=calls) {
        put(&place, "out", &before);
        with_failure(&place, &run, at, HOW[3]);
        let mut found = set(&place, "out");
        let begun = found.contains_key("checkpoint");
        let says = found.contains_key("NOT-WHOLE.txt");
        found.retain(|name, _| name != "checkpoint" && !name.ends_with(".growing"));
        assert!(says || found == before || found == after, "call {at}: {:?}", found.keys());
        let mut goes_on = false;
        if begun {
            let outcome = place.kugelbahn(&["run", "--resume", "out", "--quiet"]);
            assert!(
                outcome.code == 0 || outcome.stderr.contains("make the run again"),
                "call {at}: {}",
                outcome.stderr
            );
            goes_on = outcome.code == 0;
            *(if goes_on { &mut resumed } else { &mut refused }) += 1;
        }
        if !goes_on {
            assert_eq!(place.kugelbahn(&run).code, 0, "call {at}");
        }
        assert!(set(&place, "out") == after, "call {at}");
    }
    println!("{resumed} gone on with, {refused} refused");
    assert!(resumed > 10, "{resumed}, {refused}");
}

/// Symptom: a run with checkpoints could not name a table that is a link to another disk, and ended so.
#[test]
fn tables_may_be_links_to_another_disk() {
    let (place, other) = (Place::new(), tempfile::tempdir_in("/dev/shm").unwrap());
    place.write("long.toml", shaken(60.0, ""));
    let run = ["run", "long.toml", "--quiet", "--checkpoint", "0", "--out"];
    assert_eq!(place.kugelbahn(&[&run[..], &["whole"]].concat()).code, 0);
    std::fs::create_dir(place.path("out")).unwrap();
    std::os::unix::fs::symlink(other.path().join("rows"), place.path("out/trajectory.csv")).unwrap();
    let outcome = place.kugelbahn(&[&run[..], &["out"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(place.path("out/trajectory.csv").is_symlink() && set(&place, "out") == set(&place, "whole"));
    assert_eq!(other.path().read_dir().unwrap().count(), 1);
}

/// kB that a process has in memory.
fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().trim_end_matches(" kB").parse().ok())
}

/// A day of a shaken table, ended in the middle and gone on with: memory is flat, files are those of the day in one go. Ten minutes of it, unless
/// `KUGELBAHN_LONG` is set.
#[test]
fn a_day_on_a_shaken_table() {
    let place = Place::new();
    let duration = if std::env::var_os("KUGELBAHN_LONG").is_some() { 86_400.0 } else { 600.0 };
    let text = shaken(duration, "").replace("interval = 0.5", "interval = 10");
    place.write("day.toml", text.replace("velocity = [0.1, 0.5]", "velocity = [0, 0.5]"));
    let run = ["run", "day.toml", "--quiet", "--checkpoint", "1", "--out"];
    let started = Instant::now();
    let mut child = spawn(&place, &[&run[..], &["whole"]].concat());
    let mut seen = Vec::new();
    while child.try_wait().unwrap().is_none() {
        seen.extend(memory(child.id()).map(|kb| (started.elapsed(), kb)));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(child.wait().unwrap().success());
    let whole = started.elapsed();
    let late = seen.iter().filter(|(at, _)| *at > Duration::from_mins(1).min(whole / 2)).map(|(_, kb)| *kb);
    let (least, most) = late.fold((u64::MAX, 0), |(least, most), kb| (kb.min(least), kb.max(most)));
    println!("{duration} s in {whole:?}: {least} to {most} kB");
    assert!(most < least + 5 * 1024, "{least} to {most} kB");
    // A busy machine may have made the first one slow; then the second has ended before it is asked to.
    let ended = (1..10).any(|halvings| {
        let child = spawn(&place, &[&run[..], &["parts"]].concat());
        std::thread::sleep(whole / (1 << halvings));
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        child.wait_with_output().unwrap().status.code() == Some(1)
    });
    assert!(ended);
    assert!(place.path("parts/checkpoint").exists());
    assert_eq!(place.kugelbahn(&["run", "--resume", "parts", "--quiet"]).code, 0);
    assert!(set(&place, "parts") == set(&place, "whole"));
}
