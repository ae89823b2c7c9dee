//! Methods of one's own in the commands.

use std::path::Path;
use std::sync::Arc;

use kugelbahn::compare::{ComparisonPlan, Draft, Measure, cases, compare, comparison_report, converge, methods};
use kugelbahn::stepping::SteppingStop;
use kugelbahn::terminal::Style;

use super::*;

#[path = "../../examples/own_formulation.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_formulation;

#[path = "../../examples/own_dae.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_dae;
#[path = "../../examples/own_stepping.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_stepping;

const BOWL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/src/bin/dae_formulations/scenario.toml");
const HILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/src/bin/over_the_hills/scenario.toml");

fn known() -> Arc<Methods> {
    Methods::builtin().with_formulation("rk4", |control| own_formulation::Rk4.stepped(control)).into()
}

fn plan() -> ComparisonPlan<'static> {
    ComparisonPlan { tries: 0, closed_form: None, progress: &|_, _, _| {} }
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

/// A scheme that counts restarts, as a ball is let go later, and then can't go on.
struct Weary(Arc<std::sync::atomic::AtomicUsize>, own_stepping::Symplectic);

impl SteppingScheme for Weary {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        if motion.time > 0.75 {
            return Err(SchemeError { reason: "weary after so many s", value: motion.time });
        }
        self.1.step(system, motion, h, contacts)
    }

    fn restart(&mut self) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn a_scheme_of_time_stepping_moves_several_balls_is_restarted_and_may_fail() {
    let restarts = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = restarts.clone();
    let methods = Methods::builtin().with_stepping("weary", move |_| Weary(counted.clone(), own_stepping::Symplectic));
    let text = "contact = { restitution = 0.5, friction = 0.3 }\nground.curve = { kind = \"graph\", y = \"x^2/4\" }\n\
        solver = { method = \"weary\", step = 1e-3, duration = 1 }\n[[ball]]\nradius = 0.1\ninitial = { position = [0, 1] }\n\
        [[ball]]\nradius = 0.05\ninitial = { position = [0.3, 1] }\n[[ball]]\nradius = 0.1\nrelease = 0.5\ninitial = { position = [0.5, 2] }\n";
    let document = scenario::Document::from_text(text, Path::new(""), &[], &methods.into()).unwrap();
    let scenario = kugelbahn::Scenario::of(&document).unwrap();
    let summary = kugelbahn::stepping::run_stepping(&scenario, &mut NoObserver);
    let stop = summary.stop.as_ref().unwrap().to_string();
    assert!(
        stop.contains("can't make the step of 0.001 s from t = 0.75") && stop.contains("weary after so many s"),
        "{stop}"
    );
    assert_eq!(restarts.load(std::sync::atomic::Ordering::Relaxed), 2);
    // Contacts that it looks for a step ahead never go into the ground.
    assert!(summary.count.impacts > 0 && summary.deepest.is_none(), "{summary:?}");
    let (energy, start) = (summary.energy_end, summary.energy_start);
    assert!(energy.numerical().abs() < 0.01 * start.total(), "{energy:?}");
    assert!(energy.normal < 0.0 && energy.tangential < 0.0, "{energy:?}");
}

/// A scheme that sees no ground.
struct Ghost;

impl SteppingScheme for Ghost {
    fn step(
        &mut self,
        _: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        _: &mut Contacts,
    ) -> Result<(), SchemeError> {
        motion.position += h * &motion.velocity;
        Ok(())
    }
}

#[test]
fn a_ball_that_falls_through_the_ground_ends_the_run() {
    let methods: Arc<Methods> = Methods::builtin().with_stepping("ghost", |_| Ghost).into();
    let text = "ball.radius = 0.1\ninitial = { position = [0, 0.1505], velocity = [0, -1] }\n\
        ground.curve = { kind = \"graph\", y = 0 }\nsolver = { method = \"ghost\", step = 1e-3, duration = 1 }\n";
    let document = scenario::Document::from_text(text, Path::new(""), &[], &methods).unwrap();
    let summary = kugelbahn::stepping::run_stepping(&kugelbahn::Scenario::of(&document).unwrap(), &mut NoObserver);
    let stop = summary.stop.unwrap();
    assert!(matches!(stop, SteppingStop::Through { ball: 0, time, .. } if (time - 0.153).abs() < 1e-9), "{stop:?}");
    assert!(stop.to_string().contains("ball 1 is on the far side of the ground at t = 0.153 s"), "{stop}");
    let deepest = summary.deepest.unwrap();
    assert!((deepest.depth - 0.1025).abs() < 1e-9 && deepest.other.is_none(), "{deepest:?}");
}

#[test]
fn a_scheme_of_time_stepping_is_compared_and_converges() {
    let known: Arc<Methods> = Methods::builtin().with_stepping("symplectic", |_| own_stepping::Symplectic).into();
    let draft = Draft::load_with(Path::new(BOWL), &[], &known).unwrap();
    let (list, all) = methods("--method", "moreau,symplectic", &known).unwrap();
    let wanted = [Measure::Position];
    let (convergence, _) = converge(&draft, &list, all, &[0.01, 0.005, 0.0025], Some(&wanted), &plan()).unwrap();
    for line in &convergence.lines {
        let errors: Vec<f64> = line.points.iter().filter_map(|point| point.error).collect();
        assert!(errors.len() == 3 && errors[2] < 0.6 * errors[0], "{}: {errors:?}", line.method.name());
    }
    let figure = kugelbahn::compare::work_precision_figure(&convergence.comparison).svg();
    assert!(figure.contains("symplectic") && figure.contains("evaluations of forces and ground"));
}

#[test]
fn a_scheme_of_time_stepping_is_swept() {
    let known: Arc<Methods> = Methods::builtin().with_stepping("symplectic", |_| own_stepping::Symplectic).into();
    let text = "ground.curve = { kind = \"graph\", y = 0 }\n\
        solver = { method = \"symplectic\", step = 1e-3, duration = 1.5 }\n";
    let one = "initial.position = [0, 1]\n";
    let two = "[[ball]]\nradius = 0.1\ninitial.position = [0, 1]\n[[ball]]\nradius = 0.1\ninitial.position = [1, 1]\n";
    let sweep = |observe: &str, balls: &str| {
        let request = sweep::Request {
            vary: vec!["contact.restitution=0.2,0.5,1.4".to_owned()],
            observe: observe.split(';').map(str::to_owned).collect(),
            ..Default::default()
        };
        let document = scenario::Document::from_text(&format!("{text}{balls}"), Path::new(""), &[], &known).unwrap();
        sweep::Sweep::new(document, request)
    };
    // What a method can't tell is refused for its run alone where the method varies.
    let request = sweep::Request {
        vary: vec!["solver.method=newmark,symplectic".to_owned()],
        observe: vec!["y(t=0.1)".to_owned()],
        ..Default::default()
    };
    let free = text.replace("method = \"symplectic\", ", "");
    let document = scenario::Document::from_text(&format!("{free}{one}"), Path::new(""), &[], &known).unwrap();
    let varied = sweep::Sweep::new(document, request).unwrap();
    let mut worker = sweep::Worker::new(&varied);
    assert_eq!([0, 1].map(|run| worker.run(run)), ["end", "refused"]);
    let swept = sweep("impact.2.time;end.y;events", one).unwrap();
    let mut worker = sweep::Worker::new(&swept);
    assert_eq!([0, 1, 2].map(|run| worker.run(run)), ["end", "end", "refused"]);
    let tables: Vec<_> = worker.tables().collect();
    let cell = |name: &str, row| tables[0].column(name).unwrap().number(row);
    let fall = (2.0_f64 / 9.81).sqrt();
    for (row, e) in [(0, 0.2), (1, 0.5)] {
        assert!((cell("impact.2.time", row) - fall * (1.0 + 2.0 * e)).abs() < 5e-3, "{}", cell("impact.2.time", row));
        assert!(cell("end.y", row).abs() < 2e-3 && cell("unexplained", row).abs() < 0.1, "{}", cell("end.y", row));
        assert!(cell("end", row) == 1.5 && cell("steps", row) == 1500.0 && cell("impacts", row) >= 2.0);
    }
    assert_eq!(cell("events", 0) + cell("events", 1), tables[1].rows() as f64);
    for (observe, balls, why) in [
        ("end.x;y(t=1)", one, "`y(t=1)` is of the path between events"),
        ("height", one, "`height` is of the path"),
        ("every 0.1 s: x", one, "`every … s` is of the path"),
        ("end.x", two, "has several"),
    ] {
        let error = sweep(observe, balls).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(why), "{observe}: {error}");
    }
}

#[test]
fn what_a_scheme_is_not_told_of_is_refused() {
    let methods: Arc<Methods> = Methods::builtin().with_stepping("symplectic", |_| own_stepping::Symplectic).into();
    let text = "initial.position = [0, 1]\nground.curve = { kind = \"graph\", y = 0 }\n";
    for (rest, why) in [
        ("solver.method = \"symplectic\"", "step"),
        ("solver = { method = \"symplectic\", step = 1e-3, theta = 0.6 }", "the method is \"symplectic\""),
        (
            "solver = { method = \"symplectic\", step = 1e-3 }\ncontact.rolling-damping = 1",
            "is told of forces and of contacts",
        ),
    ] {
        let document = scenario::Document::from_text(&format!("{text}{rest}"), Path::new(""), &[], &methods);
        let error = document.and_then(|document| kugelbahn::Scenario::of(&document)).unwrap_err().to_string();
        assert!(error.contains(why), "{rest}: {error}");
    }
    let taken = Methods::builtin().with_stepping("kern", |_| own_stepping::Symplectic).check().unwrap_err();
    assert!(taken.to_string().contains("\"kern\" is among the methods given"), "{taken}");
}
