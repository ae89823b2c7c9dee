//! Rows depend on scenario, seed and index alone.

use std::path::Path;

use scenario::Scenario;
use supervisor::{EventKind, Recording};
use sweep::{Request, Shard, Worker};

use crate::{HILLS, make, merged, strings, sweep_of};

fn request() -> Request {
    Request {
        vary: strings(&["contact.restitution = 0.1..0.9/5"]),
        sample: strings(&["initial.velocity.x ~ normal(0.3, 0.5)", "initial.position.y ~ uniform(0.5, 1.5)"]),
        count: Some(23),
        seed: 5,
        observe: strings(&["impact.3.x", "end.phase", "y(t=1)", "events", "every impact: x, vy-before"]),
        chunk: Some(3),
        ..Request::default()
    }
}

/// Threads 1, 2, 7 and shards 1, 3, 32 in any order give the same bytes, in one folder or in several.
#[test]
fn threads_and_shards_make_no_difference() {
    let sweep = sweep_of(HILLS, request()).unwrap();
    let folder = |shards, threads| {
        let folder = tempfile::tempdir().unwrap();
        make(&sweep, folder.path(), shards, threads);
        ["runs", "events", "section"].map(|table| merged(&[folder.path()], table))
    };
    let first = folder(1, 1);
    assert_eq!(first[0].lines().count(), 5 * 23 + 1);
    for (shards, threads) in [(1, 2), (1, 7), (3, 1), (3, 2), (32, 1), (32, 7)] {
        assert!(folder(shards, threads) == first, "{shards} shards, {threads} threads");
    }
    let own: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    for (index, folder) in (0..3).zip(&own) {
        let store = sweep::Store::open(folder.path(), &sweep).unwrap();
        sweep::execute(
            &sweep,
            &store,
            Shard::new(index, 3).unwrap(),
            2,
            &|_, _| (),
            &std::sync::atomic::AtomicBool::new(false),
        )
        .unwrap();
    }
    let paths: Vec<&Path> = own.iter().map(|folder| folder.path()).collect();
    assert!(merged(&paths, "runs") == first[0]);
}

/// A row is that of the scenario with `--set`, in whatever order runs are made; also where values change the ground.
#[test]
fn a_row_is_the_run_of_the_scenario_as_set() {
    let grounds = Request { vary: strings(&["ground.curve.parameters.a=0.05..0.15/7"]), ..request() };
    let laws = Request {
        vary: strings(&["contact.friction=0.1,infinite", "solver.tolerance=log:1e-10..1e-6/3"]),
        ..request()
    };
    for request in [request(), grounds, laws] {
        let sweep = sweep_of(HILLS, request).unwrap();
        let mut worker = Worker::new(&sweep);
        for index in [sweep.layout.runs - 1, 3, 40, 0, 41, 40] {
            worker.clear();
            worker.run(index);
            let settings = sweep.plan.keys().into_iter().zip(sweep.values(index)).map(|(key, value)| match value {
                scenario::Setting::Number(number) => format!("{key}={number:?}"),
                scenario::Setting::Text(text) => format!("{key}={text}"),
            });
            let scenario = Scenario::from_text(HILLS, Path::new(""), &settings.collect::<Vec<_>>()).unwrap();
            let mut recording = Recording::default();
            let summary = scenario::run(&scenario, &mut recording).unwrap();
            let tables: Vec<_> = worker.tables().collect();
            let cell = |name: &str| tables[0].column(name).unwrap().number(0);
            let impact = recording.events.iter().filter(|event| event.kind == EventKind::Impact).nth(2);
            assert_eq!(cell("impact.3.x").to_bits(), impact.map_or(f64::NAN, |event| event.after.position.x).to_bits());
            assert_eq!(cell("unexplained"), summary.unexplained());
            assert_eq!(cell("events"), recording.events.len() as f64);
            assert_eq!(tables[0].column("end.phase").unwrap().word(0), Some(summary.phase.name()));
            assert_eq!(tables[1].rows(), recording.events.len());
            let times = tables[1].column("time").unwrap();
            assert!(recording.events.iter().enumerate().all(|(row, event)| times.number(row) == event.time()));
        }
    }
}

/// Runs that can't be made, or stop, have their rows, and leave no trace in the next.
#[test]
fn runs_that_stop_have_rows() {
    let request = Request {
        vary: strings(&["contact.restitution=0.5..1.4/10", "solver.limit=3,100000"]),
        observe: strings(&["end.x"]),
        ..Request::default()
    };
    let sweep = sweep_of(HILLS, request).unwrap();
    let folder = tempfile::tempdir().unwrap();
    make(&sweep, folder.path(), 1, 1);
    let rows = merged(&[folder.path()], "runs");
    let count = |word: &str| rows.lines().filter(|row| row.contains(word)).count();
    assert_eq!([rows.lines().count(), count(",limit,"), count(",refused,"), count(",end,0")], [21, 6, 8, 0], "{rows}");
    assert_eq!(count("must be between 0 and 1"), 8);
    assert_eq!(rows.lines().filter(|row| row.split(',').any(|cell| cell == "end")).count(), 6 + 1);
}

/// Quantities by another way: an elastic ball over level ground, all in closed form (g = 9.81).
#[test]
fn quantities_of_a_ball_in_closed_form() {
    let level = r#"
        initial = { position = [0.0, 1.0], velocity = [2.0, 0.0] }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { restitution = 0.5 }
        solver = { duration = 5.0 }
    "#;
    let observe = [
        "impact.2.x",
        "height",
        "time(x=0.5)",
        "landing.s",
        "end.vx",
        "y(t=0.1)",
        "phase-before(impact.1)",
        "lift-off.time",
    ];
    let request =
        Request { vary: strings(&["initial.position.y=1,2"]), observe: strings(&observe), ..Request::default() };
    let sweep = sweep_of(level, request).unwrap();
    let mut worker = Worker::new(&sweep);
    for (index, height) in [(0, 1.0_f64), (1, 2.0)] {
        worker.clear();
        worker.run(index);
        let table = worker.tables().next().unwrap();
        let cell = |name: &str| table.column(name).unwrap().number(0);
        let fall = (2.0 * height / 9.81).sqrt();
        let expected = [
            ("impact.2.x", 2.0 * (2.0 * fall)),
            ("height", height),
            ("time(x=0.5)", 0.25),
            ("landing.s", 2.0 * 3.0 * fall),
            ("end.vx", 2.0),
            ("y(t=0.1)", height - 0.5 * 9.81 * 0.01),
        ];
        for (name, value) in expected {
            assert!((cell(name) - value).abs() < 1e-9, "{name}: {} {value}", cell(name));
        }
        assert!(cell("lift-off.time").is_nan(), "it stays down");
        assert_eq!(table.column("phase-before(impact.1)").unwrap().word(0), Some("flight"));
    }
}

/// A section by time has rows at multiples of its period, by events at each n-th; the first ones are skipped.
#[test]
fn sections() {
    let section = |text: &str, skip| {
        let request = Request {
            vary: strings(&["contact.restitution=0.5"]),
            observe: strings(&[text, "events"]),
            skip,
            ..Request::default()
        };
        let sweep = sweep_of(HILLS, request).unwrap();
        let mut worker = Worker::new(&sweep);
        worker.run(0);
        let tables: Vec<_> = worker.tables().map(std::borrow::Cow::into_owned).collect();
        (tables[1].clone(), tables[2].clone())
    };
    let (_, rows) = section("every 0.25 s: time, y, cycle(0.5), phase", 2);
    let numbers = |name: &str| (0..rows.rows()).map(|row| rows.column(name).unwrap().number(row)).collect::<Vec<_>>();
    assert_eq!(numbers("time"), [0.5, 0.75, 1.0, 1.25, 1.5]);
    assert_eq!(numbers("cycle(0.5)"), [0.0, 0.5, 0.0, 0.5, 0.0]);
    assert_eq!(numbers("n"), [3.0, 4.0, 5.0, 6.0, 7.0]);
    let (events, rows) = section("every 2 impacts: time x", 0);
    let (times, kinds) = (events.column("time").unwrap(), events.column("kind").unwrap());
    let impacts: Vec<f64> =
        (0..events.rows()).filter(|row| kinds.word(*row) == Some("impact")).map(|row| times.number(row)).collect();
    assert!(impacts.len() >= 6 && rows.rows() == impacts.len() / 2, "{} {}", impacts.len(), rows.rows());
    assert!((0..rows.rows()).all(|row| rows.column("time").unwrap().number(row) == impacts[2 * row + 1]));
}

/// A section by time of a run that starts later has rows at multiples of its period too, none before the start.
#[test]
fn sections_of_a_later_start() {
    let request = Request {
        vary: strings(&["initial.time=0.6"]),
        observe: strings(&["every 0.25 s: time"]),
        skip: 1,
        ..Request::default()
    };
    let sweep = sweep_of(HILLS, request).unwrap();
    let mut worker = Worker::new(&sweep);
    worker.run(0);
    let tables: Vec<_> = worker.tables().map(std::borrow::Cow::into_owned).collect();
    let numbers = |name: &str| {
        let column = tables[1].column(name).unwrap();
        (0..tables[1].rows()).map(|row| column.number(row)).collect::<Vec<_>>()
    };
    assert_eq!(numbers("time"), [1.0, 1.25, 1.5, 1.75, 2.0]);
    assert_eq!(numbers("n"), [2.0, 3.0, 4.0, 5.0, 6.0]);
}

/// A bead that jumps from hill to hill: each kind of word, and a section of a watch, by a recording of the same run.
#[test]
fn words_say_what_a_recording_has() {
    let text = r#"
        initial = { contact = { x = 0.0, speed = 5.0 } }
        ground = { curve = { kind = "graph", y = "0.1*sin(3*x)" } }
        contact = { restitution = 0.0, friction = 0.05 }
        watch = [{ name = "low", y = 0.0 }]
        solver = { duration = 20.0 }
    "#;
    let words = [
        "impact.1.x",
        "lift-off.1.s",
        "rest.time",
        "normal-force",
        "end.phase",
        "jump.2.length",
        "watch.low.3.x",
        "every 2 watch.low: time, x",
    ];
    let request =
        Request { vary: strings(&["contact.friction=0.05"]), observe: strings(&words), skip: 1, ..Request::default() };
    let sweep = sweep_of(text, request).unwrap();
    let mut worker = Worker::new(&sweep);
    worker.run(0);
    let tables: Vec<_> = worker.tables().collect();
    let cell = |name: &str| tables[0].column(name).unwrap().number(0);
    let scenario = Scenario::from_text(text, Path::new(""), &["output.interval=0.001".to_owned()]).unwrap();
    let mut recording = Recording::default();
    let summary = scenario::run(&scenario, &mut recording).unwrap();
    let of = |kind: EventKind| recording.events.iter().filter(move |event| event.kind == kind);
    let touches: Vec<_> = of(EventKind::Landing).collect();
    let left: Vec<_> = of(EventKind::LiftOff).collect();
    assert!(left.len() >= 2 && recording.crossings.len() >= 6, "{} {}", left.len(), recording.crossings.len());
    assert_eq!(cell("impact.1.x"), touches[0].after.position.x);
    assert_eq!(cell("lift-off.1.s"), left[0].place.parameter());
    assert_eq!(cell("rest.time"), of(EventKind::Rest).next().unwrap().time());
    assert_eq!(tables[0].column("end.phase").unwrap().word(0), Some(summary.phase.name()));
    assert_eq!(cell("jump.2.length"), (touches[1].before.position - left[1].after.position).norm());
    assert_eq!(cell("watch.low.3.x"), recording.crossings[2].sample.state.position.x);
    let pushes = recording.samples.iter().map(|sample| sample.normal_force).fold(0.0, f64::max);
    assert!((cell("normal-force") / pushes - 1.0).abs() < 1e-4 && cell("normal-force") >= pushes, "{pushes}");
    // Each second crossing, without the first of these.
    let expected: Vec<f64> = recording.crossings.iter().skip(3).step_by(2).map(|c| c.sample.state.time).collect();
    let times = tables[1].column("time").unwrap();
    assert_eq!((0..tables[1].rows()).map(|row| times.number(row)).collect::<Vec<_>>(), expected);
}

/// Which of few runs can't be made does not matter to the others; none at all is refused.
#[test]
fn runs_that_cannot_begin_are_rows_wherever_they_are() {
    for values in ["1.5,0.5", "0.5,1.5", "1.5,1.5,1.5,1.5,1.5,0.5", "1.5,0.5,1.5"] {
        let vary = strings(&[&format!("contact.restitution={values}")]);
        assert!(sweep_of(HILLS, Request { vary, ..request() }).is_ok(), "{values}");
    }
    let vary = strings(&["contact.restitution=1.5,1.6"]);
    assert!(sweep_of(HILLS, Request { vary, ..request() }).is_err());
}

/// Chunks are as long as memory has room for their rows.
#[test]
fn chunks_by_rows() {
    let of = |observe: &str| {
        let vary = strings(&["contact.restitution=0.1..0.9/10000000"]);
        sweep_of(HILLS, Request { vary, observe: strings(&[observe]), skip: 0, ..Request::default() })
    };
    assert_eq!(of("end.x").unwrap().layout.chunk, 16_384);
    assert!((1_000..=4_000).contains(&of("events").unwrap().layout.chunk));
    assert_eq!(of("every 0.001 s: x").unwrap().layout.chunk, 100_000 / 1501);
    let error = of("every 1e-9 s: x").unwrap_err().to_string();
    assert!(error.contains("more than 1000000 rows"), "{error}");
    // Where the longest runs are not those that were looked at: a run with too many rows ends, and says so.
    let vary = strings(&["solver.duration=1,1,1,1e6,1,1"]);
    let long = Request { vary, observe: strings(&["every 0.001 s: x"]), chunk: Some(6), ..Request::default() };
    let sweep = sweep_of(HILLS, long).unwrap();
    let mut worker = Worker::new(&sweep);
    assert_eq!([2, 3, 4].map(|index| worker.run(index)), ["end", "too-many-rows", "end"]);
    let rows: Vec<usize> = worker.tables().map(|table| table.rows()).collect();
    // Six runs of a chunk share 4·10⁶ rows.
    assert_eq!(rows, [3, 2 * 1001 + 4_000_000 / 6 + 1]);
}
