//! A sweep that is killed, or whose disk is full, goes on where it was, with nothing lost or doubled.

#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::Place;

const ARGUMENTS: [&str; 12] = [
    "sweep",
    "drop.toml",
    "--vary",
    "contact.restitution=0.1..0.9/120",
    "--observe",
    "impact.2.x",
    "--observe",
    "events",
    "--out",
    "out",
    "--chunk",
    "5",
];

/// Equally distributed numbers below 1 (Weyl's sequence): the same moments in each test run, as far as the machine's clock goes.
fn moment(i: u32) -> f64 {
    (f64::from(i) * 0.618_033_988_749_894_9).fract()
}

fn start(place: &Place, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kugelbahn"))
        .args(arguments)
        .current_dir(place.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills a command (`kill -9`) after a part of `whole`; whether it was still there.
fn kill(mut child: Child, i: u32, whole: Duration) -> bool {
    std::thread::sleep(whole.mul_f64(moment(i)));
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

fn merged(place: &Place) -> [String; 2] {
    ["runs", "events"].map(|table| {
        let outcome = place.kugelbahn(&["sweep", "merge", "out", "-o", "all.csv", "--table", table]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        place.read("all.csv")
    })
}

/// 200 kills at moments spread over the sweep, several in one sweep, then 40 over the merge.
#[test]
fn killed_at_200_moments() {
    let place = Place::new();
    let started = std::time::Instant::now();
    assert_eq!(place.kugelbahn(&ARGUMENTS).code, 0);
    let whole = started.elapsed();
    let expected = merged(&place);
    let (mut kills, mut halfway, mut i) = (0, 0, 0);
    while kills < 200 {
        std::fs::remove_dir_all(place.path("out")).unwrap();
        // Up to ten kills of one sweep, one of two shards at a time.
        for _ in 0..10 {
            i += 1;
            let shard: &[&str] = [&["--shard", "0/2"], &["--shard", "1/2"], &[][..]][i as usize % 3];
            kills += u32::from(kill(start(&place, &[&ARGUMENTS, shard].concat()), i, whole));
        }
        let there = place.path("out/sweep.json").exists().then(|| place.files("out").len());
        halfway += u32::from(there.is_some_and(|files| files > 1 && files < 2 * 24));
        let outcome = place.kugelbahn(&ARGUMENTS);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(merged(&place) == expected, "after {kills} kills");
        assert!(place.files("out").iter().all(|name| !name.ends_with(".partial")), "{:?}", place.files("out"));
        assert!(i < 4000, "too fast to be killed: {kills} of {i}");
    }
    println!("{kills} kills, {halfway} sweeps went on from a half-written folder");
    let before = place.read("all.csv");
    let time = std::time::Instant::now();
    merged(&place);
    let whole = time.elapsed() / 2;
    for i in 0..40 {
        kill(start(&place, &["sweep", "merge", "out", "-o", "all.csv", "--table", "events"]), i, whole);
        assert!(place.read("all.csv") == before, "a merge that was killed has left half a file");
    }
    assert!(merged(&place) == expected);
}

/// A full disk stops it with the reason; with room, it goes on. In a namespace of its own, where a small tmpfs may be mounted.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_loses_nothing() {
    let place = Place::new();
    let script = format!(
        "mkdir -p out && mount -t tmpfs -o size=150k none out || exit 77\n\
         {program} {arguments} > told 2>&1; echo $? > code; ls out > listed\n\
         mount -o remount,size=100m out || exit 77\n\
         {program} {arguments} > again && {program} sweep merge out -o all.csv && {program} sweep verify out",
        program = env!("CARGO_BIN_EXE_kugelbahn"),
        arguments = ARGUMENTS.join(" "),
    );
    let unshare = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", &script])
        .current_dir(place.path("."))
        .output();
    match unshare.map(|output| (output.status.code(), output)) {
        Ok((Some(0), _)) => {}
        // No test without the right to mount; nothing is claimed then.
        Err(_) | Ok((Some(77 | 1 | 127), _)) if !place.path("code").exists() => {
            println!("not tested: no namespace with a tmpfs here");
            return;
        }
        Ok((code, output)) => panic!("{code:?} {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => panic!("{error}"),
    }
    assert_eq!(place.read("code").trim(), "2");
    let told = place.read("told");
    assert!(told.contains("No space left on device") && told.contains("goes on where it was"), "{told}");
    let listed = place.read("listed");
    assert!(
        listed.lines().filter(|name| name.starts_with("chunk-")).count() > 2 && !listed.contains(".partial"),
        "{listed}"
    );
    assert!(place.read("again").contains("found there"), "{}", place.read("again"));
    let through = place.read("all.csv");
    assert_eq!(place.kugelbahn(&ARGUMENTS).code, 0);
    assert!(merged(&place)[0] == through);
}
