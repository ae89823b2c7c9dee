//! Along the ground: steps that stall, slip, stick, second contacts.

use serde_json::Value;

use crate::common::Table;
use crate::fault;

/// Runs a fault to its end; its summary.
fn goes_on(name: &str, more: &[&str]) -> (Value, Table) {
    let (place, outcome) = fault(name, more);
    assert_eq!(outcome.code, 0, "{name} {more:?}: {}{}", outcome.stdout, outcome.stderr);
    (serde_json::from_str(&place.read("out/summary.json")).unwrap(), Table::read(&place, "out/events.csv"))
}

/// Did not converge, or went on in steps of 1e-16 s, where an arc becomes a line at the origin: there the centre is near 0,
/// but made of numbers of the arc's size.
#[test]
fn stall_near_origin() {
    for more in [&[][..], &["--set", "ball.radius=0"], &["--set", "initial.contact.s=1.2"]] {
        let (summary, _) = goes_on("stall-near-origin", more);
        let steps = summary["solver"]["contact_steps"].as_u64().unwrap();
        assert!(steps < 40, "{more:?}: {steps} steps");
        assert!(
            summary["final"]["phase"] == "sliding" && summary["final"]["position"][0].as_f64().unwrap() < 0.0,
            "{summary}"
        );
    }
}

/// Did not converge at t = 1.4824 s: the slope of the ground there, 1 − tanh² of nearly 1, is rounded a hundred times more coarsely
/// than the place is.
#[test]
fn rolling_to_step_stops() {
    let (summary, _) = goes_on("rolling-to-step-stops", &[]);
    assert!(summary["final"]["time"] == 7.51715 && summary["energy"]["unexplained"].as_f64().unwrap().abs() < 1e-9);
}

/// A thousand slips at 1.09735 s: the ball slips for less than a step, of which the step's end alone was seen. Steps of
/// 1e-4 s, and others chosen by a tolerance, say that it rests again at 1.1043 s.
#[test]
fn slip_without_time() {
    let (summary, events) = goes_on("slip-without-time", &[]);
    assert_eq!(summary["final"]["time"], 1.20483);
    assert_eq!(events.words("kind"), ["landing", "rest", "slip", "rest"]);
    let times = events.numbers("time");
    assert!((times[2] - 1.09735).abs() < 1e-5 && (times[3] - 1.1043).abs() < 0.01, "{times:?}");
}

/// Rest came 2.5e-7 s early, whatever capture-tolerance said: the rest of the bounces between two walls was left out.
#[test]
fn two_walls_too_early() {
    let run = |tolerance: &str| {
        let set = format!("solver.capture-tolerance={tolerance}");
        let (_, events) = goes_on("two-walls-too-early", &["--set", &set]);
        (*events.numbers("time").last().unwrap(), events.words("kind").len())
    };
    let (exact, most) = run("1e-12");
    for (tolerance, early) in [("1e-8", 1e-10), ("1e-10", 1e-11)] {
        let (time, events) = run(tolerance);
        assert!((time - exact).abs() < early && events < most, "{tolerance}: {time} of {exact}, {events} of {most}");
    }
    // v along the wall at the first bounce back from the other, a = g sin 45°: what follows is 2v/(a (1 − e)) after it.
    let (_, events) = goes_on("two-walls-too-early", &[]);
    let (times, speeds) = (events.numbers("time"), events.numbers("normal_velocity_after"));
    let first = events.numbers("s").iter().zip(&times).position(|(s, t)| *s == 0.0 && *t > 2.26).unwrap();
    let end = times[first] + 2.0 * speeds[first] / (9.81 * 0.5_f64.sqrt() * 0.3);
    assert!((exact - end).abs() < 2e-12, "{exact} of {end}");
}

/// The same with no more than so many steps of contact, tries included, and so much energy unexplained, J.
fn ends_within(name: &str, more: &[&str], most: u64, unexplained: f64) -> (Value, Table) {
    let (summary, events) = goes_on(name, more);
    let count = |key: &str| summary["solver"][key].as_u64().unwrap();
    let kept = count("contact_steps") + count("compressed_steps");
    let tries = kept + count("contact_steps_rejected") + count("compressed_steps_rejected") + count("unresolved_steps");
    let missing = summary["energy"]["unexplained"].as_f64().unwrap().abs();
    assert!(tries <= most && missing <= unexplained, "{name} {more:?}: {tries} tries, {missing:e} J");
    (summary, events)
}

/// 1e6 steps in the first contact, nearly all made again: the compression was added to the places along the ground, too,
/// and bounds of a force that depends on x did not become narrower with the step.
#[test]
fn soft_ball_spring_force() {
    for (tolerance, most) in [("1e-7", 20), ("1e-9", 30), ("1e-10", 40)] {
        let set = format!("solver.tolerance={tolerance}");
        ends_within("soft-ball-spring-force", &["--set", &set], most, 1e-7);
    }
    for law in ["contact.law=\"kelvin-voigt\"", "contact.stiffness=1e7", "forces.external.x=\"-m*y/(0.01+x^2)\""] {
        ends_within("soft-ball-spring-force", &["--set", law], 40, 2e-9);
    }
    for ground in ["\"0.1*sin(3*x)\"", "\"x^2\""] {
        let set = format!("ground.curve.y={ground}");
        ends_within("soft-ball-spring-force", &["--set", &set], 60, 2e-9);
    }
}

/// 22000 steps, three in four made again: drag turns with the ground, and bounds of its components widen with the turn, to first
/// order, where what acts along the ground does not change.
#[test]
fn ellipse_drag_steps() {
    for formulation in ["symmetric", "arc-length"] {
        for tolerance in ["1e-8", "1e-10", "3e-11", "1e-13"] {
            let sets = [format!("solver.formulation={formulation}"), format!("solver.tolerance={tolerance}")];
            ends_within("ellipse-drag-steps", &["--set", &sets[0], "--set", &sets[1]], 20, 1e-8);
        }
    }
    for more in ["forces.wind=[3, 1]", "forces.magnus=0.3", "contact.friction=0.2", "ground.curve.turn=0"] {
        ends_within(
            "ellipse-drag-steps",
            &["--set", "ball.radius=0.02", "--set", "initial.spin=5", "--set", more],
            40,
            1e-9,
        );
    }
}

/// 100000 steps, and 6237 where a graph says the same: a Magnus force has no part along the ground, but bounds of it had.
#[test]
fn parametric_corner_steps() {
    let (by_s, events) = ends_within("parametric-corner-steps", &[], 300, 1e-9);
    let graph = "ground.curve={ kind = \"graph\", y = \"max(abs(x)-1, 0.292961*sin(3*x))\" }";
    let (by_x, same) = ends_within("parametric-corner-steps", &["--set", graph], 300, 1e-9);
    assert_eq!(events.words("kind"), ["landing", "stick", "impact", "slip"]);
    assert_eq!(events.words("kind"), same.words("kind"));
    for (a, b) in events.numbers("time").iter().zip(same.numbers("time")) {
        assert!((a - b).abs() <= 1e-9, "{a} {b}");
    }
    for axis in 0..2 {
        let [a, b] = [&by_s, &by_x].map(|summary| summary["final"]["position"][axis].as_f64().unwrap());
        assert!((a - b).abs() <= 1e-9, "{a} {b}");
    }
}

/// Steps of 2e-8 s without end, in which the ball falls and stays where it is: on a steep graph x tells heights apart by no less
/// than the hop after the impact, so that the floor, which it left, was neither touched nor away, nor ever reached again. With friction
/// the run stopped: the tolerance asked for heights that x does not tell.
#[test]
fn steep_wall_graph() {
    for slope in [3e3, 3e4, 1e5, 1e6, 1e7, 1e8, 1e10, 1e12] {
        for friction in [0.0, 0.3] {
            let curve = format!("ground.curve.y=\"max(0, {slope:?}*(x-1))\"");
            let more = ["--set", &curve, "--set", &format!("contact.friction={friction:?}")];
            // A rounding error of x is so much of the height, and of the energy of 1 kg.
            let known = 9.81 * f64::EPSILON * slope;
            let most = 1e-9 + if friction > 0.0 { 200.0 * known } else { 0.0 };
            let (summary, events) = ends_within("steep-wall-graph", &more, 110, most);
            let x = summary["final"]["position"][0].as_f64().unwrap();
            assert!(summary["final"]["time"] == 2.0 && (x - 0.98).abs() < 1e-5, "{slope}: {x}");
            let hits = if friction > 0.0 { 0.6472 } else { 0.49 };
            assert!(events.numbers("time").iter().any(|time| (time - hits).abs() < 1e-4), "{slope} {friction}");
        }
    }
}

/// 10⁴ compressed steps without time: past half a turn around the end of the ground a ball went on from the end it had come to. It
/// goes on along the other side, which is solid, too.
#[test]
fn compressed_around_an_end() {
    let (summary, events) = ends_within("compressed-around-an-end", &[], 100, 1e-12);
    assert_eq!(summary["final"]["time"], 0.4);
    let (heights, kinds) = (events.numbers("y"), events.words("kind"));
    assert_eq!(kinds, ["touch", "release"]);
    // The end is at a height of 0.3876 m.
    assert!(heights[1] < 0.35, "{heights:?}");
}

/// Steps below 4e-15 s: a place 3e-7 m from the origin counted as known to 4e-18 m, where the numbers of its formula are 4 m large.
#[test]
fn slope_near_origin() {
    ends_within("slope-near-origin", &[], 200, 1e-9);
}

/// Extreme laws of compliant contact: a clock set back by rounding was a panic, a first step without bound an endless run, and a ball
/// that nothing holds "compressed by 6e-94 m".
#[test]
fn extreme_laws_of_compliance_end() {
    for (law, told) in [
        (
            "law = \"hunt-crossley\", stiffness = 1e5, damping = 0.1, exponent = 1.5, friction = 0.1, slip-speed = 1e-15",
            "",
        ),
        (
            "law = \"hunt-crossley\", stiffness = 1e5, damping = 0.1, exponent = 1.5, friction = 0.1, slip-speed = 1e-20",
            "",
        ),
        ("law = \"hertz\", stiffness = 1e-200", "is compressed by 0.0"),
        ("law = \"kelvin-voigt\", stiffness = 1e-160", "is compressed by 0.0"),
    ] {
        let place = crate::common::Place::new();
        place.write(
            "extreme.toml",
            format!(
                "ball.radius = 0.05\ninitial = {{ position = [0.1, 1.0], velocity = [0.3, 0.1] }}\n\
                 ground.curve = {{ kind = \"graph\", y = \"0.1*sin(x)\" }}\nsolver = {{ duration = 1, limit = 20000 }}\ncontact = {{ {law} }}\n"
            ),
        );
        let outcome = place.kugelbahn(&["run", "extreme.toml", "--quiet"]);
        assert!(outcome.code < 2 && outcome.stderr.contains(told), "{law}: {} {}", outcome.code, outcome.stderr);
    }
}
