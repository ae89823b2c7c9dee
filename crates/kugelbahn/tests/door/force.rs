//! Forces written in Rust.

use super::*;

/// N/m, to the origin.
const STIFFNESS: f64 = 40.0;

struct Spring;

impl AppliedForce for Spring {
    fn at<N: Number>(&self, _time: N, body: &Body<N>) -> [N; 2] {
        body.position.map(|x| x.scale(-STIFFNESS))
    }
}

fn spring(_time: f64, body: &Body<f64>) -> [f64; 2] {
    body.position.map(|x| -STIFFNESS * x)
}

/// Far above its ground.
fn swing() -> Simulation {
    let far = Ground::graph("-50").unwrap();
    Simulation::new(Ball::point(1.0).unwrap(), far).gravity([0.0, 0.0]).thrown_from([1.0, 0.0], [0.0, 2.0])
}

fn off(run: &Run) -> f64 {
    let (t, omega) = (run.end(), STIFFNESS.sqrt());
    let at = run.at(t).unwrap().position;
    (at.x - (omega * t).cos()).hypot(at.y - 2.0 / omega * (omega * t).sin())
}

#[test]
fn a_closure_is_followed_with_the_order_of_the_method() {
    let errors = [0.02, 0.01].map(|step| off(&swing().force(spring).step(step).run(2.0).unwrap()));
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 2.0).abs() < 0.05, "{errors:?}");
    for method in ["newmark", "bdf", "radau", "dop853"] {
        let run = swing().force(spring).method(method).tolerance(1e-11).run(2.0).unwrap();
        assert!(off(&run) < 1e-8, "{method}: {:e}", off(&run));
        // A closure's work is external work: the ledger has it.
        assert!(run.unexplained().abs() < 1e-8, "{method}: {:e}", run.unexplained());
    }
}

#[test]
fn a_force_in_rust_is_the_formula() {
    let scenario = "ball = { radius = 0.05, mass = 1.0 }\nground.curve = { kind = 'graph', y = '0.25*sin(pi*x)' }\n\
        initial = { position = [-0.75, 1.2], velocity = [3.5, 0.0] }\ncontact = { restitution = 0.7, friction = 0.2 }\n\
        solver.tolerance = 1e-9\nforces.external = { x = '-40*x', y = '-40*y + sin(t)' }";
    let plain = scenario.lines().filter(|line| !line.starts_with("forces")).collect::<Vec<_>>().join("\n");
    struct Same;
    impl AppliedForce for Same {
        fn at<N: Number>(&self, time: N, body: &Body<N>) -> [N; 2] {
            let [x, y] = body.position;
            [x.scale(-40.0), y.scale(-40.0) + time.sin()]
        }
    }
    let formula = Simulation::from_text(scenario).unwrap().run(1.6).unwrap();
    let same = Simulation::from_text(&plain).unwrap().applied_force(Same).run(1.6).unwrap();
    let closure = |t: f64, body: &Body<f64>| [-40.0 * body.position[0], -40.0 * body.position[1] + t.sin()];
    let closure = Simulation::from_text(&plain).unwrap().force(closure).run(1.6).unwrap();
    assert!(formula.events().len() > 3, "{:?} {:?}", formula.events().len(), formula.ended());
    // Impacts before bounces accumulate; later ones stand on the differences of all before them.
    for (run, allowed) in [(same, 1e-13), (closure, 1e-9)] {
        assert_eq!(run.events().len(), formula.events().len());
        for (a, b) in run.events().iter().zip(formula.events()) {
            let apart = (a.time() - b.time()).abs();
            assert!(a.kind == b.kind && apart <= allowed, "{apart:e}: {a:?} {b:?}");
        }
    }
}

#[test]
fn variants_keep_the_force_and_another_takes_its_place() {
    let pushed = drop().force(|_, _| [1.0, 0.0]);
    for variant in [
        pushed.clone(),
        pushed.clone().restitution(0.1),
        pushed.clone().set("contact.restitution", 0.1).unwrap(),
        // Read again.
        pushed.clone().set("solver.capture-speed", 0.2).unwrap(),
        pushed.clone().set("ball.radius", 0.01).unwrap(),
        pushed.clone().set("ground.curve.y", "-0.1").unwrap(),
        pushed.clone().set("ball.mass", 1).unwrap(),
    ] {
        assert!((variant.run(0.3).unwrap().at(0.3).unwrap().velocity[0] - 1.3).abs() < 1e-12);
    }
    let other = pushed.force(|_, _| [2.0, 0.0]).run(0.3).unwrap();
    assert!((other.at(0.3).unwrap().velocity[0] - 1.6).abs() < 1e-12);
    let spring = swing().applied_force(Spring).tolerance(1e-11).run(2.0).unwrap();
    assert!(off(&spring) < 1e-8);
}
