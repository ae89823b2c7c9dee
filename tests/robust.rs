//! Random scenarios of every kind: no run may stop but for a reason that is allowed, hang, or fall through.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rolling::RollingError;
use supervisor::{Sample, Stop};
use tests::scenarios::random::{rigid, scenarios, soft};
use tests::scenarios::{Control, Scenario};

use crate::harness::attempt;

/// Scenarios of rigid contact, by all methods and formulations.
fn rigid_scenarios() -> impl Strategy<Value = Scenario> {
    let tolerance = |tolerance: f64| Control::Tolerance { relative: tolerance, absolute: tolerance };
    let step = |step: f64| Control::Step { step, extrapolate: false };
    let solver = prop_oneof![
        Just((tolerance(1e-6), "symmetric")),
        Just((tolerance(1e-9), "symmetric")),
        Just((tolerance(1e-11), "symmetric")),
        Just((tolerance(1e-9), "arc-length")),
        Just((step(0.01), "symmetric")),
        Just((step(0.002), "projected")),
        Just((Control::Step { step: 0.01, extrapolate: true }, "symmetric")),
        Just((step(0.005), "index3")),
        Just((step(0.005), "stabilized-index2")),
        Just((step(0.3), "symmetric")),
    ];
    (scenarios(), rigid(), solver).prop_map(|(mut scenario, contact, (control, formulation))| {
        scenario.contact = contact;
        let solver = &mut scenario.solver;
        if let Control::Step { .. } = control {
            solver.method = "newmark";
        }
        (solver.control, solver.formulation) = (control, formulation);
        scenario
    })
}

/// 1000 of them. Allowed reasons to stop: coming at an end from behind, and
/// at fixed steps of 0.3 s on curved ground a step that does not converge. Nothing falls through the ground.
///
/// (8000 runs with another seed once found storms of slip events, places left 6e-4 m beyond a corner, and slip events that
/// were none: see the history of `contact_phase.rs` and `guard_search.rs` (`lift_off_slip_stick.rs`). What remains of them is one second contact met 7e-5 m
/// late at a step of 0.3 s, because the way a step may go is taken from the acceleration at its start.)
#[test]
fn random_scenarios() {
    let config = Config { cases: 1000, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]));
    let tally = std::cell::RefCell::new(std::collections::BTreeMap::<&str, u32>::new());
    let outcome = runner.run(&rigid_scenarios(), |scenario| {
        let text = scenario.to_string();
        let run = attempt(&text, &[]);
        let reason = match run.summary.stop {
            None => "end",
            Some(Stop::Osculating { .. } | Stop::Slot { .. }) => "as wide as the ball",
            Some(Stop::Rolling(RollingError::NoConvergence { .. })) if text.contains("step = 0.3") => "step too long",
            Some(stop) => return Err(TestCaseError::fail(format!("{stop}\n{text}"))),
        };
        *tally.borrow_mut().entry(reason).or_default() += 1;
        let gap = |sample: &Sample| run.scenario.scene.ground.gap(sample.state.position);
        let lowest = run.samples.iter().map(gap).fold(f64::INFINITY, f64::min);
        prop_assert!(lowest >= -1e-9, "gap {lowest:e}\n{text}");
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

fn soft_scenarios() -> impl Strategy<Value = Scenario> {
    let tolerance = prop_oneof![Just(1e-5), Just(1e-7), Just(1e-9)];
    (scenarios(), soft(), tolerance).prop_map(|(mut scenario, contact, tolerance)| {
        scenario.contact = contact;
        scenario.radius = scenario.radius.max(0.02);
        scenario.solver.control = Control::Tolerance { relative: tolerance, absolute: tolerance };
        scenario.solver.limit = 20_000;
        scenario
    })
}

/// 200 of a ball that gives way. Beside what stops rigid ones: compression by more than the radius, and a ball so stiff that its
/// oscillation takes more steps than allowed. The ledger closes.
#[test]
fn random_soft_scenarios() {
    let config = Config { cases: 200, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[12; 32]));
    let tally = std::cell::RefCell::new(std::collections::BTreeMap::<&str, u32>::new());
    let worst = std::cell::Cell::new(0.0_f64);
    let outcome = runner.run(&soft_scenarios(), |scenario| {
        let text = scenario.to_string();
        let run = attempt(&text, &[]);
        let reason = match run.summary.stop {
            None => "end",
            Some(Stop::SecondContact { .. }) => "second contact",
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
