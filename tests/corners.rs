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

/// Dropped into a V of walls that fall and rise at `a` and `b`, symmetric and off-centre, with spin, with and without
/// friction and restitution: it comes to rest on both walls, `λ₁ = m g sin b/sin(a+b)`, `λ₂ = m g sin a/sin(a+b)`.
#[test]
fn dropped_into_a_v() {
    let (mut place, mut force, mut longest) = (Worst::default(), Worst::default(), 0);
    for (a, b) in [(45.0_f64, 45.0_f64), (60.0, 60.0), (30.0, 55.0)] {
        let (a, b) = (a.to_radians(), b.to_radians());
        for (x, spin) in [(0.0, 0.0), (0.13, 0.0), (-0.31, 40.0)] {
            for e in [0.0, 0.5, 0.8] {
                for friction in ["0.0", "0.3", "1.5", "\"infinite\""] {
                    let text = format!(
                        r#"
        ball = {{ radius = 0.1, mass = 2.0 }}
        initial = {{ position = [{x:?}, 1.5], spin = {spin:?} }}
        ground = {{ curve = {{ kind = "polyline", points = [[{:?}, {:?}], [0, 0], [{:?}, {:?}]] }} }}
        contact = {{ restitution = {e:?}, friction = {friction} }}
        solver = {{ duration = 15.0 }}
    "#,
                        -5.0 * a.cos(),
                        5.0 * a.sin(),
                        5.0 * b.cos(),
                        5.0 * b.sin()
                    );
                    let run = run(&text, &[]);
                    let wedged = run.summary.wedged.unwrap_or_else(|| panic!("{:?}\n{text}", run.summary));
                    let spins = spin != 0.0 && friction == "0.0";
                    assert_eq!(run.summary.phase, if spins { Phase::Sliding } else { Phase::Resting });
                    // The centre is R away from both walls.
                    let normals = [[a.sin(), a.cos()], [-b.sin(), b.cos()]];
                    let det = (a + b).sin();
                    let centre = [0.1 * (b.cos() - a.cos()) / det, 0.1 * (a.sin() + b.sin()) / det];
                    let at = run.summary.state.position;
                    place.see(at.x - centre[0]);
                    place.see(at.y - centre[1]);
                    for i in 0..2 {
                        place.see(wedged.points[i].x - centre[0] + 0.1 * normals[i][0]);
                        place.see(wedged.points[i].y - centre[1] + 0.1 * normals[i][1]);
                    }
                    let exact = [2.0 * G * b.sin() / det, 2.0 * G * a.sin() / det];
                    force.see(wedged.normal_forces[0] - exact[0]);
                    force.see(wedged.normal_forces[1] - exact[1]);
                    let last = run.samples.last().expect("samples");
                    assert_eq!([last.normal_force, last.second_normal_force], wedged.normal_forces);
                    assert_eq!(wedged.other_friction.is_none(), friction == "0.0");
                    assert_energy_falls(&run, 1e-9);
                    longest = longest.max(run.events.len());
                    if x == 0.0 && a == b {
                        // Both gaps close at once: two rows of one instant, each with its own impulse.
                        let [first, second] = [&run.events[0], &run.events[1]];
                        assert!(first.time() == second.time() && first.place != second.place, "{:?}", run.kinds());
                        assert_eq!([first.kind, second.kind], [EventKind::Impact; 2]);
                        let speed = (2.0 * G * (1.5 - centre[1])).sqrt();
                        let impulse = (1.0 + e) * 2.0 * speed / (2.0 * a.cos());
                        for event in [first, second] {
                            assert!((event.normal_impulse - impulse).abs() < 1e-12, "{}", event.normal_impulse);
                            assert!((event.velocity_before().0 + speed * a.cos()).abs() < 1e-12);
                            assert!((event.velocity_after().0 - e * speed * a.cos()).abs() < 1e-12);
                        }
                    }
                    if e > 0.0 && friction == "0.0" {
                        assert!(run.summary.count.captures > 0);
                    }
                }
            }
        }
    }
    println!("rest {:e} m, forces {:e} N, at most {longest} events", place.0, force.0);
    assert!(place.0 <= 1e-10 && force.0 <= 1e-10);
    assert!(longest < 2000);
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

/// A ball that spins where it is wedged slips on both walls: `λ₁ + λ₂ = m g/((1+μ²) cos a)`, so that it stops after
/// `ω k R (1+μ²) cos a/(μ g)`. With μ > tan a friction carries it up the wall instead.
#[test]
fn spins_between_two_walls() {
    let a = 0.7_f64;
    let scenario = |a: f64, mu: f64, force: &str| {
        format!(
            r#"
        ball = {{ radius = 0.1 }}
        initial = {{ position = [0.0, {:?}], spin = 30.0 }}
        ground = {{ curve = {{ kind = "polyline", points = [[{:?}, {:?}], [0, 0], [{:?}, {:?}]] }} }}
        contact = {{ friction = {mu:?} }}
        forces = {{ external = {{ x = "0", y = "{force}" }} }}
        solver = {{ duration = 3.0, tolerance = 1e-11 }}
    "#,
            0.1 / a.cos(),
            -5.0 * a.cos(),
            5.0 * a.sin(),
            5.0 * a.cos(),
            5.0 * a.sin()
        )
    };
    let mu = 0.2;
    let spins = run(&scenario(a, mu, "0"), &[]);
    assert_eq!(spins.kinds(), ["rest"]);
    let exact = 30.0 * 0.4 * 0.1 * (1.0 + mu * mu) * a.cos() / (mu * G);
    assert!((spins.events[0].time() - exact).abs() < 1e-12, "{} for {exact}", spins.events[0].time());
    let early = &spins.samples[10];
    assert_eq!(early.phase, Phase::Sliding);
    let (sum, difference) =
        (early.normal_force + early.second_normal_force, early.normal_force - early.second_normal_force);
    assert!((sum - G / ((1.0 + mu * mu) * a.cos())).abs() < 1e-12, "{sum}");
    assert!((difference - mu * sum / a.tan()).abs() < 1e-12);
    assert_energy_falls(&spins, 1e-12);
    // Weight that grows as 1 + t: t + t²/2 is what t was.
    let grows = run(&scenario(a, mu, "-m*g*t"), &[]);
    let later = (1.0 + 2.0 * exact).sqrt() - 1.0;
    assert_eq!(grows.kinds(), ["rest"]);
    assert!((grows.events[0].time() - later).abs() < 1e-11, "{} for {later}", grows.events[0].time());
    assert_energy_falls(&grows, 1e-10);
    let climbs = run(&scenario(0.15, 0.5, "0"), &[]);
    let highest = climbs.samples.iter().map(|sample| sample.state.position.y).fold(0.0, f64::max);
    assert!(climbs.samples[5].state.position.x < -1e-4 && highest > 0.11, "{highest}");
    assert_energy_falls(&climbs, 1e-9);
}

/// A wedged ball that a growing force pushes aside leaves one wall when the load passes the other wall's normal.
#[test]
fn pushed_out_of_a_v() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 0.141421356237309505] }
        ground = { curve = { kind = "polyline", points = [[-3, 3], [0, 0], [3, 3]] } }
        forces = { external = { x = "2*t" } }
        solver = { duration = 5.2 }
    "#;
    for (friction, kind) in [("0.0", EventKind::Slip), ("infinite", EventKind::Stick), ("0.3", EventKind::Stick)] {
        let run = run(text, &[&format!("contact.friction={friction}")]);
        let out = &run.events[0];
        assert_eq!(out.kind, kind, "{:?}", run.kinds());
        assert!((out.time() - 0.5 * G).abs() < 1e-11, "{}", out.time());
        assert!(run.summary.state.position.x > 1e-4);
        assert_energy_falls(&run, 1e-9);
    }
    // And lifted straight out.
    let up = run(text, &["forces.external={ y = \"3*t\" }", "contact.friction=0.8"]);
    let off = up.first(EventKind::LiftOff);
    assert!((off.time() - G / 3.0).abs() < 1e-11, "{}", off.time());
}

/// Rolling down a slope into a wall with restitution: bounces along the ground, ever shorter, end in the corner.
#[test]
fn chatters_against_a_wall() {
    for radius in ["0.1", "0.0"] {
        for friction in ["0.0", "0.3", "infinite"] {
            for e in ["0.3", "0.6", "0.9"] {
                let text = format!(
                    r#"
        ball = {{ radius = {radius} }}
        initial = {{ contact = {{ s = 1.0, speed = 0.4, spin = "rolling" }} }}
        ground = {{ curve = {{ kind = "polyline", points = [[-3, 1], [0, 0], [0.5, 3]] }} }}
        contact = {{ restitution = {e}, friction = 0.0 }}
        solver = {{ duration = 40.0 }}
    "#
                );
                let settings = format!("contact.friction={friction}");
                // A point with friction comes to rest on the slope.
                if radius == "0.0" && friction != "0.0" {
                    continue;
                }
                let run = run(&text, &[&settings]);
                assert!(run.summary.wedged.is_some(), "{radius} {friction} {e}: {:?}", run.kinds());
                assert!(run.captures.iter().any(|capture| capture.reason == CaptureReason::TwoWalls));
                assert!(run.events.len() < 3000, "{}", run.events.len());
                assert_energy_falls(&run, 1e-8);
            }
        }
    }
}

/// A ball that rocks between two walls by its spin alone (e = 0, e_t near 1), ever shorter: hops below rounding are captured.
#[test]
fn rocks_by_its_spin() {
    let text = r#"
        ball = { radius = 0.17605441187206194, inertia = 0.16215103128464345 }
        initial = { position = [-0.7348043090797421, 2.297580774523596], velocity = [-2.216369680277333, 0.5486435530278345], spin = -7.397230284568423 }
        ground = { curve = { kind = "polyline", points = [[-2.6, 9.0], [-2.0, -0.582452037780225], [-1.3333333333333335, 0.3303353660856974], [-0.6666666666666667, 0.3685883006483357], [0.0, -0.5033236555839607]] } }
        contact = { restitution = 0.0, tangential-restitution = 0.9840585522437788, friction = 1.5036211468455807 }
        forces = { external = { x = "m*g*sin(t)" } }
        solver = { duration = 1.3, limit = 30000 }
    "#;
    let run = run(text, &[]);
    let end = run.captures.iter().find(|capture| capture.reason == CaptureReason::TwoWalls).expect("a capture");
    println!("{} events; {end:?}", run.events.len());
    assert!(end.dissipated < 1e-12 && end.velocity_bound < 1e-4 && end.duration == end.time_bound, "{end:?}");
    assert!(run.summary.wedged.is_some() && run.summary.state.spin == 0.0);
    assert_energy_falls(&run, 1e-8);
}

/// Friction without limit, and an impact that leaves the other wall closed: the ball falls on a floor beside a wall that it
/// touches, `v_x = k R ω` is stopped there, and it goes up the wall rolling, with `e v_y/(1+k)`.
#[test]
fn grips_the_wall_it_goes_along() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.1, 0.1], velocity = [-0.2, -2.0], spin = -5.0 }
        ground = { curve = { kind = "polyline", points = [[0, 3], [0, 0], [3, 0]] } }
        contact = { restitution = 0.5, friction = "infinite" }
        solver = { duration = 0.05 }
    "#;
    let run = run(text, &[]);
    let hit = &run.events[0];
    let rolls = 0.5 * 2.0 / 1.4;
    assert_eq!([hit.kind, run.events[1].kind], [EventKind::Impact; 2]);
    assert!((hit.after.velocity.y - rolls).abs() < 1e-14 && hit.after.velocity.x.abs() < 1e-14, "{:?}", hit.after);
    assert!((hit.after.spin * 0.1 - rolls).abs() < 1e-14, "{:?}", hit.after);
    assert_energy_falls(&run, 1e-12);
}

/// A ball wedged in a V that is carried about stays at rest in it: `λ₁ n₁ + λ₂ n₂ = −F + m p̈`. The summary shows the
/// places that touch it where they then are.
#[test]
fn wedged_in_a_v_that_is_carried() {
    let (amplitude, omega) = (0.05_f64, 7.0_f64);
    let text = r#"
        ball = { radius = 0.1, mass = 2.0 }
        initial = { position = [0.0, 0.16] }
        ground.curve = { kind = "polyline", points = [[-3, 3], [0, 0], [3, 3]] }
        ground.motion = { x = "A*sin(w*t)", y = "0.6*A*sin(w*t)", parameters = { A = 0.05, w = 7 } }
        contact = { friction = 0.3 }
        solver = { duration = 2.5 }
    "#;
    let run = run(text, &[]);
    let (mut worst, root) = (Worst::default(), 0.5_f64.sqrt());
    for sample in run.samples.iter().filter(|sample| sample.state.time > 1.5) {
        assert_eq!(sample.phase, Phase::Resting, "{:?}", run.kinds());
        let pushed = -amplitude * omega * omega * (omega * sample.state.time).sin() * 2.0;
        // n₁ = (1, 1)/√2, n₂ = (−1, 1)/√2.
        let (x, y) = (pushed, 2.0 * G + 0.6 * pushed);
        worst.see(sample.normal_force - root * (y + x));
        worst.see(sample.second_normal_force - root * (y - x));
        worst.see(sample.state.velocity.norm() + sample.state.spin);
    }
    let wedged = run.summary.wedged.expect("wedged");
    let mut record = kugelbahn::output::Recorder::new(&run.scenario, None, Box::new(|_| ())).unwrap();
    record.captures = run.captures.clone();
    let shown = kugelbahn::output::summary_json(&run.scenario, &kugelbahn::Outcome::Events(run.summary), &record);
    let origin = amplitude * (omega * 2.5).sin();
    for (i, side) in [-1.0, 1.0].into_iter().enumerate() {
        let point = run.scenario.scene.world_point(2.5, wedged.points[i]);
        worst.see(point.x - origin - side * 0.1 * root);
        worst.see(point.y - 0.6 * origin - 0.1 * (2.0_f64.sqrt() - root));
        assert!(shown.contains(&format!("{:?}", point.x)) && shown.contains(&format!("{:?}", point.y)), "{shown}");
    }
    println!("{:e}", worst.0);
    assert!(worst.0 < 1e-10 && run.summary.unexplained().abs() < 1e-9, "{:e}", run.summary.unexplained());
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
        let Count { impacts_without_restitution, impacts_with_e_for_e_t, .. } = run.summary.count;
        choices.set([without + impacts_without_restitution, for_both + impacts_with_e_for_e_t]);
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
