//! Keys of free parameters, and the models they make.

use std::path::Path;
use std::sync::Arc;

use scenario::Document;
use scenario::input::InputError;
use scenario::unknowns::Unknowns;

const SCENARIO: &str = r#"
[ball]
radius = 0.05
[initial]
position = [0.0, 1.0]
[ground]
curve = { kind = "graph", y = "h*sin(x)", parameters = { h = 0.1 } }
[contact]
restitution = 0.8
[forces]
gravity = 9.81
"#;

fn read(settings: &[String], free: &str) -> Result<Unknowns, InputError> {
    Unknowns::of(Document::from_text(SCENARIO, Path::new(""), settings, &Arc::default())?, free)
}

fn unknowns(free: &str) -> Unknowns {
    read(&[], free).unwrap_or_else(|error| panic!("{free}: {error}"))
}

#[track_caller]
fn refused(free: &str, settings: &[&str]) -> (String, String) {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let error = read(&settings, free).unwrap_err();
    (error.to_string(), error.help_text().unwrap_or_default().to_owned())
}

#[test]
fn written_numbers_and_defaults_are_found_and_put() {
    let keys = "contact.restitution,initial.position.y,initial.velocity.x,forces.drag.coefficient,forces.gravity,\
                ground.curve.parameters.h,ball.inertia,contact.friction=0..2,initial.spin";
    let found = unknowns(keys);
    assert_eq!(found.start(), [0.8, 1.0, 0.0, 0.0, 9.81, 0.1, 0.4, 0.0, 0.0]);
    assert_eq!((found.bounds()[0].upper, found.bounds()[7].upper), (1.0, 2.0));
    let values = [0.7, 2.0, -3.0, 0.01, 9.0, 0.2, 0.5, 0.25, 4.0];
    let model = found.model(&values).unwrap();
    assert_eq!(model.scene.law.coefficient_of_restitution(), Some(0.7));
    assert_eq!(model.scene.law.sticking_coefficient(), 0.25);
    assert_eq!(model.scene.ball.inertia_factor(), 0.5);
    let supervisor::Start::Flight(state) = model.start else { panic!("{:?}", model.start) };
    assert_eq!([state.position.y, state.velocity.x, state.velocity.y, state.spin], [2.0, -3.0, 0.0, 4.0]);
    let force = model.scene.forces.force(0.0, state.position, nalgebra::Vector2::zeros(), 0.0);
    assert_eq!([force.x, force.y], [0.0, -9.0]);
    assert_eq!(model.scene.ground.ground().pieces()[0].jet(1.0).point.y, 0.2 * 1f64.sin());
    // What it says to --set makes the same scenario.
    let settings = found.settings(&values);
    assert_eq!(settings[1..3], ["initial.position=[0.0, 2.0]", "initial.velocity=[-3.0, 0.0]"]);
    assert_eq!(settings[5], "ground.curve.parameters.h=0.2");
    let again = read(&settings, keys).unwrap();
    assert_eq!(again.start(), values);
}

#[test]
fn a_number_becomes_a_vector_and_the_ground_is_kept_where_it_stays() {
    let found = unknowns("forces.gravity.x");
    let model = found.model(&[0.5]).unwrap();
    let force = model.scene.forces.force(0.0, nalgebra::Vector2::zeros(), nalgebra::Vector2::zeros(), 0.0);
    assert_eq!([force.x, force.y], [0.5, -9.81]);
    let other = found.model(&[0.6]).unwrap();
    assert!(Arc::ptr_eq(model.scene.ground.shared(), other.scene.ground.shared()));
}

#[test]
fn a_pair_stands_for_both() {
    let found = unknowns("initial.position=-1..1,initial.velocity,forces.gravity");
    let keys: Vec<&str> = found.list().iter().map(|unknown| unknown.key.as_str()).collect();
    let expected =
        ["initial.position.x", "initial.position.y", "initial.velocity.x", "initial.velocity.y", "forces.gravity"];
    assert_eq!(keys, expected);
    assert_eq!((found.bounds()[1].lower, found.bounds()[2].lower), (-1.0, f64::NEG_INFINITY));
}

#[test]
fn keys_that_name_no_number_are_refused_with_what_is_near() {
    assert_eq!(refused("restitution", &[]).1, "did you mean `contact.restitution`?");
    assert_eq!(refused("contact.restituton", &[]).1, "did you mean `contact.restitution`?");
    assert_eq!(refused("forces.drag", &[]).1, "numbers in it: forces.drag.coefficient");
    assert!(refused("initial.velocity,initial.velocity.y", &[]).0.contains("`initial.velocity.y` is named twice"));
    assert!(refused("contact.friction", &["contact.friction=infinite"]).0.contains("\"infinite\" here"));
    assert!(refused("solver.tolerance", &[]).0.contains("how a run is computed"));
    assert!(refused("contact.restitution,contact.restitution", &[]).0.contains("twice"));
    assert!(refused("contact.restitution=0..2", &[]).0.contains("can't be all of 0..2"));
    assert!(refused("contact.restitution=-0.5..1", &[]).0.contains("can't be all of -0.5..1"));
    assert!(refused("contact.restitution=1..0", &[]).0.contains("empty"));
    assert!(refused("contact.restitution=a..1", &[]).0.contains("`a` is no number"));
    assert!(refused("contact.restitution=0.5", &[]).0.contains("no range"));
    assert!(refused("", &[]).0.contains("key is missing"));
    assert!(refused("wibble.wobble", &[]).1.contains("numbers that may be free: ball.inertia, ball.mass"));
    assert!(refused("contact.restitution", &["solver.method=moreau", "solver.step=1e-3"]).0.contains("event-driven"));
    let shape = ["forces.drag.cd=0.47", "forces.drag.density=1.2", "forces.drag.area=0.01"];
    assert_eq!(refused("forces.drag.coefficient", &shape).0, "both `coefficient` and `cd` are given");
}

#[test]
fn the_law_of_a_curve_has_its_range() {
    let text = "initial.position = [0, 1]\nsolver.duration = 1\n[[ground]]\nname = 'a'\ncontact.restitution = 0.5\n\
                curve = { kind = 'graph', y = '0' }\n[[ground]]\nname = 'b'\ncurve = { kind = 'graph', y = '-1' }\n";
    let document = Document::from_text(text, Path::new(""), &[], &Arc::default()).unwrap();
    let found = Unknowns::of(document, "ground.0.contact.restitution").unwrap();
    assert_eq!((found.bounds()[0].lower, found.bounds()[0].upper), (0.0, 1.0));
}
