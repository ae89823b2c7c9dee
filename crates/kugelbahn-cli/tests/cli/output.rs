//! What a run writes and prints: formats, runs that stop early, and nothing left over.

use crate::common::{DROP, Place, Table, curve_files, profiles};

const EVENTS: &str = "index,time,kind,phase_before,phase_after,x,y,s,normal_velocity_before,normal_velocity_after,\
tangential_velocity_before,tangential_velocity_after,spin_before,spin_after,normal_impulse,tangential_impulse,\
energy_before,energy_after,name,vx_before,vy_before,vx_after,vy_after,nx,ny,largest_normal_force";
const TRAJECTORY: &str = "time,phase,x,y,angle,vx,vy,spin,ax,ay,s,gap,normal_force,friction_force,kinetic_energy,\
potential_energy,dissipated_energy,work_external,total_energy,second_normal_force";
const KINDS: [&str; 7] = ["impact", "landing", "lift-off", "slip", "stick", "rest", "end-of-ground"];
const PHASES: [&str; 4] = ["flight", "sliding", "rolling", "resting"];
const FILES: [&str; 6] = ["events.csv", "path.svg", "report.html", "summary.json", "time.svg", "trajectory.csv"];

fn run(place: &Place, scenario: &str, settings: &[&str]) -> crate::common::Outcome {
    place.write("scenario.toml", scenario);
    let mut arguments = vec!["run", "scenario.toml", "--out", "out"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    place.kugelbahn(&arguments)
}

#[test]
fn tables_have_the_columns_kinds_phases_and_times_of_the_contract() {
    let place = Place::new();
    let outcome = run(&place, DROP, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(place.files("out"), FILES);
    let (events, trajectory) = (Table::read(&place, "out/events.csv"), Table::read(&place, "out/trajectory.csv"));
    assert_eq!(events.header.join(","), EVENTS);
    assert_eq!(trajectory.header.join(","), TRAJECTORY);

    let indices: Vec<String> = (0..events.rows.len()).map(|i| i.to_string()).collect();
    assert_eq!(events.words("index"), indices);
    assert!(events.words("kind").iter().all(|kind| KINDS.contains(kind)), "{:?}", events.words("kind"));
    for column in ["phase_before", "phase_after"] {
        assert!(events.words(column).iter().all(|phase| PHASES.contains(phase)), "{column}");
    }
    assert!(trajectory.words("phase").iter().all(|phase| PHASES.contains(phase)));
    assert!(events.words("kind").contains(&"impact") && events.words("kind").contains(&"landing"));
    // Each event starts in the phase that the last one ended in, and no time runs back.
    let (before, after) = (events.words("phase_before"), events.words("phase_after"));
    assert!(before[1..].iter().zip(&after).all(|(next, last)| next == last), "{before:?} {after:?}");
    assert!(events.numbers("time").windows(2).all(|pair| pair[0] <= pair[1]));

    // Rows stand at i·interval, a product, and at the end.
    let times = trajectory.numbers("time");
    assert_eq!(times.len(), 151);
    for (i, time) in times.iter().enumerate().take(150) {
        assert_eq!(*time, i as f64 * 0.01, "row {i}");
    }
    assert_eq!(times[150], 1.5);
    assert_eq!(trajectory.numbers("angle")[0], 0.0);

    // Energies are what the columns say, and nothing is below the ground.
    let column = |name: &str| trajectory.numbers(name);
    let (kinetic, potential, total) = (column("kinetic_energy"), column("potential_energy"), column("total_energy"));
    let (lost, height, gap) = (column("dissipated_energy"), column("y"), column("gap"));
    for i in 0..times.len() {
        assert!((kinetic[i] + potential[i] - total[i]).abs() < 1e-12);
        assert!((potential[i] - 9.81 * height[i]).abs() < 1e-12);
        assert!((total[i] - total[0] + lost[i]).abs() < 1e-6, "row {i}: energy appears or vanishes");
        assert!(gap[i] > -1e-12, "row {i}: gap {}", gap[i]);
    }
    assert!(lost.windows(2).all(|pair| pair[0] <= pair[1]), "dissipated energy falls");
}

#[test]
fn impulses_sum_to_the_change_of_momentum() {
    let place = Place::new();
    // Dropped straight onto level ground: all that stops it is the impulses and, once it lies there, the force.
    let level = DROP.replace("velocity = [0.3, 0.0]", "").replace("\"hills.toml\"", "{ kind = \"graph\", y = 0 }");
    let outcome = run(&place, &level, &["solver.duration=3"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let events = Table::read(&place, "out/events.csv");
    let kinds = events.words("kind");
    let rest = kinds.iter().position(|kind| *kind == "rest").unwrap_or_else(|| panic!("no rest: {kinds:?}"));
    assert_eq!(kinds[rest - 1], "landing");
    let time = events.numbers("time")[rest];
    let sum: f64 = events.numbers("normal_impulse").iter().sum();
    // m g t of gravity up to the rest: momentum is zero at both ends.
    assert!((sum - 9.81 * time).abs() < 1e-9 * sum, "{sum} against {}", 9.81 * time);
    // And the rest comes at the Zeno time, t₁ (1+e)/(1−e) with t₁ = √(2h/g).
    let zeno = (2.0 * 0.95 / 9.81_f64).sqrt() * 1.5 / 0.5;
    assert!((time - zeno).abs() < 1e-9, "{time} against {zeno}");
    assert_eq!(events.numbers("normal_velocity_after")[rest - 1], 0.0);
    // A row without touch has no impulse.
    for (kind, impulse) in kinds.iter().zip(events.numbers("normal_impulse")) {
        assert_eq!(impulse > 0.0, ["impact", "landing"].contains(kind), "{kind} with {impulse}");
    }
}

#[test]
fn two_runs_are_equal_byte_for_byte() {
    let place = Place::new();
    run(&place, DROP, &[]);
    let first: Vec<String> = FILES.iter().map(|name| place.read(&format!("out/{name}"))).collect();
    let again = run(&place, DROP, &[]);
    assert_eq!(again.code, 0);
    let second: Vec<String> = FILES.iter().map(|name| place.read(&format!("out/{name}"))).collect();
    assert!(first == second, "a second run wrote something else");
    assert_eq!(place.files("out"), FILES);
}

/// Whether `--json` is the summary and the rows of `events.csv`; how many these are.
pub fn json_is_summary_with_events(place: &Place, json: &str) -> usize {
    let mut json: serde_json::Value = serde_json::from_str(json).unwrap();
    let events = json.as_object_mut().unwrap().shift_remove("events").unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&place.read("out/summary.json")).unwrap(), json);
    let (table, events) = (Table::read(place, "out/events.csv"), events.as_array().unwrap().clone());
    let kinds: Vec<&str> = events.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, table.words("kind"));
    // The reader of this test is off by an ulp.
    for (event, time) in events.iter().zip(table.numbers("time")) {
        assert!((event["time"].as_f64().unwrap() - time).abs() <= 1e-15 * time);
    }
    events.len()
}

#[test]
fn json_is_all_of_stdout_and_quiet_is_silent() {
    let place = Place::new();
    let json = place.kugelbahn(&["run", "drop.toml", "--json"]);
    assert_eq!((json.code, json.stderr.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(value["completed"], true);
    assert_eq!(value["final"]["time"], 1.5);
    run(&place, DROP, &[]);
    assert!(json_is_summary_with_events(&place, &json.stdout) > 0);
    let quiet = place.kugelbahn(&["run", "drop.toml", "--quiet"]);
    assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
    let plain = place.kugelbahn(&["run", "drop.toml"]);
    assert!(plain.stdout.contains("unexplained") && !plain.stdout.contains('\x1b'), "{}", plain.stdout);
    // Nothing is written unless asked for.
    assert_eq!(place.files("."), ["drop.toml", "hills.toml", "out", "scenario.toml"]);
}

#[test]
fn the_summary_holds_every_value_as_used_and_reads_back_as_a_scenario() {
    let place = Place::new();
    let summary = |text: &str, settings: &[&str]| {
        let outcome = run(&place, text, settings);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        serde_json::from_str::<serde_json::Value>(&place.read("out/summary.json")).unwrap()["scenario"].clone()
    };
    let used = summary(DROP, &["ground.parameters.amplitude=0.2"]);
    insta::assert_snapshot!(used.to_string().replace("},\"", "},\n\""), @r#"
    {"title":"A drop","ball":{"mass":1.0,"radius":0.05,"inertia":0.4},
    "initial":{"position":[0.0,1.0],"velocity":[0.3,0.0],"spin":0.0},
    "ground":{"curve":{"title":"Hills","kind":"graph","y":"amplitude * sin(2*pi*x/wavelength)","parameters":{"amplitude":0.1,"wavelength":2.0}},
    "parameters":{"amplitude":0.2,"wavelength":2.0}},
    "forces":{"gravity":[0.0,-9.81],"drag":{"coefficient":0.0},
    "wind":[0.0,0.0],"magnus":0.0,"external":null},
    "contact":{"restitution":0.5,"tangential-restitution":0.0,"friction":0.2,"rolling-damping":0.0},
    "solver":{"method":"newmark","localisation":"certified","formulation":"symmetric","beta":0.25,"gamma":0.5,"relative-tolerance":1e-9,"absolute-tolerance":1e-9,"duration":1.5,"capture-speed":1e-6,"capture-tolerance":1e-9,"limit":100000000},
    "output":{"interval":0.01}}
    "#);
    // The same run follows from it, whatever the scenario left out.
    let start = "contact = { x = 0.5, speed = 1.2, spin = \"rolling\" }";
    let rolling = DROP.replace("position = [0.0, 1.0]\nvelocity = [0.3, 0.0]", start);
    let forces =
        "[forces]\ndrag = { cd = 0.5, density = 1.2, area = 0.01 }\nexternal = { y = \"0.1*sin(t)\" }\n[contact]";
    let steps = ["solver.formulation=index3", "solver.step=1e-3", "solver.gamma=0.6", "solver.beta=0.3025"];
    let cases = [(DROP.to_owned(), vec![]), (rolling, steps.to_vec()), (DROP.replace("[contact]", forces), vec![])];
    for (text, settings) in cases {
        let used = summary(&text, &settings);
        let events = place.read("out/events.csv");
        let mut again = used.clone();
        // TOML has no null.
        again["forces"].as_object_mut().unwrap().retain(|_, value| !value.is_null());
        assert_eq!(summary(&toml::to_string(&again).unwrap(), &[]), used);
        assert_eq!(place.read("out/events.csv"), events);
    }
}

#[test]
fn a_capture_says_why_in_words() {
    let place = Place::new();
    let outcome = run(&place, DROP, &["solver.duration=5"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    let captures = summary["captures"].as_array().unwrap();
    assert!(!captures.is_empty());
    let reasons = captures.iter().map(|capture| capture["reason"].as_str().unwrap());
    reasons.for_each(|reason| assert!(["slow", "below-rounding"].contains(&reason), "{reason}"));
}

/// Checks a run that had to stop: exit 1, reason on the last line, everything so far kept.
#[track_caller]
fn stopped(place: &Place, outcome: &crate::common::Outcome, reason: &str) -> f64 {
    assert_eq!(outcome.code, 1, "{}\n{}", outcome.stdout, outcome.stderr);
    let last = outcome.stdout.lines().last().unwrap();
    assert!(last.starts_with("stopped: ") && last.contains(reason), "{last}");
    assert_eq!(place.files("out"), FILES);
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["completed"], false);
    assert!(summary["stop"].as_str().unwrap().contains(reason), "{}", summary["stop"]);
    let end = summary["final"]["time"].as_f64().unwrap();
    let trajectory = Table::read(place, "out/trajectory.csv");
    assert_eq!(trajectory.numbers("time").last(), Some(&end), "the last row stands at the end");
    assert_eq!(summary["counts"]["events"], Table::read(place, "out/events.csv").rows.len());
    end
}

#[test]
fn a_force_that_turns_nan_stops_the_run_at_its_time() {
    let place = Place::new();
    let force = "[forces]\nexternal = { x = \"0.1*sqrt(3 - t)\", y = \"0\" }\n[contact]";
    let scenario = DROP.replace("[contact]", force);
    // In flight all the time, and on the ground at that time.
    let flying = ["initial.position=[0, 100]", "solver.duration=4"];
    let outcome = run(&place, &scenario, &flying);
    let end = stopped(&place, &outcome, "not finite at t = 3");
    assert!((end - 3.0).abs() < 1e-3, "stopped at {end}");
    let outcome = run(&place, &scenario, &["solver.duration=4", "contact.restitution=0"]);
    let end = stopped(&place, &outcome, "not finite");
    assert!((end - 3.0).abs() < 1e-3, "stopped at {end}");
    let json = place.kugelbahn(&["run", "scenario.toml", "--json", "--set", "solver.duration=4"]);
    assert_eq!(json.code, 1);
    serde_json::from_str::<serde_json::Value>(&json.stdout).unwrap();
    assert!(json.stderr.starts_with("stopped: "), "{}", json.stderr);
}

#[test]
fn a_ball_between_two_walls_has_two_normal_forces() {
    let place = Place::new();
    std::fs::copy(profiles().join("wedge.toml"), place.path("wedge.toml")).unwrap();
    let wedge = DROP.replace("hills.toml", "wedge.toml").replace("velocity = [0.3, 0.0]", "");
    for (restitution, friction) in [("0", "0"), ("0", "0.3"), ("0.3", "0"), ("0.5", "0.3"), ("0.8", "0")] {
        let (e, mu) = (format!("contact.restitution={restitution}"), format!("contact.friction={friction}"));
        let settings = ["initial.position=[0.5, 1]", "ball.radius=0.2", "solver.duration=30", e.as_str(), mu.as_str()];
        let outcome = run(&place, &wedge, &settings);
        assert_eq!(outcome.code, 0, "{}", outcome.stdout);
        assert!(
            outcome.stdout.contains("wedged between (-0.14142, 0.14142) and (0.14142, 0.14142)"),
            "{}",
            outcome.stdout
        );
        assert_eq!(outcome.stdout.contains("not unique"), friction != "0");
        let trajectory = Table::read(&place, "out/trajectory.csv");
        let last = |column: &str| *trajectory.numbers(column).last().unwrap();
        // The ball hangs in the V with its centre √2 R above the corner, each wall with m g/√2.
        assert!(last("x").abs() < 1e-10 && (last("y") - 0.2 * 2f64.sqrt()).abs() < 1e-10);
        let mass = last("normal_force") * 2f64.sqrt() / 9.81;
        assert!((last("second_normal_force") - last("normal_force")).abs() < 1e-10);
        let json: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(place.path("out/summary.json")).unwrap()).unwrap();
        assert_eq!(json["wedged"]["normal_forces"][1].as_f64(), Some(last("second_normal_force")));
        assert_eq!(json["wedged"]["unique"], friction == "0");
        let given = json["scenario"]["ball"]["mass"].as_f64().unwrap();
        assert!((mass - given).abs() < 1e-10, "{mass} for {given}");
        // Off the ground there is none, and the figure knows of the second.
        assert_eq!(trajectory.numbers("second_normal_force")[0], 0.0);
        assert!(std::fs::read_to_string(place.path("out/time.svg")).unwrap().contains("second contact"));
    }
}

#[test]
fn every_profile_runs() {
    let place = Place::new();
    for path in curve_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let scenario = DROP.replace("hills.toml", path.to_str().unwrap()).replace("radius = 0.05", "radius = 0.02");
        let outcome = run(&place, &scenario, &["initial.position=[-0.2, 3.2]", "solver.duration=2"]);
        assert_eq!(outcome.code, 0, "{name}: {}{}", outcome.stdout, outcome.stderr);
        assert_eq!(place.files("out"), FILES, "{name}");
    }
}

/// Symptom: energies of 1e160 J were rows of 160 digits, a zero could be negative, and a phase table had 200 rows.
#[test]
fn the_report_is_readable_whatever_the_numbers() {
    let place = Place::new();
    let flat = DROP.replace("\"hills.toml\"", "{ kind = \"graph\", y = \"0\" }").replace("0.3, 0.0", "1e6, 0.0");
    let heavy = run(&place, &flat, &["ball.mass=1e150", "ball.radius=0"]).stdout;
    let longest = heavy.split_whitespace().map(str::len).max();
    assert!(longest.is_some_and(|digits| digits < 30), "{heavy}");
    assert!(heavy.contains("5.000000000e161"), "{heavy}");
    let resting = DROP
        .replace("position = [0.0, 1.0]\nvelocity = [0.3, 0.0]", "contact = { x = 0 }")
        .replace("\"hills.toml\"", "{ kind = \"graph\", y = \"0\" }")
        .replace("[solver]", "[forces]\nexternal = { x = \"0.3*m*g*sin(200*t)\" }\n[solver]");
    let resting = run(&place, &resting, &["ball.radius=0"]).stdout;
    assert!(!resting.contains("-0.000000000") && !resting.contains("-0.00000 "), "{resting}");
    let (phases, _) = resting.split_once("\nevent ").unwrap();
    assert!(phases.contains("more phases") && phases.lines().count() < 80, "{phases}");
}

/// A run that does not get anywhere says so after ten thousand steps, not at its end: here 1e13 s of sliding to and fro.
#[test]
fn a_run_without_progress_ends_with_the_reason() {
    let place = Place::new();
    let sliding = "initial = { contact = { s = 0.3, speed = 0.0 } }\nground = { curve = { kind = \"graph\", y = \"0.2*sin(2*x)\" } }";
    let outcome = run(&place, sliding, &["ball.radius=0.05", "solver.duration=1e13"]);
    let stopped = outcome.stdout.lines().last().unwrap_or_default();
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    for words in ["stopped: no progress at t = ", "the ball at (-", "10001 steps", "sliding", "take a shorter run"] {
        assert!(stopped.contains(words), "{stopped}");
    }
}

/// The head of the report names the method that flew, how contacts were found, and the law of contact.
#[test]
fn the_report_names_what_ran() {
    let place = Place::new();
    let head = |settings: &[&str]| {
        let mut arguments = vec!["run", "drop.toml"];
        settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
        let told = place.kugelbahn(&arguments).stdout;
        told.lines().skip(1).take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ")
    };
    for (method, name) in [("newmark", "Newmark"), ("bdf", "BDF"), ("radau", "Radau IIA"), ("dop853", "DOP853")] {
        let head = head(&[&format!("solver.method={method}")]);
        assert!(head.contains(&format!("; {name}, symmetric, tolerance 1e-9")), "{head}");
    }
    let parabola = head(&["solver.method=bdf", "solver.localisation=parabola"]);
    assert!(parabola.ends_with("contacts by a parabola"), "{parabola}");
    let soft = head(&["contact={ law = \"kelvin-voigt\", stiffness = 1e5 }"]);
    assert!(soft.contains("compliant after Kelvin and Voigt"), "{soft}");
}
