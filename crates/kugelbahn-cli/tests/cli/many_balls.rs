//! Several balls event by event.

use crate::common::{Outcome, Place, Table, unwrapped};

/// Two equal balls on level ground without friction: one at rest, one that comes at it.
const PAIR: &str = r#"title = "Two balls"
[[ball]]
mass = 2.0
radius = 0.1
initial = { contact = { x = 0.0, speed = 1.0 } }
[[ball]]
mass = 2.0
radius = 0.1
initial = { contact = { x = 0.5 } }
[ground]
curve = { kind = "graph", y = 0 }
[contact]
restitution = 0.0
[contact.balls]
restitution = 1.0
[solver]
method = "events"
step = 1e-3
duration = 1.0
[output]
interval = 0.25
"#;

fn run(place: &Place, scenario: &str, settings: &[&str]) -> Outcome {
    place.write("scenario.toml", scenario);
    let mut arguments = vec!["run", "scenario.toml", "--out", "out"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    place.kugelbahn(&arguments)
}

#[test]
fn two_balls_meet_at_the_right_time() {
    let place = Place::new();
    let outcome = run(&place, PAIR, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        unwrapped(&outcome.stdout).contains("event by event, step 0.001 s of balls handed over"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("1 between balls"), "{}", outcome.stdout);
    let events = Table::read(&place, "out/events.csv");
    assert_eq!(events.numbers("time").len(), 1);
    assert!((events.numbers("time")[0] - 0.3).abs() < 1e-14);
    assert!((events.numbers("normal_impulse")[0] - 2.0).abs() < 1e-14);
    assert_eq!([events.words("ball")[0], events.words("other")[0]], ["1", "2"]);
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["solver"]["impacts_between_balls"], 1);
    assert_eq!(summary["scenario"]["solver"]["method"], "events");
    assert_eq!(summary["final"][0]["velocity"][0], 0.0);
    assert_eq!(summary["final"][1]["position"][0], 1.2);
    assert_eq!(summary["balance"]["momentum"]["residual"], 0.0);
}

#[test]
fn what_events_do_not_know_is_refused() {
    let place = Place::new();
    for (setting, said) in [
        ("forces.drag.coefficient=0.1", "balls fly on parabolas"),
        ("contact.rolling-damping=0.1", "`rolling-damping` is 0.1 N s/m"),
        ("solver.tolerance=1e-9", "is a key of event-driven runs"),
        ("ball.2.initial.contact.x=0.1", "overlap"),
    ] {
        let outcome = run(&place, PAIR, &[setting]);
        assert_eq!(outcome.code, 2, "{setting}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(said), "{setting}: {}", outcome.stderr);
    }
    place.write("scenario.toml", PAIR.replace("step = 1e-3\n", ""));
    let outcome = place.kugelbahn(&["run", "scenario.toml"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("handed over to time stepping"), "{}", outcome.stderr);
}

/// Balls let go one after the other over a floor between walls.
const POUR: &str = r#"title = "A pour"
[[balls]]
radius = 0.02
mass = 0.01
pour = { rate = 20, from = [[0.3, 0.8], [0.7, 0.8]], until = 0.5 }
seed = 3
[ground]
curve = { kind = "polyline", points = [[0, 1], [0, 0], [1, 0], [1, 1]] }
[contact]
restitution = 0.5
friction = 0.2
[solver]
method = "moreau"
step = 1e-3
duration = 0.6
[output]
interval = 0.1
balls = [1, 10]
"#;

#[test]
fn a_pour_lets_balls_go_one_after_the_other_and_goes_on_from_its_end() {
    let place = Place::new();
    for method in ["moreau", "events"] {
        let outcome = run(&place, POUR, &[&format!("solver.method={method}")]);
        assert_eq!(outcome.code, 0, "{method}: {}", outcome.stderr);
        let rows = Table::read(&place, "out/trajectory.csv");
        assert!(rows.words("ball").iter().all(|ball| ["1", "10"].contains(ball)));
        assert_eq!(rows.words("ball").len(), 14);
        // The tenth is let go at 0.45 s, from 0.8 m.
        let tenth = |time: f64| {
            let at = (0..14).find(|i| rows.words("ball")[*i] == "10" && (rows.numbers("time")[*i] - time).abs() < 1e-9);
            rows.numbers("y")[at.unwrap()]
        };
        assert_eq!(tenth(0.4), 0.8);
        assert!((tenth(0.5) - (0.8 - 0.5 * 9.81 * 0.05 * 0.05)).abs() < 2e-3, "{method}: {}", tenth(0.5));
        assert!((rows.numbers("numerical_energy").iter().fold(0.0f64, |most, e| most.max(e.abs()))) < 1e-3);
        let last = Table::read(&place, "out/last.csv");
        assert_eq!(last.words("ball").len(), 10);
        let again = POUR.replace(
            "pour = { rate = 20, from = [[0.3, 0.8], [0.7, 0.8]], until = 0.5 }\nseed = 3\n",
            "table = \"out/last.csv\"\n",
        );
        let again = again.replace("balls = [1, 10]\n", "");
        place.write("again.toml", again);
        let method = format!("solver.method={method}");
        let outcome = place.kugelbahn(&["run", "again.toml", "--out", "next", "--set", &method]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let next = Table::read(&place, "next/trajectory.csv");
        // Event by event balls that were in the ground are put onto it.
        let allowed = if method.contains("events") { 4e-3 } else { 1e-12 };
        for column in ["x", "y", "angle", "vx", "vy", "spin"] {
            let pairs = next.numbers(column).into_iter().zip(last.numbers(column));
            assert!(pairs.take(10).all(|(a, b)| (a - b).abs() < allowed), "{method} {column}");
        }
    }
    for (setting, said) in [("output.balls=[11]", "there is no ball 11"), ("balls.2.count=1", "there is no balls 2")] {
        let outcome = run(&place, POUR, &[setting]);
        assert!(outcome.code == 2 && outcome.stderr.contains(said), "{setting}: {}", outcome.stderr);
    }
}

/// One ball between a floor and a wall by steps of two radii: how deep it was is measured, not by planes that go on past the corner,
/// and what was seen too late is told.
#[test]
fn a_corner_by_long_steps() {
    let place = Place::new();
    let corner = "ball.radius = 0.01\ninitial = { position = [0.03971480319386701, 0.2540413481620655], velocity = [1.8005763813924567, -1.0543894914327323] }\n\
        ground.curve = { kind = \"polyline\", points = [[-0.1, 3], [-0.1, 0], [0.1, 0], [0.1, 3]] }\n\
        contact.restitution = 0.9\nsolver = { method = \"moreau\", step = 0.02, duration = 1 }\noutput.interval = 0.02\n";
    let outcome = run(&place, corner, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let gap = Table::read(&place, "out/trajectory.csv").numbers("gap").into_iter().fold(f64::INFINITY, f64::min);
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    let depth = summary["deepest_penetration"]["depth"].as_f64().unwrap();
    assert!((depth + gap).abs() < 1e-12 && depth < 0.00500001, "{depth} {gap}");
    assert!(outcome.stdout.contains("late:        contacts added to"), "{}", outcome.stdout);
    assert!(summary["solver"]["steps_with_late_contacts"].as_u64().unwrap() > 0);
}

/// Steps of balls that are handed over are told with how well they were solved.
#[test]
fn steps_of_events_are_audited() {
    let place = Place::new();
    let outcome = run(&place, POUR, &["solver.method=events", "solver.duration=2", "contact.restitution=0.3"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    let steps = &summary["solver"];
    assert!(steps["coupled_steps"].as_u64().unwrap() > 100 && steps["largest_residual"].as_f64().unwrap() < 1e-10);
    assert!(outcome.stdout.contains("residual:    at most"), "{}", outcome.stdout);
    assert!(summary["energy"]["unexplained"].as_f64().unwrap().abs() < 1e-12, "{}", summary["energy"]);
}

/// Ctrl-C and SIGTERM: files and a summary of what there is by then.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_there_is() {
    let place = Place::new();
    place.write("scenario.toml", POUR);
    for (method, signal) in [("moreau", "-TERM"), ("events", "-INT"), ("moreau", "-INT")] {
        let method = format!("solver.method={method}");
        let long = ["--set", "solver.duration=1e4", "--set", "output.interval=10", "--set", &method];
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_kugelbahn"))
            .args(["run", "scenario.toml", "--out", "out", "--no-figures", "--quiet"])
            .args(long)
            .current_dir(place.path(""))
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let asked = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(1) && said.contains("as it was asked to"), "{:?} {said}", ended.status);
        let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
        assert_eq!(summary["completed"], false);
        assert_eq!(Table::read(&place, "out/last.csv").words("ball").len(), 10);
    }
}

/// Balls that lie on each other in four pits: several islands in a step.
const PITS: &str = r#"title = "Pits"
[[balls]]
radius = { among = [0.03, 0.04] }
density = 1000
grid = { from = [0.15, 0.3], to = [3.9, 0.5], spacing = 0.1 }
seed = 4
[ground]
curve = { kind = "graph", y = "0.2*cos(2*pi*x)" }
[contact]
restitution = 0.4
friction = 0.3
[solver]
method = "moreau"
step = 1e-3
duration = 0.5
[output]
interval = 0.05
"#;

#[test]
fn threads_change_no_byte_of_any_file() {
    let place = Place::new();
    place.write("pits.toml", PITS);
    let run = |threads: &[&str]| {
        let outcome = place.kugelbahn(&[&["run", "pits.toml", "--out", "out"], threads].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let files = place.files("out");
        assert_eq!(files.len(), 7, "{files:?}");
        files.into_iter().map(|name| place.read(&format!("out/{name}"))).collect::<Vec<_>>()
    };
    let in_turn = run(&[]);
    for threads in ["1", "2", "7"] {
        assert!(run(&["--threads", threads]) == in_turn, "{threads} threads");
    }
    place.write("drop.toml", PAIR);
    for (arguments, said) in [
        (["drop.toml", "--threads", "2"], "leave `--threads` out"),
        (["pits.toml", "--threads", "0"], "0 is not in 1..=1024"),
    ] {
        let outcome = place.kugelbahn(&[&["run"], &arguments[..]].concat());
        assert!(outcome.code == 2 && outcome.stderr.contains(said), "{said}: {}", outcome.stderr);
    }
}

/// A ball on two others between two walls.
const PYRAMID: &str = r#"title = "A pyramid"
[[ball]]
radius = 0.1
mass = 2.0
initial = { position = [-0.1, 0.1] }
[[ball]]
radius = 0.1
mass = 2.0
initial = { position = [0.1, 0.1] }
[[ball]]
radius = 0.1
mass = 2.0
initial = { position = [0.0, 0.27320508075688774] }
[ground]
curve = { kind = "polyline", points = [[-0.2, 1], [-0.2, 0], [0.2, 0], [0.2, 1]] }
[contact]
restitution = 0.0
friction = 0.3
[solver]
method = "moreau"
step = 1e-3
lcp-tolerance = 1e-10
duration = 0.2
[output]
interval = 0.1
contacts = true
"#;

/// Statics: forces on each ball of the table balance its weight, places are where the balls touch.
#[test]
fn contacts_have_a_table() {
    let place = Place::new();
    let outcome = run(&place, PYRAMID, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let contacts = Table::read(&place, "out/contacts.csv");
    let number = |column: &str| contacts.numbers(column);
    let ([time, x, y, nx, ny], [gap, normal, friction]) =
        (["time", "x", "y", "nx", "ny"].map(number), ["gap", "normal_force", "friction_force"].map(number));
    // Two on the floor, two at walls, two between balls: the upper one wedges the lower ones apart. At 0.1 and 0.2 s.
    assert_eq!(time.len(), 12);
    // By what the first step lets balls fall into each other, some g h².
    let sunk = 2.0 * 9.81e-6;
    let mut force = [[[0.0f64; 2]; 3]; 2];
    for i in 0..time.len() {
        let row = usize::from(time[i] > 0.15);
        let push = [normal[i] * nx[i] + friction[i] * ny[i], normal[i] * ny[i] - friction[i] * nx[i]];
        let index = |word: &str| word.parse::<usize>().ok().map(|ball| ball - 1);
        let [ball, other] = ["ball", "other"].map(|column| index(contacts.words(column)[i]));
        for (ball, sign) in [(ball, 1.0), (other, -1.0)] {
            let Some(ball) = ball else { continue };
            (0..2).for_each(|k| force[row][ball][k] += sign * push[k]);
        }
        let centre = [[-0.1, 0.1], [0.1, 0.1], [0.0, 0.1 + 0.03f64.sqrt()]][ball.unwrap()];
        let off = [x[i] + 0.1 * nx[i] - centre[0], y[i] + 0.1 * ny[i] - centre[1]];
        assert!(off.iter().all(|off| off.abs() < sunk), "row {i}: {off:?}");
        assert!(gap[i].abs() < sunk && (nx[i].hypot(ny[i]) - 1.0).abs() < 1e-15, "row {i}");
    }
    for [fx, fy] in force.into_iter().flatten() {
        assert!(fx.abs() < 1e-5 && (fy - 2.0 * 9.81).abs() < 1e-5, "{force:?}");
    }
    let outcome = run(&place, PYRAMID, &["output.balls=[1]"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // The floor, a wall and the upper ball.
    assert_eq!(Table::read(&place, "out/contacts.csv").rows.len(), 6);
    let refused = Place::new().refused(PYRAMID.replace("\"moreau\"", "\"events\"").as_str(), &[]);
    assert!(refused.contains("give `solver.method = \"moreau\"`"), "{refused}");
    assert_eq!(run(&place, PYRAMID, &["solver.method=events"]).code, 0);
}

/// The same tables, to the last bit; a run in the other format leaves nothing of the one before.
#[test]
#[cfg(feature = "parquet")]
fn parquet_has_what_csv_has() {
    use std::sync::Arc;

    use kugelbahn::tables::{Column, Format, Kind};

    let place = Place::new();
    for format in ["csv", "parquet"] {
        assert_eq!(run(&place, PYRAMID, &[&format!("output.format={format}")]).code, 0);
        for table in ["events", "trajectory", "contacts"] {
            let file = format!("out/{table}.{format}");
            if format == "csv" {
                std::fs::rename(place.path(&file), place.path(&format!("{table}.csv"))).unwrap();
                continue;
            }
            assert!(!place.path(&format!("out/{table}.csv")).exists(), "{table}");
            let written = Table::read(&place, &format!("{table}.csv"));
            let kind = |name: &String| match name.as_str() {
                "kind" | "phase" | "phase_before" | "phase_after" | "name" | "ground" => Kind::Word,
                "index" | "ball" => Kind::Count,
                _ => Kind::Number,
            };
            let columns: Arc<[Column]> = written.header.iter().map(|name| Column::new(name, "", kind(name))).collect();
            let read = |format: Format, file: &str| {
                format.decode(&columns, file, &std::fs::read(place.path(file)).unwrap()).unwrap()
            };
            let (csv, parquet) = (read(Format::Csv, &format!("{table}.csv")), read(Format::Parquet, &file));
            assert!(csv.rows() > 0 && csv.rows() == parquet.rows(), "{table}");
            assert!((0..csv.rows()).all(|row| csv.differs(row, &parquet, row).is_none()), "{table}");
        }
    }
    assert_eq!(run(&place, PYRAMID, &[]).code, 0);
    assert!(!place.path("out/events.parquet").exists() && place.path("out/events.csv").exists());
}

#[test]
fn formats_are_told() {
    let refused = Place::new().refused(PYRAMID, &["output.format=xlsx"]);
    assert!(refused.contains("csv or parquet"), "{refused}");
    #[cfg(not(feature = "parquet"))]
    {
        let refused = Place::new().refused(PYRAMID, &["output.format=parquet"]);
        assert!(refused.contains("--features parquet"), "{refused}");
    }
}

/// What is asked for is made as asked, or refused: nothing is cut, turned about or drawn anew in silence.
#[test]
fn what_can_not_be_made_is_refused() {
    let place = Place::new();
    place.write("balls.csv", "x,y,x\n0.5,0.5,0.6\n");
    place.write("early.csv", "x,y,release\n0.5,0.5,-1\n");
    place.write("misspelt.csv", "x,y,radus\n0.5,0.5,0.01\n");
    place.write("wide.csv", "x,y,radius\n0,5,0,5,0,01\n");
    place.write("commas.csv", "x;y;radius\n0,25;0,75;0,01\n0,75;0,75;0,01\n");
    let outcome = run(&place, POUR, &["balls.1={table=\"commas.csv\"}", "output.balls=[2]"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(Table::read(&place, "out/trajectory.csv").numbers("x")[0], 0.75);
    for (setting, said) in [
        ("balls.1={table=\"misspelt.csv\"}", "did you mean `radius`?"),
        ("balls.1={table=\"wide.csv\"}", "a cell too many"),
        ("balls.1.radius={uniform=[0.02,0.01]}", "`uniform` goes from 0.02 to 0.01"),
        ("balls.1.radius={normal=[0.01,-0.001]}", "the deviation -0.001"),
        ("balls.1.radius={normal=[0.01,0.01]}", "a quarter of the mean"),
        ("balls.1.pour={rate=1e9,from=[0.5,0.8],until=1}", "1000000000 balls are poured"),
        ("balls.1={grid={from=[0.2,0.2],to=[0.8,0.8],spacing=1e-6}}", "at most 100000"),
        ("balls.1={table=\"balls.csv\",radius=0.01}", "two columns `x`"),
        ("balls.1={table=\"early.csv\",radius=0.01}", "`release` = -1 is not allowed"),
        ("output.balls=[]", "`balls` is an empty list"),
        ("output.balls=[1,2,1]", "ball 1 is named twice"),
        ("ball.1.mass=2", "set those, as `balls.1.mass`"),
    ] {
        let outcome = run(&place, POUR, &[setting]);
        let told = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(outcome.code == 2 && told.contains(said), "{setting}: {} {told}", outcome.code);
    }
}

/// A heap that is split where balls lie in each other and in the ground goes on as the whole does, to the solver's tolerance; it was put
/// onto the ground first.
#[test]
fn a_heap_that_is_restarted_goes_on_as_the_whole() {
    let place = Place::new();
    let heap = |balls: &str, duration: f64| {
        format!(
            "ground = {{ curve = {{ kind = \"polyline\", points = [[0, 1], [0, 0], [0.3, 0], [0.3, 1]] }} }}\n\
             contact = {{ friction = 0.3 }}\n\
             solver = {{ method = \"moreau\", step = 1e-3, lcp-tolerance = 1e-10, duration = {duration} }}\n\
             [[balls]]\n{balls}\n"
        )
    };
    let made = "count = 40\nradius = { uniform = [0.008, 0.012] }\ndensity = 1000\nseed = 1\n\
                random = { from = [0.02, 0.02], to = [0.28, 0.4] }";
    for (name, balls, duration) in
        [("whole", made, 0.35), ("first", made, 0.2), ("second", "table = \"first/last.csv\"", 0.15)]
    {
        let file = format!("{name}.toml");
        place.write(&file, heap(balls, duration));
        let outcome = place.kugelbahn(&["run", &file, "--out", name, "--no-figures"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    let [whole, second] = ["whole", "second"].map(|name| Table::read(&place, &format!("{name}/last.csv")));
    for (column, allowed) in [("x", 1e-7), ("y", 1e-7), ("vx", 1e-5), ("vy", 1e-5), ("angle", 1e-5)] {
        let pairs = whole.numbers(column).into_iter().zip(second.numbers(column));
        let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < allowed, "{column}: {worst:e}");
    }
}
