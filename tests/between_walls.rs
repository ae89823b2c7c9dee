//! A ball between two walls, against closed forms.

use supervisor::{CaptureReason, EventKind, Phase};

use crate::corners::assert_energy_falls;
use crate::harness::{Worst, run};

const G: f64 = 9.81;

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

/// A ball whose spin drives it to and fro between two walls (e = 0), ever slower, under a force of time: it comes to spin in place, until
/// friction of both walls has stopped that. The impulses of the capture could not have stopped it.
#[test]
fn spins_on_where_its_impacts_end() {
    let scenes = [
        ("[0, 1]", 0.0, [3.1810356553621184, 0.4763181044827173], "1.352*max(t-0.5,0)"),
        ("[-0.06929267994018123, 1]", 15.74091872956118, [0.7002540470013789, 3.943660882453651], "-3.659*sin(2*t)"),
    ];
    for (position, spin, [left, right], force) in scenes {
        let text = format!(
            r#"
            ball.radius = 0.05
            initial = {{ position = {position}, spin = {spin:?} }}
            ground.curve = {{ kind = "polyline", points = [[-2, {left:?}], [0, 0], [2, {right:?}]] }}
            forces.external.x = "{force}"
            contact.friction = 0.1
            solver = {{ duration = 3, tolerance = 1e-11 }}
            "#
        );
        let ends = ["newmark", "dop853", "radau"].map(|method| {
            let run = run(&text, &[&format!("solver.method={method}")]);
            let end = run.captures.iter().find(|capture| capture.reason == CaptureReason::TwoWalls).expect("a capture");
            let after =
                run.events.iter().find(|event| event.time() >= end.start.time + end.duration).expect("its landing");
            assert!(end.normal_impulse.abs() < 1e-5 && after.after.spin.abs() > 0.1, "{end:?} {after:?}");
            let stops = run.events.iter().find(|event| event.time() > after.time() && event.after.spin == 0.0);
            assert_energy_falls(&run, 1e-9);
            [end.start.time, stops.expect("spin comes to rest").time()]
        });
        for other in &ends[1..] {
            assert!(other.iter().zip(ends[0]).all(|(a, b)| (a - b).abs() < 1e-7), "{ends:?}");
        }
    }
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

/// In a very narrow V both impulses are as much larger than the momentum as the walls are steep: their rounding is no lost momentum.
#[test]
fn narrow_v() {
    for depth in ["100000", "1e6"] {
        for radius in [0.0, 0.05] {
            for friction in ["0", "0.3", "\"infinite\""] {
                let text = format!(
                    r#"
                    ball.radius = {radius:?}
                    initial = {{ position = [0, {:?}], velocity = [1e-5, 0] }}
                    ground.curve = {{ kind = "polyline", points = [[-1, {depth}], [0, 0], [1, {depth}]] }}
                    contact.friction = {friction}
                    solver.duration = 3
                    "#,
                    10.0 + radius * depth.parse::<f64>().unwrap_or(0.0)
                );
                let run = run(&text, &[]);
                assert_eq!(run.summary.phase, Phase::Resting, "{depth} {radius} {friction}: {:?}", run.kinds());
            }
        }
    }
}

/// Walls with a friction each, one of them without any: what friction on one of them turns drives the ball off the other, momentum is
/// kept and energy falls.
#[test]
fn walls_with_frictions_of_their_own() {
    let mut twice = 0;
    for (first, second) in
        [("0", "0.5"), ("0.1", "0"), ("0", "\"infinite\""), ("\"infinite\"", "0"), ("0.1", "\"infinite\"")]
    {
        for tangential in [-1.0, -0.5, 0.5, 1.0] {
            for (left, right) in [(0.5, 1.9), (1.9, 0.4), (1.0, 1.0), (0.3, 0.2)] {
                let text = format!(
                    r#"
                    ball.radius = 0.1
                    initial = {{ position = [0.05, 1], velocity = [-0.3, 0], spin = 20 }}
                    contact.tangential-restitution = {tangential:?}
                    solver.duration = 4
                    [[ground]]
                    name = "left"
                    curve = {{ kind = "line", from = [-3, {:?}], to = [0, 0] }}
                    contact = {{ friction = {first}, restitution = 0.6 }}
                    [[ground]]
                    name = "right"
                    curve = {{ kind = "line", from = [0, 0], to = [3, {:?}] }}
                    contact = {{ friction = {second} }}
                    "#,
                    3.0 * left,
                    3.0 * right
                );
                // It ends Unbalanced where momentum is lost.
                let run = run(&text, &[]);
                assert_energy_falls(&run, 1e-9);
                twice += run.summary.count.two_contact_impacts;
            }
        }
    }
    assert!(twice > 100, "{twice}");
}
