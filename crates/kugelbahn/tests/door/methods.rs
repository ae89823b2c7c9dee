//! Methods of one's own in the commands.

use std::path::Path;
use std::sync::Arc;

use kugelbahn::compare::{Draft, Measure, Plan, cases, compare, comparison_report, converge, methods};
use kugelbahn::terminal::Style;

use super::*;

#[path = "../../examples/own_formulation.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_formulation;

#[path = "../../examples/own_dae.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_dae;

const BOWL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/src/bin/dae_formulations/scenario.toml");
const HILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/src/bin/over_the_hills/scenario.toml");

fn known() -> Arc<Methods> {
    Methods::builtin().with_formulation("rk4", |control| own_formulation::Rk4.stepped(control)).into()
}

fn plan() -> Plan<'static> {
    Plan { tries: 0, closed_form: None, progress: &|_, _, _| {} }
}

#[test]
fn runge_and_kutta_converge_with_order_4_beside_newmarks_2() {
    let known = known();
    let draft = Draft::load_with(Path::new(BOWL), &[], &known).unwrap();
    let (list, all) = methods("--method", "newmark,newmark:rk4", &known).unwrap();
    let wanted = [Measure::Position, Measure::NormalForce];
    let (convergence, _) = converge(&draft, &list, all, &[0.02, 0.01, 0.005], Some(&wanted), &plan()).unwrap();
    for (line, order) in convergence.lines.iter().zip([2.0, 4.0, 2.0, 4.0]) {
        let found = line.fit.map(|fit| fit.order).unwrap();
        assert!((found - order).abs() < 0.05, "{} {}: {found}", line.method.name(), line.observable.name());
    }
}

#[test]
fn eulers_own_multiplier_is_in_rows_and_converges_with_order_1() {
    let known: Arc<Methods> =
        Methods::builtin().with_formulation("euler", |control| own_dae::ImplicitEuler.stepped(control)).into();
    let draft = Draft::load_with(Path::new(BOWL), &[], &known).unwrap();
    let (list, all) = methods("--method", "newmark:euler", &known).unwrap();
    let wanted = [Measure::Position, Measure::NormalForce];
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    let (convergence, _) = converge(&draft, &list, all, &steps, Some(&wanted), &plan()).unwrap();
    for line in convergence.lines {
        let found = line.fit.map(|fit| fit.order).unwrap();
        assert!((found - 1.0).abs() < 0.1, "{}: {found}", line.observable.name());
    }
    let run = Simulation::from_file_with(BOWL, known).unwrap().formulation("euler").run(1.0).unwrap();
    assert!(run.summary_json().contains("\"normal_force\": \"multiplier\""), "{}", run.summary_json());
    // In the bowl its λ₁ is m (v₁ − v₀)·n₁/h − F·n₁, which the law's m v²/R − F·n₁ at the end of the step is not.
    let now = run.at(0.5).unwrap();
    let law = now.velocity.norm_squared() + G * -now.position.y;
    assert!((now.normal_force - law).abs() > 1e-3, "{} and {law}", now.normal_force);
}

/// Fails halfway, in its own words.
#[derive(Clone)]
struct Fails;

impl DaeScheme for Fails {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        let late = SchemeError { reason: "the rounds do not settle; time, in s", value: start.time };
        if start.time > 0.4 { Err(late) } else { DaeScheme::step(&mut own_dae::ImplicitEuler, dae, start, h) }
    }
}

#[test]
fn a_scheme_that_fails_says_so_in_its_own_words() {
    let known: Arc<Methods> = Methods::builtin().with_formulation("fails", |control| Fails.stepped(control)).into();
    let words = "could not be made: the rounds do not settle; time, in s: 0.40";
    let run = Simulation::from_file_with(BOWL, known.clone()).unwrap().formulation("fails").run(1.0);
    let error = run.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    let draft = Draft::load_with(Path::new(BOWL), &[], &known).unwrap();
    let (list, all) = methods("--method", "newmark:fails,newmark", &known).unwrap();
    let (cases, left_out) = cases(&draft, &list, all, None, None).unwrap();
    let report = comparison_report(&compare(&draft, &cases, &plan()).unwrap(), &left_out, Style { colour: false });
    assert!(report.contains(words) && !report.contains("undefined"), "{report}");
}

#[test]
fn all_methods_are_listed_once_and_with_the_reason() {
    let known = known();
    let settings = ["solver.duration=1.0".to_owned()];
    let draft = Draft::load_with(Path::new(HILLS), &settings, &known).unwrap();
    let (list, all) = methods("--methods", "all", &known).unwrap();
    let (cases, left_out) = cases(&draft, &list, all, None, None).unwrap();
    assert!(left_out.iter().any(|why| why.starts_with("newmark:index3") && why.contains("symmetric")), "{left_out:?}");
    let comparison = compare(&draft, &cases, &plan()).unwrap();
    let report = comparison_report(&comparison, &left_out, Style { colour: false });
    let rows = |name: &str| report.lines().filter(|line| line.split_whitespace().next() == Some(name)).count();
    assert_eq!(["newmark", "bdf", "moreau"].map(rows), [1, 0, 1], "{report}");
    for said in ["the same run as newmark (tol", "bdf, ", "newmark:rk4", "fly exactly"] {
        assert!(report.contains(said), "{said}: {report}");
    }
}

#[test]
fn a_flight_method_that_has_nothing_to_fly_is_refused() {
    let known = known();
    let draft = Draft::load_with(Path::new(BOWL), &[], &known).unwrap();
    let steps = [0.02, 0.01];
    let (list, all) = methods("--method", "newmark,bdf", &known).unwrap();
    let error = converge(&draft, &list, all, &steps, None, &plan()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("\"bdf\"") && error.contains("stays on the ground"), "{error}");
    let (list, all) = methods("--method", "all", &known).unwrap();
    let (convergence, left_out) = converge(&draft, &list, all, &steps, Some(&[Measure::Position]), &plan()).unwrap();
    assert!(left_out.iter().any(|why| why.contains("\"dop853\" has nothing to fly")), "{left_out:?}");
    assert!(convergence.lines.iter().all(|line| !line.method.name().starts_with("bdf")));
}
