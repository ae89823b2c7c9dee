//! Runs by time stepping through the real binary: one ball, several balls, every scenario of the repository.

use std::path::{Path, PathBuf};

use crate::common::{DROP, Outcome, Place, Table, unwrapped};

const EVENTS: &str = "index,time,kind,phase_before,phase_after,x,y,s,normal_velocity_before,normal_velocity_after,\
tangential_velocity_before,tangential_velocity_after,spin_before,spin_after,normal_impulse,tangential_impulse,\
energy_before,energy_after,ball,other,name,vx_before,vy_before,vx_after,vy_after,nx,ny";
const TRAJECTORY: &str = "time,phase,x,y,angle,vx,vy,spin,ax,ay,s,gap,normal_force,friction_force,kinetic_energy,\
potential_energy,dissipated_energy,work_external,total_energy,normal_impulse,tangential_impulse,work_normal,\
work_tangential,projection_energy,numerical_energy,exchanged_energy";

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
method = "moreau"
step = 1e-3
duration = 1.0
[output]
interval = 0.01
"#;

fn run(place: &Place, scenario: &str, settings: &[&str]) -> Outcome {
    place.write("scenario.toml", scenario);
    let mut arguments = vec!["run", "scenario.toml", "--out", "out"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    place.kugelbahn(&arguments)
}

#[track_caller]
fn good(outcome: Outcome) -> Outcome {
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    outcome
}

fn summary(place: &Place) -> serde_json::Value {
    serde_json::from_str(&place.read("out/summary.json")).unwrap()
}

/// The benchmark of the scheme: 1 kg from 1 m, e = 0.9, θ = 1/2, h = 5 ms.
const BENCHMARK: [&str; 10] = [
    "solver.method=moreau",
    "solver.step=5e-3",
    "solver.duration=10",
    "output.interval=5e-3",
    "ball.radius=0",
    "initial.position=[0, 1]",
    "initial.velocity=[0, 0]",
    "ground.curve={ kind = \"graph\", y = 0 }",
    "contact.restitution=0.9",
    "contact.friction=0",
];

#[test]
fn a_drop_sticks_where_two_other_codes_have_it() {
    let place = Place::new();
    let outcome = good(run(&place, DROP, &BENCHMARK));
    assert_eq!(
        place.files("out"),
        ["events.csv", "path.svg", "report.html", "summary.json", "time.svg", "trajectory.csv"]
    );
    let (events, rows) = (Table::read(&place, "out/events.csv"), Table::read(&place, "out/trajectory.csv"));
    assert_eq!((events.header.join(","), rows.header.join(",")), (EVENTS.to_owned(), TRAJECTORY.to_owned()));
    let kinds = events.words("kind");
    assert_eq!(kinds.iter().filter(|kind| **kind == "impact").count(), 41);
    assert_eq!(kinds[41..], ["landing", "rest"]);
    assert!((events.numbers("time")[41] - 8.485).abs() < 1e-12);
    assert!(events.words("ball").iter().all(|ball| *ball == "1") && events.words("other").iter().all(|o| o.is_empty()));
    // Impacts carry the end of their step, and the law holds in it.
    for (i, time) in events.numbers("time").iter().enumerate() {
        assert_eq!(*time, (time / 5e-3).round() * 5e-3);
        let [before, after] = ["normal_velocity_before", "normal_velocity_after"].map(|name| events.numbers(name)[i]);
        assert!((after + 0.9 * before).abs() < 1e-12, "{before} → {after}");
    }
    // Nothing of the reaction is lost between rows: momentum.
    let (impulse, vy) = (rows.numbers("normal_impulse"), rows.numbers("vy"));
    let (sum, last) = (impulse.iter().sum::<f64>(), vy[vy.len() - 1]);
    assert!((sum - 9.81 * 10.0 - last).abs() < 1e-10, "{sum}");
    // The mean force of a step is the impulse of contacts that last by h, in rest the weight; impacts have none.
    let force = rows.numbers("normal_force");
    let lasts = |i: usize| (force[i] * 5e-3 - impulse[i]).abs() < 1e-12;
    let impacts: Vec<usize> = (0..force.len()).filter(|i| !lasts(*i)).collect();
    assert!(impacts.iter().all(|i| force[*i] == 0.0) && (41..=42).contains(&impacts.len()), "{impacts:?}");
    assert!((force[force.len() - 1] - 9.81).abs() < 1e-9);
    // θ = 1/2: the ledger closes to rounding, and the terminal says so.
    assert!(rows.numbers("numerical_energy").iter().all(|energy| energy.abs() < 1e-12));
    let total = rows.numbers("total_energy");
    let gain = total.windows(2).fold(0.0_f64, |most, pair| most.max(pair[1] - pair[0]));
    assert!(gain < 3e-7, "a step gained {gain} J");
    // With the impulse of the weight taken off, momentum is in balance to rounding in every step with an event.
    let balance = &summary(&place)["balance"];
    let residual = |name: &str| balance[name]["residual"].as_f64().unwrap();
    assert!(residual("momentum") < 1e-14 && residual("place") < 1e-14, "{balance}");
    assert!(residual("ground") > 0.0 && residual("ground") < 0.02, "a step of 5 ms sinks in: {balance}");
    for part in [
        "balance of events",
        "unexplained",
        "41 impacts, 1 landings",
        "penetration: at most",
        "Moreau, θ = 0.5, step 0.005 s",
    ] {
        assert!(outcome.stdout.contains(part), "no `{part}` in\n{}", outcome.stdout);
    }
}

#[test]
fn kern_is_in_contact_from_step_587_on() {
    let place = Place::new();
    let settings = ["solver.method=kern", "solver.step=0.01", "initial.position=[0, 0.5]", "forces.gravity=10"];
    good(run(&place, DROP, &[&BENCHMARK[2..], &settings].concat()));
    let (events, rows) = (Table::read(&place, "out/events.csv"), Table::read(&place, "out/trajectory.csv"));
    let landing = events.words("kind").iter().position(|kind| *kind == "landing").unwrap();
    assert!((events.numbers("time")[landing] - 5.87).abs() < 1e-12);
    let y = rows.numbers("y");
    assert!((y[y.len() - 1] + 1.9006e-4).abs() < 1e-8, "{:?}", y.last());
    assert!(rows.numbers("normal_force").iter().all(|force| *force >= 0.0));
}

/// A point mass thrown up a slope.
const UPHILL: &str = r#"[initial]
contact = { s = 50.0, speed = 1.0 }
[ground]
curve = { kind = "line", from = [0.0, 0.0], to = [866.0254037844386, 500.0] }
[contact]
friction = 1.0
tangential-restitution = -1.0
[contact.balls]
friction = 0.5
[solver]
method = "moreau"
step = 1e-3
duration = 1.0
"#;

#[test]
fn a_point_mass_slides_and_rests_and_never_rolls() {
    let place = Place::new();
    for (settings, time) in [(&[][..], 0.075), (&["contact.tangential-restitution=1"], 0.075)] {
        good(run(&place, UPHILL, settings));
        let (events, rows) = (Table::read(&place, "out/events.csv"), Table::read(&place, "out/trajectory.csv"));
        assert_eq!(events.words("kind"), ["rest"]);
        assert!((events.numbers("time")[0] - time).abs() < 1e-9);
        assert!(rows.words("phase").iter().all(|phase| ["sliding", "resting"].contains(phase)));
        assert_eq!(rows.words("phase").last(), Some(&"resting"));
    }
    // An event-driven run by `--set`: what the file says of other balls is left aside.
    good(run(&place, UPHILL, &["solver.method=newmark"]));
    let events = Table::read(&place, "out/events.csv");
    assert!((events.numbers("time")[0] - 0.0746).abs() < 1e-4);
}

/// Energy that contacts add, and restitution left out, are said.
#[test]
fn gains_and_wedged_contacts_are_told() {
    let place = Place::new();
    let kane = r#"[[ball]]
mass = 1.0
radius = 0.1
initial = { contact = { s = 10.0 } }
[[ball]]
mass = 2.926628135772029
radius = 0.1
initial = { position = [-0.22141056511498167, 0.21609203958697798], velocity = [2.793811491221146, -1.0929855221002143], spin = 10.296623341234152 }
[ground]
curve = { kind = "line", from = [-10.0, 0.0], to = [10.0, 0.0] }
[forces]
gravity = 0.0
[contact]
restitution = 1.0
friction = 1.0
[contact.balls]
restitution = 1.0
friction = 0.3
[solver]
method = "moreau"
step = 1e-3
duration = 0.2
"#;
    let outcome = good(run(&place, kane, &[]));
    let part = "contacts added 1.9165 J in 1 step: Newton's restitution with friction";
    assert!(unwrapped(&outcome.stdout).contains(part), "{}", outcome.stdout);
    let solver = &summary(&place)["solver"];
    let energy = solver["energy_added_by_restitution"].as_f64().unwrap();
    assert!((energy - 1.916496301).abs() < 1e-8 && solver["steps_that_added_by_restitution"] == 1, "{energy}");

    let outcome = good(run(&place, kane, &["solver.impact-law=energy-bound"]));
    let part = "restitution let act in part in 1 step, 0.866 of it";
    assert!(
        unwrapped(&outcome.stdout).contains(part) && !outcome.stdout.contains("contacts added"),
        "{}",
        outcome.stdout
    );
    let bounded = summary(&place);
    let total = |when: &str| bounded["energy"][when]["total"].as_f64().unwrap();
    assert!((total("end") - total("start")).abs() < 1e-11, "{bounded}");
    assert_eq!(bounded["solver"]["steps_with_bounded_restitution"], 1);

    let groove = r#"[ball]
radius = 0.1
[initial]
position = [0.02, 0.5]
[ground]
curve = { kind = "graph", y = "abs(x)" }
[contact]
restitution = 0.5
friction = "infinite"
[solver]
method = "moreau"
step = 1e-3
duration = 1.5
"#;
    for friction in ["contact.friction=1", "contact.friction=\"infinite\""] {
        let outcome = good(run(&place, groove, &[friction]));
        let part = "restitution left out in 1 step: no impulses were found with it that meet `lcp-tolerance`";
        assert!(
            unwrapped(&outcome.stdout).contains(part) && !outcome.stdout.contains("with friction"),
            "{}",
            outcome.stdout
        );
        assert_eq!(summary(&place)["solver"]["steps_without_restitution"], 1);
    }
}

#[test]
fn slip_turns_into_rolling_at_15_7() {
    let place = Place::new();
    let level = DROP.replace("\"hills.toml\"", "{ kind = \"graph\", y = 0 }");
    let start = "contact = { x = 0.0, speed = 3.0, spin = 0.0 }";
    let level = level.replace("position = [0.0, 1.0]\nvelocity = [0.3, 0.0]", start);
    good(run(&place, &level, &["solver.method=moreau", "solver.step=1e-3"]));
    let (events, rows) = (Table::read(&place, "out/events.csv"), Table::read(&place, "out/trajectory.csv"));
    assert_eq!(events.words("kind"), ["stick"]);
    assert!((events.numbers("time")[0] - 0.436_872_0).abs() < 1e-3);
    assert_eq!((rows.words("phase")[0], *rows.words("phase").last().unwrap()), ("sliding", "rolling"));
    assert!((rows.numbers("vx").last().unwrap() - 15.0 / 7.0).abs() < 1e-12);
}

#[test]
fn equal_balls_swap_velocities() {
    let place = Place::new();
    let outcome = good(run(&place, PAIR, &[]));
    let files = ["events.csv", "last.csv", "path.svg", "report.html", "summary.json", "time.svg", "trajectory.csv"];
    assert_eq!(place.files("out"), files.map(str::to_owned));
    let events = Table::read(&place, "out/events.csv");
    let row = |column: &str| events.words(column)[0].to_owned();
    assert_eq!(["kind", "ball", "other", "s"].map(row), ["impact", "2", "1", ""], "the ball that was at rest");
    assert!((events.numbers("normal_impulse")[0] - 2.0).abs() < 1e-12);
    let rows = Table::read(&place, "out/trajectory.csv");
    // One table, ball after ball at each time.
    assert_eq!(rows.words("ball")[..4], ["1", "2", "1", "2"]);
    let [one, two] = [2, 1].map(|back| rows.numbers("vx")[rows.numbers("vx").len() - back]);
    assert!(one.abs() < 1e-12 && (two - 1.0).abs() < 1e-12);
    assert!(outcome.stdout.contains("2–1") && outcome.stdout.contains("2 balls, 2 kg, radius 0.1 m"));
    // What one ball gains the other one loses: the ledgers close each for itself.
    assert!(rows.numbers("numerical_energy").iter().all(|energy| energy.abs() < 1e-12));
    let summary = summary(&place);
    assert_eq!(summary["final"].as_array().unwrap().len(), 2);
    // Both solvers find the same, to rounding.
    good(run(&place, PAIR, &["solver.lcp=lemke"]));
    let other = Table::read(&place, "out/trajectory.csv");
    assert_eq!(other.words("phase"), rows.words("phase"));
    for column in ["x", "vx", "normal_force", "total_energy"] {
        let pairs = other.numbers(column).into_iter().zip(rows.numbers(column));
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-14), "{column}");
    }
}

#[test]
fn the_summary_reads_back_and_gives_the_same_run() {
    let place = Place::new();
    for (text, settings) in [
        (PAIR, &["solver.theta=0.7", "solver.projection=true", "contact.friction=0.4"][..]),
        (DROP, &["solver.method=moreau", "solver.step=1e-3", "contact.friction=infinite"][..]),
        (DROP, &[&BENCHMARK[2..], &["solver.method=kern", "solver.step=0.01"]].concat()[..]),
    ] {
        good(run(&place, text, settings));
        let (used, events) = (summary(&place)["scenario"].clone(), place.read("out/events.csv"));
        let mut again = used.clone();
        again["forces"].as_object_mut().unwrap().retain(|_, value| !value.is_null());
        good(run(&place, &toml::to_string(&again).unwrap(), &[]));
        assert_eq!(summary(&place)["scenario"], used);
        assert_eq!(place.read("out/events.csv"), events);
    }
}

#[test]
fn two_runs_are_equal_byte_for_byte_and_quiet_is_silent() {
    let place = Place::new();
    let text = PAIR.replace("x = 0.5 }", "x = 0.5, speed = -0.2 }");
    let all = || place.files("out").iter().map(|name| place.read(&format!("out/{name}"))).collect::<Vec<_>>();
    good(run(&place, &text, &[]));
    let first = all();
    good(run(&place, &text, &[]));
    assert!(first == all(), "a second run wrote something else");
    let quiet = place.kugelbahn(&["run", "scenario.toml", "--quiet"]);
    assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
    let json = place.kugelbahn(&["run", "scenario.toml", "--json"]);
    assert!(crate::output::json_is_summary_with_events(&place, &json.stdout) > 0);
}

#[test]
fn rows_stand_at_the_steps_nearest_to_the_interval_and_at_the_end() {
    let place = Place::new();
    // 1.5 s are 214.3 steps of 7 ms: the run ends with the step that reaches its end.
    good(run(&place, DROP, &["solver.method=moreau", "solver.step=7e-3"]));
    let times = Table::read(&place, "out/trajectory.csv").numbers("time");
    assert_eq!((times[0], *times.last().unwrap()), (0.0, 215.0 * 7e-3));
    for (i, time) in times.iter().enumerate().take(150) {
        assert!((time - i as f64 * 0.01).abs() <= 3.5e-3 + 1e-12, "row {i} at {time}");
    }
    // An interval below the step: every step has one row.
    good(run(&place, DROP, &["solver.method=moreau", "solver.step=7e-3", "output.interval=1e-3"]));
    let times = Table::read(&place, "out/trajectory.csv").numbers("time");
    assert_eq!(times, (0..=215).map(|i| f64::from(i) * 7e-3).collect::<Vec<_>>());
}

#[test]
fn what_cannot_go_on_keeps_what_it_has() {
    let place = Place::new();
    let outcome =
        run(&place, DROP, &["solver.method=moreau", "solver.step=1e-3", "forces.external={ y = \"ln(0.2-t)\" }"]);
    assert_eq!(outcome.code, 1, "{}\n{}", outcome.stdout, outcome.stderr);
    let last = outcome.stdout.lines().last().unwrap();
    assert!(last.starts_with("stopped: ") && last.contains("not finite"), "{last}");
    assert_eq!(summary(&place)["completed"], false);
    let times = Table::read(&place, "out/trajectory.csv").numbers("time");
    assert_eq!(summary(&place)["final"]["time"].as_f64(), times.last().copied());
    assert!(*times.last().unwrap() > 0.09, "{times:?}");
}

fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scenarios(&path, found);
        } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains("[solver]") && text.contains("[ground"))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_scenario_of_the_repository_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["experiments/src", "benches/scenarios", "scenarios"] {
        scenarios(&root.join(folder), &mut found);
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    assert!(found.len() >= 13, "{found:?}");
    let place = Place::new();
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut arguments = vec!["run", path.to_str().unwrap(), "--out", "out"];
        let short = ["solver.duration=0.3", "output.interval=0.01"];
        short.iter().for_each(|setting| arguments.extend(["--set", *setting]));
        let event_driven = ["\nlaw = ", "\nmotion = ", "\nuntil = ", "[[watch]]"];
        if event_driven.iter().any(|key| text.contains(key)) {
            // Compliant contact, moving ground, watches and ends are for event-driven runs.
            continue;
        }
        if !text.contains("method = \"moreau\"") && !text.contains("method = \"kern\"") {
            arguments.extend(["--set", "solver.method=\"moreau\"", "--set", "solver.step=1e-3"]);
        }
        let outcome = place.kugelbahn(&arguments);
        if outcome.stderr.contains("time stepping knows no loops") {
            assert_eq!(outcome.code, 2);
            continue;
        }
        let outcome = good(outcome);
        assert!(outcome.stdout.contains("Moreau") || outcome.stdout.contains("Kern"), "{}", outcome.stdout);
        // What the scheme itself does to the energy is small beside it.
        let energy = &summary(&place)["energy"];
        let scale = energy["end"]["kinetic"].as_f64().unwrap().max(1.0);
        assert!(energy["unexplained"].as_f64().unwrap().abs() < 1e-3 * scale, "{}: {energy}", path.display());
    }
}

#[test]
fn every_profile_runs_with_friction_damping_and_spin() {
    let place = Place::new();
    for path in crate::common::curve_files() {
        // What time stepping refuses.
        if ["loop.toml", "double-loop.toml"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let text = DROP.replace("hills.toml", path.to_str().unwrap()).replace("radius = 0.05", "radius = 0.02");
        for friction in ["0.3", "\"infinite\""] {
            let law = format!("contact.friction={friction}");
            let settings = [
                "solver.method=moreau",
                "solver.step=1e-3",
                "solver.duration=2",
                "initial.position=[-0.2, 3.2]",
                "initial.spin=5",
                "contact.rolling-damping=0.05",
                "contact.tangential-restitution=0.3",
                "forces.drag.coefficient=0.01",
                "forces.magnus=0.001",
                "forces.external.x=\"0.1*sin(t)\"",
                law.as_str(),
            ];
            good(run(&place, &text, &settings));
        }
    }
}

#[test]
fn balls_bounce_over_hills_and_stay_in_corners() {
    let place = Place::new();
    let hills = DROP.replace("\"hills.toml\"", "{ kind = \"graph\", y = \"0.3*sin(pi*x)\" }");
    let vee = DROP.replace("\"hills.toml\"", "{ kind = \"graph\", y = \"abs(x)\" }");
    let point = ["ball.radius=0", "contact.restitution=0", "solver.projection=true"];
    for (scenario, settings) in [(&hills, &["contact.restitution=0.9"][..]), (&vee, &point)] {
        let settings = [&["solver.method=moreau", "solver.step=2e-3", "solver.duration=3"], settings].concat();
        for x in ["-0.48", "-0.3", "0.1", "0.7"] {
            let start = format!("initial={{ position = [{x}, 2.0], velocity = [0.5, 0.0] }}");
            good(run(&place, scenario, &[&settings[..], &[&start]].concat()));
            let gaps = Table::read(&place, "out/trajectory.csv").numbers("gap");
            let least = gaps.iter().fold(0.0_f64, |least, gap| least.min(*gap));
            let deepest = summary(&place)["deepest_penetration"]["depth"].as_f64().unwrap_or(0.0);
            assert!(least > -0.02 && deepest >= -least - 1e-12, "{x}: {least:e}, {deepest:e}");
        }
    }
}

#[test]
fn extreme_masses_are_shown_with_an_exponent() {
    let place = Place::new();
    let pair = PAIR.replacen("mass = 2.0", "mass = 1e-12", 1).replacen("mass = 2.0", "mass = 1e12", 1);
    let outcome = good(run(&place, &pair, &["solver.duration=0.01"]));
    assert!(outcome.stdout.contains("2 balls, 1e-12 to 1e12 kg, radius 0.1 m"), "{}", outcome.stdout);
}
