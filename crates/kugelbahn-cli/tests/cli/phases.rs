//! Phases and events of time stepping mean what those of event-driven runs mean.

use std::ops::ControlFlow;
use std::path::Path;

use crate::common::{Place, Table};
use kugelbahn::Scenario;
use supervisor::{Event, Observer};

/// A sphere that starts to roll down a parabola.
const BOWL: &str = r#"title = "Bowl"
[ball]
radius = 0.05
[initial]
contact = { x = -0.5 }
[ground]
curve = { kind = "graph", y = "x^2" }
[contact]
restitution = 0.5
friction = 0.8
[solver]
duration = 3.0
"#;

/// A sphere that rolls off the end of a line.
const LINE: &str = r#"title = "Line"
[ball]
radius = 0.1
[initial]
contact = { s = 0.5, speed = 3.0, spin = "rolling" }
[ground]
curve = { kind = "line", from = [0, 0], to = [1, 0] }
[contact]
friction = 0.3
[solver]
duration = 1.0
"#;

/// A bead that slides up an incline and down again.
const INCLINE: &str = r#"title = "Incline"
[initial]
contact = { x = 0.0, speed = 3.0 }
[ground]
curve = { kind = "graph", y = "x" }
[contact]
friction = 0.2
[solver]
duration = 2.0
"#;

type Told = Vec<(String, String, String, f64)>;

/// Kind and phases of all events, rows of impacts as one, and time.
fn told(place: &Place, path: &str, settings: &[&str]) -> Told {
    let mut arguments = vec!["run", path, "--out", "out"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    let outcome = place.kugelbahn(&arguments);
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    let events = Table::read(place, "out/events.csv");
    let word = |name: &str, i: usize| events.words(name)[i].to_owned();
    let times = events.numbers("time");
    let mut rows: Told = (0..times.len())
        .map(|i| (word("kind", i), word("phase_before", i), word("phase_after", i), times[i]))
        .collect();
    rows.dedup_by(|a, b| a.0 == "impact" && b.0 == "impact");
    rows
}

/// Both ways of running tell the same; times (but those of impacts) to `late`.
#[track_caller]
fn agree(place: &Place, path: &str, settings: &[&str], step: &str, late: f64) -> Told {
    let stepping = [settings, &["solver.method=moreau", step]].concat();
    let [exact, stepped] = [settings, &stepping].map(|settings| told(place, path, settings));
    let kinds = |told: &Told| told.iter().map(|(a, b, c, _)| format!("{a}: {b} to {c}")).collect::<Vec<_>>();
    assert_eq!(kinds(&exact), kinds(&stepped), "{settings:?}");
    for (exact, stepped) in exact.iter().zip(&stepped).filter(|(exact, _)| exact.0 != "impact") {
        assert!((exact.3 - stepped.3).abs() < late, "{exact:?} {stepped:?}");
    }
    stepped
}

#[test]
fn events_are_those_of_event_driven_runs() {
    let place = Place::new();
    place.write("line.toml", LINE);
    place.write("incline.toml", INCLINE);
    place.write("bowl.toml", BOWL);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/src/bin");
    let experiment = |name: &str| repository.join(name).join("scenario.toml").to_str().unwrap().to_owned();
    let h = "solver.step=1e-4";
    let names = |told: &Told| told.iter().map(|row| row.0.clone()).collect::<Vec<_>>();
    let hills = agree(&place, &experiment("over_the_hills"), &[], "solver.step=2e-5", 2e-2);
    let all = ["impact", "landing", "slip", "lift-off", "impact", "landing", "stick"];
    assert_eq!(names(&hills), all);
    assert_eq!(names(&agree(&place, &experiment("slip_to_roll"), &[], h, 2e-4)), ["stick"]);
    assert_eq!(names(&agree(&place, &experiment("liftoff"), &[], h, 1e-3)), ["lift-off"]);
    assert_eq!(names(&agree(&place, &experiment("liftoff"), &["contact.restitution=0.6"], h, 1e-3)), ["lift-off"]);
    assert_eq!(names(&agree(&place, "line.toml", &[], h, 1e-3)), ["end-of-ground"]);
    let bead = ["ball.radius=0", "contact.friction=0"];
    assert_eq!(names(&agree(&place, "line.toml", &bead, h, 1e-3)), ["end-of-ground"]);
    // Slowly it rolls around the end until the normal force is gone.
    let slow =
        ["initial.contact.speed=0.3", "initial.contact.s=0.9", "contact.friction=\"infinite\"", "solver.duration=2"];
    assert_eq!(names(&agree(&place, "line.toml", &slow, h, 1e-2)), ["end-of-ground"]);
    assert_eq!(names(&agree(&place, "incline.toml", &[], h, 2e-4)), ["slip"], "it turns round");
    assert_eq!(names(&agree(&place, "incline.toml", &["contact.friction=2"], h, 2e-4)), ["rest"]);
    assert!(agree(&place, "bowl.toml", &[], h, 0.0).is_empty());
}

/// The end of a drop: down to the step the scheme resolves every bounce, and no phase comes twice.
#[test]
fn a_drop_ends_in_one_landing() {
    let place = Place::new();
    let zeno = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/src/bin/zeno/scenario.toml");
    let stepping = ["solver.method=moreau", "solver.step=1e-4"];
    let kinds: Vec<String> = told(&place, zeno.to_str().unwrap(), &stepping).into_iter().map(|row| row.0).collect();
    assert_eq!(kinds, ["impact", "landing", "rest"]);
}

/// With e > 0 contact on curved ground is a row of hops of the scheme's own: rows of flight every few steps.
#[test]
fn rolling_on_curved_ground_is_not_told_as_bounces() {
    let place = Place::new();
    place.write("bowl.toml", BOWL);
    let stepping = ["solver.method=moreau", "solver.step=1e-3", "output.interval=1e-3"];
    for restitution in ["0.5", "0.7", "0.9"] {
        let e = format!("contact.restitution={restitution}");
        let events = told(&place, "bowl.toml", &[&stepping[..], &[&e, "contact.friction=\"infinite\""]].concat());
        assert!(events.is_empty(), "e = {restitution}: {} rows", events.len());
        let rows = Table::read(&place, "out/trajectory.csv");
        assert!(rows.words("phase").iter().all(|phase| *phase == "rolling"));
    }
}

/// Rolling damping acts in the scheme's own hops, too: it used to be lost in them, whatever the step.
#[test]
fn damping_acts_while_it_rolls() {
    let place = Place::new();
    place.write("bowl.toml", BOWL);
    let end = |settings: &[&str]| {
        let settings = [&["contact.rolling-damping=0.5", "contact.friction=\"infinite\""], settings].concat();
        told(&place, "bowl.toml", &settings);
        Table::read(&place, "out/trajectory.csv").numbers("x").last().copied().unwrap()
    };
    let exact = end(&[]);
    for (step, error) in [("solver.step=1e-3", 1e-2), ("solver.step=1e-4", 1e-3)] {
        let x = end(&["solver.method=moreau", step]);
        assert!((x - exact).abs() < error, "{step}: {x} for {exact}");
    }
}

/// Event by event a scenario for time stepping would be another motion: it used to run all the same.
#[test]
fn the_library_refuses_to_run_time_stepping_event_by_event() {
    struct Deaf;
    impl Observer for Deaf {
        fn event(&mut self, _: &Event) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }
    let settings = ["solver.method=moreau", "solver.step=1e-3"].map(str::to_owned);
    let scenario = Scenario::from_text(BOWL, Path::new(""), &settings).unwrap();
    let error = kugelbahn::run(&scenario, &mut Deaf).unwrap_err();
    assert!(error.to_string().contains("run_stepping"), "{error}");
}

/// The closest point of a parametric ground was an ulp from its end: the ball rolled on over nothing, by its
/// penetration's square root at least.
#[test]
fn a_ball_leaves_a_parametric_ground_at_its_end() {
    let place = Place::new();
    let curve = r#"kind = "parametric", x = "s", y = "0.2*cos(3*s)", domain = [-2, 3]"#;
    let start = r#"contact = { x = -1.8, speed = -1.8, spin = "rolling" }"#;
    let text = LINE.replace("kind = \"line\", from = [0, 0], to = [1, 0]", curve);
    place.write("wave.toml", text.replace(r#"contact = { s = 0.5, speed = 3.0, spin = "rolling" }"#, start));
    let names: Vec<String> = agree(&place, "wave.toml", &["ball.radius=0.05"], "solver.step=1e-4", 1e-3)
        .into_iter()
        .map(|row| row.0)
        .collect();
    assert_eq!(names.last().map(String::as_str), Some("end-of-ground"));
}
