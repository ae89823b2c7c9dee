//! Nothing is half done, nothing of a file reaches a terminal raw, nothing has no bound.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::Place;

/// Says of a folder that its files may be of two runs.
const NOT_WHOLE: &str = "NOT-WHOLE.txt";

/// Files of `compare`, `converge` and `judge` with times that were measured: two runs need not write them alike.
const TIMED: [&str; 7] = [
    "answers.csv",
    "comparison.csv",
    "comparison.json",
    "convergence.csv",
    "convergence.json",
    "report.html",
    "work-precision.svg",
];

pub fn spawn(place: &Place, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kugelbahn"));
    let quiet = command.args(arguments).current_dir(place.path(".")).stdout(Stdio::null()).stderr(Stdio::piped());
    quiet.spawn().unwrap()
}

/// The files of a folder with what is in them; partial ones of commands that were killed are none.
pub fn set(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut names = if place.path(folder).exists() { place.files(folder) } else { Vec::new() };
    names.retain(|name| !name.ends_with(".partial"));
    names
        .into_iter()
        .map(|name| (name.clone(), std::fs::read(place.path(&format!("{folder}/{name}"))).unwrap()))
        .collect()
}

/// The shim [`failing_calls.c`], built once.
fn shim() -> &'static Path {
    static SHIM: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let built = SHIM.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let (source, library) =
            (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/failing_calls.c"), folder.path().join("shim.so"));
        let status =
            Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl").status();
        assert!(status.unwrap().success());
        (folder, library)
    });
    &built.1
}

/// What is done to the call of a command that changes files: it fails alone, or with all after it, or the command is killed there.
pub const HOW: [&[(&str, &str)]; 4] =
    [&[], &[("FAIL_ON", "1")], &[("FAIL_ON", "1"), ("FAIL_SHORT", "1")], &[("FAIL_KILL", "9")]];

/// Runs a command with its call number `at` failing; its exit status, -1 of one that was killed, and messages.
pub fn with_failure(place: &Place, arguments: &[&str], at: usize, how: &[(&str, &str)]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kugelbahn"));
    command.args(arguments).current_dir(place.path(".")).env("LD_PRELOAD", shim()).env("FAIL_AT", at.to_string());
    let outcome = command.envs(how.iter().copied()).output().unwrap();
    (outcome.status.code().unwrap_or(-1), String::from_utf8_lossy(&outcome.stderr).into_owned())
}

/// Files of a folder by name.
type Files = BTreeMap<String, Vec<u8>>;

/// Whether files are those of `after`, in which files with times that were measured may be others that are not of `before`.
fn are_new(found: &Files, after: &Files, before: &Files, timed: &[&str]) -> bool {
    let is_new = |(name, bytes): (&String, &Vec<u8>)| {
        let known = after.get(name);
        known == Some(bytes) || known.is_some() && timed.contains(&name.as_str()) && before.get(name) != Some(bytes)
    };
    found.iter().all(is_new)
}

/// Lets every call of a command fail that changes files. Where it says 0, `folder` holds what it holds without failures; else that, or what was there
/// before, or it says that it is not whole. Returns how many calls there are.
fn every_call_fails(place: &Place, old: &[&str], new: &[&str], folder: &str, timed: &[&str]) -> usize {
    let whole = |arguments: &[&str]| {
        let _ = std::fs::remove_dir_all(place.path(folder));
        assert_eq!(place.kugelbahn(arguments).code, 0, "{arguments:?}");
        set(place, folder)
    };
    let (after, before) = (whole(new), whole(old));
    let is_after = |found: &Files| found.len() == after.len() && are_new(found, &after, &before, timed);
    assert!(!is_after(&before) && !before.contains_key(NOT_WHOLE));
    for at in 1.. {
        let mut ended = true;
        // Of commands that measure times, which are slow, two ways by turns.
        let ways = if timed.is_empty() { &HOW[..] } else { &HOW[at % 2 * 2..][..2] };
        for how in ways {
            put(place, folder, &before);
            let (code, told) = with_failure(place, new, at, how);
            let found = set(place, folder);
            let says = found.contains_key(NOT_WHOLE);
            assert!(says || found == before || is_after(&found), "call {at}, {how:?}: mixed, exit {code}: {told}");
            assert!(code != 0 || is_after(&found), "call {at}, {how:?}: exit 0, and not all is there");
            assert!(code != 2 || told.contains("can't write"), "call {at}, {how:?}: {told}");
            assert!(!told.contains(".partial"), "call {at}, {how:?}: {told}");
            ended &= code == 0;
            // The same command mends it.
            if says {
                assert_eq!(place.kugelbahn(new).code, 0);
                assert!(is_after(&set(place, folder)), "call {at}, {how:?}");
            }
        }
        if ended {
            return at - 1;
        }
    }
    0
}

/// Symptom: a kill, a full disk or an I/O error left a folder with files of two runs, and exit 2 was said to write nothing.
/// Errors of the sync of a folder were ignored, and a page that `--html` put into the folder was of no set.
#[cfg(target_os = "linux")]
#[test]
fn safe_mixed_folder() {
    let place = Place::new();
    let old = ["run", "drop.toml", "--quiet", "--out", "out", "--html", "out/x.html"];
    let new = [&old[..], &["--set", "contact.restitution=0.4", "--no-figures"]].concat();
    let calls = every_call_fails(&place, &old, &new, "out", &[]);
    assert!(calls > 10, "{calls}");
    // A page elsewhere is one of the set, too.
    let [old, new] = [&old[..], &new].map(|line| line.iter().map(|word| word.trim_start_matches("out/")).collect());
    let whole = |line: &Vec<&str>| {
        let _ = std::fs::remove_dir_all(place.path("out"));
        assert_eq!(place.kugelbahn(line).code, 0);
        (set(&place, "out"), place.read("x.html"))
    };
    let (before, after) = (whole(&old), whole(&new));
    for at in 1..=calls {
        put(&place, "out", &before.0);
        place.write("x.html", &before.1);
        with_failure(&place, &new, at, HOW[3]);
        let found = (set(&place, "out"), place.read("x.html"));
        let mark = found.0.get(NOT_WHOLE).map(|mark| String::from_utf8_lossy(mark).into_owned());
        let says = mark.is_some_and(|mark| mark.contains(&format!("{}\n", place.path("x.html").display())));
        assert!(says || found == before || found == after, "call {at}: mixed");
    }
}

/// Symptom: a disk that could not keep names of files, or folders that were made for them, was not heard: exit 0.
#[cfg(target_os = "linux")]
#[test]
fn names_are_kept_by_the_disk() {
    let place = Place::new();
    for line in [
        "run drop.toml --quiet --out out",
        "run drop.toml --quiet --html page.html",
        "curves show hills.toml --svg hills.svg",
        "sweep drop.toml --vary contact.restitution=0.1..0.9/6 --out swept --quiet",
        "sweep merge swept -o all.csv",
    ] {
        let line: Vec<&str> = line.split(' ').collect();
        let broken = with_failure(&place, &line, usize::MAX, &[("FAIL_SYNC", "5")]);
        assert!(broken.0 == 2 && broken.1.contains("Input/output error"), "{line:?}: {broken:?}");
        // A folder that was made for them goes again.
        assert!(!place.path("out").exists() && (line[1] == "merge" || !place.path("swept").exists()), "{line:?}");
        // Some file systems can't sync folders: EINVAL, ENOTSUP.
        for code in ["22", "95"] {
            let unable = with_failure(&place, &line, usize::MAX, &[("FAIL_SYNC", code)]);
            assert_eq!(unable.0, 0, "{line:?}: {unable:?}");
        }
        let _ = std::fs::remove_dir_all(place.path("out"));
    }
}

/// Symptom: what a signal ended while files were named, or after that, said that they were as they were.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_says_what_became_of_the_files() {
    const KEPT: &str = "before its results were written; files that were there are as they were";
    let place = Place::new();
    let aim = ["aim", "drop.toml", "--free", "initial.velocity.x", "--out", "out", "--target"];
    let [old, new] = [["impact.1.x = 0.2"], ["impact.1.x = 0.3"]].map(|target| [&aim[..], &target].concat());
    let count = place.path("count").display().to_string();
    let [before, after] = [&old, &new].map(|arguments| {
        assert_eq!(with_failure(&place, arguments, usize::MAX, &[("FAIL_COUNT", &count)]).0, 0);
        set(&place, "out")
    });
    let mut kept = 0;
    for at in 1..=place.read("count").parse().unwrap() {
        put(&place, "out", &before);
        let (code, told) = with_failure(&place, &new, at, &[("FAIL_KILL", "15")]);
        let was_kept = told.contains(KEPT);
        assert!(set(&place, "out") == if was_kept { before.clone() } else { after.clone() }, "call {at}: {told}");
        assert_eq!(code == 0, !told.contains("ended by a signal"), "call {at}: {code}: {told}");
        kept += usize::from(was_kept);
    }
    assert!(kept > 3, "{kept}");
    // The files are named, and the report waits for a reader.
    put(&place, "out", &before);
    let (_reader, mut pipe) = std::io::pipe().unwrap();
    pipe.write_all(&[b' '; 1 << 16]).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kugelbahn"));
    let child = command.args(&new).current_dir(place.path(".")).stdout(pipe).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while set(&place, "out") != after && started.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let outcome = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&outcome.stderr);
    assert!(told.contains("what it had written by then is whole, and stays"), "{told}");
    assert!(outcome.status.code().is_none() && set(&place, "out") == after, "{told}");
}

/// Data of a fit: a ball that falls.
fn fallen() -> String {
    let row =
        |i: u32| format!("{},{},{}\n", f64::from(i) * 0.01, f64::from(i) * 0.003, 1.0 - 4.905e-4 * f64::from(i * i));
    "t [s],x [m],y [m]\n".to_owned() + &(0..30).map(row).collect::<String>()
}

#[cfg(target_os = "linux")]
#[test]
fn sets_of_other_commands_are_whole() {
    let place = Place::new();
    place.write("film.csv", fallen());
    let fit = ["fit", "film.csv", "drop.toml", "--quiet", "--free", "initial.velocity", "--out", "out", "--set"];
    let [old, new] = [["solver.duration=0.35"], ["solver.duration=0.4"]].map(|set| [&fit[..], &set].concat());
    assert!(every_call_fails(&place, &old, &new, "out", &[]) > 10);
    let aim = ["aim", "drop.toml", "--quiet", "--free", "initial.velocity.x", "--out", "out", "--target"];
    let [old, new] = [["impact.1.x = 0.2"], ["impact.1.x = 0.3"]].map(|target| [&aim[..], &target].concat());
    assert!(every_call_fails(&place, &old, &new, "out", &[]) > 5);
    for (command, values) in [
        ("compare drop.toml --quiet --methods newmark,dop853 --out out --set contact.restitution=", ["0.3", "0.4"]),
        (
            "converge drop.toml --quiet --steps 0.02,0.01 --method newmark --out out --set contact.restitution=",
            ["0.3", "0.4"],
        ),
        ("judge --out out --ours ", ["newmark", "dop853"]),
    ] {
        let [old, new] = values.map(|value| format!("{command}{value}"));
        let [old, new] = [&old, &new].map(|line| line.split(' ').collect::<Vec<_>>());
        assert!(every_call_fails(&place, &old, &new, "out", &TIMED) > 5, "{command}");
    }
}

/// A sweep whose calls fail goes on where it was; a table that is merged is the old one or the new one.
#[cfg(target_os = "linux")]
#[test]
fn sweeps_and_their_tables_survive_every_failure() {
    let place = Place::new();
    let sweep = [
        "sweep",
        "drop.toml",
        "--vary",
        "contact.restitution=0.1..0.9/6",
        "--out",
        "out",
        "--chunk",
        "3",
        "--threads",
        "1",
        "--quiet",
    ];
    let merge = ["sweep", "merge", "out", "-o", "all.csv"];
    assert_eq!(place.kugelbahn(&sweep).code, 0);
    let whole = set(&place, "out");
    for at in 1.. {
        let mut failed = false;
        for how in HOW {
            std::fs::remove_dir_all(place.path("out")).unwrap();
            let (code, told) = with_failure(&place, &sweep, at, how);
            let found = set(&place, "out");
            assert!(found.iter().all(|(name, bytes)| whole.get(name) == Some(bytes)), "call {at}, {how:?}: torn");
            assert!(code != 0 || found == whole, "call {at}, {how:?}: exit 0 without all chunks: {told}");
            failed |= code != 0;
            assert_eq!(place.kugelbahn(&sweep).code, 0);
            assert_eq!(set(&place, "out"), whole);
        }
        if !failed {
            assert!(at > 10, "{at}");
            break;
        }
    }
    assert_eq!(place.kugelbahn(&merge).code, 0);
    let table = place.read("all.csv");
    for at in 1..9 {
        for how in HOW {
            place.write("all.csv", "old");
            let (code, _) = with_failure(&place, &merge, at, how);
            let found = place.read("all.csv");
            assert!(found == table || code != 0 && found == "old", "call {at}, {how:?}: {code}");
        }
    }
}

/// Symptom: a sweep went on over a chunk that was changed at equal length, and ended with 0. What `sweep verify` refuses it refuses, too.
#[cfg(target_os = "linux")]
#[test]
fn a_sweep_goes_on_over_no_changed_chunk() {
    let place = Place::new();
    let sweep = "sweep drop.toml --vary contact.restitution=0.1..0.9/6 --observe end.x --out out --chunk 2 --quiet";
    let sweep: Vec<&str> = sweep.split(' ').collect();
    assert_eq!(place.kugelbahn(&sweep).code, 0);
    let whole = set(&place, "out");
    for (file, old, new) in [
        ("runs-000001.csv", ",end,", ",emd,"),
        ("runs-000002.csv", ".", "1"),
        ("chunk-000000.json", "\"end\": 2", "\"end\": 3"),
        ("chunk-000001.json", "\"sha256\": \"", "\"sha256\":  \""),
        ("chunk-000002.json", "\"rows\": 2", "\"rows\": 1"),
    ] {
        put(&place, "out", &whole);
        let text = place.read(&format!("out/{file}"));
        let changed = text.replacen(old, new, 1);
        assert!(changed != text && (file == "chunk-000001.json" || changed.len() == text.len()), "{file}");
        place.write(&format!("out/{file}"), &changed);
        // Blanks are no damage.
        if file == "chunk-000001.json" {
            assert_eq!(place.kugelbahn(&sweep).code, 0);
            continue;
        }
        for command in [&sweep[..], &["sweep", "verify", "out"]] {
            let outcome = place.kugelbahn(command);
            let told = crate::common::unwrapped(&outcome.stderr);
            let named = told.contains(&format!("out/{file} is damaged: its hash is not"));
            assert!(outcome.code == 2 && named, "{command:?}: {} {told}", outcome.code);
            assert!(told.contains("remove its chunk-….json and run the sweep again"), "{told}");
        }
        let record = file.replace("runs", "chunk").replace("csv", "json");
        std::fs::remove_file(place.path(&format!("out/{record}"))).unwrap();
        assert_eq!(place.kugelbahn(&sweep).code, 0);
        assert!(set(&place, "out") == whole, "{file}");
    }
}

/// Symptom: where the disk could not list a folder, `sweep status` and `verify` ended with 0 and told that chunks were missing.
#[cfg(target_os = "linux")]
#[test]
fn folders_that_cannot_be_listed() {
    let place = Place::new();
    let of = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for (code, line) in [
        (0, "sweep drop.toml --vary contact.restitution=0.1..0.9/6 --out out --quiet"),
        (2, "sweep status out"),
        (2, "sweep verify out"),
        (2, "sweep merge out -o all.csv"),
        (2, "curves --folder ."),
    ] {
        let arguments = of(line);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let list: &[(&str, &str)] = if code == 0 { &[] } else { &[("FAIL_LIST", "1")] };
        let (found, told) = with_failure(&place, &arguments, usize::MAX, list);
        assert!(found == code && (code == 0 || told.contains("Input/output error")), "{line}: {found}: {told}");
    }
    std::fs::remove_file(place.path("out/chunk-000003.json")).unwrap();
    assert_eq!(place.kugelbahn(&["sweep", "verify", "out"]).code, 1);
}

/// Replaces what is in a folder by a set.
pub fn put(place: &Place, folder: &str, files: &BTreeMap<String, Vec<u8>>) {
    let _ = std::fs::remove_dir_all(place.path(folder));
    std::fs::create_dir(place.path(folder)).unwrap();
    files.iter().for_each(|(name, bytes)| place.write(&format!("{folder}/{name}"), bytes));
}

/// 30 kills, full disks and I/O errors at moments and calls that are spread over all commands that write sets, 500 of each
/// with `KUGELBAHN_LONG`: nothing is torn or mixed, and where 0 is said all is there.
#[cfg(target_os = "linux")]
#[test]
fn attacks_leave_the_old_or_the_new() {
    let place = Place::new();
    place.write("film.csv", fallen());
    let of = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let commands = [
        ("run drop.toml --quiet --set contact.restitution=", ["0.3", "0.4"]),
        ("fit film.csv drop.toml --quiet --free initial.velocity --set solver.duration=", ["0.35", "0.4"]),
        ("aim drop.toml --quiet --free initial.velocity.x --target impact.1.x=", ["0.2", "0.3"]),
        ("compare drop.toml --quiet --methods newmark,dop853 --set contact.restitution=", ["0.3", "0.4"]),
        ("sweep drop.toml --quiet --chunk 2 --threads 1 --vary contact.restitution=0.1..0.9/1", ["1", "2"]),
        ("sweep merge swept --table ", ["events", "runs"]),
        ("converge drop.toml --quiet --steps 0.02,0.01 --method newmark --set contact.restitution=", ["0.3", "0.4"]),
        ("judge --ours ", ["newmark", "dop853"]),
    ];
    let sweep = of("sweep drop.toml --vary contact.restitution=0.1..0.9/9 --observe events --out swept --quiet");
    assert_eq!(place.kugelbahn(&sweep.iter().map(String::as_str).collect::<Vec<_>>()).code, 0);
    let each = if std::env::var_os("KUGELBAHN_LONG").is_some() { 500 } else { 30 };
    let (mut hit, mut marked) = ([0; 3], 0);
    for (number, (command, values)) in commands.into_iter().enumerate() {
        let [old, new] = values.map(|value| {
            let out = if number == 5 { " -o out/all.csv" } else { " --out out" };
            of(&format!("{command}{value}{out}"))
        });
        let [old, new] = [&old, &new].map(|arguments| arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let (count, sweeps) = (place.path("count").display().to_string(), number == 4);
        let [before, after] = [&old, &new].map(|arguments| {
            put(&place, "out", &BTreeMap::new());
            let (code, told) = with_failure(&place, arguments, usize::MAX, &[("FAIL_COUNT", &count)]);
            assert_eq!(code, 0, "{arguments:?}: {told}");
            set(&place, "out")
        });
        assert!(before != after, "{new:?}");
        // Files with times that were measured are new if they are not the old ones.
        let timed = if matches!(number, 3 | 6 | 7) { &TIMED[..] } else { &[] };
        let begun = if sweeps { BTreeMap::new() } else { before.clone() };
        let calls: usize = place.read("count").parse().unwrap();
        // Of 500 of a kind as many over each command.
        for i in (number..each).step_by(commands.len()) {
            // Measured beside the kill, as the machine may be busier at other times.
            let started = Instant::now();
            assert_eq!(place.kugelbahn(&new).code, 0);
            let whole = started.elapsed();
            let part = (i as f64 * 0.618_033_988_749_894_9).fract();
            for (kind, hit) in hit.iter_mut().enumerate() {
                put(&place, "out", &begun);
                let at = 1 + (part * calls as f64) as usize;
                let (code, told) = match kind {
                    0 => {
                        let mut child = spawn(&place, &new);
                        std::thread::sleep(whole.mul_f64(1.1 * part));
                        child.kill().unwrap();
                        (child.wait().unwrap().code().unwrap_or(-1), String::new())
                    }
                    1 => with_failure(&place, &new, at, [HOW[1], HOW[2]][i % 2]),
                    _ => with_failure(&place, &new, at, HOW[0]),
                };
                let found = set(&place, "out");
                let says = found.contains_key(NOT_WHOLE);
                let new_alone = are_new(&found, &after, &before, timed);
                let all_new = new_alone && found.len() == after.len();
                let good = says || found == begun || all_new || sweeps && new_alone;
                assert!(good, "{new:?}, kind {kind}, call {at} of {calls}: mixed, exit {code}: {told}");
                assert!(code != 0 || all_new, "{new:?}, kind {kind}, call {at}: exit 0, and not all is there");
                assert!(!told.contains("uncategorized"), "{told}");
                *hit += usize::from(code != 0);
                marked += usize::from(says);
            }
        }
    }
    println!("{each} of each kind, of which ended the command: {hit:?}; {marked} folders say that they are not whole");
    assert!(hit.iter().all(|hit| hit * 2 > each), "{hit:?}");
}

/// Sends a signal to a run once it writes; its exit status and messages.
pub fn ended_by(place: &Place, signal: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let child = spawn(place, arguments);
    let started = Instant::now();
    while !(place.path("out").exists() && place.files("out").len() > 1) && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success());
    let outcome = child.wait_with_output().unwrap();
    (outcome.status.code(), String::from_utf8_lossy(&outcome.stderr).into_owned())
}

/// Symptom: an event-driven run that was ended kept nothing and said nothing; SIGHUP left partial files, too.
#[test]
fn safe_ctrl_c() {
    let place = Place::new();
    place.write(
        "shaken.toml",
        "ball = { mass = 0.01, radius = 0.005 }\ninitial.position = [0, 0.02]\ncontact.restitution = 0.6\n\
         ground = { curve = { kind = 'graph', y = '0*x' }, motion = { y = '0.001*sin(2*pi*25*t)' } }\n\
         solver = { duration = 86400, limit = 1e8 }\noutput.interval = 10\n",
    );
    for signal in ["INT", "TERM", "HUP"] {
        let (code, told) = ended_by(&place, signal, &["run", "shaken.toml", "--quiet", "--out", "out"]);
        assert_eq!(code, Some(1), "SIG{signal}: {told}");
        assert!(told.contains("as it was asked to; what was computed until then is kept"), "SIG{signal}: {told}");
        let files = ["events.csv", "path.svg", "report.html", "summary.json", "time.svg", "trajectory.csv"];
        assert_eq!(place.files("out"), files, "SIG{signal}");
        assert!(place.read("out/events.csv").starts_with("index,"));
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

/// Symptom: Ctrl-C on an event-driven run left an empty folder and no word.
#[test]
fn cli_ctrl_c_events() {
    let place = Place::new();
    let long = [
        "run",
        "drop.toml",
        "--set",
        "solver.duration=1e7",
        "--set",
        "output.interval=100",
        "--set",
        "contact.restitution=1",
        "--quiet",
        "--out",
        "out",
    ];
    let (code, told) = ended_by(&place, "INT", &long);
    assert!(code == Some(1) && told.contains("as it was asked to"), "{code:?} {told}");
    assert!(place.files("out").contains(&"summary.json".to_owned()));
}

/// Symptom: a search that was ended left the folder that it had made for its results.
#[test]
fn folders_made_for_nothing_go_at_a_signal() {
    let place = Place::new();
    place.write(
        "long.toml",
        "initial = { position = [0, 1], velocity = [0.5, 0] }\nball = { mass = 1, radius = 0.05 }\ncontact.restitution = 1\n\
         ground.curve = { kind = 'graph', y = '0.1*x^2' }\nsolver.duration = 1e7\n",
    );
    let search = ["aim", "long.toml", "--free", "initial.velocity.x", "--target", "end.x = 1", "--quiet"];
    let child = spawn(&place, &[&search[..], &["--out", "deep/new"]].concat());
    let started = Instant::now();
    while !place.path("deep/new").exists() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(place.path("deep/new").exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let outcome = child.wait_with_output().unwrap();
    assert!(!outcome.status.success() && !place.path("deep").exists(), "{outcome:?}");
}

/// Symptom: a sweep dropped the chunks that it had begun; its rate counted rows of the call before.
#[test]
fn cli_sweep_resume() {
    let place = Place::new();
    let sweep = [
        "sweep",
        "drop.toml",
        "--vary",
        "contact.restitution=0.1..0.9/60000",
        "--out",
        "out",
        "--chunk",
        "64",
        "--quiet",
    ];
    let (code, told) = ended_by(&place, "INT", &sweep);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("are made and kept: the same command goes on"), "{told}");
    assert!(place.files("out").iter().all(|name| !name.ends_with(".partial")));
    let told = place.kugelbahn(&["sweep", "status", "out"]).stdout;
    assert!(told.contains("of 60000 runs") && !told.contains("\n0 of"), "{told}");
}

/// Symptom: exit 0 although chunks had been deleted while the sweep went on.
#[test]
fn safe_sweep_deleted() {
    let place = Place::new();
    let sweep = [
        "sweep",
        "drop.toml",
        "--vary",
        "contact.restitution=0.1..0.9/3000",
        "--out",
        "out",
        "--chunk",
        "32",
        "--quiet",
    ];
    for gone in ["chunk-", "sweep.json"] {
        let child = spawn(&place, &sweep);
        let chunks = || if place.path("out").exists() { place.files("out") } else { Default::default() };
        while chunks().iter().filter(|name| name.starts_with("chunk-")).count() < 3 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let first = chunks().into_iter().find(|name| name.starts_with(gone) && !name.ends_with(".partial")).unwrap();
        std::fs::remove_file(place.path("out").join(first)).unwrap();
        let outcome = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.status.code(), Some(2), "{told}");
        assert!(told.contains("missing") || told.contains("no sweep.json"), "{told}");
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

/// Symptom: `run s.toml --html s.toml` left a page where the scenario was.
#[test]
fn what_a_command_reads_stays() {
    let place = Place::new();
    place.write("a.svg", "<svg><path id='a' d='M0 0L1 1'/></svg>");
    std::fs::create_dir(place.path("entry")).unwrap();
    place.write("entry/about.toml", "name = 'a'\n");
    place.write("entry/answers.csv", "case,setting,quantity,index,value\n1,a,impact,1,0.01\n");
    place.write("residuals.csv", fallen());
    std::os::unix::fs::symlink("hills.toml", place.path("link.html")).unwrap();
    for (arguments, file) in [
        ("run drop.toml --html drop.toml", "drop.toml"),
        ("run drop.toml --html ./link.html", "hills.toml"),
        ("curves check a.svg --svg ./a.svg", "a.svg"),
        ("curves show hills.toml --svg hills.toml", "hills.toml"),
        ("fit residuals.csv drop.toml --free initial.velocity --set solver.duration=0.4 --out .", "residuals.csv"),
    ] {
        let before = place.read(file);
        let outcome = place.kugelbahn(&arguments.split(' ').collect::<Vec<_>>());
        assert!(
            outcome.code == 2 && outcome.stderr.contains("this command reads it"),
            "{arguments}: {}",
            outcome.stderr
        );
        assert_eq!(place.read(file), before, "{arguments}");
    }
    // Figures of its wrong answers may stand beside them.
    let outcome = place.kugelbahn(&["judge", "entry", "--out", "entry"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

/// Symptom: a control character in a title made figures that are no XML.
#[test]
fn figures_are_xml() {
    let place = Place::new();
    let title = r#"title="a\u0001\u001b\uffff<b>""#;
    assert_eq!(place.kugelbahn(&["run", "drop.toml", "--out", "out", "--set", title]).code, 0);
    for file in ["path.svg", "time.svg"] {
        assert!(place.read(&format!("out/{file}")).contains("a\u{fffd}\u{fffd}\u{fffd}&lt;b&gt;"), "{file}");
    }
}

/// Symptom: `--html /dev/null` replaced the device, a pipe got nothing, a link was replaced and its target stayed old.
#[test]
fn safe_replaces_devices() {
    let place = Place::new();
    let run = |more: &[&str]| place.kugelbahn(&[&["run", "drop.toml", "--quiet"], more].concat());
    place.write("target.html", "old");
    std::os::unix::fs::symlink("target.html", place.path("link.html")).unwrap();
    std::os::unix::fs::symlink("new.html", place.path("dangling.html")).unwrap();
    for (link, target) in [("link.html", "target.html"), ("dangling.html", "new.html")] {
        assert_eq!(run(&["--html", link]).code, 0);
        assert!(place.path(link).symlink_metadata().unwrap().is_symlink(), "{link}");
        assert!(place.read(target).contains("<html"), "{link}");
    }
    assert!(run(&["--html", "/dev/stdout"]).stdout.contains("<html"));
    let full = run(&["--html", "/dev/full"]);
    assert!(full.code == 2 && full.stderr.contains("No space left on device"), "{}", full.stderr);
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    // Nobody reads: to open it would wait for ever.
    let nobody = run(&["--html", "pipe"]);
    assert!(
        nobody.code == 2 && nobody.stderr.contains("can't write pipe: nobody reads this pipe"),
        "{}",
        nobody.stderr
    );
    let got = std::fs::File::create(place.path("got")).unwrap();
    let mut reader = Command::new("cat").arg(place.path("pipe")).stdout(got).spawn().unwrap();
    // Until it waits at the pipe.
    while run(&["--html", "pipe"]).code != 0 {}
    reader.wait().unwrap();
    assert!(place.read("got").contains("</html>"));
    // A folder of results is the command's own.
    assert_eq!(run(&["--out", "results", "--html", "./results/page.html"]).code, 0);
    assert!(place.files("results").contains(&"page.html".to_owned()));
    // A file of a set: a link is followed, anything else refused before the run.
    std::fs::create_dir(place.path("out")).unwrap();
    std::os::unix::fs::symlink("../events.csv", place.path("out/events.csv")).unwrap();
    assert_eq!(run(&["--out", "out"]).code, 0);
    assert!(place.path("out/events.csv").symlink_metadata().unwrap().is_symlink());
    assert!(place.read("events.csv").starts_with("index,"));
    // What another run would have left there, and is no file, stays.
    std::fs::rename(place.path("pipe"), place.path("out/last.csv")).unwrap();
    assert_eq!(run(&["--out", "out"]).code, 0);
    std::fs::rename(place.path("out/last.csv"), place.path("out/time.svg")).unwrap();
    let refused = run(&["--out", "out"]);
    assert!(refused.code == 2 && refused.stderr.contains("it is no regular file"), "{}", refused.stderr);
}

/// Symptom: titles, labels, ids, names of files and quoted lines reached the terminal with ESC, BEL, C1 and bidi controls.
#[test]
fn safe_terminal() {
    let raw = |text: &str| {
        text.chars()
            .any(|c| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')))
    };
    let bad = "\u{1b}]0;PWNED\u{7}\u{1b}[31m\u{9b}2J\u{202e}txet\u{7f}";
    let toml = "\\u001b]0;PWNED\\u0007\\u001b[31m\\u009b2J\\u202etxet\\u007f";
    let place = Place::new();
    let level =
        "[ground]\ncurve = { kind = 'graph', y = '0' }\n[initial]\nposition = [0.3, 2.5]\n[solver]\nduration = 1\n";
    place.write("title.toml", format!("title = \"{toml}\"\n{level}"));
    place.write("key.toml", format!("\"{toml}\" = 1\n{level}"));
    place.write("value.toml", format!("{level}method = \"{toml}\"\n"));
    place.write("formula.toml", format!("{}[forces]\nx = \"{toml} + 1\"\n", level));
    place.write("file.toml", format!("ground.curve = \"{toml}.toml\"\ninitial.position = [0, 1]\n"));
    place.write(
        "line.toml",
        format!("{level}# {}\nx = = 1\n", bad.replace('\u{1b}', "").replace(['\u{7}', '\u{7f}'], "")),
    );
    place.write("watch.toml", format!("{level}[[watch]]\nname = \"{toml}\"\nheight = 1\n"));
    place.write(
        "two.toml",
        format!("[initial]\nposition = [0, 1]\n[[ground]]\nname = \"{toml}\"\ncurve = {{ kind = 'graph', y = '0' }}\n"),
    );
    place.write(format!("{bad}.toml").as_str(), level);
    place.write("cell.csv", format!("x,y\n0,0\n1,{bad}\n"));
    place.write("cell.toml", "kind = 'csv'\nfile = 'cell.csv'\nas = 'polyline'\n");
    let hidden = bad.replace(['\u{1b}', '\u{7}'], "");
    place.write("ids.svg", format!("<svg xmlns='http://www.w3.org/2000/svg'><path id='{hidden}' d='M0 0L1 1'/></svg>"));
    place.write("tags.svg", format!("<svg><path id='{hidden}' d='M0 0L1 {hidden}'/></svg>"));
    std::fs::create_dir(place.path("entry")).unwrap();
    place.write("entry/about.toml", format!("name = \"{toml}\"\n"));
    place
        .write("entry/answers.csv", format!("case,setting,quantity,index,value\n1,{bad},y,1,nan\n{bad},a,y,1,{bad}\n"));
    let file = format!("{bad}.toml");
    let mut told = String::new();
    let scenarios =
        ["title", "key", "value", "formula", "file", "line", "watch", "two"].map(|name| format!("{name}.toml"));
    for scenario in scenarios.iter().chain([&file]) {
        for more in [
            &[][..],
            &["--json"],
            &["--set", bad],
            &["--set", &format!("{bad}=1")],
            &["--set", &format!("title='{bad}'")],
        ] {
            let outcome = place.kugelbahn(&[&["run", scenario.as_str()], more].concat());
            assert!(
                !raw(&outcome.stdout) && !raw(&outcome.stderr),
                "{scenario} {more:?}: {:?}",
                outcome.stdout + &outcome.stderr
            );
            told += &(outcome.stdout + &outcome.stderr);
        }
    }
    for arguments in [
        ["curves", "check", "ids.svg"].as_slice(),
        &["curves", "check", "tags.svg"],
        &["curves", "check", "cell.toml"],
        &["curves", "show", &file],
        &["curves", "--folder", "."],
        &["fit", "cell.csv", "title.toml", "--free", bad],
        &["fit", "cell.csv", "title.toml", "--free", "initial.velocity", "--columns", "-,1,2"],
        &["sweep", "title.toml", "--vary", &format!("{bad}=1,2"), "--out", "out"],
        &["aim", "title.toml", "--free", bad, "--target", bad],
        &["compare", "title.toml", "--methods", bad],
        &[bad],
        &["run", "title.toml", &format!("--{bad}")],
        &["run", "title.toml", "--threads", bad],
        &["completions", bad],
        &["new", &format!("nowhere/{bad}")],
        &["judge", bad],
        &["judge", "entry"],
    ] {
        let outcome = place.kugelbahn(arguments);
        assert!(
            !raw(&outcome.stdout) && !raw(&outcome.stderr),
            "{arguments:?}: {:?}",
            outcome.stdout + &outcome.stderr
        );
        told += &(outcome.stdout + &outcome.stderr);
    }
    assert!(told.contains("\\u001b") && told.contains("\\u202e") && told.contains("\\u009b"));
    // A name can't begin a line of its own.
    let forged = "\"a\\n  help: all is well\\n\"=1\n";
    let outcomes = [
        place.refused(&format!("{forged}{level}"), &[]),
        place.refused(level, &["b\n  help: all is well=1"]),
        place.kugelbahn(&["run", "c\n  help: all is well\n.toml"]).stderr,
    ];
    for told in outcomes {
        let begins = |line: &str| line.trim_start_matches([' ', '│']).starts_with("help: all");
        assert!(told.contains("help: all is well") && !told.lines().any(begins), "{told}");
    }
}

/// Symptom: a pipe was opened before it was refused, which waits for ever.
#[test]
fn safe_fifo() {
    let place = Place::new();
    assert!(
        Command::new("mkfifo")
            .args(["fifo", "fifo.toml", "fifo.parquet"].map(|name| place.path(name)))
            .status()
            .unwrap()
            .success()
    );
    let start = "initial.position = [0.3, 2.5]\nsolver.duration = 0.5\nground.curve = ";
    for kind in ["csv", "gpx", "svg"] {
        let message = place.refused(&format!("{start}{{ kind = '{kind}', as = 'polyline', file = 'fifo' }}"), &[]);
        assert!(message.contains("it is no file"), "{message}");
    }
    assert!(place.refused(&format!("{start}'fifo'"), &[]).contains("it is no file"));
    for table in ["fifo", "fifo.parquet"] {
        let outcome = place.kugelbahn(&["sweep", "drop.toml", "--table", table, "--out", "out"]);
        assert!(outcome.code == 2 && outcome.stderr.contains("it is no file"), "{}", outcome.stderr);
    }
    assert_eq!(place.kugelbahn(&["curves", "--folder", "."]).code, 0);
    // One that a command names is empty as long as nobody writes to it; who writes is waited for.
    for arguments in [
        ["run", "fifo.toml"].as_slice(),
        &["curves", "check", "fifo.toml"],
        &["fit", "fifo", "drop.toml", "--free", "initial.velocity"],
    ] {
        assert_eq!(place.kugelbahn(arguments).code, 2, "{arguments:?}");
    }
    #[cfg(target_os = "linux")]
    {
        let pipe = place.path("fifo.toml");
        let mut writer = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        writer.write_all(place.read("drop.toml").as_bytes()).unwrap();
        let mut reader = spawn(&place, &["run", "fifo.toml", "--quiet"]);
        let opened = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.and_then(|entry| entry.path().read_link()).is_ok_and(|to| to == pipe)
        };
        let open = || std::fs::read_dir(format!("/proc/{}/fd", reader.id())).is_ok_and(|mut files| files.any(opened));
        let started = Instant::now();
        while !open() && started.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(writer);
        assert!(reader.wait().unwrap().success());
    }
    // Entries, and what is in a folder of results.
    for (folder, name, command) in [
        ("entry", "answers.csv", "judge entry"),
        ("about", "about.toml", "judge about"),
        ("suite/01-a", "answers.csv", "judge entry --suite suite"),
        ("out", NOT_WHOLE, "run drop.toml --out out"),
        ("gone", "checkpoint", "run --resume gone"),
        ("swept", "sweep.json", "sweep status swept"),
        ("man", "kugelbahn.1", "man man"),
    ] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
        if name == "answers.csv" {
            place.write(&format!("{}/about.toml", folder), "name = 'a'\n");
        }
        assert!(Command::new("mkfifo").arg(place.path(folder).join(name)).status().unwrap().success());
        let outcome = place.kugelbahn(&command.split(' ').collect::<Vec<_>>());
        assert!(outcome.code == 2 && outcome.stderr.contains("it is no"), "{command}: {}", outcome.stderr);
    }
}

/// Runs `curves check` on a file with so much memory (kB, Linux: what it may write); its exit status and messages.
fn checked_within(place: &Place, file: &str, memory: u32) -> (Option<i32>, String) {
    let limited = format!("ulimit -d {memory} && exec \"$0\" curves check \"$1\"");
    let outcome = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_kugelbahn"), file])
        .current_dir(place.path("."))
        .output()
        .unwrap();
    (outcome.status.code(), String::from_utf8_lossy(&outcome.stderr).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Symptom: 160 kB of XML became 6.4 GB: what entities stand for was counted nowhere.
#[test]
fn safe_xml_entities() {
    let place = Place::new();
    let entity = "x".repeat(40_000);
    let dtd = |root: &str| format!("<!DOCTYPE {root} [<!ENTITY a \"{entity}\">]>");
    let many = "&a;".repeat(40_000);
    place.write("desc.svg", format!("{}<svg><desc>{many}</desc><path d='M0 0L1 1'/></svg>", dtd("svg")));
    place.write("id.svg", format!("{}<svg><path id='{many}' d='M0 0L1 1'/></svg>", dtd("svg")));
    place.write("name.gpx", format!("{}<gpx><trk><name>{many}</name></trk></gpx>", dtd("gpx")));
    place.write("track.toml", "kind = 'gpx'\nfile = 'name.gpx'\nas = 'polyline'\n");
    for file in ["desc.svg", "id.svg", "track.toml"] {
        let (code, told) = checked_within(&place, file, 200 << 10);
        assert_eq!(code, Some(2), "{file}: {told}");
        assert!(told.contains("bytes that entities stand for are too many"), "{file}");
    }
}

/// Symptom: 30 s and 1.4 GB for a million rows. As many as are allowed take no more than 600 MB, one more is refused.
#[test]
fn safe_million_rows() {
    let place = Place::new();
    let rows = |count: u32| -> String {
        let row = |i: u32| format!("{:e},{:e}\n", f64::from(i) * 1e-5, f64::from(i * 7919 % 1000) * 1e-6);
        "x,y\n".to_owned() + &(0..count).map(row).collect::<String>()
    };
    place.write("c.toml", "kind = 'csv'\nfile = 'rows.csv'\nas = 'polyline'\n");
    place.write("rows.csv", rows(250_001));
    let (code, told) = checked_within(&place, "c.toml", 600_000);
    assert!(code == Some(2) && told.contains("more than 250000 rows"), "{told}");
}

/// Symptom: `curve = "/etc/shadow"` printed its lines, and a table its cells.
#[test]
fn messages_quote_what_the_scenario_is_made_of() {
    let (place, other) = (Place::new(), Place::new());
    other.write("secret", "root:hidden:1\nadmin:hidden:2\n");
    other.write("secret.toml", "kind = 'graph'\nhidden = 1\ny = 'hidden'\n");
    let secret = other.path("secret");
    std::os::unix::fs::symlink(&secret, place.path("link")).unwrap();
    let start = "initial.position = [0, 1]\nground.curve = ";
    let file = secret.display();
    other.write("secret.csv", "x,y,hidden\n1,2,hidden1\n3,4,hidden2\n");
    other.write("secret.svg", "<svg><path id='hidden1' d='M0 0L1 1'/><path id='hidden2' d='M0 0L1 1'/></svg>");
    let keys = ["columns = ['a', 'b']", "columns = [1, 2], curve-column = 3, curve = 'z'", "track = 'z'", "path = 'z'"];
    let more =
        keys.iter().flat_map(|keys| ["csv", "svg"].map(|kind| format!("'{kind}', {keys}, file = '{file}.{kind}'")));
    let files = ["csv", "svg", "gpx"].map(|kind| format!("'{kind}', file = '{file}'"));
    let made = files.into_iter().chain(more).map(|keys| format!("{{ as = 'polyline', kind = {keys} }}"));
    for curve in [format!("'{file}'"), format!("'{file}.toml'"), "'link'".to_owned()].into_iter().chain(made) {
        let message = place.refused(&format!("{start}{curve}"), &[]);
        assert!(!message.contains("hidden"), "{curve}: {message}");
        // Symptom: no place at all. The scenario's own line, which names the file, was withheld like the file's.
        assert!(message.contains("2 │ ground.curve = "), "{curve}: {message}");
    }
    other.write("twice.svg", "<svg><path id='hidden1' d='M0 0L1 1'/><path id='hidden2' d='M0 0L1 1'/></svg>");
    other.write("twice.csv", "x,y,c\n1,2,hidden1\n2,3,hidden1\n1,2,hidden2\n2,3,hidden2\n");
    for keys in [
        "kind = 'svg', paths = 'all', file = 'F.svg'",
        "kind = 'csv', as = 'polyline', curve-column = 'c', file = 'F.csv'",
    ] {
        let keys = keys.replace('F', &other.path("twice").display().to_string());
        let message = place.refused(&format!("{start}{{ {keys} }}"), &[]);
        assert!(message.contains("lie on each other") && !message.contains("hidden"), "{message}");
    }
    for key in ["hidden.mass", "hidden", "sweep.hidden"] {
        other.write("keys.csv", format!("{key}\n1\n"));
        let table = other.path("keys.csv");
        place.write(
            "swept.toml",
            format!("initial.position = [0, 1]\nground.curve = 'flat'\n[sweep]\ntable = '{}'\n", table.display()),
        );
        let outcome = place.kugelbahn(&["sweep", "swept.toml", "--out", "swept"]);
        assert!(outcome.code == 2 && !outcome.stderr.contains("hidden"), "{key}: {}", outcome.stderr);
    }
    place.write("swept.toml", format!("{start}'flat'\n[sweep]\ntable = '{file}'\n"));
    let message = place.kugelbahn(&["sweep", "swept.toml", "--out", "swept"]).stderr;
    assert!(message.contains("line 2") && !message.contains("hidden"), "{message}");
    place.write(
        "balls.toml",
        format!(
            "ground.curve = 'flat'\nsolver = {{ method = 'moreau', step = 1e-3 }}\n[[balls]]\ntable = '{file}.csv'\n"
        ),
    );
    let message = place.kugelbahn(&["run", "balls.toml"]).stderr;
    assert!(message.contains("unknown column") && !message.contains("hidden"), "{message}");
    // One of its own is quoted, and so is the file that a command names.
    place.write("own.toml", "kind = 'graph'\nshown = 1\ny = 'x'\n");
    assert!(place.refused(&format!("{start}'own.toml'"), &[]).contains("shown = 1"));
    let outcome = place.kugelbahn(&["curves", "check", &format!("{file}.toml")]);
    assert!(outcome.stderr.contains("hidden = 1"), "{}", outcome.stderr);
}

/// The answer of `live` to bytes that a client sends, who then says no more.
fn answered(port: u16, bytes: &str) -> String {
    let mut client = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    client.write_all(bytes.as_bytes()).unwrap();
    client.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    let _ = client.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Two hosts, lengths that conflict, and clients that close their side: each program in between would read them in its own way.
#[test]
fn live_refuses_what_is_told_twice() {
    let place = Place::new();
    let mut server = Command::new(env!("CARGO_BIN_EXE_kugelbahn"))
        .args(["live", "drop.toml"])
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut link = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut link).unwrap();
    let (port, token) = link.trim().strip_prefix("http://127.0.0.1:").unwrap().split_once("/?token=").unwrap();
    let number: u16 = port.parse().unwrap();
    let body = r#"{"scenario":0,"changes":[]}"#;
    let ask =
        |headers: &str| answered(number, &format!("POST /run HTTP/1.1\r\nX-Token: {token}\r\n{headers}\r\n\r\n{body}"));
    let (host, length) = (format!("Host: 127.0.0.1:{port}"), format!("Content-Length: {}", body.len()));
    // Who closes his side alone waits for the answer.
    let good = ask(&format!("{host}\r\n{length}"));
    assert!(good.contains("HTTP/1.1 200 OK"), "{}", &good[..good.floor_char_boundary(200)]);
    for bad in [
        format!("{host}\r\nHost: evil.example\r\n{length}"),
        format!("Host: evil.example\r\n{host}\r\n{length}"),
        format!("{host}\r\n{length}\r\nContent-Length: 3"),
        format!("{host}\r\nContent-Length: 27, 3"),
        format!("{host}\r\nContent-Length: +27"),
        format!("{host}\r\nContent-Length: -1"),
        format!("{host}\r\n{length}\r\nTransfer-Encoding: chunked"),
        format!("{host}\r\n{length}\r\nX-Token: x"),
        format!("{host}\r\n{length}\r\nOrigin: http://{}\r\nOrigin: http://evil.example", &host[6..]),
        length.clone(),
        // Less than it says: there is nothing to answer.
        format!("{host}\r\nContent-Length: 28"),
    ] {
        let answer = ask(&bad);
        assert!(!answer.contains("HTTP/1.1 200"), "{bad}: {}", &answer[..answer.floor_char_boundary(200)]);
    }
    assert!(ask(&format!("{host}\r\n{length}")).contains("HTTP/1.1 200 OK"));
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Symptom: formulas with waves far below what steps see ended with 0 and twice the energy. What ends with 0 has the energy it began with.
#[test]
fn waves_that_no_step_sees_make_no_energy() {
    let place = Place::new();
    let run = |text: &str, name: &str, most: f64| {
        place.write("waves.toml", text);
        let outcome = place.kugelbahn(&["run", "waves.toml", "--json"]);
        if outcome.code == 2 {
            return false;
        }
        let told: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let energy = |end: &str, of: &str| told["energy"][end][of].as_f64().unwrap();
        let grown = energy("end", "total") - energy("start", "total");
        let (unexplained, allowed) =
            (told["energy"]["unexplained"].as_f64().unwrap(), told["ledger"]["allowed"].as_f64().unwrap());
        assert!(outcome.code == 1 || grown <= most + allowed && unexplained.abs() <= allowed, "{name}: {grown} J");
        true
    };
    let mut seen = 0;
    for method in ["newmark", "bdf", "radau", "dop853", "taylor"] {
        let end = format!("[solver]\nduration = 0.3\nlimit = 1500\nmethod = '{method}'\n");
        for (size, wave) in [("1e-2", "1e3"), ("1e-4", "1e6"), ("1e-7", "1e8"), ("1e-10", "1e9")] {
            let ground = format!("curve = {{ kind = 'graph', y = '{size}*sin({wave}*x)', domain = [-3, 3] }}");
            let text =
                format!("initial.contact = {{ x = 0.1, speed = 1 }}\ncontact.friction = 0\n[ground]\n{ground}\n{end}");
            seen += u32::from(run(&text, &format!("{method}, ground {size} {wave}"), 0.0));
            // A force with a potential of 1/k either way.
            let force = format!(
                "initial = {{ position = [0.1, 0], velocity = [1, 0] }}\nground.curve = {{ kind = 'graph', y = -9 }}\n[forces]\ngravity = 0\nexternal = {{ x = 'sin({wave}*x)', y = '0' }}\n{end}"
            );
            seen += u32::from(run(&force, &format!("{method}, force {wave}"), 2.0 / wave.parse::<f64>().unwrap()));
        }
    }
    assert!(seen > 30, "{seen}");
}
