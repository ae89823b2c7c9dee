//! Contacts that a search had lost or displaced: on ground that is solid from both sides, beside an end, between parts, in large units.

use supervisor::{EventKind, Jumps, Phase, Stop};

use crate::harness::{attempt, run};

/// A point that lands where a step ends, to rounding, is still on its side of a line when the next one begins.
#[test]
fn a_point_lands_at_the_end_of_a_step() {
    let mut worst = 0.0_f64;
    for method in ["newmark", "dop853", "taylor", "radau", "bdf"] {
        for hundredths in 41..100 {
            let falls = f64::from(hundredths) / 100.0;
            for step in ["0.01", "0.02", "0.05", "0.1"] {
                let text = format!(
                    r#"
                    initial = {{ position = [0, {height:?}] }}
                    ground = {{ curve = {{ kind = "polyline", points = [[-1, 0], [1, 0]] }} }}
                    contact = {{ restitution = 0.5 }}
                    forces = {{ drag = {{ coefficient = 1e-30 }} }}
                    solver = {{ method = "{method}", step = {step}, duration = 1.2 }}
                    "#,
                    height = 0.5 * 9.81 * falls * falls
                );
                let run = run(&text, &[]);
                let first = run.events.first().unwrap_or_else(|| panic!("{method} {step} {falls}: no impact"));
                worst = worst.max((first.time() - falls).abs());
                assert!(run.summary.state.position.y >= -1e-12, "{method} {step} {falls}: {:?}", run.summary.state);
            }
        }
    }
    println!("first impacts are off by {worst:e} s at most");
    assert!(worst <= 1e-12);
}

/// Hops so slow that the exact arc through the air is cut in pieces which end at the ground, to rounding.
#[test]
fn a_point_lands_between_pieces_of_an_arc() {
    for (drag, x) in [("0.001", -0.1), ("0.01", -0.1), ("0.1", -0.1), ("0.01", 0.1), ("0.01", -0.3)] {
        let text = format!(
            r#"
            initial = {{ position = [{x}, 1], velocity = [0.2, 0] }}
            ground = {{ curve = "circle-bowl" }}
            contact = {{ friction = 1, restitution = 0.5 }}
            forces = {{ drag = {{ coefficient = {drag} }} }}
            solver = {{ method = "auto", duration = 2 }}
            "#
        );
        let state = run(&text, &[]).summary.state;
        let off = (state.position.x.hypot(state.position.y - 1.0) - 1.0).abs();
        assert!(off <= 1e-12, "{drag} {x}: {off:e} m off the bowl at {:?}", state.position);
    }
}

/// A ball slides against the end of a low wall, hops over it by 2e-5 m and comes back to the floor after `2v/g`, v its
/// speed upwards, as both contacts hold it apart from the path along the wall's end.
#[test]
fn the_floor_beside_the_end_of_a_wall() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.08, 0.1], velocity = [-0.1, 0] }
        ground = { curve = { kind = "polyline", points = [[0, 0.04], [0, 0], [0.5, 0]] } }
        solver = { duration = 1 }
    "#;
    let run = run(text, &[]);
    let kinds: Vec<EventKind> = run.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Landing, EventKind::Impact, EventKind::Impact]);
    let [up, back] = [run.events[1].after.velocity, run.events[2].after.velocity];
    // The wall's end leaves what is along it, `0.1 · 0.2` m/s; the floor then leaves what is along the floor.
    assert!((up.norm() - 0.02).abs() <= 1e-12 && (back.x - 0.004).abs() <= 1e-9 && back.y == 0.0, "{up:?} {back:?}");
    assert!((run.summary.state.position.y - 0.05).abs() <= 1e-12, "{:?}", run.summary.state);
}

/// A part of the ground that comes down on a ball at rest presses it: the floor below is not lost.
#[test]
fn a_hammer_comes_down_on_a_ball_at_rest() {
    let text = r#"
        ball = { radius = 0 }
        initial = { position = [0, 0] }
        ground = [
            { name = "hammer", curve = { kind = "line", from = [1, 2], to = [-1, 2] }, motion = { y = "-3*t" } },
            { name = "floor", curve = { kind = "line", from = [-1, 0], to = [1, 0] } },
        ]
        contact = { restitution = 0.5 }
        solver = { duration = 3 }
    "#;
    let stop = attempt(text, &[]).summary.stop;
    let Some(Stop::Squeezed { time, centre, .. }) = stop else { panic!("{stop:?}") };
    assert!((time - 2.0 / 3.0).abs() <= 1e-12 && centre.norm() <= 1e-12, "{time} {centre:?}");
}

/// A slope whose parameter is in millions of metres: the first foot is far off, where its place is known to 1e-5 m.
#[test]
fn a_slope_in_large_units() {
    let text = r#"
        ball = { radius = 3e5 }
        initial = { position = [1.3e5, 1.08e6], velocity = [1200, -1400] }
        ground = { curve = { kind = "transform", curve = { kind = "graph", y = "3*x - 0.3" }, scale = 1e6 } }
        contact = { restitution = 0.3 }
        solver = { duration = 100 }
    "#;
    // The root of the gap to 40 digits.
    assert!((run(text, &[]).events[0].time() - 8.197_419_460_122_346).abs() <= 1e-12);
}

/// A point hits the apex of a roof: one impact, on one of the sides, and what is under the other side is no contact.
#[test]
fn the_apex_of_a_roof() {
    for (slope, curve) in [
        (2.0_f64, r#"{ kind = "graph", y = "1-2*abs(x)" }"#),
        (10.0, r#"{ kind = "graph", y = "1-10*abs(x)" }"#),
        (2.0, r#"{ kind = "polyline", points = [[-1, -1], [0, 1], [1, -1]] }"#),
    ] {
        let text = format!(
            r#"
            initial = {{ position = [0, 1.5] }}
            ground = {{ curve = {curve} }}
            contact = {{ restitution = 0.5 }}
            solver = {{ duration = 0.5 }}
            "#
        );
        let run = run(&text, &[]);
        let [impact] = &run.events[..] else { panic!("{curve}: {} events", run.events.len()) };
        // v²/2 = g · 0.5 m, of which the normal has 1/(1 + slope²).
        let lost = 0.75 * 4.905 / (1.0 + slope * slope);
        let energies = [impact.before, impact.after].map(|state| 0.5 * state.velocity.norm_squared());
        println!("{curve}: {energies:?} J/kg");
        assert!((energies[0] - energies[1] - lost).abs() <= 1e-12);
    }
}

/// A ball between two walls at a right angle that just jam it, as the tangent of the half angle is μ = 1.
#[test]
fn walls_at_the_jam_limit() {
    let text = r#"
        ball = { radius = 0.02 }
        initial = { position = [0.05, 0.5] }
        ground = { curve = { kind = "polyline", points = [[-0.8, 0.6], [0, 0], [0.6, 0.8]] } }
        contact = { friction = 1, restitution = 0.5 }
        solver = { duration = 5 }
    "#;
    let state = run(text, &[]).summary.state;
    let gaps = [0.8 * state.position.y + 0.6 * state.position.x, 0.6 * state.position.y - 0.8 * state.position.x];
    println!("{state:?} {gaps:?}");
    assert!(gaps.into_iter().all(|gap| (gap - 0.02).abs() <= 1e-12) && state.velocity.norm() == 0.0);
}

/// A ball between a wall on which it rolls and one without friction: hops smaller than rounding end, and so does the spin.
#[test]
fn a_rough_wall_and_a_smooth_one() {
    let text = r#"
        ball = { radius = 0.02 }
        initial = { position = [0.05, 0.5] }
        ground = [
            { name = "left", curve = { kind = "polyline", points = [[-0.8, 0.6], [0, 0]] }, contact = { friction = 1.1 } },
            { name = "right", curve = { kind = "polyline", points = [[0, 0], [0.6, 0.8]] }, contact = { friction = 0 } },
        ]
        contact = { restitution = 0.5 }
        solver = { duration = 5 }
    "#;
    let state = run(text, &[]).summary.state;
    assert!((state.position.x + 0.004).abs() <= 1e-12 && (state.position.y - 0.028).abs() <= 1e-12, "{state:?}");
    assert!(state.velocity.norm() == 0.0 && state.spin == 0.0, "{state:?}");
}

/// A ball rolls through the place where two turned parabolas touch: steps do not shrink with the gap.
#[test]
fn between_grounds_that_touch() {
    let curve = |factor: f64| {
        let graph = format!(r#"{{ kind = "graph", y = "{factor}*x^2" }}"#);
        format!(r#"{{ name = "{factor}", curve = {{ kind = "transform", curve = {graph}, turn = 0.1 }} }}"#)
    };
    let text = format!(
        r#"
        ball = {{ radius = 0.02 }}
        initial = {{ position = [0, 0.5] }}
        ground = [{}, {}]
        contact = {{ restitution = 0.5, friction = 0.2 }}
        solver = {{ duration = 5 }}
        "#,
        curve(1.0),
        curve(0.5)
    );
    let steps = run(&text, &[]).summary.count.contact.steps;
    assert!(steps < 2000, "{steps} steps");
}

/// A ball on one ground that another one hits still touches the first, and is not driven through it.
#[test]
fn pushed_along_the_ground_it_is_on() {
    let bowl = r#"{ kind = "graph", y = "0.1*x^2" }"#;
    let line = r#"{ kind = "line", from = [-9, 0], to = [9, 0] }"#;
    for (own, radius, x, wall, speed) in [
        (bowl, 0.05, 0.1, "from = [1.1, -0.5], to = [0.9, 1]", 2),
        (bowl, 0.05, 0.2, "from = [1.05, -0.5], to = [0.95, 1]", 1),
        (r#"{ kind = "graph", y = 0 }"#, 0.0, 0.0, "from = [1.1, -0.5], to = [0.9, 1]", 2),
        (line, 0.0, 0.1, "from = [1.2, -0.5], to = [0.8, 1]", 2),
        (line, 0.0, 0.3, "from = [1.2, -0.5], to = [0.8, 1]", 2),
    ] {
        let text = format!(
            r#"
            ball = {{ radius = {radius} }}
            initial.contact = {{ ground = "own", x = {x} }}
            ground = [
                {{ name = "own", curve = {own} }},
                {{ name = "wall", curve = {{ kind = "line", {wall} }}, motion = {{ x = "-{speed}*t" }} }},
            ]
            solver.duration = 1
            output.interval = 0.01
            "#
        );
        for method in ["newmark", "auto", "dop853"] {
            let run = attempt(&text, &[&format!("solver.method={method}")]);
            let floor = |x: f64| if own == bowl { 0.1 * x * x } else { 0.0 };
            let deepest = run.samples.iter().map(|sample| sample.state.position.y - floor(sample.state.position.x));
            let deepest = deepest.fold(f64::INFINITY, f64::min);
            println!("{own}, x = {x}, {method}: {deepest:e} m, {:?}", run.summary.stop);
            // Held by both grounds it ends the run.
            assert!(matches!(run.summary.stop, None | Some(Stop::Squeezed { .. })), "{:?}", run.summary.stop);
            assert!(run.events.len() > 1 && deepest >= radius - 1e-9, "{deepest:e} m");
        }
    }
}

/// A bead on a plate that a paddle hits from below leaves the side it was on, and meets no back of the plate.
#[test]
fn hit_from_below_its_plate() {
    for x in [0.1234_f64, 0.12, -0.31, 0.77] {
        let text = format!(
            r#"
            initial.contact = {{ ground = "plate", x = {x} }}
            ground = [
                {{ name = "plate", curve = {{ kind = "line", from = [-1, 0], to = [1, 0] }} }},
                {{ name = "paddle", curve = {{ kind = "line", from = [-1, -0.6], to = [1, -0.4] }}, motion = {{ y = "t^2" }} }},
            ]
            contact.restitution = 1
            solver.duration = 0.8
            "#
        );
        let run = run(&text, &[]);
        let time = (0.5 - 0.1 * x).sqrt();
        let speed = 2.0 * 2.0 * time / 1.01_f64.sqrt();
        println!("x = {x}: {:?}", run.events);
        assert!(run.events.len() == 1 && (run.events[0].time() - time).abs() <= 1e-9);
        assert!((run.events[0].after.velocity.norm() - speed).abs() <= 1e-9);
    }
}

/// A ball wedged in a slot nearly as wide as itself rests, also from a later time on.
#[test]
fn a_row_of_a_wedged_ball() {
    let text = r#"
        ball.radius = 0.14387020838057343
        initial = { position = [0, 2.0346319924346836e-05], time = 1 }
        ground.curve = { kind = "polyline", points = [[-2, 0], [-0.14387020694187133, 0], [-0.14387020694187133, -0.5], [0.14387020694187133, -0.5], [0.14387020694187133, 0], [2, 0]] }
        contact.restitution = 0.5
        solver.duration = 1
    "#;
    let run = run(text, &[]);
    assert_eq!(run.summary.phase, Phase::Resting);
}

/// Symptom: touches of two walls at one instant, as before an end of endless bounces, stood in the table as a jump of no time.
#[test]
fn touches_at_one_instant_are_no_jump() {
    let text = include_str!("../crates/kugelbahn-cli/tests/faults/corner-passes-wall-exp.toml");
    let (mut jumps, mut found) = (Jumps::default(), Vec::new());
    found.extend(run(text, &[]).events.iter().filter_map(|event| jumps.end(event)));
    assert!(found.len() > 5 && jumps.count == found.len(), "{}", found.len());
    assert!(found.iter().all(|jump| jump.back.time() > jump.left.time()));
}
