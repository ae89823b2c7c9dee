//! What went wrong once, by the names it has in `shared/faults`.

use kugelbahn::newmark;

use super::*;

#[test]
fn rust_debug_dump_of_errors() {
    let text =
        "initial.position = [0, 1]\nground.curve = { kind = \"graph\", y = 0 }\nforces.external = [\"0\", \"0\"]\n";
    let shown = format!("{:?}", Simulation::from_text(text).unwrap_err());
    let lines: Vec<&str> = shown.lines().collect();
    assert!(shown.len() < 400 && lines[1].contains(":3:") && lines[2].contains("forces.external"), "{shown}");
    assert!(lines.last().unwrap().trim_start().starts_with("help: "), "{shown}");
    let error = drop().restitution(1.5).run(1.0).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn rust_newmark_not_reexported() {
    let control = Control::Tolerance(Tolerance { relative: 1e-6, absolute: 1e-9 });
    let Control::Tolerance(Tolerance { relative, .. }) = control else { panic!() };
    assert_eq!((relative, newmark::Scheme::AVERAGE.beta()), (1e-6, 0.25));
}

#[test]
fn rust_observer_closure() {
    let mut count = 0;
    let mut counted = |_: &Event| {
        count += 1;
        ControlFlow::Continue(())
    };
    drop().observe(1.0, &mut counted).unwrap();
    drop().observe(1.0, &mut NoObserver).unwrap();
    assert_eq!(count, 2);
}

#[test]
fn rust_two_point_types() {
    let run = drop().run(1.0).unwrap();
    let apart = run.events()[0].position() - run.at(0.5).unwrap().position;
    assert!((apart.x - run.events()[0].time() + 0.5).abs() < 1e-15);
    assert!(drop().thrown_from(run.at(0.5).unwrap().position, apart).run(0.1).is_ok());
}

#[test]
fn rust_spin_lost() {
    let bare = || Simulation::new(Ball::point(1.0).unwrap(), Ground::graph("0").unwrap());
    let starts = [
        bare().spin(5.0).starting_at(2.0).thrown_from([0.0, 1.0], [0.0, 0.0]),
        bare().thrown_from([0.0, 2.0], [0.0, 0.0]).starting_at(2.0).spin(5.0).thrown_from([0.0, 1.0], [0.0, 0.0]),
        bare().thrown_from([0.0, 1.0], [0.0, 0.0]).spin(5.0).starting_at(2.0),
        bare().spin(f64::NAN).starting_at(-2.0).spin(5.0).thrown_from([0.0, 1.0], [0.0, 0.0]).starting_at(2.0),
        bare().on_ground(0.0, 3.0).spin(5.0).thrown_from([0.0, 1.0], [0.0, 0.0]).starting_at(2.0),
    ];
    for start in starts {
        let moment = *start.run(0.1).unwrap().simulation().start().unwrap().now();
        assert_eq!((moment.spin, moment.time, moment.position.y), (5.0, 2.0, 1.0));
    }
    let sphere = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("0").unwrap());
    let rolls = sphere.clone().thrown_from([0.0, 1.0], [0.0, 0.0]).on_ground(0.0, 1.0);
    assert_eq!(rolls.run(0.1).unwrap().at(0.0).unwrap().spin, -10.0);
    assert_eq!(sphere.spin(5.0).on_ground(0.0, 1.0).run(0.1).unwrap().at(0.0).unwrap().spin, 5.0);
}

/// A wrong value is healed by a right one of the same kind alone.
#[test]
fn rust_stop_is_ok() {
    assert!(drop().restitution(1.5).restitution(0.5).run(1.0).is_ok());
    assert!(drop().restitution(1.5).friction(0.5).run(1.0).is_err());
    assert!(drop().on_ground(f64::NAN, 0.0).spin(1.0).run(1.0).is_err());
    assert!(drop().on_ground(f64::NAN, 0.0).on_ground(0.0, 1.0).run(1.0).is_ok());
    assert!(drop().thrown_from([f64::NAN, 0.0], [0.0, 0.0]).spin(1.0).run(1.0).is_err());
    for both in [drop().step(1e-3).tolerance(1e-6), drop().tolerance(1e-6).step(1e-3)] {
        assert!(matches!(both.run(1.0), Err(Error::ToleranceAndStep)));
    }
    assert!(drop().step(1e-3).step(1e-2).run(1.0).is_ok());
    let landing = drop().until(|event| event.kind == EventKind::Landing).run(9.0).unwrap();
    assert_eq!(landing.ended(), Ended::Event);
    let mut first = |_: &Event| ControlFlow::Break(());
    assert_eq!(drop().run_observed(1.0, &mut first).unwrap().ended(), Ended::Observer);
}

/// A scheme that does not converge.
#[derive(Clone)]
struct Implicit;

const STUCK: SchemeError = SchemeError { reason: "Newton's last change, in m", value: 0.25 };

impl FlightScheme for Implicit {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, _: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
        if h > 1e-3 { Err(STUCK) } else { Ok(*start) }
    }
}

impl ContactScheme for Implicit {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, _: &ContactSystem, _: &ContactState, _: f64) -> Result<ContactState, SchemeError> {
        Err(STUCK)
    }
}

#[test]
fn rust_scheme_cannot_fail() {
    let methods = Methods::builtin()
        .with_flight("mine", |control| FlightScheme::stepped(Implicit, control))
        .with_formulation("mine", |control| ContactScheme::stepped(Implicit, control));
    let throw = drop().drag(0.1).methods(methods).method("mine").formulation("mine");
    for simulation in [throw.clone().step(0.01), throw.clone().on_ground(0.0, 1.0)] {
        let told = simulation.run(0.3).unwrap_err().to_string();
        assert!(told.contains("Newton's last change, in m: 0.25"), "{told}");
    }
    // By a tolerance it is tried again, shorter.
    let run = throw.tolerance(0.9).run(0.01).or_else(Error::into_run).unwrap();
    assert!(!matches!(run.ended(), Ended::Stopped(Stop::Flight(error)) if error.to_string().contains("Newton")));
}

/// Built with the feature `serde`, as CI does.
#[cfg(feature = "serde")]
#[test]
fn rust_no_serde() {
    let run = drop().run(1.0).unwrap();
    let events = serde_json::to_value(run.events()).unwrap();
    assert_eq!(events[0]["kind"], "Impact");
    assert_eq!(events[0]["after"]["position"][1], run.events()[0].position().y);
    assert_eq!(serde_json::to_value(run.at(0.5).unwrap()).unwrap()["phase"], "Flight");
    assert_eq!(serde_json::to_value(run.summary()).unwrap()["count"]["impacts"], 2);
}

#[derive(Debug)]
struct Dome {
    height: f64,
}

impl Profile for Dome {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let twice = 2.0 * self.height;
        [s, 1.0 - 0.5 * s * s + (s - 1.0) / twice * (twice - 2.0 * self.height)]
    }
}

#[test]
fn rust_numbers_beside_n() {
    let own = Ground::of(Dome { height: 1.0 }, [-2.0, 2.0]).unwrap();
    let written = Ground::parametric("s", "1 - 0.5*s*s + (s - 1)/2*(2 - 2)", [-2.0, 2.0]).unwrap();
    let [own, written] = [own, written].map(|ground| {
        Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), ground).on_ground(0.1, 0.0).run(0.5).unwrap()
    });
    assert!((own.at(0.5).unwrap().position - written.at(0.5).unwrap().position).norm() < 1e-9);
}
