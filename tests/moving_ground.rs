//! Ground that is carried about, against closed forms.

use std::f64::consts::PI;

use reference::shaken_table::ShakenTable;
use supervisor::{EventKind, Phase, Stop};

use crate::harness::{Run, Worst, attempt, run};

const G: f64 = 9.81;

/// Level ground shaken up and down as `A sin(ωt + φ)`; phase by phase.
const TABLE: &str = r#"
    initial = { position = [0.0, 0.0], velocity = [0.0, 0.0] }
    ground.curve = { kind = "graph", y = 0 }
    ground.motion = { y = "A*sin(omega*t + phi)", parameters = { A = 0.01, omega = 40, phi = 0 } }
    contact = { restitution = 0.5 }
    solver = { tolerance = 1e-11, duration = 2.0 }
"#;

/// A run of so many periods from an impact of the orbit on, with the speed after it off by a part.
fn follow(orbit: &ShakenTable, periods: f64, off: f64, method: &str) -> Run {
    let height = orbit.amplitude() * orbit.phase().sin();
    let speed = orbit.launch_speed() * (1.0 + off);
    let settings = [
        format!("initial.position=[0.0, {height:?}]"),
        format!("initial.velocity=[0.0, {speed:?}]"),
        format!(
            "ground.motion.parameters={{ A = {:?}, omega = {:?}, phi = {:?} }}",
            orbit.amplitude(),
            orbit.omega,
            orbit.phase()
        ),
        format!("contact.restitution={:?}", orbit.restitution),
        format!("solver.duration={:?}", periods * orbit.period()),
        format!("solver.method={method}"),
    ];
    run(TABLE, &settings.each_ref().map(String::as_str))
}

/// Phase and impact speed of the one-periodic orbit, with every flight method; the same energy each period: what the table
/// gives is what impacts take.
#[test]
fn bounces_in_step_with_the_table() {
    for (e, gamma) in [(0.5, 1.3), (0.8, 0.9), (0.2, 2.3)] {
        let orbit = ShakenTable { gravity: G, restitution: e, omega: 60.0, gamma };
        for method in ["newmark", "dop853", "radau", "bdf"] {
            let run = follow(&orbit, 20.5, 0.0, method);
            let (mut late, mut fast) = (Worst::default(), Worst::default());
            assert_eq!(run.events.len(), 20, "{:?}", run.kinds());
            for (event, n) in run.events.iter().zip(1..) {
                assert_eq!(event.kind, EventKind::Impact);
                late.see((event.time() - f64::from(n) * orbit.period()) * orbit.omega);
                fast.see(event.velocity_before().0 + orbit.launch_speed() + orbit.table_speed());
            }
            println!("e = {e}, {method}: phase {:e} rad, speed {:e} m/s", late.0, fast.0);
            assert!(late.0 <= 1e-9 && fast.0 <= 1e-9, "e = {e}, {method}: {:e} {:e}", late.0, fast.0);
            let end = run.summary.energy_end;
            let given = (end.work - end.dissipated).abs() / end.work;
            assert!(run.summary.unexplained().abs() <= 1e-9 && end.work > 0.0 && given < 0.1, "{end:?}");
        }
    }
}

/// The orbit is stable up to a Γ = Aω²/g where the multiplier of a small disturbance passes −1.
#[test]
fn doubles_its_period_where_it_should() {
    for e in [0.3, 0.5, 0.7] {
        let threshold = ShakenTable::doubling(e);
        // Growth of the disturbance over ten periods, once the faster multiplier has died out.
        let growth = |gamma: f64| {
            let orbit = ShakenTable { gravity: G, restitution: e, omega: 60.0, gamma };
            let run = follow(&orbit, 40.5, 1e-5, "dop853");
            let speeds: Vec<f64> = run.events.iter().map(|event| event.velocity_before().0).collect();
            let swing = |n: usize| (speeds[n] - speeds[n + 1]).abs();
            (swing(37) / swing(27)).ln()
        };
        let (mut stable, mut unstable) = (threshold - 0.05, threshold + 0.05);
        assert!(growth(stable) < 0.0 && growth(unstable) > 0.0);
        while unstable - stable > 1e-5 {
            let middle = 0.5 * (stable + unstable);
            *(if growth(middle) < 0.0 { &mut stable } else { &mut unstable }) = middle;
        }
        let found = 0.5 * (stable + unstable);
        println!("e = {e}: Γ = {found}, exact {threshold}");
        assert!((found - threshold).abs() <= 1e-3, "e = {e}: {found} {threshold}");
    }
}

/// A slack ball rests on the table until the table falls away faster than it can, `Aω² sin ωt = g`; its flight from there
/// solves one equation; what it bounces afterwards comes to an end before the table throws it again.
#[test]
fn rests_is_thrown_and_comes_to_rest_again() {
    let (amplitude, omega) = (0.01, 34.0);
    let settings = [
        "ground.motion.parameters={ A = 0.01, omega = 34, phi = 0 }",
        "initial.velocity=[0.0, 0.34]",
        "solver.duration=3.0",
    ];
    let run = run(TABLE, &settings);
    let thrown = (G / (amplitude * omega * omega)).asin() / omega;
    // A(sin ωt − sin ωt₀) = Aω cos ωt₀ (t − t₀) − g (t − t₀)²/2, by bisection.
    let gap = |t: f64| {
        let d = t - thrown;
        amplitude * ((omega * thrown).sin() - (omega * t).sin() + omega * (omega * thrown).cos() * d) - 0.5 * G * d * d
    };
    let (mut up, mut down) = (thrown + 0.01, thrown + 0.5 * PI);
    assert!(gap(up) > 0.0 && gap(down) < 0.0);
    while down - up > 1e-16 && 0.5 * (up + down) > up && 0.5 * (up + down) < down {
        let middle = 0.5 * (up + down);
        *(if gap(middle) > 0.0 { &mut up } else { &mut down }) = middle;
    }
    let lift_off = run.first(EventKind::LiftOff);
    assert_eq!(lift_off.phase_before, Phase::Resting);
    let impact = run.first(EventKind::Impact);
    let fall = amplitude * omega * ((omega * thrown).cos() - (omega * up).cos()) - G * (up - thrown);
    let errors =
        [lift_off.time() - thrown, impact.time() - up, impact.velocity_before().0 - fall, run.summary.unexplained()];
    println!("{errors:?}");
    assert!(errors.iter().all(|error| error.abs() <= 1e-9), "{errors:?}");
    // Once a period, at the same phase, all over again.
    let period = 2.0 * PI / omega;
    let thrown_again: Vec<f64> = run.of(EventKind::LiftOff).map(|event| event.time()).collect();
    println!("{thrown_again:?}, {} captures", run.captures.len());
    assert!(thrown_again.len() >= 10 && run.captures.len() + 1 >= thrown_again.len());
    for time in thrown_again {
        let periods = (time - thrown) / period;
        assert!((periods - periods.round()).abs() * period <= 1e-9, "{periods}");
    }
    assert!(run.samples.iter().all(|sample| sample.normal_force >= 0.0));
}

/// On a table shaken to the side a block holds until `Aω² sin ωt = μg`, then it slips.
#[test]
fn slips_on_a_table_shaken_to_the_side() {
    let run = run(
        TABLE,
        &[
            "ground.motion={ x = \"0.02*sin(20*t)\" }",
            "initial.velocity=[0.4, 0.0]",
            "contact={ friction = 0.5 }",
            "solver.duration=0.2",
        ],
    );
    let slip = run.first(EventKind::Slip);
    let exact = (0.5 * G / (0.02 * 400.0)).asin() / 20.0;
    assert!((slip.time() - exact).abs() <= 1e-12, "{} {exact}", slip.time());
    assert!(run.summary.unexplained().abs() <= 1e-9);
    let held = run.samples.iter().take_while(|sample| sample.state.time < exact).last();
    assert!(held.is_some_and(|sample| sample.friction_force.abs() > 0.45 * G));
}

/// A bead on a smooth slope that is pushed with `g tan α` stays where it is, pressed on with `mg/cos α`.
#[test]
fn a_pushed_slope_holds_a_bead() {
    let run = run(
        r#"
            initial = { contact = { x = 0.0 } }
            ground.curve = { kind = "line", from = [-5.0, -5.0], to = [5.0, 5.0] }
            ground.motion = { x = "-9.81*t^2/2" }
            solver = { duration = 1.0 }
        "#,
        &["initial.contact.x=1.0"],
    );
    let state = run.scenario.scene.world(&run.summary.state);
    assert!((state.position.x - (1.0 - 0.5 * G)).abs() <= 1e-9 && (state.position.y - 1.0).abs() <= 1e-9);
    assert!((state.velocity.x + G).abs() <= 1e-9, "{state:?}");
    for sample in &run.samples {
        assert!((sample.normal_force - G * 2f64.sqrt()).abs() <= 1e-9, "{}", sample.normal_force);
    }
    let end = run.summary.energy_end;
    assert!((end.work - 0.5 * G * G).abs() <= 1e-8 && run.summary.unexplained().abs() <= 1e-8, "{end:?}");
}

/// A wall that comes with U: the ball leaves with `v' = (1+e)U − e v`, and the wall has done what it gained and lost.
#[test]
fn a_wall_that_comes() {
    let run = run(
        r#"
            initial = { position = [1.0, 0.0], velocity = [-3.0, 0.0] }
            ground.curve = { kind = "line", from = [0.0, 5.0], to = [0.0, -5.0] }
            ground.motion = { x = "2*t" }
            forces = { gravity = 0 }
            contact = { restitution = 0.5 }
            solver = { duration = 1.0 }
        "#,
        &[],
    );
    let impact = run.first(EventKind::Impact);
    let state = run.scenario.scene.world(&run.summary.state);
    assert!((impact.time() - 0.2).abs() <= 1e-15 && (state.velocity.x - 4.5).abs() <= 1e-14, "{state:?}");
    assert!((state.position.x - (0.4 + 0.8 * 4.5)).abs() <= 1e-14, "{state:?}");
    let end = run.summary.energy_end;
    let (lost, given) = (0.5 * (25.0 - 6.25), 2.0 * 7.5);
    assert!((end.dissipated - lost).abs() <= 1e-13 && (end.work - given).abs() <= 1e-13, "{end:?}");
}

/// Who moves evenly with the ground sees the same: bounces, slipping and rolling over hills with drag, wind and spin.
#[test]
fn moving_evenly_changes_nothing() {
    let still = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.0, 1.0], velocity = [1.0, 0.0], spin = 20.0 }
        ground.curve = { kind = "graph", y = "0.1*sin(3*x)" }
        forces = { drag = { coefficient = 0.02 }, wind = [0.5, 0.0], magnus = 0.001 }
        contact = { restitution = 0.6, friction = 0.2 }
        solver = { tolerance = 1e-10, duration = 4.0 }
    "#;
    let moving =
        ["ground.motion={ x = \"0.7*t\", y = \"-0.3*t\" }", "initial.velocity=[1.7, -0.3]", "forces.wind=[1.2, -0.3]"];
    let (still, moving) = (run(still, &[]), run(still, &moving));
    assert!(still.events.len() > 10);
    assert_eq!(still.kinds(), moving.kinds());
    let mut worst = Worst::default();
    for (a, b) in still.events.iter().zip(&moving.events) {
        worst.see(a.time() - b.time());
        worst.see((a.after.velocity - b.after.velocity).norm());
    }
    println!("{} events within {:e}", still.events.len(), worst.0);
    assert!(worst.0 <= 1e-6, "{:e}", worst.0);
    assert!(moving.summary.unexplained().abs() <= 1e-8, "{:e}", moving.summary.unexplained());
}

/// The ledger adds up in every row, also between the steps: here it is integrated under a force of inertia that turns about
/// within a step.
#[test]
fn every_row_adds_up() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 0.6] }
        [ground]
        curve = { kind = "line", from = [-1.0, 0.3], to = [2.0, -0.2] }
        motion = { x = "0.05*sin(20*t)" }
        [contact]
        friction = 0.0
        restitution = 0.5
        [solver]
        duration = 2.0
        [output]
        interval = 0.002
    "#;
    for tolerance in [1e-7, 1e-9, 1e-11] {
        let run = run(text, &[&format!("solver.tolerance={tolerance:e}")]);
        let scene = &run.scenario.scene;
        let start = run.summary.energy_start.total();
        let mut worst = Worst::default();
        for sample in &run.samples {
            let energy = scene.energy(sample.phase, &sample.state);
            worst.see(energy.total() - start + energy.dissipated - energy.work);
        }
        assert!(worst.0 < 40.0 * tolerance, "{:e} J at {tolerance:e}", worst.0);
    }
}

/// A motion that stops having a value ends the run there, with what was computed.
#[test]
fn a_motion_without_a_value_ends_the_run() {
    let run = attempt(TABLE, &["ground.motion={ y = \"-sqrt(1 - t)\" }", "initial.position=[0.0, 0.5]"]);
    assert!(run.summary.stop.is_some() && run.summary.state.time < 1.0 + 1e-9, "{:?}", run.summary);
}

/// A stop on ground that moves tells its places as they are seen from what stands still, as all else is told.
#[test]
fn places_of_stops_are_those_of_the_world() {
    let text = "ball = { radius = 1 }\ninitial = { position = [0, 2], velocity = [0.3, 0] }\nsolver.duration = 2\n\
                ground = { curve = { kind = 'graph', y = '0.5*x^2' }, motion = { x = '0.3*t' } }";
    let several = "ball = { radius = 1 }\ninitial = { position = [0, 2], velocity = [0.3, 0] }\nsolver.duration = 2\n\
                   [[ground]]\nname = 'bowl'\ncurve = { kind = 'graph', y = '0.5*x^2' }\nmotion = { x = '0.3*t' }\n\
                   [[ground]]\nname = 'far'\ncurve = { kind = 'line', from = [5, 0], to = [6, 0] }";
    for text in [text, several] {
        let run = attempt(text, &[]);
        let Some(Stop::Osculating { time, centre, point, .. }) = run.summary.stop else {
            panic!("{:?}", run.summary.stop)
        };
        assert!((time - (2.0 / G).sqrt()).abs() < 1e-11, "{time}");
        assert!((centre.x - 0.3 * time).abs() < 1e-12 && (centre.y - 1.0).abs() < 1e-10, "{centre}");
        // Along a valley of the ball's own radius the point is known to some 1e-5 m.
        assert!((point.x - 0.3 * time).abs() < 1e-4 && point.y.abs() < 1e-9, "{point}");
    }
}

/// Drag in summed-up bounces is that of the ball through the air: ground that moves in still air, seen from it, is ground in wind.
#[test]
fn bounces_are_summed_up_through_the_air() {
    const FALL: &str =
        "forces.drag.coefficient = 0.2\ncontact.restitution = 0.6\nsolver = { duration = 2.0, capture-speed = 0.3 }\n";
    let moves = "initial = { position = [0, 0.1], velocity = [10, 0] }\n\
                 ground = { curve = { kind = 'graph', y = '0' }, motion = { x = '10*t' } }";
    let stands =
        "initial = { position = [0, 0.1] }\nforces.wind = [-10, 0]\nground.curve = { kind = 'graph', y = '0' }";
    let ends = [moves, stands].map(|text| {
        let run = run(&format!("{FALL}{text}"), &[]);
        assert_eq!(run.captures.len(), 1);
        run.first(EventKind::Landing).time()
    });
    assert!((ends[0] - ends[1]).abs() < 1e-11, "{ends:?}");
}
