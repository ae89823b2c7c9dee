//! No allocation per step or event: the same number of allocations however long a run is. Alone in its binary, because
//! it counts what the whole process allocates.

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use std::ops::ControlFlow;
use std::path::Path;

use allocation_counter::measure;
use kugelbahn::Scenario;
use supervisor::{Event, Observer, Options, Sample, Summary};

/// Counts what it hears.
#[derive(Default)]
struct Count {
    events: u64,
    samples: u64,
}

impl Observer for Count {
    fn event(&mut self, _: &Event) -> ControlFlow<()> {
        self.events += 1;
        ControlFlow::Continue(())
    }
    fn sample(&mut self, _: &Sample) -> ControlFlow<()> {
        self.samples += 1;
        ControlFlow::Continue(())
    }
}

/// Runs a scenario of this duration; its summary, what was heard, and allocations.
fn run(text: &str, duration: f64) -> (Summary, Count, u64) {
    let scenario = Scenario::from_text(text, Path::new(""), &[format!("solver.duration={duration}")]);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let options = Options { interval: Some(0.01), ..scenario.options() };
    let mut count = Count::default();
    let mut summary = None;
    let info = measure(|| {
        summary = kugelbahn::run_with(&scenario, options, &mut count).ok();
    });
    let summary = summary.expect("it ran");
    assert_eq!(summary.stop, None);
    (summary, count, info.count_total)
}

/// Compliant contact, with samples in it and without drag there: a few and many of them.
#[test]
fn soft_bounces() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.1, 2.0], velocity = [0.3, 0.0] }
        ground = { curve = { kind = "graph", y = "0.1*sin(2*x)" } }
        forces = { external = { x = "0.1*sin(t)" } }
        contact = { law = "hertz", stiffness = 1e5, friction = 0.1, slip-speed = 0.1, drag = false }
    "#;
    let (few, _, before) = run(text, 4.0);
    let (many, heard, after) = run(text, 100.0);
    println!("{} touches: {before} allocations; {}: {after}", few.count.touches, many.count.touches);
    assert!(few.count.touches < 10 && many.count.touches > 50 && heard.samples > 9_000);
    assert_eq!(before, after);
}

/// Bounces over a sine, with spin and friction: 10 and 10⁴ of them.
#[test]
fn bounces() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.1, 2.0], velocity = [0.3, 0.0] }
        ground = { curve = { kind = "graph", y = "0.1*sin(2*x)" } }
        contact = { restitution = 1.0 }
    "#;
    let (few, _, before) = run(text, 12.0);
    let (many, heard, after) = run(text, 12_000.0);
    println!("{} impacts: {before} allocations; {}: {after}", few.count.impacts, many.count.impacts);
    assert!(few.count.impacts < 20 && many.count.impacts > 9_000, "{:?} {:?}", few.count, many.count);
    assert!(heard.samples > 1_000_000);
    assert_eq!(before, after);
}

/// The same by the first integral, over straight ground and over hills.
#[test]
fn ballistic_bounces() {
    for ground in ["0.0", "0.1*sin(2*x)"] {
        let text = format!(
            r#"
            initial = {{ position = [0.1, 2.0], velocity = [0.3, 0.0] }}
            ground = {{ curve = {{ kind = "graph", y = "{ground}" }} }}
            contact = {{ restitution = 1.0 }}
            forces = {{ drag = {{ coefficient = 0.0001 }} }}
            solver = {{ method = "ballistic" }}
        "#
        );
        let (few, _, before) = run(&text, 12.0);
        let (many, _, after) = run(&text, 600.0);
        assert!(few.count.impacts < 20 && many.count.impacts > 400, "{:?} {:?}", few.count, many.count);
        assert_eq!(before, after, "{ground}");
    }
}

/// Along the ground and through the air by Taylor series: once the ball has been everywhere, none.
#[test]
fn series() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { contact = { x = 0.3, speed = 0.2, spin = "rolling" } }
        ground = { curve = { kind = "graph", y = "0.1*sin(2*x)" } }
        forces = { drag = { coefficient = 0.0001 }, external = { x = "0.01*m*sin(t)" } }
        contact = { friction = "infinite" }
        solver = { formulation = "taylor" }
    "#;
    let (few, _, before) = run(text, 4.0);
    let (many, _, after) = run(text, 200.0);
    println!("{} steps: {before} allocations; {}: {after}", few.count.contact.steps, many.count.contact.steps);
    assert!(many.count.contact.steps > 30 * few.count.contact.steps, "{:?} {:?}", few.count, many.count);
    assert_eq!(before, after);
}

/// Bounces with drag, by fixed steps and with a tolerance.
#[test]
fn bounces_with_drag() {
    for solver in [
        "step = 0.01",
        "tolerance = 1e-9",
        "method = \"bdf\"",
        "method = \"bdf\", step = 0.01",
        "method = \"bdf\", localisation = \"parabola\"",
        "method = \"radau\"",
        "method = \"dop853\"",
        "method = \"taylor\"",
    ] {
        let text = format!(
            r#"
            initial = {{ position = [0.1, 2.0], velocity = [0.3, 0.0] }}
            ground = {{ curve = {{ kind = "graph", y = "0.1*sin(2*x)" }} }}
            contact = {{ restitution = 1.0 }}
            forces = {{ drag = {{ coefficient = 0.0001 }}, external = {{ x = "0.01*m*sin(t)" }} }}
            solver = {{ {solver} }}
        "#
        );
        let (few, _, before) = run(&text, 3.0);
        let (many, _, after) = run(&text, 300.0);
        println!(
            "{solver}: {} steps: {before} allocations; {}: {after}",
            few.count.flight.steps, many.count.flight.steps
        );
        assert!(many.count.flight.steps > 50 * few.count.flight.steps, "{:?} {:?}", few.count, many.count);
        assert_eq!(before, after, "{solver}");
    }
}

/// Steps on the ground, by every formulation and with a tolerance.
#[test]
fn contact_steps() {
    let solvers = [
        r#"step = 0.005, formulation = "index3""#,
        r#"step = 0.005, formulation = "stabilized-index2""#,
        r#"step = 0.005, formulation = "projected""#,
        r#"step = 0.005, formulation = "symmetric""#,
        r#"step = 0.005, formulation = "arc-length""#,
        r#"step = 0.005, extrapolate = true"#,
        r#"tolerance = 1e-10"#,
    ];
    for solver in solvers {
        let text = format!(
            r#"
            ball = {{ radius = 0.1 }}
            initial = {{ contact = {{ x = 0.5, speed = 0.0 }} }}
            ground = {{ curve = {{ kind = "graph", y = "x^2/4" }} }}
            contact = {{ friction = "infinite", rolling-damping = 0.01 }}
            solver = {{ {solver} }}
        "#
        );
        let (few, _, before) = run(&text, 0.3);
        let (many, _, after) = run(&text, 30.0);
        println!(
            "{solver}: {} steps: {before} allocations; {}: {after}",
            few.count.contact.steps, many.count.contact.steps
        );
        assert!(many.count.contact.steps > 20 * few.count.contact.steps, "{:?} {:?}", few.count, many.count);
        assert_eq!(before, after, "{solver}");
    }
}

/// The counter counts.
#[test]
fn counter() {
    assert!(measure(|| drop(std::hint::black_box(vec![1.0; 10]))).count_total > 0);
}

/// Memory of loading a composite grows with its pieces, no faster: what is allocated, what is held at once, and what is kept.
#[test]
fn long_tracks_take_memory_in_proportion() {
    let load = |pieces: u32| {
        let height = |i: u32| 0.05 * (0.03 * f64::from(i)).sin();
        let piece = |i: u32| {
            let x = |i: u32| 0.1 * f64::from(i);
            format!(
                "{{ kind = \"line\", from = [{:?}, {:?}], to = [{:?}, {:?}] }},\n",
                x(i),
                height(i),
                x(i + 1),
                height(i + 1)
            )
        };
        let text = format!("kind = \"composite\"\npieces = [\n{}]\n", (0..pieces).map(piece).collect::<String>());
        let mut curve = None;
        let info = measure(|| {
            curve = kugelbahn::curve::curve_from_text(&text, Path::new("")).ok();
        });
        let each = |bytes: u64| bytes as f64 / f64::from(pieces);
        assert_eq!(curve.map(|curve| curve.ground.pieces().len()), Some(pieces as usize));
        [each(info.bytes_total), each(info.bytes_max), each(info.bytes_current as u64)]
    };
    let (small, large) = (load(4_000), load(32_000));
    println!("bytes a piece, in all, at once, kept: {small:.0?} for 4000, {large:.0?} for 32 000");
    // Vectors that double are up to twice as large as what is in them.
    assert!(small.iter().zip(&large).all(|(small, large)| *large < 1.5 * small), "{small:?} {large:?}");
}

/// Runs of a sweep after the first of a thread: nothing is allocated but room for rows, where values are put in place.
#[test]
fn runs_of_a_sweep() {
    let text = r#"
        initial = { position = [0.1, 1.0], velocity = [0.3, 0.0] }
        ground = { curve = { kind = "graph", y = "0.1*sin(3*x)" } }
        contact = { restitution = 0.8 }
        solver = { duration = 1.0 }
    "#;
    let strings = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let request = kugelbahn::sweep::Request {
        vary: strings(&["contact.restitution=0.1..0.9/100", "initial.velocity.x=0..1/100"]),
        observe: strings(&["impact.3.x", "end.phase", "y(t=0.5)", "events", "every impact: x, vx"]),
        ..Default::default()
    };
    let document = kugelbahn::scenario::Document::from_text(text, Path::new(""), &[], &std::sync::Arc::default());
    let sweep = document.map_err(Into::into).and_then(|document| kugelbahn::sweep::Sweep::new(document, request));
    let sweep = sweep.unwrap_or_else(|error| panic!("{error}"));
    let mut worker = kugelbahn::sweep::Worker::new(&sweep);
    // Room for rows.
    (0..200).for_each(|index| {
        worker.run(index);
    });
    worker.clear();
    let info = measure(|| {
        (5_000..5_150).for_each(|index| {
            worker.run(index);
        })
    });
    assert_eq!(info.count_total, 0);
}
