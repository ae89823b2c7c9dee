//! What is read and written: tables, drawings, output folders.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::film::{FREE, SCENARIO, csv, filmed, fit, found};
use crate::common::{DROP, Outcome, Place};

/// Runs the binary with ten seconds of CPU; beyond them it is killed, with code -1. What is right takes less than one, some times as much
/// on a machine that is shared; what went wrong took 16 and more.
fn brisk(place: &Place, arguments: &[&str]) -> Outcome {
    let output = Command::new("sh")
        .args(["-c", "ulimit -t 10; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_kugelbahn")])
        .args(arguments)
        .current_dir(place.path("."))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A refusal within this time that says all of this.
#[track_caller]
fn refused(place: &Place, arguments: &[&str], parts: &[&str]) {
    let outcome = brisk(place, arguments);
    assert_eq!(outcome.code, 2, "{}{}", outcome.stdout, outcome.stderr);
    // Lines are broken where the terminal would end.
    let told = outcome.stderr.replace("\n  │", "").split_whitespace().collect::<Vec<_>>().join(" ");
    parts.iter().for_each(|part| assert!(told.contains(part), "no `{part}` in {told}"));
}

/// Symptom: two rows were searched for 16 s. The first stages of a fit held runs of 2e-308 s against the row at the start.
#[test]
fn fit_of_two_rows() {
    let (place, rows) = filmed();
    for ground in ["0", "0.1*sin(2*pi*x)"] {
        let text = SCENARIO.replace("y = \"h\", parameters = { h = 0.0 }", &format!("y = \"{ground}\""));
        place.write("throw.toml", text.replace("[contact]", "[forces]\ndrag = { coefficient = 0.05 }\n[contact]"));
        for count in [2, 3] {
            let few: Vec<[f64; 3]> = (0..count).map(|i| rows[i * (rows.len() - 1) / (count - 1)]).collect();
            place.write("film.csv", csv(&few));
            let free = ["contact.restitution", "contact.restitution,initial.velocity.y,initial.velocity.x"];
            for free in free {
                let outcome = brisk(&place, &["fit", "film.csv", "throw.toml", "--free", free]);
                assert!([0, 2].contains(&outcome.code), "{count} rows, {free}: {}", outcome.stderr);
            }
        }
    }
}

/// Symptom: no answer. Nothing compared the numbers of a table with those that a run may have.
#[test]
fn fit_of_columns_that_no_run_has() {
    let (place, rows) = filmed();
    let table = |text: String, parts: &[&str]| {
        place.write("film.csv", text);
        refused(&place, &["fit", "film.csv", "throw.toml", "--free", FREE], parts);
    };
    let with = |change: fn([f64; 3]) -> [f64; 3]| csv(&rows.iter().map(|row| change(*row)).collect::<Vec<_>>());
    table(with(|[t, x, y]| [t * 1e300, x, y]), &["row 3: t = ", "too large for a run", "at most 1e12"]);
    table(with(|[t, _, y]| [t, 1e300, y]), &["row 2: x = 1e300 is too large"]);
    table(with(|[t, x, _]| [t, x, -1e308]), &["row 2: y = -1e308 is too large"]);
    table(with(|[t, x, _]| [t, x, f64::NAN]), &["has a number for y", "--columns T,X,Y with - for it"]);
    table(with(|[_, x, y]| [f64::NAN, x, y]), &["row 2 has a place and no time"]);
}

/// Symptom: pixels were drawn and told as metres, and the ball fell upwards: the unit was that of a table which has none.
#[test]
fn fit_in_pixels_is_told_in_metres() {
    let (place, rows) = filmed();
    let pixels: Vec<[f64; 3]> = rows.iter().map(|[t, x, y]| [*t, 50.0 + 400.0 * x, 500.0 - 400.0 * y]).collect();
    place.write("film.csv", csv(&pixels));
    let scale = ["--free", FREE, "--scale", "free", "--y-down", "--origin", "50,500"];
    let told = fit(&place, &[&scale[..], &["--out", "out"]].concat());
    assert!(told.stdout.contains("residuals: rms 0.00") && !told.stdout.contains("px"), "{}", told.stdout);
    let json: Value = serde_json::from_str(&place.read("out/fit.json")).unwrap();
    let rms = json["residuals"]["rms"].as_f64().unwrap();
    assert!((0.0009..0.0011).contains(&rms), "{rms}");
    assert_eq!(json["data"]["unit"], Value::Null);
    // Heights of 0 to 1 m, not rows of 100 to 500 pixels.
    let figure = place.read("out/fit.svg");
    assert!(figure.contains("y [m]") && !figure.contains(">300<"), "{figure}");
    place.write("film.csv", csv(&rows));
    fit(&place, &["--free", FREE, "--out", "metres"]);
    let ticks = |figure: &str| figure.matches(">0.5<").count() + figure.matches(">0.50<").count();
    assert_eq!(ticks(&figure), ticks(&place.read("metres/fit.svg")));
}

/// Symptom: alternating residuals were said to hang together, since any correlation of neighbours counted.
#[test]
fn residuals_that_alternate_do_not_hang_together() {
    let (place, rows) = filmed();
    let off = |i: usize| if i.is_multiple_of(2) { 0.003 } else { -0.003 };
    place.write(
        "film.csv",
        csv(&(0..rows.len()).map(|i| [rows[i][0], rows[i][1], rows[i][2] + off(i)]).collect::<Vec<_>>()),
    );
    let json = found(&place, &["--free", FREE]);
    let y = &json["residuals"]["y"];
    assert!(y["lag1"].as_f64().unwrap() < -y["lag1_bound"].as_f64().unwrap() && y["coloured"] == false, "{y}");
    let told = fit(&place, &["--free", FREE]).stdout;
    assert!(!told.contains("hang together") && told.contains("in 99.87 % of cases"), "{told}");
}

/// A run that goes on for hours, once it has begun to write.
fn long_run(place: &Place) -> Child {
    place.write("long.toml", DROP.replace("1.5", "1e4").replace("interval = 0.01", "interval = 1e-4"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_kugelbahn"))
        .args(["run", "long.toml", "--out", "out", "--quiet"])
        .current_dir(place.path("."))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let begun = || place.path("out").exists() && place.files("out").len() >= 2;
    while !begun() && child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Symptom: files `.tmpXXXX` stayed. Nothing heard the signal, and nothing knew the names again.
#[test]
fn runs_that_are_ended_leave_nothing() {
    let place = Place::new();
    for signal in ["TERM", "INT"] {
        let mut child = long_run(&place);
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(1), "it ends with what it has");
        assert!(
            place.files("out").iter().all(|name| !name.ends_with(".partial")),
            "SIG{signal}: {:?}",
            place.files("out")
        );
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    for _ in 0..3 {
        let mut child = long_run(&place);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(place.files("out").len(), 2, "{:?}", place.files("out"));
    }
    assert_eq!(place.kugelbahn(&["run", "drop.toml", "--out", "out", "--quiet"]).code, 0);
    assert_eq!(
        place.files("out"),
        ["events.csv", "path.svg", "report.html", "summary.json", "time.svg", "trajectory.csv"]
    );
}

/// Two runs into one folder mixed their files.
#[test]
fn one_run_at_a_time_into_a_folder() {
    let place = Place::new();
    let mut child = long_run(&place);
    refused(&place, &["run", "drop.toml", "--out", "out"], &["another command is writing to it"]);
    refused(
        &place,
        &["curves", "show", "./hills.toml", "--svg", "out/hills.svg"],
        &["another command is writing to it"],
    );
    assert_eq!(place.files("out").len(), 2, "the partial files of the other run are left alone");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(place.kugelbahn(&["run", "drop.toml", "--out", "out", "--quiet"]).code, 0);
}

/// Symptom: more than a minute, since every group was looked for in all elements; and a panic where a refusal showed a line of megabytes.
#[test]
fn a_drawing_of_nested_groups() {
    let place = Place::new();
    let deep = 100_000;
    let curve = "kind = \"svg\"\nfile = \"deep.svg\"\nscale = 0.01\n";
    for group in ["<g>", "<g id=\"a\">", "<g transform=\"translate(0 0)\">"] {
        let path = "<path d=\"M0 0 L100 10\"/>";
        place.write("deep.svg", format!("<svg>{}{path}{}</svg>", group.repeat(deep), "</g>".repeat(deep)));
        place.write("deep.toml", curve);
        let outcome = brisk(&place, &["curves", "show", "./deep.toml"]);
        assert_eq!(outcome.code, 0, "{group}: {}", outcome.stderr);
    }
    let uses: String = (0..deep).map(|i| format!("<g id=\"g{i}\"><use href=\"#g{}\"/>", i + 1)).collect();
    let (path, ends) = ("<path d=\"M0 0 L100 10\"/>", "</g>".repeat(deep));
    place.write("deep.svg", format!("<svg><defs>{uses}{path}{ends}</defs><use href=\"#g0\"/></svg>"));
    refused(&place, &["curves", "show", "./deep.toml"], &["the path is drawn several times"]);
    place.write("deep.svg", format!("<svg><path d=\"M0 0{} Lä,0\"/></svg>", " L1,0 L0,1".repeat(deep)));
    refused(&place, &["curves", "show", "./deep.toml"], &["deep.svg:1:1000021", "L0,1 Lä,0\"/></svg>"]);
}

/// Symptom: 26 s, and then refused: run clockwise, it was a curve of another kind, each look at which cost 65 µs.
#[test]
fn a_flat_ellipse() {
    let place = Place::new();
    for side in ["inside", "outside"] {
        for turn in ["0", "0.5", "pi/2", "-2.3"] {
            for axes in ["4e5, 0.3", "0.3, 4e5"] {
                let text = format!(
                    "kind = \"ellipse\"\ncentre = [0, 0]\nsemi-axes = [{axes}]\nturn = \"{turn}\"\nside = \"{side}\"\n"
                );
                place.write("flat.toml", text);
                let outcome = brisk(&place, &["curves", "show", "./flat.toml"]);
                assert_eq!(outcome.code, 0, "{axes}, {turn}, {side}: {}", outcome.stderr);
            }
        }
    }
}

/// Symptom: the ball flew upwards without a word.
#[test]
fn gravity_that_pulls_up_is_told() {
    let place = Place::new();
    let told = |gravity: &str| {
        let set = format!("forces.gravity={gravity}");
        place.kugelbahn(&["run", "drop.toml", "--set", &set, "--set", "solver.duration=0.1"])
    };
    for gravity in ["-9.81", "[0, 9.81]"] {
        let outcome = told(gravity);
        assert!(outcome.code == 0 && outcome.stderr.starts_with("warning: upward-gravity: "), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("pulls up by 9.81 m/s²") && outcome.stderr.contains("[0, -9.81]"));
    }
    for gravity in ["9.81", "0", "[0, -9.81]", "[9.81, 0]"] {
        assert_eq!(told(gravity).stderr, "");
    }
}

/// Symptom: with e → 1 for slow impacts a dropped ball bounced for minutes in silence, and each bounce cost 10⁴ more that were summed up in vain.
#[test]
fn bounces_without_end_are_told() {
    let place = Place::new();
    let told = |restitution: &str, more: &[&str]| {
        let set = format!("contact.restitution={restitution}");
        place.kugelbahn(&[&["run", "drop.toml", "--set", "solver.duration=3", "--set", &set], more].concat())
    };
    let ends = ["--set", "solver.capture-tolerance=1e-3", "--set", "solver.capture-speed=1e-3"];
    let outcome = told("exp(-v)", &ends);
    assert!(outcome.code == 0 && outcome.stderr.starts_with("warning: bounces-on: "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("min(0.99, exp(-v))") && outcome.stdout.contains("captured"), "{}", outcome.stdout);
    for settles in ["min(0.99, exp(-v))", "1 - 0.5*v^0.2", "1"] {
        assert_eq!(told(settles, &[]).stderr, "", "{settles}");
    }
}

/// Symptom: `contact` put the ball below a plank drawn from right to left, and it fell without a word.
#[test]
fn a_start_on_the_lower_side_is_told() {
    let place = Place::new();
    let told = |from: &str, to: &str, more: &str| {
        let text = format!(
            "ball.radius = 0.05\ninitial.contact = {{ x = 0{more} }}\nsolver.duration = 0.1\n[[ground]]\nname = 'plank'\n\
             curve = {{ kind = 'line', from = {from}, to = {to} }}\n"
        );
        place.write("plank.toml", text);
        let outcome = place.kugelbahn(&["run", "plank.toml"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stderr
    };
    let warned = told("[1, 0]", "[-1, 0.2]", "");
    assert!(warned.starts_with("warning: starts-below: the ball starts below `plank`, at ("), "{warned}");
    assert!(warned.contains("`reverse = true`"), "{warned}");
    assert_eq!(told("[-1, 0]", "[1, 0.2]", ""), "");
    // Of ground without ends, whose lower side is free.
    let text = "initial.position = [0, 1]\nground.curve = { kind = 'parametric', x = '-s', y = '0.1*s', domain = [-inf, inf] }\n";
    let message = place.refused(text, &[]);
    assert!(message.contains("m below the ground") && message.contains("give the curve `reverse = true`"), "{message}");
    // In a loop at speed it stays on.
    let bowl = |speed: f64| {
        place.write(
            "loop.toml",
            format!(
                "ball.radius = 0.05\ninitial.contact = {{ s = 1.571, speed = {speed} }}\nsolver.duration = 0.1\n\
                 ground.curve = {{ kind = 'circle', centre = [0, 0], radius = 1, side = 'inside' }}\n"
            ),
        );
        place.kugelbahn(&["run", "loop.toml"]).stderr
    };
    let (slow, fast) = (bowl(0.5), bowl(8.0));
    assert!(slow != fast && fast.is_empty() && slow.contains("starts-below"), "{slow}\n{fast}");
}
