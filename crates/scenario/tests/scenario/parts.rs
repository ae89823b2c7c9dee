//! Curves that move against each other.

use std::path::Path;

use scenario::{Scenario, run};
use supervisor::{Event, EventKind, Recording, Stop};

const BALL: &str =
    "ball = { mass = 0.2, radius = 0.04 }\ncontact = { restitution = 0.4, friction = 0.3 }\nsolver.tolerance = 1e-13\n";

/// Two planks that move in ways of their own between two that stand still.
const PLANKS: [(&str, [[f64; 2]; 2], &str); 4] = [
    ("top", [[-0.7, 6.2], [1.2, 5.6]], ""),
    ("swing", [[0.7, 4.8], [3.6, 5.7]], "{ x = \"0.15*sin(3*t)\", y = \"0.1*sin(5*t)\" }"),
    ("floor", [[-1.7, 4.9], [1.2, 4.0]], ""),
    ("lift", [[0.7, 3.2], [3.6, 4.1]], "{ y = \"0.05*t - 0.05*cos(7*t)\" }"),
];

fn table(index: usize, head: &str) -> String {
    let (_, [from, to], motion) = PLANKS[index];
    let motion = if motion.is_empty() { String::new() } else { format!("motion = {motion}\n") };
    format!("{head}curve = {{ kind = \"line\", from = {from:?}, to = {to:?} }}\n{motion}")
}

fn made(text: &str) -> (Scenario, Recording) {
    let scenario = Scenario::from_text(text, Path::new(""), &[]).unwrap();
    let mut told = Recording::default();
    told.summary = Some(run(&scenario, &mut told).unwrap());
    (scenario, told)
}

fn close(a: f64, b: f64, what: &str) {
    near(a, b, 1e-11, what);
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * (1.0 + a.abs()), "{what}: {a:?} {b:?}");
}

/// How well a touch is known: rounding of the place, 1e-15 m, by the speed of a hop is what its time is known to.
fn known(event: &Event) -> f64 {
    let touch = matches!(event.kind, EventKind::Impact | EventKind::Landing);
    if touch && event.velocity_before().0.abs() < 0.01 { 1e-8 } else { 1e-11 }
}

fn same(a: &Event, b: &Event, of: &Scenario) {
    assert_eq!((a.kind, a.phase_before, a.phase_after), (b.kind, b.phase_before, b.phase_after), "{a:?}\n{b:?}");
    let (seen, after) = (of.scene.world(&b.before), of.scene.world(&b.after));
    let tolerance = known(a);
    for (x, y, what) in [
        (a.time(), b.time(), "time"),
        (a.after.position.x, after.position.x, "x"),
        (a.after.position.y, after.position.y, "y"),
        (a.before.velocity.x, seen.velocity.x, "vx before"),
        (a.after.velocity.x, after.velocity.x, "vx"),
        (a.after.velocity.y, after.velocity.y, "vy"),
        (a.after.spin, after.spin, "spin"),
        (a.normal_impulse, b.normal_impulse, "impulse"),
        (a.velocity_after().0, b.velocity_after().0, "normal velocity"),
        (a.velocity_after().1, b.velocity_after().1, "tangential velocity"),
    ] {
        near(x, y, tolerance, what);
    }
}

/// A ball that falls over planks, of which two move, meets each as if that were alone and the state carried over.
#[test]
fn each_alone_and_all_together() {
    let tables: String = (0..4).map(|i| table(i, &format!("[[ground]]\nname = \"{}\"\n", PLANKS[i].0))).collect();
    let text =
        format!("{BALL}initial = {{ position = [0.1, 6.4] }}\nsolver.duration = 12\noutput.interval = 0.01\n{tables}");
    let (all, whole) = made(&text);
    assert_eq!(all.scene.parts.len(), 3);
    assert_eq!(whole.summary.unwrap().stop, None);
    let curve = |event: &Event| all.scene.ground.curve_of(event.place);
    let mut compared = 0;
    for index in 0..4 {
        let first = whole.events.iter().position(|event| curve(event) == index).expect("every plank is met");
        let met: Vec<&Event> = whole.events[first..].iter().take_while(|event| curve(event) == index).collect();
        let start = match first {
            0 => "initial = { position = [0.1, 6.4] }".to_owned(),
            _ => {
                let then = &whole.events[first - 1].after;
                let (q, v) = (then.position, then.velocity);
                format!(
                    "initial = {{ time = {:?}, position = [{:?}, {:?}], velocity = [{:?}, {:?}], spin = {:?} }}",
                    then.time, q.x, q.y, v.x, v.y, then.spin
                )
            }
        };
        let begin = if first == 0 { 0.0 } else { whole.events[first - 1].time() };
        let duration = met[met.len() - 1].time() - begin + 1e-3;
        let ground = table(index, "[ground]\n");
        let (alone, told) = made(&format!("{BALL}{start}\nsolver.duration = {duration:?}\n{ground}"));
        assert!(told.events.len() >= met.len(), "{index}: {} {}", told.events.len(), met.len());
        for (a, b) in met.iter().zip(&told.events) {
            same(a, b, &alone);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
    // What is told goes on smoothly from frame to frame, and the ledger holds.
    assert!(whole.summary.unwrap().unexplained().abs() < 1e-9, "{:e}", whole.summary.unwrap().unexplained());
    let steps = whole.samples.windows(2).map(|pair| (pair[1].state.position - pair[0].state.position).norm());
    assert!(whole.samples.len() > 1000 && steps.fold(0.0, f64::max) < 0.01 * 40.0);
}

/// A motion that is none is no motion, and one that all share is that of all: the same run.
#[test]
fn what_does_not_move_against_the_rest() {
    let scene = |motion: &str, of: &str, start: &str| {
        format!(
            "{BALL}{start}\nsolver.duration = 4\n[[ground]]\nname = \"a\"\ncurve = {{ kind = \"line\", from = [-1, 0.5], to = [1, 0] }}\n{motion}\n\
             [[ground]]\nname = \"b\"\ncurve = {{ kind = \"line\", from = [0.8, -0.9], to = [3, -0.2] }}\n{of}\n"
        )
    };
    let still = "initial = { position = [-0.5, 0.8] }";
    let moving = "initial = { position = [-0.5, 0.8], velocity = [0.3, -0.2] }";
    let (_, plain) = made(&scene("", "", still));
    // One of them moves by nothing; and by Galileo, both as fast as the ball.
    let (none, first) = made(&scene("", "motion = { x = \"0*t\" }", still));
    let (both, second) = made(&scene(
        "motion = { x = \"0.3*t\", y = \"-0.2*t\" }",
        "motion = { x = \"0.3*t\", y = \"-0.2*t + 0*t^2\" }",
        moving,
    ));
    assert!(none.scene.parts.len() == 2 && both.scene.parts.len() == 2);
    assert!(plain.events.iter().any(|event| event.kind == EventKind::Landing));
    for (told, [vx, vy]) in [(&first, [0.0, 0.0]), (&second, [0.3, -0.2])] {
        assert_eq!(told.events.len(), plain.events.len());
        for (a, b) in told.events.iter().zip(&plain.events) {
            assert_eq!(a.kind, b.kind);
            let t = b.time();
            close(a.time(), t, "time");
            close(a.after.position.x, b.after.position.x + vx * t, "x");
            close(a.after.position.y, b.after.position.y + vy * t, "y");
            close(a.after.velocity.x, b.after.velocity.x + vx, "vx");
            close(a.velocity_before().0, b.velocity_before().0, "normal velocity");
            close(a.normal_impulse, b.normal_impulse, "impulse");
        }
    }
}

/// A mirrored scene is the mirrored run.
#[test]
fn mirrored() {
    let scene = |sign: f64| {
        let x = |x: f64| sign * x;
        format!(
            "{BALL}initial = {{ position = [{}, 0.7] }}\nsolver.duration = 3\n\
             [[ground]]\nname = \"still\"\ncurve = {{ kind = \"graph\", y = \"0.2*x^2\" }}\n\
             [[ground]]\nname = \"paddle\"\ncurve = {{ kind = \"line\", from = [{}, 1], to = [{}, 0.1] }}\nmotion = {{ x = \"{}*sin(4*t)\" }}\n",
            x(0.3),
            x(0.9),
            x(0.8),
            -0.6 * sign
        )
    };
    let ((_, right), (_, left)) = (made(&scene(1.0)), made(&scene(-1.0)));
    assert_eq!((right.summary.unwrap().stop, right.events.len()), (left.summary.unwrap().stop, left.events.len()));
    assert!(right.events.iter().any(|event| event.frame.normal.x < -0.9), "the paddle is met");
    for (a, b) in right.events.iter().zip(&left.events) {
        let tolerance = known(a);
        near(a.time(), b.time(), tolerance, "time");
        near(a.after.velocity.x, -b.after.velocity.x, tolerance, "vx");
        near(a.after.position.x, -b.after.position.x, tolerance, "x");
        near(a.after.spin, -b.after.spin, tolerance, "spin");
    }
}

/// A cup on a lift raises a ball that rests in it, with the lift's own speed, and tips it over onto a rail: there is no jump of the state
/// anywhere, and the work of the lift is what the ball has gained.
#[test]
fn a_lift() {
    let text = "ball = { mass = 0.1, radius = 0.02 }\ncontact = { restitution = 0, friction = 0.4 }\n\
        initial.contact = { ground = \"lift\", s = 0.2 }\nsolver.duration = 3\noutput.interval = 0.05\n\
        [[ground]]\nname = \"lift\"\ncurve = { kind = \"line\", from = [0, 0], to = [0.4, -0.04] }\nmotion = { y = \"0.5*t\" }\n\
        [[ground]]\nname = \"rail\"\ncurve = { kind = \"line\", from = [0.42, 0.1], to = [2, 0] }\n\
        [[ground]]\nname = \"wall\"\ncurve = { kind = \"line\", from = [3, 5], to = [3, -5] }\n";
    let (scenario, told) = made(text);
    let curve = |event: &Event| scenario.curve.name(scenario.scene.ground.curve_of(event.place)).unwrap();
    let on_rail = told.events.iter().find(|event| curve(event) == "rail").expect("it comes to the rail");
    assert!(on_rail.time() > 0.2 && on_rail.velocity_before().0 < 0.0);
    let summary = told.summary.unwrap();
    assert_eq!(summary.stop, None);
    assert!(summary.energy_end.work > 0.0 && summary.unexplained().abs() < 1e-9, "{:e}", summary.unexplained());
}

/// A ball that a lift carries past a wall which it only touches is not held by that, and one beside a wall of its own rolls up to it.
#[test]
fn along_a_wall() {
    let scene = |x: f64| {
        format!(
            "ball = {{ mass = 0.1, radius = 0.02 }}\ncontact = {{ restitution = 0.3, friction = 0.4 }}\nsolver.duration = 2\n\
             initial.position = [{x}, 0.02]\n\
             [[ground]]\nname = \"lift\"\ncurve = {{ kind = \"line\", from = [0, 0], to = [0.4, 0] }}\nmotion = {{ y = \"0.1*sin(3*t)\" }}\n\
             [[ground]]\nname = \"shaft\"\ncurve = {{ kind = \"line\", from = [0, 1], to = [0, -1] }}\n"
        )
    };
    for x in [0.02, 0.020000000000000004, 0.0200000001, 0.03] {
        let (scenario, told) = made(&scene(x));
        let summary = told.summary.unwrap();
        assert_eq!(summary.stop, None, "{x}");
        assert!((summary.state.position.x - x).abs() < 1e-15 && scenario.scene.parts.len() == 2);
        close(summary.state.position.y, 0.02 + 0.1 * 6f64.sin(), "as high as the lift");
        let on_lift = |event: &Event| event.frame.normal.y == 1.0;
        assert!(told.events.len() > 3 && told.events.iter().all(on_lift), "{x}: {:?}", told.events);
    }
}

/// A pusher along a floor: a ball that bounces off it rolls on; one that it holds against the floor has no law, and the run says so.
#[test]
fn a_pusher() {
    let scene = |restitution: f64, way: &str| {
        format!(
            "ball = {{ mass = 0.1, radius = 0.02 }}\ncontact = {{ restitution = {restitution}, friction = 0.2 }}\n\
             initial.contact = {{ ground = \"floor\", s = 2.5 }}\nsolver.duration = 2\n\
             [[ground]]\nname = \"floor\"\ncurve = {{ kind = \"line\", from = [-2, 0], to = [5, 0] }}\n\
             [[ground]]\nname = \"pusher\"\ncurve = {{ kind = \"line\", from = [0, 1], to = [0, -1] }}\nmotion = {{ x = \"{way}\" }}\n"
        )
    };
    let (_, hit) = made(&scene(0.5, "0.4*t"));
    let first = hit.events.iter().find(|event| event.kind == EventKind::Impact).unwrap();
    close(first.time(), (0.5 - 0.02) / 0.4, "time of the hit");
    close(first.before.velocity.x, 0.0, "at rest before");
    close(first.after.velocity.x, 0.4 * 1.5, "faster than the pusher after");
    close(first.velocity_before().0, -0.4, "against the pusher");
    assert_eq!(hit.summary.unwrap().stop, None);
    let (_, held) = made(&scene(0.0, "0.4*t + 0.1*t^2"));
    let stop = held.summary.unwrap().stop;
    assert!(matches!(stop, Some(Stop::Squeezed { curves: [0, 1], .. })), "{stop:?}");
}

/// A motion goes with its curve where a scenario is written out and changed; of a table with several curves with all of these.
#[test]
fn changed_by_settings() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), "x,y,curve\n0,1,a\n1,0.8,a\n2,0.1,b\n4,0,b\n").unwrap();
    let text = "ball.radius = 0.01\ninitial.position = [0.5, 2]\n\
        [[ground]]\nname = \"rails\"\ncurve = { kind = \"csv\", as = \"polyline\", file = \"t.csv\", curve-column = \"curve\" }\n\
        motion = { x = \"0.1*sin(t)\" }\ncontact = { restitution = 0.3 }\n\
        [[ground]]\nname = \"floor\"\ncurve = { kind = \"graph\", y = \"-1\" }\n";
    let read = Scenario::from_text(text, folder.path(), &[]).unwrap();
    let again = read.with_settings(&["solver.duration=3".to_owned()]).unwrap();
    for scenario in [&read, &again] {
        let curves: Vec<&[usize]> = scenario.scene.parts.iter().map(|part| &*part.curves).collect();
        assert_eq!(curves, [&[0, 1][..], &[2]]);
        assert!(scenario.scene.parts[0].carriage.is_some() && scenario.scene.parts[1].carriage.is_none());
        let e: Vec<f64> = scenario.scene.own_laws.iter().map(|law| law.restitution(1.0)).collect();
        assert_eq!(e, [0.3, 0.3, 0.0]);
    }
    assert_eq!(read.resolved()["ground"], again.resolved()["ground"]);
    assert_eq!(again.solver.duration, 3.0);
    // Curves of one file may be moved together.
    let one = "ball.radius = 0.01\ninitial.position = [0.5, 2]\n[ground]\nmotion = { x = \"0.1*sin(t)\" }\n\
        curve = { kind = \"csv\", as = \"polyline\", file = \"t.csv\", curve-column = \"curve\" }\n";
    let together = Scenario::from_text(one, folder.path(), &[]).unwrap();
    assert!(together.scene.parts.is_empty() && together.scene.forces.carriage().is_some());
    let again = together.with_settings(&["solver.duration=3".to_owned()]).unwrap();
    assert!(again.scene.parts.is_empty() && again.scene.forces.carriage().is_some());
}

#[test]
fn refused() {
    let scene = |more: &str, way: &str| {
        format!(
            "ball.radius = 0.02\n{more}\n[[ground]]\nname = \"a\"\ncurve = {{ kind = \"line\", from = [-2, 0], to = [5, 0] }}\n\
             [[ground]]\nname = \"b\"\ncurve = {{ kind = \"line\", from = [0, 1], to = [0, -1] }}\nmotion = {{ x = \"{way}\" }}\n"
        )
    };
    let start = "initial.position = [2, 1]";
    for (more, way, wanted) in [
        (format!("{start}\ncontact = {{ law = \"hertz\", stiffness = 1e5 }}"), "t", "move against each other"),
        (format!("{start}\nsolver = {{ method = \"ballistic\", tolerance = 1e-9 }}"), "t", "moving ground"),
        (
            format!("{start}\nsolver = {{ method = \"moreau\", step = 1e-3 }}"),
            "t",
            "time stepping knows no moving ground",
        ),
        (
            format!("{start}\nsolver = {{ method = \"events\", step = 1e-3 }}"),
            "t",
            "balls event by event know no moving ground",
        ),
        (start.to_owned(), "abs(t - 1)", "switch at t = 1"),
        ("initial = { position = [2, 1], time = 2 }".to_owned(), "t", "the ball starts"),
        ("initial = { contact = { ground = \"a\", s = 3.005 }, time = 1 }".to_owned(), "t", "does not fit there"),
    ] {
        let error = Scenario::from_text(&scene(&more, way), Path::new(""), &[]).unwrap_err().to_string();
        assert!(error.contains(wanted), "{more} {way}: {error}");
    }
}

/// Stretches of a run, kept or not, and the watches on them.
#[derive(Default)]
struct Joined {
    scene: Option<supervisor::Scene>,
    end: Option<(f64, nalgebra::Vector2<f64>)>,
    worst: f64,
    crossings: Vec<supervisor::Crossing>,
}

impl supervisor::Observer for Joined {
    fn stretch(&mut self, stretch: &supervisor::Stretch) -> std::ops::ControlFlow<()> {
        let (kept, scene) = (stretch.keep(), self.scene.as_ref().unwrap());
        let middle = 0.5 * (stretch.from() + stretch.to());
        assert_eq!(kept.of(scene).at(middle), stretch.at(middle));
        let place = |time: f64| stretch.at(time).state.position;
        let over = stretch.position_over(stretch.from(), stretch.to()).unwrap();
        assert!((0..2).all(|i| over[i].lo <= place(middle)[i] + 1e-14 && place(middle)[i] <= over[i].hi + 1e-14));
        if let Some((time, end)) = self.end {
            assert_eq!(time, stretch.from());
            self.worst = self.worst.max((place(time) - end).norm());
        }
        self.end = Some((stretch.to(), place(stretch.to())));
        std::ops::ControlFlow::Continue(())
    }
    fn crossing(&mut self, crossing: &supervisor::Crossing) {
        self.crossings.push(*crossing);
    }
}

/// The path that is told has no jumps where the ball goes from frame to frame, and watches are of what stands still.
#[test]
fn stretches_join() {
    let tables: String = (0..4).map(|i| table(i, &format!("[[ground]]\nname = \"{}\"\n", PLANKS[i].0))).collect();
    let text = format!(
        "{BALL}initial = {{ position = [0.1, 6.4] }}\nsolver = {{ duration = 12, until = [\"watch.low\"] }}\n{tables}\
         [[watch]]\nname = \"low\"\ny = 2.5\n[[watch]]\nname = \"fast\"\nspeed = 2\n[[watch]]\nname = \"middle\"\nx = 0.9\n"
    )
    .replace("solver.tolerance = 1e-13\n", "");
    let scenario = Scenario::from_text(&text, Path::new(""), &[]).unwrap();
    let mut joined = Joined { scene: Some(scenario.scene.clone()), ..Joined::default() };
    let summary = run(&scenario, &mut joined).unwrap();
    assert!(joined.worst < 1e-12, "{:e}", joined.worst);
    assert!(summary.until.is_some() && (summary.state.position.y - 2.5).abs() < 1e-12, "{summary:?}");
    let of = |watch: usize| joined.crossings.iter().filter(move |crossing| crossing.watch == watch);
    assert!(of(1).count() > 3 && of(2).count() > 1);
    // An impact may take the speed across its value in a jump.
    assert!(of(1).any(|crossing| (crossing.sample.state.velocity.norm() - 2.0).abs() < 1e-11));
    assert!(of(2).all(|crossing| (crossing.sample.state.position.x - 0.9).abs() < 1e-12));
    // Their velocities are against the ground, as those of all events.
    let ground_velocity = |curve: usize, t: f64| match curve {
        1 => [0.45 * (3.0 * t).cos(), 0.5 * (5.0 * t).cos()],
        3 => [0.0, 0.05 + 0.35 * (7.0 * t).sin()],
        _ => [0.0, 0.0],
    };
    let mut carried = 0;
    for crossing in joined.crossings.iter().filter(|crossing| crossing.sample.place.is_some()) {
        let event = crossing.event(&scenario.scene);
        let curve = scenario.scene.ground.curve_of(event.place);
        let [vx, vy] = ground_velocity(curve, event.time());
        let along = event.frame.tangent.x * (event.after.velocity.x - vx)
            + event.frame.tangent.y * (event.after.velocity.y - vy);
        near(event.velocity_after().1, along, 1e-12, "tangential velocity of a watch");
        assert!((event.frame.position - event.after.position).norm() < 1e-9, "{event:?}");
        carried += usize::from(curve % 2 == 1);
    }
    assert!(carried > 0);
    assert!(summary.unexplained().abs() < 1e-8, "{:e}", summary.unexplained());
}

/// `auto` takes what holds as each part sees the ball.
#[test]
fn auto_over_parts() {
    let text = |method: &str| {
        let tables: String = (0..4).map(|i| table(i, &format!("[[ground]]\nname = \"{}\"\n", PLANKS[i].0))).collect();
        let start = "initial = { position = [0.1, 6.4] }\nsolver.duration = 2\n";
        format!("{BALL}{start}solver.method = \"{method}\"\n{tables}")
    };
    let [auto, newmark] = ["auto", "newmark"].map(|method| made(&text(method)).1);
    assert_eq!((auto.summary.unwrap().stop, newmark.summary.unwrap().stop), (None, None));
    assert!(auto.events.len() > 3 && auto.events.len() == newmark.events.len());
    for (a, b) in auto.events.iter().zip(&newmark.events) {
        assert_eq!(a.kind, b.kind);
        near(a.time(), b.time(), 1e-8, "time");
    }
    let error = Scenario::from_text(&text("ballistic"), Path::new(""), &[]).unwrap_err();
    assert!(error.to_string().contains("moving ground") || error.to_string().contains("ballistic"), "{error}");
}
