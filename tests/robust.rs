//! Random scenarios of every kind: no run may stop but for a reason that is allowed, hang, or fall through.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rolling::RollingError;
use supervisor::{Sample, Stop};

use crate::harness::attempt;

fn grounds() -> impl Strategy<Value = String> {
    let sine = (0.02..0.5f64, 0.5..4.0f64, -0.3..0.3f64)
        .prop_map(|(a, k, tilt)| format!("{{ kind = \"graph\", y = \"{a:?}*sin({k:?}*x) + {tilt:?}*x\" }}"));
    let bowl = (0.1..1.0f64).prop_map(|a| format!("{{ kind = \"graph\", y = \"{a:?}*x^2\" }}"));
    let wedge =
        (0.1..1.0f64, 0.1..1.0f64).prop_map(|(a, b)| format!("{{ kind = \"graph\", y = \"max(-{a:?}*x, {b:?}*x)\" }}"));
    let crest = (0.1..1.5f64).prop_map(|a| format!("{{ kind = \"graph\", y = \"-{a:?}*abs(x)\" }}"));
    let line = (-0.5..0.5f64, 0.1..1.0f64).prop_map(|(tilt, half)| {
        format!("{{ kind = \"line\", from = [-{half:?}, {:?}], to = [{half:?}, {tilt:?}] }}", -tilt)
    });
    let steps = proptest::collection::vec(-0.4..0.4f64, 5).prop_map(|h| {
        let points: Vec<String> = h.iter().zip(-2..).map(|(y, x)| format!("[{x}.0, {y:?}]")).collect();
        format!("{{ kind = \"polyline\", points = [{}] }}", points.join(", "))
    });
    let circle = (2.5..4.0f64)
        .prop_map(|r| format!("{{ kind = \"circle\", centre = [0, 1.5], radius = {r:?}, side = \"inside\" }}"));
    let dome = (0.3..1.0f64)
        .prop_map(|r| format!("{{ kind = \"circle\", centre = [0, 0], radius = {r:?}, side = \"outside\" }}"));
    prop_oneof![sine, bowl, wedge, crest, line, steps, circle, dome]
}

fn scenarios() -> impl Strategy<Value = String> {
    let ball = (prop_oneof![Just(0.0), 0.01..0.3f64], 0.1..=1.0f64);
    let start = (-0.9..0.9f64, 1.6..2.5f64, -3.0..3.0f64, -3.0..3.0f64, -50.0..50.0f64);
    let e = prop_oneof![Just(0.0), 0.05..0.95f64, Just(1.0)];
    let mu = prop_oneof![
        Just("0.0".to_owned()),
        (0.05..1.0f64).prop_map(|m| format!("{m:?}")),
        Just("\"infinite\"".to_owned())
    ];
    let law = (e, -1.0..=1.0f64, mu, prop_oneof![Just(0.0), 0.01..1.0f64]);
    let drag = prop_oneof![Just(0.0), 0.001..0.1f64];
    let push = prop_oneof![Just("0"), Just("2*sin(5*t)"), Just("-0.5*x*m"), Just("m*g*sin(t)/2")];
    let solver = prop_oneof![
        Just("tolerance = 1e-6"),
        Just("tolerance = 1e-9"),
        Just("tolerance = 1e-11"),
        Just("tolerance = 1e-9, formulation = \"arc-length\""),
        Just("step = 0.01"),
        Just("step = 0.002, formulation = \"projected\""),
        Just("step = 0.01, extrapolate = true"),
        Just("step = 0.005, formulation = \"index3\""),
        Just("step = 0.005, formulation = \"stabilized-index2\""),
        Just("step = 0.3"),
    ];
    (ball, start, grounds(), law, drag, push, solver).prop_map(
        |((radius, k), (x, y, vx, vy, spin), ground, (e, e_t, mu, damping), drag, push, solver)| {
            format!(
                r#"
        ball = {{ radius = {radius:?}, inertia = {k:?} }}
        initial = {{ position = [{x:?}, {y:?}], velocity = [{vx:?}, {vy:?}], spin = {spin:?} }}
        ground = {{ curve = {ground} }}
        contact = {{ restitution = {e:?}, tangential-restitution = {e_t:?}, friction = {mu}, rolling-damping = {damping:?} }}
        forces = {{ drag = {{ coefficient = {drag:?} }}, external = {{ x = "{push}" }} }}
        solver = {{ {solver}, duration = 4.0, limit = 100000 }}
        output = {{ interval = 0.02 }}
    "#
            )
        },
    )
}

/// 1000 of them. Allowed reasons to stop: coming at an end from behind, and
/// at fixed steps of 0.3 s on curved ground a step that does not converge. Nothing falls through closed or endless ground.
///
/// (8000 runs with another seed once found storms of slip events, places left 6e-4 m beyond a corner, and slip events that
/// were none: see the history of `contact_phase.rs` and `watch.rs`. What remains of them is one second contact met 7e-5 m
/// late at a step of 0.3 s, because the way a step may go is taken from the acceleration at its start.)
#[test]
fn random_scenarios() {
    let config = Config { cases: 1000, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]));
    let tally = std::cell::RefCell::new(std::collections::BTreeMap::<&str, u32>::new());
    let outcome = runner.run(&scenarios(), |text| {
        let run = attempt(&text, &[]);
        let reason = match run.summary.stop {
            None => "end",
            Some(Stop::Behind { .. }) => "behind",
            Some(Stop::Rolling(RollingError::NoConvergence { .. })) if text.contains("step = 0.3") => "step too long",
            Some(stop) => return Err(TestCaseError::fail(format!("{stop}\n{text}"))),
        };
        *tally.borrow_mut().entry(reason).or_default() += 1;
        // Beside ground that ends there is nothing to fall through.
        let ends = text.contains("polyline") || text.contains("\"line\"");
        let gap = |sample: &Sample| run.scenario.scene.ground.gap(sample.state.position);
        let lowest = run.samples.iter().map(gap).fold(f64::INFINITY, f64::min);
        prop_assert!(ends || lowest >= -1e-9, "gap {lowest:e}\n{text}");
        let in_order = run.events.windows(2).all(|pair| pair[1].time() >= pair[0].time());
        prop_assert!(in_order, "{:?}\n{text}", run.kinds());
        Ok(())
    });
    println!("{:?}", tally.borrow());
    if let Err(error) = outcome {
        panic!("{error}");
    }
    assert!(tally.borrow()["end"] > 800, "{tally:?}");
}

fn soft_scenarios() -> impl Strategy<Value = String> {
    let damping = prop_oneof![Just(0.0), (-1.0..2.5f64).prop_map(|x| 10f64.powf(x))];
    let law = (3.5..8.0f64, damping, 0..3, proptest::bool::ANY).prop_map(|(stiffness, damping, law, pull)| {
        let stiffness = 10f64.powf(stiffness);
        let law = match law {
            0 => format!("law = \"hertz\", stiffness = {stiffness:?}, viscosity = {damping:?}"),
            1 => format!("law = \"kelvin-voigt\", stiffness = {stiffness:?}, damping = {damping:?}"),
            _ => format!("law = \"hunt-crossley\", stiffness = {stiffness:?}, damping = {:?}", 0.01 * damping),
        };
        format!("{law}, pull = {pull}")
    });
    let friction = prop_oneof![Just(0.0), 0.05..1.0f64];
    let start = (-0.9..0.9f64, 1.6..2.5f64, -3.0..3.0f64, -3.0..3.0f64, -50.0..50.0f64);
    let push = prop_oneof![Just("0"), Just("2*sin(5*t)"), Just("-0.5*x*m"), Just("m*g*sin(t)/2")];
    let tolerance = prop_oneof![Just(1e-5), Just(1e-7), Just(1e-9)];
    (0.02..0.3f64, start, grounds(), law, friction, 0.0..0.1f64, push, tolerance).prop_map(
        |(radius, (x, y, vx, vy, spin), ground, law, friction, drag, push, tolerance)| {
            format!(
                r#"
        ball = {{ radius = {radius:?} }}
        initial = {{ position = [{x:?}, {y:?}], velocity = [{vx:?}, {vy:?}], spin = {spin:?} }}
        ground = {{ curve = {ground} }}
        contact = {{ {law}, friction = {friction:?}, slip-speed = 0.05 }}
        forces = {{ drag = {{ coefficient = {drag:?} }}, external = {{ x = "{push}" }} }}
        solver = {{ tolerance = {tolerance:e}, duration = 2.0, limit = 20000 }}
        output = {{ interval = 0.02 }}
    "#
            )
        },
    )
}

/// 200 of a ball that gives way. Beside what stops rigid ones: compression by more than the radius, and a ball so stiff that its
/// oscillation takes more steps than allowed. The ledger closes.
#[test]
fn random_soft_scenarios() {
    let config = Config { cases: 200, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[12; 32]));
    let tally = std::cell::RefCell::new(std::collections::BTreeMap::<&str, u32>::new());
    let worst = std::cell::Cell::new(0.0_f64);
    let outcome = runner.run(&soft_scenarios(), |text| {
        let run = attempt(&text, &[]);
        let reason = match run.summary.stop {
            None => "end",
            Some(Stop::SecondContact { .. }) => "second contact",
            Some(Stop::Behind { .. }) => "behind",
            Some(Stop::Crushed { .. }) => "crushed",
            Some(Stop::Limit { .. }) => "limit",
            Some(stop) => return Err(TestCaseError::fail(format!("{stop}\n{text}"))),
        };
        *tally.borrow_mut().entry(reason).or_default() += 1;
        let newmark::Control::Tolerance(tolerance) = run.scenario.solver.control else { return Ok(()) };
        let energy = run.summary.energy_start.total().abs() + run.summary.energy_end.dissipated;
        let share = run.summary.unexplained().abs() / (tolerance.relative * energy.max(1.0));
        worst.set(worst.get().max(share));
        prop_assert!(share <= 10.0, "unexplained {share:e} tolerances\n{text}");
        let in_order = run.events.windows(2).all(|pair| pair[1].time() >= pair[0].time());
        prop_assert!(in_order, "{:?}\n{text}", run.kinds());
        Ok(())
    });
    println!("{:?}; unexplained: at most {:e} tolerances", tally.borrow(), worst.get());
    if let Err(error) = outcome {
        panic!("{error}");
    }
    assert!(tally.borrow()["end"] > 120, "{tally:?}");
}
