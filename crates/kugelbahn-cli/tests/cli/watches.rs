//! What is watched, where a run ends, and what its tables say of it, through the real binary.

use serde_json::Value;

use crate::common::{Place, Table};

/// A point slides without friction down a straight track of slope −1/2 from 5 m above its end, and jumps onto a parallel one 2 m
/// below.
const SKI_JUMP: &str = r#"title = "A ski jump"
initial = { contact = { x = -10 } }
ground.curve = { kind = "polyline", points = [[-12, 11], [0, 5], [0, 3], [40, -17]] }
solver = { duration = 4, tolerance = 1e-12 }
"#;

/// A drop onto level ground.
const FALL: &str = r#"initial = { position = [0, 1], velocity = [1, 0] }
ground.curve = { kind = "graph", y = "0" }
contact.restitution = 0.5
solver.duration = 3
output.interval = 0.1
"#;

fn json(place: &Place, arguments: &[&str]) -> Value {
    let outcome = place.kugelbahn(&[&["run", "scenario.toml", "--json"], arguments].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{found} {expected}");
}

#[test]
fn a_ski_jump_lands_where_the_parabola_says() {
    let place = Place::new();
    place.write("scenario.toml", SKI_JUMP);
    let run = json(&place, &["--out", "out"]);
    // v² = 2 g · 5 m along (2, −1)/√5; 2 m are fallen below the track's line at x = 4√2 m, whatever g is.
    let (g, x) = (9.81_f64, 4.0 * 2.0_f64.sqrt());
    let jump = &run["jumps"][0];
    assert_eq!(run["jumps"].as_array().unwrap().len(), 1);
    near(&jump["lift_off"]["position"][0], 0.0);
    near(&jump["lift_off"]["position"][1], 5.0);
    near(&jump["speed"], (10.0 * g).sqrt());
    near(&jump["landing"]["position"][0], x);
    near(&jump["landing"]["position"][1], 3.0 - 0.5 * x);
    near(&jump["length"], x.hypot(2.0 + 0.5 * x));
    // It comes down across the track with 4 √(g/5).
    let across = 4.0 * (g / 5.0).sqrt();
    near(&jump["normal_impulse"], across);
    near(&jump["fall_height"], 1.6);
    near(&jump["landing_angle"], across.atan2((2.5 * 8.0_f64.sqrt() + 2.0) * (g / 5.0).sqrt()));
    // One function of it: the table, and the quantity of `sweep` and `aim`.
    let sweep = ["sweep", "scenario.toml", "--vary", "ball.mass=1,2", "--out", "swept", "--quiet"];
    let words = [
        ("jump.1.length", &jump["length"]),
        ("jump.speed", &jump["speed"]),
        ("jump.1.landing_angle", &jump["landing_angle"]),
        ("jump.1.fall-height", &jump["fall_height"]),
        ("jump.1.normal-impulse", &jump["normal_impulse"]),
        ("jump.1.lift-off.x", &jump["lift_off"]["position"][0]),
        ("jump.lift_off.time", &jump["lift_off"]["time"]),
        ("jump.1.landing.y", &jump["landing"]["position"][1]),
        ("jump.1.landing.s", &jump["landing"]["s"]),
    ];
    let observed: Vec<&str> = words.iter().flat_map(|(word, _)| ["--observe", word]).collect();
    let outcome = place.kugelbahn(&[&sweep[..], &observed].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let file = place.files("swept").into_iter().find(|name| name.starts_with("runs-")).unwrap();
    let swept = Table::read(&place, &format!("swept/{file}"));
    for (word, value) in words {
        assert_eq!(Some(swept.numbers(word)[0]), value.as_f64(), "{word}");
    }
    let aim = |target: &str| {
        let outcome =
            place.kugelbahn(&["aim", "scenario.toml", "--target", target, "--free", "initial.contact.x=-11..-4"]);
        (outcome.code, outcome.stdout + &outcome.stderr)
    };
    // The jump goes as the root of the height above the edge: 1.6 m of it are the 2 m below, whatever the speed.
    let (code, told) = aim("jump.1.speed = 7");
    let x = -2.0 * 49.0 / (2.0 * g);
    assert!(code == 0 && told.contains(&format!("{x:.4}")), "{told}");
    assert!(aim("jump.1.width = 7").1.contains("expected length, speed, landing-angle"));
    // Three phases, the first with λ = m g cos, and what the landing takes.
    let phases = run["phases"].as_array().unwrap();
    let names: Vec<&str> = phases.iter().map(|phase| phase["phase"].as_str().unwrap()).collect();
    assert_eq!(names, ["sliding", "flight", "sliding"]);
    for end in ["smallest_normal_force", "largest_normal_force"] {
        near(&phases[0][end]["force"], g * 2.0 / 5.0_f64.sqrt());
    }
    near(&phases[1]["lost"], 0.5 * across * across);
    near(&phases[0]["top_speed"], (10.0 * g).sqrt());
}

#[test]
fn watches_are_rows_of_events_and_quantities() {
    let place = Place::new();
    let watches = "[[watch]]\nname = 'gate'\nx = 0.3\ndirection = 'up'\n[[watch]]\nname = 'top'\nheight = 'apex'\n\
                   [[watch]]\nname = 'clock'\ntimes = [0.2, 3]\n[[watch]]\nname = 'low'\ny = 0.1\nfirst = true\n";
    place.write("scenario.toml", format!("{FALL}{watches}"));
    let run = json(&place, &["--out", "out"]);
    let events = Table::read(&place, "out/events.csv");
    let (kinds, names, times) = (events.words("kind"), events.words("name"), events.numbers("time"));
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "{times:?}");
    let of = |name: &str| -> Vec<f64> {
        let rows = names.iter().zip(&kinds).zip(&times).filter(|((n, kind), _)| **n == name && **kind == "watch");
        rows.map(|(_, time)| *time).collect()
    };
    assert!((of("gate")[0] - 0.3).abs() < 1e-15 && of("gate").len() == 1);
    assert_eq!(of("clock"), [0.2, 3.0]);
    assert!((of("low")[0] - (1.8_f64 / 9.81).sqrt()).abs() < 1e-15 && of("low").len() == 1);
    // A top between impacts, until they are summed up.
    let first = (2.0_f64 / 9.81).sqrt();
    assert!((of("top")[0] - 1.5 * first).abs() < 1e-14 && (of("top")[1] - 2.25 * first).abs() < 1e-14);
    assert_eq!(run["watches"].as_array().unwrap().len(), kinds.iter().filter(|kind| **kind == "watch").count());
    assert_eq!(run["events"].as_array().unwrap().len(), kinds.len());
    assert_eq!(run["events"][0]["index"].to_string(), "0");
    assert_eq!((run["events"][0]["kind"].as_str(), run["events"][0]["name"].as_str()), (Some("watch"), Some("clock")));
    // A run without them has the same events and rows.
    place.write("scenario.toml", FALL);
    let plain = json(&place, &["--out", "plain"]);
    assert_eq!(place.read("out/trajectory.csv"), place.read("plain/trajectory.csv"));
    let without = |run: &Value| -> Vec<Value> {
        let rows = run["events"].as_array().unwrap().iter().filter(|row| row["kind"] != "watch").cloned();
        rows.map(|mut row| row.as_object_mut().and_then(|row| row.shift_remove("index")).map_or(Value::Null, |_| row))
            .collect()
    };
    assert_eq!(without(&run), without(&plain));
    place.write("scenario.toml", format!("{FALL}{watches}"));
    let observed = ["--observe", "watch.top.2.y", "--observe", "watch.gate.vy", "--observe", "watch.gate.2.x"];
    let sweep =
        [&["sweep", "scenario.toml", "--vary", "ball.mass=1", "--out", "swept", "--quiet"][..], &observed].concat();
    assert_eq!(place.kugelbahn(&sweep).code, 0);
    let file = place.files("swept").into_iter().find(|name| name.starts_with("runs-")).unwrap();
    let table = Table::read(&place, &format!("swept/{file}"));
    assert!((table.numbers("watch.top.2.y")[0] - 0.0625).abs() < 1e-14);
    assert!((table.numbers("watch.gate.vy")[0] + 0.3 * 9.81).abs() < 1e-14);
    assert_eq!(table.words("watch.gate.2.x"), [""]);
    // And what `aim` aims at: thrown so that it passes the gate 0.8 m high.
    let aim =
        ["aim", "scenario.toml", "--target", "watch.gate.y = 0.8", "--free", "initial.velocity.y", "--json", "--quiet"];
    let outcome = place.kugelbahn(&aim);
    let aimed: Value = serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    let upward = (0.8 - 1.0 + 0.5 * 9.81 * 0.09) / 0.3;
    assert!(aimed.to_string().contains("watch.gate.y") && outcome.code == 0, "{aimed:#}");
    let found = aimed["free"][0]["value"].as_f64().unwrap_or(f64::NAN);
    assert!((found - upward).abs() < 1e-6, "{found} {upward}\n{aimed:#}");
}

#[test]
fn a_run_ends_with_its_moment_and_rows_stand_at_times() {
    let place = Place::new();
    place.write("scenario.toml", format!("{FALL}[[watch]]\nname = 'gate'\nx = 0.35\n"));
    json(&place, &["--out", "longer"]);
    let run = json(&place, &["--out", "out", "--set", "solver.until=[\"watch.gate\", \"rest\"]", "--no-figures"]);
    assert_eq!((run["ended_with"].as_str(), run["completed"].as_bool()), (Some("watch.gate"), Some(true)));
    assert!((run["final"]["position"][0].as_f64().unwrap() - 0.35).abs() < 1e-15);
    assert_eq!(place.files("out"), ["events.csv", "summary.json", "trajectory.csv"]);
    let [rows, longer] = ["out", "longer"].map(|folder| place.read(&format!("{folder}/trajectory.csv")));
    // All but the last, which is the end.
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 1 + 4 + 1);
    assert_eq!(rows[..5], longer.lines().take(5).collect::<Vec<_>>()[..]);
    let outcome = place.kugelbahn(&["run", "scenario.toml", "--set", "solver.until=watch.gate"]);
    assert!(outcome.stdout.contains("ended with watch.gate at t = 0.350000000 s"), "{}", outcome.stdout);
    assert!(outcome.stdout.lines().filter(|line| line.contains("0.35")).all(|line| line.chars().count() <= 80));
    // Later than the start, each time once, and the end.
    let times =
        ["--set", "output.times=[0.25, 0.2, 9, 0]", "--set", "initial.time=0.15", "--set", "solver.duration=0.2"];
    json(&place, &[&["--out", "times"], &times[..]].concat());
    let times = Table::read(&place, "times/trajectory.csv").numbers("time");
    assert_eq!(times, [0.15, 0.2, 0.25, 3.0 * 0.1, 0.35]);
}

#[test]
fn a_release_knows_its_largest_force() {
    let place = Place::new();
    let soft = "contact = { law = \"hertz\", stiffness = 1e5 }\nball = { radius = 0.1, mass = 0.5 }\n";
    let fall = FALL.replace("contact.restitution = 0.5\n", soft).replace("interval = 0.1", "interval = 1");
    place.write("scenario.toml", &fall);
    json(&place, &["--out", "out"]);
    let events = Table::read(&place, "out/events.csv");
    let (kinds, largest) = (events.words("kind"), events.words("largest_normal_force"));
    // Without loss: m g (h + δ) = 2/5 K δ^(5/2), by fixed-point steps; λ = K δ^(3/2).
    let (k, weight, height) = (1e5, 0.5 * 9.81, 0.9);
    let deep = (0..200).fold(0.0_f64, |deep, _| (2.5 * weight * (height + deep) / k).powf(0.4));
    let mut releases = 0;
    for (kind, largest) in kinds.iter().zip(&largest) {
        assert_eq!(*kind == "release", !largest.is_empty());
        if let Ok(largest) = largest.parse::<f64>() {
            assert!((largest / (k * deep.powf(1.5)) - 1.0).abs() < 1e-6, "{largest} {}", k * deep.powf(1.5));
            releases += 1;
        }
    }
    assert!(releases > 2);
}

#[test]
fn the_figure_leaves_out_the_fall() {
    let place = Place::new();
    let off = SKI_JUMP.replace("[40, -17]", "[8, -1]").replace("duration = 4", "duration = 9");
    place.write("scenario.toml", &off);
    json(&place, &["--out", "out"]);
    let lowest = Table::read(&place, "out/trajectory.csv").numbers("y").into_iter().fold(0.0, f64::min);
    assert!(lowest < -100.0);
    // Labels of its axes: none as deep as a tenth of the fall.
    let figure = place.read("out/path.svg");
    let labels = figure.split(['>', '<']).filter_map(|text| text.replace('\u{2212}', "-").parse::<f64>().ok());
    assert!(
        labels.clone().count() > 4 && labels.clone().all(|label| label > -20.0),
        "{:?}",
        labels.collect::<Vec<_>>()
    );
}

#[test]
fn bad_watches_and_ends_are_told_with_their_place() {
    let place = Place::new();
    for (more, parts) in [
        ("[[watch]]\nx = 1\n", &["has no `name`", "[[watch]] 1"][..]),
        ("[[watch]]\nname = 'a b'\nx = 1\n", &["\"a b\" can't be the name of a watch"]),
        ("[[watch]]\nname = 'a'\n", &["\"a\" watches nothing", "give one of x, y"]),
        ("[[watch]]\nname = 'a'\nx = 1\ny = 2\n", &["watches `x` and `y`", "of its own"]),
        ("[[watch]]\nname = 'a'\nx = 1\n[[watch]]\nname = 'a'\ny = 1\n", &["two watches are called \"a\""]),
        ("[[watch]]\nname = 'a'\nwhen = 'x^2 + z'\n", &["unknown name `z`"]),
        ("[[watch]]\nname = 'a'\nwhen = '2'\n", &["does not depend on the ball"]),
        ("[[watch]]\nname = 'a'\nx = 1e300\n", &["`x` is too large"]),
        ("[[watch]]\nname = 'a'\nheight = 'top'\n", &["\"apex\""]),
        ("[[watch]]\nname = 'a'\ntimes = [-1]\n", &["`times` has t = -1"]),
        ("[[watch]]\nname = 'a'\nx = 1\ndirection = 'left'\n", &["unknown direction", "\"up\", \"down\""]),
        ("[[watch]]\nname = 'a'\nheight = 'apex'\ndirection = 'up'\n", &["`direction` says nothing of `height`"]),
        ("watch = 3\n", &["a list of tables"]),
        ("solver.until = 'watch.finish'\n", &["there is no watch `finish`", "add a `[[watch]]`"]),
        ("solver.until = 'watch.fnish'\n[[watch]]\nname = 'finish'\nx = 1\n", &["did you mean `watch.finish`?"]),
        (
            "solver.until = ['finish']\n[[watch]]\nname = 'finish'\nx = 1\n",
            &["`finish` is a watch", "write `watch.finish`"],
        ),
        ("solver.until = ['rest', 'impct']\n", &["`impct` is no moment", "did you mean `impact`?"]),
        ("solver.until = 'end'\n", &["every run ends with its end"]),
        ("solver.until = 'x=3'\n", &["`x=3` is not watched", "add [[watch]]"]),
        ("solver.until = 't=0'\n", &["the run starts at t = 0 s"]),
        ("solver.until = 7\n", &["a moment in quotes"]),
        ("initial.time = -1\n", &["can't start at t = -1 s"]),
        ("output.times = [1, 'a']\n", &["times"]),
    ] {
        // Top-level keys stand before tables.
        let text = if more.starts_with('[') {
            format!("{FALL}{more}")
        } else {
            let (line, rest) = more.split_once('\n').unwrap();
            let line = line.replace("initial.time = -1", "");
            let fall = if more.contains("initial.time") {
                FALL.replace("velocity = [1, 0]", "time = -1")
            } else {
                FALL.to_owned()
            };
            format!("{fall}{line}\n{rest}")
        };
        let message = place.refused(&text, &[]);
        for part in parts {
            assert!(message.contains(part), "no `{part}` in\n{message}");
        }
        assert_eq!(message.matches('×').count(), 1, "{message}");
    }
    let stepping = ["solver.method=moreau", "solver.step=0.01", "solver.until=rest"];
    assert!(place.refused(FALL, &stepping).contains("`until` is"), "{}", place.refused(FALL, &stepping));
    // A method that is set leaves them aside in the file.
    place.write("scenario.toml", format!("{FALL}solver.until = 'watch.a'\n[[watch]]\nname = 'a'\nx = 0.1\n"));
    let aside = ["run", "scenario.toml", "--quiet", "--set", "solver.method=moreau", "--set", "solver.step=0.01"];
    assert_eq!(place.kugelbahn(&aside).code, 0);
}

/// Of ground that crosses itself rows and crossings tell what there is for the ball: the way in of a loop, not the end of its circle that is
/// nearer.
#[test]
fn what_is_near_is_what_the_ball_sees() {
    let place = Place::new();
    let text = r#"
ball.radius = 0.05
initial = { position = [-0.3, 0.06], velocity = [0, 0.5], s = 1.0 }
solver.duration = 0.2
output.interval = 0.01
ground.curve = { kind = "loop", radius = 1.0, run-in = 3.0, run-out = 3.0 }
[[watch]]
name = "up"
y = 0.065
"#;
    place.write("scenario.toml", text);
    let outcome = place.kugelbahn(&["run", "scenario.toml", "--out", "out", "--quiet"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let (rows, events) = (Table::read(&place, "out/trajectory.csv"), Table::read(&place, "out/events.csv"));
    let (y, gap, s) = (rows.numbers("y"), rows.numbers("gap"), rows.numbers("s"));
    assert!(y.len() > 15);
    for i in 0..y.len() {
        assert!(
            (gap[i] - (y[i] - 0.05)).abs() < 1e-12 && (s[i] - 2.7).abs() < 1e-12,
            "{i}: {} {} {}",
            y[i],
            gap[i],
            s[i]
        );
    }
    assert_eq!((events.words("name")[0], events.numbers("nx")[0], events.numbers("ny")[0]), ("up", 0.0, 1.0));
    assert!((events.numbers("s")[0] - 2.7).abs() < 1e-12);
}

#[test]
fn times_keep_their_digits() {
    let place = Place::new();
    place.write("scenario.toml", FALL);
    let outcome = place.kugelbahn(&["run", "scenario.toml", "--set", "solver.duration=123.456789"]);
    assert!(outcome.stdout.lines().any(|line| line.contains(" 123.4567890 ")), "{}", outcome.stdout);
}

#[test]
fn a_formula_that_is_no_number_on_the_way_stops_the_run_there() {
    let place = Place::new();
    for (formula, time) in [
        ("sqrt(0.5 - x) - 0.1", 0.5),
        ("ln(0.25 - x)", 0.25),
        ("1/(x - 0.4)", 0.4),
        // Before and at the first impact of the fall, and where a double is and where none is.
        ("1/(t - 0.25)", 0.25),
        ("1/(t - 0.3)", 0.3),
        ("-1/(t - 0.25)^2 + 1", 0.25),
        ("1/(t - 0.3)^2 - 2", 0.3),
        ("1/(x - 1/3)^2 - 1e9", 1.0 / 3.0),
        // Growth without end that is slower than any power.
        ("ln(abs(t - 0.3))", 0.3),
        ("ln(abs(x - 1/3)) + 9", 1.0 / 3.0),
        ("(0.25 - t)/abs(t - 0.25)^1.1", 0.25),
    ] {
        place.write("scenario.toml", format!("{FALL}[[watch]]\nname = 'a'\nwhen = '{formula}'\n"));
        let outcome = place.kugelbahn(&["run", "scenario.toml", "--json"]);
        assert_eq!(outcome.code, 1);
        let run: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let stop = run["stop"].as_str().unwrap();
        assert!(stop.contains("watch `a` is undefined at t = "), "{stop}");
        assert!((run["final"]["time"].as_f64().unwrap() - time).abs() < 1e-12, "{stop}");
        // What it passes before is told, the pole is none of it.
        let rows = run["watches"].as_array().unwrap();
        let told = rows.iter().all(|row| row["time"].as_f64().is_some_and(|t| t < time - 1e-6));
        assert!(told, "{formula}: {rows:?}");
    }
    // A formula that only begins at the edge of where it is a number, or bends away there, goes on.
    for formula in [
        "sqrt(x) - 0.1",
        "sqrt(t) - 0.1",
        "1 - sqrt(t)*0.5",
        "1/(t + 1e-9)",
        "1 - sqrt(abs(t - 0.3))",
        "2 - abs(x - 0.3)^0.2",
    ] {
        place.write("scenario.toml", format!("{FALL}[[watch]]\nname = 'a'\nwhen = '{formula}'\n"));
        assert_eq!(place.kugelbahn(&["run", "scenario.toml", "--quiet"]).code, 0, "{formula}");
    }
}
