//! Bad values are errors with their name; nothing panics.

use kugelbahn::{NotEventDriven, flight};

use super::*;

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn a_bad_value_is_named_at_the_run() {
    type Change = fn(Simulation, f64) -> Simulation;
    let changes: [(&str, Change, &[f64]); 16] = [
        ("restitution", |s, x| s.restitution(x), &[-0.1, 1.1, f64::INFINITY]),
        ("tangential-restitution", |s, x| s.tangential_restitution(x), &[-1.1, 1.1, f64::INFINITY]),
        ("friction", |s, x| s.friction(x), &[-0.1, f64::NEG_INFINITY]),
        ("rolling-damping", |s, x| s.rolling_damping(x), &[-0.1, f64::INFINITY]),
        ("gravity", |s, x| s.gravity([x, 0.0]), &BAD),
        ("drag", |s, x| s.drag(x), &[-0.1, f64::INFINITY]),
        ("wind", |s, x| s.wind([0.0, x]), &BAD),
        ("magnus", |s, x| s.magnus(x), &BAD),
        ("position", |s, x| s.thrown_from([0.0, x], [0.0, 0.0]), &BAD),
        ("velocity", |s, x| s.thrown_from([0.0, 1.0], [x, 0.0]), &[1e13, f64::INFINITY]),
        ("spin", |s, x| s.spin(x), &BAD),
        ("speed", |s, x| s.on_ground(0.0, x), &BAD),
        ("tolerance", |s, x| s.tolerance(x), &[0.0, -1.0, 1.0, f64::INFINITY]),
        ("step", |s, x| s.step(x), &[0.0, -1.0, f64::INFINITY]),
        ("capture-speed", |s, x| s.capture_speed(x), &[-1.0, f64::INFINITY]),
        ("watch", |s, x| s.watch(Watch::x(x)), &BAD),
    ];
    for (name, change, values) in changes {
        for value in values.iter().chain(&[f64::NAN]) {
            let changed = change(drop(), *value);
            let error = changed.run(1.0).map(|run| run.end()).unwrap_err().to_string();
            assert!(error.contains(name), "{name} = {value}: {error}");
            assert!(changed.start().is_err() && changed.clone().set("contact.restitution", 0.3).is_err());
            // The first one is told.
            let error = changed.capture_speed(-7.0).run(1.0).unwrap_err().to_string();
            assert!(error.contains(name) && (name == "capture-speed" || !error.contains('7')), "{error}");
        }
    }
}

#[test]
fn methods_that_do_not_go_together_are_refused() {
    let error = drop().formulation("index3").run(1.0).unwrap_err().to_string();
    assert!(error.contains("index3") && error.contains("symmetric"), "{error}");
    assert!(drop().formulation("index3").step(0.01).run(1.0).is_ok());
    assert!(drop().method("bdf").tolerance(1e-15).run(1.0).unwrap_err().to_string().contains("1e-15"));
    assert!(drop().method("").run(1.0).is_err() && drop().formulation("\"").run(1.0).is_err());
    let with = Methods::builtin().with_flight("own", |control| flight::Dop853::new(control).unwrap());
    let gone = drop().methods(with).method("own").methods(Methods::builtin());
    assert!(gone.run(1.0).unwrap_err().to_string().contains("\"own\""));
}

#[test]
fn a_bad_duration_time_or_interval_is_refused() {
    for value in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert!(matches!(drop().run(value), Err(Error::Duration { what: "duration", .. })));
        let run = drop().run(0.1).unwrap();
        assert!(matches!(run.samples(value).map(Iterator::count), Err(Error::Duration { what: "interval", .. })));
    }
    let run = drop().run(0.1).unwrap();
    for time in [-1e-300, 0.1 + 1e-16, f64::NAN] {
        assert!(matches!(run.at(time), Err(Error::Time { .. })), "{time}");
    }
}

#[test]
fn a_start_is_needed_and_has_to_be_on_the_ground() {
    let bare = Simulation::new(Ball::point(1.0).unwrap(), Ground::parametric("cos(s)", "sin(s)", [3.2, 6.2]).unwrap());
    let needs =
        |result: Result<(), Error>| assert!(matches!(result, Err(Error::NotEventDriven(NotEventDriven::NoStart))));
    needs(bare.run(1.0).map(drop_run));
    needs(bare.clone().spin(1.0).run(1.0).map(drop_run));
    needs(bare.clone().set("ball.radius", 0.1).map(|_| ()));
    assert!(bare.clone().set("ball.mass", 2.0).unwrap().thrown_from([0.0, 0.5], [0.0, 0.0]).run(0.1).is_ok());
    assert!(kugelbahn::run(bare.scenario(), &mut NoObserver).is_err());
    needs(bare.start().map(|_| ()));
    for x in [2.0, f64::NAN, f64::INFINITY] {
        let error = bare.clone().on_ground(x, 0.0).run(1.0).unwrap_err();
        assert!(matches!(error, Error::Places { found: 0, .. }), "{error}");
    }
    assert!(bare.clone().thrown_from([0.0, -2.0], [0.0, 0.0]).run(0.1).is_ok());
    assert!(drop().thrown_from([0.0, -1.0], [0.0, 0.0]).run(1.0).unwrap_err().to_string().contains("1.0 m below"));
}

fn drop_run(_run: Run) {}

#[test]
fn bad_ground_is_refused_at_once() {
    for text in
        ["", "x +", "\"", "'", "\\", "\n", "\u{0}", "y", "\"\"\"", "x\" y = \"2", "🎱", "sqrt(x)", "1/x", "nan", "z"]
    {
        let error = Ground::graph(text).map(|_| ()).unwrap_err().to_string();
        assert!(!error.is_empty(), "{text:?}");
    }
    for text in ["", "\"", "\u{7f}"] {
        assert!(
            Ground::parametric(text, "s", [0.0, 1.0]).is_err() && Ground::parametric("s", text, [0.0, 1.0]).is_err()
        );
    }
    for domain in [[f64::NAN, 1.0], [0.0, f64::NAN], [1.0, 0.0], [1.0, 1.0]] {
        assert!(Ground::parametric("s", "0", domain).is_err(), "{domain:?}");
        assert!(Ground::of(Flat, domain).is_err(), "{domain:?}");
    }
    for points in [
        &[][..],
        &[[0.0, 0.0]],
        &[[0.0, 0.0], [0.0, 0.0]],
        &[[0.0, f64::NAN], [1.0, 0.0]],
        &[[0.0, 0.0], [f64::INFINITY, 0.0]],
    ] {
        assert!(Ground::polyline(points).is_err() && Ground::spline(points).is_err(), "{points:?}");
    }
    assert!(Ground::from_file("no such file.toml").unwrap_err().to_string().contains("no such file.toml"));
    assert!(Ground::from_text("").is_err() && Simulation::from_text("").is_err());
    assert!(Simulation::from_file("").is_err());
}

#[derive(Debug)]
struct Flat;

impl Profile for Flat {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, N::constant(0.0)]
    }
}

#[test]
fn a_bad_setting_is_refused_with_its_key() {
    for (key, value) in [
        ("", 1.0),
        (".", 1.0),
        ("contact", 1.0),
        ("contact.", 1.0),
        ("contact.restitutoin", 0.5),
        ("contact.restitution", f64::NAN),
        ("contact.restitution", 2.0),
        ("initial.position.z", 1.0),
        ("initial.position", 1.0),
        ("initial.position.y", f64::NAN),
        ("initial.position.y", -4.0),
        ("ball.mass", f64::INFINITY),
        ("ball.radius", -1.0),
        ("forces.gravity.y", f64::NAN),
        ("solver.tolerance", 2.0),
        ("ground.curve.y", 3.0),
        ("a=b", 1.0),
        ("contact.\"restitution", 0.5),
    ] {
        assert!(drop().set(key, value).is_err(), "{key} = {value}");
    }
    for text in ["", "\"", "'", "=", "\u{0}", "[", "[1, 2", "rubber"] {
        assert!(drop().set("contact.friction", text).is_err(), "{text:?}");
    }
    let error = drop().set("contact.restitutoin", 0.5).unwrap_err().to_string();
    assert!(error.contains("restitutoin"), "{error}");
}

#[test]
fn wild_forces_stop_the_run() {
    for value in BAD.into_iter().chain([1e300, -1e300, f64::MAX]) {
        let runs = [
            drop().force(move |_, _| [value, 0.0]),
            drop().force(move |t, _| [0.0, if t > 0.1 { value } else { 0.0 }]),
            drop().on_ground(0.0, 1.0).force(move |t, body| [value * t * body.velocity[0], 0.0]),
        ];
        for run in runs {
            for method in ["newmark", "bdf", "radau", "dop853"] {
                let run = however(run.clone().method(method).run(0.5));
                assert!(run.at(run.end()).unwrap().position.iter().all(|x| x.is_finite()));
            }
        }
    }
}

#[test]
fn a_name_of_ours_is_refused() {
    let own = || Methods::builtin();
    let bdf = |control| flight::Dop853::new(control).unwrap();
    for methods in [own().with_flight("bdf", bdf), own().with_flight("moreau", bdf)]
        .into_iter()
        .chain([own().with_ground("graph", |_| Ok(Vec::new())), own().with_made_law(&law::rigid_name())])
    {
        let error = drop().methods(methods.clone()).run(1.0).unwrap_err().to_string();
        assert!(error.contains("one of ours"), "{error}");
        assert!(Simulation::from_text_with("ground.curve = { kind = 'graph', y = 0 }", methods).is_err());
    }
    // A later one takes the place of an earlier one.
    let empty = own().with_ground("mine", |_| Err("no".into())).with_ground("mine", |_| Ok(Vec::new()));
    let text = "ground.curve = { kind = 'mine' }\ninitial.position = [0, 1]";
    let error = Simulation::from_text_with(text, empty).unwrap_err().to_string();
    assert!(error.contains("no pieces"), "{error}");
}

/// Nothing that is put is lost: it is in the run, or an error.
#[test]
fn time_stepping_is_not_changed_in_place() {
    let text = "
        ground.curve = { kind = 'graph', y = 0 }
        initial.position = [0, 1]
        solver = { method = 'moreau', step = 0.01 }";
    let stepping = Simulation::from_text(text).unwrap();
    type Change = fn(Simulation) -> Simulation;
    let changes: [Change; 7] = [
        |s| s.gravity([0.0, -1.0]),
        |s| s.restitution(0.5),
        |s| s.thrown_from([0.0, 2.0], [0.0; 2]),
        |s| s.spin(1.0),
        |s| s.tolerance(1e-6),
        |s| s.method("bdf"),
        |s| s.force(|_, _| [1.0, 0.0]),
    ];
    for change in changes {
        let error = change(stepping.clone()).set("contact.friction", 0.1).unwrap_err().to_string();
        assert!(error.contains("time stepping"), "{error}");
    }
    let changed = stepping.set("contact.restitution", 0.5).unwrap().set("forces.gravity.y", -1.0).unwrap();
    let moreau = changed.scenario().stepping.as_ref().unwrap();
    assert_eq!(moreau.balls[0].forces.gravity_vector().y, -1.0);
    assert_eq!(changed.scenario().scene.law.coefficient_of_restitution(), Some(0.5));
}

/// The run, however it ended.
fn however(run: Result<Run, Error>) -> Run {
    run.or_else(Error::into_run).unwrap()
}

/// Moves by a factor, or to nowhere.
#[derive(Clone)]
struct Wild(u32, f64);

impl FlightScheme for Wild {
    fn order(&self) -> u32 {
        self.0
    }

    fn step(&mut self, _: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
        let (position, velocity) = (start.position * self.1, start.velocity * self.1);
        Ok(State { time: start.time + h, position, velocity, ..*start })
    }
}

impl ContactScheme for Wild {
    fn order(&self) -> u32 {
        self.0
    }

    fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, SchemeError> {
        Ok(system.at(start, start.time + h, system.coordinates(start).map(|x| x * self.1)))
    }
}

#[test]
fn wild_schemes_end() {
    for order in [0, u32::MAX] {
        for factor in [f64::NAN, f64::INFINITY, 0.0, 1.0, -1.0, 1e300] {
            let known = Methods::builtin()
                .with_flight("wild", move |control| FlightScheme::stepped(Wild(order, factor), control))
                .with_formulation("wild", move |control| ContactScheme::stepped(Wild(order, factor), control));
            let wild = hills().drag(0.1).methods(known).method("wild").formulation("wild");
            for run in [wild.clone(), wild.clone().step(0.01), wild.on_ground(0.1, 0.3)] {
                let run = however(run.run(0.3));
                assert!(run.end() < 0.3 || run.at(0.3).unwrap().position.iter().all(|x| x.is_finite()));
            }
        }
    }
}

#[derive(Debug)]
struct Odd(fn(f64) -> [f64; 2]);

impl Profile for Odd {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        (self.0)(0.0).map(|x| if x == 1.0 { s } else { N::constant(x) })
    }
}

#[test]
fn odd_grounds_are_refused_or_run() {
    for form in [|_| [f64::NAN, 0.0], |_| [1.0, f64::INFINITY], |_| [0.0, 0.0], |_| [0.0, 1.0], |_| [1.0, 1e300]]
        as [fn(f64) -> [f64; 2]; 5]
    {
        for domain in [[-1.0, 1.0], [f64::NEG_INFINITY, f64::INFINITY], [0.0, f64::INFINITY]] {
            let Ok(ground) = Ground::of(Odd(form), domain) else { continue };
            let bare =
                Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), ground).thrown_from([0.3, 1.0], [0.0, -1.0]);
            if let Ok(run) = bare.run(0.5) {
                assert!(run.at(0.5).unwrap().position.iter().all(|x| x.is_finite()));
            }
        }
    }
}
