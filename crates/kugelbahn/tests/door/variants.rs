//! One simulation, changed: by its methods, by key in place, by key and read again.

use super::*;

#[derive(Debug)]
struct Parabola(f64);

impl Profile for Parabola {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, (s * s).scale(self.0)]
    }
}

fn bowl() -> Methods {
    Methods::builtin().with_ground("bowl", |keys| {
        let (curvature, reach) = (keys.number("curvature")?, keys.number_or("reach", 3.0));
        Ok(vec![Piece::new(Parabola(0.5 * curvature), Interval::new(-reach, reach))])
    })
}

const BOWL: &str = "ground.curve = { kind = 'bowl', curvature = 2.0 }\ninitial.contact = { s = 0.1, speed = 0.0 }";

#[test]
fn a_method_and_a_key_say_the_same() {
    // Drag, as flight is exact without it, whoever makes it.
    let base = hills().drag(0.01);
    let pairs = [
        (base.clone().restitution(0.9), base.clone().set("contact.restitution", 0.9)),
        (base.clone().friction(0.1), base.clone().set("contact.friction", 0.1)),
        (base.clone().tangential_restitution(0.3), base.clone().set("contact.tangential-restitution", 0.3)),
        (base.clone().drag(0.02), base.clone().set("forces.drag.coefficient", 0.02)),
        (base.clone().gravity([0.1, -5.0]), base.clone().set("forces.gravity", "[0.1, -5.0]")),
        (base.clone().thrown_from([-0.7, 1.2], [3.5, 0.0]), base.clone().set("initial.position.x", -0.7)),
        (base.clone().tolerance(1e-7), base.clone().set("solver.tolerance", "1e-7")),
        (base.clone().method("dop853"), base.clone().set("solver.method", "dop853")),
        (base.clone().formulation("arc-length"), base.clone().set("solver.formulation", "arc-length")),
    ];
    for (i, (by_method, by_key)) in pairs.into_iter().enumerate() {
        let by_key = by_key.unwrap_or_else(|error| panic!("{i}: {error}")).run(3.0).unwrap();
        let by_method = by_method.run(3.0).unwrap();
        assert_eq!(by_method.events(), by_key.events(), "pair {i}");
        assert_ne!(by_method.summary(), base.run(3.0).unwrap().summary(), "pair {i} changed nothing");
    }
}

#[test]
fn infinite_friction_is_said_both_ways() {
    let flat = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("0.1*x^2").unwrap());
    let roll = flat.on_ground(0.0, 1.0);
    let by_key = roll.clone().set("contact.friction", "infinite").unwrap().run(1.0).unwrap();
    assert_eq!(roll.friction(f64::INFINITY).run(1.0).unwrap().summary(), by_key.summary());
}

#[test]
fn the_ground_is_shared_and_rebuilt_where_it_changes() {
    let text = "ground.curve = { kind = 'graph', y = 'A*x', parameters = { A = 0.0 } }\ninitial = { position = [0, 1], velocity = [0, 0] }";
    let base = Simulation::from_text(text).unwrap();
    let hit = |simulation: &Simulation| simulation.run(1.0).unwrap().events()[0].frame.normal;
    assert_eq!(hit(&base).x, 0.0);
    let tilted = base.clone().set("ground.curve.parameters.A", 0.5).unwrap();
    assert!((hit(&tilted).x / hit(&tilted).y + 0.5).abs() < 1e-14);
    let ground = |simulation: &Simulation| simulation.scenario().scene.ground.clone();
    let shared = |other: &Simulation| std::sync::Arc::ptr_eq(ground(&base).shared(), ground(other).shared());
    assert!(!shared(&tilted));
    assert!(shared(&base.clone().restitution(0.3)) && shared(&base.clone().set("ball.radius", 0.1).unwrap()));
}

#[test]
fn a_ground_of_ones_own_stays_through_settings() {
    let own = Simulation::new(Ball::point(1.0).unwrap(), Ground::of(Parabola(1.0), [-3.0, 3.0]).unwrap());
    let own = own.on_ground(0.1, 0.0).tolerance(1e-10);
    let written = Simulation::from_text_with(BOWL, bowl()).unwrap().tolerance(1e-10);
    let here = own.run(1.0).unwrap().at(1.0).unwrap();
    let there = written.run(1.0).unwrap().at(1.0).unwrap();
    assert!(apart(&here, &there) < 1e-12, "{here:?} {there:?}");
    // In place, and read again.
    for (key, value) in [("forces.drag.coefficient", 0.1), ("solver.capture-speed", 0.2), ("ball.radius", 0.05)] {
        let [a, b] = [&own, &written].map(|base| base.clone().set(key, value).unwrap().run(1.0).unwrap());
        assert!(apart(&a.at(1.0).unwrap(), &b.at(1.0).unwrap()) < 1e-12, "{key}");
    }
    let steeper = written.clone().set("ground.curve.curvature", 4.0).unwrap().run(1.0).unwrap().at(1.0).unwrap();
    assert!(apart(&here, &steeper) > 1e-3);
    for (text, says) in [
        (BOWL.replace("curvature", "curvatura"), "`curvature` is missing"),
        (BOWL.replace("2.0", "2.0, rech = 1.0"), "unknown key `rech`"),
        (BOWL.replace("'bowl'", "'bole'"), "unknown kind \"bole\""),
    ] {
        let error = Simulation::from_text_with(&text, bowl()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn methods_of_ones_own_take_part_by_name() {
    #[derive(Clone)]
    struct Euler;
    impl FlightScheme for Euler {
        fn order(&self) -> u32 {
            1
        }
        fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
            let acceleration = forces.force_at(start) / forces.mass();
            Ok(State {
                position: start.position + h * start.velocity,
                velocity: start.velocity + h * acceleration,
                ..*start
            })
        }
    }
    let methods = Methods::builtin().with_flight("euler", |control| Euler.stepped(control));
    let throw = drop().drag(0.5).methods(methods);
    let exact = throw.clone().method("dop853").run(0.4).unwrap().at(0.4).unwrap();
    let [a, b] =
        [1e-3, 5e-4].map(|h| apart(&throw.clone().method("euler").step(h).run(0.4).unwrap().at(0.4).unwrap(), &exact));
    assert!(((a / b).log2() - 1.0).abs() < 0.02, "{a:e} {b:e}");
    // By a tolerance, too: a step's error is held to it, and a scheme of order 1 takes many.
    let held = throw.clone().method("euler").tolerance(1e-8).run(0.4).unwrap();
    assert!(held.ended() == Ended::Duration && apart(&held.at(0.4).unwrap(), &exact) < 1e-3);
    let error = throw.method("heun").run(1.0).unwrap_err().to_string();
    assert!(error.contains("\"heun\"") && error.contains("euler"), "{error}");
}

/// `[contact]` is the default of every ground, also where a value is put later; what a ground says for itself stays.
#[test]
fn contact_is_the_default_of_several_grounds() {
    let text = r#"
        ball = { mass = 0.1, radius = 0.02 }
        initial = { position = [-0.5, 1.5], velocity = [1, 0] }
        contact = { restitution = 0.6 }
        ground = [
            { name = "plank", curve = { kind = "line", from = [-1, 1], to = [0, 0.9] } },
            { name = "floor", curve = { kind = "graph", y = "0" }, contact = { restitution = 0.4 } },
        ]
    "#;
    let impacts = |simulation: Simulation| -> Vec<f64> {
        let run = simulation.run(3.0).unwrap();
        let ratio = |event: &Event| {
            let [before, after] = [event.before.velocity, event.after.velocity].map(|v| v.dot(&event.frame.normal));
            -after / before
        };
        let first = |high: bool| run.events().iter().find(|event| (event.position().y > 0.5) == high).unwrap();
        [first(true), first(false)].into_iter().map(ratio).collect()
    };
    let of = |text: &str| Simulation::from_text(text).unwrap();
    for (simulation, expected) in [
        (of(text), [0.6, 0.4]),
        (of(text).restitution(0.35), [0.35, 0.4]),
        (of(text).set("contact.restitution", 0.35).unwrap().set("contact.friction", 0.0).unwrap(), [0.35, 0.4]),
        (of(&of(text).restitution(0.5).to_toml().unwrap()).restitution(0.35), [0.35, 0.4]),
        (of(text).set_all(&[("contact.restitution", 0.35.into()), ("ball.mass", 0.2.into())]).unwrap(), [0.35, 0.4]),
    ] {
        let found = impacts(simulation);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }
}

/// A force given by formulas takes the place of one written in Rust, and either can be taken away.
#[test]
fn a_force_is_replaced_and_taken_away() {
    let last = |simulation: Simulation| simulation.run(0.2).unwrap().at(0.2).unwrap().velocity[0] - 1.0;
    let pushed = drop().force(|_, _| [1.0, 0.0]);
    let formula = pushed.clone().set("forces.external", "{ x = 0.5, y = 0 }").unwrap();
    assert!((last(pushed.clone()) - 0.2).abs() < 1e-12 && (last(formula.clone()) - 0.1).abs() < 1e-12);
    assert!(formula.to_toml().is_ok() && last(pushed.no_force()) == 0.0);
    assert_eq!(last(formula.no_force()), 0.0);
}
