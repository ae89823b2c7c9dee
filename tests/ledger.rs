//! The ledger as a judge: no false alarm, and no leak that is missed.
//!
//! `KUGELBAHN_CASES=10000` sets how many random runs are tried, `KUGELBAHN_FOUND=FOLDER` where those that are stopped are written.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests say what they measured, and fail loudly"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flight::{FlightCount, FlightError, FlightMethod, FlightStep};
use kugelbahn::Scenario;
use kugelbahn::scenario::{Document, Methods};
use mechanics::{Forces, State};
use newmark::Tolerance;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rolling::{ContactCount, ContactMethod, ContactStep, ContactSystem, RollingError};
use supervisor::{NoObserver, Phase, Stop, Summary};
use tests::scenarios::random::scenarios;
use tests::scenarios::{Control, Scenario as Described, Solver};

fn run_with(text: &str, folder: &Path, methods: Methods) -> Option<(Scenario, Summary)> {
    let document = Document::from_text(text, folder, &[], &Arc::new(methods)).ok()?;
    let scenario = Scenario::of(&document).ok()?;
    let summary = kugelbahn::run(&scenario, &mut NoObserver).ok()?;
    Some((scenario, summary))
}

fn run(text: &str) -> Summary {
    run_with(text, Path::new(""), Methods::builtin()).expect("the scenario runs").1
}

/// Random scenarios by all methods and tolerances.
fn held_to_a_tolerance() -> impl Strategy<Value = Described> {
    let methods = ["newmark", "dop853", "radau", "bdf", "auto", "taylor"];
    let formulations = ["symmetric", "arc-length", "taylor"];
    (scenarios(), 0..methods.len(), 0..formulations.len(), 3..13_i32).prop_map(
        move |(scenario, flight, contact, digits)| {
            let tolerance = 10f64.powi(-digits);
            let solver = Solver {
                method: methods[flight],
                formulation: formulations[contact],
                control: Control::Tolerance { relative: tolerance, absolute: tolerance },
                ..scenario.solver.clone()
            };
            Described { solver, ..scenario }
        },
    )
}

/// Runs by tolerance are explained: none ends by the ledger, and few come near.
#[test]
fn random_runs_are_explained() {
    let cases = std::env::var("KUGELBAHN_CASES").ok().map_or(300, |n| n.parse().expect("KUGELBAHN_CASES is a number"));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[51; 32]));
    let (cases_of, mut ran, mut alarms) = (held_to_a_tolerance(), 0, Vec::new());
    let mut used = Vec::new();
    for case in 0..cases {
        let text = cases_of.new_tree(&mut runner).expect("no case is filtered").current().to_string();
        let Some((_, summary)) = run_with(&text, Path::new(""), Methods::builtin()) else { continue };
        ran += 1;
        used.push((summary.ledger.used, case, text.clone()));
        if let Some(stop @ Stop::Unexplained { .. }) = summary.stop {
            if let Ok(folder) = std::env::var("KUGELBAHN_FOUND") {
                let file = Path::new(&folder).join(format!("alarm-{case}.toml"));
                std::fs::write(file, format!("# {stop}\n{text}")).expect("KUGELBAHN_FOUND is a folder");
            }
            alarms.push(format!("{case}: {stop}\n{text}"));
        }
    }
    used.sort_by(|a, b| b.0.total_cmp(&a.0));
    let part = |at: usize| used.get(ran * at / 1000).map_or(0.0, |used| used.0);
    println!(
        "{ran} of {cases} ran; used of what is allowed: most {:.1e}, 1 in 1000 {:.1e}, 1 in 100 {:.1e}, half {:.1e}",
        part(0),
        part(1),
        part(10),
        part(500)
    );
    for (used, case, text) in used.iter().take(3) {
        println!("{used:.2e} of case {case}:\n{text}");
    }
    assert!(ran > cases / 2 && alarms.is_empty(), "{} alarms of {ran}:\n{}", alarms.len(), alarms.join("\n"));
}

/// Scenario files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.extend((path.extension().is_some_and(|end| end == "toml")).then_some(path)),
        }
    }
}

/// Scenarios of the repository are explained.
#[test]
fn kept_scenarios_are_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    ["scenarios", "experiments/src", "crates/kugelbahn-cli/tests"]
        .iter()
        .for_each(|folder| files(&root.join(folder), &mut found));
    let (mut ran, mut most) = (0, (0.0, PathBuf::new()));
    for file in found {
        let text = std::fs::read_to_string(&file).expect("it is a file");
        let folder = file.parent().expect("it is in a folder");
        let Some((_, summary)) = run_with(&text, folder, Methods::builtin()) else { continue };
        assert!(!matches!(summary.stop, Some(Stop::Unexplained { .. })), "{}: {:?}", file.display(), summary.stop);
        ran += 1;
        println!("{:.1e} {:.1e} J {}", summary.ledger.used, summary.ledger.allowed, file.display());
        if summary.ledger.used > most.0 {
            most = (summary.ledger.used, file);
        }
    }
    println!("{ran} ran; most used {:.1e} in {}", most.0, most.1.display());
    assert!(ran > 10);
}

/// Flies in gravity that is stronger by a part than what the scene says.
#[derive(Clone)]
struct Heavier(flight::Dop853, f64);

impl FlightMethod for Heavier {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        let gravity = forces.gravity_vector() * (1.0 + self.1);
        let forces = forces.clone().with_gravity(gravity).expect("it is finite");
        self.0.step(&forces, start, until, step)
    }
    fn tolerance(&self) -> Option<Tolerance> {
        self.0.tolerance()
    }
    fn count(&self) -> FlightCount {
        self.0.count()
    }
}

/// Rolls and slides faster by a part at the end of each step.
#[derive(Clone)]
struct Faster(rolling::Newmark, f64);

impl ContactMethod for Faster {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        self.0.step(system, step, until)?;
        step.end.speed *= 1.0 + self.1;
        Ok(())
    }
    fn tolerance(&self) -> Option<Tolerance> {
        self.0.tolerance()
    }
    fn count(&self) -> ContactCount {
        self.0.count()
    }
}

/// Symptom: a ball that slid up a wall without a loss went on, with exit 0. Cause: the ledger was told, and judged nothing. Methods that
/// leak as little as a few tolerances a step end by it, in flight and on the ground; the same methods without the leak do not.
#[test]
fn leaks_are_caught() {
    let tolerance = 1e-9;
    for leak in [0.0, 1e-6, 1e-3] {
        let methods = Methods::builtin()
            .with_flight("heavier", move |control| Heavier(flight::Dop853::new(control).expect("it is allowed"), leak))
            .with_formulation("faster", move |control| Faster(rolling::Newmark::symmetric(control), leak));
        let solver =
            format!("tolerance = {tolerance:e}\nmethod = \"heavier\"\nformulation = \"faster\"\nduration = 3.0\n");
        let thrown = "[initial]\nposition = [0.0, 2.0]\nvelocity = [1.0, 0.0]\n[ground]\ncurve = { kind = \"graph\", y = \"0\" }\n";
        let bowl =
            "[initial]\ncontact = { x = -1.0, speed = 0.0 }\n[ground]\ncurve = { kind = \"graph\", y = \"x^2\" }\n";
        let dragged = format!("{thrown}[forces]\ndrag = {{ coefficient = 0.01 }}\n");
        for (scene, phase) in [(thrown, None), (&*dragged, Some(Phase::Flight)), (bowl, Some(Phase::Sliding))] {
            let text = format!("{scene}[contact]\nrestitution = 0.9\nfriction = 0.0\n[solver]\n{solver}");
            let (_, summary) = run_with(&text, Path::new(""), methods.clone()).expect("it runs");
            match summary.stop {
                None => assert!(leak == 0.0, "{leak:e} is not seen in {scene}"),
                Some(Stop::Unexplained { phase: found, unexplained, allowed, .. }) => {
                    assert!(leak > 0.0 && found == phase && unexplained.abs() > allowed, "{leak:e} {scene}");
                    println!("{leak:e}: {unexplained:e} J of {allowed:e} J {found:?}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Symptom: a force whose wave is far shorter than what steps see gave twice the energy, with exit 0. Cause: all nodes of the steps met it
/// in the same phase, or where it seemed to be none.
#[test]
fn waves_that_steps_do_not_see_end_the_run() {
    for (force, method) in [("5*cos(2*pi*24e6*t)", "newmark"), ("5*sin(1e9*x)", "newmark"), ("5*sin(1e17*x)", "bdf")] {
        let text = format!(
            "[initial]\nposition = [0.0, 1.0]\nvelocity = [1.0, 0.0]\n[ground]\ncurve = {{ kind = \"graph\", y = \"0\" }}\n\
             [forces]\nexternal = {{ x = \"{force}\", y = \"0\" }}\n[solver]\nmethod = \"{method}\"\nduration = 1.0\n"
        );
        let summary = run(&text);
        let Some(Stop::Unexplained { time, phase, unexplained, allowed, .. }) = summary.stop else {
            panic!("{force}: {:?}", summary.stop)
        };
        assert!(phase == Some(Phase::Flight) && unexplained.abs() > allowed && summary.state.time < time, "{force}");
        // What was told is explained.
        assert!(summary.unexplained().abs() <= allowed, "{force}");
    }
}

/// Fixed steps, and time stepping, warn of what they do to the energy, and name a step that does: it leaves no more than 1 %, or little more.
#[test]
fn fixed_steps_warn() {
    let bowl = |step: f64| {
        format!(
            "[initial]\ncontact = {{ x = -1.0, speed = 0.0 }}\n[ground]\ncurve = {{ kind = \"graph\", y = \"x^2\" }}\n\
             [contact]\nfriction = 0.0\n[solver]\nstep = {step:?}\nduration = 3.0\n"
        )
    };
    let warned = |step: f64| {
        let (scenario, summary) = run_with(&bowl(step), Path::new(""), Methods::builtin()).expect("it runs");
        assert_eq!(summary.stop, None);
        scenario.leak(&summary)
    };
    let warning = warned(0.1).expect("it warns");
    let (_, words) = warning.cure.split_once("a step of ").expect("it names one");
    let step: f64 = words.split_whitespace().next().expect("a number").parse().expect("a number");
    assert!(warning.code == "energy" && words.contains("by the method's order 2"), "{warning}");
    // The estimate knows no higher orders.
    assert!(step < 0.1 && warned(0.8 * step).is_none(), "{warning}");
    // An error that is all of the energy has no order, and no step that follows from it.
    let teeth = "[ball]\nradius = 0\n[initial]\nposition = [0.5, 0.6]\nvelocity = [0.5, 0]\n[ground]\n\
                 curve = { kind = \"graph\", y = \"0.5*tanh(1e6*sin(10*x))\" }\n[contact]\nrestitution = 0\n\
                 friction = 0\n[solver]\nstep = 1e-3\nduration = 1\n";
    let (scenario, summary) = run_with(teeth, Path::new(""), Methods::builtin()).expect("it runs");
    let warning = scenario.leak(&summary).expect("it warns");
    assert!(warning.cause.contains("100 %") && !warning.cure.contains("a step of"), "{warning}");
}
