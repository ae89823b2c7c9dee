//! `kugelbahn aim`, the real binary, against closed forms.

use crate::common::{Outcome, Place, Table};
use serde_json::Value;

const THROW: &str = r#"
title = "A throw"
[ball]
mass = 2.0
[initial]
position = [0.0, 1.0]
velocity = [1.0, 2.0]
[ground]
curve = { kind = "graph", y = "0" }
[contact]
restitution = 0.5
[solver]
duration = 3.0
"#;

const BOWL: &str = r#"
title = "A bead in a bowl"
[ball]
mass = 0.5
[initial]
contact = { x = 0.3, speed = 0.0 }
[ground]
curve = { kind = "arc", centre = [0.0, 1.0], radius = 1.0, from = "-pi", to = 0 }
[solver]
duration = 2.0
"#;

const GRAVITY: f64 = 9.81;

fn place() -> Place {
    let place = Place::new();
    place.write("throw.toml", THROW);
    place.write("bowl.toml", BOWL);
    place
}

#[track_caller]
fn aim(arguments: &[&str]) -> Value {
    let place = place();
    let outcome = place.kugelbahn(&[["aim"].as_slice(), arguments, &["--json"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn found(json: &Value, i: usize) -> f64 {
    json["free"][i]["value"].as_f64().unwrap()
}

fn reading(json: &Value) -> f64 {
    json["goals"][0]["value"].as_f64().unwrap()
}

#[track_caller]
fn near(value: f64, exact: f64, bound: f64) {
    assert!((value - exact).abs() <= bound, "{value} for {exact}");
}

#[test]
fn a_throw_meets_place_and_time() {
    // t = 0.8: vx = 3/t, vy = gt/2 − y₀/t.
    let json = aim(&[
        "throw.toml",
        "--target",
        "impact.x = 3.0",
        "--target",
        "time(impact.1)=0.8",
        "--free",
        "initial.velocity.x,initial.velocity.y",
    ]);
    near(found(&json, 0), 3.75, 1e-8);
    near(found(&json, 1), 0.4 * GRAVITY - 1.25, 1e-8);
    assert_eq!(json["way"], "newton");
    assert!(json["runs"].as_u64().unwrap() < 20, "{}", json["runs"]);
}

#[test]
fn passings_heights_and_later_impacts_are_aimed_at() {
    let passing = aim(&["throw.toml", "--target", "y(x=0.5) = 1.2", "--free", "initial.velocity.y"]);
    // t = 0.5
    near(found(&passing, 0), (0.2 + 0.125 * GRAVITY) / 0.5, 1e-8);
    let height = aim(&["throw.toml", "--target", "height = 1.5", "--free", "initial.velocity.y"]);
    near(found(&height, 0), GRAVITY.sqrt(), 1e-8);
    let later = aim(&["throw.toml", "--target", "impact.2.x = 3", "--free", "initial.velocity.x"]);
    // Down after (2 + √(4 + 2g))/g, and again √(4 + 2g)/g later.
    let speed = (4.0 + 2.0 * GRAVITY).sqrt();
    near(found(&later, 0), 3.0 * GRAVITY / (2.0 + 2.0 * speed), 1e-8);
}

#[test]
fn the_settings_and_the_scenario_found_run_as_asked() {
    let place = place();
    let outcome = place.kugelbahn(&[
        "aim",
        "throw.toml",
        "--target",
        "landing.x = 2.5",
        "--free",
        "initial.velocity.x",
        "--out",
        "found",
    ]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(place.files("found"), ["aim.json", "aimed.toml"]);
    let (_, setting) = outcome.stdout.split_once("--set '").unwrap();
    let (setting, _) = setting.split_once('\'').unwrap();
    let landing = |outcome: Outcome, folder: &str| {
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let events = Table::read(&place, &format!("{folder}/events.csv"));
        let row = events.words("kind").iter().position(|kind| *kind == "landing").unwrap();
        events.numbers("x")[row]
    };
    let set = place.kugelbahn(&["run", "throw.toml", "--set", setting, "--out", "set", "--quiet"]);
    near(landing(set, "set"), 2.5, 1e-6);
    let file = place.kugelbahn(&["run", "found/aimed.toml", "--out", "file", "--quiet"]);
    near(landing(file, "file"), 2.5, 1e-6);
}

#[test]
fn files_that_a_scenario_names_are_found_from_the_one_written() {
    let place = place();
    place.write("floor.toml", "kind = \"graph\"\ny = \"0\"\n");
    place.write("named.toml", THROW.replace("{ kind = \"graph\", y = \"0\" }", "\"floor.toml\""));
    let arguments = ["aim", "named.toml", "--target", "impact.x = 2", "--free", "initial.velocity.x", "--out", "a/b"];
    assert_eq!(place.kugelbahn(&arguments).code, 0);
    let again = place.kugelbahn(&["run", "a/b/aimed.toml", "--quiet"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
}

#[test]
fn extremes_are_found_inside_and_at_bounds() {
    // ‖v‖² at the floor = vx² + vy² + 2 g y₀: least for vy = 0.
    let inside = aim(&["throw.toml", "--minimise", "speed-before(impact.1)", "--free", "initial.velocity.y"]);
    near(found(&inside, 0), 0.0, 1e-5);
    near(reading(&inside), (1.0 + 2.0 * GRAVITY).sqrt(), 1e-9);
    let bound = aim(&["throw.toml", "--maximise", "height", "--free", "initial.velocity.y=-1..3"]);
    near(found(&bound, 0), 3.0, 1e-6);
    near(reading(&bound), 1.0 + 4.5 / GRAVITY, 1e-6);
    assert_eq!(bound["way"], "l-bfgs");
}

#[test]
fn the_largest_normal_force_is_aimed_at_without_derivatives() {
    // λ = m g (3 − 2 cos θ) at the bottom: 2 m g for θ = 60°.
    let json = aim(&["bowl.toml", "--target", "normal-force = 9.81", "--free", "initial.contact.x=0.1..0.99"]);
    near(found(&json, 0), 0.75f64.sqrt(), 1e-6);
    near(reading(&json), 9.81, 2e-8);
    let least = aim(&["bowl.toml", "--minimise", "normal-force", "--free", "initial.contact.x=0.2..0.9"]);
    near(found(&least, 0), 0.2, 1e-6);
    near(reading(&least), 0.5 * GRAVITY * (3.0 - 2.0 * 0.96f64.sqrt()), 1e-6);
}

#[test]
fn what_is_out_of_reach_is_told_with_the_best_found() {
    let place = place();
    let outcome = place.kugelbahn(&[
        "aim",
        "throw.toml",
        "--target",
        "impact.x = 9",
        "--free",
        "initial.velocity.x=0..2",
        "--out",
        "found",
    ]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("not reached") && outcome.stderr.contains("at its bound"), "{}", outcome.stderr);
    // The best: at the bound.
    let best = 2.0 * (2.0 + (4.0 + 2.0 * GRAVITY).sqrt()) / GRAVITY;
    assert!(outcome.stdout.contains(&format!("{best:.6}")), "{}", outcome.stdout);
    assert!(!place.path("found").exists());
    let never = place.kugelbahn(&["aim", "throw.toml", "--target", "lift-off.x = 1", "--free", "initial.velocity.x"]);
    assert_eq!(never.code, 1);
    assert!(never.stderr.contains("none of 97 runs has lift-off.x"), "{}", never.stderr);
}

#[track_caller]
fn ends(arguments: &[&str], end: &str, cut: bool) -> Value {
    let json = aim(arguments);
    assert_eq!(json["end"], end, "{json:#}");
    assert_eq!(json["cut_off_by_the_end_of_the_run"], cut, "{json:#}");
    assert!(json["runs"].as_u64().unwrap() < 250, "{}", json["runs"]);
    json
}

#[test]
fn an_extreme_says_what_makes_it_one() {
    let free = ["--free", "initial.velocity.y"];
    let with = |wish: &'static str, text: &'static str| [["throw.toml", wish, text].as_slice(), &free].concat();
    let level = ends(&with("--minimise", "speed-before(impact.1)"), "level", false);
    near(found(&level, 0), 0.0, 1e-6);
    let bound = ends(&["throw.toml", "--maximise", "height", "--free", "initial.velocity.y=-1..4"], "bound", false);
    assert_eq!((found(&bound, 0), &bound["free"][0]["at_bound"]), (4.0, &Value::from(4.0)));
    // Up for all of 3 s.
    let range = ["throw.toml", "--maximise", "height", "--free", "initial.velocity.y=0..100"];
    near(reading(&ends(&range, "bound", true)), 1.0 + 300.0 - 4.5 * GRAVITY, 1e-9);
    // Down at the very end: vy = g t/2 − y₀/t.
    let edge = ends(&with("--maximise", "time(impact)"), "bound", true);
    near(found(&edge, 0), 1.5 * GRAVITY - 1.0 / 3.0, 1e-6);
    // Where the cost ceases to be, after the end of the run, no search goes to and fro for thousands of runs.
    let wall = [
        "throw.toml",
        "--maximise",
        "time(impact.2)",
        "--free",
        "initial.velocity.x,initial.velocity.y,contact.restitution",
    ];
    let wall = aim(&wall);
    assert!(wall["runs"].as_u64().unwrap() < 400, "{wall:#}");
    near(reading(&wall), 3.0, 1e-6);
    // x(end) asks for the end.
    let range = ["throw.toml", "--maximise", "x(end)", "--free", "initial.velocity.x=0..2"];
    near(reading(&ends(&range, "bound", false)), 6.0, 1e-9);
    // A start that is level, but the wrong way up.
    let up = ["throw.toml", "--maximise", "speed-before(impact)", "--free", "initial.velocity.x=-2..3", "--set"];
    let up = ends(&[up.as_slice(), &["initial.velocity=[0, 2]"]].concat(), "bound", false);
    assert_eq!(found(&up, 0).abs().max(2.0), found(&up, 0).abs());
}

#[test]
fn what_grows_for_ever_is_no_extreme() {
    let cases = [
        ("--maximise", "height", "initial.velocity.y", "height gets no worse on and on with initial.velocity.y"),
        ("--maximise", "impact.x", "initial.velocity.x", "impact.x gets no worse on and on"),
        ("--minimise", "time(x=3)", "initial.velocity.x", "time(x=3) gets no worse on and on"),
    ];
    for (wish, quantity, free, told) in cases {
        let place = place();
        // From 1 m/s it is a matter of rounding whether the search takes one round more.
        let start = ["--set", "initial.velocity=[2, 2]"];
        let arguments = ["aim", "throw.toml", wish, quantity, "--free", free, "--out", "o"];
        let outcome = place.kugelbahn(&[arguments.as_slice(), &start].concat());
        assert_eq!(outcome.code, 1, "{}", outcome.stdout);
        let cure = format!("--free {free}=LOW..HIGH");
        assert!(outcome.stderr.contains(told) && outcome.stderr.contains(&cure), "{}", outcome.stderr);
        assert!(!outcome.stdout.contains("greatest") && !outcome.stdout.contains("least"), "{}", outcome.stdout);
        let (_, runs) = outcome.stdout.split_once("found in ").unwrap();
        assert!(runs.split(' ').next().unwrap().parse::<u32>().unwrap() < 50, "{}", outcome.stdout);
        assert!(!place.path("o").exists());
    }
    let json = place().kugelbahn(&[
        "aim",
        "bowl.toml",
        "--maximise",
        "normal-force",
        "--free",
        "initial.contact.speed",
        "--json",
    ]);
    assert_eq!(json.code, 1);
    assert!(json.stdout.contains("\"end\": \"unsettled\""), "{}", json.stdout);
}

#[test]
fn a_number_without_effect_is_left_where_it_is() {
    let free = "initial.velocity.x,initial.velocity.y,ball.mass";
    let arguments = ["aim", "throw.toml", "--target", "height = 2", "--free", free];
    let outcome = place().kugelbahn(&arguments);
    assert!(outcome.stdout.contains("initial.velocity.x has no effect on height: left at 1\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("ball.mass has no effect on height: left at 2\n"), "{}", outcome.stdout);
    let json = aim(&arguments[1..]);
    assert_eq!(
        [0, 2].map(|i| (found(&json, i), json["free"][i]["no_effect"].as_bool())),
        [(1.0, Some(true)), (2.0, Some(true))]
    );
    near(found(&json, 1), (2.0 * GRAVITY).sqrt(), 1e-8);
    let extreme = aim(&["throw.toml", "--maximise", "height", "--free", "ball.mass=1..5,initial.velocity.y=0..3"]);
    assert_eq!(found(&extreme, 0), 2.0);
    // Nothing bounces: no derivatives tell it, but runs.
    let force =
        aim(&["bowl.toml", "--maximise", "normal-force", "--free", "initial.contact.x=0.1..0.9,contact.restitution"]);
    assert_eq!(force["free"][1]["no_effect"], true);
    // None at all.
    for (wish, text) in [("--maximise", "time(end)"), ("--target", "time(impact) = 2"), ("--minimise", "normal-force")]
    {
        let outcome = place().kugelbahn(&["aim", "throw.toml", wish, text, "--free", "initial.velocity.x"]);
        assert_eq!(outcome.code, 1);
        assert!(outcome.stderr.contains("the free numbers have no effect on it"), "{}", outcome.stderr);
    }
    // Restitution has, on the second.
    let later = ["throw.toml", "--target", "impact.1.x = 3", "--target", "impact.2.x = 4", "--free"];
    let later = aim(&[later.as_slice(), &["initial.velocity,contact.restitution"]].concat());
    assert_eq!(later["free"][2]["no_effect"], false);
}

#[test]
fn runs_are_counted_to_the_last() {
    for runs in ["1", "2", "3", "7", "40"] {
        let place = place();
        let target = ["--target", "impact.x = 9", "--free", "initial.velocity.x=0..2"];
        let extreme = ["--maximise", "time(impact)", "--free", "initial.velocity.y"];
        for wish in [target, extreme] {
            let outcome =
                place.kugelbahn(&[["aim", "throw.toml", "--json", "--runs", runs].as_slice(), &wish].concat());
            assert_eq!(outcome.code, 1, "{}", outcome.stderr);
            assert!(outcome.stderr.contains("allow more with --runs"), "{}", outcome.stderr);
            let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
            assert_eq!(json["runs"].to_string(), runs);
        }
    }
}

#[test]
fn a_start_outside_its_range_is_told() {
    let arguments = ["aim", "throw.toml", "--target", "impact.x = 2", "--free", "initial.velocity.x=1.5..9"];
    let outcome = place().kugelbahn(&arguments);
    let told = "initial.velocity.x = 1 of the scenario is not in its range: started at 1.5";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
}

#[test]
fn heights_are_those_of_start_apex_contact_and_end() {
    let with = |more: &[&str]| aim(&[["bowl.toml", "--maximise", "height", "--free"].as_slice(), more].concat());
    // Up the other side as high as it came, from a start at rest: where it began.
    let start = with(&["initial.contact.x=0.2..0.6"]);
    near(reading(&start), 1.0 - 0.8, 1e-9);
    // v²/2g higher, in contact.
    let contact = with(&["initial.contact.speed=0..1"]);
    near(reading(&contact), 1.0 - 0.91f64.sqrt() + 0.5 / GRAVITY, 1e-9);
    near(contact["goals"][0]["time"].as_f64().unwrap(), 0.2, 0.2);
    // Not up yet: y = y₀ + vy t − g t²/2 at t = 0.1.
    let end =
        ["throw.toml", "--target", "height = 1.2", "--free", "initial.velocity.y", "--set", "solver.duration=0.1"];
    near(found(&aim(&end), 0), 2.0 + 0.05 * GRAVITY, 1e-8);
}

#[track_caller]
fn refused(arguments: &[&str], told: &[&str]) {
    let place = place();
    let outcome = place.kugelbahn(&[["aim", "throw.toml", "--out", "found"].as_slice(), arguments].concat());
    assert_eq!(outcome.code, 2, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
    for text in told {
        assert!(outcome.stderr.contains(text), "{arguments:?}: {}", outcome.stderr);
    }
    assert!(!place.path("found").exists());
}

#[test]
fn bad_input_is_told_with_place_and_cure() {
    let free = ["--free", "initial.velocity.x"];
    let with = |option: &'static str, text: &'static str| [[option, text].as_slice(), &free].concat();
    refused(&free, &["nothing to aim at", "--target 'landing.x = 3.0'"]);
    refused(&with("--target", "landing.x"), &["sets no value", "--target 'landing.x = 3.0'"]);
    refused(&with("--target", "landing.x = three"), &["`three` is no number"]);
    refused(&with("--target", "landing.z = 3"), &["`z` is no component"]);
    refused(&with("--target", "landin.x = 3"), &["did you mean `landing`?"]);
    refused(&with("--target", "x = 3"), &["say when: x(landing)"]);
    refused(&with("--target", "heigth = 3"), &["did you mean `height`?"]);
    refused(&with("--target", "impact.0.x = 3"), &["`0` counts no events"]);
    refused(&with("--target", "x(t=1 = 3"), &["lacks its closing parenthesis"]);
    refused(&with("--target", "x(t=-1) = 3"), &["before the run"]);
    refused(&with("--target", "= 3"), &["no quantity"]);
    refused(&with("--target", "landing.x = nan"), &["`nan` is no number"]);
    refused(&with("--target", "landing.x = inf"), &["`inf` is no number"]);
    refused(&with("--target", "x(t=99) = 3"), &["after the end of the run", "at t = 3 s", "--set solver.duration"]);
    refused(&["--target", "landing.x = 3", "--free", ""], &["a key is missing", "--free KEY"]);
    let twice = "initial.velocity.x,initial.velocity.x";
    refused(&["--target", "landing.x = 3", "--free", twice], &["named twice"]);
    refused(&["--target", "landing.x = 3", "--free", "initial.velocity.x=2..1"], &["the range 2..1 is empty"]);
    refused(&["--target", "landing.x = 3", "--free", "initial.velocity.x=inf..inf"], &["is empty"]);
    refused(&["--target", "x(end) = 3", "--target", "x(end)=4", "--free", twice], &["`x(end)` is asked for twice"]);
    refused(&with("--target", "time-before(impact) = 3"), &["`time` is the same before and after"]);
    refused(&with("--minimise", "landing.x = 3"), &["takes no value", "--target 'landing.x = 3'"]);
    refused(&["--target", "landing.x = 3", "--free", "initial.velocty.x"], &["initial.velocity.x"]);
    let both = ["--target", "landing.x = 3", "--minimise", "height", "--free", "initial.velocity.x"];
    refused(&both, &["targets and an extreme together"]);
    let two = ["--maximise", "landing.x", "--minimise", "height", "--free", "initial.velocity.x"];
    refused(&two, &["only one quantity"]);
}
