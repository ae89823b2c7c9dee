//! The groups `scenario`, `rolling` and `flight`: each bench beside its floor; ratios are printed at the end.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::panic,
    reason = "a bench prints what it measured, and stops on an error"
)]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use benches::runs::{Tally, event_driven};
use benches::table::Table;
use benches::{bowl, drag_bounces, flat_bounce, flat_recurrence, sine_bounce};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use curves::{Ground, Piece};
use kugelbahn::figures::Figure;
use kugelbahn::output::{Folder, Recorder};
use kugelbahn::scenario::{Document, Variants};
use kugelbahn::{Scenario, Simulation};
use nalgebra::Vector2;
use supervisor::{Event, Observer, Summary};

const FORMULATIONS: [&str; 5] = ["index3", "stabilized-index2", "projected", "symmetric", "arc-length"];

fn load(name: &str, settings: &[&str]) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    match Scenario::load(&path, &settings) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// Keeps every event.
#[derive(Default)]
struct All(Vec<Event>);

impl Observer for All {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.0.push(*event);
        ControlFlow::Continue(())
    }
}

/// Runs a scenario and proves that the timed run sees the events that `kugelbahn run` writes to `events.csv`.
fn checked(scenario: &Scenario) -> (Summary, u64) {
    let (mut all, mut tally) = (All::default(), Tally::default());
    let summary = event_driven(scenario, &mut all);
    event_driven(scenario, &mut tally);
    assert_eq!(summary.stop, None, "{}", scenario.title);
    let times: Vec<f64> = all.0.iter().map(Event::time).collect();
    assert_eq!(times, written(scenario), "{}", scenario.title);
    assert_eq!(times.len() as u64, tally.events);
    assert_eq!(times.iter().fold(0.0, |sum, time| sum + time).to_bits(), tally.times.to_bits());
    (summary, tally.events)
}

/// The times in the `events.csv` of a run.
fn written(scenario: &Scenario) -> Vec<f64> {
    let text = recorded(scenario);
    text.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse().ok()).collect()
}

/// Writes the tables of a run; the text of its `events.csv`.
fn recorded(scenario: &Scenario) -> String {
    let folder = std::env::temp_dir().join(format!("kugelbahn-bench-{}", std::process::id()));
    let write = || -> Result<String, Box<dyn std::error::Error>> {
        let out = Folder::open::<&str>(&folder, &[])?;
        let mut record = Recorder::new(scenario, Some(&out), Box::new(|_| ()))?;
        kugelbahn::run(scenario, &mut record)?;
        record.finish()?;
        out.commit()?;
        let text = std::fs::read_to_string(folder.join("events.csv"))?;
        std::fs::remove_dir_all(&folder)?;
        Ok(text)
    };
    write().unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// Draws the figures of a run.
fn drawn(scenario: &Scenario) {
    let record = Recorder::new(scenario, None, Box::new(|_| ())).map(Recorder::with_film);
    let mut record = record.unwrap_or_else(|error| panic!("{error}"));
    let _ = record.run();
    black_box(record.figures().each_ref().map(Figure::svg));
}

fn group<'c>(c: &'c mut Criterion, name: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group
}

fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, elements: u64, mut f: impl FnMut()) {
    group.throughput(Throughput::Elements(elements));
    group.bench_function(name, |b| b.iter(&mut f));
}

fn time_run(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, elements: u64, scenario: &Scenario) {
    time(group, name, elements, || {
        black_box(event_driven(scenario, &mut Tally::default()));
    });
}

fn scenario(c: &mut Criterion) {
    let mut g = group(c, "scenario");
    let flat = load("flat.toml", &[]);
    let (_, bounces) = checked(&flat);
    time(&mut g, "flat (recurrence)", bounces, || {
        black_box(flat_recurrence(bounces, 1.0));
    });
    time(&mut g, "flat (floor)", bounces, || {
        black_box(flat_bounce(bounces, 1.0, 0.3, &mut Default::default()));
    });
    time_run(&mut g, "flat", bounces, &flat);
    let sine = load("sine.toml", &[]);
    let (_, bounces) = checked(&sine);
    time(&mut g, "sine (floor)", bounces, || {
        black_box(sine_bounce(bounces, 0.1, std::f64::consts::PI));
    });
    time_run(&mut g, "sine", bounces, &sine);
    let ball = load("sine-ball.toml", &[]);
    let (_, bounces) = checked(&ball);
    time_run(&mut g, "sine-ball", bounces, &ball);
    hard_spheres(&mut g, 20);
    g.finish();
}

/// Points above such a polyline, from end to end.
fn points(pieces: u64) -> Vec<Vector2<f64>> {
    (0..1000).map(|i| Vector2::new(0.01 * f64::from(i) * pieces as f64 / 1000.0, 0.3)).collect()
}

/// A polyline of equal steps over hills.
fn track(pieces: u64) -> Ground {
    let points: Vec<Vector2<f64>> =
        (0..=pieces).map(|i| Vector2::new(0.01 * i as f64, 0.1 * (0.03 * i as f64).sin())).collect();
    match Piece::polyline(&points).and_then(Ground::by_arc_length) {
        Ok(ground) => ground,
        Err(error) => panic!("{error}"),
    }
}

/// A bead in a bowl, and its steps.
fn bowl_scenario(formulation: &str) -> (Scenario, u64) {
    // The undamped index-3 scheme grows, and would leave the ground after a while.
    let duration = if formulation == "index3" { "solver.duration=3.0" } else { "solver.duration=50.0" };
    let scenario = load("bowl.toml", &[&format!("solver.formulation=\"{formulation}\""), duration]);
    let (summary, _) = checked(&scenario);
    (scenario, summary.count.contact.steps)
}

const METHODS: [&str; 6] = ["newmark", "bdf", "radau", "dop853", "ballistic", "auto"];

fn hard_sphere(seconds: u64, method: &str) -> Scenario {
    load("hard-sphere.toml", &[&format!("solver.duration={seconds}.0"), &format!("solver.method=\"{method}\"")])
}

/// Bounces over hills for 10 s, or a take-off from a crest with 1 s of what follows.
fn short_task(name: &str, seconds: u64, method: &str) -> Scenario {
    let settings = [
        &format!("solver.duration={seconds}.0"),
        &format!("output.interval={seconds}.0"),
        &format!("solver.method=\"{method}\""),
        "solver.tolerance=1e-6",
    ];
    load(&format!("{name}.toml"), &settings)
}

fn rolling(c: &mut Criterion) {
    let mut g = group(c, "rolling");
    for formulation in FORMULATIONS {
        let (scenario, steps) = bowl_scenario(formulation);
        time(&mut g, &format!("{formulation} (floor)"), steps, || {
            black_box(bowl(formulation, steps, 5e-3));
        });
        time_run(&mut g, formulation, steps, &scenario);
    }
    g.finish();
}

/// The hard sphere by all methods: 10 s are ten flights, 20 s a whole run through the Zeno point.
fn hard_spheres(g: &mut BenchmarkGroup<'_, WallTime>, seconds: u64) {
    for method in METHODS {
        let scenario = hard_sphere(seconds, method);
        let (_, events) = checked(&scenario);
        if method == "newmark" {
            time(g, &format!("hard sphere with drag, {seconds} s (floor)"), 1, || {
                black_box(drag_bounces(events, 9.2273e-3, 0.9));
            });
        }
        time_run(g, &format!("hard sphere with drag, {seconds} s, {method}"), 1, &scenario);
    }
}

fn flight(c: &mut Criterion) {
    let mut g = group(c, "flight");
    hard_spheres(&mut g, 10);
    for method in ["dop853", "ballistic", "auto"] {
        time_run(&mut g, &format!("hills with drag, 10 s, {method}"), 1, &short_task("hills", 10, method));
        time_run(&mut g, &format!("take-off from a crest, 1 s, {method}"), 1, &short_task("crest", 1, method));
    }
    g.finish();
}

/// Of the run of a variant, s: some bounces.
const VARIANT: f64 = 1.0;

fn kept<T>(result: Result<T, kugelbahn::Error>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

fn ratios() {
    let mut table = Table::of("kugelbahn");
    let run = |scenario: &Scenario| {
        black_box(event_driven(scenario, &mut Tally::default()));
    };
    let flat = load("flat.toml", &[]);
    let (_, bounces) = checked(&flat);
    let floor = || {
        black_box(flat_bounce(bounces, 1.0, 0.3, &mut Default::default()));
    };
    table.pair("flat bounce", "5", bounces, || run(&flat), floor);
    waits(&mut table, &flat, bounces);
    for (name, file) in [("bounce on a sine", "sine.toml"), ("bounce on a sine, R = 0.05", "sine-ball.toml")] {
        let scenario = load(file, &[]);
        let (_, bounces) = checked(&scenario);
        let floor = || {
            black_box(sine_bounce(bounces, 0.1, std::f64::consts::PI));
        };
        table.pair(name, "3", bounces, || run(&scenario), floor);
    }
    for formulation in FORMULATIONS {
        let (scenario, steps) = bowl_scenario(formulation);
        let floor = || {
            black_box(bowl(formulation, steps, 5e-3));
        };
        table.pair(&format!("rolling step, {formulation}"), wanted(formulation), steps, || run(&scenario), floor);
    }
    for seconds in [10, 20] {
        for method in METHODS {
            let scenario = hard_sphere(seconds, method);
            let (_, events) = checked(&scenario);
            let floor = || {
                black_box(drag_bounces(events, 9.2273e-3, 0.9));
            };
            table.pair(&format!("hard sphere with drag, {seconds} s, {method}"), "", 1, || run(&scenario), floor);
        }
    }
    for method in ["dop853", "ballistic", "auto"] {
        let scenario = short_task("hills", 10, method);
        let (_, bounces) = checked(&scenario);
        let floor = || {
            black_box(sine_bounce(bounces, 0.1, std::f64::consts::PI));
        };
        table.pair(&format!("hills with drag, 10 s, {method}"), "", 1, || run(&scenario), floor);
    }
    let [newmark, auto] = ["newmark", "auto"].map(|method| short_task("crest", 1, method));
    table.pair("take-off from a crest, 1 s: auto over newmark", "", 1, || run(&auto), || run(&newmark));
    // A variant by a number that leaves the ground as it is, beside the run alone; to be 2000 ns above it at most.
    let base = Simulation::from(flat);
    let ready = kept(base.clone().set("contact.restitution", 0.9));
    let variant = || {
        black_box(kept(kept(base.clone().set("contact.restitution", 0.9)).observe(VARIANT, &mut Tally::default())));
    };
    let bare = || {
        black_box(kept(ready.observe(VARIANT, &mut Tally::default())));
    };
    table.pair("variant and run over the run", "", 1, variant, bare);
    let [few, many] = [1_000, 100_000].map(|pieces| (track(pieces), points(pieces)));
    let closest = |(ground, points): &(Ground, Vec<Vector2<f64>>)| {
        points.iter().for_each(|q| {
            black_box(ground.closest(*q));
        });
    };
    table.pair("closest point: 10^5 pieces over 10^3", "", 1000, || closest(&many), || closest(&few));
    table.record();
}

/// Ratio of a rolling step to its floor that is wanted.
fn wanted(formulation: &str) -> &'static str {
    match formulation {
        "arc-length" => "3.5",
        _ => "3",
    }
}

/// What people wait for beside a run: ends of the ground, rows, figures, a change in `live`, the load of a loop.
fn waits(table: &mut Table, flat: &Scenario, bounces: u64) {
    let run = |scenario: &Scenario| {
        black_box(event_driven(scenario, &mut Tally::default()));
    };
    let ends = load("flat.toml", &["ground.curve={ kind = \"line\", from = [-1e6, 0], to = [1e6, 0] }"]);
    assert_eq!(checked(&ends).1, bounces);
    table.pair("flat bounce with ends over without", "1.1", bounces, || run(&ends), || run(flat));
    let steps = "ground.curve={ kind = \"polyline\", points = [[-1e6, 1], [-100, 1], [-90, 0], [1e6, 0]] }";
    let polyline = load("flat.toml", &[steps]);
    assert_eq!(checked(&polyline).1, bounces);
    table.pair("flat bounce over a polyline over without ends", "1.1", bounces, || run(&polyline), || run(flat));
    table.pair("bounce and its row of events.csv over it alone", "", bounces, || drop(recorded(flat)), || run(flat));
    table.pair("bounce with figures over it alone", "", bounces, || drawn(flat), || run(flat));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/loop.toml");
    let read = || Document::load(&path, &[], &Arc::default());
    let known = read().and_then(|document| Variants::of(document, Vec::new()));
    let known = known.unwrap_or_else(|error| panic!("{error}"));
    let change = || drop(black_box(known.set(&["contact.friction=0.3".to_owned()])));
    let load = || drop(black_box(read().and_then(|document| Scenario::of(&document))));
    table.pair("loop: a change of friction over its load", "", 1, change, load);
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    flight(&mut criterion);
    rolling(&mut criterion);
    scenario(&mut criterion);
    criterion.final_summary();
    ratios();
}
