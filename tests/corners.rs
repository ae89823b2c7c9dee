//! Corners and two contacts: a ball between two walls, into corners and over them, against closed forms.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use reference::Collocation;
use supervisor::{CaptureReason, Count, EventKind, Phase, Stop};

use crate::harness::{Run, Worst, attempt, run};

const G: f64 = 9.81;

/// No event adds energy, and the ledger closes.
pub fn assert_energy_falls(run: &Run, tolerance: f64) {
    let scene = &run.scenario.scene;
    for event in &run.events {
        let (before, after) = (
            scene.energy(event.phase_before, &event.before).total(),
            scene.energy(event.phase_after, &event.after).total(),
        );
        assert!(after <= before + tolerance, "{}: {before} to {after} at {}", event.kind.name(), event.time());
    }
    assert!(run.summary.unexplained().abs() <= tolerance, "{:e}", run.summary.unexplained());
}

/// A groove with a circular floor of radius r < R: the ball sits on its two rims, `λ = m g R/(2√(R² − r²))`.
#[test]
fn on_the_rims_of_a_groove() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 0.6] }
        ground = { curve = { kind = "composite", pieces = [
            { kind = "line", from = [-2, 0], to = [-0.08, 0] },
            { kind = "arc", centre = [0, 0], radius = 0.08, from = "pi", to = "2*pi" },
            { kind = "line", from = [0.08, 0], to = [2, 0] },
        ] } }
        solver = { duration = 10.0 }
    "#;
    for x in [0.0, 0.01, -0.03] {
        for e in [0.0, 0.5] {
            for friction in ["0.0", "0.4", "infinite"] {
                let settings = [
                    format!("contact.restitution={e:?}"),
                    format!("contact.friction={friction}"),
                    format!("initial.position=[{x:?}, 0.6]"),
                ];
                let run = run(text, &[&settings[0], &settings[1], &settings[2]]);
                assert_energy_falls(&run, 1e-9);
                let Some(wedged) = run.summary.wedged else {
                    // Without friction it may rock on the rims, or bounce out.
                    assert!(x != 0.0, "{settings:?} {:?}", run.kinds());
                    continue;
                };
                let at = run.summary.state.position;
                assert!(at.x.abs() < 1e-10 && (at.y - 0.06).abs() < 1e-10, "{at:?}");
                for i in 0..2 {
                    assert!((wedged.normal_forces[i] - G * 0.1 / 0.12).abs() < 1e-10, "{wedged:?}");
                    let rim = [-0.08, 0.08][i];
                    assert!((wedged.points[i].x - rim).abs() + wedged.points[i].y.abs() < 1e-10, "{wedged:?}");
                }
            }
        }
    }
}

/// A ball that jumps from the bottom of a slot of its own width goes along a wall then: the row says how fast it leaves the
/// bottom.
#[test]
fn from_the_bottom_of_a_slot() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 0.6] }
        [ground]
        curve = { kind = "polyline", points = [[-1, 1], [-1, 0], [-0.1, 0], [-0.1, -0.3], [0.1, -0.3], [0.1, 0], [1, 0], [1, 1]] }
        [contact]
        friction = 0.0
        restitution = 0.5
        [solver]
        duration = 3.0
    "#;
    let run = attempt(text, &[]);
    let hit = run.first(EventKind::Impact);
    let speed = (2.0 * 9.81 * 0.8_f64).sqrt();
    assert!((hit.velocity_before().0 + speed).abs() < 1e-14, "{:?}", hit.velocity_before());
    assert!((hit.velocity_after().0 - 0.5 * speed).abs() < 1e-14, "{:?}", hit.velocity_after());
}

/// A ball over a slot exactly as wide as itself, between two edges or between walls that rise above it: where it comes in
/// touching a wall the run stops and says so; falling in between without a touch it comes to the floor and stops when it
/// goes up again. No energy is lost on the way. One part in a thousand wider or narrower, and runs reach their end.
#[test]
fn over_a_slot_of_its_own_width() {
    let scenario = |width: f64, start: &str, e: f64, friction: &str| {
        format!(
            r#"
        ball = {{ radius = 0.1 }}
        initial = {{ {start} }}
        ground = {{ curve = {{ kind = "polyline", points = [
            [-2, 0.3], [{left:?}, 0.3], [{left:?}, -1], [{right:?}, -1], [{right:?}, 0.3], [2, 0.3],
        ] }} }}
        contact = {{ restitution = {e:?}, friction = {friction} }}
        solver = {{ duration = 1.5, limit = 100000 }}
    "#,
            left = -0.5 * width,
            right = 0.5 * width
        )
    };
    let starts = [
        "position = [0.0, 0.6]",
        "position = [0.01, 0.6]",
        "position = [0.01, 0.6], velocity = [0.02, 0.0]",
        "position = [0.0, 0.6], velocity = [0.3, -1.0], spin = 20.0",
        "contact = { x = -0.3, speed = 0.4, spin = \"rolling\" }",
    ];
    let (mut stopped, mut fell) = (0, [0; 2]);
    for start in starts {
        for e in [0.0, 0.5] {
            for friction in ["0.0", "0.3", "\"infinite\""] {
                let exact = attempt(&scenario(0.2, start, e, friction), &[]);
                match exact.summary.stop {
                    Some(Stop::Slot { centre, sine, .. }) => {
                        stopped += 1;
                        assert!(sine.abs() <= 1e-4 && centre.x.abs() < 1e-8, "{centre} {sine}");
                    }
                    stop => assert_eq!(stop, None, "{start} {e} {friction}"),
                }
                assert_energy_falls(&exact, 1e-9);
                for (width, fell) in [0.1998, 0.2002].into_iter().zip(&mut fell) {
                    let near = run(&scenario(width, start, e, friction), &[]);
                    assert_energy_falls(&near, 1e-9);
                    *fell += i32::from(near.summary.state.position.y < 0.2);
                }
            }
        }
    }
    println!("{stopped} of 30 stopped; so many fell into a slot that is too narrow, and a wider one: {fell:?}");
    assert!(stopped > 20 && fell[0] == 0 && fell[1] > 10);
}

/// A point that friction holds wherever it lands, dropped on the vertex of a right angle: the other wall stays closed, and it
/// does not slip there, however little of its speed is left.
#[test]
fn a_point_on_a_vertex() {
    for (turn, e) in [(0.0, 0.03), (0.3, 0.01), (0.7, 1e-3), (0.1, 1e-9), (1.2, 1e-12), (0.4, 0.0), (0.4, 0.5)] {
        for [x, y] in [[0.0, 0.0], [0.3, 0.1], [-1.402, 1.81]] {
            let at = |angle: f64| format!("[{:?}, {:?}]", x + 2.0 * angle.cos(), y + 2.0 * angle.sin());
            let right = 0.1 + turn;
            let text = format!(
                r#"
        initial = {{ position = [{x:?}, {:?}], velocity = [0.0, 0.4] }}
        ground = {{ curve = {{ kind = "polyline", points = [{}, [{x:?}, {y:?}], {}] }} }}
        contact = {{ restitution = {e:?}, friction = "infinite" }}
        solver = {{ duration = 2.0 }}
    "#,
                y + 1.0,
                at(right + std::f64::consts::FRAC_PI_2),
                at(right)
            );
            let run = run(&text, &[]);
            assert_energy_falls(&run, 1e-12);
            assert_eq!(run.summary.phase, Phase::Resting, "{:?}", run.kinds());
        }
    }
}

/// Rows of the trajectory that stand just after an event on the ground, where steps are short because another wall is near.
#[test]
fn rows_just_after_an_event() {
    let wall = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = -1.0, speed = 1.5, spin = "rolling" } }
        ground = { curve = { kind = "polyline", points = [[-3, 0], [0, 0], [3, 1]] } }
        contact = { friction = 0.05 }
        solver = { duration = 0.8 }
    "#;
    let mut worst = [Worst::default(); 2];
    for friction in ["0.05", "0.0", "infinite"] {
        let settings = format!("contact.friction={friction}");
        let hit = *run(wall, &[&settings]).first(EventKind::Impact);
        for after in [3e-15, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6] {
            let run = run(wall, &[&settings, &format!("output.interval={:?}", hit.time() + after)]);
            let row = &run.samples[1];
            assert!(row.state.time >= hit.time() && row.phase == hit.phase_after);
            let since = row.state.time - hit.time();
            let velocity = hit.after.velocity + since * row.acceleration;
            worst[0].see((row.state.velocity - velocity).norm());
            // Solid sphere: ω̇ = f R/I.
            let spin = hit.after.spin + since * row.friction_force * 0.1 / (0.4 * 0.01);
            worst[1].see(row.state.spin - spin);
        }
    }
    println!("{worst:?}");
    assert!(worst[0].0 < 1e-13 && worst[1].0 < 1e-12, "{worst:?}");
}

/// Flat ground, then a ramp at β: rolling on it goes on with `v (cos β + k)/(1 + k)`, without friction `v cos β`, with
/// little `v (cos β + μ sin β)`; the flat contact opens. At a wall a ball that can't slip climbs with `v k/(1+k)`, one without
/// friction stays in the corner.
#[test]
fn into_a_corner() {
    let (v, radius) = (1.5_f64, 0.1_f64);
    let mut worst = Worst::default();
    for beta in [0.2_f64, 0.5, 1.0, 1.4] {
        let text = format!(
            r#"
        ball = {{ radius = 0.1 }}
        initial = {{ contact = {{ x = -1.0, speed = {v:?}, spin = "rolling" }} }}
        ground = {{ curve = {{ kind = "polyline", points = [[-3, 0], [0, 0], [{:?}, {:?}]] }} }}
        solver = {{ duration = {:?} }}
    "#,
            3.0 * beta.cos(),
            3.0 * beta.sin(),
            (1.0 - radius * (0.5 * beta).tan()) / v + 0.02
        );
        for (friction, speed) in [
            ("infinite", v * (beta.cos() + 0.4) / 1.4),
            ("0.0", v * beta.cos()),
            ("0.05", v * (beta.cos() + (0.05 * beta.sin()).min(0.4 / 1.4 * (1.0 - beta.cos())))),
        ] {
            let run = run(&text, &[&format!("contact.friction={friction}")]);
            let hit = run.first(EventKind::Impact);
            let (before, after) = (hit.velocity_before(), hit.velocity_after());
            worst.see(before.0 + v * beta.sin());
            worst.see(before.1 - v * beta.cos());
            worst.see(after.1 - speed);
            worst.see(after.0);
            // Met within 1e-12 m; the place is exact, the time as early.
            worst.see(0.1 * (hit.time() - (1.0 - radius * (0.5 * beta).tan()) / v));
            if friction == "infinite" {
                worst.see(hit.after.spin * radius + speed);
                assert_eq!(hit.phase_after, Phase::Rolling);
            }
            assert_eq!(run.events.iter().filter(|event| event.normal_impulse > 0.0).count(), 1, "{:?}", run.kinds());
            // It is on the ramp.
            let at = run.summary.state.position;
            worst.see(at.y * beta.cos() - at.x * beta.sin() - radius);
            assert_energy_falls(&run, 1e-9);
        }
        let point = run(&text, &["ball.radius=0.0", "contact.friction=0.0", "solver.duration=0.68"]);
        worst.see(point.first(EventKind::Impact).velocity_after().1 - v * beta.cos());
    }
    println!("{:e}", worst.0);
    assert!(worst.0 < 1e-12);
    let wall = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = -2.0, speed = 1.0, spin = "rolling" } }
        ground = { curve = { kind = "polyline", points = [[-3, 0], [0, 0], [0, 3]] } }
        solver = { duration = 3.0 }
    "#;
    let climbs = run(wall, &["contact.friction=infinite"]);
    assert!((climbs.events[0].velocity_after().1 - 0.4 / 1.4).abs() < 1e-12);
    // Nothing takes its spin: it does not rest.
    let stays = run(wall, &["contact.friction=0.0"]);
    assert_eq!((stays.kinds(), stays.summary.phase), (vec!["impact"], Phase::Sliding));
    assert_eq!(stays.summary.state.spin, -10.0);
    let wedged = stays.summary.wedged.expect("wedged");
    assert!((wedged.normal_forces[0] - G).abs() < 1e-12 && wedged.normal_forces[1].abs() < 1e-12);
    let point = run(wall, &["contact.friction=0.0", "ball.radius=0"]);
    assert!((point.first(EventKind::Rest).time() - 2.0).abs() < 1e-12 && point.summary.state.position.norm() < 1e-12);
}

/// Over an edge (flat, then a wall down) at speed v, on the arc around it: without friction it leaves where
/// `cos θ = (v²/(gR) + 2)/3`, rolling where `cos θ = ((1+k) v²/(gR) + 2)/(3+k)`, at once if v² > gR. With friction it slips
/// before: from `k sin θ/(1+k) = μ (cos θ − v²/(gR))` on
/// `d(v²)/dθ = 2gR sin θ − 2μ(gR cos θ − v²)`, whose solution is `A cos θ + B sin θ + C e^{2μθ}`.
#[test]
fn over_an_edge() {
    let radius = 0.1;
    let gr = G * radius;
    let gauss = Collocation::new(8);
    let mut worst = Worst::default();
    let cosine = |v: f64, friction: &str| {
        let text = format!(
            r#"
        ball = {{ radius = 0.1 }}
        initial = {{ contact = {{ x = -0.001, speed = {v:?}, spin = "rolling" }} }}
        ground = {{ curve = {{ kind = "polyline", points = [[-1, 0], [0, 0], [0, -5]] }} }}
        contact = {{ friction = {friction} }}
        solver = {{ duration = 2.0, tolerance = 1e-13 }}
    "#
        );
        let run = run(&text, &[]);
        let slip = run.of(EventKind::Slip).next().map(|event| event.position().y / radius);
        (run.first(EventKind::LiftOff).position().y / radius, slip)
    };
    for v in [0.02_f64, 0.3, 0.7, 0.98, 1.5] {
        let fast = v * v >= gr;
        let at = |cosine: f64| if fast { 1.0 } else { cosine };
        worst.see(cosine(v, "0.0").0 - at((v * v / gr + 2.0) / 3.0));
        worst.see(cosine(v, "\"infinite\"").0 - at((1.4 * v * v / gr + 2.0) / 3.4));
        for mu in [0.1_f64, 0.4] {
            if fast {
                continue;
            }
            let rolling = |c: f64| v * v + 2.0 * gr * (1.0 - c) / 1.4;
            let root = |f: &dyn Fn(f64) -> f64, from: f64| {
                let (mut lo, mut hi) = (from, 1.5);
                for _ in 0..200 {
                    let middle = 0.5 * (lo + hi);
                    if f(middle) > 0.0 { lo = middle } else { hi = middle }
                }
                hi
            };
            let holds = |t: f64| mu * (t.cos() - rolling(t.cos()) / gr) - 0.4 / 1.4 * t.sin();
            let slips = root(&holds, 0.0);
            let a = -2.0 * gr * (1.0 - 2.0 * mu * mu) / (1.0 + 4.0 * mu * mu);
            let b = 2.0 * mu * (a - gr);
            let c = (rolling(slips.cos()) - a * slips.cos() - b * slips.sin()) * (-2.0 * mu * slips).exp();
            let square = |t: f64| a * t.cos() + b * t.sin() + c * (2.0 * mu * t).exp();
            // The solution against the equation itself, integrated.
            let slope = |t: f64, w: &[f64; 1]| [2.0 * gr * t.sin() - 2.0 * mu * (gr * t.cos() - w[0])];
            let [end] = gauss.integrate(slope, slips, [rolling(slips.cos())], 1.0, 20);
            assert!((end - square(1.0)).abs() < 1e-13 * end, "{end} {}", square(1.0));
            let leaves = root(&|t: f64| gr * t.cos() - square(t), slips);
            let (off, slip) = cosine(v, &format!("{mu:?}"));
            worst.see(off - leaves.cos());
            worst.see(slip.expect("it slips first") - slips.cos());
        }
    }
    println!("{:e}", worst.0);
    assert!(worst.0 < 1e-9);
}

/// The profiles with concave corners, and a zigzag: runs go on to their end.
#[test]
fn stairs_wedge_and_zigzag() {
    let zigzag = "{ kind = \"polyline\", points = [[-4, 5], [-1, 0], [-0.5, 0.3], [0, 0], [0.2, 0.4], [0.4, 0], [1, 0.5], [1, 4]] }";
    for (curve, start) in [
        ("\"../curves/stairs.toml\"", "contact = { x = -0.6, speed = 0.7, spin = \"rolling\" }"),
        ("\"../curves/wedge.toml\"", "contact = { x = -0.6, speed = 0.2, spin = \"rolling\" }"),
        (zigzag, "position = [-2.0, 3.0]"),
    ] {
        for radius in ["0.0", "0.04", "0.15", "0.3"] {
            for friction in ["0.0", "0.3", "\"infinite\""] {
                for e in ["0.0", "0.6"] {
                    let text = format!(
                        r#"
        ball = {{ radius = {radius} }}
        initial = {{ {start} }}
        ground = {{ curve = {curve} }}
        contact = {{ friction = {friction}, restitution = {e} }}
        solver = {{ duration = 8.0, limit = 1000000 }}
    "#
                    );
                    // A point does not roll.
                    if radius == "0.0" && friction == "\"infinite\"" && start.contains("contact") {
                        continue;
                    }
                    let run = run(&text, &[]);
                    assert_energy_falls(&run, 1e-7);
                    let scene = &run.scenario.scene;
                    let inside = run.samples.iter().filter(|sample| sample.state.position.x < 3.0);
                    let lowest = inside.map(|s| scene.ground.gap(s.state.position)).fold(f64::INFINITY, f64::min);
                    assert!(lowest >= -1e-9, "{lowest:e}\n{text}");
                }
            }
        }
    }
}

fn scenarios() -> impl Strategy<Value = String> {
    let heights = proptest::collection::vec(-0.7..0.7f64, 5..9);
    let ball = (prop_oneof![Just(0.0), 0.02..0.45f64], 0.1..=1.0f64);
    let start = (-0.9..0.9f64, 1.8..2.5f64, -3.0..3.0f64, -3.0..3.0f64, -50.0..50.0f64);
    let e = prop_oneof![Just(0.0), 0.05..0.95f64];
    let mu = prop_oneof![
        Just("0.0".to_owned()),
        (0.05..2.0f64).prop_map(|mu| format!("{mu:?}")),
        Just("\"infinite\"".to_owned())
    ];
    let push = prop_oneof![Just("0"), Just("3*m*sin(5*t)"), Just("m*g*sin(t)")];
    (ball, start, heights, e, -1.0..=1.0f64, mu, push).prop_map(
        |((radius, k), (x, y, vx, vy, spin), heights, e, e_t, mu, push)| {
            let last = heights.len() as f64 - 1.0;
            let at = |(i, y): (usize, &f64)| format!("[{:?}, {y:?}]", -2.0 + 4.0 * i as f64 / last);
            let points: Vec<String> = heights.iter().enumerate().map(at).collect();
            format!(
                r#"
        ball = {{ radius = {radius:?}, inertia = {k:?} }}
        initial = {{ position = [{x:?}, {y:?}], velocity = [{vx:?}, {vy:?}], spin = {spin:?} }}
        ground = {{ curve = {{ kind = "polyline", points = [[-2.6, 9.0], {}, [2.6, 9.0]] }} }}
        contact = {{ restitution = {e:?}, tangential-restitution = {e_t:?}, friction = {mu} }}
        forces = {{ external = {{ x = "{push}" }} }}
        solver = {{ duration = 6.0, limit = 30000 }}
        output = {{ interval = 0.02 }}
    "#,
                points.join(", ")
            )
        },
    )
}

/// 400 balls over random polylines between two walls: none adds energy, none falls through, and all reach their end.
#[test]
fn random_corners() {
    let config = Config { cases: 400, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[23; 32]));
    let tally = std::cell::Cell::new([0u64; 3]);
    let worst = std::cell::Cell::new([0.0_f64; 2]);
    let choices = std::cell::Cell::new([0; 2]);
    let outcome = runner.run(&scenarios(), |text| {
        let run = attempt(&text, &[]);
        prop_assert!(run.summary.stop.is_none(), "{:?}\n{text}", run.summary.stop);
        let [without, for_both] = choices.get();
        let Count { impacts_without_restitution, impacts_with_e_instead_of_e_t, .. } = run.summary.count;
        choices.set([without + impacts_without_restitution, for_both + impacts_with_e_instead_of_e_t]);
        let scene = &run.scenario.scene;
        let lowest = run.samples.iter().map(|s| scene.ground.gap(s.state.position)).fold(0.0, f64::min);
        let [gap, energy] = worst.get();
        worst.set([gap.min(lowest), energy.max(run.summary.unexplained().abs())]);
        prop_assert!(lowest >= -1e-9, "gap {lowest:e}\n{text}");
        prop_assert!(run.summary.unexplained().abs() < 1e-6, "unexplained {:e}\n{text}", run.summary.unexplained());
        for event in &run.events {
            let (before, after) = (
                scene.energy(event.phase_before, &event.before).total(),
                scene.energy(event.phase_after, &event.after).total(),
            );
            prop_assert!(after <= before + 1e-9, "{} adds {:e}\n{text}", event.kind.name(), after - before);
        }
        let [met, wedged, captured] = tally.get();
        let count = &run.summary.count;
        let walls = run.captures.iter().filter(|capture| capture.reason == CaptureReason::TwoWalls).count() as u64;
        tally.set([
            met + count.two_contact_impacts,
            wedged + u64::from(run.summary.wedged.is_some()),
            captured + walls,
        ]);
        Ok(())
    });
    println!(
        "impacts on two, ending wedged, captures between walls: {:?}; worst gap, ledger {:?}",
        tally.get(),
        worst.get()
    );
    if let Err(error) = outcome {
        panic!("{error}");
    }
    let [met, wedged, captured] = tally.get();
    println!("without restitution, with e for e_t: {:?}", choices.get());
    assert!(met > 500 && wedged > 50 && captured > 20);
}

/// A point that comes back to the corner of two walls again and again: its place there is known as well as the wall it came from tells,
/// which may be less than that of the other wall, whose formula begins there.
#[test]
fn a_point_comes_back_to_a_corner() {
    let polyline = |left: f64, right: f64| {
        format!("ground.curve = {{ kind = \"polyline\", points = [[-3, {left:?}], [0, 0], [3, {right:?}]] }}")
    };
    let two = r#"
        [[ground]]
        name = "left"
        curve = { kind = "line", from = [-3, 0.9148627575203288], to = [0, 0] }
        [[ground]]
        name = "right"
        curve = { kind = "line", from = [0, 0], to = [3, 8.45509330664299] }
    "#;
    let cases = [
        (
            [-0.04724808208253701, 0.04472533071785989, -0.14605699281512796],
            "restitution = 0.5",
            polyline(3.11210783193091, 2.735593886882581),
        ),
        (
            [-0.025944272428101073, -0.06649113226496306, -0.2312242931258064],
            "restitution = 0.7, friction = 0.3",
            two.to_owned(),
        ),
    ];
    for ([x, vx, vy], law, ground) in cases {
        let text = format!(
            "initial = {{ position = [{x:?}, 1.6], velocity = [{vx:?}, {vy:?}] }}\ncontact = {{ {law} }}\nsolver.duration = 3\n{ground}"
        );
        let run = attempt(&text, &[]);
        assert!(run.summary.stop.is_none(), "{:?}", run.summary.stop);
        let (y, unexplained) = (run.summary.state.position.y, run.summary.unexplained());
        assert!(y >= -1e-12 && unexplained.abs() < 1e-11, "{y:e}, {unexplained:e}");
    }
}

/// A hop along one wall that rounding hides is none: a ball that jams, with a little restitution, comes to rest between both.
#[test]
fn a_hidden_hop_between_walls() {
    for e in [1e-12, 1e-9, 1e-6, 1e-4, 0.01] {
        let text = format!(
            r#"
            ball.radius = 0.1
            initial = {{ position = [-0.05327625333532944, 1.6], velocity = [0.34607049991937777, -0.10861691450295297] }}
            contact = {{ restitution = {e:?}, tangential-restitution = -1, friction = 10 }}
            solver.duration = 3
            ground.curve = {{ kind = "polyline", points = [[-3, 5.505781676448629], [0, 0], [3, 4.88206085460367]] }}
            "#
        );
        let run = attempt(&text, &[]);
        assert!(run.summary.stop.is_none(), "e = {e}: {:?}", run.summary.stop);
        let (state, wedged) = (run.summary.state, run.summary.wedged);
        let still = state.velocity.norm() == 0.0 && state.spin == 0.0;
        assert!(still && wedged.is_some(), "e = {e}: {state:?}");
    }
}
