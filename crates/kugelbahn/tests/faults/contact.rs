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

/// Refused, since 0.3 − 3.0·0.1 is 6e-17: a slip that is rounding is none.
#[test]
fn start_slip_rounding() {
    let (summary, _) = goes_on("start-slip-rounding", &[]);
    assert!(summary["final"]["phase"] == "rolling" && summary["final"]["velocity"][0] == 0.3, "{}", summary["final"]);
}
