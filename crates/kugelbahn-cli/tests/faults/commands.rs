//! What commands say of runs and films that went by in silence, or under noise.

use crate::common::{Place, unwrapped};
use crate::fault;

/// Symptom: residuals were 535 times the noise, without a word of `--origin`: all rows lie below the ground.
#[test]
fn cli_fit_origin() {
    let place = Place::new();
    place.write("Film Kugel 60fps.csv", include_str!("files/golf.csv"));
    place.write("guess.toml", include_str!("files/golf.toml"));
    let fit = [
        "fit",
        "Film Kugel 60fps.csv",
        "guess.toml",
        "--fps",
        "60",
        "--unit",
        "px",
        "--y-down",
        "--scale",
        "free",
        "--free",
        "contact.restitution,initial.position,initial.velocity",
    ];
    let told = unwrapped(&place.kugelbahn(&fit).stderr);
    assert!(told.contains("all places in the table are below the ground: --origin X,Y"), "{told}");
    let origin = told.split("such as --origin ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let cured = place.kugelbahn(&[&fit[..], &["--origin", origin]].concat());
    assert!(cured.code == 0 && !cured.stderr.contains("below the ground"), "{}{}", cured.stdout, cured.stderr);
}

/// Symptom: of a cradle event by event 0 impacts were told. Cause: those of balls that are handed over to time stepping were counted nowhere.
#[test]
fn cli_cradle() {
    let (place, outcome) = fault("cli-cradle", &[]);
    let told = unwrapped(&outcome.stdout);
    assert!(outcome.code == 0 && told.contains("6000 steps, 20 impacts in them"), "{told}");
    let stepped = place.kugelbahn(&["run", "scenario.toml", "--set", "solver.method=moreau"]);
    assert!(stepped.stdout.contains("20 impacts, 0 landings"), "{}", stepped.stdout);
}

/// Symptom: "error at most inf m/s", 0 → −1.11e-16, a line for each of 17 captures, watches without a speed, jumps neither on the page nor on
/// paper.
#[test]
fn cli_report_noise() {
    let place = Place::new();
    place.write("run.toml", include_str!("files/coaster.toml"));
    place.write("track.toml", "title = 'Meine Bahn'\nkind = 'svg'\nfile = 'Bahn Entwurf ü.svg'\npaths = 'all'\n");
    place.write("Bahn Entwurf ü.svg", include_str!("files/coaster.svg"));
    let outcome = place.kugelbahn(&["run", "run.toml", "--out", "out"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert!(!outcome.stdout.contains("inf m/s"), "{}", outcome.stdout);
    assert_eq!(lines.iter().filter(|line| line.starts_with("captured")).count(), 1, "{}", outcome.stdout);
    let events = lines.iter().skip_while(|line| !line.starts_with("event ")).take_while(|line| !line.is_empty());
    for line in events {
        assert!(!line.contains("e-16") && !line.contains("e-17"), "{line}");
        assert!(!line.starts_with("watch") || line.contains("v = "), "{line}");
    }
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["captures"].as_array().map(Vec::len), Some(17));
    assert!(summary["jumps"].as_array().is_some_and(|jumps| jumps.len() > 12));
    let page = place.read("out/report.html");
    assert!(page.contains("table('Jumps'") && page.contains("'fall [m]'"));
}

/// Completions name all commands, and each command has a page.
#[test]
fn shells_and_man_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let told = place.kugelbahn(&["completions", shell]);
        assert!(
            told.code == 0 && ["converge", "sweep", "y-down"].iter().all(|word| told.stdout.contains(word)),
            "{shell}"
        );
    }
    assert_eq!(place.kugelbahn(&["completions", "sh"]).code, 2);
    assert_eq!(place.kugelbahn(&["man", "pages"]).code, 0);
    assert!(
        place.read("pages/kugelbahn-fit.1").contains("free")
            && place.files("pages").contains(&"kugelbahn.1".to_owned())
    );
}
