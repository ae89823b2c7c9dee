//! Loops: curves that cross themselves.

use mechanics::State;
use supervisor::{EventKind, Sample};

use crate::harness::{Run, attempt, load, run};

/// A ramp down at 45°, rounded into level ground, a full circle, and level ground again; the centre's path round the circle has the
/// radius 1 m. The ball starts at rest `drop` m above the lowest point of that path.
fn looping(radius: f64, drop: f64, more: &str) -> Run {
    let circle = 1.0 + radius;
    let half = 0.5f64.sqrt();
    // The arc of radius 2 m ends at (-2, 0); the ramp above it begins 4 m up.
    let (x, y) = (-2.0 - 2.0 * half, 2.0 - 2.0 * half);
    let (left, top) = (x - (4.0 - y), 4.0);
    let s = (top + radius * half - radius - drop) / half;
    let text = format!(
        r#"
        {more}
        initial.contact = {{ s = {s:?}, spin = "rolling" }}
        solver = {{ duration = 8, relative-tolerance = 1e-12, absolute-tolerance = 1e-12 }}
        output.interval = 1
        [ground.curve]
        kind = "composite"
        pieces = [
            {{ kind = "line", from = [{left:?}, {top:?}], to = [{x:?}, {y:?}] }},
            {{ kind = "arc", centre = [-2, 2], radius = 2, from = "-3*pi/4", to = "-pi/2" }},
            {{ kind = "line", from = [-2, 0], to = [0, 0] }},
            {{ kind = "arc", centre = [0, {circle:?}], radius = {circle:?}, from = "-pi/2", to = "3*pi/2" }},
            {{ kind = "line", from = [0, 0], to = [40, 0] }},
        ]
        "#
    );
    attempt(&text, &[])
}

/// A bead, and a solid sphere that rolls; with k of its inertia.
const LOOPERS: [(f64, &str, f64); 2] =
    [(0.0, "", 0.0), (0.1, "ball.radius = 0.1\ncontact.friction = \"infinite\"", 0.4)];

/// Whether it never leaves the ground, and is past the loop.
fn stays(run: &Run) -> bool {
    let past = run.summary.state.position.x > 1.5;
    run.events.is_empty() && past
}

/// The least height from which a loop is run through: 5/2 of its radius for a bead, 27/10 for a sphere that rolls.
#[test]
fn heights_for_a_loop() {
    for (radius, more, k) in LOOPERS {
        let expected = 2.5 + 0.5 * k;
        let (mut low, mut high) = (expected - 0.01, expected + 0.01);
        assert!(!stays(&looping(radius, low, more)) && stays(&looping(radius, high, more)));
        while high - low > 1e-10 {
            let middle = 0.5 * (low + high);
            if stays(&looping(radius, middle, more)) { high = middle } else { low = middle }
        }
        println!("k = {k}: {high} m, expected {expected} m");
        assert!((high - expected).abs() < 1e-9, "{k}: {high}");
    }
}

/// Within some 1e-10 m of the least height a ball leaves the ground by less than rounding, and a step comes back to it as deep as
/// rounding hides. Such a contact was told beside the ball, along the ground, and the run ended as unbalanced.
#[test]
fn just_below_the_height_for_a_loop() {
    for (radius, more, k) in LOOPERS {
        for exponent in -13..=-6 {
            for part in [1.0, 2.0, 5.0] {
                let below = part * 10f64.powi(exponent);
                let run = looping(radius, 2.5 + 0.5 * k - below, more);
                assert_eq!(run.summary.stop, None, "{k}: {below:e} m below");
            }
        }
    }
}

/// From lower it leaves the loop where `cos θ = 2(h − 1)/(3 + k)`, and a bead, θ from the top on one side, lands at 3θ on the other:
/// of a parabola that touches a circle thrice, the angles sum to a full turn.
#[test]
fn falling_off_a_loop() {
    for (radius, more, k) in LOOPERS {
        for drop in [1.2, 1.4, 1.6, 2.2, 2.4] {
            let run = looping(radius, drop, more);
            assert_eq!(run.summary.stop, None);
            let left = run.first(EventKind::LiftOff);
            let from_centre = left.position() - nalgebra::Vector2::new(0.0, 1.0 + radius);
            let cosine = 2.0 * (drop - 1.0) / (3.0 + k);
            assert!((from_centre.y - cosine).abs() < 1e-9, "{k} {drop}: {} for {cosine}", from_centre.y);
            let landed = run.events.iter().find(|event| event.time() > left.time()).expect("it lands");
            let at = landed.position() - nalgebra::Vector2::new(0.0, 1.0 + radius);
            let angle = -3.0 * from_centre.x.atan2(from_centre.y);
            let off = (at - nalgebra::Vector2::new(angle.sin(), angle.cos())).norm();
            println!("k = {k}, h = {drop}: off at {} degrees, lands {off:e} m off", (-angle / 3.0).to_degrees());
            assert!(off < 1e-8, "{k} {drop}: {at:?}");
        }
    }
}

/// A bead that leaves the loop some 60° from its top falls on the crossing. It was last before the gate, so that the way in is there
/// and the way out is not: it lands on level ground, or on the loop behind it.
#[test]
fn falling_on_the_crossing() {
    for off in [-0.02, -0.001, 0.0, 0.001, 0.02] {
        // cos 60° = 1/2
        let run = looping(0.0, 1.75 + off, "contact.restitution = 0.3");
        let left = run.first(EventKind::LiftOff);
        let landed = run.events.iter().find(|event| event.time() > left.time()).expect("it lands");
        let s = run.scenario.scene.ground.shown_parameter(landed.place);
        let [crossing] = run.scenario.scene.ground.ground().crossings() else { panic!("one crossing") };
        let first = run.scenario.scene.ground.ground().shown_parameter(crossing.passages[0].0, crossing.passages[0].1);
        println!("{off}: lands {} m beside the crossing", s - first);
        assert!((s - first).abs() < 0.2, "{off}: s = {s}, the crossing at {first}");
        assert!(landed.position().y < 0.02 && run.summary.stop.is_none());
    }
}

/// A ball sent through a row of three loops, circles or clothoids, from either side has the same speeds at mirrored places, and meets
/// nothing.
#[test]
fn a_row_of_loops_both_ways() {
    for shape in ["radius = 1", "top-radius = 0.7, bottom-radius = 2.5", "top-radius = 0.8, bottom-radius = inf"] {
        let row = |way: f64, end: f64| {
            let s = if way > 0.0 { 16.0 } else { end - 16.0 };
            run(
                &format!(
                    r#"
                    ball.radius = 0.05
                    contact.friction = "infinite"
                    initial.contact = {{ s = {s:?}, speed = {:?}, spin = "rolling" }}
                    solver = {{ duration = 7.5, relative-tolerance = 1e-12, absolute-tolerance = 1e-12 }}
                    output.interval = 0.05
                    ground.curve = {{ kind = "loop", {shape}, count = 3, spacing = 5, run-in = 20, run-out = 20 }}
                    "#,
                    7.0 * way
                ),
                &[],
            )
        };
        let there = row(1.0, 0.0);
        let ground = &there.scenario.scene.ground;
        let back = row(-1.0, ground.ground().length());
        assert!(there.events.is_empty() && back.events.is_empty(), "{shape}: {:?} {:?}", there.kinds(), back.kinds());
        let places: std::collections::BTreeSet<usize> =
            there.samples.iter().filter_map(|sample| ground.gates_before(sample.place?)).collect();
        assert_eq!(places.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3], "{shape}");
        // The middle of both ends.
        let last = ground.ground().pieces().last().expect("pieces");
        let middle = 0.5 * (last.curve().point_at(last.domain().hi).x - 20.0);
        assert!(there.summary.state.position.x > 2.0 * middle + 1.0, "{shape}: {:?}", there.summary.state);
        for (a, b) in there.samples.iter().zip(&back.samples) {
            let off = (a.state.position.x - (2.0 * middle - b.state.position.x)).abs()
                + (a.state.velocity.norm() - b.state.velocity.norm()).abs();
            assert!(off < 1e-10, "{shape}: {off:e} at {} s", a.state.time);
        }
    }
}

/// A loop of circles is the lines and circles that it says, to the last bit.
#[test]
fn a_loop_is_lines_and_circles() {
    let with = |curve: &str| {
        let text = format!(
            r#"
            ball = {{ mass = 0.005, radius = 0.02 }}
            initial.contact = {{ s = 0.1, speed = 4.5 }}
            contact.friction = 0.3
            solver.duration = 2
            ground.curve = {curve}
            "#
        );
        run(&text, &[])
    };
    let written = with(
        r#"{ kind = "composite", pieces = [
            { kind = "line", from = [-1, 0.2], to = [0, 0.2] },
            { kind = "arc", centre = [0, 0.5], radius = 0.3, from = "-pi/2", to = "3*pi/2" },
            { kind = "line", from = [0, 0.2], to = [0.7, 0.2] },
            { kind = "arc", centre = [0.7, 0.5], radius = 0.3, from = "-pi/2", to = "3*pi/2" },
            { kind = "line", from = [0.7, 0.2], to = [1.9, 0.2] },
        ] }"#,
    );
    let short = with(r#"{ kind = "loop", at = [0, 0.2], radius = 0.3, count = 2, run-in = 1, spacing = 0.7 }"#);
    assert_eq!(written.kinds(), short.kinds());
    assert_eq!(written.summary.state, short.summary.state);
}

/// A bead leaves a loop 60° before its top and falls on the crossing. By default it left before the gate and meets the way in; with the
/// gate earlier it is behind it, and meets the way out.
#[test]
fn a_gate_that_is_moved() {
    for (gate, passage) in [("", 0), ("{ crossing = 1, s = 5, reach = 1 }", 1)] {
        let text = format!(
            r#"
            initial.contact = {{ s = 2, speed = {:?} }}
            contact.restitution = 0.3
            solver.duration = 2
            ground.curve = {{ kind = "loop", radius = 1, gates = [{gate}] }}
            "#,
            (2.0 * 9.81 * 1.75f64).sqrt()
        );
        let run = run(&text, &[]);
        let left = run.first(EventKind::LiftOff);
        let landed = run.events.iter().find(|event| event.time() > left.time()).expect("it lands");
        let ground = &run.scenario.scene.ground;
        let (passages, _) = ground.ground().shown_crossing(&ground.ground().crossings()[0]);
        let s = ground.shown_parameter(landed.place);
        assert!((s - passages[passage]).abs() < 0.2, "{gate}: s = {s}, passages {passages:?}");
    }
}

#[test]
fn bad_gates() {
    for (gate, wanted) in [
        ("{ crossing = 3 }", "there is no crossing 3"),
        ("{ crossing = 1, s = 1 }", "between 4 and 10.283"),
        ("{ crossing = 1, reach = -1 }", "`reach` = -1"),
        ("{ s = 5 }", "no `crossing`"),
        ("7", "gate"),
    ] {
        let text = format!("ground.curve = {{ kind = \"loop\", radius = 1, gates = [{gate}] }}");
        let error = kugelbahn::Scenario::from_text(&text, std::path::Path::new(""), &[]).expect_err("no such gate");
        let told = format!("{error} {}", error.label_text());
        assert!(told.contains(wanted), "{gate}: {told}");
    }
}

/// A reach below the ball's diameter is told.
#[test]
fn a_short_reach() {
    let warned = |reach: f64| {
        let text = format!(
            "ball.radius = 0.05\ninitial.contact.s = 0.5\n[ground]\ngates = [{{ crossing = 1, reach = {reach} }}]\n\
             curve = {{ kind = \"loop\", radius = 1.0, run-in = 3.0, run-out = 3.0 }}"
        );
        let warnings = load(&text, &[]).warnings();
        warnings.iter().filter(|it| it.code == "short-reach").map(ToString::to_string).collect::<String>()
    };
    assert!(warned(0.1).is_empty());
    let told = warned(0.02);
    assert!(
        ["crossing 1 at (0.0, 0.0)", "is 0.02 m", "0.1 m", "`reach` = 0.1"].iter().all(|part| told.contains(part)),
        "{told}"
    );
}

/// A ball dropped beside a loop, nearer to the back of the circle than to the way in: it sees both until it has touched one.
#[test]
fn dropped_beside_a_loop() {
    for radius in [0.0, 0.1] {
        let run = run(
            &format!(
                r#"
                ball.radius = {radius}
                initial = {{ position = [-0.75, {:?}], velocity = [0, -0.1] }}
                solver.duration = 1
                ground.curve = {{ kind = "loop", radius = 1.0, run-in = 3.0, run-out = 3.0 }}
                "#,
                radius + 0.05
            ),
            &[],
        );
        let height = run.summary.state.position.y;
        assert!((height - radius).abs() < 1e-12 && run.first(EventKind::Landing).position().x == -0.75, "{height}");
    }
}

/// The start that a row is.
fn start(sample: &Sample) -> String {
    let Sample { state: State { position: q, velocity: v, spin, .. }, last: touched, .. } = sample;
    let strands = touched.strands();
    format!(
        "initial = {{ position = [{:?}, {:?}], velocity = [{:?}, {:?}], spin = {spin:?}, strands = {strands} }}\n",
        q.x, q.y, v.x, v.y
    )
}

/// A bead on the back of a curve goes on there from every row, sliding and at rest: it is on the side that it presses.
#[test]
fn a_bead_goes_on_behind_its_curve() {
    let ground = r#"
        ground = { curve = { kind = "line", from = [1, 0.1], to = [-1, -0.1] } }
        contact = { friction = 0.15 }
        solver = { duration = 2 }
        output = { interval = 0.05 }
    "#;
    let whole = attempt(&format!("initial = {{ position = [-0.5, 0.2], velocity = [1.5, 0] }}\n{ground}"), &[]);
    let (last, mut phases) = (whole.summary.state.position, Vec::new());
    for row in &whole.samples {
        let rest = attempt(&format!("{}{ground}", start(row)), &[]);
        assert_eq!(rest.samples[0].phase, row.phase, "{row:?}");
        assert!((rest.summary.state.position - last).norm() < 1e-8, "{row:?}: {:?}", rest.summary.state.position);
        phases.push(row.phase.name());
    }
    phases.dedup();
    assert_eq!(phases, ["flight", "sliding", "resting"]);
}

/// A row tells the strands that are there of two curves that cross themselves, of which `last_s` names one.
#[test]
fn strands_of_two_loops() {
    let ground = r#"
        contact = { friction = "infinite" }
        ball = { radius = 0.02 }
        solver = { duration = 1 }
        output = { interval = 0.1 }
        [[ground]]
        name = "first"
        curve = { kind = "loop", radius = 0.2, run-in = 0.5, run-out = 0.3 }
        [[ground]]
        name = "second"
        curve = { kind = "loop", at = [1.5, -0.3], radius = 0.2, run-in = 1.2, run-out = 1 }
    "#;
    let whole = attempt(
        &format!("initial.contact = {{ ground = \"first\", s = 0.1, speed = 5, spin = \"rolling\" }}\n{ground}"),
        &[],
    );
    let numbers: Vec<u64> = whole.samples.iter().map(|sample| sample.last.strands()).collect();
    // Digits to base 3: 1 before a gate, 2 behind it; the first loop is the lower one.
    assert!(numbers.contains(&1) && numbers.contains(&2) && numbers.iter().any(|number| *number > 3), "{numbers:?}");
    for row in &whole.samples {
        let rest = attempt(&format!("{}{ground}", start(row)), &[]);
        assert_eq!(rest.samples[0].last.strands(), row.last.strands(), "{row:?}");
    }
}

/// More loops than a number tells the strands of are refused.
#[test]
fn too_many_loops() {
    let loops = |count: usize| {
        let one = |i: usize| {
            format!(
                "[[ground]]\nname = \"g{i}\"\ncurve = {{ kind = \"loop\", at = [{i}, 0], radius = 0.1, run-in = 0.2, run-out = 0.2 }}\n"
            )
        };
        (0..count).fold("initial.position = [0, 1]\n".to_owned(), |text, i| text + &one(i))
    };
    assert!(load(&loops(33), &[]).start.time() == 0.0);
    let refused = kugelbahn::Scenario::from_text(&loops(34), std::path::Path::new(""), &[]).err();
    let told = refused.map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("34 curves cross themselves"), "{told}");
}
