//! Compliant contact at the front door, and laws of one's own.

use std::path::Path;
use std::sync::Arc;

use kugelbahn::compare::{ComparisonPlan, Draft, Measure, cases, compare, converge, methods};
use kugelbahn::mechanics::OwnLaw;

use super::*;

#[path = "../../examples/own_law.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_law;

const SOFT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/src/bin/soft_spheres/scenario.toml");

/// After Hunt and Crossley, by the formula; or any other.
struct By<F>(F);

impl<F> std::fmt::Debug for By<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("By")
    }
}

impl<F: Fn(f64, f64) -> f64 + Send + Sync + 'static> NormalLaw for By<F> {
    fn force(&self, compression: f64, rate: f64) -> f64 {
        (self.0)(compression, rate)
    }
}

fn own(force: impl Fn(f64, f64) -> f64 + Send + Sync + 'static) -> CompliantLaw {
    CompliantLaw::own("own", By(force))
}

/// A law that may not be called so.
pub fn rigid_name() -> OwnLaw {
    OwnLaw::new("rigid", Vec::new(), Arc::new(By(|compression, _| compression)))
}

/// A ball with a radius of 0.1 m, dropped from 0.9 m above level ground.
fn soft(law: CompliantLaw) -> Simulation {
    let ball = Ball::solid_sphere(1.0, 0.1).unwrap();
    let law = Compliance::new(law).unwrap().with_friction(0.2, 1e-3).unwrap();
    Simulation::new(ball, Ground::graph("0").unwrap()).compliance(law).thrown_from([0.0, 1.0], [1.0, 0.0])
}

#[test]
fn a_law_of_ours_written_again_gives_the_same_run() {
    let pairs = [
        (
            CompliantLaw::HuntCrossley { stiffness: 1e5, damping: 0.2, exponent: 1.5 },
            own(|d, rate| 1e5 * d.powf(1.5) * (1.0 + 0.2 * rate)),
        ),
        (CompliantLaw::KelvinVoigt { stiffness: 1e4, damping: 50.0 }, own(|d, rate| 1e4 * d + 50.0 * rate)),
        (CompliantLaw::KelvinVoigt { stiffness: 1e4, damping: 0.0 }, own(|d, _| 1e4 * d)),
    ];
    for (ours, own) in pairs {
        let [ours, own] = [ours, own].map(|law| soft(law).run(2.0).unwrap());
        assert_eq!((ours.ended(), own.ended()), (Ended::Duration, Ended::Duration));
        assert_eq!(ours.events().len(), own.events().len());
        assert!(own.events().len() >= 4);
        for (a, b) in ours.events().iter().zip(own.events()) {
            assert!(a.kind == b.kind && (a.time() - b.time()).abs() < 1e-8, "{a:?} {b:?}");
        }
        assert!(apart(&ours.at(2.0).unwrap(), &own.at(2.0).unwrap()) < 1e-7);
        assert!(own.unexplained().abs() < 1e-7, "{:e}", own.unexplained());
    }
}

#[test]
fn its_energy_and_compressions_are_found_by_its_force() {
    let exact = Compliance::new(CompliantLaw::HuntCrossley { stiffness: 1e5, damping: 0.0, exponent: 1.5 }).unwrap();
    let found = Compliance::new(own(|d, _| 1e5 * d.powf(1.5))).unwrap();
    for size in [1e-12, 1e-6, 1e-3, 1.0, 1e3] {
        for (a, b) in [
            (exact.elastic_energy(size), found.elastic_energy(size)),
            (exact.compression_storing(size), found.compression_storing(size)),
            (exact.compression_holding(size), found.compression_holding(size)),
        ] {
            assert!((a / b - 1.0).abs() < 1e-13, "{size:e}: {a:e} {b:e}");
        }
    }
    assert_eq!(Compliance::new(own(|d, _| d / (1.0 + d))).unwrap().compression_holding(2.0), f64::INFINITY);
}

#[test]
fn it_holds_a_ball_at_rest() {
    let law = Compliance::new(own(|d, rate| 1e4 * d * (1.0 + 1e3 * d * d) + 20.0 * rate)).unwrap();
    let ball = Ball::solid_sphere(1.0, 0.1).unwrap();
    let rest = Simulation::new(ball, Ground::graph("0").unwrap()).compliance(law).on_ground(0.0, 0.0).run(5.0).unwrap();
    assert!(rest.events().is_empty());
    assert!((rest.at(5.0).unwrap().normal_force - G).abs() < 1e-9, "{:?}", rest.at(5.0));
}

#[test]
fn by_its_name_it_works_in_every_command() {
    let known: Arc<Methods> = Methods::builtin()
        .with_law("mine", |keys, _| {
            let (stiffness, rate) = (keys.number("stiffness")?, keys.number_or("viscosity", 0.0));
            Ok(By(move |d: f64, change: f64| stiffness * d.powf(1.5) + rate * change))
        })
        .into();
    let settings = ["contact.law=mine".to_owned(), "solver.duration=2.5".to_owned()];
    let draft = Draft::load_with(Path::new(SOFT), &settings, &known).unwrap();
    let plan = ComparisonPlan { tries: 0, closed_form: None, progress: &|_, _, _| {} };
    let (list, all) = methods("--methods", "newmark,dop853", &known).unwrap();
    let (cases, _) = cases(&draft, &list, all, None, None).unwrap();
    assert!(compare(&draft, &cases, &plan).is_ok());
    let steps = [0.02, 0.01, 0.005];
    let (convergence, _) =
        converge(&draft, &list, all, &steps, Some(&[Measure::Position]), &plan).map_err(|e| e.to_string()).unwrap();
    assert!(!convergence.lines.is_empty());
    // Its keys are told, and can be changed.
    let simulation = Simulation::from_file_with(SOFT, known.clone());
    assert!(simulation.is_ok());
    let changed = simulation.unwrap().set("contact.law", "mine").unwrap().set("contact.stiffness", 2e8).unwrap();
    let told = changed.scenario().resolved();
    assert_eq!((told["contact"]["law"].as_str(), told["contact"]["stiffness"].as_f64()), (Some("mine"), Some(2e8)));
    assert!(changed.run(2.5).unwrap().events().len() >= 2);
}

#[test]
fn its_keys_are_its_own() {
    let text = |contact: &str| {
        format!(
            "ball.radius = 0.1\nground.curve = {{ kind = 'graph', y = 0 }}\ninitial.position = [0, 1]\ncontact = {{ law = 'mine', {contact} }}"
        )
    };
    let known: Arc<Methods> = Methods::builtin()
        .with_law("mine", |keys, _| {
            let (k, e) = (keys.number("k")?, keys.number_or("restitution", 0.5));
            if k > 0.0 {
                Ok(By(move |d: f64, rate: f64| k * d * (1.0 + (1.0 - e) * rate)))
            } else {
                Err("k must be positive".into())
            }
        })
        .into();
    let read = |contact: &str| Simulation::from_text_with(&text(contact), known.clone());
    let refused = |contact: &str| read(contact).map(|_| ()).unwrap_err().to_string();
    assert!(read("k = 1e4, restitution = 0.7, friction = 0.2, pull = true, drag = false, slip-speed = 1e-2").is_ok());
    for (contact, said) in [
        ("restitution = 0.7", "`k` is missing"),
        ("k = -1", "k must be positive"),
        ("k = 1, kk = 2", "unknown key `kk`"),
        ("k = 1, rolling-damping = 2", "unknown key `rolling-damping`"),
        ("k = 1, colour = 'red'", "colour"),
        ("k = 1, balls = { restitution = 1 }", "balls"),
        ("k = 1, friction = 'infinite'", "friction"),
        ("k = nan", "k"),
    ] {
        let error = refused(contact);
        assert!(error.contains(said), "{contact}: {error}");
    }
    let error = Simulation::from_text(&text("k = 1")).unwrap_err().to_string();
    assert!(error.contains("unknown law \"mine\""), "{error}");
    let stepping = format!("{}\nsolver = {{ method = 'moreau', step = 0.01 }}", text("k = 1"));
    assert!(Simulation::from_text_with(&stepping, known.clone()).is_err());
    assert!(read("k = 1e4").unwrap().set("ball.radius", 0.0).is_err());
}

/// No law makes a run panic or hang, or lose its numbers without a word.
#[test]
fn wild_laws_end() {
    let laws: [fn(f64, f64) -> f64; 10] = [
        |d, _| if d > 0.0 { f64::NAN } else { 0.0 },
        |d, _| if d > 1e-3 { f64::NAN } else { 1e4 * d },
        |d, _| if d > 0.0 { f64::INFINITY } else { 0.0 },
        // It attracts at first; it is constant; it comes late; it is a wall; it gives energy.
        |d, _| 1e6 * d * (d - 1e-3),
        |d, _| if d > 0.0 { 50.0 } else { 0.0 },
        |d, _| if d > 1e-3 { 1e4 * (d - 1e-3) } else { 0.0 },
        |d, _| -1e2 * (1.0 - d / 0.1).ln(),
        |d, rate| 1e4 * d - 5.0 * rate,
        |d, _| 1e30 * d,
        |d, _| 1e-30 * d,
    ];
    for (index, law) in laws.into_iter().enumerate() {
        for pull in [false, true] {
            let law = Compliance::new(own(law)).unwrap().with_pull(pull);
            let ball = Ball::solid_sphere(1.0, 0.1).unwrap();
            let level = Simulation::new(ball, Ground::graph("0").unwrap()).compliance(law).tolerance(1e-6);
            for start in [
                level.clone().thrown_from([0.0, 0.3], [0.5, 0.0]),
                level.clone().thrown_from([0.0, 0.0999], [0.5, 0.0]),
                level.clone().on_ground(0.0, 0.5),
            ] {
                match start.run(0.5) {
                    Ok(run) => {
                        assert!(run.at(0.5).unwrap().position.iter().all(|x| x.is_finite()), "{index} {pull}");
                    }
                    Err(Error::Stopped(run)) => assert!(run.end() < 0.5, "{index} {pull}: {:?}", run.ended()),
                    Err(error) => {
                        assert!(index == 9 && error.to_string().contains("compressed by"), "{index}: {error}")
                    }
                }
            }
        }
    }
    for law in [own(|_, _| 1.0), own(|_, _| 0.0), own(|d, _| -d), own(|_, rate| rate), own(|_, _| f64::NAN)] {
        let error = Compliance::new(law).unwrap_err().to_string();
        assert!(error.contains("force = ") && error.contains("nothing is compressed"), "{error}");
    }
}

#[test]
fn a_force_put_is_the_force_of_contact_too() {
    let text = |more: &str| {
        format!(
            "ball.radius = 0.1\nground.curve = {{ kind = 'graph', y = 0 }}\ninitial.position = [0, 1]\ncontact = {{ law = 'hertz', stiffness = 1e4, drag = false }}\n{more}"
        )
    };
    let read = |more: &str| Simulation::from_text(&text(more)).unwrap();
    let written = read("forces = { gravity = [0.3, -4.0], drag = { coefficient = 0.5 } }").run(3.0).unwrap();
    let put = read("").gravity([0.3, -4.0]).drag(0.5).run(3.0).unwrap();
    let set = read("").set("forces.gravity.y", -4.0).unwrap().set("forces.gravity.x", 0.3).unwrap();
    let set = set.set("forces.drag.coefficient", 0.5).unwrap().run(3.0).unwrap();
    assert!(written.events().len() >= 2);
    assert_eq!(written.events(), put.events());
    assert_eq!(written.events(), set.events());
    // Gravity that crushes a ball at rest is refused, as in a file.
    let held = read("").on_ground(0.0, 0.0);
    assert!(held.clone().run(0.1).is_ok());
    assert!(held.gravity([0.0, -1e6]).run(0.1).unwrap_err().to_string().contains("compressed"));
}

#[test]
fn what_says_nothing_of_a_ball_that_gives_way_is_refused() {
    let hertz = CompliantLaw::Hertz { stiffness: 1e5, viscosity: 0.0 };
    for (name, changed) in [
        ("restitution", soft(hertz.clone()).restitution(0.5)),
        ("tangential-restitution", soft(hertz.clone()).tangential_restitution(0.5)),
        ("rolling-damping", soft(hertz.clone()).rolling_damping(0.5)),
        ("friction", soft(hertz.clone()).friction(f64::INFINITY)),
    ] {
        let error = changed.run(1.0).unwrap_err().to_string();
        assert!(error.contains(name), "{name}: {error}");
    }
    let restitution = soft(hertz.clone()).set("contact.restitution", 0.5).unwrap_err().to_string();
    assert!(restitution.contains("rigid contact"), "{restitution}");
    // Friction is regularised friction.
    let slides = soft(hertz.clone()).friction(0.0).run(1.0).unwrap();
    assert_eq!(slides.at(1.0).unwrap().spin, 0.0);
    assert!(soft(hertz.clone()).run(1.0).unwrap().at(1.0).unwrap().spin != 0.0);
    let law = Compliance::new(hertz).unwrap();
    let error = drop().compliance(law).run(1.0).unwrap_err().to_string();
    assert!(error.contains("radius"), "{error}");
}
