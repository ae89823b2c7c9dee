//! Cases that must not fail: Zeno points, corners, ends, second contacts, and friction that comes and goes.

use supervisor::{Event, EventKind, Phase};

use crate::harness::{Run, attempt, run};

const G: f64 = 9.81;

/// Captures over curved ground keep the bound they state: against one at a hundredth of the speed, and against going on
/// until hops are below rounding, which itself is no better than the time it then has left.
#[test]
fn captures_keep_their_bound() {
    let text = r#"
        initial = { position = [0.3, 1.0], velocity = [0.2, 0.0] }
        contact = { restitution = 0.7 }
        solver = { duration = 4.0, tolerance = 1e-12 }
    "#;
    for ground in ["0.2*sin(2*x)", "x^2/2", "0.3*cos(3*x)", "x/5"] {
        for friction in ["0.0", "0.3"] {
            let below = |speed: f64| {
                let settings = [
                    format!("ground.curve={{ kind = \"graph\", y = \"{ground}\" }}"),
                    format!("contact.friction={friction}"),
                    format!("solver.capture-speed={speed:?}"),
                ];
                run(text, &[&settings[0], &settings[1], &settings[2], "solver.capture-tolerance=1.0"])
            };
            let never = below(0.0);
            for speed in [1e-2, 1e-3, 1e-4] {
                let (early, late) = (below(speed), below(0.01 * speed));
                let differ = |other: &Run| {
                    let (a, b) = (early.first(EventKind::Landing), other.first(EventKind::Landing));
                    (a.time() - b.time()).abs().max((a.after.velocity - b.after.velocity).norm())
                };
                let (bound, finer) = (early.captures[0].velocity_bound, late.captures[0].velocity_bound);
                let last = &never.captures[0];
                println!(
                    "{ground}, μ = {friction}, below {speed}: {:e}, bound {bound:e}; to rounding {:e}, of {:e} s",
                    differ(&late),
                    differ(&never),
                    last.duration
                );
                assert!(early.captures[0].speed <= speed);
                // Rounding of places over the speed of the last bounces.
                let grain = 1e-15 / late.captures[0].speed;
                assert!(differ(&late) <= bound + finer + grain, "{ground}: {:e} {bound:e}", differ(&late));
                let rounding = 2.0 * last.duration * (1.0 + last.pull);
                assert!(differ(&never) <= bound + rounding, "{ground}: {:e} {bound:e}", differ(&never));
                assert!(early.summary.unexplained().abs() <= 10.0 * bound + 1e-9, "{:e}", early.summary.unexplained());
            }
        }
    }
}

/// Bounces on an incline accumulate after `t₁ + 2w/(g cos α (1−e))`; meanwhile the point slides down at `g sin α t`.
#[test]
fn zeno_on_an_incline() {
    let text = r#"
        initial = { position = [0.0, 1.0] }
        ground = { curve = { kind = "graph", y = "-3*x/4" } }
        contact = { restitution = 0.5 }
        solver = { duration = 2.0 }
    "#;
    let (sin, cos) = (0.6, 0.8);
    let run = run(text, &[]);
    // It starts 0.8 m off the slope, and the normal motion is a drop with g cos α.
    let first = (2.0 * 0.8 / (G * cos)).sqrt();
    let zeno = first * (1.0 + 0.5) / (1.0 - 0.5);
    let landing = run.first(EventKind::Landing);
    assert!((landing.time() - zeno).abs() <= 1e-12, "{:e}", landing.time() - zeno);
    let (normal, along) = landing.velocity_after();
    assert!(normal.abs() <= 1e-15 && (along - G * sin * zeno).abs() <= 1e-11, "{normal} {along}");
    assert_eq!(run.summary.phase, Phase::Sliding);
    let end = run.summary.state;
    assert!((end.velocity.norm() - G * sin * 2.0).abs() <= 1e-10, "{}", end.velocity.norm());
    assert!(run.summary.unexplained().abs() <= 1e-11);
}

/// e = 0 on a slope: one landing, and then it slides or rolls on with what is left along the ground.
#[test]
fn plastic_landing_on_a_slope() {
    for (settings, k) in [
        (["ball.radius=0.0", "contact.friction=0.0"], 0.0),
        (["ball.radius=0.1", "contact.friction=infinite"], 0.4),
        (["ball.radius=0.1", "contact.friction=0.9"], 0.4),
        // Friction without limit leaves no slip to a ball that stays, whatever e_t: the run once stopped there.
        (["ball.radius=0.1", "contact={ friction = \"infinite\", tangential-restitution = 0.7 }"], 0.4),
    ] {
        let text = r#"
            initial = { position = [0.0, 1.0] }
            ground = { curve = { kind = "graph", y = "-3*x/4" } }
            solver = { duration = 1.5 }
        "#;
        let run = run(text, &settings);
        assert_eq!(run.kinds(), ["landing"], "{settings:?}");
        let landing = run.first(EventKind::Landing);
        // The part along the slope; friction takes k/(1+k) of it.
        let speed = 0.6 * G * landing.time() / (1.0 + k);
        assert!((landing.velocity_after().1 - speed).abs() <= 1e-13);
        let end = speed + 0.6 * G / (1.0 + k) * (1.5 - landing.time());
        assert!((run.summary.state.velocity.norm() - end).abs() <= 1e-11, "{settings:?}");
    }
}

/// A point runs off the end of the ground with its speed; a ball rolls around the end on an arc of its radius.
#[test]
fn end_of_ground() {
    let text = r#"
        initial = { contact = { x = 0.0, speed = 1.0, spin = "rolling" } }
        ground = { curve = { kind = "line", from = [-1, 0], to = [2, 0] } }
        contact = { friction = "infinite" }
        solver = { duration = 3.0 }
    "#;
    let point = run(text, &["contact.friction=0.0"]);
    let off = point.first(EventKind::EndOfGround);
    assert!((off.time() - 2.0).abs() <= 1e-12 && (off.position().x - 2.0).abs() <= 1e-12);
    assert_eq!(point.summary.phase, Phase::Flight);
    assert!((point.summary.state.position.y + 0.5 * G).abs() <= 1e-11);
    // Around the end: cos θ = (2 + (1+k) v²/(gR))/(3+k), if that is below 1.
    let ball = run(text, &["ball.radius=0.3"]);
    let off = ball.first(EventKind::EndOfGround);
    let angle = (off.position().x - 2.0).atan2(off.position().y);
    let expected = ((2.0 + 1.4 / (G * 0.3)) / 3.4).acos();
    assert!((angle - expected).abs() <= 1e-9, "{angle} for {expected}");
    // Too fast for the arc: off at once.
    let fast = run(text, &["ball.radius=0.05"]);
    let off = fast.events.first().expect("it leaves");
    assert!((off.time() - 2.0).abs() <= 1e-12 && off.phase_after == Phase::Flight, "{:?}", fast.kinds());
    assert!((off.velocity_after().1 - 1.0).abs() <= 1e-12);
}

const ROOF: &str = r#"
    initial = { contact = { x = -1.0, speed = 1.0, spin = "rolling" } }
    ground = { curve = { kind = "polyline", points = [[-3, 0], [0, 0], [3, -1]] } }
    contact = { friction = "infinite" }
    solver = { duration = 1.4 }
"#;

/// A convex corner: a point flies off it; a slow ball rolls around it and on; a fast one flies.
#[test]
fn convex_corner() {
    let point = run(ROOF, &["contact.friction=0.0"]);
    let off = point.first(EventKind::LiftOff);
    assert!((off.time() - 1.0).abs() <= 1e-12 && off.position().norm() <= 1e-12, "{:?}", off.position());
    assert!((off.velocity_after().1 - 1.0).abs() <= 1e-12);
    // v² < gR cos θ all the way round: it stays, and the energy of rolling is kept.
    let slow = run(ROOF, &["ball.radius=0.3", "initial.contact.speed=0.8", "solver.duration=1.7"]);
    assert!(slow.events.is_empty(), "{:?}", slow.kinds());
    let state = slow.summary.state;
    let gap = slow.scenario.scene.ground.gap(state.position);
    assert!(gap.abs() <= 1e-12, "{gap:e}");
    assert!(state.position.x > 0.2, "past the corner");
    assert!(slow.summary.unexplained().abs() <= 1e-9, "{:e}", slow.summary.unexplained());
    let speed = (0.64 + 2.0 * G * (0.3 - state.position.y) / 1.4).sqrt();
    assert!((state.velocity.norm() - speed).abs() <= 1e-8, "{} for {speed}", state.velocity.norm());
    // v² > gR: off where the corner begins.
    let fast = run(ROOF, &["ball.radius=0.1", "initial.contact.speed=2.0"]);
    let off = fast.first(EventKind::LiftOff);
    assert!((off.time() - 0.5).abs() <= 1e-12 && (off.position().x).abs() <= 1e-12, "{:?}", off.position());
}

/// A concave corner is met where the ball touches both sides, a point's where it is: place and time are told.
#[test]
fn concave_corner() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = -2.0, speed = 1.0, spin = "rolling" } }
        ground = { curve = { kind = "polyline", points = [[-3, 0], [0, 0], [0, 3]] } }
        contact = { friction = "infinite" }
        solver = { duration = 5.0 }
    "#;
    let run = run(text, &[]);
    let hit = run.first(EventKind::Impact);
    assert!((hit.time() - 1.9).abs() <= 1e-11, "{}", hit.time());
    assert!((hit.position().x + 0.1).abs() <= 1e-12 && (hit.position().y - 0.1).abs() <= 1e-12, "{:?}", hit.position());
    let wall = run.scenario.scene.ground.ground_point(hit.place);
    assert!(wall.x.abs() <= 1e-12 && (wall.y - 0.1).abs() <= 1e-12, "{wall:?}");
    let point = attempt(text, &["ball.radius=0.0", "contact.friction=0.0"]);
    let rest = point.first(EventKind::Rest);
    assert!((rest.time() - 2.0).abs() <= 1e-12 && rest.position().norm() <= 1e-12, "{rest:?}");
}

/// A ball at the bottom of a valley rests from the start, without an event, as long as the run lasts.
#[test]
fn resting_sphere() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = 0.0, speed = 0.0 } }
        ground = { curve = { kind = "graph", y = "x^2" } }
        contact = { friction = 0.3 }
        solver = { duration = 1000.0 }
    "#;
    for settings in [vec![], vec!["contact.friction=0.0"], vec!["ball.radius=0.0"]] {
        let run = run(text, &settings);
        assert!(run.events.is_empty(), "{:?}", run.kinds());
        assert_eq!(run.summary.phase, Phase::Resting, "{settings:?}");
        assert_eq!((run.summary.state.velocity.norm(), run.summary.state.spin), (0.0, 0.0));
    }
    // Dropped there: it bounces, is captured, and rests.
    let drop = run(text, &["initial={ position = [0.0, 1.0] }", "contact.restitution=0.5", "solver.duration=10.0"]);
    assert_eq!(drop.summary.phase, Phase::Resting);
    assert!((drop.summary.state.position.y - 0.1).abs() <= 1e-15 && drop.summary.state.velocity.norm() == 0.0);
}

/// A spinning ball set down: friction turns spin into motion until it rolls, `v = −k R ω₀/(1+k)`; without friction it
/// spins for ever; with friction without limit it rolls at once.
#[test]
fn spinning_top() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = 0.0, speed = 0.0, spin = 35.0 } }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { friction = 0.25 }
        solver = { duration = 2.0 }
    "#;
    let rolled = run(text, &[]);
    assert_eq!(rolled.kinds(), ["stick"]);
    let v = -0.4 * 3.5 / 1.4;
    let stick = rolled.first(EventKind::Stick);
    assert!((stick.after.velocity.x - v).abs() <= 1e-13 && (stick.time() - 1.0 / (0.25 * G)).abs() <= 1e-13);
    let smooth = run(text, &["contact.friction=0.0"]);
    assert_eq!((smooth.summary.state.spin, smooth.summary.state.position.x), (35.0, 0.0));
    assert!((smooth.summary.state.angle - 70.0).abs() <= 1e-12 && smooth.events.is_empty());
    let dropped = run(text, &["initial={ position = [0.0, 0.2], spin = 35.0 }", "contact.friction=infinite"]);
    assert_eq!(dropped.kinds(), ["landing"]);
    assert!((dropped.summary.state.velocity.x - v).abs() <= 1e-13, "{}", dropped.summary.state.velocity.x);
}

/// A block pushed to and fro by a slow force: it rests, slips when the force passes μmg, and comes to rest again.
#[test]
fn slip_stick_rest_by_a_slow_force() {
    let text = r#"
        initial = { contact = { x = 0.0, speed = 0.0 } }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { friction = 0.5 }
        forces = { external = { x = "0.8*m*g*sin(t)" } }
        solver = { duration = 12.0, tolerance = 1e-11 }
    "#;
    let run = run(text, &[]);
    println!("{:?}", run.events.iter().map(|e| (e.kind.name(), e.time())).collect::<Vec<_>>());
    let expected = ["slip", "rest", "slip", "rest"];
    assert_eq!(run.kinds()[..4], expected);
    // It begins where 0.8 sin t = 0.5, and again half a turn later, as it rests in between.
    let first = (0.5f64 / 0.8).asin();
    let slips: Vec<&Event> = run.of(EventKind::Slip).collect();
    assert!((slips[0].time() - first).abs() <= 1e-11, "{:e}", slips[0].time() - first);
    assert!((slips[1].time() - first - std::f64::consts::PI).abs() <= 1e-11);
    // It stops where ∫ (0.8 sin t − 0.5) dt = 0.
    let rest = run.first(EventKind::Rest).time();
    let left = 0.8 * (first.cos() - rest.cos()) - 0.5 * (rest - first);
    assert!(left.abs() <= 1e-10, "{left:e}");
    assert!(run.summary.unexplained().abs() <= 1e-9, "{:e}", run.summary.unexplained());
}

/// Rolling that friction can no longer hold slips, and sticks again: a sphere on a wavy slope.
#[test]
fn rolling_slips_and_sticks() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = 0.0, speed = 0.5, spin = "rolling" } }
        ground = { curve = { kind = "graph", y = "0.3*cos(2*x)" } }
        contact = { friction = 0.1 }
        solver = { duration = 6.0, tolerance = 1e-11 }
    "#;
    let run = run(text, &[]);
    println!("{:?}", run.events.iter().map(|e| (e.kind.name(), e.time())).collect::<Vec<_>>());
    assert!(run.of(EventKind::Slip).count() >= 2 && run.of(EventKind::Stick).count() >= 2, "{:?}", run.kinds());
    for pair in run.events.windows(2) {
        assert!(pair[1].time() > pair[0].time() && pair[1].phase_before == pair[0].phase_after);
    }
    for event in run.of(EventKind::Stick) {
        let slip = event.after.velocity.dot(&event.frame.tangent) + 0.1 * event.after.spin;
        assert!(slip.abs() <= 1e-14, "{slip:e}");
    }
    assert!(run.summary.unexplained().abs() <= 1e-8, "{:e}", run.summary.unexplained());
}

/// A point with spin, for the Magnus force, at rest in the wind: the search for the end of its rest once left that force
/// out, and 1000 events came without time going on.
#[test]
fn resting_point_with_spin() {
    let text = r#"
        initial = { contact = { x = 0.0, speed = 0.0, spin = -50.0 } }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { friction = 0.1 }
        forces = { wind = [0.0, 1.0], magnus = 0.01, external = { x = "m*sin(t)" } }
        solver = { duration = 6.0 }
    "#;
    // The lift −m_c ω w_y … is −0.5 N; friction holds 0.981 N.
    let run = run(text, &[]);
    assert_eq!(run.kinds()[0], "slip");
    let slip = std::f64::consts::PI + (0.981f64 - 0.5).asin();
    let error = run.events[0].time() - slip;
    assert!(error.abs() <= 1e-11, "{error:e}");
    assert!(run.events.len() < 10, "{:?}", run.kinds());
}

/// A sphere sliding over a crest towards its lift-off: friction cut off at λ = 0 once bent the step's dense output so
/// much that slip seemed to return at once, and slip events followed without time going on.
#[test]
fn slip_just_before_lift_off() {
    let text = r#"
        ball = { mass = 0.65, radius = 0.163, inertia = 0.836 }
        initial = { position = [1.3475546845179769, 1.556508727449638], velocity = [-2.6865596292498033, -0.7842200655737146], spin = 19.329775055316052 }
        ground = { curve = { kind = "graph", y = "0.1173*sin(2.4467*x) + 0.18914*x" } }
        contact = { friction = 0.73, tangential-restitution = 0.666, rolling-damping = 0.1136 }
        solver = { duration = 3.0, tolerance = 1e-9 }
    "#;
    let run = run(text, &[]);
    println!("{:?}", run.events.iter().map(|e| (e.kind.name(), e.time())).collect::<Vec<_>>());
    assert!(run.events.len() < 30, "{:?}", run.kinds());
}
