//! Curves of which one begins where another ends.

use std::path::Path;

use scenario::{Scenario, run};
use supervisor::{EventKind, Recording};

fn table(name: &str, [from, to]: [[f64; 2]; 2], rest: &str) -> String {
    format!("[[ground]]\nname = \"{name}\"\ncurve = {{ kind = \"line\", from = {from:?}, to = {to:?} }}\n{rest}\n")
}

fn made(text: &str) -> (Scenario, Recording) {
    let scenario = Scenario::from_text(text, Path::new(""), &[]).unwrap();
    let mut told = Recording::default();
    let summary = run(&scenario, &mut told).unwrap();
    assert!(summary.stop.is_none() && summary.unexplained().abs() < 1e-10, "{:?} {text}", summary.stop);
    told.summary = Some(summary);
    (scenario, told)
}

/// Three planks end to end, drawn either way, are the polyline through their ends, for a point and for a ball.
#[test]
fn planks_end_to_end_are_a_polyline() {
    let ends = [[-2.0, 0.3], [-0.5, 0.0], [0.8, 0.0], [2.5, 0.7]];
    let high = [[-2.0, 0.0], [-0.5, 0.5], [0.8, 0.4], [2.5, -0.6]];
    for (points, radius) in [(ends, 0.0), (ends, 0.05), (high, 0.0), (high, 0.05)] {
        let place =
            if points == ends { "position = [-1.8, 1.0], velocity = [0.3, 0.0]" } else { "position = [0.0, 1.2]" };
        let head = format!(
            "ball = {{ mass = 0.2, radius = {radius:?} }}\ncontact = {{ restitution = 0.4, friction = 0.3 }}\n\
             initial = {{ {place} }}\nsolver = {{ duration = 2.5, tolerance = 1e-12 }}\n"
        );
        let (_, one) = made(&format!("{head}[ground]\ncurve = {{ kind = \"polyline\", points = {points:?} }}\n"));
        for turned in 0..8 {
            let planks: String = (0..3)
                .map(|i| {
                    let mut ends = [points[i], points[i + 1]];
                    if turned >> i & 1 == 1 {
                        ends.reverse();
                    }
                    table(["a", "b", "c"][i], ends, "")
                })
                .collect();
            let (scenario, several) = made(&format!("{head}{planks}"));
            assert_eq!(one.events.len(), several.events.len(), "{points:?} {radius} {turned}");
            for (a, b) in one.events.iter().zip(&several.events) {
                let moved = (a.after.position - b.after.position).norm() + (a.after.velocity - b.after.velocity).norm();
                assert!(a.kind == b.kind && (a.after.time - b.after.time).abs() < 1e-9 && moved < 1e-8, "{a:?} {b:?}");
            }
            // Rows name the curve that the ball is on, and `s` is that curve's own.
            let ground = scenario.scene.ground.ground();
            for event in &several.events {
                let point = event.before.position - radius * event.frame.normal;
                let curve = scenario.scene.ground.curve_of(event.place);
                let [from, to] = [points[curve], points[curve + 1]];
                let between = |i: usize| point[i] > from[i].min(to[i]) - 1e-9 && point[i] < from[i].max(to[i]) + 1e-9;
                assert!(between(0) && between(1), "{curve} {point}");
                let start = if turned >> curve & 1 == 1 { to } else { from };
                let s = (point - nalgebra::Vector2::from(start)).norm();
                let shown = scenario.scene.ground.shown_parameter(event.place);
                assert!((shown - s).abs() < 1e-9, "{shown} {s}");
                assert_eq!(ground.locate(curve, s).map(|spot| ground.curve_at(spot)), Some(curve));
            }
        }
    }
}

/// Without friction first, then with: the ball slides on at once, and rolls after 2 v₀/(7 μ g) with 5/7 of its speed.
#[test]
fn the_law_changes_from_curve_to_curve() {
    let head = "ball = { mass = 0.2, radius = 0.05 }\ncontact = { restitution = 0.4, friction = 0.0 }\n\
                initial.contact = { ground = \"ice\", s = 0.5, speed = 1.4 }\nsolver = { duration = 1.5, tolerance = 1e-11 }\n";
    let ice = table("ice", [[-1.0, 0.0], [0.0, 0.0]], "");
    let rough = table("rough", [[0.0, 0.0], [5.0, 0.0]], "contact.friction = 0.2");
    let (_, told) = made(&format!("{head}{ice}{rough}"));
    let [stick] = &told.events[..] else { panic!("{:?}", told.events) };
    let after = 2.0 * 1.4 / (7.0 * 0.2 * 9.81);
    assert_eq!(stick.kind, EventKind::Stick);
    assert!((stick.after.time - 0.5 / 1.4 - after).abs() < 1e-9, "{}", stick.after.time);
    assert!((stick.after.velocity.x - 1.0).abs() < 1e-9);
    // The other way it rolls on, and no friction is needed for it.
    let back = head.replace("\"ice\", s = 0.5, speed = 1.4", "\"rough\", s = 0.5, speed = -1.4, spin = 28.0");
    let (_, told) = made(&format!("{back}{ice}{rough}"));
    assert!(
        told.events.iter().all(|event| matches!(event.kind, EventKind::Slip | EventKind::EndOfGround)),
        "{:?}",
        told.events
    );
}

/// A post and a circle that touch a plank from below are nothing to what rolls on it.
#[test]
fn what_touches_from_below() {
    for (radius, friction) in [(0.0, 0.0), (0.05, 0.3)] {
        let post = table("post", [[0.1, -1.0], [0.1, 0.0]], "");
        let slanted = table("post", [[0.4, -0.3], [0.1, 0.0]], "");
        let circle = "[[ground]]\nname = \"c\"\ncurve = { kind = \"circle\", centre = [0.2, -0.3], radius = 0.3, side = \"outside\" }\n";
        let pin = circle.replace("[0.2, -0.3], radius = 0.3", "[0.2, -0.001], radius = 0.001");
        for below in [&post, &slanted, circle, &pin] {
            let text = format!(
                "ball = {{ mass = 1.0, radius = {radius:?} }}\ncontact = {{ restitution = 0.5, friction = {friction} }}\n\
                 initial.contact = {{ ground = \"a\", s = 0.3, speed = 1.0 }}\nsolver.duration = 1.2\n{}{below}",
                table("a", [[-1.0, 0.0], [1.0, 0.0]], "")
            );
            let (_, told) = made(&text);
            let kinds: Vec<EventKind> = told.events.iter().map(|event| event.kind).collect();
            assert!(kinds.iter().all(|kind| *kind == EventKind::Stick), "{radius} {below} {kinds:?}");
        }
    }
}

/// A plank that comes to where another ends only for a moment is no part of it.
#[test]
fn what_moves_is_not_joined() {
    let text = format!(
        "ball = {{ mass = 0.2, radius = 0.05 }}\ncontact = {{ restitution = 0.0, friction = 0.3 }}\n\
         initial.contact = {{ ground = \"a\", s = 0.5, speed = 1.0 }}\nsolver = {{ duration = 1.0, until = [\"end-of-ground\"] }}\n{}{}",
        table("a", [[-1.0, 0.0], [0.0, 0.0]], ""),
        table("b", [[0.0, 0.0], [1.0, 0.0]], "motion = { y = \"-0.5*t\" }")
    );
    let (_, told) = made(&text);
    let summary = told.summary.unwrap();
    assert!(summary.until.is_some() && summary.state.position.x < 0.06, "{:?}", summary.state);
}

/// Which of both a ball follows where a curve ends on another and along it is not known.
#[test]
fn curves_along_each_other_are_refused() {
    let a = table("a", [[-1.0, 0.0], [1.0, 0.0]], "");
    let head = "ball = { mass = 1.0, radius = 0.05 }\ninitial.position = [0.0, 1.0]\nsolver.duration = 1.0\n";
    let overlap = table("b", [[0.5, 0.0], [2.0, 0.0]], "");
    let twice = a.replace("\"a\"", "\"b\"");
    let ramp = "[[ground]]\nname = \"b\"\ncurve = { kind = \"arc\", centre = [0.0, 1.0], radius = 1.0, from = \"-pi\", to = \"-pi/2\" }\n";
    for (other, what) in [
        (&*overlap, "lie on each other, from (0.5, 0) to (1, 0)"),
        (&twice, "lie on each other, from (-1, 0) to (1, 0)"),
        (ramp, "along it"),
    ] {
        let refused = Scenario::from_text(&format!("{head}{a}{other}"), Path::new(""), &[]).unwrap_err();
        let told = format!("{refused:?} {refused}");
        assert!(told.contains(what), "{told}");
    }
}
